/* SPDX-License-Identifier: Apache-2.0 */
#include "session/load_impl.h"

#include <stdatomic.h>

enum { SLOTS = 4096, TRIES = 4 };

struct known_text {
	bool wanted;
	size_t len;
	char text[];
};

/* A slot is filled once. What finds none is asked for each time. */
struct as_known {
	const struct as_alloc *al;
	struct as_rd_choice choice;
	atomic_bool wanted; /* some object is */
	_Atomic(struct known_text *) slot[SLOTS];
};

static struct known_text *known_make(const struct as_known *k, struct as_slice path, bool wanted)
{
	struct known_text *t = as_alloc_new(k->al, sizeof(*t) + path.len);

	if (!t)
		return NULL;
	t->wanted = wanted;
	t->len = path.len;
	memcpy(t->text, path.p, path.len);
	return t;
}

static void known_drop(const struct as_known *k, struct known_text *t)
{
	if (t)
		as_alloc_free(k->al, t, sizeof(*t) + t->len);
}

static bool known_object(const void *ctx, struct as_slice path)
{
	struct as_known *k = (struct as_known *)(uintptr_t)ctx;
	uint64_t hash = as_hash_bytes(path.p, path.len);
	struct known_text *have, *made, *none = NULL;
	size_t i = 0;
	bool wanted;

	for (; i < TRIES && (have = atomic_load(&k->slot[(hash + i) % SLOTS])); i++)
		if (have->len == path.len && memcmp(have->text, path.p, path.len) == 0)
			return have->wanted;
	wanted = k->choice.object(k->choice.ctx, path);
	if (wanted)
		atomic_store(&k->wanted, true);
	made = i < TRIES ? known_make(k, path, wanted) : NULL;
	if (made && !atomic_compare_exchange_strong(&k->slot[(hash + i) % SLOTS], &none, made))
		known_drop(k, made);
	return wanted;
}

static bool known_part(const void *ctx, const struct as_profile *prof, uint32_t part)
{
	const struct as_known *k = ctx;

	return k->choice.part(k->choice.ctx, prof, part);
}

struct as_known *as_known_new(const struct as_alloc *al, struct as_rd_choice *choice)
{
	struct as_known *k = as_alloc_new(al, sizeof(*k));

	if (!k)
		return NULL;
	k->al = al;
	k->choice = *choice;
	choice->ctx = k;
	choice->object = choice->object ? known_object : NULL;
	choice->part = choice->part ? known_part : NULL;
	return k;
}

bool as_known_wants_none(const struct as_known *k)
{
	return k->choice.object && !k->choice.part && !atomic_load(&k->wanted);
}

void as_known_free(struct as_known *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		known_drop(k, atomic_load(&k->slot[i]));
	as_alloc_free(k->al, k, sizeof(*k));
}
