/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pprof_dot.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "model/build.h"
#include "report/pprof_callgrind.h"

/* ---- names ---- */

static void test_names_are_shortened(void **state)
{
	static const char *const names[][2] = {
		{"main", "main"},
		{"", ""},
		{"(anonymous namespace)::Bar::run", "Bar::run"},
		{"(anonymous namespace)::", ""},
		/* Go */
		{"example.org/some-path/pkg.(*Type).Run", "pkg.(*Type).Run"},
		{"example.org/mod/v2.Run", "mod.Run"},
		{"example.org/mod/v12/pkg.Run", "pkg.Run"},
		{"example.org/mod/v1/pkg.Run", "pkg.Run"},
		{"pkg/v2.Run", "pkg.Run"},
		{"pkg/v1.Run", "v1.Run"},
		{"pkg/v2", "v2"},
		{"a/b/", "b/"},
		{"a/", "a/"},
		{"a//b", "/b"},
		{"a/b\nc", "b"},
		{"operator/", "operator/"},
		/* Java */
		{"org.some.Class.run(int, java.lang.String)", "Class.run"},
		{"Class.<init>", "Class.<init>"},
		{"org.Outer$Inner.lambda$run$3(int)", "Outer$Inner.lambda$run$3"},
		{"org.some.Class.run[]", "org.some.Class.run[]"},
		{"org.some.Class.Run", "org.some.Class.Run"},
		{"org.some.", "org.some."},
		/* C++ */
		{"some::Class::run(int)", "Class::run"},
		{"a::b::_Class::~_Class", "_Class::~_Class"},
		{"some::Class::run<std::vector<int>>(int)", "Class::run<std::vector<int>>"},
		{"Class::run", "Class::run"},
		{"a::b::c", "a::b::c"},
		{"a::B::c::d", "B::c"},
		{"a::B::C::d", "C::d"},
		{"a::B::operator<", "B::operator"},
		{"a::B::~", "a::B::~"},
		{"9::B::c", "9::B::c"},
	};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct as_slice s = as_pprof_short_name(&ar, as_slice_of(names[i][0]));

		if (!as_slice_is(s, names[i][1]))
			fail_msg("'%s' became '%.*s'", names[i][0], AS_SLICE_FMT(s));
	}
	as_arena_release(&ar);
}

/* ---- numbers ---- */

/* 1 and 3 go to 2, 100 to 64; 4096 and 1 MB stand alone: the four that cost most. */
static void test_more_than_four_numbers_are_ranges(void **state)
{
	static const struct {
		const char *text;
		as_val cum;
	} wanted[] = {{"1B..3B", 120}, {"64B..100B", 91}, {"4kB", 80}, {"1MB", 70}};
	struct as_pprof_nodelet n[] = {
		{.text = as_slice_of("2B"), .value = 2, .flat = 1, .cum = 100},
		{.text = as_slice_of("64B"), .value = 64, .cum = 90},
		{.text = as_slice_of("4kB"), .value = 4096, .cum = 80},
		{.text = as_slice_of("1MB"), .value = 1 << 20, .cum = 70},
		{.text = as_slice_of("1B"), .value = 1, .flat = 5, .cum = 10},
		{.text = as_slice_of("3B"), .value = 3, .cum = 10},
		{.text = as_slice_of("100B"), .value = 100, .cum = 1},
	};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	assert_int_equal(as_pprof_ranges(&ar, n, AS_ARRAY_LEN(n), false, as_slice_of("bytes")), 4);
	for (size_t i = 0; i < AS_ARRAY_LEN(wanted); i++) {
		assert_true(as_slice_is(n[i].text, wanted[i].text));
		assert_true(n[i].cum == wanted[i].cum);
	}
	assert_true(n[0].flat == 6);
	as_arena_release(&ar);
}

static void test_up_to_four_numbers_stay(void **state)
{
	struct as_pprof_nodelet n[] = {
		{.text = as_slice_of("a"), .flat = 1, .cum = -5},
		{.text = as_slice_of("c"), .flat = 2, .cum = 3},
		{.text = as_slice_of("b"), .flat = 2, .cum = 3},
	};

	(void)state;
	assert_int_equal(as_pprof_ranges(NULL, n, 3, false, as_slice_of("bytes")), 3);
	assert_true(as_slice_is(n[0].text, "a"));
	assert_true(as_slice_is(n[1].text, "b"));
	assert_int_equal(as_pprof_ranges(NULL, n, 3, true, as_slice_of("bytes")), 3);
	assert_true(as_slice_is(n[0].text, "b"));
	assert_true(as_slice_is(n[2].text, "a"));
}

/* ---- the whole, with names that would break it ---- */

#define HOSTILE "a\"b\\N.c::d\n\xff&lt;\x01[...]\" shape=evil"

static void add_labels(struct as_build *b, uint32_t part)
{
	struct as_label label[7];

	memset(label, 0, sizeof(label));
	for (size_t i = 0; i < AS_ARRAY_LEN(label); i++) {
		assert_int_equal(
			as_build_str(b, as_slice_of(i < 2 ? HOSTILE : "bytes"), &label[i].key),
			AS_OK);
		label[i].number = (int64_t)1 << (4 * i);
	}
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			as_build_str(b, as_slice_of(i ? "z\"\n" : "y\\"), &label[i].text), AS_OK);
	assert_int_equal(as_build_part_labels(b, part, label, AS_ARRAY_LEN(label)), AS_OK);
}

static struct as_profile *profile(const struct as_alloc *al)
{
	struct as_map map = {.limit = 0x1000, .exec = true};
	struct as_profile *prof;
	struct as_build b;
	as_node node = {0};
	uint32_t ev, part;
	as_val v = 30;

	assert_int_equal(as_build_init(&b, al, NULL), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of(HOSTILE), as_slice_of("u\"\\"), &ev), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	assert_int_equal(
		as_build_object(&b, as_slice_of("/bin/\"\n\\"), as_slice_of("\"\x01"), &map.object),
		AS_OK);
	assert_int_equal(as_build_map(&b, &map), AS_OK);
	add_labels(&b, part);
	for (int i = 0; i < 3; i++) {
		struct as_pos pos = {.line = i == 1 ? 12 : 0, .inlined = i == 1};
		as_place place;

		assert_int_equal(
			as_build_file(&b, as_slice_of(i ? "x/\"f\\\n" : ""), &pos.file), AS_OK);
		assert_int_equal(as_build_func(&b,
					 as_slice_of(i == 2 ? ""
						     : i    ? HOSTILE
							    : "main"),
					 map.object, pos.file, i == 2 ? 0x20 : 0, &pos.func),
			AS_OK);
		assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(&b, node, place, &node), AS_OK);
		assert_int_equal(as_build_sample(&b, part, node, &v), AS_OK);
	}
	assert_int_equal(
		as_build_meta(&b, part, as_slice_of("comment"), as_slice_of("c\"\n\\")), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

typedef enum as_code writer(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err);

static enum as_code print(const struct as_profile *prof, enum as_pprof_kind kind, unsigned variant,
	struct as_sink_mem *sink)
{
	writer *fn = kind == AS_PPROF_DOT ? as_pprof_dot : as_pprof_callgrind;
	struct as_pprof_opts opts;
	struct as_out out;
	enum as_code rc;

	as_pprof_defaults(&opts, kind);
	opts.by = variant & 1 ? AS_PG_ADDRS : AS_PG_FUNCS;
	opts.call_tree = variant & 2;
	opts.has_node_count = variant & 4;
	opts.node_count = 2;
	assert_true(as_pprof_find_column(prof, as_slice_of(""), &opts.column));
	as_sink_mem_init(sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink->sink, NULL), AS_OK);
	rc = fn(prof, &opts, &out, NULL);
	assert_int_equal(as_out_finish(&out), AS_OK);
	return rc;
}

/* A line is a statement: words, and texts in quotes in which nothing ends them. */
static void check_line(const char *p, const char *end)
{
	bool quoted = false;

	for (; p < end; p++) {
		assert_true((unsigned char)*p >= 0x20);
		if (quoted && *p == '\\') {
			p++;
			assert_true(p < end);
			assert_non_null(strchr("nl\\\"", *p));
		} else if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted) {
			assert_true((unsigned char)*p < 0x7f);
			assert_null(strchr("\\'&<", *p));
			assert_memory_not_equal(p, "evil", 4);
		}
	}
	assert_false(quoted);
}

static void test_hostile_texts_stay_in_their_quotes(void **state)
{
	struct as_profile *prof = profile(&as_alloc_libc);

	(void)state;
	for (unsigned variant = 0; variant < 8; variant++) {
		struct as_sink_mem sink;
		unsigned lines = 0;

		assert_int_equal(print(prof, AS_PPROF_DOT, variant, &sink), AS_OK);
		for (const char *p = sink.data.p, *end = p + sink.data.n; p < end; lines++) {
			const char *stop = memchr(p, '\n', (size_t)(end - p));

			assert_non_null(stop);
			check_line(p, stop);
			p = stop + 1;
		}
		assert_true(lines > 12);
		as_sink_mem_release(&sink);
	}
	as_profile_free(prof);
}

/* A line begins with what Callgrind knows. */
static void test_hostile_names_are_one_line_of_callgrind(void **state)
{
	static const char *const begins[] = {"positions: instr line",
		"events: ", "ob=", "fl=", "fn=", "cfl=", "cfn=", "calls=0 "};
	struct as_profile *prof = profile(&as_alloc_libc);
	struct as_sink_mem sink;
	struct as_slice left, line;

	(void)state;
	assert_int_equal(print(prof, AS_PPROF_CALLGRIND, 0, &sink), AS_OK);
	for (left = (struct as_slice){sink.data.p, sink.data.n}; left.len;) {
		const char *stop = memchr(left.p, '\n', left.len);
		bool known = false;

		assert_non_null(stop);
		line = (struct as_slice){left.p, (size_t)(stop - left.p)};
		left = as_slice_skip(left, line.len + 1);
		for (size_t i = 0; i < AS_ARRAY_LEN(begins); i++)
			known |= as_slice_starts(line, begins[i]);
		for (size_t i = 0; !known && i < line.len; i++)
			assert_non_null(strchr("0123456789abcdefx+-* ", line.p[i]));
	}
	as_sink_mem_release(&sink);
	as_profile_free(prof);
}

/* ---- memory ---- */

static void test_running_out_of_memory_is_told(void **state)
{
	(void)state;
	for (unsigned variant = 0; variant < 16; variant++)
		for (uint64_t n = 1;; n++) {
			enum as_pprof_kind kind = variant & 8 ? AS_PPROF_CALLGRIND : AS_PPROF_DOT;
			struct as_sink_mem sink;
			struct as_profile *prof;
			struct fail_alloc fa;
			size_t before;
			enum as_code rc;

			fail_alloc_init(&fa, 0);
			prof = profile(&fa.al);
			before = fa.held;
			fail_alloc_after(&fa, n);
			rc = print(prof, kind, variant, &sink);
			assert_int_equal(fa.held, before);
			assert_true(rc == AS_OK || rc == AS_E_NOMEM);
			fail_alloc_never(&fa);
			as_sink_mem_release(&sink);
			as_profile_free(prof);
			assert_false(fa.wrong_size);
			if (rc == AS_OK)
				break;
			assert_true(n < 10000);
		}
}

int pprof_dot_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_shortened),
		cmocka_unit_test(test_more_than_four_numbers_are_ranges),
		cmocka_unit_test(test_up_to_four_numbers_stay),
		cmocka_unit_test(test_hostile_texts_stay_in_their_quotes),
		cmocka_unit_test(test_hostile_names_are_one_line_of_callgrind),
		cmocka_unit_test(test_running_out_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("pprof_dot", tests, NULL, NULL);
}
