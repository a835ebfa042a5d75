/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of this folder share: profiles from texts, and what they hold. */
#ifndef AS_FORMATS_CALLGRIND_CALLGRIND_TESTING_H
#define AS_FORMATS_CALLGRIND_CALLGRIND_TESTING_H

#include "formats/callgrind/callgrind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/mem_io.h"

extern const struct as_format as_format_callgrind;

/* One reading, and the driver's own check. */
static inline void open_doc(
	struct mem_read *d, const char *text, size_t len, enum as_detail detail, bool strict)
{
	struct mem_how how = {.fmt = &as_format_callgrind,
		.detail = detail,
		.strict = strict,
		.check = true,
		.name = "dir/test.cg"};

	mem_read(d, &how, (struct as_slice){text, len});
}

static inline void open_text(struct mem_read *d, const char *text)
{
	open_doc(d, text, strlen(text), AS_DETAIL_FULL, false);
	assert_int_equal(d->rc, AS_OK);
}

static inline long long total(const struct mem_read *d, unsigned k)
{
	assert_true(k < d->prof->event.n);
	return (long long)d->prof->total[k];
}

/* The function NAME in FILE ("" = unknown, NULL = any); fails if there are several. */
static inline as_func find(const struct mem_read *d, const char *file, const char *name)
{
	as_func found = {UINT32_MAX};

	for (uint32_t i = 0; i < d->prof->func.name.n; i++) {
		as_func f = {i};

		if (!as_slice_is(as_func_name(d->prof, f), name) ||
			(file &&
				!as_slice_is(as_file_path(d->prof, d->prof->func.file.p[i]), file)))
			continue;
		assert_int_equal(found.i, UINT32_MAX);
		found = f;
	}
	assert_int_not_equal(found.i, UINT32_MAX);
	return found;
}

static inline long long self_of(const struct mem_read *d, as_func f, unsigned event)
{
	as_val v[64], sum = 0;
	struct as_rows_cur cur;

	assert_true(d->prof->self.width <= 64);
	for (size_t r = 0; r < d->prof->self.run.n; r++) {
		if (d->prof->self.run.p[r].func.i != f.i)
			continue;
		as_rows_begin(&cur, &d->prof->self, &d->prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			sum += v[event];
	}
	return (long long)sum;
}

static inline void calls_of(
	const struct mem_read *d, as_func from, as_func to, long long *n, long long *cost)
{
	struct as_rows_cur cur;
	as_val v[64] = {0}; /* without events there is no cost */

	*n = *cost = 0;
	for (size_t r = 0; r < d->prof->call.run.n; r++) {
		if (d->prof->call.run.p[r].func.i != from.i)
			continue;
		as_rows_begin(&cur, &d->prof->call, &d->prof->call.run.p[r], v);
		while (as_rows_next(&cur))
			if (v[AS_CALL_FUNC] == to.i) {
				*n += (long long)v[AS_CALL_COUNT];
				*cost += (long long)v[AS_CALL_COST];
			}
	}
}

static inline void expect_call(
	const struct mem_read *d, const char *from, const char *to, long long n, long long cost)
{
	long long got_n, got_cost;

	calls_of(d, find(d, NULL, from), find(d, NULL, to), &got_n, &got_cost);
	assert_int_equal(got_n, n);
	assert_int_equal(got_cost, cost);
}

/* The self rows in order, as "line@addr:cost ..." of event 0. */
static inline void expect_rows(const struct mem_read *d, const char *want)
{
	struct as_rows_cur cur;
	char got[512] = "";
	size_t n = 0;
	as_val v[64];

	for (size_t r = 0; r < d->prof->self.run.n; r++) {
		as_rows_begin(&cur, &d->prof->self, &d->prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			n += (size_t)snprintf(got + n, sizeof(got) - n,
				"%" PRIu64 "@%" PRIx64 ":%lld ", cur.line, cur.addr,
				(long long)v[0]);
	}
	assert_string_equal(got, want);
}

static inline void expect_finding(const struct mem_read *d, enum as_finding_id id, uint64_t line)
{
	for (size_t i = 0; i < d->findings.row.n; i++)
		if (d->findings.row.p[i].id == id) {
			assert_int_equal(d->findings.row.p[i].line, line);
			return;
		}
	fail_msg("finding %s is missing", as_finding_name(id));
}

static inline void expect_clean(const struct mem_read *d)
{
	for (size_t i = 0; i < d->findings.row.n; i++)
		print_message("%s: %.*s\n", as_finding_name(d->findings.row.p[i].id),
			AS_SLICE_FMT(d->findings.row.p[i].msg));
	assert_int_equal(d->findings.row.n, 0);
}

/* PROF as text; test_free() it. */
static inline char *written(const struct as_profile *prof, const char *const *opts, size_t n_opts)
{
	struct mem_written w;
	char *text;

	mem_write_with(&w, &as_format_callgrind, prof, 0, (struct as_opts){opts, n_opts});
	assert_int_equal(w.rc, AS_OK);
	text = test_malloc(w.mem.data.n + 1);
	memcpy(text, w.mem.data.p, w.mem.data.n);
	text[w.mem.data.n] = 0;
	mem_written_free(&w);
	return text;
}

#endif
