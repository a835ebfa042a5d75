/* SPDX-License-Identifier: Apache-2.0 */
/* Names: the full ones as c++filt has them, the shorter ones by hand. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "symbols/names/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

struct levels {
	const char *name; /* from the linker */
	const char *want[4];
};

static const struct levels linkage[] = {
	{"main", {"main", "main", "main", "main"}},
	{"foo.isra.0", {"foo.isra.0", "foo", "foo", "foo"}},
	{"foo.part.1.cold", {"foo.part.1.cold", "foo", "foo", "foo"}},
	{"foo.constprop.0.llvm.123", {"foo.constprop.0.llvm.123", "foo", "foo", "foo"}},
	{"foo._omp_fn.0", {"foo._omp_fn.0", "foo._omp_fn.0", "foo._omp_fn.0", "foo._omp_fn.0"}},
	{"memcpy@plt", {"memcpy@plt", "memcpy@plt", "memcpy@plt", "memcpy@plt"}},
	{"_ZNSt6vectorIiSaIiEE9push_backERKi",
		{"std::vector<int, std::allocator<int> >::push_back(int const&)",
			"std::vector<int, std::allocator<int> >::push_back",
			"std::vector::push_back", "push_back"}},
	{"_ZNSt6vectorIiSaIiEE9push_backERKi.isra.0",
		{"std::vector<int, std::allocator<int> >::push_back(int const&) [clone .isra.0]",
			"std::vector<int, std::allocator<int> >::push_back",
			"std::vector::push_back", "push_back"}},
	{"_ZN3foo3barEv.part.1.cold",
		{"foo::bar() [clone .part.1] [clone .cold]", "foo::bar", "foo::bar", "bar"}},
	{"_ZN3foo3barEv.llvm.1234567",
		{"foo::bar() [clone .llvm.1234567]", "foo::bar", "foo::bar", "bar"}},
	{"_ZN3foo3barEv@plt", {"foo::bar()@plt", "foo::bar@plt", "foo::bar@plt", "bar@plt"}},
	{"_ZlsIcEvT_",
		{"void operator<< <char>(char)", "operator<< <char>", "operator<<", "operator<<"}},
	{"_Z3fooIiEPFvcET_", {"void (*foo<int>(int))(char)", "foo<int>", "foo", "foo"}},
	{"_Z1fILi3EEvPFviE", {"void f<3>(void (*)(int))", "f<3>", "f", "f"}},
	{"_ZN3fooB5cxx11Ev", {"foo[abi:cxx11]()", "foo[abi:cxx11]", "foo", "foo"}},
	{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
		{"core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place",
			"core::ptr::drop_in_place", "drop_in_place"}},
	{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE.llvm.77",
		{"core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place",
			"core::ptr::drop_in_place", "drop_in_place"}},
	{"_RINvNtC3std3mem8align_ofdE",
		{"std[0]::mem::align_of::<f64>", "std::mem::align_of::<f64>", "std::mem::align_of",
			"align_of"}},
	{"_RNvXCs_3fooNtB2_3BarNtB2_5Trait3baz",
		{"<foo[1]::Bar as foo[1]::Trait>::baz", "<foo::Bar as foo::Trait>::baz",
			"<foo::Bar as foo::Trait>::baz", "baz"}},
	{"_D3std5stdio__T7writelnTAyaZ7writelnFNfAyaZv",
		{"std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])",
			"std.stdio.writeln!(immutable(char)[]).writeln",
			"std.stdio.writeln.writeln", "writeln"}},
	{"_D4test1C3barMxFNaNbZi", {"test.C.bar() const", "test.C.bar", "test.C.bar", "bar"}},
	{"_Dmain", {"D main", "D main", "D main", "D main"}},
};

static const struct levels readable[] = {
	{"", {"", "", "", ""}},
	{"[unknown]", {"[unknown]", "[unknown]", "[unknown]", "[unknown]"}},
	{"(below main)", {"(below main)", "(below main)", "(below main)", "(below main)"}},
	{"<cycle 1>", {"<cycle 1>", "<cycle 1>", "<cycle 1>", "<cycle 1>"}},
	{"-[Foo bar:baz]",
		{"-[Foo bar:baz]", "-[Foo bar:baz]", "-[Foo bar:baz]", "-[Foo bar:baz]"}},
	{"LazyCompile:~f /x/y.js:1:2",
		{"LazyCompile:~f /x/y.js:1:2", "LazyCompile:~f /x/y.js:1:2",
			"LazyCompile:~f /x/y.js:1:2", "LazyCompile:~f /x/y.js:1:2"}},
	{"fact(int)'2", {"fact(int)'2", "fact'2", "fact'2", "fact'2"}},
	{"Foo->bar", {"Foo->bar", "Foo->bar", "Foo->bar", "Foo->bar"}},
	{"void com.acme.Foo.bar(int)", {"void com.acme.Foo.bar(int)", "com.acme.Foo.bar",
					       "com.acme.Foo.bar", "com.acme.Foo.bar"}},
	{"a::B::operator()(int) const", {"a::B::operator()(int) const", "a::B::operator()",
						"a::B::operator()", "operator()"}},
	{"a::B::operator->() const",
		{"a::B::operator->() const", "a::B::operator->", "a::B::operator->", "operator->"}},
	{"void a::operator-><int>(int)", {"void a::operator-><int>(int)", "a::operator-><int>",
						 "a::operator->", "operator->"}},
	{"a<int>::operator new[](unsigned long)",
		{"a<int>::operator new[](unsigned long)", "a<int>::operator new[]",
			"a::operator new[]", "operator new[]"}},
	{"a<int>::operator bool() const", {"a<int>::operator bool() const", "a<int>::operator bool",
						  "a::operator bool", "operator bool"}},
	{"a::operator std::vector<int, std::allocator<int> >()",
		{"a::operator std::vector<int, std::allocator<int> >()",
			"a::operator std::vector<int, std::allocator<int> >",
			"a::operator std::vector", "operator std::vector"}},
	{"a::operator void (*)(int)()",
		{"a::operator void (*)(int)()", "a::operator void (*)(int)",
			"a::operator void (*)(int)", "operator void (*)(int)"}},
	{"bool std::operator< <int>(std::vector<int> const&)",
		{"bool std::operator< <int>(std::vector<int> const&)", "std::operator< <int>",
			"std::operator<", "operator<"}},
	{"bool operator><int>(int)",
		{"bool operator><int>(int)", "operator><int>", "operator>", "operator>"}},
	{"auto operator<=><int>(int)",
		{"auto operator<=><int>(int)", "operator<=><int>", "operator<=>", "operator<=>"}},
	{"operator\"\" _km(long double)", {"operator\"\" _km(long double)", "operator\"\" _km",
						  "operator\"\" _km", "operator\"\" _km"}},
	{"operators::foo(int)", {"operators::foo(int)", "operators::foo", "operators::foo", "foo"}},
	{"(anonymous namespace)::f(int)",
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f",
			"(anonymous namespace)::f", "f"}},
	{"void (anonymous namespace)::C<(anonymous namespace)::D>::f<int>()",
		{"void (anonymous namespace)::C<(anonymous namespace)::D>::f<int>()",
			"(anonymous namespace)::C<(anonymous namespace)::D>::f<int>",
			"(anonymous namespace)::C::f", "f"}},
	{"ns::run(int)::{lambda(int, char)#2}::operator()(int, char) const",
		{"ns::run(int)::{lambda(int, char)#2}::operator()(int, char) const",
			"ns::run::{lambda#2}::operator()", "ns::run::{lambda#2}::operator()",
			"run::{lambda#2}::operator()"}},
	{"auto f(int)::{lambda(auto:1)#1}::operator()<int>(int) const::{lambda()#1}::operator()() "
	 "const",
		{"auto f(int)::{lambda(auto:1)#1}::operator()<int>(int) const::{lambda()#1}::"
		 "operator()() const",
			"f::{lambda#1}::operator()<int>::{lambda#1}::operator()",
			"f::{lambda#1}::operator()::{lambda#1}::operator()",
			"f::{lambda#1}::operator()::{lambda#1}::operator()"}},
	{"ns::run(int)::'lambda'(int)::operator()(int) const",
		{"ns::run(int)::'lambda'(int)::operator()(int) const",
			"ns::run::'lambda'::operator()", "ns::run::'lambda'::operator()",
			"run::'lambda'::operator()"}},
	{"a<b<c>>::d<e<f>>(g<h>)", {"a<b<c>>::d<e<f>>(g<h>)", "a<b<c>>::d<e<f>>", "a::d", "d"}},
	{"std::enable_if<((sizeof (int))>(4)), void>::type f<((3)<(4))>(int)",
		{"std::enable_if<((sizeof (int))>(4)), void>::type f<((3)<(4))>(int)",
			"f<((3)<(4))>", "f", "f"}},
	{"void f<((1)<<(3)), ((8)>>(1)), &a::operator-> >(int)",
		{"void f<((1)<<(3)), ((8)>>(1)), &a::operator-> >(int)",
			"f<((1)<<(3)), ((8)>>(1)), &a::operator-> >", "f", "f"}},
	{"void f<&a::operator->>(int)",
		{"void f<&a::operator->>(int)", "f<&a::operator->>", "f", "f"}},
	{"std::function<void (int (*)(char))>::operator()(int) const",
		{"std::function<void (int (*)(char))>::operator()(int) const",
			"std::function<void (int (*)(char))>::operator()",
			"std::function::operator()", "operator()"}},
	{"decltype (((declval<int>)())+(1)) ns::f<int>(int)",
		{"decltype (((declval<int>)())+(1)) ns::f<int>(int)", "ns::f<int>", "ns::f", "f"}},
	{"decltype(auto) ns::f<int>(int)",
		{"decltype(auto) ns::f<int>(int)", "ns::f<int>", "ns::f", "f"}},
	{"std::pair<int, int>* ns::f<int>(int)",
		{"std::pair<int, int>* ns::f<int>(int)", "ns::f<int>", "ns::f", "f"}},
	{"std::basic_istream<char>& std::operator>><char>(std::basic_istream<char>&, char&)@@X_3.4",
		{"std::basic_istream<char>& std::operator>><char>(std::basic_istream<char>&, "
		 "char&)@@X_3.4",
			"std::operator>><char>@@X_3.4", "std::operator>>@@X_3.4",
			"operator>>@@X_3.4"}},
	{"std::vector<int> const& ns::f<int>(int) const &",
		{"std::vector<int> const& ns::f<int>(int) const &", "ns::f<int>", "ns::f", "f"}},
	{"non-virtual thunk to a<int>::f(int)",
		{"non-virtual thunk to a<int>::f(int)", "non-virtual thunk to a<int>::f",
			"non-virtual thunk to a::f", "non-virtual thunk to f"}},
	{"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
		{"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
			"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
			"<alloc::vec::Vec as core::ops::drop::Drop>::drop", "drop"}},
	{"<core::iter::Map<I, fn(A) -> B> as core::iter::Iterator>::next",
		{"<core::iter::Map<I, fn(A) -> B> as core::iter::Iterator>::next",
			"<core::iter::Map<I, fn(A) -> B> as core::iter::Iterator>::next",
			"<core::iter::Map as core::iter::Iterator>::next", "next"}},
	{"core[c1f1]::mem::swap::<[u8; 3], std[e2]::vec::Vec<core[c1f1]::Opt>>",
		{"core[c1f1]::mem::swap::<[u8; 3], std[e2]::vec::Vec<core[c1f1]::Opt>>",
			"core::mem::swap::<[u8; 3], std::vec::Vec<core::Opt>>", "core::mem::swap",
			"swap"}},
	{"app::main::{{closure}}::h0123456789abcdef",
		{"app::main::{{closure}}::h0123456789abcdef", "app::main::{{closure}}",
			"app::main::{{closure}}", "main::{{closure}}"}},
	{"core::ops::FnOnce::call_once{{vtable.shim}}::h0123456789abcdef",
		{"core::ops::FnOnce::call_once{{vtable.shim}}::h0123456789abcdef",
			"core::ops::FnOnce::call_once{{vtable.shim}}",
			"core::ops::FnOnce::call_once{{vtable.shim}}", "call_once{{vtable.shim}}"}},
	{"foo::<(A, B)>::bar::<C>",
		{"foo::<(A, B)>::bar::<C>", "foo::<(A, B)>::bar::<C>", "foo::bar", "bar"}},
	{"std.algorithm.map!(\"a(b\").map!(int[]).map(int[])",
		{"std.algorithm.map!(\"a(b\").map!(int[]).map(int[])",
			"std.algorithm.map!(\"a(b\").map!(int[]).map", "std.algorithm.map.map.map",
			"map"}},
	{"main.(*T).Method",
		{"main.(*T).Method", "main.(*T).Method", "main.(*T).Method", "main.(*T).Method"}},
	{"f(int)'main", {"f(int)'main", "f(int)'main", "f(int)'main", "f(int)'main"}},
	{"f(int)'2", {"f(int)'2", "f'2", "f'2", "f'2"}},
	{"f<(char)60>(int",
		{"f<(char)60>(int", "f<(char)60>(int", "f<(char)60>(int", "f<(char)60>(int"}},
};

static void check(const struct levels *row,
	struct as_slice (*shorten)(struct as_arena *, struct as_slice, enum as_name_level))
{
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	for (unsigned level = 0; level < 4; level++) {
		struct as_slice got = shorten(&arena, as_slice_of(row->name), level);

		if (!as_slice_is(got, row->want[level]))
			fail_msg("level %u of '%s': '%.*s', not '%s'", level, row->name,
				AS_SLICE_FMT(got), row->want[level]);
	}
	as_arena_release(&arena);
}

/* Without the library linkage names stay as they are, and there is nothing to test. */
static bool is_built(void)
{
	struct as_slice name = as_slice_of("_Z1fv");
	struct as_arena arena;
	bool built;

	as_arena_init(&arena, &as_alloc_libc);
	built = !as_slice_eq(as_demangle(&arena, name, AS_NAMES_FULL), name);
	as_arena_release(&arena);
	if (!built)
		print_message("# not built with libiberty\n");
	return built;
}

static void test_linkage_names_at_each_level(void **state)
{
	(void)state;
	if (!is_built())
		return;
	for (size_t i = 0; i < AS_ARRAY_LEN(linkage); i++)
		check(&linkage[i], as_demangle);
}

static void test_readable_names_at_each_level(void **state)
{
	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(readable); i++)
		check(&readable[i], as_name_at_level);
}

/* What is shown of a name has its base, if it has one that can be seen. */
static void check_base(struct as_slice name)
{
	struct as_slice base = as_name_base(name);
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	for (unsigned level = AS_NAMES_NOARGS; base.len && level <= AS_NAMES_SHORT; level++) {
		struct as_slice got = as_name_at_level(&arena, name, level);

		if (got.len && !as_slice_eq(as_name_base(got), base))
			fail_msg("level %u of '%.*s', '%.*s', has not the base '%.*s'", level,
				AS_SLICE_FMT(name), AS_SLICE_FMT(got), AS_SLICE_FMT(base));
	}
	as_arena_release(&arena);
}

static void test_names_that_are_shown_alike_have_one_base(void **state)
{
	static const char *const word[] = {"a", "b", "::", "<", ">", "(", ")", " ", "*", "&", "'",
		"2", "@", ".", "::", "<", ">", "(", ")", "operator", "{lambda(", "#1}", ".cold",
		"::h0123456789abcdef", " const", "[abi:x]", "vtable for ", "!", ",", "-", "~", "/",
		"decltype (", "requires", " [clone .x]", "$", "int", "\""};
	uint64_t random = 1;
	char text[256];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(readable); i++)
		check_base(as_slice_of(readable[i].name));
	for (unsigned i = 0; i < 200000; i++) {
		struct as_slice name = {text, 0};

		for (unsigned n = 0; n < 3 + i % 10; n++) {
			struct as_slice next;

			random = random * 6364136223846793005u + 1442695040888963407u;
			next = as_slice_of(word[(random >> 33) % AS_ARRAY_LEN(word)]);
			memcpy(text + name.len, next.p, next.len);
			name.len += next.len;
		}
		check_base(name);
	}
}

static void test_base_of_usual_names(void **state)
{
	static const char *const name[][2] = {{"main", "main"},
		{"std::vector<int, std::allocator<int> >::push_back(int const&)", "push_back"},
		{"ns::run(int)::{lambda(int)#1}::operator()(int) const", ""},
		{"a::f<b::c>() const", "f"}, {"app::main::h0123456789abcdef", "main"},
		{"f.isra.0", "f"}, {"main.(*T).Method", "Method"}, {"pkg/x.Bar.func1", "func1"},
		{"foo::bar::<C>", "bar"}, {"A::~A()", "A"}, {"void f<int>(int)", ""}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++)
		assert_true(as_slice_is(as_name_base(as_slice_of(name[i][0])), name[i][1]));
}

/* Templates, lambdas, operators, conversions, function pointers: what names can hold. */
static const char cxx[] =
	"#include <algorithm>\n#include <functional>\n#include <map>\n#include <memory>\n"
	"#include <regex>\n#include <string>\n#include <tuple>\n#include <variant>\n"
	"namespace {struct hidden {int x; bool operator<(hidden o) const {return x < o.x;}};}\n"
	"namespace ns {\n"
	"template<class T> struct box {T t; operator T() const {return t;}\n"
	" template<class U> auto operator->*(U u) {return [=](auto v) {return u + v;};}\n"
	" void *operator new[](size_t n) {return ::operator new[](n);}};\n"
	"template<int N, class T> typename std::enable_if<(sizeof(T) > 2), T>::type big(T t)\n"
	" {return t << N;}\n"
	"template<class T> int (*pick(T))(int) {return [](int a) {return a + 1;};}\n"
	"template<class A, class B> auto sum(A a, B b) -> decltype(a + b) {return a + b;}\n"
	"long double operator\"\"_km(long double x) {return x * 1000;}}\n"
	"using namespace ns;\n"
	"std::string all(int n) {\n"
	" std::map<std::string, std::vector<hidden>> m; m[\"a\"].push_back({n});\n"
	" std::sort(m[\"a\"].begin(), m[\"a\"].end());\n"
	" std::function<int(int)> f = [n](int a) {return a + n;};\n"
	" box<int> *b = new box<int>[2]; f = pick(b->t);\n"
	" std::regex re(\"a*b\"); std::variant<int, std::string> v = \"x\";\n"
	" std::visit([&](auto &x) {f(sizeof x);}, v);\n"
	" auto t = std::make_tuple(1, \"x\", sum(1, 2.0)); f(std::get<0>(t));\n"
	" auto p = std::make_shared<box<std::string>>(); f(((*b) ->* 3)(big<2>(n)));\n"
	" return std::regex_replace(p->t, re, \"c\") + std::to_string(double(1.0_km));}\n";

/* The symbols of a small program and of libstdc++, mangled and as c++filt has them. */
static const char collect[] =
	"cd \"$1\" && g++ -std=c++17 -O1 -x c++ -c -o a.o in.cc && { "
	"nm a.o; nm -D $(g++ -print-file-name=libstdc++.so.6); } 2>/dev/null |"
	" sed -n 's/.* [A-Za-z] \\(_Z[^@]*\\).*/\\1/p' | sort -u | awk 'NR % 7 == 1 || length > "
	"150'"
	" > in && c++filt < in > want && wc -l < in";

static FILE *collect_names(const char *dir)
{
	char command[1024], path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/in.cc", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(cxx, f) >= 0);
	assert_int_equal(fclose(f), 0);
	snprintf(command, sizeof(command), "set -- '%s'; %s", dir, collect);
	return popen(command, "r"); /* NOLINT(cert-env33-c): our own words */
}

static FILE *open_in(const char *dir, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return fopen(path, "r");
}

static struct as_slice chomp(const char *line)
{
	return (struct as_slice){line, strcspn(line, "\n")};
}

/* Each level takes something away, and leaves brackets that belong together. */
static void check_shape(struct as_arena *arena, struct as_slice name)
{
	size_t before = SIZE_MAX;

	for (unsigned level = 0; level < 4; level++) {
		struct as_slice got = as_demangle(arena, name, level);
		int round = 0;

		assert_true(got.len > 0 && got.len <= before);
		before = got.len;
		for (size_t i = 0; i < got.len; i++)
			round += (got.p[i] == '(') - (got.p[i] == ')');
		assert_int_equal(round, 0);
	}
}

static void test_full_names_are_those_of_cxxfilt(void **state)
{
	static char dir[] = "/tmp/assay-names-XXXXXX", name[1 << 16], want[1 << 17];
	char command[128];
	struct as_arena arena;
	FILE *in, *filt, *count;
	int n = 0, rc = 0;

	(void)state;
	if (!is_built())
		return;
	assert_non_null(mkdtemp(dir));
	count = collect_names(dir);
	rc = !count || fscanf(count, "%d", &n) != 1;
	if (count)
		pclose(count);
	in = open_in(dir, "in");
	filt = open_in(dir, "want");
	as_arena_init(&arena, &as_alloc_libc);
	while (!rc && in && filt && fgets(name, sizeof(name), in) &&
		fgets(want, sizeof(want), filt)) {
		struct as_slice got = as_demangle(&arena, chomp(name), AS_NAMES_FULL);

		if (!as_slice_eq(got, chomp(want)))
			fail_msg("%s: '%.*s', not '%s'", name, AS_SLICE_FMT(got), want);
		check_shape(&arena, chomp(name));
	}
	as_arena_release(&arena);
	if (in)
		fclose(in);
	if (filt)
		fclose(filt);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): our own name */
	if (rc)
		print_message("# g++ or c++filt is missing: nothing was compared\n");
	else
		assert_true(n > 300);
}

struct maker {
	char text[4096];
	size_t n;
};

static void add(struct maker *m, const char *text)
{
	size_t n = strlen(text);

	assert_true(m->n + n < sizeof(m->text));
	memcpy(m->text + m->n, text, n + 1);
	m->n += n;
}

/* a<int, int>, then a<S, S> of the one before, and so on. */
static void make_cxx(struct maker *m, unsigned n)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[32];

	*m = (struct maker){.n = 0};
	add(m, "_Z1f1aIiiE");
	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "S_IS%c_S%c_E", digits[i], digits[i]);
		add(m, text);
	}
	add(m, "");
}

static void add_base62(struct maker *m, size_t v)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[4] = {digits[(v - 1) / 62], digits[(v - 1) % 62], '_', 0};

	add(m, v > 62 ? text : text + 1);
}

/* f::<(i32, i32), (B, B) of the one before ...>; NAME is the identifier "f". */
static void make_rust(struct maker *m, const char *name, unsigned n)
{
	size_t before;

	*m = (struct maker){.n = 0};
	add(m, "_RINvC1a");
	add(m, name);
	before = m->n - 2;
	add(m, "TllE");
	for (unsigned i = 0; i < n; i++) {
		size_t here = m->n - 2;

		add(m, "TB");
		add_base62(m, before);
		add(m, "B");
		add_base62(m, before);
		add(m, "E");
		before = here;
	}
	add(m, "E");
}

/* int[][int[]], then the one before [the one before] ... */
static void make_d(struct maker *m, unsigned n)
{
	*m = (struct maker){.n = 0};
	add(m, "_D1a1bFHAiAi");
	for (unsigned i = 0; i < n; i++)
		add(m, i ? "HQgQi" : "HQfQh");
	add(m, "Zv");
}

static void assert_made(const struct maker *m, bool changed)
{
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	for (unsigned level = 0; level < 4; level++) {
		struct as_slice got = as_demangle(&arena, as_slice_of(m->text), level);

		if (as_slice_is(got, m->text) == changed)
			fail_msg("%s: '%.*s'", m->text, AS_SLICE_FMT(got));
	}
	as_arena_release(&arena);
}

/* Twice as long with every few bytes: a library that is not stopped works for years. */
static void test_names_that_explode_stay_as_they_are(void **state)
{
	struct maker m;

	(void)state;
	if (!is_built())
		return;
	make_cxx(&m, 3);
	assert_made(&m, true);
	make_cxx(&m, 34);
	assert_made(&m, false);
	make_rust(&m, "1f", 3);
	assert_made(&m, true);
	make_rust(&m, "1f", 60);
	assert_made(&m, false);
	make_rust(&m, "u8gdel_5qa", 3);
	assert_made(&m, true);
	make_rust(&m, "u8gdel_5qa", 60);
	assert_made(&m, false);
	make_d(&m, 3);
	assert_made(&m, true);
	make_d(&m, 20);
	assert_made(&m, false);
	make_d(&m, 60);
	assert_made(&m, false);
}

/* LEN bytes: START, then FILL again and again. */
static void check_long(const char *start, const char *fill, size_t len)
{
	size_t at = strlen(start), step = strlen(fill);
	char *name = malloc(len + step + 1);
	struct as_arena arena;

	assert_non_null(name);
	memcpy(name, start, at + 1);
	for (; at < len; at += step)
		memcpy(name + at, fill, step + 1);
	as_arena_init(&arena, &as_alloc_libc);
	for (unsigned level = 0; level < 4; level++) {
		assert_non_null(as_demangle(&arena, as_slice_of(name), level).p);
		assert_non_null(as_name_at_level(&arena, as_slice_of(name), level).p);
	}
	as_arena_release(&arena);
	free(name);
}

static void test_deep_names_do_no_harm(void **state)
{
	static const char *const starts[] = {
		"_Z1f", "_ZN", "_ZL", "_RNv", "_RI", "_D1a", "_D1aF", "f", "f<", ""};
	static const char *const fills[] = {"P", "1aI", "N1a", "Nv", "TT", "I", "Q", "B_", "A", "(",
		"<", "((", "{lambda(", "operator<", "operator ", "::", "a::", "(*", "[abi:x]",
		" const", "DpT_", "XX", "fp_", "S_", "decltype (", "'", "\"", "<(", "!("};
	static const size_t sizes[] = {40, 600, 4000, 33000, 65536};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(starts); i++)
		for (size_t k = 0; k < AS_ARRAY_LEN(fills); k++)
			for (size_t m = 0; m < AS_ARRAY_LEN(sizes); m++)
				check_long(starts[i], fills[k], sizes[m]);
}

static void test_memory_may_run_out(void **state)
{
	(void)state;
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct as_arena arena;
		bool ok = true;

		fail_alloc_init(&fa, n);
		as_arena_init(&arena, &fa.al);
		for (size_t i = 0; ok && i < AS_ARRAY_LEN(linkage); i++)
			for (unsigned level = 0; ok && level < 4; level++)
				ok = as_demangle(&arena, as_slice_of(linkage[i].name), level).p;
		as_arena_release(&arena);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (ok)
			break;
	}
}

int demangle_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_linkage_names_at_each_level),
		cmocka_unit_test(test_readable_names_at_each_level),
		cmocka_unit_test(test_names_that_are_shown_alike_have_one_base),
		cmocka_unit_test(test_base_of_usual_names),
		cmocka_unit_test(test_full_names_are_those_of_cxxfilt),
		cmocka_unit_test(test_names_that_explode_stay_as_they_are),
		cmocka_unit_test(test_deep_names_do_no_harm),
		cmocka_unit_test(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
