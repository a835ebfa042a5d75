/* SPDX-License-Identifier: Apache-2.0 */
#include "table/part_table.h"

#include "base/index.h"
#include "base/sort.h"
#include "model/labels.h"

static bool same_thread(const struct as_part *a, const struct as_part *b)
{
	return a->has_pid == b->has_pid && a->pid == b->pid && a->has_tid == b->has_tid &&
	       a->tid == b->tid && a->thread.i == b->thread.i;
}

static uint64_t thread_hash(const struct as_part *p)
{
	return as_hash_mix(
		as_hash_mix(p->has_pid + 2 * p->pid, p->has_tid + 2 * p->tid), p->thread.i);
}

/* ---- labels ---- */

static bool is_wanted(
	const struct as_profile *prof, const struct as_label *label, const struct as_parts_how *how)
{
	return !label->opaque &&
	       (!how->key.p || as_slice_eq(as_str_get(prof, label->key), how->key));
}

/* The labels of part I that count, behind the N that there are. */
static struct as_part_row labels_of(struct as_part_table *t, const struct as_profile *prof,
	const struct as_label_order *o, const struct as_parts_how *how, uint32_t i)
{
	const struct as_part *part = &prof->part.p[i];
	struct as_part_row row = {.part = i};

	if (!t->label)
		return row;
	row.first_label = t->n ? t->row[t->n - 1].first_label + t->row[t->n - 1].n_labels : 0;
	for (uint32_t k = part->first_label; k < part->first_label + part->n_labels; k++)
		if (is_wanted(prof, &prof->label.p[o->label[k]], how))
			t->label[row.first_label + row.n_labels++] = o->label[k];
	return row;
}

/* What the source has of its own beside a label does not count. */
static bool same_label(const struct as_label *a, const struct as_label *b)
{
	return a->key.i == b->key.i && a->text.i == b->text.i && a->number == b->number &&
	       a->unit.i == b->unit.i;
}

static bool same_labels(const struct as_part_table *t, const struct as_profile *prof,
	const struct as_part_row *a, const struct as_part_row *b)
{
	const struct as_label *label = prof->label.p;

	if (a->n_labels != b->n_labels)
		return false;
	for (uint32_t i = 0; i < a->n_labels; i++)
		if (!same_label(&label[t->label[a->first_label + i]],
			    &label[t->label[b->first_label + i]]))
			return false;
	return true;
}

static uint64_t labels_hash(
	const struct as_part_table *t, const struct as_profile *prof, const struct as_part_row *row)
{
	uint64_t hash = row->n_labels;

	for (uint32_t i = 0; i < row->n_labels; i++) {
		const struct as_label *l = &prof->label.p[t->label[row->first_label + i]];

		hash = as_hash_mix(hash, as_hash_mix(l->key.i, l->text.i));
		hash = as_hash_mix(hash, as_hash_mix((uint64_t)l->number, l->unit.i));
	}
	return hash;
}

/* S behind the first AT bytes of TO, which is NULL where only the length is asked for. */
static size_t put(char *to, size_t at, struct as_slice s)
{
	if (to)
		memcpy(to + at, s.p, s.len);
	return at + s.len;
}

static size_t put_label(
	const struct as_profile *prof, const struct as_label *l, bool with_key, char *to, size_t at)
{
	struct as_slice key = as_str_get(prof, l->key);
	char digits[AS_VAL_TEXT];

	if (with_key && key.len) {
		at = put(to, at, key);
		at = put(to, at, as_slice_of("="));
	}
	if (l->text.i)
		return put(to, at, as_str_get(prof, l->text));
	at = put(to, at, as_slice_of(as_val_text(l->number, digits)));
	return put(to, at, as_str_get(prof, l->unit));
}

static size_t put_labels(const struct as_part_table *t, const struct as_profile *prof,
	const struct as_part_row *row, bool with_key, char *to)
{
	size_t at = 0;

	for (uint32_t i = 0; i < row->n_labels; i++) {
		at = put(to, at, as_slice_of(i ? ", " : ""));
		at = put_label(
			prof, &prof->label.p[t->label[row->first_label + i]], with_key, to, at);
	}
	return at;
}

struct as_slice as_part_labels_text(const struct as_part_table *t, const struct as_profile *prof,
	const struct as_parts_how *how, struct as_arena *ar, uint32_t row)
{
	const struct as_part_row *r = &t->row[row];
	struct as_slice text = {.len = put_labels(t, prof, r, !how->key.p, NULL)};
	char *to = as_arena_get(ar, text.len + 1);

	if (to)
		put_labels(t, prof, r, !how->key.p, to);
	text.p = to;
	return text;
}

/* ---- rows ---- */

static uint64_t row_hash(const struct as_part_table *t, const struct as_profile *prof,
	const struct as_parts_how *how, const struct as_part_row *row)
{
	if (how->by == AS_BY_PART)
		return as_hash_mix(row->part, 0);
	return how->by == AS_BY_THREAD ? thread_hash(&prof->part.p[row->part])
				       : labels_hash(t, prof, row);
}

static bool same_row(const struct as_part_table *t, const struct as_profile *prof,
	const struct as_parts_how *how, const struct as_part_row *a, const struct as_part_row *b)
{
	if (how->by == AS_BY_PART)
		return a->part == b->part;
	return how->by == AS_BY_THREAD ? same_thread(&prof->part.p[a->part], &prof->part.p[b->part])
				       : same_labels(t, prof, a, b);
}

/* Which row each part is in. False if out of memory. */
static bool find_rows(struct as_part_table *t, const struct as_profile *prof,
	const struct as_label_order *o, const struct as_parts_how *how)
{
	struct as_index ix;
	bool fine = true;

	as_index_init(&ix, prof->al);
	for (uint32_t i = 0; fine && i < prof->part.n; i++) {
		struct as_part_row one = labels_of(t, prof, o, how, i);
		uint64_t hash = row_hash(t, prof, how, &one), pos = AS_INDEX_START;
		uint32_t row = 0;
		bool found = false;

		while (!found && as_index_find(&ix, hash, &pos, &row))
			found = same_row(t, prof, how, &one, &t->row[row]);
		if (!found) {
			row = (uint32_t)t->n++;
			t->row[row] = one;
			fine = as_index_add(&ix, hash, row);
		}
		t->row[row].n++;
		t->of[i] = row;
	}
	as_index_release(&ix);
	return fine;
}

static void add(struct as_part_table *t, uint32_t part, uint32_t e, const as_val *v)
{
	as_val *sum = t->self + (size_t)t->of[part] * e;

	for (uint32_t k = 0; k < e; k++)
		sum[k] += v[k];
}

static void add_costs(struct as_part_table *t, const struct as_profile *prof, as_val *v)
{
	uint32_t e = as_n_events(prof);
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			add(t, prof->self.run.p[r].part, e, v);
	}
	for (size_t i = 0; i < prof->sample.node.n; i++)
		add(t, prof->sample.part.p[i], e, prof->sample.cost.p + i * e);
}

static void *get(struct as_part_table *t, size_t size)
{
	void *p = as_arena_get(&t->arena, size + 1);

	if (p)
		memset(p, 0, size);
	return p;
}

enum as_code as_part_table_make(struct as_part_table *t, const struct as_profile *prof,
	const struct as_parts_how *how, struct as_err *err)
{
	size_t n = prof->part.n, e = as_n_events(prof);
	struct as_label_order o = {0};
	bool fine = true;
	as_val *v;

	*t = (struct as_part_table){.n = 0};
	as_arena_init(&t->arena, prof->al);
	t->row = get(t, n * sizeof(*t->row));
	t->of = get(t, n * sizeof(*t->of));
	t->self = get(t, n * e * sizeof(*t->self));
	v = get(t, (e + 1) * sizeof(*v));
	if (how->by != AS_BY_THREAD) {
		t->label = get(t, prof->label.n * sizeof(*t->label));
		fine = t->label && as_label_order_init(&o, prof);
	}
	fine = fine && t->row && t->of && t->self && v && find_rows(t, prof, &o, how);
	if (how->by != AS_BY_THREAD)
		as_label_order_release(&o, prof);
	if (!fine)
		return as_err_no_memory(err);
	add_costs(t, prof, v);
	return AS_OK;
}

void as_part_table_release(struct as_part_table *t)
{
	as_arena_release(&t->arena);
}

struct order {
	const struct as_part_table *t;
	const struct as_profile *prof;
	uint32_t event;
};

static int u64_cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int labels_cmp(
	const struct order *o, const struct as_part_row *a, const struct as_part_row *b)
{
	const struct as_label *label = o->prof->label.p;
	int c = 0;

	for (uint32_t i = 0; !c && i < a->n_labels && i < b->n_labels; i++)
		c = as_label_cmp(o->prof, &label[o->t->label[a->first_label + i]],
			&label[o->t->label[b->first_label + i]]);
	return c ? c : (a->n_labels > b->n_labels) - (a->n_labels < b->n_labels);
}

static int row_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	size_t e = as_n_events(o->prof);
	const struct as_part *p = &o->prof->part.p[o->t->row[a].part];
	const struct as_part *q = &o->prof->part.p[o->t->row[b].part];
	int c = 0;

	if (o->event < e && o->t->self[a * e + o->event] != o->t->self[b * e + o->event])
		return o->t->self[a * e + o->event] > o->t->self[b * e + o->event] ? -1 : 1;
	if ((c = labels_cmp(o, &o->t->row[a], &o->t->row[b])) || (c = u64_cmp(p->pid, q->pid)) ||
		(c = u64_cmp(p->tid, q->tid)) || (c = u64_cmp(p->number, q->number)))
		return c;
	return a < b ? -1 : 1;
}

bool as_part_table_sort(const struct as_part_table *t, const struct as_profile *prof,
	uint32_t event, uint32_t *order)
{
	struct order o = {t, prof, event};

	for (uint32_t i = 0; i < t->n; i++)
		order[i] = i;
	return as_sort_rows(prof->al, order, t->n, row_cmp, &o);
}
