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
				as_alloc_array(&j->pool.al, &j->stack, n) &&
				as_alloc_array(&j->pool.al, &j->alone, j->prof->place.inlined.n));
}

/* ---- frames ---- */

/* The function at POS becomes one more row of the frame. */
static void frames_add(
	struct as_fleet_job *j, const struct as_pos *pos, const struct as_place_more *more)
{
	const struct as_profile *prof = j->prof;
	struct as_func_row f = as_func_get(prof, pos->func);
	const struct as_object_row *object = &prof->object.p[f.object.i];
	unsigned kind = object->addr_kind;
	struct as_slice text[] = {as_str_get(prof, f.name), as_str_get(prof, f.system),
		as_str_get(prof, prof->file.p[f.file.i]), as_str_get(prof, object->path),
		as_str_get(prof, object->id), as_str_get(prof, prof->file.p[pos->file.i])};
	size_t size = 5 * sizeof(uint64_t) + 1;
	char *p;

	as_assert(kind <= AS_FRAME_ADDRS);
	kind |= pos->inlined ? AS_FRAME_INLINED : 0;
	kind |= f.whole ? AS_FRAME_WHOLE : 0;
	kind |= more->folded ? AS_FRAME_FOLDED : 0;
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++)
		size += AS_PB_VARINT_MAX + text[i].len;
	p = as_fleet_room(&j->row, size);
	if (!p)
		return;
	p = as_fleet_text(as_fleet_text(p, text[0]), text[1]);
	p = as_fleet_text(as_fleet_le(p, f.line, sizeof(uint64_t)), text[2]);
	p = as_fleet_text(as_fleet_le(p, f.addr, sizeof(uint64_t)), text[3]);
	p = as_fleet_text(as_fleet_text(p, text[4]), text[5]);
	p = as_fleet_le(p, pos->line, sizeof(uint64_t));
	p = as_fleet_le(p, more->column, sizeof(uint64_t));
	p = as_fleet_le(p, pos->addr, sizeof(uint64_t));
	*p++ = (char)kind;
	j->row.v.n = (size_t)(p - j->row.v.p);
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
	enum { KEYS = 2 * sizeof(uint16_t) + 2 * sizeof(uint64_t) + sizeof(uint32_t) };

	for (size_t i = j->ends.n; i-- > 0;) {
		size_t begin = i ? j->ends.p[i - 1] : 0;

		size_t n = j->ends.p[i] - begin;
		char *p = as_fleet_room(&j->frames, n + KEYS);

		if (!p)
			return;
		p = as_fleet_le(p, j->out->day, sizeof(uint16_t));
		p = as_fleet_le(p, j->out->home, sizeof(uint64_t));
		p = as_fleet_le(p, id, sizeof(id));
		p = as_fleet_le(p, i, sizeof(uint16_t));
		memcpy(p, j->row.v.p + begin, n);
		(void)as_fleet_le(p + n, ver, sizeof(ver));
		j->frames.v.n += n + KEYS;
	}
	j->out->n_frames += j->ends.n;
}

/* The id of what was added, whose rows are there then; a second time if it is not ONCE and was
 * there. */
static uint64_t frames_end(struct as_fleet_job *j, bool once)
{
	uint64_t id = as_fleet_bytes_hash(&j->row);

	if (once && !as_fleet_is_new(j, &j->seen_frames, id))
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
	j->frame[node.i] = frames_end(j, prof->place.inlined.p[place]);
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

/* The id of the stack of LEAF_FIRST, whose row is there then; a second time if it is not ONCE and
 * was there. */
static uint64_t frames_stack_end(struct as_fleet_job *j, bool once)
{
	enum { HEAD = sizeof(uint16_t) + 2 * sizeof(uint64_t) };
	size_t size = HEAD + AS_PB_VARINT_MAX + j->leaf_first.n * sizeof(uint64_t);
	char *row = as_fleet_room(&j->stacks, size), *end;
	uint64_t id;

	if (!row) {
		j->row.failed = true;
		return 0;
	}
	end = as_pb_put_varint(row + HEAD, j->leaf_first.n);
	for (size_t i = 0; i < j->leaf_first.n; i++)
		end = as_fleet_le(end, j->leaf_first.p[i], sizeof(uint64_t));
	id = as_fleet_hash(row + HEAD, (size_t)(end - row) - HEAD);
	if (once && !as_fleet_is_new(j, &j->seen_stacks, id))
		return id;
	row = as_fleet_le(row, j->out->day, sizeof(uint16_t));
	(void)as_fleet_le(as_fleet_le(row, j->out->home, sizeof(uint64_t)), id, sizeof(id));
	j->stacks.v.n = (size_t)(end - j->stacks.v.p);
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
	uint64_t *id = &j->stack[node.i];

	if (*id)
		return *id;
	j->leaf_first.n = 0;
	for (; node.i && !j->row.failed; node = j->above[node.i])
		frames_stack_add(j, frame_ending_at(j, node));
	return *id = frames_stack_end(j, false);
}

uint64_t as_fleet_spot(
	struct as_fleet_job *j, const struct as_run *run, uint64_t line, uint64_t addr)
{
	struct as_pos pos = {run->func, run->file, line, addr, false};
	struct as_place_more none = {0};

	frames_clear(j);
	frames_add(j, &pos, &none);
	j->leaf_first.n = 0;
	frames_stack_add(j, frames_end(j, true));
	frames_stack_add(j, 0);
	return frames_stack_end(j, true);
}
