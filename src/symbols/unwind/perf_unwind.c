/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/unwind/perf_unwind.h"

#include <stdlib.h>

#include "model/profile.h"
#include "symbols/unwind/perf_step.h"

/* A mapping of code. */
struct unwind_range {
	uint64_t start, limit, bias;
	uint32_t object;
};

struct as_unwind {
	const struct as_alloc *al;
	struct as_unwind_tables *tables;
	uint64_t generation;
	uint32_t pid;
	AS_VEC(struct unwind_range) range; /* by address, from as_unwind_maps_end() on */
	/* of the sample that is unwound */
	const struct unwind_range *near; /* where the last frame was; or NULL */
	const struct as_stack *stack;
	uint64_t sp;
	bool has_files; /* not only what the kernel puts into each process */
	bool beyond;    /* the unwinder asked for what is behind the copy */
};

bool as_unwind_possible(void)
{
	return true;
}

/* ---- objects ---- */

struct as_unwind *as_unwind_new(
	const struct as_alloc *al, struct as_unwind_tables *tables, uint32_t pid)
{
	struct as_unwind *u = as_alloc_new(al, sizeof(*u));

	if (!u)
		return NULL;
	u->al = al;
	u->tables = tables;
	u->generation = as_tables_generation(tables);
	u->pid = pid;
	return u;
}

void as_unwind_free(struct as_unwind *u)
{
	if (!u)
		return;
	as_vec_free(u->al, &u->range);
	as_alloc_free(u->al, u, sizeof(*u));
}

bool as_unwind_is_stale(const struct as_unwind *u)
{
	return u->generation != as_tables_generation(u->tables);
}

bool as_unwind_maps_add(struct as_unwind *u, const struct as_perf_range *range, struct as_slice id)
{
	struct unwind_range r = {.start = range->start, .limit = range->limit};

	r.object = as_tables_object(u->tables, u->pid, range, id, &r.bias);
	u->has_files |= r.object != AS_NO_OBJECT && as_path_is_file(range->path);
	return r.object == AS_NO_OBJECT || as_vec_push(u->al, &u->range, r);
}

static int cmp_unwind_range(const void *a, const void *b)
{
	const struct unwind_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

void as_unwind_maps_end(struct as_unwind *u)
{
	if (u->range.n)
		qsort(u->range.p, u->range.n, sizeof(*u->range.p), cmp_unwind_range);
}

static const struct unwind_range *perf_unwind_range(struct as_unwind *u, uint64_t addr)
{
	size_t lo = 0, hi = u->range.n;

	if (u->near && u->near->start <= addr && addr < u->near->limit)
		return u->near;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->range.p[mid].limit <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	u->near = lo < u->range.n && u->range.p[lo].start <= addr ? &u->range.p[lo] : NULL;
	return u->near;
}

/* ---- a stack ---- */

static bool perf_unwind_read_stack(void *ctx, uint64_t addr, uint64_t *word)
{
	struct as_unwind *u = ctx;
	struct as_slice bytes = u->stack->bytes;

	if (addr < u->sp)
		return false;
	if (addr - u->sp >= bytes.len || bytes.len - (addr - u->sp) < sizeof(*word)) {
		u->beyond = u->stack->more;
		return false;
	}
	memcpy(word, bytes.p + (addr - u->sp), sizeof(*word));
	return true;
}

/* To the caller of the code at PC, an address that is inside of what it does. */
static enum as_step perf_unwind_step(
	struct as_unwind *u, uint64_t pc, struct as_step_regs *regs, bool *signal)
{
	const struct as_step_memory memory = {perf_unwind_read_stack, u};
	const struct unwind_range *range = perf_unwind_range(u, pc);
	const struct as_row *row = NULL;
	struct as_unwind_asker asker;
	struct as_cfi_row cfi;

	*signal = false;
	if (range) {
		asker = (struct as_unwind_asker){u->pid, range->object, range->start, range->limit};
		row = as_tables_row(u->tables, &asker, pc - range->bias);
	}
	if (!row)
		return as_step_framed(&memory, regs);
	*signal = row->signal;
	if (!row->special)
		return as_step_row(row, &memory, regs);
	if (!as_tables_special(u->tables, &asker, pc - range->bias, &cfi))
		return AS_STEP_BROKEN;
	return as_step_special(&cfi, &memory, regs);
}

/* Whether a program begins there: what is in no table has no caller, either. */
static bool is_entry(struct as_unwind *u, uint64_t pc)
{
	enum { ENTRY_MAX = 64 };
	const struct unwind_range *range = perf_unwind_range(u, pc);
	uint64_t entry;

	if (!range)
		return false;
	entry = as_tables_entry(u->tables, range->object) + range->bias;
	return pc >= entry && pc - entry < ENTRY_MAX;
}

static void perf_unwind_run(struct as_unwind *u, struct as_frames *frames)
{
	bool interrupted = true, signal;
	struct as_step_regs regs = {.known = u->stack->known};
	enum as_step step = AS_STEP_ON;

	memcpy(regs.value, u->stack->reg, sizeof(regs.value));
	if (!u->has_files || as_unwind_is_stale(u)) {
		frames->pc[frames->n++] = regs.value[AS_CFI_PC];
		frames->broken = true;
		return;
	}
	while (step == AS_STEP_ON) {
		uint64_t pc = regs.value[AS_CFI_PC];

		if (frames->n == AS_FRAMES_MAX) {
			frames->cut = true;
			return;
		}
		step = perf_unwind_step(u, pc - !interrupted, &regs, &signal);
		frames->pc[frames->n++] = interrupted || signal ? pc : pc - 1;
		interrupted = signal;
	}
	frames->broken = step == AS_STEP_BROKEN && !is_entry(u, frames->pc[frames->n - 1]);
}

void as_unwind_stack(struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames)
{
	_Static_assert((int)AS_CFI_REGS == (int)AS_STACK_REGS, "both are DWARF's numbers");

	u->stack = stack;
	u->sp = stack->reg[AS_STACK_SP];
	u->near = NULL;
	u->beyond = false;
	frames->n = 0;
	frames->cut = frames->broken = false;
	perf_unwind_run(u, frames);
	frames->cut |= u->beyond;
}
