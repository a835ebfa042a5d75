/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the sampler's, written by hand: which say something, and of how many processes. */
#define _POSIX_C_SOURCE 200809L
#include "record/spool_dir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "io/host_alloc.h"

#define HEADER 0, 3, 0, 10000, 0
#define TRAILER 0, 1, 0
#define ROOM 0, 2, 7, 7 /* two frames, and no count */

static int make(void **state)
{
	static struct as_spool_dir d;
	struct as_err err;

	as_err_clear(&err);
	*state = &d;
	return as_spool_dir_make(&d, &as_alloc_host, "./x", &err) == AS_OK ? 0 : -1;
}

static int drop(void **state)
{
	as_spool_dir_remove(*state);
	return 0;
}

static void put(const struct as_spool_dir *d, const char *name, const uint64_t *word, size_t n,
	const char *text)
{
	char path[sizeof(d->path) + 64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", d->path, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(word, sizeof(*word), n, f), n);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

#define PUT(d, name, text, ...)                                 \
	do {                                                    \
		const uint64_t words[] = {__VA_ARGS__};         \
		put(d, name, words, AS_ARRAY_LEN(words), text); \
	} while (0)

static void look(struct as_spool_dir *d)
{
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(as_spool_dir_list(d, "profile", &err), AS_OK);
}

static const char *name_of(const struct as_spool_dir *d, size_t i)
{
	return strrchr(d->file.p[i], '/') + 1;
}

static void test_files_without_samples_go(void **state)
{
	struct as_spool_dir *d = *state;

	PUT(d, "profile", "assay: process: 9\n", HEADER, ROOM, ROOM, TRAILER);
	PUT(d, "profile_10", "", HEADER, ROOM, 3, 1, 0x400000, TRAILER);
	PUT(d, "profile_11", "", HEADER, TRAILER);
	PUT(d, "profile_12", "", HEADER, 2, 1, 0x400000, ROOM, TRAILER);
	look(d);
	assert_int_equal(d->file.n, 4);
	as_spool_dir_drop_idle(d);
	assert_int_equal(d->file.n, 2);
	assert_string_equal(name_of(d, 0), "profile_10");
	assert_string_equal(name_of(d, 1), "profile_12");
}

static void test_what_tells_of_trouble_or_is_damaged_stays(void **state)
{
	struct as_spool_dir *d = *state;

	PUT(d, "profile", "/bin/x\nassay: threads that could not be sampled: 3\n", HEADER, TRAILER);
	PUT(d, "profile_1", "", HEADER, ROOM, 0, 1);
	PUT(d, "profile_2", "", HEADER, 0, UINT64_MAX, 7, TRAILER);
	PUT(d, "profile_3", "", HEADER, TRAILER);
	PUT(d, "profile_4", "", HEADER, 1, 1, 7, TRAILER);
	look(d);
	as_spool_dir_drop_idle(d);
	assert_int_equal(d->file.n, 4);
	assert_string_equal(name_of(d, 3), "profile_4");
}

static void test_one_stays_if_none_has_samples(void **state)
{
	struct as_spool_dir *d = *state;

	PUT(d, "profile", "", HEADER, TRAILER);
	PUT(d, "profile_1", "", HEADER, TRAILER);
	look(d);
	as_spool_dir_drop_idle(d);
	assert_int_equal(d->file.n, 1);
}

/* Process 7 was two programs, 8 three, 9 one. */
static void test_programs_of_one_process(void **state)
{
	static const char *const name[] = {
		"profile", "profile_7", "profile_8", "profile_8.2", "profile_8.3", "profile_9"};
	struct as_spool_dir *d = *state;

	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++)
		PUT(d, name[i], "", HEADER, TRAILER);
	look(d);
	assert_int_equal(d->file.n, 6);
	assert_int_equal(as_spool_dir_processes(d, "profile", 7), 3);
	assert_int_equal(as_spool_dir_processes(d, "profile", 6), 4);
}

/* Valgrind's names. */
static void test_programs_of_callgrind(void **state)
{
	struct as_spool_dir *d = *state;

	PUT(d, "callgrind.out.12", "", HEADER);
	PUT(d, "callgrind.out.13", "", HEADER);
	look(d);
	assert_int_equal(as_spool_dir_processes(d, "profile", 12), 2);
}

int spool_dir_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_files_without_samples_go, make, drop),
		cmocka_unit_test_setup_teardown(
			test_what_tells_of_trouble_or_is_damaged_stays, make, drop),
		cmocka_unit_test_setup_teardown(test_one_stays_if_none_has_samples, make, drop),
		cmocka_unit_test_setup_teardown(test_programs_of_one_process, make, drop),
		cmocka_unit_test_setup_teardown(test_programs_of_callgrind, make, drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
