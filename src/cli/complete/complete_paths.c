/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders that a word may become. A file is offered by what is in it. */
#define _POSIX_C_SOURCE 200809L
#include "cli/complete/complete.h"

#include <dirent.h>
#include <sys/stat.h>

#include "cli/env.h"
#include "session/input.h"

enum { LOOK_INTO_MAX = 1000 }; /* files; of more, those behind are offered unseen */

const char *as_complete_path(struct as_complete *c, const char *path)
{
	const char *home = as_env_path("HOME");
	struct as_slice whole = {0};

	if (path[0] == '~' && path[1] == '/' && home)
		whole = as_arena_printf(&c->arena, "%s%s", home, path + 1);
	return whole.p ? whole.p : path;
}

/* The format of the file PATH, or NULL. */
static const struct as_format *format_of(const struct as_complete *c, const char *path)
{
	const struct as_alloc *al = c->cli->ses.al;
	const struct as_format *fmt = NULL;
	struct as_peek peek = {{NULL, 0}, false};
	struct as_err err = AS_ERR_NONE;
	struct as_src *src;
	struct as_in in;

	if (as_file_open(al, path, NULL, &src, &err) != AS_OK)
		return NULL;
	if (as_in_open(&in, al, src, &err) == AS_OK &&
		as_in_peek(&in, AS_PEEK_MAX, &peek.head) == AS_OK && peek.head.len) {
		peek.whole = in.eof && peek.head.len <= AS_PEEK_MAX;
		peek.head.len = peek.head.len < AS_PEEK_MAX ? peek.head.len : AS_PEEK_MAX;
		(void)!as_probe_formats(&peek, path, &fmt, &err);
	}
	as_in_close(&in);
	as_file_close(src);
	return fmt;
}

static bool is_folder_path(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Opening anything else could wait for ever, or do something. */
static bool is_file_path(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool as_complete_is_profile(struct as_complete *c, const char *path)
{
	path = as_complete_path(c, path);
	return is_file_path(path) ? format_of(c, path) != NULL
				  : is_folder_path(path) && as_input_is_directory(path);
}

struct folder {
	struct as_complete *c;
	enum as_complete_paths which;
	struct as_slice typed; /* the folder as it is typed, with its slash */
	const char *path;      /* where it is */
	const char *begin;     /* of the names that are looked for */
	bool any;              /* also what is no profile */
	unsigned looked, found;
};

static void folder_entry(struct folder *f, const char *name)
{
	struct as_complete *c = f->c;
	struct as_slice path = as_arena_printf(&c->arena, "%s/%s", f->path, name);
	struct as_slice typed = as_arena_printf(&c->arena, "%.*s%s", AS_SLICE_FMT(f->typed), name);
	const struct as_format *fmt = NULL;

	if (!path.p || !typed.p)
		return;
	if (is_folder_path(path.p)) {
		as_complete_offer(c, as_arena_printf(&c->arena, "%s/", typed.p), as_slice_of(""));
		return;
	}
	if (f->which == AS_COMPLETE_FOLDERS || !is_file_path(path.p))
		return;
	if (!f->any) {
		fmt = ++f->looked <= LOOK_INTO_MAX ? format_of(c, path.p) : NULL;
		if (!fmt && f->looked <= LOOK_INTO_MAX)
			return;
	}
	f->found++;
	as_complete_offer(c, typed, as_slice_of(fmt ? fmt->name : ""));
}

static void folder_read(struct folder *f)
{
	DIR *dir = opendir(f->path);
	const struct dirent *entry;
	size_t len = strlen(f->begin);

	if (!dir)
		return;
	while ((entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		if (strncmp(name, f->begin, len) != 0 || (name[0] == '.' && f->begin[0] != '.') ||
			strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		folder_entry(f, name);
	}
	closedir(dir);
}

void as_complete_paths(struct as_complete *c, enum as_complete_paths which)
{
	const char *slash = strrchr(c->value, '/');
	struct folder f = {.c = c, .which = which, .any = which == AS_COMPLETE_FILES};
	struct as_slice dir;

	c->paths = !c->n;
	f.begin = slash ? slash + 1 : c->value;
	f.typed = (struct as_slice){c->value, (size_t)(f.begin - c->value)};
	dir = as_arena_dup(&c->arena, f.typed.len ? f.typed : as_slice_of("."));
	if (!dir.p)
		return;
	f.path = as_complete_path(c, dir.p);
	folder_read(&f);
	/* Who has begun to type a name means one that is there. */
	f.any |= which == AS_COMPLETE_PROFILES && !f.found && f.begin[0];
	if (f.any && which == AS_COMPLETE_PROFILES)
		folder_read(&f);
}
