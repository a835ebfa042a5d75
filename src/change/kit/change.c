/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/change.h"

static enum as_code copy_tables(struct as_change *c, const struct as_change_keep *keep)
{
	AS_TRY(as_remap_init(&c->r, c->al, &c->b, c->src));
	if (keep) {
		c->r.only = keep->event;
		c->r.n_only = keep->n_events;
		c->r.keep_part = keep->part;
		c->r.keep_label = keep->label;
	}
	for (uint32_t i = 0; i < c->r.n_only; i++)
		as_assert(c->r.only[i] < c->r.e);
	c->b.keep_order = c->src->sample.order.n != 0;
	if (c->src->moments.n && !as_alloc_array(c->al, &c->sample_to, c->src->sample.node.n))
		return AS_E_NOMEM;
	c->b.prof->shown = c->src->shown;
	return as_remap_all(&c->r);
}

enum as_code as_change_begin(struct as_change *c, const struct as_profile *src,
	const struct as_change_keep *keep, struct as_err *err)
{
	struct as_profile *none;
	enum as_code rc;

	*c = (struct as_change){.al = &c->pool.al, .src = src};
	if (src->shown && !as_shown_complete(src->shown))
		return as_err_no_memory(err);
	AS_TRY(as_build_init(&c->b, src->al, err));
	as_pool_init(&c->pool, src->al);
	rc = copy_tables(c, keep);
	return rc == AS_OK ? AS_OK : as_change_end(c, rc, &none);
}

enum as_code as_change_end(struct as_change *c, enum as_code rc, struct as_profile **out)
{
	*out = NULL;
	AS_THEN(rc, as_change_moments(c));
	as_pool_release(&c->pool);
	if (rc == AS_OK)
		return as_build_finish(&c->b, out);
	if (rc == AS_E_NOMEM)
		as_err_no_memory(c->b.err);
	as_build_free(&c->b);
	return rc;
}

enum as_code as_change_run(const struct as_profile *prof, const struct as_change_keep *keep,
	enum as_code (*work)(struct as_change *c, void *ctx), void *ctx, struct as_profile **out,
	struct as_err *err)
{
	struct as_change c;

	*out = NULL;
	AS_TRY(as_change_begin(&c, prof, keep, err));
	return as_change_end(&c, work(&c, ctx), out);
}

uint64_t as_deep_samples(const struct as_profile *prof)
{
	uint64_t n = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++)
		n += prof->node.parent.p[prof->sample.node.p[i].i].i != 0;
	return n;
}

static enum as_code map_nodes(struct as_change *c, uint32_t *to)
{
	const struct as_profile *src = c->src;
	as_place place;
	as_node node;

	for (size_t i = 1; i < src->node.parent.n; i++) {
		as_node parent = {to[src->node.parent.p[i].i]};

		as_assert(src->node.parent.p[i].i < i);
		AS_TRY(as_remap_place(&c->r, src->node.place.p[i], &place));
		AS_TRY(as_build_push(&c->b, parent, place, &node));
		to[i] = node.i;
	}
	return AS_OK;
}

enum as_code as_change_sample(struct as_change *c, size_t i, as_node node)
{
	const struct as_profile *src = c->src;

	as_remap_cost(&c->r, src->sample.cost.p + i * c->r.e, c->r.e, c->r.out);
	if (c->b.keep_order)
		c->b.order = src->sample.order.p[i];
	if (c->sample_to) {
		c->sample_to[i] = node.i + 1;
		c->moved = true;
	}
	return as_build_sample(&c->b, c->r.part[src->sample.part.p[i]], node, c->r.out);
}

enum as_code as_change_moments(struct as_change *c)
{
	const struct as_profile *src = c->src;
	struct as_moments_cur cur;
	size_t at;

	c->b.prof->moments.left += src->moments.left;
	c->b.prof->moments.markers_left += src->moments.markers_left;
	if (c->moments_done)
		return AS_OK;
	if (!c->moved) {
		c->b.prof->moments.left += src->moments.n;
		return AS_OK;
	}
	as_remap_keep_moments(&c->r);
	as_moments_begin(&cur, &src->moments);
	while (as_moments_next(&cur))
		if (as_moments_sample(src, cur.at.part, cur.at.node, &at) && c->sample_to[at])
			AS_TRY(as_remap_moment(&c->r, &cur.at, (as_node){c->sample_to[at] - 1}));
	return AS_OK;
}

enum as_code as_change_samples_to(struct as_change *c, const uint32_t *to)
{
	const struct as_profile *src = c->src;

	for (size_t i = 0; i < src->sample.node.n; i++)
		AS_TRY(as_change_sample(c, i, (as_node){to[src->sample.node.p[i].i]}));
	return AS_OK;
}

enum as_code as_change_samples(struct as_change *c)
{
	uint32_t *to;

	if (!c->src->sample.node.n)
		return AS_OK;
	AS_TRY(as_memory(as_alloc_array(c->al, &to, c->src->node.parent.n)));
	as_assert(!c->r.keep_part); /* samples of parts that go have no place */
	AS_TRY(map_nodes(c, to));
	return as_change_samples_to(c, to);
}

enum as_code as_change_facts(struct as_change *c, void *none)
{
	(void)none;
	AS_TRY(as_remap_all_rows(&c->r));
	return as_change_samples(c);
}

enum as_code as_change_add_leaf(
	struct as_change *c, uint32_t part, as_node parent, const struct as_pos *pos)
{
	as_place place;
	as_node node;

	as_assert(c->r.part[part] != AS_REMAP_NONE);
	AS_TRY(as_build_place(&c->b, pos, &place));
	AS_TRY(as_build_push(&c->b, parent, place, &node));
	return as_build_sample(&c->b, c->r.part[part], node, c->r.out);
}

enum as_code as_change_self_leaves(struct as_change *c)
{
	const struct as_rows *rows = &c->src->self;
	struct as_rows_cur cur;
	struct as_pos pos;

	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];

		as_rows_begin(&cur, rows, run, c->r.in);
		while (as_rows_next(&cur)) {
			pos = (struct as_pos){run->func, run->file, cur.line, cur.addr, false};
			AS_TRY(as_remap_pos(&c->r, &pos, &pos));
			as_remap_cost(&c->r, c->r.in, cur.n, c->r.out);
			AS_TRY(as_change_add_leaf(c, run->part, (as_node){0}, &pos));
		}
	}
	return AS_OK;
}

enum as_code as_change_sample_self(struct as_change *c)
{
	const struct as_profile *src = c->src;
	struct as_rows *to = &c->b.prof->self;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_place leaf = src->node.place.p[src->sample.node.p[i].i];
		struct as_pos from = as_place_pos(src, leaf), pos;

		AS_TRY(as_remap_pos(&c->r, &from, &pos));
		as_remap_cost(&c->r, src->sample.cost.p + i * c->r.e, c->r.e, c->r.out);
		AS_TRY(as_build_self(&c->b, c->r.part[src->sample.part.p[i]], &pos, c->r.out,
			as_n_events(c->b.prof)));
	}
	if (src->sample.node.n && !as_rows_compact(to, AS_KEYS_SELF))
		return AS_E_NOMEM;
	return AS_OK;
}
