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
 * in doubt, and shares what is sure elsewhere leaves.
 *
 * An estimate comes near these costs, but it rounds, and gives what is too small to somebody else.
 * Here the tree is brought to them: what is sure is set, and what hangs below is scaled.
 */
#include "ops/calltree.h"
#include "ops/part_of.h"

struct settler {
	struct as_calltree *ct;
	const struct as_table *t;
	const struct as_alloc *al;
	enum as_tree_way way;
	const struct as_calltree_root *below; /* callers: of this one */
	uint32_t below_row;                   /* its row + 1 */
	uint32_t e, rows, keys;

	uint32_t *row_of;    /* of each key: row + 1; 0 = none, or not to be told apart */
	uint32_t *key_of;    /* of each row: key + 1 */
	uint32_t *n_callers; /* of each row: others that call it */
	uint32_t *caller;    /* one of them */
	uint32_t *first_in;  /* of each row: those that call it, in CALL_IN; rows + 1 */
	uint32_t *call_in;
	uint32_t *slot; /* of each row: the child of the node that is settled, or 0 */
	size_t words;   /* all of these are one block */
	uint8_t *doubt; /* of each row: a call of it, or further below, costs too much */
	uint8_t *asked; /* of each row: in COSTS is what it calls; these two are one block */
	struct as_call_costs costs;
	as_val *entry;      /* of each cycle: what comes in from nowhere */
	as_val *sum, *rest; /* scratch */
	as_val *part, *now; /* likewise: what a node shall cost */
	as_val *root;       /* likewise: what the root leads to */
	size_t vals;        /* these are one block */

	uint32_t n_nodes;        /* that were there */
	uint32_t *start, *child; /* their children */
	uint32_t *fresh_of;      /* of each that was there: what of FRESH it shall cost */
	AS_VEC(as_val) fresh;
	AS_VEC(uint32_t) stack;
	AS_VEC(as_val) waiting; /* what the nodes of STACK shall cost */
};

static as_val *cost(const struct settler *s, uint32_t node)
{
	return s->ct->cost.p + (size_t)node * s->e;
}

/* ---- what calls tell ---- */

static bool in_cycle(const struct settler *s, uint32_t row)
{
	return s->t->key[row].cycle != 0;
}

static bool is_zero(const as_val *v, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (v[k])
			return false;
	return true;
}

static bool any_negative(const as_val *v, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (v[k] < 0)
			return true;
	return false;
}

/* What ROW costs: itself and the calls to others. */
static as_val out_of(const struct settler *s, uint32_t row, uint32_t k)
{
	size_t at = (size_t)row * s->e + k;

	return s->t->self[at] + s->t->out[at];
}

/* What ROW costs beyond the calls that come in. */
static as_val entry_of(const struct settler *s, uint32_t row, uint32_t k)
{
	return out_of(s, row, k) - s->t->in[(size_t)row * s->e + k];
}

static bool is_entered(const struct settler *s, uint32_t row)
{
	for (uint32_t k = 0; k < s->e; k++)
		if (entry_of(s, row, k))
			return true;
	return false;
}

/* Who calls each row. */
static void note_calls(struct settler *s)
{
	const struct as_table *t = s->t;

	for (uint32_t i = 0; i < t->first[s->rows]; i++)
		s->first_in[t->callee[i] + 1]++;
	for (uint32_t r = 0; r < s->rows; r++)
		s->first_in[r + 1] += s->first_in[r];
	for (uint32_t r = 0; r < s->rows; r++)
		for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++) {
			uint32_t to = t->callee[i];

			s->call_in[s->first_in[to]++] = r; /* each start moves on to the next */
			if (to == r)
				continue;
			s->n_callers[to]++;
			s->caller[to] = r;
		}
}

/* What comes into a cycle from nowhere. */
static void sum_cycles(struct settler *s)
{
	for (uint32_t r = 0; r < s->rows; r++)
		for (uint32_t k = 0; k < s->e && in_cycle(s, r) && !s->t->key[r].is_cycle; k++)
			s->entry[(size_t)(s->t->key[r].cycle - 1) * s->e + k] += entry_of(s, r, k);
}

/* The calls of ROW, or of what it is one with, cost more than it. */
static bool costs_too_little(const struct settler *s, uint32_t row)
{
	if (in_cycle(s, row))
		return any_negative(s->entry + (size_t)(s->t->key[row].cycle - 1) * s->e, s->e);
	for (uint32_t k = 0; k < s->e; k++)
		if (entry_of(s, row, k) < 0)
			return true;
	return false;
}

static bool doubt(struct settler *s, uint32_t row)
{
	if (s->doubt[row])
		return true;
	s->doubt[row] = 1;
	return as_vec_push(s->al, &s->stack, row);
}

/* Where in CALL_IN those that call ROW begin; they end at first_in[ROW]. */
static uint32_t callers_of(const struct settler *s, uint32_t row)
{
	return row ? s->first_in[row - 1] : 0;
}

/* Rows that cost less than the calls of them, and all that such a cost went through. */
static bool find_doubts(struct settler *s)
{
	bool fine = true;

	sum_cycles(s);
	for (uint32_t r = 0; fine && r < s->rows; r++)
		if (costs_too_little(s, r))
			fine = doubt(s, r);
	while (fine && s->stack.n) {
		uint32_t row = s->stack.p[--s->stack.n];

		for (uint32_t i = callers_of(s, row); fine && i < s->first_in[row]; i++)
			fine = doubt(s, s->call_in[i]);
	}
	return fine;
}

/* The one function that calls ROW; false if there are several, or none. */
static bool only_caller(const struct settler *s, uint32_t row, uint32_t *caller)
{
	*caller = s->caller[row];
	return s->n_callers[row] == 1 && !in_cycle(s, row) && !is_entered(s, row);
}

/* Every path to ROW is the one on which it stands below PARENT, a row + 1, or 0 for the root. */
static bool is_open(const struct settler *s, uint32_t row, uint32_t parent)
{
	uint32_t caller;

	if (!parent)
		return !in_cycle(s, row) && (s->below || !s->n_callers[row]);
	return only_caller(s, row, &caller) && caller == parent - 1;
}

/* ---- children ---- */

static void link_children(struct settler *s)
{
	const uint32_t *parent = s->ct->parent.p;
	uint32_t n = s->n_nodes;

	for (uint32_t i = 1; i < n; i++)
		s->start[parent[i] + 2]++;
	for (uint32_t i = 1; i <= n; i++)
		s->start[i + 1] += s->start[i];
	for (uint32_t i = 1; i < n; i++)
		s->child[s->start[parent[i] + 1]++] = i;
}

static uint32_t n_children(const struct settler *s, uint32_t node)
{
	return node < s->n_nodes ? s->start[node + 1] - s->start[node] : 0;
}

static uint32_t child_at(const struct settler *s, uint32_t node, uint32_t i)
{
	return s->child[s->start[node] + i];
}

static uint32_t row_at(const struct settler *s, uint32_t node)
{
	return s->row_of[s->ct->key_of.p[node]];
}

/* Note the children of NODE in SLOT, or take them out again. */
static void place_children(struct settler *s, uint32_t node, bool there)
{
	for (uint32_t i = 0; i < n_children(s, node); i++) {
		uint32_t child = child_at(s, node, i), row = row_at(s, child);

		if (row)
			s->slot[row - 1] = there ? child : 0;
	}
}

/* ---- scaling ---- */

/* The children of NODE go to the stack, with what they shall cost when it costs NOW; what is lost
 * by rounding is NODE's own, or the largest child's if it has no own cost. */
static bool scale_children(struct settler *s, uint32_t node)
{
	const as_val *new = s->now, *old = cost(s, node);
	uint32_t n = n_children(s, node);
	size_t at = s->waiting.n;

	if (!as_vec_reserve(s->al, &s->waiting, at + (size_t)n * s->e + 1))
		return false;
	s->waiting.n += (size_t)n * s->e;

	for (uint32_t k = 0; k < s->e; k++) {
		as_val left = new[k], self = old[k];
		uint32_t most = 0;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t c = child_at(s, node, i);
			as_val *part = &s->waiting.p[at + (size_t)i * s->e + k];

			*part = as_part_of(new[k], cost(s, c)[k], old[k]);
			*part = *part < left ? *part : left;
			left -= *part;
			self -= cost(s, c)[k];
			if (!i || cost(s, c)[k] > cost(s, child_at(s, node, most))[k])
				most = i;
		}
		if (n && left > 0 && self <= 0 && cost(s, child_at(s, node, most))[k])
			s->waiting.p[at + (size_t)most * s->e + k] += left;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!as_vec_push(s->al, &s->stack, child_at(s, node, i)))
			return false;
	return true;
}

/* NODE and what is below it, so that it costs V. */
static bool scale(struct settler *s, uint32_t node, const as_val *v)
{
	if (node >= s->n_nodes || memcmp(cost(s, node), v, s->e * sizeof(*v)) == 0) {
		memcpy(cost(s, node), v, s->e * sizeof(*v));
		return true;
	}
	s->stack.n = s->waiting.n = 0;
	if (!as_vec_push(s->al, &s->stack, node) ||
		!as_vec_reserve(s->al, &s->waiting, (size_t)s->e + 1))
		return false;
	memcpy(s->waiting.p, v, s->e * sizeof(*v));
	s->waiting.n = s->e;
	while (s->stack.n) {
		node = s->stack.p[--s->stack.n];
		s->waiting.n -= s->e;
		memcpy(s->now, s->waiting.p + s->waiting.n, s->e * sizeof(*v));
		if (!scale_children(s, node))
			return false;
		memcpy(cost(s, node), s->now, s->e * sizeof(*v));
	}
	return true;
}

/* ---- what is sure ---- */

/* What the root leads to as if by calls: functions that are entered, or the one of BELOW. NULL
 * where ROW is none of these; else valid until the next call. */
static const as_val *root_cost(const struct settler *s, uint32_t row)
{
	if (in_cycle(s, row) || (s->below && s->below_row != row + 1))
		return NULL;
	for (uint32_t k = 0; k < s->e; k++)
		s->root[k] = s->below ? out_of(s, row, k) : entry_of(s, row, k);
	if (!s->below && (is_zero(s->root, s->e) || any_negative(s->root, s->e)))
		return NULL;
	return s->root;
}

/* Call number I of those from PARENT, a row + 1, or of the root, 0: to ROW, at the cost V, which
 * is NULL if it is none. False behind the last. */
static bool call_at(
	const struct settler *s, uint32_t parent, uint32_t i, uint32_t *row, const as_val **v)
{
	const struct as_table *t = s->t;

	if (!parent) {
		*row = i;
		*v = i < s->rows ? root_cost(s, i) : NULL;
		return i < s->rows;
	}
	if (i >= t->first[parent] - t->first[parent - 1])
		return false;
	*row = t->callee[t->first[parent - 1] + i];
	*v = *row == parent - 1 ? NULL : s->costs.cost + (s->costs.at[parent - 1] + i) * s->e;
	return true;
}

/* Children of NODE that are not sure are marked in DOUBTFUL, what they cost is in SUM, and what is
 * left for them in REST. False if that does not go together. SLOT has NODE's children. */
static bool plan(struct settler *s, uint32_t node, uint32_t parent)
{
	uint32_t n = n_children(s, node), unsure = n, row;
	const as_val *v;

	memcpy(s->rest, cost(s, node), s->e * sizeof(*s->rest));
	memset(s->sum, 0, s->e * sizeof(*s->sum));
	for (uint32_t c = 0; c < n; c++)
		for (uint32_t k = 0; k < s->e; k++)
			s->sum[k] += cost(s, child_at(s, node, c))[k];
	for (uint32_t k = 0; parent && k < s->e; k++)
		s->rest[k] -= s->t->self[(size_t)(parent - 1) * s->e + k];
	for (uint32_t i = 0; call_at(s, parent, i, &row, &v); i++) {
		uint32_t child = s->slot[row];

		if (!v || s->doubt[row])
			continue;
		if (!child && !s->key_of[row] && !is_zero(v, s->e))
			return false;
		unsure -= child != 0;
		for (uint32_t k = 0; k < s->e; k++) {
			s->rest[k] -= v[k];
			s->sum[k] -= child ? cost(s, child)[k] : 0;
		}
	}
	return !any_negative(s->rest, s->e) && (unsure || is_zero(s->rest, s->e));
}

static bool new_node(struct settler *s, uint32_t parent, uint32_t row, uint32_t *node)
{
	struct as_calltree *ct = s->ct;
	size_t at = ct->cost.n;

	*node = (uint32_t)ct->parent.n;
	if (ct->parent.n >= UINT32_MAX - 2 || !as_vec_push(s->al, &ct->parent, parent) ||
		!as_vec_push(s->al, &ct->key_of, s->key_of[row] - 1) ||
		!as_vec_push(s->al, &ct->exact, 0) ||
		!as_vec_reserve(s->al, &ct->cost, at + s->e + 1))
		return false;
	memset(ct->cost.p + at, 0, s->e * sizeof(*ct->cost.p));
	ct->cost.n = at + s->e;
	return true;
}

/* CHILD, of ROW, below PARENT shall cost V. What is open is looked at when its turn comes. */
static bool give(struct settler *s, uint32_t child, uint32_t row, uint32_t parent, const as_val *v)
{
	if (!is_open(s, row, parent))
		return scale(s, child, v);
	s->ct->exact.p[child] |= AS_CALLTREE_SELF;
	if (child < s->n_nodes && !as_vec_reserve(s->al, &s->fresh, s->fresh.n + s->e + 1))
		return false;
	memcpy(child < s->n_nodes ? s->fresh.p + s->fresh.n : cost(s, child), v, s->e * sizeof(*v));
	if (child < s->n_nodes) {
		s->fresh_of[child] = (uint32_t)(s->fresh.n / (s->e ? s->e : 1));
		s->fresh.n += s->e;
	}
	return true;
}

static bool give_sure(struct settler *s, uint32_t node, uint32_t parent)
{
	uint32_t row;
	const as_val *v;

	for (uint32_t i = 0; call_at(s, parent, i, &row, &v); i++) {
		uint32_t child = s->slot[row];

		if (!v || s->doubt[row] || (!child && is_zero(v, s->e)))
			continue;
		if (!child && !new_node(s, node, row, &child))
			return false;
		s->ct->exact.p[child] = AS_CALLTREE_INCL;
		if (!give(s, child, row, parent, v))
			return false;
	}
	return true;
}

/* The children of NODE that are not sure share REST. */
static bool give_rest(struct settler *s, uint32_t node, uint32_t parent)
{
	uint32_t n = n_children(s, node), last = 0;
	as_val *v = s->part;

	for (uint32_t i = 0; i < n; i++)
		if (!(s->ct->exact.p[child_at(s, node, i)] & AS_CALLTREE_INCL))
			last = child_at(s, node, i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = child_at(s, node, i), row = row_at(s, c);

		if (s->ct->exact.p[c] & AS_CALLTREE_INCL)
			continue;
		for (uint32_t k = 0; k < s->e; k++) {
			as_val old = cost(s, c)[k];

			v[k] = c == last ? s->rest[k] : as_part_of(s->rest[k], old, s->sum[k]);
			s->sum[k] -= old;
			s->rest[k] -= v[k];
		}
		if (row ? !give(s, c, row - 1, parent, v) : !scale(s, c, v))
			return false;
	}
	return true;
}

/* NODE has its cost, and every path to PARENT, its function, goes through it: so its own cost is
 * all of that of its function, and its children cost what the calls do. */
static bool settle_node(struct settler *s, uint32_t node, uint32_t parent)
{
	uint32_t n = n_children(s, node);
	size_t at = node < s->n_nodes ? (size_t)s->fresh_of[node] * s->e : 0;
	bool fine, goes;

	place_children(s, node, true);
	if (node && node < s->n_nodes)
		for (uint32_t k = 0; k < s->e; k++) {
			as_val *old = &cost(s, node)[k], v = *old;

			*old = s->fresh.p[at + k];
			s->fresh.p[at + k] = v;
		}
	goes = plan(s, node, parent);
	fine = !goes || (give_sure(s, node, parent) && (!n || give_rest(s, node, parent)));
	place_children(s, node, false);
	if (goes || !fine)
		return fine;
	/* No: then it is like everything else that is not open. */
	s->ct->exact.p[node] &= AS_CALLTREE_INCL;
	if (!node || node >= s->n_nodes)
		return true;
	memcpy(s->sum, cost(s, node), s->e * sizeof(*s->sum));
	memcpy(cost(s, node), s->fresh.p + at, s->e * sizeof(*s->sum));
	return scale(s, node, s->sum);
}

/* All that ROW costs is its own. */
static bool calls_nothing(const struct settler *s, uint32_t row)
{
	return !in_cycle(s, row) && is_zero(s->t->out + (size_t)row * s->e, s->e);
}

static bool settle(struct settler *s)
{
	uint32_t row = s->below_row - 1;

	for (uint32_t k = 0; s->below_row && !s->doubt[row] && !in_cycle(s, row) && k < s->e; k++)
		cost(s, 0)[k] = out_of(s, row, k);
	if (!settle_node(s, 0, 0))
		return false;
	for (uint32_t i = 1; i < s->ct->parent.n; i++)
		if ((s->ct->exact.p[i] & AS_CALLTREE_SELF) && !settle_node(s, i, row_at(s, i)))
			return false;
	for (uint32_t i = 1; i < s->ct->parent.n; i++)
		if (s->ct->exact.p[i] == AS_CALLTREE_INCL && calls_nothing(s, row_at(s, i) - 1))
			s->ct->exact.p[i] |= AS_CALLTREE_SELF;
	return true;
}

/* ---- all of it ---- */

static bool make_room(struct settler *s)
{
	size_t n = s->n_nodes, rows = s->rows, calls = s->t->first[rows];

	s->words = s->keys + 5 * rows + 1 + calls + 3 * n + 3;
	s->vals = (s->t->n_cycles + 5) * s->e + 1;
	s->row_of = as_alloc_new(s->al, s->words * sizeof(*s->row_of));
	s->entry = as_alloc_new(s->al, s->vals * sizeof(*s->entry));
	s->doubt = as_alloc_new(s->al, 2 * rows + 1);
	if (!s->row_of || !s->entry || !s->doubt)
		return false;
	s->asked = s->doubt + rows;
	s->key_of = s->row_of + s->keys;
	s->n_callers = s->key_of + rows;
	s->caller = s->n_callers + rows;
	s->slot = s->caller + rows;
	s->first_in = s->slot + rows;
	s->call_in = s->first_in + rows + 1;
	s->start = s->call_in + calls;
	s->child = s->start + n + 2;
	s->fresh_of = s->child + n;
	s->sum = s->entry + s->t->n_cycles * s->e;
	s->rest = s->sum + s->e;
	s->part = s->rest + s->e;
	s->now = s->part + s->e;
	s->root = s->now + s->e;
	return true;
}

/* Which row is which key; those of which two are one are neither. */
static bool match_keys(struct settler *s)
{
	if (!as_calltree_rows(s->ct, s->t, s->row_of))
		return false;
	for (uint32_t key = 0; key < s->keys; key++) {
		uint32_t row = s->row_of[key];

		if (!row)
			continue;
		if (s->key_of[row - 1]) {
			s->row_of[s->key_of[row - 1] - 1] = 0;
			s->row_of[key] = 0;
		} else {
			s->key_of[row - 1] = key + 1;
		}
	}
	for (uint32_t r = 0; r < s->rows; r++)
		if (s->key_of[r] && !s->row_of[s->key_of[r] - 1])
			s->key_of[r] = 0;
	return true;
}

static bool note_callers(struct settler *s)
{
	struct as_calltree *ct = s->ct;

	for (uint32_t key = 0; key < s->keys; key++) {
		uint32_t row = s->row_of[key], caller = 0;
		bool one = row && only_caller(s, row - 1, &caller);

		if (!as_vec_push(s->al, &ct->only_caller, one ? s->key_of[caller] : 0))
			return false;
	}
	return true;
}

/* The row of the function of BELOW + 1, or 0. */
static uint32_t row_below(const struct settler *s)
{
	for (uint32_t key = 0; key < s->keys; key++)
		if (s->ct->key.p[key].func.i == s->below->func.i &&
			s->ct->key.p[key].addr == s->below->addr && s->row_of[key])
			return s->row_of[key];
	return 0;
}

/* Adds the cost of the call of ROW by FROM. */
static bool push_call(struct settler *s, uint32_t from, uint32_t row)
{
	const struct as_table *t = s->t;
	const as_val *v = s->costs.cost + s->costs.at[from] * s->e;
	bool fine = true;

	for (uint32_t i = t->first[from]; t->callee[i] != row; i++)
		v += s->e;
	for (uint32_t k = 0; fine && k < s->e; k++)
		fine = as_vec_push(s->al, &s->ct->passes, v[k]);
	return fine;
}

/* What passes to the function of BELOW from each that calls it, if it is in no cycle. */
static enum as_code note_passes(struct settler *s)
{
	uint32_t row = row_below(s), known = 0;
	struct as_calltree *ct = s->ct;
	bool fine = true;

	if (!row || in_cycle(s, row - 1) || s->doubt[row - 1])
		return AS_OK;
	row--;
	for (uint32_t i = callers_of(s, row); i < s->first_in[row]; i++) {
		uint32_t from = s->call_in[i];

		s->asked[from] = from != row && s->key_of[from];
		known += s->asked[from];
	}
	if (known != s->n_callers[row])
		return AS_OK;
	AS_TRY(as_table_call_costs(s->t, s->asked, &s->costs));
	for (uint32_t k = 0; fine && k < s->e; k++)
		fine = as_vec_push(s->al, &ct->passes, out_of(s, row, k));
	for (uint32_t k = 0; fine && k < s->e; k++)
		fine = as_vec_push(s->al, &ct->passes, entry_of(s, row, k));
	for (uint32_t i = callers_of(s, row); fine && i < s->first_in[row]; i++) {
		uint32_t from = s->call_in[i];

		if (from != row)
			fine = as_vec_push(s->al, &ct->caller, s->key_of[from] - 1) &&
			       push_call(s, from, row);
	}
	return fine ? AS_OK : AS_E_NOMEM;
}

static bool ask(struct settler *s, uint32_t row)
{
	if (s->asked[row])
		return true;
	s->asked[row] = 1;
	return as_vec_push(s->al, &s->stack, row);
}

/* What is called where all that a function costs may be in one place of the tree. */
static enum as_code ask_costs(struct settler *s)
{
	const struct as_table *t = s->t;

	for (uint32_t r = 0; r < s->rows; r++)
		if ((!s->below || s->below_row == r + 1) && is_open(s, r, 0) && !ask(s, r))
			return AS_E_NOMEM;
	while (s->stack.n) {
		uint32_t row = s->stack.p[--s->stack.n];

		for (uint32_t i = t->first[row]; i < t->first[row + 1]; i++)
			if (is_open(s, t->callee[i], row + 1) && !ask(s, t->callee[i]))
				return AS_E_NOMEM;
	}
	return as_table_call_costs(t, s->asked, &s->costs);
}

static enum as_code run(struct settler *s)
{
	struct as_calltree *ct = s->ct;

	if (!make_room(s) || !match_keys(s))
		return AS_E_NOMEM;
	if (s->t->less || any_negative(s->t->self, (size_t)s->rows * s->e))
		return AS_OK;
	note_calls(s);
	if (!find_doubts(s) || !note_callers(s))
		return AS_E_NOMEM;
	if (s->way != AS_TREE_CALLEES)
		return s->way == AS_TREE_CALLERS && s->below ? note_passes(s) : AS_OK;
	if (!as_vec_reserve(s->al, &ct->exact, s->n_nodes))
		return AS_E_NOMEM;
	memset(ct->exact.p, 0, s->n_nodes);
	ct->exact.n = s->n_nodes;
	as_calltree_to_inclusive(ct);
	link_children(s);
	if (s->below && s->n_nodes > 1)
		s->below_row = row_at(s, 1); /* the only child of the root */
	AS_TRY(ask_costs(s));
	return settle(s) ? AS_OK : AS_E_NOMEM;
}

enum as_code as_calltree_settle(struct as_calltree *ct, const struct as_table *calls,
	enum as_tree_way way, const struct as_calltree_root *of)
{
	struct settler s = {.ct = ct,
		.way = way,
		.t = calls,
		.al = ct->al,
		.below = of,
		.e = ct->e,
		.rows = (uint32_t)calls->n,
		.keys = (uint32_t)ct->key.n,
		.n_nodes = (uint32_t)ct->parent.n};
	enum as_code rc;

	if (calls->prof->estimated || calls->prof->sample.node.n || calls->n_events != ct->e)
		return AS_OK;
	rc = run(&s);
	as_vec_free(s.al, &s.stack);
	as_vec_free(s.al, &s.waiting);
	as_vec_free(s.al, &s.fresh);
	as_alloc_free(s.al, s.row_of, s.row_of ? s.words * sizeof(*s.row_of) : 0);
	as_alloc_free(s.al, s.doubt, s.doubt ? 2 * (size_t)s.rows + 1 : 0);
	as_alloc_free(s.al, s.entry, s.entry ? s.vals * sizeof(*s.entry) : 0);
	as_call_costs_release(&s.costs);
	return rc;
}
