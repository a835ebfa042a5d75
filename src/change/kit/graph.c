/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs as a graph, and its cycles by Tarjan's algorithm; without recursion, in linear time. */
#include "change/kit/graph.h"

void as_graph_release(struct as_graph *g, const struct as_alloc *al)
{
	as_alloc_free(al, g->start, ((size_t)g->n + 1) * sizeof(*g->start));
	as_alloc_free(al, g->to, g->cap * sizeof(*g->to));
	*g = (struct as_graph){0};
}

/* Stable counting sort of PAIR into OUT by the 32 bits from SHIFT on; NEXT has N + 1 entries. */
static void sort_pairs(
	const uint64_t *pair, size_t n_pairs, unsigned shift, uint64_t *out, struct as_graph *g)
{
	uint32_t *next = g->start;

	memset(next, 0, ((size_t)g->n + 1) * sizeof(*next));
	for (size_t i = 0; i < n_pairs; i++)
		next[(uint32_t)(pair[i] >> shift) + 1]++;
	for (uint32_t k = 0; k < g->n; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < n_pairs; i++)
		out[next[(uint32_t)(pair[i] >> shift)]++] = pair[i];
}

static void fill_rows(struct as_graph *g, const uint64_t *pair, size_t n_pairs)
{
	uint32_t row = 0;

	g->start[0] = 0;
	for (size_t i = 0; i < n_pairs; i++) {
		uint32_t from = (uint32_t)(pair[i] >> 32);

		if (i && pair[i] == pair[i - 1])
			continue;
		while (row < from)
			g->start[++row] = (uint32_t)g->m;
		g->to[g->m++] = (uint32_t)pair[i];
	}
	as_assert(row < g->n || !g->n);
	while (row < g->n)
		g->start[++row] = (uint32_t)g->m;
	as_assert(g->m <= g->cap);
}

static uint32_t group_begin(const struct as_pairs *pairs, size_t i)
{
	return i ? pairs->group.p[i - 1].end : 0;
}

void as_pairs_release(struct as_pairs *pairs, const struct as_alloc *al)
{
	as_vec_free(al, &pairs->group);
	as_vec_free(al, &pairs->to);
}

static bool graph_is_ascending(const struct as_pairs *pairs)
{
	for (size_t i = 1; i < pairs->group.n; i++)
		if (pairs->group.p[i - 1].from >= pairs->group.p[i].from)
			return false;
	return true;
}

/* Where the pairs of each row begin; they stand in the order of the rows already. */
static void fill_starts(struct as_graph *g, const struct as_pairs *pairs)
{
	uint32_t row = 0;

	for (size_t i = 0; i < pairs->group.n; i++)
		while (row < pairs->group.p[i].from)
			g->start[++row] = group_begin(pairs, i);
	as_assert(row < g->n || !g->n);
	while (row < g->n)
		g->start[++row] = (uint32_t)pairs->to.n;
}

static void graph_scatter(struct as_graph *g, const struct as_pairs *pairs)
{
	for (size_t i = 0; i < pairs->group.n; i++)
		as_assert(pairs->group.p[i].from < g->n);
	for (size_t i = 0; i < pairs->group.n; i++)
		g->start[pairs->group.p[i].from + 1] +=
			pairs->group.p[i].end - group_begin(pairs, i);
	for (uint32_t k = 0; k < g->n; k++)
		g->start[k + 1] += g->start[k];
	as_assert(g->start[g->n] == pairs->to.n);
	/* Filled from behind, so that each start ends where its row begins. */
	for (size_t i = pairs->group.n; i-- > 0;) {
		uint32_t *next = &g->start[pairs->group.p[i].from + 1];

		for (uint32_t k = pairs->group.p[i].end; k-- > group_begin(pairs, i);)
			g->to[--*next] = pairs->to.p[k];
	}
	for (uint32_t k = 0; k < g->n; k++)
		g->start[k] = g->start[k + 1];
	g->start[g->n] = (uint32_t)pairs->to.n;
}

enum as_code as_graph_build_loose(struct as_graph *g, const struct as_alloc *al,
	struct as_pairs *pairs, uint32_t n, bool take)
{
	*g = (struct as_graph){.n = n, .m = pairs->to.n};
	g->start = as_alloc_new(al, ((size_t)n + 1) * sizeof(*g->start));
	AS_TRY(as_memory(g->start));
	if (take && pairs->to.n && graph_is_ascending(pairs)) {
		fill_starts(g, pairs);
		g->to = pairs->to.p;
		g->cap = pairs->to.cap;
		pairs->to.p = NULL;
		pairs->to.n = pairs->to.cap = 0;
		as_pairs_release(pairs, al);
		return AS_OK;
	}
	g->cap = g->m + 1;
	g->to = as_alloc_new(al, g->cap * sizeof(*g->to));
	if (!g->to) {
		as_graph_release(g, al);
		return AS_E_NOMEM;
	}
	graph_scatter(g, pairs);
	if (take)
		as_pairs_release(pairs, al);
	return AS_OK;
}

static void graph_expand(const struct as_pairs *pairs, uint64_t *out)
{
	for (size_t i = 0; i < pairs->group.n; i++)
		for (size_t k = group_begin(pairs, i); k < pairs->group.p[i].end; k++)
			out[k] = (uint64_t)pairs->group.p[i].from << 32 | pairs->to.p[k];
}

enum as_code as_graph_build(
	struct as_graph *g, const struct as_alloc *al, const struct as_pairs *pairs, uint32_t n)
{
	size_t n_pairs = pairs->to.n, size = n_pairs * sizeof(uint64_t) + 1;
	uint64_t *a = as_alloc_new(al, size), *b = as_alloc_new(al, size);

	*g = (struct as_graph){.n = n, .cap = n_pairs + 1};
	g->start = as_alloc_new(al, ((size_t)n + 1) * sizeof(*g->start));
	g->to = as_alloc_new(al, g->cap * sizeof(*g->to));
	if (a && b && g->start && g->to) {
		graph_expand(pairs, b);
		sort_pairs(b, n_pairs, 0, a, g);
		sort_pairs(a, n_pairs, 32, b, g);
		fill_rows(g, b, n_pairs);
	}
	as_alloc_free(al, a, size);
	as_alloc_free(al, b, size);
	if (a && b && g->start && g->to)
		return AS_OK;
	as_graph_release(g, al);
	return AS_E_NOMEM;
}

size_t as_graph_find(const struct as_graph *g, uint32_t from, uint32_t to)
{
	size_t lo = g->start[from], hi = g->start[from + 1];

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (g->to[mid] <= to)
			lo = mid;
		else
			hi = mid;
	}
	as_assert(lo < hi && g->to[lo] == to);
	return lo;
}

/* The search: a path of rows that are being looked at, and the rows whose component is not
 * known yet. Both are stacks of at most n rows. */
struct search {
	const struct as_graph *g;
	uint32_t *seen; /* when a row was met, from 1; 0 = not yet; DONE = its component is known */
	uint32_t *low;  /* the earliest row that can be reached from it; then its component */
	uint32_t *edge; /* its next edge */
	uint32_t *path, *open;
	uint32_t n_path, n_open, clock, n_comp;
};

#define DONE UINT32_MAX

enum { AHEAD = 8 }; /* edges whose rows are fetched early */

static void graph_meet(struct search *s, uint32_t row)
{
	s->seen[row] = s->low[row] = ++s->clock;
	s->edge[row] = s->g->start[row];
	s->path[s->n_path++] = row;
	s->open[s->n_open++] = row;
}

/* ROW is the first of its component: all rows above it on the open stack belong to it. */
static void close_component(struct search *s, uint32_t row)
{
	uint32_t number = s->open[s->n_open - 1] == row ? 0 : ++s->n_comp, last;

	do {
		last = s->open[--s->n_open];
		s->seen[last] = DONE;
		s->low[last] = number;
	} while (last != row);
}

static void graph_leave(struct search *s, uint32_t row)
{
	uint32_t low = s->low[row];

	if (low == s->seen[row])
		close_component(s, row);
	s->n_path--;
	if (s->n_path && low < s->low[s->path[s->n_path - 1]])
		s->low[s->path[s->n_path - 1]] = low;
}

static void search_from(struct search *s, uint32_t root)
{
	graph_meet(s, root);
	while (s->n_path) {
		uint32_t row = s->path[s->n_path - 1], to;
		uint32_t at;

		if (s->edge[row] == s->g->start[row + 1]) {
			graph_leave(s, row);
			continue;
		}
		at = s->edge[row]++;
		to = s->g->to[at];
		if (at + AHEAD < s->g->m)
			AS_PREFETCH(&s->seen[s->g->to[at + AHEAD]]);
		if (!s->seen[to])
			graph_meet(s, to);
		else if (s->seen[to] != DONE && s->seen[to] < s->low[row])
			s->low[row] = s->seen[to];
	}
}

/* Components in the order of their first rows; NUMBER is scratch of n_comp + 1 entries. */
static void graph_renumber(struct search *s, uint32_t *number)
{
	uint32_t next = 0;

	memset(number, 0, ((size_t)s->n_comp + 1) * sizeof(*number));
	for (uint32_t i = 0; i < s->g->n; i++) {
		uint32_t *c = &s->low[i];

		if (*c && !number[*c])
			number[*c] = ++next;
		*c = *c ? number[*c] : 0;
	}
}

enum as_code as_graph_cycles(
	const struct as_graph *g, const struct as_alloc *al, uint32_t *comp, uint32_t *n_cycles)
{
	size_t n = g->n, size = n * 4 * sizeof(uint32_t) + 1;
	struct search s = {.g = g};

	s.edge = as_alloc_new(al, size);
	AS_TRY(as_memory(s.edge));
	s.seen = s.edge + n;
	s.low = comp;
	s.path = s.seen + n;
	s.open = s.path + n;
	for (uint32_t row = 0; row < g->n; row++)
		if (!s.seen[row])
			search_from(&s, row);
	if (s.n_comp) /* then there are at least two rows for each, so the scratch fits */
		graph_renumber(&s, s.path);
	as_assert(!s.n_path && !s.n_open && s.n_comp <= g->n / 2);
	*n_cycles = s.n_comp;
	as_alloc_free(al, s.edge, size);
	return AS_OK;
}
