/* SPDX-License-Identifier: Apache-2.0 */
/* Frames as valgrind describes them in the files of its heap profilers: an address, and what its
 * debug information says of that. */
#ifndef AS_FORMATS_VG_FRAME_H
#define AS_FORMATS_VG_FRAME_H

#include "model/build.h"

/* "0x10920E: push (heap.c:5)", "0x48417B4: malloc (in /usr/lib/x.so)", "0x4001: ??? (:0)",
 * "0x1084ac139: alloc::exchange (alloc.rs:316:11)", "???". Slices are of the text. */
struct as_vg_frame {
	uint64_t addr;                      /* of the running process; 0 = unknown */
	struct as_slice name, file, object; /* "" = unknown */
	uint64_t line, column;
};

void as_vg_frame_parse(struct as_slice text, struct as_vg_frame *f);

/* INLINED: it is part of its caller's code, and at its address. Addresses are kept where no object
 * is named: they are of the process, and no file of an object has them. */
enum as_code as_vg_frame_place(struct as_build *b, const struct as_vg_frame *f, bool inlined,
	as_place *place) AS_NODISCARD;

/* Whether INNER is inlined into OUTER, which called it: they are at one address, and not one
 * function that called itself from there. */
bool as_vg_frame_is_inlined(const struct as_vg_frame *inner, const struct as_vg_frame *outer);

#endif
