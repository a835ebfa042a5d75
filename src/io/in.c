/* SPDX-License-Identifier: Apache-2.0 */
#include "io/in.h"

#include <stdio.h>

enum { WINDOW = 256 * 1024, WINDOW_MIN = 4096 };

static void in_name(struct as_err *err, const struct as_src *src)
{
	if (err && src->name)
		as_escape(err->name, sizeof(err->name), src->name, strlen(src->name));
}

static enum as_code in_open(struct as_in *in, const struct as_alloc *al, struct as_src *src,
	size_t cap, struct as_err *err)
{
	*in = (struct as_in){
		.al = al,
		.src = src,
		.cap = cap,
		.line = 1,
		.limit = UINT64_MAX,
		.line_max = (size_t)64 << 20,
		.err = err,
	};
	in_name(err, src);
	if (src->whole.p) {
		in->p = src->whole.p;
		in->end = in->p + src->whole.len;
		in->pos = src->whole.len;
		in->eof = true;
		return AS_OK;
	}
	in->buf = al->resize(al->ctx, NULL, 0, in->cap + AS_IN_SLACK);
	AS_TRY(as_err_memory(err, in->buf));
	memset(in->buf, 0, AS_IN_SLACK);
	in->p = in->end = in->buf;
	return AS_OK;
}

/* A small file needs no more than all of it, and a byte to see that it ends. */
enum as_code as_in_open(
	struct as_in *in, const struct as_alloc *al, struct as_src *src, struct as_err *err)
{
	size_t cap = src->size < WINDOW ? (size_t)src->size + 1 : WINDOW;

	return in_open(in, al, src, cap < WINDOW_MIN ? WINDOW_MIN : cap, err);
}

enum as_code as_in_open_range(struct as_in *in, const struct as_alloc *al, struct as_src *src,
	uint64_t start, uint64_t end, struct as_err *err)
{
	as_assert(src->pread && start <= end);
	AS_TRY(in_open(in, al, src, WINDOW, err));
	in->positioned = true;
	in->start = in->pos = in->off = start;
	in->limit = end;
	return AS_OK;
}

void as_in_move_range(struct as_in *in, struct as_src *src, uint64_t start, uint64_t end)
{
	as_assert(in->positioned && in->buf && src->pread);
	in_name(in->err, src);
	in->src = src;
	in->p = in->end = in->buf;
	in->start = in->pos = in->off = start;
	in->limit = end;
	in->eof = false;
}

void as_in_close(struct as_in *in)
{
	if (in->buf)
		as_alloc_free(in->al, in->buf, in->cap + AS_IN_SLACK);
	in->buf = NULL;
	in->p = in->end = NULL;
}

static enum as_code fill_failed(struct as_in *in, int sys_errno)
{
	if (in->err) {
		in->err->sys_errno = sys_errno;
		in->err->off = in->off + (uint64_t)(in->end - in->p);
	}
	return as_err_set(in->err, AS_E_IO, "cannot read: %s",
		in->src->fault ? in->src->fault : strerror(sys_errno));
}

/* Append what the source gives to the window; may set eof. */
static enum as_code fill_once(struct as_in *in)
{
	size_t have = (size_t)(in->end - in->buf);
	size_t room = in->cap - have;
	ptrdiff_t n;

	if (in->positioned) {
		if (room > in->limit - in->pos)
			room = (size_t)(in->limit - in->pos);
		n = room ? in->src->pread(in->src, in->buf + have, room, in->pos) : 0;
	} else {
		n = in->src->read(in->src, in->buf + have, room);
	}
	if (n < 0 && in->salvage && in->src->salvaged && (in->off || in->end > in->p)) {
		in->fault = in->src->fault;
		n = 0;
	}
	if (n < 0)
		return fill_failed(in, (int)-n);
	as_assert((size_t)n <= room); /* no source writes behind the window */
	in->pos += (uint64_t)n;
	in->end += n;
	if (n == 0)
		in->eof = true;
	memset(in->buf + (in->end - in->buf), 0, AS_IN_SLACK);
	return AS_OK;
}

/* Make at least MIN bytes stand from p on, or reach the end. */
static enum as_code in_fill(struct as_in *in, size_t min)
{
	size_t left = (size_t)(in->end - in->p);

	as_assert(in->p <= in->end);
	if (left >= min || in->eof)
		return AS_OK;
	if (in->p != in->buf) {
		memmove(in->buf, in->p, left);
		in->p = in->buf;
		in->end = in->buf + left;
	}
	if (min > in->cap) {
		size_t want = in->cap;
		char *buf;

		while (want < min)
			want *= 2;
		buf = in->al->resize(
			in->al->ctx, in->buf, in->cap + AS_IN_SLACK, want + AS_IN_SLACK);
		AS_TRY(as_err_memory(in->err, buf));
		in->buf = buf;
		in->cap = want;
		in->p = buf;
		in->end = buf + left;
	}
	while ((size_t)(in->end - in->p) < min && !in->eof)
		AS_TRY(fill_once(in));
	return AS_OK;
}

enum as_code as_in_peek(struct as_in *in, size_t min, struct as_slice *out)
{
	AS_TRY(in_fill(in, min));
	*out = (struct as_slice){in->p, (size_t)(in->end - in->p)};
	return AS_OK;
}

static enum as_code line_too_long(struct as_in *in)
{
	if (in->err) {
		in->err->off = in->off;
		in->err->line = in->line;
	}
	return as_err_set(in->err, AS_E_LIMIT, "line is longer than %zu bytes", in->line_max);
}

enum as_code as_in_line(struct as_in *in, struct as_slice *line)
{
	size_t seen = 0;

	for (;;) {
		size_t left = (size_t)(in->end - in->p);
		const char *nl = left > seen ? memchr(in->p + seen, '\n', left - seen) : NULL;

		if (nl || (in->eof && left)) {
			size_t n = nl ? (size_t)(nl - in->p) : left;

			*line = (struct as_slice){in->p, n};
			as_in_take(in, n + (nl != NULL));
			in->line++;
			return AS_OK;
		}
		if (in->eof)
			return AS_END;
		if (left > in->line_max)
			return line_too_long(in);
		seen = left;
		AS_TRY(in_fill(in, left + 1));
	}
}

enum as_code as_in_lines(struct as_in *in, struct as_slice *lines)
{
	size_t want = in->cap / 2;

	for (;;) {
		size_t left;
		const char *q;

		AS_TRY(in_fill(in, want));
		left = (size_t)(in->end - in->p);
		if (!left)
			return AS_END;
		*lines = (struct as_slice){in->p, left};
		if (in->eof)
			return AS_OK;
		for (q = in->end; q > in->p; q--)
			if (q[-1] == '\n') {
				lines->len = (size_t)(q - in->p);
				return AS_OK;
			}
		if (left > in->line_max)
			return line_too_long(in);
		want = left * 2;
	}
}

uint64_t as_in_left(const struct as_in *in)
{
	uint64_t end = in->positioned && in->limit < in->src->size ? in->limit : in->src->size;

	if (in->eof)
		return (uint64_t)(in->end - in->p);
	if (end == AS_SIZE_UNKNOWN || end < in->off)
		return AS_SIZE_UNKNOWN;
	return end - in->off;
}

static ptrdiff_t mem_pread(struct as_src *src, void *buf, size_t n, uint64_t off)
{
	struct as_src_mem *sm = (struct as_src_mem *)(void *)src;

	if (off >= sm->data.len)
		return 0;
	if (n > sm->data.len - off)
		n = (size_t)(sm->data.len - off);
	if (n)
		memcpy(buf, sm->data.p + off, n);
	return (ptrdiff_t)n;
}

static ptrdiff_t mem_read(struct as_src *src, void *buf, size_t n)
{
	struct as_src_mem *sm = (struct as_src_mem *)(void *)src;
	ptrdiff_t got = mem_pread(src, buf, n, sm->at);

	sm->at += (size_t)got;
	return got;
}

void as_src_mem_init(struct as_src_mem *sm, struct as_slice data, const char *name)
{
	*sm = (struct as_src_mem){
		.src = {.read = mem_read, .pread = mem_pread, .size = data.len, .name = name},
		.data = data,
	};
}
