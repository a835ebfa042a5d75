/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of libdeflate, made parts of one, as zlib reads it. */
#include "io/deflate_join.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libdeflate.h>
#define ZLIB_CONST
#include <zlib.h>

enum { TEXT_MAX = 200000, PACKED_MAX = 3 * TEXT_MAX };

static z_stream inflating;
static unsigned char room[1000]; /* blocks are longer */
static unsigned char text[TEXT_MAX], packed[PACKED_MAX], again[2 * TEXT_MAX];

static bool go_on(unsigned char *p, size_t *n)
{
	return as_deflate_go_on(&inflating, room, sizeof(room), p, n);
}

static uint32_t next_number(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* N bytes: of all values that are there, of a few, or with much that comes again. */
static void make_text(unsigned kind, size_t n, uint32_t seed)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t v = next_number(&seed);
		size_t back = 1 + v % 300;

		text[i] = kind == 0   ? (unsigned char)v
			  : kind == 1 ? (unsigned char)('a' + v % 3)
				      : 0;
		if (kind == 2)
			text[i] = v % 16 && back <= i ? text[i - back] : (unsigned char)(v >> 9);
	}
}

/* The first N bytes of the text to PACKED, AT bytes behind its beginning. Returns the end. */
static size_t pack(size_t at, size_t n, int level)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
	size_t out = libdeflate_deflate_compress(c, text, n, packed + at, sizeof(packed) - at);

	libdeflate_free_compressor(c);
	assert_true(out > 0);
	return at + out;
}

/* The N bytes of PACKED are one stream of the text, twice. */
static void check_twice(size_t n, size_t n_text)
{
	z_stream zs = {.next_in = packed, .avail_in = (uInt)n};

	zs.next_out = again;
	zs.avail_out = sizeof(again);
	assert_int_equal(inflateInit2(&zs, -15), Z_OK);
	assert_int_equal(inflate(&zs, Z_FINISH), Z_STREAM_END);
	assert_int_equal(zs.avail_in, 0);
	assert_int_equal(zs.total_out, 2 * n_text);
	assert_memory_equal(again, text, n_text);
	assert_memory_equal(again + n_text, text, n_text);
	inflateEnd(&zs);
}

static void test_a_stream_goes_on_where_another_one_ended(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 3, 7, 20, 100, 1000, 30000, TEXT_MAX};
	uint32_t seed = 1;

	(void)state;
	for (unsigned kind = 0; kind < 4; kind++)
		for (size_t i = 0; i < AS_ARRAY_LEN(sizes); i++)
			for (int level = 0; level <= 12; level++) {
				size_t n, first;

				make_text(kind, sizes[i], seed++);
				n = first = pack(0, sizes[i], level);
				assert_true(go_on(packed, &n));
				assert_in_range(n, first + 4, first + AS_DEFLATE_JOIN_MAX);
				check_twice(pack(n, sizes[i], level), sizes[i]);
			}
}

/* What ends at each bit of a byte does so. */
static void test_all_ends_within_a_byte_are_met(void **state)
{
	unsigned longer = 0, shorter = 0;

	(void)state;
	for (unsigned n = 1; n < 200; n++) {
		size_t first, all;

		make_text(1, n, n);
		all = first = pack(0, n, 6);
		assert_true(go_on(packed, &all));
		longer += all - first == AS_DEFLATE_JOIN_MAX;
		shorter += all - first == AS_DEFLATE_JOIN_MAX - 1;
		check_twice(pack(all, n, 6), n);
	}
	assert_true(longer > 10 && shorter > 10);
}

/* No cut and no flipped bit leads beyond the bytes or into a loop; a cut is refused. */
static void test_what_is_damaged_is_refused_or_of_its_size(void **state)
{
	static unsigned char good[PACKED_MAX];
	size_t n;

	(void)state;
	make_text(2, 5000, 5);
	n = pack(0, 5000, 6);
	memcpy(good, packed, n);
	for (size_t cut = 0; cut < n; cut++) {
		unsigned char *copy = malloc(cut + AS_DEFLATE_JOIN_MAX);
		size_t left = cut;

		assert_non_null(copy);
		memcpy(copy, good, cut);
		assert_false(go_on(copy, &left));
		assert_int_equal(left, cut);
		assert_memory_equal(copy, good, cut);
		free(copy);
	}
	for (size_t bit = 0; bit < 8 * n; bit++) {
		unsigned char *copy = malloc(n + AS_DEFLATE_JOIN_MAX);
		size_t left = n;

		assert_non_null(copy);
		memcpy(copy, good, n);
		copy[bit / 8] ^= (unsigned char)(1u << bit % 8);
		assert_true(go_on(copy, &left) ? left > n : left == n);
		free(copy);
	}
}

int deflate_join_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_stream_goes_on_where_another_one_ended),
		cmocka_unit_test(test_all_ends_within_a_byte_are_met),
		cmocka_unit_test(test_what_is_damaged_is_refused_or_of_its_size),
	};

	int failed = inflateInit2(&inflating, -15) != Z_OK;

	failed += cmocka_run_group_tests_name("deflate_join", tests, NULL, NULL);
	inflateEnd(&inflating);
	return failed;
}
