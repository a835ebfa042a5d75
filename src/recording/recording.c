/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "recording/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "change/transform.h"
#include "record/launch.h"
#include "record/perf_why.h"
#include "record/program.h"
#include "recording/recording_beside.h"
#include "recording/recording_dumps.h"
#include "session/naming.h"

enum { EXIT_CANT_RUN = 126, EXIT_NOT_FOUND = 127 };

static const char main_file[] = "profile";

/* Where the library is, seen from the program: in the folder that it was built in, or installed. */
bool as_recording_library(char *path, size_t size)
{
	static const char *const place[] = {"../../preload/libassay-profiler.so.0",
		"../lib/x86_64-linux-gnu/libassay-profiler.so.0", "../lib64/libassay-profiler.so.0",
		"../lib/libassay-profiler.so.0"};
	char self[PATH_MAX], whole[PATH_MAX + 64], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return false;
	self[n] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < AS_ARRAY_LEN(place); i++) {
		char *real;

		snprintf(whole, sizeof(whole), "%.*s/%s", (int)(slash - self), self, place[i]);
		real = realpath(whole, NULL);
		if (!real)
			continue;
		snprintf(path, size, "%s", real);
		free(real);
		return true;
	}
	return false;
}

const char *as_recording_env(const struct as_recording *r, const char *name)
{
	size_t n = strlen(name);

	for (char *const *p = r->env; p && *p; p++)
		if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
			return *p + n + 1;
	return NULL;
}

static double rec_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum as_exit as_recording_run(struct as_recording *r, const struct as_launch *l)
{
	struct as_err err = AS_ERR_NONE;
	double start = rec_now(), used = as_recording_children();
	int pid;

	if (as_launch_start(l, &pid, &err) != AS_OK) {
		as_say_error(r->ses, err.msg, NULL);
		return (enum as_exit)EXIT_CANT_RUN;
	}
	if (as_launch_wait(pid, r->seconds > 0 ? r->delay + r->seconds : 0, &r->status, &err) !=
		AS_OK)
		return as_say_end(r->ses, AS_EXIT_INPUT, err.msg, NULL);
	r->lasted = rec_now() - start - r->delay;
	if (r->lasted < 0)
		r->lasted = 0;
	r->used = as_recording_children() - used;
	r->pid = pid;
	return AS_EXIT_OK;
}

/* The program and its words, as execve() wants them. */
char **as_recording_words(const struct as_recording *r, const char *const *before, size_t n_before)
{
	char **argv = calloc(n_before + r->n_words + 1, sizeof(*argv));
	size_t n = 0;

	for (size_t i = 0; argv && i < n_before; i++)
		argv[n++] = (char *)(uintptr_t)before[i];
	for (size_t i = 0; argv && i < r->n_words; i++)
		argv[n++] = (char *)(uintptr_t)r->word[i];
	return argv;
}

static enum as_exit not_found(struct as_recording *r, const char *name)
{
	char what[PATH_MAX + 64];
	int why = errno;

	snprintf(what, sizeof(what), "'%.2000s' can't be executed: %s", name, strerror(why));
	as_say_error(r->ses, what, NULL);
	return (enum as_exit)(why == ENOENT ? EXIT_NOT_FOUND : EXIT_CANT_RUN);
}

static const char *rec_es(size_t n)
{
	return n == 1 ? "" : "es";
}

/* Takes PROF, which may be NULL. */
static void keep_outside(struct as_recording *r, struct as_profile *prof)
{
	uint64_t each_us;

	r->outside = prof;
	if (!prof)
		return;
	as_assert(as_n_events(prof) == 1);
	each_us = 1000000 / r->hz;
	r->outside_seconds = (double)prof->total[0] * (double)each_us * 1e-6;
	as_say_note(r->ses,
		"%.2f s of CPU time in %zu process%s without the sampler: recorded "
		"from outside",
		r->outside_seconds, r->n_outside, rec_es(r->n_outside));
}

enum as_exit as_recording_no_library(const struct as_session *ses)
{
	if (access("/proc/self/exe", F_OK) != 0)
		return as_say_end(ses, AS_EXIT_UNSUPPORTED,
			"/proc is not mounted, by which the sampler is found",
			"'mount -t proc proc /proc' mounts it");
	return as_say_end(ses, AS_EXIT_UNSUPPORTED,
		"the sampler, libassay-profiler.so.0, is not installed beside assay",
		"'make install' puts it there");
}

static enum as_exit by_preload(struct as_recording *r, const struct as_program *program)
{
	char library[PATH_MAX], file[PATH_MAX + 64];
	struct as_launch l = {.program = program->path,
		.env = r->env,
		.library = library,
		.file = file,
		.hz = r->hz,
		.max_bytes = r->max_bytes,
		.begin = r->delay > 0 ? (uint64_t)((rec_now() + r->delay) * 1e9) : 0,
		.wall = r->wall,
		.timed = r->args->timeline,
		.threads = r->labelled[0] || (r->save.fmt->caps & AS_CAP(LABELS)),
		.no_sigpipe = r->no_sigpipe};
	struct as_beside *beside;
	enum as_exit rc;
	char **argv;

	if (!as_recording_library(library, sizeof(library)))
		return as_recording_no_library(r->ses);
	snprintf(file, sizeof(file), "%s/%s", r->dir.path, main_file);
	argv = as_recording_words(r, NULL, 0);
	AS_DO(as_say_memory(r->ses, argv));
	l.argv = argv;
	beside = r->delay > 0 ? NULL : as_beside_start(r, argv);
	rc = as_recording_run(r, &l);
	free(argv);
	keep_outside(r, as_beside_finish(beside, &r->n_outside));
	return rc;
}

/* The words of valgrind before those of the program. */
struct by_valgrind {
	const char *word[16 + AS_LIST_MAX];
	size_t n;
	struct as_arena text;
};

static bool rec_word(struct by_valgrind *v, struct as_slice word)
{
	if (word.p)
		v->word[v->n++] = word.p;
	return word.p != NULL;
}

static bool valgrind_words(const struct as_recording *r, struct by_valgrind *v)
{
	/* A child has its parent's counts, and another program has none of the one before: they are
	 * written, and begin at 0, before there is either. */
	static const char *const always[] = {"valgrind", "--tool=callgrind", "-q",
		"--trace-children=yes", "--dump-before=fork", "--dump-before=__libc_fork",
		"--dump-before=_Fork", "--dump-before=vfork", "--dump-before=posix_spawn",
		"--dump-before=posix_spawnp", "--dump-before=__spawni", "--dump-before=execve"};
	bool ok;

	memcpy(v->word, always, sizeof(always));
	v->n = AS_ARRAY_LEN(always);
	ok = rec_word(v, as_arena_printf(&v->text, "--callgrind-out-file=%s/callgrind.out.%%p",
				 r->dir.path));
	for (size_t i = 0; ok && i < r->args->inside.n; i++)
		ok = rec_word(
			v, as_arena_printf(&v->text, "--toggle-collect=%s", r->args->inside.p[i]));
	return ok;
}

static enum as_exit run_valgrind(
	struct as_recording *r, const struct as_program *valgrind, struct by_valgrind *v)
{
	struct as_launch l = {
		.program = valgrind->path, .env = r->env, .no_sigpipe = r->no_sigpipe};
	char **argv = valgrind_words(r, v) ? as_recording_words(r, v->word, v->n) : NULL;
	struct as_dumps *dumps;
	enum as_exit rc;

	AS_DO(as_say_memory(r->ses, argv));
	l.argv = argv;
	dumps = as_dumps_begin(r->ses->al, r->dir.path);
	rc = as_recording_run(r, &l);
	as_dumps_end(dumps);
	free(argv);
	return rc;
}

static enum as_exit by_callgrind(struct as_recording *r)
{
	struct as_program valgrind;
	struct by_valgrind v;
	enum as_exit rc;

	as_program_find(&valgrind, "valgrind", as_recording_env(r, "PATH"));
	if (valgrind.kind == AS_PROGRAM_NONE)
		return as_say_end(r->ses, AS_EXIT_UNSUPPORTED,
			"--callgrind needs valgrind, which is not installed",
			"on Debian: apt-get install valgrind");
	as_arena_init(&v.text, r->ses->al);
	rc = run_valgrind(r, &valgrind, &v);
	as_arena_release(&v.text);
	return rc;
}

/* Whether the Callgrind file PATH, which ends in its totals, has counted something. */
static bool rec_counted(const char *path)
{
	char end[256];
	struct as_slice text = {end, 0};
	FILE *f = fopen(path, "re");

	if (!f)
		return true;
	if (fseek(f, -(long)sizeof(end), SEEK_END) != 0)
		rewind(f);
	text.len = fread(end, 1, sizeof(end), f);
	fclose(f);
	return !as_slice_ends(text, "\ntotals: 0\n");
}

/* A name that no function has counts nothing, and valgrind says nothing of it. */
static void tell_nothing_inside(const struct as_recording *r)
{
	for (size_t i = 0; i < r->dir.file.n; i++)
		if (rec_counted(r->dir.file.p[i]))
			return;
	as_say_warning(r->ses,
		"nothing was counted: no function that --inside names was entered; of C++ the "
		"parameters are part of the name: 'f(int)', or 'f*'");
}

/* What has come to be there since the run began is not replaced either. */
static bool rec_move(const char *from, const char *to, bool overwrite)
{
	if (overwrite)
		return rename(from, to) == 0;
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	/* not every file system knows how */
	return (errno == EINVAL || errno == ENOSYS) && access(to, F_OK) != 0 &&
	       rename(from, to) == 0;
}

/* The only file, in the format that is wanted, just gets its name. */
static enum as_exit rec_give_name(struct as_recording *r)
{
	as_assert(r->dir.file.n == 1);
	r->samples = true;
	if (rec_move(r->dir.file.p[0], r->save.path, r->ses->opt.write.overwrite))
		return AS_EXIT_OK;
	return as_say_endf(r->ses, AS_EXIT_OUTPUT, NULL, "'%.2000s' can't be written: %s",
		r->save.path, strerror(errno));
}

struct as_slice as_recording_command(const struct as_recording *r, struct as_arena *ar)
{
	struct as_slice all = as_arena_printf(ar, "%s", r->word[0]);

	for (size_t i = 1; i < r->n_words && all.p; i++)
		all = as_arena_printf(ar, "%.*s %s", (int)all.len, all.p, r->word[i]);
	return all;
}

/* What the sampler did not see becomes parts of their own. */
static enum as_exit add_outside(struct as_recording *r, struct as_inputs *in)
{
	struct as_merge_opts apart = {.keep_parts = true};
	struct as_profile *both = NULL;
	struct as_merge *m;
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	rc = as_merge_new(r->ses->al, &apart, &m, &err);
	if (rc == AS_OK) {
		rc = as_merge_add(m, in->prof, NULL);
		AS_THEN(rc, as_merge_add(m, r->outside, NULL));
		if (rc == AS_OK)
			rc = as_merge_finish(m, &both);
		else
			as_merge_free(m);
	}
	if (rc != AS_OK)
		return as_say_end(r->ses, AS_EXIT_INPUT, err.msg, NULL);
	as_profile_replace(&in->prof, both);
	return AS_EXIT_OK;
}

/* All files as one profile, a part for each process, in the format that is wanted. */
static enum as_exit rec_convert(struct as_recording *r)
{
	const struct as_session *ses = r->ses;
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL,
		.strict = ses->opt.write.strict,
		.pieces = true,
		.moments = r->args->timeline};
	struct as_files files = {(const char *const *)r->dir.file.p, r->dir.file.n};
	struct as_inputs in;
	enum as_exit rc;

	rc = as_inputs_load(ses, files, &opts, true, &in);
	if (rc == AS_EXIT_OK && r->outside)
		rc = add_outside(r, &in);
	if (rc == AS_EXIT_OK)
		as_recording_choose(r, in.prof);
	/* A format of other people's is read where the program's files are not, perhaps. */
	if (rc == AS_EXIT_OK && r->save.fmt != r->own)
		rc = as_inputs_name(ses, &in);
	if (rc == AS_EXIT_OK && r->save.fmt != r->own)
		rc = as_session_rename(ses, &in.prof);
	AS_THEN(rc, as_recording_join(r, &in.prof, (int64_t)(r->lasted * 1e9)));
	AS_THEN(rc, as_save_inputs(ses, &r->save, &in));
	as_inputs_release(&in);
	r->samples = rc == AS_EXIT_OK;
	return rc;
}

/* A program that compiles at run time may have left the names of that code behind in PATH: what was
 * recorded has its addresses alone. */
static bool has_map(const struct as_recording *r, char *path, size_t size)
{
	struct stat st;

	snprintf(path, size, "/tmp/perf-%d.map", r->pid);
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       st.st_mtime >= time(NULL) - (time_t)r->lasted - 2;
}

static void tell_map(const struct as_recording *r, const struct as_program *program)
{
	char path[64];
	bool there = has_map(r, path, sizeof(path));

	if (there)
		as_say_note(r->ses,
			"%s has the names of what was compiled at run time, not the profile: keep "
			"it, --binary takes it",
			path);
	if (program->python && there)
		as_say_note(r->ses, "Python's functions alone: assay top FILE --show '^py::'");
	else if (program->python)
		as_say_note(r->ses,
			"Python's own functions are not in it, the interpreter's are: python -X "
			"perf (3.12 and later) has both; of each version, cProfile and py-spy "
			"write what assay reads");
}

/* Of the program that was typed, not of one that it became or started. */
static bool is_first(const struct as_recording *r)
{
	return r->args->callgrind || strcmp(strrchr(r->dir.file.p[0], '/') + 1, main_file) == 0;
}

/* Files without a sample have nothing to say beside others. */
static enum as_exit rec_join(struct as_recording *r)
{
	size_t all = as_spool_dir_processes(&r->dir, main_file, r->pid), n, programs;
	char joined[48], with[48] = "";
	enum as_exit rc;

	if (!r->args->callgrind)
		as_spool_dir_drop_idle(&r->dir);
	n = as_spool_dir_processes(&r->dir, main_file, r->pid) + r->n_outside;
	if (r->outside && as_spool_dir_seconds(&r->dir, false) <= 0)
		n = r->n_outside; /* the last of the idle ones has no samples either */
	all = all < n ? n : all;
	programs = r->dir.file.n + r->n_outside;
	if (n == 1)
		snprintf(joined, sizeof(joined), "%zu programs", programs);
	else
		snprintf(joined, sizeof(joined), "%zu processes", n);
	r->save.joined = programs > 1 ? joined : NULL;
	if (programs == 1 && r->save.fmt == r->own && !r->to_device && is_first(r) &&
		!as_spool_dir_has_threads(&r->dir))
		rc = rec_give_name(r);
	else
		rc = rec_convert(r);
	if (rc != AS_EXIT_OK || r->save.to_stdout)
		return rc;
	if (n < all)
		snprintf(with, sizeof(with), ", %zu with samples", n);
	as_say_note(r->ses, "%.2f s, %zu process%s%s: %s", r->lasted, all, rec_es(all), with,
		r->save.path);
	return rc;
}

/* What there is becomes the result. */
static enum as_exit rec_finish(struct as_recording *r)
{
	const struct as_session *ses = r->ses;
	struct as_err err = AS_ERR_NONE;

	if (as_spool_dir_list(&r->dir, main_file, &err) != AS_OK)
		return as_say_end(ses, AS_EXIT_INPUT, err.msg, NULL);
	if (!r->dir.file.n) {
		as_say_warning(ses,
			"nothing was recorded: the program does not let itself be sampled, "
			"see 'assay doctor'");
		return AS_EXIT_OK;
	}
	if (!r->args->callgrind && r->delay <= 0)
		as_recording_tell_missed(r,
			as_spool_dir_seconds(&r->dir, r->wall) + r->outside_seconds,
			"processes that took no library in (static, setuid, without its "
			"environment), or ended too soon; --stacks copies records them from "
			"outside");
	as_recording_tell_living(r);
	if (r->args->inside.n)
		tell_nothing_inside(r);
	return rec_join(r);
}

static const char *const runtimes[] = {
	[AS_RUNTIME_GO] = "stacks of Go programs can't be followed from within",
	[AS_RUNTIME_JAVA] = "stacks of Java programs can't be followed from within"};

static bool keeps_frames(const struct as_recording *r)
{
	static const char *const by_environment[] = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"};
	static const char option[] = "+PreserveFramePointer";

	for (size_t i = 1; i < r->n_words; i++)
		if (strstr(r->word[i], option))
			return true;
	for (size_t i = 0; i < AS_ARRAY_LEN(by_environment); i++) {
		const char *value = as_recording_env(r, by_environment[i]);

		if (value && strstr(value, option))
			return true;
	}
	return false;
}

/* Whether stacks are better seen from outside, and can be. */
static bool is_better_outside(struct as_recording *r, const struct as_program *program)
{
	if (program->runtime == AS_RUNTIME_NATIVE || program->kind != AS_PROGRAM_DYNAMIC)
		return false;
	if (!r->wall && as_perf_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false) == 0)
		return true;
	as_say_warning(r->ses, "%s; %s", runtimes[program->runtime],
		r->wall ? "with --mode wall they are recorded so all the same"
			: "perf events, which could, are not allowed here: see 'assay doctor'");
	return false;
}

/* No library can be preloaded, or it would not see much. */
static enum as_exit from_outside(struct as_recording *r, const struct as_program *program)
{
	static const char *const why[] = {[AS_PROGRAM_STATIC] = "is linked statically",
		[AS_PROGRAM_RIGHTS] = "gets rights of its own when it starts",
		[AS_PROGRAM_OTHER] = "is of another kind than this machine's programs"};

	if (r->delay > 0)
		return as_say_end(r->ses, AS_EXIT_UNSUPPORTED,
			"--delay needs a sampler in the program, and none is to be in this one",
			"start it, and record it with --pid");
	if (r->wall)
		return as_say_end(r->ses, AS_EXIT_UNSUPPORTED,
			"--mode wall needs a sampler in the program, and none can be in this one",
			NULL);
	if (program->kind != AS_PROGRAM_DYNAMIC)
		as_say_note(r->ses, "%s %s: it is recorded from outside", r->word[0],
			why[program->kind]);
	else if (program->runtime != AS_RUNTIME_NATIVE && !r->args->stacks)
		as_say_note(r->ses, "%s: it is recorded from outside", runtimes[program->runtime]);
	if (program->runtime == AS_RUNTIME_JAVA && !keeps_frames(r))
		as_say_note(
			r->ses, "java -XX:+PreserveFramePointer makes stacks of Java code whole");
	return as_recording_by_perf(r);
}

/* Beside an earlier result of ours, perhaps with all that it had recorded. */
static void tell_left(const struct as_recording *r)
{
	char path[PATH_MAX + 320];

	if (as_spool_dir_left(&r->dir, path, sizeof(path)))
		as_say_note(r->ses,
			"a recording that was killed left %s: assay merge -o FILE %s/* has what it "
			"recorded",
			path, path);
}

enum as_exit as_recording_make_dir(struct as_recording *r)
{
	const struct as_save *save = &r->save;
	char at[PATH_MAX + 8];
	struct as_err err = AS_ERR_NONE;
	struct stat st;
	size_t n;

	as_assert(!r->dir.path[0]);
	snprintf(at, sizeof(at), "%s", r->to_device ? "./x" : save->path);
	n = strlen(at);
	if (save->to_dir && stat(at, &st) == 0)
		snprintf(at + n, sizeof(at) - n, "/x");
	else
		while (n > 1 && at[n - 1] == '/')
			at[--n] = '\0';
	if (as_spool_dir_make(&r->dir, r->ses->al, at, &err) == AS_OK) {
		tell_left(r);
		return AS_EXIT_OK;
	}
	return as_say_endf(r->ses, AS_EXIT_OUTPUT, NULL, "'%.2000s' can't be written: %s",
		save->path, strerror(err.sys_errno));
}

static enum as_exit from_within(struct as_recording *r, const struct as_program *program)
{
	enum as_exit rc;

	AS_DO(as_recording_make_dir(r));
	rc = r->args->callgrind ? by_callgrind(r) : by_preload(r, program);
	AS_THEN(rc, rec_finish(r));
	r->kept = rc != AS_EXIT_OK && r->dir.file.n;
	as_profile_free(r->outside);
	return rc;
}

static void tell_kept(struct as_recording *r)
{
	char text[PATH_MAX + 64];

	snprintf(text, sizeof(text), "what was recorded is kept in %s", r->dir.path);
	as_say_error(r->ses, text, NULL);
	as_spool_dir_leave(&r->dir);
}

enum as_exit as_recording_make(struct as_recording *r)
{
	const char *name = r->args->pid.given || r->args->machine ? NULL : r->word[0];
	struct as_program program;
	enum as_exit rc;

	as_assert(r->around && r->save.fmt);
	if (name)
		as_program_find(&program, name, as_recording_env(r, "PATH"));
	if (name && program.kind == AS_PROGRAM_NONE)
		return not_found(r, name);
	if (!name)
		rc = as_recording_by_perf(r);
	else if (r->args->calls)
		rc = as_recording_by_calls(r, &program);
	else if (!r->args->callgrind &&
		 (program.kind != AS_PROGRAM_DYNAMIC || r->args->stacks || r->args->kernel ||
			 r->args->off_cpu || r->cycles || is_better_outside(r, &program)))
		rc = from_outside(r, &program);
	else
		rc = from_within(r, &program);
	if (name && rc == AS_EXIT_OK && r->samples && !r->args->calls)
		tell_map(r, &program);
	if (r->kept)
		tell_kept(r);
	else
		as_spool_dir_remove(&r->dir);
	return rc;
}
