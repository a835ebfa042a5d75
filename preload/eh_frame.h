/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwind tables (.eh_frame_hdr, .eh_frame; LSB 5.0 ch. 10, DWARF 5 §6.4) as the signal handler can
 * use them: no allocation, no lock, little stack, nothing read outside of the bytes that are
 * given. Whatever the tables hold, the answer is a row or none.
 */
#ifndef AS_PRELOAD_EH_FRAME_H
#define AS_PRELOAD_EH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* x86-64's numbers in DWARF; 16 is the return address. */
enum { AS_REG_BX = 3, AS_REG_BP = 6, AS_REG_SP = 7, AS_REG_R12 = 12, AS_REG_PC = 16, AS_REGS = 17 };

enum { AS_EH_ENTRY_MAX = 4096, AS_EH_KEPT_MAX = 8 };

/* Copies N bytes at ADDR to P; false: they can't be read. */
typedef bool as_eh_fetch_fn(void *ctx, uint64_t addr, void *p, size_t n);

/* The tables of one object: where they are in the process, and how they are read. */
struct as_eh {
	uint64_t hdr;    /* .eh_frame_hdr begins */
	uint64_t lo, hi; /* the tables lie in [lo, hi) */
	as_eh_fetch_fn *fetch;
	void *ctx;
};

enum as_eh_kind {
	AS_EH_UNDEFINED, /* of the program counter: there is no caller */
	AS_EH_SAME,
	AS_EH_AT,  /* at CFA + OFF */
	AS_EH_IS,  /* is CFA + OFF */
	AS_EH_REG, /* in register OFF */
	AS_EH_EXPR_AT,
	AS_EH_EXPR_IS,
};

struct as_eh_rule {
	int64_t off;         /* bytes, or a register's number */
	const uint8_t *expr; /* DWARF expression, in the workspace */
	uint32_t n_expr;
	uint32_t kind;
};

struct as_eh_row {
	struct as_eh_rule cfa; /* AS_EH_IS with the register CFA_REG, or AS_EH_EXPR_IS */
	uint64_t cfa_reg;
	struct as_eh_rule reg[AS_REGS];
};

/* Working space of a look-up: too big for a signal handler's stack, which may be small. */
struct as_eh_work {
	struct as_eh_row row, initial, kept[AS_EH_KEPT_MAX];
	uint8_t cie[AS_EH_ENTRY_MAX], fde[AS_EH_ENTRY_MAX];
	uint32_t n_kept;
	bool signal; /* the frame of a signal: the caller was interrupted, it did not call */
};

struct as_eh_regs {
	uint64_t value[AS_REGS];
	uint32_t known; /* bit i: value[i] is known */
};

/* Reads the 8 bytes at ADDR into VALUE; false: they are out of bounds. */
typedef bool as_eh_read_fn(void *ctx, uint64_t addr, uint64_t *value);

/* Finds the row for the instruction at PC: W->row; false: none covers it, or it is damaged. */
bool as_eh_find(const struct as_eh *eh, uint64_t pc, struct as_eh_work *w);

/*
 * From the registers of a function to those of its caller.
 * False: REGS do not suffice or memory is out of bounds; REGS are as before then.
 */
bool as_eh_step(
	const struct as_eh_row *row, struct as_eh_regs *regs, as_eh_read_fn *read, void *ctx);

/* The value of the N bytes of DWARF expression at P that begins with INITIAL on its stack. */
bool as_eh_eval(const uint8_t *p, size_t n, uint64_t initial, const struct as_eh_regs *regs,
	as_eh_read_fn *read, void *ctx, uint64_t *value);

#endif
