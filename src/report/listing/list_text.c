/* SPDX-License-Identifier: Apache-2.0 */
/* `assay list` for people. */
#include "report/listing/list_print_impl.h"

#include "base/utf8_len.h"
#include "formats/format.h"
#include "report/kit/name_fit.h"
#include "report/kit/show.h"
#include "report/top.h"
#include "report/views.h"

enum { TAB = 8, LINE_COLUMNS = 7, GAP_DEFAULT = 16, NAME_MIN = 24, CALL_COLUMNS = 16 };

struct as_slice as_list_source_text(struct as_arena *ar, struct as_slice s)
{
	char *p = as_arena_get(ar, s.len * TAB + 1);
	size_t n = 0;

	if (!p)
		return (struct as_slice){0};
	while (s.len && (s.p[s.len - 1] == '\r' || s.p[s.len - 1] == '\n'))
		s.len--;
	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] != '\t') {
			p[n++] = s.p[i];
			continue;
		}
		do
			p[n++] = ' ';
		while (n % TAB);
	}
	return as_show_clean(ar, (struct as_slice){p, n});
}

/* ", inclusive 1,234 (5.6 %)"; SIGN stands before the figures. */
static void list_text_share(const struct as_list_print *p, struct as_arena *ar, uint32_t ev,
	const char *what, const char *sign, as_val v)
{
	struct as_slice n = as_show_val(ar, v, p->style);
	struct as_slice share = as_show_percent(ar, v, as_whole(p->prof)[ev]);

	as_out_printf(p->out, "%s%s%.*s (%s%.*s %%)", what, sign, AS_SLICE_FMT(n), sign,
		AS_SLICE_FMT(share));
}

static void list_text_inclusive(
	const struct as_list_print *p, const struct as_listing *l, struct as_arena *ar, uint32_t ev)
{
	bool above = l->most && l->most[ev] > l->incl[ev];

	list_text_share(p, ar, ev, ", inclusive ",
		!above           ? ""
		: p->style->utf8 ? "\u2264"
				 : "<=",
		above ? l->most[ev] : l->incl[ev]);
}

struct as_slice as_list_name(
	const struct as_list_print *p, struct as_arena *ar, struct as_slice name, size_t others)
{
	size_t width = p->style->width;

	if (!width)
		return name;
	return as_name_fit(
		ar, name, width > others + NAME_MIN ? width - others : NAME_MIN, p->style->utf8);
}

/* "  t.cpp  [a.out]"; on a terminal the last parts of paths. */
static struct as_slice heading_places(const struct as_list_print *p, struct as_arena *ar,
	struct as_slice path, struct as_slice object)
{
	bool narrow = p->style->width && path.len + object.len + NAME_MIN > p->style->width;

	path = as_show_clean(ar, narrow ? as_base_name(path) : path);
	object = as_show_clean(ar, narrow ? as_base_name(object) : object);
	return as_arena_printf(ar, "%s%.*s%s%.*s%s", path.len ? "  " : "", AS_SLICE_FMT(path),
		object.len ? "  [" : "", AS_SLICE_FMT(object), object.len ? "]" : "");
}

void as_list_heading(
	const struct as_list_print *p, const struct as_listing *l, struct as_arena *ar, size_t i)
{
	const struct as_profile *prof = p->prof;
	struct as_slice path = as_file_path(prof, prof->func.file.p[l->func.i]);
	as_object o = prof->func.object.p[l->func.i];
	struct as_slice places = heading_places(p, ar, path, as_object_path(prof, o));
	struct as_slice name =
		as_show_func(ar, prof, as_shown_name(prof, l->name), o, as_listing_addr(l));

	if (i)
		as_out_char(p->out, '\n');
	/* A line that begins so is an order to the runners of some CI. */
	if (as_slice_starts(name, "::") || as_slice_starts(name, "##["))
		as_out_text(p->out, "> ");
	as_list_put(p, AS_PAINT_HEAD, as_list_name(p, ar, name, as_utf8_columns(places)));
	as_out_printf(p->out, "%.*s\n", AS_SLICE_FMT(places));
	for (uint32_t k = 0; k < p->opts->view.n_events && (!k || p->opts->chosen); k++) {
		uint32_t ev = p->opts->view.event[k];

		as_out_slice(p->out, as_show_clean(ar, as_event_name(prof, ev)));
		list_text_share(p, ar, ev, ": self ", "", l->self[ev]);
		if (l->code[ev] != l->self[ev])
			list_text_share(p, ar, ev, ", with inlined code ", "", l->code[ev]);
		if (l->has_incl && !l->places)
			list_text_inclusive(p, l, ar, ev);
		if (!k && l->has_calls && l->calls)
			as_out_printf(p->out, ", called %.*s x",
				AS_SLICE_FMT(as_show_val(ar, l->calls, p->style)));
		as_out_text(p->out, !k && prof->estimated ? "; estimated\n" : "\n");
	}
	if (l->stretch.addr)
		as_out_printf(p->out,
			"[code without a name: from 0x%" PRIx64 " to 0x%" PRIx64
			", the addresses around it that have costs, at most %d bytes apart]\n",
			l->stretch.start, l->stretch.last, AS_STRETCH_GAP);
}

void as_list_calls(const struct as_list_columns *c, const struct as_list_row *row, unsigned indent)
{
	const struct as_list_print *p = c->p;
	const struct as_profile *prof = p->prof;

	for (uint32_t k = row->call; k < row->call + row->n_calls; k++) {
		const struct as_list_call *call = &c->l->call.p[k];
		struct as_slice name = as_listing_func_name(p->listings, call->callee);
		size_t others = as_list_columns_width(c) + indent + CALL_COLUMNS;

		name = as_show_func(c->arena, prof, name, prof->func.object.p[call->callee.i],
			prof->func.addr.p[call->callee.i]);
		as_list_columns_put(c, NULL, as_list_call_cost(c->l, k));
		name = as_list_name(p, c->arena, name, others);
		as_out_printf(p->out, "%*s=> %.*s", (int)indent, "", AS_SLICE_FMT(name));
		if (call->has_count)
			as_out_printf(p->out, " (%.*s x)",
				AS_SLICE_FMT(as_show_val(c->arena, call->count, p->style)));
		as_out_text(p->out, call->inner ? " recursive\n" : "\n");
	}
}

/* ---- lines ---- */

struct lines {
	struct as_list_columns c;
	const struct as_list_item *item;
	const struct as_listing *l;
	struct as_asm_view view;
	bool has_source;
	as_file file; /* of the block */
};

static void list_text_line_number(struct lines *t, uint64_t line)
{
	if (line)
		as_out_printf(t->c.p->out, " %*" PRIu64, LINE_COLUMNS - 1, line);
	else
		as_out_printf(t->c.p->out, " %*s", LINE_COLUMNS - 1, "?");
}

static void source_text(struct lines *t, as_file file, uint64_t line, enum as_paint paint)
{
	const struct as_list_print *p = t->c.p;
	struct as_slice text = as_slice_of("");
	struct as_slice note;

	if (line && p->at_line)
		p->at_line(p->at_ctx, file, line);
	if (!line)
		text = as_slice_of("[line not known]");
	else if (p->source->line(p->source->ctx, file, line, &text))
		text = as_list_source_text(t->c.arena, text);
	else if (p->source->where(p->source->ctx, file, &note).len)
		text = as_slice_of("[beyond the end of the file]");
	if (text.len) {
		as_out_text(p->out, "  ");
		as_list_put(p, paint, text);
	}
	as_out_char(p->out, '\n');
}

/* The instructions of a line: costs, address, text. */
static void list_text_instructions(struct lines *t, as_file file, uint64_t line, unsigned indent)
{
	const struct as_list_print *p = t->c.p;
	struct as_slice path = as_file_path(p->prof, file);

	for (size_t i = 0; i < t->view.n && line; i++) {
		const struct as_asm_entry *e = &t->view.entry[i];
		struct as_asm_place at = as_asm_place_of(&t->view, i);
		uint32_t row = e->row ? e->row - 1 : 0;

		if (at.line != line || !as_slice_eq(at.path, path))
			continue;
		as_list_columns_put(&t->c, e->row ? as_list_self(t->item->insns, row) : NULL,
			e->row ? as_list_incl(t->item->insns, row) : NULL);
		as_out_printf(p->out, "%*s%s0x%" PRIx64, (int)indent, "",
			as_paint_begin(p->style, AS_PAINT_DIM), e->addr);
		if (e->insn)
			as_out_printf(p->out, "  %.*s",
				AS_SLICE_FMT(as_asm_insn_text(&t->view, e->insn, p)));
		as_out_printf(p->out, "%s\n", as_paint_end(p->style, AS_PAINT_DIM));
	}
}

/* Which function the rows from here on were inlined from; only where it changes. */
static void inlined_head(struct lines *t, uint32_t r)
{
	const struct as_list_print *p = t->c.p;
	const struct as_list_row *row = &t->l->row.p[r], *last = r ? row - 1 : NULL;
	struct as_slice path = as_file_path(p->prof, row->file), name;
	size_t others = as_list_columns_width(&t->c) + LINE_COLUMNS + 2 * (size_t)row->depth +
			sizeof("--- inlined  from ");

	while (last && last->depth > row->depth)
		last = &t->l->row.p[last->parent - 1];
	if (!row->depth || (last && last->parent == row->parent && last->func.i == row->func.i &&
				   last->file.i == row->file.i))
		return;
	name = as_show_clean(t->c.arena, as_listing_func_name(p->listings, row->func));
	path = as_show_clean(t->c.arena, p->style->width ? as_base_name(path) : path);
	name = as_list_name(p, t->c.arena, name, others + as_utf8_columns(path));
	as_list_columns_put(&t->c, NULL, NULL);
	as_list_pad(p->out, LINE_COLUMNS + as_view_indent(row->depth));
	as_list_put(p, AS_PAINT_DIM,
		as_arena_printf(t->c.arena, "--- inlined %.*s from %.*s", AS_SLICE_FMT(name),
			AS_SLICE_FMT(path)));
	as_out_char(p->out, '\n');
}

static void cost_row(struct lines *t, uint32_t r)
{
	const struct as_list_row *row = &t->l->row.p[r];
	const as_val *self = as_list_self(t->l, r);
	unsigned indent = LINE_COLUMNS + 2 + 4 + as_view_indent(row->depth);

	inlined_head(t, r);
	as_list_columns_put(&t->c, self, as_list_incl(t->l, r));
	as_list_pad(t->c.p->out, as_view_indent(row->depth));
	list_text_line_number(t, row->line);
	source_text(t, row->file, row->line, as_list_heat(&t->c, self));
	list_text_instructions(t, row->file, row->line, indent);
	as_list_calls(&t->c, row, indent);
}

/* Lines FROM up to, not including, TO have no cost. */
static void free_lines(struct lines *t, uint64_t from, uint64_t to)
{
	const struct as_list_print *p = t->c.p;
	struct as_slice text;

	for (uint64_t line = from; line < to && t->has_source; line++) {
		if (!p->source->line(p->source->ctx, t->file, line, &text))
			return;
		as_list_columns_put(&t->c, NULL, NULL);
		list_text_line_number(t, line);
		source_text(t, t->file, line, AS_PAINT_DIM);
	}
}

/* What stands between the lines LAST and LINE, which have costs; LINE 0: after the last one. */
static void list_text_between(struct lines *t, uint64_t last, uint64_t line)
{
	const struct as_list_opts *opts = t->c.p->opts;
	uint64_t around = opts->has_context ? opts->context : 0;
	uint64_t gap = opts->has_context ? 2 * around : GAP_DEFAULT;

	if (!t->has_source) {
		return;
	} else if (!last) {
		free_lines(t, line > around ? line - around : 1, line);
	} else if (!line) {
		free_lines(t, last + 1, last + 1 + around);
	} else if (line - last - 1 <= gap) {
		free_lines(t, last + 1, line);
	} else {
		free_lines(t, last + 1, last + 1 + around);
		as_list_pad(t->c.p->out, as_list_columns_width(&t->c) + LINE_COLUMNS - 3);
		as_out_text(t->c.p->out, "...\n");
		free_lines(t, line - around, line);
	}
}

static void block_head(struct lines *t, const struct as_list_block *b)
{
	const struct as_list_print *p = t->c.p;
	struct as_slice note = {0}, where = p->source->where(p->source->ctx, b->file, &note);
	struct as_slice path = as_file_path(p->prof, b->file);
	as_func func = t->l->func;
	bool own = b->file.i == p->prof->func.file.p[func.i].i || !func.i;

	as_out_char(p->out, '\n');
	as_list_columns_head(&t->c);
	where = path.len ? as_show_clean(t->c.arena, where.len ? where : path)
			 : as_slice_of("[source file not known]");
	as_out_printf(p->out, "   line  %s%s%.*s%s\n", as_paint_begin(p->style, AS_PAINT_HEAD),
		own ? "" : "--- inlined from ", AS_SLICE_FMT(where),
		as_paint_end(p->style, AS_PAINT_HEAD));
	if (note.len && path.len)
		as_out_printf(p->out, "%*s[%.*s]\n",
			(int)as_list_columns_width(&t->c) + LINE_COLUMNS + 2, "",
			AS_SLICE_FMT(as_show_clean(t->c.arena, note)));
}

static void list_text_block(struct lines *t, const struct as_list_block *b)
{
	const struct as_list_print *p = t->c.p;
	uint32_t end = b->row + b->n_rows;
	uint64_t last = 0;
	struct as_slice text;

	t->file = b->file;
	t->has_source = p->source->line(p->source->ctx, b->file, 1, &text);
	block_head(t, b);
	for (uint32_t r = b->row; r < end;) {
		uint64_t line = t->l->row.p[r].line;

		if (line != last)
			list_text_between(t, last, line);
		do
			cost_row(t, r++);
		while (r < end && t->l->row.p[r].depth);
		last = line;
	}
	if (last)
		list_text_between(t, last, 0);
}

enum as_code as_list_text(const struct as_list_print *p, const struct as_list_item *item, size_t i)
{
	struct lines t = {.item = item, .l = item->lines};
	struct as_arena ar;
	enum as_code rc = AS_E_NOMEM;

	as_arena_init(&ar, p->prof->al);
	if (as_list_columns_init(&t.c, p, item->lines, &ar) &&
		(!item->insns || as_asm_view_init(&t.view, item, &ar))) {
		as_list_heading(p, item->lines, &ar, i);
		if (item->code_note.len)
			as_out_printf(p->out, "[%.*s]\n", AS_SLICE_FMT(item->code_note));
		for (size_t b = 0; b < item->lines->block.n; b++)
			list_text_block(&t, &item->lines->block.p[b]);
		rc = as_arena_code(&ar);
	}
	as_arena_release(&ar);
	return rc;
}
