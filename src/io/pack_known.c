/* SPDX-License-Identifier: Apache-2.0 */
/* What packer and unpacker both know of the lines so far, to tell the next ones from it. */
#include "io/pack_impl.h"

uint64_t as_pack_way(uint64_t a, uint64_t b)
{
	uint64_t way = b - a;

	return way >> 63 ? ~(way << 1) : way << 1;
}

uint64_t as_pack_go(uint64_t a, uint64_t way)
{
	return a + (way & 1 ? ~(way >> 1) : way >> 1);
}

uint64_t as_pack_bit(size_t i)
{
	return i >= 3 && i < PACK_VALUES ? UINT64_C(1) << (i - 3) : 0;
}

uint64_t as_pack_base(const struct pack_known *k, enum pack_kind kind, size_t i)
{
	return kind == PACK_TARGET                       ? k->entry[k->callee][i]
	       : kind == PACK_SELF && i == 0 && k->fresh ? k->entry[k->fn][i]
							 : k->at[i];
}

uint64_t as_pack_foretold(const struct pack_known *k)
{
	return k->on + k->due[k->at[0] % PACK_SLOTS];
}

size_t as_pack_steps(const struct pack_known *k, enum pack_kind kind, size_t i)
{
	return kind == PACK_SELF && i == 0 ? PACK_STEPS + k->kind
					   : PACK_POS + (size_t)kind * PACK_POSITIONS + i;
}

void as_pack_saw_op(struct pack_known *k, unsigned op)
{
	k->kind = op < PACK_BARE || op >= PACK_BRANCHED ? op / PACK_SECOND & 15
		  : op < PACK_CALLS                     ? 16 + (op >= PACK_COSTS)
							: 18;
}

void as_pack_saw_text(struct pack_known *k, size_t key, struct as_slice text)
{
	uint32_t hash = 0;

	if (key > PACK_CFN)
		return;
	for (size_t i = 0; i < text.len && text.p[i] != ')'; i++)
		hash = hash * 10 + (unsigned char)text.p[i];
	*(key == PACK_CFN ? &k->callee : &k->fn) = hash % PACK_SLOTS;
	k->fresh |= key == PACK_FN;
}

void as_pack_saw_positions(
	struct pack_known *k, enum pack_kind kind, const uint64_t pos[PACK_POSITIONS])
{
	if (kind == PACK_TARGET) {
		memcpy(k->entry[k->callee], pos, sizeof(k->at));
	} else if (kind == PACK_JUMPED) {
		k->to = pos[0];
	} else {
		memcpy(k->at, pos, sizeof(k->at));
		if (k->fresh)
			memcpy(k->entry[k->fn], pos, sizeof(k->at));
		k->fresh = false;
	}
}

void as_pack_saw_cost(struct pack_known *k, uint64_t first)
{
	k->due[k->at[0] % PACK_SLOTS] = 0;
	k->last = k->on = first;
}

void as_pack_saw_jumps(struct pack_known *k, uint64_t n)
{
	k->on -= n;
	if (k->to > k->at[0])
		k->due[k->to % PACK_SLOTS] += n;
}
