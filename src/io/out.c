/* SPDX-License-Identifier: Apache-2.0 */
#include "io/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

enum { BUFFER = 256 * 1024, ROOM_MAX = 4096 };

enum as_code as_out_open(
	struct as_out *out, const struct as_alloc *al, struct as_sink *sink, struct as_err *err)
{
	*out = (struct as_out){.al = al, .sink = sink, .cap = BUFFER, .err = err};
	out->buf = al->resize(al->ctx, NULL, 0, out->cap);
	return as_err_memory(err, out->buf);
}

static void out_sent(struct as_out *out, int rc)
{
	if (rc < 0)
		out->rc = as_err_sys(out->err, -rc, "cannot write");
}

static void out_send(struct as_out *out, const void *p, size_t n)
{
	if (out->rc != AS_OK || n == 0)
		return;
	out_sent(out, out->sink->write(out->sink, p, n));
	out->off += out->rc == AS_OK ? n : 0;
}

void as_out_flush(struct as_out *out)
{
	as_assert(out->n <= out->cap);
	out_send(out, out->buf, out->n);
	out->n = 0;
}

void as_out_section(struct as_out *out)
{
	as_out_flush(out);
	if (out->rc == AS_OK && out->sink->section)
		out_sent(out, out->sink->section(out->sink));
}

enum as_code as_out_finish(struct as_out *out)
{
	enum as_code rc;

	as_out_flush(out);
	rc = out->rc;
	as_alloc_free(out->al, out->buf, out->cap);
	out->buf = NULL;
	return rc;
}

void as_out_bytes(struct as_out *out, const void *p, size_t n)
{
	if (n > out->cap - out->n) {
		as_out_flush(out);
		if (n > out->cap) {
			out_send(out, p, n);
			return;
		}
	}
	if (n)
		memcpy(out->buf + out->n, p, n);
	out->n += n;
}

void as_out_text(struct as_out *out, const char *text)
{
	as_out_bytes(out, text, strlen(text));
}

void as_out_slice(struct as_out *out, struct as_slice s)
{
	as_out_bytes(out, s.p, s.len);
}

/* The byte at I is a control character, or one of the two bytes of one. */
static bool out_is_control(struct as_slice s, size_t i)
{
	unsigned char c = (unsigned char)s.p[i];

	if (c == 0xc2)
		return i + 1 < s.len && (unsigned char)s.p[i + 1] < 0xa0;
	if (c >= 0x80 && c < 0xa0)
		return i && (unsigned char)s.p[i - 1] == 0xc2;
	return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

void as_out_plain(struct as_out *out, struct as_slice s)
{
	size_t done = 0;

	for (size_t i = 0; i < s.len; i++)
		if (out_is_control(s, i)) {
			as_out_slice(out, (struct as_slice){s.p + done, i - done});
			as_out_printf(out, "\\x%02x", (unsigned char)s.p[i]);
			done = i + 1;
		}
	as_out_slice(out, as_slice_skip(s, done));
}

#if AS_LITTLE_ENDIAN

/* The digits of V < 10^8, a byte each, the first one lowest. */
static uint64_t eight_digits(uint32_t v)
{
	uint64_t w = v / 10000 | (uint64_t)(v % 10000) << 32, t;

	t = (w * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
	w = t | (w - t * 100) << 16;
	t = (w * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return t | (w - t * 10) << 8;
}

static char *put_digits(char *p, uint64_t digits, unsigned skip)
{
	digits = (digits | UINT64_C(0x3030303030303030)) >> 8 * skip;
	memcpy(p, &digits, sizeof(digits));
	return p + sizeof(digits) - skip;
}

char *as_put_u64_any(char *p, uint64_t v)
{
	const uint32_t group = 100000000;
	uint64_t w;

	if (v >= group) {
		p = as_put_u64(p, v / group);
		return put_digits(p, eight_digits((uint32_t)(v % group)), 0);
	}
	w = eight_digits((uint32_t)v);
	return put_digits(p, w, (unsigned)__builtin_ctzll(w | UINT64_C(1) << 56) / 8);
}

#else

char *as_put_u64_any(char *p, uint64_t v)
{
	char tmp[20];
	size_t i = sizeof(tmp);

	do {
		tmp[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	memcpy(p, tmp + i, sizeof(tmp) - i);
	return p + (sizeof(tmp) - i);
}

#endif

void as_out_u64(struct as_out *out, uint64_t v)
{
	char *p = as_out_room(out, AS_OUT_NUM);

	out->n = (size_t)(as_put_u64(p, v) - out->buf);
}

char *as_put_hex(char *p, uint64_t v)
{
	int shift = 60;

	*p++ = '0';
	*p++ = 'x';
	while (shift && !(v >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[v >> shift & 15];
	return p;
}

void as_out_hex(struct as_out *out, uint64_t v)
{
	char *p = as_out_room(out, AS_OUT_NUM);

	out->n = (size_t)(as_put_hex(p, v) - out->buf);
}

void as_out_val(struct as_out *out, as_val v)
{
	char buf[AS_VAL_TEXT];

	if (v >= 0 && v <= (as_val)UINT64_MAX)
		as_out_u64(out, (uint64_t)v);
	else
		as_out_text(out, as_val_text(v, buf));
}

void as_out_printf(struct as_out *out, const char *fmt, ...)
{
	va_list ap;
	char *p = as_out_room(out, ROOM_MAX);
	int n;

	va_start(ap, fmt);
	n = vsnprintf(p, ROOM_MAX, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if (n < ROOM_MAX) {
		out->n += (size_t)n;
		return;
	}
	/* Longer than the room: make it in memory of its own. */
	p = out->al->resize(out->al->ctx, NULL, 0, (size_t)n + 1);
	if (!p) {
		out->rc = as_err_no_memory(out->err);
		return;
	}
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	as_out_bytes(out, p, (size_t)n);
	as_alloc_free(out->al, p, (size_t)n + 1);
}

static int mem_write(struct as_sink *sink, const void *buf, size_t n)
{
	struct as_sink_mem *sm = (struct as_sink_mem *)(void *)sink;

	if (!as_vec_reserve(sm->al, &sm->data, sm->data.n + n))
		return -ENOMEM;
	memcpy(sm->data.p + sm->data.n, buf, n);
	sm->data.n += n;
	return 0;
}

void as_sink_mem_init(struct as_sink_mem *sm, const struct as_alloc *al)
{
	*sm = (struct as_sink_mem){.sink = {.write = mem_write}, .al = al};
}

void as_sink_mem_release(struct as_sink_mem *sm)
{
	as_vec_free(sm->al, &sm->data);
}
