/* SPDX-License-Identifier: Apache-2.0 */
/* The order of everything in the file: by content, so that equal profiles give equal bytes. */
#include "base/sort.h"
#include "formats/callgrind/callgrind_write.h"

static int cmp_object(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;
	int c = as_slice_cmp(
		as_object_path(prof, (as_object){a}), as_object_path(prof, (as_object){b}));

	return c ? c
		 : as_slice_cmp(as_str_get(prof, prof->object.p[a].id),
			   as_str_get(prof, prof->object.p[b].id));
}

static int cmp_file(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;

	return as_slice_cmp(as_file_path(prof, (as_file){a}), as_file_path(prof, (as_file){b}));
}

/* Of functions with the same object and file. */
static int cmp_func(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;
	int c = as_slice_cmp(as_func_name(prof, (as_func){a}), as_func_name(prof, (as_func){b}));

	if (c)
		return c;
	return prof->func.addr.p[a] < prof->func.addr.p[b]
		       ? -1
		       : prof->func.addr.p[a] > prof->func.addr.p[b];
}

/* RANK[row] = place of the row in the order, from 1. */
static bool rank_rows(const struct as_alloc *al, size_t n, uint32_t **rank,
	int (*cmp)(const void *, uint32_t, uint32_t), const void *ctx)
{
	uint32_t *order = as_alloc_new(al, n * sizeof(*order));

	*rank = as_alloc_new(al, n * sizeof(**rank));
	for (size_t i = 0; order && i < n; i++)
		order[i] = (uint32_t)i;
	if (!order || !*rank || !as_sort_rows(al, order, n, cmp, ctx)) {
		as_alloc_free(al, order, n * sizeof(*order));
		return false;
	}
	for (size_t i = 0; i < n; i++)
		(*rank)[order[i]] = (uint32_t)i + 1;
	as_alloc_free(al, order, n * sizeof(*order));
	return true;
}

/* What is sorted by the ranks of things: runs by function, functions by file. */
struct counting {
	const struct cgw *w;
	uint32_t (*key)(const struct cgw *, uint32_t); /* of an element, below BUCKETS */
	size_t buckets;
};

/* Counting sort, stable, of the N elements in FROM. */
static bool sort_by(const struct counting *by, const uint32_t *from, uint32_t *to, size_t n)
{
	size_t size = (by->buckets + 1) * sizeof(uint32_t);
	uint32_t *next = as_alloc_new(by->w->al, size);

	if (!next)
		return false;
	for (size_t i = 0; i < n; i++)
		next[by->key(by->w, from[i]) + 1]++;
	for (size_t k = 0; k < by->buckets; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < n; i++)
		to[next[by->key(by->w, from[i])]++] = from[i];
	as_alloc_free(by->w->al, next, size);
	return true;
}

static uint32_t object_of_func(const struct cgw *w, uint32_t f)
{
	return w->object_rank[w->prof->func.object.p[f].i];
}

static uint32_t file_of_func(const struct cgw *w, uint32_t f)
{
	return w->file_rank[w->prof->func.file.p[f].i];
}

/* Functions in the order of object and file, then by name. ORDER and TMP have room for all. */
static bool sort_funcs(const struct cgw *w, uint32_t *order, uint32_t *tmp)
{
	const struct as_profile *prof = w->prof;
	const struct counting by_file = {w, file_of_func, prof->file.n + 1};
	const struct counting by_object = {w, object_of_func, prof->object.n + 1};
	size_t n = prof->func.name.n, next;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	if (!sort_by(&by_file, order, tmp, n) || !sort_by(&by_object, tmp, order, n))
		return false;
	for (size_t i = 0; i < n; i = next) {
		uint32_t object = object_of_func(w, order[i]), file = file_of_func(w, order[i]);

		for (next = i + 1; next < n && object_of_func(w, order[next]) == object &&
				   file_of_func(w, order[next]) == file;
			next++)
			continue;
		if (!as_sort_rows(w->al, order + i, next - i, cmp_func, prof))
			return false;
	}
	return true;
}

static bool rank_funcs(struct cgw *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->func.name.n, size = 2 * n * sizeof(uint32_t);
	uint32_t *order = as_alloc_new(w->al, size);
	bool ok = order && sort_funcs(w, order, order + n);

	for (size_t i = 0; ok && i < n; i++) {
		w->func_row[order[i]].rank = (uint32_t)i + 1;
		w->func_row[i].object = prof->func.object.p[i];
		w->func_row[i].file = prof->func.file.p[i];
	}
	as_alloc_free(w->al, order, size);
	return ok;
}

bool as_cgw_rank(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	w->object_name = as_alloc_new(w->al, prof->object.n * sizeof(*w->object_name));
	w->file_name = as_alloc_new(w->al, prof->file.n * sizeof(*w->file_name));
	w->func_row = as_alloc_new(w->al, prof->func.name.n * sizeof(*w->func_row));
	return w->object_name && w->file_name && w->func_row &&
	       rank_rows(w->al, prof->object.n, &w->object_rank, cmp_object, prof) &&
	       rank_rows(w->al, prof->file.n, &w->file_rank, cmp_file, prof) && rank_funcs(w);
}

void as_cgw_rank_release(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	as_alloc_free(w->al, w->object_name, prof->object.n * sizeof(*w->object_name));
	as_alloc_free(w->al, w->file_name, prof->file.n * sizeof(*w->file_name));
	as_alloc_free(w->al, w->func_row, prof->func.name.n * sizeof(*w->func_row));
	as_alloc_free(w->al, w->object_rank, prof->object.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->file_rank, prof->file.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->run_order, w->n_runs * sizeof(uint32_t) + 1);
}

const struct as_run *as_cgw_run(
	const struct cgw *w, uint32_t r, const struct as_rows **rows, enum cgw_kind *kind)
{
	const struct as_rows *of[CGW_KINDS] = {&w->prof->self, &w->prof->call, &w->prof->jump};

	for (*kind = CGW_SELF; r >= of[*kind]->run.n; ++*kind)
		r -= (uint32_t)of[*kind]->run.n;
	*rows = of[*kind];
	return &of[*kind]->run.p[r];
}

static uint32_t rank_of_run(const struct cgw *w, uint32_t r)
{
	const struct as_rows *rows;
	enum cgw_kind kind;

	return w->func_row[as_cgw_run(w, r, &rows, &kind)->func.i].rank;
}

static uint32_t part_of_run(const struct cgw *w, uint32_t r)
{
	const struct as_rows *rows;
	enum cgw_kind kind;

	return as_cgw_run(w, r, &rows, &kind)->part;
}

bool as_cgw_order_runs(struct cgw *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->self.run.n + prof->call.run.n + prof->jump.run.n;
	size_t size = n * sizeof(uint32_t) + 1;
	const struct counting by_func = {w, rank_of_run, prof->func.name.n + 1};
	const struct counting by_part = {w, part_of_run, prof->part.n};
	uint32_t *tmp = as_alloc_new(w->al, size);
	bool ok;

	w->n_runs = n;
	w->run_order = as_alloc_new(w->al, size);
	ok = tmp && w->run_order && n <= UINT32_MAX;
	for (uint32_t r = 0; ok && r < n; r++) {
		const struct as_rows *rows;
		enum cgw_kind kind;

		if (as_cgw_run(w, r, &rows, &kind)->n)
			tmp[w->n_run_order++] = r;
	}
	ok = ok && sort_by(&by_func, tmp, w->run_order, w->n_run_order);
	if (ok && prof->part.n > 1) {
		memcpy(tmp, w->run_order, w->n_run_order * sizeof(*tmp));
		ok = sort_by(&by_part, tmp, w->run_order, w->n_run_order);
	}
	as_alloc_free(w->al, tmp, size);
	return ok;
}
