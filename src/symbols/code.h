/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions around given addresses of an object: whole functions, with the names of what
 * they jump to and call, and the source line of each.
 */
#ifndef AS_SYMBOLS_CODE_H
#define AS_SYMBOLS_CODE_H

#include "symbols/disasm.h"
#include "symbols/names/demangle.h"

struct as_code_insn {
	uint64_t addr; /* as the profile has it */
	uint32_t size;
	bool is_jump, is_call;
	bool has_target;
	uint64_t target;             /* likewise; of a direct jump or call */
	struct as_slice text;        /* "jne 0x1234" */
	struct as_slice target_name; /* function there; empty: not known */
	uint64_t target_off;         /* in that function */
	struct as_slice func;        /* that was inlined here, the innermost; empty: none */
	bool inside;                 /* it is of the list's FUNC, or of what was inlined there */
	struct as_slice file;
	uint32_t line; /* 0 = not known */
};

struct as_code_list {
	const struct as_alloc *al;
	struct as_arena arena;            /* owns the texts */
	AS_VEC(struct as_code_insn) insn; /* by address */
	bool file_offsets, no_inlines;    /* as in the query */
	enum as_name_level names;
	struct as_slice func;
};

struct as_code_query {
	const uint64_t *addr; /* ascending and distinct */
	size_t n;
	const bool *caller; /* of each: it may be the last byte of a call; NULL: of none */
	uint64_t reach;     /* outside of functions, code between addresses so near is read, too */
	bool file_offsets;  /* they are offsets in the file, not link-time addresses */
	bool intel;
	bool no_inlines;
	enum as_name_level names;
	struct as_slice func; /* whose code is wanted, for as_code_only(); borrowed */
};

/* The functions of ELF that the addresses lie in; an address outside of all functions gives its
 * own instruction, and what is within reach. Addresses without code are left out. OUT ends in
 * as_code_list_release(), also on failure. Errors: AS_E_NOMEM, AS_E_UNSUPPORTED. */
enum as_code as_code_read(struct as_code_list *out, const struct as_alloc *al, struct as_elf *elf,
	const struct as_code_query *query, struct as_err *err) AS_NODISCARD;
/* FUNC, INSIDE, FILE and LINE of all instructions of N lists, which were read from ELF by queries
 * that differ in addresses and functions only: its debug information is asked once. Error:
 * AS_E_NOMEM. */
enum as_code as_code_lines(struct as_code_list *const *list, size_t n, struct as_elf *elf,
	struct as_err *err) AS_NODISCARD;
/* After as_code_lines(): keep what is of the list's function, wherever it was inlined, and what
 * stands at one of N addresses, ascending. All stays where none is known to be of it. */
void as_code_only(struct as_code_list *list, const uint64_t *addr, size_t n);
void as_code_list_release(struct as_code_list *list);

#endif
