/* SPDX-License-Identifier: Apache-2.0 */
/* Names in fewer columns than they have. */
#include "report/kit/name_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/utf8_len.h"

static void check_fit(const char *name, size_t width, const char *want)
{
	struct as_slice got;
	struct as_arena ar;

	as_arena_init(&ar, &as_alloc_libc);
	got = as_name_fit(&ar, as_slice_of(name), width, true);
	if (!as_slice_is(got, want))
		fail_msg("'%s' in %zu columns became '%.*s', expected '%s'", name, width,
			AS_SLICE_FMT(got), want);
	as_arena_release(&ar);
}

static void test_the_order_in_which_things_go(void **state)
{
	const char *name = "void ns::Heap<int*>::sort<int*, std::less<int> >(int*, int*) const";

	(void)state;
	check_fit(name, 0, name);
	check_fit(name, 66, name);
	check_fit(name, 65, "ns::Heap<int*>::sort<int*, std::less<int> >(int*, int*) const");
	check_fit(name, 60, "ns::Heap<int*>::sort<int*, std::less<int> >");
	check_fit(name, 42, "ns::Heap<…>::sort<…>");
	check_fit(name, 19, "ns::Heap::sort");
	check_fit(name, 13, "…::Heap::sort");
	check_fit(name, 12, "Heap::sort");
	check_fit(name, 9, "…::sort");
	check_fit(name, 6, "sort");
	check_fit(name, 3, "so…");
}

/* What a screen of 80 columns showed as "...::..." (review of C++ programs). */
static void test_real_names_of_cxx(void **state)
{
	const char *visit = "decltype(auto) std::__do_visit<std::__detail::__variant::"
			    "__deduce_visit_result<void>, Show, std::variant<int> >(Show&&, "
			    "std::variant<int>&)";
	const char *plus = "__gnu_cxx::__normal_iterator<int*, std::vector<int, "
			   "std::allocator<int> > >::operator+(long) const";
	const char *twist = "double std::geometric_distribution<int>::operator()<std::"
			    "mersenne_twister_engine<unsigned long, 32ul> >(std::"
			    "mersenne_twister_engine<unsigned long, 32ul>&, param_type const&)";
	const char *lambda = "build(std::vector<int> const&)::{lambda(int, int)#1}::operator()"
			     "(int, int) const [clone .isra.0]";

	(void)state;
	check_fit(visit, 24, "std::__do_visit<…>");
	check_fit(visit, 12, "__do_visit");
	check_fit(plus, 50, "__gnu_cxx::__normal_iterator<…>::operator+");
	check_fit(plus, 30, "__normal_iterator::operator+");
	check_fit(plus, 20, "__normal…::operator+");
	check_fit(plus, 12, "…::operator+");
	check_fit(plus, 10, "operator+");
	check_fit(plus, 8, "…erator+");
	check_fit(twist, 24, "geometric_d…::operator()");
	check_fit(lambda, 40, "build::{lambda#1}::operator()");
	check_fit(lambda, 20, "build::{lambda#1}");
	check_fit(lambda, 17, "build::{lambda#1}");
	check_fit(lambda, 12, "{lambda#1}");
	check_fit(lambda, 8, "{lambda}");
	check_fit("std::_Rb_tree_insert_and_rebalance(bool, std::_Rb_tree_node_base*)", 24,
		"_Rb_tree_insert_and_reb…");
	check_fit("std::operator<<(std::ostream&, char const*)", 20, "std::operator<<");
	check_fit("S::operator->(long, argument, list)", 20, "S::operator->");
	check_fit("S::operator std::string(int) const", 10, "…d::string");
	check_fit("(anonymous namespace)::helper(int, int, int)", 34,
		"(anonymous namespace)::helper");
	check_fit("(anonymous namespace)::helper(int, int, int)", 16, "…::helper");
	check_fit("void (*choose(int))(double, double, double)", 12, "choose");
	check_fit("non-virtual thunk to Shape::area()", 12, "Shape::area");
}

static void test_real_names_of_c(void **state)
{
	(void)state;
	check_fit("__memcmp_avx2_movbe", 12, "__memcmp_av…");
	check_fit("msort_with_tmp.part.0", 16, "msort_with_tmp");
	check_fit("memcpy@@GLIBC_2.14", 8, "memcpy");
	check_fit("[libc.so.6+0x1234]", 12, "…o.6+0x1234]");
	check_fit("0x00007f3a12345678", 8, "…2345678");
	check_fit("0x000000000001ab70", 16, "0x1ab70");
	check_fit("(below main)", 8, "(below …");
	check_fit("[filtered out]", 10, "[filtered…");
}

static void test_real_names_of_others(void **state)
{
	const char *rust = "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop::h0123456789abcdef";
	const char *php = "App\\Http\\Controllers\\Shop->listAll";
	const char *node = "LazyCompile:*resolve /srv/app/node_modules/x/index.js:12:5";

	(void)state;
	check_fit(rust, 60, "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop");
	check_fit(rust, 20, "Vec::drop");
	check_fit("core::slice::sort::merge_sort::{{closure}}::h0123456789abcdef", 40,
		"…::slice::sort::merge_sort::{{closure}}");
	check_fit("core::slice::sort::merge_sort::{{closure}}::h0123456789abcdef", 24,
		"merge_sort::{{closure}}");
	check_fit("github.com/google/pprof/internal/graph.(*Graph).Trim(...)", 40,
		"…/pprof/internal/graph.(*Graph).Trim");
	check_fit("github.com/google/pprof/internal/graph.(*Graph).Trim(...)", 20,
		"graph.(*Graph).Trim");
	check_fit("github.com/google/pprof/internal/graph.(*Graph).Trim", 16, "…(*Graph).Trim");
	check_fit("slices.SortFunc[go.shape.[]int,go.shape.int]", 20, "slices.SortFunc[…]");
	check_fit("main.(*Server).run.func1.2", 12, "…run.func1.2");
	check_fit("java.util.concurrent.ConcurrentHashMap.putVal_[j]", 30,
		"…ConcurrentHashMap.putVal");
	check_fit("java/util/HashMap.putVal", 16, "…/HashMap.putVal");
	check_fit("Ljava/lang/String;::indexOf(Ljava/lang/String;)I", 20, "…/String;::indexOf");
	check_fit(php, 20, "…\\Shop->listAll");
	check_fit("require_once::/var/www/html/shop/index.php", 20, "…/shop/index.php");
	check_fit("py::parse:/usr/lib/python3/dist-packages/parser.py", 12, "py::parse");
	check_fit("parse (parser.py:5)", 12, "parse");
	check_fit(node, 20, "LazyCompile:*resolve");
	check_fit("/usr/lib/x86_64-linux-gnu/libc.so.6", 14, "…/libc.so.6");
}

static void test_places_keep_lines_and_offsets(void **state)
{
	static const struct {
		const char *place;
		size_t width;
		const char *want;
	} ex[] = {{"hashtable_policy.h:1666", 23, "hashtable_policy.h:1666"},
		{"hashtable_policy.h:1666", 14, "hashtabl…:1666"},
		{"hashtable_policy.h:1666", 5, "…1666"}, {"search_g+0x99ee", 12, "sear…+0x99ee"},
		{"/usr/include/c++/12/bits/stl_algo.h:1908", 20, "…/stl_algo.h:1908"},
		{"memcmp-avx2-movbe.S", 10, "memcmp-av…"}, {"", 4, ""}};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_slice got =
			as_place_fit(&ar, as_slice_of(ex[i].place), ex[i].width, true);

		if (!as_slice_is(got, ex[i].want))
			fail_msg("'%s' in %zu columns became '%.*s', expected '%s'", ex[i].place,
				ex[i].width, AS_SLICE_FMT(got), ex[i].want);
	}
	as_arena_release(&ar);
}

/* ---- laws, over many names and all widths ---- */

static const struct {
	const char *name, *word; /* the word that is never lost where it fits */
} many[] = {
	{"main", "main"},
	{"__memcmp_avx2_movbe", "__memcmp_avx2_movbe"},
	{"sqlite3BtreeMovetoUnpacked", "sqlite3BtreeMovetoUnpacked"},
	{"void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, "
	 "std::allocator<int> > >, long, __gnu_cxx::__ops::_Iter_less_iter>(__gnu_cxx::"
	 "__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long)",
		"__introsort_loop"},
	{"std::__detail::_Map_base<std::string, std::pair<std::string const, int>, "
	 "std::allocator<std::pair<std::string const, int> >, true>::operator[](std::string "
	 "const&)",
		"operator[]"},
	{"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::"
	 "_M_append(char const*, unsigned long)",
		"_M_append"},
	{"std::pair<std::_Rb_tree_iterator<int>, bool> std::_Rb_tree<int, int, "
	 "std::_Identity<int>, std::less<int>, std::allocator<int> >::_M_insert_unique<int "
	 "const&>(int const&)",
		"_M_insert_unique"},
	{"bool __gnu_cxx::operator!=<int*, std::vector<int> >(__gnu_cxx::__normal_iterator<int*, "
	 "std::vector<int> > const&, __gnu_cxx::__normal_iterator<int*, std::vector<int> > const&)",
		"operator!="},
	{"std::basic_ostream<char, std::char_traits<char> >& std::operator<< "
	 "<std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char "
	 "const*)",
		"operator<<"},
	{"std::vector<std::unique_ptr<Node> >::~vector()", "~vector"},
	{"operator new(unsigned long)", "operator new"},
	{"std::function<void (int)>::operator()(int) const", "operator()"},
	{"Ranker::top(int)::{lambda(Score const&, Score const&)#2}::operator()(Score const&, "
	 "Score const&) const",
		"{lambda"},
	{"f(int)::'lambda'(int)::operator()(int) const", "'lambda'"},
	{"std::enable_if<(sizeof (int))<(8), int>::type pick<int>(int)", "pick"},
	{"decltype(auto) std::__do_visit<Show>(Show&&)", "__do_visit"},
	{"typeinfo for ns::Widget", "Widget"},
	{"virtual thunk to ns::Widget::draw(QPainter*)", "draw"},
	{"llvm::cl::opt<bool, false, llvm::cl::parser<bool> >::handleOccurrence(unsigned int, "
	 "llvm::StringRef, llvm::StringRef)",
		"handleOccurrence"},
	{"(anonymous namespace)::Parser::factor()", "factor"},
	{"core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "drop_in_place"},
	{"<std::collections::hash::map::HashMap<K, V, S> as core::iter::Extend<(K, V)>>::extend",
		"extend"},
	{"<&mut W as core::fmt::Write>::write_str", "write_str"},
	{"tokio[5d8c1f0e]::runtime::task::harness::Harness<T>::poll", "poll"},
	{"std::rt::lang_start::{{closure}}::h0123456789abcdef", "{{closure}}"},
	{"runtime.mallocgc", "mallocgc"},
	{"net/http.(*conn).serve", "serve"},
	{"golang.org/x/net/http2.(*Framer).ReadFrame", "ReadFrame"},
	{"encoding/json.(*decodeState).object.func1", "func1"},
	{"java.util.HashMap.putVal", "putVal"},
	{"Lcom/example/Main$Inner;::run", "run"},
	{"org/apache/lucene/search/IndexSearcher.search_[j]", "search"},
	{"App\\Models\\User::all", "all"},
	{"Symfony\\Component\\HttpKernel\\Kernel->handle", "handle"},
	{"php::preg_match", "preg_match"},
	{"include::/srv/www/index.php", "index.php"},
	{"py::<module>:/srv/app/run.py", "<module>"},
	{"<module> (run.py:1)", "<module>"},
	{"JS:~next file:///srv/app/x.mjs:7:11", "JS:~next"},
	{"[search_g+0x47a0]", "0]"},
	{"entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_64_after_hwframe"},
	{"café::東京::über<é>(é)", "über"},
	{"std.stdio.writeln!(char[], int).writeln(char[], int)", "writeln"},
	{"core::num::<impl u64>::checked_add", "checked_add"},
	{"f'2", "f"},
	{"a_b::c<d>::e(int)'3", "e"},
};

static bool has(struct as_slice s, const char *part)
{
	return as_slice_find_text(s, part) < s.len;
}

static void check_laws(
	struct as_arena *ar, const char *name, const char *word, size_t width, bool utf8)
{
	struct as_slice got = as_name_fit(ar, as_slice_of(name), width, utf8);
	bool lambda = strcmp(word, "{lambda") == 0; /* its bracket is closed */

	if (!got.len || as_utf8_columns(got) > width)
		fail_msg("'%s' in %zu: '%.*s'", name, width, AS_SLICE_FMT(got));
	if (has(got, "::\u2026") || has(got, "::..."))
		fail_msg("'%s' in %zu lost its word: '%.*s'", name, width, AS_SLICE_FMT(got));
	if (width >= as_utf8_columns(as_slice_of(word)) + lambda && !has(got, word))
		fail_msg("'%s' in %zu lost '%s': '%.*s'", name, width, word, AS_SLICE_FMT(got));
	for (size_t i = 0, len; i < got.len; i += len) {
		len = as_utf8_len(got.p + i, got.len - i);
		assert_true(len > 0);
	}
}

static void test_what_is_shown_fits_and_keeps_its_word(void **state)
{
	struct as_arena ar;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(many); i++) {
		as_arena_init(&ar, &as_alloc_libc);
		for (size_t width = 1; width <= 200; width++) {
			check_laws(&ar, many[i].name, many[i].word, width, true);
			check_laws(&ar, many[i].name, many[i].word, width, false);
		}
		as_arena_release(&ar);
	}
}

/* Whatever bytes a name has, it fits, and nothing is read behind it. */
static void test_no_text_breaks_the_grid(void **state)
{
	static const char letters[] = "ab:<>(){}[]./\\->~ '@#*&,operator0\xc3\xbc";
	uint32_t seed = 42;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t len = 1 + (size_t)round % 60, width = 1 + (size_t)round % 23;
		char *text = malloc(len); /* of this size, so that valgrind and ASan see more */
		struct as_slice got;
		struct as_arena ar;

		assert_non_null(text);
		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		as_arena_init(&ar, &as_alloc_libc);
		got = as_name_fit(&ar, (struct as_slice){text, len}, width, true);
		assert_true(got.len > 0 && as_utf8_columns(got) <= width);
		got = as_place_fit(&ar, (struct as_slice){text, len}, width, false);
		assert_true(got.p && as_utf8_columns(got) <= width);
		as_arena_release(&ar);
		free(text);
	}
}

int name_fit_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_order_in_which_things_go),
		cmocka_unit_test(test_real_names_of_cxx),
		cmocka_unit_test(test_real_names_of_c),
		cmocka_unit_test(test_real_names_of_others),
		cmocka_unit_test(test_places_keep_lines_and_offsets),
		cmocka_unit_test(test_what_is_shown_fits_and_keeps_its_word),
		cmocka_unit_test(test_no_text_breaks_the_grid),
	};

	return cmocka_run_group_tests_name("name_fit", tests, NULL, NULL);
}
