/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's names. There are more than a hundred thousand, and to read them takes longer than
 * all else that is done for a minute; so they are kept. What a kernel that runs gets is modules,
 * which have a list of their own, and what it makes itself, as for BPF, of which there are records.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "daemon/daemon_impl.h"

/* "NAME SIZE USES USERS STATE ADDRESS": all but who uses it. */
static uint64_t kernel_module(struct as_slice line)
{
	struct as_slice word, last = {NULL, 0};
	uint64_t hash = 0;

	for (unsigned i = 0; as_slice_word(&line, &word); i++) {
		if (i < 2)
			hash = as_hash_mix(hash, as_hash_bytes(word.p, word.len));
		last = word;
	}
	return as_hash_mix(hash, as_hash_bytes(last.p, last.len));
}

static uint64_t kernel_modules(void)
{
	FILE *f = fopen("/proc/modules", "re");
	uint64_t hash = 0;
	char line[4096];

	while (f && fgets(line, sizeof(line), f))
		hash = as_hash_mix(hash, kernel_module(as_slice_of(line)));
	if (f)
		fclose(f);
	return hash;
}

struct as_kept_names *as_daemon_kernel(struct as_daemon *d, bool changed)
{
	uint64_t modules = kernel_modules();

	if (d->names && !changed && modules == d->modules)
		return d->names;
	as_kept_names_free(d->names);
	d->names = as_kept_names_new(d->ses->al);
	d->modules = modules;
	return d->names;
}
