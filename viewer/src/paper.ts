// SPDX-License-Identifier: Apache-2.0
/* Printing: the browser lays the page out anew, at once, and runs no script while it does. */

/** BEFORE the page goes to paper, and AFTER; the theme is that of paper already. The result ends it. */
export function onPaper(before: () => void, after: () => void): () => void {
    const ends = new AbortController(), { signal } = ends;

    addEventListener('beforeprint', before, { signal });
    addEventListener('afterprint', after, { signal });
    return () => ends.abort();
}
