/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of Python's cProfile: what its files share. docs/formats/pstats.md. */
#ifndef AS_FORMATS_PSTATS_H
#define AS_FORMATS_PSTATS_H

#include "formats/format.h"

/* ---- pstats_marshal.c: values as Python's marshal writes them (§1) ---- */

enum py_kind {
	PY_WRONG, /* none that such a file has */
	PY_NULL,  /* the end of a dictionary */
	PY_INT,
	PY_REAL,
	PY_TEXT,
	PY_TUPLE, /* its items follow */
	PY_DICT,  /* its keys and values follow, and a PY_NULL */
	PY_KEY,   /* a tuple that was read before: what the reader made of it */
};

struct py_value {
	enum py_kind kind;
	int64_t number;       /* PY_INT; PY_TUPLE: how many items; PY_KEY: the reader's */
	uint64_t bits;        /* PY_REAL: as IEEE 754 has it */
	struct as_slice text; /* PY_TEXT: a piece of the input */
	uint32_t ref; /* PY_TUPLE: what as_py_keep() wants to know; 0 = nobody refers to it */
};

struct py_in {
	const char *p, *end;
	const struct as_alloc *al;
	AS_VEC(struct py_value) ref;  /* what the rest may refer to */
	AS_VEC(struct as_slice) text; /* the same of Python 2 */
	const char *why;              /* what is wrong at P, a constant text */
	bool cut;                     /* the input ends too early, that is */
	bool no_memory;
};

/* The next value, or the head of one that has others in it. False with M->why. */
bool as_py_next(struct py_in *m, struct py_value *v);
/* Who refers to TUPLE is given KEY from now on. */
void as_py_keep(struct py_in *m, const struct py_value *tuple, uint32_t key);
/* Say what is wrong; false. */
bool as_py_wrong(struct py_in *m, const char *why);

/* ---- pstats_time.c: seconds, §3 ---- */

enum py_exact {
	PY_EXACT,   /* but for the last places, which sums of doubles have */
	PY_ROUNDED, /* it is no whole number of nanoseconds */
	PY_NO_TIME, /* not a number, or beyond 64 bits */
};

/* The nanoseconds in so many seconds, a double as IEEE 754 has it. */
enum py_exact as_py_nanos(uint64_t bits, int64_t *nanos);

/* ---- the reader ---- */

#define PY_SAMPLED "__sampled__" /* the key that says so */

struct py_counts {
	int64_t calls;     /* samples at all, of a file of samples */
	int64_t primitive; /* those that are not recursive; samples in the function itself */
	int64_t self, all; /* nanoseconds: without and with what it called */
	bool timed;        /* the latter are known */
};

struct py_func {
	struct as_slice file, name; /* pieces of the input */
	int64_t line;
	uint32_t first; /* the first function of its name and file */
	bool twin;      /* of that: there are others */
	as_func func;
	as_file at;
};

struct py_row {
	uint32_t func;
	struct py_counts has;
};

struct py_edge {
	uint32_t from, to;
	struct py_counts has;
};

struct as_py {
	struct as_rd *rd;
	struct py_in in;
	const char *base;
	struct as_arena arena;
	const struct as_alloc *al;
	struct as_index keys, names;
	AS_VEC(struct py_func) func;
	AS_VEC(struct py_row) row;
	AS_VEC(struct py_edge) edge;
	bool sampled;
	uint64_t n_rounded, n_no_time, first_rounded,
		first_no_time; /* how many; where the first is */
};

/* The first key and the head of what stands behind it look like such a file's. */
enum as_probe as_py_probe(const struct as_peek *pk);
enum as_code as_py_read(struct as_rd *rd) AS_NODISCARD;
/* pstats_put.c: all has been read. */
enum as_code as_py_put(struct as_py *py) AS_NODISCARD;

#endif
