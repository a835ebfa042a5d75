/* SPDX-License-Identifier: Apache-2.0 */
/* From stacks of a call each to functions that call each other. */
#include "recording/calls_read.h"

struct calls_maker {
	const struct as_profile *prof;
	struct as_build b;
	as_func *func; /* of each of PROF's, 0 = not yet */
};

/* The outermost frame of the code at NODE: what is inlined there is part of it. */
static as_node calls_outermost(const struct as_profile *prof, as_node node)
{
	while (node.i && prof->place.inlined.p[prof->node.place.p[node.i].i])
		node = prof->node.parent.p[node.i];
	return node;
}

static enum as_code calls_func(struct calls_maker *m, as_func f, as_func *out)
{
	struct as_func_row row = as_func_get(m->prof, f), to = {.addr = row.addr};
	const struct as_object_row *o = &m->prof->object.p[row.object.i];

	if (m->func[f.i].i) {
		*out = m->func[f.i];
		return AS_OK;
	}
	AS_TRY(as_build_str(&m->b, as_str_get(m->prof, row.name), &to.name));
	AS_TRY(as_build_object(&m->b, as_str_get(m->prof, o->path), as_slice_of(""), &to.object));
	m->b.prof->object.p[to.object.i].addr_kind = o->addr_kind;
	AS_TRY(as_build_file(&m->b, as_file_path(m->prof, row.file), &to.file));
	AS_TRY(as_build_func_row(&m->b, &to, out));
	m->func[f.i] = *out;
	return AS_OK;
}

/* F's own file, and no line. */
static enum as_code calls_whole(struct calls_maker *m, as_func f, struct as_pos *out)
{
	*out = (struct as_pos){0};
	AS_TRY(calls_func(m, f, &out->func));
	out->file = m->b.prof->func.file.p[out->func.i];
	return AS_OK;
}

static enum as_code calls_pos(struct calls_maker *m, as_node node, struct as_pos *out)
{
	struct as_pos from = as_place_pos(m->prof, m->prof->node.place.p[node.i]);

	AS_TRY(calls_whole(m, from.func, out));
	if (!from.line)
		return AS_OK;
	out->line = from.line;
	return as_build_file(&m->b, as_file_path(m->prof, from.file), &out->file);
}

/* The call's line is known where it is in the caller's own code, and not in what that called and
 * nobody counts, or was inlined into. */
static enum as_code calls_site(
	struct calls_maker *m, as_node site, as_node caller, struct as_pos *out)
{
	as_func f = m->prof->place.func.p[m->prof->node.place.p[caller.i].i];

	if (!caller.i || m->prof->place.func.p[m->prof->node.place.p[site.i].i].i == f.i)
		return calls_pos(m, site, out);
	return calls_whole(m, f, out);
}

static enum as_code calls_add(struct calls_maker *m, size_t sample)
{
	const struct as_profile *prof = m->prof;
	const as_val *cost = prof->sample.cost.p + sample * AS_CALLS_EVENTS;
	as_node callee = calls_outermost(prof, prof->sample.node.p[sample]);
	as_node site = calls_outermost(prof, prof->node.parent.p[callee.i]);
	as_node caller = calls_outermost(prof, prof->node.parent.p[site.i]);
	uint32_t part = prof->sample.part.p[sample];
	struct as_call call = {.count = cost[AS_CALLS_COUNT]};
	struct as_pos to, from;

	AS_TRY(calls_pos(m, callee, &to));
	AS_TRY(calls_site(m, site, caller, &from));
	call.callee = to.func;
	call.line = to.line;
	AS_TRY(as_build_self(&m->b, part, &to, &cost[AS_CALLS_SELF], 1));
	return as_build_call(&m->b, part, &from, &call, &cost[AS_CALLS_INCLUSIVE], 1);
}

static enum as_code calls_make_part(struct calls_maker *m, size_t i)
{
	const struct as_part *from = &m->prof->part.p[i];
	struct as_part *to;
	uint32_t part;

	as_assert(i < m->prof->part.n);
	AS_TRY(as_build_part(&m->b, &part));
	to = &m->b.prof->part.p[part];
	AS_TRY(as_build_str(&m->b, as_str_get(m->prof, from->command), &to->command));
	AS_TRY(as_build_str(&m->b, as_str_get(m->prof, from->thread), &to->thread));
	to->pid = from->pid;
	to->tid = from->tid;
	to->has_pid = to->has_tid = true;
	to->positions = AS_POS_LINE;
	return as_build_meta(&m->b, part, as_slice_of("desc"),
		as_slice_of("Time that passed, by the processor's counter, with what counting "
			    "takes"));
}

static enum as_code calls_add_all(struct calls_maker *m)
{
	uint32_t event;

	AS_TRY(as_build_str(&m->b, as_slice_of("callgrind"), &m->b.prof->format));
	AS_TRY(as_build_event(&m->b, as_slice_of("ns"), as_slice_of("nanoseconds"), &event));
	AS_TRY(as_build_str(&m->b, as_slice_of("Nanoseconds"), &m->b.prof->event.p[event].title));
	for (size_t i = 0; i < m->prof->part.n; i++)
		AS_TRY(calls_make_part(m, i));
	for (size_t i = 0; i < m->prof->sample.node.n; i++)
		AS_TRY(calls_add(m, i));
	return AS_OK;
}

enum as_code as_calls_make(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	struct calls_maker m = {.prof = prof};
	enum as_code rc;

	as_assert(as_n_events(prof) == AS_CALLS_EVENTS);
	AS_TRY(as_build_init(&m.b, prof->al, err));
	rc = as_alloc_array(prof->al, &m.func, prof->func.name.n) ? calls_add_all(&m) : AS_E_NOMEM;
	if (m.func)
		as_alloc_free(prof->al, m.func, prof->func.name.n * sizeof(*m.func) + 1);
	if (rc == AS_OK)
		return as_build_finish(&m.b, out);
	as_build_free(&m.b);
	return rc;
}
