/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples. What a sample costs is the sum of its values or, where it has times alone, how many. A
 * set of attributes and a link are looked up once for all samples of a message that have them.
 */
#include "formats/otlp/otlp.h"

/* The sample that is being read. */
struct sample {
	uint64_t stack, start, length, link, times;
	bool has_link, has_range;
};

/* ---- labels ---- */

static bool samples_same_set(const struct as_otlp_read *r, const struct as_otlp_set *set,
	uint32_t resource, uint64_t link)
{
	return set->resource == resource && set->message == r->message && set->link == link &&
	       set->attrs.n == r->attrs.n &&
	       (!r->attrs.n || memcmp(r->attr.p + set->attrs.first, r->attrs.p,
				       r->attrs.n * sizeof(*r->attrs.p)) == 0);
}

static enum as_code samples_id_label(
	struct as_otlp_read *r, const char *key, struct as_slice text, as_str *known)
{
	struct as_label l = {0};

	if (!text.len)
		return AS_OK;
	AS_TRY(as_build_str(r->rd->out, as_slice_of(key), &l.key));
	if (!known->i)
		AS_TRY(as_build_str(r->rd->out, text, known));
	l.text = *known;
	return as_otlp_memory(r, as_vec_push(r->al, &r->label, l));
}

/* Row LINK - 1 of the links: labels of both of its ids. */
static enum as_code samples_link(
	struct as_otlp_read *r, uint64_t link, const struct as_otlp_cur *cur)
{
	struct as_otlp_link *l;

	if (!link || (link == 1 && !r->t.link.n && r->layout >= AS_OTLP_1_8))
		return AS_OK;
	if (link - 1 >= r->t.link.n)
		return as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
			"link %" PRIu64 " does not exist; the table has %zu", link - 1,
			r->t.link.n);
	l = &r->t.link.p[link - 1];
	AS_TRY(samples_id_label(r, AS_OTLP_TRACE, l->trace, &l->trace_str));
	return samples_id_label(r, AS_OTLP_SPAN, l->span, &l->span_str);
}

static enum as_code samples_new_set(struct as_otlp_read *r, uint32_t resource, uint64_t link,
	uint64_t hash, const struct as_otlp_cur *cur)
{
	struct as_otlp_set set = {.resource = resource,
		.first = (uint32_t)r->label.n,
		.message = r->message,
		.link = link,
		.attrs = {(uint32_t)r->attr.n, (uint32_t)r->attrs.n}};
	const struct as_label *l;

	if (r->attr.n > UINT32_MAX - r->attrs.n || r->label.n > UINT32_MAX - r->attrs.n - 2)
		return as_otlp_fail(cur, AS_E_LIMIT, r->base, "more than 2^32 labels");
	for (size_t i = 0; i < r->attrs.n; i++) {
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->attr, r->attrs.p[i])));
		AS_TRY(as_otlp_attr(r, r->attrs.p[i], cur, &l));
		if (l->key.i)
			AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->label, *l)));
	}
	AS_TRY(samples_link(r, link, cur));
	set.n = (uint32_t)r->label.n - set.first;
	return as_otlp_memory(r, as_index_add(&r->sets, hash, (uint32_t)r->set.n) &&
					 as_vec_push(r->al, &r->set, set));
}

/* The row of r->set that the sample has. */
static enum as_code samples_set(struct as_otlp_read *r, uint32_t resource, uint64_t link,
	const struct as_otlp_cur *cur, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(resource, r->message);

	hash = as_hash_mix(hash, link);
	for (size_t i = 0; i < r->attrs.n; i++)
		hash = as_hash_mix(hash, r->attrs.p[i]);
	if (r->set.n && samples_same_set(r, &r->set.p[r->set.n - 1], resource, link)) {
		*out = (uint32_t)r->set.n - 1;
		return AS_OK;
	}
	while (as_index_find(&r->sets, hash, &pos, out))
		if (samples_same_set(r, &r->set.p[*out], resource, link))
			return AS_OK;
	*out = (uint32_t)r->set.n;
	return samples_new_set(r, resource, link, hash, cur);
}

/* ---- stacks before 1.8 ---- */

/* A range of the profile's list of locations is a row of the table of stacks here. */
static enum as_code samples_range(struct as_otlp_read *r, struct sample *s,
	const struct as_otlp_profile *p, const struct as_otlp_cur *cur)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(s->start, s->length);
	struct as_otlp_stack stack = {0};
	uint32_t row;

	if (s->start > p->locations.n || s->length > p->locations.n - s->start) {
		AS_TRY(as_otlp_find(cur, AS_F_OTLP_ROW_MISSING,
			"it has %" PRIu64 " locations from %" PRIu64
			" on; the profile's list has %" PRIu32,
			s->length, s->start, p->locations.n));
		s->length = s->start = 0;
	}
	stack.first = p->locations.first + (uint32_t)s->start;
	stack.n = (uint32_t)s->length;
	hash = as_hash_mix(hash, p->locations.first);
	while (as_index_find(&r->t.stacks, hash, &pos, &row))
		if (!r->t.stack.p[row].packed && r->t.stack.p[row].first == stack.first &&
			r->t.stack.p[row].n == stack.n) {
			s->stack = row;
			return AS_OK;
		}
	s->stack = r->t.stack.n;
	return as_otlp_memory(r, r->t.stack.n < UINT32_MAX - 2 &&
					 as_index_add(&r->t.stacks, hash, (uint32_t)s->stack) &&
					 as_vec_push(r->al, &r->t.stack, stack));
}

/* ---- values ---- */

static enum as_code samples_numbers(
	struct as_otlp_cur *cur, struct as_otlp_field *f, struct as_otlp_read *r)
{
	do {
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->values, (int64_t)f->v)));
	} while (as_otlp_more(cur, f));
	return AS_OK;
}

static enum as_code samples_attrs(
	struct as_otlp_cur *cur, struct as_otlp_field *f, struct as_otlp_read *r)
{
	do {
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->attrs,
						 f->v < UINT32_MAX ? (uint32_t)f->v : UINT32_MAX)));
	} while (as_otlp_more(cur, f));
	return AS_OK;
}

static enum as_code samples_time(struct as_otlp_read *r, struct sample *s, uint64_t time)
{
	s->times++;
	if (!r->rd->out->keep_moments)
		return AS_OK;
	return as_otlp_memory(r, as_vec_push(r->al, &r->times, time));
}

static enum as_code samples_decode(
	struct as_otlp_cur *cur, struct as_otlp_read *r, struct sample *s)
{
	struct as_otlp_field f;
	enum as_code rc;

	r->attrs.n = r->values.n = r->times.n = 0;
	while ((rc = as_otlp_next(cur, &f)) == AS_OK)
		switch (f.id) {
		case AS_OTLP_F_STACK:
			s->stack = f.v;
			break;
		case AS_OTLP_F_STACK_START:
			s->start = f.v;
			s->has_range = true;
			break;
		case AS_OTLP_F_STACK_LENGTH:
			s->length = f.v;
			s->has_range = true;
			break;
		case AS_OTLP_F_VALUES:
			AS_TRY(samples_numbers(cur, &f, r));
			break;
		case AS_OTLP_F_ATTR_INDICES:
			AS_TRY(samples_attrs(cur, &f, r));
			break;
		case AS_OTLP_F_LINK:
			s->link = f.v < UINT32_MAX ? f.v + 1 : UINT32_MAX;
			break;
		case AS_OTLP_F_TIMES:
			AS_TRY(samples_time(r, s, f.v));
			break;
		default:
			break;
		}
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code samples_row(
	struct as_otlp_read *r, uint32_t stack, uint32_t set, uint32_t event, int64_t value)
{
	struct as_otlp_row row = {stack, set, event, value};

	return as_otlp_memory(r, r->row.n < UINT32_MAX - 1 && as_vec_push(r->al, &r->row, row));
}

/* The sum of the values of an event, in as many rows as it takes. */
static enum as_code samples_sum(
	struct as_otlp_read *r, uint32_t stack, uint32_t set, uint32_t event)
{
	int64_t sum = 0, more;

	for (size_t i = 0; i < r->values.n; i++) {
		if (__builtin_add_overflow(sum, r->values.p[i], &more)) {
			AS_TRY(samples_row(r, stack, set, event, sum));
			more = r->values.p[i];
		}
		sum = more;
	}
	return samples_row(r, stack, set, event, sum);
}

/* What is odd about how many values there are. */
static enum as_code samples_check(
	const struct as_otlp_read *r, const struct sample *s, const struct as_otlp_cur *cur)
{
	if (!s->times && r->values.n > 1)
		return as_otlp_find(cur, AS_F_OTLP_VALUE_COUNT,
			"it has %zu values and no times; their sum was taken", r->values.n);
	if (s->times && r->values.n && s->times != r->values.n)
		return as_otlp_find(cur, AS_F_OTLP_VALUE_COUNT,
			"it has %zu value%s and %" PRIu64
			" time%s; the sum of the values was taken",
			r->values.n, r->values.n == 1 ? "" : "s", s->times,
			s->times == 1 ? "" : "s");
	return AS_OK;
}

/* Each time has a value of its own, or stands for one count; else nobody can tell what was when. */
static enum as_code samples_moments(
	struct as_otlp_read *r, uint32_t stack, uint32_t set, uint32_t event)
{
	struct as_otlp_moment m = {.stack = stack, .set = set, .event = event, .value = 1};

	if (r->values.n && r->values.n != r->times.n)
		return AS_OK;
	for (size_t i = 0; i < r->times.n; i++) {
		m.time = r->times.p[i];
		m.value = r->values.n ? r->values.p[i] : 1;
		AS_TRY(as_otlp_memory(r, as_vec_push(r->al, &r->moment, m)));
	}
	return AS_OK;
}

static enum as_code samples_put(struct as_otlp_read *r, const struct as_otlp_profile *p,
	const struct sample *s, uint32_t stack, uint32_t set)
{
	size_t n = p->event.n;

	if (n == 1)
		AS_TRY(samples_moments(r, stack, set, p->event.p[0]));
	if (n == 1 && !r->values.n)
		return samples_row(r, stack, set, p->event.p[0], (int64_t)s->times);
	if (n == 1)
		return samples_sum(r, stack, set, p->event.p[0]);
	for (size_t k = 0; k < n; k++)
		AS_TRY(samples_row(r, stack, set, p->event.p[k], r->values.p[k]));
	return AS_OK;
}

/* Whether the values of the sample have a meaning; of several types there is one of each. */
static bool samples_are_values(
	const struct as_otlp_read *r, const struct as_otlp_profile *p, const struct sample *s)
{
	return p->event.n == 1 ? r->values.n || s->times : r->values.n == p->event.n;
}

enum as_code as_otlp_sample(struct as_otlp_cur *up, const struct as_otlp_field *of,
	struct as_otlp_profile *p, uint32_t resource)
{
	struct as_otlp_read *r = up->r;
	struct sample s = {0};
	struct as_otlp_cur cur;
	uint32_t stack, set;

	if (of->cut)
		return AS_OK;
	r->n_samples++;
	if (r->layout >= AS_OTLP_1_8)
		s.link = 1;
	as_otlp_enter(&cur, up, of, ++p->n_samples);
	AS_TRY(samples_decode(&cur, r, &s));
	if (!samples_are_values(r, p, &s)) {
		as_rd_partial(r->rd);
		return as_otlp_find(&cur, AS_F_OTLP_NO_VALUE,
			"it has %zu value%s and %" PRIu64
			" times for %zu value type%s; it was left out",
			r->values.n, r->values.n == 1 ? "" : "s", s.times, p->event.n,
			p->event.n == 1 ? "" : "s");
	}
	if (p->event.n == 1)
		AS_TRY(samples_check(r, &s, &cur));
	r->n_kept++;
	r->n_times += s.times;
	if (s.has_range || r->layout < AS_OTLP_1_8)
		AS_TRY(samples_range(r, &s, p, &cur));
	AS_TRY(as_otlp_put_stack(r, s.stack, &cur, &stack));
	AS_TRY(samples_set(r, resource, s.link, &cur, &set));
	return samples_put(r, p, &s, stack, set);
}
