// SPDX-License-Identifier: Apache-2.0
/* What is said of boxes: the engine's words, or sums of them where boxes were put together. */
import type { Engine } from '../engine';
import { percentText, text } from '../format';
import { whatFailed } from '../make';
import { BoxFlag } from '../protocol';
import type { Spot } from './canvas';
import type { Folded } from './fold';
import type { FlameIndex } from './index';
import type { Names } from './label';

/** A sum of doubles; beyond 2^53 it is not exact any more, and says so. */
function figure(sum: number): string {
    const whole = Math.round(sum);
    return Number.isSafeInteger(whole) ? text(whole) : '~' + text(BigInt(whole).toString());
}

function share(part: number, index: FlameIndex): string {
    const { whole } = index.flame.head;
    return percentText(Math.min(Math.round(part), Number.MAX_SAFE_INTEGER), whole);
}

/** What is said of a box; FACTS are its figures. */
export interface BoxWords { name: string; facts: string; where: string }

type Say = (words: BoxWords) => void;

export class FlameWords {
    private busy = false;
    private wanted: { spot: Spot; say: Say } | null = null;

    /** ASKED: the flame as it came from the engine; INDEX is of that, or of what it was folded to. */
    constructor(private readonly engine: Engine, private readonly asked: FlameIndex,
        private readonly index: FlameIndex, private readonly names: Names, private readonly folded: Folded | null) {}

    /** "parse_header, 1,234 Ir, 5.6 %" */
    async of(boxes: number[]): Promise<string[]> {
        return (await this.parts(boxes)).map(is => [is.name, is.facts, is.where].filter(s => s).join(', '));
    }

    private async parts(boxes: number[]): Promise<BoxWords[]> {
        const { folded } = this;
        const own = boxes.filter(b => !folded || folded.count[b] === 1);
        const facts = own.length ? await this.engine.facts(this.asked.flame,
            own.map(b => folded ? folded.first[b] : b)).catch((failure: unknown) => ({
            boxes: own.map(b => ({ name: this.names.of(b), facts: whatFailed(failure), where: '' })),
        })) : { boxes: [] };
        const known = new Map(own.map((b, k) => [b, facts.boxes[k]]));
        return boxes.map(b => known.get(b) ?? this.together(b));
    }

    /** Of a box that stands for several. */
    private together(box: number): BoxWords {
        const { flame } = this.index, about = flame.flags[box] & BoxFlag.Estimated ? '~' : '';
        return { name: this.names.of(box), where: '', facts: `${about}${figure(flame.cost[box])} ${flame.head.event}, ` +
            `${share(flame.cost[box], this.index)}; self ${about}${figure(flame.self[box])}; ` +
            `${text(this.folded!.count[box])} boxes put together` };
    }

    /** Of a run of boxes that are too narrow. */
    private run(spot: Spot): string {
        const width = this.index.widthOf(spot.first, spot.end), { flame } = this.index;
        const rows = text(this.index.rowsOf(spot.first, spot.end)), of = share(width, this.index);
        let about = '';
        // Widths of a comparison are no costs: the larger of both sides.
        if (flame.head.diff) return `+${rows} small, ${of} of the picture together; click to see them`;
        for (let p = spot.first; p < spot.end && !about; p++)
            if (flame.flags[this.index.order[p]] & BoxFlag.Estimated) about = '~';
        return `+${rows} small, ${about}${figure(width)} ${flame.head.event}, ${of} together; click to see them`;
    }

    /** SAY what is at SPOT: the name at once, and the figures when they are there. */
    tell(spot: Spot, say: Say): void {
        if (spot.box < 0) {
            this.wanted = null;
            say({ name: '', where: '', facts: this.run(spot) });
            return;
        }
        say({ name: this.names.of(spot.box), where: '', facts: '' });
        this.wanted = { spot, say };
        if (!this.busy) void this.next();
    }

    /** Nothing is to be told any more. */
    drop(): void {
        this.wanted = null;
    }

    private async next(): Promise<void> {
        this.busy = true;
        try {
            while (this.wanted) {
                const { spot, say } = this.wanted;
                this.wanted = null;
                const [words] = await this.parts([spot.box]);
                if (!this.wanted) say(words);
            }
        } finally {
            this.busy = false;
        }
    }
}
