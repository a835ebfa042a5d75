/* SPDX-License-Identifier: Apache-2.0 */
/* Values as Python's marshal writes them, versions 1 to 5. docs/formats/pstats.md §1. */
#include "formats/pstats/pstats.h"

enum {
	FLAG_REF = 0x80, /* of a kind: the rest may refer to the value */
	DIGIT = 15,      /* bits of a digit of a long integer */
	DIGITS = 5,      /* that 64 bits may have */
};

bool as_py_wrong(struct py_in *m, const char *why)
{
	if (!m->why)
		m->why = why;
	return false;
}

static bool marshal_take(struct py_in *m, size_t n, const char **p)
{
	*p = m->p;
	if ((size_t)(m->end - m->p) < n) {
		m->cut = !m->why;
		return as_py_wrong(m, "the input ends inside of a value");
	}
	m->p += n;
	return true;
}

/* N bytes, the lowest first. */
static bool marshal_number(struct py_in *m, unsigned n, uint64_t *v)
{
	const char *p;

	*v = 0;
	if (!marshal_take(m, n, &p))
		return false;
	for (unsigned i = n; i-- > 0;)
		*v = *v << 8 | (unsigned char)p[i];
	return true;
}

/* The same with a sign. */
static bool marshal_signed(struct py_in *m, unsigned n, int64_t *v)
{
	unsigned above = 64 - 8 * n;
	uint64_t u;

	if (!marshal_number(m, n, &u))
		return false;
	*v = (int64_t)(u << above) >> above;
	return true;
}

/* A number of digits, below zero if that is, and the digits. */
static bool marshal_long(struct py_in *m, int64_t *v)
{
	as_val sum = 0;
	uint64_t digit;
	int64_t n;
	bool below;

	if (!marshal_signed(m, 4, &n))
		return false;
	below = n < 0;
	n = below ? -n : n;
	if (n > DIGITS)
		return as_py_wrong(m, "a number has more than 64 bits");
	for (int64_t i = 0; i < n; i++) {
		if (!marshal_number(m, 2, &digit))
			return false;
		if (digit >> DIGIT)
			return as_py_wrong(m, "a digit of a number has more than 15 bits");
		sum |= (as_val)digit << DIGIT * i;
	}
	sum = below ? -sum : sum;
	if (sum > INT64_MAX || sum < INT64_MIN)
		return as_py_wrong(m, "a number has more than 64 bits");
	*v = (int64_t)sum;
	return true;
}

static bool marshal_text(struct py_in *m, unsigned width, struct as_slice *text)
{
	uint64_t n;

	if (!marshal_number(m, width, &n) || !marshal_take(m, (size_t)n, &text->p))
		return false;
	text->len = (size_t)n;
	return true;
}

static bool marshal_keep(struct py_in *m, const struct py_value *v)
{
	if (as_vec_push(m->al, &m->ref, *v))
		return true;
	m->no_memory = true;
	return as_py_wrong(m, "out of memory");
}

/* Python 2's 't': what it refers to by 'R'. */
static bool marshal_interned(struct py_in *m, struct as_slice *text)
{
	if (!marshal_text(m, 4, text))
		return false;
	if (as_vec_push(m->al, &m->text, *text))
		return true;
	m->no_memory = true;
	return as_py_wrong(m, "out of memory");
}

/* What was read before. */
static bool marshal_ref(struct py_in *m, struct py_value *v)
{
	uint64_t n;

	if (!marshal_number(m, 4, &n))
		return false;
	if (n >= m->ref.n)
		return as_py_wrong(m, "a reference to a value that has not been read");
	*v = m->ref.p[n];
	if (v->kind == PY_TUPLE || v->kind == PY_DICT)
		return as_py_wrong(m, "a reference to a value that is no name of a function");
	return true;
}

static bool marshal_text_ref(struct py_in *m, struct as_slice *text)
{
	uint64_t n;

	if (!marshal_number(m, 4, &n))
		return false;
	if (n >= m->text.n)
		return as_py_wrong(m, "a reference to a text that has not been read");
	*text = m->text.p[n];
	return true;
}

static bool marshal_tuple(struct py_in *m, unsigned width, int64_t *n)
{
	uint64_t u;

	if (!marshal_number(m, width, &u))
		return false;
	*n = (int64_t)u;
	return true;
}

/* A value of KIND, a byte. */
static bool marshal_value(struct py_in *m, char kind, struct py_value *v)
{
	switch (kind) {
	case '0':
		v->kind = PY_NULL;
		return true;
	case 'F':
	case 'T':
		v->kind = PY_INT;
		v->number = kind == 'T';
		return true;
	case 'i':
	case 'I':
		v->kind = PY_INT;
		return marshal_signed(m, kind == 'i' ? 4 : 8, &v->number);
	case 'l':
		v->kind = PY_INT;
		return marshal_long(m, &v->number);
	case 'g':
		v->kind = PY_REAL;
		return marshal_number(m, 8, &v->bits);
	case 's':
	case 'u':
	case 'a':
	case 'A':
		v->kind = PY_TEXT;
		return marshal_text(m, 4, &v->text);
	case 'z':
	case 'Z':
		v->kind = PY_TEXT;
		return marshal_text(m, 1, &v->text);
	case 't':
		v->kind = PY_TEXT;
		return marshal_interned(m, &v->text);
	case 'R':
		v->kind = PY_TEXT;
		return marshal_text_ref(m, &v->text);
	case '(':
	case ')':
		v->kind = PY_TUPLE;
		return marshal_tuple(m, kind == '(' ? 4 : 1, &v->number);
	case '{':
		v->kind = PY_DICT;
		return true;
	default:
		m->p--;
		return as_py_wrong(m, "a kind of value that profiles do not have");
	}
}

bool as_py_next(struct py_in *m, struct py_value *v)
{
	const char *p;
	int kind;

	*v = (struct py_value){.kind = PY_WRONG};
	if (m->why || !marshal_take(m, 1, &p))
		return false;
	kind = (unsigned char)*p;
	if (kind == 'r')
		return marshal_ref(m, v);
	if (!marshal_value(m, (char)(kind & ~FLAG_REF), v))
		return false;
	if (!(kind & FLAG_REF))
		return true;
	v->ref = (uint32_t)m->ref.n + 1;
	return marshal_keep(m, v);
}

void as_py_keep(struct py_in *m, const struct py_value *tuple, uint32_t key)
{
	if (tuple->ref)
		m->ref.p[tuple->ref - 1] = (struct py_value){.kind = PY_KEY, .number = key};
}
