/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of a compared tree are shown, in which order, and what stands for the others. */
#include "base/pool.h"
#include "base/sort.h"
#include "diff/diff_impl.h"
#include "diff/diff_sub.h"

struct ahead {
	uint32_t row, depth;
	uint64_t n;
	size_t value;
};

struct viewer {
	struct as_diff_tree_view *v;
	const struct as_diff_sub *tree;
	const struct as_diff *d; /* its figures */
	const struct as_alloc *al;
	const struct as_diff_tree_opts *opts;
	size_t n;
	as_val *delta, *larger; /* of each row: |difference| and the larger side, inclusive */
	double *churn, least;   /* of each row with those below; less is left out */
	uint8_t *beyond;        /* of each row: it, or one below it, differs beyond noise */
	uint32_t *start,
		*child; /* of row I - 1 the children from start[I]; those of no row first */
	AS_VEC(struct ahead) ahead; /* the next one last */
};

static as_val diff_tree_magnitude(as_val v)
{
	return v < 0 ? -v : v;
}

/* Counted two places further on, so that filling leaves the starts where they belong. */
static void diff_tree_link_children(struct viewer *w)
{
	for (size_t i = 0; i < w->n; i++)
		w->start[w->tree->place.p[i].up + 2]++;
	for (size_t i = 1; i < w->n + 3; i++)
		w->start[i] += w->start[i - 1];
	for (uint32_t i = 0; i < w->n; i++)
		w->child[w->start[w->tree->place.p[i].up + 1]++] = i;
	as_assert(w->start[w->n + 1] == w->n);
}

static void diff_tree_measure(struct viewer *w)
{
	uint32_t event = w->d->sort_event;
	double all = 0;

	for (uint32_t i = 0; i < w->n; i++) {
		enum as_verdict verdict = (enum as_verdict)w->d->verdict[i];
		as_val self[AS_SIDES], incl[AS_SIDES], a, b;

		as_diff_values(w->d, i, event, false, self);
		as_diff_values(w->d, i, event, true, incl);
		a = diff_tree_magnitude(incl[AS_BASE]);
		b = diff_tree_magnitude(incl[AS_NEW]);
		w->delta[i] = diff_tree_magnitude(incl[AS_NEW] - incl[AS_BASE]);
		w->larger[i] = a > b ? a : b;
		w->churn[i] = (double)diff_tree_magnitude(self[AS_NEW] - self[AS_BASE]);
		w->beyond[i] = verdict == AS_DIFF_CHANCE || verdict == AS_DIFF_SURE;
		all += w->churn[i];
	}
	for (size_t i = w->n; i-- > 0;) {
		uint32_t up = w->tree->place.p[i].up;

		if (!up)
			continue;
		w->churn[up - 1] += w->churn[i];
		w->beyond[up - 1] |= w->beyond[i];
	}
	w->least = all * w->opts->min_ppm / 1e6;
}

static bool diff_tree_is_shown(const struct viewer *w, uint32_t row)
{
	return !w->opts->min_ppm || (w->churn[row] > 0 && w->churn[row] >= w->least);
}

/* Nothing below row UP - 1 is worth being shown. */
static bool diff_tree_is_noise(const struct viewer *w, uint32_t up)
{
	return w->opts->min_ppm && up && !w->beyond[up - 1];
}

static int diff_tree_cmp_rows(const void *ctx, uint32_t a, uint32_t b)
{
	const struct viewer *w = ctx;
	const struct as_diff *of = w->tree->of;
	uint32_t x = w->tree->place.p[a].func, y = w->tree->place.p[b].func;

	if (w->delta[a] != w->delta[b])
		return w->delta[a] < w->delta[b] ? 1 : -1;
	if (w->larger[a] != w->larger[b])
		return w->larger[a] < w->larger[b] ? 1 : -1;
	if (x == AS_DIFF_NO_CALLER || y == AS_DIFF_NO_CALLER)
		return x == y ? 0 : x == AS_DIFF_NO_CALLER ? 1 : -1;
	return as_diff_cmp_names(of, &of->key.p[x], &of->key.p[y]);
}

/* ---- levels ---- */

/* What of a level is left out: all of it, without the row above and those that are shown. */
static bool diff_tree_push_rest(
	struct viewer *w, uint32_t up, uint32_t depth, bool too_deep, uint64_t n)
{
	struct ahead rest = {AS_DIFF_REST, depth, n, w->v->value.n};

	for (uint32_t e = 0; e < w->d->n_events; e++) {
		as_val all[AS_SIDES], one[AS_SIDES] = {0};

		if (up) {
			as_diff_values(w->d, up - 1, e, true, all);
			as_diff_values(w->d, up - 1, e, false, one);
		} else {
			memcpy(all, as_diff_sub_total(w->tree, e).value, sizeof(all));
		}
		for (uint32_t i = w->start[up]; i < w->start[up + 1] && !too_deep; i++) {
			as_val v[AS_SIDES];

			if (!diff_tree_is_shown(w, w->child[i]))
				continue;
			as_diff_values(w->d, w->child[i], e, true, v);
			one[AS_BASE] += v[AS_BASE];
			one[AS_NEW] += v[AS_NEW];
		}
		for (unsigned side = 0; side < AS_SIDES; side++)
			if (!as_vec_push(w->v->al, &w->v->value, all[side] - one[side]))
				return false;
	}
	return as_vec_push(w->al, &w->ahead, rest);
}

/* The children of row UP - 1 go to what is to come. */
static bool diff_tree_push_level(struct viewer *w, uint32_t up, uint32_t depth)
{
	bool too_deep = (w->opts->depth && depth >= w->opts->depth) || diff_tree_is_noise(w, up);
	uint32_t *child = w->child + w->start[up];
	size_t n = w->start[up + 1] - w->start[up];
	uint64_t left_out = 0;

	for (size_t i = 0; i < n; i++)
		left_out += too_deep || !diff_tree_is_shown(w, child[i]);
	if (left_out && !diff_tree_push_rest(w, up, depth, too_deep, left_out))
		return false;
	if (too_deep)
		return true;
	if (!as_sort_rows(w->al, child, n, diff_tree_cmp_rows, w))
		return false;
	for (size_t i = n; i-- > 0;)
		if (diff_tree_is_shown(w, child[i]) &&
			!as_vec_push(w->al, &w->ahead, ((struct ahead){child[i], depth, 1, 0})))
			return false;
	return true;
}

static bool diff_tree_unfold(struct viewer *w)
{
	if (!diff_tree_push_level(w, 0, 0))
		return false;
	while (w->ahead.n) {
		struct ahead t = w->ahead.p[--w->ahead.n];
		struct as_diff_tree_row row = {t.depth, t.row, t.n, t.value};

		if (!as_vec_push(w->v->al, &w->v->row, row))
			return false;
		if (t.row != AS_DIFF_REST && !diff_tree_push_level(w, t.row + 1, t.depth + 1))
			return false;
	}
	return true;
}

/* ---- subtrees of one side ---- */

static bool find_one_sided(struct viewer *w, enum as_side lacks)
{
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t up = w->tree->place.p[i].up;

		if (as_diff_has(w->d, i, lacks) || (up && !as_diff_has(w->d, up - 1, lacks)))
			continue;
		if (!as_vec_push(w->v->al, &w->v->one_sided[lacks], i))
			return false;
	}
	return as_sort_rows(
		w->al, w->v->one_sided[lacks].p, w->v->one_sided[lacks].n, diff_tree_cmp_rows, w);
}

enum as_code as_diff_tree_view_make(struct as_diff_tree_view *v, const struct as_diff_sub *tree,
	const struct as_diff_tree_opts *opts, struct as_err *err)
{
	struct as_pool pool;
	struct viewer w = {.v = v,
		.tree = tree,
		.d = &tree->fig,
		.al = &pool.al,
		.opts = opts,
		.n = tree->place.n};
	bool fine;

	as_assert(tree->fig.verdict && tree->fig.sort_inclusive);
	*v = (struct as_diff_tree_view){.al = tree->fig.al};
	as_pool_init(&pool, tree->fig.al);
	fine = as_alloc_array(w.al, &w.delta, w.n) && as_alloc_array(w.al, &w.larger, w.n) &&
	       as_alloc_array(w.al, &w.churn, w.n) && as_alloc_array(w.al, &w.beyond, w.n) &&
	       as_alloc_array(w.al, &w.start, w.n + 3) && as_alloc_array(w.al, &w.child, w.n);
	if (fine) {
		diff_tree_link_children(&w);
		diff_tree_measure(&w);
		fine = diff_tree_unfold(&w) && find_one_sided(&w, AS_BASE) &&
		       find_one_sided(&w, AS_NEW);
	}
	as_pool_release(&pool);
	return fine ? AS_OK : as_err_no_memory(err);
}

void as_diff_tree_view_release(struct as_diff_tree_view *v)
{
	if (!v->al)
		return;
	as_vec_free(v->al, &v->row);
	as_vec_free(v->al, &v->value);
	as_vec_free(v->al, &v->one_sided[AS_BASE]);
	as_vec_free(v->al, &v->one_sided[AS_NEW]);
}
