/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks instead of paths, for who asks for sums and takes them. */
#include "formats/gperf/gperf_testing.h"
#include "lib/mem_io.h"
#include "lib/starve.h"

static void read_stacks(struct mem_read *r, const struct file *f)
{
	const struct mem_how how = {.fmt = &as_format_gperf, .sums = true, .stacks = true};

	mem_read(r, &how, (struct as_slice){f->data, f->n});
	assert_int_equal(r->rc, AS_OK);
}

/* 120 stacks of two addresses, each twice: the digits of their numbers, base 2. */
static void file_many(struct file *f)
{
	for (uint64_t i = 8; i < 128; i++) {
		uint64_t slot[GP_SLOT_MAX + 2] = {i, 0};

		for (uint64_t v = i; v; v >>= 1)
			slot[2 + slot[1]++] = 0x401000 + (v & 1);
		file_slots(f, slot, 2 + slot[1]);
		file_slots(f, slot, 2 + slot[1]);
	}
	file_slots(f, SLOTS(0, 1, 0x401000));
}

static void stack_is(struct as_stacks_cur *cur, const struct as_profile *prof, uint64_t number)
{
	uint64_t addr;

	assert_true(as_stacks_next(cur));
	assert_int_equal(cur->cost[0], 2 * number);
	for (uint32_t i = 0; i < cur->n; i++, number >>= 1) {
		addr = 0x1000 + (number & 1) - (i > 0);
		assert_int_equal(as_place_addr(prof, cur->place[i]), addr);
	}
	assert_int_equal(number, 0);
}

static void test_many_stacks_of_few_addresses_are_given_as_they_are(void **state)
{
	struct as_stacks_cur cur;
	struct mem_read r;
	as_place room[GP_SLOT_MAX];
	struct file f;

	(void)state;
	file_start(&f, 8, false);
	file_many(&f);
	file_end(&f, MAPS);
	read_stacks(&r, &f);
	assert_true(r.prof->stacks.n == 120 && !r.prof->sample.node.n && !r.prof->sums.func.n);
	assert_int_equal(r.prof->total[0], 2 * 120 * (8 + 127) / 2);
	assert_int_equal(r.findings.count[AS_F_NO_SAMPLES], 0);
	as_stacks_begin(&cur, &r.prof->stacks, room);
	for (uint64_t i = 8; i < 128; i++)
		stack_is(&cur, r.prof, i);
	assert_false(as_stacks_next(&cur));
	mem_read_free(&r);
}

static void paths_are(struct file *f, size_t n)
{
	struct mem_read r;

	read_stacks(&r, f);
	assert_int_equal(r.prof->stacks.n, 0);
	assert_int_equal(r.prof->sample.node.n, n);
	mem_read_free(&r);
}

static void test_what_stacks_cannot_hold_is_given_as_paths(void **state)
{
	struct file f;

	(void)state;
	file_begin(&f, 8, false);
	for (int i = 0; i < 2; i++) { /* two profiles */
		file_header(&f);
		file_many(&f);
		file_trailer(&f);
	}
	paths_are(&f, 240);

	file_start(&f, 8, false);
	file_many(&f);
	for (int i = 0; i < 3; i++) /* together more than 64 bits */
		file_slots(&f, SLOTS(INT64_MAX, 1, 0x401000));
	file_trailer(&f);
	paths_are(&f, 121);

	file_start(&f, 4, false);
	file_slots(&f, SLOTS(1, AS_STACKS_DEEPEST + 1));
	for (int i = 0; i <= AS_STACKS_DEEPEST; i++)
		file_slots(&f, SLOTS(0x401000));
	paths_are(&f, 1);

	file_start(&f, 8, false);
	file_records(&f); /* few */
	paths_are(&f, 3);
}

static void test_stacks_and_no_memory(void **state)
{
	struct file f;

	(void)state;
	file_start(&f, 8, false);
	file_many(&f);
	file_end(&f, MAPS);
	mem_starve_reading((struct mem_how){.fmt = &as_format_gperf, .sums = true, .stacks = true},
		(struct as_slice){f.data, f.n});
}

int gperf_stacks_tests(void);
int gperf_stacks_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_stacks_of_few_addresses_are_given_as_they_are),
		cmocka_unit_test(test_what_stacks_cannot_hold_is_given_as_paths),
		cmocka_unit_test(test_stacks_and_no_memory),
	};

	return cmocka_run_group_tests_name("gperf_stacks", tests, NULL, NULL);
}
