/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: numbers and addresses, and how those of jemalloc and of threads stand in lines. */
#include "formats/legacy/legacy.h"

#if defined(__SSE2__) && defined(__x86_64__)
#include <emmintrin.h>
#endif

enum as_code as_lg_row_close(struct as_lg_read *l)
{
	bool ok;

	if (!l->is_open)
		return AS_OK;
	if (l->is_fresh && !l->is_same)
		l->pc.n = 0; /* a thread without addresses, and it is not as the one before */
	l->is_open = false;
	ok = as_lg_stacks_add(&l->stacks, l->row_part, l->pc.p, (uint32_t)l->pc.n, l->row_value);
	if (l->names.comment.n)
		ok = as_lg_names_settle(&l->names) && ok;
	return as_err_memory(l->rd->err, ok);
}

/* Bytes of no object: pprof refuses that, and cannot be scaled up. */
static enum as_code check_counts(struct as_lg_read *l, const uint64_t *v)
{
	bool heap = l->head.kind == AS_LG_HEAP || l->head.kind == AS_LG_JEMALLOC;

	if (l->head.kind == AS_LG_JAVA_HEAP ? !v[0] == !v[1] || v[1]
					    : !heap || ((v[0] || !v[1]) && (v[2] || !v[3])))
		return AS_OK;
	return as_rd_find(l->rd, AS_F_LG_NO_OBJECTS, l->line_off, l->line,
		"the row has bytes of 0 objects; they are kept%s",
		l->rate > 1 ? ", and not scaled up" : "");
}

enum as_code as_lg_row_open(struct as_lg_read *l, const uint64_t v[LG_NUMBERS])
{
	AS_TRY(as_lg_row_close(l));
	l->n_rows++;
	for (uint32_t i = 0; i < LG_NUMBERS; i++)
		l->sum[i] += v[i];
	AS_TRY(check_counts(l, v));
	if (!as_lg_values(l, v, l->row_value))
		return as_rd_find(l->rd, AS_F_COUNT_RANGE, l->line_off, l->line,
			"a number of the row, or what it is scaled up to, is 2^63 or more; the row "
			"was left out");
	for (uint32_t k = 0; k < l->n_columns; k++)
		l->scaled[k] += l->row_value[k];
	l->is_open = true;
	l->row_part = l->part;
	return AS_OK;
}

#if defined(__SSE2__) && defined(__x86_64__)
/* The hexadecimal digits at P, 16 of them at the most: how many, and what they are in one number.
 * What stands behind the last of an input are zeros, AS_IN_SLACK of them. */
static inline unsigned rows_digits(const char *p, uint64_t *out)
{
	__m128i text = _mm_loadu_si128((const __m128i *)p), none = _mm_setzero_si128();
	__m128i low = _mm_or_si128(text, _mm_set1_epi8(0x20));
	__m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
	__m128i letter = _mm_sub_epi8(low, _mm_set1_epi8('a'));
	__m128i is_digit = _mm_cmpeq_epi8(_mm_subs_epu8(digit, _mm_set1_epi8(9)), none);
	__m128i is_letter = _mm_cmpeq_epi8(_mm_subs_epu8(letter, _mm_set1_epi8(5)), none);
	unsigned other = ~(unsigned)_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter));
	unsigned n = (unsigned)__builtin_ctz(other); /* bits from 16 on are set */
	__m128i v = _mm_or_si128(_mm_and_si128(is_digit, digit),
		_mm_and_si128(is_letter, _mm_add_epi8(letter, _mm_set1_epi8(10))));

	/* two digits to a byte, the first one to its upper half */
	v = _mm_or_si128(
		_mm_and_si128(_mm_slli_epi16(v, 4), _mm_set1_epi16(0xf0)), _mm_srli_epi16(v, 8));
	v = _mm_packus_epi16(v, v);
	*out = n ? __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(v)) >> (64 - 4 * n) : 0;
	return n;
}
#else
static inline unsigned rows_digits(const char *p, uint64_t *out)
{
	struct as_slice digits = {p, 0};

	while (digits.len < 16 && as_slice_is_hex((struct as_slice){p + digits.len, 1}))
		digits.len++;
	if (!as_slice_hex(digits, out))
		*out = 0;
	return (unsigned)digits.len;
}
#endif

/* "0x4b41c6", moved over; behind the slice there is no digit. */
static inline bool take_address(struct as_slice *rest, uint64_t *out)
{
	size_t n = rest->len > 2 && rest->p[0] == '0' && (rest->p[1] | 0x20) == 'x' ? 2 : 0;
	unsigned digits = rows_digits(rest->p + n, out);
	uint64_t more;

	if (!digits || (digits == 16 && rows_digits(rest->p + n + 16, &more)))
		return false;
	*rest = as_slice_skip(*rest, n + digits);
	return true;
}

enum as_code as_lg_row_address(struct as_lg_read *l, uint64_t pc)
{
	if (l->pc.n >= l->rd->lim.depth)
		return as_rd_fail(l->rd, AS_E_LIMIT, l->line_off, l->line,
			"the stack is deeper than %" PRIu64 " frames", l->rd->lim.depth);
	return as_err_memory(l->rd->err, as_vec_push(l->rd->al, &l->pc, pc));
}

/* REST is addresses up to the end of the line. */
enum as_code as_lg_row_addresses(struct as_lg_read *l, struct as_slice rest)
{
	uint64_t pc;

	l->pc.n = 0;
	for (;;) {
		while (rest.len && (rest.p[0] == ' ' || rest.p[0] == '\t'))
			rest = as_slice_skip(rest, 1);
		if (!rest.len || (rest.len == 1 && rest.p[0] == '\r'))
			return AS_OK;
		if (!take_address(&rest, &pc) ||
			(rest.len && rest.p[0] != ' ' && rest.p[0] != '\t' && rest.p[0] != '\r'))
			return as_rd_find(l->rd, AS_F_LG_ADDRESS, l->line_off, l->line,
				"expected an address, found '%.*s'; the stack ends there",
				LG_SHOWN(rest));
		if (AS_LIKELY(l->pc.n < l->pc.cap && l->pc.n < l->rd->lim.depth))
			l->pc.p[l->pc.n++] = pc;
		else
			AS_TRY(as_lg_row_address(l, pc));
	}
}

bool as_lg_row_numbers(const struct as_lg_read *l, struct as_slice *rest, uint64_t v[LG_NUMBERS])
{
	struct as_slice s = as_slice_ltrim(*rest);
	uint32_t n = l->head.kind == AS_LG_COUNT ? 1 : 2;

	if (l->head.kind == AS_LG_HEAP) {
		if (!as_lg_take_four(&s, v))
			return false;
		n = 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		s = as_slice_ltrim(s);
		if (!as_slice_take_dec(&s, &v[i]))
			return false;
	}
	s = as_slice_ltrim(s);
	if (!s.len || s.p[0] != '@')
		return false;
	*rest = as_slice_skip(s, 1);
	return true;
}

enum as_code as_lg_unknown_line(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice s = as_slice_trim(as_slice_chop(line));

	if (as_map_line_starts(line))
		return as_lg_map_add(l, line);
	return as_rd_find(l->rd, AS_F_LG_LINE, l->line_off, l->line,
		"no row: '%.*s'; the line was left out", LG_SHOWN(s));
}

/* ---- jemalloc: "@ 0x12 0x34", below it "t*: N: N [N: N]" and the same of each thread ---- */

enum as_code as_lg_jemalloc_line(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice s = as_slice_ltrim(line);
	uint64_t v[LG_NUMBERS];

	if (s.p[0] == '@') {
		AS_TRY(as_lg_row_close(l));
		return as_lg_row_addresses(l, as_slice_skip(s, 1));
	}
	if (as_slice_starts(s, "t*:")) {
		s = as_slice_skip(s, 3);
		return as_lg_take_four(&s, v) ? as_lg_row_open(l, v) : as_lg_unknown_line(l, line);
	}
	/* A thread's numbers are in those of all. */
	if (s.len > 1 && s.p[0] == 't' && s.p[1] >= '0' && s.p[1] <= '9')
		return AS_OK;
	AS_TRY(as_lg_row_close(l));
	return as_lg_unknown_line(l, line);
}

/* ---- threads ---- */

static struct as_slice rows_between(struct as_slice s, const char *from, const char *to)
{
	size_t at = as_slice_find_text(s, from), end;

	if (at == s.len)
		return (struct as_slice){NULL, 0};
	s = as_slice_skip(s, at + strlen(from));
	end = as_slice_find_text(s, to);
	return (struct as_slice){s.p, end};
}

/* "--- Thread 7f794ab90940 (name: main/14748) stack: ---" */
static enum as_code lg_thread_begin(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice name = rows_between(line, "(name: ", ") stack:");
	size_t slash = as_slice_up_to_last(name, '/');
	struct as_label label[2] = {{.number = 0}, {.number = 0}};
	uint64_t tid;
	uint32_t n = 0;

	AS_TRY(as_lg_row_open(l, (const uint64_t[LG_NUMBERS]){1}));
	l->is_fresh = true;
	l->is_same = false;
	if (slash && as_slice_dec(as_slice_skip(name, slash), &tid) && tid <= INT64_MAX) {
		name.len = slash - 1;
		label[n].number = (int64_t)tid;
		AS_TRY(as_build_str(l->rd->out, as_slice_of("tid"), &label[n++].key));
	}
	if (name.len) {
		AS_TRY(as_build_str(l->rd->out, as_slice_of("thread"), &label[n].key));
		AS_TRY(as_build_str(l->rd->out, name, &label[n++].text));
	}
	return n ? as_build_labelled(l->rd->out, label, n, &l->row_part) : AS_OK;
}

/* What stands behind the address that was added last: its name. */
static enum as_code thread_name(struct as_lg_read *l, struct as_slice name)
{
	uint64_t pc = l->pc.p[l->pc.n - 1] - (l->pc.n > 1);
	struct as_lg_frame frame = {.func = as_slice_trim(as_slice_chop(name))};

	if (!frame.func.len)
		return AS_OK;
	return as_err_memory(l->rd->err, as_lg_names_add(&l->names, pc, &frame));
}

/* "PC: 0xbc8f1c 0xbcae55", "0x0040be31: main", "creator: 0xa45b96" */
static enum as_code thread_stack(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice rest = as_slice_trim(as_slice_chop(line));
	uint64_t pc;

	if (as_slice_starts(rest, "PC:"))
		rest = as_slice_skip(rest, 3);
	else if (as_slice_starts(rest, "creator:"))
		rest = as_slice_skip(rest, 8);
	if (l->is_fresh)
		l->pc.n = 0;
	l->is_fresh = false;
	for (rest = as_slice_ltrim(rest); rest.len; rest = as_slice_ltrim(rest)) {
		if (!as_slice_starts(rest, "0x") || !take_address(&rest, &pc))
			return as_lg_unknown_line(l, line);
		AS_TRY(as_lg_row_address(l, pc));
		if (rest.len && rest.p[0] == ':')
			return thread_name(l, as_slice_skip(rest, 1));
	}
	return AS_OK;
}

enum as_code as_lg_thread_line(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice s = as_slice_trim(as_slice_chop(line));

	if (as_slice_starts(s, "--- Thread "))
		return lg_thread_begin(l, s);
	if (as_slice_starts(s, "---")) { /* "---- no stack trace for 12 threads" */
		AS_TRY(as_lg_row_close(l));
		return as_rd_find(l->rd, AS_F_LG_DISCARDED, l->line_off, l->line,
			"not counted: '%.*s'", LG_SHOWN(s));
	}
	if (!l->is_open)
		return as_lg_unknown_line(l, line);
	if (as_slice_find_text(s, "same as previous thread") < s.len) {
		l->is_same = true;
		return AS_OK;
	}
	return thread_stack(l, line);
}
