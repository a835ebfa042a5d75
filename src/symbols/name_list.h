/* SPDX-License-Identifier: Apache-2.0 */
/* Names in text: /proc/kallsyms ("ffff... T name [module]"), perf-PID.map ("START SIZE name"). */
#ifndef AS_SYMBOLS_NAME_LIST_H
#define AS_SYMBOLS_NAME_LIST_H

#include "symbols/symbols.h"

enum as_name_list_kind { AS_NAMES_KALLSYMS, AS_NAMES_PERF_MAP };

struct as_name_entry {
	uint64_t start, limit;
	struct as_slice name, module;
};

struct as_name_list {
	const struct as_alloc *al;
	struct as_arena arena;
	AS_VEC(struct as_name_entry) entry; /* sorted by start, ends cut where the next begins */
	bool hidden;                        /* kallsyms without rights: all addresses are 0 */
};

/* TEXT is the file's content. Odd lines are skipped and counted in *N_ODD. */
enum as_code as_name_list_read(struct as_name_list *list, const struct as_alloc *al,
	enum as_name_list_kind kind, struct as_slice text, size_t *n_odd) AS_NODISCARD;
void as_name_list_release(struct as_name_list *list);
/* The entry around ADDR, or NULL. */
const struct as_name_entry *as_name_list_find(const struct as_name_list *list, uint64_t addr);

#endif
