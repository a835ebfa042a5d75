/* SPDX-License-Identifier: Apache-2.0 */
/* Processors that come and go, and the moments at which they are sampled. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "record/perf_cpus.h"
#include "record/test_perf.h"

static const uint64_t second = 1000000000, lasts = 4000000000;

/* ---- the moments ---- */

static uint64_t state_of(uint64_t *random)
{
	return *random = *random * 6364136223846793005u + 1442695040888963407u;
}

/* What a clock does that has MEAN as its period, and what those do that look at it now and then,
 * sometimes by two seconds later than they should. */
struct watched {
	uint64_t mean, phase; /* of work that takes a tenth of each MEAN */
	uint64_t from, now;
	uint64_t samples, met, shortest, longest;
	int64_t worst; /* nanoseconds that the sum of all samples was off at a look, at most */
};

static void watched_run(struct watched *w, unsigned looks, uint64_t random)
{
	struct as_perf_beat beat;

	as_perf_beat_begin(&beat, w->now, w->mean, random);
	w->shortest = UINT64_MAX;
	for (unsigned i = 0; i < looks; i++) {
		uint64_t next = w->now + lasts + state_of(&random) % (lasts / 100);
		int64_t off;

		if (state_of(&random) >> 60 == 0)
			next += 2 * second;
		for (uint64_t t = beat.began + beat.period; t <= next; t += beat.period) {
			w->samples++;
			w->met += (t + w->phase) % w->mean < w->mean / 10;
		}
		w->shortest = beat.period < w->shortest ? beat.period : w->shortest;
		w->longest = beat.period > w->longest ? beat.period : w->longest;
		assert_true(as_perf_beat_next(&beat, next, w->mean, state_of(&random)));
		w->now = next;
		off = (int64_t)(w->now - w->from) - (int64_t)(w->samples * w->mean);
		w->worst = llabs(off) > w->worst ? llabs(off) : w->worst;
	}
}

static void test_samples_are_as_many_as_periods_have_passed(void **state)
{
	static const uint64_t means[] = {50000, 1000000, 4994000, 10038000};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(means); i++) {
		struct watched w = {.mean = means[i], .from = 12345, .now = 12345};

		watched_run(&w, 2000, i);
		/* 1,000 if what is cut off of a period were lost */
		assert_true(w.worst <= 40 * (int64_t)w.mean);
		assert_true(w.shortest < w.mean && w.longest > w.mean);
		assert_true(9 * w.shortest + 9 >= 8 * w.mean && 7 * w.longest <= 8 * w.mean);
	}
}

static void test_work_in_step_with_the_period_has_its_share(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 10; k++) {
		struct watched w = {.mean = 10038000, .phase = k * 1003800};

		watched_run(&w, 200, k);
		assert_true(w.met * 100 > w.samples * 9 && w.met * 100 < w.samples * 11);
	}
}

static void test_a_period_lasts_a_while(void **state)
{
	struct as_perf_beat beat;

	(void)state;
	as_perf_beat_begin(&beat, 7, 1000000, 1);
	assert_false(as_perf_beat_next(&beat, 7 + lasts / 2, 1000000, 1));
	assert_int_equal(beat.began, 7);
	assert_true(as_perf_beat_next(&beat, 7 + lasts, 1000000, 1));
	/* a sample a second: not before there were dozens */
	as_perf_beat_begin(&beat, 7, second, 1);
	assert_false(as_perf_beat_next(&beat, 7 + 50 * second, second, 1));
	assert_true(as_perf_beat_next(&beat, 7 + 64 * second, second, 1));
}

/* ---- which there are ---- */

static void test_lists_of_processors(void **state)
{
	static const struct {
		const char *list, *has; /* of the first ten */
	} rows[] = {
		{"0\n", "0"},
		{"0-3\n", "0123"},
		{"0,2-3,8", "0238"},
		{"1,3,5-100\n", "1356789"},
		{"0-1\n5\n", "01"},
		{"\n", ""},
		{"", ""},
		{"2-,x,-4,,3-1,7", "27"},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(rows); i++)
		for (int cpu = 0; cpu < 10; cpu++)
			assert_int_equal(as_perf_cpus_listed(as_slice_of(rows[i].list), cpu),
				strchr(rows[i].has, '0' + cpu) != NULL);
}

struct fake {
	struct as_perf_set set;
	struct as_err err;
	char online[64];
};

static void fake_list(struct fake *f, const char *text)
{
	int fd = open(f->online, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	f->set.looked = 0;
}

static size_t fake_open(const struct fake *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->set.cpu.n; i++)
		n += f->set.cpu.p[i].fd >= 0;
	assert_int_equal(n, f->set.fd.n);
	return n;
}

static void fake_begin(struct fake *f)
{
	memset(f, 0, sizeof(*f));
	as_perf_set_init(&f->set, &as_alloc_libc, &f->err);
	f->set.layout.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IP;
	f->set.period = 1000000;
	f->set.hz = 1000;
	f->set.machine = f->set.flat = f->set.kernel = true;
	snprintf(f->online, sizeof(f->online), "/tmp/assay-online-%ld", (long)getpid());
	if (as_perf_set_open_cpus(&f->set) != AS_OK) {
		as_perf_set_close(&f->set);
		skip();
	}
	f->set.online = f->online;
}

static void fake_end(struct fake *f)
{
	as_perf_set_close(&f->set);
	unlink(f->online);
}

static bool fake_has_samples(struct fake *f)
{
	bool has = false;

	as_perf_set_fetch(&f->set);
	for (size_t i = 0; i < f->set.cpu.n; i++)
		has |= !f->set.cpu.p[i].side && f->set.cpu.p[i].ring.head > 0;
	return has;
}

static void test_processors_go_and_come_back(void **state)
{
	struct fake f;
	size_t n;

	(void)state;
	fake_begin(&f);
	n = fake_open(&f);
	fake_list(&f, "0-4095\n");
	assert_false(as_perf_cpus_look(&f.set, 0));
	assert_int_equal(fake_open(&f), n);
	fake_list(&f, "9999\n");
	assert_false(as_perf_cpus_look(&f.set, 0)); /* nothing has been taken out of the rings */
	assert_int_equal(fake_open(&f), n);
	assert_false(as_perf_cpus_look(&f.set, UINT64_MAX));
	assert_int_equal(fake_open(&f), 0);
	assert_int_equal(f.set.unseen_ns, 0);
	fake_list(&f, "0-4095\n");
	assert_true(as_perf_cpus_look(&f.set, UINT64_MAX));
	assert_int_equal(fake_open(&f), n);
	assert_true(f.set.unseen_ns > 0);
	while (!fake_has_samples(&f))
		;
	assert_false(as_perf_cpus_look(&f.set, 0)); /* it is too early for another look */
	fake_end(&f);
}

/* An event that was stopped is as one that the kernel has taken off. */
static void test_an_event_that_stands_still_is_replaced(void **state)
{
	struct fake f;
	size_t n;

	(void)state;
	fake_begin(&f);
	n = fake_open(&f);
	as_perf_set_enable(&f.set, false);
	nanosleep(&(struct timespec){0, 20000000}, NULL);
	fake_list(&f, "0-4095\n");
	assert_false(as_perf_cpus_look(&f.set, 0));
	assert_true(f.set.going);
	assert_true(as_perf_cpus_look(&f.set, UINT64_MAX));
	assert_false(f.set.going);
	assert_int_equal(fake_open(&f), n);
	assert_true(f.set.unseen_ns >= 20000000);
	while (!fake_has_samples(&f))
		;
	fake_end(&f);
}

int perf_cpus_tests(void);

int perf_cpus_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_are_as_many_as_periods_have_passed),
		cmocka_unit_test(test_work_in_step_with_the_period_has_its_share),
		cmocka_unit_test(test_a_period_lasts_a_while),
		cmocka_unit_test(test_lists_of_processors),
		cmocka_unit_test(test_processors_go_and_come_back),
		cmocka_unit_test(test_an_event_that_stands_still_is_replaced),
	};

	return cmocka_run_group_tests_name("perf_cpus", tests, NULL, NULL);
}
