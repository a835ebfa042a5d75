/* SPDX-License-Identifier: Apache-2.0 */
#include "session/load_impl.h"

#include "model/build.h"
#include "session/naming.h"
#include "symbols/unwind/perf_unwind.h"

/* A file that was looked for, as what is read has it, and what was found. */
struct as_unwinding_file {
	struct as_slice path, id;
	struct as_slice found, found_id; /* FOUND is empty: none that may be used */
};

/* ---- which file ---- */

/* Names are looked for in the same places, so a profile of the one object is asked. */
static enum as_code unwinding_profile(struct as_unwinding *u, const struct as_perf_range *range,
	struct as_slice id, struct as_profile **prof)
{
	struct as_map map = {.start = range->start,
		.limit = range->limit,
		.offset = range->offset,
		.exec = true};
	struct as_err err = AS_ERR_NONE;
	struct as_build b;
	enum as_code rc;

	AS_TRY(as_build_init(&b, u->ses->al, &err));
	rc = as_build_part(&b, &map.part);
	AS_THEN(rc, as_build_object(&b, range->path, id, &map.object));
	if (rc == AS_OK) {
		b.prof->object.p[map.object.i].addr_kind = AS_ADDR_FILE_OFFSET;
		rc = as_build_map(&b, &map);
	}
	if (rc == AS_OK)
		return as_build_finish(&b, prof);
	as_build_free(&b);
	return rc;
}

/* False if out of memory: what cannot be had otherwise is not there. */
static bool unwinding_look(
	struct as_unwinding *u, const struct as_perf_range *range, struct as_unwinding_file *f)
{
	struct as_symbol_binary bin = {.arena = &u->arena};
	struct as_err err = AS_ERR_NONE;
	struct as_profile *prof;
	enum as_code rc = unwinding_profile(u, range, f->id, &prof);
	as_object o = {1}; /* the only one */

	if (rc != AS_OK)
		return false;
	as_assert(as_slice_eq(as_object_path(prof, o), range->path));
	rc = as_symbol_object(prof, o, &u->opts, &bin, &err);
	if (rc == AS_OK) {
		f->found = as_arena_dup(&u->arena, bin.path);
		f->found_id = as_arena_dup(&u->arena, as_elf_facts(bin.elf)->build_id);
		as_elf_close(bin.elf);
	}
	as_profile_free(prof);
	return rc != AS_E_NOMEM && as_arena_code(&u->arena) == AS_OK;
}

static const struct as_unwinding_file *unwinding_file(
	struct as_unwinding *u, const struct as_perf_range *range, struct as_slice id)
{
	struct as_unwinding_file one = {.found = {"", 0}};

	for (size_t i = 0; i < u->file.n; i++)
		if (as_slice_eq(u->file.p[i].path, range->path) && as_slice_eq(u->file.p[i].id, id))
			return &u->file.p[i];
	one.path = as_arena_dup(&u->arena, range->path);
	one.id = as_arena_dup(&u->arena, id);
	if (!one.path.p || !one.id.p || !unwinding_look(u, range, &one) ||
		!as_vec_push(u->ses->al, &u->file, one))
		return NULL;
	return &u->file.p[u->file.n - 1];
}

/* ---- what the reader asks for ---- */

/* Debug files of a network's have names, but no tables. */
static void unwinding_start(struct as_unwinding *u)
{
	u->asked = *u->ses; /* OPTS borrows its lists */
	u->asked.opt.name.debuginfod = false;
	as_session_symbol_opts(&u->asked, &u->arena, &u->opts);
	u->tables = as_unwind_tables_new(u->ses->al);
}

static struct as_unwind *unwinding_begin(void *ctx)
{
	struct as_unwinding *u = ctx;

	if (!u->tables)
		unwinding_start(u);
	return u->tables ? as_unwind_new(u->ses->al, u->tables, AS_NO_PROCESS) : NULL;
}

/* The kernel's own object is this machine's: it may be another one than was recorded. */
static bool unwinding_is_vdso(const struct as_perf_range *range, struct as_slice id)
{
	char text[AS_BUILD_ID_TEXT];

	return as_slice_is(range->path, "[vdso]") && id.len &&
	       as_slice_eq(as_vdso_build_id(text), id);
}

static bool unwinding_add(
	void *ctx, struct as_unwind *unwind, const struct as_perf_range *range, struct as_slice id)
{
	struct as_perf_range here = *range;
	const struct as_unwinding_file *f;

	if (unwinding_is_vdso(range, id))
		return as_unwind_maps_add(unwind, range, id);
	if (!as_path_is_file(range->path))
		return true;
	f = unwinding_file(ctx, range, id);
	if (!f)
		return false;
	here.path = f->found;
	here.dev = here.ino = 0;
	return !f->found.len || as_unwind_maps_add(unwind, &here, f->found_id);
}

const struct as_unwinder *as_unwinding_init(struct as_unwinding *u, const struct as_session *ses)
{
	*u = (struct as_unwinding){.ses = ses,
		.hook = {.ctx = u,
			.begin = unwinding_begin,
			.end = as_unwind_free,
			.is_stale = as_unwind_is_stale,
			.add = unwinding_add,
			.added = as_unwind_maps_end,
			.unwind = as_unwind_stack}};
	as_arena_init(&u->arena, ses->al);
	return as_unwind_possible() && as_session_wants_names(ses) ? &u->hook : NULL;
}

void as_unwinding_release(struct as_unwinding *u)
{
	as_unwind_tables_free(u->tables);
	as_vec_free(u->ses->al, &u->file);
	as_arena_release(&u->arena);
}
