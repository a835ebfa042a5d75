/* SPDX-License-Identifier: Apache-2.0 */
/* Series: what is counted, where, and the labels that it was counted under. */
#include "fleet/fleet_rows_impl.h"

#include "base/sort.h"

enum as_code as_fleet_series_begin(struct as_fleet_job *j)
{
	const struct as_profile *prof = j->prof;
	size_t e = prof->event.n;

	if (!as_alloc_array(&j->pool.al, &j->svc, e) ||
		!as_alloc_array(&j->pool.al, &j->known, e * prof->part.n))
		return as_err_no_memory(j->err);
	for (size_t i = 0; i < e; i++) {
		j->row.v.n = 0;
		as_fleet_put_string(&j->row, as_event_name(prof, (uint32_t)i));
		as_fleet_put_string(&j->row, j->opts->service);
		j->svc[i] = as_fleet_bytes_hash(&j->row);
	}
	return as_err_memory(j->err, !j->row.failed);
}

/* ---- labels ---- */

struct series_label {
	struct as_slice key, text, unit;
	int64_t number;
};

struct series_labels {
	AS_VEC(struct series_label) row;
	uint32_t *order; /* by key */
};

static int series_key_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct series_label *label = ctx;

	return as_slice_cmp(label[a].key, label[b].key);
}

/* Whether the first N have KEY. */
static bool series_has(const struct series_labels *ls, size_t n, struct as_slice key)
{
	for (size_t i = 0; i < n; i++)
		if (as_slice_eq(ls->row.p[i].key, key))
			return true;
	return false;
}

/* Those of PART, and those of the push that it has not. */
static bool series_take_labels(struct as_fleet_job *j, uint32_t part, struct series_labels *ls)
{
	const struct as_profile *prof = j->prof;
	const struct as_alloc *al = &j->pool.al;
	size_t own;
	bool ok = true;
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, part, &n);

	*ls = (struct series_labels){0};
	for (uint32_t i = 0; i < n; i++) {
		struct series_label row = {as_str_get(prof, label[i].key),
			as_str_get(prof, label[i].text), as_str_get(prof, label[i].unit),
			label[i].number};

		if (!label[i].opaque)
			ok &= as_vec_push(al, &ls->row, row);
	}
	own = ls->row.n;
	for (size_t i = 0; i < j->opts->n_label; i++) {
		const struct as_fleet_label *given = &j->opts->label[i];
		struct series_label row = {.key = given->key, .text = given->value};

		if (!series_has(ls, own, given->key))
			ok &= as_vec_push(al, &ls->row, row);
	}
	ls->order = ok ? as_sorted_rows(al, ls->row.n, series_key_cmp, ls->row.p) : NULL;
	return ls->order;
}

static void series_put_labels(struct as_fleet_job *j, const struct series_labels *ls)
{
	as_fleet_put_length(&j->row, ls->row.n);
	for (size_t i = 0; i < ls->row.n; i++)
		as_fleet_put_string(&j->row, ls->row.p[ls->order[i]].key);
	as_fleet_put_length(&j->row, ls->row.n);
	for (size_t i = 0; i < ls->row.n; i++)
		as_fleet_put_string(&j->row, ls->row.p[ls->order[i]].text);
	as_fleet_put_length(&j->row, ls->row.n);
	for (size_t i = 0; i < ls->row.n; i++)
		as_fleet_put_number(
			&j->row, (uint64_t)ls->row.p[ls->order[i]].number, sizeof(int64_t));
	as_fleet_put_length(&j->row, ls->row.n);
	for (size_t i = 0; i < ls->row.n; i++)
		as_fleet_put_string(&j->row, ls->row.p[ls->order[i]].unit);
}

/* ---- the row ---- */

/* The column of the source that EVENT stood in. */
static uint32_t series_column(const struct as_profile *prof, uint32_t event)
{
	for (uint32_t c = 0; c < prof->event.n; c++)
		if (as_event_in_column(prof, c) == event)
			return c;
	return event;
}

static unsigned series_flags(const struct as_profile *prof, const struct as_event *ev)
{
	unsigned flags = ev->estimated ? AS_SERIES_ESTIMATED : 0;

	flags |= prof->estimated ? AS_SERIES_GUESSED : 0;
	return flags | (prof->partial ? AS_SERIES_PARTIAL : 0);
}

static void series_put_event(struct as_fleet_job *j, uint32_t event)
{
	const struct as_profile *prof = j->prof;
	const struct as_event *ev = &prof->event.p[event];

	as_fleet_put_string(&j->row, as_str_get(prof, ev->name));
	as_fleet_put_string(&j->row, as_str_get(prof, ev->unit));
	as_fleet_put_number(&j->row, ev->period, sizeof(ev->period));
	as_fleet_put_string(&j->row, as_str_get(prof, ev->period_unit));
	as_fleet_put_string(&j->row, as_str_get(prof, ev->title));
	as_fleet_put_number(&j->row, event, sizeof(event));
	as_fleet_put_number(&j->row, series_column(prof, event), sizeof(event));
	as_fleet_put_number(&j->row, prof->path_depth, sizeof(prof->path_depth));
	as_fleet_put_number(&j->row, series_flags(prof, ev), 1);
	as_fleet_put_string(&j->row, j->opts->service);
	as_fleet_put_string(&j->row, j->opts->host);
}

uint64_t as_fleet_series(struct as_fleet_job *j, uint32_t part, uint32_t event)
{
	uint64_t *id = &j->known[part * j->prof->event.n + event];
	struct series_labels ls;

	if (*id)
		return *id;
	if (!series_take_labels(j, part, &ls)) {
		j->row.failed = true;
		return 0;
	}
	j->row.v.n = 0;
	series_put_event(j, event);
	series_put_labels(j, &ls);
	*id = as_fleet_bytes_hash(&j->row);
	if (!as_fleet_is_new(j, &j->seen_series, *id))
		return *id;
	as_fleet_put_number(&j->series, j->out->day, sizeof(uint16_t));
	as_fleet_put_number(&j->series, *id, sizeof(*id));
	as_fleet_put_number(&j->series, j->svc[event], sizeof(*id));
	as_fleet_put(&j->series, j->row.v.p, j->row.v.n);
	as_fleet_named_put(j, &j->out->serie, *id, j->series.v.n, 1);
	j->out->n_series++;
	return *id;
}
