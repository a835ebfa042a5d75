/* SPDX-License-Identifier: Apache-2.0 */
/* A readable function name taken apart. All slices are parts of the name. */
#ifndef AS_BASE_NAME_SCAN_H
#define AS_BASE_NAME_SCAN_H

#include "base/slice.h"

/* Whether C may stand within a word. */
static inline bool as_name_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

enum { AS_NAME_PARTS_MAX = 128 };

/* What stands between two separators. */
struct as_name_part {
	struct as_slice
		base; /* foo  operator<<  (anonymous namespace)  {lambda(int)#1}  <A as B> */
	struct as_slice tags;  /* [abi:cxx11], or the hash of a Rust crate */
	struct as_slice targs; /* <int>, with what is before the bracket: " <", "::<", "!(" */
};

struct as_name_parts {
	struct as_slice prefix; /* "non-virtual thunk to ", "vtable for " ... */
	struct as_name_part part[AS_NAME_PARTS_MAX];
	size_t n;
	struct as_slice suffix; /* "@plt", "'2" */
	bool dots;              /* parts are separated by dots, not by "::" */
};

/* False: NAME is nothing that we understand; leave it as it is. DOTS as in as_name_parts. */
bool as_name_scan(struct as_slice name, bool dots, struct as_name_parts *out);

/* The text behind the bracket that S begins with, up to and with the one that closes it; 0 if it
 * is never closed. "<" and ">" that compare, shift, point or belong to an operator are no brackets.
 */
size_t as_name_group(struct as_slice s);

#endif
