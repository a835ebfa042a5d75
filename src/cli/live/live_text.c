/* SPDX-License-Identifier: Apache-2.0 */
/* What is shown: two lines about all of it, and a table. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "base/utf8_len.h"
#include "cli/live/live.h"
#include "cli/view_cmd.h"
#include "report/answers.h"
#include "report/kit/show.h"
#include "report/parts.h"
#include "report/top.h"

enum { NEIGHBOURS_SHOWN = 10 };

static const char help_text[] =
	"\n"
	"  q        ends\n"
	"  s        order: self cost, or inclusive cost, with all that is called\n"
	"  b        a row is a function, an object, a process or a line\n"
	"  /        only samples with a frame that matches a pattern, as --focus has them;\n"
	"           Enter takes it, Esc leaves it as it was, an empty one shows all\n"
	"  up, down or k, j: mark a row;  Enter: callers and callees of that function\n"
	"  p        pause, and go on with a new window\n"
	"  space    a screen now\n"
	"  h        this page, Esc closes it\n"
	"\n"
	"  Costs are samples of CPU time, of the last seconds that the first line tells; shares\n"
	"  are of the samples of what was asked for (-p, --process, --unit, --label), or of the\n"
	"  machine.\n";

struct live_text {
	struct as_live *lv;
	struct as_profile *prof; /* that is shown */
	struct as_sheet_to to;
	struct as_top_opts opts;
	uint32_t event;
	struct as_arena ar;
	struct as_err *err;
};

/* ---- the head ---- */

/* As much of LINE as the screen is wide. */
static void live_text_line(struct live_text *x, struct as_slice line)
{
	unsigned width = x->to.style->width;
	size_t columns = 0, n = 0;

	while (n < line.len && (!width || columns < width)) {
		size_t len = as_utf8_len(line.p + n, line.len - n);

		n += len ? len : 1;
		columns++;
	}
	as_out_slice(x->to.out, (struct as_slice){line.p, n});
	as_out_char(x->to.out, '\n');
}

static struct as_slice live_text_names(
	struct as_arena *ar, struct as_slice text, const char *what, const struct as_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		text = as_arena_printf(ar, "%.*s%s %.*s, ", AS_SLICE_FMT(text), what,
			AS_SLICE_FMT(as_show_clean(ar, as_slice_of(list->p[i]))));
	return text;
}

static struct as_slice live_text_scope(struct as_arena *ar, const struct as_live_window *w)
{
	const struct as_live_scope *s = &w->scope;
	struct as_slice text = as_slice_of("");

	if (s->pid)
		text = as_arena_printf(ar, "process %" PRIu64 ", ", s->pid);
	if (s->process)
		text = as_arena_printf(ar, "%.*sprocess %.*s, ", AS_SLICE_FMT(text),
			AS_SLICE_FMT(as_show_clean(ar, as_slice_of(s->process))));
	text = live_text_names(ar, text, "unit", s->unit);
	text = live_text_names(ar, text, "label", s->label);
	if (text.len)
		return text;
	return as_slice_of(w->source.own ? "this user's processes, " : "the machine, ");
}

/* "assay live: process 17, the last 10 s: 0.97 CPUs of 1.30 busy of 2, 131 samples/s, 0 lost" */
static void live_text_facts(struct live_text *x)
{
	const struct as_live *lv = x->lv;
	struct as_arena *ar = &x->ar;
	struct as_live_facts f = as_live_window_facts(&lv->window);
	struct as_slice line = live_text_scope(ar, &lv->window);
	long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	line = as_arena_printf(ar, "assay live: %.*s", AS_SLICE_FMT(line));
	if (!lv->window.n)
		line = as_arena_printf(ar, "%.*sfrom now on", AS_SLICE_FMT(line));
	else
		line = as_arena_printf(ar, "%.*sthe last %.3g s: ", AS_SLICE_FMT(line), f.seconds);
	if (lv->window.n && f.busy >= 0 && as_live_window_chooses(&lv->window))
		line = as_arena_printf(ar, "%.*s%.2f CPUs; %s: ", AS_SLICE_FMT(line), f.chosen,
			lv->window.source.own ? "all of this user's" : "all");
	if (lv->window.n && f.busy >= 0)
		line = as_arena_printf(
			ar, "%.*s%.2f of %ld CPUs busy, ", AS_SLICE_FMT(line), f.busy, n_cpus);
	if (lv->window.n)
		line = as_arena_printf(ar, "%.*s%.0f samples/s, %" PRIu64 " lost",
			AS_SLICE_FMT(line), f.rate, f.lost);
	live_text_line(x, line);
}

/* What may be typed, is typed, or was wrong; how the table is made. */
static void live_text_state(struct live_text *x)
{
	static const char *const by[] = {"function", "object", "process", "line"};
	const struct as_live *lv = x->lv;
	const struct as_live_source *from = &lv->window.source;
	struct as_arena *ar = &x->ar;
	struct as_slice line, pattern = as_show_clean(ar, as_slice_of(lv->pattern));

	if (lv->typing) {
		pattern = as_show_clean(ar, as_slice_of(lv->typed));
		live_text_line(x, as_arena_printf(ar, "/%.*s_", AS_SLICE_FMT(pattern)));
		return;
	}
	line = as_arena_printf(ar, "%sby %s, %s cost first, %" PRIu32 " Hz of %s, every %.3g s%s",
		lv->paused ? "PAUSED, " : "", by[lv->by],
		lv->inclusive && lv->by != AS_LIVE_PROCESS ? "inclusive" : "self", from->hz,
		from->machine ? "its own" : "the daemon's", lv->each,
		lv->screen ? "; h help, q quit" : "");
	if (lv->pattern[0])
		line = as_arena_printf(
			ar, "%.*s; /%.*s", AS_SLICE_FMT(line), AS_SLICE_FMT(pattern));
	if (lv->wrong[0])
		line = as_show_clean(ar, as_slice_of(lv->wrong));
	live_text_line(x, line);
}

/* ---- the table ---- */

static enum as_code live_text_processes(struct live_text *x)
{
	struct as_label_how how = {.by = AS_BY_LABEL, .key = as_slice_of("process")};
	struct as_parts parts;
	enum as_code rc = as_parts_make(&parts, x->prof, &how, &x->opts, x->err);

	x->lv->n_shown = rc == AS_OK ? parts.n_rows : 0;
	AS_THEN(rc, as_parts_print(&parts, &x->to));
	as_parts_release(&parts);
	return rc;
}

/* The function whose callers are asked for: the row that is marked, from then on by its name. */
static bool live_text_find(struct live_text *x, const struct as_top *top, uint32_t *row)
{
	struct as_live *lv = x->lv;
	struct as_arena ar;
	bool found = false;

	as_arena_init(&ar, lv->cli->ses.al);
	for (size_t i = 0; i < top->table->n && !found; i++) {
		struct as_slice name = as_top_name(top, (uint32_t)i, &ar);

		found = !top->table->key[i].is_cycle && name.p && as_slice_is(name, lv->func);
		*row = (uint32_t)i;
	}
	as_arena_release(&ar);
	return found;
}

static void live_text_remember(struct as_live *lv, const struct as_top *top)
{
	struct as_arena ar;
	struct as_slice name;

	lv->callers = false;
	if (lv->at >= top->n_rows)
		return;
	as_arena_init(&ar, lv->cli->ses.al);
	name = as_top_name(top, top->row[lv->at], &ar);
	if (name.p && name.len < sizeof(lv->func))
		snprintf(lv->func, sizeof(lv->func), "%.*s", AS_SLICE_FMT(name));
	as_arena_release(&ar);
}

static enum as_code live_text_callers(struct live_text *x, const struct as_top *top)
{
	struct as_neighbours_opts opts = {.event = x->event};
	struct as_neighbours nb;
	struct as_peek_view view = {.prof = x->prof,
		.opts = &x->opts.view,
		.func = &nb,
		.n_funcs = 1,
		.rows = NEIGHBOURS_SHOWN};
	enum as_code rc;

	if (!live_text_find(x, top, &opts.row)) {
		as_out_printf(x->to.out, "%.*s has no samples now\n",
			AS_SLICE_FMT(as_show_clean(&x->ar, as_slice_of(x->lv->func))));
		return AS_OK;
	}
	rc = as_neighbours_make(&nb, top->table, &opts, x->err);
	AS_THEN(rc, as_peek_print(&view, &x->to));
	as_neighbours_release(&nb);
	return rc;
}

static enum as_code live_text_top(struct live_text *x)
{
	struct as_live *lv = x->lv;
	struct as_top top;
	enum as_code rc;

	x->opts.project.want_edges = lv->callers || lv->func[0];
	if (x->opts.project.want_edges)
		x->opts.limit = 0; /* neighbours may be any */
	rc = as_top_make(&top, x->prof, &x->opts, x->err);
	lv->n_shown = rc == AS_OK ? top.n_rows : 0;
	if (rc == AS_OK && lv->callers)
		live_text_remember(lv, &top);
	AS_THEN(rc, lv->func[0] ? live_text_callers(x, &top) : as_top_print(&top, &x->to));
	as_top_release(&top);
	return rc;
}

static enum as_code live_text_table(struct live_text *x, size_t limit)
{
	static const enum as_by by[] = {AS_BY_FUNC, AS_BY_OBJECT, AS_BY_FUNC, AS_BY_LINE};
	struct as_live *lv = x->lv;
	struct as_session ses = lv->cli->ses;
	struct as_inputs in = {.prof = x->prof};
	enum as_code rc;

	as_assert(lv->by < AS_ARRAY_LEN(by));
	lv->n_shown = 0;
	if (x->to.form == AS_FORM_TEXT && as_is_void(x->prof)) {
		as_out_text(x->to.out, "no samples in this time\n");
		return AS_OK;
	}
	ses.shows = true;
	if (as_inputs_show_names(&ses, &in) != AS_EXIT_OK)
		return as_err_no_memory(x->err);
	x->opts = (struct as_top_opts){.project = {.by = by[lv->by]},
		.view = {.event = &x->event, .n_events = 1},
		.sort_inclusive = lv->inclusive,
		.limit = limit};
	rc = lv->by == AS_LIVE_PROCESS ? live_text_processes(x) : live_text_top(x);
	x->prof->shown = NULL;
	as_shown_release(&in.shown);
	return rc;
}

/* What the pattern chooses of *PROF, if there is one. */
static enum as_code live_text_choose(struct live_text *x)
{
	struct as_filters_left left;

	if (!x->lv->filters)
		return AS_OK;
	AS_TRY(as_filters_run(x->lv->filters, x->prof, &left, NULL, x->err));
	as_profile_replace(&x->prof, left.prof);
	return AS_OK;
}

/* Of several events that which is CPU time, else the first. */
static uint32_t live_text_event(const struct as_profile *prof)
{
	for (uint32_t i = 0; i < as_n_events(prof); i++)
		if (as_unit_nanos(as_str_get(prof, prof->event.p[i].period_unit)))
			return i;
	return 0;
}

static enum as_code live_text_below(struct live_text *x, size_t limit)
{
	enum as_code rc;

	AS_TRY(as_live_window_sum(&x->lv->window, &x->prof));
	rc = x->prof ? live_text_choose(x) : AS_OK;
	if (rc == AS_OK && x->prof) {
		x->event = live_text_event(x->prof);
		rc = live_text_table(x, limit);
	}
	as_profile_free(x->prof);
	return rc;
}

enum as_code as_live_print(struct as_live *lv, struct as_out *out, const struct as_style *style,
	size_t limit, struct as_err *err)
{
	static const enum as_form form[] = {AS_FORM_TEXT, AS_FORM_TEXT, AS_FORM_JSON, AS_FORM_CSV};
	struct live_text x = {.lv = lv, .err = err};
	bool text = lv->cli->ses.opt.view.format <= AS_FORMAT_TEXT;
	enum as_code rc = AS_OK;

	as_assert(lv->cli->ses.opt.view.format < AS_ARRAY_LEN(form));
	x.to = (struct as_sheet_to){form[lv->cli->ses.opt.view.format], out, style};
	as_arena_init(&x.ar, lv->cli->ses.al);
	if (text) {
		live_text_facts(&x);
		live_text_state(&x);
	}
	if (lv->screen && lv->help)
		as_out_text(out, help_text);
	else
		rc = live_text_below(&x, limit);
	as_arena_release(&x.ar);
	return rc;
}
