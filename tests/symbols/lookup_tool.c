/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup_tool [-t] [-s] [-n] [-d DEBUG_DIR] OBJECT < ADDRESSES
 *
 * The frames that as_elf_lookup() has for each hexadecimal address, innermost first:
 * "ADDRESS<tab>NAME<tab>FILE<tab>LINE", a line for each frame, or "ADDRESS<tab>-" where there is
 * none. -n: no inlined frames; -s: symbol tables only; -t: two threads. For tests and for the
 * benchmark, not installed.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/threads.h"
#include "symbols/elf/elf_file.h"

enum { THREADS = 2 };

static void run_threads(void *ctx, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	(void)ctx;
	as_threads_run(THREADS, task, arg, n);
}

static int cmp(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t *read_addresses(size_t *n)
{
	size_t cap = 1 << 16, out = 0;
	uint64_t *addr = malloc(cap * sizeof(*addr));
	char line[64];

	*n = 0;
	while (addr && fgets(line, sizeof(line), stdin)) {
		if (*n == cap) {
			uint64_t *more = realloc(addr, 2 * cap * sizeof(*addr));

			if (!more)
				break;
			addr = more;
			cap *= 2;
		}
		addr[(*n)++] = strtoull(line, NULL, 16);
	}
	if (addr)
		qsort(addr, *n, sizeof(*addr), cmp);
	for (size_t i = 0; i < *n; i++)
		if (!out || addr[out - 1] != addr[i])
			addr[out++] = addr[i];
	*n = out;
	return addr;
}

static void print(const struct as_symset *set, const uint64_t *addr, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (set->first.p[i] == set->first.p[i + 1])
			printf("%" PRIx64 "\t-\n", addr[i]);
		for (uint32_t f = set->first.p[i]; f < set->first.p[i + 1]; f++) {
			const struct as_symframe *frame = &set->frame.p[f];

			printf("%" PRIx64 "\t%.*s\t%.*s\t%" PRIu32 "\n", addr[i],
				AS_SLICE_FMT(as_strings_get(&set->str, frame->name)),
				AS_SLICE_FMT(as_strings_get(&set->str, frame->file)), frame->line);
		}
	}
}

static int lookup(const char *path, const struct as_elf_opts *opts, bool inlines)
{
	struct as_symset set;
	struct as_elf *elf = NULL;
	struct as_err err;
	size_t n;
	uint64_t *addr = read_addresses(&n);
	bool fine = addr && as_symset_init(&set, &as_alloc_libc);
	int status = 1;

	as_err_clear(&err);
	if (fine && as_elf_open(&elf, &as_alloc_libc, path, opts, &err) == AS_OK &&
		as_elf_lookup(elf, addr, n, inlines, &set, &err) == AS_OK) {
		print(&set, addr, n);
		fprintf(stderr, "build id %.*s\ndebug %.*s\ncomplaint %.*s\n",
			AS_SLICE_FMT(as_elf_facts(elf)->build_id),
			AS_SLICE_FMT(as_elf_debug_path(elf)),
			AS_SLICE_FMT(as_elf_facts(elf)->complaint));
		status = 0;
	} else {
		fprintf(stderr, "lookup_tool: %s\n", err.msg);
	}
	as_elf_close(elf);
	if (fine)
		as_symset_release(&set);
	free(addr);
	return status;
}

int main(int argc, char **argv)
{
	struct as_elf_opts opts = {.n_debug_dir = 0};
	const char *dir[8];
	bool inlines = true;
	int c;

	opts.debug_dir = dir;
	while ((c = getopt(argc, argv, "d:nst")) != -1) {
		if (c == 'd' && opts.n_debug_dir < AS_ARRAY_LEN(dir))
			dir[opts.n_debug_dir++] = optarg;
		else if (c == 'n')
			inlines = false;
		else if (c == 's')
			opts.no_debuginfo = true;
		else if (c == 't')
			opts.run = run_threads;
		else
			return 2;
	}
	return optind + 1 == argc ? lookup(argv[optind], &opts, inlines) : 2;
}
