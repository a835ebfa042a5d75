/* SPDX-License-Identifier: Apache-2.0 */
/* Several events at once: records that say which of them they are of, made by hand. */
#include "record/test_perf.h"

enum { CLOCK, FAULTS, BRANCHES, N_EVENTS };
enum { FAULTS_PERIOD = 100, ID = 7000 };

/* What the kernel calls the event of COLUMN on CPU. */
static uint64_t id_of(uint32_t column, int cpu)
{
	return ID + 10 * (uint64_t)cpu + column;
}

static struct as_perf_events asked(void)
{
	struct as_perf_events events;

	assert_int_equal(as_perf_events_parse(
				 as_slice_of("cpu-clock,page-faults:100,branches"), &events, NULL),
		AS_OK);
	return events;
}

static int set_up_columns(void **state)
{
	struct as_perf_events events = asked();
	struct as_perf_columns *c;
	struct rig *r;
	uint32_t at;

	if (set_up(state))
		return -1;
	r = *state;
	c = &r->set.columns;
	r->set.layout.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD;
	as_perf_columns_plan(c, &events, 100, false);
	for (uint32_t i = 0; i < 2 * N_EVENTS; i++) {
		struct as_perf_opened one = {.fd = -1,
			.cpu = (int)(i / N_EVENTS),
			.column = i % N_EVENTS,
			.id = id_of(i % N_EVENTS, (int)(i / N_EVENTS))};

		if (!as_perf_columns_note(c, &one))
			return -1;
	}
	r->t.machine = r->t.whole = true;
	r->t.columns = c;
	if (as_build_event(&r->b, as_slice_of("page-faults"), as_slice_of("count"), &at) != AS_OK ||
		as_build_event(&r->b, as_slice_of("branches"), as_slice_of("count"), &at) != AS_OK)
		return -1;
	return 0;
}

static int tear_down_columns(void **state)
{
	struct rig *r = *state;

	as_perf_columns_release(&r->set.columns);
	return tear_down(state);
}

static struct bytes sample_of(uint64_t id, uint64_t time, uint64_t period)
{
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);

	put(&b, id, 8);
	put_ids(&b, PID, time);
	put(&b, period, 8);
	put(&b, 2, 8);
	put(&b, (uint64_t)PERF_CONTEXT_USER, 8);
	put(&b, 0x401010, 8);
	return b;
}

/* A record with a trailer gets that of the event, too. */
static struct bytes with_id(struct bytes b, uint64_t id)
{
	put(&b, id, 8);
	return b;
}

static enum as_code take(void *ctx, const struct as_perf_rec *rec)
{
	return as_perf_track_record(ctx, rec);
}

static void finish(struct rig *r)
{
	struct as_perf_counted counted = {.period_ns = 0};

	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, take, &r->t), AS_OK);
	assert_int_equal(as_perf_weigh(&r->t, &counted, &r->w), AS_OK);
	assert_int_equal(as_build_finish(&r->b, &r->prof), AS_OK);
}

/* ---- the parser ---- */

static void test_a_record_says_which_event_it_is_of(void **state)
{
	const struct as_perf_layout layout = {.sample_type = PERF_SAMPLE_IDENTIFIER |
							     PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							     PERF_SAMPLE_TIME};
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put(&b, 77, 8);
	put(&b, 0x401010, 8);
	put_ids(&b, PID + 1, 5);
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_int_equal(rec.id, 77);
	assert_int_equal(rec.ip, 0x401010);
	assert_int_equal(rec.tid, PID + 1);
	assert_int_equal(rec.time, 5);
	b = with_id(lost(PERF_RECORD_LOST, 9), 78);
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_int_equal(rec.id, 78);
	assert_int_equal(rec.count, 9);
	assert_int_equal(rec.time, 11);
	b = with_id(mapping(0x400000, 0x2000, 0x1000, "/bin/x"), 79);
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_true(as_slice_is(rec.text, "/bin/x"));
	assert_int_equal(rec.id, 79);
	assert_int_equal(rec.time, 1);
}

static void test_a_record_without_room_for_the_event_is_none(void **state)
{
	const struct as_perf_layout layout = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
	struct bytes b = record(PERF_RECORD_THROTTLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 1);
	assert_false(as_perf_parse(done(&b), &layout, &rec));
}

/* ---- columns ---- */

/* Of one place: the samples of the clock, faults by their period, branches as they say. */
static void test_each_sample_is_in_the_column_of_its_event(void **state)
{
	struct rig *r = *state;
	uint64_t time = 10;

	write_record(r, 0, with_id(mapping(0x400000, 0x4000, 0, "/bin/x"), id_of(CLOCK, 0)));
	for (int i = 0; i < 3; i++)
		write_record(r, 0, sample_of(id_of(CLOCK, 0), time++, 9938000));
	for (int i = 0; i < 2; i++)
		write_record(r, 1, sample_of(id_of(CLOCK, 1), time++, 9938000));
	write_record(r, 1, sample_of(id_of(FAULTS, 1), time++, FAULTS_PERIOD));
	write_record(r, 0, sample_of(id_of(BRANCHES, 0), time++, 31));
	write_record(r, 1, sample_of(id_of(BRANCHES, 1), time++, 11));
	finish(r);
	assert_int_equal(r->prof->total[CLOCK], 5);
	assert_int_equal(r->prof->total[FAULTS], 1);
	assert_int_equal(r->prof->total[BRANCHES], 42);
	assert_int_equal(r->w.samples, 8);
	assert_int_equal(r->t.n_samples, 8);
	assert_int_equal(r->t.tally[CLOCK].samples, 5);
	assert_int_equal(r->t.tally[FAULTS].samples, 1);
	assert_int_equal(r->t.tally[BRANCHES].samples, 2);
	for (size_t i = 0; i < r->prof->part.n; i++)
		assert_int_equal(r->prof->part.p[i].n_events, N_EVENTS);
}

static void test_lost_samples_are_of_the_event_that_the_kernel_names(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, with_id(lost(PERF_RECORD_LOST, 6), id_of(FAULTS, 0)));
	write_record(r, 1, with_id(lost(PERF_RECORD_LOST, 2), id_of(BRANCHES, 1)));
	finish(r);
	assert_int_equal(r->t.lost, 8);
	assert_int_equal(r->t.tally[FAULTS].lost, 6);
	assert_int_equal(r->t.tally[BRANCHES].lost, 2);
	assert_int_equal(r->prof->total[CLOCK], 0);
	assert_int_equal(r->prof->total[FAULTS], 6);
	assert_int_equal(r->prof->total[BRANCHES], 0); /* nobody knows how many branches */
}

static void test_a_sample_of_an_unknown_event_is_damage(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, with_id(mapping(0x400000, 0x4000, 0, "/bin/x"), id_of(CLOCK, 0)));
	write_record(r, 0, sample_of(ID - 1, 10, 1));
	finish(r);
	assert_int_equal(r->t.damaged, 1);
	assert_int_equal(r->t.n_samples, 0);
}

static void test_events_of_a_processor_that_goes_stay_known(void **state)
{
	struct rig *r = *state;
	uint32_t column;

	as_perf_columns_forget(&r->set.columns, 1);
	assert_true(as_perf_columns_find(&r->set.columns, id_of(FAULTS, 1), &column));
	assert_int_equal(column, FAULTS);
	assert_false(as_perf_columns_find(&r->set.columns, 1, &column));
}

/* ---- periods, and how much of the time ---- */

static void test_a_frequency_is_a_period_where_samples_do_not_say_theirs(void **state)
{
	struct as_perf_events events = asked();
	struct as_perf_columns c;
	char text[80];

	(void)state;
	as_perf_columns_init(&c, &as_alloc_libc);
	as_perf_columns_plan(&c, &events, 100, false);
	assert_true(as_perf_columns_vary(&c));
	assert_int_equal(c.row[CLOCK].period, 9938);
	assert_int_equal(c.row[FAULTS].period, FAULTS_PERIOD);
	assert_int_equal(c.row[BRANCHES].period, 0);
	as_perf_columns_plan(&c, &events, 100, true);
	assert_false(as_perf_columns_vary(&c));
	assert_int_equal(c.row[BRANCHES].period, 10000000);
	as_perf_columns_text(&c, text, sizeof(text));
	assert_string_equal(text, "cpu-clock, page-faults:100, branches");
	as_perf_columns_text(&c, text, 16);
	assert_string_equal(text, "cpu-clock, page");
	assert_int_equal(as_perf_events_parse(as_slice_of("cs,cycles"), &events, NULL), AS_OK);
	as_perf_columns_plan(&c, &events, 100, false);
	assert_int_equal(c.row[0].period, 1000); /* what the kernel counts itself */
	assert_int_equal(c.row[1].period, 0);
	as_perf_columns_release(&c);
}

static void test_the_part_of_the_time(void **state)
{
	static const struct {
		uint64_t enabled, running;
		uint32_t active;
	} row[] = {
		{0, 0, AS_PERF_ACTIVE_ALL}, /* no time has passed */
		{60, 60, AS_PERF_ACTIVE_ALL},
		{60, 61, AS_PERF_ACTIVE_ALL},
		{60, 15, 2500},
		{3, 1, 3333},
		{3, 2, 6667},
		{UINT64_MAX, UINT64_MAX / 2, 5000},
		{UINT64_MAX, 1, 1}, /* but not nothing */
		{60, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		assert_int_equal(as_perf_active(&(struct as_perf_times){
					 .enabled = row[i].enabled, .running = row[i].running}),
			row[i].active);
}

static void test_lost_samples_are_shared_as_events_lost_them(void **state)
{
	static const struct as_perf_times times[] = {{.lost = 2}, {.lost = 7}, {.lost = 0}};
	static const struct as_perf_times none[N_EVENTS] = {{0}};
	const struct as_perf_columns c = {.n = N_EVENTS};
	uint64_t lost[N_EVENTS];

	(void)state;
	assert_true(as_perf_columns_lost(&c, times, 9, lost));
	assert_int_equal(lost[CLOCK], 2);
	assert_int_equal(lost[FAULTS], 7);
	assert_int_equal(lost[BRANCHES], 0);
	assert_true(as_perf_columns_lost(&c, times, 5, lost)); /* no record has told of all */
	assert_int_equal(lost[CLOCK], 1);
	assert_int_equal(lost[FAULTS], 4);
	assert_int_equal(lost[BRANCHES], 0);
	assert_false(as_perf_columns_lost(&c, none, 5, lost));
}

#define WITH_COLUMNS(test) cmocka_unit_test_setup_teardown(test, set_up_columns, tear_down_columns)

int perf_columns_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_record_says_which_event_it_is_of),
		cmocka_unit_test(test_a_record_without_room_for_the_event_is_none),
		WITH_COLUMNS(test_each_sample_is_in_the_column_of_its_event),
		WITH_COLUMNS(test_lost_samples_are_of_the_event_that_the_kernel_names),
		WITH_COLUMNS(test_a_sample_of_an_unknown_event_is_damage),
		WITH_COLUMNS(test_events_of_a_processor_that_goes_stay_known),
		cmocka_unit_test(test_a_frequency_is_a_period_where_samples_do_not_say_theirs),
		cmocka_unit_test(test_the_part_of_the_time),
		cmocka_unit_test(test_lost_samples_are_shared_as_events_lost_them),
	};

	return cmocka_run_group_tests_name("perf_columns", tests, NULL, NULL);
}
