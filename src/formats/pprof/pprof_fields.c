/* SPDX-License-Identifier: Apache-2.0 */
/* What all parts of the reader use: one field of any message, the strings it names, and what is
 * said of it where it is wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_sections.h"

static size_t put_at(char *buf, size_t size, const struct as_pb_at *at)
{
	size_t n = at->up ? put_at(buf, size, at->up) : 0;
	int more;

	if (n >= size)
		return n;
	more = at->n ? snprintf(buf + n, size - n, "%s%s %" PRIu64, n ? ", " : "", at->what, at->n)
		     : snprintf(buf + n, size - n, "%s%s", n ? ", " : "", at->what);
	return n + (size_t)more;
}

static void make_text(char *buf, size_t size, const struct as_pb_at *at, const char *fmt,
	va_list ap) AS_PRINTF(4, 0);

/* "sample 17: TEXT" */
static void make_text(
	char *buf, size_t size, const struct as_pb_at *at, const char *fmt, va_list ap)
{
	size_t n = 0;

	if (at) {
		n = put_at(buf, size, at);
		if (n + 2 < size)
			n += (size_t)snprintf(buf + n, size - n, ": ");
	}
	if (n < size)
		vsnprintf(buf + n, size - n, fmt, ap);
}

enum as_code as_pb_fail(const struct as_pb_read *r, enum as_code code, const uint8_t *p,
	const struct as_pb_at *at, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	make_text(text, sizeof(text), at, fmt, ap);
	va_end(ap);
	return as_rd_fail(r->rd, code, (uint64_t)(p - r->base), 0, "%s", text);
}

enum as_code as_pb_find(const struct as_pb_read *r, enum as_finding_id id, uint64_t off,
	const struct as_pb_at *at, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	make_text(text, sizeof(text), at, fmt, ap);
	va_end(ap);
	return as_rd_find(r->rd, id, off, 0, "%s", text);
}

enum as_code as_pb_get(const struct as_pb_read *r, struct as_pb_cur *cur, struct as_pb_field *f,
	const struct as_pb_at *at)
{
	const char *why;
	enum as_code rc = as_pb_next(cur, f, &why);

	if (AS_LIKELY(rc == AS_OK || rc == AS_END))
		return rc;
	/* Inside of a message that is there as a whole, too short is as wrong as anything else. */
	return as_pb_fail(r, at ? AS_E_FORMAT : rc, f->start, at, "%s", why);
}

static enum as_code wrong_type(
	const struct as_pb_read *r, const struct as_pb_field *f, const struct as_pb_at *at)
{
	return as_pb_fail(r, AS_E_FORMAT, f->start, at,
		"field %" PRIu32 " has the wire type %" PRIu32 ", which is not its own", f->number,
		f->type);
}

enum as_code as_pb_number(const struct as_pb_read *r, const struct as_pb_field *f,
	const struct as_pb_at *at, uint64_t *v)
{
	*v = f->v;
	return AS_LIKELY(f->type == AS_PB_VARINT) ? AS_OK : wrong_type(r, f, at);
}

enum as_code as_pb_is_bytes(
	const struct as_pb_read *r, const struct as_pb_field *f, const struct as_pb_at *at)
{
	return AS_LIKELY(f->type == AS_PB_BYTES) ? AS_OK : wrong_type(r, f, at);
}

enum as_code as_pb_keep(
	struct as_pb_read *r, const struct as_pb_cur *cur, const struct as_pb_field *f)
{
	size_t n = (size_t)(cur->p - f->start);

	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->extra, r->extra.n + n)));
	memcpy(r->extra.p + r->extra.n, f->start, n);
	r->extra.n += n;
	return AS_OK;
}

/* Whether a string is at P that is neither long nor empty, and whole. */
static bool pb_fields_is_short(const uint8_t *p, const uint8_t *end)
{
	return end - p > 2 && p[0] == (PB_STRING_TABLE << 3 | AS_PB_BYTES) &&
	       (uint8_t)(p[1] - 1) < 0x7f && p[1] <= end - p - 2;
}

size_t as_pb_count_strings(const struct as_pb_cur *cur, size_t most)
{
	size_t n = 0;

	for (const uint8_t *p = cur->p; n < most && pb_fields_is_short(p, cur->end); p += 2 + p[1])
		n++;
	return n;
}

void as_pb_take_strings(struct as_pb_cur *cur, size_t n, struct as_slice *to)
{
	const uint8_t *p = cur->p;

	for (; n; n--, p += 2 + p[1])
		*to++ = (struct as_slice){(const char *)p + 2, p[1]};
	cur->p = p;
}

enum as_code as_pb_numbers(struct as_pb_read *r, struct as_pb_cur msg, const struct as_pb_at *at,
	uint64_t *v, uint32_t n)
{
	struct as_pb_field f;
	enum as_code rc;

	if (AS_LIKELY(as_pb_plain_numbers(msg, v, n)))
		return AS_OK;
	memset(v, 0, ((size_t)n + 1) * sizeof(*v));
	while ((rc = as_pb_get(r, &msg, &f, at)) == AS_OK) {
		if (f.number > n)
			AS_TRY(as_pb_keep(r, &msg, &f));
		else
			AS_TRY(as_pb_number(r, &f, at, &v[f.number]));
	}
	return rc == AS_END ? AS_OK : rc;
}

enum as_code as_pb_kept(struct as_pb_read *r, as_str *out)
{
	struct as_slice all = {r->extra.p, r->extra.n};

	r->extra.n = 0;
	out->i = 0;
	return all.len ? as_build_str(r->rd->out, all, out) : AS_OK;
}

enum as_code as_pb_str(
	struct as_pb_read *r, uint64_t i, const struct as_pb_at *at, uint64_t off, as_str *out)
{
	out->i = 0;
	if (!i)
		return AS_OK;
	if (!as_pb_has_str(r, i))
		return as_pb_find(r, AS_F_PB_STRING_RANGE, off, at,
			"string %" PRId64 " does not exist; the table has %zu", (int64_t)i,
			r->str.n);
	if (!r->str_of.p[i]) {
		AS_TRY(as_build_str(r->rd->out, r->str.p[i], out));
		r->str_of.p[i] = out->i + 1;
	}
	out->i = r->str_of.p[i] - 1;
	return AS_OK;
}
