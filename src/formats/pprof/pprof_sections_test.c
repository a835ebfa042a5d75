/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and strings of sections that are read alone: a file that is put together by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/pb_put.h"
#include "formats/pprof/pprof.h"
#include "lib/mem_io.h"

extern const struct as_format as_format_pprof;

enum { SECTIONS = 4 };

/* What is written, and may be wrong: the front says how many strings sections have and which table
 * the second one needs; a function there names a string. */
struct made {
	uint64_t strings[SECTIONS], table, name;
	bool older; /* nothing is said of tables */
	struct as_pb_buf section[SECTIONS], msg, sub;
};

static const struct made right = {.strings = {0, 1, 1, 1}, .table = 3, .name = 6};

static void put_text(struct as_pb_buf *b, const char *text)
{
	as_pb_put_bytes(b, PB_STRING_TABLE, as_slice_of(text));
}

static void put_message(struct made *m, unsigned section, uint32_t field)
{
	as_pb_put_bytes(&m->section[section], field, as_pb_bytes(&m->msg));
	m->msg.data.n = 0;
}

static void put_location(struct made *m, unsigned section, uint64_t id, uint64_t map)
{
	m->sub.data.n = 0;
	as_pb_put_number(&m->sub, PB_LINE_FUNC, id);
	as_pb_put_number(&m->msg, PB_LOC_ID, id);
	as_pb_put_number(&m->msg, PB_LOC_MAP, map);
	as_pb_put_number(&m->msg, PB_LOC_ADDR, map * 0x1000 + id);
	as_pb_put_bytes(&m->msg, PB_LOC_LINE, as_pb_bytes(&m->sub));
	put_message(m, section, PB_LOCATION);
}

static void put_function(struct made *m, unsigned section, uint64_t id, uint64_t name)
{
	as_pb_put_number(&m->msg, PB_FUNC_ID, id);
	as_pb_put_number(&m->msg, PB_FUNC_NAME, name);
	put_message(m, section, PB_FUNCTION);
}

/* A sample in location LEAF that location 3 calls. */
static void put_sample(struct made *m, unsigned section, uint64_t leaf, uint64_t cost)
{
	uint64_t stack[] = {leaf, 3};

	as_pb_put_packed(&m->msg, PB_SAMPLE_LOCATION, stack, 2);
	as_pb_put_packed(&m->msg, PB_SAMPLE_VALUE, &cost, 1);
	put_message(m, section, PB_SAMPLE);
}

static void put_front(struct made *m)
{
	static const char *const text[] = {"", "samples", "count", "/a", "/b"};
	static const uint64_t cost[SECTIONS] = {16, 5, 11, 0};

	as_pb_put_number(&m->msg, PB_VALUE_TYPE, 1);
	as_pb_put_number(&m->msg, PB_VALUE_UNIT, 2);
	put_message(m, 0, PB_SAMPLE_TYPE);
	for (uint64_t map = 1; map <= 2; map++) {
		as_pb_put_number(&m->msg, PB_MAP_ID, map);
		as_pb_put_number(&m->msg, PB_MAP_START, map * 0x1000);
		as_pb_put_number(&m->msg, PB_MAP_LIMIT, (map + 1) * 0x1000);
		as_pb_put_number(&m->msg, PB_MAP_FILE, map + 2);
		put_message(m, 0, PB_MAPPING);
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++)
		put_text(&m->section[0], text[i]);
	as_pb_put_packed(&m->section[0], PB_OWN_TOTAL, cost, 1);
	for (uint64_t i = 1; i < SECTIONS - (m->older ? 1 : 0); i++) {
		bool tables = i == SECTIONS - 1;

		as_pb_put_number(&m->msg, PB_SECTION_SAMPLES, !tables);
		as_pb_put_packed(&m->msg, PB_SECTION_TOTAL, cost + i, 1);
		as_pb_put_packed(&m->msg, PB_SECTION_MAP, &i, !tables);
		as_pb_put_packed(&m->msg, PB_SECTION_TABLE, &m->table, !tables && m->table);
		as_pb_put_number(&m->msg, PB_SECTION_STR, m->older ? 0 : m->strings[i]);
		put_message(m, 0, PB_OWN_SECTION);
	}
}

/* Older files have all strings of sections, and functions, in the last one. */
static void put_all(struct made *m)
{
	static const char *const text[SECTIONS] = {NULL, "in a", "in b", "both"};

	for (unsigned i = 0; i < SECTIONS; i++)
		m->section[i].al = &as_alloc_libc;
	m->msg.al = m->sub.al = &as_alloc_libc;
	put_front(m);
	put_sample(m, 1, 1, 5);
	put_sample(m, 2, 2, 11);
	for (unsigned i = 1; i < SECTIONS; i++) {
		unsigned at = m->older ? SECTIONS - 1 : i;

		put_location(m, i, i, i == 2 ? 2 : 1);
		put_function(m, at, i, i == 2 ? m->name : i + 4);
		put_text(&m->section[at], text[i]);
	}
}

static void made_free(struct made *m)
{
	for (unsigned i = 0; i < SECTIONS; i++)
		as_vec_free(&as_alloc_libc, &m->section[i].data);
	as_vec_free(&as_alloc_libc, &m->msg.data);
	as_vec_free(&as_alloc_libc, &m->sub.data);
}

static bool wants_b(const void *ctx, struct as_slice path)
{
	(void)ctx;
	return as_slice_is(path, "/b");
}

static const struct as_rd_choice of_b = {.object = wants_b};

/* The first field of the front, and all sections but those of 0 BYTES, to R; NULL: all, as any file
 * is read. */
static void read_some(const struct made *m, size_t *bytes, struct mem_read *r)
{
	struct as_pb_buf all = {.al = &as_alloc_libc};

	as_pb_put_number(&all, PB_OWN_FRONT, m->section[0].data.n);
	if (bytes)
		bytes[0] += all.data.n;
	for (unsigned i = 0; i < SECTIONS; i++)
		if (!bytes || bytes[i])
			as_pb_put_raw(&all, as_pb_bytes(&m->section[i]));
	mem_read(r,
		&(struct mem_how){.fmt = &as_format_pprof,
			.detail = AS_DETAIL_FULL,
			.choice = &of_b,
			.sections = bytes,
			.n_sections = SECTIONS},
		as_pb_bytes(&all));
	as_vec_free(&as_alloc_libc, &all.data);
}

/* Which sections of M are wanted, as the bytes of each; false: that is not told. */
static bool choose(const struct made *m, size_t *bytes)
{
	struct as_pb_buf front = {.al = &as_alloc_libc};
	bool wanted[SECTIONS], ok;

	as_pb_put_number(&front, PB_OWN_FRONT, m->section[0].data.n);
	as_pb_put_raw(&front, as_pb_bytes(&m->section[0]));
	ok = as_format_pprof.sections(&as_alloc_libc, as_pb_bytes(&front), &of_b, wanted, SECTIONS);
	for (unsigned i = 0; i < SECTIONS; i++)
		bytes[i] = ok && wanted[i] ? m->section[i].data.n : 0;
	as_vec_free(&as_alloc_libc, &front.data);
	return ok;
}

static bool has_func(const struct as_profile *prof, const char *name)
{
	for (size_t i = 1; i < prof->func.name.n; i++)
		if (as_slice_is(as_str_get(prof, prof->func.name.p[i]), name))
			return true;
	return false;
}

/* The names of /b, read alone and out of all. */
static void expect_names(struct made m)
{
	size_t bytes[SECTIONS];

	put_all(&m);
	assert_true(choose(&m, bytes));
	assert_true(bytes[0] && !bytes[1] && bytes[2] && bytes[3]);
	for (int k = 0; k < 2; k++) {
		struct mem_read r;

		read_some(&m, k ? bytes : NULL, &r);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(r.findings.n[AS_ERROR], 0);
		assert_true(r.prof->total[0] == 11 && as_whole(r.prof)[0] == 16);
		assert_true(has_func(r.prof, "in b") && has_func(r.prof, "both"));
		assert_false(has_func(r.prof, "in a"));
		mem_read_free(&r);
	}
	made_free(&m);
}

static void test_names_of_a_section_are_found_alone(void **state)
{
	(void)state;
	expect_names(right);
}

static void test_older_files_have_all_names_in_the_last_section(void **state)
{
	struct made m = right;

	(void)state;
	m.older = true;
	expect_names(m);
}

/* M, of which /b is read alone, has what WANT finds; figures are those of all the same. */
static void expect_found(struct made m, enum as_finding_id want)
{
	size_t bytes[SECTIONS];
	struct mem_read r;

	put_all(&m);
	assert_true(choose(&m, bytes));
	read_some(&m, bytes, &r);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.count[want], 1);
	assert_true(r.prof->total[0] == 11 && as_whole(r.prof)[0] == 16);
	mem_read_free(&r);
	made_free(&m);
}

static void test_a_string_of_a_section_that_is_not_read_is_told(void **state)
{
	struct made m = right;

	(void)state;
	m.name = 5;
	expect_found(m, AS_F_PB_STRING_RANGE);
}

static void test_a_table_that_the_front_leaves_out_is_told(void **state)
{
	struct made m = right;

	(void)state;
	m.table = 0;
	expect_found(m, AS_F_PB_LOCATION_MISSING);
}

static void test_strings_that_are_not_those_of_the_front_are_told(void **state)
{
	static const uint64_t many[] = {0, 2, 3, UINT32_MAX, UINT64_MAX};

	(void)state;
	for (unsigned i = 2; i < SECTIONS; i++)
		for (size_t k = 0; k < AS_ARRAY_LEN(many); k++) {
			struct made m = right;
			struct mem_read r;

			m.strings[i] = many[k];
			expect_found(m, AS_F_PB_FRONT);
			put_all(&m);
			read_some(&m, NULL, &r);
			assert_int_equal(r.findings.count[AS_F_PB_FRONT], 1);
			assert_true(has_func(r.prof, "in b") && has_func(r.prof, "both"));
			mem_read_free(&r);
			made_free(&m);
		}
}

static void test_more_strings_than_are_placed_are_told(void **state)
{
	struct made m = right;

	(void)state;
	m.strings[1] = UINT64_MAX;
	expect_found(m, AS_F_PB_FRONT);
	m.strings[1] = 1 << 23;
	expect_found(m, AS_F_PB_FRONT);
}

static void test_a_table_that_is_no_section_is_not_chosen(void **state)
{
	static const uint64_t none[] = {SECTIONS, SECTIONS + 1, UINT64_MAX};

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(none); k++) {
		struct made m = right;
		size_t bytes[SECTIONS];

		m.table = none[k];
		put_all(&m);
		assert_false(choose(&m, bytes));
		made_free(&m);
	}
}

static void test_a_string_that_is_a_number_is_none(void **state)
{
	struct made m = {.table = 3};
	size_t bytes[SECTIONS];

	(void)state;
	m.section[0].al = &as_alloc_libc;
	as_pb_put_number(&m.section[0], PB_STRING_TABLE, 1);
	assert_false(choose(&m, bytes));
	made_free(&m);
}

int pprof_sections_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_a_section_are_found_alone),
		cmocka_unit_test(test_older_files_have_all_names_in_the_last_section),
		cmocka_unit_test(test_a_string_of_a_section_that_is_not_read_is_told),
		cmocka_unit_test(test_a_table_that_the_front_leaves_out_is_told),
		cmocka_unit_test(test_strings_that_are_not_those_of_the_front_are_told),
		cmocka_unit_test(test_more_strings_than_are_placed_are_told),
		cmocka_unit_test(test_a_table_that_is_no_section_is_not_chosen),
		cmocka_unit_test(test_a_string_that_is_a_number_is_none),
	};

	return cmocka_run_group_tests_name("pprof_sections", tests, NULL, NULL);
}
