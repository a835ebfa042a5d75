/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the body: chunks, counts, the footer. The numbers in brackets are those of the acceptance
 * checks that the tests stand for, docs/formats/dcpi.md. */
#include "formats/dcpi/dcpi_testing.h"

/* The golden header, then BODY words. */
static void read_body(struct mem_read *r, const uint32_t *v, size_t n)
{
	struct dcpi_bytes f = {0};

	as_dcpi_add_lines(&f, NULL, NULL);
	as_dcpi_add(&f, "samples\n");
	as_dcpi_add_words(&f, v, n);
	as_dcpi_read_file(r, &f);
	as_dcpi_bytes_free(&f);
}
#define BODY(r, ...)                                  \
	read_body(r, (const uint32_t[]){__VA_ARGS__}, \
		sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* [8] */
static void test_zeros_and_the_largest_counts(void **state)
{
	struct mem_read r;

	(void)state;
	BODY(&r, 0, 0); /* no chunks at all */
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(as_dcpi_complaints(&r), 0);
	assert_int_equal(as_dcpi_found(&r, AS_F_NO_SAMPLES), 1);
	assert_true(r.prof->total[0] == 0);
	mem_read_free(&r);

	BODY(&r, 0x10, 3, 1, 0, 2, 2, 3);
	assert_int_equal(as_dcpi_complaints(&r), 0);
	as_dcpi_expect_rows(r.prof, "120000010:1 120000018:2");
	mem_read_free(&r);

	BODY(&r, 0x10, 2, 0, 0, 0, 0);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ZERO), 1);
	mem_read_free(&r);

	BODY(&r, 0x10, 1, UINT32_MAX, 1, UINT32_MAX);
	assert_int_equal(as_dcpi_complaints(&r), 0);
	as_dcpi_expect_rows(r.prof, "120000010:4294967295");
	mem_read_free(&r);

	BODY(&r, 0x10, 2, UINT32_MAX, 8, 2, 7);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_FOOTER_WRAPPED), 1);
	assert_int_equal(r.findings.n[AS_ERROR], 0);
	assert_true(r.prof->total[0] == (as_val)UINT32_MAX + 8);
	mem_read_free(&r);
}

/* [9] Whatever is cut off or appended is told, by every way of reading. */
static void test_no_truncation_of_the_golden_file_goes_unnoticed(void **state)
{
	(void)state;
	for (size_t n = 0; n < DCPI_GOLDEN; n++)
		for (int k = 0; k < 4; k++) {
			struct dcpi_how how = {.strict = k & 1, .pipe = k & 2 ? 7 : 0};
			struct mem_read r;
			char *copy = malloc(n + 1);

			assert_non_null(copy);
			memcpy(copy, as_dcpi_golden, n);
			as_dcpi_read_bytes(&r, copy, n, how);
			if (how.strict || n < DCPI_GOLDEN_HEADER)
				assert_int_not_equal(r.rc, AS_OK);
			else
				assert_int_equal(r.rc, AS_OK);
			if (r.rc == AS_OK) {
				assert_true(r.findings.n[AS_ERROR] > 0);
				assert_true(r.prof->partial ||
					    as_dcpi_found(&r, AS_F_DC_FOOTER_DIFFERS));
				assert_true(r.prof->total[0] <= 47);
			}
			mem_read_free(&r);
			free(copy);
		}
}

static void test_no_appended_byte_goes_unnoticed(void **state)
{
	(void)state;
	for (size_t more = 1; more < 40; more++)
		for (int c = 0; c < 256; c += 17) {
			char data[DCPI_GOLDEN + 40];
			struct mem_read r;

			memcpy(data, as_dcpi_golden, DCPI_GOLDEN);
			memset(data + DCPI_GOLDEN, c, more);
			as_dcpi_read_bytes(&r, data, DCPI_GOLDEN + more, (struct dcpi_how){0});
			assert_int_equal(r.rc, AS_OK);
			assert_true(r.findings.n[AS_ERROR] > 0);
			if (more == 1) {
				assert_int_equal(as_dcpi_found(&r, AS_F_DC_BODY_LENGTH), 1);
				assert_non_null(strstr(as_dcpi_said(&r, AS_F_DC_BODY_LENGTH),
					"1 byte follows the footer"));
				as_dcpi_expect_rows(r.prof, GOLDEN_ROWS);
			}
			mem_read_free(&r);
		}
}

/* [10] */
static void test_numbers_that_the_file_cannot_hold(void **state)
{
	struct mem_read r;

	(void)state;
	BODY(&r, 0x10, 1, 5, 0x20, 0, 1, 5);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_EMPTY), 1);
	assert_false(r.prof->partial);
	as_dcpi_expect_rows(r.prof, "120000010:5");
	mem_read_free(&r);

	BODY(&r, 0x10, 1, 5, 0x20, UINT32_MAX, 1, 1, 2, 6);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_LONG), 1);
	assert_true(r.prof->partial);
	as_dcpi_expect_rows(r.prof, "120000010:5");
	mem_read_free(&r);

	BODY(&r, UINT32_MAX, 0x40000000, 5, 1, 5);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_LONG), 1);
	as_dcpi_expect_rows(r.prof, "");
	mem_read_free(&r);

	/* a range that ends beyond 2^32 is no reason to compute in 32 bits */
	BODY(&r, 0xfffffffc, 2, 5, 6, 2, 11);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_OUTSIDE_TEXT), 1);
	as_dcpi_expect_rows(r.prof, "21ffffffc:5 220000000:6");
	mem_read_free(&r);
}

/* [11] */
static void test_the_order_of_chunks(void **state)
{
	struct mem_read r;

	(void)state;
	BODY(&r, 0x10, 2, 1, 2, 0x18, 1, 3, 3, 6); /* adjacent */
	assert_int_equal(as_dcpi_complaints(&r), 0);
	mem_read_free(&r);

	BODY(&r, 0x20, 1, 1, 0x10, 1, 2, 2, 3);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ORDER), 1);
	assert_string_equal(as_dcpi_said(&r, AS_F_DC_CHUNK_ORDER),
		"chunk 2 begins at 0x10, chunk 1 ends at 0x21"); /* at any stride */
	as_dcpi_expect_rows(r.prof, "120000020:1 120000010:2");
	mem_read_free(&r);

	BODY(&r, 0x10, 4, 1, 1, 1, 1, 0x14, 1, 2, 5, 6); /* they are bytes, perhaps */
	assert_string_equal(as_dcpi_said(&r, AS_F_DC_CHUNK_ORDER),
		"chunk 2 begins at 0x14, chunk 1 ends at 0x20; try -I stride=1");
	mem_read_free(&r);

	BODY(&r, 0x10, 1, 1, 0x10, 1, 2, 2, 3); /* the same address twice */
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ORDER), 1);
	mem_read_free(&r);

	BODY(&r, 0x10, 3, 1, 1, 1, 0x18, 1, 2, 4, 5); /* into the range before */
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ORDER), 1);
	mem_read_free(&r);

	BODY(&r, 0x12, 2, 1, 1, 2, 2);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ALIGN), 1);
	mem_read_free(&r);

	BODY(&r, 8388604, 2, 1, 0, 1, 1); /* the sample is in the text, its neighbour is not */
	assert_int_equal(as_dcpi_complaints(&r), 0);
	mem_read_free(&r);
	BODY(&r, 8388604, 2, 1, 1, 2, 2);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_OUTSIDE_TEXT), 1);
	mem_read_free(&r);
}

/* Single counts mean the same whatever the stride is, so bytes apart is no overlap. */
static void test_single_counts_may_stand_at_every_byte(void **state)
{
	struct mem_read r;

	(void)state;
	BODY(&r, 0x11, 1, 1, 0x12, 1, 2, 0x13, 1, 3, 3, 6);
	assert_int_equal(as_dcpi_complaints(&r), 0);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_STRIDE_GUESSED), 0);
	as_dcpi_expect_rows(r.prof, "120000011:1 120000012:2 120000013:3");
	mem_read_free(&r);
}

static void test_the_stride_is_the_option_s_or_the_file_s_or_four(void **state)
{
	static const struct {
		const char *line, *opt, *rows;
		uint64_t guessed;
	} ex[] = {
		{"", NULL, "120000010:1 120000014:2", 1},
		{"cpuamask 7\n", NULL, "120000010:1 120000014:2", 0},
		{"cpuimplv 2\n", NULL, "120000010:1 120000014:2", 0},
		{"stride 2\n", NULL, "120000010:1 120000012:2", 0},
		{"cpuimplv 2\nstride 1\n", NULL, "120000010:1 120000011:2", 0},
		{"stride 2\n", "stride=8", "120000010:1 120000018:2", 0},
		{"", "stride=1", "120000010:1 120000011:2", 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct dcpi_bytes f = {0};
		struct mem_read r;

		as_dcpi_add_lines(&f, NULL, NULL);
		as_dcpi_add(&f, ex[i].line);
		as_dcpi_add(&f, "samples\n");
		WORDS(&f, 0x10, 2, 1, 2, 2, 3);
		as_dcpi_read_bytes(&r, f.data.p, f.data.n, (struct dcpi_how){.opt = ex[i].opt});
		assert_int_equal(r.rc, AS_OK);
		as_dcpi_expect_rows(r.prof, ex[i].rows);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_STRIDE_GUESSED), ex[i].guessed);
		mem_read_free(&r);
		as_dcpi_read_bytes(&r, f.data.p, f.data.n, (struct dcpi_how){.opt = "stride=0"});
		assert_int_equal(r.rc, AS_E_ARG);
		mem_read_free(&r);
		as_dcpi_bytes_free(&f);
	}
}

/* [12] */
static void test_a_wrong_footer_is_told_with_both_figures(void **state)
{
	struct mem_read r;

	(void)state;
	BODY(&r, 0x10, 2, 3, 4, 3, 7);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_FOOTER_DIFFERS), 1);
	assert_string_equal(as_dcpi_said(&r, AS_F_DC_FOOTER_DIFFERS),
		"the footer says 7 samples at 3 addresses, there are 7 at 2");
	as_dcpi_expect_rows(r.prof, "120000010:3 120000014:4");
	mem_read_free(&r);
	BODY(&r, 0x10, 2, 3, 4, 2, 8);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_FOOTER_DIFFERS), 1);
	assert_string_equal(as_dcpi_said(&r, AS_F_DC_FOOTER_DIFFERS),
		"the footer says 8 samples at 2 addresses, there are 7 at 2");
	mem_read_free(&r);
}

/* [13] [14] */
static void test_chunks_larger_than_any_window_are_the_same_from_a_file_and_a_pipe(void **state)
{
	enum { COUNTS = 200000, CHUNKS = 3 };
	struct dcpi_bytes f = {0};
	uint64_t sum = 0;

	(void)state;
	as_dcpi_add_lines(&f, NULL, NULL);
	as_dcpi_add(&f, "samples\n");
	for (uint32_t c = 0; c < CHUNKS; c++) {
		WORDS(&f, c * 0x200000, COUNTS);
		for (uint32_t i = 0; i < COUNTS; i++) {
			WORDS(&f, i % 100 + 1);
			sum += i % 100 + 1;
		}
	}
	WORDS(&f, COUNTS * CHUNKS, (uint32_t)sum);
	for (size_t k = 0; k < 3; k++) {
		struct dcpi_how how = {.pipe = k == 0 ? 0 : k == 1 ? 4093 : SIZE_MAX};
		struct mem_read r;

		as_dcpi_read_bytes(&r, f.data.p, f.data.n, how);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(as_dcpi_complaints(&r), 0);
		assert_true(r.prof->total[0] == (as_val)sum);
		assert_int_equal(r.prof->self.n, COUNTS * CHUNKS);
		mem_read_free(&r);
		/* the last chunk is cut: the two before it stay */
		as_dcpi_read_bytes(&r, f.data.p, f.data.n - 100, how);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_LONG), 1);
		assert_true(r.prof->partial);
		assert_true(r.prof->total[0] == (as_val)sum / CHUNKS * 2);
		mem_read_free(&r);
	}
	as_dcpi_bytes_free(&f);
}

int dcpi_body_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zeros_and_the_largest_counts),
		cmocka_unit_test(test_no_truncation_of_the_golden_file_goes_unnoticed),
		cmocka_unit_test(test_no_appended_byte_goes_unnoticed),
		cmocka_unit_test(test_numbers_that_the_file_cannot_hold),
		cmocka_unit_test(test_the_order_of_chunks),
		cmocka_unit_test(test_single_counts_may_stand_at_every_byte),
		cmocka_unit_test(test_the_stride_is_the_option_s_or_the_file_s_or_four),
		cmocka_unit_test(test_a_wrong_footer_is_told_with_both_figures),
		cmocka_unit_test(
			test_chunks_larger_than_any_window_are_the_same_from_a_file_and_a_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
