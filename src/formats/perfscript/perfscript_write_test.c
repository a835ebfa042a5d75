/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/test_profiles.h"

extern const struct as_format as_format_perfscript;

static const struct mem_how timed = {
	.fmt = &as_format_perfscript, .detail = AS_DETAIL_FULL, .moments = true};

static struct as_slice text_of(struct mem_written *w, const struct as_profile *prof)
{
	mem_write(w, &as_format_perfscript, prof);
	if (w->rc != AS_OK)
		fail_msg("not written: %s", w->err.msg);
	return mem_bytes(w);
}

/* PROF as it is read again; the caller frees it. W keeps the text and the losses. */
static struct as_profile *again(struct mem_written *w, const struct as_profile *prof)
{
	struct as_slice text = text_of(w, prof);
	struct mem_how strict = timed;
	struct mem_read r;

	strict.strict = true;
	mem_read(&r, &strict, text);
	if (r.rc != AS_OK)
		fail_msg("not read: %s\n%.*s", r.err.msg, AS_SLICE_FMT(text));
	return mem_take(&r);
}

/* ---- what is kept ---- */

/* A number for what EVENT costs in each stack, by the names in it. */
static uint64_t stacks_of(const struct as_profile *prof, struct as_slice event)
{
	uint64_t sum = 0;
	uint32_t k = 0;

	if (!as_profile_event(prof, event, &k))
		return 0;
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint64_t hash = 1;

		for (as_node at = prof->sample.node.p[i]; at.i; at = prof->node.parent.p[at.i]) {
			as_func f = prof->place.func.p[prof->node.place.p[at.i].i];
			struct as_slice name = as_func_name(prof, f);
			struct as_slice path = as_object_path(prof, prof->func.object.p[f.i]);

			hash = as_hash_mix(hash, as_hash_bytes(name.p, name.len));
			hash = as_hash_mix(hash, as_hash_bytes(path.p, path.len));
		}
		sum += hash * (uint64_t)prof->sample.cost.p[i * prof->event.n + k];
	}
	return sum;
}

/* The same for when it was, from the first moment on. */
static uint64_t times_of(const struct as_profile *prof, struct as_slice event)
{
	struct as_moments_cur cur;
	uint64_t sum = 0;
	int64_t first = 0;
	uint32_t k = 0;

	if (!as_profile_event(prof, event, &k))
		return 0;
	as_moments_begin(&cur, &prof->moments);
	for (bool begun = false; as_moments_next(&cur); begun = true) {
		first = begun ? first : cur.at.time;
		if (cur.at.event == k)
			sum += (uint64_t)(cur.at.time - first + 1) * (uint64_t)cur.at.value;
	}
	return sum;
}

static void same(const struct as_profile *a, const struct as_profile *b)
{
	for (uint32_t k = 0; k < as_n_events(a); k++) {
		struct as_slice name = as_event_name(a, k);
		uint32_t other = 0;

		if (!a->total[k])
			continue;
		if (!as_profile_event(b, name, &other))
			fail_msg("%.*s is not there", AS_SLICE_FMT(name));
		assert_true(a->total[k] == b->total[other]);
		assert_int_equal(stacks_of(a, name), stacks_of(b, name));
		assert_int_equal(times_of(a, name), times_of(b, name));
	}
}

static void test_what_is_written_is_read_as_it_was(void **state)
{
	enum { N = 60 };

	(void)state;
	for (uint64_t seed = 1; seed <= N; seed++) {
		unsigned what = AS_TEST_PATHS | AS_TEST_NAMED | (seed % 2 ? AS_TEST_MOMENTS : 0) |
				(seed % 3 ? 0 : AS_TEST_RARE) | (seed % 5 ? 0 : AS_TEST_FACTS);
		struct as_profile *prof = as_test_random(seed, what), *one, *two;
		struct mem_written w, v, u;

		one = again(&w, prof);
		same(prof, one);
		assert_int_equal(mem_lost(&w, "names"), 0);
		assert_int_equal(one->moments.n, prof->moments.n);
		two = again(&v, one);
		/* times begin at the first, and parts stand as they come, from then on */
		mem_write(&u, &as_format_perfscript, two);
		assert_true(mem_same_bytes(&v, &u));
		mem_written_free(&u);
		as_profile_free(prof);
		as_profile_free(one);
		as_profile_free(two);
		mem_written_free(&w);
		mem_written_free(&v);
	}
}

/* ---- the text ---- */

static struct as_profile *named(const char *events)
{
	struct as_build b;
	as_func main_, work, none[1] = {{0}};

	as_test_begin(&b, events);
	main_ = as_test_func(&b, "main", "/bin/x", "");
	work = as_test_func(&b, "work (int)", "/lib/y (deleted)", "");
	b.prof->part.p[0].has_pid = b.prof->part.p[0].has_tid = true;
	b.prof->part.p[0].pid = 7;
	b.prof->part.p[0].tid = 8;
	assert_int_equal(as_build_str(&b, as_slice_of("pool 3"), &b.prof->part.p[0].thread), AS_OK);
	as_test_stack(&b, 0, (as_func[]){main_, work, none[0]}, 35);
	as_test_stack(&b, 0, (as_func[]){main_, none[0]}, 5);
	return as_test_end(&b);
}

static void test_without_times_each_stack_is_a_block(void **state)
{
	struct as_profile *prof = named("cycles");
	struct mem_written w;

	(void)state;
	assert_true(as_slice_is(text_of(&w, prof),
		"pool_3 7/8 0.000000000: 5 cycles:\n# samples: 0, sum\n# thread: pool 3\n"
		"\t               0 main (/bin/x)\n\n"
		"pool_3 7/8 0.000000005: 35 cycles:\n# samples: 0, sum\n"
		"\t               0 work (int) (/lib/y (deleted))\n"
		"\t               0 main (/bin/x)\n\n"));
	assert_int_equal(w.losses.row.n, 0);
	mem_written_free(&w);
	as_profile_free(prof);
}

/* As stackcollapse-perf.pl, inferno and speedscope find a thread: the first number behind a blank
 * that has another blank behind it. */
static uint64_t left_number(struct as_slice line, struct as_slice *comm)
{
	struct as_slice rest = line, word;

	for (bool first = true; as_slice_word(&rest, &word); first = false) {
		size_t slash = as_slice_find(word, '/');
		struct as_slice pid = {word.p, slash}, tid = as_slice_skip(word, slash + 1);
		uint64_t n, m;

		if (first || !as_slice_dec(pid, &n) || (slash < word.len && !as_slice_dec(tid, &m)))
			continue;
		*comm = as_slice_trim((struct as_slice){line.p, (size_t)(word.p - line.p)});
		return slash < word.len ? m : n;
	}
	return 0;
}

static void test_readers_from_the_left_find_the_thread(void **state)
{
	static const char *const names[] = {"io pool 12", "web (x) 3/4", "a -1 2.5: b", "#1 x",
		"V8 Worker", "x 1 2 3", "  blanks  ", "PERF_RECORD_MMAP 7", "tab\tand\nline",
		"a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8 9"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct as_profile *prof = named("cycles"), *read;
		struct as_build b;
		struct mem_written w;
		struct as_slice text, comm, want = as_slice_trim(as_slice_of(names[i]));
		bool plain = want.len == strlen(names[i]) && as_slice_is_text(want) &&
			     !as_slice_has(want, '\n') && !as_slice_has(want, '\t');

		as_profile_free(prof);
		as_test_begin(&b, "cycles");
		b.prof->part.p[0].has_tid = true;
		b.prof->part.p[0].tid = 4711;
		assert_int_equal(
			as_build_str(&b, as_slice_of(names[i]), &b.prof->part.p[0].thread), AS_OK);
		as_test_stack(&b, 0, (as_func[]){as_test_func(&b, "f", "/x", ""), {0}}, 5);
		prof = as_test_end(&b);
		read = again(&w, prof);
		text = mem_bytes(&w);
		assert_int_equal(left_number(text, &comm), 4711);
		assert_true(read->part.p[0].has_tid && read->part.p[0].tid == 4711);
		if (plain)
			assert_string_equal(as_str_get(read, read->part.p[0].thread).p, names[i]);
		assert_int_equal(mem_lost(&w, "names"), !plain);
		mem_written_free(&w);
		as_profile_free(read);
		as_profile_free(prof);
	}
}

/* The function that is read for NAME in PATH, as one; false: it is another one. */
static bool survives(const char *name, const char *path, uint64_t *lost)
{
	struct as_profile *prof, *read;
	struct as_build b;
	struct mem_written w;
	bool is = false;

	as_test_begin(&b, "cycles");
	as_test_stack(&b, 0, (as_func[]){as_test_func(&b, name, path, ""), {0}}, 5);
	prof = as_test_end(&b);
	read = again(&w, prof);
	assert_true(read->total[0] == 5);
	for (size_t i = 1; i < read->func.name.n; i++)
		is |= as_slice_is(as_func_name(read, (as_func){(uint32_t)i}), name) &&
		      as_slice_is(as_object_path(read, read->func.object.p[i]), path);
	*lost = mem_lost(&w, "names");
	mem_written_free(&w);
	as_profile_free(read);
	as_profile_free(prof);
	return is;
}

static void test_names_are_kept_or_told(void **state)
{
	static const char *const kept[][2] = {{"f", "/x"}, {"f+0x12", "/x"}, {"f (x)", ""},
		{"operator() (int)", "/x (deleted)"}, {"a->b", "/x"}, {"f", "/x+0x12"},
		{"f(inlined)", "/x"}, {"f (inlined)", "/x"}, {"[unknown]", "[unknown]"},
		{"a;b <c>", "[kernel.kallsyms]"}, {"12", "/a b (c) d"}, {"x", ""}};
	static const char *const told[][2] = {{" f", "/x"}, {"a\nb", "/x"}, {"[unknown]", "/x"},
		{"a->b", "/tmp/perf-1.map"}, {"f", "/x)("}, {"PERF_RECORD_X", "/x"},
		{"f", "inlined"}, {"f", " /x"}};
	uint64_t lost;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(kept); i++)
		if (!survives(kept[i][0], kept[i][1], &lost) || lost)
			fail_msg("%s in %s", kept[i][0], kept[i][1]);
	for (size_t i = 0; i < AS_ARRAY_LEN(told); i++)
		if (survives(told[i][0], told[i][1], &lost) || !lost)
			fail_msg("%s in %s: %u", told[i][0], told[i][1], (unsigned)lost);
}

/* An address of memory is not one of the file, which a reader would take it for. */
static void test_addresses_of_another_kind_are_left_out(void **state)
{
	static const enum as_addr_kind kinds[] = {
		AS_ADDR_FILE_OFFSET, AS_ADDR_VIRTUAL, AS_ADDR_UNKNOWN, AS_ADDR_ABSOLUTE};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(kinds); i++) {
		struct as_profile *prof, *read;
		struct as_build b;
		struct as_pos pos = {.addr = 0x4a0};
		struct mem_written w;
		as_object object;
		as_place place;
		as_node node;
		as_val one = 1;

		as_test_begin(&b, "cycles");
		assert_int_equal(
			as_build_object(&b, as_slice_of("/bin/x"), as_slice_of(""), &object),
			AS_OK);
		b.prof->object.p[object.i].addr_kind = kinds[i];
		assert_int_equal(
			as_build_func(&b, as_slice_of("f"), object, pos.file, 0, &pos.func), AS_OK);
		assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(&b, (as_node){0}, place, &node), AS_OK);
		assert_int_equal(as_build_sample(&b, 0, node, &one), AS_OK);
		prof = as_test_end(&b);
		read = again(&w, prof);
		assert_int_equal(mem_lost(&w, "addresses"), i > 0);
		assert_int_equal(as_place_addr(read, (as_place){1}), i ? 0 : 0x4a0);
		mem_written_free(&w);
		as_profile_free(read);
		as_profile_free(prof);
	}
}

static void test_events_are_words(void **state)
{
	static const struct {
		const char *event, *text;
	} cases[] = {{"cycles", ": 5 cycles:\n# samples: 0, sum\n"},
		{"samples", ": 5 samples:\n# samples: 0, sum\n"},
		{"L1-loads:u", ": 5 L1-loads:u:\n"}, {"1.5", ": 5 1.5_:\n"}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_profile *prof = named(cases[i].event);
		struct mem_written w;
		struct as_slice text = text_of(&w, prof);

		assert_true(as_slice_find_text(text, cases[i].text) < text.len);
		mem_written_free(&w);
		as_profile_free(prof);
	}
}

static void test_a_cost_below_nothing_is_refused(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct mem_written w;

	(void)state;
	as_test_begin(&b, "cycles");
	as_test_stack(&b, 0, (as_func[]){as_test_func(&b, "f", "/x", ""), {0}}, -5);
	prof = as_test_end(&b);
	mem_write(&w, &as_format_perfscript, prof);
	assert_int_equal(w.rc, AS_E_LIMIT);
	mem_written_free(&w);
	as_profile_free(prof);
}

static void test_writing_runs_out_of_memory(void **state)
{
	(void)state;
	mem_starve(&as_format_perfscript,
		as_slice_of(
			"# hostname : h\na 7 1/1 1.0: 5 cycles:\n\t10 g (inlined)\n\t10 f (/x)\n"
			"  x.c:3\n\t20 x->y (perf-1.map)\n\t30 [unknown] ([unknown])\n\n"
			"b 1/2 1.0: 7 cs:\n# samples: 3\n\t10 f (/x+0x1+0x0)\n\n"));
}

int perfscript_write_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_is_read_as_it_was),
		cmocka_unit_test(test_without_times_each_stack_is_a_block),
		cmocka_unit_test(test_readers_from_the_left_find_the_thread),
		cmocka_unit_test(test_names_are_kept_or_told),
		cmocka_unit_test(test_addresses_of_another_kind_are_left_out),
		cmocka_unit_test(test_events_are_words),
		cmocka_unit_test(test_a_cost_below_nothing_is_refused),
		cmocka_unit_test(test_writing_runs_out_of_memory),
	};

	return cmocka_run_group_tests_name("perfscript_write", tests, NULL, NULL);
}
