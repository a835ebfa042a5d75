/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process may become another program, and that one another: each leaves a file of its own. What
 * was written to the name since the process began is an earlier program's, and is kept.
 */
#include "preload/sampler.h"

enum { STAT_MAX = 1024, START_FIELD = 22, TICK = 10000000, NAMES = 1000 };

/* When the process began, in ns of CLOCK_BOOTTIME; 0: not known. */
static uint64_t process_start(void)
{
	char text[STAT_MAX];
	int fd = as_raw_open("/proc/self/stat", O_RDONLY, 0);
	long n = fd >= 0 ? as_raw_read(fd, text, sizeof(text) - 1) : 0;
	uint64_t ticks = 0;
	const char *p;

	if (fd >= 0)
		as_raw_close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	p = strrchr(text, ')'); /* the name may hold anything; field 3 is behind it */
	for (unsigned field = 2; p && field < START_FIELD; field++)
		p = strchr(p + 1, ' ');
	for (p = p ? p + 1 : ""; *p >= '0' && *p <= '9'; p++)
		ticks = ticks * 10 + (uint64_t)(*p - '0');
	return ticks * TICK;
}

static uint64_t exec_nanoseconds(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

static bool is_earlier(const char *path, uint64_t age)
{
	uint64_t now = as_raw_clock(CLOCK_REALTIME);
	struct stat st;

	return as_raw3(SYS_stat, (long)path, (long)&st, 0) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size > 0 && now < exec_nanoseconds(&st.st_mtim) + age;
}

void as_exec_name(char *path, size_t size)
{
	uint64_t start = process_start(), age = as_raw_clock(CLOCK_BOOTTIME) - start + TICK;
	struct as_words w = {path, strlen(path), size - 1};
	size_t n = w.n;

	for (unsigned i = 2; start && i < NAMES && is_earlier(path, age); i++) {
		w.n = n;
		as_puts(&w, ".");
		as_put_dec(&w, i);
		path[w.n] = '\0';
	}
}
