/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of the same code, several times, as those of a sampler that counted all addresses of an
 * image in several runs: rows have neither lines nor more than one value, and are in order but for
 * a few places where addresses begin anew. They are added up in a window that moves over the
 * addresses, and become stretches again.
 */
#include "change/kit/compact.h"

#define COUNT_MAX (INT64_MAX / COUNTS_SOURCES_MAX) /* of a row: sums of all have 64 bits */

enum {
	COUNTS_SOURCES_MAX = 64, /* each is looked at for each window */
	WINDOW = 512,            /* addresses */
	GAP_MAX = 8,             /* addresses without counts that do not end a stretch */
};

/* Rows in order on their way through the windows. */
struct counts_source {
	struct as_rows_cur cur;
	struct as_rows_view
		view; /* what is left of the stretch; a row has one, too, without values */
	uint64_t row; /* the value of a row */
	bool ended;
};

struct as_counts {
	struct as_rows *to;
	const struct as_rows *rows;
	as_val *v; /* scratch: a row's values */
	struct counts_source source[COUNTS_SOURCES_MAX];
	size_t n;
	uint64_t first, differ; /* an address of theirs, and all bits in which others differ */
	unsigned shift;         /* of the distance that all addresses have */
	uint64_t start;         /* of the window; */
	uint32_t from, end;     /* sums that may not be zero */
	uint64_t sum[WINDOW];
	uint8_t le32[4 * WINDOW + AS_SPAN_SLACK];
};

/* Sources of RUN, a new one wherever addresses begin anew. False if it can't be added up so. */
static bool counts_open(struct as_counts *c, const struct as_run *run)
{
	struct as_rows_cur cur, before;
	struct as_rows_view view;
	uint64_t next = UINT64_MAX, addr, last;

	as_rows_begin(&cur, c->rows, run, c->v);
	for (before = cur; as_rows_next_view(&cur, &view); before = cur, next = last + 1) {
		addr = last = view.n ? view.addr : cur.addr;
		if (view.n)
			last += (view.n - 1) * view.stride;
		else if (cur.line || cur.n != 1 || c->v[0] <= 0 || c->v[0] > COUNT_MAX)
			return false;
		if (last < addr || last == UINT64_MAX ||
			(view.n && (!view.stride || view.stride > UINT32_MAX)))
			return false;
		if (!c->n)
			c->first = addr;
		c->differ |= (addr ^ c->first) | (view.n ? view.stride : 0);
		if (addr < next) {
			if (c->n == COUNTS_SOURCES_MAX)
				return false;
			before.left = 0;
			c->source[c->n++].cur = before;
		}
		c->source[c->n - 1].cur.left += view.n ? view.rows : 1;
	}
	return true;
}

/* The next stretch of S, of which nothing is left. */
static void counts_next(struct counts_source *s)
{
	s->ended = !as_rows_next_view(&s->cur, &s->view);
	if (s->ended || s->view.n)
		return;
	s->row = (uint64_t)s->cur.v[0];
	s->view = (struct as_rows_view){.addr = s->cur.addr, .n = 1};
}

/* The first N values of the stretch of S. */
static void counts_add(struct as_counts *c, struct counts_source *s, uint32_t n)
{
	struct as_rows_view *view = &s->view;
	uint32_t at = (uint32_t)((view->addr - c->start) >> c->shift);
	uint32_t step = (uint32_t)(view->stride >> c->shift), end = at + (n - 1) * step + 1;

	c->from = at < c->from ? at : c->from;
	c->end = end > c->end ? end : c->end;
	if (!view->p)
		c->sum[at] += s->row;
	else if (view->size == 1 && step == 1)
		for (uint32_t i = 0; i < n; i++)
			c->sum[at + i] += view->p[i];
	else
		for (uint32_t i = 0; i < n; i++)
			c->sum[at + i * step] += as_view_value(view, i);
	view->n -= n;
	view->addr += n * view->stride;
	if (view->p)
		view->p += (size_t)n * view->size;
}

/* All values of S that lie in the window. */
static void counts_take(struct as_counts *c, struct counts_source *s)
{
	uint64_t window = (uint64_t)WINDOW << c->shift, at;

	while (!s->ended) {
		struct as_rows_view *view = &s->view;
		uint32_t n = view->n;

		at = view->addr - c->start;
		if (at >= window)
			return;
		if (n > 1 && at + (n - 1) * view->stride >= window)
			n = (uint32_t)((window - at - 1) / view->stride) + 1;
		counts_add(c, s, n);
		if (!view->n)
			counts_next(s);
	}
}

/* How many sums from I on are one stretch: 0 if the first does not fit a count. */
static uint32_t counts_stretch(struct as_counts *c, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t k = 0; i + k < c->end && k - n <= GAP_MAX; k++) {
		uint64_t sum = c->sum[i + k];
		uint32_t count = (uint32_t)sum;

		if (sum > UINT32_MAX)
			break;
		count = AS_LITTLE_ENDIAN ? count : __builtin_bswap32(count);
		memcpy(c->le32 + k * sizeof(count), &count, sizeof(count));
		n = sum ? k + 1 : n;
	}
	return n;
}

/* The sums of the window become rows. */
static bool counts_flush(struct as_counts *c)
{
	for (uint32_t i = c->from; i < c->end;) {
		struct as_rows_span span = {
			c->start + ((uint64_t)i << c->shift), UINT64_C(1) << c->shift, c->le32, 0};

		if (!c->sum[i]) {
			i++;
			continue;
		}
		span.n = counts_stretch(c, i);
		if (span.n ? !as_rows_add_span(c->to, &span)
			   : !as_rows_add_u64(c->to, 0, span.addr, &c->sum[i], 1))
			return false;
		i += span.n ? (uint32_t)span.n : 1;
	}
	if (c->end > c->from)
		memset(c->sum + c->from, 0, (c->end - c->from) * sizeof(*c->sum));
	c->from = WINDOW;
	c->end = 0;
	return true;
}

/* The lowest address that no window had yet; false if all is done. */
static bool counts_move(struct as_counts *c)
{
	bool more = false;

	for (size_t i = 0; i < c->n; i++) {
		const struct counts_source *s = &c->source[i];

		if (s->ended || (more && s->view.addr >= c->start))
			continue;
		c->start = s->view.addr;
		more = true;
	}
	return more;
}

static bool counts_add_up(struct as_counts *c)
{
	c->shift = c->differ ? (unsigned)__builtin_ctzll(c->differ) : 0;
	c->from = WINDOW;
	while (counts_move(c)) {
		for (size_t i = 0; i < c->n; i++)
			counts_take(c, &c->source[i]);
		if (!counts_flush(c))
			return false;
	}
	return true;
}

/* What is in order already stays as it is. */
static bool counts_copy(struct as_rows *to, struct counts_source *s)
{
	for (; !s->ended; counts_next(s))
		if (s->view.p ? !as_rows_add_view(to, &s->view)
			      : !as_rows_add_u64(to, 0, s->view.addr, &s->row, 1))
			return false;
	return true;
}

struct as_counts *as_counts_new(const struct as_alloc *al, const struct as_rows *rows)
{
	struct as_counts *c = as_alloc_new(al, sizeof(*c));

	if (!c || !as_alloc_array(al, &c->v, rows->width))
		return NULL;
	c->rows = rows;
	return c;
}

bool as_counts_begin(struct as_counts *c, const struct as_run *run, const uint32_t *order, size_t n)
{
	c->n = 0;
	c->differ = 0;
	for (size_t i = 0; i < n; i++)
		if (!counts_open(c, &run[order[i]]))
			return false;
	for (size_t i = 0; i < c->n; i++)
		counts_next(&c->source[i]);
	return true;
}

bool as_counts_put(struct as_counts *c, struct as_rows *to)
{
	c->to = to;
	return c->n == 1 ? counts_copy(to, c->source) : counts_add_up(c);
}
