/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "session/load_impl.h"

#include <stdio.h>
#include <sys/stat.h>

enum { FILES_MAX = 4096 };

static bool folder_has(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static enum as_code folder_add(
	struct as_folder *f, struct as_progress *progress, struct as_err *err)
{
	struct as_src *src;

	AS_TRY(as_file_open(f->al, f->name, progress, &src, err));
	if (as_vec_push(f->al, &f->more, src))
		return AS_OK;
	as_file_close(src);
	return as_err_no_memory(err);
}

/* Whether all of the others could be opened: their names count up. */
static enum as_code folder_add_all(
	struct as_folder *f, const char *path, struct as_progress *progress, struct as_err *err)
{
	for (unsigned i = 0; i < FILES_MAX; i++) {
		snprintf(f->name, f->size, "%s/data.%u", path, i);
		if (!folder_has(f->name))
			return AS_OK;
		AS_TRY(folder_add(f, progress, err));
	}
	return AS_OK;
}

bool as_folder_open(struct as_folder *f, const struct as_alloc *al, const char *path,
	struct as_progress *progress, struct as_err *err, enum as_code *rc)
{
	*f = (struct as_folder){.al = al, .size = strlen(path) + 32};
	f->name = as_alloc_new(al, f->size);
	if (!f->name)
		return false;
	snprintf(f->name, f->size, "%s/data", path);
	if (!folder_has(f->name))
		return false;
	as_err_clear(err);
	*rc = folder_add_all(f, path, progress, err);
	snprintf(f->name, f->size, "%s/data", path);
	if (*rc == AS_OK)
		*rc = as_file_open(al, f->name, progress, &f->first, err);
	return true;
}

void as_folder_close(struct as_folder *f)
{
	if (!f->al)
		return;
	as_file_close(f->first);
	for (size_t i = 0; i < f->more.n; i++)
		as_file_close(f->more.p[i]);
	as_vec_free(f->al, &f->more);
	as_alloc_free(f->al, f->name, f->size);
	*f = (struct as_folder){0};
}
