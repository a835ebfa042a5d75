/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays corpora through a fuzz target without libFuzzer: an ordinary test, under any compiler.
 *
 * Arguments are files and folders. A folder stands for the files in it; one that does not exist
 * is no error, for a target need not have seeds of every kind. A small file is also tried cut off
 * after every byte, which is where readers go wrong most; with ASSAY_FEWER in the environment
 * that is after every third one, but for the smallest.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CUT_MAX 2048       /* bytes; a larger file is tried whole only */
#define CUT_ALL 256        /* bytes; a file up to this size is always cut after every one */
#define FILE_MAX (1 << 24) /* bytes; seeds are small */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly SIZE bytes, so that the sanitizers see any read past the end. */
static int try_input(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return -1;
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	return 0;
}

static int try_cuts(const uint8_t *data, size_t size)
{
	const char *fewer = getenv("ASSAY_FEWER");
	size_t step = fewer && *fewer && size > CUT_ALL ? 3 : 1;

	for (size_t n = 0; n < size; n += step)
		if (try_input(data, n))
			return -1;
	return 0;
}

static int try_file(const char *path, size_t *n_files)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = malloc(FILE_MAX);
	size_t size;
	int rc = -1;

	if (!f || !data)
		goto out;
	size = fread(data, 1, FILE_MAX, f);
	if (ferror(f))
		goto out;
	rc = try_input(data, size);
	if (!rc && size <= CUT_MAX)
		rc = try_cuts(data, size);
	(*n_files)++;
out:
	if (rc)
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	free(data);
	if (f)
		fclose(f);
	return rc;
}

static int try_folder(const char *path, size_t *n_files)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort);
	int rc = 0;

	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		struct stat st;
		char *name = NULL;

		if (!rc && asprintf(&name, "%s/%s", path, entries[i]->d_name) < 0)
			rc = -1;
		else if (!rc && !stat(name, &st) && S_ISREG(st.st_mode))
			rc = try_file(name, n_files);
		free(name);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

int main(int argc, char **argv)
{
	size_t n_files = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;
		int rc;

		if (stat(argv[i], &st))
			continue;
		rc = S_ISDIR(st.st_mode) ? try_folder(argv[i], &n_files)
					 : try_file(argv[i], &n_files);
		if (rc)
			return 1;
	}
	printf("%zu inputs\n", n_files);
	return 0;
}
