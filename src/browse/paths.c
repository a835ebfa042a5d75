/* SPDX-License-Identifier: Apache-2.0 */
#include "browse/paths.h"

#include "change/transform.h"
#include "picture/flame.h"
#include "session/choose.h"

bool as_browse_paths_are(const struct as_browse_paths *p, const struct as_browse *b)
{
	return p->of && p->of == b->prof && p->of_event == b->st.event &&
	       p->bottom_up == b->st.bottom_up;
}

void as_browse_paths_release(struct as_browse_paths *p)
{
	if (p->has_view)
		as_tree_view_release(&p->view);
	if (p->has_ct)
		as_calltree_release(&p->ct);
	if (p->has_source)
		as_path_source_release(&p->source);
	as_profile_free(p->picked);
	*p = (struct as_browse_paths){.of = NULL};
}

/* Out of calls paths are estimated for each event: one is enough. */
static enum as_code paths_pick(struct as_browse_paths *p, struct as_browse *b, struct as_err *err)
{
	p->prof = b->prof;
	p->event = b->st.event;
	if (!b->prof->call.n || as_n_events(b->prof) < 2)
		return AS_OK;
	AS_TRY(as_pick_events(b->prof, &p->event, 1, &p->picked, err));
	p->picked->shown = b->prof->shown;
	p->prof = p->picked;
	p->event = 0;
	return AS_OK;
}

static enum as_code paths_try(struct as_browse_paths *p, struct as_browse *b, const char *min,
	size_t boxes, struct as_err *err)
{
	const struct as_asked_view *asked = &b->ses.opt.view;
	struct as_path_tree_opts opts = {.keep_contexts = asked->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = asked->cycles == AS_CYCLES_NO};
	struct as_tree_opts view = {.depth = AS_VIEW_LEVELS};

	AS_TRY(paths_pick(p, b, err));
	p->has_source = true;
	AS_TRY(as_path_source_make(&p->source, p->prof, true, err));
	view.way = opts.way = p->bottom_up ? AS_TREE_BOTTOM_UP : AS_TREE_CALLEES;
	view.event = opts.event = p->event;
	if (min && !as_min_of(as_slice_of(min), p->source.prof->total[p->event], &view.min))
		view.min = 0;
	opts.min = view.min;
	p->has_ct = true;
	AS_TRY(as_path_source_tree(&p->source, &opts, &p->ct, err));
	if (!min)
		AS_TRY(as_flame_least(&p->ct, &view, boxes, &view.min));
	p->has_view = true;
	return as_tree_view_make(&p->view, &p->ct, &view, err);
}

enum as_exit as_browse_paths_make(
	struct as_browse_paths *p, struct as_browse *b, const char *min, size_t boxes)
{
	struct as_err err = AS_ERR_NONE;

	as_browse_paths_release(p);
	p->of = b->prof;
	p->of_event = b->st.event;
	p->bottom_up = b->st.bottom_up;
	if (paths_try(p, b, min, boxes, &err) == AS_OK)
		return AS_EXIT_OK;
	as_browse_paths_release(p);
	return as_say_failed(&b->ses, &err, NULL);
}
