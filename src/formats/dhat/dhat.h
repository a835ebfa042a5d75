/* SPDX-License-Identifier: Apache-2.0 */
/* DHAT of valgrind and of dhat-rs: what its files share. docs/formats/dhat.md. */
#ifndef AS_FORMATS_DHAT_H
#define AS_FORMATS_DHAT_H

#include "formats/json_in.h"
#include "formats/vg_frame.h"

#define DH_VERSION_KEY "dhatFileVersion"

enum { DH_VERSION = 2 };

/* What a point has that adds up; of "mb" and "mbk", its own maximum, no sum makes sense. */
enum {
	DH_BYTES,
	DH_BLOCKS,
	DH_LIFETIME,
	DH_MAX_BYTES,
	DH_MAX_BLOCKS,
	DH_END_BYTES,
	DH_END_BLOCKS,
	DH_READ,
	DH_WRITTEN,
	DH_VALUES,
};

/* A point of the program: what was asked for by one stack. */
struct dh_point {
	uint64_t value[DH_VALUES];
	size_t first, n; /* of its frames in DH->frame, the innermost first */
	uint64_t off;    /* where it stands */
};

struct dh_frame {
	struct as_vg_frame is;
	uint32_t place[2]; /* from 1; by whether it is inlined */
};

struct as_dh {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_json_in in;
	struct as_arena arena;
	uint64_t version, pid;
	bool has_pid;
	/* "" = the file does not say */
	struct as_slice mode, command, byte, bytes, blocks, time, end;
	bool seen[DH_VALUES];
	uint64_t n_maxima, n_accesses; /* points that have them */
	AS_VEC(struct dh_point) point;
	AS_VEC(uint32_t) frame; /* numbers in TABLE */
	AS_VEC(struct dh_frame) table;
};

enum as_code as_dh_read(struct as_rd *rd) AS_NODISCARD;
/* dhat_put.c: all has been read. */
enum as_code as_dh_put(struct as_dh *dh) AS_NODISCARD;

#endif
