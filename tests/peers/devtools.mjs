// SPDX-License-Identifier: Apache-2.0
//
// devtools.mjs MODEL FILE...: what the DevTools of Chrome make of each FILE, a .cpuprofile, a line of JSON each: how often
// each function was hit, how many microseconds its own samples lasted, and how many samples there are. MODEL is the
// package's CPUProfileDataModel, bundled.
import fs from 'fs';

const {CPUProfileDataModel} = await import(process.argv[2]);
for (const file of process.argv.slice(3)) {
    const model = new CPUProfileDataModel(JSON.parse(fs.readFileSync(file, 'utf8')));
    const hits = {}, time = {};
    const raw = JSON.parse(fs.readFileSync(file, 'utf8'));
    const each = (raw.endTime - raw.startTime) / 1000 / model.totalHitCount;
    const walk = node => {
        if (node.self)
            hits[node.functionName] = (hits[node.functionName] || 0) + Math.round(node.self / each);
        node.children.forEach(walk);
    };
    walk(model.profileHead);
    model.forEachFrame(() => {}, (depth, node, index, at, duration, self) => {
        time[node.functionName] = (time[node.functionName] || 0) + self * 1000;
    });
    console.log(JSON.stringify({hits, time, all: model.totalHitCount, samples: model.samples.length}));
}
