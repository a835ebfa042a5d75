/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of attributes. A label is a text or a number; what is neither becomes a text of JSON:
 * true, 1.5, ["a","b"], {"k":"v"}. Bytes are a text in base64, as JSON has them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/otlp/otlp.h"

enum { VALUE_DEPTH = 32 };

struct value_text {
	struct as_otlp_read *r;
	const struct as_otlp_cur *cur; /* what has the attribute */
	AS_VEC(char) text;
	bool no_memory;
};

static void value_add(struct value_text *t, struct as_slice s)
{
	if (!as_vec_append(t->r->al, &t->text, s.p, s.len))
		t->no_memory = true;
}

static void value_quote(struct value_text *t, struct as_slice s)
{
	value_add(t, as_slice_of("\""));
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];
		char escape[8];

		if (c >= 0x20 && c != '"' && c != '\\') {
			value_add(t, (struct as_slice){s.p + i, 1});
			continue;
		}
		if (c < 0x20)
			snprintf(escape, sizeof(escape), "\\u%04x", c);
		else
			snprintf(escape, sizeof(escape), "\\%c", c);
		value_add(t, as_slice_of(escape));
	}
	value_add(t, as_slice_of("\""));
}

static void value_base64(struct value_text *t, struct as_slice s)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < s.len; i += 3) {
		size_t n = s.len - i < 3 ? s.len - i : 3;
		uint32_t v = 0;
		char four[4];

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < n ? (unsigned char)s.p[i + k] : 0u);
		for (unsigned k = 0; k < 4; k++)
			four[k] = k <= n ? digit[v >> (18 - 6 * k) & 63] : '=';
		value_add(t, (struct as_slice){four, 4});
	}
}

/* The shortest text that is this number. */
static void value_real(char *buf, size_t size, uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	if (!isfinite(v)) {
		snprintf(buf, size, "\"%s\"", isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, v);
		if (strtod(buf, NULL) == v) /* NOLINT(clang-analyzer-security.FloatLoopCounter) */
			return;
	}
}

static enum as_code value_any(struct value_text *t, struct as_slice bytes, unsigned depth);

/* {"KEY":VALUE */
static enum as_code value_member(struct value_text *t, const struct as_otlp_cur *up,
	const struct as_otlp_field *of, unsigned depth)
{
	struct as_slice key = {NULL, 0}, value = {NULL, 0};
	struct as_otlp_field f;
	struct as_otlp_cur cur;
	enum as_code rc;

	as_otlp_enter(&cur, up, of, 0);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_KEY)
			key = f.text;
		else if (f.id == AS_OTLP_F_KEY_INDEX)
			AS_TRY(as_otlp_text(t->r, f.v, t->cur, &key));
		else if (f.id == AS_OTLP_F_VALUE)
			value = f.text;
	if (rc != AS_END)
		return rc;
	value_quote(t, key);
	value_add(t, as_slice_of(":"));
	return value_any(t, value, depth + 1);
}

static enum as_code value_several(
	struct value_text *t, enum as_otlp_msg msg, struct as_slice bytes, unsigned depth)
{
	bool object = msg == AS_OTLP_KVLIST, first = true;
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	enum as_code rc;

	as_otlp_begin(t->r, &cur, msg, bytes);
	cur.up = t->cur;
	value_add(t, as_slice_of(object ? "{" : "["));
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK) {
		if (!first)
			value_add(t, as_slice_of(","));
		first = false;
		AS_TRY(object ? value_member(t, &cur, &f, depth) : value_any(t, f.text, depth + 1));
	}
	value_add(t, as_slice_of(object ? "}" : "]"));
	return rc == AS_END ? AS_OK : rc;
}

/* The one field that the AnyValue BYTES has; its id is F_NONE if there is none. */
static enum as_code value_field(struct as_otlp_read *r, struct as_slice bytes,
	const struct as_otlp_cur *up, struct as_otlp_field *out)
{
	struct as_otlp_cur cur;
	struct as_otlp_field f = {0};
	enum as_code rc;

	*out = f;
	if (!bytes.len)
		return AS_OK;
	as_otlp_begin(r, &cur, AS_OTLP_ANY, bytes);
	cur.up = up;
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		*out = f;
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code value_any(struct value_text *t, struct as_slice bytes, unsigned depth)
{
	struct as_otlp_field f;
	struct as_slice s;
	char buf[64];

	if (depth > VALUE_DEPTH)
		return as_otlp_fail(t->cur, AS_E_LIMIT, bytes.p,
			"a value of an attribute is nested deeper than %d times", VALUE_DEPTH);
	AS_TRY(value_field(t->r, bytes, t->cur, &f));
	switch (f.id) {
	case AS_OTLP_F_STRING:
		value_quote(t, f.text);
		break;
	case AS_OTLP_F_STRING_INDEX:
		AS_TRY(as_otlp_text(t->r, f.v, t->cur, &s));
		value_quote(t, s);
		break;
	case AS_OTLP_F_BOOL:
		value_add(t, as_slice_of(f.v ? "true" : "false"));
		break;
	case AS_OTLP_F_INT:
		snprintf(buf, sizeof(buf), "%" PRId64, (int64_t)f.v);
		value_add(t, as_slice_of(buf));
		break;
	case AS_OTLP_F_DOUBLE:
		value_real(buf, sizeof(buf), f.v);
		value_add(t, t->r->json ? f.text : as_slice_of(buf));
		break;
	case AS_OTLP_F_BYTES:
		value_add(t, as_slice_of("\""));
		if (t->r->json)
			value_add(t, f.text);
		else
			value_base64(t, f.text);
		value_add(t, as_slice_of("\""));
		break;
	case AS_OTLP_F_ARRAY:
		return value_several(t, AS_OTLP_ARRAY, f.text, depth);
	case AS_OTLP_F_KVLIST:
		return value_several(t, AS_OTLP_KVLIST, f.text, depth);
	default:
		value_add(t, as_slice_of("null"));
		break;
	}
	return AS_OK;
}

/* All others: as JSON, texts of bytes without their quotes. */
static enum as_code value_other(struct as_otlp_read *r, struct as_slice bytes, bool quoted,
	const struct as_otlp_cur *cur, as_str *out)
{
	struct value_text t = {.r = r, .cur = cur};
	struct as_slice s;
	enum as_code rc = value_any(&t, bytes, 0);

	if (rc == AS_OK && t.no_memory)
		rc = as_err_no_memory(r->rd->err);
	s = (struct as_slice){t.text.p, t.text.n};
	if (quoted && s.len >= 2)
		s = (struct as_slice){s.p + 1, s.len - 2};
	AS_THEN(rc, as_build_str(r->rd->out, s, out));
	as_vec_free(r->al, &t.text);
	return rc;
}

enum as_code as_otlp_value(struct as_otlp_read *r, struct as_slice bytes,
	const struct as_otlp_cur *cur, struct as_label *out)
{
	struct as_otlp_field f;

	AS_TRY(value_field(r, bytes, cur, &f));
	switch (f.id) {
	case AS_OTLP_F_NONE: /* nothing is said */
	case AS_OTLP_F_IGNORED:
		out->key.i = 0;
		return AS_OK;
	case AS_OTLP_F_INT:
		out->number = (int64_t)f.v;
		return AS_OK;
	case AS_OTLP_F_STRING:
		AS_TRY(as_build_str(r->rd->out, f.text, &out->text));
		break;
	case AS_OTLP_F_STRING_INDEX:
		AS_TRY(as_otlp_str(r, f.v, cur, &out->text));
		break;
	default:
		AS_TRY(value_other(r, bytes, f.id == AS_OTLP_F_BYTES, cur, &out->text));
		break;
	}
	if (!out->text.i) { /* a label without a text is a number */
		out->key.i = 0;
		r->lost_attrs++;
	}
	return AS_OK;
}
