/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "io/pack_impl.h"

static const char *const key_text[] = PACK_KEY_TEXTS;

enum { AHEAD = 64 * 1024, READ_STEP = 256 * 1024 };

struct unpack {
	struct as_src src;
	const struct as_alloc *al;
	AS_VEC(char) data;
	struct as_slice col[PACK_COLUMNS]; /* what is left of each */
	size_t positions;
	uint64_t branch; /* bit of conditional branches in a mask */
	bool no_end;
	struct pack_known known;
	AS_VEC(char) text; /* lines made, of which AT bytes are given out */
	size_t at;
	bool bad; /* a column ends too early, or memory */
};

/* ---- columns ---- */

static unsigned get_byte(struct unpack *u, size_t col)
{
	struct as_slice *c = &u->col[col];

	if (!c->len) {
		u->bad = true;
		return 0;
	}
	*c = as_slice_skip(*c, 1);
	return (unsigned char)c->p[-1];
}

static uint64_t get_varint(struct unpack *u, size_t col)
{
	uint64_t n = 0;
	unsigned byte = 128;

	for (unsigned shift = 0; (byte & 128) && shift < 64; shift += 7) {
		byte = get_byte(u, col);
		n |= (uint64_t)(byte & 127) << shift;
	}
	u->bad |= (byte & 128) != 0;
	return n;
}

static struct as_slice get_line(struct unpack *u, size_t col)
{
	struct as_slice *c = &u->col[col], line = {c->p, as_slice_find(*c, '\n')};

	if (line.len == c->len)
		u->bad = true;
	else
		*c = as_slice_skip(*c, line.len + 1);
	return line;
}

/* ---- text ---- */

static void put(struct unpack *u, const char *p, size_t n)
{
	if (!as_vec_reserve(u->al, &u->text, u->text.n + n)) {
		u->bad = true;
		return;
	}
	if (n)
		memcpy(u->text.p + u->text.n, p, n);
	u->text.n += n;
}

/* BEFORE 0: nothing is. */
static void put_digits(struct unpack *u, char before, uint64_t n, unsigned base)
{
	char buf[24];
	size_t at = sizeof(buf);

	do {
		buf[--at] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	if (before)
		buf[--at] = before;
	put(u, buf + at, sizeof(buf) - at);
}

static void put_number(struct unpack *u, char before, uint64_t n)
{
	put_digits(u, before, n, 10);
}

static uint64_t put_step(struct unpack *u, uint64_t code, uint64_t at)
{
	uint64_t n = (code >> 1) + (code & 1);

	if (!code)
		put(u, "*", 1);
	else
		put_number(u, code & 1 ? '+' : '-', n);
	return code & 1 ? at + n : at - n;
}

/* Where it is. */
static uint64_t put_position(struct unpack *u, enum pack_kind kind, size_t i)
{
	size_t col = (size_t)kind * PACK_POSITIONS + i;
	uint64_t code = get_byte(u, as_pack_steps(&u->known, kind, i)), at = u->known.at[i];
	struct as_slice word;

	if (code == PACK_WORD) {
		word = get_line(u, PACK_WORDS + col);
		put(u, word.p, word.len);
	} else if (code == PACK_HEX || code == PACK_DEC) {
		at = as_pack_go(as_pack_base(&u->known, kind, i), get_varint(u, PACK_FARS + col));
		if (code == PACK_HEX)
			put(u, "0", 1);
		put_digits(u, code == PACK_HEX ? 'x' : 0, at, code == PACK_HEX ? 16 : 10);
	} else {
		at = put_step(u, code == PACK_FAR ? get_varint(u, PACK_FARS + col) : code, at);
	}
	return at;
}

static void put_positions(struct unpack *u, enum pack_kind kind)
{
	uint64_t at[PACK_POSITIONS] = {0};

	for (size_t i = 0; i < u->positions; i++) {
		if (i)
			put(u, " ", 1);
		at[i] = put_position(u, kind, i);
	}
	as_pack_saw_positions(&u->known, kind, at);
}

static uint64_t related(struct unpack *u, unsigned how, uint64_t first, size_t col)
{
	return how == PACK_ZERO ? 0 : how == PACK_FIRST ? first : get_varint(u, col);
}

static void put_self(struct unpack *u, unsigned op)
{
	uint64_t v[PACK_VALUES] = {0}, mask = 0;
	size_t n = 0;

	put_positions(u, PACK_SELF);
	v[0] = op & PACK_SAME ? as_pack_foretold(&u->known) : get_varint(u, PACK_COST);
	v[1] = related(u, op / PACK_SECOND & 3, v[0], PACK_COST + 1);
	v[2] = related(u, op / PACK_THIRD & 3, v[0], PACK_COST + 2);
	if (op & PACK_BRANCHED)
		mask = get_varint(u, PACK_BRANCH) | u->branch;
	else if (op & PACK_MORE)
		mask = get_varint(u, PACK_MASK);
	for (size_t i = 3; i < PACK_VALUES; i++)
		if (mask & as_pack_bit(i))
			v[i] = get_varint(u, PACK_COST + i);
	for (size_t i = 0; i < PACK_VALUES; i++)
		if (v[i])
			n = i + 1;
	for (size_t i = 0; i < n; i++)
		put_number(u, ' ', v[i]);
	as_pack_saw_cost(&u->known, v[0]);
}

static void put_call(struct unpack *u)
{
	size_t n;

	put_positions(u, PACK_CALL);
	n = get_byte(u, PACK_N);
	u->bad |= n > PACK_VALUES;
	for (size_t i = 0; i < n && !u->bad; i++)
		put_number(u, ' ', get_varint(u, PACK_COST + PACK_VALUES + i));
}

static void put_text(struct unpack *u, size_t key)
{
	struct as_slice line;

	if (key > PACK_OTHER) {
		u->bad = true;
		return;
	}
	line = get_line(u, PACK_LINES + key);
	if (key < PACK_KEYS)
		put(u, key_text[key], strlen(key_text[key]));
	put(u, line.p, line.len);
	as_pack_saw_text(&u->known, key, line);
}

/* "calls=3", "jump=3", "jcnd=3/7", and to where. */
static void put_way(struct unpack *u, unsigned op)
{
	uint64_t last = u->known.last, n;
	bool calls = op == PACK_CALLS;

	put(u, calls ? "calls" : op == PACK_JUMP ? "jump" : "jcnd", calls ? 5 : 4);
	n = as_pack_go(last, get_varint(u, calls ? PACK_COUNT : PACK_FOLLOWED));
	put_number(u, '=', n);
	if (op == PACK_JCND)
		put_number(u, '/', as_pack_go(last, get_varint(u, PACK_PASSED)));
	put(u, " ", 1);
	put_positions(u, calls ? PACK_TARGET : PACK_JUMPED);
	if (!calls)
		as_pack_saw_jumps(&u->known, n);
}

static void put_numbers(struct unpack *u, unsigned op)
{
	if (op == PACK_BARE)
		put_positions(u, PACK_PLACE);
	else if (op == PACK_COSTS)
		put_call(u);
	else if (op <= PACK_JCND)
		put_way(u, op);
	else
		u->bad = true;
}

static void put_one(struct unpack *u)
{
	unsigned op = get_byte(u, PACK_OP);

	if (op < PACK_BARE || op >= PACK_BRANCHED) {
		put_self(u, op);
	} else if (op >= PACK_TEXT) {
		put_text(u, op - PACK_TEXT);
	} else {
		put_numbers(u, op & ~(unsigned)PACK_BLANK);
		if (op & PACK_BLANK)
			put(u, " ", 1);
	}
	as_pack_saw_op(&u->known, op);
	if (u->col[PACK_OP].len || !u->no_end)
		put(u, "\n", 1);
}

static ptrdiff_t unpack_read(struct as_src *src, void *buf, size_t n)
{
	struct unpack *u = (struct unpack *)src;

	if (u->at == u->text.n) {
		u->at = u->text.n = 0;
		while (u->text.n < AHEAD && u->col[PACK_OP].len && !u->bad)
			put_one(u);
	}
	if (u->bad) {
		src->fault = "its packed data are damaged";
		return -EIO;
	}
	n = n < u->text.n - u->at ? n : u->text.n - u->at;
	if (n)
		memcpy(buf, u->text.p + u->at, n);
	u->at += n;
	return (ptrdiff_t)n;
}

static void unpack_close(struct as_src *src)
{
	struct unpack *u = (struct unpack *)src;
	const struct as_alloc *al = u->al;

	as_vec_free(al, &u->data);
	as_vec_free(al, &u->text);
	as_alloc_free(al, u, sizeof(*u));
}

/* ---- opening ---- */

static bool read_all(struct unpack *u, struct as_src *inner)
{
	for (;;) {
		ptrdiff_t n;

		if (!as_vec_reserve(u->al, &u->data, u->data.n + READ_STEP))
			return false;
		n = inner->read(inner, u->data.p + u->data.n, READ_STEP);
		if (n <= 0)
			return n == 0;
		u->data.n += (size_t)n;
	}
}

/* Where each column is. */
static bool find_columns(struct unpack *u)
{
	struct as_slice rest = {u->data.p, u->data.n};
	uint64_t len[PACK_COLUMNS];
	unsigned char head;

	if (rest.len < 6 || !as_slice_starts(rest, AS_PACK_MAGIC))
		return false;
	head = (unsigned char)rest.p[4];
	u->positions = head & 127;
	u->branch = as_pack_bit((unsigned char)rest.p[5]);
	u->no_end = head & PACK_NO_END;
	u->col[0] = as_slice_skip(rest, 6);
	for (size_t c = 0; c < PACK_COLUMNS; c++)
		len[c] = get_varint(u, 0);
	rest = u->col[0];
	for (size_t c = 0; c < PACK_COLUMNS; c++) {
		if (len[c] > rest.len)
			return false;
		u->col[c] = (struct as_slice){rest.p, (size_t)len[c]};
		rest = as_slice_skip(rest, (size_t)len[c]);
	}
	return !u->bad && u->positions >= 1 && u->positions <= PACK_POSITIONS;
}

enum as_code as_unpack_open(
	const struct as_alloc *al, struct as_src *inner, struct as_src **out, struct as_err *err)
{
	struct unpack *u = as_alloc_new(al, sizeof(*u));
	bool ok;

	if (u) {
		u->al = al;
		u->src = (struct as_src){.read = unpack_read,
			.close = unpack_close,
			.size = AS_SIZE_UNKNOWN,
			.name = inner->name};
	}
	ok = u && read_all(u, inner);
	if (inner->close)
		inner->close(inner);
	if (!ok) {
		if (u)
			unpack_close(&u->src);
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	}
	u->bad = !find_columns(u); /* told when it is read */
	*out = &u->src;
	return AS_OK;
}
