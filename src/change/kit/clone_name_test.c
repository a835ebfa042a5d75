/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/clone_name.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_names_of_clones(void **state)
{
	static const char *const row[][2] = {
		{"f", "f"},
		{"", ""},
		{"f.isra.0", "f"},
		{"f.part.12", "f"},
		{"f.constprop.0.isra.0", "f"},
		{"f.cold", "f"},
		{"f.cold.3", "f"},
		{"f.part.0.cold", "f"},
		{"f.llvm.1234567890", "f"},
		{"f.lto_priv.7", "f"},
		{"_ZN1a1bEv.isra.0", "_ZN1a1bEv"},
		{"a::b(int) [clone .isra.0]", "a::b(int)"},
		{"a::b(int) [clone .isra.0] [clone .cold]", "a::b(int)"},
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
		{"g::h0123456789abcdef.llvm.42", "g"},
		/* not made by a compiler */
		{"f.isra", "f.isra"},
		{"f.part.", "f.part."},
		{"f.0", "f.0"},
		{"f.1.2", "f.1.2"},
		{"f_isra.0", "f_isra.0"},
		{".cold", ".cold"},
		{".part.0", ".part.0"},
		{"x.colder", "x.colder"},
		{"a[3]", "a[3]"},
		{"[clone .cold]", "[clone .cold]"},
		{"g::h0123456789abcdeg", "g::h0123456789abcdeg"},
		{"g::h0123456789ABCDEF", "g::h0123456789ABCDEF"},
		{"::h0123456789abcdef", "::h0123456789abcdef"},
		{"part.0", "part.0"},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct as_slice got = as_clone_origin(as_slice_of(row[i][0]));

		if (!as_slice_is(got, row[i][1]))
			fail_msg("'%s' gives '%.*s'", row[i][0], AS_SLICE_FMT(got));
	}
}

int clone_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_clones),
	};

	return cmocka_run_group_tests_name("clone_name", tests, NULL, NULL);
}
