/* SPDX-License-Identifier: Apache-2.0 */
/* Names as views shall show them (model/shown.h), made out of whole ones. */
#ifndef AS_CHANGE_SHOW_NAMES_H
#define AS_CHANGE_SHOW_NAMES_H

#include "base/err.h"
#include "base/pool.h"
#include "model/profile.h"

/* Names that are being made. Functions of one place, an object and a file, that would look alike
 * keep theirs, so that a row is seen to be one function. */
struct as_show_names {
	struct as_shown *out;
	struct as_pool pool; /* of all that follows */
	struct as_arena arena;
	struct as_index names; /* rows of NAME by what they are called */
	struct as_index looks; /* rows of LOOK by what is seen */
	AS_VEC(struct as_show_name) name;
	AS_VEC(struct as_show_look) look;
	AS_VEC(struct as_show_plain) plain; /* names that are shown whole */
};

/* OUT is initialised. SN may not move; it ends in as_show_names_end(). */
void as_show_names_begin(struct as_show_names *sn, struct as_shown *out);
/* NAME, which is borrowed, is that of a function at PLACE: any number that others have, too. */
AS_NODISCARD bool as_show_names_add(struct as_show_names *sn, struct as_slice name, uint64_t place);
/* OK: whether all went well so far. False: out of memory. */
AS_NODISCARD bool as_show_names_end(struct as_show_names *sn, bool ok);

/* The names of PROF's functions into OUT, which is initialised, when they are asked for; until
 * as_shown_complete() PROF is borrowed. Contexts of Callgrind's ("'2") stay. */
enum as_code as_show_names_of(
	struct as_shown *out, const struct as_profile *prof, struct as_err *err) AS_NODISCARD;

#endif
