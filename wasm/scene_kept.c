/* SPDX-License-Identifier: Apache-2.0 */
/* Results that are kept from one question to the next. */
#include "scene.h"

/* ---- functions ---- */

static enum as_code listings_of(const struct subject *s, const struct as_profile *prof,
	const struct as_listing_opts *opts, struct scene_listings *l, struct failure *f)
{
	enum as_code rc;

	if (l->ls && l->keep_contexts == opts->keep_contexts && l->event == opts->event)
		return AS_OK;
	as_listings_free(l->ls);
	l->ls = NULL;
	rc = as_listings_open(&l->ls, prof, opts, &f->err);
	if (rc != AS_OK) {
		as_listings_free(l->ls);
		l->ls = NULL;
		return rc;
	}
	l->keep_contexts = s->keep_contexts;
	l->event = opts->event;
	return AS_OK;
}

enum as_code as_scene_listings(
	const struct subject *s, bool by_addr, struct as_listings **ls, struct failure *f)
{
	struct as_listing_opts opts = {.keep_contexts = s->keep_contexts,
		.no_cycles = s->no_cycles,
		.want_edges = true,
		.event = s->opts.sort_event};
	struct scene_listings *l = &s->scene->listings;

	AS_TRY(listings_of(s, s->prof, &opts, l, f));
	as_listings_by_addr(l->ls, by_addr);
	*ls = l->ls;
	return AS_OK;
}

enum as_code as_scene_listings_of_paths(
	const struct subject *s, struct as_listings **ls, struct failure *f)
{
	struct as_listing_opts opts = {.keep_contexts = s->keep_contexts,
		.no_cycles = s->no_cycles,
		.event = s->opts.sort_event};
	struct scene_listings *l = &s->scene->of_paths;

	/* Trees that come straight out of calls have the profile's own functions. */
	if (s->scene->paths.marked && s->prof == s->scene->prof)
		return as_scene_listings(s, false, ls, f);
	AS_TRY(listings_of(s, s->scene->paths.prof, &opts, l, f));
	*ls = l->ls;
	return AS_OK;
}

enum as_code as_scene_find(const struct subject *s, struct as_listings *ls, struct failure *f)
{
	if (!s->func)
		return as_failure_set(f, AS_E_ARG, "func", "no function is named");
	AS_TRY(as_listings_find_id(ls, s->func, &f->err));
	if (as_listings_n(ls))
		return AS_OK;
	return as_failure_set(f, AS_E_ARG, "func", "there is no such function%s",
		s->scene->filters ? " in what the filters leave" : "");
}

/* ---- paths ---- */

static enum as_code make_paths(const struct subject *s, struct failure *f)
{
	struct scene *scene = s->scene;
	enum as_code rc;

	if (scene->paths_made && scene->paths.src == s->prof &&
		scene->paths_keep_contexts == s->keep_contexts)
		return AS_OK;
	as_scene_drop_paths(scene);
	rc = as_path_source_make(&scene->paths, s->prof, true, &f->err);
	if (rc != AS_OK) {
		as_path_source_release(&scene->paths);
		return rc;
	}
	scene->paths_made = true;
	scene->paths_keep_contexts = s->keep_contexts;
	return AS_OK;
}

enum as_code as_scene_paths(
	const struct subject *s, const struct as_path_source **paths, struct failure *f)
{
	AS_TRY(make_paths(s, f));
	*paths = &s->scene->paths;
	return AS_OK;
}

static bool is_tree(
	const struct scene_tree *t, enum as_tree_way way, const struct as_calltree_root *of)
{
	return t->made && t->way == way &&
	       (!of || (of->func.i == t->of.func.i && of->addr == t->of.addr));
}

enum as_code as_scene_tree(const struct subject *s, enum as_tree_way way,
	const struct as_calltree_root *of, struct as_calltree **ct, struct failure *f)
{
	struct scene_tree *t = of ? &s->scene->one : &s->scene->all;
	struct as_path_tree_opts opts = {.keep_contexts = s->keep_contexts,
		.no_cycles = s->no_cycles,
		.way = way,
		.of = of,
		.keep_paths = true};
	enum as_code rc;

	as_assert(of || way != AS_TREE_CALLERS);
	AS_TRY(make_paths(s, f));
	*ct = &t->ct;
	if (is_tree(t, way, of))
		return AS_OK;
	if (t->made) {
		as_scene_drop_keepsake(s->scene);
		as_calltree_release(&t->ct);
	}
	rc = as_path_source_tree(&s->scene->paths, &opts, &t->ct, &f->err);
	t->made = rc == AS_OK;
	if (rc != AS_OK) {
		as_calltree_release(&t->ct);
		return rc;
	}
	t->way = way;
	if (of)
		t->of = *of;
	return AS_OK;
}

/* ---- tables ---- */

static bool is_top(const struct scene_top *t, const struct subject *s, const struct as_top_opts *o)
{
	return t->made && t->opts.project.by == o->project.by &&
	       t->keep_contexts == s->keep_contexts &&
	       t->opts.view.sort_event == o->view.sort_event &&
	       t->opts.sort_inclusive == o->sort_inclusive;
}

/* If more rows are asked for, eight times as many are sorted. */
static enum as_code scene_kept_order(struct as_top *top, size_t n, struct failure *f)
{
	bool enough = n ? n <= top->n_ordered : top->n_ordered >= top->n_rows;

	return enough ? AS_OK : as_top_order(top, n < SIZE_MAX / 8 ? 8 * n : 0, &f->err);
}

enum as_code as_scene_top(const struct subject *s, const struct as_top_opts *opts,
	const struct as_top **top, struct failure *f)
{
	struct scene_top *t = s->scene->top;
	enum as_code rc;

	for (size_t i = 0; i < TOPS; i++) {
		if (is_top(&s->scene->top[i], s, opts)) {
			s->scene->top[i].asked = s->engine->clock;
			*top = &s->scene->top[i].top;
			return scene_kept_order(&s->scene->top[i].top, opts->ordered, f);
		}
		if (s->scene->top[i].asked < t->asked)
			t = &s->scene->top[i];
	}
	if (t->made)
		as_top_release(&t->top);
	rc = as_top_make(&t->top, s->scene->prof, opts, &f->err);
	t->made = rc == AS_OK;
	if (rc != AS_OK) {
		as_top_release(&t->top);
		return rc;
	}
	t->opts = *opts;
	t->keep_contexts = s->keep_contexts;
	t->asked = s->engine->clock;
	*top = &t->top;
	return AS_OK;
}

struct as_keepsake *as_scene_keepsake(const struct subject *s)
{
	return &s->scene->keepsake;
}
