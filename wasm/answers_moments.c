/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moments: when everything was counted, as the model keeps it, with what a moment's numbers mean.
 * viewer/src/time/wire.ts reads it.
 */
#include "engine.h"
#include "model/whose.h"
#include "report/kit/json.h"
#include "report/views.h"

enum { MOMENTS_ALIGN = 8 };

static void moments_say_parts(struct as_json *j, const struct as_profile *prof)
{
	as_json_array(j, "parts");
	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];
		const struct as_whose w = as_part_whose(prof, i);

		as_json_object(j, NULL);
		as_json_val_or_null(j, "pid", w.has_pid, (as_val)w.pid);
		as_json_val_or_null(j, "tid", w.has_tid, (as_val)w.tid);
		as_json_text_or_null(j, "thread", w.thread);
		as_json_text_or_null(j, "state", w.state);
		as_json_text_or_null(j, "command", as_str_get(prof, p->command));
		as_json_text_or_null(j, "input", as_str_get(prof, p->name));
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void moments_say_functions(struct as_json *j, const struct as_profile *prof)
{
	as_json_array(j, "functions");
	for (uint32_t i = 0; i < prof->func.name.n; i++) {
		as_func func = {i};
		struct as_key key = {.func = func,
			.file = prof->func.file.p[i],
			.object = prof->func.object.p[i],
			.addr = prof->func.addr.p[i]};

		as_json_object(j, NULL);
		as_view_json_func(j, as_view_func(prof, as_func_name(prof, func), &key));
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void moments_say_head(struct as_json *j, const struct subject *s)
{
	const struct as_profile *prof = s->prof;

	as_json_object(j, NULL);
	as_json_text(j, "schema", as_slice_of("assay.moments/1"));
	as_json_events(j, prof, s->opts.event, s->opts.n_events);
	as_json_val(j, "event", s->opts.sort_event);
	as_json_val(j, "n", prof->moments.n);
	as_json_val(j, "blocks", (as_val)prof->moments.block.n);
	as_json_val(j, "nodes", (as_val)prof->node.parent.n);
	as_json_val(j, "bytes", (as_val)prof->moments.bytes.n);
	moments_say_parts(j, prof);
	moments_say_functions(j, prof);
	as_json_object_end(j);
	as_json_finish(j);
}

static void answers_moments_number(struct as_out *out, uint64_t v, size_t n)
{
	char bytes[sizeof(v)];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (char)(v >> 8 * i);
	as_out_bytes(out, bytes, n);
}

/* Of each block its first time, where it begins and how many it has; of each node its parent and
 * its function; and all blocks. */
static void answers_moments_columns(struct as_out *out, const struct as_profile *prof)
{
	const struct as_moments *m = &prof->moments;

	for (size_t i = 0; i < m->block.n; i++)
		answers_moments_number(out, (uint64_t)m->block.p[i].first, sizeof(uint64_t));
	for (size_t i = 0; i < m->block.n; i++)
		answers_moments_number(out, m->block.p[i].off, sizeof(uint32_t));
	for (size_t i = 0; i < m->block.n; i++)
		answers_moments_number(out, m->block.p[i].n, sizeof(uint32_t));
	for (size_t i = 0; i < prof->node.parent.n; i++)
		answers_moments_number(out, prof->node.parent.p[i].i, sizeof(uint32_t));
	for (size_t i = 0; i < prof->node.place.n; i++)
		answers_moments_number(
			out, prof->place.func.p[prof->node.place.p[i].i].i, sizeof(uint32_t));
	as_out_bytes(out, (const char *)m->bytes.p, m->bytes.n);
}

static enum as_code moments_say(const struct subject *s, struct as_out *out, struct failure *f)
{
	struct as_sink_mem head;
	struct as_out text;
	struct as_json j;
	enum as_code rc;

	as_sink_mem_init(&head, s->engine->al);
	rc = as_out_open(&text, s->engine->al, &head.sink, &f->err);
	if (rc == AS_OK) {
		as_json_init(&j, &text);
		moments_say_head(&j, s);
		rc = as_out_finish(&text);
	}
	if (rc == AS_OK && head.data.n <= UINT32_MAX) {
		answers_moments_number(out, head.data.n, sizeof(uint32_t));
		as_out_bytes(out, head.data.p, head.data.n);
		for (size_t at = sizeof(uint32_t) + head.data.n; at % MOMENTS_ALIGN; at++)
			as_out_char(out, 0);
		answers_moments_columns(out, s->prof);
	}
	as_sink_mem_release(&head);
	return rc == AS_OK ? AS_OK : as_failure_no_memory(f);
}

enum as_code as_engine_moments(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct subject s;
	enum as_code rc = as_subject_make(&s, e, q, f);

	if (rc == AS_OK && !s.prof->moments.n)
		rc = as_failure_set(f, AS_E_UNSUPPORTED, NULL,
			"the profile does not say when its samples were counted");
	if (rc == AS_OK)
		rc = moments_say(&s, out, f);
	as_subject_release(&s);
	return rc;
}
