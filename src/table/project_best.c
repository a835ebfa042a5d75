/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best rows only, without a table of the others. A profile of places alone, one run of
 * ascending addresses for each object, has a row for every address already: tens of millions of
 * them are looked at, and a handful kept.
 */
#include "table/project_impl.h"

/* One of the best. They form a heap with the worst on top. */
struct best {
	as_val cost;
	uint64_t addr;
	uint32_t rank; /* of the run, in the order of objects */
};

struct search {
	const struct as_profile *prof;
	struct best *heap;
	size_t n, want;
	uint64_t n_rows;
	uint32_t rank;
	uint64_t next; /* addresses must not be below */
	bool ascending;
};

/* A comes after B in the table: it costs less, or as much and stands behind. */
static bool is_worse(const struct best *a, const struct best *b)
{
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->rank != b->rank)
		return a->rank > b->rank;
	return a->addr > b->addr;
}

static void sift_down(struct best *heap, size_t n, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		struct best t = heap[at];

		if (child + 1 < n && is_worse(&heap[child + 1], &heap[child]))
			child++;
		if (is_worse(&t, &heap[child]))
			return;
		heap[at] = heap[child];
		heap[child] = t;
	}
}

static void proj_best_offer(struct search *s, as_val cost, uint64_t addr)
{
	struct best b = {cost, addr, s->rank};

	if (s->n < s->want) {
		s->heap[s->n++] = b;
		if (s->n == s->want)
			for (size_t i = s->n / 2; i-- > 0;)
				sift_down(s->heap, s->n, i);
	} else if (is_worse(&s->heap[0], &b)) {
		s->heap[0] = b;
		sift_down(s->heap, s->n, 0);
	}
}

static void proj_best_advance(struct search *s, uint64_t first, uint64_t last)
{
	s->ascending &= first >= s->next && last >= first && last != UINT64_MAX;
	s->next = last + 1;
}

static void look_at_view(struct search *s, const struct as_rows_view *view)
{
	proj_best_advance(s, view->addr, view->addr + (uint64_t)(view->n - 1) * view->stride);
	s->ascending &= view->stride > 0 || view->n == 1;
	s->n_rows += view->rows;
	if (s->n == s->want && view->most <= s->heap[0].cost)
		return;
	for (uint32_t i = 0; i < view->n; i++) {
		uint32_t v = as_view_value(view, i);

		if (v)
			proj_best_offer(s, v, view->addr + (uint64_t)i * view->stride);
	}
}

static void look_at_run(struct search *s, const struct as_run *run)
{
	struct as_rows_cur cur;
	struct as_rows_view view;
	as_val v;

	as_rows_begin(&cur, &s->prof->self, run, &v);
	while (s->ascending && as_rows_next_view(&cur, &view)) {
		if (view.n) {
			look_at_view(s, &view);
			continue;
		}
		proj_best_advance(s, cur.addr, cur.addr);
		s->n_rows++;
		proj_best_offer(s, v, cur.addr);
	}
}

/* Each run the nameless code of an object of its own: then no two rows share an address. */
static bool proj_best_is_plain(const struct as_profile *prof, const struct as_project_opts *opts)
{
	bool by_address = opts->by == AS_BY_FUNC || opts->by == AS_BY_ADDR;

	if (!by_address || !opts->best || opts->want_edges || prof->call.n || prof->sample.node.n ||
		prof->sums.func.n || prof->event.n != 1 || prof->self.run.n > 64)
		return false;
	for (size_t r = 0; r < prof->self.run.n; r++) {
		as_func f = prof->self.run.p[r].func;

		if (prof->func.name.p[f.i].i || prof->func.addr.p[f.i] ||
			!prof->func.object.p[f.i].i)
			return false;
		for (size_t q = 0; q < r; q++)
			if (prof->func.object.p[prof->self.run.p[q].func.i].i ==
				prof->func.object.p[f.i].i)
				return false;
	}
	return prof->self.n > opts->best;
}

/* The place of run R in the order of objects. */
static uint32_t proj_best_rank_of(const struct as_profile *prof, size_t r)
{
	const struct as_run *run = prof->self.run.p;
	as_object o = prof->func.object.p[run[r].func.i];
	uint32_t rank = 0;

	for (size_t q = 0; q < prof->self.run.n; q++) {
		as_object p = prof->func.object.p[run[q].func.i];
		int cmp = as_slice_cmp(as_object_path(prof, p), as_object_path(prof, o));

		if (!cmp)
			cmp = as_slice_cmp(as_str_get(prof, prof->object.p[p.i].id),
				as_str_get(prof, prof->object.p[o.i].id));
		rank += cmp < 0;
	}
	return rank;
}

static const struct as_run *run_of(const struct as_profile *prof, uint32_t rank)
{
	size_t r = 0;

	while (proj_best_rank_of(prof, r) != rank) {
		r++;
		as_assert(r < prof->self.run.n);
	}
	return &prof->self.run.p[r];
}

static enum as_code proj_best_fill_row(struct as_proj *p, const struct best *b)
{
	const struct as_run *run = run_of(p->prof, b->rank);
	struct as_key key = {.func = run->func,
		.file = run->file,
		.object = p->prof->func.object.p[run->func.i],
		.addr = b->addr};
	uint32_t row;

	AS_TRY(as_proj_row(p, &key, &row));
	*as_proj_at(p, AS_COL_SELF, row) = b->cost;
	return AS_OK;
}

enum as_code as_proj_best(struct as_proj *p, uint64_t *n_rest)
{
	const struct as_profile *prof = p->prof;
	struct search s = {.prof = prof, .want = p->opts->best, .ascending = true};
	enum as_code rc = AS_OK;

	if (!proj_best_is_plain(prof, p->opts))
		return AS_END;
	s.heap = as_alloc_new(p->al, s.want * sizeof(*s.heap));
	if (!s.heap)
		return AS_E_NOMEM;
	for (size_t r = 0; r < prof->self.run.n && s.ascending; r++) {
		s.rank = proj_best_rank_of(prof, r);
		s.next = 0;
		look_at_run(&s, &prof->self.run.p[r]);
	}
	if (!s.ascending)
		rc = AS_END;
	for (size_t i = 0; i < s.n && rc == AS_OK; i++)
		rc = proj_best_fill_row(p, &s.heap[i]);
	as_assert(s.n <= s.n_rows);
	*n_rest = s.n_rows - s.n;
	as_alloc_free(p->al, s.heap, s.want * sizeof(*s.heap));
	return rc;
}
