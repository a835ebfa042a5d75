/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/events/perf_columns.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NS_PER_US = 1000, US_PER_S = 1000000, FORMAT_LOST = 1 << 4 /* since Linux 6.0 */ };

void as_perf_columns_init(struct as_perf_columns *c, const struct as_alloc *al)
{
	*c = (struct as_perf_columns){.al = al};
	as_index_init(&c->ids, al);
}

void as_perf_columns_release(struct as_perf_columns *c)
{
	as_vec_free(c->al, &c->opened);
	as_index_release(&c->ids);
}

/* ---- what is counted ---- */

/* As perf_setup.c has it of the clock: a little shorter than a round one. */
static uint64_t columns_time(uint32_t hz)
{
	uint64_t us = (US_PER_S + hz / 2) / hz;

	return us - (us * 62 + 5000) / 10000;
}

void as_perf_columns_plan(
	struct as_perf_columns *c, const struct as_perf_events *events, uint32_t hz, bool fixed)
{
	as_assert(events->n <= AS_PERF_EVENTS_MAX && hz);
	c->n = events->n;
	for (uint32_t i = 0; i < c->n; i++) {
		const struct as_perf_kind *kind = events->row[i].kind;
		uint64_t period = events->row[i].period, asked = period;

		if (!period && kind->time)
			period = columns_time(hz);
		else if (!period && (fixed || kind->type == PERF_TYPE_SOFTWARE))
			period = kind->often / hz ? kind->often / hz : 1;
		c->row[i] = (struct as_perf_column){kind, period, !asked};
	}
}

bool as_perf_columns_vary(const struct as_perf_columns *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (!c->row[i].period)
			return true;
	return false;
}

void as_perf_columns_text(const struct as_perf_columns *c, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < c->n && n < size; i++) {
		const struct as_perf_column *row = &c->row[i];

		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", row->kind->name);
		if (row->period && !row->by_frequency && n < size)
			n += (size_t)snprintf(text + n, size - n, ":%" PRIu64, row->period);
	}
}

void as_perf_columns_fill(
	const struct as_perf_columns *c, uint32_t column, uint32_t hz, struct perf_event_attr *attr)
{
	const struct as_perf_column *row = &c->row[column];

	as_assert(column < c->n);
	attr->type = row->kind->type;
	attr->config = row->kind->config;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!c->no_lost)
		attr->read_format |= FORMAT_LOST;
	if (row->period) {
		attr->sample_period = row->kind->time ? NS_PER_US * row->period : row->period;
	} else {
		attr->freq = 1;
		attr->sample_freq = hz;
	}
}

/* ---- whose a sample is ---- */

bool as_perf_columns_note(struct as_perf_columns *c, const struct as_perf_opened *opened)
{
	as_assert(opened->column < c->n);
	return as_index_add(&c->ids, as_hash_mix(opened->id, 0), (uint32_t)c->opened.n) &&
	       as_vec_push(c->al, &c->opened, *opened);
}

bool as_perf_columns_add(struct as_perf_columns *c, int fd, int cpu, uint32_t column)
{
	struct as_perf_opened one = {.fd = fd, .cpu = cpu, .column = column};

	if (ioctl(fd, PERF_EVENT_IOC_ID, &one.id))
		one.id = 0;
	return as_perf_columns_note(c, &one);
}

bool as_perf_columns_has(const struct as_perf_columns *c, int cpu, int fd)
{
	for (size_t i = 0; i < c->opened.n; i++)
		if (c->opened.p[i].cpu == cpu && c->opened.p[i].fd == fd)
			return true;
	return false;
}

uint64_t as_perf_columns_clock(const struct as_perf_columns *c, int cpu, int *fd)
{
	for (size_t i = 0; i < c->opened.n; i++) {
		const struct as_perf_opened *one = &c->opened.p[i];
		const struct as_perf_column *row = &c->row[one->column];

		if (one->cpu != cpu || one->fd < 0 || !row->kind->time)
			continue;
		*fd = one->fd;
		return NS_PER_US * row->period;
	}
	return 0;
}

/* Their records may still be in the ring: the number stays known. */
void as_perf_columns_forget(struct as_perf_columns *c, int cpu)
{
	for (size_t i = 0; i < c->opened.n; i++)
		if (c->opened.p[i].cpu == cpu)
			c->opened.p[i].fd = -1;
}

bool as_perf_columns_find(const struct as_perf_columns *c, uint64_t id, uint32_t *column)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&c->ids, as_hash_mix(id, 0), &at, &row))
		if (c->opened.p[row].id == id) {
			*column = c->opened.p[row].column;
			return true;
		}
	return false;
}

/* ---- how much of the time ---- */

static void columns_look_at(struct as_perf_opened *one, struct as_perf_times *sum)
{
	uint64_t v[4] = {0}; /* the count, the times, and those that were lost, if that is said */

	if (one->fd < 0 || read(one->fd, v, sizeof(v)) < (ssize_t)(3 * sizeof(v[0])) ||
		v[1] < one->enabled || v[2] < one->running || v[3] < one->lost)
		return;
	sum->enabled += v[1] - one->enabled;
	sum->running += v[2] - one->running;
	sum->lost += v[3] - one->lost;
	one->enabled = v[1];
	one->running = v[2];
	one->lost = v[3];
}

void as_perf_columns_look(struct as_perf_columns *c, struct as_perf_times times[])
{
	for (size_t i = 0; i < c->opened.n; i++)
		columns_look_at(&c->opened.p[i], &times[c->opened.p[i].column]);
}

/* By their shares: records tell of them later than the events do. */
bool as_perf_columns_lost(const struct as_perf_columns *c, const struct as_perf_times times[],
	uint64_t n, uint64_t lost[])
{
	as_uval all = 0, sum = 0;

	for (uint32_t i = 0; i < c->n; i++)
		all += times[i].lost;
	for (uint32_t i = 0; i < c->n && all; i++) {
		uint64_t before = (uint64_t)(sum * n / all);

		sum += times[i].lost;
		lost[i] = (uint64_t)(sum * n / all) - before;
	}
	return all > 0;
}

uint32_t as_perf_active(const struct as_perf_times *t)
{
	uint32_t part;

	if (t->running >= t->enabled)
		return AS_PERF_ACTIVE_ALL;
	part = (uint32_t)(((as_uval)t->running * AS_PERF_ACTIVE_ALL + t->enabled / 2) / t->enabled);
	return part ? part : 1;
}
