/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From addresses to names: what the files of src/symbols share.
 *
 *	elf_file.h	 one ELF object with its debug information: addresses to frames
 *	name_list.h	 names that stand in text files: kallsyms, perf-PID.map
 *	demangle.h	 linkage names to readable ones, at four levels
 *	symbol_cache.h	 answers kept on disk, by build id
 *	symbolize.h	 a profile with names instead of addresses
 *	source_file.h	 source files, wherever they are now
 *	source_guard.h	 which of them may be passed on
 *	disasm.h	 machine code to text
 *	code.h		 instructions of functions
 *	code_check.h	 whether a file can be the one that was recorded
 *
 * Only distinct addresses are asked for, sorted, all of one object at once.
 */
#ifndef AS_SYMBOLS_SYMBOLS_H
#define AS_SYMBOLS_SYMBOLS_H

#include "base/arena.h"
#include "base/err.h"
#include "model/strings.h"

/* One function at an address. */
struct as_symframe {
	as_str name; /* linkage name, as the object has it, or the readable one; "" = not known */
	as_str file; /* source, absolute if its directory is known; "" = not known */
	as_str decl; /* where the function was declared: tells those of one name apart. Of a symbol
			  table it has no directory; "" = not known */
	uint32_t line;  /* 1-based, in FILE; 0 = not known */
	uint64_t start; /* of a function without a name: its first link-time address; else 0 */
};

/* The same before it has been put into a set. */
struct as_symtext {
	struct as_slice name, file, decl;
	uint64_t start;
	uint32_t line;
};

/*
 * The answer for N sorted addresses: the frames of address I are frame.p[first[I]] up to
 * first[I + 1], innermost first. The last one is the function whose code it is, those before it
 * were inlined; each file and line is where that frame stands: of the innermost one the
 * address itself, of the others the call that was inlined. No frame: the object has no name
 * for the address.
 */
struct as_symset {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_strings str; /* names and files; "" is 0 */
	AS_VEC(struct as_symframe) frame;
	AS_VEC(uint32_t) first; /* N + 1 entries, once filled */
	struct as_slice lent;   /* a file of the cache, mapped, where its strings are; or none */
};

/* False if out of memory. Always ends in as_symset_release(). */
AS_NODISCARD bool as_symset_init(struct as_symset *set, const struct as_alloc *al);
void as_symset_release(struct as_symset *set);

/* Begin the next address: its frames follow, innermost first. Also after the last one. */
AS_NODISCARD bool as_symset_next(struct as_symset *set);
AS_NODISCARD bool as_symset_frame(struct as_symset *set, const struct as_symtext *text);
/* TO, which is new, gets the answers of FROM with readable names instead of linkage names. False if
 * out of memory. */
AS_NODISCARD bool as_symset_readable(struct as_symset *to, const struct as_symset *from);

#endif
