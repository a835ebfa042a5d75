/* SPDX-License-Identifier: Apache-2.0 */
#include "model/moments.h"

#include "base/sort.h"
#include "model/build.h"
#include "model/rows_impl.h"

/* What of a moment follows its head. */
enum {
	MOMENT_PART = 1,
	MOMENT_EVENT = 2,
	MOMENT_NODE = 4,
	MOMENT_VALUE = 8,
	MOMENT_DURATION = 16,
	MOMENT_PASSED = 32, /* the duration is the value */
	MOMENT_BYTES = 8 * AS_VARINT_MAX,
	MOMENT_VALUES = 7, /* mask */
};

void as_moments_release(struct as_moments *m, const struct as_alloc *al)
{
	as_vec_free(al, &m->bytes);
	as_vec_free(al, &m->block);
	m->n = 0;
}

/* ---- reading ---- */

static const uint8_t *moments_get(const uint8_t *p, uint64_t *v)
{
	unsigned shift = 0;

	*v = 0;
	for (; *p & 0x80; shift += 7)
		*v |= (uint64_t)(*p++ & 0x7f) << shift;
	*v |= (uint64_t)*p++ << shift;
	return p;
}

static uint64_t moments_unzigzag(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

void as_moments_begin(struct as_moments_cur *cur, const struct as_moments *m)
{
	*cur = (struct as_moments_cur){.of = m};
}

static void moments_enter(struct as_moments_cur *cur)
{
	const struct as_moments_block *b = &cur->of->block.p[cur->block++];

	cur->p = cur->of->bytes.p + b->off;
	cur->left = b->n;
	cur->at = (struct as_moment){.time = b->first};
	memset(cur->value, 0, sizeof(cur->value));
}

bool as_moments_next(struct as_moments_cur *cur)
{
	struct as_moment *at = &cur->at;
	uint64_t v;
	unsigned head;

	if (!cur->left) {
		if (cur->block == cur->of->block.n)
			return false;
		moments_enter(cur);
	}
	cur->left--;
	head = *cur->p++;
	cur->p = moments_get(cur->p, &v);
	at->time = (int64_t)((uint64_t)at->time + v);
	if (head & MOMENT_PART) {
		cur->p = moments_get(cur->p, &v);
		at->part = (uint32_t)v;
	}
	if (head & MOMENT_EVENT) {
		cur->p = moments_get(cur->p, &v);
		at->event = (uint32_t)v;
	}
	if (head & MOMENT_NODE) {
		cur->p = moments_get(cur->p, &v);
		at->node.i += (uint32_t)moments_unzigzag(v);
	}
	if (head & MOMENT_VALUE) {
		cur->p = moments_get(cur->p, &v);
		cur->value[at->event & MOMENT_VALUES] = (int64_t)moments_unzigzag(v);
	}
	at->value = cur->value[at->event & MOMENT_VALUES];
	at->duration = head & MOMENT_PASSED ? (uint64_t)at->value : 0;
	if (head & MOMENT_DURATION)
		cur->p = moments_get(cur->p, &at->duration);
	return true;
}

bool as_moment_clip(struct as_moment *m, int64_t from, int64_t to)
{
	int64_t end;

	if (m->value <= 0 || m->duration != (uint64_t)m->value)
		return m->time >= from && m->time < to;
	end = m->time + m->value; /* it fits: moments_shift() */
	from = from > m->time ? from : m->time;
	to = to < end ? to : end;
	if (to <= from)
		return false;
	m->time = from;
	m->value = to - from;
	m->duration = (uint64_t)m->value;
	return true;
}

bool as_moments_sample(const struct as_profile *prof, uint32_t part, as_node node, size_t *sample)
{
	size_t lo = 0, hi = prof->sample.node.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		uint32_t p = prof->sample.part.p[mid];

		if (p < part || (p == part && prof->sample.node.p[mid].i < node.i))
			lo = mid + 1;
		else
			hi = mid;
	}
	*sample = lo;
	return lo < prof->sample.node.n && prof->sample.part.p[lo] == part &&
	       prof->sample.node.p[lo].i == node.i;
}

/* ---- building ---- */

enum as_code as_build_moment(struct as_build *b, const struct as_moment *m)
{
	struct as_profile *prof = b->prof;

	if (!b->keep_moments) {
		prof->moments.left++;
		return AS_OK;
	}
	as_assert(m->part < prof->part.n && m->event < prof->event.n);
	as_assert(m->node.i < prof->node.parent.n);
	return as_err_memory(b->err, as_vec_push(prof->al, &b->moment, *m));
}

/* What no source counts at one time is not worth its memory. */
enum { OF_ONE_MAX = 64 };

enum as_code as_build_moment_of(struct as_build *b, const struct as_moment *m, as_val value)
{
	struct as_moment one = *m;

	if (value / INT64_MAX > OF_ONE_MAX || value / INT64_MAX < -OF_ONE_MAX) {
		b->prof->moments.left++;
		return AS_OK;
	}
	while (value) {
		as_val v = value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;

		one.value = (int64_t)v;
		AS_TRY(as_build_moment(b, &one));
		value -= v;
	}
	return AS_OK;
}

/* Let them begin at 0. False: a time is too far away. */
static bool moments_shift(struct as_build *b)
{
	int64_t zero = b->moment.p[0].time, end;

	for (size_t i = 1; i < b->moment.n; i++)
		zero = b->moment.p[i].time < zero ? b->moment.p[i].time : zero;
	zero = b->has_zero ? b->zero : zero;
	for (size_t i = 0; i < b->moment.n; i++) {
		struct as_moment *m = &b->moment.p[i];

		if (__builtin_sub_overflow(m->time, zero, &m->time) || m->duration > INT64_MAX ||
			__builtin_add_overflow(m->time, (int64_t)m->duration, &end))
			return false;
	}
	return true;
}

static int moments_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_moment *p = ctx, *x = &p[a], *y = &p[b];
	int c = (x->time > y->time) - (x->time < y->time);

	c = c ? c : as_cmp_u64(x->part, y->part);
	c = c ? c : as_cmp_u64(x->node.i, y->node.i);
	c = c ? c : as_cmp_u64(x->event, y->event);
	c = c ? c : (x->value > y->value) - (x->value < y->value);
	return c ? c : as_cmp_u64(x->duration, y->duration);
}

static bool moments_put(struct as_moments *to, const struct as_alloc *al, const struct as_moment *m,
	struct as_moments_cur *last)
{
	int64_t *value = &last->value[m->event & MOMENT_VALUES];
	unsigned head = 0;
	uint8_t *p, *start;

	if (!as_vec_reserve(al, &to->bytes, to->bytes.n + MOMENT_BYTES))
		return false;
	head |= m->part != last->at.part ? MOMENT_PART : 0;
	head |= m->event != last->at.event ? MOMENT_EVENT : 0;
	head |= m->node.i != last->at.node.i ? MOMENT_NODE : 0;
	head |= m->value != *value ? MOMENT_VALUE : 0;
	if (m->duration)
		head |= m->value > 0 && m->duration == (uint64_t)m->value ? MOMENT_PASSED
									  : MOMENT_DURATION;
	p = start = to->bytes.p + to->bytes.n;
	*p++ = (uint8_t)head;
	p = as_put_varint(p, (uint64_t)m->time - (uint64_t)last->at.time);
	p = head & MOMENT_PART ? as_put_varint(p, m->part) : p;
	p = head & MOMENT_EVENT ? as_put_varint(p, m->event) : p;
	if (head & MOMENT_NODE)
		p = as_put_varint(p, as_zigzag((uint64_t)m->node.i - last->at.node.i));
	p = head & MOMENT_VALUE ? as_put_varint(p, as_zigzag((uint64_t)m->value)) : p;
	p = head & MOMENT_DURATION ? as_put_varint(p, m->duration) : p;
	to->bytes.n += (size_t)(p - start);
	*value = m->value;
	last->at = *m;
	return true;
}

static bool moments_begin_block(struct as_moments *to, const struct as_alloc *al, int64_t first,
	struct as_moments_cur *last)
{
	struct as_moments_block block = {.first = first, .off = to->bytes.n};

	*last = (struct as_moments_cur){.at.time = first};
	return as_vec_push(al, &to->block, block);
}

/* ORDER may be NULL: as they stand. */
static bool moments_pack(struct as_moments *to, const struct as_build *b, const uint32_t *order)
{
	const struct as_alloc *al = b->prof->al;
	struct as_moments_cur last = {0};

	to->last = INT64_MIN;
	for (size_t i = 0; i < b->moment.n; i++) {
		const struct as_moment *m = &b->moment.p[order ? order[i] : i];
		int64_t end = m->time + (int64_t)m->duration;

		if (i % AS_MOMENTS_BLOCK == 0 && !moments_begin_block(to, al, m->time, &last))
			return false;
		if (!moments_put(to, al, m, &last))
			return false;
		to->block.p[to->block.n - 1].n++;
		to->last = end > to->last ? end : to->last;
	}
	to->n = b->moment.n;
	(void)!as_vec_fit(al, &to->bytes, to->bytes.n);
	return true;
}

static bool moments_sort_and_pack(struct as_build *b)
{
	const struct as_alloc *al = b->prof->al;
	size_t n = b->moment.n, i = 1;
	uint32_t *order = NULL;
	bool ok;

	while (i < n && moments_cmp(b->moment.p, (uint32_t)i - 1, (uint32_t)i) <= 0)
		i++;
	if (i < n)
		order = as_sorted_rows(al, n, moments_cmp, b->moment.p);
	ok = (i >= n || order) && moments_pack(&b->prof->moments, b, order);
	if (order)
		as_alloc_free(al, order, n * sizeof(*order) + 1);
	return ok;
}

/* *HOLDS: what samples cost, less their moments, is nothing. COST has room for all of it. */
static void moments_check(const struct as_build *b, as_val *cost, bool *holds)
{
	const struct as_profile *prof = b->prof;
	size_t e = prof->event.n, n = prof->sample.cost.n, at;

	*holds = !prof->self.n && !prof->call.n && !prof->sums.func.n && !prof->stacks.n;
	memcpy(cost, prof->sample.cost.p, n * sizeof(*cost));
	for (size_t i = 0; *holds && i < b->moment.n; i++) {
		const struct as_moment *m = &b->moment.p[i];

		*holds = as_moments_sample(prof, m->part, m->node, &at);
		if (*holds)
			cost[at * e + m->event] -= m->value;
	}
	for (size_t i = 0; *holds && i < n; i++)
		*holds = !cost[i];
}

static bool moments_holds(const struct as_build *b, bool *holds)
{
	const struct as_alloc *al = b->prof->al;
	size_t n = b->prof->sample.cost.n;
	as_val *cost;

	*holds = b->moment.n < UINT32_MAX && n;
	if (!*holds)
		return true;
	if (!as_alloc_array(al, &cost, n))
		return false;
	moments_check(b, cost, holds);
	as_alloc_free(al, cost, n * sizeof(*cost) + 1);
	return true;
}

/* The samples are in their order. */
bool as_build_finish_moments(struct as_build *b)
{
	bool holds;

	if (!b->moment.n)
		return true;
	if (!moments_holds(b, &holds))
		return false;
	if (!holds || !moments_shift(b)) {
		b->prof->moments.left += b->moment.n;
		return true;
	}
	return moments_sort_and_pack(b);
}
