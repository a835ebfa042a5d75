/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of objects' unwind tables, in the order of the code that they are for. */
#ifndef AS_SYMBOLS_UNWIND_PERF_ENTRY_H
#define AS_SYMBOLS_UNWIND_PERF_ENTRY_H

#include "symbols/unwind/perf_image.h"

enum { AS_ENTRY_MAX = 1 << 16 }; /* bytes */

struct as_entries {
	const struct as_alloc *al;
	struct as_images im;
	/* of what was read last */
	struct as_cfi_cie cie;
	uint64_t cie_addr; /* 0: none */
	uint32_t cie_object;
	char cie_bytes[AS_ENTRY_MAX], fde_bytes[AS_ENTRY_MAX];
};

/* A table: .eh_frame, or .debug_frame, of an object. */
struct as_entry_table {
	const struct as_unwind_asker *asker;
	bool debug;
};

void as_entries_init(struct as_entries *en, const struct as_alloc *al);
void as_entries_release(struct as_entries *en);
/* Objects have other numbers now. */
void as_entries_forget(struct as_entries *en);

/* How many entries there are; false: they can't be had now. */
bool as_entries_count(struct as_entries *en, const struct as_entry_table *t, uint64_t *n);
/* How many begin at or before ADDR. */
bool as_entries_up_to(
	struct as_entries *en, const struct as_entry_table *t, uint64_t addr, uint64_t *n);
/* Entry I: where the code begins, and where the entry is. */
bool as_entries_at(struct as_entries *en, const struct as_entry_table *t, uint64_t i,
	struct as_image_fde *out);
/* What the entry at ADDR says; valid until the next call. */
bool as_entries_read(struct as_entries *en, const struct as_entry_table *t, uint64_t addr,
	struct as_cfi_fde *fde);

#endif
