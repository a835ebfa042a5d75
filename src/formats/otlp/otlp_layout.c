/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which version of the format a message of protocol buffers is of. All of them have one package
 * name, and nothing in a message names the version; so it is told by the wire types of fields whose
 * numbers have changed. Read as another version than its own, a message still makes sense, with
 * other numbers in it.
 */
#include "formats/otlp/otlp.h"

enum { RESOURCE_PROFILES = 1, DICTIONARY = 2, SCOPE_PROFILES = 2, PROFILES = 2, SAMPLES = 2 };

/* What was seen. */
struct look {
	bool root_tables, dictionary, profile_tables; /* where tables are */
	bool units, stacks, texts, indices;           /* in the dictionary: its rows are these */
	bool range;      /* a profile has the list of locations that samples have ranges of */
	bool time_fixed; /* or its start as 64 bits */
	bool id_behind;  /* profile_id is the field that it is in 1.8 */
	uint64_t n_attrs;
	bool old, fresh; /* samples as up to 1.9, or as from 1.10 on: for certain */
	bool old_maybe, fresh_maybe;
	bool pairs;  /* fields 2 and 5 alone, of the same length: values or attributes */
	bool beyond; /* of those field 2 has a number that no attribute has */
	bool values; /* field 2 alone: a sample has values, if nothing else */
};

/* The next field; one that goes beyond the end is cut there. */
static bool layout_next(struct as_pb_cur *cur, struct as_pb_field *f)
{
	struct as_pb_cur from = *cur;
	const char *why;
	enum as_code rc = as_pb_next(cur, f, &why);
	uint64_t tag, n;

	if (rc != AS_E_TRUNC)
		return rc == AS_OK;
	if (!as_pb_varint(&from.p, from.end, &tag) || (tag & 7) != AS_PB_BYTES || !(tag >> 3) ||
		tag >> 32 || !as_pb_varint(&from.p, from.end, &n))
		return false;
	f->number = (uint32_t)(tag >> 3);
	f->type = AS_PB_BYTES;
	f->data = from;
	cur->p = cur->end;
	return true;
}

static bool layout_is(const struct as_pb_field *f, uint32_t number)
{
	return f->number == number && f->type == AS_PB_BYTES;
}

/* ---- the dictionary ---- */

/* Row 7 is a stack, or the unit of a key: two numbers; row 6 has its key as a text, or an index. */
static void look_at_row(struct look *l, const struct as_pb_field *row)
{
	struct as_pb_cur cur = row->data;
	bool one = false, two = false, list = false;
	struct as_pb_field f;

	while (layout_next(&cur, &f)) {
		one |= f.number == 1;
		two |= f.number == 2;
		list |= layout_is(&f, 1);
	}
	if (row->number == 6) {
		l->texts |= list;
		l->indices |= one && !list;
	} else if (one) {
		l->units |= two && !list;
		l->stacks |= list || !two;
	}
}

static void look_at_dictionary(struct look *l, struct as_pb_cur cur)
{
	struct as_pb_field f;

	while (layout_next(&cur, &f)) {
		l->n_attrs += layout_is(&f, 6);
		if (layout_is(&f, 6) || layout_is(&f, 7))
			look_at_row(l, &f);
	}
}

/* ---- samples ---- */

/* How many numbers a field has, and whether one is no row of the attributes. */
static uint64_t layout_count(const struct look *l, const struct as_pb_field *f, bool *beyond)
{
	struct as_pb_cur list = f->data;
	uint64_t n = 0, v;

	if (f->type != AS_PB_BYTES) {
		*beyond |= f->v >= l->n_attrs;
		return 1;
	}
	for (; as_pb_varint(&list.p, list.end, &v); n++)
		*beyond |= v >= l->n_attrs;
	return n;
}

static void look_at_sample(struct look *l, struct as_pb_cur cur)
{
	uint64_t two = 0, five = 0;
	bool beyond = false, other = false;
	struct as_pb_field f;

	while (layout_next(&cur, &f)) {
		bool bytes = f.type == AS_PB_BYTES;

		l->old |= f.number == 3 && bytes;
		l->fresh |= f.number == 4 && bytes;
		l->fresh_maybe |= f.number == 3 && !bytes;
		l->old_maybe |= f.number == 4 && !bytes;
		other |= f.number == 3 || f.number == 4;
		if (f.number == 2)
			two += layout_count(l, &f, &beyond);
		else if (f.number == 5)
			five += bytes ? (uint64_t)(f.data.end - f.data.p) / 8 : 1;
	}
	/* Who writes values beside times writes them beside all. */
	l->fresh_maybe |= !other && !two && five;
	if (other || !two)
		return;
	l->values |= !five;
	l->pairs |= two == five;
	l->fresh |= five && two != five;
	l->beyond |= beyond;
}

/* ---- profiles ---- */

static void look_at_profile(struct look *l, struct as_pb_cur cur)
{
	struct as_pb_field f;

	while (layout_next(&cur, &f)) {
		bool bytes = f.type == AS_PB_BYTES;

		l->range |= f.number == 3 && bytes;
		l->time_fixed |= f.number == 3 && f.type == AS_PB_FIXED64;
		l->profile_tables |= bytes && (f.number == 4 || f.number == 10);
		l->id_behind |= (f.number == 8 && bytes) || f.number == 12;
	}
}

static void look_at_samples(struct look *l, struct as_pb_cur cur)
{
	struct as_pb_field f;

	while (!(l->old && l->fresh) && layout_next(&cur, &f))
		if (layout_is(&f, SAMPLES))
			look_at_sample(l, f.data);
}

static void each_profile(
	struct look *l, struct as_pb_cur cur, void (*at)(struct look *l, struct as_pb_cur cur))
{
	struct as_pb_cur scopes, profiles;
	struct as_pb_field f, g, h;

	while (layout_next(&cur, &f)) {
		scopes = f.data;
		while (layout_is(&f, RESOURCE_PROFILES) && layout_next(&scopes, &g)) {
			profiles = g.data;
			while (layout_is(&g, SCOPE_PROFILES) && layout_next(&profiles, &h))
				if (layout_is(&h, PROFILES))
					at(l, h.data);
		}
	}
}

static void look_at_root(struct look *l, struct as_pb_cur cur)
{
	struct as_pb_field f;

	while (layout_next(&cur, &f)) {
		l->root_tables |= f.number > DICTIONARY && f.number <= 8;
		l->dictionary |= f.number == DICTIONARY;
		if (layout_is(&f, DICTIONARY))
			look_at_dictionary(l, f.data);
	}
}

/* ---- the answer ---- */

static enum as_otlp_layout layout_of_tables(const struct look *l)
{
	if (l->root_tables)
		return AS_OTLP_1_6;
	if (!l->dictionary && l->profile_tables && !l->time_fixed)
		return AS_OTLP_1_4;
	if (l->units || l->texts || (l->range && !l->stacks && !l->indices))
		return AS_OTLP_1_7;
	return l->id_behind ? AS_OTLP_1_8 : AS_OTLP_1_10;
}

/* 1.9 or 1.10: what is certain, then what is likely. *SURE: nothing says anything else. */
static enum as_otlp_layout layout_of_samples(const struct look *l, bool *sure)
{
	bool old = l->old || (!l->fresh && (l->beyond || l->values || l->old_maybe)),
	     fresh = l->fresh || (!l->old && l->fresh_maybe);

	*sure = old != fresh || !l->pairs;
	if (l->old && l->fresh)
		*sure = false;
	return old && !l->fresh ? AS_OTLP_1_9 : AS_OTLP_1_10;
}

enum as_code as_otlp_find_layout(struct as_otlp_read *r, struct as_slice bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.p;
	struct as_pb_cur all = {p, p + bytes.len};
	struct as_otlp_cur at = {.r = r};
	enum as_otlp_layout layout;
	struct look l = {0};
	bool sure = true;

	look_at_root(&l, all);
	each_profile(&l, all, look_at_profile);
	layout = layout_of_tables(&l);
	if (layout == AS_OTLP_1_10) {
		each_profile(&l, all, look_at_samples);
		layout = layout_of_samples(&l, &sure);
	}
	as_otlp_set_layout(r, layout);
	if (sure)
		return AS_OK;
	return as_otlp_find(&at, AS_F_OTLP_VERSION,
		"versions up to 1.9 and from 1.10 on are the same here; it is read as %s",
		as_otlp_layout_text(layout));
}

void as_otlp_set_layout(struct as_otlp_read *r, enum as_otlp_layout layout)
{
	if (!r->layout_known || layout != r->layout)
		as_otlp_numbers_of(&r->numbers, layout);
	r->layout = layout;
	r->layout_known = true;
}

/* ---- whether it is one at all ---- */

/* layout_next(); what is cut within a number, at the END of all that is looked at, ends there. */
static bool looks_next(struct as_pb_cur *cur, struct as_pb_field *f, const uint8_t *end)
{
	struct as_pb_cur from = *cur;
	const char *why;

	if (layout_next(cur, f))
		return true;
	if (from.end == end && as_pb_next(&from, f, &why) == AS_E_TRUNC)
		cur->p = cur->end;
	return false;
}

/* Whether all fields of CUR are bytes, with numbers up to MOST; *HAS2: one is field 2. */
static bool looks_nested(
	struct as_pb_cur cur, const uint8_t *end, uint32_t most, struct as_pb_cur *two, bool *has2)
{
	struct as_pb_field f;

	*has2 = false;
	while (looks_next(&cur, &f, end)) {
		if (f.type != AS_PB_BYTES || (f.number > most && f.number != 1000))
			return false;
		if (f.number == 2 && !*has2)
			*two = f.data;
		*has2 |= f.number == 2;
	}
	return cur.p == cur.end;
}

/* Resource profiles have scope profiles, these have profiles, and these a value type. */
static enum as_probe looks_like_profiles(struct as_pb_cur cur, const uint8_t *end)
{
	struct as_pb_cur scope = {NULL, NULL}, profile = {NULL, NULL};
	struct as_pb_field f;
	bool two;

	if (cur.p == cur.end || !looks_nested(cur, end, 3, &scope, &two))
		return AS_PROBE_NO;
	if (!two)
		return AS_PROBE_WEAK;
	if (!looks_nested(scope, end, 3, &profile, &two))
		return AS_PROBE_NO;
	if (!two)
		return AS_PROBE_WEAK;
	while (looks_next(&profile, &f, end))
		if (f.number > 22 || (f.number <= 2 && f.type != AS_PB_BYTES))
			return AS_PROBE_NO;
	return profile.p == profile.end ? AS_PROBE_SURE : AS_PROBE_NO;
}

/* A dictionary is tables 1 to 7; the first row of each is empty, or nearly. */
static enum as_probe looks_like_dictionary(struct as_pb_cur cur, const uint8_t *end)
{
	bool first[8] = {false}, empty = false;
	struct as_pb_field f;
	uint32_t last = 0;

	while (looks_next(&cur, &f, end)) {
		if (f.type != AS_PB_BYTES || f.number > 7 || f.number < last)
			return AS_PROBE_NO;
		if (!first[f.number])
			empty |= f.data.p == f.data.end;
		first[f.number] = true;
		last = f.number;
	}
	return cur.p == cur.end && empty ? AS_PROBE_MAGIC : AS_PROBE_NO;
}

enum as_probe as_otlp_looks(struct as_slice bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.p, *end = p + bytes.len;
	struct as_pb_cur cur = {p, end};
	enum as_probe best = AS_PROBE_NO, one;
	struct as_pb_field f;
	bool fields = false;

	while (looks_next(&cur, &f, end)) {
		if (f.type != AS_PB_BYTES || f.number > 8)
			return AS_PROBE_NO;
		fields = true;
		one = f.number == RESOURCE_PROFILES ? looks_like_profiles(f.data, end)
						    : AS_PROBE_NO;
		if (f.number == RESOURCE_PROFILES && one == AS_PROBE_NO && f.data.p < f.data.end)
			return AS_PROBE_NO;
		if (f.number == DICTIONARY)
			one = looks_like_dictionary(f.data, end);
		best = one > best ? one : best;
	}
	return fields && cur.p == cur.end ? best : AS_PROBE_NO;
}
