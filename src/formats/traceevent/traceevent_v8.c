/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of V8, which stand in a trace in pieces. docs/formats/traceevent.md §3. */
#include "base/sort.h"
#include "formats/traceevent/traceevent.h"

/* Its process and its id are what tells one from another: processes use the same ids. */
static enum as_code v8_profile(struct as_te *te, const struct te_v8_event *e, uint32_t *row)
{
	struct te_profile one = {.thread = e->thread};

	for (size_t i = te->profile.n; i-- > 0;) {
		*row = (uint32_t)i;
		if (as_slice_eq(te->profile.p[i].pid, e->pid) &&
			as_slice_eq(te->profile.p[i].id, e->id))
			return AS_OK;
	}
	*row = (uint32_t)te->profile.n;
	one.pid = as_arena_dup(&te->arena, e->pid);
	one.id = as_arena_dup(&te->arena, e->id);
	return as_err_memory(
		te->rd->err, one.pid.p && one.id.p && as_vec_push(te->al, &te->profile, one));
}

/* Into the member "data" of what J is at. */
static bool v8_data(struct as_pull *j)
{
	struct as_slice key;

	if (as_pull_peek(j) != AS_PULL_OBJECT)
		return false;
	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "data") && as_pull_peek(j) == AS_PULL_OBJECT)
			return as_pull_object(j);
		as_pull_skip(j);
	}
	return false;
}

static bool v8_time(struct as_pull *j, int64_t *out)
{
	bool exact;

	return as_pull_scaled(as_te_id(j), 0, out, &exact);
}

/* Pieces come from another thread; the first event is of the one that was sampled. */
static void v8_begin(struct te_profile *p, const struct te_v8_event *e)
{
	struct as_slice key;
	struct as_pull j;

	p->thread = e->thread;
	as_pull_init(&j, e->args, NULL);
	if (!v8_data(&j))
		return;
	while (as_pull_key(&j, &key)) {
		if (as_slice_is(key, "startTime"))
			p->has_start = v8_time(&j, &p->start);
		else
			as_pull_skip(&j);
	}
}

enum as_code as_te_v8_event(struct as_te *te, const struct te_v8_event *e)
{
	struct te_chunk one = {.time = e->time, .off = e->off};

	AS_TRY(v8_profile(te, e, &one.profile));
	if (e->begins) {
		v8_begin(&te->profile.p[one.profile], e);
		return AS_OK;
	}
	one.text = as_arena_dup(&te->arena, e->args);
	return as_err_memory(te->rd->err, one.text.p && as_vec_push(te->al, &te->chunk, one));
}

/* ---- pieces ---- */

/* A list may stand in a piece twice, at its top and in the profile in it: the last one holds. */
struct v8_piece {
	size_t deltas, lines; /* before it */
	bool inside;          /* the profile in it, whose times are of a clock of its own */
	bool has_start, has_end;
	int64_t start, end;
};

static enum as_code v8_member(
	struct as_v8 *v, struct as_pull *j, struct as_slice key, struct v8_piece *piece)
{
	if (as_slice_is(key, "nodes"))
		return as_v8_nodes(v, j);
	if (as_slice_is(key, "samples"))
		return as_v8_samples(v, j);
	if (as_slice_is(key, "timeDeltas")) {
		v->delta.n = piece->deltas;
		v->has_deltas = true;
		return as_v8_deltas(v, j);
	}
	if (as_slice_is(key, "lines")) {
		v->line.n = piece->lines;
		return as_v8_lines(v, j);
	}
	if (as_slice_is(key, "startTime") && piece->inside)
		piece->has_start = as_v8_time(v, j, &piece->start);
	else if (as_slice_is(key, "endTime") && piece->inside)
		piece->has_end = as_v8_time(v, j, &piece->end);
	else if (as_slice_is(key, "endTime"))
		v->has_end = as_v8_time(v, j, &v->end);
	else
		as_pull_skip(j);
	return AS_OK;
}

/* When the profile in a piece ends, on the clock of the trace. */
static void v8_clock(struct as_v8 *v, const struct v8_piece *piece)
{
	int64_t span;

	if (piece->has_start && !v->has_start) {
		v->has_start = true;
		v->start = piece->start;
	}
	if (piece->has_start && piece->has_end && !v->has_end)
		v->has_end = !__builtin_sub_overflow(piece->end, piece->start, &span) &&
			     !__builtin_add_overflow(v->start, span, &v->end);
}

/* As many times and lines as samples, so that the next piece's are its own. */
static enum as_code v8_fill(struct as_v8 *v)
{
	v->odd.uneven += v->delta.n != v->sample.n;
	if (v->delta.n > v->sample.n)
		v->delta.n = v->sample.n;
	while (v->delta.n < v->sample.n)
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->delta, (int64_t)0)));
	if (v->line.n > v->sample.n)
		v->line.n = v->sample.n;
	while (v->line.n < v->sample.n)
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->line, (uint64_t)0)));
	return AS_OK;
}

static enum as_code v8_piece(struct as_te *te, struct as_v8 *v, const struct te_chunk *chunk)
{
	struct v8_piece piece = {.deltas = v->delta.n, .lines = v->line.n};
	struct as_slice key;
	struct as_pull j;

	as_pull_init(&j, chunk->text, &te->arena);
	if (!v8_data(&j))
		return AS_OK;
	while (as_pull_key(&j, &key)) {
		if (!as_slice_is(key, "cpuProfile")) {
			AS_TRY(v8_member(v, &j, key, &piece));
			continue;
		}
		piece.inside = true;
		as_pull_object(&j);
		while (as_pull_key(&j, &key))
			AS_TRY(v8_member(v, &j, key, &piece));
		piece.inside = false;
	}
	if (j.no_memory)
		return as_err_no_memory(te->rd->err);
	if (j.why)
		return as_rd_fail(te->rd, AS_E_FORMAT, chunk->off + (uint64_t)(j.p - chunk->text.p),
			0, "%s", j.why);
	v8_clock(v, &piece);
	return v8_fill(v);
}

static int v8_chunk_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct te_chunk *c = ctx;

	if (c[a].profile != c[b].profile)
		return c[a].profile < c[b].profile ? -1 : 1;
	return (c[a].time > c[b].time) - (c[a].time < c[b].time);
}

/* The pieces that begin at ORDER[*I]. */
static enum as_code v8_put(struct as_te *te, const uint32_t *order, size_t *i)
{
	uint32_t row = te->chunk.p[order[*i]].profile;
	const struct te_profile *p = &te->profile.p[row];
	struct as_v8 v;

	as_v8_init(&v, te->rd, te->al, &te->tally);
	v.odd = te->v8;
	v.time_event = "sampled-time";
	v.has_start = p->has_start;
	v.start = p->start;
	for (; *i < te->chunk.n && te->chunk.p[order[*i]].profile == row; ++*i)
		AS_TRY(v8_piece(te, &v, &te->chunk.p[order[*i]]));
	if (v.sample.n) {
		AS_TRY(as_te_in_tally(te, p->thread, &v.thread));
		AS_TRY(as_v8_put(&v));
	}
	te->v8 = v.odd;
	return AS_OK;
}

enum as_code as_te_put_v8(struct as_te *te)
{
	uint32_t *order = as_sorted_rows(te->al, te->chunk.n, v8_chunk_cmp, te->chunk.p);
	size_t i = 0;

	AS_TRY(as_err_memory(te->rd->err, order));
	while (i < te->chunk.n)
		AS_TRY(v8_put(te, order, &i));
	return AS_OK;
}
