/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is written, in an order that depends on what it says alone. The profile's nodes are frames;
 * the file's are locations, of which one may be several frames: a function and what was inlined
 * into it. So two trees are made. In the first a path from the root is a location, outermost line
 * first; in the second it is a stack of locations. Both are brought into order by ranks of what
 * their nodes are labelled with.
 */
#include "formats/paths_plan.h"

#include "base/pb.h"

/* ---- trees ---- */

static bool paths_plan_init_tree(struct as_plan_tree *t, const struct as_alloc *al)
{
	as_index_init(&t->index, al);
	return as_vec_push(al, &t->parent, 0) && as_vec_push(al, &t->label, 0);
}

static bool is_child(const struct as_plan_tree *t, uint32_t i, uint32_t parent, uint32_t label)
{
	as_assert(i < t->parent.n);
	return t->parent.p[i] == parent && t->label.p[i] == label;
}

/* The child that stands right behind its parent, as most do, is found there and in no index. */
static bool find_child(struct as_plan_tree *t, const struct as_alloc *al, uint32_t parent,
	uint32_t label, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(parent, label);
	uint32_t n = (uint32_t)t->parent.n;
	bool last = parent + 1 == n; /* it has no children */

	*out = parent + 1;
	if (!last && is_child(t, *out, parent, label))
		return true;
	while (!last && as_index_find(&t->index, hash, &pos, out))
		if (is_child(t, *out, parent, label))
			return true;
	*out = n;
	return n < UINT32_MAX - 1 && as_vec_push(al, &t->parent, parent) &&
	       as_vec_push(al, &t->label, label) && (last || as_index_add(&t->index, hash, n));
}

struct siblings {
	const struct as_plan_tree *t;
	const uint32_t *rank;   /* of labels */
	uint32_t *sizes;        /* of subtrees */
	uint32_t *first, *next; /* child and sibling of each, 0 = none */
	uint32_t *list;         /* scratch */
};

static int cmp_sibling(const void *ctx, uint32_t a, uint32_t b)
{
	const struct siblings *s = ctx;
	uint32_t x = s->rank[s->t->label.p[a]], y = s->rank[s->t->label.p[b]];

	return (x > y) - (x < y);
}

/* Parents are smaller than their children. */
static void plan_link_children(struct siblings *s)
{
	const uint32_t *parent = s->t->parent.p;

	for (uint32_t i = (uint32_t)s->t->parent.n; i-- > 1;) {
		s->next[i] = s->first[parent[i]];
		s->first[parent[i]] = i;
		s->sizes[parent[i]] += ++s->sizes[i];
	}
}

/* How far the children of PARENT are from it, in t->number. */
static bool place_children(const struct siblings *s, const struct as_alloc *al, uint32_t parent)
{
	uint32_t n = 0, distance = 1;

	for (uint32_t c = s->first[parent]; c; c = s->next[c])
		s->list[n++] = c;
	if (n > 1 && !as_sort_rows(al, s->list, n, cmp_sibling, s))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		s->t->number[s->list[i]] = distance;
		distance += s->sizes[s->list[i]];
	}
	return true;
}

/* Whether the rows of T stand depth first, and siblings in order. */
static bool is_in_order(const struct as_plan_tree *t, const uint32_t *rank)
{
	const uint32_t *parent = t->parent.p;

	for (uint32_t i = 1; i < t->parent.n; i++) {
		uint32_t before = i - 1; /* it becomes the sibling before, if there is one */

		if (parent[i] == before)
			continue;
		while (parent[before] > parent[i])
			before = parent[before];
		if (!before || parent[before] != parent[i] ||
			rank[t->label.p[before]] > rank[t->label.p[i]])
			return false;
	}
	return true;
}

/* Fill t->number. */
static bool number_tree(struct as_plan *w, struct as_plan_tree *t, const uint32_t *rank)
{
	const struct as_alloc *al = w->al;
	size_t n = t->parent.n, size = 4 * n * sizeof(uint32_t);
	uint32_t *all = as_alloc_new(al, size);
	struct siblings s = {t, rank, all, as_at(all, n), as_at(all, 2 * n), as_at(all, 3 * n)};
	bool ok = all;

	t->number = as_arena_new(&w->arena, n * sizeof(*t->number));
	ok = ok && t->number;
	if (ok)
		plan_link_children(&s);
	for (uint32_t i = 0; ok && i < n; i++)
		ok = place_children(&s, al, i);
	for (size_t i = 1; ok && i < n; i++)
		t->number[i] += t->number[t->parent.p[i]];
	as_alloc_free(al, all, size);
	return ok;
}

/* ---- functions and frames ---- */

bool as_plan_is_nothing(const struct as_func_row *f)
{
	return !f->name.i && !f->file.i && !f->system.i && !f->line && !f->extra.i;
}

static bool find_func(struct as_plan *w, const struct as_func_row *f, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START;
	uint64_t hash = as_hash_mix(as_hash_mix(f->name.i, f->file.i),
		as_hash_mix(f->line, (uint64_t)f->system.i << 32 | f->extra.i));

	while (as_index_find(&w->funcs, hash, &pos, out)) {
		const struct as_func_row *g = &w->func.p[*out];

		if (g->name.i == f->name.i && g->file.i == f->file.i && g->line == f->line &&
			g->system.i == f->system.i && g->extra.i == f->extra.i)
			return true;
	}
	*out = (uint32_t)w->func.n;
	return as_vec_push(w->al, &w->func, *f) && as_index_add(&w->funcs, hash, *out);
}

static bool same_frame(const struct as_plan_frame *a, const struct as_plan_frame *b)
{
	return a->func == b->func && a->line == b->line && a->column == b->column &&
	       a->file.i == b->file.i && a->extra.i == b->extra.i && a->inner == b->inner &&
	       a->bare == b->bare && a->folded == b->folded && a->map == b->map &&
	       a->addr == b->addr && a->behind == b->behind;
}

static bool find_frame(struct as_plan *w, const struct as_plan_frame *f, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START;
	uint64_t hash = as_hash_mix(as_hash_mix(f->func, f->line), as_hash_mix(f->addr, f->column));

	hash = as_hash_mix(hash, (uint64_t)f->extra.i << 2 | (f->bare ? 2u : 0u) | f->inner);
	hash = as_hash_mix(hash, ((uint64_t)f->map << 32 | f->file.i) << 1 | f->folded);
	while (as_index_find(&w->frames, hash, &pos, out))
		if (same_frame(&w->frame.p[*out], f)) {
			w->frames_shared = true;
			return true;
		}
	*out = (uint32_t)w->frame.n;
	return as_vec_push(w->al, &w->frame, *f) && as_index_add(&w->frames, hash, *out);
}

/* Whether there is a line's field among those that nobody knows. */
static bool has_line(struct as_slice extra)
{
	const uint8_t *p = (const uint8_t *)extra.p;
	struct as_pb_cur cur = {p, p + extra.len};
	struct as_pb_field f;
	const char *why;

	while (extra.len && as_pb_next(&cur, &f, &why) == AS_OK)
		if (f.number == AS_PLAN_EXTRA_LINE && f.type == AS_PB_BYTES)
			return true;
	return false;
}

/* INNER: it is a line of the location above. */
static enum as_code paths_plan_frame_of(struct as_plan *w, as_place p, bool inner, uint32_t *out)
{
	const struct as_profile *prof = w->prof;
	struct as_place_more more = as_place_get_more(prof, p);
	struct as_func_row func = as_func_get(prof, prof->place.func.p[p.i]);
	struct as_plan_frame f = {.line = prof->place.line.p[p.i],
		.column = more.column,
		.file = prof->place.file.p[p.i],
		.extra = more.extra,
		.inner = inner};

	if (f.file.i == func.file.i)
		f.file.i = 0;
	if (!inner) {
		f.addr = as_place_addr(prof, p);
		if (func.whole && !func.name.i && f.addr >= func.addr)
			f.behind = f.addr - func.addr + 1;
		f.map = as_plan_locate(w, prof->func.object.p[prof->place.func.p[p.i].i], &f.addr);
		f.folded = more.folded;
		f.bare = as_plan_is_nothing(&func) && !f.line && !f.column && !f.file.i &&
			 !has_line(as_str_get(prof, f.extra));
	}
	return as_err_memory(w->err, find_func(w, &func, &f.func) && find_frame(w, &f, out));
}

/* A place is either always inner or never, but for one that has nothing above it. */
static enum as_code known_frame(struct as_plan *w, as_place p, bool inner, uint32_t *out)
{
	if (inner != w->prof->place.inlined.p[p.i])
		return paths_plan_frame_of(w, p, inner, out);
	if (!w->place[p.i]) {
		AS_TRY(paths_plan_frame_of(w, p, inner, out));
		w->place[p.i] = *out + 1;
	}
	*out = w->place[p.i] - 1;
	return AS_OK;
}

/* ---- from nodes to locations and stacks ---- */

/* Whether a node is a line of the location above it. */
static bool paths_plan_is_inner(const struct as_profile *prof, uint32_t i)
{
	return prof->node.parent.p[i].i && prof->place.inlined.p[prof->node.place.p[i].i];
}

/* The frames of all nodes. */
static enum as_code find_frames(struct as_plan *w)
{
	const struct as_profile *prof = w->prof;
	uint32_t frame;

	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		as_place p = prof->node.place.p[i];
		bool inner = paths_plan_is_inner(prof, i);

		if (AS_UNLIKELY(!w->place[p.i] || inner != prof->place.inlined.p[p.i]))
			AS_TRY(known_frame(w, p, inner, &frame));
	}
	return AS_OK;
}

/* The location that a place was in last, and the one of the lines around that, 0 if it is the
 * outermost; 0, 0: it was in none yet. */
struct paths_plan_last {
	uint32_t up, loc;
};

/* The stack that each node ends, and the location that ends it. The location may go on with the
 * next node: its stack is another one, above the same. */
static enum as_code find_stacks(struct as_plan *w)
{
	const struct as_profile *prof = w->prof;
	struct paths_plan_last *all, *last;
	uint32_t frame;

	AS_TRY(as_err_memory(w->err, as_alloc_array(w->al, &all, prof->place.func.n)));
	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		uint32_t above = prof->node.parent.p[i].i;
		bool inner = paths_plan_is_inner(prof, i);
		uint32_t up = inner ? w->node_loc[above] : 0;

		last = &all[prof->node.place.p[i].i];
		w->node_top[i] = inner ? w->node_top[above] : above;
		if (AS_UNLIKELY(!last->loc || last->up != up)) {
			AS_TRY(known_frame(w, prof->node.place.p[i], inner, &frame));
			last->up = up;
			if (!find_child(&w->loc, w->al, up, frame, &last->loc))
				return as_err_no_memory(w->err);
		}
		w->node_loc[i] = last->loc;
	}
	return AS_OK;
}

/* Each of them is looked up. */
static enum as_code paths_plan_join_stacks(struct as_plan *w)
{
	size_t n = w->prof->node.parent.n;

	AS_TRY(as_err_memory(w->err, as_alloc_array(w->al, &w->node_stack, n)));
	for (size_t i = 1; i < n; i++)
		if (!find_child(&w->stack, w->al, w->node_stack[w->node_top[i]], w->node_loc[i],
			    &w->node_stack[i]))
			return as_err_no_memory(w->err);
	return AS_OK;
}

/* Where each place is a frame of its own each node is a stack of its own. */
static enum as_code paths_plan_make_stacks(struct as_plan *w)
{
	size_t n = w->prof->node.parent.n;

	if (!n)
		return AS_OK; /* nor are there samples */
	w->node_loc = w->al->resize(w->al->ctx, NULL, 0, 2 * n * sizeof(*w->node_loc));
	AS_TRY(as_err_memory(w->err, w->node_loc));
	w->node_top = w->node_loc + n;
	w->node_loc[0] = w->node_top[0] = 0;
	AS_TRY(find_frames(w));
	AS_TRY(find_stacks(w));
	if (w->frames_shared)
		return paths_plan_join_stacks(w);
	w->stack.parent.p = w->node_top;
	w->stack.label.p = w->node_loc;
	w->stack.parent.n = w->stack.parent.cap = w->stack.label.n = w->stack.label.cap = n;
	return AS_OK;
}

static int paths_plan_cmp_func(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_plan *w = ctx;
	const struct as_func_row *x = &w->func.p[a], *y = &w->func.p[b];
	int c = as_str_cmp(w->prof, x->name, y->name);

	c = c ? c : as_str_cmp(w->prof, w->prof->file.p[x->file.i], w->prof->file.p[y->file.i]);
	c = c ? c : as_str_cmp(w->prof, x->system, y->system);
	c = c ? c : as_cmp_u64(x->line, y->line);
	return c ? c : as_str_cmp(w->prof, x->extra, y->extra);
}

static int paths_plan_cmp_frame(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_plan *w = ctx;
	const struct as_plan_frame *x = &w->frame.p[a], *y = &w->frame.p[b];
	int c = as_cmp_u64(x->map, y->map);

	c = c ? c : as_cmp_u64(x->addr, y->addr);
	c = c ? c : as_cmp_u64(w->func_order.rank[x->func], w->func_order.rank[y->func]);
	c = c ? c : as_cmp_u64(x->line, y->line);
	c = c ? c : as_cmp_u64(x->column, y->column);
	c = c ? c : as_cmp_u64(x->folded, y->folded);
	c = c ? c : as_cmp_u64(x->inner, y->inner);
	c = c ? c : as_str_cmp(w->prof, w->prof->file.p[x->file.i], w->prof->file.p[y->file.i]);
	c = c ? c : as_cmp_u64(x->behind, y->behind);
	return c ? c : as_str_cmp(w->prof, x->extra, y->extra);
}

/* ---- samples ---- */

/* By labels, then by stacks; or the other way round, so that each stack stands beside those that
 * are like it, and differs in little from what was compressed just before. */
static int paths_plan_cmp_sample(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_plan *w = ctx;
	const struct as_plan_sample *x = &w->sample.p[a], *y = &w->sample.p[b];
	int sets = as_cmp_u64(x->set, y->set);
	int stacks = as_cmp_u64(
		as_plan_number(&w->stack, x->stack), as_plan_number(&w->stack, y->stack));

	if (w->small)
		return stacks ? stacks : sets;
	return sets ? sets : stacks;
}

static enum as_code order_samples(struct as_plan *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->sample.node.n;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = prof->sample.node.p[i].i;
		struct as_plan_sample s = {.stack = w->node_stack ? w->node_stack[node] : node,
			.set = w->labels.rank[prof->sample.part.p[i]],
			.row = i};

		AS_TRY(as_err_memory(w->err, as_vec_push(w->al, &w->sample, s)));
	}
	return as_err_memory(
		w->err, as_order_init(&w->sample_order, w->al, n, paths_plan_cmp_sample, w));
}

/* ---- what is used ---- */

/* The stacks and the locations on them that samples need: not all nodes that were made. */
static void paths_plan_mark_used(struct as_plan *w, uint8_t *seen)
{
	for (size_t i = 0; i < w->sample.n; i++)
		for (uint32_t s = w->sample.p[i].stack; s && !seen[s]; s = w->stack.parent.p[s]) {
			seen[s] = 1;
			w->loc_id[w->stack.label.p[s]] = 1;
		}
}

bool as_plan_has_lines(const struct as_plan *w, uint32_t loc)
{
	as_assert(loc < w->loc.parent.n);
	return w->loc.parent.p[loc] || !w->frame.p[w->loc.label.p[loc]].bare;
}

void as_plan_number_funcs(struct as_plan *w)
{
	uint32_t id = 0;

	for (uint32_t k = 0; k < w->func.n; k++)
		if (w->func_id[w->func_order.at[k]])
			w->func_id[w->func_order.at[k]] = ++id;
}

static enum as_code give_ids(struct as_plan *w)
{
	size_t n = w->loc.parent.n;
	uint32_t id = 0;

	w->loc_at = as_arena_new(&w->arena, n * sizeof(*w->loc_at));
	AS_TRY(as_err_memory(w->err, w->loc_at));
	for (uint32_t i = 0; i < n; i++)
		w->loc_at[w->loc.number[i]] = i;
	for (uint32_t k = 1; k < n; k++) {
		uint32_t loc = w->loc_at[k];

		if (!w->loc_id[loc])
			continue;
		w->loc_id[loc] = ++id;
		if (!as_plan_has_lines(w, loc))
			continue;
		for (uint32_t l = loc; l; l = w->loc.parent.p[l])
			w->func_id[w->frame.p[w->loc.label.p[l]].func] = 1;
	}
	as_plan_number_funcs(w);
	return AS_OK;
}

static enum as_code find_used(struct as_plan *w)
{
	size_t n = w->stack.parent.n;
	uint8_t *seen = as_alloc_new(w->al, n);

	w->loc_id = as_arena_new(&w->arena, w->loc.parent.n * sizeof(*w->loc_id));
	w->func_id = as_arena_new(&w->arena, w->func.n * sizeof(*w->func_id) + 1);
	AS_TRY(as_err_memory(w->err, seen && w->loc_id && w->func_id));
	paths_plan_mark_used(w, seen);
	return give_ids(w);
}

const struct as_plan_frame *as_plan_outer(const struct as_plan *w, uint32_t loc)
{
	while (w->loc.parent.p[loc])
		loc = w->loc.parent.p[loc];
	return &w->frame.p[w->loc.label.p[loc]];
}

void as_plan_init(struct as_plan *w, const struct as_alloc *al, const struct as_profile *prof,
	struct as_err *err)
{
	*w = (struct as_plan){.al = al, .prof = prof, .err = err};
	as_arena_init(&w->arena, al);
	as_index_init(&w->funcs, al);
	as_index_init(&w->frames, al);
}

void as_plan_release(struct as_plan *w)
{
	as_label_order_release(&w->labels, w->prof);
}

enum as_code as_plan_make_rows(struct as_plan *w)
{
	const struct as_rows *rows = &w->prof->self;

	AS_TRY(as_plan_maps_make(w));
	AS_TRY(as_err_memory(w->err, as_alloc_array(w->al, &w->run_func, rows->run.n)));
	for (size_t r = 0; r < rows->run.n; r++) {
		struct as_func_row func;

		if (r && rows->run.p[r].func.i == rows->run.p[r - 1].func.i) {
			w->run_func[r] = w->run_func[r - 1];
			continue;
		}
		func = as_func_get(w->prof, rows->run.p[r].func);
		AS_TRY(as_err_memory(w->err, find_func(w, &func, &w->run_func[r])));
	}
	return as_err_memory(
		w->err, as_order_init(&w->func_order, w->al, w->func.n, paths_plan_cmp_func, w) &&
				as_alloc_array(w->al, &w->func_id, w->func.n));
}

enum as_code as_plan_make(struct as_plan *w)
{
	size_t places = w->prof->place.func.n;

	AS_TRY(as_plan_maps_make(w));
	w->place = as_arena_new(&w->arena, places * sizeof(*w->place));
	if (!w->place || !paths_plan_init_tree(&w->loc, w->al) ||
		!paths_plan_init_tree(&w->stack, w->al) ||
		!as_label_order_init(&w->labels, w->prof))
		return as_err_no_memory(w->err);
	AS_TRY(paths_plan_make_stacks(w));
	if (!as_order_init(&w->func_order, w->al, w->func.n, paths_plan_cmp_func, w) ||
		!as_order_init(&w->frame_order, w->al, w->frame.n, paths_plan_cmp_frame, w) ||
		!number_tree(w, &w->loc, w->frame_order.rank))
		return as_err_no_memory(w->err);
	if (!is_in_order(&w->stack, w->loc.number) && !number_tree(w, &w->stack, w->loc.number))
		return as_err_no_memory(w->err);
	AS_TRY(order_samples(w));
	return find_used(w);
}
