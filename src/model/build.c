/* SPDX-License-Identifier: Apache-2.0 */
/* Building a profile: the tables. The facts are in build_facts.c. */
#include "model/build.h"

#define ROWS_MAX (UINT32_MAX - 2)

static enum as_code table_full(struct as_build *b, const char *what)
{
	return as_err_set(b->err, AS_E_LIMIT, "more than 2^32 %s", what);
}

static bool first_rows(struct as_profile *prof)
{
	const struct as_alloc *al = prof->al;

	return as_vec_push(al, &prof->object, (struct as_object_row){0}) &&
	       as_vec_push(al, &prof->file, (as_str){0}) &&
	       as_vec_push(al, &prof->func.name, (as_str){0}) &&
	       as_vec_push(al, &prof->func.object, (as_object){0}) &&
	       as_vec_push(al, &prof->func.file, (as_file){0}) &&
	       as_vec_push(al, &prof->func.addr, 0) &&
	       as_vec_push(al, &prof->place.func, (as_func){0}) &&
	       as_vec_push(al, &prof->place.file, (as_file){0}) &&
	       as_vec_push(al, &prof->place.line, 0) && as_vec_push(al, &prof->place.addr, 0) &&
	       as_vec_push(al, &prof->place.inlined, 0) &&
	       as_vec_push(al, &prof->node.parent, (as_node){0}) &&
	       as_vec_push(al, &prof->node.place, (as_place){0});
}

enum as_code as_build_init(struct as_build *b, const struct as_alloc *al, struct as_err *err)
{
	struct as_profile *prof;

	al = al ? al : &as_alloc_libc;
	*b = (struct as_build){.err = err};
	as_index_init(&b->events, al);
	as_index_init(&b->objects, al);
	as_index_init(&b->files, al);
	as_index_init(&b->funcs, al);
	as_index_init(&b->places, al);
	as_index_init(&b->nodes, al);
	as_index_init(&b->labels, al);
	prof = as_alloc_new(al, sizeof(*prof));
	AS_TRY(as_err_memory(b->err, prof));
	b->prof = prof;
	prof->al = al;
	as_arena_init(&prof->arena, al);
	as_rows_init(&prof->self, al, 0);
	as_rows_init(&prof->call, al, AS_CALL_COST);
	as_rows_init(&prof->jump, al, AS_JUMP_WIDTH);
	as_stacks_init(&prof->stacks, al);
	if (as_strings_init(&prof->strings, &prof->arena) && first_rows(prof))
		return AS_OK;
	as_build_free(b);
	return as_err_no_memory(b->err);
}

void as_build_forget(struct as_build *b)
{
	as_index_release(&b->events);
	as_index_release(&b->objects);
	as_index_release(&b->files);
	as_index_release(&b->funcs);
	as_index_release(&b->places);
	as_index_release(&b->nodes);
	as_index_release(&b->labels);
	if (b->prof)
		as_vec_free(b->prof->al, &b->moment);
}

void as_build_free(struct as_build *b)
{
	if (!b->prof)
		return;
	as_build_forget(b);
	as_profile_free(b->prof);
	b->prof = NULL;
}

enum as_code as_build_str(struct as_build *b, struct as_slice s, as_str *out)
{
	return as_err_memory(b->err, as_strings_add(&b->prof->strings, s, out));
}

enum as_code as_build_event(
	struct as_build *b, struct as_slice name, struct as_slice unit, uint32_t *out)
{
	struct as_profile *prof = b->prof;
	struct as_event ev = {0};
	uint64_t pos = AS_INDEX_START, hash;

	AS_TRY(as_build_str(b, name, &ev.name));
	hash = as_hash_mix(ev.name.i, 0);
	while (as_index_find(&b->events, hash, &pos, out))
		if (prof->event.p[*out].name.i == ev.name.i)
			return AS_OK;
	*out = (uint32_t)prof->event.n;
	/* Rows take more values at any time, but samples have a fixed stride. */
	if (prof->sample.node.n)
		return as_err_set(b->err, AS_E_ARG, "event '%.*s' after the first sample",
			AS_SLICE_FMT(name));
	AS_TRY(as_build_str(b, unit, &ev.unit));
	if (!as_vec_push(prof->al, &prof->event, ev) || !as_index_add(&b->events, hash, *out))
		return as_err_no_memory(b->err);
	prof->self.width = (uint32_t)prof->event.n;
	prof->call.width = (uint32_t)prof->event.n + AS_CALL_COST;
	return AS_OK;
}

enum as_code as_build_object(
	struct as_build *b, struct as_slice path, struct as_slice id, as_object *out)
{
	as_str path_str, id_str;

	AS_TRY(as_build_str(b, path, &path_str));
	AS_TRY(as_build_str(b, id, &id_str));
	return as_build_object_of(b, path_str, id_str, out);
}

enum as_code as_build_object_of(struct as_build *b, as_str path, as_str id, as_object *out)
{
	struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(path.i, id.i);
	struct as_object_row row = {.path = path, .id = id};

	out->i = 0;
	if (!path.i && !id.i)
		return AS_OK;
	while (as_index_find(&b->objects, hash, &pos, &out->i)) {
		const struct as_object_row *o = &prof->object.p[out->i];

		if (o->path.i == row.path.i && o->id.i == row.id.i)
			return AS_OK;
	}
	if (prof->object.n >= ROWS_MAX)
		return table_full(b, "objects");
	out->i = (uint32_t)prof->object.n;
	return as_err_memory(b->err, as_vec_push(prof->al, &prof->object, row) &&
					     as_index_add(&b->objects, hash, out->i));
}

enum as_code as_build_file(struct as_build *b, struct as_slice path, as_file *out)
{
	struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash;
	as_str name;

	out->i = 0;
	if (path.len == 0)
		return AS_OK;
	AS_TRY(as_build_str(b, path, &name));
	hash = as_hash_mix(name.i, 1);
	while (as_index_find(&b->files, hash, &pos, &out->i))
		if (prof->file.p[out->i].i == name.i)
			return AS_OK;
	if (prof->file.n >= ROWS_MAX)
		return table_full(b, "files");
	out->i = (uint32_t)prof->file.n;
	return as_err_memory(b->err,
		as_vec_push(prof->al, &prof->file, name) && as_index_add(&b->files, hash, out->i));
}

static inline uint64_t func_hash(as_str name, as_object object, as_file file, uint64_t addr)
{
	return as_hash_mix(as_hash_mix(name.i, object.i), as_hash_mix(file.i, addr));
}

static inline uint64_t func_row_hash(const struct as_func_row *row)
{
	uint64_t hash = func_hash(row->name, row->object, row->file, row->addr);

	if (AS_LIKELY(!row->system.i && !row->line && !row->extra.i))
		return hash;
	return as_hash_mix(as_hash_mix(hash, row->line), as_hash_mix(row->system.i, row->extra.i));
}

static inline uint64_t place_hash(const struct as_pos *p)
{
	return as_hash_mix(
		as_hash_mix(p->func.i, p->file.i), as_hash_mix(p->line, p->addr) + p->inlined);
}

static inline uint64_t place_more_hash(const struct as_pos *p, const struct as_place_more *more)
{
	uint64_t hash = place_hash(p);

	if (AS_LIKELY(!more->column && !more->folded && !more->extra.i))
		return hash;
	return as_hash_mix(
		as_hash_mix(hash, more->column), 2 * (uint64_t)more->extra.i + more->folded);
}

/* The first N elements of an empty array, all zero. */
static bool start_column(
	const struct as_alloc *al, void *pp, size_t *cap, size_t *have, size_t n, size_t size)
{
	if (!as_vec_resize(al, pp, cap, n + 1, size))
		return false;
	memset(*(void **)pp, 0, n * size);
	*have = n;
	return true;
}

/* Append VALUE to column V of a table of N rows. A column stays empty as long as it would hold
 * NOTHING only. */
#define push_rare(al, v, n_rows, value, nothing)                                               \
	(((nothing) && !(v)->n) || (((v)->n || start_column((al), &(v)->p, &(v)->cap, &(v)->n, \
						       (n_rows), sizeof(*(v)->p))) &&          \
					   as_vec_push((al), (v), (value))))

bool as_build_push_func(struct as_profile *prof, const struct as_func_row *row)
{
	const struct as_alloc *al = prof->al;
	size_t n = prof->func.name.n;

	return as_vec_push(al, &prof->func.object, row->object) &&
	       as_vec_push(al, &prof->func.file, row->file) &&
	       as_vec_push(al, &prof->func.addr, row->addr) &&
	       push_rare(al, &prof->func.system, n, row->system, !row->system.i) &&
	       push_rare(al, &prof->func.line, n, row->line, !row->line) &&
	       push_rare(al, &prof->func.extra, n, row->extra, !row->extra.i) &&
	       push_rare(al, &prof->func.whole, n, row->whole, !row->whole) &&
	       as_vec_push(al, &prof->func.name, row->name);
}

static bool same_func(const struct as_profile *prof, uint32_t i, const struct as_func_row *row)
{
	struct as_func_row have;

	if (prof->func.name.p[i].i != row->name.i || prof->func.object.p[i].i != row->object.i ||
		prof->func.file.p[i].i != row->file.i || prof->func.addr.p[i] != row->addr)
		return false;
	have = as_func_get(prof, (as_func){i});
	return have.system.i == row->system.i && have.line == row->line &&
	       have.extra.i == row->extra.i;
}

/* Mark function I as known by where it begins, which was not known when its row was made. */
static bool set_whole(struct as_profile *prof, uint32_t i)
{
	size_t n = prof->func.name.n;

	if (!prof->func.whole.n &&
		!start_column(prof->al, &prof->func.whole.p, &prof->func.whole.cap,
			&prof->func.whole.n, n, sizeof(*prof->func.whole.p)))
		return false;
	prof->func.whole.p[i] = 1;
	return true;
}

enum as_code as_build_func_row(struct as_build *b, const struct as_func_row *row, as_func *out)
{
	struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash;

	out->i = 0;
	if (!row->name.i && !row->object.i && !row->file.i && !row->addr && !row->system.i &&
		!row->line && !row->extra.i)
		return AS_OK;
	hash = func_row_hash(row);
	while (as_index_find(&b->funcs, hash, &pos, &out->i))
		if (same_func(prof, out->i, row))
			return as_err_memory(b->err, !row->whole || set_whole(prof, out->i));
	if (prof->func.name.n >= ROWS_MAX)
		return table_full(b, "functions");
	as_assert(row->object.i < prof->object.n);
	out->i = (uint32_t)prof->func.name.n;
	return as_err_memory(
		b->err, as_build_push_func(prof, row) && as_index_add(&b->funcs, hash, out->i));
}

/* What of function I is compared. Not a function: see as_index_expect(). */
#define build_expect_func(prof, i)                      \
	do {                                            \
		AS_PREFETCH(&(prof)->func.name.p[i]);   \
		AS_PREFETCH(&(prof)->func.object.p[i]); \
		AS_PREFETCH(&(prof)->func.file.p[i]);   \
		AS_PREFETCH(&(prof)->func.addr.p[i]);   \
	} while (0)

enum as_code as_build_func_rows(
	struct as_build *b, const struct as_func_row *row, uint32_t n, as_func *out)
{
	uint64_t hash[AS_STRINGS_MANY];

	as_assert(n <= AS_STRINGS_MANY);
	for (uint32_t i = 0; i < n; i++) {
		hash[i] = func_row_hash(&row[i]);
		as_index_expect(&b->funcs, hash[i]);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint64_t pos = AS_INDEX_START;
		uint32_t f;

		if (as_index_find(&b->funcs, hash[i], &pos, &f))
			build_expect_func(b->prof, f);
	}
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(as_build_func_row(b, &row[i], &out[i]));
	return AS_OK;
}

enum as_code as_build_func(struct as_build *b, struct as_slice name, as_object object, as_file file,
	uint64_t addr, as_func *out)
{
	struct as_func_row row = {.object = object, .file = file, .addr = name.len ? 0 : addr};

	AS_TRY(as_build_str(b, name, &row.name));
	return as_build_func_row(b, &row, out);
}

static bool same_place(const struct as_profile *prof, as_place at, const struct as_pos *p,
	const struct as_place_more *more)
{
	struct as_pos q = as_place_pos(prof, at);
	struct as_place_more have;

	if (q.func.i != p->func.i || q.file.i != p->file.i || q.line != p->line ||
		q.addr != p->addr || q.inlined != p->inlined)
		return false;
	have = as_place_get_more(prof, at);
	return have.column == more->column && have.folded == more->folded &&
	       have.extra.i == more->extra.i;
}

static bool push_place(
	struct as_profile *prof, const struct as_pos *p, const struct as_place_more *more)
{
	const struct as_alloc *al = prof->al;
	size_t n = prof->place.func.n;

	return as_vec_push(al, &prof->place.file, p->file) &&
	       as_vec_push(al, &prof->place.line, p->line) &&
	       as_vec_push(al, &prof->place.addr, p->addr) &&
	       as_vec_push(al, &prof->place.inlined, p->inlined) &&
	       push_rare(al, &prof->place.column, n, more->column, !more->column) &&
	       push_rare(al, &prof->place.folded, n, more->folded, !more->folded) &&
	       push_rare(al, &prof->place.extra, n, more->extra, !more->extra.i) &&
	       as_vec_push(al, &prof->place.func, p->func);
}

enum as_code as_build_place_more(
	struct as_build *b, const struct as_pos *p, const struct as_place_more *more, as_place *out)
{
	struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash = place_more_hash(p, more);

	out->i = 0;
	if (!p->func.i && !p->file.i && !p->line && !p->addr && !more->column && !more->folded &&
		!more->extra.i)
		return AS_OK;
	while (as_index_find(&b->places, hash, &pos, &out->i))
		if (same_place(prof, *out, p, more))
			return AS_OK;
	if (prof->place.func.n >= ROWS_MAX)
		return table_full(b, "places");
	as_assert(p->func.i < prof->func.name.n);
	out->i = (uint32_t)prof->place.func.n;
	return as_err_memory(
		b->err, push_place(prof, p, more) && as_index_add(&b->places, hash, out->i));
}

enum as_code as_build_place(struct as_build *b, const struct as_pos *p, as_place *out)
{
	return as_build_place_more(b, p, &(struct as_place_more){0}, out);
}

enum as_code as_build_reserve_funcs(struct as_build *b, size_t n)
{
	struct as_profile *prof = b->prof;
	size_t funcs = prof->func.name.n + n;

	return as_err_memory(b->err, as_vec_reserve(prof->al, &prof->func.name, funcs) &&
					     as_vec_reserve(prof->al, &prof->func.object, funcs) &&
					     as_vec_reserve(prof->al, &prof->func.file, funcs) &&
					     as_vec_reserve(prof->al, &prof->func.addr, funcs) &&
					     as_index_reserve(&b->funcs, b->funcs.n + n));
}

enum as_code as_build_reserve(struct as_build *b, size_t n)
{
	struct as_profile *prof = b->prof;
	size_t places = prof->place.func.n + n;

	AS_TRY(as_build_reserve_funcs(b, n));
	return as_err_memory(
		b->err, as_vec_reserve(prof->al, &prof->place.func, places) &&
				as_vec_reserve(prof->al, &prof->place.file, places) &&
				as_vec_reserve(prof->al, &prof->place.line, places) &&
				as_vec_reserve(prof->al, &prof->place.addr, places) &&
				as_vec_reserve(prof->al, &prof->place.inlined, places) &&
				as_index_reserve(&b->places, b->places.n + n));
}

void as_build_expect_code(const struct as_build *b, as_object object, uint64_t addr)
{
	as_index_expect(&b->funcs, func_hash((as_str){0}, object, (as_file){0}, addr));
}

void as_build_expect_place(
	const struct as_build *b, as_object object, uint64_t addr, uint32_t *n_new)
{
	const struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash = func_hash((as_str){0}, object, (as_file){0}, addr);
	struct as_pos place = {.addr = addr};
	uint32_t func;

	if (as_index_find(&b->funcs, hash, &pos, &func)) {
		build_expect_func(prof, func);
	} else {
		place.func.i = (uint32_t)prof->func.name.n + (*n_new)++;
		as_index_expect(&b->places, place_hash(&place));
	}
}

void as_build_expect_pos(const struct as_build *b, const struct as_pos *p,
	const struct as_place_more *more, bool row)
{
	const struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash = place_more_hash(p, more);
	uint32_t i;

	if (!row) {
		as_index_expect(&b->places, hash);
	} else if (as_index_find(&b->places, hash, &pos, &i)) {
		AS_PREFETCH(&prof->place.func.p[i]);
		AS_PREFETCH(&prof->place.file.p[i]);
		AS_PREFETCH(&prof->place.line.p[i]);
		AS_PREFETCH(&prof->place.addr.p[i]);
		AS_PREFETCH(&prof->place.inlined.p[i]);
	}
}

enum as_code as_build_part(struct as_build *b, uint32_t *out)
{
	struct as_profile *prof = b->prof;

	if (prof->part.n >= ROWS_MAX)
		return table_full(b, "parts");
	*out = b->whole = (uint32_t)prof->part.n;
	return as_err_memory(b->err, as_vec_push(prof->al, &prof->part, (struct as_part){0}));
}

enum as_code as_build_meta(
	struct as_build *b, uint32_t part, struct as_slice key, struct as_slice text)
{
	return as_build_meta_of(b, part, key, text, AS_META_OF_ALL);
}

enum as_code as_build_meta_of(struct as_build *b, uint32_t part, struct as_slice key,
	struct as_slice text, enum as_meta_of of)
{
	struct as_meta m = {.part = part, .of = of};

	AS_TRY(as_build_str(b, key, &m.key));
	AS_TRY(as_build_str(b, text, &m.text));
	return as_err_memory(b->err, as_vec_push(b->prof->al, &b->prof->meta, m));
}

enum as_code as_build_map(struct as_build *b, const struct as_map *map)
{
	as_assert(map->object.i < b->prof->object.n);
	return as_err_memory(b->err, as_vec_push(b->prof->al, &b->prof->map, *map));
}

enum as_code as_build_part_events(
	struct as_build *b, uint32_t part, const uint32_t *list, uint32_t n)
{
	struct as_part *p = &b->prof->part.p[part];

	as_assert(part < b->prof->part.n);
	for (uint32_t i = 0; i < n; i++)
		as_assert(list[i] < b->prof->event.n);
	p->event = as_arena_get(&b->prof->arena, (size_t)n * sizeof(*list) + 1);
	AS_TRY(as_err_memory(b->err, p->event));
	if (n)
		memcpy(p->event, list, (size_t)n * sizeof(*list));
	p->n_events = n;
	return AS_OK;
}

enum as_code as_build_part_all_events(struct as_build *b, uint32_t part)
{
	struct as_part *p = &b->prof->part.p[part];
	uint32_t n = as_n_events(b->prof);

	as_assert(part < b->prof->part.n);
	AS_TRY(as_err_memory(b->err, as_arena_array(&b->prof->arena, &p->event, n)));
	for (p->n_events = 0; p->n_events < n; p->n_events++)
		p->event[p->n_events] = p->n_events;
	return AS_OK;
}

as_val *as_build_values(struct as_build *b, const as_val *v, uint32_t n)
{
	as_val *own = as_arena_get(&b->prof->arena, (size_t)n * sizeof(*v) + 1);

	if (own && n)
		memcpy(own, v, (size_t)n * sizeof(*v));
	return own;
}
