/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths out of names such as "f'main'start": by hand, and what must be kept at random. */
#include "change/kit/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/test_profiles.h"

enum { SEEDS = 60, TEXT_MAX = 4000 };

static void begin(struct as_build *b)
{
	as_test_begin(b, "Ir");
	assert_int_equal(as_build_str(b, as_slice_of("callgrind"), &b->prof->format), AS_OK);
	assert_int_equal(
		as_build_str(b, as_slice_of("callgrind-3.19.0"), &b->prof->part.p[0].creator),
		AS_OK);
}

struct text {
	char p[TEXT_MAX];
	size_t n;
};

static void AS_PRINTF(2, 3) put(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->p + t->n, sizeof(t->p) - t->n, fmt, ap);
	va_end(ap);
	assert_true(t->n < sizeof(t->p));
}

static void put_path(const struct as_profile *prof, as_node node, struct text *t)
{
	struct as_pos pos = as_place_pos(prof, prof->node.place.p[node.i]);
	as_file home = prof->func.file.p[pos.func.i];

	if (prof->node.parent.p[node.i].i) {
		put_path(prof, prof->node.parent.p[node.i], t);
		put(t, ";");
	}
	put(t, "%.*s", AS_SLICE_FMT(as_func_name(prof, pos.func)));
	if (home.i)
		put(t, "@%.*s", AS_SLICE_FMT(as_file_path(prof, home)));
	if (pos.line)
		put(t, ":%u", (unsigned)pos.line);
}

/* Every line of WANT is a sample "start;main@a.c;f@a.c:5 20", and there are no others. */
static void expect(const struct as_profile *prof, const char *want)
{
	size_t left = strlen(want);

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct text line = {.n = 0};
		const char *at;

		put_path(prof, prof->sample.node.p[i], &line);
		put(&line, " %d\n", (int)prof->sample.cost.p[i]);
		at = strstr(want, line.p);
		if (!at || (at != want && at[-1] != '\n'))
			fail_msg("not expected: %s", line.p);
		left -= line.n;
	}
	assert_int_equal(left, 0);
	assert_int_equal(prof->shape, AS_SHAPE_PATHS);
	assert_false(prof->estimated);
}

static void test_names_become_the_paths_that_they_state(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	struct as_losses l;
	as_func main_, f, f2, g, h;

	(void)state;
	begin(&b);
	main_ = as_test_func(&b, "main'start", "prog", "a.c");
	f = as_test_func(&b, "f'main'start", "prog", "a.c");
	f2 = as_test_func(&b, "f'2'main'start", "prog", "a.c");
	g = as_test_func(&b, "g'f'main", "prog", "b.c");
	h = as_test_func(&b, "h", "prog", "b.c");
	as_test_self(&b, main_, 1, 10);
	as_test_self(&b, f, 5, 20);
	as_test_self(&b, f, 6, 2);
	as_test_self(&b, f2, 5, 5); /* the same place by the same callers: adds up */
	as_test_self(&b, g, 7, 7);
	as_test_self(&b, h, 8, 1);
	as_test_call(&b, main_, f, 2, 34);
	as_test_call(&b, f, f2, 1, 5);
	as_test_call(&b, f2, f2, 3, 4);
	as_test_call(&b, f, g, 0, 7);
	prof = as_test_end(&b);
	as_losses_init(&l, &as_alloc_libc);
	assert_int_equal(as_context_paths(prof, &out, &l, NULL), AS_OK);
	expect(out, "start;main@a.c:1 10\n"
		    "start;main@a.c;f@a.c:5 25\n"
		    "start;main@a.c;f@a.c:6 2\n"
		    "main@a.c;f@a.c;g@b.c:7 7\n"
		    "h@b.c:8 1\n");
	assert_int_equal(out->path_depth, 3);
	assert_true(out->total[0] == 45);
	assert_int_equal(as_test_lost(&l, "calls"), 2);       /* f calls itself */
	assert_int_equal(as_test_lost(&l, "call-counts"), 1); /* that of f -> g is not known */
	assert_int_equal(as_test_lost(&l, "call-costs"), 2);
	assert_int_equal(as_test_lost(&l, "recursion"), 1);
	as_losses_release(&l);
	as_profile_free(out);
	as_profile_free(prof);
}

/* Two functions s: who is meant is told by the calls, here of all names of that caller. */
static void test_callers_of_one_name_are_told_apart_by_the_calls(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	as_func in_a, in_b, k, k2, j, i, t;

	(void)state;
	begin(&b);
	in_a = as_test_func(&b, "s'main", "prog", "a.c");
	in_b = as_test_func(&b, "s'k", "prog", "b.c");
	k = as_test_func(&b, "k's", "prog", "a.c");
	k2 = as_test_func(&b, "k'2's", "prog", "a.c");
	j = as_test_func(&b, "j's", "prog", "a.c");
	i = as_test_func(&b, "i's", "prog", "a.c");
	t = as_test_func(&b, "t'k", "prog", "a.c");
	as_test_self(&b, k, 1, 1);
	as_test_self(&b, k2, 2, 2);
	as_test_self(&b, j, 3, 4);
	as_test_self(&b, i, 4, 8);
	as_test_self(&b, t, 5, 16);
	as_test_call(&b, in_b, k, 1, 1);
	as_test_call(&b, k, k2, 1, 1);   /* k'2's by itself, but s is that of k's */
	as_test_call(&b, in_a, j, 1, 1); /* both call j: the name does not say which */
	as_test_call(&b, in_b, j, 1, 1);
	prof = as_test_end(&b);
	assert_int_equal(as_context_paths(prof, &out, NULL, NULL), AS_OK);
	expect(out, "s@b.c;k@a.c:1 1\n"
		    "s@b.c;k@a.c:2 2\n"
		    "s;j@a.c:3 4\n"
		    "s;i@a.c:4 8\n"        /* nobody is seen to call i */
		    "k@a.c;t@a.c:5 16\n"); /* there is one k only */
	as_profile_free(out);
	as_profile_free(prof);
}

static void test_further_callers_are_found_along_the_calls(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	as_func s, other, f, g;

	(void)state;
	begin(&b);
	other = as_test_func(&b, "s'x", "prog", "b.c");
	s = as_test_func(&b, "s'main'start", "prog", "a.c");
	f = as_test_func(&b, "f's'main", "prog", "a.c");
	g = as_test_func(&b, "g'f's", "prog", "a.c");
	as_test_self(&b, g, 1, 3);
	as_test_self(&b, other, 2, 4);
	as_test_call(&b, s, f, 1, 3);
	as_test_call(&b, f, g, 1, 3);
	prof = as_test_end(&b);
	assert_int_equal(as_context_paths(prof, &out, NULL, NULL), AS_OK);
	expect(out, "s@a.c;f@a.c;g@a.c:1 3\nx;s@b.c:2 4\n");
	as_profile_free(out);
	as_profile_free(prof);
}

static void test_the_depth_stays_known_when_profiles_are_merged(void **state)
{
	struct as_build b;
	struct as_profile *prof, *paths, *out;
	struct as_merge *m;

	(void)state;
	begin(&b);
	as_test_self(&b, as_test_func(&b, "f'main", "prog", "a.c"), 1, 5);
	prof = as_test_end(&b);
	assert_int_equal(as_context_paths(prof, &paths, NULL, NULL), AS_OK);
	assert_int_equal(as_merge_new(NULL, &(struct as_merge_opts){0}, &m, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, paths, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, prof, NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	assert_int_equal(out->path_depth, 2);
	as_profile_free(out);
	as_profile_free(paths);
	as_profile_free(prof);
}

static void refuse(const char *format, const char *name)
{
	struct as_build b;
	struct as_profile *prof, *out = (void *)&b;
	struct as_err err;

	as_err_clear(&err);
	begin(&b);
	assert_int_equal(as_build_str(&b, as_slice_of(format), &b.prof->format), AS_OK);
	as_test_self(&b, as_test_func(&b, name, "prog", "a.c"), 1, 1);
	prof = as_test_end(&b);
	assert_int_equal(as_context_paths(prof, &out, NULL, &err), AS_E_UNSUPPORTED);
	assert_null(out);
	assert_string_equal(err.msg, "no function's name says who called it");
	as_profile_free(prof);
}

static void test_names_without_callers_are_refused(void **state)
{
	(void)state;
	refuse("callgrind", "f");
	refuse("callgrind", "f'2");
	refuse("callgrind", "foldl'");
	refuse("gperf", "f'main");
}

static void test_names_are_taken_apart(void **state)
{
	static const struct {
		const char *name, *own, *caller[3];
		bool level;
	} ex[] = {
		{"f", "f", {NULL}, false},
		{"f'2", "f", {NULL}, true},
		{"f'2'g'h", "f", {"g", "h", NULL}, true},
		{"f'g'h", "f", {"g", "h", NULL}, false},
		{"f'1", "f", {"1", NULL}, false},
		{"foldl''2'main", "foldl'", {"main", NULL}, true},
		{"main'(below main)'0x1234", "main", {"(below main)", "0x1234", NULL}, false},
		{"a(b<char>)'f(int)::'lambda'(int)'A::operator->()", "a(b<char>)",
			{"f(int)::'lambda'(int)", "A::operator->()", NULL}, false},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_context ctx;
		struct as_slice caller;
		size_t n = 0;

		assert_int_equal(as_context_split(as_slice_of(ex[i].name), &ctx),
			strcmp(ex[i].name, ex[i].own) != 0);
		assert_true(as_slice_is(ctx.name, ex[i].own));
		assert_int_equal(ctx.level, ex[i].level);
		while (as_context_caller(&ctx, &caller))
			assert_true(ex[i].caller[n] && as_slice_is(caller, ex[i].caller[n++]));
		assert_null(ex[i].caller[n]);
	}
}

/* What a folded projection says of PROF, one that keeps names says of OUT. */
static void same_self(const struct as_profile *prof, const struct as_profile *out, enum as_by by)
{
	struct as_project_opts fold = {.by = by}, keep = {.by = by, .keep_contexts = true};
	struct as_table *a, *b;
	as_val sum = 0, found = 0;

	assert_int_equal(as_project(prof, &fold, &a, NULL), AS_OK);
	assert_int_equal(as_project(out, &keep, &b, NULL), AS_OK);
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n && !a->key[i].is_cycle; k++) {
			const struct as_key *x = &a->key[i], *y = &b->key[k];

			if (y->is_cycle || x->line != y->line || x->addr != y->addr ||
				!as_slice_eq(
					as_file_path(prof, x->file), as_file_path(out, y->file)) ||
				!as_slice_eq(as_object_path(prof, x->object),
					as_object_path(out, y->object)) ||
				(by == AS_BY_FUNC &&
					!as_slice_eq(as_table_func_name(a, (uint32_t)i),
						as_table_func_name(b, (uint32_t)k))))
				continue;
			assert_true(a->self[i * a->n_events] == b->self[k * b->n_events]);
			found += a->self[i * a->n_events];
		}
	for (size_t i = 0; i < a->n; i++)
		sum += a->key[i].is_cycle ? 0 : a->self[i * a->n_events];
	assert_true(sum == found);
	as_table_free(a);
	as_table_free(b);
}

static void test_the_self_cost_of_every_row_is_kept(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_CONTEXTS | AS_TEST_NAMED |
				AS_TEST_NEGATIVE | AS_TEST_JUMPS | AS_TEST_FACTS;
		struct as_profile *prof = as_test_random(seed, what), *out;
		struct as_losses l;
		enum as_code rc;

		as_losses_init(&l, &as_alloc_libc);
		rc = as_context_paths(prof, &out, &l, NULL);
		if (rc == AS_OK) {
			same_self(prof, out, AS_BY_FUNC);
			same_self(prof, out, AS_BY_FILE);
			same_self(prof, out, AS_BY_OBJECT);
			assert_memory_equal(prof->total, out->total, 3 * sizeof(as_val));
			assert_int_equal(as_test_lost(&l, "calls") + as_test_lost(&l, "call-costs"),
				prof->call.n);
			assert_int_equal(as_test_lost(&l, "jumps"), prof->jump.n);
			assert_true(out->path_depth <= 3);
			as_profile_free(out);
		} else {
			assert_int_equal(rc, AS_E_UNSUPPORTED);
		}
		as_losses_release(&l);
		as_profile_free(prof);
	}
}

int context_paths_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_become_the_paths_that_they_state),
		cmocka_unit_test(test_callers_of_one_name_are_told_apart_by_the_calls),
		cmocka_unit_test(test_further_callers_are_found_along_the_calls),
		cmocka_unit_test(test_the_depth_stays_known_when_profiles_are_merged),
		cmocka_unit_test(test_names_without_callers_are_refused),
		cmocka_unit_test(test_names_are_taken_apart),
		cmocka_unit_test(test_the_self_cost_of_every_row_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
