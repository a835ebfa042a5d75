/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined frames into their callers, against stacks that are folded one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/fail_alloc.h"
#include "lib/test_profiles.h"

enum { SEEDS = 500, DEPTH = 8, SAMPLES = 24, NAMES = 4, LINES = 3 };

struct frame {
	unsigned name, line;
	bool inlined;
};

struct stack {
	size_t n;
	struct frame frame[DEPTH]; /* the root first */
	as_val cost;
};

static struct stack random_stack(uint64_t *state)
{
	struct stack s = {.n = as_test_next(state, DEPTH), .cost = as_test_next(state, 100)};

	for (size_t k = 0; k < s.n; k++) {
		s.frame[k].name = (unsigned)as_test_next(state, NAMES);
		s.frame[k].line = (unsigned)as_test_next(state, LINES) + 1;
		s.frame[k].inlined = as_test_next(state, 2);
	}
	return s;
}

/* The file of a line is that of the function whose code it was. */
static void add(struct as_build *b, const struct stack *s)
{
	as_node node = {0};
	as_place place;

	for (size_t k = 0; k < s->n; k++) {
		const struct frame *fr = &s->frame[k];
		char name[] = {(char)('a' + fr->name), 0},
		     file[] = {(char)('a' + fr->name), '.', 'c', 0};
		struct as_pos pos = {.func = as_test_func(b, name, "/bin/x", file),
			.line = fr->line,
			.addr = 0x1000 + fr->line,
			.inlined = fr->inlined};

		pos.file = b->prof->func.file.p[pos.func.i];
		assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(b, node, place, &node), AS_OK);
	}
	assert_int_equal(as_build_sample(b, 0, node, &s->cost), AS_OK);
}

/* Each frame with those that are inlined below it: its function, where the last of them is. */
static void oracle(char *text, size_t size, const struct stack *s)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t k = 0, end; k < s->n; k = end) {
		for (end = k + 1; end < s->n && s->frame[end].inlined;)
			end++;
		n += (size_t)snprintf(text + n, size - n, "%c at %c.c:%u;", 'a' + s->frame[k].name,
			'a' + s->frame[end - 1].name, s->frame[end - 1].line);
	}
}

/* What PROF has on the stack TEXT. */
static as_val cost_of(const struct as_profile *prof, const char *text)
{
	as_val sum = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		char own[400] = "", longer[400];
		as_node node = prof->sample.node.p[i];

		for (; node.i; node = prof->node.parent.p[node.i]) {
			struct as_pos pos = as_place_pos(prof, prof->node.place.p[node.i]);

			assert_true(pos.addr == 0x1000 + pos.line);
			snprintf(longer, sizeof(longer), "%.*s at %.*s:%u;%.300s",
				AS_SLICE_FMT(as_func_name(prof, pos.func)),
				AS_SLICE_FMT(as_file_path(prof, pos.file)), (unsigned)pos.line,
				own);
			memcpy(own, longer, sizeof(own));
		}
		sum += strcmp(own, text) == 0 ? prof->sample.cost.p[i] : 0;
	}
	return sum;
}

static void check(const struct as_profile *got, const struct stack *stack, uint64_t seed)
{
	char text[2][400];

	for (size_t i = 0; i < SAMPLES; i++) {
		as_val want = 0;

		oracle(text[0], sizeof(text[0]), &stack[i]);
		for (size_t k = 0; k < SAMPLES; k++) {
			oracle(text[1], sizeof(text[1]), &stack[k]);
			want += strcmp(text[0], text[1]) == 0 ? stack[k].cost : 0;
		}
		if (cost_of(got, text[0]) != want)
			fail_msg("seed %u: %s: %lld, not %lld", (unsigned)seed, text[0],
				(long long)cost_of(got, text[0]), (long long)want);
	}
}

/* Nothing is left but what samples go through: other rows would be of nothing. */
static void check_nodes(const struct as_profile *prof)
{
	bool *used = calloc(prof->node.parent.n + 1, 1);

	assert_non_null(used);
	for (size_t i = 0; i < prof->sample.node.n; i++)
		used[prof->sample.node.p[i].i] = true;
	for (size_t i = prof->node.parent.n; i-- > 1;) {
		assert_true(used[i]);
		used[prof->node.parent.p[i].i] = true;
	}
	free(used);
}

/* STACK, if not NULL, gets what it is made of. */
static struct as_profile *random_profile(uint64_t seed, struct stack *stack)
{
	struct as_build b;

	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < SAMPLES; i++) {
		struct stack one = random_stack(&seed);

		if (stack)
			stack[i] = one;
		add(&b, &one);
	}
	return as_test_end(&b);
}

static void test_frames_become_their_callers(void **state)
{
	size_t folded = 0;

	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct stack stack[SAMPLES];
		struct as_profile *got, *prof = random_profile(seed, stack);

		assert_int_equal(as_fold_inlined(prof, &got, NULL), AS_OK);
		assert_non_null(got);
		assert_false(as_has_inlined(got));
		assert_true(got->total[0] == prof->total[0]);
		check(got, stack, seed);
		check_nodes(got);
		folded += got->node.parent.n < prof->node.parent.n;
		as_profile_free(got);
		as_profile_free(prof);
	}
	assert_int_equal(folded, SEEDS);
}

static void test_what_has_none_stays(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct as_profile *got,
			*prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_JUMPS);

		assert_false(as_has_inlined(prof));
		assert_int_equal(as_fold_inlined(prof, &got, NULL), AS_OK);
		assert_null(got);
		as_profile_free(prof);
	}
}

static struct as_profile *copy(const struct as_profile *prof, struct fail_alloc *fa)
{
	struct as_merge_opts opts = {.keep_parts = true};
	struct as_profile *out;
	struct as_merge *m;

	assert_int_equal(as_merge_new(&fa->al, &opts, &m, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, prof, NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	return out;
}

static void test_folding_without_memory_fails_cleanly(void **state)
{
	struct as_profile *prof = random_profile(1, NULL), *in, *got;
	struct fail_alloc fa;
	enum as_code rc = AS_E_NOMEM;
	size_t used;

	(void)state;
	fail_alloc_init(&fa, 0);
	in = copy(prof, &fa);
	used = fa.held;
	for (uint64_t n = 0; rc != AS_OK; n++) {
		fail_alloc_after(&fa, n);
		rc = as_fold_inlined(in, &got, NULL);
		if (rc == AS_OK)
			as_profile_free(got);
		assert_true(rc == AS_OK ? n > 10 : rc == AS_E_NOMEM);
		assert_int_equal(fa.held, used);
	}
	fail_alloc_never(&fa);
	as_profile_free(in);
	as_profile_free(prof);
	assert_int_equal(fa.held, 0);
	assert_false(fa.wrong_size);
}

int fold_inlined_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_become_their_callers),
		cmocka_unit_test(test_what_has_none_stays),
		cmocka_unit_test(test_folding_without_memory_fails_cleanly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
