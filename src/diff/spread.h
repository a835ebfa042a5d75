/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much rows vary over several sets of profiles: sum, mean, standard deviation, minimum, maximum
 * and range of each, as DCPI's dcpistats has them. A set is a run of a comparison (as_diff_add())
 * that is neither scaled nor sorted; which side it is on does not matter.
 *
 * A row that a set does not have costs nothing there, so N is the number of sets for all rows.
 * Values are whole and exact, unless a set is scaled.
 */
#ifndef AS_DIFF_SPREAD_H
#define AS_DIFF_SPREAD_H

#include "diff/diff.h"
#include "table/metric.h"

enum as_spread_order {
	AS_SPREAD_RANGE, /* (maximum - minimum) / sum */
	AS_SPREAD_SUM,
	AS_SPREAD_STDDEV,
	AS_SPREAD_MEAN,
	AS_SPREAD_MIN,
	AS_SPREAD_MAX,
};

struct as_spread_opts {
	uint32_t event;       /* of the comparison */
	const double *factor; /* of each set; NULL: 1 */
	bool normalize;       /* then each set is scaled to the mean total */
	/* Of the rows by sum, the fewest that are KEEP millionths of the total together, and of
	 * those the ones that are MIN millionths or more. */
	uint32_t keep_ppm, min_ppm;
	enum as_spread_order order;
	size_t limit; /* rows; 0 = all */
};

struct as_spread_stat {
	struct as_number sum, min, max;
	struct as_number mean, stddev; /* of a sample: by N - 1; not known of one set */
	struct as_number share, range; /* percent: of the total's sum, of its own sum */
	size_t present;                /* sets that have it */
};

struct as_spread {
	struct as_arena arena;
	size_t n_sets, n_all; /* N_ALL: rows with any cost */
	bool scaled;          /* values are not whole */
	double *scale;        /* of each set */
	uint32_t *row;        /* those that are left, in order */
	size_t n;
	struct as_spread_stat *stat; /* of each of ROW */
	struct as_spread_stat rest;  /* of all others together */
	struct as_spread_stat total;
};

/* Whether each set with costs has a total above 0 that it can be scaled by; else *SET has none. */
bool as_spread_can_scale(const struct as_diff *d, uint32_t event, size_t *set);

/* Always ends in as_spread_release(). AS_E_NOMEM is the only error. */
enum as_code as_spread_make(struct as_spread *sp, const struct as_diff *d,
	const struct as_spread_opts *opts) AS_NODISCARD;
void as_spread_release(struct as_spread *sp);

#endif
