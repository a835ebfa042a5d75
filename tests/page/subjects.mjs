// SPDX-License-Identifier: Apache-2.0
/* The profiles that the page is tried with: the project's own, and real ones where they are there. */
import fs from 'node:fs';
import path from 'node:path';
import { assay, scratch } from './harness.mjs';

const fixtures = process.env.FIXTURES;
const shared = process.env.ASSAY_SHARED_DATA ?? path.join(fixtures, '../../../shared/data');

/** demo.prof as DCPI profiles: those of the object that has the most samples. */
function demoAsDcpi() {
    const folder = path.join(scratch, 'dcpi');
    fs.mkdirSync(folder);
    assay('convert', path.join(fixtures, 'demo.prof'), '-t', 'dcpi', '-o', folder + '/');
    return fs.readdirSync(folder).map(name => path.join(folder, name));
}

const own = [
    { name: 'callgrind', shape: 'calls', code: true, files: [path.join(fixtures, 'callgrind.out.demo.full')] },
    { name: 'gperftools', shape: 'paths', code: true, files: [path.join(fixtures, 'demo.prof')] },
    { name: 'dcpi', shape: 'places', files: demoAsDcpi() },
];

const real = [
    { name: 'real callgrind', shape: 'calls', files: ['callgrind/real/callgrind.out.py'] },
    { name: 'real gperftools', shape: 'paths', files: ['gperftools/real/prof/pie_100hz.prof'] },
    { name: 'real dcpi', shape: 'places', files: ['dcpi/real/REAL'] },
];

/** { name, shape, files, missing: why it is not there }. */
export const subjects = [
    ...own,
    ...real.map(subject => ({ ...subject, real: true, files: subject.files.map(file => path.join(shared, file)) })),
].map(subject => ({ ...subject, missing: subject.files.some(file => !fs.existsSync(file)) ? 'the shared data are not there' : null }));
