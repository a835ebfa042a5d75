/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, formulas, and the facts about the profile as a whole. */
#include "base/date.h"
#include "change/merge/merge_impl.h"

bool as_merge_settle_text(struct as_build *b, as_str *have, as_str text)
{
	struct as_slice a = as_str_get(b->prof, *have), c = as_str_get(b->prof, text);
	bool differ = a.len && c.len && have->i != text.i;

	if (!a.len || (differ && as_slice_cmp(c, a) < 0))
		*have = text;
	return differ;
}

/* ---- objects ---- */

static uint64_t object_hash(as_str path, as_str id, enum as_addr_kind kind)
{
	return as_hash_mix(as_hash_mix(path.i, id.i), (uint64_t)kind);
}

uint32_t as_merge_find_object(
	const struct as_merge *m, as_str path, as_str id, enum as_addr_kind kind)
{
	uint64_t pos = AS_INDEX_START, hash = object_hash(path, id, kind);
	uint32_t i;

	while (as_index_find(&m->objects, hash, &pos, &i)) {
		const struct as_object_row *o = &m->b.prof->object.p[i];

		if (o->path.i == path.i && o->id.i == id.i && o->addr_kind == kind)
			return i;
	}
	return 0;
}

static enum as_code merge_object(
	struct as_merge_add_job *j, const struct as_object_row *from, uint32_t *out)
{
	struct as_merge *m = j->m;
	struct as_profile *dst = m->b.prof;
	struct as_object_row row = *from, *have;

	AS_TRY(as_remap_each(&j->r, &row.path, &row.id));
	*out = as_merge_find_object(m, row.path, row.id, row.addr_kind);
	if (!*out) {
		*out = (uint32_t)dst->object.n;
		return as_vec_push(m->al, &dst->object, row) &&
				       as_index_add(&m->objects,
					       object_hash(row.path, row.id, row.addr_kind), *out)
			       ? AS_OK
			       : as_err_no_memory(m->err);
	}
	have = &dst->object.p[*out];
	if (!have->text_start && !have->text_size) {
		have->text_start = row.text_start;
		have->text_size = row.text_size;
	}
	return AS_OK;
}

enum as_code as_merge_objects(struct as_merge_add_job *j)
{
	for (uint32_t i = 1; i < j->src->object.n; i++) {
		uint32_t from = j->m->object_alias ? j->m->object_alias[i] : i;

		as_assert(from < j->src->object.n);
		AS_TRY(merge_object(j, &j->src->object.p[from], &j->r.object[i]));
	}
	return AS_OK;
}

/* ---- formulas ---- */

static enum as_code merge_formula(struct as_merge_add_job *j, const struct as_derived *from)
{
	struct as_merge *m = j->m;
	struct as_profile *dst = m->b.prof;
	struct as_derived d = *from;
	uint64_t pos = AS_INDEX_START, hash;
	uint32_t i;

	AS_TRY(as_remap_each(&j->r, &d.name, &d.formula, &d.title));
	hash = as_hash_mix(d.name.i, 1);
	while (as_index_find(&m->deriveds, hash, &pos, &i)) {
		struct as_derived *have = &dst->derived.p[i];

		if (have->name.i != d.name.i)
			continue;
		if (as_merge_settle_text(&m->b, &have->formula, d.formula))
			as_losses_add(
				j->l, "formulas", 1, "derived event{ that differs|s that differ}");
		as_merge_settle_text(&m->b, &have->title, d.title);
		have->bare &= d.bare;
		return AS_OK;
	}
	i = (uint32_t)dst->derived.n;
	return as_err_memory(m->err,
		as_vec_push(m->al, &dst->derived, d) && as_index_add(&m->deriveds, hash, i));
}

enum as_code as_merge_derived(struct as_merge_add_job *j)
{
	for (size_t i = 0; i < j->src->derived.n; i++)
		AS_TRY(merge_formula(j, &j->src->derived.p[i]));
	return AS_OK;
}

/* ---- the whole ---- */

/* Equal in all inputs, or not known. */
static enum as_code merge_tables_keep_equal(struct as_merge_add_job *j, as_str *have, as_str from)
{
	as_str text;

	AS_TRY(as_remap_str(&j->r, from, &text));
	if (j->m->n_inputs == 0)
		*have = text;
	else if (have->i != text.i)
		have->i = 0;
	return AS_OK;
}

/* That of some inputs would be no time that all of them took. */
static enum as_code merge_duration(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;
	const struct as_profile *src = j->src;
	bool differed = m->has_duration && m->no_duration, placed;
	int64_t more = src->duration, start;

	m->has_duration |= more != 0;
	m->no_duration |= more == 0;
	as_losses_add(j->l, as_cap_kind(AS_CAPBIT_DURATION),
		!differed && m->has_duration && m->no_duration,
		"total duration{|s}: not all inputs say theirs");
	placed = as_date_to_nanos(as_str_get(src, src->epoch), &start);
	return as_spans_add(m->own, &m->spans, placed ? &start : NULL, more)
		       ? AS_OK
		       : as_err_no_memory(m->err);
}

enum as_code as_merge_whole(struct as_merge_add_job *j)
{
	const struct as_profile *src = j->src;
	struct as_merge *m = j->m;
	struct as_profile *dst = m->b.prof;
	as_str epoch;

	AS_TRY(merge_tables_keep_equal(j, &dst->format, src->format));
	AS_TRY(merge_tables_keep_equal(j, &dst->version, src->version));
	if (m->n_inputs == 0)
		dst->first_column = src->first_column;
	else if (dst->first_column != src->first_column)
		dst->first_column = 0;
	dst->estimated |= src->estimated;
	if (dst->path_depth < src->path_depth)
		dst->path_depth = src->path_depth;
	dst->partial |= src->partial;
	AS_TRY(merge_duration(j));
	AS_TRY(as_remap_str(&j->r, src->epoch, &epoch)); /* ISO 8601: byte order is time */
	if (as_merge_settle_text(&m->b, &dst->epoch, epoch) && !m->opts.pieces)
		as_losses_add(j->l, "epoch", 1, "start time{|s} but the earliest");
	if (!as_format_of(src)->platform || m->platform.i)
		return AS_OK;
	for (uint32_t i = 0; i < src->part.n && !m->platform.i; i++) {
		AS_TRY(as_build_str(&m->b, as_meta_get(src, i, "platform"), &m->platform));
		AS_TRY(as_remap_str(&j->r, src->part.p[i].name, &m->platform_from));
	}
	return AS_OK;
}
