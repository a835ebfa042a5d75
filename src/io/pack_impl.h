/* SPDX-License-Identifier: Apache-2.0 */
/* Columns and operations of packed text; pack.c writes them, unpack.c reads them. */
#ifndef AS_IO_PACK_IMPL_H
#define AS_IO_PACK_IMPL_H

#include "io/pack.h"

enum { PACK_POSITIONS = 2, PACK_VALUES = 16, PACK_NO_END = 128 };

/* Positions: of a function's own costs, of a call's, where a call and a jump lead to, of a line
 * that has no more than its position, as behind a jump. */
enum pack_kind { PACK_SELF, PACK_CALL, PACK_TARGET, PACK_JUMPED, PACK_PLACE, PACK_KINDS };

/* What a line begins with, "fn=" ...; the rest of the line is the text of a column. */
enum { PACK_FN, PACK_CFN, PACK_KEYS = 12, PACK_OTHER = PACK_KEYS };
#define PACK_KEY_TEXTS                                                                      \
	{                                                                                   \
		"fn=", "cfn=", "fl=", "fi=", "fe=", "cob=", "ob=", "cfi=", "cfl=", "jump=", \
			"jcnd=", "jfi="                                                     \
	}

/*
 * Operations. Below PACK_BARE a line of a function's own costs whose last cost is not 0:
 *	1	its first cost is as_pack_foretold(); else the next of COST(SELF, 0)
 *	2, 4	its second cost: 0, the first cost, the next of COST(SELF, 1)
 *	8, 16	its third cost, likewise
 *	32	one behind those is not 0: a varint of MASK says which, they are the next of their
 *		columns
 *	128	so is that of conditional branches, which the head says: the varint is of BRANCH,
 *		and their bit is not in it
 */
enum {
	PACK_SAME = 1,
	PACK_SECOND = 2,
	PACK_THIRD = 8,
	PACK_MORE = 32,
	PACK_BARE = 64,  /* positions alone */
	PACK_COSTS = 66, /* of a call: as many as N says, each the next of its column */
	PACK_CALLS = 68, /* "calls=": COUNT has the way to it from the last line's first cost */
	PACK_JUMP = 70,  /* "jump=": likewise, FOLLOWED */
	PACK_JCND =
		72, /* "jcnd=": likewise, and PASSED: of how many; positions follow on all three */
	PACK_BLANK = 1, /* + it, for BARE to JCND: the line ends in a blank, as Callgrind's do */
	PACK_TEXT = 80, /* + key, PACK_OTHER: a line without one */
	PACK_BRANCHED = 128,
};
enum { PACK_ZERO, PACK_FIRST, PACK_GIVEN };

/*
 * Positions: "*" is 0, "+N" 2 N - 1, "-N" 2 N, in a byte; from PACK_DEC on in a varint of the
 * column FAR. PACK_DEC and PACK_HEX are "N" and "0xN": FAR has the way there from where the line
 * before was; for a callee and for the first line of a function from where it was last. All else is
 * PACK_WORD, and a line of the column WORD.
 */
enum { PACK_DEC = 252, PACK_HEX = 253, PACK_FAR = 254, PACK_WORD = 255 };
#define PACK_STEP_MAX (UINT64_C(1) << 40)

/* What both sides know of the lines so far. */
enum { PACK_SLOTS = 1 << 16, PACK_LINE_KINDS = 19 };
struct pack_known {
	uint64_t at[PACK_POSITIONS];                /* of the last line */
	uint64_t entry[PACK_SLOTS][PACK_POSITIONS]; /* of functions, by their names */
	uint64_t due[PACK_SLOTS];                   /* jumps ahead, by where they lead to */
	uint64_t to;                                /* where the last jump led */
	size_t fn, callee;                          /* slots of the last "fn=", "cfn=" */
	uint64_t last;                              /* first cost of the last line of own costs */
	uint64_t on;                                /* what of it did not jump away */
	unsigned kind; /* of the line before: how long an instruction is goes with what it does */
	bool fresh;    /* no line was since "fn=" */
};

/* From A to B, either way, as a small number; and back. */
uint64_t as_pack_way(uint64_t a, uint64_t b);
uint64_t as_pack_go(uint64_t a, uint64_t way);
/* Of cost I in a mask; 0: none. */
uint64_t as_pack_bit(size_t i);
/* What an absolute position is told from. */
uint64_t as_pack_base(const struct pack_known *k, enum pack_kind kind, size_t i);
/* What the first cost of the line at AT is if only the jumps so far lead there, and what did not
 * jump away before. */
uint64_t as_pack_foretold(const struct pack_known *k);
/* The column of the bytes of such a position. */
size_t as_pack_steps(const struct pack_known *k, enum pack_kind kind, size_t i);
/* There were: a line of this operation; text behind this key; a line's positions; a line's own
 * costs; N jumps to the last of such positions. */
void as_pack_saw_op(struct pack_known *k, unsigned op);
void as_pack_saw_text(struct pack_known *k, size_t key, struct as_slice text);
void as_pack_saw_positions(
	struct pack_known *k, enum pack_kind kind, const uint64_t pos[PACK_POSITIONS]);
void as_pack_saw_cost(struct pack_known *k, uint64_t first);
void as_pack_saw_jumps(struct pack_known *k, uint64_t n);

/* The columns. */
enum {
	PACK_OP,
	PACK_MASK,
	PACK_BRANCH,
	PACK_N,
	PACK_COUNT,
	PACK_FOLLOWED,
	PACK_PASSED,
	PACK_STEPS, /* of own costs, the first position, by the kind of the line before */
	PACK_POS = PACK_STEPS + PACK_LINE_KINDS,
	PACK_FARS = PACK_POS + PACK_KINDS * PACK_POSITIONS,
	PACK_WORDS = PACK_FARS + PACK_KINDS * PACK_POSITIONS,
	PACK_COST = PACK_WORDS + PACK_KINDS * PACK_POSITIONS,
	PACK_LINES = PACK_COST + 2 * PACK_VALUES,
	PACK_COLUMNS = PACK_LINES + PACK_KEYS + 1,
};

#endif
