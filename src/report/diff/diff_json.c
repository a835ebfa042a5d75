/* SPDX-License-Identifier: Apache-2.0 */
/* `assay diff` for programs: what JSON has beside the rows. */
#include "report/diff/diff_print.h"

static const char *const norm_text[] = {"auto", "none", "total", "time"};
static const char *const view_text[] = {"top", "tree", "list", "peek"};
static const char *const way_text[] = {"callees", "callers", "bottom-up"};
static const char *const noise_text[] = {"none", "poisson", "welch"};

static struct as_slice json_str(const struct as_diff_print *p, as_str s)
{
	return as_diff_str(p->d, s);
}

static void json_put_side(struct as_diff_print *p, enum as_side side)
{
	as_json_object(&p->sheet.json, side == AS_BASE ? "base" : "new");
	as_json_array(&p->sheet.json, "files");
	for (size_t i = 0; i < p->d->run.n; i++)
		if (p->d->run.p[i].side == side)
			as_json_text(&p->sheet.json, NULL, json_str(p, p->d->run.p[i].file));
	as_json_array_end(&p->sheet.json);
	as_json_object_end(&p->sheet.json);
}

/* What the filters chose from. */
static void json_put_whole(struct as_diff_print *p, uint32_t e)
{
	struct as_diff_pick all = {.event = e, .whole = true};
	struct as_diff_fig fig;

	if (!p->d->is_filtered) {
		as_json_null(&p->sheet.json, "whole");
		return;
	}
	fig = as_diff_sum(p->d, &all);
	as_json_object(&p->sheet.json, "whole");
	as_diff_json_sides(&p->sheet.json, &p->arena, &p->d->event[e], fig.value);
	as_json_object_end(&p->sheet.json);
}

static void json_put_event(struct as_diff_print *p, uint32_t e)
{
	const struct as_diff_event *ev = &p->d->event[e];
	struct as_diff_fig fig = as_diff_total(p->d, e);
	struct as_json *j = &p->sheet.json;

	as_json_object(j, NULL);
	as_json_text(j, "name", json_str(p, ev->name));
	as_json_text(j, "unit", as_diff_unit(p->d, ev));
	as_json_text(j, "normalize", as_slice_of(norm_text[ev->norm]));
	as_json_bool(j, "sampled", ev->is_sampled);
	as_json_text(j, "noise", as_slice_of(noise_text[ev->noise]));
	as_diff_json_figure(j, &p->arena, ev, &fig);
	as_json_text(j, "direction",
		as_slice_of(as_diff_word(ev, fig.value[AS_BASE], fig.value[AS_NEW])));
	as_json_bool(j, "missed_rate", ev->is_off_rate);
	json_put_whole(p, e);
	as_json_object_end(j);
}

static void json_put_rest(struct as_diff_print *p)
{
	struct as_json *j = &p->sheet.json;

	if (p->v->kind != AS_DIFF_TABLE) {
		as_json_null(j, "rest");
		return;
	}
	as_json_object(j, "rest");
	as_json_val(j, "rows", p->d->key.n - as_diff_shown(p->v));
	as_json_array(j, "self");
	for (uint32_t i = 0; i < p->opts.n_events; i++) {
		uint32_t e = p->opts.event[i];
		as_val rest[AS_SIDES];

		as_diff_rest(p->v, e, rest);
		as_json_object(j, NULL);
		as_diff_json_sides(j, &p->arena, &p->d->event[e], rest);
		as_json_object_end(j);
	}
	as_json_array_end(j);
	as_json_object_end(j);
}

static void json_put_lists(struct as_diff_print *p)
{
	const struct as_diff *judged = p->v->sub ? &p->v->sub->fig : p->d;
	struct as_json *j = &p->sheet.json;

	as_json_array(j, "not_compared");
	for (uint32_t e = 0; e < p->d->n_events; e++)
		if (!p->d->event[e].is_fine)
			as_json_text(j, NULL, json_str(p, p->d->event[e].name));
	for (size_t i = 0; i < p->d->extra.n; i++)
		as_json_text(j, NULL, json_str(p, p->d->extra.p[i]));
	as_json_array_end(j);
	as_json_object(j, "judged");
	as_json_val(j, "rows", judged->n_tested);
	as_json_val(j, "beyond", judged->n_beyond);
	as_json_val(j, "sure", judged->n_sure);
	as_json_object_end(j);
	as_json_val(j, "appeared", p->d->n_appeared);
	as_json_val(j, "vanished", p->d->n_vanished);
	as_json_val(j, "clones", p->d->n_clones);
	if (p->v->page) {
		as_json_val(j, "found", p->v->found);
		as_json_val(j, "all", p->v->all);
	}
}

/* ---- gates ---- */

static void json_put_check(struct as_diff_print *p, const struct as_gate_check *c)
{
	struct as_json *j = &p->sheet.json;

	as_json_object(j, NULL);
	as_json_text(j, "condition", c->node->text);
	as_json_text(j, "verdict", as_slice_of(as_gate_word(c->verdict)));
	as_json_text_or_null(j, "function", c->node->name);
	as_diff_json_figure(j, &p->arena, c->ev ? c->ev : &p->d->event[0], &c->fig);
	as_json_text(j, "reason", as_gate_why(&p->arena, p->d, c));
	as_json_object_end(j);
}

static void json_put_gates(struct as_diff_print *p)
{
	struct as_json *j = &p->sheet.json;

	as_json_array(j, "gates");
	for (size_t i = 0; i < p->v->n_gates; i++) {
		const struct as_gate_result *g = &p->v->gate[i];

		as_json_object(j, NULL);
		as_json_text(j, "expression", g->gate->text);
		as_json_text(j, "verdict", as_slice_of(as_gate_word(g->verdict)));
		as_json_array(j, "checks");
		for (size_t k = 0; k < g->n; k++)
			json_put_check(p, &g->check[k]);
		as_json_array_end(j);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void json_put_moved(struct as_diff_print *p)
{
	struct as_json *j = &p->sheet.json;

	as_json_array(j, "renamed_objects");
	for (size_t i = 0; i < p->d->moved.n; i++) {
		const struct as_diff_moved *m = &p->d->moved.p[i];

		as_json_object(j, NULL);
		as_json_text_or_null(j, "base", json_str(p, m->object[AS_BASE]));
		as_json_text_or_null(j, "new", json_str(p, m->object[AS_NEW]));
		as_json_val(j, "functions", m->n);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

/* ---- the document ---- */

void as_diff_json_begin(struct as_diff_print *p)
{
	struct as_json *j = &p->sheet.json;

	as_sheet_begin(&p->sheet, "assay.diff/1", NULL);
	json_put_side(p, AS_BASE);
	json_put_side(p, AS_NEW);
	as_json_text(j, "view", as_slice_of(view_text[p->v->kind]));
	as_json_text_or_null(
		j, "way", as_slice_of(p->v->kind == AS_DIFF_TREE ? way_text[p->v->sub->way] : ""));
	as_json_text(j, "by", as_slice_of(as_view_by(p->d->opts.by)));
	as_json_bool(j, "estimated", p->d->is_estimated);
	as_json_object(j, "sort");
	as_json_text(j, "event", json_str(p, p->d->event[p->event].name));
	as_json_bool(j, "inclusive", p->d->sort_inclusive);
	as_json_object_end(j);
	as_json_array(j, "events");
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		json_put_event(p, p->opts.event[i]);
	as_json_array_end(j);
}

void as_diff_json_end(struct as_diff_print *p)
{
	json_put_rest(p);
	json_put_lists(p);
	json_put_gates(p);
	json_put_moved(p);
}
