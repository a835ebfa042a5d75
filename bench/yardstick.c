/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The yardstick: parse every decimal number in the bytes of a file and add
 * them up, one byte after the other, no tricks. A text profile is mostly
 * decimal numbers, so this is about what any plain reader must do; a reader's
 * time is quoted as a multiple of it.
 *
 *	yardstick FILE
 *
 * prints the sum (or else the compiler could drop the loop), bytes and MB/s.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* What is carried from one window into the next: a number may straddle the edge. */
struct scan {
	uint64_t number, sum;
};

static void scan(struct scan *s, const unsigned char *p, const unsigned char *end)
{
	uint64_t number = s->number;
	uint64_t sum = s->sum;

	for (; p < end; p++) {
		unsigned digit = *p - (unsigned)'0';

		if (digit < 10) {
			number = number * 10 + digit;
		} else {
			sum += number;
			number = 0;
		}
	}
	s->number = number;
	s->sum = sum;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	static unsigned char window[1 << 20]; /* stays in the cache between read and scan */
	struct scan s = {0, 0};
	uint64_t bytes = 0;
	double start = now();
	double seconds;
	ssize_t n;
	int fd;

	if (argc != 2) {
		fputs("usage: yardstick FILE\n", stderr);
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		perror(argv[1]);
		return 3;
	}
	while ((n = read(fd, window, sizeof(window))) > 0) {
		scan(&s, window, window + n);
		bytes += (uint64_t)n;
	}
	if (n < 0) {
		perror(argv[1]);
		return 3;
	}
	close(fd);
	seconds = now() - start;
	printf("sum %" PRIu64 " bytes %" PRIu64 " seconds %.4f MB/s %.0f\n", s.sum + s.number,
		bytes, seconds, (double)bytes / 1e6 / seconds);
	return 0;
}
