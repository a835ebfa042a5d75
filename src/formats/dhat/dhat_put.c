/* SPDX-License-Identifier: Apache-2.0 */
/* Points become samples. docs/formats/dhat.md. */
#include "formats/dhat/dhat.h"

struct dhat_put {
	struct as_dh *dh;
	uint32_t part, n_events;
	uint32_t column[DH_VALUES]; /* the event of each value that was seen */
	uint64_t n_frameless, first_frameless;
};

/* ---- events ---- */

/* What is counted is bytes and blocks, or what the program calls them. */
static enum as_code dhat_put_event(struct dhat_put *put, uint32_t i)
{
	static const struct {
		const char *prefix, *title;
		bool blocks;
	} how[DH_VALUES] = {{"", "in all", false}, {"", "in all", true},
		{NULL, "lifetime of all blocks", false}, {"max-", "at the maximum of all", false},
		{"max-", "at the maximum of all", true}, {"end-", "at the end", false},
		{"end-", "at the end", true}, {"read-", "read", false},
		{"written-", "written", false}};
	struct as_dh *dh = put->dh;
	struct as_build *b = dh->rd->out;
	struct as_slice one = how[i].blocks ? dh->blocks : dh->bytes, name, unit;

	if (!one.len)
		one = as_slice_of(how[i].blocks ? "blocks" : "bytes");
	name = how[i].prefix
		       ? as_arena_printf(&dh->arena, "%s%.*s", how[i].prefix, AS_SLICE_FMT(one))
		       : as_slice_of("lifetime");
	unit = how[i].blocks ? as_slice_of("count") : how[i].prefix ? one : dh->time;
	AS_TRY(as_err_memory(dh->rd->err, name.p));
	AS_TRY(as_build_event(b, name, unit, &put->column[i]));
	return as_build_str(b, as_slice_of(how[i].title), &b->prof->event.p[put->column[i]].title);
}

static enum as_code dhat_put_events(struct dhat_put *put)
{
	put->dh->seen[DH_BYTES] = true;
	for (uint32_t i = 0; i < DH_VALUES; i++)
		if (put->dh->seen[i])
			AS_TRY(dhat_put_event(put, i));
	put->n_events = as_n_events(put->dh->rd->out->prof);
	return as_build_part_all_events(put->dh->rd->out, put->part);
}

/* ---- points ---- */

/* Frame I of P's, from the innermost on; NULL: the table has no such. */
static struct dh_frame *dhat_put_frame(
	const struct dhat_put *put, const struct dh_point *p, size_t i)
{
	uint32_t number = put->dh->frame.p[p->first + i];

	return number < put->dh->table.n ? &put->dh->table.p[number] : NULL;
}

static enum as_code dhat_put_place(
	struct dhat_put *put, struct dh_frame *f, bool inlined, as_place *place)
{
	if (!f->place[inlined]) {
		AS_TRY(as_vg_frame_place(put->dh->rd->out, &f->is, inlined, place));
		f->place[inlined] = place->i + 1;
	}
	place->i = f->place[inlined] - 1;
	return AS_OK;
}

static enum as_code dhat_put_path(struct dhat_put *put, const struct dh_point *p, as_node *node)
{
	struct dh_frame *outer = NULL;
	bool odd = false;

	*node = (as_node){0};
	for (size_t i = p->n; i-- > 0;) {
		struct dh_frame *f = dhat_put_frame(put, p, i);
		as_place place = {0};

		if (f)
			AS_TRY(dhat_put_place(put, f,
				outer && as_vg_frame_is_inlined(&f->is, &outer->is), &place));
		odd |= !f;
		outer = f;
		AS_TRY(as_build_push(put->dh->rd->out, *node, place, node));
	}
	if (odd && !put->n_frameless++)
		put->first_frameless = p->off;
	return AS_OK;
}

static enum as_code dhat_put_point(struct dhat_put *put, const struct dh_point *p)
{
	as_val cost[DH_VALUES] = {0};
	as_node node;

	for (size_t i = 0; i < DH_VALUES; i++)
		if (put->dh->seen[i])
			cost[put->column[i]] += (as_val)p->value[i];
	AS_TRY(dhat_put_path(put, p, &node));
	return as_build_sample(put->dh->rd->out, put->part, node, cost);
}

/* ---- what is said about all of it ---- */

static enum as_code dhat_put_meta(struct dhat_put *put)
{
	struct as_dh *dh = put->dh;
	struct as_build *b = dh->rd->out;
	struct as_part *part = &b->prof->part.p[put->part];
	struct as_slice end = as_arena_printf(
		&dh->arena, "%.*s %.*s", AS_SLICE_FMT(dh->end), AS_SLICE_FMT(dh->time));

	part->pid = dh->pid;
	part->has_pid = dh->has_pid;
	AS_TRY(as_err_memory(dh->rd->err, end.p));
	AS_TRY(as_build_str(b, dh->command, &part->command));
	if (dh->mode.len)
		AS_TRY(as_build_meta_of(
			b, put->part, as_slice_of("mode"), dh->mode, AS_META_OF_RUN));
	if (!dh->end.len)
		return AS_OK;
	return as_build_meta_of(b, put->part, as_slice_of("end"), end, AS_META_OF_RUN);
}

static enum as_code dhat_put_find(struct dhat_put *put)
{
	struct as_dh *dh = put->dh;

	if (put->n_frameless) {
		as_rd_partial(dh->rd);
		AS_TRY(as_rd_find(dh->rd, AS_F_DH_FRAME, put->first_frameless, 0,
			"%" PRIu64 " point%s frames that the table does not have", put->n_frameless,
			put->n_frameless == 1 ? " has" : "s have"));
	}
	AS_TRY(as_rd_tell(dh->rd, AS_F_DH_MAXIMA, dh->n_maxima,
		"point{ has|s have} own maxima, which are no sums: left out"));
	AS_TRY(as_rd_tell(dh->rd, AS_F_DH_ACCESSES, dh->n_accesses,
		"point{ says|s say} how often each byte was used: left out"));
	return as_rd_find_if(
		dh->rd, !dh->point.n, AS_F_NO_SAMPLES, "the file has no points of the program");
}

enum as_code as_dh_put(struct as_dh *dh)
{
	struct dhat_put put = {.dh = dh};

	AS_TRY(as_rd_part(dh->rd, "dhat", &put.part));
	AS_TRY(dhat_put_events(&put));
	AS_TRY(dhat_put_meta(&put));
	for (size_t i = 0; i < dh->point.n; i++)
		AS_TRY(dhat_put_point(&put, &dh->point.p[i]));
	return dhat_put_find(&put);
}
