// SPDX-License-Identifier: Apache-2.0
/* The flame graph: all call paths, as boxes as wide as they cost. */
import './views.css';
import './flame.css';
import { colourWord, FlamePanel } from '../flame/panel';
import { button, choice, make } from '../make';
import type { Change, State } from '../state';
import type { Page, View, ViewHandle } from '../view';

type Choice<K extends keyof State> = [State[K], string][];

/** Buttons of which one is pressed. */
function choose<K extends keyof State>(page: Page, key: K, label: string, choices: Choice<K>
): { element: HTMLElement; update(): void } {
    const buttons = choices.map(([value, text]) =>
        button(text, () => page.go({ [key]: value } as Partial<State>, true)));
    const element = make('span', 'flame-choice', buttons, { role: 'group', 'aria-label': label });
    return { element, update: () => buttons.forEach((b, i) =>
        b.setAttribute('aria-pressed', String(page.state[key] === choices[i][0]))) };
}

function colours(page: Page): { element: HTMLElement; update(): void } {
    const words: [string, string][] = [['object', 'object'], ['file', 'file'], ['function', 'function'],
        ['self', 'self cost']];
    const element = choice('colour', words, page.state.colour, word =>
        page.go({ colour: word as State['colour'] }));
    return { element, update: () => {
        element.querySelector('select')!.value = page.state.colour;
        element.hidden = page.state.diff;
    } };
}

const WAYS: Choice<'way'> = [['callees', 'top-down'], ['bottom-up', 'bottom-up']];
const SHAPES: Choice<'icicle'> = [[false, 'flame'], [true, 'icicle']];
/** A change of these is another picture. */
const ASKS: (keyof State)[] = ['event', 'unit', 'filters', 'thread', 'part', 'relative', 'way', 'colour',
    'diff', 'normalize', 'inline', 'cycles'];

function mount(root: HTMLElement, page: Page): ViewHandle {
    const places = page.shape === 'places';
    const tools = [...places ? [] : [choose(page, 'way', 'way', WAYS)],
        choose(page, 'icicle', 'shape', SHAPES), colours(page)];
    const panel = new FlamePanel(page, { label: 'flame graph',
        inner: () => places ? ['function', 'functions'] : page.state.way === 'bottom-up' ?
            ['caller', 'callers'] : ['callee', 'callees'],
        asker: 'flame', zooms: true, folds: !places,
        words: () => ({ way: places ? undefined : page.state.way === 'callers' ? 'callees' : page.state.way,
            colour: colourWord(page) }),
        icicle: () => page.state.icicle });

    root.append(make('div', 'view-bar', [...tools.map(t => t.element), ...panel.tools]), panel.element);
    return {
        async update(_state: State, change: Change) {
            tools.forEach(t => t.update());
            await panel.update(change, ASKS);
        },
        copy: () => panel.copy(),
        focus: () => panel.focus(),
        dispose: () => panel.dispose(),
        key(e) {
            if (panel.key(e)) return true;
            if (e.ctrlKey || e.metaKey || e.altKey) return false;
            if (e.key === 'i') page.go({ icicle: !page.state.icicle }, true);
            else if (e.key !== 'b' || places) return false;
            else page.go({ way: page.state.way === 'bottom-up' ? 'callees' : 'bottom-up' }, true);
            return true;
        },
    };
}

export const flame: View = {
    name: 'flame', title: 'Flame', mount,
    keys: [
        { key: '\u2190 \u2191 \u2193 \u2192', does: 'to the next box' },
        { key: 'Shift \u2190 \u2191 \u2193 \u2192', does: 'move the picture' },
        { key: 'Enter', does: 'zoom to the box' },
        { key: 'Esc', does: 'back from there' },
        { key: '+ -', does: 'closer, further' },
        { key: 'Home', does: 'all' },
        { key: 'n N', does: 'next, previous match' },
        { key: 'b', does: 'top-down, bottom-up' },
        { key: 'i', does: 'flame, icicle' },
        { key: 'r', does: 'direct recursion as one box' },
    ],
};
