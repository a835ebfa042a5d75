/* SPDX-License-Identifier: Apache-2.0 */
/* The code that is mapped, in the order of addresses, and where its unwind tables are. */
#ifndef AS_PRELOAD_OBJECTS_H
#define AS_PRELOAD_OBJECTS_H

#include <elf.h>
#include <stdatomic.h>

#include "preload/eh_frame.h"
#include "preload/maps.h"

enum { AS_OBJECTS_MAX = 8192, AS_GROUP_MAX = 32, AS_BUILD_ID_MAX = 32, AS_PHDR_MAX = 64 };

struct as_object {
	uint64_t start, end; /* executable addresses */
	uint64_t hdr;        /* .eh_frame_hdr; 0: none */
	uint64_t lo, hi;     /* the mapping that holds the tables */
	bool file;           /* of a file, or the vdso */
	bool stays;          /* can't be unmapped */
	bool ours;           /* this library */
};

struct as_object_table {
	_Atomic uint32_t turn; /* odd: being written */
	uint32_t n;
	struct as_object o[AS_OBJECTS_MAX];
};

struct as_build_id {
	uint8_t n;
	uint8_t bytes[AS_BUILD_ID_MAX];
};

/* Called for every executable mapping, with the build id of its file if it has one. */
typedef void as_object_fn(void *ctx, const struct as_map *map, const struct as_build_id *id);

/* Mappings of one file that follow one another. */
struct as_group {
	struct as_map map[AS_GROUP_MAX];
	char path[4096];
	size_t n, n_path;
};

struct as_objects {
	struct as_object_table table[2];
	_Atomic uint32_t current;
	struct as_group group;
	char buf[AS_MAPS_BUFFER];
	Elf64_Phdr phdr[AS_PHDR_MAX];
	uint64_t self;                  /* an address of this library */
	uint64_t known[AS_OBJECTS_MAX]; /* starts of the objects that stay */
	uint32_t n_known;
	as_object_fn *each;
	void *ctx;
};

/*
 * Reads the mappings again; what readers see changes at once. One caller at a time.
 * False: /proc/self/maps can't be read.
 */
bool as_objects_refresh(struct as_objects *os, as_object_fn *each, void *ctx);

/* Marks the objects of the last refresh as permanent: the program and its libraries. */
void as_objects_settle(struct as_objects *os);

/* The object at ADDR; false: none is known. Safe in the signal handler, during a refresh too. */
bool as_objects_find(struct as_objects *os, uint64_t addr, struct as_object *o);
/* How many objects that begin in START .. END are of a file, and may be unmapped. */
uint32_t as_objects_passing(struct as_objects *os, uint64_t start, uint64_t end);

#endif
