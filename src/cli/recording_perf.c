/* SPDX-License-Identifier: Apache-2.0 */
/* Recording from outside: processes that run already, and programs that take no library in. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cli/naming.h"
#include "cli/recording.h"
#include "record/launch.h"
#include "record/perf.h"

static const int heeded[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

static void heed_signals(struct sigaction old[AS_ARRAY_LEN(heeded)])
{
	struct sigaction act = {.sa_handler = stop};

	stopped = 0;
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < AS_ARRAY_LEN(heeded); i++) {
		(void)sigaction(heeded[i], NULL, &old[i]);
		if (heeded[i] != SIGHUP || old[i].sa_handler != SIG_IGN) /* nohup */
			(void)sigaction(heeded[i], &act, NULL);
	}
}

static void leave_signals(const struct sigaction old[AS_ARRAY_LEN(heeded)])
{
	for (size_t i = 0; i < AS_ARRAY_LEN(heeded); i++)
		(void)sigaction(heeded[i], &old[i], NULL);
}

static void count(struct as_cli *cli, uint64_t n, const char *what)
{
	if (n)
		as_cli_note(cli, "%" PRIu64 " %s", n, what);
}

/* What the numbers mean, and what they lack. */
static void tell(struct as_recording *r, const struct as_perf_told *told)
{
	as_cli_note(r->cli, "%s; %s", told->clock, told->stacks);
	count(r->cli, told->lost, "samples have lost their stacks: see [lost]");
	count(r->cli, told->unsampled,
		"samples are of time that the kernel took none in: see [unsampled]");
	count(r->cli, told->throttled, "times the kernel held samples back");
	count(r->cli, told->damaged,
		"records were not what the kernel documents, and were left out");
	if (!told->samples)
		as_cli_warn(r->cli, "there are no samples: it used no CPU time, or the kernel "
				    "did not let it be watched, as with programs that get rights: "
				    "root can record them with -p, once they run");
}

/* A program that was started ends before we do. */
static enum as_exit end_program(struct as_recording *r, const struct as_perf_told *told)
{
	struct as_err err;

	if (r->args->pid.given)
		return AS_EXIT_OK;
	if (told->ended) {
		r->status = WIFSIGNALED(told->status) ? 128 + WTERMSIG(told->status)
						      : WEXITSTATUS(told->status);
		return AS_EXIT_OK;
	}
	as_err_clear(&err);
	if (as_launch_wait(told->pid, 0.001, &r->status, &err) == AS_OK)
		return AS_EXIT_OK;
	as_cli_error(r->cli, err.msg, NULL);
	return AS_EXIT_INPUT;
}

/* As in recording.c: only our own format is left without names. */
static enum as_exit name(struct as_recording *r, struct as_profile **prof)
{
	struct as_symbol_report report = {0};
	enum as_exit rc = AS_EXIT_OK;

	if (r->save.fmt != r->own)
		rc = as_cli_name(r->cli, NULL, 0, prof, &report);
	as_symbol_report_release(&report);
	return rc;
}

static enum as_exit save(struct as_recording *r, struct as_build *b)
{
	struct as_profile *prof = NULL;
	struct as_losses losses;
	enum as_exit rc;

	if (as_build_finish(b, &prof) != AS_OK)
		return as_cli_no_memory(r->cli);
	as_losses_init(&losses, r->cli->al);
	rc = name(r, &prof);
	if (rc == AS_EXIT_OK)
		rc = as_save_run(r->cli, &r->save, prof, &losses);
	r->samples = rc == AS_EXIT_OK && prof->sample.node.n > 0;
	as_losses_release(&losses);
	as_profile_free(prof);
	return rc;
}

static enum as_exit failed(struct as_recording *r, const struct as_err *err)
{
	as_cli_error(r->cli, err->msg, "what works here: assay doctor");
	if (err->sys_errno == EACCES || err->sys_errno == EPERM)
		return AS_EXIT_RIGHTS;
	return err->code == AS_E_UNSUPPORTED ? AS_EXIT_UNSUPPORTED : AS_EXIT_INPUT;
}

/* The operands as execvp() wants them. */
static char **words_of(const struct as_cli *cli)
{
	char **argv = calloc(cli->n_operands + 1, sizeof(*argv));

	for (size_t i = 0; argv && i < cli->n_operands; i++)
		argv[i] = (char *)(uintptr_t)cli->operand[i];
	return argv;
}

static enum as_exit record(struct as_recording *r, const struct as_perf_opts *opts)
{
	struct as_perf_told told = {.samples = 0};
	struct sigaction old[AS_ARRAY_LEN(heeded)];
	struct as_build b;
	struct as_err err;
	enum as_code code;
	enum as_exit rc;

	as_err_clear(&err);
	if (as_build_init(&b, r->cli->al, &err) != AS_OK)
		return as_cli_no_memory(r->cli);
	if (opts->pid && r->cli->err_tty && !r->cli->opt.quiet)
		as_cli_note(r->cli, "recording process %d; Ctrl-C ends it", (int)opts->pid);
	heed_signals(old);
	code = as_perf_record(opts, &stopped, &b, &told, &err);
	leave_signals(old);
	as_recording_line_clear(r);
	if (code != AS_OK) {
		as_build_free(&b);
		return failed(r, &err);
	}
	tell(r, &told);
	rc = end_program(r, &told);
	return rc == AS_EXIT_OK ? save(r, &b) : rc;
}

enum as_exit as_recording_by_perf(struct as_recording *r)
{
	struct as_perf_opts opts = {.hz = (uint32_t)r->hz,
		.seconds = r->seconds,
		.pid = (pid_t)r->args->pid.value,
		.stacks = r->args->stacks == AS_RECORD_FRAMES   ? AS_PERF_FRAMES
			  : r->args->stacks == AS_RECORD_COPIES ? AS_PERF_COPIES
								: AS_PERF_BEST};
	char **argv = words_of(r->cli);
	enum as_exit rc;

	if (!argv)
		return as_cli_no_memory(r->cli);
	opts.argv = argv;
	if (as_recording_line_fits(r)) {
		opts.so_far = as_recording_line_draw;
		opts.so_far_ctx = r;
	}
	rc = record(r, &opts);
	free(argv);
	return rc;
}
