/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/memory.h"

#include <errno.h>
#include <string.h>

#include "preload/raw.h"

static const void *memory_pointer(uint64_t addr)
{
	return (const void *)(uintptr_t)addr; /* NOLINT(performance-no-int-to-ptr): an address */
}

/* Some sandboxes refuse process_vm_readv() even of the own process. */
static bool copy_by_file(uint64_t addr, void *p, size_t n)
{
	int fd = as_raw_open("/proc/self/mem", O_RDONLY, 0);
	long got;

	if (fd < 0)
		return false;
	got = as_raw(SYS_pread64, fd, (long)p, (long)n, (long)addr, 0, 0);
	as_raw_close(fd);
	return got == (long)n;
}

bool as_memory_copy(uint64_t addr, void *p, size_t n)
{
	struct iovec to = {p, n}, from = {(void *)(uintptr_t)memory_pointer(addr), n};
	long got = as_raw(SYS_process_vm_readv, as_raw_pid(), (long)&to, 1, (long)&from, 1, 0);

	if (got == -EPERM || got == -ENOSYS)
		return copy_by_file(addr, p, n);
	return got == (long)n;
}

static bool memory_within(uint64_t addr, uint64_t lo, uint64_t hi)
{
	return addr >= lo && addr < hi && hi - addr >= sizeof(uint64_t);
}

/* As much as there is from ADDR on, up to the end of the page if the next one is not there. */
static bool move_window(struct as_memory *m, uint64_t addr)
{
	uint64_t page = 4096 - addr % 4096;

	m->window = addr;
	m->n_window = AS_WINDOW;
	if (as_memory_copy(addr, m->bytes, AS_WINDOW))
		return true;
	m->n_window = page < AS_WINDOW ? page : 0;
	if (m->n_window >= sizeof(uint64_t) && as_memory_copy(addr, m->bytes, m->n_window))
		return true;
	m->n_window = 0;
	return false;
}

bool as_memory_read(void *ctx, uint64_t addr, uint64_t *value)
{
	struct as_memory *m = ctx;

	if (memory_within(addr, m->lo, m->hi) || memory_within(addr, m->alt_lo, m->alt_hi)) {
		memcpy(value, memory_pointer(addr), sizeof(*value));
		return true;
	}
	if (!memory_within(addr, m->window, m->window + m->n_window) &&
		(!m->syscalls || !move_window(m, addr)))
		return false;
	memcpy(value, m->bytes + (addr - m->window), sizeof(*value));
	return true;
}

bool as_memory_fetch_direct(void *ctx, uint64_t addr, void *p, size_t n)
{
	(void)ctx;
	memcpy(p, memory_pointer(addr), n);
	return true;
}

bool as_memory_fetch_careful(void *ctx, uint64_t addr, void *p, size_t n)
{
	(void)ctx;
	return as_memory_copy(addr, p, n);
}
