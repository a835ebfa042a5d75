/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signal is shared: the program may have a handler for it, and is told of its own one only.
 * It can't block it while a profile is made, because then nothing would be sampled.
 */
#include <errno.h>

#include "preload/hooks.h"
#include "preload/real.h"
#include "preload/sampler.h"

AS_HOOK int sigaction(
	int number, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	struct sigaction before = as_sampler.before, wanted;

	if (!as_sampler.installed || number != as_sampler.signal || !as_sampler_is_here())
		return AS_REAL(sigaction)(number, act, old);
	if (act) {
		wanted = *act;
		as_handler_set(&wanted);
	}
	if (old)
		*old = before;
	return 0;
}

AS_HOOK void (*signal(int number, void (*handler)(int)))(int)
{
	struct sigaction act = {.sa_flags = SA_RESTART}, old;

	act.sa_handler = handler;
	sigemptyset(&act.sa_mask);
	sigaddset(&act.sa_mask, number);
	if (sigaction(number, &act, &old) != 0)
		return SIG_ERR;
	return old.sa_handler;
}

/* SET without our signal, if that would be blocked. */
static const sigset_t *signal_hook_without_ours(int how, const sigset_t *set, sigset_t *copy)
{
	if (!set || how == SIG_UNBLOCK || !atomic_load(&as_sampler.active) ||
		sigismember(set, as_sampler.signal) != 1)
		return set;
	*copy = *set;
	sigdelset(copy, as_sampler.signal);
	return copy;
}

AS_HOOK int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	sigset_t copy;

	return AS_REAL(pthread_sigmask)(how, signal_hook_without_ours(how, set, &copy), old);
}

AS_HOOK int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	int rc = pthread_sigmask(how, set, old);

	if (rc == 0)
		return 0;
	errno = rc;
	return -1;
}
