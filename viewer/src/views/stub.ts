// SPDX-License-Identifier: Apache-2.0
/* Stands in for views that are not there yet: what the engine answers. */
import type { Failure } from '../protocol';
import type { View } from '../view';

export const stub = (name: string, title: string): View => ({
    name, title,
    mount: (root, page) => {
        const text = root.appendChild(document.createElement('pre'));
        text.tabIndex = 0;
        return {
            update: async () => {
                try {
                    text.textContent = JSON.stringify(await page.engine.ask('top', { ...page.words(), limit: 20 }, name), null, 1);
                } catch (failure) {
                    text.textContent = (failure as Failure).error;
                }
            },
            dispose: () => undefined,
        };
    },
});
