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
	uint32_t *first;     /* of each row: its calls in t->edge; rows + 1 */
	uint32_t *first_in;  /* likewise, in CALL_IN: rows that call it */
	uint32_t *call_in;
	uint32_t *slot;     /* of each row: the child of the node that is settled, or 0 */
	size_t words;       /* all of these are one block */
	uint8_t *doubt;     /* of each row: a call of it, or further below, costs too much */
	as_val *entry;      /* of each row: what it costs beyond the calls that come in */
	as_val *out;        /* of each row: itself and the calls to others */
	as_val *fresh;      /* of each node that was there: what it shall cost */
	as_val *sum, *rest; /* scratch */
	size_t vals;        /* likewise */

	uint32_t n_nodes;        /* that were there */
	uint32_t *start, *child; /* their children */
	AS_VEC(uint32_t) stack;
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

/* False if a cost is negative. */
static bool add_up(struct settler *s)
{
	const struct as_table *t = s->t;
	uint32_t e = s->e;

	memcpy(s->out, t->self, (size_t)s->rows * e * sizeof(*s->out));
	if (any_negative(s->out, (size_t)s->rows * e))
		return false;
	for (size_t i = 0; i < t->n_edges; i++) {
		const struct as_edge *edge = &t->edge[i];

		s->first[edge->from + 1]++;
		s->first_in[edge->to + 1]++;
		if (any_negative(edge->cost, e))
			return false;
		if (edge->from == edge->to)
			continue;
		s->n_callers[edge->to]++;
		s->caller[edge->to] = edge->from;
		for (uint32_t k = 0; k < e; k++) {
			s->out[(size_t)edge->from * e + k] += edge->cost[k];
			s->entry[(size_t)edge->to * e + k] -= edge->cost[k];
		}
	}
	for (uint32_t r = 0; r < s->rows; r++) {
		s->first[r + 1] += s->first[r];
		s->first_in[r + 1] += s->first_in[r];
		for (uint32_t k = 0; k < e; k++)
			s->entry[(size_t)r * e + k] += s->out[(size_t)r * e + k];
	}
	return true;
}

/* The row of what ROW is one with: its cycle's, which stands behind the others, or its own. */
static uint32_t whole_of(const struct settler *s, uint32_t row)
{
	return in_cycle(s, row) ? s->slot[s->t->key[row].cycle - 1] : row;
}

/* What comes into a cycle from nowhere is its row's; leaves these rows in SLOT. */
static void sum_cycles(struct settler *s)
{
	const struct as_key *key = s->t->key;

	for (uint32_t r = 0; r < s->rows; r++)
		if (key[r].is_cycle) {
			s->slot[key[r].cycle - 1] = r;
			memset(s->entry + (size_t)r * s->e, 0, s->e * sizeof(*s->entry));
		}
	for (uint32_t r = 0; r < s->rows; r++)
		for (uint32_t k = 0; k < s->e && whole_of(s, r) != r; k++)
			s->entry[(size_t)whole_of(s, r) * s->e + k] +=
				s->entry[(size_t)r * s->e + k];
}

static bool doubt(struct settler *s, uint32_t row)
{
	if (s->doubt[row])
		return true;
	s->doubt[row] = 1;
	return as_vec_push(s->al, &s->stack, row);
}

/* Rows that cost less than the calls of them, and all that such a cost went through. */
static bool find_doubts(struct settler *s)
{
	const struct as_table *t = s->t;
	bool fine = true;

	for (size_t i = 0; i < t->n_edges; i++)
		s->call_in[s->first_in[t->edge[i].to]++] = t->edge[i].from;
	sum_cycles(s);
	for (uint32_t r = 0; fine && r < s->rows; r++)
		if (any_negative(s->entry + (size_t)whole_of(s, r) * s->e, s->e))
			fine = doubt(s, r);
	memset(s->slot, 0, s->rows * sizeof(*s->slot));
	while (fine && s->stack.n) {
		uint32_t row = s->stack.p[--s->stack.n];

		/* Each start has moved on to the next one. */
		for (uint32_t i = row ? s->first_in[row - 1] : 0; fine && i < s->first_in[row]; i++)
			fine = doubt(s, s->call_in[i]);
	}
	return fine;
}

/* The one function that calls ROW; false if there are several, or none. */
static bool only_caller(const struct settler *s, uint32_t row, uint32_t *caller)
{
	*caller = s->caller[row];
	return s->n_callers[row] == 1 && !in_cycle(s, row) &&
	       is_zero(s->entry + (size_t)row * s->e, s->e);
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

/* What the children of NODE shall cost when it costs fresh[NODE]; what is lost by rounding is
 * NODE's own, or the largest child's if it has no own cost. */
static bool scale_children(struct settler *s, uint32_t node)
{
	const as_val *new = s->fresh + (size_t)node * s->e, *old = cost(s, node);
	uint32_t n = n_children(s, node);

	for (uint32_t k = 0; k < s->e; k++) {
		as_val left = new[k], self = old[k];
		uint32_t most = 0;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t c = child_at(s, node, i);
			as_val *part = &s->fresh[(size_t)c * s->e + k];

			*part = as_part_of(new[k], cost(s, c)[k], old[k]);
			*part = *part < left ? *part : left;
			left -= *part;
			self -= cost(s, c)[k];
			if (!most || cost(s, c)[k] > cost(s, most)[k])
				most = c;
		}
		if (most && left > 0 && self <= 0 && cost(s, most)[k])
			s->fresh[(size_t)most * s->e + k] += left;
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
	memcpy(s->fresh + (size_t)node * s->e, v, s->e * sizeof(*v));
	s->stack.n = 0;
	if (!as_vec_push(s->al, &s->stack, node))
		return false;
	while (s->stack.n) {
		node = s->stack.p[--s->stack.n];
		if (!scale_children(s, node))
			return false;
		memcpy(cost(s, node), s->fresh + (size_t)node * s->e, s->e * sizeof(*v));
	}
	return true;
}

/* ---- what is sure ---- */

/* What the root leads to as if by calls: functions that are entered, or the one of BELOW. NULL
 * where ROW is none of these. */
static const as_val *root_cost(const struct settler *s, uint32_t row)
{
	const as_val *entry = s->entry + (size_t)row * s->e;

	if (in_cycle(s, row))
		return NULL;
	if (s->below)
		return s->below_row == row + 1 ? s->out + (size_t)row * s->e : NULL;
	if (is_zero(entry, s->e) || any_negative(entry, s->e))
		return NULL;
	return entry;
}

/* Call number I of those from PARENT, a row + 1, or of the root, 0: to ROW, at the cost V, which
 * is NULL if it is none. False behind the last. */
static bool call_at(
	const struct settler *s, uint32_t parent, uint32_t i, uint32_t *row, const as_val **v)
{
	const struct as_edge *edge = s->t->edge;

	if (!parent) {
		*row = i;
		*v = i < s->rows ? root_cost(s, i) : NULL;
		return i < s->rows;
	}
	i += s->first[parent - 1];
	if (i >= s->first[parent])
		return false;
	*row = edge[i].to;
	*v = edge[i].to == parent - 1 ? NULL : edge[i].cost;
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
	memcpy(child < s->n_nodes ? s->fresh + (size_t)child * s->e : cost(s, child), v,
		s->e * sizeof(*v));
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
	as_val *v = s->fresh; /* of the root, which does not change */

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
	as_val *old = cost(s, node), *new = s->fresh + (size_t)node * s->e;
	bool fine, goes;

	place_children(s, node, true);
	if (node && node < s->n_nodes)
		for (uint32_t k = 0; k < s->e; k++) {
			as_val v = old[k];

			old[k] = new[k];
			new[k] = v;
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
	memcpy(cost(s, node), s->fresh + (size_t)node * s->e, s->e * sizeof(*s->sum));
	return scale(s, node, s->sum);
}

/* All that ROW costs is its own. */
static bool calls_nothing(const struct settler *s, uint32_t row)
{
	size_t at = (size_t)row * s->e;

	return !in_cycle(s, row) &&
	       memcmp(s->out + at, s->t->self + at, s->e * sizeof(*s->out)) == 0;
}

static bool settle(struct settler *s)
{
	uint32_t row = s->below_row - 1;

	if (s->below_row && !s->doubt[row] && !in_cycle(s, row))
		memcpy(cost(s, 0), s->out + (size_t)row * s->e, s->e * sizeof(*s->out));
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
	size_t n = s->n_nodes, rows = s->rows;

	s->words = s->keys + 6 * rows + 2 + s->t->n_edges + 2 * n + 2;
	s->vals = (2 * rows + n + 2) * s->e + 1;
	s->row_of = as_alloc_new(s->al, s->words * sizeof(*s->row_of));
	s->entry = as_alloc_new(s->al, s->vals * sizeof(*s->entry));
	s->doubt = as_alloc_new(s->al, rows + 1);
	if (!s->row_of || !s->entry || !s->doubt)
		return false;
	s->key_of = s->row_of + s->keys;
	s->n_callers = s->key_of + rows;
	s->caller = s->n_callers + rows;
	s->slot = s->caller + rows;
	s->first = s->slot + rows;
	s->first_in = s->first + rows + 1;
	s->call_in = s->first_in + rows + 1;
	s->start = s->call_in + s->t->n_edges;
	s->child = s->start + n + 2;
	s->out = s->entry + rows * s->e;
	s->fresh = s->out + rows * s->e;
	s->sum = s->fresh + n * s->e;
	s->rest = s->sum + s->e;
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

static bool push_cost(struct settler *s, const as_val *v)
{
	for (uint32_t k = 0; k < s->e; k++)
		if (!as_vec_push(s->al, &s->ct->passes, v[k]))
			return false;
	return true;
}

/* What passes to the function OF from each that calls it, if it is in no cycle. */
static bool note_passes(struct settler *s, const struct as_calltree_root *of)
{
	const struct as_table *t = s->t;
	uint32_t row = 0, known = 0;
	bool fine;

	for (uint32_t key = 0; key < s->keys && !row; key++)
		if (s->ct->key.p[key].func.i == of->func.i && s->ct->key.p[key].addr == of->addr)
			row = s->row_of[key];
	if (!row || in_cycle(s, row - 1) || s->doubt[row - 1])
		return true;
	row--;
	for (size_t i = 0; i < t->n_edges; i++)
		known += t->edge[i].to == row && t->edge[i].from != row &&
			 s->key_of[t->edge[i].from];
	if (known != s->n_callers[row])
		return true;
	fine = push_cost(s, s->out + (size_t)row * s->e) &&
	       push_cost(s, s->entry + (size_t)row * s->e);
	for (size_t i = 0; fine && i < t->n_edges; i++)
		if (t->edge[i].to == row && t->edge[i].from != row)
			fine = as_vec_push(s->al, &s->ct->caller, s->key_of[t->edge[i].from] - 1) &&
			       push_cost(s, t->edge[i].cost);
	return fine;
}

static bool run(struct settler *s)
{
	struct as_calltree *ct = s->ct;

	if (!make_room(s) || !match_keys(s))
		return false;
	if (!add_up(s))
		return true;
	if (!find_doubts(s) || !note_callers(s))
		return false;
	if (s->way != AS_TREE_CALLEES)
		return s->way != AS_TREE_CALLERS || !s->below || note_passes(s, s->below);
	if (!as_vec_reserve(s->al, &ct->exact, s->n_nodes))
		return false;
	memset(ct->exact.p, 0, s->n_nodes);
	ct->exact.n = s->n_nodes;
	as_calltree_to_inclusive(ct);
	link_children(s);
	if (s->below && s->n_nodes > 1)
		s->below_row = row_at(s, 1); /* the only child of the root */
	return settle(s);
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
	bool fine;

	if (calls->prof->estimated || calls->prof->sample.node.n || calls->n_events != ct->e)
		return AS_OK;
	fine = run(&s);
	as_vec_free(s.al, &s.stack);
	as_alloc_free(s.al, s.row_of, s.row_of ? s.words * sizeof(*s.row_of) : 0);
	as_alloc_free(s.al, s.doubt, s.doubt ? (size_t)s.rows + 1 : 0);
	as_alloc_free(s.al, s.entry, s.entry ? s.vals * sizeof(*s.entry) : 0);
	return fine ? AS_OK : AS_E_NOMEM;
}
