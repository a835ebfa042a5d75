/* SPDX-License-Identifier: Apache-2.0 */
#include "report/tags.h"

#include "report/kit/head_json.h"
#include "report/kit/show.h"

struct tags {
	const struct as_tags_report *r;
	struct as_arena arena; /* texts */
	as_val *rest;          /* of the key: values that are not shown */
	uint32_t shown, more;  /* of its values */
	bool no_memory;
};

static bool tags_open(struct tags *t, const struct as_tags_report *r)
{
	*t = (struct tags){.r = r};
	as_arena_init(&t->arena, r->prof->al);
	t->rest = as_arena_get(&t->arena, (as_n_events(r->prof) + 1) * sizeof(*t->rest));
	return t->rest;
}

static enum as_code tags_close(struct tags *t, enum as_code rc)
{
	as_arena_release(&t->arena);
	return rc == AS_OK && t->no_memory ? AS_E_NOMEM : rc;
}

static const struct as_tag_row *row_of(
	const struct tags *t, const struct as_tag_key *key, uint32_t i)
{
	return &t->r->table->row.p[t->r->table->order.p[key->first + i]];
}

static const as_val *cost_of(const struct tags *t, const struct as_tag_key *key, uint32_t i)
{
	return t->r->table->cost.p +
	       (size_t)t->r->table->order.p[key->first + i] * as_n_events(t->r->prof);
}

static const as_val *none_of(const struct tags *t, const struct as_tag_key *key)
{
	return t->r->table->cost.p + key->none;
}

static bool is_zero(const struct tags *t, const as_val *cost)
{
	for (uint32_t k = 0; k < as_n_events(t->r->prof); k++)
		if (cost[k])
			return false;
	return true;
}

static struct as_slice text_of(struct tags *t, const struct as_tag_row *row)
{
	struct as_slice text = as_tag_text(t->r->table, &t->arena, row);

	t->no_memory |= !text.p;
	return text.p ? text : as_slice_of("");
}

/* How many values of KEY are shown, and what the others cost. */
static void choose(struct tags *t, const struct as_tag_key *key)
{
	uint32_t e = as_n_events(t->r->prof);

	t->shown = t->r->limit && t->r->limit < key->n ? (uint32_t)t->r->limit : key->n;
	t->more = key->n - t->shown;
	memset(t->rest, 0, e * sizeof(*t->rest));
	for (uint32_t i = t->shown; i < key->n; i++)
		for (uint32_t k = 0; k < e; k++)
			t->rest[k] += cost_of(t, key, i)[k];
}

/* ---- text ---- */

struct printer {
	struct tags tags;
	struct as_grid grid;
	const struct as_style *style;
	uint32_t event;
};

static void put(struct printer *p, as_val v, struct as_slice key, struct as_slice value)
{
	as_view_pair(&p->grid, v, as_whole(p->tags.r->prof)[p->event], p->tags.r->opts, p->style);
	as_grid_cell(&p->grid, key);
	as_grid_cell(&p->grid, value);
}

static void put_key(struct printer *p, const struct as_tag_key *key)
{
	const struct as_profile *prof = p->tags.r->prof;
	struct as_slice name = as_str_get(prof, key->name);
	as_val left = as_whole(prof)[p->event] - prof->total[p->event];

	choose(&p->tags, key);
	for (uint32_t i = 0; i < p->tags.shown; i++)
		put(p, cost_of(&p->tags, key, i)[p->event], name,
			text_of(&p->tags, row_of(&p->tags, key, i)));
	if (p->tags.more)
		put(p, p->tags.rest[p->event], name,
			as_arena_printf(&p->grid.arena, "[%" PRIu32 " more]", p->tags.more));
	if (none_of(&p->tags, key)[p->event])
		put(p, none_of(&p->tags, key)[p->event], name, as_slice_of("[none]"));
	if (left)
		put(p, left, name, as_slice_of("[filtered out]"));
}

enum as_code as_tags_text(
	const struct as_tags_report *r, struct as_out *out, const struct as_style *style)
{
	struct printer p = {.style = style};
	enum as_code rc = AS_E_NOMEM;

	if (!r->opts->n_events || !r->table->key.n)
		return AS_OK;
	p.event = r->opts->event[as_view_first(r->opts)];
	as_grid_init(&p.grid, r->prof->al);
	as_grid_column(&p.grid,
		as_view_head(&p.grid, "", as_str_get(r->prof, r->prof->event.p[p.event].name)) + 1,
		false, AS_FIT_WHOLE);
	as_grid_column(&p.grid, "%", false, AS_FIT_WHOLE);
	as_grid_column(&p.grid, "label", true, AS_FIT_TEXT);
	as_grid_column(&p.grid, "value", true, AS_FIT_TEXT);
	if (tags_open(&p.tags, r)) {
		for (size_t i = 0; i < r->table->key.n; i++)
			put_key(&p, &r->table->key.p[i]);
		rc = as_grid_print(&p.grid, out, style);
	}
	as_grid_release(&p.grid);
	return tags_close(&p.tags, rc);
}

/* ---- JSON ---- */

static void json_row(struct tags *t, struct as_json *j, const struct as_tag_key *key, uint32_t i)
{
	const struct as_tag_row *row = row_of(t, key, i);
	const struct as_label *l = &t->r->prof->label.p[row->first];

	as_json_object(j, NULL);
	as_json_text(j, "value", text_of(t, row));
	if (row->n == 1 && !l->text.i) {
		as_json_val(j, "number", l->number);
		as_json_text_or_null(j, "unit", as_str_get(t->r->prof, l->unit));
	} else {
		as_json_null(j, "number");
		as_json_null(j, "unit");
	}
	as_view_json_vals(j, "self", t->r->opts, cost_of(t, key, i));
	as_json_object_end(j);
}

static void json_key(struct tags *t, struct as_json *j, const struct as_tag_key *key)
{
	choose(t, key);
	as_json_object(j, NULL);
	as_json_text(j, "label", as_str_get(t->r->prof, key->name));
	as_json_array(j, "values");
	for (uint32_t i = 0; i < t->shown; i++)
		json_row(t, j, key, i);
	as_json_array_end(j);
	as_json_object(j, "rest");
	as_json_u64(j, "values", t->more);
	as_view_json_vals(j, "self", t->r->opts, t->rest);
	as_json_object_end(j);
	as_json_object(j, "none");
	as_view_json_vals(j, "self", t->r->opts, none_of(t, key));
	as_json_object_end(j);
	as_json_object_end(j);
}

enum as_code as_tags_json(const struct as_tags_report *r, struct as_out *out)
{
	struct tags t;
	struct as_json j;

	if (!tags_open(&t, r))
		return tags_close(&t, AS_E_NOMEM);
	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.tags/1"));
	as_json_profile(&j, r->prof, r->opts->files, r->opts->n_files);
	as_json_events(&j, r->prof, r->opts->event, r->opts->n_events);
	as_json_array(&j, "labels");
	for (size_t i = 0; i < r->table->key.n; i++)
		json_key(&t, &j, &r->table->key.p[i]);
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
	return tags_close(&t, AS_OK);
}

/* ---- CSV ---- */

static void csv_row(struct tags *t, struct as_csv *c, const struct as_tag_key *key,
	const char *kind, const as_val *cost)
{
	as_csv_text(c, as_str_get(t->r->prof, key->name));
	as_csv_empty(c);
	as_csv_text(c, as_slice_of(kind));
	as_view_csv_vals(c, t->r->opts, cost);
	as_csv_end(c);
}

static void csv_key(struct tags *t, struct as_csv *c, const struct as_tag_key *key)
{
	choose(t, key);
	for (uint32_t i = 0; i < t->shown; i++) {
		as_csv_text(c, as_str_get(t->r->prof, key->name));
		as_csv_text(c, text_of(t, row_of(t, key, i)));
		as_csv_text(c, as_slice_of("value"));
		as_view_csv_vals(c, t->r->opts, cost_of(t, key, i));
		as_csv_end(c);
	}
	if (t->more)
		csv_row(t, c, key, "rest", t->rest);
	if (!is_zero(t, none_of(t, key)))
		csv_row(t, c, key, "none", none_of(t, key));
}

enum as_code as_tags_csv(const struct as_tags_report *r, struct as_out *out)
{
	struct tags t;
	struct as_csv c;

	if (!tags_open(&t, r))
		return tags_close(&t, AS_E_NOMEM);
	as_csv_init(&c, out);
	as_csv_text(&c, as_slice_of("label"));
	as_csv_text(&c, as_slice_of("value"));
	as_csv_text(&c, as_slice_of("kind"));
	as_view_csv_heads(&c, r->prof, r->opts, "self");
	as_csv_end(&c);
	for (size_t i = 0; i < r->table->key.n; i++)
		csv_key(&t, &c, &r->table->key.p[i]);
	return tags_close(&t, AS_OK);
}
