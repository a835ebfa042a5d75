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

static int cmp_func(const void *ctx, uint32_t a, uint32_t b)
{
	const struct cgw *w = ctx;
	const struct as_profile *prof = w->prof;
	uint32_t oa = w->object_rank[prof->func.object.p[a].i];
	uint32_t ob = w->object_rank[prof->func.object.p[b].i];
	uint32_t fa = w->file_rank[prof->func.file.p[a].i];
	uint32_t fb = w->file_rank[prof->func.file.p[b].i];
	int c;

	if (oa != ob)
		return oa < ob ? -1 : 1;
	if (fa != fb)
		return fa < fb ? -1 : 1;
	c = as_slice_cmp(as_func_name(prof, (as_func){a}), as_func_name(prof, (as_func){b}));
	if (c)
		return c;
	return prof->func.addr.p[a] < prof->func.addr.p[b]
		       ? -1
		       : prof->func.addr.p[a] > prof->func.addr.p[b];
}

/* RANK[row] = place of the row in the order, from 1. ORDER may be NULL. */
static bool rank_rows(const struct as_alloc *al, size_t n, uint32_t **rank, uint32_t **keep,
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
	if (keep)
		*keep = order;
	else
		as_alloc_free(al, order, n * sizeof(*order));
	return true;
}

bool as_cgw_rank(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	w->object_part = as_alloc_new(w->al, prof->object.n * sizeof(uint32_t));
	w->file_part = as_alloc_new(w->al, prof->file.n * sizeof(uint32_t));
	w->func_part = as_alloc_new(w->al, prof->func.name.n * sizeof(uint32_t));
	w->object_id = as_alloc_new(w->al, prof->object.n * sizeof(uint32_t));
	w->file_id = as_alloc_new(w->al, prof->file.n * sizeof(uint32_t));
	w->func_id = as_alloc_new(w->al, prof->func.name.n * sizeof(uint32_t));
	return w->object_part && w->file_part && w->func_part && w->object_id && w->file_id &&
	       w->func_id &&
	       rank_rows(w->al, prof->object.n, &w->object_rank, NULL, cmp_object, prof) &&
	       rank_rows(w->al, prof->file.n, &w->file_rank, NULL, cmp_file, prof) &&
	       rank_rows(w->al, prof->func.name.n, &w->func_rank, &w->func_order, cmp_func, w);
}

void as_cgw_rank_release(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	as_alloc_free(w->al, w->object_part, prof->object.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->file_part, prof->file.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->func_part, prof->func.name.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->object_id, prof->object.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->file_id, prof->file.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->func_id, prof->func.name.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->object_rank, prof->object.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->file_rank, prof->file.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->func_rank, prof->func.name.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->func_order, prof->func.name.n * sizeof(uint32_t));
	as_alloc_free(w->al, w->run_order, w->run.n * sizeof(uint32_t) + 1);
	as_vec_free(w->al, &w->run);
}

static bool add_runs(struct cgw *w, const struct as_rows *rows, enum cgw_kind kind)
{
	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];
		struct cgw_run row = {.part = run->part,
			.rank = w->func_rank[run->func.i],
			.kind = kind,
			.run = (uint32_t)r};

		if (run->n && !as_vec_push(w->al, &w->run, row))
			return false;
	}
	return true;
}

static int cmp_run(const void *ctx, uint32_t a, uint32_t b)
{
	const struct cgw_run *x = &((const struct cgw *)ctx)->run.p[a];
	const struct cgw_run *y = &((const struct cgw *)ctx)->run.p[b];

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

bool as_cgw_collect_runs(struct cgw *w)
{
	if (!add_runs(w, &w->prof->self, CGW_SELF) || !add_runs(w, &w->prof->call, CGW_CALL) ||
		!add_runs(w, &w->prof->jump, CGW_JUMP))
		return false;
	w->run_order = as_alloc_new(w->al, w->run.n * sizeof(uint32_t) + 1);
	if (!w->run_order)
		return false;
	for (size_t i = 0; i < w->run.n; i++)
		w->run_order[i] = (uint32_t)i;
	return as_sort_rows(w->al, w->run_order, w->run.n, cmp_run, w);
}
