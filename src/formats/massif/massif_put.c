/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot becomes a profile; its tree runs from the allocator to callers. */
#include "formats/massif/massif.h"

#define PUT_SUMMARY "[below massif's threshold]"

enum { PUT_HEAP, PUT_EXTRA, PUT_STACKS, PUT_EVENTS };

struct massif_put {
	struct as_mf *mf;
	struct mf_snapshot *s;
	uint32_t part;
	as_val left; /* bytes in places below the threshold */
};

/* ---- the lines of the tree ---- */

static enum as_code massif_put_odd(struct massif_put *put, const struct mf_row *r)
{
	char below[AS_VAL_TEXT];

	as_rd_partial(put->mf->rd);
	return as_rd_find(put->mf->rd, AS_F_MF_SUM, put->s->off, put->s->line,
		"a line has %" PRIu64 " bytes and %" PRIu64
		" lines below it; below it are %s bytes in %" PRIu64 " lines",
		r->bytes, r->children, as_val_text(r->below, below), r->n_below);
}

static enum as_code massif_put_sums(struct massif_put *put)
{
	struct mf_snapshot *s = put->s;

	for (size_t i = 1; i < s->row.n; i++) {
		struct mf_row *up = &s->row.p[s->row.p[i].parent];

		up->below += s->row.p[i].bytes;
		up->n_below++;
	}
	for (size_t i = 0; i < s->row.n; i++) {
		const struct mf_row *r = &s->row.p[i];

		if (r->n_below != r->children || (r->n_below && r->below != r->bytes))
			AS_TRY(massif_put_odd(put, r));
	}
	return AS_OK;
}

static enum as_code massif_put_place(
	struct massif_put *put, struct mf_row *r, bool inlined, as_place *place)
{
	struct as_vg_frame below = {.name = as_slice_of(PUT_SUMMARY)};

	if (!r->place[inlined]) {
		AS_TRY(as_vg_frame_place(
			put->mf->rd->out, r->summary ? &below : &r->frame, inlined, place));
		r->place[inlined] = place->i + 1;
	}
	place->i = r->place[inlined] - 1;
	return AS_OK;
}

/* The path from row I, the outermost caller, to the one that asked the allocator. */
static enum as_code massif_put_path(struct massif_put *put, uint32_t i, as_node *node)
{
	const struct mf_row *outer = NULL;

	*node = (as_node){0};
	for (; put->s->row.p[i].depth; i = put->s->row.p[i].parent) {
		struct mf_row *r = &put->s->row.p[i];
		bool inlined = outer && as_vg_frame_is_inlined(&r->frame, &outer->frame);
		as_place place;

		AS_TRY(massif_put_place(put, r, inlined, &place));
		AS_TRY(as_build_push(put->mf->rd->out, *node, place, node));
		outer = r;
	}
	return AS_OK;
}

static enum as_code massif_put_tree(struct massif_put *put)
{
	for (uint32_t i = 0; i < put->s->row.n; i++) {
		const struct mf_row *r = &put->s->row.p[i];
		as_val cost[PUT_EVENTS] = {(as_val)r->bytes - r->below};
		as_node node;

		if (cost[PUT_HEAP] <= 0)
			continue;
		if (r->summary)
			put->left += cost[PUT_HEAP];
		AS_TRY(massif_put_path(put, i, &node));
		AS_TRY(as_build_sample(put->mf->rd->out, put->part, node, cost));
	}
	return AS_OK;
}

/* ---- the rest of the snapshot ---- */

/* What has no tree: the heap of a snapshot without one, and what no call asked for. */
static enum as_code massif_put_flat(struct massif_put *put)
{
	const struct mf_snapshot *s = put->s;
	as_val cost[PUT_EVENTS] = {
		s->row.n ? 0 : (as_val)s->heap, (as_val)s->extra, (as_val)s->stacks};

	if (s->row.n && s->row.p[0].bytes != s->heap)
		AS_TRY(as_rd_find(put->mf->rd, AS_F_MF_SUM, s->off, s->line,
			"the tree has %" PRIu64 " bytes, and mem_heap_B is %" PRIu64,
			s->row.p[0].bytes, s->heap));
	if (!cost[PUT_HEAP] && !cost[PUT_EXTRA] && !cost[PUT_STACKS])
		return AS_OK;
	return as_build_sample(put->mf->rd->out, put->part, (as_node){0}, cost);
}

static enum as_code massif_put_meta(struct massif_put *put)
{
	struct as_mf *mf = put->mf;
	struct as_build *b = mf->rd->out;
	struct as_slice text = as_arena_printf(&mf->arena, "%" PRIu64 "%s, at %" PRIu64 " %.*s",
		put->s->number, put->s->tree == MF_PEAK ? " (peak)" : "", put->s->time,
		AS_SLICE_FMT(mf->unit));

	AS_TRY(as_err_memory(mf->rd->err, text.p));
	AS_TRY(as_build_str(b, mf->command, &b->prof->part.p[put->part].command));
	if (mf->desc.len)
		AS_TRY(as_build_meta_of(
			b, put->part, as_slice_of("desc"), mf->desc, AS_META_OF_RUN));
	return as_build_meta_of(b, put->part, as_slice_of("snapshot"), text, AS_META_OF_RUN);
}

static enum as_code massif_put_events(struct massif_put *put)
{
	static const char *const names[PUT_EVENTS] = {"heap", "heap-extra", "stacks"};
	uint32_t event;

	for (size_t i = 0; i < PUT_EVENTS; i++)
		AS_TRY(as_build_event(
			put->mf->rd->out, as_slice_of(names[i]), as_slice_of("bytes"), &event));
	return as_build_part_all_events(put->mf->rd->out, put->part);
}

static enum as_code massif_put_find(struct massif_put *put)
{
	struct as_mf *mf = put->mf;
	char bytes[AS_VAL_TEXT];

	if (put->left)
		AS_TRY(as_rd_find(mf->rd, AS_F_MF_THRESHOLD, put->s->off, put->s->line,
			"%s bytes are in places below Massif's threshold",
			as_val_text(put->left, bytes)));
	if (mf->n > 1)
		AS_TRY(as_rd_find(mf->rd, AS_F_MF_SNAPSHOTS, put->s->off, put->s->line,
			"this is snapshot %" PRIu64 " of %" PRIu64
			"; for another one: -I snapshot=N",
			put->s->number, mf->n));
	return AS_OK;
}

enum as_code as_mf_put(struct as_mf *mf)
{
	struct massif_put put = {.mf = mf, .s = &mf->best};

	AS_TRY(as_rd_part(mf->rd, "massif", &put.part));
	AS_TRY(massif_put_events(&put));
	if (mf->cut) {
		as_rd_partial(mf->rd);
		AS_TRY(as_rd_find(mf->rd, AS_F_TRUNCATED, mf->rd->in->off, mf->rd->in->line,
			"the last line has no end: the file was cut"));
	}
	if (!mf->found)
		return as_rd_find(
			mf->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "the file has no snapshots");
	AS_TRY(massif_put_meta(&put));
	AS_TRY(massif_put_sums(&put));
	AS_TRY(massif_put_tree(&put));
	AS_TRY(massif_put_flat(&put));
	return massif_put_find(&put);
}
