/* SPDX-License-Identifier: Apache-2.0 */
#include "model/profile.h"

bool as_path_is_file(struct as_slice path)
{
	static const char *const none[] = {
		"[", "//anon", "anon_inode:", "/dev/", "/memfd:", "/SYSV"};

	for (size_t i = 0; i < AS_ARRAY_LEN(none); i++)
		if (as_slice_starts(path, none[i]))
			return as_slice_is(path, AS_PATH_PROGRAM);
	return path.len > 0;
}

bool as_path_is_gap(struct as_slice path)
{
	return as_slice_is(path, "[truncated]") || as_slice_is(path, "[lost]") ||
	       as_slice_is(path, "[unsampled]");
}

uint64_t as_unit_nanos(struct as_slice unit)
{
	static const struct {
		const char *name;
		uint64_t nanos;
	} known[] = {
		{"nanoseconds", 1},
		{"microseconds", 1000},
		{"milliseconds", 1000000},
		{"seconds", 1000000000},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(known); i++)
		if (as_slice_is(unit, known[i].name))
			return known[i].nanos;
	return 0;
}

bool as_profile_is_from(const struct as_profile *prof, const char *format)
{
	return as_slice_is(as_str_get(prof, prof->format), format);
}

bool as_profile_event(const struct as_profile *prof, struct as_slice name, uint32_t *event)
{
	for (uint32_t e = 0; e < as_n_events(prof); e++)
		if (as_slice_eq(as_str_get(prof, prof->event.p[e].name), name)) {
			*event = e;
			return true;
		}
	return false;
}

void as_profile_drop_paths(struct as_profile *prof)
{
	const struct as_alloc *al;

	if (!prof)
		return;
	al = prof->al;
	as_vec_free(al, &prof->place.func);
	as_vec_free(al, &prof->place.file);
	as_vec_free(al, &prof->place.line);
	as_vec_free(al, &prof->place.addr);
	as_vec_free(al, &prof->place.inlined);
	as_vec_free(al, &prof->place.column);
	as_vec_free(al, &prof->place.folded);
	as_vec_free(al, &prof->place.extra);
	as_vec_free(al, &prof->node.parent);
	as_vec_free(al, &prof->node.place);
	as_vec_free(al, &prof->sample.part);
	as_vec_free(al, &prof->sample.node);
	as_vec_free(al, &prof->sample.cost);
	as_vec_free(al, &prof->sample.order);
	as_moments_release(&prof->moments, al);
}

void as_profile_free(struct as_profile *prof)
{
	const struct as_alloc *al;

	if (!prof)
		return;
	al = prof->al;
	as_profile_drop_paths(prof);
	as_vec_free(al, &prof->event);
	as_vec_free(al, &prof->derived);
	as_vec_free(al, &prof->object);
	as_vec_free(al, &prof->map);
	as_vec_free(al, &prof->part);
	as_vec_free(al, &prof->label);
	as_vec_free(al, &prof->meta);
	as_vec_free(al, &prof->file);
	as_vec_free(al, &prof->func.name);
	as_vec_free(al, &prof->func.object);
	as_vec_free(al, &prof->func.file);
	as_vec_free(al, &prof->func.addr);
	as_vec_free(al, &prof->func.system);
	as_vec_free(al, &prof->func.line);
	as_vec_free(al, &prof->func.extra);
	as_vec_free(al, &prof->func.whole);
	as_vec_free(al, &prof->sums.func);
	as_vec_free(al, &prof->sums.cost);
	as_vec_free(al, &prof->sums.recursive);
	if (as_stacks_any(&prof->stacks))
		as_stacks_release(&prof->stacks);
	as_rows_release(&prof->self);
	as_rows_release(&prof->call);
	as_rows_release(&prof->jump);
	as_strings_release(&prof->strings);
	as_arena_release(&prof->arena);
	as_alloc_free(al, prof, sizeof(*prof));
}

void as_profile_replace(struct as_profile **prof, struct as_profile *by)
{
	if (!by)
		return;
	as_profile_free(*prof);
	*prof = by;
}

const char *as_shape_text(const struct as_profile *prof)
{
	if (prof->shape & AS_SHAPE_PATHS)
		return "paths";
	return prof->shape & AS_SHAPE_CALLS ? "calls" : "places";
}

struct as_slice as_meta_get(const struct as_profile *prof, uint32_t part, const char *key)
{
	for (size_t i = 0; i < prof->meta.n; i++) {
		const struct as_meta *m = &prof->meta.p[i];

		if (m->part == part && as_slice_is(as_str_get(prof, m->key), key))
			return as_str_get(prof, m->text);
	}
	return (struct as_slice){NULL, 0};
}
