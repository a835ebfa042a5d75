/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples in sections, by the mappings that they end in, so that who asks for one image need not
 * undo the others. Mappings that have few samples share a section: each is compressed alone. A
 * location that one section needs stands in it, others behind all.
 */
#include "formats/pprof/pprof_write.h"

enum { SECTIONS_ABOUT = 400 /* at most twice as many */ };
#define SEVERAL UINT32_MAX

/* The mapping that sample I of the order ends in, 0 = none. */
static uint32_t sections_map_of(const struct as_pb_write *w, uint32_t sample)
{
	uint32_t stack = w->plan.sample.p[sample].stack;

	return stack ? as_plan_outer(&w->plan, w->plan.stack.label.p[stack])->map : 0;
}

/* COUNT is of the samples of each mapping. */
static enum as_code sections_of_maps(struct as_pb_write *w, const size_t *count)
{
	size_t n_maps = w->plan.maps.map.n + 1, least = w->plan.sample.n / SECTIONS_ABOUT;
	size_t first = 0, few = SIZE_MAX; /* the section of those that have few */

	least = least > w->wr->sections ? least : w->wr->sections;
	for (size_t m = 0; m < n_maps; m++) {
		size_t to = w->section.n;

		if (count[m] && count[m] < least && few != SIZE_MAX)
			to = few;
		if (count[m] && to == w->section.n &&
			!as_vec_push(w->al, &w->section, (struct as_pb_part){0}))
			return as_err_no_memory(w->wr->err);
		if (!as_vec_push(w->al, &w->map_section, count[m] ? (uint32_t)to + 1 : 0))
			return as_err_no_memory(w->wr->err);
		if (!count[m])
			continue;
		w->section.p[to].end += count[m];
		if (count[m] < least)
			few = w->section.p[to].end < least ? to : SIZE_MAX;
	}
	for (size_t i = 0; i < w->section.n; i++) {
		size_t n = w->section.p[i].end;

		w->section.p[i] = (struct as_pb_part){first, first};
		first += n;
	}
	return AS_OK;
}

/* Which samples stand where. */
static enum as_code sections_of_samples(struct as_pb_write *w)
{
	size_t n = w->plan.sample.n, n_maps = w->plan.maps.map.n + 1;
	const uint32_t *before = w->order;
	size_t *count;
	uint32_t *order;

	AS_TRY(as_err_memory(w->wr->err,
		as_alloc_array(w->al, &count, n_maps) && as_alloc_array(w->al, &order, n)));
	for (size_t i = 0; i < n; i++)
		count[sections_map_of(w, before[i])]++;
	AS_TRY(sections_of_maps(w, count));
	for (size_t i = 0; i < n; i++) {
		uint32_t section = w->map_section.p[sections_map_of(w, before[i])] - 1;

		order[w->section.p[section].end++] = before[i];
	}
	w->order = order;
	return AS_OK;
}

/* The locations of all stacks of section I, each stack once: SEEN has the last section that did. */
static void sections_mark(struct as_pb_write *w, uint32_t i, uint32_t *seen)
{
	const struct as_plan *plan = &w->plan;

	for (size_t k = w->section.p[i].first; k < w->section.p[i].end; k++)
		for (uint32_t s = plan->sample.p[w->order[k]].stack; s && seen[s] != i + 1;
			s = plan->stack.parent.p[s]) {
			uint32_t *of = &w->loc_section[plan->stack.label.p[s]];

			seen[s] = i + 1;
			*of = *of && *of != i + 1 ? SEVERAL : i + 1;
		}
}

/* Whether a location has an address that its mapping does not tell: readers then take all addresses
 * of the mapping for others, and need all of them to know. */
static bool sections_are_odd(const struct as_pb_write *w)
{
	for (uint32_t i = 1; i < w->plan.loc.parent.n; i++) {
		const struct as_plan_frame *f = as_plan_outer(&w->plan, i);
		const struct as_map *m = f->map ? &w->plan.maps.map.p[f->map - 1] : NULL;

		if (w->plan.loc_id[i] && m && f->addr &&
			(f->addr < m->start || f->addr >= m->limit ||
				f->addr - m->start + m->offset == 0))
			return true;
	}
	return false;
}

enum as_code as_pb_plan_sections(struct as_pb_write *w)
{
	uint32_t *seen;

	AS_TRY(sections_of_samples(w));
	AS_TRY(as_err_memory(
		w->wr->err, as_alloc_array(w->al, &seen, w->plan.stack.parent.n) &&
				    as_alloc_array(w->al, &w->loc_section, w->plan.loc.parent.n)));
	for (uint32_t i = 0; i < w->section.n; i++)
		sections_mark(w, i, seen);
	for (size_t i = 0; i < w->plan.loc.parent.n; i++)
		if (w->loc_section[i] == SEVERAL)
			w->loc_section[i] = 0;
	return AS_OK;
}

/* What section I adds up to, to w->list, and the number of its samples. False: it is beyond the
 * format. */
static bool sections_add_up(struct as_pb_write *w, uint32_t i, uint64_t *n)
{
	const struct as_pb_part *s = &w->section.p[i];
	size_t types = w->prof->event.n + (w->scale != 0);

	*n = 0;
	w->list.n = 0;
	for (size_t k = s->first; k < s->end; k = as_pb_end_of_one(w, k))
		++*n;
	for (size_t k = 0; k < types; k++) {
		as_val v = as_pb_value_of(w, s->first, s->end, k);

		if (v < INT64_MIN || v > INT64_MAX)
			return false;
		if (!as_vec_push(w->al, &w->list, (uint64_t)(int64_t)v))
			w->front.no_memory = true;
	}
	return true;
}

static bool pb_write_sections_put(struct as_pb_write *w, uint32_t i)
{
	uint64_t n;

	w->sub.data.n = 0;
	if (!sections_add_up(w, i, &n))
		return false;
	as_pb_put_number(&w->sub, PB_SECTION_SAMPLES, n);
	as_pb_put_packed(&w->sub, PB_SECTION_TOTAL, w->list.p, w->list.n);
	w->list.n = 0;
	for (size_t m = 0; m < w->map_section.n; m++)
		if (w->map_section.p[m] == i + 1 && !as_vec_push(w->al, &w->list, m))
			w->front.no_memory = true;
	as_pb_put_packed(&w->sub, PB_SECTION_MAP, w->list.p, w->list.n);
	as_pb_put_bytes(&w->front, PB_OWN_SECTION, as_pb_bytes(&w->sub));
	return true;
}

bool as_pb_put_sections(struct as_pb_write *w)
{
	if (sections_are_odd(w))
		return false;
	for (uint32_t i = 0; i < w->section.n; i++)
		if (!pb_write_sections_put(w, i))
			return false;
	return true;
}
