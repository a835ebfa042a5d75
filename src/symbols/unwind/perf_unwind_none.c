/* SPDX-License-Identifier: Apache-2.0 */
/* Built without elfutils: stacks are those of frame pointers. */
#include "symbols/unwind/perf_unwind.h"

bool as_unwind_possible(void)
{
	return false;
}

struct as_slice as_object_build_id(
	uint32_t pid, const struct as_perf_range *range, char text[AS_BUILD_ID_TEXT])
{
	(void)pid, (void)range;
	return (struct as_slice){text, 0};
}

struct as_slice as_vdso_build_id(char text[AS_BUILD_ID_TEXT])
{
	return (struct as_slice){text, 0};
}

struct as_unwind_tables *as_unwind_tables_new(const struct as_alloc *al)
{
	(void)al;
	return NULL;
}

void as_unwind_tables_free(struct as_unwind_tables *t)
{
	(void)t;
}

struct as_unwind *as_unwind_new(
	const struct as_alloc *al, struct as_unwind_tables *tables, uint32_t pid)
{
	(void)al, (void)tables, (void)pid;
	return NULL;
}

void as_unwind_free(struct as_unwind *u)
{
	(void)u;
}

bool as_unwind_is_stale(const struct as_unwind *u)
{
	(void)u;
	return false;
}

bool as_unwind_maps_add(struct as_unwind *u, const struct as_perf_range *range, struct as_slice id)
{
	(void)u, (void)range, (void)id;
	return true;
}

void as_unwind_maps_end(struct as_unwind *u)
{
	(void)u;
}

void as_unwind_stack(struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames)
{
	(void)u, (void)stack;
	frames->n = 0;
	frames->cut = frames->broken = false;
}
