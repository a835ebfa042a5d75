/* SPDX-License-Identifier: Apache-2.0 */
/* What a question is about. */
#include "engine.h"

static enum as_code choose_event(struct subject *s, const struct question *q, struct failure *f)
{
	struct as_slice name = as_question_word(q, "sort");
	const struct as_profile *prof = s->prof;

	for (uint32_t i = 0; i < s->opts.n_events; i++)
		if (!name.len || as_slice_eq(as_str_get(prof, prof->event.p[i].name), name)) {
			s->opts.sort_event = i;
			return AS_OK;
		}
	if (!name.len)
		return AS_OK;
	return as_failure_set(f, AS_E_ARG, "sort", "the profile has no event '%.100s'", name.p);
}

enum as_code as_subject_make(
	struct subject *s, struct engine *e, const struct question *q, struct failure *f)
{
	static const char *const contexts[] = {"fold", "keep", NULL};
	unsigned keep = 0;
	uint32_t n = as_n_events(e->prof);

	*s = (struct subject){.prof = e->prof, .al = e->al};
	AS_TRY(as_question_choice(q, "contexts", contexts, &keep, f));
	s->keep_contexts = keep;
	s->size = (n + 1) * sizeof(*s->event);
	s->event = as_alloc_new(e->al, s->size);
	if (!s->event)
		return as_failure_no_memory(f);
	for (uint32_t i = 0; i < n; i++)
		s->event[i] = i;
	s->opts = (struct as_view_opts){
		.event = s->event, .n_events = n, .files = &e->name, .n_files = e->name[0] != 0};
	return choose_event(s, q, f);
}

void as_subject_release(struct subject *s)
{
	as_alloc_free(s->al, s->event, s->event ? s->size : 0);
}
