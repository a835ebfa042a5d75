/* SPDX-License-Identifier: Apache-2.0 */
/* What is estimated is the same in whatever order a file tells its calls, and, where calls are
 * enough, in however many rows. */
#include "change/filter/test_filter.h"
#include "lib/test_profiles.h"

enum { FUNCS = 14, FACTS = 400, ORDERS = 12, SPLIT = 3 };

/* A row of self cost, or of calls. */
struct fact {
	uint32_t func, callee; /* 0 = self cost */
	uint64_t line;
	as_val cost, count;
};

static void make_facts(struct fact *fact)
{
	uint64_t seed = 5;

	for (uint32_t i = 0; i < FACTS; i++) {
		struct fact *f = &fact[i];

		f->func = 1 + as_test_next(&seed, FUNCS);
		if (i % 2 && f->func < FUNCS) /* to those behind, and sometimes back */
			f->callee = as_test_next(&seed, 12)
					    ? f->func + 1 + as_test_next(&seed, FUNCS - f->func)
					    : 1 + as_test_next(&seed, FUNCS);
		f->line = as_test_next(&seed, 5);
		f->cost = 1 + as_test_next(&seed, 4) * (1 + as_test_next(&seed, 2) * 1000);
		f->count = as_test_next(&seed, 3);
	}
}

static void shuffle(uint32_t *order, uint32_t n, uint64_t *seed)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n; *seed && i-- > 1;) {
		uint32_t k = as_test_next(seed, i + 1), t = order[i];

		order[i] = order[k];
		order[k] = t;
	}
}

static void add(
	struct as_build *b, const as_func *func, const struct fact *f, as_val cost, as_val count)
{
	struct as_pos pos = {.func = func[f->func],
		.file = b->prof->func.file.p[func[f->func].i],
		.line = f->line};
	struct as_call call = {.callee = func[f->callee], .count = count};

	if (f->callee)
		assert_int_equal(as_build_call(b, 0, &pos, &call, &cost, 1), AS_OK);
	else
		assert_int_equal(as_build_self(b, 0, &pos, &cost, 1), AS_OK);
}

/* In an order that SEED chooses, 0 as they are; each in PIECES rows. */
static struct as_profile *profile(const struct fact *fact, uint64_t seed, uint32_t pieces)
{
	uint32_t func_order[FUNCS], order[FACTS];
	as_func func[FUNCS + 1] = {{0}};
	struct as_build b;
	char name[16];

	as_test_begin(&b, "Ir");
	shuffle(func_order, FUNCS, &seed);
	shuffle(order, FACTS, &seed);
	for (uint32_t i = 0; i < FUNCS; i++) {
		uint32_t f = func_order[i] + 1;

		snprintf(name, sizeof(name), "f%c%u", f % 3 ? 'a' : 'b', f);
		func[f] = as_test_func(&b, name, f % 4 ? "/o" : "/p", f % 2 ? "x.c" : "y.c");
	}
	for (uint32_t i = 0; i < FACTS; i++)
		for (uint32_t n = 0; n < pieces; n++) {
			const struct fact *f = &fact[order[i]];
			as_val more = n == 0;

			add(&b, func, f, f->cost / pieces + more * (f->cost % pieces),
				f->count / pieces + more * (f->count % pieces));
		}
	return as_test_end(&b);
}

static void sums_of(const struct as_profile *prof, enum as_filter_kind kind, bool lines,
	struct as_test_sums *sums)
{
	const struct as_matcher m = {
		.kind = kind, .fields = AS_MATCH_FUNC, .match = as_test_has_text, .ctx = "fb"};
	const struct as_filter how = {.matcher = &m, .n = 1};
	struct as_profile *out = as_test_filter(prof, &how);

	sums->n = 0;
	as_test_sum(sums, out, lines ? AS_BY_LINE : AS_BY_FUNC, false);
	as_test_sum(sums, out, lines ? AS_BY_LINE : AS_BY_FUNC, true);
	as_profile_free(out);
}

static void check(const struct fact *fact, enum as_filter_kind kind, uint32_t pieces, bool lines)
{
	static struct as_test_sums first, other;
	struct as_profile *prof = profile(fact, 0, 1);

	sums_of(prof, kind, lines, &first);
	as_profile_free(prof);
	assert_true(first.n > 2);
	for (uint64_t seed = 1; seed <= ORDERS; seed++) {
		prof = profile(fact, seed, pieces);
		sums_of(prof, kind, lines, &other);
		as_test_same(&first, &other);
		as_profile_free(prof);
	}
}

static void test_the_order_of_rows_changes_no_estimate(void **state)
{
	struct fact fact[FACTS] = {{0}};

	(void)state;
	make_facts(fact);
	for (unsigned kind = 0; kind <= AS_FILTER_OBJECT; kind++)
		check(fact, (enum as_filter_kind)kind, 1, false);
}

static void test_calls_in_more_rows_are_rounded_as_one(void **state)
{
	static const enum as_filter_kind kind[] = {
		AS_FILTER_FOCUS, AS_FILTER_IGNORE, AS_FILTER_SHOW_FROM, AS_FILTER_OBJECT};
	struct fact fact[FACTS] = {{0}};

	(void)state;
	make_facts(fact);
	for (size_t i = 0; i < AS_ARRAY_LEN(kind); i++)
		check(fact, kind[i], SPLIT, false);
}

int filter_order_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_order_of_rows_changes_no_estimate),
		cmocka_unit_test(test_calls_in_more_rows_are_rounded_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
