/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which section a location, a function and a string stand in: that one which alone needs it, or a
 * table behind all samples. The first table is of what the largest section shares with others, as
 * that is asked for first; the second one of what only smaller ones share. More of them would take
 * more room.
 */
#include "base/sort.h"
#include "formats/pprof/pprof_write.h"

enum { TABLES_MAX = 2, TABLE_LEAST = 8 /* rows, for each sample that a section has at least */ };
#define SEVERAL (UINT32_C(1) << 31)

/* Of rows that sections need: the last section that was looked at and does, + 1; and the first one
 * that does, + 1, with a mark if there are several. */
struct users {
	uint32_t *seen, *of;
};

/* The walk over what sections need, those of many samples first. */
struct needing {
	struct as_pb_write *w;
	uint32_t now;   /* the section, + 1 */
	uint32_t *seen; /* of each stack, as in users */
	struct users loc, func, str;
	uint32_t *rank; /* sections in the order of the walk */
	size_t *shares; /* rows that a section shares with later ones */
	AS_VEC(uint32_t) texts;
};

/* Row ROW is needed. False: that is known. */
static bool needs_use(struct needing *t, struct users *u, uint32_t row)
{
	size_t n = t->w->section.n, first = (u->of[row] & ~SEVERAL) - (size_t)1;

	if (u->seen[row] == t->now)
		return false;
	u->seen[row] = t->now;
	if (!u->of[row]) {
		u->of[row] = t->now;
		return true;
	}
	t->shares[first] += !(u->of[row] & SEVERAL);
	u->of[row] |= SEVERAL;
	t->w->needs[first * n + first] = t->w->needs[(t->now - 1) * n + first] = true;
	return true;
}

static void needs_use_str(struct needing *t, as_str s)
{
	if (s.i)
		(void)needs_use(t, &t->str, s.i);
}

static void needs_use_func(struct needing *t, uint32_t func)
{
	const struct as_func_row *f = &t->w->plan.func.p[func];

	if (!t->w->plan.func_id[func] || !needs_use(t, &t->func, func))
		return;
	needs_use_str(t, f->name);
	needs_use_str(t, f->system);
	needs_use_str(t, t->w->prof->file.p[f->file.i]);
}

static void needs_use_loc(struct needing *t, uint32_t loc)
{
	const struct as_plan *plan = &t->w->plan;

	if (!needs_use(t, &t->loc, loc))
		return;
	for (uint32_t l = as_plan_has_lines(plan, loc) ? loc : 0; l; l = plan->loc.parent.p[l]) {
		const struct as_plan_frame *f = &plan->frame.p[plan->loc.label.p[l]];

		needs_use_func(t, f->func);
		needs_use_str(t, t->w->prof->file.p[f->file.i]);
	}
}

/* All that the stacks of section I need, each stack once. */
static void needs_walk(struct needing *t, uint32_t i)
{
	const struct as_plan *plan = &t->w->plan;

	t->now = i + 1;
	for (size_t k = t->w->section.p[i].first; k < t->w->section.p[i].end; k++)
		for (uint32_t s = plan->sample.p[t->w->order[k]].stack; s && t->seen[s] != t->now;
			s = plan->stack.parent.p[s]) {
			t->seen[s] = t->now;
			needs_use_loc(t, plan->stack.label.p[s]);
		}
}

static int needs_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_part *x = &((const struct as_pb_part *)ctx)[a];
	const struct as_pb_part *y = &((const struct as_pb_part *)ctx)[b];
	int c = as_cmp_u64(y->n, x->n);

	return c ? c : as_cmp_u64(a, b);
}

static bool needs_users(struct needing *t, struct users *u, size_t n)
{
	return as_alloc_array(t->w->al, &u->seen, n) && as_alloc_array(t->w->al, &u->of, n);
}

static bool needs_begin(struct needing *t)
{
	struct as_pb_write *w = t->w;
	size_t n = w->section.n;

	t->rank = as_sorted_rows(w->al, n, needs_cmp, w->section.p);
	return t->rank && needs_users(t, &t->loc, w->plan.loc.parent.n) &&
	       needs_users(t, &t->func, w->plan.func.n) &&
	       needs_users(t, &t->str, w->prof->strings.row.n) &&
	       as_alloc_array(w->al, &t->seen, w->plan.stack.parent.n) &&
	       as_alloc_array(w->al, &t->shares, n) && as_alloc_array(w->al, &w->needs, n * n) &&
	       as_alloc_array(w->al, &w->table, n);
}

/* The table of what each section shares: few rows make none of their own. */
static void needs_choose(struct needing *t)
{
	struct as_pb_write *w = t->w;
	size_t rows = 0, least = (size_t)TABLE_LEAST * w->wr->sections;

	for (size_t i = 0; i < w->section.n; i++) {
		size_t shares = t->shares[t->rank[i]];

		if (shares && (!w->n_tables || (rows >= least && w->n_tables < TABLES_MAX))) {
			w->n_tables++;
			rows = 0;
		}
		rows += shares;
		w->table[t->rank[i]] = w->n_tables ? w->n_tables - 1 : 0;
	}
}

/* The section of a row, + 1; 0: nobody needs it. */
static uint32_t needs_section(const struct as_pb_write *w, const struct users *u, uint32_t row)
{
	uint32_t first = u->of[row] & ~SEVERAL;

	return u->of[row] & SEVERAL ? (uint32_t)w->section.n + w->table[first - 1] + 1 : first;
}

/* Rows of U, the N that stand in the order AT, section by section. */
static bool needs_sort(const struct as_pb_write *w, const struct users *u, const uint32_t *at,
	size_t n, struct as_pb_by_section *out)
{
	size_t all = w->section.n + w->n_tables;

	if (!as_alloc_array(w->al, &out->at, n) || !as_alloc_array(w->al, &out->first, all + 3))
		return false;
	for (size_t k = 0; k < n; k++)
		out->first[needs_section(w, u, at[k]) + 2]++;
	for (size_t i = 2; i < all + 3; i++)
		out->first[i] += out->first[i - 1];
	for (size_t k = 0; k < n; k++)
		out->at[out->first[needs_section(w, u, at[k]) + 1]++] = at[k];
	return true;
}

/* The IDs of rows that are used, those of each section one behind the other: so they take less room
 * where they are compressed. Those of tables come first. */
static void needs_renumber(
	const struct as_pb_write *w, const struct as_pb_by_section *rows, uint32_t *id)
{
	uint32_t all = (uint32_t)w->section.n + w->n_tables, next = 0;

	for (uint32_t i = 0; i < all; i++) {
		uint32_t now = i < w->n_tables ? (uint32_t)w->section.n + i : i - w->n_tables;

		for (size_t k = rows->first[now + 1]; k < rows->first[now + 2]; k++)
			if (id[rows->at[k]])
				id[rows->at[k]] = ++next;
	}
}

/* Strings that sections need, each once: those of functions in the order of these. */
static bool needs_list(struct needing *t)
{
	const struct as_plan *plan = &t->w->plan;

	memset(t->str.seen, 0, t->w->prof->strings.row.n * sizeof(*t->str.seen));
	for (size_t k = 0; k < plan->func.n + plan->frame.n; k++) {
		size_t i = k - plan->func.n;
		bool of_func = k < plan->func.n;
		const struct as_func_row *f =
			of_func ? &plan->func.p[plan->func_order.at[k]] : NULL;
		as_str s[] = {f ? f->name : (as_str){0}, f ? f->system : (as_str){0},
			t->w->prof->file
				.p[f ? f->file.i : plan->frame.p[plan->frame_order.at[i]].file.i]};

		for (size_t n = 0; n < AS_ARRAY_LEN(s); n++)
			if (t->str.of[s[n].i] && !t->str.seen[s[n].i]++ &&
				!as_vec_push(t->w->al, &t->texts, s[n].i))
				return false;
	}
	return true;
}

enum as_code as_pb_plan_tables(struct as_pb_write *w)
{
	struct needing t = {.w = w};
	const struct as_plan *plan = &w->plan;

	AS_TRY(as_err_memory(w->wr->err, needs_begin(&t)));
	for (size_t i = 0; i < w->section.n; i++)
		needs_walk(&t, t.rank[i]);
	needs_choose(&t);
	AS_TRY(as_err_memory(w->wr->err,
		needs_list(&t) &&
			needs_sort(w, &t.loc, plan->loc_at + 1, plan->loc.parent.n - 1, &w->loc) &&
			needs_sort(w, &t.func, plan->func_order.at, plan->func.n, &w->func) &&
			needs_sort(w, &t.str, t.texts.p, t.texts.n, &w->text)));
	needs_renumber(w, &w->loc, plan->loc_id);
	needs_renumber(w, &w->func, plan->func_id);
	return AS_OK;
}

bool as_pb_needs_table(const struct as_pb_write *w, uint32_t section, uint32_t table)
{
	for (size_t i = 0; i < w->section.n; i++)
		if (w->table[i] == table && w->needs[section * w->section.n + i])
			return true;
	return false;
}

enum as_code as_pb_number_strings(struct as_pb_write *w)
{
	if (!as_vec_push(w->al, &w->str_end, w->str.row.n))
		return as_err_no_memory(w->wr->err);
	for (uint32_t i = 1; i <= w->section.n + w->n_tables; i++) {
		for (size_t k = w->text.first[i]; k < w->text.first[i + 1]; k++)
			(void)as_pb_str_of(w, as_str_get(w->prof, (as_str){w->text.at[k]}));
		if (!as_vec_push(w->al, &w->str_end, w->str.row.n))
			return as_err_no_memory(w->wr->err);
	}
	return AS_OK;
}
