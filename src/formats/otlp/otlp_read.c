/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading: the input is one message, or several: behind lengths, or as values of JSON one behind
 * the other. Of each the tables are read first, wherever they stand, then resource by resource the
 * profiles. All of the input stands in memory.
 */
#include "formats/otlp/otlp.h"

enum { METAS_MAX = 1000 };

/* ---- lines of metadata ---- */

static enum as_code otlp_read_meta(
	struct as_otlp_read *r, struct as_slice key, struct as_slice text)
{
	struct as_label m = {0};

	if (!text.len)
		return AS_OK;
	AS_TRY(as_build_str(r->rd->out, key, &m.key));
	AS_TRY(as_build_str(r->rd->out, text, &m.text));
	for (size_t i = 0; i < r->meta.n; i++)
		if (r->meta.p[i].key.i == m.key.i && r->meta.p[i].text.i == m.text.i)
			return AS_OK;
	if (r->meta.n >= METAS_MAX) {
		r->lost_attrs++;
		return AS_OK;
	}
	return as_otlp_memory(r, as_vec_push(r->al, &r->meta, m));
}

/* Comments are an array of texts; a value that is none is one. */
static enum as_code otlp_read_comments(struct as_otlp_read *r, struct as_slice text)
{
	struct as_slice key = as_slice_of(AS_OTLP_META_COMMENT), one;
	struct as_pull j;

	as_pull_init(&j, text, &r->arena);
	if (as_pull_peek(&j) != AS_PULL_ARRAY)
		return otlp_read_meta(r, key, text);
	as_pull_array(&j);
	while (as_pull_item(&j))
		if (as_pull_text(&j, &one))
			AS_TRY(otlp_read_meta(r, key, one));
	return j.why ? otlp_read_meta(r, key, text) : AS_OK;
}

/* What an attribute of a profile becomes. */
static enum as_code otlp_read_profile_attr(struct as_otlp_read *r, const struct as_label *l)
{
	static const char *const known[] = {"doc_url", "drop_frames", "keep_frames"};
	struct as_slice key = as_str_get(r->rd->out->prof, l->key), name = key;
	struct as_slice text = as_str_get(r->rd->out->prof, l->text);
	struct as_slice prefix = as_slice_of("pprof.profile.");

	if (!key.len)
		return AS_OK;
	if (as_slice_is(key, AS_OTLP_COMMENT))
		return otlp_read_comments(r, text);
	if (as_slice_starts(key, prefix.p))
		name = as_slice_skip(key, prefix.len);
	if (as_slice_is_one_of(name, known))
		return otlp_read_meta(r, name, text);
	if (!l->text.i)
		text = as_arena_printf(&r->arena, "%" PRId64, l->number);
	name = as_arena_printf(&r->arena, AS_OTLP_META_PROFILE "%.*s", AS_SLICE_FMT(key));
	AS_TRY(as_otlp_memory(r, name.p && text.p));
	return otlp_read_meta(r, name, text);
}

/* ---- a profile ---- */

/* The row of r->event of that name and unit. */
static enum as_code otlp_read_event(struct as_otlp_read *r, as_str name, as_str unit, uint32_t *out)
{
	struct as_otlp_event event = {.name = name, .unit = unit};

	for (*out = 0; *out < r->event.n; ++*out)
		if (r->event.p[*out].name.i == name.i && r->event.p[*out].unit.i == unit.i)
			return AS_OK;
	if (r->rd->lim.events && r->event.n >= r->rd->lim.events)
		return as_rd_fail(r->rd, AS_E_LIMIT, 0, 0,
			"more than %" PRIu64 " value types, the limit", r->rd->lim.events);
	return as_otlp_memory(r, as_vec_push(r->al, &r->event, event));
}

static enum as_code otlp_read_type(
	const struct as_otlp_cur *up, struct as_slice bytes, as_str *type, as_str *unit)
{
	struct as_otlp_read *r = up->r;
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	enum as_code rc;

	type->i = unit->i = 0;
	if (!bytes.p)
		return AS_OK;
	as_otlp_begin(r, &cur, AS_OTLP_TYPE, bytes);
	cur.up = up;
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_TYPE || f.id == AS_OTLP_F_UNIT)
			AS_TRY(as_otlp_str(r, f.v, &cur, f.id == AS_OTLP_F_TYPE ? type : unit));
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code otlp_read_types(const struct as_otlp_cur *cur, struct as_otlp_profile *p)
{
	struct as_otlp_read *r = cur->r;
	as_str type, unit;
	uint32_t event;

	for (size_t i = 0; i < p->type.n || (!i && !p->type.n); i++) {
		struct as_slice none = {NULL, 0};

		AS_TRY(otlp_read_type(cur, p->type.n ? p->type.p[i] : none, &type, &unit));
		AS_TRY(otlp_read_event(r, type, unit, &event));
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &p->event, event)));
	}
	return AS_OK;
}

/* The period is that of the profile's first type. */
static enum as_code otlp_read_period(const struct as_otlp_cur *cur, const struct as_otlp_profile *p)
{
	struct as_otlp_read *r = cur->r;
	struct as_otlp_event *e = &r->event.p[p->event.p[0]];
	as_str type, unit;

	AS_TRY(otlp_read_type(cur, p->period_type, &type, &unit));
	if (e->seen && (e->period != p->period || e->period_type.i != type.i ||
			       e->period_unit.i != unit.i)) {
		if (!e->differs)
			AS_TRY(as_otlp_find(cur, AS_F_OTLP_PERIOD_DIFFERS,
				"its period is %" PRIu64 ", of the same values before it was "
				"%" PRIu64 "; none of them is kept",
				p->period, e->period));
		e->differs = true;
		return AS_OK;
	}
	e->seen = true;
	e->period = p->period;
	e->period_type = type;
	e->period_unit = unit;
	return AS_OK;
}

/* All profiles as one: from the first start to the last end. */
static void otlp_read_times(struct as_otlp_read *r, const struct as_otlp_profile *p)
{
	uint64_t stop = p->time + p->duration;

	if (!p->time)
		return;
	if (!r->start || p->time < r->start)
		r->start = p->time;
	if (stop >= p->time && stop > r->stop)
		r->stop = stop;
}

static enum as_code otlp_read_profile_scalar(
	struct as_otlp_cur *cur, struct as_otlp_field *f, struct as_otlp_profile *p)
{
	struct as_otlp_read *r = cur->r;
	bool is;

	switch (f->id) {
	case AS_OTLP_F_SAMPLE_TYPE:
		return as_otlp_memory(r, as_vec_push(r->al, &p->type, f->text));
	case AS_OTLP_F_PERIOD_TYPE:
		p->period_type = f->text;
		return AS_OK;
	case AS_OTLP_F_TIME:
		p->time = f->v;
		return AS_OK;
	case AS_OTLP_F_DURATION:
		p->duration = f->v;
		return AS_OK;
	case AS_OTLP_F_PERIOD:
		p->period = f->v;
		return AS_OK;
	case AS_OTLP_F_DROPPED:
		r->dropped += f->v;
		return AS_OK;
	case AS_OTLP_F_COMMENTS:
		return as_otlp_index(cur, f, &p->comments);
	case AS_OTLP_F_ATTR_INDICES:
		return as_otlp_index(cur, f, &p->attrs);
	case AS_OTLP_F_LOCATION_INDICES:
		return as_otlp_index(cur, f, &p->locations);
	case AS_OTLP_F_PROFILE_ID:
		return as_otlp_hex(r, f->text, &p->id);
	case AS_OTLP_F_PAYLOAD_FORMAT:
		p->format = f->text;
		return AS_OK;
	case AS_OTLP_F_PAYLOAD:
		p->payload = f->text.len;
		return AS_OK;
	default:
		return as_otlp_table(cur, f, &is);
	}
}

static enum as_code otlp_read_profile_said(const struct as_otlp_cur *cur, struct as_otlp_profile *p)
{
	struct as_otlp_read *r = cur->r;
	const struct as_label *l;
	as_str text;

	AS_TRY(otlp_read_types(cur, p));
	AS_TRY(otlp_read_period(cur, p));
	otlp_read_times(r, p);
	for (uint32_t i = 0; i < p->comments.n; i++) {
		AS_TRY(as_otlp_str(r, r->t.index.p[p->comments.first + i], cur, &text));
		AS_TRY(otlp_read_meta(
			r, as_slice_of(AS_OTLP_META_COMMENT), as_str_get(r->rd->out->prof, text)));
	}
	for (uint32_t i = 0; i < p->attrs.n; i++) {
		AS_TRY(as_otlp_attr(r, r->t.index.p[p->attrs.first + i], cur, &l));
		AS_TRY(otlp_read_profile_attr(r, l));
	}
	if (p->id.len && r->profile_id.len && !as_slice_eq(p->id, r->profile_id))
		r->ids_differ = true;
	if (p->id.len && !r->profile_id.len)
		r->profile_id = p->id;
	if (!p->payload)
		return AS_OK;
	return as_otlp_find(cur, AS_F_OTLP_PAYLOAD,
		"it carries what it was made from, %zu bytes of '%.*s'; that is not read",
		p->payload, (int)(p->format.len < 40 ? p->format.len : 40),
		p->format.p ? p->format.p : "");
}

/* Tables may stand in the profile, up to 1.5: then all but samples is read before these. */
static enum as_code otlp_read_profile(
	const struct as_otlp_cur *up, const struct as_otlp_field *of, uint32_t resource)
{
	struct as_otlp_read *r = up->r;
	struct as_otlp_profile p = {.n_samples = 0};
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	enum as_code rc;

	if (r->own_tables)
		AS_TRY(as_otlp_tables_clear(r));
	as_otlp_enter(&cur, up, of, ++r->n_profiles);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id != AS_OTLP_F_SAMPLES)
			AS_TRY(otlp_read_profile_scalar(&cur, &f, &p));
	if (rc != AS_END)
		return rc;
	if (r->own_tables)
		AS_TRY(as_otlp_tables_done(r, &cur));
	AS_TRY(otlp_read_profile_said(&cur, &p));
	as_otlp_enter(&cur, up, of, r->n_profiles);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_SAMPLES)
			AS_TRY(as_otlp_sample(&cur, &f, &p, resource));
	return rc == AS_END ? AS_OK : rc;
}

/* ---- resources and scopes ---- */

static bool otlp_read_same_resource(
	const struct as_otlp_read *r, const struct as_otlp_resource *a, as_str scope)
{
	if (a->scope.i != scope.i || a->n != r->scratch.n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct as_label *x = &r->label.p[a->first + i], *y = &r->scratch.p[i];

		if (x->key.i != y->key.i || x->text.i != y->text.i || x->number != y->number)
			return false;
	}
	return true;
}

/* The resource whose attributes are in the scratch, with this scope. */
static enum as_code otlp_read_resource_row(struct as_otlp_read *r, as_str scope, uint32_t *out)
{
	struct as_otlp_resource res = {
		.first = (uint32_t)r->label.n, .n = (uint32_t)r->scratch.n, .scope = scope};
	uint64_t pos = AS_INDEX_START, hash = scope.i;

	for (size_t i = 0; i < r->scratch.n; i++)
		hash = as_hash_mix(
			hash, as_hash_mix(r->scratch.p[i].key.i,
				      r->scratch.p[i].text.i + (uint64_t)r->scratch.p[i].number));
	while (as_index_find(&r->resources, hash, &pos, out))
		if (otlp_read_same_resource(r, &r->resource.p[*out], scope))
			return AS_OK;
	*out = (uint32_t)r->resource.n;
	return as_otlp_memory(r, as_vec_append(r->al, &r->label, r->scratch.p, r->scratch.n) &&
					 as_vec_push(r->al, &r->resource, res) &&
					 as_index_add(&r->resources, hash, *out));
}

/* The attributes of a resource or scope, to the scratch; what else it says. */
static enum as_code otlp_read_named(const struct as_otlp_cur *up, const struct as_otlp_field *of,
	struct as_slice *name, struct as_slice *version)
{
	struct as_otlp_read *r = up->r;
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	struct as_label l;
	enum as_code rc;

	as_otlp_enter(&cur, up, of, 0);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_NAME) {
			*name = f.text;
		} else if (f.id == AS_OTLP_F_VERSION) {
			*version = f.text;
		} else if (f.id == AS_OTLP_F_DROPPED) {
			r->dropped += f.v;
		} else if (f.id == AS_OTLP_F_ATTRIBUTES) {
			AS_TRY(as_otlp_key_value(&cur, &f, &l));
			if (l.key.i)
				AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->scratch, l)));
		}
	return rc == AS_END ? AS_OK : rc;
}

/* "NAME VERSION" of the scope; what is to be shown first is the one attribute that has a use. */
static enum as_code otlp_read_scope(
	const struct as_otlp_cur *up, const struct as_otlp_field *of, as_str *out)
{
	struct as_slice name = {NULL, 0}, version = {NULL, 0}, text;
	struct as_otlp_read *r = up->r;
	size_t kept = r->scratch.n;

	AS_TRY(otlp_read_named(up, of, &name, &version));
	for (size_t i = kept; i < r->scratch.n; i++)
		if (as_slice_is(as_str_get(r->rd->out->prof, r->scratch.p[i].key), AS_OTLP_DEFAULT))
			r->default_type = r->scratch.p[i].text;
		else
			r->lost_attrs++;
	r->scratch.n = kept;
	text = as_arena_printf(&r->arena, "%.*s%s%.*s", AS_SLICE_FMT(name),
		name.len && version.len ? " " : "", AS_SLICE_FMT(version));
	AS_TRY(as_otlp_memory(r, text.p));
	return as_build_str(r->rd->out, text, out);
}

static enum as_code otlp_read_scope_profiles(
	const struct as_otlp_cur *up, const struct as_otlp_field *of, uint64_t n)
{
	struct as_otlp_read *r = up->r;
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	uint32_t resource;
	as_str scope = {0};
	enum as_code rc;

	as_otlp_enter(&cur, up, of, n);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_SCOPE)
			AS_TRY(otlp_read_scope(&cur, &f, &scope));
		else if (f.id == AS_OTLP_F_SCHEMA_URL)
			AS_TRY(otlp_read_meta(r, as_slice_of("schema_url"), f.text));
	if (rc != AS_END)
		return rc;
	AS_TRY(otlp_read_resource_row(r, scope, &resource));
	as_otlp_enter(&cur, up, of, n);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_PROFILES)
			AS_TRY(otlp_read_profile(&cur, &f, resource));
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code otlp_read_resource_profiles(
	const struct as_otlp_cur *up, const struct as_otlp_field *of, uint64_t n)
{
	struct as_otlp_read *r = up->r;
	struct as_slice none = {NULL, 0};
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	uint64_t scopes = 0;
	enum as_code rc;

	r->scratch.n = 0;
	as_otlp_enter(&cur, up, of, n);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_RESOURCE)
			AS_TRY(otlp_read_named(&cur, &f, &none, &none));
		else if (f.id == AS_OTLP_F_SCHEMA_URL)
			AS_TRY(otlp_read_meta(r, as_slice_of("schema_url"), f.text));
	if (rc != AS_END)
		return rc;
	as_otlp_enter(&cur, up, of, n);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_SCOPES)
			AS_TRY(otlp_read_scope_profiles(&cur, &f, ++scopes));
	return rc == AS_END ? AS_OK : rc;
}

/* ---- messages ---- */

static enum as_code otlp_read_dictionary(
	const struct as_otlp_cur *up, const struct as_otlp_field *of)
{
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	enum as_code rc;
	bool is;

	if (of->cut)
		return as_otlp_fail(up, AS_E_TRUNC, up->r->end,
			"the file ends inside of its tables: what is missing is named by samples");
	as_otlp_enter(&cur, up, of, 0);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		AS_TRY(as_otlp_table(&cur, &f, &is));
	return rc == AS_END ? AS_OK : rc;
}

/* Samples of old versions of JSON have ranges of locations, and the others rows of stacks. */
static enum as_code otlp_read_layout(struct as_otlp_read *r, struct as_slice bytes)
{
	bool old;

	if (!r->json)
		return as_otlp_find_layout(r, bytes);
	old = as_slice_find_text(bytes, "\"locationsLength\"") < bytes.len;
	as_otlp_set_layout(r, old ? AS_OTLP_1_7 : AS_OTLP_1_10);
	return AS_OK;
}

static enum as_code otlp_read_message(struct as_otlp_read *r, struct as_slice bytes)
{
	struct as_otlp_cur cur;
	struct as_otlp_field f;
	uint64_t n = 0;
	enum as_code rc;
	bool is;

	AS_TRY(as_otlp_tables_clear(r));
	AS_TRY(otlp_read_layout(r, bytes));
	as_otlp_begin(r, &cur, AS_OTLP_DATA, bytes);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		AS_TRY(f.id == AS_OTLP_F_DICTIONARY ? otlp_read_dictionary(&cur, &f)
						    : as_otlp_table(&cur, &f, &is));
	if (rc != AS_END)
		return rc;
	r->own_tables = !r->t.str.n;
	if (r->own_tables && r->cut && r->layout != AS_OTLP_1_4)
		return as_otlp_fail(&cur, AS_E_TRUNC, r->end,
			"the file ends before its tables: nothing in it has a name");
	AS_TRY(as_otlp_tables_done(r, NULL));
	as_otlp_begin(r, &cur, AS_OTLP_DATA, bytes);
	while ((rc = as_otlp_next(&cur, &f)) == AS_OK)
		if (f.id == AS_OTLP_F_RESOURCE_PROFILES)
			AS_TRY(otlp_read_resource_profiles(&cur, &f, ++n));
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code otlp_read_cut(struct as_otlp_read *r, const char *what)
{
	as_rd_partial(r->rd);
	return as_rd_find(r->rd, AS_F_TRUNCATED, (uint64_t)(r->end - r->base), 0, "%s", what);
}

/* ---- carriers ---- */

/* Values one behind the other; what stands before a damaged one is good. */
static enum as_code otlp_read_json(struct as_otlp_read *r, struct as_slice all)
{
	struct as_slice one;
	struct as_pull j;
	uint64_t n = 0;

	r->json = true;
	as_pull_init(&j, all, &r->arena);
	while (as_pull_peek(&j) != AS_PULL_END) {
		if (as_pull_peek(&j) != AS_PULL_OBJECT)
			as_pull_wrong(&j, "an object was expected, '{'");
		if (!as_pull_raw(&j, &one)) {
			if (n && j.cut && !r->rd->strict)
				return otlp_read_cut(r,
					"the file ends inside of a message, which was "
					"left out");
			return as_rd_fail(r->rd, j.cut ? AS_E_TRUNC : AS_E_FORMAT,
				(uint64_t)(j.p - r->base), 0, "%s", j.why);
		}
		AS_TRY(otlp_read_message(r, one));
		n++;
	}
	return AS_OK;
}

/* Four bytes, the most significant first, say how long each message is. */
static enum as_code otlp_read_prefixed(struct as_otlp_read *r, struct as_slice all)
{
	uint64_t n = 0;

	for (size_t at = 0, len; at < all.len; at += 4 + len, n++) {
		const unsigned char *p = (const unsigned char *)all.p + at;

		len = all.len - at < 4
			      ? 0
			      : (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
		if (all.len - at < 4 || len > all.len - at - 4) {
			if (r->rd->strict || (!n && all.len - at < 4))
				return as_rd_fail(r->rd, AS_E_TRUNC, at, 0,
					"a message of %zu bytes goes beyond the end", len);
			if (n)
				return otlp_read_cut(r,
					"the file ends inside of a message, which was "
					"left out");
			len = all.len - at - 4;
		}
		AS_TRY(otlp_read_message(r, (struct as_slice){all.p + at + 4, len}));
	}
	return AS_OK;
}

/* All of the input, in memory. */
static enum as_code otlp_read_load(struct as_otlp_read *r, struct as_slice *s)
{
	struct as_in *in = r->rd->in;

	*s = (struct as_slice){NULL, 0};
	do {
		AS_TRY(as_in_peek(in, s->len + 1, s));
	} while (!in->eof);
	AS_TRY(as_in_peek(in, 0, s));
	r->base = s->p;
	r->end = s->p + s->len;
	return AS_OK;
}

static enum as_code otlp_read_all(struct as_otlp_read *r)
{
	struct as_slice all, text;

	AS_TRY(otlp_read_load(r, &all));
	if (!all.len)
		return as_rd_fail(r->rd, AS_E_TRUNC, 0, 0, "the file is empty");
	r->may_be_cut = !r->rd->strict;
	text = as_otlp_json_text(all);
	if (text.len)
		AS_TRY(otlp_read_json(r, text));
	else
		AS_TRY(!all.p[0] ? otlp_read_prefixed(r, all) : otlp_read_message(r, all));
	if (!as_otlp_is_one(all))
		return as_rd_fail(r->rd, AS_E_NOTPROFILE, 0, 0,
			"not a profile: no message in it is one of OpenTelemetry's profiles");
	if (r->cut)
		AS_TRY(otlp_read_cut(r,
			"the file ends inside of a message; its last sample was left "
			"out"));
	return as_otlp_build(r);
}

enum as_code as_otlp_read_file(struct as_rd *rd)
{
	struct as_otlp_read r = {.rd = rd, .al = rd->al};

	as_arena_init(&r.arena, r.al);
	as_index_init(&r.objects, r.al);
	as_index_init(&r.maps, r.al);
	as_index_init(&r.sets, r.al);
	as_index_init(&r.resources, r.al);
	as_index_init(&r.t.stacks, r.al);
	return as_vec_push(r.al, &r.place, (as_place){0}) && as_vec_reserve(r.al, &r.label, 1)
		       ? otlp_read_all(&r)
		       : as_err_no_memory(rd->err);
}
