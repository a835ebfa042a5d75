/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for a program that fills much of it. */
#ifndef AS_IO_HOST_ALLOC_H
#define AS_IO_HOST_ALLOC_H

#include "base/alloc.h"

/* as_alloc_libc, where blocks of middling size come with their pages. */
extern const struct as_alloc as_alloc_host;

/* From now on, in the whole program, large blocks that are freed go back to the system at once. By
 * default glibc keeps them once a still larger block was freed. */
void as_host_give_back(void);
/* Blocks of up to a megabyte stay: those of many inputs are of the same sizes. */
void as_host_keep(void);

#endif
