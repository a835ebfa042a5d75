/* SPDX-License-Identifier: Apache-2.0 */
/* Linkage names to readable ones: C++ (Itanium), Rust (legacy and v0), D, by libiberty. */
#ifndef AS_SYMBOLS_NAMES_DEMANGLE_H
#define AS_SYMBOLS_NAMES_DEMANGLE_H

#include "base/arena.h"

enum as_name_level {
	AS_NAMES_FULL,        /* std::vector<int>::push_back(int const&) */
	AS_NAMES_NOARGS,      /* std::vector<int>::push_back */
	AS_NAMES_NOTEMPLATES, /* std::vector::push_back */
	AS_NAMES_SHORT,       /* push_back; a lambda after what it stands in: run::{lambda#1} */
};

/* Below AS_NAMES_FULL, "{lambda(int)#1}" is "{lambda#1}" and hashes of Rust are gone; ABI tags
 * go at AS_NAMES_NOTEMPLATES. Levels are for showing: different functions may look the same. */

/* NAME at LEVEL: NAME itself where it is no linkage name, else in ARENA. p == NULL: out of memory.
 * Clone suffixes (".isra.0", ".cold", "[clone .isra.0]") are kept at AS_NAMES_FULL only. A name
 * that is hostile (deep nesting, huge expansion) stays as it is, and so does one that libiberty
 * holds too long (C++: over 1024 bytes). Without libiberty all linkage names stay as they are. */
struct as_slice as_demangle(struct as_arena *arena, struct as_slice name, enum as_name_level level);

/* Whether libiberty is there. It has no version of its own. */
bool as_demangle_is_built(void);

/* A readable name, from wherever, at LEVEL; a part of NAME or in ARENA. Brackets of operators
 * ("operator<<", "operator()"), lambdas and "(anonymous namespace)" are understood. */
struct as_slice as_name_at_level(
	struct as_arena *arena, struct as_slice name, enum as_name_level level);

/* The last word of the name in NAME, a part of it, as that of every name has which looks like NAME
 * at some level; empty where only as_name_at_level() can tell. */
struct as_slice as_name_base(struct as_slice name);
/* as_name_at_level() for a name whose language is known. DOTS: its parts are separated by dots,
 * as in D. */
struct as_slice as_name_shorten(
	struct as_arena *arena, struct as_slice name, enum as_name_level level, bool dots);

#endif
