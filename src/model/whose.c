/* SPDX-License-Identifier: Apache-2.0 */
#include "model/whose.h"

/* A number, in whichever way it is written. */
static bool whose_number(
	const struct as_profile *prof, const struct as_label *label, uint64_t *number)
{
	if (label->text.i)
		return as_slice_dec(as_str_get(prof, label->text), number);
	*number = (uint64_t)label->number;
	return label->number >= 0;
}

static void whose_label(
	const struct as_profile *prof, const struct as_label *label, struct as_whose *w)
{
	struct as_slice key = as_str_get(prof, label->key);

	if (as_slice_is(key, "process") && label->text.i && !w->process.len)
		w->process = as_str_get(prof, label->text);
	else if (as_slice_is(key, "comm") && !w->thread.len)
		w->thread = as_str_get(prof, label->text);
	else if (as_slice_is(key, AS_STATE))
		w->state = as_str_get(prof, label->text);
	else if ((as_slice_is(key, "pid") || (as_slice_is(key, "process") && !label->text.i)) &&
		 !w->has_pid)
		w->has_pid = whose_number(prof, label, &w->pid);
	else if (as_slice_is(key, "tid") && !w->has_tid)
		w->has_tid = whose_number(prof, label, &w->tid);
}

struct as_whose as_part_whose(const struct as_profile *prof, size_t part)
{
	const struct as_part *p = &prof->part.p[part];
	struct as_whose w = {.has_pid = p->has_pid,
		.has_tid = p->has_tid,
		.pid = p->pid,
		.tid = p->tid,
		.thread = as_str_get(prof, p->thread)};
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, part, &n);

	as_assert(part < prof->part.n);
	for (uint32_t i = 0; i < n; i++)
		if (!label[i].opaque)
			whose_label(prof, &label[i], &w);
	if (!w.process.len)
		w.process = w.thread;
	return w;
}
