/* SPDX-License-Identifier: Apache-2.0 */
/* A name of any language in the pieces by which it may be shown shorter. */
#ifndef AS_REPORT_KIT_NAME_PIECES_H
#define AS_REPORT_KIT_NAME_PIECES_H

#include "base/slice.h"

enum { AS_NAME_PIECES_MAX = 128 };

struct as_name_piece {
	struct as_slice sep;   /* what stands before it: "" "::" "." "/" "->" "\" */
	struct as_slice word;  /* push_back  operator<<  {lambda(int)#1}  (anonymous namespace) */
	struct as_slice targs; /* "<int>", "[abi:cxx11]" */
	struct as_slice args;  /* "(int) const" */
};

/* All slices are parts of the name. */
struct as_name_pieces {
	struct as_slice type; /* what stands before it: "void ", "vtable for " */
	struct as_name_piece piece[AS_NAME_PIECES_MAX];
	size_t n;             /* at least 1; of more than there is room for the last ones */
	size_t core;          /* from here on no piece says anything without the one before it */
	struct as_slice tail; /* "@plt", "'2", " [clone .isra.0]", the hash of Rust */
};

void as_name_take_apart(struct as_slice name, struct as_name_pieces *out);

#endif
