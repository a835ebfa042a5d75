/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what all messages have said to the profile: its events, its parts resource by resource, the
 * tree of paths and the samples. For a caller who makes a table of functions only, their sums.
 */
#include "base/date.h"
#include "base/sort.h"
#include "formats/off_tell.h"
#include "formats/otlp/otlp.h"
#include "formats/run_lines.h"
#include "formats/stack_order.h"
#include "model/sums.h"

/* ---- events ---- */

/* Types of one name differ in their units: the model tells events apart by names. */
static enum as_code build_event(struct as_otlp_read *r, struct as_otlp_event *e, size_t number)
{
	const struct as_profile *prof = r->rd->out->prof;
	struct as_slice unit = as_str_get(prof, e->unit), name = as_str_get(prof, e->name);
	size_t before = prof->event.n;
	struct as_slice text = name;

	for (unsigned k = 0; prof->event.n == before && k < 1000; k++) {
		if (k == 1)
			AS_TRY(as_rd_find(r->rd, AS_F_OTLP_TYPE_TWICE, AS_OFF_NONE, 0,
				"value type %zu: there is another one of this name, '%.*s', with "
				"another unit",
				number, AS_SLICE_FMT(name)));
		if (k == 1)
			text = as_arena_printf(
				&r->arena, "%.*s/%.*s", AS_SLICE_FMT(name), AS_SLICE_FMT(unit));
		else if (k)
			text = as_arena_printf(&r->arena, "%.*s#%u", AS_SLICE_FMT(text), k);
		AS_TRY(as_otlp_memory(r, text.p || !text.len));
		AS_TRY(as_build_event(r->rd->out, text, unit, &e->event));
	}
	return AS_OK;
}

/* The one to show unasked comes first. */
static enum as_code build_events(struct as_otlp_read *r)
{
	size_t n = r->event.n, first = 0;

	while (first < n && (!r->default_type.i || r->event.p[first].name.i != r->default_type.i))
		first++;
	if (first == n)
		first = 0;
	if (n)
		AS_TRY(build_event(r, &r->event.p[first], first + 1));
	for (size_t i = 0; i < n; i++)
		if (i != first)
			AS_TRY(build_event(r, &r->event.p[i], i + 1));
	r->rd->out->prof->first_column = (uint32_t)first;
	return AS_OK;
}

/* A period of a time is that of samples, which are counted; one of anything else is of the values
 * if they are called so. Any other one is kept as it is. */
static enum as_code build_periods(struct as_otlp_read *r)
{
	struct as_profile *prof = r->rd->out->prof;
	const struct as_otlp_event *left = NULL;
	bool taken = false, is_time;
	char text[24];

	for (size_t i = 0; i < r->event.n; i++) {
		const struct as_otlp_event *e = &r->event.p[i];
		struct as_event *ev = &prof->event.p[e->event];

		if (!e->seen || e->differs || !e->period || e->period > INT64_MAX)
			continue;
		left = left ? left : e;
		is_time = as_unit_nanos(as_str_get(prof, e->period_unit)) != 0;
		if (is_time ? !as_slice_is(as_str_get(prof, ev->unit), "count")
			    : e->period_type.i != e->name.i)
			continue;
		if (!is_time && left == e) /* its type says no more */
			left = NULL;
		taken = true;
		if (ev->period) /* lines of ours have said it */
			continue;
		ev->period = e->period;
		ev->period_unit = e->period_unit;
	}
	if (!left)
		return AS_OK;
	if (left->period_type.i)
		AS_TRY(as_build_meta(r->rd->out, 0, as_slice_of(AS_OTLP_META_PERIOD_TYPE),
			as_str_get(prof, left->period_type)));
	if (taken)
		return AS_OK;
	if (left->period_unit.i)
		AS_TRY(as_build_meta(r->rd->out, 0, as_slice_of(AS_OTLP_META_PERIOD_UNIT),
			as_str_get(prof, left->period_unit)));
	as_val_text((as_val)left->period, text);
	return as_build_meta(r->rd->out, 0, as_slice_of(AS_OTLP_META_PERIOD), as_slice_of(text));
}

/* ---- parts ---- */

static enum as_code build_text_of(
	struct as_otlp_read *r, const struct as_label *l, struct as_slice *out)
{
	*out = as_str_get(r->rd->out->prof, l->text);
	if (!l->text.i)
		*out = as_arena_printf(&r->arena, "%" PRId64, l->number);
	return as_otlp_memory(r, out->p);
}

static bool build_is_fact(struct as_part *p, struct as_slice key, const struct as_label *l)
{
	struct {
		const char *key;
		uint64_t *number;
		bool *has;
	} numbers[] = {{AS_OTLP_PID, &p->pid, &p->has_pid}, {AS_OTLP_TID, &p->tid, &p->has_tid},
		{AS_OTLP_PART, &p->number, &p->has_number}};
	as_str *text = as_slice_is(key, AS_OTLP_COMMAND)  ? &p->command
		       : as_slice_is(key, AS_OTLP_THREAD) ? &p->thread
							  : NULL;

	if (l->text.i) {
		if (text)
			*text = l->text;
		return text;
	}
	for (size_t i = 0; l->number >= 0 && i < AS_ARRAY_LEN(numbers); i++)
		if (as_slice_is(key, numbers[i].key)) {
			*numbers[i].number = (uint64_t)l->number;
			*numbers[i].has = true;
			return true;
		}
	return false;
}

/* What an attribute of a resource says is a fact of the part, or a line of metadata, or both. */
static enum as_code build_resource_attr(
	struct as_otlp_read *r, const struct as_label *l, uint32_t part)
{
	struct as_slice key = as_str_get(r->rd->out->prof, l->key), text;
	struct as_part *p = &r->rd->out->prof->part.p[part];

	as_assert(part < r->rd->out->prof->part.n);
	if (build_is_fact(p, key, l))
		return AS_OK;
	AS_TRY(build_text_of(r, l, &text));
	key = as_arena_printf(&r->arena, AS_OTLP_META_RESOURCE "%.*s%s", AS_SLICE_FMT(key),
		l->text.i ? "" : AS_OTLP_META_NUMBER);
	AS_TRY(as_otlp_memory(r, key.p));
	return as_build_meta(r->rd->out, part, key, text);
}

static enum as_code build_resource(struct as_otlp_read *r, struct as_otlp_resource *res)
{
	struct as_build *b = r->rd->out;
	uint32_t part;

	AS_TRY(as_rd_part(r->rd, "otlp", &part));
	res->part = part;
	b->prof->part.p[part].creator = res->scope;
	AS_TRY(as_build_part_all_events(b, part));
	for (uint32_t i = 0; i < res->n; i++)
		AS_TRY(build_resource_attr(r, &r->label.p[res->first + i], part));
	return AS_OK;
}

/* The labels of a set: where there are several resources, what tells these apart as well. */
static enum as_code build_set(struct as_otlp_read *r, struct as_otlp_set *set)
{
	const struct as_otlp_resource *res = &r->resource.p[set->resource];

	r->scratch.n = 0;
	if (r->resource.n > 1 &&
		!as_vec_append(r->al, &r->scratch, r->label.p + res->first, res->n))
		return as_err_no_memory(r->rd->err);
	if (!as_vec_append(r->al, &r->scratch, r->label.p + set->first, set->n))
		return as_err_no_memory(r->rd->err);
	return as_build_labelled(r->rd->out, r->scratch.p, (uint32_t)r->scratch.n, &set->part);
}

static int build_cmp_set(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_otlp_read *r = ctx;

	return as_cmp_u64(r->set.p[a].resource, r->set.p[b].resource);
}

/* Parts of labels stand behind the part that they are of. */
static enum as_code build_parts(struct as_otlp_read *r)
{
	struct as_otlp_resource none = {0};
	size_t at = 0, n = r->set.n;
	uint32_t *order;

	if (!r->resource.n)
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->resource, none)));
	order = as_sorted_rows(r->al, n, build_cmp_set, r);
	AS_TRY(as_otlp_memory(r, order));
	for (uint32_t i = 0; i < r->resource.n; i++) {
		AS_TRY(build_resource(r, &r->resource.p[i]));
		for (; at < n && r->set.p[order[at]].resource == i; at++)
			AS_TRY(build_set(r, &r->set.p[order[at]]));
	}
	return AS_OK;
}

/* ---- what is true of all ---- */

/* A comment of our writer's is a fact; others are kept. */
static enum as_code build_metas(struct as_otlp_read *r, struct as_run_read *run)
{
	const struct as_profile *prof = r->rd->out->prof;

	for (size_t i = 0; i < r->meta.n; i++) {
		struct as_slice key = as_str_get(prof, r->meta.p[i].key);
		struct as_slice text = as_str_get(prof, r->meta.p[i].text);
		enum as_said said = AS_SAID_OTHER;

		if (as_slice_is(key, AS_OTLP_META_COMMENT))
			AS_TRY(as_run_line(run, text, &said));
		if (said != AS_SAID_FACT)
			AS_TRY(as_build_meta(r->rd->out, 0, key, text));
	}
	return as_run_end(run);
}

static enum as_code build_whole(struct as_otlp_read *r)
{
	struct as_build *b = r->rd->out;
	char time[AS_DATE_NANOS];
	struct as_run_read run;
	enum as_code rc;

	if (r->layout_known)
		AS_TRY(as_build_str(
			b, as_slice_of(as_otlp_layout_text(r->layout)), &b->prof->version));
	if (r->start && r->start <= INT64_MAX)
		AS_TRY(as_build_str(b,
			as_slice_of(as_date_nanos_text((int64_t)r->start, "T", "Z", time)),
			&b->prof->epoch));
	if (r->stop > r->start && r->stop - r->start <= INT64_MAX)
		b->prof->duration = (int64_t)(r->stop - r->start);
	as_run_begin(&run, b, 0, AS_RUN_PROCESS | AS_RUN_EVENTS);
	rc = build_metas(r, &run);
	as_run_release(&run);
	AS_TRY(rc);
	if (r->profile_id.len && !r->ids_differ)
		AS_TRY(as_build_meta(b, 0, as_slice_of("profile_id"), r->profile_id));
	return build_periods(r);
}

static enum as_code build_told(struct as_otlp_read *r)
{
	if (r->dropped)
		AS_TRY(as_rd_find(r->rd, AS_F_OTLP_DROPPED, AS_OFF_NONE, 0,
			"whoever wrote this has dropped %" PRIu64 " attribute%s", r->dropped,
			r->dropped == 1 ? "" : "s"));
	AS_TRY(as_rd_tell(r->rd, AS_F_OTLP_ATTRIBUTE_LOST, r->lost_attrs,
		"attribute{|s} {has|have} no place in a profile and {is|are} not kept"));
	if (!r->n_samples)
		return as_rd_find(
			r->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "there is not a single sample");
	if (!r->n_kept)
		return as_rd_fail(r->rd, AS_E_FORMAT, 0, 0,
			"none of the %" PRIu64 " samples has a value", r->n_samples);
	return AS_OK;
}

/* ---- the tree ---- */

/* The node of each stack, to NODE. */
static enum as_code build_nodes(struct as_otlp_read *r, as_node *node)
{
	struct as_stack_tree tree = {.b = r->rd->out, .al = r->al};
	struct as_stack_item *it;
	size_t n = r->stack.n;

	AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->word, 0) &&
					 as_vec_push(r->al, &r->word, 0) &&
					 as_alloc_array(r->al, &it, n)));
	for (uint32_t i = 0; i < n; i++)
		it[i] = (struct as_stack_item){0, r->stack.p[i], i};
	tree.words = (struct as_stack_words){r->word.p, 1, 0};
	tree.before = r->word.p + r->word.n - 1;
	as_stack_order(tree.words, it, n);
	for (size_t i = 0; i < n; i++)
		AS_TRY(as_stack_node(&tree, r->word.p + it[i].root, &node[it[i].row]));
	r->rd->out->depth_first = true;
	return AS_OK;
}

/* Times that are not kept are counted. */
static enum as_code build_moments(struct as_otlp_read *r, const as_node *node)
{
	struct as_build *b = r->rd->out;

	b->has_zero = b->prof->epoch.i != 0;
	b->zero = (int64_t)r->start;
	b->prof->moments.left += r->n_times - r->moment.n;
	for (size_t i = 0; i < r->moment.n; i++) {
		const struct as_otlp_moment *m = &r->moment.p[i];
		struct as_moment at = {.time = (int64_t)m->time,
			.value = m->value,
			.part = r->set.p[m->set].part,
			.event = r->event.p[m->event].event,
			.node = node[m->stack]};

		at.duration =
			as_off_is_event(b->prof, at.event) && at.value > 0 ? (uint64_t)at.value : 0;
		AS_TRY(as_build_moment(b, &at));
	}
	return AS_OK;
}

static enum as_code build_samples(struct as_otlp_read *r)
{
	struct as_build *b = r->rd->out;
	as_node *node;
	as_val *cost;

	AS_TRY(as_otlp_memory(r, as_alloc_array(r->al, &node, r->stack.n) &&
					 as_alloc_array(r->al, &cost, r->event.n)));
	AS_TRY(as_otlp_settle_stacks(r));
	AS_TRY(build_nodes(r, node));
	for (size_t i = 0; i < r->row.n; i++) {
		const struct as_otlp_row *row = &r->row.p[i];
		as_val *v = &cost[r->event.p[row->event].event];

		*v = row->value;
		b->order = (uint32_t)i;
		AS_TRY(as_build_sample(b, r->set.p[row->set].part, node[row->stack], cost));
		*v = 0;
	}
	return build_moments(r, node);
}

/* ---- sums ---- */

static enum as_code build_add_stack(
	struct as_otlp_read *r, struct as_sums *sums, uint32_t stack, const as_val *cost)
{
	const struct as_profile *prof = r->rd->out->prof;
	as_func func = {0}, before = {0};

	size_t kept = r->word.n;

	if (stack >= r->n_settled)
		AS_TRY(as_otlp_stack_words(r, stack));
	for (const uint32_t *w = r->word.p + r->stack.p[stack]; *w; w++, before = func) {
		as_place place = {*w - 1};

		func = prof->place.func.p[place.i];
		/* A function that is inlined into itself does not call itself. */
		if (prof->place.inlined.p[place.i] && func.i == before.i)
			continue;
		as_sums_enter(sums, func, (uint64_t)stack + 1, cost);
	}
	if (!func.i)
		as_sums_enter(sums, func, (uint64_t)stack + 1, cost);
	as_sums_leaf(sums, func, cost);
	r->word.n = kept; /* of what is added up nothing stays */
	return AS_OK;
}

/* What each stack costs in all samples, then what its functions do. */
static enum as_code build_sums(struct as_otlp_read *r)
{
	size_t e = r->event.n;
	struct as_sums sums = {.al = r->al, .e = (uint32_t)e};
	as_func last = {(uint32_t)r->rd->out->prof->func.name.n - 1};
	as_val *cost;

	AS_TRY(as_otlp_memory(
		r, as_sums_room(&sums, last) && as_alloc_array(r->al, &cost, r->stack.n * e)));
	for (size_t i = 0; i < r->row.n; i++) {
		const struct as_otlp_row *row = &r->row.p[i];

		cost[row->stack * e + r->event.p[row->event].event] += row->value;
	}
	for (uint32_t i = 0; i < r->stack.n; i++)
		AS_TRY(build_add_stack(r, &sums, i, cost + i * e));
	r->rd->out->prof->moments.left += r->n_times;
	return as_sums_put(&sums, r->rd->out);
}

enum as_code as_otlp_build(struct as_otlp_read *r)
{
	AS_TRY(build_events(r));
	AS_TRY(build_parts(r));
	AS_TRY(build_whole(r));
	AS_TRY(r->rd->sums && !r->nameless ? build_sums(r) : build_samples(r));
	return build_told(r);
}
