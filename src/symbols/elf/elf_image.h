/* SPDX-License-Identifier: Apache-2.0 */
/* Is a file an image, and which one? */
#ifndef AS_SYMBOLS_ELF_ELF_IMAGE_H
#define AS_SYMBOLS_ELF_ELF_IMAGE_H

#include "base/base.h"

enum { AS_ELF_ID_MAX = 128 }; /* hexadecimal digits */

enum as_elf_image {
	AS_ELF_IMAGE_NONE,  /* no ELF file, a core, or one that has debug information alone */
	AS_ELF_IMAGE_NO_ID, /* an image without a build id */
	AS_ELF_IMAGE,
};
/* ID, with room for AS_ELF_ID_MAX digits and a NUL, is the build id of the regular file FD. */
enum as_elf_image as_elf_image_id(int fd, char *id);

#endif
