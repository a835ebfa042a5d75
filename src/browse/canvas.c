/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "browse/canvas.h"

#include <stdio.h>
#include <wchar.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "base/utf8_len.h"

enum { ESCAPED = 4 };

bool as_canvas_make(
	struct as_canvas *f, const struct as_alloc *al, unsigned columns, unsigned lines)
{
	*f = (struct as_canvas){.al = al, .columns = columns, .lines = lines};
	if (!as_alloc_array(al, &f->cell, (size_t)columns * lines))
		return false;
	for (unsigned y = 0; y < lines; y++)
		as_canvas_fill(f, 0, y, columns, ' ', AS_TINT_PLAIN);
	return true;
}

void as_canvas_release(struct as_canvas *f)
{
	size_t n = (size_t)f->columns * f->lines;

	as_alloc_free(f->al, f->cell, f->cell ? n * sizeof(*f->cell) + 1 : 0);
	f->cell = NULL;
}

static struct as_cell *canvas_at(const struct as_canvas *f, unsigned x, unsigned y)
{
	as_assert(x < f->columns && y < f->lines);
	return &f->cell[(size_t)y * f->columns + x];
}

void as_canvas_fill(
	struct as_canvas *f, unsigned x, unsigned y, unsigned n, char c, enum as_tint tint)
{
	for (; n && y < f->lines && x < f->columns; n--, x++)
		*canvas_at(f, x, y) = (struct as_cell){(unsigned char)c, (uint8_t)tint, false};
}

void as_canvas_mark(struct as_canvas *f, unsigned x, unsigned y, unsigned n)
{
	for (; n && y < f->lines && x < f->columns; n--, x++)
		canvas_at(f, x, y)->marked = true;
}

/* ---- characters ---- */

unsigned as_canvas_width(uint32_t c)
{
	int n = c < 0x80 ? 1 : wcwidth((wchar_t)c);

	return n < 0 ? 1 : (unsigned)n;
}

/* The character at P, LEN bytes of well-formed UTF-8. */
static uint32_t canvas_decode(const char *p, size_t len)
{
	static const uint8_t mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t c = (unsigned char)p[0] & mask[len];

	for (size_t i = 1; i < len; i++)
		c = c << 6 | ((unsigned char)p[i] & 0x3f);
	return c;
}

static unsigned canvas_put_escaped(
	struct as_canvas *f, unsigned x, unsigned y, unsigned width, char c, enum as_tint tint)
{
	char text[ESCAPED + 1];

	snprintf(text, sizeof(text), "\\x%02x", (unsigned char)c);
	for (unsigned i = 0; i < ESCAPED && i < width; i++)
		as_canvas_fill(f, x + i, y, 1, text[i], tint);
	return width < ESCAPED ? width : ESCAPED;
}

unsigned as_canvas_put(struct as_canvas *f, unsigned x, unsigned y, unsigned width,
	struct as_slice s, enum as_tint tint)
{
	unsigned begin = x, end, n;
	size_t len;

	if (y >= f->lines || x >= f->columns)
		return 0;
	end = width < f->columns - x ? x + width : f->columns;
	for (; s.len && x < end; s = as_slice_skip(s, len)) {
		uint32_t c;

		len = as_plain_len(s.p, s.len);
		if (!len) {
			len = 1;
			x += canvas_put_escaped(f, x, y, end - x, s.p[0], tint);
			continue;
		}
		c = canvas_decode(s.p, len);
		n = as_canvas_width(c);
		if (!n)
			continue;
		if (x + n > end)
			break;
		*canvas_at(f, x, y) = (struct as_cell){c, (uint8_t)tint, false};
		if (n == 2)
			*canvas_at(f, x + 1, y) = (struct as_cell){0, (uint8_t)tint, false};
		x += n;
	}
	return x - begin;
}

struct as_slice as_canvas_text(const struct as_canvas *f, unsigned y, struct as_arena *ar)
{
	char *p = as_arena_get(ar, (size_t)f->columns * 4 + 1);
	size_t n = 0, end = 0;

	for (unsigned x = 0; p && x < f->columns; x++) {
		uint32_t c = canvas_at(f, x, y)->c;

		if (c)
			n += as_utf8_put(p + n, c);
		if (c && c != ' ')
			end = n;
	}
	return (struct as_slice){p ? p : "", end};
}
