/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and threads, and the parts that they are. docs/formats/perfdata.md §6. */
#include "formats/perfdata/perfdata.h"

#include "perf/perf_group.h"

enum as_code as_pd_tasks_init(struct as_pd *pd)
{
	struct pd_cgroup none = {0};

	return as_err_memory(pd->rd->err, as_vec_push(pd->al, &pd->cgroup, none));
}

/* ---- processes ---- */

static uint64_t tasks_hash(uint32_t id)
{
	return as_hash_mix(id, 1);
}

static bool tasks_find_proc(const struct as_pd *pd, uint32_t pid, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&pd->procs, tasks_hash(pid), &at, row))
		if (pd->proc.p[*row].pid == pid)
			return true;
	return false;
}

/* What a process is called that nobody has named, as perf does. */
static struct as_slice tasks_usual_name(struct as_pd *pd, uint32_t pid)
{
	if (pid == 0)
		return as_slice_of("swapper");
	if (pid == UINT32_MAX)
		return as_slice_of("[unknown]");
	return as_arena_printf(&pd->arena, ":%" PRIu32, pid);
}

static enum as_code tasks_need_proc(struct as_pd *pd, uint32_t pid, uint32_t *row)
{
	struct pd_proc proc = {.pid = pid, .part = PD_NONE, .kernel_part = PD_NONE};

	if (tasks_find_proc(pd, pid, row))
		return AS_OK;
	proc.image = ++pd->n_images;
	proc.version = ++pd->n_versions;
	proc.name = tasks_usual_name(pd, pid);
	*row = (uint32_t)pd->proc.n;
	return as_err_memory(pd->rd->err, proc.name.p && as_vec_push(pd->al, &pd->proc, proc) &&
						  as_index_add(&pd->procs, tasks_hash(pid), *row));
}

/* ---- threads ---- */

static bool tasks_find_thread(struct as_pd *pd, uint32_t tid, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	*row = pd->last_thread;
	if (*row != PD_NONE && pd->thread.p[*row].tid == tid)
		return true;
	while (as_index_find(&pd->threads, tasks_hash(tid), &at, row))
		if (pd->thread.p[*row].tid == tid) {
			pd->last_thread = *row;
			return true;
		}
	return false;
}

static enum as_code tasks_add_thread(struct as_pd *pd, uint32_t proc, uint32_t tid, uint32_t *row)
{
	struct pd_thread thread = {
		.tid = tid, .proc = proc, .part = PD_NONE, .name = pd->proc.p[proc].name};

	*row = (uint32_t)pd->thread.n;
	if (!as_vec_push(pd->al, &pd->thread, thread) ||
		!as_index_add(&pd->threads, tasks_hash(tid), *row))
		return as_err_no_memory(pd->rd->err);
	return AS_OK;
}

enum as_code as_pd_need_thread(struct as_pd *pd, uint32_t pid, uint32_t tid, uint32_t *row)
{
	struct pd_thread *thread;
	uint32_t proc;

	if (tasks_find_thread(pd, tid, row) && pd->proc.p[pd->thread.p[*row].proc].pid == pid)
		return AS_OK;
	AS_TRY(tasks_need_proc(pd, pid, &proc));
	if (!tasks_find_thread(pd, tid, row))
		return tasks_add_thread(pd, proc, tid, row);
	thread = &pd->thread.p[*row]; /* its number was another's */
	thread->proc = proc;
	thread->part = PD_NONE;
	thread->name = pd->proc.p[proc].name;
	return AS_OK;
}

/* ---- records ---- */

/* Another program: nothing of the one before is mapped any more. */
static void tasks_execute(struct as_pd *pd, struct pd_proc *proc)
{
	proc->space.n = 0;
	proc->replaced = true;
	proc->version = ++pd->n_versions;
	proc->listed = false;
	proc->made_dump = proc->made_map = proc->made_version = proc->made_by = 0;
	proc->asked_map = false;
	if (proc->part != PD_NONE)
		proc->image = ++pd->n_images;
	proc->part = proc->kernel_part = PD_NONE;
}

enum as_code as_pd_take_comm(struct as_pd *pd, const struct as_perf_rec *rec, bool exec)
{
	struct pd_thread *thread;
	struct pd_proc *proc;
	uint32_t row;

	AS_TRY(as_pd_need_thread(pd, rec->pid, rec->tid, &row));
	thread = &pd->thread.p[row];
	proc = &pd->proc.p[thread->proc];
	if (!as_slice_eq(thread->name, rec->text)) {
		thread->name = as_arena_dup(&pd->arena, rec->text);
		AS_TRY(as_err_memory(pd->rd->err, thread->name.p));
		thread->part = PD_NONE;
	}
	if (exec) {
		tasks_execute(pd, proc);
		thread->part = PD_NONE;
	}
	if (exec || (rec->pid == rec->tid && !proc->started)) {
		proc->name = thread->name;
		proc->started = true;
	}
	return AS_OK;
}

/* A new process has what its parent has mapped, unless perf itself made the record up, of what ran
 * already: then its mappings follow. */
static enum as_code tasks_fork_process(
	struct as_pd *pd, const struct as_perf_rec *rec, uint32_t *row)
{
	struct pd_proc *proc;
	uint32_t parent;

	AS_TRY(tasks_need_proc(pd, rec->ppid, &parent));
	if (tasks_find_proc(pd, rec->pid, row))
		tasks_execute(pd, &pd->proc.p[*row]);
	else
		AS_TRY(tasks_need_proc(pd, rec->pid, row));
	proc = &pd->proc.p[*row];
	proc->started = false;
	if (rec->misc & AS_PERF_MISC_FORK_EXEC)
		return AS_OK;
	proc->name = pd->proc.p[parent].name;
	if (!as_perf_space_copy(pd->al, &proc->space, &pd->proc.p[parent].space))
		return as_err_no_memory(pd->rd->err);
	proc->version = pd->proc.p[parent].version;
	proc->made_by = rec->ppid;
	proc->made_dump = pd->proc.p[parent].made_dump;
	proc->made_version = pd->proc.p[parent].made_version;
	if (pd->rd->made && as_pd_made_is_in(proc)) /* each goes on to make its own there */
		proc->version = ++pd->n_versions;
	return AS_OK;
}

enum as_code as_pd_take_fork(struct as_pd *pd, const struct as_perf_rec *rec)
{
	struct pd_thread *thread;
	uint32_t proc, row, parent;
	bool has_parent;

	if (rec->pid != rec->ppid)
		AS_TRY(tasks_fork_process(pd, rec, &proc));
	else
		AS_TRY(tasks_need_proc(pd, rec->pid, &proc));
	has_parent = tasks_find_thread(pd, rec->ptid, &parent);
	if (!tasks_find_thread(pd, rec->tid, &row))
		AS_TRY(tasks_add_thread(pd, proc, rec->tid, &row));
	thread = &pd->thread.p[row];
	thread->proc = proc;
	thread->part = PD_NONE;
	thread->name = has_parent && !(rec->misc & AS_PERF_MISC_FORK_EXEC)
			       ? pd->thread.p[parent].name
			       : pd->proc.p[proc].name;
	return AS_OK;
}

/* They are few: services and containers, and users' sessions. */
uint32_t as_pd_find_cgroup(const struct as_pd *pd, uint64_t id)
{
	uint32_t i = (uint32_t)pd->cgroup.n;

	while (--i > 0 && pd->cgroup.p[i].id != id)
		;
	return i;
}

enum as_code as_pd_take_cgroup(struct as_pd *pd, const struct as_perf_rec *rec)
{
	struct pd_cgroup one = {.id = rec->cgroup, .path = as_arena_dup(&pd->arena, rec->text)};
	uint32_t row = as_pd_find_cgroup(pd, rec->cgroup);

	AS_TRY(as_err_memory(pd->rd->err, one.path.p));
	if (row)
		pd->cgroup.p[row] = one;
	else if (!as_vec_push(pd->al, &pd->cgroup, one))
		return as_err_no_memory(pd->rd->err);
	return AS_OK;
}

/* ---- parts: a program of a process, and threads of it with one name ---- */

static uint64_t tasks_part_hash(const struct pd_proc *proc)
{
	return as_hash_mix(proc->pid, proc->image);
}

static bool tasks_find_part(const struct as_pd *pd, const struct pd_proc *proc,
	const struct pd_thread *thread, enum as_off_state state, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&pd->parts, tasks_part_hash(proc), &at, row)) {
		const struct pd_part *p = &pd->part.p[*row];

		if (pd->rd->out->keep_moments && p->tid != thread->tid)
			continue;
		if (p->pid == proc->pid && p->image == proc->image && p->cgroup == thread->cgroup &&
			p->state == state && as_slice_eq(p->name, thread->name))
			return true;
	}
	return false;
}

static enum as_code tasks_label(
	struct as_pd *pd, const struct pd_proc *proc, const struct pd_part *one, uint32_t part)
{
	struct as_slice path = pd->cgroup.p[one->cgroup].path;
	const char *state = as_off_state_name(one->state);
	const struct as_slice value[] = {proc->name, as_perf_group_unit(path),
		as_perf_group_container(path), as_slice_of(state ? state : "")};
	static const char *const key[] = {"process", "unit", "container", AS_STATE};

	return as_build_part_texts(pd->rd->out, part, key, value, AS_ARRAY_LEN(key));
}

static enum as_code tasks_add_part(struct as_pd *pd, struct pd_proc *proc,
	const struct pd_thread *thread, enum as_off_state state)
{
	struct pd_part one = {
		proc->pid, proc->image, thread->tid, thread->cgroup, state, thread->name};
	struct as_build *b = pd->rd->out;
	struct as_part *part;
	uint32_t row;

	AS_TRY(as_rd_part(pd->rd, "perfdata", &row));
	as_assert(row == pd->part.n); /* so a row is of both */
	AS_TRY(as_build_part_all_events(b, row));
	part = &b->prof->part.p[row];
	AS_TRY(as_build_str(b, proc->name, &part->command));
	AS_TRY(as_build_str(b, thread->name, &part->thread));
	AS_TRY(as_build_str(b, pd->creator, &part->creator));
	part->pid = proc->pid;
	part->tid = thread->tid;
	part->has_pid = part->has_tid = proc->pid != UINT32_MAX;
	AS_TRY(tasks_label(pd, proc, &one, row));
	if (proc->part == PD_NONE)
		proc->part = row;
	return as_err_memory(pd->rd->err, as_index_add(&pd->parts, tasks_part_hash(proc), row) &&
						  as_vec_push(pd->al, &pd->part, one));
}

enum as_code as_pd_state_part(
	struct as_pd *pd, uint32_t row, enum as_off_state state, uint32_t *part)
{
	const struct pd_thread *thread = &pd->thread.p[row];
	struct pd_proc *proc = &pd->proc.p[thread->proc];

	as_assert(row < pd->thread.n);
	if (!tasks_find_part(pd, proc, thread, state, part)) {
		*part = (uint32_t)pd->part.n;
		return tasks_add_part(pd, proc, thread, state);
	}
	if (pd->part.p[*part].tid != thread->tid)
		pd->rd->out->prof->part.p[*part].has_tid = false; /* of several threads */
	return AS_OK;
}

enum as_code as_pd_set_part(struct as_pd *pd, uint32_t row, uint32_t cgroup)
{
	struct pd_thread *thread = &pd->thread.p[row];
	uint32_t image = pd->proc.p[thread->proc].image;

	as_assert(row < pd->thread.n);
	if (thread->part != PD_NONE && thread->image == image && thread->cgroup == cgroup)
		return AS_OK;
	thread->cgroup = cgroup;
	AS_TRY(as_pd_state_part(pd, row, AS_OFF_RUNS, &thread->part));
	thread->image = image;
	return AS_OK;
}
