/* SPDX-License-Identifier: Apache-2.0 */
#include "table/tag_table.h"

#include "base/index.h"
#include "base/sort.h"

struct maker {
	struct as_tag_table *t;
	const struct as_profile *prof;
	const struct as_alloc *al;
	uint32_t e, event;
	struct as_index rows, keys;
	AS_VEC(as_val) part; /* what each costs, and then room for a row of cost */
	AS_VEC(uint8_t) used;
};

/* ---- what parts cost ---- */

static void add(as_val *sum, const as_val *v, uint32_t e)
{
	for (uint32_t k = 0; k < e; k++)
		sum[k] += v[k];
}

static bool add_parts(struct maker *mk)
{
	const struct as_profile *prof = mk->prof;
	size_t n = prof->part.n;
	struct as_rows_cur cur;
	as_val *v;

	if (!as_vec_reserve(mk->al, &mk->part, (n + 1) * mk->e + 1) ||
		!as_vec_reserve(mk->al, &mk->used, n + 1))
		return false;
	memset(mk->part.p, 0, ((n + 1) * mk->e + 1) * sizeof(*mk->part.p));
	memset(mk->used.p, 0, n + 1);
	v = mk->part.p + n * mk->e;
	for (size_t r = 0; r < prof->self.run.n; r++) {
		uint32_t part = prof->self.run.p[r].part;

		mk->used.p[part] = 1;
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			add(mk->part.p + (size_t)part * mk->e, v, mk->e);
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t part = prof->sample.part.p[i];

		mk->used.p[part] = 1;
		add(mk->part.p + (size_t)part * mk->e, prof->sample.cost.p + i * mk->e, mk->e);
	}
	return true;
}

/* ---- rows ---- */

/* What a label is: a text, or a number and its unit. */
static uint64_t hash_of(const struct as_label *l, uint32_t n)
{
	uint64_t h = l->key.i;

	for (uint32_t i = 0; i < n; i++)
		h = as_hash_mix(as_hash_mix(h, l[i].text.i),
			l[i].text.i ? 1 : as_hash_mix((uint64_t)l[i].number, l[i].unit.i));
	return h;
}

static bool same(const struct as_label *a, const struct as_label *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		bool number = !a[i].text.i;

		if (a[i].key.i != b[i].key.i || a[i].text.i != b[i].text.i ||
			(number && (a[i].number != b[i].number || a[i].unit.i != b[i].unit.i)))
			return false;
	}
	return true;
}

static bool find_key(struct maker *mk, as_str name, uint32_t *out)
{
	uint64_t hash = as_hash_mix(name.i, 1), pos = AS_INDEX_START;
	struct as_tag_key key = {.name = name};

	while (as_index_find(&mk->keys, hash, &pos, out))
		if (mk->t->key.p[*out].name.i == name.i)
			return true;
	*out = (uint32_t)mk->t->key.n;
	return as_vec_push(mk->al, &mk->t->key, key) && as_index_add(&mk->keys, hash, *out);
}

static bool grow(struct maker *mk)
{
	struct as_tag_table *t = mk->t;

	if (!as_vec_reserve(mk->al, &t->cost, t->cost.n + mk->e + 1))
		return false;
	for (uint32_t k = 0; k < mk->e; k++)
		t->cost.p[t->cost.n++] = 0;
	return true;
}

/* The row of the labels FIRST to FIRST + N, which have one key. */
static bool find_row(struct maker *mk, uint32_t first, uint32_t n, uint32_t *out)
{
	const struct as_label *l = mk->prof->label.p + first;
	struct as_tag_row row = {.first = first, .n = n};
	uint64_t hash = hash_of(l, n), pos = AS_INDEX_START;

	while (as_index_find(&mk->rows, hash, &pos, out)) {
		const struct as_tag_row *r = &mk->t->row.p[*out];

		if (r->n == n && same(mk->prof->label.p + r->first, l, n))
			return true;
	}
	*out = (uint32_t)mk->t->row.n;
	return find_key(mk, l->key, &row.key) && as_vec_push(mk->al, &mk->t->row, row) &&
	       as_vec_push(mk->al, &mk->t->order, *out) && grow(mk) &&
	       as_index_add(&mk->rows, hash, *out);
}

static bool take_part(struct maker *mk, size_t part)
{
	const struct as_part *p = &mk->prof->part.p[part];
	const struct as_label *label = as_at(mk->prof->label.p, p->first_label);
	uint32_t row;

	for (uint32_t i = 0, end; i < p->n_labels; i = end) {
		for (end = i + 1; end < p->n_labels && label[end].key.i == label[i].key.i &&
				  label[end].opaque == label[i].opaque;)
			end++;
		if (label[i].opaque)
			continue;
		if (!find_row(mk, p->first_label + i, end - i, &row))
			return false;
		add(mk->t->cost.p + (size_t)row * mk->e, mk->part.p + part * mk->e, mk->e);
	}
	return true;
}

/* ---- order ---- */

static int cmp_key(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_tag_table *t = ctx;

	return as_slice_cmp(
		as_str_get(t->prof, t->key.p[a].name), as_str_get(t->prof, t->key.p[b].name));
}

static int cmp_label(
	const struct as_profile *prof, const struct as_label *x, const struct as_label *y)
{
	int c = as_slice_cmp(as_str_get(prof, x->text), as_str_get(prof, y->text));

	if (!c)
		c = (x->number > y->number) - (x->number < y->number);
	return c ? c : as_slice_cmp(as_str_get(prof, x->unit), as_str_get(prof, y->unit));
}

static int cmp_row(const void *ctx, uint32_t a, uint32_t b)
{
	const struct maker *mk = ctx;
	const struct as_tag_row *x = &mk->t->row.p[a], *y = &mk->t->row.p[b];
	uint32_t n = x->n < y->n ? x->n : y->n;
	int c = x->key < y->key ? -1 : x->key > y->key;

	if (!c && mk->event < mk->e) {
		as_val v = mk->t->cost.p[(size_t)a * mk->e + mk->event];
		as_val w = mk->t->cost.p[(size_t)b * mk->e + mk->event];

		c = v > w ? -1 : v < w;
	}
	for (uint32_t i = 0; !c && i < n; i++)
		c = cmp_label(mk->prof, &mk->prof->label.p[x->first + i],
			&mk->prof->label.p[y->first + i]);
	return c ? c : x->n < y->n ? -1 : x->n > y->n;
}

/* Keys by name: their rows are told the new numbers. */
static bool order_keys(struct maker *mk)
{
	struct as_tag_table *t = mk->t;
	size_t n = t->key.n, size = n * (2 * sizeof(uint32_t) + sizeof(*t->key.p)) + 1;
	struct as_tag_key *key = as_alloc_new(mk->al, size);
	uint32_t *order, *fresh;
	bool fine;

	if (!key)
		return false;
	order = (uint32_t *)(key + n);
	fresh = order + n;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	fine = as_sort_rows(mk->al, order, n, cmp_key, t);
	for (uint32_t i = 0; fine && i < n; i++) {
		key[i] = t->key.p[order[i]];
		fresh[order[i]] = i;
	}
	if (fine && n)
		memcpy(t->key.p, key, n * sizeof(*key));
	for (size_t i = 0; fine && i < t->row.n; i++)
		t->row.p[i].key = fresh[t->row.p[i].key];
	as_alloc_free(mk->al, key, size);
	return fine;
}

static bool finish(struct maker *mk)
{
	struct as_tag_table *t = mk->t;

	if (!order_keys(mk) || !as_sort_rows(mk->al, t->order.p, t->order.n, cmp_row, mk))
		return false;
	for (size_t i = 0; i < t->key.n; i++) {
		t->key.p[i].none = t->cost.n;
		if (!grow(mk))
			return false;
		for (uint32_t k = 0; k < mk->e; k++)
			t->cost.p[t->key.p[i].none + k] = mk->prof->total[k];
	}
	for (uint32_t i = 0; i < t->order.n; i++) {
		uint32_t row = t->order.p[i];
		struct as_tag_key *key = &t->key.p[t->row.p[row].key];

		if (!key->n++)
			key->first = i;
		for (uint32_t k = 0; k < mk->e; k++)
			t->cost.p[key->none + k] -= t->cost.p[(size_t)row * mk->e + k];
	}
	return true;
}

static bool make(struct maker *mk)
{
	if (!add_parts(mk))
		return false;
	for (size_t i = 0; i < mk->prof->part.n; i++)
		if (mk->used.p[i] && !take_part(mk, i))
			return false;
	return finish(mk);
}

enum as_code as_tag_table_make(
	struct as_tag_table *t, const struct as_profile *prof, uint32_t event, struct as_err *err)
{
	struct maker mk = {
		.t = t, .prof = prof, .al = prof->al, .e = as_n_events(prof), .event = event};
	bool fine;

	*t = (struct as_tag_table){.prof = prof};
	as_index_init(&mk.rows, mk.al);
	as_index_init(&mk.keys, mk.al);
	fine = make(&mk);
	as_index_release(&mk.rows);
	as_index_release(&mk.keys);
	as_vec_free(mk.al, &mk.part);
	as_vec_free(mk.al, &mk.used);
	return fine ? AS_OK : as_err_no_memory(err);
}

void as_tag_table_release(struct as_tag_table *t)
{
	const struct as_alloc *al = t->prof->al;

	as_vec_free(al, &t->row);
	as_vec_free(al, &t->key);
	as_vec_free(al, &t->cost);
	as_vec_free(al, &t->order);
}

/* ---- text ---- */

/* L at TO, if that is not NULL; how many bytes it takes. */
static size_t put_label(const struct as_profile *prof, const struct as_label *l, char *to)
{
	struct as_slice text = as_str_get(prof, l->text.i ? l->text : l->unit);
	char number[24] = "";
	size_t n;

	if (!l->text.i)
		snprintf(number, sizeof(number), "%" PRId64, l->number);
	n = strlen(number);
	if (to) {
		memcpy(to, number, n);
		if (text.len)
			memcpy(to + n, text.p, text.len);
	}
	return n + text.len;
}

static size_t put_labels(
	const struct as_profile *prof, const struct as_label *label, uint32_t n_labels, char *to)
{
	size_t n = 0;

	for (uint32_t i = 0; i < n_labels; i++) {
		if (i && to)
			memcpy(to + n, ", ", 2);
		n += i ? 2 : 0;
		n += put_label(prof, &label[i], to ? to + n : NULL);
	}
	return n;
}

struct as_slice as_label_text(struct as_arena *ar, const struct as_profile *prof,
	const struct as_label *label, uint32_t n_labels)
{
	size_t n = put_labels(prof, label, n_labels, NULL);
	char *to = as_arena_get(ar, n + 1);

	if (to)
		put_labels(prof, label, n_labels, to);
	return (struct as_slice){to, n};
}

struct as_slice as_tag_text(
	const struct as_tag_table *t, struct as_arena *ar, const struct as_tag_row *row)
{
	return as_label_text(ar, t->prof, &t->prof->label.p[row->first], row->n);
}
