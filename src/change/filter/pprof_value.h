/* SPDX-License-Identifier: Apache-2.0 */
/* Sample types and values as pprof has them, for --compat=pprof: which there are, how a value is
 * scaled and written. */
#ifndef AS_CHANGE_FILTER_PPROF_VALUE_H
#define AS_CHANGE_FILTER_PPROF_VALUE_H

#include "io/out.h"
#include "model/profile.h"

/* The text of PROF's first line of metadata KEY, of whatever part: what is said first counts, as in
 * pprof, where several profiles are one. p == NULL: there is none. */
struct as_slice as_pprof_meta(const struct as_profile *prof, const char *key);

/* What pprof calls a sample type. */
struct as_pprof_column {
	struct as_slice type, unit; /* "cpu", "nanoseconds" */
	uint32_t event;             /* column of the profile */
	uint64_t each;              /* a count of it is so much of UNIT */
};

/* Samples with a time between them are two types: how many, and how long. */
uint32_t as_pprof_n_columns(const struct as_profile *prof);
struct as_pprof_column as_pprof_column(const struct as_profile *prof, uint32_t i);
/* By number or name, as -sample_index takes it; "" is what pprof shows unless it is told. False if
 * there is none. */
bool as_pprof_find_column(
	const struct as_profile *prof, struct as_slice name, struct as_pprof_column *out);
as_val as_pprof_cost(
	const struct as_profile *prof, const struct as_pprof_column *column, size_t sample);

#define AS_PPROF_MOST ((as_val)1 << 120) /* what a double can be made of, and back */
/* What all samples cost together, those below 0 as if they were above; those of a base that
 * others are compared with alone, where there are such. False if the sum is absurdly much: a period
 * can make it so. */
bool as_pprof_sum(const struct as_profile *prof, const struct as_pprof_column *column, as_val *out);

/* V of unit FROM in TO, which may be "minimum" or "auto"; UNIT gets what is written behind it. */
double as_pprof_scale(as_val v, struct as_slice from, struct as_slice to, struct as_slice *unit);

enum { AS_PPROF_NUMBER = 64 };

/* "1.01" and "s"; "0" without a unit. */
struct as_pprof_value {
	char number[AS_PPROF_NUMBER];
	struct as_slice unit;
};
void as_pprof_format(
	struct as_pprof_value *text, as_val v, struct as_slice from, struct as_slice to);
/* Right-aligned in WIDTH columns. */
void as_pprof_put(struct as_out *out, const struct as_pprof_value *text, unsigned width);

/* "12.50%", six columns or more. */
const char *as_pprof_percent(as_val part, as_val whole, char text[AS_PPROF_NUMBER]);

#endif
