/* SPDX-License-Identifier: Apache-2.0 */
/* Projections: the order of things, and the finished table. */
#include "table/project_impl.h"

#include "base/sort.h"

struct as_slice as_table_func_name(const struct as_table *table, uint32_t row)
{
	const struct as_key *key = &table->key[row];
	struct as_slice name = as_func_name(table->prof, key->func);

	return key->contexts ? as_fold_name_by(table->how, name) : name;
}

int as_table_cmp_text(const struct as_table *t, uint32_t a, uint32_t b)
{
	const struct as_key *x = &t->key[a], *y = &t->key[b];
	int cmp = as_slice_cmp(as_table_func_name(t, a), as_table_func_name(t, b));

	if (!cmp)
		cmp = as_slice_cmp(
			as_object_path(t->prof, x->object), as_object_path(t->prof, y->object));
	if (!cmp)
		cmp = as_slice_cmp(as_file_path(t->prof, x->file), as_file_path(t->prof, y->file));
	return cmp ? cmp : as_cmp_u64(x->addr, y->addr);
}

void as_table_free(struct as_table *t)
{
	size_t values;

	if (!t)
		return;
	values = t->n * t->n_events * sizeof(as_val);
	as_alloc_free(t->al, t->key, t->n * sizeof(*t->key));
	as_alloc_free(t->al, t->self, values);
	as_alloc_free(t->al, t->incl, values);
	as_alloc_free(t->al, t->most, values);
	as_proj_drop(t);
	as_arena_release(&t->arena);
	as_alloc_free(t->al, t, sizeof(*t));
}

void as_table_drop_incl(struct as_table *t)
{
	as_alloc_free(t->al, t->incl, t->n * t->n_events * sizeof(*t->incl));
	t->incl = NULL;
	memset(t->has_incl, 0, t->n);
}

/* The array *P of CAP bytes, cut to SIZE, goes to OUT; *P is NULL afterwards. */
static bool proj_take(const struct as_alloc *al, void *pp, size_t cap, size_t size, void *out)
{
	void *p, *cut;

	as_assert(size <= cap);
	memcpy(&p, pp, sizeof(p));
	cut = p && cap != size ? al->resize(al->ctx, p, cap, size) : p;
	if (size && !cut)
		return false;
	memcpy(out, &cut, sizeof(cut));
	cut = NULL;
	memcpy(pp, &cut, sizeof(cut));
	return true;
}

static bool take_col(struct as_proj *p, enum as_col c, size_t size, as_val **out)
{
	if (!proj_take(p->al, &p->col[c].p, p->col[c].cap * sizeof(as_val), size, out))
		return false;
	p->col[c].n = p->col[c].cap = 0;
	return true;
}

/* Whether any call says what it cost: gprof's are counted only. */
static bool calls_have_costs(const struct as_proj *p)
{
	const struct as_rows *rows = &p->prof->call;
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		as_rows_begin(&cur, rows, &rows->run.p[r], p->row);
		while (as_rows_next(&cur))
			for (uint32_t k = AS_CALL_COST; k < cur.n; k++)
				if (p->row[k])
					return true;
	}
	return !rows->n;
}

/* Whether the evidence says how much passes through row R. */
static bool proj_incl_known(const struct as_proj *p, size_t r)
{
	if (!(p->cols >> AS_COL_INCL & 1))
		return false;
	if (p->opts->by == AS_BY_FUNC)
		return !p->key.p[r].is_cycle || !p->prof->sample.node.n;
	return !p->cycle || r >= p->n_cycle || !p->cycle[r];
}

/* Times called: known where there are calls, but not when none of them says how often. */
static bool calls_known(const struct as_proj *p, size_t r)
{
	enum as_by by = p->opts->by;

	if (!p->prof->call.n || as_by_is_site(by))
		return false;
	return p->state.p[r].called || !(p->state.p[r].has_in & AS_IN_EVER);
}

static void fill_flags(struct as_proj *p, struct as_table *t)
{
	bool costs = calls_have_costs(p);

	for (size_t r = 0; r < t->n; r++) {
		t->has_incl[r] = costs && proj_incl_known(p, r);
		t->has_calls[r] = calls_known(p, r);
		t->recursive[r] =
			p->want_state && (p->key.p[r].cycle || (p->state.p[r].has_in & AS_IN_SELF));
		t->calls[r] = t->has_calls[r] ? p->state.p[r].called : 0;
	}
}

/* Nothing is lost or counted twice: what the rows cost themselves is what there is. */
static void check_total(const struct as_table *t)
{
	as_val sum = 0;

	for (size_t r = 0; r < t->n && t->n_events; r++)
		sum += t->key[r].is_cycle ? 0 : t->self[r * t->n_events];
	as_assert(!t->n_events || t->n_rest || sum == t->total[0]);
}

static enum as_code proj_fill(struct as_proj *p, struct as_table *t)
{
	size_t n = p->key.n, values = n * p->e * sizeof(as_val), size = p->e * sizeof(as_val);

	as_assert(p->col[AS_COL_SELF].n == n * p->e);
	as_assert(!(p->cols >> AS_COL_INCL & 1) || p->col[AS_COL_INCL].n == n * p->e);
	t->n = n;
	t->n_cycles = t->by == AS_BY_FUNC ? p->n_cycles : 0;
	t->how = p->fold.how;
	t->calls = as_arena_get(&t->arena, n * sizeof(*t->calls) + 1);
	t->has_incl = as_arena_get(&t->arena, n + 1);
	t->has_calls = as_arena_get(&t->arena, n + 1);
	t->recursive = as_arena_get(&t->arena, n + 1);
	t->total = as_arena_get(&t->arena, size + 1);
	AS_TRY(as_memory(t->calls && t->has_incl && t->has_calls && t->recursive && t->total));
	if (size)
		memcpy(t->total, p->prof->total, size);
	fill_flags(p, t);
	if (!(p->cols >> AS_COL_INCL & 1)) {
		t->incl = values ? as_alloc_new(p->al, values) : NULL;
		if (values && !t->incl)
			return AS_E_NOMEM;
	} else if (!take_col(p, AS_COL_INCL, values, &t->incl)) {
		return AS_E_NOMEM;
	}
	if (t->n_cycles && !p->prof->sample.node.n && (p->cols >> AS_COL_OUT & 1) &&
		!take_col(p, AS_COL_OUT, values, &t->most))
		return AS_E_NOMEM;
	if (!take_col(p, AS_COL_SELF, values, &t->self) ||
		!proj_take(p->al, &p->key.p, p->key.cap * sizeof(*p->key.p), n * sizeof(*t->key),
			&t->key))
		return AS_E_NOMEM;
	p->key.n = p->key.cap = 0;
	check_total(t);
	return AS_OK;
}

static enum as_code make_edges(struct as_proj *p, struct as_table *t)
{
	if (p->opts->want_edges && (p->cols >> AS_COL_INCL & 1)) {
		AS_TRY(as_proj_make_edges(p, t));
		return as_proj_call_edges(p);
	}
	return p->opts->want_callees ? as_proj_make_callees(p, t) : AS_OK;
}

static enum as_code proj_make(struct as_proj *p, struct as_table *t)
{
	enum as_code rc = AS_HAS_BEST ? as_proj_best(p, t) : AS_END;

	if (AS_HAS_BEST && rc == AS_END)
		rc = as_proj_lines(p, t);
	if (rc != AS_END) {
		AS_TRY(rc);
		return proj_fill(p, t);
	}
	AS_TRY(as_proj_calls(p));
	AS_TRY(as_proj_cycles(p));
	AS_TRY(as_proj_paths_rows(p));
	AS_TRY(make_edges(p, t));
	AS_TRY(as_proj_paths_sums(p));
	AS_TRY(as_proj_read_sums(p));
	AS_TRY(as_proj_cycle_rows(p));
	return proj_fill(p, t);
}

static enum as_code proj_take_places(const struct as_proj *p, struct as_table *t)
{
	size_t size = p->prof->place.func.n * sizeof(*t->of_place);

	t->of_place = as_arena_get(&t->arena, size);
	AS_TRY(as_memory(t->of_place));
	memcpy(t->of_place, p->of_place, size);
	return AS_OK;
}

enum as_code as_project(const struct as_profile *prof, const struct as_project_opts *opts,
	struct as_table **table, struct as_err *err)
{
	struct as_table *t = as_alloc_new(prof->al, sizeof(*t));
	struct as_proj p;
	enum as_code rc;

	*table = NULL;
	AS_TRY(as_err_memory(err, t));
	t->al = prof->al;
	t->prof = prof;
	t->by = opts->by;
	t->n_events = as_n_events(prof);
	as_arena_init(&t->arena, t->al);
	rc = as_proj_init(&p, prof, opts);
	AS_THEN(rc, proj_make(&p, t));
	if (rc == AS_OK && opts->want_places && p.of_place)
		rc = proj_take_places(&p, t);
	if (rc == AS_OK && opts->want_callees)
		rc = as_proj_keep(&p, t) ? AS_OK : AS_E_NOMEM;
	if (!t->proj)
		as_proj_release(&p);
	if (rc == AS_OK) {
		*table = t;
		return AS_OK;
	}
	as_table_free(t);
	return rc == AS_E_LIMIT ? as_err_set(err, rc, "more than 2^32 rows")
				: as_err_no_memory(err);
}
