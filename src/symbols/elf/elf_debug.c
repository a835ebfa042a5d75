/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the debug information is: in the object, or in another file (elf_separate.c); with what
 * dwz has taken out of it.
 */
#define _GNU_SOURCE
#include "symbols/elf/elf_parts.h"

#include <elfutils/libdwelf.h>
#include <unistd.h>

#include "io/plain.h"

static bool same_build_id(Elf *elf, const uint8_t *id, size_t n, char *why)
{
	const void *other;
	ssize_t n_other = dwelf_elf_gnu_build_id(elf, &other);
	char is[AS_ELF_ID_TEXT], want[AS_ELF_ID_TEXT];

	if (n_other > 0 && (size_t)n_other == n && memcmp(id, other, n) == 0)
		return true;
	as_elf_id_text(is, other, n_other > 0 ? (size_t)n_other : 0);
	snprintf(why, AS_ELF_WHY, "its build id is %s, expected %s", is[0] ? is : "not known",
		as_elf_id_text(want, id, n));
	return false;
}

static void elf_debug_file_close(struct as_elf_other *file)
{
	if (file->elf)
		elf_end(file->elf);
	if (file->fd > 0)
		close(file->fd);
	*file = (struct as_elf_other){NULL, 0};
}

/* Of a file that was cut off, the table of sections at its end is gone first. */
static bool is_usable(Elf *elf, const uint8_t *id, size_t n, char *why)
{
	size_t sections;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		snprintf(why, AS_ELF_WHY, "it is no ELF file");
	else if (elf_getshdrnum(elf, &sections) || !elf_getscn(elf, 0))
		snprintf(why, AS_ELF_WHY, "it is damaged: its table of sections cannot be read");
	else if (!as_elf_has_debug(elf))
		snprintf(why, AS_ELF_WHY, "it has no debug information, or is damaged");
	else
		return !n || same_build_id(elf, id, n, why);
	return false;
}

bool as_elf_other_take(struct as_elf_other *file, int fd, const uint8_t *id, size_t n, char *why)
{
	char nobody[AS_ELF_WHY];

	if (fd < 0)
		return false;
	file->fd = fd;
	file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (is_usable(file->elf, id, n, why ? why : nobody))
		return true;
	elf_debug_file_close(file);
	return false;
}

const char *as_elf_id_text(char text[AS_ELF_ID_TEXT], const uint8_t *id, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *to = text;

	for (size_t i = 0; i < n && i < AS_ELF_ID_MAX; i++) {
		*to++ = digits[id[i] >> 4];
		*to++ = digits[id[i] & 15];
	}
	*to = 0;
	return text;
}

/* DIR/.build-id/xx/yyyy.debug for the N bytes of ID. */
static struct as_slice id_path(
	struct as_arena *arena, struct as_slice dir, const uint8_t *id, size_t n)
{
	char text[AS_ELF_ID_TEXT];

	as_elf_id_text(text, id, n);
	return as_arena_printf(
		arena, "%.*s/.build-id/%.2s/%s.debug", AS_SLICE_FMT(dir), text, text + 2);
}

bool as_elf_by_id(struct as_elf *elf, const uint8_t *id, size_t n,
	bool (*take)(void *ctx, struct as_slice path), void *ctx)
{
	struct as_slice dirs = as_slice_of(elf->debuginfo_path), dir;

	while (n > 1 && n <= AS_ELF_ID_MAX && as_slice_cut(&dirs, ':', &dir))
		if (dir.len && dir.p[0] == '/' && take(ctx, id_path(&elf->arena, dir, id, n)))
			return true;
	return false;
}

struct alt {
	struct as_elf *elf;
	struct as_dw_bytes id;
};

static bool alt_take(void *ctx, struct as_slice path)
{
	struct alt *alt = ctx;
	struct stat st;

	return path.p && as_elf_other_take(&alt->elf->alt_file, as_plain_open(path.p, &st),
				 alt->id.p, alt->id.n, NULL);
}

/* What dwz has taken out: the file that .gnu_debugaltlink names, from where the debug information
 * is, else by its build id. */
static bool find_alt(struct as_elf *elf, struct as_slice name, struct as_dw_bytes id)
{
	struct as_slice here = as_elf_dir_of(elf->debug_path);
	struct alt alt = {elf, id};

	if (name.p[0] == '/')
		here.len = 0;
	return alt_take(&alt, as_arena_printf(&elf->arena, "%.*s%.*s", AS_SLICE_FMT(here),
				      AS_SLICE_FMT(name))) ||
	       as_elf_by_id(elf, id.p, id.n, alt_take, &alt);
}

static enum as_code open_alt(struct as_elf *elf, Elf *debug)
{
	struct as_elf_walk it = {.elf = debug};

	while (as_elf_walk_next(&it)) {
		Elf_Data *data = elf_rawdata(it.scn, NULL);
		struct as_dw_cur cur;
		struct as_slice name;

		if (strcmp(it.name, ".gnu_debugaltlink") != 0 || !data || !data->d_buf)
			continue;
		cur = (struct as_dw_cur){
			.p = data->d_buf, .end = (const uint8_t *)data->d_buf + data->d_size};
		name = as_dw_text(&cur);
		if (!name.len)
			break;
		if (!find_alt(elf, name, (struct as_dw_bytes){cur.p, as_dw_left(&cur)})) {
			as_elf_warn(elf, "'%.*s', with a part of the debug information, is missing",
				AS_SLICE_FMT(name));
			break;
		}
		AS_TRY(as_elf_sections(elf->alt_file.elf, false, &elf->alt));
		AS_TRY(as_dw_units(&elf->alt));
		elf->dw.alt = &elf->alt;
		break;
	}
	return AS_OK;
}

void as_elf_warn_damaged(struct as_elf *elf)
{
	if (as_slice_eq(elf->debug_path, elf->path))
		as_elf_warn(elf, "its debug information is damaged");
	else
		as_elf_warn(elf, "its debug information, in '%.*s', is damaged",
			AS_SLICE_FMT(elf->debug_path));
}

Elf *as_elf_debug_find(struct as_elf *elf)
{
	if (elf->opts.no_debuginfo)
		return NULL;
	if (!elf->debug_looked_for) {
		elf->debug_looked_for = true;
		if (as_elf_has_debug(elf->main))
			elf->debug_path = elf->path;
		else if (!as_elf_find_separate(elf))
			as_elf_complain(elf, "no debug information");
	}
	return elf->debug.elf ? elf->debug.elf : elf->debug_path.len ? elf->main : NULL;
}

enum as_code as_elf_debug(struct as_elf *elf)
{
	Elf *debug = as_elf_debug_find(elf);

	if (elf->debug_ready || !debug)
		return AS_OK;
	elf->debug_ready = true;
	AS_TRY(as_elf_sections(debug, false, &elf->dw));
	AS_TRY(open_alt(elf, debug));
	AS_TRY(as_dw_units(&elf->dw));
	if (elf->dw.damaged || elf->alt.damaged)
		as_elf_warn_damaged(elf);
	else if (!elf->dw.unit.n)
		as_elf_complain(elf, "no debug information");
	return AS_OK;
}

void as_elf_debug_close(struct as_elf *elf)
{
	as_dw_file_release(&elf->dw);
	as_dw_file_release(&elf->alt);
	elf_debug_file_close(&elf->debug);
	elf_debug_file_close(&elf->alt_file);
}
