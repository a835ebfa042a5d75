/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of unwind tables of x86-64 as rows: for a stretch of code, where its caller's registers
 * are. (.eh_frame, LSB 5.0 ch. 10; .debug_frame, DWARF 5 §6.4, whose instructions both have.)
 * Whatever the bytes are, reading stays within them and comes to an end.
 */
#ifndef AS_SYMBOLS_UNWIND_PERF_CFI_H
#define AS_SYMBOLS_UNWIND_PERF_CFI_H

#include "base/slice.h"

/* DWARF's numbers; 16 is the return address. */
enum { AS_CFI_BX = 3, AS_CFI_BP = 6, AS_CFI_SP = 7, AS_CFI_R12 = 12, AS_CFI_PC = 16, AS_CFI_REGS };

enum as_cfi_kind {
	AS_CFI_UNDEFINED, /* of the program counter: there is no caller */
	AS_CFI_SAME,
	AS_CFI_AT,  /* at CFA + OFF */
	AS_CFI_IS,  /* is CFA + OFF */
	AS_CFI_REG, /* in register OFF */
	AS_CFI_EXPR_AT,
	AS_CFI_EXPR_IS,
};

struct as_cfi_rule {
	uint32_t kind;   /* enum as_cfi_kind */
	uint32_t n_expr; /* bytes */
	union {
		int64_t off;
		const uint8_t *expr; /* among the entry's bytes */
	};
};

struct as_cfi_row {
	struct as_cfi_rule cfa; /* AS_CFI_IS with the register CFA_REG, or AS_CFI_EXPR_IS */
	uint64_t cfa_reg;
	struct as_cfi_rule reg[AS_CFI_REGS];
	bool signal; /* the caller was interrupted, it did not call */
};

/* What entries have in common. */
struct as_cfi_cie {
	struct as_slice code;
	uint64_t code_align;
	int64_t data_align;
	uint8_t enc; /* of addresses */
	bool augmented, signal;
};

struct as_cfi_fde {
	struct as_cfi_cie cie;
	struct as_slice code;
	uint64_t start, limit;
};

/*
 * BYTES: an entry, behind its length; ADDR: where the first of them is. DEBUG: it is one of
 * .debug_frame, where an entry says at which offset its CIE is, and addresses are whole ones.
 */
bool as_cfi_is_cie(struct as_slice bytes, bool debug);
/* Where the CIE of an entry that is none begins, at its length. */
uint64_t as_cfi_cie_addr(struct as_slice bytes, uint64_t addr, bool debug);
bool as_cfi_read_cie(struct as_slice bytes, bool debug, struct as_cfi_cie *out);
bool as_cfi_read_fde(
	struct as_slice bytes, uint64_t addr, const struct as_cfi_cie *cie, struct as_cfi_fde *out);

/* A row is for [start, limit). False: no more of them. */
typedef bool as_cfi_row_fn(void *ctx, uint64_t start, uint64_t limit, const struct as_cfi_row *row);
/* All rows that overlap [FROM, LIMIT), in their order, clipped to it. False: they are damaged; what
 * EACH was given by then is right. */
bool as_cfi_rows(const struct as_cfi_fde *fde, uint64_t from, uint64_t limit, as_cfi_row_fn *each,
	void *ctx);

#endif
