/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile as rows of a store's tables, in RowBinary (docs/formats/store.md). Host only.
 */
#ifndef AS_FLEET_FLEET_ROWS_H
#define AS_FLEET_FLEET_ROWS_H

#include "fleet/fleet_tables.h"
#include "formats/format.h"
#include "model/signals.h"

struct as_fleet_label {
	struct as_slice key, value;
};

struct as_fleet_rows_opts {
	struct as_slice service, host;
	const struct as_fleet_label *label; /* for samples that have no label of that key */
	size_t n_label;
	struct as_slice run; /* what sets a push apart from an equal one; may be empty */
	int64_t begin_ns;    /* since 1970, where the profile does not say when it began */
};

enum {
	AS_FLEET_ROW = 38,         /* bytes of a row of samples, without its attempt */
	AS_FLEET_ROW_ATTEMPT = 46, /* with the eight bytes of it behind */
	AS_FLEET_STACK_MARK = 19,  /* of a row of stacks that has no frames */
};

/* What is committed at once. Its samples are in the order of the table's key. */
struct as_fleet_batch {
	AS_VEC(char) samples; /* rows of AS_FLEET_ROW bytes: who sends them adds the attempt */
	uint64_t n_samples;
	int64_t total; /* of all values */
	uint64_t mass; /* of them without their signs: no sum of some of them can be more */
	uint64_t id;
};

/* What samples name: its N rows, and where they end among others. */
struct as_fleet_named {
	uint64_t id;
	size_t end, n;
};

struct as_fleet_rows {
	const struct as_alloc *al;
	AS_VEC(char) frames, stacks, series;               /* whole rows */
	uint64_t n_frames, n_stacks, n_series;             /* rows */
	AS_VEC(struct as_fleet_named) frame, stack, serie; /* of which, in their order */
	AS_VEC(struct as_fleet_batch) batch;               /* one; more where the mass needs it */
	uint32_t day, t0, t1;                              /* days and seconds since 1970 */
	int64_t begin_ns, nanos;
	uint64_t home; /* of stacks and frames: the id of the service */
	uint64_t lost; /* samples that the recorder lost */
	bool ordered;  /* STACKS are, by id; there is room for a mark behind them */
	struct as_signals signals;
	struct as_slice service, host; /* those of the options */
};

/*
 * Sums of the rows are the costs of PROF, whatever their size. What tables cannot carry goes to L,
 * which may be NULL. AS_E_UNSUPPORTED: a profile of calls. AS_E_LIMIT: a time before 1970 or
 * behind 2105, or a cost of more than a thousand rows. Always ends in as_fleet_rows_release().
 */
enum as_code as_fleet_rows_make(const struct as_alloc *al, const struct as_profile *prof,
	const struct as_fleet_rows_opts *opts, struct as_fleet_rows *out, struct as_losses *l,
	struct as_err *err) AS_NODISCARD;
void as_fleet_rows_release(struct as_fleet_rows *rows);

#endif
