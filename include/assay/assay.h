/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libassay reads, checks, names, filters, projects, lists, compares, builds, merges, converts and
 * writes CPU profiles.
 * docs/library.md is the guide; docs/examples/ has programs.
 *
 * Threads: different objects may be used in different threads at the same time; one profile,
 * which never changes, may be used by many at once. The library has no global state, prints
 * nothing, never exits and does not read the environment.
 *
 * Ownership: what a function gives through a `struct assay_X **` is the caller's, who ends it
 * with assay_X_free(); NULL is fine there. What is called "borrowed" lives as long as the object
 * it comes from. After a failure such an out-pointer is NULL.
 *
 * Failures: a function returns ASSAY_OK or says in ERR, which may be NULL, what went wrong.
 * ASSAY_E_ARG is the caller's mistake, and then nothing has changed.
 *
 * Structs that begin with `size` may grow at their end. The caller zeroes them and sets size to
 * sizeof; bytes that this library does not know must be zero. Options may be NULL: all zero.
 */
#ifndef ASSAY_ASSAY_H
#define ASSAY_ASSAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ASSAY_NODISCARD __attribute__((warn_unused_result))
#pragma GCC visibility push(default)
#else
#define ASSAY_NODISCARD
#endif
#ifdef __cplusplus
extern "C" {
#endif

const char *assay_version(void); /* "0.1.0" */

enum assay_code {
	ASSAY_OK = 0,
	ASSAY_END = 1,           /* there is no more; not an error */
	ASSAY_E_FORMAT = 2,      /* the input breaks its format's rules */
	ASSAY_E_TRUNC = 3,       /* the input ends too early */
	ASSAY_E_UNSUPPORTED = 4, /* valid, but beyond us or beyond the target format */
	ASSAY_E_LIMIT = 5,       /* a limit of ours or of the target format is exceeded */
	ASSAY_E_IO = 6,          /* the system, or a callback of yours, said no */
	ASSAY_E_NOMEM = 7,
	ASSAY_E_ARG = 8, /* the caller's mistake; nothing has changed */
	ASSAY_E_CANCELLED = 9,
	ASSAY_E_NOTPROFILE = 10, /* the input is something else: ELF, text ... */
};
#define ASSAY_CODE ASSAY_NODISCARD enum assay_code /* one that must be looked at */
const char *assay_code_text(enum assay_code code); /* "damaged input" */
#define ASSAY_NO_OFFSET UINT64_MAX

/* The caller's, in any state before the call; filled on failure, cleared on success. */
struct assay_error {
	enum assay_code code;
	int sys_errno;     /* the errno behind ASSAY_E_IO, or 0 */
	uint64_t offset;   /* byte in the decompressed input, or ASSAY_NO_OFFSET */
	uint64_t line;     /* 1-based; 0 where there are no lines */
	char name[512];    /* of the input or output, or "" */
	char message[512]; /* one line, lower case, no full stop; foreign bytes are escaped */
};

/* Bytes that somebody else owns, without NUL at the end. What the library gives has a P. */
struct assay_slice {
	const char *p;
	size_t len;
};
struct assay_slice assay_slice_of(const char *text); /* borrows TEXT; NULL is "" */

/* A cost or a count: high * 2^64 + low, a signed number of 128 bits. Sums never overflow. */
struct assay_value {
	uint64_t low;
	int64_t high;
};
struct assay_value assay_value_of(int64_t v);
/* ASSAY_E_LIMIT, and the nearest number there is in *OUT, if V does not fit. */
enum assay_code assay_value_i64(struct assay_value v, int64_t *out);
/* V in decimal, as snprintf() would; 41 bytes are enough. */
int assay_value_text(struct assay_value v, char *buf, size_t size);

/* RESIZE is malloc, realloc and free in one: P may be NULL (then OLD is 0); SIZE 0 frees and
 * returns NULL; on failure it returns NULL and P stays. Opening and writing with threads call it
 * in them. The allocator outlives all that is made with it; what is made from a profile uses its
 * own. */
struct assay_allocator;
ASSAY_CODE assay_allocator_new(void *(*resize)(void *ctx, void *p, size_t old, size_t size),
	void *ctx, struct assay_allocator **out);
void assay_allocator_free(struct assay_allocator *al);

/* ---- findings: the input is odd, reading goes on ---- */
enum assay_severity { ASSAY_INFO, ASSAY_WARNING, ASSAY_ERROR };

struct assay_finding {
	size_t size;
	enum assay_severity severity;
	const char *code;        /* "cg-totals-differ": docs/findings.md; constant */
	struct assay_slice file; /* borrowed from the findings */
	uint64_t line;           /* 1-based, or 0 */
	uint64_t offset;         /* or ASSAY_NO_OFFSET */
	struct assay_slice message;
};

/* May be given to several reads, one after the other. The first 20 of each code are kept. */
struct assay_findings;
ASSAY_CODE assay_findings_new(const struct assay_allocator *al, struct assay_findings **out);
void assay_findings_free(struct assay_findings *f);
uint64_t assay_findings_total(const struct assay_findings *f, enum assay_severity severity);
size_t assay_findings_count(const struct assay_findings *f); /* those that were kept */
enum assay_code assay_findings_get(
	const struct assay_findings *f, size_t i, struct assay_finding *out);

/* ---- losses: what a target cannot carry ---- */
struct assay_loss {
	size_t size;
	const char *kind;        /* "calls", "lines": constant */
	uint64_t amount;         /* how many of them; UINT64_MAX: as many, or more */
	struct assay_slice text; /* "call edges", or "call edge" of one; borrowed */
};

/* May be given to several calls; equal kinds are added up. */
struct assay_losses;
ASSAY_CODE assay_losses_new(const struct assay_allocator *al, struct assay_losses **out);
void assay_losses_free(struct assay_losses *l);
size_t assay_losses_count(const struct assay_losses *l);
enum assay_code assay_losses_get(const struct assay_losses *l, size_t i, struct assay_loss *out);

/* ---- formats ---- */
struct assay_format {
	size_t size;
	const char *name;  /* "callgrind"; all texts are constant */
	const char *title; /* one line */
	const char *exts;  /* "prof,cpu": usual endings of file names, or "" */
	bool can_read, can_write;
};
size_t assay_format_count(void);
enum assay_code assay_format_get(size_t i, struct assay_format *out);

/* ---- reading ---- */
enum assay_detail {
	ASSAY_DETAIL_FULL,     /* everything that the input holds */
	ASSAY_DETAIL_LINE,     /* no addresses, no jumps */
	ASSAY_DETAIL_FUNCTION, /* per function only: fast, and little memory */
};
#define ASSAY_THREADS_ALL UINT32_MAX /* as many as there are processors */

struct assay_open_options {
	size_t size;
	const char *format; /* name of a format; NULL: the content tells */
	const char *name;   /* of the input, for messages; assay_open_file() has the path */
	enum assay_detail detail;
	bool strict;      /* what is an ASSAY_ERROR finding ends reading, with ASSAY_E_FORMAT */
	bool check;       /* look for findings beyond what reading needs */
	uint32_t threads; /* that may work on a large input; 0 and 1: the caller's alone */
	const char *const *driver_options; /* "key=value", as `assay formats -v` lists them */
	size_t n_driver_options;
	struct assay_findings *findings; /* told what is odd, also if reading fails; may be NULL */
	const struct assay_allocator *allocator; /* NULL: malloc */
	/* Bytes that the profile may take, while it is read and afterwards: a small input may be
	 * packed so that it becomes a large one. ASSAY_E_LIMIT: it wants more. 0: no limit. */
	uint64_t max_memory;
	bool moments; /* keep when samples were counted: formats that say it are written with it */
};

/* As read(2): bytes read, 0 at the end, negative errno. */
typedef ptrdiff_t assay_read_fn(void *ctx, void *buf, size_t n);

struct assay_profile;
/* "-" is standard input. gzip and zstd are undone, here and below. */
ASSAY_CODE assay_open_file(const char *path, const struct assay_open_options *opts,
	struct assay_profile **out, struct assay_error *err);
/* DATA is not needed any more afterwards. */
ASSAY_CODE assay_open_memory(const void *data, size_t n, const struct assay_open_options *opts,
	struct assay_profile **out, struct assay_error *err);
ASSAY_CODE assay_open_callback(assay_read_fn *read, void *ctx,
	const struct assay_open_options *opts, struct assay_profile **out, struct assay_error *err);
void assay_profile_free(struct assay_profile *prof);

/* ---- what a profile holds; slices are borrowed from it; ASSAY_E_ARG: I is too large ---- */
enum { ASSAY_SHAPE_PLACES = 1, ASSAY_SHAPE_CALLS = 2, ASSAY_SHAPE_PATHS = 4 };

struct assay_info {
	size_t size;
	struct assay_slice format, version; /* of the input; "" if built or merged from several */
	struct assay_slice epoch;           /* ISO 8601 start of the recording, or "" */
	uint32_t shapes;                    /* ASSAY_SHAPE_* that are there */
	bool estimated;                     /* paths were made from calls */
	bool partial;                       /* the input was damaged; this was salvaged */
	/* Rows of the tables below. Number 0 of objects, files and functions is "unknown". */
	uint32_t n_events, n_parts, n_objects, n_files, n_functions;
	uint64_t n_self, n_calls, n_jumps, n_samples; /* facts */
	uint32_t path_depth; /* paths were cut above after so many frames; 0: they are whole */
};
enum assay_code assay_profile_info(const struct assay_profile *prof, struct assay_info *out);

struct assay_event {
	size_t size;
	struct assay_slice name, unit, title; /* "Ir", "count" ...; unit and title may be "" */
	uint64_t period;                      /* a count stands for so many ... */
	struct assay_slice period_unit;       /* ... "microseconds", "events"; 0: unknown */
	struct assay_value total;             /* self cost of the whole profile */
	struct assay_value whole; /* of the profile that filters chose this from, else TOTAL */
};
/* A process, thread, dump or input file. */
struct assay_part {
	size_t size;
	struct assay_slice name, command, creator, thread; /* "" where unknown */
	uint64_t pid, tid, number;
	bool has_pid, has_tid, has_number;
	/* What all of its samples have: assay_label_get(). A builder takes labels in
	 * assay_builder_labelled(), not here. */
	uint32_t n_labels;
};
/* What the source says of samples. Those of a distinct set are a part of their own, behind the
 * part that they are split off. */
struct assay_label {
	size_t size;
	struct assay_slice key;
	struct assay_slice text; /* "": it is a number */
	int64_t number;
	struct assay_slice unit; /* of the number, or "" */
};
enum assay_address_kind {
	ASSAY_ADDRESS_UNKNOWN,
	ASSAY_ADDRESS_FILE_OFFSET, /* in the object's file */
	ASSAY_ADDRESS_VIRTUAL,     /* as the object was linked */
	ASSAY_ADDRESS_ABSOLUTE,    /* as the process ran; no mapping explains it */
};
/* An ELF image or another module. */
struct assay_object {
	size_t size;
	struct assay_slice path, id;    /* id: build id, hexadecimal, or "" */
	uint64_t text_start, text_size; /* 0: unknown */
	enum assay_address_kind address_kind;
};
struct assay_function {
	size_t size;
	struct assay_slice name; /* "": unknown, ADDRESS tells which code it is */
	uint32_t object, file;
	uint64_t address;
};
enum assay_code assay_event_get(const struct assay_profile *p, uint32_t i, struct assay_event *out);
enum assay_code assay_part_get(const struct assay_profile *p, uint32_t i, struct assay_part *out);
/* Label I of PART. Those of one key stand together, in the order of the source. */
enum assay_code assay_label_get(
	const struct assay_profile *p, uint32_t part, uint32_t i, struct assay_label *out);
enum assay_code assay_object_get(
	const struct assay_profile *p, uint32_t i, struct assay_object *out);
enum assay_code assay_file_get(const struct assay_profile *p, uint32_t i, struct assay_slice *out);
enum assay_code assay_function_get(
	const struct assay_profile *p, uint32_t i, struct assay_function *out);

/* ---- facts, one by one ---- */
struct assay_position {
	uint32_t function, file; /* the file of the line: another than the function's if inlined */
	uint64_t line, address;  /* 0: unknown; the address is one in the function's object */
};
enum assay_fact_kind { ASSAY_SELF, ASSAY_CALL, ASSAY_JUMP, ASSAY_SAMPLE };

/* What a cursor gives and a builder takes. Fields that do not belong to the kind are zero. */
struct assay_fact {
	size_t size;
	enum assay_fact_kind kind;
	uint32_t part;
	struct assay_position at;            /* self: where; call, jump: from where */
	struct assay_position to;            /* call: the callee, without file; jump: the target */
	struct assay_value count;            /* call: times; jump: times executed */
	struct assay_value followed;         /* jump: times followed */
	bool conditional;                    /* jump; others are followed always */
	const struct assay_position *frames; /* sample: the path, outermost caller first */
	size_t n_frames;
	const struct assay_value *costs; /* per event; call: inclusive; jump: none */
	uint32_t n_costs;                /* a builder takes fewer than events: the rest is zero */
};

/* Walks all facts of a kind. PROF outlives the cursor. */
struct assay_cursor;
ASSAY_CODE assay_cursor_new(
	const struct assay_profile *prof, enum assay_fact_kind kind, struct assay_cursor **out);
void assay_cursor_free(struct assay_cursor *cur);
/* ASSAY_END after the last. frames and costs are borrowed until the next call. */
ASSAY_CODE assay_cursor_next(struct assay_cursor *cur, struct assay_fact *out);

/* ---- projection: self and inclusive cost per function, file ... ---- */
enum assay_by {
	ASSAY_BY_FUNCTION,
	ASSAY_BY_FILE,
	ASSAY_BY_OBJECT,
	ASSAY_BY_LINE,
	ASSAY_BY_ADDRESS,
	ASSAY_BY_FILEFUNCTION, /* a function's code in one file: what is inlined is apart */
	/* Here inclusive cost is self cost, and there are no edges. */
	ASSAY_BY_PART,
	ASSAY_BY_THREAD,
	ASSAY_BY_LABEL /* the set of labels that samples have, or the values of one key */
};

struct assay_project_options {
	size_t size;
	enum assay_by by;
	bool keep_contexts;    /* Callgrind's "f'2" and "f'caller" are not folded into "f" */
	bool no_cycles;        /* raw sums: cycles are not collapsed */
	bool edges;            /* find the edges between rows as well */
	const char *label_key; /* by label: of this key only; NULL: all labels */
};

struct assay_row {
	size_t size;
	/* Of the function, file, object, thread or part; by label "key=text, other=12bytes", of one
	 * key the values. Borrowed from the table. */
	struct assay_slice name;
	uint32_t function, file, object; /* 0: unknown, or does not belong to a row of this kind */
	uint64_t line, address;
	uint32_t cycle; /* 1-based number of the cycle it belongs to, or 0 */
	bool is_cycle;  /* stands for a whole cycle, beside its members: do not add it up */
	bool has_calls; /* CALLS, times called, is known */
	struct assay_value calls;
	const struct assay_value *self;      /* a value per event; borrowed from the table */
	const struct assay_value *inclusive; /* NULL where the evidence does not tell it */
	uint32_t part;    /* by part, thread, label: one of those that the row stands for */
	uint32_t n_parts; /* how many they are */
};
struct assay_edge {
	size_t size;
	uint32_t from, to; /* rows */
	struct assay_value count;
	const struct assay_value *costs; /* inclusive, per event; borrowed from the table */
};

/* PROF outlives the table. A table may be read in many threads at once. */
struct assay_table;
ASSAY_CODE assay_project(const struct assay_profile *prof, const struct assay_project_options *opts,
	struct assay_table **out, struct assay_error *err);
void assay_table_free(struct assay_table *table);
size_t assay_table_rows(const struct assay_table *table);
size_t assay_table_edges(const struct assay_table *table);
enum assay_code assay_table_row(const struct assay_table *table, size_t i, struct assay_row *out);
enum assay_code assay_table_edge(const struct assay_table *table, size_t i, struct assay_edge *out);
/* Numbers of all rows, largest first by self or inclusive cost of EVENT, ties in a fixed order. */
ASSAY_CODE assay_table_sort(
	const struct assay_table *table, uint32_t event, bool inclusive, uint32_t *order);

/* ---- trees of calls: paths by function, from either end; of calls they are estimated ---- */
enum assay_tree_way {
	ASSAY_TREE_CALLEES,  /* from the roots, or from a function, down; inclusive cost */
	ASSAY_TREE_CALLERS,  /* from a function up; what of its inclusive cost came that way */
	ASSAY_TREE_BOTTOM_UP /* from where the cost is up; self cost */
};
struct assay_tree_options {
	size_t size;
	enum assay_tree_way way;
	/* A row by function, of a table with the same keep_contexts: of that function alone. NULL:
	 * of all; but callers are those of one. */
	const struct assay_row *of;
	bool keep_contexts, no_cycles; /* as in struct assay_project_options */
	uint32_t event;                /* sorts the rows, and is compared with MIN */
	struct assay_value min;        /* what costs less is left out: a row of the rest says it */
	uint32_t depth;                /* levels; 0: all */
};
enum assay_tree_kind {
	ASSAY_TREE_FUNCTION,
	ASSAY_TREE_REST,     /* rows that were left out */
	ASSAY_TREE_NO_CALLER /* paths that begin with the row above */
};
/* Rows come depth first, the most expensive first. What is below a row costs what it costs itself,
 * but, of callees, its self cost: rows of the rest see to that. */
struct assay_tree_row {
	size_t size;
	enum assay_tree_kind kind;
	uint32_t depth;                  /* rows above it */
	struct assay_slice name;         /* of a function; borrowed from the tree */
	uint32_t function, file, object; /* 0: unknown, or PROF has calls and paths side by side */
	uint64_t address;                /* of a function without a name */
	uint64_t n_rest;                 /* rows that a row of the rest stands for */
	bool again;                      /* the function is above, too, or known to be recursive */
	bool estimated;                  /* COST is; else it is exact */
	bool self_estimated;
	const struct assay_value *cost; /* a value per event; borrowed from the tree */
	const struct assay_value *self; /* likewise; NULL but for callees */
};
/* PROF outlives the tree. ASSAY_E_UNSUPPORTED: it does not say who called whom. */
struct assay_tree;
ASSAY_CODE assay_tree_new(const struct assay_profile *prof, const struct assay_tree_options *opts,
	struct assay_tree **out, struct assay_error *err);
void assay_tree_free(struct assay_tree *tree);
size_t assay_tree_count(const struct assay_tree *tree);
enum assay_code assay_tree_get(const struct assay_tree *tree, size_t i, struct assay_tree_row *out);

/* ---- functions by what somebody types, and what their lines or instructions cost ---- */
struct assay_find_options {
	size_t size;
	bool by_address;                      /* listings are by instruction; else by line */
	bool keep_contexts, no_cycles, edges; /* as in struct assay_project_options */
	uint32_t event; /* the largest functions, and calls of a line, come first */
};
/* WHAT is a name, a part of one, a regular expression, "FILE:LINE" or "[OBJECT+0xADDRESS]", as
 * `assay list` takes it. That nothing is found is no error; ASSAY_E_LIMIT: the regular expression
 * is too large. PROF outlives what is found. */
struct assay_found;
ASSAY_CODE assay_find(const struct assay_profile *prof, const char *what,
	const struct assay_find_options *opts, struct assay_found **out, struct assay_error *err);
void assay_found_free(struct assay_found *found);
size_t assay_found_count(const struct assay_found *found);
/* All functions of PROF, as assay_project() has them; borrowed. */
const struct assay_table *assay_found_table(const struct assay_found *found);
/* The row of the Ith that was found, the largest first; SIZE_MAX: I is too large. */
size_t assay_found_row(const struct assay_found *found, size_t i);

/* A line, or an instruction, of a function or of what was inlined there. */
struct assay_line {
	size_t size;
	uint32_t function, file; /* its own: of what was inlined, if that is what it is of */
	uint64_t line, address;  /* 0: unknown */
	uint32_t depth;          /* what was inlined follows the line that called it, one deeper */
	uint32_t call, n_calls;  /* first and number of assay_listing_call() */
	uint32_t jump, n_jumps;  /* likewise of assay_listing_jump() */
	const struct assay_value *self; /* a value per event; borrowed from the listing */
	/* Likewise; without calls back into the function or its cycle. NULL: unknown. */
	const struct assay_value *inclusive;
};
/* Of the Ith function of FOUND, which outlives it; the self costs of all lines add up to that of
 * its code and of what was inlined into it. */
struct assay_listing;
ASSAY_CODE assay_list(
	struct assay_found *found, size_t i, struct assay_listing **out, struct assay_error *err);
void assay_listing_free(struct assay_listing *list);
size_t assay_listing_lines(const struct assay_listing *list);
enum assay_code assay_listing_line(
	const struct assay_listing *list, size_t i, struct assay_line *out);
/* What a line calls, and where it jumps to. The count of a call is 0 where only paths are known. */
enum assay_code assay_listing_call(
	const struct assay_listing *list, size_t i, struct assay_fact *out);
enum assay_code assay_listing_jump(
	const struct assay_listing *list, size_t i, struct assay_fact *out);

/* The text of a source file, wherever it is now. */
struct assay_source_options {
	size_t size;
	const char *const *path_map; /* "OLD=NEW": paths that begin with OLD begin with NEW */
	size_t n_path_map;
	const char *const *source_path; /* directories, searched for ever shorter tails of a path */
	size_t n_source_path;
	const struct assay_allocator *allocator;
};
/* PATH is as a profile has it. ASSAY_E_IO: there is no such file, and the message says where it was
 * looked for; ASSAY_E_LIMIT: it has more than 256 MB. */
struct assay_source;
ASSAY_CODE assay_source_open(struct assay_slice path, const struct assay_source_options *opts,
	struct assay_source **out, struct assay_error *err);
void assay_source_free(struct assay_source *src);
struct assay_slice assay_source_path(const struct assay_source *src); /* where it was found */
/* Line N, from 1, without its end; "" where there is none. Borrowed. */
struct assay_slice assay_source_line(const struct assay_source *src, uint64_t n);

/* ---- building ---- */
/* It keeps its last error. After finish, or a failure but ASSAY_E_ARG, it can only be freed. */
struct assay_builder;
ASSAY_CODE assay_builder_new(const struct assay_allocator *al, struct assay_builder **out);
void assay_builder_free(struct assay_builder *b);
const struct assay_error *assay_builder_error(const struct assay_builder *b); /* borrowed */
/* Each finds or adds a row (a part: always adds) and gives its number in *I, which may be NULL.
 * Texts are copied. Events come before the first sample. */
ASSAY_CODE assay_builder_event(struct assay_builder *b, const struct assay_event *p, uint32_t *i);
ASSAY_CODE assay_builder_part(struct assay_builder *b, const struct assay_part *part, uint32_t *i);
ASSAY_CODE assay_builder_object(struct assay_builder *b, const struct assay_object *p, uint32_t *i);
ASSAY_CODE assay_builder_file(struct assay_builder *b, struct assay_slice path, uint32_t *i);
ASSAY_CODE assay_builder_function(
	struct assay_builder *b, const struct assay_function *p, uint32_t *i);
/* The part that is as the one which assay_builder_part() added last, of samples that have these N
 * labels: found or added. Part 0 is made if there is none. N == 0 is that part itself. */
ASSAY_CODE assay_builder_labelled(
	struct assay_builder *b, const struct assay_label *const *labels, size_t n, uint32_t *i);
/* Equal facts add up. Part 0 is made if there is none. */
ASSAY_CODE assay_builder_add(struct assay_builder *b, const struct assay_fact *fact);
ASSAY_CODE assay_builder_finish(struct assay_builder *b, struct assay_profile **out);

/* ---- merging and changing shape; the inputs stay as they are ---- */
struct assay_merge_options {
	size_t size;
	bool keep_parts;             /* else all facts become those of one part */
	struct assay_losses *losses; /* told what differs and cannot be kept; may be NULL */
	const struct assay_allocator *allocator;
};

/* Matched are events by name, functions by name, file and object, places by line and address. */
struct assay_merger;
ASSAY_CODE assay_merger_new(const struct assay_merge_options *opts, struct assay_merger **out);
void assay_merger_free(struct assay_merger *m);
const struct assay_error *assay_merger_error(const struct assay_merger *m); /* as a builder's */
/* PROF may be freed afterwards. ASSAY_E_ARG: it does not go with the others and was left out. */
ASSAY_CODE assay_merger_add(struct assay_merger *m, const struct assay_profile *prof);
ASSAY_CODE assay_merger_finish(struct assay_merger *m, struct assay_profile **out);

/* Paths become calls, calls become places: exact, a sum. LOSSES may be NULL. */
ASSAY_CODE assay_to_calls(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err);
ASSAY_CODE assay_to_places(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err);
/* Calls become paths: an estimate, and the result says so. */
ASSAY_CODE assay_estimate_paths(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err);
/* Callgrind's "f'caller" become paths: exact, and as deep as the names go, see path_depth. */
ASSAY_CODE assay_context_paths(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err);

/* ---- names for code that has only addresses, out of its binaries; docs/symbols.md ---- */
struct assay_symbolize_options {
	size_t size;
	/* Files that moved: each is the object of the same build id, else of the same name. */
	const char *const *binaries;
	size_t n_binaries;
	const char *const *path_map; /* "OLD=NEW": paths that begin with OLD begin with NEW */
	size_t n_path_map;
	const char *const *debug_dirs; /* searched for separate debug files, too */
	size_t n_debug_dirs;
	const char *symfs; /* objects are below this directory; NULL: "/" */
	uint64_t
		recorded; /* seconds since 1970: binaries that are newer were changed; 0: unknown */
	bool force;       /* use binaries that are known to be others */
	bool no_inlines;  /* inlined functions are part of their callers */
	uint32_t threads; /* that may work on a large binary; 0 and 1: the caller's alone */
};
enum assay_object_state {
	ASSAY_OBJECT_NAMED,
	ASSAY_OBJECT_MISSING,   /* no such file */
	ASSAY_OBJECT_CHANGED,   /* it is another build: not used */
	ASSAY_OBJECT_DAMAGED,   /* cannot be read */
	ASSAY_OBJECT_NO_NAMES,  /* it has none for these addresses */
	ASSAY_OBJECT_NOT_A_FILE /* [heap], //anon, or no object at all */
};
/* What became of an object with nameless code. */
struct assay_symbol_object {
	size_t size;
	uint32_t object; /* of the profile; 0: code that no object explains */
	enum assay_object_state state;
	struct assay_slice file; /* that was opened, or "" */
	struct assay_slice note; /* what people should know, or "" */
	bool unproven;           /* nothing tells whether it is the file that was recorded */
	uint64_t n_addresses, n_named;
};
/* *OUT is PROF with all names that were found, maybe none: a binary that cannot be had is no error.
 * FOUND, which may be NULL, gets what became of each. Names are not asked for from servers, and
 * memory for binaries is malloc's. ASSAY_E_UNSUPPORTED: elfutils was not built in. */
struct assay_symbols;
ASSAY_CODE assay_symbolize(const struct assay_profile *prof,
	const struct assay_symbolize_options *opts, struct assay_profile **out,
	struct assay_symbols **found, struct assay_error *err);
void assay_symbols_free(struct assay_symbols *syms);
size_t assay_symbols_count(const struct assay_symbols *syms);
enum assay_code assay_symbols_get(
	const struct assay_symbols *syms, size_t i, struct assay_symbol_object *out);

/* ---- linkage names to readable ones: C++, Rust, D ---- */
enum assay_name_level {
	ASSAY_NAMES_FULL,        /* std::vector<int>::push_back(int const&) */
	ASSAY_NAMES_NOARGS,      /* std::vector<int>::push_back */
	ASSAY_NAMES_NOTEMPLATES, /* std::vector::push_back */
	ASSAY_NAMES_SHORT        /* push_back */
};
/* NAME, readable, in BUF as snprintf() would put it, and how long that is in *LEN, which may be
 * NULL. What is no linkage name, or would become huge, stays as it is. */
ASSAY_CODE assay_demangle(
	struct assay_slice name, enum assay_name_level level, char *buf, size_t size, size_t *len);

/* ---- filters: the part of a profile that is chosen; docs/filters.md has the rules ---- */
enum assay_filter_kind {
	ASSAY_FILTER_FOCUS,      /* samples with a frame that matches */
	ASSAY_FILTER_IGNORE,     /* samples without one */
	ASSAY_FILTER_HIDE,       /* frames that match go */
	ASSAY_FILTER_SHOW,       /* frames that do not match go */
	ASSAY_FILTER_SHOW_FROM,  /* frames above the highest that matches go */
	ASSAY_FILTER_PRUNE_FROM, /* frames below the lowest that matches go */
	ASSAY_FILTER_OBJECT      /* samples whose last frame matches */
};
enum { ASSAY_MATCH_FUNCTION = 1, ASSAY_MATCH_FILE = 2, ASSAY_MATCH_OBJECT = 4 };

/* Whether TEXT matches; each name of the profile is asked for once. */
typedef bool assay_match_fn(const void *ctx, struct assay_slice text);
struct assay_matcher {
	size_t size;
	enum assay_filter_kind kind; /* of several of a kind one is enough */
	unsigned fields;             /* ASSAY_MATCH_*: a frame matches if one of them does */
	assay_match_fn *match;
	const void *ctx;
};
struct assay_filter_options {
	size_t size;
	const struct assay_matcher *const *matchers;
	size_t n_matchers;
	const bool *keep_parts;      /* of each part: whether its facts stay; NULL: all do */
	bool keep_contexts;          /* names are those in the profile, Callgrind's "f'2", too */
	bool relative;               /* forget the whole that this was chosen from */
	struct assay_losses *losses; /* told what gets lost; may be NULL */
	bool *matched; /* of each matcher: set to whether it matched something; may be NULL */
};
/* The result is an estimate, and says so, where a profile has calls, no paths, and more than one
 * way is possible. */
ASSAY_CODE assay_filter(const struct assay_profile *prof, const struct assay_filter_options *opts,
	struct assay_profile **out, struct assay_error *err);

/* The same by words: the program's options. */
struct assay_words_options {
	size_t size;
	/* "focus=^std::", "object=libc", "tagfocus=bytes=1mb:2gb": OPTION=VALUE. */
	const char *const *words;
	size_t n_words;
	bool keep_contexts, relative; /* as in struct assay_filter_options */
	/* That numbers of tagroot and tagleaf are told in: "kb"; NULL: the smallest. */
	const char *unit;
	struct assay_losses *losses; /* told what gets lost; may be NULL */
	bool *matched; /* of each word: set to whether it matched something; may be NULL */
};
/* ASSAY_E_ARG: a word is none, or is wrong, and the message says which. It is no error if nothing
 * is left. */
ASSAY_CODE assay_filter_words(const struct assay_profile *prof,
	const struct assay_words_options *opts, struct assay_profile **out,
	struct assay_error *err);

/* ---- comparisons: docs/diff.md has the rules ---- */
enum assay_norm {         /* how counts become figures */
	ASSAY_NORM_AUTO,  /* as samples and their period allow */
	ASSAY_NORM_NONE,  /* as they are */
	ASSAY_NORM_TOTAL, /* every run scaled to the mean total of the base */
	ASSAY_NORM_TIME   /* counts times period */
};
struct assay_compare_options {
	size_t size;
	/* The runs of both sides, one or more of each. They are not needed any more afterwards. */
	struct assay_profile *const *base, *const *changed;
	size_t n_base, n_changed;
	enum assay_by by; /* function, file, object or line */
	enum assay_norm norm;
	bool keep_contexts, no_cycles; /* as in struct assay_project_options */
	bool keep_clones;  /* "f.isra.0", which a compiler made of "f", is a row of its own */
	const char *event; /* that sorts the rows; NULL: the first that both sides have */
	bool inclusive;    /* they are sorted by inclusive cost */
	const struct assay_allocator *allocator;
};
struct assay_comparison;
ASSAY_CODE assay_compare(const struct assay_compare_options *opts, struct assay_comparison **out,
	struct assay_error *err);
void assay_comparison_free(struct assay_comparison *cmp);

struct assay_diff_event {
	size_t size;
	struct assay_slice name, unit; /* the unit is that of figures; borrowed, as all of this */
	uint32_t decimals;             /* figures are whole numbers of 10^-decimals of it */
	bool comparable;               /* else all differences are 0 */
	bool sampled;
	enum assay_norm norm; /* what was done, never ASSAY_NORM_AUTO */
};
/* Rows come with the largest difference first. */
struct assay_diff_row {
	size_t size;
	struct assay_slice function, file, object; /* "": unknown, or does not belong to it */
	uint64_t line;
	bool in_base, in_changed; /* whether any run of that side has it */
};
enum assay_verdict {
	ASSAY_DIFF_SAME,   /* there is no difference */
	ASSAY_DIFF_NOISE,  /* 0 is in the interval */
	ASSAY_DIFF_CHANCE, /* it is not, but one of so many rows may well be so by chance */
	ASSAY_DIFF_SURE    /* it holds with all rows judged together; exact counts differ */
};
struct assay_figure {
	size_t size;
	bool known;                       /* inclusive cost may not be */
	struct assay_value base, changed; /* means over the runs */
	enum assay_verdict verdict;
	bool noisy;                   /* the next are known: */
	struct assay_value low, high; /* the interval of 95 % of the difference */
	double p;                     /* the chance of such a difference */
};
uint32_t assay_comparison_events(const struct assay_comparison *cmp);
enum assay_code assay_comparison_event(
	const struct assay_comparison *cmp, uint32_t i, struct assay_diff_event *out);
size_t assay_comparison_rows(const struct assay_comparison *cmp);
enum assay_code assay_comparison_row(
	const struct assay_comparison *cmp, size_t i, struct assay_diff_row *out);
/* Of row I, or of ASSAY_TOTAL: of all there is. */
#define ASSAY_TOTAL SIZE_MAX
enum assay_code assay_comparison_figure(const struct assay_comparison *cmp, size_t i,
	uint32_t event, bool inclusive, struct assay_figure *out);

/* ---- writing: the same profile gives the same bytes ---- */
struct assay_write_options {
	size_t size;
	const char *format;  /* name of a format; NULL: the ending of the path tells */
	bool strict;         /* lose nothing: else ASSAY_E_UNSUPPORTED, and nothing is written */
	bool estimate_paths; /* where the format has paths and the profile calls only */
	bool overwrite;      /* replace an existing file */
	uint32_t piece;      /* 1-based, for formats that need several files; 0: the only one */
	const char *const *driver_options; /* "key=value" */
	size_t n_driver_options;
	struct assay_losses *losses; /* told what gets lost; may be NULL */
	uint32_t threads; /* that may work on a large profile; 0 and 1: the caller's alone */
};

/* The file appears whole or not at all. */
ASSAY_CODE assay_write_file(const struct assay_profile *prof, const char *path,
	const struct assay_write_options *opts, struct assay_error *err);
struct assay_buffer;
ASSAY_CODE assay_write_memory(const struct assay_profile *prof,
	const struct assay_write_options *opts, struct assay_buffer **out, struct assay_error *err);
struct assay_slice assay_buffer_bytes(const struct assay_buffer *buf); /* borrowed */
void assay_buffer_free(struct assay_buffer *buf);
/* Takes all N bytes: 0, or a negative errno. With threads it is called in one of them after the
 * other. */
typedef int assay_write_fn(void *ctx, const void *buf, size_t n);
ASSAY_CODE assay_write_callback(const struct assay_profile *prof,
	const struct assay_write_options *opts, assay_write_fn *write, void *ctx,
	struct assay_error *err);

/* How many files PROF is in that format, and a name for the piece of OPTS, or "". */
ASSAY_CODE assay_write_pieces(const struct assay_profile *prof,
	const struct assay_write_options *opts, uint32_t *n, struct assay_error *err);
ASSAY_CODE assay_write_piece_name(const struct assay_profile *prof,
	const struct assay_write_options *opts, char *buf, size_t size, struct assay_error *err);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
