/* SPDX-License-Identifier: Apache-2.0 */
/* Names of code that was made at run time, by perf's maps. */
#define _GNU_SOURCE
#include "symbols/symbolize_testing.h"

static void test_generated_code_is_named_by_a_perf_map(void **state)
{
	const char *path = text;
	struct fixture f;

	(void)state;
	write_text("7f0000001000 40 jitted::function\n");
	begin(&f);
	add_code(&f, (as_object){0}, 0x7f0000001020);
	add_code(&f, (as_object){0}, 0x7f0000001040);
	f.opts.object = &path;
	f.opts.n_object = 1;
	ask(&f);
	assert_string_equal(name_at(&f, (as_object){0}, 0x7f0000001020), "jitted::function");
	assert_null(name_at(&f, (as_object){0}, 0x7f0000001040));
	end(&f);
	unlink(text);
}

static void test_a_perf_map_of_one_of_several_processes_is_not_used(void **state)
{
	struct fixture f;
	uint32_t part;
	char dir[] = "/tmp/assay-map-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(text, sizeof(text), "%s/perf-7.map", dir);
	for (int n = 1; n <= 2; n++) {
		FILE *out = fopen(text, "w");

		assert_non_null(out);
		fputs("1000 40 jitted\n", out);
		fclose(out);
		begin(&f);
		for (int i = 1; i < n; i++)
			assert_int_equal(as_build_part(&f.b, &part), AS_OK);
		for (int i = 0; i < n; i++) {
			f.b.prof->part.p[i].has_pid = true;
			f.b.prof->part.p[i].pid = 7 + (uint64_t)i;
		}
		add_code(&f, (as_object){0}, 0x1004);
		f.opts.perf_map_dir = dir;
		ask(&f);
		assert_int_equal(name_at(&f, (as_object){0}, 0x1004) != NULL, n == 1);
		end(&f);
	}
	unlink(text);
	rmdir(dir);
}

static void test_a_perf_map_that_others_may_have_put_there_is_not_used(void **state)
{
	char dir[] = "/tmp/assay-map-XXXXXX", real[64];
	struct fixture f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_text("1000 40 jitted\n");
	snprintf(real, sizeof(real), "%s/perf-7.map", dir);
	assert_int_equal(symlink(text, real), 0);
	for (int given = 0; given < 2; given++) {
		const char *path = real;

		begin(&f);
		f.b.prof->part.p[0].has_pid = true;
		f.b.prof->part.p[0].pid = 7;
		add_code(&f, (as_object){0}, 0x1004);
		f.opts.perf_map_dir = dir;
		f.opts.object = &path;
		f.opts.n_object = (size_t)given;
		ask(&f);
		assert_int_equal(name_at(&f, (as_object){0}, 0x1004) != NULL, given);
		assert_int_equal(only_report(&f)->note.len != 0, !given);
		end(&f);
	}
	unlink(real);
	unlink(text);
	rmdir(dir);
}

/* Process numbers come again. */
static void test_a_perf_map_of_another_run_is_not_used(void **state)
{
	static const struct {
		time_t written; /* seconds after the start of a run of 100 s */
		bool used;
	} ex[] = {{-3600, false}, {-2, false}, {0, true}, {99, true}, {104, true}, {3600, false}};
	const time_t started = 1700000000;
	char dir[] = "/tmp/assay-map-XXXXXX";
	struct fixture f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(text, sizeof(text), "%s/perf-7.map", dir);
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct timespec when[2] = {
			{started + ex[i].written, 0}, {started + ex[i].written, 0}};
		FILE *out = fopen(text, "w");

		assert_non_null(out);
		fputs("1000 40 jitted\n", out);
		fclose(out);
		assert_int_equal(utimensat(AT_FDCWD, text, when, 0), 0);
		begin(&f);
		f.b.prof->part.p[0].has_pid = true;
		f.b.prof->part.p[0].pid = 7;
		assert_int_equal(
			as_build_str(&f.b, as_slice_of("2023-11-14T22:13:20Z"), &f.b.prof->epoch),
			AS_OK);
		f.b.prof->duration = INT64_C(100000000000);
		add_code(&f, (as_object){0}, 0x1004);
		f.opts.perf_map_dir = dir;
		ask(&f);
		assert_int_equal(name_at(&f, (as_object){0}, 0x1004) != NULL, ex[i].used);
		end(&f);
	}
	unlink(text);
	rmdir(dir);
}

int symbolize_map_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generated_code_is_named_by_a_perf_map),
		cmocka_unit_test(test_a_perf_map_of_one_of_several_processes_is_not_used),
		cmocka_unit_test(test_a_perf_map_that_others_may_have_put_there_is_not_used),
		cmocka_unit_test(test_a_perf_map_of_another_run_is_not_used),
	};

	return cmocka_run_group_tests_name("symbolize_map", tests, NULL, NULL);
}
