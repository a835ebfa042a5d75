/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile in a page is called, and a file that is made of it. */
#include "page/share_page.h"

static struct as_slice first_name(const struct as_shared_file *f)
{
	const char *path = f->in.file.p[0];

	return as_base_name(as_slice_of(strcmp(path, "-") == 0 ? "stdin" : path));
}

struct as_slice as_shared_name(struct as_shared_file *f)
{
	struct as_slice name = first_name(f);

	if (f->in.file.n > 1)
		name = as_arena_printf(
			&f->arena, "%.*s and %zu more", AS_SLICE_FMT(name), f->in.file.n - 1);
	return name;
}

/* NAME without END, if something is left then. */
static bool cut_end(struct as_slice *name, const char *end)
{
	if (name->len <= strlen(end) || !as_slice_ends(*name, end))
		return false;
	name->len -= strlen(end);
	return true;
}

static void cut_compression(struct as_slice *name)
{
	if (!cut_end(name, ".gz"))
		cut_end(name, ".zst");
}

/* The last word of NAME behind a point, where it is some format's; NAME is cut before it. */
static struct as_slice cut_ext(struct as_slice *name)
{
	for (size_t at = name->len; at-- > 1;) {
		struct as_slice ext = as_slice_skip(*name, at + 1);

		if (name->p[at] != '.')
			continue;
		if (!as_format_by_ext(ext))
			break;
		name->len = at;
		return ext;
	}
	return (struct as_slice){0};
}

/* "cpu.pb.gz", "app-merged.callgrind": what is known by its name already keeps that. */
static struct as_slice name_anew(struct as_shared_file *f)
{
	bool pprof = as_shared_is_pprof(f);
	const char *merged = f->in.file.n > 1 ? "-merged" : "";
	struct as_slice name = first_name(f), stem, ext;

	cut_compression(&name);
	stem = name;
	ext = cut_ext(&stem);
	if (!pprof) {
		if (as_format_by_ext(name) != as_format_by_name(as_slice_of("callgrind")))
			return as_arena_printf(
				&f->arena, "%.*s%s.callgrind", AS_SLICE_FMT(stem), merged);
		return as_arena_printf(&f->arena, "%.*s%s%s%.*s", AS_SLICE_FMT(stem), merged,
			ext.len ? "." : "", AS_SLICE_FMT(ext));
	}
	return as_arena_printf(&f->arena, "%.*s%s.pb.gz", AS_SLICE_FMT(stem), merged);
}

struct as_slice as_shared_saved_as(struct as_shared_file *f)
{
	struct as_slice name = first_name(f);

	if (f->is == AS_SHARED_NEW)
		return name_anew(f);
	if (f->is == AS_SHARED_UNPACKED)
		cut_compression(&name);
	return name;
}
