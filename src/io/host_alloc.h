/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for a program that fills much of it. */
#ifndef AS_IO_HOST_ALLOC_H
#define AS_IO_HOST_ALLOC_H

#include "base/alloc.h"

/* as_alloc_libc, where blocks of middling size come with their pages. */
extern const struct as_alloc as_alloc_host;

#endif
