/* SPDX-License-Identifier: Apache-2.0 */
#include "io/pack_impl.h"

static const char *const key_text[] = PACK_KEY_TEXTS;

struct column {
	AS_VEC(char) v;
};

struct packer {
	const struct as_alloc *al;
	struct column col[PACK_COLUMNS];
	size_t positions;
	uint64_t last; /* first cost of the last line of own costs */
	bool called;   /* the line before was "calls=" */
	bool failed;   /* out of memory */
};

static void put_byte(struct packer *p, size_t col, unsigned byte)
{
	if (!as_vec_push(p->al, &p->col[col].v, (char)byte))
		p->failed = true;
}

static void put_varint(struct packer *p, size_t col, uint64_t n)
{
	for (; n >= 128; n >>= 7)
		put_byte(p, col, (unsigned)(n & 127) | 128);
	put_byte(p, col, (unsigned)n);
}

static void put_line(struct packer *p, size_t col, struct as_slice text)
{
	for (size_t i = 0; i < text.len; i++)
		put_byte(p, col, (unsigned char)text.p[i]);
	put_byte(p, col, '\n');
}

/* ---- one line ---- */

struct line {
	struct as_slice pos[PACK_POSITIONS];
	uint64_t value[PACK_VALUES];
	size_t n;
};

/* A number as it would be written: no sign, no zeros in front. */
static bool number(struct as_slice word, uint64_t *n)
{
	return word.len && (word.p[0] != '0' || word.len == 1) && as_slice_dec(word, n);
}

/* Words with one blank between them; false if it is none of ours. */
static bool split(const struct packer *p, struct as_slice text, struct line *l)
{
	struct as_slice word;
	size_t i = 0;

	if (text.len && text.p[text.len - 1] == ' ')
		return false;
	l->n = 0;
	for (; as_slice_cut(&text, ' ', &word); i++) {
		if (!word.len)
			return false;
		if (i < p->positions)
			l->pos[i] = word;
		else if (l->n == PACK_VALUES || !number(word, &l->value[l->n++]))
			return false;
	}
	return i >= p->positions;
}

static void put_position(struct packer *p, enum pack_kind kind, size_t i, struct as_slice word)
{
	size_t at = (size_t)kind * PACK_POSITIONS + i;
	uint64_t n = 0, code = 0;
	bool step = as_slice_is(word, "*");

	if (!step && (word.p[0] == '+' || word.p[0] == '-') && number(as_slice_skip(word, 1), &n) &&
		n && n < PACK_STEP_MAX) {
		code = 2 * n - (word.p[0] == '+');
		step = true;
	}
	put_byte(p, PACK_POS + at,
		!step              ? PACK_WORD
		: code >= PACK_FAR ? PACK_FAR
				   : (unsigned)code);
	if (!step)
		put_line(p, PACK_WORDS + at, word);
	else if (code >= PACK_FAR)
		put_varint(p, PACK_POS + at, code);
}

static void put_positions(struct packer *p, enum pack_kind kind, const struct line *l)
{
	for (size_t i = 0; i < p->positions; i++)
		put_position(p, kind, i, l->pos[i]);
}

static unsigned relation(uint64_t v, uint64_t first)
{
	return !v ? PACK_ZERO : v == first ? PACK_FIRST : PACK_GIVEN;
}

static void put_self(struct packer *p, const struct line *l)
{
	uint64_t first = l->value[0], second = l->n > 1 ? l->value[1] : 0;
	uint64_t third = l->n > 2 ? l->value[2] : 0, mask = 0;
	unsigned op = first == p->last ? PACK_SAME : 0;

	if (!op)
		put_varint(p, PACK_COST, first);
	op |= relation(second, first) * PACK_SECOND | relation(third, first) * PACK_THIRD;
	if (relation(second, first) == PACK_GIVEN)
		put_varint(p, PACK_COST + 1, second);
	if (relation(third, first) == PACK_GIVEN)
		put_varint(p, PACK_COST + 2, third);
	for (size_t i = 3; i < l->n; i++)
		if (l->value[i]) {
			mask |= UINT64_C(1) << (i - 3);
			put_varint(p, PACK_COST + i, l->value[i]);
		}
	if (mask)
		put_varint(p, PACK_MASK, mask);
	put_byte(p, PACK_OP, op | (mask ? PACK_MORE : 0));
	put_positions(p, PACK_SELF, l);
	p->last = first;
}

static void put_call(struct packer *p, const struct line *l)
{
	put_byte(p, PACK_OP, PACK_COSTS);
	put_positions(p, PACK_CALL, l);
	put_byte(p, PACK_N, (unsigned)l->n);
	for (size_t i = 0; i < l->n; i++)
		put_varint(p, PACK_COST + PACK_VALUES + i, l->value[i]);
}

static bool put_costs(struct packer *p, struct as_slice text)
{
	struct line l;

	if (!text.len || !strchr("0123456789+-*", text.p[0]) || !split(p, text, &l))
		return false;
	if (p->called) {
		put_call(p, &l);
	} else if (!l.n) {
		put_byte(p, PACK_OP, PACK_BARE);
		put_positions(p, PACK_SELF, &l);
	} else if (l.value[l.n - 1]) {
		put_self(p, &l);
	} else {
		return false;
	}
	return true;
}

/* "calls=3 0x1234 56" */
static bool put_calls(struct packer *p, struct as_slice text)
{
	struct as_slice count;
	struct line l;
	uint64_t n;

	if (!as_slice_starts(text, "calls="))
		return false;
	text = as_slice_skip(text, strlen("calls="));
	if (!as_slice_cut(&text, ' ', &count) || !number(count, &n) || !text.len ||
		!split(p, text, &l) || l.n)
		return false;
	put_byte(p, PACK_OP, PACK_CALLS);
	put_varint(p, PACK_N, n);
	put_positions(p, PACK_TARGET, &l);
	return true;
}

static void put_text(struct packer *p, struct as_slice text)
{
	size_t key = 0;

	while (key < PACK_KEYS && !as_slice_starts(text, key_text[key]))
		key++;
	put_byte(p, PACK_OP, PACK_TEXT + (unsigned)key);
	if (key < PACK_KEYS)
		text = as_slice_skip(text, strlen(key_text[key]));
	put_line(p, PACK_LINES + key, text);
}

/* ---- all of it ---- */

/* How many positions a line has, as the first line of the header that tells it says. */
static size_t positions_of(struct as_slice text)
{
	static const char key[] = "\npositions:";
	size_t at = as_slice_find_text(text, key);
	struct as_slice rest = as_slice_skip(text, at), line, word;
	size_t n = 0;

	if (!rest.len)
		return 1;
	rest = as_slice_skip(rest, strlen(key));
	if (as_slice_cut(&rest, '\n', &line))
		while (as_slice_word(&line, &word))
			n++;
	return n == 2 ? 2 : 1;
}

static void put_all(struct packer *p, struct as_slice text)
{
	while (text.len && !p->failed) {
		struct as_slice line = {text.p, as_slice_find(text, '\n')};
		bool calls = put_calls(p, line);

		if (!calls && !put_costs(p, line))
			put_text(p, line);
		p->called = calls;
		text = as_slice_skip(text, line.len + (line.len < text.len));
	}
}

static bool join(struct packer *p, struct as_packed *out, bool no_end)
{
	size_t n = 4 + 1;

	for (size_t c = 0; c < PACK_COLUMNS; c++)
		n += p->col[c].v.n + 10; /* a varint */
	if (!as_vec_reserve(p->al, &out->data, n))
		return false;
	memcpy(out->data.p, AS_PACK_MAGIC, 4);
	out->data.p[4] = (char)(p->positions | (no_end ? PACK_NO_END : 0));
	out->data.n = 5;
	for (size_t c = 0; c < PACK_COLUMNS; c++) {
		uint64_t len = p->col[c].v.n;

		for (; len >= 128; len >>= 7)
			out->data.p[out->data.n++] = (char)((len & 127) | 128);
		out->data.p[out->data.n++] = (char)len;
	}
	for (size_t c = 0; c < PACK_COLUMNS; c++) {
		if (p->col[c].v.n)
			memcpy(out->data.p + out->data.n, p->col[c].v.p, p->col[c].v.n);
		out->data.n += p->col[c].v.n;
	}
	return true;
}

/* ---- and back, to be sure ---- */

static enum as_code compare(
	const struct as_packed *packed, struct as_slice text, struct as_err *err)
{
	struct as_src_mem m;
	struct as_src *src;
	char buf[16384];
	ptrdiff_t n;
	bool same = true;

	as_src_mem_init(&m, (struct as_slice){packed->data.p, packed->data.n}, "");
	AS_TRY(as_unpack_open(packed->al, &m.src, &src, err));
	while (same && (n = src->read(src, buf, sizeof(buf))) != 0) {
		same = n > 0 && (size_t)n <= text.len && memcmp(buf, text.p, (size_t)n) == 0;
		text = as_slice_skip(text, same ? (size_t)n : 0);
	}
	src->close(src);
	return same && !text.len ? AS_OK : as_err_set(err, AS_E_UNSUPPORTED, "cannot be packed");
}

enum as_code as_pack(
	struct as_packed *out, const struct as_alloc *al, struct as_slice text, struct as_err *err)
{
	struct packer p = {.al = al, .positions = positions_of(text)};
	bool ok;

	*out = (struct as_packed){.al = al};
	put_all(&p, text);
	ok = !p.failed && join(&p, out, text.len && text.p[text.len - 1] != '\n');
	for (size_t c = 0; c < PACK_COLUMNS; c++)
		as_vec_free(al, &p.col[c].v);
	if (!ok)
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	return compare(out, text, err);
}

void as_packed_release(struct as_packed *p)
{
	as_vec_free(p->al, &p->data);
}
