/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/change.h"

#include "change/kit/compact.h"

/* What FROM says is left out of SRC. */
static enum as_code begin(struct as_change *c, const struct as_profile *src,
	const struct as_remap *from, struct as_err *err)
{
	enum as_code rc;

	*c = (struct as_change){.al = src->al, .src = src};
	if (src->shown && !as_shown_complete(src->shown))
		return as_err_no_memory(err);
	AS_TRY(as_build_init(&c->b, src->al, err));
	rc = as_remap_init(&c->r, &c->b, src);
	if (rc == AS_OK) {
		c->b.keep_order = src->sample.order.n != 0;
		c->r.only = from->only;
		c->r.n_only = from->n_only;
		c->r.keep_part = from->keep_part;
		c->r.keep_label = from->keep_label;
		c->b.prof->shown = src->shown;
		rc = as_remap_all(&c->r);
		if (rc == AS_OK)
			return AS_OK;
		as_remap_release(&c->r);
	}
	as_build_free(&c->b);
	return rc;
}

enum as_code as_change_begin(struct as_change *c, const struct as_profile *src, struct as_err *err)
{
	return begin(c, src, &(struct as_remap){0}, err);
}

enum as_code as_change_begin_parts(struct as_change *c, const struct as_profile *src,
	const uint8_t *part, const uint8_t *label, struct as_err *err)
{
	return begin(c, src, &(struct as_remap){.keep_part = part, .keep_label = label}, err);
}

enum as_code as_change_begin_events(struct as_change *c, const struct as_profile *src,
	const uint32_t *event, uint32_t n, struct as_err *err)
{
	for (uint32_t i = 0; i < n; i++)
		as_assert(event[i] < as_n_events(src));
	return begin(c, src, &(struct as_remap){.only = event, .n_only = n}, err);
}

enum as_code as_change_end(struct as_change *c, enum as_code rc, struct as_profile **out)
{
	*out = NULL;
	as_remap_release(&c->r);
	if (rc == AS_OK)
		return as_build_finish(&c->b, out);
	as_build_free(&c->b);
	return rc;
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

enum as_code as_change_samples(struct as_change *c)
{
	const struct as_profile *src = c->src;
	size_t size = src->node.parent.n * sizeof(uint32_t);
	uint32_t *to;
	enum as_code rc;

	if (!src->sample.node.n)
		return AS_OK;
	to = as_alloc_new(c->al, size);
	if (!to)
		return as_err_no_memory(c->r.b->err);
	rc = map_nodes(c, to);
	for (size_t i = 0; i < src->sample.node.n && rc == AS_OK; i++) {
		as_remap_cost(&c->r, src->sample.cost.p + i * c->r.e, c->r.e, c->r.out);
		as_change_stand(c, i);
		rc = as_build_sample(&c->b, c->r.part[src->sample.part.p[i]],
			(as_node){to[src->sample.node.p[i].i]}, c->r.out);
	}
	as_alloc_free(c->al, to, size);
	return rc;
}

enum as_code as_change_facts(struct as_change *c)
{
	AS_TRY(as_remap_self_rows(&c->r));
	AS_TRY(as_remap_call_rows(&c->r));
	AS_TRY(as_remap_jump_rows(&c->r));
	return as_change_samples(c);
}

/* A path of one frame, FROM; the costs are in C's scratch. */
static enum as_code add_leaf(
	struct as_change *c, uint32_t part, const struct as_pos *from, uint32_t n)
{
	struct as_pos to;
	as_place place;
	as_node node;

	as_assert(n <= c->r.e);
	AS_TRY(as_remap_pos(&c->r, from, &to));
	AS_TRY(as_build_place(&c->b, &to, &place));
	AS_TRY(as_build_push(&c->b, (as_node){0}, place, &node));
	as_remap_cost(&c->r, c->r.in, n, c->r.out);
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
			AS_TRY(add_leaf(c, run->part, &pos, cur.n));
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
		return as_err_no_memory(c->r.b->err);
	return AS_OK;
}
