/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as they stand in the file, and when their samples were. docs/formats/stackprof.md §2. */
#include "formats/stackprof/stackprof.h"

struct stackprof_paths {
	struct as_sp *sp;
	struct as_tally tally;
	uint32_t thread, event;
	bool has_times;
	uint64_t n;  /* samples until now */
	int64_t now; /* microseconds; of the last sample where only differences are known */
};

/* A stack in RAW: where its frames are, and how often it was seen. */
struct paths_stack {
	size_t first, n;
	uint64_t count;
};

/* The stack at *AT, moved over; false: there is no whole one. */
static bool stackprof_paths_next(const struct as_sp *sp, size_t *at, struct paths_stack *s)
{
	uint64_t n;

	if (*at >= sp->raw.n)
		return false;
	n = sp->raw.p[*at];
	if (sp->raw.n - *at < 2 || n > sp->raw.n - *at - 2)
		return false;
	*s = (struct paths_stack){*at + 1, (size_t)n, sp->raw.p[*at + 1 + n]};
	*at += (size_t)n + 2;
	return true;
}

/* ---- places ---- */

static enum as_code stackprof_paths_node(
	struct stackprof_paths *t, const struct paths_stack *s, as_node *node)
{
	struct as_sp *sp = t->sp;

	*node = (as_node){0};
	if (sp->rd->lim.depth && s->n > sp->rd->lim.depth)
		return as_rd_fail(sp->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"a stack is deeper than %" PRIu64 " frames", sp->rd->lim.depth);
	for (size_t i = s->first; i < s->first + s->n; i++) {
		const struct sp_frame *f = as_sp_frame(sp, sp->raw.p[i]);
		struct as_pos pos = {.line = sp->raw_line.n == sp->raw.n ? sp->raw_line.p[i] : 0};
		as_place place;

		sp->n_unknown += !f;
		if (f) {
			pos.func = f->func;
			pos.file = f->at;
		}
		if (!pos.file.i || (int64_t)pos.line < 0)
			pos.line = 0; /* code in C has none */
		AS_TRY(as_build_place(sp->rd->out, &pos, &place));
		AS_TRY(as_build_push(sp->rd->out, *node, place, node));
	}
	return AS_OK;
}

/* ---- when ---- */

/* Of the next sample, nanoseconds. */
static bool stackprof_paths_when(struct stackprof_paths *t, int64_t *nanos)
{
	struct as_sp *sp = t->sp;
	as_val time;

	if (sp->stamp.n)
		t->now = (int64_t)sp->stamp.p[t->n];
	else
		t->now = (int64_t)((uint64_t)t->now + sp->delta.p[t->n]);
	time = (as_val)t->now * 1000;
	*nanos = (int64_t)time;
	return time >= INT64_MIN && time <= INT64_MAX;
}

static enum as_code stackprof_paths_stack(struct stackprof_paths *t, const struct paths_stack *s)
{
	struct as_tally_when when = {0};
	as_node node;

	AS_TRY(stackprof_paths_node(t, s, &node));
	if (!t->has_times)
		return as_tally_add(&t->tally, t->thread, t->event, node, (as_val)s->count, NULL);
	for (uint64_t i = 0; i < s->count; i++, t->n++) {
		bool known = stackprof_paths_when(t, &when.time);

		AS_TRY(as_tally_add(&t->tally, t->thread, t->event, node, 1, known ? &when : NULL));
	}
	return AS_OK;
}

/* Each sample has a time, or none is known. */
static enum as_code stackprof_paths_times(struct stackprof_paths *t, as_uval samples)
{
	const struct sp_numbers *times = t->sp->stamp.n ? &t->sp->stamp : &t->sp->delta;

	t->has_times = times->n && times->n == samples;
	if (!times->n || t->has_times)
		return AS_OK;
	return as_rd_find(t->sp->rd, AS_F_SP_TIMES, AS_OFF_NONE, 0,
		"there are %zu times of samples, and another number of samples", times->n);
}

/* ---- all of it ---- */

static enum as_code stackprof_paths_count(struct stackprof_paths *t)
{
	struct as_sp *sp = t->sp;
	as_uval samples = 0;
	struct paths_stack s;
	size_t at = 0;

	while (stackprof_paths_next(sp, &at, &s))
		samples += s.count;
	if (at < sp->raw.n) {
		as_rd_partial(sp->rd);
		AS_TRY(as_rd_find(sp->rd, AS_F_SP_RAW, AS_OFF_NONE, 0,
			"the stacks end inside of one, after %zu of %zu numbers", at, sp->raw.n));
	}
	if (sp->has_samples && samples != sp->samples)
		AS_TRY(as_rd_find(sp->rd, AS_F_SP_SAMPLES, AS_OFF_NONE, 0,
			"'samples' is %" PRIu64 ", and the stacks have another number of them",
			sp->samples));
	return stackprof_paths_times(t, samples);
}

enum as_code as_sp_put_paths(struct as_sp *sp)
{
	struct stackprof_paths t = {.sp = sp};
	struct as_tally_thread who = {.pid = 0};
	struct paths_stack s;
	size_t at = 0;

	as_tally_init(&t.tally, sp->rd, sp->al, "stackprof");
	AS_TRY(as_tally_event(&t.tally, as_slice_of("samples"), as_slice_of("count"), &t.event));
	AS_TRY(as_tally_thread(&t.tally, &who, &t.thread));
	AS_TRY(stackprof_paths_count(&t));
	while (stackprof_paths_next(sp, &at, &s))
		AS_TRY(stackprof_paths_stack(&t, &s));
	return as_tally_put(&t.tally);
}
