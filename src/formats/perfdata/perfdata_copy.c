/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of stacks to call chains, by the host's unwinder. docs/formats/perfdata.md §12. */
#include "formats/perfdata/perfdata.h"

/* The unwinder of PROC, which knows all that is mapped there. */
static enum as_code copy_refresh(struct as_pd *pd, struct pd_proc *proc)
{
	const struct as_unwinder *un = pd->rd->unwinder;
	bool anew = !proc->unwind || proc->replaced || un->is_stale(proc->unwind);

	if (anew) {
		un->end(proc->unwind);
		proc->unwind = un->begin(un->ctx);
	}
	AS_TRY(as_err_memory(pd->rd->err, proc->unwind));
	for (size_t i = 0; i < proc->space.n; i++) {
		struct as_perf_mapping *m = &proc->space.p[i];

		if ((anew || !m->reported) &&
			!un->add(un->ctx, proc->unwind, &m->range, pd->image.p[m->image].id))
			return as_err_no_memory(pd->rd->err);
		m->reported = true;
	}
	un->added(proc->unwind);
	proc->known = proc->version;
	proc->replaced = false;
	return AS_OK;
}

/* Where no code is there is no caller: the stack was not what it was taken for. */
static void copy_break_off(const struct pd_proc *proc, struct as_frames *f)
{
	const struct as_perf_mapping *m = NULL;

	for (uint32_t i = 1; i < f->n; i++) {
		if (m && f->pc[i] >= m->range.start && f->pc[i] < m->range.limit)
			continue;
		m = as_perf_space_find(&proc->space, f->pc[i]);
		if (m)
			continue;
		f->n = i;
		f->cut = false;
		f->broken = true;
	}
}

static bool copy_can(const struct as_pd *pd, const struct pd_event *ev)
{
	return pd->rd->unwinder && !pd->swap && as_stack_is_x86(ev->layout.regs) &&
	       (!pd->arch.len || as_slice_is(pd->arch, "x86_64"));
}

enum as_code as_pd_unwind(struct as_pd *pd, uint32_t event, struct pd_proc *proc,
	const struct as_perf_rec *rec, bool *done)
{
	const struct pd_event *ev = &pd->event.p[event];
	const struct as_unwinder *un = pd->rd->unwinder;
	struct as_stack stack;

	as_assert(event < pd->event.n);
	*done = false;
	if (!(ev->layout.sample_type & AS_PERF_S_STACK_USER))
		return AS_OK;
	if (!copy_can(pd, ev) || !as_stack_of(rec, &ev->layout, &stack)) {
		pd->tally.copied += rec->stack.len != 0;
		return AS_OK;
	}
	if (!pd->frames && !as_alloc_array(pd->al, &pd->frames, 1))
		return as_err_no_memory(pd->rd->err);
	if (!proc->unwind || proc->known != proc->version || un->is_stale(proc->unwind))
		AS_TRY(copy_refresh(pd, proc));
	un->unwind(proc->unwind, &stack, pd->frames);
	copy_break_off(proc, pd->frames);
	pd->tally.unwound++;
	pd->tally.short_copies += pd->frames->cut;
	pd->tally.broken += pd->frames->broken && !pd->frames->cut;
	*done = true;
	return AS_OK;
}

void as_pd_unwind_end(struct as_pd *pd)
{
	for (size_t i = 0; pd->rd->unwinder && i < pd->proc.n; i++)
		pd->rd->unwinder->end(pd->proc.p[i].unwind);
}
