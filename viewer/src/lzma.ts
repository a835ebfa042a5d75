// SPDX-License-Identifier: Apache-2.0
/*
 * LZMA, which browsers cannot undo by themselves: the engine is a fifth smaller by it than by gzip.
 * Reads .lzma files whose header tells their size, as tools/page.py writes them. The names are those
 * of the format's specification (7-zip.org, lzma-specification.txt).
 */

const START = 1 << 10; // a bit that is 0 as often as 1
const MATCH_MIN = 2;

const bits = (n: number): Uint16Array => new Uint16Array(n).fill(START);

/** Bits out of a range of 32 bits that is narrowed by what each was expected to be. */
class Range {
    private range = 0xffffffff;
    private code = 0;

    constructor(private readonly data: Uint8Array, private at: number) {
        for (let i = 0; i < 5; i++)
            this.code = (this.code << 8 | data[this.at++]) >>> 0;
    }

    private widen(): void {
        if (this.range >= 1 << 24)
            return;
        if (this.at >= this.data.length)
            throw new Error('LZMA data end early');
        this.range = this.range << 8 >>> 0;
        this.code = (this.code << 8 | this.data[this.at++]) >>> 0;
    }

    bit(probs: Uint16Array, i: number): number {
        const bound = (this.range >>> 11) * probs[i];
        let is = 0;

        if (this.code < bound) {
            this.range = bound;
            probs[i] += (1 << 11) - probs[i] >> 5;
        } else {
            this.range -= bound;
            this.code -= bound;
            probs[i] -= probs[i] >> 5;
            is = 1;
        }
        this.widen();
        return is;
    }

    /** N bits that are 0 as often as 1. */
    direct(n: number): number {
        let value = 0;

        for (; n; n--) {
            this.range >>>= 1;
            const is = this.code >= this.range ? 1 : 0;
            if (is)
                this.code -= this.range;
            this.widen();
            value = (value << 1 | is) >>> 0;
        }
        return value;
    }

    /** N bits, the highest first, each expected by those before it. */
    tree(probs: Uint16Array, n: number): number {
        let m = 1;

        for (let i = 0; i < n; i++)
            m = m << 1 | this.bit(probs, m);
        return m - (1 << n);
    }

    /** The lowest first; the expectations begin behind AT. */
    reverse(probs: Uint16Array, at: number, n: number): number {
        let m = 1, value = 0;

        for (let i = 0; i < n; i++) {
            const is = this.bit(probs, at + m);
            m = m << 1 | is;
            value |= is << i;
        }
        return value;
    }
}

/** Lengths of matches: 8 short ones, 8 of middle size, 256 long ones. */
class Lengths {
    private readonly choice = bits(2);
    private readonly low = Array.from({ length: 16 }, () => bits(8));
    private readonly mid = Array.from({ length: 16 }, () => bits(8));
    private readonly high = bits(256);

    read(range: Range, place: number): number {
        if (!range.bit(this.choice, 0))
            return range.tree(this.low[place], 3);
        if (!range.bit(this.choice, 1))
            return 8 + range.tree(this.mid[place], 3);
        return 16 + range.tree(this.high, 8);
    }
}

class Decoder {
    private readonly lc: number;
    private readonly lp: number;
    private readonly pb: number;
    private readonly range: Range;
    private readonly out: Uint8Array;
    private at = 0;
    private state = 0;
    /** The last four distances. */
    private rep = [0, 0, 0, 0];
    private readonly literals: Uint16Array;
    private readonly isMatch = bits(192);
    private readonly isRep = bits(12);
    private readonly isRepG = [bits(12), bits(12), bits(12)];
    private readonly isRep0Long = bits(192);
    private readonly slots = Array.from({ length: 4 }, () => bits(64));
    private readonly special = bits(115);
    private readonly align = bits(16);
    private readonly matchLengths = new Lengths();
    private readonly repLengths = new Lengths();

    constructor(data: Uint8Array) {
        const view = new DataView(data.buffer, data.byteOffset, data.length);

        this.lc = data[0] % 9;
        this.lp = Math.floor(data[0] / 9) % 5;
        this.pb = Math.floor(data[0] / 45);
        this.literals = bits(0x300 << this.lc + this.lp);
        this.out = new Uint8Array(view.getUint32(5, true));
        this.range = new Range(data, 13);
    }

    all(): Uint8Array {
        while (this.at < this.out.length) {
            const place = this.at & (1 << this.pb) - 1, i = (this.state << 4) + place;

            if (!this.range.bit(this.isMatch, i))
                this.literal();
            else if (this.range.bit(this.isRep, this.state))
                this.again(place, i);
            else
                this.match(place);
        }
        return this.out;
    }

    private literal(): void {
        const { out, range, literals, lc, lp } = this;
        const before = this.at ? out[this.at - 1] : 0;
        const base = 0x300 * (((this.at & (1 << lp) - 1) << lc) + (before >> 8 - lc));
        let symbol = 1;

        if (this.state >= 7) {
            let match = out[this.at - this.rep[0] - 1];
            do {
                const expected = match >> 7 & 1;
                match <<= 1;
                const is = range.bit(literals, base + (1 + expected << 8) + symbol);
                symbol = symbol << 1 | is;
                if (is !== expected)
                    break;
            } while (symbol < 0x100);
        }
        while (symbol < 0x100)
            symbol = symbol << 1 | range.bit(literals, base + symbol);
        out[this.at++] = symbol;
        this.state = this.state < 4 ? 0 : this.state < 10 ? this.state - 3 : this.state - 6;
    }

    /** At one of the last distances. */
    private again(place: number, i: number): void {
        const { range, rep, state } = this;

        if (!range.bit(this.isRepG[0], state)) {
            if (!range.bit(this.isRep0Long, i)) {
                this.state = state < 7 ? 9 : 11;
                this.copy(1);
                return;
            }
        } else {
            const n = !range.bit(this.isRepG[1], state) ? 1 : !range.bit(this.isRepG[2], state) ? 2 : 3;
            rep.unshift(...rep.splice(n, 1));
        }
        this.state = state < 7 ? 8 : 11;
        this.copy(this.repLengths.read(range, place) + MATCH_MIN);
    }

    private match(place: number): void {
        const length = this.matchLengths.read(this.range, place);

        this.rep = [this.distance(length), this.rep[0], this.rep[1], this.rep[2]];
        this.state = this.state < 7 ? 7 : 10;
        this.copy(length + MATCH_MIN);
    }

    private distance(length: number): number {
        const { range } = this, slot = range.tree(this.slots[Math.min(length, 3)], 6);

        if (slot < 4)
            return slot;
        const n = (slot >> 1) - 1, base = (2 | slot & 1) << n >>> 0;
        if (slot < 14)
            return base + range.reverse(this.special, base - slot, n);
        return base + range.direct(n - 4) * 16 + range.reverse(this.align, 0, 4);
    }

    private copy(length: number): void {
        const { out } = this, from = this.at - this.rep[0] - 1;

        if (from < 0 || this.at + length > out.length)
            throw new Error('LZMA data are damaged');
        for (let i = 0; i < length; i++)
            out[this.at++] = out[from + i];
    }
}

export function unlzma(data: Uint8Array): Uint8Array {
    if (data.length < 18)
        throw new Error('LZMA data end early');
    return new Decoder(data).all();
}
