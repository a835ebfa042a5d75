/* SPDX-License-Identifier: Apache-2.0 */
/* Self rows, calls and jumps of a function to rows of its listing. */
#include "listing/listing_impl.h"

/* The next row of RUN that is listed. */
static bool list_facts_next_row(
	const struct as_lister *l, const struct as_run *run, struct as_rows_cur *cur)
{
	while (as_rows_next(cur))
		if (as_lister_is_ours(l, run->func, cur->addr))
			return true;
	return false;
}

/* There may be such a row. */
static bool list_facts_is_ours(const struct as_lister *l, const struct as_run *run)
{
	if (l->out->stretch.addr)
		return !l->prof->func.name.p[run->func.i].i;
	return as_lister_group(l, run->func) == l->group;
}

/* The row that the cursor's row belongs to. */
static enum as_code list_facts_row_of(
	struct as_lister *l, const struct as_run *run, const struct as_rows_cur *cur, uint32_t *row)
{
	as_func inl = run->inl.i ? run->inl : run->func;
	struct as_list_row key = {
		.func = as_lister_func(l, inl), .file = run->file, .line = cur->line};
	struct as_list_row *have;

	if (!l->out->by_addr)
		return as_lister_row(l, &key, row);
	key.addr = cur->addr ? cur->addr : l->prof->func.addr.p[run->func.i];
	AS_TRY(as_lister_row(l, &key, row));
	have = &l->out->row.p[*row];
	/* An address with several lines has the one of its first cost; any beats none. */
	if (!have->line && cur->line) {
		have->func = key.func;
		have->file = key.file;
		have->line = key.line;
	}
	return AS_OK;
}

static enum as_code list_facts_self_run(struct as_lister *l, const struct as_run *run)
{
	struct as_rows_cur cur;
	uint32_t row;

	as_rows_begin(&cur, &l->prof->self, run, l->scratch);
	while (list_facts_next_row(l, run, &cur)) {
		AS_TRY(list_facts_row_of(l, run, &cur, &row));
		as_vals_add(as_at(l->out->row_self.p, (size_t)row * l->e), l->scratch, l->e);
		as_vals_add(as_at(l->out->row_incl.p, (size_t)row * l->e), l->scratch, l->e);
	}
	return AS_OK;
}

/* A call that comes back into the function, or its cycle. */
static bool list_facts_is_inner(const struct as_lister *l, uint32_t callee)
{
	const struct as_listings *ls = l->ls;
	uint32_t from = ls->table_row[l->group], to = ls->table_row[callee];

	if (callee == l->group)
		return true;
	if (!from || !to)
		return false;
	from = ls->table->key[from - 1].cycle;
	return from && from == ls->table->key[to - 1].cycle;
}

static enum as_code list_facts_call_run(struct as_lister *l, const struct as_run *run)
{
	struct as_listing *out = l->out;
	struct as_rows_cur cur;
	uint32_t row, call;

	as_rows_begin(&cur, &l->prof->call, run, l->scratch);
	while (list_facts_next_row(l, run, &cur)) {
		const as_val *cost = l->scratch + AS_CALL_COST;
		struct as_list_call *c;

		AS_TRY(list_facts_row_of(l, run, &cur, &row));
		AS_TRY(as_lister_call(
			l, row, (as_func){(uint32_t)l->scratch[AS_CALL_FUNC]}, &call));
		c = &out->call.p[call];
		c->has_count = true;
		c->inner = list_facts_is_inner(l, c->callee.i);
		c->count += l->scratch[AS_CALL_COUNT];
		as_vals_add(as_at(out->call_cost.p, (size_t)call * l->e), cost, l->e);
		if (!c->inner)
			as_vals_add(as_at(out->row_incl.p, (size_t)row * l->e), cost, l->e);
	}
	return AS_OK;
}

static bool same_jump(const struct as_list_jump *a, const struct as_list_jump *b)
{
	return a->row == b->row && a->conditional == b->conditional && a->func.i == b->func.i &&
	       a->file.i == b->file.i && a->line == b->line && a->addr == b->addr;
}

static enum as_code list_facts_add_jump(struct as_lister *l, const struct as_list_jump *jump)
{
	uint64_t pos = AS_INDEX_START;
	uint64_t hash = as_hash_mix(as_hash_mix(jump->row, jump->line), jump->addr);
	struct as_listing *out = l->out;
	uint32_t at;

	while (as_index_find(&l->jumps, hash, &pos, &at)) {
		if (!same_jump(&out->jump.p[at], jump))
			continue;
		out->jump.p[at].executed += jump->executed;
		out->jump.p[at].followed += jump->followed;
		return AS_OK;
	}
	if (out->jump.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	at = (uint32_t)out->jump.n;
	return as_memory(
		as_vec_push(l->al, &out->jump, *jump) && as_index_add(&l->jumps, hash, at));
}

static enum as_code jump_run(struct as_lister *l, const struct as_run *run)
{
	const as_val *v = l->scratch;
	struct as_rows_cur cur;

	as_rows_begin(&cur, &l->prof->jump, run, l->scratch);
	while (list_facts_next_row(l, run, &cur)) {
		struct as_list_jump jump = {
			.conditional = v[AS_JUMP_COND] != 0,
			.func = {(uint32_t)v[AS_JUMP_FUNC]},
			.file = v[AS_JUMP_FILE] ? (as_file){(uint32_t)v[AS_JUMP_FILE] - 1}
						: run->file,
			.line = (uint64_t)v[AS_JUMP_LINE],
			.addr = (uint64_t)v[AS_JUMP_ADDR],
			.executed = v[AS_JUMP_EXECUTED],
			.followed = v[AS_JUMP_FOLLOWED],
		};

		if (jump.func.i && as_lister_group(l, jump.func) == l->group)
			jump.func.i = 0;
		AS_TRY(list_facts_row_of(l, run, &cur, &jump.row));
		AS_TRY(list_facts_add_jump(l, &jump));
	}
	return AS_OK;
}

enum as_code as_lister_facts(struct as_lister *l)
{
	const struct as_profile *prof = l->prof;

	for (size_t r = 0; r < prof->self.run.n; r++)
		if (list_facts_is_ours(l, &prof->self.run.p[r]))
			AS_TRY(list_facts_self_run(l, &prof->self.run.p[r]));
	for (size_t r = 0; r < prof->call.run.n; r++)
		if (list_facts_is_ours(l, &prof->call.run.p[r]))
			AS_TRY(list_facts_call_run(l, &prof->call.run.p[r]));
	for (size_t r = 0; r < prof->jump.run.n; r++)
		if (list_facts_is_ours(l, &prof->jump.run.p[r]))
			AS_TRY(jump_run(l, &prof->jump.run.p[r]));
	return AS_OK;
}
