// SPDX-License-Identifier: Apache-2.0
/* The page's side of the engine (worker.ts). */
import type { Facts, Flame } from './protocol';

export type Words = Record<string, string | number | boolean | string[] | undefined>;

export interface Engine {
    /** COMMAND?WORDS, "top?by=file"; rejects with a Failure. A later question of the same ASKER
     *  that comes before this one was begun takes its place: this one never resolves. */
    ask<T>(command: string, words: Words, asker?: string): Promise<T>;
    /** An answer that is no JSON. */
    bytes(command: string, words: Words, asker?: string): Promise<ArrayBuffer>;
    flame(words: Words, asker?: string): Promise<Flame>;
    /** Exact words for boxes of that flame. */
    facts(flame: Flame, boxes: number[]): Promise<Facts>;
}
