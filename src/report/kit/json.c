/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/json.h"

#include "base/utf8_len.h"

static void json_newline(struct as_json *j)
{
	as_out_char(j->out, '\n');
	for (unsigned i = 0; i < j->depth; i++)
		as_out_text(j->out, "  ");
}

/* So many bytes at the beginning of S stand for themselves. */
static size_t json_plain(struct as_slice s)
{
	size_t n = 0;

	while (n < s.len && s.p[n] >= 0x20 && s.p[n] < 0x7f && s.p[n] != '"' && s.p[n] != '\\')
		n++;
	return n;
}

static void json_quoted(struct as_json *j, struct as_slice s)
{
	static const char hex[] = "0123456789abcdef";
	struct as_out *out = j->out;
	size_t i = json_plain(s);

	as_out_char(out, '"');
	as_out_bytes(out, s.p, i);
	while (i < s.len) {
		unsigned char c = (unsigned char)s.p[i];
		size_t len = as_utf8_len(s.p + i, s.len - i);

		if (c == '"' || c == '\\') {
			as_out_char(out, '\\');
			as_out_char(out, (char)c);
		} else if (c < 0x20 || c == 0x7f) {
			as_out_printf(out, "\\u%04x", c);
		} else if (len) {
			as_out_bytes(out, s.p + i, len);
		} else {
			as_out_text(out, "\\\\x");
			as_out_char(out, hex[c >> 4]);
			as_out_char(out, hex[c & 15]);
		}
		i += len ? len : 1;
	}
	as_out_char(out, '"');
}

/* What stands before a value: comma, line break or blank, key. */
static void json_before(struct as_json *j, const char *key)
{
	uint32_t bit = UINT32_C(1) << j->depth;

	if (j->depth) {
		if (j->some & bit)
			as_out_char(j->out, ',');
		if (j->depth <= AS_JSON_LINES)
			json_newline(j);
		else if (j->some & bit)
			as_out_char(j->out, ' ');
	}
	j->some |= bit;
	if (key) {
		json_quoted(j, as_slice_of(key));
		as_out_text(j->out, ": ");
	}
}

static void open_level(struct as_json *j, const char *key, char c)
{
	json_before(j, key);
	as_out_char(j->out, c);
	as_assert(j->depth + 1 < AS_JSON_DEPTH);
	j->depth++;
	j->some &= ~(UINT32_C(1) << j->depth);
}

static void close_level(struct as_json *j, char c)
{
	bool some = j->some >> j->depth & 1;
	bool lines = j->depth <= AS_JSON_LINES;

	as_assert(j->depth);
	j->depth--;
	if (some && lines)
		json_newline(j);
	as_out_char(j->out, c);
}

void as_json_init(struct as_json *j, struct as_out *out)
{
	*j = (struct as_json){.out = out, .large_as_text = AS_JSON_LARGE_AS_TEXT};
}

void as_json_finish(struct as_json *j)
{
	as_out_char(j->out, '\n');
}

void as_json_object(struct as_json *j, const char *key)
{
	open_level(j, key, '{');
}

void as_json_object_end(struct as_json *j)
{
	close_level(j, '}');
}

void as_json_array(struct as_json *j, const char *key)
{
	open_level(j, key, '[');
}

void as_json_array_end(struct as_json *j)
{
	close_level(j, ']');
}

void as_json_text(struct as_json *j, const char *key, struct as_slice s)
{
	json_before(j, key);
	json_quoted(j, s);
}

void as_json_null(struct as_json *j, const char *key)
{
	json_before(j, key);
	as_out_text(j->out, "null");
}

void as_json_text_or_null(struct as_json *j, const char *key, struct as_slice s)
{
	if (s.len)
		as_json_text(j, key, s);
	else
		as_json_null(j, key);
}

static void json_integer(struct as_json *j, as_val v)
{
	const as_val most = (as_val)1 << 53;
	const char *quote = j->large_as_text && (v > most || v < -most) ? "\"" : "";

	as_out_text(j->out, quote);
	as_out_val(j->out, v);
	as_out_text(j->out, quote);
}

void as_json_val(struct as_json *j, const char *key, as_val v)
{
	json_before(j, key);
	json_integer(j, v);
}

void as_json_val_or_null(struct as_json *j, const char *key, bool known, as_val v)
{
	if (known)
		as_json_val(j, key, v);
	else
		as_json_null(j, key);
}

void as_json_double(struct as_json *j, const char *key, double x)
{
	json_before(j, key);
	if (x - x == 0)
		as_out_printf(j->out, "%.15g", x);
	else
		as_out_text(j->out, "null");
}

/* A double does not have all of DIGITS, or it is not sure: beyond 2^53; with a point, beyond the 15
 * digits that each double has. */
static bool is_long(struct as_slice digits)
{
	static const char most[] = "9007199254740992"; /* 2^53 */
	bool point = as_slice_find(digits, '.') < digits.len;
	size_t n;

	while (digits.len && strchr("-0.", digits.p[0]))
		digits = as_slice_skip(digits, 1);
	n = digits.len - (as_slice_find(digits, '.') < digits.len);
	if (point)
		return n > 15;
	return n > 16 || (n == 16 && memcmp(digits.p, most, 16) > 0);
}

void as_json_digits(struct as_json *j, const char *key, struct as_slice digits)
{
	const char *quote = j->large_as_text && is_long(digits) ? "\"" : "";

	json_before(j, key);
	as_out_text(j->out, quote);
	as_out_slice(j->out, digits);
	as_out_text(j->out, quote);
}

void as_json_bool(struct as_json *j, const char *key, bool v)
{
	json_before(j, key);
	as_out_text(j->out, v ? "true" : "false");
}

void as_json_addr(struct as_json *j, const char *key, uint64_t addr)
{
	json_before(j, key);
	as_out_char(j->out, '"');
	as_out_hex(j->out, addr);
	as_out_char(j->out, '"');
}

void as_json_vals(struct as_json *j, const char *key, const as_val *v, size_t n)
{
	as_json_array(j, key);
	for (size_t i = 0; i < n; i++) {
		/* A list of numbers stays on one line, however far out it stands. */
		as_out_text(j->out, i ? ", " : "");
		json_integer(j, v[i]);
	}
	j->depth--;
	as_out_char(j->out, ']');
}

/* ---- how answers about a profile begin ---- */

void as_json_profile(struct as_json *j, const struct as_profile *prof, const char *shape,
	const char *const *files, size_t n_files)
{
	as_json_object(j, "profile");
	as_json_text_or_null(j, "format", as_str_get(prof, prof->format));
	as_json_array(j, "files");
	for (size_t i = 0; i < n_files; i++)
		as_json_text(j, NULL, as_slice_of(files[i]));
	as_json_array_end(j);
	as_json_text(j, "shape", as_slice_of(shape ? shape : as_shape_text(prof)));
	as_json_bool(j, "estimated", prof->estimated);
	as_json_val_or_null(j, "path_depth", prof->path_depth != 0, (as_val)prof->path_depth);
	as_json_object_end(j);
}

void as_json_events(
	struct as_json *j, const struct as_profile *prof, const uint32_t *event, uint32_t n)
{
	as_json_array(j, "events");
	for (uint32_t i = 0; i < n; i++) {
		const struct as_event *ev = &prof->event.p[event[i]];

		as_json_object(j, NULL);
		as_json_text(j, "name", as_str_get(prof, ev->name));
		as_json_text_or_null(j, "unit", as_str_get(prof, ev->unit));
		as_json_val(j, "total", prof->total[event[i]]);
		if (ev->period) {
			as_json_val(j, "period", ev->period);
			as_json_text_or_null(j, "period_unit", as_str_get(prof, ev->period_unit));
		}
		if (ev->estimated)
			as_json_bool(j, "estimated", true);
		if (prof->whole)
			as_json_val(j, "whole", prof->whole[event[i]]);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}
