/* SPDX-License-Identifier: Apache-2.0 */
/* Answers as a profile: what went there comes back, and nothing is missing in silence. */
#include "fleet/fleet_testing.h"

#include "change/transform.h"
#include "fleet/fleet_hash.h"
#include "lib/fail_alloc.h"

/* N profiles as merging makes them, with pid, tid and comm as labels. */
static struct as_profile *merged(struct as_profile *const *in, size_t n, bool labels)
{
	struct as_merge_opts opts = {.label_parts = labels, .drop_labels = !labels};
	struct as_profile *out;
	struct as_merge *m;

	assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(as_merge_add(m, in[i], NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	return out;
}

/* The dump of PROF without lines that no table has: of the recording, and of what has no cost. */
static char *dump_of(const struct as_profile *prof)
{
	static const char *const gone[] = {"epoch ", "part ", "map ", "meta ", "creator ",
		"object ", "event-list ", "summary ", "totals "};
	char *text = as_test_dump(prof), *to = text;

	for (char *line = text; *line;) {
		size_t n = strcspn(line, "\n") + 1;
		bool drop = false;

		for (size_t i = 0; i < AS_ARRAY_LEN(gone); i++)
			drop |= strncmp(line, gone[i], strlen(gone[i])) == 0;
		if (!drop) {
			memmove(to, line, n);
			to += n;
		}
		line += n;
	}
	*to = 0;
	return text;
}

static void check_dumps(const struct as_profile *a, const struct as_profile *b)
{
	char *x = dump_of(a), *y = dump_of(b);

	assert_string_equal(x, y);
	free(x);
	free(y);
}

static void test_what_went_there_comes_back(void **state)
{
	unsigned n_empty = 0;
	static const unsigned what[] = {AS_TEST_PATHS, AS_TEST_SELF, AS_TEST_SELF | AS_TEST_PATHS,
		AS_TEST_PATHS | AS_TEST_NEGATIVE, AS_TEST_SELF | AS_TEST_NEGATIVE};

	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct as_profile *prof = as_test_random(seed, what[seed % AS_ARRAY_LEN(what)]);
		struct as_profile *want = merged(&prof, 1, true);
		struct as_profile *back = fleet_there_and_back(prof, true);

		if (prof->sample.node.n || prof->self.n)
			check_dumps(want, back);
		else /* there is no row of it, and no event */
			n_empty += as_n_events(back) == 0;
		as_profile_free(prof);
		as_profile_free(want);
		as_profile_free(back);
	}
	assert_true(n_empty > 0 && n_empty < 10);
}

/* With labels, linkage names, columns, periods and titles: what comes back once comes back again,
 * and every figure is what it was. */
static void test_what_came_back_comes_back_again(void **state)
{
	static const enum as_by by[] = {AS_BY_FUNC, AS_BY_LINE, AS_BY_ADDR, AS_BY_OBJECT};
	static struct as_test_sums want, got;

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct as_profile *prof =
			as_test_random(seed, AS_TEST_PATHS | AS_TEST_RARE | AS_TEST_FACTS |
						     (seed % 2 ? AS_TEST_SELF : 0));
		struct as_profile *once = fleet_there_and_back(prof, true);
		struct as_profile *twice = fleet_there_and_back(once, true);
		char *x = as_test_dump(once), *y = as_test_dump(twice);

		assert_string_equal(x, y);
		for (size_t i = 0; i < AS_ARRAY_LEN(by); i++)
			for (int inclusive = 0; inclusive < 2; inclusive++) {
				want.n = got.n = 0;
				as_test_sum(&want, prof, by[i], inclusive);
				as_test_sum(&got, once, by[i], inclusive);
				as_test_same(&want, &got);
			}
		if (as_n_events(once)) {
			assert_string_equal(
				as_str_get(once, once->event.p[0].title).p, "Instructions");
			assert_int_equal(once->event.p[1].period, 65536);
		}
		free(x);
		free(y);
		as_profile_free(prof);
		as_profile_free(once);
		as_profile_free(twice);
	}
}

static struct as_profile *back_of(
	const struct as_fleet_rows *rows, size_t n, bool labels, struct as_fleet_gaps *gaps)
{
	struct as_profile *back;
	struct as_err err = AS_ERR_NONE;

	if (fleet_back(&as_alloc_libc, rows, n, labels, &back, gaps, &err) != AS_OK)
		fail_msg("%s", err.msg);
	return back;
}

static void test_several_hosts_are_one_profile(void **state)
{
	static const char *const hosts[] = {"web1", "web2", "web3"};
	struct as_fleet_rows rows[3];
	struct as_fleet_gaps gaps;

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct as_profile *in[3], *want, *back;

		for (size_t i = 0; i < 3; i++) {
			in[i] = as_test_random(seed * 3 + i, AS_TEST_PATHS | AS_TEST_SELF);
			rows[i] = fleet_rows_of(in[i], hosts[i], NULL);
		}
		want = merged(in, 3, false);
		back = back_of(rows, 3, false, &gaps);
		check_dumps(want, back);
		as_profile_free(want);
		as_profile_free(back);
		for (size_t i = 0; i < 3; i++) {
			as_fleet_rows_release(&rows[i]);
			as_profile_free(in[i]);
		}
	}
}

static void test_host_and_service_are_labels(void **state)
{
	struct as_profile *prof = as_test_random(1, AS_TEST_PATHS), *back;
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_gaps gaps;
	const struct as_label *label;
	uint32_t n;

	(void)state;
	back = back_of(&rows, 1, true, &gaps);
	assert_int_equal(back->part.n, 2);
	label = as_part_labels(back, 1, &n);
	assert_int_equal(n, 2);
	for (uint32_t i = 0; i < n; i++)
		assert_string_equal(as_str_get(back, label[i].text).p,
			as_slice_is(as_str_get(back, label[i].key), "host") ? "web1" : "api");
	as_profile_free(back);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

/* A reader of ROWS that knows its series. */
static struct as_fleet_read *reader_of(const struct as_fleet_rows *rows, struct as_err *err)
{
	struct as_fleet_read_opts opts = {.pushed = true};
	struct as_fleet_read *r;

	assert_int_equal(as_fleet_read_new(&as_alloc_libc, &opts, &r, err), AS_OK);
	assert_int_equal(as_fleet_read_series(r, fleet_slice(rows->series)), AS_OK);
	return r;
}

static struct as_profile *finished(
	struct as_fleet_read *r, const struct as_fleet_rows *rows, struct as_fleet_gaps *gaps)
{
	struct as_slice sums = fleet_sums(rows);
	struct as_profile *back;

	assert_int_equal(as_fleet_read_sums(r, sums, false), AS_OK);
	assert_int_equal(as_fleet_read_finish(r, &back, gaps, NULL), AS_OK);
	free((void *)(uintptr_t)sums.p);
	return back;
}

static bool has_func(const struct as_profile *prof, const char *name)
{
	bool has = false;

	for (uint32_t i = 1; i < prof->func.name.n; i++)
		has |= as_slice_is(as_func_name(prof, (as_func){i}), name);
	return has;
}

static void test_rows_may_come_twice(void **state)
{
	struct as_profile *prof = as_test_random(4, AS_TEST_PATHS | AS_TEST_SELF), *once, *twice;
	struct as_fleet_rows rows = fleet_rows_of(prof, "", NULL);
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;

	(void)state;
	once = fleet_there_and_back(prof, false);
	r = reader_of(&rows, NULL);
	assert_int_equal(as_fleet_read_series(r, fleet_slice(rows.series)), AS_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(as_fleet_read_stacks(r, fleet_slice(rows.stacks)), AS_OK);
		assert_int_equal(as_fleet_read_frames(r, fleet_slice(rows.frames)), AS_OK);
	}
	twice = finished(r, &rows, &gaps);
	check_dumps(once, twice);
	as_profile_free(once);
	as_profile_free(twice);
	as_profile_free(prof);
	as_fleet_rows_release(&rows);
}

/* Sums of two minutes: the moments of each add up to them. */
static void test_with_times_samples_say_when(void **state)
{
	struct as_profile *prof = as_test_random(4, AS_TEST_PATHS | AS_TEST_SELF), *back;
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_read_opts opts = {.times = true, .pushed = true};
	struct as_slice plain = fleet_sums(&rows);
	struct as_fleet_bytes timed = {.al = &as_alloc_libc};
	struct as_fleet_cur c = as_fleet_cur_of(plain);
	as_val sum[2][8] = {{0}};
	struct as_moments_cur cur;
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;

	(void)state;
	while (as_fleet_more(&c)) {
		const uint8_t *row = as_fleet_take(&c, 24);

		for (uint64_t minute = 0; minute < 2; minute++) {
			as_fleet_put(&timed, row, 16);
			as_fleet_put_number(&timed, 1600000020 + 60 * minute, 4);
			as_fleet_put(&timed, row + 16, 8);
		}
	}
	assert_int_equal(as_fleet_read_new(&as_alloc_libc, &opts, &r, NULL), AS_OK);
	assert_int_equal(as_fleet_read_series(r, fleet_slice(rows.series)), AS_OK);
	assert_int_equal(as_fleet_read_stacks(r, fleet_slice(rows.stacks)), AS_OK);
	assert_int_equal(as_fleet_read_frames(r, fleet_slice(rows.frames)), AS_OK);
	assert_int_equal(
		as_fleet_read_span(r, INT64_C(1600000025) * 1000000000, 1000000000), AS_OK);
	assert_int_equal(
		as_fleet_read_sums(r, (struct as_slice){timed.v.p, timed.v.n}, false), AS_OK);
	assert_int_equal(as_fleet_read_finish(r, &back, &gaps, NULL), AS_OK);
	assert_true(back->moments.n && !back->moments.left && !back->self.n);
	as_moments_begin(&cur, &back->moments);
	while (as_moments_next(&cur)) {
		bool first = cur.at.time == -INT64_C(5000000000);

		assert_true(first || cur.at.time == INT64_C(55000000000));
		sum[!first][cur.at.event] += cur.at.value;
	}
	for (uint32_t k = 0; k < as_n_events(prof); k++) {
		assert_true(sum[0][k] == prof->total[k] && sum[1][k] == prof->total[k]);
		assert_true(back->total[k] == 2 * prof->total[k]);
	}
	as_profile_free(back);
	as_vec_free(&as_alloc_libc, &timed.v);
	free((void *)(uintptr_t)plain.p);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

static void test_what_no_row_explains_is_said(void **state)
{
	struct as_profile *prof = as_test_random(4, AS_TEST_PATHS), *back;
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;

	(void)state;
	back = finished(reader_of(&rows, NULL), &rows, &gaps);
	assert_true(gaps.stacks && !gaps.frames);
	assert_true(has_func(back, "[no stack in the store]"));
	for (uint32_t k = 0; k < 3; k++)
		assert_true(back->total[k] == prof->total[k]);
	as_profile_free(back);

	r = reader_of(&rows, NULL);
	assert_int_equal(as_fleet_read_stacks(r, fleet_slice(rows.stacks)), AS_OK);
	back = finished(r, &rows, &gaps);
	assert_true(!gaps.stacks && gaps.frames);
	assert_true(has_func(back, "[no frame in the store]"));
	for (uint32_t k = 0; k < 3; k++)
		assert_true(back->total[k] == prof->total[k]);
	as_profile_free(back);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

static void test_unknown_series_is_an_error(void **state)
{
	struct as_profile *prof = as_test_random(4, AS_TEST_PATHS);
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_read_opts opts = {.pushed = true};
	struct as_slice sums = fleet_sums(&rows);
	struct as_err err = AS_ERR_NONE;
	struct as_fleet_read *r;

	(void)state;
	assert_int_equal(as_fleet_read_new(&as_alloc_libc, &opts, &r, &err), AS_OK);
	assert_int_equal(as_fleet_read_sums(r, sums, false), AS_E_FORMAT);
	assert_non_null(strstr(err.msg, "does not explain"));
	as_fleet_read_free(r);
	free((void *)(uintptr_t)sums.p);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

/* One sample of nameless code, whose frame is then named by rows of a later version: f, and g that
 * is inlined into it. */
static void test_later_names_count(void **state)
{
	struct as_fleet_bytes named = {.al = &as_alloc_libc};
	struct as_fleet_rows rows;
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;
	struct as_profile *prof, *back;
	struct as_fleet_cur c;
	struct as_build b;
	uint64_t id;
	as_func f;

	(void)state;
	as_test_begin(&b, "samples");
	f = as_test_func(&b, "", "/bin/p", "");
	as_test_stack(&b, 0, (as_func[]){f, {0}}, 5);
	prof = as_test_end(&b);
	rows = fleet_rows_of(prof, "web1", NULL);
	c = as_fleet_cur_of(fleet_slice(rows.frames));
	(void)as_fleet_take(&c, 2 + 8);
	id = as_fleet_number(&c, 8);
	for (unsigned i = 0; i < 2; i++) {
		struct as_slice none = {NULL, 0};

		as_fleet_put_number(&named, 0, 2);
		as_fleet_put_number(&named, rows.home, 8);
		as_fleet_put_number(&named, id, 8);
		as_fleet_put_number(&named, i, 2);
		as_fleet_put_string(&named, as_slice_of(i ? "g" : "f"));
		as_fleet_put_string(&named, none);
		as_fleet_put_number(&named, 0, 8);
		as_fleet_put_string(&named, as_slice_of("a.c"));
		as_fleet_put_number(&named, 0, 8);
		as_fleet_put_string(&named, as_slice_of("/bin/p"));
		as_fleet_put_string(&named, none);
		as_fleet_put_string(&named, as_slice_of("a.c"));
		as_fleet_put_number(&named, i + 1, 8);
		as_fleet_put_number(&named, 0, 8);
		as_fleet_put_number(&named, 0x10, 8);
		as_fleet_put_number(&named, i ? AS_FRAME_INLINED : 0, 1);
		as_fleet_put_number(&named, 1, 4);
	}
	r = reader_of(&rows, NULL);
	assert_int_equal(as_fleet_read_stacks(r, fleet_slice(rows.stacks)), AS_OK);
	assert_int_equal(as_fleet_read_frames(r, fleet_slice(named.v)), AS_OK);
	assert_int_equal(as_fleet_read_frames(r, fleet_slice(rows.frames)), AS_OK);
	back = finished(r, &rows, &gaps);
	assert_true(has_func(back, "f") && has_func(back, "g"));
	assert_int_equal(back->node.place.n, 3);
	as_vec_free(named.al, &named.v);
	as_profile_free(back);
	as_profile_free(prof);
	as_fleet_rows_release(&rows);
}

static void test_different_periods_are_not_added(void **state)
{
	struct as_fleet_rows rows[2];
	struct as_fleet_gaps gaps;
	struct as_profile *back;
	struct as_err err = AS_ERR_NONE;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct as_profile *prof;
		struct as_build b;

		as_test_begin(&b, "samples");
		as_test_stack(&b, 0, (as_func[]){as_test_func(&b, "f", "", ""), {0}}, 5);
		b.prof->event.p[0].period = 10 + i;
		prof = as_test_end(&b);
		rows[i] = fleet_rows_of(prof, i ? "web2" : "web1", NULL);
		as_profile_free(prof);
	}
	assert_int_equal(fleet_back(&as_alloc_libc, rows, 2, false, &back, &gaps, &err), AS_E_ARG);
	assert_non_null(strstr(err.msg, "'web1' and of 11"));
	for (size_t i = 0; i < 2; i++)
		as_fleet_rows_release(&rows[i]);
}

/* An answer that was cut off is no answer, wherever it was. */
static void test_answers_that_end_early_are_refused(void **state)
{
	struct as_profile *prof = as_test_random(6, AS_TEST_PATHS | AS_TEST_RARE);
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	size_t whole[3] = {0};

	(void)state;
	for (int table = 0; table < 3; table++) {
		struct as_slice all = table == 0   ? fleet_slice(rows.series)
				      : table == 1 ? fleet_slice(rows.stacks)
						   : fleet_slice(rows.frames);

		for (size_t n = 0; n <= all.len; n++) {
			struct as_fleet_read *r = reader_of(&rows, NULL);
			struct as_slice cut = {all.p, n};
			enum as_code rc = table == 0   ? as_fleet_read_series(r, cut)
					  : table == 1 ? as_fleet_read_stacks(r, cut)
						       : as_fleet_read_frames(r, cut);

			assert_true(rc == AS_OK || rc == AS_E_TRUNC);
			whole[table] += rc == AS_OK;
			as_fleet_read_free(r);
		}
	}
	/* the ends of rows, and the beginning */
	assert_int_equal(whole[0], rows.n_series + 1);
	assert_int_equal(whole[1], rows.n_stacks + 1);
	assert_int_equal(whole[2], rows.n_frames + 1);
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

static void test_halves_are_the_sum(void **state)
{
	struct as_profile *prof, *back;
	struct as_fleet_rows rows;
	struct as_fleet_bytes sums = {.al = &as_alloc_libc};
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;
	struct as_build b;

	(void)state;
	as_test_begin(&b, "samples");
	as_test_stack(&b, 0, (as_func[]){as_test_func(&b, "f", "", ""), {0}}, -5);
	prof = as_test_end(&b);
	rows = fleet_rows_of(prof, "web1", NULL);
	r = reader_of(&rows, NULL);
	as_fleet_put(&sums, rows.batch.p[0].samples.p + 14, 16);
	as_fleet_put_number(&sums, (uint64_t)INT64_C(-9) << 31, 8);
	as_fleet_put_number(&sums, 17, 8);
	assert_int_equal(as_fleet_read_sums(r, fleet_slice(sums.v), true), AS_OK);
	assert_int_equal(as_fleet_read_finish(r, &back, &gaps, NULL), AS_OK);
	assert_true(back->total[0] == -(as_val)9 * ((as_val)1 << 63) + 17);
	as_vec_free(sums.al, &sums.v);
	as_profile_free(back);
	as_profile_free(prof);
	as_fleet_rows_release(&rows);
}

/* What was left out is a part of the whole. */
static void test_shares_are_of_the_whole(void **state)
{
	struct as_profile *prof = as_test_random(3, AS_TEST_PATHS), *back;
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_read *r = reader_of(&rows, NULL);
	struct as_fleet_bytes whole = {.al = &as_alloc_libc};
	struct as_fleet_gaps gaps;
	as_val sum = 0, total = 0;

	(void)state;
	for (size_t i = 0; i < rows.batch.p[0].samples.n; i += AS_FLEET_ROW) {
		as_fleet_put(&whole, rows.batch.p[0].samples.p + i + 14, 8);
		as_fleet_put_number(&whole, 3, 8);
		sum += 3;
	}
	assert_int_equal(as_fleet_read_whole(r, fleet_slice(whole.v), false), AS_OK);
	assert_int_equal(as_fleet_read_finish(r, &back, &gaps, NULL), AS_OK);
	assert_non_null(back->whole);
	for (uint32_t k = 0; k < as_n_events(back); k++)
		total += back->whole[k];
	assert_true(sum && total == sum);
	as_profile_free(back);
	r = reader_of(&rows, NULL);
	whole.v.p[0] ^= 1;
	assert_int_equal(as_fleet_read_whole(r, fleet_slice(whole.v), false), AS_E_FORMAT);
	as_fleet_read_free(r);
	as_vec_free(whole.al, &whole.v);
	as_profile_free(prof);
	as_fleet_rows_release(&rows);
}

static void test_time_is_that_of_all_batches(void **state)
{
	struct as_profile *prof = as_test_random(1, AS_TEST_PATHS), *back;
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	struct as_fleet_read *r = reader_of(&rows, NULL);
	struct as_fleet_gaps gaps;

	(void)state;
	assert_int_equal(as_fleet_read_span(r, INT64_C(1500000001000000000), 9000000000), AS_OK);
	assert_int_equal(as_fleet_read_span(r, INT64_C(1500000000000000000), 2000000000), AS_OK);
	back = finished(r, &rows, &gaps);
	assert_string_equal(as_str_get(back, back->epoch).p, "2017-07-14T02:40:00Z");
	assert_true(back->duration == 10000000000);
	as_profile_free(back);
	as_profile_free(prof);
	as_fleet_rows_release(&rows);
}

/* SQUARES of 50 samples, of which MORE were not in the events. */
static struct as_signals signals_of(const char *squares, const char *more)
{
	struct as_build b;
	struct as_profile *prof, *back;
	struct as_signals s;
	as_val cost = 50;

	as_test_begin(&b, "samples");
	assert_int_equal(as_build_sample(&b, 0, (as_node){0}, &cost), AS_OK);
	assert_int_equal(as_build_meta_of(&b, 0, as_slice_of(AS_META_SIGNALS), as_slice_of("20"),
				 AS_META_OF_SUM),
		AS_OK);
	assert_int_equal(as_build_meta_of(&b, 0, as_slice_of(AS_META_SQUARES), as_slice_of(squares),
				 AS_META_OF_SUM),
		AS_OK);
	if (more)
		assert_int_equal(as_build_meta_of(&b, 0, as_slice_of(AS_META_SAMPLES),
					 as_slice_of(more), AS_META_OF_SUM),
			AS_OK);
	prof = as_test_end(&b);
	back = fleet_there_and_back(prof, false);
	s = as_signals_of(back);
	as_profile_free(prof);
	as_profile_free(back);
	return s;
}

static void test_signals_stay(void **state)
{
	struct as_signals s = signals_of("130", NULL);

	(void)state;
	assert_true(s.known && s.samples == 50 && s.signals == 20 && s.squares == 130);
	assert_true(s.unsignalled == 0);
	s = signals_of("18446744073709551615", "70");
	assert_true(s.known && s.samples == 70 && s.squares == UINT64_MAX);
	assert_false(signals_of("many", NULL).known);
}

static void test_memory_may_run_out(void **state)
{
	struct as_profile *prof =
		as_test_random(5, AS_TEST_SELF | AS_TEST_PATHS | AS_TEST_RARE | AS_TEST_FACTS);
	struct as_fleet_rows rows = fleet_rows_of(prof, "web1", NULL);
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct as_fleet_gaps gaps;
		struct as_profile *back;
		struct fail_alloc fa;

		fail_alloc_init(&fa, n);
		rc = fleet_back(&fa.al, &rows, 1, true, &back, &gaps, NULL);
		as_profile_free(back);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	as_fleet_rows_release(&rows);
	as_profile_free(prof);
}

int fleet_read_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_went_there_comes_back),
		cmocka_unit_test(test_what_came_back_comes_back_again),
		cmocka_unit_test(test_several_hosts_are_one_profile),
		cmocka_unit_test(test_host_and_service_are_labels),
		cmocka_unit_test(test_rows_may_come_twice),
		cmocka_unit_test(test_with_times_samples_say_when),
		cmocka_unit_test(test_what_no_row_explains_is_said),
		cmocka_unit_test(test_unknown_series_is_an_error),
		cmocka_unit_test(test_later_names_count),
		cmocka_unit_test(test_different_periods_are_not_added),
		cmocka_unit_test(test_answers_that_end_early_are_refused),
		cmocka_unit_test(test_halves_are_the_sum),
		cmocka_unit_test(test_shares_are_of_the_whole),
		cmocka_unit_test(test_time_is_that_of_all_batches),
		cmocka_unit_test(test_signals_stay),
		cmocka_unit_test(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("fleet_read", tests, NULL, NULL);
}
