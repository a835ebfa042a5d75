/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of code without names, as they are: the text of each is its object's around an address.
 * Where they come in the order of their texts, as those of one image mostly do, they are written
 * one by one; else they are sorted, and those of one text are added up.
 */
#include "base/sort.h"
#include "formats/folded/folded.h"

enum { HEX_BITS = 4, TEXT_PLAIN_DIGITS = 10 };

typedef enum as_code folded_bare_take(
	struct as_folded_bare *b, const struct as_folded_row *row, const as_val *cost);

static int folded_bare_digits(uint64_t v)
{
	return (64 + HEX_BITS - 1 - __builtin_clzll(v | 1)) / HEX_BITS;
}

/* As the texts of A and B in hexadecimal digits compare with "]" behind them, which stands between
 * '9' and 'a'. */
static int folded_bare_cmp_hex(uint64_t a, uint64_t b)
{
	int more = folded_bare_digits(b) - folded_bare_digits(a);
	uint64_t cut, next;

	if (more == 0)
		return as_cmp_u64(a, b);
	if (more < 0)
		return -folded_bare_cmp_hex(b, a);
	cut = b >> more * HEX_BITS;
	next = b >> (more - 1) * HEX_BITS & 15;
	if (a != cut)
		return as_cmp_u64(a, cut);
	return next < TEXT_PLAIN_DIGITS ? 1 : -1;
}

static size_t folded_bare_text(const struct as_folded_ends *ends, uint64_t addr, char *to)
{
	char *end = as_put_hex(to + ends->head.len, addr);

	memcpy(to, ends->head.p, ends->head.len);
	memcpy(end, ends->tail.p, ends->tail.len);
	return (size_t)(end - to) + ends->tail.len;
}

static int folded_bare_cmp(const struct as_folded_bare *b, const struct as_folded_row *x,
	const struct as_folded_row *y)
{
	const struct as_folded_ends *ex = &b->ends[x->func], *ey = &b->ends[y->func];
	char tx[AS_FOLDED_BARE_MAX], ty[AS_FOLDED_BARE_MAX];
	size_t n = ex->head.len < ey->head.len ? ex->head.len : ey->head.len;
	int c;

	if (x->func == y->func)
		return folded_bare_cmp_hex(x->addr, y->addr);
	c = memcmp(ex->head.p, ey->head.p, n);
	if (c)
		return c;
	return as_slice_cmp((struct as_slice){tx, folded_bare_text(ex, x->addr, tx)},
		(struct as_slice){ty, folded_bare_text(ey, y->addr, ty)});
}

static enum as_code folded_bare_walk(struct as_folded_bare *b, folded_bare_take *take)
{
	const struct as_rows *rows = &b->prof->self;
	as_val *v, cost[AS_FOLDED_COLUMNS] = {0};
	struct as_rows_cur cur;

	AS_TRY(as_err_memory(b->wr->err, as_alloc_array(b->wr->al, &v, rows->width)));
	for (size_t i = 0; i < rows->run.n; i++) {
		struct as_folded_row row = {.func = rows->run.p[i].func.i};

		as_rows_begin(&cur, rows, &rows->run.p[i], v);
		while (as_rows_next(&cur)) {
			row.addr = cur.addr;
			for (uint32_t k = 0; k < b->columns; k++)
				cost[k] = v[b->event[k]];
			AS_TRY(take(b, &row, cost));
		}
	}
	return AS_OK;
}

static enum as_code folded_bare_look(
	struct as_folded_bare *b, const struct as_folded_row *row, const as_val *cost)
{
	(void)cost;
	if (b->last.func && folded_bare_cmp(b, &b->last, row) >= 0)
		b->unordered = true;
	b->last = *row;
	return AS_OK;
}

static enum as_code folded_bare_print(
	struct as_folded_bare *b, const struct as_folded_row *row, const as_val *cost)
{
	struct as_out *out = b->wr->out;

	out->n += folded_bare_text(
		&b->ends[row->func], row->addr, as_out_room(out, AS_FOLDED_BARE_MAX));
	return as_folded_put_counts(b->wr, cost, b->columns);
}

static enum as_code folded_bare_gather(
	struct as_folded_bare *b, const struct as_folded_row *row, const as_val *cost)
{
	const struct as_alloc *al = b->wr->al;

	if (b->row.n >= UINT32_MAX - 2)
		return as_err_set(b->wr->err, AS_E_LIMIT, "more than 2^32 call paths");
	if (!as_vec_push(al, &b->row, *row) ||
		!as_vec_reserve(al, &b->cost, b->cost.n + b->columns))
		return as_err_no_memory(b->wr->err);
	for (uint32_t k = 0; k < b->columns; k++)
		b->cost.p[b->cost.n++] = cost[k];
	return AS_OK;
}

static int folded_bare_cmp_rows(const void *ctx, uint32_t x, uint32_t y)
{
	const struct as_folded_bare *b = ctx;

	return folded_bare_cmp(b, &b->row.p[x], &b->row.p[y]);
}

static enum as_code folded_bare_sorted(struct as_folded_bare *b)
{
	uint32_t *at;

	AS_TRY(folded_bare_walk(b, folded_bare_gather));
	at = as_sorted_rows(b->wr->al, b->row.n, folded_bare_cmp_rows, b);
	AS_TRY(as_err_memory(b->wr->err, at));
	for (size_t i = 0; i < b->row.n;) {
		uint32_t first = at[i];
		as_val sum[AS_FOLDED_COLUMNS] = {0};

		for (; i < b->row.n && !folded_bare_cmp_rows(b, first, at[i]); i++)
			as_vals_add(sum, b->cost.p + (size_t)at[i] * b->columns, b->columns);
		AS_TRY(folded_bare_print(b, &b->row.p[first], sum));
	}
	return AS_OK;
}

enum as_code as_folded_bare_write(struct as_folded_bare *b)
{
	AS_TRY(folded_bare_walk(b, folded_bare_look));
	return b->unordered ? folded_bare_sorted(b) : folded_bare_walk(b, folded_bare_print);
}
