/* SPDX-License-Identifier: Apache-2.0 */
/* The profile's strings, each stored once. Row 0 is "". */
#ifndef AS_MODEL_STRINGS_H
#define AS_MODEL_STRINGS_H

#include "base/arena.h"
#include "base/index.h"
#include "model/handles.h"

struct as_strings {
	struct as_arena *arena; /* borrowed; owns the bytes */
	AS_VEC(struct as_slice) row;
	struct as_index index;
};

AS_NODISCARD bool as_strings_init(struct as_strings *st, struct as_arena *arena);
void as_strings_release(struct as_strings *st);

/* Make room for N strings in all. False if out of memory. */
AS_NODISCARD bool as_strings_reserve(struct as_strings *st, size_t n);

/* The handle of S, interned when it is new; false if out of memory. */
AS_NODISCARD bool as_strings_add(struct as_strings *st, struct as_slice s, as_str *out);

/* Of so many at once the memory is asked for before it is looked at: none waits alone. */
enum { AS_STRINGS_MANY = 16 };

/* The same of N <= AS_STRINGS_MANY strings. */
AS_NODISCARD bool as_strings_add_many(
	struct as_strings *st, const struct as_slice *s, uint32_t n, as_str *out);

static inline struct as_slice as_strings_get(const struct as_strings *st, as_str s)
{
	return st->row.p[s.i];
}

#endif
