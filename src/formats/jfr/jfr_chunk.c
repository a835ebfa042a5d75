/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk: a header, and events one after the other, among them the types (0)
 * and pools (1). What the header says of a chunk that nobody finished is not to
 * be trusted; its events are.
 */
#include "formats/jfr/jfr.h"

#include <stdio.h>

enum { FLAG_COMPRESSED = 1, FLAG_ODD_TICKS = 4, TYPE_META = 0, TYPE_CHECKPOINT = 1 };

/* ---- the header ---- */

static void jfr_chunk_header(struct as_jfr_chunk *c, const uint8_t *p)
{
	struct as_jfr_cur cur = {p + JFR_MAGIC, p + JFR_HEADER, true};
	uint64_t v[12] = {0};
	static const uint8_t width[] = {2, 2, 8, 8, 8, 8, 8, 8, 8, 1, 1, 2};

	for (size_t i = 0; i < AS_ARRAY_LEN(width); i++)
		(void)as_jfr_big(&cur, width[i], &v[i]);
	c->major = (uint16_t)v[0];
	c->minor = (uint16_t)v[1];
	c->size = v[2];
	c->checkpoint = v[3];
	c->meta = v[4];
	c->start = (int64_t)v[5];
	c->duration = (int64_t)v[6];
	c->start_ticks = v[7];
	c->ticks_per_second = v[8];
	c->generation = (uint8_t)v[9];
	c->fixed = !(v[11] & FLAG_COMPRESSED);
	c->odd_ticks = (v[11] & FLAG_ODD_TICKS) != 0;
}

static bool jfr_chunk_is_magic(const uint8_t *p, const uint8_t *end)
{
	return end - p >= JFR_MAGIC && memcmp(p, AS_JFR_MAGIC, JFR_MAGIC) == 0;
}

/* Version 0 is that of Oracle's JDK 7 and 8, and another format. */
static enum as_code jfr_chunk_check_version(struct as_jfr_chunk *c)
{
	if (c->major == 0)
		return as_rd_fail(c->r->rd, AS_E_UNSUPPORTED, c->off + JFR_MAGIC, 0,
			"version 0.%u of JFR, as Oracle's JDK 7 and 8 write it; "
			"1.x and 2.x are "
			"read",
			(unsigned)c->minor);
	if (c->major > 2)
		return as_rd_fail(c->r->rd, AS_E_UNSUPPORTED, c->off + JFR_MAGIC, 0,
			"version %u.%u of JFR; 1.x and 2.x are read", (unsigned)c->major,
			(unsigned)c->minor);
	return AS_OK;
}

static enum as_code jfr_chunk_version(const struct as_jfr_chunk *c)
{
	struct as_build *b = c->r->rd->out;
	char text[24];

	snprintf(text, sizeof(text), "%u.%u", (unsigned)c->major, (unsigned)c->minor);
	return as_build_str(b, as_slice_of(text), &b->prof->version);
}

/* ---- how far it goes ---- */

/* N bytes of the input, or all that are left. */
static enum as_code jfr_chunk_load(struct as_in *in, uint64_t n, struct as_slice *s)
{
	AS_TRY(as_in_peek(in, 0, s));
	while (s->len < n && !in->eof)
		AS_TRY(as_in_peek(in, s->len + 1, s));
	if (s->len > n)
		s->len = (size_t)n;
	return AS_OK;
}

/* The bytes of the chunk, and perhaps more: one that was not finished goes on
 * to the end of the input, or to the next chunk. */
static enum as_code jfr_chunk_bytes(struct as_jfr_chunk *c)
{
	struct as_in *in = c->r->rd->in;
	bool sound = c->size >= JFR_HEADER && c->size <= SIZE_MAX / 2;
	struct as_slice s;

	AS_TRY(jfr_chunk_load(in, sound ? c->size + JFR_MAGIC : SIZE_MAX / 2, &s));
	c->base = (const uint8_t *)s.p;
	c->end = c->base + s.len;
	if (sound && s.len >= c->size &&
		(!c->generation || s.len == c->size ||
			jfr_chunk_is_magic(c->base + c->size, c->end))) {
		c->end = c->base + c->size;
		return AS_OK;
	}
	if (sound && s.len >= c->size) {
		AS_TRY(jfr_chunk_load(in, SIZE_MAX / 2, &s));
		c->base = (const uint8_t *)s.p;
		c->end = c->base + s.len;
	}
	c->cut = true;
	as_rd_partial(c->r->rd);
	if (c->generation || !c->meta || !c->checkpoint)
		return AS_OK;
	return as_rd_find(c->r->rd, AS_F_JFR_CUT, c->off, 0,
		"chunk %" PRIu32 " has %" PRIu64 " bytes by its header; %zu are left",
		c->r->n_chunks, c->size, s.len);
}

static enum as_code jfr_chunk_unfinished(struct as_jfr_chunk *c)
{
	if (!c->generation && c->meta && c->checkpoint)
		return AS_OK;
	as_rd_partial(c->r->rd);
	return as_rd_find(c->r->rd, AS_F_JFR_UNFINISHED, c->off, 0,
		"the recorder did not finish chunk %" PRIu32 ": what is there was read",
		c->r->n_chunks);
}

/* ---- events ---- */

struct event {
	uint64_t type;
	const uint8_t *p;       /* where it begins */
	struct as_jfr_cur body; /* behind size and type */
};

/* The event at P. False: there is none. */
static bool jfr_chunk_event(const struct as_jfr_chunk *c, const uint8_t *p, struct event *e)
{
	struct as_jfr_cur cur = as_jfr_at(c, p);
	uint64_t size;

	e->p = p;
	if (!as_jfr_number(&cur, JFR_INT, &size) || size > (uint64_t)(c->end - p) ||
		p + size <= cur.p)
		return false;
	cur.end = p + size;
	if (!as_jfr_number(&cur, JFR_LONG, &e->type))
		return false;
	e->body = cur;
	return true;
}

/* Where the next event would begin; NULL where the events end: at the end, at
 * the next chunk, or at what is no event. */
static bool jfr_chunk_next(const struct as_jfr_chunk *c, const uint8_t **p, struct event *e)
{
	if (*p >= c->end || (c->cut && jfr_chunk_is_magic(*p, c->end)) ||
		!jfr_chunk_event(c, *p, e))
		return false;
	*p = e->body.end;
	return true;
}

/* The types: where the header says, or else the last ones that can be read.
 * AS_END: nowhere. */
static enum as_code jfr_chunk_meta(struct as_jfr_chunk *c)
{
	const uint8_t *p = c->base + JFR_HEADER, *last = NULL;
	enum as_code rc = AS_E_FORMAT;
	struct event e;

	if (c->meta >= JFR_HEADER && c->meta < (uint64_t)(c->end - c->base))
		rc = as_jfr_read_meta(c, c->base + c->meta);
	if (rc != AS_E_FORMAT)
		return rc;
	while (jfr_chunk_next(c, &p, &e)) {
		if (e.type != TYPE_META)
			continue;
		rc = as_jfr_read_meta(c, e.p);
		if (rc == AS_OK)
			last = e.p;
		else if (rc != AS_E_FORMAT)
			return rc;
	}
	return last ? as_jfr_read_meta(c, last) : AS_END;
}

static enum as_code jfr_chunk_no_meta(struct as_jfr_chunk *c)
{
	const uint8_t *p = c->base + JFR_HEADER;
	struct event e;
	uint64_t n = 0;

	while (jfr_chunk_next(c, &p, &e))
		n++;
	as_rd_partial(c->r->rd);
	if (c->cut && jfr_chunk_is_magic(p, c->end))
		c->end = p;
	return as_rd_find(c->r->rd, AS_F_JFR_NO_TYPES, c->off, 0,
		"chunk %" PRIu32 " does not say what its events are: %" PRIu64 " %s left out",
		c->r->n_chunks, n, n == 1 ? "was" : "were");
}

static enum as_code jfr_chunk_checkpoint(struct as_jfr_chunk *c, const struct event *e)
{
	enum as_code rc = as_jfr_read_checkpoint(c, e->body);

	if (rc != AS_E_FORMAT)
		return rc;
	as_rd_partial(c->r->rd);
	return as_rd_find(c->r->rd, AS_F_JFR_POOL_DAMAGED, as_jfr_off(c, e->p), 0,
		"the pools of a checkpoint cannot be read to their end");
}

static enum as_code jfr_chunk_take(struct as_jfr_chunk *c, const struct event *e)
{
	uint32_t row, plan;
	enum as_code rc;

	if (e->type == TYPE_CHECKPOINT)
		return jfr_chunk_checkpoint(c, e);
	if (e->type == TYPE_META)
		return AS_OK;
	row = as_jfr_class_row(c, e->type);
	plan = row == UINT32_MAX ? 0 : c->class.p[row].plan;
	if (!plan)
		return AS_OK;
	if (c->plan.p[plan - 1].fact)
		return as_jfr_keep_fact(c, plan - 1, e->body);
	rc = as_jfr_count_event(c, plan - 1, e->body);
	if (rc != AS_E_FORMAT)
		return rc;
	as_rd_partial(c->r->rd);
	return as_rd_find(c->r->rd, AS_F_JFR_EVENT_DAMAGED, as_jfr_off(c, e->p), 0,
		"an event of %.*s is shorter than its fields; it was left out",
		AS_SLICE_FMT(c->class.p[row].name));
}

/* The checkpoints behind P, where events broke off: the header names the last
 * one, each the one before. The newest values hold, so the oldest come first.
 */
static enum as_code jfr_chunk_rescue(struct as_jfr_chunk *c, const uint8_t *p)
{
	uint64_t at = c->checkpoint, start, duration, delta;
	AS_VEC(const uint8_t *) found = {0};
	struct event e;

	while (at > (uint64_t)(p - c->base) && at < (uint64_t)(c->end - c->base) &&
		jfr_chunk_event(c, c->base + at, &e) && e.type == TYPE_CHECKPOINT) {
		AS_TRY(as_err_memory(c->r->rd->err, as_vec_push(c->al, &found, c->base + at)));
		if (!as_jfr_number(&e.body, JFR_LONG, &start) ||
			!as_jfr_number(&e.body, JFR_LONG, &duration) ||
			!as_jfr_number(&e.body, JFR_LONG, &delta) || (int64_t)delta >= 0)
			break;
		at += delta;
	}
	while (found.n--)
		if (jfr_chunk_event(c, found.p[found.n], &e))
			AS_TRY(jfr_chunk_checkpoint(c, &e));
	return AS_OK;
}

static enum as_code jfr_chunk_events(struct as_jfr_chunk *c)
{
	const uint8_t *p = c->base + JFR_HEADER;
	bool next;
	struct event e;

	while (jfr_chunk_next(c, &p, &e))
		AS_TRY(jfr_chunk_take(c, &e));
	next = p >= c->end || (c->cut && jfr_chunk_is_magic(p, c->end));
	if (!next) {
		AS_TRY(jfr_chunk_rescue(c, p));
		as_rd_partial(c->r->rd);
		if (!c->cut)
			AS_TRY(as_rd_find(c->r->rd, AS_F_JFR_EVENT_DAMAGED, as_jfr_off(c, p), 0,
				"here is no event of a possible size: %zu bytes of the chunk were "
				"left out",
				(size_t)(c->end - p)));
	}
	if (c->cut && next)
		c->end = p;
	AS_TRY(as_jfr_put_tallies(c));
	return as_jfr_put_facts(c);
}

/* ---- all of it ---- */

static enum as_code jfr_chunk_ticks(struct as_jfr_chunk *c)
{
	if (c->ticks_per_second && !c->odd_ticks)
		return AS_OK;
	return as_rd_find(c->r->rd, AS_F_JFR_TICKS, c->off, 0,
		"how long a tick takes is not known in chunk %" PRIu32 ": times in ticks are 0",
		c->r->n_chunks);
}

static void jfr_chunk_times(const struct as_jfr_chunk *c)
{
	struct as_jfr_read *r = c->r;
	int64_t end = c->start;

	if (c->start <= 0)
		return;
	if (c->duration > 0 && c->duration <= INT64_MAX - c->start)
		end += c->duration;
	if (!r->has_start || c->start < r->start)
		r->start = c->start;
	if (!r->has_start || end > r->end)
		r->end = end;
	r->has_start = true;
}

static enum as_code jfr_chunk_read(struct as_jfr_chunk *c)
{
	enum as_code rc;

	AS_TRY(jfr_chunk_bytes(c));
	AS_TRY(jfr_chunk_unfinished(c));
	AS_TRY(jfr_chunk_ticks(c));
	jfr_chunk_times(c);
	rc = jfr_chunk_meta(c);
	if (rc == AS_END)
		return jfr_chunk_no_meta(c);
	AS_TRY(rc);
	AS_TRY(as_jfr_make_plans(c));
	return jfr_chunk_events(c);
}

/* What follows a chunk is another one. */
static enum as_code jfr_chunk_none(struct as_jfr_read *r, struct as_slice s)
{
	bool magic = jfr_chunk_is_magic((const uint8_t *)s.p, (const uint8_t *)s.p + s.len);

	if (!r->n_chunks && !magic)
		return as_rd_fail(r->rd, s.len ? AS_E_NOTPROFILE : AS_E_TRUNC, r->rd->in->off, 0,
			s.len ? "no recording of JFR: it does not begin with 'FLR'"
			      : "the file is empty");
	if (!r->n_chunks)
		return as_rd_fail(r->rd, AS_E_TRUNC, r->rd->in->off, 0,
			"the header of a chunk has %d bytes; the file ends after %zu", JFR_HEADER,
			s.len);
	as_rd_partial(r->rd);
	AS_TRY(as_rd_find(r->rd, AS_F_JFR_CUT, r->rd->in->off, 0,
		magic ? "the file ends inside the header of a chunk"
		      : "what follows the last chunk is none"));
	return AS_END;
}

enum as_code as_jfr_read_chunk(struct as_jfr_read *r)
{
	struct as_jfr_chunk c = {.r = r, .off = r->rd->in->off, .text_class = UINT32_MAX};
	struct as_slice s;
	enum as_code rc;

	AS_TRY(as_in_peek(r->rd->in, JFR_HEADER, &s));
	if (r->n_chunks && !s.len)
		return AS_END;
	if (s.len < JFR_HEADER || memcmp(s.p, AS_JFR_MAGIC, JFR_MAGIC) != 0)
		return jfr_chunk_none(r, s);
	jfr_chunk_header(&c, (const uint8_t *)s.p);
	AS_TRY(jfr_chunk_check_version(&c));
	if (!r->n_chunks++)
		AS_TRY(jfr_chunk_version(&c));
	as_pool_init(&c.pool, r->rd->out->prof->al);
	c.al = &c.pool.al;
	as_arena_init(&c.arena, c.al);
	as_index_init(&c.classes, c.al);
	as_index_init(&c.consts, c.al);
	as_index_init(&c.tallies, c.al);
	r->cons.n = r->tally.n = r->tally_value.n = 0;
	rc = jfr_chunk_read(&c);
	if (rc == AS_OK)
		as_in_take(r->rd->in, (size_t)(c.end - c.base));
	as_pool_release(&c.pool);
	return rc;
}
