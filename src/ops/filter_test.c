/* SPDX-License-Identifier: Apache-2.0 */
/* Filters, against the words of docs/filters.md done literally on lists of frames. */
#include "ops/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ops/test_profiles.h"
#include "ops/transform.h"

enum { SEEDS = 400, MATCHERS = 6, DEPTH = 8, EVENTS = 2 };

static bool has_text(const void *ctx, struct as_slice text)
{
	return as_slice_find_text(text, ctx) < text.len || !*(const char *)ctx;
}

/* ---- profiles: samples, some of inlined frames, or rows of self cost ---- */

static const char *const names[] = {"alpha", "beta", "gamma", "ab", "", "ag(ab)"};
static const char *const files[] = {"", "a.c", "b.c", "ab.h"};
static const char *const objects[] = {"", "/bin/a", "/lib/b.so"};

static as_func random_func(struct as_build *b, uint64_t *state)
{
	as_object o;
	as_file f;
	as_func func;

	assert_int_equal(as_build_object(b, as_slice_of(objects[as_test_next(state, 3)]),
				 as_slice_of(""), &o),
		AS_OK);
	assert_int_equal(as_build_file(b, as_slice_of(files[as_test_next(state, 4)]), &f), AS_OK);
	assert_int_equal(
		as_build_func(b, as_slice_of(names[as_test_next(state, 6)]), o, f, 0, &func),
		AS_OK);
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
	assert_true(as_rows_add(&b->prof->self, pos.line, 0, cost, EVENTS));
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

		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%.*s,%.*s,%.*s:%u;",
			p->inlined ? "^" : "", AS_SLICE_FMT(as_func_name(prof, p->func)),
			AS_SLICE_FMT(as_object_path(prof, prof->func.object.p[p->func.i])),
			AS_SLICE_FMT(as_file_path(prof, p->file)), (unsigned)p->line);
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
static struct stack stack_of_run(const struct as_run *run, uint64_t line)
{
	struct stack s = {.n = 1, .row = true};

	s.frame[0].pos = (struct as_pos){.func = run->func, .file = run->file, .line = line};
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
			s = stack_of_run(run, cur.line);
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

/* FILE of a row whose code was inlined is that of the inlined function. */
static bool frame_matches(const struct as_profile *prof, const struct as_matcher *m,
	const struct frame *f, bool use_file)
{
	as_func func = f->pos.func;
	struct as_slice name = as_func_name(prof, func);

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
	static const char *const text[] = {"a", "b", "alpha", ".so", "ga", "x", "ab", "."};
	size_t n = as_test_next(state, MATCHERS + 1);

	for (size_t i = 0; i < n; i++)
		m[i] = (struct as_matcher){
			.kind = (enum as_filter_kind)as_test_next(state, AS_FILTER_OBJECT + 1),
			.fields = as_test_next(state, 7) + 1,
			.match = has_text,
			.ctx = text[as_test_next(state, 8)]};
	for (size_t i = 0; i < n; i++)
		if (m[i].kind == AS_FILTER_OBJECT)
			m[i].fields = AS_MATCH_OBJECT;
	return n;
}

static struct as_profile *filter(const struct as_profile *prof, const struct as_filter *how)
{
	bool matched[MATCHERS + 1];
	struct as_filtered out;

	assert_int_equal(as_filter(prof, how, matched, &out, NULL, NULL), AS_OK);
	return out.prof;
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
		got = filter(prof, &how);
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
	struct as_matcher m = {.kind = kind, .fields = 7, .match = has_text, .ctx = text};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_profile *a = filter(prof, &how), *b;

	m.kind = opposite;
	b = filter(prof, &how);
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
		struct as_matcher m = {
			.kind = AS_FILTER_PRUNE_FROM, .fields = 7, .match = has_text, .ctx = "a"};
		struct as_filter how = {.matcher = &m, .n = 1};

		got = filter(prof, &how);
		for (int k = 0; k < EVENTS; k++)
			assert_true(got->total[k] == prof->total[k]);
		as_profile_free(got);
		m.kind = AS_FILTER_HIDE;
		m.ctx = "no such";
		got = filter(prof, &how);
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
			got = filter(prof, &how);
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

/* ---- calls ---- */

static as_val self_of(const struct as_profile *prof, const char *name, bool inclusive)
{
	struct as_project_opts opts = {.by = AS_BY_FUNC};
	struct as_table *t;
	as_val v = 0;

	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	for (size_t r = 0; r < t->n; r++)
		if (!t->key[r].is_cycle && as_slice_is(as_table_func_name(t, (uint32_t)r), name))
			v += (inclusive ? t->incl : t->self)[r * t->n_events];
	as_table_free(t);
	return v;
}

/* main 10 calls f (5 + g 20) and h (7 + g 40); g is called by f alone, or by h, too. */
static struct as_profile *calls_profile(bool shared)
{
	struct as_build b;
	as_func main, f, g, h, g2;

	as_test_begin(&b, "Ir");
	main = as_test_func(&b, "main", "/bin/a", "a.c");
	f = as_test_func(&b, "f", "/bin/a", "a.c");
	g = as_test_func(&b, "g", "/lib/b.so", "b.c");
	h = as_test_func(&b, "h", "/bin/a", "a.c");
	g2 = shared ? g : as_test_func(&b, "g2", "/lib/b.so", "b.c");
	as_test_self(&b, main, 1, 10);
	as_test_self(&b, f, 2, 5);
	as_test_self(&b, h, 3, 7);
	as_test_self(&b, g, 4, 20);
	as_test_self(&b, g2, 5, 40);
	as_test_call(&b, main, f, 1, 25);
	as_test_call(&b, main, h, 1, 47);
	as_test_call(&b, f, g, 2, 20);
	as_test_call(&b, h, g2, 4, 40);
	return as_test_end(&b);
}

static void check_calls(bool shared, const char *focus, bool estimated, const as_val want[4])
{
	struct as_profile *prof = calls_profile(shared);
	struct as_matcher m = {.fields = AS_MATCH_FUNC, .match = has_text, .ctx = focus};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_filtered out;
	bool matched;

	assert_int_equal(as_filter(prof, &how, &matched, &out, NULL, NULL), AS_OK);
	assert_true(matched);
	assert_int_equal(out.estimated, estimated);
	assert_int_equal(out.prof->estimated, estimated);
	assert_int_equal(out.prof->shape, AS_SHAPE_PLACES | AS_SHAPE_CALLS);
	assert_true(out.prof->total[0] == want[0]);
	assert_true(self_of(out.prof, "main", true) == want[1]);
	assert_true(self_of(out.prof, "f", true) == want[2]);
	assert_true(self_of(out.prof, "g", false) == want[3]);
	as_profile_free(out.prof);
	as_profile_free(prof);
}

static void test_calls_are_chosen_by_what_passes_through(void **state)
{
	(void)state;
	check_calls(false, "f", false, (as_val[]){25, 25, 25, 20});
	check_calls(false, "h", false, (as_val[]){47, 47, 0, 0});
	check_calls(false, "main", false, (as_val[]){82, 82, 25, 20});
	/* g costs 60, in the ratio 20 : 40 for f and h: that it is so in each row is a guess */
	check_calls(true, "f", true, (as_val[]){25, 25, 25, 20});
	check_calls(true, "h", true, (as_val[]){47, 47, 0, 40});
	check_calls(true, "main", false, (as_val[]){82, 82, 25, 60});
	check_calls(true, "g", false, (as_val[]){60, 60, 20, 60});
}

/* Where each function has one path, filters of calls give what filters of paths do. */
static void check_tree(uint64_t seed, enum as_filter_kind kind)
{
	static const char *const name[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"};
	struct as_test_sums *sums = calloc(4, sizeof(*sums));
	struct as_profile *paths, *calls, *a, *b;
	struct as_matcher m = {.kind = kind, .fields = 7, .match = has_text};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_build build;
	as_node node[AS_ARRAY_LEN(name)];
	struct as_pos pos = {0};
	as_place place;

	assert_non_null(sums);
	m.ctx = kind == AS_FILTER_OBJECT ? "b.so" : name[as_test_next(&seed, AS_ARRAY_LEN(name))];
	as_test_begin(&build, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++) {
		as_val cost = as_test_next(&seed, 50);

		pos.func = as_test_func(&build, name[i], objects[1 + as_test_next(&seed, 2)],
			files[1 + as_test_next(&seed, 3)]);
		pos.file = build.prof->func.file.p[pos.func.i];
		node[i].i = 0;
		if (i)
			node[i] = node[as_test_next(&seed, (uint32_t)i)];
		assert_int_equal(as_build_place(&build, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(&build, node[i], place, &node[i]), AS_OK);
		assert_int_equal(as_build_sample(&build, 0, node[i], &cost), AS_OK);
	}
	paths = as_test_end(&build);
	assert_int_equal(as_to_calls(paths, &calls, NULL, NULL), AS_OK);
	a = filter(paths, &how);
	b = filter(calls, &how);
	assert_false(b->estimated);
	for (int i = 0; i < 1 + (b->call.n != 0); i++) { /* without calls: nothing but self */
		as_test_sum(&sums[i], a, AS_BY_FUNC, i);
		as_test_sum(&sums[2 + i], b, AS_BY_FUNC, i);
		as_test_same(&sums[i], &sums[2 + i]);
	}
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(calls);
	as_profile_free(paths);
	free(sums);
}

static void test_calls_that_are_paths_are_filtered_as_these(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		for (int kind = 0; kind <= AS_FILTER_OBJECT; kind++)
			check_tree(seed * 8 + (uint64_t)kind, (enum as_filter_kind)kind);
}

/* A tree of paths over few functions, so that many have several callers. */
static struct as_profile *random_paths(uint64_t *seed, bool recursive)
{
	struct as_build b;
	as_func func[6];

	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(func); i++) {
		char name[2] = {(char)('a' + i), 0};

		func[i] = as_test_func(&b, name, objects[1 + i % 2], "x.c");
	}
	for (uint32_t n = as_test_next(seed, 6) + 1; n; n--) {
		as_func stack[DEPTH] = {{0}};
		uint32_t at = 0, f = 0;

		for (size_t i = 0; i + 1 < DEPTH && f < AS_ARRAY_LEN(func); i++) {
			stack[at++] = func[f];
			f = recursive ? as_test_next(seed, AS_ARRAY_LEN(func) + 2)
				      : f + 1 + as_test_next(seed, 3);
		}
		as_test_stack(&b, 0, stack, 1 + as_test_next(seed, 50));
	}
	return as_test_end(&b);
}

/* Whether filtered calls claim to be exact; then they are what filtered paths are. */
static bool check_claim(uint64_t seed, enum as_filter_kind kind, bool recursive)
{
	static const char *const text[] = {"a", "b", "c", "d", "e", "f"};
	struct as_profile *paths = random_paths(&seed, recursive), *calls, *a, *b;
	struct as_matcher m = {.kind = kind, .fields = AS_MATCH_FUNC, .match = has_text};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_test_sums *sums = calloc(2, sizeof(*sums));
	bool exact;

	assert_non_null(sums);
	m.ctx = text[as_test_next(&seed, 6)];
	if (kind == AS_FILTER_OBJECT) {
		m.fields = AS_MATCH_OBJECT;
		m.ctx = "b.so";
	}
	assert_int_equal(as_to_calls(paths, &calls, NULL, NULL), AS_OK);
	a = filter(paths, &how);
	b = filter(calls, &how);
	exact = !b->estimated;
	if (exact) {
		as_test_sum(&sums[0], a, AS_BY_FUNC, false);
		as_test_sum(&sums[1], b, AS_BY_FUNC, false);
		as_test_same(&sums[0], &sums[1]);
		sums[0].n = sums[1].n = 0;
		as_test_sum(&sums[0], a, AS_BY_FUNC, true);
		as_test_sum(&sums[1], b, AS_BY_FUNC, true);
		if (b->call.n && !recursive) /* in a circle inclusive cost is another thing */
			as_test_same(&sums[0], &sums[1]);
	}
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(calls);
	as_profile_free(paths);
	free(sums);
	return exact;
}

static void test_what_is_called_exact_is_exact(void **state)
{
	static const enum as_filter_kind kinds[] = {
		AS_FILTER_FOCUS, AS_FILTER_IGNORE, AS_FILTER_OBJECT, AS_FILTER_SHOW_FROM};
	unsigned exact = 0, all = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 4 * SEEDS; seed++)
		for (size_t k = 0; k < AS_ARRAY_LEN(kinds); k++, all++)
			exact += check_claim(seed * 4 + k, kinds[k], seed % 4 == 0);
	assert_true(exact > all / 4 && exact < all * 9 / 10); /* both happen */
}

/* x (3) and y (2) call into a circle of a (20) and b (12), for 24 and 8: three quarters are x's. */
static void test_a_circle_is_shared_out_as_one(void **state)
{
	struct as_build b;
	as_func main, x, y, f, g;
	struct as_matcher m = {.fields = AS_MATCH_FUNC, .match = has_text, .ctx = "x"};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_profile *prof, *got;

	(void)state;
	as_test_begin(&b, "Ir");
	main = as_test_func(&b, "main", "/a", "a.c");
	x = as_test_func(&b, "x", "/a", "a.c");
	y = as_test_func(&b, "y", "/a", "a.c");
	f = as_test_func(&b, "a", "/a", "a.c");
	g = as_test_func(&b, "b", "/a", "a.c");
	as_test_self(&b, x, 1, 3);
	as_test_self(&b, y, 1, 2);
	as_test_self(&b, f, 1, 20);
	as_test_self(&b, g, 1, 12);
	as_test_call(&b, main, x, 1, 27);
	as_test_call(&b, main, y, 1, 10);
	as_test_call(&b, x, f, 4, 24);
	as_test_call(&b, y, g, 4, 8);
	as_test_call(&b, f, g, 8, 15);
	as_test_call(&b, g, f, 8, 9);
	prof = as_test_end(&b);
	got = filter(prof, &how);
	assert_true(got->estimated);
	assert_true(got->total[0] == 27);
	assert_true(self_of(got, "a", false) == 15);
	assert_true(self_of(got, "b", false) == 9);
	assert_true(self_of(got, "x", true) == 27);
	assert_true(self_of(got, "main", true) == 27);
	assert_true(self_of(got, "y", true) == 0);
	as_profile_free(got);
	m.kind = AS_FILTER_IGNORE;
	got = filter(prof, &how);
	assert_true(got->total[0] == 10);
	assert_true(self_of(got, "a", false) == 5);
	assert_true(self_of(got, "y", true) == 10);
	assert_true(self_of(got, "main", true) == 10);
	as_profile_free(got);
	as_profile_free(prof);
}

static bool is_exact(struct as_profile *prof)
{
	struct as_matcher m = {
		.kind = AS_FILTER_HIDE, .fields = 7, .match = has_text, .ctx = "no such"};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_filtered out;
	bool matched;

	assert_int_equal(as_filter(prof, &how, &matched, &out, NULL, NULL), AS_OK);
	as_profile_free(out.prof);
	as_profile_free(prof);
	return !out.estimated;
}

static void test_only_calls_that_are_paths_are_exact(void **state)
{
	struct as_build b;
	as_func f, g;

	(void)state;
	as_test_begin(&b, "Ir"); /* f and g call each other: nobody knows how it began */
	f = as_test_func(&b, "f", "/a", "a.c");
	g = as_test_func(&b, "g", "/a", "a.c");
	as_test_call(&b, f, g, 1, 0);
	as_test_call(&b, g, f, 1, 0);
	assert_false(is_exact(as_test_end(&b)));
	as_test_begin(&b, "Ir"); /* recursion */
	f = as_test_func(&b, "f", "/a", "a.c");
	as_test_self(&b, f, 1, 3);
	as_test_call(&b, f, f, 1, 3);
	assert_false(is_exact(as_test_end(&b)));
	as_test_begin(&b, "Ir"); /* a part of what g costs came by another way */
	f = as_test_func(&b, "f", "/a", "a.c");
	g = as_test_func(&b, "g", "/a", "a.c");
	as_test_self(&b, g, 1, 3);
	as_test_call(&b, f, g, 1, 2);
	assert_false(is_exact(as_test_end(&b)));
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/a", "a.c");
	g = as_test_func(&b, "g", "/a", "a.c");
	as_test_self(&b, g, 1, 3);
	as_test_call(&b, f, g, 1, 3);
	assert_true(is_exact(as_test_end(&b)));
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
	struct as_matcher m = {.fields = 7, .match = has_text, .ctx = "'2"};
	struct as_filter how = {.matcher = &m, .n = 1};

	(void)state;
	as_test_begin(&b, "Ir");
	assert_int_equal(as_build_str(&b, as_slice_of("callgrind-3.19.0"), &creator), AS_OK);
	b.prof->part.p[0].creator = creator;
	as_test_self(&b, as_test_func(&b, "f", "/a", "a.c"), 1, 3);
	as_test_self(&b, as_test_func(&b, "f'2", "/a", "a.c"), 1, 4);
	prof = as_test_end(&b);
	got = filter(prof, &how);
	assert_true(got->total[0] == 0);
	as_profile_free(got);
	how.keep_contexts = true;
	got = filter(prof, &how);
	assert_true(got->total[0] == 4);
	as_profile_free(got);
	as_profile_free(prof);
}

static void test_relative_forgets_the_whole(void **state)
{
	struct as_profile *prof = calls_profile(false), *got, *again;
	struct as_matcher m = {.fields = 7, .match = has_text, .ctx = "g"};
	struct as_filter how = {.matcher = &m, .n = 1};

	(void)state;
	got = filter(prof, &how);
	assert_true(as_whole(got)[0] == 82 && got->total[0] == 60);
	m.ctx = "f"; /* the whole of a part of a part */
	again = filter(got, &how);
	assert_true(as_whole(again)[0] == 82 && again->total[0] == 20);
	as_profile_free(again);
	how.relative = true;
	again = filter(got, &how);
	assert_true(as_whole(again)[0] == 20);
	as_profile_free(again);
	as_profile_free(got);
	as_profile_free(prof);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filters_do_what_the_words_say),
		cmocka_unit_test(test_focus_and_ignore_add_up),
		cmocka_unit_test(test_hiding_and_pruning_move_cost_only),
		cmocka_unit_test(test_parts_are_taken_out_exactly),
		cmocka_unit_test(test_calls_are_chosen_by_what_passes_through),
		cmocka_unit_test(test_calls_that_are_paths_are_filtered_as_these),
		cmocka_unit_test(test_what_is_called_exact_is_exact),
		cmocka_unit_test(test_a_circle_is_shared_out_as_one),
		cmocka_unit_test(test_only_calls_that_are_paths_are_exact),
		cmocka_unit_test(test_names_are_simple_for_prune_from),
		cmocka_unit_test(test_contexts_are_folded_or_kept),
		cmocka_unit_test(test_relative_forgets_the_whole),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
