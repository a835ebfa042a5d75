// SPDX-License-Identifier: Apache-2.0
/* What a view of the page is, and what it is given. views.ts lists them all. */
import type { Engine } from './engine';
import type { FunctionId, Code, EventInfo, Info, Origin, Top } from './protocol';
import type { State, Change } from './state';

/** What all views share. */
export interface Page {
    readonly engine: Engine;
    readonly state: State;
    /** Of the profile that is open. */
    readonly events: EventInfo[];
    readonly shape: 'places' | 'calls' | 'paths';
    readonly code: Code | null;
    readonly origin: Origin | null;
    /** There is a profile to compare with. */
    readonly hasBase: boolean;
    /** The profile says when its samples were counted. */
    readonly hasMoments: boolean;
    /** All that is known of the profile: of a large one it is read once more for that. */
    known(): Promise<{ info: Info; check: unknown }>;
    /** The table of functions of all of the profile, but for its rows: how many there are. */
    everything(): Promise<Top>;
    /** The only way to change the state: it goes into the URL's fragment and to all views.
     *  PUSH: Back undoes it. */
    go(change: Partial<State>, push?: boolean): void;
    /** Select a function everywhere; null: none. */
    select(func: FunctionId | null): void;
    /** A line at the right of the status: what is under the pointer or the focus. */
    say(text: string): void;
    /** Read out by a screen reader. */
    announce(text: string): void;
    /** The words of all questions: event, filters, thread, diff ... of the state. */
    words(): Record<string, string | string[]>;
}

export interface ViewHandle {
    /** The state changed; draw what is to be seen now. Called once after mounting. */
    update(state: State, change: Change): void | Promise<void>;
    /** What Ctrl-C copies where nothing is selected: a name, or a table as TSV. */
    copy?(): string;
    /** A key that the page has no use for; true: taken. */
    key?(event: KeyboardEvent): boolean;
    /** The element that focus goes to when the view is chosen. */
    focus?(): void;
    dispose(): void;
}

export interface View {
    /** In the URL: view=flame. */
    name: string;
    title: string;
    /** Why it cannot show this profile; null: it can. */
    refuses?(page: Page): string | null;
    mount(root: HTMLElement, page: Page): ViewHandle;
    /** For the list of keys. */
    keys?: { key: string; does: string }[];
}
