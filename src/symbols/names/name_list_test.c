/* SPDX-License-Identifier: Apache-2.0 */
/* Names in text files: what is read, where entries end, which one wins. */
#include "symbols/names/name_list.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static struct as_name_list read_list(enum as_name_list_kind kind, const char *text, size_t want_odd)
{
	struct as_name_list list;
	size_t n_odd;

	assert_int_equal(
		as_name_list_read(&list, &as_alloc_libc, kind, as_slice_of(text), &n_odd), AS_OK);
	assert_int_equal(n_odd, want_odd);
	return list;
}

static void assert_name(const struct as_name_list *list, uint64_t addr, const char *want)
{
	const struct as_name_entry *e = as_name_list_find(list, addr);

	if (!e && want)
		fail_msg("%#" PRIx64 ": nothing, not '%s'", addr, want);
	if (e && (!want || !as_slice_is(e->name, want)))
		fail_msg("%#" PRIx64 ": '%.*s', not '%s'", addr, AS_SLICE_FMT(e->name),
			want ? want : "(nothing)");
}

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "ffffffff81000000 t local_first\n"
			       "ffffffff81000000 T _stext\n"
			       "ffffffff81000100 T schedule\n"
			       "ffffffff81000180 W weak_one\n"
			       "ffffffff81000200 D some_data\n"
			       "ffffffff81000300 t $x\n"
			       "ffffffff81000400 t last_of_kernel\n"
			       "rubbish\n"
			       "ffffffffc0001000 t nf_hook\t[nf_tables]\r\n"
			       "ffffffffc0001040 t nf_last\t[nf_tables]\n"
			       "ffffffffc0001080 r nf_table\t[nf_tables]\n"
			       "ffffffffc0004000 t bpf_prog_1\t[bpf]";

static void test_kallsyms_end_where_the_next_begins(void **state)
{
	struct as_name_list list = read_list(AS_NAMES_KALLSYMS, kallsyms, 1);

	(void)state;
	assert_false(list.hidden);
	assert_name(&list, 0, NULL);
	assert_name(&list, 0xffffffff80ffffff, NULL);
	assert_name(&list, 0xffffffff81000000, "_stext");
	assert_name(&list, 0xffffffff810000ff, "_stext");
	assert_name(&list, 0xffffffff81000100, "schedule");
	assert_name(&list, 0xffffffff810001ff, "weak_one");
	assert_name(&list, 0xffffffff81000200, NULL); /* data */
	assert_name(&list, 0xffffffff81000300, NULL);
	assert_name(&list, 0xffffffff81000400, "last_of_kernel");
	assert_name(&list, 0xffffffff81001fff, "last_of_kernel");
	assert_name(&list, 0xffffffff81002000, NULL); /* never the nearest */
	assert_name(&list, 0xffffffffc0001041, "nf_last");
	assert_name(&list, 0xffffffffc0001080, NULL);
	assert_name(&list, 0xffffffffc0004000, "bpf_prog_1");
	assert_name(&list, UINT64_MAX, NULL);
	assert_true(as_slice_is(as_name_list_find(&list, 0xffffffffc0001000)->module, "nf_tables"));
	as_name_list_release(&list);
}

static void test_kallsyms_without_rights_are_hidden(void **state)
{
	struct as_name_list list = read_list(
		AS_NAMES_KALLSYMS, "0000000000000000 T _stext\n0000000000000000 t schedule\n", 0);

	(void)state;
	assert_true(list.hidden);
	assert_int_equal(list.entry.n, 0);
	assert_name(&list, 0, NULL);
	as_name_list_release(&list);
}

/* As Linux 6.18 has it for AMD's processors. */
static void test_kernel_begins_where_another_name_stands_first(void **state)
{
	struct as_name_list list = read_list(AS_NAMES_KALLSYMS,
		"ffffffff81000000 T srso_alias_untrain_ret\n"
		"ffffffff81000000 T _stext\n"
		"ffffffff81000000 T _text\n"
		"ffffffffc0001000 t _stext\t[odd]\n",
		0);

	(void)state;
	assert_int_equal(list.kernel_start, 0xffffffff81000000);
	assert_name(&list, 0xffffffff81000000, "srso_alias_untrain_ret");
	as_name_list_release(&list);
	list = read_list(AS_NAMES_KALLSYMS, "ffffffff81000100 T schedule\n", 0);
	assert_int_equal(list.kernel_start, 0);
	as_name_list_release(&list);
}

static void test_names_of_perf_maps_hold_blanks(void **state)
{
	struct as_name_list list = read_list(AS_NAMES_PERF_MAP,
		"7f00 10 LazyCompile:*f /a b.js:3\n0x8000 0x20 with prefix\nnonsense\n"
		"9000 0 empty\n9100 10\nffffffffffffffff 2 over the end\n\n",
		4);

	(void)state;
	assert_name(&list, 0x7eff, NULL);
	assert_name(&list, 0x7f00, "LazyCompile:*f /a b.js:3");
	assert_name(&list, 0x7f10, NULL);
	assert_name(&list, 0x801f, "with prefix");
	assert_int_equal(list.entry.n, 2);
	as_name_list_release(&list);
}

static void test_later_line_of_a_perf_map_wins(void **state)
{
	struct as_name_list list = read_list(AS_NAMES_PERF_MAP,
		"1000 100 old\n1040 20 in the middle\n2000 10 first\n2000 10 second\n"
		"3008 10 early, to the right\n3000 10 late, to the left\n",
		0);

	(void)state;
	assert_name(&list, 0x103f, "old");
	assert_name(&list, 0x1040, "in the middle");
	assert_name(&list, 0x1060, "old");
	assert_name(&list, 0x10ff, "old");
	assert_name(&list, 0x1100, NULL);
	assert_name(&list, 0x2000, "second");
	assert_name(&list, 0x3000, "late, to the left");
	assert_name(&list, 0x300f, "late, to the left");
	assert_name(&list, 0x3010, "early, to the right");
	assert_int_equal(list.entry.n, 6);
	as_name_list_release(&list);
}

/* The same by painting bytes, line after line. */
static void test_perf_maps_at_random_equal_painting(void **state)
{
	enum { ROUNDS = 300, LINES = 40, SPACE = 256 };
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		char text[LINES * 32] = "", want[SPACE + 64][8] = {""};
		size_t n = 0;
		struct as_name_list list;

		for (unsigned i = 0; i < LINES; i++) {
			seed = as_hash_mix(seed, i);
			unsigned start = 1 + (unsigned)seed % SPACE,
				 size = 1 + (unsigned)(seed >> 32) % 48;

			n += (size_t)snprintf(
				text + n, sizeof(text) - n, "%x %x n%u\n", start, size, i);
			for (unsigned a = start; a < start + size && a < SPACE + 64; a++)
				snprintf(want[a], sizeof(want[a]), "n%u", i);
		}
		list = read_list(AS_NAMES_PERF_MAP, text, 0);
		for (unsigned a = 0; a < SPACE; a++)
			assert_name(&list, a, want[a][0] ? want[a] : NULL);
		as_name_list_release(&list);
	}
}

static void test_memory_may_run_out(void **state)
{
	(void)state;
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct as_name_list list;
		size_t n_odd;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = as_name_list_read(&list, &fa.al, n % 2 ? AS_NAMES_KALLSYMS : AS_NAMES_PERF_MAP,
			n % 2 ? as_slice_of(kallsyms) : as_slice_of("10 10 a\n18 10 b\n"), &n_odd);
		as_name_list_release(&list);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK && n > 20)
			break;
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
}

int name_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kallsyms_end_where_the_next_begins),
		cmocka_unit_test(test_kallsyms_without_rights_are_hidden),
		cmocka_unit_test(test_kernel_begins_where_another_name_stands_first),
		cmocka_unit_test(test_names_of_perf_maps_hold_blanks),
		cmocka_unit_test(test_later_line_of_a_perf_map_wins),
		cmocka_unit_test(test_perf_maps_at_random_equal_painting),
		cmocka_unit_test(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("name_list", tests, NULL, NULL);
}
