// SPDX-License-Identifier: Apache-2.0
/* The views: their tabs, their panels, and when each of them draws. */
import type { App } from '../app';
import { el } from '../dom';
import { clean } from '../format';
import { whatFailed } from '../make';
import type { Change, State } from '../state';
import type { View, ViewHandle } from '../view';
import { views } from '../views';

interface Pane {
    view: View;
    tab: HTMLButtonElement;
    panel: HTMLElement;
    handle: ViewHandle | null;
    /** What it has not heard of while it was hidden. */
    missed: Set<keyof State>;
}

export class Tabs {
    readonly list = el('div', { role: 'tablist', class: 'tabs', 'aria-label': 'Views' });
    readonly main = el('main', { id: 'main', tabindex: -1 });
    private readonly panes: Pane[];

    constructor(private readonly app: App) {
        this.panes = views.map((view, i) => this.pane(view, i));
        this.list.addEventListener('keydown', event => this.arrows(event));
        app.listen((state, change) => this.update(state, change));
    }

    private pane(view: View, i: number): Pane {
        const tab = el('button', { type: 'button', role: 'tab', id: `tab-${view.name}`, 'aria-controls': `view-${view.name}`,
            title: i < 10 ? `${view.title} (${(i + 1) % 10})` : view.title, onclick: () => this.choose(i) }, view.title);
        const panel = el('div', { role: 'tabpanel', id: `view-${view.name}`, class: `view ${view.name}`,
            'aria-labelledby': `tab-${view.name}`, hidden: true });

        this.list.append(tab);
        this.main.append(panel);
        return { view, tab, panel, handle: null, missed: new Set() };
    }

    private get current(): Pane {
        return this.panes.find(pane => pane.view.name === this.app.state.view) ?? this.panes[0];
    }

    get view(): View { return this.current.view; }
    get handle(): ViewHandle | null { return this.current.handle; }

    /** By its number, 0 is the first. */
    choose(i: number): void {
        if (!this.panes[i])
            return;
        this.app.go({ view: this.panes[i].view.name }, true);
        this.app.announce(`${this.panes[i].view.title} view`);
    }

    focus(): void {
        const { handle, panel } = this.current;

        handle?.focus?.();
        // Where it shows but a word of why there is nothing, say.
        if (!panel.contains(document.activeElement))
            (panel.querySelector<HTMLElement>('[tabindex="0"], button, a, input, select') ?? this.main).focus();
    }

    private arrows(event: KeyboardEvent): void {
        const at = this.panes.indexOf(this.current), n = this.panes.length;
        const to = { ArrowRight: (at + 1) % n, ArrowLeft: (at + n - 1) % n, Home: 0, End: n - 1 }[event.key];

        if (to === undefined)
            return;
        event.preventDefault();
        event.stopPropagation();
        this.choose(to);
        this.panes[to].tab.focus();
    }

    private update(state: State, change: Change): void {
        for (const pane of this.panes)
            change.forEach(key => pane.missed.add(key));
        if (change.has('view')) {
            this.show();
            this.catchFocus();
        } else {
            this.draw(this.current, state);
        }
    }

    /** Focus that is nowhere, or in what is hidden now, goes to the view. */
    private catchFocus(): void {
        const now = document.activeElement;

        if (!now || now === document.body || now === this.main || now.closest('[hidden]'))
            this.focus();
    }

    /** Once the page is in the document, and whenever another view is chosen. */
    show(): void {
        const now = this.current;

        for (const pane of this.panes) {
            pane.panel.hidden = pane !== now;
            pane.tab.setAttribute('aria-selected', String(pane === now));
            pane.tab.tabIndex = pane === now ? 0 : -1;
        }
        this.app.say('');
        this.draw(now, this.app.state); // it asks, and the layout is done while the engine works
        now.tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }

    /** What has drawn nothing yet says that it is at work. */
    private wait(pane: Pane, drawn: Promise<unknown>): void {
        const sign = el('p', { class: 'waiting' }, 'working\u2026');

        pane.panel.append(sign);
        void drawn.then(() => sign.remove());
    }

    private draw(pane: Pane, state: State): void {
        const why = pane.view.refuses?.(this.app) ?? null;
        const change = new Set(pane.missed);

        if (why !== null) {
            pane.panel.replaceChildren(el('p', { class: 'refused' }, why));
            return;
        }
        pane.missed.clear();
        const first = !pane.handle;
        if (!pane.handle) {
            pane.panel.replaceChildren();
            pane.handle = pane.view.mount(pane.panel, this.app);
            Object.keys(state).forEach(key => change.add(key as keyof State));
        }
        const drawn = Promise.resolve(pane.handle.update(state, change))
            .catch(failure => this.app.say(clean(whatFailed(failure))));
        if (first)
            this.wait(pane, drawn);
    }
}
