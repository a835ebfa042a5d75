/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/gmon/gmon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "lib/mem_io.h"

extern const struct as_format as_format_gmon;

/* A file as it is put together. */
struct bytes {
	char p[512];
	size_t n;
	struct as_gm_layout l;
};

static void put_number(struct bytes *b, uint64_t v, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++)
		b->p[b->n++] = (char)(unsigned char)(v >> 8 * (b->l.big ? width - 1 - i : i));
}

static void put_head(struct bytes *b, struct as_gm_layout l)
{
	*b = (struct bytes){.l = l};
	memcpy(b->p, "gmon", 4);
	b->n = 4;
	put_number(b, 1, 4);
	b->n += 12;
}

static void put_histogram(
	struct bytes *b, uint64_t low, uint64_t high, uint32_t bins, uint32_t rate)
{
	static const char dimension[GM_DIMENSION] = "seconds";

	put_number(b, AS_GM_HISTOGRAM, 1);
	put_number(b, low, b->l.width);
	put_number(b, high, b->l.width);
	put_number(b, bins, 4);
	put_number(b, rate, 4);
	memcpy(b->p + b->n, dimension, GM_DIMENSION);
	b->n += GM_DIMENSION;
	b->p[b->n++] = 's';
}

static void put_arc(struct bytes *b, uint64_t from, uint64_t self, uint32_t count)
{
	put_number(b, AS_GM_ARC, 1);
	put_number(b, from, b->l.width);
	put_number(b, self, b->l.width);
	put_number(b, count, 4);
}

/* Bins of 3 1/3 addresses: 1 tick in the first, 65535 in the last, and one call. */
static void put_all(struct bytes *b, struct as_gm_layout l)
{
	put_head(b, l);
	put_histogram(b, 0x401000, 0x40100a, 3, 100);
	put_number(b, 1, 2);
	put_number(b, 0, 2);
	put_number(b, 65535, 2);
	put_arc(b, 0x401005, 0x401008, 42);
}

static void read_bytes(
	struct mem_read *r, const struct bytes *b, size_t n, const struct as_alloc *al)
{
	struct mem_how how = {.fmt = &as_format_gmon, .al = al, .detail = AS_DETAIL_FULL};

	mem_read(r, &how, (struct as_slice){b->p, n});
}

static const struct as_gm_layout layouts[] = {{4, false}, {4, true}, {8, false}, {8, true}};

static void test_all_layouts_say_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(layouts); i++) {
		struct as_gm_layout l;
		struct mem_read r;
		struct bytes b;

		put_all(&b, layouts[i]);
		assert_true(as_gm_detect((struct as_slice){b.p, b.n}, true, &l));
		assert_int_equal(l.width, layouts[i].width);
		assert_int_equal(l.big, layouts[i].big);
		read_bytes(&r, &b, b.n, NULL);
		assert_int_equal(r.rc, AS_OK);
		assert_true(r.prof->total[0] == 65536);
		assert_int_equal(r.prof->event.p[0].period, 10000);
		assert_int_equal(r.prof->call.n, 1);
		assert_int_equal(r.prof->shape, AS_SHAPE_PLACES | AS_SHAPE_CALLS);
		assert_int_equal(r.findings.count[AS_F_GM_FULL], 1);
		assert_false(r.prof->partial);
		mem_read_free(&r);
	}
}

/* [0, 10/3), [10/3, 20/3), [20/3, 10): their middles are 1 2/3, 5 and 8 1/3. */
static void test_a_bin_stands_for_the_address_in_its_middle(void **state)
{
	struct as_gm_histogram h = {.low = 0x1000, .high = 0x100a, .bins = 3};

	(void)state;
	assert_int_equal(as_gm_bin_address(&h, 0), 0x1001);
	assert_int_equal(as_gm_bin_address(&h, 1), 0x1005);
	assert_int_equal(as_gm_bin_address(&h, 2), 0x1008);
	h = (struct as_gm_histogram){.low = 0, .high = UINT64_MAX, .bins = UINT32_MAX};
	assert_true(as_gm_bin_address(&h, UINT32_MAX - 1) < UINT64_MAX);
	assert_true(as_gm_bin_address(&h, UINT32_MAX - 1) > UINT64_MAX - UINT32_MAX - 2);
}

/* Every beginning of a file: it is refused, or what came before is kept and said to be cut. */
static void test_a_cut_file_is_told(void **state)
{
	struct bytes b;

	(void)state;
	put_all(&b, layouts[2]);
	for (size_t n = 0; n < b.n; n++) {
		struct mem_read r;

		read_bytes(&r, &b, n, NULL);
		if (n < GM_HEAD) {
			assert_int_equal(r.rc, n < 4 ? AS_E_FORMAT : AS_E_TRUNC);
		} else {
			bool between = n == GM_HEAD || n == b.n - 21;

			assert_int_equal(r.rc, AS_OK);
			assert_int_equal(r.prof->partial, !between);
			assert_true(r.prof->total[0] <= 65536);
		}
		mem_read_free(&r);
	}
}

static void test_what_is_odd_is_told(void **state)
{
	struct mem_read r;
	struct bytes b;

	(void)state;
	put_head(&b, layouts[2]);
	put_histogram(&b, 0x555555554000, 0x555555555000, 1, 100);
	put_number(&b, 7, 2);
	put_histogram(&b, 0x1000, 0x2000, 1, 1000);
	put_number(&b, 7, 2);
	put_histogram(&b, 0x2000, 0x1000, 1, 100);
	put_number(&b, 7, 2);
	put_number(&b, 9, 1);
	read_bytes(&r, &b, b.n, NULL);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 14);
	assert_int_equal(r.findings.count[AS_F_GM_RUN_TIME], 1);
	assert_int_equal(r.findings.count[AS_F_GM_RATE], 1);
	assert_int_equal(r.findings.count[AS_F_GM_HISTOGRAM], 1);
	assert_int_equal(r.findings.count[AS_F_GM_TAG], 1);
	mem_read_free(&r);
}

static void test_blocks_are_an_event_of_their_own(void **state)
{
	struct mem_read r;
	struct bytes b;

	(void)state;
	put_head(&b, layouts[2]);
	put_number(&b, AS_GM_BLOCKS, 1);
	put_number(&b, 2, 4);
	for (uint64_t i = 1; i < 3; i++) {
		put_number(&b, 0x1000 * i, 8);
		put_number(&b, 100 * i, 8);
	}
	read_bytes(&r, &b, b.n, NULL);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->event.n, 2);
	assert_true(r.prof->total[0] == 0 && r.prof->total[1] == 300);
	mem_read_free(&r);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	struct bytes b;

	(void)state;
	put_all(&b, layouts[2]);
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct mem_read r;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		read_bytes(&r, &b, b.n, &fa.al);
		rc = r.rc;
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			return;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int gmon_tests(void);
int gmon_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_layouts_say_the_same),
		cmocka_unit_test(test_a_bin_stands_for_the_address_in_its_middle),
		cmocka_unit_test(test_a_cut_file_is_told),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_blocks_are_an_event_of_their_own),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("gmon", tests, NULL, NULL);
}
