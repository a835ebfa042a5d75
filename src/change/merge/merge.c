/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging. Inputs are added one by one to a builder; what can only be said when all are there
 * (the order of events, which objects are one) is settled at the end by adding the result to a
 * second, empty merge.
 */
#include "change/merge/merge_impl.h"

#include "base/sort.h"

enum as_code as_merge_new(const struct as_alloc *al, const struct as_merge_opts *opts,
	struct as_merge **out, struct as_err *err)
{
	struct as_merge *m;
	enum as_code rc;

	*out = NULL;
	al = al ? al : &as_alloc_libc;
	m = as_alloc_new(al, sizeof(*m));
	AS_TRY(as_err_memory(err, m));
	as_pool_init(&m->pool, al);
	m->al = al;
	m->own = &m->pool.al;
	m->err = err;
	m->opts = *opts;
	as_index_init(&m->objects, m->own);
	as_index_init(&m->deriveds, m->own);
	as_index_init(&m->metas, m->own);
	as_index_init(&m->labelled, m->own);
	rc = as_build_init(&m->b, al, err);
	if (rc == AS_OK)
		*out = m;
	else
		as_alloc_free(al, m, sizeof(*m));
	return rc;
}

void as_merge_free(struct as_merge *m)
{
	if (!m)
		return;
	as_build_free(&m->b);
	as_vec_free(m->al, &m->part);
	as_vec_free(m->al, &m->node);
	as_vec_free(m->al, &m->cost);
	as_pool_release(&m->pool);
	as_alloc_free(m->al, m, sizeof(*m));
}

static enum as_code merge_add_all(struct as_merge_add_job *j)
{
	AS_TRY(as_remap_init(&j->r, &j->pool.al, &j->m->b, j->src));
	AS_TRY(as_merge_events(j));
	AS_TRY(as_merge_objects(j));
	AS_TRY(as_merge_derived(j));
	AS_TRY(as_merge_parts(j));
	AS_TRY(as_merge_whole(j));
	AS_TRY(as_merge_keep_maps(j));
	AS_TRY(as_merge_metas(j));
	AS_TRY(as_merge_samples(j));
	AS_TRY(as_merge_moments(j));
	AS_TRY(as_merge_sums(j));
	return as_merge_rows(j);
}

enum as_code as_merge_add(struct as_merge *m, const struct as_profile *prof, struct as_losses *l)
{
	struct as_merge_add_job j = {.m = m, .src = prof, .l = l};
	enum as_code rc;

	AS_TRY(as_merge_check(m, prof));
	as_pool_init(&j.pool, m->al);
	rc = merge_add_all(&j);
	as_pool_release(&j.pool);
	m->n_inputs += rc == AS_OK;
	return rc;
}

/* ---- finishing ---- */

/* Of one part: bring the samples into the order of their nodes, which the builder would do in
 * more general a way. */
static enum as_code merge_order_samples(struct as_merge *m)
{
	size_t n = m->node.n, e = m->n_cost, at = 0;
	as_val *cost;

	AS_TRY(as_err_memory(m->err, as_alloc_array(m->al, &cost, n * e)));
	for (size_t i = 0; i < m->of_node.n; i++) {
		if (!m->of_node.p[i])
			continue;
		memcpy(cost + at * e, m->cost.p + (m->of_node.p[i] - 1) * e, e * sizeof(*cost));
		m->node.p[at++].i = (uint32_t)i;
	}
	as_assert(at == n);
	memcpy(m->cost.p, cost, n * e * sizeof(*cost));
	as_alloc_free(m->al, cost, n * e * sizeof(*cost) + 1);
	return AS_OK;
}

/* The samples become the builder's. */
static void give_samples(struct as_merge *m)
{
	struct as_profile *dst = m->b.prof;

	if (!m->node.n)
		return;
	as_assert(m->part.n == m->node.n && m->cost.n == m->node.n * m->n_cost);
	as_assert(m->n_cost == as_n_events(dst));
	as_vec_move(&dst->sample.part, &m->part);
	as_vec_move(&dst->sample.node, &m->node);
	as_vec_move(&dst->sample.cost, &m->cost);
}

static enum as_code merge_complete(struct as_merge *m, struct as_profile **out)
{
	if (!m->opts.keep_parts && m->n_parts > 1)
		AS_TRY(as_merge_compact(m));
	if (m->has_events)
		AS_TRY(as_build_part_all_events(&m->b, 0));
	AS_TRY(as_merge_place_maps(m));
	AS_TRY(as_merge_place_metas(m));
	if (!m->opts.keep_parts)
		as_merge_settle_parts(m);
	if (!m->opts.keep_parts && m->node.n && m->b.prof->part.n == 1)
		AS_TRY(merge_order_samples(m));
	give_samples(m);
	as_merge_place_moments(m);
	AS_TRY(as_merge_place_sums(m));
	m->b.prof->duration = m->no_duration ? 0 : as_spans_length(&m->spans);
	return as_build_finish(&m->b, out);
}

/* What is settled at the end. */
struct settle {
	const struct as_merge *m;
	const struct as_profile *prof;
	uint32_t *event, n_events;  /* the order that they get */
	uint32_t *alias, n_objects; /* the object that stands for each */
	bool aliased, needed;
};

/* By the columns that inputs have them in, then by name: the same in any order of inputs. */
static int event_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct settle *s = ctx;
	const struct as_merge_event *x = &s->m->event.p[a], *y = &s->m->event.p[b];

	int cmp = as_cmp_u64(x->first, y->first);

	cmp = cmp ? cmp : as_cmp_u64(x->last, y->last);
	if (cmp)
		return cmp;
	return as_str_cmp(s->prof, s->prof->event.p[a].name, s->prof->event.p[b].name);
}

static bool order_events(struct settle *s)
{
	uint32_t n = s->n_events;

	s->event = as_sorted_rows(s->m->own, n, event_cmp, s);
	s->n_events = 0;
	for (uint32_t k = 0; s->event && k < n; k++) {
		s->needed |= s->event[k] != k || s->m->event.p[k].of;
		if (!s->m->event.p[s->event[k]].of)
			s->event[s->n_events++] = s->event[k];
	}
	return s->event;
}

static bool merge_same_text(const struct as_object_row *a, const struct as_object_row *b)
{
	return (!a->text_start && !a->text_size) || (!b->text_start && !b->text_size) ||
	       (a->text_start == b->text_start && a->text_size == b->text_size);
}

/* An object without id is the one with an id and the same path, if there is only one. */
static bool find_aliases(struct settle *s)
{
	const struct as_object_row *row = s->prof->object.p;
	struct as_index ix;
	bool ok = true;
	uint32_t j;

	if (!as_alloc_array(s->m->own, &s->alias, s->n_objects))
		return false;
	as_index_init(&ix, s->m->own);
	for (uint32_t i = 0; i < s->n_objects; i++) {
		s->alias[i] = i;
		if (i && row[i].id.i)
			ok &= as_index_add(&ix, as_hash_mix(row[i].path.i, row[i].addr_kind), i);
	}
	for (uint32_t i = 1; ok && i < s->n_objects; i++) {
		uint64_t pos = AS_INDEX_START;
		uint32_t found = 0, n = 0;

		if (row[i].id.i || !row[i].path.i)
			continue;
		while (n < 2 &&
			as_index_find(&ix, as_hash_mix(row[i].path.i, row[i].addr_kind), &pos, &j))
			if (row[j].path.i == row[i].path.i &&
				row[j].addr_kind == row[i].addr_kind) {
				found = j;
				n++;
			}
		if (n == 1 && merge_same_text(&row[i], &row[found])) {
			s->alias[i] = found;
			s->needed = s->aliased = true;
		}
	}
	return ok;
}

/* The result once more, with events in order and equal objects made one. */
static enum as_code merge_copy(struct settle *s, struct as_profile **out)
{
	const struct as_merge *m = s->m;
	struct as_merge *to;
	enum as_code rc = AS_OK;
	uint32_t k;

	AS_TRY(as_merge_new(m->al, &(struct as_merge_opts){.keep_parts = true}, &to, m->err));
	to->object_alias = s->alias;
	to->origin = m;
	for (uint32_t i = 0; i < s->n_events && rc == AS_OK; i++) {
		const struct as_event *ev = &s->prof->event.p[s->event[i]];

		rc = as_build_event(&to->b, as_str_get(s->prof, ev->name),
			as_str_get(s->prof, as_merge_unit(m, s->prof, s->event[i])), &k);
		if (rc == AS_OK && !as_vec_push(to->own, &to->event, (struct as_merge_event){0}))
			rc = as_err_no_memory(to->err);
	}
	AS_THEN(rc, as_merge_add(to, s->prof, NULL));
	to->has_events = m->has_events;
	if (rc == AS_OK && !m->opts.keep_parts)
		rc = as_merge_compact(to);
	AS_THEN(rc, merge_complete(to, out));
	as_merge_free(to);
	return rc;
}

/* Takes PROF. */
static enum as_code merge_settle(
	struct as_merge *m, struct as_profile *prof, struct as_profile **out)
{
	struct settle s = {.m = m,
		.prof = prof,
		.n_events = as_n_events(prof),
		.n_objects = (uint32_t)prof->object.n};
	enum as_code rc = AS_OK;

	*out = NULL;
	if (!order_events(&s) || !find_aliases(&s))
		rc = as_err_no_memory(m->err);
	else if (s.aliased && prof->sums.func.n)
		rc = as_err_set(m->err, AS_E_UNSUPPORTED,
			"functions of two objects that are one would be counted twice on a path");
	else if (s.needed)
		rc = merge_copy(&s, out);
	else
		*out = prof;
	if (*out != prof)
		as_profile_free(prof);
	return rc;
}

enum as_code as_merge_finish(struct as_merge *m, struct as_profile **out)
{
	struct as_profile *prof;
	enum as_code rc = merge_complete(m, &prof);

	*out = NULL;
	AS_THEN(rc, merge_settle(m, prof, out));
	as_merge_free(m);
	return rc;
}
