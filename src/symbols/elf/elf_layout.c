/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles without build ids still say how the files were mapped. A file whose segments do not
 * give these mappings is another one: it was rebuilt, or comes from another machine.
 */
#include "symbols/symbol_file.h"

enum { PAGE_MIN = 4096, PAGE_MAX = 65536 };

/* The largest page size that a mapping can have come from. */
static uint64_t page_of(const struct as_map *map)
{
	uint64_t page = PAGE_MIN, all = map->start | map->limit | map->offset;

	while (page < PAGE_MAX && all % (page * 2) == 0)
		page *= 2;
	return page;
}

/* Mappings that a writer of profiles laid out itself have no file's number and any size. */
static bool is_laid_out(struct as_slice text)
{
	return !text.len || as_slice_find_text(text, " 00:00 0 ") < text.len;
}

bool as_map_is_made_up(const struct as_profile *prof, const struct as_map *map)
{
	return prof->object.p[map->object.i].addr_kind == AS_ADDR_VIRTUAL && map->text.i &&
	       is_laid_out(as_str_get(prof, map->text));
}

/* MAP is of SEG, which is executable. */
static bool map_fits(const struct as_elf_segment *seg, const struct as_map *map, bool laid_out)
{
	uint64_t page = page_of(map), begin = seg->offset / page * page;
	uint64_t end = (seg->offset + seg->size + page - 1) / page * page;
	uint64_t size = map->limit - map->start;

	return end >= begin && map->offset >= begin && map->offset <= end &&
	       size <= end - map->offset &&
	       (laid_out || map->offset != begin || size == end - begin);
}

/* MAP is of one of ELF's segments, or there are none. */
static bool map_fits_any(
	const struct as_profile *prof, const struct as_elf *elf, const struct as_map *map)
{
	bool laid_out = is_laid_out(as_str_get(prof, map->text)), any = false;
	struct as_elf_segment seg;

	for (size_t i = 0; as_elf_segment_nth(elf, i, &seg); i++) {
		any |= seg.exec;
		if (seg.exec && map_fits(&seg, map, laid_out))
			return true;
	}
	return !any;
}

bool as_elf_layout_fits(const struct as_profile *prof, as_object o, const struct as_elf *elf)
{
	for (uint32_t i = prof->object.p[o.i].map; i; i = prof->map.p[i - 1].next) {
		const struct as_map *map = &prof->map.p[i - 1];

		if (map->exec && map->limit > map->start && !as_map_is_made_up(prof, map) &&
			!map_fits_any(prof, elf, map))
			return false;
	}
	return true;
}
