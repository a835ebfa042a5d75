/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a store, as it is typed: the query of "store:NAME?service=api&since=1h". */
#ifndef AS_FLEET_FLEET_QUERY_H
#define AS_FLEET_FLEET_QUERY_H

#include "base/arena.h"
#include "base/err.h"

/* Of a key one of the values that are asked for: "service", "host", "event", else a label. */
struct as_fleet_term {
	struct as_slice key, value;
};

struct as_fleet_terms {
	AS_VEC(struct as_fleet_term) term;
};

/* QUERY's words, KEY=VALUE, added to OUT as what they stand for: '+' is a blank, "%XX" a byte.
 * Texts are ARENA's and end in a NUL; OUT is as_vec_free()d by AL, also after a failure. AS_E_ARG:
 * a word is none; *WAY says what to type instead. */
enum as_code as_fleet_query_terms(struct as_slice query, struct as_arena *arena,
	const struct as_alloc *al, struct as_fleet_terms *out, const char **way, struct as_err *err)
	AS_NODISCARD;

struct as_sql;
/* A word back, behind SEP: what may mean something in a query, a shell or a path is "%XX". */
void as_fleet_query_put(struct as_sql *text, const char *sep, const struct as_fleet_term *term);

#endif
