/* SPDX-License-Identifier: Apache-2.0 */
/* Events, counted by what they name; and then what that is. */
#include "formats/jfr/jfr.h"

enum { NANOS = 1000000000 };

/* ---- one event ---- */

struct event {
	uint64_t start, stack, thread, state;
	as_val weight[JFR_WEIGHTS];
};

/* T ticks in nanoseconds, rounded. */
static as_val jfr_tally_nanos(const struct as_jfr_chunk *c, as_val t)
{
	as_val per = (as_val)c->ticks_per_second, scaled = t * NANOS;

	if (!per || c->odd_ticks)
		return 0;
	return (scaled + (scaled < 0 ? -per / 2 : per / 2)) / per;
}

static as_val jfr_tally_signed(enum as_jfr_form form, uint64_t v)
{
	switch (form) {
	case JFR_FORM_BYTE:
		return (int8_t)(uint8_t)v;
	case JFR_FORM_SHORT:
		return (int16_t)(uint16_t)v;
	case JFR_FORM_INT:
		return (int32_t)(uint32_t)v;
	case JFR_FORM_LONG:
		return (int64_t)v;
	default:
		return (as_val)v;
	}
}

/* The lowest number of 64 bits is "not known" to Java, the highest "for ever".
 */
static bool jfr_tally_is_none(const struct as_jfr_field *f, as_val v)
{
	return f->unit >= JFR_UNIT_NANOS && (v == INT64_MIN || v == INT64_MAX);
}

static as_val jfr_tally_in_unit(
	const struct as_jfr_chunk *c, const struct as_jfr_field *f, as_val v)
{
	if (jfr_tally_is_none(f, v))
		return 0;
	switch (f->unit) {
	case JFR_UNIT_MICROS:
		return v * 1000;
	case JFR_UNIT_MILLIS:
		return v * 1000000;
	case JFR_UNIT_SECONDS:
		return v * NANOS;
	case JFR_UNIT_TICKS:
		return jfr_tally_nanos(c, v);
	default:
		return v;
	}
}

static bool jfr_tally_weight(const struct as_jfr_chunk *c, const struct as_jfr_field *f,
	struct as_jfr_cur *cur, as_val *v)
{
	static const uint8_t width[] = {[JFR_FORM_CHAR] = 2,
		[JFR_FORM_SHORT] = 2,
		[JFR_FORM_INT] = JFR_INT,
		[JFR_FORM_LONG] = JFR_LONG};
	enum as_jfr_form form = c->class.p[f->class].form;
	uint64_t n;

	if (!(form == JFR_FORM_BYTE ? as_jfr_big(cur, 1, &n) : as_jfr_number(cur, width[form], &n)))
		return false;
	*v = jfr_tally_in_unit(c, f, f->is_unsigned ? (as_val)n : jfr_tally_signed(form, n));
	return true;
}

static bool jfr_tally_read(const struct as_jfr_chunk *c, const struct as_jfr_plan *plan,
	struct as_jfr_cur *cur, struct event *e)
{
	const struct as_jfr_step *step = as_at(c->step.p, plan->first_step);

	for (uint32_t i = 0; i < plan->n_steps; i++, step++) {
		const struct as_jfr_field *f = &c->field.p[step->field];
		bool ok = false;

		switch (step->op) {
		case JFR_OP_SKIP:
			ok = as_jfr_skip_field(c, cur, f);
			break;
		case JFR_OP_START:
			ok = as_jfr_number(cur, JFR_LONG, &e->start);
			break;
		case JFR_OP_STACK:
			ok = as_jfr_number(cur, JFR_LONG, &e->stack);
			break;
		case JFR_OP_THREAD:
			ok = as_jfr_number(cur, JFR_LONG, &e->thread);
			break;
		case JFR_OP_STATE:
			ok = as_jfr_number(cur, JFR_LONG, &e->state);
			break;
		case JFR_OP_WEIGHT:
			ok = jfr_tally_weight(c, f, cur, &e->weight[step->weight]);
			break;
		}
		if (!ok)
			return false;
	}
	return true;
}

/* The tally of events like E, which may be new. NULL if out of memory. */
static struct as_jfr_tally *jfr_tally_of(
	struct as_jfr_chunk *c, uint32_t plan, uint32_t n, const struct event *e)
{
	uint64_t pos = AS_INDEX_START,
		 hash = as_hash_mix(as_hash_mix(e->stack, e->thread), as_hash_mix(e->state, plan));
	struct as_jfr_tally fresh = {
		plan, e->stack, e->thread, e->state, .first = c->r->tally_value.n};
	uint32_t row;

	while (as_index_find(&c->tallies, hash, &pos, &row)) {
		struct as_jfr_tally *t = &c->r->tally.p[row];

		if (t->plan == plan && t->stack == e->stack && t->thread == e->thread &&
			t->state == e->state)
			return t;
	}
	if (c->r->tally.n >= UINT32_MAX - 1 || !as_vec_push(c->r->al, &c->r->tally, fresh) ||
		!as_index_add(&c->tallies, hash, (uint32_t)c->r->tally.n - 1) ||
		!as_vec_reserve(c->r->al, &c->r->tally_value, c->r->tally_value.n + n))
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		c->r->tally_value.p[c->r->tally_value.n++] = 0;
	return &c->r->tally.p[c->r->tally.n - 1];
}

/* When it began, in nanoseconds since 1970. False: that is not known. */
static bool jfr_tally_time(const struct as_jfr_chunk *c, const struct as_jfr_plan *p,
	const struct event *e, int64_t *time)
{
	as_val at = (as_val)c->start +
		    jfr_tally_nanos(c, (as_val)(int64_t)e->start - (as_val)(int64_t)c->start_ticks);

	*time = (int64_t)at;
	return p->has_start && c->ticks_per_second && !c->odd_ticks && at == *time;
}

/* E, of tally T, which becomes the row of that number behind those of the
 * chunks before. */
static enum as_code jfr_tally_moment(struct as_jfr_chunk *c, const struct as_jfr_plan *p,
	struct as_jfr_tally *t, const struct event *e, uint32_t n)
{
	struct as_jfr_read *r = c->r;
	struct as_jfr_moment m = {
		.row = r->row.n + (size_t)(t - c->r->tally.p), .first = r->moment_value.n};

	if (!jfr_tally_time(c, p, e, &m.time))
		return AS_OK;
	t->moments++;
	for (uint32_t i = 0; i < n; i++)
		t->moments += e->weight[i] != 0;
	if (!r->rd->out->keep_moments)
		return AS_OK;
	if (p->duration != UINT32_MAX && e->weight[p->duration] > 0)
		m.duration = (uint64_t)e->weight[p->duration];
	return as_err_memory(
		r->rd->err, as_vec_push(r->al, &r->moment, m) &&
				    as_vec_append(r->al, &r->moment_value, e->weight, n));
}

enum as_code as_jfr_count_event(struct as_jfr_chunk *c, uint32_t plan, struct as_jfr_cur body)
{
	const struct as_jfr_plan *p = &c->plan.p[plan];
	uint32_t n = c->r->kind.p[p->kind].n;
	struct as_jfr_tally *t;
	struct event e = {0};

	as_assert(plan < c->plan.n);
	if (!jfr_tally_read(c, p, &body, &e))
		return AS_E_FORMAT;
	t = jfr_tally_of(c, plan, n, &e);
	AS_TRY(as_err_memory(c->r->rd->err, t));
	t->count++;
	as_vals_add(as_at(c->r->tally_value.p, t->first), e.weight, n);
	return jfr_tally_moment(c, p, t, &e, n);
}

/* ---- threads and states ---- */

/* The JDK leaves out threads that ended, or that began when it was too late. */
static enum as_code jfr_tally_no_thread(struct as_jfr_chunk *c, uint64_t key)
{
	return as_rd_find(c->r->rd, AS_F_JFR_THREAD_MISSING, c->off, 0,
		"chunk %" PRIu32 " does not say which thread number %" PRIu64 " is", c->r->n_chunks,
		key);
}

/* RC, of reading what the pools say of a thread or a state. Where they are damaged, that is told,
 * and the event stays, without it. */
static enum as_code jfr_tally_readable(struct as_jfr_chunk *c, enum as_code rc,
	const struct as_jfr_const *have, const char *what, uint64_t key)
{
	if (rc != AS_E_FORMAT)
		return rc;
	return as_rd_find(c->r->rd, AS_F_JFR_POOL_DAMAGED, as_jfr_off(c, have->p), 0,
		"%s %" PRIu64 " cannot be read", what, key);
}

/* Threads of the system have a number there; virtual ones share theirs. */
static enum as_code jfr_tally_new_thread(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, struct as_jfr_const *have)
{
	struct as_jfr_got got[] = {
		{.word = JFR_W_JAVA_NAME, .is_text = true},
		{.word = JFR_W_OS_NAME, .is_text = true},
		{.word = JFR_W_OS_THREAD},
		{.word = JFR_W_VIRTUAL},
	};
	struct as_jfr_thread thread;
	struct as_slice name;

	AS_TRY(jfr_tally_readable(c,
		as_jfr_gather(c, class, as_jfr_at(c, have->p), got, AS_ARRAY_LEN(got)), have,
		"thread", key));
	name = got[0].text.len ? got[0].text : got[1].text;
	if (!name.len && got[3].number)
		name = as_slice_of("[virtual]");
	thread.tid = got[3].number ? 0 : got[2].number;
	AS_TRY(as_build_str(c->r->rd->out, name, &thread.comm));
	as_jfr_make(have, JFR_USE_THREAD, (uint32_t)c->thread.n);
	return as_err_memory(c->r->rd->err, as_vec_push(c->al, &c->thread, thread));
}

static enum as_code jfr_tally_thread(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, struct as_jfr_row *row)
{
	struct as_jfr_const *have = as_jfr_find_const(c, class, key);
	uint32_t i;

	if (!have)
		return key ? jfr_tally_no_thread(c, key) : AS_OK;
	if (!as_jfr_made(have, JFR_USE_THREAD, &i))
		AS_TRY(jfr_tally_new_thread(c, class, key, have));
	i = have->made;
	row->comm = c->thread.p[i].comm;
	row->tid = c->thread.p[i].tid;
	return AS_OK;
}

static enum as_code jfr_tally_state(
	struct as_jfr_chunk *c, uint32_t class, uint64_t key, struct as_jfr_row *row)
{
	struct as_jfr_const *have;
	struct as_slice name;

	AS_TRY(as_jfr_want_const(c, class, key, &have));
	if (!have || as_jfr_made(have, JFR_USE_STATE, &row->state.i))
		return AS_OK;
	AS_TRY(jfr_tally_readable(
		c, as_jfr_value_text(c, class, as_jfr_at(c, have->p), &name), have, "state", key));
	AS_TRY(as_build_str(c->r->rd->out, name, &row->state));
	as_jfr_make(have, JFR_USE_STATE, row->state.i);
	return AS_OK;
}

/* ---- all of them ---- */

static enum as_code jfr_tally_put(struct as_jfr_chunk *c, const struct as_jfr_tally *t)
{
	const struct as_jfr_plan *p = &c->plan.p[t->plan];
	struct as_jfr_read *r = c->r;
	struct as_jfr_row row = {
		.kind = p->kind, .count = t->count, .moments = t->moments, .first = r->value.n};

	row.n = r->kind.p[p->kind].n;
	for (uint32_t i = 0; i < row.n; i++)
		r->kind.p[p->kind].weight[i].any |= c->r->tally_value.p[t->first + i] != 0;
	AS_TRY(as_jfr_node(c, p->stack, t->stack, &row.node));
	r->kind.p[p->kind].any_stack |= t->stack != 0;
	AS_TRY(jfr_tally_thread(c, p->thread, t->thread, &row));
	AS_TRY(jfr_tally_state(c, p->state, t->state, &row));
	return as_err_memory(r->rd->err,
		as_vec_append(r->al, &r->value, as_at(c->r->tally_value.p, t->first), row.n) &&
			as_vec_push(r->al, &r->row, row));
}

enum as_code as_jfr_put_tallies(struct as_jfr_chunk *c)
{
	for (size_t i = 0; i < c->r->tally.n; i++)
		AS_TRY(jfr_tally_put(c, &c->r->tally.p[i]));
	return AS_OK;
}

/* ---- markers ---- */

/* "GarbageCollection: G1New", a path of its own. */
static enum as_code jfr_tally_marker_node(
	struct as_jfr_chunk *c, const struct as_jfr_plan *p, struct as_slice what, as_node *node)
{
	struct as_build *b = c->r->rd->out;
	struct as_slice type = c->class.p[p->class].name, name;
	struct as_pos pos = {.line = 0};
	as_place place;

	type = as_slice_skip(type, as_slice_up_to_last(type, '.'));
	name = as_arena_printf(&c->r->arena, "%.*s%s%.*s", AS_SLICE_FMT(type), what.len ? ": " : "",
		AS_SLICE_FMT(what));
	AS_TRY(as_err_memory(b->err, name.p));
	AS_TRY(as_build_func(b, name, (as_object){0}, (as_file){0}, 0, &pos.func));
	AS_TRY(as_build_place(b, &pos, &place));
	return as_build_push(b, (as_node){0}, place, node);
}

enum as_code as_jfr_put_marker(
	struct as_jfr_chunk *c, const struct as_jfr_plan *p, struct as_jfr_cur body)
{
	struct as_jfr_read *r = c->r;
	struct as_jfr_got name = {.word = JFR_W_NAME, .is_text = true};
	struct as_jfr_row row = {.kind = p->kind, .count = 1, .moments = 1};
	struct as_jfr_moment m = {.row = r->row.n};
	struct as_jfr_cur cur = body;
	struct event e = {0};

	if (!jfr_tally_read(c, p, &cur, &e))
		return AS_E_FORMAT;
	if (!r->rd->out->keep_markers || !jfr_tally_time(c, p, &e, &m.time)) {
		r->rd->out->prof->moments.markers_left++;
		return AS_OK;
	}
	if (p->duration != UINT32_MAX && e.weight[p->duration] > 0)
		m.duration = (uint64_t)e.weight[p->duration];
	AS_TRY(as_jfr_gather(c, p->class, body, &name, 1));
	AS_TRY(jfr_tally_marker_node(c, p, name.text, &row.node));
	AS_TRY(jfr_tally_thread(c, p->thread, e.thread, &row));
	return as_err_memory(
		r->rd->err, as_vec_push(r->al, &r->row, row) && as_vec_push(r->al, &r->moment, m));
}
