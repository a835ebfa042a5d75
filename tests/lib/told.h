/* SPDX-License-Identifier: Apache-2.0 */
/* What a format tells of an input, which may be one of its golden files; for tests with cmocka. */
#ifndef AS_TESTS_TOLD_H
#define AS_TESTS_TOLD_H

#include "lib/mem_io.h"

/* The file NAME of FMT's folder "golden", until the next one is asked for. */
static inline struct as_slice mem_golden(const struct as_format *fmt, const char *name)
{
	static char text[1 << 16];
	const char *root = getenv("AS_SOURCE_ROOT");
	char path[1024];
	size_t n;
	FILE *in;

	assert_non_null(root);
	snprintf(path, sizeof(path), "%s/src/formats/%s/golden/%s", root, fmt->name, name);
	in = fopen(path, "rb");
	assert_non_null(in);
	n = fread(text, 1, sizeof(text), in);
	fclose(in);
	assert_true(n < sizeof(text));
	return (struct as_slice){text, n};
}

/* TEXT, which NAME is for, is read, and ID is told of it, once; PARTIAL: something was left out. */
static inline void mem_is_told(const struct mem_how *how, struct as_slice text, const char *name,
	enum as_finding_id id, bool partial)
{
	struct mem_read r;
	size_t n = 0;

	mem_read(&r, how, text);
	assert_int_equal(r.rc, AS_OK);
	for (size_t i = 0; i < r.findings.row.n; i++)
		n += r.findings.row.p[i].id == id;
	if (n != 1 || r.prof->partial != partial)
		fail_msg("%s: %zu of them, partial: %d", name, n, r.prof->partial);
	mem_read_free(&r);
}

/* TEXT, cut behind each of its bytes: what is kept is partial and costs no more than the whole, and
 * from FIRST on, which stands in TEXT, something is. */
static inline void mem_keeps_what_is_cut(
	const struct mem_how *how, struct as_slice text, const char *first)
{
	size_t end = text.len, at = as_slice_find_text(text, first);
	struct mem_read whole;

	mem_read(&whole, how, text);
	assert_int_equal(whole.rc, AS_OK);
	assert_true(at < text.len);
	while (end && text.p[end - 1] == '\n')
		end--;
	for (size_t n = 0; n < end; n++) {
		struct mem_read r;

		mem_read(&r, how, (struct as_slice){text.p, n});
		if (r.rc != AS_OK && (n >= at || (r.rc != AS_E_TRUNC && n)))
			fail_msg("cut after %zu bytes: code %d, %s", n, (int)r.rc, r.err.msg);
		assert_true(r.rc != AS_OK || r.prof->partial);
		for (uint32_t i = 0, k; r.prof && i < as_n_events(r.prof); i++)
			if (as_profile_event(whole.prof, as_event_name(r.prof, i), &k) &&
				r.prof->total[i] > whole.prof->total[k])
				fail_msg("cut after %zu bytes, more was read than there is", n);
		mem_read_free(&r);
	}
	mem_read_free(&whole);
}

#endif
