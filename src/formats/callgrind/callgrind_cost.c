/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cost lines, nine of ten lines of a file. There are two ways to read one. cost_cut() takes the
 * form that valgrind writes: single blanks, decimal counts of at most 19 digits, LF. Everything
 * else goes to as_cg_cost_line(), which knows the whole grammar; a line is parsed completely
 * before anything is added up, so the two never mix.
 */
#include "formats/callgrind/callgrind.h"

enum {
	PLAIN_EVENTS = 64, /* of files that have lines of the plain form */
	SKIP_MAX = 18,     /* bytes of a position whose value is of no interest */
	ODD_LINE = PLAIN_EVENTS + 1,
};

/* One loop for each of the commonest kinds of files. */
#ifdef __wasm__
#define COST_INLINE inline
#else
#define COST_INLINE inline __attribute__((always_inline))
#endif

/* Past a hexadecimal number of 1 to 16 digits, or NULL. */
static const char *cost_hex(const char *p, uint64_t *v)
{
	const char *start = p;
	uint64_t x = 0;

	for (;; p++) {
		unsigned c = (unsigned char)*p, d = c - '0';

		if (d > 9) {
			d = (c | 32) - 'a' + 10;
			if (d < 10 || d > 15)
				break;
		}
		x = x << 4 | d;
	}
	*v = x;
	return (size_t)(p - start) - 1 < 16 ? p : NULL;
}

/* A number of LEN digits at P; false if it may not fit 64 bits. */
static COST_INLINE bool cost_number(const char *p, uint32_t len, uint64_t *v)
{
	if (AS_UNLIKELY(len > 8))
		return as_cg_loop_dec(p, v) != NULL;
	*v = as_cg_join_digits(as_cg_load(p) ^ CG_ZEROS, len);
	return true;
}

/* The position of LEN bytes at P; false if it is below zero, too long or none. */
static COST_INLINE bool cut_position(const char *p, uint32_t len, uint64_t base, uint64_t *v)
{
	uint64_t x = 0;

	if (p[1] & 0x40)
		return p[0] == '0' && p[1] == 'x' && cost_hex(p + 2, v) == p + len;
	if (*p >= '0')
		return cost_number(p, len, v);
	if (*p != '*' && AS_UNLIKELY(!cost_number(p + 1, len - 1, &x)))
		return false;
	*v = *p == '-' ? base - x : base + x;
	return *p != '-' || x <= base;
}

/* The same where the value is of no interest. */
static COST_INLINE bool cut_skip(const char *p, uint32_t len)
{
	uint64_t v;

	return len <= SKIP_MAX && (!(p[1] & 0x40) || cut_position(p, len, 0, &v));
}

/*
 * The next line of CUT, whose bytes are at P, becomes its positions, unless POS is NULL, and the
 * counts in NUM. How many, or ODD_LINE: one that only as_cg_cost_line() understands.
 */
/* NOLINTNEXTLINE(readability-function-size): inlined, N_POS and N_EVENTS are constants there */
static COST_INLINE uint32_t cost_cut(const struct cg *cg, const char *p, struct cg_cut *cut,
	uint32_t n_pos, uint32_t n_events, uint64_t *pos, uint64_t *num)
{
	uint64_t ends = cut->ends;
	uint32_t at = cut->at, end = at, k = 0;

	for (uint32_t i = 0; i < n_pos; i++, at = end + 1, ends &= ends - 1) {
		end = (uint32_t)__builtin_ctzll(ends);
		if (AS_UNLIKELY(pos ? !cut_position(p + at, end - at, cg->base[i], &pos[i])
				    : !cut_skip(p + at, end - at)))
			return ODD_LINE;
	}
	for (; p[end] != '\n'; k++, at = end + 1, ends &= ends - 1) {
		end = (uint32_t)__builtin_ctzll(ends);
		if (AS_UNLIKELY(k == n_events) ||
			AS_UNLIKELY(!cost_number(p + at, end - at, &num[k])))
			return ODD_LINE;
	}
	cut->ends = ends;
	cut->feeds &= cut->feeds - 1;
	cut->at = at;
	return k;
}

static inline void cg_cost_where(
	const struct cg *cg, const uint64_t *pos, uint64_t *line, uint64_t *addr)
{
	*line = *addr = 0;
	if (AS_LIKELY(cg->n_pos == 1 && cg->pos_kind[0] == AS_POS_LINE)) {
		*line = pos[0];
		return;
	}
	for (uint32_t i = 0; i < cg->n_pos; i++) {
		if (cg->pos_kind[i] == AS_POS_LINE)
			*line = pos[i];
		else if (cg->pos_kind[i] == AS_POS_INSTR && cg->full)
			*addr = pos[i];
	}
}

void as_cg_site(const struct cg *cg, const uint64_t *pos, uint64_t *line, uint64_t *addr)
{
	*line = *addr = 0;
	if (!cg->no_lines)
		cg_cost_where(cg, pos, line, addr);
}

static bool cg_cost_open_run(struct cg *cg)
{
	cg->run_dirty = false;
	return as_rows_run(&cg->b->prof->self, cg->part, cg->func, cg->file, cg->inl);
}

/*
 * Self cost lines at cg->p, from those in CUT up to the first that is not plain: their counts are
 * added to SUM, and with ROWS each becomes a row. Without rows nothing is remembered of the
 * positions, not even the base of relative ones.
 */
static COST_INLINE enum as_code self_loop(
	struct cg *cg, struct cg_cut cut, uint32_t n_pos, uint32_t n_events, as_val *sum, bool rows)
{
	uint64_t pos[CG_POS_MAX], num[PLAIN_EVENTS], lines = 0, line, addr;
	const char *p = cg->p;

	for (;; cut = cg->cut(p, n_pos)) {
		if (!CG_SMALL && n_pos == 1 && n_events == 1 && !rows && cg->cut_sum) {
			uint64_t all = 0;

			lines += cg->cut_sum(p, &cut, &all);
			sum[0] += all;
		}
		for (; cut.feeds; lines++) {
			uint32_t n = cost_cut(cg, p, &cut, n_pos, n_events, rows ? pos : NULL, num);

			if (AS_UNLIKELY(n == ODD_LINE))
				break;
			for (uint32_t k = 0; k < n; k++)
				sum[k] += num[k];
			if (!rows)
				continue;
			cg_cost_where(cg, pos, &line, &addr);
			if (AS_UNLIKELY(!as_rows_add_u64(&cg->b->prof->self, line, addr, num, n)))
				return as_err_no_memory(cg->rd->err);
			for (uint32_t i = 0; i < n_pos; i++)
				cg->base[i] = pos[i];
		}
		p += cut.at;
		if (!cut.at || p >= cg->end || !as_cg_starts_cost(*p))
			break;
	}
	cg->line += lines;
	cg->n_lines_cost += lines;
	cg->p = p;
	return AS_OK;
}

/* How many positions and events there are is known to the compiler where most files have that
 * many. */
static enum as_code self_sums(struct cg *cg, struct cg_cut cut, as_val *sum)
{
	if (!CG_SMALL && cg->n_pos == 1 && cg->n_events == 1)
		return self_loop(cg, cut, 1, 1, sum, false);
	if (!CG_SMALL && cg->n_pos == 2)
		return self_loop(cg, cut, 2, cg->n_events, sum, false);
	return self_loop(cg, cut, cg->n_pos, cg->n_events, sum, false);
}

static enum as_code self_rows(struct cg *cg, struct cg_cut cut)
{
	if (cg->run_dirty && !cg_cost_open_run(cg))
		return as_err_no_memory(cg->rd->err);
	if (!CG_SMALL && cg->n_pos == 1 && cg->n_events == 1)
		return self_loop(cg, cut, 1, 1, cg->sum.p, true);
	if (!CG_SMALL && cg->n_pos == 2)
		return self_loop(cg, cut, 2, cg->n_events, cg->sum.p, true);
	return self_loop(cg, cut, cg->n_pos, cg->n_events, cg->sum.p, true);
}

/* File detail: the lines up to the next call become one row. */
static enum as_code self_of_file(struct cg *cg, struct cg_cut cut)
{
	uint64_t before = cg->n_lines_cost;
	bool fine = !cg->run_dirty || cg_cost_open_run(cg);

	AS_TRY(self_sums(cg, cut, cg->val.p));
	if (fine && cg->n_lines_cost != before)
		fine = as_rows_add(&cg->b->prof->self, 0, 0, cg->val.p, cg->n_events);
	as_vals_add(cg->sum.p, cg->val.p, cg->n_events);
	memset(cg->val.p, 0, cg->n_events * sizeof(*cg->val.p));
	return as_err_memory(cg->rd->err, fine);
}

/* ---- the careful way ---- */

static enum as_code bad_line(struct cg *cg, struct as_slice line, const char *at, const char *want)
{
	struct as_slice rest = {at, (size_t)(line.p + line.len - at)};

	if (rest.len > 40)
		rest.len = 40;
	as_rd_partial(cg->rd);
	return CG_FIND(cg, AS_F_CG_COST_GARBAGE, at, "expected %s, found '%.*s'", want,
		AS_SLICE_FMT(rest));
}

static enum as_code cg_cost_read_positions(
	struct cg *cg, struct as_slice line, const char **p, uint64_t *pos, bool *ok)
{
	const char *end = line.p + line.len;

	*ok = false;
	for (uint32_t i = 0; i < cg->n_pos; i++) {
		pos[i] = cg->base[i];
		as_cg_blanks(p, end);
		switch (as_cg_subpos(p, end, cg->base[i], &pos[i])) {
		case CG_SUB_NONE:
			return bad_line(cg, line, *p, "a position");
		case CG_SUB_BELOW:
			as_rd_partial(cg->rd);
			AS_TRY(CG_FIND(cg, AS_F_CG_POSITION_NEGATIVE, *p,
				"the position is %" PRIu64 " below zero", (uint64_t)0 - pos[i]));
			pos[i] = 0;
			break;
		case CG_SUB_RANGE:
			AS_TRY(CG_FIND(cg, AS_F_CG_POSITION_RANGE, *p,
				"a range of positions, its start 0x%" PRIx64 " is used", pos[i]));
			break;
		case CG_SUB_OK:
			break;
		}
	}
	*ok = true;
	return AS_OK;
}

/* One count: decimal, hexadecimal, '.', negative. */
static enum as_code read_count(
	struct cg *cg, struct as_slice line, const char **p, as_val *out, bool *ok)
{
	const char *end = line.p + line.len, *s = *p;
	bool negative = *s == '-', range;
	uint64_t v;

	*ok = true;
	*out = 0;
	if (*s == '.' && (s + 1 == end || s[1] == ' ' || s[1] == '\t')) {
		*p = s + 1;
		return AS_OK;
	}
	s += negative;
	if (!as_cg_num(&s, end, &v, &range) || (s < end && *s != ' ' && *s != '\t')) {
		*ok = false;
		return bad_line(cg, line, *p, "a count");
	}
	if (range || (negative && v > (uint64_t)INT64_MAX + 1)) {
		struct as_slice num = {*p, (size_t)(s - *p)};

		*ok = false;
		as_rd_partial(cg->rd);
		return CG_FIND(cg, AS_F_COUNT_RANGE, *p,
			"the count %.*s does not fit 64 bits; the line is left out",
			AS_SLICE_FMT(num));
	}
	*p = s;
	*out = negative ? -(as_val)v : (as_val)v;
	return AS_OK;
}

static enum as_code cg_cost_read_counts(
	struct cg *cg, struct as_slice line, const char **p, as_val *v, bool *ok)
{
	const char *end = line.p + line.len;
	uint32_t k = 0;

	*ok = true;
	for (as_cg_blanks(p, end); *p < end; as_cg_blanks(p, end)) {
		const char *at = *p;
		as_val x;

		AS_TRY(read_count(cg, line, p, &x, ok));
		if (!*ok)
			return AS_OK;
		if (k < cg->n_events) {
			v[k++] = x;
			continue;
		}
		if (x != 0)
			as_rd_partial(cg->rd);
		return CG_FIND(cg, AS_F_CG_COST_LONG, at, "more counts than the %u event%s",
			cg->n_events, cg->n_events == 1 ? "" : "s");
	}
	return AS_OK;
}

static void call_is_over(struct cg *cg)
{
	cg->pending = CG_NOTHING;
	cg->target.has_object = cg->target.has_file = false;
	cg->n_lines_call++;
}

static enum as_code end_call(struct cg *cg, const uint64_t *pos, const as_val *v)
{
	struct as_pos site = {.func = cg->func, .file = cg->file};
	as_val *out = cg->val.p;
	uint32_t n_events = cg->n_events;

	call_is_over(cg);
	if (cg->func_detail)
		return as_cg_acc_call(cg, cg->callee, v);
	as_cg_site(cg, pos, &site.line, &site.addr);
	cg->call.callee = cg->callee;
	if (cg->straight)
		return as_build_call(cg->b, cg->part, &site, &cg->call, v, n_events);
	memset(out, 0, cg->val.n * sizeof(*out));
	for (uint32_t k = 0; k < n_events; k++)
		out[cg->column.p[k]] += v[k];
	AS_TRY(as_build_call(cg->b, cg->part, &site, &cg->call, out, (uint32_t)cg->val.n));
	memset(out, 0, cg->val.n * sizeof(*out));
	return AS_OK;
}

static enum as_code end_jump(struct cg *cg, const uint64_t *pos)
{
	struct as_pos from = {.func = cg->func, .file = cg->file};

	cg->pending = CG_NOTHING;
	if (!cg->full)
		return AS_OK;
	cg_cost_where(cg, pos, &from.line, &from.addr);
	return as_build_jump(cg->b, cg->part, &from, &cg->jump);
}

static enum as_code add_self(struct cg *cg, const uint64_t *pos, const as_val *v)
{
	as_val *out = cg->val.p;
	uint64_t line, addr;
	bool ok;

	if (!cg->no_lines)
		memcpy(cg->base, pos, cg->n_pos * sizeof(*pos));
	cg->n_lines_cost++;
	if (cg->func_detail)
		return as_cg_acc_cost(cg, v);
	if (cg->run_dirty && !cg_cost_open_run(cg))
		return as_err_no_memory(cg->rd->err);
	as_vals_add(cg->sum.p, v, cg->n_events);
	as_cg_site(cg, pos, &line, &addr);
	if (cg->straight)
		return as_err_memory(
			cg->rd->err, as_rows_add(&cg->b->prof->self, line, addr, v, cg->n_events));
	memset(out, 0, cg->val.n * sizeof(*out));
	for (uint32_t k = 0; k < cg->n_events; k++)
		out[cg->column.p[k]] += v[k];
	ok = as_rows_add(&cg->b->prof->self, line, addr, out, (uint32_t)cg->val.n);
	memset(out, 0, cg->val.n * sizeof(*out));
	return as_err_memory(cg->rd->err, ok);
}

static enum as_code careful_line(struct cg *cg, struct as_slice line, as_val *v)
{
	const char *p = line.p;
	uint64_t pos[CG_POS_MAX];
	bool ok;

	AS_TRY(cg_cost_read_positions(cg, line, &p, pos, &ok));
	if (ok)
		AS_TRY(cg_cost_read_counts(cg, line, &p, v, &ok));
	if (!ok) {
		/* The call or jump that waited for this line is lost with it. */
		cg->pending = CG_NOTHING;
		return AS_OK;
	}
	if (cg->pending == CG_CALL)
		return end_call(cg, pos, v);
	if (cg->pending == CG_JUMP)
		return end_jump(cg, pos);
	return add_self(cg, pos, v);
}

enum as_code as_cg_cost_line(struct cg *cg, struct as_slice line)
{
	as_val small[16], *v = small;
	size_t size = ((size_t)cg->n_events + 1) * sizeof(*v);
	enum as_code rc;

	if (!cg->have_events) {
		as_rd_partial(cg->rd);
		return CG_FIND(cg, AS_F_CG_COST_BEFORE_EVENTS, line.p,
			"a cost line before the 'events:' line");
	}
	cg->have_body = true;
	if (size > sizeof(small)) {
		v = as_alloc_new(cg->al, size);
		AS_TRY(as_err_memory(cg->rd->err, v));
	} else {
		memset(small, 0, sizeof(small));
	}
	rc = careful_line(cg, line, v);
	if (v != small)
		as_alloc_free(cg->al, v, size);
	return rc;
}

/* Function detail: there is nothing to keep of a call but its sums. */
static enum as_code sum_call(struct cg *cg, const uint64_t *num, uint32_t n)
{
	as_val *sum = as_cg_acc_callee(cg, cg->callee);

	AS_TRY(as_err_memory(cg->rd->err, sum));
	call_is_over(cg);
	sum[0] += cg->call.count;
	for (uint32_t k = 0; k < n; k++)
		sum[k + 1] += num[k];
	return AS_OK;
}

/* The line of a call or a jump, if it is plain. */
static enum as_code plain_end(struct cg *cg)
{
	uint64_t pos[CG_POS_MAX], num[PLAIN_EVENTS];
	const char *p = as_cg_places(cg, cg->p, pos);
	as_val v[PLAIN_EVENTS];
	uint32_t n = 0;

	if (!p)
		return AS_OK;
	for (; *p == ' ' && n < cg->n_events; n++) {
		p = as_cg_fast_dec(p + 1, &num[n]);
		if (!p)
			return AS_OK;
	}
	if (*p != '\n')
		return AS_OK;
	cg->p = p + 1;
	cg->line++;
	if (!CG_SMALL && cg->pending == CG_JUMP)
		return end_jump(cg, pos);
	if (!CG_SMALL && cg->func_detail)
		return sum_call(cg, num, n);
	for (uint32_t k = 0; k < cg->n_events; k++)
		v[k] = k < n ? num[k] : 0;
	return end_call(cg, pos, v);
}

/* The lines at cg->p that are plain, which may be none. */
static enum as_code plain_lines(struct cg *cg)
{
	struct cg_cut cut;

	if (CG_SMALL && cg->pending == CG_JUMP)
		return AS_OK;
	if (cg->pending != CG_NOTHING) {
		AS_TRY(plain_end(cg));
		if (cg->pending != CG_NOTHING || cg->p == cg->end || !as_cg_starts_cost(*cg->p))
			return AS_OK;
	}
	cg->have_body = true;
	cut = cg->cut(cg->p, cg->n_pos);
	if (cg->func_detail) {
		AS_TRY(as_cg_acc_touch(cg));
		return self_sums(cg, cut, cg->acc.cost.p + (size_t)cg->func.i * cg->n_events);
	}
	if (!cg->straight)
		return AS_OK;
	return cg->no_lines ? self_of_file(cg, cut) : self_rows(cg, cut);
}

enum as_code as_cg_cost_lines(struct cg *cg)
{
	const char *start = cg->p;
	struct as_slice line;

	if (cg->moved)
		AS_TRY(as_cg_move_func(cg));
	if (cg->have_events && cg->n_events <= PLAIN_EVENTS)
		AS_TRY(plain_lines(cg));
	if (cg->p != start)
		return AS_OK;
	line = (struct as_slice){cg->p, (size_t)(cg->end - cg->p)};
	line.len = as_slice_find(line, '\n');
	cg->p += line.len + (line.p + line.len < cg->end);
	if (line.len && line.p[line.len - 1] == '\r') {
		line.len--;
		cg->n_crlf++;
	}
	AS_TRY(as_cg_cost_line(cg, line));
	cg->line++;
	return AS_OK;
}
