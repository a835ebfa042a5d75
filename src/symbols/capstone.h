/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capstone's functions, found when they are first needed. Its tables of all machines take three
 * megabytes and two milliseconds to be relocated, at every start of a program that is linked with
 * it; instructions are shown by few.
 */
#ifndef AS_SYMBOLS_CAPSTONE_H
#define AS_SYMBOLS_CAPSTONE_H

#include <capstone/capstone.h>

#include "base/err.h"

struct as_capstone {
	void *lib;
	__typeof__(&cs_open) open;
	__typeof__(&cs_close) close;
	__typeof__(&cs_option) option;
	__typeof__(&cs_malloc) malloc;
	__typeof__(&cs_free) free;
	__typeof__(&cs_disasm_iter) disasm_iter;
	__typeof__(&cs_insn_group) insn_group;
};

/* AS_E_UNSUPPORTED where the library is not there. Ends in as_capstone_unload(), also then. */
enum as_code as_capstone_load(struct as_capstone *cs, struct as_err *err) AS_NODISCARD;
void as_capstone_unload(struct as_capstone *cs);

#endif
