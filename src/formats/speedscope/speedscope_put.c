/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, and what all profiles of the file add up to. docs/formats/speedscope.md §1 and §5. */
#include "formats/speedscope/speedscope.h"

/* ---- frames ---- */

struct put_frame {
	struct as_slice name, file;
	uint64_t line, column;
};

/* A text, which must stay while the next members are read. */
static bool speedscope_put_text(struct as_ss *ss, struct as_pull *j, struct as_slice *out)
{
	struct as_slice text;

	if (as_pull_peek(j) == AS_PULL_NULL)
		return as_pull_skip(j);
	if (!as_pull_text(j, &text))
		return false;
	*out = as_arena_dup(&ss->arena, text);
	j->no_memory |= !out->p;
	return out->p || as_pull_wrong(j, "there is no memory");
}

/* A line or a column; what is no whole number says nothing. */
static bool speedscope_put_number(struct as_pull *j, uint64_t *out)
{
	struct as_slice text;
	bool negative;

	if (as_pull_peek(j) == AS_PULL_NULL)
		return as_pull_skip(j);
	if (!as_pull_number(j, &text))
		return false;
	if (!as_pull_integer(text, out, &negative) || negative)
		*out = 0;
	return true;
}

static void put_read_frame(struct as_ss *ss, struct as_pull *j, struct put_frame *f)
{
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "name"))
			speedscope_put_text(ss, j, &f->name);
		else if (as_slice_is(key, "file"))
			speedscope_put_text(ss, j, &f->file);
		else if (as_slice_is(key, "line"))
			speedscope_put_number(j, &f->line);
		else if (as_slice_is(key, "col"))
			speedscope_put_number(j, &f->column);
		else
			as_pull_skip(j);
	}
}

static enum as_code speedscope_put_place(
	struct as_ss *ss, const struct put_frame *f, as_place *place)
{
	struct as_place_more more = {.column = f->column};
	struct as_build *b = ss->rd->out;
	struct as_pos pos = {.line = f->line};
	as_object object = {0};

	if (f->file.len)
		AS_TRY(as_build_file(b, f->file, &pos.file));
	AS_TRY(as_build_func(b, f->name, object, pos.file, 0, &pos.func));
	return as_build_place_more(b, &pos, &more, place);
}

enum as_code as_ss_frames(struct as_ss *ss, struct as_pull *j)
{
	struct as_slice nothing = as_slice_of("");
	as_place place;

	ss->has_frames = true;
	as_pull_array(j);
	while (as_pull_item(j)) {
		struct put_frame f = {.name = nothing, .file = nothing};

		put_read_frame(ss, j, &f);
		if (j->why)
			return AS_OK;
		AS_TRY(speedscope_put_place(ss, &f, &place));
		AS_TRY(as_err_memory(ss->rd->err, as_vec_push(ss->al, &ss->frame, place)));
	}
	ss->all_frames = !j->why;
	return AS_OK;
}

/* ---- paths ---- */

static enum as_code put_nodes(struct as_ss *ss, as_node *made)
{
	for (size_t i = 1; i < ss->node.n; i++) {
		const struct ss_node *n = &ss->node.p[i];
		as_place place = {0};

		if (n->frame < ss->frame.n)
			place = ss->frame.p[n->frame];
		else
			ss->n_unknown++;
		AS_TRY(as_build_push(ss->rd->out, made[n->parent], place, &made[i]));
	}
	return AS_OK;
}

/* Weights without a unit say nothing where each is 1: there are as many as samples. */
static void put_drop_plain(struct as_tally *t, uint32_t plain)
{
	size_t n = 0;

	for (size_t i = 0; i < t->sum.n; i++) {
		if (t->sum.p[i].event == plain)
			continue;
		t->sum.p[n] = t->sum.p[i];
		t->sum.p[n].event -= t->sum.p[n].event > plain;
		n++;
	}
	t->sum.n = n;
	t->event.n--;
	memmove(t->event.p + plain, t->event.p + plain + 1,
		(t->event.n - plain) * sizeof(*t->event.p));
}

static enum as_code put_about(struct as_ss *ss)
{
	struct as_build *b = ss->rd->out;

	for (size_t i = 0; ss->exporter.len && i < b->prof->part.n; i++)
		AS_TRY(as_build_str(b, ss->exporter, &b->prof->part.p[i].creator));
	if (!ss->title.len)
		return AS_OK;
	return as_build_meta_of(b, 0, as_slice_of("name"), ss->title, AS_META_OF_RUN);
}

enum as_code as_ss_put(struct as_ss *ss)
{
	as_node *made;

	AS_TRY(as_err_memory(ss->rd->err, as_alloc_array(ss->al, &made, ss->node.n)));
	AS_TRY(put_nodes(ss, made));
	/* no moment has such an event: without a unit there is no time */
	if (ss->plain != AS_TALLY_NONE && !ss->plain_odd)
		put_drop_plain(&ss->tally, ss->plain);
	for (size_t i = 0; i < ss->tally.sum.n; i++)
		ss->tally.sum.p[i].node = made[ss->tally.sum.p[i].node.i];
	AS_TRY(as_tally_put(&ss->tally));
	return put_about(ss);
}
