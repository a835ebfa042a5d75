/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/otlp/otlp_put.h"

#include "base/utf8_len.h"
#include "formats/json_out.h"

/* ---- fields ---- */

static const struct as_otlp_def *put_def(const struct as_otlp_put *p, enum as_otlp_id id)
{
	uint8_t row = p->row[p->at[p->depth].msg][id];

	as_assert(row);
	return &as_otlp_def[row - 1];
}

/* JSON has integers of 64 bits as texts. */
static bool put_is_wide(unsigned id)
{
	switch (id) {
	case AS_OTLP_F_START:
	case AS_OTLP_F_LIMIT:
	case AS_OTLP_F_OFFSET:
	case AS_OTLP_F_ADDRESS:
	case AS_OTLP_F_LINE:
	case AS_OTLP_F_COLUMN:
	case AS_OTLP_F_VALUES:
	case AS_OTLP_F_TIME:
	case AS_OTLP_F_DURATION:
	case AS_OTLP_F_PERIOD:
	case AS_OTLP_F_INT:
	case AS_OTLP_F_TIMES:
		return true;
	default:
		return false;
	}
}

static bool put_is_signed(unsigned id)
{
	return id == AS_OTLP_F_LINE || id == AS_OTLP_F_COLUMN || id == AS_OTLP_F_VALUES ||
	       id == AS_OTLP_F_PERIOD || id == AS_OTLP_F_INT;
}

static struct as_pb_buf *put_buf(struct as_otlp_put *p)
{
	return &p->at[p->depth].buf;
}

/* ---- JSON ---- */

static void put_comma(struct as_otlp_put *p)
{
	if (p->at[p->depth].some)
		as_out_char(p->out, ',');
	p->at[p->depth].some = true;
}

static bool put_is_utf8(struct as_slice s)
{
	for (size_t i = 0, n; i < s.len; i += n) {
		n = as_utf8_len(s.p + i, s.len - i);
		if (!n)
			return false;
	}
	return true;
}

/* S into protocol buffers, what is no UTF-8 as U+FFFD. */
static void put_mended(struct as_otlp_put *p, uint32_t number, struct as_slice s)
{
	struct as_pb_buf text = {.al = put_buf(p)->al};

	for (size_t i = 0, n; i < s.len; i += n ? n : 1) {
		n = as_utf8_len(s.p + i, s.len - i);
		as_pb_put_raw(
			&text, n ? (struct as_slice){s.p + i, n} : as_slice_of("\xef\xbf\xbd"));
	}
	p->no_memory |= text.no_memory;
	as_pb_put_bytes(put_buf(p), number, as_pb_bytes(&text));
	as_vec_free(text.al, &text.data);
}

static void otlp_put_key(struct as_otlp_put *p, const struct as_otlp_def *d)
{
	put_comma(p);
	as_out_printf(p->out, "\"%s\":", d->name);
}

/* The key, unless it is an element of a list, which has one already. */
static void put_key_or_comma(struct as_otlp_put *p, const struct as_otlp_def *d)
{
	if (d->list)
		put_comma(p);
	else
		otlp_put_key(p, d);
}

static void put_json_number(struct as_otlp_put *p, unsigned id, uint64_t v)
{
	const char *quote = put_is_wide(id) ? "\"" : "";

	as_out_text(p->out, quote);
	if (id == AS_OTLP_F_BOOL)
		as_out_text(p->out, v ? "true" : "false");
	else if (put_is_signed(id))
		as_out_val(p->out, (int64_t)v);
	else
		as_out_u64(p->out, v);
	as_out_text(p->out, quote);
}

/* ---- messages ---- */

void as_otlp_put_begin(struct as_otlp_put *p, enum as_otlp_id id)
{
	const struct as_otlp_def *d = put_def(p, id);

	if (p->json) {
		put_key_or_comma(p, d);
		as_out_char(p->out, '{');
	}
	as_assert(p->depth + 1 < AS_OTLP_PUT_DEPTH);
	p->depth++;
	p->at[p->depth].msg = d->sub;
	p->at[p->depth].id = (uint8_t)id;
	p->at[p->depth].some = false;
	put_buf(p)->data.n = 0;
}

void as_otlp_put_end(struct as_otlp_put *p)
{
	struct as_pb_buf *buf = put_buf(p);
	unsigned id = p->at[p->depth].id;
	const struct as_otlp_def *d;
	struct as_out *out = p->out;
	char *to, *end;

	p->depth--;
	p->no_memory |= buf->no_memory;
	if (p->json) {
		as_out_char(out, '}');
		return;
	}
	d = put_def(p, id);
	if (p->depth) {
		as_pb_put_bytes(put_buf(p), d->number, as_pb_bytes(buf));
		return;
	}
	to = as_out_room(out, 2 * AS_PB_VARINT_MAX);
	end = as_pb_put_varint(to, (uint64_t)d->number << 3 | AS_PB_BYTES);
	end = as_pb_put_varint(end, buf->data.n);
	out->n += (size_t)(end - to);
	as_out_slice(out, as_pb_bytes(buf));
}

void as_otlp_put_list(struct as_otlp_put *p, enum as_otlp_id id)
{
	if (!p->json)
		return;
	otlp_put_key(p, put_def(p, id));
	as_out_char(p->out, '[');
	p->at[p->depth].some = false;
}

void as_otlp_put_list_end(struct as_otlp_put *p)
{
	if (!p->json)
		return;
	as_out_char(p->out, ']');
	p->at[p->depth].some = true;
}

/* ---- values ---- */

void as_otlp_put_number_always(struct as_otlp_put *p, enum as_otlp_id id, uint64_t v)
{
	const struct as_otlp_def *d = put_def(p, id);

	if (p->json) {
		put_key_or_comma(p, d);
		put_json_number(p, id, v);
	} else if (d->kind == AS_OTLP_FIXED) {
		as_pb_put_fixed(put_buf(p), d->number, v);
	} else {
		as_pb_put_always(put_buf(p), d->number, v);
	}
}

void as_otlp_put_number(struct as_otlp_put *p, enum as_otlp_id id, uint64_t v)
{
	if (v)
		as_otlp_put_number_always(p, id, v);
}

void as_otlp_put_text_always(struct as_otlp_put *p, enum as_otlp_id id, struct as_slice s)
{
	const struct as_otlp_def *d = put_def(p, id);

	bool good = d->kind != AS_OTLP_TEXT || put_is_utf8(s);

	p->n_bad += !good;
	if (p->json) {
		put_key_or_comma(p, d);
		(void)as_json_out_text(p->out, s);
	} else if (good) {
		as_pb_put_bytes(put_buf(p), d->number, s);
	} else {
		put_mended(p, d->number, s);
	}
}

void as_otlp_put_text(struct as_otlp_put *p, enum as_otlp_id id, struct as_slice s)
{
	if (s.len)
		as_otlp_put_text_always(p, id, s);
}

static unsigned put_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10) & 15;
}

void as_otlp_put_hex(struct as_otlp_put *p, enum as_otlp_id id, struct as_slice s)
{
	char bytes[64];
	size_t n = s.len / 2 < sizeof(bytes) ? s.len / 2 : sizeof(bytes);

	if (p->json) {
		as_otlp_put_text(p, id, s);
		return;
	}
	for (size_t i = 0; i < n; i++)
		bytes[i] = (char)(put_digit(s.p[2 * i]) << 4 | put_digit(s.p[2 * i + 1]));
	as_otlp_put_text(p, id, (struct as_slice){bytes, n});
}

void as_otlp_put_real(struct as_otlp_put *p, enum as_otlp_id id, double v)
{
	const struct as_otlp_def *d = put_def(p, id);
	uint64_t bits;

	if (p->json) {
		put_key_or_comma(p, d);
		as_out_printf(p->out, "%.17g", v);
		return;
	}
	memcpy(&bits, &v, sizeof(bits));
	as_pb_put_fixed(put_buf(p), d->number, bits);
}

void as_otlp_put_numbers(struct as_otlp_put *p, enum as_otlp_id id, const uint64_t *v, size_t n)
{
	if (!n)
		return;
	if (!p->json) {
		const struct as_otlp_def *d = put_def(p, id);

		(d->kind == AS_OTLP_FIXED ? as_pb_put_packed_fixed : as_pb_put_packed)(
			put_buf(p), d->number, v, n);
		return;
	}
	as_otlp_put_list(p, id);
	for (size_t i = 0; i < n; i++)
		as_otlp_put_number_always(p, id, v[i]);
	as_otlp_put_list_end(p);
}

/* ---- the outermost message ---- */

void as_otlp_put_init(
	struct as_otlp_put *p, const struct as_alloc *al, struct as_out *out, bool json)
{
	*p = (struct as_otlp_put){.json = json, .out = out};
	for (unsigned i = 0; i < AS_OTLP_PUT_DEPTH; i++)
		p->at[i].buf.al = al;
	for (size_t i = as_otlp_n_defs; i-- > 0;) /* of several the first */
		if (as_otlp_def[i].last == AS_OTLP_1_10)
			p->row[as_otlp_def[i].msg][as_otlp_def[i].id] = (uint8_t)(i + 1);
	p->at[0].msg = AS_OTLP_DATA;
	if (json)
		as_out_char(out, '{');
}
