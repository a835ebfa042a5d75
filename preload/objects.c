/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/objects.h"

#include <string.h>

#include "preload/memory.h"

/* The program headers of a file. */
struct layout {
	uint64_t hdr; /* .eh_frame_hdr; 0: none */
	struct as_build_id id;
};

static uint32_t objects_aligned(uint32_t n)
{
	return (n + 3) & ~(uint32_t)3;
}

/* The build id among the notes of SIZE bytes at ADDR. */
static void read_notes(uint64_t addr, uint64_t size, struct as_build_id *id)
{
	uint8_t notes[512];
	Elf64_Nhdr h;

	if (size > sizeof(notes) || !as_memory_copy(addr, notes, (size_t)size))
		return;
	for (uint64_t at = 0; size - at >= sizeof(h);) {
		uint64_t desc;

		memcpy(&h, notes + at, sizeof(h));
		desc = at + sizeof(h) + objects_aligned(h.n_namesz);
		if (h.n_namesz > size || h.n_descsz > size ||
			desc + objects_aligned(h.n_descsz) > size)
			return;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
			h.n_descsz <= AS_BUILD_ID_MAX &&
			memcmp(notes + at + sizeof(h), "GNU", 4) == 0) {
			id->n = (uint8_t)h.n_descsz;
			memcpy(id->bytes, notes + desc, h.n_descsz);
			return;
		}
		at = desc + objects_aligned(h.n_descsz);
	}
}

/* The place of the file in memory: BIAS + p_vaddr. */
static bool objects_find_bias(uint64_t base, const Elf64_Phdr *ph, unsigned n, uint64_t *bias)
{
	for (unsigned i = 0; i < n; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset < 4096) {
			*bias = base - (ph[i].p_vaddr - ph[i].p_offset);
			return true;
		}
	return false;
}

/* The program headers of the ELF file whose first byte is mapped at BASE. */
static void read_layout(Elf64_Phdr ph[AS_PHDR_MAX], uint64_t base, struct layout *l)
{
	Elf64_Ehdr eh;
	uint64_t bias;
	unsigned n;

	if (!as_memory_copy(base, &eh, sizeof(eh)) || memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
		eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof(*ph))
		return;
	n = eh.e_phnum < AS_PHDR_MAX ? eh.e_phnum : AS_PHDR_MAX;
	if (!as_memory_copy(base + eh.e_phoff, ph, n * sizeof(*ph)) ||
		!objects_find_bias(base, ph, n, &bias))
		return;
	for (unsigned i = 0; i < n; i++)
		if (ph[i].p_type == PT_GNU_EH_FRAME)
			l->hdr = bias + ph[i].p_vaddr;
		else if (ph[i].p_type == PT_NOTE && !l->id.n)
			read_notes(bias + ph[i].p_vaddr, ph[i].p_memsz, &l->id);
}

/* A refresh on its way. */
struct refresh {
	struct as_objects *os;
	struct as_object_table *table;
};

static bool objects_stays(const struct as_objects *os, uint64_t start)
{
	uint32_t lo = 0, hi = os->n_known;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (os->known[mid] < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < os->n_known && os->known[lo] == start;
}

/* The mapping of the group that holds ADDR; NULL: none. */
static const struct as_map *objects_holder(const struct as_group *g, uint64_t addr)
{
	for (size_t i = 0; i < g->n; i++)
		if (addr >= g->map[i].start && addr < g->map[i].end)
			return g->map[i].read ? &g->map[i] : NULL;
	return NULL;
}

static void objects_add_object(struct refresh *r, const struct as_map *map, const struct layout *l)
{
	const struct as_map *tables = l->hdr ? objects_holder(&r->os->group, l->hdr) : NULL;
	struct as_object o = {.start = map->start, .end = map->end};

	if (r->table->n == AS_OBJECTS_MAX)
		return;
	if (tables) {
		o.hdr = l->hdr;
		o.lo = tables->start;
		o.hi = tables->end;
	}
	o.file = map->inode != 0 || map->n_path > 0;
	o.stays = objects_stays(r->os, map->start);
	o.ours = r->os->self >= map->start && r->os->self < map->end;
	r->table->o[r->table->n++] = o;
	if (r->os->each)
		r->os->each(r->os->ctx, map, &l->id);
}

/* All mappings of a file are known. */
static void end_group(struct refresh *r)
{
	struct as_group *g = &r->os->group;
	struct layout l = {0};

	for (size_t i = 0; i < g->n && !l.hdr; i++)
		if (g->map[i].offset == 0 && g->map[i].read && g->n_path)
			read_layout(r->os->phdr, g->map[i].start, &l);
	for (size_t i = 0; i < g->n; i++)
		if (g->map[i].exec && g->map[i].read)
			objects_add_object(r, &g->map[i], &l);
	g->n = 0;
}

static bool same_group(const struct as_group *g, const struct as_map *m)
{
	const struct as_map *last = &g->map[g->n - 1];

	return g->n < AS_GROUP_MAX && m->inode == last->inode && m->dev == last->dev &&
	       m->n_path == g->n_path && memcmp(m->path, g->path, m->n_path) == 0 &&
	       !(m->offset == 0 && m->inode && last->offset != 0);
}

static void objects_take_map(void *ctx, const struct as_map *map)
{
	struct refresh *r = ctx;
	struct as_group *g = &r->os->group;

	/* Anonymous memory between two mappings of a file is its .bss. */
	if (map->n_path == 0 && !map->exec)
		return;
	if (g->n && !same_group(g, map))
		end_group(r);
	if (g->n == 0) {
		g->n_path = map->n_path < sizeof(g->path) ? map->n_path : sizeof(g->path);
		memcpy(g->path, map->path, g->n_path);
	}
	g->map[g->n] = *map;
	g->map[g->n].path = g->path;
	g->map[g->n++].n_path = g->n_path;
}

bool as_objects_refresh(struct as_objects *os, as_object_fn *each, void *ctx)
{
	uint32_t next = 1 - atomic_load(&os->current);
	struct refresh r = {os, &os->table[next]};
	bool ok;

	atomic_fetch_add(&r.table->turn, 1);
	r.table->n = 0;
	os->each = each;
	os->ctx = ctx;
	os->group.n = 0;
	ok = as_maps_each(os->buf, objects_take_map, &r);
	end_group(&r);
	atomic_fetch_add(&r.table->turn, 1);
	if (ok)
		atomic_store(&os->current, next);
	return ok;
}

void as_objects_settle(struct as_objects *os)
{
	struct as_object_table *t = &os->table[atomic_load(&os->current)];

	for (uint32_t i = 0; i < t->n; i++)
		if (t->o[i].file) {
			t->o[i].stays = true;
			os->known[os->n_known++] = t->o[i].start;
		}
}

/* The first object of the N that begins behind ADDR. */
static uint32_t objects_behind(const struct as_object_table *t, uint32_t n, uint64_t addr)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->o[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t as_objects_passing(struct as_objects *os, uint64_t start, uint64_t end)
{
	const struct as_object_table *t = &os->table[atomic_load(&os->current)];
	uint32_t all = t->n, n = 0;

	if (all > AS_OBJECTS_MAX)
		return 0;
	for (uint32_t i = start ? objects_behind(t, all, start - 1) : 0;
		i < all && t->o[i].start < end; i++)
		n += t->o[i].file && !t->o[i].stays;
	return n;
}

bool as_objects_find(struct as_objects *os, uint64_t addr, struct as_object *o)
{
	struct as_object_table *t = &os->table[atomic_load(&os->current)];
	uint32_t turn = atomic_load(&t->turn), n = t->n, lo;
	bool found = false;

	if ((turn & 1) || n > AS_OBJECTS_MAX)
		return false;
	lo = objects_behind(t, n, addr);
	if (lo) {
		*o = t->o[lo - 1];
		found = addr < o->end;
	}
	return found && atomic_load(&t->turn) == turn;
}
