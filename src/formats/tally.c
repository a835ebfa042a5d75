/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/tally.h"

/* Each is a column of all samples. */
enum { EVENTS_MAX = 2048 };

void as_tally_init(
	struct as_tally *t, struct as_rd *rd, const struct as_alloc *al, const char *format)
{
	*t = (struct as_tally){.rd = rd, .al = al, .format = format};
	as_arena_init(&t->arena, al);
	as_index_init(&t->threads, al);
	as_index_init(&t->sums, al);
}

/* Files have few events; the last one is the likeliest. */
enum as_code as_tally_event(
	struct as_tally *t, struct as_slice name, struct as_slice unit, uint32_t *event)
{
	uint64_t limit = t->rd->lim.events && t->rd->lim.events < EVENTS_MAX ? t->rd->lim.events
									     : EVENTS_MAX;
	struct as_tally_event one;

	for (size_t i = t->event.n; i-- > 0;) {
		*event = (uint32_t)i;
		if (as_slice_eq(t->event.p[i].name, name))
			return AS_OK;
	}
	if (t->event.n >= limit)
		return as_rd_fail(t->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"there are more than %zu events, which is the limit", t->event.n);
	*event = (uint32_t)t->event.n;
	one.name = as_arena_dup(&t->arena, name);
	one.unit = as_arena_dup(&t->arena, unit);
	return as_err_memory(
		t->rd->err, one.name.p && one.unit.p && as_vec_push(t->al, &t->event, one));
}

static bool tally_is_thread(
	const struct as_tally *t, const struct as_tally_thread *a, const struct as_tally_thread *b)
{
	bool one = b->has_pid && !t->rd->out->keep_moments;

	return a->has_pid == b->has_pid && a->pid == b->pid && a->number == b->number &&
	       a->state == b->state && as_slice_eq(a->name, b->name) &&
	       as_slice_eq(a->process, b->process) &&
	       (one || (a->tid == b->tid && a->has_tid == b->has_tid));
}

enum as_code as_tally_thread(
	struct as_tally *t, const struct as_tally_thread *one, uint32_t *thread)
{
	uint64_t hash = as_hash_mix(as_hash_bytes(one->name.p, one->name.len), one->pid);
	uint64_t at = AS_INDEX_START;
	struct as_tally_thread row = *one;

	while (as_index_find(&t->threads, hash, &at, thread)) {
		struct as_tally_thread *is = &t->thread.p[*thread];

		if (!tally_is_thread(t, is, one))
			continue;
		is->several |= is->tid != one->tid;
		return AS_OK;
	}
	*thread = (uint32_t)t->thread.n;
	row.name = as_arena_dup(&t->arena, one->name);
	row.process = as_arena_dup(&t->arena, one->process);
	return as_err_memory(t->rd->err, row.name.p && row.process.p &&
						 as_vec_push(t->al, &t->thread, row) &&
						 as_index_add(&t->threads, hash, *thread));
}

/* ---- samples ---- */

static enum as_code tally_sum(struct as_tally *t, const struct as_tally_sum *one, uint32_t *row)
{
	uint64_t hash = as_hash_mix(one->node.i, (uint64_t)one->thread << 32 | one->event);
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&t->sums, hash, &at, row)) {
		const struct as_tally_sum *s = &t->sum.p[*row];

		if (s->node.i == one->node.i && s->thread == one->thread && s->event == one->event)
			return AS_OK;
	}
	*row = (uint32_t)t->sum.n;
	return as_err_memory(t->rd->err,
		as_vec_push(t->al, &t->sum, *one) && as_index_add(&t->sums, hash, *row));
}

static int64_t tally_end(const struct as_tally_when *when)
{
	return when->duration > (uint64_t)INT64_MAX - (uint64_t)when->time && when->time >= 0
		       ? INT64_MAX
		       : (int64_t)((uint64_t)when->time + when->duration);
}

static enum as_code tally_moment(
	struct as_tally *t, uint32_t sum, as_val value, const struct as_tally_when *when)
{
	struct as_build *b = t->rd->out;
	struct as_tally_moment m = {when->time, (int64_t)value, when->duration, sum};

	if (b->keep_moments && value == m.value)
		return as_err_memory(t->rd->err, as_vec_push(t->al, &t->moment, m));
	b->prof->moments.left++;
	return AS_OK;
}

static void tally_stretch(struct as_tally *t, const struct as_tally_when *when)
{
	int64_t end = tally_end(when);

	t->first = !t->has_time || when->time < t->first ? when->time : t->first;
	t->last = !t->has_time || end > t->last ? end : t->last;
	t->has_time = true;
}

enum as_code as_tally_add(struct as_tally *t, uint32_t thread, uint32_t event, as_node node,
	as_val value, const struct as_tally_when *when)
{
	struct as_tally_sum one = {.thread = thread, .event = event, .node = node};
	uint32_t row;

	AS_TRY(tally_sum(t, &one, &row));
	t->sum.p[row].value += value;
	if (!when)
		return AS_OK;
	tally_stretch(t, when);
	return tally_moment(t, row, value, when);
}

enum as_code as_tally_marker(
	struct as_tally *t, uint32_t thread, struct as_slice name, const struct as_tally_when *when)
{
	struct as_build *b = t->rd->out;
	struct as_tally_sum one = {.thread = thread};
	struct as_pos pos = {.line = 0};
	as_place place;
	uint32_t row;

	if (!b->keep_markers || !when) {
		b->prof->moments.markers_left++;
		return AS_OK;
	}
	AS_TRY(as_tally_event(t, as_slice_of(AS_MARKERS), as_slice_of("count"), &one.event));
	AS_TRY(as_build_func(b, name, (as_object){0}, (as_file){0}, 0, &pos.func));
	AS_TRY(as_build_place(b, &pos, &place));
	AS_TRY(as_build_push(b, (as_node){0}, place, &one.node));
	AS_TRY(tally_sum(t, &one, &row));
	t->sum.p[row].value++;
	return tally_moment(t, row, 1, when);
}

void as_tally_span(struct as_tally *t, uint64_t n, int64_t first, int64_t last)
{
	if (!n)
		return;
	t->first = !t->has_time || first < t->first ? first : t->first;
	t->last = !t->has_time || last > t->last ? last : t->last;
	t->has_time = true;
	if (!t->rd->out->keep_moments)
		t->rd->out->prof->moments.left += n;
}

/* ---- all of it ---- */

/* First threads, by the number of their process. */
static enum as_code tally_firsts(const struct as_tally *t, struct as_index *firsts)
{
	for (size_t i = 0; i < t->thread.n; i++) {
		const struct as_tally_thread *one = &t->thread.p[i];

		if (one->has_pid && one->has_tid && one->pid == one->tid && one->name.len)
			AS_TRY(as_err_memory(t->rd->err,
				as_index_add(firsts, as_hash_mix(one->pid, 1), (uint32_t)i)));
	}
	return AS_OK;
}

static struct as_slice tally_process(
	const struct as_tally *t, const struct as_index *firsts, const struct as_tally_thread *one)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	if (one->process.len)
		return one->process;
	while (one->has_pid && as_index_find(firsts, as_hash_mix(one->pid, 1), &at, &row))
		if (t->thread.p[row].pid == one->pid)
			return t->thread.p[row].name;
	return one->name;
}

static enum as_code tally_part(
	struct as_tally *t, const struct as_tally_thread *one, struct as_slice process)
{
	struct as_build *b = t->rd->out;
	static const char *const key[] = {"process", AS_STATE};
	const struct as_slice value[] = {process, as_slice_of(one->state ? one->state : "")};
	struct as_part *part;
	uint32_t row;

	AS_TRY(as_rd_part(t->rd, t->format, &row));
	AS_TRY(as_build_part_all_events(b, row));
	part = &b->prof->part.p[row];
	part->pid = one->pid;
	part->tid = one->tid;
	part->has_pid = one->has_pid;
	part->has_tid = one->has_tid && !one->several;
	part->number = one->number;
	part->has_number = one->number != 0;
	if (one->name.len)
		AS_TRY(as_build_str(b, one->name, &part->thread));
	if (process.len)
		AS_TRY(as_build_str(b, process, &part->command));
	return as_build_part_texts(b, row, key, value, AS_ARRAY_LEN(key));
}

static enum as_code tally_parts(struct as_tally *t)
{
	static const struct as_tally_thread nobody = {.name = {"", 0}};
	struct as_index firsts;

	as_index_init(&firsts, t->al);
	AS_TRY(tally_firsts(t, &firsts));
	for (size_t i = 0; i < t->thread.n; i++)
		AS_TRY(tally_part(t, &t->thread.p[i], tally_process(t, &firsts, &t->thread.p[i])));
	return t->rd->out->prof->part.n ? AS_OK : tally_part(t, &nobody, nobody.name);
}

static enum as_code tally_samples(struct as_tally *t, uint32_t first, const uint32_t *column)
{
	as_val *cost;

	AS_TRY(as_err_memory(
		t->rd->err, as_alloc_array(t->al, &cost, as_n_events(t->rd->out->prof))));
	for (size_t i = 0; i < t->sum.n; i++) {
		const struct as_tally_sum *s = &t->sum.p[i];
		as_val *at = &cost[column[s->event]];

		*at = s->value;
		AS_TRY(as_build_sample(t->rd->out, first + s->thread, s->node, cost));
		*at = 0;
	}
	return AS_OK;
}

static enum as_code tally_moments(struct as_tally *t, uint32_t first, const uint32_t *column)
{
	for (size_t i = 0; i < t->moment.n; i++) {
		const struct as_tally_moment *from = &t->moment.p[i];
		const struct as_tally_sum *s = &t->sum.p[from->sum];
		struct as_moment m = {.time = from->time,
			.duration = from->duration,
			.value = from->value,
			.part = first + s->thread,
			.event = column[s->event],
			.node = s->node};

		AS_TRY(as_build_moment(t->rd->out, &m));
	}
	return AS_OK;
}

enum as_code as_tally_put(struct as_tally *t)
{
	struct as_build *b = t->rd->out;
	uint32_t first = (uint32_t)b->prof->part.n, *column;

	AS_TRY(as_err_memory(t->rd->err, as_alloc_array(t->al, &column, t->event.n + 1)));
	for (size_t i = 0; i < t->event.n; i++)
		AS_TRY(as_build_event(b, t->event.p[i].name, t->event.p[i].unit, &column[i]));
	AS_TRY(tally_parts(t));
	AS_TRY(tally_samples(t, first, column));
	AS_TRY(tally_moments(t, first, column));
	if (t->has_time && t->last - (as_val)t->first <= INT64_MAX)
		b->prof->duration = t->last - t->first;
	return AS_OK;
}
