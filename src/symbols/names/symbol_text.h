/* SPDX-License-Identifier: Apache-2.0 */
/* Names for code that no file on disk explains: the kernel's, generated code, the vdso. Private
 * to src/symbols. */
#ifndef AS_SYMBOLS_NAMES_SYMBOL_TEXT_H
#define AS_SYMBOLS_NAMES_SYMBOL_TEXT_H

#include "symbols/names/name_list.h"
#include "symbols/symbolize.h"

/* The text files that a run needs, each read at most once, when it is first asked for. */
struct as_symtexts {
	const struct as_profile *prof;
	const struct as_symbol_opts *opts;
	struct as_arena *arena;             /* for the notes */
	struct as_name_list own[2];         /* by enum as_name_list_kind */
	const struct as_name_list *list[2]; /* where they are: OWN, or what the options keep */
	bool tried[2], there[2];
	struct as_slice path[2], note[2];
	/* what was found out of the kernel's code last: */
	bool kernel_asked;
	as_object kernel_of;
	uint64_t kernel_shift;
	struct as_slice kernel_why;
};

void as_symtexts_init(struct as_symtexts *t, const struct as_profile *prof,
	const struct as_symbol_opts *opts, struct as_arena *arena);
void as_symtexts_release(struct as_symtexts *t);

/* The run-time address of ADDR, an address of object O; false if it cannot be told. */
bool as_symtexts_absolute(
	const struct as_profile *prof, as_object o, uint64_t addr, uint64_t *absolute);
/* The entry around an absolute address of object O, NULL if there is none: *ENTRY. *KIND says in
 * which list it was looked for. Errors: AS_E_NOMEM. */
enum as_code as_symtexts_find(struct as_symtexts *t, as_object o, uint64_t absolute,
	enum as_name_list_kind *kind, const struct as_name_entry **entry) AS_NODISCARD;

/* The vdso of this machine, opened: what the kernel maps into each process. It is taken for the
 * profile's, which nobody can compare. NULL where there is none. Once *OUT is closed, close *FD,
 * which is -1 where there is none. */
enum as_code as_vdso_open(const struct as_alloc *al, const struct as_elf_opts *opts,
	struct as_elf **out, int *fd) AS_NODISCARD;

#endif
