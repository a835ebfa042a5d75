/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables that samples are made of. They name each other by row numbers, and all of them are
 * read before anything is looked up. From 1.8 on row 0 of each means none, and says nothing.
 */
#include "formats/otlp/otlp.h"

enum { INLINED_MAX = 256 }; /* lines of a location */

/* ---- rows ---- */

enum as_code as_otlp_index(
	struct as_otlp_cur *cur, struct as_otlp_field *f, struct as_otlp_list *list)
{
	struct as_otlp_read *r = cur->r;

	if (!list->n)
		list->first = (uint32_t)r->t.index.n;
	do {
		if (r->t.index.n >= UINT32_MAX - 1)
			return as_otlp_fail(cur, AS_E_LIMIT, f->at, "more than 2^32 row numbers");
		if (list->first + list->n != r->t.index.n)
			return as_otlp_fail(cur, AS_E_FORMAT, f->at,
				"a list of row numbers stands in two pieces, with another list "
				"between them");
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->t.index,
						 f->v < UINT32_MAX ? (uint32_t)f->v : UINT32_MAX)));
		list->n++;
	} while (as_otlp_more(cur, f));
	return AS_OK;
}

static enum as_code tables_map(struct as_otlp_cur *cur)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_map m = {0};
	struct as_otlp_field f;
	enum as_code rc;

	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		switch (f.id) {
		case AS_OTLP_F_START:
			m.start = f.v;
			break;
		case AS_OTLP_F_LIMIT:
			m.limit = f.v;
			break;
		case AS_OTLP_F_OFFSET:
			m.offset = f.v;
			break;
		case AS_OTLP_F_FILE:
			m.file = f.v;
			break;
		case AS_OTLP_F_ATTR_INDICES:
			AS_TRY(as_otlp_index(cur, &f, &m.attrs));
			break;
		default:
			if (f.id >= AS_OTLP_F_HAS_FUNCS && f.id <= AS_OTLP_F_HAS_INLINED)
				m.has |= (uint32_t)(f.v != 0) << (f.id - AS_OTLP_F_HAS_FUNCS);
			break;
		}
	return rc == AS_END ? as_otlp_memory(r, as_vec_push(r->al, &r->t.map, m)) : rc;
}

static enum as_code tables_line(
	const struct as_otlp_cur *up, const struct as_otlp_field *of, uint64_t n)
{
	struct as_otlp_read *r = up->r;
	struct as_otlp_line line = {0};
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	enum as_code rc;

	as_otlp_enter(&cur, up, of, n);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		*(f.id == AS_OTLP_F_FUNCTION     ? &line.func
			: f.id == AS_OTLP_F_LINE ? &line.line
						 : &line.column) = f.v;
	return rc == AS_END ? as_otlp_memory(r, as_vec_push(r->al, &r->t.line, line)) : rc;
}

/*
 * A stack may name a location as often as it likes, by a byte each, and each time all of its lines
 * become frames. No compiler nests calls this deep; of the lines between the innermost ones and the
 * function that has the code nothing is kept.
 */
static enum as_code tables_cut_inlined(struct as_otlp_cur *cur, struct as_otlp_loc *loc)
{
	struct as_otlp_read *r = cur->r;
	uint32_t n = loc->n;

	if (n <= INLINED_MAX)
		return AS_OK;
	r->t.line.p[loc->first + INLINED_MAX - 1] = r->t.line.p[loc->first + n - 1];
	r->t.line.n = loc->first + INLINED_MAX;
	loc->n = INLINED_MAX;
	as_rd_partial(r->rd);
	return as_otlp_find(cur, AS_F_OTLP_INLINED_DEEP,
		"it has %" PRIu32 " lines; of the calls that were inlined %" PRIu32 " are left out",
		n, n - INLINED_MAX);
}

static enum as_code tables_loc(struct as_otlp_cur *cur)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_loc loc = {.first = (uint32_t)r->t.line.n};
	struct as_otlp_field f;
	enum as_code rc;

	if (r->t.line.n > UINT32_MAX - 2)
		return as_otlp_fail(cur, AS_E_LIMIT, r->base, "more than 2^32 lines");
	if (r->layout >= AS_OTLP_1_8)
		loc.map = 1;
	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		switch (f.id) {
		case AS_OTLP_F_MAPPING:
			loc.map = f.v < UINT32_MAX ? (uint32_t)f.v + 1 : UINT32_MAX;
			break;
		case AS_OTLP_F_ADDRESS:
			loc.addr = f.v;
			break;
		case AS_OTLP_F_LINES:
			AS_TRY(tables_line(cur, &f, ++loc.n));
			break;
		case AS_OTLP_F_FOLDED:
			loc.folded = f.v != 0;
			break;
		case AS_OTLP_F_ATTR_INDICES:
			AS_TRY(as_otlp_index(cur, &f, &loc.attrs));
			break;
		default:
			break;
		}
	if (rc != AS_END)
		return rc;
	AS_TRY(tables_cut_inlined(cur, &loc));
	return as_otlp_memory(
		r, as_vec_push(r->al, &r->t.loc, loc) && as_vec_push(r->al, &r->t.word, 0));
}

static enum as_code tables_func(struct as_otlp_cur *cur)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_func fn = {0};
	struct as_otlp_field f;
	enum as_code rc;

	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		*(f.id == AS_OTLP_F_NAME           ? &fn.name
			: f.id == AS_OTLP_F_SYSTEM ? &fn.system
			: f.id == AS_OTLP_F_FILE   ? &fn.file
						   : &fn.start) = f.v;
	return rc == AS_END ? as_otlp_memory(r, as_vec_push(r->al, &r->t.func, fn)) : rc;
}

static enum as_code tables_attr(struct as_otlp_cur *cur, struct as_otlp_attr *out)
{
	struct as_otlp_field f;
	enum as_code rc;

	*out = (struct as_otlp_attr){0};
	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		switch (f.id) {
		case AS_OTLP_F_KEY:
			out->key = f.text;
			break;
		case AS_OTLP_F_KEY_INDEX:
			out->key_index = f.v;
			break;
		case AS_OTLP_F_VALUE:
			out->value = f.text;
			break;
		case AS_OTLP_F_UNIT:
			out->unit = f.v;
			break;
		default:
			break;
		}
	return rc == AS_END ? AS_OK : rc;
}

/* 16 and 8 bytes: in JSON hexadecimal already. All zeros are none. */
enum as_code as_otlp_hex(struct as_otlp_read *r, struct as_slice s, struct as_slice *out)
{
	static const char digit[] = "0123456789abcdef";
	char *p;

	*out = s;
	if (r->json || !s.len) {
		if (as_slice_is_zero(s))
			out->len = 0;
		return AS_OK;
	}
	p = as_arena_get(&r->arena, 2 * s.len);
	AS_TRY(as_err_memory(r->rd->err, p));
	*out = (struct as_slice){p, 2 * s.len};
	for (size_t i = 0; i < s.len; i++) {
		*p++ = digit[(unsigned char)s.p[i] >> 4];
		*p++ = digit[s.p[i] & 15];
	}
	if (as_slice_is_zero(*out))
		out->len = 0;
	return AS_OK;
}

static enum as_code tables_link(struct as_otlp_cur *cur)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_link link = {0};
	struct as_otlp_field f;
	enum as_code rc;

	while ((rc = as_otlp_next(cur, &f)) == AS_OK) {
		bool trace = f.id == AS_OTLP_F_TRACE;

		if (f.text.len > 64)
			return as_otlp_fail(cur, AS_E_FORMAT, f.at,
				"an id of %zu bytes; 16 were expected, or 8", f.text.len);
		AS_TRY(as_otlp_hex(r, f.text, trace ? &link.trace : &link.span));
	}
	return rc == AS_END ? as_otlp_memory(r, as_vec_push(r->al, &r->t.link, link)) : rc;
}

/* How many numbers stand in LIST, packed, of five bytes or less each, as row numbers are; 0 if that
 * is not so. Eight bytes at a time, of which four are counted: so none goes over their end. */
static uint32_t tables_count_packed(struct as_pb_cur list)
{
	const uint64_t bits = UINT64_C(0x8080808080808080);
	const uint8_t *p = list.p;
	uint64_t n = 0, x, run = 0;
	uint32_t four;

	for (; list.end - p >= 8; p += sizeof(four)) {
		memcpy(&four, p, sizeof(four));
		n += ((~four & 0x80808080) >> 7) * 0x01010101 >> 24;
		memcpy(&x, p, sizeof(x));
		x &= bits; /* more follows */
		run |= x & x >> 8 & x >> 16 & x >> 24 & x >> 32;
	}
	for (unsigned more = 0; p < list.end; p++) {
		more = *p >> 7 ? more + 1 : 0;
		run |= more > 4;
		n += !(*p >> 7);
	}
	return run || p == list.p || p[-1] >> 7 || n >= UINT32_MAX ? 0 : (uint32_t)n;
}

/* A stack that is one list of packed numbers, as in all files that are seen, stays where it is:
 * there are many, and samples ask for them one by one. False if TEXT is another one. */
static bool tables_stack_is_list(
	const struct as_otlp_read *r, struct as_slice text, struct as_otlp_stack *out)
{
	const uint8_t *p = (const uint8_t *)text.p, *end = p + text.len;
	uint64_t tag, len;
	uint8_t row;

	if (r->json || !as_pb_varint(&p, end, &tag) || !as_pb_varint(&p, end, &len) ||
		(tag & 7) != AS_PB_BYTES || tag >> 3 >= AS_OTLP_NUMBERS ||
		len != (uint64_t)(end - p))
		return false;
	row = r->numbers.row[AS_OTLP_STACK][tag >> 3];
	if (!row || as_otlp_def[row - 1].id != AS_OTLP_F_LOCATION_INDICES)
		return false;
	*out = (struct as_otlp_stack){.packed = 1,
		.first = (uint64_t)((const char *)p - r->base) & (UINT64_MAX >> 1),
		.n = tables_count_packed((struct as_pb_cur){p, end})};
	return out->n != 0;
}

static enum as_code tables_stack(struct as_otlp_cur *cur)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_list list = {0};
	struct as_otlp_field f;
	enum as_code rc;

	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		AS_TRY(as_otlp_index(cur, &f, &list));
	if (rc != AS_END)
		return rc;
	return as_otlp_memory(
		r, as_vec_push(r->al, &r->t.stack,
			   ((struct as_otlp_stack){.first = list.first, .n = list.n})));
}

static enum as_code tables_unit(struct as_otlp_cur *cur)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_list unit = {0};
	struct as_otlp_field f;
	enum as_code rc;

	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		*(f.id == AS_OTLP_F_UNIT ? &unit.n : &unit.first) =
			f.v < UINT32_MAX ? (uint32_t)f.v : UINT32_MAX;
	return rc == AS_END ? as_otlp_memory(r, as_vec_push(r->al, &r->t.unit, unit)) : rc;
}

static enum as_code tables_string(struct as_otlp_cur *cur, struct as_slice s)
{
	struct as_otlp_read *r = cur->r;

	if (!r->t.str.n && s.len)
		AS_TRY(as_otlp_find(cur, AS_F_OTLP_STRING_FIRST,
			"the first string is not empty; what names it has no text"));
	if (r->t.str.n >= UINT32_MAX - 1)
		return as_otlp_fail(cur, AS_E_LIMIT, s.p, "more than 2^32 strings");
	return as_otlp_memory(
		r, as_vec_push(r->al, &r->t.str, s) && as_vec_push(r->al, &r->t.str_of, 0));
}

static enum as_code tables_row(
	struct as_otlp_cur *cur, const struct as_otlp_field *f, struct as_otlp_cur *row, uint64_t n)
{
	as_otlp_enter(row, cur, f, n + 1);
	if (n < UINT32_MAX - 2)
		return AS_OK;
	return as_otlp_fail(cur, AS_E_LIMIT, f->at, "more than 2^32 rows of a table");
}

enum as_code as_otlp_table(struct as_otlp_cur *cur, const struct as_otlp_field *f, bool *is)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_stack stack;
	struct as_otlp_attr attr;
	struct as_otlp_cur row;

	*is = true;
	switch (f->id) {
	case AS_OTLP_F_STRINGS:
		return tables_string(cur, f->text);
	case AS_OTLP_F_MAPPINGS:
		AS_TRY(tables_row(cur, f, &row, r->t.map.n));
		return tables_map(&row);
	case AS_OTLP_F_LOCATIONS:
		AS_TRY(tables_row(cur, f, &row, r->t.loc.n));
		return tables_loc(&row);
	case AS_OTLP_F_FUNCTIONS:
		AS_TRY(tables_row(cur, f, &row, r->t.func.n));
		return tables_func(&row);
	case AS_OTLP_F_LINKS:
		AS_TRY(tables_row(cur, f, &row, r->t.link.n));
		return tables_link(&row);
	case AS_OTLP_F_ATTRS:
		AS_TRY(tables_row(cur, f, &row, r->t.attr.n));
		AS_TRY(tables_attr(&row, &attr));
		return as_otlp_memory(r, as_vec_push(r->al, &r->t.attr, attr));
	case AS_OTLP_F_UNITS:
		AS_TRY(tables_row(cur, f, &row, r->t.unit.n));
		return tables_unit(&row);
	case AS_OTLP_F_STACKS:
		if (r->t.stack.n < UINT32_MAX - 2 && tables_stack_is_list(r, f->text, &stack))
			return as_otlp_memory(r, as_vec_push(r->al, &r->t.stack, stack));
		AS_TRY(tables_row(cur, f, &row, r->t.stack.n));
		return tables_stack(&row);
	default:
		*is = false;
		return AS_OK;
	}
}

enum as_code as_otlp_tables_clear(struct as_otlp_read *r)
{
	struct as_otlp_tables *t = &r->t;

	AS_TRY(as_otlp_settle_stacks(r));
	t->str.n = t->str_of.n = t->map.n = t->loc.n = t->line.n = t->func.n = t->attr.n = 0;
	t->link.n = t->stack.n = t->index.n = t->unit.n = t->word.n = 0;
	as_index_release(&t->stacks);
	as_index_init(&t->stacks, r->al);
	r->message++;
	return AS_OK;
}

/* ---- strings and attributes ---- */

enum as_code as_otlp_text(
	struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur, struct as_slice *out)
{
	*out = (struct as_slice){NULL, 0};
	if (!i)
		return AS_OK;
	if (i >= r->t.str.n)
		return as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
			"string %" PRId64 " does not exist; the table has %zu", (int64_t)i,
			r->t.str.n);
	*out = r->t.str.p[i];
	return AS_OK;
}

enum as_code as_otlp_str(
	struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur, as_str *out)
{
	struct as_slice s;

	out->i = 0;
	if (i && i < r->t.str.n && r->t.str_of.p[i]) {
		out->i = r->t.str_of.p[i] - 1;
		return AS_OK;
	}
	AS_TRY(as_otlp_text(r, i, cur, &s));
	if (!i || i >= r->t.str.n)
		return AS_OK;
	AS_TRY(as_build_str(r->rd->out, s, out));
	r->t.str_of.p[i] = out->i + 1;
	return AS_OK;
}

/* The unit that 1.7 has for all attributes of that key. */
static enum as_code tables_unit_of(
	struct as_otlp_read *r, as_str key, const struct as_otlp_cur *cur, as_str *out)
{
	as_str k;

	for (size_t i = 0; i < r->t.unit.n; i++) {
		AS_TRY(as_otlp_str(r, r->t.unit.p[i].first, cur, &k));
		if (k.i == key.i)
			return as_otlp_str(r, r->t.unit.p[i].n, cur, out);
	}
	return AS_OK;
}

static enum as_code tables_label(struct as_otlp_read *r, const struct as_otlp_attr *a,
	const struct as_otlp_cur *cur, struct as_label *out)
{
	struct as_label l = {0};

	*out = l;
	if (a->key.p)
		AS_TRY(as_build_str(r->rd->out, a->key, &l.key));
	else
		AS_TRY(as_otlp_str(r, a->key_index, cur, &l.key));
	if (!l.key.i)
		return AS_OK;
	AS_TRY(as_otlp_str(r, a->unit, cur, &l.unit));
	if (r->t.unit.n)
		AS_TRY(tables_unit_of(r, l.key, cur, &l.unit));
	AS_TRY(as_otlp_value(r, a->value, cur, &l));
	*out = l;
	return AS_OK;
}

enum as_code as_otlp_attr(struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur,
	const struct as_label **out)
{
	static const struct as_label none;
	struct as_otlp_attr *a;

	*out = &none;
	if (i >= r->t.attr.n && !i && r->layout >= AS_OTLP_1_8)
		return AS_OK;
	if (i >= r->t.attr.n)
		return as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
			"attribute %" PRIu64 " does not exist; the table has %zu", i, r->t.attr.n);
	a = &r->t.attr.p[i];
	if (!a->done)
		AS_TRY(tables_label(r, a, cur, &a->label));
	a->done = true;
	*out = &a->label;
	return AS_OK;
}

enum as_code as_otlp_key_value(
	struct as_otlp_cur *cur, const struct as_otlp_field *f, struct as_label *out)
{
	struct as_otlp_attr a;
	struct as_otlp_cur in;

	as_otlp_enter(&in, cur, f, 0);
	AS_TRY(tables_attr(&in, &a));
	return tables_label(cur->r, &a, cur, out);
}

/* ---- what attributes of mappings and locations say ---- */

static bool tables_yes(const struct as_otlp_read *r, const struct as_label *l)
{
	return as_slice_is(as_str_get(r->rd->out->prof, l->text), "true") || l->number;
}

static bool tables_map_has(const struct as_otlp_read *r, struct as_otlp_map *m, struct as_slice key,
	const struct as_label *l)
{
	static const char *const what[] = {
		"functions", "filenames", "line_numbers", "inline_frames"};

	if (!as_slice_starts(key, AS_OTLP_HAS))
		return false;
	key = as_slice_skip(key, strlen(AS_OTLP_HAS));
	for (size_t i = 0; i < AS_ARRAY_LEN(what); i++)
		if (as_slice_is(key, what[i])) {
			m->has |= (uint32_t)tables_yes(r, l) << i;
			return true;
		}
	return false;
}

/* The best id of those that there are: the linker's, Go's, a hash of the file. */
static enum as_code tables_map_id(struct as_otlp_read *r, struct as_otlp_map *m,
	struct as_slice key, const struct as_label *l, unsigned *best)
{
	static const char *const ids[] = {AS_OTLP_ID_HTL, AS_OTLP_ID_GO, AS_OTLP_ID_GNU};
	struct as_slice text = as_str_get(r->rd->out->prof, l->text);

	for (unsigned i = 0; i < AS_ARRAY_LEN(ids); i++) {
		if (!as_slice_is(key, ids[i]) || !text.len)
			continue;
		if (*best)
			r->lost_attrs++;
		if (i + 1 <= *best)
			return AS_OK;
		*best = i + 1;
		if (i)
			m->id = l->text;
		else
			AS_TRY(as_build_str(r->rd->out,
				as_arena_printf(&r->arena, AS_OTLP_HTL "%.*s", AS_SLICE_FMT(text)),
				&m->id));
	}
	return AS_OK;
}

static enum as_code tables_map_done(
	struct as_otlp_read *r, struct as_otlp_map *m, const struct as_otlp_cur *cur)
{
	const struct as_label *l;
	unsigned best = 0;

	AS_TRY(as_otlp_str(r, m->file, cur, &m->path));
	for (uint32_t i = 0; i < m->attrs.n; i++) {
		struct as_slice key;

		AS_TRY(as_otlp_attr(r, r->t.index.p[m->attrs.first + i], cur, &l));
		key = as_str_get(r->rd->out->prof, l->key);
		if (as_slice_is(key, AS_OTLP_VIRTUAL))
			m->is_virtual = tables_yes(r, l);
		else if (as_slice_starts(key, "process.executable.build_id."))
			AS_TRY(tables_map_id(r, m, key, l, &best));
		else if (key.len && !tables_map_has(r, m, key, l))
			r->lost_attrs++;
	}
	if (m->start || m->limit || m->path.i || m->id.i)
		return as_otlp_put_map(r, m, false);
	return AS_OK;
}

static enum as_code tables_loc_done(
	struct as_otlp_read *r, struct as_otlp_loc *loc, const struct as_otlp_cur *cur)
{
	const struct as_label *l;

	for (uint32_t i = 0; i < loc->attrs.n; i++) {
		struct as_slice key;

		AS_TRY(as_otlp_attr(r, r->t.index.p[loc->attrs.first + i], cur, &l));
		key = as_str_get(r->rd->out->prof, l->key);
		if (as_slice_is(key, AS_OTLP_FOLDED))
			loc->folded = tables_yes(r, l);
		else if (as_slice_is(key, AS_OTLP_BEHIND) && l->number >= 0)
			loc->behind = (uint64_t)l->number + 1;
		else if (key.len)
			r->lost_attrs++;
	}
	return AS_OK;
}

enum as_code as_otlp_tables_done(struct as_otlp_read *r, const struct as_otlp_cur *cur)
{
	struct as_otlp_cur at = {.r = r, .up = cur};

	at.msg = AS_OTLP_MAPPING;
	for (size_t i = 0; i < r->t.map.n; i++) {
		at.n = i + 1;
		AS_TRY(tables_map_done(r, &r->t.map.p[i], &at));
	}
	at.msg = AS_OTLP_LOCATION;
	for (size_t i = 0; i < r->t.loc.n; i++) {
		at.n = i + 1;
		AS_TRY(tables_loc_done(r, &r->t.loc.p[i], &at));
	}
	return AS_OK;
}
