/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: what a profile holds, apart from its facts. */
#include "lib/lib_impl.h"

_Static_assert((int)ASSAY_SHAPE_PLACES == (int)AS_SHAPE_PLACES, "shapes differ");
_Static_assert((int)ASSAY_SHAPE_CALLS == (int)AS_SHAPE_CALLS, "shapes differ");
_Static_assert((int)ASSAY_SHAPE_PATHS == (int)AS_SHAPE_PATHS, "shapes differ");
_Static_assert((int)ASSAY_ADDRESS_FILE_OFFSET == (int)AS_ADDR_FILE_OFFSET, "addresses differ");
_Static_assert((int)ASSAY_ADDRESS_VIRTUAL == (int)AS_ADDR_VIRTUAL, "addresses differ");
_Static_assert((int)ASSAY_ADDRESS_ABSOLUTE == (int)AS_ADDR_ABSOLUTE, "addresses differ");

void assay_profile_free(struct assay_profile *prof)
{
	as_profile_free((struct as_profile *)(void *)prof);
}

static struct assay_slice lib_query_text(const struct as_profile *prof, as_str s)
{
	return as_lib_slice(as_str_get(prof, s));
}

enum assay_code assay_profile_info(const struct assay_profile *profile, struct assay_info *out)
{
	const struct as_profile *prof = as_lib_profile(profile);
	struct assay_info own = {0};

	if (!prof)
		return ASSAY_E_ARG;
	own.format = lib_query_text(prof, prof->format);
	own.version = lib_query_text(prof, prof->version);
	own.epoch = lib_query_text(prof, prof->epoch);
	own.shapes = prof->shape;
	own.estimated = prof->estimated;
	own.partial = prof->partial;
	own.n_events = as_n_events(prof);
	own.n_parts = (uint32_t)prof->part.n;
	own.n_objects = (uint32_t)prof->object.n;
	own.n_files = (uint32_t)prof->file.n;
	own.n_functions = (uint32_t)prof->func.name.n;
	own.n_self = prof->self.n;
	own.n_calls = prof->call.n;
	own.n_jumps = prof->jump.n;
	own.n_samples = prof->sample.node.n;
	own.path_depth = prof->path_depth;
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_event_get(const struct assay_profile *p, uint32_t i, struct assay_event *out)
{
	const struct as_profile *prof = as_lib_profile(p);
	struct assay_event own = {0};

	if (!prof || i >= prof->event.n)
		return ASSAY_E_ARG;
	own.name = lib_query_text(prof, prof->event.p[i].name);
	own.unit = lib_query_text(prof, prof->event.p[i].unit);
	own.title = lib_query_text(prof, prof->event.p[i].title);
	own.period = prof->event.p[i].period;
	own.period_unit = lib_query_text(prof, prof->event.p[i].period_unit);
	own.total = as_lib_value(prof->total[i]);
	own.whole = as_lib_value(as_whole(prof)[i]);
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_part_get(const struct assay_profile *p, uint32_t i, struct assay_part *out)
{
	const struct as_profile *prof = as_lib_profile(p);
	struct assay_part own = {0};
	const struct as_part *part;

	if (!prof || i >= prof->part.n)
		return ASSAY_E_ARG;
	part = &prof->part.p[i];
	own.name = lib_query_text(prof, part->name);
	own.command = lib_query_text(prof, part->command);
	own.creator = lib_query_text(prof, part->creator);
	own.thread = lib_query_text(prof, part->thread);
	own.pid = part->pid;
	own.tid = part->tid;
	own.number = part->number;
	own.has_pid = part->has_pid;
	own.has_tid = part->has_tid;
	own.has_number = part->has_number;
	for (uint32_t k = 0; k < part->n_labels; k++)
		own.n_labels += !prof->label.p[part->first_label + k].opaque;
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_label_get(
	const struct assay_profile *p, uint32_t part, uint32_t i, struct assay_label *out)
{
	const struct as_profile *prof = as_lib_profile(p);
	struct assay_label own = {0};
	const struct as_label *label;
	uint32_t n;

	if (!prof || part >= prof->part.n)
		return ASSAY_E_ARG;
	label = as_part_labels(prof, part, &n);
	/* What the source has beside its labels has no key, and stands in front. */
	for (uint32_t k = 0; k < n && k <= i && !label[k].key.i; k++)
		i += label[k].opaque;
	if (i >= n)
		return ASSAY_E_ARG;
	own.key = lib_query_text(prof, label[i].key);
	own.text = lib_query_text(prof, label[i].text);
	own.number = label[i].number;
	own.unit = lib_query_text(prof, label[i].unit);
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_object_get(
	const struct assay_profile *p, uint32_t i, struct assay_object *out)
{
	const struct as_profile *prof = as_lib_profile(p);
	struct assay_object own = {0};
	const struct as_object_row *row;

	if (!prof || i >= prof->object.n)
		return ASSAY_E_ARG;
	row = &prof->object.p[i];
	own.path = lib_query_text(prof, row->path);
	own.id = lib_query_text(prof, row->id);
	own.text_start = row->text_start;
	own.text_size = row->text_size;
	own.address_kind = (enum assay_address_kind)row->addr_kind;
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_file_get(const struct assay_profile *p, uint32_t i, struct assay_slice *out)
{
	const struct as_profile *prof = as_lib_profile(p);

	if (!prof || !out || i >= prof->file.n)
		return ASSAY_E_ARG;
	*out = lib_query_text(prof, prof->file.p[i]);
	return ASSAY_OK;
}

enum assay_code assay_function_get(
	const struct assay_profile *p, uint32_t i, struct assay_function *out)
{
	const struct as_profile *prof = as_lib_profile(p);
	struct assay_function own = {0};

	if (!prof || i >= prof->func.name.n)
		return ASSAY_E_ARG;
	own.name = lib_query_text(prof, prof->func.name.p[i]);
	own.object = prof->func.object.p[i].i;
	own.file = prof->func.file.p[i].i;
	own.address = prof->func.addr.p[i];
	return as_lib_give(out, &own, sizeof(own));
}
