// SPDX-License-Identifier: Apache-2.0
/* A call graph in two tables: functions, and the calls between them. */
import { bound, cut, inFull, nameOf, passing, percent, text as cost, unitsOf, where, whole } from '../../format';
import type { Value } from '../../protocol';
import { el, text } from '../code/code_dom';
import { nodeWords } from './draw';
import type { Subject } from './draw';
import type { Node } from './model';

type Cell = string | Node;

function table(caption: string, heads: string[], rows: Cell[][], pick: (n: Node) => void):
    HTMLTableElement {
    const all = el('table', 'graph-table'), head = all.createTHead().insertRow();
    const body = all.createTBody();

    all.createCaption().textContent = caption;
    for (const h of heads)
        head.append(text('th', h));
    head.querySelectorAll('th').forEach(th => th.scope = 'col');
    for (const row of rows) {
        const tr = body.insertRow();

        row.forEach((cell, i) => {
            const td = i ? el('td') : el('th', '', { scope: 'row' });

            if (typeof cell === 'string') {
                td.textContent = cell;
            } else {
                const name = nameOf(cell), link = text('button', cut(name), 'code-link');

                link.title = inFull(name);
                link.addEventListener('click', () => pick(cell));
                td.append(link);
            }
            tr.append(td);
        });
    }
    return all;
}

export function tables(s: Subject, pick: (n: Node) => void): HTMLElement {
    const box = el('div', 'graph-tables'), e = s.events[s.event], at = s.event;
    const unit = unitsOf(s.events, s.page.events, s.page.state.unit)[at];
    const say = (v: Value): string => cost(v, unit), share = (v: Value): string =>
        percent(v, whole(e));
    const byId = new Map(s.part.nodes.map(n => [n.id, n]));
    const calls = (v: Value | null): string => v === null ? '' : cost(v);

    box.append(table('Functions', ['function', `self ${e.name}`, '%', `incl ${e.name}`, '%',
        'calls', 'where', ...(s.diff ? ['difference'] : [])], s.part.nodes.map(n => [n,
        say(n.self[at]), share(n.self[at]), bound(n) + say(passing(n, at) ?? 0), share(passing(n, at) ?? 0),
        calls(n.calls), where(n), ...(s.diff ? [nodeWords(n, s)] : [])]), pick),
    table('Calls', ['caller', 'callee', `incl ${e.name}`, '%', 'calls', 'kind'],
        s.part.edges.map(c => [byId.get(c.from) ?? '?', byId.get(c.to) ?? '?',
            say(c.inclusive[at]), c.inner ? '-' : share(c.inclusive[at]), calls(c.calls),
            c.inner ? 'recursive' : '']), pick));
    return box;
}
