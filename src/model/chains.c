/* SPDX-License-Identifier: Apache-2.0 */
#include "model/chains.h"

bool as_chains_init(struct as_chains *c, const struct as_alloc *al)
{
	*c = (struct as_chains){.al = al};
	as_arena_init(&c->arena, al);
	as_index_init(&c->index, al);
	return as_strings_init(&c->str, &c->arena);
}

void as_chains_release(struct as_chains *c)
{
	as_vec_free(c->al, &c->frame);
	as_vec_free(c->al, &c->chain);
	as_vec_free(c->al, &c->segment);
	as_index_release(&c->index);
	as_strings_release(&c->str);
	as_arena_release(&c->arena);
}

static uint64_t chains_hash(as_object object, uint64_t addr)
{
	return as_hash_mix(object.i, addr);
}

bool as_chains_add(struct as_chains *c, as_object object, uint64_t addr)
{
	struct as_chain chain = {
		.object = object, .addr = addr, .first = (uint32_t)c->frame.n, .n = 0};

	return c->chain.n < UINT32_MAX && as_vec_push(c->al, &c->chain, chain) &&
	       as_index_add(&c->index, chains_hash(object, addr), (uint32_t)c->chain.n - 1);
}

bool as_chains_frame(struct as_chains *c, const struct as_frame *frame)
{
	if (c->frame.n == UINT32_MAX || !as_vec_push(c->al, &c->frame, *frame))
		return false;
	c->chain.p[c->chain.n - 1].n++;
	return true;
}

bool as_chains_segment(struct as_chains *c, const struct as_segment *segment)
{
	if (!as_vec_reserve(c->al, &c->segment, c->segment.n + 2))
		return false;
	c->segment.p[c->segment.n++] = *segment;
	c->segment.p[c->segment.n] = (struct as_segment){.from = 0};
	return true;
}

const struct as_chain *as_chains_find(const struct as_chains *c, as_object object, uint64_t addr)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&c->index, chains_hash(object, addr), &pos, &row))
		if (c->chain.p[row].addr == addr && c->chain.p[row].object.i == object.i)
			return &c->chain.p[row];
	return NULL;
}

bool as_name_is_address(struct as_slice name, uint64_t *addr)
{
	return (name.len == 2 + 16 || name.len == 2 + 8) && as_slice_starts(name, "0x") &&
	       as_slice_hex(as_slice_skip(name, 2), addr);
}

struct as_slice as_name_cut_level(struct as_slice name, struct as_slice *level)
{
	size_t n = name.len;

	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	if (n < 2 || n == name.len || name.p[n - 1] != '\'')
		n = name.len + 1;
	*level = (struct as_slice){name.p + n - 1, name.len + 1 - n};
	return (struct as_slice){name.p, n - 1};
}
