/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined frames into their callers, against stacks that are folded one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/fail_alloc.h"
#include "lib/test_stacks.h"

enum { NAMES = 4, LINES = 3 };

/* The file of a line is that of the function whose code it was. */
static struct as_pos pos_of(struct as_build *b, const struct stack_frame *frame)
{
	char name[] = {(char)('a' + frame->name), 0}, file[] = {name[0], '.', 'c', 0};
	struct as_pos pos = {.func = as_test_func(b, name, "/bin/x", file),
		.line = frame->line,
		.addr = 0x1000 + frame->line,
		.inlined = frame->inlined};

	pos.file = b->prof->func.file.p[pos.func.i];
	return pos;
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

static void frame_text(char *text, size_t size, const struct as_profile *prof, struct as_pos pos)
{
	assert_true(pos.addr == 0x1000 + pos.line);
	snprintf(text, size, "%.*s at %.*s:%u", AS_SLICE_FMT(as_func_name(prof, pos.func)),
		AS_SLICE_FMT(as_file_path(prof, pos.file)), (unsigned)pos.line);
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
	for (size_t i = 0; i < STACKS; i++) {
		struct stack one = stack_random(&seed, NAMES, LINES);

		if (stack)
			stack[i] = one;
		stack_add(&b, &one, pos_of);
	}
	return as_test_end(&b);
}

static void test_frames_become_their_callers(void **state)
{
	static const struct stack_words words = {oracle, frame_text};
	size_t folded = 0;

	(void)state;
	for (uint64_t seed = 0; seed < STACK_SEEDS; seed++) {
		struct stack stack[STACKS];
		struct as_profile *got, *prof = random_profile(seed, stack);

		assert_int_equal(as_fold_inlined(prof, &got, NULL), AS_OK);
		assert_non_null(got);
		assert_false(as_has_inlined(got));
		assert_true(got->total[0] == prof->total[0]);
		stacks_check(got, &words, stack, seed);
		check_nodes(got);
		folded += got->node.parent.n < prof->node.parent.n;
		as_profile_free(got);
		as_profile_free(prof);
	}
	assert_int_equal(folded, STACK_SEEDS);
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
