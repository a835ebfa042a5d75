/* SPDX-License-Identifier: Apache-2.0 */
/* How a process was started, and what its program is called. */
#include "record/perf_proc.h"
#include "record/perf_track.h"

enum { NAME_CUT = 15 /* the bytes of a name that the kernel keeps */ };

/* "nginx" of "/usr/sbin/nginx -g daemon", and of what some call themselves, "nginx: worker
 * process"; "bash" of "-bash". */
static struct as_slice perf_command_program(struct as_slice command)
{
	struct as_slice word = {NULL, 0};

	(void)as_slice_word(&command, &word);
	word = as_slice_skip(word, as_slice_up_to_last(word, '/'));
	if (word.len > 1 && word.p[word.len - 1] == ':')
		word.len--;
	return word.len > 1 && word.p[0] == '-' ? as_slice_skip(word, 1) : word;
}

static bool perf_command_is_cut(struct as_slice name, struct as_slice comm)
{
	name.len = name.len > NAME_CUT ? NAME_CUT : name.len;
	return as_slice_eq(name, comm);
}

/* A script is called as its file is, its command begins with who reads it: "sh -e /bin/tool". */
static bool perf_command_is_script(struct as_slice command, struct as_slice comm)
{
	struct as_slice word = {NULL, 0};

	if (!comm.len || perf_command_is_cut(perf_command_program(command), comm))
		return false;
	(void)as_slice_word(&command, &word);
	for (unsigned i = 0; i < 2 && as_slice_word(&command, &word); i++)
		if (perf_command_is_cut(as_slice_skip(word, as_slice_up_to_last(word, '/')), comm))
			return true;
	return false;
}

static enum as_code perf_command_keep(
	struct as_perf_track *t, struct as_perf_proc *proc, struct as_slice command)
{
	proc->command = as_arena_dup(&t->arena, command);
	return proc->command.p ? AS_OK : as_err_no_memory(t->err);
}

enum as_code as_perf_command(struct as_perf_track *t, struct as_perf_proc *proc,
	struct as_slice command, struct as_slice comm)
{
	AS_TRY(perf_command_keep(t, proc, command));
	proc->program = perf_command_program(proc->command);
	if (!perf_command_is_script(command, comm))
		return AS_OK;
	proc->program = as_arena_dup(&t->arena, comm);
	return proc->program.p ? AS_OK : as_err_no_memory(t->err);
}

/* Where nobody says how it was started, as of a thread of the kernel, it is called NAME. */
enum as_code as_perf_called(
	struct as_perf_track *t, struct as_perf_proc *proc, struct as_slice name)
{
	AS_TRY(perf_command_keep(t, proc, name));
	proc->program = proc->command;
	return AS_OK;
}

/* What runs under the number may be another program by now: its name tells. What this one is called
 * was told when it began, and stays. */
enum as_code as_perf_ask_command(struct as_perf_track *t, struct as_perf_proc *proc)
{
	char text[AS_PROC_TEXT_MAX], name[AS_PROC_TEXT_MAX];
	struct as_slice command;
	uint32_t row;

	if (!proc->unasked)
		return AS_OK;
	proc->unasked = false;
	command = as_proc_command(proc->pid, text);
	if (!command.len || !as_perf_find_thread(t, proc->pid, &row) ||
		!as_slice_eq(as_proc_comm(proc->pid, proc->pid, name), t->thread.p[row].name))
		return AS_OK;
	return perf_command_keep(t, proc, command);
}

/* The kernel cuts a name; the first file that is mapped after an exec is the program. */
enum as_code as_perf_whole_name(
	struct as_perf_track *t, struct as_perf_proc *proc, struct as_slice path)
{
	struct as_slice name = as_slice_skip(path, as_slice_up_to_last(path, '/'));

	if (proc->map.n || proc->program.len != NAME_CUT || !as_path_is_file(path) ||
		name.len <= NAME_CUT ||
		!as_slice_eq((struct as_slice){name.p, NAME_CUT}, proc->program))
		return AS_OK;
	proc->program = as_arena_dup(&t->arena, name);
	AS_TRY(as_err_memory(t->err, proc->program.p));
	return proc->unasked ? perf_command_keep(t, proc, name) : AS_OK;
}
