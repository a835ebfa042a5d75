/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of gperftools' profiler. */
#include "assay/profiler.h"

#include <string.h>

#include "preload/hooks.h"
#include "preload/sampler.h"

AS_HOOK int ProfilerStartWithOptions(const char *path, const struct ProfilerOptions *options)
{
	struct as_start start = {.path = path};

	if (!path)
		return 0;
	as_env_clock(&start);
	if (options) {
		start.filter = options->filter_in_thread;
		start.filter_arg = options->filter_in_thread_arg;
	}
	return as_sampler_start(&start);
}

AS_HOOK int ProfilerStart(const char *path)
{
	return ProfilerStartWithOptions(path, NULL);
}

AS_HOOK void ProfilerStop(void)
{
	as_sampler_stop();
}

AS_HOOK void ProfilerFlush(void)
{
	as_sampler_flush();
}

AS_HOOK void ProfilerEnable(void)
{
}

AS_HOOK void ProfilerDisable(void)
{
}

AS_HOOK int ProfilingIsEnabledForAllThreads(void)
{
	return atomic_load(&as_sampler.active) != 0;
}

AS_HOOK void ProfilerRegisterThread(void)
{
	if (!atomic_load(&as_sampler.active))
		return;
	as_thread_begin(0, 0, 0);
	as_thread_watch();
}

AS_HOOK void ProfilerGetCurrentState(struct ProfilerState *state)
{
	struct as_sampler *s = &as_sampler;
	uint64_t samples = atomic_load(&s->samples);

	memset(state, 0, sizeof(*state));
	state->enabled = atomic_load(&s->active) != 0;
	if (!state->enabled)
		return;
	state->start_time = (time_t)(s->started_at / 1000000000u);
	memcpy(state->profile_name, s->path, strnlen(s->path, sizeof(state->profile_name) - 1));
	state->samples_gathered = samples < INT_MAX ? (int)samples : INT_MAX;
}

AS_HOOK int ProfilerGetStackTrace(void **result, int max_depth, int skip_count, const void *context)
{
	struct as_bench *b = NULL;
	struct as_walk *w;
	ucontext_t here;
	int n = 0;

	if (!context) {
		getcontext(&here);
		context = &here;
	}
	for (unsigned i = 0; i < AS_BENCHES && !b; i++)
		if (as_try_lock(&as_sampler.bench[i].busy))
			b = &as_sampler.bench[i];
	if (!b)
		return 0;
	w = as_walk_of(b);
	as_handler_bounds(&w->mem, as_thread_mine(), context);
	as_unwind(&as_sampler.unwinder, w, context);
	for (size_t i = skip_count > 0 ? (size_t)skip_count : 0; i < w->n && n < max_depth; i++)
		if (w->pc[i] != AS_PC_TRUNCATED)
			memcpy(&result[n++], &w->pc[i], sizeof(*result));
	atomic_store(&b->busy, 0);
	return n;
}
