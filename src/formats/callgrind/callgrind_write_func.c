/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function's block: its rows in the order of file, address and line, equal
 * ones summed; at each position the self cost, then the calls, then the jumps.
 */
#include "formats/callgrind/callgrind_write.h"

enum {
	PACKED_COSTS = 64,
	POSITIONS = 2 * (AS_OUT_NUM + 1) + 1,        /* bytes of the positions of a line */
	COSTS = PACKED_COSTS * (AS_OUT_NUM + 1) + 1, /* and of its packed costs */
};

/* ---- lines ---- */

/* "+4", "-4" or "*". Which of them cannot be guessed, so there is no branch on it. */
static inline char *put_relative(char *p, uint64_t v, uint64_t base)
{
	uint64_t d = v < base ? base - v : v - base;

	*p = (char)('*' + (d != 0) + 2 * (v < base));
	return as_put_u64(p + 1, d) - (d == 0);
}

/* The same where instructions follow one another: nearly always a digit. */
static inline char *put_near(char *p, uint64_t v, uint64_t base)
{
	uint64_t d = v - base;

	if (AS_UNLIKELY(d - 1 >= 9))
		return put_relative(p, v, base);
	*p++ = '+';
	*p++ = (char)('0' + (int)d);
	return p;
}

/*
 * A position. Relative only where every reader agrees: valgrind counts from the
 * last self cost line, most readers from the last position line of any kind.
 */
static char *put_pos(const struct cgw_block *b, char *p, uint64_t line, uint64_t addr)
{
	const struct cgw *w = b->w;
	bool base = w->relative && b->have_base;

	if (w->instr) {
		p = base && b->self_addr == b->last_addr ? put_relative(p, addr, b->self_addr)
							 : as_put_hex(p, addr);
		if (w->lines)
			*p++ = ' ';
	}
	if (w->lines)
		p = base && b->self_line == b->last_line ? put_relative(p, line, b->self_line)
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

	while (m > 1 && !w->full_rows && cost_at(w, v, n, m - 1) == 0)
		m--;
	return m;
}

/* A line with the position of ITEM and N values as its costs. */
static enum as_code cg_func_put_line(
	struct cgw_block *b, const struct as_rows_packed *item, const as_val *v, uint32_t n)
{
	char *p = as_out_room(&b->text.out, POSITIONS);
	size_t m = costs_of_line(b->w, v, n);

	b->text.out.n = (size_t)(put_pos(b, p, item->line, item->addr) - b->text.out.buf);
	b->last_line = item->line;
	b->last_addr = item->addr;
	for (size_t k = 0; k < m; k++) {
		as_val x = cost_at(b->w, v, n, k);

		as_out_char(&b->text.out, ' ');
		if (x > (as_val)UINT64_MAX || x < (as_val)INT64_MIN) {
			b->too_large = x;
			return AS_E_LIMIT;
		}
		as_out_val(&b->text.out, x);
	}
	as_out_char(&b->text.out, '\n');
	return AS_OK;
}

/* The position that a call or a jump goes to. */
static void put_target(struct cgw_block *b, uint64_t line, uint64_t addr)
{
	char *p = as_out_room(&b->text.out, POSITIONS + 1);

	p = put_pos(b, p, line, addr);
	*p++ = '\n';
	b->text.out.n = (size_t)(p - b->text.out.buf);
}

/* ---- rows ---- */

static void cg_func_set_file(struct cgw_block *b, const struct cgw_run *run)
{
	as_file file = run->run->file;
	as_func inl = run->run->inl;

	if (b->file.i != file.i) {
		as_cgw_name(b, run->file ? CGW_FI : CGW_FE, file.i);
		b->file = file;
	}
	if (b->inl.i != inl.i) {
		b->inl = inl;
		if (inl.i)
			as_cgw_name(b, CGW_CFNI, inl.i);
		else
			as_out_text(&b->text.out, "cfni=???\n");
	}
}

static enum as_code put_self(struct cgw_block *b, struct as_rows_packed *item)
{
	size_t n = b->value.n;
	enum as_code rc;

	if (!as_cgw_spill(b, item))
		return AS_E_NOMEM;
	rc = cg_func_put_line(b, item, b->value.p + item->value, item->n);
	b->value.n = n;
	b->self_line = item->line;
	b->self_addr = item->addr;
	b->have_base = true;
	return rc;
}

/*
 * callgrind_annotate takes "calls=0" for "no call" and its cost for self cost,
 * so the count is written as 1 behind a comment that our reader understands.
 */
static void cg_func_put_count(struct cgw_block *b, as_val count)
{
	static const char key[] = "calls=";
	char *p;

	if (count == 0)
		as_out_text(&b->text.out, "# calls=0\n");
	p = as_out_room(&b->text.out, sizeof(key) + AS_OUT_NUM);
	memcpy(p, key, sizeof(key) - 1);
	p += sizeof(key) - 1;
	if (AS_LIKELY((as_uval)count <= UINT64_MAX))
		p = as_put_u64(p, count ? (uint64_t)count : 1);
	b->text.out.n = (size_t)(p - b->text.out.buf);
	if (AS_UNLIKELY((as_uval)count > UINT64_MAX))
		as_out_val(&b->text.out, count);
	as_out_char(&b->text.out, ' ');
}

static enum as_code cg_func_put_call(struct cgw_block *b, const struct as_rows_packed *item)
{
	const as_val *v = b->value.p + item->value;
	as_func callee = {(uint32_t)v[AS_CALL_FUNC]};
	const struct cgw_func *from = &b->w->func_row[b->func.i];
	const struct cgw_func *to = &b->w->func_row[callee.i];

	if (to->object.i != from->object.i)
		as_cgw_name(b, CGW_COB, to->object.i);
	if (to->file.i != b->file.i || b->file.i != from->file.i)
		as_cgw_name(b, CGW_CFI, to->file.i);
	as_cgw_name(b, CGW_CFN, callee.i);
	cg_func_put_count(b, v[AS_CALL_COUNT]);
	put_target(b, (uint64_t)v[AS_CALL_LINE], (uint64_t)v[AS_CALL_ADDR]);
	return cg_func_put_line(b, item, v + AS_CALL_COST, item->n - AS_CALL_COST);
}

/* Readers take the function for one of the caller's object and of the file that the jump names.
 * Where it is not, comments say so, which our reader understands. */
static void put_jump_func(struct cgw_block *b, as_func func, as_file file)
{
	const struct cgw_func *from = &b->w->func_row[b->func.i], *to = &b->w->func_row[func.i];

	if (to->object.i != from->object.i)
		as_cgw_name(b, CGW_JOB, to->object.i);
	if (to->file.i != file.i)
		as_cgw_name(b, CGW_JFL, to->file.i);
	as_cgw_name(b, CGW_JFN, func.i);
}

static void put_jump(struct cgw_block *b, const struct as_rows_packed *item)
{
	const as_val *v = b->value.p + item->value;
	as_file file = b->file;

	if (v[AS_JUMP_FILE]) {
		file.i = (uint32_t)v[AS_JUMP_FILE] - 1;
		as_cgw_name(b, CGW_JFI, file.i);
	}
	if (v[AS_JUMP_FUNC])
		put_jump_func(b, (as_func){(uint32_t)v[AS_JUMP_FUNC]}, file);
	if (v[AS_JUMP_COND]) {
		as_out_text(&b->text.out, "jcnd=");
		as_out_val(&b->text.out, v[AS_JUMP_FOLLOWED]);
		as_out_char(&b->text.out, '/');
		as_out_val(&b->text.out, v[AS_JUMP_EXECUTED]);
	} else {
		as_out_text(&b->text.out, "jump=");
		as_out_val(&b->text.out, v[AS_JUMP_EXECUTED]);
	}
	as_out_char(&b->text.out, ' ');
	put_target(b, (uint64_t)v[AS_JUMP_LINE], (uint64_t)v[AS_JUMP_ADDR]);
	put_target(b, item->line, item->addr);
	b->last_line = item->line;
	b->last_addr = item->addr;
}

static enum as_code put_item(struct cgw_block *b, struct as_rows_packed *item)
{
	const struct cgw_run *run = &b->run.p[item->tag];

	cg_func_set_file(b, run);
	if (run->kind == CGW_SELF)
		return put_self(b, item);
	if (run->kind == CGW_CALL)
		return cg_func_put_call(b, item);
	put_jump(b, item);
	return AS_OK;
}

static enum cgw_kind cg_func_kind_of(const struct cgw_block *b, size_t i)
{
	return b->run.p[b->item.p[b->key.p[i] & b->key_item].tag].kind;
}

/* The rows that stand where key *I says, as one; *I becomes the first key behind them. */
static enum as_code put_place(struct cgw_block *b, size_t *i)
{
	struct as_rows_packed *item;
	size_t at = *i;

	if (at >= b->tied && cg_func_kind_of(b, at) != CGW_SELF && !as_cgw_sort_targets(b, at))
		return AS_E_NOMEM;
	item = &b->item.p[b->key.p[at] & b->key_item];
	while (++*i < b->item.n && as_cgw_same_place(b, at, *i))
		if (!as_cgw_add_up(b, item, &b->item.p[b->key.p[*i] & b->key_item]))
			return AS_E_NOMEM;
	return put_item(b, item);
}

/* ---- many rows ---- */

/* The costs of ITEM at P, up to the last that is not zero, if they are packed; else NULL. */
static inline char *put_packed_costs(
	const struct cgw_block *b, char *p, const struct as_rows_packed *item)
{
	const uint8_t *v = item->packed;
	uint32_t n = item->n & ~AS_ROWS_PACKED;
	char *end = NULL;
	uint64_t x;

	if (AS_UNLIKELY(n == item->n))
		return NULL;
	if (AS_UNLIKELY(n > b->w->column.n))
		n = (uint32_t)b->w->column.n;
	for (; n; n--) {
		x = *v;
		if (x < CGW_FEW) {
			memcpy(p, b->w->cost[x], sizeof(b->w->cost[x]));
			p += 2 + (x >= 10) + (x >= 100);
			v++;
		} else {
			v = as_varint_get(v, &x);
			if (AS_UNLIKELY(!v))
				return NULL;
			*p++ = ' ';
			p = as_put_u64(p, x);
		}
		end = x || !end ? p : end;
	}
	*end++ = '\n';
	return end;
}

/* The cost at P of the place that key *I says, if it is plain; else NULL. *I becomes the last key
 * of it. */
static inline __attribute__((always_inline)) char *put_place_cost(
	const struct cgw_block *b, char *p, size_t *i)
{
	const uint64_t *key = b->key.p;
	const struct as_rows_packed *item = &b->item.p[key[*i] & b->key_item];
	uint64_t sum = item->value;

	if (item->n)
		return (key[*i] ^ key[*i + 1]) >> b->key_skip ? put_packed_costs(b, p, item) : NULL;
	while ((key[*i] ^ key[*i + 1]) >> b->key_skip == 0) {
		item = &b->item.p[key[++*i] & b->key_item];
		sum += item->value;
		if (AS_UNLIKELY(item->n || sum < item->value))
			return NULL;
	}
	*p++ = ' ';
	p = as_put_u64(p, sum);
	*p++ = '\n';
	return p;
}

/* Self cost lines from key I on that are of its file, follow such a line and have plain costs.
 * Returns the first key that is something else. */
static inline __attribute__((always_inline)) size_t put_selves(
	struct cgw_block *b, size_t i, bool instr, bool lines)
{
	const uint64_t *key = b->key.p, first = key[i];
	struct as_out *out = &b->text.out;
	char *p = as_out_room(out, POSITIONS + COSTS);
	uint64_t line = b->self_line, addr = b->self_addr;

	while (((key[i] ^ first) & b->key_kin) == 0) {
		const struct as_rows_packed *item = &b->item.p[key[i] & b->key_item];
		size_t last = i;
		char *q;

		if (AS_UNLIKELY(out->cap - (size_t)(p - out->buf) < POSITIONS + COSTS)) {
			out->n = (size_t)(p - out->buf);
			p = as_out_room(out, POSITIONS + COSTS);
		}
		q = p;
		if (instr)
			q = put_near(q, item->addr, addr);
		if (instr && lines)
			*q++ = ' ';
		if (lines)
			q = put_relative(q, item->line, line);
		q = put_place_cost(b, q, &last);
		if (AS_UNLIKELY(!q))
			break;
		p = q;
		line = item->line;
		addr = item->addr;
		i = last + 1;
	}
	out->n = (size_t)(p - out->buf);
	b->self_line = b->last_line = line;
	b->self_addr = b->last_addr = addr;
	return i;
}

/* Likewise, but there may be none. */
static size_t put_plain(struct cgw_block *b, size_t i)
{
	const struct cgw *w = b->w;

	if (!b->packed || !w->plain || !b->have_base || b->self_line != b->last_line ||
		b->self_addr != b->last_addr || cg_func_kind_of(b, i) != CGW_SELF)
		return i;
	cg_func_set_file(b, &b->run.p[b->item.p[b->key.p[i] & b->key_item].tag]);
	if (!w->instr)
		return put_selves(b, i, false, true);
	if (!w->lines)
		return put_selves(b, i, true, false);
	return put_selves(b, i, true, true);
}

/* ---- blocks ---- */

static void cg_func_put_head(struct cgw_block *b)
{
	as_object object = b->w->func_row[b->func.i].object;
	as_file file = b->w->func_row[b->func.i].file;

	/* A part begins with the object unknown. */
	if (b->object.i != object.i)
		as_cgw_name(b, CGW_OB, object.i);
	if (!b->have_file || b->file.i != file.i)
		as_cgw_name(b, CGW_FL, file.i);
	as_cgw_name(b, CGW_FN, b->func.i);
	b->object = object;
	b->file = file;
	b->have_file = true;
	b->inl.i = 0;
	b->have_base = false;
}

static enum as_code put_rows(struct cgw_block *b)
{
	size_t i = 0;

	while (i < b->item.n) {
		size_t next = put_plain(b, i);

		if (next == i)
			AS_TRY(put_place(b, &next));
		i = next;
	}
	return AS_OK;
}

enum as_code as_cgw_func(struct cgw_block *b, size_t from, size_t to)
{
	as_file file;

	b->func = as_cgw_run_at(b->w, from)->func;
	if (!as_cgw_load(b, from, to) || !as_cgw_sort_items(b))
		return AS_E_NOMEM;
	cg_func_put_head(b);
	AS_TRY(put_rows(b));
	file = b->w->func_row[b->func.i].file;
	if (b->file.i != file.i) {
		b->file = file;
		as_cgw_name(b, CGW_FE, file.i);
	}
	as_out_char(&b->text.out, '\n');
	return b->text.out.rc == AS_OK ? AS_OK : AS_E_NOMEM;
}

void as_cgw_block_shrink(struct cgw_block *b)
{
	const struct as_alloc *al = b->w->al;

	as_vec_free(al, &b->run);
	as_vec_free(al, &b->item);
	as_vec_free(al, &b->value);
	as_vec_free(al, &b->key);
	as_vec_free(al, &b->tie);
}

void as_cgw_block_release(struct cgw_block *b)
{
	as_cgw_block_shrink(b);
	as_cgw_text_release(&b->text);
}
