/* SPDX-License-Identifier: Apache-2.0 */
/* `assay asm` for people. */
#include "report/listing/list_print_impl.h"

#include "base/utf8_len.h"
#include "report/kit/show.h"

enum { TEXT_COLUMNS_MAX = 48 };

struct code {
	struct as_list_columns c;
	const struct as_listing *l;
	struct as_asm_view view;
	struct as_arrows arrows;
	struct as_slice *text; /* of each entry */
	unsigned addr_width, text_width;
	struct as_asm_place last; /* what was printed as the place before */
	bool has_last;
};

static bool asm_text_prepare(struct code *t)
{
	struct as_arena *ar = t->c.arena;

	t->text = as_arena_get(ar, t->view.n * sizeof(*t->text) + 1);
	if (!t->text)
		return false;
	for (size_t i = 0; i < t->view.n; i++) {
		const struct as_asm_entry *e = &t->view.entry[i];
		struct as_slice addr = as_arena_printf(ar, "0x%" PRIx64, e->addr);

		t->text[i] = as_slice_of("");
		if (e->insn)
			t->text[i] = as_asm_insn_text(&t->view, e->insn, t->c.p);
		if (addr.len > t->addr_width)
			t->addr_width = (unsigned)addr.len;
		if (t->text[i].len > t->text_width && t->text[i].len <= TEXT_COLUMNS_MAX)
			t->text_width = (unsigned)t->text[i].len;
	}
	return true;
}

/*
 * How often jump J, which begins in ROW, was executed. Callgrind writes conditional jumps apart by
 * what they were called from, and leaves out those that were never followed there; where
 * instructions were counted, the jump's own count has them all.
 */
static as_val times_executed(const struct code *t, uint32_t row, const struct as_list_jump *j)
{
	const struct as_profile *prof = t->c.p->prof;
	uint32_t ir;
	as_val count = 0;

	if (as_profile_event(prof, as_slice_of("Ir"), &ir))
		count = t->l->row_self.p[row * prof->event.n + ir];
	return count > j->executed ? count : j->executed;
}

/* "2 of 3 taken", "5 x": what the profile says about jumps that begin here. */
static void jump_counts(
	struct code *t, const struct as_list_row *row, const struct as_code_insn *insn)
{
	const struct as_list_print *p = t->c.p;
	const struct as_profile *prof = p->prof;
	struct as_slice name;

	for (uint32_t k = row->jump; k < row->jump + row->n_jumps; k++) {
		const struct as_list_jump *j = &t->l->jump.p[k];

		as_out_printf(p->out, "%s%.*s", k > row->jump ? ", " : "  (",
			AS_SLICE_FMT(as_show_val(t->c.arena, j->followed, p->style)));
		if (j->conditional)
			as_out_printf(p->out, " of %.*s",
				AS_SLICE_FMT(as_show_val(
					t->c.arena, times_executed(t, j->row, j), p->style)));
		as_out_text(p->out, j->conditional ? " taken" : " x");
		if (j->addr && !(insn && insn->has_target && insn->target == j->addr))
			as_out_printf(p->out, " to 0x%" PRIx64, j->addr);
		name = as_show_clean(t->c.arena, as_shown_name(prof, as_func_name(prof, j->func)));
		if (j->func.i)
			as_out_printf(p->out, " in %.*s",
				AS_SLICE_FMT(
					as_list_name(p, t->c.arena, name, p->style->width / 2)));
	}
	if (row->n_jumps)
		as_out_char(p->out, ')');
}

/* Entry I has another source line, or is of another function, than what was printed before. */
static bool place_changes(struct code *t, size_t i)
{
	struct as_asm_place at = as_asm_place_of(&t->view, i);

	if (t->has_last && t->last.line == at.line && as_slice_eq(t->last.path, at.path) &&
		as_slice_eq(t->last.func, at.func))
		return false;
	t->last = at;
	t->has_last = true;
	return at.path.len || at.line;
}

/* Contexts are folded, so that the name of a row may be longer than the function's. */
static bool asm_text_is_inlined(const struct code *t, const struct as_asm_place *at)
{
	struct as_slice own = t->l->name;

	if (!at->func.len)
		return false;
	return at->func.len < own.len || memcmp(at->func.p, own.p, own.len) != 0;
}

static void asm_text_place(struct code *t)
{
	const struct as_list_print *p = t->c.p;
	const struct as_asm_place *at = &t->last;
	struct as_slice text;

	as_out_text(p->out, as_paint_begin(p->style, AS_PAINT_DIM));
	as_out_text(p->out, "  ");
	if (asm_text_is_inlined(t, at)) {
		as_out_slice(p->out,
			as_list_name(p, t->c.arena, as_show_beside(t->c.arena, p->prof, at->func),
				p->style->width / 2));
		as_out_char(p->out, ' ');
	}
	as_out_slice(p->out, as_show_where(t->c.arena, at->path, at->line));
	if (at->has_file && at->line &&
		p->source->line(p->source->ctx, at->file, at->line, &text)) {
		as_out_text(p->out, "  ");
		as_out_slice(p->out, as_list_source_text(t->c.arena, as_slice_trim(text)));
	}
	as_out_text(p->out, as_paint_end(p->style, AS_PAINT_DIM));
}

static void asm_text_entry(struct code *t, size_t i)
{
	const struct as_list_print *p = t->c.p;
	const struct as_asm_entry *e = &t->view.entry[i];
	const struct as_list_row *row = e->row ? &t->l->row.p[e->row - 1] : NULL;
	struct as_slice addr =
		e->addr ? as_arena_printf(t->c.arena, "0x%" PRIx64, e->addr) : as_slice_of("?");
	size_t columns = as_utf8_columns(t->text[i]);
	bool has_place = place_changes(t, i), has_jumps = row && row->n_jumps;

	as_assert(e->row <= t->l->row.n);
	if (p->at_line && t->has_last && t->last.has_file && t->last.line)
		p->at_line(p->at_ctx, t->last.file, t->last.line);
	as_list_columns_put(&t->c, row ? as_list_self(t->l, e->row - 1) : NULL,
		row ? as_list_incl(t->l, e->row - 1) : NULL);
	as_out_text(p->out, "  ");
	as_arrows_put(&t->arrows, (uint32_t)i, p->style->utf8, p->out);
	as_list_pad(p->out, addr.len < t->addr_width ? t->addr_width - addr.len : 0);
	as_out_slice(p->out, addr);
	if (t->text_width && (t->text[i].len || has_place || has_jumps))
		as_out_text(p->out, "  ");
	as_out_slice(p->out, t->text[i]);
	if (has_place || has_jumps)
		as_list_pad(p->out, columns < t->text_width ? t->text_width - columns : 0);
	if (has_jumps)
		jump_counts(t, row, e->insn);
	if (has_place)
		asm_text_place(t);
	as_out_char(p->out, '\n');
	if (row)
		as_list_calls(&t->c, row,
			2 + as_arrows_width(&t->arrows) + t->addr_width + (t->text_width ? 2 : 0));
}

/* Entry I is one that is shown: those without cost only near one that has it, if there is a
 * limit. */
static bool asm_text_is_shown(const struct code *t, size_t i)
{
	const struct as_list_opts *opts = t->c.p->opts;
	size_t from, to;

	if (!opts->has_context)
		return true;
	from = i > opts->context ? i - (size_t)opts->context : 0;
	to = t->view.n - 1 - i > opts->context ? i + (size_t)opts->context : t->view.n - 1;
	for (size_t k = from; k <= to; k++)
		if (t->view.entry[k].row)
			return true;
	return false;
}

/* Between A and the next one B there is code that is not shown, not just padding. */
static bool is_far(const struct as_asm_entry *a, const struct as_asm_entry *b)
{
	if (!a->insn || !b->insn || a->addr + a->insn->size == b->addr)
		return false;
	return b->addr > a->addr + 16 || (a->insn->inside && b->insn->inside);
}

static void asm_text_entries(struct code *t)
{
	const struct as_list_print *p = t->c.p;
	bool gap = false;

	as_out_char(p->out, '\n');
	as_list_columns_head(&t->c);
	as_list_pad(p->out, 2 + as_arrows_width(&t->arrows));
	as_out_text(p->out, "address");
	as_list_pad(p->out, t->addr_width > 7 ? t->addr_width - 7 : 0);
	as_out_text(p->out, t->text_width ? "  instruction\n" : "  source\n");
	for (size_t i = 0; i < t->view.n; i++) {
		const struct as_asm_entry *e = &t->view.entry[i];
		bool far = i && is_far(&e[-1], e);

		if (!asm_text_is_shown(t, i)) {
			gap = true;
			continue;
		}
		if (gap || far) {
			as_list_pad(p->out, as_list_columns_width(&t->c) + 2);
			as_out_text(p->out, "...\n");
		}
		gap = false;
		asm_text_entry(t, i);
	}
	if (t->arrows.n_left_out)
		as_out_printf(p->out,
			"[%" PRIu64
			" targets of jumps without a line: more than %d side by side]\n",
			t->arrows.n_left_out, AS_ARROWS_MAX);
}

enum as_code as_asm_text(const struct as_list_print *p, const struct as_list_item *item, size_t i)
{
	struct code t = {.l = item->insns, .arrows = {.al = p->prof->al}};
	struct as_arena ar;
	enum as_code rc = AS_E_NOMEM;

	as_arena_init(&ar, p->prof->al);
	if (as_list_columns_init(&t.c, p, item->insns, &ar) &&
		as_asm_view_init(&t.view, item, &ar) && asm_text_prepare(&t) &&
		as_arrows_collect(&t.arrows, &t.view) &&
		as_arrows_arrange(&t.arrows, t.view.n, &ar)) {
		as_list_heading(p, item->insns, &ar, i);
		if (item->code_note.len)
			as_out_printf(p->out, "[%.*s]\n", AS_SLICE_FMT(item->code_note));
		asm_text_entries(&t);
		rc = as_arena_code(&ar);
	}
	as_arrows_release(&t.arrows);
	as_arena_release(&ar);
	return rc;
}
