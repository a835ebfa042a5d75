/* SPDX-License-Identifier: Apache-2.0 */
/* The objects whose tables are kept, and pieces of their files. */
#ifndef AS_SYMBOLS_UNWIND_PERF_IMAGE_H
#define AS_SYMBOLS_UNWIND_PERF_IMAGE_H

#include <sys/stat.h>

#include "base/arena.h"
#include "base/index.h"
#include "symbols/unwind/perf_tables.h"

struct as_image_load {
	uint64_t addr, offset, size; /* in the file */
	bool exec;
};

struct as_image_part {
	uint64_t addr, size;
};

/* Entries by the address of the code that they are for. */
struct as_image_fde {
	uint64_t start, addr;
};

struct as_image_table {
	uint64_t n;
	const struct as_image_fde *sorted; /* of the arena; NULL: they are in the file at TABLE */
	uint64_t table;
	bool ready; /* it was looked for */
};

/* An object. ID, PATH and LOAD are of the arena. */
struct as_image {
	struct as_slice id, path; /* ID may be empty */
	struct stat file;
	const struct as_image_load *load;
	size_t n_load;
	uint64_t entry;
	uint64_t hdr;                   /* address of .eh_frame_hdr; 0: there is none */
	struct as_image_part eh, debug; /* .eh_frame, if it is known, and .debug_frame */
	struct as_image_table table[2]; /* of .eh_frame and .debug_frame */
	bool vdso;
};

/* .debug_frame is no part of the process; its offsets stand for addresses from here on. */
#define AS_IMAGE_DEBUG (UINT64_C(1) << 62)

struct as_image_block {
	uint32_t object, index, n;
	uint8_t *p;
};

struct as_images {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_index index, blocks;
	AS_VEC(struct as_image) image;
	AS_VEC(struct as_image_block) block;
	struct as_image_block last; /* what was read last */
	uint64_t generation;
	bool failed; /* a file could not be had; it is for the asker to clear */
};

void as_images_init(struct as_images *im, const struct as_alloc *al);
void as_images_release(struct as_images *im);

/* See as_tables_object(). */
uint32_t as_images_find(
	struct as_images *im, uint32_t pid, const struct as_perf_range *range, struct as_slice id);
bool as_images_bias(
	const struct as_image *image, const struct as_perf_range *range, uint64_t *bias);

/* N bytes at the link-time address ADDR; false: there are none, or the file can't be had. */
bool as_images_fetch(struct as_images *im, const struct as_unwind_asker *asker, uint64_t addr,
	void *p, size_t n);

#endif
