/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of flame graphs; private to src/picture. */
#ifndef AS_PICTURE_FLAME_IMPL_H
#define AS_PICTURE_FLAME_IMPL_H

#include "picture/flame.h"

/* For each depth, the open box and where its next child begins. */
struct as_flame_open {
	size_t box;
	as_val next, end;
};

/* Begin F with its root, OPEN[0], which is WIDTH wide. AS_E_ARG if that is below 0. */
enum as_code as_flame_begin(struct as_flame *f, struct as_flame_open *open, struct as_err *err)
	AS_NODISCARD;
/* Put a box on the one that is open below it, as wide as it costs and as there is room. Nothing is
 * put if it costs nothing. OPEN has room for its depth + 2. */
enum as_code as_flame_put(struct as_flame *f, struct as_flame_open *open, struct as_flame_box box,
	struct as_err *err) AS_NODISCARD;

/* The facts of most pictures: see struct as_flame_words. */
struct as_slice as_flame_facts(const struct as_flame *f, struct as_arena *ar, size_t box);
/* FACTS and "; self 12". */
struct as_slice as_flame_add_self(const struct as_flame *f, struct as_arena *ar,
	struct as_slice facts, as_val self, bool estimated);
/* The object or file (BY) of a box as a number, 0 = none, and its name. */
uint32_t as_flame_group_of(const struct as_flame *f, size_t box, enum as_flame_by by);
struct as_slice as_flame_group_name(const struct as_flame *f, uint32_t group, enum as_flame_by by);

struct as_flame_event as_flame_event(const struct as_flame *f);
/* The function of BOX, which is called NAME. */
struct as_flame_func as_flame_func_of(const struct as_flame *f, size_t box, struct as_slice name);

/* The number of levels below the drawn ones; only for boxes of kind REST. */
static inline bool as_flame_is_deep(const struct as_flame *f, const struct as_flame_box *b)
{
	return f->levels && b->depth > f->levels;
}

/* The title of a profile's picture. */
struct as_slice as_flame_title(const struct as_flame *f, struct as_arena *ar);
/* The notes: how to read the picture, what was left out, what is estimated. */
struct as_slice as_flame_notes(
	const struct as_flame *f, const struct as_flame_style *how, struct as_arena *ar);

#endif
