/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can a file be the one that was recorded? Callgrind and DCPI write nothing that identifies it,
 * but costs stand at instructions: where there begins none, the file is another one, and so it is
 * where the code of one function is now that of another.
 */
#ifndef AS_SYMBOLS_CODE_CHECK_H
#define AS_SYMBOLS_CODE_CHECK_H

#include "symbols/elf/elf_file.h"

/* What a profile says of an address. */
struct as_code_claim {
	uint64_t addr;
	struct as_slice func; /* the recorder's name for it; empty: it had none */
	bool call_only;       /* only calls are made there: also their last byte may be meant */
};

struct as_code_verdict {
	uint64_t n;           /* claims */
	uint64_t n_no_insn;   /* at these begins no instruction */
	uint64_t n_elsewhere; /* these are in another function of the profile */
};

/* N claims about ELF, by address, each address once. Code that cannot be told from data is not
 * held against a file, nor are the stubs that Callgrind counts as their callers'. Errors:
 * AS_E_NOMEM, AS_E_UNSUPPORTED. */
enum as_code as_code_check(struct as_elf *elf, const struct as_alloc *al,
	const struct as_code_claim *claim, size_t n, struct as_code_verdict *out,
	struct as_err *err) AS_NODISCARD;
/* What V proves of the file PATH, as a sentence in ARENA; empty: nothing, as a few addresses among
 * thousands may be odd. p == NULL: out of memory. */
struct as_slice as_code_verdict_text(
	const struct as_code_verdict *v, struct as_slice path, struct as_arena *arena) AS_NODISCARD;

#endif
