// SPDX-License-Identifier: Apache-2.0
/* What axe-core, which knows the rules of WCAG, has against the page. */
import fs from 'node:fs';
import { equal, open, picture, require } from './harness.mjs';
import { settled, tab, views } from './look.mjs';

export const LIGHT = { colorScheme: 'light' }, DARK = { colorScheme: 'dark' }, FORCED = { forcedColors: 'active' };

/** What is wrong with PAGE as it is now: one line each. */
export async function violations(page) {
    // The page's policy forbids scripts of others; the driver's own are not the page's.
    if (!await page.evaluate(() => 'axe' in window))
        await page.evaluate(fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
    // What is right is of no interest: a thousand elements for each rule.
    return page.evaluate(async () => {
        const { violations: found } = await window.axe.run(document, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
        });
        return found.flatMap(v => v.nodes.map(node => `${v.id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n')[1] ?? ''}`));
    });
}

/** Nothing, in any view of the page of FILE, as a user sees it who has set HOW. */
export async function accessible(file, how) {
    const page = await open(file, { hash: '#view=table&func=mix', ...how }), all = [], [word] = Object.values(how);

    await settled(page);
    for (const { title, name } of views) {
        await tab(page, title);
        await picture(page, `axe-${word}-${name}`);
        all.push(...(await violations(page)).map(line => `${title}, ${word}: ${line}`));
    }
    equal(all, [], 'what axe-core found');
    await page.context().close();
}
