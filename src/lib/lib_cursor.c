/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: walking the facts of a profile. */
#include "lib/lib_impl.h"

struct assay_cursor {
	const struct as_profile *prof;
	enum assay_fact_kind kind;
	const struct as_rows *rows; /* NULL: samples */
	struct as_rows_cur cur;
	const struct as_run *run; /* the one that CUR is in */
	size_t next;              /* run or sample */
	as_val *v;                /* a row's values */
	size_t n_v;
	struct assay_value *cost; /* per event */
	AS_VEC(struct assay_position) frame;
};

static const struct as_rows *rows_of(const struct as_profile *prof, enum assay_fact_kind kind)
{
	switch (kind) {
	case ASSAY_SELF:
		return &prof->self;
	case ASSAY_CALL:
		return &prof->call;
	case ASSAY_JUMP:
		return &prof->jump;
	case ASSAY_SAMPLE:
		break;
	}
	return NULL;
}

enum assay_code assay_cursor_new(
	const struct assay_profile *profile, enum assay_fact_kind kind, struct assay_cursor **out)
{
	const struct as_profile *prof = as_lib_profile(profile);
	struct assay_cursor *c;

	if (out)
		*out = NULL;
	if (!out || !prof || (unsigned)kind > ASSAY_SAMPLE)
		return ASSAY_E_ARG;
	c = as_alloc_new(prof->al, sizeof(*c));
	if (!c)
		return ASSAY_E_NOMEM;
	c->prof = prof;
	c->kind = kind;
	c->rows = rows_of(prof, kind);
	as_assert(kind != ASSAY_SELF || c->rows->width <= prof->event.n);
	as_assert(kind != ASSAY_CALL || c->rows->width <= AS_CALL_COST + prof->event.n);
	c->n_v = c->rows ? c->rows->width + (size_t)1 : 1;
	c->v = as_alloc_new(prof->al, c->n_v * sizeof(*c->v));
	c->cost = as_alloc_new(prof->al, (prof->event.n + 1) * sizeof(*c->cost));
	if (!c->v || !c->cost) {
		assay_cursor_free(c);
		return ASSAY_E_NOMEM;
	}
	*out = c;
	return ASSAY_OK;
}

void assay_cursor_free(struct assay_cursor *c)
{
	const struct as_alloc *al;

	if (!c)
		return;
	al = c->prof->al;
	as_alloc_free(al, c->v, c->n_v * sizeof(*c->v));
	as_alloc_free(al, c->cost, (c->prof->event.n + 1) * sizeof(*c->cost));
	as_vec_free(al, &c->frame);
	as_alloc_free(al, c, sizeof(*c));
}

/* The costs of all events: N of them are at V, the others are zero. */
static void set_costs(struct assay_cursor *c, struct assay_fact *f, const as_val *v, size_t n)
{
	for (size_t k = 0; k < c->prof->event.n; k++)
		c->cost[k] = k < n ? as_lib_value(v[k]) : (struct assay_value){0};
	f->costs = c->cost;
	f->n_costs = as_n_events(c->prof);
}

static void set_call(struct assay_cursor *c, struct assay_fact *f)
{
	const as_val *v = c->v;

	f->to.function = (uint32_t)v[AS_CALL_FUNC];
	f->to.line = (uint64_t)v[AS_CALL_LINE];
	f->to.address = (uint64_t)v[AS_CALL_ADDR];
	f->count = as_lib_value(v[AS_CALL_COUNT]);
	set_costs(c, f, v + AS_CALL_COST, c->rows->width - AS_CALL_COST);
}

/* A target that is the same as the source is stored as zero. */
static void set_jump(struct assay_cursor *c, struct assay_fact *f)
{
	const as_val *v = c->v;

	f->conditional = v[AS_JUMP_COND] != 0;
	f->to.function = v[AS_JUMP_FUNC] ? (uint32_t)v[AS_JUMP_FUNC] : f->at.function;
	f->to.file = v[AS_JUMP_FILE] ? (uint32_t)(v[AS_JUMP_FILE] - 1) : f->at.file;
	f->to.line = (uint64_t)v[AS_JUMP_LINE];
	f->to.address = (uint64_t)v[AS_JUMP_ADDR];
	f->count = as_lib_value(v[AS_JUMP_EXECUTED]);
	f->followed = as_lib_value(v[AS_JUMP_FOLLOWED]);
}

static enum assay_code lib_cursor_next_row(struct assay_cursor *c, struct assay_fact *f)
{
	while (!as_rows_next(&c->cur)) {
		if (c->next == c->rows->run.n)
			return ASSAY_END;
		c->run = &c->rows->run.p[c->next++];
		as_rows_begin(&c->cur, c->rows, c->run, c->v);
	}
	f->part = c->run->part;
	f->at = (struct assay_position){c->run->func.i, c->run->file.i, c->cur.line, c->cur.addr};
	if (c->kind == ASSAY_SELF)
		set_costs(c, f, c->v, c->rows->width);
	else if (c->kind == ASSAY_CALL)
		set_call(c, f);
	else
		set_jump(c, f);
	return ASSAY_OK;
}

/* The path to NODE, which is walked from its end. */
static bool set_frames(struct assay_cursor *c, struct assay_fact *f, as_node node)
{
	const struct as_profile *prof = c->prof;
	size_t n = 0;

	for (as_node i = node; i.i; i = prof->node.parent.p[i.i])
		n++;
	if (!as_vec_reserve(prof->al, &c->frame, n))
		return false;
	f->frames = c->frame.p;
	f->n_frames = n;
	for (; node.i; node = prof->node.parent.p[node.i]) {
		struct as_pos pos = as_place_pos(prof, prof->node.place.p[node.i]);

		c->frame.p[--n] =
			(struct assay_position){pos.func.i, pos.file.i, pos.line, pos.addr};
	}
	return true;
}

static enum assay_code next_sample(struct assay_cursor *c, struct assay_fact *f)
{
	const struct as_profile *prof = c->prof;
	size_t i = c->next, e = prof->event.n;

	if (i == prof->sample.node.n)
		return ASSAY_END;
	if (!set_frames(c, f, prof->sample.node.p[i]))
		return ASSAY_E_NOMEM;
	f->part = prof->sample.part.p[i];
	set_costs(c, f, e ? prof->sample.cost.p + i * e : NULL, e);
	c->next++;
	return ASSAY_OK;
}

enum assay_code assay_cursor_next(struct assay_cursor *c, struct assay_fact *out)
{
	struct assay_fact own = {0};
	enum assay_code rc;

	/* Look at OUT first: a fact that cannot be given must not be passed over. */
	if (!c || as_lib_give(out, &own, sizeof(own)) != ASSAY_OK)
		return ASSAY_E_ARG;
	own.kind = c->kind;
	rc = c->rows ? lib_cursor_next_row(c, &own) : next_sample(c, &own);
	if (rc != ASSAY_OK)
		return rc;
	return as_lib_give(out, &own, sizeof(own));
}
