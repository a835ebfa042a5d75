// SPDX-License-Identifier: Apache-2.0
/*
 * What the page and the engine say to each other. The engine is assay's core as WebAssembly
 * (wasm/), in a worker (worker.ts); engine.ts is the page's side.
 *
 * A question is a command of the program with its options as words, written as in the fragment of
 * a URL: "top?by=file&sort=Ir&focus=parse". Its answer is what that command prints with -f json
 * (docs/json.md), or boxes to draw (flame, treemap). Same words everywhere: option of the command
 * line = word of a question = word in the page's URL = field of JSON.
 *
 * Questions keep no state: each names its event, its filters, its function. The engine keeps what
 * it has worked out for the last ones.
 */
import type { State } from './state';

/** A cost or a count: exact. A string, in decimal, beyond 2^53, where a number would lose digits. */
export type Value = number | string;

/**
 * Words of every question about the profile:
 *
 *   sort=EVENT            the event that orders and is drawn, by name; else the first
 *   focus= ignore= hide= show= show-from= prune-from=RE
 *                         filters, as often as there are; docs/filters.md. Patterns are those of
 *                         JavaScript here, smart case; the command line has RE2's
 *   thread= part=N        as on the command line: a number, or a name
 *   label=KEY=VALUE
 *   tagfocus= tagignore=[KEY=]RE,RE or a range, 1kb:4mb
 *                         samples by their labels, as on the command line
 *   time-from= time-to=   only what was counted in that time, as --from and --to: 2.5s, 300ms
 *   base-time-from= base-time-to=
 *                         of comparisons: with another time of the same profile
 *   relative=1            percentages of what the filters leave
 *   inline=on|off         inlined frames as they are, or as part of what they were inlined into
 *   cycles=yes|no         cycles collapsed for inclusive cost, or what their calls add up to
 *   contexts=fold|keep    f'2 and f'caller
 *
 * A function is named by what its row says, all that is there of:
 *   func=NAME func-file=PATH func-object=PATH func-address=0xADDR (of one without a name)
 */
export interface FunctionId {
    function: string | null;
    file: string | null;
    object: string | null;
    address: string | null;
}

export interface EventInfo {
    name: string;
    unit: string | null;
    total: Value;
    /** With filters: the total of the whole profile, of which percentages are. */
    whole?: Value;
    /** Of page.events, where `info` says so: one count stands for so many of them. */
    period?: Value | null;
    period_unit?: string | null;
}

export interface Head {
    schema: string;
    profile: { format: string | null; files: string[]; shape: 'places' | 'calls' | 'paths';
        estimated: boolean; path_depth: number | null };
    events: EventInfo[];
}

/**
 * top?by=function|file|object|line|address&order=self|inclusive|calls|name&reverse=1
 *     &from=N&limit=N&match=RE&with-cycles=1
 *
 * Rows FROM to FROM + LIMIT of those whose name matches; all of them are `found`. REST is all rows
 * that are not in this answer, so rows and rest are always the total. Cycles are those of the whole
 * table: a piece, of a question with FROM or LIMIT, has them where they are asked for.
 */
export interface TopRow extends FunctionId {
    line: number | null;
    self: Value[];
    inclusive: (Value | null)[] | null;
    /** Of members of cycles: no more than this passes through. */
    inclusive_at_most?: Value[];
    calls: Value | null;
    recursive: boolean;
}
export interface Top extends Head {
    by: string;
    rows: TopRow[];
    rest: { rows: number; self: Value[] };
    cycles?: { cycle: number; self: Value[]; inclusive: Value[]; calls: Value | null;
        members: FunctionId[] }[];
    /** Rows that match, of `all`; what they cost together. */
    found: number;
    all: number;
    found_self: Value[];
    /** Of all: how many have inclusive costs above the total, where calls were counted. */
    above: number;
}

/** top?by=thread|part|label : assay.parts/1 */
export interface Parts extends Head {
    by: string;
    /** Some by thread, some by part, some by label: docs/json.md. */
    rows: { part: number | null; pid: number | null; tid: number | null; thread: string | null;
        command: string | null; input: string | null; parts: number | null;
        labels: { key: string; value: Value; unit: string | null }[]; self: Value[] }[];
    rest: { rows: number; self: Value[] };
}

/** tree?way=callees|callers|bottom-up&min=0.5%&depth=N [&func=...] : assay.tree/1 */
export interface TreeRow extends FunctionId {
    depth: number;
    kind: 'function' | 'rest' | 'no_caller';
    inclusive: Value[];
    /** Of callees. */
    self?: Value[] | null;
    recursive: boolean;
    /** Of a rest: how many rows it stands for. */
    rows: number;
    evidence?: 'exact' | 'exact_inclusive' | 'estimated';
}
export interface Tree extends Head {
    way: string;
    rows: TreeRow[];
}

/**
 * diff?view=top|tree|list|peek [&by=...&func=...&min=...&order=self|inclusive&normalize=none|total|time
 * &way=callees|callers|bottom-up&from=N&limit=N&match=RE] : assay.diff/1 of the profile against its base, in docs/json.md.
 * With from, limit and match also `found` and `all`, as in Top.
 */
export interface Difference {
    /** Decimals; strings where a number would lose digits. */
    base: Value;
    new: Value;
    difference: Value;
    significance: 'same' | 'noise' | 'chance' | 'sure';
    interval: [Value, Value] | null;
    p: number | null;
}
export interface DiffRow {
    function: string | null;
    file: string | null;
    line: number | null;
    object: string | null;
    in: 'both' | 'base' | 'new';
    self?: Difference[];
    inclusive: (Difference | null)[];
    depth?: number;
    kind?: 'function' | 'rest' | 'no_caller';
    evidence?: 'exact' | 'estimated';
    rows?: number;
    group?: number;
    text?: string | null;
    role?: 'caller' | 'function' | 'callee';
}
export interface Diff {
    schema: string;
    base: { files: string[] };
    new: { files: string[] };
    view: string;
    /** Of a tree. */
    way: State['way'] | null;
    by: string;
    estimated: boolean;
    events: (Difference & { name: string; unit: string; normalize: string; sampled: boolean;
        noise: string; direction: string; missed_rate: boolean;
        whole: { base: Value; new: Value } | null })[];
    rows: DiffRow[];
    rest: { rows: number; self: { base: Value; new: Value }[] } | null;
    not_compared: string[];
    appeared: number;
    vanished: number;
    found?: number;
    all?: number;
    [more: string]: unknown;
}

/** filters : assay.filters/1: what the filters leave and lose. */
export interface Left extends Head {
    estimated: boolean;
    /** How many moments there are: see moments. */
    moments: number;
    /** There are frames that inline=off would fold. */
    inlined: boolean;
    losses: string[];
    /** Of the patterns in the order of the question. */
    matched: boolean[];
}

/** peek?func=... : assay.peek/1. The callers and callees of one function. */
export interface PeekRow extends FunctionId {
    inclusive: Value[];
    calls: Value | null;
    inner: boolean;
}
export interface Peek extends Head {
    functions: (FunctionId & {
        self: Value[]; inclusive: Value[]; inclusive_at_most?: Value[]; calls: Value | null; recursive: boolean;
        cycle: number | null; no_caller: Value[] | null;
        callers: PeekRow[]; callers_rest: { rows: number; inclusive: Value[] } | null;
        callees: PeekRow[]; callees_rest: { rows: number; inclusive: Value[] } | null;
    })[];
}

/** Of code without a name: the first and the last address of what is listed around the one that was
 *  asked for. Else both are null. */
export interface Stretch extends FunctionId { from: string | null; to: string | null }

/** list?func=... : assay.list/1. The page puts in the text of lines: see Code. */
export interface ListCall extends FunctionId {
    count: Value | null;
    inclusive: Value[];
    recursive: boolean;
}
export interface ListLine {
    of: number;
    depth: number;
    function: string | null;
    file: string | null;
    line: number | null;
    self: Value[];
    inclusive: Value[] | null;
    text: string | null;
    calls: ListCall[];
}
export interface List extends Head {
    functions: (Stretch & { self: Value[]; with_inlined: Value[]; inclusive: Value[] | null;
        calls: Value | null; sources: { file: string; found: string | null; note: string | null }[] })[];
    lines: ListLine[];
}

/** asm?func=... : assay.asm/1 */
export interface AsmRow {
    of: number;
    address: string | null;
    size: number | null;
    text: string | null;
    /** Where it comes from: the function, or that which was inlined there. */
    function: string | null;
    file: string | null;
    line: number | null;
    /** Null: no cost. */
    self: Value[] | null;
    inclusive: Value[] | null;
    target: string | null;
    target_function: string | null;
    calls: ListCall[];
    /** Address of the target; its function where it is another one. */
    jumps: { conditional: boolean; executed: Value; followed: Value; address: string | null;
        function: string | null; file: string | null; line: number | null }[];
}
export interface Asm extends Head {
    functions: (Stretch & { self: Value[]; with_inlined: Value[]; inclusive: Value[] | null;
        calls: Value | null; note: string | null; other_binary: boolean })[];
    instructions: AsmRow[];
}

/** graph?min=0.5%&depth=N&nodes=N : assay.graph/1 */
export interface Graph extends Head {
    nodes: (FunctionId & { id: number; self: Value[]; inclusive: Value[]; inclusive_at_most?: Value[]; calls: Value | null;
        recursive: boolean; cycle: number | null })[];
    /** INNER: inside a recursion, the cost is part of that of other calls. */
    edges: { from: number; to: number; inclusive: Value[]; calls: Value | null;
        inner: boolean }[];
    cycles: { cycle: number; self: Value[]; inclusive: Value[]; calls: Value | null;
        members: number[]; more_members: number }[];
    rest: { nodes: number; self: Value[]; edges: number };
}

/** info : assay.info/1; check : assay.check/1 : docs/json.md. */
export interface Info {
    schema: string;
    file: string;
    format: string;
    producer: string | null;
    command: string | null;
    shape: string;
    estimated: boolean;
    partial: boolean;
    events: { name: string; unit: string | null; title: string | null; period: Value | null;
        period_unit: string | null; total: Value }[];
    parts: Record<string, unknown>[];
    metadata: { part: number; key: string; text: string }[];
    symbols: Record<string, Value>;
    counts: Record<string, number>;
    [more: string]: unknown;
}

/**
 * flame?way=callees|bottom-up|callers[&func=...]&colour=object|file|function|self&boxes=N&icicle=1
 *
 * Boxes depth first, parents before children, the most expensive first: columns of equal length.
 * At most about N boxes (300,000): what is smaller is gathered in boxes of the kind REST. With
 * diff=1 (and normalize=...) it is a comparison with the base: boxes are coloured by change.
 *
 * On the wire: uint32 length of a JSON text (FlameHead), the text, padding to 8 bytes, then the
 * columns one after the other: at, width, self, cost as float64, base as float64 (diff only), depth,
 * name as uint32, kind, colour, flags as uint8. All little endian.
 */
export interface FlameHead {
    schema: 'assay.flame/1';
    /** What facts are asked by. */
    id: number;
    event: string;
    unit: string | null;
    /** Figures count 10^-decimals of the unit: 0 but for comparisons of times. */
    decimals: number;
    /** Exact: of the picture; of the whole profile, of which percentages are. */
    total: Value;
    whole: Value;
    title: string;
    notes: string;
    depth: number;
    small: number;
    estimated: boolean;
    n: number;
    diff: boolean;
    /** Functions, or objects where there are no calls (kind Group): what NAME of a box counts; ''
     *  is one without a name. Their places are in `files`, `objects`, or -1. */
    names: { function: string[]; file: number[]; object: number[]; address: (string | null)[] };
    files: string[];
    objects: string[];
    /** The legend: colour and name. */
    groups: { colour: number; name: string }[];
}
export enum BoxKind { Root, Func, Group, Rest, Entry }
/** Of the column flags. */
export enum BoxFlag { Estimated = 1, Recursive = 2, New = 4, Gone = 8 }
export interface Flame {
    head: FlameHead;
    /** Left edge and width, 0 to head.total. */
    at: Float64Array;
    width: Float64Array;
    self: Float64Array;
    /** What it is said to cost; of a comparison: on the new side. */
    cost: Float64Array;
    /** On the base's side; NaN: not known, of kind Rest, whose cost is its width. */
    base: Float64Array | null;
    depth: Uint32Array;
    /** Kind Func and Group: of head.names. Rest: how many rows it stands for. Else 2^32 - 1. */
    name: Uint32Array;
    kind: Uint8Array;
    colour: Uint8Array;
    flags: Uint8Array;
}

/** facts?flame=ID&boxes=I,J of a flame by its head's id, one of the last 16: exact words. */
export interface Facts {
    boxes: { name: string; facts: string; where: string }[];
}

/** treemap?width=W&height=H */
export interface TreemapBox extends FunctionId {
    x: number;
    y: number;
    w: number;
    h: number;
    kind: 'object' | 'file' | 'function' | 'small';
    colour: number;
    cost: Value;
    /** Of the kind small: functions it stands for. */
    n: number;
}
export interface Treemap extends Head {
    boxes: TreemapBox[];
    small: number;
}

/** Any question may be answered by this: a pattern is wrong, a cost is below 0 ... */
export interface Failure {
    error: string;
    /** The word of the question that is to blame, or null. */
    word: string | null;
}

/**
 * What `assay share` puts into a page beside the profile: text of source and assembly, which the
 * engine has no files for. Lines are numbered from `from`.
 */
export interface Code {
    sources: Record<string, { from: number; lines: string[] }[]>;
    /** Object, as rows name it: instructions by address. */
    asm: Record<string, Instruction[]>;
}
export interface Instruction {
    address: string;
    size: number;
    text: string;
    file: string | null;
    line: number | null;
    target: string | null;
    /** Of the first instruction of a function: the function. Those up to the next one, or up to
     *  a gap, are its code, whether they cost something or not. */
    begins?: string;
}

/** What `assay share` says of the file it was made of, where the engine cannot know it. */
export interface Origin {
    /** Base names, as they are shown. */
    files: string[];
    /** assay.info/1 and assay.check/1 of the file as the program read it. */
    info: Info;
    check: unknown;
    /** What symbolizing said, what embedding lost: lines for the status. */
    notes: string[];
    base?: Origin;
}
