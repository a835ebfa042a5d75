/* SPDX-License-Identifier: Apache-2.0 */
/* A format that runs out of memory, at every place where it can happen; for tests with cmocka. */
#ifndef AS_TESTS_STARVE_H
#define AS_TESTS_STARVE_H

#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/test_profiles.h"

/* Each request alone fails: reading says so, or has lost nothing. */
static inline void mem_starve_once(struct mem_how how, struct as_slice text)
{
	char *whole = NULL;
	bool failed = true;

	for (uint64_t n = 0; failed; n++) { /* first with all memory that there is */
		struct fail_alloc fa;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		fail_alloc_once(&fa);
		how.al = &fa.al;
		mem_read(&r, &how, text);
		failed = !n || fail_alloc_has_failed(&fa);
		fail_alloc_never(&fa);
		assert_true(r.rc == AS_OK || (n && r.rc == AS_E_NOMEM));
		if (r.rc == AS_OK) {
			char *dump = as_test_dump(r.prof);

			if (whole)
				assert_string_equal(dump, whole);
			free(whole);
			whole = dump;
		}
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
	}
	free(whole);
}

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
			break;
		/* a sink in memory says "cannot write" */
		assert_true(rc == AS_E_NOMEM || rc == AS_E_IO);
	}
	mem_starve_once((struct mem_how){.fmt = fmt, .detail = AS_DETAIL_FULL}, text);
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
	if (!how.sums && !how.stacks)
		mem_starve_once(how, text);
}

/* And for sums of functions, which nothing writes. */
static inline void mem_starve_sums(const struct as_format *fmt, struct as_slice text)
{
	mem_starve_reading((struct mem_how){.fmt = fmt, .sums = true}, text);
}

#endif
