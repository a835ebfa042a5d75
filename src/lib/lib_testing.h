/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the public API share. They look at assay through assay.h only. */
#ifndef AS_LIB_LIB_TESTING_H
#define AS_LIB_LIB_TESTING_H

#include "assay/assay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The extended example, built by hand with AL. */
struct made {
	struct assay_builder *b;
	uint32_t file[2], func[3]; /* main, func1, func2 */
};

static inline enum assay_code make_names(struct made *m)
{
	static const char *const file[] = {"file1.c", "file2.c"};
	static const char *const func[] = {"main", "func1", "func2"};
	struct assay_event ev = {.size = sizeof(ev), .name = T("Instructions")};
	enum assay_code rc = assay_builder_event(m->b, &ev, NULL);

	for (size_t i = 0; i < 2 && rc == ASSAY_OK; i++)
		rc = assay_builder_file(m->b, T(file[i]), &m->file[i]);
	for (size_t i = 0; i < 3 && rc == ASSAY_OK; i++) {
		struct assay_function f = {
			.size = sizeof(f), .name = T(func[i]), .file = m->file[i == 2]};

		rc = assay_builder_function(m->b, &f, &m->func[i]);
	}
	return rc;
}

static inline struct assay_fact self_of(const struct made *m, int func, uint64_t line)
{
	return (struct assay_fact){
		.size = sizeof(struct assay_fact),
		.kind = ASSAY_SELF,
		.at = {.function = m->func[func], .file = m->file[func == 2], .line = line},
		.n_costs = 1,
	};
}

static inline enum assay_code make_facts(struct made *m)
{
	static const struct {
		int func;
		uint64_t line;
		int64_t cost;
	} self[] = {{0, 16, 20}, {1, 51, 100}, {2, 20, 700}};
	static const struct {
		int from, to;
		uint64_t line, to_line;
		int64_t count, cost;
	} call[] = {{0, 1, 16, 50, 1, 400}, {0, 2, 16, 20, 3, 400}, {1, 2, 51, 20, 2, 300}};
	enum assay_code rc = ASSAY_OK;

	for (size_t i = 0; i < 3 && rc == ASSAY_OK; i++) {
		struct assay_value v = assay_value_of(self[i].cost);
		struct assay_fact f = self_of(m, self[i].func, self[i].line);

		f.costs = &v;
		rc = assay_builder_add(m->b, &f);
	}
	for (size_t i = 0; i < 3 && rc == ASSAY_OK; i++) {
		struct assay_value v = assay_value_of(call[i].cost);
		struct assay_fact f = self_of(m, call[i].from, call[i].line);

		f.kind = ASSAY_CALL;
		f.to.function = m->func[call[i].to];
		f.to.line = call[i].to_line;
		f.count = assay_value_of(call[i].count);
		f.costs = &v;
		rc = assay_builder_add(m->b, &f);
	}
	return rc;
}

static inline enum assay_code make(const struct assay_allocator *al, struct assay_profile **prof)
{
	struct made m;
	enum assay_code rc;

	*prof = NULL;
	rc = assay_builder_new(al, &m.b);
	if (rc != ASSAY_OK)
		return rc;
	rc = make_names(&m);
	if (rc == ASSAY_OK)
		rc = make_facts(&m);
	if (rc == ASSAY_OK)
		rc = assay_builder_finish(m.b, prof);
	assay_builder_free(m.b);
	return rc;
}

static inline struct assay_profile *open_fixture(const char *name)
{
	struct assay_profile *prof;
	struct assay_error err;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", getenv("FIXTURES"), name);
	if (assay_open_file(path, NULL, &prof, &err) != ASSAY_OK)
		fail_msg("%s: %s", path, err.message);
	return prof;
}

/* main;work x 2, main;work;leaf x 3, main x 1: what a sampler sees. */
static inline struct assay_profile *sampled(void)
{
	static const char *const names[] = {"main", "work", "leaf"};
	static const struct {
		size_t depth;
		int64_t count;
	} seen[] = {{2, 2}, {3, 3}, {1, 1}};
	struct assay_event ev = {.size = sizeof(ev), .name = T("samples"), .unit = T("count")};
	struct assay_object object = {.size = sizeof(object),
		.path = T("/bin/demo"),
		.address_kind = ASSAY_ADDRESS_FILE_OFFSET};
	struct assay_position frame[3] = {{0}};
	struct assay_profile *prof;
	struct assay_builder *b;
	uint32_t o;

	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_event(b, &ev, NULL), ASSAY_OK);
	assert_int_equal(assay_builder_object(b, &object, &o), ASSAY_OK);
	for (size_t i = 0; i < 3; i++) {
		struct assay_function f = {.size = sizeof(f), .name = T(names[i]), .object = o};

		assert_int_equal(assay_builder_function(b, &f, &frame[i].function), ASSAY_OK);
		frame[i].address = 0x1000 * (i + 1) + 8;
	}
	for (size_t i = 0; i < 3; i++) {
		struct assay_value v = assay_value_of(seen[i].count);
		struct assay_fact f = {.size = sizeof(f),
			.kind = ASSAY_SAMPLE,
			.frames = frame,
			.n_frames = seen[i].depth,
			.costs = &v,
			.n_costs = 1};

		assert_int_equal(assay_builder_add(b, &f), ASSAY_OK);
	}
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assay_builder_free(b);
	return prof;
}

#endif
