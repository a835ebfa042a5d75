/* SPDX-License-Identifier: Apache-2.0 */
/* Random stacks, for tests of what takes frames out of samples: stack by stack. */
#ifndef AS_TESTS_TEST_STACKS_H
#define AS_TESTS_TEST_STACKS_H

#include <stdio.h>

#include "lib/test_profiles.h"

enum { STACK_SEEDS = 500, STACK_DEPTH = 8, STACKS = 24, STACK_TEXT = 400 };

struct stack_frame {
	unsigned name, line;
	bool inlined;
};

struct stack {
	size_t n;
	struct stack_frame frame[STACK_DEPTH]; /* the root first */
	as_val cost;
};

static inline struct stack stack_random(uint64_t *state, unsigned names, unsigned lines)
{
	struct stack s = {.n = as_test_next(state, STACK_DEPTH), .cost = as_test_next(state, 100)};

	for (size_t k = 0; k < s.n; k++) {
		s.frame[k].name = (unsigned)as_test_next(state, names);
		s.frame[k].line = (unsigned)as_test_next(state, lines) + 1;
		s.frame[k].inlined = as_test_next(state, 2);
	}
	return s;
}

/* POS_OF says where a frame is. */
static inline void stack_add(struct as_build *b, const struct stack *s,
	struct as_pos (*pos_of)(struct as_build *b, const struct stack_frame *frame))
{
	as_node node = {0};
	as_place place;

	for (size_t k = 0; k < s->n; k++) {
		struct as_pos pos = pos_of(b, &s->frame[k]);

		assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(b, node, place, &node), AS_OK);
	}
	assert_int_equal(as_build_sample(b, 0, node, &s->cost), AS_OK);
}

/* How a test words stacks: those it wants, whole, and those of a profile, frame by frame. */
struct stack_words {
	void (*stack)(char *text, size_t size, const struct stack *s);
	void (*frame)(char *text, size_t size, const struct as_profile *prof, struct as_pos pos);
};

/* What PROF has on the stack TEXT. */
static inline as_val stack_cost(
	const struct as_profile *prof, const struct stack_words *words, const char *text)
{
	as_val sum = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		char own[STACK_TEXT] = "", frame[64], longer[STACK_TEXT];
		as_node node = prof->sample.node.p[i];

		for (; node.i; node = prof->node.parent.p[node.i]) {
			words->frame(frame, sizeof(frame), prof,
				as_place_pos(prof, prof->node.place.p[node.i]));
			snprintf(longer, sizeof(longer), "%s;%.300s", frame, own);
			memcpy(own, longer, sizeof(own));
		}
		sum += strcmp(own, text) == 0 ? prof->sample.cost.p[i] : 0;
	}
	return sum;
}

/* GOT has what the stacks WANT, and so many of them, cost together. */
static inline void stacks_check(const struct as_profile *got, const struct stack_words *words,
	const struct stack want[STACKS], uint64_t seed)
{
	char text[2][STACK_TEXT];

	for (size_t i = 0; i < STACKS; i++) {
		as_val sum = 0;

		words->stack(text[0], STACK_TEXT, &want[i]);
		for (size_t k = 0; k < STACKS; k++) {
			words->stack(text[1], STACK_TEXT, &want[k]);
			sum += strcmp(text[0], text[1]) == 0 ? want[k].cost : 0;
		}
		if (stack_cost(got, words, text[0]) != sum)
			fail_msg("seed %u: %s: %lld, not %lld", (unsigned)seed, text[0],
				(long long)stack_cost(got, words, text[0]), (long long)sum);
	}
}

#endif
