/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function's block: its rows in the order of file, address and line, equal
 * ones summed; at each position the self cost, then the calls, then the jumps.
 */
#include "formats/callgrind/callgrind_write.h"

enum {
	PLAIN_COSTS = 64,
	POSITIONS = 2 * AS_OUT_NUM + 1,             /* bytes of the positions of a line */
	COSTS = PLAIN_COSTS * (AS_OUT_NUM + 1) + 1, /* and of its plain costs */
};

static enum as_code no_memory(struct cgw *w)
{
	return as_err_set(w->wr->err, AS_E_NOMEM, "out of memory");
}

/* ---- rows ---- */

static void widen(struct cgw *w, const struct cgw_item *it)
{
	w->low.addr = it->addr < w->low.addr ? it->addr : w->low.addr;
	w->low.line = it->line < w->low.line ? it->line : w->low.line;
	w->high.addr = it->addr > w->high.addr ? it->addr : w->high.addr;
	w->high.line = it->line > w->high.line ? it->line : w->high.line;
}

/* The rows of CUR become items, their values go to the end of w->value. There is room for the
 * items. */
static bool load_rows(struct cgw *w, struct as_rows_cur *cur, enum cgw_kind kind)
{
	struct cgw_item *it = w->item.p + w->item.n, *end = it + cur->left;
	uint32_t width = cur->rows->width;

	for (; it < end; it++) {
		if (!as_vec_reserve(w->al, &w->value, w->value.n + width + 1))
			return false;
		cur->v = w->value.p + w->value.n;
		/* Of calls and jumps all values are looked at. */
		if (kind == CGW_SELF ? !as_rows_next_short(cur) : !as_rows_next(cur))
			return true;
		if (kind == CGW_CALL)
			AS_PREFETCH(&w->func_row[(uint32_t)cur->v[AS_CALL_FUNC]]);
		*it = (struct cgw_item){.addr = cur->addr,
			.line = cur->line,
			.value = w->value.n,
			.n = kind == CGW_SELF ? cur->n : width,
			.run = (uint32_t)w->run.n - 1};
		widen(w, it);
		w->value.n += it->n;
		w->item.n++;
	}
	return true;
}

static bool load_run(struct cgw *w, uint32_t r)
{
	const struct as_rows *rows;
	enum cgw_kind kind;
	const struct as_run *run = as_cgw_run(w, r, &rows, &kind);
	bool own = run->file.i == w->func_row[run->func.i].file.i;
	struct cgw_run row = {.file = own ? 0 : w->file_rank[run->file.i],
		.file_handle = run->file,
		.inl = run->inl,
		.kind = kind};
	struct as_rows_cur cur;

	if (!as_vec_push(w->al, &w->run, row) || w->run.n > UINT32_MAX ||
		run->n > UINT32_MAX - w->item.n ||
		!as_vec_reserve(w->al, &w->item, w->item.n + (size_t)run->n))
		return false;
	as_rows_begin(&cur, rows, run, NULL);
	return load_rows(w, &cur, kind);
}

/* ---- lines ---- */

static char *put_relative(char *p, uint64_t v, uint64_t base)
{
	if (v == base) {
		*p++ = '*';
		return p;
	}
	*p++ = v > base ? '+' : '-';
	return as_put_u64(p, v > base ? v - base : base - v);
}

/*
 * A position. Relative only where every reader agrees: valgrind counts from the
 * last self cost line, most readers from the last position line of any kind.
 */
static char *put_pos(const struct cgw *w, char *p, uint64_t line, uint64_t addr)
{
	bool base = w->relative && w->have_base;

	if (w->instr) {
		p = base && w->self_addr == w->last_addr ? put_relative(p, addr, w->self_addr)
							 : as_put_hex(p, addr);
		if (w->lines)
			*p++ = ' ';
	}
	if (w->lines)
		p = base && w->self_line == w->last_line ? put_relative(p, line, w->self_line)
							 : as_put_u64(p, line);
	return p;
}

/* The cost of column K out of N values; the values behind them are zero. */
static inline as_val cost_at(const struct cgw *w, const as_val *v, uint32_t n, size_t k)
{
	uint32_t event = w->column.p[k];

	return event < n ? v[event] : 0;
}

/* How many costs a line has: zeros at its end are left out, but for the first. */
static size_t costs_of_line(const struct cgw *w, const as_val *v, uint32_t n)
{
	size_t m = w->column.n;

	if (w->full_rows)
		return m;
	if (w->all_columns && m > n)
		m = n ? n : 1;
	while (m > 1 && cost_at(w, v, n, m - 1) == 0)
		m--;
	return m;
}

/* The M costs of a line at P, if they are all unsigned 64 bits: all but diffs and extremes are.
 * Returns the end, or NULL. */
static inline char *put_plain_costs(
	const struct cgw *w, char *p, const as_val *v, uint32_t n, size_t m)
{
	for (size_t k = 0; k < m; k++) {
		as_uval x = (as_uval)cost_at(w, v, n, k);

		if (AS_UNLIKELY(x >> 64))
			return NULL;
		*p++ = ' ';
		if (x < 10)
			*p++ = (char)('0' + (int)x);
		else
			p = as_put_u64(p, (uint64_t)x);
	}
	*p++ = '\n';
	return p;
}

static enum as_code put_any_costs(struct cgw *w, const as_val *v, uint32_t n, size_t m)
{
	for (size_t k = 0; k < m; k++) {
		as_val x = cost_at(w, v, n, k);

		as_out_char(w->out, ' ');
		if (x > (as_val)UINT64_MAX || x < (as_val)INT64_MIN) {
			char text[AS_VAL_TEXT];

			return as_err_set(w->wr->err, AS_E_LIMIT,
				"a cost of %s does not fit the 64 bits of the callgrind format",
				as_val_text(x, text));
		}
		as_out_val(w->out, x);
	}
	as_out_char(w->out, '\n');
	return AS_OK;
}

/* A line with the position of ITEM and N values as its costs. */
static enum as_code put_line(
	struct cgw *w, const struct cgw_item *item, const as_val *v, uint32_t n)
{
	size_t m = costs_of_line(w, v, n);
	char *p = as_out_room(w->out, POSITIONS + COSTS), *end = NULL;

	p = put_pos(w, p, item->line, item->addr);
	w->last_line = item->line;
	w->last_addr = item->addr;
	if (AS_LIKELY(m <= PLAIN_COSTS))
		end = put_plain_costs(w, p, v, n, m);
	w->out->n = (size_t)((end ? end : p) - w->out->buf);
	return AS_LIKELY(end) ? AS_OK : put_any_costs(w, v, n, m);
}

/* The position that a call or a jump goes to. */
static void put_target(struct cgw *w, uint64_t line, uint64_t addr)
{
	char *p = as_out_room(w->out, POSITIONS + 1);

	p = put_pos(w, p, line, addr);
	*p++ = '\n';
	w->out->n = (size_t)(p - w->out->buf);
}

static void set_file(struct cgw *w, const struct cgw_run *run)
{
	if (w->file.i != run->file_handle.i) {
		as_cgw_file(w, run->file ? "fi=" : "fe=", run->file_handle);
		w->file = run->file_handle;
	}
	if (w->inl.i != run->inl.i) {
		w->inl = run->inl;
		if (w->inl.i)
			as_out_printf(
				w->out, "cfni=%.*s\n", AS_SLICE_FMT(as_func_name(w->prof, w->inl)));
		else
			as_out_text(w->out, "cfni=???\n");
	}
}

static enum as_code put_self(struct cgw *w, const struct cgw_item *item, const as_val *v)
{
	enum as_code rc = put_line(w, item, v, item->n);

	w->self_line = item->line;
	w->self_addr = item->addr;
	w->have_base = true;
	return rc;
}

/*
 * callgrind_annotate takes "calls=0" for "no call" and its cost for self cost,
 * so the count is written as 1 behind a comment that our reader understands.
 */
static enum as_code put_call(struct cgw *w, const struct cgw_item *item, const as_val *v)
{
	as_func callee = {(uint32_t)v[AS_CALL_FUNC]};
	const struct cgw_func *from = &w->func_row[w->func.i], *to = &w->func_row[callee.i];

	if (to->object.i != from->object.i)
		as_cgw_object(w, "cob=", to->object);
	if (to->file.i != w->file.i || w->file.i != from->file.i)
		as_cgw_file(w, "cfi=", to->file);
	as_cgw_func_name(w, "cfn=", callee);
	if (v[AS_CALL_COUNT] == 0)
		as_out_text(w->out, "# calls=0\n");
	as_out_text(w->out, "calls=");
	as_out_val(w->out, v[AS_CALL_COUNT] ? v[AS_CALL_COUNT] : 1);
	as_out_char(w->out, ' ');
	put_target(w, (uint64_t)v[AS_CALL_LINE], (uint64_t)v[AS_CALL_ADDR]);
	return put_line(w, item, v + AS_CALL_COST, item->n - AS_CALL_COST);
}

static void put_jump(struct cgw *w, const struct cgw_item *item, const as_val *v)
{
	if (v[AS_JUMP_FILE])
		as_cgw_file(w, "jfi=", (as_file){(uint32_t)v[AS_JUMP_FILE] - 1});
	if (v[AS_JUMP_FUNC])
		as_cgw_func_name(w, "jfn=", (as_func){(uint32_t)v[AS_JUMP_FUNC]});
	if (v[AS_JUMP_COND]) {
		as_out_text(w->out, "jcnd=");
		as_out_val(w->out, v[AS_JUMP_FOLLOWED]);
		as_out_char(w->out, '/');
		as_out_val(w->out, v[AS_JUMP_EXECUTED]);
	} else {
		as_out_text(w->out, "jump=");
		as_out_val(w->out, v[AS_JUMP_EXECUTED]);
	}
	as_out_char(w->out, ' ');
	put_target(w, (uint64_t)v[AS_JUMP_LINE], (uint64_t)v[AS_JUMP_ADDR]);
	put_target(w, item->line, item->addr);
	w->last_line = item->line;
	w->last_addr = item->addr;
}

/* Add the values of a row that stands at the same place to those of TO. */
static void add_up(struct cgw *w, struct cgw_item *to, struct cgw_item *from)
{
	static const uint32_t first[CGW_KINDS] = {
		[CGW_CALL] = AS_CALL_COUNT, [CGW_JUMP] = AS_JUMP_EXECUTED};
	as_val *a, *b;
	struct cgw_item shorter = *from;

	if (from->n > to->n) {
		shorter = *to;
		to->value = from->value;
		to->n = from->n;
	}
	a = w->value.p + to->value;
	b = w->value.p + shorter.value;
	for (uint32_t k = first[w->run.p[to->run].kind]; k < shorter.n; k++)
		a[k] += b[k];
}

static bool same_place(const struct cgw *w, size_t i, size_t next)
{
	if (w->packed && (w->key.p[i] ^ w->key.p[next]) >> w->key_skip)
		return false;
	return as_cgw_cmp_item(w, w->order.p[i], w->order.p[next]) == 0;
}

static enum as_code put_item(struct cgw *w, const struct cgw_item *item)
{
	const struct cgw_run *run = &w->run.p[item->run];
	const as_val *v = w->value.p + item->value;

	set_file(w, run);
	if (run->kind == CGW_SELF)
		return put_self(w, item, v);
	if (run->kind == CGW_CALL)
		return put_call(w, item, v);
	put_jump(w, item, v);
	return AS_OK;
}

static void put_head(struct cgw *w)
{
	as_object object = w->func_row[w->func.i].object;
	as_file file = w->func_row[w->func.i].file;

	/* A part begins with the object unknown. */
	if (w->object.i != object.i)
		as_cgw_object(w, "ob=", object);
	if (!w->have_file || w->file.i != file.i)
		as_cgw_file(w, "fl=", file);
	as_cgw_func_name(w, "fn=", w->func);
	w->object = object;
	w->file = file;
	w->have_file = true;
	w->inl.i = 0;
	w->have_base = false;
}

enum as_code as_cgw_func(struct cgw *w, size_t from, size_t to)
{
	w->run.n = w->item.n = w->value.n = 0;
	w->low = (struct as_pos){.line = UINT64_MAX, .addr = UINT64_MAX};
	w->high = (struct as_pos){0};
	for (size_t i = from; i < to; i++)
		if (!load_run(w, w->run_order[i]))
			return no_memory(w);
	if (!as_cgw_sort_items(w))
		return no_memory(w);
	put_head(w);
	for (size_t i = 0; i < w->order.n;) {
		struct cgw_item *item = &w->item.p[w->order.p[i]];
		size_t next = i + 1;

		for (; next < w->order.n && same_place(w, i, next); next++)
			add_up(w, item, &w->item.p[w->order.p[next]]);
		AS_TRY(put_item(w, item));
		i = next;
	}
	if (w->file.i != w->func_row[w->func.i].file.i) {
		w->file = w->func_row[w->func.i].file;
		as_cgw_file(w, "fe=", w->file);
	}
	as_out_char(w->out, '\n');
	return AS_OK;
}
