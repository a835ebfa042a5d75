/* SPDX-License-Identifier: Apache-2.0 */
/* Parts become threads with numbers. docs/formats/traceevent.md, "What we write". */
#include "formats/traceevent/traceevent_write.h"

/* For parts without numbers: TID is behind all that there are, and so is PID; 0: no part has one,
 * and each may be a process. */
struct threads_unused {
	uint64_t pid, tid;
};

static struct threads_unused threads_find_unused(const struct as_profile *prof)
{
	struct threads_unused u = {0, 1};

	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *part = &prof->part.p[i];

		if (part->has_tid && part->tid >= u.tid)
			u.tid = (uint64_t)part->tid + 1;
		if (part->has_pid && part->pid >= u.pid)
			u.pid = (uint64_t)part->pid + 1;
	}
	return u;
}

static void threads_count_labels(struct te_write *w, uint32_t part, struct as_slice process)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(w->prof, part, &n);

	for (uint32_t i = 0; i < n; i++)
		w->n_labels += !as_slice_is(as_str_get(w->prof, label[i].key), "process") ||
			       !as_slice_eq(as_str_get(w->prof, label[i].text), process);
}

static enum as_code threads_part(
	struct te_write *w, struct as_index *all, uint32_t i, const struct threads_unused *unused)
{
	const struct as_part *part = &w->prof->part.p[i];
	uint64_t tid = part->has_tid ? part->tid : unused->tid + i;
	struct te_write_thread one = {.pid = part->has_pid ? part->pid
					     : unused->pid ? unused->pid
							   : tid,
		.tid = tid,
		.name = as_str_get(w->prof, part->thread),
		.process = as_str_get(w->prof, part->command)};
	uint64_t hash = as_hash_mix(one.pid, one.tid), at = AS_INDEX_START;
	uint32_t row;

	as_assert(i < w->prof->part.n);
	w->n_numbers += !part->has_tid || !part->has_pid;
	threads_count_labels(w, i, one.process);
	while (as_index_find(all, hash, &at, &row))
		if (w->thread.p[row].pid == one.pid && w->thread.p[row].tid == one.tid) {
			w->n_merged++;
			w->of_part[i] = row;
			return AS_OK;
		}
	w->of_part[i] = (uint32_t)w->thread.n;
	return as_err_memory(w->wr->err,
		as_vec_push(w->al, &w->thread, one) && as_index_add(all, hash, w->of_part[i]));
}

static void threads_name(struct te_write *w, uint32_t thread, const char *key, struct as_slice name)
{
	if (!name.len)
		return;
	as_te_write_row(w, "M", thread);
	as_out_printf(w->wr->out, ",\"name\":\"%s\"", key);
	as_te_write_text(w, ",\"args\":{\"name\":", name);
	as_out_text(w->wr->out, "}}");
}

/* To some viewers a trace whose list of events is empty is none, so a thread that has no name says
 * which one it is. */
static void threads_number(struct te_write *w, uint32_t thread)
{
	as_te_write_row(w, "M", thread);
	as_out_text(w->wr->out, ",\"name\":\"thread_sort_index\"");
	as_out_printf(w->wr->out, ",\"args\":{\"sort_index\":%" PRIu32 "}}", thread);
}

enum as_code as_te_write_threads(struct te_write *w)
{
	struct threads_unused unused = threads_find_unused(w->prof);
	struct as_index all;

	as_index_init(&all, w->al);
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->of_part, w->prof->part.n)));
	for (uint32_t i = 0; i < w->prof->part.n; i++)
		AS_TRY(threads_part(w, &all, i, &unused));
	for (uint32_t i = 0; i < w->thread.n; i++) {
		/* A process that has no name has that of its first thread. */
		if (!as_slice_eq(w->thread.p[i].process, w->thread.p[i].name))
			threads_name(w, i, "process_name", w->thread.p[i].process);
		threads_name(w, i, "thread_name", w->thread.p[i].name);
		if (!w->thread.p[i].process.len && !w->thread.p[i].name.len)
			threads_number(w, i);
	}
	return AS_OK;
}
