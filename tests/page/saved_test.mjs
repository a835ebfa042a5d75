// SPDX-License-Identifier: Apache-2.0
/* "Save the profile": a file that the program reads, the user's own where the page has that. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { assay, assayJson, equal, inBrowser, open, scratch, share, test, truth } from './harness.mjs';
import { settled } from './look.mjs';

const fixture = name => path.join(process.env.FIXTURES, name);

function put(name, bytes) {
    const file = path.join(scratch, name);
    fs.writeFileSync(file, bytes);
    return file;
}

/** More than a megabyte. */
function large() {
    const lines = ['events: Ir', 'fl=a.c'];
    for (let f = 0; f < 3000; f++)
        lines.push(`fn=function_${f}`, ...Array.from({ length: 50 }, (_, i) => `${f + i} ${(f * 31 + i * 17) % 997 + 1}`));
    return put('large.cg', `${lines.join('\n')}\n`);
}

/** What the browser was given to keep: its name and bytes. */
async function saved(file) {
    const page = await open(file);
    await settled(page);
    const button = page.getByRole('button', { name: 'Save the profile' });
    const title = await button.getAttribute('title');
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const name = download.suggestedFilename(), bytes = fs.readFileSync(await download.path());
    equal(title, `Save the profile as ${name}`, 'what the button says');
    await page.context().close();
    return { name, bytes };
}

/** What the program says of it, without names of files. */
const rows = (...files) => assayJson('top', ...files, '-n', '0', '--symbols', 'none')
    .rows.map(row => [row.function, row.address, row.self[0], row.inclusive?.[0]]);

async function sameAs(file, name, bytes) {
    const is = await saved(share('saved', file, '--symbols', 'none', '--no-code'));
    equal(is.name, name, 'the name');
    equal(Buffer.compare(is.bytes, bytes), 0, `${name}: is ${is.bytes.length} bytes, not the ${bytes.length} of the file`);
}

/** One file that nothing was done to is saved as it was. */
async function ownFiles() {
    const prof = fs.readFileSync(fixture('demo.prof')), gz = zlib.gzipSync(prof, { level: 1 }), file = large();
    truth(fs.statSync(file).size > 1 << 20, 'it is not large');
    await sameAs(file, 'large.cg', fs.readFileSync(file));
    await sameAs(fixture('demo.prof'), 'demo.prof', prof);
    await sameAs(put('one.prof.gz', gz), 'one.prof.gz', gz);
    // A browser undoes one member only: of others the page has what is in them.
    const half = prof.length >> 1, two = Buffer.concat([zlib.gzipSync(prof.subarray(0, half)), zlib.gzipSync(prof.subarray(half))]);
    await sameAs(put('two.prof.gz', two), 'two.prof', prof);
}

async function anew(words, name, ...files) {
    const is = await saved(share('anew', ...files, '--symbols', 'none', '--no-code', ...words));
    equal(is.name, name, 'the name');
    equal(rows(put(is.name, is.bytes)), rows(...files), `rows of ${name}`);
    return is.bytes;
}

/** What was written anew is a file of the format that it has now, by its name and by its bytes. */
async function newFiles() {
    const calls = fixture('callgrind.out.demo'), paths = fixture('demo.symbolized.prof');
    const one = put('one.cg', 'events: Ir\nfn=f\n1 2\n'), two = put('two.cg', 'events: Ir\nfn=g\n1 3\n');
    truth((await anew([], 'one-merged.cg', one, two)).toString().includes('fn='), 'it is no Callgrind');
    await anew(['--only'], 'callgrind.out.demo-merged', calls, one);
    const pprof = await anew(['--focus', '.', '--only'], 'demo.symbolized.pb.gz', paths);
    equal([...pprof.subarray(0, 2)], [0x1f, 0x8b], 'pprof begins as gzip does');
    equal(assay('info', put('it.pb.gz', pprof), '--symbols', 'none').includes('pprof'), true, 'it is pprof');
}

await inBrowser(async () => {
    await test('one file is saved as it was', ownFiles);
    await test('what was written anew is saved by its kind', newFiles);
});
