/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests: a folder of their own, in which they run, and files in it. */
#ifndef AS_TESTS_SCRATCH_H
#define AS_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

/* For the setup of a test or a group. */
static inline int scratch_enter(void **state)
{
	static char dir[32];

	snprintf(dir, sizeof(dir), "/tmp/assay-test-XXXXXX");
	*state = mkdtemp(dir);
	return *state && chdir(dir) == 0 ? 0 : -1;
}

static inline int scratch_leave(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", (const char *)*state);
	return chdir("/") || system(command) ? -1 : 0; /* NOLINT(cert-env33-c): our own name */
}

static inline void scratch_put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* How many files and folders there are. */
static inline unsigned scratch_count(void)
{
	unsigned n = 0;
	DIR *d = opendir(".");

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

#endif
