/* SPDX-License-Identifier: Apache-2.0 */
/* Markers: what threads did, by name. docs/formats/firefox.md §7. */
#include "formats/firefox/firefox.h"

/* Milliseconds with so many decimals are nanoseconds. */
enum { NANOS = 6, NANOS_ONE = 1000000 };

enum { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* ---- as they are read ---- */

static enum as_code marker_times(struct fx *fx, struct fx_col *col)
{
	struct fx_run run = {.exponent = NANOS, .max = NANOS};

	if (!as_fx_is_column(fx))
		return AS_OK;
	do {
		AS_TRY(as_fx_run(fx, &run));
		for (size_t i = 0; i < run.n; i++)
			AS_TRY(as_fx_push(fx, col, run.v[i]));
	} while (run.n);
	return AS_OK;
}

/* Gecko's rows: all of them are multiplied as the times are. */
static enum as_code marker_put_row(struct fx *fx, void *ctx, const int64_t *v)
{
	struct fx_markers *m = ctx;

	AS_TRY(as_fx_push(fx, &m->name, v[0] == FX_NONE ? v[0] : v[0] / NANOS_ONE));
	AS_TRY(as_fx_push(fx, &m->start, v[1] == FX_NONE ? v[4] : v[1]));
	AS_TRY(as_fx_push(fx, &m->end, v[2]));
	return as_fx_push(fx, &m->phase, v[3] == FX_NONE ? v[3] : v[3] / NANOS_ONE);
}

/* Columns; or, of files that are older, a TIME; or Gecko's rows, which have a schema. */
static enum as_code marker_member(
	struct fx *fx, struct fx_markers *m, struct as_slice key, int64_t *at, bool *rows_come)
{
	static const char *const names[] = {"name", "startTime", "endTime", "phase", "time"};
	struct fx_rows rows = {.name = names,
		.n = AS_ARRAY_LEN(names),
		.decimals = NANOS,
		.put = marker_put_row,
		.ctx = m};

	if (as_slice_is(key, "schema")) {
		*rows_come = true;
		return as_fx_schema(fx, at, &rows);
	}
	if (as_slice_is(key, "data") && *rows_come)
		return as_fx_rows(fx, at, &rows);
	if (as_slice_is(key, "name"))
		return as_fx_column(fx, &m->name, 0);
	if (as_slice_is(key, "startTime") || as_slice_is(key, "time"))
		return marker_times(fx, &m->start);
	if (as_slice_is(key, "endTime"))
		return marker_times(fx, &m->end);
	if (as_slice_is(key, "phase"))
		return as_fx_column(fx, &m->phase, 0);
	as_pull_skip(fx->js);
	return AS_OK;
}

static enum as_code marker_read(struct fx *fx, struct fx_markers *m)
{
	int64_t at[] = {FX_NONE, FX_NONE, FX_NONE, FX_NONE, FX_NONE};
	bool rows_come = false;
	struct as_slice key;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key))
		AS_TRY(marker_member(fx, m, key, at, &rows_come));
	return as_json_in_end(&fx->in);
}

static enum as_code marker_count(struct fx *fx)
{
	uint64_t names = 0, rows = 0;
	struct as_slice key;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		uint64_t *n = as_slice_is(key, "name")   ? &names
			      : as_slice_is(key, "data") ? &rows
							 : NULL;

		if (!n)
			as_pull_skip(fx->js);
		else if (as_fx_is_column(fx))
			for (; as_pull_item(fx->js); ++*n)
				as_pull_skip(fx->js);
	}
	names = names > rows ? names : rows;
	fx->n_markers += names;
	fx->rd->out->prof->moments.markers_left += names;
	return as_json_in_end(&fx->in);
}

enum as_code as_fx_markers(struct fx *fx, struct fx_markers **of)
{
	if (as_pull_peek(fx->js) != AS_PULL_OBJECT) {
		as_pull_skip(fx->js);
		return AS_OK;
	}
	if (!fx->rd->out->keep_markers)
		return marker_count(fx);
	if (!*of)
		*of = as_arena_new(&fx->arena, sizeof(**of));
	AS_TRY(as_err_memory(fx->rd->err, *of));
	return marker_read(fx, *of);
}

/* ---- as they are added ---- */

/* A thread's markers on their way into the tally. */
struct marker_putting {
	const struct fx_thread *thread;
	const struct fx_markers *m;
	uint32_t to;
	int64_t shift;
	uint32_t n; /* markers */
	uint32_t
		*prev; /* of each that is open, that of its name which was open before it, from 1 */
	int64_t *start; /* of each end: where it began; FX_NONE = not known */
	bool *ended;    /* of each start: it has an end, and is told there */
};

static int64_t marker_phase(const struct fx_markers *m, size_t i)
{
	int64_t phase = as_fx_at(&m->phase, i);

	if (as_fx_n(&m->phase))
		return phase;
	return as_fx_at(&m->end, i) == FX_NONE ? PHASE_INSTANT : PHASE_INTERVAL;
}

static void marker_pair(struct marker_putting *p, uint32_t i)
{
	struct fx_tables *t = p->thread->tables;
	uint32_t name = as_fx_row(&p->m->name, i), *open = NULL;
	int64_t phase = marker_phase(p->m, i);

	if (name < t->string.n)
		open = &t->open[name];
	if (open && phase == PHASE_START) {
		p->prev[i] = *open;
		*open = i + 1;
	} else if (open && phase == PHASE_END && *open) {
		uint32_t begin = *open - 1;

		p->start[i] = as_fx_at(&p->m->start, begin);
		p->ended[begin] = true;
		*open = p->prev[begin];
	}
}

static void marker_pair_all(struct marker_putting *p)
{
	struct fx_tables *t = p->thread->tables;

	for (uint32_t i = 0; i < p->n; i++) {
		p->start[i] = FX_NONE;
		marker_pair(p, i);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t name = as_fx_row(&p->m->name, i);

		if (name < t->string.n)
			t->open[name] = 0;
	}
}

/* From and to; what has one of them is a point in time. */
static enum as_code marker_put_one(struct fx *fx, const struct marker_putting *p, uint32_t i)
{
	const struct fx_tables *t = p->thread->tables;
	uint32_t name = as_fx_row(&p->m->name, i);
	int64_t phase = marker_phase(p->m, i), from = as_fx_at(&p->m->start, i);
	int64_t to = phase == PHASE_INTERVAL || phase == PHASE_END ? as_fx_at(&p->m->end, i) : from;
	struct as_tally_when when = {0};
	bool known;

	if (p->ended[i])
		return AS_OK;
	if (phase == PHASE_END)
		from = p->start[i];
	from = from == FX_NONE ? to : from;
	to = to == FX_NONE || to < from ? from : to;
	known = from != FX_NONE && !fx->times_are_no_times &&
		!__builtin_add_overflow(from, p->shift, &when.time);
	when.duration = (uint64_t)to - (uint64_t)from;
	if (name >= t->string.n) {
		fx->odd.row++;
		known = false;
	}
	return as_tally_marker(&fx->tally, p->to, known ? t->string.p[name] : as_slice_of(""),
		known ? &when : NULL);
}

enum as_code as_fx_put_markers(struct fx *fx, const struct fx_thread *t, uint32_t to, int64_t shift)
{
	struct marker_putting p = {.thread = t, .m = t->markers, .to = to, .shift = shift};
	struct fx_tables *tables = t->tables;

	if (!p.m || !as_fx_n(&p.m->name))
		return AS_OK;
	p.n = (uint32_t)as_fx_n(&p.m->name);
	AS_TRY(as_err_memory(fx->rd->err,
		as_alloc_array(fx->al, &p.prev, p.n) && as_alloc_array(fx->al, &p.start, p.n) &&
			as_alloc_array(fx->al, &p.ended, p.n) &&
			(tables->open || as_alloc_array(fx->al, &tables->open, tables->string.n))));
	marker_pair_all(&p);
	for (uint32_t i = 0; i < p.n; i++)
		AS_TRY(marker_put_one(fx, &p, i));
	as_alloc_free(fx->al, p.prev, p.n * sizeof(*p.prev) + 1);
	as_alloc_free(fx->al, p.start, p.n * sizeof(*p.start) + 1);
	as_alloc_free(fx->al, p.ended, p.n * sizeof(*p.ended) + 1);
	return AS_OK;
}
