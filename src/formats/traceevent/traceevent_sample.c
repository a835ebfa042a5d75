/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in a list of their own, of frames in another one. docs/formats/traceevent.md §4. */
#include "base/sort.h"
#include "formats/traceevent/traceevent.h"

/* ---- frames ---- */

/* Samples and frames name frames that may come later. */
static enum as_code sample_frame(struct as_te *te, struct as_slice id, uint32_t *row)
{
	uint64_t hash = as_hash_bytes(id.p, id.len), at = AS_INDEX_START;
	struct te_frame one = {.parent = AS_TE_NONE};

	while (as_index_find(&te->frames, hash, &at, row))
		if (as_slice_eq(te->frame.p[*row].id, id))
			return AS_OK;
	*row = (uint32_t)te->frame.n;
	one.id = as_arena_dup(&te->arena, id);
	return as_err_memory(te->rd->err, one.id.p && as_vec_push(te->al, &te->frame, one) &&
						  as_index_add(&te->frames, hash, *row));
}

static enum as_code sample_frame_member(
	struct as_te *te, struct as_pull *j, struct as_slice key, uint32_t row)
{
	if (as_slice_is(key, "name"))
		return as_build_str(te->rd->out, as_te_id(j), &te->frame.p[row].name);
	if (as_slice_is(key, "parent")) {
		struct as_slice id = as_te_id(j);
		uint32_t parent;

		as_assert(row < te->frame.n);
		if (!id.len)
			return AS_OK;
		AS_TRY(sample_frame(te, id, &parent));
		te->frame.p[row].parent = parent;
		return AS_OK;
	}
	as_pull_skip(j);
	return AS_OK;
}

enum as_code as_te_frames(struct as_te *te, struct as_pull *j)
{
	struct as_slice key;
	uint32_t row;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		AS_TRY(sample_frame(te, key, &row));
		te->frame.p[row].known = true;
		as_pull_object(j);
		while (as_pull_key(j, &key))
			AS_TRY(sample_frame_member(te, j, key, row));
	}
	return AS_OK;
}

/* Frames from ROW up to one that is made. STACK is scratch. */
static enum as_code sample_up(struct as_te *te, uint32_t row, uint32_t *stack)
{
	uint32_t walk = row + 1;
	size_t n = 0;

	for (; row != AS_TE_NONE && !te->frame.p[row].is_made; row = te->frame.p[row].parent) {
		if (te->frame.p[row].walk == walk) { /* it leads back to itself: there it begins */
			te->odd.frame++;
			te->frame.p[stack[n - 1]].parent = AS_TE_NONE;
			break;
		}
		te->frame.p[row].walk = walk;
		stack[n++] = row;
	}
	while (n-- > 0) {
		struct te_frame *one = &te->frame.p[stack[n]];
		as_node parent = {one->parent == AS_TE_NONE ? 0 : te->frame.p[one->parent].made.i};

		one->is_made = true;
		one->made = parent;
		if (one->known)
			AS_TRY(as_te_node(te, parent, one->name, &one->made));
		else
			te->odd.frame++;
	}
	return AS_OK;
}

/* ---- samples ---- */

struct sample_ids {
	struct as_slice pid, tid, frame;
};

/* Ids are copied: an escape may stand in each. */
static bool sample_id(struct as_te *te, struct as_pull *j, struct as_slice *out)
{
	*out = as_arena_dup(&te->escaped, as_te_id(j));
	return out->p;
}

static bool sample_member(struct as_te *te, struct as_pull *j, struct as_slice key,
	struct te_sample *s, struct sample_ids *ids, bool *timed)
{
	if (as_slice_is(key, "pid"))
		return sample_id(te, j, &ids->pid);
	if (as_slice_is(key, "tid"))
		return sample_id(te, j, &ids->tid);
	if (as_slice_is(key, "sf"))
		return sample_id(te, j, &ids->frame);
	if (as_slice_is(key, "ts")) {
		*timed = as_te_time(te, j, &s->time);
	} else if (as_slice_is(key, "weight")) {
		bool exact;

		if (!as_pull_scaled(as_te_id(j), 0, &s->weight, &exact) || !exact) {
			te->odd.weight++;
			s->weight = 1;
		}
	} else {
		as_pull_skip(j);
	}
	return true;
}

enum as_code as_te_samples(struct as_te *te, struct as_pull *j)
{
	struct as_slice none = {"", 0}, key;

	as_pull_array(j);
	while (as_pull_item(j)) {
		struct sample_ids ids = {none, none, none};
		struct te_sample one = {.weight = 1};
		bool timed = false;

		as_arena_release(&te->escaped);
		as_pull_object(j);
		while (as_pull_key(j, &key))
			AS_TRY(as_err_memory(
				te->rd->err, sample_member(te, j, key, &one, &ids, &timed)));
		if (!timed) {
			te->odd.time += !j->why;
			continue;
		}
		AS_TRY(as_te_thread(te, ids.pid, ids.tid, &one.thread));
		one.frame = AS_TE_NONE;
		if (ids.frame.len)
			AS_TRY(sample_frame(te, ids.frame, &one.frame));
		te->weights |= one.weight != 1;
		AS_TRY(as_err_memory(te->rd->err, as_vec_push(te->al, &te->sample, one)));
	}
	return AS_OK;
}

static int sample_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct te_sample *s = ctx;

	if (s[a].thread != s[b].thread)
		return s[a].thread < s[b].thread ? -1 : 1;
	return (s[a].time > s[b].time) - (s[a].time < s[b].time);
}

struct sample_events {
	uint32_t time, samples, weight;
};

/* NEXT: when the next one of its thread was; its own time if there is none. */
static enum as_code sample_put(struct as_te *te, const struct te_sample *s, int64_t next,
	const struct sample_events *event)
{
	as_node node = {s->frame == AS_TE_NONE ? 0 : te->frame.p[s->frame].made.i};
	struct as_tally_when when = {.time = s->time}, passed = when;
	as_val value = (as_val)next - s->time;
	uint32_t thread;

	passed.duration = (uint64_t)next - (uint64_t)s->time;
	AS_TRY(as_te_in_tally(te, s->thread, &thread));
	if (value)
		AS_TRY(as_tally_add(&te->tally, thread, event->time, node, value, &passed));
	if (te->weights && s->weight)
		AS_TRY(as_tally_add(&te->tally, thread, event->weight, node, s->weight, &when));
	return as_tally_add(&te->tally, thread, event->samples, node, 1, &when);
}

enum as_code as_te_put_samples(struct as_te *te)
{
	struct as_slice count = as_slice_of("count");
	struct sample_events event = {0, 0, 0};
	uint32_t *order, *stack;

	if (!te->sample.n)
		return AS_OK;
	AS_TRY(as_tally_event(
		&te->tally, as_slice_of("sampled-time"), as_slice_of("nanoseconds"), &event.time));
	AS_TRY(as_tally_event(&te->tally, as_slice_of("samples"), count, &event.samples));
	if (te->weights)
		AS_TRY(as_tally_event(&te->tally, as_slice_of("weight"), count, &event.weight));
	order = as_sorted_rows(te->al, te->sample.n, sample_cmp, te->sample.p);
	AS_TRY(as_err_memory(te->rd->err, order));
	AS_TRY(as_err_memory(te->rd->err, as_alloc_array(te->al, &stack, te->frame.n)));
	for (size_t i = 0; i < te->sample.n; i++) {
		const struct te_sample *s = &te->sample.p[order[i]];
		const struct te_sample *next =
			i + 1 < te->sample.n ? &te->sample.p[order[i + 1]] : s;

		AS_TRY(sample_up(te, s->frame, stack));
		AS_TRY(sample_put(te, s, next->thread == s->thread ? next->time : s->time, &event));
	}
	return AS_OK;
}
