/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_track.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>

#include "record/perf_ids.h"
#include "record/perf_proc.h"
#include "record/perf_when.h"

#define LOST_MAX (UINT64_C(1) << 48)

enum as_code as_perf_track_init(
	struct as_perf_track *t, struct as_build *out, const struct as_perf_layout *layout)
{
	struct as_perf_cgroup no_group = {0};
	struct as_perf_life living = {0};

	memset(t, 0, sizeof(*t));
	t->out = out;
	t->al = out->prof->al;
	t->err = out->err;
	t->layout = layout;
	t->until = UINT64_MAX;
	as_arena_init(&t->arena, t->al);
	as_arena_init(&t->cgroup_arena, t->al);
	as_index_init(&t->procs, t->al);
	as_index_init(&t->threads, t->al);
	as_index_init(&t->samples, t->al);
	as_index_init(&t->parts, t->al);
	as_index_init(&t->images, t->al);
	if (!as_perf_places_init(t) || !as_vec_push(t->al, &t->life, living) ||
		!as_vec_push(t->al, &t->cgroup, no_group))
		return as_err_no_memory(t->err);
	return AS_OK;
}

void as_perf_track_release(struct as_perf_track *t)
{
	for (size_t i = 0; i < t->proc.n; i++) {
		as_unwind_free(t->proc.p[i].unwind);
		as_vec_free(t->al, &t->proc.p[i].map);
	}
	as_unwind_tables_free(t->tables);
	as_perf_places_release(t);
	as_vec_free(t->al, &t->proc);
	as_vec_free(t->al, &t->thread);
	as_vec_free(t->al, &t->life);
	as_vec_free(t->al, &t->when);
	as_vec_free(t->al, &t->sample);
	as_vec_free(t->al, &t->part);
	as_vec_free(t->al, &t->ended);
	as_index_release(&t->procs);
	as_index_release(&t->threads);
	as_index_release(&t->samples);
	as_index_release(&t->parts);
	as_index_release(&t->images);
	as_vec_free(t->al, &t->image);
	as_vec_free(t->al, &t->cgroup);
	as_arena_release(&t->cgroup_arena);
	as_arena_release(&t->arena);
}

/* ---- processes and threads ---- */

static bool find_proc(const struct as_perf_track *t, uint32_t pid, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&t->procs, as_perf_hash_id(pid), &at, row))
		if (t->proc.p[*row].pid == pid)
			return true;
	return false;
}

bool as_perf_find_thread(const struct as_perf_track *t, uint32_t tid, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&t->threads, as_perf_hash_id(tid), &at, row))
		if (t->thread.p[*row].tid == tid)
			return true;
	return false;
}

static enum as_code add_proc(struct as_perf_track *t, uint32_t pid, uint32_t *row)
{
	struct as_perf_proc proc = {
		.pid = pid, .part = AS_PERF_NO_PART, .kernel_part = AS_PERF_NO_PART};

	proc.image = ++t->n_images;
	*row = (uint32_t)t->proc.n;
	return as_err_memory(t->err, as_vec_push(t->al, &t->proc, proc) &&
					     as_index_add(&t->procs, as_perf_hash_id(pid), *row));
}

static enum as_code set_name(
	struct as_perf_track *t, struct as_perf_thread *thread, struct as_slice name)
{
	if (as_slice_eq(thread->name, name))
		return AS_OK;
	thread->name = as_arena_dup(&t->arena, name);
	thread->part = AS_PERF_NO_PART;
	return thread->name.p ? AS_OK : as_err_no_memory(t->err);
}

static enum as_code begin_life(struct as_perf_track *t, struct as_perf_thread *thread)
{
	struct as_perf_life life = {0};

	if (t->machine) /* nobody asks how long a thread ran, and they are many */
		return AS_OK;
	thread->life = (uint32_t)t->life.n;
	return as_vec_push(t->al, &t->life, life) ? AS_OK : as_err_no_memory(t->err);
}

/* Its number was another's, whose end may have been lost. */
static enum as_code begin_again(
	struct as_perf_track *t, uint32_t proc, struct as_perf_thread *thread)
{
	as_assert(proc < t->proc.n && thread->proc < t->proc.n);
	if (!thread->ended && t->proc.p[thread->proc].n_threads)
		t->proc.p[thread->proc].n_threads--;
	t->n_ended -= thread->ended;
	thread->ended = false;
	t->proc.p[proc].n_threads++;
	return begin_life(t, thread);
}

static enum as_code add_thread(struct as_perf_track *t, uint32_t proc, uint32_t tid, uint32_t *row)
{
	struct as_perf_thread thread = {.tid = tid, .proc = proc, .part = AS_PERF_NO_PART};

	as_assert(proc < t->proc.n);
	AS_TRY(begin_life(t, &thread));
	t->proc.p[proc].n_threads++;
	*row = (uint32_t)t->thread.n;
	return as_err_memory(t->err, as_vec_push(t->al, &t->thread, thread) &&
					     as_index_add(&t->threads, as_perf_hash_id(tid), *row));
}

/* ---- what runs already ---- */

struct listing {
	struct as_perf_track *t;
	uint32_t proc;
	enum as_code rc;
};

/* A file that was replaced keeps its path if its build id tells it from the one there now. Else it
 * has the name that the kernel gives it, which leads to no file. */
static void take_mapping(void *ctx, const struct as_perf_range *range)
{
	struct listing *l = ctx;
	struct as_perf_proc *proc = &l->t->proc.p[l->proc];
	char path[4096 + 16], text[AS_BUILD_ID_TEXT];
	struct as_slice id = {NULL, 0};
	struct as_perf_range r = *range;

	if (as_path_is_file(range->path) && range->path.len < 4096) {
		int n = snprintf(path, sizeof(path), "%.*s", (int)range->path.len, range->path.p);

		r.path = (struct as_slice){path, (size_t)n};
		id = as_known_id(l->t->ids, proc->pid, &r, text);
		if (r.deleted && !id.len) {
			n = snprintf(path + n, sizeof(path) - (size_t)n, " (deleted)");
			r.path.len += (size_t)n;
		}
	}
	if (l->rc == AS_OK)
		l->rc = as_perf_map_add(l->t, proc, &r, id);
}

static enum as_code read_mappings(struct as_perf_track *t, uint32_t proc)
{
	struct listing l = {t, proc, AS_OK};

	as_assert(proc < t->proc.n);
	as_proc_maps(t->proc.p[proc].pid, take_mapping, &l);
	return l.rc;
}

/* What processors do when there is nothing to do stands nowhere in /proc. */
static struct as_slice track_comm(uint32_t pid, uint32_t tid, char text[AS_PROC_TEXT_MAX])
{
	return pid ? as_proc_comm(pid, tid, text) : as_slice_of("swapper");
}

enum as_code as_perf_track_process(struct as_perf_track *t, uint32_t pid)
{
	char text[AS_PROC_TEXT_MAX], name[AS_PROC_TEXT_MAX];
	struct as_slice command, comm;
	uint32_t row;

	if (!find_proc(t, pid, &row))
		AS_TRY(add_proc(t, pid, &row));
	AS_TRY(read_mappings(t, row));
	command = as_proc_command(pid, text);
	comm = track_comm(pid, pid, name);
	return command.len ? as_perf_command(t, &t->proc.p[row], command, comm)
			   : as_perf_called(t, &t->proc.p[row], comm);
}

enum as_code as_perf_track_start(struct as_perf_track *t, uint32_t pid, struct as_slice command)
{
	uint32_t row;

	AS_TRY(add_proc(t, pid, &row));
	t->proc.p[row].starting = true;
	return as_perf_command(t, &t->proc.p[row], command, (struct as_slice){NULL, 0});
}

/* A process that no record spoke of: it is looked for among those that run. */
static enum as_code need_proc(struct as_perf_track *t, uint32_t pid, uint32_t *row)
{
	if (find_proc(t, pid, row))
		return AS_OK;
	AS_TRY(as_perf_track_process(t, pid));
	return find_proc(t, pid, row) ? AS_OK : as_err_no_memory(t->err);
}

enum as_code as_perf_track_thread(
	struct as_perf_track *t, uint32_t pid, uint32_t tid, struct as_slice name)
{
	char text[AS_PROC_TEXT_MAX];
	uint32_t proc, row;

	AS_TRY(need_proc(t, pid, &proc));
	if (!t->proc.p[proc].n_threads && !t->proc.p[proc].map.n && !t->proc.p[proc].starting)
		AS_TRY(read_mappings(t, proc)); /* it was taken for one that had ended */
	if (!as_perf_find_thread(t, tid, &row))
		AS_TRY(add_thread(t, proc, tid, &row));
	else if (t->thread.p[row].proc != proc)
		AS_TRY(begin_again(t, proc, &t->thread.p[row]));
	if (!name.len)
		name = track_comm(pid, tid, text);
	t->thread.p[row].proc = proc;
	t->thread.p[row].part = AS_PERF_NO_PART;
	return set_name(t, &t->thread.p[row], name);
}

bool as_perf_track_knows(const struct as_perf_track *t, uint32_t tid)
{
	uint32_t row;

	return as_perf_find_thread(t, tid, &row);
}

static enum as_code need_thread(
	struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t *row)
{
	struct as_slice none = {NULL, 0};

	if (as_perf_find_thread(t, rec->tid, row) &&
		t->proc.p[t->thread.p[*row].proc].pid == rec->pid)
		return AS_OK;
	AS_TRY(as_perf_track_thread(t, rec->pid, rec->tid, none));
	return as_perf_find_thread(t, rec->tid, row) ? AS_OK : as_err_no_memory(t->err);
}

/* ---- records ---- */

static enum as_code copy_mappings(struct as_perf_track *t, uint32_t from, uint32_t to)
{
	struct as_perf_proc *child = &t->proc.p[to];
	const struct as_perf_proc *parent = &t->proc.p[from];

	as_assert(from < t->proc.n && to < t->proc.n && from != to);
	AS_TRY(as_err_memory(t->err, as_perf_space_copy(t->al, &child->map, &parent->map)));
	child->command = parent->command;
	child->program = parent->program;
	child->label = parent->label;
	child->starting = parent->starting;
	child->unasked = parent->unasked;
	child->sampled = parent->sampled;
	child->changed = child->replaced = true;
	child->listed = child->made = false;
	return AS_OK;
}

/* A new process, or one with the number of another that is gone. */
static enum as_code fork_process(
	struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t *row)
{
	uint32_t parent;

	AS_TRY(need_proc(t, rec->ppid, &parent));
	if (!find_proc(t, rec->pid, row))
		AS_TRY(add_proc(t, rec->pid, row));
	else
		t->proc.p[*row].image = ++t->n_images;
	t->proc.p[*row].part = AS_PERF_NO_PART;
	t->proc.p[*row].foreign = false;
	/* A parent that had ended when those that run were listed has nothing to give. */
	if (!t->proc.p[parent].map.n && t->proc.p[*row].map.n)
		return AS_OK;
	return copy_mappings(t, parent, *row);
}

static enum as_code take_fork(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	struct as_slice name = {NULL, 0};
	uint32_t proc, row, parent;

	if (rec->pid != rec->ppid)
		AS_TRY(fork_process(t, rec, &proc));
	else
		AS_TRY(need_proc(t, rec->pid, &proc));
	if (as_perf_find_thread(t, rec->ptid, &parent))
		name = t->thread.p[parent].name;
	if (!as_perf_find_thread(t, rec->tid, &row))
		AS_TRY(add_thread(t, proc, rec->tid, &row));
	else
		AS_TRY(begin_again(t, proc, &t->thread.p[row]));
	t->thread.p[row].proc = proc;
	t->thread.p[row].part = AS_PERF_NO_PART;
	return set_name(t, &t->thread.p[row], name);
}

static enum as_code take_comm(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	struct as_perf_proc *proc;
	uint32_t row;

	AS_TRY(need_thread(t, rec, &row));
	AS_TRY(set_name(t, &t->thread.p[row], rec->text));
	if (!(rec->misc & PERF_RECORD_MISC_COMM_EXEC))
		return AS_OK;
	proc = &t->proc.p[t->thread.p[row].proc];
	proc->map.n = 0;
	proc->changed = proc->replaced = true;
	proc->sampled = proc->made = false;
	if (proc->part != AS_PERF_NO_PART)
		proc->image = ++t->n_images;
	proc->part = AS_PERF_NO_PART;
	t->thread.p[row].part = AS_PERF_NO_PART;
	if (proc->starting) {
		proc->starting = false;
		return AS_OK;
	}
	proc->unasked = true;
	return as_perf_called(t, proc, rec->text);
}

static enum as_code take_mmap(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	char id[2 * AS_PERF_BUILD_ID_MAX + 1];
	struct as_perf_range range = {.start = rec->addr,
		.limit = rec->addr + rec->len,
		.offset = rec->offset,
		.path = rec->text,
		.exec = true};
	uint32_t row;

	AS_TRY(need_proc(t, rec->pid, &row));
	AS_TRY(as_perf_whole_name(t, &t->proc.p[row], rec->text));
	return as_perf_map_add(
		t, &t->proc.p[row], &range, as_perf_hex_id(rec->build_id, rec->n_build_id, id));
}

bool as_perf_track_label(struct as_perf_track *t, uint32_t pid, struct as_slice name)
{
	uint32_t row;

	if (!find_proc(t, pid, &row))
		return false;
	t->proc.p[row].label = as_arena_dup(&t->arena, name);
	t->proc.p[row].image = ++t->n_images; /* from now on it is another part */
	return t->proc.p[row].label.p != NULL;
}

/* They are few: services and containers, and users' sessions. */
static uint32_t find_cgroup(const struct as_perf_track *t, uint64_t id)
{
	uint32_t i = (uint32_t)t->cgroup.n;

	while (--i > 0 && t->cgroup.p[i].id != id)
		;
	return i;
}

/* A thread stays in its group. */
static uint32_t perf_track_group_of(
	const struct as_perf_track *t, const struct as_perf_thread *thread, uint64_t id)
{
	if (!id)
		return 0;
	return t->cgroup.p[thread->cgroup].id == id ? thread->cgroup : find_cgroup(t, id);
}

enum as_code as_perf_track_cgroup(struct as_perf_track *t, uint64_t id, struct as_slice path)
{
	struct as_perf_cgroup one = {.id = id, .path = as_arena_dup(&t->cgroup_arena, path)};
	uint32_t row = find_cgroup(t, id);

	AS_TRY(as_err_memory(t->err, one.path.p));
	if (row)
		t->cgroup.p[row] = one;
	else if (!as_vec_push(t->al, &t->cgroup, one))
		return as_err_no_memory(t->err);
	return AS_OK;
}

static enum as_code note_end(struct as_perf_track *t, uint32_t cpu, uint32_t row)
{
	as_assert(row < t->thread.n);
	while (t->ended.n <= cpu)
		AS_TRY(as_err_memory(t->err, as_vec_push(t->al, &t->ended, 0)));
	t->ended.p[cpu] = row + 1;
	return AS_OK;
}

/* The last that a thread does, in the kernel, it does without a number: there it ended just now. */
static bool has_just_ended(
	const struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t *row)
{
	if (rec->tid != UINT32_MAX || rec->cpu >= t->ended.n || !t->ended.p[rec->cpu])
		return false;
	*row = t->ended.p[rec->cpu] - 1;
	return true;
}

/* A process that has ended needs no unwinder and no mappings; those that may come are many. */
static enum as_code take_exit(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	struct as_perf_proc *proc;
	uint32_t row;

	if (!as_perf_find_thread(t, rec->tid, &row) || t->thread.p[row].ended)
		return AS_OK;
	if (t->machine)
		AS_TRY(note_end(t, rec->cpu, row));
	proc = &t->proc.p[t->thread.p[row].proc];
	t->thread.p[row].ended = true;
	t->n_ended++;
	if (!proc->n_threads || --proc->n_threads)
		return AS_OK;
	if (proc->pid == t->ends)
		t->until = rec->time;
	as_unwind_free(proc->unwind);
	proc->unwind = NULL;
	as_vec_free(t->al, &proc->map);
	return AS_OK;
}

/* The thread has ended: its own count of one of its events. */
static void take_count(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	uint32_t row;

	if (!as_perf_find_thread(t, rec->tid, &row))
		return;
	as_assert(t->thread.p[row].life < t->life.n);
	t->life.p[t->thread.p[row].life].ns += rec->count;
	t->life.p[t->thread.p[row].life].counted = true;
	t->life.p[t->thread.p[row].life].end = rec->time;
}

/* No recording has so many samples: a sum of such counts would not hold them. */
static enum as_code take_lost(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	uint64_t *sum = rec->side ? &t->untold : &t->lost;
	uint32_t column = 0;

	t->look_again |= rec->side;
	if (rec->count > LOST_MAX || *sum > LOST_MAX) {
		t->damaged++;
		return AS_OK;
	}
	*sum += rec->count;
	/* records say which event was the next to have room; as_perf_put_lost() may know better */
	if (t->columns && !rec->side) {
		(void)as_perf_columns_find(t->columns, rec->id, &column);
		t->tally[column].lost += rec->count;
	}
	return rec->side ? AS_OK
			 : as_perf_when_note(t, AS_PERF_WHEN_LOST(column), rec->time, rec->count);
}

/* Whether REC is of a process that is not recorded; learns of the children of such. */
static bool perf_track_is_foreign(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	bool known, made = rec->type == PERF_RECORD_FORK && rec->pid != rec->ppid;
	uint32_t row, parent;

	if (rec->type == PERF_RECORD_LOST || rec->type == PERF_RECORD_LOST_SAMPLES ||
		rec->type == PERF_RECORD_THROTTLE)
		return false;
	known = find_proc(t, rec->pid, &row);
	if (!made)
		return !known || t->proc.p[row].foreign;
	if (find_proc(t, rec->ppid, &parent) && !t->proc.p[parent].foreign)
		return false;
	if (known)
		t->proc.p[row].foreign = true;
	return true;
}

size_t as_perf_track_living(const struct as_perf_track *t, uint32_t pid)
{
	size_t n = 0;

	for (size_t i = 0; i < t->proc.n; i++)
		n += !t->proc.p[i].foreign && t->proc.p[i].n_threads && t->proc.p[i].pid != pid;
	return n;
}

/* What changes of a thread that does not run. */
static enum as_code perf_track_ends(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	struct as_off *off = &t->switches->off;

	if (rec->type == PERF_RECORD_LOST && !rec->side)
		as_off_lost(off);
	if (rec->type != PERF_RECORD_FORK && rec->type != PERF_RECORD_EXIT)
		return AS_OK;
	return as_err_memory(t->err, as_off_end(off, rec->tid, rec->type == PERF_RECORD_FORK));
}

/* Of the thread in row THREAD. */
static enum as_code perf_track_take(
	struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t thread)
{
	uint32_t cgroup;

	if (rec->type != PERF_RECORD_SAMPLE)
		return t->switches ? as_perf_take_switch(t, rec) : AS_OK;
	cgroup = perf_track_group_of(t, &t->thread.p[thread], rec->cgroup);
	if (t->switches && as_perf_switches_has(t->switches, rec->id))
		return as_perf_take_leave(t, rec, thread, cgroup);
	return as_perf_take_sample(t, rec, thread, cgroup);
}

enum as_code as_perf_track_record(struct as_perf_track *t, const struct as_perf_rec *rec)
{
	uint32_t row;

	if (t->whole && !t->machine && perf_track_is_foreign(t, rec))
		return AS_OK;
	t->last_time = rec->time > t->last_time ? rec->time : t->last_time;
	if (t->machine)
		AS_TRY(as_perf_track_compact(t));
	if (t->switches)
		AS_TRY(perf_track_ends(t, rec));
	switch (rec->type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (rec->time < t->from || rec->time > t->until)
			return AS_OK;
		if (!has_just_ended(t, rec, &row))
			AS_TRY(need_thread(t, rec, &row));
		if (t->whole && t->proc.p[t->thread.p[row].proc].starting)
			return AS_OK; /* it is not the program yet */
		return perf_track_take(t, rec, row);
	case PERF_RECORD_MMAP2:
		return take_mmap(t, rec);
	case PERF_RECORD_COMM:
		return take_comm(t, rec);
	case PERF_RECORD_FORK:
		return take_fork(t, rec);
	case PERF_RECORD_EXIT:
		return take_exit(t, rec);
	case PERF_RECORD_READ:
		take_count(t, rec);
		return AS_OK;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return take_lost(t, rec);
	case PERF_RECORD_THROTTLE:
		t->throttled++;
		return AS_OK;
	case PERF_RECORD_KSYMBOL:
		t->kernel_changed = true;
		return AS_OK;
	case PERF_RECORD_CGROUP:
		return as_perf_track_cgroup(t, rec->cgroup, rec->text);
	default:
		return AS_OK;
	}
}
