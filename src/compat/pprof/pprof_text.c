/* SPDX-License-Identifier: Apache-2.0 */
#include "compat/pprof/pprof_text.h"

void as_pprof_put_labels(const struct as_pprof *pp, struct as_out *out)
{
	for (size_t i = 0; i < pp->label.n; i++) {
		as_out_plain(out, pp->label.p[i]);
		as_out_char(out, '\n');
	}
}

void as_pprof_put_value(const struct as_pprof *pp, struct as_out *out, as_val v, unsigned width)
{
	struct as_pprof_value text;

	as_pprof_text_of(pp, &text, v);
	as_pprof_put(out, &text, width);
}

static const char *inline_mark(const struct as_pg *pg, const struct as_pg_node *n)
{
	bool inlined = false, called = false;

	for (uint32_t i = 0; i < n->n_in; i++) {
		bool is = pg->edge.p[pg->in.p[n->in + i]].inlined;

		inlined |= is;
		called |= !is;
	}
	return !inlined ? "" : called ? " (partial-inline)" : " (inline)";
}

void as_pprof_put_costs(
	const struct as_pprof *pp, struct as_out *out, const struct as_pg_node *n, as_val sum)
{
	char percent[AS_PPROF_NUMBER];

	as_pprof_put_value(pp, out, n->flat, 10);
	as_out_printf(out, " %s", as_pprof_percent(n->flat, pp->total, percent));
	as_out_printf(out, " %s ", as_pprof_percent(sum, pp->total, percent));
	as_pprof_put_value(pp, out, n->cum, 10);
	as_out_printf(out, " %s  ", as_pprof_percent(n->cum, pp->total, percent));
}

static bool pp_text_row(
	struct as_pprof *pp, struct as_out *out, const struct as_pg_node *n, as_val sum)
{
	struct as_slice name = as_pg_name(pp->arena, n);

	as_pprof_put_costs(pp, out, n, sum);
	as_out_plain(out, name);
	as_out_text(out, inline_mark(&pp->graph, n));
	as_out_char(out, '\n');
	return name.p != NULL;
}

static enum as_code pp_text_print(struct as_pprof *pp, struct as_out *out, struct as_err *err)
{
	as_val sum = 0;

	AS_TRY(as_pprof_report_labels(pp, err));
	as_pprof_put_labels(pp, out);
	as_out_text(out, "      flat  flat%   sum%        cum   cum%\n");
	for (size_t i = 0; i < pp->graph.node.n; i++) {
		sum += pp->graph.node.p[i].flat;
		AS_TRY(as_err_memory(err, pp_text_row(pp, out, &pp->graph.node.p[i], sum)));
	}
	return AS_OK;
}

enum as_code as_pprof_text(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	struct as_pprof pp;
	enum as_code rc = as_pprof_begin(&pp, prof, opts, err);

	AS_THEN(rc, pp_text_print(&pp, out, err));
	as_pprof_end(&pp);
	return rc;
}
