// SPDX-License-Identifier: Apache-2.0
/* How the page fits: into small windows, under fingers, on paper. */
import zlib from 'node:zlib';
import { along, equal, fingersGo, open, picture, truth } from './harness.mjs';
import { settled, tab, views } from './look.mjs';

/* In the page: what is too wide, cut off, or covered by something else, in the view that is shown. */
export const misplaced = () => {
    const wrong = [], wide = document.documentElement.scrollWidth - innerWidth;
    const shown = [...document.body.querySelectorAll('*')].filter(e => e.checkVisibility({ visibilityProperty: true }));
    const say = e => `${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''} ${(e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 40)}`;
    const scrolls = e => e.closest('.rows, .code-grid, .graph-stage, .flame-canvas, .flame-crumbs, .canvas-twin, .unseen, .skip, svg');

    if (wide > 0)
        wrong.push(`the page is ${wide} pixels too wide`);
    for (const e of shown.filter(x => x.matches('button, input, select, a, summary, h1, h2, h3, p, dt, dd, li') && !scrolls(x))) {
        const r = e.getBoundingClientRect();
        if (r.width && (r.left < -1 || r.right > innerWidth + 1))
            wrong.push(`${say(e)}: from ${Math.round(r.left)} to ${Math.round(r.right)}`);
    }
    /* What can be seen of it: what is around it may cut it off, and scroll. */
    const clipped = e => {
        const { left, top, right, bottom } = e.getBoundingClientRect(), box = { left, top, right, bottom };
        for (let up = e.parentElement; up; up = up.parentElement) {
            const r = up.getBoundingClientRect();
            if (getComputedStyle(up).overflowY === 'visible')
                continue;
            box.left = Math.max(box.left, r.left), box.right = Math.min(box.right, r.right);
            box.top = Math.max(box.top, r.top), box.bottom = Math.min(box.bottom, r.bottom);
        }
        return box;
    };
    const controls = shown.filter(e => e.matches('button, input, select, a, summary') && !scrolls(e));
    const boxes = controls.map(clipped);
    controls.forEach((a, i) => controls.forEach((b, j) => {
        const [p, q] = [boxes[i], boxes[j]];
        if (j > i && !a.contains(b) && !b.contains(a) && !a.closest('.status') && !b.closest('.status')
            && Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1)
            wrong.push(`${say(a)} and ${say(b)} overlap`);
    }));
    return wrong;
};

/** Numbers that names stand on, as they stay where rows scroll. */
const coveredFigures = () => [...document.querySelectorAll('main .rows[role=grid] .row')].filter(row => row.checkVisibility()).flatMap(row =>
    [...row.querySelectorAll('.value, .part')].filter(e => e.getBoundingClientRect().right > row.querySelector('.name').getBoundingClientRect().left + 1)
        .map(e => `${row.innerText.trim().slice(0, 60)}: ${e.textContent} is covered`));

/** Cells of numbers that do not show all that stands in them. */
const cutFigures = () => [...document.querySelectorAll('main .number .value, main .code-cell.self, main .code-cell.incl, #inspector td span')]
    .filter(e => e.checkVisibility() && e.textContent && (e.closest('.number, .code-cell') ?? e).scrollWidth > (e.closest('.number, .code-cell') ?? e).clientWidth + 1
        && getComputedStyle(e).display !== 'inline')
    .map(e => `${e.className}: ${e.textContent} is cut`);

/** 200 % of 1280 by 800, and 320 pixels: all is there, one below the other (WCAG 1.4.10). */
export async function reflows(file, func) {
    const wrong = [];

    for (const [width, height] of [[640, 400], [320, 640], [320, 256]]) {
        const page = await open(file, { width, height, hash: `#view=table&func=${func}&focus=.` });
        await settled(page);
        for (const { title, name } of views) {
            await tab(page, title);
            const found = [...await page.evaluate(misplaced), ...await page.evaluate(cutFigures), ...await page.evaluate(coveredFigures)];
            wrong.push(...found.map(words => `${title}, ${width} by ${height}: ${words}`));
            const { height: high } = await page.locator(`#view-${name}`).boundingBox();
            if (high < 200 && !await page.locator(`#view-${name} .refused`).count())
                wrong.push(`${title}, ${width} by ${height}: the view is only ${high} pixels high`);
            await picture(page, `reflow-${width}x${height}-${name}`);
        }
        await page.context().close();
    }
    equal(wrong, [], 'what does not fit');
}

/* In the overview: figures and short words that stand in two lines. Names of functions may. */
const torn = () => {
    const wrong = [], lines = range => new Set([...range.getClientRects()].filter(r => r.width).map(r => Math.round(r.top))).size;
    const cells = [...document.querySelectorAll('#view-overview :is(th, td, dt, dd, h2, h3, p, summary, .cost, .total)')];
    for (const cell of cells.filter(e => e.checkVisibility())) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode())
            for (const { 0: word, index } of text.data.matchAll(/[\d.,]*\d( %)?|[\p{L}_]{1,24}/gu)) {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                if (lines(range) > 1)
                    wrong.push(`${cell.tagName}: ${word} is torn: ${cell.textContent.slice(0, 60)}`);
            }
    }
    return wrong;
};

/** From small to very wide windows no figure and no word of the overview is torn, and what is hot stands first. */
export async function overviewFits(files) {
    const wrong = [];

    for (const [name, file] of Object.entries(files))
        for (const width of [390, 1024, 1280, 1440, 1600, 1920, 2560]) {
            const page = await open(file, { width, height: 768, hash: '#view=overview' });
            await settled(page);
            await page.locator('#view-overview summary').evaluateAll(all => all.forEach(s => { s.parentElement.open = true; }));
            truth(await page.locator('#view-overview dd').count() > 3, 'the file says nothing of itself');
            const heads = await page.locator('#view-overview h2').allInnerTexts();
            const found = [...await page.evaluate(torn), ...await page.evaluate(misplaced)];
            if (heads.findIndex(h => h.startsWith('Hottest')) > heads.indexOf('Is it sound?') || !heads.at(-1).endsWith('profile'))
                found.push(`in this order: ${heads}`);
            wrong.push(...found.map(words => `${name}, ${width} wide: ${words}`));
            await picture(page, `overview-${name}-${width}`);
            await page.context().close();
        }
    equal(wrong, [], 'what does not fit');
}

// ---- fingers ----

async function touch(page, ...steps) {
    await fingersGo(page, steps);
    await settled(page);
}

/** The graph's place and size. */
async function scene(page) {
    const [x, y, scale] = (await page.locator('svg.graph > g').getAttribute('transform')).match(/-?[\d.]+/g).map(Number);
    return { x, y, scale };
}

const drawn = page => page.locator('#view-flame canvas').first().evaluate(c => c.toDataURL());

/** One finger moves flame and graph, two make them larger, a tap selects, a long press opens the menu. */
export async function fingers(file, func) {
    const page = await open(file, { width: 800, height: 900, hash: '#view=graph', hasTouch: true, isMobile: true });
    await settled(page);
    const box = await page.locator('svg.graph').boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;

    const first = await scene(page);
    await touch(page, ...along([x, y], [x + 80, y + 40]).map(p => [p]));
    const moved = await scene(page);
    truth(moved.x - first.x > 60 && moved.y - first.y > 30, `one finger moved the graph from ${JSON.stringify(first)} to ${JSON.stringify(moved)}`);
    await touch(page, ...along([x - 30, y], [x - 90, y]).map((p, i) => [p, along([x + 30, y], [x + 90, y])[i]]));
    const larger = await scene(page);
    truth(larger.scale > 2 * moved.scale, `two fingers made ${moved.scale} ${larger.scale}`);
    await page.getByRole('button', { name: 'Fit' }).click();
    const node = await page.locator('.node', { hasText: func }).first().boundingBox();
    await page.touchscreen.tap(node.x + node.width / 2, node.y + node.height / 2);
    await settled(page);
    truth(page.url().includes(`func=${func}`), `a tap on ${func} selected ${page.url()}`);

    await tab(page, 'Flame');
    const flame = await page.locator('#view-flame .flame-canvas').boundingBox(), fx = flame.x + flame.width / 2, fy = flame.y + flame.height - 12;
    const whole = await drawn(page);
    await touch(page, ...along([fx - 30, fy], [fx - 120, fy]).map((p, i) => [p, along([fx + 30, fy], [fx + 120, fy])[i]]));
    const zoomed = await drawn(page);
    truth(zoomed !== whole, 'two fingers changed nothing of the flame');
    await touch(page, ...along([fx, fy], [fx + 150, fy]).map(p => [p]));
    truth(await drawn(page) !== zoomed, 'one finger changed nothing of the flame');
    await page.getByRole('button', { name: '‹ all' }).tap();
    await settled(page);
    await page.touchscreen.tap(fx, fy - 18); // what calls it
    await settled(page);
    truth(await page.locator('#inspector h2').innerText() !== func, 'a tap on the flame selected nothing');

    await tab(page, 'Table');
    const row = await page.locator('#view-table .body [role=row]').nth(2).boundingBox();
    await fingersGo(page, [[[row.x + 200, row.y + 8]]], () => page.getByRole('menu').waitFor());
    const name = await page.locator('#view-table .body [role=row] .name bdi:not(.place)').nth(2).innerText();
    truth((await page.getByRole('menu').innerText()).includes(name), `the menu is not of ${name}`);
    equal(await page.getByRole('menu').count(), 1, 'menus after the finger went up');
    await page.context().close();
}

// ---- paper ----

/** Pages of a PDF; its objects may be in streams that are deflated. */
function pagesOf(pdf) {
    const text = pdf.toString('latin1'), streams = [...text.matchAll(/\bstream\r?\n/g)].map(({ 0: word, index }) => {
        try {
            return zlib.inflateSync(pdf.subarray(index + word.length), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString('latin1');
        } catch {
            return ''; // a picture's, perhaps
        }
    });
    return [text, ...streams].flatMap(words => words.match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;
}

/** What is to be seen when the page is printed. */
const onPaper = () => {
    const shown = e => e.checkVisibility({ visibilityProperty: true });
    const all = s => [...document.querySelectorAll(s)].filter(shown);
    return {
        background: getComputedStyle(document.body).backgroundColor,
        title: all('h1').map(e => e.textContent).join(), view: all('[role=tab]').map(e => e.textContent).join(),
        status: all('.status strong').map(e => e.textContent).join(), trust: all('.status li').length,
        tools: all('.toolbar button, .adder, .view-bar, .graph-bar, .code-tools, #inspector, .search').length,
        rows: all('main .body > .row, main .code-body .code-row, main .card, main svg.graph .node, main canvas').length,
        wide: Math.max(0, ...all('main .row, main .code-cell, main canvas, main svg, main .card').map(e => Math.round(e.getBoundingClientRect().right))) - innerWidth,
        said: all('.unprinted, .code-unprinted').map(e => e.textContent).join(),
        pixel: (c => c && [...c.getContext('2d').getImageData(1, 1, 1, 1).data].slice(0, 3).join())(all('.flame-canvas canvas')[0]),
    };
};

/** A sheet that lies: the flame is as wide as that, and what its colours mean is on it, too. */
async function lies(page) {
    const wrong = [], paper = { width: 1047, height: 718 };
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.setViewportSize(paper);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const { flame, legend } = await page.evaluate(() => {
        const box = e => e.getBoundingClientRect(), shown = [...document.querySelectorAll('#view-flame canvas')].filter(e => e.checkVisibility());
        const { width, height } = shown[0], { width: across, height: down } = box(shown[0]);
        return { flame: { n: shown.length, width: Math.min(across, down * width / height) }, legend: box(document.querySelector('#view-flame .flame-legend')).bottom };
    });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.setViewportSize({ width: 1280, height: 500 });
    await settled(page);
    if (flame.n !== 1 || flame.width < paper.width * .95)
        wrong.push(`Flame: ${flame.n} pictures, ${flame.width} wide on a sheet of ${paper.width}`);
    if (legend > paper.height / 2)
        wrong.push(`Flame: its legend ends at ${legend}`);
    return wrong;
}

/** Each view of a page that is dark on the screen: white, complete, without what cannot be pressed. */
export async function prints(file, func) {
    const page = await open(file, { width: 1280, height: 500, hash: `#view=table&func=${func}`, colorScheme: 'dark' });
    const wrong = [];

    await settled(page);
    for (const { title, name } of views) {
        await tab(page, title);
        const rows = await page.locator(`#view-${name} [aria-rowcount]`).evaluateAll(all => Number(all[0]?.getAttribute('aria-rowcount') ?? 0));
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        await page.setViewportSize({ width: 720, height: 1000 }); // paper has its own
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        const is = await page.evaluate(onPaper);
        await picture(page, `print-${name}`);
        await page.evaluate(() => dispatchEvent(new Event('afterprint')));
        await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
        await page.setViewportSize({ width: 1280, height: 500 });
        await settled(page);
        for (const [bad, what] of [[is.background !== 'rgb(255, 255, 255)', `on ${is.background}`], [!is.title, 'no title'], [is.view !== title, `called ${is.view}`],
            [!is.status || !is.trust, 'no total or trust'], [is.tools, `${is.tools} tools`], [!is.rows, 'nothing in it'], [is.wide > 0, `${is.wide} pixels too wide`],
            [is.pixel && is.pixel !== '255,255,255', `the picture is on ${is.pixel}`],
            [['table', 'tree', 'threads'].includes(name) && is.rows < Math.min(rows - 4, 90), `${is.rows} of ${rows} rows, ${is.said}`]])
            if (bad)
                wrong.push(`${title}: ${what}`);
        if (name === 'flame')
            wrong.push(...await lies(page));
        const pages = pagesOf(await page.pdf({ format: 'A4' }));
        if (pages < 1 || pages > 6)
            wrong.push(`${title}: ${pages} pages`);
    }
    equal(wrong, [], 'on paper');
    await page.context().close();
}

/** Names of thousands of characters: short where they stand, whole where they are asked for. */
export async function longNames(file, names) {
    const page = await open(file, { width: 1280, height: 800, hash: `#view=table&func=${encodeURIComponent(names[2])}` });

    await settled(page);
    for (const { title, name } of views) {
        await tab(page, title);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        truth(wide <= 0, `${title}: ${wide} pixels too wide`);
        const scrolls = await page.locator(`#view-${name} :is(.code-grid, .rows, .sandwich-table)`).evaluateAll(all =>
            all.map(e => e.scrollWidth / Math.max(1, e.clientWidth)));
        truth(scrolls.every(times => times < 2), `${title}: ${scrolls} times as wide as it is`);
    }
    const whole = async where => truth(await where.getAttribute('title').then(t => t.includes(names[3].slice(0, 300))), 'no name in full');
    await tab(page, 'Source');
    await whole(page.locator('#view-source .code-link', { hasText: '→' }).first());
    await tab(page, 'Sandwich');
    await whole(page.locator('#view-sandwich .sandwich-table button').last());
    truth((await page.locator('#inspector dd').first().innerText()).replace(/\s/g, '') === names[2].replace(/\s/g, ''), 'the name in full beside the views');
    await page.context().close();
}
