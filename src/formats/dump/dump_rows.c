/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Self, call and jump rows. They come in runs that share part and function; the runs are brought
 * into the order of their functions, and the rows of one function at a time are gathered, sorted,
 * summed and printed, so that memory is bounded by the largest function.
 */
#include "formats/dump/dump.h"

/* Columns of a row's key; all are ranks or numbers, so that a key is compared without the model.
 * The target's columns are there for calls and jumps only. */
enum {
	KEY_FILE,
	KEY_LINE,
	KEY_ADDR,
	KEY_INL,
	KEY_SELF_WIDTH,
	KEY_TO_FUNC = KEY_SELF_WIDTH,
	KEY_TO_LINE,
	KEY_TO_ADDR,
	KEY_CALL_WIDTH,
	KEY_TO_FILE = KEY_CALL_WIDTH, /* + 1; 0 = the same file */
	KEY_COND,
	KEY_JUMP_WIDTH,
};

struct group {
	struct dump *d;
	const struct as_rows *rows;
	uint32_t n_keys, n_values;
	uint32_t part;
	as_func func;
	AS_VEC(uint64_t) key;   /* n_keys a row */
	AS_VEC(as_val) value;   /* n_values a row: what is summed */
	AS_VEC(uint32_t) order; /* of the rows */
	/* Splits a row's values into the rest of the key and what is summed; NULL: all is that. */
	void (*take)(struct group *g, const struct as_rows_cur *cur, uint64_t *key, as_val *value);
	void (*print)(struct group *g, const uint64_t *key, const as_val *value);
};

static struct as_pos dump_rows_site(const struct group *g, const uint64_t *key)
{
	return (struct as_pos){
		g->func, {g->d->file.at[key[KEY_FILE]]}, key[KEY_LINE], key[KEY_ADDR], false};
}

static void print_site(struct group *g, const char *word, const uint64_t *key)
{
	const struct as_profile *prof = g->d->prof;
	struct as_pos pos = dump_rows_site(g, key);
	as_func inl = {g->d->func.at[key[KEY_INL]]};

	as_out_text(g->d->out, word);
	as_out_char(g->d->out, ' ');
	as_out_u64(g->d->out, g->d->labels.rank[g->part]);
	as_dump_pos(g->d, &pos);
	as_dump_field(g->d, "inl", as_func_name(prof, inl));
	as_dump_field(g->d, "inl-fl", as_file_path(prof, prof->func.file.p[inl.i]));
}

static void print_self(struct group *g, const uint64_t *key, const as_val *value)
{
	print_site(g, "self", key);
	as_out_char(g->d->out, ':');
	as_dump_values(g->d, value, g->n_values);
}

static void take_call(struct group *g, const struct as_rows_cur *cur, uint64_t *key, as_val *value)
{
	key[KEY_TO_FUNC] = g->d->func.rank[cur->v[AS_CALL_FUNC]];
	key[KEY_TO_LINE] = (uint64_t)cur->v[AS_CALL_LINE];
	key[KEY_TO_ADDR] = (uint64_t)cur->v[AS_CALL_ADDR];
	memcpy(value, cur->v + AS_CALL_COUNT, g->n_values * sizeof(*value));
}

static void print_call(struct group *g, const uint64_t *key, const as_val *value)
{
	as_func callee = {g->d->func.at[key[KEY_TO_FUNC]]};
	struct as_pos to = {callee, g->d->prof->func.file.p[callee.i], key[KEY_TO_LINE],
		key[KEY_TO_ADDR], false};

	print_site(g, "call", key);
	as_out_text(g->d->out, " ->");
	as_dump_pos(g->d, &to);
	as_out_text(g->d->out, " count=");
	as_out_val(g->d->out, value[0]);
	as_out_char(g->d->out, ':');
	as_dump_values(g->d, value + 1, g->n_values - 1);
}

static void take_jump(struct group *g, const struct as_rows_cur *cur, uint64_t *key, as_val *value)
{
	const as_val *v = cur->v;
	uint32_t func = v[AS_JUMP_FUNC] ? (uint32_t)v[AS_JUMP_FUNC] : g->func.i;

	/* "The same function" and "the same file" may be said in two ways each. */
	key[KEY_TO_FUNC] = g->d->func.rank[func];
	key[KEY_TO_FILE] = 0;
	if (v[AS_JUMP_FILE] && g->d->file.rank[v[AS_JUMP_FILE] - 1] != key[KEY_FILE])
		key[KEY_TO_FILE] = (uint64_t)g->d->file.rank[v[AS_JUMP_FILE] - 1] + 1;
	key[KEY_TO_LINE] = (uint64_t)v[AS_JUMP_LINE];
	key[KEY_TO_ADDR] = (uint64_t)v[AS_JUMP_ADDR];
	key[KEY_COND] = v[AS_JUMP_COND] != 0;
	value[0] = v[AS_JUMP_EXECUTED];
	value[1] = v[AS_JUMP_FOLLOWED];
}

static void print_jump(struct group *g, const uint64_t *key, const as_val *value)
{
	as_func func = {g->d->func.at[key[KEY_TO_FUNC]]};
	as_file file = g->d->prof->func.file.p[func.i];
	struct as_pos to = {{0}, {0}, key[KEY_TO_LINE], key[KEY_TO_ADDR], false};

	print_site(g, key[KEY_COND] ? "jcnd" : "jump", key);
	as_out_text(g->d->out, " ->");
	if (func.i != g->func.i) {
		to.func = func;
		to.file = file;
	}
	if (key[KEY_TO_FILE])
		to.file.i = g->d->file.at[key[KEY_TO_FILE] - 1];
	as_dump_pos(g->d, &to);
	as_out_text(g->d->out, ": ");
	as_out_val(g->d->out, value[0]);
	as_dump_values(g->d, value + 1, 1);
}

static int dump_rows_cmp_key(const void *ctx, uint32_t a, uint32_t b)
{
	const struct group *g = ctx;
	const uint64_t *x = g->key.p + (size_t)a * g->n_keys;
	const uint64_t *y = g->key.p + (size_t)b * g->n_keys;

	for (uint32_t k = 0; k < g->n_keys; k++)
		if (x[k] != y[k])
			return x[k] < y[k] ? -1 : 1;
	return 0;
}

static int cmp_run(const void *ctx, uint32_t a, uint32_t b)
{
	const struct group *g = ctx;
	const struct as_run *x = &g->rows->run.p[a], *y = &g->rows->run.p[b];
	uint32_t fx = g->d->func.rank[x->func.i], fy = g->d->func.rank[y->func.i];

	if (x->part != y->part)
		return g->d->labels.rank[x->part] < g->d->labels.rank[y->part] ? -1 : 1;
	return (fx > fy) - (fx < fy);
}

static bool gather_run(struct group *g, const struct as_run *run, as_val *v)
{
	const struct as_alloc *al = g->d->al;
	struct as_rows_cur cur;

	as_rows_begin(&cur, g->rows, run, v);
	while (as_rows_next(&cur)) {
		uint32_t row = (uint32_t)g->order.n;
		uint64_t *key;

		if (g->order.n >= UINT32_MAX - 1 ||
			!as_vec_reserve(al, &g->key, g->key.n + g->n_keys) ||
			!as_vec_reserve(al, &g->value, g->value.n + g->n_values) ||
			!as_vec_push(al, &g->order, row))
			return false;
		key = g->key.p + g->key.n;
		key[KEY_FILE] = g->d->file.rank[run->file.i];
		key[KEY_LINE] = cur.line;
		key[KEY_ADDR] = cur.addr;
		key[KEY_INL] = g->d->func.rank[run->inl.i];
		if (g->take)
			g->take(g, &cur, key, g->value.p + g->value.n);
		else
			memcpy(g->value.p + g->value.n, v, g->n_values * sizeof(*v));
		g->key.n += g->n_keys;
		g->value.n += g->n_values;
	}
	return true;
}

/* Sort and print what was gathered; equal rows become one. */
static bool dump_rows_print_group(struct group *g)
{
	size_t n = g->order.n;
	const uint32_t *order = g->order.p;

	if (!as_sort_rows(g->d->al, g->order.p, n, dump_rows_cmp_key, g))
		return false;
	for (size_t i = 0; i < n;) {
		as_val *sum = g->value.p + (size_t)order[i] * g->n_values;
		uint32_t first = order[i];

		for (i++; i < n && dump_rows_cmp_key(g, first, order[i]) == 0; i++)
			as_vals_add(sum, g->value.p + (size_t)order[i] * g->n_values, g->n_values);
		g->print(g, g->key.p + (size_t)first * g->n_keys, sum);
	}
	g->key.n = g->value.n = g->order.n = 0;
	return true;
}

static bool print_runs(struct group *g, const uint32_t *run_at, size_t n, as_val *v)
{
	for (size_t i = 0; i < n;) {
		const struct as_run *run = &g->rows->run.p[run_at[i]];
		size_t first = i;

		g->part = run->part;
		g->func = run->func;
		for (; i < n && cmp_run(g, run_at[first], run_at[i]) == 0; i++)
			if (!gather_run(g, &g->rows->run.p[run_at[i]], v))
				return false;
		if (!dump_rows_print_group(g))
			return false;
	}
	return true;
}

static bool print_table(struct group *g)
{
	const struct as_alloc *al = g->d->al;
	uint32_t *runs;
	as_val *v;

	if (!g->rows->n)
		return true;
	runs = as_sorted_rows(al, g->rows->run.n, cmp_run, g);
	return runs && as_alloc_array(al, &v, g->rows->width) &&
	       print_runs(g, runs, g->rows->run.n, v);
}

enum as_code as_dump_rows(struct dump *d)
{
	const struct as_profile *prof = d->prof;
	uint32_t events = as_n_events(prof);
	struct group self = {.d = d,
		.rows = &prof->self,
		.n_keys = KEY_SELF_WIDTH,
		.n_values = events,

		.print = print_self};
	struct group call = {.d = d,
		.rows = &prof->call,
		.n_keys = KEY_CALL_WIDTH,
		.n_values = events + 1,
		.take = take_call,
		.print = print_call};
	struct group jump = {.d = d,
		.rows = &prof->jump,
		.n_keys = KEY_JUMP_WIDTH,
		.n_values = 2,
		.take = take_jump,
		.print = print_jump};

	if (print_table(&self) && print_table(&call) && print_table(&jump))
		return AS_OK;
	return as_err_no_memory(d->err);
}
