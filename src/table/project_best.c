/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best rows only, without a table of the others. A profile of places alone, one run of
 * ascending addresses for each object, has a row for every address already: tens of millions of
 * them are looked at, and a handful kept.
 */
#include "table/project_impl.h"

enum { RUNS_MAX = 64 };

/* One of the best. They form a heap with the worst on top. */
struct best {
	as_val cost;
	uint64_t addr;
	uint32_t rank; /* of the run, in the order of objects */
};

/* Of a run: its rows, and the first of them. */
struct seen {
	const struct as_run *run;
	struct best first;
	uint64_t rows;
	bool kept; /* some of its rows are among the best */
};

struct search {
	const struct as_profile *prof;
	struct best *heap;
	size_t n, want;
	uint32_t rank;
	uint64_t next; /* addresses must not be below */
	bool ascending;
	bool above_zero;
	struct seen seen[RUNS_MAX]; /* by rank */
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

	if (!s->seen[s->rank].first.cost)
		s->seen[s->rank].first = b;
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
	s->seen[s->rank].rows += view->rows;
	if (s->n == s->want && view->most <= s->heap[0].cost && s->seen[s->rank].first.cost)
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
		s->seen[s->rank].rows++;
		s->above_zero &= v > 0;
		proj_best_offer(s, v, cur.addr);
	}
}

/* Each run the nameless code of an object of its own: then no two rows share an address. */
static bool proj_best_is_plain(const struct as_profile *prof, const struct as_project_opts *opts)
{
	bool by_address = opts->by == AS_BY_FUNC || opts->by == AS_BY_ADDR;

	if (!by_address || !opts->best || opts->want_edges || prof->call.n || prof->sample.node.n ||
		prof->sums.func.n || prof->event.n != 1 || prof->self.run.n > RUNS_MAX)
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

static enum as_code proj_best_fill_row(
	struct as_proj *p, const struct as_run *run, const struct best *b)
{
	struct as_key key = {.func = run->func,
		.file = run->file,
		.object = p->prof->func.object.p[run->func.i],
		.addr = b->addr};
	uint32_t row;

	AS_TRY(as_proj_row(p, &key, &row));
	*as_proj_at(p, AS_COL_SELF, row) = b->cost;
	return AS_OK;
}

/* Look at all rows; false if they are not as they have to be. */
static bool look_at_all(struct search *s, bool want_rest)
{
	const struct as_profile *prof = s->prof;

	for (size_t r = 0; r < prof->self.run.n && s->ascending; r++) {
		s->rank = proj_best_rank_of(prof, r);
		s->next = 0;
		s->seen[s->rank].run = &prof->self.run.p[r];
		look_at_run(s, &prof->self.run.p[r]);
	}
	return s->ascending && (s->above_zero || !want_rest);
}

/* The first row of each object that has none among the best. */
static void keep_each(struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->seen[s->heap[i].rank].kept = true;
	for (uint32_t k = 0; k < s->prof->self.run.n; k++)
		if (s->seen[k].rows && !s->seen[k].kept)
			s->heap[s->n++] = s->seen[k].first;
}

static enum as_code proj_best_fill_rest(const struct search *s, struct as_table *t)
{
	const struct as_profile *prof = s->prof;

	AS_TRY(as_memory(as_arena_array(&t->arena, &t->rest, prof->self.run.n)));
	t->n_rests = prof->self.run.n;
	for (uint32_t k = 0; k < t->n_rests; k++) {
		const struct as_run *run = s->seen[k].run;

		t->rest[k] = (struct as_table_rest){prof->func.object.p[run->func.i],
			as_rows_first(&prof->self, run), s->seen[k].rows};
	}
	for (size_t i = 0; i < s->n; i++) {
		t->rest[s->heap[i].rank].cost -= s->heap[i].cost;
		t->rest[s->heap[i].rank].n--;
	}
	return AS_OK;
}

enum as_code as_proj_best(struct as_proj *p, struct as_table *t)
{
	const struct as_profile *prof = p->prof;
	struct search s = {
		.prof = prof, .want = p->opts->best, .ascending = true, .above_zero = true};
	size_t size = (s.want + RUNS_MAX) * sizeof(*s.heap);
	bool want_rest = p->opts->want_rest;
	enum as_code rc = AS_OK;

	if (!proj_best_is_plain(prof, p->opts))
		return AS_END;
	s.heap = as_alloc_new(p->al, size);
	AS_TRY(as_memory(s.heap));
	if (!look_at_all(&s, want_rest))
		rc = AS_END;
	else if (want_rest)
		keep_each(&s);
	for (size_t i = 0; i < s.n && rc == AS_OK; i++)
		rc = proj_best_fill_row(p, s.seen[s.heap[i].rank].run, &s.heap[i]);
	t->n_rest = 0;
	for (uint32_t k = 0; k < prof->self.run.n; k++)
		t->n_rest += s.seen[k].rows;
	as_assert(s.n <= t->n_rest || rc == AS_END);
	t->n_rest -= rc == AS_END ? t->n_rest : s.n;
	if (rc == AS_OK && want_rest)
		rc = proj_best_fill_rest(&s, t);
	as_alloc_free(p->al, s.heap, size);
	return rc;
}
