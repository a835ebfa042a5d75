/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing, in the newest layout: part by part resources, of which each has a profile for each
 * event, then the tables that they name. Tables are in the order of their content, strings and
 * attributes in that of their first use, so the same profile gives the same bytes.
 */
#include "formats/otlp/otlp_write.h"
#include "base/date.h"

/* ---- samples ---- */

static enum as_code otlp_write_range(const struct as_otlp_write *w, as_val v)
{
	char text[AS_VAL_TEXT];

	return as_err_set(w->wr->err, AS_E_LIMIT,
		"a stack has the cost %s; the format holds numbers of 64 bits",
		as_val_text(v, text));
}

static as_val otlp_write_cost(const struct as_otlp_write *w, size_t at, uint32_t event)
{
	const struct as_plan_sample *s = &w->plan.sample.p[w->plan.sample_order.at[at]];

	return w->prof->sample.cost.p[(size_t)s->row * w->prof->event.n + event];
}

/* Whether the samples from AT up to END, which are one, stand in the profile of EVENT: those of
 * no cost at all do in the first. */
static bool otlp_write_is_of(
	const struct as_otlp_write *w, size_t at, size_t end, uint32_t event, as_val *sum)
{
	bool any = false;

	*sum = 0;
	for (size_t i = at; i < end; i++) {
		*sum += otlp_write_cost(w, i, event);
		for (uint32_t k = 0; k < w->prof->event.n; k++)
			any |= otlp_write_cost(w, i, k) != 0;
	}
	return *sum || (!any && event == as_event_in_column(w->prof, 0));
}

/* The samples from AT up to END, which are one and cost SUM of EVENT. */
static enum as_code otlp_write_sample(
	struct as_otlp_write *w, size_t at, size_t end, uint32_t event, as_val sum, uint32_t whole)
{
	const struct as_plan_sample *s = &w->plan.sample.p[w->plan.sample_order.at[at]];
	const struct as_otlp_out_set *set =
		as_otlp_set_of(w, w->prof->sample.part.p[s->row], whole);
	uint64_t value = (uint64_t)(int64_t)sum;

	if (sum < INT64_MIN || sum > INT64_MAX)
		return otlp_write_range(w, sum);
	as_otlp_put_begin(&w->put, AS_OTLP_F_SAMPLES);
	as_otlp_put_number(&w->put, AS_OTLP_F_STACK, w->stack_row[s->stack]);
	as_otlp_put_numbers(&w->put, AS_OTLP_F_ATTR_INDICES, w->set_list.p + set->first, set->n);
	as_otlp_put_number(&w->put, AS_OTLP_F_LINK, set->link);
	as_otlp_moments_of(w, at, end, event);
	as_otlp_put_numbers(&w->put, AS_OTLP_F_VALUES, w->times.n ? w->list.p : &value,
		w->times.n ? w->list.n : 1);
	as_otlp_put_numbers(&w->put, AS_OTLP_F_TIMES, w->times.p, w->times.n);
	as_otlp_put_end(&w->put);
	return AS_OK;
}

/* The samples FIRST up to END of the order, which are those of WHOLE. */
static enum as_code otlp_write_samples(
	struct as_otlp_write *w, size_t first, size_t end, uint32_t event, uint32_t whole)
{
	as_otlp_put_list(&w->put, AS_OTLP_F_SAMPLES);
	for (size_t i = first, next; i < end; i = next) {
		const struct as_plan_sample *s = &w->plan.sample.p[w->plan.sample_order.at[i]];
		as_val sum;

		for (next = i + 1; next < end; next++) {
			const struct as_plan_sample *t =
				&w->plan.sample.p[w->plan.sample_order.at[next]];

			if (t->stack != s->stack || t->set != s->set)
				break;
		}
		if (otlp_write_is_of(w, i, next, event, &sum))
			AS_TRY(otlp_write_sample(w, i, next, event, sum, whole));
	}
	as_otlp_put_list_end(&w->put);
	return AS_OK;
}

/* ---- profiles ---- */

static void otlp_write_type(
	struct as_otlp_write *w, enum as_otlp_id id, struct as_slice type, struct as_slice unit)
{
	as_otlp_put_begin(&w->put, id);
	as_otlp_put_number(&w->put, AS_OTLP_F_TYPE, as_otlp_str_of(w, type));
	as_otlp_put_number(&w->put, AS_OTLP_F_UNIT, as_otlp_str_of(w, unit));
	as_otlp_put_end(&w->put);
}

/* Nobody's events but these two formats' are without a unit because the source says so. */
static struct as_slice otlp_write_unit(const struct as_otlp_write *w, const struct as_event *ev)
{
	bool said = w->own || as_profile_is_from(w->prof, "pprof");

	return said || ev->unit.i ? as_str_get(w->prof, ev->unit) : as_slice_of("count");
}

/* The event's, or what lines of metadata say; a time's is that of the CPU, unless one says more. */
static void otlp_write_period(struct as_otlp_write *w, const struct as_event *ev)
{
	struct as_slice type = as_otlp_meta(w, AS_OTLP_META_PERIOD_TYPE);
	struct as_slice unit = as_otlp_meta(w, AS_OTLP_META_PERIOD_UNIT);
	struct as_slice text = as_otlp_meta(w, AS_OTLP_META_PERIOD);
	uint64_t period = ev->period;

	if (period) {
		unit = as_str_get(w->prof, ev->period_unit);
		if (!as_unit_nanos(unit))
			type = as_str_get(w->prof, ev->name);
		else if (!type.p)
			type = as_slice_of("cpu");
	} else if (text.p && !as_slice_dec(text, &period)) {
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_META, 1);
	}
	if (!period)
		return;
	otlp_write_type(w, AS_OTLP_F_PERIOD_TYPE, type, unit);
	as_otlp_put_number(&w->put, AS_OTLP_F_PERIOD, period);
}

static enum as_code otlp_write_profile(
	struct as_otlp_write *w, size_t first, size_t end, uint32_t event, uint32_t whole)
{
	const struct as_event *ev = &w->prof->event.p[event];

	as_assert(event < w->prof->event.n);
	as_otlp_put_begin(&w->put, AS_OTLP_F_PROFILES);
	otlp_write_type(
		w, AS_OTLP_F_SAMPLE_TYPE, as_str_get(w->prof, ev->name), otlp_write_unit(w, ev));
	AS_TRY(otlp_write_samples(w, first, end, event, whole));
	as_otlp_put_number(&w->put, AS_OTLP_F_TIME, (uint64_t)w->time);
	as_otlp_put_number(&w->put, AS_OTLP_F_DURATION, (uint64_t)w->prof->duration);
	otlp_write_period(w, ev);
	as_otlp_put_hex(&w->put, AS_OTLP_F_PROFILE_ID, as_otlp_meta(w, "profile_id"));
	as_otlp_put_numbers(
		&w->put, AS_OTLP_F_ATTR_INDICES, w->profile_attrs.p, w->profile_attrs.n);
	as_otlp_put_end(&w->put);
	return AS_OK;
}

/* A part, and what labels split off it: the samples from *AT on, which is moved behind them. */
static enum as_code otlp_write_part(struct as_otlp_write *w, uint32_t whole, size_t *at)
{
	size_t first = *at;

	while (*at < w->plan.sample.n) {
		const struct as_plan_sample *s = &w->plan.sample.p[w->plan.sample_order.at[*at]];

		if (w->plan.labels.whole[w->prof->sample.part.p[s->row]] != whole)
			break;
		++*at;
	}
	as_otlp_put_begin(&w->put, AS_OTLP_F_RESOURCE_PROFILES);
	as_otlp_put_resource(w, whole);
	as_otlp_put_list(&w->put, AS_OTLP_F_SCOPES);
	as_otlp_put_begin(&w->put, AS_OTLP_F_SCOPES);
	as_otlp_put_scope(w, whole);
	as_otlp_put_list(&w->put, AS_OTLP_F_PROFILES);
	for (uint32_t k = 0; k < w->prof->event.n; k++)
		AS_TRY(otlp_write_profile(w, first, *at, as_event_in_column(w->prof, k), whole));
	as_otlp_put_list_end(&w->put);
	as_otlp_put_end(&w->put);
	as_otlp_put_list_end(&w->put);
	as_otlp_put_text(&w->put, AS_OTLP_F_SCHEMA_URL, as_otlp_meta(w, "schema_url"));
	as_otlp_put_end(&w->put);
	return AS_OK;
}

/* ---- all of it ---- */

/* Rows of stacks that samples name, by their order; row 0 is none. */
static enum as_code otlp_write_number_stacks(struct as_otlp_write *w)
{
	const struct as_plan_tree *t = &w->plan.stack;
	size_t n = t->parent.n;
	uint32_t *at;

	w->stack_row = as_arena_new(&w->arena, n * sizeof(*w->stack_row));
	AS_TRY(as_err_memory(w->wr->err, w->stack_row && as_alloc_array(w->al, &at, n)));
	for (uint32_t i = 0; i < n; i++)
		at[as_plan_number(t, i)] = i;
	for (size_t i = 0; i < w->plan.sample.n; i++)
		w->stack_row[w->plan.sample.p[i].stack] = 1;
	w->stack_row[0] = 0;
	for (size_t k = 1; k < n; k++)
		if (w->stack_row[at[k]])
			w->stack_row[at[k]] = ++w->n_stacks;
	return AS_OK;
}

static enum as_code otlp_write_plan(struct as_otlp_write *w)
{
	AS_TRY(as_err_memory(w->wr->err, as_strings_init(&w->str, &w->arena)));
	AS_TRY(as_plan_make(&w->plan));
	AS_TRY(otlp_write_number_stacks(w));
	w->set = as_arena_new(&w->arena, w->prof->part.n * sizeof(*w->set) + 1);
	AS_TRY(as_err_memory(w->wr->err, w->set && as_vec_reserve(w->al, &w->set_list, 1)));
	if (w->prof->epoch.i && !as_date_to_nanos(as_str_get(w->prof, w->prof->epoch), &w->time))
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_EPOCH, 1);
	if (w->time < 0) {
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_EPOCH, 1);
		w->time = 0;
	}
	AS_TRY(as_otlp_plan_moments(w));
	return as_otlp_plan_profile(w);
}

static enum as_code otlp_write_all(struct as_otlp_write *w, bool json)
{
	size_t at = 0;

	AS_TRY(otlp_write_plan(w));
	as_otlp_put_init(&w->put, w->al, w->wr->out, json);
	as_otlp_put_list(&w->put, AS_OTLP_F_RESOURCE_PROFILES);
	for (uint32_t i = 0; i < w->prof->part.n; i++)
		if (w->plan.labels.whole[i] == i)
			AS_TRY(otlp_write_part(w, i, &at));
	as_otlp_put_list_end(&w->put);
	AS_TRY(as_otlp_put_dictionary(w));
	if (json)
		as_out_text(w->wr->out, "}\n");
	as_losses_add(w->wr->losses, "not-utf8", w->put.n_bad,
		"text{ that is|s that are} not UTF-8, changed");
	if (w->no_memory || w->put.no_memory)
		return as_err_no_memory(w->wr->err);
	return w->wr->out->rc;
}

static enum as_code otlp_write_file(struct as_wr *wr, const struct as_profile *prof, bool json)
{
	struct as_otlp_write w = {.wr = wr, .al = wr->al, .prof = prof};
	enum as_code rc;

	as_arena_init(&w.arena, w.al);
	as_index_init(&w.attrs, w.al);
	as_plan_init(&w.plan, w.al, prof, wr->err);
	w.own = as_profile_is_from(prof, "otlp");
	rc = otlp_write_all(&w, json);
	as_plan_release(&w.plan);
	return rc;
}

enum as_code as_otlp_write_file(struct as_wr *wr, const struct as_profile *prof)
{
	return otlp_write_file(wr, prof, false);
}

enum as_code as_otlp_write_json(struct as_wr *wr, const struct as_profile *prof)
{
	return otlp_write_file(wr, prof, true);
}
