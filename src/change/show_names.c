/* SPDX-License-Identifier: Apache-2.0 */
#include "change/show_names.h"

#include "change/kit/context.h"

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
	as_pool_init(&sn->pool, out->al);
	as_arena_init(&sn->arena, &sn->pool.al);
	as_index_init(&sn->names, &sn->pool.al);
	as_index_init(&sn->looks, &sn->pool.al);
}

static bool show_names_find_name(
	struct as_show_names *sn, struct as_slice whole, struct as_slice shown, uint32_t *row)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_bytes(whole.p, whole.len);
	struct as_show_name new = {.whole = whole, .shown = shown};

	while (as_index_find(&sn->names, hash, &pos, row))
		if (as_slice_eq(sn->name.p[*row].whole, whole))
			return true;
	*row = (uint32_t)sn->name.n;
	return as_vec_push(&sn->pool.al, &sn->name, new) && as_index_add(&sn->names, hash, *row);
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
	struct as_show_plain plain = {whole, place};
	struct as_show_look look = {.place = place};
	uint64_t pos = AS_INDEX_START, hash;
	struct as_slice shown;
	uint32_t i;

	if (!whole.len)
		return true;
	shown = sn->out->how.rename(sn->out->how.ctx, &sn->arena, whole);
	if (!shown.p)
		return false;
	/* Most names are shown whole, and of them no more is asked than whether a shortened one
	 * looks like them: as_show_names_end(). */
	if (!shown.len || as_slice_eq(shown, whole))
		return as_vec_push(&sn->pool.al, &sn->plain, plain);
	if (!show_names_find_name(sn, whole, shown, &look.name))
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
	return as_vec_push(&sn->pool.al, &sn->look, look) &&
	       as_index_add(&sn->looks, hash, (uint32_t)sn->look.n - 1);
}

bool as_show_names_end(struct as_show_names *sn, bool ok)
{
	for (size_t i = 0; ok && sn->name.n && i < sn->plain.n; i++)
		clash_with_plain(sn, &sn->plain.p[i]);
	for (size_t i = 0; ok && i < sn->name.n; i++) {
		const struct as_show_name *n = &sn->name.p[i];

		ok = as_shown_add(sn->out, n->whole, n->clashes ? n->whole : n->shown);
	}
	as_pool_release(&sn->pool);
	return ok;
}

/* ---- a profile's, when they are asked for ---- */

/* Functions by what those that may look alike have in common. */
struct as_show_groups {
	const struct as_profile *prof;
	uint32_t *head; /* the first function of a group, 0: none is left; NULL: not made yet */
	uint32_t *next; /* of a function: the next in its group, or 0 */
	uint64_t mask;
	bool contexts; /* "f(int)'2" is shown as "f'2" */
};

static struct as_slice show_names_plain_name(const struct as_show_groups *g, uint32_t f)
{
	struct as_slice name = as_func_name(g->prof, (as_func){f});

	return g->contexts ? as_fold_context(g->prof, name) : name;
}

/* Of names that differ in their ends, the group may differ, too. */
static uint64_t end_hash(struct as_slice s)
{
	size_t n = s.len < sizeof(uint64_t) ? s.len : sizeof(uint64_t);
	uint64_t end = 0;

	memcpy(&end, s.p + s.len - n, n);
	return as_hash_mix(end, s.len);
}

/* The same of all names that are shown alike. */
static bool show_names_group_of(
	const struct as_shown *s, struct as_arena *arena, struct as_slice name, uint64_t *group)
{
	struct as_slice base = s->how.base ? s->how.base(name) : (struct as_slice){NULL, 0};

	if (!base.len) {
		name = s->how.rename(s->how.ctx, arena, name);
		if (!name.p)
			return false;
		base = s->how.base ? s->how.base(name) : name;
		base = base.len ? base : name;
	}
	*group = end_hash(base) & s->groups->mask;
	return true;
}

static bool show_names_make_groups(struct as_shown *s, struct as_arena *arena)
{
	struct as_show_groups *g = s->groups;
	size_t n = g->prof->func.name.n;
	uint32_t *head;
	uint64_t group;

	for (g->mask = 1; g->mask < n; g->mask *= 2)
		;
	head = as_arena_get(&s->arena, g->mask * sizeof(*head));
	g->next = as_arena_get(&s->arena, n * sizeof(*g->next));
	if (!head || !g->next)
		return false;
	memset(head, 0, g->mask * sizeof(*head));
	g->mask--;
	for (uint32_t f = (uint32_t)n - 1; f > 0; f--) {
		struct as_slice name = show_names_plain_name(g, f);

		if (!name.len)
			continue;
		if (!show_names_group_of(s, arena, name, &group))
			return false;
		g->next[f] = head[group];
		head[group] = f;
	}
	g->head = head;
	return true;
}

static bool add_group(struct as_shown *s, uint64_t group)
{
	const struct as_show_groups *g = s->groups;
	struct as_show_names sn;
	bool ok = true;

	if (!g->head[group])
		return true;
	as_show_names_begin(&sn, s);
	for (uint32_t f = g->head[group]; ok && f; f = g->next[f])
		ok = as_show_names_add(&sn, show_names_plain_name(g, f),
			(uint64_t)g->prof->func.object.p[f].i << 32 | g->prof->func.file.p[f].i);
	ok = as_show_names_end(&sn, ok);
	if (ok)
		g->head[group] = 0;
	return ok;
}

static bool add_context(
	struct as_shown *s, struct as_arena *arena, struct as_slice all, struct as_slice plain)
{
	struct as_slice rest = as_slice_skip(all, plain.len), shown = as_shown_find(s, plain);

	if (as_slice_eq(shown, plain))
		return true;
	shown = as_arena_printf(arena, "%.*s%.*s", AS_SLICE_FMT(shown), AS_SLICE_FMT(rest));
	return shown.p && as_shown_add(s, all, shown);
}

static bool add_like(struct as_shown *s, struct as_arena *arena, struct as_slice name)
{
	const struct as_show_groups *g = s->groups;
	struct as_slice plain = g->contexts ? as_fold_context(g->prof, name) : name;
	uint64_t group;

	if (!show_names_group_of(s, arena, plain, &group) || !add_group(s, group))
		return false;
	return plain.len == name.len || add_context(s, arena, name, plain);
}

static bool show_names_add_all(struct as_shown *s, struct as_arena *arena)
{
	const struct as_show_groups *g = s->groups;
	bool ok = true;

	for (uint64_t i = 0; ok && i <= g->mask; i++)
		ok = add_group(s, i);
	for (uint32_t f = 1; ok && g->contexts && f < g->prof->func.name.n; f++) {
		struct as_slice all = as_func_name(g->prof, (as_func){f}),
				plain = show_names_plain_name(g, f);

		ok = plain.len == all.len || add_context(s, arena, all, plain);
	}
	return ok;
}

static bool add_names(struct as_shown *s, struct as_slice name)
{
	struct as_arena arena;
	bool ok;

	as_arena_init(&arena, s->al);
	ok = s->groups->head || show_names_make_groups(s, &arena);
	if (ok)
		ok = name.p ? add_like(s, &arena, name) : show_names_add_all(s, &arena);
	as_arena_release(&arena);
	return ok;
}

enum as_code as_show_names_of(
	struct as_shown *out, const struct as_profile *prof, struct as_err *err)
{
	struct as_show_groups *g = as_arena_get(&out->arena, sizeof(*g));

	AS_TRY(as_err_memory(err, g));
	*g = (struct as_show_groups){.prof = prof, .contexts = as_has_contexts(prof)};
	out->groups = g;
	out->add = add_names;
	return AS_OK;
}
