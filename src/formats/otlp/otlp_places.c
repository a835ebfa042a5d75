/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From locations to places, and from stacks of locations to lists of places.
 *
 * The model tells code by its place in the object's file, which is the same in every run; the file
 * has addresses in memory, and mappings that lead from one to the other. An address that is not in
 * its mapping is kept as it is, in an object of its own.
 */
#include "formats/otlp/otlp.h"

#define NO_STACK UINT32_MAX /* the row of none */

/* ---- objects ---- */

static bool places_same_object(const struct as_otlp_object *a, const struct as_otlp_object *b)
{
	return a->path.i == b->path.i && a->id.i == b->id.i && a->kind == b->kind &&
	       a->start == b->start && a->limit == b->limit && a->offset == b->offset;
}

/* The object of KEY, whose object is set; *IS_NEW: it was not there. Objects of one file may have
 * addresses of several kinds; the builder knows but one object of a path and an id. */
static enum as_code places_object(struct as_otlp_read *r, struct as_otlp_object *key)
{
	struct as_profile *prof = r->rd->out->prof;
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(key->path.i, key->id.i);
	struct as_object_row row = {.path = key->path, .id = key->id, .addr_kind = key->kind};
	bool other = !key->path.i && !key->id.i;
	uint32_t i;

	while (as_index_find(&r->objects, hash, &pos, &i)) {
		struct as_otlp_object *o = &r->object.p[i];

		if (places_same_object(o, key)) {
			key->object = o->object;
			return AS_OK;
		}
		other |= o->path.i == key->path.i && o->id.i == key->id.i;
	}
	if (other) {
		key->object.i = (uint32_t)prof->object.n;
		AS_TRY(as_otlp_memory(r, as_vec_push(prof->al, &prof->object, row)));
	} else {
		AS_TRY(as_build_object(r->rd->out, as_str_get(prof, key->path),
			as_str_get(prof, key->id), &key->object));
		prof->object.p[key->object.i].addr_kind = key->kind;
	}
	return as_otlp_memory(
		r, as_vec_push(r->al, &r->object, *key) &&
			   as_index_add(&r->objects, hash, (uint32_t)r->object.n - 1));
}

static enum as_addr_kind places_kind(
	const struct as_otlp_read *r, const struct as_otlp_map *m, bool absolute)
{
	if (absolute || (!m->path.i && !m->id.i) ||
		as_path_is_gap(as_str_get(r->rd->out->prof, m->path)))
		return AS_ADDR_ABSOLUTE;
	if (m->is_virtual || (!m->start && !m->limit))
		return AS_ADDR_VIRTUAL; /* ebpf-profiler's are without a range */
	return m->limit > m->start ? AS_ADDR_FILE_OFFSET : AS_ADDR_ABSOLUTE;
}

static bool places_has_map(const struct as_otlp_read *r, const struct as_map *map, uint64_t hash)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&r->maps, hash, &pos, &i)) {
		const struct as_map *m = &r->rd->out->prof->map.p[i];

		if (m->object.i == map->object.i && m->start == map->start &&
			m->limit == map->limit && m->offset == map->offset && m->has == map->has)
			return true;
	}
	return false;
}

enum as_code as_otlp_put_map(struct as_otlp_read *r, struct as_otlp_map *m, bool absolute)
{
	struct as_otlp_object key = {
		.path = m->path, .id = m->id, .kind = places_kind(r, m, absolute)};
	struct as_map map = {.start = m->start,
		.limit = m->limit,
		.offset = m->offset,
		.exec = true,
		.has = m->has};
	uint64_t hash;

	if (!key.path.i && !key.id.i) {
		key.start = m->start;
		key.limit = m->limit;
		key.offset = m->offset;
	}
	AS_TRY(places_object(r, &key));
	*(absolute ? &m->absolute : &m->object) = key.object;
	map.object = key.object;
	hash = as_hash_mix(
		as_hash_mix(map.object.i, map.start), as_hash_mix(map.limit, map.offset));
	if ((!map.start && !map.limit && !map.has) || places_has_map(r, &map, hash))
		return AS_OK;
	AS_TRY(as_build_map(r->rd->out, &map));
	return as_otlp_memory(
		r, as_index_add(&r->maps, hash, (uint32_t)r->rd->out->prof->map.n - 1));
}

/* ---- places ---- */

/* Many functions are in one file, and the text need not be looked up for each. */
static enum as_code places_file(struct as_otlp_read *r, as_str path, as_file *out)
{
	while (r->file_of.n <= path.i)
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->file_of, 0)));
	if (!r->file_of.p[path.i]) {
		AS_TRY(as_build_file(r->rd->out, as_str_get(r->rd->out->prof, path), out));
		r->file_of.p[path.i] = out->i + 1;
	}
	out->i = r->file_of.p[path.i] - 1;
	return AS_OK;
}

/* A frame of a location that is to become a place. */
struct frame {
	const struct as_otlp_cur *cur; /* the location */
	const struct as_otlp_loc *loc;
	const struct as_otlp_line *line; /* NULL: the location has none */
	as_object object;
	struct as_pos pos;
	struct as_place_more more;
};

/* The function of FN, in the object of NAMELESS, which it is if it has no name. */
static enum as_code places_make_func(struct as_otlp_read *r, struct as_otlp_func *fn,
	const struct as_func_row *nameless, const struct frame *fr, as_func *out)
{
	struct as_func_row f = {.object = nameless->object};
	as_str file;

	if (fn->object == f.object.i + 1) {
		*out = fn->func;
		return AS_OK;
	}
	AS_TRY(as_otlp_str(r, fn->name, fr->cur, &f.name));
	AS_TRY(as_otlp_str(r, fn->system, fr->cur, &f.system));
	AS_TRY(as_otlp_str(r, fn->file, fr->cur, &file));
	AS_TRY(places_file(r, file, &f.file));
	f.addr = f.name.i ? 0 : nameless->addr;
	f.whole = !f.name.i && nameless->whole;
	if (!r->rd->sums)
		f.line = fn->start;
	else if (f.system.i == f.name.i) /* nor does this make a row of its own in a table */
		f.system.i = 0;
	AS_TRY(as_build_func_row(r->rd->out, &f, out));
	r->nameless |= !f.name.i;
	if (f.name.i) { /* else it is another one at each address */
		fn->object = f.object.i + 1;
		fn->func = *out;
	}
	return AS_OK;
}

static enum as_code places_func(struct as_otlp_read *r, struct frame *f)
{
	struct as_func_row nameless = {.object = f->object, .addr = f->pos.addr};
	uint64_t row = f->line ? f->line->func : 0;
	bool none = !f->line || (!row && r->layout >= AS_OTLP_1_8 && !r->t.func.n);

	if (!f->pos.inlined && f->loc->behind && f->loc->behind <= f->pos.addr) {
		nameless.addr -= f->loc->behind - 1;
		nameless.whole = true;
	}
	if (!none && row < r->t.func.n)
		return places_make_func(r, &r->t.func.p[row], &nameless, f, &f->pos.func);
	if (!none)
		AS_TRY(as_otlp_find(f->cur, AS_F_OTLP_ROW_MISSING,
			"function %" PRIu64 " does not exist; the table has %zu", row,
			r->t.func.n));
	r->nameless = true;
	return as_build_func_row(r->rd->out, &nameless, &f->pos.func);
}

static enum as_code places_frame(struct as_otlp_read *r, struct frame *f, bool inlined)
{
	f->pos.inlined = inlined;
	AS_TRY(places_func(r, f));
	if (r->rd->detail == AS_DETAIL_FUNC) {
		f->pos.addr = 0;
		return AS_OK;
	}
	if (f->line) {
		f->pos.file = r->rd->out->prof->func.file.p[f->pos.func.i];
		f->pos.line = f->line->line;
		f->more.column = f->line->column;
	}
	f->more.folded = f->loc->folded && !inlined;
	return AS_OK;
}

/* The object and the address there of LOC. */
static enum as_code places_address(struct as_otlp_read *r, const struct as_otlp_loc *loc,
	const struct as_otlp_cur *cur, as_object *object, uint64_t *addr)
{
	struct as_otlp_map *m;
	uint64_t at = loc->addr;

	object->i = 0;
	*addr = at;
	if (!loc->map || (loc->map == 1 && !r->t.map.n && r->layout >= AS_OTLP_1_8))
		return AS_OK;
	if (loc->map - 1 >= r->t.map.n)
		return as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
			"mapping %" PRIu32 " does not exist; the table has %zu", loc->map - 1,
			r->t.map.n);
	m = &r->t.map.p[loc->map - 1];
	*object = m->object;
	if (!at || places_kind(r, m, false) != AS_ADDR_FILE_OFFSET)
		return AS_OK;
	if (at >= m->start && at < m->limit && at - m->start + m->offset) {
		*addr = at - m->start + m->offset;
		return AS_OK;
	}
	if (!m->absolute.i)
		AS_TRY(as_otlp_put_map(r, m, true));
	*object = m->absolute;
	return AS_OK;
}

static enum as_code otlp_places_make(struct as_otlp_read *r, uint32_t row)
{
	struct as_otlp_loc *loc = &r->t.loc.p[row];
	struct as_otlp_cur cur = {.r = r, .msg = AS_OTLP_LOCATION, .n = (uint64_t)row + 1};
	uint32_t n = loc->n ? loc->n : 1;
	as_object object;
	uint64_t addr;
	as_place place;

	as_assert(row < r->t.loc.n);
	AS_TRY(places_address(r, loc, &cur, &object, &addr));
	loc->place = (uint32_t)r->place.n;
	loc->places = n;
	for (uint32_t k = n; k-- > 0;) {
		struct frame f = {.cur = &cur,
			.loc = loc,
			.line = loc->n ? &r->t.line.p[loc->first + k] : NULL,
			.object = object,
			.pos = {.addr = addr}};

		AS_TRY(places_frame(r, &f, k + 1 < loc->n));
		AS_TRY(as_build_place_more(r->rd->out, &f.pos, &f.more, &place));
		if (r->place.n >= UINT32_MAX - 1 || !as_vec_push(r->al, &r->place, place))
			return as_err_no_memory(r->rd->err);
	}
	if (n == 1)
		r->t.word.p[row] = place.i + 1;
	return AS_OK;
}

/* ---- stacks ---- */

/* The places of location ROW are there, and what is odd about it is told. */
static enum as_code places_know(struct as_otlp_read *r, uint32_t row, const struct as_otlp_cur *cur)
{
	if (row < r->t.loc.n)
		return r->t.loc.p[row].place ? AS_OK : otlp_places_make(r, row);
	r->nameless = true;
	return as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
		"location %" PRIu32 " does not exist; the table has %zu", row, r->t.loc.n);
}

/* The number whose bytes X has, up to four, without the bits that say whether one more follows. */
static inline uint32_t places_number(uint64_t x)
{
	uint32_t v = (uint32_t)x;

	return (v & 0x7f) | (v >> 1 & 0x3f80) | (v >> 2 & 0x1fc000) | (v >> 3 & 0xfe00000);
}

/* The next two of a packed list to OUT, if they are short, as nearly all are: then how long both
 * are. Behind the input zeros can be read. */
static inline unsigned places_two(const uint8_t *p, uint32_t *out)
{
#if AS_LITTLE_ENDIAN
	uint64_t x, last, next;
	unsigned one, two;

	memcpy(&x, p, sizeof(x));
	last = ~x & UINT64_C(0x8080808080808080); /* what a last byte has not */
	next = last & (last - 1);
	if (AS_UNLIKELY(!next))
		return 0;
	one = (unsigned)__builtin_ctzll(last) + 1;
	two = (unsigned)__builtin_ctzll(next) + 1;
	if (AS_UNLIKELY(one > 32 || two - one > 32))
		return 0;
	out[0] = places_number(x & (last ^ (last - 1)));
	out[1] = places_number((x & (next ^ (next - 1))) >> one);
	return two / 8;
#else
	(void)p;
	(void)out;
	return 0;
#endif
}

/* Packed ones were looked at before: they are well-formed. */
static void places_unpack(const uint8_t *p, const uint8_t *end, uint32_t *out, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		unsigned both = k + 1 < n ? places_two(p, out + k) : 0;
		uint64_t v = UINT32_MAX;

		p += both;
		k += both != 0;
		if (both)
			continue;
		(void)as_pb_varint(&p, end, &v);
		out[k] = v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
	}
}

/* The locations of S, the innermost first: in r->locs, or where they are. NULL: no memory. */
static const uint32_t *places_locations(struct as_otlp_read *r, const struct as_otlp_stack *s)
{
	if (!s->packed)
		return r->t.index.p + s->first;
	if (!as_vec_reserve(r->al, &r->locs, s->n))
		return NULL;
	places_unpack(
		(const uint8_t *)r->base + s->first, (const uint8_t *)r->end, r->locs.p, s->n);
	return r->locs.p;
}

static bool places_push(struct as_otlp_read *r, as_place place)
{
	return r->word.n < UINT32_MAX - 2 && as_vec_push(r->al, &r->word, place.i + 1);
}

/* The places of location ROW behind those of the stack so far. */
static bool places_add(struct as_otlp_read *r, uint32_t row)
{
	const struct as_otlp_loc *loc = row < r->t.loc.n ? &r->t.loc.p[row] : NULL;
	bool ok = loc || places_push(r, (as_place){0});

	for (uint32_t i = 0; loc && ok && i < loc->places; i++)
		ok = places_push(r, r->place.p[loc->place + i]);
	return ok;
}

/* Words of S, the outermost first. */
static bool places_words(struct as_otlp_read *r, const struct as_otlp_stack *s)
{
	const uint32_t *loc = places_locations(r, s);
	bool ok = loc;

	for (uint32_t k = s->n; ok && k-- > 0;) {
		uint32_t row = loc[k];

		if (AS_LIKELY(row < r->t.word.n && r->t.word.p[row] && r->word.n < r->word.cap))
			r->word.p[r->word.n++] = r->t.word.p[row];
		else
			ok = places_add(r, row);
	}
	return ok;
}

enum as_code as_otlp_stack_words(struct as_otlp_read *r, uint32_t i)
{
	uint32_t of = r->stack.p[i], n = of == NO_STACK ? 0 : r->t.stack.p[of].n;
	bool ok = r->word.n < UINT32_MAX - 2 - n && as_vec_reserve(r->al, &r->word, r->word.n + n);

	as_assert(i < r->stack.n);
	r->stack.p[i] = (uint32_t)r->word.n;
	if (ok && n)
		ok = places_words(r, &r->t.stack.p[of]);
	return as_otlp_memory(r, ok && as_vec_push(r->al, &r->word, 0));
}

enum as_code as_otlp_settle_stacks(struct as_otlp_read *r)
{
	for (; r->n_settled < r->stack.n; r->n_settled++)
		AS_TRY(as_otlp_stack_words(r, (uint32_t)r->n_settled));
	return AS_OK;
}

enum as_code as_otlp_put_stack(
	struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur, uint32_t *out)
{
	bool none = !i && !r->t.stack.n;
	struct as_otlp_stack *s = i < r->t.stack.n ? &r->t.stack.p[i] : NULL;
	const uint32_t *loc;

	if (s && s->stack) {
		*out = s->stack - 1;
		return AS_OK;
	}
	if (!s && !none)
		AS_TRY(as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
			"stack %" PRIu64 " does not exist; the table has %zu", i, r->t.stack.n));
	if (s && r->rd->lim.depth && s->n > r->rd->lim.depth)
		return as_otlp_fail(cur, AS_E_LIMIT, r->base,
			"its stack has %" PRIu32 " frames; the limit is %" PRIu64, s->n,
			r->rd->lim.depth);
	*out = (uint32_t)r->stack.n;
	AS_TRY(as_otlp_memory(r, r->stack.n < NO_STACK - 1 && as_vec_push(r->al, &r->stack,
								      s ? (uint32_t)i : NO_STACK)));
	if (!s)
		return AS_OK;
	loc = s->n ? places_locations(r, s) : NULL;
	AS_TRY(as_otlp_memory(r, loc || !s->n));
	for (uint32_t k = s->n; k-- > 0;)
		if (AS_UNLIKELY(loc[k] >= r->t.word.n || !r->t.word.p[loc[k]]))
			AS_TRY(places_know(r, loc[k], cur));
	s->stack = *out + 1;
	return AS_OK;
}
