/* SPDX-License-Identifier: Apache-2.0 */
/* A sample: its part, its path and its weight. */
#include <linux/perf_event.h>

#include "perf/perf_group.h"
#include "record/perf_when.h"

#define KERNEL_START (UINT64_C(1) << 63)
#define NO_TID UINT32_MAX /* of a thread that has gone so far that it has no number */

/* ---- the part: a program of a process, and a thread of it; of a machine all threads with one
 * name, unless it matters when they ran ---- */

static uint64_t hash_part(const struct as_perf_proc *proc)
{
	return as_hash_mix(proc->pid, proc->image);
}

static bool perf_sample_find_part(const struct as_perf_track *t, const struct as_perf_proc *proc,
	const struct as_perf_thread *thread, enum as_off_state state, uint32_t *row)
{
	const struct as_profile *prof = t->out->prof;
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&t->parts, hash_part(proc), &at, row)) {
		const struct as_perf_part *p = &t->part.p[*row];

		if ((t->out->keep_moments || !t->machine) && p->tid != thread->tid)
			continue;
		if (p->pid == proc->pid && p->image == proc->image && p->cgroup == thread->cgroup &&
			p->state == state &&
			as_slice_eq(as_str_get(prof, prof->part.p[*row].thread), thread->name))
			return true;
	}
	return false;
}

void as_perf_leave_out(struct as_perf_track *t, struct as_perf_proc *proc)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	proc->sampled = true;
	while (as_index_find(&t->parts, hash_part(proc), &at, &row)) {
		struct as_perf_part *p = &t->part.p[row];

		p->left_out |= p->pid == proc->pid && p->image == proc->image;
	}
}

/* Of a machine whose it is; of all why it does not run. */
static enum as_code perf_sample_label(struct as_perf_track *t, const struct as_perf_proc *proc,
	const struct as_perf_part *one, uint32_t part)
{
	const struct as_slice none = {NULL, 0};
	struct as_slice path = t->machine ? t->cgroup.p[one->cgroup].path : none;
	const char *state = as_off_state_name(one->state);
	const struct as_slice value[] = {t->machine ? proc->program : none,
		t->machine ? proc->label : none, as_perf_group_unit(path),
		as_perf_group_container(path), state ? as_slice_of(state) : none};
	static const char *const key[] = {"process", "label", "unit", "container", AS_STATE};

	as_assert(one->cgroup < t->cgroup.n);
	return as_build_part_texts(t->out, part, key, value, AS_ARRAY_LEN(key));
}

enum as_code as_perf_part_events(struct as_perf_track *t, uint32_t part)
{
	uint32_t event[AS_PERF_EVENTS_MAX + 1], n = t->columns ? t->columns->n : 1;

	for (uint32_t i = 0; i < n; i++)
		event[i] = t->event + i;
	if (t->switches)
		event[n++] = t->off_event;
	return as_build_part_events(t->out, part, event, n);
}

static enum as_code perf_sample_add_part(struct as_perf_track *t, struct as_perf_proc *proc,
	const struct as_perf_thread *thread, enum as_off_state state)
{
	struct as_perf_part one = {.pid = proc->pid,
		.image = proc->image,
		.tid = thread->tid,
		.cgroup = thread->cgroup,
		.state = state};
	struct as_part *part;
	uint32_t row;

	if (!t->no_commands)
		AS_TRY(as_perf_ask_command(t, proc));
	AS_TRY(as_build_part(t->out, &row));
	AS_TRY(as_perf_part_events(t, row));
	as_assert(row == t->part.n); /* so a row is of both */
	part = &t->out->prof->part.p[row];
	if (!t->no_commands)
		AS_TRY(as_build_str(t->out, proc->command, &part->command));
	AS_TRY(as_build_str(t->out, thread->name, &part->thread));
	AS_TRY(as_build_str(t->out, as_slice_of("assay"), &part->creator));
	part->pid = proc->pid;
	part->tid = thread->tid;
	part->has_pid = true;
	part->has_tid = thread->tid != NO_TID;
	AS_TRY(perf_sample_label(t, proc, &one, row));
	if (proc->part == AS_PERF_NO_PART) {
		proc->part = row;
		proc->first_map = t->out->prof->map.n;
	}
	if (!as_index_add(&t->parts, hash_part(proc), (uint32_t)t->part.n) ||
		!as_vec_push(t->al, &t->part, one))
		return as_err_no_memory(t->err);
	return AS_OK;
}

enum as_code as_perf_state_part(
	struct as_perf_track *t, uint32_t row, enum as_off_state state, uint32_t *part)
{
	const struct as_perf_thread *thread = &t->thread.p[row];
	struct as_perf_proc *proc = &t->proc.p[thread->proc];

	as_assert(row < t->thread.n);
	if (!perf_sample_find_part(t, proc, thread, state, part)) {
		*part = (uint32_t)t->part.n;
		return perf_sample_add_part(t, proc, thread, state);
	}
	if (t->part.p[*part].tid != thread->tid)
		t->out->prof->part.p[*part].has_tid = false; /* of several threads */
	return AS_OK;
}

static enum as_code set_part(struct as_perf_track *t, uint32_t row, uint32_t cgroup)
{
	struct as_perf_thread *thread = &t->thread.p[row];
	uint32_t image = t->proc.p[thread->proc].image;

	as_assert(row < t->thread.n);
	if (thread->part != AS_PERF_NO_PART && thread->image == image && thread->cgroup == cgroup)
		return AS_OK;
	thread->cgroup = cgroup;
	AS_TRY(as_perf_state_part(t, row, AS_OFF_RUNS, &thread->part));
	thread->image = image;
	return AS_OK;
}

/* ---- the path ---- */

/* The kernel's part of its call chain, which comes first. */
static void take_kernel(struct as_perf_track *t, struct as_slice chain)
{
	size_t n = chain.len / 8;

	if ((!t->machine && !t->kernel_frames) || !n ||
		as_perf_word(chain, 0) != (uint64_t)PERF_CONTEXT_KERNEL)
		return;
	for (size_t i = 1; i < n && t->n_kernel < AS_PERF_KERNEL_FRAMES; i++) {
		uint64_t pc = as_perf_word(chain, i);

		if (pc >= (uint64_t)PERF_CONTEXT_MAX)
			return;
		t->kernel[t->n_kernel] = pc - (t->n_kernel > 0);
		t->n_kernel++;
	}
}

/* The user's part of the kernel's call chain; marks stand where another part begins. */
static void take_chain(struct as_slice chain, struct as_frames *frames)
{
	bool user = false;

	frames->n = 0;
	frames->cut = frames->broken = false;
	for (size_t i = 0; i < chain.len / 8; i++) {
		uint64_t pc = as_perf_word(chain, i);

		if (pc >= (uint64_t)PERF_CONTEXT_MAX) {
			user = pc == (uint64_t)PERF_CONTEXT_USER;
			continue;
		}
		if (!user || pc == 0)
			continue;
		if (frames->n == AS_FRAMES_MAX) {
			frames->cut = true;
			return;
		}
		frames->pc[frames->n] = pc - (frames->n > 0);
		frames->n++;
	}
	frames->cut = frames->n >= PERF_MAX_STACK_DEPTH;
}

static enum as_code need_kernel(struct as_perf_track *t)
{
	const struct as_slice none = {NULL, 0};

	if (t->kernel_object.i)
		return AS_OK;
	AS_TRY(as_build_object(t->out, as_slice_of("[kernel.kallsyms]"), none, &t->kernel_object));
	t->out->prof->object.p[t->kernel_object.i].addr_kind = AS_ADDR_ABSOLUTE;
	return AS_OK;
}

/* The kernel's addresses are the same in all processes: the upper half. */
static enum as_code list_kernel(struct as_perf_track *t, struct as_perf_proc *proc)
{
	struct as_map map = {.start = KERNEL_START,
		.limit = UINT64_MAX,
		.offset = KERNEL_START,
		.part = proc->part,
		.exec = true};

	AS_TRY(need_kernel(t));
	if (proc->kernel_part == proc->part)
		return AS_OK;
	proc->kernel_part = proc->part;
	map.object = t->kernel_object;
	return as_build_map(t->out, &map);
}

static enum as_code push_kernel(struct as_perf_track *t, struct as_perf_proc *proc, as_node *node)
{
	as_place place;

	AS_TRY(list_kernel(t, proc));
	for (uint32_t i = t->n_kernel; i-- > 0;) {
		AS_TRY(as_perf_place_kernel(t, t->kernel[i], &place));
		AS_TRY(as_build_push(t->out, *node, place, node));
	}
	return AS_OK;
}

/* New mappings are added; those that are gone make it begin anew. */
static bool refresh_unwinder(struct as_perf_track *t, struct as_perf_proc *proc)
{
	bool anew = !proc->unwind || proc->replaced || as_unwind_is_stale(proc->unwind);

	if (anew) {
		as_unwind_free(proc->unwind);
		proc->unwind = as_unwind_new(t->al, t->tables, proc->pid);
	}
	if (!proc->unwind)
		return false;
	for (size_t i = 0; i < proc->map.n; i++) {
		struct as_perf_mapping *m = &proc->map.p[i];

		if ((anew || !m->reported) &&
			(as_path_is_file(m->range.path) || as_slice_is(m->range.path, "[vdso]")) &&
			!as_unwind_maps_add(proc->unwind, &m->range, t->image.p[m->image].id))
			return false;
		m->reported = true;
	}
	as_unwind_maps_end(proc->unwind);
	proc->changed = proc->replaced = false;
	return true;
}

static enum as_code unwind_copy(
	struct as_perf_track *t, struct as_perf_proc *proc, const struct as_perf_rec *rec)
{
	struct as_stack stack;

	t->frames.n = 0;
	t->frames.cut = t->frames.broken = false;
	if (!as_stack_of(rec, t->layout, &stack))
		return AS_OK;
	if (!t->tables)
		t->tables = as_unwind_tables_new(t->al);
	if (!t->tables || ((!proc->unwind || proc->changed || as_unwind_is_stale(proc->unwind)) &&
				  !refresh_unwinder(t, proc)))
		return as_err_no_memory(t->err);
	as_unwind_stack(proc->unwind, &stack, &t->frames);
	return AS_OK;
}

static enum as_code push_pseudo(struct as_perf_track *t, enum as_perf_pseudo which, as_node *node)
{
	as_place place;

	AS_TRY(as_perf_track_pseudo(t, which, &place));
	return as_build_push(t->out, *node, place, node);
}

/* Where no code is there is no caller: the stack was not what it was taken for. */
static void break_off(struct as_perf_track *t, const struct as_perf_proc *proc)
{
	const struct as_perf_mapping *m = NULL;
	struct as_frames *f = &t->frames;

	for (uint32_t i = 1; i < f->n && proc->map.n; i++) {
		m = as_perf_map_near(proc, m, f->pc[i]);
		if (m)
			continue;
		f->n = i;
		f->cut = false;
		f->broken = true;
	}
}

/* Whoever makes code may tell its names; who can be asked only while the process runs. */
static void perf_sample_note_made(
	struct as_perf_track *t, struct as_perf_proc *proc, const struct as_perf_mapping *m)
{
	if (!m || proc->made || t->n_made == AS_PERF_MADE_MAX || as_path_is_file(m->range.path) ||
		as_slice_is(m->range.path, "[vdso]"))
		return;
	proc->made = true;
	t->made[t->n_made++] = proc->pid;
}

static enum as_code push_frames(struct as_perf_track *t, struct as_perf_proc *proc, as_node *node)
{
	const struct as_perf_mapping *m = NULL;
	bool flat = t->n_kernel && t->layout->sample_type & PERF_SAMPLE_IP;
	as_place place;

	as_assert(t->frames.n <= AS_FRAMES_MAX && t->n_kernel <= AS_PERF_KERNEL_FRAMES);
	node->i = 0;
	t->cut += t->frames.cut;
	t->broken += t->frames.broken && !t->frames.cut;
	if (t->frames.cut || t->frames.broken)
		AS_TRY(push_pseudo(t, AS_PSEUDO_TRUNCATED, node));
	for (uint32_t i = t->frames.n; i-- > 0;) {
		m = as_perf_map_near(proc, m, t->frames.pc[i]);
		perf_sample_note_made(t, proc, m);
		AS_TRY(as_perf_place_user(t, m, t->frames.pc[i], &place));
		AS_TRY(as_build_push(t->out, *node, place, node));
	}
	/* without a user's part it was in the kernel and had none any more, or never had one */
	if (!flat && (t->n_kernel || !t->frames.n))
		AS_TRY(push_pseudo(t, AS_PSEUDO_KERNEL, node));
	return t->n_kernel ? push_kernel(t, proc, node) : AS_OK;
}

/* Samples of a stack that had one before are counted there: memory grows with stacks, not with
 * time. */
static enum as_code need_sample(
	struct as_perf_track *t, const struct as_perf_sample *like, uint32_t *row)
{
	uint64_t hash =
		as_hash_mix(as_hash_mix(like->node.i, like->part), like->life + like->column);
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&t->samples, hash, &at, row)) {
		const struct as_perf_sample *s = &t->sample.p[*row];

		if (s->node.i == like->node.i && s->part == like->part && s->life == like->life &&
			s->column == like->column)
			return AS_OK;
	}
	*row = (uint32_t)t->sample.n;
	return as_err_memory(t->err,
		as_vec_push(t->al, &t->sample, *like) && as_index_add(&t->samples, hash, *row));
}

/* Those that will be left out have a share in what is counted, too. */
static enum as_code count_sample(struct as_perf_track *t, const struct as_perf_rec *rec,
	const struct as_perf_sample *like, uint64_t count)
{
	uint32_t row;

	as_assert(like->life < t->life.n);
	as_assert(like->part == AS_PERF_NO_PART || like->part < t->part.n);
	AS_TRY(need_sample(t, like, &row));
	t->sample.p[row].n++;
	t->sample.p[row].count += count;
	t->life.p[like->life].n_samples++;
	t->n_samples++;
	t->tally[like->column].samples++;
	return as_perf_when_note(t, row, rec->time, count);
}

/* Which event it is of, and how much of that it stands for; false: nobody knows. */
static bool sample_column(const struct as_perf_track *t, const struct as_perf_rec *rec,
	uint32_t *column, uint64_t *count)
{
	*column = 0;
	*count = rec->count;
	if (!t->columns)
		return true;
	if (t->columns->n > 1 && !as_perf_columns_find(t->columns, rec->id, column))
		return false;
	if (t->columns->row[*column].period)
		*count = 1;
	return true;
}

static enum as_code take_stack(
	struct as_perf_track *t, struct as_perf_proc *proc, const struct as_perf_rec *rec)
{
	take_kernel(t, rec->chain);
	if (t->copies)
		AS_TRY(unwind_copy(t, proc, rec));
	else
		take_chain(rec->chain, &t->frames);
	break_off(t, proc);
	/* Call chains by frame pointers end without a word where code has none: nothing that runs
	 * for a sample is where its thread began. */
	t->frames.broken |= !t->copies && t->frames.n == 1;
	return AS_OK;
}

/* Flat: the interrupted instruction alone. */
static void take_instruction(struct as_perf_track *t, uint64_t pc)
{
	bool kernel = pc >= KERNEL_START;

	t->frames.cut = t->frames.broken = false;
	t->frames.n = !kernel;
	t->n_kernel = kernel;
	if (kernel)
		t->kernel[0] = pc;
	else
		t->frames.pc[0] = pc;
}

/* Whether nothing is mapped where the sample is. */
static bool is_unknown(const struct as_perf_track *t, const struct as_perf_proc *proc)
{
	return t->machine && !t->n_kernel && t->frames.n &&
	       !as_perf_map_find(proc, t->frames.pc[0]);
}

enum as_code as_perf_take_sample(
	struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t row, uint32_t cgroup)
{
	struct as_perf_thread *thread = &t->thread.p[row];
	struct as_perf_proc *proc = &t->proc.p[thread->proc];
	struct as_perf_sample like = {.part = AS_PERF_NO_PART, .life = thread->life};
	uint64_t count;

	as_assert(row < t->thread.n && thread->proc < t->proc.n);
	if (!sample_column(t, rec, &like.column, &count)) {
		t->damaged++;
		return AS_OK;
	}
	if (proc->sampled)
		return count_sample(t, rec, &like, count);
	AS_TRY(set_part(t, row, cgroup));
	like.part = thread->part;
	t->n_kernel = 0;
	if (t->layout->sample_type & PERF_SAMPLE_IP) {
		take_instruction(t, rec->ip);
	} else {
		AS_TRY(as_perf_map_list(t, proc));
		AS_TRY(take_stack(t, proc, rec));
	}
	t->unknown += is_unknown(t, proc);
	t->tally[like.column].unknown += is_unknown(t, proc);
	AS_TRY(push_frames(t, proc, &like.node));
	return count_sample(t, rec, &like, count);
}

/* The stack is kept until the record that says when it left. */
enum as_code as_perf_take_leave(
	struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t row, uint32_t cgroup)
{
	struct as_perf_proc *proc = &t->proc.p[t->thread.p[row].proc];
	uint64_t cut = t->cut, broken = t->broken;
	as_node node;

	as_assert(row < t->thread.n);
	if (proc->sampled)
		return AS_OK;
	AS_TRY(set_part(t, row, cgroup));
	t->n_kernel = 0;
	AS_TRY(as_perf_map_list(t, proc));
	AS_TRY(take_stack(t, proc, rec));
	AS_TRY(push_frames(t, proc, &node));
	t->cut = cut; /* those are of samples of CPU time */
	t->broken = broken;
	return as_err_memory(t->err, as_off_stack(&t->switches->off, rec->tid, node.i));
}
