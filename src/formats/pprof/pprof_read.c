/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading profile.proto. All of the input stands in memory: fields may come in any order, and the
 * strings, which everything names, mostly come last. One pass takes the small tables and notes
 * where the samples are; these are decoded when everything that they name is known.
 */
#include <stdio.h>

#include "base/pool.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_sections.h"

/* ---- the pass over the profile ---- */

static enum as_code read_type(struct as_pb_read *r, struct as_pb_cur msg, const char *what,
	uint64_t n, struct as_pb_type *out)
{
	struct as_pb_at at = {what, n, NULL};
	struct as_pb_field f;
	enum as_code rc;

	*out = (struct as_pb_type){0};
	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK) {
		if (f.number == PB_VALUE_TYPE)
			AS_TRY(as_pb_number(r, &f, &at, &out->type));
		else if (f.number == PB_VALUE_UNIT)
			AS_TRY(as_pb_number(r, &f, &at, &out->unit));
		else
			AS_TRY(as_pb_find(r, AS_F_PB_FIELD_DROPPED, (uint64_t)(f.start - r->base),
				&at, "field %" PRIu32 " is not known and not kept", f.number));
	}
	return rc == AS_END ? AS_OK : rc;
}

/* Field F, before CUR, is the next of those that S has. */
static enum as_code note_stretch(struct as_pb_read *r, struct as_pb_stretches *s,
	const struct as_pb_cur *cur, const struct as_pb_field *f, uint64_t number)
{
	struct as_pb_stretch *last = s->row.n ? &s->row.p[s->row.n - 1] : NULL;
	struct as_pb_stretch one = {{f->start, cur->p}, number};

	if (last && last->bytes.end == f->start) {
		last->bytes.end = cur->p;
		return AS_OK;
	}
	return as_err_memory(r->rd->err, as_vec_push(r->al, &s->row, one));
}

static enum as_code note_string(struct as_pb_read *r, const struct as_pb_field *f)
{
	struct as_slice s = {(const char *)f->data.p, (size_t)(f->data.end - f->data.p)};
	uint64_t off = (uint64_t)(f->start - r->base);

	if (!r->str.n && s.len)
		AS_TRY(as_pb_find(r, AS_F_PB_STRING_FIRST, off, NULL,
			"the first string is not empty; what names it has no text"));
	r->empty_again |= r->str.n && !s.len;
	if (r->str.n >= UINT32_MAX - 1)
		return as_pb_fail(r, AS_E_LIMIT, f->start, NULL, "more than 2^32 strings");
	return as_err_memory(
		r->rd->err, as_vec_push(r->al, &r->str, s) && as_vec_push(r->al, &r->str_of, 0));
}

static enum as_code two_profiles(const struct as_pb_read *r, const uint8_t *p, const char *what)
{
	return as_pb_fail(r, AS_E_FORMAT, p, NULL,
		"%s: two profiles stand one behind the other in this file, and what is of which "
		"cannot be told; split it",
		what);
}

/* Whether a table of strings begins at or behind CUR: the first string of each is empty. */
static bool has_strings(struct as_pb_cur cur)
{
	struct as_pb_field f;
	const char *why;

	while (as_pb_next(&cur, &f, &why) == AS_OK)
		if (f.number == PB_STRING_TABLE && f.type == AS_PB_BYTES && f.data.p == f.data.end)
			return true;
	return false;
}

/* Messages one behind the other are one message, says the encoding; but two profiles count their
 * strings and ids both from the start. Nothing but a second profile has sample types behind
 * samples and strings, and one more empty string. */
static enum as_code add_type(
	struct as_pb_read *r, const struct as_pb_cur *cur, const struct as_pb_field *f)
{
	struct as_pb_type type;

	if (r->type.n && r->n_samples && r->str.n && !r->types_again) {
		r->types_again = true;
		if (r->empty_again || has_strings(*cur))
			return two_profiles(r, f->start, "sample types once more");
	}
	AS_TRY(read_type(r, f->data, "sample_type", r->type.n + 1, &type));
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->type, type));
}

static enum as_code read_time(struct as_pb_read *r, const struct as_pb_field *f)
{
	uint64_t v;

	AS_TRY(as_pb_number(r, f, NULL, &v));
	if (r->has_time)
		return two_profiles(r, f->start, "a second start time");
	r->has_time = true;
	r->time = (int64_t)v;
	return AS_OK;
}

static enum as_code read_comments(struct as_pb_read *r, const struct as_pb_field *f)
{
	struct as_pb_cur list = f->data;
	uint64_t v = f->v;

	if (f->type != AS_PB_BYTES) {
		AS_TRY(as_pb_number(r, f, NULL, &v));
		return as_err_memory(r->rd->err, as_vec_push(r->al, &r->comment, v));
	}
	while (list.p < list.end) {
		if (!as_pb_varint(&list.p, list.end, &v))
			return as_pb_fail(r, AS_E_FORMAT, list.p, NULL,
				"a number of the list of comments is damaged");
		AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->comment, v)));
	}
	return AS_OK;
}

static enum as_code read_scalar(
	struct as_pb_read *r, const struct as_pb_cur *cur, const struct as_pb_field *f)
{
	uint64_t v = 0;

	switch (f->number) {
	case PB_DROP_FRAMES:
		return as_pb_number(r, f, NULL, &r->drop);
	case PB_KEEP_FRAMES:
		return as_pb_number(r, f, NULL, &r->keep);
	case PB_TIME_NANOS:
		return read_time(r, f);
	case PB_DURATION_NANOS:
		AS_TRY(as_pb_number(r, f, NULL, &v));
		r->duration = (int64_t)v;
		return AS_OK;
	case PB_PERIOD:
		AS_TRY(as_pb_number(r, f, NULL, &v));
		r->period = (int64_t)v;
		return AS_OK;
	case PB_DEFAULT_SAMPLE_TYPE:
		return as_pb_number(r, f, NULL, &r->default_type);
	case PB_DOC_URL:
		return as_pb_number(r, f, NULL, &r->url);
	case PB_COMMENT:
		return read_comments(r, f);
	default:
		return as_pb_keep(r, cur, f);
	}
}

/* A field of our writer's: the first of the file, and others only behind that. */
static bool pb_read_is_own(const struct as_pb_read *r, const struct as_pb_field *f)
{
	if (f->number == PB_OWN_FRONT)
		return f->start == r->base && f->type == AS_PB_VARINT;
	return (f->number == PB_OWN_TOTAL || f->number == PB_OWN_SECTION) && r->has_front &&
	       f->type == AS_PB_BYTES;
}

/* A location or a function, and not all of them are read. */
static bool pb_read_is_some(const struct as_pb_read *r, uint32_t number)
{
	return AS_HAS_WRITERS && r->rd->sections &&
	       (number == PB_LOCATION || number == PB_FUNCTION);
}

static enum as_code read_field(
	struct as_pb_read *r, const struct as_pb_cur *cur, const struct as_pb_field *f)
{
	size_t kept = r->extra.n;

	if (pb_read_is_own(r, f))
		return as_pb_read_front(r, cur, f);
	if (f->number == PB_OWN_MOMENTS && as_pb_is_moments(r, f))
		return AS_OK;
	if (f->number > PB_STRING_TABLE && f->number != PB_PERIOD_TYPE)
		return read_scalar(r, cur, f);
	AS_TRY(as_pb_is_bytes(r, f, NULL));
	switch (f->number) {
	case PB_SAMPLE:
		return note_stretch(r, &r->stretch, cur, f, r->n_samples++);
	case PB_STRING_TABLE:
		return note_string(r, f);
	case PB_PERIOD_TYPE:
		return read_type(r, f->data, "period_type", 0, &r->period_type);
	case PB_SAMPLE_TYPE:
		return add_type(r, cur, f);
	default:
		break;
	}
	/* The scratch is the profile's own while there is something in it. */
	if (kept && !as_vec_reserve(r->al, &r->fields, r->fields.n + kept))
		return as_err_no_memory(r->rd->err);
	if (kept)
		memcpy(r->fields.p + r->fields.n, r->extra.p, kept);
	r->fields.n += kept;
	r->extra.n = 0;
	if (pb_read_is_some(r, f->number))
		return note_stretch(r, &r->some, cur, f, 0);
	if (f->number == PB_MAPPING && as_pb_is_front_alone(r->rd))
		return AS_OK; /* without samples there is no code, either */
	return f->number == PB_MAPPING    ? as_pb_read_map(r, f->data)
	       : f->number == PB_LOCATION ? as_pb_read_loc(r, f->data)
					  : as_pb_read_func(r, f->data);
}

/* All of the input, in memory. */
static enum as_code pb_read_load(struct as_pb_read *r, struct as_pb_cur *all)
{
	struct as_in *in = r->rd->in;
	struct as_slice s = {NULL, 0};

	do {
		AS_TRY(as_in_peek(in, s.len + 1, &s));
	} while (!in->eof);
	AS_TRY(as_in_peek(in, 0, &s));
	r->base = (const uint8_t *)s.p;
	*all = (struct as_pb_cur){r->base, r->base + s.len};
	return AS_OK;
}

/* Where the messages at P end that are fields NUMBER or OTHER; *N more of them. One that is long or
 * damaged is none of them: as_pb_next() tells. */
static const uint8_t *pb_read_run(
	const uint8_t *p, const uint8_t *end, uint32_t number, uint32_t other, uint64_t *n)
{
	const uint32_t tag = number << 3 | AS_PB_BYTES, tag_too = other << 3 | AS_PB_BYTES;

	while (end - p > 3 && (p[0] == tag || p[0] == tag_too)) {
		bool two = p[1] >= 0x80;
		ptrdiff_t size = two ? 3 + (p[1] & 0x7f) + (ptrdiff_t)p[2] * 0x80 : 2 + p[1];

		if ((two && p[2] >= 0x80) || size > end - p)
			break;
		p += size;
		++*n;
	}
	return p;
}

/* The strings that stand behind one, up to one that is long or empty. */
static enum as_code pb_read_strings(struct as_pb_read *r, struct as_pb_cur *all)
{
	size_t n = as_pb_count_strings(all, UINT32_MAX - 1 - r->str.n);

	if (!as_vec_reserve(r->al, &r->str, r->str.n + n) ||
		!as_vec_reserve(r->al, &r->str_of, r->str.n + n))
		return as_err_no_memory(r->rd->err);
	as_pb_take_strings(all, n, r->str.p + r->str.n);
	memset(r->str_of.p + r->str_of.n, 0, n * sizeof(*r->str_of.p));
	r->str.n += n;
	r->str_of.n += n;
	return AS_OK;
}

/* What stands behind field F and is as it: of most no more is noted than where they are. */
static enum as_code pb_read_like(
	struct as_pb_read *r, struct as_pb_cur *all, const struct as_pb_field *f)
{
	bool some = pb_read_is_some(r, f->number);
	struct as_pb_stretches *to = some ? &r->some : &r->stretch;
	uint64_t n = 0;

	if (f->number == PB_STRING_TABLE)
		return pb_read_strings(r, all);
	if (f->number != PB_SAMPLE && !some)
		return AS_OK;
	if (some)
		all->p = as_pb_find_some(r, f->start, all->end);
	all->p = pb_read_run(all->p, all->end, some ? PB_LOCATION : PB_SAMPLE,
		some ? PB_FUNCTION : PB_SAMPLE, &n);
	to->row.p[to->row.n - 1].bytes.end = all->p;
	r->n_samples += some ? 0 : n;
	return AS_OK;
}

static enum as_code read_fields(struct as_pb_read *r, struct as_pb_cur *all)
{
	struct as_pb_field f;
	enum as_code rc;

	while ((rc = as_pb_get(r, all, &f, NULL)) == AS_OK) {
		AS_TRY(read_field(r, all, &f));
		AS_TRY(pb_read_like(r, all, &f));
	}
	/* Every profile has a string, the empty one, and it mostly stands behind the samples. */
	if (rc == AS_END && r->n_samples && !r->str.n)
		return as_pb_fail(r, AS_E_TRUNC, all->p, NULL,
			"the file ends before its table of strings: nothing in it has a name");
	if (rc == AS_END)
		return AS_OK;
	/* Without strings nothing has a name; with them, what came before is good. */
	if (rc == AS_E_TRUNC && r->str.n && r->n_samples && !r->rd->strict) {
		as_rd_partial(r->rd);
		return as_pb_find(r, AS_F_TRUNCATED, (uint64_t)(f.start - r->base), NULL,
			"the file ends inside of field %" PRIu32, f.number);
	}
	return rc;
}

/* ---- the profile as a whole ---- */

/* Types of one name differ in their units: the model tells events apart by names. */
static enum as_code event_name(
	struct as_pb_read *r, size_t i, struct as_slice name, struct as_slice unit, uint32_t *event)
{
	const struct as_profile *prof = r->rd->out->prof;
	struct as_pb_at at = {"sample_type", i + 1, NULL};
	size_t before = prof->event.n;
	char text[300];

	AS_TRY(as_build_event(r->rd->out, name, unit, event));
	if (prof->event.n > before)
		return AS_OK;
	snprintf(text, sizeof(text), "%.*s/%.*s", (int)(name.len < 100 ? name.len : 100), name.p,
		(int)(unit.len < 100 ? unit.len : 100), unit.p);
	AS_TRY(as_pb_find(r, AS_F_PB_TYPE_TWICE, 0, &at,
		"there is a type of this name already; it is called '%s' here", text));
	AS_TRY(as_build_event(r->rd->out, as_slice_of(text), unit, event));
	for (unsigned k = 2; prof->event.n == before && k; k++) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, "#%zu", i + 1);
		AS_TRY(as_build_event(r->rd->out, as_slice_of(text), unit, event));
	}
	return AS_OK;
}

static enum as_code pb_read_put_event(struct as_pb_read *r, size_t i)
{
	const struct as_profile *prof = r->rd->out->prof;
	struct as_pb_at at = {"sample_type", i + 1, NULL};
	as_str name, unit;

	AS_TRY(as_pb_str(r, r->type.p[i].type, &at, 0, &name));
	AS_TRY(as_pb_str(r, r->type.p[i].unit, &at, 0, &unit));
	return event_name(r, i, as_str_get(prof, name), as_str_get(prof, unit), &r->event.p[i]);
}

/* The type to show unasked: the first of that name, or else the last that there is. 0 names none,
 * whatever text a broken table has there. */
static size_t pb_read_default_type(const struct as_pb_read *r)
{
	size_t n = r->type.n, i = 0;
	struct as_slice want = {NULL, 0};

	if (r->default_type && r->default_type < r->str.n)
		want = r->str.p[r->default_type];
	while (i < n && !(want.len && r->type.p[i].type < r->str.n &&
				as_slice_eq(r->str.p[r->type.p[i].type], want)))
		i++;
	return i < n ? i : n - (n > 0);
}

static enum as_code pb_read_put_events(struct as_pb_read *r)
{
	size_t first = pb_read_default_type(r);

	if (r->rd->lim.events && r->type.n > r->rd->lim.events)
		return as_rd_fail(r->rd, AS_E_LIMIT, 0, 0,
			"%zu sample types; the limit is %" PRIu64, r->type.n, r->rd->lim.events);
	if (!r->type.n && r->n_samples)
		return as_rd_fail(r->rd, AS_E_FORMAT, 0, 0,
			"there are samples, but no sample type says what their values are");
	for (size_t i = 0; i < r->type.n; i++)
		AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->event, 0)));
	if (r->type.n)
		AS_TRY(pb_read_put_event(r, first));
	for (size_t i = 0; i < r->type.n; i++)
		if (i != first)
			AS_TRY(pb_read_put_event(r, i));
	r->rd->out->prof->first_column = (uint32_t)first;
	return AS_OK;
}

static enum as_code pb_read_put_meta(struct as_pb_read *r, const char *key, uint64_t string)
{
	struct as_pb_at at = {key, 0, NULL};
	as_str text;

	if (!string)
		return AS_OK;
	AS_TRY(as_pb_str(r, string, &at, 0, &text));
	return as_build_meta(r->rd->out, 0, as_slice_of(key), as_str_get(r->rd->out->prof, text));
}

/* The period is that of the samples, if it is a time and they are counted, and nothing better is
 * known. */
static enum as_code pb_read_put_period(struct as_pb_read *r)
{
	struct as_profile *prof = r->rd->out->prof;
	struct as_pb_at at = {"period_type", 0, NULL};
	char text[24];
	as_str unit;

	for (size_t i = 0; i < prof->event.n; i++)
		if (prof->event.p[i].period) /* comments of ours have said it of each */
			return AS_OK;
	AS_TRY(pb_read_put_meta(r, AS_PB_META_PERIOD_TYPE, r->period_type.type));
	AS_TRY(as_pb_str(r, r->period_type.unit, &at, 0, &unit));
	for (size_t i = 0; i < prof->event.n && r->period > 0 && r->period_type.type; i++) {
		struct as_event *ev = &prof->event.p[i];

		if (!as_slice_is(as_str_get(prof, ev->unit), "count") ||
			!as_unit_nanos(as_str_get(prof, unit)))
			continue;
		ev->period = (uint64_t)r->period;
		ev->period_unit = unit;
		return AS_OK;
	}
	AS_TRY(pb_read_put_meta(r, AS_PB_META_PERIOD_UNIT, r->period_type.unit));
	if (!r->period)
		return AS_OK;
	snprintf(text, sizeof(text), "%" PRId64, r->period);
	return as_build_meta(r->rd->out, 0, as_slice_of(AS_PB_META_PERIOD), as_slice_of(text));
}

/* A comment of our writer's: what addresses of an object are. False if there is none such. */
static bool is_virtual(struct as_pb_read *r, struct as_slice text)
{
	struct as_profile *prof = r->rd->out->prof;
	bool found = false;

	if (!as_slice_starts(text, AS_PB_VIRTUAL))
		return false;
	text = as_slice_skip(text, strlen(AS_PB_VIRTUAL));
	for (uint32_t i = 1; i < prof->object.n; i++) {
		struct as_object_row *o = &prof->object.p[i];

		if (o->addr_kind == AS_ADDR_ABSOLUTE ||
			!as_slice_eq(as_str_get(prof, o->path), text))
			continue;
		o->addr_kind = AS_ADDR_VIRTUAL;
		found = true;
	}
	return found || r->rd->sections; /* objects of samples that are not there are not, either */
}

/* A comment of our writer's is a fact; others are kept. */
static enum as_code put_comment(struct as_pb_read *r, struct as_run_read *run, size_t i)
{
	struct as_pb_at at = {"comment", i + 1, NULL};
	struct as_slice text;
	enum as_said said;
	as_str s;

	AS_TRY(as_pb_str(r, r->comment.p[i], &at, 0, &s));
	text = as_str_get(r->rd->out->prof, s);
	AS_TRY(as_run_line(run, text, &said));
	if (said == AS_SAID_FACT || is_virtual(r, text))
		return AS_OK;
	return as_build_meta(r->rd->out, 0, as_slice_of(AS_PB_META_COMMENT), text);
}

static enum as_code pb_read_put_comments(struct as_pb_read *r)
{
	struct as_run_read run;
	enum as_code rc = AS_OK;

	as_run_begin(&run, r->rd->out, 0, AS_RUN_PROCESS | AS_RUN_EVENTS);
	for (size_t i = 0; rc == AS_OK && i < r->comment.n; i++)
		rc = put_comment(r, &run, i);
	if (rc == AS_OK)
		rc = as_run_end(&run);
	as_run_release(&run);
	return rc;
}

static enum as_code put_whole(struct as_pb_read *r)
{
	struct as_build *b = r->rd->out;
	struct as_slice fields = {r->fields.p, r->fields.n};
	char time[AS_DATE_NANOS];
	uint32_t part;

	AS_TRY(as_rd_part(r->rd, "pprof", &part));
	if (r->time)
		AS_TRY(as_build_str(b, as_slice_of(as_date_nanos_text(r->time, "T", "Z", time)),
			&b->prof->epoch));
	b->prof->duration = r->duration;
	AS_TRY(as_build_part_events(b, part, r->event.p, (uint32_t)r->event.n));
	for (uint32_t i = 0; i < r->event.n; i++)
		b->prof->part.p[part].event[i] = i; /* not as the file has them */
	AS_TRY(as_pb_tables(r));
	AS_TRY(pb_read_put_comments(r));
	AS_TRY(pb_read_put_meta(r, AS_PB_META_DOC_URL, r->url));
	AS_TRY(pb_read_put_meta(r, AS_PB_META_DROP, r->drop));
	AS_TRY(pb_read_put_meta(r, AS_PB_META_KEEP, r->keep));
	AS_TRY(pb_read_put_meta(r, AS_PB_META_DEFAULT, r->default_type));
	AS_TRY(pb_read_put_period(r));
	return fields.len ? as_build_meta(b, 0, as_slice_of(AS_PB_META_FIELDS), fields) : AS_OK;
}

/* Two letters of text are a field that nobody knows: what was read is what the probe takes it for.
 * What is damaged has been told by then. */
static enum as_code is_profile(struct as_pb_read *r, const struct as_pb_cur *all)
{
	size_t n = (size_t)(all->end - all->p);
	struct as_peek pk = {.head = {(const char *)all->p, n < AS_PEEK_MAX ? n : AS_PEEK_MAX},
		.whole = n <= AS_PEEK_MAX};

	if (r->has_front || as_pb_probe(&pk) != AS_PROBE_NO)
		return AS_OK;
	return as_rd_fail(r->rd, AS_E_NOTPROFILE, 0, 0,
		"not a profile: no message in it is one of profile.proto's");
}

static enum as_code pb_read_all(struct as_pb_read *r)
{
	struct as_pb_cur all, whole;

	AS_TRY(pb_read_load(r, &all));
	if (all.p == all.end)
		return as_rd_fail(r->rd, AS_E_TRUNC, 0, 0, "the file is empty");
	whole = all;
	if (AS_HAS_WRITERS && r->rd->sections) /* growing takes longer */
		AS_TRY(as_err_memory(r->rd->err, as_pb_reserve_some(r)));
	AS_TRY(read_fields(r, &all));
	AS_TRY(is_profile(r, &whole));
	AS_TRY(as_pb_read_some(r));
	if (AS_HAS_WRITERS && r->raw)
		return as_pb_raw(r);
	if (!as_vec_reserve(r->al, &r->fields, r->fields.n + r->extra.n + 1))
		return as_err_no_memory(r->rd->err);
	if (r->extra.n)
		memcpy(r->fields.p + r->fields.n, r->extra.p, r->extra.n);
	r->fields.n += r->extra.n;
	r->extra.n = 0;
	AS_TRY(pb_read_put_events(r));
	AS_TRY(put_whole(r));
	AS_TRY(as_pb_samples(r));
	if (!r->n_samples && !as_pb_is_front_alone(r->rd))
		return as_rd_find(r->rd, AS_F_NO_SAMPLES, 0, 0, "there is not a single sample");
	return AS_OK;
}

static enum as_code pb_read_file(struct as_rd *rd, struct as_out *raw)
{
	struct as_pool pool;
	struct as_pb_read r = {.rd = rd, .al = &pool.al, .raw = raw};
	enum as_code rc;

	as_pool_init(&pool, rd->out->prof->al);
	as_index_init(&r.maps.index, r.al);
	as_index_init(&r.funcs.index, r.al);
	as_index_init(&r.locs.index, r.al);
	as_index_init(&r.seens, r.al);
	rc = pb_read_all(&r);
	as_pool_release(&pool);
	return rc;
}

enum as_code as_pb_read_file(struct as_rd *rd)
{
	return pb_read_file(rd, NULL);
}

enum as_code as_pb_raw_file(struct as_rd *rd, struct as_out *out)
{
	rd->strict = true; /* what is damaged pprof does not read */
	return pb_read_file(rd, out);
}
