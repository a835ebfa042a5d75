/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF object: opening, segments, build id, and the lookup over what the other files find. */
#define _GNU_SOURCE
#include "symbols/elf/elf_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/plain.h"

enum { CODE_MAX = 64 }; /* stretches of code that are told apart */

static void AS_PRINTF(3, 0)
	elf_file_remember(struct as_elf *elf, struct as_slice *to, const char *fmt, va_list ap)
{
	char text[PATH_MAX + 512];

	if (to->len)
		return;
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	*to = as_arena_dup(&elf->arena, as_slice_of(text));
}

void as_elf_complain(struct as_elf *elf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	elf_file_remember(elf, &elf->facts.complaint, fmt, ap);
	va_end(ap);
}

void as_elf_warn(struct as_elf *elf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	elf_file_remember(elf, &elf->facts.warning, fmt, ap);
	va_end(ap);
	if (!elf->facts.complaint.len)
		elf->facts.complaint = elf->facts.warning;
}

/* A regular file: a pipe or a device would never end. */
static enum as_code elf_file_open(const char *path, int *out, struct as_err *err)
{
	char magic[SELFMAG];
	struct stat st;
	int fd = as_plain_open(path, &st);
	bool whole;

	if (fd < 0 && errno == EINVAL)
		return as_err_set(err, AS_E_FORMAT, "'%s' is no regular file", path);
	if (fd < 0)
		return as_err_set(err, AS_E_IO, "'%s' cannot be opened: %s", path, strerror(errno));
	whole = as_plain_read(fd, magic, SELFMAG, 0);
	if (whole && memcmp(magic, ELFMAG, SELFMAG) == 0) {
		*out = fd;
		return AS_OK;
	}
	if (!whole && errno)
		(void)as_err_set(err, AS_E_IO, "'%s' cannot be read: %s", path, strerror(errno));
	else
		(void)as_err_set(err, AS_E_FORMAT, "'%s' is no ELF object", path);
	whole = whole || !errno;
	close(fd);
	return whole ? AS_E_FORMAT : AS_E_IO;
}

/* The directories where libdwfl looks, each below its own rules: the user's, then the object's
 * own and its .debug, then the system's. */
static bool set_debuginfo_path(struct as_elf *elf, const struct as_elf_opts *opts)
{
	struct as_slice all = {"", 0};

	for (size_t i = 0; i < opts->n_debug_dir; i++) {
		char real[PATH_MAX];

		if (!realpath(opts->debug_dir[i], real))
			continue; /* a folder that is not there has nothing in it */
		all = as_arena_printf(&elf->arena, "%.*s%s:", AS_SLICE_FMT(all), real);
		if (!all.p)
			return false;
	}
	all = as_arena_printf(&elf->arena, "%.*s:.debug:/usr/lib/debug", AS_SLICE_FMT(all));
	elf->debuginfo_path = (char *)(uintptr_t)all.p;
	return all.p != NULL;
}

/* NOLINTNEXTLINE(readability-function-size): libdwfl says what its callbacks take */
static int find_none(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
	const char *file_name, const char *debuglink_file, GElf_Word debuglink_crc,
	char **debuginfo_file_name)
{
	(void)mod;
	(void)userdata;
	(void)name;
	(void)base;
	(void)file_name;
	(void)debuglink_file;
	(void)debuglink_crc;
	(void)debuginfo_file_name;
	return -1;
}

static int no_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
	char **file_name, Elf **elfp)
{
	(void)mod;
	(void)userdata;
	(void)name;
	(void)base;
	(void)file_name;
	(void)elfp;
	return -1;
}

static enum as_code start_dwfl(struct as_elf *elf, int fd, struct as_err *err)
{
	elf->callbacks = (Dwfl_Callbacks){.find_elf = no_elf,
		.find_debuginfo = find_none, /* elf_separate.c finds it */
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &elf->debuginfo_path};
	elf->dwfl = dwfl_begin(&elf->callbacks);
	if (!elf->dwfl) {
		close(fd);
		return as_err_no_memory(err);
	}
	dwfl_report_begin(elf->dwfl);
	elf->mod = dwfl_report_elf(elf->dwfl, elf->path.p, elf->path.p, fd, 0, true);
	if (!elf->mod) {
		close(fd);
		return as_err_set(err, AS_E_FORMAT, "'%s' is no ELF object with code: %s",
			elf->path.p, dwfl_errmsg(-1));
	}
	(void)dwfl_report_end(elf->dwfl, NULL, NULL);
	elf->main = dwfl_module_getelf(elf->mod, &elf->bias);
	if (!elf->main)
		return as_err_set(err, AS_E_FORMAT, "'%s' cannot be read as an ELF object: %s",
			elf->path.p, dwfl_errmsg(-1));
	return AS_OK;
}

static bool add_code(struct as_elf *elf, uint64_t start, uint64_t size)
{
	struct as_dw_range range = {start, start + size};

	return size == 0 || range.limit < start || as_vec_push(elf->al, &elf->code, range);
}

/* A linked object has a few. A damaged one may have any number: then what is between them counts
 * as code, too. */
static void merge_code(struct as_elf *elf)
{
	struct as_dw_range *all = elf->code.p;

	if (elf->code.n <= CODE_MAX)
		return;
	for (size_t i = 1; i < elf->code.n; i++) {
		if (all[i].start < all[0].start)
			all[0].start = all[i].start;
		if (all[i].limit > all[0].limit)
			all[0].limit = all[i].limit;
	}
	elf->code.n = 1;
}

static bool elf_file_find_code(struct as_elf *elf)
{
	struct as_elf_walk it = {.elf = elf->main};

	while (as_elf_walk_next(&it))
		if ((it.shdr.sh_flags & SHF_ALLOC) && (it.shdr.sh_flags & SHF_EXECINSTR) &&
			!add_code(elf, it.shdr.sh_addr, it.shdr.sh_size))
			return false;
	for (size_t i = 0; i < elf->load.n && !elf->code.n; i++)
		if ((elf->load.p[i].p_flags & PF_X) &&
			!add_code(elf, elf->load.p[i].p_vaddr, elf->load.p[i].p_memsz))
			return false;
	merge_code(elf);
	return true;
}

static enum as_elf_machine machine_of(const GElf_Ehdr *ehdr)
{
	switch (ehdr->e_machine) {
	case EM_X86_64:
		return AS_ELF_X86_64;
	case EM_386:
		return AS_ELF_X86;
	case EM_AARCH64:
		return AS_ELF_AARCH64;
	case EM_ARM:
		return AS_ELF_ARM;
	case EM_PPC64:
		return AS_ELF_PPC64;
	case EM_MIPS:
		return AS_ELF_MIPS;
	case EM_S390:
		return AS_ELF_S390;
	case EM_ALPHA:
	case EM_FAKE_ALPHA:
		return AS_ELF_ALPHA;
	}
	return AS_ELF_OTHER;
}

static enum as_code read_headers(struct as_elf *elf, struct as_err *err)
{
	size_t n_phdr = 0;
	GElf_Ehdr ehdr;

	if (!gelf_getehdr(elf->main, &ehdr) || elf_getphdrnum(elf->main, &n_phdr))
		return as_err_set(err, AS_E_FORMAT, "'%s' has no sound ELF header", elf->path.p);
	elf->facts.machine = machine_of(&ehdr);
	elf->facts.big = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	elf->image = elf_rawfile(elf->main, &elf->image_size);
	for (size_t i = 0; i < n_phdr && i < INT_MAX; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(elf->main, (int)i, &phdr) && phdr.p_type == PT_LOAD &&
			!as_vec_push(elf->al, &elf->load, phdr))
			return as_err_no_memory(err);
	}
	return as_err_memory(err, elf_file_find_code(elf));
}

static bool read_build_id(struct as_elf *elf)
{
	char text[AS_ELF_ID_TEXT];
	const unsigned char *bits;
	GElf_Addr addr;
	int n = dwfl_module_build_id(elf->mod, &bits, &addr);

	if (n > 0)
		elf->facts.build_id = as_arena_dup(
			&elf->arena, as_slice_of(as_elf_id_text(text, bits, (size_t)n)));
	return n <= 0 || elf->facts.build_id.p;
}

static enum as_code open_all(
	struct as_elf *elf, const char *path, const struct as_elf_opts *opts, struct as_err *err)
{
	int fd = -1;

	elf->path = as_arena_dup(&elf->arena, as_slice_of(path));
	AS_TRY(as_err_memory(err, elf->path.p && set_debuginfo_path(elf, opts)));
	AS_TRY(elf_file_open(path, &fd, err));
	AS_TRY(start_dwfl(elf, fd, err));
	AS_TRY(read_headers(elf, err));
	return as_err_memory(err, read_build_id(elf));
}

enum as_code as_elf_open(struct as_elf **out, const struct as_alloc *al, const char *path,
	const struct as_elf_opts *opts, struct as_err *err)
{
	static const struct as_elf_opts none;
	struct as_elf *elf = as_alloc_new(al, sizeof(*elf));
	enum as_code rc;

	*out = NULL;
	AS_TRY(as_err_memory(err, elf));
	elf->al = elf->dw.al = elf->alt.al = al;
	elf->opts = opts ? *opts : none;
	as_arena_init(&elf->arena, al);
	(void)elf_version(EV_CURRENT);
	rc = open_all(elf, path, &elf->opts, err);
	if (rc == AS_OK)
		*out = elf;
	else
		as_elf_close(elf);
	return rc;
}

void as_elf_close(struct as_elf *elf)
{
	if (!elf)
		return;
	as_elf_split_close(elf);
	as_elf_debug_close(elf);
	as_elf_frames_release(elf);
	as_vec_free(elf->al, &elf->symtab.row);
	as_vec_free(elf->al, &elf->load);
	as_vec_free(elf->al, &elf->code);
	if (elf->dwfl)
		dwfl_end(elf->dwfl);
	as_arena_release(&elf->arena);
	as_alloc_free(elf->al, elf, sizeof(*elf));
}

const struct as_elf_facts *as_elf_facts(const struct as_elf *elf)
{
	return &elf->facts;
}

struct as_slice as_elf_debug_path(struct as_elf *elf)
{
	(void)as_elf_debug_find(elf);
	return elf->debug_path;
}

bool as_elf_vaddr(const struct as_elf *elf, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < elf->load.n; i++) {
		const GElf_Phdr *ph = &elf->load.p[i];

		if (offset >= ph->p_offset && offset - ph->p_offset < ph->p_filesz) {
			*vaddr = ph->p_vaddr + (offset - ph->p_offset);
			return true;
		}
	}
	return false;
}

bool as_elf_segment_nth(const struct as_elf *elf, size_t n, struct as_elf_segment *out)
{
	const GElf_Phdr *ph;

	if (n >= elf->load.n)
		return false;
	ph = &elf->load.p[n];
	*out = (struct as_elf_segment){
		ph->p_offset, ph->p_filesz, ph->p_vaddr, (ph->p_flags & PF_X) != 0};
	return true;
}

const uint8_t *as_elf_code(struct as_elf *elf, uint64_t vaddr, size_t size)
{
	for (size_t i = 0; i < elf->load.n && elf->image; i++) {
		const GElf_Phdr *ph = &elf->load.p[i];
		uint64_t at = vaddr - ph->p_vaddr;

		if (vaddr < ph->p_vaddr || at > ph->p_filesz || size > ph->p_filesz - at)
			continue;
		if (ph->p_offset > elf->image_size || at > elf->image_size - ph->p_offset ||
			size > elf->image_size - ph->p_offset - at)
			continue;
		return (const uint8_t *)elf->image + ph->p_offset + at;
	}
	return NULL;
}

bool as_elf_function_at(struct as_elf *elf, uint64_t vaddr, struct as_elf_symbol *out)
{
	struct as_elf_around around;

	if (as_elf_symtab_load(elf) != AS_OK || as_elf_frames_load(elf) != AS_OK ||
		!as_elf_around(elf, vaddr, &around))
		return false;
	*out = (struct as_elf_symbol){around.row ? around.row->name : (struct as_slice){"", 0},
		around.start, around.limit};
	return true;
}

bool as_elf_symbol_at(struct as_elf *elf, uint64_t vaddr, struct as_elf_symbol *out)
{
	return as_elf_function_at(elf, vaddr, out) && out->name.len;
}

bool as_elf_symbol_nth(struct as_elf *elf, size_t n, struct as_elf_symbol *out)
{
	if (as_elf_symtab_load(elf) != AS_OK || n >= elf->symtab.row.n)
		return false;
	*out = (struct as_elf_symbol){
		elf->symtab.row.p[n].name, elf->symtab.row.p[n].start, elf->symtab.row.p[n].limit};
	return true;
}

const char *as_elf_version(void)
{
	return dwfl_version(NULL);
}

static bool is_linkage_name(struct as_slice name)
{
	return as_slice_starts(name, "_Z") || as_slice_starts(name, "_R");
}

/* glibc calls its own functions by such names, which no other object knows. */
static bool is_inner_name(struct as_slice name)
{
	return as_slice_starts(name, "__GI_");
}

/* A function's name, where DWARF calls it NAME and the symbol table has ROW. For a function that
 * has a linkage name, but not in DWARF (one of no other unit's business, or there are line tables
 * only), that is the table's, for it tells overloads apart; without ".cold" and the like, which
 * are not the function's. One that other objects call by another name has that. */
static struct as_slice better_name(struct as_slice name, const struct as_elf_row *row)
{
	struct as_slice symbol = row->name;

	if (!name.len)
		return symbol;
	if (is_inner_name(name))
		return row->shared.len ? row->shared : name;
	if (is_linkage_name(symbol))
		return (struct as_slice){symbol.p, as_slice_find(symbol, '.')};
	return name;
}

static bool wants_symbol(const struct as_dw_found *found, struct as_slice name)
{
	return !name.len || is_inner_name(name) || (found->mangles && !is_linkage_name(name));
}

/* The frames of one address: DWARF's, with a name from the symbol table where that has none. The
 * table is read when it is first needed. */
static enum as_code elf_file_frames(struct as_elf *elf, uint64_t vaddr,
	const struct as_dw_answer *answer, const struct as_dw_found *found, struct as_symset *set)
{
	const struct as_dw_frame *frame =
		found && found->known ? as_dw_frames(answer, found) : NULL;
	struct as_elf_around around = {.row = NULL};
	uint32_t n = frame ? found->n : 0;
	const struct as_elf_row *row;

	if (!n || wants_symbol(found, frame[n - 1].func.name)) {
		AS_TRY(as_elf_symtab_load(elf));
		AS_TRY(as_elf_frames_load(elf));
		(void)as_elf_around(elf, vaddr, &around);
	}
	row = around.row;
	for (uint32_t i = 0; i < n; i++) {
		struct as_symtext text = {.name = frame[i].func.name,
			.file = frame[i].file,
			.decl = frame[i].func.decl,
			.line = frame[i].line};

		if (row && i + 1 == n)
			text.name = better_name(text.name, row);
		else if (!text.name.len && i + 1 == n)
			text.start = around.start;
		AS_TRY(as_memory(as_symset_frame(set, &text)));
	}
	if (!n && (row || around.start)) {
		const struct as_slice none = {"", 0};
		struct as_symtext text = {.name = row ? row->name : none,
			.file = none,
			.decl = row ? row->file : none,
			.start = row ? 0 : around.start};

		if (frame) {
			text.file = frame->file;
			text.line = frame->line;
		}
		AS_TRY(as_memory(as_symset_frame(set, &text)));
	}
	return AS_OK;
}

enum as_code as_elf_lookup(struct as_elf *elf, const uint64_t *vaddr, size_t n, bool inlines,
	struct as_symset *set, struct as_err *err)
{
	struct as_dw_query query = {.addr = vaddr,
		.n = n,
		.inlines = inlines,
		.code = elf->code.p,
		.n_code = elf->code.n,
		.run = elf->opts.run,
		.run_ctx = elf->opts.run_ctx,
		.split = as_elf_split_unit,
		.split_ctx = elf};
	struct as_dw_answer answer = {.al = elf->al};
	enum as_code rc = as_elf_debug(elf);

	if (rc == AS_OK && elf->dw.unit.n)
		rc = as_dw_lookup(&elf->dw, &query, &answer);
	if (answer.damaged)
		as_elf_warn_damaged(elf);
	for (size_t i = 0; rc == AS_OK && i < n; i++) {
		const struct as_dw_found *found = answer.found ? &answer.found[i] : NULL;

		rc = as_symset_next(set) ? elf_file_frames(elf, vaddr[i], &answer, found, set)
					 : AS_E_NOMEM;
	}
	if (rc == AS_OK && !as_symset_next(set))
		rc = AS_E_NOMEM;
	as_dw_answer_release(&answer);
	if (rc != AS_OK)
		return as_err_set(err, rc, "names for '%s': %s", elf->path.p, as_code_text(rc));
	return AS_OK;
}
