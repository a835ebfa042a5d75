/* SPDX-License-Identifier: Apache-2.0 */
/* One recording, from what is asked to a file. */
#ifndef AS_RECORDING_RECORDING_H
#define AS_RECORDING_RECORDING_H

#include <signal.h>

#include "record/events/perf_kinds.h"
#include "record/spool_dir.h"
#include "session/save.h"

enum { AS_RECORD_CPU = 1, AS_RECORD_WALL };
enum { AS_RECORD_FRAMES = 1, AS_RECORD_COPIES };

struct as_record_args {
	struct as_num rate, pid;
	unsigned mode, stacks;
	const char *event, *duration, *delay, *max_size, *label;
	struct as_list inside; /* functions */
	bool machine, kernel, off_cpu, callgrind, calls, no_show, timeline;
};

/* Signals and the terminal are the program's. */
struct as_perf_so_far;
struct as_recording;
struct as_recording_around {
	/* From now on SIGINT and its like set *STOPPED, of a process that runs already, or *PASSED,
	 * for the program that was started; and no more. */
	void (*heed)(bool attached);
	void (*leave)(struct as_recording *r);
	const volatile sig_atomic_t *stopped;
	volatile sig_atomic_t *passed;
	/* How far it is, on a line of its own; CTX is the recording. */
	void (*draw)(void *ctx, const struct as_perf_so_far *at);
};

struct as_recording {
	const struct as_session *ses;
	const struct as_recording_around *around;
	const char *const *word; /* the program and its arguments */
	size_t n_words;
	char **env;      /* its environment */
	bool no_sigpipe; /* as in struct as_launch */
	bool attends;    /* somebody sees what is said as it happens */
	bool line_fits;  /* nobody else writes to the terminal; */
	bool utf8;       /* which shows that */
	const struct as_record_args *args;
	struct as_save save;
	const struct as_format *own; /* of the files that the recorder writes */
	char name[256];              /* of the result, if none was said; */
	char labelled[256];          /* where it is of several processes or threads; or "" */
	uint64_t hz;
	struct as_perf_events events; /* none: CPU time */
	bool cycles;                  /* one of them is that */
	double seconds;               /* 0: until it ends */
	double delay;                 /* before it begins */
	uint64_t max_bytes;           /* of a process's stacks; 0: as the sampler has it */
	bool wall;
	bool to_device; /* or to a pipe: it is written to, nothing takes its place or stands beside
			   it */

	struct as_spool_dir dir;
	int status;   /* of the program, as a shell has it */
	int pid;      /* of the program that was started; 0: none was */
	bool samples; /* there is something to see */
	bool kept;    /* the result can't be written: what was recorded stays where it is */
	struct as_profile *outside; /* what was recorded from outside beside it, or NULL; */
	size_t n_outside;           /* of so many processes */
	double outside_seconds;     /* and so much CPU time */
	double lasted;              /* seconds */
	double used;                /* CPU time of the tree that has ended, by the kernel's count */
	bool drawn;                 /* the line that says how far it is stands on the terminal */
};

/* Records and writes the result. What was recorded is kept if it can't be written. */
enum as_exit as_recording_make(struct as_recording *r);

/* The folder for what is recorded, beside the result: whether that can be written shows at once. */
enum as_exit as_recording_make_dir(struct as_recording *r);

/* From outside of the process, by perf events: recording_perf.c. Writes the result. */
enum as_exit as_recording_by_perf(struct as_recording *r);

/* Exact calls, as the program's compiler told of them: recording_calls.c. */
struct as_program;
struct as_launch;
enum as_exit as_recording_by_calls(struct as_recording *r, const struct as_program *program);
/* Runs L to its end. */
enum as_exit as_recording_run(struct as_recording *r, const struct as_launch *l);
/* Says that there is no library to preload. */
enum as_exit as_recording_no_library(const struct as_session *ses);

/* recording_missed.c: CPU time of children that were waited for, and what is told of what was not
 * recorded. WHY: what it may have been of, and what helps. */
double as_recording_children(void);
void as_recording_tell_missed(struct as_recording *r, double recorded, const char *why);
void as_recording_tell_living(struct as_recording *r);

/* Notes N of what WORDS, as as_arena_plural() has them, say; nothing of none. */
void as_recording_count(const struct as_recording *r, uint64_t n, const char *words);

/* BEFORE, then the program and its words, as execve() wants them; to be freed. */
char **as_recording_words(const struct as_recording *r, const char *const *before, size_t n_before);
/* What was typed, as one text in AR. */
struct as_slice as_recording_command(const struct as_recording *r, struct as_arena *ar);

/* Where the format that is wanted holds one part: whose a sample is becomes its labels, if it holds
 * those. What was typed is the command of that part, or stands beside those of several, and
 * DURATION is that of all, if it is not 0. */
enum as_exit as_recording_join(struct as_recording *r, struct as_profile **prof, int64_t duration);

/* Where no name was said, PROF of several processes or threads becomes a pprof file, whose labels
 * tell them apart. */
void as_recording_choose(struct as_recording *r, const struct as_profile *prof);

/* NAME in R's environment; NULL: it is not there. */
const char *as_recording_env(const struct as_recording *r, const char *name);

/* The path of the library to preload, into PATH; false: it is not installed. */
bool as_recording_library(char *path, size_t size);

#endif
