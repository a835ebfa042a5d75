/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/run_lines.h"

#include "base/date.h"
#include "formats/run_text.h"

#define PREFIX "assay: "

enum kind {
	COMMAND,
	PROCESS,
	THREAD,
	THREAD_ID,
	RECORDED,
	STARTED,
	FILTER,
	CLOCK,
	DURATION,
	CPU_TIME,
	THREADS,
	SAMPLES,
	SIGNALS,
	SQUARES,
	DEEP,
	BROKEN,
	UNSAMPLED,
	LOST,
	NO_TIMER,
	BY_TICK,
	COUNTED,
	STORED,
	UNKNOWN,
	GONE,
	THROTTLED,
	STOLEN,
	UNWATCHED,
	PERIOD,
	ACTIVE,
	ESTIMATED,
	N_KINDS
};

enum { META = 8 }; /* a line of metadata, beside AS_RUN_* */

/* KEPT: a text, as it stands; SHARE: of the time */
enum form { TEXT, KEPT, NUMBER, SECONDS, WORD, TALLY, MARK, EACH, SHARE, YES };

/* In the order in which they are written, the recorder's. */
static const struct {
	const char *key;
	enum form form;
	unsigned place; /* AS_RUN_*: where other formats have it; META; 0: the model */
	enum as_meta_of of;
} kinds[N_KINDS] = {
	[COMMAND] = {"command", TEXT, AS_RUN_PROCESS, 0},
	[PROCESS] = {"process", NUMBER, AS_RUN_PROCESS, 0},
	[THREAD] = {"thread", TEXT, 0, 0},
	[THREAD_ID] = {"thread id", NUMBER, AS_RUN_PROCESS, 0},
	[RECORDED] = {"recorded", KEPT, META, AS_META_OF_RUN},
	[STARTED] = {"started", SECONDS, AS_RUN_TIMES, 0},
	[FILTER] = {"filter", MARK, META, AS_META_OF_ALL},
	[CLOCK] = {"clock", WORD, META, AS_META_OF_ALL},
	[DURATION] = {"duration", SECONDS, AS_RUN_TIMES, 0},
	[CPU_TIME] = {"cpu time", SECONDS, META, AS_META_OF_RUN},
	[THREADS] = {"threads", TALLY, META, AS_META_OF_SAMPLES},
	[SAMPLES] = {"samples", NUMBER, META, AS_META_OF_SUM},
	[SIGNALS] = {"signals", NUMBER, META, AS_META_OF_SUM},
	[SQUARES] = {"squares of their samples", NUMBER, META, AS_META_OF_SUM},
	[DEEP] = {"samples of stacks too deep", NUMBER, META, AS_META_OF_SAMPLES},
	[BROKEN] = {"samples of stacks that break off", NUMBER, META, AS_META_OF_SAMPLES},
	[UNSAMPLED] = {"samples of threads that ended before them", NUMBER, META, AS_META_OF_COUNT},
	[LOST] = {"samples without a stack", NUMBER, META, AS_META_OF_SAMPLES},
	[NO_TIMER] = {"threads that could not be sampled", NUMBER, META, AS_META_OF_RUN},
	[BY_TICK] = {"threads that were sampled by the tick", NUMBER, META, AS_META_OF_RUN},
	/* the daemon's, of a segment */
	[COUNTED] = {"samples counted", NUMBER, META, AS_META_OF_SUM},
	[STORED] = {"samples stored", NUMBER, META, AS_META_OF_SUM},
	[UNKNOWN] = {"samples unknown", NUMBER, META, AS_META_OF_SUM},
	[GONE] = {"samples lost", NUMBER, META, AS_META_OF_SUM},
	[THROTTLED] = {"times throttled", NUMBER, META, AS_META_OF_SUM},
	[STOLEN] = {"nanoseconds stolen", NUMBER, META, AS_META_OF_SUM},
	[UNWATCHED] = {"nanoseconds unwatched", NUMBER, META, AS_META_OF_SUM},
	/* of an event, always */
	[PERIOD] = {"period", EACH, AS_RUN_EVENTS, 0},
	[ACTIVE] = {"active", SHARE, AS_RUN_EVENTS, 0},
	[ESTIMATED] = {"estimated", YES, AS_RUN_EVENTS, 0},
};

#define OF " of " /* between the key and an event's name */
enum { ACTIVE_ALL = 10000 };

/* What may be said of one of several events. */
static bool run_lines_has_event(enum kind k)
{
	return k >= PERIOD || (k >= COUNTED && k <= GONE);
}

static const char *const expected[] = {
	[TEXT] = "a text in which '%' begins two hexadecimal digits",
	[KEPT] = "a text in which '%' begins two hexadecimal digits",
	[NUMBER] = "a decimal number below 2^64",
	[SECONDS] = "seconds with at most nine digits behind the point, below 2^63 nanoseconds",
	[WORD] = "'cpu' or 'wall'",
	[MARK] = "'filter_in_thread'",
	[TALLY] = "a number of threads, one of samples, and the threads' name",
	[EACH] = "a number and what is counted, of an event that there is",
	[SHARE] = "ten-thousandths of the time, 1 to 9999, of an event that there is",
	[YES] = "'yes', of an event that there is",
};

/* The event that KEY speaks of; p == NULL: it is of all. */
static struct as_slice run_lines_event_of(struct as_slice key)
{
	size_t at = as_slice_find_text(key, OF);

	return at < key.len ? as_slice_skip(key, at + strlen(OF)) : (struct as_slice){NULL, 0};
}

static enum kind run_lines_kind_of(struct as_slice key)
{
	struct as_slice event = run_lines_event_of(key);
	enum kind k = 0;

	while (k < N_KINDS && (!as_slice_is(key, kinds[k].key) || k >= PERIOD))
		k++;
	if (k < N_KINDS || !event.len)
		return k;
	key.len -= event.len + strlen(OF);
	for (k = 0; k < N_KINDS; k++)
		if (run_lines_has_event(k) && as_slice_is(key, kinds[k].key))
			break;
	return k;
}

/* ---- values ---- */

struct tally {
	uint64_t threads, samples;
	struct as_slice name; /* escaped */
};

static bool parse_tally(struct as_slice text, struct tally *t)
{
	struct as_slice word;

	if (!as_slice_cut(&text, ' ', &word) || !as_slice_dec(word, &t->threads))
		return false;
	word = (struct as_slice){text.p, as_slice_find(text, ' ')};
	if (word.len == text.len || !as_slice_dec(word, &t->samples))
		return false;
	t->name = as_slice_skip(text, word.len + 1);
	return true;
}

/* ---- reading ---- */

void as_run_begin(struct as_run_read *r, struct as_build *b, uint32_t part, unsigned asked)
{
	*r = (struct as_run_read){.b = b, .part = part, .kinds = asked};
	as_arena_init(&r->arena, b->prof->al);
}

void as_run_release(struct as_run_read *r)
{
	as_arena_release(&r->arena);
}

static enum as_code take_text(struct as_run_read *r, enum kind k, struct as_slice text)
{
	struct as_part *part = &r->b->prof->part.p[r->part];

	return as_build_str(r->b, text, k == COMMAND ? &part->command : &part->thread);
}

static void take_number(struct as_run_read *r, enum kind k, uint64_t v)
{
	struct as_part *part = &r->b->prof->part.p[r->part];

	if (k == PROCESS) {
		part->pid = v;
		part->has_pid = true;
	} else if (k == THREAD_ID) {
		part->tid = v;
		part->has_tid = true;
	}
}

/* *VALUE becomes what a writer would write, p == NULL if out of memory. False if it is none. */
static bool take_tally(struct as_run_read *r, struct as_slice *value)
{
	struct as_slice name, text;
	struct tally t;

	if (!parse_tally(*value, &t) || !as_run_unescape(&r->arena, t.name, &name))
		return false;
	text = name.p ? as_run_escape(&r->arena, name) : name;
	value->p = NULL;
	if (text.p)
		*value = as_arena_printf(&r->arena, "%" PRIu64 " %" PRIu64 " %.*s", t.threads,
			t.samples, AS_SLICE_FMT(text));
	r->n_threads =
		t.threads > UINT64_MAX - r->n_threads ? UINT64_MAX : r->n_threads + t.threads;
	if (t.threads)
		r->thread = name;
	return true;
}

static struct as_event *take_event(struct as_run_read *r, struct as_slice name)
{
	struct as_profile *prof = r->b->prof;

	for (size_t i = 0; i < prof->event.n; i++)
		if (as_slice_eq(as_str_get(prof, prof->event.p[i].name), name))
			return &prof->event.p[i];
	return NULL;
}

/* "100 events" */
static enum as_code take_period(
	struct as_run_read *r, struct as_slice name, struct as_slice value, bool *good)
{
	struct as_event *ev = take_event(r, name);
	struct as_slice number;

	*good = ev && as_slice_cut(&value, ' ', &number) && value.len &&
		as_slice_dec(number, &ev->period);
	return *good ? as_build_str(r->b, value, &ev->period_unit) : AS_OK;
}

static void take_active(
	struct as_run_read *r, struct as_slice name, struct as_slice value, bool *good)
{
	struct as_event *ev = take_event(r, name);
	uint64_t v;

	*good = ev && as_slice_dec(value, &v) && v > 0 && v < ACTIVE_ALL;
	if (*good)
		ev->active = (uint32_t)v;
}

static void take_estimated(
	struct as_run_read *r, struct as_slice name, struct as_slice value, bool *good)
{
	struct as_event *ev = take_event(r, name);

	*good = ev && as_slice_is(value, "yes");
	if (*good)
		ev->estimated = true;
}

/* *VALUE is one of K, of EVENT. A fact without a line of metadata goes into the model. */
static enum as_code run_lines_take(struct as_run_read *r, enum kind k, struct as_slice event,
	struct as_slice *value, bool *good)
{
	struct as_slice text = *value;
	int64_t nanos;
	uint64_t v;

	switch (kinds[k].form) {
	case TEXT:
		*good = value->len && as_run_unescape(&r->arena, *value, &text);
		if (*good && !text.p)
			return as_err_no_memory(r->b->err);
		return *good ? take_text(r, k, text) : AS_OK;
	case KEPT:
		*good = value->len && as_run_unescape(&r->arena, *value, &text);
		return text.p ? AS_OK : as_err_no_memory(r->b->err);
	case NUMBER:
		*good = as_slice_dec(*value, &v);
		if (*good)
			take_number(r, k, v);
		return AS_OK;
	case SECONDS:
		*good = as_run_seconds(*value, &nanos);
		if (*good && k == STARTED)
			r->started = nanos;
		else if (*good && k == DURATION)
			r->duration = nanos;
		return AS_OK;
	case WORD:
		*good = as_slice_is(*value, "cpu") || as_slice_is(*value, "wall");
		return AS_OK;
	case EACH:
		return take_period(r, event, *value, good);
	case SHARE:
		take_active(r, event, *value, good);
		return AS_OK;
	case YES:
		take_estimated(r, event, *value, good);
		return AS_OK;
	case MARK:
		*good = as_slice_is(*value, "filter_in_thread");
		return AS_OK;
	case TALLY:
		*good = take_tally(r, value);
		return as_err_memory(r->b->err, value->p);
	}
	return AS_OK;
}

static enum as_code run_lines_wrong(
	struct as_run_read *r, const char *why, struct as_slice found, enum as_said *said)
{
	r->expected = why;
	r->found = found;
	*said = AS_SAID_WRONG;
	return AS_OK;
}

enum as_code as_run_line(struct as_run_read *r, struct as_slice line, enum as_said *said)
{
	struct as_slice key = as_slice_skip(line, strlen(PREFIX)), value, whole;
	struct as_slice found;
	bool good = false;
	enum kind k;

	*said = AS_SAID_OTHER;
	if (!as_slice_starts(line, PREFIX))
		return AS_OK;
	key.len = as_slice_find(key, ':');
	whole = (struct as_slice){line.p, strlen(PREFIX) + key.len};
	value = as_slice_skip(line, whole.len);
	k = run_lines_kind_of(key);
	if (k == N_KINDS || !value.len || kinds[k].place & ~(r->kinds | META))
		return AS_OK;
	if (as_slice_ends(value, "\r"))
		value.len--;
	if (!as_slice_starts(value, ": "))
		return run_lines_wrong(r, expected[kinds[k].form], value, said);
	found = value = as_slice_skip(value, 2);
	if (k != THREADS && !run_lines_event_of(key).len && r->said >> k & 1)
		return run_lines_wrong(r, "it to be said once", value, said);
	AS_TRY(run_lines_take(r, k, run_lines_event_of(key), &value, &good));
	if (!good)
		return run_lines_wrong(r, expected[kinds[k].form], found, said);
	if (!run_lines_event_of(key).len)
		r->said |= UINT32_C(1) << k;
	r->has_clock |= k == CLOCK;
	r->has_started |= k == STARTED;
	r->has_duration |= k == DURATION;
	*said = AS_SAID_FACT;
	if (kinds[k].place != META)
		return AS_OK;
	return as_build_meta_of(r->b, r->part, whole, value, kinds[k].of);
}

/* One thread's samples are all there are. */
enum as_code as_run_end(struct as_run_read *r)
{
	if (r->n_threads != 1 || r->said >> THREAD & 1)
		return AS_OK;
	return take_text(r, THREAD, r->thread);
}

/* ---- writing ---- */

bool as_run_is_key(struct as_slice key)
{
	enum kind k;

	if (!as_slice_starts(key, PREFIX))
		return false;
	k = run_lines_kind_of(as_slice_skip(key, strlen(PREFIX)));
	return k < N_KINDS && kinds[k].place == META;
}

uint64_t as_run_count_metas(const struct as_profile *prof)
{
	uint64_t n = 0;

	for (size_t i = 0; i < prof->meta.n; i++)
		n += as_run_is_key(as_str_get(prof, prof->meta.p[i].key));
	return n;
}

struct writing {
	struct as_run_lines *rl;
	const struct as_profile *prof;
	const struct as_part *part; /* NULL: there are several */
	unsigned kinds;
	bool ok;
};

static void run_lines_add_key(struct writing *w, struct as_slice key, struct as_slice value)
{
	struct as_slice line = {NULL, 0};

	if (value.p && key.p)
		line = as_arena_printf(
			&w->rl->arena, PREFIX "%.*s: %.*s", AS_SLICE_FMT(key), AS_SLICE_FMT(value));
	if (line.p && w->kinds & AS_RUN_UTF8)
		line = as_run_escape_foreign(&w->rl->arena, line);
	w->ok = w->ok && line.p && as_vec_push(w->prof->al, &w->rl->line, line);
}

static void run_lines_add(struct writing *w, enum kind k, struct as_slice value)
{
	run_lines_add_key(w, as_slice_of(kinds[k].key), value);
}

static void add_number(struct writing *w, enum kind k, uint64_t v)
{
	run_lines_add(w, k, as_arena_printf(&w->rl->arena, "%" PRIu64, v));
}

static void add_seconds(struct writing *w, enum kind k, int64_t nanos)
{
	run_lines_add(w, k,
		as_arena_printf(&w->rl->arena, "%" PRId64 ".%09" PRId64, nanos / AS_RUN_SECOND,
			nanos % AS_RUN_SECOND));
}

static void add_metas(struct writing *w, enum kind k)
{
	const struct as_profile *prof = w->prof;

	for (size_t i = 0; i < prof->meta.n; i++) {
		struct as_slice key = as_str_get(prof, prof->meta.p[i].key);

		if (as_slice_starts(key, PREFIX) &&
			run_lines_kind_of(as_slice_skip(key, strlen(PREFIX))) == k)
			run_lines_add_key(w, as_slice_skip(key, strlen(PREFIX)),
				as_str_get(prof, prof->meta.p[i].text));
	}
}

/* Whether readers know the part's thread by the tallies: they have one thread, of its name. */
static bool do_tallies_tell(struct writing *w)
{
	const struct as_profile *prof = w->prof;
	struct as_slice name = {NULL, 0}, text;
	struct tally tally;
	uint64_t n = 0;

	for (size_t i = 0; i < prof->meta.n; i++) {
		if (!as_slice_is(as_str_get(prof, prof->meta.p[i].key), PREFIX "threads") ||
			!parse_tally(as_str_get(prof, prof->meta.p[i].text), &tally) ||
			!tally.threads)
			continue;
		n = tally.threads > UINT64_MAX - n ? UINT64_MAX : n + tally.threads;
		if (!as_run_unescape(&w->rl->arena, tally.name, &text))
			return false;
		w->ok = w->ok && text.p;
		name = text;
	}
	return n == 1 && as_slice_eq(name, as_str_get(prof, w->part->thread));
}

static void add_started(struct writing *w)
{
	struct as_slice epoch = as_str_get(w->prof, w->prof->epoch);
	int64_t nanos;

	if (!epoch.len)
		return;
	if (as_date_to_nanos(epoch, &nanos) && nanos >= 0)
		add_seconds(w, STARTED, nanos);
	else
		w->rl->lost_started = 1;
}

static void add_duration(struct writing *w)
{
	int64_t nanos = w->prof->duration;

	if (nanos > 0)
		add_seconds(w, DURATION, nanos);
	else
		w->rl->lost_duration = nanos != 0;
}

static void add_process(struct writing *w)
{
	const struct as_part *part = w->part;
	struct as_arena *ar = &w->rl->arena;

	if (part->command.i && w->kinds & AS_RUN_PROCESS)
		run_lines_add(w, COMMAND, as_run_escape(ar, as_str_get(w->prof, part->command)));
	if (part->has_pid && w->kinds & AS_RUN_PROCESS)
		add_number(w, PROCESS, part->pid);
	if (part->thread.i && !do_tallies_tell(w))
		run_lines_add(w, THREAD, as_run_escape(ar, as_str_get(w->prof, part->thread)));
	if (part->has_tid && w->kinds & AS_RUN_PROCESS)
		add_number(w, THREAD_ID, part->tid);
}

/* A name that would not be found again in such a line has none. */
static bool run_lines_is_name(struct as_slice name)
{
	for (size_t i = 0; i < name.len; i++)
		if (as_run_is_special((unsigned char)name.p[i]) || name.p[i] == ':' ||
			name.p[i] == ' ')
			return false;
	return name.len > 0;
}

/* Whether one period, of the first event that is a number, says them all. */
static bool run_lines_has_one_period(const struct as_profile *prof)
{
	uint32_t n = 0, counts = 0;
	bool first = false;

	for (size_t i = 0; i < prof->event.n; i++) {
		const struct as_event *ev = &prof->event.p[i];

		n += ev->period != 0;
		if (as_slice_is(as_str_get(prof, ev->unit), "count") && counts++ == 0)
			first = ev->period != 0;
	}
	return n == 0 || (n == 1 && (first || prof->event.n == 1));
}

static void run_lines_add_event(struct writing *w, const struct as_event *ev)
{
	struct as_slice name = as_str_get(w->prof, ev->name);
	struct as_slice unit = as_str_get(w->prof, ev->period_unit);
	struct as_arena *ar = &w->rl->arena;

	if (!run_lines_is_name(name))
		return;
	if (ev->period && !run_lines_has_one_period(w->prof) && run_lines_is_name(unit))
		run_lines_add_key(w, as_arena_printf(ar, "period" OF "%.*s", AS_SLICE_FMT(name)),
			as_arena_printf(ar, "%" PRIu64 " %.*s", ev->period, AS_SLICE_FMT(unit)));
	if (ev->active)
		run_lines_add_key(w, as_arena_printf(ar, "active" OF "%.*s", AS_SLICE_FMT(name)),
			as_arena_printf(ar, "%" PRIu32, ev->active));
	if (ev->estimated)
		run_lines_add_key(w, as_arena_printf(ar, "estimated" OF "%.*s", AS_SLICE_FMT(name)),
			as_slice_of("yes"));
}

/* The only part that labels did not split off; NULL if there are several. */
static const struct as_part *only_part(const struct as_profile *prof)
{
	for (size_t i = 1; i < prof->part.n; i++)
		if (!prof->part.p[i].n_labels)
			return NULL;
	return prof->part.n ? prof->part.p : NULL;
}

bool as_run_lines_make(struct as_run_lines *rl, const struct as_profile *prof, unsigned asked)
{
	struct writing w = {
		.rl = rl, .prof = prof, .part = only_part(prof), .kinds = asked, .ok = true};
	size_t before;

	*rl = (struct as_run_lines){.n_head = 0};
	as_arena_init(&rl->arena, prof->al);
	if (w.part)
		add_process(&w);
	add_metas(&w, RECORDED);
	if (asked & AS_RUN_TIMES)
		add_started(&w);
	if (w.part)
		add_metas(&w, FILTER);
	before = rl->line.n;
	if (w.part)
		add_metas(&w, CLOCK);
	rl->n_head = rl->line.n;
	rl->clock = rl->n_head > before;
	if (asked & AS_RUN_TIMES)
		add_duration(&w);
	for (enum kind k = CPU_TIME; w.part && k < PERIOD; k++)
		add_metas(&w, k);
	for (size_t i = 0; asked & AS_RUN_EVENTS && i < prof->event.n; i++)
		run_lines_add_event(&w, &prof->event.p[i]);
	return w.ok;
}

/* ---- what started several parts ---- */

enum as_code as_run_put_recorded(struct as_build *b, struct as_slice command)
{
	struct as_slice text;
	struct as_arena ar;
	enum as_code rc;

	as_assert(b->prof->part.n > 0);
	as_arena_init(&ar, b->prof->al);
	text = as_run_escape(&ar, command);
	rc = as_err_memory(b->err, text.p);
	AS_THEN(rc, as_build_meta_of(b, 0, as_slice_of(PREFIX "recorded"), text, AS_META_OF_RUN));
	as_arena_release(&ar);
	return rc;
}

struct as_slice as_run_recorded(const struct as_profile *prof, struct as_arena *ar)
{
	struct as_slice said = {NULL, 0};

	for (uint32_t i = 0; i < prof->part.n && !said.len; i++)
		said = as_meta_get(prof, i, PREFIX "recorded");
	return said.len && as_run_unescape(ar, said, &said) ? said : (struct as_slice){NULL, 0};
}

struct as_slice as_run_command(const struct as_profile *prof, struct as_arena *ar)
{
	struct as_slice said = as_run_recorded(prof, ar);
	as_str one = {0};

	if (said.p)
		return said;
	for (size_t i = 0; i < prof->part.n; i++) {
		as_str own = prof->part.p[i].command;

		if (own.i && one.i && own.i != one.i)
			return (struct as_slice){NULL, 0};
		if (own.i)
			one = own;
	}
	return one.i ? as_str_get(prof, one) : (struct as_slice){NULL, 0};
}

void as_run_lines_release(struct as_run_lines *rl, const struct as_alloc *al)
{
	as_vec_free(al, &rl->line);
	as_arena_release(&rl->arena);
}
