/* SPDX-License-Identifier: Apache-2.0 */
/* Option tables: every spelling, every mistake. */
#include "cli/options.h"
#include "session/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct args {
	bool quiet, verbose;
	const char *output;
	struct as_num rows;
	unsigned by;
	struct as_list keys;
};

static const struct as_optdef defs[] = {
	AS_OPTION(args, quiet, 'q', "quiet", NULL, "say less"),
	AS_OPTION(args, verbose, 'v', "verbose", NULL, "say more"),
	AS_OPTION(args, output, 'o', "output", "FILE", "write to FILE"),
	AS_OPTION(args, rows, 'n', "limit", "N", "rows"),
	AS_OPTION(args, by, 0, "by", "function|file|object", "what a row is"),
	AS_OPTION(args, keys, 'I', "key", "KEY=VALUE", "a key"),
	AS_OPTION_END,
};

static bool parse(struct as_parse *ps, struct args *args, const char *line)
{
	static char words[256];
	static char *argv[32];
	static const char *operand[32];
	int argc = 0;

	*args = (struct args){0};
	*ps = (struct as_parse){.binding = {{defs, args}}, .n_bindings = 1, .operand = operand};
	assert_true(strlen(line) < sizeof(words));
	memcpy(words, line, strlen(line) + 1);
	for (char *p = words; p;) {
		char *blank = strchr(p, ' ');

		if (blank)
			*blank++ = 0;
		if (p[0])
			argv[argc++] = p;
		p = blank;
	}
	return as_options_parse(ps, argc, argv);
}

static void test_every_spelling_of_an_option_means_the_same(void **state)
{
	static const char *const spellings[] = {"-n 5 -o x", "-n5 -ox", "--limit 5 --output x",
		"--limit=5 --output=x", "-qn5 -o x", "a -n 5 -o x b"};
	struct as_parse ps;
	struct args args;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(spellings); i++) {
		assert_true(parse(&ps, &args, spellings[i]));
		assert_true(args.rows.given);
		assert_int_equal(args.rows.value, 5);
		assert_string_equal(args.output, "x");
	}
	assert_int_equal(ps.n_operands, 2);
	assert_string_equal(ps.operand[1], "b");
}

static void test_a_dash_is_an_operand_and_two_dashes_end_the_options(void **state)
{
	struct as_parse ps;
	struct args args;

	(void)state;
	assert_true(parse(&ps, &args, "-q - -- -v --limit"));
	assert_true(args.quiet);
	assert_false(args.verbose);
	assert_int_equal(ps.n_operands, 3);
	assert_string_equal(ps.operand[0], "-");
	assert_string_equal(ps.operand[1], "-v");
	assert_string_equal(ps.operand[2], "--limit");
}

static void test_an_empty_value_after_an_equals_sign_is_a_value(void **state)
{
	struct as_parse ps;
	struct args args;

	(void)state;
	assert_true(parse(&ps, &args, "--output="));
	assert_string_equal(args.output, "");
}

static void test_words_are_numbered_from_one_and_lists_keep_their_order(void **state)
{
	struct as_parse ps;
	struct args args;

	(void)state;
	assert_true(parse(&ps, &args, "--by object -I a=1 --key=b"));
	assert_int_equal(args.by, 3);
	assert_int_equal(args.keys.n, 2);
	assert_string_equal(args.keys.p[0], "a=1");
	assert_string_equal(args.keys.p[1], "b");
}

static void test_help_is_known_without_a_table_entry(void **state)
{
	struct as_parse ps;
	struct args args;

	(void)state;
	assert_true(parse(&ps, &args, "-h"));
	assert_true(ps.help && !ps.full_help);
	assert_true(parse(&ps, &args, "--help"));
	assert_true(ps.help && ps.full_help);
}

static void check_wrong(const char *line, const char *what, const char *hint)
{
	struct as_parse ps;
	struct args args;

	assert_false(parse(&ps, &args, line));
	assert_string_equal(ps.usage.what, what);
	assert_string_equal(ps.usage.hint, hint);
}

static void test_mistakes_are_named_and_the_nearest_option_is_offered(void **state)
{
	(void)state;
	check_wrong("--limt 5", "unknown option '--limt'", "did you mean '--limit'?");
	check_wrong("--ouptut=x", "unknown option '--ouptut'", "did you mean '--output'?");
	check_wrong("--verb", "unknown option '--verb'", "did you mean '--verbose'?");
	check_wrong("--frobnicate", "unknown option '--frobnicate'", "");
	check_wrong("-limit", "unknown option '--limit'", "did you mean '--limit'?");
	check_wrong("-x", "unknown option '-x'", "");
	check_wrong("--by filee", "option '--by' takes function|file|object, not 'filee'",
		"did you mean 'file'?");
	check_wrong("-n many", "option '--limit' takes a number, not 'many'", "");
	check_wrong("-n -1", "option '--limit' takes a number, not '-1'", "");
	check_wrong("-n 18446744073709551616",
		"option '--limit' takes a number, not '18446744073709551616'", "");
	check_wrong("--quiet=yes", "option '--quiet' takes no value", "");
	check_wrong("-o", "option '--output' needs a value: FILE", "write to FILE");
	check_wrong("--\033[2J", "unknown option '--\\x1b[2J'", "");
}

/* Distances counted by hand. */
static void test_edit_distance_counts_exchanged_neighbours_once(void **state)
{
	(void)state;
	assert_int_equal(as_edit_distance("", ""), 0);
	assert_int_equal(as_edit_distance("abc", ""), 3);
	assert_int_equal(as_edit_distance("kitten", "sitting"), 3);
	assert_int_equal(as_edit_distance("ab", "ba"), 1);
	assert_int_equal(as_edit_distance("merge", "mreeg"), 2);
}

int options_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_spelling_of_an_option_means_the_same),
		cmocka_unit_test(test_a_dash_is_an_operand_and_two_dashes_end_the_options),
		cmocka_unit_test(test_an_empty_value_after_an_equals_sign_is_a_value),
		cmocka_unit_test(test_words_are_numbered_from_one_and_lists_keep_their_order),
		cmocka_unit_test(test_help_is_known_without_a_table_entry),
		cmocka_unit_test(test_mistakes_are_named_and_the_nearest_option_is_offered),
		cmocka_unit_test(test_edit_distance_counts_exchanged_neighbours_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
