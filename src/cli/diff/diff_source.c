/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff --view list: source files. */
#include <sys/stat.h>

#include "cli/diff/diff_cmd.h"

struct as_diff_source_file {
	struct as_slice path; /* as the profiles have it */
	struct as_source source;
	struct as_arena arena; /* of PATH and NOTE */
	bool found;
	struct as_slice note;
};

static void diff_source_open_file(struct as_diff_sources *s, struct as_diff_source_file *f)
{
	struct as_err err = AS_ERR_NONE;

	f->found = f->path.len && !as_slice_is(f->path, "???") &&
		   as_source_open(&f->source, s->al, f->path, &s->opts, &err) == AS_OK;
	if (!f->found && err.msg[0])
		f->note = as_arena_dup(&f->arena, as_slice_of(err.msg));
	else if (f->found && s->recorded && f->source.mtime > s->recorded)
		f->note = as_slice_of("this file is newer than the profiles: lines may have moved");
}

/* NULL: out of memory, which is as if there were no source. */
static struct as_diff_source_file *diff_source_file_of(
	struct as_diff_sources *s, struct as_slice path)
{
	struct as_diff_source_file *f;

	for (size_t i = s->file.n; i-- > 0;)
		if (as_slice_eq(s->file.p[i]->path, path))
			return s->file.p[i];
	f = as_alloc_new(s->al, sizeof(*f));
	if (!f || !as_vec_push(s->al, &s->file, f)) {
		as_alloc_free(s->al, f, f ? sizeof(*f) : 0);
		return NULL;
	}
	as_arena_init(&f->arena, s->al);
	f->path = as_arena_dup(&f->arena, path);
	diff_source_open_file(s, f);
	return f;
}

static bool diff_source_line(void *ctx, struct as_slice path, uint64_t n, struct as_slice *text)
{
	struct as_diff_source_file *f = diff_source_file_of(ctx, path);

	if (!f || !f->found || !n || n > f->source.n_lines)
		return false;
	*text = as_source_line(&f->source, n);
	return true;
}

static struct as_slice diff_source_where(void *ctx, struct as_slice path, struct as_slice *note)
{
	struct as_diff_source_file *f = diff_source_file_of(ctx, path);

	*note = f ? f->note : (struct as_slice){0};
	return f && f->found ? f->source.path : (struct as_slice){0};
}

struct as_diff_source as_diff_sources_open(struct as_diff_job *j)
{
	struct as_diff_sources *s = &j->sources;

	as_assert(!s->file.n);
	s->al = j->cli->ses.al;
	s->opts = (struct as_source_opts){.path_map = j->cli->ses.opt.name.path_map.p,
		.n_path_map = j->cli->ses.opt.name.path_map.n,
		.source_path = j->args->source_path.p,
		.n_source_path = j->args->source_path.n};
	for (unsigned side = 0; side < AS_SIDES; side++)
		for (size_t i = 0; i < j->side[side].n; i++) {
			struct stat st;

			if (stat(j->side[side].path[i], &st) == 0 &&
				(uint64_t)st.st_mtime > s->recorded)
				s->recorded = (uint64_t)st.st_mtime;
		}
	return (struct as_diff_source){s, diff_source_line, diff_source_where};
}

void as_diff_sources_close(struct as_diff_job *j)
{
	struct as_diff_sources *s = &j->sources;

	for (size_t i = 0; i < s->file.n; i++) {
		as_source_release(&s->file.p[i]->source);
		as_arena_release(&s->file.p[i]->arena);
		as_alloc_free(s->al, s->file.p[i], sizeof(*s->file.p[i]));
	}
	if (s->al)
		as_vec_free(s->al, &s->file);
}
