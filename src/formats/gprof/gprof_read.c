/* SPDX-License-Identifier: Apache-2.0 */
/* Line by line: which table a line is of, and what it says. docs/formats/gprof.md. */
#include "formats/gprof/gprof.h"

static enum as_code gprof_read_func(struct as_gt *gt, const struct gt_name *who, struct gt_func *f)
{
	struct as_build *b = gt->rd->out;

	*f = (struct gt_func){.line = who->line, .addr = who->addr, .index = who->index};
	if (who->file.len)
		AS_TRY(as_build_file(b, who->file, &f->file));
	return as_build_func(b, who->name, (as_object){0}, f->file, 0, &f->func);
}

/* ---- the flat profile ---- */

static enum as_code gprof_read_self(struct as_gt *gt, const struct gt_row *row)
{
	struct gt_self one = {.self = row->self, .calls = row->calls};

	AS_TRY(gprof_read_func(gt, &row->who, &one.who));
	return as_err_memory(gt->rd->err, as_vec_push(gt->al, &gt->self[gt->in == GT_GRAPH], one));
}

static enum as_code gprof_read_flat(struct as_gt *gt, struct as_slice line, bool *known)
{
	struct gt_row row;

	*known = as_gt_flat(line, &row);
	if (!*known)
		return AS_OK;
	gt->begun = true;
	gt->percent += row.percent;
	return gprof_read_self(gt, &row);
}

/* ---- the call graph ---- */

/* The entry of a function is over. */
static void gprof_read_close(struct as_gt *gt)
{
	gt->open = gt->skip = gt->has_current = false;
	gt->above.n = 0;
}

/* The line with the function's index: those above it are its callers. */
static enum as_code gprof_read_primary(struct as_gt *gt, const struct gt_row *row)
{
	gt->skip = row->who.cycle;
	gt->has_current = true;
	if (gt->skip)
		return AS_OK;
	AS_TRY(gprof_read_self(gt, row));
	gt->current = gt->self[1].p[gt->self[1].n - 1].who;
	for (size_t i = 0; i < gt->above.n; i++) {
		gt->above.p[i].to = gt->current;
		AS_TRY(as_gt_edge(gt, &gt->above.p[i]));
	}
	return AS_OK;
}

static enum as_code gprof_read_other(struct as_gt *gt, const struct gt_row *row)
{
	struct gt_edge e = {.count = row->calls};

	gt->n_assumed += row->timed;
	if (row->spontaneous || gt->skip || row->who.cycle)
		return AS_OK;
	if (gt->has_current) {
		e.from = gt->current;
		AS_TRY(gprof_read_func(gt, &row->who, &e.to));
		return as_gt_edge(gt, &e);
	}
	AS_TRY(gprof_read_func(gt, &row->who, &e.from));
	return as_err_memory(gt->rd->err, as_vec_push(gt->al, &gt->above, e));
}

static enum as_code gprof_read_graph(struct as_gt *gt, struct as_slice line, bool *known)
{
	struct gt_row row;

	*known = as_slice_starts(line, "-----");
	if (*known) {
		gprof_read_close(gt);
		return AS_OK;
	}
	*known = as_gt_graph(line, &row) && !(row.primary && gt->has_current);
	if (!*known)
		return AS_OK;
	gt->begun = gt->open = true;
	return row.primary ? gprof_read_primary(gt, &row) : gprof_read_other(gt, &row);
}

/* ---- all of it ---- */

/* "Each sample counts as 0.01 seconds." */
static void gprof_read_each(struct as_gt *gt, struct as_slice line)
{
	struct as_slice word;
	const char *const words = "Each sample counts as ";

	line = as_slice_trim(line);
	if (!as_slice_starts(line, words) || !as_slice_ends(line, " seconds."))
		return;
	line = as_slice_skip(line, strlen(words));
	if (!as_slice_word(&line, &word) || !as_gt_seconds(word, &gt->each))
		gt->each = 0;
}

static void gprof_read_leave(struct as_gt *gt)
{
	gprof_read_close(gt);
	gt->in = GT_NONE;
}

/* What ends a table: an empty line that one of the flat profile, a new page, or text behind a whole
 * entry that one of the graph. Other lines belong to neither. */
static enum as_code gprof_read_row(struct as_gt *gt, struct as_slice line)
{
	bool empty = !as_slice_trim(line).len, known = false;

	if (line.len && line.p[0] == '\f') {
		gprof_read_leave(gt);
		return AS_OK;
	}
	if (empty) {
		if (gt->in == GT_FLAT && gt->begun)
			gprof_read_leave(gt);
		return AS_OK;
	}
	AS_TRY(gt->in == GT_FLAT ? gprof_read_flat(gt, line, &known)
				 : gprof_read_graph(gt, line, &known));
	if (known)
		return AS_OK;
	if (!gt->begun || (gt->in == GT_GRAPH && !gt->open)) {
		if (gt->begun)
			gprof_read_leave(gt);
		return AS_OK;
	}
	as_rd_partial(gt->rd);
	return as_rd_find(gt->rd, AS_F_GT_LINE, gt->rd->in->off, gt->rd->in->line - 1,
		"the line is none of its table; it was left out: '%.*s'", AS_SLICE_FMT(line));
}

static enum as_code gprof_read_line(struct as_gt *gt, struct as_slice line)
{
	enum gt_table head = as_gt_head(line);

	gt->index |= as_slice_starts(as_slice_trim(line), "Index by function name");
	if (!head && gt->in)
		return gprof_read_row(gt, line);
	if (!head) {
		gprof_read_each(gt, line);
		return AS_OK;
	}
	gprof_read_leave(gt);
	gt->in = head;
	gt->begun = false;
	gt->flat |= head == GT_FLAT;
	gt->graph |= head == GT_GRAPH;
	return AS_OK;
}

/* Nothing stands behind a flat profile that was asked for alone and without words about it; but its
 * lines have all of the time. */
static bool gprof_read_lacks_time(const struct as_gt *gt)
{
	const as_val most = (as_val)99 * 1000000000;

	return gt->in == GT_FLAT && gt->percent && gt->percent < most;
}

static enum as_code gprof_read_cut(struct as_gt *gt)
{
	const char *why = NULL;

	if (gt->graph && !gt->index)
		why = "no index of functions stands behind the call graph";
	else if (gt->torn)
		why = "the last line of a table has no end";
	else if (gprof_read_lacks_time(gt))
		why = "the flat profile has less than 99 % of the time";
	return why ? as_rd_find(gt->rd, AS_F_GT_CUT, AS_OFF_NONE, 0,
			     "%s: the text may have been cut", why)
		   : AS_OK;
}

static enum as_code gprof_read_all(struct as_gt *gt)
{
	struct as_slice line;
	enum as_code rc;

	while ((rc = as_in_line(gt->rd->in, &line)) == AS_OK) {
		gt->torn = gt->in && line.p[line.len] != '\n'; /* zeros are behind the text */
		AS_TRY(gprof_read_line(gt, as_slice_chop(line)));
	}
	if (rc != AS_END)
		return rc;
	if (!gt->flat && !gt->graph)
		return as_rd_fail(gt->rd, AS_E_FORMAT, gt->rd->in->off, gt->rd->in->line,
			"expected a table of gprof, found none");
	AS_TRY(gprof_read_cut(gt));
	return as_gt_put(gt);
}

enum as_code as_gt_read(struct as_rd *rd)
{
	struct as_gt gt = {.rd = rd, .al = rd->al};

	as_index_init(&gt.edges, gt.al);
	return gprof_read_all(&gt);
}
