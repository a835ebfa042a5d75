/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile: what every reader makes and every writer, operation and report
 * takes. It is immutable once as_build_finish() has returned it.
 *
 * One idea: three shapes of evidence, places < calls < paths.
 *
 *	places  self cost at (function, file, line, address)	     self rows
 *	calls	plus inclusive cost of each call site -> callee	     call rows
 *	paths	cost of whole call chains			     nodes and samples
 *
 * A caller that wants a table of functions only may have been given what the paths add up to
 * instead of the paths: sums; or, until code has names, stacks (stacks.h).
 * The self cost of a profile is the sum of its self rows, samples, sums and stacks.
 * Tables are columns of small integers; row 0 of each is "unknown" (handles.h).
 * All of it belongs to the profile and dies in as_profile_free().
 */
#ifndef AS_MODEL_PROFILE_H
#define AS_MODEL_PROFILE_H

#include "base/arena.h"
#include "model/handles.h"
#include "model/moments.h"
#include "model/rows.h"
#include "model/shown.h"
#include "model/stacks.h"
#include "model/strings.h"

/* A column of costs. */
struct as_event {
	as_str name;        /* "Ir", "samples", "cycles" */
	as_str unit;        /* "count", "nanoseconds", "bytes"; "" = as the name says */
	as_str title;       /* long name, may be "" */
	uint64_t period;    /* one count stands for PERIOD of PERIOD_UNIT; 0 = unknown */
	as_str period_unit; /* "microseconds", "events" */
	uint32_t active; /* ten-thousandths of the time that it was counted; 0 = all, or unknown */
	bool estimated;  /* scaled up from samples: an estimate, beside the counts that it is of */
};

/* An event that is computed: name = formula, verbatim ("Ir + 10 Bm"). */
struct as_derived {
	as_str name, formula, title;
	bool bare; /* an "event:" line without formula, for a name that is no column */
};

enum as_addr_kind {
	AS_ADDR_UNKNOWN,
	AS_ADDR_FILE_OFFSET, /* offset in the object's file */
	AS_ADDR_VIRTUAL,     /* link-time virtual address */
	AS_ADDR_ABSOLUTE,    /* a run-time address that no mapping explains */
	AS_ADDR_IMAGE,       /* from where the lowest segment of the file is linked to */
};

struct as_object_row {
	as_str path;
	as_str id;           /* build id or DCPI image id, hexadecimal; "" = unknown */
	uint64_t text_start; /* where text begins, if the source says so */
	uint64_t text_size;  /* bytes; 0 = unknown */
	enum as_addr_kind addr_kind;
	uint32_t map; /* its first mapping, from 1; 0 = none */
};

/* A mapping of the recorded process, for formats that record absolute addresses. */
struct as_map {
	uint64_t start, limit; /* [start, limit) */
	uint64_t offset;       /* in the file */
	as_object object;
	uint32_t part;
	uint32_t next; /* mapping of the same object, from 1; 0 = none */
	bool exec;
	uint32_t has; /* AS_MAP_HAS_*: what is known of all code in it */
	as_str text;  /* the source's own line, verbatim; "" if it is ours */
	as_str extra; /* the source's own bytes that the model has no field for */
};

enum { AS_MAP_HAS_FUNCS = 1, AS_MAP_HAS_FILES = 2, AS_MAP_HAS_LINES = 4, AS_MAP_HAS_INLINED = 8 };

enum { AS_POS_INSTR = 1, AS_POS_LINE = 2 };

/*
 * A part: one process, thread, dump or input file. Every fact belongs to one.
 * EVENT lists which of the profile's events the part measured, in its order.
 */
struct as_part {
	as_str name;    /* name of the input, without directories */
	as_str command; /* command line */
	as_str creator; /* program that wrote it */
	as_str thread;  /* name of the thread */
	uint64_t pid, tid, number;
	bool has_pid, has_tid, has_number;
	uint32_t positions; /* AS_POS_* that the source states; 0 = does not say */
	uint32_t n_events;  /* columns measured */
	uint32_t *event;    /* their indexes; arena */
	as_val *summary;    /* declared in the header, n_events values; NULL if it was not, or
				was the sum of the self costs; arena */
	as_val *totals;     /* declared at the end, likewise */
	uint32_t n_summary, n_totals; /* values given; the rest were left out */
	/* The set of labels that its samples have in common, in prof->label; one of none is a part
	 * as a whole. */
	uint32_t first_label, n_labels;
};

/* What the source says of samples: a text, or a number of UNIT. Of several with one key the order
 * is kept. */
struct as_label {
	as_str key;
	as_str text; /* "" = it is a number */
	int64_t number;
	as_str unit;
	as_str extra; /* the source's own bytes that the model has no field for */
	bool opaque;  /* nothing but EXTRA, and that is the sample's, not a label's */
};

/* What a line of metadata is true of. */
enum as_meta_of {
	AS_META_OF_FIELD,   /* what another field of the profile says, too: no loss with the line */
	AS_META_OF_ALL,     /* any profile that has it: it is no number of a single run */
	AS_META_OF_RUN,     /* one run as a whole: dropped where runs are merged */
	AS_META_OF_SAMPLES, /* all samples of one run: dropped also where some are chosen */
	AS_META_OF_SUM,     /* the same, but a number that is added up where all runs have it */
	AS_META_OF_COUNT,   /* the same; who does not say it has 0 */
};

/* A line of the source that the model has no field for, kept to be written again. */
struct as_meta {
	uint32_t part;
	enum as_meta_of of;
	as_str key;  /* "desc", "platform"; "" = a line without key */
	as_str text; /* the rest, verbatim */
};

/* Columns of a call row's values, before the inclusive costs. */
enum { AS_CALL_FUNC, AS_CALL_LINE, AS_CALL_ADDR, AS_CALL_COUNT, AS_CALL_COST };
/* Columns of a jump row's values. Unconditional jumps: executed == followed. */
enum {
	AS_JUMP_COND,
	AS_JUMP_FUNC, /* target function; 0 = the same */
	AS_JUMP_FILE, /* target file + 1; 0 = the same */
	AS_JUMP_LINE,
	AS_JUMP_ADDR,
	AS_JUMP_EXECUTED,
	AS_JUMP_FOLLOWED,
	AS_JUMP_WIDTH
};

enum { AS_SHAPE_PLACES = 1, AS_SHAPE_CALLS = 2, AS_SHAPE_PATHS = 4 };

/* A frame or the site of a cost. */
struct as_pos {
	as_func func;
	as_file file;
	uint64_t line; /* 1-based; 0 = unknown */
	uint64_t addr; /* in the function's object; 0 = unknown */
	bool inlined;  /* a frame: its code is part of the frame above, at the same address */
};

/* What few sources say of a place. */
struct as_place_more {
	uint64_t column; /* in the line, 1-based; 0 = unknown */
	bool folded;     /* other code that is the same was made one with it */
	as_str extra;    /* the source's own bytes that the model has no field for */
};

/* A function as a row of its own: another row differs in one of these. */
struct as_func_row {
	as_str name; /* "" = not known: then ADDR tells which code it is */
	as_object object;
	as_file file;
	uint64_t addr; /* 0 unless the name is unknown */
	as_str system; /* linkage name; "" = not known, as the name */
	uint64_t line; /* where it starts in FILE; 0 = unknown */
	as_str extra;  /* the source's own bytes that the model has no field for */
	/* Without a name: a function begins at ADDR, and all its code is of this row; else the row
	 * is of one address. Rows do not differ in it: who knows it says it for all. */
	bool whole;
};

struct as_profile {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_strings strings;

	as_str format;    /* name of the driver that read it, "" if built or merged from several */
	as_str version;   /* of the format, as the source says it */
	as_str epoch;     /* ISO 8601 start of the recording, or "" */
	int64_t duration; /* of the recording, nanoseconds; 0 = unknown */
	uint32_t shape;   /* AS_SHAPE_* present, most informative one included */
	bool estimated;   /* paths were made from calls: an estimate */
	/* The first event is the one to show unasked. Where it stands in the source, if that says
	 * so of another column than its first; the events before it there come behind it here. */
	uint32_t first_column;
	uint32_t path_depth; /* paths were cut above after so many frames; 0 = they are whole */
	bool partial;        /* the input was damaged; what is here was salvaged */

	AS_VEC(struct as_event) event;
	AS_VEC(struct as_derived) derived;
	AS_VEC(struct as_object_row) object;
	AS_VEC(struct as_map) map;
	AS_VEC(struct as_part) part;
	AS_VEC(struct as_label) label; /* part by part */
	AS_VEC(struct as_meta) meta;
	AS_VEC(as_str) file; /* path of each file */

	struct {                     /* functions, a column each */
		AS_VEC(as_str) name; /* "" = not known: then ADDR tells which code it is */
		AS_VEC(as_object) object;
		AS_VEC(as_file) file;
		AS_VEC(uint64_t) addr; /* 0 unless the name is unknown */
		/* Empty when no function has one: ask as_func_get(). */
		AS_VEC(as_str) system;
		AS_VEC(uint64_t) line;
		AS_VEC(as_str) extra;
		AS_VEC(uint8_t) whole;
	} func;

	struct { /* places, for paths */
		AS_VEC(as_func) func;
		AS_VEC(as_file) file;
		AS_VEC(uint64_t) line;
		AS_VEC(uint64_t) addr;
		AS_VEC(uint8_t) inlined;
		/* Empty when no place has one: ask as_place_get_more(). */
		AS_VEC(uint64_t) column;
		AS_VEC(uint8_t) folded;
		AS_VEC(as_str) extra;
	} place;

	struct { /* the tree of paths, depth first: parent.p[i].i < i, subtrees are stretches */
		AS_VEC(as_node) parent;
		AS_VEC(as_place) place;
	} node;

	struct { /* costs of nodes, sorted by (part, node), unique */
		AS_VEC(uint32_t) part;
		AS_VEC(as_node) node;
		AS_VEC(as_val) cost; /* n_events values each */
		/* Which comes first in the source, by size; empty unless it was asked for. */
		AS_VEC(uint32_t) order;
	} sample;

	struct { /* paths as sums of functions, each of them once; then there are no samples */
		AS_VEC(as_func) func;
		AS_VEC(as_val) cost; /* of each n_events values of self cost, then inclusive ones */
		AS_VEC(uint8_t) recursive; /* some path has it twice */
	} sums;

	struct as_stacks stacks;   /* paths that will be sums; then there are no samples */
	struct as_moments moments; /* when the samples were counted */

	struct as_rows self; /* values: a cost per event */
	struct as_rows call; /* values: AS_CALL_*, then an inclusive cost per event */
	struct as_rows jump; /* values: AS_JUMP_* */
	as_val *total;       /* sum of all self cost, a value per event; arena */
	as_val *whole;       /* the total of the profile that this was chosen from; NULL = TOTAL;
			      * arena. Shares are shares of it, see as_whole() */
	/* How views show the names of functions, NULL: as they are. Borrowed, and no part of what
	 * the profile says: its owner sets it, and what is made out of the profile has it too. */
	struct as_shown *shown;
};

void as_profile_free(struct as_profile *prof); /* NULL is fine */
/* What has become of *PROF, in its place; NULL: it stays. */
void as_profile_replace(struct as_profile **prof, struct as_profile *by);
/* Release the memory of paths and samples; NULL is fine. Only names are asked for after that. */
void as_profile_drop_paths(struct as_profile *prof);

static inline uint32_t as_n_events(const struct as_profile *prof)
{
	return (uint32_t)prof->event.n;
}

/* Find the first event called NAME; false if there is none, and *EVENT stays what it was. */
bool as_profile_event(const struct as_profile *prof, struct as_slice name, uint32_t *event);

/* The event that stands in COLUMN of the source. */
static inline uint32_t as_event_in_column(const struct as_profile *prof, uint32_t column)
{
	uint32_t first = prof->first_column < prof->event.n ? prof->first_column : 0;

	return column > first ? column : column == first ? 0 : column + 1;
}

/* What costs are a share of, a value per event: more than the total where filters left some out. */
static inline const as_val *as_whole(const struct as_profile *prof)
{
	return prof->whole ? prof->whole : prof->total;
}

static inline struct as_slice as_str_get(const struct as_profile *prof, as_str s)
{
	return as_strings_get(&prof->strings, s);
}

static inline struct as_slice as_event_name(const struct as_profile *prof, uint32_t event)
{
	return as_str_get(prof, prof->event.p[event].name);
}

static inline struct as_slice as_func_name(const struct as_profile *prof, as_func f)
{
	return as_str_get(prof, prof->func.name.p[f.i]);
}

/* Whether PROF was read from the format of that name. */
bool as_profile_is_from(const struct as_profile *prof, const char *format);

/* NAME, a function's or what is left of it once contexts are folded, as views show it. */
static inline struct as_slice as_shown_name(const struct as_profile *prof, struct as_slice name)
{
	return prof->shown ? as_shown_find(prof->shown, name) : name;
}

static inline struct as_slice as_file_path(const struct as_profile *prof, as_file f)
{
	return as_str_get(prof, prof->file.p[f.i]);
}

static inline struct as_slice as_object_path(const struct as_profile *prof, as_object o)
{
	return as_str_get(prof, prof->object.p[o.i].path);
}

static inline struct as_pos as_place_pos(const struct as_profile *prof, as_place p)
{
	return (struct as_pos){prof->place.func.p[p.i], prof->place.file.p[p.i],
		prof->place.line.p[p.i], prof->place.addr.p[p.i], prof->place.inlined.p[p.i]};
}

static inline struct as_place_more as_place_get_more(const struct as_profile *prof, as_place p)
{
	struct as_place_more more = {0};

	if (prof->place.column.n)
		more.column = prof->place.column.p[p.i];
	if (prof->place.folded.n)
		more.folded = prof->place.folded.p[p.i];
	if (prof->place.extra.n)
		more.extra = prof->place.extra.p[p.i];
	return more;
}

/* Whether F is a function without a name, known by where it begins. */
static inline bool as_func_is_whole(const struct as_profile *prof, as_func f)
{
	return prof->func.whole.n && prof->func.whole.p[f.i];
}

static inline struct as_func_row as_func_get(const struct as_profile *prof, as_func f)
{
	struct as_func_row row = {
		.name = prof->func.name.p[f.i],
		.object = prof->func.object.p[f.i],
		.file = prof->func.file.p[f.i],
		.addr = prof->func.addr.p[f.i],
	};

	if (prof->func.system.n)
		row.system = prof->func.system.p[f.i];
	if (prof->func.line.n)
		row.line = prof->func.line.p[f.i];
	if (prof->func.extra.n)
		row.extra = prof->func.extra.p[f.i];
	row.whole = as_func_is_whole(prof, f);
	return row;
}

/* The linkage name of F where it is another than its name, else "". */
static inline as_str as_func_system(const struct as_profile *prof, as_func f)
{
	as_str none = {0};

	if (!prof->func.system.n || prof->func.system.p[f.i].i == prof->func.name.p[f.i].i)
		return none;
	return prof->func.system.p[f.i];
}

/* The labels of part I; *N of them. */
static inline const struct as_label *as_part_labels(
	const struct as_profile *prof, size_t i, uint32_t *n)
{
	*n = prof->part.p[i].n_labels;
	return *n ? prof->label.p + prof->part.p[i].first_label : NULL;
}

/* "places", "calls" or "paths": the most informative shape present. */
const char *as_shape_text(const struct as_profile *prof);
/* Whether an object of that path is a file: "[heap]", "//anon", "/dev/zero", nothing are none,
 * whatever stands at that path; a program that its profile does not name is one. */
#define AS_PATH_PROGRAM "[program]"
bool as_path_is_file(struct as_slice path);
/* Whether PATH is no object, but says what is missing: "[truncated]", the frames below; "[lost]", a
 * stack; "[unsampled]", where a thread was at its end. The recorder writes them. */
bool as_path_is_gap(struct as_slice path);
/* Nanoseconds of "nanoseconds" to "seconds", 0 for another unit. */
uint64_t as_unit_nanos(struct as_slice unit);

/* The value of the first meta line KEY of PART, or an empty slice with p == NULL. */
struct as_slice as_meta_get(const struct as_profile *prof, uint32_t part, const char *key);

#endif
