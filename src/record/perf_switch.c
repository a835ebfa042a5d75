/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_switch.h"

#include "record/perf_track.h"

void as_perf_switches_init(struct as_perf_switches *s, const struct as_alloc *al)
{
	memset(s, 0, sizeof(*s));
	s->al = al;
	as_off_init(&s->off, al);
	as_index_init(&s->rows, al);
}

void as_perf_switches_release(struct as_perf_switches *s)
{
	as_off_release(&s->off);
	as_index_release(&s->rows);
	as_vec_free(s->al, &s->opened);
	as_vec_free(s->al, &s->away);
	as_vec_free(s->al, &s->when);
}

/* Other events are most: their numbers are looked for among few, one for each processor, where
 * events are of these; of threads the kernel's numbers follow each other. */
bool as_perf_switches_has(const struct as_perf_switches *s, uint64_t id)
{
	for (size_t i = 0; i < s->opened.n; i++)
		if (s->opened.p[i].id == id)
			return true;
	return false;
}

/* ---- stretches ---- */

static enum as_code perf_switch_row(
	struct as_perf_track *t, uint32_t part, as_node node, uint32_t *row)
{
	struct as_perf_switches *s = t->switches;
	struct as_perf_away one = {.part = part, .node = node};
	uint64_t hash = as_hash_mix(node.i, part), at = AS_INDEX_START;

	while (as_index_find(&s->rows, hash, &at, row))
		if (s->away.p[*row].part == part && s->away.p[*row].node.i == node.i)
			return AS_OK;
	*row = (uint32_t)s->away.n;
	return as_err_memory(
		t->err, as_vec_push(s->al, &s->away, one) && as_index_add(&s->rows, hash, *row));
}

static enum as_code perf_switch_stack(struct as_perf_track *t, uint32_t stack, as_node *node)
{
	as_place place;

	*node = (as_node){stack};
	if (stack != AS_OFF_NO_STACK)
		return AS_OK;
	AS_TRY(as_perf_track_pseudo(t, AS_PSEUDO_UNKNOWN, &place));
	return as_build_push(t->out, (as_node){0}, place, node);
}

/* The thread may be one that has ended since: then nobody knows whose it was. */
static enum as_code perf_switch_add(
	struct as_perf_track *t, uint32_t tid, const struct as_off_stretch *stretch)
{
	struct as_perf_switches *s = t->switches;
	struct as_perf_away_when when = {.since = stretch->since, .length = stretch->length};
	uint32_t thread, part;
	as_node node;

	if (!as_perf_find_thread(t, tid, &thread)) {
		s->off.unknown++;
		return AS_OK;
	}
	if (t->proc.p[t->thread.p[thread].proc].sampled)
		return AS_OK;
	AS_TRY(as_perf_state_part(t, thread, stretch->state, &part));
	AS_TRY(perf_switch_stack(t, stretch->stack, &node));
	AS_TRY(perf_switch_row(t, part, node, &when.row));
	s->away.p[when.row].ns += stretch->length;
	s->n++;
	if (!t->out->keep_moments)
		return AS_OK;
	return as_err_memory(t->err, as_vec_push(s->al, &s->when, when));
}

enum as_code as_perf_take_switch(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	struct as_off_leave leave = {.tid = rec->tid,
		.stack = AS_OFF_NO_STACK,
		.time = rec->time,
		.state = rec->misc & AS_PERF_MISC_PREEMPT ? AS_OFF_RUNNABLE : AS_OFF_WAITING,
		.source = AS_OFF_RECORD};
	struct as_off_stretch stretch;

	if (rec->misc & AS_PERF_MISC_OUT)
		return as_err_memory(t->err, as_off_leave(&t->switches->off, &leave));
	if (!as_off_come(&t->switches->off, rec->tid, rec->time, &stretch))
		return AS_OK;
	return perf_switch_add(t, rec->tid, &stretch);
}

/* ---- all of them ---- */

static enum as_code perf_switch_moments(struct as_perf_track *t)
{
	const struct as_perf_switches *s = t->switches;

	for (size_t i = 0; i < s->when.n; i++) {
		const struct as_perf_away_when *w = &s->when.p[i];
		const struct as_perf_away *a = &s->away.p[w->row];
		struct as_moment m = {.time = (int64_t)w->since,
			.duration = w->length,
			.value = (int64_t)w->length,
			.part = a->part,
			.event = t->off_event,
			.node = a->node};

		if (!t->part.p[a->part].left_out)
			AS_TRY(as_build_moment(t->out, &m));
	}
	return AS_OK;
}

enum as_code as_perf_put_switches(struct as_perf_track *t)
{
	const struct as_perf_switches *s = t->switches;
	as_val cost[AS_PERF_EVENTS_MAX + 1] = {0};

	if (!s)
		return AS_OK;
	for (size_t i = 0; i < s->away.n; i++) {
		const struct as_perf_away *a = &s->away.p[i];

		if (t->part.p[a->part].left_out)
			continue;
		cost[t->off_event] = (as_val)a->ns;
		AS_TRY(as_build_sample(t->out, a->part, a->node, cost));
	}
	return perf_switch_moments(t);
}
