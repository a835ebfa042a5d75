/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gperftools CPU profile: what the files of this folder share.
 *
 *	slot	a word of the recorded machine: 4 or 8 bytes, in its byte order
 *	file	header 0 3 0 PERIOD 0, records COUNT DEPTH PC..., trailer 0 1 0, text list
 *
 * Sections refer to docs/formats/gperf.md.
 */
#ifndef AS_FORMATS_GPERF_GPERF_H
#define AS_FORMATS_GPERF_GPERF_H

#include "base/index.h"
#include "base/pool.h"
#include "base/spans.h"
#include "formats/addr_names.h"
#include "formats/addr_ranges.h"
#include "formats/format.h"
#include "formats/map_line.h"
#include "formats/run_lines.h"
#include "formats/stack_order.h"

/* In [lost]: the leaf of records with the count 0 that assay's recorder has not used. */
#define GP_ROOM UINT64_C(0x1fffffff1010)

/* The header's last word, where assay's recorder has put two more words behind each stack: the
 * thread's number and when it was, with these in their first bytes. §11. */
#define GP_TIMED UINT64_C(0x454d4954)
#define GP_MARK_THREAD UINT64_C(0xa6)
#define GP_MARK_TIME UINT64_C(0xa5)
#define GP_NO_TIME UINT64_MAX

enum {
	GP_HEAD_SLOTS = 5,
	GP_WORDS = 3,           /* header slots after the second one, as the document has them */
	GP_WORDS_MAX = 1 << 16, /* more is no header */
	GP_SLOT_MAX = 8,        /* bytes */
};

/* How slots are stored. */
struct as_gp_layout {
	uint32_t width; /* bytes: 4 or 8 */
	bool big;       /* byte order */
};

static inline uint64_t gp_get(const char *p, uint32_t width, bool big)
{
	uint64_t v;
	uint32_t half;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	big = !big;
#endif
	if (width == 8) {
		memcpy(&v, p, 8);
		return big ? __builtin_bswap64(v) : v;
	}
	memcpy(&half, p, 4);
	return big ? __builtin_bswap32(half) : half;
}

static inline uint64_t gp_slot(const char *p, struct as_gp_layout l)
{
	return gp_get(p, l.width, l.big);
}

static inline void gp_put_slot(char *p, uint64_t v, struct as_gp_layout l)
{
	uint32_t half = (uint32_t)v;

	v = gp_get((const char *)&v, 8, l.big);
	half = (uint32_t)gp_get((const char *)&half, 4, l.big);
	if (l.width == 8)
		memcpy(p, &v, 8);
	else
		memcpy(p, &half, 4);
}

/* ---- header: gperf_header.c ---- */

enum as_gp_head {
	AS_GP_HEAD_NO,    /* nothing like it */
	AS_GP_HEAD_CUT,   /* the input ends inside what could be one */
	AS_GP_HEAD_WRONG, /* recognisable, but against a "must be" of the document */
	AS_GP_HEAD_ODD,   /* extra words, a version, padding or period other than usual */
	AS_GP_HEAD_EXACT,
};

/* What the beginning of S is; WHOLE says that S ends where the input does. */
enum as_gp_head as_gp_detect(struct as_slice s, bool whole, struct as_gp_layout *layout);

/* "64-bit little-endian" */
const char *as_gp_layout_text(struct as_gp_layout l);

/* ---- distinct stacks: gperf_stacks.c ---- */

enum {
	GP_BATCH = 64,
	GP_AHEAD = 12,                       /* rows asked for before they are needed */
	GP_LINE_IDS = 64 / sizeof(uint32_t), /* in a cache line */
};

enum { AS_GP_CALLER = 1, AS_GP_LEAF = 2 };

/* In front of each stack in as_gp_stacks.id, and behind the last. */
#define AS_GP_END UINT32_MAX

/* A record that is hashed, but not yet looked up. */
struct as_gp_pending {
	const char *p; /* its addresses */
	uint64_t hash, count, off;
	uint32_t depth, row;
};

/* A record as it stands in the file. */
struct as_gp_record {
	uint64_t count;
	uint32_t row; /* its stack */
};

/*
 * The distinct stacks of one profile. Row 0 is the stack without frames. ID holds numbers of
 * addresses; later the places are put there.
 */
struct as_gp_stacks {
	const struct as_alloc *al;
	struct as_gp_layout layout;
	const struct as_alloc *out; /* whose ID and ROW are, which the profile may take */
	AS_VEC(uint32_t) id; /* for each stack AS_GP_END, then its frames, leaf first: rows of pc */
	AS_VEC(uint64_t) pc; /* distinct addresses, as in the file */
	AS_VEC(uint8_t) seen; /* of each: AS_GP_LEAF, AS_GP_CALLER, in stacks with samples */
	AS_VEC(struct as_stack_flat) row;
	AS_VEC(uint32_t) records;        /* of each stack, up to UINT32_MAX; only if keep_records */
	AS_VEC(uint32_t) carry;          /* rows: 2^64 more for each time one stands here */
	AS_VEC(struct as_gp_record) log; /* in the order of the file; only if keep_log */
	struct as_index index;           /* of the stacks */
	struct as_index pcs;             /* of the addresses */
	bool keep_records, keep_log;
	uint64_t n_records;
	uint32_t max_depth;
	uint64_t zero_off; /* of the first record with an address 0, or AS_OFF_NONE */
	struct as_gp_pending pending[GP_BATCH];
	uint32_t n_pending;
};

AS_NODISCARD bool as_gp_stacks_init(
	struct as_gp_stacks *st, const struct as_alloc *al, const struct as_alloc *out);
/* What is of ST->out; the rest goes with ST->al. */
void as_gp_stacks_release(struct as_gp_stacks *st);
/* Add a record that stands at OFF: DEPTH slots at P, leaf first. P must stay until the next
 * flush. */
AS_NODISCARD bool as_gp_stacks_add(
	struct as_gp_stacks *st, const char *p, uint32_t depth, uint64_t count, uint64_t off);
AS_NODISCARD bool as_gp_stacks_flush(struct as_gp_stacks *st);
/* No more records will come: what is seen as what is known. */
AS_NODISCARD bool as_gp_stacks_close(struct as_gp_stacks *st);
/* Frames have been removed: look again for what is seen as what. */
void as_gp_stacks_mark(struct as_gp_stacks *st);

/* All rows in the order in which a walk of their tree from the root meets them. ITEMS has room for
 * row.n; it is filled and sorted. */
void as_gp_stacks_order(const struct as_gp_stacks *st, struct as_stack_item *items);

/* ---- when: gperf_when.c ---- */

/* Of a record of the log. */
struct as_gp_when {
	uint64_t time; /* nanoseconds since the beginning; GP_NO_TIME: it does not say */
	uint32_t tid;  /* 0: nor that */
};

/* A thread, and its name if a line says so. */
struct as_gp_thread {
	uint32_t tid, part;
	struct as_slice name;
};

/* ---- reading: gperf_read.c, gperf_text.c ---- */

enum as_gp_variant { AS_GP_PLAIN, AS_GP_JAVA, AS_GP_SYMBOL };

/* A job of reading. What belongs to the current profile of the file is renewed for each. */
struct as_gp_read {
	struct as_rd *rd;
	struct as_gp_layout layout;
	enum as_gp_variant variant;
	bool pprof;         /* compat=pprof */
	struct as_out *raw; /* the profile is printed there, not built; NULL: it is built */
	uint64_t deepest;   /* frames allowed in a stack */
	uint32_t event;
	uint32_t n_parts, n_stacks;
	uint32_t n_started, n_durations; /* parts that say when they began, how long they took */
	struct as_spans spans;
	int64_t started; /* the earliest */
	struct as_pool file_pool;
	struct as_arena symbol_arena;
	struct as_addr_names symbols; /* of the symbol section */

	/* of the current profile: zeroed when it begins */
	uint32_t part;
	struct as_pool pool;
	const struct as_alloc *al; /* the pool's */
	uint64_t head_off;         /* where it begins */
	uint64_t version, period;
	uint64_t n_room; /* records that the recorder did not need, the first one's place */
	uint64_t room_off;
	bool damaged;          /* its records broke off: look for the text list */
	struct as_arena arena; /* texts of the list */
	AS_VEC(struct as_map_line) line;
	bool unended;                 /* the last line has no '\n' */
	bool clean;                   /* AS_GP_CLEAN is one of the lines */
	AS_VEC(struct as_slice) path; /* of each line: what a mapping maps */
	AS_VEC(as_object) object;     /* likewise */
	struct as_addr_ranges ranges; /* executable mappings with a path */
	struct as_addr_names java;
	struct as_gp_stacks stacks;
	bool timed;                     /* it says when, or of which thread */
	AS_VEC(struct as_gp_when) when; /* of each record of its stacks' log */
	AS_VEC(struct as_gp_thread) thread;
	struct as_index threads;
};

/* Only the recorder has files that say when, and reads them: a page need not. */
static inline bool gp_is_timed(const struct as_gp_read *g)
{
	return AS_HAS_WRITERS && g->timed;
}

/* Takes what the recorder has put behind a stack of DEPTH slots at P off it, and keeps it. */
AS_NODISCARD bool as_gp_when_take(struct as_gp_read *g, const char *p, uint32_t *depth);
/* A line that names a thread; false: it is none. */
enum as_code as_gp_when_line(struct as_gp_read *g, struct as_slice line, bool *is) AS_NODISCARD;
/* The samples of the log and their moments; NODE is that of each stack. */
enum as_code as_gp_when_put(struct as_gp_read *g, const as_node *node) AS_NODISCARD;

/* LINE begins with "--- WORD", with any number of blanks. */
bool as_gp_is_marker(struct as_slice line, const char *word);
/* The symbol section, if the input begins with one: up to where the binary part begins. */
enum as_code as_gp_read_symbols(struct as_gp_read *g) AS_NODISCARD;
/* The text list up to the end of the input or the next header; fills what follows arena. */
enum as_code as_gp_read_text(struct as_gp_read *g) AS_NODISCARD;
/* Remove the frames of the profiler's handler from the stacks: gperf_handler.c. */
enum as_code as_gp_cut_handlers(struct as_gp_read *g) AS_NODISCARD;
/* The current profile as `pprof -raw` prints it: gperf_raw.c. */
enum as_code as_gp_raw_part(struct as_gp_read *g) AS_NODISCARD;
/* The text list into the builder, and what its lines say: gperf_lines.c. */
enum as_code as_gp_build_list(struct as_gp_read *g) AS_NODISCARD;
/* All parts have been read: what holds for all of them. */
enum as_code as_gp_build_times(struct as_gp_read *g) AS_NODISCARD;
/* Everything of the current profile into the builder: gperf_build.c. LAST: no other follows. */
enum as_code as_gp_build_part(struct as_gp_read *g, bool last) AS_NODISCARD;

/* The name that the file gives to PC, or NULL. */
static inline const struct as_addr_name *gp_name(const struct as_gp_read *g, uint64_t pc)
{
	if (g->variant == AS_GP_PLAIN)
		return NULL;
	return as_addr_names_find(g->variant == AS_GP_JAVA ? &g->java : &g->symbols, pc);
}

/* Our line of the list, before an object's path: what its mappings give are virtual addresses. */
#define AS_GP_VIRTUAL "assay: virtual addresses in "
/* Another: no frame is the profiler's signal handler's, though some look it. */
#define AS_GP_CLEAN "assay: no frames of a signal handler"

/* Another, directly behind a mapping: its address, and the build id of what it maps. */
#define AS_GP_BUILD_ID "assay: build id: "

/* A line of ours. */
static inline bool as_gp_is_own(struct as_slice line)
{
	return as_slice_starts(line, "assay: ");
}

/* The room that a line of the recorder's had before it went: dots behind a '#'. */
static inline bool as_gp_is_room(struct as_slice line)
{
	for (size_t i = 1; i < line.len; i++)
		if (line.p[i] != '.')
			return false;
	return line.len > 4 && line.p[0] == '#';
}

/* Whose code an object's is. */
enum as_gp_lib {
	AS_GP_LIB_NONE,
	AS_GP_LIB_PROFILER,
	AS_GP_LIB_BOTH,  /* libtcmalloc_and_profiler: true callers too, malloc's */
	AS_GP_LIB_SYMBOL /* by the function's name */
};
enum as_gp_lib as_gp_lib(struct as_slice path);
/* Keys of the lines that are kept: "line 7" is the eighth of the list. */
#define AS_GP_META_LINE "line "
#define AS_GP_META_UNENDED "no-newline"

/* ---- writing: gperf_write.c, gperf_plan.c, gperf_list.c ---- */

enum as_code as_gp_read_file(struct as_rd *rd) AS_NODISCARD;
enum as_code as_gp_raw_file(struct as_rd *rd, struct as_out *out) AS_NODISCARD;
/* Whether the writer takes the rows of self cost of PROF as they are. */
bool as_gp_takes_rows(const struct as_profile *prof);
enum as_code as_gp_write_file(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
