/* SPDX-License-Identifier: Apache-2.0 */
#include "table/label_table.h"

#include "base/index.h"
#include "base/sort.h"
#include "model/labels.h"
#include "model/whose.h"

struct maker {
	struct as_label_table *t;
	const struct as_profile *prof;
	uint32_t e;
	uint32_t *order; /* of labels, by key; NULL: as they are, those of a key together */
	struct as_index rows;
	struct as_label *label; /* room for all; those of rows come first */
	as_val *part;           /* what each costs, then room for one fact */
	uint8_t *used;          /* whether a part has facts */
};

/* ---- what parts cost ---- */

static void label_add_parts(struct maker *m)
{
	const struct as_profile *prof = m->prof;
	as_val *v = m->part + prof->part.n * m->e;
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		uint32_t part = prof->self.run.p[r].part;

		m->used[part] = 1;
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			as_vals_add(m->part + (size_t)part * m->e, v, m->e);
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t part = prof->sample.part.p[i];

		m->used[part] = 1;
		as_vals_add(m->part + (size_t)part * m->e, prof->sample.cost.p + i * m->e, m->e);
	}
}

/* ---- rows ---- */

static bool label_same(const struct as_label *a, const struct as_label *b)
{
	return a->key.i == b->key.i && a->text.i == b->text.i && a->number == b->number &&
	       a->unit.i == b->unit.i;
}

static bool label_by_whose(const struct maker *m)
{
	return m->t->how.by == AS_BY_THREAD || m->t->how.by == AS_BY_PROCESS;
}

static int label_cmp_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Of threads by process, number and name; of processes by name, those without one by number. */
static int label_cmp_whose(
	const struct as_label_table *t, const struct as_label_row *a, const struct as_label_row *b)
{
	struct as_whose x = as_part_whose(t->prof, a->part), y = as_part_whose(t->prof, b->part);
	bool process = t->how.by == AS_BY_PROCESS;
	int c = process ? as_slice_cmp(x.process, y.process) : 0;

	if (c || (process && x.process.len))
		return c;
	if ((c = label_cmp_number(x.has_pid, y.has_pid)) || (c = label_cmp_number(x.pid, y.pid)) ||
		process)
		return c;
	if ((c = label_cmp_number(x.has_tid, y.has_tid)) || (c = label_cmp_number(x.tid, y.tid)))
		return c;
	return as_slice_cmp(x.thread, y.thread);
}

static uint64_t label_hash_whose(const struct as_label_table *t, const struct as_label_row *row)
{
	struct as_whose w = as_part_whose(t->prof, row->part);

	if (t->how.by == AS_BY_PROCESS && w.process.len)
		return as_hash_bytes(w.process.p, w.process.len);
	return as_hash_mix(w.pid, w.tid);
}

static bool label_same_row(
	const struct maker *m, const struct as_label_row *a, const struct as_label_row *b)
{
	if (m->t->how.by == AS_BY_PART)
		return a->part == b->part;
	if (label_by_whose(m))
		return label_cmp_whose(m->t, a, b) == 0;
	if (a->n_labels != b->n_labels)
		return false;
	for (uint32_t i = 0; i < a->n_labels; i++)
		if (!label_same(&a->label[i], &b->label[i]))
			return false;
	return true;
}

static uint64_t label_row_hash(const struct maker *m, const struct as_label_row *row)
{
	uint64_t hash = row->n_labels;

	if (m->t->how.by == AS_BY_PART)
		return as_hash_mix(row->part, 0);
	if (label_by_whose(m))
		return label_hash_whose(m->t, row);
	for (uint32_t i = 0; i < row->n_labels; i++) {
		const struct as_label *l = &row->label[i];

		hash = as_hash_mix(hash, as_hash_mix(l->key.i, l->text.i));
		hash = as_hash_mix(hash, as_hash_mix((uint64_t)l->number, l->unit.i));
	}
	return hash;
}

/* Add the cost of the part of ONE to the row that is the same, or make it one. */
static bool label_add_row(struct maker *m, const struct as_label_row *one)
{
	struct as_label_table *t = m->t;
	uint64_t hash = label_row_hash(m, one), pos = AS_INDEX_START;
	bool found = false;
	uint32_t row = 0;

	while (!found && as_index_find(&m->rows, hash, &pos, &row))
		found = label_same_row(m, one, &t->row.p[row]);
	if (!found) {
		row = (uint32_t)t->row.n;
		if (!as_vec_push(m->prof->al, &t->row, *one) ||
			!as_vec_reserve(m->prof->al, &t->self, t->self.n + m->e + 1) ||
			!as_index_add(&m->rows, hash, row))
			return false;
		memset(t->self.p + t->self.n, 0, m->e * sizeof(*t->self.p));
		t->self.n += m->e;
		m->label += one->n_labels;
	}
	t->row_of[one->part] = row;
	t->row.p[row].n_parts++;
	as_vals_add(t->self.p + (size_t)row * m->e, m->part + (size_t)one->part * m->e, m->e);
	return true;
}

static bool label_is_wanted(const struct maker *m, const struct as_label *l)
{
	const struct as_label_how *how = &m->t->how;

	return !l->opaque && (!how->key.p || as_slice_eq(as_str_get(m->prof, l->key), how->key));
}

static bool label_add_part(struct maker *m, uint32_t i)
{
	const struct as_part *part = &m->prof->part.p[i];
	bool by_value = m->t->how.by == AS_BY_VALUE;
	struct as_label_row one = {.part = i, .label = m->label};
	uint32_t n = label_by_whose(m) ? 0 : part->n_labels;

	for (uint32_t k = part->first_label; k < part->first_label + n; k++) {
		struct as_label l = m->prof->label.p[m->order ? m->order[k] : k];

		if (!label_is_wanted(m, &l))
			continue;
		if (by_value && one.n_labels && l.key.i != one.label->key.i) {
			if (!label_add_row(m, &one))
				return false;
			one = (struct as_label_row){.part = i, .label = m->label};
		}
		if (by_value && l.text.i) /* a text is one value, whatever number is beside it */
			l = (struct as_label){.key = l.key, .text = l.text};
		m->label[one.n_labels++] = l;
	}
	return (by_value && !one.n_labels) || label_add_row(m, &one);
}

/* Values are of what costs; a thread or process whose labels split all of it off has no row. */
static bool label_has_row(const struct maker *m, uint32_t i)
{
	bool split = i + 1 < m->prof->part.n && m->prof->part.p[i + 1].n_labels;

	return m->used[i] || (m->t->how.by != AS_BY_VALUE && !(label_by_whose(m) && split));
}

static bool label_make(struct maker *m, struct as_arena *scratch)
{
	bool by_key = m->t->how.by == AS_BY_PART || m->t->how.by == AS_BY_LABEL;
	size_t n = m->prof->part.n;

	if (!as_arena_array(&m->t->labels, &m->label, m->prof->label.n) ||
		!as_arena_array(&m->t->labels, &m->t->row_of, n) ||
		!as_arena_array(scratch, &m->part, (n + 1) * m->e) ||
		!as_arena_array(scratch, &m->used, n) ||
		(by_key && (!as_arena_array(scratch, &m->order, m->prof->label.n) ||
				   !as_labels_by_key(m->prof, m->order))))
		return false;
	label_add_parts(m);
	for (uint32_t i = 0; i < n; i++)
		if (label_has_row(m, i) && !label_add_part(m, i))
			return false;
	return true;
}

enum as_code as_label_table_make(struct as_label_table *t, const struct as_profile *prof,
	const struct as_label_how *how, struct as_err *err)
{
	struct maker m = {.t = t, .prof = prof, .e = as_n_events(prof)};
	struct as_arena scratch;
	bool ok;

	*t = (struct as_label_table){.prof = prof, .how = *how};
	as_arena_init(&t->labels, prof->al);
	as_index_init(&m.rows, prof->al);
	as_arena_init(&scratch, prof->al);
	ok = label_make(&m, &scratch);
	as_arena_release(&scratch);
	as_index_release(&m.rows);
	return ok ? AS_OK : as_err_no_memory(err);
}

void as_label_table_release(struct as_label_table *t)
{
	if (!t->prof)
		return;
	as_vec_free(t->prof->al, &t->row);
	as_vec_free(t->prof->al, &t->self);
	as_arena_release(&t->labels);
}

/* ---- order ---- */

struct order {
	const struct as_label_table *t;
	uint32_t event;
};

static int label_cmp_labels(
	const struct as_profile *prof, const struct as_label_row *a, const struct as_label_row *b)
{
	int c = 0;

	for (uint32_t i = 0; !c && i < a->n_labels && i < b->n_labels; i++)
		c = as_label_cmp(prof, &a->label[i], &b->label[i]);
	return c ? c : label_cmp_number(a->n_labels, b->n_labels);
}

static int label_cmp_row(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	const struct as_profile *prof = o->t->prof;
	const struct as_label_row *x = &o->t->row.p[a], *y = &o->t->row.p[b];
	const struct as_part *p = &prof->part.p[x->part], *q = &prof->part.p[y->part];
	int c = 0;

	if (o->t->how.by == AS_BY_VALUE && x->label->key.i != y->label->key.i)
		return as_slice_cmp(
			as_str_get(prof, x->label->key), as_str_get(prof, y->label->key));
	if (o->event < as_n_events(prof)) {
		as_val v = as_label_self(o->t, a)[o->event], w = as_label_self(o->t, b)[o->event];

		c = v > w ? -1 : v < w;
	}
	if (c || (c = label_cmp_labels(prof, x, y)) || (c = label_cmp_whose(o->t, x, y)) ||
		(c = label_cmp_number(p->number, q->number)))
		return c;
	return a < b ? -1 : 1;
}

bool as_label_table_sort(const struct as_label_table *t, uint32_t event, uint32_t *order)
{
	struct order o = {t, event};

	as_assert(t->self.n == t->row.n * as_n_events(t->prof));
	for (uint32_t i = 0; i < t->row.n; i++)
		order[i] = i;
	return as_sort_rows(t->prof->al, order, t->row.n, label_cmp_row, &o);
}

/* ---- text ---- */

/* S behind the first AT bytes of TO, which is NULL where only the length is asked for. */
static size_t label_put(char *to, size_t at, struct as_slice s)
{
	if (to && s.len)
		memcpy(to + at, s.p, s.len);
	return at + s.len;
}

static size_t label_put_all(const struct as_profile *prof, const struct as_label *label, uint32_t n,
	bool with_keys, char *to)
{
	char digits[AS_VAL_TEXT];
	size_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct as_label *l = &label[i];
		struct as_slice key = as_str_get(prof, l->key);

		at = label_put(to, at, as_slice_of(i ? ", " : ""));
		if (with_keys && key.len)
			at = label_put(to, label_put(to, at, key), as_slice_of("="));
		if (!l->text.i)
			at = label_put(to, at, as_slice_of(as_val_text(l->number, digits)));
		at = label_put(to, at, as_str_get(prof, l->text.i ? l->text : l->unit));
	}
	return at;
}

struct as_slice as_label_text(struct as_arena *ar, const struct as_profile *prof,
	const struct as_label *label, uint32_t n, bool with_keys)
{
	struct as_slice text = {.len = label_put_all(prof, label, n, with_keys, NULL)};
	char *to = as_arena_get(ar, text.len + 1);

	if (to)
		label_put_all(prof, label, n, with_keys, to);
	text.p = to;
	return text;
}

struct as_slice as_label_row_text(const struct as_label_table *t, struct as_arena *ar, uint32_t row)
{
	const struct as_label_row *r = &t->row.p[row];
	bool with_keys = !t->how.key.p && t->how.by != AS_BY_VALUE;

	as_assert(row < t->row.n);
	return as_label_text(ar, t->prof, r->label, r->n_labels, with_keys);
}
