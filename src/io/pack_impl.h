/* SPDX-License-Identifier: Apache-2.0 */
/* Columns and operations of packed text; pack.c writes them, unpack.c reads them. */
#ifndef AS_IO_PACK_IMPL_H
#define AS_IO_PACK_IMPL_H

#include "io/pack.h"

enum { PACK_POSITIONS = 2, PACK_VALUES = 16, PACK_NO_END = 128 };

/* Lines of costs: of a function itself, of a call, and where a call leads to. */
enum pack_kind { PACK_SELF, PACK_CALL, PACK_TARGET, PACK_KINDS };

/* What a line begins with, "fn=" ...; the rest of the line is the text of a column. */
enum { PACK_KEYS = 11, PACK_OTHER = PACK_KEYS };
#define PACK_KEY_TEXTS                                                                      \
	{                                                                                   \
		"fn=", "cfn=", "fl=", "fi=", "fe=", "cob=", "ob=", "cfi=", "cfl=", "jump=", \
			"jcnd="                                                             \
	}

/*
 * Operations. Below PACK_BARE a line of a function's own costs whose last cost is not 0:
 *	1	its first cost is that of the last such line; else the next of COST(SELF, 0)
 *	2, 4	its second cost: 0, the first cost, the next of COST(SELF, 1)
 *	8, 16	its third cost, likewise
 *	32	one behind those is not 0: a varint of MASK says which, they are the next of their
 *		columns
 */
enum {
	PACK_SAME = 1,
	PACK_SECOND = 2,
	PACK_THIRD = 8,
	PACK_MORE = 32,
	PACK_BARE = 64,  /* positions alone */
	PACK_COSTS = 65, /* of a call: as many as N says, each the next of its column */
	PACK_CALLS = 66, /* "calls=": a varint of N, and positions */
	PACK_TEXT = 80,  /* + key, PACK_OTHER: a line without one */
};
enum { PACK_ZERO, PACK_FIRST, PACK_GIVEN };

/*
 * Positions: "*" is 0, "+N" 2 N - 1, "-N" 2 N, in a byte; beyond PACK_FAR in a varint behind that.
 * All else is PACK_WORD, and a line of the column WORD.
 */
enum { PACK_FAR = 254, PACK_WORD = 255 };
#define PACK_STEP_MAX (UINT64_C(1) << 40)

/* The columns. */
enum {
	PACK_OP,
	PACK_MASK,
	PACK_N,
	PACK_POS,
	PACK_WORDS = PACK_POS + PACK_KINDS * PACK_POSITIONS,
	PACK_COST = PACK_WORDS + PACK_KINDS * PACK_POSITIONS,
	PACK_LINES = PACK_COST + 2 * PACK_VALUES,
	PACK_COLUMNS = PACK_LINES + PACK_KEYS + 1,
};

#endif
