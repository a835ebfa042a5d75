/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls, and time in code of which no call is known, as beginnings and ends in one another.
 * docs/formats/traceevent.md, "What we write".
 */
#include "formats/traceevent/traceevent_write.h"

/* ---- what the moments say ---- */

static enum as_code slices_add(struct te_write *w, const struct as_moment *m, bool is_call)
{
	struct te_slice s = {.start = m->time,
		.node = m->node,
		.thread = w->of_part[m->part],
		.is_call = is_call};

	if (__builtin_add_overflow(m->time, m->duration, &s.end))
		return as_err_set(w->wr->err, AS_E_LIMIT, "a time is beyond 64 bits");
	return as_err_memory(w->wr->err, as_vec_push(w->al, &w->slice, s));
}

static enum as_code slices_moment(struct te_write *w, const struct as_moment *m)
{
	if (m->event == w->calls && m->value) {
		w->n_repeated += m->value > 1 ? (uint64_t)m->value - 1 : 0;
		return slices_add(w, m, true);
	}
	if (m->event != w->time || !m->value)
		return AS_OK;
	if (m->value < 0 || (as_val)m->value * w->nanos != (as_val)m->duration)
		w->no_duration += m->value;
	else if (!m->node.i)
		w->no_stack += m->value;
	else
		return slices_add(w, m, false);
	return AS_OK;
}

/* Of one time: calls, then those that took no time, then stretches, in which no call begins. */
static int slices_class(const struct te_slice *s)
{
	return !s->is_call ? 2 : s->start == s->end ? 1 : 0;
}

/* What contains others comes first. */
static int slices_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct te_write *w = ctx;
	const struct te_slice *x = &w->slice.p[a], *y = &w->slice.p[b];

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (slices_class(x) != slices_class(y))
		return slices_class(x) - slices_class(y);
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return as_cmp_u64(x->node.i, y->node.i);
}

/* ---- beginnings and ends ---- */

static enum as_code slices_event(
	struct te_write *w, const char *phase, uint32_t thread, as_node node, int64_t time)
{
	as_te_write_row(w, phase, thread);
	as_te_write_time(w, ",\"ts\":", time);
	AS_TRY(as_te_write_func(w, ",\"name\":", node));
	as_out_char(w->wr->out, '}');
	return AS_OK;
}

static enum as_code slices_end(struct te_write *w, uint32_t thread, int64_t time)
{
	struct te_slice_open top = w->open.p[--w->open.n];

	return slices_event(w, "E", thread, top.node, time < top.end ? time : top.end);
}

static enum as_code slices_begin(
	struct te_write *w, const struct te_slice *s, as_node node, bool made)
{
	struct te_slice_open one = {node, s->end, made};

	w->n_made += made;
	if (!w->open.n)
		w->span += s->end - (as_val)s->start;
	AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->open, one)));
	return slices_event(w, "B", s->thread, node, s->start);
}

/* Whether NODE is ABOVE, or below it. */
static bool slices_is_within(const struct te_write *w, as_node node, as_node above)
{
	while (w->depth[node.i] > w->depth[above.i])
		node = w->prof->node.parent.p[node.i];
	return node.i == above.i;
}

/* Whether S is in what TOP is, or goes on with it. */
static bool slices_stays(
	const struct te_write *w, const struct te_slice *s, const struct te_slice_open *top)
{
	bool same = top->node.i == s->node.i;

	if (!slices_is_within(w, s->node, top->node) || (same && s->is_call))
		return false;
	return top->end > s->start ||
	       (top->end == s->start && (top->made || (!same && s->end == s->start)));
}

/* What is around S lasts as long as it, where that is not said otherwise. */
static void slices_fit(struct te_write *w, struct te_slice *s)
{
	for (size_t i = 0; i < w->open.n; i++) {
		struct te_slice_open *o = &w->open.p[i];

		if (s->end <= o->end)
			continue;
		if (o->made && !i)
			w->span += s->end - (as_val)o->end;
		w->n_cut += !o->made;
		if (o->made)
			o->end = s->end;
		else
			s->end = o->end;
	}
}

static enum as_code slices_put(struct te_write *w, struct te_slice s)
{
	as_node node = s.node, around = {0};

	while (w->open.n && !slices_stays(w, &s, &w->open.p[w->open.n - 1])) {
		w->n_cut += w->open.p[w->open.n - 1].end > s.start;
		AS_TRY(slices_end(w, s.thread, s.start));
	}
	slices_fit(w, &s);
	if (w->open.n)
		around = w->open.p[w->open.n - 1].node;
	if (around.i == node.i)
		return AS_OK;
	w->path.n = 0;
	while ((node = w->prof->node.parent.p[node.i]).i != around.i)
		AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->path, node)));
	while (w->path.n)
		AS_TRY(slices_begin(w, &s, w->path.p[--w->path.n], true));
	return slices_begin(w, &s, s.node, !s.is_call);
}

static enum as_code slices_end_all(struct te_write *w, uint32_t thread)
{
	while (w->open.n)
		AS_TRY(slices_end(w, thread, INT64_MAX));
	return AS_OK;
}

/* ---- what begins at one time ---- */

static bool slices_is_at_once(const struct te_slice *s)
{
	return s->is_call && s->start == s->end;
}

/* How many of what is open NODE is in. Each of these is a callee of the one before it. */
static uint32_t slices_open_depth(const struct te_write *w, as_node node)
{
	do
		node = w->prof->node.parent.p[node.i];
	while (w->depth[node.i] > w->open.n ||
		(node.i && w->open.p[w->depth[node.i] - 1].node.i != node.i));
	return w->depth[node.i];
}

static int slices_cmp_at_once(const void *ctx, uint32_t a, uint32_t b)
{
	const struct te_write *w = ctx;
	as_node x = w->slice.p[a].node, y = w->slice.p[b].node;
	int c = as_cmp_u64(slices_open_depth(w, y), slices_open_depth(w, x));

	return c ? c : as_cmp_u64(x.i, y.i);
}

/* Of N slices of one time: calls that took no time are in what ends then, the innermost first,
 * before others begin; or else in those. */
static enum as_code slices_put_at_once(struct te_write *w, uint32_t *row, size_t n)
{
	int64_t now = w->slice.p[row[0]].start;
	uint32_t thread = w->slice.p[row[0]].thread;

	while (w->open.n && w->open.p[w->open.n - 1].end < now)
		AS_TRY(slices_end(w, thread, now));
	AS_TRY(as_err_memory(w->wr->err, as_sort_rows(w->al, row, n, slices_cmp_at_once, w)));
	for (size_t i = 0; i < n; i++) {
		struct te_slice *s = &w->slice.p[row[i]];

		if (slices_open_depth(w, s->node) + 1 < w->depth[s->node.i])
			continue;
		AS_TRY(slices_put(w, *s));
		s->done = true;
	}
	return AS_OK;
}

static enum as_code slices_put_group(struct te_write *w, uint32_t *row, size_t n)
{
	size_t from = 0, to;

	while (from < n && slices_class(&w->slice.p[row[from]]) == 0)
		from++;
	to = from;
	while (to < n && slices_is_at_once(&w->slice.p[row[to]]))
		to++;
	if (to > from)
		AS_TRY(slices_put_at_once(w, row + from, to - from));
	for (size_t i = 0; i < n; i++)
		if (!w->slice.p[row[i]].done)
			AS_TRY(slices_put(w, w->slice.p[row[i]]));
	return AS_OK;
}

enum as_code as_te_write_slices(struct te_write *w)
{
	struct as_moments_cur cur;
	uint32_t *order;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur))
		AS_TRY(slices_moment(w, &cur.at));
	order = as_sorted_rows(w->al, w->slice.n, slices_cmp, w);
	AS_TRY(as_err_memory(w->wr->err, order));
	for (size_t i = 0, n; i < w->slice.n; i += n) {
		const struct te_slice *s = &w->slice.p[order[i]], *next = s;

		for (n = 1; i + n < w->slice.n; n++) {
			next = &w->slice.p[order[i + n]];
			if (next->thread != s->thread || next->start != s->start)
				break;
		}
		AS_TRY(slices_put_group(w, order + i, n));
		if (i + n == w->slice.n || next->thread != s->thread)
			AS_TRY(slices_end_all(w, s->thread));
	}
	return AS_OK;
}
