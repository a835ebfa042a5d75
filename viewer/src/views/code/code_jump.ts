// SPDX-License-Identifier: Apache-2.0
/* Source and Assembly show each other's place: where the one that is chosen next begins. */
import { functionId } from '../../format';
import type { FunctionId } from '../../protocol';
import type { Page } from '../../view';

export interface Place { file: string | null; line: number | null }

let pending: Place | null = null;

export function jump(page: Page, view: 'source' | 'asm', place: Place): void {
    pending = place;
    page.go({ view }, true);
}

export function takeJump(): Place | null {
    const place = pending;

    pending = null;
    return place;
}

/** FUNC in the view that is open. */
export function follow(page: Page, view: 'source' | 'asm' | 'sandwich', func: FunctionId): void {
    page.go({ func: functionId(func), view }, true);
}
