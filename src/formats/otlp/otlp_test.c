/* SPDX-License-Identifier: Apache-2.0 */
/* What goldens cannot show: memory that runs out, how much is asked for, and who is told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/otlp/otlp.h"
#include "lib/starve.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_otlp, as_format_otlp_json, as_format_pprof;

enum { MAX = 1 << 16 };

struct file {
	char data[MAX];
	size_t n;
};

static struct as_slice golden(struct file *f, const char *name)
{
	const char *root = getenv("AS_SOURCE_ROOT");
	char path[1024];
	FILE *in;

	assert_non_null(root);
	snprintf(path, sizeof(path), "%s/src/formats/otlp/golden/%s", root, name);
	in = fopen(path, "rb");
	assert_non_null(in);
	f->n = fread(f->data, 1, MAX, in);
	fclose(in);
	return (struct as_slice){f->data, f->n};
}

static const char *const good[] = {"plain.otlp", "plain.json", "everything.otlp", "ebpf.otlp",
	"times.otlp", "resources.otlp", "version_19.otlp"};

static void test_running_out_of_memory_is_an_answer(void **state)
{
	struct file f;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(good); i++)
		mem_starve(&as_format_otlp, golden(&f, good[i]));
	mem_starve_sums(&as_format_otlp, golden(&f, "plain.otlp"));
}

static struct as_profile *read_as(struct as_slice bytes, enum as_detail detail, bool sums)
{
	struct mem_how how = {.fmt = &as_format_otlp,
		.detail = detail,
		.sums = sums,
		.moments = detail == AS_DETAIL_FULL};
	struct mem_read r;

	mem_read(&r, &how, bytes);
	assert_int_equal(r.rc, AS_OK);
	return mem_take(&r);
}

static void test_sums_of_functions_are_those_of_the_paths(void **state)
{
	struct file f;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(good); i++) {
		struct as_slice bytes = golden(&f, good[i]);
		struct as_profile *paths = read_as(bytes, AS_DETAIL_FUNC, false);
		struct as_profile *sums = read_as(bytes, AS_DETAIL_FUNC, true);

		if (sums->sums.func.n)
			assert_true(sums_are_right(paths, sums));
		else
			assert_int_equal(sums->sample.node.n, paths->sample.node.n);
		as_profile_free(paths);
		as_profile_free(sums);
	}
}

static void test_times_that_nobody_asks_for_are_counted(void **state)
{
	struct file f;
	struct as_slice bytes = golden(&f, "times.otlp");
	struct as_profile *all = read_as(bytes, AS_DETAIL_FULL, false);
	struct as_profile *none = read_as(bytes, AS_DETAIL_FUNC, false);

	(void)state;
	assert_int_equal(all->moments.n, 4);
	assert_int_equal(all->moments.left, 0);
	assert_int_equal(none->moments.n, 0);
	assert_int_equal(none->moments.left, 4);
	as_profile_free(all);
	as_profile_free(none);
}

static void test_probe_tells_it_from_pprof(void **state)
{
	static const char pprof[] = "\x0a\x04\x08\x01\x10\x02\x12\x04\x0a\x00\x12\x00\x32\x00";
	struct as_peek other = {.head = {pprof, sizeof(pprof) - 1}, .whole = true};
	struct file f;

	(void)state;
	assert_int_equal(as_otlp_probe(&other), AS_PROBE_NO);
	for (size_t i = 0; i < AS_ARRAY_LEN(good); i++) {
		struct as_peek pk = {.head = golden(&f, good[i]), .whole = true};

		assert_true(as_otlp_probe(&pk) >= AS_PROBE_MAGIC);
		assert_int_equal(as_format_pprof.probe(&pk), AS_PROBE_NO);
		pk.head.len = pk.head.len / 3;
		pk.whole = false;
		assert_true(as_otlp_probe(&pk) > as_format_pprof.probe(&pk));
	}
}

/* The first bytes of a large file end anywhere: in a number, too. */
static void test_a_head_that_is_cut_anywhere_is_one(void **state)
{
	static const char *const names[] = {"plain.otlp", "times.otlp", "resources.otlp"};
	struct file f;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct as_slice all = golden(&f, names[i]);

		for (size_t n = 64; n < all.len; n++) {
			struct as_peek pk = {.head = {all.p, n}, .whole = false};

			if (as_format_otlp.probe(&pk) == AS_PROBE_NO)
				fail_msg("%s is not known by its first %zu bytes", names[i], n);
		}
	}
}

static void test_versions_are_told_apart(void **state)
{
	static const struct {
		const char *name, *version;
	} c[] = {{"plain.otlp", "1.10 or newer"}, {"version_19.otlp", "1.9"},
		{"ebpf.otlp", "1.10 or newer"}};
	struct file f;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(c); i++) {
		struct as_profile *prof = read_as(golden(&f, c[i].name), AS_DETAIL_FUNC, false);

		assert_true(as_slice_is(as_str_get(prof, prof->version), c[i].version));
		as_profile_free(prof);
	}
}

int otlp_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
		cmocka_unit_test(test_sums_of_functions_are_those_of_the_paths),
		cmocka_unit_test(test_times_that_nobody_asks_for_are_counted),
		cmocka_unit_test(test_probe_tells_it_from_pprof),
		cmocka_unit_test(test_a_head_that_is_cut_anywhere_is_one),
		cmocka_unit_test(test_versions_are_told_apart),
	};

	return cmocka_run_group_tests_name("otlp", tests, NULL, NULL);
}
