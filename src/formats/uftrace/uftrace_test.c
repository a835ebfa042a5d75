/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings by hand: what calls cost, and what damage is told. */
#include "formats/uftrace/uftrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"

extern const struct as_format as_format_uftrace;

enum { ENTRY, EXIT, LOST, EVENT };
enum { MAIN = 0x400010, WORK = 0x400110, SORT = 0x400210, UNNAMED = 0x400310 };

#define MAP "00400000-00500000 r-xp 00000000 00:00 0   /bin/a b build-id:00ff\n"
#define SYMS                                                                        \
	"# path name: /bin/a b\n0000000000000000 T main\n0000000000000100 t work\n" \
	"0000000000000200 W sort\n0000000000000300 ? __sym_end\n"
#define TASKS                                                            \
	"SESS timestamp=0.000000001 pid=7 sid=ab exename=\"/bin/a b\"\n" \
	"TASK timestamp=0.000000002 tid=7 pid=7\nTASK timestamp=0.000000003 tid=8 pid=7\n"

struct recording {
	char text[8192];
	size_t n, thread, size_at;
	bool big;
};

static void put(struct recording *r, const void *p, size_t n)
{
	assert_true(r->n + n <= sizeof(r->text));
	memcpy(r->text + r->n, p, n);
	r->n += n;
}

static void put_number(struct recording *r, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char c = (char)(v >> 8 * (r->big ? n - 1 - i : i));

		put(r, &c, 1);
	}
}

static void put_file(struct recording *r, const char *name, const char *text, size_t n)
{
	char head[300];

	snprintf(head, sizeof(head), "file %zu %s\n", n, name);
	put(r, head, strlen(head));
	put(r, text, n);
	put(r, "\n", 1);
}

static void put_text(struct recording *r, const char *name, const char *text)
{
	put_file(r, name, text, strlen(text));
}

static void put_info(struct recording *r)
{
	static const char lines[] = "exename:/bin/a b\ncmdline:uftrace record a b\n"
				    "elapsed_time:1.5 sec\nuftrace_version:v0.13\n";
	char head[64];

	snprintf(head, sizeof(head), "file %zu info\n", 40 + sizeof(lines) - 1);
	put(r, head, strlen(head));
	put(r, "Ftrace!", 8);
	put_number(r, 4, 4);
	put_number(r, 40, 2);
	put(r, r->big ? "\2\2" : "\1\2", 2);
	put_number(r, UFTRACE_HAS_RELATIVE, 8);
	put_number(r, 0, 8);
	put_number(r, 1024, 8);
	put(r, lines, sizeof(lines) - 1);
	put(r, "\n", 1);
}

static void begin(struct recording *r, bool big)
{
	*r = (struct recording){.big = big};
	put(r, AS_BUNDLE_MAGIC, strlen(AS_BUNDLE_MAGIC));
	put_info(r);
	put_text(r, "task.txt", TASKS);
	put_text(r, "sid-ab.map", MAP);
	put_text(r, "a b.sym", SYMS);
}

/* Records follow; their size is known at the end. */
static void begin_thread(struct recording *r, unsigned tid)
{
	char head[64];

	snprintf(head, sizeof(head), "file 0000 %u.dat\n", tid);
	r->size_at = r->n + strlen("file ");
	put(r, head, strlen(head));
	r->thread = r->n;
}

static void record(struct recording *r, uint64_t time, unsigned type, unsigned depth, uint64_t addr)
{
	put_number(r, time, 8);
	put_number(r, type | 5 << 3 | depth << 6 | addr << 16, 8);
}

static void end_thread(struct recording *r)
{
	char size[8];

	snprintf(size, sizeof(size), "%04zu", r->n - r->thread);
	memcpy(r->text + r->size_at, size, 4);
	put(r, "\n", 1);
}

static void put_switch(struct recording *r, unsigned tid, uint64_t time, unsigned misc)
{
	char head[64];

	snprintf(head, sizeof(head), "file 24 perf-cpu%u.dat\n", (unsigned)r->n);
	put(r, head, strlen(head));
	put_number(r, 14, 4);
	put_number(r, misc, 2);
	put_number(r, 24, 2);
	put_number(r, 7, 4);
	put_number(r, tid, 4);
	put_number(r, time, 8);
	put(r, "\n", 1);
}

static void read_recording(struct mem_read *got, const struct recording *r, bool strict)
{
	struct mem_how how = {.fmt = &as_format_uftrace,
		.detail = AS_DETAIL_FULL,
		.moments = true,
		.strict = strict};

	mem_read(got, &how, (struct as_slice){r->text, r->n});
}

/* "main;work" */
static void path_text(const struct as_profile *prof, as_node node, char text[256])
{
	char part[256];

	text[0] = 0;
	for (; node.i; node = prof->node.parent.p[node.i]) {
		as_func f = prof->place.func.p[prof->node.place.p[node.i].i];
		struct as_slice name = as_func_name(prof, f);

		if (!name.len && prof->func.object.p[f.i].i && !prof->func.addr.p[f.i])
			name = as_object_path(prof, prof->func.object.p[f.i]);
		memcpy(part, text, 256);
		snprintf(text, 256, "%.*s%s%.200s", AS_SLICE_FMT(name), part[0] ? ";" : "", part);
	}
}

static void expect(const struct as_profile *prof, uint32_t part, const char *path, uint64_t time,
	uint64_t calls)
{
	char text[256];
	bool found = false;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		path_text(prof, prof->sample.node.p[i], text);
		if (prof->sample.part.p[i] != part || strcmp(text, path) != 0)
			continue;
		found = true;
		assert_true(prof->sample.cost.p[2 * i] == (as_val)time);
		assert_true(prof->sample.cost.p[2 * i + 1] == (as_val)calls);
	}
	if (!found)
		fail_msg("no sample '%s' of part %u", path, part);
}

static uint64_t found(const struct mem_read *got, const char *name)
{
	for (int i = 0; i < AS_F_COUNT; i++)
		if (strcmp(as_finding_name((enum as_finding_id)i), name) == 0)
			return got->findings.count[i];
	fail_msg("there is no finding %s", name);
	return 0;
}

static void two_calls(struct recording *r, unsigned tid)
{
	begin_thread(r, tid);
	record(r, 1000, ENTRY, 0, MAIN);
	record(r, 1010, ENTRY, 1, WORK);
	record(r, 1030, EXIT, 1, WORK);
	record(r, 1040, ENTRY, 1, WORK);
	record(r, 1050, ENTRY, 2, SORT);
	record(r, 1057, EXIT, 2, SORT);
	record(r, 1060, EXIT, 1, WORK);
	record(r, 1100, EXIT, 0, MAIN);
	end_thread(r);
}

static void test_calls_have_their_own_time_and_number(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	for (int big = 0; big < 2; big++) {
		begin(&r, big);
		two_calls(&r, 7);
		read_recording(&got, &r, true);
		assert_int_equal(got.rc, AS_OK);
		assert_int_equal(got.prof->sample.node.n, 3);
		expect(got.prof, 0, "main", 60, 1);
		expect(got.prof, 0, "main;work", 33, 2);
		expect(got.prof, 0, "main;work;sort", 7, 1);
		assert_true(got.prof->total[0] == 100 && got.prof->total[1] == 4);
		assert_true(got.prof->duration == 1500000000);
		assert_int_equal(got.prof->part.p[0].pid, 7);
		mem_read_free(&got);
	}
}

static void test_moments_are_stretches_of_self_time_and_whole_calls(void **state)
{
	static const struct {
		int64_t time;
		uint64_t duration;
		uint32_t event;
	} want[] = {{0, 10, 0}, {0, 100, 1}, {10, 20, 0}, {10, 20, 1}, {30, 10, 0}, {40, 10, 0},
		{40, 20, 1}, {50, 7, 0}, {50, 7, 1}, {57, 3, 0}, {60, 40, 0}};
	struct as_moments_cur cur;
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	two_calls(&r, 7);
	read_recording(&got, &r, true);
	assert_int_equal(got.prof->moments.n, AS_ARRAY_LEN(want));
	as_moments_begin(&cur, &got.prof->moments);
	for (size_t i = 0; as_moments_next(&cur); i++) {
		assert_true(cur.at.time == want[i].time);
		assert_true(cur.at.duration == want[i].duration);
		assert_int_equal(cur.at.event, want[i].event);
		assert_true(cur.at.value == (want[i].event ? 1 : (int64_t)want[i].duration));
	}
	mem_read_free(&got);
}

static void test_threads_are_parts_and_objects_have_build_ids(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	two_calls(&r, 7);
	begin_thread(&r, 8);
	record(&r, 5000, ENTRY, 0, UNNAMED);
	record(&r, 5009, EXIT, 0, UNNAMED);
	end_thread(&r);
	read_recording(&got, &r, true);
	assert_int_equal(got.prof->part.n, 2);
	assert_int_equal(got.prof->part.p[1].tid, 8);
	assert_int_equal(got.prof->part.p[1].pid, 7);
	assert_int_equal(got.prof->object.n, 2);
	assert_true(as_slice_is(as_object_path(got.prof, (as_object){1}), "/bin/a b"));
	assert_true(as_slice_is(as_str_get(got.prof, got.prof->object.p[1].id), "00ff"));
	/* What is behind __sym_end has no name. */
	for (size_t i = 0; i < got.prof->sample.node.n; i++)
		if (got.prof->sample.part.p[i] == 1) {
			as_node node = got.prof->sample.node.p[i];
			as_place place = got.prof->node.place.p[node.i];

			assert_int_equal(got.prof->place.addr.p[place.i], 0x310);
			assert_int_equal(
				got.prof->func.name.p[got.prof->place.func.p[place.i].i].i, 0);
		}
	mem_read_free(&got);
}

static void test_time_off_the_processor_is_a_call_of_its_own(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	put_switch(&r, 7, 1052, 0x6000); /* out, preempted */
	put_switch(&r, 7, 1055, 0);
	put_switch(&r, 7, 1070, 0x2000);
	put_switch(&r, 7, 1090, 0);
	put_switch(&r, 9, 1020, 0x2000); /* of another thread */
	two_calls(&r, 7);
	read_recording(&got, &r, true);
	assert_int_equal(got.rc, AS_OK);
	expect(got.prof, 0, "main;work;sort", 4, 1);
	expect(got.prof, 0, "main;work;sort;linux:schedule (pre-empted)", 3, 1);
	expect(got.prof, 0, "main;linux:schedule", 20, 1);
	expect(got.prof, 0, "main", 40, 1);
	assert_true(got.prof->total[0] == 100);
	mem_read_free(&got);
}

static void test_lost_records_are_told_and_their_time_is_nobodys(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	begin_thread(&r, 7);
	record(&r, 1000, ENTRY, 0, MAIN);
	record(&r, 1010, ENTRY, 1, WORK);
	record(&r, 0, LOST, 0, 12);
	record(&r, 1050, ENTRY, 1, SORT); /* so work has returned, at some time */
	record(&r, 1060, EXIT, 1, SORT);
	record(&r, 1070, EXIT, 0, MAIN);
	end_thread(&r);
	read_recording(&got, &r, false);
	assert_int_equal(found(&got, "uf-lost"), 1);
	expect(got.prof, 0, "main", 20, 1);
	expect(got.prof, 0, "main;work", 0, 1);
	expect(got.prof, 0, "main;[lost]", 40, 0);
	expect(got.prof, 0, "main;sort", 10, 1);
	assert_true(as_slice_is(as_meta_get(got.prof, 0, "lost-records"), "12"));
	assert_int_equal(got.prof->moments.left, 0);
	mem_read_free(&got);
	read_recording(&got, &r, true);
	assert_int_equal(got.rc, AS_E_FORMAT);
	mem_read_free(&got);
}

static void test_what_is_odd_is_told_and_the_rest_is_kept(void **state)
{
	static const struct {
		uint64_t time, addr;
		unsigned type, depth;
		const char *finding;
		uint64_t total;
	} cases[] = {
		{1020, SORT, EXIT, 3, "uf-exit", 100},
		{1020, SORT, EXIT, 1, "uf-exit", 100}, /* of another function than was called */
		{1005, WORK, ENTRY, 2, "uf-time", 100},
		{UINT64_C(1) << 63, WORK, ENTRY, 2, "uf-record", 10},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct mem_read got;
		struct recording r;

		begin(&r, false);
		begin_thread(&r, 7);
		record(&r, 1000, ENTRY, 0, MAIN);
		record(&r, 1010, ENTRY, 1, WORK);
		record(&r, cases[i].time, cases[i].type, cases[i].depth, cases[i].addr);
		record(&r, 1100, EXIT, 0, MAIN);
		end_thread(&r);
		read_recording(&got, &r, false);
		assert_int_equal(got.rc, AS_OK);
		assert_true(found(&got, cases[i].finding) >= 1);
		assert_true(got.prof->total[0] == (as_val)cases[i].total);
		assert_int_equal(got.prof->moments.left, 0);
		mem_read_free(&got);
	}
}

static void test_arguments_end_a_thread_and_the_others_are_read(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	begin_thread(&r, 7);
	record(&r, 1000, ENTRY, 0, MAIN);
	record(&r, 1010, ENTRY | 1 << 2, 1, WORK);
	put_number(&r, 42, 8);
	record(&r, 1100, EXIT, 0, MAIN);
	end_thread(&r);
	two_calls(&r, 8);
	read_recording(&got, &r, false);
	assert_int_equal(found(&got, "uf-arguments"), 1);
	assert_true(got.prof->partial);
	expect(got.prof, 0, "main", 10, 1);
	expect(got.prof, 0, "main;work", 0, 1);
	expect(got.prof, 1, "main", 60, 1);
	mem_read_free(&got);
}

static void test_calls_that_had_not_returned_are_told(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	begin_thread(&r, 7);
	record(&r, 1000, ENTRY, 0, MAIN);
	record(&r, 1010, ENTRY, 1, WORK);
	end_thread(&r);
	put_file(&r, "kernel-cpu0.dat", "12345678", 8);
	read_recording(&got, &r, true);
	assert_int_equal(found(&got, "uf-open"), 1);
	assert_int_equal(found(&got, "uf-kernel"), 1);
	expect(got.prof, 0, "main", 10, 1);
	expect(got.prof, 0, "main;work", 0, 1);
	mem_read_free(&got);
}

static void test_processes_have_the_mappings_of_their_time(void **state)
{
	struct mem_read got;
	struct recording r;

	(void)state;
	begin(&r, false);
	put_text(&r, "sid-cd.map", "00600000-00700000 r-xp 00000000 00:00 0   /bin/c\n");
	put_text(&r, "c.sym", "0000000000000000 T child\n");
	put_text(&r, "task.txt",
		"FORK timestamp=0.000000100 pid=10 ppid=7\n"
		"SESS timestamp=0.000001020 pid=10 sid=cd exename=\"/bin/c\"\n"
		"DLOP timestamp=0.000001030 tid=10 sid=cd base=800000 libname=\"/bin/a b\"\n"
		"TASK timestamp=0.000000100 tid=10 pid=10\nWHAT timestamp=0.1\n");
	begin_thread(&r, 9); /* not named: a process of its own, of which nothing is known */
	record(&r, 1, ENTRY, 0, MAIN);
	record(&r, 2, EXIT, 0, MAIN);
	end_thread(&r);
	begin_thread(&r, 10);
	record(&r, 1000, ENTRY, 0, MAIN);
	record(&r, 1010, EXIT, 0, MAIN);
	record(&r, 1030, ENTRY, 0, 0x600010);
	record(&r, 1040, ENTRY, 1, 0x800110);
	record(&r, 1041, EXIT, 1, 0x800110);
	record(&r, 1050, EXIT, 0, 0x600010);
	end_thread(&r);
	read_recording(&got, &r, false);
	assert_int_equal(got.rc, AS_OK);
	assert_int_equal(found(&got, "uf-line"), 1);
	expect(got.prof, 1, "main", 10, 1);
	expect(got.prof, 1, "child", 19, 1);
	expect(got.prof, 1, "child;work", 1, 1);
	assert_int_equal(got.prof->part.p[1].pid, 10);
	mem_read_free(&got);
}

static void test_a_recording_is_cut_anywhere_and_answered(void **state)
{
	struct mem_read got;
	struct recording r;
	size_t whole;

	(void)state;
	begin(&r, false);
	put_switch(&r, 7, 1052, 0x6000);
	two_calls(&r, 7);
	whole = r.n;
	for (r.n = 0; r.n < whole; r.n++) {
		read_recording(&got, &r, false);
		if (got.rc != AS_OK)
			assert_true(got.err.msg[0]);
		else if (r.n < whole - 1)
			assert_true(got.findings.row.n);
		mem_read_free(&got);
	}
}

static void test_what_is_no_recording_is_refused(void **state)
{
	static const struct {
		const char *from, *to;
		enum as_code rc;
	} cases[] = {
		{"assay-files 1", "assay-files 2", AS_E_FORMAT},
		{" info\n", " inf0\n", AS_E_FORMAT},
		{"Ftrace!", "Ftrace?", AS_E_FORMAT},
		{"Ftrace!\0\4", "Ftrace!\0\5", AS_E_UNSUPPORTED},
		{"file ", "fila ", AS_E_FORMAT},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		size_t n = i == 3 ? 9 : strlen(cases[i].from), at = 0;
		struct mem_read got;
		struct recording r;

		begin(&r, false);
		while (memcmp(r.text + at, cases[i].from, n) != 0)
			at++;
		memcpy(r.text + at, cases[i].to, n);
		read_recording(&got, &r, false);
		assert_int_equal(got.rc, cases[i].rc);
		mem_read_free(&got);
	}
}

int uftrace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_have_their_own_time_and_number),
		cmocka_unit_test(test_moments_are_stretches_of_self_time_and_whole_calls),
		cmocka_unit_test(test_threads_are_parts_and_objects_have_build_ids),
		cmocka_unit_test(test_time_off_the_processor_is_a_call_of_its_own),
		cmocka_unit_test(test_lost_records_are_told_and_their_time_is_nobodys),
		cmocka_unit_test(test_what_is_odd_is_told_and_the_rest_is_kept),
		cmocka_unit_test(test_arguments_end_a_thread_and_the_others_are_read),
		cmocka_unit_test(test_calls_that_had_not_returned_are_told),
		cmocka_unit_test(test_processes_have_the_mappings_of_their_time),
		cmocka_unit_test(test_a_recording_is_cut_anywhere_and_answered),
		cmocka_unit_test(test_what_is_no_recording_is_refused),
	};

	return cmocka_run_group_tests_name("uftrace", tests, NULL, NULL);
}
