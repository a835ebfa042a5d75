/* SPDX-License-Identifier: Apache-2.0 */
#include "report/views.h"

#include "report/kit/show.h"
#include "report/top.h"

unsigned as_view_indent(uint32_t depth)
{
	return 2 * (depth < AS_VIEW_LEVELS ? depth : AS_VIEW_LEVELS);
}

struct as_slice as_view_name(struct as_arena *ar, struct as_view_func f)
{
	return as_show_func(ar, f.prof, f.name, f.key->object, f.key->addr);
}

struct as_slice as_view_where(struct as_arena *ar, struct as_view_func f)
{
	struct as_slice file = as_file_path(f.prof, f.key->file);

	return as_show_where(ar, file.len ? file : as_object_path(f.prof, f.key->object), 0);
}

const char *as_view_again(const struct as_style *style)
{
	return style->utf8 ? " \u21bb" : " (r)";
}

const char *as_view_head(struct as_grid *g, const char *prefix, struct as_slice name)
{
	struct as_slice s = as_show_clean(&g->arena, name);

	s = as_arena_printf(&g->arena, "%s %.*s", prefix, AS_SLICE_FMT(s));
	g->oom |= !s.p;
	return s.p ? s.p : "";
}

void as_view_at_most(struct as_grid *g, as_val v, as_val whole, const struct as_unit *unit,
	const struct as_style *style)
{
	const char *sign = style->utf8 ? "\u2264" : "<=";
	struct as_slice text = as_show_in(&g->arena, v, unit, style);

	as_grid_cell(g, as_arena_printf(&g->arena, "%s%.*s", sign, AS_SLICE_FMT(text)));
	text = as_show_percent(&g->arena, v, whole);
	as_grid_cell(g, as_arena_printf(&g->arena, "%s%.*s", sign, AS_SLICE_FMT(text)));
}

uint32_t as_view_first(const struct as_view_opts *opts)
{
	for (uint32_t i = 0; i < opts->n_events; i++)
		if (opts->event[i] == opts->sort_event)
			return i;
	return 0;
}

/* ---- JSON and CSV ---- */

static bool has_address(struct as_view_func f)
{
	return !f.name.len && (f.key->addr || f.key->object.i);
}

void as_view_json_func(struct as_json *j, struct as_view_func f)
{
	as_json_text_or_null(j, "function", f.name);
	as_json_text_or_null(j, "file", as_file_path(f.prof, f.key->file));
	as_json_text_or_null(j, "object", as_object_path(f.prof, f.key->object));
	if (has_address(f))
		as_json_addr(j, "address", f.key->addr);
	else
		as_json_null(j, "address");
}

void as_view_json_vals(
	struct as_json *j, const char *key, const struct as_view_opts *opts, const as_val *v)
{
	if (!v) {
		as_json_null(j, key);
		return;
	}
	as_json_array(j, key);
	for (uint32_t i = 0; i < opts->n_events; i++)
		as_json_val(j, NULL, v[opts->event[i]]);
	as_json_array_end(j);
}

void as_view_json_calls(struct as_json *j, bool known, as_val n)
{
	if (known)
		as_json_val(j, "calls", n);
	else
		as_json_null(j, "calls");
}

void as_view_csv_func(struct as_csv *c, struct as_view_func f)
{
	as_csv_text(c, f.name);
	as_csv_text(c, as_file_path(f.prof, f.key->file));
	as_csv_text(c, as_object_path(f.prof, f.key->object));
	if (has_address(f))
		as_csv_addr(c, f.key->addr);
	else
		as_csv_empty(c);
}

void as_view_csv_func_head(struct as_csv *c)
{
	static const char *const key[] = {"function", "file", "object", "address"};

	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(c, as_slice_of(key[i]));
}

void as_view_csv_heads(struct as_csv *c, const struct as_profile *prof,
	const struct as_view_opts *opts, const char *prefix)
{
	for (uint32_t i = 0; i < opts->n_events; i++)
		as_csv_text2(c, prefix, as_event_name(prof, opts->event[i]));
}

void as_view_csv_vals(struct as_csv *c, const struct as_view_opts *opts, const as_val *v)
{
	for (uint32_t i = 0; i < opts->n_events; i++) {
		if (v)
			as_csv_val(c, v[opts->event[i]]);
		else
			as_csv_empty(c);
	}
}
