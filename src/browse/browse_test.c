/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "browse/browse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "browse/keys.h"
#include "lib/fail_alloc.h"
#include "session/filtering.h"

enum { COLUMNS = 100, LINES = 24 };

struct scene {
	struct as_session ses;
	char path[2][1024];
	const char *file[1];
	struct as_browse_ask ask;
	struct as_browse *b;
	struct as_arena ar;
	char last[512]; /* error */
};

static void scene_said(void *ctx, enum as_say how, const char *text, const char *hint)
{
	struct scene *s = ctx;

	(void)hint;
	if (how == AS_SAY_ERROR)
		snprintf(s->last, sizeof(s->last), "%s", text);
}

/* FILE, and BASE, which may be NULL, are fixtures. */
static enum as_exit scene_try(
	struct scene *s, const struct as_alloc *al, const char *file, const char *base)
{
	enum as_exit rc;

	*s = (struct scene){.ses = {.al = al, .say = scene_said, .shows = true}};
	s->ses.say_ctx = s;
	as_arena_init(&s->ar, &as_alloc_libc);
	snprintf(s->path[0], sizeof(s->path[0]), "%s/%s", *file == '/' ? "" : getenv("FIXTURES"),
		file);
	snprintf(s->path[1], sizeof(s->path[1]), "%s/%s", getenv("FIXTURES"), base ? base : "");
	s->file[0] = s->path[0];
	s->ask = (struct as_browse_ask){.ses = &s->ses,
		.file = s->file,
		.n_files = 1,
		.base = base ? s->path[1] : NULL,
		.options = "",
		.utf8 = true};
	rc = as_filters_open(&s->ses);
	return rc == AS_EXIT_OK ? as_browse_open(&s->b, &s->ask) : rc;
}

static void scene_open(struct scene *s, const char *file, const char *base)
{
	static const struct as_browse_around around = {.ctx = NULL};

	assert_int_equal(scene_try(s, &as_alloc_libc, file, base), AS_EXIT_OK);
	as_browse_surround(s->b, &around);
}

static void scene_close(struct scene *s)
{
	as_browse_close(s->b);
	as_filters_close(&s->ses);
	as_arena_release(&s->ar);
}

/* KEYS, of which '\n' is Enter, go in; line Y of the screen comes out. */
static const char *scene_line(struct scene *s, const char *keys, unsigned y)
{
	struct as_canvas f;
	struct as_slice text;

	for (; *keys; keys++)
		as_browse_heed(s->b, (unsigned char)*keys);
	assert_true(as_canvas_make(&f, &as_alloc_libc, COLUMNS, LINES));
	assert_true(as_browse_draw(s->b, &f));
	text = as_arena_dup(&s->ar, as_canvas_text(&f, y, &s->ar));
	as_canvas_release(&f);
	return text.p;
}

static void test_the_first_row_is_the_hottest_function(void **state)
{
	struct scene s;

	(void)state;
	scene_open(&s, "callgrind.out.demo.full", NULL);
	assert_string_equal(scene_line(&s, "", 3),
		"601,848    54.8  601,848    54.8      6  mix                            demo.c");
	assert_non_null(strstr(scene_line(&s, "", LINES - 1), " 1 of 63 "));
	scene_close(&s);
}

static void test_enter_goes_from_function_to_function(void **state)
{
	struct scene s;

	(void)state;
	scene_open(&s, "callgrind.out.demo.full", NULL);
	assert_non_null(strstr(scene_line(&s, "j\n", 5), "* msort_with_tmp"));
	assert_non_null(strstr(scene_line(&s, "k\n", 4), "* qsort_r"));
	assert_non_null(strstr(scene_line(&s, "z", 5), "* msort_with_tmp"));
	assert_non_null(strstr(scene_line(&s, "z", 3), "  mix "));
	assert_non_null(strstr(scene_line(&s, "z", LINES - 1), "this is where it began"));
	scene_close(&s);
}

static void test_a_search_that_is_typed_narrows(void **state)
{
	struct scene s;

	(void)state;
	scene_open(&s, "callgrind.out.demo.full", NULL);
	assert_string_equal(scene_line(&s, "/^fib", 4), "");
	assert_non_null(strstr(scene_line(&s, "(", LINES - 1), "missing )"));
	assert_non_null(strstr(scene_line(&s, "\033", 4), "msort_with_tmp"));
	scene_close(&s);
}

static void test_a_filter_that_leaves_nothing_is_no_step(void **state)
{
	struct scene s;

	(void)state;
	scene_open(&s, "demo.symbolized.prof", NULL);
	assert_non_null(strstr(scene_line(&s, "gfocus no_such\n", LINES - 1), "choose nothing"));
	assert_null(strstr(scene_line(&s, "", 0), "focus"));
	assert_non_null(strstr(scene_line(&s, "ghide mix\n", 0), "hide mix"));
	assert_null(strstr(scene_line(&s, "z", 0), "hide"));
	assert_non_null(strstr(scene_line(&s, "Z", 0), "hide mix"));
	scene_close(&s);
}

static void test_what_is_too_small_to_draw_is_a_box_that_says_so(void **state)
{
	char path[] = "/tmp/assay-browse-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	struct scene s;

	(void)state;
	fprintf(f, "main;hot 60000\n");
	for (int i = 0; i < 40000; i++)
		fprintf(f, "main;f%d 1\n", i);
	fclose(f);
	scene_open(&s, path, NULL);
	assert_non_null(strstr(scene_line(&s, "F", 4), "+40000 small"));
	assert_non_null(strstr(scene_line(&s, "", LINES - 1), "all  100,000 samples"));
	scene_close(&s);
	unlink(path);
}

static void test_commands_quote_what_a_shell_would_read(void **state)
{
	struct scene s;

	(void)state;
	scene_open(&s, "callgrind.out.after", "callgrind.out.before");
	assert_non_null(strstr(scene_line(&s, "gfocus it's $x\n", LINES - 1), "nothing"));
	assert_null(strstr(scene_line(&s, "", 3), "x1b"));
	scene_line(&s, "gignore it's $x\ny", 0);
	assert_non_null(strstr(as_browse_copied(s.b).p, " --ignore 'it'\\''s $x'"));
	assert_non_null(strstr(as_browse_copied(s.b).p, "assay diff "));
	scene_close(&s);
}

static void test_differences_stand_first_and_largest_first(void **state)
{
	struct scene s;

	(void)state;
	scene_open(&s, "callgrind.out.after", "callgrind.out.before");
	assert_non_null(strstr(scene_line(&s, "", 3), "40,000  46,000  +6,000"));
	assert_non_null(strstr(scene_line(&s, "", 4), "gone"));
	assert_non_null(strstr(scene_line(&s, "\n", 4), "* parse_header"));
	scene_close(&s);
}

/* All views, filters and steps; one that cannot be is told. */
static const char everything[] =
	"cbbbb2345678\n1f\n3*b4j\nzzZ/m\nnNohyY5?jjk?gobject x\ngthread 1\n"
	"\033\033zzzzzzzzzzzzzz";

static void test_no_keys_in_no_order_break_it(void **state)
{
	static const char *const files[] = {"callgrind.out.demo.full", "demo.symbolized.prof",
		"demo.prof", "cachegrind.out.demo", "callgrind.out.after"};
	uint32_t seed = 1;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(files); i++) {
		struct scene s;

		scene_open(&s, files[i], NULL);
		scene_line(&s, everything, 0);
		for (int k = 0; k < 300; k++) {
			char key[2] = {0};

			seed = seed * 1103515245 + 12345;
			key[0] = (char)(seed >> 16) & 127;
			key[0] = key[0] && key[0] != 'q' ? key[0] : '\n';
			scene_line(&s, key, 0);
			as_browse_click(s.b, seed >> 8 & 127, seed >> 4 & 31);
			as_browse_wheel(s.b, seed & 256 ? 3 : -3);
		}
		scene_close(&s);
	}
}

static void test_any_size_is_drawn(void **state)
{
	static const unsigned sizes[][2] = {{0, 0}, {1, 1}, {3, 2}, {40, 10}, {7, 5}, {300, 100}};
	struct scene s;

	(void)state;
	scene_open(&s, "callgrind.out.demo.full", NULL);
	for (char view = '1'; view <= '8'; view++)
		for (size_t i = 0; i < AS_ARRAY_LEN(sizes); i++) {
			struct as_canvas f;

			as_browse_heed(s.b, view);
			assert_true(as_canvas_make(&f, &as_alloc_libc, sizes[i][0], sizes[i][1]));
			assert_true(as_browse_draw(s.b, &f));
			as_canvas_release(&f);
		}
	scene_close(&s);
}

static void test_running_out_of_memory_ends_nothing_but_the_step(void **state)
{
	(void)state;
	for (uint64_t n = 1; n < 100000; n += 1 + n / 8) {
		struct fail_alloc fa;
		struct scene s;
		struct as_canvas f;
		enum as_exit rc;

		fail_alloc_init(&fa, n);
		rc = scene_try(&s, &fa.al, "callgrind.out.after", NULL);
		for (const char *k = everything; rc == AS_EXIT_OK && *k; k++) {
			as_browse_heed(s.b, (unsigned char)*k);
			assert_true(as_canvas_make(&f, &as_alloc_libc, COLUMNS, LINES));
			(void)!as_browse_draw(s.b, &f);
			as_canvas_release(&f);
		}
		scene_close(&s);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	}
}

static void test_no_two_keys_are_the_same(void **state)
{
	(void)state;
	for (const struct as_browse_key *a = as_browse_keys; a->name; a++)
		for (const struct as_browse_key *b = as_browse_keys; b != a; b++)
			for (int i = 0; i < 4; i++)
				assert_true(!a->key[i / 2] || a->key[i / 2] != b->key[i % 2]);
}

static const char *put(const char *text, unsigned width)
{
	static struct as_arena ar;
	struct as_canvas f;
	struct as_slice line;

	if (ar.al)
		as_arena_release(&ar);
	as_arena_init(&ar, &as_alloc_libc);
	assert_true(as_canvas_make(&f, &as_alloc_libc, 20, 2));
	as_canvas_put(&f, 0, 0, width, as_slice_of(text), AS_TINT_PLAIN);
	line = as_arena_dup(&ar, as_canvas_text(&f, 0, &ar));
	as_canvas_release(&f);
	return line.p;
}

static void test_what_is_no_character_is_told_in_hexadecimal(void **state)
{
	(void)state;
	assert_string_equal(put("a\033[2J", 20), "a\\x1b[2J");
	assert_string_equal(put("\xff\x80", 20), "\\xff\\x80");
	assert_string_equal(put("e\u202ex", 20), "e\\xe2\\x80\\xaex");
	assert_string_equal(put("a\nb\tc", 20), "a\\x0ab\\x09c");
	assert_string_equal(put("ab\033", 4), "ab\\x");
	assert_string_equal(put("0123456789012345678901234", 99), "01234567890123456789");
}

int browse_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_first_row_is_the_hottest_function),
		cmocka_unit_test(test_enter_goes_from_function_to_function),
		cmocka_unit_test(test_a_search_that_is_typed_narrows),
		cmocka_unit_test(test_a_filter_that_leaves_nothing_is_no_step),
		cmocka_unit_test(test_what_is_too_small_to_draw_is_a_box_that_says_so),
		cmocka_unit_test(test_commands_quote_what_a_shell_would_read),
		cmocka_unit_test(test_differences_stand_first_and_largest_first),
		cmocka_unit_test(test_no_keys_in_no_order_break_it),
		cmocka_unit_test(test_any_size_is_drawn),
		cmocka_unit_test(test_running_out_of_memory_ends_nothing_but_the_step),
		cmocka_unit_test(test_no_two_keys_are_the_same),
		cmocka_unit_test(test_what_is_no_character_is_told_in_hexadecimal),
	};

	return cmocka_run_group_tests_name("browse", tests, NULL, NULL);
}
