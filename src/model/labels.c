/* SPDX-License-Identifier: Apache-2.0 */
#include "model/labels.h"

#include "base/sort.h"

int as_str_cmp(const struct as_profile *prof, as_str a, as_str b)
{
	return a.i == b.i ? 0 : as_slice_cmp(as_str_get(prof, a), as_str_get(prof, b));
}

int as_file_cmp(const void *prof, uint32_t a, uint32_t b)
{
	const struct as_profile *p = prof;

	return as_str_cmp(p, p->file.p[a], p->file.p[b]);
}

int as_object_cmp(const void *prof, uint32_t a, uint32_t b)
{
	const struct as_profile *p = prof;
	int c = as_str_cmp(p, p->object.p[a].path, p->object.p[b].path);

	return c ? c : as_str_cmp(p, p->object.p[a].id, p->object.p[b].id);
}

/* Labels of one key stay in their order. */
static int labels_cmp_key(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;

	return as_str_cmp(prof, prof->label.p[a].key, prof->label.p[b].key);
}

int as_label_cmp(const struct as_profile *prof, const struct as_label *x, const struct as_label *y)
{
	int c = as_str_cmp(prof, x->key, y->key);

	c = c ? c : as_str_cmp(prof, x->text, y->text);
	c = c ? c : (x->number > y->number) - (x->number < y->number);
	c = c ? c : as_str_cmp(prof, x->unit, y->unit);
	c = c ? c : as_str_cmp(prof, x->extra, y->extra);
	return c ? c : x->opaque - y->opaque;
}

struct job {
	const struct as_profile *prof;
	const struct as_label_order *o;
};

static int cmp_part(const void *ctx, uint32_t a, uint32_t b)
{
	const struct job *j = ctx;
	const struct as_profile *prof = j->prof;
	const struct as_part *x = &prof->part.p[a], *y = &prof->part.p[b];
	uint32_t wx = j->o->whole[a], wy = j->o->whole[b];
	int c = (wx > wy) - (wx < wy);

	for (uint32_t i = 0; !c && i < x->n_labels && i < y->n_labels; i++)
		c = as_label_cmp(prof, &prof->label.p[j->o->label[x->first_label + i]],
			&prof->label.p[j->o->label[y->first_label + i]]);
	return c ? c : (x->n_labels > y->n_labels) - (x->n_labels < y->n_labels);
}

bool as_labels_by_key(const struct as_profile *prof, uint32_t *order)
{
	for (uint32_t i = 0; i < prof->label.n; i++)
		order[i] = i;
	for (uint32_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];

		if (p->n_labels > 1 && !as_sort_rows(prof->al, order + p->first_label, p->n_labels,
					       labels_cmp_key, prof))
			return false;
	}
	return true;
}

/* Whether both are of one thread, dump or input: labels may split one off the other. */
static bool labels_same_facts(const struct as_part *a, const struct as_part *b)
{
	return a->has_pid == b->has_pid && a->pid == b->pid && a->has_tid == b->has_tid &&
	       a->tid == b->tid && a->has_number == b->has_number && a->number == b->number &&
	       a->thread.i == b->thread.i && a->command.i == b->command.i &&
	       a->creator.i == b->creator.i;
}

/* Of a machine's recording each process has labels, and is a part of its own. */
static bool labels_split_off(const struct as_profile *prof, uint32_t part, uint32_t whole)
{
	const struct as_part *p = prof->part.p;

	return p[part].n_labels && labels_same_facts(&p[part], &p[whole]);
}

bool as_label_order_init(struct as_label_order *o, const struct as_profile *prof)
{
	size_t n = prof->part.n, labels = prof->label.n;
	struct job j = {prof, o};

	o->label = as_alloc_new(prof->al, (labels + 3 * n) * sizeof(*o->label) + 1);
	if (!o->label)
		return false;
	o->part = o->label + labels;
	o->rank = o->part + n;
	o->whole = o->rank + n;
	for (uint32_t i = 0; i < n; i++) {
		o->part[i] = i;
		o->whole[i] = i && labels_split_off(prof, i, o->whole[i - 1]) ? o->whole[i - 1] : i;
	}
	if (!as_labels_by_key(prof, o->label) || !as_sort_rows(prof->al, o->part, n, cmp_part, &j))
		return false;
	for (uint32_t i = 0; i < n; i++)
		o->rank[o->part[i]] = i && cmp_part(&j, o->part[i - 1], o->part[i]) == 0
					      ? o->rank[o->part[i - 1]]
					      : i;
	return true;
}

void as_label_order_release(struct as_label_order *o, const struct as_profile *prof)
{
	as_alloc_free(
		prof->al, o->label, (prof->label.n + 3 * prof->part.n) * sizeof(*o->label) + 1);
	o->label = NULL;
}
