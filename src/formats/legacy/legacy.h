/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text profiles of gperftools' family: what the files of this folder share.
 *
 *	head	what it is: "heap profile: ... @ heap_v2/524288", "--- contentionz 1 ---" ...
 *	rows	numbers, '@', addresses, the innermost first; comments with names may follow
 *	list	of mappings, behind "MAPPED_LIBRARIES:" or "--- Memory map: ---"
 *
 * Sections refer to docs/formats/legacy.md.
 */
#ifndef AS_FORMATS_LEGACY_LEGACY_H
#define AS_FORMATS_LEGACY_LEGACY_H

#include "base/index.h"
#include "formats/addr_names.h"
#include "formats/addr_ranges.h"
#include "formats/format.h"
#include "formats/map_line.h"
#include "formats/stack_order.h"

/* ---- the head: legacy_head.c ---- */

enum as_lg_kind {
	AS_LG_NONE,
	AS_LG_HEAP,       /* heap, growth, fragmentation: one line says all */
	AS_LG_JEMALLOC,   /* heap_v2/RATE, and a line of totals */
	AS_LG_JAVA_HEAP,  /* --- heapz */
	AS_LG_CONTENTION, /* --- contentionz, --- contention:, --- mutex: */
	AS_LG_THREAD,     /* --- threadz, or the first thread at once */
	AS_LG_COUNT,      /* NAME profile: total N */
};

enum { LG_NUMBERS = 4 };

struct as_lg_head {
	enum as_lg_kind kind;
	struct as_slice name;       /* of a count; of a heap what stands behind '@' */
	uint64_t total[LG_NUMBERS]; /* what the rows add up to, in the order of the row */
	uint64_t rate;              /* as it stands there; 0 = none */
	bool whole;                 /* the line is one, to its end */
};

/* What LINE, the first that is neither empty nor a comment, says. */
void as_lg_head_parse(struct as_slice line, struct as_lg_head *head);
/* "N: N [N: N]" and what follows it, moved over. */
bool as_lg_take_four(struct as_slice *rest, uint64_t v[LG_NUMBERS]);
/* An empty line or a comment. */
bool as_lg_is_blank(struct as_slice line);

/* ---- distinct stacks: legacy_stacks.c ---- */

enum { LG_COLUMNS = 8 };

#define LG_END UINT32_MAX

struct as_lg_stack {
	uint32_t first, depth; /* in id: the innermost frame first */
	uint32_t part;
};

struct as_lg_stacks {
	const struct as_alloc *al;
	uint32_t n_values;              /* of each row */
	AS_VEC(uint64_t) pc;            /* distinct addresses, as in the file */
	AS_VEC(uint32_t) id;            /* frames: rows of pc */
	AS_VEC(struct as_lg_stack) row; /* distinct, but for those whose sums were too large */
	AS_VEC(uint64_t) value;
	struct as_index pcs, stacks;
};

void as_lg_stacks_init(struct as_lg_stacks *st, const struct as_alloc *al);
/* Add VALUE to the stack of N addresses PC, leaf first, in PART. */
AS_NODISCARD bool as_lg_stacks_add(struct as_lg_stacks *st, uint32_t part, const uint64_t *pc,
	uint32_t n, const uint64_t *value);

/* ---- names that stand in the file: legacy_names.c ---- */

/* A frame of an address; of several the innermost comes first. */
struct as_lg_frame {
	struct as_slice func, file, object;
	uint64_t line;
	bool inlined; /* into the next one, or into the one of the next address */
};

struct as_lg_named {
	uint64_t addr; /* of the call, where the stack has the one behind it */
	uint32_t first, n;
};

/* A comment of the row that is read. */
struct as_lg_comment {
	uint64_t addr, entry; /* entry: of the function whose code it is */
	struct as_slice func, file;
	uint64_t line;
};

struct as_lg_names {
	const struct as_alloc *al;
	struct as_arena arena; /* texts */
	AS_VEC(struct as_lg_frame) frame;
	AS_VEC(struct as_lg_named) row;
	struct as_index index;
	AS_VEC(struct as_lg_comment) comment;
};

void as_lg_names_init(struct as_lg_names *names, const struct as_alloc *al);
const struct as_lg_named *as_lg_names_find(const struct as_lg_names *names, uint64_t addr);
/* The name of ADDR, if it has none. */
AS_NODISCARD bool as_lg_names_add(
	struct as_lg_names *names, uint64_t addr, const struct as_lg_frame *frame);
/* A line of the symbol section: "0xADDR outer--inner". */
AS_NODISCARD bool as_lg_names_symbol(struct as_lg_names *names, struct as_slice line);
/* The section has ended: its addresses are those of calls, but for innermost ones. */
AS_NODISCARD bool as_lg_names_symbols_end(struct as_lg_names *names);
/* "#\t0xADDR\tfunc+0xOFF\tfile:line", of the row that is read; other comments are passed over. */
AS_NODISCARD bool as_lg_names_comment(struct as_lg_names *names, struct as_slice line);
/* The row has ended: its comments become names. */
AS_NODISCARD bool as_lg_names_settle(struct as_lg_names *names);

/* ---- the list of mappings: legacy_maps.c ---- */

struct as_lg_maps {
	const struct as_alloc *al;
	struct as_arena arena;
	AS_VEC(struct as_map_line) line;
	AS_VEC(as_object) object; /* of each line */
	AS_VEC(struct as_slice) id;
	AS_VEC(struct as_slice) key, value; /* "build=/path", to be put in for $build */
	struct as_addr_ranges ranges;
};

/* ---- reading: legacy_read.c, legacy_values.c, legacy_build.c ---- */

/* A column of the profile. */
struct as_lg_column {
	const char *name;
	struct as_slice text; /* the name, where it is the file's own */
	const char *unit;
	bool estimated;
};

struct as_lg_read {
	struct as_rd *rd;
	struct as_lg_head head;
	struct as_arena arena;
	bool java, keep_leaf; /* the innermost address is none of a call */
	bool has_alloc;       /* a heap: what was allocated is another number */
	uint64_t rate;        /* bytes for a sample; 0 or 1: all are there */
	uint64_t hz, period, discarded;
	struct as_slice resolution;

	/* Columns as pprof orders them; the one that is shown unasked, and where each stands. */
	struct as_lg_column column[LG_COLUMNS];
	uint32_t n_columns, shown;
	uint32_t event[LG_COLUMNS];
	uint32_t part; /* without labels */

	uint64_t line_off, line; /* of the line that is read */
	uint64_t sum[LG_NUMBERS];
	as_uval scaled[LG_COLUMNS]; /* what the columns add up to */
	uint64_t n_rows;
	bool is_open; /* the row below is not added yet: comments may follow */
	bool is_fresh,
		is_same; /* a thread's: no address yet; its stack is that of the one before */
	uint32_t row_part;
	uint64_t row_value[LG_COLUMNS];
	AS_VEC(uint64_t) pc; /* of the row */

	struct as_lg_stacks stacks;
	struct as_lg_names names;
	struct as_lg_maps maps;
};

/* What follows the names in front of a CPU profile, which is none of these. */
#define LG_CPU_MARK "--- profile"

enum as_code as_lg_read_file(struct as_rd *rd) AS_NODISCARD;

/* The next line; the next that is no comment. AS_END at the end. */
enum as_code as_lg_next(struct as_lg_read *l, struct as_slice *line) AS_NODISCARD;
enum as_code as_lg_next_said(struct as_lg_read *l, struct as_slice *line) AS_NODISCARD;
/* LINE is the first; then, if there is one, the first that is none of the head. */
enum as_code as_lg_read_head(struct as_lg_read *l, struct as_slice *line, bool *has_line)
	AS_NODISCARD;

/* A row of the numbers V begins; its addresses follow. */
enum as_code as_lg_row_open(struct as_lg_read *l, const uint64_t v[LG_NUMBERS]) AS_NODISCARD;
/* REST, to its end; one more. */
enum as_code as_lg_row_addresses(struct as_lg_read *l, struct as_slice rest) AS_NODISCARD;
enum as_code as_lg_row_address(struct as_lg_read *l, uint64_t pc) AS_NODISCARD;
/* The row, if there is one, has ended. */
enum as_code as_lg_row_close(struct as_lg_read *l) AS_NODISCARD;
/* The numbers of a line up to '@', moved over. False if it is no row. */
bool as_lg_row_numbers(const struct as_lg_read *l, struct as_slice *rest, uint64_t v[LG_NUMBERS]);
/* Lines of formats whose rows are not lines. */
enum as_code as_lg_jemalloc_line(struct as_lg_read *l, struct as_slice line) AS_NODISCARD;
enum as_code as_lg_thread_line(struct as_lg_read *l, struct as_slice line) AS_NODISCARD;
/* Nobody knows what LINE is, unless it is a mapping. */
enum as_code as_lg_unknown_line(struct as_lg_read *l, struct as_slice line) AS_NODISCARD;
/* "# labels: {...}" of the row: *IS. */
enum as_code as_lg_labels(struct as_lg_read *l, struct as_slice line, bool *is) AS_NODISCARD;

/* What the columns are, once the head has been read. */
enum as_code as_lg_columns(struct as_lg_read *l) AS_NODISCARD;
/* The columns of a row whose numbers are V. False if one is beyond 63 bits. */
bool as_lg_values(const struct as_lg_read *l, const uint64_t *v, uint64_t *value);

/* A line of the list. */
enum as_code as_lg_map_add(struct as_lg_read *l, struct as_slice text) AS_NODISCARD;
/* All of them into the builder. */
enum as_code as_lg_maps_build(struct as_lg_read *l) AS_NODISCARD;
/* Stacks, with all that is known of their addresses. */
enum as_code as_lg_build(struct as_lg_read *l) AS_NODISCARD;

/* Behind what a line says: for findings. */
#define LG_SHOWN(s) (int)((s).len < 60 ? (s).len : 60), ((s).p ? (s).p : "")

#endif
