/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: projections. */
#include "lib/lib_impl.h"

#include "table/label_table.h"
#include "table/project.h"

_Static_assert((int)ASSAY_BY_FUNCTION == (int)AS_BY_FUNC, "granularities differ");
_Static_assert((int)ASSAY_BY_FILE == (int)AS_BY_FILE, "granularities differ");
_Static_assert((int)ASSAY_BY_OBJECT == (int)AS_BY_OBJECT, "granularities differ");
_Static_assert((int)ASSAY_BY_LINE == (int)AS_BY_LINE, "granularities differ");
_Static_assert((int)ASSAY_BY_ADDRESS == (int)AS_BY_ADDR, "granularities differ");
_Static_assert(ASSAY_BY_PART + (int)AS_BY_PART == (int)ASSAY_BY_PART, "granularities differ");
_Static_assert(ASSAY_BY_PART + (int)AS_BY_THREAD == (int)ASSAY_BY_THREAD, "granularities differ");
_Static_assert(ASSAY_BY_PART + (int)AS_BY_LABEL == (int)ASSAY_BY_LABEL, "granularities differ");
_Static_assert((int)ASSAY_BY_FILEFUNCTION == (int)AS_BY_FILEFUNC, "granularities differ");

struct assay_table {
	const struct as_profile *prof;
	const struct as_table *t; /* NULL: by part, thread or label */
	struct as_table *own;     /* T, unless it is borrowed */
	struct as_label_table parts;
	struct as_slice *name; /* of each row of PARTS */
	size_t n, n_edges;
	struct assay_value *value; /* self, inclusive, then the costs of the edges */
	size_t n_values;
};

/* Values as the API has them, once and for all, so that a table can be read by many threads. */
static bool make_values(struct assay_table *table)
{
	const struct as_table *t = table->t;
	size_t e = as_n_events(table->prof), n = table->n * e;

	as_assert(t ? t->n_events == e : table->parts.self.n == n);
	table->n_values = t ? 2 * n + table->n_edges * e : n;
	table->value = as_alloc_new(table->prof->al, (table->n_values + 1) * sizeof(*table->value));
	if (!table->value)
		return false;
	as_lib_values(table->value, t ? t->self : table->parts.self.p, n);
	if (!t)
		return true;
	as_lib_values(table->value + n, t->incl, n);
	for (size_t i = 0; i < t->n_edges; i++)
		as_lib_values(table->value + 2 * n + i * e, t->edge[i].cost, e);
	return true;
}

/* ---- by function, file, object, line or address ---- */

static void table_take(struct assay_table *table, const struct as_table *t)
{
	table->t = t;
	table->n = t->n;
	table->n_edges = t->n_edges;
}

static enum as_code project_code(
	struct assay_table *table, const struct assay_project_options *o, struct as_err *err)
{
	struct as_project_opts opts = {
		.by = (enum as_by)o->by,
		.keep_contexts = o->keep_contexts,
		.no_cycles = o->no_cycles,
		.want_edges = o->edges,
	};

	AS_TRY(as_project(table->prof, &opts, &table->own, err));
	table_take(table, table->own);
	return AS_OK;
}

/* ---- by part, thread or label ---- */

static struct as_slice part_name(struct assay_table *table, enum as_label_by by, size_t i)
{
	const struct as_part *part = &table->prof->part.p[table->parts.row.p[i].part];

	as_assert(i < table->parts.row.n);
	if (by == AS_BY_LABEL)
		return as_label_row_text(&table->parts, &table->parts.labels, (uint32_t)i);
	return as_str_get(table->prof, by == AS_BY_THREAD ? part->thread : part->name);
}

static enum as_code project_parts(
	struct assay_table *table, const struct assay_project_options *o, struct as_err *err)
{
	struct as_label_how how = {.by = (enum as_label_by)(o->by - ASSAY_BY_PART)};

	if (o->label_key)
		how.key = as_slice_of(o->label_key);
	AS_TRY(as_label_table_make(&table->parts, table->prof, &how, err));
	table->n = table->parts.row.n;
	table->name = as_arena_get(&table->parts.labels, (table->n + 1) * sizeof(*table->name));
	for (size_t i = 0; table->name && i < table->n; i++) {
		table->name[i] = part_name(table, how.by, i);
		if (!table->name[i].p)
			table->name = NULL;
	}
	return table->name ? AS_OK : as_err_no_memory(err);
}

static enum as_code lib_table_project(const struct as_profile *prof,
	const struct assay_project_options *given, struct assay_table **out, struct as_err *err)
{
	struct assay_project_options o;
	struct assay_table *table;
	enum as_code rc;

	if (!as_lib_take(&o, sizeof(o), given) || (unsigned)o.by > ASSAY_BY_LABEL ||
		(o.label_key && o.by != ASSAY_BY_LABEL))
		return as_err_set(err, AS_E_ARG,
			"the options have no size, ask for what this version does not know, or "
			"give a label's key where rows are not labels");
	table = as_alloc_new(prof->al, sizeof(*table));
	AS_TRY(as_err_memory(err, table));
	table->prof = prof;
	rc = o.by < ASSAY_BY_PART ? project_code(table, &o, err) : project_parts(table, &o, err);
	if (rc == AS_OK && !make_values(table))
		rc = as_err_no_memory(err);
	if (rc == AS_OK)
		*out = table;
	else
		assay_table_free(table);
	return rc;
}

enum as_code as_lib_table(const struct as_table *t, struct assay_table **out)
{
	*out = as_alloc_new(t->al, sizeof(**out));
	AS_TRY(as_memory(*out));
	(*out)->prof = t->prof;
	table_take(*out, t);
	if (make_values(*out))
		return AS_OK;
	assay_table_free(*out);
	*out = NULL;
	return AS_E_NOMEM;
}

enum assay_code assay_project(const struct assay_profile *prof,
	const struct assay_project_options *opts, struct assay_table **out, struct assay_error *err)
{
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || !prof)
		return as_lib_misuse(err, "no profile, or no place for the table");
	as_err_clear(&e);
	rc = lib_table_project(as_lib_profile(prof), opts, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_table_free(struct assay_table *table)
{
	const struct as_alloc *al;

	if (!table)
		return;
	al = table->prof->al;
	as_table_free(table->own);
	as_label_table_release(&table->parts);
	as_alloc_free(al, table->value, (table->n_values + 1) * sizeof(*table->value));
	as_alloc_free(al, table, sizeof(*table));
}

size_t assay_table_rows(const struct assay_table *table)
{
	return table ? table->n : 0;
}

size_t assay_table_edges(const struct assay_table *table)
{
	return table ? table->n_edges : 0;
}

static struct as_slice row_name(const struct assay_table *table, size_t i)
{
	const struct as_key *key = &table->t->key[i];

	switch (table->t->by) {
	case AS_BY_FUNC:
	case AS_BY_FILEFUNC:
		return as_table_func_name(table->t, (uint32_t)i);
	case AS_BY_FILE:
		return as_file_path(table->prof, key->file);
	case AS_BY_OBJECT:
		return as_object_path(table->prof, key->object);
	case AS_BY_LINE:
	case AS_BY_ADDR:
		break;
	}
	return as_func_name(table->prof, key->func);
}

static void fill_row(const struct assay_table *table, size_t i, struct assay_row *row)
{
	const struct as_table *t = table->t;
	const struct as_key *key = &t->key[i];

	row->name = as_lib_slice(row_name(table, i));
	row->function = key->func.i;
	row->file = key->file.i;
	row->object = key->object.i;
	row->line = key->line;
	row->address = key->addr;
	row->cycle = key->cycle;
	row->is_cycle = key->is_cycle;
	row->has_calls = t->has_calls[i];
	if (row->has_calls)
		row->calls = as_lib_value(t->calls[i]);
	if (t->has_incl[i])
		row->inclusive = table->value + (table->n + i) * t->n_events;
}

enum assay_code assay_table_row(const struct assay_table *table, size_t i, struct assay_row *out)
{
	struct assay_row own = {0};

	if (!table || i >= table->n)
		return ASSAY_E_ARG;
	own.self = table->value + i * as_n_events(table->prof);
	if (table->t) {
		fill_row(table, i, &own);
	} else {
		own.name = as_lib_slice(table->name[i]);
		own.part = table->parts.row.p[i].part;
		own.n_parts = table->parts.row.p[i].n_parts;
		own.inclusive = own.self;
	}
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_table_edge(const struct assay_table *table, size_t i, struct assay_edge *out)
{
	const struct as_table *t = table ? table->t : NULL;
	struct assay_edge own = {0};

	if (!t || i >= table->n_edges)
		return ASSAY_E_ARG;
	own.from = t->edge[i].from;
	own.to = t->edge[i].to;
	own.count = as_lib_value(t->edge[i].count);
	own.costs = table->value + (2 * table->n + i) * t->n_events;
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_table_sort(
	const struct assay_table *table, uint32_t event, bool inclusive, uint32_t *order)
{
	if (!table || event >= as_n_events(table->prof) || (table->n && !order))
		return ASSAY_E_ARG;
	if (!table->t)
		return as_label_table_sort(&table->parts, event, order) ? ASSAY_OK : ASSAY_E_NOMEM;
	as_table_sort(table->t, table->prof, event, inclusive, order);
	return ASSAY_OK;
}
