/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the public API share. They look at assay through assay.h only. */
#ifndef AS_LIB_LIB_TESTING_H
#define AS_LIB_LIB_TESTING_H

#include "assay/assay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define T(text) assay_slice_of(text)

/* The extended example of the Callgrind specification: main has 820 inclusive, 20 self. */
static const char extended_example[] =
	"events: Instructions\n\nfl=file1.c\nfn=main\n16 20\ncfn=func1\ncalls=1 50\n16 400\n"
	"cfl=file2.c\ncfn=func2\ncalls=3 20\n16 400\n\nfn=func1\n51 100\ncfl=file2.c\ncfn=func2\n"
	"calls=2 20\n51 300\n\nfl=file2.c\nfn=func2\n20 700\n";

static inline int slice_is(struct assay_slice s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.p, text, s.len) == 0;
}

static inline int64_t number(struct assay_value v)
{
	int64_t n;

	assert_int_equal(assay_value_i64(v, &n), ASSAY_OK);
	return n;
}

/* The first of a row's costs, which must be known. */
static inline int64_t first(const struct assay_value *v)
{
	if (v)
		return number(*v);
	fail_msg("the cost is not known");
	return 0;
}

/* A profile read from TEXT, which must be sound. */
static inline struct assay_profile *profile_of(const char *text)
{
	struct assay_profile *prof;
	struct assay_error err;

	if (assay_open_memory(text, strlen(text), NULL, &prof, &err) != ASSAY_OK)
		fail_msg("%s", err.message);
	return prof;
}

/* PROF as FORMAT; free it. */
static inline struct assay_buffer *bytes_of(const struct assay_profile *prof, const char *format)
{
	struct assay_write_options o = {.size = sizeof(o), .format = format};
	struct assay_buffer *buf;
	struct assay_error err;

	if (assay_write_memory(prof, &o, &buf, &err) != ASSAY_OK)
		fail_msg("%s", err.message);
	return buf;
}

/* Both give the same bytes in FORMAT; "dump" shows everything that a profile holds. */
static inline void assert_same(
	const struct assay_profile *a, const struct assay_profile *b, const char *format)
{
	struct assay_buffer *x = bytes_of(a, format), *y = bytes_of(b, format);
	struct assay_slice s = assay_buffer_bytes(x), t = assay_buffer_bytes(y);

	if (s.len != t.len || memcmp(s.p, t.p, s.len) != 0)
		fail_msg("%.*s---- is not ----\n%.*s", (int)s.len, s.p, (int)t.len, t.p);
	assay_buffer_free(x);
	assay_buffer_free(y);
}

static inline struct assay_info info_of(const struct assay_profile *prof)
{
	struct assay_info info = {.size = sizeof(info)};

	assert_int_equal(assay_profile_info(prof, &info), ASSAY_OK);
	return info;
}

/* The row NAME of a table; fails if there is none. */
static inline struct assay_row row_named(const struct assay_table *table, const char *name)
{
	struct assay_row row = {.size = sizeof(row)};

	for (size_t i = 0; i < assay_table_rows(table); i++) {
		assert_int_equal(assay_table_row(table, i, &row), ASSAY_OK);
		if (slice_is(row.name, name) && !row.is_cycle)
			return row;
	}
	fail_msg("no row '%s'", name);
	return row;
}

#endif
