/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables of gperftools' profiler; see docs/record.md. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "preload/calls.h"
#include "preload/real.h"
#include "preload/sampler.h"

enum { SIGNALS = 64 };

/* The profile that CPUPROFILESIGNAL starts and stops. */
static struct as_start wanted;
static char wanted_path[PATH_MAX], toggled_path[PATH_MAX];
static unsigned toggles;

/* A number in [1, max], or OTHERWISE. */
static uint64_t env_number(const char *name, uint64_t max, uint64_t otherwise)
{
	const char *text = getenv(name);
	uint64_t v = 0;

	if (!text || !*text)
		return otherwise;
	for (; *text >= '0' && *text <= '9' && v <= max; text++)
		v = v * 10 + (uint64_t)(*text - '0');
	return *text || v < 1 || v > max ? otherwise : v;
}

void as_env_clock(struct as_start *start)
{
	start->hz = env_number("CPUPROFILE_FREQUENCY", INT_MAX, AS_HZ_DEFAULT);
	if (start->hz > AS_HZ_MAX)
		start->hz = AS_HZ_MAX;
	start->wall = getenv("CPUPROFILE_REALTIME") != NULL;
	start->begin = env_number("ASSAY_BEGIN", UINT64_MAX / 16, 0);
	start->max_bytes = env_number("ASSAY_MAX_BYTES", UINT64_MAX / 16, 0);
	start->timed = getenv("ASSAY_TIMES") != NULL;
	start->threads = getenv("ASSAY_THREADS") != NULL;
	start->signal = (int)env_number("CPUPROFILE_TIMER_SIGNAL", SIGNALS, SIGPROF);
}

static void put_env(struct as_words *w, const char *before, const char *name)
{
	const char *value = getenv(name);

	if (!value || !*value)
		return;
	as_puts(w, before);
	as_puts(w, value);
}

static bool env_is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* CPUPROFILE's value, with what makes it unique among processes that have it in common. */
static void make_path(const char *path, bool with_pid)
{
	struct as_words w = {wanted_path, 0, sizeof(wanted_path) - 1};

	as_puts(&w, path);
	if (env_is_set("PMIX_RANK"))
		put_env(&w, ".rank-", "PMIX_RANK");
	else if (env_is_set("PMI_RANK"))
		put_env(&w, ".rank-", "PMI_RANK");
	else if (env_is_set("SLURM_JOB_ID"))
		put_env(&w, ".slurmid-", "SLURM_PROCID");
	else
		with_pid |= env_is_set("OMPI_HOME");
	if (with_pid) {
		as_puts(&w, "_");
		as_put_dec(&w, (uint64_t)as_raw_pid());
	}
	w.p[w.n] = '\0';
}

static void env_toggle(int number_of_signal)
{
	struct as_words w = {toggled_path, 0, sizeof(toggled_path) - 1};

	(void)number_of_signal;
	if (atomic_load(&as_sampler.active)) {
		as_sampler_stop();
		return;
	}
	as_puts(&w, wanted_path);
	as_puts(&w, ".");
	as_put_dec(&w, toggles++);
	w.p[w.n] = '\0';
	wanted.path = toggled_path;
	as_sampler_start(&wanted);
}

static bool toggle_by(int signal_number)
{
	struct sigaction act = {.sa_handler = env_toggle, .sa_flags = SA_RESTART}, old;

	sigfillset(&act.sa_mask);
	if (AS_REAL(sigaction)(signal_number, NULL, &old) != 0)
		return false;
	if ((old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) {
		as_complain("no profile: the signal of CPUPROFILESIGNAL has a handler already", "");
		return false;
	}
	return AS_REAL(sigaction)(signal_number, &act, NULL) == 0;
}

/*
 * A program may be linked with libprofiler. It begins first, if CPUPROFILE is set, and leaves a
 * mark in the name's first byte; two profilers can't share the signal, so it has to end.
 */
static const char *wanted_file(void)
{
	static char plain[PATH_MAX];
	const char *ours = getenv("ASSAY_PROFILE"),
		   *path = ours && *ours ? ours : getenv("CPUPROFILE");
	void (*stop)(void);
	void *p;

	if (!path || !((unsigned char)*path & 0x80))
		return path;
	p = dlsym(RTLD_NEXT, "ProfilerStop");
	if (!p || strlen(path) >= sizeof(plain))
		return path;
	memcpy(&stop, &p, sizeof(stop));
	stop();
	memcpy(plain, path, strlen(path) + 1);
	plain[0] = (char)((unsigned char)*path & 0x7f);
	setenv(ours && *ours ? "ASSAY_PROFILE" : "CPUPROFILE", plain, 1);
	return plain;
}

__attribute__((constructor)) static void env_begin(void)
{
	const char *path = wanted_file();
	int by = (int)env_number("CPUPROFILESIGNAL", SIGNALS, 0);
	bool child = getenv("CPUPROFILE_USE_PID") != NULL;

	as_sampler_ready();
	if (!path || !*path || getauxval(AT_SECURE))
		return;
	make_path(path, child);
	as_env_clock(&wanted);
	wanted.path = wanted_path;
	wanted.child = child;
	setenv("CPUPROFILE_USE_PID", "1", 1);
	if (as_objects_refresh(&as_sampler.objects, NULL, NULL))
		as_objects_settle(&as_sampler.objects);
	if (env_is_set("CPUPROFILESIGNAL")) {
		if (!by || by == wanted.signal || !toggle_by(by))
			as_complain("CPUPROFILESIGNAL is not a signal that can be used: ",
				getenv("CPUPROFILESIGNAL"));
		return;
	}
	as_sampler_start(&wanted);
}

__attribute__((destructor)) static void env_end(void)
{
	as_calls_finish();
	as_sampler_stop();
}
