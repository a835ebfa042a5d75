/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for a program that fills much of it. */
#ifndef AS_IO_HOST_ALLOC_H
#define AS_IO_HOST_ALLOC_H

#include "base/alloc.h"

/* as_alloc_libc, where blocks of middling size come with their pages. */
extern const struct as_alloc as_alloc_host;

/* How memory that is freed is treated, for the whole program and from now on. Large blocks go
 * back to the system at once, also after a still larger one was: glibc would keep them then. */
void as_host_give_back(void);
/* Blocks of up to a megabyte stay: those of many inputs are of the same sizes. */
void as_host_keep(void);

#endif
