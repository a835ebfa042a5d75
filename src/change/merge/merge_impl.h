/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the merge share.
 *
 *	merge.c		order of things, finishing
 *	merge_check.c	what must agree before anything is added
 *	merge_events.c	events, and their units
 *	merge_tables.c	objects, formulas and the facts about the whole
 *	merge_parts.c	parts, metadata and mappings
 *	merge_nodes.c	the tree of paths
 *	merge_facts.c	samples and rows
 *	merge_moments.c	when samples were counted
 *	merge_sums.c	sums of paths by function, and what shares are of
 */
#ifndef AS_CHANGE_MERGE_MERGE_IMPL_H
#define AS_CHANGE_MERGE_MERGE_IMPL_H

#include "base/spans.h"
#include "change/kit/change.h"
#include "change/transform.h"
#include "model/labels.h"

/* An event of the result; the row of the same number is in the builder. */
struct as_merge_event {
	uint32_t first, last;            /* the columns in which inputs have it */
	bool no_period;                  /* an input does not say its period */
	uint64_t period;                 /* 0 = nobody did */
	as_str period_unit, period_from; /* the input that said so */
	/* What was counted, and what would have been, had it been counted all the time; the latter
	 * in ten-thousandths. */
	as_val counted, whole;
	uint32_t active; /* of inputs that have nothing of it */
	/* The event of which this is another unit, + 1: they become one when all inputs are there.
	 * 0 = none. */
	uint32_t of;
	bool several; /* there are such of this one */
	bool no_unit; /* an input does not say its unit */
};

/* A line of metadata; the one part gets it when all parts of the inputs have it. */
struct as_merge_meta {
	as_str key, text;
	enum as_meta_of of; /* the least of what parts say */
	uint32_t nth;       /* among the equal ones of a part */
	uint32_t seen;      /* parts that have it */
	uint32_t last;      /* the last of them, from 1; this and TIMES only where NTH is 0 */
	uint32_t times;     /* how often that one has had it so far */
	uint64_t sum;       /* where OF is AS_META_OF_SUM or _COUNT */
	bool wrong;         /* it can't be added up */
};

/* What the first N mappings of the result leave free: from TOP up to HIGH, the kernel's. */
struct as_merge_room {
	size_t n;
	uint64_t top, high;
};

/* The mappings of a part of an input. */
struct as_merge_maps {
	size_t first, n; /* in m->map */
};

/* What the paths of all inputs add up to, a row for each function. */
struct as_merge_sums {
	AS_VEC(uint32_t) of_func; /* row + 1; 0 = none yet */
	AS_VEC(as_func) func;
	AS_VEC(uint8_t) recursive;
	AS_VEC(as_val) cost; /* 2 * E values each: self cost, then inclusive cost */
	uint32_t e;
};

struct as_merge {
	const struct as_alloc *al;  /* for the result, and samples that become its */
	const struct as_alloc *own; /* POOL's, for all else */
	struct as_pool pool;
	struct as_err *err;
	struct as_merge_opts opts;
	struct as_build b;
	uint32_t n_inputs;

	as_str platform, platform_from; /* DCPI: the machine, and the input that said so */
	AS_VEC(struct as_merge_event) event;
	struct as_index objects, deriveds;
	const uint32_t *object_alias;  /* when copying: the object that stands for each; */
	const struct as_merge *origin; /* what is copied */

	/* samples, until all events are known; sorted and summed by the builder */
	AS_VEC(uint32_t) part;
	AS_VEC(as_node) node;
	AS_VEC(as_val) cost;      /* n_cost values each */
	AS_VEC(uint32_t) of_node; /* sample + 1 of a node in part 0, when parts become one */
	struct as_index labelled; /* likewise of those in other parts, which labels split off */
	AS_VEC(struct as_label) label; /* scratch */
	uint32_t n_cost;
	struct as_merge_sums sums; /* instead of samples */
	AS_VEC(as_val) whole;      /* of all inputs, a value per event: see as_whole() */
	bool has_whole;            /* one is not all of what it was chosen from */
	AS_VEC(uint32_t) code;     /* of a function that is an address: its place + 1 */
	AS_VEC(uint32_t) to_node;  /* scratch: of each node of the input; */
	AS_VEC(uint32_t) depth;    /* its depth; */
	AS_VEC(uint32_t) order;    /* all nodes by depth; */
	AS_VEC(uint32_t) level;    /* where each depth starts in that */
	uint64_t compacted;        /* rows that were left when rows were last made one */

	uint32_t n_parts;        /* of the inputs, when they become one, without those of labels; */
	uint32_t n_inputs_parts; /* with them */
	bool has_duration, no_duration; /* an input says how long it took, or does not */
	struct as_spans spans;          /* when, if it says that */
	bool has_events;                /* some said which events they measured */
	/* One whose moments were counted from a time that nobody knows, and one that has nothing to
	 * do with it: they have no time in common. */
	bool unplaced, has_facts;
	uint64_t metas_lost;
	AS_VEC(struct as_merge_meta) meta;
	struct as_index metas;
	AS_VEC(struct as_map) map;
	AS_VEC(struct as_merge_maps) maps;
	struct as_merge_room room;
};

/* A job of adding one input. */
struct as_merge_add_job {
	struct as_merge *m;
	const struct as_profile *src;
	struct as_remap r;
	struct as_losses *l;
	struct as_pool pool; /* R's */
};

/* Whether SRC may be added at all; changes nothing. AS_E_ARG names both inputs. */
enum as_code as_merge_check(struct as_merge *m, const struct as_profile *src) AS_NODISCARD;

/* How many of unit B are one of unit A, both of them times; 0: that is no whole number. */
static inline as_val as_merge_units(struct as_slice a, struct as_slice b)
{
	uint64_t x = as_unit_nanos(a), y = as_unit_nanos(b);

	return x && y && x % y == 0 ? (as_val)(x / y) : 0;
}

/* A known text before an unknown one, else the first in byte order: the same in any order of
 * the inputs. True if both are known and differ. */
bool as_merge_settle_text(struct as_build *b, as_str *have, as_str text);

/* Of EVENT of PROF, which M has made: the smallest unit that inputs have it in. */
as_str as_merge_unit(const struct as_merge *m, const struct as_profile *prof, uint32_t event);
/* Find or add the events, in units of their own. */
enum as_code as_merge_events(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_objects(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_derived(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_whole(struct as_merge_add_job *j) AS_NODISCARD;
/* The object of the builder with this path, id and kind of addresses, or 0. */
uint32_t as_merge_find_object(
	const struct as_merge *m, as_str path, as_str id, enum as_addr_kind kind);

enum as_code as_merge_parts(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_metas(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_keep_maps(struct as_merge_add_job *j) AS_NODISCARD;
/* When all inputs are there: the mappings and lines that the one part gets. */
enum as_code as_merge_place_maps(struct as_merge *m) AS_NODISCARD;
/* Parts that labels split off get everything else from the one part. */
void as_merge_settle_parts(struct as_merge *m);
enum as_code as_merge_place_metas(struct as_merge *m) AS_NODISCARD;

/* Fill m->to_node. */
enum as_code as_merge_nodes(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_samples(struct as_merge_add_job *j) AS_NODISCARD;
/* Samples come first. And when all inputs are there. */
enum as_code as_merge_moments(struct as_merge_add_job *j) AS_NODISCARD;
void as_merge_place_moments(struct as_merge *m);
enum as_code as_merge_rows(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_compact(struct as_merge *m) AS_NODISCARD;
/* N rows of OLD values each become rows of WIDTH, which there is room for: zeros are put behind. */
void as_merge_spread(as_val *v, size_t n, uint32_t old, uint32_t width);

/* Sums, and what shares are of; and when all inputs are there, to the result. */
enum as_code as_merge_sums(struct as_merge_add_job *j) AS_NODISCARD;
enum as_code as_merge_place_sums(struct as_merge *m) AS_NODISCARD;

#endif
