/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_cpus.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "record/perf_setup.h"

#define LOOK_NS UINT64_C(1000000000)
#define LASTS_NS (4 * LOOK_NS)    /* a period does, at least */
#define VARIED_NS UINT64_C(20000) /* the kernel has a least period: shorter ones stay as they are */

/* ---- when samples come ---- */

/*
 * A period lasts four seconds or so, as to change one interrupts its processor, and makes DRIFT to
 * twice as many samples more or fewer in that time:
 * whatever is in step with the mean is met at all points of itself. The next one makes up for that,
 * but does no more than one in SLOWLY at once.
 */
enum { DRIFT = 4, LEAST = 64, SLOWLY = 8 };

static uint64_t beat_span(uint64_t mean)
{
	return LEAST * mean > LASTS_NS ? LEAST * mean : LASTS_NS;
}

static void beat_choose(struct as_perf_beat *beat, uint64_t now, uint64_t mean, uint64_t random)
{
	int64_t span = (int64_t)beat_span(mean), most = span / SLOWLY, more = beat->owed;
	int64_t drift = (int64_t)(DRIFT * mean + (random >> 1) % (DRIFT * mean));

	if (more <= (int64_t)mean && more >= -(int64_t)mean)
		more += random & 1 ? drift : -drift;
	more = more > most ? most : more < -most ? -most : more;
	beat->began = now;
	beat->period = (uint64_t)((as_uval)mean * (as_uval)span / (as_uval)(span + more));
}

void as_perf_beat_begin(struct as_perf_beat *beat, uint64_t now, uint64_t mean, uint64_t random)
{
	as_assert(mean);
	beat->owed = 0;
	beat_choose(beat, now, mean, random);
}

bool as_perf_beat_next(struct as_perf_beat *beat, uint64_t now, uint64_t mean, uint64_t random)
{
	uint64_t span = beat_span(mean), passed = now - beat->began;

	as_assert(mean && beat->period && now >= beat->began);
	if (passed < span - span / SLOWLY)
		return false;
	beat->owed += (int64_t)(passed - passed / beat->period * mean);
	beat_choose(beat, now, mean, random);
	return true;
}

/* Only where nothing corrects the number of samples afterwards. Others: as_perf_set_vary(). */
static uint64_t cpus_mean(const struct as_perf_set *set, const struct as_perf_cpu *cpu, int *fd)
{
	uint64_t mean = set->clock == AS_PERF_CPU_CLOCK ? set->period : 0;

	*fd = cpu->fd;
	if (!set->machine || cpu->side || cpu->fd < 0)
		return 0;
	if (set->columns.n)
		mean = as_perf_columns_clock(&set->columns, cpu->cpu, fd);
	return mean >= VARIED_NS ? mean : 0;
}

static uint64_t cpus_random(struct as_perf_set *set, const struct as_perf_cpu *cpu)
{
	set->random = as_hash_mix(set->random + 1, (uint64_t)cpu->cpu);
	return set->random;
}

static void cpus_vary(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	int fd;
	uint64_t mean = cpus_mean(set, cpu, &fd);

	if (mean && as_perf_beat_next(&cpu->beat, as_perf_now(), mean, cpus_random(set, cpu)))
		ioctl(fd, PERF_EVENT_IOC_PERIOD, &cpu->beat.period);
}

void as_perf_cpus_begin(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	int fd;
	uint64_t mean = cpus_mean(set, cpu, &fd);

	cpu->looked = cpu->unseen = as_perf_now();
	cpu->enabled = 0;
	if (!mean)
		return;
	as_perf_beat_begin(&cpu->beat, cpu->looked, mean, cpus_random(set, cpu));
	ioctl(fd, PERF_EVENT_IOC_PERIOD, &cpu->beat.period);
}

/* ---- which processors there are ---- */

bool as_perf_cpus_listed(struct as_slice list, int cpu)
{
	struct as_slice range;

	list.len = as_slice_find(list, '\n');
	while (as_slice_cut(&list, ',', &range)) {
		struct as_slice first;
		uint64_t from, to;

		if (!as_slice_cut(&range, '-', &first) || !as_slice_dec(first, &from))
			continue;
		if (!range.len || !as_slice_dec(range, &to))
			to = from;
		if ((uint64_t)cpu >= from && (uint64_t)cpu <= to)
			return true;
	}
	return false;
}

/* Of length 0 where it can't be had. */
static struct as_slice cpus_online(const struct as_perf_set *set, char *text, size_t size)
{
	int fd = open(set->online, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, size) : 0;

	if (fd >= 0)
		close(fd);
	return (struct as_slice){text, n > 0 ? (size_t)n : 0};
}

/* ---- an event and its processor ---- */

static uint64_t cpus_enabled(const struct as_perf_cpu *cpu)
{
	uint64_t v[4] = {0}; /* the count, how long it was enabled, perhaps more */

	return read(cpu->fd, v, sizeof(v)) > (ssize_t)sizeof(*v) ? v[1] : 0;
}

/*
 * The kernel takes events off a processor that goes, as all but one do when the machine is put to
 * sleep, and does not put them back. Such an event is as any other, but its time stands still.
 */
static void cpus_check(struct as_perf_cpu *cpu, bool listed)
{
	uint64_t before = as_perf_now(), enabled = cpus_enabled(cpu);
	uint64_t ran = enabled > cpu->enabled ? enabled - cpu->enabled : 0;
	uint64_t passed = before - cpu->looked;

	if (!listed || ran < passed - passed / 16) {
		cpu->gone = as_perf_now();
		cpu->unseen = cpu->looked + ran;
	}
	cpu->looked = as_perf_now();
	cpu->enabled = enabled;
}

/* If it fails, that is tried again at the next look. */
static bool cpus_open(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	struct as_err why = AS_ERR_NONE, *err = set->err;
	uint64_t unseen = cpu->unseen;
	enum as_code rc;

	set->err = &why;
	rc = as_perf_set_open_cpu(set, cpu);
	set->err = err;
	if (rc != AS_OK)
		as_perf_set_drop_cpu(set, cpu);
	cpu->unseen = as_perf_now();
	if (!cpu->side && (rc != AS_OK || cpu->fd >= 0))
		set->unseen_ns += cpu->unseen - unseen;
	return cpu->fd >= 0;
}

static bool cpus_look(struct as_perf_set *set, struct as_perf_cpu *cpu, bool listed, uint64_t taken)
{
	bool came = false;

	if (cpu->fd >= 0 && !cpu->gone)
		cpus_check(cpu, listed);
	if (cpu->gone && cpu->gone <= taken)
		as_perf_set_drop_cpu(set, cpu);
	if (!listed)
		cpu->unseen = as_perf_now();
	else if (cpu->fd < 0)
		came = cpus_open(set, cpu);
	else if (!cpu->gone)
		cpus_vary(set, cpu);
	set->going |= cpu->gone != 0;
	return came;
}

bool as_perf_cpus_look(struct as_perf_set *set, uint64_t taken)
{
	uint64_t now = as_perf_now();
	struct as_slice list;
	bool came = false;
	char text[4096];

	if (!set->whole || (!set->going && now - set->looked < LOOK_NS))
		return false;
	set->looked = now;
	set->going = false;
	list = cpus_online(set, text, sizeof(text));
	for (size_t i = 0; i < set->cpu.n; i++) {
		struct as_perf_cpu *cpu = &set->cpu.p[i];
		bool listed = !list.len || as_perf_cpus_listed(list, cpu->cpu);

		came |= cpus_look(set, cpu, listed, taken);
	}
	return came;
}
