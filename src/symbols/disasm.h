/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code to text, by capstone; machines that it does not know are shown as words. */
#ifndef AS_SYMBOLS_DISASM_H
#define AS_SYMBOLS_DISASM_H

#include "base/err.h"
#include "symbols/elf/elf_file.h"

struct as_insn {
	uint64_t addr;
	uint32_t size;    /* bytes */
	const char *text; /* "mov %rax, (%rdi)"; valid until the next one */
	bool is_jump, is_call;
	bool is_data; /* it is no instruction, but shown in pieces that may end anywhere */
	bool has_target;
	uint64_t target; /* of a direct jump or call */
};

struct as_disasm;

/* The version of capstone that this was built for: major << 8 | minor; 0 without. */
unsigned as_disasm_version(void);

/* Errors: AS_E_NOMEM; AS_E_UNSUPPORTED where capstone was not built in. */
enum as_code as_disasm_open(struct as_disasm **out, const struct as_alloc *al,
	enum as_elf_machine machine, bool big_endian, bool intel, struct as_err *err) AS_NODISCARD;
void as_disasm_close(struct as_disasm *d); /* NULL is fine */

/* The instruction at CODE[0 .. SIZE), which stands at ADDR. What is none becomes ".byte 0x.." or
 * ".word 0x........". False when SIZE is 0. */
bool as_disasm_next(
	struct as_disasm *d, const uint8_t *code, size_t size, uint64_t addr, struct as_insn *out);

#endif
