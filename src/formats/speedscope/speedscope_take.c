/* SPDX-License-Identifier: Apache-2.0 */
/* From lists of stacks, weights and events to sums. docs/formats/speedscope.md §2 and §3. */
#include "formats/speedscope/speedscope.h"

/* ---- values ---- */

static const struct ss_unit units[] = {
	{"none", 0, "weight", "count", false},
	{"nanoseconds", 0, "time", "nanoseconds", true},
	{"microseconds", 3, "time", "nanoseconds", true},
	{"milliseconds", 6, "time", "nanoseconds", true},
	{"seconds", 9, "time", "nanoseconds", true},
	{"bytes", 0, "bytes", "bytes", false},
};

const struct ss_unit *as_ss_unit(struct as_slice name)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(units); i++)
		if (as_slice_is(name, units[i].name))
			return &units[i];
	return NULL;
}

bool as_ss_value(struct as_ss *ss, struct as_slice text, int64_t *v)
{
	bool exact;

	if (!as_pull_scaled(text, ss->at.unit->exponent, v, &exact)) {
		ss->n_range++;
		return false;
	}
	ss->n_rounded += !exact;
	return true;
}

/* Most weights are like the one before. */
static bool take_weight(struct as_ss *ss, struct as_slice text, int64_t *v)
{
	struct ss_profile *at = &ss->at;
	uint64_t rounded = ss->n_rounded;

	if (as_slice_eq(text, at->last)) {
		*v = at->last_value;
		return true;
	}
	if (!as_ss_value(ss, text, v))
		return false;
	at->last.len = 0;
	if (text.len <= sizeof(at->last_text) && ss->n_rounded == rounded) {
		memcpy(at->last_text, text.p, text.len);
		at->last = (struct as_slice){at->last_text, text.len};
		at->last_value = *v;
	}
	return true;
}

/* ---- stacks ---- */

static enum as_code take_child(struct as_ss *ss, uint32_t parent, uint32_t frame, uint32_t *node)
{
	uint64_t hash = as_hash_mix(parent, frame), at = AS_INDEX_START;
	struct ss_node one = {parent, frame};

	while (as_index_find(&ss->nodes, hash, &at, node))
		if (ss->node.p[*node].parent == parent && ss->node.p[*node].frame == frame)
			return AS_OK;
	if (ss->node.n >= UINT32_MAX - 1)
		return as_rd_fail(ss->rd, AS_E_LIMIT, AS_OFF_NONE, 0, "more than 2^32 call paths");
	*node = (uint32_t)ss->node.n;
	return as_err_memory(ss->rd->err,
		as_vec_push(ss->al, &ss->node, one) && as_index_add(&ss->nodes, hash, *node));
}

/* The number of a frame. */
static bool take_frame(struct as_pull *j, uint32_t *frame)
{
	struct as_slice text;
	uint64_t v;
	bool negative;

	if (!as_pull_number(j, &text))
		return false;
	if (!as_pull_integer(text, &v, &negative) || negative || v >= UINT32_MAX)
		return as_pull_wrong(j, "the number of a frame was expected");
	*frame = (uint32_t)v;
	return true;
}

static enum as_code take_too_deep(struct as_ss *ss)
{
	return as_rd_fail(ss->rd, AS_E_LIMIT, as_json_in_off(&ss->in), 0,
		"the stack is deeper than %" PRIu64 " frames", ss->rd->lim.depth);
}

/* TEXT is an array of frames, the outermost first. What is wrong with it is wrong with J. */
static enum as_code speedscope_take_path(
	struct as_ss *ss, struct as_pull *j, struct as_slice text, uint32_t *node)
{
	uint64_t depth = 0;
	struct as_pull in;
	uint32_t frame = 0;

	as_pull_init(&in, text, NULL);
	as_pull_array(&in);
	*node = 0;
	while (as_pull_item(&in) && take_frame(&in, &frame)) {
		if (ss->rd->lim.depth && depth++ >= ss->rd->lim.depth)
			return take_too_deep(ss);
		AS_TRY(take_child(ss, *node, frame, node));
	}
	if (in.why) {
		j->p = in.p;
		as_pull_wrong(j, in.why);
	}
	return AS_OK;
}

/* Files have each stack again and again. */
static enum as_code speedscope_take_stack(
	struct as_ss *ss, struct as_pull *j, struct as_slice text, uint32_t *node)
{
	uint64_t hash = as_hash_bytes(text.p, text.len), at = AS_INDEX_START;
	struct ss_stack one;
	uint32_t row;

	while (as_index_find(&ss->stacks, hash, &at, &row))
		if (as_slice_eq(ss->stack.p[row].text, text)) {
			*node = ss->stack.p[row].node;
			return AS_OK;
		}
	AS_TRY(speedscope_take_path(ss, j, text, node));
	one = (struct ss_stack){as_arena_dup(&ss->arena, text), *node};
	row = (uint32_t)ss->stack.n;
	return as_err_memory(ss->rd->err, one.text.p && as_vec_push(ss->al, &ss->stack, one) &&
						  as_index_add(&ss->stacks, hash, row));
}

enum as_code as_ss_samples(struct as_ss *ss, struct as_pull *j)
{
	struct as_slice text;
	uint32_t node;

	as_pull_array(j);
	while (as_pull_item(j) && as_pull_flat(j, &text)) {
		AS_TRY(speedscope_take_stack(ss, j, text, &node));
		AS_TRY(as_err_memory(ss->rd->err, as_vec_push(ss->al, &ss->at.sample, node)));
	}
	ss->at.has_samples = true;
	return AS_OK;
}

/* ---- what begins a profile ---- */

/* Which of the profiles of that name it is, from 1: they can be of several threads that the file
 * does not tell apart. */
static enum as_code speedscope_take_number(struct as_ss *ss, struct as_slice name, uint64_t *number)
{
	*number = 1;
	for (size_t i = 0; i < ss->name.n; i++)
		*number += as_slice_eq(ss->name.p[i], name);
	return as_err_memory(ss->rd->err, as_vec_push(ss->al, &ss->name, name));
}

/* The events of the profile, by what the name says. */
static enum as_code take_columns(struct as_ss *ss, struct as_ss_name *name)
{
	struct ss_profile *at = &ss->at;
	bool named = name->event.len, plain;

	at->counts = !at->has_events && (!named || name->samples.len);
	if (!named) {
		name->event = as_slice_of(at->unit->event);
		name->samples = as_slice_of("samples");
	}
	AS_TRY(as_tally_event(&ss->tally, name->event, as_slice_of(at->unit->ours), &at->weight));
	plain = as_slice_is(name->event, "weight");
	if (plain && !named && at->counts)
		ss->plain = at->weight;
	else
		ss->plain_odd |= plain;
	return at->counts ? as_tally_event(
				    &ss->tally, name->samples, as_slice_of("count"), &at->samples)
			  : AS_OK;
}

enum as_code as_ss_begin(struct as_ss *ss)
{
	struct ss_profile *at = &ss->at;
	struct as_tally_thread thread;
	struct as_ss_name name;

	if (at->begun)
		return AS_OK;
	at->begun = true;
	as_ss_name(at->name, &name);
	thread = (struct as_tally_thread){.name = name.thread,
		.process = name.process,
		.pid = name.pid,
		.tid = name.tid,
		.has_pid = name.has_pid,
		.has_tid = name.has_tid};
	if (!name.has_pid && !name.has_tid && !name.event.len)
		AS_TRY(speedscope_take_number(ss, at->name, &thread.number));
	thread.number = thread.number > 1 ? thread.number : 0;
	AS_TRY(as_tally_thread(&ss->tally, &thread, &at->thread));
	return take_columns(ss, &name);
}

/* ---- samples ---- */

static enum as_code take_pass(struct as_ss *ss, int64_t value)
{
	if (!__builtin_add_overflow(ss->at.time, value, &ss->at.time))
		return AS_OK;
	return as_rd_fail(
		ss->rd, AS_E_LIMIT, as_json_in_off(&ss->in), 0, "the time is beyond 64 bits");
}

static enum as_code speedscope_take_sample(struct as_ss *ss, uint32_t row, int64_t value)
{
	struct ss_profile *at = &ss->at;
	struct as_tally_when when = {.time = at->time};
	const struct as_tally_when *known = at->unit->time ? &when : NULL;
	as_node node = {row};

	if (at->counts)
		AS_TRY(as_tally_add(&ss->tally, at->thread, at->samples, node, 1, known));
	ss->plain_odd |= value != 1;
	ss->n_negative += value < 0;
	when.duration = value > 0 ? (uint64_t)value : 0;
	if (value)
		AS_TRY(as_tally_add(&ss->tally, at->thread, at->weight, node, value, known));
	return at->unit->time ? take_pass(ss, value) : AS_OK;
}

enum as_code as_ss_weights(struct as_ss *ss, struct as_pull *j)
{
	struct ss_profile *at = &ss->at;
	struct as_slice text;
	size_t i = 0;
	int64_t v;

	AS_TRY(as_ss_begin(ss));
	as_pull_array(j);
	for (; as_pull_item(j) && as_pull_number(j, &text); i++) {
		if (i >= at->sample.n)
			ss->n_unweighted++;
		else if (take_weight(ss, text, &v))
			AS_TRY(speedscope_take_sample(ss, at->sample.p[i], v));
	}
	at->has_weights = true;
	if (!j->why && i < at->sample.n)
		ss->n_unweighted += at->sample.n - i;
	return AS_OK;
}

/* ---- events ---- */

/* What has passed up to TIME is the innermost frame's. */
static enum as_code take_until(struct as_ss *ss, int64_t time)
{
	struct ss_profile *at = &ss->at;
	struct as_tally_when when = {.time = at->time};
	as_node node = {at->open.n ? at->open.p[at->open.n - 1] : 0};
	int64_t value;

	if (__builtin_sub_overflow(time, at->time, &value))
		return as_rd_fail(ss->rd, AS_E_LIMIT, as_json_in_off(&ss->in), 0,
			"the time is beyond 64 bits");
	if (value < 0) {
		ss->n_late++;
		return AS_OK;
	}
	when.duration = (uint64_t)value;
	at->time = time;
	if (!node.i || !value)
		return AS_OK;
	return as_tally_add(
		&ss->tally, at->thread, at->weight, node, value, at->unit->time ? &when : NULL);
}

/* The innermost of the frames that are open is closed; if it is another one, those inside of it,
 * too. */
static void take_close(struct as_ss *ss, uint32_t frame)
{
	struct ss_profile *at = &ss->at;
	size_t i = at->open.n;

	while (i && ss->node.p[at->open.p[i - 1]].frame != frame)
		i--;
	ss->n_unnested += i != at->open.n || !i;
	at->open.n = i ? i - 1 : at->open.n;
}

struct take_event {
	struct as_slice type;
	char is; /* 'O', 'C', or 0 */
	uint32_t frame;
	bool has_frame, has_at;
	int64_t at;
};

static bool take_event_member(
	struct as_ss *ss, struct as_pull *j, struct as_slice key, struct take_event *e)
{
	struct as_slice text;

	if (as_slice_is(key, "type")) {
		if (!as_pull_text(j, &text))
			return false;
		e->is = (char)(as_slice_is(text, "O") ? 'O' : as_slice_is(text, "C") ? 'C' : 0);
		return e->is || as_pull_wrong(j, "'O' or 'C' was expected");
	}
	if (as_slice_is(key, "frame"))
		return e->has_frame = take_frame(j, &e->frame);
	if (!as_slice_is(key, "at"))
		return as_pull_skip(j);
	return as_pull_number(j, &text) && (e->has_at = as_ss_value(ss, text, &e->at), true);
}

static enum as_code speedscope_take_event(struct as_ss *ss, struct as_pull *j, bool *first)
{
	struct ss_profile *at = &ss->at;
	struct take_event e = {.is = 0};
	struct as_slice key;
	uint32_t node;

	as_pull_object(j);
	while (as_pull_key(j, &key) && take_event_member(ss, j, key, &e))
		;
	if (j->why || !e.has_at)
		return AS_OK;
	if (!e.is || !e.has_frame) {
		as_pull_wrong(j, "an event has a type, a frame and a time");
		return AS_OK;
	}
	if (*first)
		at->time = e.at;
	*first = false;
	AS_TRY(take_until(ss, e.at));
	if (e.is == 'C') {
		take_close(ss, e.frame);
		return AS_OK;
	}
	if (ss->rd->lim.depth && at->open.n >= ss->rd->lim.depth)
		return take_too_deep(ss);
	AS_TRY(take_child(ss, at->open.n ? at->open.p[at->open.n - 1] : 0, e.frame, &node));
	return as_err_memory(ss->rd->err, as_vec_push(ss->al, &at->open, node));
}

enum as_code as_ss_events(struct as_ss *ss, struct as_pull *j)
{
	bool first = true;

	ss->at.has_events = true;
	AS_TRY(as_ss_begin(ss));
	as_pull_array(j);
	while (as_pull_item(j))
		AS_TRY(speedscope_take_event(ss, j, &first));
	return AS_OK;
}

enum as_code as_ss_close(struct as_ss *ss)
{
	struct ss_profile *at = &ss->at;

	ss->n_open += at->open.n;
	if (at->open.n && at->has_end && at->end_time > at->time)
		AS_TRY(take_until(ss, at->end_time));
	at->open.n = 0;
	return AS_OK;
}
