/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a listing in the order in which they are read. */
#include "base/pool.h"
#include "base/sort.h"
#include "listing/listing_impl.h"

struct sorter {
	struct as_lister *l;
	const struct as_alloc *al; /* for scratch */
	as_val *file_cost;         /* by line: of each file, of the event that is sorted by */
	struct as_order rows;
	as_file own;
	uint32_t event;
};

/* Known first. */
static int list_sort_cmp_line(uint64_t a, uint64_t b)
{
	return a && b ? as_cmp_u64(a, b) : (a ? -1 : b ? 1 : 0);
}

static int cmp_file(const struct sorter *s, as_file a, as_file b)
{
	const struct as_profile *prof = s->l->prof;

	if (a.i == b.i)
		return 0;
	if (a.i == s->own.i || b.i == s->own.i)
		return a.i == s->own.i ? -1 : 1;
	if (s->file_cost[a.i] != s->file_cost[b.i])
		return s->file_cost[a.i] > s->file_cost[b.i] ? -1 : 1;
	return as_slice_cmp(as_file_path(prof, a), as_file_path(prof, b));
}

static int list_sort_cmp_func(const struct sorter *s, as_func a, as_func b)
{
	int cmp;

	if (a.i == b.i)
		return 0;
	cmp = as_slice_cmp(as_func_name(s->l->prof, a), as_func_name(s->l->prof, b));
	return cmp ? cmp : as_cmp_u64(a.i, b.i);
}

/* Two rows below the same one: inlined functions one after the other, each by line. */
static int cmp_siblings(
	const struct sorter *s, const struct as_list_row *a, const struct as_list_row *b)
{
	int cmp = 0;

	if (a->parent)
		cmp = list_sort_cmp_func(s, a->func, b->func);
	cmp = cmp ? cmp : cmp_file(s, a->file, b->file);
	cmp = cmp ? cmp : list_sort_cmp_line(a->line, b->line);
	return cmp ? cmp : list_sort_cmp_func(s, a->func, b->func);
}

static int cmp_row(const void *ctx, uint32_t i, uint32_t j)
{
	const struct sorter *s = ctx;
	const struct as_list_row *row = s->l->out->row.p, *a = &row[i], *b = &row[j];
	uint32_t depth = a->depth, other = b->depth;

	if (s->l->out->by_addr) {
		int cmp = list_sort_cmp_line(a->addr, b->addr);

		return cmp ? cmp : cmp_siblings(s, a, b);
	}
	while (a->depth > b->depth)
		a = &row[a->parent - 1];
	while (b->depth > a->depth)
		b = &row[b->parent - 1];
	if (a == b) /* one is above the other */
		return as_cmp_u64(depth, other);
	while (a->parent != b->parent) {
		a = &row[a->parent - 1];
		b = &row[b->parent - 1];
	}
	return cmp_siblings(s, a, b);
}

static void sum_files(struct sorter *s)
{
	const struct as_listing *out = s->l->out;

	for (size_t i = 0; i < out->row.n && s->l->e; i++) {
		const struct as_list_row *r = &out->row.p[i];

		while (r->parent)
			r = &out->row.p[r->parent - 1];
		s->file_cost[r->file.i] += as_list_self(out, i)[s->event];
	}
}

static enum as_code sort_rows(struct sorter *s)
{
	struct as_listing *out = s->l->out;
	size_t n = out->row.n, size = s->l->e * sizeof(as_val);

	as_assert(out->row_self.n == n * s->l->e && out->row_incl.n == n * s->l->e);
	if (!as_order_init(&s->rows, s->al, n, cmp_row, s) ||
		!as_move_rows(s->al, out->row.p, n, sizeof(*out->row.p), s->rows.at) ||
		!as_move_rows(s->al, out->row_self.p, n, size, s->rows.at) ||
		!as_move_rows(s->al, out->row_incl.p, n, size, s->rows.at))
		return AS_E_NOMEM;
	for (size_t i = 0; i < n; i++)
		if (out->row.p[i].parent)
			out->row.p[i].parent = s->rows.rank[out->row.p[i].parent - 1] + 1;
	return AS_OK;
}

static int cmp_call(const void *ctx, uint32_t i, uint32_t j)
{
	const struct sorter *s = ctx;
	const struct as_listing *out = s->l->out;
	const struct as_list_call *a = &out->call.p[i], *b = &out->call.p[j];

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	for (uint32_t k = 0; k < s->l->e; k++) {
		uint32_t event = (s->event + k) % s->l->e;
		as_val x = as_list_call_cost(out, i)[event], y = as_list_call_cost(out, j)[event];

		if (x != y)
			return x > y ? -1 : 1;
	}
	return list_sort_cmp_func(s, a->callee, b->callee);
}

static enum as_code sort_calls(struct sorter *s)
{
	struct as_listing *out = s->l->out;
	size_t n = out->call.n, size = s->l->e * sizeof(as_val);
	uint32_t *order;

	as_assert(out->call_cost.n == n * s->l->e);
	for (size_t i = 0; i < n; i++) {
		as_assert(out->call.p[i].row < out->row.n);
		out->call.p[i].row = s->rows.rank[out->call.p[i].row];
	}
	order = as_sorted_rows(s->al, n, cmp_call, s);
	if (!order || !as_move_rows(s->al, out->call.p, n, sizeof(*out->call.p), order) ||
		!as_move_rows(s->al, out->call_cost.p, n, size, order))
		return AS_E_NOMEM;
	for (uint32_t i = 0; i < n; i++) {
		struct as_list_row *row = &out->row.p[out->call.p[i].row];

		row->call = row->n_calls++ ? row->call : i;
	}
	return AS_OK;
}

static int cmp_jump(const void *ctx, uint32_t i, uint32_t j)
{
	const struct sorter *s = ctx;
	const struct as_list_jump *a = &s->l->out->jump.p[i], *b = &s->l->out->jump.p[j];
	int cmp = as_cmp_u64(a->row, b->row);

	cmp = cmp ? cmp : as_cmp_u64(a->addr, b->addr);
	cmp = cmp ? cmp : as_cmp_u64(a->line, b->line);
	cmp = cmp ? cmp : cmp_file(s, a->file, b->file);
	cmp = cmp ? cmp : list_sort_cmp_func(s, a->func, b->func);
	return cmp ? cmp : (int)a->conditional - (int)b->conditional;
}

static enum as_code sort_jumps(struct sorter *s)
{
	struct as_listing *out = s->l->out;
	size_t n = out->jump.n;

	for (size_t i = 0; i < n; i++) {
		as_assert(out->jump.p[i].row < out->row.n);
		out->jump.p[i].row = s->rows.rank[out->jump.p[i].row];
	}
	AS_TRY(as_memory(as_sort_array(s->al, out->jump.p, n, cmp_jump, s)));
	for (uint32_t i = 0; i < n; i++) {
		struct as_list_row *row = &out->row.p[out->jump.p[i].row];

		row->jump = row->n_jumps++ ? row->jump : i;
	}
	return AS_OK;
}

static enum as_code make_blocks(struct as_lister *l)
{
	struct as_listing *out = l->out;
	struct as_list_block *last = NULL;

	for (uint32_t i = 0; i < out->row.n && !out->by_addr; i++) {
		const struct as_list_row *row = &out->row.p[i];
		struct as_list_block block = {.file = row->file, .row = i};

		if (!last || (!row->depth && row->file.i != last->file.i)) {
			AS_TRY(as_memory(as_vec_push(l->al, &out->block, block)));
			last = &out->block.p[out->block.n - 1];
		}
		last->n_rows++;
	}
	return AS_OK;
}

enum as_code as_lister_sort(struct as_lister *l)
{
	const struct as_profile *prof = l->prof;
	struct as_pool pool;
	struct sorter s = {.l = l,
		.al = &pool.al,
		.own = prof->func.file.p[l->group],
		.event = l->ls->opts.event};
	enum as_code rc = AS_E_NOMEM;

	as_assert(!l->e || s.event < l->e);
	as_pool_init(&pool, l->al);
	if (as_alloc_array(s.al, &s.file_cost, prof->file.n)) {
		sum_files(&s);
		rc = sort_rows(&s);
	}
	AS_THEN(rc, sort_calls(&s));
	AS_THEN(rc, sort_jumps(&s));
	AS_THEN(rc, make_blocks(l));
	as_pool_release(&pool);
	return rc;
}
