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
	size_t branch_cost; /* which are the conditional branches, or 0 */
	struct pack_known known;
	bool called; /* the line before was "calls=" */
	bool failed; /* out of memory */
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

static void put_op(struct packer *p, unsigned op)
{
	put_byte(p, PACK_OP, op);
	as_pack_saw_op(&p->known, op);
}

/* ---- one line ---- */

struct line {
	struct as_slice pos[PACK_POSITIONS];
	uint64_t value[PACK_VALUES];
	size_t n;
	bool blank; /* at its end */
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

	l->blank = text.len && text.p[text.len - 1] == ' ';
	text.len -= l->blank;
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

/* "0x12ab", small letters, no zeros in front. */
static bool hex_number(struct as_slice word, uint64_t *n)
{
	if (!as_slice_starts(word, "0x") || (word.len > 3 && word.p[2] == '0'))
		return false;
	for (size_t i = 2; i < word.len; i++)
		if (word.p[i] >= 'A' && word.p[i] <= 'F')
			return false;
	return as_slice_hex(as_slice_skip(word, 2), n);
}

/* A step from AT, as its code. */
static bool step(struct as_slice word, uint64_t *code, uint64_t *at)
{
	uint64_t n;

	*code = 0;
	if (as_slice_is(word, "*"))
		return true;
	if ((word.p[0] != '+' && word.p[0] != '-') || !number(as_slice_skip(word, 1), &n) || !n ||
		n >= PACK_STEP_MAX)
		return false;
	*code = 2 * n - (word.p[0] == '+');
	*at += word.p[0] == '+' ? n : 0 - n;
	return true;
}

/* Where it is. */
static uint64_t put_position(struct packer *p, enum pack_kind kind, size_t i, struct as_slice word)
{
	size_t col = (size_t)kind * PACK_POSITIONS + i;
	size_t steps = as_pack_steps(&p->known, kind, i);
	uint64_t code, at = p->known.at[i];
	bool hex;

	if (step(word, &code, &at)) {
		put_byte(p, steps, code < PACK_DEC ? (unsigned)code : PACK_FAR);
		if (code >= PACK_DEC)
			put_varint(p, PACK_FARS + col, code);
	} else if ((hex = hex_number(word, &at)) || number(word, &at)) {
		put_byte(p, steps, hex ? PACK_HEX : PACK_DEC);
		put_varint(p, PACK_FARS + col, as_pack_way(as_pack_base(&p->known, kind, i), at));
	} else {
		put_byte(p, steps, PACK_WORD);
		put_line(p, PACK_WORDS + col, word);
		at = p->known.at[i];
	}
	return at;
}

static void put_positions(struct packer *p, enum pack_kind kind, const struct line *l)
{
	uint64_t at[PACK_POSITIONS] = {0};

	for (size_t i = 0; i < p->positions; i++)
		at[i] = put_position(p, kind, i, l->pos[i]);
	as_pack_saw_positions(&p->known, kind, at);
}

static unsigned relation(uint64_t v, uint64_t first)
{
	return !v ? PACK_ZERO : v == first ? PACK_FIRST : PACK_GIVEN;
}

static void put_self(struct packer *p, const struct line *l)
{
	uint64_t first = l->value[0], second = l->n > 1 ? l->value[1] : 0;
	uint64_t third = l->n > 2 ? l->value[2] : 0, mask = 0;
	uint64_t branch = as_pack_bit(p->branch_cost);
	unsigned op;

	put_positions(p, PACK_SELF, l);
	op = first == as_pack_foretold(&p->known) ? PACK_SAME : 0;
	if (!op)
		put_varint(p, PACK_COST, first);
	op |= relation(second, first) * PACK_SECOND | relation(third, first) * PACK_THIRD;
	if (relation(second, first) == PACK_GIVEN)
		put_varint(p, PACK_COST + 1, second);
	if (relation(third, first) == PACK_GIVEN)
		put_varint(p, PACK_COST + 2, third);
	for (size_t i = 3; i < l->n; i++)
		if (l->value[i]) {
			mask |= as_pack_bit(i);
			put_varint(p, PACK_COST + i, l->value[i]);
		}
	if (mask & branch)
		put_varint(p, PACK_BRANCH, mask & ~branch);
	else if (mask)
		put_varint(p, PACK_MASK, mask);
	put_op(p, op | (mask & branch ? PACK_BRANCHED : mask ? PACK_MORE : 0));
	as_pack_saw_cost(&p->known, first);
}

static void put_call(struct packer *p, const struct line *l)
{
	put_op(p, PACK_COSTS + l->blank);
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
		put_op(p, PACK_BARE + l.blank);
		put_positions(p, PACK_PLACE, &l);
	} else if (l.value[l.n - 1] && !l.blank) {
		put_self(p, &l);
	} else {
		return false;
	}
	return true;
}

/* "calls=3 0x1234 56", "jump=3 ...", "jcnd=3/7 ..." */
static bool put_way(struct packer *p, const char *key, unsigned op, struct as_slice text)
{
	struct as_slice count, followed;
	struct line l;
	uint64_t n, passed = 0;

	if (!as_slice_starts(text, key))
		return false;
	text = as_slice_skip(text, strlen(key));
	if (!as_slice_cut(&text, ' ', &count))
		return false;
	if (op == PACK_JCND) {
		if (!as_slice_cut(&count, '/', &followed) || !number(count, &passed))
			return false;
		count = followed;
	}
	if (!number(count, &n) || !text.len || !split(p, text, &l) || l.n)
		return false;
	put_op(p, op + l.blank);
	if (op == PACK_JCND)
		put_varint(p, PACK_PASSED, as_pack_way(p->known.last, passed));
	put_varint(p, op == PACK_CALLS ? PACK_COUNT : PACK_FOLLOWED, as_pack_way(p->known.last, n));
	put_positions(p, op == PACK_CALLS ? PACK_TARGET : PACK_JUMPED, &l);
	if (op != PACK_CALLS)
		as_pack_saw_jumps(&p->known, n);
	return true;
}

static void put_text(struct packer *p, struct as_slice text)
{
	size_t key = 0;

	while (key < PACK_KEYS && !as_slice_starts(text, key_text[key]))
		key++;
	put_op(p, PACK_TEXT + (unsigned)key);
	if (key < PACK_KEYS)
		text = as_slice_skip(text, strlen(key_text[key]));
	put_line(p, PACK_LINES + key, text);
	as_pack_saw_text(&p->known, key, text);
}

/* ---- all of it ---- */

/* The rest of the header's first line with this key. */
static struct as_slice header(struct as_slice text, const char *key)
{
	struct as_slice line = {NULL, 0};

	text = as_slice_skip(text, as_slice_find_text(text, key));
	text = as_slice_skip(text, text.len ? strlen(key) : 0);
	(void)as_slice_cut(&text, '\n', &line);
	return line;
}

/* How many positions a line has. */
static size_t positions_of(struct as_slice text)
{
	struct as_slice line = header(text, "\npositions:"), word;
	size_t n = 0;

	while (as_slice_word(&line, &word))
		n++;
	return n == 2 ? 2 : 1;
}

/* Which of its costs are conditional branches. 0: none that is told by a bit. */
static size_t branch_of(struct as_slice text)
{
	struct as_slice line = header(text, "\nevents:"), word;

	for (size_t i = 0; i < PACK_VALUES && as_slice_word(&line, &word); i++)
		if (i >= 3 && as_slice_is(word, "Bc"))
			return i;
	return 0;
}

static void put_all(struct packer *p, struct as_slice text)
{
	while (text.len && !p->failed) {
		struct as_slice line = {text.p, as_slice_find(text, '\n')};
		bool calls = put_way(p, "calls=", PACK_CALLS, line);

		if (!calls && !put_way(p, "jump=", PACK_JUMP, line) &&
			!put_way(p, "jcnd=", PACK_JCND, line) && !put_costs(p, line))
			put_text(p, line);
		p->called = calls;
		text = as_slice_skip(text, line.len + (line.len < text.len));
	}
}

static bool join(struct packer *p, struct as_packed *out, bool no_end)
{
	size_t n = 4 + 2;

	for (size_t c = 0; c < PACK_COLUMNS; c++)
		n += p->col[c].v.n + 10; /* a varint */
	if (!as_vec_reserve(p->al, &out->data, n))
		return false;
	memcpy(out->data.p, AS_PACK_MAGIC, 4);
	out->data.p[4] = (char)(p->positions | (no_end ? PACK_NO_END : 0));
	out->data.p[5] = (char)p->branch_cost;
	out->data.n = 6;
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
	struct packer *p = as_alloc_new(al, sizeof(*p));
	bool ok = p;

	*out = (struct as_packed){.al = al};
	if (p) {
		p->al = al;
		p->positions = positions_of(text);
		p->branch_cost = branch_of(text);
		put_all(p, text);
		ok = !p->failed && join(p, out, text.len && text.p[text.len - 1] != '\n');
		for (size_t c = 0; c < PACK_COLUMNS; c++)
			as_vec_free(al, &p->col[c].v);
		as_alloc_free(al, p, sizeof(*p));
	}
	if (!ok)
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	return compare(out, text, err);
}

void as_packed_release(struct as_packed *p)
{
	as_vec_free(p->al, &p->data);
}
