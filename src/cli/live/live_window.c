/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cli/live/live_window.h"

#include "change/filter/filter.h"
#include "change/transform.h"
#include "session/name_made.h"
#include "session/naming.h"

/* A module that is loaded, and a file that was not there, have names after so long. */
#define KEPT_NS UINT64_C(60000000000)

/* An interval is dropped once those behind it are nearly ten seconds. */
#define WINDOW_NS UINT64_C(9500000000)

static uint64_t live_window_lasted(const struct as_live_slice *s)
{
	return s->at.until - s->at.from;
}

enum as_code as_live_window_open(struct as_live_window *w, const struct as_session *ses,
	const struct as_live_scope *scope, const struct as_live_ask *ask)
{
	*w = (struct as_live_window){.ses = ses, .scope = *scope};
	as_err_clear(&w->err);
	as_arena_init(&w->arena, ses->al);
	as_session_symbol_opts(ses, &w->arena, &w->symbols);
	return as_live_source_open(&w->source, ses->al, ask, &w->err);
}

static void live_window_empty(struct as_live_window *w)
{
	for (size_t i = 0; i < w->n; i++)
		as_profile_free(w->slice[i].prof);
	w->n = 0;
}

void as_live_window_close(struct as_live_window *w)
{
	live_window_empty(w);
	as_live_source_close(&w->source);
	as_kept_names_free(w->symbols.kept);
	as_arena_release(&w->arena);
}

enum as_code as_live_window_wait(struct as_live_window *w, int fd, int ms)
{
	return as_live_source_wait(&w->source, fd, ms);
}

/* ---- whose samples ---- */

bool as_live_window_chooses(const struct as_live_window *w)
{
	const struct as_live_scope *s = &w->scope;

	return s->pid || s->process || s->unit->n || s->label->n;
}

/* Whether LABEL says WANTED; units may be named without ".service". */
static bool live_window_says(
	const struct as_profile *prof, const struct as_label *label, struct as_slice wanted)
{
	struct as_slice text = as_str_get(prof, label->text), rest;
	char number[24];

	if (!label->text.i) {
		snprintf(number, sizeof(number), "%" PRId64, label->number);
		return as_slice_is(wanted, number);
	}
	if (text.len < wanted.len || !as_slice_eq((struct as_slice){text.p, wanted.len}, wanted))
		return false;
	rest = as_slice_skip(text, wanted.len);
	return !rest.len ||
	       (as_slice_is(as_str_get(prof, label->key), "unit") && as_slice_is(rest, ".service"));
}

/* Whether PART has a label KEY, which says WANTED; p == NULL: whatever it says. */
static bool live_window_has(
	const struct as_profile *prof, size_t part, struct as_slice key, struct as_slice wanted)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, part, &n);

	for (uint32_t i = 0; i < n; i++)
		if (as_slice_eq(as_str_get(prof, label[i].key), key) &&
			(!wanted.p || live_window_says(prof, &label[i], wanted)))
			return true;
	return false;
}

/* Whether PART has one of the labels LIST, each "KEY=VALUE" or "KEY", or of that KEY; true where
 * none is listed. */
static bool live_window_has_one(
	const struct as_profile *prof, size_t part, const char *key, const struct as_list *list)
{
	bool found = !list->n;

	for (size_t i = 0; i < list->n && !found; i++) {
		struct as_slice name = as_slice_of(key), value = as_slice_of(list->p[i]);

		if (!key)
			(void)as_slice_cut(&value, '=', &name);
		found = live_window_has(prof, part, name, value);
	}
	return found;
}

/* The daemon tells the process by a label. */
static bool live_window_is_pid(const struct as_profile *prof, size_t part, uint64_t pid)
{
	const struct as_part *p = &prof->part.p[part];
	char text[24];

	if (p->has_pid)
		return p->pid == pid;
	snprintf(text, sizeof(text), "%" PRIu64, pid);
	return live_window_has(prof, part, as_slice_of("pid"), as_slice_of(text));
}

static bool live_window_is_of(
	const struct as_live_scope *scope, const struct as_profile *prof, size_t part)
{
	return (!scope->pid || live_window_is_pid(prof, part, scope->pid)) &&
	       (!scope->process || live_window_has(prof, part, as_slice_of("process"),
					   as_slice_of(scope->process))) &&
	       live_window_has_one(prof, part, "unit", scope->unit) &&
	       live_window_has_one(prof, part, NULL, scope->label);
}

/* *PROF becomes what the scope chooses of it. */
static enum as_code live_window_choose(struct as_live_window *w, struct as_profile **prof)
{
	size_t n = (*prof)->part.n;
	uint8_t *keep = as_alloc_new(w->ses->al, n + 1);
	struct as_filter how = {.keep_part = keep, .relative = true};
	struct as_filtered left = {.prof = NULL};
	enum as_code rc;

	AS_TRY(as_err_memory(&w->err, keep));
	for (size_t i = 0; i < n; i++)
		keep[i] = live_window_is_of(&w->scope, *prof, i);
	rc = as_filter(*prof, &how, NULL, &left, NULL, &w->err);
	as_alloc_free(w->ses->al, keep, n + 1);
	AS_TRY(rc);
	as_profile_replace(prof, left.prof);
	return AS_OK;
}

/* ---- names ---- */

/* As of an interval that ends at UNTIL. */
static void live_window_keep(struct as_live_window *w, uint64_t until)
{
	if (w->symbols.kept && until - w->kept < KEPT_NS)
		return;
	as_kept_names_free(w->symbols.kept);
	w->symbols.kept = as_kept_names_new(w->ses->al);
	w->kept = until;
}

/* Code that can get none keeps its address. */
static enum as_code live_window_name(
	struct as_live_window *w, struct as_profile **prof, uint64_t until)
{
	struct as_symbol_report report;
	struct as_profile *named = NULL;
	enum as_code rc;

	if (!as_session_wants_names(w->ses) || !as_wants_symbols(*prof))
		return AS_OK;
	live_window_keep(w, until);
	AS_TRY(as_name_made_code(prof, NULL, 0, &w->err));
	rc = as_name_code(*prof, &w->symbols, &named, &report, &w->err);
	as_symbol_report_release(&report);
	if (rc == AS_OK)
		as_profile_replace(prof, named);
	return rc == AS_E_UNSUPPORTED ? AS_OK : rc;
}

/* ---- intervals ---- */

/* The first ones go, so that the window is as long as it shall be, and has room for another. */
static void live_window_trim(struct as_live_window *w)
{
	uint64_t behind = 0;
	size_t drop;

	for (drop = w->n; drop > 0 && behind < WINDOW_NS; drop--)
		behind += live_window_lasted(&w->slice[drop - 1]);
	if (w->n == AS_LIVE_SLICES && !drop)
		drop = 1;
	for (size_t i = 0; i < drop; i++)
		as_profile_free(w->slice[i].prof);
	w->n -= drop;
	memmove(w->slice, w->slice + drop, w->n * sizeof(w->slice[0]));
}

/* Samples of another source are of another weight: a window begins. */
static void live_window_push(struct as_live_window *w, const struct as_live_slice *s)
{
	const struct as_live_slice *last = w->n ? &w->slice[w->n - 1] : NULL;

	if (last && (last->of_daemon != s->of_daemon || last->at.period_ns != s->at.period_ns))
		live_window_empty(w);
	w->slice[w->n++] = *s;
	live_window_trim(w);
}

enum as_code as_live_window_turn(struct as_live_window *w)
{
	struct as_live_slice s;
	enum as_code rc;

	as_assert(w->n < AS_LIVE_SLICES);
	AS_TRY(as_live_source_cut(&w->source, &s.prof, &s.at));
	if (!s.prof)
		return AS_OK;
	s.of_daemon = !w->source.machine;
	rc = as_live_window_chooses(w) ? live_window_choose(w, &s.prof) : AS_OK;
	AS_THEN(rc, live_window_name(w, &s.prof, s.at.until));
	if (rc != AS_OK) {
		as_profile_free(s.prof);
		return rc;
	}
	live_window_push(w, &s);
	return AS_OK;
}

enum as_code as_live_window_pass(struct as_live_window *w)
{
	struct as_perf_interval at;
	struct as_profile *prof;

	AS_TRY(as_live_source_cut(&w->source, &prof, &at));
	as_profile_free(prof);
	return AS_OK;
}

enum as_code as_live_window_skip(struct as_live_window *w)
{
	live_window_empty(w);
	return as_live_window_pass(w);
}

/* ---- the window ---- */

enum as_code as_live_window_sum(struct as_live_window *w, struct as_profile **out)
{
	struct as_merge_opts opts = {.keep_parts = false};
	struct as_merge *m;
	enum as_code rc = AS_OK;

	*out = NULL;
	if (!w->n)
		return AS_OK;
	AS_TRY(as_merge_new(w->ses->al, &opts, &m, &w->err));
	for (size_t i = 0; i < w->n && rc == AS_OK; i++)
		rc = as_merge_add(m, w->slice[i].prof, NULL);
	if (rc == AS_OK)
		return as_merge_finish(m, out);
	as_merge_free(m);
	return rc;
}

struct as_live_facts as_live_window_facts(const struct as_live_window *w)
{
	struct as_live_facts f = {.seconds = 0};
	double taken = 0, chosen = 0, period = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct as_live_slice *s = &w->slice[i];

		f.seconds += (double)live_window_lasted(s) * 1e-9;
		f.lost += s->at.lost;
		taken += (double)s->at.taken;
		chosen += (double)s->prof->total[0];
		period = (double)s->at.period_ns * 1e-9;
	}
	if (f.seconds > 0) {
		f.rate = taken / f.seconds;
		f.busy = period > 0 ? taken * period / f.seconds : -1;
		f.chosen = period > 0 ? chosen * period / f.seconds : -1;
	}
	return f;
}
