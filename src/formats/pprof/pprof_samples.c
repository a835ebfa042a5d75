/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples. They stand in the input where the first pass has left them; each is decoded into
 * arrays that all of them share, so none takes an allocation.
 */
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_sections.h"

/* The sample that is being read. */
struct sample {
	uint64_t number; /* from 0 */
	struct as_pb_cur msg;
};

static struct as_pb_at at_of(const struct sample *s)
{
	return (struct as_pb_at){"sample", s->number + 1, NULL};
}

static AS_NOINLINE enum as_code no_location(
	struct as_pb_read *r, const struct sample *s, const uint8_t *p, uint64_t id)
{
	struct as_pb_at at = at_of(s);

	AS_TRY(as_pb_find(r, AS_F_PB_LOCATION_MISSING, (uint64_t)(p - r->base), &at,
		"location id %" PRIu64 " does not exist", id));
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->stack, 1));
}

static inline enum as_code add_location(
	struct as_pb_read *r, const struct sample *s, const uint8_t *p, uint64_t id)
{
	uint32_t row = as_pb_row(&r->locs, id);

	if (AS_UNLIKELY(!row))
		return no_location(r, s, p, id);
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->stack, row + 1));
}

static enum as_code bad_number(
	const struct as_pb_read *r, const struct sample *s, const uint8_t *p, const char *field)
{
	struct as_pb_at at = at_of(s), sub = {field, 0, &at};

	return as_pb_fail(r, AS_E_FORMAT, p, &sub,
		"a number of the list has more than ten bytes or goes beyond its end");
}

static enum as_code packed_locations(
	struct as_pb_read *r, const struct sample *s, struct as_pb_cur list)
{
	size_t most = (size_t)(list.end - list.p);
	uint64_t id;

	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->stack, r->stack.n + most)));
	while (list.p < list.end) {
		const uint8_t *p = list.p;
		uint32_t row;

		if (AS_UNLIKELY(!as_pb_varint(&list.p, list.end, &id)))
			return bad_number(r, s, p, "location_id");
		row = as_pb_row(&r->locs, id);
		if (AS_UNLIKELY(!row))
			AS_TRY(no_location(r, s, p, id));
		else
			r->stack.p[r->stack.n++] = row + 1;
	}
	return AS_OK;
}

static enum as_code packed_values(
	struct as_pb_read *r, const struct sample *s, struct as_pb_cur list)
{
	uint64_t v;

	while (list.p < list.end) {
		if (AS_UNLIKELY(!as_pb_varint(&list.p, list.end, &v)))
			return bad_number(r, s, list.p, "value");
		AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->values, (int64_t)v)));
	}
	return AS_OK;
}

static enum as_code read_list(struct as_pb_read *r, struct sample *s, const struct as_pb_field *f)
{
	bool values = f->number == PB_SAMPLE_VALUE;
	struct as_pb_at at = at_of(s);
	uint64_t v;

	if (f->type == AS_PB_BYTES)
		return values ? packed_values(r, s, f->data) : packed_locations(r, s, f->data);
	AS_TRY(as_pb_number(r, f, &at, &v));
	if (!values)
		return add_location(r, s, f->start, v);
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->values, (int64_t)v));
}

/* The part that the sample names: see pprof_moments.c. */
static enum as_code own_part(
	struct as_pb_read *r, const struct sample *s, const struct as_pb_field *f)
{
	struct as_pb_at at = at_of(s);
	uint64_t v;

	AS_TRY(as_pb_number(r, f, &at, &v));
	if (v >= r->own.n)
		return as_pb_fail(r, AS_E_FORMAT, f->start, &at,
			"part %" PRIu64 " does not exist; there are %zu", v, r->own.n);
	r->own_part = r->own.p[v];
	return AS_OK;
}

static enum as_code pb_samples_decode(struct as_pb_read *r, struct sample *s)
{
	struct as_pb_cur msg = s->msg;
	struct as_pb_at at = at_of(s);
	struct as_pb_field f;
	enum as_code rc;

	r->stack.n = r->label.n = 0;
	r->own_part = r->own.n ? r->own.p[0] : 0;
	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK) {
		if (f.number <= PB_SAMPLE_VALUE) {
			AS_TRY(read_list(r, s, &f));
		} else if (f.number == PB_SAMPLE_LABEL) {
			AS_TRY(as_pb_is_bytes(r, &f, &at));
			AS_TRY(as_err_memory(r->rd->err, as_vec_push(r->al, &r->label, f.data)));
		} else if (f.number == PB_SAMPLE_OWN_PART && r->own.n) {
			AS_TRY(own_part(r, s, &f));
		} else {
			AS_TRY(as_pb_keep(r, &msg, &f));
		}
	}
	return rc == AS_END ? AS_OK : rc;
}

/* ---- those that nobody asks for ---- */

/* The first number of field F, 0 if there is none. */
static uint64_t first_of_list(const struct as_pb_field *f)
{
	struct as_pb_cur list = f->data;
	uint64_t v = f->v;

	if (f->type == AS_PB_BYTES && !as_pb_varint(&list.p, list.end, &v))
		return 0;
	return v;
}

/* The values of S, and where its stack ends: of a sample that nobody asks for no more is looked at.
 */
static enum as_code pb_samples_skim(struct as_pb_read *r, struct sample *s, uint64_t *leaf)
{
	struct as_pb_cur msg = s->msg;
	struct as_pb_at at = at_of(s);
	struct as_pb_field f;
	enum as_code rc;

	*leaf = 0;
	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK) {
		if (f.number == PB_SAMPLE_LOCATION && !*leaf)
			*leaf = first_of_list(&f);
		else if (f.number == PB_SAMPLE_VALUE)
			AS_TRY(read_list(r, s, &f));
	}
	return rc == AS_END ? AS_OK : rc;
}

/* ---- labels ---- */

static enum as_code read_label(struct as_pb_read *r, const struct sample *s, uint32_t i)
{
	struct as_pb_at up = at_of(s), at = {"label", (uint64_t)i + 1, &up};
	uint64_t off = (uint64_t)(r->label.p[i].p - r->base);
	uint64_t v[PB_LABEL_UNIT + 1];
	struct as_label l = {0};

	AS_TRY(as_pb_numbers(r, r->label.p[i], &at, v, PB_LABEL_UNIT));
	AS_TRY(as_pb_kept(r, &l.extra));
	AS_TRY(as_pb_str(r, v[PB_LABEL_KEY], &at, off, &l.key));
	AS_TRY(as_pb_str(r, v[PB_LABEL_STR], &at, off, &l.text));
	AS_TRY(as_pb_str(r, v[PB_LABEL_UNIT], &at, off, &l.unit));
	l.number = (int64_t)v[PB_LABEL_NUM];
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->set, l));
}

/* The part that the labels of the sample make, and what nobody knows of it. */
static enum as_code make_part(struct as_pb_read *r, const struct sample *s, uint32_t *part)
{
	struct as_label opaque = {.opaque = true};

	r->set.n = 0;
	AS_TRY(as_pb_kept(r, &opaque.extra)); /* the labels need the scratch */
	for (uint32_t i = 0; i < r->label.n; i++)
		AS_TRY(read_label(r, s, i));
	if (opaque.extra.i && !as_vec_push(r->al, &r->set, opaque))
		return as_err_no_memory(r->rd->err);
	if (r->own.n)
		return as_build_part_labels(r->rd->out, r->own_part, r->set.p, (uint32_t)r->set.n);
	return as_build_labelled(r->rd->out, r->set.p, (uint32_t)r->set.n, part);
}

static uint64_t count_found(const struct as_pb_read *r)
{
	const struct as_findings *f = r->rd->findings;

	return f ? f->n[AS_ERROR] + f->n[AS_WARN] + f->n[AS_INFO] : 0;
}

/* The same bytes are the same labels: those of a process are read once, unless something is wrong
 * with them, which is told of each sample. */
static enum as_code find_part(struct as_pb_read *r, const struct sample *s, uint32_t *part)
{
	uint64_t pos = AS_INDEX_START, hash, found = count_found(r);
	struct as_pb_labels one = {.part = 0};
	uint32_t row;

	*part = r->own_part;
	if (r->own.n && r->rd->out->prof->part.p[*part].n_labels)
		return AS_OK; /* all of its samples have them */
	if (r->extra.n)
		return make_part(r, s, part);
	if (!r->label.n)
		return AS_OK;
	if (r->own.n)
		return make_part(r, s, part);
	one.first = (size_t)(r->label.p[0].end - r->label.p[0].p);
	one.bytes.p = (const char *)r->label.p[0].p;
	one.bytes.len = (size_t)((const char *)r->label.p[r->label.n - 1].end - one.bytes.p);
	hash = as_hash_bytes(one.bytes.p, one.bytes.len);
	while (as_index_find(&r->seens, hash, &pos, &row))
		if (r->seen.p[row].first == one.first &&
			as_slice_eq(r->seen.p[row].bytes, one.bytes)) {
			*part = r->seen.p[row].part;
			return AS_OK;
		}
	AS_TRY(make_part(r, s, part));
	one.part = *part;
	if (count_found(r) > found)
		return AS_OK;
	return as_err_memory(
		r->rd->err, as_vec_push(r->al, &r->seen, one) &&
				    as_index_add(&r->seens, hash, (uint32_t)r->seen.n - 1));
}

/* ---- samples ---- */

static enum as_code wrong_values(struct as_pb_read *r, const struct sample *s)
{
	struct as_pb_at at = at_of(s);
	size_t n = r->values.n - r->part.n * r->type.n;

	as_rd_partial(r->rd);
	return as_pb_find(r, AS_F_PB_VALUE_COUNT, (uint64_t)(s->msg.p - r->base), &at,
		"it has %zu value%s for %zu sample type%s; it was left out", n, n == 1 ? "" : "s",
		r->type.n, r->type.n == 1 ? "" : "s");
}

/* The frames of the sample behind those of all others, root first, with a 0 at their end. */
static enum as_code keep_stack(struct as_pb_read *r)
{
	size_t n = r->stack.n, at = r->id.n;

	if (at > UINT32_MAX - n - 2)
		return as_rd_fail(r->rd, AS_E_LIMIT, 0, 0, "more than 2^32 frames");
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->id, at + n + 1) &&
						 as_vec_push(r->al, &r->first, (uint32_t)at)));
	for (size_t i = 0; i < n; i++)
		r->id.p[at + i] = r->stack.p[n - 1 - i];
	r->id.p[at + n] = 0;
	r->id.n = at + n + 1;
	return AS_OK;
}

/* The values of the sample, which the next one overwrites unless it is kept. LEAF is the row of the
 * location where it ends, + 1. */
static enum as_code add_to_whole(struct as_pb_read *r, const struct sample *s, uint32_t leaf)
{
	const int64_t *v = r->values.p + r->part.n * r->type.n;

	for (size_t k = 0; k < r->type.n; k++)
		r->whole[r->event.p[k]] += v[k];
	return as_pb_add_to_section(r, s->number, v, leaf);
}

/* Whether nobody asks for S: then it is a part of the whole, and no more. */
static enum as_code pass_over(struct as_pb_read *r, struct sample *s, bool *passed)
{
	size_t before = r->values.n;
	uint64_t leaf;

	*passed = false;
	if (!r->rd->choice || !r->rd->choice->object)
		return AS_OK;
	AS_TRY(pb_samples_skim(r, s, &leaf));
	*passed = r->values.n - before == r->type.n && !as_pb_wants_code(r, leaf);
	if (*passed) {
		r->n_kept++;
		AS_TRY(add_to_whole(r, s, as_pb_row(&r->locs, leaf)));
	}
	r->values.n = before;
	return AS_OK;
}

static enum as_code pb_samples_put_sample(struct as_pb_read *r, struct sample *s)
{
	bool passed, wants;
	uint32_t part;

	r->extra.n = 0;
	r->values.n = r->part.n * r->type.n;
	AS_TRY(as_pb_next_of_section(r));
	AS_TRY(pass_over(r, s, &passed));
	if (passed)
		return AS_OK;
	AS_TRY(pb_samples_decode(r, s));
	if (r->values.n - r->part.n * r->type.n != r->type.n)
		return wrong_values(r, s);
	if (r->rd->lim.depth && r->stack.n > r->rd->lim.depth) {
		struct as_pb_at at = at_of(s);

		return as_pb_fail(r, AS_E_LIMIT, s->msg.p, &at,
			"it has %zu frames; the limit is %" PRIu64, r->stack.n, r->rd->lim.depth);
	}
	r->n_kept++;
	if (r->whole)
		AS_TRY(add_to_whole(r, s, r->stack.n ? r->stack.p[0] - 1 : 0));
	AS_TRY(find_part(r, s, &part));
	AS_TRY(as_pb_wants_part(r, part, &wants));
	if (!wants)
		return AS_OK;
	if (r->part.n >= UINT32_MAX - 1)
		return as_rd_fail(r->rd, AS_E_LIMIT, 0, 0, "more than 2^32 samples");
	if (r->into == AS_PB_INTO_SUMS)
		return as_pb_add_sums(r, s->number + 1);
	if (AS_HAS_STACKS && r->into == AS_PB_INTO_STACKS)
		return as_pb_add_stack(r);
	return as_vec_push(r->al, &r->part, part) ? keep_stack(r) : as_err_no_memory(r->rd->err);
}

static enum as_code pb_samples_put_all(
	struct as_pb_read *r, enum as_code (*put)(struct as_pb_read *r, struct sample *s))
{
	for (size_t i = 0; i < r->stretch.row.n; i++) {
		struct as_pb_cur cur = r->stretch.row.p[i].bytes;
		struct sample s = {.number = r->stretch.row.p[i].first};
		struct as_pb_field f;
		enum as_code rc;

		for (; (rc = as_pb_get(r, &cur, &f, NULL)) == AS_OK; s.number++) {
			s.msg = f.data;
			AS_TRY(put(r, &s));
		}
		if (rc != AS_END)
			return rc;
	}
	return AS_OK;
}

static enum as_code check_any(struct as_pb_read *r)
{
	if (!r->n_samples || r->n_kept)
		return AS_OK;
	return as_rd_fail(r->rd, AS_E_FORMAT, 0, 0,
		"none of the %" PRIu64 " samples has as many values as there are sample types, %zu",
		r->n_samples, r->type.n);
}

/* No more is built of the samples than what is asked for. */
static enum as_code choose_shape(struct as_pb_read *r)
{
	bool stacks = false;

	if (as_pb_sums_will_do(r)) {
		r->into = AS_PB_INTO_SUMS;
		return as_pb_begin_sums(r);
	}
	if (AS_HAS_STACKS)
		AS_TRY(as_pb_begin_stacks(r, &stacks));
	r->into = stacks ? AS_PB_INTO_STACKS : AS_PB_INTO_PATHS;
	return AS_OK;
}

enum as_code as_pb_samples(struct as_pb_read *r)
{
	AS_TRY(as_err_memory(
		r->rd->err, as_alloc_array(r->al, &r->cost, as_n_events(r->rd->out->prof))));
	AS_TRY(choose_shape(r));
	AS_TRY(as_pb_begin_moments(r));
	AS_TRY(as_pb_begin_choice(r));
	AS_TRY(as_pb_begin_sections(r));
	AS_TRY(pb_samples_put_all(r, pb_samples_put_sample));
	AS_TRY(check_any(r));
	AS_TRY(as_pb_end_sections(r));
	AS_TRY(as_pb_end_choice(r));
	if (r->into == AS_PB_INTO_SUMS)
		AS_TRY(as_sums_put(&r->sums, r->rd->out));
	if (r->into == AS_PB_INTO_PATHS)
		AS_TRY(as_pb_paths(r));
	return as_pb_end_moments(r);
}

/* ---- as they are ---- */

static enum as_code show_sample(struct as_pb_read *r, struct sample *s)
{
	r->extra.n = r->values.n = 0;
	AS_TRY(pb_samples_decode(r, s));
	if (r->values.n != r->type.n)
		return wrong_values(r, s);
	return AS_HAS_WRITERS ? as_pb_raw_sample(r, s->number + 1) : AS_OK;
}

enum as_code as_pb_show_samples(struct as_pb_read *r)
{
	return pb_samples_put_all(r, show_sample);
}
