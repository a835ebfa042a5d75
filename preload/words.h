/* SPDX-License-Identifier: Apache-2.0 */
/* Text put together without libc's stdio. What does not fit is cut. */
#ifndef AS_PRELOAD_WORDS_H
#define AS_PRELOAD_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct as_words {
	char *p;
	size_t n, max;
};

static inline void as_put(struct as_words *w, const char *p, size_t n)
{
	if (n > w->max - w->n)
		n = w->max - w->n;
	memcpy(w->p + w->n, p, n);
	w->n += n;
}

static inline void as_puts(struct as_words *w, const char *text)
{
	as_put(w, text, strlen(text));
}

/* At least WIDTH digits. */
static inline void as_put_number(struct as_words *w, uint64_t v, unsigned base, unsigned width)
{
	char digits[64];
	size_t n = sizeof(digits);

	do {
		digits[--n] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v || sizeof(digits) - n < width);
	as_put(w, digits + n, sizeof(digits) - n);
}

static inline void as_put_dec(struct as_words *w, uint64_t v)
{
	as_put_number(w, v, 10, 1);
}

/* Seconds with nine digits behind the point. */
static inline void as_put_seconds(struct as_words *w, uint64_t ns)
{
	as_put_dec(w, ns / 1000000000u);
	as_put(w, ".", 1);
	as_put_number(w, ns % 1000000000u, 10, 9);
}

/* N bytes for a line of our own: readers of the format know "a=b", so '=', '%' and control
 * characters are written %XX. */
static inline void as_put_escaped(struct as_words *w, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c < 0x20 || c == 0x7f || c == '=' || c == '%') {
			as_put(w, "%", 1);
			as_put_number(w, c, 16, 2);
		} else {
			as_put(w, p + i, 1);
		}
	}
}

#endif
