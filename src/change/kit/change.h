/* SPDX-License-Identifier: Apache-2.0 */
/* What all transformations of one profile into another share. */
#ifndef AS_CHANGE_KIT_CHANGE_H
#define AS_CHANGE_KIT_CHANGE_H

#include "base/pool.h"
#include "change/kit/remap.h"
#include "formats/format.h"

/* A transformation under way. The struct may not be moved. */
struct as_change {
	const struct as_alloc *al; /* for scratch: whatever it gives goes in as_change_end() */
	const struct as_profile *src;
	struct as_build b;
	struct as_remap r;
	struct as_pool pool;
	/* Where SRC has moments: of each sample its node in the result + 1, 0 = it is not there. */
	uint32_t *sample_to;
	bool moved;        /* a sample is there */
	bool moments_done; /* the work has put the moments into the result */
};

/* What stays of a profile; NULL: all of it. */
struct as_change_keep {
	const uint8_t *part, *label; /* of each: 0 = it goes, a part with its facts */
	const uint32_t *event;       /* the columns that stay, in that order */
	uint32_t n_events;
};

/* Copy everything but facts, or of it what KEEP says, which lives as long as C. On failure nothing
 * is left to release. */
enum as_code as_change_begin(struct as_change *c, const struct as_profile *src,
	const struct as_change_keep *keep, struct as_err *err) AS_NODISCARD;
/* RC is how the work went: gives the result, or releases everything. */
enum as_code as_change_end(struct as_change *c, enum as_code rc, struct as_profile **out)
	AS_NODISCARD;
/* as_change_begin(), WORK, and as_change_end(). */
enum as_code as_change_run(const struct as_profile *prof, const struct as_change_keep *keep,
	enum as_code (*work)(struct as_change *c, void *ctx), void *ctx, struct as_profile **out,
	struct as_err *err) AS_NODISCARD;

/* Copy all facts, where the functions of the result stand for those of the source. For
 * as_change_run(). */
enum as_code as_change_facts(struct as_change *c, void *none) AS_NODISCARD;
/* Sample I at NODE of the result. */
enum as_code as_change_sample(struct as_change *c, size_t i, as_node node) AS_NODISCARD;
/* All samples, those at node I of the source at TO[i]. */
enum as_code as_change_samples_to(struct as_change *c, const uint32_t *to) AS_NODISCARD;
/* Samples with their whole paths. */
enum as_code as_change_samples(struct as_change *c) AS_NODISCARD;
/* A sample in PART of the source, of the costs in the scratch OUT: at POS of the result, below
 * PARENT. */
enum as_code as_change_add_leaf(
	struct as_change *c, uint32_t part, as_node parent, const struct as_pos *pos) AS_NODISCARD;
/* The moments of samples that as_change_sample() put into the result; where it put none there, they
 * are counted as left. as_change_end() does it. */
enum as_code as_change_moments(struct as_change *c) AS_NODISCARD;
/* Self rows as paths of one frame. */
enum as_code as_change_self_leaves(struct as_change *c) AS_NODISCARD;
/* Samples as self rows of their last frames. */
enum as_code as_change_sample_self(struct as_change *c) AS_NODISCARD;

/* ---- equal rows made one ---- */

/* The leading values that tell rows apart; the rest is summed. */
enum { AS_KEYS_SELF = 0, AS_KEYS_CALL = 3, AS_KEYS_JUMP = 5 };

/*
 * Write ROWS anew, sorted by part, function, file, line, address and the first N_KEYS values,
 * with equal ones summed. Handles are compared as numbers. False if out of memory; ROWS is
 * unchanged then.
 */
AS_NODISCARD bool as_rows_compact(struct as_rows *rows, uint32_t n_keys);
/* Likewise to TO, which is empty; RUN says of each run of FROM what it is there. */
AS_NODISCARD bool as_rows_compact_to(
	struct as_rows *to, const struct as_rows *from, const struct as_run *run, uint32_t n_keys);
/* All rows of PROF, likewise. */
AS_NODISCARD bool as_rows_compact_all(struct as_profile *prof);

/* ---- losses ---- */

/* Samples of more than one frame. */
uint64_t as_deep_samples(const struct as_profile *prof);

/* as_losses_add() with the words of a capability: AS_CAPBIT_*. */
static inline void as_lose(struct as_losses *l, unsigned capbit, uint64_t amount)
{
	as_losses_add(l, as_cap_kind(capbit), amount, as_cap_words(capbit));
}

#endif
