/* SPDX-License-Identifier: Apache-2.0 */
#include "top_page.h"

#include "base/sort.h"

struct paging {
	struct as_top *page;
	const struct as_top *all;
	const struct as_top_page_opts *opts;
	struct as_top_found *found;
	const uint32_t *row; /* those that were found, in order */
	size_t n;
};

/* ---- order ---- */

static int cmp_calls(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_table *t = ((const struct as_top *)ctx)->table;

	if (t->has_calls[a] != t->has_calls[b])
		return t->has_calls[a] ? -1 : 1;
	if (!t->has_calls[a] || t->calls[a] == t->calls[b])
		return 0;
	return t->calls[a] < t->calls[b] ? 1 : -1;
}

/* What is not known comes last. */
static int cmp_text(struct as_slice a, struct as_slice b)
{
	if (!a.len != !b.len)
		return a.len ? -1 : 1;
	return as_slice_cmp(a, b);
}

static int cmp_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int top_page_cmp_name(const void *ctx, uint32_t a, uint32_t b)
{
	struct as_row_key x = as_top_key(ctx, a), y = as_top_key(ctx, b);
	int cmp = cmp_text(x.function, y.function);

	if (!cmp)
		cmp = cmp_text(x.file, y.file);
	if (!cmp)
		cmp = cmp_number(x.line, y.line);
	if (!cmp)
		cmp = cmp_text(x.object, y.object);
	return cmp ? cmp : cmp_number(x.addr, y.addr);
}

static bool top_page_sort(struct paging *p, uint32_t *row)
{
	const struct as_alloc *al = p->all->prof->al;

	if (p->opts->order == AS_TOP_BY_CALLS)
		return as_sort_rows(al, row, p->n, cmp_calls, p->all);
	return p->opts->order == AS_TOP_AS_IT_IS ||
	       as_sort_rows(al, row, p->n, top_page_cmp_name, p->all);
}

/* ---- what is found ---- */

/* The rows that match, to ROW. */
static bool top_page_match(struct paging *p, uint32_t *row)
{
	struct as_arena ar;
	struct as_slice name;
	bool fine = true;

	as_arena_init(&ar, p->all->prof->al);
	for (size_t i = 0; i < p->all->n_rows && fine; i++) {
		name = as_top_name(p->all, p->all->row[i], &ar);
		fine = name.p != NULL;
		if (!fine || !p->opts->match(p->opts->ctx, name))
			continue;
		row[p->n++] = p->all->row[i];
		for (uint32_t k = 0; k < p->opts->view->n_events; k++)
			p->found->self[k] +=
				as_top_self(p->all, p->all->row[i], p->opts->view->event[k]);
	}
	as_arena_release(&ar);
	return fine;
}

/* As the program counts them to warn of them (cli/excess.c). */
static size_t count_above(const struct paging *p)
{
	const struct as_table *t = p->all->table;
	size_t n = 0;

	for (uint32_t row = 0; (t->prof->shape & AS_SHAPE_CALLS) && row < t->n; row++)
		for (uint32_t k = 0; k < p->opts->view->n_events; k++)
			if (as_table_is_above(t, row, p->opts->view->event[k])) {
				n++;
				break;
			}
	return n;
}

/* Rows, and what they cost. Those of a large table are not copied without need. */
static bool top_page_find(struct paging *p)
{
	const struct as_top *all = p->all;
	uint32_t *row = NULL;

	if ((p->opts->match || p->opts->order != AS_TOP_AS_IT_IS) &&
		!as_arena_array(&p->page->arena, &row, all->n_rows))
		return false;
	p->row = row ? row : all->row;
	if (p->opts->match)
		return top_page_match(p, row) && top_page_sort(p, row);
	p->n = all->n_rows;
	for (uint32_t k = 0; k < p->opts->view->n_events; k++)
		p->found->self[k] = all->table->total[p->opts->view->event[k]] -
				    all->rest_all[p->opts->view->event[k]];
	if (!row)
		return true;
	memcpy(row, all->row, p->n * sizeof(*row));
	return top_page_sort(p, row);
}

/* ---- the page ---- */

static bool top_page_choose(struct paging *p)
{
	struct as_top *page = p->page;
	size_t from = p->opts->from < p->n ? (size_t)p->opts->from : p->n, n = p->n - from;

	page->n_rows = p->opts->limit && p->opts->limit < n ? (size_t)p->opts->limit : n;
	page->n_rest = p->all->n_rows + p->all->n_rest - page->n_rows;
	if (!as_arena_array(&page->arena, &page->row, page->n_rows))
		return false;
	memcpy(page->rest_all, page->table->total, page->table->n_events * sizeof(*page->rest_all));
	for (size_t i = 0; i < page->n_rows; i++) {
		page->row[i] = p->row[p->opts->reverse ? p->n - 1 - from - i : from + i];
		for (uint32_t k = 0; k < page->table->n_events; k++)
			page->rest_all[k] -= as_top_self(page, page->row[i], k);
	}
	return true;
}

static bool top_page_make(struct paging *p)
{
	struct as_top *page = p->page;

	if (!as_arena_array(&page->arena, &p->found, 1) ||
		!as_arena_array(&page->arena, &page->rest_all, page->table->n_events) ||
		!as_arena_array(&page->arena, &p->found->self, page->view.n_events) ||
		!top_page_find(p))
		return false;
	p->found->n = p->n;
	p->found->all = p->all->n_rows;
	p->found->above = count_above(p);
	page->found = p->found;
	return top_page_choose(p);
}

enum as_code as_top_page_make(struct as_top *page, const struct as_top *all,
	const struct as_top_page_opts *opts, struct as_err *err)
{
	struct paging p = {.page = page, .all = all, .opts = opts};

	as_assert(page != all && !all->is_page && all->table);
	*page = *all;
	as_arena_init(&page->arena, all->prof->al);
	page->is_page = true;
	page->no_cycles = opts->no_cycles;
	page->view = *opts->view;
	return top_page_make(&p) ? AS_OK : as_err_no_memory(err);
}
