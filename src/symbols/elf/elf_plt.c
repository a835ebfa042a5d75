/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stubs of the procedure linkage table have no symbols. Each jumps through a slot that the dynamic
 * linker fills; the slot's relocation names the function. So a stub is NAME@plt, as objdump has
 * it. This reads those of x86-64, of all the kinds that its linkers write.
 */
#include "symbols/elf/elf_parts.h"

#include "base/pool.h"
#include "base/sort.h"

enum { STUB = 16, BARE_STUB = 8, NAME_MAX_LEN = 4096 };

struct slot {
	uint64_t addr;
	const char *name;
};

struct plt {
	struct as_elf *elf;
	const struct as_alloc *al; /* for scratch */
	AS_VEC(struct slot) slot;
	uint32_t *order; /* slots by address */
	size_t budget;   /* bytes of code and of names: in a damaged object sections may overlap,
			    and many stubs share a long name */
};

static int slot_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct slot *slot = ctx;

	if (slot[a].addr != slot[b].addr)
		return slot[a].addr < slot[b].addr ? -1 : 1;
	return (a > b) - (a < b);
}

static const char *slot_name(const struct plt *plt, uint64_t addr)
{
	size_t lo = 0, hi = plt->slot.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (plt->slot.p[plt->order[mid]].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == plt->slot.n || plt->slot.p[plt->order[lo]].addr != addr)
		return NULL;
	return plt->slot.p[plt->order[lo]].name;
}

/* The relocations of one section. False if out of memory. */
static bool add_slots(struct plt *plt, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf *elf = plt->elf->main;
	Elf_Scn *sym_scn = elf_getscn(elf, shdr->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *sym_data = elf_getdata(sym_scn, NULL);
	GElf_Shdr sym_shdr;

	if (!data || !sym_data || !gelf_getshdr(sym_scn, &sym_shdr) || !shdr->sh_entsize)
		return true;
	for (int i = 0; (size_t)i < data->d_size / shdr->sh_entsize; i++) {
		struct slot slot = {0, NULL};
		GElf_Rela rela;
		GElf_Sym sym;

		if (!gelf_getrela(data, i, &rela))
			break;
		if (GELF_R_TYPE(rela.r_info) != R_X86_64_JUMP_SLOT &&
			GELF_R_TYPE(rela.r_info) != R_X86_64_GLOB_DAT)
			continue;
		if (!gelf_getsym(sym_data, (int)GELF_R_SYM(rela.r_info), &sym))
			continue;
		slot.addr = rela.r_offset;
		slot.name = elf_strptr(elf, sym_shdr.sh_link, sym.st_name);
		if (slot.name && *slot.name && !as_vec_push(plt->al, &plt->slot, slot))
			return false;
	}
	return true;
}

/* endbr64? bnd? jmp *SLOT(%rip). */
static bool is_stub(const uint8_t code[STUB], uint64_t vaddr, uint64_t *slot)
{
	static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct as_dw_cur cur;
	size_t at = memcmp(code, endbr, sizeof(endbr)) == 0 ? sizeof(endbr) : 0;

	at += code[at] == 0xf2;
	if (code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	cur = (struct as_dw_cur){.p = code + at + 2, .end = code + at + 6};
	*slot = vaddr + at + 6 + (uint64_t)(int32_t)as_dw_uint(&cur, 4);
	return true;
}

/* The stubs of one section, in which each takes STUB bytes. False if out of memory. */
static bool add_stubs(struct plt *plt, const GElf_Shdr *shdr, size_t stub)
{
	const uint8_t *all = as_elf_code(plt->elf, shdr->sh_addr, shdr->sh_size);

	for (size_t at = 0; all && plt->budget > STUB && shdr->sh_size - at >= stub; at += stub) {
		struct as_elf_row row = {.start = shdr->sh_addr + at,
			.limit = shdr->sh_addr + at + stub,
			.rank = 2,
			.sized = true};
		uint8_t code[STUB] = {0};
		const char *name;
		uint64_t slot;

		memcpy(code, all + at, stub);
		plt->budget -= stub;
		name = is_stub(code, row.start, &slot) ? slot_name(plt, slot) : NULL;
		if (!name || strlen(name) > NAME_MAX_LEN || strlen(name) > plt->budget)
			continue;
		plt->budget -= strlen(name);
		row.name = as_arena_printf(&plt->elf->arena, "%s@plt", name);
		if (!row.name.p || !as_vec_push(plt->elf->al, &plt->elf->symtab.row, row))
			return false;
	}
	return true;
}

static bool read_slots(struct plt *plt)
{
	struct as_elf_walk it = {.elf = plt->elf->main};

	while (as_elf_walk_next(&it))
		if (it.shdr.sh_type == SHT_RELA && (it.shdr.sh_flags & SHF_ALLOC) &&
			!add_slots(plt, it.scn, &it.shdr))
			return false;
	plt->order = as_sorted_rows(plt->al, plt->slot.n, slot_cmp, plt->slot.p);
	return plt->order;
}

static bool read_stubs(struct plt *plt)
{
	struct as_elf_walk it = {.elf = plt->elf->main};

	while (plt->slot.n && as_elf_walk_next(&it))
		if ((it.shdr.sh_flags & SHF_EXECINSTR) && strncmp(it.name, ".plt", 4) == 0 &&
			!add_stubs(
				plt, &it.shdr, it.shdr.sh_entsize == BARE_STUB ? BARE_STUB : STUB))
			return false;
	return true;
}

enum as_code as_elf_plt_load(struct as_elf *elf)
{
	struct as_pool pool;
	struct plt plt = {.elf = elf, .al = &pool.al, .budget = elf->image_size};
	bool ok;

	if (elf->facts.machine != AS_ELF_X86_64)
		return AS_OK;
	as_pool_init(&pool, elf->al);
	ok = read_slots(&plt) && read_stubs(&plt);
	as_pool_release(&pool);
	return ok ? AS_OK : AS_E_NOMEM;
}
