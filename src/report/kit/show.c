/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/show.h"

#include "base/utf8_len.h"
#include "formats/format.h"
#include "report/kit/figure.h"
#include "table/metric.h"

struct as_slice as_show_clean(struct as_arena *ar, struct as_slice s)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 0, i = 0, len;
	char *p;

	while (i < s.len && (len = as_plain_len(s.p + i, s.len - i)))
		i += len;
	if (i == s.len)
		return s.p ? s : as_slice_of("");
	p = as_arena_get(ar, 4 * s.len);
	if (!p)
		return (struct as_slice){0};
	for (i = 0; i < s.len; i += len ? len : 1) {
		unsigned char c = (unsigned char)s.p[i];

		len = as_plain_len(s.p + i, s.len - i);
		if (len) {
			memcpy(p + n, s.p + i, len);
			n += len;
			continue;
		}
		p[n++] = '\\';
		p[n++] = 'x';
		p[n++] = hex[c >> 4];
		p[n++] = hex[c & 15];
	}
	return (struct as_slice){p, n};
}

struct as_slice as_show_func(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice name, as_object object, uint64_t addr)
{
	struct as_slice obj = as_base_name(as_object_path(prof, object));

	if (name.len)
		return as_show_clean(ar, name);
	if (as_path_is_gap(obj))
		return obj;
	obj = as_show_clean(ar, obj);
	if (obj.len && !addr)
		return as_arena_printf(ar, "[%.*s]", AS_SLICE_FMT(obj));
	if (obj.len)
		return as_arena_printf(ar, "[%.*s+0x%" PRIx64 "]", AS_SLICE_FMT(obj), addr);
	if (addr)
		return as_arena_printf(ar, "[0x%" PRIx64 "]", addr);
	return as_slice_of("[unknown]");
}

struct as_slice as_show_beside(
	struct as_arena *ar, const struct as_profile *prof, struct as_slice name)
{
	name = as_shown_beside(prof->shown, ar, name);
	return name.p ? as_show_clean(ar, name) : name;
}

struct as_slice as_show_where(struct as_arena *ar, struct as_slice path, uint64_t line)
{
	struct as_slice base = as_show_clean(ar, as_base_name(path));

	if (!line || !base.len)
		return base;
	return as_arena_printf(ar, "%.*s:%" PRIu64, AS_SLICE_FMT(base), line);
}

/* ---- numbers ---- */

struct as_slice as_show_val(struct as_arena *ar, as_val v, const struct as_style *style)
{
	char plain[AS_VAL_TEXT], grouped[2 * AS_VAL_TEXT];
	size_t len, n = 0;

	as_val_text(v, plain);
	if (!style->group)
		return as_arena_dup(ar, as_slice_of(plain));
	len = strlen(plain);
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0 && plain[i - 1] != '-')
			grouped[n++] = ',';
		grouped[n++] = plain[i];
	}
	return as_arena_dup(ar, (struct as_slice){grouped, n});
}

struct as_slice as_show_rough(struct as_arena *ar, as_val v)
{
	static const char suffix[] = "kMGTPEZYRQ";
	as_uval u = v < 0 ? -(as_uval)v : (as_uval)v, tenths;
	const char *sign = v < 0 ? "-" : "";
	size_t step = 0;

	if (u < 10000)
		return as_arena_printf(ar, "%s%u", sign, (unsigned)u);
	tenths = u / 100 + (u % 100 >= 50);
	while (tenths >= 10000 && step + 2 < sizeof(suffix)) {
		tenths = tenths / 1000 + (tenths % 1000 >= 500);
		step++;
	}
	if (tenths > UINT32_MAX)
		return as_arena_printf(ar, "%s>4G %c", sign, suffix[step]);
	return as_arena_printf(ar, "%s%u.%u %c", sign, (unsigned)(tenths / 10),
		(unsigned)(tenths % 10), suffix[step]);
}

struct as_slice as_show_number(
	struct as_arena *ar, struct as_number n, const struct as_style *style)
{
	double x = n.x < 0 ? -n.x : n.x, limit = 1000;
	int digits = 0;

	if (!n.known)
		return as_slice_of(style->utf8 ? "\u2014" : "-");
	if (n.whole)
		return as_show_val(ar, n.n, style);
	if (x != 0 && (x < 1e-4 || x >= 1e15))
		return as_arena_printf(ar, "%.3e", n.x);
	while (x != 0 && x < limit && digits < 7) {
		digits++;
		limit /= 10;
	}
	return as_arena_printf(ar, "%.*f", x == 0 ? 0 : digits, n.x);
}

struct as_slice as_show_decimal(
	struct as_arena *ar, struct as_number n, const struct as_style *style)
{
	double x = n.x < 0 ? -n.x : n.x;
	as_val hundredths;

	if (!n.known)
		return as_slice_of("-");
	if (n.whole)
		return as_show_val(ar, n.n, style);
	if (x >= 1e15)
		return as_arena_printf(ar, "%.3e", n.x);
	hundredths = (as_val)(100 * x + 0.5);
	return as_diff_decimal(ar, n.x < 0 ? -hundredths : hundredths, 2, 2, false, style);
}

struct as_slice as_show_percent(struct as_arena *ar, as_val part, as_val whole)
{
	bool negative = (part < 0) != (whole < 0) && part != 0;
	as_uval p = part < 0 ? -(as_uval)part : (as_uval)part;
	as_uval w = whole < 0 ? -(as_uval)whole : (as_uval)whole;
	as_uval tenths;

	if (!w)
		return as_slice_of("-");
	/* A thousandfold must fit; so far up the lost bits do not show. */
	while (p >> 110) {
		p >>= 1;
		w >>= 1;
	}
	tenths = w ? (p * 1000 + w / 2) / w : 0;
	if (tenths > UINT32_MAX)
		return as_slice_of("-");
	return as_arena_printf(ar, "%s%u.%u", negative && tenths ? "-" : "",
		(unsigned)(tenths / 10), (unsigned)(tenths % 10));
}

struct as_slice as_spark_line(struct as_arena *ar, const as_val *value, uint32_t n, as_val most,
	const struct as_style *style)
{
	static const char *const high[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const plain[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
	const char *const *step = style->utf8 ? high : plain;
	const int steps = AS_ARRAY_LEN(high) - 1;
	char *text = as_arena_get(ar, (size_t)n * 4 + 1);
	size_t len = 0;

	for (uint32_t i = 0; text && i < n; i++) {
		as_val v = value[i] > 0 && most > 0 ? (value[i] * steps + most - 1) / most : 0;
		size_t k = strlen(step[v]);

		memcpy(text + len, step[v], k);
		len += k;
	}
	return (struct as_slice){text, len};
}

/* ---- XML ---- */

void as_xml_escape(struct as_out *out, struct as_slice s, const char *special)
{
	static const char *const escape[] = {['&'] = "&amp;",
		['<'] = "&lt;",
		['>'] = "&gt;",
		['"'] = "&quot;",
		['\''] = "&#39;"};

	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] && strchr(special, s.p[i]))
			as_out_text(out, escape[(unsigned char)s.p[i]]);
		else
			as_out_char(out, s.p[i]);
	}
}
