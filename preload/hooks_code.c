/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are unloaded, and the right to make system calls. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "preload/hooks.h"
#include "preload/real.h"
#include "preload/sampler.h"

static int code_hook_take_counts(struct dl_phdr_info *info, size_t n, void *ctx)
{
	struct dl_phdr_info *out = ctx;

	(void)n;
	*out = *info;
	return 1;
}

/* How many libraries were loaded and unloaded so far: dlpi_adds and dlpi_subs. */
static struct dl_phdr_info count_libraries(void)
{
	struct dl_phdr_info info = {.dlpi_adds = 0};

	dl_iterate_phdr(code_hook_take_counts, &info);
	return info;
}

/*
 * The list of mappings is long in some programs. What goes must be in it if it may have been
 * sampled, and must not be in it afterwards; that nothing goes is the usual case.
 */
AS_HOOK int dlclose(void *handle)
{
	static _Atomic uint64_t samples_seen, adds_seen;
	uint64_t samples = atomic_load(&as_sampler.samples);
	struct dl_phdr_info before = count_libraries();
	int rc;

	if (atomic_load(&samples_seen) != samples && atomic_load(&adds_seen) != before.dlpi_adds) {
		as_sampler_flush();
		atomic_store(&adds_seen, before.dlpi_adds);
	}
	atomic_store(&samples_seen, samples);
	rc = AS_REAL(dlclose)(handle);
	if (count_libraries().dlpi_subs != before.dlpi_subs)
		as_sampler_flush();
	return rc;
}

AS_HOOK int prctl(int option, ...)
{
	long arg[4];
	va_list ap;

	va_start(ap, option);
	for (unsigned i = 0; i < 4; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (option == PR_SET_SECCOMP)
		as_sampler_sandbox();
	return (int)as_raw_result(as_raw(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3], 0));
}
