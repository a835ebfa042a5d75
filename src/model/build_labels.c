/* SPDX-License-Identifier: Apache-2.0 */
/* Building a profile: parts that labels split off. */
#include "base/sort.h"
#include "model/build.h"

enum as_code as_build_part_labels(
	struct as_build *b, uint32_t part, const struct as_label *label, uint32_t n)
{
	struct as_profile *prof = b->prof;
	struct as_part *p = &prof->part.p[part];

	if (prof->label.n > UINT32_MAX - n)
		return as_err_set(b->err, AS_E_LIMIT, "more than 2^32 labels");
	p->first_label = (uint32_t)prof->label.n;
	p->n_labels = n;
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(as_err_memory(b->err, as_vec_push(prof->al, &prof->label, label[i])));
	return AS_OK;
}

enum as_code as_build_part_texts(struct as_build *b, uint32_t part, const char *const *key,
	const struct as_slice *value, uint32_t n)
{
	struct as_label label[AS_PART_TEXTS_MAX] = {{.number = 0}};
	uint32_t n_labels = 0;

	as_assert(n <= AS_PART_TEXTS_MAX);
	for (uint32_t i = 0; i < n; i++)
		if (value[i].len) {
			AS_TRY(as_build_str(b, as_slice_of(key[i]), &label[n_labels].key));
			AS_TRY(as_build_str(b, value[i], &label[n_labels++].text));
		}
	return n_labels ? as_build_part_labels(b, part, label, n_labels) : AS_OK;
}

static int build_labels_cmp_key(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_label *label = ctx;
	uint32_t x = label[a].key.i, y = label[b].key.i;

	return (x > y) - (x < y);
}

static bool are_ordered(const struct as_label *label, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (label[i - 1].key.i > label[i].key.i)
			return false;
	return true;
}

/* By key; labels of one key stay in their order. */
static bool order_labels(const struct as_alloc *al, struct as_label *label, uint32_t n)
{
	size_t size = n * (sizeof(*label) + sizeof(uint32_t));
	struct as_label *copy;
	uint32_t *order;
	bool ok;

	if (are_ordered(label, n))
		return true;
	copy = as_alloc_new(al, size);
	if (!copy)
		return false;
	order = (uint32_t *)(copy + n);
	memcpy(copy, label, n * sizeof(*label));
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	ok = as_sort_rows(al, order, n, build_labels_cmp_key, copy);
	for (uint32_t i = 0; ok && i < n; i++)
		label[i] = copy[order[i]];
	as_alloc_free(al, copy, size);
	return ok;
}

static uint64_t hash_labels(const struct as_label *label, uint32_t n)
{
	uint64_t hash = n;

	for (uint32_t i = 0; i < n; i++) {
		const struct as_label *l = &label[i];

		hash = as_hash_mix(hash, as_hash_mix(l->key.i, l->text.i));
		hash = as_hash_mix(hash, as_hash_mix((uint64_t)l->number, l->unit.i));
		hash = as_hash_mix(hash, 2 * (uint64_t)l->extra.i + l->opaque);
	}
	return hash;
}

static bool same_labels(const struct as_label *a, const struct as_label *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i].key.i != b[i].key.i || a[i].text.i != b[i].text.i ||
			a[i].number != b[i].number || a[i].unit.i != b[i].unit.i ||
			a[i].extra.i != b[i].extra.i || a[i].opaque != b[i].opaque)
			return false;
	return true;
}

enum as_code as_build_labelled(
	struct as_build *b, struct as_label *label, uint32_t n, uint32_t *out)
{
	struct as_profile *prof = b->prof;
	uint64_t pos = AS_INDEX_START, hash;
	uint32_t part, whole = b->whole;

	*out = whole;
	if (!n)
		return AS_OK;
	AS_TRY(as_err_memory(b->err, order_labels(prof->al, label, n)));
	hash = as_hash_mix(hash_labels(label, n), whole);
	while (as_index_find(&b->labels, hash, &pos, out)) {
		const struct as_part *p = &prof->part.p[*out];

		if (*out > whole && p->n_labels == n &&
			same_labels(prof->label.p + p->first_label, label, n))
			return AS_OK;
	}
	AS_TRY(as_build_part(b, &part));
	b->whole = whole;
	prof->part.p[part] = prof->part.p[whole];
	AS_TRY(as_build_part_labels(b, part, label, n));
	*out = part;
	return as_err_memory(b->err, as_index_add(&b->labels, hash, part));
}
