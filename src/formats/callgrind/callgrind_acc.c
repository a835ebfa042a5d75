/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function detail: one row of sums per function and part, and one row per
 * callee of the block that is being read. Memory grows with the functions, not
 * with the file.
 */
#include "formats/callgrind/callgrind.h"

enum { PLAIN_EVENTS = AS_SUMS_MAX - 1, SLOTS_MIN = 64 };

/* Make the tables fit the functions and events there are. */
bool as_cg_acc_room(struct cg *cg)
{
	size_t n = cg->b->prof->func.name.n, e = cg->n_events;

	if (!cg->acc.mask)
		cg->acc.mask = SLOTS_MIN - 1;
	return CG_GROW_ZERO(cg, &cg->acc.cost, n * e + 1) && CG_GROW_ZERO(cg, &cg->acc.seen, n) &&
	       CG_GROW_ZERO(cg, &cg->acc.slot, cg->acc.mask + (size_t)1);
}

/* Frees all slots. */
static void next_block(struct cg_acc *acc)
{
	if (++acc->block == 0) { /* wrapped: old stamps must not look new */
		memset(acc->slot.p, 0, acc->slot.n * sizeof(*acc->slot.p));
		acc->block = 1;
	}
}

enum as_code as_cg_acc_touch(struct cg *cg)
{
	if (cg->acc.seen.p[cg->func.i])
		return AS_OK;
	cg->acc.seen.p[cg->func.i] = 1;
	return as_err_memory(cg->rd->err, as_vec_push(cg->al, &cg->acc.order, cg->func.i));
}

enum as_code as_cg_acc_cost(struct cg *cg, const as_val *v)
{
	as_val *sum = cg->acc.cost.p + (size_t)cg->func.i * cg->n_events;

	AS_TRY(as_cg_acc_touch(cg));
	as_vals_add(sum, v, cg->n_events);
	return AS_OK;
}

static struct cg_slot *find_slot(struct cg_acc *acc, as_func callee)
{
	uint32_t i = (uint32_t)(callee.i * UINT64_C(0x9e3779b97f4a7c15) >> 32) & acc->mask;

	while (acc->slot.p[i].stamp == acc->block &&
		acc->callee.p[acc->slot.p[i].row].i != callee.i)
		i = (i + 1) & acc->mask;
	return &acc->slot.p[i];
}

/* Twice as many slots, for the callees there are. */
static bool more_slots(struct cg *cg)
{
	struct cg_acc *acc = &cg->acc;
	uint32_t mask = acc->mask * 2 + 1;

	if (mask >= UINT32_MAX / 2 || !CG_GROW_ZERO(cg, &acc->slot, mask + (size_t)1))
		return false;
	acc->mask = mask;
	next_block(acc);
	for (uint32_t i = 0; i < acc->callee.n; i++)
		*find_slot(acc, acc->callee.p[i]) = (struct cg_slot){acc->block, i};
	return true;
}

as_val *as_cg_acc_callee(struct cg *cg, as_func callee)
{
	struct cg_acc *acc = &cg->acc;
	struct cg_slot *slot = find_slot(acc, callee);
	size_t width = (size_t)cg->n_events + 1;
	as_val *sum;

	if (slot->stamp != acc->block) {
		*slot = (struct cg_slot){acc->block, (uint32_t)acc->callee.n};
		if (!as_vec_push(cg->al, &acc->callee, callee) ||
			!as_vec_reserve(cg->al, &acc->callee_cost, acc->callee.n * width))
			return NULL;
		sum = acc->callee_cost.p + (acc->callee.n - 1) * width;
		for (size_t k = 0; k < width; k++)
			sum[k] = 0;
		return acc->callee.n <= acc->mask / 2 || more_slots(cg) ? sum : NULL;
	}
	return acc->callee_cost.p + slot->row * width;
}

enum as_code as_cg_acc_call(struct cg *cg, as_func callee, const as_val *v)
{
	as_val *sum = as_cg_acc_callee(cg, callee);

	AS_TRY(as_err_memory(cg->rd->err, sum));
	sum[0] += cg->call.count;
	as_vals_add(sum + 1, v, cg->n_events);
	return AS_OK;
}

/* Values of the part's numbers moved to the profile's columns, in cg->val. */
static const as_val *to_columns(struct cg *cg, const as_val *v)
{
	if (cg->straight)
		return v;
	memset(cg->val.p, 0, cg->val.n * sizeof(as_val));
	for (uint32_t k = 0; k < cg->n_events; k++)
		cg->val.p[cg->column.p[k]] += v[k];
	return cg->val.p;
}

static uint32_t n_columns(const struct cg *cg)
{
	return cg->straight ? cg->n_events : (uint32_t)cg->val.n;
}

/* Count and costs of a call that fit 64 bits, which are those of every call in life. */
static bool plain_sums(const struct cg *cg, const as_val *v, uint64_t *out)
{
	uint64_t high = 0;

	for (uint32_t k = 0; k <= cg->n_events; k++) {
		high |= (uint64_t)((as_uval)v[k] >> 64);
		out[k] = (uint64_t)v[k];
	}
	return high == 0;
}

static bool cg_acc_is_plain(const struct cg *cg)
{
	return cg->straight && cg->n_events <= PLAIN_EVENTS;
}

/* The calls that follow go out of FROM. */
static bool calls_from(struct cg *cg, as_func from)
{
	as_file file = cg->b->prof->func.file.p[from.i];

	return !cg_acc_is_plain(cg) ||
	       as_rows_run_sums(&cg->b->prof->call, cg->part, from, file, cg->n_events + 1);
}

/* The sums of the calls to CALLEE: how often, and the costs. */
static enum as_code cg_acc_put_call(struct cg *cg, as_func from, as_func callee, const as_val *v)
{
	struct as_pos site = {.func = from, .file = cg->b->prof->func.file.p[from.i]};
	struct as_call call = {.callee = callee, .count = v[0]};
	uint64_t plain[PLAIN_EVENTS + 1];

	if (AS_LIKELY(cg_acc_is_plain(cg) && plain_sums(cg, v, plain)))
		return as_err_memory(
			cg->rd->err, as_rows_add_sum(&cg->b->prof->call, callee.i, plain));
	AS_TRY(as_build_call(cg->b, cg->part, &site, &call, to_columns(cg, v + 1), n_columns(cg)));
	return as_err_memory(cg->rd->err, calls_from(cg, from));
}

enum as_code as_cg_acc_func_end(struct cg *cg)
{
	struct cg_acc *acc = &cg->acc;

	if (!acc->callee.n)
		return AS_OK;
	AS_TRY(as_err_memory(cg->rd->err, calls_from(cg, cg->func)));
	for (size_t i = 0; i < acc->callee.n; i++) {
		const as_val *v = acc->callee_cost.p + i * ((size_t)cg->n_events + 1);

		AS_TRY(cg_acc_put_call(cg, cg->func, acc->callee.p[i], v));
	}
	acc->callee.n = 0;
	acc->mask = SLOTS_MIN - 1;
	next_block(acc);
	return AS_OK;
}

enum as_code as_cg_acc_part_end(struct cg *cg)
{
	struct cg_acc *acc = &cg->acc;
	size_t e = cg->n_events;

	AS_TRY(as_cg_acc_func_end(cg));
	for (size_t i = 0; i < acc->order.n; i++) {
		struct as_pos pos = {.func = {acc->order.p[i]}};
		as_val *v = acc->cost.p + (size_t)pos.func.i * e;

		pos.file = cg->b->prof->func.file.p[pos.func.i];
		AS_TRY(as_build_self(cg->b, cg->part, &pos, to_columns(cg, v), n_columns(cg)));
		as_vals_add(cg->sum.p, v, e);
		memset(v, 0, e * sizeof(*v));
		acc->seen.p[pos.func.i] = 0;
	}
	acc->order.n = 0;
	acc->cost.n = 0; /* the next part may have another number of events */
	return AS_OK;
}
