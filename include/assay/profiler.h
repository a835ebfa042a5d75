/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The in-process sampler, libassay-profiler: the functions of gperftools' CPU profiler, with the
 * same names, types and meaning. Programs that are written for <gperftools/profiler.h> need not
 * be changed or compiled anew. Link with -lassay-profiler, or preload the library.
 *
 * All threads are sampled, from the start. Every function may be called from any thread.
 */
#ifndef ASSAY_PROFILER_H
#define ASSAY_PROFILER_H

#ifndef BASE_PROFILER_H_ /* gperftools' own header declares the same */

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ProfilerOptions {
	/*
	 * Called at each sample, in the signal handler, in the thread that is sampled; what it
	 * does must be async-signal-safe. Zero: the sample is not counted. NULL: all are.
	 */
	int (*filter_in_thread)(void *arg);
	void *filter_in_thread_arg;
};

struct ProfilerState {
	int enabled;             /* a profile is being made */
	time_t start_time;       /* seconds since 1970 */
	char profile_name[1024]; /* the file; cut if it is longer */
	int samples_gathered;    /* so far */
};

/*
 * Begins a profile in the file FNAME, which is replaced. CPUPROFILE_FREQUENCY,
 * CPUPROFILE_REALTIME and CPUPROFILE_TIMER_SIGNAL are heeded.
 * Nonzero: it has begun. Zero: it has not; a profile is being made already, or stderr says why.
 */
int ProfilerStart(const char *fname);

/* The same; OPTIONS may be NULL. */
int ProfilerStartWithOptions(const char *fname, const struct ProfilerOptions *options);

/* Ends the profile. The file is complete when this returns. */
void ProfilerStop(void);

/* The file is readable at any time; this brings the list of mapped code in it up to date. */
void ProfilerFlush(void);

/* These do nothing, as gperftools' do. */
void ProfilerEnable(void);
void ProfilerDisable(void);

/* Nonzero while a profile is made. */
int ProfilingIsEnabledForAllThreads(void);

/* Samples the calling thread, too, if it was made by other means than pthread_create(). */
void ProfilerRegisterThread(void);

/* Fills STATE, which the caller owns. */
void ProfilerGetCurrentState(struct ProfilerState *state);

/*
 * The call chain of CONTEXT, a signal handler's ucontext_t; NULL: of the caller. At most
 * MAX_DEPTH addresses go into RESULT, leaf first, without the first SKIP_COUNT. Returns how many.
 * Async-signal-safe.
 */
int ProfilerGetStackTrace(void **result, int max_depth, int skip_count, const void *context);

#ifdef __cplusplus
}
#endif

#endif
#endif
