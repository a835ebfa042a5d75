/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbol_spots.h"

#include "base/sort.h"
#include "model/chains.h"

/* The address of code of FUNC if it is nameless, else 0. */
static uint64_t symbol_spots_address(const struct as_profile *prof, as_func func, uint64_t addr)
{
	if (prof->func.name.p[func.i].i)
		return 0;
	return addr ? addr : prof->func.addr.p[func.i];
}

/* Functions of Callgrind's that are called by their addresses, be it in no object. */
static bool func_spot(const struct as_profile *prof, as_func f, struct as_spot *out)
{
	struct as_slice level;
	struct as_slice name = as_name_cut_level(as_func_name(prof, f), &level);

	out->object = prof->func.object.p[f.i].i;
	return as_name_is_address(name, &out->addr) && out->addr;
}

static bool place_spot(const struct as_profile *prof, size_t place, struct as_spot *out)
{
	as_func f = prof->place.func.p[place];

	as_assert(place < prof->place.func.n);
	out->object = prof->func.object.p[f.i].i;
	out->addr = symbol_spots_address(prof, f, prof->place.addr.p[place]);
	return out->addr;
}

/* ---- which objects have some ---- */

static bool has_address(struct as_rows_cur *cur, const struct as_profile *prof, as_func func)
{
	while (as_rows_next(cur))
		if (symbol_spots_address(prof, func, cur->addr))
			return true;
	return false;
}

bool as_spots_begin(struct as_spots *s, const struct as_profile *prof, const struct as_alloc *al)
{
	const struct as_rows *rows = &prof->self;
	struct as_rows_cur cur;
	struct as_spot one;
	as_val *v;

	*s = (struct as_spots){.prof = prof, .al = al};
	if (!as_alloc_array(al, &s->of, prof->object.n) || !as_alloc_array(al, &v, rows->width))
		return false;
	for (size_t i = 1; i < prof->place.func.n; i++)
		if (place_spot(prof, i, &one))
			s->of[one.object].most++;
	for (uint32_t f = 1; f < prof->func.name.n; f++)
		if (func_spot(prof, (as_func){f}, &one))
			s->of[one.object].most++;
	for (size_t i = 0; i < rows->run.n; i++) {
		const struct as_run *run = &rows->run.p[i];

		if (prof->func.name.p[run->func.i].i)
			continue;
		as_rows_begin(&cur, rows, run, v);
		if (has_address(&cur, prof, run->func))
			s->of[prof->func.object.p[run->func.i].i].most += run->n;
	}
	return true;
}

bool as_spots_any(const struct as_spots *s)
{
	for (size_t i = 0; i < s->prof->object.n; i++)
		if (s->of[i].most)
			return true;
	return false;
}

/* ---- what they are ---- */

/* False where an address that is only counted may have been counted before. */
static bool symbol_spots_add(struct as_spots *s, struct as_spot one)
{
	struct as_spots_of *of = &s->of[one.object];
	size_t n = s->row.n;

	if (of->counted) {
		if (of->n && one.addr < of->last)
			return false;
		of->n += !of->n || one.addr > of->last;
		of->last = one.addr;
	} else if (!n || s->row.p[n - 1].addr != one.addr || s->row.p[n - 1].object != one.object) {
		as_assert(n < s->row.cap);
		s->row.p[s->row.n++] = one;
	}
	return true;
}

/* V: room for a row. */
static bool symbol_spots_add_rows(struct as_spots *s, as_val *v)
{
	const struct as_rows *rows = &s->prof->self;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		const struct as_run *run = &rows->run.p[i];
		struct as_spot one = {.object = s->prof->func.object.p[run->func.i].i};

		if (s->prof->func.name.p[run->func.i].i || !s->of[one.object].most)
			continue;
		as_rows_begin(&cur, rows, run, v);
		while (as_rows_next(&cur)) {
			one.addr = symbol_spots_address(s->prof, run->func, cur.addr);
			if (one.addr && !symbol_spots_add(s, one))
				return false;
		}
	}
	return true;
}

static bool symbol_spots_add_all(struct as_spots *s, as_val *v)
{
	const struct as_profile *prof = s->prof;
	struct as_spot one;

	for (size_t i = 1; i < prof->place.func.n; i++)
		if (place_spot(prof, i, &one) && !symbol_spots_add(s, one))
			return false;
	for (uint32_t f = 1; f < prof->func.name.n; f++)
		if (func_spot(prof, (as_func){f}, &one) && !symbol_spots_add(s, one))
			return false;
	return symbol_spots_add_rows(s, v);
}

static bool symbol_spots_sorted(const struct as_spot *spot, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (spot[i - 1].object > spot[i].object ||
			(spot[i - 1].object == spot[i].object && spot[i - 1].addr > spot[i].addr))
			return false;
	return true;
}

/* Object by object, and by address in each. */
static bool symbol_spots_sort(struct as_spots *s)
{
	size_t n = s->row.n;
	struct as_spot *spot = s->row.p, *sorted;
	uint64_t *key;
	uint32_t *row;

	if (symbol_spots_sorted(spot, n))
		return true;
	if (!as_alloc_array(s->al, &key, n) || !as_alloc_array(s->al, &row, n) ||
		!as_alloc_array(s->al, &sorted, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		key[i] = spot[i].addr;
		row[i] = (uint32_t)i;
	}
	if (!as_sort_keys(s->al, key, row, n))
		return false;
	for (size_t i = 0; i < n; i++)
		key[i] = spot[row[i]].object;
	if (!as_sort_keys(s->al, key, row, n))
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = spot[row[i]];
	memcpy(spot, sorted, n * sizeof(*spot));
	return true;
}

/* Room for all that are kept, and none yet. */
static bool symbol_spots_start(struct as_spots *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->prof->object.n; i++) {
		s->of[i].n = 0;
		n += s->of[i].counted ? 0 : s->of[i].most;
	}
	s->row.n = 0;
	return as_vec_reserve(s->al, &s->row, n);
}

/* Addresses that are only counted must come in order; where they do not all are kept. */
bool as_spots_find(struct as_spots *s)
{
	size_t n = 0;
	as_val *v;

	if (!as_alloc_array(s->al, &v, s->prof->self.width) || !symbol_spots_start(s))
		return false;
	if (!symbol_spots_add_all(s, v)) {
		for (size_t i = 0; i < s->prof->object.n; i++)
			s->of[i].counted = false;
		if (!symbol_spots_start(s) || !symbol_spots_add_all(s, v))
			return false;
	}
	if (!symbol_spots_sort(s))
		return false;
	for (size_t i = 0; i < s->row.n; i++) {
		struct as_spot one = s->row.p[i];

		if (n && s->row.p[n - 1].object == one.object && s->row.p[n - 1].addr == one.addr)
			continue;
		s->row.p[n++] = one;
		s->of[one.object].n++;
	}
	s->row.n = n;
	return true;
}
