/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of call chains that read back as they are. What cannot be written as it is becomes
 * something alike, and is counted. */
#include "formats/perfscript/perfscript_write.h"

#define UNKNOWN "[unknown]"

/* ---- bytes ---- */

struct as_slice as_ps_write_copy(struct as_ps_write *w, struct as_slice s)
{
	struct as_slice out = as_arena_dup(&w->arena, as_slice_trim(s));
	char *p = (char *)(uintptr_t)out.p;

	for (size_t i = 0; i < out.len; i++)
		if ((unsigned char)p[i] < 0x20)
			p[i] = p[i] == '\t' ? ' ' : '?';
	return as_slice_trim(out);
}

static void write_text_replace(struct as_slice s, char from, char to)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == from)
			((char *)(uintptr_t)s.p)[i] = to;
}

/* A line with this in it is of another record than a sample. */
void as_ps_hide_record(struct as_slice s)
{
	size_t at;

	while ((at = as_slice_find_text(s, PS_RECORD)) < s.len) {
		s = as_slice_skip(s, at + sizeof(PS_RECORD) - 2);
		*(char *)(uintptr_t)s.p = '-';
	}
}

/* ---- frames ---- */

/* The kind of addresses that a reader takes those of PATH for. */
static bool text_keeps_addrs(const struct as_profile *prof, as_object object)
{
	struct as_slice path = as_object_path(prof, object);

	return !path.len || prof->object.p[object.i].addr_kind == as_ps_addr_kind(path);
}

static uint64_t text_addr(struct as_ps_write *w, as_place place)
{
	const struct as_profile *prof = w->prof;
	as_object object = prof->func.object.p[prof->place.func.p[place.i].i];

	return text_keeps_addrs(prof, object) ? as_place_addr(prof, place) : 0;
}

/* Code without a name has its address instead, where that would be taken for another one. */
static struct as_slice text_nameless(struct as_ps_write *w, as_place place, struct as_slice path)
{
	uint64_t addr = as_place_addr(w->prof, place);

	if (!addr || !path.len || text_addr(w, place))
		return as_slice_of(UNKNOWN);
	w->n_names++;
	return as_arena_printf(
		&w->arena, "[%.*s+0x%" PRIx64 "]", AS_SLICE_FMT(as_base_name(path)), addr);
}

/* "\t     4a0 main (/bin/x)"; PAD makes a name that ends as one with an offset keep its end. */
static struct as_slice text_line(struct as_ps_write *w, uint64_t addr, struct as_slice name,
	struct as_slice object, const char *pad)
{
	return as_arena_printf(&w->arena, "\t%16" PRIx64 " %.*s%s (%.*s%s)\n", addr,
		AS_SLICE_FMT(name), pad, AS_SLICE_FMT(object),
		as_slice_is(object, "inlined") ? "" : pad);
}

/* Whether LINE is read as NAME in OBJECT. */
static bool text_reads_as(
	struct as_slice line, struct as_slice name, struct as_slice object, bool inlined)
{
	struct ps_frame f;

	line.len--;
	return line.p && as_ps_frame(line, &f) && f.inlined == inlined &&
	       as_slice_eq(f.name, name) && (inlined || as_slice_eq(f.object, object));
}

/* The line of NAME in OBJECT, "inlined" for one that has that of the frame below. */
static struct as_slice text_frame(struct as_ps_write *w, uint64_t addr, struct as_slice name,
	struct as_slice object, bool inlined)
{
	struct as_slice want = as_slice_is(name, UNKNOWN) ? as_slice_of("") : name;
	struct as_slice line = text_line(w, addr, name, object, "");

	if (!line.p || text_reads_as(line, want, object, inlined))
		return line;
	line = text_line(w, addr, name, object, "+0x0");
	if (!line.p || text_reads_as(line, want, object, inlined))
		return line;
	w->n_names++;
	write_text_replace(object, '(', '_');
	write_text_replace(object, ')', '_');
	return text_line(w, addr, name, object, "");
}

/* A comment that says the line of the source, as others mistake perf's own way to do so for frames;
 * "" if it would not be read as that. */
static struct as_slice text_source(struct as_ps_write *w, const struct as_pos *pos)
{
	struct as_slice path = as_file_path(w->prof, pos->file), text, file;
	uint64_t number;
	bool inlined;

	if (!path.len || pos->file.i != w->prof->func.file.p[pos->func.i].i)
		return as_slice_of("");
	text = as_arena_printf(
		&w->arena, "%.*s:%" PRIu64, AS_SLICE_FMT(as_ps_write_copy(w, path)), pos->line);
	if (!text.p || !as_ps_source(text, &file, &number, &inlined) || inlined ||
		!as_slice_eq(file, path) || number != pos->line)
		return text.p ? as_slice_of("") : text;
	w->files[pos->file.i] = 1;
	return as_arena_printf(&w->arena, PS_SOURCE_MARK "%.*s\n", AS_SLICE_FMT(text));
}

/* The name of the function, which a reader does not split, nor take for none. */
static struct as_slice text_name(struct as_ps_write *w, as_place place, struct as_slice path)
{
	struct as_slice raw = as_func_name(w->prof, w->prof->place.func.p[place.i]);
	struct as_slice s = as_ps_write_copy(w, raw.len ? raw : text_nameless(w, place, path));
	bool none = as_slice_is(raw, UNKNOWN) && !as_slice_is(path, UNKNOWN);

	if (!s.p)
		return s;
	as_ps_hide_record(s);
	if (as_ps_is_map(path) && as_slice_find_text(s, "->") < s.len)
		write_text_replace(s, '>', '_');
	w->n_names += raw.len && (none || !as_slice_eq(s, raw));
	return s.len ? s : as_slice_of(UNKNOWN);
}

static struct as_slice text_place(struct as_ps_write *w, as_place place, bool inlined)
{
	const struct as_profile *prof = w->prof;
	struct as_pos pos = as_place_pos(prof, place);
	struct as_slice path = as_object_path(prof, prof->func.object.p[pos.func.i]);
	struct as_slice name = text_name(w, place, path), frame, source;
	struct as_slice object = as_ps_write_copy(w, inlined ? as_slice_of("inlined") : path);
	uint64_t addr = text_addr(w, place);

	if (!name.p || !object.p)
		return (struct as_slice){NULL, 0};
	as_ps_hide_record(object);
	w->n_names += !inlined && !as_slice_eq(object, path);
	w->n_addrs += as_place_addr(prof, place) && !addr;
	frame = text_frame(w, addr, name, object, inlined);
	source = text_source(w, &pos);
	w->n_lines += pos.line && !source.len;
	if (!source.len || !frame.p)
		return source.p ? frame : source;
	return as_arena_printf(&w->arena, "%.*s%.*s", AS_SLICE_FMT(frame), AS_SLICE_FMT(source));
}

struct as_slice as_ps_write_frame(struct as_ps_write *w, as_node node)
{
	as_place place = w->prof->node.place.p[node.i];
	struct ps_place_text *t = &w->place[place.i];
	bool inlined = w->below[node.i] != node.i;
	struct as_slice *text = inlined ? &t->inlined : &t->plain;

	if (!text->p) {
		w->n_marks += !inlined && w->prof->place.inlined.p[place.i];
		*text = text_place(w, place, inlined);
	}
	return *text;
}
