/* SPDX-License-Identifier: Apache-2.0 */
/* What is written of the profile as a whole: period, times, lines of metadata. */
#include "formats/pprof/pprof_write.h"

/* The first line of metadata KEY, of whatever part; p == NULL if there is none. */
static struct as_slice pb_whole_meta(const struct as_pb_write *w, const char *key)
{
	for (size_t i = 0; i < w->prof->meta.n; i++)
		if (as_slice_is(as_str_get(w->prof, w->prof->meta.p[i].key), key))
			return as_str_get(w->prof, w->prof->meta.p[i].text);
	return (struct as_slice){NULL, 0};
}

static bool pb_whole_is_count(struct as_slice unit)
{
	return !unit.len || as_slice_is(unit, "count");
}

/* The event whose period is the profile's. */
static const struct as_event *event_of_period(const struct as_pb_write *w)
{
	for (size_t i = 0; i < w->prof->event.n; i++)
		if (w->prof->event.p[i].period)
			return &w->prof->event.p[i];
	return NULL;
}

void as_pb_plan_period(struct as_pb_write *w)
{
	const struct as_event *ev = event_of_period(w);
	uint64_t nanos = ev ? as_unit_nanos(as_str_get(w->prof, ev->period_unit)) : 0;

	if (!as_opts_flag(&w->wr->opts, "time", true))
		return;
	if (w->prof->event.n != 1 || !nanos || pb_whole_meta(w, AS_PB_META_PERIOD_TYPE).p ||
		!pb_whole_is_count(as_str_get(w->prof, ev->unit)) || ev->period > INT64_MAX / nanos)
		return;
	w->scale = ev->period * nanos;
}

static void pb_whole_put_type(struct as_pb_write *w, struct as_slice type, struct as_slice unit)
{
	w->sub.data.n = 0;
	as_pb_put_number(&w->sub, PB_VALUE_TYPE, as_pb_str_of(w, type));
	as_pb_put_number(&w->sub, PB_VALUE_UNIT, as_pb_str_of(w, unit));
	if (w->sub.data.n)
		as_pb_put_bytes(&w->tail, PB_PERIOD_TYPE, as_pb_bytes(&w->sub));
}

static bool signed_number(struct as_slice text, uint64_t *v)
{
	bool minus = as_slice_starts(text, "-");

	if (!as_slice_dec(minus ? as_slice_skip(text, 1) : text, v))
		return false;
	*v = minus ? 0 - *v : *v;
	return true;
}

static void pb_whole_put_period(struct as_pb_write *w)
{
	const struct as_event *ev = event_of_period(w);
	struct as_slice type = pb_whole_meta(w, AS_PB_META_PERIOD_TYPE);
	struct as_slice unit = pb_whole_meta(w, AS_PB_META_PERIOD_UNIT);
	uint64_t nanos = ev ? as_unit_nanos(as_str_get(w->prof, ev->period_unit)) : 0;
	uint64_t period = 0;

	if (signed_number(pb_whole_meta(w, AS_PB_META_PERIOD), &period) || !ev) {
		pb_whole_put_type(w, type, unit);
	} else if (type.p) {
		pb_whole_put_type(w, type, as_str_get(w->prof, ev->period_unit));
		period = ev->period;
	} else if (nanos && ev->period <= INT64_MAX / nanos) {
		pb_whole_put_type(w, as_slice_of("cpu"), as_slice_of("nanoseconds"));
		period = ev->period * nanos;
	} else {
		pb_whole_put_type(
			w, as_str_get(w->prof, ev->name), as_str_get(w->prof, ev->period_unit));
		period = ev->period;
	}
	as_pb_put_number(&w->tail, PB_PERIOD, period);
}

/* What is said of the run comes first: should a comment of the source's say so, too, it is not
 * that one that holds. */
static bool pb_whole_put_run(struct as_pb_write *w)
{
	struct as_run_lines run;
	bool ok = as_run_lines_make(&run, w->prof, AS_RUN_PROCESS | AS_RUN_UTF8 | AS_RUN_EVENTS);

	for (size_t i = 0; ok && i < run.line.n; i++)
		ok = as_vec_push(w->al, &w->list, as_pb_str_of(w, run.line.p[i]));
	as_run_lines_release(&run, w->prof->al);
	return ok;
}

static enum as_code pb_whole_put_comments(struct as_pb_write *w)
{
	w->list.n = 0;
	AS_TRY(as_err_memory(w->wr->err, pb_whole_put_run(w)));
	for (size_t i = 0; i < w->prof->meta.n; i++) {
		const struct as_meta *m = &w->prof->meta.p[i];

		if (!as_slice_is(as_str_get(w->prof, m->key), AS_PB_META_COMMENT))
			continue;
		if (!as_vec_push(w->al, &w->list, as_pb_str_of(w, as_str_get(w->prof, m->text))))
			return as_err_no_memory(w->wr->err);
	}
	for (size_t i = 0; i < w->plan.maps.map.n; i++) {
		as_object object = w->plan.maps.map.p[i].object;
		struct as_slice text;

		if (!as_plan_is_virtual(&w->plan, i))
			continue;
		text = as_arena_printf(&w->arena, AS_PB_VIRTUAL "%.*s",
			AS_SLICE_FMT(as_object_path(w->prof, object)));
		if (!text.p || !as_vec_push(w->al, &w->list, as_pb_str_of(w, text)))
			return as_err_no_memory(w->wr->err);
	}
	as_pb_put_list(&w->tail, PB_COMMENT, w->list.p, w->list.n);
	return AS_OK;
}

/* Lines of other formats have no place here. */
static void lose_metas(const struct as_pb_write *w)
{
	static const char *const known[] = {AS_PB_META_COMMENT, AS_PB_META_DOC_URL, AS_PB_META_DROP,
		AS_PB_META_KEEP, AS_PB_META_DEFAULT, AS_PB_META_PERIOD, AS_PB_META_PERIOD_TYPE,
		AS_PB_META_PERIOD_UNIT, AS_PB_META_FIELDS};
	uint64_t lost = 0;

	for (size_t i = 0; i < w->prof->meta.n; i++) {
		struct as_slice key = as_str_get(w->prof, w->prof->meta.p[i].key);
		bool is_known = as_run_is_key(key);

		for (size_t k = 0; k < AS_ARRAY_LEN(known); k++)
			is_known |= as_slice_is(key, known[k]);
		lost += !is_known;
	}
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_META, lost);
	as_losses_add(w->wr->losses, "data-mappings", w->plan.maps.n_left_out,
		"mapping{ that holds|s that hold} no code");
}

/* What is shown first, as here. Without a word it is the last type, be it the time that is made of
 * counts. */
static struct as_slice pb_whole_default_type(const struct as_pb_write *w)
{
	struct as_slice text = pb_whole_meta(w, AS_PB_META_DEFAULT);
	uint32_t n = as_n_events(w->prof);

	if (!text.p && n && (w->scale || as_event_in_column(w->prof, n - 1)) &&
		as_opts_flag(&w->wr->opts, "default", true))
		text = as_str_get(w->prof, w->prof->event.p[0].name);
	return text;
}

enum as_code as_pb_put_tail(struct as_pb_write *w)
{
	static const struct {
		uint32_t number;
		const char *key;
	} text[] = {{PB_DROP_FRAMES, AS_PB_META_DROP}, {PB_KEEP_FRAMES, AS_PB_META_KEEP}};
	int64_t time = 0;

	lose_metas(w);
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++)
		as_pb_put_number(
			&w->tail, text[i].number, as_pb_str_of(w, pb_whole_meta(w, text[i].key)));
	if (w->prof->epoch.i && !as_date_to_nanos(as_str_get(w->prof, w->prof->epoch), &time))
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_EPOCH, 1);
	as_pb_put_number(&w->tail, PB_TIME_NANOS, (uint64_t)time);
	as_pb_put_number(&w->tail, PB_DURATION_NANOS, (uint64_t)w->prof->duration);
	pb_whole_put_period(w);
	AS_TRY(pb_whole_put_comments(w));
	as_pb_put_number(
		&w->tail, PB_DEFAULT_SAMPLE_TYPE, as_pb_str_of(w, pb_whole_default_type(w)));
	as_pb_put_number(
		&w->tail, PB_DOC_URL, as_pb_str_of(w, pb_whole_meta(w, AS_PB_META_DOC_URL)));
	as_pb_put_raw(&w->tail, pb_whole_meta(w, AS_PB_META_FIELDS));
	return AS_OK;
}

/* What code of each mapping has been given, where the source does not say so itself. */
enum as_code as_pb_plan_has(struct as_pb_write *w)
{
	w->has = as_arena_new(&w->arena, w->plan.maps.map.n * sizeof(*w->has) + 1);
	AS_TRY(as_err_memory(w->wr->err, w->has));
	if (as_profile_is_from(w->prof, "pprof"))
		return AS_OK;
	for (uint32_t i = 1; i < w->plan.loc.parent.n; i++) {
		const struct as_plan_frame *f = &w->plan.frame.p[w->plan.loc.label.p[i]];
		const struct as_func_row *func = &w->plan.func.p[f->func];
		uint32_t map;

		if (!w->plan.loc_id[i])
			continue;
		map = as_plan_outer(&w->plan, i)->map;
		if (!map)
			continue;
		w->has[map - 1] |= (func->name.i ? AS_MAP_HAS_FUNCS : 0) |
				   (func->file.i ? AS_MAP_HAS_FILES : 0) |
				   (f->line ? AS_MAP_HAS_LINES : 0) |
				   (f->inner ? AS_MAP_HAS_INLINED : 0);
	}
	return AS_OK;
}
