/* SPDX-License-Identifier: Apache-2.0 */
/* Where images are: what was added is found, what is damaged is not. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "symbols/cache/image_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/scratch.h"

#define BIG (1u << 30)

static const struct as_symcache cache = {&as_alloc_libc, "cache", BIG};

static char here[256];

static int enter_scratch(void **state)
{
	return scratch_enter(state) || !getcwd(here, sizeof(here));
}

static struct as_image image_of(const char *id, const char *name)
{
	static char path[8][512];
	static unsigned n;
	char *p = path[n++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", here, name);
	return (struct as_image){as_slice_of(id), as_slice_of(p)};
}

static struct as_image_counts add(const struct as_image *image, size_t n)
{
	struct as_image_counts counts;

	assert_int_equal(as_image_map_add(&cache, image, n, &counts, NULL), AS_OK);
	return counts;
}

/* The names of ID's files, in order, with blanks between them. */
static void finds(const char *id, const char *want)
{
	struct as_image_map map;
	struct as_slice path;
	char got[512] = "";
	size_t pos = 0;

	as_image_map_open(&map, &cache);
	while (as_image_map_next(&map, as_slice_of(id), &pos, &path)) {
		struct as_slice name = as_slice_skip(path, strlen(here) + 1);

		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%.*s", got[0] ? " " : "",
			AS_SLICE_FMT(name));
	}
	as_image_map_close(&map);
	assert_string_equal(got, want);
}

static void begin(void)
{
	static const char *const name[] = {"a", "b", "c", "with blank"};

	assert_int_equal(system("rm -rf cache"), 0); /* NOLINT(cert-env33-c) */
	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++)
		scratch_put(name[i], "x");
}

static void test_what_was_added_is_found(void **state)
{
	const struct as_image first[] = {image_of("0b", "b"), image_of("0a", "a"),
		image_of("0c", "with blank"), image_of("0b", "c")};
	struct as_image_counts counts;

	(void)state;
	begin();
	finds("0a", "");
	counts = add(first, 4);
	assert_int_equal(counts.known, 4);
	assert_int_equal(counts.added, 4);
	finds("0a", "a");
	finds("0b", "b c");
	finds("0c", "with blank");
	finds("0", "");
	finds("00", "");
	finds("0aa", "");
	finds("0d", "");
	counts = add(first, 4);
	assert_int_equal(counts.added, 0);
	assert_int_equal(counts.known, 4);
}

static void test_a_path_has_the_image_that_was_seen_last(void **state)
{
	const struct as_image before[] = {image_of("0a", "a"), image_of("0b", "b")};
	const struct as_image after[] = {image_of("0c", "a"), image_of("0d", "a")};
	struct as_image_counts counts;

	(void)state;
	begin();
	add(before, 2);
	counts = add(after, 2);
	assert_int_equal(counts.known, 2);
	assert_int_equal(counts.added, 1);
	finds("0a", "");
	finds("0c", "");
	finds("0d", "a");
	finds("0b", "b");
}

static void test_files_that_are_gone_are_forgotten(void **state)
{
	const struct as_image both[] = {image_of("0a", "a"), image_of("0b", "b")};

	(void)state;
	begin();
	add(both, 2);
	assert_int_equal(unlink("a"), 0);
	assert_int_equal(add(NULL, 0).known, 1);
	finds("0a", "");
	finds("0b", "b");
}

/* Cut off anywhere, or garbled: nothing that was not put in is found. */
static void test_a_damaged_map_finds_less(void **state)
{
	const struct as_image both[] = {image_of("0a", "a"), image_of("0b", "b")};
	char text[1024];
	size_t n;
	FILE *f;

	(void)state;
	begin();
	add(both, 2);
	f = fopen("cache/" AS_IMAGE_MAP, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	for (size_t cut = 0; cut < n; cut++) {
		char was = text[cut];
		size_t first_end = strcspn(text + 15, "\n") + 15;

		text[cut] = 0;
		scratch_put("cache/" AS_IMAGE_MAP, text);
		text[cut] = was;
		finds("0a", cut > first_end ? "a" : "");
		finds("0b", "");
	}
	scratch_put("cache/" AS_IMAGE_MAP, "assay images 2\n0a /x\n");
	finds("0a", "");
	scratch_put("cache/" AS_IMAGE_MAP, "assay images 1\n\n\n 0a\n0a\n0a \n0a x\n");
	finds("0a", "");
	assert_int_equal(add(both, 2).known, 2);
	finds("0a", "a");
}

static void test_trimming_leaves_it_and_clearing_does_not(void **state)
{
	const struct as_image one = image_of("0a", "a");
	struct as_symcache_stat stat;

	(void)state;
	begin();
	add(&one, 1);
	assert_int_equal(as_symcache_trim(&cache, 1, NULL), AS_OK);
	finds("0a", "a");
	assert_int_equal(as_symcache_stat(&cache, &stat, NULL), AS_OK);
	assert_int_equal(stat.files, 1);
	assert_int_equal(as_symcache_trim(&cache, 0, NULL), AS_OK);
	finds("0a", "");
	assert_int_equal(as_symcache_stat(&cache, &stat, NULL), AS_OK);
	assert_int_equal(stat.files, 0);
}

static void test_a_cache_that_is_off_keeps_nothing(void **state)
{
	const struct as_symcache off[] = {{&as_alloc_libc, NULL, BIG}, {&as_alloc_libc, "cache", 0},
		{&as_alloc_libc, "cache", 20}, {&as_alloc_libc, "a/cache", BIG}};
	const struct as_image one = image_of("0a", "a");
	struct as_image_counts counts;

	(void)state;
	begin();
	for (size_t i = 0; i < AS_ARRAY_LEN(off); i++)
		assert_int_equal(as_image_map_add(&off[i], &one, 1, &counts, NULL), AS_E_IO);
	finds("0a", "");
}

int image_map_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_added_is_found),
		cmocka_unit_test(test_a_path_has_the_image_that_was_seen_last),
		cmocka_unit_test(test_files_that_are_gone_are_forgotten),
		cmocka_unit_test(test_a_damaged_map_finds_less),
		cmocka_unit_test(test_trimming_leaves_it_and_clearing_does_not),
		cmocka_unit_test(test_a_cache_that_is_off_keeps_nothing),
	};

	return cmocka_run_group_tests_name("image_map", tests, enter_scratch, scratch_leave);
}
