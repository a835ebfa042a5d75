/* SPDX-License-Identifier: Apache-2.0 */
/* From rows of call paths to boxes. */
#include "picture/flame_impl.h"

void as_flame_release(struct as_flame *f)
{
	as_vec_free(f->al, &f->box);
	as_vec_free(f->al, &f->group);
	as_vec_free(f->al, &f->strip);
}

static enum as_code flame_layout_push(
	struct as_flame *f, const struct as_flame_box *box, struct as_err *err)
{
	return as_vec_push(f->al, &f->box, *box) ? AS_OK : as_err_no_memory(err);
}

static enum as_code below_zero(struct as_err *err)
{
	return as_err_set(err, AS_E_ARG, "a cost is below 0, and no box is as wide as that");
}

enum as_code as_flame_begin(struct as_flame *f, struct as_flame_open *open, struct as_err *err)
{
	struct as_flame_box root = {.cost = f->width, .width = f->width, .self = f->width};

	if (f->width < 0)
		return below_zero(err);
	open[0] = (struct as_flame_open){0, 0, f->width};
	return flame_layout_push(f, &root, err);
}

#define NO_BOX SIZE_MAX /* what costs nothing is not drawn */

enum as_code as_flame_put(
	struct as_flame *f, struct as_flame_open *open, struct as_flame_box box, struct as_err *err)
{
	struct as_flame_open *below = &open[box.depth - 1];
	as_val room = below->end - below->next;

	as_assert(box.depth); /* the root is there */
	if (box.cost < 0)
		return below_zero(err);
	if (below->box == NO_BOX)
		box.cost = 0; /* it costs something, and a sister as much less than nothing */
	box.at = below->next;
	box.width = box.cost < room ? box.cost : room;
	box.self = box.width;
	open[box.depth] =
		(struct as_flame_open){box.cost ? f->box.n : NO_BOX, box.at, box.at + box.width};
	if (!box.cost)
		return AS_OK;
	below->next += box.width;
	f->box.p[below->box].self -= box.width;
	f->depth = box.depth > f->depth ? box.depth : f->depth;
	f->estimated |= box.estimated;
	if (box.kind == AS_FLAME_REST)
		*(as_flame_is_deep(f, &box) ? &f->n_deep : &f->n_small) += box.row;
	return flame_layout_push(f, &box, err);
}

/* ---- paths ---- */

static const struct as_key *path_key(const struct as_flame *f, size_t box)
{
	const struct as_tree_view *v = ((const struct as_flame_paths *)f->of)->view;

	as_assert(f->box.p[box].row < v->row.n);
	return &v->ct->key.p[v->row.p[f->box.p[box].row].key];
}

static struct as_slice path_name(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_tree_view *v = ((const struct as_flame_paths *)f->of)->view;
	const struct as_key *key = path_key(f, box);
	struct as_slice name = as_calltree_name(v->ct, v->row.p[f->box.p[box].row].key);

	return as_view_name(ar, as_view_func(v->ct->prof, name, key));
}

static struct as_slice path_facts(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_paths *p = f->of;
	struct as_slice facts = as_flame_facts(f, ar, box);
	const struct as_tree_row *row;
	as_val self;

	if (f->box.p[box].kind != AS_FLAME_FUNC || f->way != AS_TREE_CALLEES)
		return facts;
	row = &p->view->row.p[f->box.p[box].row];
	self = p->view->value.p[row->cost + p->view->ct->e + p->event];
	if (self == f->box.p[box].cost)
		return facts;
	return as_flame_add_self(f, ar, facts, self, row->evidence != AS_TREE_EXACT && !row->idle);
}

static uint32_t path_func_no(const struct as_flame *f, size_t box)
{
	return ((const struct as_flame_paths *)f->of)->view->row.p[f->box.p[box].row].key;
}

static struct as_flame_func path_func(const struct as_flame *f, size_t box)
{
	const struct as_tree_view *v = ((const struct as_flame_paths *)f->of)->view;

	return as_flame_func_of(f, box, as_calltree_name(v->ct, path_func_no(f, box)));
}

static struct as_slice path_way(const struct as_flame *f, struct as_arena *ar, bool icicle)
{
	static const char *const cost[] = {[AS_TREE_CALLEES] = "",
		[AS_TREE_CALLERS] = "inclusive cost, by who called; ",
		[AS_TREE_BOTTOM_UP] = "self cost; "};
	bool up = f->way == AS_TREE_CALLEES ? !icicle : icicle;

	return as_arena_printf(
		ar, "%scallers are %s what they called", cost[f->way], up ? "below" : "above");
}

static const struct as_flame_words path_words = {.title = as_flame_title,
	.way = path_way,
	.name = path_name,
	.facts = path_facts,
	.func_no = path_func_no,
	.func = path_func,
	.key = path_key};

static struct as_flame_box box_of(const struct as_flame_paths *p, size_t i)
{
	static const enum as_flame_kind kind[] = {AS_FLAME_FUNC, AS_FLAME_REST, AS_FLAME_ENTRY};
	const struct as_tree_row *row = &p->view->row.p[i];

	return (struct as_flame_box){.depth = row->depth + 1,
		.row = row->kind == AS_TREE_REST ? row->n : i,
		.cost = p->view->value.p[row->cost + p->event],
		.kind = (uint8_t)kind[row->kind],
		.estimated = row->evidence == AS_TREE_ESTIMATED,
		.recursive = row->again};
}

static size_t flame_layout_levels_of(const struct as_tree_view *v)
{
	uint32_t depth = 0;

	for (size_t i = 0; i < v->row.n; i++)
		depth = v->row.p[i].depth > depth ? v->row.p[i].depth : depth;
	return (size_t)depth + 2;
}

/* Lays out the children of the root. */
static as_val width_of(const struct as_flame_paths *p)
{
	as_val sum = 0;

	if (!p->alone)
		return p->prof->total[p->event];
	for (size_t i = 0; i < p->view->row.n; i++)
		if (!p->view->row.p[i].depth)
			sum += p->view->value.p[p->view->row.p[i].cost + p->event];
	return sum;
}

enum as_code as_flame_of_paths(
	struct as_flame *f, const struct as_flame_paths *p, struct as_err *err)
{
	size_t size = flame_layout_levels_of(p->view) * sizeof(struct as_flame_open);
	struct as_flame_open *open = as_alloc_new(p->prof->al, size);
	enum as_code rc;

	*f = (struct as_flame){.al = p->prof->al,
		.words = &path_words,
		.of = p,
		.prof = p->prof,
		.opts = p->opts,
		.event = p->event,
		.levels = p->depth,
		.way = p->view->way,
		.partial = p->prof->partial,
		.width = width_of(p),
		.total = as_whole(p->prof)[p->event]};
	AS_TRY(as_err_memory(err, open));
	rc = as_flame_begin(f, open, err);
	for (size_t i = 0; i < p->view->row.n && rc == AS_OK; i++)
		rc = as_flame_put(f, open, box_of(p, i), err);
	as_alloc_free(f->al, open, size);
	return rc;
}
