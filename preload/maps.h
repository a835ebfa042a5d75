/* SPDX-License-Identifier: Apache-2.0 */
/* Reading /proc/self/maps with system calls only. */
#ifndef AS_PRELOAD_MAPS_H
#define AS_PRELOAD_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct as_map {
	uint64_t start, end, offset, inode;
	uint32_t dev; /* major << 16 | minor */
	bool read, exec;
	const char *path; /* N_PATH bytes, of the buffer; empty: anonymous */
	size_t n_path;
};

enum { AS_MAPS_BUFFER = 16384 };

typedef void as_maps_fn(void *ctx, const struct as_map *map);

/* Calls EACH for every mapping, in the order of addresses; BUF has AS_MAPS_BUFFER bytes. */
bool as_maps_each(char *buf, as_maps_fn *each, void *ctx);

#endif
