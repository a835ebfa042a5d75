/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the filters share.
 *
 *	filter.c	the order of things, parts, rows of self cost
 *	filter_match.c	which functions, files and objects match
 *	filter_paths.c	call paths
 *	filter_time.c	when
 *	filter_calls.c	calls, as far as no paths are needed
 *	flow.c		how much of a function's cost passes through others
 *	filter_exact.c	whether paths out of calls are an estimate
 */
#ifndef AS_CHANGE_FILTER_FILTER_IMPL_H
#define AS_CHANGE_FILTER_FILTER_IMPL_H

#include "change/filter/filter.h"
#include "change/kit/change.h"

/* Bits of a kind of filter, in what a frame matches and in what is asked for. */
#define AS_FILTER_BIT(kind) (1u << AS_FILTER_##kind)

struct as_filtering {
	struct as_change c;
	const struct as_filter *how;
	bool *matched;   /* of each matcher; NULL: nobody asks */
	unsigned kinds;  /* that are looked at now; 0 = all */
	unsigned wanted; /* those of them that are given */
	bool addresses;  /* nameless code of an object is told apart by address */
	uint8_t *func;   /* of each function: kinds that it, its file or its object matches */
	uint8_t *file;   /* of each file */
	uint8_t *object; /* of each object */
	bool *open;      /* of each matcher: the names of the code that is looked at may match it */
	AS_VEC(char) names; /* scratch */
};

/* The nameless code of an object: what tables call its addresses, "[xz+0x4330]". */
struct as_filter_code {
	as_func func;
	char text[4096];
	size_t len;    /* of what stands before the address; of all of it: */
	bool gap;      /* it says what is missing, and has no addresses */
	bool each;     /* each of its names has to be looked at */
	unsigned bits; /* kinds that the beginning of all names matches */
};

/* ---- filter.c ---- */
/* Begin with what is no fact: what the result is a part of, and what it no longer declares. */
enum as_code as_filter_begin(struct as_filtering *f) AS_NODISCARD;

/* ---- filter_match.c ---- */
/* What it finds is of F's scratch. */
enum as_code as_filter_match(struct as_filtering *f) AS_NODISCARD;
/* FUNC stands for the nameless code of an object, whose addresses are rows of their own in tables,
 * with names to be matched. */
bool as_filter_is_by_address(const struct as_filtering *f, as_func func);
/* Begin with such a function; then the kinds that the name of an address of it matches. */
void as_filter_name_code(const struct as_filtering *f, as_func func, struct as_filter_code *code);
unsigned as_filter_address_bits(struct as_filtering *f, struct as_filter_code *code, uint64_t addr);
/* Begin with such a function, one at a time, where stretches of rows are looked at as well. */
enum as_code as_filter_begin_code(struct as_filtering *f, as_func func, struct as_filter_code *code)
	AS_NODISCARD;
/* Whether all rows of VIEW match the same, as far as that can be told from their names together. */
enum as_code as_filter_view_bits(struct as_filtering *f, struct as_filter_code *code,
	const struct as_rows_view *view, unsigned *bits, bool *same) AS_NODISCARD;

/* ---- filter_paths.c ---- */
enum as_code as_filter_samples(struct as_filtering *f) AS_NODISCARD;

/* ---- filter_calls.c ---- */
/* FOCUS, IGNORE, OBJECT or SHOW_FROM on a profile that has calls; the result has calls as well. */
enum as_code as_filter_calls(const struct as_profile *prof, const struct as_filter *how,
	enum as_filter_kind kind, struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* ---- filter_exact.c ---- */
/* Nothing is called from two sides, and all that a called function costs came by calls: then
 * there is one way to put the calls together. */
enum as_code as_filter_calls_are_paths(const struct as_profile *prof, bool *yes) AS_NODISCARD;

/* SEEN: what all frames of a sample match; LEAF: what the last one does. */
static inline bool as_filter_selects(const struct as_filtering *f, unsigned seen, unsigned leaf)
{
	if ((f->wanted & AS_FILTER_BIT(FOCUS)) && !(seen & AS_FILTER_BIT(FOCUS)))
		return false;
	if ((f->wanted & AS_FILTER_BIT(OBJECT)) && !(leaf & AS_FILTER_BIT(OBJECT)))
		return false;
	return !(seen & AS_FILTER_BIT(IGNORE));
}

/* A frame that matches BITS is neither hidden nor left out. */
static inline bool as_filter_shows(const struct as_filtering *f, unsigned bits)
{
	if ((f->wanted & AS_FILTER_BIT(SHOW)) && !(bits & AS_FILTER_BIT(SHOW)))
		return false;
	return !(bits & AS_FILTER_BIT(HIDE));
}

static inline unsigned as_filter_bits(const struct as_filtering *f, as_func func, as_file file)
{
	return f->func[func.i] | f->file[file.i];
}

#endif
