/* SPDX-License-Identifier: Apache-2.0 */
/* Filters, against the words of docs/filters.md done literally on lists of frames. */
#include "change/filter/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/filter/test_filter.h"
#include "change/transform.h"
#include "lib/test_profiles.h"

enum { SEEDS = 400, MATCHERS = 6, DEPTH = 8, EVENTS = 2 };

/* ---- profiles: samples, some of inlined frames, or rows of self cost ---- */

static const char *const names[] = {"alpha", "beta", "gamma", "ab", "", "ag(ab)"};
static const char *const files[] = {"", "a.c", "b.c", "ab.h"};
static const char *const objects[] = {"", "/bin/a", "/lib/b.so"};

static as_func random_func(struct as_build *b, uint64_t *state)
{
	struct as_slice name = as_slice_of(names[as_test_next(state, 6)]);
	uint64_t addr = name.len ? 0 : 0x20 * as_test_next(state, 3);
	as_object o;
	as_file f;
	as_func func;

	assert_int_equal(as_build_object(b, as_slice_of(objects[as_test_next(state, 3)]),
				 as_slice_of(""), &o),
		AS_OK);
	assert_int_equal(as_build_file(b, as_slice_of(files[as_test_next(state, 4)]), &f), AS_OK);
	assert_int_equal(as_build_func(b, name, o, f, addr, &func), AS_OK);
	return func;
}

static struct as_pos random_pos(struct as_build *b, uint64_t *state)
{
	struct as_pos pos = {.func = random_func(b, state)};

	pos.file = b->prof->func.file.p[pos.func.i];
	if (as_test_next(state, 4) == 0)
		assert_int_equal(
			as_build_file(b, as_slice_of(files[as_test_next(state, 4)]), &pos.file),
			AS_OK);
	pos.line = as_test_next(state, 2);
	pos.addr = 0x10 * as_test_next(state, 3);
	return pos;
}

static void random_cost(uint64_t *state, as_val *cost)
{
	for (int k = 0; k < EVENTS; k++)
		cost[k] = (as_val)as_test_next(state, 100) - 10;
}

static void random_sample(struct as_build *b, uint64_t *state, uint32_t part)
{
	as_node node = {0};
	as_place place;
	as_val cost[EVENTS];

	for (uint32_t depth = as_test_next(state, DEPTH); depth; depth--) {
		struct as_pos pos = random_pos(b, state);

		pos.inlined = node.i && as_test_next(state, 3) == 0;
		assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(b, node, place, &node), AS_OK);
	}
	random_cost(state, cost);
	assert_int_equal(as_build_sample(b, part, node, cost), AS_OK);
}

static void random_self(struct as_build *b, uint64_t *state, uint32_t part)
{
	struct as_pos pos = random_pos(b, state);
	as_func inl = as_test_next(state, 3) ? (as_func){0} : random_func(b, state);
	as_val cost[EVENTS];

	random_cost(state, cost);
	assert_true(as_rows_run(&b->prof->self, part, pos.func, pos.file, inl));
	assert_true(as_rows_add(&b->prof->self, pos.line, pos.addr, cost, EVENTS));
}

static struct as_profile *random_profile(uint64_t seed)
{
	struct as_build b;
	uint32_t part;

	as_test_begin(&b, "Ir Dr");
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	for (uint32_t i = as_test_next(&seed, 30); i; i--) {
		if (seed % 3)
			random_sample(&b, &seed, as_test_next(&seed, 2));
		else
			random_self(&b, &seed, as_test_next(&seed, 2));
	}
	return as_test_end(&b);
}

/* ---- samples as text: "part|frame;frame", each with its costs ---- */

struct sample {
	char text[64 * DEPTH];
	as_val cost[EVENTS];
};

struct samples {
	size_t n;
	struct sample row[200];
};

struct frame {
	struct as_pos pos;
	uint32_t group; /* frames of one address have the same */
};

struct stack {
	size_t n;
	bool row; /* of self cost: file of what was inlined, object of the function */
	struct frame frame[DEPTH];
};

static void add(struct samples *s, const struct as_profile *prof, uint32_t part,
	const struct stack *st, const as_val *cost)
{
	char text[sizeof(s->row[0].text)];
	int n = snprintf(text, sizeof(text), "%" PRIu64 "|", prof->part.p[part].pid);
	size_t i = 0;

	for (size_t k = 0; k < st->n; k++) {
		const struct as_pos *p = &st->frame[k].pos;

		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%.*s@%x,%.*s,%.*s:%u@%x;",
			p->inlined ? "^" : "", AS_SLICE_FMT(as_func_name(prof, p->func)),
			(unsigned)prof->func.addr.p[p->func.i],
			AS_SLICE_FMT(as_object_path(prof, prof->func.object.p[p->func.i])),
			AS_SLICE_FMT(as_file_path(prof, p->file)), (unsigned)p->line,
			(unsigned)p->addr);
		assert_true((size_t)n < sizeof(text));
	}
	while (i < s->n && strcmp(s->row[i].text, text) != 0)
		i++;
	if (i == s->n) {
		assert_true(s->n < AS_ARRAY_LEN(s->row));
		s->row[i] = (struct sample){0};
		memcpy(s->row[i].text, text, sizeof(text));
		s->n++;
	}
	for (int k = 0; k < EVENTS; k++)
		s->row[i].cost[k] += cost[k];
}

static struct stack stack_of(const struct as_profile *prof, as_node node)
{
	struct stack s = {0};
	uint32_t group = 0;

	for (uint32_t i = node.i; i; i = prof->node.parent.p[i].i)
		s.n++;
	for (size_t k = s.n; k-- > 0; node = prof->node.parent.p[node.i])
		s.frame[k].pos = as_place_pos(prof, prof->node.place.p[node.i]);
	for (size_t k = 0; k < s.n; k++)
		s.frame[k].group = s.frame[k].pos.inlined ? group : ++group;
	return s;
}

/* A row is a sample of its function, and of what was inlined there. */
static struct stack stack_of_run(const struct as_run *run, const struct as_rows_cur *row)
{
	struct stack s = {.n = 1, .row = true};

	s.frame[0].pos = (struct as_pos){
		.func = run->func, .file = run->file, .line = row->line, .addr = row->addr};
	if (run->inl.i) {
		s.n = 2;
		s.frame[1] = s.frame[0];
		s.frame[1].pos.func = run->inl;
		s.frame[1].pos.inlined = true;
	}
	return s;
}

typedef bool change(
	const struct as_profile *prof, const struct as_filter *how, uint32_t part, struct stack *s);

/* All samples of PROF, after FN. */
static void collect(
	struct samples *to, const struct as_profile *prof, const struct as_filter *how, change *fn)
{
	as_val cost[EVENTS];
	struct as_rows_cur cur;
	struct stack s;

	to->n = 0;
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		s = stack_of(prof, prof->sample.node.p[i]);
		if (!fn || fn(prof, how, prof->sample.part.p[i], &s))
			add(to, prof, prof->sample.part.p[i], &s, prof->sample.cost.p + i * EVENTS);
	}
	for (size_t i = 0; i < prof->self.run.n; i++) {
		const struct as_run *run = &prof->self.run.p[i];

		as_rows_begin(&cur, &prof->self, run, cost);
		while (as_rows_next(&cur)) {
			s = stack_of_run(run, &cur);
			if (!fn || fn(prof, how, run->part, &s))
				add(to, prof, run->part, &s, cost);
		}
	}
}

static void check_same(const struct samples *a, const struct samples *b)
{
	for (size_t i = 0; i < a->n; i++) {
		size_t k = 0;

		while (k < b->n && strcmp(a->row[i].text, b->row[k].text) != 0)
			k++;
		if (k == b->n)
			fail_msg("no %s", a->row[i].text);
		for (int e = 0; e < EVENTS; e++)
			if (a->row[i].cost[e] != b->row[k].cost[e])
				fail_msg("%s: %lld, not %lld", a->row[i].text,
					(long long)a->row[i].cost[e], (long long)b->row[k].cost[e]);
	}
	assert_int_equal(a->n, b->n);
}

/* ---- the rules, word by word ---- */

/* What tables show of a frame: "[b.so+0x20]" where it has no name. */
static struct as_slice shown_name(const struct as_profile *prof, const struct frame *f, char *text)
{
	as_func func = f->pos.func;
	struct as_slice object = as_base_name(as_object_path(prof, prof->func.object.p[func.i]));
	uint64_t addr = prof->func.addr.p[func.i];

	if (as_func_name(prof, func).len || (!addr && !object.len))
		return as_func_name(prof, func);
	addr = addr ? addr : f->pos.addr;
	if (addr)
		snprintf(text, 64, "[%.*s%s0x%x]", AS_SLICE_FMT(object), object.len ? "+" : "",
			(unsigned)addr);
	else
		snprintf(text, 64, "[%.*s]", AS_SLICE_FMT(object));
	return as_slice_of(text);
}

/* FILE of a row whose code was inlined is that of the inlined function. */
static bool frame_matches(const struct as_profile *prof, const struct as_matcher *m,
	const struct frame *f, bool use_file)
{
	as_func func = f->pos.func;
	char text[64];
	struct as_slice name = shown_name(prof, f, text);

	if (m->kind == AS_FILTER_PRUNE_FROM)
		name = as_filter_simple_name(name);
	if ((m->fields & AS_MATCH_FUNC) && m->match(m->ctx, name))
		return true;
	if ((m->fields & AS_MATCH_OBJECT) &&
		m->match(m->ctx, as_object_path(prof, prof->func.object.p[func.i])))
		return true;
	if (!(m->fields & AS_MATCH_FILE))
		return false;
	return m->match(m->ctx, as_file_path(prof, prof->func.file.p[func.i])) ||
	       m->match(m->ctx, as_file_path(prof, use_file ? f->pos.file : (as_file){0}));
}

/* -1: nobody asks for KIND; else whether frame K matches one of that kind. */
static int matches(const struct as_profile *prof, const struct as_filter *how,
	const struct stack *s, size_t k, enum as_filter_kind kind)
{
	bool row = s->row && s->n == 2;
	int found = -1;

	for (size_t i = 0; i < how->n; i++) {
		if (how->matcher[i].kind != kind)
			continue;
		if (found < 0)
			found = 0;
		if (k < s->n && frame_matches(prof, &how->matcher[i], &s->frame[k], !row || k == 1))
			found = 1;
	}
	return found;
}

static bool any(const struct as_profile *prof, const struct as_filter *how, const struct stack *s,
	enum as_filter_kind kind)
{
	for (size_t k = 0; k < s->n; k++)
		if (matches(prof, how, s, k, kind) > 0)
			return true;
	return false;
}

static bool oracle(
	const struct as_profile *prof, const struct as_filter *how, uint32_t part, struct stack *s)
{
	struct stack all = *s, out = {.row = s->row};
	bool wanted[AS_FILTER_OBJECT + 1], keep[DEPTH] = {false};
	size_t first = SIZE_MAX, last = SIZE_MAX, leaf = s->row || !s->n ? 0 : s->n - 1;

	for (int k = 0; k <= AS_FILTER_OBJECT; k++)
		wanted[k] = matches(prof, how, s, SIZE_MAX, (enum as_filter_kind)k) >= 0;
	if (how->keep_part && !how->keep_part[part])
		return false;
	if (wanted[AS_FILTER_FOCUS] && !any(prof, how, s, AS_FILTER_FOCUS))
		return false;
	if (wanted[AS_FILTER_OBJECT] && matches(prof, how, s, leaf, AS_FILTER_OBJECT) <= 0)
		return false;
	if (any(prof, how, s, AS_FILTER_IGNORE))
		return false;
	if (!s->n)
		return !wanted[AS_FILTER_SHOW] && !wanted[AS_FILTER_SHOW_FROM];
	for (size_t k = 0; k < s->n; k++) {
		keep[k] = matches(prof, how, s, k, AS_FILTER_HIDE) <= 0 &&
			  matches(prof, how, s, k, AS_FILTER_SHOW) != 0;
		if (keep[k] && first == SIZE_MAX &&
			matches(prof, how, s, k, AS_FILTER_SHOW_FROM) != 0)
			first = k;
	}
	for (size_t k = first; k < s->n; k++)
		if (keep[k] && matches(prof, how, s, k, AS_FILTER_PRUNE_FROM) > 0)
			last = k;
	for (size_t k = first; k < s->n && k <= last; k++)
		if (keep[k])
			out.frame[out.n++] = all.frame[k];
	for (size_t k = 0; k < out.n; k++)
		out.frame[k].pos.inlined = k && out.frame[k].group == out.frame[k - 1].group;
	*s = out;
	return out.n > 0;
}

/* ---- against it ---- */

static size_t random_matchers(struct as_matcher *m, uint64_t *state)
{
	static const char *const text[] = {
		"a", "b", "alpha", ".so", "ga", "x", "ab", ".", "0x20]", "+0x10]", "[a]"};
	size_t n = as_test_next(state, MATCHERS + 1);

	for (size_t i = 0; i < n; i++)
		m[i] = (struct as_matcher){
			.kind = (enum as_filter_kind)as_test_next(state, AS_FILTER_OBJECT + 1),
			.fields = as_test_next(state, 7) + 1,
			.match = as_test_has_text,
			.ctx = text[as_test_next(state, AS_ARRAY_LEN(text))]};
	for (size_t i = 0; i < n; i++)
		if (m[i].kind == AS_FILTER_OBJECT)
			m[i].fields = AS_MATCH_OBJECT;
	return n;
}

static void test_filters_do_what_the_words_say(void **state)
{
	struct samples *s = calloc(2, sizeof(*s));
	uint64_t seen = 0;

	(void)state;
	assert_non_null(s);
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		uint64_t random = seed * 77;
		struct as_profile *prof = random_profile(seed), *got;
		struct as_matcher m[MATCHERS];
		uint8_t keep[] = {as_test_next(&random, 3) != 0, 1};
		struct as_filter how = {.matcher = m, .keep_part = seed % 2 ? keep : NULL};

		how.n = random_matchers(m, &random);
		prof->part.p[0].pid = 1; /* so that they can be told apart */
		prof->part.p[1].pid = 2;
		got = as_test_filter(prof, &how);
		collect(&s[0], prof, &how, oracle);
		collect(&s[1], got, NULL, NULL);
		check_same(&s[0], &s[1]);
		seen += s[0].n;
		for (int k = 0; k < EVENTS; k++)
			assert_true(as_whole(got)[k] == prof->total[k]);
		assert_int_equal(got->part.n, how.keep_part && !keep[0] ? 1 : 2);
		as_profile_free(got);
		as_profile_free(prof);
	}
	assert_true(seen > SEEDS); /* it is no test of empty profiles */
	free(s);
}

/* What one of two opposites leaves is what the other takes. */
static void check_complement(const struct as_profile *prof, enum as_filter_kind kind,
	enum as_filter_kind opposite, const char *text)
{
	struct as_matcher m = {.kind = kind, .fields = 7, .match = as_test_has_text, .ctx = text};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_profile *a = as_test_filter(prof, &how), *b;

	m.kind = opposite;
	b = as_test_filter(prof, &how);
	for (uint32_t k = 0; k < as_n_events(prof); k++)
		assert_true(a->total[k] + b->total[k] == prof->total[k]);
	as_profile_free(a);
	as_profile_free(b);
}

static void test_focus_and_ignore_add_up(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct as_profile *prof = random_profile(seed);

		check_complement(prof, AS_FILTER_FOCUS, AS_FILTER_IGNORE, names[seed % 4]);
		as_profile_free(prof);
		prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS |
						    AS_TEST_JUMPS | AS_TEST_FACTS);
		check_complement(prof, AS_FILTER_FOCUS, AS_FILTER_IGNORE, seed % 2 ? "f" : "a");
		as_profile_free(prof);
	}
}

/* Frames go, costs do not, unless a sample has no other frames. */
static void test_hiding_and_pruning_move_cost_only(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct as_profile *prof = random_profile(seed), *got;
		struct as_matcher m = {.kind = AS_FILTER_PRUNE_FROM,
			.fields = 7,
			.match = as_test_has_text,
			.ctx = "a"};
		struct as_filter how = {.matcher = &m, .n = 1};

		got = as_test_filter(prof, &how);
		for (int k = 0; k < EVENTS; k++)
			assert_true(got->total[k] == prof->total[k]);
		as_profile_free(got);
		m.kind = AS_FILTER_HIDE;
		m.ctx = "no such";
		got = as_test_filter(prof, &how);
		for (int k = 0; k < EVENTS; k++)
			assert_true(got->total[k] == prof->total[k]);
		as_profile_free(got);
		as_profile_free(prof);
	}
}

/* Parts are taken out as they are: calls, jumps and declared sums too. */
static void test_parts_are_taken_out_exactly(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct as_profile *prof =
			as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS |
						     AS_TEST_JUMPS | AS_TEST_FACTS);
		as_val sum[3] = {0};
		uint64_t rows[3] = {0};

		for (size_t p = 0; p < prof->part.n; p++) {
			uint8_t keep[4] = {0};
			struct as_filter how = {.keep_part = keep};
			struct as_profile *got;

			keep[p] = 1;
			got = as_test_filter(prof, &how);
			assert_int_equal(got->part.n, 1);
			assert_int_equal(got->part.p[0].pid, prof->part.p[p].pid);
			assert_int_equal(got->part.p[0].n_summary, prof->part.p[p].n_summary);
			assert_false(got->estimated);
			for (int k = 0; k < 3; k++)
				sum[k] += got->total[k];
			rows[0] += got->self.n;
			rows[1] += got->call.n;
			rows[2] += got->jump.n;
			as_profile_free(got);
		}
		for (int k = 0; k < 3; k++)
			assert_true(sum[k] == prof->total[k]);
		assert_int_equal(rows[0], prof->self.n);
		assert_int_equal(rows[1], prof->call.n);
		assert_int_equal(rows[2], prof->jump.n);
		as_profile_free(prof);
	}
}

/* ---- the rest ---- */

static void test_names_are_simple_for_prune_from(void **state)
{
	static const char *const name[][2] = {{"f", "f"}, {"f(int)", "f"}, {".f", "f"},
		{"a::operator()(int)", "a::operator()"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"}, {"", ""}, {"(", ""},
		{"operator()", "operator()"}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++)
		assert_true(
			as_slice_is(as_filter_simple_name(as_slice_of(name[i][0])), name[i][1]));
}

static void test_contexts_are_folded_or_kept(void **state)
{
	struct as_profile *prof, *got;
	struct as_build b;
	as_str creator;
	struct as_matcher m = {.fields = 7, .match = as_test_has_text, .ctx = "'2"};
	struct as_filter how = {.matcher = &m, .n = 1};

	(void)state;
	as_test_begin(&b, "Ir");
	assert_int_equal(as_build_str(&b, as_slice_of("callgrind-3.19.0"), &creator), AS_OK);
	b.prof->part.p[0].creator = creator;
	as_test_self(&b, as_test_func(&b, "f", "/a", "a.c"), 1, 3);
	as_test_self(&b, as_test_func(&b, "f'2", "/a", "a.c"), 1, 4);
	prof = as_test_end(&b);
	got = as_test_filter(prof, &how);
	assert_true(got->total[0] == 0);
	as_profile_free(got);
	how.keep_contexts = true;
	got = as_test_filter(prof, &how);
	assert_true(got->total[0] == 4);
	as_profile_free(got);
	as_profile_free(prof);
}

enum { CODE_COUNTS = 200 };

/* Counts of code without a name, from START on, every third is 0. */
static struct as_profile *nameless(uint64_t start, as_val cost[CODE_COUNTS])
{
	uint8_t le32[4 * CODE_COUNTS + AS_SPAN_SLACK] = {0};
	struct as_rows_span span = {start, 4, le32, CODE_COUNTS};
	struct as_build b;
	as_func f;

	as_test_begin(&b, "cycles");
	f = as_test_func(&b, "", "/usr/bin/prog", "");
	for (size_t i = 0; i < CODE_COUNTS; i++) {
		cost[i] = i % 3 ? (as_val)i : 0;
		le32[4 * i] = (uint8_t)cost[i];
	}
	assert_true(as_rows_run(&b.prof->self, 0, f, (as_file){0}, (as_func){0}));
	assert_true(as_rows_add_span(&b.prof->self, &span));
	return as_test_end(&b);
}

/* What is left if rows whose names have TEXT in them stay or, if not FOCUS, go. */
static void check_addresses(uint64_t start, const char *text, bool focus, bool inside)
{
	struct as_matcher m = {.kind = focus ? AS_FILTER_FOCUS : AS_FILTER_IGNORE,
		.fields = AS_MATCH_FUNC,
		.match = as_test_has_text,
		.ctx = text,
		.inside = inside};
	struct as_filter how = {.matcher = &m, .n = 1};
	as_val cost[CODE_COUNTS], want = 0, got = 0;
	struct as_profile *prof = nameless(start, cost);
	struct as_filtered out;
	bool matched, some = false;
	uint64_t n = 0;

	for (uint64_t i = 0; i < CODE_COUNTS; i++) {
		char name[64];
		bool has;

		snprintf(name, sizeof(name), "[prog+0x%" PRIx64 "]", start + 4 * i);
		has = cost[i] && strstr(name, text);
		some |= has;
		if (cost[i] && has == focus) {
			want += cost[i];
			n++;
		}
	}
	assert_int_equal(as_filter(prof, &how, &matched, &out, NULL, NULL), AS_OK);
	as_rows_total(&out.prof->self, &got);
	assert_true(got == want);
	assert_int_equal(out.prof->self.n, n);
	assert_int_equal(matched, some);
	as_profile_free(out.prof);
	as_profile_free(prof);
}

static void test_addresses_are_chosen_by_their_names_many_at_a_time(void **state)
{
	static const char *const text[] = {"prog", "g+0x", "0x1", "+0x120", "c]", "4", "fc]",
		"0x12000010c", "zz", "x10", "]", "[", ""};
	static const uint64_t start[] = {0x120000000, 0xff0, 0x10c, 0x1fff0, 4};

	(void)state;
	for (size_t t = 0; t < AS_ARRAY_LEN(text); t++)
		for (size_t i = 0; i < AS_ARRAY_LEN(start); i++)
			for (unsigned k = 0; k < 4; k++)
				check_addresses(start[i], text[t], k & 1, k & 2);
}

int filter_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filters_do_what_the_words_say),
		cmocka_unit_test(test_focus_and_ignore_add_up),
		cmocka_unit_test(test_hiding_and_pruning_move_cost_only),
		cmocka_unit_test(test_parts_are_taken_out_exactly),
		cmocka_unit_test(test_names_are_simple_for_prune_from),
		cmocka_unit_test(test_addresses_are_chosen_by_their_names_many_at_a_time),
		cmocka_unit_test(test_contexts_are_folded_or_kept),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
