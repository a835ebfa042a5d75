/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples in sections, by the mappings that they end in, so that who asks for one image need not
 * undo the others. Mappings that have few samples share a section: each is compressed alone.
 */
#include "formats/pprof/pprof_write.h"

enum { SECTIONS_ABOUT = 400 /* at most twice as many */ };

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

		w->section.p[i] = (struct as_pb_part){.first = first, .end = first};
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

/* What section I adds up to, and the number of its samples, to their arrays. False: a cost is
 * beyond the format. */
static bool sections_add_up(struct as_pb_write *w, uint32_t i)
{
	struct as_pb_part *s = &w->section.p[i];
	size_t types = w->prof->event.n + (w->scale != 0);

	for (size_t k = s->first; k < s->end; k = as_pb_end_of_one(w, k))
		s->n++;
	for (size_t k = 0; k < types; k++) {
		as_val v = as_pb_value_of(w, s->first, s->end, k);

		if (v < INT64_MIN || v > INT64_MAX)
			return false;
		if (!as_vec_push(w->al, &w->section_total, (uint64_t)(int64_t)v))
			w->front.no_memory = true;
	}
	return true;
}

enum as_code as_pb_plan_sections(struct as_pb_write *w, bool *will_do)
{
	*will_do = !sections_are_odd(w);
	if (!*will_do)
		return AS_OK;
	AS_TRY(sections_of_samples(w));
	for (uint32_t i = 0; i < w->section.n && *will_do; i++)
		*will_do = sections_add_up(w, i);
	return *will_do ? as_pb_plan_tables(w) : AS_OK;
}

static void sections_put_list(struct as_pb_write *w, uint32_t field)
{
	as_pb_put_packed(&w->sub, field, w->list.p, w->list.n);
	w->list.n = 0;
}

/* Of section I of samples what it adds up to; tables cost nothing. */
static void sections_put_total(struct as_pb_write *w, uint32_t i)
{
	size_t types = w->prof->event.n + (w->scale != 0);

	for (size_t k = 0; k < types; k++) {
		uint64_t v = i < w->section.n ? w->section_total.p[i * types + k] : 0;

		if (!as_vec_push(w->al, &w->list, v))
			w->front.no_memory = true;
	}
	sections_put_list(w, PB_SECTION_TOTAL);
}

static void sections_put_maps(struct as_pb_write *w, uint32_t i)
{
	for (size_t m = 0; m < w->map_section.n; m++)
		if (w->map_section.p[m] == i + 1 && !as_vec_push(w->al, &w->list, m))
			w->front.no_memory = true;
	sections_put_list(w, PB_SECTION_MAP);
}

static void sections_put_needs(struct as_pb_write *w, uint32_t i)
{
	for (uint32_t t = 0; t < w->n_tables; t++)
		if (as_pb_needs_table(w, i, t) &&
			!as_vec_push(w->al, &w->list, w->section.n + t + 1))
			w->front.no_memory = true;
	sections_put_list(w, PB_SECTION_TABLE);
}

void as_pb_put_sections(struct as_pb_write *w)
{
	w->list.n = 0;
	for (uint32_t i = 0; i < w->section.n + w->n_tables; i++) {
		w->sub.data.n = 0;
		if (i < w->section.n)
			as_pb_put_number(&w->sub, PB_SECTION_SAMPLES, w->section.p[i].n);
		sections_put_total(w, i);
		if (i < w->section.n) {
			sections_put_maps(w, i);
			sections_put_needs(w, i);
		}
		as_pb_put_number(&w->sub, PB_SECTION_STR, w->str_end.p[i + 1] - w->str_end.p[i]);
		as_pb_put_bytes(&w->front, PB_OWN_SECTION, as_pb_bytes(&w->sub));
	}
}
