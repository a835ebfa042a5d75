/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_track.h"

/* The first mapping that ends behind ADDR. */
static size_t first_behind(const struct as_perf_proc *proc, uint64_t addr)
{
	size_t lo = 0, hi = proc->map.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (proc->map.p[mid].range.limit <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct as_perf_mapping *as_perf_map_find(const struct as_perf_proc *proc, uint64_t addr)
{
	size_t i = first_behind(proc, addr);

	return i < proc->map.n && proc->map.p[i].range.start <= addr ? &proc->map.p[i] : NULL;
}

/* Takes [start, limit) out of what is mapped; returns where it would stand, room for one more. */
static bool make_gap(struct as_perf_track *t, struct as_perf_proc *proc,
	const struct as_perf_range *r, size_t *at)
{
	size_t i = first_behind(proc, r->start), end;
	struct as_perf_mapping *m;

	if (!as_vec_reserve(t->al, &proc->map, proc->map.n + 2))
		return false;
	m = proc->map.p;
	for (end = i; end < proc->map.n && m[end].range.start < r->limit; end++)
		proc->replaced |= m[end].reported;
	if (i < proc->map.n && m[i].range.start < r->start) {
		if (m[i].range.limit > r->limit) { /* cut in two */
			memmove(&m[i + 1], &m[i], (proc->map.n - i) * sizeof(*m));
			proc->map.n++;
		}
		m[i].range.limit = r->start;
		i++;
	}
	for (end = i; end < proc->map.n && m[end].range.limit <= r->limit; end++)
		;
	if (end < proc->map.n && m[end].range.start < r->limit) {
		m[end].range.offset += r->limit - m[end].range.start;
		m[end].range.start = r->limit;
	}
	memmove(&m[i + 1], &m[end], (proc->map.n - end) * sizeof(*m));
	proc->map.n = proc->map.n - (end - i) + 1;
	*at = i;
	return true;
}

/* Thousands of processes have the same few files. */
static struct as_slice perf_maps_keep_path(struct as_perf_track *t, struct as_slice path)
{
	uint64_t hash = as_hash_bytes(path.p, path.len), at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&t->paths, hash, &at, &row))
		if (as_slice_eq(t->path.p[row], path))
			return t->path.p[row];
	path = as_arena_dup(&t->arena, path);
	row = (uint32_t)t->path.n;
	if (!path.p || !as_vec_push(t->al, &t->path, path) || !as_index_add(&t->paths, hash, row))
		path.p = NULL;
	return path;
}

/* By the file's name: its folder is another one below another root. */
static bool is_sampler(struct as_slice path)
{
	size_t n = path.len;

	while (n && path.p[n - 1] != '/')
		n--;
	return as_slice_starts(as_slice_skip(path, n), "libassay-profiler.so");
}

enum as_code as_perf_map_add(struct as_perf_track *t, struct as_perf_proc *proc,
	const struct as_perf_range *range, struct as_slice id)
{
	struct as_perf_mapping m = {.range = *range};
	size_t at;

	if (range->start >= range->limit)
		return AS_OK;
	m.range.path = perf_maps_keep_path(t, range->path);
	if (!m.range.path.p || !make_gap(t, proc, range, &at))
		return as_err_no_memory(t->err);
	if (range->path.len && range->exec) {
		AS_TRY(as_build_object(t->out, range->path, id, &m.object));
		t->out->prof->object.p[m.object.i].addr_kind =
			as_path_is_file(range->path) || as_slice_is(range->path, "[vdso]")
				? AS_ADDR_FILE_OFFSET
				: AS_ADDR_ABSOLUTE;
	}
	if (t->unsampled && is_sampler(range->path))
		as_perf_leave_out(t, proc);
	proc->map.p[at] = m;
	proc->changed = true;
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
	for (size_t i = 0; i < proc->map.n; i++) {
		struct as_perf_mapping *m = &proc->map.p[i];
		struct as_map map = {.start = m->range.start,
			.limit = m->range.limit,
			.offset = m->range.offset,
			.object = m->object,
			.part = proc->part,
			.exec = true};

		if (m->listed || !m->object.i)
			continue;
		m->listed = true;
		if (!is_listed(t->out->prof, proc->first_map, proc->part, &map))
			AS_TRY(as_build_map(t->out, &map));
	}
	return AS_OK;
}
