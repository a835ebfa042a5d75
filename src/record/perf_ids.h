/* SPDX-License-Identifier: Apache-2.0 */
/* Build ids of files, while processes are listed: thousands of them have the same few mapped. */
#ifndef AS_RECORD_PERF_IDS_H
#define AS_RECORD_PERF_IDS_H

#include "base/arena.h"
#include "base/index.h"
#include "symbols/unwind/perf_unwind.h"

struct as_known_id {
	uint64_t dev, ino;
	struct as_slice path, id; /* of the arena */
};

struct as_known_ids {
	struct as_arena arena;
	struct as_index index;
	AS_VEC(struct as_known_id) row;
};

void as_known_ids_init(struct as_known_ids *ids, const struct as_alloc *al);
void as_known_ids_release(struct as_known_ids *ids);

/* As as_object_build_id() has it. IDS: what was asked before, which is asked once only; or NULL. */
struct as_slice as_known_id(struct as_known_ids *ids, uint32_t pid,
	const struct as_perf_range *range, char text[AS_BUILD_ID_TEXT]);

#endif
