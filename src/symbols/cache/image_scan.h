/* SPDX-License-Identifier: Apache-2.0 */
/* Images below a directory, and their build ids. */
#ifndef AS_SYMBOLS_CACHE_IMAGE_SCAN_H
#define AS_SYMBOLS_CACHE_IMAGE_SCAN_H

#include "base/err.h"
#include "symbols/cache/image_map.h"

/* What was found, and what was not looked into. */
struct as_image_scan {
	const struct as_alloc *al;
	struct as_arena arena; /* owns the texts */
	AS_VEC(struct as_image) image;
	uint64_t files, dirs;   /* that were looked at */
	uint64_t no_id;         /* images without a build id */
	uint64_t unreadable;    /* files and directories */
	uint64_t links, others; /* symbolic links, which are not followed; FIFOs, devices ... */
	struct as_slice first_error; /* "PATH: Permission denied" of an unreadable one */
};

void as_image_scan_begin(struct as_image_scan *scan, const struct as_alloc *al);
void as_image_scan_end(struct as_image_scan *scan);
/* What is below DIR, or the file DIR itself, is added. Nothing is waited for, and links are not
 * followed but that of DIR itself, so that there are no loops. File systems of the kernel's own
 * (/proc, /sys) are left out. Errors: AS_E_IO (there is no DIR, or it cannot be read), AS_E_NOMEM.
 * Without elfutils no image has a build id. */
enum as_code as_image_scan_dir(struct as_image_scan *scan, const char *dir, struct as_err *err)
	AS_NODISCARD;

#endif
