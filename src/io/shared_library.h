/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libraries that are loaded when they are needed. Host only. */
#ifndef AS_IO_SHARED_LIBRARY_H
#define AS_IO_SHARED_LIBRARY_H

#include <dlfcn.h>
#include <string.h>

#include "base/base.h"

/* FUNCTION, a pointer to one, becomes that which LIBRARY has as NAME; false: it has none, or
 * LIBRARY is NULL. ISO C has no way from a pointer to data to one to a function. */
static inline bool as_library_find(void *library, const char *name, void *function)
{
	void *symbol = library ? dlsym(library, name) : NULL;

	memcpy(function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

#endif
