/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second pass: all records in the order of (time, place in the file). Blocks are brought into
 * memory, and into order, when their first record is due, and leave it after their last: what
 * stands there at a time is what the recorder wrote out of order.
 */
#include "formats/perfdata/perfdata.h"

#include "base/sort.h"

struct entry {
	uint64_t time;
	uint32_t off;
};

struct entries {
	struct entry *p;
	size_t n, cap;
};

/* What blocks are brought into, one after the other. */
struct room {
	struct as_in in; /* of those that are not in memory anyway; not open before the first */
	struct entries entry;
};

/* A block that is in memory. */
struct run {
	const struct pd_block *block;
	struct as_slice bytes;
	struct room room;
	size_t at;
};

struct merge {
	struct as_pd *pd;
	uint32_t *order; /* blocks by their first times */
	size_t next;
	AS_VEC(struct run) run;   /* in the order of the file */
	AS_VEC(struct room) room; /* of blocks that are done */
	struct entries spare;
};

/* ---- one block ---- */

/* Where the entries from I on are no longer in order. */
static size_t merge_ordered(const struct entry *entry, size_t i, size_t n)
{
	for (i++; i < n && entry[i - 1].time <= entry[i].time; i++)
		;
	return i < n ? i : n;
}

/* Entries [LEFT, RIGHT) and [RIGHT, END), each in order, to TO. */
static void merge_two(
	struct entry *to, const struct entry *from, size_t left, size_t right, size_t end)
{
	size_t mid = right, out = left;

	while (left < mid && right < end)
		to[out++] = from[from[left].time <= from[right].time ? left++ : right++];
	memcpy(to + out, from + left, (mid - left) * sizeof(*to));
	memcpy(to + out + mid - left, from + right, (end - right) * sizeof(*to));
}

/* Stable. A block has parts of few rings, each in order. */
static bool merge_sort(struct merge *m, struct entries *entry)
{
	size_t n = entry->n;

	while (merge_ordered(entry->p, 0, n) < n) {
		struct entries from = *entry;

		if (!as_vec_reserve(m->pd->al, &m->spare, n))
			return false;
		for (size_t i = 0, mid, end; i < n; i = end) {
			mid = merge_ordered(from.p, i, n);
			end = mid < n ? merge_ordered(from.p, mid, n) : n;
			merge_two(m->spare.p, from.p, i, mid, end);
		}
		*entry = m->spare;
		entry->n = n;
		m->spare = from;
	}
	return true;
}

/* Where the records of the kernel's are, as many as there were when they were counted. */
static void merge_list(struct as_pd *pd, struct run *r)
{
	uint64_t time = r->block->before;
	struct as_slice s = r->bytes;
	struct entry *entry = r->room.entry.p;
	size_t n = 0;

	while (s.len >= AS_PERF_HEAD && n < r->block->n) {
		uint32_t type = pd_u32(pd, s.p);
		uint16_t size = pd_u16(pd, s.p + 6);

		if (size < AS_PERF_HEAD || size > s.len)
			break; /* the file has become another one */
		if (type < PD_ATTR) {
			(void)as_pd_time_of(pd, (struct as_slice){s.p, size}, type, &time);
			entry[n].time = time;
			entry[n++].off = (uint32_t)(s.p - r->bytes.p);
		}
		s = as_slice_skip(s, size);
	}
	r->room.entry.n = n;
}

static enum as_code merge_fetch(struct as_pd *pd, struct run *r)
{
	const struct pd_block *block = r->block;
	struct as_in *in = &r->room.in;
	uint64_t end = block->off + block->len;

	if (block->mem) {
		r->bytes = (struct as_slice){block->mem, block->len};
		return AS_OK;
	}
	if (in->al)
		as_in_move_range(in, block->src, block->off, end);
	else
		AS_TRY(as_in_open_range(in, pd->al, block->src, block->off, end, pd->rd->err));
	return as_in_peek(in, block->len, &r->bytes);
}

static enum as_code merge_load(struct merge *m, struct run *r)
{
	struct as_pd *pd = m->pd;

	if (m->room.n)
		r->room = m->room.p[--m->room.n];
	AS_TRY(merge_fetch(pd, r));
	AS_TRY(as_err_memory(pd->rd->err, as_vec_reserve(pd->al, &r->room.entry, r->block->n)));
	merge_list(pd, r);
	return as_err_memory(pd->rd->err, merge_sort(m, &r->room.entry));
}

static enum as_code merge_close(struct merge *m, struct run *r)
{
	return as_err_memory(m->pd->rd->err, as_vec_push(m->pd->al, &m->room, r->room));
}

/* ---- several ---- */

static int merge_cmp_block(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pd *pd = ctx;

	return as_cmp_u64(pd->block.p[a].first, pd->block.p[b].first);
}

/* All blocks whose first record is not later than TIME; of none, the next block. */
static enum as_code merge_open(struct merge *m, uint64_t time)
{
	struct as_pd *pd = m->pd;

	while (m->next < pd->block.n) {
		const struct pd_block *block = &pd->block.p[m->order[m->next]];
		struct run r = {.block = block};
		size_t at;

		if (m->run.n && block->first > time)
			return AS_OK;
		m->next++;
		if (!block->has)
			continue;
		AS_TRY(merge_load(m, &r));
		if (!r.room.entry.n) {
			AS_TRY(merge_close(m, &r));
			continue;
		}
		AS_TRY(as_err_memory(pd->rd->err, as_vec_reserve(pd->al, &m->run, m->run.n + 1)));
		for (at = m->run.n++; at && m->run.p[at - 1].block > block; at--)
			m->run.p[at] = m->run.p[at - 1];
		m->run.p[at] = r;
		time = time > block->first ? time : block->first;
	}
	return AS_OK;
}

static uint64_t merge_time(const struct run *r)
{
	return r->room.entry.p[r->at].time;
}

/* The run whose record is the earliest; of equal ones that which stands first in the file. *UNTIL:
 * the first time at which it may be another one's turn. */
static struct run *merge_first(struct merge *m, uint64_t *until)
{
	struct run *first = &m->run.p[0];

	for (size_t i = 1; i < m->run.n; i++)
		if (merge_time(&m->run.p[i]) < merge_time(first))
			first = &m->run.p[i];
	*until = UINT64_MAX;
	for (size_t i = 0; i < m->run.n; i++) {
		struct run *r = &m->run.p[i];
		uint64_t time = merge_time(r);

		if (r != first)
			time += r > first && time < UINT64_MAX;
		if (r != first && time < *until)
			*until = time;
	}
	if (m->next < m->pd->block.n) {
		uint64_t time = m->pd->block.p[m->order[m->next]].first;

		*until = time < *until ? time : *until;
	}
	return first;
}

static enum as_code merge_take(struct merge *m, struct run *r, uint64_t until)
{
	const struct entry *entry = r->room.entry.p;

	do {
		uint32_t off = entry[r->at].off;
		const char *p = r->bytes.p + off;

		AS_TRY(as_pd_take(
			m->pd, (struct as_slice){p, pd_u16(m->pd, p + 6)}, r->block->off + off));
		r->at++;
	} while (r->at < r->room.entry.n && entry[r->at].time < until);
	if (r->at == r->room.entry.n) {
		size_t at = (size_t)(r - m->run.p);

		AS_TRY(merge_close(m, r));
		memmove(r, r + 1, (m->run.n - at - 1) * sizeof(*r));
		m->run.n--;
	}
	return AS_OK;
}

enum as_code as_pd_merge(struct as_pd *pd)
{
	struct merge m = {.pd = pd};
	enum as_code rc = AS_OK;

	m.order = as_sorted_rows(pd->al, pd->block.n, merge_cmp_block, pd);
	AS_TRY(as_err_memory(pd->rd->err, m.order));
	for (;;) {
		uint64_t until;
		struct run *r;

		rc = merge_open(&m, 0);
		if (rc != AS_OK || !m.run.n)
			break;
		r = merge_first(&m, &until);
		if (until <= merge_time(r)) {
			rc = merge_open(&m, merge_time(r));
			if (rc != AS_OK)
				break;
			r = merge_first(&m, &until);
		}
		rc = merge_take(&m, r, until);
		if (rc != AS_OK)
			break;
	}
	as_vec_free(pd->al, &m.spare);
	for (size_t i = 0; i < m.room.n; i++) {
		if (m.room.p[i].in.al)
			as_in_close(&m.room.p[i].in);
		as_vec_free(pd->al, &m.room.p[i].entry);
	}
	return rc;
}
