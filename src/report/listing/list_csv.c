/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `assay list` and `assay asm` as CSV. A row is a line or an instruction; calls and jumps made
 * there follow as rows of their own, with "call" or "jump" in the first column.
 */
#include "report/kit/csv.h"
#include "report/listing/list_print_impl.h"
#include "report/top.h"

static void head(const struct as_list_print *p, struct as_csv *c, bool code)
{
	as_csv_text(c, as_slice_of("row"));
	as_csv_text(c, as_slice_of("of"));
	if (code)
		as_csv_text(c, as_slice_of("address"));
	as_csv_text(c, as_slice_of("function"));
	as_csv_text(c, as_slice_of("file"));
	as_csv_text(c, as_slice_of("line"));
	if (!code)
		as_csv_text(c, as_slice_of("depth"));
	for (uint32_t k = 0; k < p->opts->n_events; k++)
		as_csv_text2(c, "self", as_event_name(p->prof, p->opts->event[k]));
	for (uint32_t k = 0; k < p->opts->n_events; k++)
		as_csv_text2(c, "inclusive", as_event_name(p->prof, p->opts->event[k]));
	as_csv_text(c, as_slice_of("callee"));
	as_csv_text(c, as_slice_of("count"));
	if (code) {
		as_csv_text(c, as_slice_of("target"));
		as_csv_text(c, as_slice_of("executed"));
		as_csv_text(c, as_slice_of("followed"));
	}
	as_csv_text(c, as_slice_of("text"));
	as_csv_end(c);
}

static void values(const struct as_list_print *p, struct as_csv *c, const as_val *v)
{
	for (uint32_t k = 0; k < p->opts->n_events; k++) {
		if (v)
			as_csv_val(c, v[p->opts->event[k]]);
		else
			as_csv_empty(c);
	}
}

static void number(struct as_csv *c, uint64_t v)
{
	if (v)
		as_csv_val(c, (as_val)v);
	else
		as_csv_empty(c);
}

static void empty(struct as_csv *c, int n)
{
	while (n-- > 0)
		as_csv_empty(c);
}

static void address(struct as_csv *c, uint64_t v)
{
	if (v)
		as_csv_addr(c, v);
	else
		as_csv_empty(c);
}

/* What all rows begin with: OF is the function that is listed. */
struct start {
	const char *what;
	const struct as_listing *of;
	bool code;
	uint64_t addr, line, depth;
	struct as_slice func, path;
};

static void start(struct as_csv *c, const struct start *s)
{
	as_csv_text(c, as_slice_of(s->what));
	as_csv_text(c, as_shown_name(s->of->prof, s->of->name));
	if (s->code)
		address(c, s->addr);
	as_csv_text(c, s->func);
	as_csv_text(c, s->path);
	number(c, s->line);
	if (!s->code)
		as_csv_val(c, (as_val)s->depth);
}

static void calls(const struct as_list_print *p, struct as_csv *c, const struct as_list_row *row,
	struct start s)
{
	s.what = "call";
	for (uint32_t k = row->call; k < row->call + row->n_calls; k++) {
		const struct as_list_call *call = &s.of->call.p[k];

		start(c, &s);
		values(p, c, NULL);
		values(p, c, as_list_call_cost(s.of, k));
		as_csv_text(c, as_listing_func_name(p->listings, call->callee));
		if (call->has_count)
			as_csv_val(c, call->count);
		else
			as_csv_empty(c);
		empty(c, s.code ? 4 : 1);
		as_csv_end(c);
	}
}

static void line_row(
	const struct as_list_print *p, struct as_csv *c, const struct as_listing *l, uint32_t r)
{
	const struct as_list_row *row = &l->row.p[r];
	struct start s = {.what = "line",
		.of = l,
		.line = row->line,
		.depth = row->depth,
		.func = as_listing_func_name(p->listings, row->func),
		.path = as_file_path(p->prof, row->file)};
	struct as_slice text = {0};

	if (!row->line || !p->source->line(p->source->ctx, row->file, row->line, &text))
		text.len = 0;
	start(c, &s);
	values(p, c, as_list_self(l, r));
	values(p, c, l->row_has_incl ? as_list_incl(l, r) : NULL);
	empty(c, 2);
	as_csv_text(c, text);
	as_csv_end(c);
	calls(p, c, row, s);
}

void as_list_csv(const struct as_list_print *p, const struct as_list_item *item, size_t n)
{
	struct as_csv c;

	as_csv_init(&c, p->out);
	head(p, &c, false);
	for (size_t i = 0; i < n; i++)
		for (uint32_t r = 0; r < item[i].lines->row.n; r++)
			line_row(p, &c, item[i].lines, r);
}

static void jumps(const struct as_list_print *p, struct as_csv *c, const struct as_list_row *row,
	struct start s)
{
	s.what = "jump";
	for (uint32_t k = row->jump; k < row->jump + row->n_jumps; k++) {
		const struct as_list_jump *jump = &s.of->jump.p[k];

		start(c, &s);
		values(p, c, NULL);
		values(p, c, NULL);
		as_csv_text(c, as_shown_name(p->prof, as_func_name(p->prof, jump->func)));
		as_csv_empty(c);
		address(c, jump->addr);
		as_csv_val(c, jump->executed);
		as_csv_val(c, jump->followed);
		as_csv_text(c, as_slice_of(jump->conditional ? "conditional" : ""));
		as_csv_end(c);
	}
}

static void insn_row(
	const struct as_list_print *p, struct as_csv *c, const struct as_asm_view *v, size_t at)
{
	const struct as_asm_entry *e = &v->entry[at];
	const struct as_list_row *row = e->row ? &v->l->row.p[e->row - 1] : NULL;
	struct as_asm_place place = as_asm_place_of(v, at);
	struct start s = {.what = "instruction",
		.of = v->l,
		.code = true,
		.addr = e->addr,
		.line = place.line,
		.func = as_shown_beside(p->prof->shown, v->ar, place.func),
		.path = place.path};

	start(c, &s);
	values(p, c, row ? as_list_self(v->l, e->row - 1) : NULL);
	values(p, c, row && v->l->row_has_incl ? as_list_incl(v->l, e->row - 1) : NULL);
	empty(c, 2);
	if (e->insn && e->insn->has_target)
		as_csv_addr(c, e->insn->target);
	else
		as_csv_empty(c);
	empty(c, 2);
	as_csv_text(c, e->insn ? e->insn->text : as_slice_of(""));
	as_csv_end(c);
	if (!row)
		return;
	calls(p, c, row, s);
	jumps(p, c, row, s);
}

enum as_code as_asm_csv(const struct as_list_print *p, const struct as_list_item *item, size_t n)
{
	struct as_csv c;

	as_csv_init(&c, p->out);
	head(p, &c, true);
	for (size_t i = 0; i < n; i++) {
		struct as_asm_view v;
		struct as_arena ar;

		as_arena_init(&ar, p->prof->al);
		if (!as_asm_view_init(&v, &item[i], &ar)) {
			as_arena_release(&ar);
			return AS_E_NOMEM;
		}
		for (size_t at = 0; at < v.n; at++)
			insn_row(p, &c, &v, at);
		as_arena_release(&ar);
	}
	return AS_OK;
}
