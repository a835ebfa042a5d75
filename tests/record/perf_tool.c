/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perf_tool [OPTION=VALUE]... OUT -p PID | -- PROGRAM [ARGUMENT]...
 *
 * Records by as_perf_record() into OUT, in the format of its name, and says on stderr what was
 * told, a "key: value" a line. Options: hz, seconds, stacks=frames|copies, clock=cycles, bytes.
 */
#define _GNU_SOURCE
#define AS_NO_BANNED
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "formats/format.h"
#include "io/file.h"
#include "io/out_file.h"
#include "record/perf.h"

static volatile sig_atomic_t stop;

static void on_interrupt(int number)
{
	(void)number;
	stop = 1;
}

static void set_option(struct as_perf_opts *o, const char *arg)
{
	const char *value = strchr(arg, '=') + 1;

	if (strncmp(arg, "hz=", 3) == 0)
		o->hz = (uint32_t)atoi(value);
	else if (strncmp(arg, "seconds=", 8) == 0)
		o->seconds = atof(value);
	else if (strncmp(arg, "bytes=", 6) == 0)
		o->stack_bytes = (uint32_t)atoi(value);
	else if (strcmp(arg, "stacks=frames") == 0)
		o->stacks = AS_PERF_FRAMES;
	else if (strcmp(arg, "stacks=copies") == 0)
		o->stacks = AS_PERF_COPIES;
	else if (strcmp(arg, "clock=cycles") == 0)
		o->clock = AS_PERF_CYCLES;
	else if (strcmp(arg, "scope=threads") == 0)
		o->scope = AS_PERF_THREADS;
	else if (strcmp(arg, "scope=processors") == 0)
		o->scope = AS_PERF_PROCESSORS;
	else if (strcmp(arg, "kernel=0") == 0)
		o->user_only = true;
	else
		exit(2);
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void say(const struct as_perf_told *t)
{
	struct rusage used;

	fprintf(stderr, "clock: %s\nstacks: %s\nperiod: %u\n", t->clock, t->stacks, t->period_us);
	fprintf(stderr, "cpu: %.9f\nsamples: %" PRIu64 "\n", (double)t->cpu_ns * 1e-9, t->samples);
	fprintf(stderr, "unsampled: %" PRIu64 "\nspread: %" PRIu64 "\n", t->unsampled, t->spread);
	fprintf(stderr, "lost: %" PRIu64 "\ncut: %" PRIu64 "\n", t->lost, t->cut);
	fprintf(stderr, "broken: %" PRIu64 "\n", t->broken);
	fprintf(stderr, "throttled: %" PRIu64 "\ndamaged: %" PRIu64 "\n", t->throttled, t->damaged);
	getrusage(RUSAGE_CHILDREN, &used);
	fprintf(stderr, "used: %.6f\n",
		seconds(used.ru_utime) + seconds(used.ru_stime)); /* by the kernel's other count */
	getrusage(RUSAGE_SELF, &used);
	fprintf(stderr, "own: %.6f\n", seconds(used.ru_utime) + seconds(used.ru_stime));
	fprintf(stderr, "whole: %d\nliving: %zu\n", t->whole, t->living);
	if (t->ended)
		fprintf(stderr, "status: %d\n", t->status);
}

static enum as_code write_out(const struct as_profile *prof, const char *path, struct as_err *err)
{
	const struct as_format *fmt = as_format_by_ext(as_slice_of(path));
	struct as_sink_mem mem;
	struct as_losses losses;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = err, .losses = &losses};
	enum as_code rc;
	FILE *f;

	as_losses_init(&losses, &as_alloc_libc);
	as_sink_mem_init(&mem, &as_alloc_libc);
	rc = as_out_open(&out, &as_alloc_libc, &mem.sink, err);
	if (rc == AS_OK) {
		enum as_code end;

		rc = as_format_write(fmt, &wr, prof);
		end = as_out_finish(&out);
		rc = rc == AS_OK ? end : rc;
	}
	f = rc == AS_OK ? fopen(path, "we") : NULL;
	if (f && fwrite(mem.data.p, 1, mem.data.n, f) != mem.data.n)
		rc = AS_E_IO;
	if (!f || fclose(f))
		rc = rc == AS_OK ? AS_E_IO : rc;
	as_sink_mem_release(&mem);
	as_losses_release(&losses);
	return rc;
}

static int fail(const struct as_err *err)
{
	fprintf(stderr, "error: %s\nerrno: %d\n", err->msg, err->sys_errno);
	return 3;
}

int main(int argc, char **argv)
{
	struct as_perf_opts opts = {.hz = 99};
	struct sigaction act = {.sa_handler = on_interrupt};
	struct as_profile *prof = NULL;
	struct as_perf_told told;
	struct as_build b;
	struct as_err err;
	enum as_code rc;
	int i = 1;

	for (; i < argc && strchr(argv[i], '='); i++)
		set_option(&opts, argv[i]);
	if (argc - i < 3)
		return 2;
	if (strcmp(argv[i + 1], "-p") == 0)
		opts.pid = atoi(argv[i + 2]);
	else
		opts.argv = argv + i + 2;
	sigaction(SIGINT, &act, NULL);
	as_err_clear(&err);
	if (as_build_init(&b, &as_alloc_libc, &err) != AS_OK)
		return fail(&err);
	rc = as_perf_record(&opts, &stop, &b, &told, &err);
	if (rc != AS_OK) {
		as_build_free(&b);
		return fail(&err);
	}
	say(&told);
	if (as_build_finish(&b, &prof) != AS_OK || write_out(prof, argv[i], &err) != AS_OK)
		return fail(&err);
	as_profile_free(prof);
	return 0;
}
