/* SPDX-License-Identifier: Apache-2.0 */
/* When threads did not run. docs/formats/perfscript.md §7. */
#include "formats/perfscript/perfscript.h"

enum ps_role as_ps_role(struct as_slice event)
{
	struct as_slice name = {event.p, as_slice_find(event, ':')};

	if (as_slice_is(event, "sched:sched_switch"))
		return PS_SWITCHES;
	if (as_slice_is(event, "sched:sched_wakeup"))
		return PS_WAKES;
	if (as_slice_is(name, "context-switches") || as_slice_is(name, "cs"))
		return PS_LEAVES;
	return as_slice_is(name, "offcpu-time") ? PS_OFF : PS_COUNTS;
}

/* ---- what tracepoints say ---- */

/* What stands behind the last KEY in TEXT: names of threads may hold it, too. */
static bool switch_behind(struct as_slice text, const char *key, struct as_slice *word)
{
	bool found = false;

	for (;;) {
		size_t at = as_slice_find_text(text, key);

		if (at == text.len)
			return found;
		text = as_slice_skip(text, at + strlen(key));
		*word = (struct as_slice){text.p, as_slice_find(text, ' ')};
		found = true;
	}
}

static bool switch_tid(struct as_slice text, uint32_t *tid)
{
	uint64_t v;

	if (!as_slice_dec(text, &v) || v > UINT32_MAX)
		return false;
	*tid = (uint32_t)v;
	return true;
}

/* "waits:12 [120]", as perf's own plugin has it, with what stands behind that. */
static bool switch_short(struct as_slice text, uint32_t *tid, struct as_slice *behind)
{
	struct as_slice left = {text.p, 0}, word;
	size_t at;

	if (!switch_behind(text, " [", &word))
		return false;
	left.len = (size_t)(word.p - text.p) - 2;
	for (at = left.len; at && left.p[at - 1] != ':'; at--)
		;
	*behind = as_slice_skip(word, word.len);
	behind->len = (size_t)(text.p + text.len - behind->p);
	*behind = as_slice_trim(*behind);
	return at && switch_tid(as_slice_skip(left, at), tid);
}

/* "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120", or
 * "a:1 [120] S ==> b:2 [120]". */
static bool switch_both(struct as_slice text, struct ps_switch *at)
{
	static const char arrow[] = " ==> ";
	size_t cut = as_slice_find_text(text, arrow);
	struct as_slice prev = {text.p, cut}, next = as_slice_skip(text, cut), word, rest;

	if (!switch_behind(prev, " prev_pid=", &word)) {
		if (!switch_short(prev, &at->prev, &word) || !switch_short(next, &at->next, &rest))
			return false;
		at->state = as_off_state_of_letters(word);
		return true;
	}
	if (!switch_tid(word, &at->prev) || !switch_behind(prev, " prev_state=", &word))
		return false;
	at->state = as_off_state_of_letters(word);
	return switch_behind(next, " next_pid=", &word) && switch_tid(word, &at->next);
}

/* "comm=a pid=1 prio=120 target_cpu=001", or "a:1 [120] success=1 CPU:001". */
static bool perfscript_switch_woken(struct as_slice text, uint32_t *tid)
{
	struct as_slice word;

	if (switch_behind(text, " pid=", &word))
		return switch_tid(word, tid);
	return switch_short(text, tid, &word);
}

void as_ps_switch_text(struct as_ps *ps, enum ps_role role, struct as_slice rest)
{
	struct ps_switch at = {.told = false};

	if (role == PS_SWITCHES)
		at.told = switch_both(rest, &at);
	if (role == PS_WAKES)
		at.told = perfscript_switch_woken(rest, &at.prev);
	ps->at = at;
}

/* ---- stretches ---- */

static enum as_code switch_event(struct as_ps *ps)
{
	struct as_slice name = as_slice_of(AS_OFF_CPU);

	if (ps->off_event == PS_NONE)
		AS_TRY(as_ps_event(ps, name, &ps->off_event));
	return AS_OK;
}

/* The stack of the chain, at which the thread leaves. */
static enum as_code switch_stack(struct as_ps *ps, uint32_t *row)
{
	*row = AS_OFF_NO_STACK;
	AS_TRY(switch_event(ps));
	return ps->chain.n ? as_ps_stack(ps, ps->off_event, row) : AS_OK;
}

/* That of which nothing is known; the chain stays. */
static enum as_code switch_unknown(struct as_ps *ps)
{
	struct ps_link link = {.source = PS_NONE};
	size_t n = ps->chain.n;
	enum as_code rc;

	if (ps->off_unknown != PS_NONE)
		return AS_OK;
	AS_TRY(as_ps_intern(ps, PS_FRAME, as_slice_of("0 [unknown] ([unknown])"), &link.text));
	AS_TRY(as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->chain, link)));
	ps->chain.p += n;
	ps->chain.n = 1;
	rc = as_ps_stack(ps, ps->off_event, &ps->off_unknown);
	ps->chain.p -= n;
	ps->chain.n = n;
	return rc;
}

/* LENGTH nanoseconds, from WHEN on if that is known, of THREAD at stack ROW. */
static enum as_code switch_put(struct as_ps *ps, uint32_t thread, enum as_off_state state,
	uint32_t row, uint64_t length, const struct as_tally_when *when)
{
	struct as_tally_thread who = ps->tally.thread.p[thread];
	struct ps_event *ev = &ps->event.p[ps->off_event];
	struct ps_stack *stack = &ps->stack.p[row];

	as_assert(thread < ps->tally.thread.n);
	if (ev->weight == PS_NONE)
		AS_TRY(as_tally_event(&ps->tally, as_slice_of(AS_OFF_CPU),
			as_slice_of("nanoseconds"), &ev->weight));
	who.state = as_off_state_name(state);
	if (!as_rd_takes_stacks(ps->rd)) {
		AS_TRY(as_tally_thread(&ps->tally, &who, &thread));
		return as_tally_add(&ps->tally, thread, ev->weight, stack->node, length, when);
	}
	stack->weight += length;
	if (!when)
		return AS_OK;
	if (!ps->n_moments || when->time < ps->begins)
		ps->begins = when->time;
	if (!ps->n_moments || when->time + (int64_t)length > ps->ends)
		ps->ends = when->time + (int64_t)length;
	ps->n_moments++;
	return AS_OK;
}

static enum as_code perfscript_switch_add(struct as_ps *ps, const struct as_off_stretch *s)
{
	struct as_tally_when when = {.time = (int64_t)s->since, .duration = s->length};
	uint32_t row = s->stack;

	if (row == AS_OFF_NO_STACK) {
		AS_TRY(switch_unknown(ps));
		row = ps->off_unknown;
	}
	return switch_put(ps, s->who, s->state, row, s->length, &when);
}

static enum as_code perfscript_switch_come(struct as_ps *ps, uint32_t tid, uint64_t time)
{
	struct as_off_stretch stretch;

	return as_off_come(&ps->off, tid, time, &stretch) ? perfscript_switch_add(ps, &stretch)
							  : AS_OK;
}

/* ---- samples ---- */

/* A sample that stands for several switches: those before it are not known. */
static enum as_code switch_some(struct as_ps *ps)
{
	uint32_t row;

	ps->off_sampled = true;
	if (!ps->n_switches)
		as_off_lost(&ps->off);
	AS_TRY(switch_stack(ps, &row));
	return as_err_memory(ps->rd->err, as_off_stack(&ps->off, ps->head.tid, row));
}

static enum as_code perfscript_switch_trace(struct as_ps *ps)
{
	const struct ps_head *h = &ps->head;
	struct as_off_leave leave = {.tid = ps->at.told ? ps->at.prev : h->tid,
		.who = ps->of_thread,
		.time = (uint64_t)h->time,
		.state = AS_OFF_WAITING,
		.source = AS_OFF_TRACE};
	bool told =
		ps->at.told && (!h->has_tid || as_off_is_nobody(h->tid) || ps->at.prev == h->tid);

	if (h->has_period && h->period != 1)
		return switch_some(ps);
	AS_TRY(switch_stack(ps, &leave.stack));
	if (told)
		leave.state = ps->at.state;
	if (told && h->has_cpu)
		AS_TRY(as_err_memory(
			ps->rd->err, as_off_chain(&ps->off, h->cpu, ps->at.prev, ps->at.next)));
	AS_TRY(as_err_memory(ps->rd->err, as_off_leave(&ps->off, &leave)));
	return told ? perfscript_switch_come(ps, ps->at.next, leave.time) : AS_OK;
}

static enum as_code switch_wake(struct as_ps *ps)
{
	struct as_off_stretch stretch;

	if (!ps->at.told || (ps->head.has_period && ps->head.period != 1) ||
		!as_off_wake(&ps->off, ps->at.prev, (uint64_t)ps->head.time, &stretch))
		return AS_OK;
	return perfscript_switch_add(ps, &stretch);
}

/* perf's own count, which ends at the sample's time. */
static enum as_code perfscript_switch_counted(struct as_ps *ps)
{
	const struct ps_head *h = &ps->head;
	struct as_tally_when when = {.duration = h->period};
	bool timed = h->has_time && h->period <= (uint64_t)h->time;
	uint32_t row;

	if (!h->period)
		return AS_OK;
	AS_TRY(switch_event(ps));
	AS_TRY(as_ps_stack(ps, ps->off_event, &row));
	when.time = timed ? h->time - (int64_t)h->period : 0;
	return switch_put(ps, ps->of_thread, AS_OFF_WAITING, row, h->period, timed ? &when : NULL);
}

enum as_code as_ps_switch_sample(struct as_ps *ps, enum ps_role role)
{
	uint32_t row;

	if (role == PS_OFF)
		return perfscript_switch_counted(ps);
	if (!ps->head.has_time)
		return AS_OK;
	if (role == PS_SWITCHES)
		return perfscript_switch_trace(ps);
	if (role == PS_WAKES)
		return switch_wake(ps);
	if (!ps->head.has_tid)
		return AS_OK;
	AS_TRY(switch_stack(ps, &row));
	return as_err_memory(ps->rd->err, as_off_stack(&ps->off, ps->head.tid, row));
}

/* ---- records ---- */

/* "(7:12):(7:7)": thread 12. */
static enum as_code switch_task(struct as_ps *ps, struct as_slice text, bool again)
{
	size_t at = as_slice_find(text, ':');
	struct as_slice id = as_slice_skip(text, at < text.len ? at + 1 : at);
	uint32_t tid;

	id.len = as_slice_find(id, ')');
	if (!switch_tid(id, &tid))
		return AS_OK;
	AS_TRY(as_ps_end_sample(ps));
	return as_err_memory(ps->rd->err, as_off_end(&ps->off, tid, again));
}

/* "PERF_RECORD_SWITCH OUT preempt", behind the thread and the time. */
static enum as_code switch_record(struct as_ps *ps, struct as_slice line, struct as_slice text)
{
	struct as_off_leave leave = {.stack = AS_OFF_NO_STACK, .source = AS_OFF_RECORD};
	struct as_tally_thread thread = {.process = as_slice_of("")};
	struct as_slice word;
	struct ps_head h;

	if (!as_ps_head(line, &h) || !h.has_time || !h.has_tid || as_off_is_nobody(h.tid))
		return AS_OK;
	AS_TRY(as_ps_end_sample(ps));
	AS_TRY(switch_event(ps));
	ps->n_switches++;
	leave.tid = h.tid;
	leave.time = (uint64_t)h.time;
	(void)as_slice_word(&text, &word);
	if (!as_slice_word(&text, &word) || !as_slice_is(word, "OUT"))
		return perfscript_switch_come(ps, h.tid, leave.time);
	leave.state = as_slice_word(&text, &word) && as_slice_is(word, "preempt") ? AS_OFF_RUNNABLE
										  : AS_OFF_WAITING;
	thread.name = h.comm;
	thread.pid = h.pid;
	thread.tid = h.tid;
	thread.has_pid = h.has_pid;
	thread.has_tid = true;
	AS_TRY(as_tally_thread(&ps->tally, &thread, &leave.who));
	return as_err_memory(ps->rd->err, as_off_leave(&ps->off, &leave));
}

enum as_code as_ps_switch_record(struct as_ps *ps, struct as_slice line, struct as_slice record)
{
	if (as_slice_starts(record, "PERF_RECORD_SWITCH"))
		return switch_record(ps, line, record);
	if (as_slice_starts(record, "PERF_RECORD_EXIT("))
		return switch_task(ps, record, false);
	if (as_slice_starts(record, "PERF_RECORD_FORK("))
		return switch_task(ps, record, true);
	if (as_slice_starts(record, "PERF_RECORD_LOST"))
		as_off_lost(&ps->off);
	return AS_OK;
}
