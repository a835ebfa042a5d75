/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, which are kept as UTF-8. */
#include "base/utf8_len.h"
#include "formats/jfr/jfr.h"

static bool jfr_wire_skip_units(struct as_jfr_cur *c, uint64_t n)
{
	uint64_t unit;

	if (n > as_jfr_left(c))
		return false;
	while (n--)
		if (!as_jfr_number(c, 2, &unit))
			return false;
	return true;
}

bool as_jfr_skip_text(struct as_jfr_cur *c)
{
	uint64_t how, n;

	if (!as_jfr_big(c, 1, &how))
		return false;
	switch (how) {
	case JFR_TEXT_NULL:
	case JFR_TEXT_EMPTY:
		return true;
	case JFR_TEXT_KEY:
		return as_jfr_number(c, JFR_LONG, &n);
	case JFR_TEXT_UTF8:
	case JFR_TEXT_LATIN1:
		return as_jfr_number(c, JFR_INT, &n) && as_jfr_jump(c, n);
	case JFR_TEXT_CHARS:
		return as_jfr_number(c, JFR_INT, &n) && jfr_wire_skip_units(c, n);
	default:
		return false;
	}
}

static bool is_between(uint32_t unit, uint32_t from, uint32_t limit)
{
	return unit >= from && unit < limit;
}

/* N units that are known to be there. */
static enum as_code jfr_wire_chars(
	struct as_jfr_chunk *c, struct as_jfr_cur cur, uint64_t n, struct as_slice *text)
{
	char *out = as_arena_get(&c->arena, 3 * n + 1);
	size_t len = 0;
	uint32_t high = 0;

	AS_TRY(as_err_memory(c->r->rd->err, out));
	for (uint64_t unit; n--;) {
		uint32_t code;

		if (!as_jfr_number(&cur, 2, &unit))
			return AS_E_FORMAT;
		code = (uint32_t)unit & 0xffff;
		if (high && is_between(code, 0xdc00, 0xe000)) {
			len -= 3; /* the first half was written as it is */
			code = 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00);
		}
		high = is_between(code, 0xd800, 0xdc00) ? code : 0;
		len += as_utf8_put(out + len, code);
	}
	*text = (struct as_slice){out, len};
	return AS_OK;
}

static enum as_code jfr_wire_latin1(
	struct as_jfr_chunk *c, struct as_slice bytes, struct as_slice *text)
{
	size_t high = 0, len = 0;
	char *out;

	for (size_t i = 0; i < bytes.len; i++)
		high += (uint8_t)bytes.p[i] >= 0x80;
	*text = bytes;
	if (!high)
		return AS_OK;
	out = as_arena_get(&c->arena, bytes.len + high);
	AS_TRY(as_err_memory(c->r->rd->err, out));
	for (size_t i = 0; i < bytes.len; i++)
		len += as_utf8_put(out + len, (uint8_t)bytes.p[i]);
	*text = (struct as_slice){out, len};
	return AS_OK;
}

/* The text of KEY, in a pool. A text there that names another one is none. */
static enum as_code jfr_wire_pooled(struct as_jfr_chunk *c, uint64_t key, struct as_slice *text)
{
	struct as_jfr_const *have;
	struct as_jfr_cur cur;

	AS_TRY(as_jfr_want_const(c, c->text_class, key, &have));
	if (!have || *have->p == JFR_TEXT_KEY)
		return AS_OK;
	cur = as_jfr_at(c, have->p);
	return as_jfr_text(c, &cur, text);
}

enum as_code as_jfr_text(struct as_jfr_chunk *c, struct as_jfr_cur *cur, struct as_slice *text)
{
	struct as_jfr_cur in = *cur;
	uint64_t how, n = 0;

	*text = (struct as_slice){NULL, 0};
	if (!as_jfr_skip_text(cur) || !as_jfr_big(&in, 1, &how))
		return AS_E_FORMAT;
	if (how == JFR_TEXT_NULL)
		return AS_OK;
	text->p = "";
	if (how == JFR_TEXT_EMPTY)
		return AS_OK;
	if (!as_jfr_number(&in, how == JFR_TEXT_KEY ? JFR_LONG : JFR_INT, &n))
		return AS_E_FORMAT;
	if (how == JFR_TEXT_KEY)
		return jfr_wire_pooled(c, n, text);
	if (how == JFR_TEXT_CHARS)
		return jfr_wire_chars(c, in, n, text);
	*text = (struct as_slice){(const char *)in.p, n};
	return how == JFR_TEXT_LATIN1 ? jfr_wire_latin1(c, *text, text) : AS_OK;
}
