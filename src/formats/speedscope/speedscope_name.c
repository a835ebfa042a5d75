/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name of a profile is the only place where a file may say of which process, thread and event
 * it is. docs/formats/speedscope.md §4.
 */
#include "formats/speedscope/speedscope.h"

/* Moves over TEXT, which S begins with. */
static bool name_take(struct as_slice *s, const char *text)
{
	if (!as_slice_starts(*s, text))
		return false;
	*s = as_slice_skip(*s, strlen(text));
	return true;
}

static bool name_take_id(struct as_slice *s, uint32_t *id)
{
	uint64_t v;

	if (!as_slice_take_dec(s, &v) || v > UINT32_MAX)
		return false;
	*id = (uint32_t)v;
	return true;
}

/* Where in S the last TEXT begins; its length if there is none. */
static size_t name_last(struct as_slice s, const char *text)
{
	size_t found = s.len, at = 0;

	for (;;) {
		at += as_slice_find_text(as_slice_skip(s, at), text);
		if (at >= s.len)
			return found;
		found = at++;
	}
}

/* `Process 1 Thread 2 "name"`, as py-spy and rbspy write it. */
static bool name_of_spy(struct as_slice s, struct as_ss_name *out)
{
	if (!name_take(&s, "Process ") || !name_take_id(&s, &out->pid) ||
		!name_take(&s, " Thread ") || !name_take_id(&s, &out->tid))
		return false;
	out->has_pid = out->has_tid = true;
	out->thread = as_slice_of("");
	if (name_take(&s, " \"") && as_slice_ends(s, "\""))
		out->thread = (struct as_slice){s.p, s.len - 1};
	return true;
}

/* "name pid: 1 tid: 2": what speedscope makes of text of perf script, and what we write. */
static bool name_of_perf(struct as_slice all, struct as_ss_name *out)
{
	struct as_slice s = all;
	size_t at = name_last(s, "pid: "), tid = name_last(s, "tid: ");

	at = at < s.len ? at : tid;
	if (at == s.len || (at && s.p[at - 1] != ' '))
		return false;
	s = as_slice_skip(s, at);
	out->has_pid = name_take(&s, "pid: ");
	if (out->has_pid && (!name_take_id(&s, &out->pid) || (s.len && !name_take(&s, " "))))
		return false;
	out->has_tid = s.len > 0;
	if (s.len && (!name_take(&s, "tid: ") || !name_take_id(&s, &out->tid) || s.len))
		return false;
	out->thread = (struct as_slice){all.p, at ? at - 1 : 0};
	return true;
}

/* "process (pid 1), thread (tid 2)", "name (pid 1, tid 2)", "pid 1, tid 2": what speedscope makes
 * of traces. */
static bool name_of_trace(struct as_slice all, struct as_ss_name *out)
{
	struct as_slice s = all;
	size_t at = name_last(s, "pid "), tid = name_last(s, "tid ");
	bool bare = !at, two;

	if (at == s.len || tid == s.len ||
		(!bare && (at < 2 || s.p[at - 1] != '(' || s.p[at - 2] != ' ')))
		return false;
	s = as_slice_skip(s, at + 4);
	if (!name_take_id(&s, &out->pid))
		return false;
	out->thread = (struct as_slice){all.p, bare ? 0 : at - 2};
	two = !bare && name_take(&s, "), ");
	if (two) {
		out->process = out->thread;
		tid = name_last(s, " (tid ");
		if (tid == s.len)
			return false;
		out->thread = (struct as_slice){s.p, tid};
		s = as_slice_skip(s, tid + 2);
	} else if (!name_take(&s, ", ")) {
		return false;
	}
	out->has_pid = out->has_tid = true;
	return name_take(&s, "tid ") && name_take_id(&s, &out->tid) &&
	       (bare || name_take(&s, ")")) && !s.len;
}

void as_ss_name(struct as_slice text, struct as_ss_name *out)
{
	static bool (*const scheme[])(struct as_slice, struct as_ss_name *) = {
		name_of_spy, name_of_perf, name_of_trace};
	struct as_slice nothing = as_slice_of("");
	struct as_ss_name none = {
		.thread = text, .process = nothing, .event = nothing, .samples = nothing};
	size_t at = as_slice_find_text(text, AS_SS_EVENT), samples;

	if (at < text.len) {
		none.event = as_slice_skip(text, at + strlen(AS_SS_EVENT));
		samples = as_slice_find_text(none.event, AS_SS_SAMPLES);
		if (samples < none.event.len) {
			none.samples = as_slice_skip(none.event, samples + strlen(AS_SS_SAMPLES));
			none.event.len = samples;
		}
		text.len = at;
		if (as_slice_ends(text, AS_SS_AGGREGATED))
			text.len -= strlen(AS_SS_AGGREGATED);
		none.thread = text;
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(scheme); i++) {
		*out = none;
		if (scheme[i](text, out))
			return;
	}
	*out = none;
}
