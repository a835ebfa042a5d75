/* SPDX-License-Identifier: Apache-2.0 */
/* Tables become a profile. docs/formats/gprof.md §4. */
#include "formats/gprof/gprof.h"

enum { PUT_TIME, PUT_CALLS, PUT_EVENTS };

/* ---- calls ---- */

static bool gprof_put_same(const struct gt_func *a, const struct gt_func *b)
{
	return a->index == b->index && a->func.i == b->func.i && a->line == b->line &&
	       a->addr == b->addr;
}

enum as_code as_gt_edge(struct as_gt *gt, const struct gt_edge *e)
{
	uint64_t hash = as_hash_mix(
		as_hash_mix(e->from.index, e->from.func.i), as_hash_mix(e->to.index, e->to.func.i));
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&gt->edges, hash, &at, &row))
		if (gprof_put_same(&gt->edge.p[row].from, &e->from) &&
			gprof_put_same(&gt->edge.p[row].to, &e->to)) {
			gt->n_differ += gt->edge.p[row].count != e->count;
			return AS_OK;
		}
	row = (uint32_t)gt->edge.n;
	return as_err_memory(gt->rd->err,
		as_vec_push(gt->al, &gt->edge, *e) && as_index_add(&gt->edges, hash, row));
}

/* ---- all of it ---- */

/* How long a sample stands for, if the times are whole numbers of it. They have two digits behind
 * the point, so shorter ones cannot be told. */
static int64_t gprof_put_each(const struct as_gt *gt)
{
	if (gt->each < 10000000)
		return 0;
	for (size_t i = 0; i < gt->self[!gt->flat].n; i++)
		if (gt->self[!gt->flat].p[i].self % gt->each)
			return 0;
	return gt->each;
}

static enum as_code gprof_put_events(struct as_gt *gt, uint32_t part, int64_t each)
{
	struct as_build *b = gt->rd->out;
	uint32_t time, calls;

	AS_TRY(as_build_event(b, as_slice_of(each ? "samples" : "time"),
		as_slice_of(each ? "count" : "nanoseconds"), &time));
	AS_TRY(as_build_event(b, as_slice_of("calls"), as_slice_of("count"), &calls));
	if (each) {
		struct as_event *ev = &b->prof->event.p[time];

		ev->period = (uint64_t)(each / 1000);
		AS_TRY(as_build_str(b, as_slice_of("microseconds"), &ev->period_unit));
	}
	return as_build_part_all_events(b, part);
}

static struct as_pos gprof_put_pos(const struct gt_func *f)
{
	return (struct as_pos){.func = f->func, .file = f->file, .line = f->line, .addr = f->addr};
}

static enum as_code gprof_put_rows(struct as_gt *gt, uint32_t part, int64_t each)
{
	for (size_t i = 0; i < gt->self[!gt->flat].n; i++) {
		const struct gt_self *s = &gt->self[!gt->flat].p[i];
		as_val cost[PUT_EVENTS] = {each ? s->self / each : s->self, s->calls};
		struct as_pos pos = gprof_put_pos(&s->who);

		AS_TRY(as_build_self(gt->rd->out, part, &pos, cost, PUT_EVENTS));
	}
	for (size_t i = 0; i < gt->edge.n; i++) {
		const struct gt_edge *e = &gt->edge.p[i];
		struct as_pos site = gprof_put_pos(&e->from);
		struct as_call call = {.callee = e->to.func,
			.line = e->to.line,
			.addr = e->to.addr,
			.count = e->count};
		as_val none[PUT_EVENTS] = {0};

		AS_TRY(as_build_call(gt->rd->out, part, &site, &call, none, PUT_EVENTS));
	}
	return AS_OK;
}

static enum as_code gprof_put_find(struct as_gt *gt)
{
	if (gt->n_differ)
		AS_TRY(as_rd_find(gt->rd, AS_F_GT_CALLS, AS_OFF_NONE, 0,
			"caller and callee differ about the calls of %" PRIu64 " pair%s",
			gt->n_differ, gt->n_differ == 1 ? "" : "s"));
	AS_TRY(as_rd_tell(gt->rd, AS_F_GT_ASSUMED, gt->n_assumed,
		"line{|s} of the call graph {has|have} times, which are an assumption: left out"));
	return as_rd_find_if(gt->rd, !gt->self[!gt->flat].n && !gt->edge.n, AS_F_NO_SAMPLES,
		"the tables have no functions");
}

enum as_code as_gt_put(struct as_gt *gt)
{
	int64_t each = gprof_put_each(gt);
	uint32_t part;

	AS_TRY(as_rd_part(gt->rd, "gprof", &part));
	gt->rd->out->prof->part.p[part].positions = AS_POS_LINE;
	AS_TRY(gprof_put_events(gt, part, each));
	AS_TRY(gprof_put_rows(gt, part, each));
	return gprof_put_find(gt);
}
