/* SPDX-License-Identifier: Apache-2.0 */
/* What servers are known to have, kept from one process to the next. */
#include "fleet/fleet_cur.h"
#include "fleet/fleet_push_impl.h"

static const char known_magic[] = "assay: known 1\n";

void as_push_forget_at(struct as_fleet_known_at *at, const struct as_alloc *al)
{
	struct as_fleet_ids *ids[] = {&at->frame, &at->stack, &at->serie};

	for (size_t i = 0; i < AS_ARRAY_LEN(ids); i++) {
		ids[i]->al = al;
		as_fleet_ids_release(ids[i]);
	}
	at->day = 0;
}

void as_fleet_known_release(struct as_fleet_known *known)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(known->at); i++)
		as_push_forget_at(&known->at[i], known->al);
}

size_t as_fleet_known_count(const struct as_fleet_known *known)
{
	size_t n = 0;

	for (size_t i = 0; i < AS_ARRAY_LEN(known->at); i++)
		n += known->at[i].frame.n + known->at[i].stack.n + known->at[i].serie.n;
	return n;
}

/* ---- bytes ---- */

static void known_put_ids(const struct as_fleet_ids *ids, struct as_fleet_bytes *to)
{
	as_fleet_put_length(to, ids->n);
	for (size_t i = 0; i < ids->size; i++)
		if (ids->slot[i])
			as_fleet_put_number(to, ids->slot[i], sizeof(uint64_t));
}

/* Their hash is the last of them. */
bool as_fleet_known_put(const struct as_fleet_known *known, struct as_fleet_bytes *to)
{
	as_fleet_put_string(to, as_slice_of(known_magic));
	for (size_t i = 0; i < AS_ARRAY_LEN(known->at); i++) {
		const struct as_fleet_known_at *at = &known->at[i];

		if (!at->day)
			continue;
		as_fleet_put_number(to, i, sizeof(uint32_t));
		as_fleet_put_number(to, at->day, sizeof(at->day));
		as_fleet_put_number(to, at->home, sizeof(at->home));
		known_put_ids(&at->frame, to);
		known_put_ids(&at->stack, to);
		known_put_ids(&at->serie, to);
	}
	as_fleet_put_number(to, as_fleet_bytes_hash(to), sizeof(uint64_t));
	return !to->failed;
}

static bool known_take_ids(struct as_fleet_ids *ids, struct as_fleet_cur *c)
{
	bool fresh, ok = true;

	for (size_t n = as_fleet_length(c, sizeof(uint64_t)); n > 0 && ok; n--) {
		uint64_t id = as_fleet_number(c, sizeof(id));

		ok = !id || as_fleet_ids_add(ids, id, &fresh);
	}
	return ok;
}

static bool known_is_whole(struct as_slice *from)
{
	uint64_t hash;
	struct as_fleet_cur c;

	if (from->len < sizeof(hash))
		return false;
	from->len -= sizeof(hash);
	c = as_fleet_cur_of((struct as_slice){from->p + from->len, sizeof(hash)});
	return as_fleet_number(&c, sizeof(hash)) == as_fleet_hash(from->p, from->len);
}

bool as_fleet_known_take(struct as_fleet_known *known, struct as_slice from)
{
	struct as_fleet_cur c;
	bool ok = true;

	as_fleet_known_release(known);
	if (!known_is_whole(&from))
		return true;
	c = as_fleet_cur_of(from);
	if (!as_slice_is(as_fleet_string(&c), known_magic))
		return true;
	while (as_fleet_more(&c) && ok) {
		uint64_t i = as_fleet_number(&c, sizeof(uint32_t));
		struct as_fleet_known_at *at;

		if (c.cut || i >= AS_ARRAY_LEN(known->at))
			break;
		at = &known->at[i];
		at->day = (uint32_t)as_fleet_number(&c, sizeof(at->day));
		at->home = as_fleet_number(&c, sizeof(at->home));
		ok = known_take_ids(&at->frame, &c) && known_take_ids(&at->stack, &c) &&
		     known_take_ids(&at->serie, &c);
	}
	if (!ok || c.cut)
		as_fleet_known_release(known);
	return ok;
}
