/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the plain form are taken many at a time, and what is not of that form is handed on.
 * Texts of all forms, made at random with sums that are known, must give the same at all details,
 * and the same as when no line of theirs is plain.
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

/* The same with a blank at the end of each cost line: none is plain. */
static void make_odd(struct made *odd, const struct made *m)
{
	const char *p = m->text;

	odd->n = 0;
	while (*p) {
		size_t len = strcspn(p, "\r\n"), end = len + strspn(p + len, "\r\n");
		bool cost = as_cg_starts_cost(*p);

		assert_true(odd->n + end + 1 < TEXT);
		memcpy(odd->text + odd->n, p, len);
		odd->n += len;
		if (cost)
			odd->text[odd->n++] = ' ';
		memcpy(odd->text + odd->n, p + len, end - len);
		odd->n += end - len;
		p += end;
	}
}

static void expect_same_findings(const struct mem_read *a, const struct mem_read *b)
{
	assert_int_equal(a->findings.row.n, b->findings.row.n);
	for (size_t i = 0; i < a->findings.row.n; i++) {
		assert_int_equal(a->findings.row.p[i].id, b->findings.row.p[i].id);
		assert_int_equal(a->findings.row.p[i].line, b->findings.row.p[i].line);
	}
}

static void compare_ways(const struct made *m, const struct made *odd, enum as_detail detail)
{
	struct mem_read d, e;
	char *one, *two;

	open_doc(&d, m->text, m->n, detail, false);
	open_doc(&e, odd->text, odd->n, detail, false);
	assert_int_equal(d.rc, e.rc);
	expect_same_findings(&d, &e);
	one = written(d.prof, NULL, 0);
	two = written(e.prof, NULL, 0);
	assert_string_equal(one, two);
	test_free(one);
	test_free(two);
	mem_read_free(&d);
	mem_read_free(&e);
}

static void test_plain_lines_are_read_as_the_same_lines_that_are_not_plain(void **state)
{
	struct made *m = test_malloc(sizeof(*m)), *odd = test_malloc(sizeof(*odd));

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		make(m, seed * 104729);
		make_odd(odd, m);
		compare_ways(m, odd, AS_DETAIL_FUNC);
		compare_ways(m, odd, AS_DETAIL_LINE);
		compare_ways(m, odd, AS_DETAIL_FULL);
	}
	test_free(m);
	test_free(odd);
	(void)state;
}

/* A window ends behind any line of a call, and part of the next line stands behind it. */
static void test_calls_are_whole_wherever_a_window_ends(void **state)
{
	enum { SIZE = 1 << 20, LONGEST = 64 };
	static const struct mem_how how = {.fmt = &as_format_callgrind, .detail = AS_DETAIL_FUNC};
	char *text = test_malloc(SIZE);
	long long n = 0, cost = 0, got_n, got_cost;
	struct as_src_mem mem;
	struct mem_read d;
	size_t len;

	(void)state;
	len = (size_t)snprintf(text, SIZE, "events: A\nfn=(2) g\n1 1\nfn=(1) f\n1 1\n");
	for (; len + LONGEST < SIZE; n++, cost += n % 1000)
		len += (size_t)snprintf(text + len, SIZE - len, "cfn=(2)\ncalls=1 %lld \n* %lld\n",
			n % 101 * 99, (n + 1) % 1000);
	as_src_mem_init(&mem, (struct as_slice){text, len}, "test");
	mem.src.size = 1; /* the smallest windows */
	mem_read_src(&d, &how, &mem.src);
	assert_int_equal(d.rc, AS_OK);
	expect_clean(&d);
	calls_of(&d, find(&d, NULL, "f"), find(&d, NULL, "g"), &got_n, &got_cost);
	assert_int_equal(got_n, n);
	assert_int_equal(got_cost, cost);
	mem_read_free(&d);
	test_free(text);
}

/* Is the line at P plain? One byte after the other. Past it, or NULL. */
static const char *plain_line(const char *p, unsigned n_pos)
{
	static const char digits[] = "0123456789";

	for (unsigned i = 0;; i++) {
		size_t n;

		if (i < n_pos && *p == '*') {
			p++;
		} else if (i < n_pos && *p >= '0' && *p <= '9' && (p[1] & 0x40)) {
			while ((*p >= '0' && *p <= '9') || (*p & 0x40))
				p++;
		} else {
			p += i < n_pos && (*p == '+' || *p == '-');
			n = strspn(p, digits);
			if (!n)
				return NULL;
			p += n;
		}
		if (*p == '\n')
			return i + 1 < n_pos ? NULL : p + 1;
		if (*p++ != ' ')
			return NULL;
	}
}

/* Whatever 64 bytes are, on this machine and on any. */
static void test_bytes_are_cut_where_their_numbers_end(void **state)
{
	static const char some[] = "0123456789012345   \n\n**++--,./:0x1fA@\t\r)\x80\xff";
	struct made *m = test_malloc(sizeof(*m));
	as_cg_cut_fn *fast = as_cg_cut_fast();

	*m = (struct made){.seed = 1};
	for (unsigned round = 0; round < 40000; round++) {
		char text[CG_CUT + 1] = {0};
		unsigned n_pos = 1 + (unsigned)draw(m, 3), few = (unsigned)draw(m, 2);
		uint64_t ends = 0, feeds = 0;
		const char *p = text, *next;
		struct cg_cut a, b;

		for (unsigned i = 0; i < CG_CUT; i++)
			text[i] = some[draw(m, few ? 24 : sizeof(some) - 1)];
		for (unsigned i = 0; few && i + 2 < CG_CUT; i += 2 + (unsigned)draw(m, 3))
			memcpy(text + i, draw(m, 4) ? "1 " : "7\n", 2);
		for (; (next = plain_line(p, n_pos)); p = next) {
			feeds |= UINT64_C(1) << (next - 1 - text);
			for (; p < next; p++)
				if (*p == ' ' || *p == '\n')
					ends |= UINT64_C(1) << (p - text);
		}
		a = as_cg_cut(text, n_pos);
		b = fast(text, n_pos);
		assert_true(a.feeds == feeds && b.feeds == feeds);
		/* There may be ends of numbers of a line that is not plain, or not whole. */
		assert_true((a.ends & ((UINT64_C(1) << (p - text) % 64) - 1)) == ends ||
			    p == text + CG_CUT);
		assert_true(a.ends == b.ends);
#ifdef __x86_64__
		b = as_cg_cut_sse2(text, n_pos);
		assert_true(a.ends == b.ends && a.feeds == b.feeds && a.at == b.at);
#endif
	}
	test_free(m);
	(void)state;
}

/* The lines up to END have no more than a position and a count, both short and decimal: their
 * counts, one digit after the other. */
static bool short_lines(const char *p, const char *end, uint64_t *sum)
{
	*sum = 0;
	while (p < end) {
		size_t pos = strcspn(p, " \n"), n = 0;
		uint64_t v = 0;

		if (pos > 15 || memchr(p, 'x', pos))
			return false;
		p += pos;
		if (*p == ' ')
			for (p++; p[n] >= '0' && p[n] <= '9'; n++)
				v = v * 10 + (uint64_t)(p[n] - '0');
		if (n > 9 || p[n] != '\n')
			return false;
		p += n + 1;
		*sum += v;
	}
	return true;
}

static void test_counts_of_many_lines_are_added_up_at_once(void **state)
{
	static const char *const position[] = {"*", "+1", "-20", "7", "123456", "0x1f", "+3"};
	struct made *m = test_malloc(sizeof(*m));
	as_cg_sum_fn *add = as_cg_sum_fast();
	unsigned n_added = 0, n_left = 0;

	if (!add)
		skip(); /* n/a: this machine adds one line after the other */
	*m = (struct made){.seed = 3};
	for (unsigned round = 0; round < 20000; round++) {
		struct cg_cut cut, before;
		uint64_t sum = 5, want;
		uint32_t n, lines = 0;

		m->n = 0;
		while (m->n < CG_CUT) {
			put(m, position[draw(m, draw(m, 20) ? 5 : AS_ARRAY_LEN(position))]);
			for (uint64_t k = draw(m, 30) ? 1 : draw(m, 3); k; k--) {
				put(m, " ");
				put_number(m, draw(m, 60) ? draw(m, 300) : some_number(m));
			}
			put(m, "\n");
		}
		memset(m->text + m->n, 0, CG_CUT);
		before = cut = as_cg_cut(m->text, 1);
		for (uint64_t f = cut.feeds; f; f &= f - 1)
			lines++;
		n = add(m->text, &cut, &sum);
		if (lines && short_lines(m->text, m->text + CG_CUT - __builtin_clzll(before.feeds),
				     &want)) {
			assert_int_equal(n, lines);
			assert_int_equal(sum, 5 + want);
			assert_int_equal(cut.at, CG_CUT - __builtin_clzll(before.feeds));
			assert_int_equal(cut.feeds, 0);
			n_added++;
		} else {
			assert_int_equal(n, 0);
			assert_int_equal(sum, 5);
			assert_memory_equal(&cut, &before, sizeof(cut));
			n_left++;
		}
	}
	assert_true(n_added > 1000 && n_left > 1000);
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
		{"*                                                              1\n* 1\n", 2},
		{"* 0000000000000000000000000000000000000000000000000000000000001\n* 1\n", 2},
		{"* 000000000000000000000000000000000000000000000000000000000001\n* 1\n", 2},
		{"* 1\n* 2\n* 3\n* 4\n* 5\n* 6\n* 7\n* 8\n* 9\n* 10\n* 11\n* 12\n* 13\n* 1 1\n* "
		 "14\n",
			106},
		{"0x10 7\n+0x2 1\n", 8},
		{"0xffffffffffffffff 7\n0xFfffffffffffffff0 1\n+1 2\n", 10},
		{"1 1\n0x1x 70\n1x1 70\n0x 70\n1f 70\n3 1\n", 2},
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
		cmocka_unit_test(test_plain_lines_are_read_as_the_same_lines_that_are_not_plain),
		cmocka_unit_test(test_calls_are_whole_wherever_a_window_ends),
		cmocka_unit_test(test_bytes_are_cut_where_their_numbers_end),
		cmocka_unit_test(test_counts_of_many_lines_are_added_up_at_once),
		cmocka_unit_test(test_lines_at_the_edge_of_what_is_cut),
		cmocka_unit_test(test_costs_without_lines_are_those_of_their_files),
		cmocka_unit_test(test_calls_before_the_events_are_no_calls_at_any_detail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
