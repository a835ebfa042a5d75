/* SPDX-License-Identifier: Apache-2.0 */
/* What was counted in threads is added up. docs/formats/firefox.md §3. */
#include "formats/firefox/firefox.h"

/* What a thread's weights are. */
enum weight { WEIGHT_SAMPLES, WEIGHT_TIME, WEIGHT_BYTES, N_WEIGHTS };

/* A column of a thread's samples on its way into an event. */
struct counting {
	const struct fx_thread *thread;
	const struct fx_samples *samples;
	const struct fx_col *col; /* NULL: each sample is one */
	as_val mul, div;          /* its numbers times MUL / DIV are the event's */
	uint32_t to, event;       /* of the tally */
	size_t from;              /* the first row */
	bool timed;
	int64_t shift; /* nanoseconds from the first process's start to this one's */
};

static enum weight samples_weight(const struct fx_samples *s)
{
	return as_slice_is(s->weight_type, "tracing-ms") ? WEIGHT_TIME
	       : as_slice_is(s->weight_type, "bytes")    ? WEIGHT_BYTES
							 : WEIGHT_SAMPLES;
}

static as_val samples_ten(unsigned power)
{
	as_val ten = 1;

	while (power--)
		ten *= 10;
	return ten;
}

/* ---- values ---- */

/* The nearest integer. */
static as_val samples_scaled(struct fx *fx, const struct counting *c, int64_t v)
{
	as_val all = v * c->mul, whole = all / c->div, rest = all % c->div;

	if (!rest)
		return whole;
	fx->odd.rounded++;
	rest = rest < 0 ? -rest : rest;
	return whole + (rest * 2 >= c->div ? (all < 0 ? -1 : 1) : 0);
}

static as_val samples_value(struct fx *fx, const struct counting *c, size_t row)
{
	int64_t v;

	if (!c->col)
		return 1;
	v = as_fx_at(c->col, row);
	if (v == FX_NONE)
		return 0;
	return c->mul == c->div ? v : samples_scaled(fx, c, v);
}

/* The row of the stack of sample ROW; N, the number of stacks, if it has none. */
static uint32_t samples_stack(struct fx *fx, const struct counting *c, size_t row, uint32_t n)
{
	uint32_t stack = as_fx_row(&c->samples->stack, row);

	if (stack < n)
		return stack;
	fx->odd.row += stack != FX_NO_ROW;
	return n;
}

/* ---- each sample, with its time ---- */

static enum as_code samples_moment(struct fx *fx, const struct as_moment *m, as_val value)
{
	struct as_build *b = fx->rd->out;

	if (m->value == value)
		return as_build_moment(b, m);
	b->prof->moments.left++;
	return AS_OK;
}

static enum as_code samples_each(struct fx *fx, const struct counting *c)
{
	const struct as_tally_event *event = &fx->tally.event.p[c->event];
	const struct fx_tables *t = c->thread->tables;
	uint32_t n = (uint32_t)as_fx_n(&t->col[FX_STACK_FRAME]);
	size_t rows = as_fx_n(&c->samples->stack);
	struct as_moment m = {.part = c->to};

	if (!c->timed)
		return AS_OK;
	AS_TRY(as_build_event(fx->rd->out, event->name, event->unit, &m.event));
	for (size_t i = c->from; i < rows; i++) {
		uint32_t stack = samples_stack(fx, c, i, n);
		as_val v = samples_value(fx, c, i);

		m.time = c->samples->time.p[i] + c->shift;
		m.value = (int64_t)v;
		m.node = stack < n ? t->leaf[stack] : (as_node){0};
		if (v)
			AS_TRY(samples_moment(fx, &m, v));
	}
	return AS_OK;
}

/* ---- their sums ---- */

static enum as_code samples_sums(struct fx *fx, const struct counting *c)
{
	const struct fx_tables *t = c->thread->tables;
	uint32_t n = (uint32_t)as_fx_n(&t->col[FX_STACK_FRAME]);
	size_t rows = as_fx_n(&c->samples->stack);
	uint64_t counted = 0;

	for (size_t i = c->from; i < rows; i++) {
		as_val v = samples_value(fx, c, i);

		t->sum[samples_stack(fx, c, i, n)] += v;
		counted += v != 0;
	}
	for (size_t i = c->from; i < rows; i++) {
		uint32_t stack = as_fx_row(&c->samples->stack, i);
		as_val *sum = &t->sum[stack < n ? stack : n];

		if (*sum)
			AS_TRY(as_tally_add(&fx->tally, c->to, c->event,
				stack < n ? t->leaf[stack] : (as_node){0}, *sum, NULL));
		*sum = 0;
	}
	if (c->timed)
		as_tally_span(&fx->tally, counted, c->samples->first + c->shift,
			c->samples->last + c->shift);
	return AS_OK;
}

static enum as_code samples_count(
	struct fx *fx, struct counting c, const char *event, const char *unit)
{
	AS_TRY(as_tally_event(&fx->tally, as_slice_of(event), as_slice_of(unit), &c.event));
	return fx->again ? samples_each(fx, &c) : samples_sums(fx, &c);
}

/* ---- which events there are ---- */

/* Some weight is not 1: else they say what samples do. */
static bool samples_vary(const struct fx_samples *s)
{
	int64_t one = (int64_t)samples_ten(s->weight.decimals);
	size_t n = as_fx_n(&s->weight);

	for (size_t i = 0; i < n; i++)
		if (as_fx_at(&s->weight, i) != one)
			return true;
	return false;
}

struct events {
	bool weights[N_WEIGHTS], samples, cpu;
};

static bool samples_are_zero(const struct fx_col *col)
{
	size_t n = as_fx_n(col);

	for (size_t i = 1; i < n; i++)
		if (as_fx_at(col, i) != FX_NONE && as_fx_at(col, i) != 0)
			return false;
	return true;
}

static void samples_events(const struct fx *fx, struct events *events)
{
	for (size_t i = 0; i < fx->thread.n; i++) {
		const struct fx_thread *t = &fx->thread.p[i];
		const struct fx_samples *s = t->samples[FX_SAMPLES];
		enum weight weight = s ? samples_weight(s) : WEIGHT_SAMPLES;

		if (!s || t->own)
			continue;
		if (as_fx_n(&s->weight) && (weight != WEIGHT_SAMPLES || samples_vary(s)))
			events->weights[weight] = true;
		events->samples |= as_fx_n(&s->stack) > 0;
		events->cpu |= !samples_are_zero(&s->cpu);
	}
}

/* ---- threads ---- */

/* Pids and tids are numbers, or texts that begin with one: "123.1" is another program in it. */
static bool samples_number(struct as_slice text, uint32_t *number)
{
	uint64_t v;

	if (!as_slice_take_dec(&text, &v) || v > UINT32_MAX || (text.len && text.p[0] != '.'))
		return false;
	*number = (uint32_t)v;
	return true;
}

/* The name of a thread of ours that has an event's behind it. */
static struct as_slice samples_thread_name(struct fx *fx, const struct fx_thread *t)
{
	struct as_slice end, name = t->name;

	if (!t->own)
		return name;
	end = as_arena_printf(&fx->arena, " · %.*s%s", AS_SLICE_FMT(t->event),
		t->aggregated ? FX_AGGREGATED : "");
	if (end.p && name.len >= end.len &&
		memcmp(name.p + name.len - end.len, end.p, end.len) == 0)
		name.len -= end.len;
	return name;
}

static enum as_code samples_thread(struct fx *fx, const struct fx_thread *t, uint32_t *to)
{
	struct as_tally_thread one = {
		.name = samples_thread_name(fx, t), .process = t->process_name};

	one.has_pid = samples_number(t->pid, &one.pid);
	one.has_tid = samples_number(t->tid, &one.tid);
	return as_tally_thread(&fx->tally, &one, to);
}

static int64_t samples_shift(const struct fx *fx, uint32_t process)
{
	int64_t first = fx->process.p[0].start, start = fx->process.p[process].start;

	as_assert(process < fx->process.n);
	return first == FX_NONE || start == FX_NONE ? 0 : start - first;
}

/* False: there are none. */
static bool samples_begin(struct fx *fx, const struct fx_thread *t, enum fx_kind kind, uint32_t to,
	struct counting *c)
{
	const struct fx_samples *s = t->samples[kind];
	size_t n = s ? as_fx_n(&s->stack) : 0;

	*c = (struct counting){.thread = t, .samples = s, .mul = 1, .div = 1, .to = to};
	if (!n)
		return false;
	c->shift = samples_shift(fx, t->process);
	c->timed = s->has_time && !s->lacks_time && s->n_times >= n && !fx->times_are_no_times &&
		   !t->aggregated;
	fx->odd.uneven += (s->n_times && s->n_times != n) ||
			  (as_fx_n(&s->weight) && as_fx_n(&s->weight) != n) ||
			  (as_fx_n(&s->cpu) && as_fx_n(&s->cpu) != n);
	return true;
}

static struct counting samples_of_weight(struct counting c, uint64_t unit_nanos)
{
	enum weight weight = samples_weight(c.samples);

	c.col = as_fx_n(&c.samples->weight) ? &c.samples->weight : NULL;
	if (!c.col)
		return c;
	c.mul = weight == WEIGHT_TIME ? 1000000 : 1;
	c.div = samples_ten(c.col->decimals) * (as_val)(weight == WEIGHT_TIME ? unit_nanos : 1);
	return c;
}

/* The event that a thread of a file of assay's is of. */
static enum as_code samples_own(struct fx *fx, const struct fx_thread *t, const struct counting *c)
{
	uint64_t nanos = as_unit_nanos(t->unit);
	struct counting own = samples_of_weight(*c, nanos ? nanos : 1);

	if (!t->event.len) /* there is nothing in it */
		return AS_OK;
	AS_TRY(as_tally_event(&fx->tally, t->event, t->unit, &own.event));
	return fx->again ? samples_each(fx, &own) : samples_sums(fx, &own);
}

static enum as_code samples_cpu(struct fx *fx, struct counting c)
{
	int64_t first = as_fx_at(&c.samples->cpu, 0);

	c.col = &c.samples->cpu;
	c.mul = fx->cpu_scale ? fx->cpu_scale : 1;
	c.div = samples_ten(c.col->decimals);
	c.from = 1; /* nobody knows since when the first one counts */
	fx->odd.first_cpu += first != FX_NONE && first != 0;
	return fx->cpu_scale ? samples_count(fx, c, "cpu", "nanoseconds")
			     : samples_count(fx, c, "cpu-cycles", "count");
}

static enum as_code samples_plain(
	struct fx *fx, const struct fx_thread *t, const struct events *events, uint32_t to)
{
	static const char *const name[N_WEIGHTS] = {"weight", "time", "bytes"};
	static const char *const unit[N_WEIGHTS] = {"count", "nanoseconds", "bytes"};
	struct counting c;
	enum weight weight;

	if (!samples_begin(fx, t, FX_SAMPLES, to, &c))
		return AS_OK;
	if (t->own)
		return samples_own(fx, t, &c);
	weight = samples_weight(c.samples);
	if (events->weights[weight])
		AS_TRY(samples_count(fx, samples_of_weight(c, 1), name[weight], unit[weight]));
	AS_TRY(samples_count(fx, c, "samples", "count"));
	return events->cpu ? samples_cpu(fx, c) : AS_OK;
}

static enum as_code samples_allocations(struct fx *fx, const struct fx_thread *t, enum fx_kind kind,
	const char *bytes, const char *count, uint32_t to)
{
	struct counting c;

	if (!samples_begin(fx, t, kind, to, &c))
		return AS_OK;
	AS_TRY(samples_count(fx, samples_of_weight(c, 1), bytes, "bytes"));
	return samples_count(fx, c, count, "count");
}

/* Events in one order, whichever thread has them first. */
static enum as_code samples_order(struct fx *fx, const struct events *events)
{
	const struct {
		bool there;
		const char *name, *unit;
	} order[] = {{events->weights[WEIGHT_SAMPLES], "weight", "count"},
		{events->weights[WEIGHT_TIME], "time", "nanoseconds"},
		{events->weights[WEIGHT_BYTES], "bytes", "bytes"},
		{events->samples, "samples", "count"},
		{events->cpu, fx->cpu_scale ? "cpu" : "cpu-cycles",
			fx->cpu_scale ? "nanoseconds" : "count"}};
	uint32_t event;

	for (size_t i = 0; i < AS_ARRAY_LEN(order); i++)
		if (order[i].there)
			AS_TRY(as_tally_event(&fx->tally, as_slice_of(order[i].name),
				as_slice_of(order[i].unit), &event));
	if (fx->tally.event.n)
		return AS_OK;
	return as_tally_event(&fx->tally, as_slice_of("samples"), as_slice_of("count"), &event);
}

/* Behind all other events. */
static enum as_code samples_markers(struct fx *fx)
{
	uint32_t to;

	for (size_t i = 0; i < fx->thread.n; i++) {
		const struct fx_thread *t = &fx->thread.p[i];

		AS_TRY(samples_thread(fx, t, &to));
		AS_TRY(as_fx_put_markers(fx, t, to, samples_shift(fx, t->process)));
	}
	return AS_OK;
}

static enum as_code samples_all(struct fx *fx)
{
	struct events events = {.samples = false};
	uint32_t to;

	samples_events(fx, &events);
	AS_TRY(samples_order(fx, &events));
	for (size_t i = 0; i < fx->thread.n; i++) {
		const struct fx_thread *t = &fx->thread.p[i];

		AS_TRY(samples_thread(fx, t, &to));
		AS_TRY(samples_plain(fx, t, &events, to));
		AS_TRY(samples_allocations(fx, t, FX_JS_ALLOCS, "js-bytes", "js-allocations", to));
		AS_TRY(samples_allocations(
			fx, t, FX_NATIVE_ALLOCS, "native-bytes", "native-allocations", to));
	}
	return AS_OK;
}

enum as_code as_fx_count(struct fx *fx)
{
	struct fx_odd odd;

	AS_TRY(samples_all(fx));
	AS_TRY(samples_markers(fx));
	AS_TRY(as_tally_put(&fx->tally));
	if (!fx->rd->out->keep_moments)
		return AS_OK;
	odd = fx->odd; /* it is told once */
	fx->again = true;
	AS_TRY(samples_all(fx));
	fx->odd = odd;
	return AS_OK;
}
