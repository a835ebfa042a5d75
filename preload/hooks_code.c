/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are unloaded, and the right to make system calls. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "preload/hooks.h"
#include "preload/real.h"
#include "preload/sampler.h"

AS_HOOK int dlclose(void *handle)
{
	int rc;

	as_sampler_flush();
	rc = AS_REAL(dlclose)(handle);
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
