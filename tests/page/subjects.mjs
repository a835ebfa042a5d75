// SPDX-License-Identifier: Apache-2.0
/* The profiles that the page is tried with: the project's own, and those of others. */
import fs from 'node:fs';
import path from 'node:path';
import { data as shared } from './data.mjs';
import { recorded, sources } from './demo.mjs';
import { assay, scratch } from './harness.mjs';

const fixtures = process.env.FIXTURES;
const fixture = name => path.join(fixtures, name);

/** What was recorded as DCPI profiles, one for each object. */
function asDcpi(file) {
    const folder = path.join(scratch, 'dcpi');
    fs.mkdirSync(folder);
    assay('convert', file, '-t', 'dcpi', '-o', folder + '/');
    return fs.readdirSync(folder).sort().map(name => path.join(folder, name));
}

/*
 * shape: what it is evidence of; addresses: there are some, so there is assembly; words: options of
 * the program; code: those of its commands that look for source.
 */
export const subjects = [
    { name: 'callgrind', shape: 'calls', addresses: true, files: [fixture('callgrind.out.demo.full')], words: [], code: ['--source-path', sources] },
    { name: 'gperftools', shape: 'paths', addresses: true, files: [recorded()], words: [], code: [] },
    { name: 'dcpi', shape: 'places', addresses: true, files: asDcpi(recorded()), words: [], code: [] },
];

/** Likewise, of the shared data. */
export const realSubjects = [
    { name: 'a real callgrind profile', shape: 'calls', real: 'callgrind/real/callgrind.out.full' },
    { name: 'a real gperftools profile', shape: 'paths', addresses: true, real: 'gperftools/real/prof/pie_100hz.prof' },
].map(subject => ({ ...subject, words: [], code: [], files: [path.join(shared, subject.real)] }))
    .map(subject => ({ ...subject, missing: !fs.existsSync(subject.files[0]) }));

/** Names that try to break out, to fool the eye, or to burst the layout, with costs. */
export const hostile = [
    ['<script>alert(1)</script>', 40],
    ['</script><img src=x onerror=alert(2)>', 30],
    ['"><svg/onload=alert(3)>&amp;\'`${x}', 20],
    ['\u202egnihtemos\u2066rotcepsni', 10],
    ['x'.repeat(65536), 5],
    ['<!-- --><!--', 3],
];

export function writeHostile() {
    const file = path.join(scratch, 'hostile.folded');
    fs.writeFileSync(file, 'main 1\n' + hostile.map(([name, cost]) => `main;${name.replaceAll(';', ':')} ${cost}\n`).join(''));
    return file;
}

/** A profile of three threads, of which each has a file. */
export function writeThreads() {
    return [1, 2, 3].map(thread => {
        const file = path.join(scratch, `callgrind.out.7-0${thread}`);
        fs.writeFileSync(file, `version: 1\npid: 7\ncmd: ./three\npart: 1\nthread: ${thread}\nevents: Ir\nfn=main\n1 ${thread}0\n`);
        return file;
    });
}

/** Costs near 2^63, which a number of JavaScript's would round, on both sides. */
export function writeLarge() {
    return ['9223372036854775806', '9223372036854775801'].map((cost, i) => {
        const file = path.join(scratch, `large${i}.folded`);
        fs.writeFileSync(file, `main;f ${cost}\nmain;g 7\n`);
        return file;
    });
}

/** C++ as compilers of templates have it: names of thousands of characters, all with the same beginning. */
export function writeTemplates() {
    const nested = n => n ? `std::map<${nested(n - 1)}, std::vector<boost::spirit::qi::rule<Iterator${n}, ast::expression(), ascii::space_type> >, ` +
        `std::less<std::pair<${nested(n - 1)}, long> > >` : 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >';
    const names = [1, 2, 3, 4].map(n => `void acme::container::detail::process<${nested(n)}>(acme::iterator<${nested(n)}>&, int) const [clone .constprop.0]`);
    const file = path.join(scratch, 'callgrind.out.templates');

    fs.writeFileSync(file, 'version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=/x/templates\n' + names.map((name, i) =>
        `fl=/x/templates.cpp\nfn=${name}\n0x${1000 + 64 * i} ${5 * i + 1} ${1000 * (i + 1)}\n` +
        (names[i + 1] ? `cfn=${names[i + 1]}\ncalls=3 0x${1064 + 64 * i} ${5 * i + 6}\n0x${1008 + 64 * i} ${5 * i + 3} 100\n` : '')).join(''));
    return { file, names };
}

export const compared = [fixture('callgrind.out.after'), fixture('callgrind.out.before')];
