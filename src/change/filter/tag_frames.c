/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/frames.h"

#include "change/kit/change.h"

struct tagger {
	struct as_change *c;
	const struct as_tag_frames *how;
	as_place *leaf; /* frames below the stacks of a part, the highest first */
	as_node top;    /* what its stacks begin below */
	uint32_t *to,
		*age;  /* of each node of the source: its node below a top; that one's number */
	uint32_t tops; /* numbers that were given */
	AS_VEC(uint32_t) path;
};

/* The labels of KEY that PART has; those of one key stand together. */
static const struct as_label *labels_of(
	const struct as_profile *prof, uint32_t part, struct as_slice key, uint32_t *n)
{
	uint32_t all, first = 0, end;
	const struct as_label *label = as_part_labels(prof, part, &all);

	while (first < all &&
		(label[first].opaque || !as_slice_eq(as_str_get(prof, label[first].key), key)))
		first++;
	for (end = first; end < all && label[end].key.i == label[first].key.i;)
		end++;
	*n = end - first;
	return *n ? label + first : NULL;
}

static enum as_code tag_frames_place_of(
	struct tagger *m, struct as_arena *ar, uint32_t part, struct as_slice key, as_place *out)
{
	uint32_t n;
	const struct as_label *label = labels_of(m->c->src, part, key, &n);
	struct as_slice name = m->how->name(ar, m->c->src, key, label, n, m->how->ctx);
	struct as_pos pos = {.line = 0};

	AS_TRY(as_memory(name.p));
	AS_TRY(as_build_file(&m->c->b, key, &pos.file));
	AS_TRY(as_build_func(&m->c->b, name, (as_object){0}, pos.file, 0, &pos.func));
	return as_build_place(&m->c->b, &pos, out);
}

static enum as_code make_frames(struct tagger *m, struct as_arena *ar, uint32_t part)
{
	as_node top = {0};
	as_place place;

	for (size_t i = 0; i < m->how->n_root; i++) {
		AS_TRY(tag_frames_place_of(m, ar, part, m->how->root[i], &place));
		AS_TRY(as_build_push(&m->c->b, top, place, &top));
	}
	for (size_t i = 0; i < m->how->n_leaf; i++)
		AS_TRY(tag_frames_place_of(m, ar, part, m->how->leaf[i], &m->leaf[i]));
	m->tops += !m->tops || top.i != m->top.i;
	m->top = top;
	return AS_OK;
}

static enum as_code tag_frames_begin_part(struct tagger *m, uint32_t part)
{
	struct as_arena names;
	enum as_code rc;

	as_arena_init(&names, m->c->al);
	rc = make_frames(m, &names, part);
	as_arena_release(&names);
	return rc;
}

/* NODE of the source below the top: from the nearest above it that is there already. */
static enum as_code tag_frames_push_stack(struct tagger *m, uint32_t node, as_node *out)
{
	const struct as_profile *src = m->c->src;
	as_place place;

	for (m->path.n = 0; node && m->age[node] != m->tops; node = src->node.parent.p[node].i)
		AS_TRY(as_memory(as_vec_push(m->c->al, &m->path, node)));
	*out = node ? (as_node){m->to[node]} : m->top;
	while (m->path.n) {
		node = m->path.p[--m->path.n];
		AS_TRY(as_remap_place(&m->c->r, src->node.place.p[node], &place));
		AS_TRY(as_build_push(&m->c->b, *out, place, out));
		m->to[node] = out->i;
		m->age[node] = m->tops;
	}
	return AS_OK;
}

static enum as_code tag_frames_add_sample(struct tagger *m, size_t i)
{
	const struct as_profile *src = m->c->src;
	uint32_t part = src->sample.part.p[i];
	as_node node;

	if (!i || part != src->sample.part.p[i - 1])
		AS_TRY(tag_frames_begin_part(m, part));
	AS_TRY(tag_frames_push_stack(m, src->sample.node.p[i].i, &node));
	for (size_t k = 0; k < m->how->n_leaf; k++)
		AS_TRY(as_build_push(&m->c->b, node, m->leaf[k], &node));
	return as_change_sample(m->c, i, node);
}

static enum as_code tag_all(struct as_change *c, void *ctx)
{
	size_t nodes = c->src->node.parent.n;
	struct tagger m = {.c = c, .how = ctx};

	AS_TRY(as_remap_all_rows(&c->r));
	if (!as_alloc_array(c->al, &m.to, nodes) || !as_alloc_array(c->al, &m.age, nodes) ||
		!as_alloc_array(c->al, &m.leaf, m.how->n_leaf))
		return AS_E_NOMEM;
	for (size_t i = 0; i < c->src->sample.node.n; i++)
		AS_TRY(tag_frames_add_sample(&m, i));
	return AS_OK;
}

enum as_code as_tag_frames(const struct as_profile *prof, const struct as_tag_frames *how,
	struct as_profile **out, struct as_err *err)
{
	struct as_tag_frames ctx = *how;

	return as_change_run(prof, NULL, tag_all, &ctx, out, err);
}
