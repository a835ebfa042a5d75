/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are unloaded, and system calls that are about to be forbidden. */
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
	rc = as_real_dlclose(handle);
	as_sampler_flush();
	return rc;
}

static long result(long rc)
{
	if (rc >= 0 || rc < -4095)
		return rc;
	errno = (int)-rc;
	return -1;
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
	return (int)result(as_raw(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3], 0));
}

AS_HOOK long syscall(long number, ...)
{
	long arg[6];
	va_list ap;

	va_start(ap, number);
	for (unsigned i = 0; i < 6; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_seccomp || (number == SYS_prctl && arg[0] == PR_SET_SECCOMP))
		as_sampler_sandbox();
	return result(as_raw(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]));
}
