/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV as RFC 4180 has it, but with '\n' line ends: a field with a comma, quote or line break
 * is quoted. The first line is the header. Unknown values are empty fields.
 */
#include "report/sheet/sheet_impl.h"

#include "base/utf8_len.h"

/* ---- fields ---- */

/* Begin a field. */
static struct as_out *csv_field(struct as_sheet *s)
{
	if (s->has_field)
		as_out_char(s->to.out, ',');
	s->has_field = true;
	return s->to.out;
}

static bool csv_needs_quotes(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == ',' || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r')
			return true;
	return false;
}

/* What does not show itself goes as a code: a cell is looked at in terminals, too. */
static void csv_quoted(struct as_out *out, struct as_slice s)
{
	for (size_t i = 0, plain; i < s.len; i += plain ? plain : 1) {
		plain = s.p[i] == '\t' ? 1 : as_plain_len(s.p + i, s.len - i);
		if (s.p[i] == '"')
			as_out_char(out, '"');
		if (plain)
			as_out_bytes(out, s.p + i, plain);
		else
			as_out_printf(out, "\\x%02x", (unsigned char)s.p[i]);
	}
}

void as_sheet_csv_text(struct as_sheet *s, struct as_slice text)
{
	struct as_out *out = csv_field(s);
	const char *quote = csv_needs_quotes(text) ? "\"" : "";

	as_out_text(out, quote);
	csv_quoted(out, text);
	as_out_text(out, quote);
}

void as_sheet_csv_text2(struct as_sheet *s, const char *word, struct as_slice name)
{
	as_sheet_csv_text(s, as_arena_printf(&s->grid.arena, "%s %.*s", word, AS_SLICE_FMT(name)));
}

void as_sheet_csv_end(struct as_sheet *s)
{
	as_out_char(s->to.out, '\n');
	s->has_field = false;
}

static void csv_number(struct as_sheet *s, struct as_number n)
{
	struct as_out *out = csv_field(s);

	if (n.known && n.whole)
		as_out_val(out, n.n);
	else if (n.known)
		as_out_printf(out, "%.15g", n.x);
}

/* ---- columns ---- */

void as_sheet_csv_head(struct as_sheet *s, const struct as_column *c)
{
	static const char *const func[] = {"function", "file", "object", "address"};

	if (c->kind == AS_COL_FUNC)
		for (size_t i = 0; i < AS_ARRAY_LEN(func); i++)
			as_sheet_csv_text(s, as_slice_of(func[i]));
	else if (c->kind == AS_COL_COSTS)
		for (uint32_t i = 0; i < s->opts->n_events; i++)
			as_sheet_csv_text2(s, c->key, as_event_name(s->prof, s->opts->event[i]));
	else if (c->kind == AS_COL_FIGURES)
		as_figures_csv_head(s);
	else if (c->kind != AS_COL_METRICS)
		as_sheet_csv_text(s, as_slice_of(c->key));
	for (uint32_t k = 0; c->kind == AS_COL_METRICS && k < s->n_metrics; k++) {
		if (!s->metric[k].formula.p)
			as_sheet_csv_text(s, s->metric[k].name);
		else
			as_sheet_csv_text2(
				s, s->metric_incl ? "inclusive" : "self", s->metric[k].name);
	}
}

static void csv_func(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	bool known = cell && cell->known;
	const struct as_view_func *f = known ? &cell->func : NULL;
	struct as_slice none = as_slice_of("");

	as_sheet_csv_text(s, known ? f->name : cell ? cell->text : none);
	as_sheet_csv_text(s, known ? as_file_path(f->prof, f->key->file) : none);
	as_sheet_csv_text(s, known ? as_object_path(f->prof, f->key->object) : none);
	csv_field(s);
	if (known && as_view_has_address(*f))
		as_out_hex(s->to.out, f->key->addr);
}

void as_sheet_csv_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	bool known = cell && cell->known;

	if (c->kind == AS_COL_COSTS) {
		for (uint32_t i = 0; i < s->opts->n_events; i++) {
			csv_field(s);
			if (cell && cell->costs)
				as_out_val(s->to.out, cell->costs[s->opts->event[i]]);
		}
	} else if (c->kind == AS_COL_METRICS) {
		for (uint32_t k = 0; k < s->n_metrics; k++)
			csv_number(s,
				cell && cell->metrics ? cell->metrics[k] : (struct as_number){0});
	} else if (c->kind == AS_COL_FUNC) {
		csv_func(s, cell);
	} else if (c->kind == AS_COL_FIGURES) {
		as_figures_csv(s, cell);
	} else if (c->kind == AS_COL_BOOL) {
		as_sheet_csv_text(s, as_slice_of(!known ? "" : cell->n ? "yes" : "no"));
	} else if (as_column_is_text(c->kind)) {
		as_sheet_csv_text(s, cell ? cell->text : as_slice_of(""));
	} else if (c->kind == AS_COL_NUMBER) {
		csv_number(s, known ? cell->number : (struct as_number){0});
	} else {
		csv_field(s);
		if (known && c->kind == AS_COL_ADDR)
			as_out_hex(s->to.out, (uint64_t)cell->n);
		else if (known)
			as_out_val(s->to.out, cell->n);
	}
}
