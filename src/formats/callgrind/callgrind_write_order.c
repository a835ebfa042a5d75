/* SPDX-License-Identifier: Apache-2.0 */
/* The order of everything in the file: by content, so that equal profiles give equal bytes. */
#include "formats/callgrind/callgrind_write.h"
#include "model/labels.h"

/* How names begin: BEGIN[f] compares as the first eight bytes of function F's name do. Few pairs
 * of functions make it necessary to look at the names, which are all over the memory. */
struct beginnings {
	const struct as_profile *prof;
	uint64_t *begin;
};

static uint64_t cg_order_beginning(struct as_slice s)
{
	uint64_t v = 0;

	for (size_t i = 0; i < sizeof(v); i++)
		v = v << 8 | (i < s.len ? (uint8_t)s.p[i] : 0);
	return v;
}

/* Of functions with the same object and file. */
static int cg_order_cmp_func(const void *ctx, uint32_t a, uint32_t b)
{
	const struct beginnings *by = ctx;
	const struct as_profile *prof = by->prof;
	int c;

	if (by->begin[a] != by->begin[b])
		return by->begin[a] < by->begin[b] ? -1 : 1;
	c = as_slice_cmp(as_func_name(prof, (as_func){a}), as_func_name(prof, (as_func){b}));
	return c ? c : as_cmp_u64(prof->func.addr.p[a], prof->func.addr.p[b]);
}

/* What is sorted by the ranks of things: runs by function, functions by file. */
struct counting {
	const struct cgw *w;
	uint32_t (*key)(const struct cgw *, uint32_t); /* of an element, below BUCKETS */
	size_t buckets;
};

/* Counting sort, stable, of the N elements in FROM. */
static bool cg_order_sort_by(
	const struct counting *by, const uint32_t *from, uint32_t *to, size_t n)
{
	size_t size = (by->buckets + 1) * sizeof(uint32_t);
	uint32_t *next = as_alloc_new(by->w->own, size);

	if (!next)
		return false;
	for (size_t i = 0; i < n; i++)
		next[by->key(by->w, from[i]) + 1]++;
	for (size_t k = 0; k < by->buckets; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < n; i++)
		to[next[by->key(by->w, from[i])]++] = from[i];
	return true;
}

static uint32_t object_of_func(const struct cgw *w, uint32_t f)
{
	return w->objects.rank[w->prof->func.object.p[f].i];
}

static uint32_t file_of_func(const struct cgw *w, uint32_t f)
{
	return w->files.rank[w->prof->func.file.p[f].i];
}

/* Sort by name what ORDER has between functions of other objects or files. */
static bool sort_names(const struct cgw *w, uint32_t *order, const struct beginnings *by)
{
	size_t n = w->prof->func.name.n, next;

	for (size_t i = 0; i < n; i = next) {
		uint32_t object = object_of_func(w, order[i]), file = file_of_func(w, order[i]);

		for (next = i + 1; next < n && object_of_func(w, order[next]) == object &&
				   file_of_func(w, order[next]) == file;
			next++)
			continue;
		if (!as_sort_rows(w->own, order + i, next - i, cg_order_cmp_func, by))
			return false;
	}
	return true;
}

/* Functions in the order of object and file, then by name. ORDER and TMP have room for all. */
static bool sort_funcs(const struct cgw *w, uint32_t *order, uint32_t *tmp)
{
	const struct as_profile *prof = w->prof;
	const struct counting by_file = {w, file_of_func, prof->file.n + 1};
	const struct counting by_object = {w, object_of_func, prof->object.n + 1};
	size_t n = prof->func.name.n, size = n * sizeof(uint64_t);
	struct beginnings by = {.prof = prof};
	bool ok;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	if (!cg_order_sort_by(&by_file, order, tmp, n) ||
		!cg_order_sort_by(&by_object, tmp, order, n))
		return false;
	by.begin = w->own->resize(w->own->ctx, NULL, 0, size);
	if (!by.begin)
		return false;
	for (uint32_t i = 0; i < n; i++)
		by.begin[i] = cg_order_beginning(as_func_name(prof, (as_func){i}));
	ok = sort_names(w, order, &by);
	return ok;
}

static bool rank_funcs(struct cgw *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->func.name.n, size = 2 * n * sizeof(uint32_t);
	uint32_t *order = as_alloc_new(w->own, size);
	bool ok = order && sort_funcs(w, order, order + n);

	for (size_t i = 0; ok && i < n; i++) {
		w->func_row[order[i]].rank = (uint32_t)i + 1;
		w->func_row[i].object = prof->func.object.p[i];
		w->func_row[i].file = prof->func.file.p[i];
	}
	return ok;
}

static size_t names_of(const struct as_profile *prof, int group)
{
	return group == CGW_OBJECTS ? prof->object.n
	       : group == CGW_FILES ? prof->file.n
				    : prof->func.name.n;
}

bool as_cgw_rank(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	for (int g = 0; g < CGW_GROUPS; g++) {
		size_t size = names_of(prof, g) * sizeof(uint32_t);

		w->number[g] = as_alloc_new(w->own, size);
		if (prof->part.n > 1)
			w->part_of[g] = as_alloc_new(w->own, size);
		if (!w->number[g] || (prof->part.n > 1 && !w->part_of[g]))
			return false;
	}
	w->func_row = as_alloc_new(w->own, prof->func.name.n * sizeof(*w->func_row));
	return w->func_row &&
	       as_order_init(&w->objects, w->own, prof->object.n, as_object_cmp, prof) &&
	       as_order_init(&w->files, w->own, prof->file.n, as_file_cmp, prof) && rank_funcs(w);
}

static uint32_t part_of_run(const struct cgw *w, uint32_t r)
{
	return as_cgw_run(w, r).run->part;
}

/* Counting sort of the runs that have rows, by their functions' ranks. */
static bool sort_runs(struct cgw *w)
{
	const struct as_rows *of[CGW_KINDS] = {&w->prof->self, &w->prof->call, &w->prof->jump};
	size_t size = (w->prof->func.name.n + 2) * sizeof(uint32_t);
	uint32_t *next = as_alloc_new(w->own, size), r = 0, at = 0;

	if (!next)
		return false;
	for (int k = 0; k < CGW_KINDS; k++)
		for (size_t i = 0; i < of[k]->run.n; i++)
			next[w->func_row[of[k]->run.p[i].func.i].rank] += of[k]->run.p[i].n != 0;
	for (size_t i = 0; i < size / sizeof(*next); i++) {
		uint32_t here = next[i];

		next[i] = at;
		at += here;
	}
	for (int k = 0; k < CGW_KINDS; k++)
		for (size_t i = 0; i < of[k]->run.n; i++, r++)
			if (of[k]->run.p[i].n)
				w->run_order[next[w->func_row[of[k]->run.p[i].func.i].rank]++] = r;
	w->n_run_order = at;
	return true;
}

static bool sort_runs_by_part(struct cgw *w)
{
	const struct counting by_part = {w, part_of_run, w->prof->part.n};
	size_t size = w->n_run_order * sizeof(uint32_t) + 1;
	uint32_t *tmp = as_alloc_new(w->own, size);
	bool ok = false;

	if (tmp) {
		memcpy(tmp, w->run_order, w->n_run_order * sizeof(*tmp));
		ok = cg_order_sort_by(&by_part, tmp, w->run_order, w->n_run_order);
	}
	return ok;
}

bool as_cgw_order_runs(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	w->n_runs = prof->self.run.n + prof->call.run.n + prof->jump.run.n;
	if (w->n_runs > UINT32_MAX)
		return false;
	w->run_order = as_alloc_new(w->own, w->n_runs * sizeof(uint32_t) + 1);
	return w->run_order && sort_runs(w) && (prof->part.n < 2 || sort_runs_by_part(w));
}
