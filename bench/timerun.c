/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command and says what it took.
 *
 *	timerun [-n TIMES] -o RESULT COMMAND ARG...
 *
 * One line per run goes to RESULT: wall, user and system seconds, peak memory
 * in KiB (of the largest process, children included), exit status.
 *
 * A process of its own, because Linux counts what a child was before exec:
 * started by an interpreter, the smallest program seems to need the
 * interpreter's memory, and its start-up time is measured through that too.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int run_once(FILE *result, char **command)
{
	struct rusage usage;
	double start = now();
	double wall;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0) {
		perror("timerun");
		return -1;
	}
	wall = now() - start;
	fprintf(result, "%.6f %.6f %.6f %ld %d\n", wall, seconds(usage.ru_utime),
		seconds(usage.ru_stime), usage.ru_maxrss,
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	long times = 1;
	FILE *result;
	int c;

	while ((c = getopt(argc, argv, "+n:o:")) != -1) {
		if (c == 'n')
			times = strtol(optarg, NULL, 10);
		else if (c == 'o')
			path = optarg;
		else
			return 2;
	}
	if (!path || optind == argc || times < 1) {
		fputs("usage: timerun [-n TIMES] -o RESULT COMMAND ARG...\n", stderr);
		return 2;
	}
	result = fopen(path, "we");
	if (!result) {
		perror(path);
		return 6;
	}
	while (times-- > 0)
		if (run_once(result, argv + optind))
			return 3;
	if (fclose(result)) {
		perror(path);
		return 6;
	}
	return 0;
}
