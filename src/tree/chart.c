/* SPDX-License-Identifier: Apache-2.0 */
#include "tree/chart.h"

#include "base/pool.h"
#include "base/sort.h"
#include "table/project_impl.h"
#include "table/timeline.h"

#define DEEP UINT32_MAX /* instead of a key: frames that are too deep */

struct open_box {
	size_t box; /* of the strip's */
	uint32_t key;
};

/* A strip while moments come. */
struct strip {
	AS_VEC(struct as_chart_box) box;
	AS_VEC(struct open_box) open; /* open.p[0] is the strip's own */
	struct as_moment next;        /* it came last, and its end is not known yet */
	bool has_next;
	as_node node; /* the stack that is open */
	uint64_t end; /* of what was put last */
};

struct maker {
	struct as_chart *c;
	const struct as_alloc *al; /* for scratch */
	struct as_timeline threads;
	struct as_proj keys;
	uint32_t *key_of; /* of each place, from 1; 0 = not yet */
	struct strip *strip;
	size_t n;
	AS_VEC(uint32_t) path; /* keys, the last frame first */
	uint64_t end;          /* of all */
	struct as_err *err;
};

static enum as_code chart_no_memory(struct maker *m, bool ok)
{
	return as_err_memory(m->err, ok);
}

/* ---- what is a point, and how long it lasts ---- */

static bool chart_is_time(const struct as_moment *at)
{
	return at->value > 0 && at->duration == (uint64_t)at->value;
}

/* The strip of a moment, or NULL. */
static struct strip *strip_of(const struct maker *m, const struct as_moment *at)
{
	uint32_t row = m->threads.row_of[at->part];

	if (at->event != m->c->opts.event || !at->value || !row || row > m->n)
		return NULL;
	return &m->strip[row - 1];
}

/* From the point before it in its strip, or 0. */
static uint64_t chart_distance(struct strip *s, const struct as_moment *at)
{
	uint64_t d = s->has_next ? (uint64_t)at->time - (uint64_t)s->next.time : 0;

	s->next = *at;
	s->has_next = true;
	return d;
}

/* A quarter of all distances is less: threads that wait make many that are long. */
static enum as_code chart_usual(struct maker *m)
{
	struct as_moments_cur cur;
	AS_VEC(uint64_t) apart = {0};
	uint32_t *row = NULL;
	bool ok = true;

	as_moments_begin(&cur, &m->c->prof->moments);
	while (ok && as_moments_next(&cur)) {
		struct strip *s = strip_of(m, &cur.at);
		uint64_t d = s && !chart_is_time(&cur.at) ? chart_distance(s, &cur.at) : 0;

		ok = !d || as_vec_push(m->al, &apart, d);
	}
	for (size_t i = 0; i < m->n; i++)
		m->strip[i].has_next = false;
	ok = ok && as_alloc_array(m->al, &row, apart.n) &&
	     as_sort_keys(m->al, apart.p, row, apart.n);
	m->c->usual = ok && apart.n ? apart.p[apart.n / 4] : 1;
	if (row)
		as_alloc_free(m->al, row, apart.n * sizeof(*row) + 1);
	as_vec_free(m->al, &apart);
	return chart_no_memory(m, ok);
}

static uint64_t stands_for(const struct as_chart *c, const struct as_moment *at)
{
	uint64_t ns;

	if (!c->opts.each)
		return c->usual;
	return __builtin_mul_overflow((uint64_t)at->value, c->opts.each, &ns) ? UINT64_MAX : ns;
}

/* ---- boxes ---- */

/* What BOX, the last of S, becomes a part of: gathered boxes right before it, or itself. */
static void chart_gather(const struct maker *m, struct strip *s, struct as_chart_box box)
{
	struct as_chart_box *before = &s->box.p[s->box.n - 1];

	if (before->n && before->depth == box.depth &&
		box.from - (before->from + before->span) < m->c->least) {
		before->span = box.from + box.span - before->from;
		before->busy += box.busy;
		before->cost += box.cost;
		before->n++;
		return;
	}
	box.n = 1;
	box.self = box.cost;
	s->box.p[s->box.n++] = box; /* where it was */
}

static void chart_close(const struct maker *m, struct strip *s)
{
	struct open_box top = s->open.p[--s->open.n];
	struct as_chart_box *box = &s->box.p[top.box], *below;

	box->span = s->end - box->from;
	below = &s->box.p[s->open.p[s->open.n - 1].box];
	below->cost += box->cost;
	below->busy += box->busy;
	if (box->span < m->c->least || top.key == DEEP) {
		s->box.n = top.box;
		chart_gather(m, s, *box);
	}
}

static void chart_close_to(const struct maker *m, struct strip *s, size_t depth)
{
	while (s->open.n > depth)
		chart_close(m, s);
}

static enum as_code chart_open(struct maker *m, struct strip *s, uint32_t key, uint64_t from)
{
	struct open_box open = {s->box.n, key};
	struct as_chart_box box = {.depth = (uint32_t)s->open.n + 1, .key = key, .from = from};

	return chart_no_memory(
		m, as_vec_push(m->al, &s->box, box) && as_vec_push(m->al, &s->open, open));
}

static enum as_code chart_path(struct maker *m, as_node node)
{
	const struct as_profile *prof = m->c->prof;
	uint32_t depth = m->c->opts.depth, key;

	m->path.n = 0;
	for (; node.i; node = prof->node.parent.p[node.i]) {
		uint32_t *known = &m->key_of[prof->node.place.p[node.i].i];

		if (!*known) {
			struct as_pos pos = as_place_pos(prof, prof->node.place.p[node.i]);
			enum as_code rc = as_proj_key(&m->keys, &pos, &key);

			if (rc != AS_OK)
				return rc == AS_E_NOMEM ? as_err_no_memory(m->err) : rc;
			*known = key + 1;
		}
		AS_TRY(as_err_memory(m->err, as_vec_push(m->al, &m->path, *known - 1)));
	}
	if (depth && m->path.n > depth) { /* the frames above, and one that stands for the others */
		m->path.p[m->path.n - depth - 1] = DEEP;
		memmove(m->path.p, m->path.p + m->path.n - depth - 1,
			((size_t)depth + 1) * sizeof(*m->path.p));
		m->path.n = (size_t)depth + 1;
	}
	return AS_OK;
}

/* The boxes of NODE are open, those that were open before as far as they are the same. */
static enum as_code chart_open_path(struct maker *m, struct strip *s, as_node node, uint64_t from)
{
	size_t same = 0;

	AS_TRY(chart_path(m, node));
	while (same < m->path.n && same + 1 < s->open.n &&
		m->path.p[m->path.n - 1 - same] == s->open.p[same + 1].key)
		same++;
	chart_close_to(m, s, same + 1);
	for (size_t i = m->path.n - same; i-- > 0;)
		AS_TRY(chart_open(m, s, m->path.p[i], from));
	s->node = node;
	return AS_OK;
}

/* AT lasts from FROM to END. */
static enum as_code chart_put(
	struct maker *m, struct strip *s, const struct as_moment *at, uint64_t from, uint64_t end)
{
	struct as_chart_box *leaf;

	if (from > s->end && from - s->end >= m->c->least)
		chart_close_to(m, s, 1);
	if (s->open.n == 1 || s->node.i != at->node.i)
		AS_TRY(chart_open_path(m, s, at->node, from));
	leaf = &s->box.p[s->open.p[s->open.n - 1].box];
	leaf->busy += end - from;
	leaf->cost += at->value;
	leaf->self += at->value;
	s->end = end;
	m->end = end > m->end ? end : m->end;
	return AS_OK;
}

/* The moment that waits, which ends where the next begins, at NEXT after the start. */
static enum as_code chart_put_next(struct maker *m, struct strip *s, uint64_t next)
{
	uint64_t from = (uint64_t)s->next.time - (uint64_t)m->c->start, lasts, apart = next - from;

	if (!s->has_next)
		return AS_OK;
	s->has_next = false;
	if (chart_is_time(&s->next)) {
		lasts = (uint64_t)s->next.value;
		m->c->n_cut += apart < lasts;
		lasts = apart < lasts ? apart : lasts;
	} else {
		lasts = stands_for(m->c, &s->next);
		lasts = apart <= lasts || apart - lasts <= lasts ? apart : lasts;
		m->c->n_point++;
	}
	return chart_put(m, s, &s->next, from, from + lasts);
}

static enum as_code chart_take(struct maker *m, const struct as_moment *at)
{
	struct strip *s = strip_of(m, at);

	if (!s)
		return AS_OK;
	if (at->value < 0)
		return as_err_set(
			m->err, AS_E_ARG, "a cost is below 0, and no box stands for that");
	AS_TRY(chart_put_next(m, s, (uint64_t)at->time - (uint64_t)m->c->start));
	s->next = *at;
	s->has_next = true;
	return AS_OK;
}

/* The last one of a strip has none behind it. */
static enum as_code chart_take_last(struct maker *m, struct strip *s)
{
	uint64_t from = (uint64_t)s->next.time - (uint64_t)m->c->start, lasts;

	if (!s->has_next)
		return AS_OK;
	lasts = chart_is_time(&s->next) ? (uint64_t)s->next.value : stands_for(m->c, &s->next);
	if (lasts > (UINT64_MAX >> 1) - from)
		lasts = (UINT64_MAX >> 1) - from;
	m->c->n_point += !chart_is_time(&s->next);
	s->has_next = false;
	return chart_put(m, s, &s->next, from, from + lasts);
}

static enum as_code chart_all_moments(struct maker *m)
{
	struct as_moments_cur cur;

	m->c->n_point = m->c->n_cut = m->end = 0;
	for (size_t i = 0; i < m->n; i++) {
		struct strip *s = &m->strip[i];

		s->box.n = s->open.n = 0;
		s->end = 0;
		AS_TRY(chart_open(m, s, 0, 0));
	}
	as_moments_begin(&cur, &m->c->prof->moments);
	while (as_moments_next(&cur))
		AS_TRY(chart_take(m, &cur.at));
	for (size_t i = 0; i < m->n; i++) {
		AS_TRY(chart_take_last(m, &m->strip[i]));
		chart_close_to(m, &m->strip[i], 1);
	}
	return AS_OK;
}

/* ---- the whole ---- */

/* What is shorter than a pixel is not known before the end is; and there may still be too many. */
static enum as_code chart_lay_out(struct maker *m)
{
	struct as_chart *c = m->c;
	uint64_t span = (uint64_t)c->prof->moments.last - (uint64_t)c->start;

	c->least = c->opts.pixels ? span / c->opts.pixels + 1 : 1;
	for (;; c->least *= 2) {
		size_t boxes = 0;

		AS_TRY(chart_all_moments(m));
		c->span = m->end ? m->end : 1;
		for (size_t i = 0; i < m->n; i++)
			boxes += m->strip[i].box.n;
		if (!c->opts.boxes || boxes <= c->opts.boxes || c->least > c->span)
			return AS_OK;
	}
}

static enum as_code chart_finish(struct maker *m)
{
	struct as_chart *c = m->c;
	const struct as_alloc *al = c->prof->al;
	bool ok = true;

	for (size_t i = 0; i < m->n && ok; i++) {
		struct strip *s = &m->strip[i];
		struct as_chart_strip strip = {.part = m->threads.row.p[i].part, .box = c->box.n};

		for (size_t k = 0; k < s->box.n; k++)
			if (s->box.p[k].depth > strip.levels)
				strip.levels = s->box.p[k].depth;
		s->box.p[0].span = c->span;
		ok = as_vec_push(al, &c->strip, strip) &&
		     as_vec_append(al, &c->box, s->box.p, s->box.n);
	}
	for (size_t i = m->n; i < m->threads.row.n; i++) {
		c->n_rest += m->threads.row.p[i].total != 0;
		c->rest += m->threads.row.p[i].total;
	}
	c->keys.how = m->keys.fold.how;
	return chart_no_memory(
		m, ok && as_vec_append(al, &c->keys.key, m->keys.key.p, m->keys.key.n));
}

static enum as_code chart_make_all(struct maker *m)
{
	struct as_chart *c = m->c;
	size_t most = c->opts.strips ? c->opts.strips : m->threads.row.n;

	while (m->n < m->threads.row.n && m->n < most && m->threads.row.p[m->n].total)
		m->n++; /* threads that cost something of this event come first */
	AS_TRY(as_err_memory(m->err, as_alloc_array(m->al, &m->key_of, c->prof->place.func.n) &&
					     as_alloc_array(m->al, &m->strip, m->n)));
	if (!c->opts.each)
		AS_TRY(chart_usual(m));
	AS_TRY(chart_lay_out(m));
	return chart_finish(m);
}

enum as_code as_chart_make(struct as_chart *c, const struct as_profile *prof,
	const struct as_chart_opts *opts, struct as_err *err)
{
	struct as_project_opts project = {.by = AS_BY_FUNC, .keep_contexts = opts->keep_contexts};
	struct as_pool pool;
	struct maker m = {.c = c, .al = &pool.al, .err = err};
	enum as_code rc;

	as_pool_init(&pool, prof->al);
	*c = (struct as_chart){.prof = prof,
		.keys = {.al = prof->al, .prof = prof},
		.opts = *opts,
		.start = prof->moments.block.p[0].first};
	rc = as_timeline_make(&m.threads, prof, opts->event, 1, err);
	AS_THEN(rc, chart_no_memory(&m, as_proj_init(&m.keys, prof, &project) == AS_OK));
	AS_THEN(rc, chart_make_all(&m));
	if (m.keys.al)
		as_proj_release(&m.keys);
	as_timeline_release(&m.threads);
	as_pool_release(&pool);
	return rc;
}

void as_chart_release(struct as_chart *c)
{
	as_vec_free(c->prof->al, &c->strip);
	as_vec_free(c->prof->al, &c->box);
	as_calltree_release(&c->keys);
}
