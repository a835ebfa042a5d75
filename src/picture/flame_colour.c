/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of boxes, and the legend. */
#include "base/sort.h"
#include "diff/stat.h"
#include "picture/flame_impl.h"

struct groups {
	const struct as_flame *f;
	enum as_flame_by by;
	as_val *self;   /* of each group */
	uint32_t *rank; /* groups, the most self cost first; then the place + 1 of each of them */
	size_t n;
};

static bool has_group(const struct as_flame_box *box)
{
	return box->kind == AS_FLAME_FUNC || box->kind == AS_FLAME_GROUP;
}

static int cmp_groups(const void *ctx, uint32_t a, uint32_t b)
{
	const struct groups *g = ctx;

	if (g->self[a] != g->self[b])
		return g->self[a] > g->self[b] ? -1 : 1;
	return as_slice_cmp(
		as_flame_group_name(g->f, a, g->by), as_flame_group_name(g->f, b, g->by));
}

static enum as_code name_groups(struct as_flame *f, const struct groups *g)
{
	for (size_t i = 0; i < g->n && f->group.n < AS_FLAME_GROUPS; i++) {
		struct as_flame_group group = {.self = g->self[g->rank[i]],
			.name = as_flame_group_name(f, g->rank[i], g->by),
			.colour = (uint8_t)(f->group.n + 1)};

		if (!group.self)
			break;
		if (g->rank[i] && !as_vec_push(f->al, &f->group, group))
			return AS_E_NOMEM;
	}
	return AS_OK;
}

static enum as_code by_groups(struct as_flame *f, struct groups *g)
{
	uint32_t *colour = as_alloc_new(f->al, g->n * sizeof(*colour));
	uint8_t next = 0;

	AS_TRY(as_memory(colour));
	for (size_t i = 0; i < f->box.n; i++)
		if (has_group(&f->box.p[i]))
			g->self[as_flame_group_of(f, i, g->by)] += f->box.p[i].self;
	for (size_t i = 0; i < g->n; i++)
		g->rank[i] = (uint32_t)i;
	if (!as_sort_rows(f->al, g->rank, g->n, cmp_groups, g) || name_groups(f, g) != AS_OK) {
		as_alloc_free(f->al, colour, g->n * sizeof(*colour));
		return AS_E_NOMEM;
	}
	for (size_t i = 0; i < g->n && next < f->group.n; i++)
		if (g->rank[i])
			colour[g->rank[i]] = ++next;
	for (size_t i = 0; i < f->box.n; i++)
		if (has_group(&f->box.p[i]))
			f->box.p[i].colour = (uint8_t)colour[as_flame_group_of(f, i, g->by)];
	as_alloc_free(f->al, colour, g->n * sizeof(*colour));
	return AS_OK;
}

static enum as_code colour_groups(struct as_flame *f, enum as_flame_by by)
{
	struct groups g = {.f = f, .by = by, .n = 1};
	enum as_code rc = AS_E_NOMEM;

	for (size_t i = 0; i < f->box.n; i++)
		if (has_group(&f->box.p[i]) && as_flame_group_of(f, i, by) >= g.n)
			g.n = (size_t)as_flame_group_of(f, i, by) + 1;
	g.self = as_alloc_new(f->al, g.n * sizeof(*g.self));
	g.rank = as_alloc_new(f->al, g.n * sizeof(*g.rank));
	if (g.self && g.rank)
		rc = by_groups(f, &g);
	as_alloc_free(f->al, g.self, g.n * sizeof(*g.self));
	as_alloc_free(f->al, g.rank, g.n * sizeof(*g.rank));
	return rc;
}

static uint8_t colour_of_name(struct as_slice name)
{
	uint32_t hash = 2166136261u;

	for (size_t k = 0; k < name.len; k++)
		hash = (hash ^ (unsigned char)name.p[k]) * 16777619u;
	return (uint8_t)(1 + (hash >> 8) % AS_FLAME_GROUPS);
}

/* COLOUR, of each function, is 0 until it is known. */
static enum as_code name_boxes(struct as_flame *f, uint8_t *colour)
{
	struct as_arena ar;
	bool fine = true;

	as_arena_init(&ar, f->al);
	for (size_t i = 0; i < f->box.n && fine; i++) {
		uint8_t *known;

		if (!has_group(&f->box.p[i]))
			continue;
		known = &colour[f->words->func_no(f, i)];
		if (!*known) {
			struct as_slice name = f->words->name(f, &ar, i);

			fine = name.p != NULL;
			*known = fine ? colour_of_name(name) : 0;
		}
		f->box.p[i].colour = *known;
	}
	as_arena_release(&ar);
	return fine ? AS_OK : AS_E_NOMEM;
}

/* The same name has the same colour in every picture. */
static enum as_code colour_names(struct as_flame *f)
{
	size_t n = 1;
	uint8_t *colour;
	enum as_code rc;

	for (size_t i = 0; i < f->box.n; i++)
		if (has_group(&f->box.p[i]) && f->words->func_no(f, i) >= n)
			n = (size_t)f->words->func_no(f, i) + 1;
	colour = as_alloc_new(f->al, n);
	AS_TRY(as_memory(colour));
	rc = name_boxes(f, colour);
	as_alloc_free(f->al, colour, n);
	return rc;
}

static void colour_self(struct as_flame *f)
{
	as_val most = 1;

	for (size_t i = 1; i < f->box.n; i++)
		if (has_group(&f->box.p[i]) && f->box.p[i].self > most)
			most = f->box.p[i].self;
	for (size_t i = 1; i < f->box.n; i++) {
		double heat = as_sqrt((double)f->box.p[i].self / (double)most);

		if (has_group(&f->box.p[i]) && f->box.p[i].self)
			f->box.p[i].colour = (uint8_t)(1 + (AS_FLAME_HEATS - 1) * heat + 0.5);
	}
}

enum as_code as_flame_colours(struct as_flame *f, enum as_flame_by by)
{
	f->by = by;
	f->group.n = 0;
	switch (by) {
	case AS_FLAME_BY_OBJECT:
	case AS_FLAME_BY_FILE:
		return colour_groups(f, by);
	case AS_FLAME_BY_FUNC:
		return colour_names(f);
	case AS_FLAME_BY_SELF:
		colour_self(f);
		return AS_OK;
	default:
		return AS_OK; /* the comparison's layout has given them */
	}
}
