/* SPDX-License-Identifier: Apache-2.0 */
#include "session/compare.h"

#include "change/transform.h"
#include "session/choose.h"

enum { MANY_CALLS = 1 << 16 };

enum as_code as_compare_begin(
	struct as_compare *c, const struct as_alloc *al, const struct as_compare_ask *ask)
{
	struct as_diff_opts opts = {.by = ask->by,
		.keep_contexts = ask->keep_contexts,
		.keep_clones = ask->keep_clones,
		.no_cycles = ask->no_cycles,
		.any_platform = ask->any_platform,
		.want_rows = ask->kind != AS_DIFF_TABLE,
		.n_runs = ask->n_runs};

	*c = (struct as_compare){.ask = *ask};
	as_err_clear(&c->err);
	AS_TRY(as_diff_begin(&c->d, al, &opts, &c->err));
	as_diff_sub_init(&c->sub, c->d);
	c->sub.way = ask->way;
	return AS_OK;
}

void as_compare_release(struct as_compare *c)
{
	if (!c->d)
		return;
	as_diff_tree_view_release(&c->tree);
	as_diff_lists_release(&c->lists);
	as_diff_sub_release(&c->sub);
	as_vec_free(c->d->al, &c->func);
	as_diff_free(c->d);
}

static enum as_code compare_wrong(
	struct as_compare *c, enum as_compare_fault fault, struct as_slice name)
{
	c->fault = fault;
	c->wrong = name;
	switch (fault) {
	case AS_COMPARE_VOID:
		return as_err_set(&c->err, AS_E_ARG,
			"nothing is left: the filters choose no sample of either side");
	case AS_COMPARE_NO_EVENT:
		return as_err_set(
			&c->err, AS_E_ARG, "the profiles have no event '%.*s'", AS_SLICE_FMT(name));
	case AS_COMPARE_TWICE:
		return as_err_set(&c->err, AS_E_ARG, "an event is named twice");
	default:
		return as_err_set(&c->err, AS_E_ARG, "neither side has such a function");
	}
}

/* ---- runs ---- */

static enum as_code compare_add_rows(
	struct as_compare *c, const struct as_profile *prof, struct as_slice name)
{
	if (c->ask.kind == AS_DIFF_TABLE)
		return AS_OK;
	if (c->ask.kind == AS_DIFF_LIST)
		return as_diff_sub_lines(&c->sub, prof, &c->err);
	if (!prof->call.n && !prof->sample.node.n && prof->self.n)
		return as_err_set(&c->err, AS_E_UNSUPPORTED,
			"%.*s: the profile says where cost was, not who called whom",
			(int)(name.len < 300 ? name.len : 300), name.p);
	return (c->ask.kind == AS_DIFF_TREE ? as_diff_sub_paths : as_diff_sub_calls)(
		&c->sub, prof, &c->err);
}

enum as_code as_compare_add(struct as_compare *c, const struct as_compare_run *run)
{
	struct as_profile *unnamed; /* addresses as names say nothing of another build */
	const struct as_profile *prof;
	enum as_code rc;

	as_assert(c->d->run.n < c->ask.n_runs);
	AS_TRY(as_unname(run->prof, &unnamed, &c->err));
	prof = unnamed ? unnamed : run->prof;
	c->d->is_void[run->side] |= run->is_void;
	c->n_void += run->is_void;
	c->d->opts.clump = run->clump;
	c->d->opts.exec = prof->call.n >= MANY_CALLS ? run->exec : NULL;
	rc = as_diff_add(c->d, run->side, prof, run->name, &c->err);
	AS_THEN(rc, compare_add_rows(c, prof, run->name));
	as_profile_free(unnamed);
	return rc;
}

/* ---- the comparison ---- */

/* *EVENT is what rows are sorted by, UINT32_MAX where that is not said. */
static enum as_code compare_choose_events(struct as_compare *c, uint32_t *event)
{
	struct as_events all = {.diff = c->d};
	const struct as_compare_ask *ask = &c->ask;
	struct as_slice which;

	c->event = as_arena_get(&c->d->arena, (c->d->n_events + 1) * sizeof(*c->event));
	AS_TRY(as_err_memory(&c->err, c->event));
	switch (as_events_choose(all, ask->events, c->event, &c->n_events, &which)) {
	case AS_EVENTS_UNKNOWN:
		return compare_wrong(c, AS_COMPARE_NO_EVENT, which);
	case AS_EVENTS_TWICE:
		return compare_wrong(c, AS_COMPARE_TWICE, which);
	default:
		break;
	}
	*event = c->n_events ? c->event[0] : UINT32_MAX;
	if (ask->sort.p && !as_diff_find_event(c->d, ask->sort, event))
		return compare_wrong(c, AS_COMPARE_NO_EVENT, ask->sort);
	return AS_OK;
}

static void compare_default_events(struct as_compare *c)
{
	if (c->n_events)
		return;
	if (!c->ask.all_events)
		c->event[c->n_events++] = c->d->sort_event;
	for (uint32_t e = 0; c->ask.all_events && e < c->d->n_events; e++)
		c->event[c->n_events++] = e;
}

/* The tree goes the way that was asked for, from the function that was. */
static enum as_code compare_turn(struct as_compare *c)
{
	uint32_t func = 0;

	if (c->ask.way != AS_TREE_BOTTOM_UP && as_listing_id_is_set(&c->ask.func)) {
		AS_TRY(as_compare_of_id(c, &c->ask.func));
		func = c->func.p[0];
		c->func.n = 0;
	} else if (c->ask.way == AS_TREE_CALLEES) {
		return AS_OK;
	}
	return as_diff_sub_turn(&c->sub, func, &c->err);
}

enum as_code as_compare_finish(struct as_compare *c)
{
	const struct as_compare_ask *ask = &c->ask;
	uint32_t event;

	as_assert(c->d->run.n == c->ask.n_runs);
	if (c->n_void == c->d->run.n)
		return compare_wrong(c, AS_COMPARE_VOID, as_slice_of(""));
	AS_TRY(compare_choose_events(c, &event));
	AS_TRY(as_diff_scale_and_sort(c->d, ask->norm, event, ask->inclusive, &c->err));
	compare_default_events(c);
	if (ask->kind == AS_DIFF_TABLE)
		return AS_OK;
	if (ask->kind == AS_DIFF_TREE)
		AS_TRY(compare_turn(c));
	AS_TRY(as_diff_sub_judge(&c->sub, ask->kind != AS_DIFF_LIST, &c->err));
	if (ask->kind == AS_DIFF_TREE)
		return AS_OK;
	return as_diff_lists_make(&c->lists, &c->sub, &c->err);
}

/* ---- what is shown ---- */

enum as_code as_compare_tree(struct as_compare *c, const struct as_diff_tree_opts *opts)
{
	as_assert(c->ask.kind == AS_DIFF_TREE);
	as_diff_tree_view_release(&c->tree);
	return as_diff_tree_view_make(&c->tree, &c->sub, opts, &c->err);
}

enum as_code as_compare_no_funcs(struct as_compare *c)
{
	c->func.n = 0;
	return as_err_memory(&c->err, as_vec_reserve(c->d->al, &c->func, c->d->key.n + 1));
}

enum as_code as_compare_differing(struct as_compare *c)
{
	AS_TRY(as_compare_no_funcs(c));
	for (size_t i = 0; i < c->d->key.n; i++)
		if (as_diff_differs(c->d, c->d->order[i]))
			c->func.p[c->func.n++] = c->d->order[i];
	return AS_OK;
}

static bool compare_base_is(struct as_slice path, struct as_slice said, bool exact)
{
	return (!exact && !said.len) || as_slice_eq(as_base_name(path), as_base_name(said));
}

/* What both sides say of a function are parts of what one says. EXACT: what is not known of the one
 * that is asked for is not known of any. */
static void compare_find_id(struct as_compare *c, const struct as_listing_id *id, bool exact)
{
	for (size_t i = 0; i < c->d->key.n; i++) {
		struct as_diff_row_key rk = as_diff_key_of(c->d, c->d->order[i]);

		if (as_slice_eq(rk.function, id->name) &&
			compare_base_is(rk.file, id->file, exact) &&
			compare_base_is(rk.object, id->object, exact))
			c->func.p[c->func.n++] = c->d->order[i];
	}
}

enum as_code as_compare_of_id(struct as_compare *c, const struct as_listing_id *id)
{
	AS_TRY(as_compare_no_funcs(c));
	compare_find_id(c, id, true);
	if (!c->func.n && id->name.len)
		compare_find_id(c, id, false);
	return c->func.n ? AS_OK : compare_wrong(c, AS_COMPARE_NO_FUNC, id->name);
}

static struct as_slice compare_name(const void *of, size_t i, uint32_t *row)
{
	const struct as_diff *d = of;

	*row = d->order[i];
	return as_diff_str(d, d->key.p[*row].name);
}

enum as_code as_compare_of_name(
	struct as_compare *c, struct as_slice what, const struct as_listing_how *how)
{
	struct as_named nm = {c->d->al, c->d, c->d->key.n, compare_name, &c->func, true};
	bool ok;

	c->func.n = 0;
	ok = as_named_wholly(&nm, what, how);
	if (ok && !c->func.n)
		ok = as_named_partly(&nm, what, how);
	AS_TRY(as_err_memory(&c->err, ok));
	return c->func.n ? AS_OK : compare_wrong(c, AS_COMPARE_NO_FUNC, what);
}

struct as_diff_view as_compare_view(struct as_compare *c)
{
	bool of_funcs = c->ask.kind == AS_DIFF_LIST || c->ask.kind == AS_DIFF_PEEK;

	as_assert(c->d->order);
	return (struct as_diff_view){.d = c->d,
		.event = c->event,
		.n_events = c->n_events,
		.kind = c->ask.kind,
		.sub = c->ask.kind == AS_DIFF_TABLE ? NULL : &c->sub,
		.tree = &c->tree,
		.lists = &c->lists,
		.func = c->func.p,
		.n_funcs = of_funcs ? c->func.n : 0};
}
