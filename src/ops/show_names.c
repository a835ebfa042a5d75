/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/show_names.h"

#include "ops/project.h"

struct as_show_name {
	struct as_slice whole, shown;
	bool clashes;
};

/* A name that is shown as it is. */
struct as_show_plain {
	struct as_slice name;
	uint64_t place;
};

/* What is seen of a name at a place. */
struct as_show_look {
	uint32_t name;
	uint64_t place;
};

void as_show_names_begin(struct as_show_names *sn, struct as_shown *out)
{
	*sn = (struct as_show_names){.out = out};
	as_arena_init(&sn->arena, out->al);
	as_index_init(&sn->names, out->al);
	as_index_init(&sn->looks, out->al);
}

static bool find_name(
	struct as_show_names *sn, struct as_slice whole, struct as_slice shown, uint32_t *row)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_bytes(whole.p, whole.len);
	struct as_show_name new = {.whole = whole, .shown = shown};

	while (as_index_find(&sn->names, hash, &pos, row))
		if (as_slice_eq(sn->name.p[*row].whole, whole))
			return true;
	*row = (uint32_t)sn->name.n;
	return as_vec_push(sn->out->al, &sn->name, new) && as_index_add(&sn->names, hash, *row);
}

/* Most names are shown whole, and of them no more is asked than whether a shortened one looks like
 * them: as_show_names_end(). */
static bool keep_plain(struct as_show_names *sn, struct as_slice name, uint64_t place)
{
	struct as_show_plain plain = {name, place};

	return as_vec_push(sn->out->al, &sn->plain, plain);
}

static void clash_with_plain(struct as_show_names *sn, const struct as_show_plain *plain)
{
	uint64_t pos = AS_INDEX_START;
	uint64_t hash = as_hash_mix(as_hash_bytes(plain->name.p, plain->name.len), plain->place);
	uint32_t i;

	while (as_index_find(&sn->looks, hash, &pos, &i)) {
		struct as_show_name *name = &sn->name.p[sn->look.p[i].name];

		if (sn->look.p[i].place == plain->place && as_slice_eq(name->shown, plain->name))
			name->clashes = true;
	}
}

bool as_show_names_add(struct as_show_names *sn, struct as_slice whole, uint64_t place)
{
	struct as_show_look look = {.place = place};
	uint64_t pos = AS_INDEX_START, hash;
	struct as_slice shown;
	uint32_t i;

	if (!whole.len)
		return true;
	shown = sn->out->how.rename(sn->out->how.ctx, &sn->arena, whole);
	if (!shown.p)
		return false;
	if (!shown.len || as_slice_eq(shown, whole))
		return keep_plain(sn, whole, place);
	if (!find_name(sn, whole, shown, &look.name))
		return false;
	hash = as_hash_mix(as_hash_bytes(shown.p, shown.len), place);
	while (as_index_find(&sn->looks, hash, &pos, &i)) {
		const struct as_show_look *other = &sn->look.p[i];

		if (other->place != place || !as_slice_eq(sn->name.p[other->name].shown, shown))
			continue;
		if (other->name == look.name)
			return true;
		sn->name.p[other->name].clashes = sn->name.p[look.name].clashes = true;
	}
	return as_vec_push(sn->out->al, &sn->look, look) &&
	       as_index_add(&sn->looks, hash, (uint32_t)sn->look.n - 1);
}

bool as_show_names_end(struct as_show_names *sn, bool fine)
{
	const struct as_alloc *al = sn->out->al;

	for (size_t i = 0; fine && sn->name.n && i < sn->plain.n; i++)
		clash_with_plain(sn, &sn->plain.p[i]);
	for (size_t i = 0; fine && i < sn->name.n; i++) {
		const struct as_show_name *n = &sn->name.p[i];

		fine = as_shown_add(sn->out, n->whole, n->clashes ? n->whole : n->shown);
	}
	as_vec_free(al, &sn->plain);
	as_vec_free(al, &sn->name);
	as_vec_free(al, &sn->look);
	as_index_release(&sn->names);
	as_index_release(&sn->looks);
	as_arena_release(&sn->arena);
	return fine;
}

/* ---- a profile's ---- */

/* "f(int)'2" is shown as "f'2". */
static bool add_contexts(struct as_shown *out, const struct as_profile *prof)
{
	struct as_arena arena;
	bool fine = true;

	as_arena_init(&arena, out->al);
	for (uint32_t f = 1; fine && f < prof->func.name.n; f++) {
		struct as_slice all = as_func_name(prof, (as_func){f});
		struct as_slice plain = as_fold_context(prof, all);
		struct as_slice rest = as_slice_skip(all, plain.len);
		struct as_slice shown = as_shown_find(out, plain);

		if (!rest.len || as_slice_eq(shown, plain))
			continue;
		shown = as_arena_printf(
			&arena, "%.*s%.*s", AS_SLICE_FMT(shown), AS_SLICE_FMT(rest));
		fine = shown.p && as_shown_add(out, all, shown);
	}
	as_arena_release(&arena);
	return fine;
}

enum as_code as_show_names_of(
	struct as_shown *out, const struct as_profile *prof, struct as_err *err)
{
	struct as_show_names sn;
	bool fine = true;

	as_show_names_begin(&sn, out);
	for (uint32_t f = 1; fine && f < prof->func.name.n; f++)
		fine = as_show_names_add(&sn,
			as_fold_context(prof, as_func_name(prof, (as_func){f})),
			(uint64_t)prof->func.object.p[f].i << 32 | prof->func.file.p[f].i);
	if (!as_show_names_end(&sn, fine) || !add_contexts(out, prof))
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	return AS_OK;
}
