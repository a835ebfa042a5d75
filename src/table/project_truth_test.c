/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Projections of random profiles against the definition, done the slow way: rows are named by
 * text, everything is a square matrix, cycles are mutual reachability, and a path is looked at
 * frame by frame. Nothing here is shared with the projection but the profile.
 */
#include "table/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { ROWS = 132, EVENTS = 3, PARTS = 3, NAME = 200, DEPTH = 16 };

/* Both may be of any integer type. */
#define add(sum, v)                                    \
	do {                                           \
		for (int k_ = 0; k_ < EVENTS; k_++)    \
			(sum)[k_] += (int64_t)(v)[k_]; \
	} while (0)

struct truth {
	const struct as_profile *prof;
	struct as_project_opts opts;
	int n;
	char name[ROWS][NAME];
	char func[ROWS][NAME];
	int64_t self[ROWS][EVENTS], incl[ROWS][EVENTS], called[ROWS];
	int64_t part_self[PARTS][ROWS][EVENTS];
	int64_t cost[PARTS][ROWS][ROWS][EVENTS], count[PARTS][ROWS][ROWS];
	bool edge[PARTS][ROWS][ROWS]; /* by a call, or by inlining */
	bool path_edge[ROWS][ROWS];
	int64_t edge_cost[ROWS][ROWS][EVENTS], edge_count[ROWS][ROWS];
	bool reach[ROWS][ROWS];
	bool unknown[ROWS], calls_unknown[ROWS];
	bool func_reach[ROWS][ROWS]; /* between entries of func_name */
	int n_funcs;
	char func_name[ROWS][NAME];
};

/* The generator writes no quotes but those of contexts. */
static int folded_len(const struct truth *t, struct as_slice name)
{
	bool on = as_slice_is(as_str_get(t->prof, t->prof->format), "callgrind");

	return (int)(on && !t->opts.keep_contexts ? as_slice_find(name, '\'') : name.len);
}

/* The function's identity. A nameless one is its address. */
static void func_text(const struct truth *t, as_func f, char *out)
{
	const struct as_profile *prof = t->prof;
	struct as_slice name = as_func_name(prof, f);
	struct as_slice object = as_object_path(prof, prof->func.object.p[f.i]);
	struct as_slice file = as_file_path(prof, prof->func.file.p[f.i]);

	snprintf(out, NAME / 2, "%.*s|%.*s|%.*s|%u", folded_len(t, name), name.p ? name.p : "",
		AS_SLICE_FMT(object), AS_SLICE_FMT(file), (unsigned)prof->func.addr.p[f.i]);
}

static void row_text(const struct truth *t, const struct as_pos *pos, char *out)
{
	const struct as_profile *prof = t->prof;
	struct as_slice path = as_file_path(prof, pos->file);
	struct as_slice object = as_object_path(prof, prof->func.object.p[pos->func.i]);
	uint64_t addr = pos->addr ? pos->addr : prof->func.addr.p[pos->func.i];
	bool object_code =
		!as_func_name(prof, pos->func).len && !prof->func.addr.p[pos->func.i] && object.len;
	char func[NAME];

	func_text(t, pos->func, func);
	switch (t->opts.by) {
	case AS_BY_FUNC:
		snprintf(out, NAME, "%.90s %u", func, object_code ? (unsigned)pos->addr : 0);
		break;
	case AS_BY_FILE:
		snprintf(out, NAME, "%.*s", AS_SLICE_FMT(path));
		break;
	case AS_BY_OBJECT:
		snprintf(out, NAME, "%.*s", AS_SLICE_FMT(object));
		break;
	case AS_BY_LINE:
		snprintf(out, NAME, "%.90s %.*s:%u", func, AS_SLICE_FMT(path), (unsigned)pos->line);
		break;
	case AS_BY_FILEFUNC:
		snprintf(out, NAME, "%.90s %.*s %u", func, AS_SLICE_FMT(path),
			object_code ? (unsigned)pos->addr : 0);
		break;
	case AS_BY_ADDR:
		if (addr)
			snprintf(out, NAME, "%.*s+%u", AS_SLICE_FMT(object), (unsigned)addr);
		else
			snprintf(out, NAME, "%.90s", func);
		break;
	}
}

static int find(char name[ROWS][NAME], int *n, const char *text)
{
	int r;

	for (r = 0; r < *n; r++)
		if (strcmp(name[r], text) == 0)
			return r;
	assert_true(r < ROWS);
	snprintf(name[(*n)++], NAME, "%s", text);
	return r;
}

static int row(struct truth *t, const struct as_pos *pos)
{
	char text[NAME];

	row_text(t, pos, text);
	return find(t->name, &t->n, text);
}

static int func(struct truth *t, as_func f)
{
	char text[NAME];

	func_text(t, f, text);
	return find(t->func_name, &t->n_funcs, text);
}

/* By file, with calls: the file of the function, which calls the one inlined from. */
static int home_row(struct truth *t, const struct as_pos *pos, int here)
{
	struct as_pos home = {.func = pos->func, .file = t->prof->func.file.p[pos->func.i]};

	if (t->opts.by != AS_BY_FILE || !t->prof->call.n)
		return here;
	return row(t, &home);
}

static void count_self(struct truth *t, uint32_t part, const struct as_pos *pos, const as_val *v)
{
	int r = row(t, pos), home = home_row(t, pos, r);

	add(t->self[r], v);
	add(t->part_self[part][r], v);
	if (home != r) {
		t->edge[part][home][r] = true;
		add(t->cost[part][home][r], v);
	}
}

static void count_call(struct truth *t, uint32_t part, const struct as_pos *pos, const as_val *v)
{
	struct as_pos to = {.func = {(uint32_t)v[AS_CALL_FUNC]},
		.file = t->prof->func.file.p[(uint32_t)v[AS_CALL_FUNC]],
		.line = (uint64_t)v[AS_CALL_LINE],
		.addr = (uint64_t)v[AS_CALL_ADDR]};
	bool place = as_by_is_site(t->opts.by);
	int r = row(t, pos), home = home_row(t, pos, r), callee;

	if (home != r) {
		t->edge[part][home][r] = true;
		add(t->cost[part][home][r], v + AS_CALL_COST);
	}
	t->func_reach[func(t, pos->func)][func(t, to.func)] = true;
	callee = place && !t->opts.want_edges ? 0 : row(t, &to);
	t->edge[part][r][callee] = true;
	add(t->cost[part][r][callee], v + AS_CALL_COST);
	t->count[part][r][callee] += (int64_t)v[AS_CALL_COUNT];
}

static void each_row(struct truth *t, const struct as_rows *rows,
	void (*fn)(struct truth *t, uint32_t part, const struct as_pos *pos, const as_val *v))
{
	as_val v[AS_CALL_COST + EVENTS];
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		const struct as_run *run = &rows->run.p[i];

		as_rows_begin(&cur, rows, run, v);
		while (as_rows_next(&cur)) {
			struct as_pos pos = {run->func, run->file, cur.line, cur.addr, false};

			fn(t, run->part, &pos, v);
		}
	}
}

static void close_over(bool reach[ROWS][ROWS], int n)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				reach[i][j] |= reach[i][k] && reach[k][j];
}

static bool same_cycle(bool reach[ROWS][ROWS], int a, int b)
{
	return a == b || (reach[a][b] && reach[b][a]);
}

static bool in_cycle(const struct truth *t, int r)
{
	for (int j = 0; j < t->n; j++)
		if (j != r && t->reach[r][j] && t->reach[j][r])
			return true;
	return false;
}

static void incl_of_func(struct truth *t, int r)
{
	if (in_cycle(t, r)) {
		add(t->incl[r], t->self[r]);
		for (int p = 0; p < PARTS; p++)
			for (int j = 0; j < t->n; j++)
				if (!same_cycle(t->reach, r, j))
					add(t->incl[r], t->cost[p][r][j]);
		return;
	}
	for (int p = 0; p < PARTS; p++) {
		int64_t in[EVENTS] = {0}, out[EVENTS] = {0};
		bool others = false;

		for (int j = 0; j < t->n; j++) {
			others |= j != r && t->edge[p][j][r];
			if (j != r)
				add(in, t->cost[p][j][r]);
			if (j != r)
				add(out, t->cost[p][r][j]);
		}
		add(out, t->part_self[p][r]);
		for (int k = 0; k < EVENTS; k++)
			t->incl[r][k] += others && in[k] > out[k] ? in[k] : out[k];
	}
}

static void incl_of_group(struct truth *t, int r)
{
	t->unknown[r] = in_cycle(t, r);
	add(t->incl[r], t->self[r]);
	for (int p = 0; p < PARTS; p++)
		for (int j = 0; j < t->n; j++)
			if (j != r)
				add(t->incl[r], t->cost[p][r][j]);
}

static void add_line_call(struct truth *t, uint32_t part, const struct as_pos *pos, const as_val *v)
{
	as_func callee = {(uint32_t)v[AS_CALL_FUNC]};
	int a = func(t, pos->func), b = func(t, callee);
	const as_object *object = t->prof->func.object.p;

	(void)part;
	/* inlined: the call and its cost are the same code */
	if (t->opts.by == AS_BY_ADDR && pos->addr && v[AS_CALL_ADDR] == (as_val)pos->addr &&
		object[callee.i].i == object[pos->func.i].i)
		return;
	if (t->opts.no_cycles ? a != b : !same_cycle(t->func_reach, a, b))
		add(t->incl[row(t, pos)], v + AS_CALL_COST);
}

static void sum_calls(struct truth *t)
{
	bool group = t->opts.by == AS_BY_FILE || t->opts.by == AS_BY_OBJECT;
	bool place = as_by_is_site(t->opts.by);

	for (int p = 0; p < PARTS; p++)
		for (int i = 0; i < t->n; i++)
			for (int j = 0; j < t->n; j++) {
				t->reach[i][j] |= !t->opts.no_cycles && t->edge[p][i][j];
				t->edge_count[i][j] += t->count[p][i][j];
				add(t->edge_cost[i][j], t->cost[p][i][j]);
				if (!group || i != j)
					t->called[j] += t->count[p][i][j];
				t->calls_unknown[j] |= i != j && t->edge[p][i][j];
			}
	close_over(t->reach, t->n);
	close_over(t->func_reach, t->n_funcs);
	for (int r = 0; r < t->n; r++) {
		t->calls_unknown[r] = (t->calls_unknown[r] && !t->called[r]) || place;
		if (place)
			add(t->incl[r], t->self[r]);
		else if (group)
			incl_of_group(t, r);
		else
			incl_of_func(t, r);
	}
	if (place)
		each_row(t, &t->prof->call, add_line_call);
}

static void count_path(struct truth *t, as_node leaf, const as_val *cost)
{
	const struct as_profile *prof = t->prof;
	int frame[DEPTH], n = 0;

	for (as_node i = leaf; i.i || n == 0; i = prof->node.parent.p[i.i]) {
		struct as_pos pos = as_place_pos(prof, prof->node.place.p[i.i]);

		frame[n++] = row(t, &pos);
		if (!i.i)
			break;
	}
	add(t->self[frame[0]], cost);
	for (int i = 0; i < n; i++) {
		bool seen = false, pair_seen = false;

		for (int j = i + 1; j < n; j++)
			seen |= frame[j] == frame[i];
		if (!seen)
			add(t->incl[frame[i]], cost);
		if (i + 1 == n)
			continue;
		for (int j = i + 1; j + 1 < n; j++)
			pair_seen |= frame[j] == frame[i] && frame[j + 1] == frame[i + 1];
		t->path_edge[frame[i + 1]][frame[i]] = true;
		if (!pair_seen)
			add(t->edge_cost[frame[i + 1]][frame[i]], cost);
	}
}

static struct truth *find_truth(const struct as_profile *prof, struct as_project_opts opts)
{
	struct truth *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->prof = prof;
	t->opts = opts;
	each_row(t, &prof->self, count_self);
	each_row(t, &prof->call, count_call);
	if (prof->call.n)
		sum_calls(t);
	else
		for (int r = 0; r < t->n; r++)
			add(t->incl[r], t->self[r]);
	for (size_t i = 0; i < prof->sample.node.n; i++)
		count_path(t, prof->sample.node.p[i], prof->sample.cost.p + i * EVENTS);
	return t;
}

static void check_row(struct truth *t, const struct as_table *table, size_t r, int want)
{
	bool incl = t->prof->call.n || t->prof->sample.node.n;

	assert_int_equal(table->has_incl[r], incl && !t->unknown[want]);
	for (int k = 0; k < EVENTS; k++) {
		assert_true(table->self[r * EVENTS + (size_t)k] == t->self[want][k]);
		if (table->has_incl[r])
			assert_true(table->incl[r * EVENTS + (size_t)k] == t->incl[want][k]);
	}
	assert_int_equal(table->has_calls[r], t->prof->call.n && !t->calls_unknown[want]);
	if (table->has_calls[r])
		assert_true(table->calls[r] == t->called[want]);
}

static int row_of_key(struct truth *t, const struct as_key *k)
{
	struct as_pos pos = {.func = k->func, .file = k->file, .line = k->line, .addr = k->addr};

	if (t->opts.by == AS_BY_OBJECT) { /* any function of the object will do */
		while (t->prof->func.object.p[pos.func.i].i != k->object.i)
			pos.func.i++;
		pos.file.i = 0;
	}
	return row(t, &pos);
}

static void check_edges(struct truth *t, const struct as_table *table, const int *to_truth)
{
	size_t want = 0, i;

	for (int a = 0; a < t->n; a++)
		for (int b = 0; b < t->n; b++)
			want += t->path_edge[a][b] || t->edge[0][a][b] || t->edge[1][a][b] ||
				t->edge[2][a][b];
	assert_int_equal(table->n_edges, want);
	for (i = 0; i < table->n_edges; i++) {
		const struct as_edge *e = &table->edge[i];
		int a = to_truth[e->from], b = to_truth[e->to];

		assert_true(e->count == t->edge_count[a][b]);
		for (int k = 0; k < EVENTS; k++)
			assert_true(e->cost[k] == t->edge_cost[a][b][k]);
		if (i)
			assert_true(e[-1].from < e->from ||
				    (e[-1].from == e->from && e[-1].to < e->to));
	}
}

/* A cycle's row: its members are those that reach each other. */
static void check_cycle(
	struct truth *t, const struct as_table *table, size_t r, const int *to_truth)
{
	int64_t self[EVENTS] = {0}, incl[EVENTS] = {0}, called = 0;
	int one = to_truth[r];

	for (int i = 0; i < t->n; i++) {
		if (!same_cycle(t->reach, one, i))
			continue;
		add(self, t->self[i]);
		add(incl, t->incl[i]);
		for (int j = 0; j < t->n; j++)
			if (!same_cycle(t->reach, one, j))
				called += t->edge_count[j][i];
	}
	for (int k = 0; k < EVENTS; k++) {
		assert_true(table->self[r * EVENTS + (size_t)k] == self[k]);
		if (table->has_incl[r])
			assert_true(table->incl[r * EVENTS + (size_t)k] == incl[k]);
	}
	assert_true(table->calls[r] == called);
}

static void check_order(const struct as_table *table, const struct as_profile *prof)
{
	uint32_t order[ROWS * 2];

	as_table_sort(table, prof, 1, false, order);
	for (size_t i = 1; i < table->n; i++)
		assert_true(table->self[order[i - 1] * EVENTS + 1] >=
			    table->self[order[i] * EVENTS + 1]);
}

static void compare(const struct as_profile *prof, struct as_project_opts opts)
{
	struct truth *t = find_truth(prof, opts);
	struct as_table *table;
	int to_truth[ROWS * 2], seen[ROWS] = {0};
	as_val sum[EVENTS] = {0};
	size_t plain;

	assert_int_equal(as_project(prof, &opts, &table, NULL), AS_OK);
	plain = table->n - table->n_cycles;
	assert_int_equal(plain, t->n);
	for (size_t r = 0; r < table->n; r++) {
		to_truth[r] = row_of_key(t, &table->key[r]);
		assert_int_equal(table->key[r].is_cycle, r >= plain);
		if (r >= plain) {
			check_cycle(t, table, r, to_truth);
			continue;
		}
		assert_int_equal(seen[to_truth[r]]++, 0);
		check_row(t, table, r, to_truth[r]);
		if (opts.by == AS_BY_FUNC)
			assert_int_equal(table->key[r].cycle != 0, in_cycle(t, to_truth[r]));
		add(sum, table->self + r * EVENTS);
	}
	assert_int_equal(plain, t->n); /* the keys named no row that is not there */
	for (int k = 0; k < EVENTS; k++) {
		assert_true(table->total[k] == prof->total[k]);
		assert_true(sum[k] == prof->total[k]);
	}
	if (opts.want_edges)
		check_edges(t, table, to_truth);
	check_order(table, prof);
	as_table_free(table);
	free(t);
}

/* Two threads as it were: the second task comes first. */
struct team {
	struct as_exec exec;
	unsigned runs;
};

static void run_backwards(
	struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	struct team *team = (struct team *)(void *)ex;

	team->runs++;
	while (n-- > 0)
		task(arg, n);
}

/* How often the team had work. */
static unsigned try_all(unsigned what, uint64_t seeds)
{
	struct team team = {.exec = {.run = run_backwards, .jobs = 2}};

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct as_profile *prof = as_test_random(seed, what);

		for (int by = AS_BY_FUNC; by <= AS_BY_FILEFUNC; by++)
			for (int i = 0; i < 16; i++)
				compare(prof, (struct as_project_opts){.by = (enum as_by)by,
						      .keep_contexts = i & 1,
						      .no_cycles = i & 2,
						      .want_edges = i & 4,
						      .exec = i & 8 ? &team.exec : NULL});
		as_profile_free(prof);
	}
	return team.runs;
}

static void test_places_are_as_defined(void **state)
{
	(void)state;
	try_all(AS_TEST_SELF, 10);
}

static void test_calls_are_as_defined(void **state)
{
	(void)state;
	try_all(AS_TEST_SELF | AS_TEST_CALLS, 30);
}

static void test_calls_of_many_functions_are_taken_by_two(void **state)
{
	(void)state;
	assert_true(try_all(AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_NAMED, 40) > 5);
}

/* All functions have a row of their own, and then somebody calls what has no name. */
static void test_two_give_up_where_a_callee_has_no_row(void **state)
{
	struct team team = {.exec = {.run = run_backwards, .jobs = 2}};
	struct as_profile *prof;
	struct as_build b;
	as_func f, g;

	as_test_begin(&b, "Ir Dr Dw");
	f = as_test_func(&b, "f", "/bin/p", "a.c");
	g = as_test_func(&b, "g", "/bin/p", "b.c");
	as_test_self(&b, f, 1, 10);
	as_test_self(&b, g, 2, 20);
	as_test_call(&b, f, g, 1, 25);
	as_test_call(&b, g, f, 2, 4);
	as_test_call(&b, g, (as_func){0}, 3, 5);
	prof = as_test_end(&b);
	compare(prof, (struct as_project_opts){.by = AS_BY_FUNC, .exec = &team.exec});
	assert_int_equal(team.runs, 1);
	as_profile_free(prof);
	(void)state;
}

static void test_calls_with_contexts_are_as_defined(void **state)
{
	(void)state;
	try_all(AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_CONTEXTS, 20);
}

static void test_paths_are_as_defined(void **state)
{
	(void)state;
	try_all(AS_TEST_PATHS | AS_TEST_NEGATIVE, 20);
}

static void test_paths_beside_places_are_as_defined(void **state)
{
	(void)state;
	try_all(AS_TEST_PATHS | AS_TEST_SELF, 10);
}

int project_truth_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places_are_as_defined),
		cmocka_unit_test(test_calls_are_as_defined),
		cmocka_unit_test(test_calls_of_many_functions_are_taken_by_two),
		cmocka_unit_test(test_two_give_up_where_a_callee_has_no_row),
		cmocka_unit_test(test_calls_with_contexts_are_as_defined),
		cmocka_unit_test(test_paths_are_as_defined),
		cmocka_unit_test(test_paths_beside_places_are_as_defined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
