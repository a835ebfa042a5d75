/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of our own, for profiles whose mappings do not fit or that never had any: every
 * object gets a range, one after the other, in which its file offsets are kept. A function that
 * has no address at all (Callgrind without --dump-instr) gets a number beyond the last offset of
 * its object, so that functions stay apart although the format has no names; this is reported.
 */
#include "base/sort.h"
#include "formats/gperf/gperf_write.h"

#define PAGE UINT64_C(4096)
#define FIRST UINT64_C(0x400000) /* where programs have always been */

/* A used place, in the order of the layout. */
struct spot {
	struct as_slice object, id, func, file;
	uint64_t addr;
	uint32_t place, func_row;
	bool has_addr;
};

/* A page of memory that is no file's: it stays where it was. */
struct page {
	uint64_t addr;
	struct as_slice object;
};

struct synth {
	struct as_gp_write *w;
	AS_VEC(struct spot) spot;
	AS_VEC(struct page) page;
	AS_VEC(uint64_t) absolute; /* addresses that must stay outside of all ranges, ascending */
	uint64_t next;             /* where the next range may begin */
};

/* What a reader will call the object: an address' line and the others' must agree. */
static struct as_slice synth_path(const struct as_profile *prof, as_object object)
{
	return as_map_path_read(as_object_path(prof, object));
}

static enum as_code too_high(struct as_gp_write *w, struct as_slice path)
{
	return as_err_set(w->wr->err, AS_E_LIMIT,
		"the addresses in '%.*s' do not fit into the address space of the file",
		AS_SLICE_FMT(path));
}

/* By object, path first; what has an address first and by it; then by function. */
static int cmp_spot(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int c = as_slice_cmp(x->object, y->object);

	if (!c)
		c = as_slice_cmp(x->id, y->id);
	if (!c)
		c = y->has_addr - x->has_addr;
	if (!c)
		c = as_cmp_u64(x->addr, y->addr);
	if (!c)
		c = as_slice_cmp(x->func, y->func);
	return c ? c : as_slice_cmp(x->file, y->file);
}

static bool add_spot(struct synth *s, uint32_t place)
{
	const struct as_profile *prof = s->w->prof;
	as_func f = prof->place.func.p[place];
	as_object object = gp_object(prof, place);
	struct spot one = {.object = synth_path(prof, object),
		.id = as_str_get(prof, prof->object.p[object.i].id),
		.place = place,
		.func_row = f.i,
		.has_addr = gp_has_addr(prof, place),
		.addr = as_place_addr(prof, (as_place){place})};

	if (!one.has_addr) {
		one.func = as_func_name(prof, f);
		one.file = as_file_path(prof, prof->func.file.p[f.i]);
	}
	if (!one.object.len)
		one.object = as_slice_of(AS_MAP_UNKNOWN);
	return as_vec_push(s->w->al, &s->spot, one);
}

static bool gp_synth_stays(const struct as_profile *prof, uint32_t place)
{
	as_object object = gp_object(prof, place);

	return object.i && !gp_is_null(prof, object) && as_place_addr(prof, (as_place){place}) &&
	       prof->object.p[object.i].addr_kind != AS_ADDR_FILE_OFFSET &&
	       as_map_is_memory(synth_path(prof, object));
}

static bool add_page(struct synth *s, uint64_t addr, struct as_slice object)
{
	struct page page = {addr / PAGE * PAGE, object};

	return as_vec_push(s->w->al, &s->absolute, addr) && as_vec_push(s->w->al, &s->page, page);
}

/* Places that need no range are settled at once. */
static bool sort_out(struct synth *s)
{
	struct as_gp_write *w = s->w;
	const struct as_profile *prof = w->prof;

	for (uint32_t i = 0; i < prof->place.func.n; i++) {
		as_object object = gp_object(prof, i);
		uint64_t addr = as_place_addr(prof, (as_place){i});

		if (!w->used[i])
			continue;
		w->pc[i] = addr;
		w->raw[i] = gp_is_null(prof, object) && addr <= 1;
		if (w->raw[i])
			continue;
		if (gp_synth_stays(prof, i)) {
			if (!add_page(s, addr, synth_path(prof, object)))
				return false;
		} else if (object.i || !gp_has_addr(prof, i) || addr == 0) {
			if (!add_spot(s, i))
				return false;
		} else if (!as_vec_push(w->al, &s->absolute, addr)) {
			return false;
		}
	}
	if (s->absolute.n)
		qsort(s->absolute.p, s->absolute.n, sizeof(*s->absolute.p), as_addr_cmp);
	for (size_t i = 1; i < s->spot.n; i++)
		if (cmp_spot(&s->spot.p[i - 1], &s->spot.p[i]) > 0) {
			qsort(s->spot.p, s->spot.n, sizeof(*s->spot.p), cmp_spot);
			break;
		}
	return true;
}

/* A range of SIZE bytes, a page's multiple, that holds no absolute address; 0 if there is none. */
static uint64_t find_room(struct synth *s, uint64_t size)
{
	uint64_t start = s->next;

	for (size_t i = 0; i < s->absolute.n; i++) {
		uint64_t a = s->absolute.p[i];

		if (a >= start && a - start < size)
			start = (a / PAGE + 1) * PAGE;
	}
	if (start < s->next || start > UINT64_MAX - PAGE || size > UINT64_MAX - PAGE - start)
		return 0;
	s->next = start + size + PAGE;
	return start;
}

/* Number the functions without address from END on, ascending. Returns the new end. */
static uint64_t gp_synth_invent(struct synth *s, size_t from, size_t to, uint64_t end)
{
	uint64_t addr = end;

	for (size_t i = from; i < to; i++) {
		struct spot *one = &s->spot.p[i];

		if (i > from && one->func_row == one[-1].func_row) {
			one->addr = one[-1].addr;
			continue;
		}
		one->addr = addr++;
		s->w->invented++;
	}
	return addr;
}

/* Whether the spots [FROM, TO), of one path, are at virtual addresses; those that nobody says
 * anything of are. */
static bool are_virtual(struct synth *s, size_t from, size_t to)
{
	const struct as_profile *prof = s->w->prof;
	size_t offsets = 0, n = 0;
	bool is_virtual;

	for (size_t i = from; i < to; i++) {
		const struct spot *one = &s->spot.p[i];

		const struct as_object_row *o = &prof->object.p[gp_object(prof, one->place).i];

		n += one->has_addr;
		offsets += one->has_addr && o->addr_kind == AS_ADDR_FILE_OFFSET;
	}
	if (!n)
		return false;
	is_virtual = !offsets && !as_slice_is(s->spot.p[from].object, AS_MAP_UNKNOWN);
	as_losses_add(s->w->wr->losses, "addresses", is_virtual || (offsets && offsets < n),
		is_virtual ? "object{|s} with offsets: {it has|they have} virtual addresses, which "
			     "only assay "
			     "tells from offsets"
			   : "object{|s} with addresses of two kinds, which are not told apart any "
			     "more");
	return is_virtual;
}

/* The spots [FROM, TO) of one object. */
static enum as_code place_object(struct synth *s, size_t from, size_t to, bool is_virtual)
{
	struct as_gp_write *w = s->w;
	struct as_gp_synth map = {
		.path = s->spot.p[from].object, .id = s->spot.p[from].id, .is_virtual = is_virtual};
	size_t known = from;
	uint64_t end = 1, size;

	while (known < to && s->spot.p[known].has_addr)
		known++;
	if (known > from) {
		map.offset = s->spot.p[from].addr / PAGE * PAGE;
		end = s->spot.p[known - 1].addr;
		if (end >= UINT64_MAX - 2 * PAGE - (to - known))
			return too_high(w, map.path);
		end++;
	}
	if (known < to && known > from)
		end = (end / PAGE + 1) * PAGE;
	end = gp_synth_invent(s, known, to, end);
	size = (end - map.offset + PAGE - 1) / PAGE * PAGE;
	map.start = find_room(s, size);
	map.limit = map.start + size;
	if (!map.start)
		return too_high(w, map.path);
	for (size_t i = from; i < to; i++) {
		w->pc[s->spot.p[i].place] = s->spot.p[i].addr - map.offset + map.start;
		w->named[gp_object(w->prof, s->spot.p[i].place).i] |= as_slice_is_hex(map.id);
	}
	return as_err_memory(w->wr->err, as_vec_push(w->al, &w->synth, map));
}

/* The spots [FROM, TO) of one path: builds of it are objects of their own. */
static enum as_code place_path(struct synth *s, size_t from, size_t to)
{
	bool is_virtual = are_virtual(s, from, to);

	for (size_t i = from + 1; i <= to; i++) {
		if (i < to && as_slice_eq(s->spot.p[i].id, s->spot.p[from].id))
			continue;
		AS_TRY(place_object(s, from, i, is_virtual));
		from = i;
	}
	return AS_OK;
}

static int cmp_page(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	int c = as_cmp_u64(x->addr, y->addr);

	return c ? c : as_slice_cmp(x->object, y->object);
}

/* A mapping for each stretch of pages of one object. */
static enum as_code place_pages(struct synth *s)
{
	struct as_gp_write *w = s->w;

	if (s->page.n)
		qsort(s->page.p, s->page.n, sizeof(*s->page.p), cmp_page);
	for (size_t i = 0; i < s->page.n; i++) {
		const struct page *page = &s->page.p[i], *last = i ? page - 1 : NULL;
		struct as_gp_synth map = {
			.path = page->object, .start = page->addr, .limit = page->addr + PAGE};

		if (page->addr > UINT64_MAX - PAGE)
			return too_high(w, page->object);
		if (last && last->addr == page->addr) { /* of another run */
			as_losses_add(w->wr->losses, "objects",
				!as_slice_eq(last->object, page->object),
				"object{|s} of memory that two of them were in");
			s->page.p[i].object = last->object;
		} else if (last && last->addr + PAGE == page->addr &&
			   as_slice_eq(last->object, page->object)) {
			w->synth.p[w->synth.n - 1].limit += PAGE;
		} else if (!as_vec_push(w->al, &w->synth, map)) {
			return as_err_no_memory(w->wr->err);
		}
	}
	return AS_OK;
}

/* A name that would break its line, or that reads as the beginning of a header. */
static bool is_bad_path(struct as_slice path)
{
	return as_slice_has(path, '\n') || as_slice_has(path, 0);
}

static enum as_code bad_path(struct synth *s, struct as_slice path)
{
	return as_err_set(s->w->wr->err, AS_E_LIMIT,
		"the object '%.*s' has an end of line or a NUL in its name", AS_SLICE_FMT(path));
}

static enum as_code place_all(struct synth *s)
{
	size_t from = 0;

	AS_TRY(as_err_memory(s->w->wr->err, sort_out(s)));
	for (size_t i = 1; i <= s->spot.n; i++) {
		if (i < s->spot.n && as_slice_eq(s->spot.p[i].object, s->spot.p[from].object))
			continue;
		if (is_bad_path(s->spot.p[from].object))
			return bad_path(s, s->spot.p[from].object);
		AS_TRY(place_path(s, from, i));
		from = i;
	}
	for (size_t i = 0; i < s->page.n; i++)
		if (is_bad_path(s->page.p[i].object))
			return bad_path(s, s->page.p[i].object);
	return AS_OK;
}

enum as_code as_gp_plan_synth(struct as_gp_write *w)
{
	struct synth s = {.w = w, .next = FIRST};

	AS_TRY(place_all(&s));
	return place_pages(&s);
}
