/* SPDX-License-Identifier: Apache-2.0 */
/* drop_frames, against pprof's words about locations and their lines. */
#include "change/filter/frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_stacks.h"

enum { NAMES = 6 };

static const char *const names[NAMES] = {"work", "main", ".drop(int)", "drop", "malloc", ""};

static bool match(const void *ctx, struct as_slice name)
{
	(void)ctx;
	return as_slice_is(name, "drop") || as_slice_is(name, "malloc");
}

static bool is_dropped(const char *name)
{
	return strstr(name, "drop") || strcmp(name, "malloc") == 0;
}

static struct stack random_stack(uint64_t *state)
{
	struct stack s = stack_random(state, NAMES, 1);

	for (unsigned k = 0; k < s.n; k++)
		s.frame[k].line = k + 1; /* so that a frame is told from others of its name */
	s.frame[0].inlined = false;
	return s;
}

static struct as_pos pos_of(struct as_build *b, const struct stack_frame *frame)
{
	return (struct as_pos){.func = as_test_func(b, names[frame->name], "/bin/a", "a.c"),
		.line = frame->line,
		.inlined = frame->inlined};
}

/* The last frame but one of the location that begins at FIRST, and of it the first that matches. */
static size_t location(const struct stack *s, size_t first, size_t *matched)
{
	size_t end = first + 1;

	while (end < s->n && s->frame[end].inlined)
		end++;
	for (*matched = first; *matched < end; ++*matched)
		if (is_dropped(names[s->frame[*matched].name]))
			break;
	return end;
}

/* Location by location from the root: one of which the first line matches ends the stack before
 * it, one of which another does after it and loses its lines from there in any case; but nothing
 * ends before there was one of which none matches. */
static struct stack oracle(const struct stack *s)
{
	struct stack out = {.cost = s->cost};
	bool user = false;
	size_t matched, end;

	for (size_t at = 0; at < s->n; at = end) {
		end = location(s, at, &matched);
		if (matched == at && user)
			break;
		for (size_t k = at; k < (matched > at ? matched : end); k++)
			out.frame[out.n++] = s->frame[k];
		if (matched > at && matched < end && user)
			break;
		user |= matched == end;
	}
	return out;
}

static void text_of(char *text, size_t size, const struct stack *s)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t k = 0; k < s->n; k++)
		n += (size_t)snprintf(text + n, size - n, "%s%s;", s->frame[k].inlined ? "^" : "",
			names[s->frame[k].name]);
}

static void frame_text(char *text, size_t size, const struct as_profile *prof, struct as_pos pos)
{
	snprintf(text, size, "%s%.*s", pos.inlined ? "^" : "",
		AS_SLICE_FMT(as_func_name(prof, pos.func)));
}

static void test_frames_go_as_pprof_drops_them(void **state)
{
	static const struct stack_words words = {text_of, frame_text};
	const struct as_drop how = {match, NULL};
	size_t shorter = 0, longer = 0;

	(void)state;
	for (uint64_t seed = 0; seed < STACK_SEEDS; seed++) {
		struct stack stack[STACKS], left[STACKS];
		struct as_profile *prof, *got;
		uint64_t random = seed;
		struct as_build b;

		as_test_begin(&b, "Ir");
		for (size_t i = 0; i < STACKS; i++) {
			stack[i] = random_stack(&random);
			left[i] = oracle(&stack[i]);
			shorter += left[i].n < stack[i].n;
			longer += left[i].n > 2;
			stack_add(&b, &stack[i], pos_of);
		}
		prof = as_test_end(&b);
		assert_int_equal(as_drop_frames(prof, &how, &got, NULL), AS_OK);
		assert_non_null(got);
		assert_true(got->total[0] == prof->total[0]);
		stacks_check(got, &words, left, seed);
		as_profile_free(got);
		as_profile_free(prof);
	}
	assert_true(shorter > STACK_SEEDS && longer > STACK_SEEDS); /* it is a test of both */
}

static bool match_all(const void *ctx, struct as_slice name)
{
	(void)ctx;
	return name.len > 0;
}

static void test_rows_and_calls_stay(void **state)
{
	const struct as_drop how = {match_all, NULL}, none = {match, NULL};

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct as_profile *got,
			*prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_JUMPS |
							     AS_TEST_FACTS | AS_TEST_NAMED);
		char *a = as_test_dump(prof), *b;

		assert_int_equal(as_drop_frames(prof, &none, &got, NULL), AS_OK);
		assert_null(got);
		assert_int_equal(as_drop_frames(prof, &how, &got, NULL), AS_OK);
		b = as_test_dump(got);
		assert_string_equal(a, b);
		free(a);
		free(b);
		as_profile_free(got);
		as_profile_free(prof);
	}
}

int drop_frames_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_go_as_pprof_drops_them),
		cmocka_unit_test(test_rows_and_calls_stay),
	};

	return cmocka_run_group_tests_name("drop_frames", tests, NULL, NULL);
}
