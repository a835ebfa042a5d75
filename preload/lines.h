/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of mapped code in the text of the profile. A line stands there as long as its code is
 * mapped. When the code goes and there are samples in it, it moves: to addresses that nothing
 * else will have, and the samples with it.
 */
#ifndef AS_PRELOAD_LINES_H
#define AS_PRELOAD_LINES_H

#include "preload/objects.h"
#include "preload/spool.h"
#include "preload/words.h"

enum { AS_LINES_MAX = 32768, AS_LINE_ROOM = 8192 };

/* Where code that is gone moves to; no program has anything there. */
#define AS_PC_GONE UINT64_C(0x200000000000)

enum as_line_state { AS_LINE_FREE, AS_LINE_LIVE, AS_LINE_GONE };

struct as_line {
	uint64_t start, size, offset, inode;
	uint64_t at, n; /* in the text */
	uint64_t path;  /* hash */
	uint32_t dev;
	uint8_t state;
	bool seen, file;
};

struct as_lines {
	struct as_spool *spool;
	struct as_line line[AS_LINES_MAX];
	uint32_t n, hint;
	uint64_t next_gone;
	bool moved;
	char room[AS_LINE_ROOM];
};

/* Begins the list of a new file. */
void as_lines_begin(struct as_lines *ls, struct as_spool *spool);

/* Reads the mappings again. One caller at a time. MOVED: addresses of code have changed hands. */
bool as_lines_refresh(struct as_lines *ls, struct as_objects *os, bool *moved);

#endif
