/* SPDX-License-Identifier: Apache-2.0 */
/* assay record: run a program, and see where its time went. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/duration.h"
#include "cli/cli.h"
#include "record/perf.h"
#include "recording/recording.h"

enum { RATE_DEFAULT = 100, RATE_MAX = 4000, OUTSIDE_MAX = AS_PERF_HZ_MAX, NAMES_MAX = 1000 };
/* Of a busy thread: a share is off by half a point. RATE_HIGH costs 3 % of its time. */
enum { ENOUGH_SAMPLES = 10000, RATE_LOW = 49, RATE_HIGH = 1000, LEAST_BYTES = 1 << 20 };

extern char **environ;

static const struct as_optdef record_opts[] = {
	AS_OPTION(as_record_args, rate, 'F', "frequency", "HZ",
		"samples a second of each thread, to 4000, from outside 20000; default 100, or by "
		"--for"),
	AS_OPTION(as_record_args, mode, 0, "mode", "cpu|wall",
		"CPU time (the default), or time that passes, also in sleep"),
	AS_OPTION(as_record_args, duration, 'd', "duration", "SECONDS",
		"not longer than that: then the program is asked to end"),
	AS_OPTION(as_record_args, duration, 0, "for", "TIME", "the same, as 90s, 15m or 2h"),
	AS_OPTION(as_record_args, delay, 0, "delay", "TIME",
		"begin so much later, when it has warmed up"),
	AS_OPTION(as_record_args, max_size, 0, "max-size", "SIZE",
		"stacks take no more of a process's file: what comes then is [lost], and counted"),
	AS_OPTION(as_record_args, pid, 'p', "pid", "PID",
		"a process that runs already, until it ends, Ctrl-C or -d"),
	AS_OPTION(as_record_args, machine, 'a', "all", NULL,
		"all processes and the kernel, until Ctrl-C, -d, or the end of PROGRAM"),
	AS_OPTION(as_record_args, kernel, 'k', "kernel", NULL,
		"from outside, and what the kernel does has frames, below [kernel]"),
	AS_OPTION(as_record_args, off_cpu, 0, "off-cpu", NULL,
		"from outside, as -k, and when threads do not run: where they wait, and why"),
	AS_OPTION(as_record_args, stacks, 0, "stacks", "frames|copies",
		"of programs recorded from outside: by frame pointers, or unwound from copies"),
	AS_OPTION(as_record_args, event, 'e', "event", "EVENT[:PERIOD],...",
		"cpu-clock, or cycles, from outside; with -a any, a sample in PERIOD of it"),
	AS_OPTION(as_record_args, callgrind, 0, "callgrind", NULL,
		"count instructions by valgrind instead: exact, and slow"),
	AS_OPTION(as_record_args, calls, 0, "calls", NULL,
		"count each call and its time, of a program built with -finstrument-functions"),
	AS_OPTION(as_record_args, inside, 0, "inside", "FUNCTION",
		"with --callgrind: count only while it runs; '*' is any text"),
	AS_OPTION(as_record_args, label, 0, "label", "NAME",
		"no profile: under a daemon that records, mark what PROGRAM does with the label"),
	AS_OPTION(as_record_args, timeline, 0, "timeline", NULL,
		"keep when each sample was taken, for 'assay timeline'; -o FILE.otlp"),
	AS_OPTION(as_record_args, no_show, 0, "no-show", NULL, "only leave the file"),
	AS_OPTION_END,
};

static enum as_exit parse_time(
	struct as_cli *cli, const char *text, const char *hint, double *seconds)
{
	int64_t ns = 0;

	if (text && (!as_duration_ns(as_slice_of(text), &ns) || !ns))
		return as_say_usage(&cli->ses, hint, "for instance 10, 90s or 15m");
	*seconds = (double)ns * 1e-9;
	return AS_EXIT_OK;
}

/* PROGRAM.prof here; PROGRAM.2.prof if that is there already, and so on. */
static bool default_name(char to[256], const char *program, const char *ext)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	struct stat st;

	for (unsigned i = 1; i < NAMES_MAX; i++) {
		if (i == 1)
			snprintf(to, 256, "%.200s.%s", name, ext);
		else
			snprintf(to, 256, "%.200s.%u.%s", name, i, ext);
		if (lstat(to, &st) != 0)
			return true;
	}
	return false;
}

static bool is_outside(const struct as_recording *r)
{
	const struct as_record_args *args = r->args;

	return args->pid.given || args->machine || args->kernel || args->off_cpu || args->stacks ||
	       r->cycles;
}

/* Of programs the CPU time is counted, or cycles; of a machine all that it counts. */
static enum as_exit record_events(struct as_cli *cli, struct as_recording *r)
{
	const struct as_record_args *args = r->args;
	bool simple;

	if (!args->event)
		return AS_EXIT_OK;
	AS_DO(as_cli_events(cli, args->event, args->rate.given, &r->events));
	simple = r->events.n == 1 && !r->events.row[0].period;
	r->cycles = simple && strcmp(r->events.row[0].kind->name, "cycles") == 0;
	simple = simple && (r->cycles || strcmp(r->events.row[0].kind->name, "cpu-clock") == 0);
	if (simple || args->machine)
		return AS_EXIT_OK;
	return as_say_usage(&cli->ses,
		"of a program cpu-clock or cycles is counted, without a period",
		"all other events are of the whole machine: -a");
}

/* Beside CPU time, from outside. */
static enum as_exit check_off_cpu(struct as_cli *cli, const struct as_record_args *args)
{
	if (args->off_cpu && args->machine)
		return as_say_usage(&cli->ses,
			"--off-cpu is of a program or a process: the machine's switches are too "
			"many for copies of stacks",
			"perf record -a -g -e sched:sched_switch: assay reads that");
	if (args->off_cpu && (args->callgrind || args->mode == AS_RECORD_WALL))
		return as_say_usage(&cli->ses,
			"--off-cpu is of a recording from outside, beside CPU time", NULL);
	return AS_EXIT_OK;
}

/* A program, a process or the machine. */
static enum as_exit check_whom(struct as_cli *cli, const struct as_record_args *args)
{
	if (args->pid.given && cli->n_operands)
		return as_say_usage(
			&cli->ses, "a program to run, or --pid of one that runs: not both", NULL);
	if (args->pid.given && args->machine)
		return as_say_usage(
			&cli->ses, "one process, or all of them: '--pid' or '--all'", NULL);
	if (!args->pid.given && !args->machine && !cli->n_operands)
		return as_say_usage(
			&cli->ses, "what is to be recorded? a program, --pid PID, or --all", NULL);
	if (args->pid.given && (!args->pid.value || args->pid.value > INT_MAX))
		return as_say_usage(
			&cli->ses, "option '--pid' takes the number of a process", NULL);
	if (args->pid.again)
		return as_say_usage(&cli->ses, "one process at a time: '--pid' is given twice",
			"record each of them, and join the profiles: assay merge");
	return AS_EXIT_OK;
}

/* What goes with whom. */
static enum as_exit check_args(struct as_cli *cli, const struct as_recording *r)
{
	const struct as_record_args *args = r->args;

	AS_DO(check_whom(cli, args));
	if ((args->pid.given || args->machine) && (args->callgrind || args->mode == AS_RECORD_WALL))
		return as_say_usage(&cli->ses,
			"a process that runs already is recorded by its CPU time",
			"--mode wall and --callgrind are for programs that record starts");
	if (args->rate.given &&
		(args->rate.value < 1 ||
			args->rate.value > (is_outside(r) ? OUTSIDE_MAX : RATE_MAX)))
		return as_say_usage(&cli->ses,
			is_outside(r) ? "option '--frequency' is from 1 to 20000"
				      : "option '--frequency' is from 1 to 4000",
			is_outside(r) ? NULL : "from outside (--stacks copies) it is up to 20000");
	if (r->cycles && args->mode == AS_RECORD_WALL)
		return as_say_usage(&cli->ses, "--mode wall counts time, and no cycles", NULL);
	if (args->delay && (args->callgrind || (args->machine && cli->n_operands)))
		return as_say_usage(&cli->ses,
			"--delay is for samples of a program, of a process, or of the machine "
			"alone",
			NULL);
	if (args->max_size && (args->callgrind || is_outside(r)))
		return as_say_usage(&cli->ses,
			"--max-size is for samples of a program that takes the sampler in", NULL);
	if (args->inside.n && !args->callgrind)
		return as_say_usage(&cli->ses,
			"--inside is for --callgrind; samples are chosen afterwards",
			"assay filter --focus FUNCTION FILE");
	if (args->kernel && (args->callgrind || args->mode == AS_RECORD_WALL))
		return as_say_usage(
			&cli->ses, "--kernel is of a recording from outside, by CPU time", NULL);
	if (args->calls && (args->callgrind || is_outside(r) || args->rate.given || args->mode ||
				   args->event || args->delay || args->max_size || args->timeline))
		return as_say_usage(&cli->ses,
			"--calls counts calls, and takes no samples: there is no rate and no clock",
			NULL);
	if (args->callgrind && args->timeline)
		return as_say_usage(&cli->ses,
			"--callgrind counts instructions, and not when they were executed", NULL);
	if (args->callgrind && (args->rate.given || args->mode || args->event))
		return as_say_usage(&cli->ses,
			"--callgrind counts instructions: there is no rate and no clock", NULL);
	return AS_EXIT_OK;
}

/* The program's name, or the process's; or what stands for all of them. */
static const char *record_subject(const struct as_recording *r, char *name, size_t size)
{
	char path[64];
	FILE *f;

	if (r->args->machine)
		return "machine";
	if (!r->args->pid.given)
		return r->word[0];
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/comm", r->args->pid.value);
	snprintf(name, size, "%" PRIu64, r->args->pid.value);
	f = fopen(path, "re");
	if (f && fgets(name, (int)size, f))
		name[strcspn(name, "\n/")] = '\0';
	if (f)
		fclose(f);
	return name;
}

static bool has_ending(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strchr(slash ? slash + 1 : path, '.') != NULL;
}

/* A file, or a folder of them, as the format has it: mistakes show before the program runs. */
static enum as_exit check_target(const struct as_recording *r)
{
	const struct as_format *fmt = r->save.fmt;
	char what[160], hint[160];

	if (r->args->timeline && !(fmt->caps & AS_CAP(MOMENTS))) {
		return as_say_endf(r->ses, AS_EXIT_USAGE,
			"--timeline needs a format that can: -o FILE.otlp",
			"'%s' can't say when samples were taken", fmt->name);
	}
	if (fmt->pieces && !r->save.to_dir) {
		snprintf(what, sizeof(what), "as '%s' a recording is a file for each object",
			fmt->name);
		snprintf(hint, sizeof(hint), "name a folder for them: -t %s -o DIR/", fmt->name);
		return as_say_usage(r->ses, what, hint);
	}
	if (r->save.to_dir && !fmt->piece_name) {
		return as_say_endf(r->ses, AS_EXIT_USAGE,
			"name the file, or a format of many files: -t dcpi",
			"as '%s' a recording is one file, not a folder", fmt->name);
	}
	return AS_EXIT_OK;
}

/* Where it is known how long it lasts there are enough samples, and no more than that. */
static uint64_t record_rate(const struct as_recording *r)
{
	double hz = r->seconds > 0 ? ENOUGH_SAMPLES / r->seconds : RATE_DEFAULT;

	if (r->args->rate.given)
		return r->args->rate.value;
	hz = hz < RATE_LOW ? RATE_LOW : hz > RATE_HIGH ? RATE_HIGH : hz;
	if (r->seconds > 0 && r->attends)
		as_say_note(r->ses, "%.0f samples a second, as it lasts %.0f s: -F HZ has others",
			hz, r->seconds);
	return (uint64_t)hz;
}

/* Only our own format has no place for processes and threads. */
static bool record_names(struct as_recording *r)
{
	const struct as_record_args *args = r->args;
	char text[64];
	const char *subject = record_subject(r, text, sizeof(text));
	bool events = args->machine || args->kernel || args->off_cpu;
	const char *ext = args->callgrind || args->calls ? "callgrind"
			  : args->timeline               ? "otlp"
			  : events                       ? "pb.gz"
							 : "prof";

	if (!r->ses->opt.write.to && strcmp(ext, "prof") == 0 &&
		!default_name(r->labelled, subject, "pb.gz"))
		return false;
	return default_name(r->name, subject, ext);
}

static enum as_exit record_plan(struct as_cli *cli, struct as_session *ses, struct as_recording *r)
{
	const struct as_record_args *args = r->args;
	const char *own = args->callgrind || args->calls ? "callgrind" : "gperf";
	enum as_exit rc;
	struct stat st;

	AS_DO(record_events(cli, r));
	AS_DO(check_args(cli, r));
	AS_DO(check_off_cpu(cli, args));
	r->wall = args->mode == AS_RECORD_WALL;
	r->own = as_format_by_name(as_slice_of(own));
	AS_DO(parse_time(cli, args->duration,
		"option '--duration' takes a number of seconds, or a time", &r->seconds));
	r->hz = record_rate(r);
	if (args->max_size &&
		(!as_cli_size(args->max_size, &r->max_bytes) || r->max_bytes < LEAST_BYTES))
		return as_say_usage(ses, "option '--max-size' takes a size of 1M or more",
			"as in --max-size 16M");
	AS_DO(parse_time(cli, args->delay, "option '--delay' takes a number of seconds, or a time",
		&r->delay));
	if (!ses->opt.write.output) {
		if (!record_names(r))
			return as_say_usage(
				ses, "there are too many profiles here", "name it: -o FILE");
		ses->opt.write.output = r->name;
	}
	rc = as_save_plan(ses, &r->save);
	/* the time, of samples and their time; of several events the first is to be shown */
	r->save.pprof_chooses =
		!args->callgrind && !args->calls && !args->off_cpu && r->events.n < 2;
	if (rc == AS_EXIT_OK && !r->save.fmt) {
		r->save.fmt = r->own;
		if (!r->save.to_stdout && !r->save.to_dir && has_ending(r->save.path))
			as_say_warning(ses, "%s is written as %s: its name does not tell a format",
				r->save.path, r->own->name);
	}
	r->to_device = r->save.to_stdout || (stat(r->save.path, &st) == 0 && !S_ISREG(st.st_mode) &&
						    !S_ISDIR(st.st_mode));
	return rc == AS_EXIT_OK ? check_target(r) : rc;
}

/* The one screen about what was recorded. */
static enum as_exit record_show(struct as_cli *cli, const char *path)
{
	const struct as_cmd *cmd = as_cmd_by_name("show");
	struct as_cli own = {.ses = {.al = cli->ses.al, .opt.tell.quiet = cli->ses.opt.tell.quiet},
		.color = cli->color,
		.no_pager = true};
	char dashes[] = "--", *argv[] = {dashes, strdup(path), NULL};
	enum as_exit rc;

	AS_DO(as_say_memory(&cli->ses, argv[1]));
	as_term_init(&own);
	rc = as_cli_run(&own, cmd, 2, argv);
	free(argv[1]);
	return rc;
}

/* Runs PROGRAM as "assay daemon label NAME -- PROGRAM": the daemon's samples of it have the
 * label. */
static enum as_exit record_label(struct as_cli *cli, const struct as_record_args *args)
{
	size_t n = cli->n_operands + 3, size = (n + 1) * sizeof(char *);
	char word[] = "label", dashes[] = "--", **argv;
	enum as_exit rc;

	if (!cli->n_operands)
		return as_say_usage(&cli->ses, "what is to have the label? a program",
			"assay record --label NAME -- PROGRAM");
	argv = as_alloc_new(cli->ses.al, size);
	AS_DO(as_say_memory(&cli->ses, argv));
	argv[0] = word;
	memcpy(&argv[1], &args->label, sizeof(*argv));
	argv[2] = dashes;
	memcpy(&argv[3], cli->operand, cli->n_operands * sizeof(*argv));
	rc = as_cli_run(cli, as_cmd_by_name("daemon"), (int)n, argv);
	as_alloc_free(cli->ses.al, argv, size);
	return rc;
}

static void tell_what_works(const struct as_session *ses, double seconds)
{
	char time[40] = "";

	if (seconds > 0)
		snprintf(time, sizeof(time), " --for %gs", seconds);
	as_say_note(ses, "into a database this user's own processes are recorded: assay daemon%s",
		time);
}

static enum as_exit record_run(struct as_cli *cli, const void *argp)
{
	const struct as_record_args *args = argp;
	struct as_session ses = cli->ses;
	struct as_recording r = {.ses = &ses,
		.around = &as_record_term,
		.args = args,
		.word = cli->operand,
		.n_words = cli->n_operands,
		.env = environ,
		.no_sigpipe = cli->no_sigpipe,
		.attends = cli->err_tty && !ses.opt.tell.quiet,
		.line_fits = args->pid.given && as_record_line_fits(cli, args->pid.value),
		.utf8 = cli->style.utf8};
	enum as_exit rc;

	if (args->label)
		return record_label(cli, args);
	AS_DO(record_plan(cli, &ses, &r));
	rc = as_recording_make(&r);
	if (rc == AS_EXIT_RIGHTS && args->machine)
		tell_what_works(&ses, r.seconds);
	AS_DO(rc);
	if (!args->no_show && !r.to_device && !r.save.to_dir && r.samples)
		rc = record_show(cli, r.save.path);
	return rc == AS_EXIT_OK ? (enum as_exit)r.status : rc;
}

const struct as_cmd as_cmd_record = {
	AS_COMMAND(record, "[--] PROGRAM [ARGUMENT...] | -p PID | -a [PROGRAM...]", 0,
		AS_OPERANDS_ANY, record_run),
	AS_OWN_OPTIONS(record_opts, as_record_args),
	.brief = "run a program and see where its time goes",
	.about =
		"Runs PROGRAM with a sampler in it, shows one screen about what it did, and leaves "
		"the\n"
		"profile: PROGRAM.prof in this folder (PROGRAM.pb.gz of several threads or "
		"processes,\n"
		"which its labels tell apart), or what -o names, in the format of that name.\n"
		"All threads are sampled; processes that it starts are parts of the same "
		"profile.\n"
		"The exit status is PROGRAM's. Options end where PROGRAM begins.\n",
	.examples = "assay record ./server --bench\trun it, then show what is hot\n"
		    "assay record -F 997 -o run.pb.gz -- make -j4\tall processes of a build\n"
		    "assay record -p 1234 -d 10\tten seconds of a process that runs already\n"
		    "assay record -a -d 60\ta minute of the whole machine\n"
		    "assay record --timeline ./app\tand when: assay timeline app.otlp\n"
		    "assay record --mode wall ./client\twhere it waits, too\n"
		    "assay record --callgrind ./app\texact counts of instructions\n"
		    "assay record --calls ./app\texact calls, built with -finstrument-functions",
	.groups = AS_GROUP_WRITE,
	.stops = true,
};
