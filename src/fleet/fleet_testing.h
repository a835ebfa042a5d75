/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of this folder: a store in memory, which answers with the rows that it was sent. */
#ifndef AS_FLEET_FLEET_TESTING_H
#define AS_FLEET_FLEET_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fleet/fleet_cur.h"
#include "fleet/fleet_read.h"
#include "fleet/fleet_rows.h"
#include "lib/test_profiles.h"

static inline struct as_fleet_rows fleet_rows_of(
	const struct as_profile *prof, const char *host, struct as_losses *l)
{
	struct as_fleet_rows_opts opts = {.service = as_slice_of(*host ? "api" : ""),
		.host = as_slice_of(host),
		.begin_ns = INT64_C(1795430700) * 1000000000};
	struct as_fleet_rows rows;
	struct as_err err = AS_ERR_NONE;

	if (as_fleet_rows_make(&as_alloc_libc, prof, &opts, &rows, l, &err) != AS_OK)
		fail_msg("%s", err.msg);
	return rows;
}

#define fleet_slice(v) ((struct as_slice){(v).p, (v).n})

/* What a server says of the samples: series, stack and value of each. The caller frees it. */
static inline struct as_slice fleet_sums(const struct as_fleet_rows *rows)
{
	size_t n = 0, at = 0;
	char *out;

	for (size_t i = 0; i < rows->batch.n; i++)
		n += rows->batch.p[i].samples.n / AS_FLEET_ROW;
	out = malloc(n * 24 + 1);
	assert_non_null(out);
	for (size_t i = 0; i < rows->batch.n; i++)
		for (size_t k = 0; k < rows->batch.p[i].samples.n; k += AS_FLEET_ROW, at += 24)
			memcpy(out + at, rows->batch.p[i].samples.p + k + 14, 24);
	return (struct as_slice){out, at};
}

/* N pushes, read back. */
static inline enum as_code fleet_back(const struct as_alloc *al, const struct as_fleet_rows *rows,
	size_t n, bool labels, struct as_profile **out, struct as_fleet_gaps *gaps,
	struct as_err *err)
{
	struct as_fleet_read_opts opts = {.labels = labels, .pushed = true};
	struct as_fleet_read *r;
	enum as_code rc = as_fleet_read_new(al, &opts, &r, err);

	*out = NULL;
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = as_fleet_read_series(r, fleet_slice(rows[i].series));
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = as_fleet_read_stacks(r, fleet_slice(rows[i].stacks));
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = as_fleet_read_frames(r, fleet_slice(rows[i].frames));
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = as_fleet_read_span(r, rows[i].begin_ns, rows[i].nanos);
	for (size_t i = 0; i < n && rc == AS_OK; i++) {
		struct as_slice sums = fleet_sums(&rows[i]);

		rc = as_fleet_read_sums(r, sums, false);
		free((void *)(uintptr_t)sums.p);
	}
	if (rc == AS_OK && n == 1)
		as_fleet_read_signals(r, rows->signals);
	if (rc == AS_OK)
		return as_fleet_read_finish(r, out, gaps, NULL);
	as_fleet_read_free(r);
	return rc;
}

/* A push of PROF, read back; nothing is missing. */
static inline struct as_profile *fleet_there_and_back(const struct as_profile *prof, bool labels)
{
	struct as_fleet_rows rows = fleet_rows_of(prof, "", NULL);
	struct as_fleet_gaps gaps;
	struct as_profile *back;
	struct as_err err = AS_ERR_NONE;

	if (fleet_back(&as_alloc_libc, &rows, 1, labels, &back, &gaps, &err) != AS_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(gaps.stacks + gaps.frames, 0);
	as_fleet_rows_release(&rows);
	return back;
}

#endif
