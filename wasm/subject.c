/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the subject of a question: profile, events, function. */
#include "change/transform.h"
#include "scene.h"
#include "session/choose.h"

static enum as_code no_event(struct as_slice name, const char *word, struct failure *f)
{
	return as_failure_set(
		f, AS_E_ARG, word, "the profile has no event '%.*s'", AS_SLICE_FMT(name));
}

/* "Ir,Dr": the columns of the answer; all where nothing is said. */
static enum as_code subject_choose_events(
	struct subject *s, const struct question *q, struct failure *f)
{
	struct as_slice list = as_question_word(q, "event"), sort = as_question_word(q, "sort"),
			which;
	struct as_events all = as_events_of(s->prof);
	struct as_view_opts *opts = &s->opts;
	enum as_events_fault fault = AS_EVENTS_OK;

	if (list.len)
		fault = as_events_choose(all, list, s->event, &opts->n_events, &which);
	if (fault == AS_EVENTS_UNKNOWN)
		return no_event(which, "event", f);
	if (fault == AS_EVENTS_TWICE)
		return as_failure_set(f, AS_E_ARG, "event", "an event is named twice");
	for (uint32_t i = 0; !list.len && i < as_n_events(s->prof); i++)
		s->event[opts->n_events++] = i;
	opts->sort_event = opts->n_events ? s->event[0] : 0;
	if (sort.len && !as_events_find(all, sort, &opts->sort_event))
		return no_event(sort, "sort", f);
	return AS_OK;
}

struct as_listing_id as_question_func(const struct question *q)
{
	return (struct as_listing_id){as_question_word(q, "func"), as_question_word(q, "func-file"),
		as_question_word(q, "func-object"), 0};
}

static enum as_code choose_func(struct subject *s, const struct question *q, struct failure *f)
{
	struct as_listing_id id = as_question_func(q);
	struct as_slice addr = as_question_word(q, "func-address");

	if (!as_listing_id_is_set(&id) && !addr.p)
		return AS_OK;
	if (addr.len && !as_slice_num(addr, &id.addr))
		return as_failure_set(f, AS_E_ARG, "func-address", "expected an address, 0x1234");
	s->func = as_alloc_new(s->engine->al, sizeof(*s->func));
	if (!s->func)
		return as_failure_no_memory(f);
	*s->func = id;
	return AS_OK;
}

enum as_code as_subject_make(
	struct subject *s, struct engine *e, const struct question *q, struct failure *f)
{
	return as_subject_make_detail(s, e, q, AS_DETAIL_FUNC, f);
}

enum as_code as_subject_make_detail(struct subject *s, struct engine *e, const struct question *q,
	enum as_detail detail, struct failure *f)
{
	static const char *const contexts[] = {"fold", "keep", NULL};
	unsigned keep = 0;

	*s = (struct subject){.engine = e};
	AS_TRY(as_question_choice(q, "contexts", contexts, &keep, f));
	AS_TRY(as_scene_get(e, q, detail, &s->scene, f));
	AS_TRY(as_scene_left(s->scene, f));
	s->prof = s->scene->prof;
	s->keep_contexts = keep;
	s->no_cycles = s->scene->no_cycles;
	s->size = (as_n_events(s->prof) + 1) * sizeof(*s->event);
	s->event = as_alloc_new(e->al, s->size);
	if (!s->event)
		return as_failure_no_memory(f);
	s->opts = (struct as_view_opts){
		.event = s->event, .files = &e->name, .n_files = e->name[0] != 0};
	AS_TRY(choose_func(s, q, f));
	return subject_choose_events(s, q, f);
}

void as_subject_release(struct subject *s)
{
	as_alloc_free(s->engine->al, s->event, s->size);
	as_alloc_free(s->engine->al, s->func, sizeof(*s->func));
}

enum as_code as_subject_wants_calls(const struct subject *s, struct failure *f)
{
	if (s->prof->call.n || s->prof->sample.node.n || !s->prof->self.n)
		return AS_OK;
	return as_failure_set(
		f, AS_E_UNSUPPORTED, NULL, "the profile says where cost was, not who called whom");
}

enum as_code as_subject_one_event(struct subject *s, struct failure *f)
{
	struct scene *scene = s->scene;
	uint32_t event = s->opts.sort_event;

	if (!s->prof->call.n || as_n_events(s->prof) < 2)
		return AS_OK;
	if (!scene->picked || scene->picked_event != event) {
		as_scene_drop_paths(scene);
		as_profile_free(scene->picked);
		scene->picked = NULL;
		AS_TRY(as_pick_events(s->prof, &event, 1, &scene->picked, &f->err));
		scene->picked_event = event;
	}
	s->prof = scene->picked;
	as_assert(as_n_events(s->prof) == 1);
	s->event[0] = s->opts.sort_event = 0;
	s->opts.n_events = 1;
	return AS_OK;
}

enum as_code as_question_min(const struct question *q, as_val total, as_val *min, struct failure *f)
{
	struct as_slice text = as_question_word(q, "min");

	if (as_min_of(text.p ? text : as_slice_of("0.5%"), total, min))
		return AS_OK;
	return as_failure_set(
		f, AS_E_ARG, "min", "expected a share of the total or a cost, as in 0.5%% or 1000");
}
