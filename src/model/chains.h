/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the code at an address of an object is: the function, and the functions that were inlined
 * into it there. src/symbols makes this, or a test, and as_expand() takes it.
 */
#ifndef AS_MODEL_CHAINS_H
#define AS_MODEL_CHAINS_H

#include "model/profile.h"

struct as_frame {
	as_str name;
	as_str func_file; /* the function's own file: it tells functions of one name apart */
	as_str file;      /* where this frame stands; "" = not known */
	uint32_t line;    /* likewise; 0 = not known */
	uint64_t start;   /* NAME is "": the function begins here, an address as the chain's */
};

/* Frames frame.p[first] up to frame.p[first + n], innermost first; n > 0. */
struct as_chain {
	as_object object;
	uint64_t addr;
	uint32_t first, n;
};

/* Code of OBJECT whose place in the file is [from, limit), in the profile, has the link-time
 * address TO and so on. */
struct as_segment {
	as_object object;
	uint64_t from, limit, to;
};

struct as_chains {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_strings str; /* names and files; "" is 0 */
	AS_VEC(struct as_frame) frame;
	AS_VEC(struct as_chain) chain;
	/* Object by object; of several the first is meant. Behind them stands one of no object. */
	AS_VEC(struct as_segment) segment;
	struct as_index index;
};

/* False if out of memory. Always ends in as_chains_release(). */
AS_NODISCARD bool as_chains_init(struct as_chains *c, const struct as_alloc *al);
void as_chains_release(struct as_chains *c);

/* Begin the chain of ADDR, which has none yet: its frames follow, innermost first, at least one. */
AS_NODISCARD bool as_chains_add(struct as_chains *c, as_object object, uint64_t addr);
AS_NODISCARD bool as_chains_frame(struct as_chains *c, const struct as_frame *frame);

/* SEGMENT of an object whose segments are the last that were added, or that has none yet. */
AS_NODISCARD bool as_chains_segment(struct as_chains *c, const struct as_segment *segment);

/* That of ADDR; NULL if there is none. */
const struct as_chain *as_chains_find(const struct as_chains *c, as_object object, uint64_t addr);

/* What valgrind calls a function without a symbol: its address in the object, with all digits,
 * "0x0000000000001090". False if NAME is no such. */
bool as_name_is_address(struct as_slice name, uint64_t *addr);
/* NAME without the level of recursion that Callgrind puts behind it, "'2", which is in LEVEL; it is
 * empty if there is none. */
struct as_slice as_name_cut_level(struct as_slice name, struct as_slice *level);
/* Whether F has no name but that: whoever knows the chain of its address can name it. */
static inline bool as_func_is_nameless(const struct as_profile *prof, as_func f)
{
	struct as_slice level, name = as_name_cut_level(as_func_name(prof, f), &level);
	uint64_t addr;

	return !prof->func.name.p[f.i].i || as_name_is_address(name, &addr);
}

static inline struct as_slice as_chains_str(const struct as_chains *c, as_str s)
{
	return as_strings_get(&c->str, s);
}

#endif
