/* SPDX-License-Identifier: Apache-2.0 */
/* Lines become places. docs/formats/gcov.md, "Mapping". */
#include "formats/gcov/gcov.h"

#include <inttypes.h>

enum as_code as_gc_begin(struct as_gc *gc)
{
	static const char *const name[AS_GC_EVENTS] = {"executions", "calls"};
	uint32_t event;

	AS_TRY(as_rd_part(gc->rd, "gcov", &gc->part));
	for (int i = 0; i < AS_GC_EVENTS; i++)
		AS_TRY(as_build_event(
			gc->rd->out, as_slice_of(name[i]), as_slice_of("count"), &event));
	return as_build_part_all_events(gc->rd->out, gc->part);
}

bool as_gc_func(struct as_gc *gc, struct as_slice name, uint32_t *out)
{
	uint64_t hash = as_hash_bytes(name.p, name.len), at = AS_INDEX_START;
	struct gc_func f = {.demangled = as_slice_of("")};

	while (as_index_find(&gc->names, hash, &at, out))
		if (as_slice_eq(gc->func.p[*out - 1].name, name))
			return true;
	f.name = as_arena_dup(&gc->arena, name);
	*out = (uint32_t)gc->func.n + 1;
	return f.name.p && as_index_add(&gc->names, hash, *out) &&
	       as_vec_push(gc->al, &gc->func, f);
}

bool as_gc_line(struct as_gc *gc, struct gc_line line)
{
	return as_vec_push(gc->al, &gc->line, line);
}

static enum as_code gcov_put_func(struct as_gc *gc, struct gc_func *f, as_file file)
{
	struct as_build *b = gc->rd->out;
	struct as_func_row row = {.file = file, .line = f->line};

	AS_TRY(as_build_str(b, f->demangled.len ? f->demangled : f->name, &row.name));
	if (f->demangled.len)
		AS_TRY(as_build_str(b, f->name, &row.system));
	return as_build_func_row(b, &row, &f->func);
}

/* A function's calls are those of the line in which it begins. */
static enum as_code gcov_put_calls(struct as_gc *gc, const struct gc_func *f, as_file file)
{
	struct as_pos pos = {.func = f->func, .file = file, .line = f->line};
	as_val cost[AS_GC_EVENTS] = {0, (as_val)f->calls};

	return f->has_calls ? as_build_self(gc->rd->out, gc->part, &pos, cost, AS_GC_EVENTS)
			    : AS_OK;
}

enum as_code as_gc_put(struct as_gc *gc)
{
	struct as_build *b = gc->rd->out;
	as_file file;

	gc->files++;
	AS_TRY(as_build_file(b, gc->file, &file));
	for (size_t i = 0; i < gc->func.n; i++)
		AS_TRY(gcov_put_func(gc, &gc->func.p[i], file));
	for (size_t i = 0; i < gc->line.n; i++) {
		const struct gc_line *l = &gc->line.p[i];
		struct as_pos pos = {.file = file, .line = l->number};
		as_val cost = (as_val)l->count;

		if (l->func)
			pos.func = gc->func.p[l->func - 1].func;
		AS_TRY(as_build_self(b, gc->part, &pos, &cost, 1));
	}
	for (size_t i = 0; i < gc->func.n; i++)
		AS_TRY(gcov_put_calls(gc, &gc->func.p[i], file));
	gc->func.n = gc->line.n = 0;
	as_index_release(&gc->names);
	as_index_init(&gc->names, gc->al);
	return AS_OK;
}

enum as_code as_gc_tell_branches(const struct as_gc *gc)
{
	if (!gc->branches)
		return AS_OK;
	return as_rd_find(gc->rd, AS_F_GC_BRANCHES, AS_OFF_NONE, 0,
		"%" PRIu64 " branch%s: how often each was taken is not read", gc->branches,
		gc->branches == 1 ? "" : "es");
}
