// SPDX-License-Identifier: Apache-2.0
/* What became of the functions of a map since the base: the rows of the comparison's table. */
import { approx } from '../format';
import { baseName } from '../names';
import type { Diff, DiffRow, FunctionId, TreemapBox } from '../protocol';
import { diffLook, figureOf, spokenDifference } from './table_diff';
import type { DiffLook } from './table_diff';

/** Rows that are asked for: a map seldom has room for half as many. */
export const ROWS = 4000;
/** Colours of each direction, as of flames. */
const STEPS = 4;

/** Objects of a comparison have no folders. */
function key(func: FunctionId): string {
    return [func.function ?? '', baseName(func.file ?? ''), baseName(func.object ?? '')].join('\0');
}

export class Changes {
    private readonly look: DiffLook;
    private most = 0;
    private readonly rows = new Map<string, DiffRow | null>();

    constructor(readonly diff: Diff, event: string) {
        this.look = diffLook(diff, event, false);
        // Of two with one name nobody knows which is meant; code without a name is one row of its object.
        for (const row of diff.rows.filter(r => r.function !== null)) {
            const name = key({ ...row, address: null });
            this.rows.set(name, this.rows.has(name) ? null : row);
            this.most = Math.max(this.most, Math.abs(approx(figureOf(this.look, row)?.difference ?? 0)));
        }
    }

    private rowOf(box: TreemapBox): DiffRow | null {
        return box.kind === 'function' && box.function !== null ? this.rows.get(key(box)) ?? null : null;
    }

    /** Of the palette of changes; what may be noise has none. */
    colour(box: TreemapBox): number {
        const row = this.rowOf(box), d = row && figureOf(this.look, row);
        if (!d || d.significance !== 'sure' || !this.most) return 0;
        const size = Math.sqrt(Math.abs(approx(d.difference)) / this.most);
        return 1 + Math.round((STEPS - 1) * size) + (approx(d.difference) < 0 ? STEPS : 0);
    }

    words(box: TreemapBox): string {
        const row = this.rowOf(box), d = row && figureOf(this.look, row);
        if (box.kind !== 'function') return '';
        return d && row ? `; ${row.in === 'new' ? 'new, ' : ''}${spokenDifference(this.look, d)}` : '; not compared by itself';
    }
}
