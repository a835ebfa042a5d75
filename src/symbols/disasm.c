/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/disasm.h"

enum as_code as_disasm_open(struct as_disasm **out, const struct as_alloc *al,
	enum as_elf_machine machine, bool big_endian, bool intel, struct as_err *err)
{
	(void)al;
	(void)machine;
	(void)big_endian;
	(void)intel;
	*out = NULL;
	return as_err_set(err, AS_E_UNSUPPORTED, "not built with capstone");
}
void as_disasm_close(struct as_disasm *d)
{
	(void)d;
}
bool as_disasm_next(
	struct as_disasm *d, const uint8_t *code, size_t size, uint64_t addr, struct as_insn *out)
{
	(void)d;
	(void)code;
	(void)size;
	(void)addr;
	(void)out;
	return false;
}
