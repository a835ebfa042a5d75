/* SPDX-License-Identifier: Apache-2.0 */
/* Which file is an object of a profile? Private to src/symbols. */
#ifndef AS_SYMBOLS_SYMBOL_FILE_H
#define AS_SYMBOLS_SYMBOL_FILE_H

#include "symbols/symbolize.h"

/* What was found, or why nothing was. */
struct as_symfile {
	struct as_elf *elf; /* the caller's; NULL: STATE tells why */
	enum as_object_state state;
	struct as_slice path; /* of the file that was looked at last */
	struct as_slice note; /* see as_object_report */
	bool unproven;
};

/* Look for object O in all places that OPTS names; the texts are ARENA's. Errors: AS_E_NOMEM;
 * AS_E_UNSUPPORTED where elfutils was not built in. */
enum as_code as_symfile_find(const struct as_profile *prof, as_object o,
	const struct as_symbol_opts *opts, struct as_arena *arena, struct as_symfile *out)
	AS_NODISCARD;

/* A regular file: its size and its time of change, in seconds since 1970. */
struct as_file_facts {
	uint64_t size, mtime;
};
bool as_file_facts(const char *path, struct as_file_facts *facts);

/*
 * Whether what the profile says was mapped of object O can have been ELF: each
 * executable mapping lies in an executable segment, and where it begins with it, it ends with it,
 * too. True where there is nothing to compare. elf_layout.c
 */
bool as_elf_layout_fits(const struct as_profile *prof, as_object o, const struct as_elf *elf);
/* A writer laid MAP out for virtual addresses: it tells nothing of the file. elf_layout.c */
bool as_map_is_made_up(const struct as_profile *prof, const struct as_map *map);

#endif
