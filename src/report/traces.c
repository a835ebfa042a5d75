/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

enum { FUNC, PATH, SELF, EVIDENCE, MORE };

static const struct as_column columns[] = {
	{AS_COL_COSTS, AS_IN_TEXT, SELF, ""},
	{AS_COL_FUNC, AS_IN_TEXT, FUNC, "path, the leaf first"},
	{AS_COL_FUNC, AS_IN_JSON, FUNC, ""},
	{AS_COL_TEXT, AS_IN_CSV, PATH, "path"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "paths"},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{AS_COL_TEXT, AS_IN_CSV, EVIDENCE, "evidence"},
	{0},
};

/* The names from the root to the leaf, with semicolons, as folded stacks have them. p == NULL: out
 * of memory. */
static struct as_slice path_text(struct as_arena *ar, const struct as_calltree *ct, uint32_t node)
{
	AS_VEC(struct as_slice) name = {NULL, 0, 0};
	size_t size = 1, n = 0;
	bool ok = true;
	char *to = NULL;

	for (; node && ok; node = ct->parent.p[node]) {
		struct as_slice one = as_view_name(ar, as_calltree_func(ct, ct->key_of.p[node]));

		size += one.len + 1;
		ok = one.p && as_vec_push(ct->al, &name, one);
	}
	if (ok)
		to = as_arena_get(ar, size);
	for (size_t i = name.n; to && i-- > 0;) {
		memcpy(to + n, name.p[i].p, name.p[i].len);
		n += name.p[i].len;
		if (i)
			to[n++] = ';';
	}
	as_vec_free(ct->al, &name);
	return (struct as_slice){to, n};
}

/* A path is a line of CSV. */
static void traces_put_line(struct as_sheet *s, const struct as_traces_report *r, uint32_t node)
{
	struct as_slice path;
	struct as_arena ar;

	as_arena_init(&ar, r->paths.prof->al);
	path = path_text(&ar, r->paths.ct, node);
	s->grid.arena.failed |= !path.p;
	as_sheet_text(s, PATH, path);
	as_sheet_text(s, EVIDENCE, as_slice_of(r->paths.prof->estimated ? "estimated" : "exact"));
	as_sheet_row(s, NULL);
	as_arena_release(&ar);
}

/* In text the leaf stands beside the costs. */
static void traces_put_frames(struct as_sheet *s, const struct as_calltree *ct, uint32_t node)
{
	bool text = as_sheet_is(s, AS_FORM_TEXT);

	if (!text)
		as_sheet_row_begin(s, NULL);
	as_sheet_list(s, "frames");
	for (; node; node = ct->parent.p[node]) {
		as_sheet_func(s, FUNC, as_calltree_func(ct, ct->key_of.p[node]));
		as_sheet_row(s, NULL);
	}
	as_sheet_list_end(s);
	as_sheet_row_end(s);
}

enum as_code as_traces_print(const struct as_traces_report *r, const struct as_sheet_to *to)
{
	const struct as_calltree *ct = r->paths.ct;
	struct as_sheet s;
	enum as_code rc;
	as_val *rest;

	as_assert(r->shown <= r->n);
	if (to->form == AS_FORM_TEXT && !r->paths.opts->n_events)
		return AS_OK;
	as_sheet_init(&s, to, r->paths.prof, r->paths.opts, columns);
	as_sheet_begin(&s, "assay.traces/1", r->paths.shape);
	as_sheet_rows(&s, "paths");
	for (size_t i = 0; i < r->shown; i++) {
		as_sheet_costs(&s, SELF, ct->cost.p + (size_t)r->node[i] * ct->e);
		if (to->form == AS_FORM_CSV)
			traces_put_line(&s, r, r->node[i]);
		else
			traces_put_frames(&s, ct, r->node[i]);
	}
	as_sheet_list_end(&s);
	rest = as_sheet_sum(&s);
	for (size_t i = r->shown; i < r->n; i++)
		as_sheet_add(&s, rest, ct->cost.p + (size_t)r->node[i] * ct->e);
	as_sheet_rest(
		&s, (struct as_sheet_rest){MORE, SELF, FUNC}, r->n - r->shown, " path{|s}", rest);
	rc = as_sheet_finish(&s);
	if (r->paths.prof->estimated)
		as_sheet_note(to, "estimated: these call paths were made out of calls");
	return rc;
}
