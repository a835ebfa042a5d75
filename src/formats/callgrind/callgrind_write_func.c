/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function's block: its rows in the order of file, address and line, equal
 * ones summed; at each position the self cost, then the calls, then the jumps.
 */
#include "formats/callgrind/callgrind_write.h"

enum { PLAIN_COSTS = 64 };

static enum as_code no_memory(struct cgw *w)
{
	return as_err_set(w->wr->err, AS_E_NOMEM, "out of memory");
}

static uint32_t width_of(const struct cgw *w, enum cgw_kind kind)
{
	uint32_t e = as_n_events(w->prof);

	return kind == CGW_SELF ? e : kind == CGW_CALL ? e + AS_CALL_COST : (uint32_t)AS_JUMP_WIDTH;
}

static const struct as_rows *rows_of(const struct cgw *w, enum cgw_kind kind)
{
	return kind == CGW_SELF   ? &w->prof->self
	       : kind == CGW_CALL ? &w->prof->call
				  : &w->prof->jump;
}

static bool load_run(struct cgw *w, const struct cgw_run *r)
{
	const struct as_rows *rows = rows_of(w, r->kind);
	const struct as_run *run = &rows->run.p[r->run];
	bool own = run->file.i == w->prof->func.file.p[run->func.i].i;
	uint32_t width = width_of(w, r->kind);
	struct as_rows_cur cur;

	as_rows_begin(&cur, rows, run, NULL);
	for (uint64_t i = 0; i < run->n; i++) {
		struct cgw_item item = {.file = own ? 0 : w->file_rank[run->file.i],
			.file_handle = run->file,
			.inl = run->inl,
			.kind = r->kind,
			.value = w->value.n};

		if (!as_vec_reserve(w->al, &w->value, w->value.n + width + 1))
			return false;
		cur.v = w->value.p + w->value.n;
		if (!as_rows_next(&cur))
			break;
		w->value.n += width;
		item.addr = cur.addr;
		item.line = cur.line;
		if (!as_vec_push(w->al, &w->item, item))
			return false;
	}
	return true;
}

static int cmp_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* The values that tell two calls or jumps at one position apart. */
static int cmp_target(const struct cgw *w, const struct cgw_item *x, const struct cgw_item *y)
{
	const as_val *a = w->value.p + x->value, *b = w->value.p + y->value;
	uint32_t from = x->kind == CGW_CALL ? AS_CALL_LINE : AS_JUMP_COND;
	uint32_t to = x->kind == CGW_CALL ? AS_CALL_ADDR : AS_JUMP_ADDR;

	if (x->kind == CGW_SELF)
		return 0;
	if (x->kind == CGW_CALL && a[AS_CALL_FUNC] != b[AS_CALL_FUNC])
		return w->func_rank[(uint32_t)a[AS_CALL_FUNC]] <
				       w->func_rank[(uint32_t)b[AS_CALL_FUNC]]
			       ? -1
			       : 1;
	for (uint32_t k = from; k <= to; k++) {
		as_val p = a[k], q = b[k];

		if (x->kind == CGW_JUMP && k == AS_JUMP_FUNC) {
			p = w->func_rank[(uint32_t)p];
			q = w->func_rank[(uint32_t)q];
		} else if (x->kind == CGW_JUMP && k == AS_JUMP_FILE) {
			p = p ? w->file_rank[(uint32_t)p - 1] : 0;
			q = q ? w->file_rank[(uint32_t)q - 1] : 0;
		}
		if (p != q)
			return p < q ? -1 : 1;
	}
	return 0;
}

int as_cgw_cmp_item(const void *ctx, uint32_t a, uint32_t b)
{
	const struct cgw *w = ctx;
	const struct cgw_item *x = &w->item.p[a], *y = &w->item.p[b];
	int c;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if ((c = cmp_u64(x->addr, y->addr)) != 0 || (c = cmp_u64(x->line, y->line)) != 0)
		return c;
	if (x->inl.i != y->inl.i)
		return w->func_rank[x->inl.i] < w->func_rank[y->inl.i] ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return cmp_target(w, x, y);
}

/* ---- lines ---- */

static char *put_hex(char *p, uint64_t v)
{
	int shift = 60;

	*p++ = '0';
	*p++ = 'x';
	while (shift && !(v >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[v >> shift & 15];
	return p;
}

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
							 : put_hex(p, addr);
		if (w->lines)
			*p++ = ' ';
	}
	if (w->lines)
		p = base && w->self_line == w->last_line ? put_relative(p, line, w->self_line)
							 : as_put_u64(p, line);
	return p;
}

static void put_position(struct cgw *w, uint64_t line, uint64_t addr)
{
	char *p = as_out_room(w->out, 64);

	w->out->n += (size_t)(put_pos(w, p, line, addr) - p);
}

/* The counts of a line, if they are all unsigned 64 bits: all but diffs and extremes are. */
static bool put_plain_costs(struct cgw *w, const as_val *v, size_t n)
{
	char *start, *p;

	if (n > PLAIN_COSTS)
		return false;
	start = p = as_out_room(w->out, PLAIN_COSTS * 21 + 1);
	for (size_t k = 0; k < n; k++) {
		as_val x = v[w->column.p[k]];

		if ((as_uval)x >> 64)
			return false;
		*p++ = ' ';
		if ((as_uval)x < 10)
			*p++ = (char)('0' + (int)x);
		else
			p = as_put_u64(p, (uint64_t)x);
	}
	*p++ = '\n';
	w->out->n += (size_t)(p - start);
	return true;
}

static enum as_code put_costs(struct cgw *w, const as_val *v)
{
	size_t n = w->column.n;

	while (!w->full_rows && n > 1 && v[w->column.p[n - 1]] == 0)
		n--;
	if (put_plain_costs(w, v, n))
		return AS_OK;
	for (size_t k = 0; k < n; k++) {
		as_val x = v[w->column.p[k]];

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

static void set_file(struct cgw *w, const struct cgw_item *item)
{
	if (w->file.i != item->file_handle.i) {
		as_cgw_file(w, item->file ? "fi=" : "fe=", item->file_handle);
		w->file = item->file_handle;
	}
	if (w->inl.i != item->inl.i) {
		w->inl = item->inl;
		if (w->inl.i)
			as_out_printf(
				w->out, "cfni=%.*s\n", AS_SLICE_FMT(as_func_name(w->prof, w->inl)));
		else
			as_out_text(w->out, "cfni=???\n");
	}
}

static enum as_code put_self(struct cgw *w, const struct cgw_item *item, const as_val *v)
{
	put_position(w, item->line, item->addr);
	w->self_line = w->last_line = item->line;
	w->self_addr = w->last_addr = item->addr;
	w->have_base = true;
	return put_costs(w, v);
}

/*
 * callgrind_annotate takes "calls=0" for "no call" and its cost for self cost,
 * so the count is written as 1 behind a comment that our reader understands.
 */
static enum as_code put_call(struct cgw *w, const struct cgw_item *item, const as_val *v)
{
	const struct as_profile *prof = w->prof;
	as_func callee = {(uint32_t)v[AS_CALL_FUNC]};
	as_object object = prof->func.object.p[callee.i];
	as_file file = prof->func.file.p[callee.i];

	if (object.i != prof->func.object.p[w->func.i].i)
		as_cgw_object(w, "cob=", object);
	if (file.i != w->file.i || w->file.i != prof->func.file.p[w->func.i].i)
		as_cgw_file(w, "cfi=", file);
	as_cgw_func_name(w, "cfn=", callee);
	if (v[AS_CALL_COUNT] == 0)
		as_out_text(w->out, "# calls=0\n");
	as_out_text(w->out, "calls=");
	as_out_val(w->out, v[AS_CALL_COUNT] ? v[AS_CALL_COUNT] : 1);
	as_out_char(w->out, ' ');
	put_position(w, (uint64_t)v[AS_CALL_LINE], (uint64_t)v[AS_CALL_ADDR]);
	as_out_char(w->out, '\n');
	put_position(w, item->line, item->addr);
	w->last_line = item->line;
	w->last_addr = item->addr;
	return put_costs(w, v + AS_CALL_COST);
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
	put_position(w, (uint64_t)v[AS_JUMP_LINE], (uint64_t)v[AS_JUMP_ADDR]);
	as_out_char(w->out, '\n');
	put_position(w, item->line, item->addr);
	as_out_char(w->out, '\n');
	w->last_line = item->line;
	w->last_addr = item->addr;
}

/* Add the values of rows that stand at the same place into the first of them. */
static void add_up(struct cgw *w, const struct cgw_item *to, const struct cgw_item *from)
{
	as_val *a = w->value.p + to->value;
	const as_val *b = w->value.p + from->value;
	uint32_t first = to->kind == CGW_SELF   ? 0
			 : to->kind == CGW_CALL ? AS_CALL_COUNT
						: AS_JUMP_EXECUTED;

	for (uint32_t k = first; k < width_of(w, to->kind); k++)
		a[k] += b[k];
}

/* Places that agree in the packed key, or cannot have one, are compared. */
static bool same_place(const struct cgw *w, size_t i, size_t next)
{
	const struct cgw_item *x = &w->item.p[w->order.p[i]], *y = &w->item.p[w->order.p[next]];

	return x->line == y->line && x->addr == y->addr && x->kind == y->kind &&
	       as_cgw_cmp_item(w, w->order.p[i], w->order.p[next]) == 0;
}

static enum as_code put_item(struct cgw *w, const struct cgw_item *item)
{
	const as_val *v = w->value.p + item->value;

	set_file(w, item);
	if (item->kind == CGW_SELF)
		return put_self(w, item, v);
	if (item->kind == CGW_CALL)
		return put_call(w, item, v);
	put_jump(w, item, v);
	return AS_OK;
}

static void put_head(struct cgw *w)
{
	as_object object = w->prof->func.object.p[w->func.i];
	as_file file = w->prof->func.file.p[w->func.i];

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
	w->func.i = w->func_order[w->run.p[w->run_order[from]].rank - 1];
	w->item.n = w->value.n = 0;
	for (size_t i = from; i < to; i++)
		if (!load_run(w, &w->run.p[w->run_order[i]]))
			return no_memory(w);
	if (!as_cgw_sort_items(w))
		return no_memory(w);
	put_head(w);
	for (size_t i = 0; i < w->order.n;) {
		const struct cgw_item *item = &w->item.p[w->order.p[i]];
		size_t next = i + 1;

		for (; next < w->order.n && same_place(w, i, next); next++)
			add_up(w, item, &w->item.p[w->order.p[next]]);
		AS_TRY(put_item(w, item));
		i = next;
	}
	if (w->file.i != w->prof->func.file.p[w->func.i].i) {
		w->file = w->prof->func.file.p[w->func.i];
		as_cgw_file(w, "fe=", w->file);
	}
	as_out_char(w->out, '\n');
	return AS_OK;
}
