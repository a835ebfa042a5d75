/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of version 60, which all threads share. */
#include "formats/firefox/firefox_write.h"

/* ---- columns ---- */

static void tables_key(struct fx_write *w, const char *key)
{
	as_out_printf(w->wr->out, ",\"%s\":[", key);
}

static void tables_comma(struct fx_write *w, size_t i)
{
	if (i)
		as_out_char(w->wr->out, ',');
}

/* N times the same. */
static void tables_same(struct fx_write *w, const char *key, size_t n, const char *value)
{
	tables_key(w, key);
	for (size_t i = 0; i < n; i++) {
		tables_comma(w, i);
		as_out_text(w->wr->out, value);
	}
	as_out_char(w->wr->out, ']');
}

static void tables_number(struct fx_write *w, size_t i, bool known, uint64_t v, const char *none)
{
	tables_comma(w, i);
	if (known)
		as_out_u64(w->wr->out, v);
	else
		as_out_text(w->wr->out, none);
}

/* A line or column, which is no index; one that programs would round is left out. */
static void tables_source_line(struct fx_write *w, size_t i, uint64_t v)
{
	bool beyond = v > FX_JS_MAX;

	w->n_elsewhere += beyond;
	tables_number(w, i, v && !beyond, v, "null");
}

static void tables_begin(struct fx_write *w, const char *name, size_t n)
{
	as_out_printf(w->wr->out, "\"%s\":{\"length\":%zu", name, n);
}

/* ---- stacks and frames ---- */

static void tables_stacks(struct fx_write *w)
{
	tables_begin(w, "stackTable", w->stack.n);
	tables_key(w, "frame");
	for (size_t i = 0; i < w->stack.n; i++)
		tables_number(w, i, true, w->frame_row[i], "");
	as_out_text(w->wr->out, "]");
	tables_key(w, "prefix");
	for (size_t i = 0; i < w->stack.n; i++) {
		uint32_t up = w->row[w->prof->node.parent.p[w->stack.p[i].i].i];

		tables_number(w, i, up, up - 1, "null");
	}
	as_out_text(w->wr->out, "]},");
}

static enum as_addr_kind tables_kind(const struct fx_write *w, as_place place)
{
	as_func func = w->prof->place.func.p[place.i];

	return w->prof->object.p[w->prof->func.object.p[func.i].i].addr_kind;
}

/* Addresses from the beginning of the image stand where programs look for them; those that are
 * others do beside them, for assay. */
static void tables_addresses(struct fx_write *w)
{
	bool others = false;

	tables_key(w, "address");
	for (size_t i = 0; i < w->frame.n; i++) {
		as_place place = w->frame.p[i].base;
		uint64_t addr = as_place_addr(w->prof, place);
		bool image = addr <= INT64_MAX && tables_kind(w, place) == AS_ADDR_IMAGE;

		tables_number(w, i, addr && image, addr, "-1");
		others |= as_place_addr(w->prof, w->frame.p[i].place) && !image;
	}
	as_out_text(w->wr->out, "]");
	if (!others)
		return;
	tables_key(w, "assayAddress");
	for (size_t i = 0; i < w->frame.n; i++) {
		uint64_t addr = as_place_addr(w->prof, w->frame.p[i].place);

		tables_comma(w, i);
		if (addr)
			as_out_val(w->wr->out, (int64_t)addr); /* the kernel's are negative */
		else
			as_out_text(w->wr->out, "null");
	}
	as_out_text(w->wr->out, "]");
}

static void tables_frames(struct fx_write *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = w->frame.n;

	tables_begin(w, "frameTable", n);
	tables_addresses(w);
	tables_key(w, "inlineDepth");
	for (size_t i = 0; i < n; i++)
		tables_number(w, i, true, w->frame.p[i].depth, "");
	as_out_text(w->wr->out, "]");
	tables_same(w, "category", n, "0");
	tables_same(w, "subcategory", n, "0");
	tables_key(w, "func");
	for (size_t i = 0; i < n; i++)
		tables_number(w, i, true,
			w->func_row[prof->place.func.p[w->frame.p[i].place.i].i] - 1, "");
	as_out_text(w->wr->out, "]");
	tables_same(w, "nativeSymbol", n, "null");
	tables_same(w, "innerWindowID", n, "0");
	tables_key(w, "line");
	for (size_t i = 0; i < n; i++) {
		struct as_pos pos = as_place_pos(prof, w->frame.p[i].place);
		bool here = !pos.file.i || pos.file.i == prof->func.file.p[pos.func.i].i;

		w->n_elsewhere += pos.line && !here;
		tables_source_line(w, i, here ? pos.line : 0);
	}
	as_out_text(w->wr->out, "]");
	tables_key(w, "column");
	for (size_t i = 0; i < n; i++) {
		uint64_t column = as_place_get_more(prof, w->frame.p[i].place).column;

		tables_source_line(w, i, column);
	}
	as_out_text(w->wr->out, "]},");
}

/* ---- functions ---- */

static enum as_code tables_names(struct fx_write *w)
{
	tables_key(w, "name");
	for (size_t i = 0; i < w->func.n; i++) {
		struct as_func_row f = as_func_get(w->prof, w->func.p[i]);
		struct as_slice name = as_str_get(w->prof, f.name);
		uint32_t row;

		if (!name.len && f.addr)
			name = as_arena_printf(&w->arena, "0x%" PRIx64, f.addr);
		AS_TRY(as_err_memory(w->wr->err, name.p));
		AS_TRY(as_fx_string_row(w, name, &row));
		tables_number(w, i, true, row, "");
	}
	as_out_text(w->wr->out, "]");
	return AS_OK;
}

static enum as_code tables_funcs(struct fx_write *w)
{
	size_t n = w->func.n;

	tables_begin(w, "funcTable", n);
	AS_TRY(tables_names(w));
	tables_same(w, "isJS", n, "false");
	tables_same(w, "relevantForJS", n, "false");
	tables_key(w, "resource");
	for (size_t i = 0; i < n; i++) {
		uint32_t row = w->object_row[w->prof->func.object.p[w->func.p[i].i].i];

		tables_number(w, i, row, row - 1, "-1");
	}
	as_out_text(w->wr->out, "]");
	tables_key(w, "source");
	for (size_t i = 0; i < n; i++) {
		uint32_t row = w->file_row[w->prof->func.file.p[w->func.p[i].i].i];

		tables_number(w, i, row, row - 1, "null");
	}
	as_out_text(w->wr->out, "]");
	tables_key(w, "lineNumber");
	for (size_t i = 0; i < n; i++) {
		uint64_t line = as_func_get(w->prof, w->func.p[i]).line;

		tables_source_line(w, i, line);
	}
	as_out_text(w->wr->out, "]");
	tables_same(w, "columnNumber", n, "null");
	as_out_text(w->wr->out, "},");
	return AS_OK;
}

/* ---- objects and files ---- */

static enum as_code tables_resources(struct fx_write *w)
{
	size_t n = w->object.n;
	uint32_t row;

	tables_begin(w, "resourceTable", n);
	tables_key(w, "lib");
	for (size_t i = 0; i < n; i++)
		tables_number(w, i, true, i, "");
	as_out_text(w->wr->out, "]");
	tables_key(w, "name");
	for (size_t i = 0; i < n; i++) {
		AS_TRY(as_fx_string_row(
			w, as_base_name(as_object_path(w->prof, w->object.p[i])), &row));
		tables_number(w, i, true, row, "");
	}
	as_out_text(w->wr->out, "]");
	tables_same(w, "host", n, "null");
	tables_same(w, "type", n, "1");
	as_out_text(w->wr->out, "},");
	return AS_OK;
}

static enum as_code tables_sources(struct fx_write *w)
{
	size_t n = w->file.n;
	uint32_t row;

	tables_begin(w, "sources", n);
	tables_same(w, "uuid", n, "null");
	tables_key(w, "filename");
	for (size_t i = 0; i < n; i++) {
		AS_TRY(as_fx_string_row(w, as_file_path(w->prof, w->file.p[i]), &row));
		tables_number(w, i, true, row, "");
	}
	as_out_text(w->wr->out, "]},");
	return AS_OK;
}

static const char *tables_kind_text(enum as_addr_kind kind)
{
	switch (kind) {
	case AS_ADDR_FILE_OFFSET:
		return "file-offset";
	case AS_ADDR_VIRTUAL:
		return "virtual";
	case AS_ADDR_ABSOLUTE:
		return "absolute";
	default:
		return "unknown";
	}
}

/* Sixteen bytes of a build id as Windows has them: three numbers, little-endian, then bytes; and
 * the number of changes. */
static void tables_breakpad(struct fx_write *w, struct as_slice id)
{
	static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	struct as_out *out = w->wr->out;

	as_out_char(out, '"');
	for (size_t i = 0; id.len >= 32 && as_slice_is_hex(id) && i < 32; i++) {
		char c = id.p[order[i / 2] * 2 + i % 2];

		as_out_char(out, (char)(c >= 'a' ? c - 0x20 : c));
	}
	as_out_text(out, id.len >= 32 ? "0\"" : "\"");
}

void as_fx_put_libs(struct fx_write *w)
{
	struct as_out *out = w->wr->out;

	as_out_text(out, "\"libs\":[");
	for (size_t i = 0; i < w->object.n; i++) {
		const struct as_object_row *o = &w->prof->object.p[w->object.p[i].i];
		struct as_slice path = as_str_get(w->prof, o->path), name = as_base_name(path);

		as_out_text(out, i ? ",{\"name\":" : "{\"name\":");
		as_fx_put_text(w, name);
		as_out_text(out, ",\"path\":");
		as_fx_put_text(w, path);
		as_out_text(out, ",\"debugName\":");
		as_fx_put_text(w, name);
		as_out_text(out, ",\"debugPath\":");
		as_fx_put_text(w, path);
		as_out_text(out, ",\"breakpadId\":");
		tables_breakpad(w, as_str_get(w->prof, o->id));
		as_out_text(out, ",\"codeId\":");
		if (o->id.i)
			as_fx_put_text(w, as_str_get(w->prof, o->id));
		else
			as_out_text(out, "null");
		as_out_text(out, ",\"arch\":null");
		if (o->addr_kind != AS_ADDR_IMAGE)
			as_out_printf(
				out, ",\"assayAddresses\":\"%s\"", tables_kind_text(o->addr_kind));
		as_out_char(out, '}');
	}
	as_out_text(out, "],");
}

/* ---- all of them ---- */

enum as_code as_fx_put_tables(struct fx_write *w)
{
	as_out_text(w->wr->out, "\"shared\":{");
	tables_stacks(w);
	tables_frames(w);
	AS_TRY(tables_funcs(w));
	AS_TRY(tables_resources(w));
	as_out_text(w->wr->out, "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
				"\"name\":[],\"functionSize\":[]},");
	AS_TRY(tables_sources(w));
	as_out_text(w->wr->out, "\"stringArray\":[");
	for (size_t i = 0; i < w->string.n; i++) {
		tables_comma(w, i);
		as_fx_put_text(w, w->string.p[i]);
	}
	as_out_text(w->wr->out, "]},");
	return AS_OK;
}
