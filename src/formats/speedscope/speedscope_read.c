/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a file. docs/formats/speedscope.md §1. */
#include "formats/speedscope/speedscope.h"

/* ---- a profile ---- */

static bool read_keep(
	struct as_ss *ss, struct as_pull *j, struct as_slice text, struct as_slice *out)
{
	*out = as_arena_dup(&ss->arena, text);
	j->no_memory |= !out->p;
	return out->p || as_pull_wrong(j, "there is no memory");
}

static bool speedscope_read_text(struct as_ss *ss, struct as_pull *j, struct as_slice *out)
{
	struct as_slice text;

	return as_pull_text(j, &text) && read_keep(ss, j, text, out);
}

static bool read_number(struct as_ss *ss, struct as_pull *j, struct as_slice *out)
{
	struct as_slice text;

	return as_pull_number(j, &text) && read_keep(ss, j, text, out);
}

/* A list that cannot be read before the rest of the profile is known. */
static bool read_later(struct as_ss *ss, struct as_pull *j, struct as_slice *out)
{
	struct as_slice text;

	return as_pull_raw(j, &text) && read_keep(ss, j, text, out);
}

static enum as_code read_unit(struct as_ss *ss, struct as_pull *j)
{
	struct as_slice text;

	if (!as_pull_text(j, &text))
		return AS_OK;
	ss->at.unit = as_ss_unit(text);
	if (ss->at.unit)
		return AS_OK;
	ss->at.unit = as_ss_unit(as_slice_of("none"));
	return as_rd_find(ss->rd, AS_F_SS_UNIT, as_json_in_off(&ss->in), 0,
		"profile %" PRIu64 ": there is no unit '%.*s'", ss->n_profiles + 1,
		AS_SLICE_FMT(text));
}

/* Whether the values of lists are known by what has come: their unit, times and thread. */
static bool read_is_known(const struct as_ss *ss)
{
	return ss->at.unit && ss->at.has_name && ss->at.start.p;
}

static void read_start(struct as_ss *ss)
{
	struct ss_profile *at = &ss->at;
	int64_t start;

	if (!at->begun && at->start.len && as_ss_value(ss, at->start, &start))
		at->time = start;
}

static enum as_code read_weights(struct as_ss *ss, struct as_pull *j)
{
	if (ss->at.has_samples && read_is_known(ss)) {
		read_start(ss);
		return as_ss_weights(ss, j);
	}
	read_later(ss, j, &ss->at.weights);
	return AS_OK;
}

static enum as_code speedscope_read_events(struct as_ss *ss, struct as_pull *j)
{
	if (read_is_known(ss))
		return as_ss_events(ss, j);
	read_later(ss, j, &ss->at.events);
	return AS_OK;
}

static enum as_code read_member(struct as_ss *ss, struct as_pull *j, struct as_slice key)
{
	struct ss_profile *at = &ss->at;

	if (as_slice_is(key, "name"))
		at->has_name = speedscope_read_text(ss, j, &at->name);
	else if (as_slice_is(key, "unit"))
		return read_unit(ss, j);
	else if (as_slice_is(key, "startValue"))
		read_number(ss, j, &at->start);
	else if (as_slice_is(key, "endValue"))
		read_number(ss, j, &at->end);
	else if (as_slice_is(key, "samples") && !at->has_samples)
		return as_ss_samples(ss, j);
	else if (as_slice_is(key, "weights") && !at->has_weights && !at->weights.p)
		return read_weights(ss, j);
	else if (as_slice_is(key, "events") && !at->has_events && !at->events.p)
		return speedscope_read_events(ss, j);
	else
		as_pull_skip(j);
	return AS_OK;
}

/* What had to wait, with what never came. */
static enum as_code read_rest(struct as_ss *ss, struct as_pull *j)
{
	struct ss_profile *at = &ss->at;
	struct as_pull in;

	if (!at->unit)
		at->unit = as_ss_unit(as_slice_of("none"));
	if (at->end.len)
		at->has_end = as_ss_value(ss, at->end, &at->end_time);
	read_start(ss);
	as_pull_init(&in, at->weights.p ? at->weights : at->events, NULL);
	if (at->weights.p && at->has_samples)
		AS_TRY(as_ss_weights(ss, &in));
	else if (at->events.p)
		AS_TRY(as_ss_events(ss, &in));
	if (in.why)
		as_pull_wrong(j, in.why);
	if (!in.why && !at->has_weights && !at->has_events)
		as_pull_wrong(j, "a profile has 'samples' and 'weights', or 'events'");
	return as_ss_close(ss);
}

static enum as_code speedscope_read_profile(struct as_ss *ss)
{
	struct as_pull *j = &ss->in.js;
	struct ss_profile *at = &ss->at;
	struct as_slice key;

	at->sample.n = at->open.n = 0;
	*at = (struct ss_profile){.name = as_slice_of(""),
		.sample = at->sample,
		.open = at->open,
		.last = as_slice_of("")};
	as_pull_object(j);
	while (as_pull_key(j, &key))
		AS_TRY(read_member(ss, j, key));
	if (!j->why)
		AS_TRY(read_rest(ss, j));
	at->open.n = 0; /* how long those last is not known, if the text is cut */
	ss->n_profiles++;
	return AS_OK;
}

/* ---- the file ---- */

static enum as_code speedscope_read_shared(struct as_ss *ss, struct as_pull *j)
{
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "frames") && !ss->has_frames)
			AS_TRY(as_ss_frames(ss, j));
		else
			as_pull_skip(j);
	}
	return AS_OK;
}

static enum as_code read_profiles(struct as_ss *ss, struct as_pull *j)
{
	as_pull_array(j);
	while (as_pull_item(j))
		AS_TRY(speedscope_read_profile(ss));
	return AS_OK;
}

static bool read_maybe_text(struct as_ss *ss, struct as_pull *j, struct as_slice *out)
{
	return as_pull_peek(j) == AS_PULL_TEXT ? speedscope_read_text(ss, j, out) : as_pull_skip(j);
}

static enum as_code read_top(struct as_ss *ss)
{
	struct as_pull *j = &ss->in.js;
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "shared"))
			AS_TRY(speedscope_read_shared(ss, j));
		else if (as_slice_is(key, "profiles"))
			AS_TRY(read_profiles(ss, j));
		else if (as_slice_is(key, "exporter"))
			read_maybe_text(ss, j, &ss->exporter);
		else if (as_slice_is(key, "name"))
			read_maybe_text(ss, j, &ss->title);
		else
			as_pull_skip(j);
	}
	if (as_pull_peek(j) != AS_PULL_END)
		as_pull_wrong(j, "there is more behind the end of the file's object");
	return AS_OK;
}

/* ---- what is told ---- */

static enum as_code speedscope_read_tell(struct as_ss *ss)
{
	const struct as_rd_told told[] = {
		{AS_F_SS_ROUNDED, ss->n_rounded,
			"value{ has|s have} digits below nanoseconds or whole numbers, rounded"},
		{AS_F_COUNT_RANGE, ss->n_range, "value{ is|s are} beyond 64 bits, left out"},
		{AS_F_SS_NEGATIVE, ss->n_negative, "weight{ is|s are} below zero"},
		{AS_F_SS_WEIGHTS, ss->n_unweighted,
			"sample{ or weight has|s or weights have} no other half, left out"},
		{AS_F_SS_LATE, ss->n_late, "event{ is|s are} earlier than the one before"},
		{AS_F_SS_NESTING, ss->n_unnested,
			"event{ closes|s close} a frame that is not the innermost"},
		{AS_F_SS_OPEN, ss->n_open,
			"frame{ is|s are} open at the end of a profile, and end{s|} there"},
		{AS_F_SS_FRAME, ss->n_unknown,
			"step{|s} of call paths name{s|} a frame that is not there"},
	};

	AS_TRY(as_rd_tell_all(ss->rd, told, AS_ARRAY_LEN(told)));
	return as_rd_find_if(ss->rd, !ss->tally.sum.n, AS_F_NO_SAMPLES, "there are no samples");
}

static enum as_code speedscope_read_all(struct as_ss *ss)
{
	struct ss_node root = {0, 0};
	enum as_code rc;

	as_arena_init(&ss->arena, ss->al);
	as_index_init(&ss->nodes, ss->al);
	as_index_init(&ss->stacks, ss->al);
	as_tally_init(&ss->tally, ss->rd, ss->al, "speedscope");
	ss->plain = AS_TALLY_NONE;
	AS_TRY(as_err_memory(ss->rd->err, as_vec_push(ss->al, &ss->node, root)));
	AS_TRY(as_json_in_open(&ss->in, ss->rd, ss->al));
	rc = read_top(ss);
	if (rc == AS_OK && ss->all_frames && ss->tally.sum.n)
		(void)as_json_in_keep(&ss->in);
	AS_TRY(as_json_in_end(&ss->in));
	AS_TRY(rc);
	if (!ss->n_profiles && !ss->has_frames)
		return as_rd_fail(ss->rd, AS_E_NOTPROFILE, AS_OFF_NONE, 0,
			"not a file of speedscope: it has neither frames nor profiles");
	AS_TRY(as_ss_put(ss));
	if (ss->n_range || ss->n_unweighted || ss->n_unnested || ss->n_late || ss->n_open ||
		ss->n_unknown)
		as_rd_partial(ss->rd);
	AS_TRY(as_json_in_tell(&ss->in, "profiles before that, and what came of the last one"));
	return speedscope_read_tell(ss);
}

enum as_code as_ss_read(struct as_rd *rd)
{
	struct as_ss ss = {.rd = rd, .al = rd->al};

	return speedscope_read_all(&ss);
}
