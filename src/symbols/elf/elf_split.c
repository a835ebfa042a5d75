/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Split DWARF: entries that stand in a .dwo beside the object file of their unit, or in a .dwp
 * beside the program.
 */
#define _GNU_SOURCE
#include "symbols/elf/elf_parts.h"

#include <dwarf.h>
#include <unistd.h>

#include "io/plain.h"

static void split_free(struct as_elf *elf, struct as_elf_split *split)
{
	as_dw_file_release(&split->dw);
	if (split->elf)
		elf_end(split->elf);
	if (split->fd >= 0)
		close(split->fd);
	as_alloc_free(elf->al, split, sizeof(*split));
}

void as_elf_split_close(struct as_elf *elf)
{
	while (elf->split) {
		struct as_elf_split *next = elf->split->next;

		split_free(elf, elf->split);
		elf->split = next;
	}
}

/* The file at PATH, which is P of LEN bytes; NULL if it is not there or holds no split units. */
static struct as_elf_split *split_open(struct as_elf *elf, struct as_slice path)
{
	struct as_elf_split *split = path.p ? as_alloc_new(elf->al, sizeof(*split)) : NULL;
	struct stat st;

	if (!split)
		return NULL;
	split->dw.al = elf->al;
	split->dw.alt = elf->dw.alt;
	split->fd = as_plain_open(path.p, &st);
	split->elf = split->fd < 0 ? NULL : elf_begin(split->fd, ELF_C_READ_MMAP, NULL);
	if (split->elf && elf_kind(split->elf) == ELF_K_ELF) {
		if (as_elf_sections(split->elf, true, &split->dw) == AS_OK &&
			split->dw.sec[AS_DW_INFO].n) {
			split->next = elf->split;
			elf->split = split;
			return split;
		}
	}
	split_free(elf, split);
	return NULL;
}

/* The .dwo of SKELETON: where it was compiled, else below or in the folder of the object. */
static struct as_elf_split *open_dwo(struct as_elf *elf, const struct as_dw_unit *skeleton)
{
	struct as_slice name = skeleton->dwo_name, dir = as_elf_dir_of(elf->path),
			base = as_base_name(name);
	struct as_slice under = skeleton->comp_dir;
	bool absolute = name.len && name.p[0] == '/';
	struct as_elf_split *split;

	if (absolute)
		under.len = 0;
	split = split_open(elf, as_arena_printf(&elf->arena, "%.*s%s%.*s", AS_SLICE_FMT(under),
					absolute ? "" : "/", AS_SLICE_FMT(name)));
	if (!split && !absolute)
		split = split_open(elf, as_arena_printf(&elf->arena, "%.*s%.*s", AS_SLICE_FMT(dir),
						AS_SLICE_FMT(name)));
	if (!split)
		split = split_open(elf, as_arena_printf(&elf->arena, "%.*s%.*s", AS_SLICE_FMT(dir),
						AS_SLICE_FMT(base)));
	if (split && as_dw_units(&split->dw) != AS_OK)
		return NULL;
	return split;
}

static struct as_elf_split *dwp_of(struct as_elf *elf)
{
	if (!elf->dwp_tried) {
		elf->dwp_tried = true;
		elf->dwp = split_open(
			elf, as_arena_printf(&elf->arena, "%.*s.dwp", AS_SLICE_FMT(elf->path)));
		if (!elf->dwp && elf->debug_path.len)
			elf->dwp = split_open(elf, as_arena_printf(&elf->arena, "%.*s.dwp",
							   AS_SLICE_FMT(elf->debug_path)));
		if (elf->dwp && !as_elf_dwp_index(elf->dwp))
			elf->dwp = NULL;
	}
	return elf->dwp;
}

/* In SPLIT, the unit that SKELETON stands for. */
static struct as_dw_unit *unit_of(struct as_elf_split *split, const struct as_dw_unit *skeleton)
{
	for (size_t i = 0; split && i < split->dw.unit.n; i++)
		if (split->dw.unit.p[i].dwo_id == skeleton->dwo_id)
			return &split->dw.unit.p[i];
	return NULL;
}

const struct as_dw_unit *as_elf_split_unit(void *arg, const struct as_dw_unit *skeleton)
{
	struct as_elf *elf = arg;
	struct as_dw_unit *mine = &elf->dw.unit.p[skeleton - elf->dw.unit.p];
	struct as_dw_unit *unit = unit_of(dwp_of(elf), skeleton);

	if (!unit && skeleton->dwo_name.len)
		unit = unit_of(open_dwo(elf, skeleton), skeleton);
	if (unit) {
		unit->skeleton = mine;
		if (!unit->comp_dir.len)
			unit->comp_dir = mine->comp_dir;
		mine->split = unit;
	} else {
		if (skeleton->dwo_name.len)
			as_elf_warn(elf,
				"split debug information '%.*s' is missing, with the names in it",
				AS_SLICE_FMT(skeleton->dwo_name));
		mine->dwo_id = 0; /* not looked for again */
	}
	return unit;
}
