/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: their events, and the values of their rows. */
#include "change/kit/clone_name.h"
#include "diff/diff_impl.h"

enum as_code as_diff_begin(struct as_diff **out, const struct as_alloc *al,
	const struct as_diff_opts *opts, struct as_err *err)
{
	struct as_diff *d = as_alloc_new(al, sizeof(*d));

	*out = d;
	AS_TRY(as_err_memory(err, d));
	*d = (struct as_diff){.al = al, .err = err, .opts = *opts};
	as_arena_init(&d->arena, al);
	as_index_init(&d->exact, al);
	as_index_init(&d->aliases, al);
	as_index_init(&d->group[0], al);
	as_index_init(&d->group[1], al);
	if (!as_strings_init(&d->strings, &d->arena) ||
		!as_vec_reserve(al, &d->run, opts->n_runs + 1)) {
		as_diff_free(d);
		*out = NULL;
		return as_err_no_memory(err);
	}
	return AS_OK;
}

void as_diff_free_values(const struct as_diff *d, struct as_diff_run *run)
{
	size_t size = (size_t)run->n_rows * d->n_events * sizeof(as_val);

	as_alloc_free(d->al, run->self, size);
	as_alloc_free(d->al, run->incl, size);
	as_alloc_free(d->al, run->has, run->n_rows);
}

void as_diff_free(struct as_diff *d)
{
	const struct as_alloc *al;

	if (!d)
		return;
	al = d->al;
	for (size_t i = 0; i < d->run.n; i++)
		as_diff_free_values(d, &d->run.p[i]);
	as_vec_free(al, &d->run);
	as_vec_free(al, &d->extra);
	as_vec_free(al, &d->link);
	as_vec_free(al, &d->in_side);
	as_vec_free(al, &d->moved);
	as_vec_free(al, &d->list);
	as_index_release(&d->exact);
	as_index_release(&d->aliases);
	as_vec_free(al, &d->alias);
	as_index_release(&d->group[0]);
	as_index_release(&d->group[1]);
	as_alloc_free(al, d->order, d->key.n * sizeof(*d->order) + 1);
	as_alloc_free(al, d->verdict, d->key.n + 1);
	as_alloc_free(al, d->p, d->key.n * sizeof(*d->p) + 1);
	as_vec_free(al, &d->key);
	as_strings_release(&d->strings);
	as_arena_release(&d->arena);
	as_alloc_free(al, d, sizeof(*d));
}

/* ---- events ---- */

static enum as_code diff_intern(
	struct as_diff *d, const struct as_profile *prof, as_str s, as_str *out)
{
	return as_strings_add(&d->strings, as_str_get(prof, s), out) ? AS_OK : AS_E_NOMEM;
}

/* The events of the first run are those that are compared. */
static enum as_code first_events(struct as_diff *d, const struct as_profile *prof)
{
	d->n_events = as_n_events(prof);
	d->event = as_arena_get(&d->arena, (d->n_events + 1) * sizeof(*d->event));
	AS_TRY(as_memory(d->event));
	for (uint32_t e = 0; e < d->n_events; e++) {
		d->event[e] = (struct as_diff_event){0};
		AS_TRY(diff_intern(d, prof, prof->event.p[e].name, &d->event[e].name));
	}
	return AS_OK;
}

bool as_diff_find_event(const struct as_diff *d, struct as_slice name, uint32_t *event)
{
	for (uint32_t e = 0; e < d->n_events; e++)
		if (as_slice_eq(as_diff_str(d, d->event[e].name), name)) {
			*event = e;
			return true;
		}
	return false;
}

/* The column of PROF for event E, or UINT32_MAX. */
static uint32_t diff_column_of(const struct as_diff *d, const struct as_profile *prof, uint32_t e)
{
	uint32_t column = UINT32_MAX;

	as_profile_event(prof, as_diff_str(d, d->event[e].name), &column);
	return column;
}

static enum as_code note_extra(struct as_diff *d, const struct as_profile *prof)
{
	for (uint32_t c = 0; c < as_n_events(prof); c++) {
		as_str name;
		bool known = false;

		AS_TRY(diff_intern(d, prof, prof->event.p[c].name, &name));
		for (uint32_t e = 0; e < d->n_events; e++)
			known |= d->event[e].name.i == name.i;
		for (size_t i = 0; i < d->extra.n; i++)
			known |= d->extra.p[i].i == name.i;
		if (!known && !as_vec_push(d->al, &d->extra, name))
			return AS_E_NOMEM;
	}
	return AS_OK;
}

static bool is_sampled(const struct as_profile *prof, uint32_t c)
{
	return prof->event.p[c].period ||
	       as_slice_is(as_str_get(prof, prof->event.p[c].name), "samples");
}

/* What the run says of each event. COLUMN has its columns. */
static enum as_code run_events(struct as_diff *d, struct as_diff_run *run,
	const struct as_profile *prof, const uint32_t *column)
{
	for (uint32_t e = 0; e < d->n_events; e++) {
		struct as_diff_event *ev = &d->event[e];
		const struct as_event *of;

		if (column[e] == UINT32_MAX) {
			run->lacks[e] = 1;
			ev->lack |= 1u << run->side;
			continue;
		}
		of = &prof->event.p[column[e]];
		run->total[e] = prof->total[column[e]];
		run->whole[e] = as_whole(prof)[column[e]];
		run->period[e] = of->period;
		ev->is_sampled |= is_sampled(prof, column[e]);
		AS_TRY(diff_intern(d, prof, of->unit, &run->unit[e]));
		AS_TRY(diff_intern(d, prof, of->period_unit, &run->period_unit[e]));
		if (run->unit[e].i && !ev->unit.i)
			ev->unit = run->unit[e];
		if (of->period && !ev->period) {
			ev->period = of->period;
			ev->period_unit = run->period_unit[e];
		}
	}
	return AS_OK;
}

/* ---- rows ---- */

static void diff_add_row(const struct as_diff *d, struct as_diff_run *run, uint32_t at,
	const struct as_table *t, uint32_t r, const uint32_t *column)
{
	as_val *self = as_at(run->self, (size_t)at * d->n_events);
	as_val *incl = as_at(run->incl, (size_t)at * d->n_events);
	bool twin = run->has[at] & AS_DIFF_HAS;

	for (uint32_t e = 0; e < d->n_events; e++) {
		if (column[e] == UINT32_MAX)
			continue;
		self[e] += t->self[(size_t)r * t->n_events + column[e]];
		incl[e] += t->incl[(size_t)r * t->n_events + column[e]];
	}
	/* What two rows have in common is not known: their sum is no inclusive cost. */
	if (!t->has_incl[r] || twin)
		run->has[at] &= (uint8_t)~AS_DIFF_INCL;
	else
		run->has[at] |= AS_DIFF_INCL;
	run->has[at] |= AS_DIFF_HAS;
}

static enum as_code diff_add_rows(struct as_diff *d, struct as_diff_run *run,
	const struct as_table *t, const uint32_t *column, const uint32_t *row)
{
	AS_TRY(as_memory(as_diff_run_values(d, run)));
	for (uint32_t r = 0; r < t->n; r++) {
		as_assert(row[r] < run->n_rows || row[r] == UINT32_MAX);
		if (row[r] != UINT32_MAX)
			diff_add_row(d, run, row[r], t, r, column);
	}
	return AS_OK;
}

static void count_clones(struct as_diff *d, const struct as_profile *prof)
{
	if (d->opts.keep_clones || d->opts.by == AS_BY_FILE || d->opts.by == AS_BY_OBJECT)
		return;
	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		struct as_slice name = as_func_name(prof, (as_func){f});

		d->n_clones += as_clone_origin(name).len != name.len;
	}
}

/* ---- a run ---- */

static bool get_columns(struct as_diff *d, struct as_diff_run *run)
{
	size_t n = d->n_events;

	return as_arena_array(&d->arena, &run->total, n) &&
	       as_arena_array(&d->arena, &run->whole, n) &&
	       as_arena_array(&d->arena, &run->period, n) &&
	       as_arena_array(&d->arena, &run->unit, n) &&
	       as_arena_array(&d->arena, &run->period_unit, n) &&
	       as_arena_array(&d->arena, &run->lacks, n) &&
	       as_arena_array(&d->arena, &run->column, n) &&
	       as_arena_array(&d->arena, &run->by_time, n) &&
	       as_arena_array(&d->arena, &run->mul, n) &&
	       as_arena_array(&d->arena, &run->ratio, n) &&
	       as_arena_array(&d->arena, &run->weight, n);
}

/* Both are known, and not the same. */
static bool diff_unlike(as_str a, as_str b)
{
	return a.i && b.i && a.i != b.i;
}

static enum as_code unlike_platform(
	const struct as_diff *d, const struct as_diff_run *a, const struct as_diff_run *b)
{
	return as_err_set(d->err, AS_E_ARG,
		"the platform is '%.*s' in '%.*s', but '%.*s' in '%.*s'",
		AS_SLICE_FMT(as_diff_str(d, a->platform)), AS_SLICE_FMT(as_diff_str(d, a->file)),
		AS_SLICE_FMT(as_diff_str(d, b->platform)), AS_SLICE_FMT(as_diff_str(d, b->file)));
}

static enum as_code unlike_unit(const struct as_diff *d, const struct as_diff_run *a,
	const struct as_diff_run *b, uint32_t event)
{
	return as_err_set(d->err, AS_E_ARG,
		"'%.*s' is counted in %.*s in '%.*s', but in %.*s in '%.*s'",
		AS_SLICE_FMT(as_diff_str(d, d->event[event].name)),
		AS_SLICE_FMT(as_diff_str(d, a->unit[event])), AS_SLICE_FMT(as_diff_str(d, a->file)),
		AS_SLICE_FMT(as_diff_str(d, b->unit[event])),
		AS_SLICE_FMT(as_diff_str(d, b->file)));
}

/* Counts of two kinds of machine, or of two units, are not the same thing. */
static enum as_code check_alike(struct as_diff *d, const struct as_diff_run *run)
{
	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *other = &d->run.p[i];

		if (!d->opts.any_platform && diff_unlike(run->platform, other->platform))
			return unlike_platform(d, other, run);
		for (uint32_t e = 0; e < d->n_events; e++)
			if (diff_unlike(run->unit[e], other->unit[e]))
				return unlike_unit(d, other, run, e);
	}
	return AS_OK;
}

/* "desc: D1 cache: 32768 B, 64 B, 8-way associative" and the like of the first part, as one text:
 * misses of other caches are other things. */
static enum as_code set_caches(
	struct as_diff *d, struct as_diff_run *run, const struct as_profile *prof)
{
	struct as_slice all = as_slice_of("");

	for (size_t i = 0; i < prof->meta.n; i++) {
		struct as_slice text = as_str_get(prof, prof->meta.p[i].text);

		if (prof->meta.p[i].part ||
			!as_slice_is(as_str_get(prof, prof->meta.p[i].key), "desc"))
			continue;
		if (as_slice_find_text(text, " cache:") != 2) /* I1, D1, LL, L2 */
			continue;
		all = as_arena_printf(
			&d->arena, "%.*s%.*s;", AS_SLICE_FMT(all), AS_SLICE_FMT(text));
		AS_TRY(as_memory(all.p));
	}
	return as_strings_add(&d->strings, all, &run->caches) ? AS_OK : AS_E_NOMEM;
}

/* I1mr, DLmw, L2m ...: a cache, 'm', and perhaps what was missed. */
static bool counts_misses(struct as_slice name)
{
	return name.len >= 3 && name.len <= 4 && strchr("IDL", name.p[0]) &&
	       strchr("12L", name.p[1]) && name.p[2] == 'm';
}

static void compare_caches(struct as_diff *d, const struct as_diff_run *run)
{
	for (size_t i = 0; i < d->run.n; i++) {
		as_str other = d->run.p[i].caches;

		for (uint32_t e = 0; e < d->n_events; e++)
			if (run->caches.i && other.i && run->caches.i != other.i &&
				counts_misses(as_diff_str(d, d->event[e].name)))
				d->event[e].other_caches = true;
	}
}

static enum as_code set_platform(
	struct as_diff *d, struct as_diff_run *run, const struct as_profile *prof)
{
	for (uint32_t i = 0; i < prof->part.n; i++) {
		struct as_slice text = as_meta_get(prof, i, "platform");

		if (text.p)
			return as_memory(as_strings_add(&d->strings, text, &run->platform));
	}
	return AS_OK;
}

static enum as_code add_table(struct as_diff *d, struct as_diff_run *run, const struct as_table *t,
	const uint32_t *column)
{
	size_t size = (t->n + 1) * sizeof(uint32_t);
	uint32_t *row = as_alloc_new(d->al, size);
	enum as_code rc = row ? as_diff_match(d, run->side, t, row) : AS_E_NOMEM;

	AS_THEN(rc, diff_add_rows(d, run, t, column, row));
	as_alloc_free(d->al, row, size);
	return rc;
}

static enum as_code diff_add_run(
	struct as_diff *d, struct as_diff_run *run, const struct as_profile *prof)
{
	struct as_project_opts po = {.by = d->opts.by,
		.keep_contexts = d->opts.keep_contexts,
		.no_cycles = d->opts.no_cycles,
		.fold_clones = !d->opts.keep_clones,
		.whole_objects = true,
		.exec = d->opts.exec};
	struct as_table *table;
	uint32_t *column;
	enum as_code rc;

	if (!d->run.n)
		AS_TRY(first_events(d, prof));
	AS_TRY(as_memory(get_columns(d, run)));
	column = run->column;
	for (uint32_t e = 0; e < d->n_events; e++)
		column[e] = diff_column_of(d, prof, e);
	AS_TRY(run_events(d, run, prof, column));
	AS_TRY(note_extra(d, prof));
	AS_TRY(set_platform(d, run, prof));
	AS_TRY(set_caches(d, run, prof));
	compare_caches(d, run);
	AS_TRY(check_alike(d, run));
	AS_TRY(as_project(prof, &po, &table, d->err));
	rc = add_table(d, run, table, column);
	as_table_free(table);
	return rc;
}

enum as_code as_diff_add(struct as_diff *d, enum as_side side, const struct as_profile *prof,
	struct as_slice file, struct as_err *err)
{
	struct as_diff_run run = {
		.side = side, .clump = d->opts.clump > 0 ? d->opts.clump : as_diff_clump(prof)};
	enum as_code rc;

	as_assert(side < AS_SIDES && !d->order);
	d->err = err;
	AS_TRY(as_err_memory(err, as_strings_add(&d->strings, file, &run.file)));
	rc = diff_add_run(d, &run, prof);
	if (rc == AS_OK && !as_vec_push(d->al, &d->run, run))
		rc = AS_E_NOMEM;
	if (rc != AS_OK) {
		as_diff_free_values(d, &run);
		return rc == AS_E_NOMEM ? as_err_no_memory(err) : rc;
	}
	d->n_side[side]++;
	d->is_partial |= prof->partial;
	d->is_filtered |= prof->whole != NULL;
	d->is_estimated |= prof->estimated;
	count_clones(d, prof);
	return AS_OK;
}

bool as_diff_has(const struct as_diff *d, uint32_t row, enum as_side side)
{
	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];

		if (run->side == side && row < run->n_rows && (run->has[row] & AS_DIFF_HAS))
			return true;
	}
	return false;
}
