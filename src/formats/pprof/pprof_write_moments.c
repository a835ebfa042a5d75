/* SPDX-License-Identifier: Apache-2.0 */
/* When samples were counted, and the parts that they are of: see pprof_moments.c. */
#include "formats/pprof/pprof_write.h"

enum { VALUES = 8, MOMENT_MAX = 1 + 5 * AS_PB_VARINT_MAX };

/* ---- parts ---- */

static void write_moments_part(struct as_pb_write *w, const struct as_part *p)
{
	const struct as_profile *prof = w->prof;

	w->sub.data.n = 0;
	as_pb_put_number(&w->sub, PB_PART_NAME, as_pb_str_of(w, as_str_get(prof, p->name)));
	as_pb_put_number(&w->sub, PB_PART_COMMAND, as_pb_str_of(w, as_str_get(prof, p->command)));
	as_pb_put_number(&w->sub, PB_PART_CREATOR, as_pb_str_of(w, as_str_get(prof, p->creator)));
	as_pb_put_number(&w->sub, PB_PART_THREAD, as_pb_str_of(w, as_str_get(prof, p->thread)));
	if (p->has_pid)
		as_pb_put_always(&w->sub, PB_PART_PID, p->pid);
	if (p->has_tid)
		as_pb_put_always(&w->sub, PB_PART_TID, p->tid);
	if (p->has_number)
		as_pb_put_always(&w->sub, PB_PART_NUMBER, p->number);
	as_pb_put_bytes(&w->msg, PB_MOMENTS_PART, as_pb_bytes(&w->sub));
}

/* ---- moments ---- */

static uint64_t write_moments_zigzag(uint64_t v)
{
	return v << 1 ^ (0 - (v >> 63));
}

struct last {
	int64_t time, value[VALUES];
	uint64_t sample, type;
};

/* M of a sample and a type, at P, where there is room for it. Returns the end. */
static char *write_moments_pack(
	char *p, const struct as_moment *m, uint64_t sample, uint64_t type, struct last *last)
{
	int64_t *value = &last->value[type % VALUES];
	unsigned head = 0;
	char *start = p++;

	head |= type != last->type ? PB_MOMENT_TYPE : 0;
	head |= sample != last->sample ? PB_MOMENT_SAMPLE : 0;
	head |= m->value != *value ? PB_MOMENT_VALUE : 0;
	if (m->duration)
		head |= m->value > 0 && m->duration == (uint64_t)m->value ? PB_MOMENT_PASSED
									  : PB_MOMENT_DURATION;
	*start = (char)head;
	p = as_pb_put_varint(p, (uint64_t)m->time - (uint64_t)last->time);
	p = head & PB_MOMENT_TYPE ? as_pb_put_varint(p, type) : p;
	if (head & PB_MOMENT_SAMPLE)
		p = as_pb_put_varint(p, write_moments_zigzag(sample - last->sample));
	if (head & PB_MOMENT_VALUE)
		p = as_pb_put_varint(p, write_moments_zigzag((uint64_t)m->value));
	p = head & PB_MOMENT_DURATION ? as_pb_put_varint(p, m->duration) : p;
	last->time = m->time;
	last->sample = sample;
	last->type = type;
	*value = m->value;
	return p;
}

static bool write_moments_table(struct as_pb_write *w, struct as_pb_buf *to, uint32_t *type)
{
	struct as_moments_cur cur;
	struct last last = {0};
	size_t row;

	for (size_t k = 0; k < w->prof->event.n; k++)
		type[as_event_in_column(w->prof, (uint32_t)k)] = (uint32_t)k;
	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		char *end;

		if (!as_moments_sample(w->prof, cur.at.part, cur.at.node, &row))
			continue;
		if (!as_vec_reserve(w->al, &to->data, to->data.n + MOMENT_MAX))
			return false;
		end = write_moments_pack(to->data.p + to->data.n, &cur.at, w->record[row],
			type[cur.at.event], &last);
		to->data.n = (size_t)(end - to->data.p);
	}
	return true;
}

enum as_code as_pb_put_moments(struct as_pb_write *w)
{
	struct as_pb_buf table = {.al = w->al};
	uint32_t *type;

	if (!as_alloc_array(w->al, &type, w->prof->event.n) ||
		!write_moments_table(w, &table, type))
		return as_err_no_memory(w->wr->err);
	as_pb_put_number(&w->msg, PB_MOMENTS_MAGIC, PB_MOMENTS_IS);
	for (size_t i = 0; i < w->prof->part.n; i++)
		write_moments_part(w, &w->prof->part.p[i]);
	as_pb_put_bytes(&w->msg, PB_MOMENTS_TABLE, as_pb_bytes(&table));
	return AS_OK;
}
