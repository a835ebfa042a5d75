/* SPDX-License-Identifier: Apache-2.0 */
/* Recording from outside: processes that run already, and programs that take no library in. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "change/transform.h"
#include "record/events/perf_columns.h"
#include "record/launch.h"
#include "record/perf.h"
#include "recording/recording.h"
#include "session/naming.h"

/* Of the time in which threads did not run. */
static void rec_perf_tell_off(struct as_recording *r, const struct as_perf_told *told)
{
	if (!told->off_stretches)
		as_say_note(r->ses, "all threads ran all the time, or never came back");
	as_recording_count(r, told->off_unknown,
		"stretch{|es} in which threads did not run {is|are} left out: the record{|s} of "
		"when {it|they} ended found no room");
	as_recording_count(r, told->off_away,
		"thread{|s} did not run at the end: how long {it|they} would wait is not known, "
		"and left out");
	if (told->kernel)
		as_recording_count(r, told->off_no_stack,
			"stretch{|es} in which threads did not run {has|have} no stack: see "
			"[unknown]");
}

/* What the numbers mean, and what they lack. */
static void rec_perf_tell(struct as_recording *r, const struct as_perf_told *told)
{
	as_say_note(r->ses, "%s; %s", told->clock, told->stacks);
	if ((r->args->kernel || r->args->off_cpu) && !told->kernel)
		as_say_warning(r->ses,
			"the kernel may not be seen here%s: that takes root, CAP_PERFMON, or 1 or "
			"less in kernel.perf_event_paranoid",
			r->args->off_cpu ? ", and so not where threads wait" : "");
	if (r->args->off_cpu)
		rec_perf_tell_off(r, told);
	for (uint32_t i = 0; i < told->n_events; i++)
		if (told->active[i] < AS_PERF_ACTIVE_ALL)
			as_say_note(r->ses,
				"%s was counted %" PRIu32 ".%02" PRIu32
				" %% of the time, in turns with others: nothing is scaled",
				r->events.row[i].kind->name, told->active[i] / 100,
				told->active[i] % 100);
	as_recording_count(
		r, told->lost, "sample{ has|s have} lost {its stack|their stacks}: see [lost]");
	as_recording_count(r, told->unsampled,
		told->kernel ? "sample{ stands|s stand} for time in which the kernel took none: "
			       "see [unsampled]"
			     : "sample{ stands|s stand} for time that was not sampled, as in the "
			       "kernel: see [unsampled]");
	as_recording_count(r, told->cut,
		"stack{ goes|s go} on behind what was recorded of {it|them}: see [truncated]");
	as_recording_count(r, told->broken,
		told->stacks_by == AS_PERF_FRAMES
			? "stack{ begins|s begin} in the middle, at code without frame pointers: "
			  "see [truncated]; --stacks copies needs none"
			: "stack{|s} could not be followed to {its|their} beginning: see "
			  "[truncated]");
	as_recording_count(r, told->untold,
		"record{ of a process or mapping was|s of processes and mappings were} lost: what "
		"{it|they} told of was looked up, some may stay unknown");
	as_recording_count(r, told->throttled, "time{|s} the kernel held samples back");
	as_recording_count(r, told->damaged,
		"record{ was|s were} not what the kernel documents, and {was|were} left out");
	if (told->unseen_ns)
		as_say_warning(r->ses,
			"processors came, or came back, and may have run for %.2f s before they "
			"were watched",
			(double)told->unseen_ns * 1e-9);
	if (!told->samples && r->args->machine)
		as_say_note(r->ses, "there are no samples: the machine was idle");
	else if (!told->samples)
		as_say_warning(r->ses,
			"there are no samples: it used no CPU time, or the kernel "
			"did not let it be watched, as with programs that get rights: "
			"root can record them with -p, once they run");
}

/* A program that was started ends before we do. */
static enum as_exit end_program(struct as_recording *r, const struct as_perf_told *told)
{
	struct as_err err = AS_ERR_NONE;

	if (!told->pid || r->args->pid.given)
		return AS_EXIT_OK;
	if (told->ended) {
		r->status = WIFSIGNALED(told->status) ? 128 + WTERMSIG(told->status)
						      : WEXITSTATUS(told->status);
		return AS_EXIT_OK;
	}
	if (as_launch_wait(told->pid, 0.001, &r->status, &err) == AS_OK)
		return AS_EXIT_OK;
	return as_say_end(r->ses, AS_EXIT_INPUT, err.msg, NULL);
}

/* As in recording.c: only our own format is left without names. */
static enum as_exit rec_perf_name(struct as_recording *r, struct as_profile **prof)
{
	struct as_symbol_report report = {0};
	enum as_exit rc = AS_EXIT_OK;

	if (r->save.fmt != r->own)
		rc = as_session_name(r->ses, NULL, 0, prof, &report);
	if (rc == AS_EXIT_OK && r->save.fmt != r->own)
		rc = as_session_rename(r->ses, prof);
	as_symbol_report_release(&report);
	return rc;
}

/* With all that is known, as the result can't be written. */
static bool rec_perf_keep(struct as_recording *r, const struct as_profile *prof)
{
	struct as_session ses = *r->ses;
	char path[sizeof(r->dir.path) + 16];
	struct as_save raw = {.fmt = as_format_by_name(as_slice_of("pprof")), .path = path};
	struct as_losses losses;
	enum as_exit rc;

	if (!r->dir.path[0] && as_recording_make_dir(r) != AS_EXIT_OK)
		return false;
	snprintf(path, sizeof(path), "%s/profile", r->dir.path);
	as_losses_init(&losses, ses.al);
	ses.opt.write.strict = false;
	ses.opt.tell.quiet = true;
	ses.opt.write.opts.n = 0;
	rc = as_save_run(&ses, &raw, prof, &losses);
	as_losses_release(&losses);
	return rc == AS_EXIT_OK;
}

/* Parts are threads of one name, of a program of a process. */
static size_t rec_perf_processes(const struct as_profile *prof)
{
	size_t n = 0;

	for (uint32_t i = 0; i < prof->part.n; i++) {
		uint32_t k = 0;

		while (k < i && prof->part.p[k].pid != prof->part.p[i].pid)
			k++;
		n += k == i;
	}
	return n;
}

static void tell_result(struct as_recording *r, const struct as_profile *prof, size_t n)
{
	if (!r->save.to_stdout)
		as_say_note(r->ses, "%.2f s, %zu process%s%s: %s", (double)prof->duration * 1e-9, n,
			n == 1 ? "" : "es", n ? "" : " with samples", r->save.path);
}

static enum as_exit rec_perf_save(struct as_recording *r, struct as_build *b)
{
	char joined[48] = "its threads";
	struct as_profile *prof = NULL;
	struct as_losses losses;
	enum as_exit rc;
	size_t n;

	AS_DO(as_say_code(r->ses, as_build_finish(b, &prof), NULL));
	as_losses_init(&losses, r->ses->al);
	as_recording_choose(r, prof);
	n = rec_perf_processes(prof);
	if (n > 1)
		snprintf(joined, sizeof(joined), "%zu processes", n);
	r->save.joined = joined;
	rc = rec_perf_name(r, &prof);
	AS_THEN(rc, as_recording_join(r, &prof, 0));
	AS_THEN(rc, as_save_run(r->ses, &r->save, prof, &losses));
	if (rc == AS_EXIT_OK)
		tell_result(r, prof, n);
	else
		r->kept = rec_perf_keep(r, prof);
	r->samples = rc == AS_EXIT_OK && prof->sample.node.n > 0;
	as_losses_release(&losses);
	as_profile_free(prof);
	return rc;
}

static enum as_exit rec_perf_failed(struct as_recording *r, const struct as_err *err)
{
	bool rights = err->sys_errno == EACCES || err->sys_errno == EPERM;
	bool unsupported = err->code == AS_E_UNSUPPORTED;

	as_say_error(r->ses, err->msg,
		rights || unsupported      ? "what works here: assay doctor"
		: err->sys_errno == ESRCH  ? "which processes there are: ps -e"
		: err->sys_errno == EMFILE ? "as its user: ulimit -n 65536"
					   : NULL);
	if (rights)
		return AS_EXIT_RIGHTS;
	return unsupported ? AS_EXIT_UNSUPPORTED : AS_EXIT_INPUT;
}

/* The tree's own count has no part in what the kernel takes events off. */
static void tell_missed(struct as_recording *r, const struct as_perf_told *told)
{
	r->used = as_recording_children() - r->used;
	if (told->counted == AS_PERF_CPU_CLOCK)
		as_recording_tell_missed(r, (double)told->samples * told->period_us * 1e-6,
			"programs that got rights of their own, which the kernel shows to root "
			"alone");
	if (told->living)
		as_say_note(r->ses,
			"%zu process%s that it started run%s on: what comes is not recorded",
			told->living, told->living == 1 ? "" : "es", told->living == 1 ? "s" : "");
}

/* Until it begins, or somebody has had enough. */
static void rec_perf_delay(const struct as_recording *r)
{
	struct timespec left = {
		(time_t)r->delay, (long)((r->delay - (double)(time_t)r->delay) * 1e9)};

	if (!*r->around->stopped)
		(void)nanosleep(&left, NULL);
}

static enum as_exit rec_perf_record(struct as_recording *r, const struct as_perf_opts *opts)
{
	struct as_perf_told told = {.samples = 0};
	struct as_build b;
	struct as_err err = AS_ERR_NONE;
	enum as_code code;
	enum as_exit rc;

	AS_DO(as_say_code(r->ses, as_build_init(&b, r->ses->al, &err), NULL));
	b.keep_moments = r->args->timeline;
	if (opts->pid && r->attends)
		as_say_note(r->ses, "recording process %d; Ctrl-C ends it", (int)opts->pid);
	else if (!opts->argv[0] && r->attends)
		as_say_note(r->ses, "recording all processes; Ctrl-C ends it");
	r->around->heed(!opts->argv[0]);
	rec_perf_delay(r);
	r->used = as_recording_children();
	code = as_perf_record(opts, r->around->stopped, &b, &told, &err);
	r->around->leave(r);
	if (code != AS_OK) {
		as_build_free(&b);
		return rec_perf_failed(r, &err);
	}
	rec_perf_tell(r, &told);
	rc = end_program(r, &told);
	if (!opts->pid && opts->scope != AS_PERF_MACHINE)
		tell_missed(r, &told);
	return rc == AS_EXIT_OK ? rec_perf_save(r, &b) : rc;
}

enum as_exit as_recording_by_perf(struct as_recording *r)
{
	struct as_perf_opts opts = {.hz = (uint32_t)r->hz,
		.seconds = r->seconds,
		.pid = (pid_t)r->args->pid.value,
		.scope = r->args->machine ? AS_PERF_MACHINE : AS_PERF_BEST_SCOPE,
		.kernel_frames = r->args->kernel,
		.off_cpu = r->args->off_cpu,
		.no_sigpipe = r->no_sigpipe,
		.pass = r->around->passed,
		.stacks = r->args->stacks == AS_RECORD_FRAMES   ? AS_PERF_FRAMES
			  : r->args->stacks == AS_RECORD_COPIES ? AS_PERF_COPIES
								: AS_PERF_BEST};
	char **argv = as_recording_words(r, NULL, 0);
	enum as_exit rc;

	AS_DO(as_say_memory(r->ses, argv));
	rc = r->save.to_stdout ? AS_EXIT_OK : as_recording_make_dir(r);
	if (rc != AS_EXIT_OK) {
		free(argv);
		return rc;
	}
	opts.argv = argv;
	if (r->events.n)
		as_perf_opts_events(&opts, &r->events);
	if (r->line_fits) {
		opts.so_far = r->around->draw;
		opts.so_far_ctx = r;
	}
	rc = rec_perf_record(r, &opts);
	free(argv);
	return rc;
}
