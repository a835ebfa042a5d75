/* SPDX-License-Identifier: Apache-2.0 */
/* The file's lists, and what is told of them. docs/formats/traceevent.md §1. */
#include "formats/traceevent/traceevent.h"

/* The next event, behind which the file may end. */
static enum as_code traceevent_read_event(struct as_te *te, bool *more)
{
	uint64_t off = as_json_in_off(&te->in);
	struct as_pull *j = &te->in.js;
	struct as_slice text;

	if (as_pull_raw(j, &text))
		return as_te_event(te, text, off);
	*more = false;
	if (!j->cut || te->in.rc)
		return AS_OK;
	te->cut = true;
	te->cut_at = off;
	j->why = NULL;
	j->p = j->end;
	return AS_OK;
}

/* What stands between events; false: the list ends here. */
static bool traceevent_read_comma(struct as_te *te)
{
	struct as_pull *j = &te->in.js;

	if (as_pull_peek(j) == AS_PULL_END) {
		te->unclosed = !te->in.rc && !j->why;
		return false;
	}
	if (!j->why && *j->p != ',' && *j->p != ']')
		as_pull_wrong(j, "',' or ']' was expected");
	return !j->why && *j->p++ == ',';
}

/* Writers that die leave a list that is not closed, and a comma behind the last event. */
static enum as_code traceevent_read_list(struct as_te *te)
{
	struct as_pull *j = &te->in.js;
	bool more = as_pull_array(j);

	while (more && as_pull_peek(j) == AS_PULL_OBJECT) {
		AS_TRY(traceevent_read_event(te, &more));
		more = more && traceevent_read_comma(te);
	}
	if (more && as_pull_peek(j) != AS_PULL_END && !j->why && *j->p != ']')
		as_pull_wrong(j, "an event was expected");
	else if (more)
		(void)traceevent_read_comma(te);
	j->first = false;
	return AS_OK;
}

static enum as_code traceevent_read_object(struct as_te *te)
{
	struct as_pull *j = &te->in.js;
	struct as_slice key;

	as_pull_object(j);
	while (!te->cut && !te->unclosed && as_pull_key(j, &key)) {
		if (as_slice_is(key, "traceEvents"))
			AS_TRY(traceevent_read_list(te));
		else if (as_slice_is(key, "stackFrames") && as_pull_peek(j) == AS_PULL_OBJECT)
			AS_TRY(as_te_frames(te, j));
		else if (as_slice_is(key, "samples") && as_pull_peek(j) == AS_PULL_ARRAY)
			AS_TRY(as_te_samples(te, j));
		else
			as_pull_skip(j);
	}
	return AS_OK;
}

static enum as_code traceevent_read_top(struct as_te *te)
{
	struct as_pull *j = &te->in.js;

	if (as_pull_peek(j) == AS_PULL_ARRAY)
		AS_TRY(traceevent_read_list(te));
	else
		AS_TRY(traceevent_read_object(te));
	if (as_pull_peek(j) != AS_PULL_END)
		as_pull_wrong(j, "there is more behind the end of the trace");
	return AS_OK;
}

/* ---- what is told ---- */

static enum as_code traceevent_read_tell_odd(struct as_te *te)
{
	const struct te_odd *o = &te->odd;
	const struct as_rd_told told[] = {
		{AS_F_TE_END, o->end, "end{|s} of nothing that had begun, left out"},
		{AS_F_TE_NESTING, o->nesting, "call{|s} ended with others open inside"},
		{AS_F_TE_OPEN, o->open, "call{ does|s do} not end"},
		{AS_F_TE_OVERLAP, o->overlap,
			"call{ is|s are} longer than what {it is|they are} in"},
		{AS_F_TE_TIME, o->time, "event{|s} without a time, left out"},
		{AS_F_TE_DURATION, o->duration, "event{|s} without a duration, taken as 0"},
		{AS_F_TE_FRAME, o->frame,
			"frame{ is|s are} not there, or above {itself|themselves}"},
		{AS_F_TE_WEIGHT, o->weight, "weight{ is|s are} no integer, taken as 1"},
		{AS_F_TE_ROUNDED, o->rounded, "time{|s} with digits below a nanosecond, rounded"},
		{AS_F_TE_OTHER, o->other, "event{|s} of other kinds, left out"},
	};

	if (o->end || o->nesting || o->open || o->overlap || o->time || o->duration || o->frame ||
		o->weight)
		as_rd_partial(te->rd);
	return as_rd_tell_all(te->rd, told, AS_ARRAY_LEN(told));
}

static enum as_code traceevent_read_tell(struct as_te *te)
{
	AS_TRY(traceevent_read_tell_odd(te));
	AS_TRY(as_v8_tell(te->rd, &te->v8));
	if (te->cut) {
		as_rd_partial(te->rd);
		AS_TRY(as_rd_find(te->rd, AS_F_TRUNCATED, te->cut_at, 0,
			"the file ends inside an event, left out"));
	}
	AS_TRY(as_rd_find_if(
		te->rd, te->unclosed, AS_F_TE_UNCLOSED, "the list of events is not closed"));
	return as_rd_find_if(
		te->rd, !te->tally.sum.n, AS_F_NO_SAMPLES, "there are no calls and no samples");
}

static enum as_code traceevent_read_all(struct as_te *te)
{
	enum as_code rc;

	as_arena_init(&te->arena, te->al);
	as_arena_init(&te->escaped, te->al);
	as_index_init(&te->threads, te->al);
	as_index_init(&te->frames, te->al);
	as_index_init(&te->keys, te->al);
	as_tally_init(&te->tally, te->rd, te->al, "traceevent");
	AS_TRY(as_json_in_open(&te->in, te->rd, te->al));
	rc = traceevent_read_top(te);
	AS_TRY(as_json_in_end(&te->in));
	AS_TRY(rc);
	AS_TRY(as_te_put_v8(te));
	AS_TRY(as_te_put_samples(te));
	AS_TRY(as_te_calls(te));
	AS_TRY(as_te_put_markers(te));
	AS_TRY(as_tally_put(&te->tally));
	return traceevent_read_tell(te);
}

enum as_code as_te_read(struct as_rd *rd)
{
	struct as_te te = {.rd = rd, .al = rd->al};

	return traceevent_read_all(&te);
}
