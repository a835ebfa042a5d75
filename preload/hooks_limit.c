/* SPDX-License-Identifier: Apache-2.0 */
/* A limit of address space would count what the file has not grown into yet. */
#undef _FILE_OFFSET_BITS /* or one name would stand for the other */
#include <errno.h>

#include "preload/hooks.h"
#include "preload/sampler.h"

static int limit_hook_limit(pid_t pid, int resource, const void *to, void *old)
{
	long rc;

	if (resource == RLIMIT_AS && to)
		as_sampler_shrink();
	rc = as_raw(SYS_prlimit64, pid, resource, (long)to, (long)old, 0, 0);
	if (rc >= 0)
		return 0;
	errno = (int)-rc;
	return -1;
}

AS_HOOK int setrlimit(__rlimit_resource_t resource, const struct rlimit *to)
{
	return limit_hook_limit(0, (int)resource, to, NULL);
}

AS_HOOK int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *to)
{
	return limit_hook_limit(0, (int)resource, to, NULL);
}

AS_HOOK int prlimit(
	pid_t pid, enum __rlimit_resource resource, const struct rlimit *to, struct rlimit *old)
{
	return limit_hook_limit(pid, (int)resource, to, old);
}

AS_HOOK int prlimit64(
	pid_t pid, enum __rlimit_resource resource, const struct rlimit64 *to, struct rlimit64 *old)
{
	return limit_hook_limit(pid, (int)resource, to, old);
}
