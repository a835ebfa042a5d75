// SPDX-License-Identifier: Apache-2.0
/* All of the page by keyboard alone: what Tab comes to, and what the listed keys do. */
import { comeBack, equal, truth } from './harness.mjs';
import { settled, views } from './look.mjs';

/* In the page: what Tab must come to, and what is true of what has the focus. */
const helpers = `window.walk = {
    ids: new Map(),
    id(e) {
        if (!this.ids.has(e)) this.ids.set(e, this.ids.size);
        return this.ids.get(e) + ' ' + e.tagName.toLowerCase() + ' ' + (e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 30);
    },
    controls() {
        return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')].filter(e =>
            e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }) &&
            !e.closest('details:not([open]) > :not(summary)')).map(e => this.id(e));
    },
    focus() {
        const e = document.activeElement;
        if (!e || e === document.body || e === document.documentElement) return null;
        const style = getComputedStyle(e), r = e.getBoundingClientRect();
        const x = Math.max(0, Math.min(innerWidth - 1, r.left + r.width / 2)), y = Math.max(0, Math.min(innerHeight - 1, r.top + r.height / 2));
        const top = document.elementsFromPoint(x, y).find(t => !t.closest('.canvas-twin') || e.closest('.canvas-twin'));
        return {
            id: this.id(e),
            ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
            seen: r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight,
            covered: !(top && (e.contains(top) || top.contains(e) || e.classList.contains('canvas-twin'))),
        };
    },
}`;

/** Once round: through the page, out of it, and in again. */
async function steps(page, key) {
    const found = [];
    let out = false;

    for (let i = 0; i < 300; i++) {
        await page.keyboard.press(key);
        const at = await page.evaluate('walk.focus()');
        if (out && at?.id === found[0]?.id)
            return found;
        if (at)
            found.push(at);
        else {
            out = true;
            await comeBack(page);
        }
    }
    throw new Error(`${key} never comes out of the page, or not in again: ${found.slice(-3).map(f => f.id)}`);
}

/** Tab comes to every control of every view, shows where it is, and goes on to the end; and back. */
export async function reachesAll(page, backwards) {
    const wrong = [];

    await page.evaluate(helpers);
    for (const [i, { title, name }] of views.entries()) {
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press(String((i + 1) % 10));
        await settled(page);
        truth(await page.locator(`#view-${name}`).isVisible(), `${(i + 1) % 10} does not choose ${title}`);
        const forth = await steps(page, 'Tab');
        const must = await page.evaluate('walk.controls()');
        for (const [way, found] of [['Tab', forth], ...backwards ? [['Shift+Tab', await steps(page, 'Shift+Tab')]] : []]) {
            const ids = new Set(found.map(f => f.id));
            wrong.push(...must.filter(id => !ids.has(id)).map(id => `${title}: ${way} does not come to ${id}`));
        }
        for (const at of forth)
            for (const [is, what] of [[at.ring, 'no ring'], [at.seen, 'out of sight'], [!at.covered, 'covered']])
                if (!is)
                    wrong.push(`${title}: ${at.id}: ${what}`);
        truth(must.length > 12, `${title}: only ${must.length} controls`);
    }
    equal(wrong, [], 'what Tab found');
}

// ---- the keys that are listed ----

const NAMES = { '↑': 'ArrowUp', '↓': 'ArrowDown', '←': 'ArrowLeft', '→': 'ArrowRight', PgUp: 'PageUp', PgDn: 'PageDown', Esc: 'Escape' };

/** "Shift ← →" as keys of playwright. */
function keysOf(words) {
    const [first, ...rest] = words.split(' '), control = { Shift: 'Shift+', Ctrl: 'Control+' }[first];

    return (control ? rest : [first, ...rest]).map(key => (control ?? '') + (control === 'Control+' ? key.toLowerCase() : NAMES[key] ?? key));
}

/** The list of `?`: its sections. */
async function listed(page) {
    await page.keyboard.press('?');
    const sections = await page.getByRole('dialog').locator('section').evaluateAll(all => all.map(s => ({
        title: s.querySelector('h3').innerText, keys: [...s.querySelectorAll('kbd')].map(k => k.innerText) })));
    await page.keyboard.press('Escape');
    return sections;
}

/** All that a key can change: what is drawn, said, selected, has the focus. */
function state(page) {
    return page.evaluate(() => JSON.stringify([location.hash, document.activeElement.id, document.activeElement.className,
        document.activeElement.getAttribute('aria-activedescendant'), document.querySelectorAll('dialog, [role=menu]').length,
        document.querySelector('main').innerText, document.querySelector('.under').innerText, document.querySelector('[aria-live]').innerText,
        [...document.querySelectorAll('main canvas')].map(c => c.checkVisibility() ? c.toDataURL() : ''),
        [...document.querySelectorAll('main svg.graph > g')].map(g => g.getAttribute('transform'))]));
}

/** The view of that number, with the words of its state, out of another one; the focus is in it. */
async function into(page, i, hash) {
    await page.evaluate(words => { location.hash = words; }, hash);
    await settled(page);
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(i ? '1' : '2');
    await settled(page);
    await page.keyboard.press(String((i + 1) % 10));
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await settled(page);
}

/** Those of KEYS that never did anything: a key may find nothing more to do, so each has three turns. */
async function idle(page, keys) {
    const did = new Set();

    for (let turn = 0; turn < 3 && did.size < keys.length; turn++)
        for (const key of keys) {
            const before = await state(page);
            await page.keyboard.press(key);
            await settled(page);
            if (await state(page) !== before)
                did.add(key);
        }
    return keys.filter(key => !did.has(key));
}

/* What is pressed before, so that there is something to do: by view and what is listed. */
const FIRST = {
    flame: { '← ↑ ↓ →': Array(6).fill('ArrowUp'), 'Shift ← ↑ ↓ →': ['+', '+'], Enter: ['ArrowUp'], Esc: ['ArrowUp', 'Enter'], Home: ['+'] },
    sandwich: { '← ↑ ↓ →': ['ArrowDown', 'ArrowDown', 'ArrowDown'], Space: ['ArrowDown', 'ArrowDown', 'ArrowDown'], Enter: ['ArrowDown'],
        Esc: ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'], Home: ['+'] },
    source: { t: ['Home'] }, asm: { t: ['End'] }, // the first instruction may be the hottest
    graph: { '← →': ['ArrowDown'], Esc: ['Enter'], v: ['v'], Home: ['+'] },
    treemap: { '← →': ['ArrowDown', 'ArrowDown'], Enter: ['ArrowDown', 'ArrowDown'], Home: ['ArrowDown'] },
};

/** Each key that is listed for a view of ONLY does something there. FUNC calls others. */
export async function keysWork(page, func, only = views) {
    const wrong = [];

    for (const [i, { title, name }] of views.entries()) {
        if (!only.some(v => v.name === name))
            continue;
        const hash = `#view=${name}&func=${func}&search=.`;
        await into(page, i, hash);
        const mine = (await listed(page)).find(s => s.title === `${title} view`);
        truth(mine || name === 'overview', `${title} lists no keys`);
        for (const words of mine?.keys ?? []) {
            await into(page, i, hash);
            for (const key of FIRST[name]?.[words] ?? [])
                await page.keyboard.press(key);
            await settled(page);
            wrong.push(...(await idle(page, keysOf(words))).map(key => `${title}: ${key} of "${words}" does nothing`));
        }
    }
    equal(wrong, [], 'keys of views');
}

/** Those that are listed for the page and for the selected function. */
export async function pageKeysWork(page, func) {
    const wrong = [];

    await into(page, 2, `#view=table&func=${func}`);
    const sections = await listed(page);
    for (const title of ['The selected function', 'The page', 'Views']) {
        const keys = sections.find(s => s.title === title)?.keys ?? [];
        truth(keys.length > 5, `${title}: ${keys}`);
        for (const words of keys) {
            await into(page, 2, `#view=table&func=${func}`);
            // What can be undone, and redone; what Esc comes back from.
            for (const before of { z: ['f'], Z: ['f', 'z'], Esc: ['/'], 3: ['2'] }[words] ?? [])
                await page.keyboard.press(before);
            await settled(page);
            for (const key of keysOf(words)) {
                const before = await state(page);
                await page.keyboard.press(key);
                await settled(page);
                if (await state(page) === before)
                    wrong.push(`${title}: ${key} does nothing`);
            }
        }
    }
    equal(wrong, [], 'keys of the page');
}

/** By the keys of each view another function is selected, in the URL and beside the view. */
export async function selects(page, func) {
    const ways = { flame: ['ArrowUp', 'Space'], table: ['ArrowDown'], tree: ['ArrowDown'], sandwich: ['ArrowDown', 'ArrowDown', 'Space'],
        graph: ['ArrowDown', 'Space'], treemap: ['ArrowDown', 'ArrowDown', 'Enter'] };

    for (const [i, { title, name }] of views.entries()) {
        if (!ways[name])
            continue;
        await into(page, i, `#view=${name}&func=${func}`);
        const before = page.url(), head = await page.locator('#inspector h2').innerText();
        for (let turn = 0; turn < 4 && page.url() === before; turn++)
            for (const key of ways[name]) {
                await page.keyboard.press(key);
                await settled(page);
            }
        truth(/[#&]func=/.test(page.url()) && page.url() !== before, `${title}: ${ways[name]} selected nothing: ${page.url()}`);
        truth(await page.locator('#inspector h2').innerText() !== head, `${title}: ${head} still stands beside it`);
    }
}

/** What is made anew keeps the focus: a slider that was moved, a head that sorts, a filter that goes. */
export async function keepsFocus(page, func) {
    const label = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.closest('label')?.innerText ?? document.activeElement.innerText);
    const after = async (where, key, is) => {
        await where.focus();
        await page.keyboard.press(key);
        await settled(page);
        truth((await label()).includes(is), `after ${key} on ${is} the focus is on ${await label()}`);
    };

    await into(page, 7, `#view=graph&func=${func}`);
    await after(page.getByRole('slider').first(), 'ArrowRight', 'at least');
    await after(page.getByRole('button', { name: 'Tables' }), 'Enter', 'Tables');
    await page.keyboard.press('Enter');
    await into(page, 2, `#view=table&func=${func}`);
    await after(page.locator('#view-table').getByRole('columnheader').getByRole('button').nth(1), 'Enter', 'incl');
    await page.locator('#inspector').getByRole('button', { name: 'Focus' }).focus();
    await page.keyboard.press('Enter');
    await settled(page);
    truth((await label()).includes('Focus'), `after a filter the focus is on ${await label()}`);
    await after(page.getByRole('button', { name: /^Remove focus/ }), 'Enter', 'Undo');
}
