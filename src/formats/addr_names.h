/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that a file itself gives to addresses: the location lines of Java's profiles and the
 * symbol section that Perl's `pprof --raw` writes.
 */
#ifndef AS_FORMATS_ADDR_NAMES_H
#define AS_FORMATS_ADDR_NAMES_H

#include "base/arena.h"
#include "base/index.h"

struct as_addr_name {
	uint64_t addr;
	struct as_slice func, file, object; /* func: "caller--callee" when several, inlined */
	uint64_t line;
	bool handler; /* of the profiler's own signal handler */
};

struct as_addr_names {
	struct as_arena *arena; /* borrowed: the texts */
	AS_VEC(struct as_addr_name) row;
	struct as_index index;
};

/* A Java location line: " 0xADDR name (file:line)". False if LINE is none. */
bool as_java_name_parse(struct as_slice line, struct as_addr_name *out);
/* A line of the symbol section: "0xADDR name--inlined". */
bool as_symbol_name_parse(struct as_slice line, struct as_addr_name *out);
/* REST, which begins a symbol section, to the line behind it, which says what follows: "--- heap".
 * False: there is no such section, or it does not end in REST. */
bool as_symbols_skip(struct as_slice *rest);
/* The newest name of an address holds. */
AS_NODISCARD bool as_addr_names_add(struct as_addr_names *names, const struct as_addr_name *name);
const struct as_addr_name *as_addr_names_find(const struct as_addr_names *names, uint64_t addr);

#endif
