/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet as a table of Markdown: texts and figures, which is what comparisons have. */
#include "report/sheet/sheet_impl.h"

#include "report/kit/show.h"

void as_sheet_md_text(struct as_sheet *s, struct as_slice text)
{
	as_out_printf(s->to.out, " %.*s |", AS_SLICE_FMT(text));
}

void as_sheet_md_heads(struct as_sheet *s)
{
	as_out_char(s->to.out, '|');
	for (size_t i = 0; i < s->n_shown; i++) {
		const struct as_column *c = s->shown[i];

		if (c->kind == AS_COL_FIGURES)
			as_figures_md_head(s, c);
		else
			as_out_printf(s->to.out, "%s%s |", *c->key ? " " : "", c->key);
	}
	as_out_text(s->to.out, "\n|");
	for (size_t i = 0; i < s->n_shown; i++)
		as_out_text(s->to.out, s->shown[i]->kind == AS_COL_FIGURES
					       ? " ---: | ---: | ---: | ---: |"
					       : " --- |");
	as_out_char(s->to.out, '\n');
}

void as_sheet_md_code(struct as_out *out, struct as_arena *ar, struct as_slice text)
{
	struct as_slice clean = as_show_clean(ar, text);

	as_out_char(out, '`');
	for (size_t i = 0; clean.p && i < clean.len; i++) {
		if (clean.p[i] == '|')
			as_out_text(out, "\\|");
		else
			as_out_char(out, clean.p[i] == '`' ? '\'' : clean.p[i]);
	}
	as_out_char(out, '`');
}

static void md_name(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	struct as_out *out = s->to.out;

	as_out_printf(out, " %s", s->name.lead ? s->name.lead : "");
	for (size_t i = 0; i < s->name.indent; i++)
		as_out_text(out, "&nbsp;");
	if (cell->known)
		as_sheet_md_code(out, &s->grid.arena, cell->text);
	else
		as_out_slice(out, cell->text);
	as_out_text(out, " |");
}

void as_sheet_md_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	if (c->kind == AS_COL_FIGURES)
		as_figures_md(s, cell);
	else if (!cell)
		as_out_text(s->to.out, " |");
	else if (c->kind == AS_COL_NAME || c->kind == AS_COL_PLACE)
		md_name(s, cell);
	else
		as_sheet_md_text(s, cell->text);
}
