/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the Callgrind driver. Section numbers ("§1.3") are those of
 * docs/formats/callgrind.md.
 */
#ifndef AS_FORMATS_CALLGRIND_H
#define AS_FORMATS_CALLGRIND_H

#include "base/pool.h"
#include "formats/callgrind/callgrind_cut.h"
#include "formats/callgrind/callgrind_scan.h"
#include "formats/format.h"
#include "formats/run_lines.h"

/* Compressed names: "(7) name". One table each for objects, files and functions. Entries are
 * handles + 1, 0 is "not defined". Ids below the number of bytes read so far (and a little more)
 * are an array, so a file cannot ask for much more memory than it has bytes; the others are
 * hashed. */
struct cg_ids {
	AS_VEC(uint32_t) dense;
	struct as_index index;
	AS_VEC(uint64_t) key;
	AS_VEC(uint32_t) value;
};

void as_cg_ids_init(struct cg_ids *ids, const struct as_alloc *al);
void as_cg_ids_release(struct cg_ids *ids, const struct as_alloc *al);
uint32_t as_cg_ids_get(const struct cg_ids *ids, uint64_t id);
AS_NODISCARD bool as_cg_ids_set(
	struct cg_ids *ids, const struct as_alloc *al, uint64_t id, uint32_t value, uint64_t off);

#define AS_CG_CREATOR "assay" /* written where the profile names no creator */
/* In a "desc:" line, before an object's path: its addresses are not virtual ones. */
#define AS_CG_OFFSETS "assay.addresses: file offsets in "

#define CG_OPEN "\001" /* begins a name that a middle chunk leaves open */

/* What is fast alone stays out of the page. */
#ifdef __wasm__
enum { CG_SMALL = 1 };
#else
enum { CG_SMALL = 0 };
#endif

#define CG_NO_BASE (UINT64_C(1) << 63)

enum { CG_POS_MAX = 16 }; /* subpositions of a line; the specification knows three */

/* Bits in cg.placed: what is known of a function. */
enum {
	CG_GUESSED = 1,  /* its first call says where it is */
	CG_PLACED = 2,   /* its "fn=" block says where it is */
	CG_NAMELESS = 4, /* its id has no name yet */
	CG_USED = 8,     /* a block of it has held costs or calls */
	CG_SPREAD = 16,  /* its id also names functions elsewhere */
	CG_SAID = 32,    /* the call that it is guessed by says where it is */
};

enum cg_pending { CG_NOTHING, CG_CALL, CG_JUMP };

/* A callee or jump target that has been named but not resolved. */
struct cg_target {
	bool has_object, has_file, has_func;
	bool file_fresh; /* the file was named after the function it belongs to */
	bool has_home;   /* HOME is the function's file, whatever FILE is */
	as_object object;
	as_file file, home;
	as_func func; /* of an id, with NAME == 0 */
	as_str name;  /* of a function without id */
	bool used;    /* a call has been made to it */
};

/* Make V an array of WANT elements at least; those that are new are zero. */
#define CG_GROW_ZERO(cg, v, want)                                                           \
	((want) <= (v)->n ||                                                                \
		(as_vec_reserve((cg)->al, v, (want)) &&                                     \
			(memset((v)->p + (v)->n, 0, ((v)->cap - (v)->n) * sizeof(*(v)->p)), \
				(v)->n = (v)->cap, true)))

/* A callee of the block numbered STAMP: its row in cg_acc.callee. */
struct cg_slot {
	uint32_t stamp, row;
};

/* Costs per function while a part is read at function detail. */
struct cg_acc {
	AS_VEC(as_val) cost;    /* n_events of the part, per function */
	AS_VEC(uint8_t) seen;   /* the function has cost in this part */
	AS_VEC(uint32_t) order; /* functions in the order seen */
	/* Calls out of the current function, one row per callee. Few functions call many, so
	 * SLOT, where they are looked up, starts anew with a few entries for each. */
	AS_VEC(struct cg_slot) slot; /* open addressing; those of other blocks are free */
	uint32_t mask;               /* entries in use, a power of two, less 1 */
	uint32_t block;
	AS_VEC(as_func) callee;
	AS_VEC(as_val) callee_cost; /* count, then n_events of the part */
};

/* A callee FUNC that a call puts where its id has no block so far; else it is HOME. */
struct cg_maybe {
	uint32_t func, home;
};

/* Where a line stood. */
struct cg_where {
	uint64_t off, line;
};

/* The reader. §1.3 describes the state machine. */
struct cg {
	struct as_rd *rd;
	struct as_build *b;
	struct as_pool pool;
	const struct as_alloc *al; /* the pool's */
	bool func_detail;          /* only sums per function */
	bool no_lines;             /* neither lines nor addresses: positions are not followed */
	bool full;                 /* addresses and jumps too */

	struct cg_ids objects, files, funcs;
	AS_VEC(uint8_t) placed; /* per function: what is known of it, callgrind_spec.c */

	/* the part */
	bool have_part;   /* PART is valid */
	bool have_events; /* its events are known */
	bool have_body;   /* a position, cost or call was seen */
	bool ended;       /* "totals:" was seen */
	bool fresh_file;  /* a new file begins inside this one: nothing is inherited */
	uint32_t part;
	uint32_t n_events;       /* numbers in a cost line */
	AS_VEC(uint32_t) column; /* event of each number */
	bool straight;           /* column[i] == i */
	uint32_t n_pos;
	uint8_t pos_kind[CG_POS_MAX]; /* AS_POS_* or 0 */
	AS_VEC(as_val) sum;           /* self cost of the part, by number */
	as_str early_summary;         /* "summary:" that came before "events:" */
	uint32_t seen_headers;        /* bits of enum cg_header */
	AS_VEC(as_str) seen_values;   /* their texts */
	AS_VEC(struct as_derived) event_lines;

	/* the position */
	as_object object;
	as_file file, func_file;
	bool have_file, have_fl; /* any file was named; by "fl=" */
	as_func func, inl;
	as_object func_object; /* in force at "fn=" */
	bool have_func, by_id; /* there was an "fn=", and it gave an id */
	AS_VEC(struct cg_maybe) maybe;
	bool numbered; /* valgrind wrote it: an id is a function, wherever calls put it */
	bool moved;    /* "fl=" has come since */
	bool run_dirty;
	/* Of the last self cost line; CG_NO_BASE without lines: relative ones may be below. */
	uint64_t base[CG_POS_MAX];

	/* calls and jumps */
	struct cg_target target, jump_target;
	enum cg_pending pending;
	/* a chunk of a file that is read in parallel: callgrind_parallel.c */
	bool middle;        /* what came before is not known: undefined names stay open */
	bool header_only;   /* stop where the body begins */
	as_str late_totals; /* the text of "totals:" at the end of a middle chunk */
	struct cg_where totals_at, summary_at; /* the lines of the part, if it has them */

	bool zero_call; /* the comment "# calls=0" stands before the call */
	as_func callee;
	struct as_call call;
	struct as_jump jump;

	struct cg_acc acc;
	AS_VEC(as_val) val; /* signed counts of a line, by column */

	as_cg_cut_fn *cut;
	as_cg_sum_fn *cut_sum; /* or NULL */

	/* where we are */
	const char *p, *end; /* unread part of the window */
	const char *window;  /* its first byte, at offset OFF */
	uint64_t off;
	uint64_t line; /* 1-based number of the line at p */
	uint64_t n_crlf;
	uint64_t n_lines_cost, n_lines_call;
	uint64_t lines_before; /* cost and call lines before the current block */
};

#define CG_OFF(cg, at) ((cg)->off + (uint64_t)((at) - (cg)->window))
#define CG_FIND(cg, id, at, ...) as_rd_find((cg)->rd, (id), CG_OFF(cg, at), (cg)->line, __VA_ARGS__)

/* callgrind_num.c: numbers and subpositions as the grammar has them. They advance *P, which
 * may not pass END, and return false without advancing when there is none. */
bool as_cg_num(const char **p, const char *end, uint64_t *v, bool *range);
enum cg_sub { CG_SUB_NONE, CG_SUB_OK, CG_SUB_RANGE, CG_SUB_BELOW };
enum cg_sub as_cg_subpos(const char **p, const char *end, uint64_t base, uint64_t *v);
void as_cg_blanks(const char **p, const char *end);
/* A position that is no range and not below zero: past it, or NULL. Most are short ones. */
static inline const char *as_cg_place(const char *p, const char *end, uint64_t base, uint64_t *v)
{
	bool below = *p == '-', above = *p == '+';
	uint64_t x = 0;
	const char *q;

	if (!CG_SMALL && *p == '*') {
		*v = base;
		return p + 1;
	}
	q = CG_SMALL ? NULL : as_cg_fast_dec(p + (below || above), &x);
	if (!q || *q > ' ')
		return as_cg_subpos(&p, end, base, v) == CG_SUB_OK ? p : NULL;
	*v = below ? base - x : above ? base + x : x;
	return below && x > base ? NULL : q;
}

/* Those of a line, with a blank between any two. */
static inline const char *as_cg_places(const struct cg *cg, const char *p, uint64_t *pos)
{
	p = as_cg_place(p, cg->end, cg->base[0], &pos[0]);
	for (uint32_t i = 1; p && i < cg->n_pos; i++)
		p = *p == ' ' ? as_cg_place(p + 1, cg->end, cg->base[i], &pos[i]) : NULL;
	return p;
}

/* callgrind_fast.c: the plain form of the commonest specifications. AS_END: nothing was done.
 * Lines may be looked at past cg->end, where zeros stand. */
enum as_code as_cg_fast_spec(struct cg *cg) AS_NODISCARD;

/* callgrind_cost.c: cost lines. Read as many as follow one another at cg->p. */
enum as_code as_cg_cost_lines(struct cg *cg) AS_NODISCARD;
/* The line and address of a fact at POS, 0 where they are of no interest. */
void as_cg_site(const struct cg *cg, const uint64_t *pos, uint64_t *line, uint64_t *addr);
/* One line in all its variety; LINE has no end-of-line. */
enum as_code as_cg_cost_line(struct cg *cg, struct as_slice line) AS_NODISCARD;

/* callgrind_acc.c: sums per function. */
enum as_code as_cg_acc_touch(struct cg *cg) AS_NODISCARD; /* the current function has a cost */
enum as_code as_cg_acc_cost(struct cg *cg, const as_val *v) AS_NODISCARD;
/* The sums of the calls of the current function to CALLEE: how often, and n_events costs. Valid
 * until the next callee; NULL if out of memory. */
AS_NODISCARD as_val *as_cg_acc_callee(struct cg *cg, as_func callee);
enum as_code as_cg_acc_call(struct cg *cg, as_func callee, const as_val *v) AS_NODISCARD;
enum as_code as_cg_acc_func_end(struct cg *cg) AS_NODISCARD; /* write the calls out */
enum as_code as_cg_acc_part_end(struct cg *cg) AS_NODISCARD; /* write the costs out */
AS_NODISCARD bool as_cg_acc_room(struct cg *cg);

/* callgrind_spec.c: "fn=", "cob=", "calls=" ... LINE is the whole line. False in *KNOWN when
 * it is none of them. */
enum as_code as_cg_spec_line(struct cg *cg, struct as_slice line, bool *known) AS_NODISCARD;
/* Block of a known function; file by "fl=", "fi=" or "fe=" ('l', else 'i'). */
enum as_code as_cg_enter_func(struct cg *cg, as_func f) AS_NODISCARD;
void as_cg_set_file(struct cg *cg, as_file file, char key);
void as_cg_note_use(struct cg *cg); /* the current block has ended */
void as_cg_settle_callees(struct cg *cg);
enum as_code as_cg_move_func(struct cg *cg) AS_NODISCARD;
enum as_code as_cg_drop_pending(struct cg *cg) AS_NODISCARD;
enum as_code as_cg_jump_note(struct cg *cg, struct as_slice line) AS_NODISCARD;

/* callgrind_header.c: "events:" ... and parts. */
enum as_code as_cg_header_line(struct cg *cg, struct as_slice line, bool *known) AS_NODISCARD;
enum as_code as_cg_marker(struct cg *cg) AS_NODISCARD;
enum as_code as_cg_part_begin(struct cg *cg) AS_NODISCARD;
enum as_code as_cg_part_end(struct cg *cg) AS_NODISCARD;
enum as_code as_cg_event_lines_end(struct cg *cg) AS_NODISCARD;
/* Lines "desc:" of our writer's become facts. */
enum as_code as_cg_own_end(struct cg *cg) AS_NODISCARD;
/* A header key that the probe believes in. */
bool as_cg_is_header(struct as_slice line, struct as_slice *key);

/* Values of "totals:" that stand elsewhere than in the line at hand. */
enum as_code as_cg_totals_text(struct cg *cg, struct as_slice text) AS_NODISCARD;
enum as_code as_cg_room_for_events(struct cg *cg) AS_NODISCARD;

/* callgrind_spec.c, for joining */
enum as_code as_cg_func_in_full(struct cg *cg, struct as_slice name, as_object object, as_file file,
	as_func *out) AS_NODISCARD;
enum as_code as_cg_func_new(struct cg *cg, uint64_t id, struct as_slice name, as_func *out)
	AS_NODISCARD;

/* callgrind_read.c */
void as_cg_init(struct cg *cg, struct as_rd *rd);
void as_cg_release(struct cg *cg);
enum as_code as_cg_read_lines(struct cg *cg) AS_NODISCARD; /* all that rd->in holds */
enum as_code as_cg_finish(struct cg *cg) AS_NODISCARD;
/* Read with several threads into rd->out; false if it must be read by one, nothing is changed
 * then. */
bool as_cg_read_parallel(struct as_rd *rd);

enum as_code as_cg_read(struct as_rd *rd);
enum as_code as_cg_write(struct as_wr *wr, const struct as_profile *prof);
void as_cg_check(struct as_rd *rd, const struct as_profile *prof);

#endif
