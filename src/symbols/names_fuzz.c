/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a linkage name, as a readable one, and as lists of names: levels only ever take
 * away, and leave the base; entries of a list are sorted and none overlaps another.
 */
#include "lib/fuzz_must.h"
#include "symbols/names/demangle.h"
#include "symbols/names/name_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_name(struct as_slice name)
{
	struct as_slice full, shorter, base = as_name_base(name);
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	full = as_demangle(&arena, name, AS_NAMES_FULL);
	must(full.p != NULL);
	for (unsigned level = AS_NAMES_NOARGS; level <= AS_NAMES_SHORT; level++) {
		shorter = as_demangle(&arena, name, level);
		must(shorter.p && shorter.len <= full.len);
		shorter = as_name_at_level(&arena, name, level);
		must(shorter.p && shorter.len <= name.len);
		must(!base.len || !shorter.len || as_slice_eq(base, as_name_base(shorter)));
	}
	as_arena_release(&arena);
}

static void try_list(struct as_slice text, enum as_name_list_kind kind)
{
	struct as_name_list list;
	uint64_t last = 0;
	size_t n_odd;

	must(as_name_list_read(&list, &as_alloc_libc, kind, text, &n_odd) == AS_OK);
	for (size_t i = 0; i < list.entry.n; i++) {
		const struct as_name_entry *e = &list.entry.p[i];

		must(e->start >= last && e->limit > e->start);
		must(as_name_list_find(&list, e->start) == e);
		must(as_name_list_find(&list, e->limit - 1) == e);
		last = e->limit;
	}
	must(!list.hidden || !list.entry.n);
	as_name_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice text = {(const char *)data, size};

	try_name(text);
	try_list(text, AS_NAMES_KALLSYMS);
	try_list(text, AS_NAMES_PERF_MAP);
	return 0;
}
