/* SPDX-License-Identifier: Apache-2.0 */
/* Source files of a profile, each opened once and only if it is asked for. */
#include <sys/stat.h>

#include "session/list/list.h"

struct as_source_state {
	struct as_source source;
	bool found;
	struct as_slice note;
};

/* ---- what is passed on ---- */

static void ask_object(struct as_sources *s, as_object o)
{
	struct as_symbol_binary binary = {.arena = &s->arena};
	struct as_err err = AS_ERR_NONE;

	if (!o.i || s->asked[o.i])
		return;
	s->asked[o.i] = 1;
	if (as_symbol_object(s->prof, o, &s->symbols, &binary, &err) != AS_OK)
		return;
	if (as_elf_sources(binary.elf, s->name, s->prof->file.n) != AS_OK)
		s->asked[o.i] = 0; /* without memory nothing is known */
	as_elf_close(binary.elf);
}

/* Whether a binary names the file: those whose functions it has are asked first. */
static bool list_source_is_named(void *ctx, struct as_slice path)
{
	struct as_sources *s = ctx;
	const struct as_profile *prof = s->prof;
	const struct as_elf_source *name = &s->name[s->asking.i];

	(void)path;
	if (!as_session_wants_names(s->ses))
		return false;
	for (size_t f = 1; f < prof->func.name.n && !name->named; f++)
		if (prof->func.file.p[f].i == s->asking.i)
			ask_object(s, prof->func.object.p[f]);
	for (uint32_t o = 1; o < prof->object.n && !name->named; o++)
		ask_object(s, (as_object){o});
	return name->named;
}

static bool list_source_guard(struct as_sources *s, const struct as_listing_args *args)
{
	size_t n = s->prof->file.n;

	s->page = args->page;
	s->name = as_arena_get(&s->arena, (n + 1) * sizeof(*s->name));
	s->asked = as_arena_get(&s->arena, s->prof->object.n + 1);
	if (!s->name || !s->asked ||
		!as_guard_init(&s->guard, s->ses, &args->source_path, &s->arena))
		return false;
	for (uint32_t i = 0; i < n; i++)
		s->name[i] = (struct as_elf_source){as_file_path(s->prof, (as_file){i}), false};
	memset(s->asked, 0, s->prof->object.n + 1);
	s->guard.named = list_source_is_named;
	s->guard.ctx = s;
	s->opts.guard = &s->guard;
	return true;
}

bool as_sources_init(struct as_sources *s, const struct as_session *ses, const struct as_inputs *in,
	const struct as_listing_args *args)
{
	*s = (struct as_sources){.ses = ses,
		.prof = in->prof,
		.opts = {.path_map = ses->opt.name.path_map.p,
			.n_path_map = ses->opt.name.path_map.n,
			.source_path = args->source_path.p,
			.n_source_path = args->source_path.n}};
	as_arena_init(&s->arena, ses->al);
	for (size_t i = 0; i < in->file.n; i++) {
		struct stat st;

		if (stat(in->file.p[i], &st) == 0 && (uint64_t)st.st_mtime > s->recorded)
			s->recorded = (uint64_t)st.st_mtime;
	}
	if (as_session_wants_names(ses))
		as_session_symbol_opts(ses, &s->arena, &s->symbols);
	return as_arena_array(&s->arena, &s->file, in->prof->file.n) &&
	       as_arena_array(&s->arena, &s->built, in->prof->object.n) &&
	       (!args->page || list_source_guard(s, args));
}

void as_sources_release(struct as_sources *s)
{
	for (size_t i = 0; s->file && i < s->prof->file.n; i++)
		if (s->file[i])
			as_source_release(&s->file[i]->source);
	as_arena_release(&s->arena);
}

/* When object O was built; UINT64_MAX if there is no telling. */
static uint64_t list_source_built(struct as_sources *s, as_object o)
{
	if (!as_session_wants_names(s->ses) || !o.i)
		return UINT64_MAX;
	if (!s->built[o.i]) {
		s->built[o.i] = as_symbol_object_time(s->prof, o, &s->symbols);
		if (!s->built[o.i])
			s->built[o.i] = UINT64_MAX;
	}
	return s->built[o.i];
}

/* Source is older than the binary of its functions, and that is older than the profile. */
static const char *newer_than(struct as_sources *s, as_file file, uint64_t mtime)
{
	for (size_t f = 1; f < s->prof->func.name.n; f++)
		if (s->prof->func.file.p[f].i == file.i &&
			mtime > list_source_built(s, s->prof->func.object.p[f]))
			return "this file is newer than its binary: lines may have moved";
	if (s->recorded && mtime > s->recorded)
		return "this file is newer than the profile: lines may have moved";
	return "";
}

/* NULL: out of memory, which is as if there were no source. */
static struct as_source_state *state_of(struct as_sources *s, as_file file)
{
	struct as_source_state *state = s->file[file.i];
	struct as_slice path = as_file_path(s->prof, file);
	struct as_err err = AS_ERR_NONE;

	as_assert(file.i < s->prof->file.n);
	if (state)
		return state;
	state = as_arena_get(&s->arena, sizeof(*state));
	if (!state)
		return NULL;
	*state = (struct as_source_state){0};
	s->file[file.i] = state;
	s->asking = file;
	state->found = path.len && !as_slice_is(path, "???") &&
		       as_source_open(&state->source, s->ses->al, path, &s->opts, &err) == AS_OK;
	if (state->source.forbidden)
		as_left_out(s->page, state->source.path, state->source.forbidden);
	if (!state->found && err.msg[0])
		state->note = as_arena_dup(&s->arena, as_slice_of(err.msg));
	else if (state->found)
		state->note = as_slice_of(newer_than(s, file, state->source.mtime));
	return state;
}

static bool list_source_line(void *ctx, as_file file, uint64_t n, struct as_slice *text)
{
	struct as_source_state *state = state_of(ctx, file);

	if (!state || !state->found || !n || n > state->source.n_lines)
		return false;
	*text = as_source_line(&state->source, n);
	return true;
}

static struct as_slice list_source_where(void *ctx, as_file file, struct as_slice *note)
{
	struct as_source_state *state = state_of(ctx, file);

	*note = state ? state->note : (struct as_slice){0};
	return state && state->found ? state->source.path : (struct as_slice){0};
}

struct as_list_source as_sources_for_report(struct as_sources *s)
{
	return (struct as_list_source){
		.ctx = s, .line = list_source_line, .where = list_source_where};
}
