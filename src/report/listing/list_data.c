/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `assay list` and `assay asm` for programs: assay.list/1 and assay.asm/1, docs/json.md, and CSV.
 * There a row is a line or an instruction; calls and jumps made there follow as rows of their own,
 * with "call" or "jump" in the first column.
 */
#include "report/listing/list_print_impl.h"
#include "report/sheet/sheet.h"

/* Slots: where a row is; its costs; of instructions; of source and binaries. */
enum { WHAT, OF_NAME, OF, DEPTH, FUNCTION, FILE_PATH, LINE, OBJECT, FUNC_ADDRESS, FROM, TO, COSTS };
enum { SELF = COSTS, CODE, INCL, MOST, CALLS, AGAIN, COUNT, CALLEE, CODES };
enum { ADDRESS = CODES, SIZE, INSN, CONDITIONAL, EXECUTED, FOLLOWED, TARGET, TARGET_FUNC, TEXTS };
enum { TEXT = TEXTS, FOUND, NOTE, OTHER_BINARY, MORE };

static const struct as_column columns[] = {
	{AS_COL_TEXT, AS_IN_CSV, WHAT, "row"},
	{AS_COL_NAME, AS_IN_CSV, OF_NAME, "of"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "functions"},
	{AS_COL_ID, AS_IN_JSON, OF, "of"},
	{AS_COL_COUNT, AS_IN_JSON, DEPTH, "depth"},
	{AS_COL_BOOL, AS_IN_JSON, CONDITIONAL, "conditional"},
	{AS_COL_COUNT, AS_IN_JSON, EXECUTED, "executed"},
	{AS_COL_COUNT, AS_IN_JSON, FOLLOWED, "followed"},
	{AS_COL_ADDR, AS_IN_DATA, ADDRESS, "address"},
	{AS_COL_COUNT, AS_IN_JSON, SIZE, "size"},
	{AS_COL_TEXT, AS_IN_JSON, INSN, "text"},
	{AS_COL_NAME, AS_IN_DATA, FUNCTION, "function"},
	{AS_COL_NAME, AS_IN_DATA, FILE_PATH, "file"},
	{AS_COL_ID, AS_IN_DATA, LINE, "line"},
	{AS_COL_COUNT, AS_IN_CSV, DEPTH, "depth"},
	{AS_COL_NAME, AS_IN_JSON, OBJECT, "object"},
	{AS_COL_ADDR, AS_IN_JSON, FUNC_ADDRESS, "address"},
	{AS_COL_ADDR, AS_IN_JSON, FROM, "from"},
	{AS_COL_ADDR, AS_IN_JSON, TO, "to"},
	{AS_COL_COUNT, AS_IN_JSON, COUNT, "count"},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{AS_COL_COSTS, AS_IN_JSON, CODE, "with_inlined"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COSTS, AS_IN_JSON, MOST, "inclusive_at_most"},
	{AS_COL_COUNT, AS_IN_JSON, CALLS, "calls"},
	{AS_COL_BOOL, AS_IN_JSON, AGAIN, "recursive"},
	{AS_COL_NAME, AS_IN_CSV, CALLEE, "callee"},
	{AS_COL_COUNT, AS_IN_CSV, COUNT, "count"},
	{AS_COL_ADDR, AS_IN_DATA, TARGET, "target"},
	{AS_COL_NAME, AS_IN_JSON, TARGET_FUNC, "target_function"},
	{AS_COL_COUNT, AS_IN_CSV, EXECUTED, "executed"},
	{AS_COL_COUNT, AS_IN_CSV, FOLLOWED, "followed"},
	{AS_COL_TEXT, AS_IN_DATA, TEXT, "text"},
	{AS_COL_NAME, AS_IN_JSON, FOUND, "found"},
	{AS_COL_TEXT, AS_IN_JSON, NOTE, "note"},
	{AS_COL_BOOL, AS_IN_JSON, OTHER_BINARY, "other_binary"},
	{0},
};

struct printer {
	struct as_sheet sheet;
	const struct as_list_print *p;
};

/* ---- functions ---- */

/* By what JSON tells a function from others. */
static void list_fill_func(struct printer *x, as_func f)
{
	const struct as_profile *prof = x->p->prof;
	struct as_sheet *s = &x->sheet;

	as_sheet_text_or_null(s, FUNCTION, as_listing_func_name(x->p->listings, f));
	as_sheet_text_or_null(s, FILE_PATH, as_file_path(prof, prof->func.file.p[f.i]));
	as_sheet_text_or_null(s, OBJECT, as_object_path(prof, prof->func.object.p[f.i]));
}

static void list_put_sources(struct printer *x, const struct as_list_item *item)
{
	const struct as_list_source *source = x->p->source;
	struct as_sheet *s = &x->sheet;

	as_sheet_list(s, "sources");
	for (size_t b = 0; b < item->lines->block.n; b++) {
		as_file file = item->lines->block.p[b].file;
		struct as_slice note = {0}, where = {0};

		if (source)
			where = source->where(source->ctx, file, &note);
		as_sheet_text_or_null(s, FILE_PATH, as_file_path(x->p->prof, file));
		as_sheet_text_or_null(s, FOUND, where);
		as_sheet_text_or_null(s, NOTE, note);
		as_sheet_row(s, NULL);
	}
	as_sheet_list_end(s);
}

static void list_put_func(struct printer *x, const struct as_list_item *item)
{
	const struct as_listing *l = x->p->code ? item->insns : item->lines;
	uint64_t addr = as_listing_addr(l);
	struct as_sheet *s = &x->sheet;

	list_fill_func(x, l->func);
	as_sheet_count(s, FUNC_ADDRESS, addr != 0, (as_val)addr);
	as_sheet_count(s, FROM, l->stretch.addr != 0, (as_val)l->stretch.start);
	as_sheet_count(s, TO, l->stretch.addr != 0, (as_val)l->stretch.last);
	as_sheet_costs(s, SELF, l->self);
	as_sheet_costs(s, CODE, l->code);
	as_sheet_costs(s, INCL, l->has_incl ? l->incl : NULL);
	if (l->most)
		as_sheet_costs(s, MOST, l->most);
	as_sheet_count(s, CALLS, l->has_calls, l->calls);
	if (item->insns) {
		as_sheet_text_or_null(s, NOTE, item->code_note);
		as_sheet_count(s, OTHER_BINARY, true, item->other_binary);
	}
	as_sheet_row_begin(s, NULL);
	if (!x->p->code)
		list_put_sources(x, item);
	as_sheet_row_end(s);
}

/* ---- rows ---- */

/* What is called from ROW, NULL: nothing. CSV has the callee beside where it is called from. */
static void list_put_calls(
	struct printer *x, const struct as_listing *l, const struct as_list_row *row)
{
	bool csv = as_sheet_is(&x->sheet, AS_FORM_CSV);
	struct as_sheet *s = &x->sheet;

	as_sheet_list(s, "calls");
	for (uint32_t k = row ? row->call : 0; row && k < row->call + row->n_calls; k++) {
		const struct as_list_call *call = &l->call.p[k];
		struct as_slice name = as_listing_func_name(x->p->listings, call->callee);
		uint64_t addr = x->p->prof->func.addr.p[call->callee.i];

		as_sheet_text(s, WHAT, as_slice_of("call"));
		if (!csv)
			list_fill_func(x, call->callee);
		as_sheet_text_or_null(s, CALLEE, name);
		as_sheet_count(s, FUNC_ADDRESS, addr && !name.len, (as_val)addr);
		as_sheet_count(s, COUNT, call->has_count, call->count);
		as_sheet_costs(s, INCL, as_list_call_cost(l, k));
		as_sheet_count(s, AGAIN, true, call->inner);
		as_sheet_row(s, NULL);
	}
	as_sheet_list_end(s);
}

static void list_put_jumps(
	struct printer *x, const struct as_listing *l, const struct as_list_row *row)
{
	const struct as_profile *prof = x->p->prof;
	bool csv = as_sheet_is(&x->sheet, AS_FORM_CSV);
	struct as_sheet *s = &x->sheet;

	as_sheet_list(s, "jumps");
	for (uint32_t k = row ? row->jump : 0; row && k < row->jump + row->n_jumps; k++) {
		const struct as_list_jump *jump = &l->jump.p[k];
		struct as_slice name = as_shown_name(prof, as_func_name(prof, jump->func));

		as_sheet_count(s, EXECUTED, true, jump->executed);
		as_sheet_count(s, FOLLOWED, true, jump->followed);
		as_sheet_count(s, csv ? TARGET : ADDRESS, jump->addr != 0, (as_val)jump->addr);
		as_sheet_text_or_null(s, csv ? CALLEE : FUNCTION, name);
		if (csv) {
			as_sheet_text(s, WHAT, as_slice_of("jump"));
			as_sheet_text(s, TEXT, as_slice_of(jump->conditional ? "conditional" : ""));
		} else {
			as_sheet_count(s, CONDITIONAL, true, jump->conditional);
			as_sheet_text_or_null(s, FILE_PATH, as_file_path(prof, jump->file));
			as_sheet_count(s, LINE, jump->line != 0, (as_val)jump->line);
		}
		as_sheet_row(s, NULL);
	}
	as_sheet_list_end(s);
}

/* The row has what all of its calls and jumps have in CSV. */
static void list_row_begin(struct printer *x, const struct as_listing *l, size_t of)
{
	struct as_sheet *s = &x->sheet;

	as_sheet_text_or_null(s, OF_NAME, as_shown_name(x->p->prof, l->name));
	if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_group(s);
	as_sheet_count(s, OF, true, (as_val)of);
}

static void list_put_line(
	struct printer *x, const struct as_listing *l, const struct as_list_row *row, size_t of)
{
	const struct as_list_source *source = x->p->source;
	size_t r = (size_t)(row - l->row.p);
	struct as_sheet *s = &x->sheet;
	struct as_slice text = {0};
	bool has_text =
		row->line && source && source->line(source->ctx, row->file, row->line, &text);

	as_sheet_count(s, DEPTH, true, row->depth);
	as_sheet_text_or_null(s, FUNCTION, as_listing_func_name(x->p->listings, row->func));
	as_sheet_text_or_null(s, FILE_PATH, as_file_path(x->p->prof, row->file));
	as_sheet_count(s, LINE, row->line != 0, (as_val)row->line);
	list_row_begin(x, l, of);
	as_sheet_text(s, WHAT, as_slice_of("line"));
	as_sheet_costs(s, SELF, as_list_self(l, r));
	as_sheet_costs(s, INCL, l->row_has_incl ? as_list_incl(l, r) : NULL);
	as_sheet_text_or_null(s, TEXT, as_slice_of(""));
	if (has_text)
		as_sheet_text(s, TEXT, text.p ? text : as_slice_of(""));
	as_sheet_row_begin(s, NULL);
	list_put_calls(x, l, row);
	as_sheet_group_end(s);
}

static void list_put_insn(struct printer *x, const struct as_asm_view *v, size_t at, size_t of)
{
	const struct as_asm_entry *e = &v->entry[at];
	const struct as_code_insn *insn = e->insn;
	const struct as_list_row *row = e->row ? &v->l->row.p[e->row - 1] : NULL;
	struct as_shown *shown = x->p->prof->shown;
	struct as_asm_place place = as_asm_place_of(v, at);
	struct as_slice none = as_slice_of("");
	struct as_sheet *s = &x->sheet;

	as_sheet_count(s, ADDRESS, e->addr != 0, (as_val)e->addr);
	as_sheet_text_or_null(s, FUNCTION, as_shown_beside(shown, v->ar, place.func));
	as_sheet_text_or_null(s, FILE_PATH, place.path);
	as_sheet_count(s, LINE, place.line != 0, (as_val)place.line);
	list_row_begin(x, v->l, of);
	as_sheet_text(s, WHAT, as_slice_of("instruction"));
	as_sheet_count(s, SIZE, insn && insn->size, insn ? insn->size : 0);
	as_sheet_text_or_null(
		s, as_sheet_is(s, AS_FORM_CSV) ? TEXT : INSN, insn ? insn->text : none);
	as_sheet_costs(s, SELF, row ? as_list_self(v->l, e->row - 1) : NULL);
	as_sheet_costs(s, INCL, row && v->l->row_has_incl ? as_list_incl(v->l, e->row - 1) : NULL);
	as_sheet_count(s, TARGET, insn && insn->has_target, insn ? (as_val)insn->target : 0);
	as_sheet_text_or_null(
		s, TARGET_FUNC, insn ? as_shown_beside(shown, v->ar, insn->target_name) : none);
	as_sheet_row_begin(s, NULL);
	list_put_calls(x, v->l, row);
	list_put_jumps(x, v->l, row);
	as_sheet_group_end(s);
}

static bool list_put_insns(struct printer *x, const struct as_list_item *item, size_t of)
{
	struct as_asm_view v;
	struct as_arena ar;
	bool ok;

	as_arena_init(&ar, x->p->prof->al);
	ok = as_asm_view_init(&v, item, &ar);
	for (size_t at = 0; ok && at < v.n; at++)
		list_put_insn(x, &v, at, of);
	as_arena_release(&ar);
	return ok;
}

/* ---- the sheet ---- */

static void list_put_rows(struct printer *x, const struct as_list_item *item, size_t n)
{
	struct as_sheet *s = &x->sheet;
	bool json = as_sheet_is(s, AS_FORM_JSON);

	if (!x->p->code) {
		as_sheet_list(s, "lines");
		for (size_t i = 0; i < n; i++)
			for (uint32_t r = 0; r < item[i].lines->row.n; r++)
				list_put_line(x, item[i].lines, &item[i].lines->row.p[r], i);
		as_sheet_list_end(s);
	}
	if (!x->p->code && (!json || !n || !item[0].insns))
		return;
	as_sheet_list(s, "instructions");
	for (size_t i = 0; i < n && !s->grid.arena.failed; i++)
		s->grid.arena.failed |= !list_put_insns(x, &item[i], i);
	as_sheet_list_end(s);
}

enum as_code as_list_data(
	const struct as_list_print *p, enum as_form form, const struct as_list_item *item, size_t n)
{
	static const unsigned of_code[] = {ADDRESS, TARGET, EXECUTED, FOLLOWED};
	const struct as_sheet_to to = {form, p->out, p->style};
	struct printer x = {.p = p};
	struct as_sheet *s = &x.sheet;

	as_assert(p->listings && form != AS_FORM_TEXT);
	as_sheet_init(s, &to, p->prof, &p->opts->view, columns);
	as_sheet_hide(s, AS_IN_CSV, DEPTH, p->code);
	for (size_t i = 0; i < AS_ARRAY_LEN(of_code); i++)
		as_sheet_hide(s, AS_IN_CSV, of_code[i], !p->code);
	as_sheet_begin(
		s, p->code ? "assay.asm/1" : "assay.list/1", p->opts->places ? "places" : NULL);
	as_sheet_rows(s, "functions");
	for (size_t i = 0; as_sheet_is(s, AS_FORM_JSON) && i < n; i++)
		list_put_func(&x, &item[i]);
	as_sheet_list_end(s);
	list_put_rows(&x, item, n);
	as_sheet_count(s, MORE, true, (as_val)p->n_rest);
	if (as_sheet_is(s, AS_FORM_JSON))
		as_sheet_row(s, "rest");
	return as_sheet_finish(s);
}
