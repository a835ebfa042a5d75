/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of a thread: entries and exits become a walk through the tree of paths. Time that
 * passes is self time of the function that is on top; what is below it is known by the depth that
 * each record has, so a missing exit does no harm but to the functions that were called there.
 */
#include "formats/uftrace/uftrace.h"

enum { RECORD = 16, MARK = 5, DEPTH_MAX = 1024 };
enum { RECORD_ENTRY, RECORD_EXIT, RECORD_LOST, RECORD_EVENT };

struct uftrace_record {
	uint64_t time, addr;
	unsigned type, mark, depth;
	bool more;
};

struct uftrace_frame {
	as_node node;
	uint64_t start, addr;
	unsigned depth;
	bool slept; /* no function: the thread was not running */
};

struct uftrace_sums {
	uint64_t time, calls;
};

struct uftrace_thread {
	struct uftrace *u;
	struct as_build *out;
	uint64_t tid, pid, last;
	uint64_t until; /* MAPS hold up to this time */
	uint32_t part, maps;
	bool begun, ended;
	bool gap;          /* records are missing behind LAST */
	size_t sw, sw_end; /* those of the thread to come */
	AS_VEC(struct uftrace_frame) frame;
	AS_VEC(struct uftrace_sums) sum; /* of each node */
	AS_VEC(uint32_t) touched;        /* nodes that have some */
};

static struct uftrace_frame *uftrace_thread_top(struct uftrace_thread *t)
{
	return t->frame.n ? &t->frame.p[t->frame.n - 1] : NULL;
}

/* ---- costs ---- */

/* The sums of NODE; NULL: out of memory. */
static struct uftrace_sums *uftrace_thread_sums(struct uftrace_thread *t, as_node node)
{
	size_t have = t->sum.n, n = t->out->prof->node.parent.n;
	struct uftrace_sums *s;

	if (!as_vec_reserve(t->u->al, &t->sum, n))
		return NULL;
	if (have < n) {
		memset(t->sum.p + have, 0, (n - have) * sizeof(*t->sum.p));
		t->sum.n = n;
	}
	s = &t->sum.p[node.i];
	if (!s->time && !s->calls && !as_vec_push(t->u->al, &t->touched, node.i))
		return NULL;
	return s;
}

static enum as_code uftrace_thread_moment(struct uftrace_thread *t, as_node node, uint32_t event,
	uint64_t time, uint64_t value, uint64_t duration)
{
	struct as_moment m = {.time = (int64_t)time,
		.duration = duration,
		.value = (int64_t)value,
		.part = t->part,
		.event = event,
		.node = node};

	return as_build_moment(t->out, &m);
}

/* From T->last to TIME it was NODE. */
static enum as_code uftrace_thread_spend(struct uftrace_thread *t, as_node node, uint64_t time)
{
	struct uftrace_sums *s = uftrace_thread_sums(t, node);
	uint64_t start = t->last;

	AS_TRY(as_err_memory(t->u->rd->err, s));
	s->time += time - start;
	t->last = time;
	return uftrace_thread_moment(t, node, UFTRACE_TIME, start, time - start, time - start);
}

/* Up to TIME it was the function on top. */
static enum as_code uftrace_thread_pass(struct uftrace_thread *t, uint64_t time)
{
	struct uftrace_frame *top = uftrace_thread_top(t);

	if (top && time != t->last)
		return uftrace_thread_spend(t, top->node, time);
	t->last = time;
	return AS_OK;
}

/* ---- the stack ---- */

static enum as_code uftrace_thread_push(
	struct uftrace_thread *t, as_place place, uint64_t addr, unsigned depth, bool slept)
{
	struct uftrace_frame *top = uftrace_thread_top(t);
	struct uftrace_frame f = {.start = t->last, .addr = addr, .depth = depth, .slept = slept};
	struct uftrace_sums *s;

	AS_TRY(as_build_push(t->out, top ? top->node : (as_node){0}, place, &f.node));
	s = uftrace_thread_sums(t, f.node);
	AS_TRY(as_err_memory(t->u->rd->err, s && as_vec_push(t->u->al, &t->frame, f)));
	s->calls++;
	return AS_OK;
}

static enum as_code uftrace_thread_pop(struct uftrace_thread *t)
{
	struct uftrace_frame f = t->frame.p[--t->frame.n];

	return uftrace_thread_moment(t, f.node, UFTRACE_CALLS, f.start, 1, t->last - f.start);
}

/* All calls at DEPTH and below have ended. */
static enum as_code uftrace_thread_cut(struct uftrace_thread *t, unsigned depth, bool *some)
{
	struct uftrace_frame *top;

	while ((top = uftrace_thread_top(t)) && top->depth >= depth) {
		*some |= !top->slept;
		AS_TRY(uftrace_thread_pop(t));
	}
	return AS_OK;
}

/* ---- switches ---- */

static enum as_code uftrace_thread_switch(struct uftrace_thread *t, const struct uftrace_switch *sw)
{
	static const char *const name[] = {"linux:schedule", "linux:schedule (pre-empted)"};
	struct uftrace_frame *top = uftrace_thread_top(t);
	as_place *place = &t->u->slept[sw->preempted];

	if (!top || top->slept == sw->out)
		return AS_OK;
	AS_TRY(uftrace_thread_pass(t, sw->time));
	if (!sw->out)
		return uftrace_thread_pop(t);
	if (!place->i)
		AS_TRY(as_uftrace_thing(t->u, "", name[sw->preempted], place));
	return uftrace_thread_push(t, *place, 0, top->depth + 1, true);
}

/* Those before TIME. */
static enum as_code uftrace_thread_switches(struct uftrace_thread *t, uint64_t time)
{
	const struct uftrace_switch *sw = t->u->sw.p;

	for (; t->sw < t->sw_end && sw[t->sw].time <= time; t->sw++)
		if (sw[t->sw].time >= t->last && !t->gap)
			AS_TRY(uftrace_thread_switch(t, &sw[t->sw]));
	return AS_OK;
}

/* ---- records ---- */

/* Between T->last and TIME records were lost; what was running then nobody knows. */
static enum as_code uftrace_thread_close_gap(
	struct uftrace_thread *t, const struct uftrace_record *r)
{
	struct uftrace_frame *top;
	bool some = false;
	as_node node;

	t->gap = false;
	AS_TRY(uftrace_thread_cut(t, r->depth + (r->type == RECORD_EXIT), &some));
	top = uftrace_thread_top(t);
	if (r->type == RECORD_EXIT && top && top->depth == r->depth && top->addr != r->addr)
		AS_TRY(uftrace_thread_pop(t));
	top = uftrace_thread_top(t);
	if (!top || r->time == t->last) {
		t->last = r->time;
		return AS_OK;
	}
	if (!t->u->lost.i)
		AS_TRY(as_uftrace_thing(t->u, "[lost]", "", &t->u->lost));
	AS_TRY(as_build_push(t->out, top->node, t->u->lost, &node));
	return uftrace_thread_spend(t, node, r->time);
}

static enum as_code uftrace_thread_enter(struct uftrace_thread *t, const struct uftrace_record *r)
{
	bool some = false;
	as_place place;

	AS_TRY(uftrace_thread_cut(t, r->depth, &some));
	if (r->time >= t->until)
		t->maps = as_uftrace_maps_at(t->u, t->pid, r->time, &t->until);
	AS_TRY(as_uftrace_place(t->u, t->maps, r->addr, &place));
	return uftrace_thread_push(t, place, r->addr, r->depth, false);
}

static enum as_code uftrace_thread_leave(
	struct uftrace_thread *t, const struct uftrace_record *r, uint64_t off)
{
	struct uftrace_frame *top;
	bool some = false;

	AS_TRY(uftrace_thread_cut(t, r->depth + 1, &some));
	top = uftrace_thread_top(t);
	if (some || !top || top->depth != r->depth || top->addr != r->addr)
		AS_TRY(as_rd_find(t->u->rd, AS_F_UF_EXIT, off, 0,
			"thread %" PRIu64 ": 0x%" PRIx64 " returns at depth %u, but %s", t->tid,
			r->addr, r->depth,
			some ? "calls in it have not" : "that is not what was called"));
	return top && top->depth == r->depth ? uftrace_thread_pop(t) : AS_OK;
}

static enum as_code uftrace_thread_lose(
	struct uftrace_thread *t, const struct uftrace_record *r, uint64_t off)
{
	t->u->n_lost += r->addr;
	t->gap = true;
	return as_rd_find(t->u->rd, AS_F_UF_LOST, off, 0,
		"thread %" PRIu64 ": %" PRIu64 " records were lost", t->tid, r->addr);
}

/* What cannot be understood ends the thread. */
static enum as_code uftrace_thread_end(struct uftrace_thread *t)
{
	t->ended = true;
	as_rd_partial(t->u->rd);
	return AS_OK;
}

static enum as_code uftrace_thread_time(
	struct uftrace_thread *t, struct uftrace_record *r, uint64_t off)
{
	if (!t->begun)
		t->last = r->time;
	t->begun = true;
	if (r->time >= t->last)
		return AS_OK;
	AS_TRY(as_rd_find(t->u->rd, AS_F_UF_TIME, off, 0,
		"thread %" PRIu64 ": %" PRIu64 " ns before the record above", t->tid,
		t->last - r->time));
	r->time = t->last;
	return AS_OK;
}

static enum as_code uftrace_thread_take(
	struct uftrace_thread *t, struct uftrace_record *r, uint64_t off)
{
	if (r->type == RECORD_LOST)
		return uftrace_thread_lose(t, r, off);
	AS_TRY(uftrace_thread_time(t, r, off));
	AS_TRY(uftrace_thread_switches(t, r->time));
	if (t->gap)
		AS_TRY(uftrace_thread_close_gap(t, r));
	AS_TRY(uftrace_thread_pass(t, r->time));
	if (r->type == RECORD_ENTRY)
		return uftrace_thread_enter(t, r);
	return r->type == RECORD_EXIT ? uftrace_thread_leave(t, r, off) : AS_OK;
}

static enum as_code uftrace_thread_record(struct uftrace_thread *t, const char *p, uint64_t off)
{
	struct uftrace_record r = {.time = uftrace_number(t->u, p, 8)};
	uint64_t word = uftrace_number(t->u, p + 8, 8);

	r.type = word & 3;
	r.more = word >> 2 & 1;
	r.mark = word >> 3 & 7;
	r.depth = word >> 6 & 1023;
	r.addr = word >> 16;
	if (r.mark != MARK || r.time > INT64_MAX) {
		AS_TRY(as_rd_find(t->u->rd, AS_F_UF_RECORD, off, 0,
			"thread %" PRIu64 ": no record, its mark is %u and its time %" PRIu64,
			t->tid, r.mark, r.time));
		return uftrace_thread_end(t);
	}
	AS_TRY(uftrace_thread_take(t, &r, off));
	if (!r.more)
		return AS_OK;
	AS_TRY(as_rd_find(t->u->rd, AS_F_UF_ARGUMENTS, off, 0,
		"thread %" PRIu64 ": arguments follow a record", t->tid));
	return uftrace_thread_end(t);
}

static enum as_code uftrace_thread_records(struct uftrace_thread *t)
{
	struct as_bundle *b = &t->u->b;
	struct as_slice s;

	while (!t->ended) {
		size_t at = 0;

		AS_TRY(as_bundle_peek(b, RECORD, &s));
		if (!s.len)
			break;
		if (s.len < RECORD) {
			as_rd_partial(t->u->rd);
			return as_rd_find(t->u->rd, AS_F_TRUNCATED, b->in->off, 0,
				"%s ends inside a record", b->name);
		}
		for (; at + RECORD <= s.len && !t->ended; at += RECORD)
			AS_TRY(uftrace_thread_record(t, s.p + at, b->in->off + at));
		as_bundle_take(b, at);
	}
	return AS_OK;
}

/* ---- a thread ---- */

static enum as_code uftrace_thread_begin(struct uftrace_thread *t)
{
	static const uint32_t events[UFTRACE_EVENTS] = {UFTRACE_TIME, UFTRACE_CALLS};
	struct uftrace *u = t->u;
	struct as_part *part;

	AS_TRY(as_rd_part(u->rd, "uftrace", &t->part));
	AS_TRY(as_build_part_events(t->out, t->part, events, UFTRACE_EVENTS));
	part = &u->rd->out->prof->part.p[t->part];
	part->pid = t->pid;
	part->tid = t->tid;
	part->has_pid = part->has_tid = true;
	AS_TRY(as_build_str(t->out, u->command, &part->command));
	AS_TRY(as_build_str(t->out, u->creator, &part->creator));
	for (size_t i = 0; i < u->comm.n; i++)
		if (u->comm.p[i].tid == t->tid)
			AS_TRY(as_build_str(t->out, u->comm.p[i].name, &part->thread));
	while (t->sw < u->sw.n && u->sw.p[t->sw].tid != t->tid)
		t->sw++;
	t->sw_end = t->sw;
	while (t->sw_end < u->sw.n && u->sw.p[t->sw_end].tid == t->tid)
		t->sw_end++;
	return AS_OK;
}

/* What is open has not returned; the nodes' sums become samples. */
static enum as_code uftrace_thread_finish(struct uftrace_thread *t)
{
	while (t->frame.n) {
		t->u->n_open += !uftrace_thread_top(t)->slept;
		AS_TRY(uftrace_thread_pop(t));
	}
	for (size_t i = 0; i < t->touched.n; i++) {
		as_node node = {t->touched.p[i]};
		as_val cost[UFTRACE_EVENTS] = {t->sum.p[node.i].time, t->sum.p[node.i].calls};

		AS_TRY(as_build_sample(t->out, t->part, node, cost));
	}
	t->u->n_threads++;
	as_vec_free(t->u->al, &t->frame);
	as_vec_free(t->u->al, &t->sum);
	as_vec_free(t->u->al, &t->touched);
	return AS_OK;
}

enum as_code as_uftrace_thread(struct uftrace *u, uint64_t tid)
{
	struct uftrace_thread t = {.u = u, .out = u->rd->out, .tid = tid};

	t.pid = as_uftrace_process(u, tid);
	AS_TRY(uftrace_thread_begin(&t));
	AS_TRY(uftrace_thread_records(&t));
	return uftrace_thread_finish(&t);
}
