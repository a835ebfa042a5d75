// SPDX-License-Identifier: Apache-2.0
/* As much of lodash as dagre and graphlib ask for when they lay out a graph: they do the same with
 * it (tests/dagre_test.ts), and the page is a tenth of a hundred kilobytes smaller. */
// A copy, and without holes: what is not there is undefined.
const list = x => Array.isArray(x) ? [...x] : Object.values(x ?? {});
const entries = x => Array.isArray(x) ? Array.from(x, (v, i) => [v, i]) : Object.entries(x ?? {}).map(([k, v]) => [v, k]);
const read = f => typeof f === 'function' ? f : f === undefined ? v => v : v => v?.[f];
const isObject = x => typeof x === 'object' && x !== null;
const has = (x, key) => x != null && Object.hasOwn(x, key);

/** Until F says false. */
const each = (x, f) => {
    entries(x).every(([v, k]) => f(v, k, x) !== false);
    return x;
};

/** That of LIST of which F is the first by BETTER; what is nothing is passed over. */
function best(x, f, better) {
    let found, most;
    for (const v of Array.isArray(x) ? x : []) {
        const value = f(v);
        if (value != null && value === value && (most === undefined || better(value, most))) {
            found = v;
            most = value;
        }
    }
    return found;
}
const less = (a, b) => a < b, more = (a, b) => a > b;

function order(a, b) {
    const last = v => v === undefined ? 3 : v !== v ? 2 : v === null ? 1 : 0;
    return last(a) - last(b) || (a > b ? 1 : a < b ? -1 : 0);
}

function copy(x) {
    return Array.isArray(x) ? x.map(copy) : isObject(x) ? mapValues(x, copy) : x;
}

const mapValues = (x, f) => Object.fromEntries(Object.entries(x).map(([k, v]) => [k, f(v, k, x)]));

function merge(to, ...from) {
    for (const x of from)
        for (const [k, v] of Object.entries(x ?? {}))
            if (isObject(v))
                to[k] = isObject(to[k]) ? merge(to[k], v) : copy(v);
            else if (v !== undefined || !(k in to))
                to[k] = v;
    return to;
}

function range(start, end, step) {
    const [from, to] = end === undefined ? [0, start || 0] : [start, end], by = step ?? (from < to ? 1 : -1);
    return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, i) => from + i * by);
}

let ids = 0;

module.exports = {
    each, forEach: each, forIn: each, has, merge, range, mapValues, cloneDeep: copy, values: list,
    constant: v => () => v,
    defaults: (to, ...from) => {
        for (const x of from)
            for (const k in x)
                if (to[k] === undefined)
                    to[k] = x[k];
        return to;
    },
    filter: (x, f) => list(x).filter(v => f(v)),
    find: (x, f) => list(x).find(v => f(v)),
    flatten: x => list(x).flat(),
    isArray: Array.isArray,
    isEmpty: x => !Object.keys(x ?? {}).length,
    isFunction: x => typeof x === 'function',
    isUndefined: x => x === undefined,
    keys: x => Object.keys(x ?? {}),
    last: x => x?.[x.length - 1],
    map: (x, f) => entries(x).map(([v, k]) => read(f)(v, k)),
    max: x => best(x, v => v, more),
    min: x => best(x, v => v, less),
    minBy: (x, f) => best(x, read(f), less),
    now: Date.now,
    pick: (x, keys) => Object.fromEntries(keys.filter(k => x != null && k in x).map(k => [k, x[k]])),
    reduce: (x, f, ...first) => {
        const all = list(x);
        return all.length || first.length ? all.reduce((sum, v) => f(sum, v), ...first) : undefined;
    },
    size: x => list(x).length,
    sortBy: (x, f) => list(x).map(v => [v, read(f)(v)]).sort((a, b) => order(a[1], b[1])).map(([v]) => v),
    union: (...x) => [...new Set(x.flat())],
    uniqueId: prefix => (prefix ?? '') + ++ids,
    zipObject: (keys, values) => Object.fromEntries(keys.map((k, i) => [k, values[i]])),
};
