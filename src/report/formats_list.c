/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

#include "formats/format.h"

enum { NAME, WAYS, TITLE, EXTS, READ, WRITE, CARRIES, READ_OPTS, WRITE_OPTS };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_TEXT | AS_IN_CSV, NAME, "format"},
	{AS_COL_WORD, AS_IN_TEXT, WAYS, ""},
	{AS_COL_WORD, AS_IN_JSON, NAME, "name"},
	{AS_COL_WORD, AS_IN_JSON, TITLE, "title"},
	{AS_COL_LIST, AS_IN_JSON, EXTS, "extensions"},
	{AS_COL_BOOL, AS_IN_DATA, READ, "read"},
	{AS_COL_BOOL, AS_IN_DATA, WRITE, "write"},
	{AS_COL_WORD, AS_IN_TEXT | AS_IN_CSV, EXTS, "extensions"},
	{AS_COL_WORD, AS_IN_TEXT | AS_IN_CSV, TITLE, "title"},
	{AS_COL_LIST, AS_IN_JSON, CARRIES, "carries"},
	{AS_COL_LIST, AS_IN_JSON, READ_OPTS, "read_options"},
	{AS_COL_LIST, AS_IN_JSON, WRITE_OPTS, "write_options"},
	{0},
};

/* ---- lists of JSON ---- */

static void formats_put_exts(const void *ctx, struct as_json *j, as_val n)
{
	struct as_slice rest = as_slice_of(ctx), one;

	(void)n;
	while (as_slice_cut(&rest, ',', &one))
		if (one.len)
			as_json_text(j, NULL, one);
}

static void formats_put_caps(const void *ctx, struct as_json *j, as_val caps)
{
	(void)ctx;
	for (unsigned bit = 0; bit < AS_CAP_COUNT; bit++)
		if (caps >> bit & 1)
			as_json_text(j, NULL, as_slice_of(as_cap_kind(bit)));
}

static void formats_put_opts(const void *ctx, struct as_json *j, as_val n)
{
	(void)n;
	for (const struct as_opt *opt = ctx; opt && opt->key; opt++) {
		as_json_object(j, NULL);
		as_json_text(j, "key", as_slice_of(opt->key));
		as_json_text_or_null(j, "value", as_slice_of(opt->value));
		as_json_text_or_null(j, "help", as_slice_of(opt->help));
		as_json_object_end(j);
	}
}

/* ---- all formats ---- */

static void formats_put_row(struct as_sheet *s, const struct as_format *fmt)
{
	const char *exts = fmt->exts ? fmt->exts : "";

	as_assert(fmt->title);
	as_sheet_text(s, NAME, as_slice_of(fmt->name));
	as_sheet_text(s, WAYS, as_slice_of(fmt->read && fmt->write ? "RW" : fmt->read ? "R" : "W"));
	as_sheet_text(s, TITLE, as_slice_of(fmt->title));
	if (as_sheet_is(s, AS_FORM_JSON))
		as_sheet_list_of(s, EXTS, formats_put_exts, exts, 0);
	else
		as_sheet_text(s, EXTS, as_slice_of(exts));
	as_sheet_count(s, READ, true, fmt->read != NULL);
	as_sheet_count(s, WRITE, true, fmt->write != NULL);
	as_sheet_list_of(s, CARRIES, formats_put_caps, NULL, fmt->caps);
	as_sheet_list_of(s, READ_OPTS, formats_put_opts, fmt->read_opts, 0);
	as_sheet_list_of(s, WRITE_OPTS, formats_put_opts, fmt->write_opts, 0);
	as_sheet_row(s, NULL);
}

/* ---- details of text ---- */

static void formats_text_opts(
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
static enum as_code formats_text_matrix(const struct as_alloc *al, const struct as_sheet_to *to)
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
	rc = as_grid_print(&g, to->out, to->style);
	as_grid_release(&g);
	return rc;
}

enum as_code as_formats_print(const struct as_alloc *al, const struct as_sheet_to *to, bool details)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, al, columns);
	as_sheet_begin(&s, "assay.formats/1", NULL);
	as_sheet_rows(&s, "formats");
	for (size_t i = 0; as_formats[i]; i++)
		formats_put_row(&s, as_formats[i]);
	as_sheet_list_end(&s);
	AS_TRY(as_sheet_finish(&s));
	if (to->form != AS_FORM_TEXT || !details)
		return AS_OK;
	as_out_printf(to->out, "%s\n", to->style->markdown ? "\n```" : "");
	for (size_t i = 0; as_formats[i]; i++) {
		formats_text_opts(to->out, as_formats[i], "-I", as_formats[i]->read_opts);
		formats_text_opts(to->out, as_formats[i], "-O", as_formats[i]->write_opts);
	}
	as_out_printf(to->out, "%s\n", to->style->markdown ? "```\n" : "");
	return formats_text_matrix(al, to);
}
