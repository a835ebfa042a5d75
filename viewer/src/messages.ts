// SPDX-License-Identifier: Apache-2.0
/* What the page and its worker send to each other. */

/** Gzip as it stands in the page, as text; or a file that was dropped. */
export interface Source {
    name: string;
    data: string | Blob;
    /** Of what stands in the page: what a file of it is called, and whether that is gzip as it stands. */
    file?: { name: string; gzip: boolean };
}

export type Which = 'profile' | 'base';

export type ToWorker =
    /** ENGINE: gzip as it stands in the page, as text. */
    | { do: 'start'; engine: string }
    | { do: 'open'; id: number; profile: Source; base: Source | null }
    | { do: 'ask'; id: number; of: Which; question: string };

export type FromWorker =
    | { id: number; is: 'json'; json: unknown }
    | { id: number; is: 'boxes'; bytes: ArrayBuffer }
    | { id: number; is: 'failure'; error: string; word: string | null }
    /** WHAT is being done with bytes: DONE of OF, which may be 0 where nobody knows. */
    | { id: number; is: 'progress'; what: string; done: number; of: number };
