// SPDX-License-Identifier: Apache-2.0
/*
 * How long a file takes in the browser: from the moment it is chosen to the first row of the table,
 * the first name in the flame graph; and how many frames a second are drawn while it is panned.
 * bench/page.py starts it: node page.mjs JOBS.json, samples as JSON lines on stdout. PAGE_MODULES
 * is the folder of node_modules.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.env.PAGE_MODULES, 'package.json'));
const { chromium } = require('playwright-core');
const TIMEOUT = 120_000;

/** Runs in the page before its scripts: notes when a file is chosen, text painted, a row shown. */
function watch() {
    const seen = window.seen = { chosen: 0, text: 0, row: 0 };
    const paint = CanvasRenderingContext2D.prototype.fillText;

    addEventListener('change', event => {
        if (event.target.type === 'file')
            seen.chosen = performance.now();
    }, true);
    CanvasRenderingContext2D.prototype.fillText = function (...args) {
        if (seen.chosen && !seen.text)
            requestAnimationFrame(() => { seen.text ||= performance.now(); });
        return paint.apply(this, args);
    };
    const look = () => {
        if (seen.chosen && document.querySelector('#view-table [role=grid] .body [role=row]'))
            seen.row ||= performance.now();
        else
            requestAnimationFrame(look);
    };
    look();
}

async function choose(page, file) {
    const input = page.locator('input[type=file]').first();
    if (await input.count())
        return input.setInputFiles(file);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
        page.getByRole('button', { name: /choose a file/i }).click()]);
    return chooser.setFiles(file);
}

/** Milliseconds from one frame to the next while the wheel moves the picture, for three seconds. */
function pan() {
    const canvas = document.querySelector('#view-flame canvas');
    const box = canvas.getBoundingClientRect();
    const turn = (deltaX, deltaY, more) => canvas.dispatchEvent(new WheelEvent('wheel', {
        deltaX, deltaY, bubbles: true, cancelable: true,
        clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, ...more,
    }));
    return new Promise(done => {
        const gaps = [];
        let last = performance.now();
        const end = last + 3000;
        const step = now => {
            gaps.push(now - last);
            last = now;
            if (now > end)
                return done(gaps.slice(2));
            turn(gaps.length % 40 < 20 ? 30 : -30, gaps.length % 40 < 20 ? 10 : -10, { shiftKey: false });
            requestAnimationFrame(step);
        };
        turn(0, -300, { ctrlKey: true }); // closer, so that there is something to move
        requestAnimationFrame(step);
    });
}

async function one(browser, job) {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 850 } })).newPage();
    try {
        await page.addInitScript(watch);
        await page.goto(pathToFileURL(job.page).href + (job.hash ?? ''));
        await page.waitForTimeout(1000); // nobody chooses a file sooner
        await choose(page, job.file);
        await page.waitForFunction(what => window.seen[what] > 0, job.until, { timeout: TIMEOUT });
        const seen = await page.evaluate(() => window.seen);
        const gaps = job.pan ? await page.evaluate(pan) : [];
        return { label: job.label, ms: seen[job.until] - seen.chosen, gaps };
    } catch (error) {
        return { label: job.label, failed: String(error.message).split('\n')[0] };
    } finally {
        await page.context().close();
    }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'] });
for (const job of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
    const sample = await one(browser, job);
    console.log(JSON.stringify(sample));
    console.error(`${job.label}: ${sample.failed ?? Math.round(sample.ms) + ' ms'}`);
}
await browser.close();
