/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a part: its labels, and which events it has. */
#include "model/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

static void test_texts_that_are_empty_are_no_labels(void **state)
{
	static const char *const key[] = {"process", "unit", "state"};
	const struct as_slice value[] = {
		as_slice_of("sh"), as_slice_of(""), as_slice_of("waiting")};
	const struct as_slice none[AS_ARRAY_LEN(key)] = {{NULL, 0}};
	const struct as_part *part;
	const struct as_label *label;
	struct as_build b;
	uint32_t other;

	(void)state;
	as_test_begin(&b, "ns");
	assert_int_equal(as_build_part(&b, &other), AS_OK);
	assert_int_equal(as_build_part_texts(&b, 0, key, value, AS_ARRAY_LEN(key)), AS_OK);
	assert_int_equal(as_build_part_texts(&b, other, key, none, AS_ARRAY_LEN(key)), AS_OK);
	part = &b.prof->part.p[0];
	assert_int_equal(part->n_labels, 2);
	assert_int_equal(b.prof->part.p[other].n_labels, 0);
	label = b.prof->label.p + part->first_label;
	assert_true(as_slice_is(as_str_get(b.prof, label[0].key), "process"));
	assert_true(as_slice_is(as_str_get(b.prof, label[0].text), "sh"));
	assert_true(as_slice_is(as_str_get(b.prof, label[1].key), "state"));
	assert_true(as_slice_is(as_str_get(b.prof, label[1].text), "waiting"));
	as_build_free(&b);
}

static void test_all_events_are_those_so_far(void **state)
{
	struct as_build b;
	uint32_t event;

	(void)state;
	as_test_begin(&b, "ns calls");
	assert_int_equal(as_build_part_all_events(&b, 0), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of("late"), as_slice_of("count"), &event), AS_OK);
	assert_int_equal(b.prof->part.p[0].n_events, 2);
	assert_int_equal(b.prof->part.p[0].event[0], 0);
	assert_int_equal(b.prof->part.p[0].event[1], 1);
	as_build_free(&b);
}

int build_labels_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts_that_are_empty_are_no_labels),
		cmocka_unit_test(test_all_events_are_those_so_far),
	};

	return cmocka_run_group_tests_name("build_labels", tests, NULL, NULL);
}
