/* SPDX-License-Identifier: Apache-2.0 */
/* `assay peek` for programs. */
#include "report/peek.h"

#include "report/kit/head_json.h"

static size_t shown(const struct as_peek_view *v, size_t n)
{
	return v->rows && n > v->rows ? v->rows : n;
}

/* What is not shown of one side; SUM has n_events values. */
static void rest_of(const struct as_peek_view *v, const struct as_neighbour *nb, size_t n,
	as_val *sum, as_val *count)
{
	memset(sum, 0, as_n_events(v->prof) * sizeof(*sum));
	*count = 0;
	for (size_t i = shown(v, n); i < n; i++) {
		*count += nb[i].count;
		for (uint32_t k = 0; k < as_n_events(v->prof); k++)
			sum[k] += nb[i].cost[k];
	}
}

/* ---- JSON ---- */

static void json_count(const struct as_peek_view *v, struct as_json *j, bool known, as_val count)
{
	as_view_json_calls(j, known && v->prof->call.n, count);
}

static void json_side(const struct as_peek_view *v, struct as_json *j, const char *key,
	const struct as_neighbours *nb, as_val *sum)
{
	bool callers = strcmp(key, "callers") == 0;
	const struct as_neighbour *side = callers ? nb->caller.p : nb->callee.p;
	size_t n = callers ? nb->caller.n : nb->callee.n;
	as_val count;

	as_json_array(j, key);
	for (size_t i = 0; i < shown(v, n); i++) {
		as_json_object(j, NULL);
		as_view_json_func(j, as_view_row(nb->table, side[i].row));
		as_view_json_vals(j, "inclusive", v->opts, side[i].cost);
		json_count(v, j, true, side[i].count);
		as_json_bool(j, "inner", side[i].inner);
		as_json_object_end(j);
	}
	as_json_array_end(j);
	rest_of(v, side, n, sum, &count);
	as_json_object(j, callers ? "callers_rest" : "callees_rest");
	as_json_u64(j, "rows", n - shown(v, n));
	as_view_json_vals(j, "inclusive", v->opts, sum);
	json_count(v, j, true, count);
	as_json_object_end(j);
}

static void json_func(const struct as_peek_view *v, struct as_json *j,
	const struct as_neighbours *nb, as_val *sum)
{
	const struct as_table *t = nb->table;
	size_t at = (size_t)nb->row * t->n_events;

	as_json_object(j, NULL);
	as_view_json_func(j, as_view_row(t, nb->row));
	as_view_json_vals(j, "self", v->opts, t->self + at);
	if (t->has_incl[nb->row])
		as_view_json_vals(j, "inclusive", v->opts, t->incl + at);
	else
		as_json_null(j, "inclusive");
	if (as_table_most(t, nb->row))
		as_view_json_vals(j, "inclusive_at_most", v->opts, as_table_most(t, nb->row));
	json_count(v, j, t->has_calls[nb->row], t->calls[nb->row]);
	as_json_bool(j, "recursive", t->recursive[nb->row]);
	if (t->key[nb->row].cycle)
		as_json_u64(j, "cycle", t->key[nb->row].cycle);
	else
		as_json_null(j, "cycle");
	if (nb->has_entry)
		as_view_json_vals(j, "no_caller", v->opts, nb->entry);
	else
		as_json_null(j, "no_caller");
	if (nb->known) {
		json_side(v, j, "callers", nb, sum);
		json_side(v, j, "callees", nb, sum);
	} else {
		as_json_null(j, "callers");
		as_json_null(j, "callees");
	}
	as_json_object_end(j);
}

enum as_code as_peek_json(const struct as_peek_view *v, struct as_out *out)
{
	size_t size = as_n_events(v->prof) * sizeof(as_val) + 1;
	as_val *sum = as_alloc_new(v->prof->al, size);
	struct as_json j;

	if (!sum)
		return AS_E_NOMEM;
	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.peek/1"));
	as_json_profile(&j, v->prof, v->opts->files, v->opts->n_files);
	as_json_events(&j, v->prof, v->opts->event, v->opts->n_events);
	as_json_array(&j, "functions");
	for (size_t i = 0; i < v->n_funcs; i++)
		json_func(v, &j, &v->func[i], sum);
	as_json_array_end(&j);
	as_json_object(&j, "rest");
	as_json_u64(&j, "functions", v->n_more);
	as_json_object_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
	as_alloc_free(v->prof->al, sum, size);
	return AS_OK;
}

/* ---- CSV ---- */

static void csv_count(const struct as_peek_view *v, struct as_csv *c, bool known, as_val count)
{
	if (known && v->prof->call.n)
		as_csv_val(c, count);
	else
		as_csv_empty(c);
	as_csv_end(c);
}

static void csv_rest_func(struct as_csv *c, struct as_slice text)
{
	as_csv_text(c, text);
	for (int i = 0; i < 3; i++)
		as_csv_empty(c);
}

static void csv_side(const struct as_peek_view *v, struct as_csv *c, const char *role,
	const struct as_neighbours *nb, as_val *sum)
{
	bool callers = strcmp(role, "caller") == 0;
	const struct as_neighbour *side = callers ? nb->caller.p : nb->callee.p;
	size_t n = callers ? nb->caller.n : nb->callee.n;
	char text[64];
	as_val count;

	for (size_t i = 0; i < shown(v, n); i++) {
		as_csv_text(c, as_slice_of(role));
		as_view_csv_func(c, as_view_row(nb->table, side[i].row));
		as_view_csv_vals(c, v->opts, NULL);
		as_view_csv_vals(c, v->opts, side[i].cost);
		csv_count(v, c, true, side[i].count);
	}
	if (shown(v, n) == n)
		return;
	rest_of(v, side, n, sum, &count);
	as_csv_text(c, as_slice_of(role));
	snprintf(text, sizeof(text), "[%zu more rows]", n - shown(v, n));
	csv_rest_func(c, as_slice_of(text));
	as_view_csv_vals(c, v->opts, NULL);
	as_view_csv_vals(c, v->opts, sum);
	csv_count(v, c, true, count);
}

static void csv_func(
	const struct as_peek_view *v, struct as_csv *c, const struct as_neighbours *nb, as_val *sum)
{
	const struct as_table *t = nb->table;
	size_t at = (size_t)nb->row * t->n_events;
	bool entry = false;

	for (uint32_t i = 0; nb->has_entry && nb->caller.n && i < v->opts->n_events; i++)
		entry |= nb->entry[v->opts->event[i]] != 0;
	if (entry) {
		as_csv_text(c, as_slice_of("caller"));
		csv_rest_func(c, as_slice_of("[no caller]"));
		as_view_csv_vals(c, v->opts, NULL);
		as_view_csv_vals(c, v->opts, nb->entry);
		csv_count(v, c, false, 0);
	}
	csv_side(v, c, "caller", nb, sum);
	as_csv_text(c, as_slice_of("function"));
	as_view_csv_func(c, as_view_row(t, nb->row));
	as_view_csv_vals(c, v->opts, t->self + at);
	as_view_csv_vals(c, v->opts, t->has_incl[nb->row] ? t->incl + at : NULL);
	csv_count(v, c, t->has_calls[nb->row], t->calls[nb->row]);
	csv_side(v, c, "callee", nb, sum);
}

enum as_code as_peek_csv(const struct as_peek_view *v, struct as_out *out)
{
	size_t size = as_n_events(v->prof) * sizeof(as_val) + 1;
	as_val *sum = as_alloc_new(v->prof->al, size);
	struct as_csv c;

	if (!sum)
		return AS_E_NOMEM;
	as_csv_init(&c, out);
	as_csv_text(&c, as_slice_of("role"));
	as_view_csv_func_head(&c);
	as_view_csv_heads(&c, v->prof, v->opts, "self");
	as_view_csv_heads(&c, v->prof, v->opts, "inclusive");
	as_csv_text(&c, as_slice_of("calls"));
	as_csv_end(&c);
	for (size_t i = 0; i < v->n_funcs; i++)
		csv_func(v, &c, &v->func[i], sum);
	as_alloc_free(v->prof->al, sum, size);
	return AS_OK;
}
