/* SPDX-License-Identifier: Apache-2.0 */
#include "compat/pprof/pprof_text.h"

#define SEPARATOR "----------------------------------------------------------+-------------\n"
#define LEGEND "      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n"

struct tree {
	struct as_pprof pp;
	struct as_out *out;
	const struct as_slice *name; /* of each node, then of those that are gone */
	as_val sum;                  /* of the nodes so far */
};

/* Above the node its callers, below it its callees: WHO is the number of the one that is shown. */
static void pp_tree_edge(struct tree *t, const struct as_pg_edge *e, uint32_t who, as_val cum)
{
	char percent[AS_PPROF_NUMBER];

	as_assert(who < t->pp.graph.node.n + t->pp.graph.gone.n);
	as_pprof_put_value(&t->pp, t->out, e->weight, 50);
	as_out_printf(t->out, " %s |   ", as_pprof_percent(e->weight, cum, percent));
	as_out_plain(t->out, t->name[who]);
	as_out_text(t->out, e->inlined ? " (inline)\n" : "\n");
}

static void pp_tree_own_line(struct tree *t, const struct as_pg_node *n, struct as_slice name)
{
	t->sum += n->flat;
	as_pprof_put_costs(&t->pp, t->out, n, t->sum);
	as_out_text(t->out, "              | ");
	as_out_plain(t->out, name);
	as_out_char(t->out, '\n');
}

static void pp_tree_node(struct tree *t, uint32_t i)
{
	const struct as_pg *pg = &t->pp.graph;
	const struct as_pg_node *n = &pg->node.p[i];

	as_out_text(t->out, SEPARATOR);
	for (uint32_t k = 0; k < n->n_in; k++) {
		const struct as_pg_edge *e = &pg->edge.p[pg->in.p[n->in + k]];

		pp_tree_edge(t, e, e->src, n->cum);
	}
	pp_tree_own_line(t, n, t->name[i]);
	for (uint32_t k = 0; k < n->n_out; k++) {
		const struct as_pg_edge *e = &pg->edge.p[pg->out.p[n->out + k]];

		pp_tree_edge(t, e, e->dst, n->cum);
	}
}

static bool find_names(struct tree *t)
{
	const struct as_pg *pg = &t->pp.graph;
	size_t n = pg->node.n, all = n + pg->gone.n;
	struct as_slice *name;

	if (!as_alloc_array(t->pp.al, &name, all))
		return false;
	for (size_t i = 0; i < all; i++) {
		name[i] = as_pg_name(t->pp.arena, i < n ? &pg->node.p[i] : &pg->gone.p[i - n]);
		if (!name[i].p)
			return false;
	}
	t->name = name;
	return true;
}

static enum as_code pp_tree_print(
	struct tree *t, const struct as_pprof_wanted *wanted, struct as_err *err)
{
	size_t shown = 0;

	AS_TRY(as_pprof_report_labels(&t->pp, err));
	AS_TRY(as_err_memory(err, find_names(t)));
	for (size_t i = 0; wanted && i < t->pp.graph.node.n; i++)
		shown += wanted->match(wanted->ctx, t->name[i]);
	if (wanted && !shown)
		return as_err_set(err, AS_E_ARG, "no function matches");
	as_pprof_put_labels(&t->pp, t->out);
	as_out_text(t->out, SEPARATOR LEGEND);
	for (uint32_t i = 0; i < t->pp.graph.node.n; i++)
		if (!wanted || wanted->match(wanted->ctx, t->name[i]))
			pp_tree_node(t, i);
	if (t->pp.graph.node.n)
		as_out_text(t->out, SEPARATOR);
	return AS_OK;
}

enum as_code as_pprof_tree(const struct as_profile *prof, const struct as_pprof_opts *opts,
	const struct as_pprof_wanted *wanted, struct as_out *out, struct as_err *err)
{
	struct tree t = {.out = out};
	enum as_code rc = as_pprof_begin(&t.pp, prof, opts, err);

	AS_THEN(rc, pp_tree_print(&t, wanted, err));
	as_pprof_end(&t.pp);
	return rc;
}
