/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output: a buffer in front of a sink. Failure is sticky: after the first one
 * nothing more is written, and as_out_finish() reports it. Writers therefore
 * need not look at every call.
 */
#ifndef AS_IO_OUT_H
#define AS_IO_OUT_H

#include "base/alloc.h"
#include "base/err.h"
#include "base/slice.h"

struct as_sink {
	/* Write all N bytes: 0, or a negative errno. */
	int (*write)(struct as_sink *sink, const void *buf, size_t n);
	/* What follows is a section of its own, which can be read without what was before: 0, or a
	 * negative errno. NULL: that is nothing to the sink. */
	int (*section)(struct as_sink *sink);
};

struct as_out {
	const struct as_alloc *al;
	struct as_sink *sink; /* borrowed */
	char *buf;
	size_t n, cap;
	uint64_t off;       /* bytes handed to the sink so far */
	enum as_code rc;    /* the first failure, or AS_OK */
	struct as_err *err; /* described here; borrowed */
};

enum as_code as_out_open(struct as_out *out, const struct as_alloc *al, struct as_sink *sink,
	struct as_err *err) AS_NODISCARD;
/* Flush, release the buffer, and say how it all went. */
enum as_code as_out_finish(struct as_out *out) AS_NODISCARD;

void as_out_bytes(struct as_out *out, const void *p, size_t n);
void as_out_text(struct as_out *out, const char *text);
void as_out_slice(struct as_out *out, struct as_slice s);
/* S as it is, but for control characters, which could move the cursor: those are \xNN. Ends of
 * lines and tabs stay. */
void as_out_plain(struct as_out *out, struct as_slice s);
void as_out_u64(struct as_out *out, uint64_t v); /* decimal */
void as_out_hex(struct as_out *out, uint64_t v); /* 0x... */
void as_out_val(struct as_out *out, as_val v);   /* decimal */
void as_out_printf(struct as_out *out, const char *fmt, ...) AS_PRINTF(2, 3);

/* Write the buffer out, so that it is empty. */
void as_out_flush(struct as_out *out);
/* Here a section ends, for the sinks that know of them. */
void as_out_section(struct as_out *out);

/* Make room for N bytes and return where they go; the caller advances out->n by
 * what it wrote (<= N). N <= 4096. Never NULL. The fast path of writers. */
static inline char *as_out_room(struct as_out *out, size_t n)
{
	if (AS_UNLIKELY(out->cap - out->n < n))
		as_out_flush(out);
	return out->buf + out->n;
}

static inline void as_out_char(struct as_out *out, char c)
{
	*as_out_room(out, 1) = c;
	out->n++;
}

/* Put V in decimal at P, or in hexadecimal with "0x"; room for AS_OUT_NUM bytes. Returns the
 * end. */
enum { AS_OUT_NUM = 20 };
char *as_put_u64_any(char *p, uint64_t v);
char *as_put_hex(char *p, uint64_t v);

/* Most numbers have up to four digits. How many cannot be guessed, so there is no branch on it. */
static inline char *as_put_u64(char *p, uint64_t v)
{
#if AS_LITTLE_ENDIAN
	uint32_t w, t;
	unsigned skip;

	if (AS_UNLIKELY(v >= 10000))
		return as_put_u64_any(p, v);
	t = (uint32_t)v * 5243 >> 19; /* v / 100 */
	w = t | ((uint32_t)v - t * 100) << 16;
	t = (w * 103 >> 10) & 0x000f000f; /* both / 10 */
	w = t | (w - t * 10) << 8;
	skip = (unsigned)__builtin_ctz(w | 1u << 24) & ~7u;
	w = (w | 0x30303030) >> skip;
	memcpy(p, &w, sizeof(w));
	return p + sizeof(w) - skip / 8;
#else
	return as_put_u64_any(p, v);
#endif
}

/* A sink that collects in memory. Release with as_sink_mem_release(). */
struct as_sink_mem {
	struct as_sink sink;
	const struct as_alloc *al;
	AS_VEC(char) data;
};
void as_sink_mem_init(struct as_sink_mem *sm, const struct as_alloc *al);
void as_sink_mem_release(struct as_sink_mem *sm);

#endif
