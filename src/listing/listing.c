/* SPDX-License-Identifier: Apache-2.0 */
/* Listings: which functions, and the order of things. */
#include <stdlib.h>

#include "base/sort.h"
#include "change/kit/tree.h"
#include "listing/listing_impl.h"

static size_t n_nodes(const struct as_profile *prof)
{
	return prof->sample.node.n ? prof->node.parent.n : 0;
}

static bool index_table(struct as_listings *ls)
{
	const struct as_table *t = ls->table;
	uint32_t n = 0;

	ls->order = as_alloc_new(ls->al, (t->n + 1) * sizeof(*ls->order));
	ls->table_row = as_alloc_new(ls->al, (ls->fold.n + 1) * sizeof(*ls->table_row));
	if (!ls->order || !ls->table_row)
		return false;
	as_table_sort(t, ls->prof, ls->opts.event, false, ls->order);
	for (size_t i = 0; i < t->n; i++)
		if (!t->key[ls->order[i]].is_cycle)
			ls->order[n++] = ls->order[i];
	as_assert(n + t->n_cycles == t->n);
	ls->n_order = n;
	for (uint32_t i = 0; i < t->n; i++)
		if (!t->key[i].is_cycle)
			ls->table_row[t->key[i].func.i] = i + 1;
	return true;
}

enum as_code as_listings_open(struct as_listings **out, const struct as_profile *prof,
	const struct as_listing_opts *opts, struct as_err *err)
{
	struct as_listings *ls = as_alloc_new(prof->al, sizeof(*ls));
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = opts->keep_contexts,
		.no_cycles = opts->no_cycles,
		.want_edges = opts->want_edges,
		.best = opts->best};

	*out = ls;
	AS_TRY(as_err_memory(err, ls));
	ls->al = prof->al;
	ls->prof = prof;
	ls->opts = *opts;
	AS_TRY(as_err_memory(err, as_fold_init(&ls->fold, prof, opts->keep_contexts, false)));
	AS_TRY(as_project(prof, &project, &ls->table, err));
	AS_TRY(as_err_memory(err, index_table(ls)));
	if (n_nodes(prof)) {
		ls->live = as_alloc_new(ls->al, n_nodes(prof));
		AS_TRY(as_err_memory(err, ls->live));
		as_tree_live(prof, ls->live);
	}
	return AS_OK;
}

void as_listings_free(struct as_listings *ls)
{
	if (!ls)
		return;
	if (ls->order)
		as_alloc_free(ls->al, ls->order, (ls->table->n + 1) * sizeof(*ls->order));
	as_alloc_free(ls->al, ls->table_row, (ls->fold.n + 1) * sizeof(*ls->table_row));
	as_alloc_free(ls->al, ls->live, n_nodes(ls->prof));
	as_list_nodes_release(&ls->nodes);
	as_vec_free(ls->al, &ls->found);
	as_table_free(ls->table);
	as_fold_release(&ls->fold);
	as_alloc_free(ls->al, ls, sizeof(*ls));
}

size_t as_listings_n(const struct as_listings *ls)
{
	return ls->found.n;
}

const struct as_table *as_listings_table(const struct as_listings *ls)
{
	return ls->table;
}

uint32_t as_listings_row(const struct as_listings *ls, size_t n)
{
	as_assert(n < ls->found.n);
	return ls->found.p[n];
}

size_t as_listings_all(const struct as_listings *ls)
{
	return ls->n_order;
}

struct as_slice as_listings_name(const struct as_listings *ls, size_t i)
{
	as_assert(i < ls->n_order);
	return as_table_func_name(ls->table, ls->order[i]);
}

struct as_slice as_listings_file(const struct as_listings *ls)
{
	return ls->prof->file.n > 1 ? as_file_path(ls->prof, (as_file){1}) : as_slice_of("");
}

struct as_slice as_listing_func_name(const struct as_listings *ls, as_func f)
{
	return as_shown_name(ls->prof, as_fold_func_name(&ls->fold, ls->prof, f));
}

void as_listings_by_addr(struct as_listings *ls, bool by_addr)
{
	ls->by_addr = by_addr;
}

void as_listings_snap(struct as_listings *ls, const struct as_list_span *span, size_t n)
{
	ls->span = span;
	ls->n_span = n;
}

/* ---- one listing ---- */

/* Append n_events zeros. */
#define PUSH_ZEROS(l, v) listing_push_zeros(l, &(v)->p, &(v)->n, &(v)->cap)

static bool listing_push_zeros(const struct as_lister *l, as_val **p, size_t *n, size_t *cap)
{
	if (*n + l->e > *cap && !as_vec_grow(l->al, p, cap, *n + l->e, sizeof(**p)))
		return false;
	for (uint32_t k = 0; k < l->e; k++)
		(*p)[(*n)++] = 0;
	return true;
}

static bool same_row(
	const struct as_lister *l, const struct as_list_row *a, const struct as_list_row *b)
{
	if (l->out->by_addr && a->addr)
		return a->addr == b->addr;
	return a->parent == b->parent && a->func.i == b->func.i && a->file.i == b->file.i &&
	       a->line == b->line && a->addr == b->addr;
}

static uint64_t row_hash(const struct as_lister *l, const struct as_list_row *k)
{
	if (l->out->by_addr && k->addr)
		return as_hash_mix(1, k->addr);
	return as_hash_mix(as_hash_mix(k->parent, k->func.i), as_hash_mix(k->file.i, k->line));
}

enum as_code as_lister_row(struct as_lister *l, const struct as_list_row *key, uint32_t *row)
{
	uint64_t pos = AS_INDEX_START, hash = row_hash(l, key);
	struct as_listing *out = l->out;

	while (as_index_find(&l->rows, hash, &pos, row))
		if (same_row(l, &out->row.p[*row], key))
			return AS_OK;
	if (out->row.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	*row = (uint32_t)out->row.n;
	return as_memory(as_vec_push(l->al, &out->row, *key) && PUSH_ZEROS(l, &out->row_self) &&
			 PUSH_ZEROS(l, &out->row_incl) && as_index_add(&l->rows, hash, *row));
}

enum as_code as_lister_call(struct as_lister *l, uint32_t row, as_func callee, uint32_t *call)
{
	uint32_t group = as_lister_group(l, callee);
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(row, group);
	struct as_listing *out = l->out;
	struct as_list_call new = {.row = row, .callee = {group}};

	while (as_index_find(&l->calls, hash, &pos, call))
		if (out->call.p[*call].row == row && out->call.p[*call].callee.i == group)
			return AS_OK;
	if (out->call.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	*call = (uint32_t)out->call.n;
	return as_memory(as_vec_push(l->al, &out->call, new) && PUSH_ZEROS(l, &out->call_cost) &&
			 as_index_add(&l->calls, hash, *call));
}

static int cmp_addr(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The nameless code around that of TABLE_ROW. */
static enum as_code find_stretch(struct as_lister *l, uint32_t table_row)
{
	const struct as_table *t = l->ls->table;
	struct as_list_stretch *st = &l->out->stretch;
	uint64_t *addr = as_alloc_new(l->al, (t->n + 1) * sizeof(*addr));
	size_t n = 0, at = 0, from, to;

	AS_TRY(as_memory(addr));
	for (uint32_t i = 0; i < t->n; i++)
		if (!t->key[i].is_cycle && t->key[i].addr && !as_table_func_name(t, i).len &&
			!as_func_is_whole(l->prof, t->key[i].func) &&
			t->key[i].object.i == t->key[table_row].object.i)
			addr[n++] = t->key[i].addr;
	qsort(addr, n, sizeof(*addr), cmp_addr);
	st->addr = t->key[table_row].addr;
	while (at + 1 < n && addr[at] < st->addr)
		at++;
	as_assert(at < n && addr[at] == st->addr); /* the row itself is one of them */
	for (from = at; from && addr[from] - addr[from - 1] <= AS_STRETCH_GAP; from--)
		;
	for (to = at; to + 1 < n && addr[to + 1] - addr[to] <= AS_STRETCH_GAP; to++)
		;
	st->start = addr[from];
	st->last = addr[to];
	as_alloc_free(l->al, addr, (t->n + 1) * sizeof(*addr));
	return AS_OK;
}

/* What the table of functions says about it. */
static enum as_code fill_function(struct as_lister *l, uint32_t table_row)
{
	const struct as_table *t = l->ls->table;
	const as_val *most = as_table_most(t, table_row);
	struct as_listing *out = l->out;
	size_t size = l->e * sizeof(as_val);

	as_assert(table_row < t->n && !t->key[table_row].is_cycle);
	out->func = t->key[table_row].func;
	out->name = as_table_func_name(t, table_row);
	out->has_incl = t->has_incl[table_row];
	out->has_calls = t->has_calls[table_row];
	out->calls = t->calls[table_row];
	out->total = t->total;
	out->self = as_arena_get(&out->arena, size + 1);
	out->incl = as_arena_get(&out->arena, size + 1);
	out->code = as_arena_get(&out->arena, size + 1);
	out->most = most ? as_arena_get(&out->arena, size + 1) : NULL;
	if (!out->self || !out->incl || !out->code || (most && !out->most))
		return AS_E_NOMEM;
	if (most && size)
		memcpy(out->most, most, size);
	memset(out->code, 0, size);
	for (uint32_t k = 0; k < l->e; k++) {
		out->self[k] = t->self[(size_t)table_row * l->e + k];
		out->incl[k] = out->has_incl ? t->incl[(size_t)table_row * l->e + k] : 0;
	}
	return AS_OK;
}

static enum as_code listing_make(struct as_lister *l, uint32_t table_row)
{
	AS_TRY(as_memory(l->scratch));
	AS_TRY(fill_function(l, table_row));
	if (!l->out->name.len && l->ls->table->key[table_row].addr &&
		!as_func_is_whole(l->prof, l->out->func))
		AS_TRY(find_stretch(l, table_row));
	AS_TRY(as_lister_facts(l));
	AS_TRY(as_lister_paths(l));
	for (size_t i = 0; i < l->out->row.n; i++)
		as_vals_add(l->out->code, as_list_self(l->out, i), l->e);
	if (l->out->stretch.addr) { /* the table knows single addresses */
		memcpy(l->out->self, l->out->code, l->e * sizeof(as_val));
		l->out->has_incl = l->out->has_calls = false;
	}
	return as_lister_sort(l);
}

enum as_code as_listing_make(
	struct as_listings *ls, size_t n, struct as_listing *out, struct as_err *err)
{
	const struct as_profile *prof = ls->prof;
	uint32_t table_row = ls->found.p[n];
	struct as_lister l = {.ls = ls,
		.prof = prof,
		.al = ls->al,
		.out = out,
		.group = ls->table->key[table_row].func.i,
		.e = as_n_events(prof)};
	size_t size = ((size_t)l.e + AS_CALL_COST + AS_JUMP_WIDTH) * sizeof(as_val);
	enum as_code rc;

	as_assert(n < ls->found.n);
	*out = (struct as_listing){.al = ls->al, .prof = prof, .n_events = l.e};
	out->by_addr = ls->by_addr;
	out->places = ls->opts.places;
	out->row_has_incl = (prof->call.n || prof->sample.node.n || out->places) &&
			    !(out->places && out->by_addr) && !ls->opts.rows;
	as_arena_init(&out->arena, ls->al);
	as_index_init(&l.rows, ls->al);
	as_index_init(&l.calls, ls->al);
	as_index_init(&l.jumps, ls->al);
	l.scratch = as_alloc_new(ls->al, size);
	rc = listing_make(&l, table_row);
	as_alloc_free(ls->al, l.scratch, size);
	as_index_release(&l.rows);
	as_index_release(&l.calls);
	as_index_release(&l.jumps);
	if (rc == AS_E_NOMEM)
		return as_err_no_memory(err);
	return rc == AS_OK ? rc : as_err_set(err, rc, "more than 2^32 rows");
}

void as_listing_release(struct as_listing *l)
{
	as_vec_free(l->al, &l->row);
	as_vec_free(l->al, &l->row_self);
	as_vec_free(l->al, &l->row_incl);
	as_vec_free(l->al, &l->call);
	as_vec_free(l->al, &l->call_cost);
	as_vec_free(l->al, &l->jump);
	as_vec_free(l->al, &l->block);
	as_arena_release(&l->arena);
}
