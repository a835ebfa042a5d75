/* SPDX-License-Identifier: Apache-2.0 */
/* What goldens cannot show: memory that runs out, findings, depth, and files like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/cpuprofile/cpuprofile.h"
#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_cpuprofile;

static const struct mem_how full = {
	.fmt = &as_format_cpuprofile, .detail = AS_DETAIL_FULL, .moments = true};

static struct as_slice golden(const char *name)
{
	return mem_golden(&as_format_cpuprofile, name);
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	(void)state;
	mem_starve(&as_format_cpuprofile, golden("plain.cpuprofile"));
	mem_starve(&as_format_cpuprofile, golden("heap.heapprofile"));
}

static void test_what_is_odd_is_told(void **state)
{
	static const struct {
		const char *name;
		enum as_finding_id id;
		bool partial;
	} row[] = {
		{"node_missing.cpuprofile", AS_F_V8_NODE, true},
		{"circle.cpuprofile", AS_F_V8_TREE, true},
		{"uneven.cpuprofile", AS_F_V8_COUNT, true},
		{"back.cpuprofile", AS_F_V8_BACK, false},
		{"plain.cpuprofile", AS_F_V8_LINES, false},
		{"empty.cpuprofile", AS_F_NO_SAMPLES, false},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		mem_is_told(&full, golden(row[i].name), row[i].name, row[i].id, row[i].partial);
}

/* Lines that samples were at, of plain.cpuprofile: 3 of work at 12 and 14, 1 somewhere in it. */
static void test_lines_are_read_where_they_are_asked_for(void **state)
{
	struct mem_how how = full;
	uint64_t at_line = 0, all = 0;
	struct mem_read r;

	(void)state;
	how.opt = "lines=yes";
	mem_read(&r, &how, golden("plain.cpuprofile"));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(as_n_events(r.prof), 1);
	for (size_t i = 0; i < r.prof->sample.node.n; i++) {
		as_place place = r.prof->node.place.p[r.prof->sample.node.p[i].i];

		all += (uint64_t)r.prof->sample.cost.p[i];
		if (r.prof->place.line.p[place.i])
			at_line += (uint64_t)r.prof->sample.cost.p[i];
	}
	assert_int_equal(at_line, 4);
	assert_int_equal(all, 8);
	mem_read_free(&r);
}

/* Old files and heaps have nodes in one another, as deep as the stack was. */
static void test_trees_may_be_deep(void **state)
{
	static const char open[] = "{\"functionName\":\"f\",\"children\":[", close[] = "]}";
	size_t depth = 100000, n = 0;
	char *text = malloc(8 + depth * (sizeof(open) + sizeof(close)) + 64);
	struct mem_read r;

	(void)state;
	assert_non_null(text);
	memcpy(text, "{\"head\":", 8);
	n = 8;
	for (size_t i = 0; i < depth; i++, n += sizeof(open) - 1)
		memcpy(text + n, open, sizeof(open) - 1);
	for (size_t i = 0; i < depth; i++, n += sizeof(close) - 1)
		memcpy(text + n, close, sizeof(close) - 1);
	memcpy(text + n, "}", 1);
	mem_read(&r, &full, (struct as_slice){text, n + 1});
	assert_int_equal(r.rc, AS_OK);
	mem_read_free(&r);
	free(text);
}

static void test_other_json_is_none_of_it(void **state)
{
	static const struct {
		const char *text;
		enum as_probe probe;
	} row[] = {
		{"{\"nodes\":[{\"id\":1,\"callFrame\":{", AS_PROBE_MAGIC},
		{" {\"x\":[1],\"head\":{\"functionName\":\"", AS_PROBE_MAGIC},
		{"{\"head\":{\"callFrame\":{", AS_PROBE_MAGIC},
		{"{\"nodes\":[{\"id\":1,\"name\":\"x\"}]}", AS_PROBE_NO},
		{"{\"nodes\":[]}", AS_PROBE_NO},
		{"{\"head\":1}", AS_PROBE_NO},
		{"[{\"callFrame\":{}}]", AS_PROBE_NO},
		{"", AS_PROBE_NO},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct as_peek pk = {.head = as_slice_of(row[i].text), .whole = true};

		assert_int_equal(as_format_cpuprofile.probe(&pk), row[i].probe);
	}
}

static void test_what_is_cut_keeps_what_was_counted(void **state)
{
	(void)state;
	mem_keeps_what_is_cut(&full, golden("plain.cpuprofile"), "\"id\": 4,");
	mem_keeps_what_is_cut(&full, golden("heap.heapprofile"), "\"samples\"");
	mem_keeps_what_is_cut(&full, golden("old.cpuprofile"), "\"startTime\"");
}

int cpuprofile_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_lines_are_read_where_they_are_asked_for),
		cmocka_unit_test(test_trees_may_be_deep),
		cmocka_unit_test(test_what_is_cut_keeps_what_was_counted),
		cmocka_unit_test(test_other_json_is_none_of_it),
	};

	return cmocka_run_group_tests_name("cpuprofile", tests, NULL, NULL);
}
