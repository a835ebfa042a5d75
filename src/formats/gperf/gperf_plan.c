/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which address stands for a place? If the profile came with mappings (or location ids), those
 * are kept, provided that every place that is used comes out of them again. After a merge of
 * runs that were loaded at different addresses it does not: then gperf_synth.c lays out ours.
 */
#include "base/sort.h"
#include "formats/gperf/gperf_write.h"

/* A piece of an object in the address space, found by file offset. */
struct piece {
	uint32_t object;
	uint64_t offset, end; /* in the file */
	uint64_t start;       /* address of OFFSET */
	uint32_t widest; /* of the pieces of the object up to this one, the one with largest END */
};

struct keep {
	struct as_gp_write *w;
	struct as_addr_ranges ranges;
	AS_VEC(struct piece) piece;
};

static bool is_same_map(const struct as_map *a, const struct as_map *b)
{
	return a->start == b->start && a->limit == b->limit && a->offset == b->offset &&
	       a->object.i == b->object.i && a->exec == b->exec;
}

/* All parts have the mappings of the first one. Maps stand part by part. */
static bool are_maps_one(const struct as_profile *prof, size_t *n_first)
{
	size_t n = 0, i;

	while (n < prof->map.n && prof->map.p[n].part == 0)
		n++;
	*n_first = n;
	if (prof->part.n * n != prof->map.n)
		return false;
	for (i = n; i < prof->map.n; i++)
		if (prof->map.p[i].part != i / n ||
			!is_same_map(&prof->map.p[i], &prof->map.p[i - n]))
			return false;
	return true;
}

static int cmp_piece(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	int c = as_cmp_u64(x->object, y->object);

	c = c ? c : as_cmp_u64(x->offset, y->offset);
	return c ? c : as_cmp_u64(x->start, y->start);
}

static bool make_pieces(struct keep *k, size_t n_maps)
{
	const struct as_profile *prof = k->w->prof;
	const struct as_alloc *al = k->w->al;

	for (size_t i = 0; i < n_maps; i++) {
		const struct as_map *m = &prof->map.p[i];
		struct as_addr_range r = {m->start, m->limit, (uint32_t)i};

		if (m->exec && m->object.i && !gp_is_null(prof, m->object) &&
			!as_vec_push(al, &k->ranges.row, r))
			return false;
	}
	if (!as_addr_ranges_make(&k->ranges))
		return false;
	for (size_t i = 0; i < k->ranges.row.n; i++) {
		const struct as_addr_range *r = &k->ranges.row.p[i];
		const struct as_map *m = &prof->map.p[r->map];
		struct piece p = {.object = m->object.i, .start = r->start};

		p.offset = r->start - m->start + m->offset;
		p.end = r->limit - m->start + m->offset;
		if (p.end > p.offset && !as_vec_push(al, &k->piece, p))
			return false;
	}
	if (k->piece.n)
		qsort(k->piece.p, k->piece.n, sizeof(*k->piece.p), cmp_piece);
	for (uint32_t i = 0; i < k->piece.n; i++) {
		struct piece *p = &k->piece.p[i];

		p->widest = i;
		if (i && p[-1].object == p->object && k->piece.p[p[-1].widest].end > p->end)
			p->widest = p[-1].widest;
	}
	return true;
}

/* The address of ADDR in OBJECT, or 0. */
static uint64_t find_pc(const struct keep *k, uint32_t object, uint64_t addr)
{
	size_t lo = 0, hi = k->piece.n;
	const struct piece *p;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		p = &k->piece.p[mid];
		if (p->object < object || (p->object == object && p->offset <= addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || k->piece.p[lo - 1].object != object)
		return 0;
	p = &k->piece.p[k->piece.p[lo - 1].widest];
	return addr < p->end ? addr - p->offset + p->start : 0;
}

/* What is mapped at an address, 0 for nothing. */
static uint32_t object_at(const struct keep *k, uint64_t addr)
{
	uint32_t map = as_addr_ranges_find(&k->ranges, addr);

	return map == AS_ADDR_NOWHERE ? 0 : k->w->prof->map.p[map].object.i;
}

static bool keep_place(struct keep *k, uint32_t place)
{
	struct as_gp_write *w = k->w;
	const struct as_profile *prof = w->prof;
	as_object object = gp_object(prof, place);
	uint64_t addr = as_place_addr(prof, (as_place){place});

	if (!gp_has_addr(prof, place))
		return false;
	w->pc[place] = addr;
	w->raw[place] = gp_is_null(prof, object);
	if (w->raw[place])
		return addr <= 1;
	if (object.i && prof->object.p[object.i].addr_kind == AS_ADDR_ABSOLUTE)
		return object_at(k, addr) == object.i;
	if (object.i && prof->object.p[object.i].addr_kind == AS_ADDR_VIRTUAL)
		return false;
	if (object.i)
		w->pc[place] = find_pc(k, object.i, addr);
	else if (object_at(k, addr))
		return false;
	return w->pc[place] != 0;
}

static enum as_code gp_plan_keep_maps(struct as_gp_write *w)
{
	struct keep k = {.w = w, .ranges = {.al = w->al}};
	size_t n_maps;

	w->keep = are_maps_one(w->prof, &n_maps);
	AS_TRY(as_err_memory(w->wr->err, !w->keep || make_pieces(&k, n_maps)));
	for (uint32_t i = 0; w->keep && i < w->prof->place.func.n; i++)
		w->keep = !w->used[i] || keep_place(&k, i);
	return AS_OK;
}

/* The place is what the location line of its id says. */
static bool is_java_place(
	const struct as_gp_write *w, const struct as_addr_names *names, uint32_t i)
{
	const struct as_profile *prof = w->prof;
	struct as_pos pos = as_place_pos(prof, (as_place){i});
	as_object object = gp_object(prof, i);
	const struct as_addr_name *name =
		as_addr_names_find(names, as_place_addr(prof, (as_place){i}));

	if (!name)
		return gp_is_nameless(prof, pos.func) && gp_has_addr(prof, i) &&
		       (!object.i || gp_is_null(prof, object));
	return as_slice_eq(as_func_name(prof, pos.func), name->func) &&
	       as_slice_eq(as_file_path(prof, pos.file), name->file) && pos.line == name->line &&
	       as_slice_eq(as_object_path(prof, object), name->object);
}

/* Ids need nothing added; the lines that name them are written again. */
static enum as_code keep_java(struct as_gp_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_arena arena;
	struct as_addr_names names = {.arena = &arena};
	struct as_addr_name name;
	bool ok = true;

	as_arena_init(&arena, w->al);
	w->java = true;
	for (size_t i = 0; ok && i < prof->meta.n; i++)
		if (as_java_name_parse(as_str_get(prof, prof->meta.p[i].text), &name))
			ok = as_addr_names_add(&names, &name);
	for (uint32_t i = 0; ok && w->java && i < prof->place.func.n; i++) {
		w->java = !w->used[i] || is_java_place(w, &names, i);
		w->pc[i] = as_place_addr(prof, (as_place){i});
		w->raw[i] = 1;
	}
	w->keep = w->java;
	return as_err_memory(w->wr->err, ok);
}

static bool is_java(const struct as_profile *prof)
{
	return prof->part.n == 1 && as_profile_is_from(prof, "gperf") &&
	       as_slice_starts(as_str_get(prof, prof->version), "1 java");
}

enum as_code as_gp_plan(struct as_gp_write *w)
{
	AS_TRY(is_java(w->prof) ? keep_java(w) : gp_plan_keep_maps(w));
	return w->keep ? AS_OK : as_gp_plan_synth(w);
}
