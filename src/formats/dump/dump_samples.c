/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples, in the order of their paths from the root on. That is the order in which a walk meets
 * the nodes when it visits a node before its children and the children by their places; the walk
 * itself is not needed, the sizes of the subtrees give each node its number.
 */
#include "formats/dump/dump.h"

struct tree {
	struct dump *d;
	struct as_order place; /* by function, file, line, address */
	struct as_order child; /* nodes by parent and place */
	struct as_order sample;
	uint32_t *number; /* of each node on the walk; then as many subtree sizes, next numbers */
	AS_VEC(as_place) path;
	AS_VEC(struct as_moment) moment; /* of one time */
};

static int cmp_more(const struct as_profile *prof, as_place a, as_place b)
{
	struct as_place_more x = as_place_get_more(prof, a), y = as_place_get_more(prof, b);
	int c = as_cmp_u64(x.column, y.column);

	c = c ? c : as_cmp_u64(x.folded, y.folded);
	return c ? c : as_str_cmp(prof, x.extra, y.extra);
}

static int dump_samples_cmp_place(const void *ctx, uint32_t a, uint32_t b)
{
	const struct dump *d = ctx;
	struct as_pos x = as_place_pos(d->prof, (as_place){a});
	struct as_pos y = as_place_pos(d->prof, (as_place){b});
	int c = as_cmp_u64(d->func.rank[x.func.i], d->func.rank[y.func.i]);

	c = c ? c : as_cmp_u64(d->file.rank[x.file.i], d->file.rank[y.file.i]);
	c = c ? c : as_cmp_u64(x.line, y.line);
	c = c ? c : as_cmp_u64(x.addr, y.addr);
	c = c ? c : as_cmp_u64(x.inlined, y.inlined);
	return c ? c : cmp_more(d->prof, (as_place){a}, (as_place){b});
}

static int cmp_child(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tree *t = ctx;
	const struct as_profile *prof = t->d->prof;
	uint32_t pa = prof->node.parent.p[a].i, pb = prof->node.parent.p[b].i;

	if (pa != pb)
		return pa < pb ? -1 : 1;
	return as_cmp_u64(
		t->place.rank[prof->node.place.p[a].i], t->place.rank[prof->node.place.p[b].i]);
}

static int dump_samples_cmp_sample(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tree *t = ctx;
	const struct as_profile *prof = t->d->prof;
	uint32_t pa = t->d->labels.rank[prof->sample.part.p[a]];
	uint32_t pb = t->d->labels.rank[prof->sample.part.p[b]];

	if (pa != pb)
		return pa < pb ? -1 : 1;
	return as_cmp_u64(t->number[prof->sample.node.p[a].i], t->number[prof->sample.node.p[b].i]);
}

/* Parents have smaller handles than their children, so one loop sums sizes, and in the order of
 * CHILD a parent has its number before its children ask. */
static void dump_samples_number_nodes(struct tree *t)
{
	const as_node *parent = t->d->prof->node.parent.p;
	uint32_t n = t->child.n, *size = t->number + n, *next = size + n;

	for (uint32_t i = 0; i < n; i++)
		size[i] = 1;
	for (uint32_t i = n - 1; i > 0; i--)
		size[parent[i].i] += size[i];
	t->number[0] = 0;
	next[0] = 1;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = t->child.at[i], p = parent[c].i;

		if (c == 0)
			continue;
		t->number[c] = next[p];
		next[p] += size[c];
		next[c] = t->number[c] + 1;
	}
}

static bool print_sample(struct tree *t, uint32_t row)
{
	const struct as_profile *prof = t->d->prof;
	struct as_out *out = t->d->out;

	t->path.n = 0;
	for (as_node n = prof->sample.node.p[row]; n.i; n = prof->node.parent.p[n.i])
		if (!as_vec_push(t->d->al, &t->path, prof->node.place.p[n.i]))
			return false;
	as_out_text(out, "sample ");
	as_out_u64(out, t->d->labels.rank[prof->sample.part.p[row]]);
	for (size_t i = t->path.n; i > 0; i--) {
		struct as_pos pos = as_place_pos(prof, t->path.p[i - 1]);
		struct as_place_more more = as_place_get_more(prof, t->path.p[i - 1]);

		as_dump_pos(t->d, &pos);
		as_dump_more(t->d, &more);
		if (i > 1)
			as_out_char(out, ';');
	}
	as_out_char(out, ':');
	as_dump_values(t->d, prof->sample.cost.p + (size_t)row * prof->event.n, prof->event.n);
	return true;
}

/* ---- moments ---- */

static uint32_t dump_samples_line(const struct tree *t, const struct as_moment *m)
{
	size_t row = 0;

	(void)as_moments_sample(t->d->prof, m->part, m->node, &row);
	return t->sample.rank[row];
}

static int dump_samples_cmp_moment(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tree *t = ctx;
	const struct as_moment *x = &t->moment.p[a], *y = &t->moment.p[b];
	int c = as_cmp_u64(dump_samples_line(t, x), dump_samples_line(t, y));

	c = c ? c : as_cmp_u64(x->event, y->event);
	c = c ? c : (x->value > y->value) - (x->value < y->value);
	return c ? c : as_cmp_u64(x->duration, y->duration);
}

static void print_moment(struct tree *t, const struct as_moment *m)
{
	as_out_printf(
		t->d->out, "moment %" PRId64 " %" PRIu32 " ", m->time, dump_samples_line(t, m) + 1);
	as_dump_quote(t->d, as_event_name(t->d->prof, m->event));
	as_out_printf(t->d->out, ": %" PRId64, m->value);
	if (m->duration)
		as_out_printf(t->d->out, " duration=%" PRIu64, m->duration);
	as_out_char(t->d->out, '\n');
}

/* Those of one time, in an order that depends on what they are alone. */
static bool print_time(struct tree *t)
{
	uint32_t *order = as_sorted_rows(t->d->al, t->moment.n, dump_samples_cmp_moment, t);

	for (size_t i = 0; order && i < t->moment.n; i++)
		print_moment(t, &t->moment.p[order[i]]);
	if (order)
		as_alloc_free(t->d->al, order, t->moment.n * sizeof(*order) + 1);
	t->moment.n = 0;
	return order;
}

static bool print_moments(struct tree *t)
{
	struct as_moments_cur cur;

	as_moments_begin(&cur, &t->d->prof->moments);
	while (as_moments_next(&cur)) {
		if (t->moment.n && t->moment.p[0].time != cur.at.time && !print_time(t))
			return false;
		if (!as_vec_push(t->d->al, &t->moment, cur.at))
			return false;
	}
	return !t->moment.n || print_time(t);
}

static bool print_samples(struct tree *t)
{
	const struct as_profile *prof = t->d->prof;
	const struct as_alloc *al = t->d->al;

	t->number = as_alloc_new(al, prof->node.parent.n * 3 * sizeof(*t->number));
	if (!t->number ||
		!as_order_init(&t->place, al, prof->place.func.n, dump_samples_cmp_place, t->d) ||
		!as_order_init(&t->child, al, prof->node.parent.n, cmp_child, t))
		return false;
	dump_samples_number_nodes(t);
	if (!as_order_init(&t->sample, al, prof->sample.node.n, dump_samples_cmp_sample, t))
		return false;
	for (uint32_t i = 0; i < t->sample.n; i++)
		if (!print_sample(t, t->sample.at[i]))
			return false;
	return print_moments(t);
}

enum as_code as_dump_samples(struct dump *d)
{
	struct tree t = {.d = d};
	bool ok = !d->prof->sample.node.n || print_samples(&t);

	return as_err_memory(d->err, ok);
}
