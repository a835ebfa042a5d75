/* SPDX-License-Identifier: Apache-2.0 */
/* What has been read becomes a profile. docs/formats/pstats.md §2 to §6. */
#include "formats/pstats/pstats.h"

enum { PUT_EVENTS = 3 };

/* ---- functions ---- */

/* Code that is in no file of Python's: "~" of cProfile, "" of the module profile. */
static bool put_is_built_in(const struct py_func *f)
{
	return (as_slice_is(f->file, "~") || !f->file.len) && !f->line;
}

/* Each class has its __init__, and all are of one file: their names say where they begin. */
static enum as_code put_twin(struct as_py *py, const struct py_func *f, struct as_func_row *row)
{
	struct as_slice name =
		as_arena_printf(&py->arena, "%.*s:%" PRId64, AS_SLICE_FMT(f->name), f->line);

	AS_TRY(as_err_memory(py->rd->err, name.p));
	row->system = row->name;
	return as_build_str(py->rd->out, name, &row->name);
}

static enum as_code pstats_put_funcs(struct as_py *py)
{
	struct as_build *b = py->rd->out;

	for (size_t i = 0; i < py->func.n; i++) {
		struct py_func *f = &py->func.p[i];
		struct as_func_row row = {.line = py->sampled ? 0 : (uint64_t)f->line};

		if (!put_is_built_in(f))
			AS_TRY(as_build_file(b, f->file, &f->at));
		row.file = f->at;
		AS_TRY(as_build_str(b, f->name, &row.name));
		if (py->func.p[f->first].twin && !py->sampled)
			AS_TRY(put_twin(py, f, &row));
		AS_TRY(as_build_func_row(b, &row, &f->func));
	}
	return AS_OK;
}

/* Samples say in which line; of a function that was measured nothing but its first is known. */
static struct as_pos pstats_put_pos(const struct as_py *py, uint32_t func)
{
	const struct py_func *f = &py->func.p[func];

	as_assert(func < py->func.n);
	return (struct as_pos){
		.func = f->func, .file = f->at, .line = py->sampled ? (uint64_t)f->line : 0};
}

/* ---- calls, and what was measured ---- */

static enum as_code put_measured(struct as_py *py, uint32_t part)
{
	struct as_build *b = py->rd->out;

	for (size_t i = 0; i < py->row.n; i++) {
		const struct py_row *r = &py->row.p[i];
		struct as_pos pos = pstats_put_pos(py, r->func);
		as_val cost[PUT_EVENTS] = {r->has.self, r->has.calls, r->has.primitive};

		AS_TRY(as_build_self(b, part, &pos, cost, PUT_EVENTS));
	}
	for (size_t i = 0; i < py->edge.n; i++) {
		const struct py_edge *e = &py->edge.p[i];
		struct as_pos site = pstats_put_pos(py, e->from);
		struct as_call call = {.callee = py->func.p[e->to].func,
			.line = (uint64_t)py->func.p[e->to].line,
			.count = e->has.calls};
		as_val cost[PUT_EVENTS] = {e->has.all, 0, 0};

		AS_TRY(as_build_call(b, part, &site, &call, cost, PUT_EVENTS));
	}
	return AS_OK;
}

static enum as_code put_measured_events(struct as_py *py, uint32_t part)
{
	static const char *const events[PUT_EVENTS][2] = {
		{"time", "nanoseconds"}, {"calls", "count"}, {"primitive-calls", "count"}};
	uint32_t event;

	for (size_t i = 0; i < PUT_EVENTS; i++)
		AS_TRY(as_build_event(
			py->rd->out, as_slice_of(events[i][0]), as_slice_of(events[i][1]), &event));
	return as_build_part_all_events(py->rd->out, part);
}

/* ---- samples of Python 3.15's profiling.sampling ---- */

static enum as_code put_sampled(struct as_py *py, uint32_t part)
{
	struct as_build *b = py->rd->out;

	for (size_t i = 0; i < py->row.n; i++) {
		const struct py_row *r = &py->row.p[i];
		struct as_pos pos = pstats_put_pos(py, r->func);
		as_val cost = r->has.primitive;

		AS_TRY(as_build_self(b, part, &pos, &cost, 1));
	}
	for (size_t i = 0; i < py->edge.n; i++) {
		const struct py_edge *e = &py->edge.p[i];
		struct as_pos site = pstats_put_pos(py, e->from);
		struct as_call call = {
			.callee = py->func.p[e->to].func, .line = (uint64_t)py->func.p[e->to].line};
		as_val cost = e->has.calls;

		AS_TRY(as_build_call(b, part, &site, &call, &cost, 1));
	}
	return AS_OK;
}

/* How long each sample stands for, if all say the same; 0: they do not. */
static int64_t put_interval(const struct as_py *py)
{
	int64_t n = 0, each = 0;

	for (size_t i = 0; i < py->row.n; i++)
		if (py->row.p[i].has.calls > n) {
			n = py->row.p[i].has.calls;
			each = (py->row.p[i].has.all + n / 2) / n;
		}
	for (size_t i = 0; i < py->row.n; i++) {
		const struct py_counts *has = &py->row.p[i].has;
		as_val off = (as_val)each * has->primitive - has->self;

		if (off > has->primitive || -off > has->primitive)
			return 0;
	}
	return each;
}

static enum as_code put_sampled_events(struct as_py *py, uint32_t part)
{
	struct as_build *b = py->rd->out;
	int64_t each = put_interval(py);
	uint32_t samples;

	AS_TRY(as_build_event(b, as_slice_of("samples"), as_slice_of("count"), &samples));
	if (each > 0) {
		struct as_event *ev = &b->prof->event.p[samples];
		bool micros = each % 1000 == 0;

		ev->period = (uint64_t)(micros ? each / 1000 : each);
		AS_TRY(as_build_str(
			b, as_slice_of(micros ? "microseconds" : "nanoseconds"), &ev->period_unit));
	} else if (py->row.n) {
		AS_TRY(as_rd_find(py->rd, AS_F_PY_INTERVAL, AS_OFF_NONE, 0,
			"samples do not stand for the same time each; how long is left out"));
	}
	return as_build_part_events(b, part, &samples, 1);
}

/* ---- what has no room, and what is odd ---- */

/* Per function: own time or samples, and what the calls out of it cost, without those to itself. */
static enum as_code pstats_put_sums(struct as_py *py, as_val *sum, uint32_t *n_calls)
{
	for (size_t i = 0; i < py->row.n; i++)
		sum[py->row.p[i].func] +=
			py->sampled ? py->row.p[i].has.primitive : py->row.p[i].has.self;
	for (size_t i = 0; i < py->edge.n; i++) {
		const struct py_edge *e = &py->edge.p[i];

		if (e->from == e->to)
			continue;
		sum[e->from] += py->sampled ? e->has.calls : e->has.all;
		n_calls[e->from]++;
	}
	return AS_OK;
}

/* Of functions that do not call themselves the time with what they called must be what calls say:
 * it is not kept by itself. Each time was rounded. */
static enum as_code put_find_cumulative(struct as_py *py)
{
	uint64_t n = 0, first = 0;
	uint32_t *n_calls;
	as_val *sum;

	if (!py->func.n)
		return AS_OK;
	sum = as_alloc_new(py->al, py->func.n * sizeof(*sum));
	n_calls = as_alloc_new(py->al, py->func.n * sizeof(*n_calls));
	AS_TRY(as_err_memory(py->rd->err, sum && n_calls));
	AS_TRY(pstats_put_sums(py, sum, n_calls));
	for (size_t i = 0; i < py->row.n; i++) {
		const struct py_row *r = &py->row.p[i];
		as_val off = (py->sampled ? r->has.calls : r->has.all) - sum[r->func];

		if (!py->sampled && r->has.calls != r->has.primitive)
			continue;
		off = off < 0 ? -off : off;
		if (off > (py->sampled ? 0 : (as_val)n_calls[r->func] + 2) && !n++)
			first = r->func;
	}
	if (!n)
		return AS_OK;
	return as_rd_find(py->rd, AS_F_PY_CUMULATIVE, AS_OFF_NONE, 0,
		"%" PRIu64 " function%s ('%.*s' is the first) took another time with what %s "
		"called than the calls say; the calls hold",
		n, n == 1 ? "" : "s", AS_SLICE_FMT(py->func.p[first].name), n == 1 ? "it" : "they");
}

static enum as_code put_find(struct as_py *py)
{
	uint64_t untimed = 0;

	for (size_t i = 0; i < py->edge.n; i++)
		untimed += !py->edge.p[i].has.timed;
	if (py->n_rounded)
		AS_TRY(as_rd_find(py->rd, AS_F_PY_ROUNDED, py->first_rounded, 0,
			"%" PRIu64 " time%s no whole nanoseconds, and rounded", py->n_rounded,
			py->n_rounded == 1 ? " is" : "s are"));
	if (py->n_no_time)
		AS_TRY(as_rd_find(py->rd, AS_F_PY_TIME, py->first_no_time, 0,
			"%" PRIu64
			" time%s no number, or more nanoseconds than 64 bits have; taken as 0",
			py->n_no_time, py->n_no_time == 1 ? " is" : "s are"));
	if (untimed && !py->sampled)
		return as_rd_find(py->rd, AS_F_PY_UNTIMED, AS_OFF_NONE, 0,
			"calls of %" PRIu64 " pair%s of functions are counted, but not timed",
			untimed, untimed == 1 ? "" : "s");
	return put_find_cumulative(py);
}

enum as_code as_py_put(struct as_py *py)
{
	uint32_t part;

	AS_TRY(as_rd_part(py->rd, "pstats", &part));
	py->rd->out->prof->part.p[part].positions = AS_POS_LINE;
	AS_TRY(py->sampled ? put_sampled_events(py, part) : put_measured_events(py, part));
	AS_TRY(pstats_put_funcs(py));
	AS_TRY(py->sampled ? put_sampled(py, part) : put_measured(py, part));
	AS_TRY(put_find(py));
	return as_rd_find_if(py->rd, !py->row.n, AS_F_NO_SAMPLES, "the profile has no functions");
}
