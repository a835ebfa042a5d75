/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles without build ids still say how the files were mapped. A file whose segments do not
 * give these mappings is another one: it was rebuilt, or comes from another machine.
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <unistd.h>

#include "io/plain.h"
#include "symbols/symbol_file.h"

enum { PHDRS_MAX = 256, PAGE_MIN = 4096, PAGE_MAX = 65536 };

struct segment {
	uint64_t offset, size;
};

struct layout {
	struct segment exec[PHDRS_MAX];
	size_t n;
};

static uint64_t get(const unsigned char *p, size_t size, bool big)
{
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v |= (uint64_t)p[i] << 8 * (big ? size - 1 - i : i);
	return v;
}

/* One program header, of 64 or 32 bits. */
static void take_header(struct layout *lay, const unsigned char *p, bool wide, bool big)
{
	uint64_t flags = get(p + (wide ? 4 : 24), 4, big);
	struct segment seg = {get(p + (wide ? 8 : 4), wide ? 8 : 4, big),
		get(p + (wide ? 32 : 16), wide ? 8 : 4, big)};

	if (get(p, 4, big) == PT_LOAD && (flags & PF_X))
		lay->exec[lay->n++] = seg;
}

static bool read_headers(int fd, struct layout *lay)
{
	unsigned char head[sizeof(Elf64_Ehdr)], ph[sizeof(Elf64_Phdr)];
	bool wide, big;
	uint64_t at, size, n;

	if (!as_plain_read(fd, head, sizeof(head), 0) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return false;
	wide = head[EI_CLASS] == ELFCLASS64;
	big = head[EI_DATA] == ELFDATA2MSB;
	at = get(head + (wide ? 32 : 28), wide ? 8 : 4, big);
	size = get(head + (wide ? 54 : 42), 2, big);
	n = get(head + (wide ? 56 : 44), 2, big);
	if (size != (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)) || n > PHDRS_MAX ||
		at > INT64_MAX - PHDRS_MAX * sizeof(Elf64_Phdr))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (!as_plain_read(fd, ph, size, at + i * size))
			return false;
		take_header(lay, ph, wide, big);
	}
	return lay->n > 0;
}

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

static bool map_fits(const struct layout *lay, const struct as_map *map, bool laid_out)
{
	uint64_t page = page_of(map), size = map->limit - map->start;

	for (size_t i = 0; i < lay->n; i++) {
		const struct segment *s = &lay->exec[i];
		uint64_t begin = s->offset / page * page;
		uint64_t end = (s->offset + s->size + page - 1) / page * page;

		if (end < begin || map->offset < begin || map->offset > end ||
			size > end - map->offset)
			continue;
		if (laid_out || map->offset != begin || size == end - begin)
			return true;
	}
	return false;
}

bool as_elf_layout_fits(const struct as_profile *prof, as_object o, const char *path)
{
	struct layout lay = {.n = 0};
	struct stat st;
	int fd = as_plain_open(path, &st);
	bool known = fd >= 0 && read_headers(fd, &lay);

	if (fd >= 0)
		close(fd);
	if (!known)
		return true; /* who opens it as an ELF file will say what is wrong */
	for (uint32_t i = prof->object.p[o.i].map; i; i = prof->map.p[i - 1].next) {
		const struct as_map *map = &prof->map.p[i - 1];

		if (map->exec && map->limit > map->start && !as_map_is_made_up(prof, map) &&
			!map_fits(&lay, map, is_laid_out(as_str_get(prof, map->text))))
			return false;
	}
	return true;
}
