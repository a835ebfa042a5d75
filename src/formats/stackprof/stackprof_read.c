/* SPDX-License-Identifier: Apache-2.0 */
/* The file's one object, member by member. docs/formats/stackprof.md. */
#include "formats/stackprof/stackprof.h"

/* ---- values ---- */

/* A number that is not below zero and has no more than 64 bits; null is none, 0. */
static bool stackprof_read_number(struct as_sp *sp, uint64_t *v)
{
	*v = 0;
	return as_pull_peek(&sp->in.js) == AS_PULL_NULL ? as_pull_skip(&sp->in.js)
							: as_json_in_count(&sp->in, v);
}

static bool stackprof_read_text(struct as_sp *sp, struct as_slice *to)
{
	return as_pull_peek(&sp->in.js) == AS_PULL_NULL ? as_pull_skip(&sp->in.js)
							: as_json_in_text(&sp->in, &sp->arena, to);
}

static bool stackprof_read_numbers(struct as_sp *sp, struct sp_numbers *v)
{
	struct as_slice text;
	uint64_t number;
	bool below;

	as_pull_array(&sp->in.js);
	while (as_pull_item(&sp->in.js)) {
		if (!as_pull_number(&sp->in.js, &text))
			return false;
		if (!as_pull_integer(text, &number, &below))
			return as_pull_wrong(&sp->in.js, "a number that has no 64 bits");
		if (!as_json_in_room(&sp->in, as_vec_push(sp->al, v, number)))
			return false;
	}
	return !sp->in.js.why;
}

/* A number that is a key. */
static bool stackprof_read_id(struct as_sp *sp, struct as_slice key, uint64_t *id)
{
	return as_slice_dec(key, id) || as_pull_wrong(&sp->in.js, "a key that is no number");
}

/* ---- frames ---- */

static bool stackprof_read_edges(struct as_sp *sp)
{
	struct sp_edge e = {.from = (uint32_t)sp->frame.n};
	struct as_slice key;

	as_pull_object(&sp->in.js);
	while (as_pull_key(&sp->in.js, &key))
		if (!stackprof_read_id(sp, key, &e.to) || !stackprof_read_number(sp, &e.samples) ||
			!as_json_in_room(&sp->in, as_vec_push(sp->al, &sp->edge, e)))
			return false;
	return !sp->in.js.why;
}

/* "26": [with what it called, by itself]; old ones have the first number alone. */
static bool stackprof_read_lines(struct as_sp *sp)
{
	struct as_slice key;

	as_pull_object(&sp->in.js);
	while (as_pull_key(&sp->in.js, &key)) {
		struct sp_line l = {.frame = (uint32_t)sp->frame.n};
		uint64_t number[2] = {0};
		size_t n = 0;

		if (!stackprof_read_id(sp, key, &l.line))
			return false;
		if (as_pull_peek(&sp->in.js) != AS_PULL_ARRAY) {
			as_pull_skip(&sp->in.js);
			continue;
		}
		as_pull_array(&sp->in.js);
		while (as_pull_item(&sp->in.js))
			if (!stackprof_read_number(sp, &number[n < 1 ? n++ : 1]))
				return false;
		l.samples = number[1];
		if (l.samples && !as_json_in_room(&sp->in, as_vec_push(sp->al, &sp->line, l)))
			return false;
	}
	return !sp->in.js.why;
}

static bool stackprof_read_member(struct as_sp *sp, struct as_slice key, struct sp_frame *f)
{
	if (as_slice_is(key, "name"))
		return stackprof_read_text(sp, &f->name);
	if (as_slice_is(key, "file"))
		return stackprof_read_text(sp, &f->file);
	if (as_slice_is(key, "line"))
		return stackprof_read_number(sp, &f->line);
	if (as_slice_is(key, "samples"))
		return stackprof_read_number(sp, &f->samples);
	if (as_slice_is(key, "edges"))
		return stackprof_read_edges(sp);
	if (as_slice_is(key, "lines"))
		return stackprof_read_lines(sp);
	return as_pull_skip(&sp->in.js);
}

static bool stackprof_read_frame(struct as_sp *sp, struct as_slice key)
{
	struct sp_frame f = {.name = as_slice_of(""), .file = as_slice_of("")};

	if (!stackprof_read_id(sp, key, &f.id))
		return false;
	as_pull_object(&sp->in.js);
	while (as_pull_key(&sp->in.js, &key))
		if (!stackprof_read_member(sp, key, &f))
			return false;
	if (as_slice_is(f.file, "<cfunc>"))
		f.file = as_slice_of("");
	return !sp->in.js.why &&
	       as_json_in_room(&sp->in,
		       as_index_add(&sp->ids, as_hash_mix(f.id, 0), (uint32_t)sp->frame.n) &&
			       as_vec_push(sp->al, &sp->frame, f));
}

struct sp_frame *as_sp_frame(const struct as_sp *sp, uint64_t id)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&sp->ids, as_hash_mix(id, 0), &at, &row))
		if (sp->frame.p[row].id == id)
			return &sp->frame.p[row];
	return NULL;
}

/* ---- all of it ---- */

static bool stackprof_read_frames(struct as_sp *sp)
{
	struct as_slice key;

	sp->half_frames = true;
	as_pull_object(&sp->in.js);
	while (as_pull_key(&sp->in.js, &key))
		if (!stackprof_read_frame(sp, key))
			return false;
	sp->half_frames = sp->in.js.why != NULL;
	return !sp->half_frames;
}

static bool stackprof_read_top(struct as_sp *sp, struct as_slice key)
{
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {{"interval", &sp->interval}, {"samples", &sp->samples},
		{"missed_samples", &sp->missed}};
	const struct {
		const char *key;
		struct sp_numbers *to;
	} arrays[] = {{"raw", &sp->raw}, {"raw_lines", &sp->raw_line},
		{"raw_timestamp_deltas", &sp->delta}, {"raw_sample_timestamps", &sp->stamp}};

	sp->has_samples |= as_slice_is(key, "samples");
	sp->has_raw |= as_slice_is(key, "raw");
	sp->has_lines |= as_slice_is(key, "raw_lines");
	for (size_t i = 0; i < AS_ARRAY_LEN(numbers); i++)
		if (as_slice_is(key, numbers[i].key))
			return stackprof_read_number(sp, numbers[i].to);
	for (size_t i = 0; i < AS_ARRAY_LEN(arrays); i++) {
		if (!as_slice_is(key, arrays[i].key))
			continue;
		sp->half_raw = arrays[i].to == &sp->raw;
		if (!stackprof_read_numbers(sp, arrays[i].to))
			return false;
		sp->half_raw = false;
		return true;
	}
	if (as_slice_is(key, "mode"))
		return stackprof_read_text(sp, &sp->mode);
	if (as_slice_is(key, "frames"))
		return stackprof_read_frames(sp);
	return as_pull_skip(&sp->in.js);
}

/* Without what is of a frame that is not whole; and frames say of all samples what the stacks that
 * are there say of some. */
static void stackprof_read_whole(struct as_sp *sp)
{
	sp->has_raw &= !sp->half_raw;
	while (sp->edge.n && sp->edge.p[sp->edge.n - 1].from >= sp->frame.n)
		sp->edge.n--;
	while (sp->line.n && sp->line.p[sp->line.n - 1].frame >= sp->frame.n)
		sp->line.n--;
}

static enum as_code stackprof_read_all(struct as_sp *sp)
{
	struct as_slice key;

	AS_TRY(as_json_in_open(&sp->in, sp->rd, sp->al));
	as_pull_object(&sp->in.js);
	while (as_pull_key(&sp->in.js, &key))
		if (!stackprof_read_top(sp, key))
			break;
	/* Stacks name frames, which come first. */
	if (sp->frame.n && !(sp->has_raw && sp->half_frames) && as_json_in_keep(&sp->in))
		stackprof_read_whole(sp);
	AS_TRY(as_json_in_end(&sp->in));
	AS_TRY(as_sp_put(sp));
	return as_json_in_tell(
		&sp->in, sp->has_raw ? "all stacks" : "frames, with what was counted in each");
}

enum as_code as_sp_read(struct as_rd *rd)
{
	struct as_sp sp = {.rd = rd, .al = rd->al};

	as_arena_init(&sp.arena, sp.al);
	as_index_init(&sp.ids, sp.al);
	return stackprof_read_all(&sp);
}
