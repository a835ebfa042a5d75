/* SPDX-License-Identifier: Apache-2.0 */
/* Making the rows of a profile: what the files fleet_rows*.c share. */
#ifndef AS_FLEET_FLEET_ROWS_IMPL_H
#define AS_FLEET_FLEET_ROWS_IMPL_H

#include "base/pool.h"
#include "fleet/fleet_hash.h"
#include "fleet/fleet_ids.h"
#include "fleet/fleet_rows.h"

struct as_fleet_job {
	const struct as_profile *prof;
	const struct as_fleet_rows_opts *opts;
	struct as_fleet_rows *out;
	struct as_err *err;
	struct as_pool pool;                          /* for all that is not OUT's */
	struct as_fleet_bytes row;                    /* scratch: fields of what gets an id */
	struct as_fleet_bytes frames, stacks, series; /* OUT's, until the end */
	struct as_fleet_ids seen_frames, seen_stacks, seen_series; /* whose rows are there */
	/* frames */
	AS_VEC(size_t) ends;      /* scratch: where each function's fields end in ROW */
	AS_VEC(as_place) inlined; /* scratch: places of a frame, innermost first */
	AS_VEC(uint64_t) leaf_first;
	uint64_t *frame; /* of each node: the frame that ends there; 0: not known yet */
	uint64_t *stack; /* of each node: the stack that ends there; 0: not known yet */
	as_node *above;  /* of each node: where the frame above that one ends */
	uint64_t *alone; /* of each place: the frame that is nothing else; 0: not known yet */
	/* series */
	uint64_t *svc;   /* of each event */
	uint64_t *known; /* series of each part and event; 0: not known yet */
};

/* Whether ID is new; it is not from now on. Not either if ROW failed. */
static inline bool as_fleet_is_new(struct as_fleet_job *j, struct as_fleet_ids *seen, uint64_t id)
{
	bool fresh = false;

	if (!j->row.failed)
		j->row.failed = !as_fleet_ids_add(seen, id, &fresh);
	return fresh;
}

/* ID's N rows end at END: one more of OUT's LIST. */
#define as_fleet_named_put(j, list, id, end, n) \
	((j)->row.failed |=                     \
		!as_vec_push((j)->out->al, (list), ((struct as_fleet_named){(id), (end), (n)})))

/* ---- fleet_frames.c ---- */
enum as_code as_fleet_frames_begin(struct as_fleet_job *j) AS_NODISCARD;
/* Ids of stacks, whose rows are there then: the path that ends in NODE; self cost of RUN at LINE
 * and ADDR. */
uint64_t as_fleet_path(struct as_fleet_job *j, as_node node);
uint64_t as_fleet_spot(
	struct as_fleet_job *j, const struct as_run *run, uint64_t line, uint64_t addr);
/* The frame that ends in NODE as rows of the frame ID, of version VER. */
void as_fleet_rename_frame(struct as_fleet_job *j, uint64_t id, as_node node, uint32_t ver);

/* ---- fleet_series.c ---- */
enum as_code as_fleet_series_begin(struct as_fleet_job *j) AS_NODISCARD;
/* The id of what is counted of EVENT in PART, whose row is there then. */
uint64_t as_fleet_series(struct as_fleet_job *j, uint32_t part, uint32_t event);

#endif
