/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/xml.h"

#include "base/utf8_len.h"
#include "formats/format.h"
#include "picture/picture_assets.h"
#include "report/kit/name_fit.h"

enum { LETTERS = 3 }; /* of a name; fewer say nothing */

void as_xml_fixed(struct as_out *out, uint64_t thousandths)
{
	unsigned part = (unsigned)(thousandths % 1000), digits = 3;

	as_out_u64(out, thousandths / 1000);
	if (!part)
		return;
	while (part % 10 == 0) {
		part /= 10;
		digits--;
	}
	as_out_printf(out, ".%0*u", (int)digits, part);
}

/* Letters and the like: what tells names apart. */
static bool xml_tells(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '_' || c >= 0x80;
}

static size_t n_telling(struct as_slice s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len;) {
		size_t len = as_utf8_len(s.p + i, s.len - i);
		bool dots = len == 3 && memcmp(s.p + i, "\xe2\x80\xa6", 3) == 0;

		n += !dots && xml_tells((unsigned char)s.p[i]);
		i += len ? len : 1;
	}
	return n;
}

struct as_slice as_picture_fit(struct as_arena *ar, struct as_slice name, size_t columns, bool utf8)
{
	struct as_slice s;

	if (!name.p || (columns >= LETTERS && as_utf8_columns(name) <= columns))
		return name;
	if (columns <= LETTERS)
		return as_slice_of("");
	s = as_name_fit_mark(ar, name, columns, as_slice_of(utf8 ? "\u2026" : "~"));
	return !s.p || n_telling(s) >= LETTERS ? s : as_slice_of("");
}

void as_picture_begin(struct as_out *out, const struct as_picture *p)
{
	if (p->html) {
		as_out_printf(out,
			"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			"'none'; script-src %s; style-src " AS_FLAME_CSS_HASH "\">\n"
			"<meta name=\"viewport\" content=\"width=device-width\">\n"
			"<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
			p->hash);
		as_xml_text(out, p->title);
		as_out_text(out, "</title>\n</head>\n<body>\n");
	} else {
		as_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	}
	as_out_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"assay%s\" width=\"%u\" "
		"height=\"%" PRIu64 "\" viewBox=\"0 0 %u %" PRIu64
		"\" role=\"group\" aria-label=\"",
		p->class, p->width, p->height, p->width, p->height);
	as_xml_text(out, p->title);
	as_out_text(out, "\">\n<style>\n");
	as_out_bytes(out, as_flame_css, sizeof(as_flame_css));
	as_out_printf(out, "</style>\n%s<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		p->defs);
}

void as_picture_end(struct as_out *out, bool html)
{
	if (html)
		as_out_text(out, "</body>\n</html>\n");
}

void as_picture_script(struct as_out *out, const unsigned char *script, size_t size)
{
	as_out_text(out, "<script>//<![CDATA[\n");
	as_out_bytes(out, script, size);
	as_out_text(out, "//]]></script>\n");
}

struct as_slice as_picture_cost(struct as_arena *ar, const struct as_view_opts *opts,
	const struct as_profile *prof, uint32_t event, as_val cost)
{
	static const struct as_style style = {.group = true, .utf8 = true};
	struct as_slice text = as_show_in(ar, cost, &opts->unit, &style);
	struct as_slice name = as_show_clean(ar, as_event_name(prof, event));

	return as_arena_printf(ar, "%.*s %.*s", AS_SLICE_FMT(text), AS_SLICE_FMT(name));
}

struct as_slice as_picture_title(struct as_arena *ar, const struct as_view_opts *opts,
	const struct as_profile *prof, uint32_t event, as_val cost)
{
	struct as_slice file =
		as_show_clean(ar, as_base_name(as_slice_of(opts->n_files ? opts->files[0] : "")));
	struct as_slice text = as_picture_cost(ar, opts, prof, event, cost);

	if (opts->n_files > 1)
		file = as_arena_printf(
			ar, "%.*s and %zu more", AS_SLICE_FMT(file), opts->n_files - 1);
	return as_arena_printf(ar, "%.*s: %.*s", AS_SLICE_FMT(file), AS_SLICE_FMT(text));
}

void as_picture_line(
	struct as_out *out, const char *class, unsigned x, uint64_t y, struct as_slice text)
{
	as_out_printf(out, "<text class=\"%s\" x=\"%u\" y=\"%" PRIu64 "\">", class, x, y);
	as_xml_text(out, text);
	as_out_text(out, "</text>\n");
}

void as_picture_rect(struct as_out *out, uint64_t x, uint64_t y, uint64_t width, uint64_t height)
{
	static const char *const name[] = {"x", "y", "width", "height"};
	const uint64_t value[] = {x, y, width, height};

	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++) {
		as_out_printf(out, " %s=\"", name[i]);
		as_xml_fixed(out, value[i]);
		as_out_char(out, '"');
	}
}

uint64_t as_picture_scale(as_val v, as_val whole, unsigned size)
{
	/* A product of more than 127 bits would not fit; so far up the lost bits do not show. */
	while (whole >> 96) {
		whole >>= 1;
		v >>= 1;
	}
	return whole ? (uint64_t)(v * (as_val)size / whole) : 0;
}
