/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF object and its debug information, which may stand in another file. elfutils opens the
 * files and finds those that belong together; dwarf_info.h decodes each touched unit once, for all
 * of its addresses.
 *
 * A function's name is its linkage name; without one, in languages whose names have parts, that of
 * its symbol if it was not inlined, else its own behind those of the namespaces and types around
 * it; where DWARF has none, that of the symbol table (elf_symtab.c says which). A function that
 * neither names is known by its start, where the unwind tables have it (elf_frames.c). Paths are
 * without "." and "..", so a file has one name however
 * its compiler was called. An object is used by one thread at a time.
 */
#ifndef AS_SYMBOLS_ELF_ELF_FILE_H
#define AS_SYMBOLS_ELF_ELF_FILE_H

#include "symbols/symbols.h"

struct as_elf;

struct as_elf_opts {
	const char *const *debug_dir; /* searched before /usr/lib/debug; each may hold .build-id/ */
	size_t n_debug_dir;
	bool no_debuginfo; /* symbol tables only */
	bool debuginfod;   /* ask the servers of $DEBUGINFOD_URLS for what is not here */
	void (*run)(void *ctx, void (*task)(void *arg, unsigned i), void *arg, unsigned n);
	void *run_ctx; /* RUN == NULL: one thread. Else units may be decoded by several at once, and
			* the allocator must stand that */
};

/* PATH is read when it is needed. OUT is the caller's: as_elf_close(). Errors: AS_E_IO (not there,
 * not readable), AS_E_FORMAT (no ELF object), AS_E_NOMEM. Damaged debug information is no error:
 * it costs its names, and as_elf_facts() tells. */
enum as_code as_elf_open(struct as_elf **out, const struct as_alloc *al, const char *path,
	const struct as_elf_opts *opts, struct as_err *err) AS_NODISCARD;
void as_elf_close(struct as_elf *elf); /* NULL is fine */

enum as_elf_machine {
	AS_ELF_OTHER,
	AS_ELF_X86_64,
	AS_ELF_X86,
	AS_ELF_AARCH64,
	AS_ELF_ARM,
	AS_ELF_PPC64,
	AS_ELF_MIPS,
	AS_ELF_S390,
	AS_ELF_ALPHA
};

/* What is known of an object so far. */
struct as_elf_facts {
	enum as_elf_machine machine;
	bool big;                 /* big-endian */
	struct as_slice build_id; /* lower-case hexadecimal digits, or empty */
	/* What was found wrong, or what is missing ("no debug information"); empty: nothing. */
	struct as_slice complaint;
	/* What of it everybody should know: a debug file is damaged, or is another object's. */
	struct as_slice warning;
};
const struct as_elf_facts *as_elf_facts(const struct as_elf *elf);
/* The file that the debug information is in, which is looked for; empty: none. */
struct as_slice as_elf_debug_path(struct as_elf *elf);

/* The link-time address of the byte at OFFSET of the file, by the program headers; false if no
 * segment holds it. */
bool as_elf_vaddr(const struct as_elf *elf, uint64_t offset, uint64_t *vaddr);

/* A loadable segment; the Nth of all, false after the last. */
struct as_elf_segment {
	uint64_t offset, size; /* in the file */
	uint64_t vaddr;        /* link-time address */
	bool exec;
};
bool as_elf_segment_nth(const struct as_elf *elf, size_t n, struct as_elf_segment *out);

/* Frames of N link-time addresses, ascending and distinct, added to SET, which is new. Without
 * INLINES an address has at most one frame: the function whose code it is, at the address's own
 * file and line. */
enum as_code as_elf_lookup(struct as_elf *elf, const uint64_t *vaddr, size_t n, bool inlines,
	struct as_symset *set, struct as_err *err) AS_NODISCARD;

/* Whether the line tables name the source files SOURCE[0..n): NAMED of those that they do is set.
 * A path is as a profile has it, "." and ".." in it do not matter. Error: AS_E_NOMEM. */
struct as_elf_source {
	struct as_slice path;
	bool named;
};
enum as_code as_elf_sources(struct as_elf *elf, struct as_elf_source *source, size_t n)
	AS_NODISCARD;

/* A stretch of code with one name. */
struct as_elf_symbol {
	struct as_slice name;  /* linkage name; the object's, valid until it is closed */
	uint64_t start, limit; /* link-time addresses */
};

/* The function around VADDR; false if none is. */
bool as_elf_symbol_at(struct as_elf *elf, uint64_t vaddr, struct as_elf_symbol *out);
/* The same, also of those that have no symbol, where unwind tables say where they are: their name
 * is empty. */
bool as_elf_function_at(struct as_elf *elf, uint64_t vaddr, struct as_elf_symbol *out);
/* The Nth function of all, by address; false after the last. */
bool as_elf_symbol_nth(struct as_elf *elf, size_t n, struct as_elf_symbol *out);

/* SIZE bytes of code at VADDR, mapped from the file; NULL if no segment has them all. */
const uint8_t *as_elf_code(struct as_elf *elf, uint64_t vaddr, size_t size);

/* The version of the elfutils that run, "" without. Constant. */
const char *as_elf_version(void);

#endif
