/* SPDX-License-Identifier: Apache-2.0 */
/* Frames become places. docs/formats/firefox.md §4. */
#include "formats/firefox/firefox.h"

#include "base/sort.h"

enum { RESOURCE_LIBRARY = 1 };

struct as_slice as_fx_string(const struct fx_tables *t, int64_t row)
{
	return row >= 0 && (uint64_t)row < t->string.n ? t->string.p[row] : as_slice_of("");
}

static int64_t frames_at(const struct fx_tables *t, enum fx_col_id id, uint32_t row)
{
	return row == FX_NO_ROW ? FX_NONE : as_fx_at(&t->col[id], row);
}

static uint32_t frames_row(const struct fx_tables *t, enum fx_col_id id, uint32_t row)
{
	return row == FX_NO_ROW ? FX_NO_ROW : as_fx_row(&t->col[id], row);
}

/* ---- objects ---- */

enum as_code as_fx_object(struct fx *fx, struct fx_lib *lib, as_object *out)
{
	if (!lib->made) {
		AS_TRY(as_build_object(fx->rd->out, lib->path, lib->id, &lib->object));
		fx->rd->out->prof->object.p[lib->object.i].addr_kind = lib->kind;
		lib->made = true;
	}
	*out = lib->object;
	return AS_OK;
}

static struct fx_lib *frames_lib(struct fx *fx, const struct fx_tables *t, uint32_t frame)
{
	const struct fx_process *p = &fx->process.p[t->process];
	uint32_t lib = frames_row(t, FX_FRAME_LIB, frame);
	uint32_t func = frames_row(t, FX_FRAME_FUNC, frame);

	if (lib == FX_NO_ROW)
		lib = frames_row(t, FX_RESOURCE_LIB, frames_row(t, FX_FUNC_RESOURCE, func));
	if (lib == FX_NO_ROW)
		lib = frames_row(t, FX_NATIVE_LIB, frames_row(t, FX_FRAME_NATIVE, frame));
	return lib < p->n_libs ? &fx->lib.p[p->first_lib + lib] : NULL;
}

/* The object that a function's code is in, with a library of the file or by its name alone. */
static enum as_code frames_object(
	struct fx *fx, const struct fx_tables *t, uint32_t frame, as_object *out)
{
	struct fx_lib *lib = frames_lib(fx, t, frame);
	uint32_t func = frames_row(t, FX_FRAME_FUNC, frame);
	uint32_t resource = frames_row(t, FX_FUNC_RESOURCE, func);
	struct as_slice name;

	*out = (as_object){0};
	if (lib)
		return as_fx_object(fx, lib, out);
	name = as_fx_string(t, frames_at(t, FX_RESOURCE_NAME, resource));
	if (frames_at(t, FX_RESOURCE_TYPE, resource) != RESOURCE_LIBRARY || !name.len)
		return AS_OK;
	return as_build_object(fx->rd->out, name, as_slice_of(""), out);
}

/* ---- names ---- */

/* Code that nobody knew has its address for a name: "0x1234", "fun_1234". */
static bool frames_is_nameless(struct as_slice name, uint64_t address)
{
	uint64_t said;

	if (as_slice_starts(name, "0x"))
		name = as_slice_skip(name, 2);
	else if (as_slice_starts(name, "fun_"))
		name = as_slice_skip(name, 4);
	else
		return !name.len;
	return as_slice_hex(name, &said) && said == address;
}

static enum as_code frames_file(struct fx *fx, struct as_slice path, as_file *out)
{
	*out = (as_file){0};
	return path.len ? as_build_file(fx->rd->out, path, out) : AS_OK;
}

static uint64_t frames_number(const struct fx_tables *t, enum fx_col_id id, uint32_t row)
{
	int64_t v = frames_at(t, id, row);

	return v > 0 ? (uint64_t)v : 0;
}

/* A function; one without a name is of the code at ADDRESS. */
static enum as_code frames_func(struct fx *fx, const struct fx_tables *t, uint32_t func,
	as_object object, uint64_t address, struct as_pos *pos)
{
	struct as_build *b = fx->rd->out;
	struct as_slice name = as_fx_string(t, frames_at(t, FX_FUNC_NAME, func));
	uint32_t source = frames_row(t, FX_FUNC_SOURCE, func);
	struct as_func_row row = {.object = object};
	int64_t file = source == FX_NO_ROW ? frames_at(t, FX_FUNC_FILE, func)
					   : frames_at(t, FX_SOURCE_FILE, source);

	if (address && frames_is_nameless(name, address)) {
		pos->file = (as_file){0};
		return as_build_func(b, as_slice_of(""), object, pos->file, address, &pos->func);
	}
	AS_TRY(frames_file(fx, as_fx_string(t, file), &pos->file));
	AS_TRY(as_build_str(b, name, &row.name));
	row.file = pos->file;
	row.line = pos->file.i ? frames_number(t, FX_FUNC_LINE, func) : 0;
	return as_build_func_row(b, &row, &pos->func);
}

/* ---- places ---- */

static enum as_code frames_processed(
	struct fx *fx, const struct fx_tables *t, uint32_t frame, bool inlined, as_place *out)
{
	uint32_t func = frames_row(t, FX_FRAME_FUNC, frame);
	struct as_pos pos = {.inlined = inlined};
	struct as_place_more more = {.column = 0};
	as_object object;
	int64_t own;

	if (func >= as_fx_n(&t->col[FX_FUNC_NAME]))
		fx->odd.row++;
	AS_TRY(frames_object(fx, t, frame, &object));
	own = frames_at(t, FX_FRAME_ASSAY, frame);
	if (own != FX_NONE)
		pos.addr = (uint64_t)own; /* the kernel's are negative */
	else if (object.i)
		pos.addr = frames_number(t, FX_FRAME_ADDRESS, frame);
	AS_TRY(frames_func(fx, t, func, object, pos.addr, &pos));
	pos.line = frames_number(t, FX_FRAME_LINE, frame);
	more.column = pos.line ? frames_number(t, FX_FRAME_COLUMN, frame) : 0;
	return as_build_place_more(fx->rd->out, &pos, &more, out);
}

static int frames_cmp_start(const void *libs, uint32_t a, uint32_t b)
{
	const struct fx_lib *lib = libs;

	return as_cmp_u64(lib[a].start, lib[b].start);
}

static int frames_cmp_name(const void *libs, uint32_t a, uint32_t b)
{
	const struct fx_lib *lib = libs;

	return as_slice_cmp(lib[a].name, lib[b].name);
}

/* A hostile file has as many libraries as frames: each frame is looked up in their order. */
static enum as_code frames_sort_libs(struct fx *fx, struct fx_process *p)
{
	const struct fx_lib *libs = as_at(fx->lib.p, p->first_lib);

	if (p->by_start || !p->n_libs)
		return AS_OK;
	p->by_name = as_sorted_rows(fx->al, p->n_libs, frames_cmp_name, libs);
	p->by_start = as_sorted_rows(fx->al, p->n_libs, frames_cmp_start, libs);
	return as_err_memory(fx->rd->err, p->by_name && p->by_start);
}

/* The last library in the order that is not behind what is looked for. */
static struct fx_lib *frames_last_lib(
	struct fx *fx, const struct fx_process *p, const struct fx_location *at)
{
	uint32_t lo = 0, hi = p->n_libs;
	struct fx_lib *libs = as_at(fx->lib.p, p->first_lib);

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		bool behind = at->has_address
				      ? libs[p->by_start[mid]].start > at->address
				      : as_slice_cmp(libs[p->by_name[mid]].name, at->lib) > 0;

		if (behind)
			hi = mid;
		else
			lo = mid + 1;
	}
	if (!lo)
		return NULL;
	return &libs[at->has_address ? p->by_start[lo - 1] : p->by_name[lo - 1]];
}

/* The library that an address of Gecko's is in, or that a name means; NULL if there is none. */
static enum as_code frames_find_lib(
	struct fx *fx, const struct fx_tables *t, const struct fx_location *at, struct fx_lib **lib)
{
	struct fx_process *p = &fx->process.p[t->process];

	AS_TRY(frames_sort_libs(fx, p));
	*lib = frames_last_lib(fx, p, at);
	if (*lib && (at->has_address ? at->address >= (*lib)->end
				     : !at->lib.len || !as_slice_eq(at->lib, (*lib)->name)))
		*lib = NULL;
	return AS_OK;
}

/* Addresses of callers are those that are returned to: one byte before is the call. */
static enum as_code frames_gecko_code(struct fx *fx, const struct fx_tables *t,
	const struct fx_location *at, bool leaf, struct as_pos *pos)
{
	as_object object = {0};
	struct fx_lib *lib;

	AS_TRY(frames_find_lib(fx, t, at, &lib));
	if (lib)
		AS_TRY(as_fx_object(fx, lib, &object));
	else if (at->lib.len)
		AS_TRY(as_build_object(fx->rd->out, at->lib, as_slice_of(""), &object));
	if (!at->has_address) {
		AS_TRY(frames_file(fx, at->file, &pos->file));
		return as_build_func(fx->rd->out, at->name, object, pos->file, 0, &pos->func);
	}
	pos->addr = at->address - (at->address && !leaf) - (lib ? lib->start : 0);
	return as_build_func(
		fx->rd->out, as_slice_of(""), object, pos->file, pos->addr, &pos->func);
}

static enum as_code frames_gecko(
	struct fx *fx, const struct fx_tables *t, uint32_t frame, bool leaf, as_place *out)
{
	int64_t row = frames_at(t, FX_FRAME_LOCATION, frame);
	struct as_pos pos = {.addr = 0};
	struct as_place_more more = {.column = 0};
	struct fx_location at;

	if (row < 0 || (uint64_t)row >= t->string.n)
		fx->odd.row++;
	as_fx_location(as_fx_string(t, row), &at);
	AS_TRY(frames_gecko_code(fx, t, &at, leaf, &pos));
	pos.line = frames_number(t, FX_FRAME_LINE, frame);
	more.column = frames_number(t, FX_FRAME_COLUMN, frame);
	if (!pos.line) {
		pos.line = at.line;
		more.column = at.column;
	}
	return as_build_place_more(fx->rd->out, &pos, &more, out);
}

enum as_code as_fx_place(
	struct fx *fx, struct fx_tables *t, uint32_t frame, bool alt, as_place *out)
{
	as_place *known = &t->place[alt][frame];

	if (!known->i && t->col[FX_FRAME_LOCATION].few.n)
		AS_TRY(frames_gecko(fx, t, frame, alt, known));
	else if (!known->i)
		AS_TRY(frames_processed(fx, t, frame, alt, known));
	*out = *known;
	return AS_OK;
}
