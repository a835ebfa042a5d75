/* SPDX-License-Identifier: Apache-2.0 */
/* filters: what they leave, what they lose, and which of them match nothing. */
#include "change/transform.h"
#include "report/kit/json.h"
#include "scene.h"

static void say_losses(struct as_json *j, const struct as_losses *l, struct as_arena *ar)
{
	char number[AS_VAL_TEXT];

	as_json_array(j, "losses");
	for (size_t i = 0; i < l->row.n; i++)
		as_json_text(j, NULL,
			as_arena_printf(ar, "%s %.*s", as_loss_number(&l->row.p[i], number),
				AS_SLICE_FMT(l->row.p[i].text)));
	as_json_array_end(j);
}

/* In the order of the question. */
static void say_matched(struct as_json *j, const struct as_filters *f)
{
	as_json_array(j, "matched");
	for (size_t i = 0; f && i < f->item.n; i++)
		as_json_bool(j, NULL, f->item.p[i].matched);
	as_json_array_end(j);
}

enum as_code as_engine_filters(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	uint32_t n, *event;
	struct scene *s;
	struct as_arena ar;
	struct as_json j;

	AS_TRY(as_scene_get(e, q, AS_DETAIL_FUNC, &s, f));
	n = as_n_events(s->prof);
	as_arena_init(&ar, e->al);
	event = as_arena_get(&ar, (n + 1) * sizeof(*event));
	if (!event)
		return as_failure_no_memory(f);
	for (uint32_t i = 0; i < n; i++)
		event[i] = i;
	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.filters/1"));
	as_json_profile(&j, s->prof, NULL, &e->name, e->name[0] != 0);
	as_json_events(&j, s->prof, event, n);
	as_json_bool(&j, "estimated", s->left.estimated);
	as_json_val(&j, "moments", s->prof->moments.n);
	as_json_bool(&j, "inlined", as_has_inlined(s->prof));
	say_losses(&j, &s->losses, &ar);
	say_matched(&j, s->filters);
	as_json_object_end(&j);
	as_json_finish(&j);
	as_arena_release(&ar);
	return AS_OK;
}
