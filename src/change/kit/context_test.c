/* SPDX-License-Identifier: Apache-2.0 */
/* Names with contexts, as callgrind writes them, and names that only look like it. */
#include "change/kit/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

struct example {
	const char *name, *folded; /* folded == NULL: the name is left alone */
};

static struct as_profile *profile_of(const char *format, const char *creator)
{
	struct as_build b;

	as_test_begin(&b, "Ir");
	assert_int_equal(as_build_str(&b, as_slice_of(format), &b.prof->format), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of(creator), &b.prof->part.p[0].creator), AS_OK);
	return as_test_end(&b);
}

static void check(const char *format, const char *creator, const struct example *ex, size_t n)
{
	struct as_profile *prof = profile_of(format, creator);

	for (size_t i = 0; i < n; i++) {
		const char *want = ex[i].folded ? ex[i].folded : ex[i].name;
		struct as_slice got = as_fold_context(prof, as_slice_of(ex[i].name));

		if (!as_slice_is(got, want))
			fail_msg("'%s' became '%.*s', expected '%s'", ex[i].name, AS_SLICE_FMT(got),
				want);
	}
	as_profile_free(prof);
}

/* data/callgrind/real: --separate-recs=2 and --separate-callers=2 */
static void test_recursion_levels_and_callers_of_callgrind_are_folded(void **state)
{
	static const struct example ex[] = {
		{"fib", NULL},
		{"fib'2", "fib"},
		{"msort_with_tmp.part.0'12", "msort_with_tmp.part.0"},
		{"msort_with_tmp.part.0'2'qsort_r'qsort", "msort_with_tmp.part.0"},
		{"work'is_even'is_odd", "work"},
		{"ptmalloc_init.part.0'malloc'0x0000000004870368", "ptmalloc_init.part.0"},
		{"main'(below main)'__libc_start_main@@GLIBC_2.34", "main"},
		{"(below main)'_start", "(below main)"},
		{"walk(tree_node*)'2", "walk(tree_node*)"},
		{"void run<f(int)::{lambda(int)#1}>(f(int)::{lambda(int)#1})'2'main",
			"void run<f(int)::{lambda(int)#1}>(f(int)::{lambda(int)#1})"},
		{"operator<(A const&, B const&)'3", "operator<(A const&, B const&)"},
		{"std::ostream::operator<<(int)'main", "std::ostream::operator<<(int)"},
		{"std::operator<< <char>(X)'main'(below main)", "std::operator<< <char>(X)"},
		{"A::operator->()'main", "A::operator->()"},
		{"operator<'main", "operator<"},
		{"operator&'main'2", "operator&"},
		{"operator&&'main", "operator&&"},
		{"operator*=<int>(X)'main", "operator*=<int>(X)"},
		{"A::operator,'main", "A::operator,"},
		{"f<&'a T>", NULL}, /* a lifetime of Rust's */
		{"A::operator()(int)'2", "A::operator()(int)"},
		{"foldl''main", "foldl'"},
		{"foldl''2", "foldl'"},
	};

	(void)state;
	check("callgrind", "callgrind-3.19.0", ex, AS_ARRAY_LEN(ex));
}

static void test_quotes_that_belong_to_the_name_stay(void **state)
{
	static const struct example ex[] = {
		{"", NULL}, {"'", NULL}, {"'2", NULL}, {"foldl'", NULL},    /* Haskell */
		{"go''", NULL}, {"<&'a T as core::fmt::Debug>::fmt", NULL}, /* Rust */
		{"<&'a T as core::fmt::Debug>::fmt'2", "<&'a T as core::fmt::Debug>::fmt"},
		{"f(int)::'lambda'(int)::operator()(int) const", NULL}, /* LLVM's demangler */
		{"f(int)::'lambda'(int)::operator()(int) const'main",
			"f(int)::'lambda'(int)::operator()(int) const"},
		{"Buffer<1'000>::get", NULL}, {"{closure 'x'}", NULL}, {"f(char, 'a')", NULL},
		{"f'1", "f"}, /* a caller called 1 */
	};

	(void)state;
	check("callgrind", "callgrind-3.19.0", ex, AS_ARRAY_LEN(ex));
}

static void test_other_producers_have_recursion_levels_only(void **state)
{
	static const struct example ex[] = {
		{"fib'2", "fib"},
		{"fib'10", "fib"},
		{"fib'1", NULL}, /* the first level has no number */
		{"fib'0", NULL},
		{"fib'02", NULL},
		{"work'is_even'is_odd", NULL},
		{"msort'2'qsort", NULL},
		{"operator<(A)'3", "operator<(A)"},
	};

	(void)state;
	check("callgrind", "xdebug 3.1", ex, AS_ARRAY_LEN(ex));
}

static void test_other_formats_have_no_contexts(void **state)
{
	static const struct example ex[] = {{"fib'2", NULL}, {"work'is_even'is_odd", NULL}};

	(void)state;
	check("gperf", "callgrind-3.19.0", ex, AS_ARRAY_LEN(ex));
	check("", "callgrind-3.19.0", ex, AS_ARRAY_LEN(ex));
}

static void test_groups_are_functions_of_one_object_and_file(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_fold fold;
	as_func f3, f, g, other_object, other_file;

	(void)state;
	as_test_begin(&b, "Ir");
	assert_int_equal(as_build_str(&b, as_slice_of("callgrind"), &b.prof->format), AS_OK);
	f3 = as_test_func(&b, "f'3", "prog", "a.c");
	g = as_test_func(&b, "g'2", "prog", "a.c");
	other_object = as_test_func(&b, "f'2", "lib.so", "a.c");
	other_file = as_test_func(&b, "f'2", "prog", "b.c");
	f = as_test_func(&b, "f", "prog", "a.c");
	prof = as_test_end(&b);
	assert_true(as_fold_init(&fold, prof, false, false));
	assert_int_equal(fold.group[f.i], f.i);
	assert_int_equal(fold.group[f3.i], f.i);
	assert_int_equal(fold.group[g.i], g.i);
	assert_int_equal(fold.group[other_object.i], other_object.i);
	assert_int_equal(fold.group[other_file.i], other_file.i);
	assert_true(as_slice_is(as_fold_func_name(&fold, prof, g), "g"));
	as_fold_release(&fold);
	assert_true(as_fold_init(&fold, prof, true, false));
	assert_int_equal(fold.group[f3.i], f3.i);
	assert_true(as_slice_is(as_fold_func_name(&fold, prof, g), "g'2"));
	as_fold_release(&fold);
	as_profile_free(prof);
}

int context_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recursion_levels_and_callers_of_callgrind_are_folded),
		cmocka_unit_test(test_quotes_that_belong_to_the_name_stay),
		cmocka_unit_test(test_other_producers_have_recursion_levels_only),
		cmocka_unit_test(test_other_formats_have_no_contexts),
		cmocka_unit_test(test_groups_are_functions_of_one_object_and_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
