/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles for the tests of this folder: by hand, and at random from a seed. */
#ifndef AS_OPS_TEST_PROFILES_H
#define AS_OPS_TEST_PROFILES_H

#include "formats/format.h"
#include "model/build.h"
#include "table/project.h"

/* A builder with one part and the events of the blank-separated list. Failing ends the test. */
void as_test_begin(struct as_build *b, const char *events);
struct as_profile *as_test_end(struct as_build *b);

as_func as_test_func(struct as_build *b, const char *name, const char *object, const char *file);
/* Self cost of the first event, in the function's file. */
void as_test_self(struct as_build *b, as_func func, uint64_t line, as_val cost);
void as_test_call(struct as_build *b, as_func from, as_func to, as_val count, as_val cost);
/* A sample of the first event; STACK from the root to the leaf, ended by func 0. */
void as_test_stack(struct as_build *b, uint32_t part, const as_func *stack, as_val cost);

enum {
	AS_TEST_SELF = 1,
	AS_TEST_CALLS = 2,
	AS_TEST_PATHS = 4,
	AS_TEST_CONTEXTS = 8, /* names with contexts, of Callgrind's */
	AS_TEST_JUMPS = 16,
	AS_TEST_NEGATIVE = 32,
	AS_TEST_NAMED = 128,   /* every function has a name */
	AS_TEST_FACTS = 64,    /* meta lines, mappings, ids, titles, summaries */
	AS_TEST_MOMENTS = 512, /* paths say when, on a clock that begins at 0 */
	AS_TEST_RARE = 256,    /* labels, linkage names, start lines, columns, durations */
};

/* The same SEED and WHAT give the same profile everywhere. */
struct as_profile *as_test_random(uint64_t seed, unsigned what);

/* Costs by the text that names their rows, so that two profiles can be compared. */
struct as_test_sums {
	size_t n;
	struct as_test_sum {
		char name[160];
		as_val v[3];
	} row[600];
};
/* Add the projection of PROF: self or inclusive cost, rows of zeros left out. */
void as_test_sum(
	struct as_test_sums *sums, const struct as_profile *prof, enum as_by by, bool inclusive);
/* The same rows with the same costs; failing ends the test. */
void as_test_same(const struct as_test_sums *a, const struct as_test_sums *b);

/* How much of KIND was lost. */
uint64_t as_test_lost(const struct as_losses *l, const char *kind);

/* What PROF is as a dump; the caller frees it. */
char *as_test_dump(const struct as_profile *prof);

uint32_t as_test_next(uint64_t *state, uint32_t n); /* a number below N */

#endif
