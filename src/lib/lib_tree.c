/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: trees of calls. */
#include "lib/lib_impl.h"

#include "listing/listing.h"
#include "tree/path_source.h"

_Static_assert((int)ASSAY_TREE_CALLEES == (int)AS_TREE_CALLEES, "ways differ");
_Static_assert((int)ASSAY_TREE_CALLERS == (int)AS_TREE_CALLERS, "ways differ");
_Static_assert((int)ASSAY_TREE_BOTTOM_UP == (int)AS_TREE_BOTTOM_UP, "ways differ");
_Static_assert((int)ASSAY_TREE_FUNCTION == (int)AS_TREE_FUNC, "kinds of rows differ");
_Static_assert((int)ASSAY_TREE_REST == (int)AS_TREE_REST, "kinds of rows differ");
_Static_assert((int)ASSAY_TREE_NO_CALLER == (int)AS_TREE_NO_CALLER, "kinds of rows differ");

struct assay_tree {
	const struct as_alloc *al;
	struct as_path_source paths;
	struct as_calltree ct;
	struct as_tree_view view;
	struct assay_value *value; /* of the view */
};

/* A tree on its way; OF is taken from O. */
struct growing {
	struct assay_tree *tree;
	struct assay_tree_options o;
	struct assay_row of;
	struct as_calltree_root root;
	struct as_err *err;
};

static enum as_code tree_options(struct growing *g, const struct assay_tree_options *given)
{
	if (!as_lib_take(&g->o, sizeof(g->o), given) || (unsigned)g->o.way > ASSAY_TREE_BOTTOM_UP ||
		!as_lib_take(&g->of, sizeof(g->of), g->o.of))
		return as_err_set(g->err, AS_E_ARG,
			"the options or the row have no size, or ask for what this version does "
			"not know");
	if (!g->o.of && g->o.way == ASSAY_TREE_CALLERS)
		return as_err_set(g->err, AS_E_ARG, "callers are those of a function");
	return AS_OK;
}

/* The paths may be of another profile than the row: what it says of the function is looked for. */
static enum as_code tree_find(struct growing *g, const struct as_profile *src)
{
	struct as_listing_opts how = {
		.keep_contexts = g->o.keep_contexts, .no_cycles = g->o.no_cycles};
	struct as_listing_id id = {.name = as_lib_text(g->of.name),
		.file = as_file_path(src, (as_file){g->of.file}),
		.object = as_object_path(src, (as_object){g->of.object}),
		.addr = g->of.address};
	struct as_listings *ls;
	enum as_code rc = as_listings_open(&ls, g->tree->paths.prof, &how, g->err);

	AS_THEN(rc, as_listings_find_id(ls, &id, g->err));
	if (rc == AS_OK && !as_listings_n(ls))
		rc = as_err_set(g->err, AS_E_ARG, "the row is of no function of this profile");
	if (rc == AS_OK) {
		const struct as_key *key = &as_listings_table(ls)->key[as_listings_row(ls, 0)];

		g->root = (struct as_calltree_root){key->func, key->addr};
	}
	as_listings_free(ls);
	return rc;
}

static enum as_code tree_values(struct assay_tree *tree)
{
	size_t n = tree->view.value.n;

	tree->value = as_alloc_new(tree->al, (n + 1) * sizeof(*tree->value));
	AS_TRY(as_memory(tree->value));
	as_lib_values(tree->value, tree->view.value.p, n);
	return AS_OK;
}

static enum as_code tree_grow(struct growing *g, const struct as_profile *src)
{
	struct assay_tree *tree = g->tree;
	bool down = g->o.way == ASSAY_TREE_CALLEES;
	struct as_tree_opts view = {.way = (enum as_tree_way)g->o.way,
		.event = g->o.event,
		.depth = g->o.depth,
		.min = as_lib_val(g->o.min)};
	struct as_path_tree_opts opts = {.keep_contexts = g->o.keep_contexts,
		.no_cycles = g->o.no_cycles,
		.way = view.way,
		.of = g->o.of ? &g->root : NULL,
		.min = view.min,
		.event = view.event};

	if (g->of.file >= src->file.n || g->of.object >= src->object.n)
		return as_err_set(g->err, AS_E_ARG, "the row is of no function of this profile");
	if (!src->call.n && !src->sample.node.n && src->self.n)
		return as_err_set(g->err, AS_E_UNSUPPORTED,
			"the profile says where cost was, not who called whom");
	if (g->o.event && g->o.event >= as_n_events(src))
		return as_err_set(g->err, AS_E_ARG, "there is no event %" PRIu32, g->o.event);
	if (!down)
		view.of = opts.of;
	AS_TRY(as_path_source_make(&tree->paths, src, true, g->err));
	if (g->o.of)
		AS_TRY(tree_find(g, src));
	AS_TRY(as_path_source_tree(&tree->paths, &opts, &tree->ct, g->err));
	AS_TRY(as_tree_view_make(&tree->view, &tree->ct, &view, g->err));
	return tree_values(tree) == AS_OK ? AS_OK : as_err_no_memory(g->err);
}

static enum as_code tree_new(const struct as_profile *src, const struct assay_tree_options *given,
	struct assay_tree **out, struct as_err *err)
{
	struct growing g = {.err = err};
	enum as_code rc;

	AS_TRY(tree_options(&g, given));
	g.tree = as_alloc_new(src->al, sizeof(*g.tree));
	AS_TRY(as_err_memory(err, g.tree));
	g.tree->al = g.tree->ct.al = src->al;
	g.tree->view.ct = &g.tree->ct;
	g.tree->paths.src = src;
	rc = tree_grow(&g, src);
	if (rc == AS_OK)
		*out = g.tree;
	else
		assay_tree_free(g.tree);
	return rc;
}

enum assay_code assay_tree_new(const struct assay_profile *prof,
	const struct assay_tree_options *opts, struct assay_tree **out, struct assay_error *err)
{
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || !prof)
		return as_lib_misuse(err, "no profile, or no place for the tree");
	as_err_clear(&e);
	rc = tree_new(as_lib_profile(prof), opts, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_tree_free(struct assay_tree *tree)
{
	if (!tree)
		return;
	if (tree->value)
		as_alloc_free(
			tree->al, tree->value, (tree->view.value.n + 1) * sizeof(*tree->value));
	as_tree_view_release(&tree->view);
	as_calltree_release(&tree->ct);
	as_path_source_release(&tree->paths);
	as_alloc_free(tree->al, tree, sizeof(*tree));
}

size_t assay_tree_count(const struct assay_tree *tree)
{
	return tree ? tree->view.row.n : 0;
}

static void tree_fill_func(const struct assay_tree *tree, uint32_t key, struct assay_tree_row *row)
{
	const struct as_key *k = &tree->ct.key.p[key];

	as_assert(key < tree->ct.key.n);
	row->name = as_lib_slice(as_calltree_name(&tree->ct, key));
	row->address = k->addr;
	if (tree->paths.estimate) /* its numbers are others */
		return;
	row->function = k->func.i;
	row->file = k->file.i;
	row->object = k->object.i;
}

enum assay_code assay_tree_get(const struct assay_tree *tree, size_t i, struct assay_tree_row *out)
{
	const struct as_tree_row *r;
	struct assay_tree_row own = {.name = as_lib_slice(as_slice_of(""))};
	bool down;

	if (!tree || i >= tree->view.row.n)
		return ASSAY_E_ARG;
	r = &tree->view.row.p[i];
	down = tree->view.way == AS_TREE_CALLEES;
	own.kind = (enum assay_tree_kind)r->kind;
	own.depth = r->depth;
	if (r->kind == AS_TREE_FUNC)
		tree_fill_func(tree, r->key, &own);
	own.n_rest = r->n;
	own.again = r->again;
	own.estimated = r->evidence == AS_TREE_ESTIMATED;
	own.self_estimated = down && r->evidence != AS_TREE_EXACT && !r->idle;
	as_assert(r->cost + (down ? 2 : 1) * (size_t)tree->ct.e <= tree->view.value.n);
	own.cost = tree->value + r->cost;
	own.self = down ? own.cost + tree->ct.e : NULL;
	return as_lib_give(out, &own, sizeof(own));
}
