/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a flat segment's images: who wants one of them need not open all the others. A line
 * is the name of a file, a tab, and the path of the image as the profile has it. */
#define _POSIX_C_SOURCE 200809L
#include "io/file.h"
#include "io/in.h"
#include "store/store_impl.h"

bool as_store_is_image(struct as_slice name)
{
	return as_slice_ends(name, AS_STORE_IMAGE) ||
	       as_slice_ends(name, AS_STORE_IMAGE AS_STORE_PACKED);
}

void as_store_images_release(struct as_store_images *im)
{
	as_vec_free(im->arena.al, &im->row);
	as_arena_release(&im->arena);
}

static enum as_code images_line(
	struct as_store_images *im, struct as_slice line, struct as_err *err)
{
	struct as_store_image row;
	struct as_slice file;

	if (!as_slice_has(line, '\t') || !as_slice_cut(&line, '\t', &file) || !file.len ||
		as_slice_has(file, '/'))
		return AS_OK;
	row.file = as_arena_dup(&im->arena, file);
	row.path = as_arena_dup(&im->arena, line);
	return as_err_memory(
		err, row.file.p && row.path.p && as_vec_push(im->arena.al, &im->row, row));
}

static enum as_code images_lines(struct as_store_images *im, struct as_src *src, struct as_err *err)
{
	struct as_slice line;
	struct as_in in;
	enum as_code rc;

	AS_TRY(as_in_open(&in, im->arena.al, src, err));
	while ((rc = as_in_line(&in, &line)) == AS_OK)
		if ((rc = images_line(im, line, err)) != AS_OK)
			break;
	as_in_close(&in);
	return rc == AS_END ? AS_OK : rc;
}

/* Without a list: whatever is called a profile. */
static enum as_code images_by_name(
	struct as_store_images *im, const char *folder, struct as_err *err)
{
	struct as_store_names ns;
	enum as_code rc = as_store_names_read(&ns, im->arena.al, folder, err);

	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++) {
		struct as_store_image row = {.path = {NULL, 0}};

		if (ns.row.p[i].p[0] == '.' || !as_store_is_image(ns.row.p[i]))
			continue;
		row.file = as_arena_dup(&im->arena, ns.row.p[i]);
		rc = as_err_memory(err, row.file.p && as_vec_push(im->arena.al, &im->row, row));
	}
	as_store_names_release(&ns);
	return rc;
}

enum as_code as_store_images_read(struct as_store_images *im, const struct as_alloc *al,
	const char *folder, struct as_err *err)
{
	char path[PATH_MAX];
	struct as_src *src;
	enum as_code rc;

	*im = (struct as_store_images){.row = {0}};
	as_arena_init(&im->arena, al);
	AS_TRY(as_store_join(path, folder, AS_STORE_IMAGES, err));
	if (as_file_open_raw(al, path, NULL, &src, err) != AS_OK) {
		as_err_clear(err);
		return images_by_name(im, folder, err);
	}
	rc = images_lines(im, src, err);
	as_file_close(src);
	return rc;
}
