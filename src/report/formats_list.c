/* SPDX-License-Identifier: Apache-2.0 */
#include "report/formats_list.h"

#include "formats/format.h"
#include "report/kit/csv.h"
#include "report/kit/grid.h"
#include "report/kit/json.h"

static const char *ways(const struct as_format *fmt)
{
	return fmt->read && fmt->write ? "RW" : fmt->read ? "R" : "W";
}

static enum as_code text_list(
	const struct as_alloc *al, struct as_out *out, const struct as_style *style)
{
	struct as_grid g;
	enum as_code rc;

	as_grid_init(&g, al);
	as_grid_column(&g, "format", true, AS_FIT_WHOLE);
	as_grid_column(&g, "", true, AS_FIT_WHOLE);
	as_grid_column(&g, "extensions", true, AS_FIT_WHOLE);
	as_grid_column(&g, "title", true, AS_FIT_WHOLE);
	for (size_t i = 0; as_formats[i]; i++) {
		const struct as_format *fmt = as_formats[i];

		as_grid_cell(&g, as_slice_of(fmt->name));
		as_grid_cell(&g, as_slice_of(ways(fmt)));
		as_grid_cell(&g, as_slice_of(fmt->exts ? fmt->exts : ""));
		as_grid_cell(&g, as_slice_of(fmt->title ? fmt->title : ""));
	}
	rc = as_grid_print(&g, out, style);
	as_grid_release(&g);
	return rc;
}

static void text_options(
	struct as_out *out, const struct as_format *fmt, const char *flag, const struct as_opt *opt)
{
	char left[96];

	for (; opt && opt->key; opt++) {
		snprintf(left, sizeof(left), "%s %s=%s", flag, opt->key,
			opt->value ? opt->value : "");
		as_out_printf(out, "%-10s%-32s%s\n", fmt->name, left, opt->help ? opt->help : "");
	}
}

/* What can be carried: a row per capability, a column per format. */
static enum as_code text_matrix(
	const struct as_alloc *al, struct as_out *out, const struct as_style *style)
{
	struct as_grid g;
	enum as_code rc;

	as_grid_init(&g, al);
	as_grid_column(&g, "can carry", true, AS_FIT_WHOLE);
	for (size_t i = 0; as_formats[i] && i + 1 < AS_GRID_COLUMNS_MAX; i++)
		as_grid_column(&g, as_formats[i]->name, true, AS_FIT_WHOLE);
	for (unsigned bit = 0; bit < AS_CAP_COUNT; bit++) {
		as_grid_cell(&g, as_arena_plural(&g.arena, as_cap_words(bit), 0));
		for (size_t i = 0; as_formats[i] && i + 1 < AS_GRID_COLUMNS_MAX; i++)
			as_grid_cell(&g, as_slice_of(as_formats[i]->caps >> bit & 1 ? "yes" : "-"));
	}
	rc = as_grid_print(&g, out, style);
	as_grid_release(&g);
	return rc;
}

enum as_code as_formats_text(
	const struct as_alloc *al, struct as_out *out, const struct as_style *style, bool details)
{
	AS_TRY(text_list(al, out, style));
	if (!details)
		return AS_OK;
	as_out_char(out, '\n');
	for (size_t i = 0; as_formats[i]; i++) {
		text_options(out, as_formats[i], "-I", as_formats[i]->read_opts);
		text_options(out, as_formats[i], "-O", as_formats[i]->write_opts);
	}
	as_out_char(out, '\n');
	return text_matrix(al, out, style);
}

static void json_options(struct as_json *j, const char *key, const struct as_opt *opt)
{
	as_json_array(j, key);
	for (; opt && opt->key; opt++) {
		as_json_object(j, NULL);
		as_json_text(j, "key", as_slice_of(opt->key));
		as_json_text_or_null(j, "value", as_slice_of(opt->value));
		as_json_text_or_null(j, "help", as_slice_of(opt->help));
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void json_words(struct as_json *j, const char *key, const char *list)
{
	struct as_slice rest = as_slice_of(list), one;

	as_json_array(j, key);
	while (list && as_slice_cut(&rest, ',', &one))
		if (one.len)
			as_json_text(j, NULL, one);
	as_json_array_end(j);
}

static void json_format(struct as_json *j, const struct as_format *fmt)
{
	as_json_object(j, NULL);
	as_json_text(j, "name", as_slice_of(fmt->name));
	as_json_text_or_null(j, "title", as_slice_of(fmt->title));
	json_words(j, "extensions", fmt->exts);
	as_json_bool(j, "read", fmt->read != NULL);
	as_json_bool(j, "write", fmt->write != NULL);
	as_json_array(j, "carries");
	for (unsigned bit = 0; bit < AS_CAP_COUNT; bit++)
		if (fmt->caps >> bit & 1)
			as_json_text(j, NULL, as_slice_of(as_cap_kind(bit)));
	as_json_array_end(j);
	json_options(j, "read_options", fmt->read_opts);
	json_options(j, "write_options", fmt->write_opts);
	as_json_object_end(j);
}

void as_formats_json(struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.formats/1"));
	as_json_array(&j, "formats");
	for (size_t i = 0; as_formats[i]; i++)
		json_format(&j, as_formats[i]);
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

void as_formats_csv(struct as_out *out)
{
	static const char *const key[] = {"format", "read", "write", "extensions", "title"};
	struct as_csv c;

	as_csv_init(&c, out);
	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(&c, as_slice_of(key[i]));
	as_csv_end(&c);
	for (size_t i = 0; as_formats[i]; i++) {
		const struct as_format *fmt = as_formats[i];

		as_csv_text(&c, as_slice_of(fmt->name));
		as_csv_text(&c, as_slice_of(fmt->read ? "yes" : "no"));
		as_csv_text(&c, as_slice_of(fmt->write ? "yes" : "no"));
		as_csv_text(&c, as_slice_of(fmt->exts));
		as_csv_text(&c, as_slice_of(fmt->title));
		as_csv_end(&c);
	}
}
