/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters on calls that choose by what costs pass through: focus, ignore, object, show_from. They
 * need no call paths: each row keeps its share (flow.h). The others do, and get an estimate.
 */
#include "base/sort.h"
#include "change/filter/flow.h"
#include "change/kit/func_order.h"
#include "change/transform.h"

struct choice {
	struct as_filtering *f;
	struct as_flow flow;
	enum as_filter_kind kind;
	uint64_t *share; /* scratch: e shares of a row's values that pass through what is chosen */
	uint64_t *carry; /* what rounding has left over of rows of self cost, e values */
	uint64_t above, below; /* of a call, for the main event: see call_shares() */
	struct pair *pair;     /* of each callee */
	uint64_t *pair_carry;  /* of each callee what rounding has left over of its rows, e costs */
	uint32_t *callee;      /* those of the function at hand whose rows leave something over */
	uint32_t n_callees;
	uint64_t *head; /* of each function: how its name begins, to be compared as a number */
	bool estimated;
};

/* The calls of one function by another: they are rounded as one, in whatever rows they are told. */
struct pair {
	uint32_t caller; /* + 1: whose they are; else there were none yet */
	bool counted,
		lent;   /* some of its calls stay; one stays that rounding would not have left */
	bool over;      /* its rows leave something over */
	uint64_t carry; /* likewise of counts */
};

static bool is_part(uint64_t share)
{
	return share && share != AS_FLOW_ALL;
}

/* Whether SHARE of what RUN's function costs is a guess. */
static bool is_guess(const struct choice *c, const struct as_run *run, uint64_t share)
{
	const struct as_flow *w = &c->flow;

	return is_part(share) || (!share && !w->at_end && w->may[w->comp[run->func.i]]);
}

/* ---- self cost ---- */

static void self_shares(struct choice *c, const struct as_run *run)
{
	const struct as_flow *w = &c->flow;
	const uint64_t *under = w->under + (size_t)w->comp[run->func.i] * w->e;
	bool chosen = as_flow_chosen(w, run);

	for (uint32_t k = 0; k < w->e; k++) {
		c->share[k] = chosen ? AS_FLOW_ALL : w->at_end ? 0 : under[k];
	}
}

/* What stays of V, PART of which passes through what is chosen. */
static as_val filter_calls_staying(const struct choice *c, as_val v, as_val part)
{
	return c->kind == AS_FILTER_IGNORE ? v - part : part;
}

/* The row's values, in C's scratch, become what stays of them; false if nothing does. Rounding is
 * carried from row to row, so that sums are right: what stays of all functions together is what is
 * chosen costs. */
static bool keep_self(struct choice *c, const struct as_run *run, as_val *v, uint32_t n)
{
	bool any = false;

	for (uint32_t k = 0; k < n; k++) {
		c->estimated |= v[k] && is_guess(c, run, c->share[k]);
		v[k] = filter_calls_staying(
			c, v[k], as_flow_part_of(v[k], c->share[k], &c->carry[k]));
		any |= v[k] != 0;
	}
	return any;
}

static bool filter_calls_has_parts(const struct as_flow *w, uint32_t func)
{
	const uint64_t *under = w->under + (size_t)w->comp[func] * w->e;

	for (uint32_t k = 0; k < w->e; k++)
		if (is_part(under[k]))
			return true;
	return false;
}

static uint64_t filter_calls_head(struct as_slice name)
{
	uint64_t head = 0;

	for (size_t i = 0; i < sizeof(head); i++)
		head = head << 8 | (i < name.len ? (uint8_t)name.p[i] : 0);
	return head;
}

static int filter_calls_by_name(const void *ctx, uint32_t a, uint32_t b)
{
	const struct choice *c = ctx;

	if (c->head[a] != c->head[b])
		return as_cmp_u64(c->head[a], c->head[b]);
	return as_func_order(c->flow.prof, (as_func){a}, (as_func){b});
}

/* ---- calls ---- */

/* What passes through chosen code above the call, and what does at it or below it. */
static void call_shares(struct choice *c, const struct as_run *run, uint32_t callee)
{
	const struct as_flow *w = &c->flow;
	const uint64_t *under = w->under + (size_t)w->comp[run->func.i] * w->e;
	const uint64_t *passes = w->passes + (size_t)w->comp[callee] * w->e;
	bool chosen = !w->at_end && as_flow_chosen(w, run);

	c->above = c->below = 0;
	for (uint32_t k = 0; k < w->e; k++) {
		uint64_t above = chosen ? AS_FLOW_ALL : w->at_end ? 0 : under[k];
		uint64_t below = c->kind == AS_FILTER_SHOW_FROM ? 0 : passes[k];

		c->share[k] = above + (uint64_t)as_flow_part((as_val)(AS_FLOW_ALL - above), below);
		if (k == w->main) {
			c->above = above;
			c->below = below;
		}
		if (!c->f->c.r.in[AS_CALL_COST + k] || c->share[k] == AS_FLOW_ALL)
			continue;
		c->estimated |= is_guess(c, run, above);
		if (is_part(c->share[k]))
			c->estimated |= w->caller[callee] == UINT32_MAX || w->next[w->comp[callee]];
	}
}

/* Note what the calls of CALLEE by the function at hand will leave over; the scratch holds one of
 * them. */
static void note_call(struct choice *c, uint32_t caller, uint32_t callee)
{
	uint32_t e = c->flow.e;
	uint64_t *carry = c->pair_carry + (size_t)callee * e;
	const as_val *cost = c->f->c.r.in + AS_CALL_COST;
	struct pair *p = &c->pair[callee];
	bool over = false;

	if (p->caller != caller + 1) {
		*p = (struct pair){.caller = caller + 1, .carry = AS_FLOW_ALL / 2};
		memset(carry, 0, e * sizeof(*carry));
	}
	for (uint32_t k = 0; k < e; k++) {
		as_flow_part_of(cost[k], c->share[k], &carry[k]);
		over |= carry[k] != 0;
	}
	if (over && !p->over) {
		p->over = true;
		c->callee[c->n_callees++] = callee;
	}
}

/* What rounding leaves over of the calls of one function goes on to those of the next by name: so
 * what stays of all calls by CALLER adds up. Calls that leave nothing over hand on what they get,
 * and need no place in that order. */
static enum as_code begin_pairs(struct choice *c, uint32_t caller)
{
	const struct as_flow *w = &c->flow;
	struct as_rows_cur cur;

	c->n_callees = 0;
	for (uint32_t r = w->call_run[caller]; r; r = w->call_next[r - 1]) {
		const struct as_run *run = &w->prof->call.run.p[r - 1];

		as_rows_begin(&cur, &w->prof->call, run, c->f->c.r.in);
		while (as_rows_next(&cur)) {
			uint32_t callee = (uint32_t)c->f->c.r.in[AS_CALL_FUNC];

			call_shares(c, run, callee);
			note_call(c, caller, callee);
		}
	}
	as_assert(c->n_callees <= w->n);
	if (!as_sort_rows(c->f->c.al, c->callee, c->n_callees, filter_calls_by_name, c))
		return AS_E_NOMEM;
	for (uint32_t k = 0; k < w->e; k++) {
		uint64_t over = AS_FLOW_ALL / 2;

		for (uint32_t i = 0; i < c->n_callees; i++) {
			uint64_t *carry = &c->pair_carry[(size_t)c->callee[i] * w->e + k];
			uint64_t next = (over + *carry) & (AS_FLOW_ALL - 1);

			*carry = over;
			over = next;
		}
	}
	return AS_OK;
}

/* Where any of the cost stays, at least one call of all the rows of P stays. */
static as_val at_least_one(struct pair *p, as_val count, bool any)
{
	if (p->lent && count) {
		p->lent = false;
		count--;
	}
	if (!count && any && !p->counted) {
		p->lent = true;
		count = 1;
	}
	p->counted |= count != 0;
	return count;
}

/* Calls under what is chosen are shared out as their cost. Of others nobody knows which led there:
 * they count where any of their cost does, SOME, be it too little for a digit. */
static as_val count_of(const struct choice *c, struct pair *p, as_val count, bool some)
{
	as_val under = as_flow_part_of(count, c->above, &p->carry);

	if (c->kind == AS_FILTER_IGNORE)
		count = c->below == AS_FLOW_ALL ? 0 : count - under;
	else if (!c->below)
		count = under;
	else if (!some)
		count = 0;
	return at_least_one(p, count, some);
}

/* False if nothing stays of the row in the scratch. Calls without cost stay where everything
 * stays. */
static bool keep_call(struct choice *c, as_val *v)
{
	uint32_t callee = (uint32_t)v[AS_CALL_FUNC];
	struct pair *p = &c->pair[callee];
	uint64_t *carry = c->pair_carry + (size_t)callee * c->flow.e;
	uint64_t all = c->kind == AS_FILTER_IGNORE ? 0 : AS_FLOW_ALL;
	uint64_t share = c->flow.e ? c->share[c->flow.main] : all;
	bool any = share == all, some = any;

	for (uint32_t k = 0; k < c->flow.e; k++) {
		as_val *cost = &v[AS_CALL_COST + k];

		some |= *cost && c->share[k] != AS_FLOW_ALL - all;
		*cost = filter_calls_staying(
			c, *cost, as_flow_part_of(*cost, c->share[k], &carry[k]));
		any |= *cost != 0;
	}
	if (v[AS_CALL_COUNT])
		v[AS_CALL_COUNT] = count_of(c, p, v[AS_CALL_COUNT], some);
	return any || v[AS_CALL_COUNT];
}

/* ---- rows ---- */

/* What is kept of RUN, which is one of ROWS. */
static enum as_code filter_calls_run(
	struct choice *c, const struct as_rows *rows, const struct as_run *run)
{
	struct as_remap *r = &c->f->c.r;
	bool calls = rows == &r->src->call, begun = false;
	struct as_rows_cur cur;

	if (!calls)
		self_shares(c, run);
	as_rows_begin(&cur, rows, run, r->in);
	while (as_rows_next(&cur)) {
		if (calls)
			call_shares(c, run, (uint32_t)r->in[AS_CALL_FUNC]);
		if (!(calls ? keep_call(c, r->in) : keep_self(c, run, r->in, cur.n)))
			continue;
		if (!begun)
			AS_TRY(as_remap_begin_run(r, rows, run));
		begun = true;
		AS_TRY(as_remap_row(r, run, &cur));
	}
	return AS_OK;
}

static enum as_code filter_self_of(struct choice *c, uint32_t func)
{
	const struct as_flow *w = &c->flow;

	for (uint32_t r = w->self_run[func]; r; r = w->self_next[r - 1])
		AS_TRY(filter_calls_run(c, &c->f->c.r.src->self, &w->prof->self.run.p[r - 1]));
	return AS_OK;
}

/* Functions that are shared out come in an order that does not depend on the file's. */
static enum as_code filter_self_rows(struct choice *c)
{
	struct as_flow *w = &c->flow;
	uint32_t *part = w->order, n = 0; /* the order of shares has been used */

	for (uint32_t f = 0; f < w->n; f++)
		if (filter_calls_has_parts(w, f))
			part[n++] = f;
		else
			AS_TRY(filter_self_of(c, f));
	AS_TRY(as_memory(as_sort_rows(c->f->c.al, part, n, filter_calls_by_name, c)));
	for (uint32_t k = 0; k < w->e; k++)
		c->carry[k] = AS_FLOW_ALL / 2;
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(filter_self_of(c, part[i]));
	return AS_OK;
}

/* The calls by a chosen function go or stay as a whole. */
static enum as_code filter_calls_of(struct choice *c, uint32_t f)
{
	const struct as_flow *w = &c->flow;
	bool whole = w->e && as_flow_cuts(w, f);

	if (whole && c->kind == AS_FILTER_IGNORE)
		return AS_OK;
	if (!whole)
		AS_TRY(begin_pairs(c, f));
	for (uint32_t r = w->call_run[f]; r; r = w->call_next[r - 1]) {
		const struct as_run *run = &w->prof->call.run.p[r - 1];

		AS_TRY(whole ? as_remap_run(&c->f->c.r, &c->f->c.src->call, run)
			     : filter_calls_run(c, &c->f->c.r.src->call, run));
	}
	return AS_OK;
}

static enum as_code filter_call_rows(struct choice *c)
{
	const struct as_flow *w = &c->flow;

	c->callee = w->waits; /* no function waits any more, so that the array is free */
	for (uint32_t f = 0; f < w->n; f++)
		AS_TRY(filter_calls_of(c, f));
	return AS_OK;
}

/* How often a jump was taken is known where nothing of its code goes. */
static enum as_code filter_jump_run(struct choice *c, const struct as_run *run)
{
	uint64_t all = c->kind == AS_FILTER_IGNORE ? 0 : AS_FLOW_ALL;

	self_shares(c, run);
	if (!c->flow.e || c->share[c->flow.main] != all)
		return AS_OK;
	return as_remap_run(&c->f->c.r, &c->f->c.src->jump, run);
}

static enum as_code filter_rows(struct choice *c)
{
	const struct as_profile *src = c->f->c.src;

	AS_TRY(filter_self_rows(c));
	AS_TRY(filter_call_rows(c));
	for (size_t i = 0; i < src->jump.run.n; i++)
		AS_TRY(filter_jump_run(c, &src->jump.run.p[i]));
	c->f->c.b.prof->estimated |= c->estimated;
	return as_filter_samples(c->f);
}

/* ---- one kind ---- */

static enum as_code filter_calls_choose(struct choice *c)
{
	struct as_filtering *f = c->f;
	size_t e = f->c.r.e, n = f->c.src->func.name.n;

	AS_TRY(as_filter_begin(f));
	AS_TRY(as_filter_match(f));
	AS_TRY(as_flow_make(&c->flow, f, c->kind));
	if (!as_alloc_array(f->c.al, &c->pair, n) || !as_alloc_array(f->c.al, &c->share, e) ||
		!as_alloc_array(f->c.al, &c->carry, e) ||
		!as_alloc_array(f->c.al, &c->pair_carry, n * e) ||
		!as_alloc_array(f->c.al, &c->head, n))
		return AS_E_NOMEM;
	for (uint32_t i = 0; i < n; i++)
		c->head[i] = filter_calls_head(as_func_name(f->c.src, (as_func){i}));
	return filter_rows(c);
}

enum as_code as_filter_calls(const struct as_profile *prof, const struct as_filter *how,
	enum as_filter_kind kind, struct as_profile **out, struct as_err *err)
{
	struct as_filtering f = {.how = how, .kinds = 1u << kind};
	struct choice c = {.f = &f, .kind = kind};

	AS_TRY(as_change_begin(&f.c, prof, NULL, err));
	return as_change_end(&f.c, filter_calls_choose(&c), out);
}
