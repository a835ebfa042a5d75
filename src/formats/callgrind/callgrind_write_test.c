/* SPDX-License-Identifier: Apache-2.0 */
/* Details agree, and writing is stable. */
#include "formats/callgrind/callgrind_testing.h"

/* ---- details agree, and writing is stable ---- */

static const char mixed[] =
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  ./x a\npart: "
	"1\n\n"
	"desc: I1 cache: \ndesc: Trigger: Program termination\n\npositions: instr line\n"
	"event: Ir : Instruction Fetch\nevents: Ir Dr\nsummary: 40 4\n\nob=(1) /bin/x\nfl=(1) x.c\n"
	"fn=(1) main\n0x10 1 10 1\n+4 +1 5\nfi=(2) i.h\n+2 7 3 3\nfe=(1)\ncob=(2) /lib/l.so\n"
	"cfi=(3) ???\ncfn=(2) puts\ncalls=2 0x900 0 \n* -6 20\njcnd=1/2 +8 +1 \n* "
	"*\n\nob=(2)\nfl=(3)\n"
	"fn=(2)\n0x900 0 20\n\ntotals: 38 4\n";

static void test_all_details_have_the_same_sums(void **state)
{
	struct mem_read d[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		open_doc(&d[i], mixed, strlen(mixed), (enum as_detail)i, false);
		assert_int_equal(d[i].rc, AS_OK);
		assert_int_equal(total(&d[i], 0), 38);
		assert_int_equal(total(&d[i], 1), 4);
		assert_int_equal(self_of(&d[i], find(&d[i], NULL, "main"), 0), 18);
		expect_call(&d[i], "main", "puts", 2, 20);
	}
	assert_int_equal(d[0].prof->self.n, 2);
	assert_int_equal(d[0].prof->jump.n, 0);
	assert_int_equal(d[1].prof->self.n, 4);
	assert_int_equal(d[2].prof->jump.n, 1);
	for (int i = 0; i < 3; i++)
		mem_read_free(&d[i]);
}

static void test_a_file_is_written_as_it_was_meant(void **state)
{
	static const char want[] =
		"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./x a\n"
		"part: 1\ndesc: I1 cache:\ndesc: Trigger: Program termination\n\n"
		"positions: instr line\nevent: Ir : Instruction Fetch\nevents: Ir Dr\n"
		"summary: 40 4\n\nob=(1) /bin/x\nfl=(1) x.c\nfn=(1) main\n0x10 1 10 1\n+4 +1 5\n"
		"cob=(2) /lib/l.so\ncfi=(2) ???\ncfn=(2) puts\ncalls=2 +2284 -2\n+2 -1 20\n"
		"jcnd=1/2 0x1e 8\n0x16 7\nfi=(3) i.h\n0x16 7 3 3\nfe=(1)\n\n"
		"ob=(2)\nfl=(2)\nfn=(2)\n0x900 0 20\n\ntotals: 38 4\n";
	struct mem_read d;
	char *text, *again;

	(void)state;
	open_text(&d, mixed);
	text = written(d.prof, NULL, 0);
	assert_string_equal(text, want);
	mem_read_free(&d);
	open_text(&d, text);
	again = written(d.prof, NULL, 0);
	assert_string_equal(text, again);
	test_free(text);
	test_free(again);
	mem_read_free(&d);
}

static void test_uncompressed_writing_reads_back_equal(void **state)
{
	static const char *const plain[] = {"compress-strings=no", "compress-pos=no"};
	struct mem_read d;
	char *text, *a, *b;

	(void)state;
	open_text(&d, mixed);
	a = written(d.prof, NULL, 0);
	text = written(d.prof, plain, 2);
	assert_null(strstr(text, "=("));
	assert_null(strstr(text, "\n+"));
	assert_null(strstr(text, "\n*"));
	mem_read_free(&d);
	open_text(&d, text);
	b = written(d.prof, NULL, 0);
	assert_string_equal(a, b);
	test_free(a);
	test_free(b);
	test_free(text);
	mem_read_free(&d);
}

/* No events, so calls are all there is; equal functions make their rows be written anew. */
static void test_calls_without_events_are_kept_at_all_details(void **state)
{
	static const char text[] =
		"events:\nfl=(1) a\nfn=(1) f\ncfn=(2) g\ncalls=3 5\n7\nfn=(3) g\nfl=(1)\nfn=(2)\n";
	struct mem_read d;

	(void)state;
	for (int i = 0; i <= AS_DETAIL_FULL; i++) {
		open_doc(&d, text, strlen(text), (enum as_detail)i, false);
		expect_call(&d, "f", "g", 3, 0);
		mem_read_free(&d);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_details_have_the_same_sums),
		cmocka_unit_test(test_calls_without_events_are_kept_at_all_details),
		cmocka_unit_test(test_a_file_is_written_as_it_was_meant),
		cmocka_unit_test(test_uncompressed_writing_reads_back_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
