/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: projections. */
#include "lib/lib_impl.h"

#include "ops/project.h"

_Static_assert((int)ASSAY_BY_FUNCTION == (int)AS_BY_FUNC, "granularities differ");
_Static_assert((int)ASSAY_BY_FILE == (int)AS_BY_FILE, "granularities differ");
_Static_assert((int)ASSAY_BY_OBJECT == (int)AS_BY_OBJECT, "granularities differ");
_Static_assert((int)ASSAY_BY_LINE == (int)AS_BY_LINE, "granularities differ");
_Static_assert((int)ASSAY_BY_ADDRESS == (int)AS_BY_ADDR, "granularities differ");
_Static_assert((int)ASSAY_BY_FILEFUNCTION == (int)AS_BY_FILEFUNC, "granularities differ");

struct assay_table {
	const struct as_profile *prof;
	struct as_table *t;
	struct assay_value *value; /* self, inclusive, then the costs of the edges */
	size_t n_values;
};

static void copy_values(struct assay_value *to, const as_val *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = as_lib_value(from[i]);
}

/* Values as the API has them, once and for all, so that a table can be read by many threads. */
static bool make_values(struct assay_table *table)
{
	const struct as_table *t = table->t;
	size_t n = t->n * t->n_events;

	table->n_values = 2 * n + t->n_edges * t->n_events;
	table->value = as_alloc_new(table->prof->al, (table->n_values + 1) * sizeof(*table->value));
	if (!table->value)
		return false;
	copy_values(table->value, t->self, n);
	copy_values(table->value + n, t->incl, n);
	for (size_t i = 0; i < t->n_edges; i++)
		copy_values(table->value + 2 * n + i * t->n_events, t->edge[i].cost, t->n_events);
	return true;
}

static enum as_code project(const struct as_profile *prof,
	const struct assay_project_options *given, struct assay_table **out, struct as_err *err)
{
	struct assay_project_options o;
	struct assay_table *table;
	struct as_project_opts opts;
	enum as_code rc;

	if (!as_lib_take(&o, sizeof(o), given) || (unsigned)o.by > ASSAY_BY_FILEFUNCTION)
		return as_err_set(err, AS_E_ARG,
			"the options have no size, or ask for what this version does not know");
	opts = (struct as_project_opts){
		.by = (enum as_by)o.by,
		.keep_contexts = o.keep_contexts,
		.no_cycles = o.no_cycles,
		.want_edges = o.edges,
	};
	table = as_alloc_new(prof->al, sizeof(*table));
	if (!table)
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	table->prof = prof;
	rc = as_project(prof, &opts, &table->t, err);
	if (rc == AS_OK && !make_values(table))
		rc = as_err_set(err, AS_E_NOMEM, "out of memory");
	if (rc == AS_OK)
		*out = table;
	else
		assay_table_free(table);
	return rc;
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
	rc = project(as_lib_profile(prof), opts, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_table_free(struct assay_table *table)
{
	const struct as_alloc *al;

	if (!table)
		return;
	al = table->prof->al;
	as_table_free(table->t);
	as_alloc_free(al, table->value, (table->n_values + 1) * sizeof(*table->value));
	as_alloc_free(al, table, sizeof(*table));
}

size_t assay_table_rows(const struct assay_table *table)
{
	return table ? table->t->n : 0;
}

size_t assay_table_edges(const struct assay_table *table)
{
	return table ? table->t->n_edges : 0;
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

enum assay_code assay_table_row(const struct assay_table *table, size_t i, struct assay_row *out)
{
	const struct as_table *t = table ? table->t : NULL;
	struct assay_row own = {0};
	const struct as_key *key;

	if (!t || i >= t->n)
		return ASSAY_E_ARG;
	key = &t->key[i];
	own.name = as_lib_slice(row_name(table, i));
	own.function = key->func.i;
	own.file = key->file.i;
	own.object = key->object.i;
	own.line = key->line;
	own.address = key->addr;
	own.cycle = key->cycle;
	own.is_cycle = key->is_cycle;
	own.has_calls = t->has_calls[i];
	if (own.has_calls)
		own.calls = as_lib_value(t->calls[i]);
	own.self = table->value + i * t->n_events;
	if (t->has_incl[i])
		own.inclusive = table->value + (t->n + i) * t->n_events;
	return as_lib_give(out, &own, sizeof(own)) ? ASSAY_OK : ASSAY_E_ARG;
}

enum assay_code assay_table_edge(const struct assay_table *table, size_t i, struct assay_edge *out)
{
	const struct as_table *t = table ? table->t : NULL;
	struct assay_edge own = {0};

	if (!t || i >= t->n_edges)
		return ASSAY_E_ARG;
	own.from = t->edge[i].from;
	own.to = t->edge[i].to;
	own.count = as_lib_value(t->edge[i].count);
	own.costs = table->value + (2 * t->n + i) * t->n_events;
	return as_lib_give(out, &own, sizeof(own)) ? ASSAY_OK : ASSAY_E_ARG;
}

enum assay_code assay_table_sort(
	const struct assay_table *table, uint32_t event, bool inclusive, uint32_t *order)
{
	if (!table || event >= table->t->n_events || (table->t->n && !order))
		return ASSAY_E_ARG;
	as_table_sort(table->t, table->prof, event, inclusive, order);
	return ASSAY_OK;
}
