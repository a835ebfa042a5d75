/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flame graphs: boxes whose widths are costs, each above (flame) or below (icicle) what called it.
 * Made of the rows of a view of call paths (tree/calltree.h), so pictures and tables agree: a row
 * is a box, and rows that stand for what was left out are boxes, too. Nothing vanishes.
 */
#ifndef AS_PICTURE_FLAME_H
#define AS_PICTURE_FLAME_H

#include "base/err.h"
#include "diff/diff_sub.h"
#include "io/out.h"
#include "picture/time_axis.h"
#include "report/views.h"
#include "tree/calltree.h"
#include "tree/chart.h"

enum as_flame_kind {
	AS_FLAME_ROOT,
	AS_FLAME_FUNC,
	AS_FLAME_GROUP,
	AS_FLAME_REST,
	AS_FLAME_ENTRY,
	AS_FLAME_THREAD, /* of a chart */
};

struct as_flame_box {
	uint32_t depth; /* 0 = the root, and only that */
	uint64_t row;   /* of what the picture was made of; REST: the rows it stands for */
	as_val cost;    /* what it is said to cost */
	as_val at;      /* its left edge and its width, in the unit of as_flame.width */
	as_val width;   /* = COST; less where estimates say more of boxes than of the one below */
	as_val self;    /* of WIDTH, what no box above covers */
	uint8_t kind;   /* enum as_flame_kind */
	uint8_t colour; /* see as_flame_colours() */
	bool estimated;
	bool recursive; /* its function stands further down, too, or is known to be recursive */
};

/* A group of boxes of one colour, as the legend names it. */
struct as_flame_group {
	struct as_slice name; /* as it stands in the profile */
	as_val self;
	uint8_t colour;
};

enum as_flame_by {
	AS_FLAME_BY_OBJECT,
	AS_FLAME_BY_FILE,
	AS_FLAME_BY_FUNC,
	AS_FLAME_BY_SELF,
	AS_FLAME_BY_CHANGE, /* a comparison: orange is more, blue is less */
};

enum {
	AS_FLAME_GROUPS = 12, /* colours 1 to 12; 0 is of all others */
	AS_FLAME_HEATS = 8,   /* colours 1 to 8: the larger, the more self cost */
	AS_FLAME_STEPS = 4,   /* colours 1 to 4: more and more; 5 to 8: less and less */
};

/* A function, or an object alone, as the profile has it; empty: not known. */
struct as_flame_func {
	struct as_slice name, file, object;
	uint64_t addr;
	bool has_addr;
};

/* The unit of the figures, which are whole numbers of 10^-DECIMALS of it. */
struct as_flame_event {
	struct as_slice name, unit;
	unsigned decimals;
};

/* A box of a comparison. */
struct as_flame_sides {
	as_val value[AS_SIDES];
	bool has[AS_SIDES];
	bool known; /* of boxes of the kind REST it is not */
};

/* Of a chart: a thread, below the ones before it. */
struct as_flame_strip {
	size_t box;      /* its own, of the kind THREAD */
	uint32_t levels; /* that and those on it */
};

struct as_flame;

/* The texts of a picture; they live in AR or are borrowed. p == NULL: out of memory. */
struct as_flame_words {
	/* "cpu.prof: 3.12s cpu" */
	struct as_slice (*title)(const struct as_flame *f, struct as_arena *ar);
	/* The event of the widths, and the direction: ICICLE grows down, otherwise up. */
	struct as_slice (*way)(const struct as_flame *f, struct as_arena *ar, bool icicle);
	struct as_slice (*name)(const struct as_flame *f, struct as_arena *ar, size_t box);
	/* "1,234 Ir, 5.6 %" */
	struct as_slice (*facts)(const struct as_flame *f, struct as_arena *ar, size_t box);
	/* The function of a box as a number, and what it is. */
	uint32_t (*func_no)(const struct as_flame *f, size_t box);
	struct as_flame_func (*func)(const struct as_flame *f, size_t box);
	/* Not of a comparison: the function or group of a box. */
	const struct as_key *(*key)(const struct as_flame *f, size_t box);
	/* Comparison only, else NULL: where a box is, the event, a box's cost on both sides, and
	 * which sides have it. */
	struct as_slice (*where)(const struct as_flame *f, struct as_arena *ar, size_t box);
	struct as_flame_event (*event)(const struct as_flame *f);
	void (*sides)(const struct as_flame *f, size_t box, struct as_flame_sides *s);
};

struct as_flame {
	const struct as_alloc *al;
	const struct as_flame_words *words;
	const void *of; /* for WORDS: what the picture was made of; borrowed */
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	uint32_t event;
	enum as_tree_way way; /* of paths */
	enum as_flame_by by;
	AS_VEC(struct as_flame_box) box; /* depth first; parents before what they called */
	uint32_t depth;                  /* the largest of a box */
	as_val width;                    /* of the root */
	as_val total;                    /* shares are of it */
	uint64_t n_small;                /* rows that boxes of the kind REST stand for */
	uint32_t levels; /* boxes of the kind REST above so many are what is deeper; 0 = all */
	uint64_t n_deep; /* the rows that those stand for */
	bool estimated;  /* a box is */
	bool partial;    /* the input was damaged: what could be read */
	AS_VEC(struct as_flame_group) group; /* the legend: the most self cost first */
	AS_VEC(struct as_flame_strip) strip; /* of a chart alone: WIDTH is time then, */
	struct as_time_span axis;            /* and this is which */
};

/* The input of a picture of call paths. */
struct as_flame_paths {
	const struct as_tree_view *view;
	const struct as_profile *prof; /* with the paths */
	const struct as_view_opts *opts;
	uint32_t event;
	uint32_t depth; /* of VIEW: levels, 0 = all */
	bool alone;     /* of one function: the root is as wide as that, not as the profile */
};

/* P is borrowed. Costs below 0 cannot be drawn: AS_E_ARG. Always ends in as_flame_release(). */
enum as_code as_flame_of_paths(
	struct as_flame *f, const struct as_flame_paths *p, struct as_err *err) AS_NODISCARD;

/* Of a profile of places: objects, and on each its functions. TABLE, by function, is borrowed. */
struct as_flame_places {
	const struct as_table *table; /* may lack rows that cost less than MIN: its REST has them */
	const struct as_view_opts *opts;
	uint32_t event;
	as_val min; /* functions that cost less are one box of each object */
};
enum as_code as_flame_of_places(
	struct as_flame *f, const struct as_flame_places *p, struct as_err *err) AS_NODISCARD;

/* Of a comparison: all call paths of both sides. A box is as wide as its own cost on the side where
 * that is larger, and what stands on it; so nothing vanishes, and what costs more or less is seen
 * by its colour. */
struct as_flame_diff {
	const struct as_diff_tree_view *tree; /* all rows, none left out */
	const struct as_diff_sub *sub;        /* judged by inclusive cost */
	unsigned pixels; /* what is narrower than one of so many parts of the whole is gathered */
	as_val min;      /* or what costs less than that; 0 = by PIXELS */
	uint32_t depth;  /* of TREE: levels, 0 = all */
	size_t boxes;    /* or what is too much for about so many; 0 = by the others */
};
/* As the two above. */
enum as_code as_flame_of_diff(struct as_flame *f, const struct as_flame_diff *p, struct as_err *err)
	AS_NODISCARD;

/* Stacks in order of time. C is borrowed. */
enum as_code as_flame_of_chart(struct as_flame *f, const struct as_chart *c,
	const struct as_view_opts *opts, struct as_err *err) AS_NODISCARD;

void as_flame_release(struct as_flame *f);

/* The least cost that no more than N of M values reach, every STRIDE-th of V; to a thousandth. 0
 * where there are no more than N. */
enum as_code as_flame_least_of(const struct as_alloc *al, const as_val *v, size_t m, size_t stride,
	size_t n, as_val *least) AS_NODISCARD;
/* The same for as_tree_opts.min: of a picture that shall have at most N boxes, those of the kind
 * REST among them. OPTS says of which view; CT's cost becomes what that needs. */
enum as_code as_flame_least(struct as_calltree *ct, const struct as_tree_opts *opts, size_t n,
	as_val *least) AS_NODISCARD;

/* Give each box its colour. Boxes of a comparison have theirs already. */
enum as_code as_flame_colours(struct as_flame *f, enum as_flame_by by) AS_NODISCARD;

/* ---- drawing ---- */

/* The label of any box: "all", "+12 small", "+3 deeper", "[no caller]", or its name by WORDS. */
struct as_slice as_flame_name(const struct as_flame *f, struct as_arena *ar, size_t box);
/* Where its code is, "http.c, libweb.so"; "" where it has none of its own. */
struct as_slice as_flame_place(const struct as_flame *f, struct as_arena *ar, size_t box);

struct as_flame_style {
	bool icicle;    /* the root on top */
	unsigned width; /* pixels, or columns of the terminal */
	bool fits;      /* a picture's script makes it as wide as the window */
	bool html;      /* a page with the picture in it */
};

enum {
	AS_FLAME_WIDTH = 1200,
	AS_FLAME_WIDTH_MIN = 200,
	AS_FLAME_COLUMNS_MIN = 10,
	AS_FLAME_WIDTH_MAX = 20000,
};

/* An SVG that can be zoomed and searched by its own script, or a page of HTML around it. The same
 * picture gives the same bytes. */
enum as_code as_flame_svg(const struct as_flame *f, const struct as_flame_style *how,
	struct as_out *out) AS_NODISCARD;
/* For a page that draws by itself: the FlameHead, with that ID, and the columns of
 * viewer/src/protocol.ts. */
enum as_code as_flame_wire(const struct as_flame *f, const struct as_flame_style *how, uint64_t id,
	struct as_out *out) AS_NODISCARD;
/* Fills the facts of N boxes. */
enum as_code as_flame_facts_json(
	const struct as_flame *f, const size_t *box, size_t n, struct as_out *out) AS_NODISCARD;
/* For a terminal, how->width columns wide: a line per level. */
enum as_code as_flame_text(const struct as_flame *f, const struct as_flame_style *how,
	struct as_out *out, const struct as_style *style) AS_NODISCARD;

#endif
