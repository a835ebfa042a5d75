// SPDX-License-Identifier: Apache-2.0
/*
 * The page for everybody: by keyboard alone, in small windows, by fingers, on paper. What axe-core
 * says of the page of Callgrind's profile in light and dark colours is in page_test.mjs.
 */
import path from 'node:path';
import { accessible, FORCED, LIGHT } from './axe.mjs';
import { equal, inBrowser, open, share, test } from './harness.mjs';
import { keepsFocus, keysWork, pageKeysWork, reachesAll, selects } from './keyboard.mjs';
import { fingers, longNames, overviewFits, prints, reflows } from './layout.mjs';
import { settled, views } from './look.mjs';
import { compared, subjects, writeTemplates, writeThreads } from './subjects.mjs';

/** WORK on a page of FILE that is fresh, and has nothing to complain of. */
async function on(file, hash, work) {
    const page = await open(file, { hash, width: 1280, height: 800 });
    await settled(page);
    await work(page);
    equal(page.trouble, [], 'requests, errors and lines of the console');
    await page.context().close();
}

await inBrowser(async () => {
    // The project's own profile of each mother tongue.
    const [callgrind, gperftools, dcpi] = subjects.slice(0, 3).map(s => share(s.name, ...s.words, ...s.code, ...s.files));
    const at = func => `#view=table&func=${func}`, named = names => views.filter(view => names.includes(view.name));
    const base = share('with_a_base', compared[0], '--base', compared[1]), templates = writeTemplates();

    for (const [name, made, how] of [['callgrind', callgrind, FORCED], ['gperftools', gperftools, LIGHT], ['dcpi', dcpi, LIGHT]])
        await test(`${name}: axe-core finds nothing in ${how.colorScheme ?? 'forced'} colours`, () => accessible(made, how));
    await test('callgrind: Tab comes to all controls of all views, and back', () => on(callgrind, at('mix'), p => reachesAll(p, true)));
    for (const [name, made] of [['gperftools', gperftools], ['dcpi', dcpi], ['a comparison', base]])
        await test(`${name}: Tab comes to all controls of all views`, () => on(made, at('main'), p => reachesAll(p, false)));
    await test('keys select in all views', () => on(callgrind, at('main'), p => selects(p, 'main')));
    await test('the focus stays where something is made anew', () => on(callgrind, at('main'), p => keepsFocus(p, 'main')));
    await test('keys that are listed for the page work', () => on(callgrind, at('main'), p => pageKeysWork(p, 'main')));
    await test('keys that are listed for views work', async () => {
        await on(gperftools, at('main'), p => keysWork(p, 'main', views.filter(v => !['source', 'asm', 'threads'].includes(v.name))));
        await on(gperftools, at('mix'), p => keysWork(p, 'mix', named(['source', 'asm'])));
        await on(share('threads', ...writeThreads()), '#view=threads', p => keysWork(p, 'main', named(['threads'])));
    });
    for (const [name, made] of [['callgrind', callgrind], ['gperftools', gperftools], ['dcpi', dcpi], ['a comparison', base]])
        await test(`${name}: at 200 %, and 320 pixels wide, all is there`, () => reflows(made, 'mix'));
    // What assay recorded has most to say of itself.
    const recorded = share('recorded', path.join(process.env.FIXTURES, '../../src/formats/gperf/golden/recorded.prof'), '--symbols', 'none');
    await test('the overview fits', () => overviewFits({ callgrind, recorded, base }));
    await test('fingers', () => fingers(gperftools, 'mix'));
    await test('on paper', () => prints(callgrind, 'mix'));
    await test('names of C++ with templates', () => longNames(share('templates', templates.file, '--symbols', 'none'), templates.names));
});
