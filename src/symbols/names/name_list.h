/* SPDX-License-Identifier: Apache-2.0 */
/* Names in text: /proc/kallsyms ("ffff... T name [module]"), perf-PID.map ("START SIZE name"). */
#ifndef AS_SYMBOLS_NAMES_NAME_LIST_H
#define AS_SYMBOLS_NAMES_NAME_LIST_H

#include "symbols/symbols.h"

enum as_name_list_kind { AS_NAMES_KALLSYMS, AS_NAMES_PERF_MAP };

struct as_name_entry {
	uint64_t start, limit;
	struct as_slice name, module;
};

struct as_name_list {
	const struct as_alloc *al;
	struct as_arena arena;
	AS_VEC(struct as_name_entry) entry; /* sorted by start, none overlaps another */
	bool hidden;                        /* kallsyms without rights: all addresses are 0 */
	uint64_t kernel_start;              /* of kallsyms, where it says that; 0: it does not */
};

/*
 * TEXT is the file's content; LIST holds copies of what it needs and ends in
 * as_name_list_release(), also on failure. Odd lines are skipped and counted in *N_ODD. Of
 * kallsyms, code only; a symbol without one behind it in its module ends with the page after its
 * own. In a perf map, a later line hides what it overlaps. Errors: AS_E_NOMEM.
 */
enum as_code as_name_list_read(struct as_name_list *list, const struct as_alloc *al,
	enum as_name_list_kind kind, struct as_slice text, size_t *n_odd) AS_NODISCARD;
void as_name_list_release(struct as_name_list *list);
/* The entry around ADDR, or NULL. */
const struct as_name_entry *as_name_list_find(const struct as_name_list *list, uint64_t addr);

#endif
