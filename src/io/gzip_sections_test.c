/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, each alone and all of them as gzip has them; headers and bytes that are wrong. */
#include "io/gzip_sections.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "io/file.h"
#include "lib/fail_alloc.h"

enum { SECTIONS = 4, TEXT_MAX = 300000, ROW = 12, HEAD = 16 };

/* The last one is longer than what is compressed at once; one is empty. */
static const size_t lengths[SECTIONS] = {5, 70000, 0, 200000};

static void text_make(char *text)
{
	uint32_t x = 1;

	for (size_t i = 0; i < TEXT_MAX; i++) {
		x = x * 1664525 + 1013904223;
		text[i] = "abcdefgh"[x >> 30 | (i & 4)];
	}
}

static enum as_code sections_make(const struct as_alloc *al, struct as_sink_mem *mem,
	enum as_gzip_effort effort, const char *text)
{
	struct as_sink_sections ss;
	struct as_err err = AS_ERR_NONE;
	struct as_out out;
	enum as_code rc, end;

	as_sink_mem_init(mem, al);
	rc = as_sink_sections_open(&ss, al, &mem->sink, effort, &err);
	if (rc != AS_OK)
		return rc;
	rc = as_out_open(&out, al, &ss.sink, &err);
	for (size_t i = 0; rc == AS_OK && i < SECTIONS; text += lengths[i++]) {
		if (i)
			as_out_section(&out);
		as_out_bytes(&out, text, lengths[i]);
	}
	if (rc == AS_OK) {
		end = as_out_finish(&out);
		if (end == AS_OK)
			return as_sink_sections_finish(&ss, &err);
		rc = end == AS_E_IO ? AS_E_NOMEM : end;
	}
	as_sink_sections_abort(&ss);
	return rc;
}

static struct as_slice made(const struct as_sink_mem *mem)
{
	return (struct as_slice){mem->data.p, mem->data.n};
}

/* Whether each section of DATA is there, and is what TEXT has. */
static bool sections_are(const struct as_alloc *al, struct as_slice data, const char *text)
{
	static char buf[TEXT_MAX];
	struct as_gzip_sections gs;
	struct as_src_mem mem;
	bool ok;

	as_src_mem_init(&mem, data, "memory");
	ok = as_gzip_sections_open(&gs, al, &mem.src) && gs.row.n == SECTIONS;
	for (size_t i = 0; ok && i < SECTIONS; text += lengths[i++])
		ok = gs.row.p[i].text == lengths[i] && as_gzip_sections_read(&gs, i, buf) &&
		     memcmp(buf, text, lengths[i]) == 0;
	as_gzip_sections_release(&gs);
	return ok;
}

static void test_each_section_is_read_alone_and_all_as_gzip_is(void **state)
{
	static char text[TEXT_MAX];

	(void)state;
	text_make(text);
	for (int k = 0; k < 2; k++) {
		struct as_sink_mem mem;

		assert_int_equal(sections_make(&as_alloc_libc, &mem,
					 k ? AS_GZIP_SMALL : AS_GZIP_QUICK, text),
			AS_OK);
		assert_true(sections_are(&as_alloc_libc, made(&mem), text));
		assert_true(as_gzip_holds(made(&mem), (struct as_slice){text, 270005}));
		as_sink_mem_release(&mem);
	}
}

static void test_more_sections_than_there_may_be_are_one(void **state)
{
	struct as_sink_sections ss;
	struct as_gzip_sections gs;
	struct as_err err = AS_ERR_NONE;
	struct as_sink_mem mem;
	struct as_src_mem src;
	char last[8] = "";

	(void)state;
	as_sink_mem_init(&mem, &as_alloc_libc);
	assert_int_equal(
		as_sink_sections_open(&ss, &as_alloc_libc, &mem.sink, AS_GZIP_QUICK, &err), AS_OK);
	for (int i = 0; i < AS_GZIP_SECTIONS_MAX + 2; i++) {
		assert_int_equal(ss.sink.write(&ss.sink, "ab", 2), 0);
		assert_int_equal(ss.sink.section(&ss.sink), 0);
	}
	assert_int_equal(as_sink_sections_finish(&ss, &err), AS_OK);
	as_src_mem_init(&src, made(&mem), "memory");
	assert_true(as_gzip_sections_open(&gs, &as_alloc_libc, &src.src));
	assert_int_equal(gs.row.n, AS_GZIP_SECTIONS_MAX);
	assert_int_equal(gs.row.p[AS_GZIP_SECTIONS_MAX - 1].text, 6);
	assert_true(as_gzip_sections_read(&gs, AS_GZIP_SECTIONS_MAX - 1, last));
	assert_string_equal(last, "ababab");
	as_gzip_sections_release(&gs);
	as_sink_mem_release(&mem);
}

static void test_what_is_wrong_anywhere_is_seen(void **state)
{
	static char text[TEXT_MAX];
	struct as_sink_mem mem;
	size_t end = HEAD + SECTIONS * ROW;

	(void)state;
	text_make(text);
	assert_int_equal(sections_make(&as_alloc_libc, &mem, AS_GZIP_QUICK, text), AS_OK);
	for (size_t i = 0; i < mem.data.n - 8; i += i < end + 100 ? 1 : 977) {
		if (i >= 4 && i < 10) /* time and system are anybody's */
			continue;
		mem.data.p[i] ^= 0x10;
		if (sections_are(&as_alloc_libc, made(&mem), text))
			fail_msg("byte %zu", i);
		mem.data.p[i] ^= 0x10;
	}
	for (size_t n = 0; n < mem.data.n; n += n < end + 100 ? 1 : 977)
		assert_false(sections_are(&as_alloc_libc, (struct as_slice){mem.data.p, n}, text));
	as_sink_mem_release(&mem);
}

static void test_out_of_memory_is_an_answer(void **state)
{
	static char text[TEXT_MAX];
	struct fail_alloc fa;
	enum as_code rc = AS_E_NOMEM;
	bool ok = false;

	(void)state;
	text_make(text);
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct as_sink_mem mem;

		fail_alloc_init(&fa, n);
		rc = sections_make(&fa.al, &mem, AS_GZIP_QUICK, text);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
		as_sink_mem_release(&mem);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	}
	for (uint64_t n = 1; !ok; n++) {
		struct as_sink_mem mem;

		assert_int_equal(sections_make(&as_alloc_libc, &mem, AS_GZIP_QUICK, text), AS_OK);
		fail_alloc_init(&fa, n);
		ok = sections_are(&fa.al, made(&mem), text);
		as_sink_mem_release(&mem);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	}
}

int gzip_sections_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_section_is_read_alone_and_all_as_gzip_is),
		cmocka_unit_test(test_more_sections_than_there_may_be_are_one),
		cmocka_unit_test(test_what_is_wrong_anywhere_is_seen),
		cmocka_unit_test(test_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("gzip_sections", tests, NULL, NULL);
}
