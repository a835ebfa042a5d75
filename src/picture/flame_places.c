/* SPDX-License-Identifier: Apache-2.0 */
/* Places have no callers: objects are below, and on each stand its functions. */
#include "base/sort.h"
#include "formats/format.h"
#include "picture/flame_impl.h"
#include "report/kit/show.h"

struct order {
	const struct as_table *t;
	uint32_t *row;  /* by object, the most expensive first of both */
	as_val *object; /* self cost of each object */
	uint32_t event;
};

static as_val flame_places_cost_of(const struct order *o, uint32_t row)
{
	return o->t->self[(size_t)row * o->t->n_events + o->event];
}

static const struct as_key *flame_places_key_of(const struct as_flame *f, size_t box)
{
	return &((const struct as_flame_places *)f->of)->table->key[f->box.p[box].row];
}

static struct as_slice flame_places_place_name(
	const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_places *p = f->of;
	struct as_slice path;

	if (f->box.p[box].kind == AS_FLAME_FUNC)
		return as_view_name(ar, as_view_row(p->table, (uint32_t)f->box.p[box].row));
	path = as_base_name(as_object_path(f->prof, flame_places_key_of(f, box)->object));
	return path.len ? as_show_clean(ar, path) : as_slice_of("[unknown]");
}

static uint32_t place_func_no(const struct as_flame *f, size_t box)
{
	const struct as_table *t = ((const struct as_flame_places *)f->of)->table;

	if (f->box.p[box].kind == AS_FLAME_FUNC)
		return (uint32_t)f->box.p[box].row;
	return (uint32_t)t->n + flame_places_key_of(f, box)->object.i;
}

static struct as_flame_func flame_places_place_func(const struct as_flame *f, size_t box)
{
	const struct as_flame_places *p = f->of;
	uint32_t row = (uint32_t)f->box.p[box].row;

	if (f->box.p[box].kind == AS_FLAME_FUNC)
		return as_flame_func_of(f, box, as_table_func_name(p->table, row));
	return (struct as_flame_func){.name = as_slice_of(""),
		.file = as_slice_of(""),
		.object = as_object_path(f->prof, flame_places_key_of(f, box)->object)};
}

static struct as_slice place_way(const struct as_flame *f, struct as_arena *ar, bool icicle)
{
	(void)f, (void)ar, (void)icicle;
	return as_slice_of("no calls in this profile: objects, and the functions in them");
}

static const struct as_flame_words place_words = {.title = as_flame_title,
	.way = place_way,
	.name = flame_places_place_name,
	.facts = as_flame_facts,
	.func_no = place_func_no,
	.func = flame_places_place_func,
	.key = flame_places_key_of};

/* ---- boxes ---- */

static int flame_places_cmp_rows(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	uint32_t x = o->t->key[a].object.i, y = o->t->key[b].object.i;

	if (x != y && o->object[x] != o->object[y])
		return o->object[x] > o->object[y] ? -1 : 1;
	return x == y ? 0 : x < y ? -1 : 1;
}

/* What TABLE left out of OBJECT, as one box. */
static struct as_flame_box flame_places_rest(const struct as_table *t, uint32_t object)
{
	struct as_flame_box rest = {.depth = 2, .kind = AS_FLAME_REST};

	for (size_t i = 0; i < t->n_rests; i++)
		if (t->rest[i].object.i == object) {
			rest.cost += t->rest[i].cost;
			rest.row += t->rest[i].n;
		}
	return rest;
}

/* The functions of the object that begins at ORDER's row FROM. */
static enum as_code put_functions(struct as_flame *f, struct as_flame_open *open,
	const struct order *o, size_t from, size_t to, struct as_err *err)
{
	const struct as_flame_places *p = f->of;
	struct as_flame_box rest = flame_places_rest(o->t, o->t->key[o->row[from]].object.i);

	for (size_t i = from; i < to; i++) {
		struct as_flame_box box = {.depth = 2,
			.kind = AS_FLAME_FUNC,
			.row = o->row[i],
			.cost = flame_places_cost_of(o, o->row[i])};

		if (box.cost > 0 && box.cost < p->min) {
			rest.cost += box.cost;
			rest.row++;
		} else {
			AS_TRY(as_flame_put(f, open, box, err));
		}
	}
	return as_flame_put(f, open, rest, err);
}

static enum as_code flame_places_put_objects(
	struct as_flame *f, const struct order *o, struct as_err *err)
{
	struct as_flame_open open[4];

	AS_TRY(as_flame_begin(f, open, err));
	for (size_t i = 0, end; i < o->t->n; i = end) {
		uint32_t object = o->t->key[o->row[i]].object.i;
		struct as_flame_box box = {.depth = 1,
			.kind = AS_FLAME_GROUP,
			.row = o->row[i],
			.cost = o->object[object]};

		for (end = i; end < o->t->n && o->t->key[o->row[end]].object.i == object;)
			end++;
		AS_TRY(as_flame_put(f, open, box, err));
		AS_TRY(put_functions(f, open, o, i, end, err));
	}
	return AS_OK;
}

enum as_code as_flame_of_places(
	struct as_flame *f, const struct as_flame_places *p, struct as_err *err)
{
	const struct as_table *t = p->table;
	const struct as_alloc *al = t->al;
	size_t size = (t->n + 1) * sizeof(uint32_t);
	size_t objects = (t->prof->object.n + 1) * sizeof(as_val);
	struct order o = {.t = t,
		.row = as_alloc_new(al, size),
		.object = as_alloc_new(al, objects),
		.event = p->event};
	enum as_code rc = AS_E_NOMEM;

	as_assert(t->by == AS_BY_FUNC && p->event < t->n_events);
	*f = (struct as_flame){.al = al,
		.words = &place_words,
		.of = p,
		.prof = t->prof,
		.opts = p->opts,
		.event = p->event,
		.partial = t->prof->partial,
		.width = t->total[p->event],
		.total = as_whole(t->prof)[p->event]};
	if (o.row && o.object) {
		as_table_sort(t, t->prof, p->event, false, o.row);
		for (size_t i = 0; i < t->n; i++)
			o.object[t->key[i].object.i] += flame_places_cost_of(&o, (uint32_t)i);
		for (size_t i = 0; i < t->n_rests; i++)
			o.object[t->rest[i].object.i] += t->rest[i].cost;
		if (as_sort_rows(al, o.row, t->n, flame_places_cmp_rows, &o))
			rc = flame_places_put_objects(f, &o, err);
	}
	as_alloc_free(al, o.row, size);
	as_alloc_free(al, o.object, objects);
	return rc == AS_E_NOMEM ? as_err_no_memory(err) : rc;
}
