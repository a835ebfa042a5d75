/* SPDX-License-Identifier: Apache-2.0 */
/* Massif of valgrind: what its files share. docs/formats/massif.md. */
#ifndef AS_FORMATS_MASSIF_H
#define AS_FORMATS_MASSIF_H

#include "formats/format.h"
#include "formats/vg_frame.h"

#define MF_NONE UINT32_MAX
#define MF_DESC "desc:"
#define MF_COMMAND "cmd:"
#define MF_UNIT "time_unit:"

/* A line of a tree: "n2: 84000 0x10996B: allocate (new_allocator.h:137)". */
struct mf_row {
	uint32_t depth, parent; /* the row of the line that it is below; MF_NONE */
	uint64_t children;      /* that it says it has */
	uint64_t bytes;
	struct as_vg_frame frame; /* of texts in the snapshot's arena */
	bool summary;             /* it stands for places below the threshold */
	/* What the rows below it are, for massif_put.c: */
	as_val below;
	uint64_t n_below;
	uint32_t place[2]; /* from 1; by whether it is inlined */
};

enum mf_tree { MF_EMPTY, MF_DETAILED, MF_PEAK };

struct mf_snapshot {
	uint64_t number, time, heap, extra, stacks;
	enum mf_tree tree;
	uint64_t off, line; /* where it stands */
	AS_VEC(struct mf_row) row;
	struct as_arena arena;
};

struct as_mf {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_slice desc, command, unit;
	bool chosen;     /* by number: */
	uint64_t number; /* the snapshot that was asked for */
	bool open, kept; /* there is a snapshot; its tree is read */
	bool cut;
	struct mf_snapshot now, best; /* the one that is read, and the one to show until now */
	bool found;                   /* BEST is one */
	uint64_t n;                   /* snapshots */
	AS_VEC(uint32_t) path;        /* the row at each depth */
};

enum as_code as_mf_read(struct as_rd *rd) AS_NODISCARD;
/* massif_put.c: MF->best becomes the profile. */
enum as_code as_mf_put(struct as_mf *mf) AS_NODISCARD;

#endif
