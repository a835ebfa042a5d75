/* SPDX-License-Identifier: Apache-2.0 */
/* Code that processes make at run time: what they call it, in files that the host opens.
 * docs/formats/perfdata.md §13. */
#include "formats/perfdata/perfdata.h"

/* Samples come in the order of time: it is the first one's, if it is known at all. */
static void made_times(const struct as_pd *pd, struct as_made_run *run)
{
	for (size_t i = 0; i < pd->block.n; i++)
		if (pd->block.p[i].has && pd->block.p[i].last > run->last)
			run->last = pd->block.p[i].last;
	if (!pd->has_time)
		return;
	run->first = pd->first_time;
	if (run->last - run->first <= INT64_MAX)
		run->duration = (int64_t)(run->last - run->first);
	if (pd->has_clock)
		run->started = (int64_t)(pd->wall_ns + (run->first - pd->clock_ns));
}

static enum as_code perfdata_made_open(
	struct as_pd *pd, uint32_t pid, struct as_slice dump, uint32_t *names)
{
	const struct as_made_names *made = pd->rd->made;
	struct as_made_run run = {.pid = pid, .dump = dump};

	made_times(pd, &run);
	return as_err_memory(pd->rd->err, made->open(made->ctx, &run, names));
}

/* Its own, or, of one that goes on with its parent's code, the parent's. */
static enum as_code made_need_map(struct as_pd *pd, struct pd_proc *proc)
{
	const struct as_slice none = {"", 0};

	if (proc->asked_map)
		return AS_OK;
	proc->asked_map = true;
	AS_TRY(perfdata_made_open(pd, proc->pid, none, &proc->made_map));
	if (!proc->made_map && proc->made_by)
		AS_TRY(perfdata_made_open(pd, proc->made_by, none, &proc->made_map));
	return AS_OK;
}

enum as_code as_pd_made_mapped(struct as_pd *pd, struct pd_proc *proc, struct as_slice path)
{
	struct as_slice base = as_base_name(path);

	if (!pd->rd->made || !as_slice_starts(base, "jit-") || !as_slice_ends(base, ".dump"))
		return AS_OK;
	return perfdata_made_open(pd, proc->pid, path, &proc->made_dump);
}

void as_pd_made_turn(struct as_pd *pd, struct pd_proc *proc, const struct as_perf_rec *rec)
{
	const struct as_made_names *made = pd->rd->made;
	uint32_t version;
	bool timed;

	pd->now = !pd->other_clock && rec->has_time ? rec->time : UINT64_MAX;
	if (!made || !proc->made_dump)
		return;
	version = made->version(made->ctx, proc->made_dump, pd->now, &timed);
	pd->tally.made_untimed |= version && (!timed || pd->now == UINT64_MAX);
	if (version == proc->made_version)
		return;
	proc->made_version = version;
	proc->version = ++pd->n_versions;
}

/* Code of files has its names there. */
static bool perfdata_made_is_place(const struct as_perf_mapping *m)
{
	return !m || (!as_path_is_file(m->range.path) && !as_slice_starts(m->range.path, "[v"));
}

bool as_pd_made_is_in(const struct pd_proc *proc)
{
	for (size_t i = 0; i < proc->space.n; i++)
		if (perfdata_made_is_place(&proc->space.p[i]))
			return true;
	return false;
}

enum as_code as_pd_made_find(
	struct as_pd *pd, struct pd_proc *proc, uint64_t pc, struct as_made_code *code)
{
	const struct as_made_names *made = pd->rd->made;

	*code = (struct as_made_code){.line = 0};
	if (proc->made_dump && !made->find(made->ctx, proc->made_dump, pd->now, pc, code))
		return as_err_no_memory(pd->rd->err);
	if (code->name.len)
		return AS_OK;
	AS_TRY(made_need_map(pd, proc));
	if (proc->made_map && !made->find(made->ctx, proc->made_map, pd->now, pc, code))
		return as_err_no_memory(pd->rd->err);
	return AS_OK;
}
