/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From events to calls. First each end finds its beginning; then calls, with those that have a
 * duration, are put into one another by their times. docs/formats/traceevent.md §2.
 */
#include "base/sort.h"
#include "formats/traceevent/traceevent.h"

enum { CALL_AHEAD = 64 }; /* events of one time that are looked through for a partner */

struct call {
	int64_t start, end;
	as_str name;
	uint32_t around; /* the row of the one that it began in; AS_TE_NONE */
	bool pair;       /* of a beginning and an end */
	bool early;      /* it took no time, and was over before what begins then */
};

struct call_open {
	uint32_t row;
	as_node node;
	int64_t end;
};

struct call_reader {
	struct as_te *te;
	uint32_t thread; /* of the tally */
	uint32_t time, calls;
	const uint32_t *order; /* events of the thread by time */
	size_t n;
	int64_t now;
	AS_VEC(struct call) call;
	AS_VEC(uint32_t) begun; /* rows, the innermost last */
	AS_VEC(struct call_open) open;
};

static int call_event_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct te_event *e = ctx;

	if (e[a].thread != e[b].thread)
		return e[a].thread < e[b].thread ? -1 : 1;
	return (e[a].time > e[b].time) - (e[a].time < e[b].time);
}

/* ---- each end finds its beginning ---- */

static struct te_event *call_event(const struct call_reader *c, size_t i)
{
	return &c->te->event.p[c->order[i]];
}

static bool call_is_named(const struct call_reader *c, uint32_t row, const struct te_event *e)
{
	as_assert(row < c->call.n);
	return !e->named || c->call.p[row].name.i == e->name.i;
}

static enum as_code call_add(struct call_reader *c, const struct te_event *e)
{
	bool pair = e->phase == 'B';
	struct call one = {.start = e->time,
		.end = e->time + e->duration,
		.name = e->name,
		.around = AS_TE_NONE,
		.pair = pair};
	uint32_t row = (uint32_t)c->call.n;

	if (pair && c->begun.n)
		one.around = c->begun.p[c->begun.n - 1];
	if (!as_vec_push(c->te->al, &c->call, one) ||
		(pair && !as_vec_push(c->te->al, &c->begun, row)))
		return as_err_no_memory(c->te->rd->err);
	return AS_OK;
}

/* The event of PHASE and NAME at the time of event I, behind it; NULL: there is none. */
static struct te_event *call_partner(const struct call_reader *c, size_t i, char phase, as_str name)
{
	int64_t time = call_event(c, i)->time;

	for (size_t k = i + 1; k < c->n && k <= i + CALL_AHEAD; k++) {
		struct te_event *e = call_event(c, k);

		if (e->time != time)
			break;
		if (!e->done && e->phase == phase && e->named && e->name.i == name.i)
			return e;
	}
	return NULL;
}

/* Where the innermost one stands that E can end, from 1; 0: nowhere. */
static size_t call_depth(const struct call_reader *c, const struct te_event *e)
{
	size_t depth = c->begun.n;

	while (depth && !call_is_named(c, c->begun.p[depth - 1], e))
		depth--;
	return depth;
}

static void call_close_top(struct call_reader *c, int64_t time)
{
	c->call.p[c->begun.p[--c->begun.n]].end = time;
}

/* Those above DEPTH that began at this very time began behind the end. */
static bool call_move_out(struct call_reader *c, size_t depth, int64_t time)
{
	struct call *ended = &c->call.p[c->begun.p[depth - 1]];

	if (ended->start == time || c->call.p[c->begun.p[depth]].start != time)
		return false;
	c->call.p[c->begun.p[depth]].around = ended->around;
	ended->end = time;
	c->begun.n--;
	memmove(&c->begun.p[depth - 1], &c->begun.p[depth],
		(c->begun.n - depth + 1) * sizeof(*c->begun.p));
	return true;
}

/* An end that is not that of the innermost one. */
static enum as_code call_end_other(struct call_reader *c, size_t i)
{
	struct te_event *e = call_event(c, i), *partner;
	size_t depth;

	while (c->begun.n && !call_is_named(c, c->begun.p[c->begun.n - 1], e)) {
		partner = call_partner(c, i, 'E', c->call.p[c->begun.p[c->begun.n - 1]].name);
		if (!partner)
			break;
		partner->done = true;
		call_close_top(c, e->time);
	}
	depth = call_depth(c, e);
	partner = depth ? NULL : call_partner(c, i, 'B', e->name);
	if (partner) {
		partner->done = true;
		AS_TRY(call_add(c, partner));
		depth = c->begun.n;
	}
	c->te->odd.end += !depth;
	if (!depth || (depth < c->begun.n && call_move_out(c, depth, e->time)))
		return AS_OK;
	c->te->odd.nesting += depth < c->begun.n;
	while (c->begun.n >= depth)
		call_close_top(c, e->time);
	return AS_OK;
}

static enum as_code call_match(struct call_reader *c)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < c->n; i++) {
		struct te_event *e = call_event(c, i);
		int64_t end = e->time + e->duration;

		last = end > last ? end : last;
		if (e->done)
			continue;
		if (e->phase != 'E')
			AS_TRY(call_add(c, e));
		else if (c->begun.n && call_is_named(c, c->begun.p[c->begun.n - 1], e))
			call_close_top(c, e->time);
		else
			AS_TRY(call_end_other(c, i));
	}
	c->te->odd.open += c->begun.n;
	while (c->begun.n)
		call_close_top(c, last);
	return AS_OK;
}

/* ---- calls in one another ---- */

/* The longest one first; of those that are as long, one that an end tells of, since others are
 * written when they are over. */
static int call_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct call *c = ctx;

	if (c[a].start != c[b].start)
		return c[a].start < c[b].start ? -1 : 1;
	if (c[a].early != c[b].early)
		return c[a].early ? -1 : 1;
	if (c[a].end != c[b].end)
		return c[a].end > c[b].end ? -1 : 1;
	return (int)c[b].pair - (int)c[a].pair;
}

/* Up to TIME it was the innermost one. */
static enum as_code call_pass(struct call_reader *c, int64_t time)
{
	struct as_tally_when when = {.time = c->now, .duration = (uint64_t)time - (uint64_t)c->now};
	as_val value = (as_val)time - c->now;

	c->now = time;
	if (!c->open.n || !value)
		return AS_OK;
	return as_tally_add(
		&c->te->tally, c->thread, c->time, c->open.p[c->open.n - 1].node, value, &when);
}

static enum as_code call_return(struct call_reader *c)
{
	struct call_open top = c->open.p[c->open.n - 1];
	int64_t start = c->call.p[top.row].start;
	struct as_tally_when when = {start, (uint64_t)top.end - (uint64_t)start};

	AS_TRY(call_pass(c, top.end));
	c->open.n--;
	return as_tally_add(&c->te->tally, c->thread, c->calls, top.node, 1, &when);
}

static enum as_code call_enter(struct call_reader *c, uint32_t row)
{
	const struct call *one = &c->call.p[row];
	struct call_open *top, next = {.row = row, .end = one->end};
	as_node parent = {0};

	as_assert(row < c->call.n);
	while (c->open.n && (top = &c->open.p[c->open.n - 1])->end <= one->start &&
		(top->end < one->start || top->row != one->around))
		AS_TRY(call_return(c));
	AS_TRY(call_pass(c, one->start));
	if (c->te->rd->lim.depth && c->open.n >= c->te->rd->lim.depth)
		return as_rd_fail(c->te->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"the stack is deeper than %" PRIu64 " frames", c->te->rd->lim.depth);
	if (c->open.n) {
		top = &c->open.p[c->open.n - 1];
		parent = top->node;
		c->te->odd.overlap += next.end > top->end;
		next.end = next.end > top->end ? top->end : next.end;
	}
	AS_TRY(as_te_node(c->te, parent, one->name, &next.node));
	return as_err_memory(c->te->rd->err, as_vec_push(c->te->al, &c->open, next));
}

/* What took no time stays in what it began in: that is over before others begin. */
static void call_find_early(struct call_reader *c)
{
	for (size_t i = 0; i < c->call.n; i++) {
		struct call *one = &c->call.p[i];
		const struct call *around =
			one->around == AS_TE_NONE ? NULL : &c->call.p[one->around];

		one->early = one->pair && one->start == one->end &&
			     (!around || around->early || around->start < one->start);
	}
}

static enum as_code call_nest(struct call_reader *c)
{
	uint32_t *order;

	call_find_early(c);
	order = as_sorted_rows(c->te->al, c->call.n, call_cmp, c->call.p);
	AS_TRY(as_err_memory(c->te->rd->err, order));
	c->now = c->call.n ? c->call.p[order[0]].start : 0;
	for (size_t i = 0; i < c->call.n; i++)
		AS_TRY(call_enter(c, order[i]));
	while (c->open.n)
		AS_TRY(call_return(c));
	return AS_OK;
}

/* ---- all threads ---- */

enum as_code as_te_calls(struct as_te *te)
{
	struct call_reader c = {.te = te};
	uint32_t *order;
	size_t first = 0;

	if (!te->event.n)
		return AS_OK;
	AS_TRY(as_tally_event(
		&te->tally, as_slice_of("time"), as_slice_of("nanoseconds"), &c.time));
	AS_TRY(as_tally_event(&te->tally, as_slice_of("calls"), as_slice_of("count"), &c.calls));
	order = as_sorted_rows(te->al, te->event.n, call_event_cmp, te->event.p);
	AS_TRY(as_err_memory(te->rd->err, order));
	while (first < te->event.n) {
		uint32_t thread = te->event.p[order[first]].thread;

		c.order = order + first;
		for (c.n = 0; first < te->event.n; c.n++, first++)
			if (te->event.p[order[first]].thread != thread)
				break;
		AS_TRY(as_te_in_tally(te, thread, &c.thread));
		c.call.n = 0;
		AS_TRY(call_match(&c));
		AS_TRY(call_nest(&c));
	}
	return AS_OK;
}
