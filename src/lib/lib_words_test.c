/* SPDX-License-Identifier: Apache-2.0 */
/* Filters by words. */
#include "lib/lib_testing.h"

static int64_t total(const struct assay_profile *prof)
{
	struct assay_event ev = {.size = sizeof(ev)};

	assert_int_equal(assay_event_get(prof, 0, &ev), ASSAY_OK);
	return number(ev.total);
}

/* What two words leave; NULL: there is one. */
static int64_t left_by(const char *word, const char *other, bool *matched)
{
	struct assay_profile *prof = profile_of(extended_example), *chosen;
	const char *const words[] = {word, other};
	struct assay_words_options o = {
		.size = sizeof(o), .words = words, .n_words = other ? 2 : 1, .matched = matched};
	struct assay_error err;
	int64_t left;

	if (assay_filter_words(prof, &o, &chosen, &err) != ASSAY_OK)
		fail_msg("%s", err.message);
	left = total(chosen);
	assay_profile_free(chosen);
	assay_profile_free(prof);
	return left;
}

static void test_words_are_the_options_of_the_program(void **state)
{
	bool matched[2];

	(void)state;
	assert_int_equal(left_by("focus=^func1$", NULL, NULL), 400);
	assert_int_equal(left_by("focus=func1", "ignore=nobody", matched), 400);
	assert_true(matched[0]);
	assert_false(matched[1]);
	assert_int_equal(left_by("hide=func", NULL, NULL), 820);
	assert_int_equal(left_by("focus=nobody", NULL, matched), 0);
	assert_false(matched[0]);
	assert_int_equal(left_by("part=1", "thread=77", matched), 0);
	assert_false(matched[1]);
	assert_int_equal(left_by("tagroot=request", NULL, matched), 820);
	assert_false(matched[0]);
}

static void test_no_words_leave_all(void **state)
{
	struct assay_profile *prof = profile_of(extended_example), *same;

	(void)state;
	assert_int_equal(assay_filter_words(prof, NULL, &same, NULL), ASSAY_OK);
	assert_same(prof, same, "dump");
	assay_profile_free(same);
	assay_profile_free(prof);
}

static void assert_refused(const struct assay_profile *prof, const char *word, const char *says)
{
	struct assay_words_options o = {.size = sizeof(o), .words = &word, .n_words = 1};
	struct assay_profile *chosen;
	struct assay_error err;

	assert_int_equal(assay_filter_words(prof, &o, &chosen, &err), ASSAY_E_ARG);
	assert_null(chosen);
	if (!strstr(err.message, says))
		fail_msg("'%s' is not '%s'", err.message, says);
}

static void test_wrong_words_are_named(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);

	(void)state;
	assert_refused(prof, "focus=(", "focus=(: ");
	assert_refused(prof, "focus", "no filter 'focus'");
	assert_refused(prof, "foo=bar", "no filter 'foo=bar'");
	assert_refused(prof, NULL, "no filter ''");
	assert_refused(prof, "object=fn:x", "by its name");
	assert_refused(prof, "tagleaf=,", "no key");
	assay_profile_free(prof);
}

int lib_words_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_are_the_options_of_the_program),
		cmocka_unit_test(test_no_words_leave_all),
		cmocka_unit_test(test_wrong_words_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
