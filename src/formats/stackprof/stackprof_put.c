/* SPDX-License-Identifier: Apache-2.0 */
/* Functions; and calls, where the file has no stacks. docs/formats/stackprof.md. */
#include "formats/stackprof/stackprof.h"

/* ---- functions ---- */

/* The first frame of F's name and file. */
static bool stackprof_put_first(struct as_sp *sp, struct as_index *names, uint32_t i)
{
	struct sp_frame *f = &sp->frame.p[i];
	uint64_t hash = as_hash_mix(
		as_hash_bytes(f->name.p, f->name.len), as_hash_bytes(f->file.p, f->file.len));
	uint64_t at = AS_INDEX_START;

	as_assert(i < sp->frame.n);
	while (as_index_find(names, hash, &at, &f->first)) {
		struct sp_frame *first = &sp->frame.p[f->first];

		if (as_slice_eq(first->name, f->name) && as_slice_eq(first->file, f->file)) {
			first->twin |= first->line != f->line;
			return true;
		}
	}
	f->first = i;
	return as_index_add(names, hash, i);
}

/* Blocks of one method have one name, and so have methods that were defined again. */
static enum as_code stackprof_put_twins(struct as_sp *sp)
{
	struct as_index names;
	bool ok = true;

	as_index_init(&names, sp->al);
	for (uint32_t i = 0; ok && i < sp->frame.n; i++)
		ok = stackprof_put_first(sp, &names, i);
	as_index_release(&names);
	return as_err_memory(sp->rd->err, ok);
}

static enum as_code stackprof_put_func(struct as_sp *sp, struct sp_frame *f)
{
	struct as_build *b = sp->rd->out;
	struct as_func_row row = {.line = f->file.len ? f->line : 0};
	struct as_slice name = f->name;

	if (f->file.len)
		AS_TRY(as_build_file(b, f->file, &f->at));
	row.file = f->at;
	if (sp->frame.p[f->first].twin && f->line) {
		name = as_arena_printf(&sp->arena, "%.*s:%" PRIu64, AS_SLICE_FMT(f->name), f->line);
		AS_TRY(as_err_memory(sp->rd->err, name.p));
		AS_TRY(as_build_str(b, f->name, &row.system));
	}
	AS_TRY(as_build_str(b, name, &row.name));
	return as_build_func_row(b, &row, &f->func);
}

/* ---- calls ---- */

/* Samples of F in its lines, and the rest in none. */
static enum as_code stackprof_put_self(
	struct as_sp *sp, uint32_t part, uint32_t frame, size_t *line)
{
	const struct sp_frame *f = &sp->frame.p[frame];
	struct as_pos pos = {.func = f->func, .file = f->at};
	as_val rest = f->samples, in = 0;
	size_t end = *line;

	as_assert(frame < sp->frame.n);
	for (; end < sp->line.n && sp->line.p[end].frame == frame; end++)
		in += sp->line.p[end].samples;
	for (; *line < end; (*line)++) {
		as_val cost = sp->line.p[*line].samples;

		if (in > rest)
			continue; /* they say more than there is */
		pos.line = sp->line.p[*line].line;
		AS_TRY(as_build_self(sp->rd->out, part, &pos, &cost, 1));
	}
	rest -= in > rest ? 0 : in;
	pos.line = 0;
	if (in && !rest)
		return AS_OK;
	return as_build_self(sp->rd->out, part, &pos, &rest, 1);
}

static enum as_code stackprof_put_calls(struct as_sp *sp)
{
	uint32_t part, event;
	size_t line = 0;

	AS_TRY(as_rd_part(sp->rd, "stackprof", &part));
	AS_TRY(as_build_event(sp->rd->out, as_slice_of("samples"), as_slice_of("count"), &event));
	AS_TRY(as_build_part_events(sp->rd->out, part, &event, 1));
	for (uint32_t i = 0; i < sp->frame.n; i++)
		AS_TRY(stackprof_put_self(sp, part, i, &line));
	for (size_t i = 0; i < sp->edge.n; i++) {
		const struct sp_edge *e = &sp->edge.p[i];
		const struct sp_frame *to = as_sp_frame(sp, e->to);
		struct as_pos site = {
			.func = sp->frame.p[e->from].func, .file = sp->frame.p[e->from].at};
		struct as_call call = {.callee = to ? to->func : (as_func){0}};
		as_val cost = e->samples;

		sp->n_unknown += !to;
		AS_TRY(as_build_call(sp->rd->out, part, &site, &call, &cost, 1));
	}
	return AS_OK;
}

/* ---- what is said about all of it ---- */

/* Each sample stands for so many microseconds, or objects. */
static enum as_code stackprof_put_period(struct as_sp *sp)
{
	struct as_build *b = sp->rd->out;
	struct as_event *ev = &b->prof->event.p[0];
	bool time = as_slice_is(sp->mode, "wall") || as_slice_is(sp->mode, "cpu");

	if (sp->mode.len)
		AS_TRY(as_build_meta_of(b, 0, as_slice_of("mode"), sp->mode, AS_META_OF_RUN));
	if (!time && !as_slice_is(sp->mode, "object"))
		return AS_OK;
	ev->period = sp->interval;
	return as_build_str(b, as_slice_of(time ? "microseconds" : "objects"), &ev->period_unit);
}

static enum as_code stackprof_put_find(struct as_sp *sp)
{
	AS_TRY(as_rd_tell(sp->rd, AS_F_SP_MISSED, sp->missed, "sample{ was|s were} missed"));
	if (sp->n_unknown) {
		as_rd_partial(sp->rd);
		AS_TRY(as_rd_find(sp->rd, AS_F_SP_FRAME, AS_OFF_NONE, 0,
			"%" PRIu64 " number%s no frame's", sp->n_unknown,
			sp->n_unknown == 1 ? " is" : "s are"));
	}
	if (sp->has_raw && sp->line.n && sp->raw_line.n != sp->raw.n)
		return as_rd_find(sp->rd, AS_F_SP_LINES, AS_OFF_NONE, 0,
			"lines are known of functions, and not of stacks: left out");
	return AS_OK;
}

enum as_code as_sp_put(struct as_sp *sp)
{
	AS_TRY(stackprof_put_twins(sp));
	for (size_t i = 0; i < sp->frame.n; i++)
		AS_TRY(stackprof_put_func(sp, &sp->frame.p[i]));
	AS_TRY(sp->has_raw ? as_sp_put_paths(sp) : stackprof_put_calls(sp));
	AS_TRY(stackprof_put_period(sp));
	AS_TRY(stackprof_put_find(sp));
	return as_rd_find_if(sp->rd, !(sp->has_raw ? sp->raw.n : sp->frame.n), AS_F_NO_SAMPLES,
		"the profile has no samples");
}
