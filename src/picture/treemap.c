/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Squares as good as can be: rows of boxes along the shorter side, each as long as its boxes get
 * more square by one more (M. Bruls, K. Huizing, J. van Wijk, "Squarified Treemaps", 2000).
 */
#include "picture/treemap.h"

#include "base/sort.h"

enum {
	PAD = 2,    /* pixels around what is in a box */
	LABEL = 17, /* above it, for the name of an object or a file */
	LEAST = 3,  /* pixels of a side: smaller ones are gathered */
	COLOURS = 12,
};

struct rect {
	double x, y, w, h;
};

/* Boxes side by side: what shares KEY on a level, rows [from, to) of the order, and with them those
 * that the table has left out. */
struct item {
	as_val cost;
	size_t from, to; /* equal: there are no others */
	uint64_t left;
	uint8_t colour;
	struct rect at;
};

struct maker {
	struct as_treemap *map;
	const struct as_table *t;
	uint32_t *row;  /* the order: by object, file and cost */
	as_val *object; /* cost of each object, which sorts them */
	size_t n;
	struct as_err *err;
};

static as_val treemap_cost_of(const struct maker *m, uint32_t row)
{
	return m->t->self[(size_t)row * m->t->n_events + m->map->opts.event];
}

/* What the table has left out of the object of row I of the order, to IT. */
static void treemap_add_rest(const struct maker *m, size_t i, struct item *it)
{
	for (size_t k = 0; k < m->t->n_rests; k++)
		if (m->t->rest[k].object.i == m->t->key[m->row[i]].object.i) {
			it->cost += m->t->rest[k].cost;
			it->left += m->t->rest[k].n;
		}
}

/* ---- order ---- */

static int by_size(as_val a, as_val b)
{
	return a > b ? -1 : a < b;
}

static int treemap_cmp_rows(const void *ctx, uint32_t a, uint32_t b)
{
	const struct maker *m = ctx;
	const struct as_key *x = &m->t->key[a], *y = &m->t->key[b];
	int c = by_size(m->object[x->object.i], m->object[y->object.i]);

	if (c || x->object.i != y->object.i)
		return c ? c : x->object.i < y->object.i ? -1 : 1;
	if (x->file.i != y->file.i)
		return x->file.i < y->file.i ? -1 : 1;
	return 0; /* as as_table_sort() has them */
}

static enum as_code treemap_put_in_order(struct maker *m)
{
	as_table_sort(m->t, m->t->prof, m->map->opts.event, false, m->row);
	for (size_t i = 0; i < m->t->n; i++) {
		uint32_t row = m->row[i];
		as_val cost = treemap_cost_of(m, row);

		if (m->t->key[row].is_cycle)
			continue;
		if (cost < 0)
			return as_err_set(m->err, AS_E_ARG,
				"a cost is below 0, and no box is as large as that");
		if (!cost)
			continue;
		m->object[m->t->key[row].object.i] += cost;
		m->map->total += cost;
		m->row[m->n++] = row;
	}
	for (size_t k = 0; k < m->t->n_rests; k++) {
		m->object[m->t->rest[k].object.i] += m->t->rest[k].cost;
		m->map->total += m->t->rest[k].cost;
	}
	return as_err_memory(m->err, as_sort_rows(m->map->al, m->row, m->n, treemap_cmp_rows, m));
}

/* ---- squares ---- */

/* How far from a square the worst of N boxes of SUM in all is that stand along SIDE. */
static double treemap_worst(const struct item *it, size_t n, double sum, double side, double scale)
{
	double thick = sum * scale / side, most = 1;

	for (size_t i = 0; i < n; i++) {
		double length = (double)it[i].cost * scale / thick;
		double ratio = length > thick ? length / thick : thick / length;

		most = ratio > most ? ratio : most;
	}
	return most;
}

/* N boxes along the shorter side of R, which loses what they take. */
static void treemap_put_line(struct item *it, size_t n, double sum, double scale, struct rect *r)
{
	bool upright = r->w >= r->h;
	double side = upright ? r->h : r->w, thick = sum * scale / side, at = 0;

	for (size_t i = 0; i < n; i++) {
		double length = (double)it[i].cost * scale / thick;

		it[i].at = upright ? (struct rect){r->x, r->y + at, thick, length}
				   : (struct rect){r->x + at, r->y, length, thick};
		at += length;
	}
	r->x += upright ? thick : 0;
	r->w -= upright ? thick : 0;
	r->y += upright ? 0 : thick;
	r->h -= upright ? 0 : thick;
}

/* Give each of N items, the largest first, its part of R. */
static void treemap_squarify(struct item *it, size_t n, struct rect r)
{
	double total = 0, scale;

	for (size_t i = 0; i < n; i++) {
		total += (double)it[i].cost;
		it[i].at = (struct rect){r.x, r.y, 0, 0};
	}
	scale = total > 0 ? r.w * r.h / total : 0;
	for (size_t i = 0; i < n && r.w > 0 && r.h > 0;) {
		double side = r.w < r.h ? r.w : r.h, sum = (double)it[i].cost;
		size_t k = 1;

		while (i + k < n) {
			double more = sum + (double)it[i + k].cost;

			if (treemap_worst(it + i, k + 1, more, side, scale) >
				treemap_worst(it + i, k, sum, side, scale))
				break;
			sum = more;
			k++;
		}
		treemap_put_line(it + i, k, sum, scale, &r);
		i += k;
	}
}

/* ---- levels ---- */

static bool treemap_same(const struct maker *m, int level, size_t a, size_t b)
{
	const struct as_key *x = &m->t->key[m->row[a]], *y = &m->t->key[m->row[b]];

	return level == AS_TREEMAP_OBJECT ? x->object.i == y->object.i
	       : level == AS_TREEMAP_FILE ? x->file.i == y->file.i
					  : a == b;
}

static size_t count_items(const struct maker *m, int level, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += i == from || !treemap_same(m, level, i - 1, i);
	return n;
}

static void list_items(
	const struct maker *m, int level, size_t from, size_t to, uint8_t colour, struct item *it)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (i == from || !treemap_same(m, level, i - 1, i)) {
			it[n] = (struct item){.from = i, .colour = colour};
			if (level == AS_TREEMAP_OBJECT && n < COLOURS &&
				m->t->key[m->row[i]].object.i)
				it[n].colour = (uint8_t)(n + 1);
			if (level == AS_TREEMAP_OBJECT)
				treemap_add_rest(m, i, &it[n]);
			n++;
		}
		it[n - 1].cost += treemap_cost_of(m, m->row[i]);
		it[n - 1].to = i + 1;
	}
}

static enum as_code treemap_put_box(struct maker *m, const struct item *it, int kind, uint64_t row)
{
	struct as_treemap_box box = {.x = it->at.x,
		.y = it->at.y,
		.w = it->at.w,
		.h = it->at.h,
		.cost = it->cost,
		.row = row,
		.kind = (uint8_t)kind,
		.colour = it->colour};

	return as_vec_push(m->map->al, &m->map->box, box) ? AS_OK : as_err_no_memory(m->err);
}

static enum as_code treemap_fill(
	struct maker *m, int level, size_t from, size_t to, uint8_t colour, struct rect r);

/* The room left for the contents of a box; it has a label only if one fits. */
static struct rect treemap_inside(const struct rect *r)
{
	double edge = r->w > 3 * PAD && r->h > 3 * PAD ? PAD : 0;
	double above = r->h >= 2 * LABEL ? LABEL : edge;

	return (struct rect){r->x + edge, r->y + above, r->w - 2 * edge, r->h - above - edge};
}

static enum as_code treemap_put_item(struct maker *m, const struct item *it, int level)
{
	AS_TRY(treemap_put_box(m, it, level, m->row[it->from]));
	if (level == AS_TREEMAP_FUNC)
		return AS_OK;
	return treemap_fill(m, level + 1, it->from, it->to, it->colour, treemap_inside(&it->at));
}

/* The items of a level in R; from the first that is too small on they are one. */
static enum as_code put_items(struct maker *m, struct item *it, size_t n, int level, struct rect r)
{
	size_t kept = n;

	treemap_squarify(it, n, r);
	for (size_t i = 0; i < n && kept == n; i++)
		if (it[i].at.w < LEAST || it[i].at.h < LEAST || it[i].from == it[i].to)
			kept = i;
	if (kept < n) {
		uint64_t small = it[kept].to - it[kept].from + it[kept].left;

		for (size_t i = kept + 1; i < n; i++) {
			it[kept].cost += it[i].cost;
			small += it[i].to - it[i].from + it[i].left;
		}
		treemap_squarify(it, kept + 1, r);
		AS_TRY(treemap_put_box(m, &it[kept], AS_TREEMAP_SMALL, small));
		m->map->n_small += small;
	}
	for (size_t i = 0; i < kept; i++)
		AS_TRY(treemap_put_item(m, &it[i], level));
	return AS_OK;
}

static int cmp_items(const void *ctx, uint32_t a, uint32_t b)
{
	const struct item *it = ctx;

	return by_size(it[a].cost, it[b].cost);
}

static enum as_code treemap_fill(
	struct maker *m, int level, size_t from, size_t to, uint8_t colour, struct rect r)
{
	size_t n = count_items(m, level, from, to);
	struct item *it, rest = {.colour = colour};
	struct as_arena ar;
	enum as_code rc;

	as_assert(from < to && to <= m->n);
	/* One file, or one whose name nobody knows, need no box of its own. */
	if (level == AS_TREEMAP_FILE && n == 1)
		return treemap_fill(m, level + 1, from, to, colour, r);
	if (level == AS_TREEMAP_FUNC)
		treemap_add_rest(m, from, &rest);
	as_arena_init(&ar, m->map->al);
	it = as_arena_get(&ar, (n + 1) * sizeof(*it));
	if (it) {
		list_items(m, level, from, to, colour, it);
		it[n] = rest;
	}
	rc = it && as_sort_array(m->map->al, it, n, cmp_items, it)
		     ? put_items(m, it, n + (rest.left > 0), level, r)
		     : as_err_no_memory(m->err);
	as_arena_release(&ar);
	return rc;
}

enum as_code as_treemap_make(
	struct as_treemap *map, const struct as_treemap_opts *opts, struct as_err *err)
{
	const struct as_profile *prof = opts->table->prof;
	struct maker m = {.map = map, .t = opts->table, .err = err};
	struct rect all = {0, 0, opts->width, opts->height};
	struct as_arena ar;
	enum as_code rc = AS_OK;

	as_assert(m.t->by == AS_BY_FUNC && opts->event < m.t->n_events);
	*map = (struct as_treemap){.al = opts->table->al, .opts = *opts};
	as_arena_init(&ar, map->al);
	m.row = as_arena_get(&ar, (m.t->n + 1) * sizeof(*m.row));
	m.object = as_arena_get(&ar, (prof->object.n + 1) * sizeof(*m.object));
	if (!m.row || !m.object) {
		rc = as_err_no_memory(m.err);
	} else {
		memset(m.object, 0, (prof->object.n + 1) * sizeof(*m.object));
		rc = treemap_put_in_order(&m);
	}
	if (rc == AS_OK && m.n)
		rc = treemap_fill(&m, AS_TREEMAP_OBJECT, 0, m.n, 0, all);
	as_arena_release(&ar);
	return rc;
}

void as_treemap_release(struct as_treemap *map)
{
	as_vec_free(map->al, &map->box);
}
