// SPDX-License-Identifier: Apache-2.0
/* The state of the page, all of it: what the URL's fragment holds. */
import type { FunctionId } from './protocol';

export type FilterKind = 'focus' | 'ignore' | 'hide' | 'show' | 'show-from' | 'prune-from'
    | 'label' | 'tagfocus' | 'tagignore' | TimeKind;
/** Only what was counted in that time; and another time of the profile, which it is compared with. */
export type TimeKind = 'from' | 'to' | 'base-from' | 'base-to';
export interface Filter { kind: FilterKind; pattern: string }

export interface State {
    view: string;
    /** Name of the event; '' is the first. */
    event: string;
    /** Of costs: '' = counts; else a word of --unit, 'auto'. */
    unit: string;
    filters: Filter[];
    /** Number or name of a thread, of a part; '' = all. */
    thread: string;
    part: string;
    relative: boolean;
    /** The selected function: one for all views. */
    func: FunctionId | null;
    /** Pattern of the search. */
    search: string;
    /** flame, tree: */
    way: 'callees' | 'bottom-up' | 'callers';
    icicle: boolean;
    colour: 'object' | 'file' | 'function' | 'self';
    /** flame: the box that is zoomed to, as a path of box numbers: '' = all. */
    zoom: string;
    /** table: */
    by: string;
    order: 'self' | 'inclusive' | 'calls' | 'name' | 'change';
    reverse: boolean;
    /** Its columns of numbers, "self:Ir,inclusive:Ir,calls"; '' = those that fit, 'none' = none. */
    columns: string;
    /** tree, graph: what costs less is left out, "0.5%". */
    min: string;
    depth: number;
    /** Inlined calls as rows of their own. */
    inline: boolean;
    /** Cycles are collapsed for inclusive cost. */
    cycles: boolean;
    diff: boolean;
    normalize: '' | 'none' | 'total' | 'time';
}

/** Names of the fields that changed; all of them after mounting. */
export type Change = ReadonlySet<keyof State>;
