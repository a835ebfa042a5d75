/* SPDX-License-Identifier: Apache-2.0 */
/* Names out of binaries; tests/lib/lib_answers.py compares them with the program's. */
#include "lib/lib_testing.h"

#include "symbols/names/demangle.h"

/* A function of which only an address in OBJECT is known. */
static struct assay_profile *nameless(const char *object)
{
	struct assay_object o = {
		.size = sizeof(o), .path = T(object), .address_kind = ASSAY_ADDRESS_FILE_OFFSET};
	struct assay_event ev = {.size = sizeof(ev), .name = T("samples")};
	struct assay_function f = {.size = sizeof(f), .object = 1};
	struct assay_value cost = assay_value_of(5);
	struct assay_fact fact = {.size = sizeof(fact), .costs = &cost, .n_costs = 1};
	struct assay_profile *prof;
	struct assay_builder *b;

	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_event(b, &ev, NULL), ASSAY_OK);
	assert_int_equal(assay_builder_object(b, &o, &f.object), ASSAY_OK);
	assert_int_equal(assay_builder_function(b, &f, &fact.at.function), ASSAY_OK);
	fact.at.address = 0x1000;
	assert_int_equal(assay_builder_add(b, &fact), ASSAY_OK);
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assay_builder_free(b);
	return prof;
}

static void test_what_is_not_there_is_told(void **state)
{
	struct assay_symbol_object object = {.size = sizeof(object)};
	struct assay_profile *prof = nameless("/nowhere/at/all"), *named;
	enum assay_code rc;
	struct assay_symbols *syms;

	(void)state;
	rc = assay_symbolize(prof, NULL, &named, &syms, NULL);
	if (rc == ASSAY_E_UNSUPPORTED) { /* there is no elfutils */
		assay_profile_free(prof);
		return;
	}
	assert_int_equal(rc, ASSAY_OK);
	assert_int_equal(assay_symbols_count(syms), 1);
	assert_int_equal(assay_symbols_get(syms, 0, &object), ASSAY_OK);
	assert_int_equal(object.state, ASSAY_OBJECT_MISSING);
	assert_int_equal(object.object, 1);
	assert_int_equal(object.n_named, 0);
	assert_same(prof, named, "dump");
	assert_int_equal(assay_symbols_get(syms, 1, &object), ASSAY_E_ARG);
	assay_symbols_free(syms);
	assay_profile_free(named);
	assay_profile_free(prof);
}

static void test_what_has_names_keeps_them(void **state)
{
	struct assay_profile *prof = profile_of(extended_example), *named;
	struct assay_symbols *syms;

	(void)state;
	assert_int_equal(assay_symbolize(prof, NULL, &named, &syms, NULL), ASSAY_OK);
	assert_int_equal(assay_symbols_count(syms), 0);
	assert_same(prof, named, "dump");
	assay_symbols_free(syms);
	assay_profile_free(named);
	assay_profile_free(prof);
}

static void test_mistakes_are_refused(void **state)
{
	struct assay_profile *prof = profile_of(extended_example), *named;
	struct assay_symbolize_options o = {.size = sizeof(o), .n_binaries = 1};

	(void)state;
	assert_int_equal(assay_symbolize(prof, &o, &named, NULL, NULL), ASSAY_E_ARG);
	assert_null(named);
	assert_int_equal(assay_symbolize(NULL, NULL, &named, NULL, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_symbolize(prof, NULL, NULL, NULL, NULL), ASSAY_E_ARG);
	assay_symbols_free(NULL);
	assay_profile_free(prof);
}

static void assert_demangled(const char *name, enum assay_name_level level, const char *want)
{
	char buf[100];
	size_t len = 0;

	assert_int_equal(
		assay_demangle(assay_slice_of(name), level, buf, sizeof(buf), &len), ASSAY_OK);
	assert_string_equal(buf, want);
	assert_int_equal(len, strlen(want));
}

static void test_linkage_names_become_readable(void **state)
{
	char buf[8];
	size_t len = 0;

	(void)state;
	assert_demangled("main", ASSAY_NAMES_FULL, "main");
	assert_demangled("", ASSAY_NAMES_SHORT, "");
	if (as_demangle_is_built()) {
		assert_demangled("_ZN1a4pushIiEEvT_", ASSAY_NAMES_FULL, "void a::push<int>(int)");
		assert_demangled("_ZN1a4pushIiEEvT_", ASSAY_NAMES_NOARGS, "a::push<int>");
		assert_demangled("_ZN1a4pushIiEEvT_", ASSAY_NAMES_NOTEMPLATES, "a::push");
		assert_demangled("_ZN1a4pushIiEEvT_", ASSAY_NAMES_SHORT, "push");
	}
	assert_int_equal(assay_demangle(assay_slice_of("a_long_name"), ASSAY_NAMES_FULL, buf,
				 sizeof(buf), &len),
		ASSAY_OK);
	assert_string_equal(buf, "a_long_");
	assert_int_equal(len, 11);
	assert_int_equal(
		assay_demangle(assay_slice_of("f"), ASSAY_NAMES_FULL, NULL, 0, &len), ASSAY_OK);
	assert_int_equal(len, 1);
	assert_int_equal(assay_demangle(assay_slice_of("f"), (enum assay_name_level)4, buf,
				 sizeof(buf), NULL),
		ASSAY_E_ARG);
	assert_int_equal(
		assay_demangle(assay_slice_of("f"), ASSAY_NAMES_FULL, NULL, 1, NULL), ASSAY_E_ARG);
}

int lib_names_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_not_there_is_told),
		cmocka_unit_test(test_what_has_names_keeps_them),
		cmocka_unit_test(test_mistakes_are_refused),
		cmocka_unit_test(test_linkage_names_become_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
