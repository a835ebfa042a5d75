/* SPDX-License-Identifier: Apache-2.0 */
/* An event: whose it is, what it is called, and when it was. docs/formats/traceevent.md §1. */
#include "formats/traceevent/traceevent.h"

/* ---- values ---- */

struct as_slice as_te_id(struct as_pull *j)
{
	struct as_slice text = {"", 0};

	if (as_pull_peek(j) == AS_PULL_TEXT)
		as_pull_text(j, &text);
	else if (as_pull_peek(j) == AS_PULL_NUMBER)
		as_pull_number(j, &text);
	else
		as_pull_skip(j);
	return j->why ? as_slice_of("") : text;
}

bool as_te_time(struct as_te *te, struct as_pull *j, int64_t *out)
{
	struct as_slice text = as_te_id(j);
	bool exact;

	if (!as_pull_scaled(text, 3, out, &exact))
		return false;
	te->odd.rounded += !exact;
	return true;
}

enum as_code as_te_node(struct as_te *te, as_node parent, as_str name, as_node *out)
{
	struct as_build *b = te->rd->out;
	struct as_func_row row = {.name = name};
	struct as_pos pos = {.line = 0};
	as_place place;

	AS_TRY(as_build_func_row(b, &row, &pos.func));
	AS_TRY(as_build_place(b, &pos, &place));
	return as_build_push(b, parent, place, out);
}

/* ---- threads ---- */

static enum as_code event_thread_find(
	struct as_te *te, struct as_slice pid, struct as_slice tid, uint32_t *row)
{
	uint64_t hash = as_hash_mix(as_hash_bytes(pid.p, pid.len), as_hash_bytes(tid.p, tid.len));
	struct te_thread one = {.in_tally = AS_TE_NONE, .name = {"", 0}};
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&te->threads, hash, &at, row))
		if (as_slice_eq(te->thread.p[*row].pid, pid) &&
			as_slice_eq(te->thread.p[*row].tid, tid))
			return AS_OK;
	*row = (uint32_t)te->thread.n;
	one.process = *row;
	one.pid = as_arena_dup(&te->arena, pid);
	one.tid = as_arena_dup(&te->arena, tid);
	return as_err_memory(te->rd->err, one.pid.p && one.tid.p &&
						  as_vec_push(te->al, &te->thread, one) &&
						  as_index_add(&te->threads, hash, *row));
}

enum as_code as_te_thread(struct as_te *te, struct as_slice pid, struct as_slice tid, uint32_t *row)
{
	uint32_t process;

	AS_TRY(event_thread_find(te, pid, as_slice_of(""), &process));
	AS_TRY(event_thread_find(te, pid, tid, row));
	te->thread.p[*row].process = process;
	return AS_OK;
}

/* A number of 32 bits. */
static bool event_number(struct as_slice text, uint32_t *out)
{
	bool negative;
	uint64_t v;

	if (!as_pull_integer(text, &v, &negative) || negative || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

/* Ids that are no numbers are names where there are no others. */
enum as_code as_te_in_tally(struct as_te *te, uint32_t row, uint32_t *thread)
{
	const struct te_thread *t = &te->thread.p[row];
	struct as_tally_thread one = {.name = t->name, .process = te->thread.p[t->process].name};

	as_assert(row < te->thread.n);
	one.has_pid = event_number(t->pid, &one.pid);
	one.has_tid = event_number(t->tid, &one.tid);
	if (!one.name.len && !one.has_tid)
		one.name = t->tid;
	if (!one.process.len && !one.has_pid)
		one.process = t->pid;
	if (t->in_tally == AS_TE_NONE)
		AS_TRY(as_tally_thread(&te->tally, &one, &te->thread.p[row].in_tally));
	*thread = te->thread.p[row].in_tally;
	return AS_OK;
}

/* ---- an event ---- */

struct event {
	struct as_slice phase, name, category, pid, tid, id, local, args;
	int64_t time, duration, cpu_duration;
	bool has_name, has_time, has_duration, has_cpu_duration;
};

/* {"local": "0x1"} or {"global": "0x1"}: the first is of the process. */
static void event_id2(struct as_pull *j, struct event *e)
{
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "local"))
			e->local = as_te_id(j);
		else
			e->id = as_te_id(j);
	}
}

static void event_member(struct as_te *te, struct as_pull *j, struct as_slice key, struct event *e)
{
	if (as_slice_is(key, "ph"))
		e->phase = as_te_id(j);
	else if (as_slice_is(key, "name"))
		e->name = as_te_id(j);
	else if (as_slice_is(key, "pid"))
		e->pid = as_te_id(j);
	else if (as_slice_is(key, "tid"))
		e->tid = as_te_id(j);
	else if (as_slice_is(key, "cat"))
		e->category = as_te_id(j);
	else if (as_slice_is(key, "id"))
		e->id = as_te_id(j);
	else if (as_slice_is(key, "id2") && as_pull_peek(j) == AS_PULL_OBJECT)
		event_id2(j, e);
	else if (as_slice_is(key, "ts"))
		e->has_time = as_te_time(te, j, &e->time);
	else if (as_slice_is(key, "dur"))
		e->has_duration = as_te_time(te, j, &e->duration);
	else if (as_slice_is(key, "tdur"))
		e->has_cpu_duration = as_te_time(te, j, &e->cpu_duration);
	else if (as_slice_is(key, "args"))
		as_pull_raw(j, &e->args);
	else
		as_pull_skip(j);
}

/* Names of threads and processes; the last one holds. */
static enum as_code event_metadata(struct as_te *te, const struct event *e)
{
	bool process = as_slice_is(e->name, "process_name");
	struct as_slice key, name = {"", 0};
	struct as_pull j;
	uint32_t row;

	if ((!process && !as_slice_is(e->name, "thread_name")) || !e->args.len)
		return AS_OK;
	as_pull_init(&j, e->args, &te->escaped);
	if (as_pull_peek(&j) != AS_PULL_OBJECT)
		return AS_OK;
	as_pull_object(&j);
	while (as_pull_key(&j, &key)) {
		if (as_slice_is(key, "name"))
			name = as_te_id(&j);
		else
			as_pull_skip(&j);
	}
	AS_TRY(as_te_thread(te, e->pid, process ? as_slice_of("") : e->tid, &row));
	if (process)
		row = te->thread.p[row].process;
	te->thread.p[row].name = as_arena_dup(&te->arena, name);
	return as_err_memory(te->rd->err, te->thread.p[row].name.p);
}

/* How long it was. Few files have the time of the processor alone. */
static int64_t event_duration(struct as_te *te, const struct event *e)
{
	int64_t d = e->has_duration ? e->duration : e->has_cpu_duration ? e->cpu_duration : -1, end;

	if (d >= 0 && !__builtin_add_overflow(e->time, d, &end))
		return d;
	te->odd.duration++;
	return 0;
}

static enum as_code event_call(struct as_te *te, const struct event *e)
{
	struct te_event one = {.time = e->time, .phase = e->phase.p[0], .named = e->name.len};

	if (!e->has_time) {
		te->odd.time++;
		return AS_OK;
	}
	if (one.phase == 'X')
		one.duration = event_duration(te, e);
	AS_TRY(as_te_thread(te, e->pid, e->tid, &one.thread));
	AS_TRY(as_build_str(te->rd->out,
		e->name.len || one.phase == 'E' ? e->name : as_slice_of("(anonymous)"), &one.name));
	if (te->event.n >= UINT32_MAX - 1)
		return as_rd_fail(
			te->rd, AS_E_LIMIT, as_json_in_off(&te->in), 0, "more than 2^32 events");
	return as_err_memory(te->rd->err, as_vec_push(te->al, &te->event, one));
}

static enum as_code event_v8(
	struct as_te *te, const struct event *e, struct as_slice text, uint64_t off)
{
	struct te_v8_event one = {.pid = e->pid,
		.id = e->id,
		.args = e->args,
		.time = e->time,
		.off = off + (uint64_t)(e->args.p - text.p),
		.begins = as_slice_is(e->name, "Profile")};

	AS_TRY(as_te_thread(te, e->pid, e->tid, &one.thread));
	return as_te_v8_event(te, &one);
}

static bool event_is_v8(const struct event *e)
{
	return e->args.len &&
	       (as_slice_is(e->name, "Profile") || as_slice_is(e->name, "ProfileChunk") ||
		       as_slice_is(e->name, "CpuProfile"));
}

static enum as_code event_marker(struct as_te *te, const struct event *e, char phase)
{
	struct te_marker_event one = {.pid = e->pid,
		.tid = e->tid,
		.category = e->category,
		.id = e->id,
		.name = e->name,
		.time = e->time,
		.phase = phase,
		.has_time = e->has_time};

	if (e->local.len) {
		one.id = as_arena_printf(&te->escaped, "%.*s local %.*s", AS_SLICE_FMT(e->pid),
			AS_SLICE_FMT(e->local));
		AS_TRY(as_err_memory(te->rd->err, one.id.p));
	}
	return as_te_marker(te, &one);
}

enum as_code as_te_event(struct as_te *te, struct as_slice text, uint64_t off)
{
	struct as_slice none = {"", 0}, key;
	struct event e = {.phase = none,
		.name = none,
		.category = none,
		.pid = none,
		.tid = none,
		.id = none,
		.local = none};
	uint64_t rounded = te->odd.rounded;
	struct as_pull j;
	char phase;

	as_arena_release(&te->escaped);
	as_pull_init(&j, text, &te->escaped);
	as_pull_object(&j);
	while (as_pull_key(&j, &key))
		event_member(te, &j, key, &e);
	if (j.no_memory)
		return as_err_no_memory(te->rd->err);
	phase = (char)(e.phase.len == 1 ? e.phase.p[0] : 0);
	if (phase == 'B' || phase == 'E' || phase == 'X')
		return event_call(te, &e);
	if ((phase == 'P' || phase == 'I') && event_is_v8(&e)) {
		te->odd.rounded = rounded;
		return event_v8(te, &e, text, off);
	}
	if (as_te_marker_phase(phase) && te->rd->out->keep_markers)
		return event_marker(te, &e, as_te_marker_phase(phase));
	te->odd.rounded = rounded;
	if (phase == 'M')
		return event_metadata(te, &e);
	te->odd.other++;
	te->rd->out->prof->moments.markers_left += as_te_marker_phase(phase) != 0;
	return AS_OK;
}
