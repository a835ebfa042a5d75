/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When samples were counted: a field of our writer's, docs/formats/pprof.md. It has the parts,
 * which the format has no room for, and the moments that the samples are the sums of.
 */
#include "formats/pprof/pprof.h"

enum { VALUES = 8 };

struct as_pb_moment {
	int64_t time, value;
	uint64_t duration, sample, type;
	int64_t last[VALUES]; /* values, by the last bits of their type */
};

bool as_pb_is_moments(struct as_pb_read *r, const struct as_pb_field *f)
{
	struct as_pb_cur cur = f->data;
	struct as_pb_field first;
	const char *why;

	if (f->type != AS_PB_BYTES || r->moments.p || as_pb_next(&cur, &first, &why) != AS_OK ||
		first.number != PB_MOMENTS_MAGIC || first.type != AS_PB_VARINT ||
		first.v != PB_MOMENTS_IS)
		return false;
	r->moments = cur;
	return true;
}

/* ---- parts ---- */

static enum as_code moments_read_part(
	struct as_pb_read *r, struct as_part *part, const struct as_pb_field *f)
{
	struct as_pb_at at = {"part", r->own.n, NULL};
	uint64_t off = (uint64_t)(f->start - r->base), v;

	AS_TRY(as_pb_number(r, f, &at, &v));
	switch (f->number) {
	case PB_PART_NAME:
		return as_pb_str(r, v, &at, off, &part->name);
	case PB_PART_COMMAND:
		return as_pb_str(r, v, &at, off, &part->command);
	case PB_PART_CREATOR:
		return as_pb_str(r, v, &at, off, &part->creator);
	case PB_PART_THREAD:
		return as_pb_str(r, v, &at, off, &part->thread);
	case PB_PART_PID:
		part->has_pid = true;
		part->pid = v;
		return AS_OK;
	case PB_PART_TID:
		part->has_tid = true;
		part->tid = v;
		return AS_OK;
	default:
		part->has_number |= f->number == PB_PART_NUMBER;
		part->number = f->number == PB_PART_NUMBER ? v : part->number;
		return AS_OK;
	}
}

/* The first is the part of the file itself, the others are like it. */
static enum as_code moments_add_part(struct as_pb_read *r, struct as_pb_cur msg)
{
	struct as_build *b = r->rd->out;
	struct as_part part = b->prof->part.p[0];
	struct as_pb_at at = {"part", r->own.n + 1, NULL};
	struct as_pb_field f;
	uint32_t i = 0;
	enum as_code rc;

	if (r->own.n)
		AS_TRY(as_build_part(b, &i));
	AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->own, i)));
	part.has_pid = part.has_tid = part.has_number = false;
	part.pid = part.tid = part.number = 0;
	part.command = part.thread = (as_str){0};
	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK)
		AS_TRY(moments_read_part(r, &part, &f));
	b->prof->part.p[i] = part;
	return rc == AS_END ? AS_OK : rc;
}

/* The messages of field NUMBER: the table, or each part. */
static enum as_code moments_read(struct as_pb_read *r, uint32_t number)
{
	struct as_pb_at at = {"moments", 0, NULL};
	struct as_pb_cur cur = r->moments;
	struct as_pb_field f;
	enum as_code rc;

	while ((rc = as_pb_get(r, &cur, &f, &at)) == AS_OK) {
		AS_TRY(as_pb_is_bytes(r, &f, &at));
		if (f.number != number)
			continue;
		if (number == PB_MOMENTS_PART)
			AS_TRY(moments_add_part(r, f.data));
		else
			r->table = f.data;
	}
	return rc == AS_END ? AS_OK : rc;
}

/* Without moments there are no parts, either. */
enum as_code as_pb_begin_moments(struct as_pb_read *r)
{
	if (!r->moments.p)
		return AS_OK;
	AS_TRY(moments_read(r, PB_MOMENTS_TABLE));
	if (r->table.p == r->table.end)
		return AS_OK;
	AS_TRY(moments_read(r, PB_MOMENTS_PART));
	if (r->rd->out->keep_moments && r->into == AS_PB_INTO_PATHS)
		while (r->node.n < r->n_samples)
			AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->node, 0)));
	return AS_OK;
}

/* ---- moments ---- */

static uint64_t moments_signed(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

/* False: the table is damaged at CUR. */
static bool moments_next(struct as_pb_cur *cur, struct as_pb_moment *m)
{
	const uint8_t **p = &cur->p, *end = cur->end;
	unsigned head = *(*p)++;
	uint64_t v;

	if (!as_pb_varint(p, end, &v))
		return false;
	m->time = (int64_t)((uint64_t)m->time + v);
	if (head & PB_MOMENT_TYPE && !as_pb_varint(p, end, &m->type))
		return false;
	v = 0;
	if (head & PB_MOMENT_SAMPLE && !as_pb_varint(p, end, &v))
		return false;
	m->sample += moments_signed(v);
	if (head & PB_MOMENT_VALUE) {
		if (!as_pb_varint(p, end, &v))
			return false;
		m->last[m->type % VALUES] = (int64_t)moments_signed(v);
	}
	m->value = m->last[m->type % VALUES];
	m->duration = head & PB_MOMENT_PASSED ? (uint64_t)m->value : 0;
	return !(head & PB_MOMENT_DURATION) || as_pb_varint(p, end, &m->duration);
}

/* Where samples were left out, those that are there do not tell which they are. */
enum as_code as_pb_end_moments(struct as_pb_read *r)
{
	struct as_build *b = r->rd->out;
	struct as_pb_moment m = {0};
	bool all = r->node.n && r->part.n == r->n_samples;

	b->has_zero = r->moments.p != NULL;
	while (r->table.p < r->table.end) {
		const uint8_t *at = r->table.p;
		struct as_moment one;

		if (!moments_next(&r->table, &m) || m.sample >= r->n_samples || m.type >= r->type.n)
			return as_pb_fail(
				r, AS_E_FORMAT, at, NULL, "the table of moments is damaged");
		if (!all) {
			b->prof->moments.left++;
			continue;
		}
		one = (struct as_moment){.time = m.time,
			.duration = m.duration,
			.value = m.value,
			.part = r->part.p[m.sample],
			.event = r->event.p[m.type],
			.node = {r->node.p[m.sample]}};
		AS_TRY(as_build_moment(b, &one));
	}
	return AS_OK;
}
