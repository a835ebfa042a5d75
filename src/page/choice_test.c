/* SPDX-License-Identifier: Apache-2.0 */
#include "page/choice.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static void assert_path(struct as_choice *c, int side, const char *want)
{
	assert_string_equal(as_choice_path(c, side), want);
}

static void choose(
	struct as_choice *c, const struct as_choice *first, const char *const *word, size_t n)
{
	struct as_err err = AS_ERR_NONE;

	assert_int_equal(as_choice_anew(c, first, &err), AS_OK);
	for (size_t i = 0; i + 1 < n; i += 2)
		assert_int_equal(
			as_choice_add(c, as_slice_of(word[i]), as_slice_of(word[i + 1]), &err),
			AS_OK);
}

#define CHOOSE(c, first, ...)                                \
	choose(c, first, (const char *const[]){__VA_ARGS__}, \
		AS_ARRAY_LEN(((const char *const[]){__VA_ARGS__})))

static void test_controls_become_inputs(void **state)
{
	struct as_choice first, c;
	struct as_err err = AS_ERR_NONE;

	(void)state;
	assert_int_equal(as_choice_of(&first, &as_alloc_libc, "store:eu?service=web&partial=1&v=1",
				 NULL, &err),
		AS_OK);
	assert_false(first.compares);
	assert_path(&first, AS_CHOICE_NEW, "store:eu?service=web&partial=1&v=1");
	CHOOSE(&c, &first, "service", "a&b", "label", "version=1.5=", "host", "", "event", "cpu",
		"since", "1h", "vs", "1", "vs-label", "version=1.4", "vs-until", "10:45");
	assert_true(c.compares);
	assert_path(&c, AS_CHOICE_NEW,
		"store:eu?partial=1&service=a%26b&version=1.5%3D&event=cpu&since=1h");
	assert_path(&c, AS_CHOICE_BASE, "store:eu?partial=1&event=cpu&version=1.4&until=10:45");
	as_choice_release(&c);
	as_choice_release(&first);
}

static void test_what_no_control_says_is_refused(void **state)
{
	static const char *const wrong[][2] = {{"cluster", "x"}, {"partial", "1"}, {"version", "1"},
		{"vs-event", "cpu"}, {"vs-vs", "1"}, {"vs-", "1"}, {"label", "x"}, {"label", "=x"},
		{"label", "partial=1"}, {"vs-label", "cluster=a"}, {"label", "since=1h"}};
	struct as_choice first, c;
	struct as_err err = AS_ERR_NONE;

	(void)state;
	assert_int_equal(as_choice_of(&first, &as_alloc_libc, "store:", NULL, &err), AS_OK);
	for (size_t i = 0; i < AS_ARRAY_LEN(wrong); i++) {
		CHOOSE(&c, &first, "service", "api");
		assert_int_equal(
			as_choice_add(&c, as_slice_of(wrong[i][0]), as_slice_of(wrong[i][1]), &err),
			AS_E_ARG);
		assert_path(&c, AS_CHOICE_NEW, "store:?service=api");
		as_choice_release(&c);
	}
	as_choice_release(&first);
}

static void test_options_hold_where_nothing_is_said(void **state)
{
	struct as_choice c;
	struct as_err err = AS_ERR_NONE;

	(void)state;
	assert_int_equal(
		as_choice_of(&c, &as_alloc_libc, "store:?since=1h&host=a", "store:x", &err), AS_OK);
	assert_true(c.compares);
	assert_int_equal(as_choice_default(&c, "since", "2h", false, &err), AS_OK);
	assert_int_equal(as_choice_default(&c, "host", "b", true, &err), AS_OK);
	assert_int_equal(as_choice_default(&c, "until", NULL, false, &err), AS_OK);
	assert_path(&c, AS_CHOICE_NEW, "store:?since=1h&host=a&host=b");
	assert_path(&c, AS_CHOICE_BASE, "store:x?since=2h&host=b");
	as_choice_release(&c);
}

/* ---- HTML ---- */

static struct as_sink_mem form_of(
	const struct as_choice *c, const struct as_fleet_lists *lists, const char *wrong)
{
	struct as_sink_mem html;
	struct as_out out;
	struct as_err err = AS_ERR_NONE;

	as_sink_mem_init(&html, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &html.sink, &err), AS_OK);
	as_choice_form(c, lists, as_slice_of(wrong), &out);
	assert_int_equal(as_out_finish(&out), AS_OK);
	return html;
}

static bool has(const struct as_sink_mem *html, const char *text)
{
	struct as_slice all = {html->data.p, html->data.n};

	return as_slice_find_text(all, text) < all.len;
}

static void test_hostile_texts_are_text(void **state)
{
	struct as_choice c;
	struct as_fleet_lists lists = {0};
	struct as_slice services[] = {as_slice_of("\"><script>x</script>"), as_slice_of("\xff"),
		as_slice_of("two\nlines"), as_slice_of("caf\xc3\xa9")};
	struct as_sink_mem html;
	struct as_err err = AS_ERR_NONE;

	(void)state;
	lists.list[AS_FLEET_SERVICES].text.p = services;
	lists.list[AS_FLEET_SERVICES].text.n = AS_ARRAY_LEN(services);
	assert_int_equal(as_choice_of(&c, &as_alloc_libc,
				 "store:?service=%22%3E%3Cscript%3Ey&a%22=%3Cb%3E", NULL, &err),
		AS_OK);
	html = form_of(&c, &lists, "<wrong>");
	assert_false(has(&html, "<script>x") || has(&html, "<script>y") || has(&html, "<wrong>"));
	assert_true(has(&html, "value=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt;\""));
	assert_true(has(&html, "value=\"&quot;&gt;&lt;script&gt;y\""));
	assert_true(has(&html, "value=\"a&quot;=&lt;b&gt;\""));
	assert_true(has(&html, "&lt;wrong&gt;"));
	assert_true(has(&html, "value=\"caf\xc3\xa9\""));
	assert_true(has(&html, "The lists are not whole"));
	assert_false(has(&html, "two") || has(&html, "\xff"));
	as_sink_mem_release(&html);
	as_choice_release(&c);
}

static void test_running_out_of_memory_is_told(void **state)
{
	(void)state;
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct as_choice first, c;
		struct as_err err = AS_ERR_NONE;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = as_choice_of(&first, &fa.al, "store:?service=api&partial=1", NULL, &err);
		if (rc == AS_OK) {
			rc = as_choice_anew(&c, &first, &err);
			if (rc == AS_OK)
				rc = as_choice_add(&c, as_slice_of("host"), as_slice_of("a"), &err);
			if (rc == AS_OK && !as_choice_path(&c, AS_CHOICE_NEW))
				rc = AS_E_NOMEM;
			as_choice_release(&c);
		}
		as_choice_release(&first);
		assert_int_equal(fa.held, 0);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int choice_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_controls_become_inputs),
		cmocka_unit_test(test_what_no_control_says_is_refused),
		cmocka_unit_test(test_options_hold_where_nothing_is_said),
		cmocka_unit_test(test_hostile_texts_are_text),
		cmocka_unit_test(test_running_out_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
