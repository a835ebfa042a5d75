/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of calls, with folding: `assay tree`. */
#include "browse/paths.h"

#include "report/kit/show.h"
#include "report/views.h"

enum { OPEN_SHARE = 20 }; /* rows that cost a twentieth of all are open at first */

struct as_browse_tree {
	struct as_browse_paths paths;
	uint64_t *path;  /* of each row: hash of the names that lead there */
	uint32_t *below; /* of each row: the first one behind it that is not below it */
	size_t n;        /* rows */
	AS_VEC(uint32_t) seen;
};

void as_browse_free_tree(struct as_browse *b)
{
	struct as_browse_tree *t = b->tree;

	if (!t)
		return;
	as_alloc_free(b->al, t->path, t->path ? t->n * sizeof(*t->path) + 1 : 0);
	as_alloc_free(b->al, t->below, t->below ? t->n * sizeof(*t->below) + 1 : 0);
	as_vec_free(b->al, &t->seen);
	as_browse_paths_release(&t->paths);
	as_alloc_free(b->al, t, sizeof(*t));
	b->tree = NULL;
}

/* ---- rows ---- */

static const struct as_tree_row *tree_row_at(const struct as_browse *b, size_t i)
{
	return &b->tree->paths.view.row.p[b->tree->seen.p[i]];
}

static as_val tree_cost(const struct as_browse_tree *t, const struct as_tree_row *row)
{
	return t->paths.view.value.p[row->cost + t->paths.event];
}

/* Hashes, and where what is below a row ends. */
static bool tree_index(struct as_browse *b, struct as_browse_tree *t)
{
	const struct as_tree_view *v = &t->paths.view;
	AS_VEC(uint32_t) up = {.p = NULL};
	bool ok = true;

	t->n = v->row.n;
	if (!as_alloc_array(b->al, &t->path, t->n) || !as_alloc_array(b->al, &t->below, t->n))
		return false;
	for (size_t i = 0; i < t->n && ok; i++) {
		const struct as_tree_row *row = &v->row.p[i];
		struct as_slice name = {0};

		while (up.n > row->depth)
			t->below[up.p[--up.n]] = (uint32_t)i;
		if (row->kind == AS_TREE_FUNC)
			name = as_calltree_name(v->ct, row->key);
		t->path[i] = as_hash_mix(up.n ? t->path[up.p[up.n - 1]] : 1,
			as_hash_bytes(name.p, name.len) + row->kind);
		ok = as_vec_push(b->al, &up, (uint32_t)i);
	}
	while (up.n)
		t->below[up.p[--up.n]] = (uint32_t)t->n;
	as_vec_free(b->al, &up);
	return ok;
}

static bool tree_is_open(const struct as_browse *b, size_t row)
{
	const struct as_browse_tree *t = b->tree;
	as_val cost = tree_cost(t, &t->paths.view.row.p[row]), all;

	for (const struct as_browse_fold *f = b->st.folds; f; f = f->next)
		if (!f->path || f->path == t->path[row])
			return f->open;
	all = t->paths.source.prof->total[t->paths.event];
	return cost >= all / OPEN_SHARE || t->paths.view.row.p[row].depth == 0;
}

static bool tree_see(struct as_browse *b)
{
	struct as_browse_tree *t = b->tree;

	t->seen.n = 0;
	for (size_t i = 0; i < t->n;) {
		if (!as_vec_push(b->al, &t->seen, (uint32_t)i))
			return false;
		i = tree_is_open(b, i) ? i + 1 : t->below[i];
	}
	return true;
}

static enum as_exit tree_build(struct as_browse *b)
{
	as_browse_free_tree(b);
	b->tree = as_alloc_new(b->al, sizeof(*b->tree));
	AS_DO(as_say_memory(&b->ses, b->tree));
	AS_DO(as_browse_paths_make(&b->tree->paths, b, "0.5%", 0));
	return tree_index(b, b->tree) ? AS_EXIT_OK : as_say_no_memory(&b->ses);
}

static enum as_exit tree_make(struct as_browse *b)
{
	AS_DO(as_browse_need(b, AS_READ_FUNCS));
	if (!as_n_events(b->prof) || (!b->prof->call.n && !b->prof->sample.node.n)) {
		as_browse_say(b, "the profile does not tell who calls whom");
		return AS_EXIT_UNSUPPORTED;
	}
	if (!b->tree || !as_browse_paths_are(&b->tree->paths, b)) {
		enum as_exit rc = tree_build(b);

		if (rc != AS_EXIT_OK) {
			as_browse_free_tree(b);
			return rc;
		}
	}
	return tree_see(b) ? AS_EXIT_OK : as_say_no_memory(&b->ses);
}

static size_t view_tree_rows(const struct as_browse *b)
{
	return b->tree ? b->tree->seen.n : 0;
}

static size_t tree_columns(struct as_browse *b, struct as_browse_column *column)
{
	bool up = b->st.bottom_up;

	column[0] = (struct as_browse_column){.head = up ? "self" : "incl", .rank = 2};
	column[1] = (struct as_browse_column){.head = up ? "self %" : "incl %"};
	column[2] = (struct as_browse_column){.head = up ? "" : "self", .rank = 3};
	column[3] = (struct as_browse_column){.head = up ? "" : "self %", .rank = 1};
	column[4] = (struct as_browse_column){.head = "function", .left = true, .name = true};
	column[5] = (struct as_browse_column){.head = "where", .left = true, .rank = 4};
	return 6;
}

static struct as_slice tree_name(
	struct as_browse *b, const struct as_tree_row *row, struct as_browse_line *line)
{
	const struct as_calltree *ct = b->tree->paths.view.ct;
	struct as_view_func f;

	if (row->kind == AS_TREE_REST)
		return as_arena_printf(&b->scratch, "[%" PRIu64 " more]", row->n);
	if (row->kind == AS_TREE_NO_CALLER)
		return as_slice_of("[nobody: paths begin here]");
	f = as_view_func(ct->prof, as_calltree_name(ct, row->key), &ct->key.p[row->key]);
	f.prof = b->tree->paths.source.prof;
	line->cell[5] = as_view_where(&b->scratch, f);
	f.name = as_shown_name(b->prof, as_calltree_name(ct, row->key));
	return as_view_name(&b->scratch, f);
}

static void tree_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	const struct as_browse_tree *t = b->tree;
	const struct as_tree_row *row = tree_row_at(b, i);
	size_t r = t->seen.p[i];
	as_val cost = tree_cost(t, row), whole = t->paths.source.prof->total[t->paths.event];
	bool folds = t->below[r] > r + 1;

	as_browse_cost(
		b, line->cell, cost, row->evidence == AS_TREE_ESTIMATED ? AS_ESTIMATED : AS_SURE);
	if (!b->st.bottom_up && row->kind == AS_TREE_FUNC) {
		size_t at = row->cost + t->paths.view.ct->e + t->paths.event;
		bool guess = row->evidence != AS_TREE_EXACT && !row->idle;

		as_browse_cost(b, line->cell + 2, t->paths.view.value.p[at],
			guess ? AS_ESTIMATED : AS_SURE);
	}
	line->cell[4] = tree_name(b, row, line);
	if (row->again)
		line->cell[4] = as_arena_printf(&b->scratch, "%.*s%s", AS_SLICE_FMT(line->cell[4]),
			as_view_again(&b->style));
	line->indent = as_view_indent(row->depth);
	line->lead = !folds               ? "  "
		     : tree_is_open(b, r) ? (b->style.utf8 ? "\u25be " : "- ")
					  : (b->style.utf8 ? "\u25b8 " : "+ ");
	line->tint = row->kind == AS_TREE_REST ? AS_TINT_DIM : as_browse_heat(cost, whole);
}

static bool tree_id(struct as_browse *b, size_t i, struct as_listing_id *id)
{
	const struct as_calltree *ct = b->tree->paths.view.ct;
	const struct as_tree_row *row = tree_row_at(b, i);

	if (row->kind != AS_TREE_FUNC)
		return false;
	*id = as_browse_id_of(
		b->tree->paths.source.prof, &ct->key.p[row->key], as_calltree_name(ct, row->key));
	return true;
}

/* ---- folding ---- */

/* OPEN: 1 unfold, 0 fold, -1 the other; of row I, or of all: SIZE_MAX. */
void as_browse_tree_fold(struct as_browse *b, size_t i, int open)
{
	const struct as_browse_tree *t = b->tree;
	bool all = i == SIZE_MAX, is_open;
	struct as_browse_state next = b->st;
	struct as_browse_fold *fold;
	size_t row;

	if (!all && i >= view_tree_rows(b))
		return;
	row = all ? 0 : t->seen.p[i];
	is_open = all ? t->seen.n == t->n : tree_is_open(b, row);
	if ((!all && t->below[row] <= row + 1) || open == (int)is_open)
		return;
	fold = as_arena_new(&b->arena, sizeof(*fold));
	if (!fold)
		return;
	*fold = (struct as_browse_fold){all ? 0 : t->path[row], !is_open, all ? NULL : b->st.folds};
	next.folds = fold;
	as_browse_step(b, &next);
}

static void tree_enter(struct as_browse *b, size_t i)
{
	as_browse_tree_fold(b, i, -1);
}

const struct as_browse_view_ops as_browse_tree_view = {.name = "Tree",
	.make = tree_make,
	.rows = view_tree_rows,
	.columns = tree_columns,
	.row = tree_row,
	.id = tree_id,
	.enter = tree_enter};
