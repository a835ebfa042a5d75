/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks and frames. A place of a path and those behind it that are inlined there are one frame;
 * its id is the hash of all that is said of them, so who knows less of the same code has another
 * frame.
 */
#include "fleet/fleet_rows_impl.h"

enum as_code as_fleet_frames_begin(struct as_fleet_job *j)
{
	size_t n = j->prof->node.parent.n;

	return as_err_memory(
		j->err, as_alloc_array(&j->pool.al, &j->frame, n) &&
				as_alloc_array(&j->pool.al, &j->above, n) &&
				as_alloc_array(&j->pool.al, &j->alone, j->prof->place.inlined.n));
}

/* ---- frames ---- */

static void frames_text(struct as_fleet_job *j, as_str s)
{
	as_fleet_put_string(&j->row, as_str_get(j->prof, s));
}

/* The function at POS becomes one more row of the frame. */
static void frames_add(
	struct as_fleet_job *j, const struct as_pos *pos, const struct as_place_more *more)
{
	const struct as_profile *prof = j->prof;
	struct as_func_row f = as_func_get(prof, pos->func);
	const struct as_object_row *object = &prof->object.p[f.object.i];
	unsigned kind = object->addr_kind;

	as_assert(kind <= AS_FRAME_ADDRS);
	kind |= pos->inlined ? AS_FRAME_INLINED : 0;
	kind |= f.whole ? AS_FRAME_WHOLE : 0;
	kind |= more->folded ? AS_FRAME_FOLDED : 0;
	frames_text(j, f.name);
	frames_text(j, f.system);
	as_fleet_put_number(&j->row, f.line, sizeof(f.line));
	frames_text(j, prof->file.p[f.file.i]);
	as_fleet_put_number(&j->row, f.addr, sizeof(f.addr));
	frames_text(j, object->path);
	frames_text(j, object->id);
	frames_text(j, prof->file.p[pos->file.i]);
	as_fleet_put_number(&j->row, pos->line, sizeof(pos->line));
	as_fleet_put_number(&j->row, more->column, sizeof(more->column));
	as_fleet_put_number(&j->row, pos->addr, sizeof(pos->addr));
	as_fleet_put_number(&j->row, kind, 1);
	j->row.failed |= !as_vec_push(&j->pool.al, &j->ends, j->row.v.n);
}

static void frames_clear(struct as_fleet_job *j)
{
	j->row.v.n = j->ends.n = 0;
}

/* What was added as rows of the frame ID. The outermost, without which the others do not count,
 * comes last: of a body that is cut off no frame is half. */
static void frames_put(struct as_fleet_job *j, uint64_t id, uint32_t ver)
{
	for (size_t i = j->ends.n; i-- > 0;) {
		size_t begin = i ? j->ends.p[i - 1] : 0;

		as_fleet_put_number(&j->frames, j->out->day, sizeof(uint16_t));
		as_fleet_put_number(&j->frames, j->out->home, sizeof(uint64_t));
		as_fleet_put_number(&j->frames, id, sizeof(id));
		as_fleet_put_number(&j->frames, i, sizeof(uint16_t));
		as_fleet_put(&j->frames, j->row.v.p + begin, j->ends.p[i] - begin);
		as_fleet_put_number(&j->frames, ver, sizeof(ver));
	}
	j->out->n_frames += j->ends.n;
}

/* The id of what was added, whose rows are there then. */
static uint64_t frames_end(struct as_fleet_job *j)
{
	uint64_t id = as_fleet_bytes_hash(&j->row);

	if (!as_fleet_is_new(j, &j->seen_frames, id))
		return id;
	frames_put(j, id, 0);
	as_fleet_named_put(j, &j->out->frame, id, j->frames.v.n, j->ends.n);
	return id;
}

/* The frame that ends in NODE is added, of no more functions than one may have. Returns where the
 * one above it ends. */
static as_node frames_collect(struct as_fleet_job *j, as_node node)
{
	const struct as_profile *prof = j->prof;
	bool more = true;

	j->inlined.n = 0;
	while (node.i && more && j->inlined.n < AS_FLEET_IN_FRAME) {
		as_place place = prof->node.place.p[node.i];

		j->row.failed |= !as_vec_push(&j->pool.al, &j->inlined, place);
		more = prof->place.inlined.p[place.i];
		node = prof->node.parent.p[node.i];
	}
	frames_clear(j);
	for (size_t i = j->inlined.n; i > 0; i--) {
		struct as_pos pos = as_place_pos(prof, j->inlined.p[i - 1]);
		struct as_place_more rare = as_place_get_more(prof, j->inlined.p[i - 1]);

		frames_add(j, &pos, &rare);
	}
	return node;
}

static uint64_t frame_ending_at(struct as_fleet_job *j, as_node node)
{
	const struct as_profile *prof = j->prof;
	uint32_t place = prof->node.place.p[node.i].i;

	if (j->frame[node.i])
		return j->frame[node.i];
	if (j->alone[place]) {
		j->above[node.i] = prof->node.parent.p[node.i];
		return j->frame[node.i] = j->alone[place];
	}
	j->above[node.i] = frames_collect(j, node);
	j->frame[node.i] = frames_end(j);
	if (!prof->place.inlined.p[place])
		j->alone[place] = j->frame[node.i];
	return j->frame[node.i];
}

void as_fleet_rename_frame(struct as_fleet_job *j, uint64_t id, as_node node, uint32_t ver)
{
	(void)frames_collect(j, node);
	frames_put(j, id, ver);
}

/* ---- stacks ---- */

static uint64_t frames_stack_end(struct as_fleet_job *j)
{
	uint64_t id;

	frames_clear(j);
	as_fleet_put_length(&j->row, j->leaf_first.n);
	for (size_t i = 0; i < j->leaf_first.n; i++)
		as_fleet_put_number(&j->row, j->leaf_first.p[i], sizeof(j->leaf_first.p[i]));
	id = as_fleet_bytes_hash(&j->row);
	if (!as_fleet_is_new(j, &j->seen_stacks, id))
		return id;
	as_fleet_put_number(&j->stacks, j->out->day, sizeof(uint16_t));
	as_fleet_put_number(&j->stacks, j->out->home, sizeof(uint64_t));
	as_fleet_put_number(&j->stacks, id, sizeof(id));
	as_fleet_put(&j->stacks, j->row.v.p, j->row.v.n);
	as_fleet_named_put(j, &j->out->stack, id, j->stacks.v.n, 1);
	j->out->n_stacks++;
	return id;
}

static void frames_stack_add(struct as_fleet_job *j, uint64_t frame)
{
	j->row.failed |= !as_vec_push(&j->pool.al, &j->leaf_first, frame);
}

uint64_t as_fleet_path(struct as_fleet_job *j, as_node node)
{
	j->leaf_first.n = 0;
	for (; node.i && !j->row.failed; node = j->above[node.i])
		frames_stack_add(j, frame_ending_at(j, node));
	return frames_stack_end(j);
}

uint64_t as_fleet_spot(
	struct as_fleet_job *j, const struct as_run *run, uint64_t line, uint64_t addr)
{
	struct as_pos pos = {run->func, run->file, line, addr, false};
	struct as_place_more none = {0};

	frames_clear(j);
	frames_add(j, &pos, &none);
	j->leaf_first.n = 0;
	frames_stack_add(j, frames_end(j));
	frames_stack_add(j, 0);
	return frames_stack_end(j);
}
