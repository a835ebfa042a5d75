/* SPDX-License-Identifier: Apache-2.0 */
/* `assay diff` for programs. */
#include "report/diff/diff_report.h"
#include "report/kit/json.h"

enum { P_DIGITS = 6 };

static const char *const norm_text[] = {"auto", "none", "total", "time"};
static const char *const view_text[] = {"top", "tree", "list", "peek"};
static const char *const way_text[] = {"callees", "callers", "bottom-up"};
static const char *const noise_text[] = {"none", "poisson", "welch"};

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
	as_json_text(j, "significance", as_slice_of(as_diff_verdict_word(fig->verdict)));
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

static void write_figures(struct json *x, const struct as_diff *of, uint32_t row, bool inclusive)
{
	struct as_json *j = &x->j;

	as_json_array(j, inclusive ? "inclusive" : "self");
	for (uint32_t i = 0; i < x->v->n_events; i++) {
		const struct as_diff_event *ev = &x->d->event[x->v->event[i]];
		struct as_diff_fig fig = as_diff_figure(of, row, x->v->event[i], inclusive);

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

static void write_func(struct json *x, uint32_t func, struct as_slice *path, uint64_t line)
{
	struct as_diff_row_key rk = as_diff_key_of(x->d, func);
	struct as_json *j = &x->j;

	as_json_text_or_null(j, "function", rk.function);
	as_json_text_or_null(j, "file", path ? *path : rk.file);
	if (line)
		as_json_u64(j, "line", line);
	else
		as_json_null(j, "line");
	as_json_text_or_null(j, "object", rk.object);
}

static void no_func(struct json *x)
{
	as_json_null(&x->j, "function");
	as_json_null(&x->j, "file");
	as_json_null(&x->j, "line");
	as_json_null(&x->j, "object");
}

static void write_values(struct json *x, const struct as_diff *of, uint32_t row)
{
	as_json_text(&x->j, "in", as_slice_of(as_diff_in_text(of, row)));
	write_figures(x, of, row, false);
	write_figures(x, of, row, true);
}

static void write_table(struct json *x)
{
	for (size_t i = 0; i < as_diff_shown(x->v); i++) {
		uint32_t row = as_diff_shown_row(x->v, i);

		as_json_object(&x->j, NULL);
		write_func(x, row, NULL, x->d->key.p[row].line);
		write_values(x, x->d, row);
		as_json_object_end(&x->j);
	}
}

/* ---- the other views ---- */

static void write_tree_rest(struct json *x, const struct as_diff_tree_row *r)
{
	struct as_json *j = &x->j;

	no_func(x);
	as_json_null(j, "in");
	as_json_null(j, "self");
	as_json_array(j, "inclusive");
	for (uint32_t i = 0; i < x->v->n_events; i++) {
		uint32_t e = x->v->event[i];
		const as_val *v = as_diff_tree_rest(x->v->tree, r, e);
		unsigned decimals = x->d->event[e].decimals;

		if (!x->d->event[e].is_fine)
			continue;
		as_json_object(j, NULL);
		number(x, "base", v[AS_BASE], decimals);
		number(x, "new", v[AS_NEW], decimals);
		number(x, "difference", v[AS_NEW] - v[AS_BASE], decimals);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

/* Ways up have no self costs. */
static void write_tree_row(struct json *x, uint32_t row)
{
	const struct as_diff_sub *sub = x->v->sub;
	uint32_t func = sub->place.p[row].func;

	if (func == AS_DIFF_NO_CALLER)
		no_func(x);
	else
		write_func(x, func, NULL, 0);
	if (sub->way == AS_TREE_CALLEES) {
		write_values(x, &sub->fig, row);
		return;
	}
	as_json_text(&x->j, "in", as_slice_of(as_diff_in_text(&sub->fig, row)));
	as_json_null(&x->j, "self");
	write_figures(x, &sub->fig, row, true);
}

static const char *kind_text(const struct json *x, const struct as_diff_tree_row *r)
{
	if (r->row == AS_DIFF_REST)
		return "rest";
	return x->v->sub->place.p[r->row].func == AS_DIFF_NO_CALLER ? "no_caller" : "function";
}

static bool is_exact(const struct json *x, const struct as_diff_tree_row *r)
{
	if (r->row == AS_DIFF_REST)
		return !x->d->is_estimated || (!r->depth && x->v->sub->way == AS_TREE_BOTTOM_UP);
	return as_diff_sub_is_exact(x->v->sub, r->row);
}

static void write_tree(struct json *x)
{
	struct as_json *j = &x->j;

	for (size_t i = 0; i < x->v->tree->row.n; i++) {
		const struct as_diff_tree_row *r = &x->v->tree->row.p[i];

		as_json_object(j, NULL);
		as_json_u64(j, "depth", r->depth);
		as_json_text(j, "kind", as_slice_of(kind_text(x, r)));
		as_json_u64(j, "rows", r->n);
		if (r->row == AS_DIFF_REST)
			write_tree_rest(x, r);
		else
			write_tree_row(x, r->row);
		as_json_text(j, "evidence", as_slice_of(is_exact(x, r) ? "exact" : "estimated"));
		as_json_object_end(j);
	}
}

static enum as_code write_lines(struct json *x, size_t group)
{
	const struct as_diff_sub *sub = x->v->sub;
	const struct as_diff_source *s = x->v->source;
	uint32_t func = x->v->func[group];
	struct as_diff_list list;
	struct as_json *j = &x->j;

	if (!as_diff_lists_lines(x->v->lists, func, &list))
		return AS_E_NOMEM;
	for (size_t i = 0; i < list.n; i++) {
		const struct as_diff_place *p = &sub->place.p[list.row[i]];
		struct as_slice path = str(x, p->path), text = as_slice_of("");

		as_json_object(j, NULL);
		as_json_u64(j, "group", group);
		write_func(x, func, &path, p->line);
		if (s && s->line(s->ctx, path, p->line, &text))
			as_json_text(j, "text", text);
		else
			as_json_null(j, "text");
		write_values(x, &sub->fig, list.row[i]);
		as_json_object_end(j);
	}
	return AS_OK;
}

static void write_call(struct json *x, size_t group, const char *role, uint32_t func, uint32_t row)
{
	struct as_json *j = &x->j;

	as_json_object(j, NULL);
	as_json_u64(j, "group", group);
	as_json_text(j, "role", as_slice_of(role));
	write_func(x, func, NULL, 0);
	if (row == UINT32_MAX) {
		write_values(x, x->d, func);
	} else {
		as_json_text(j, "in", as_slice_of(as_diff_in_text(&x->v->sub->fig, row)));
		as_json_null(j, "self");
		write_figures(x, &x->v->sub->fig, row, true);
	}
	as_json_object_end(j);
}

static enum as_code write_calls(struct json *x, size_t group)
{
	const struct as_diff_sub *sub = x->v->sub;
	struct as_diff_list from, to;

	if (!as_diff_lists_callers(x->v->lists, x->v->func[group], &from) ||
		!as_diff_lists_callees(x->v->lists, x->v->func[group], &to))
		return AS_E_NOMEM;
	for (size_t i = 0; i < from.n; i++)
		write_call(x, group, "caller", sub->place.p[from.row[i]].up, from.row[i]);
	write_call(x, group, "function", x->v->func[group], UINT32_MAX);
	for (size_t i = 0; i < to.n; i++)
		write_call(x, group, "callee", sub->place.p[to.row[i]].func, to.row[i]);
	return AS_OK;
}

static enum as_code write_rows(struct json *x)
{
	enum as_code rc = AS_OK;

	as_json_array(&x->j, "rows");
	if (x->v->kind == AS_DIFF_TABLE)
		write_table(x);
	else if (x->v->kind == AS_DIFF_TREE)
		write_tree(x);
	for (size_t i = 0; i < x->v->n_funcs && rc == AS_OK; i++)
		rc = x->v->kind == AS_DIFF_LIST ? write_lines(x, i) : write_calls(x, i);
	as_json_array_end(&x->j);
	return rc;
}

static void write_rest(struct json *x)
{
	struct as_json *j = &x->j;

	if (x->v->kind != AS_DIFF_TABLE) {
		as_json_null(j, "rest");
		return;
	}
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
	const struct as_diff *judged = x->v->sub ? &x->v->sub->fig : x->d;
	struct as_json *j = &x->j;

	as_json_array(j, "not_compared");
	for (uint32_t e = 0; e < x->d->n_events; e++)
		if (!x->d->event[e].is_fine)
			as_json_text(j, NULL, str(x, x->d->event[e].name));
	for (size_t i = 0; i < x->d->extra.n; i++)
		as_json_text(j, NULL, str(x, x->d->extra.p[i]));
	as_json_array_end(j);
	as_json_object(j, "judged");
	as_json_u64(j, "rows", judged->n_tested);
	as_json_u64(j, "beyond", judged->n_beyond);
	as_json_u64(j, "sure", judged->n_sure);
	as_json_object_end(j);
	as_json_u64(j, "appeared", x->d->n_appeared);
	as_json_u64(j, "vanished", x->d->n_vanished);
	as_json_u64(j, "clones", x->d->n_clones);
	if (x->v->page) {
		as_json_u64(j, "found", x->v->found);
		as_json_u64(j, "all", x->v->all);
	}
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

static void write_moved(struct json *x)
{
	struct as_json *j = &x->j;

	as_json_array(j, "renamed_objects");
	for (size_t i = 0; i < x->d->moved.n; i++) {
		const struct as_diff_moved *m = &x->d->moved.p[i];

		as_json_object(j, NULL);
		as_json_text_or_null(j, "base", str(x, m->object[AS_BASE]));
		as_json_text_or_null(j, "new", str(x, m->object[AS_NEW]));
		as_json_u64(j, "functions", m->n);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

enum as_code as_diff_json(const struct as_diff_view *v, struct as_out *out)
{
	struct json x = {.v = v, .d = v->d};
	struct as_watch watch;
	struct as_json *j = &x.j;
	enum as_code rc;

	as_watch_init(&watch, v->d->al);
	as_arena_init(&x.ar, &watch.al);
	as_json_init(j, out);
	as_json_object(j, NULL);
	as_json_text(j, "schema", as_slice_of("assay.diff/1"));
	write_side(&x, AS_BASE);
	write_side(&x, AS_NEW);
	as_json_text(j, "view", as_slice_of(view_text[v->kind]));
	if (v->kind == AS_DIFF_TREE)
		as_json_text(j, "way", as_slice_of(way_text[v->sub->way]));
	else
		as_json_null(j, "way");
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
	rc = write_rows(&x);
	write_rest(&x);
	write_lists(&x);
	write_gates(&x);
	write_moved(&x);
	as_json_object_end(j);
	as_json_finish(j);
	as_arena_release(&x.ar);
	return rc == AS_OK ? as_watch_code(&watch) : rc;
}
