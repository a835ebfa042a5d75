/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls tell for sure of the paths that were made out of them.
 *
 * A function that only one other calls, and that is in no circle of functions, is reached by no
 * other way than that one is. So along such ways a row costs what the calls say, and only below
 * the first function that several call it is an estimate. A function that costs more than what
 * comes in by calls has been entered by nobody's call, too, and counts as called by several.
 * All of that holds as long as no cost is negative.
 *
 * Some producers have calls that cost more than what they call. What leads to such a call is then
 * in doubt.
 */
#include "tree/calltree.h"

#include "base/pool.h"

/* ---- functions ---- */

struct judge {
	const struct as_table *t;
	const struct as_alloc *al; /* for scratch */
	uint32_t e, rows;
	uint8_t *bits;
	uint32_t *callers;        /* of each row: others that call it */
	uint32_t *first, *caller; /* and all that do; rows + 1 */
	as_val *entry;            /* of each cycle: what comes in from nowhere */
	AS_VEC(uint32_t) stack;
};

static bool any_negative(const as_val *v, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (v[k] < 0)
			return true;
	return false;
}

/* What ROW costs beyond the calls that come in. */
static as_val tree_exact_entry_of(const struct judge *j, uint32_t row, uint32_t k)
{
	size_t at = (size_t)row * j->e + k;

	return j->t->self[at] + j->t->out[at] - j->t->in[at];
}

static void tree_exact_note_calls(struct judge *j)
{
	const struct as_table *t = j->t;

	for (uint32_t i = 0; i < t->first[j->rows]; i++)
		j->first[t->callee[i] + 1]++;
	for (uint32_t r = 0; r < j->rows; r++)
		j->first[r + 1] += j->first[r];
	for (uint32_t r = 0; r < j->rows; r++)
		for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++) {
			/* each start moves on to the next */
			j->caller[j->first[t->callee[i]]++] = r;
			j->callers[t->callee[i]] += t->callee[i] != r;
		}
	as_assert(j->first[j->rows] == t->first[j->rows]);
	as_assert(!j->rows || j->first[j->rows - 1] == j->first[j->rows]);
}

/* ROW, or what it is one with, costs less than the calls of it. */
static bool costs_too_little(const struct judge *j, uint32_t row)
{
	uint32_t cycle = j->t->key[row].cycle;

	if (cycle)
		return any_negative(j->entry + (size_t)(cycle - 1) * j->e, j->e);
	for (uint32_t k = 0; k < j->e; k++)
		if (tree_exact_entry_of(j, row, k) < 0)
			return true;
	return false;
}

static bool tree_exact_doubt(struct judge *j, uint32_t row)
{
	if (!(j->bits[row] & AS_CALLTREE_SURE))
		return true;
	j->bits[row] &= (uint8_t)~AS_CALLTREE_SURE;
	return as_vec_push(j->al, &j->stack, row);
}

/* Rows that cost less than the calls of them, and all that such a cost went through. */
static bool find_doubts(struct judge *j)
{
	bool ok = true;

	for (uint32_t r = 0; r < j->rows; r++)
		for (uint32_t k = 0; k < j->e && j->t->key[r].cycle; k++)
			j->entry[(size_t)(j->t->key[r].cycle - 1) * j->e + k] +=
				tree_exact_entry_of(j, r, k);
	for (uint32_t r = 0; ok && r < j->rows; r++)
		if (costs_too_little(j, r))
			ok = tree_exact_doubt(j, r);
	while (ok && j->stack.n) {
		uint32_t row = j->stack.p[--j->stack.n];

		for (uint32_t i = row ? j->first[row - 1] : 0; ok && i < j->first[row]; i++)
			ok = tree_exact_doubt(j, j->caller[i]);
	}
	return ok;
}

static uint8_t tree_exact_bits_of(const struct judge *j, uint32_t row)
{
	bool entered = false, leaf = true, idle = true;
	uint8_t bits = AS_CALLTREE_SURE;

	as_assert(j->t->key[row].cycle <= j->t->n_cycles);
	for (uint32_t k = 0; k < j->e; k++)
		idle &= j->t->self[(size_t)row * j->e + k] == 0;
	bits |= idle ? AS_CALLTREE_IDLE : 0;
	if (j->t->key[row].cycle)
		return bits;
	for (uint32_t k = 0; k < j->e; k++) {
		entered |= tree_exact_entry_of(j, row, k) != 0;
		leaf &= j->t->out[(size_t)row * j->e + k] == 0;
	}
	bits |= AS_CALLTREE_APART;
	bits |= leaf ? AS_CALLTREE_LEAF : 0;
	if (!j->callers[row] || (j->callers[row] == 1 && !entered))
		bits |= AS_CALLTREE_ONLY;
	return bits;
}

static enum as_code judge_rows(struct judge *j)
{
	if (!as_alloc_array(j->al, &j->callers, j->rows) ||
		!as_alloc_array(j->al, &j->first, (size_t)j->rows + 1) ||
		!as_alloc_array(j->al, &j->caller, j->t->first[j->rows]) ||
		!as_alloc_array(j->al, &j->entry, j->t->n_cycles * j->e))
		return AS_E_NOMEM;
	tree_exact_note_calls(j);
	for (uint32_t r = 0; r < j->rows; r++)
		j->bits[r] = tree_exact_bits_of(j, r);
	return find_doubts(j) ? AS_OK : AS_E_NOMEM;
}

enum as_code as_calltree_evidence(const struct as_table *calls, uint8_t *bits)
{
	struct as_pool pool;
	struct judge j = {.t = calls,
		.al = &pool.al,
		.e = calls->n_events,
		.rows = (uint32_t)(calls->n - calls->n_cycles),
		.bits = bits};
	enum as_code rc;

	as_assert(calls->by == AS_BY_FUNC && calls->first && calls->n_cycles <= calls->n);
	memset(bits, 0, calls->n);
	if (calls->has_negative || any_negative(calls->self, (size_t)j.rows * j.e))
		return AS_OK;
	as_pool_init(&pool, calls->al);
	rc = judge_rows(&j);
	as_pool_release(&pool);
	return rc;
}

/* ---- a tree ---- */

static void settle_node(struct as_calltree *ct, uint32_t node, bool below)
{
	uint32_t above = ct->parent.p[node];
	uint8_t *bits = &ct->exact.p[node];
	bool top = !above && below, incl, whole;

	incl = (top || (ct->exact.p[above] & AS_CALLTREE_WHOLE)) && (*bits & AS_CALLTREE_SURE) &&
	       (above || (*bits & AS_CALLTREE_APART));
	whole = incl &&
		(top ? !ct->several.p[ct->key_of.p[node]] : (*bits & AS_CALLTREE_ONLY) != 0);
	*bits |= incl ? AS_CALLTREE_INCL : 0;
	*bits |= whole ? AS_CALLTREE_WHOLE : 0;
	*bits |= whole || (incl && (*bits & (AS_CALLTREE_LEAF | AS_CALLTREE_IDLE)))
			 ? AS_CALLTREE_SELF
			 : 0;
}

void as_calltree_settle(struct as_calltree *ct, const struct as_table *shown, enum as_tree_way way,
	const struct as_calltree_root *of)
{
	as_assert(!ct->exact.n || ct->exact.n == ct->parent.n);
	as_assert(!ct->exact.n || (ct->row.n == ct->key.n && ct->several.n == ct->key.n));
	if (ct->exact.n)
		ct->exact.p[0] = AS_CALLTREE_WHOLE;
	for (uint32_t i = 1; i < ct->exact.n; i++) {
		/* A circle that is one only as contexts are folded. */
		if (of && as_calltree_is(&ct->key.p[ct->key_of.p[i]], of) &&
			shown->key[ct->row.p[ct->key_of.p[i]]].cycle)
			ct->exact.p[i] &= (uint8_t)~AS_CALLTREE_APART;
		if (way == AS_TREE_CALLEES)
			settle_node(ct, i, of != NULL);
	}
}
