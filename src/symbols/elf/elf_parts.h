/* SPDX-License-Identifier: Apache-2.0 */
/* What the elf_*.c files share: an open object, its symbols, its split units. */
#ifndef AS_SYMBOLS_ELF_ELF_PARTS_H
#define AS_SYMBOLS_ELF_ELF_PARTS_H

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "formats/format.h"
#include "symbols/dwarf/dwarf_info.h"
#include "symbols/elf/elf_file.h"

enum { AS_ELF_GLOBAL, AS_ELF_LOCAL, AS_ELF_WEAK };

/* A stretch of code with a name, while the table is built and after. */
struct as_elf_row {
	uint64_t start, limit;
	struct as_slice name, file; /* FILE: of a local one, without directory; else "" */
	struct as_slice shared; /* of the same code, the name that other objects know; else "" */
	uint32_t outer;         /* row + 1 of the symbol that this one is inside of; 0: none */
	uint8_t rank;           /* AS_ELF_*: the first is the best of several at one start */
	bool sized;
};

struct as_elf_symtab {
	AS_VEC(struct as_elf_row) row; /* by start */
	bool whole;                    /* there are local symbols, too: none was stripped */
};

/* The unwind tables: where functions are that have no symbols. */
struct as_elf_frames {
	bool ready;
	uint64_t hdr;      /* address of .eh_frame_hdr; 0: there is none that can be searched */
	uint64_t table, n; /* of its entries */
	AS_VEC(struct as_dw_range) range; /* without it: of all functions, by start */
	AS_VEC(struct as_dw_range) plt;   /* one entry for many stubs */
};

/* A .dwo or .dwp that is open. */
struct as_elf_split {
	Elf *elf;
	int fd;
	struct as_dw_file dw;
	struct as_elf_split *next;
};

/* Another file that belongs to the object. */
struct as_elf_other {
	Elf *elf;
	int fd;
};

struct as_elf {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_elf_opts opts; /* its lists belong to the caller and are not used after opening */
	struct as_elf_facts facts;
	struct as_slice path, debug_path;
	char *debuginfo_path; /* libdwfl's search path */
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Elf *main; /* the object itself; libdwfl's */
	GElf_Addr bias;
	bool debug_looked_for, debug_ready, symtab_ready;
	const char *image; /* the file, mapped */
	size_t image_size;
	AS_VEC(GElf_Phdr) load;
	AS_VEC(struct as_dw_range) code; /* executable sections, else segments */
	struct as_elf_symtab symtab;
	struct as_elf_frames frames;
	struct as_elf_other debug, alt_file;
	struct as_dw_file dw, alt;
	struct as_elf_split *split;
	bool dwp_tried;
	struct as_elf_split *dwp;
};

/* The sections of a file whose headers can be read, one after the other. A zeroed one with ELF set
 * stands before the first. */
struct as_elf_walk {
	Elf *elf;
	Elf_Scn *scn;
	GElf_Shdr shdr;
	const char *name; /* "" where it is not known */
};
bool as_elf_walk_next(struct as_elf_walk *walk);

/* Remember TEXT as what is wrong, if nothing was before. */
void as_elf_complain(struct as_elf *elf, const char *fmt, ...) AS_PRINTF(2, 3);

/* The same for what everybody should know. */
void as_elf_warn(struct as_elf *elf, const char *fmt, ...) AS_PRINTF(2, 3);

/* The debug sections of ELF; those whose names end in ".dwo" if DWO. Errors: AS_E_NOMEM. */
enum as_code as_elf_sections(Elf *elf, bool dwo, struct as_dw_file *out) AS_NODISCARD;
bool as_elf_has_debug(Elf *elf);
/* Warn: the file with the debug information is damaged. */
void as_elf_warn_damaged(struct as_elf *elf);

/* Find the file with the debug information, once; NULL: there is none, or it is not wanted. */
Elf *as_elf_debug_find(struct as_elf *elf);
/* Find it, and read its units. */
enum as_code as_elf_debug(struct as_elf *elf) AS_NODISCARD;
void as_elf_debug_close(struct as_elf *elf);
void as_elf_split_close(struct as_elf *elf);
/* For as_dw_query: the split unit of SKELETON, looked for once. */
const struct as_dw_unit *as_elf_split_unit(void *arg, const struct as_dw_unit *skeleton);

/* Find the file that the debug information is in, and take it. */
bool as_elf_find_separate(struct as_elf *elf);
enum { AS_ELF_WHY = 320 };
/* FD as an ELF file with debug information; if N, its build id must be the N bytes at ID. FD is
 * FILE's then, and closed otherwise. WHY not goes to AS_ELF_WHY bytes, or is NULL. */
bool as_elf_other_take(struct as_elf_other *file, int fd, const uint8_t *id, size_t n, char *why);
enum { AS_ELF_ID_MAX = 64, AS_ELF_ID_TEXT = 2 * AS_ELF_ID_MAX + 1 }; /* bytes of a build id */
/* The N bytes of ID in hexadecimal digits; those above ID_MAX are left out. Returns TEXT. */
const char *as_elf_id_text(char text[AS_ELF_ID_TEXT], const uint8_t *id, size_t n);
/* Give TAKE the files of that build id, below .build-id/ of each directory, until it has one. */
bool as_elf_by_id(struct as_elf *elf, const uint8_t *id, size_t n,
	bool (*take)(void *ctx, struct as_slice path), void *ctx);
/* PATH up to its last slash, with it. */
static inline struct as_slice as_elf_dir_of(struct as_slice path)
{
	path.len -= as_base_name(path).len;
	return path;
}

/* Read the units of a .dwp by its index; false if it has no sound one. */
bool as_elf_dwp_index(struct as_elf_split *split);

/* Add the stubs that other objects' functions are called through. */
enum as_code as_elf_plt_load(struct as_elf *elf) AS_NODISCARD;
/* Read the symbol tables, once. */
enum as_code as_elf_symtab_load(struct as_elf *elf) AS_NODISCARD;
const struct as_elf_row *as_elf_symtab_find(const struct as_elf_symtab *symtab, uint64_t addr);
/* The function around VADDR, of a symbol or of the unwind tables: ROW is NULL if it has no name.
 * False: nobody knows of one. The symbol tables are read. */
struct as_elf_around {
	const struct as_elf_row *row;
	uint64_t start, limit;
};
bool as_elf_around(struct as_elf *elf, uint64_t vaddr, struct as_elf_around *out);
/* Read what finds entries of the unwind tables, once. */
enum as_code as_elf_frames_load(struct as_elf *elf) AS_NODISCARD;
void as_elf_frames_release(struct as_elf *elf);
/* Sort ROW by start, one row for each, those of no size extended to the next or to the end of
 * their code. */
enum as_code as_elf_symtab_finish(struct as_elf_symtab *symtab, const struct as_alloc *al,
	const struct as_dw_range *code, size_t n_code) AS_NODISCARD;
#endif
