/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pprof_nodelets.h"

#include "base/sort.h"
#include "report/pprof_labels.h"

#define NUMBER_KEY "bytes"     /* the only numbers that are drawn */
#define BASE_KEY "pprof::base" /* a mark of pprof's own, which is not */

struct making {
	struct as_pprof_drawn_tags *tags;
	struct as_arena *arena;
	const struct as_profile *prof;
	struct as_slice unit;          /* that numbers are printed in */
	AS_VEC(struct as_slice) group; /* labels of text, from group 1 on */
	struct as_index groups, index;
	AS_VEC(uint32_t) number; /* of tags, part by part */
	AS_VEC(struct as_slice) line;
};

/* Whether L is one that pprof has when it has read it. */
static bool is_text(const struct as_profile *prof, const struct as_label *l)
{
	return as_pprof_is_text(l) && !as_slice_is(as_str_get(prof, l->key), BASE_KEY);
}

static bool is_number(const struct as_profile *prof, const struct as_label *l)
{
	return as_pprof_is_number(l) && as_slice_is(as_str_get(prof, l->key), NUMBER_KEY);
}

static struct as_slice unit_of_numbers(const struct as_profile *prof)
{
	for (size_t i = 0; i < prof->label.n; i++)
		if (is_number(prof, &prof->label.p[i]) && prof->label.p[i].unit.i)
			return as_str_get(prof, prof->label.p[i].unit);
	return as_slice_of(NUMBER_KEY);
}

/* ---- which tags there are ---- */

/* Find or make the tag. */
static bool tag_of(struct making *m, const struct as_pprof_drawn_tag *want)
{
	uint64_t hash = as_hash_mix(as_hash_bytes(want->text.p, want->text.len),
		(uint64_t)want->group << 1 | want->is_number);
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&m->index, hash, &pos, &row)) {
		const struct as_pprof_drawn_tag *t = &m->tags->tag.p[row];

		if (t->group == want->group && t->is_number == want->is_number &&
			as_slice_eq(t->text, want->text))
			return as_vec_push(m->prof->al, &m->number, row);
	}
	row = (uint32_t)m->tags->tag.n;
	return as_index_add(&m->index, hash, row) &&
	       as_vec_push(m->prof->al, &m->tags->tag, *want) &&
	       as_vec_push(m->prof->al, &m->number, row);
}

static bool group_of(struct making *m, struct as_slice text, uint32_t *group)
{
	uint64_t hash = as_hash_bytes(text.p, text.len), pos = AS_INDEX_START;

	while (as_index_find(&m->groups, hash, &pos, group))
		if (as_slice_eq(m->group.p[*group - 1], text))
			return true;
	if (!as_vec_push(m->prof->al, &m->group, text))
		return false;
	*group = (uint32_t)m->group.n;
	return as_index_add(&m->groups, hash, *group);
}

static int cmp_line(const void *ctx, uint32_t i, uint32_t j)
{
	const struct as_slice *line = ctx;

	return as_slice_cmp(line[i], line[j]);
}

/* m->line in order, a line each; p == NULL: out of memory. */
static struct as_slice join_lines(struct making *m)
{
	size_t n = m->line.n, size = 0, at = 0;
	uint32_t *order = as_arena_get(m->arena, n * sizeof(*order));
	char *text;

	for (uint32_t i = 0; order && i < n; i++) {
		order[i] = i;
		size += m->line.p[i].len + 1;
	}
	text = order ? as_arena_get(m->arena, size) : NULL;
	if (!text || !as_sort_rows(m->prof->al, order, n, cmp_line, m->line.p))
		return (struct as_slice){NULL, 0};
	for (size_t i = 0; i < n; i++) {
		struct as_slice line = m->line.p[order[i]];

		memcpy(text + at, line.p, line.len);
		at += line.len;
		text[at++] = '\n';
	}
	return (struct as_slice){text, size - 1};
}

/* All labels of text of a part. */
static bool text_tag(struct making *m, const struct as_label *label, size_t n, uint32_t *group)
{
	struct as_pprof_drawn_tag tag = {0};

	m->line.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct as_slice line;

		if (!is_text(m->prof, &label[i]))
			continue;
		line = as_arena_printf(m->arena, "%.*s:%.*s",
			AS_SLICE_FMT(as_str_get(m->prof, label[i].key)),
			AS_SLICE_FMT(as_str_get(m->prof, label[i].text)));
		if (!line.p || !as_vec_push(m->prof->al, &m->line, line))
			return false;
	}
	*group = 0;
	if (!m->line.n)
		return true;
	tag.text = join_lines(m);
	if (!tag.text.p || !group_of(m, tag.text, group))
		return false;
	tag.group = *group;
	return tag_of(m, &tag);
}

static bool number_tag(struct making *m, const struct as_label *label, uint32_t group)
{
	struct as_pprof_drawn_tag tag = {.group = group, .is_number = true, .value = label->number};
	struct as_pprof_value text;

	as_pprof_format(&text, label->number, m->tags->unit, m->unit);
	tag.text = as_arena_printf(m->arena, "%s%.*s", text.number, AS_SLICE_FMT(text.unit));
	return tag.text.p && tag_of(m, &tag);
}

static bool make_part(struct making *m, uint32_t part)
{
	uint32_t n, group;
	const struct as_label *label = as_part_labels(m->prof, part, &n);

	if (!text_tag(m, label, n, &group))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (is_number(m->prof, &label[i]) && !number_tag(m, &label[i], group))
			return false;
	return true;
}

static bool make(struct making *m)
{
	size_t parts = m->prof->part.n;
	uint32_t *first = as_arena_get(m->arena, (parts + 1) * sizeof(*first)), *tag;

	if (!first)
		return false;
	for (uint32_t i = 0; i < parts; i++) {
		first[i] = (uint32_t)m->number.n;
		if (!make_part(m, i))
			return false;
	}
	first[parts] = (uint32_t)m->number.n;
	tag = as_arena_get(m->arena, (m->number.n + 1) * sizeof(*tag));
	if (!tag)
		return false;
	if (m->number.n)
		memcpy(tag, m->number.p, m->number.n * sizeof(*tag));
	m->tags->part = (struct as_pg_tags){first, tag};
	return true;
}

bool as_pprof_drawn_tags_make(struct as_pprof_drawn_tags *tags, struct as_arena *arena,
	const struct as_profile *prof, struct as_slice unit)
{
	struct making m = {.tags = tags, .arena = arena, .prof = prof, .unit = unit};
	bool fine;

	*tags = (struct as_pprof_drawn_tags){.unit = unit_of_numbers(prof)};
	as_index_init(&m.groups, prof->al);
	as_index_init(&m.index, prof->al);
	fine = make(&m);
	as_index_release(&m.groups);
	as_index_release(&m.index);
	as_vec_free(prof->al, &m.group);
	as_vec_free(prof->al, &m.number);
	as_vec_free(prof->al, &m.line);
	return fine;
}

void as_pprof_drawn_tags_release(struct as_pprof_drawn_tags *tags, const struct as_profile *prof)
{
	as_vec_free(prof->al, &tags->tag);
}

/* ---- at a node ---- */

static as_val absolute(as_val v)
{
	return v < 0 ? -v : v;
}

static bool comes_before(
	const struct as_pprof_nodelet *a, const struct as_pprof_nodelet *b, bool flat)
{
	if (!flat && absolute(a->cum) != absolute(b->cum))
		return absolute(a->cum) > absolute(b->cum);
	if (absolute(a->flat) != absolute(b->flat))
		return absolute(a->flat) > absolute(b->flat);
	return as_slice_cmp(a->text, b->text) < 0;
}

/* Only the first are looked at one by one, so that many labels do not take long. */
size_t as_pprof_first_nodelets(struct as_pprof_nodelet *all, size_t n, bool flat)
{
	size_t first = n < AS_PPROF_NODELETS ? n : AS_PPROF_NODELETS;

	for (size_t i = 0; i < first; i++)
		for (size_t k = i + 1; k < n; k++)
			if (comes_before(&all[k], &all[i], flat)) {
				struct as_pprof_nodelet t = all[i];

				all[i] = all[k];
				all[k] = t;
			}
	return first;
}

struct range {
	int64_t min, max;
	as_val flat, cum, flat_div, cum_div;
	bool several;
};

static double distance(int64_t a, int64_t b)
{
	double d = (double)a - (double)b;

	return d < 0 ? -d : d;
}

static struct as_slice range_text(struct as_arena *ar, const struct range *r, struct as_slice unit)
{
	struct as_pprof_value min, max;

	as_pprof_format(&min, r->min, unit, as_slice_of("auto"));
	as_pprof_format(&max, r->max, unit, as_slice_of("auto"));
	if (!r->several)
		return as_arena_printf(ar, "%s%.*s", min.number, AS_SLICE_FMT(min.unit));
	return as_arena_printf(ar, "%s%.*s..%s%.*s", min.number, AS_SLICE_FMT(min.unit), max.number,
		AS_SLICE_FMT(max.unit));
}

size_t as_pprof_ranges(struct as_arena *ar, struct as_pprof_nodelet *all, size_t n, bool flat,
	struct as_slice unit)
{
	size_t first = as_pprof_first_nodelets(all, n, flat);
	struct range range[AS_PPROF_NODELETS] = {{0}};

	if (n <= first)
		return n;
	for (size_t i = 0; i < first; i++)
		range[i] = (struct range){all[i].value, all[i].value, all[i].flat, all[i].cum,
			all[i].flat_div, all[i].cum_div, false};
	for (size_t k = first; k < n; k++) {
		size_t near = 0;
		struct range *r;

		for (size_t i = 1; i < first; i++)
			if (distance(all[i].value, all[k].value) <
				distance(all[near].value, all[k].value))
				near = i;
		r = &range[near];
		r->min = all[k].value < r->min ? all[k].value : r->min;
		r->max = all[k].value > r->max ? all[k].value : r->max;
		r->flat += all[k].flat;
		r->cum += all[k].cum;
		r->flat_div += all[k].flat_div;
		r->cum_div += all[k].cum_div;
		r->several = true;
	}
	for (size_t i = 0; i < first; i++)
		all[i] = (struct as_pprof_nodelet){.text = range_text(ar, &range[i], unit),
			.flat = as_pg_mean(range[i].flat, range[i].flat_div),
			.cum = as_pg_mean(range[i].cum, range[i].cum_div)};
	return as_pprof_first_nodelets(all, first, flat);
}
