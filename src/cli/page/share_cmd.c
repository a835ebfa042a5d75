/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
/* What `assay share` and `assay open` tell of the page that they make. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/page/share_cmd.h"

/* Where files really are, behind links, each once. */
static void tell_files(struct as_arena *arena, const char *label, struct as_slice *path, size_t n)
{
	char real[PATH_MAX];

	for (size_t i = 0, k; i < n; i++) {
		struct as_slice whole = {0};

		if (realpath(path[i].p, real))
			whole = as_arena_dup(arena, as_slice_of(real));
		path[i] = whole.p ? whole : path[i];
		for (k = 0; k < i && !as_slice_eq(path[k], path[i]); k++)
			;
		if (k == i)
			as_cli_tell(label, path[i]);
	}
}

static void share_cmd_tell_left_out(const struct as_share *s)
{
	struct as_arena arena;

	as_arena_init(&arena, s->ses.al);
	for (size_t i = 0; i < s->left_out.file.n && !s->ses.opt.tell.quiet; i++) {
		const struct as_left_out *f = &s->left_out.file.p[i];
		struct as_slice text =
			as_arena_printf(&arena, "%.*s: %s", AS_SLICE_FMT(f->path), f->why);

		as_cli_tell("       left out: ", text.p ? text : f->path);
	}
	if (s->left_out.file.n && !s->ses.opt.tell.quiet)
		as_cli_tell("       ",
			as_slice_of("what you want in it: --source-path DIR, --binary FILE"));
	as_arena_release(&arena);
}

void as_share_tell(struct as_share *s, const char *where)
{
	const struct as_page_code_count *c = &s->count;
	char lines[64] = "no source", insns[64] = "", text[256];

	if (c->lines)
		snprintf(lines, sizeof(lines), "%" PRIu64 " line%s of source", c->lines,
			c->lines == 1 ? "" : "s");
	if (c->insns)
		snprintf(insns, sizeof(insns), ", %" PRIu64 " instruction%s", c->insns,
			c->insns == 1 ? "" : "s");
	snprintf(text, sizeof(text), ": gets the profile, %s%s%s", lines, insns,
		c->source.n ? " (--no-source leaves the source out)" : "");
	if (!s->ses.opt.tell.quiet || c->source.n || c->binary.n) {
		struct as_arena arena;
		struct as_slice all;

		as_arena_init(&arena, s->ses.al);
		all = as_arena_printf(&arena, "%s%s", where, text);
		as_cli_tell("assay: ", all.p ? all : as_slice_of(text));
		as_arena_release(&arena);
	}
	tell_files(&s->count.arena, "       source of ", c->source.p, c->source.n);
	tell_files(&s->count.arena, "       code of ", c->binary.p, c->binary.n);
	share_cmd_tell_left_out(s);
}
