// SPDX-License-Identifier: Apache-2.0
/* What is to be doubted though the file is sound: in the status line and the overview, in the same words. */
import { clean, partText, plural } from './format';
import type { Info, Value } from './protocol';

interface Named { object: string | null; file: string | null; state: string | null; note: string | null; self: Value }

/** Binaries that gave names, and of which something is odd (assay.info/1, symbols.objects). */
export function namesInDoubt(info: Info): string[] {
    const { self } = info.symbols, objects = (info.symbols['objects'] ?? []) as unknown as Named[];

    return objects.filter(o => o.state === 'named' && o.note).map(o => clean(`${o.file ?? o.object ?? '?'}: ${o.note}${
        self ? `; ${partText(o.self, self)} of the cost is there` : ''}`));
}

/** What the program warns of (src/cli/excess.c). */
export function excessText(n: number): string {
    return `${plural(n, 'function')} ${n === 1 ? 'has' : 'have'} inclusive costs above the total: `
        + 'the calls in the file cost more than all there is.';
}
