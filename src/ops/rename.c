/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shorter names for functions. Functions that would not be told apart any more keep the names that
 * they have: what is one row must be one function.
 */
#include "ops/change.h"
#include "ops/project.h"
#include "ops/transform.h"

struct rename {
	const struct as_profile *src;
	const struct as_renamer *how;
	struct as_arena arena;
	struct as_slice *name; /* of each function */
	uint8_t *clashes;
	struct as_index index; /* functions by their new names */
};

static uint64_t key_hash(const struct rename *rn, uint32_t f)
{
	const struct as_profile *src = rn->src;
	uint64_t h = as_hash_mix(src->func.object.p[f].i, src->func.file.p[f].i);

	h = as_hash_mix(h, as_func_system(src, (as_func){f}).i);
	return as_hash_mix(h, as_hash_bytes(rn->name[f].p, rn->name[f].len));
}

static bool same_key(const struct rename *rn, uint32_t a, uint32_t b)
{
	const struct as_profile *src = rn->src;

	return src->func.object.p[a].i == src->func.object.p[b].i &&
	       src->func.file.p[a].i == src->func.file.p[b].i &&
	       as_func_system(src, (as_func){a}).i == as_func_system(src, (as_func){b}).i &&
	       src->func.name.p[a].i != src->func.name.p[b].i && /* else they are one already */
	       as_slice_eq(rn->name[a], rn->name[b]);
}

/* "f(int)'2": the name is what stands before the contexts, which stay. */
static bool new_name(struct rename *rn, uint32_t f)
{
	struct as_slice all = as_func_name(rn->src, (as_func){f});
	struct as_slice plain = as_fold_context(rn->src, all);
	struct as_slice rest = as_slice_skip(all, plain.len), to;

	to = plain.len ? rn->how->rename(rn->how->ctx, &rn->arena, plain) : plain;
	if (to.p && to.len && rest.len)
		to = as_arena_printf(&rn->arena, "%.*s%.*s", AS_SLICE_FMT(to), AS_SLICE_FMT(rest));
	rn->name[f] = to.len ? to : all;
	return to.p || !plain.len;
}

static bool find_clashes(struct rename *rn)
{
	uint32_t n = (uint32_t)rn->src->func.name.n;

	for (uint32_t f = 1; f < n; f++) {
		uint64_t pos = AS_INDEX_START, h;
		uint32_t other;

		if (!new_name(rn, f))
			return false;
		if (!rn->src->func.name.p[f].i)
			continue; /* told apart by address */
		h = key_hash(rn, f);
		while (as_index_find(&rn->index, h, &pos, &other))
			if (same_key(rn, other, f))
				rn->clashes[f] = rn->clashes[other] = 1;
		if (!as_index_add(&rn->index, h, f))
			return false;
	}
	return true;
}

/* The functions in the result, made before the facts ask for them. */
static enum as_code make_funcs(struct rename *rn, struct as_remap *r)
{
	const struct as_profile *src = rn->src;

	for (uint32_t f = 1; f < src->func.name.n; f++) {
		struct as_func_row row;
		as_func func;

		if (rn->clashes[f] || !src->func.name.p[f].i)
			continue;
		AS_TRY(as_remap_func_row(r, (as_func){f}, &row));
		AS_TRY(as_build_str(r->b, rn->name[f], &row.name));
		AS_TRY(as_build_func_row(r->b, &row, &func));
		r->func[f] = func.i + 1;
	}
	return AS_OK;
}

static enum as_code rename_all(struct rename *rn, struct as_profile **out, struct as_err *err)
{
	struct as_change c;
	enum as_code rc;

	if (!find_clashes(rn))
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	AS_TRY(as_change_begin(&c, rn->src, err));
	rc = make_funcs(rn, &c.r);
	if (rc == AS_OK)
		rc = as_change_facts(&c);
	return as_change_end(&c, rc, out);
}

enum as_code as_rename(const struct as_profile *prof, const struct as_renamer *how,
	struct as_profile **out, struct as_err *err)
{
	struct rename rn = {.src = prof, .how = how};
	size_t n = prof->func.name.n, size = n * (sizeof(*rn.name) + 1);
	enum as_code rc;

	*out = NULL;
	as_arena_init(&rn.arena, prof->al);
	as_index_init(&rn.index, prof->al);
	rn.name = as_alloc_new(prof->al, size);
	rn.clashes = rn.name ? (uint8_t *)(rn.name + n) : NULL;
	rc = rn.name ? rename_all(&rn, out, err) : as_err_set(err, AS_E_NOMEM, "out of memory");
	as_alloc_free(prof->al, rn.name, size);
	as_index_release(&rn.index);
	as_arena_release(&rn.arena);
	return rc;
}
