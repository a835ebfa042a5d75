/* SPDX-License-Identifier: Apache-2.0 */
#include "report/top.h"

#include "base/sort.h"
#include "report/kit/show.h"

static int top_cmp_cycle(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_top *top = ctx;
	const struct as_key *key = top->table->key;

	for (uint32_t i = 0; i < top->view.n_events; i++) {
		as_val x = as_top_incl(top, a, top->view.event[i]);
		as_val y = as_top_incl(top, b, top->view.event[i]);

		if (x != y)
			return x < y ? 1 : -1;
	}
	return key[a].cycle < key[b].cycle ? -1 : 1;
}

/* Take the first rows, and make the rest what is missing to the total: so it adds up. */
static void choose_rows(struct as_top *top)
{
	const struct as_table *table = top->table;
	size_t limit = top->opts.limit ? top->opts.limit : table->n;

	memcpy(top->rest_all, table->total, table->n_events * sizeof(*top->rest_all));
	top->n_rest = table->n_rest;
	top->n_rows = top->n_cycles = 0;
	for (size_t i = 0; i < table->n; i++) {
		uint32_t row = top->row[i];

		if (table->key[row].is_cycle) {
			top->cycle[top->n_cycles++] = row;
			continue;
		}
		if (top->n_rows == limit) {
			top->n_rest++;
			continue;
		}
		top->row[top->n_rows++] = row;
		for (uint32_t k = 0; k < table->n_events; k++)
			top->rest_all[k] -= as_top_self(top, row, k);
	}
	as_assert(top->n_cycles == table->n_cycles);
}

/* ---- metrics ---- */

struct as_number as_top_metric(const struct as_top *top, uint32_t row, uint32_t k)
{
	const struct as_table *table = top->table;
	const as_val *v = top->opts.metric_incl ? table->incl : table->self;

	as_assert(row < table->n && k < top->opts.n_metrics);
	if (top->opts.metric_incl && !table->has_incl[row])
		return (struct as_number){0};
	return as_metric_value(&top->opts.metric[k],
		&(struct as_metric_row){v + (size_t)row * table->n_events, table->total,
			table->has_calls[row] ? &table->calls[row] : NULL});
}

struct as_number as_top_rest_metric(const struct as_top *top, uint32_t k)
{
	if (top->opts.metric_incl)
		return (struct as_number){0};
	return as_metric_value(&top->opts.metric[k],
		&(struct as_metric_row){top->rest_all, top->table->total, NULL});
}

struct by_metric {
	struct as_number *value; /* of each row of the table */
	uint32_t *rank;          /* its place in the order without the metric */
};

static int cmp_metric(const void *ctx, uint32_t a, uint32_t b)
{
	const struct by_metric *by = ctx;
	int c = as_number_cmp(by->value[a], by->value[b]);

	if (c)
		return c;
	return by->rank[a] < by->rank[b] ? -1 : 1;
}

/* Sort top->row, all rows of the table in their usual order, by a metric. */
static bool sort_by_metric(struct as_top *top)
{
	size_t n = top->table->n, size = n * (sizeof(struct as_number) + sizeof(uint32_t)) + 1;
	struct by_metric by = {.value = as_alloc_new(top->prof->al, size)};
	bool fine = by.value != NULL;

	if (fine)
		by.rank = (uint32_t *)(by.value + n);
	for (uint32_t i = 0; fine && i < n; i++) {
		by.rank[top->row[i]] = i;
		by.value[i] = as_top_metric(top, i, top->opts.sort_metric - 1);
	}
	fine = fine && as_sort_rows(top->prof->al, top->row, n, cmp_metric, &by);
	as_alloc_free(top->prof->al, by.value, size);
	return fine;
}

enum as_code as_top_order(struct as_top *top, size_t n, struct as_err *err)
{
	const struct as_top_opts *opts = &top->opts;
	size_t all = top->table->n;

	as_assert(opts->sort_metric <= opts->n_metrics && top->table->n_cycles <= all);
	n = n && n < all - top->table->n_cycles && !opts->sort_metric ? n : all;
	as_table_best(top->table, top->prof, opts->view.sort_event, opts->sort_inclusive, top->row,
		n < all ? n + top->table->n_cycles : all);
	if (opts->sort_metric && !sort_by_metric(top))
		return as_err_no_memory(err);
	choose_rows(top);
	top->n_ordered = n;
	return as_err_memory(
		err, as_sort_rows(top->prof->al, top->cycle, top->n_cycles, top_cmp_cycle, top));
}

enum as_code as_top_make(struct as_top *top, const struct as_profile *prof,
	const struct as_top_opts *opts, struct as_err *err)
{
	uint32_t n = opts->view.n_events ? opts->view.n_events : as_n_events(prof), *event;

	*top = (struct as_top){.prof = prof, .opts = *opts, .view = opts->view};
	as_arena_init(&top->arena, prof->al);
	top->opts.project.best = opts->sort_metric ? 0 : opts->limit;
	top->opts.project.best_event = opts->view.sort_event;
	top->opts.project.best_inclusive = opts->sort_inclusive;
	AS_TRY(as_project(prof, &top->opts.project, &top->table, err));
	if (!as_arena_array(&top->arena, &event, n) ||
		!as_arena_array(&top->arena, &top->rest_all, as_n_events(prof)) ||
		!as_arena_array(&top->arena, &top->row, top->table->n) ||
		!as_arena_array(&top->arena, &top->cycle, top->table->n_cycles))
		return as_err_no_memory(err);
	for (uint32_t i = 0; i < n; i++)
		event[i] = opts->view.n_events ? opts->view.event[i] : i;
	top->view.event = event;
	top->view.n_events = n;
	return as_top_order(top, opts->limit ? opts->limit : opts->ordered, err);
}

void as_top_release(struct as_top *top)
{
	if (!top->is_page)
		as_table_free(top->table);
	top->table = NULL;
	as_arena_release(&top->arena);
}

struct as_row_key as_top_key(const struct as_top *top, uint32_t row)
{
	const struct as_key *key = &top->table->key[row];
	enum as_by by = top->table->by;
	struct as_row_key rk = {
		.file = as_file_path(top->prof, key->file),
		.object = as_object_path(top->prof, key->object),
		.line = by == AS_BY_LINE || by == AS_BY_ADDR ? key->line : 0,
	};

	as_assert(row < top->table->n);
	rk.function = as_shown_name(top->prof, as_table_func_name(top->table, row));
	rk.has_addr = by == AS_BY_ADDR ||
		      ((by == AS_BY_FUNC || by == AS_BY_FILEFUNC) && !rk.function.len);
	rk.has_addr = rk.has_addr && (key->addr || rk.object.len);
	rk.addr = rk.has_addr ? key->addr : 0;
	if (by == AS_BY_LINE && !rk.function.len) { /* only this tells its row from others */
		rk.addr = top->prof->func.addr.p[key->func.i];
		rk.has_addr = rk.addr != 0;
	}
	return rk;
}

struct as_slice as_top_name(const struct as_top *top, uint32_t row, struct as_arena *ar)
{
	const struct as_key *key = &top->table->key[row];
	struct as_row_key rk = as_top_key(top, row);
	enum as_by by = top->table->by;
	struct as_slice name = by == AS_BY_FILE     ? rk.file
			       : by == AS_BY_OBJECT ? rk.object
						    : rk.function;

	if (name.len || by == AS_BY_FILE || by == AS_BY_OBJECT)
		return name.p ? name : as_slice_of("");
	return as_show_func(ar, top->prof, name, key->object,
		by == AS_BY_LINE ? top->prof->func.addr.p[key->func.i] : key->addr);
}

/* ---- over time ---- */

enum as_code as_top_over(
	struct as_top *top, uint64_t width, bool clock, struct as_over *over, struct as_err *err)
{
	const struct as_table *t = top->table;
	size_t n = top->prof->place.func.n;
	struct as_over_ask ask = {.event = top->view.event[0],
		.width = width,
		.clock = clock,
		.inclusive = top->opts.sort_inclusive,
		.n_rows = (uint32_t)top->n_rows};
	uint32_t *of_place, *of_row;

	as_assert(t->of_place && top->view.n_events);
	AS_TRY(as_err_memory(err, as_arena_array(&top->arena, &of_place, n) &&
					  as_arena_array(&top->arena, &of_row, t->n + 1)));
	for (size_t i = 0; i <= t->n; i++)
		of_row[i] = ask.n_rows;
	for (uint32_t i = 0; i < top->n_rows; i++)
		of_row[top->row[i] + 1] = i;
	for (size_t i = 0; i < n; i++)
		of_place[i] = of_row[t->of_place[i]];
	ask.of_place = of_place;
	top->over = over;
	return as_over_make(over, top->prof, &ask, err);
}

/* ---- cycles ---- */

/* The largest self cost first, by the event that the table is of. */
static int top_cmp_member_cost(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_top *top = ctx;
	uint32_t event = top->view.n_events ? top->view.event[0] : 0;
	as_val v, w;

	if (!top->table->n_events)
		return 0;
	v = as_top_self(top, a, event);
	w = as_top_self(top, b, event);
	return v == w ? 0 : v > w ? -1 : 1;
}

static int top_cmp_member(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_top *top = ctx;
	const struct as_table *t = top->table;
	int cmp = top_cmp_member_cost(top, a, b);
	struct as_row_key x, y;

	if (cmp)
		return cmp;
	x = as_top_key(top, a);
	y = as_top_key(top, b);
	cmp = as_slice_cmp(x.function, y.function);
	cmp = cmp ? cmp : as_slice_cmp(x.file, y.file);
	cmp = cmp ? cmp : as_slice_cmp(x.object, y.object);
	if (!cmp && t->key[a].addr != t->key[b].addr)
		cmp = t->key[a].addr < t->key[b].addr ? -1 : 1;
	return cmp;
}

uint32_t *as_top_members(struct as_top *top, uint32_t row, size_t want, size_t *n)
{
	const struct as_table *t = top->table;
	uint32_t *m, cycle = t->key[row].cycle;
	size_t end;

	as_assert(row < t->n && cycle);
	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		*n += t->key[i].cycle == cycle && !t->key[i].is_cycle;
	m = as_arena_get(&top->arena, *n * sizeof(*m) + 1);
	*n = 0;
	for (size_t i = 0; m && i < t->n; i++)
		if (t->key[i].cycle == cycle && !t->key[i].is_cycle)
			m[(*n)++] = (uint32_t)i;
	if (!m || !as_sort_rows(top->prof->al, m, *n, top_cmp_member_cost, top))
		return NULL;
	/* How the others are called need not be known: it takes long of a large cycle. */
	end = want < *n ? want : *n;
	while (end && end < *n && !top_cmp_member_cost(top, m[end - 1], m[end]))
		end++;
	return as_sort_rows(top->prof->al, m, end, top_cmp_member, top) ? m : NULL;
}
