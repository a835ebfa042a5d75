/* SPDX-License-Identifier: Apache-2.0 */
/* tagfocus, tagignore: samples by their labels; tagshow, taghide: labels by their keys. As pprof
 * does. */
#include "change/filter/pprof_labels.h"
#include "change/filter/pprof_value.h"
#include "session/filters.h"

/* ---- ranges ---- */

/* A number and the letters behind it, cut off REST. */
static bool cut_number(struct as_slice *rest, int64_t *value, struct as_slice *unit)
{
	bool minus = as_slice_starts(*rest, "-");
	size_t n = minus || as_slice_starts(*rest, "+"), first = n, end;
	uint64_t v;

	while (n < rest->len && rest->p[n] >= '0' && rest->p[n] <= '9')
		n++;
	for (end = n; end < rest->len && (rest->p[end] | 32) >= 'a' && (rest->p[end] | 32) <= 'z';)
		end++;
	if (!as_slice_dec((struct as_slice){rest->p + first, n - first}, &v) || v > INT64_MAX)
		return false;
	*value = minus ? -(int64_t)v : (int64_t)v;
	*unit = (struct as_slice){rest->p + n, end - n};
	*rest = as_slice_skip(*rest, end);
	return true;
}

/* TEXT is "1mb", "1mb:", ":2gb" or "1mb:2gb"; the second in the unit of the first. Else false. */
static bool parse_range(struct as_slice text, struct as_label_range *r)
{
	struct as_slice unit, other;
	int64_t v;

	*r = (struct as_label_range){.has_low = true};
	if (as_slice_starts(text, ":")) {
		r->has_low = false;
		text = as_slice_skip(text, 1);
	}
	if (!cut_number(&text, &v, &unit))
		return false;
	r->low = r->high = as_pprof_scale(v, unit, unit, &r->unit);
	r->has_high = !text.len;
	if (!r->has_low || !text.len)
		return !text.len;
	if (!as_slice_starts(text, ":"))
		return false;
	text = as_slice_skip(text, 1);
	if (!text.len)
		return true;
	if (!cut_number(&text, &v, &unit))
		return false;
	r->high = as_pprof_scale(v, unit, r->unit, &other);
	r->has_high = true;
	return !text.len && as_slice_eq(other, r->unit);
}

static bool in_range(const struct as_label_range *r, int64_t v, struct as_slice unit)
{
	struct as_slice scaled_unit;
	double scaled = as_pprof_scale(v, unit, r->unit, &scaled_unit);

	return as_slice_eq(scaled_unit, r->unit) && (!r->has_low || scaled >= r->low) &&
	       (!r->has_high || scaled <= r->high);
}

/* ---- reading ---- */

struct as_slice as_filter_read_label(struct as_filter_item *it)
{
	bool chooses_samples = it->kind <= AS_WORD_TAGIGNORE;
	size_t equals = as_slice_find(it->text, '=');
	struct as_slice text = it->text;

	if (chooses_samples && equals < text.len) {
		it->key = (struct as_slice){text.p, equals};
		text = as_slice_skip(text, equals + 1);
	}
	it->is_range = chooses_samples && parse_range(text, &it->range);
	return it->is_range ? (struct as_slice){0} : text;
}

/* ---- choosing ---- */

struct choosing {
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_filters *f;
	struct as_pprof_units units;
	AS_VEC(char) text; /* scratch */
	bool no_memory;
};

/* "key:value" */
static struct as_slice pair_of(struct choosing *c, const struct as_label *l)
{
	struct as_slice key = as_str_get(c->prof, l->key), value = as_str_get(c->prof, l->text);

	c->text.n = 0;
	if (!as_vec_reserve(c->al, &c->text, key.len + 1 + value.len)) {
		c->no_memory = true;
		return as_slice_of("");
	}
	if (key.len)
		memcpy(c->text.p, key.p, key.len);
	c->text.p[key.len] = ':';
	memcpy(c->text.p + key.len + 1, value.p, value.len);
	return (struct as_slice){c->text.p, key.len + 1 + value.len};
}

static bool is_of(
	const struct choosing *c, const struct as_filter_item *it, const struct as_label *l)
{
	return !it->key.p || as_slice_eq(as_str_get(c->prof, l->key), it->key);
}

static bool matches_one(struct choosing *c, const struct as_filter_item *it, const void *re,
	const struct as_label *label, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct as_label *l = &label[i];

		if (as_pprof_is_text(l) && is_of(c, it, l) &&
			c->f->ask.regex.match(
				re, it->key.p ? as_str_get(c->prof, l->text) : pair_of(c, l)))
			return true;
	}
	return false;
}

/* Of one key, one pattern is enough; of any, each must match some label. */
static bool filters_labels_matches(struct choosing *c, const struct as_filter_item *it,
	const struct as_label *label, uint32_t n)
{
	for (uint32_t i = 0; it->is_range && i < n; i++)
		if (as_pprof_is_number(&label[i]) && is_of(c, it, &label[i]) &&
			in_range(&it->range, label[i].number,
				as_pprof_unit_of(&c->units, label[i].key)))
			return true;
	for (size_t k = 0; k < it->n; k++)
		if (matches_one(c, it, it->re[k], label, n) == (it->key.p != NULL))
			return it->key.p != NULL;
	return !it->is_range && !it->key.p;
}

static bool filters_labels_keeps(struct choosing *c, size_t part)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(c->prof, part, &n);
	bool focused = false, ignored = false, asks = false;

	for (size_t i = 0; i < c->f->item.n; i++) {
		struct as_filter_item *it = &c->f->item.p[i];
		bool match, focus = it->kind == AS_WORD_TAGFOCUS;

		if (!focus && it->kind != AS_WORD_TAGIGNORE)
			continue;
		match = filters_labels_matches(c, it, label, n);
		it->matched |= match;
		asks |= focus;
		focused |= focus && match;
		ignored |= !focus && match;
	}
	return (focused || !asks) && !ignored;
}

/* Bytes that are no label's have no key. */
static bool keeps_label(const struct choosing *c, size_t i)
{
	const struct as_label *l = &c->prof->label.p[i];
	bool shown = false, hidden = false, asks = false;

	as_assert(i < c->prof->label.n);
	for (size_t k = 0; k < c->f->item.n; k++) {
		struct as_filter_item *it = &c->f->item.p[k];
		bool match, show = it->kind == AS_WORD_TAGSHOW;

		if ((!show && it->kind != AS_WORD_TAGHIDE) || l->opaque)
			continue;
		match = c->f->ask.regex.match(it->re[0], as_str_get(c->prof, l->key));
		it->matched |= match;
		asks |= show;
		shown |= show && match;
		hidden |= !show && match;
	}
	return (shown || !asks) && !hidden;
}

bool as_filter_labels(struct as_filters *f, const struct as_profile *prof, uint8_t *keep,
	uint8_t *label, bool *left)
{
	struct choosing c = {.al = prof->al, .prof = prof, .f = f};
	bool ok;

	*left = false;
	for (size_t i = 0; i < f->item.n; i++)
		if (f->item.p[i].kind >= AS_WORD_TAGFOCUS && f->item.p[i].kind <= AS_WORD_TAGHIDE)
			f->item.p[i].matched = false;
	ok = as_pprof_units_make(&c.units, prof);
	for (size_t i = 0; ok && i < prof->part.n; i++) {
		keep[i] = keep[i] && filters_labels_keeps(&c, i);
		*left |= keep[i] != 0;
	}
	for (size_t i = 0; ok && i < prof->label.n; i++)
		label[i] = keeps_label(&c, i);
	as_pprof_units_release(&c.units);
	as_vec_free(c.al, &c.text);
	return ok && !c.no_memory;
}
