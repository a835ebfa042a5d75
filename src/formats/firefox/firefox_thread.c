/* SPDX-License-Identifier: Apache-2.0 */
/* Threads, and what was counted in them. docs/formats/firefox.md §3. */
#include "formats/firefox/firefox.h"

/* Milliseconds with so many decimals are nanoseconds; differences are read to a thousandth of one,
 * so that they add up. */
enum { NANOS = 6, PICOS = 9 };

/* ---- when ---- */

static enum as_code thread_time(struct fx *fx, struct fx_samples *s, int64_t time)
{
	s->n_times++;
	if (time != FX_NONE) {
		s->first = !s->has_time || time < s->first ? time : s->first;
		s->last = !s->has_time || time > s->last ? time : s->last;
		s->has_time = true;
	} else {
		s->lacks_time = true;
	}
	if (!fx->rd->out->keep_moments)
		return AS_OK;
	return as_err_memory(fx->rd->err, as_vec_push(fx->al, &s->time, time));
}

static enum as_code thread_times(struct fx *fx, struct fx_samples *s)
{
	struct fx_run run = {.exponent = NANOS, .max = NANOS};

	if (!as_fx_is_column(fx))
		return AS_OK;
	do {
		AS_TRY(as_fx_run(fx, &run));
		for (size_t i = 0; i < run.n; i++)
			AS_TRY(thread_time(fx, s, run.v[i]));
	} while (run.n);
	return AS_OK;
}

/* The nearest nanosecond. */
static int64_t thread_nanos(struct fx *fx, int64_t picos)
{
	int64_t rest = picos % 1000;

	fx->odd.rounded += rest != 0;
	return picos / 1000 + (rest >= 500) - (rest <= -500);
}

static enum as_code thread_deltas(struct fx *fx, struct fx_samples *s)
{
	struct fx_run run = {.exponent = PICOS, .max = PICOS};
	int64_t sum = 0;

	if (!as_fx_is_column(fx))
		return AS_OK;
	do {
		AS_TRY(as_fx_run(fx, &run));
		for (size_t i = 0; i < run.n; i++) {
			if (run.v[i] != FX_NONE && __builtin_add_overflow(sum, run.v[i], &sum))
				return as_rd_fail(fx->rd, AS_E_LIMIT, as_json_in_off(&fx->in), 0,
					"the times are more than 100 days apart");
			AS_TRY(thread_time(fx, s, thread_nanos(fx, sum)));
		}
	} while (run.n);
	return AS_OK;
}

/* ---- samples ---- */

/* Gecko's rows: all of them are multiplied as the time is. */
static enum as_code thread_put_sample(struct fx *fx, void *ctx, const int64_t *v)
{
	static const int64_t nanos = 1000000;
	struct fx_samples *s = ctx;

	AS_TRY(as_fx_push(fx, &s->stack, v[0] == FX_NONE ? v[0] : v[0] / nanos));
	AS_TRY(thread_time(fx, s, v[1]));
	return as_fx_push(fx, &s->cpu, v[2] == FX_NONE ? v[2] : v[2] / nanos);
}

static enum as_code thread_member(
	struct fx *fx, struct fx_samples *s, struct as_slice key, int64_t *at)
{
	static const char *const names[] = {"stack", "time", "threadCPUDelta"};
	struct fx_rows rows = {.name = names,
		.n = AS_ARRAY_LEN(names),
		.decimals = NANOS,
		.put = thread_put_sample,
		.ctx = s};

	if (as_slice_is(key, "stack"))
		return as_fx_column(fx, &s->stack, 0);
	if (as_slice_is(key, "weight"))
		return as_fx_column(fx, &s->weight, NANOS);
	if (as_slice_is(key, "threadCPUDelta"))
		return as_fx_column(fx, &s->cpu, NANOS);
	if (as_slice_is(key, "time"))
		return thread_times(fx, s);
	if (as_slice_is(key, "timeDeltas"))
		return thread_deltas(fx, s);
	if (as_slice_is(key, "weightType"))
		return as_fx_text(fx, &s->weight_type);
	if (as_slice_is(key, "schema"))
		return as_fx_schema(fx, at, &rows);
	if (as_slice_is(key, "data"))
		return as_fx_rows(fx, at, &rows);
	as_pull_skip(fx->js);
	return AS_OK;
}

static enum as_code thread_samples(struct fx *fx, struct fx_samples **of)
{
	int64_t at[] = {FX_NONE, FX_NONE, FX_NONE};
	struct as_slice key;

	if (as_pull_peek(fx->js) != AS_PULL_OBJECT) {
		as_pull_skip(fx->js);
		return AS_OK;
	}
	if (!*of)
		*of = as_arena_new(&fx->arena, sizeof(**of));
	AS_TRY(as_err_memory(fx->rd->err, *of));
	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key))
		AS_TRY(thread_member(fx, *of, key, at));
	return as_json_in_end(&fx->in);
}

/* ---- threads ---- */

/* What the weights of a thread are, in a file of assay's. */
static enum as_code thread_event(struct fx *fx, struct fx_thread *t)
{
	struct as_slice key;

	if (as_pull_peek(fx->js) != AS_PULL_OBJECT) {
		as_pull_skip(fx->js);
		return AS_OK;
	}
	t->own = true;
	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		if (as_slice_is(key, "name"))
			AS_TRY(as_fx_text(fx, &t->event));
		else if (as_slice_is(key, "unit"))
			AS_TRY(as_fx_text(fx, &t->unit));
		else if (as_slice_is(key, "aggregated"))
			as_pull_bool(fx->js, &t->aggregated);
		else
			as_pull_skip(fx->js);
	}
	return as_json_in_end(&fx->in);
}

static enum as_code thread_key(struct fx *fx, struct fx_thread *t, struct as_slice key)
{
	static const char *const kinds[FX_N_KINDS] = {
		"samples", "jsAllocations", "nativeAllocations"};
	const struct {
		const char *key;
		struct as_slice *to;
	} texts[] = {{"name", &t->name}, {"processName", &t->process_name}, {"pid", &t->pid},
		{"tid", &t->tid}};
	bool done;

	for (size_t i = 0; i < FX_N_KINDS; i++)
		if (as_slice_is(key, kinds[i]))
			return thread_samples(fx, &t->samples[i]);
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++)
		if (as_slice_is(key, texts[i].key))
			return as_fx_text(fx, texts[i].to);
	if (as_slice_is(key, "markers"))
		return as_fx_markers(fx, &t->markers);
	if (as_slice_is(key, "assayEvent"))
		return thread_event(fx, t);
	AS_TRY(as_fx_table(fx, &t->tables, t->process, key, &done));
	if (!done)
		as_pull_skip(fx->js);
	return AS_OK;
}

static enum as_code thread_one(struct fx *fx, uint32_t process)
{
	struct fx_thread t = {.process = process};
	struct as_slice key;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key))
		AS_TRY(thread_key(fx, &t, key));
	AS_TRY(as_json_in_end(&fx->in));
	return as_err_memory(fx->rd->err, as_vec_push(fx->al, &fx->thread, t));
}

enum as_code as_fx_threads(struct fx *fx, uint32_t process)
{
	if (!as_fx_is_column(fx))
		return AS_OK;
	while (as_pull_item(fx->js))
		AS_TRY(thread_one(fx, process));
	return as_json_in_end(&fx->in);
}
