// SPDX-License-Identifier: Apache-2.0
import type { Page, ViewHandle } from './view';
export function mountInspector(root: HTMLElement, page: Page): ViewHandle {
    void root; void page;
    return { update: () => undefined, dispose: () => undefined };
}
