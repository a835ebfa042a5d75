// SPDX-License-Identifier: Apache-2.0
//
// speedscope.cjs PACKAGE FILE...: what speedscope itself makes of each FILE, a line of JSON each: of
// every profile its name, unit, weight with and without idle time, threads' frames with their self
// weight; or what it says is wrong. PACKAGE is the folder of the npm package. A FILE is one of its own
// or a trace of events.
//
// The package is a page: its script is run up to where the page would be drawn, in a world in which
// whatever is asked for is there.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

function load(folder) {
    const dir = path.join(folder, 'dist/release');
    const name = fs.readdirSync(dir).find(file => /^speedscope-.*\.js$/.test(file));
    const script = fs.readFileSync(path.join(dir, name), 'utf8');
    const own = /function (\w+)\(t\)\{return\{name:t\.name\|\|t\.profiles\[0\]\.name/.exec(script);
    const trace = /function (\w+)\(t\)\{return \w+\(t\)\?\w+\(t\):\w+\(t\)\?\w+\(t\.traceEvents\)/.exec(script);
    const drawn = script.lastIndexOf('console.log(`speedscope v');
    if (!own || !trace || drawn < 0)
        throw new Error('this version of speedscope is built in another way');
    const anything = () => new Proxy(function () {}, {
        get: (_, key) => key === Symbol.toPrimitive ? () => '' : anything(),
        apply: () => anything(),
        construct: () => anything(),
        set: () => true,
    });
    for (const thing of ['window', 'document', 'navigator', 'localStorage'])
        Object.defineProperty(globalThis, thing, {value: anything(), configurable: true, writable: true});
    vm.runInThisContext(`${script.slice(0, drawn)}globalThis.readOwn=${own[1]};globalThis.readTrace=${trace[1]};return;${script.slice(drawn)}`);
    return file => (file.traceEvents ? globalThis.readTrace : globalThis.readOwn)(file);
}

function figures(profile) {
    const self = Object.create(null); // a function may be called `constructor`
    profile.forEachFrame(frame => {
        self[frame.name] = (self[frame.name] || 0) + frame.getSelfWeight();
    });
    return {
        name: profile.getName(),
        unit: profile.getWeightUnit(),
        total: profile.getTotalWeight(),
        busy: profile.getTotalNonIdleWeight(),
        self,
    };
}

const read = load(process.argv[2]);
for (const file of process.argv.slice(3)) {
    try {
        console.log(JSON.stringify(read(JSON.parse(fs.readFileSync(file, 'utf8'))).profiles.map(figures)));
    } catch (e) {
        console.log(JSON.stringify({wrong: e.message}));
    }
}
