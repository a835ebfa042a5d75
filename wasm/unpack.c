/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LZMA undone: a module of its own, of a kilobyte, that unpacks the engine, which is so a tenth
 * smaller than by gzip, the best that browsers undo by themselves. tools/page.py packs it: literals
 * go by four bits of the byte before them (lc=4), and by nothing else (lp=0, pb=0).
 */
#include <stdint.h>

enum { LITERAL = 4, STATES = 12, LENGTHS = 2 + 8 + 8 + 256, TOP = 1 << 24, HALF = 1 << 10 };

/* Where the odds of each kind begin. */
enum {
	MATCH = 0,
	REP = MATCH + STATES,
	REP0 = REP + STATES,
	REP1 = REP0 + STATES,
	REP2 = REP1 + STATES,
	LONG = REP2 + STATES,
	NEW_LENGTH = LONG + STATES,
	REP_LENGTH = NEW_LENGTH + LENGTHS,
	SLOT = REP_LENGTH + LENGTHS,
	SPECIAL = SLOT + 4 * 64,
	ALIGN = SPECIAL + 128,
	LITERALS = ALIGN + 16,
	ODDS = LITERALS + (0x300 << LITERAL),
};

static uint16_t odds[ODDS];
static uint32_t code, range;
static const uint8_t *in;

static void unpack_normal(void)
{
	if (range < TOP) {
		range <<= 8;
		code = code << 8 | *in++;
	}
}

static uint32_t unpack_bit(uint32_t at)
{
	uint32_t bound = (range >> 11) * odds[at], is = code >= bound;

	if (is) {
		range -= bound;
		code -= bound;
		odds[at] = (uint16_t)(odds[at] - (odds[at] >> 5));
	} else {
		range = bound;
		odds[at] = (uint16_t)(odds[at] + ((2 * HALF - odds[at]) >> 5));
	}
	unpack_normal();
	return is;
}

static uint32_t unpack_tree(uint32_t at, uint32_t bits)
{
	uint32_t node = 1;

	for (uint32_t i = 0; i < bits; i++)
		node = node << 1 | unpack_bit(at + node);
	return node - (1U << bits);
}

/* The lowest bit first. */
static uint32_t unpack_reverse(uint32_t at, uint32_t bits)
{
	uint32_t node = 1, v = 0;

	for (uint32_t i = 0; i < bits; i++) {
		uint32_t is = unpack_bit(at + node);

		node = node << 1 | is;
		v |= is << i;
	}
	return v;
}

/* As likely as not. */
static uint32_t unpack_plain(uint32_t bits)
{
	uint32_t v = 0;

	for (; bits; bits--) {
		uint32_t is;

		range >>= 1;
		is = code >= range;
		code -= is ? range : 0;
		v = v << 1 | is;
		unpack_normal();
	}
	return v;
}

static uint32_t unpack_length(uint32_t at)
{
	if (!unpack_bit(at))
		return 2 + unpack_tree(at + 2, 3);
	return unpack_bit(at + 1) ? 18 + unpack_tree(at + 18, 8) : 10 + unpack_tree(at + 10, 3);
}

/* Less one. */
static uint32_t unpack_distance(uint32_t n)
{
	uint32_t slot = unpack_tree(SLOT + 64 * (n < 6 ? n - 2 : 3), 6), bits = (slot >> 1) - 1,
		 high;

	if (slot < 4)
		return slot;
	high = (2 | (slot & 1)) << bits;
	if (slot < 14)
		return high + unpack_reverse(SPECIAL + high - slot, bits);
	high += unpack_plain(bits - 4) << 4;
	return high + unpack_reverse(ALIGN, 4);
}

/* The byte at TO, of which PAST is what a match that ended here would have gone on with; -1: none
 * did. */
static uint8_t unpack_literal(uint32_t before, int32_t past)
{
	uint32_t at = LITERALS + 0x300 * (before >> (8 - LITERAL)), node = 1;

	while (node < 256) {
		uint32_t hint = past < 0 ? 0 : 0x100U << (past >> 7 & 1),
			 is = unpack_bit(at + hint + node);

		node = node << 1 | is;
		past = past < 0 || (hint >> 9) != is ? -1 : past << 1 & 0xff;
	}
	return (uint8_t)node;
}

/* One of the four distances before; it becomes the last one. */
static void unpack_again(uint32_t *rep, uint32_t which)
{
	uint32_t one = rep[which];

	for (; which; which--)
		rep[which] = rep[which - 1];
	rep[0] = one;
}

/* The length of a match, whose distance becomes REP's first. */
static uint32_t unpack_match(uint32_t *rep, uint32_t *state)
{
	uint32_t n, which = 0;

	if (!unpack_bit(REP + *state)) {
		n = unpack_length(NEW_LENGTH);
		unpack_again(rep, 3);
		rep[0] = unpack_distance(n);
		*state = *state < 7 ? 7 : 10;
		return n;
	}
	if (unpack_bit(REP0 + *state))
		which = !unpack_bit(REP1 + *state) ? 1 : 2 + unpack_bit(REP2 + *state);
	else if (!unpack_bit(LONG + *state)) {
		*state = *state < 7 ? 9 : 11;
		return 1;
	}
	unpack_again(rep, which);
	n = unpack_length(REP_LENGTH);
	*state = *state < 7 ? 8 : 11;
	return n;
}

/* FROM is a stream of LZMA, TO has room for the SIZE bytes that it is of. */
__attribute__((export_name("unpack"))) void unpack(const uint8_t *from, uint8_t *to, uint32_t size)
{
	uint32_t state = 0, rep[4] = {0};

	for (uint32_t i = 0; i < ODDS; i++)
		odds[i] = HALF;
	in = from + 1;
	range = UINT32_MAX;
	for (uint32_t i = 0; i < 4; i++)
		code = code << 8 | *in++;
	for (uint8_t *p = to, *end = to + size; p < end;) {
		if (unpack_bit(MATCH + state)) {
			for (uint32_t n = unpack_match(rep, &state); n; n--, p++)
				*p = *(p - rep[0] - 1);
			continue;
		}
		*p = unpack_literal(p > to ? p[-1] : 0, state < 7 ? -1 : *(p - rep[0] - 1));
		p++;
		state -= state < 4 ? state : state < 10 ? 3 : 6;
	}
}
