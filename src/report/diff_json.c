/* SPDX-License-Identifier: Apache-2.0 */
/* `assay diff` for programs. */
#include "report/csv.h"
#include "report/diff_report.h"
#include "report/json.h"

enum { P_DIGITS = 6 };

static const char *const norm_text[] = {"auto", "none", "total", "time"};
static const char *const noise_text[] = {"none", "poisson", "welch"};
static const char *const verdict_text[] = {"same", "noise", "chance", "sure"};

/* What figures() writes. */
static const char *const figure_keys[] = {
	"base", "new", "difference", "significance", "interval", "p"};

struct json {
	const struct as_diff_view *v;
	const struct as_diff *d;
	struct as_json j;
	struct as_arena ar; /* for numbers */
};

static struct as_slice str(const struct json *x, as_str s)
{
	return as_diff_str(x->d, s);
}

static void number(struct json *x, const char *key, as_val v, unsigned decimals)
{
	as_json_digits(&x->j, key, as_diff_exact(&x->ar, v, decimals));
}

static void write_side(struct json *x, enum as_side side)
{
	as_json_object(&x->j, side == AS_BASE ? "base" : "new");
	as_json_array(&x->j, "files");
	for (size_t i = 0; i < x->d->run.n; i++)
		if (x->d->run.p[i].side == side)
			as_json_text(&x->j, NULL, str(x, x->d->run.p[i].file));
	as_json_array_end(&x->j);
	as_json_object_end(&x->j);
}

static void figures(struct json *x, const struct as_diff_fig *fig, const struct as_diff_event *ev)
{
	struct as_json *j = &x->j;

	number(x, "base", fig->value[AS_BASE], ev->decimals);
	number(x, "new", fig->value[AS_NEW], ev->decimals);
	number(x, "difference", fig->value[AS_NEW] - fig->value[AS_BASE], ev->decimals);
	as_json_text(j, "significance", as_slice_of(verdict_text[fig->verdict]));
	if (ev->noise == AS_NOISE_NONE) {
		as_json_null(j, "interval");
		as_json_null(j, "p");
		return;
	}
	as_json_array(j, "interval");
	number(x, NULL, fig->lo, ev->decimals);
	number(x, NULL, fig->hi, ev->decimals);
	as_json_array_end(j);
	number(x, "p", (as_val)(fig->p * 1000000 + 0.5), P_DIGITS);
}

/* What the filters chose from. */
static void write_whole(struct json *x, uint32_t e)
{
	struct as_diff_pick all = {.event = e, .whole = true};
	struct as_diff_fig fig;

	if (!x->d->is_filtered) {
		as_json_null(&x->j, "whole");
		return;
	}
	fig = as_diff_sum(x->d, &all);
	as_json_object(&x->j, "whole");
	number(x, "base", fig.value[AS_BASE], x->d->event[e].decimals);
	number(x, "new", fig.value[AS_NEW], x->d->event[e].decimals);
	as_json_object_end(&x->j);
}

static void write_event(struct json *x, uint32_t e)
{
	const struct as_diff_event *ev = &x->d->event[e];
	struct as_diff_fig fig = as_diff_total(x->d, e);
	struct as_json *j = &x->j;

	as_json_object(j, NULL);
	as_json_text(j, "name", str(x, ev->name));
	as_json_text(j, "unit", as_diff_unit(x->d, ev));
	as_json_text(j, "normalize", as_slice_of(norm_text[ev->norm]));
	as_json_bool(j, "sampled", ev->is_sampled);
	as_json_text(j, "noise", as_slice_of(noise_text[ev->noise]));
	figures(x, &fig, ev);
	as_json_text(j, "direction",
		as_slice_of(as_diff_word(ev, fig.value[AS_BASE], fig.value[AS_NEW])));
	as_json_bool(j, "missed_rate", ev->is_off_rate);
	write_whole(x, e);
	as_json_object_end(j);
}

static void write_figures(struct json *x, const char *key, uint32_t row, bool inclusive)
{
	struct as_json *j = &x->j;

	as_json_array(j, key);
	for (uint32_t i = 0; i < x->v->n_events; i++) {
		const struct as_diff_event *ev = &x->d->event[x->v->event[i]];
		struct as_diff_fig fig = as_diff_figure(x->d, row, x->v->event[i], inclusive);

		if (!ev->is_fine)
			continue;
		if (!fig.known) {
			as_json_null(j, NULL);
			continue;
		}
		as_json_object(j, NULL);
		figures(x, &fig, ev);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static const char *in_text(const struct as_diff *d, uint32_t row)
{
	if (!as_diff_has(d, row, AS_BASE))
		return "new";
	return as_diff_has(d, row, AS_NEW) ? "both" : "base";
}

/* Which parts of the key a row has, as in assay.top/1. */
struct row_key {
	struct as_slice function, file, object;
};

static struct row_key key_of(const struct as_diff *d, uint32_t row)
{
	const struct as_diff_key *k = &d->key.p[row];
	struct as_slice path = as_diff_str(d, k->path), object = as_diff_str(d, k->object);
	bool has_file = d->opts.by != AS_BY_OBJECT && k->name.i;
	struct row_key rk = {.object = object};

	if (d->opts.by == AS_BY_FUNC || d->opts.by == AS_BY_LINE)
		rk.function = as_diff_str(d, k->name);
	if (d->opts.by == AS_BY_OBJECT)
		rk.object = path;
	/* Without a file the path is the object's. */
	if (has_file && !k->path_is_object)
		rk.file = path;
	return rk;
}

static void write_row(struct json *x, uint32_t row)
{
	struct row_key rk = key_of(x->d, row);
	uint64_t line = x->d->key.p[row].line;
	struct as_json *j = &x->j;

	as_json_object(j, NULL);
	as_json_text_or_null(j, "function", rk.function);
	as_json_text_or_null(j, "file", rk.file);
	if (line)
		as_json_u64(j, "line", line);
	else
		as_json_null(j, "line");
	as_json_text_or_null(j, "object", rk.object);
	as_json_text(j, "in", as_slice_of(in_text(x->d, row)));
	write_figures(x, "self", row, false);
	write_figures(x, "inclusive", row, true);
	as_json_object_end(j);
}

static void write_rest(struct json *x)
{
	struct as_json *j = &x->j;

	as_json_object(j, "rest");
	as_json_u64(j, "rows", x->d->key.n - as_diff_shown(x->v));
	as_json_array(j, "self");
	for (uint32_t i = 0; i < x->v->n_events; i++) {
		const struct as_diff_event *ev = &x->d->event[x->v->event[i]];
		struct as_diff_rest rest;

		if (!ev->is_fine)
			continue;
		rest = as_diff_rest(x->v, x->v->event[i]);
		as_json_object(j, NULL);
		number(x, "base", rest.value[AS_BASE], ev->decimals);
		number(x, "new", rest.value[AS_NEW], ev->decimals);
		as_json_object_end(j);
	}
	as_json_array_end(j);
	as_json_object_end(j);
}

static void write_lists(struct json *x)
{
	struct as_json *j = &x->j;

	as_json_array(j, "not_compared");
	for (uint32_t e = 0; e < x->d->n_events; e++)
		if (!x->d->event[e].is_fine)
			as_json_text(j, NULL, str(x, x->d->event[e].name));
	for (size_t i = 0; i < x->d->extra.n; i++)
		as_json_text(j, NULL, str(x, x->d->extra.p[i]));
	as_json_array_end(j);
	as_json_object(j, "judged");
	as_json_u64(j, "rows", x->d->n_tested);
	as_json_u64(j, "beyond", x->d->n_beyond);
	as_json_u64(j, "sure", x->d->n_sure);
	as_json_object_end(j);
	as_json_u64(j, "appeared", x->d->n_appeared);
	as_json_u64(j, "vanished", x->d->n_vanished);
	as_json_u64(j, "clones", x->d->n_clones);
}

/* ---- gates ---- */

static void write_check(struct json *x, const struct as_gate_check *c)
{
	struct as_json *j = &x->j;

	as_json_object(j, NULL);
	as_json_text(j, "condition", c->node->text);
	as_json_text(j, "verdict", as_slice_of(as_gate_word(c->verdict)));
	as_json_text_or_null(j, "function", c->node->name);
	if (c->fig.known)
		figures(x, &c->fig, &x->d->event[c->event]);
	else
		for (size_t i = 0; i < AS_ARRAY_LEN(figure_keys); i++)
			as_json_null(j, figure_keys[i]);
	as_json_text(j, "reason", as_gate_why(&x->ar, x->d, c));
	as_json_object_end(j);
}

static void write_gates(struct json *x)
{
	struct as_json *j = &x->j;

	as_json_array(j, "gates");
	for (size_t i = 0; i < x->v->n_gates; i++) {
		const struct as_gate_result *g = &x->v->gate[i];

		as_json_object(j, NULL);
		as_json_text(j, "expression", g->gate->text);
		as_json_text(j, "verdict", as_slice_of(as_gate_word(g->verdict)));
		as_json_array(j, "checks");
		for (size_t k = 0; k < g->n; k++)
			write_check(x, &g->check[k]);
		as_json_array_end(j);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

enum as_code as_diff_json(const struct as_diff_view *v, struct as_out *out)
{
	struct json x = {.v = v, .d = v->d};
	struct as_watch watch;
	struct as_json *j = &x.j;

	as_watch_init(&watch, v->d->al);
	as_arena_init(&x.ar, &watch.al);
	as_json_init(j, out);
	as_json_object(j, NULL);
	as_json_text(j, "schema", as_slice_of("assay.diff/1"));
	write_side(&x, AS_BASE);
	write_side(&x, AS_NEW);
	as_json_text(j, "by", as_slice_of(as_diff_by(v->d)));
	as_json_bool(j, "estimated", v->d->is_estimated);
	as_json_object(j, "sort");
	as_json_text(j, "event", str(&x, v->d->event[v->d->sort_event].name));
	as_json_bool(j, "inclusive", v->d->sort_inclusive);
	as_json_object_end(j);
	as_json_array(j, "events");
	for (uint32_t i = 0; i < v->n_events; i++)
		if (v->d->event[v->event[i]].is_fine)
			write_event(&x, v->event[i]);
	as_json_array_end(j);
	as_json_array(j, "rows");
	for (size_t i = 0; i < as_diff_shown(v); i++)
		write_row(&x, v->d->order[i]);
	as_json_array_end(j);
	write_rest(&x);
	write_lists(&x);
	write_gates(&x);
	as_json_object_end(j);
	as_json_finish(j);
	as_arena_release(&x.ar);
	return as_watch_code(&watch);
}

/* ---- CSV ---- */

static void csv_head(const struct as_diff_view *v, struct as_csv *c)
{
	static const char *const key[] = {"function", "file", "line", "object", "in"};
	static const char *const column[] = {
		"base self", "new self", "interval low", "interval high", "significance"};

	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(c, as_slice_of(key[i]));
	for (uint32_t i = 0; i < v->n_events; i++) {
		const struct as_diff_event *ev = &v->d->event[v->event[i]];

		for (size_t k = 0; ev->is_fine && k < AS_ARRAY_LEN(column); k++)
			as_csv_text2(c, column[k], as_diff_unit(v->d, ev));
		if (ev->is_fine) {
			as_csv_text2(c, "base inclusive", as_diff_unit(v->d, ev));
			as_csv_text2(c, "new inclusive", as_diff_unit(v->d, ev));
		}
	}
	as_csv_end(c);
}

static void csv_number(struct as_csv *c, struct as_arena *ar, as_val v, unsigned decimals)
{
	as_csv_text(c, as_diff_exact(ar, v, decimals));
}

static void csv_event(const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar,
	uint32_t row, uint32_t e)
{
	const struct as_diff_event *ev = &v->d->event[e];
	struct as_diff_fig fig = as_diff_figure(v->d, row, e, false);

	csv_number(c, ar, fig.value[AS_BASE], ev->decimals);
	csv_number(c, ar, fig.value[AS_NEW], ev->decimals);
	if (ev->noise != AS_NOISE_NONE) {
		csv_number(c, ar, fig.lo, ev->decimals);
		csv_number(c, ar, fig.hi, ev->decimals);
	} else {
		as_csv_empty(c);
		as_csv_empty(c);
	}
	as_csv_text(c, as_slice_of(verdict_text[fig.verdict]));
	fig = as_diff_figure(v->d, row, e, true);
	for (unsigned side = 0; side < AS_SIDES; side++) {
		if (fig.known)
			csv_number(c, ar, fig.value[side], ev->decimals);
		else
			as_csv_empty(c);
	}
}

static void csv_row(
	const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar, uint32_t row)
{
	struct row_key rk = key_of(v->d, row);
	uint64_t line = v->d->key.p[row].line;

	as_csv_text(c, rk.function);
	as_csv_text(c, rk.file);
	if (line)
		as_csv_val(c, (as_val)line);
	else
		as_csv_empty(c);
	as_csv_text(c, rk.object);
	as_csv_text(c, as_slice_of(in_text(v->d, row)));
	for (uint32_t i = 0; i < v->n_events; i++)
		if (v->d->event[v->event[i]].is_fine)
			csv_event(v, c, ar, row, v->event[i]);
	as_csv_end(c);
}

static void csv_rest(const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar)
{
	size_t n = v->d->key.n - as_diff_shown(v);

	as_csv_text(c, as_arena_printf(ar, "[%zu more rows]", n));
	for (int i = 0; i < 4; i++)
		as_csv_empty(c);
	for (uint32_t i = 0; i < v->n_events; i++) {
		const struct as_diff_event *ev = &v->d->event[v->event[i]];
		struct as_diff_rest rest;

		if (!ev->is_fine)
			continue;
		rest = as_diff_rest(v, v->event[i]);
		csv_number(c, ar, rest.value[AS_BASE], ev->decimals);
		csv_number(c, ar, rest.value[AS_NEW], ev->decimals);
		for (int k = 0; k < 5; k++)
			as_csv_empty(c);
	}
	as_csv_end(c);
}

enum as_code as_diff_csv(const struct as_diff_view *v, struct as_out *out)
{
	struct as_watch watch;
	struct as_arena ar;
	struct as_csv c;

	as_watch_init(&watch, v->d->al);
	as_arena_init(&ar, &watch.al);
	as_csv_init(&c, out);
	csv_head(v, &c);
	for (size_t i = 0; i < as_diff_shown(v); i++)
		csv_row(v, &c, &ar, v->d->order[i]);
	if (as_diff_shown(v) < v->d->key.n)
		csv_rest(v, &c, &ar);
	as_arena_release(&ar);
	return as_watch_code(&watch);
}
