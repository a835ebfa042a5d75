/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_track.h"

/* Thousands of processes have the same few files. */
static enum as_code perf_maps_image(
	struct as_perf_track *t, struct as_slice path, struct as_slice id, uint32_t *row)
{
	uint64_t hash = as_perf_hash_image(path, id), at = AS_INDEX_START;
	struct as_perf_image image = {.object = {0}};

	while (as_index_find(&t->images, hash, &at, row))
		if (as_slice_eq(t->image.p[*row].path, path) &&
			as_slice_eq(t->image.p[*row].id, id))
			return AS_OK;
	image.path = as_arena_dup(&t->arena, path);
	image.id = as_arena_dup(&t->arena, id);
	*row = (uint32_t)t->image.n;
	if (!image.path.p || !image.id.p || !as_vec_push(t->al, &t->image, image) ||
		!as_index_add(&t->images, hash, *row))
		return as_err_no_memory(t->err);
	return AS_OK;
}

enum as_code as_perf_image_object(struct as_perf_track *t, uint32_t row, as_object *out)
{
	struct as_perf_image *image = &t->image.p[row];

	as_assert(row < t->image.n);
	if (!image->object.i && image->path.len) {
		AS_TRY(as_build_object(t->out, image->path, image->id, &image->object));
		t->out->prof->object.p[image->object.i].addr_kind =
			as_path_is_file(image->path) || as_slice_is(image->path, "[vdso]")
				? AS_ADDR_FILE_OFFSET
				: AS_ADDR_ABSOLUTE;
	}
	*out = image->object;
	return AS_OK;
}

/* By the file's name: its folder is another one below another root. */
static bool is_sampler(struct as_slice path)
{
	size_t n = as_slice_up_to_last(path, '/');

	return as_slice_starts(as_slice_skip(path, n), "libassay-profiler.so");
}

enum as_code as_perf_map_add(struct as_perf_track *t, struct as_perf_proc *proc,
	const struct as_perf_range *range, struct as_slice id)
{
	struct as_perf_mapping m = {.range = *range};

	if (range->start >= range->limit)
		return AS_OK;
	as_assert(range->exec); /* nothing else has code */
	AS_TRY(perf_maps_image(t, range->path, id, &m.image));
	m.range.path = t->image.p[m.image].path;
	AS_TRY(as_err_memory(t->err, as_perf_space_put(t->al, &proc->map, &m, &proc->replaced)));
	if (t->unsampled && is_sampler(range->path))
		as_perf_leave_out(t, proc);
	proc->changed = true;
	proc->listed = false;
	return AS_OK;
}

static bool is_listed(
	const struct as_profile *prof, size_t first, uint32_t part, const struct as_map *map)
{
	for (size_t i = prof->map.n; i-- > first;) {
		const struct as_map *m = &prof->map.p[i];

		if (m->part == part && m->start == map->start && m->limit == map->limit &&
			m->offset == map->offset && m->object.i == map->object.i)
			return true;
	}
	return false;
}

enum as_code as_perf_map_list(struct as_perf_track *t, struct as_perf_proc *proc)
{
	as_assert(proc->part < t->part.n);
	if (proc->listed)
		return AS_OK;
	for (size_t i = 0; i < proc->map.n; i++) {
		struct as_perf_mapping *m = &proc->map.p[i];
		struct as_map map = {.start = m->range.start,
			.limit = m->range.limit,
			.offset = m->range.offset,
			.part = proc->part,
			.exec = true};

		if (m->listed || !m->range.path.len)
			continue;
		AS_TRY(as_perf_image_object(t, m->image, &map.object));
		/* of what is no file, the kernel's records have another offset than /proc */
		if (t->out->prof->object.p[map.object.i].addr_kind == AS_ADDR_ABSOLUTE)
			map.offset = map.start;
		m->listed = true;
		if (!is_listed(t->out->prof, proc->first_map, proc->part, &map))
			AS_TRY(as_build_map(t->out, &map));
	}
	proc->listed = true;
	return AS_OK;
}
