/* SPDX-License-Identifier: Apache-2.0 */
/* When samples were taken, and of which thread: what assay's recorder writes behind stacks if it is
 * asked to. docs/formats/gperf.md §11. */
#include "formats/gperf/gperf.h"
#include "formats/run_text.h"

enum { GP_MARKS = 2, GP_MARK_SHIFT = 56 };

#define GP_NO_MARK ((UINT64_C(1) << GP_MARK_SHIFT) - 1) /* of the thread alone */

bool as_gp_when_take(struct as_gp_read *g, const char *p, uint32_t *depth)
{
	struct as_gp_when when = {.time = GP_NO_TIME};

	if (*depth > GP_MARKS) {
		const char *marks = p + (size_t)(*depth - GP_MARKS) * g->layout.width;
		uint64_t thread = gp_slot(marks, g->layout);
		uint64_t time = gp_slot(marks + g->layout.width, g->layout);

		if (thread >> GP_MARK_SHIFT == GP_MARK_THREAD &&
			time >> GP_MARK_SHIFT == GP_MARK_TIME) {
			when.tid = (uint32_t)thread;
			when.time = time & GP_NO_MARK;
			if (when.time == GP_NO_MARK)
				when.time = GP_NO_TIME;
			*depth -= GP_MARKS;
		}
	}
	return as_vec_push(g->al, &g->when, when);
}

/* ---- threads ---- */

static enum as_code when_need_thread(struct as_gp_read *g, uint32_t tid, struct as_gp_thread **out)
{
	struct as_gp_thread fresh = {.tid = tid, .part = UINT32_MAX};
	uint64_t at = AS_INDEX_START, hash = as_hash_mix(tid, 1);
	uint32_t row;

	while (as_index_find(&g->threads, hash, &at, &row)) {
		*out = &g->thread.p[row];
		if ((*out)->tid == tid)
			return AS_OK;
	}
	if (!as_index_add(&g->threads, hash, (uint32_t)g->thread.n) ||
		!as_vec_push(g->al, &g->thread, fresh))
		return as_err_no_memory(g->rd->err);
	*out = &g->thread.p[g->thread.n - 1];
	return AS_OK;
}

enum as_code as_gp_when_line(struct as_gp_read *g, struct as_slice line, bool *is)
{
	static const char key[] = "assay: name of thread ";
	struct as_gp_thread *thread;
	struct as_slice name;
	uint64_t tid;
	size_t n;

	*is = false;
	if (!g->timed || !as_slice_starts(line, key))
		return AS_OK;
	line = as_slice_skip(line, sizeof(key) - 1);
	n = as_slice_find_text(line, ": ");
	if (n >= line.len || !as_slice_dec((struct as_slice){line.p, n}, &tid) ||
		tid > UINT32_MAX || !as_run_unescape(&g->arena, as_slice_skip(line, n + 2), &name))
		return AS_OK;
	*is = true;
	AS_TRY(as_err_memory(g->rd->err, name.p));
	AS_TRY(when_need_thread(g, (uint32_t)tid, &thread));
	thread->name = name;
	return AS_OK;
}

/* The first thread has the profile's part, all others have one like it. The name of the only thread
 * may be known by other lines, and stays where none is by its number. */
static enum as_code when_part(struct as_gp_read *g, uint32_t tid, uint32_t *out)
{
	struct as_build *b = g->rd->out;
	struct as_gp_thread *thread;
	struct as_part *part;

	AS_TRY(when_need_thread(g, tid, &thread));
	*out = thread->part;
	if (*out != UINT32_MAX)
		return AS_OK;
	*out = g->part;
	if (b->prof->part.p[g->part].has_tid)
		AS_TRY(as_build_part(b, out));
	thread->part = *out;
	part = &b->prof->part.p[*out];
	*part = b->prof->part.p[g->part];
	part->tid = tid;
	part->has_tid = true;
	if (*out == g->part && !thread->name.len)
		return AS_OK;
	return as_build_str(b, thread->name, &part->thread);
}

/* Without times threads are told apart by labels, and what is said of the process stays whole. */
static enum as_code when_label(struct as_gp_read *g, uint32_t tid, uint32_t *out)
{
	struct as_build *b = g->rd->out;
	struct as_label label[2] = {{.number = tid}};
	struct as_gp_thread *thread;

	AS_TRY(when_need_thread(g, tid, &thread));
	AS_TRY(as_build_str(b, as_slice_of("tid"), &label[0].key));
	AS_TRY(as_build_str(b, as_slice_of("comm"), &label[1].key));
	AS_TRY(as_build_str(b, thread->name, &label[1].text));
	return as_build_labelled(b, label, thread->name.len ? 2 : 1, out);
}

/* ---- samples ---- */

static enum as_code when_put_one(struct as_gp_read *g, const struct as_gp_record *rec,
	const struct as_gp_when *when, as_node node)
{
	struct as_build *b = g->rd->out;
	struct as_moment m = {.time = (int64_t)when->time,
		.value = (int64_t)rec->count,
		.part = g->part,
		.event = g->event,
		.node = node};
	as_val count = rec->count;

	if (!count)
		return AS_OK;
	if (when->time != GP_NO_TIME)
		AS_TRY(when_part(g, when->tid, &m.part));
	else if (when->tid)
		AS_TRY(when_label(g, when->tid, &m.part));
	AS_TRY(as_build_sample(b, m.part, node, &count));
	return when->time != GP_NO_TIME ? as_build_moment(b, &m) : AS_OK;
}

enum as_code as_gp_when_put(struct as_gp_read *g, const as_node *node)
{
	const struct as_gp_stacks *st = &g->stacks;

	as_assert(st->log.n == g->when.n);
	g->rd->out->has_zero = g->n_started > 0; /* what it began with is told */
	for (size_t i = 0; i < st->log.n; i++)
		AS_TRY(when_put_one(g, &st->log.p[i], &g->when.p[i], node[st->log.p[i].row]));
	return AS_OK;
}
