// SPDX-License-Identifier: Apache-2.0
// Where the profiles of others are: as tests/data/tap.py looks for them.
import fs from 'node:fs';
import path from 'node:path';

const tests = path.join(process.env.FIXTURES, '..');
const beside = path.join(tests, '../../shared/data');

export const data = process.env.ASSAY_SHARED_DATA ?? (fs.existsSync(beside) ? beside : path.join(tests, 'data/profiles'));
