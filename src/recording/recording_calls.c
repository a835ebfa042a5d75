/* SPDX-License-Identifier: Apache-2.0 */
/* Exact calls of a program whose compiler told of them: --calls. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/launch.h"
#include "record/program.h"
#include "recording/calls_read.h"
#include "recording/recording.h"
#include "session/naming.h"

static const char calls_flag[] = "build it with -finstrument-functions (gcc, clang), all that is "
				 "to be counted, and link it as usual";

static void rec_calls_tell(const struct as_recording *r, const struct as_calls_told *told)
{
	as_recording_count(r, told->left,
		"function{ was|s were} left without an end, by longjmp(), an exception or the "
		"thread's end: {its|their} time is until then");
	as_recording_count(r, told->open,
		"function{ was|s were} not over when {its|their} process ended: {its|their} time "
		"is until then");
	as_recording_count(r, told->unfinished,
		"process{ was|es were} killed, or ended by _exit(): all calls are counted, times "
		"may end a little early");
	as_recording_count(r, told->forked,
		"process{ is a child|es are children} of fork(): {its|their} calls and times "
		"begin there");
	if (told->unsteady)
		as_say_warning(r->ses, "this processor does not say that its counter is steady: "
				       "times may be off, calls are not");
	if (told->missed || told->unmatched)
		as_say_warning(r->ses,
			"%" PRIu64 " calls were not counted (signal handlers), and %" PRIu64
			" functions ended that had not begun (stacks that the program "
			"switches itself)",
			told->missed, told->unmatched);
	if (told->unsure)
		as_say_warning(r->ses,
			"%" PRIu64 " calls are of an address at which two libraries were, one "
			"after the other",
			told->unsure);
	if (told->full || told->damaged)
		as_say_warning(r->ses, told->full ? "there was no room for all: some calls are "
						    "missing"
						  : "what was recorded is damaged: some calls are "
						    "missing");
}

static enum as_exit rec_calls_run(struct as_recording *r, const struct as_program *program)
{
	char library[PATH_MAX], file[PATH_MAX + 64];
	struct as_launch l = {.program = program->path,
		.env = r->env,
		.library = library,
		.file = file,
		.calls = true,
		.no_sigpipe = r->no_sigpipe};
	enum as_exit rc;
	char **argv;

	if (!as_recording_library(library, sizeof(library)))
		return as_recording_no_library(r->ses);
	snprintf(file, sizeof(file), "%s/calls", r->dir.path);
	argv = as_recording_words(r, NULL, 0);
	AS_DO(as_say_memory(r->ses, argv));
	l.argv = argv;
	rc = as_recording_run(r, &l);
	free(argv);
	return rc;
}

static enum as_code rec_calls_file(
	struct as_build *b, const char *path, struct as_calls_told *told, struct as_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = {0};
	void *p = MAP_FAILED;
	enum as_code rc;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	rc = p == MAP_FAILED
		     ? as_err_set(err, AS_E_IO, "'%s' can't be read: %s", path, strerror(errno))
		     : AS_OK;
	if (fd >= 0)
		close(fd);
	AS_TRY(rc);
	rc = as_calls_read(b, p, (size_t)st.st_size, told);
	munmap(p, (size_t)st.st_size);
	return rc;
}

/* Stacks of a call each, of all processes. */
static enum as_code rec_calls_load(struct as_recording *r, struct as_profile **out,
	struct as_calls_told *told, struct as_err *err)
{
	static const char *const name[AS_CALLS_EVENTS] = {"calls", "inclusive", "self"};
	struct as_build b;
	enum as_code rc = AS_OK;
	uint32_t event;

	AS_TRY(as_build_init(&b, r->ses->al, err));
	for (int i = 0; rc == AS_OK && i < AS_CALLS_EVENTS; i++)
		rc = as_build_event(
			&b, as_slice_of(name[i]), as_slice_of(i ? "nanoseconds" : "count"), &event);
	for (size_t i = 0; rc == AS_OK && i < r->dir.file.n; i++)
		rc = rec_calls_file(&b, r->dir.file.p[i], told, err);
	if (rc == AS_OK)
		return as_build_finish(&b, out);
	as_build_free(&b);
	return rc;
}

static enum as_exit rec_calls_save(struct as_recording *r, struct as_profile *stacks)
{
	struct as_profile *calls = NULL;
	struct as_err err = AS_ERR_NONE;
	struct as_losses losses;
	enum as_exit rc;

	AS_DO(as_say_code(r->ses, as_calls_make(stacks, &calls, &err), NULL));
	calls->duration = (int64_t)(r->lasted * 1e9);
	as_losses_init(&losses, r->ses->al);
	rc = as_session_rename(r->ses, &calls);
	AS_THEN(rc, as_save_run(r->ses, &r->save, calls, &losses));
	as_losses_release(&losses);
	as_profile_free(calls);
	return rc;
}

static enum as_exit rec_calls_convert(struct as_recording *r)
{
	struct as_profile *stacks = NULL;
	struct as_calls_told told = {0};
	struct as_symbol_report report = {0};
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	if (rec_calls_load(r, &stacks, &told, &err) != AS_OK)
		return as_say_end(r->ses, AS_EXIT_INPUT, err.msg, NULL);
	rc = as_session_name(r->ses, NULL, 0, &stacks, &report);
	as_symbol_report_release(&report);
	AS_THEN(rc, rec_calls_save(r, stacks));
	as_profile_free(stacks);
	r->samples = rc == AS_EXIT_OK;
	AS_DO(rc);
	rec_calls_tell(r, &told);
	if (!r->save.to_stdout)
		as_say_note(r->ses,
			"%.2f s, %" PRIu64 " calls, %zu process%s, %" PRIu64 " thread%s: %s",
			r->lasted, told.calls, r->dir.file.n, r->dir.file.n == 1 ? "" : "es",
			told.threads, told.threads == 1 ? "" : "s", r->save.path);
	return AS_EXIT_OK;
}

enum as_exit as_recording_by_calls(struct as_recording *r, const struct as_program *program)
{
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	if (program->kind != AS_PROGRAM_DYNAMIC)
		return as_say_end(r->ses, AS_EXIT_UNSUPPORTED,
			"--calls needs a program that takes a library in: this one is static, "
			"setuid, or another machine's",
			"link it dynamically");
	AS_DO(as_recording_make_dir(r));
	AS_DO(rec_calls_run(r, program));
	if (as_spool_dir_list(&r->dir, "calls", &err) != AS_OK)
		return as_say_end(r->ses, AS_EXIT_INPUT, err.msg, NULL);
	if (!r->dir.file.n) {
		return as_say_endf(r->ses, AS_EXIT_UNSUPPORTED, calls_flag,
			"'%.2000s' tells of no calls", r->word[0]);
	}
	rc = rec_calls_convert(r);
	r->kept = rc != AS_EXIT_OK && r->dir.file.n;
	return rc;
}
