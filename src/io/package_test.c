/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/package.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void put(const char *dir, const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void expect(const char *dir, const char *path, const char *want)
{
	struct as_arena arena;
	struct as_slice got;

	as_arena_init(&arena, &as_alloc_libc);
	got = as_package_of(&arena, dir, as_slice_of(path));
	assert_true(as_slice_is(got, want));
	as_arena_release(&arena);
}

static void test_a_file_is_of_the_package_that_lists_it(void **state)
{
	char dir[] = "/tmp/assay-package-XXXXXX", command[100];

	(void)state;
	assert_non_null(mkdtemp(dir));
	put(dir, "zlib1g:amd64.list", "/.\n/lib\n/lib/x/libz.so.1\n/lib/x/libz.so.1.2\n");
	put(dir, "zlib1g:amd64.md5sums", "/.\n/bin/other\n");
	put(dir, "gzip.list", "/.\n/usr/bin/gzip\n/usr/bin/gzip.more\n");
	put(dir, "empty.list", "");
	expect(dir, "/lib/x/libz.so.1.2", "zlib1g");
	expect(dir, "/usr/lib/x/libz.so.1.2", "zlib1g");
	expect(dir, "/usr/bin/gzip", "gzip");
	expect(dir, "/bin/gzip", "gzip");
	expect(dir, "/bin/gzi", "");
	expect(dir, "/bin/other", "");
	expect(dir, "bin/gzip", "");
	expect(dir, "", "");
	expect("/nowhere", "/usr/bin/gzip", "");
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

static void test_debug_packages_are_called_after_it(void **state)
{
	struct as_arena arena;

	(void)state;
	as_arena_init(&arena, &as_alloc_libc);
	assert_true(as_slice_is(as_package_debug(&arena, as_slice_of("gzip")), "gzip-dbgsym"));
	assert_true(as_slice_is(as_package_debug(&arena, as_slice_of("libc6")), "libc6-dbg"));
	as_arena_release(&arena);
}

int package_tests(void);
int package_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_is_of_the_package_that_lists_it),
		cmocka_unit_test(test_debug_packages_are_called_after_it),
	};

	return cmocka_run_group_tests_name("package", tests, NULL, NULL);
}
