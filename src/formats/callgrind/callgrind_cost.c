/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cost lines, nine of ten lines of a file. fast_line() takes the form that
 * valgrind writes: single blanks, decimal counts of at most 19 digits, LF.
 * Everything else goes to as_cg_cost_line(), which knows the whole grammar; a line
 * is parsed completely before anything is added up, so the two never mix.
 */
#include "formats/callgrind/callgrind.h"
#include "formats/callgrind/callgrind_cut.h"

const char *as_cg_fast_hex(const char *p, uint64_t *v)
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

/* Past the end of the line, or NULL: not of the plain form. cg->num gets N_NUM counts. */
static inline __attribute__((always_inline)) const char *fast_line(const struct cg *cg,
	const char *p, uint64_t *pos, uint32_t n_pos, uint32_t n_events, uint32_t *n_num)
{
	uint64_t *num = cg->num.p;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n_pos; i++) {
		p = as_cg_fast_sub(p, cg->base[i], &pos[i]);
		if (AS_UNLIKELY(!p))
			return NULL;
		if (i + 1 < n_pos && AS_UNLIKELY(*p++ != ' '))
			return NULL;
	}
	while (k < n_events && *p == ' ') {
		p = as_cg_fast_dec(p + 1, &num[k]);
		if (AS_UNLIKELY(!p))
			return NULL;
		k++;
	}
	if (AS_UNLIKELY(*p != '\n'))
		return NULL;
	*n_num = k;
	return p + 1;
}

/*
 * Without lines: add up to SUM, remember nothing. Not even the positions are wanted,
 * so the base of relative ones is not kept either. Past the line at P, or P itself: it is not of
 * the plain form.
 */
static inline __attribute__((always_inline)) const char *sum_line(
	struct cg *cg, const char *p, uint32_t n_pos, uint32_t n_events, as_val *sum)
{
	uint64_t *num = cg->num.p;
	const char *next = p;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n_pos; i++) {
		next = as_cg_skip_sub(next);
		if (AS_UNLIKELY(!next) || (i + 1 < n_pos && AS_UNLIKELY(*next++ != ' ')))
			return p;
	}
	for (; k < n_events && *next == ' '; k++) {
		next = as_cg_fast_dec(next + 1, &num[k]);
		if (AS_UNLIKELY(!next))
			return p;
	}
	if (AS_UNLIKELY(*next++ != '\n'))
		return p;
	while (k-- > 0)
		sum[k] += num[k];
	cg->n_lines_cost++;
	cg->line++;
	return next;
}

#if CG_CUT

enum { CUT_EVENTS = 32 };

/* One line at P to SUM: past it, or NULL, and then SUM is as it was. */
static inline __attribute__((always_inline)) const char *sum_cut_line(
	const char *p, uint32_t n_pos, uint32_t n_events, uint64_t *sum)
{
	struct cg_cut cut = as_cg_cut(p);
	uint32_t line = cut.feed ^ (cut.feed - 1); /* up to the first line feed */
	uint32_t ends = (cut.blank | cut.feed) & line, at = 0, k = 0;
	uint64_t num[CUT_EVENTS];

	if (AS_UNLIKELY(!cut.feed))
		return NULL;
	for (uint32_t i = 0; i < n_pos; i++, ends &= ends - 1) {
		if (AS_UNLIKELY(!ends) || !as_cg_cut_is_pos(p, at, as_cg_cut_at(ends)))
			return NULL;
		cut.other &= ~(UINT32_C(1) << at); /* a sign, or a digit */
		at = as_cg_cut_at(ends) + 1;
	}
	if (AS_UNLIKELY(cut.other & line))
		return NULL;
	for (; ends && k < n_events; k++, ends &= ends - 1) {
		if (!as_cg_cut_count(p, at, as_cg_cut_at(ends), &num[k]))
			break;
		sum[k] += num[k];
		at = as_cg_cut_at(ends) + 1;
	}
	if (AS_LIKELY(!ends))
		return p + at;
	while (k-- > 0) /* a long number, two blanks, or too many numbers */
		sum[k] -= num[k];
	return NULL;
}

/* As sum_line() for many lines of few bytes, up to the first that is none. Their counts are below
 * 10^8 each, so it takes more lines than memory has bytes for 64 bits to overflow. */
static inline __attribute__((always_inline)) const char *sum_cut(
	struct cg *cg, const char *p, uint32_t n_pos, uint32_t n_events, as_val *total)
{
	uint64_t sum[CUT_EVENTS], lines = 0;

	AS_PREFETCH(total);
	memset(sum, 0, n_events * sizeof(*sum));
	for (const char *next; (next = sum_cut_line(p, n_pos, n_events, sum)); p = next)
		lines++;
	for (uint32_t k = 0; k < n_events; k++)
		total[k] += sum[k];
	cg->n_lines_cost += lines;
	cg->line += lines;
	return p;
}

/* The lines that can be cut; how many positions and events there are is known to the compiler
 * where files mostly have that many. */
static const char *sum_short(struct cg *cg, const char *p, as_val *total)
{
	if (cg->n_events > CUT_EVENTS)
		return p;
	if (cg->n_pos == 1 && cg->n_events == 1)
		return sum_cut(cg, p, 1, 1, total);
	return cg->n_pos == 1 ? sum_cut(cg, p, 1, cg->n_events, total)
			      : sum_cut(cg, p, cg->n_pos, cg->n_events, total);
}

#else

/* Lines of one event and one position; others are not looked at. */
static const char *sum_short(struct cg *cg, const char *p, as_val *total)
{
#if CG_SWAR
	uint64_t lines = 0, count;
	as_val sum = 0;

	if (cg->n_pos != 1 || cg->n_events != 1)
		return p;
	for (const char *next; (next = as_cg_short_line(p, &count)); p = next, lines++)
		sum += count;
	*total += sum;
	cg->n_lines_cost += lines;
	cg->line += lines;
#endif
	return p;
}

#endif

static void sum_lines(struct cg *cg, as_val *total)
{
	const char *p, *next = cg->p;

	do {
		p = sum_short(cg, next, total);
		next = p;
		if (p < cg->end && as_cg_starts_cost(*p))
			next = sum_line(cg, p, cg->n_pos, cg->n_events, total);
	} while (next != p);
	cg->p = p;
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

/* The same of a fact whose line may be of no interest. */
static void cg_cost_site(const struct cg *cg, const uint64_t *pos, uint64_t *line, uint64_t *addr)
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

/* File detail: the lines up to the next call become one row. */
static enum as_code file_lines(struct cg *cg)
{
	const char *start = cg->p;
	bool fine = !cg->run_dirty || cg_cost_open_run(cg);

	sum_lines(cg, cg->val.p);
	if (fine && cg->p != start)
		fine = as_rows_add(&cg->b->prof->self, 0, 0, cg->val.p, cg->n_events);
	as_vals_add(cg->sum.p, cg->val.p, cg->n_events);
	memset(cg->val.p, 0, cg->n_events * sizeof(*cg->val.p));
	return as_err_memory(cg->rd->err, fine);
}

/* Full and line detail: every line becomes a row. Positions and events are counted at compile
 * time where the file is of the commonest kinds. */
static inline __attribute__((always_inline)) enum as_code row_loop(
	struct cg *cg, uint32_t n_pos, uint32_t n_events)
{
	struct as_rows *rows = &cg->b->prof->self;
	uint64_t pos[CG_POS_MAX], *num = cg->num.p, lines = 0;
	enum as_code rc = AS_OK;
	const char *p = cg->p;

	for (; p < cg->end && as_cg_starts_cost(*p); lines++) {
		uint64_t line, addr;
		uint32_t n;
		const char *next = fast_line(cg, p, pos, n_pos, n_events, &n);

		if (AS_UNLIKELY(!next))
			break;
		cg_cost_where(cg, pos, &line, &addr);
		if (AS_UNLIKELY(!as_rows_add_u64(rows, line, addr, num, n))) {
			rc = as_err_no_memory(cg->rd->err);
			break;
		}
		for (uint32_t k = 0; k < n; k++)
			cg->sum.p[k] += num[k];
		for (uint32_t i = 0; i < n_pos; i++)
			cg->base[i] = pos[i];
		p = next;
	}
	cg->line += lines;
	cg->n_lines_cost += lines;
	cg->p = p;
	return rc;
}

static enum as_code row_lines(struct cg *cg)
{
	if (cg->run_dirty && !cg_cost_open_run(cg))
		return as_err_no_memory(cg->rd->err);
	if (cg->n_pos == 1 && cg->n_events == 1)
		return row_loop(cg, 1, 1);
	if (cg->n_pos == 2)
		return row_loop(cg, 2, cg->n_events);
	return row_loop(cg, cg->n_pos, cg->n_events);
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

	call_is_over(cg);
	if (cg->func_detail)
		return as_cg_acc_call(cg, cg->callee, v);
	cg_cost_site(cg, pos, &site.line, &site.addr);
	cg->call.callee = cg->callee;
	if (cg->straight)
		return as_build_call(cg->b, cg->part, &site, &cg->call, v, cg->n_events);
	memset(out, 0, cg->val.n * sizeof(*out));
	for (uint32_t k = 0; k < cg->n_events; k++)
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
	cg_cost_site(cg, pos, &line, &addr);
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

/* The cost line of a call in its plain form; *DONE: it was one. */
static enum as_code fast_call(struct cg *cg, bool *done)
{
	uint64_t pos[CG_POS_MAX], *num = cg->num.p;
	as_val v[16];
	uint32_t n;
	const char *next;

	*done = false;
	if (cg->n_events > AS_ARRAY_LEN(v))
		return AS_OK;
	next = fast_line(cg, cg->p, pos, cg->n_pos, cg->n_events, &n);
	if (!next)
		return AS_OK;
	*done = true;
	cg->p = next;
	cg->line++;
	if (cg->func_detail)
		return sum_call(cg, num, n);
	for (uint32_t k = 0; k < cg->n_events; k++)
		v[k] = k < n ? num[k] : 0;
	return end_call(cg, pos, v);
}

enum as_code as_cg_cost_lines(struct cg *cg)
{
	struct as_slice line;
	bool done = false;

	if (cg->moved)
		AS_TRY(as_cg_move_func(cg));
	if (cg->have_events && cg->pending == CG_CALL)
		AS_TRY(fast_call(cg, &done));
	if (done)
		return AS_OK;
	if (cg->have_events && cg->pending == CG_NOTHING) {
		const char *start = cg->p;

		cg->have_body = true;
		if (cg->func_detail) {
			AS_TRY(as_cg_acc_touch(cg));
			sum_lines(cg, cg->acc.cost.p + (size_t)cg->func.i * cg->n_events);
		} else if (cg->straight) {
			AS_TRY(cg->no_lines ? file_lines(cg) : row_lines(cg));
		}
		if (cg->p != start)
			return AS_OK;
	}
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
