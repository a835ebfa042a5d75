/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbol tables: .symtab of the object and of its debug file; where there is none, .dynsym with
 * the small table out of .gnu_debugdata, which libdwfl finds and joins.
 *
 * A symbol's size is respected. One of size 0 is taken for code only if it is a function, as
 * assembly leaves them that has no .size: it extends to the next symbol or to the end of its
 * section. Where the local symbols are stripped, what follows may be anything, and it is its own
 * address. At one address a sized symbol comes before one of no size, then the longer one, then
 * global before local before weak, then one without underscores in front, then the first by name.
 */
#include "symbols/elf/elf_parts.h"

#include "base/sort.h"

static bool elf_symtab_is_plain(struct as_slice name)
{
	return name.len && name.p[0] != '_';
}

static int row_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_elf_row *x = (const struct as_elf_row *)ctx + a;
	const struct as_elf_row *y = (const struct as_elf_row *)ctx + b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->sized != y->sized)
		return x->sized ? -1 : 1;
	if (x->limit != y->limit)
		return x->limit > y->limit ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (elf_symtab_is_plain(x->name) != elf_symtab_is_plain(y->name))
		return elf_symtab_is_plain(x->name) ? -1 : 1;
	return as_slice_cmp(x->name, y->name);
}

/* ROW is the same code as BEST. A weak name without underscores is what programs call: puts, not
 * _IO_puts. */
static void share_name(struct as_elf_row *best, const struct as_elf_row *row)
{
	if (row->rank == AS_ELF_LOCAL || row->sized != best->sized || row->limit != best->limit)
		return;
	if (!best->shared.len ||
		(elf_symtab_is_plain(row->name) && !elf_symtab_is_plain(best->shared)))
		best->shared = row->name;
}

/* Where the code around ADDR ends; ADDR itself if it is not in code. */
static uint64_t code_end(const struct as_dw_range *code, size_t n_code, uint64_t addr)
{
	for (size_t i = 0; i < n_code; i++)
		if (addr >= code[i].start && addr < code[i].limit)
			return code[i].limit;
	return addr;
}

/* Symbols inside of others find their way out through OUTER. */
static void elf_symtab_nest(struct as_elf_row *row, size_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint32_t o = i; /* row + 1 of the one before */

		while (o && row[o - 1].limit <= row[i].start)
			o = row[o - 1].outer;
		row[i].outer = o;
	}
}

enum as_code as_elf_symtab_finish(struct as_elf_symtab *symtab, const struct as_alloc *al,
	const struct as_dw_range *code, size_t n_code)
{
	AS_VEC(struct as_elf_row) out = {NULL, 0, 0};
	size_t n = symtab->row.n;
	uint32_t *order = as_sorted_rows(al, n, row_cmp, symtab->row.p);
	bool ok = order && as_vec_reserve(al, &out, n + 1);

	for (size_t i = 0; ok && i < n; i++) {
		struct as_elf_row *row = &symtab->row.p[order[i]];

		if (out.n && out.p[out.n - 1].start == row->start) {
			share_name(&out.p[out.n - 1], row);
			continue;
		}
		if (out.n && !out.p[out.n - 1].sized && out.p[out.n - 1].limit > row->start)
			out.p[out.n - 1].limit = row->start;
		if (!row->sized)
			row->limit =
				symtab->whole ? code_end(code, n_code, row->start) : row->start + 1;
		share_name(row, row);
		out.p[out.n++] = *row;
	}
	as_alloc_free(al, order, n * sizeof(*order) + 1);
	if (ok) {
		elf_symtab_nest(out.p, out.n);
		as_vec_free(al, &symtab->row);
		as_vec_move(&symtab->row, &out);
	}
	as_vec_free(al, &out);
	return ok ? AS_OK : AS_E_NOMEM;
}

const struct as_elf_row *as_elf_symtab_find(const struct as_elf_symtab *symtab, uint64_t addr)
{
	const struct as_elf_row *row = symtab->row.p;
	size_t n = as_rows_up_to(row, symtab->row.n, start, addr);

	while (n && addr >= row[n - 1].limit)
		n = row[n - 1].outer;
	return n ? &row[n - 1] : NULL;
}

/* "$x", "$d.12": what AArch64 and ARM mark code and data with. */
static bool is_mapping(const struct as_elf *elf, const char *name)
{
	return (elf->facts.machine == AS_ELF_ARM || elf->facts.machine == AS_ELF_AARCH64) &&
	       name[0] == '$' && name[1] && (!name[2] || name[2] == '.');
}

static bool is_function(const struct as_elf *elf, const GElf_Sym *sym, const char *name)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		break;
	case STT_NOTYPE: /* assembly with .size but no .type */
		if (!sym->st_size)
			return false;
		break;
	default:
		return false;
	}
	return sym->st_shndx != SHN_UNDEF && name && *name && !is_mapping(elf, name);
}

static uint8_t elf_symtab_rank_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return AS_ELF_GLOBAL;
	case STB_LOCAL:
		return AS_ELF_LOCAL;
	}
	return AS_ELF_WEAK;
}

/* The file whose local symbols come next. Of what was made by a linker that optimizes, that is the
 * name of an object that is gone. */
static struct as_slice source_of(const char *name)
{
	struct as_slice file = name ? as_slice_of(name) : (struct as_slice){"", 0};

	if (as_slice_ends(file, ".o") || as_slice_starts(file, "<"))
		file.len = 0;
	return file;
}

/* A symbol at link-time address ADDR, of *FILE if it is a local one. False if out of memory. */
static bool elf_symtab_add(struct as_elf *elf, const GElf_Sym *sym, GElf_Addr addr,
	const char *name, struct as_slice *file)
{
	struct as_elf_row row;

	if (GELF_ST_TYPE(sym->st_info) == STT_FILE)
		*file = source_of(name);
	elf->symtab.whole |=
		GELF_ST_TYPE(sym->st_info) == STT_FUNC && GELF_ST_BIND(sym->st_info) == STB_LOCAL;
	if (!name || !is_function(elf, sym, name))
		return true;
	if (elf->facts.machine == AS_ELF_ARM)
		addr &= ~(GElf_Addr)1; /* the lowest bit only says that the code is Thumb */
	if (code_end(elf->code.p, elf->code.n, addr) == addr)
		return true;
	row = (struct as_elf_row){.start = addr,
		.limit = addr + sym->st_size < addr ? UINT64_MAX : addr + sym->st_size,
		.name = as_slice_of(name),
		.file = GELF_ST_BIND(sym->st_info) == STB_LOCAL ? *file : (struct as_slice){"", 0},
		.rank = elf_symtab_rank_of(sym),
		.sized = sym->st_size != 0};
	return as_vec_push(elf->al, &elf->symtab.row, row);
}

/* The .symtab of the separate debug file. */
static bool add_separate(struct as_elf *elf, Elf *debug)
{
	struct as_elf_walk it = {.elf = debug};

	while (as_elf_walk_next(&it)) {
		struct as_slice file = {"", 0};
		Elf_Data *data;

		if (it.shdr.sh_type != SHT_SYMTAB || !it.shdr.sh_entsize)
			continue;
		data = elf_getdata(it.scn, NULL);
		for (int i = 1; data && (size_t)i < data->d_size / it.shdr.sh_entsize; i++) {
			GElf_Sym sym;

			if (!gelf_getsym(data, i, &sym))
				break;
			if (!elf_symtab_add(elf, &sym, sym.st_value,
				    elf_strptr(debug, it.shdr.sh_link, sym.st_name), &file))
				return false;
		}
	}
	return true;
}

enum as_code as_elf_symtab_load(struct as_elf *elf)
{
	Elf *debug = as_elf_debug_find(elf);
	struct as_slice file = {"", 0};
	enum as_code rc;
	int n;

	if (elf->symtab_ready)
		return AS_OK;
	if (debug && debug != elf->main && !add_separate(elf, debug))
		return AS_E_NOMEM;
	n = dwfl_module_getsymtab(elf->mod);
	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		const char *name =
			dwfl_module_getsym_info(elf->mod, i, &sym, &addr, NULL, NULL, NULL);

		AS_TRY(as_memory(elf_symtab_add(elf, &sym, addr - elf->bias, name, &file)));
	}
	AS_TRY(as_elf_plt_load(elf));
	rc = as_elf_symtab_finish(&elf->symtab, elf->al, elf->code.p, elf->code.n);
	elf->symtab_ready = rc == AS_OK;
	return rc;
}
