/* SPDX-License-Identifier: Apache-2.0 */
/* Line by line: a line has the samples of those below it, too. docs/formats/macsample.md. */
#include "formats/macsample/macsample.h"

static enum as_code macsample_find(
	struct as_ms *ms, enum as_finding_id id, const char *what, struct as_slice line)
{
	return as_rd_find(ms->rd, id, ms->rd->in->off, ms->rd->in->line - 1, "%s: '%.*s'", what,
		AS_SLICE_FMT(line));
}

/* ---- the tree ---- */

/* Nothing is below the innermost line any more: what the lines below it left is its own. */
static enum as_code macsample_close(struct as_ms *ms)
{
	const struct ms_level *l = &ms->level.p[--ms->level.n];
	as_val own = (as_val)l->count - l->below;

	if (own < 0)
		ms->n_over++;
	if (own <= 0)
		return AS_OK;
	return as_tally_add(&ms->tally, ms->thread, ms->event, l->node, own, NULL);
}

static enum as_code macsample_close_from(struct as_ms *ms, size_t column)
{
	while (ms->level.n && ms->level.p[ms->level.n - 1].column >= column)
		AS_TRY(macsample_close(ms));
	return AS_OK;
}

static enum as_code macsample_push(struct as_ms *ms, const struct ms_line *line, as_node node)
{
	struct ms_level level = {.column = line->column, .node = node, .count = line->count};

	if (ms->level.n)
		ms->level.p[ms->level.n - 1].below += line->count;
	return as_err_memory(ms->rd->err, as_vec_push(ms->al, &ms->level, level));
}

/* Code without a name is known by where it is in its object. */
static enum as_code macsample_place(struct as_ms *ms, struct as_slice text, as_place *place)
{
	struct as_build *b = ms->rd->out;
	struct as_func_row row = {.addr = 0};
	struct as_pos pos = {.line = 0};
	struct ms_frame f;

	as_ms_frame(text, &f);
	if (!f.name.len && f.offset) {
		f.name = as_arena_printf(&ms->arena, "???+0x%" PRIx64, f.offset);
		AS_TRY(as_err_memory(ms->rd->err, f.name.p));
	}
	if (f.object.len)
		AS_TRY(as_build_object(b, f.object, as_slice_of(""), &row.object));
	if (f.file.len)
		AS_TRY(as_build_file(b, f.file, &row.file));
	AS_TRY(as_build_str(b, f.name, &row.name));
	AS_TRY(as_build_func_row(b, &row, &pos.func));
	pos.file = row.file;
	pos.line = f.line;
	return as_build_place(b, &pos, place);
}

static enum as_code macsample_thread(
	struct as_ms *ms, const struct ms_line *line, struct as_tally_thread *thread)
{
	AS_TRY(macsample_close_from(ms, 0));
	thread->pid = ms->pid;
	thread->has_pid = ms->has_pid;
	thread->process = ms->process;
	AS_TRY(as_tally_thread(&ms->tally, thread, &ms->thread));
	return macsample_push(ms, line, (as_node){0});
}

/* LINE stands as far to the right as the one before, but both have more than the one above them:
 * its blanks are wrong, and the line before called it. */
static bool macsample_nests(const struct as_ms *ms, const struct ms_line *line)
{
	const struct ms_level *before = &ms->level.p[ms->level.n - 1], *above = before - 1;

	return ms->level.n > 1 && before->column == line->column &&
	       above->below + line->count > above->count &&
	       before->below + line->count <= before->count;
}

static enum as_code macsample_frame(struct as_ms *ms, const struct ms_line *line)
{
	as_node node;
	as_place place;

	AS_TRY(macsample_close_from(ms, line->column + 1));
	if (macsample_nests(ms, line))
		AS_TRY(macsample_find(ms, AS_F_MS_SUM,
			"the line above has fewer samples than those below it; this one is taken "
			"for called by the line before",
			line->text));
	else
		AS_TRY(macsample_close_from(ms, line->column));
	if (ms->rd->lim.depth && ms->level.n > ms->rd->lim.depth)
		return as_rd_fail(ms->rd, AS_E_LIMIT, ms->rd->in->off, ms->rd->in->line - 1,
			"the tree is deeper than %" PRIu64 " lines", ms->rd->lim.depth);
	AS_TRY(macsample_place(ms, line->text, &place));
	AS_TRY(as_build_push(ms->rd->out, ms->level.p[ms->level.n - 1].node, place, &node));
	return macsample_push(ms, line, node);
}

/* A line of the graph. */
static enum as_code macsample_row(struct as_ms *ms, struct as_slice line)
{
	struct as_tally_thread thread;
	struct ms_line row;

	if (!as_ms_line(line, &row)) {
		as_rd_partial(ms->rd);
		return macsample_find(ms, AS_F_MS_LINE,
			"the line has no number of samples; it was left out", line);
	}
	if (as_ms_thread(row.text, &thread) &&
		(!ms->level.n || row.column <= ms->level.p[0].column))
		return macsample_thread(ms, &row, &thread);
	if (ms->level.n && row.column > ms->level.p[0].column)
		return macsample_frame(ms, &row);
	as_rd_partial(ms->rd);
	return macsample_find(
		ms, AS_F_MS_LINE, "the line is below no thread; it was left out", line);
}

/* ---- the head ---- */

/* "Analysis of sampling rg (pid 64751) every 1 millisecond" */
static enum as_code macsample_first(struct as_ms *ms, struct as_slice line)
{
	struct as_slice rest;
	uint64_t pid;
	size_t at;

	if (!as_slice_starts(line, MS_HEAD))
		return as_rd_fail(ms->rd, AS_E_FORMAT, 0, 1,
			"expected '" MS_HEAD "', with which text of sample begins");
	rest = as_slice_skip(line, strlen(MS_HEAD));
	at = as_slice_find_text(rest, " (pid ");
	ms->process = as_slice_trim((struct as_slice){rest.p, at});
	ms->process = as_arena_dup(&ms->arena, ms->process);
	AS_TRY(as_err_memory(ms->rd->err, ms->process.p));
	if (at == rest.len)
		return AS_OK;
	rest = as_slice_skip(rest, at + strlen(" (pid "));
	ms->has_pid = as_slice_take_dec(&rest, &pid) && pid <= UINT32_MAX;
	ms->pid = ms->has_pid ? (uint32_t)pid : 0;
	if (!as_slice_starts(rest, ") every "))
		return AS_OK;
	ms->interval = as_arena_dup(&ms->arena, as_slice_skip(rest, 8));
	return as_err_memory(ms->rd->err, ms->interval.p);
}

static enum as_code macsample_head(struct as_ms *ms, struct as_slice line)
{
	const struct {
		const char *key;
		struct as_slice *to;
	} facts[] = {{"Path:", &ms->path}, {"OS Version:", &ms->system}};

	ms->in_graph = as_slice_starts(line, MS_GRAPH);
	for (size_t i = 0; i < AS_ARRAY_LEN(facts); i++)
		if (as_slice_starts(line, facts[i].key)) {
			*facts[i].to = as_arena_dup(&ms->arena,
				as_slice_trim(as_slice_skip(line, strlen(facts[i].key))));
			AS_TRY(as_err_memory(ms->rd->err, facts[i].to->p));
		}
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code macsample_line(struct as_ms *ms, struct as_slice line, uint64_t number)
{
	if (ms->in_images)
		return as_ms_image(ms, line);
	if (ms->ended) {
		ms->in_images = as_slice_starts(line, MS_IMAGES);
		return AS_OK;
	}
	if (number == 1)
		return macsample_first(ms, line);
	if (!ms->in_graph)
		return macsample_head(ms, line);
	ms->ended = !line.len && ms->level.n;
	return ms->ended || !line.len ? AS_OK : macsample_row(ms, line);
}

/* "1 millisecond", "10 milliseconds" */
static enum as_code macsample_period(struct as_ms *ms)
{
	struct as_build *b = ms->rd->out;
	struct as_slice rest = ms->interval, word;
	uint64_t n;

	if (!as_slice_word(&rest, &word) || !as_slice_dec(word, &n) || n > UINT32_MAX ||
		!as_slice_word(&rest, &word) || !as_slice_starts(word, "millisecond"))
		return AS_OK;
	b->prof->event.p[ms->event].period = n * 1000;
	return as_build_str(
		b, as_slice_of("microseconds"), &b->prof->event.p[ms->event].period_unit);
}

static enum as_code macsample_put(struct as_ms *ms)
{
	struct as_build *b = ms->rd->out;

	AS_TRY(as_ms_put_images(ms));
	AS_TRY(as_tally_put(&ms->tally));
	AS_TRY(macsample_period(ms));
	for (size_t i = 0; i < b->prof->part.n; i++)
		AS_TRY(as_build_str(b, ms->path, &b->prof->part.p[i].command));
	if (ms->system.len)
		AS_TRY(as_build_meta_of(b, 0, as_slice_of("system"), ms->system, AS_META_OF_RUN));
	AS_TRY(as_rd_tell(ms->rd, AS_F_MS_SUM, ms->n_over,
		"line{ has|s have} fewer samples than the lines below"));
	if (!ms->ended) {
		as_rd_partial(ms->rd);
		AS_TRY(as_rd_find(ms->rd, AS_F_TRUNCATED, ms->rd->in->off, ms->rd->in->line,
			"the text ends in its call graph"));
	}
	return as_rd_find_if(
		ms->rd, !b->prof->sample.node.n, AS_F_NO_SAMPLES, "the call graph has no samples");
}

static enum as_code macsample_all(struct as_ms *ms)
{
	struct as_slice line;
	enum as_code rc;

	as_tally_init(&ms->tally, ms->rd, ms->al, "macsample");
	AS_TRY(as_tally_event(
		&ms->tally, as_slice_of("samples"), as_slice_of("count"), &ms->event));
	while ((rc = as_in_line(ms->rd->in, &line)) == AS_OK)
		AS_TRY(macsample_line(ms, as_slice_chop(line), ms->rd->in->line - 1));
	if (rc != AS_END)
		return rc;
	if (!ms->process.p)
		return as_rd_fail(ms->rd, AS_E_FORMAT, 0, 1, "the text is empty");
	AS_TRY(macsample_close_from(ms, 0));
	return macsample_put(ms);
}

enum as_code as_ms_read(struct as_rd *rd)
{
	struct as_ms ms = {.rd = rd, .al = rd->al};

	as_arena_init(&ms.arena, ms.al);
	as_index_init(&ms.images, ms.al);
	return macsample_all(&ms);
}
