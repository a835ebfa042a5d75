/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings, functions and locations. They come in any order and name each other by ids, so they
 * are kept as they are until the end, and become rows of the model when a sample asks for them.
 *
 * The model tells code by its place in the object's file, which is the same in every run; the
 * file has addresses in memory. Where that is not the same thing, the mapping gets an object of
 * its own whose addresses are kept as they are.
 */
#include "base/sort.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_sections.h"

enum { INLINED_MAX = 256 }; /* lines of a location */

/* ---- messages ---- */

enum as_code as_pb_read_map(struct as_pb_read *r, struct as_pb_cur msg)
{
	struct as_pb_at at = {"mapping", r->map.n + 1, NULL};
	struct as_pb_id id = {.off = (uint64_t)(msg.p - r->base)};
	uint64_t v[PB_MAP_HAS_LAST + 1];
	struct as_pb_map m;

	if (AS_UNLIKELY(!as_pb_plain_numbers(msg, v, PB_MAP_HAS_LAST)))
		AS_TRY(as_pb_numbers(r, msg, &at, v, PB_MAP_HAS_LAST));
	id.id = v[PB_MAP_ID];
	m = (struct as_pb_map){.start = v[PB_MAP_START],
		.limit = v[PB_MAP_LIMIT],
		.offset = v[PB_MAP_OFFSET],
		.file = v[PB_MAP_FILE],
		.build = v[PB_MAP_BUILD]};
	for (uint32_t k = 0; k <= PB_MAP_HAS_LAST - PB_MAP_HAS; k++)
		m.has |= (uint32_t)(v[PB_MAP_HAS + k] != 0) << k;
	AS_TRY(as_pb_kept(r, &m.extra));
	return as_err_memory(
		r->rd->err, as_vec_push(r->al, &r->map, m) && as_vec_push(r->al, &r->maps.id, id));
}

enum as_code as_pb_read_func(struct as_pb_read *r, struct as_pb_cur msg)
{
	struct as_pb_at at = {"function", r->func.n + 1, NULL};
	struct as_pb_id id = {.off = (uint64_t)(msg.p - r->base)};
	uint64_t v[PB_FUNC_START + 1];
	struct as_pb_func fn;

	if (AS_UNLIKELY(!as_pb_plain_numbers(msg, v, PB_FUNC_START)))
		AS_TRY(as_pb_numbers(r, msg, &at, v, PB_FUNC_START));
	id.id = v[PB_FUNC_ID];
	fn = (struct as_pb_func){.name = v[PB_FUNC_NAME],
		.system = v[PB_FUNC_SYSTEM],
		.file = v[PB_FUNC_FILE],
		.start = v[PB_FUNC_START]};
	AS_TRY(as_pb_kept(r, &fn.extra));
	return as_err_memory(r->rd->err,
		as_vec_push(r->al, &r->func, fn) && as_vec_push(r->al, &r->funcs.id, id));
}

/* Where a number that is ours goes; NULL if F is none: pprof's own text knows of nobody's. */
static uint64_t *own_field(const struct as_pb_read *r, const struct as_pb_field *f,
	struct as_pb_line *line, uint64_t *number)
{
	if (r->raw || f->type != AS_PB_VARINT)
		return NULL;
	return f->number == PB_LINE_OWN_FILE   ? &line->file
	       : f->number == PB_LINE_OWN_LINE ? number
					       : NULL;
}

static enum as_code pb_tables_read_line(
	struct as_pb_read *r, struct as_pb_cur msg, const struct as_pb_at *up, uint32_t n)
{
	struct as_pb_at at = {"line", n, up};
	struct as_pb_line line = {0};
	uint64_t v[PB_LINE_COLUMN + 1], own_line = 0, *own;
	size_t kept = r->extra.n; /* those of the location */
	struct as_pb_field f;
	enum as_code rc;

	as_pb_first_numbers(&msg, v, PB_LINE_COLUMN);
	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK) {
		if (f.number > PB_LINE_COLUMN && (own = own_field(r, &f, &line, &own_line)))
			*own = f.v;
		else if (f.number > PB_LINE_COLUMN)
			AS_TRY(as_pb_keep(r, &msg, &f));
		else
			AS_TRY(as_pb_number(r, &f, &at, &v[f.number]));
	}
	if (rc != AS_END)
		return rc;
	line.func = v[PB_LINE_FUNC];
	line.line = v[PB_LINE_LINE];
	line.column = v[PB_LINE_COLUMN];
	if (r->extra.n > kept)
		AS_TRY(as_build_str(r->rd->out,
			(struct as_slice){r->extra.p + kept, r->extra.n - kept}, &line.extra));
	r->extra.n = kept;
	if (line.file)
		line.line = own_line;
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->line, line));
}

/*
 * A sample may name a location as often as it likes, by a byte each, and each time all of its lines
 * become frames. No compiler nests calls this deep; of the lines between the innermost ones and the
 * function that has the code nothing is kept.
 */
static enum as_code cut_inlined(
	struct as_pb_read *r, struct as_pb_loc *loc, const struct as_pb_at *at, uint64_t off)
{
	uint32_t n = loc->n;

	if (n <= INLINED_MAX)
		return AS_OK;
	r->line.p[loc->first + INLINED_MAX - 1] = r->line.p[loc->first + n - 1];
	r->line.n = loc->first + INLINED_MAX;
	loc->n = INLINED_MAX;
	as_rd_partial(r->rd);
	return as_pb_find(r, AS_F_PB_INLINED_DEEP, off, at,
		"it has %" PRIu32 " lines; of the calls that were inlined %" PRIu32 " are left out",
		n, n - INLINED_MAX);
}

/* A location of nothing but numbers and one line of such, as nearly all are. False: another one. */
static inline bool pb_tables_plain_loc(
	struct as_pb_cur msg, uint64_t loc[PB_LOC_ADDR + 1], uint64_t line[PB_LINE_COLUMN + 1])
{
	as_pb_first_numbers(&msg, loc, PB_LOC_ADDR);
	if (msg.end - msg.p < 2 || msg.p[0] != (PB_LOC_LINE << 3 | AS_PB_BYTES) ||
		msg.p[1] >= 0x80 || msg.p[1] != msg.end - msg.p - 2)
		return false;
	msg.p += 2;
	return as_pb_plain_numbers(msg, line, PB_LINE_COLUMN);
}

/* Such a one, in one step; *IS_PLAIN: it is. */
static inline bool pb_tables_put_plain(struct as_pb_read *r, struct as_pb_cur msg, bool *is_plain)
{
	uint64_t v[PB_LOC_ADDR + 1], w[PB_LINE_COLUMN + 1];
	struct as_pb_id id = {.off = (uint64_t)(msg.p - r->base)};
	struct as_pb_line line = {0};
	struct as_pb_loc loc = {.first = (uint32_t)r->line.n, .n = 1};

	*is_plain = !r->extra.n && pb_tables_plain_loc(msg, v, w);
	if (!*is_plain)
		return true;
	id.id = v[PB_LOC_ID];
	loc.map = v[PB_LOC_MAP];
	loc.addr = v[PB_LOC_ADDR];
	line.func = w[PB_LINE_FUNC];
	line.line = w[PB_LINE_LINE];
	line.column = w[PB_LINE_COLUMN];
	return as_vec_push(r->al, &r->line, line) && as_vec_push(r->al, &r->loc, loc) &&
	       as_vec_push(r->al, &r->locs.id, id);
}

enum as_code as_pb_read_loc(struct as_pb_read *r, struct as_pb_cur msg)
{
	struct as_pb_at at = {"location", r->loc.n + 1, NULL};
	struct as_pb_id id = {.off = (uint64_t)(msg.p - r->base)};
	struct as_pb_loc loc = {.first = (uint32_t)r->line.n};
	struct as_pb_field f;
	enum as_code rc;
	uint64_t v[PB_LOC_FOLDED + 1];
	bool is_plain;

	if (r->line.n > UINT32_MAX - 2 || r->loc.n > UINT32_MAX - 2)
		return as_pb_fail(r, AS_E_LIMIT, msg.p, NULL, "more than 2^32 lines");
	if (AS_HAS_WRITERS) { /* the page is small, and need not be as fast */
		AS_TRY(as_err_memory(r->rd->err, pb_tables_put_plain(r, msg, &is_plain)));
		if (AS_LIKELY(is_plain))
			return AS_OK;
	}
	as_pb_first_numbers(&msg, v, PB_LOC_ADDR);
	v[PB_LOC_FOLDED] = 0;
	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK) {
		if (f.number == PB_LOC_OWN_BEHIND && f.type == AS_PB_VARINT && !r->raw) {
			loc.behind = f.v;
		} else if (f.number > PB_LOC_FOLDED) {
			AS_TRY(as_pb_keep(r, &msg, &f));
		} else if (f.number == PB_LOC_LINE) {
			AS_TRY(as_pb_is_bytes(r, &f, &at));
			AS_TRY(pb_tables_read_line(r, f.data, &at, ++loc.n));
		} else {
			AS_TRY(as_pb_number(r, &f, &at, &v[f.number]));
		}
	}
	if (rc != AS_END)
		return rc;
	AS_TRY(cut_inlined(r, &loc, &at, id.off));
	id.id = v[PB_LOC_ID];
	loc.map = v[PB_LOC_MAP];
	loc.addr = v[PB_LOC_ADDR];
	loc.folded = v[PB_LOC_FOLDED] != 0;
	AS_TRY(as_pb_kept(r, &loc.extra));
	return as_err_memory(r->rd->err,
		as_vec_push(r->al, &r->loc, loc) && as_vec_push(r->al, &r->locs.id, id));
}

/* ---- ids ---- */

/* Ids are dense in every file that is seen; others must not make us allocate what they like. */
static size_t pb_tables_dense(const struct as_pb_ids *ids)
{
	uint64_t most = 0, limit = 4 * (uint64_t)ids->id.n + 1024;

	for (size_t i = 0; i < ids->id.n; i++)
		if (ids->id.p[i].id < limit && ids->id.p[i].id > most)
			most = ids->id.p[i].id;
	return (size_t)most + 1;
}

static enum as_code odd_id(
	const struct as_pb_read *r, const char *what, size_t i, const struct as_pb_id *id)
{
	struct as_pb_at at = {what, i + 1, NULL};

	if (!id->id)
		return as_pb_find(
			r, AS_F_PB_ID_ZERO, id->off, &at, "it has the id 0, which means none");
	return as_pb_find(r, AS_F_PB_ID_TWICE, id->off, &at,
		"its id %" PRIu64 " is that of a %s before; that one holds", id->id, what);
}

static enum as_code pb_tables_number(struct as_pb_read *r, struct as_pb_ids *ids, const char *what)
{
	size_t n = pb_tables_dense(ids);

	ids->row = as_alloc_new(r->al, n * sizeof(*ids->row));
	AS_TRY(as_err_memory(r->rd->err, ids->row));
	ids->n = n;
	for (size_t i = 0; i < ids->id.n; i++) {
		const struct as_pb_id *id = &ids->id.p[i];

		if (!id->id || as_pb_row(ids, id->id))
			AS_TRY(odd_id(r, what, i, id));
		else if (id->id < n)
			ids->row[id->id] = (uint32_t)i + 1;
		else if (!as_index_add(&ids->index, as_hash_mix(id->id, 1), (uint32_t)i))
			return as_err_no_memory(r->rd->err);
	}
	return AS_OK;
}

/* ---- mappings ---- */

static int cmp_files(const struct as_pb_map *x, const struct as_pb_map *y)
{
	int c = as_cmp_u64(x->path.i, y->path.i);

	return c ? c : as_cmp_u64(x->build_id.i, y->build_id.i);
}

static int cmp_maps(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_map *x = &((const struct as_pb_map *)ctx)[a];
	const struct as_pb_map *y = &((const struct as_pb_map *)ctx)[b];
	int c = cmp_files(x, y);

	return c ? c : as_cmp_u64(x->offset, y->offset);
}

/* Two mappings of one place of a file: addresses in them are not told apart by that place. */
static bool find_overlaps(struct as_pb_read *r)
{
	uint32_t most = 0, n = 0, *order;

	if (!as_alloc_array(r->al, &order, r->map.n))
		return false;
	for (uint32_t i = 0; i < r->map.n; i++)
		if (!r->map.p[i].left_out)
			order[n++] = i;
	if (!as_sort_rows(r->al, order, n, cmp_maps, r->map.p))
		return false;
	for (uint32_t i = 1; i < n; i++) {
		struct as_pb_map *x = &r->map.p[order[most]], *y = &r->map.p[order[i]];

		if (cmp_files(x, y) == 0 && y->offset - x->offset < x->limit - x->start)
			x->absolute = y->absolute = true;
		if (cmp_files(x, y) != 0 ||
			y->offset + (y->limit - y->start) > x->offset + (x->limit - x->start))
			most = i;
	}
	return true;
}

/* An address that cannot be told by its place in the file of M. */
static bool pb_tables_is_odd(const struct as_pb_map *m, uint64_t addr)
{
	return addr && (addr < m->start || addr >= m->limit || addr - m->start + m->offset == 0);
}

static enum as_code look_at_addresses(struct as_pb_read *r)
{
	for (size_t i = 0; i < r->loc.n; i++) {
		const struct as_pb_loc *loc = &r->loc.p[i];
		struct as_pb_at at = {"location", i + 1, NULL};
		uint32_t row = loc->map ? as_pb_row(&r->maps, loc->map) : 0;

		if (loc->map && !row)
			AS_TRY(as_pb_find(r, AS_F_PB_MAPPING_MISSING, r->locs.id.p[i].off, &at,
				"mapping id %" PRIu64 " does not exist", loc->map));
		else if (row && pb_tables_is_odd(&r->map.p[row - 1], loc->addr)) {
			r->map.p[row - 1].absolute = true;
			AS_TRY(as_pb_is_odd_in_section(r, i));
		}
	}
	return AS_OK;
}

static enum as_code name_map(struct as_pb_read *r, size_t i)
{
	struct as_pb_map *m = &r->map.p[i];
	struct as_pb_at at = {"mapping", i + 1, NULL};
	uint64_t off = r->maps.id.p[i].off;

	AS_TRY(as_pb_str(r, m->file, &at, off, &m->path));
	AS_TRY(as_pb_str(r, m->build, &at, off, &m->build_id));
	m->absolute = !m->path.i && !m->build_id.i;
	return AS_OK;
}

static enum as_code make_object(struct as_pb_read *r, struct as_pb_map *m)
{
	struct as_object_row row = {
		.path = m->path, .id = m->build_id, .addr_kind = AS_ADDR_ABSOLUTE};
	struct as_profile *prof = r->rd->out->prof;

	if (!m->absolute) {
		AS_TRY(as_build_object_of(r->rd->out, m->path, m->build_id, &m->object));
		prof->object.p[m->object.i].addr_kind = AS_ADDR_FILE_OFFSET;
		return AS_OK;
	}
	m->object.i = (uint32_t)prof->object.n;
	return as_err_memory(r->rd->err, as_vec_push(prof->al, &prof->object, row));
}

static enum as_code pb_tables_put_map(struct as_pb_read *r, struct as_pb_map *m)
{
	struct as_map map = {.start = m->start,
		.limit = m->limit,
		.offset = m->offset,
		.exec = true,
		.has = m->has,
		.extra = m->extra};

	AS_TRY(make_object(r, m));
	map.object = m->object;
	return as_build_map(r->rd->out, &map);
}

enum as_code as_pb_number_tables(struct as_pb_read *r)
{
	if (r->map.n > UINT32_MAX - 2 || r->func.n > UINT32_MAX - 2)
		return as_rd_fail(r->rd, AS_E_LIMIT, 0, 0, "more than 2^32 functions");
	AS_TRY(pb_tables_number(r, &r->maps, "mapping"));
	AS_TRY(pb_tables_number(r, &r->funcs, "function"));
	AS_TRY(pb_tables_number(r, &r->locs, "location"));
	for (size_t i = 0; i < r->map.n; i++)
		if (!r->map.p[i].left_out)
			AS_TRY(name_map(r, i));
	return AS_OK;
}

/* Growing takes longer. */
static bool pb_tables_reserve_maps(struct as_pb_read *r)
{
	struct as_profile *prof = r->rd->out->prof;

	return as_vec_reserve(prof->al, &prof->map, prof->map.n + r->map.n) &&
	       as_vec_reserve(prof->al, &prof->object, prof->object.n + r->map.n);
}

enum as_code as_pb_tables(struct as_pb_read *r)
{
	AS_TRY(as_pb_number_tables(r));
	AS_TRY(look_at_addresses(r));
	AS_TRY(as_err_memory(r->rd->err, find_overlaps(r) && pb_tables_reserve_maps(r)));
	for (size_t i = 0; i < r->map.n; i++)
		if (!r->map.p[i].left_out)
			AS_TRY(pb_tables_put_map(r, &r->map.p[i]));
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->place, (as_place){0}));
}

/* ---- places ---- */

/* Many functions are in one file, and the text need not be looked up for each. */
static enum as_code pb_tables_file_of(struct as_pb_read *r, as_str path, as_file *out)
{
	while (r->file_of.n <= path.i)
		AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->file_of, 0)));
	if (!r->file_of.p[path.i]) {
		AS_TRY(as_build_file(r->rd->out, as_str_get(r->rd->out->prof, path), out));
		r->file_of.p[path.i] = out->i + 1;
	}
	out->i = r->file_of.p[path.i] - 1;
	return AS_OK;
}

/* NAMELESS is the function if it has no name. */
static enum as_code make_func(
	struct as_pb_read *r, uint32_t row, const struct as_func_row *nameless, as_func *out)
{
	struct as_pb_func *fn = &r->func.p[row];
	struct as_pb_at at = {"function", (uint64_t)row + 1, NULL};
	struct as_func_row f = {.object = nameless->object};
	uint64_t off = r->funcs.id.p[row].off;
	as_str file;

	if (fn->object == f.object.i + 1) {
		*out = fn->func;
		return AS_OK;
	}
	AS_TRY(as_pb_str(r, fn->name, &at, off, &f.name));
	AS_TRY(as_pb_str(r, fn->system, &at, off, &f.system));
	AS_TRY(as_pb_str(r, fn->file, &at, off, &file));
	AS_TRY(pb_tables_file_of(r, file, &f.file));
	f.addr = f.name.i ? 0 : nameless->addr;
	f.whole = !f.name.i && nameless->whole;
	if (r->into == AS_PB_INTO_PATHS) {
		f.line = fn->start;
		f.extra = fn->extra;
	} else if (f.system.i == f.name.i) { /* nor does this make a row of its own in a table */
		f.system.i = 0;
	}
	AS_TRY(as_build_func_row(r->rd->out, &f, out));
	if (f.name.i) { /* else it is another one at each address */
		fn->object = f.object.i + 1;
		fn->func = *out;
	}
	return AS_OK;
}

/* Fields that nobody knows, of a location and of its line, as one: that of a location, with the
 * line in it. */
static enum as_code join_extra(struct as_pb_read *r, as_str loc, as_str line, as_str *out)
{
	struct as_slice a = as_str_get(r->rd->out->prof, loc);
	struct as_slice b = as_str_get(r->rd->out->prof, line);
	char head[1 + AS_PB_VARINT_MAX] = {PB_LOC_LINE << 3 | AS_PB_BYTES};
	size_t n = 1 + (size_t)(as_pb_put_varint(head + 1, b.len) - (head + 1));
	enum as_code rc;

	*out = loc;
	if (!b.len)
		return AS_OK;
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->extra, a.len + n + b.len)));
	if (a.len)
		memcpy(r->extra.p, a.p, a.len);
	memcpy(r->extra.p + a.len, head, n);
	memcpy(r->extra.p + a.len + n, b.p, b.len);
	r->extra.n = a.len + n + b.len;
	rc = as_build_str(r->rd->out, (struct as_slice){r->extra.p, r->extra.n}, out);
	r->extra.n = 0;
	return rc;
}

/* A frame of a location that is to become a place. */
struct frame {
	const struct as_pb_loc *loc;
	const struct as_pb_line *line; /* NULL: the location has none */
	uint32_t row, k;               /* of the location; of its lines, the innermost is 0 */
	as_object object;
	struct as_pos pos;
	struct as_place_more more;
};

static enum as_code frame_func(struct as_pb_read *r, struct frame *f)
{
	struct as_func_row nameless = {.object = f->object, .addr = f->pos.addr};
	uint32_t row = f->line && f->line->func ? as_pb_row(&r->funcs, f->line->func) : 0;

	if (!f->pos.inlined && f->loc->behind && f->loc->behind <= f->pos.addr) {
		nameless.addr -= f->loc->behind - 1;
		nameless.whole = true;
	}
	if (f->line && !row) {
		struct as_pb_at at = {"location", (uint64_t)f->row + 1, NULL};
		struct as_pb_at sub = {"line", (uint64_t)f->k + 1, &at};

		AS_TRY(as_pb_find(r, AS_F_PB_FUNCTION_MISSING, r->locs.id.p[f->row].off, &sub,
			"function id %" PRIu64 " does not exist", f->line->func));
	}
	return row ? make_func(r, row - 1, &nameless, &f->pos.func)
		   : as_build_func_row(r->rd->out, &nameless, &f->pos.func);
}

/* Where the line of F is: in its function's file, or in another one. */
static enum as_code frame_file(struct as_pb_read *r, struct frame *f)
{
	struct as_pb_at loc = {"location", (uint64_t)f->row + 1, NULL};
	struct as_pb_at at = {"line", (uint64_t)f->k + 1, &loc};
	as_str path;

	f->pos.file = r->rd->out->prof->func.file.p[f->pos.func.i];
	if (!f->line->file)
		return AS_OK;
	AS_TRY(as_pb_str(r, f->line->file, &at, r->locs.id.p[f->row].off, &path));
	return pb_tables_file_of(r, path, &f->pos.file);
}

static enum as_code make_frame(struct as_pb_read *r, struct frame *f)
{
	bool inlined = f->k + 1 < f->loc->n, full = r->rd->detail != AS_DETAIL_FUNC;
	as_str none = {0};

	f->pos.inlined = inlined;
	AS_TRY(frame_func(r, f));
	if (!full) {
		f->pos.addr = 0;
		return AS_OK;
	}
	if (f->line) {
		AS_TRY(frame_file(r, f));
		f->pos.line = f->line->line;
		f->more.column = f->line->column;
	}
	f->more.folded = f->loc->folded && !inlined;
	return join_extra(
		r, inlined ? none : f->loc->extra, f->line ? f->line->extra : none, &f->more.extra);
}

/* For sums of functions, all of which have names, a line is no more than its function. False: there
 * is more to it. */
static bool pb_tables_is_func(const struct as_pb_read *r, const struct as_pb_line *line)
{
	return r->into == AS_PB_INTO_SUMS && !line->extra.i &&
	       (r->rd->detail == AS_DETAIL_FUNC || !line->file);
}

/* The functions of the lines of LOC instead of their places; *DONE: they will do. */
static enum as_code pb_tables_put_funcs(
	struct as_pb_read *r, const struct as_pb_loc *loc, as_object object, bool *done)
{
	struct as_func_row nameless = {.object = object};
	uint32_t row;
	as_func func;

	*done = AS_HAS_WRITERS && loc->n == 1 && !loc->extra.i &&
		pb_tables_is_func(r, &r->line.p[loc->first]);
	if (!*done)
		return AS_OK;
	row = as_pb_row(&r->funcs, r->line.p[loc->first].func);
	as_assert(row);
	AS_TRY(make_func(r, row - 1, &nameless, &func));
	return as_err_memory(r->rd->err,
		r->place.n < UINT32_MAX - 1 && as_vec_push(r->al, &r->place, (as_place){func.i}));
}

enum as_code as_pb_make_places(struct as_pb_read *r, uint32_t row)
{
	struct as_pb_loc *loc = &r->loc.p[row];
	uint32_t map = loc->map ? as_pb_row(&r->maps, loc->map) : 0, n = loc->n ? loc->n : 1;
	const struct as_pb_map *m = map ? &r->map.p[map - 1] : NULL;
	uint64_t addr = loc->addr;
	as_place place;
	bool done;

	loc->place = (uint32_t)r->place.n;
	AS_TRY(pb_tables_put_funcs(r, loc, m ? m->object : (as_object){0}, &done));
	if (AS_LIKELY(done))
		return AS_OK;
	if (m && addr && !m->absolute)
		addr = addr - m->start + m->offset;
	for (uint32_t k = n; k-- > 0;) {
		struct frame f = {.loc = loc,
			.line = loc->n ? &r->line.p[loc->first + k] : NULL,
			.row = row,
			.k = k,
			.object = m ? m->object : (as_object){0},
			.pos = {.addr = addr}};

		AS_TRY(make_frame(r, &f));
		if (r->into == AS_PB_INTO_SUMS)
			place.i = f.pos.func.i;
		else
			AS_TRY(as_build_place_more(r->rd->out, &f.pos, &f.more, &place));
		if (r->place.n >= UINT32_MAX - 1 || !as_vec_push(r->al, &r->place, place))
			return as_err_no_memory(r->rd->err);
	}
	return AS_OK;
}
