// SPDX-License-Identifier: Apache-2.0
/* What a look must find: figures at the pointer, names in their boxes, noise in grey, and a way on where nothing is. */
import fs from 'node:fs';
import path from 'node:path';
import { assayJson, equal, inBrowser, open, scratch, share, test, truth } from './harness.mjs';
import { settled } from './look.mjs';

function put(name, text) {
    const file = path.join(scratch, name);
    fs.writeFileSync(file, text);
    return file;
}

async function on(file, hash, work, how = {}) {
    const page = await open(file, { hash, ...how });
    await settled(page);
    await work(page);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

/** Names without a border to be cut at, of all lengths about what a box takes. */
async function namesInBoxes() {
    const names = [30, 34, 35, 42, 44, 46, 50, 5000].map(n => `f${String(n).padStart(4, '0')}${'x'.repeat(n - 5)}`);
    const file = put('long.folded', names.map((name, i) => `main;${name} ${100 + i}\n`).join(''));
    await on(share('long', file), '#view=graph', async page => {
        const wrong = await page.locator('svg.graph .node').evaluateAll(all => all.flatMap(node => {
            const [box] = node.querySelectorAll('rect.box'), outer = box.getBBox();
            return [...node.querySelectorAll('text')].filter(t => t.getBBox().width > outer.width || t.textContent.length > 40)
                .map(t => `${t.textContent.slice(0, 60)} is ${t.getBBox().width} wide, its box ${outer.width}`);
        }));
        equal(wrong, [], 'names that run over');
        equal(await page.locator('svg.graph .node').count(), names.length + 1, 'functions');
    });
}

/* By hand: only `appears` is new, `router` costs nothing by itself on either side. Two folded files are exact. */
const NOW = 'main;router;work 1000\nmain;router;appears 300\n', BASE = 'main;router;work 900\n';

async function graphCompares() {
    await on(share('graph-diff', put('now.folded', NOW), '--base', put('base.folded', BASE)), '#view=graph', async page => {
        const nodes = await page.locator('svg.graph .node').evaluateAll(all => all.map(n => [...n.querySelectorAll('text')].map(t => t.textContent)));
        const words = new Map(nodes.map(([name, cost]) => [name, cost]));
        equal([...words].filter(([, w]) => w.includes('new')).map(([name]) => name), ['appears'], 'what is new');
        const router = page.locator('svg.graph .node', { hasText: 'router' }).first();
        truth((await router.getAttribute('class')).includes('h0'), 'what does not change has a colour');
    });
}

/** One percent of difference between samples by chance is as grey as the table has it. */
async function noiseIsGrey() {
    const runs = (a, b) => `main;a ${a}\nmain;b ${b}\nmain;c 40\n`;
    const file = share('noise', put('n1.folded', runs(1010, 500)), '--base', put('n0.folded', runs(1000, 505)));
    let grey = [];
    await on(file, '#view=table', async page => {
        grey = await page.locator('#view-table .body [role=row]').evaluateAll(rows => rows.filter(row => /same|≈/.test(row.innerText))
            .map(row => row.querySelector('.name').innerText.trim().split(/\s/)[0]));
    });
    await on(file, '#view=graph', async page => {
        for (const name of grey) {
            const node = page.locator('svg.graph .node').filter({ has: page.locator('text', { hasText: new RegExp(`^${name}$`) }) });
            if (await node.count())
                truth((await node.first().getAttribute('class')).includes('h0'), `${name} has a colour in the graph`);
        }
    });
}

/** Beside the pointer, figures first, however long the name, and never out of the window. */
async function figuresAtThePointer() {
    const name = `ns::${'Long<T>::'.repeat(90)}f(int)`, file = put('tip.folded', `main;${name} 1288\nmain;g 100\n`);
    await on(share('tip', file), '#view=flame', async page => {
        const box = await page.locator('#view-flame .flame-canvas').boundingBox(), y = box.y + box.height - 9;
        for (const x of [box.x + 30, box.x + box.width / 2, box.x + box.width - 200]) {
            await page.mouse.move(x, y - 36); // above main and all
            await settled(page);
            const tip = page.locator('#view-flame .tip'), at = await tip.boundingBox();
            const [first] = (await tip.innerText()).split('\n');
            truth(/^1,288\D|^100\D/.test(first.replace(/^~/, '')) && first.includes('%'), `the first line is ${first}`);
            truth(Math.abs(at.x - x) < 40 || at.x + at.width > 1400 - 40, `it stands at ${at.x}, the pointer at ${x}`);
            truth(at.x >= 0 && at.y >= 0 && at.x + at.width <= 1400 && at.y + at.height <= 850, `out of sight: ${JSON.stringify(at)}`);
            truth(/^(1,288|100)\D/.test((await page.locator('.under').innerText()).replace(/^~/, '')), 'the last line begins with the name');
        }
        await page.mouse.move(5, 5);
        await settled(page);
        equal(await page.locator('#view-flame .tip').isVisible(), false, 'it stays when the pointer has gone');
    });
}

/** The same in the tree map and the graph, and in the last line. By hand: 3 in 4 of 3795 in hot(). */
async function figuresEverywhere() {
    const file = share('tips', put('tips.folded', 'main;hot 2847\nmain;cold 948\n'));
    for (const [view, name, lines, x] of [['treemap', 'hot', ['2,847 samples, 75.0 %', 'hot'], 200],
        ['graph', 'cold', ['self 948 samples, 25.0 % · inclusive 948 samples, 25.0 %', 'cold'], null]])
        await on(file, `#view=${view}`, async page => {
            const panel = page.locator(`#view-${view}`), tip = panel.locator('.tip');
            const box = await (x === null ? panel.locator('.node', { hasText: name }) : panel.locator('.treemap-canvas')).boundingBox();
            await page.mouse.move(x === null ? box.x + box.width / 2 : box.x + x, box.y + box.height / 2);
            await settled(page);
            equal((await tip.innerText()).replaceAll('\u00a0', ' ').split('\n'), lines, `the figures in ${view}`);
            equal((await page.locator('.under').innerText()).replaceAll('\u00a0', ' '), lines.join(' · '), `the last line of ${view}`);
            await page.mouse.move(5, 5);
            await settled(page);
            equal(await tip.isVisible(), false, 'it stays when the pointer has gone');
            equal(await page.locator('footer.status strong').innerText(), '3,795 samples', 'the total');
        });
}

/** Callers and callees in the same colours, whatever the flame has, and what they mean. */
async function sandwichLegend() {
    const file = share('legend', put('legend.folded', 'main;a;b;a 30\nmain;b;a 20\n'));
    for (const [word, first] of [['object', 'a colour for each function'], ['function', 'a colour for each function'], ['self', 'little self cost']])
        await on(file, `#view=sandwich&func=a&colour=${word}`, async page => {
            equal(await page.locator('#view-sandwich .flame-legend').count(), 1, 'legends');
            equal((await page.locator('#view-sandwich .flame-legend li').allInnerTexts())[0], first, `the legend of ${word}`);
            // The lowest box above and the highest below are a itself.
            const colours = await page.locator('#view-sandwich .flame-canvas canvas:first-child').evaluateAll(([above, below]) => {
                const pixel = (c, y) => [...c.getContext('2d').getImageData(c.width - 4, y, 1, 1).data].join();
                return [pixel(above, above.height - 6), pixel(below, 6)];
            });
            equal(colours[0], colours[1], `colours of a, by ${word}`);
        });
}

/** A flame that is higher than its window says at its far end that there is more, until that is in sight. */
async function higher() {
    const file = share('deep', put('deep.folded', `${Array.from({ length: 90 }, (_, i) => `level${i}`).join(';')} 10\n`));
    for (const [hash, y] of [['', 5], ['&icicle=1', -5]])
        await on(file, `#view=flame${hash}`, async page => {
            const flame = page.locator('#view-flame .flame-canvas'), drawn = () => flame.locator('.flame-over').evaluate((canvas, at) => {
                const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
                copy.drawImage(canvas, 0, 0);
                return copy.getImageData(canvas.width - 20, at < 0 ? canvas.height + at : at, 1, 1).data[3];
            }, y);
            equal(await drawn(), 255, `${hash}: what says that there is more`);
            await flame.evaluate((e, up) => { e.scrollTop = up ? 0 : e.scrollHeight; }, y > 0);
            await settled(page);
            equal(await drawn(), 0, `${hash}: the same where all is in sight`);
        });
}

/** The view has all the width where it is to be alone, also when the page comes again, and gives it back. */
async function alone() {
    await on(share('alone', put('alone.folded', 'main;a 30\nmain;b 20\n')), '#view=flame&func=a', async page => {
        const width = () => page.locator('#view-flame .flame-canvas').evaluate(e => e.clientWidth), before = await width();
        const button = page.getByRole('button', { name: /beside the view, or not/ });
        await button.click();
        await settled(page);
        truth(await width() > 1390, `alone it is ${await width()} wide, before ${before}`);
        equal(await page.locator('#inspector').isVisible(), false, 'it still stands there');
        await page.reload();
        await settled(page);
        truth(await width() > 1390, `after a reload it is ${await width()} wide`);
        await page.locator('#main').focus();
        await page.keyboard.press('B');
        await settled(page);
        equal([await width(), await page.locator('#inspector h2').innerText()], [before, 'a'], 'after B');
    });
}

/** What is chosen is not yet to be seen: the picture is dimmed as long as that is so, and says nothing else. */
async function dimmed() {
    await on(share('dimmed', put('dimmed.folded', 'main;a 30\nmain;b 20\n')), '#view=table', async page => {
        await page.evaluate(() => {
            window.dims = [];
            new MutationObserver(() => window.dims.push('stale' in document.documentElement.dataset
                ? document.querySelector('#view-table .body [role=row]').innerText : 'done')).observe(document.documentElement, { attributeFilter: ['data-stale'] });
        });
        await page.locator('#filter').fill('^b$');
        await page.locator('#filter').press('Enter');
        await settled(page);
        const [stale, done] = await page.evaluate(() => window.dims);
        truth(stale?.includes('a') && done === 'done', `dimmed: ${stale}; then ${done}`);
        equal(await page.evaluate(() => 'stale' in document.documentElement.dataset), false, 'it stays dimmed');
    });
}

/** Lines without their text say so. */
async function textThatIsNotThere() {
    const file = put('inlined.cg', 'events: Ir\nfl=a.c\nfn=f\n1 5\nfi=nowhere/b.h\n7 3\nfe=a.c\n2 1\n');
    await on(share('no-text', file), '#view=source&func=f', async page => {
        const rows = await page.locator('#view-source .code-row').allInnerTexts();
        for (const line of ['7', '1'])
            truth(rows.some(row => row.split(/\s+/).includes(line)), `no line ${line}: ${rows.join(' | ')}`);
        truth((await page.locator('#view-source').innerText()).includes('not in this page'), `nothing is said: ${rows.join(' | ')}`);
    });
}

/** A link says a function's bare name. */
async function bareNames() {
    const file = share('bare', put('bare.folded', 'main;evalloop(std::map<int, double>&, int);Parser::term() 7\nmain;evalloop(char) 3\n'));
    await on(file, '#view=sandwich&func=evalloop', async page => {
        equal(await page.locator('#inspector h2').innerText(), 'evalloop(…)', 'the selected function');
        truth(page.url().includes('map'), `the hottest of that name: ${page.url()}`);
    });
    await on(file, '#view=table&func=evalloo', async page => {
        truth((await page.locator('.under').innerText()).includes('like it: evalloop'), `it says ${await page.locator('.under').innerText()}`);
    });
    // What a compiler put behind a name.
    await on(share('clone', put('clone.folded', 'main;sort_it.part.0 7\nmain;sort_it.part.0;sort_it_all 3\n')), '#view=sandwich&func=sort_it', async page =>
        equal(await page.locator('#inspector h2').innerText(), 'sort_it.part.0', 'the clone of that name'));
}

/** By hand: 30 of 130 in malloc() and free(). */
async function allocators() {
    await on(share('memory', put('memory.folded', 'main;work 100\nmain;malloc 20\nmain;free 10\n')), '#view=overview', async page => {
        truth((await page.locator('#view-overview').innerText()).includes('Getting and giving back memory costs 23.1 % by itself'), 'the advice');
        await page.getByText('Show these functions').click();
        await settled(page);
        equal((await page.locator('#view-table .body [role=row] .name bdi').allInnerTexts()).sort(), ['free', 'malloc'], 'rows of the link');
    });
}

/** Files that are dropped: what the page cannot do is said, with what can. */
async function dropped() {
    const page = await open(process.env.PAGE);
    const drop = (...files) => page.evaluate(all => {
        const data = new DataTransfer();
        for (const [name, text] of all)
            data.items.add(new File([text], name));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, files);

    await drop(['a.1', 'events: Ir\nfn=f\n1 2\n'], ['a.2', 'events: Ir\nfn=f\n1 2\n']);
    await page.getByText('added up by').waitFor();
    await drop(['perf.data', `PERFILE2${'\0'.repeat(200)}`]);
    await page.getByText('makes a page of it').waitFor();
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

/** Without cycles the figures are those of the program's --cycles no; what is chosen stands in the link, and goes. */
const sumsOfCalls = file => async page => {
    const box = page.getByRole('checkbox', { name: 'cycles' });
    await box.waitFor();
    await box.uncheck();
    await settled(page);
    truth(page.url().includes('cycles=no'), `${page.url()} does not say it`);
    const rows = await page.locator('#view-table .body [role=row]').evaluateAll(all => all.map(row => row.innerText.replace(/\s+/g, ' ')));
    for (const { function: name, inclusive: [sum] } of assayJson('top', file, '-n', '0', '--cycles', 'no').rows)
        truth(rows.some(row => row.includes(sum.toLocaleString('en')) && row.endsWith(` ${name}x.c`)), `${name}, ${sum}: ${rows.join(' | ')}`);
    truth(!rows.join().includes('≤') && !(await page.locator('#view-table .foot').innerText()).includes('[cycle'), 'the circle is still there');
    await page.goBack();
    await settled(page);
    truth(await box.isChecked(), 'Back is no way back');
};

/* By hand: b costs 10 by itself and hands 900 and 50 on, a is entered with 1000, which is all of the circle. */
async function members() {
    const file = put('circle.cg', 'events: Ir\nfl=x.c\nfn=main\n1 1\ncfn=a\ncalls=1 2\n1 1000\nfn=a\n2 90\ncfn=b\ncalls=1 3\n2 910\n'
        + 'fn=b\n3 10\ncfn=a\ncalls=1 2\n3 50\ncfn=leaf\ncalls=1 4\n3 900\nfn=leaf\n4 900\n');
    const made = share('circle', file);
    await on(made, '#view=table&order=inclusive', async page => {
        const rows = await page.locator('#view-table .body [role=row]').evaluateAll(all => all.map(row => row.innerText.replace(/\s+/g, ' ')));
        for (const [name, most] of [['a', '≤ 1,000'], ['b', '≤ 960'], ['leaf', ' 900']])
            truth(rows.some(row => row.includes(most) && row.endsWith(` ${name}x.c`)), `${name}: ${rows.join(' | ')}`);
        const foot = (await page.locator('#view-table .foot').innerText()).replace(/\s+/g, ' ');
        truth(/1,000.*\[cycle 1: 2 functions\]/.test(foot), `the row of the circle: ${foot}`);
    });
    await on(made, '#view=table&order=inclusive', sumsOfCalls(file));
}

await inBrowser(async () => {
    await test('names stay in the boxes of the graph', namesInBoxes);
    await test('the graph compares: new is what was not there', graphCompares);
    await test('the graph compares: noise is grey', noiseIsGrey);
    await test('figures stand at the pointer', figuresAtThePointer);
    await test('figures stand at the pointer in the tree map and the graph', figuresEverywhere);
    await test('the sandwich has a legend', sandwichLegend);
    await test('a flame says that there is more of it', higher);
    await test('the view alone', alone);
    await test('what is worked out is dimmed', dimmed);
    await test('source that is not there is said', textThatIsNotThere);
    await test('a function is found by its bare name', bareNames);
    await test('what memory costs is told', allocators);
    await test('what cannot be shown has a way on', dropped);
    await test('members of a cycle show what may pass through them', members);
});
