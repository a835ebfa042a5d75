/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwind tables of objects, shared by all processes that have them mapped. What is kept of them:
 * pieces of the files, as they are needed, and pages: 256 bytes of code and the rows that are for
 * them, most of which are the same few. When one of these has grown to its limit it begins anew.
 *
 * No file stays open and none is mapped: what is recorded may be deleted, cut or unmounted.
 */
#ifndef AS_SYMBOLS_UNWIND_PERF_TABLES_H
#define AS_SYMBOLS_UNWIND_PERF_TABLES_H

#include "base/alloc.h"
#include "symbols/unwind/perf_cfi.h"
#include "symbols/unwind/perf_object.h"

enum { AS_BUILD_ID_TEXT = 2 * 64 + 1 };
/* The build id of the file that process PID has at RANGE, in hex, in TEXT; empty: not known. */
struct as_slice as_object_build_id(
	uint32_t pid, const struct as_perf_range *range, char text[AS_BUILD_ID_TEXT]);

/* The same of what the kernel that runs here has in each process. */
struct as_slice as_vdso_build_id(char text[AS_BUILD_ID_TEXT]);

/* The registers that a function gives back unchanged, and the one that leads to its caller. */
enum { AS_ROW_BX, AS_ROW_BP, AS_ROW_R12, AS_ROW_PC = AS_ROW_R12 + 4, AS_ROW_RULES };

struct as_row {
	int32_t cfa_off;
	uint8_t cfa_reg; /* DWARF's number */
	bool special;    /* it can't be said so: as_tables_special() says it */
	bool signal;
	uint8_t kind[AS_ROW_RULES]; /* AS_CFI_UNDEFINED, AS_CFI_SAME, AS_CFI_AT */
	int16_t off[AS_ROW_RULES];
};

struct as_unwind_tables;

/* A process that has an object mapped: how to come at its file. */
struct as_unwind_asker {
	uint32_t pid, object;
	uint64_t start, limit;
};

/* NULL if out of memory. */
struct as_unwind_tables *as_unwind_tables_new(const struct as_alloc *al);
void as_unwind_tables_free(struct as_unwind_tables *t); /* NULL is fine */

/* Numbers of objects are of one generation only. */
uint64_t as_tables_generation(const struct as_unwind_tables *t);

#define AS_NO_OBJECT UINT32_MAX
/*
 * The object that process PID has at RANGE, and BIAS, the difference between run-time and
 * link-time addresses there; AS_NO_OBJECT: there is none, or it can't be had.
 * ID: its build id, or empty; a file that has another one is another object.
 */
uint32_t as_tables_object(struct as_unwind_tables *t, uint32_t pid,
	const struct as_perf_range *range, struct as_slice id, uint64_t *bias);
/* Where the object's program begins, at link time. */
uint64_t as_tables_entry(const struct as_unwind_tables *t, uint32_t object);

/* The row for the code at ADDR, at link time; valid until the next call. NULL: there is none. */
const struct as_row *as_tables_row(
	struct as_unwind_tables *t, const struct as_unwind_asker *asker, uint64_t addr);
bool as_tables_special(struct as_unwind_tables *t, const struct as_unwind_asker *asker,
	uint64_t addr, struct as_cfi_row *row);

#endif
