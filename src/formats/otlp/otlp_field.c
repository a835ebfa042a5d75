/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The next field of a message. To the rest of the reader it is all the same whether it is one of
 * protocol buffers or of JSON: a field has an id, and a list is the same field several times.
 */
#include <stdarg.h>
#include <stdio.h>

#include "formats/otlp/otlp.h"

/* ---- where and what ---- */

static size_t field_put_at(char *buf, size_t size, const struct as_otlp_cur *cur)
{
	size_t n = cur->up ? field_put_at(buf, size, cur->up) : 0;
	const char *what = as_otlp_msg_text(cur->msg), *comma = n ? ", " : "";
	int more = 0;

	if (n >= size)
		return n;
	if (cur->n)
		more = snprintf(buf + n, size - n, "%s%s %" PRIu64, comma, what, cur->n);
	return n + (size_t)more;
}

static void field_text(char *buf, size_t size, const struct as_otlp_cur *cur, const char *fmt,
	va_list ap) AS_PRINTF(4, 0);

static void field_text(
	char *buf, size_t size, const struct as_otlp_cur *cur, const char *fmt, va_list ap)
{
	size_t n = cur ? field_put_at(buf, size, cur) : 0;

	if (n && n + 2 < size)
		n += (size_t)snprintf(buf + n, size - n, ": ");
	if (n < size)
		vsnprintf(buf + n, size - n, fmt, ap);
}

/* Texts of JSON without their escapes stand elsewhere. */
static uint64_t field_off(const struct as_otlp_read *r, const char *at)
{
	return at && at >= r->base && at <= r->end ? (uint64_t)(at - r->base) : AS_OFF_NONE;
}

enum as_code as_otlp_fail(
	const struct as_otlp_cur *cur, enum as_code code, const char *at, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	field_text(text, sizeof(text), cur, fmt, ap);
	va_end(ap);
	return as_rd_fail(cur->r->rd, code, field_off(cur->r, at), 0, "%s", text);
}

enum as_code as_otlp_find(
	const struct as_otlp_cur *cur, enum as_finding_id id, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	field_text(text, sizeof(text), cur, fmt, ap);
	va_end(ap);
	return as_rd_find(cur->r->rd, id,
		field_off(cur->r, cur->r->json ? cur->js.p : (const char *)cur->pb.p), 0, "%s",
		text);
}

/* ---- protocol buffers ---- */

/* Each field that is not known is told once. */
static enum as_code field_unknown(const struct as_otlp_cur *cur, const char *name, uint64_t number)
{
	struct as_otlp_read *r = cur->r;
	uint64_t key = as_hash_mix(number, cur->msg + 1);

	for (size_t i = 0; i < r->unknown.n; i++)
		if (r->unknown.p[i] == key)
			return AS_OK;
	if (r->unknown.n < 64)
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->unknown, key)));
	return as_otlp_find(cur, AS_F_OTLP_FIELD_UNKNOWN, "%s is not known and not kept", name);
}

static enum as_code field_unknown_number(
	const struct as_otlp_cur *cur, const struct as_pb_field *pf)
{
	char name[64];

	snprintf(name, sizeof(name), "field %" PRIu32 " of a %s", pf->number,
		as_otlp_msg_text(cur->msg));
	return field_unknown(cur, name, pf->number);
}

static enum as_code field_damaged(const struct as_otlp_cur *cur, const struct as_pb_field *pf,
	enum as_code rc, const char *why)
{
	/* Inside of a message that is there as a whole, too short is as wrong as anything else. */
	return as_otlp_fail(cur, cur->up ? AS_E_FORMAT : rc, (const char *)pf->start, "%s", why);
}

static enum as_code field_wrong_type(
	const struct as_otlp_cur *cur, const struct as_pb_field *pf, const char *name)
{
	return as_otlp_fail(cur, AS_E_FORMAT, (const char *)pf->start,
		"field %" PRIu32 " (%s) has the wire type %" PRIu32 ", which is not its own",
		pf->number, name, pf->type);
}

/* The next number of a packed list. */
static enum as_code field_of_list(struct as_otlp_cur *cur, struct as_otlp_field *f)
{
	struct as_pb_cur *list = &cur->packed;

	f->id = cur->list->id;
	f->at = (const char *)list->p;
	if (cur->fixed) {
		f->v = 0;
		for (unsigned i = 8; i-- > 0;)
			f->v = f->v << 8 | list->p[i];
		list->p += 8;
		return AS_OK;
	}
	if (as_pb_varint(&list->p, list->end, &f->v))
		return AS_OK;
	return as_otlp_fail(cur, AS_E_FORMAT, f->at,
		"a number of the list %s has more than ten bytes or goes beyond its end",
		cur->list->name);
}

static enum as_code field_begin_list(struct as_otlp_cur *cur, const struct as_otlp_def *d,
	const struct as_pb_field *pf, struct as_otlp_field *f)
{
	cur->packed = pf->data;
	/* Before 1.8 times were varints; nobody else packs eight bytes at a time. */
	cur->fixed = d->kind == AS_OTLP_FIXED && cur->r->layout >= AS_OTLP_1_8;
	cur->list = d;
	if (cur->fixed && (pf->data.end - pf->data.p) % 8)
		return field_wrong_type(cur, pf, d->name);
	return pf->data.p == pf->data.end ? AS_END : field_of_list(cur, f);
}

/* AS_END: it is a list of nothing. */
static enum as_code field_take(struct as_otlp_cur *cur, const struct as_otlp_def *d,
	const struct as_pb_field *pf, struct as_otlp_field *f)
{
	bool bytes = d->kind >= AS_OTLP_TEXT;

	f->id = d->id;
	f->sub = d->sub;
	f->at = (const char *)pf->start;
	f->cut = false;
	if (bytes && pf->type == AS_PB_BYTES) {
		f->text = (struct as_slice){
			(const char *)pf->data.p, (size_t)(pf->data.end - pf->data.p)};
		return AS_OK;
	}
	f->v = pf->v;
	if (!bytes && pf->type == AS_PB_BYTES && d->list)
		return field_begin_list(cur, d, pf, f);
	if (d->kind == AS_OTLP_NUMBER && pf->type == AS_PB_VARINT)
		return AS_OK;
	if (d->kind == AS_OTLP_FIXED && (pf->type == AS_PB_VARINT || pf->type == AS_PB_FIXED64))
		return AS_OK;
	if (d->kind == AS_OTLP_REAL && pf->type == AS_PB_FIXED64)
		return AS_OK;
	return field_wrong_type(cur, pf, d->name);
}

/* The field that NUMBER is; in 1.8 a location's field 4 may be that of 1.9, which is a list. */
static const struct as_otlp_def *field_def(
	const struct as_otlp_cur *cur, const struct as_pb_field *pf)
{
	uint32_t number = pf->number;
	uint8_t row;

	if (cur->msg == AS_OTLP_LOCATION && number == 4 && pf->type == AS_PB_BYTES)
		number = 5;
	row = number < AS_OTLP_NUMBERS ? cur->r->numbers.row[cur->msg][number] : 0;
	return row ? &as_otlp_def[row - 1] : NULL;
}

/* The input ends in the field PF of CUR, which goes to its end: what is there of it, if it is a
 * message of the way down to the samples. */
static bool field_is_cut(struct as_otlp_cur *cur, struct as_pb_field *pf, enum as_code rc)
{
	struct as_otlp_read *r = cur->r;
	const uint8_t *p = pf->start;
	uint64_t tag, n;

	if (rc != AS_E_TRUNC || !r->may_be_cut || cur->msg > AS_OTLP_PROFILE ||
		cur->msg == AS_OTLP_DICT || (const char *)cur->pb.end != r->end ||
		!as_pb_varint(&p, cur->pb.end, &tag) || (tag & 7) != AS_PB_BYTES ||
		!as_pb_varint(&p, cur->pb.end, &n))
		return false;
	pf->number = (uint32_t)(tag >> 3);
	pf->type = AS_PB_BYTES;
	pf->data = (struct as_pb_cur){p, cur->pb.end};
	cur->pb.p = cur->pb.end;
	r->cut = true;
	return true;
}

/* To the samples, of which those before the end of the input are good. */
static bool field_leads_down(unsigned id)
{
	return id == AS_OTLP_F_RESOURCE_PROFILES || id == AS_OTLP_F_SCOPES ||
	       id == AS_OTLP_F_PROFILES || id == AS_OTLP_F_SAMPLES || id == AS_OTLP_F_DICTIONARY;
}

static enum as_code field_next_pb(struct as_otlp_cur *cur, struct as_otlp_field *f)
{
	const struct as_otlp_def *d;
	struct as_pb_field pf;
	bool cut = false;
	const char *why;
	enum as_code rc;

	if (cur->packed.p < cur->packed.end)
		return field_of_list(cur, f);
	while ((rc = as_pb_next(&cur->pb, &pf, &why)) == AS_OK ||
		(rc != AS_END && (cut = field_is_cut(cur, &pf, rc)))) {
		d = field_def(cur, &pf);
		if (!d && !cut)
			AS_TRY(field_unknown_number(cur, &pf));
		if (!d)
			continue;
		if (cut && !field_leads_down(d->id))
			return AS_END;
		rc = field_take(cur, d, &pf, f);
		f->cut = cut;
		if (rc != AS_END)
			return rc;
	}
	return rc == AS_END ? AS_END : field_damaged(cur, &pf, rc, why);
}

/* ---- JSON ---- */

static enum as_code field_json_wrong(const struct as_otlp_cur *cur, const char *name)
{
	if (cur->js.no_memory)
		return as_err_no_memory(cur->r->rd->err);
	return as_otlp_fail(cur, cur->js.cut ? AS_E_TRUNC : AS_E_FORMAT, cur->js.p, "%s%s%s", name,
		name[0] ? ": " : "", cur->js.why);
}

/* An integer: a number, a text of one, true or false. */
static enum as_code field_json_number(
	struct as_otlp_cur *cur, const struct as_otlp_def *d, struct as_otlp_field *f)
{
	enum as_pull_kind kind = as_pull_peek(&cur->js);
	bool yes, negative;

	f->at = cur->js.p;
	if (kind == AS_PULL_TRUE || kind == AS_PULL_FALSE) {
		if (!as_pull_bool(&cur->js, &yes))
			return field_json_wrong(cur, d->name);
		f->v = yes;
		return AS_OK;
	}
	if (!(kind == AS_PULL_TEXT ? as_pull_text(&cur->js, &f->text)
				   : as_pull_number(&cur->js, &f->text)))
		return field_json_wrong(cur, d->name);
	if (as_pull_integer(f->text, &f->v, &negative))
		return AS_OK;
	return as_otlp_fail(cur, AS_E_FORMAT, f->at,
		"%s: an integer of 64 bits was expected, not '%.*s'", d->name,
		AS_SLICE_FMT(f->text));
}

static enum as_code field_json_value(
	struct as_otlp_cur *cur, const struct as_otlp_def *d, struct as_otlp_field *f)
{
	enum as_pull_kind kind = as_pull_peek(&cur->js);
	bool ok;

	f->id = d->id;
	f->sub = d->sub;
	f->cut = false;
	f->at = cur->js.p;
	switch (d->kind) {
	case AS_OTLP_NUMBER:
	case AS_OTLP_FIXED:
		return field_json_number(cur, d, f);
	case AS_OTLP_REAL: /* "NaN" and such are texts */
		ok = kind == AS_PULL_TEXT ? as_pull_text(&cur->js, &f->text)
					  : as_pull_number(&cur->js, &f->text);
		break;
	case AS_OTLP_MESSAGE:
		if (kind == AS_PULL_NULL)
			f->id = AS_OTLP_F_IGNORED;
		else if (kind != AS_PULL_OBJECT)
			as_pull_wrong(&cur->js, "an object was expected");
		ok = as_pull_raw(&cur->js, &f->text);
		break;
	default:
		ok = as_pull_text(&cur->js, &f->text);
		break;
	}
	return ok ? AS_OK : field_json_wrong(cur, d->name);
}

/* One more of the array that is open, or behind it: AS_END. */
static enum as_code field_json_item(struct as_otlp_cur *cur, struct as_otlp_field *f)
{
	if (as_pull_item(&cur->js))
		return field_json_value(cur, cur->list, f);
	cur->in_array = false;
	return cur->js.why ? field_json_wrong(cur, cur->list->name) : AS_END;
}

static enum as_code field_json_unknown(struct as_otlp_cur *cur, struct as_slice key)
{
	char name[100];

	snprintf(name, sizeof(name), "the member '%.*s' of a %s",
		(int)(key.len < 40 ? key.len : 40), key.p, as_otlp_msg_text(cur->msg));
	AS_TRY(field_unknown(cur, name, as_hash_bytes(key.p, key.len)));
	return as_pull_skip(&cur->js) ? AS_OK : field_json_wrong(cur, "");
}

static enum as_code field_next_json(struct as_otlp_cur *cur, struct as_otlp_field *f)
{
	const struct as_otlp_def *d;
	struct as_slice key;
	enum as_code rc;

	if (cur->in_array && (rc = field_json_item(cur, f)) != AS_END)
		return rc;
	while (as_pull_key(&cur->js, &key)) {
		enum as_pull_kind kind = as_pull_peek(&cur->js);

		d = as_otlp_named(cur->msg, key);
		if (!d) {
			AS_TRY(field_json_unknown(cur, key));
			continue;
		}
		if (kind == AS_PULL_NULL) {
			if (!as_pull_skip(&cur->js))
				break;
			continue;
		}
		if (!d->list || kind != AS_PULL_ARRAY)
			return field_json_value(cur, d, f);
		cur->list = d;
		cur->in_array = as_pull_array(&cur->js);
		if ((rc = field_json_item(cur, f)) != AS_END)
			return rc;
	}
	return cur->js.why ? field_json_wrong(cur, "") : AS_END;
}

/* ---- both ---- */

void as_otlp_begin(struct as_otlp_read *r, struct as_otlp_cur *cur, enum as_otlp_msg msg,
	struct as_slice bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.p;

	*cur = (struct as_otlp_cur){.r = r, .msg = msg};
	if (!r->json) {
		cur->pb = (struct as_pb_cur){p, p + bytes.len};
		return;
	}
	as_pull_init(&cur->js, bytes, &r->arena);
	as_pull_object(&cur->js);
}

void as_otlp_enter(struct as_otlp_cur *cur, const struct as_otlp_cur *up,
	const struct as_otlp_field *f, uint64_t n)
{
	as_otlp_begin(up->r, cur, f->sub, f->text);
	cur->up = up;
	cur->n = n;
}

enum as_code as_otlp_next(struct as_otlp_cur *cur, struct as_otlp_field *f)
{
	return cur->r->json ? field_next_json(cur, f) : field_next_pb(cur, f);
}
