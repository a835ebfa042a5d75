/* SPDX-License-Identifier: Apache-2.0 */
/* What gcov says of a program that was built with --coverage. docs/formats/gcov.md. */
#ifndef AS_FORMATS_GCOV_GCOV_H
#define AS_FORMATS_GCOV_GCOV_H

#include "formats/format.h"
#include "formats/json_in.h"

enum { AS_GC_EXECUTIONS, AS_GC_CALLS, AS_GC_EVENTS };

struct gc_func {
	struct as_slice name;      /* the linker's */
	struct as_slice demangled; /* "" = as NAME */
	uint64_t line;             /* where it begins */
	uint64_t calls;
	bool has_calls;
	as_func func;
};

struct gc_line {
	uint64_t number, count;
	uint32_t func; /* from 1; 0 = not known */
};

/* A source file's lines, and the functions in it. */
struct as_gc {
	struct as_rd *rd;
	const struct as_alloc *al; /* a pool's */
	struct as_arena arena;
	struct as_json_in in;
	uint32_t part;
	uint64_t files;
	uint64_t branches; /* that were passed over */
	bool has_version;  /* of gcc: it is gcov's */
	struct as_slice file;
	AS_VEC(struct gc_func) func;
	AS_VEC(struct gc_line) line;
	struct as_index names; /* of functions */
};

/* The function of that linker's name, made if it is new; from 1. False: no memory. */
bool as_gc_func(struct as_gc *gc, struct as_slice name, uint32_t *out);
bool as_gc_line(struct as_gc *gc, struct gc_line line);
/* The part and its events; then each file, when all of it was read. */
enum as_code as_gc_begin(struct as_gc *gc);
enum as_code as_gc_put(struct as_gc *gc);

/* How many branches there were, at the end. */
enum as_code as_gc_tell_branches(const struct as_gc *gc);

enum as_code as_gc_read_json(struct as_gc *gc);
enum as_code as_gc_read_text(struct as_gc *gc);

/* Whether LINE is the first one of text: "-: 0:Source:a.c"; then *FILE is that. */
bool as_gc_source(struct as_slice line, struct as_slice *file);

#endif
