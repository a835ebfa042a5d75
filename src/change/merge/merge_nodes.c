/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of an input into the tree of the result. Merging many profiles of a sampler is
 * little else than looking up millions of nodes in a table that no cache holds, so they are
 * looked up in batches: the memory of all of a batch is asked for before the first is needed.
 * That takes nodes whose parents are known: those of one depth.
 */
#include "change/merge/merge_impl.h"

enum { BATCH = 32 };

/* The row that the slot of HASH names, if it is likely to be the one: else 0. */
static uint32_t likely_row(const struct as_index *ix, uint64_t hash)
{
	uint64_t slot = ix->slot ? ix->slot[(size_t)(hash >> 32) & ix->mask] : 0;

	return slot && slot >> 32 == hash >> 32 ? (uint32_t)slot - 1 : 0;
}

/* ---- places ---- */

/* PLACE of the input is an address in an object and nothing else is known of it. */
static bool merge_nodes_is_code(const struct as_profile *src, uint32_t place)
{
	uint32_t f = src->place.func.p[place].i;

	if (src->place.column.n || src->place.folded.n || src->place.extra.n ||
		src->func.system.n || src->func.line.n || src->func.extra.n)
		return false;
	return !as_func_is_whole(src, (as_func){f}) && !src->func.name.p[f].i &&
	       !src->func.file.p[f].i && src->func.addr.p[f] &&
	       src->func.addr.p[f] == src->place.addr.p[place] && !src->place.file.p[place].i &&
	       !src->place.line.p[place] && !src->place.inlined.p[place];
}

/* In the result. */
static as_object object_of(const struct as_merge_add_job *j, uint32_t place)
{
	as_object object = j->src->func.object.p[j->src->place.func.p[place].i];

	return (as_object){j->r.object[object.i]};
}

/* The place of function FUNC, which is nothing but an address, as most are that a sampler saw. */
static uint32_t *merge_nodes_place_of(struct as_merge *m, as_func func)
{
	size_t have = m->code.n;

	if (func.i >= have) {
		if (!as_vec_reserve(m->own, &m->code, (size_t)func.i + 1))
			return NULL;
		m->code.n = (size_t)func.i + 1;
		memset(m->code.p + have, 0, (m->code.n - have) * sizeof(*m->code.p));
	}
	return &m->code.p[func.i];
}

static enum as_code map_code(struct as_merge_add_job *j, uint32_t place)
{
	struct as_merge *m = j->m;
	struct as_pos pos = {.addr = j->src->place.addr.p[place]};
	uint32_t *known;
	as_place out;

	AS_TRY(as_build_func(
		&m->b, as_slice_of(""), object_of(j, place), pos.file, pos.addr, &pos.func));
	known = merge_nodes_place_of(m, pos.func);
	AS_TRY(as_err_memory(m->err, known));
	if (!*known) {
		AS_TRY(as_build_place(&m->b, &pos, &out));
		*known = out.i + 1;
	}
	j->r.func[j->src->place.func.p[place].i] = pos.func.i + 1;
	j->r.place[place] = *known;
	return AS_OK;
}

static void expect_codes(const struct as_merge_add_job *j, uint32_t first, uint32_t end)
{
	const uint64_t *addr = j->src->place.addr.p;
	uint32_t n_new = 0;

	for (uint32_t i = first; i < end; i++)
		as_build_expect_code(&j->m->b, object_of(j, i), addr[i]);
	for (uint32_t i = first; i < end; i++)
		as_build_expect_place(&j->m->b, object_of(j, i), addr[i], &n_new);
}

static enum as_code map_codes(struct as_merge_add_job *j, uint32_t first, uint32_t end)
{
	expect_codes(j, first, end);
	for (uint32_t i = first; i < end; i++)
		AS_TRY(map_code(j, i));
	return AS_OK;
}

/* Places of which more is known. */
static enum as_code map_named(struct as_merge_add_job *j, uint32_t first, uint32_t end)
{
	struct as_build *b = &j->m->b;
	struct as_place_more more[BATCH];
	struct as_pos pos[BATCH];
	as_place out;

	for (uint32_t i = first; i < end; i++) {
		AS_TRY(as_remap_at(&j->r, (as_place){i}, &pos[i - first], &more[i - first]));
		as_build_expect_pos(b, &pos[i - first], &more[i - first], false);
	}
	for (uint32_t i = 0; i < end - first; i++)
		as_build_expect_pos(b, &pos[i], &more[i], true);
	for (uint32_t i = 0; i < end - first; i++) {
		AS_TRY(as_build_place_more(b, &pos[i], &more[i], &out));
		j->r.place[first + i] = out.i + 1;
	}
	return AS_OK;
}

/* The places that follow FIRST and are nothing but code, or are not, as FIRST is. */
static uint32_t batch_end(const struct as_profile *src, uint32_t first)
{
	uint32_t n = (uint32_t)src->place.func.n, i = first + 1;
	bool code = merge_nodes_is_code(src, first);

	while (i < n && i < first + BATCH && merge_nodes_is_code(src, i) == code)
		i++;
	return i;
}

static enum as_code map_places(struct as_merge_add_job *j)
{
	uint32_t n = (uint32_t)j->src->place.func.n, end;

	for (uint32_t first = 1; first < n; first = end) {
		end = batch_end(j->src, first);
		AS_TRY(merge_nodes_is_code(j->src, first) ? map_codes(j, first, end)
							  : map_named(j, first, end));
	}
	return AS_OK;
}

/* ---- nodes ---- */

/* All nodes in the order of their depth, and where each depth starts. */
static bool order_by_depth(struct as_merge *m, const struct as_profile *src)
{
	size_t n = src->node.parent.n;
	uint32_t deepest = 0;

	if (!as_vec_reserve(m->own, &m->to_node, n) || !as_vec_reserve(m->own, &m->depth, n) ||
		!as_vec_reserve(m->own, &m->order, n))
		return false;
	m->depth.p[0] = 0;
	for (size_t i = 1; i < n; i++) {
		m->depth.p[i] = m->depth.p[src->node.parent.p[i].i] + 1;
		deepest = m->depth.p[i] > deepest ? m->depth.p[i] : deepest;
	}
	m->level.n = 0;
	if (!as_vec_reserve(m->own, &m->level, (size_t)deepest + 2))
		return false;
	m->level.n = (size_t)deepest + 2;
	memset(m->level.p, 0, m->level.n * sizeof(*m->level.p));
	for (size_t i = 0; i < n; i++)
		m->level.p[m->depth.p[i] + 1]++;
	for (size_t d = 1; d < m->level.n; d++)
		m->level.p[d] += m->level.p[d - 1];
	for (size_t i = 0; i < n; i++)
		m->order.p[m->level.p[m->depth.p[i]]++] = (uint32_t)i;
	as_assert(m->level.p[deepest] == n && m->level.p[0] == 1); /* the root alone is at 0 */
	return true; /* each start has become the end of its depth */
}

/* Nodes of one depth. */
static enum as_code map_batch(struct as_merge_add_job *j, const uint32_t *node, uint32_t n)
{
	const struct as_profile *src = j->src, *dst = j->m->b.prof;
	const struct as_index *ix = &j->m->b.nodes;
	uint32_t *to = j->m->to_node.p, row;
	as_node parent[BATCH], out;
	as_place place[BATCH];

	for (uint32_t i = 0; i < n; i++) {
		parent[i].i = to[src->node.parent.p[node[i]].i];
		place[i].i = j->r.place[src->node.place.p[node[i]].i] - 1;
		as_index_expect(ix, as_hash_mix(parent[i].i, place[i].i));
	}
	for (uint32_t i = 0; i < n; i++) {
		row = likely_row(ix, as_hash_mix(parent[i].i, place[i].i));
		AS_PREFETCH(&dst->node.parent.p[row]);
		AS_PREFETCH(&dst->node.place.p[row]);
	}
	for (uint32_t i = 0; i < n; i++) {
		AS_TRY(as_build_push(&j->m->b, parent[i], place[i], &out));
		to[node[i]] = out.i;
	}
	return AS_OK;
}

enum as_code as_merge_nodes(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;
	uint32_t at = 1;

	AS_TRY(map_places(j));
	AS_TRY(as_err_memory(m->err, order_by_depth(m, j->src)));
	m->to_node.p[0] = 0;
	for (size_t d = 1; d + 1 < m->level.n; d++)
		while (at < m->level.p[d]) {
			uint32_t n = m->level.p[d] - at;

			n = n < BATCH ? n : BATCH;
			AS_TRY(map_batch(j, m->order.p + at, n));
			at += n;
		}
	as_assert(at == j->src->node.parent.n);
	return AS_OK;
}
