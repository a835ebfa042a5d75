/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pprof draws of labels: a tag for all labels of text that a sample has, "key:value" by
 * "key:value", and a tag for each number of bytes, which belongs to them.
 */
#ifndef AS_REPORT_PPROF_NODELETS_H
#define AS_REPORT_PPROF_NODELETS_H

#include "base/index.h"
#include "ops/pprof_graph.h"
#include "report/pprof_value.h"

struct as_pprof_drawn_tag {
	uint32_t group; /* samples with the same labels of text; 0: without any */
	bool is_number;
	struct as_slice text; /* of a number: as it is printed; of labels: a line each */
	int64_t value;
};

struct as_pprof_drawn_tags {
	AS_VEC(struct as_pprof_drawn_tag) tag;
	struct as_slice unit;   /* of numbers */
	struct as_pg_tags part; /* numbers in TAG */
};

/* UNIT is what numbers are printed in. The memory is ARENA's but for TAGS->tag; false if there is
 * none left. Always ends in as_pprof_drawn_tags_release(). */
AS_NODISCARD bool as_pprof_drawn_tags_make(struct as_pprof_drawn_tags *tags, struct as_arena *arena,
	const struct as_profile *prof, struct as_slice unit);
void as_pprof_drawn_tags_release(struct as_pprof_drawn_tags *tags, const struct as_profile *prof);

/* ---- at a node ---- */

struct as_pprof_nodelet {
	struct as_slice text;
	uint32_t group;
	as_val flat, cum, flat_div, cum_div; /* as in struct as_pg_tagged */
	int64_t value;                       /* of a number */
};

enum { AS_PPROF_NODELETS = 4 };

/* Up to so many that cost most; FLAT: by what the node costs itself. ALL has N, and is sorted. */
size_t as_pprof_first_nodelets(struct as_pprof_nodelet *all, size_t n, bool flat);
/* Numbers: those beyond go to the nearest of the first, which become ranges. The texts of those are
 * AR's; p == NULL: out of memory. */
size_t as_pprof_ranges(struct as_arena *ar, struct as_pprof_nodelet *all, size_t n, bool flat,
	struct as_slice unit);

#endif
