/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/vg_frame.h"

#include <stdio.h>

#define UNKNOWN_NAME "???"

/* "0x10920E: " off the front of TEXT. */
static void vg_frame_address(struct as_slice *text, struct as_vg_frame *f)
{
	struct as_slice rest = *text;

	if (!as_slice_starts(rest, "0x"))
		return;
	rest = as_slice_skip(rest, 2);
	if (!as_slice_take_hex(&rest, &f->addr) || !as_slice_starts(rest, ": ")) {
		f->addr = 0;
		return;
	}
	*text = as_slice_skip(rest, 2);
}

/* ":N" off the end of S. */
static bool vg_frame_number(struct as_slice *s, uint64_t *n)
{
	size_t colon = as_slice_up_to_last(*s, ':');

	if (!colon || !as_slice_dec(as_slice_skip(*s, colon), n))
		return false;
	s->len = colon - 1;
	return true;
}

/* What stands in the brackets at the end: "in OBJECT", "FILE:LINE", "FILE:LINE:COLUMN". */
static bool vg_frame_where(struct as_slice s, struct as_vg_frame *f)
{
	uint64_t last, line;

	if (as_slice_starts(s, "in ")) {
		f->object = as_slice_skip(s, 3);
		return true;
	}
	if (!vg_frame_number(&s, &last))
		return false;
	f->line = last;
	if (vg_frame_number(&s, &line)) {
		f->line = line;
		f->column = last;
	}
	f->file = s;
	return true;
}

void as_vg_frame_parse(struct as_slice text, struct as_vg_frame *f)
{
	size_t in, open;

	*f = (struct as_vg_frame){.addr = 0};
	vg_frame_address(&text, f);
	f->name = text;
	in = as_slice_find_text(text, " (in ");
	open = in < text.len ? in + 2 : as_slice_up_to_last(text, '(');
	if (as_slice_ends(text, ")") && open >= 3 && text.p[open - 2] == ' ' &&
		vg_frame_where((struct as_slice){text.p + open, text.len - open - 1}, f))
		f->name.len = open - 2;
	if (as_slice_is(f->name, UNKNOWN_NAME))
		f->name = as_slice_of("");
}

/* Code of which nothing is known but where it was in the process: its address is its name, as it is
 * none that its object's file has. */
static enum as_code vg_frame_name(struct as_build *b, const struct as_vg_frame *f, as_str *name)
{
	char text[32];

	if (f->name.len || !f->addr)
		return as_build_str(b, f->name, name);
	snprintf(text, sizeof(text), UNKNOWN_NAME "@0x%" PRIx64, f->addr);
	return as_build_str(b, as_slice_of(text), name);
}

enum as_code as_vg_frame_place(
	struct as_build *b, const struct as_vg_frame *f, bool inlined, as_place *place)
{
	struct as_pos pos = {
		.line = f->line, .addr = f->object.len ? 0 : f->addr, .inlined = inlined};
	struct as_place_more more = {.column = f->column};
	struct as_func_row row = {.addr = 0};

	if (f->object.len)
		AS_TRY(as_build_object(b, f->object, as_slice_of(""), &row.object));
	if (f->file.len)
		AS_TRY(as_build_file(b, f->file, &pos.file));
	row.file = pos.file;
	AS_TRY(vg_frame_name(b, f, &row.name));
	AS_TRY(as_build_func_row(b, &row, &pos.func));
	return f->column ? as_build_place_more(b, &pos, &more, place)
			 : as_build_place(b, &pos, place);
}

bool as_vg_frame_is_inlined(const struct as_vg_frame *inner, const struct as_vg_frame *outer)
{
	return inner->addr && inner->addr == outer->addr &&
	       !(as_slice_eq(inner->name, outer->name) && as_slice_eq(inner->file, outer->file) &&
		       inner->line == outer->line);
}
