/* SPDX-License-Identifier: Apache-2.0 */
/* Line by line; of all snapshots one tree is kept. docs/formats/massif.md. */
#include "formats/massif/massif.h"

/* ---- snapshots ---- */

static void massif_read_drop(struct mf_snapshot *s)
{
	as_arena_release(&s->arena);
	s->row.n = 0;
}

static as_uval massif_read_size(const struct mf_snapshot *s)
{
	return (as_uval)s->heap + s->extra + s->stacks;
}

/* The one that is read is rather to be shown than the best one until now. */
static bool massif_read_is_better(const struct as_mf *mf)
{
	const struct mf_snapshot *a = &mf->now, *b = &mf->best;

	if (mf->chosen)
		return !mf->found && a->number == mf->number;
	if (!mf->found || a->tree != b->tree)
		return !mf->found || a->tree > b->tree;
	return massif_read_size(a) > massif_read_size(b);
}

/* The snapshot that is read is complete. */
static void massif_read_close(struct as_mf *mf)
{
	struct mf_snapshot was = mf->best;

	if (!mf->open)
		return;
	mf->open = false;
	if (!massif_read_is_better(mf)) {
		massif_read_drop(&mf->now);
		return;
	}
	mf->best = mf->now;
	mf->now = was;
	massif_read_drop(&mf->now);
	mf->found = true;
}

static enum as_code massif_read_open(struct as_mf *mf, uint64_t number)
{
	struct mf_snapshot *s = &mf->now;

	massif_read_close(mf);
	s->number = number;
	s->time = s->heap = s->extra = s->stacks = 0;
	s->tree = MF_EMPTY;
	s->off = mf->rd->in->off;
	s->line = mf->rd->in->line - 1;
	mf->open = true;
	mf->kept = false;
	mf->n++;
	return AS_OK;
}

/* ---- its tree ---- */

/* "in 3 places, all below massif's threshold (1.00%)", "in 1 place, below ...". */
static bool massif_read_is_summary(struct as_slice text)
{
	return as_slice_starts(text, "in ") &&
	       as_slice_find_text(text, " below massif's threshold") < text.len;
}

/* "n2: 84000 0x10996B: allocate (new_allocator.h:137)", behind its blanks. */
static bool massif_read_parse_row(struct as_slice line, struct mf_row *row, struct as_slice *text)
{
	if (!as_slice_starts(line, "n"))
		return false;
	line = as_slice_skip(line, 1);
	if (!as_slice_take_dec(&line, &row->children) || !as_slice_starts(line, ": "))
		return false;
	line = as_slice_skip(line, 2);
	if (!as_slice_take_dec(&line, &row->bytes) || !as_slice_starts(line, " "))
		return false;
	*text = as_slice_skip(line, 1);
	row->summary = massif_read_is_summary(*text);
	return true;
}

static enum as_code massif_read_keep_row(struct as_mf *mf, struct mf_row *row, struct as_slice text)
{
	struct mf_snapshot *s = &mf->now;
	uint32_t i = (uint32_t)s->row.n;

	if (row->depth)
		row->parent = mf->path.p[row->depth - 1];
	text = as_arena_dup(&s->arena, text);
	AS_TRY(as_err_memory(mf->rd->err, text.p));
	as_vg_frame_parse(text, &row->frame);
	mf->path.n = row->depth;
	return as_err_memory(mf->rd->err,
		as_vec_push(mf->al, &s->row, *row) && as_vec_push(mf->al, &mf->path, i));
}

static enum as_code massif_read_row(struct as_mf *mf, struct as_slice line, bool *is_row)
{
	struct mf_row row = {.parent = MF_NONE};
	struct as_slice text = line;

	while (text.len && text.p[0] == ' ')
		text = as_slice_skip(text, 1);
	row.depth = (uint32_t)(line.len - text.len);
	*is_row = mf->open && mf->now.tree && massif_read_parse_row(text, &row, &text);
	if (!*is_row || !mf->kept)
		return AS_OK;
	/* One root, and below a line those that are one blank further to the right. */
	*is_row = row.depth ? row.depth <= mf->path.n : !mf->now.row.n;
	if (!*is_row)
		return AS_OK;
	if (mf->rd->lim.depth && row.depth > mf->rd->lim.depth)
		return as_rd_fail(mf->rd, AS_E_LIMIT, mf->rd->in->off, mf->rd->in->line - 1,
			"the tree is deeper than %" PRIu64 " lines", mf->rd->lim.depth);
	return massif_read_keep_row(mf, &row, text);
}

/* ---- lines ---- */

static enum as_code massif_read_tree(struct as_mf *mf, struct as_slice value, bool *known)
{
	struct mf_snapshot *s = &mf->now;

	*known = true;
	if (as_slice_is(value, "peak"))
		s->tree = MF_PEAK;
	else if (as_slice_is(value, "detailed"))
		s->tree = MF_DETAILED;
	else
		*known = as_slice_is(value, "empty");
	mf->kept = massif_read_is_better(mf);
	mf->path.n = 0;
	return AS_OK;
}

/* "mem_heap_B=448" of the snapshot that is read. */
static enum as_code massif_read_field(struct as_mf *mf, struct as_slice line, bool *known)
{
	struct mf_snapshot *s = &mf->now;
	const struct {
		const char *key;
		uint64_t *to;
	} fields[] = {{"time", &s->time}, {"mem_heap_B", &s->heap}, {"mem_heap_extra_B", &s->extra},
		{"mem_stacks_B", &s->stacks}};
	struct as_slice key;

	*known = false;
	if (!mf->open || !as_slice_has(line, '=') || !as_slice_cut(&line, '=', &key))
		return AS_OK;
	if (as_slice_is(key, "heap_tree"))
		return massif_read_tree(mf, line, known);
	for (size_t i = 0; i < AS_ARRAY_LEN(fields); i++)
		if (as_slice_is(key, fields[i].key))
			*known = as_slice_dec(line, fields[i].to);
	return AS_OK;
}

/* Of the head: "desc:" and "cmd:", and "time_unit:", which ends it. */
static enum as_code massif_read_head(struct as_mf *mf, struct as_slice line)
{
	struct {
		const char *key;
		struct as_slice *to;
	} heads[] = {{MF_DESC, &mf->desc}, {MF_COMMAND, &mf->command}, {MF_UNIT, &mf->unit}};
	bool first = !mf->desc.p && !mf->command.p;

	for (size_t i = 0; i < AS_ARRAY_LEN(heads) - first; i++)
		if (as_slice_starts(line, heads[i].key)) {
			*heads[i].to = as_arena_dup(&mf->arena,
				as_slice_trim(as_slice_skip(line, strlen(heads[i].key))));
			return as_err_memory(mf->rd->err, heads[i].to->p);
		}
	return as_rd_fail(mf->rd, AS_E_FORMAT, mf->rd->in->off, mf->rd->in->line - 1,
		"expected '" MF_DESC "', '" MF_COMMAND "' and '" MF_UNIT
		"', with which files of Massif begin");
}

static enum as_code massif_read_line(struct as_mf *mf, struct as_slice line)
{
	bool known = false;
	uint64_t number;

	line = as_slice_chop(line);
	if (!mf->unit.p)
		return massif_read_head(mf, line);
	if (!line.len || line.p[0] == '#')
		return AS_OK;
	if (as_slice_starts(line, "snapshot=") && as_slice_dec(as_slice_skip(line, 9), &number))
		return massif_read_open(mf, number);
	AS_TRY(massif_read_row(mf, line, &known));
	if (!known)
		AS_TRY(massif_read_field(mf, line, &known));
	if (known)
		return AS_OK;
	as_rd_partial(mf->rd);
	return as_rd_find(mf->rd, AS_F_MF_LINE, mf->rd->in->off, mf->rd->in->line - 1,
		"the line is none of Massif's; it was left out: '%.*s'", AS_SLICE_FMT(line));
}

/* ---- all of it ---- */

static enum as_code massif_read_option(struct as_mf *mf)
{
	const char *text = as_opts_get(&mf->rd->opts, "snapshot");

	mf->chosen = text;
	if (text && !as_slice_dec(as_slice_of(text), &mf->number))
		return as_err_set(mf->rd->err, AS_E_ARG,
			"snapshot=%s: expected the number of a snapshot", text);
	return AS_OK;
}

static enum as_code massif_read_all(struct as_mf *mf)
{
	struct as_slice line;
	enum as_code rc;

	AS_TRY(massif_read_option(mf));
	while ((rc = as_in_line(mf->rd->in, &line)) == AS_OK) {
		mf->cut = mf->rd->in->eof && mf->rd->in->p == mf->rd->in->end &&
			  line.p[line.len] != '\n';
		AS_TRY(massif_read_line(mf, line));
	}
	if (rc != AS_END)
		return rc;
	massif_read_close(mf);
	if (!mf->unit.p)
		return as_rd_fail(mf->rd, AS_E_TRUNC, mf->rd->in->off, mf->rd->in->line,
			"the file ends before '" MF_UNIT "'");
	if (!mf->found && mf->chosen)
		return as_rd_fail(mf->rd, AS_E_ARG, AS_OFF_NONE, 0,
			"there is no snapshot %" PRIu64 "; there are %" PRIu64, mf->number, mf->n);
	return as_mf_put(mf);
}

enum as_code as_mf_read(struct as_rd *rd)
{
	struct as_mf mf = {.rd = rd, .al = rd->al};

	as_arena_init(&mf.arena, mf.al);
	as_arena_init(&mf.now.arena, mf.al);
	as_arena_init(&mf.best.arena, mf.al);
	return massif_read_all(&mf);
}
