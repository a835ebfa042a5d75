/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks have what the paths of the same file have, whoever's they are. */
#include "formats/perfdata/perfdata_testing.h"

int perfdata_stacks_tests(void);

enum { ROWS = 64, TEXT = 256, EVENTS = 4, DEEP = 16 };

/* What each path costs, by its text. */
struct costs {
	struct {
		char text[TEXT];
		as_val cost[EVENTS];
	} row[ROWS];
	size_t n;
};

static as_val *cost_of(struct costs *c, const char *text)
{
	size_t i = 0;

	while (i < c->n && strcmp(c->row[i].text, text) != 0)
		i++;
	assert_true(i < ROWS && strlen(text) < TEXT);
	if (i == c->n)
		memcpy(c->row[c->n++].text, text, strlen(text) + 1);
	return c->row[i].cost;
}

static size_t put_place(char *text, const struct as_profile *prof, as_place place)
{
	struct as_pos pos = as_place_pos(prof, place);

	return (size_t)snprintf(text, TEXT / 4, "/%.*s+%" PRIx64,
		AS_SLICE_FMT(as_object_path(prof, prof->func.object.p[pos.func.i])), pos.addr);
}

static void costs_of_paths(struct costs *c, const struct as_profile *prof)
{
	size_t e = prof->event.n;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_place place[DEEP];
		char text[TEXT] = "";
		size_t n = 0, len = 0;

		for (as_node at = prof->sample.node.p[i]; at.i; at = prof->node.parent.p[at.i])
			place[n++] = prof->node.place.p[at.i];
		while (n)
			len += put_place(text + len, prof, place[--n]);
		as_vals_add(cost_of(c, text), prof->sample.cost.p + i * e, e);
	}
}

static void costs_of_stacks(struct costs *c, const struct as_profile *prof)
{
	struct as_stacks_cur cur;
	as_place place[DEEP];

	assert_true(prof->stacks.deepest <= AS_ARRAY_LEN(place));
	as_stacks_begin(&cur, &prof->stacks, place);
	while (as_stacks_next(&cur)) {
		const struct as_stack_kind *kind = &prof->stacks.kind.p[cur.kind];
		char text[TEXT] = "";
		size_t n = 0;

		for (uint32_t i = cur.n; i-- > 0;)
			n += put_place(text + n, prof, place[i]);
		cost_of(c, text)[kind->times] += (as_val)cur.times;
		if (kind->value != AS_STACK_NO_EVENT)
			cost_of(c, text)[kind->value] += (as_val)cur.value;
	}
}

static void assert_alike(const struct file *f)
{
	static struct costs paths, stacks;
	struct mem_how how = {.fmt = &as_format_perfdata, .sums = true};
	struct mem_read a, b;

	memset(&paths, 0, sizeof(paths));
	memset(&stacks, 0, sizeof(stacks));
	mem_read(&a, &how, (struct as_slice){f->p, f->n});
	how.stacks = true;
	mem_read(&b, &how, (struct as_slice){f->p, f->n});
	assert_int_equal(a.rc, AS_OK);
	assert_int_equal(b.rc, AS_OK);
	assert_true(a.prof->sample.node.n && !a.prof->stacks.n && a.prof->event.n <= EVENTS);
	assert_true(b.prof->stacks.n && !b.prof->sample.node.n);
	costs_of_paths(&paths, a.prof);
	costs_of_stacks(&stacks, b.prof);
	assert_int_equal(paths.n, stacks.n);
	for (size_t i = 0; i < paths.n; i++)
		assert_memory_equal(cost_of(&stacks, paths.row[i].text), paths.row[i].cost,
			sizeof(paths.row[i].cost));
	assert_int_equal(paths.n, stacks.n);
	for (uint32_t k = 0; k < a.prof->event.n; k++)
		assert_true(a.prof->total[k] == b.prof->total[k]);
	assert_int_equal(a.prof->part.n, b.prof->part.n);
	assert_int_equal(a.prof->map.n, b.prof->map.n);
	assert_int_equal(a.prof->moments.left, b.prof->moments.left);
	mem_read_free(&a);
	mem_read_free(&b);
}

/* Of the same code in two processes there is one stack. */
static void test_stacks_are_the_paths_of_all_parts(void **state)
{
	static struct file f;

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		begin_pipe(&f, &clock_event, 1, swap);
		for (uint32_t pid = 7; pid < 9; pid++) {
			put_comm(&f, pid, 1, "x", true);
			put_mmap(&f, pid, 2, 0x1000, "/bin/x");
		}
		for (uint64_t i = 0; i < 60; i++) {
			struct sample s = user(7 + i % 2, 10 + i, 0x1100 + i % 3);

			s.chain[2] = 0x1200 + i % 5;
			s.chain[3] = i % 4 ? 0x9000 : 0x1300; /* in nothing that is known */
			s.chain[4] = 0x9100;
			s.n = 3 + i % 3;
			put_sample(&f, &s);
		}
		assert_alike(&f);
	}
}

static void test_events_of_a_stack_are_told_apart(void **state)
{
	const struct event ev[] = {
		clock_event, {.type = 1, .config = 2, .freq = true, .sample_type = USUAL}};
	static struct file f;

	(void)state;
	begin_pipe(&f, ev, 2, false);
	put_mmap(&f, 7, 2, 0x1000, "/bin/x");
	for (uint64_t i = 0; i < 20; i++) {
		struct sample s = user(7, 10 + i, 0x1100 + i % 2);

		s.id = 100 * (1 + i / 2 % 2);
		s.period = UINT64_MAX - i; /* more than one row holds */
		put_sample(&f, &s);
	}
	assert_alike(&f);
}

/* Moments are of nodes. */
static void test_who_asks_for_moments_gets_paths(void **state)
{
	struct mem_how how = {
		.fmt = &as_format_perfdata, .sums = true, .stacks = true, .moments = true};
	static struct file f;
	struct mem_read r;
	struct sample s = user(7, 10, 0x1100);

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	put_sample(&f, &s);
	mem_read(&r, &how, (struct as_slice){f.p, f.n});
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->sample.node.n == 1 && !r.prof->stacks.n && r.prof->moments.n == 2);
	mem_read_free(&r);
}

int perfdata_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_are_the_paths_of_all_parts),
		cmocka_unit_test(test_events_of_a_stack_are_told_apart),
		cmocka_unit_test(test_who_asks_for_moments_gets_paths),
	};

	return cmocka_run_group_tests_name("perfdata_stacks", tests, NULL, NULL);
}
