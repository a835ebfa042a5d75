// SPDX-License-Identifier: Apache-2.0
/* pictures.mjs PAGE.html OUT.png: the page as README.md shows it. PAGE_MODULES, CHROMIUM: see pictures.sh. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.env.PAGE_MODULES, 'package.json'));
const { chromium } = require('playwright-core');
const [file, out] = process.argv.slice(2);
const hash = '#view=sandwich&func=as_sort_rows';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1400, height: 850 }, colorScheme: 'light', reducedMotion: 'reduce' });
const page = await context.newPage();
await context.setOffline(true);
await page.goto(pathToFileURL(file).href + hash);
await page.getByRole('tab', { name: 'Sandwich' }).waitFor();
await page.locator('#view-sandwich').getByText('as_sort_rows').first().waitFor();
await page.waitForTimeout(1000); // what moves has come to rest
await page.screenshot({ path: out });
await browser.close();
