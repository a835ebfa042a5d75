/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks to the tree of paths. Looking up each frame's node in a table that no cache holds is
 * slow, so the stacks are brought into the order of a walk first: root first, frame by frame.
 * Neighbours then share all that they can, and nodes are appended without being looked up.
 *
 * A location may be several places, the code inlined there behind the code around it. Locations
 * are numbered in the order of their lists of places, equal lists alike: so stacks that begin
 * with the same places stand together, wherever in a location they part. Where a writer may follow,
 * places are in the order in which it writes them, so that it finds nothing to sort.
 */
#include "base/sort.h"
#include "formats/pprof/pprof.h"
#include "formats/stack_order.h"
#include "model/labels.h"

enum { RESERVE_MAX = 1 << 16, AHEAD = 8 /* samples */, LINE = 16 /* frames in a cache line */ };

/* ---- locations ---- */

/* As functions and frames are in paths_plan.c, where X and Y are not the same. Any order of theirs
 * would do here; this one saves work there. */
static int pb_order_cmp_place(const struct as_profile *prof, uint32_t x, uint32_t y)
{
	as_func of_x = prof->place.func.p[x], of_y = prof->place.func.p[y];
	int c = as_cmp_u64(prof->func.object.p[of_x.i].i, prof->func.object.p[of_y.i].i);
	struct as_func_row f, g;

	c = c ? c : as_cmp_u64(prof->place.addr.p[x], prof->place.addr.p[y]);
	if (c)
		return c;
	f = as_func_get(prof, of_x);
	g = as_func_get(prof, of_y);
	c = as_str_cmp(prof, f.name, g.name);
	c = c ? c : as_str_cmp(prof, prof->file.p[f.file.i], prof->file.p[g.file.i]);
	c = c ? c : as_str_cmp(prof, f.system, g.system);
	c = c ? c : as_cmp_u64(f.line, g.line);
	c = c ? c : as_cmp_u64(prof->place.line.p[x], prof->place.line.p[y]);
	return c ? c : as_cmp_u64(x, y);
}

static int cmp_places(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_read *r = ctx;
	const struct as_pb_loc *x = &r->loc.p[a], *y = &r->loc.p[b];
	uint32_t nx = x->n ? x->n : 1, ny = y->n ? y->n : 1;

	for (uint32_t i = 0; i < nx && i < ny; i++) {
		uint32_t px = r->place.p[x->place + i].i, py = r->place.p[y->place + i].i;

		if (px != py)
			return AS_HAS_WRITERS && r->rd->detail == AS_DETAIL_FULL
				       ? pb_order_cmp_place(r->rd->out->prof, px, py)
				       : as_cmp_u64(px, py);
	}
	return (nx > ny) - (nx < ny);
}

/* Place I of C. */
static inline uint32_t pb_order_place(
	const struct as_pb_read *r, const struct as_pb_class *c, uint32_t i)
{
	return c->n == 1 ? c->first : r->place.p[c->first + i].i;
}

/* Row 0 of the classes ends a stack; row 1 is the frame whose location does not exist, and one of
 * which nothing is known. */
static enum as_code make_classes(struct as_pb_read *r, uint32_t *order, size_t n, uint32_t *class)
{
	struct as_pb_class unknown = {.first = 0, .n = 1};

	r->class.n = 0;
	if (!as_vec_push(r->al, &r->class, unknown) || !as_vec_push(r->al, &r->class, unknown) ||
		!as_sort_rows(r->al, order, n, cmp_places, r))
		return as_err_no_memory(r->rd->err);
	for (size_t i = 0; i < n; i++) {
		const struct as_pb_loc *loc = &r->loc.p[order[i]];
		uint32_t alone = loc->n <= 1 ? r->place.p[loc->place].i : 0;
		struct as_pb_class one = {loc->n <= 1 ? alone : loc->place, loc->n ? loc->n : 1};
		bool nothing = one.n == 1 && !alone; /* it comes first */

		if (!nothing && (!i || cmp_places(r, order[i - 1], order[i]) != 0) &&
			!as_vec_push(r->al, &r->class, one))
			return as_err_no_memory(r->rd->err);
		class[order[i]] = (uint32_t)r->class.n - 1;
	}
	return AS_OK;
}

/* Room for the places of the locations in ORDER, and their functions: growing takes longer. */
static enum as_code reserve_places(struct as_pb_read *r, const uint32_t *order, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += r->loc.p[order[i]].n ? r->loc.p[order[i]].n : 1;
	return as_build_reserve(r->rd->out, lines < RESERVE_MAX ? lines : RESERVE_MAX);
}

/* The places of the locations that are used; then the frames of all stacks become classes. */
static enum as_code pb_order_classify(struct as_pb_read *r)
{
	size_t n = r->loc.n, used = 0;
	uint32_t *class, *order;

	AS_TRY(as_err_memory(
		r->rd->err, as_alloc_array(r->al, &class, n) && as_alloc_array(r->al, &order, n)));
	for (size_t i = 0; i < r->id.n; i++)
		if (r->id.p[i] > 1)
			class[r->id.p[i] - 2] = 1;
	for (uint32_t i = 0; i < n; i++)
		if (class[i])
			order[used++] = i;
	AS_TRY(reserve_places(r, order, used));
	for (size_t i = 0; i < used; i++)
		AS_TRY(as_pb_make_places(r, order[i]));
	AS_TRY(make_classes(r, order, used, class));
	for (size_t i = 0; i < r->id.n; i++)
		if (r->id.p[i] > 1)
			r->id.p[i] = class[r->id.p[i] - 2];
	return AS_OK;
}

/* ---- the tree ---- */

/* The walk: the stack that was appended last, and the nodes of its frames. */
struct walk {
	struct as_pb_read *r;
	const uint32_t *before;
	bool zero; /* nothing that is flushed next has a value yet */
	/* After each class of that stack: the nodes of its places end there. */
	AS_VEC(uint32_t) end;
	AS_VEC(as_node) node; /* of each place, from the root */
	as_node last;         /* the last of them */
};

/* Nodes for the places of C but its first IN, each inside of the one before. */
static inline bool pb_order_push(struct walk *w, struct as_pb_class c, uint32_t in)
{
	struct as_profile *prof = w->r->rd->out->prof;
	const as_place alone = {c.first}, *place = c.n == 1 ? &alone : w->r->place.p + c.first;
	size_t at = prof->node.parent.n, end = at + c.n - in;

	if (AS_UNLIKELY(end > UINT32_MAX - 2) ||
		!as_vec_reserve(prof->al, &prof->node.parent, end) ||
		!as_vec_reserve(prof->al, &prof->node.place, end) ||
		!as_vec_reserve(w->r->al, &w->node, w->node.n + c.n))
		return false;
	for (; at < end; at++, in++) {
		prof->node.parent.p[at] = w->last;
		prof->node.place.p[at] = place[in];
		w->last.i = (uint32_t)at;
		w->node.p[w->node.n++] = w->last;
	}
	prof->node.parent.n = prof->node.place.n = end;
	return true;
}

/* How many first places two classes, which are not the same, have in common. */
static uint32_t pb_order_shared(const struct as_pb_read *r, uint32_t a, uint32_t b)
{
	const struct as_pb_class *x = &r->class.p[a], *y = &r->class.p[b];
	uint32_t n = 0;

	if (!a || !b)
		return 0;
	while (n < x->n && n < y->n && pb_order_place(r, x, n) == pb_order_place(r, y, n))
		n++;
	return n;
}

/* The node of the stack that begins at ID. */
static bool pb_order_append(struct walk *w, const uint32_t *id, as_node *node)
{
	const struct as_pb_read *r = w->r;
	uint32_t same = 0, in;

	while (id[same] && id[same] == w->before[same])
		same++;
	as_assert(same <= w->end.n);
	in = pb_order_shared(r, id[same], w->before[same]);
	w->node.n = (same ? w->end.p[same - 1] : 0) + in;
	w->end.n = same;
	w->last = w->node.n ? w->node.p[w->node.n - 1] : (as_node){0};
	for (const uint32_t *p = id + same; *p; p++, in = 0)
		if (!pb_order_push(w, r->class.p[*p], in) ||
			!as_vec_push(r->al, &w->end, (uint32_t)w->node.n))
			return false;
	w->before = id;
	*node = w->last;
	return true;
}

/* The values of sample I on top of r->cost. */
static void add_values(struct as_pb_read *r, uint32_t i)
{
	const int64_t *v = r->values.p + (size_t)i * r->type.n;

	for (size_t k = 0; k < r->type.n; k++)
		r->cost[r->event.p[k]] += v[k];
}

static enum as_code pb_order_flush(struct as_pb_read *r, uint32_t part, as_node node)
{
	size_t size = as_n_events(r->rd->out->prof) * sizeof(*r->cost);
	enum as_code rc = as_build_sample(r->rd->out, part, node, r->cost);

	memset(r->cost, 0, size);
	return rc;
}

static bool is_zero(const struct as_pb_read *r, uint32_t sample)
{
	const int64_t *v = r->values.p + (size_t)sample * r->type.n;

	for (size_t k = 0; k < r->type.n; k++)
		if (v[k])
			return false;
	return true;
}

/* Where in the file the sample stands that is flushed next: where the first of those that are one
 * does, but for those that cost nothing. */
static void take_order(struct walk *w, bool fresh, uint32_t sample)
{
	struct as_build *b = w->r->rd->out;
	bool zero = is_zero(w->r, sample);

	if (fresh || (zero == w->zero ? sample < b->order : w->zero)) {
		b->order = sample;
		w->zero = zero;
	}
}

/* Stacks that differ in what is not asked for have become one: their values are added. */
static enum as_code pb_order_append_all(struct walk *w, const struct as_stack_item *it, size_t n)
{
	struct as_pb_read *r = w->r;
	uint32_t part = 0;
	as_node node = {0}, next = {0};
	bool fresh;

	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n) {
			AS_PREFETCH(r->id.p + it[i + AHEAD].root);
			AS_PREFETCH(r->id.p + it[i + AHEAD].root + LINE);
			AS_PREFETCH(r->part.p + it[i + AHEAD].row);
			AS_PREFETCH(r->values.p + (size_t)it[i + AHEAD].row * r->type.n);
		}
		AS_TRY(as_err_memory(r->rd->err, pb_order_append(w, r->id.p + it[i].root, &next)));
		fresh = i && (next.i != node.i || r->part.p[it[i].row] != part);
		if (fresh)
			AS_TRY(pb_order_flush(r, part, node));
		take_order(w, fresh || !i, it[i].row);
		node = next;
		part = r->part.p[it[i].row];
		add_values(r, it[i].row);
		if (r->node.n)
			r->node.p[it[i].row] = node.i;
	}
	return n ? pb_order_flush(r, part, node) : AS_OK;
}

enum as_code as_pb_paths(struct as_pb_read *r)
{
	struct as_stack_item *it;
	struct walk w = {.r = r};
	size_t n = r->part.n;

	AS_TRY(as_err_memory(
		r->rd->err, as_vec_push(r->al, &r->id, 0))); /* what is before the first */
	AS_TRY(pb_order_classify(r));
	AS_TRY(as_err_memory(r->rd->err, as_alloc_array(r->al, &it, n)));
	for (uint32_t i = 0; i < n; i++)
		it[i] = (struct as_stack_item){0, r->first.p[i], i};
	as_stack_order((struct as_stack_words){r->id.p, 1, 0}, it, n);
	w.before = r->id.p + r->id.n - 1;
	AS_TRY(pb_order_append_all(&w, it, n));
	r->rd->out->depth_first = true;
	return AS_OK;
}
