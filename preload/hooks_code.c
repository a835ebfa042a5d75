/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are unloaded, and the right to make system calls. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "preload/calls.h"
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

#define PAGE_BITS UINT64_C(4095) /* a mapping begins with its page */

static int code_hook_add_passing(struct dl_phdr_info *info, size_t n, void *ctx)
{
	uint64_t *sum = ctx;

	(void)n;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + ph->p_vaddr, end = start + ph->p_memsz;

		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_X))
			*sum += as_objects_passing(&as_sampler.objects, start & ~PAGE_BITS, end);
	}
	return 0;
}

/* Whether code of a file is known that is of no library which is loaded. */
static bool code_hook_anything_gone(void)
{
	uint64_t all = as_objects_passing(&as_sampler.objects, 0, UINT64_MAX), loaded = 0;

	if (all)
		dl_iterate_phdr(code_hook_add_passing, &loaded);
	return loaded != all;
}

/*
 * The list of mappings is long in some programs. What goes must be in it if it may have been
 * sampled, and must not be in it afterwards: that no sample met code that is not in it, and that
 * nothing goes that is, are the usual cases.
 */
AS_HOOK int dlclose(void *handle)
{
	static _Atomic uint64_t adds_seen, deep_seen;
	uint64_t deep = atomic_load(&as_sampler.deep);
	struct dl_phdr_info before = count_libraries(), after;
	int rc;

	if ((atomic_load(&as_sampler.missed) || atomic_load(&deep_seen) != deep) &&
		atomic_load(&adds_seen) != before.dlpi_adds) {
		as_sampler_flush();
		atomic_store(&adds_seen, before.dlpi_adds);
	}
	atomic_store(&deep_seen, deep);
	rc = AS_REAL(dlclose)(handle);
	after = count_libraries();
	if (after.dlpi_subs != before.dlpi_subs) {
		as_calls_forget();
		as_jump_hook_forget();
	}
	if (after.dlpi_subs != before.dlpi_subs &&
		(after.dlpi_adds != before.dlpi_adds || code_hook_anything_gone()))
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
