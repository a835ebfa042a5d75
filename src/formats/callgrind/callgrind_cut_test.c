/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function detail takes lines of the plain form by other code than full detail, and both hand on
 * what is not of that form. Texts of all forms, made at random with sums that are known, must give
 * the same at both.
 */
#include "formats/callgrind/callgrind_testing.h"

enum { ROUNDS = 400, LINES = 60, TEXT = 64 * 1024, EVENTS_MAX = 3 };

/* A text that is being made, and what it adds up to. */
struct made {
	char text[TEXT];
	size_t n;
	uint64_t seed;
	unsigned n_pos, n_events;
	as_val self[EVENTS_MAX], count, cost; /* of the calls: event 0 */
	unsigned bad;
};

static uint64_t draw(struct made *m, uint64_t below)
{
	m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (m->seed >> 33) % below;
}

static void put(struct made *m, const char *text)
{
	size_t len = strlen(text);

	assert_true(m->n + len < TEXT);
	memcpy(m->text + m->n, text, len + 1);
	m->n += len;
}

/* A number of 1 to 18 digits, mostly few. */
static uint64_t some_number(struct made *m)
{
	uint64_t v = 0, digits = draw(m, 8) ? 1 + draw(m, 5) : 1 + draw(m, 18);

	for (uint64_t i = 0; i < digits; i++)
		v = v * 10 + draw(m, 10);
	return v;
}

static void put_number(struct made *m, uint64_t v)
{
	char buf[32];

	if (draw(m, 40) == 0)
		snprintf(buf, sizeof(buf), "0x%" PRIx64, v);
	else if (draw(m, 40) == 0)
		snprintf(buf, sizeof(buf), "00%" PRIu64, v);
	else
		snprintf(buf, sizeof(buf), "%" PRIu64, v);
	put(m, buf);
}

static void put_blank(struct made *m)
{
	put(m, draw(m, 30) ? " " : draw(m, 2) ? "  " : "\t");
}

/* Nothing goes below zero: at function detail nobody would notice. */
static void put_positions(struct made *m)
{
	static const char *const sign[] = {"", "", "+", "+"};

	for (unsigned i = 0; i < m->n_pos; i++) {
		uint64_t which = draw(m, 8);

		if (i)
			put_blank(m);
		if (which < AS_ARRAY_LEN(sign)) {
			put(m, sign[which]);
			put_number(m, draw(m, 3000));
		} else {
			put(m, which == AS_ARRAY_LEN(sign) ? "-0" : "*");
		}
	}
}

static void end_line(struct made *m)
{
	if (draw(m, 30) == 0)
		put(m, " ");
	put(m, draw(m, 40) ? "\n" : "\r\n");
}

/* 0 to n_events costs; those of a sound line are added to SUM. */
static void put_costs(struct made *m, as_val *sum)
{
	uint64_t n = draw(m, m->n_events + 1), v;

	for (uint64_t k = 0; k < n; k++) {
		put_blank(m);
		v = some_number(m);
		put_number(m, v);
		sum[k] += v;
	}
}

static void put_call(struct made *m)
{
	as_val sum[EVENTS_MAX] = {0};
	uint64_t count = 1 + some_number(m);

	put(m, "cfn=(2)\ncalls=");
	put_number(m, count);
	put(m, " ");
	put_positions(m);
	put(m, draw(m, 4) ? " \n" : "\n");
	put_positions(m);
	put_costs(m, sum);
	end_line(m);
	m->count += count;
	m->cost += sum[0];
}

static void put_bad_line(struct made *m)
{
	static const char *const bad[] = {"+ 7\n", "12x 7\n", "+-3 7\n", "3 7x\n",
		"5 99999999999999999999\n", "- 4\n", "3 +7\n", "* x\n"};

	put(m, m->n_pos == 2 ? "* " : "");
	put(m, bad[draw(m, AS_ARRAY_LEN(bad))]);
	m->bad++;
}

static void make(struct made *m, uint64_t seed)
{
	static const char *const events[] = {"events: A\n", "events: A B\n", "events: A B C\n"};

	*m = (struct made){.seed = seed};
	m->n_pos = 1 + (unsigned)draw(m, 2);
	m->n_events = 1 + (unsigned)draw(m, EVENTS_MAX);
	put(m, "# callgrind format\nversion: 1\npositions: ");
	put(m, m->n_pos == 2 ? "instr line\n" : "line\n");
	put(m, events[m->n_events - 1]);
	put(m, "fl=(1) a.c\nfn=(2) callee\n1 ");
	put(m, m->n_pos == 2 ? "1 0\nfn=(1) f\n5 5 0\n" : "0\nfn=(1) f\n5 0\n");
	for (unsigned i = 0; i < LINES; i++) {
		uint64_t which = draw(m, 60);

		if (which == 0) {
			put_bad_line(m);
		} else if (which < 8) {
			put_call(m);
		} else {
			put_positions(m);
			put_costs(m, m->self);
			end_line(m);
		}
	}
}

static void compare(const struct made *m, enum as_detail detail)
{
	struct mem_read d;
	long long n, cost;

	open_doc(&d, m->text, m->n, detail, false);
	assert_int_equal(d.rc, AS_OK);
	for (unsigned k = 0; k < m->n_events; k++)
		assert_true(d.prof->total[k] == m->self[k]);
	calls_of(&d, find(&d, NULL, "f"), find(&d, NULL, "callee"), &n, &cost);
	assert_int_equal(n, (long long)m->count);
	assert_int_equal(cost, (long long)m->cost);
	assert_int_equal(d.prof->partial, m->bad != 0);
	mem_read_free(&d);
}

static void test_lines_of_all_forms_add_up_at_all_details(void **state)
{
	struct made *m = test_malloc(sizeof(*m));

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		make(m, seed * 7919);
		compare(m, AS_DETAIL_FUNC);
		compare(m, AS_DETAIL_FILE);
		compare(m, AS_DETAIL_LINE);
		compare(m, AS_DETAIL_FULL);
	}
	test_free(m);
	(void)state;
}

/* What stands right behind a line that can be cut, and its longest forms. */
static void test_lines_at_the_edge_of_what_is_cut(void **state)
{
	static const struct {
		const char *lines;
		long long sum;
	} t[] = {
		{"* 12345678\n", 12345678},
		{"* 123456789\n", 123456789},
		{"* 1\n\n* 2\n", 3},
		{"100000000000000 1\n+3 4\n", 5},
		{"1000000000000000000 1\n+3 4\n", 5},
		{"                                * 9\n* 1\n", 10},
		{"*                                9\n* 1\n", 10},
		{"* 7", 7},
		{"+1 7\n", 7},
		{"*\n* 3\n", 3},
	};
	char text[512];
	struct mem_read d;

	for (size_t i = 0; i < AS_ARRAY_LEN(t); i++)
		for (int detail = AS_DETAIL_FUNC; detail <= AS_DETAIL_FULL; detail++) {
			snprintf(text, sizeof(text), "events: A\nfn=f\n1 0\n%s", t[i].lines);
			open_doc(&d, text, strlen(text), (enum as_detail)detail, false);
			assert_int_equal(d.rc, AS_OK);
			assert_int_equal(total(&d, 0), t[i].sum);
			mem_read_free(&d);
		}
	(void)state;
}

/* What the code of FILE in the function F costs by event K. */
static long long cost_in(const struct mem_read *d, const char *file, uint32_t k)
{
	const struct as_rows *rows = &d->prof->self;
	struct as_rows_cur cur;
	as_val v[4], sum = 0;

	for (size_t i = 0; i < rows->run.n; i++) {
		if (!as_slice_is(as_file_path(d->prof, rows->run.p[i].file), file))
			continue;
		as_rows_begin(&cur, rows, &rows->run.p[i], v);
		while (as_rows_next(&cur))
			sum += v[k];
	}
	return (long long)sum;
}

/* Also where positions are relative to ones that are not followed, and lines are of all forms. */
static void test_costs_without_lines_are_those_of_their_files(void **state)
{
	static const char text[] =
		"events: A B\nfl=(1) a.c\nfn=(1) f\n9 1 10\n+1 2\n-3 3 20\nfi=(2) b.h\n"
		"* 100 7\n-9 1\ncfi=(2)\ncfn=(2) g\ncalls=2 -3\n-2 50 5\n+1 0x10  1\n1 "
		"-4\nfe=(1)\n5 40\n\n"
		"fl=(2)\nfn=(2)\n1 50 5\nfi=(1)\n+2 300\nfl=(1)\nfn=(1)\nfi=(2)\n-1 1000\n";
	uint64_t rows[] = {[AS_DETAIL_FILE] = 8, [AS_DETAIL_LINE] = 11, [AS_DETAIL_FULL] = 11};
	long long n, cost;
	struct mem_read d;

	(void)state;
	for (int detail = AS_DETAIL_FILE; detail <= AS_DETAIL_FULL; detail++) {
		open_doc(&d, text, strlen(text), (enum as_detail)detail, false);
		assert_int_equal(d.rc, AS_OK);
		assert_int_equal(cost_in(&d, "a.c", 0), 1 + 2 + 3 + 40 + 300);
		assert_int_equal(cost_in(&d, "a.c", 1), 10 + 20);
		assert_int_equal(cost_in(&d, "b.h", 0), 100 + 1 + 16 - 4 + 50 + 1000);
		assert_int_equal(cost_in(&d, "b.h", 1), 7 + 1 + 5);
		assert_int_equal(total(&d, 0), 346 + 1163);
		assert_int_equal(d.prof->self.n, rows[detail]);
		calls_of(&d, find(&d, NULL, "f"), find(&d, NULL, "g"), &n, &cost);
		assert_int_equal(n, 2);
		assert_int_equal(cost, 50);
		mem_read_free(&d);
	}
}

static void test_calls_before_the_events_are_no_calls_at_any_detail(void **state)
{
	static const char text[] = "cfn=(3) g\nfn=(3)\ncalls=3 42\n20\n\nevents: A\nfn=(3)\n1 7\n";
	long long n, cost;
	struct mem_read d;

	for (int detail = AS_DETAIL_FUNC; detail <= AS_DETAIL_FULL; detail++) {
		open_doc(&d, text, strlen(text), (enum as_detail)detail, false);
		assert_int_equal(d.rc, AS_OK);
		calls_of(&d, find(&d, NULL, "g"), find(&d, NULL, "g"), &n, &cost);
		assert_int_equal(n, 0);
		assert_int_equal(total(&d, 0), 7);
		expect_finding(&d, AS_F_CG_COST_BEFORE_EVENTS, 4);
		mem_read_free(&d);
	}
	(void)state;
}

int callgrind_cut_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_all_forms_add_up_at_all_details),
		cmocka_unit_test(test_lines_at_the_edge_of_what_is_cut),
		cmocka_unit_test(test_costs_without_lines_are_those_of_their_files),
		cmocka_unit_test(test_calls_before_the_events_are_no_calls_at_any_detail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
