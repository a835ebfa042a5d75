/* SPDX-License-Identifier: Apache-2.0 */
/* Samples and rows. */
#include "change/merge/merge_impl.h"

enum { COMPACT_MIN = 1 << 20 }; /* rows */

/* ---- samples ---- */

void as_merge_spread(as_val *v, size_t n, uint32_t old, uint32_t width)
{
	for (size_t i = n; i-- > 0;) {
		memmove(v + i * width, v + i * old, old * sizeof(*v));
		memset(v + i * width + old, 0, (width - old) * sizeof(*v));
	}
}

/* Samples that are there already get zeros for events that are new. */
static bool merge_facts_widen(struct as_merge *m, uint32_t width)
{
	size_t n = m->node.n;
	uint32_t old = m->n_cost;

	as_assert(width >= old);
	if (width == old || !n) {
		m->n_cost = width;
		return true;
	}
	if (n > SIZE_MAX / 32 / width || !as_vec_reserve(m->al, &m->cost, n * width))
		return false;
	as_merge_spread(m->cost.p, n, old, width);
	m->cost.n = n * width;
	m->n_cost = width;
	return true;
}

/* The sample + 1 of NODE in part 0, 0 if there is none; NULL if out of memory. */
static uint32_t *of_node(struct as_merge *m, as_node node)
{
	size_t have = m->of_node.n, n = m->b.prof->node.parent.n;

	if (!as_vec_reserve(m->own, &m->of_node, n))
		return NULL;
	if (have < n) {
		memset(m->of_node.p + have, 0, (n - have) * sizeof(*m->of_node.p));
		m->of_node.n = n;
	}
	return &m->of_node.p[node.i];
}

static bool find_labelled(struct as_merge *m, uint32_t part, as_node node, uint32_t *sample)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(part, node.i);

	while (as_index_find(&m->labelled, hash, &pos, sample))
		if (m->part.p[*sample] == part && m->node.p[*sample].i == node.i)
			return true;
	return false;
}

static bool merge_facts_add_sample(
	struct as_merge *m, uint32_t part, as_node node, uint32_t *sample)
{
	size_t at = m->cost.n;

	*sample = (uint32_t)m->node.n;
	if (m->node.n >= UINT32_MAX - 2 || !as_vec_reserve(m->al, &m->cost, at + m->n_cost + 1) ||
		!as_vec_push(m->al, &m->part, part) || !as_vec_push(m->al, &m->node, node))
		return false;
	memset(m->cost.p + at, 0, m->n_cost * sizeof(as_val));
	m->cost.n = at + m->n_cost;
	return true;
}

/* The sample of NODE: when parts become one, found; else, or if there is none, made with zeros. */
static bool merge_facts_find_sample(
	struct as_merge *m, uint32_t part, as_node node, uint32_t *sample)
{
	uint32_t *known;

	if (m->opts.keep_parts)
		return merge_facts_add_sample(m, part, node, sample);
	if (part)
		return find_labelled(m, part, node, sample) ||
		       (merge_facts_add_sample(m, part, node, sample) &&
			       as_index_add(&m->labelled, as_hash_mix(part, node.i), *sample));
	known = of_node(m, node);
	if (known && *known) {
		*sample = *known - 1;
		return true;
	}
	if (!known || !merge_facts_add_sample(m, part, node, sample))
		return false;
	*known = *sample + 1;
	return true;
}

enum as_code as_merge_samples(struct as_merge_add_job *j)
{
	const struct as_profile *src = j->src;
	struct as_merge *m = j->m;

	AS_TRY(as_err_memory(m->err, merge_facts_widen(m, as_n_events(m->b.prof))));
	if (!src->sample.node.n)
		return AS_OK;
	AS_TRY(as_merge_nodes(j));
	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_node node = {m->to_node.p[src->sample.node.p[i].i]};
		const as_val *from = src->sample.cost.p + i * j->r.e;
		uint32_t sample;
		as_val *cost;

		if (!merge_facts_find_sample(m, j->r.part[src->sample.part.p[i]], node, &sample))
			return as_err_no_memory(m->err);
		cost = m->cost.p + (size_t)sample * m->n_cost;
		for (uint32_t k = 0; k < j->r.e; k++)
			cost[j->r.event[k]] += as_remap_value(&j->r, k, from[k]);
	}
	return AS_OK;
}

/* ---- rows ---- */

enum as_code as_merge_compact(struct as_merge *m)
{
	struct as_profile *dst = m->b.prof;

	AS_TRY(as_err_memory(m->err, as_rows_compact_all(dst)));
	m->compacted = dst->self.n + dst->call.n + dst->jump.n;
	return AS_OK;
}

enum as_code as_merge_rows(struct as_merge_add_job *j)
{
	const struct as_profile *dst = j->m->b.prof;

	AS_TRY(as_remap_all_rows(&j->r));
	/* Memory grows with what is distinct: now and then equal rows are made one. */
	if (!j->m->opts.keep_parts &&
		dst->self.n + dst->call.n + dst->jump.n > 2 * j->m->compacted + COMPACT_MIN)
		return as_merge_compact(j->m);
	return AS_OK;
}
