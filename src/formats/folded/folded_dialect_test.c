/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/folded/folded_dialect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_folded;

static const struct mem_how full = {.fmt = &as_format_folded, .detail = AS_DETAIL_FULL};

static void looks_like(const char *text, enum as_folded_dialect want)
{
	if (as_folded_dialect(as_slice_of(text)) != want)
		fail_msg("%s", text);
}

static void test_a_dialect_is_that_of_all_lines(void **state)
{
	(void)state;
	looks_like("a;b 1\n", AS_FOLDED_PLAIN);
	looks_like("# austin: 3\nP12;T0:1;a.py:f:1 5\nP12;T0:1 5,0,1\n", AS_FOLDED_AUSTIN);
	looks_like("P12;T0:1;a.py:f:1 5\nP12;T0:1 5\n", AS_FOLDED_PLAIN);
	looks_like("# austin: 3.7.0\n# mode: full\n#\n# x\n", AS_FOLDED_AUSTIN);
	looks_like("# austin: 3.7.0\na;b 1\n", AS_FOLDED_PLAIN);
	looks_like("P12;T0:1;a.py:f:1 5\nmain;f 5\n", AS_FOLDED_PLAIN);
	looks_like("tid:7;a.py:f:1 5\ntid:8;a.py:g:1 5\n", AS_FOLDED_PYTHON);
	looks_like("process 7:\"x.py\";f (a.py:1) 5\n", AS_FOLDED_PYTHON);
	looks_like("process;tid:x 5\nthread pool;f 5\n", AS_FOLDED_PLAIN);
	looks_like("", AS_FOLDED_PLAIN);
}

static int64_t total(const struct as_profile *prof, const char *event)
{
	uint32_t k;

	if (!as_profile_event(prof, as_slice_of(event), &k))
		fail_msg("no event %s", event);
	return (int64_t)prof->total[k];
}

static void read_text(struct mem_read *r, const char *text, const char *opt)
{
	struct mem_how how = full;

	how.opt = opt;
	mem_read(r, &how, as_slice_of(text));
	if (r->rc != AS_OK)
		fail_msg("%s", r->err.msg);
}

/* The place of FUNC is at LINE of FILE. */
static void stands_at(
	const struct as_profile *prof, const char *func, const char *file, uint64_t line)
{
	for (uint32_t i = 1; i < prof->place.func.n; i++) {
		struct as_pos pos = as_place_pos(prof, (as_place){i});

		if (!as_slice_is(as_func_name(prof, pos.func), func))
			continue;
		assert_true(as_slice_is(as_file_path(prof, pos.file), file));
		assert_int_equal(pos.line, line);
		return;
	}
	fail_msg("no %s", func);
}

static void test_austin_tells_time_idleness_and_memory(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r,
		"# austin: 3.7.0\n# mode: full\n"
		"P41;T0:7f01;/app/main.py:<module>:38;C:/a b.py:work:12 1012,0,24\n"
		"P41;T0:7f02;/app/main.py:wait:9 1001,1,-8\nP41;T0:7f02 7,1,0\n# duration: 5548\n",
		NULL);
	assert_int_equal(r.findings.row.n, 0);
	assert_int_equal(total(r.prof, "samples"), 3);
	assert_int_equal(total(r.prof, "time"), 2020);
	assert_int_equal(total(r.prof, "cpu"), 1012);
	assert_int_equal(total(r.prof, "memory"), 16);
	assert_int_equal(r.prof->part.n, 2);
	assert_true(r.prof->part.p[0].has_pid && r.prof->part.p[0].pid == 41);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].thread), "0:7f01"));
	assert_true(as_slice_is(as_meta_get(r.prof, 0, "duration"), "5548"));
	stands_at(r.prof, "work", "C:/a b.py", 12);
	mem_read_free(&r);
	read_text(&r, "# austin: 3.7.0\n# mode: memory\nP1;T1;a.py:f:1 12\n", NULL);
	assert_int_equal(total(r.prof, "memory"), 12);
	mem_read_free(&r);
}

static void test_python_tells_threads(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, "tid:77;a.py:<module>:38;~:<GC>:0 5\ntid:78;a.py:f:3 2\n", NULL);
	assert_int_equal(total(r.prof, "samples"), 7);
	assert_int_equal(r.prof->part.n, 2);
	assert_true(r.prof->part.p[0].has_tid && r.prof->part.p[0].tid == 77);
	stands_at(r.prof, "<GC>", "", 0);
	stands_at(r.prof, "f", "a.py", 3);
	mem_read_free(&r);
	read_text(&r,
		"process 7:\"python x.py\";thread (0x1F): Main;f (a.py:1) 5\n"
		"process 7:\"python x.py\";thread (0x20): w 1;g (b.cfg:2) 6\n",
		NULL);
	assert_int_equal(r.prof->part.n, 2);
	assert_true(r.prof->part.p[1].has_pid && r.prof->part.p[1].pid == 7);
	assert_true(r.prof->part.p[1].has_tid && r.prof->part.p[1].tid == 0x20);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[1].thread), "w 1"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[1].command), "python x.py"));
	stands_at(r.prof, "g", "b.cfg", 2);
	mem_read_free(&r);
}

static void test_an_option_says_what_frames_are(void **state)
{
	struct mem_how how = full;
	struct mem_read r;

	(void)state;
	read_text(&r, "main;f (x.cfg:12) 5\n", NULL);
	stands_at(r.prof, "f (x.cfg:12)", "", 0);
	mem_read_free(&r);
	read_text(&r, "main;f (x.cfg:12) 5\n", "frames=py");
	stands_at(r.prof, "f", "x.cfg", 12);
	mem_read_free(&r);
	read_text(&r, "tid:77;a.py:f:3 2\n", "frames=plain");
	stands_at(r.prof, "tid:77", "", 0);
	mem_read_free(&r);
	how.opt = "frames=c";
	mem_read(&r, &how, as_slice_of("a;b 1\n"));
	assert_int_equal(r.rc, AS_E_ARG);
	mem_read_free(&r);
}

static void test_utf_16_is_read_in_both_orders(void **state)
{
	static const char big[] = "\xfe\xff\0a\0;\x65\xe5\0 \0\x35\0\n",
			  little[] = "\xff\xfe"
				     "a\0;\0\x3d\xd8\x00\xde \0\x35\0\n\0";
	struct as_peek pk = {.whole = true};
	struct mem_read r;

	(void)state;
	pk.head = (struct as_slice){big, sizeof(big) - 1};
	assert_true(as_format_folded.probe(&pk) > AS_PROBE_NO);
	mem_read(&r, &full, pk.head);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(total(r.prof, "samples"), 5);
	stands_at(r.prof, "\xe6\x97\xa5", "", 0);
	mem_read_free(&r);
	pk.head = (struct as_slice){little, sizeof(little) - 1};
	mem_read(&r, &full, pk.head);
	assert_int_equal(r.rc, AS_OK);
	stands_at(r.prof, "\xf0\x9f\x98\x80", "", 0);
	mem_read_free(&r);
}

static void test_a_line_without_a_number_is_left_out(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, "P1;T1;a.py:f:1 12\nP1;T1;a.py:f:1\nP1;T1;a.py:f:1 1,2\n", "frames=austin");
	assert_int_equal(r.findings.row.n, 2);
	assert_int_equal(r.findings.row.p[0].id, AS_F_FO_NO_COUNT);
	assert_int_equal(r.findings.row.p[1].line, 3);
	assert_int_equal(total(r.prof, "time"), 12);
	mem_read_free(&r);
}

static void test_dialects_run_out_of_memory(void **state)
{
	static const char wide[] = "\xfe\xff\0a\0;\0b\0 \0\x35\0\n";

	(void)state;
	mem_starve(&as_format_folded, as_slice_of("# austin: 3\nP1;T1;a.py:f:1 12,0,4\n"));
	mem_starve(&as_format_folded, (struct as_slice){wide, sizeof(wide) - 1});
}

int folded_dialect_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_dialect_is_that_of_all_lines),
		cmocka_unit_test(test_austin_tells_time_idleness_and_memory),
		cmocka_unit_test(test_python_tells_threads),
		cmocka_unit_test(test_an_option_says_what_frames_are),
		cmocka_unit_test(test_utf_16_is_read_in_both_orders),
		cmocka_unit_test(test_a_line_without_a_number_is_left_out),
		cmocka_unit_test(test_dialects_run_out_of_memory),
	};

	return cmocka_run_group_tests_name("folded_dialect", tests, NULL, NULL);
}
