// SPDX-License-Identifier: Apache-2.0
/* How the tests find things on the page: by what a user sees, or hears from a screen reader. */

export const views = ['Overview', 'Flame', 'Table', 'Tree', 'Sandwich', 'Source', 'Assembly', 'Graph', 'Treemap', 'Threads']
    .map(title => ({ title, name: title === 'Assembly' ? 'asm' : title.toLowerCase() }));

/** The engine has answered, what it said is drawn, and nothing waits to be done (harness.mjs). */
export async function settled(page) {
    await page.getByRole('tablist').waitFor();
    await page.evaluate(() => window.still());
}

export async function tab(page, title) {
    await page.getByRole('tab', { name: title, exact: true }).click();
    await settled(page);
}

export function grid(page) {
    return page.locator('#view-table').getByRole('grid');
}

/** The visible rows of the table, top to bottom, without its heads. */
export async function rowsOf(page) {
    const rows = grid(page).locator('.body [role=row]');
    return rows.evaluateAll(list => list
        .sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
        .map(row => row.innerText.replace(/\s+/g, ' ')));
}

/** Of each visible row its name and its self cost of an event. */
export async function figures(page, event) {
    const column = await grid(page).getByRole('columnheader').evaluateAll((list, name) => list
        .map(head => head.innerText.replace(/\s+/g, ' '))
        .findIndex(head => head.startsWith(`self ${name}`)), event);
    return grid(page).locator('.body [role=row]').evaluateAll((list, at) => list
        .sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
        .map(row => ({
            name: row.querySelector('.name').innerText,
            self: row.querySelectorAll('[role=gridcell]')[at]?.querySelector('.value')?.innerText ?? '',
        })), column);
}
