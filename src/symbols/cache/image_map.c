/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "symbols/cache/image_map.h"

#include <sys/stat.h>

#include "base/pool.h"
#include "base/sort.h"
#include "symbols/cache/symbol_cache_dir.h"

#define HEAD "assay images 1\n"

static bool image_map_is_on(const struct as_symcache *cache)
{
	return cache->dir && cache->dir[0] && cache->max_size;
}

/* The line at *POS, without its end; false at the end, and where the file is cut off. */
static bool image_map_line(struct as_slice lines, size_t *pos, struct as_image *image)
{
	struct as_slice line = as_slice_skip(lines, *pos);
	size_t end = as_slice_find(line, '\n'), blank;

	if (end == line.len)
		return false;
	line.len = end;
	blank = as_slice_find(line, ' ');
	*pos += end + 1;
	*image =
		(struct as_image){{line.p, blank}, as_slice_skip(line, blank + (blank < line.len))};
	return true;
}

void as_image_map_open(struct as_image_map *map, const struct as_symcache *cache)
{
	*map = (struct as_image_map){{NULL, 0}, {"", 0}};
	if (!image_map_is_on(cache))
		return;
	map->bytes = as_symcache_map(cache, AS_IMAGE_MAP);
	if (map->bytes.p && as_slice_starts(map->bytes, HEAD))
		map->lines = as_slice_skip(map->bytes, strlen(HEAD));
}

void as_image_map_close(struct as_image_map *map)
{
	as_symcache_unmap(map->bytes);
}

static size_t image_map_begin(struct as_slice lines, size_t pos)
{
	while (pos && lines.p[pos - 1] != '\n')
		pos--;
	return pos;
}

/* Where the first line stands that is not below ID. */
static size_t image_map_seek(struct as_slice lines, struct as_slice id)
{
	size_t lo = 0, hi = lines.len;

	while (lo < hi) {
		size_t at = image_map_begin(lines, lo + (hi - lo) / 2), next = at;
		struct as_image image;

		if (!image_map_line(lines, &next, &image))
			hi = at;
		else if (as_slice_cmp(image.id, id) < 0)
			lo = next;
		else
			hi = at;
	}
	return lo;
}

bool as_image_map_next(
	const struct as_image_map *map, struct as_slice id, size_t *pos, struct as_slice *path)
{
	struct as_image image;

	if (!*pos)
		*pos = image_map_seek(map->lines, id);
	if (!image_map_line(map->lines, pos, &image) || !as_slice_eq(image.id, id))
		return false;
	*path = image.path;
	return path->len && path->p[0] == '/';
}

/* ---- adding ---- */

struct image_list {
	struct as_pool pool;
	const struct as_alloc *al; /* the pool's */
	AS_VEC(struct as_image) image;
	size_t n_old; /* the first ones, which were known before */
};

static int image_map_cmp_path(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_image *image = ctx;
	int c = as_slice_cmp(image[a].path, image[b].path);

	return c ? c : as_cmp_u64(b, a); /* the latest first */
}

static int image_map_cmp_id(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_image *image = ctx;
	int c = as_slice_cmp(image[a].id, image[b].id);

	return c ? c : as_slice_cmp(image[a].path, image[b].path);
}

static bool image_map_is_there(struct as_slice path)
{
	char text[4096];
	struct stat st;

	if (path.len >= sizeof(text))
		return false;
	memcpy(text, path.p, path.len);
	text[path.len] = 0;
	return stat(text, &st) == 0 && S_ISREG(st.st_mode);
}

/* What was known, without what is gone. */
static bool image_map_take_old(struct image_list *list, const struct as_image_map *map)
{
	struct as_image image;
	size_t pos = 0;

	while (image_map_line(map->lines, &pos, &image))
		if (image.id.len && image_map_is_there(image.path) &&
			!as_vec_push(list->al, &list->image, image))
			return false;
	list->n_old = list->image.n;
	return true;
}

/* Each path once, with the latest that was said of it. ADDED: a new path, or another image. */
static bool image_map_unite(struct image_list *list, struct as_image_counts *counts)
{
	uint32_t *order =
		as_sorted_rows(list->al, list->image.n, image_map_cmp_path, list->image.p);
	struct as_image *kept;
	size_t n = 0;

	if (!order || !as_alloc_array(list->al, &kept, list->image.n))
		return false;
	for (size_t i = 0, end; i < list->image.n; i = end) {
		const struct as_image *image = &list->image.p[order[i]];
		bool known = false;

		for (end = i; end < list->image.n; end++) {
			const struct as_image *other = &list->image.p[order[end]];

			if (!as_slice_eq(other->path, image->path))
				break;
			known |= order[end] < list->n_old && as_slice_eq(other->id, image->id);
		}
		kept[n++] = *image;
		counts->added += !known;
	}
	if (n)
		memcpy(list->image.p, kept, n * sizeof(*kept));
	list->image.n = counts->known = n;
	return true;
}

static bool image_map_text(struct image_list *list, struct as_slice *text)
{
	uint32_t *order = as_sorted_rows(list->al, list->image.n, image_map_cmp_id, list->image.p);
	AS_VEC(char) out = {0};
	bool ok = order && as_vec_append(list->al, &out, HEAD, strlen(HEAD));

	for (size_t i = 0; ok && i < list->image.n; i++) {
		const struct as_image *image = &list->image.p[order[i]];

		ok = as_vec_append(list->al, &out, image->id.p, image->id.len) &&
		     as_vec_push(list->al, &out, ' ') &&
		     as_vec_append(list->al, &out, image->path.p, image->path.len) &&
		     as_vec_push(list->al, &out, '\n');
	}
	*text = (struct as_slice){out.p, out.n};
	return ok;
}

static enum as_code image_map_write(const struct as_symcache *cache, struct image_list *list,
	const struct as_image_map *old, struct as_image_counts *counts, struct as_err *err)
{
	struct as_slice text;

	AS_TRY(as_err_memory(err, image_map_unite(list, counts) && image_map_text(list, &text)));
	if (text.len == old->bytes.len && memcmp(text.p, old->bytes.p, text.len) == 0)
		return AS_OK;
	if (text.len > cache->max_size)
		return as_err_set(
			err, AS_E_IO, "the map of images is larger than the cache may be");
	if (!as_symcache_replace(cache, AS_IMAGE_MAP, text))
		return as_err_set(err, AS_E_IO, "cannot write to the cache in '%s'", cache->dir);
	return AS_OK;
}

enum as_code as_image_map_add(const struct as_symcache *cache, const struct as_image *image,
	size_t n, struct as_image_counts *counts, struct as_err *err)
{
	struct image_list list = {.n_old = 0};
	struct as_image_map old;
	enum as_code rc;

	*counts = (struct as_image_counts){0};
	if (!image_map_is_on(cache))
		return as_err_set(err, AS_E_IO,
			cache->dir ? "the cache is turned off: ASSAY_CACHE_SIZE is 0"
				   : "there is no cache: neither XDG_CACHE_HOME nor HOME is set");
	as_pool_init(&list.pool, cache->al);
	list.al = &list.pool.al;
	as_image_map_open(&old, cache);
	if (image_map_take_old(&list, &old) && as_vec_append(list.al, &list.image, image, n))
		rc = image_map_write(cache, &list, &old, counts, err);
	else
		rc = as_err_no_memory(err);
	as_image_map_close(&old);
	as_pool_release(&list.pool);
	return rc;
}
