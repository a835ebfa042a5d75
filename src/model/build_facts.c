/* SPDX-License-Identifier: Apache-2.0 */
/* Building a profile: costs, calls, jumps and paths. */
#include "model/build.h"

enum as_code as_build_append(struct as_build *b, as_node parent, as_place place, as_node *out)
{
	struct as_profile *prof = b->prof;

	if (prof->node.parent.n >= UINT32_MAX - 2)
		return as_err_set(b->err, AS_E_LIMIT, "more than 2^32 path nodes");
	as_assert(parent.i < prof->node.parent.n);
	out->i = (uint32_t)prof->node.parent.n;
	return as_err_memory(b->err, as_vec_push(prof->al, &prof->node.parent, parent) &&
					     as_vec_push(prof->al, &prof->node.place, place));
}

enum as_code as_build_push(struct as_build *b, as_node parent, as_place place, as_node *out)
{
	const struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(parent.i, place.i);

	while (as_index_find(&b->nodes, hash, &pos, &out->i))
		if (prof->node.parent.p[out->i].i == parent.i &&
			prof->node.place.p[out->i].i == place.i)
			return AS_OK;
	AS_TRY(as_build_append(b, parent, place, out));
	return as_err_memory(b->err, as_index_add(&b->nodes, hash, out->i));
}

enum as_code as_build_sample(struct as_build *b, uint32_t part, as_node node, const as_val *cost)
{
	struct as_profile *prof = b->prof;
	size_t n = prof->event.n, at = prof->sample.cost.n;

	if (part >= prof->part.n)
		return as_err_set(b->err, AS_E_ARG, "a sample without a part");
	as_assert(node.i < prof->node.parent.n);
	if (!as_vec_push(prof->al, &prof->sample.part, part) ||
		!as_vec_push(prof->al, &prof->sample.node, node) ||
		(b->keep_order && !as_vec_push(prof->al, &prof->sample.order, b->order)) ||
		!as_vec_reserve(prof->al, &prof->sample.cost, at + n))
		return as_err_no_memory(b->err);
	if (n)
		memcpy(prof->sample.cost.p + at, cost, n * sizeof(*cost));
	prof->sample.cost.n = at + n;
	return AS_OK;
}

enum as_code as_build_sum(struct as_build *b, as_func func, const as_val *cost, bool recursive)
{
	struct as_profile *prof = b->prof;
	size_t n = 2 * prof->event.n, at = prof->sums.cost.n;

	as_assert(func.i < prof->func.name.n && at == n * prof->sums.func.n);
	if (!as_vec_push(prof->al, &prof->sums.func, func) ||
		!as_vec_push(prof->al, &prof->sums.recursive, recursive) ||
		!as_vec_reserve(prof->al, &prof->sums.cost, at + n))
		return as_err_no_memory(b->err);
	if (n)
		memcpy(prof->sums.cost.p + at, cost, n * sizeof(*cost));
	prof->sums.cost.n = at + n;
	return AS_OK;
}

enum as_code as_build_self(
	struct as_build *b, uint32_t part, const struct as_pos *pos, const as_val *cost, uint32_t n)
{
	struct as_rows *rows = &b->prof->self;

	if (part >= b->prof->part.n || n > rows->width)
		return as_err_set(
			b->err, AS_E_ARG, "a cost without a part or with too many values");
	return as_err_memory(b->err, as_rows_run(rows, part, pos->func, pos->file, (as_func){0}) &&
					     as_rows_add(rows, pos->line, pos->addr, cost, n));
}

enum as_code as_build_call(struct as_build *b, uint32_t part, const struct as_pos *site,
	const struct as_call *call, const as_val *cost, uint32_t n)
{
	struct as_rows *rows = &b->prof->call;
	as_val small[32], *v = small;
	uint32_t width = AS_CALL_COST + n;
	bool ok;

	if (part >= b->prof->part.n || width > rows->width)
		return as_err_set(
			b->err, AS_E_ARG, "a call without a part or with too many values");
	if (width > AS_ARRAY_LEN(small)) {
		v = as_alloc_new(b->prof->al, width * sizeof(*v));
		AS_TRY(as_err_memory(b->err, v));
	}
	v[AS_CALL_FUNC] = call->callee.i;
	v[AS_CALL_LINE] = call->line;
	v[AS_CALL_ADDR] = call->addr;
	v[AS_CALL_COUNT] = call->count;
	if (n)
		memcpy(v + AS_CALL_COST, cost, n * sizeof(*cost));
	ok = as_rows_run(rows, part, site->func, site->file, (as_func){0}) &&
	     as_rows_add(rows, site->line, site->addr, v, width);
	if (v != small)
		as_alloc_free(b->prof->al, v, width * sizeof(*v));
	return as_err_memory(b->err, ok);
}

enum as_code as_build_jump(
	struct as_build *b, uint32_t part, const struct as_pos *from, const struct as_jump *jump)
{
	struct as_rows *rows = &b->prof->jump;
	as_val v[AS_JUMP_WIDTH] = {
		[AS_JUMP_COND] = jump->conditional,
		[AS_JUMP_FUNC] = jump->func.i,
		[AS_JUMP_FILE] = jump->other_file ? (as_val)jump->file.i + 1 : 0,
		[AS_JUMP_LINE] = jump->line,
		[AS_JUMP_ADDR] = jump->addr,
		[AS_JUMP_EXECUTED] = jump->executed,
		[AS_JUMP_FOLLOWED] = jump->followed,
	};

	if (part >= b->prof->part.n)
		return as_err_set(b->err, AS_E_ARG, "a jump without a part");
	return as_err_memory(
		b->err, as_rows_run(rows, part, from->func, from->file, (as_func){0}) &&
				as_rows_add(rows, from->line, from->addr, v, AS_JUMP_WIDTH));
}

/* Stable counting sort of ORDER (N rows) by KEY[row] < BUCKETS; NEXT is scratch of BUCKETS + 1. */
static void build_facts_sort_by(const uint32_t *key, uint32_t buckets, uint32_t *order,
	uint32_t *out, uint32_t *next, size_t n)
{
	memset(next, 0, ((size_t)buckets + 1) * sizeof(*next));
	for (size_t i = 0; i < n; i++)
		next[key[i] + 1]++;
	for (uint32_t k = 0; k < buckets; k++)
		next[k + 1] += next[k];
	as_assert(next[buckets] == n);
	for (size_t i = 0; i < n; i++)
		out[next[key[order[i]]]++] = order[i];
	memcpy(order, out, n * sizeof(*order));
}

static bool samples_sorted(const struct as_profile *prof)
{
	for (size_t i = 1; i < prof->sample.node.n; i++) {
		uint32_t a = prof->sample.part.p[i - 1], b = prof->sample.part.p[i];

		if (a > b || (a == b && prof->sample.node.p[i - 1].i >= prof->sample.node.p[i].i))
			return false;
	}
	return true;
}

/* Copies of the columns, and the order that they are brought into. */
struct sorting {
	uint32_t *order, *out, *part, *stand, *next;
	as_node *node;
	as_val *cost;
};

/* Write the samples in the order to S->cost, equal ones summed; the other columns are rewritten in
 * place. Of equal ones the first place in the source holds. Returns how many are left. */
static size_t sum_ordered(struct as_profile *prof, const struct sorting *s)
{
	size_t e = prof->event.n, out = 0;
	uint32_t *stand = prof->sample.order.p;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t row = s->order[i];
		bool fresh = !out || prof->sample.part.p[out - 1] != s->part[row] ||
			     prof->sample.node.p[out - 1].i != s->node[row].i;

		if (fresh) {
			prof->sample.part.p[out] = s->part[row];
			prof->sample.node.p[out] = s->node[row];
			out++;
		}
		if (prof->sample.order.n && (fresh || s->stand[row] < stand[out - 1]))
			stand[out - 1] = s->stand[row];
		as_vals_add(s->cost + (out - 1) * e, prof->sample.cost.p + row * e, e);
	}
	return out;
}

static void copy_columns(const struct as_profile *prof, struct sorting *s)
{
	size_t n = prof->sample.node.n;

	for (size_t i = 0; i < n; i++)
		s->order[i] = (uint32_t)i;
	memcpy(s->part, prof->sample.part.p, n * sizeof(*s->part));
	memcpy(s->node, prof->sample.node.p, n * sizeof(*s->node));
	if (prof->sample.order.n)
		memcpy(s->stand, prof->sample.order.p, n * sizeof(*s->stand));
}

/* Bring the samples into the order (part, node), equal ones summed. */
static bool sum_samples(struct as_profile *prof)
{
	const struct as_alloc *al = prof->al;
	size_t n = prof->sample.node.n, e = prof->event.n;
	uint32_t nodes = (uint32_t)prof->node.parent.n, parts = (uint32_t)prof->part.n;
	uint32_t buckets = (nodes > parts ? nodes : parts) + 1;
	size_t scratch_size = (n * 5 + buckets + 1) * sizeof(uint32_t);
	size_t cost_size = n * e * sizeof(as_val) + 1;
	struct sorting s;

	if (samples_sorted(prof))
		return true;
	s.order = as_alloc_new(al, scratch_size);
	s.cost = as_alloc_new(al, cost_size);
	if (!s.order || !s.cost) {
		as_alloc_free(al, s.order, scratch_size);
		as_alloc_free(al, s.cost, cost_size);
		return false;
	}
	s.out = s.order + n;
	s.part = s.out + n;
	s.stand = s.part + n;
	s.node = (as_node *)(s.stand + n);
	s.next = (uint32_t *)(s.node + n);
	copy_columns(prof, &s);
	build_facts_sort_by((const uint32_t *)s.node, nodes, s.order, s.out, s.next, n);
	build_facts_sort_by(s.part, parts, s.order, s.out, s.next, n);
	n = sum_ordered(prof, &s);
	memcpy(prof->sample.cost.p, s.cost, n * e * sizeof(*s.cost));
	prof->sample.part.n = prof->sample.node.n = n;
	prof->sample.order.n = prof->sample.order.n ? n : 0;
	prof->sample.cost.n = n * e;
	as_assert(samples_sorted(prof));
	as_alloc_free(al, s.order, scratch_size);
	as_alloc_free(al, s.cost, cost_size);
	return true;
}

/* NUMBER[node] = its place depth first, children in the order they came. Parents are smaller than
 * their children: one loop sums the sizes of subtrees, and in the other a parent has its number
 * before its children ask. NEXT is that of the next child. */
static void build_facts_number_nodes(
	const struct as_profile *prof, uint32_t *sizes, uint32_t *next, uint32_t *number)
{
	size_t n = prof->node.parent.n;

	for (size_t i = 0; i < n; i++)
		sizes[i] = 1;
	for (size_t i = n; i-- > 1;)
		sizes[prof->node.parent.p[i].i] += sizes[i];
	as_assert(sizes[0] == n);
	number[0] = 0;
	next[0] = 1;
	for (size_t i = 1; i < n; i++) {
		uint32_t parent = prof->node.parent.p[i].i;

		number[i] = next[parent];
		next[parent] += sizes[i];
		next[i] = number[i] + 1;
	}
}

static bool is_depth_first(const struct as_profile *prof)
{
	/* In that order a node's parent is the node before it or one of that one's ancestors. */
	for (uint32_t i = 2; i < prof->node.parent.n; i++) {
		uint32_t up = i - 1, parent = prof->node.parent.p[i].i;

		while (up > parent)
			up = prof->node.parent.p[up].i;
		if (up != parent)
			return false;
	}
	return true;
}

/* Bring the nodes into depth-first order, so that a subtree is a stretch of them. */
static bool build_facts_order_nodes(struct as_build *b)
{
	struct as_profile *prof = b->prof;
	size_t n = prof->node.parent.n, size = 3 * n * sizeof(uint32_t);
	uint32_t *parent, *place, *number;

	parent = as_alloc_new(prof->al, size);
	if (!parent)
		return false;
	place = parent + n;
	number = place + n;
	build_facts_number_nodes(
		prof, parent, place, number); /* scratch, before it holds the new columns */
	for (size_t i = 0; i < n; i++) {
		parent[number[i]] = number[prof->node.parent.p[i].i];
		place[number[i]] = prof->node.place.p[i].i;
	}
	for (size_t i = 0; i < n; i++) {
		prof->node.parent.p[i].i = parent[i];
		prof->node.place.p[i].i = place[i];
	}
	for (size_t i = 0; i < prof->sample.node.n; i++)
		prof->sample.node.p[i].i = number[prof->sample.node.p[i].i];
	for (size_t i = 0; i < b->moment.n; i++)
		b->moment.p[i].node.i = number[b->moment.p[i].node.i];
	as_alloc_free(prof->al, parent, size);
	return true;
}

static bool sum_totals(struct as_profile *prof)
{
	size_t e = prof->event.n;

	prof->total = as_arena_new(&prof->arena, e * sizeof(as_val) + 1);
	if (!prof->total)
		return false;
	as_rows_total(&prof->self, prof->total);
	for (size_t i = 0; i < prof->sample.cost.n; i++)
		prof->total[i % e] += prof->sample.cost.p[i];
	for (size_t i = 0; i < prof->sums.func.n; i++)
		as_vals_add(prof->total, prof->sums.cost.p + 2 * e * i, e);
	if (as_stacks_any(&prof->stacks))
		as_stacks_total(&prof->stacks, prof->total);
	return true;
}

/* Of each object, its mappings in their order. */
static void link_maps(struct as_profile *prof)
{
	for (size_t i = 0; i < prof->object.n; i++)
		prof->object.p[i].map = 0;
	for (size_t i = prof->map.n; i-- > 0;) {
		uint32_t *first = &prof->object.p[prof->map.p[i].object.i].map;

		prof->map.p[i].next = *first;
		*first = (uint32_t)i + 1;
	}
}

/* Nothing will be added: shrink the arrays to what they hold. One that cannot be shrunk stays as it
 * is. */
static void build_facts_fit(struct as_profile *prof)
{
	(void)!as_vec_fit(prof->al, &prof->strings.row, prof->strings.row.n);
	(void)!as_vec_fit(prof->al, &prof->func.name, prof->func.name.n);
	(void)!as_vec_fit(prof->al, &prof->func.object, prof->func.object.n);
	(void)!as_vec_fit(prof->al, &prof->func.file, prof->func.file.n);
	(void)!as_vec_fit(prof->al, &prof->func.addr, prof->func.addr.n);
	(void)!as_vec_fit(prof->al, &prof->self.run, prof->self.run.n);
	(void)!as_vec_fit(prof->al, &prof->call.run, prof->call.run.n);
}

/* Columns of one table are of one length; runs are of functions and parts that there are. */
static void build_facts_check_columns(const struct as_profile *prof)
{
	const struct as_rows *table[] = {&prof->self, &prof->call, &prof->jump};
	size_t funcs = prof->func.name.n, places = prof->place.func.n,
	       samples = prof->sample.node.n;

	as_assert(prof->func.object.n == funcs && prof->func.file.n == funcs);
	as_assert(prof->func.addr.n == funcs);
	as_assert(prof->place.file.n == places && prof->place.line.n == places);
	as_assert(prof->place.addr.n == places && prof->place.inlined.n == places);
	as_assert(prof->node.parent.n == prof->node.place.n);
	as_assert(prof->sample.part.n == samples);
	as_assert(!prof->sample.order.n || prof->sample.order.n == samples);
	as_assert(prof->sample.cost.n == samples * prof->event.n);
	as_assert(prof->sums.cost.n == 2 * prof->event.n * prof->sums.func.n);
	for (size_t t = 0; t < AS_ARRAY_LEN(table); t++)
		for (size_t i = 0; i < table[t]->run.n; i++) {
			const struct as_run *run = &table[t]->run.p[i];

			as_assert(run->func.i < funcs && run->part < prof->part.n);
			as_assert(run->file.i < prof->file.n && run->inl.i < funcs);
		}
}

enum as_code as_build_finish(struct as_build *b, struct as_profile **out)
{
	struct as_profile *prof = b->prof;
	bool ordered = b->depth_first || is_depth_first(prof) || build_facts_order_nodes(b);
	bool ended = !as_stacks_any(&prof->stacks) || as_stacks_end(&prof->stacks);

	*out = NULL;
	if (!ordered || !ended || !sum_samples(prof) || !as_build_finish_moments(b) ||
		!sum_totals(prof)) {
		as_build_free(b);
		return as_err_no_memory(b->err);
	}
	prof->shape |= prof->self.n ? AS_SHAPE_PLACES : 0;
	prof->shape |= prof->call.n ? AS_SHAPE_CALLS : 0;
	prof->shape |=
		prof->sample.node.n || prof->sums.func.n || prof->stacks.n ? AS_SHAPE_PATHS : 0;
	build_facts_check_columns(prof);
	link_maps(prof);
	as_index_release(&prof->strings.index); /* nothing is looked up by name any more */
	as_build_forget(b);
	b->prof = NULL;
	build_facts_fit(prof);
	*out = prof;
	return AS_OK;
}
