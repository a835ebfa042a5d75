/* SPDX-License-Identifier: Apache-2.0 */
/* A format that runs out of memory, at every place where it can happen; for tests with cmocka. */
#ifndef AS_TESTS_STARVE_H
#define AS_TESTS_STARVE_H

#include "lib/fail_alloc.h"
#include "lib/mem_io.h"

/* TEXT is read and written with memory for ever more requests, until that succeeds: no leak, no
 * wrong size told, and a code that says what is missing. */
static inline void mem_starve(const struct as_format *fmt, struct as_slice text)
{
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = mem_read_and_write(&fa.al, fmt, text);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			return;
		/* a sink in memory says "cannot write" */
		assert_true(rc == AS_E_NOMEM || rc == AS_E_IO);
	}
}

/* The same of reading alone. */
static inline void mem_starve_reading(struct mem_how how, struct as_slice text)
{
	enum as_code rc = AS_E_NOMEM;

	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		how.al = &fa.al;
		mem_read(&r, &how, text);
		rc = r.rc;
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
}

/* And for sums of functions, which nothing writes. */
static inline void mem_starve_sums(const struct as_format *fmt, struct as_slice text)
{
	mem_starve_reading((struct mem_how){.fmt = fmt, .sums = true}, text);
}

#endif
