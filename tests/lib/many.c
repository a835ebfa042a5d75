/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program, for tests that run it many times: it is loaded once, and main() runs in a fork for
 * each line of standard input, whose words tabs separate. Of each run there is a line with the
 * process, its status, the most kB that were resident and how many bytes it printed, and then
 * those bytes.
 */
#define _GNU_SOURCE
int program_main(int argc, char **argv);
#define main program_main
#include "cli/main.c"
#undef main

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { WORDS_MAX = 64, BROKEN = 125 };

static void must(bool right, const char *what)
{
	if (!right) {
		perror(what);
		_exit(BROKEN);
	}
}

static int many_run(char *line, int out)
{
	static char name[] = "assay";
	char *word[WORDS_MAX + 1] = {name};
	int n = 1, none = open("/dev/null", O_RDONLY);

	for (char *rest = line, *w; (w = strsep(&rest, "\t")); word[n++] = w)
		must(n < WORDS_MAX, "words");
	must(none >= 0 && dup2(none, STDIN_FILENO) == STDIN_FILENO, "stdin");
	must(dup2(out, STDOUT_FILENO) == STDOUT_FILENO, "stdout");
	close(none);
	close(out);
	return program_main(n, word);
}

/* What a run left in OUT, which is empty then. */
static void many_print(int out)
{
	static char bytes[1 << 16];
	ssize_t n;

	must(lseek(out, 0, SEEK_SET) == 0, "memory");
	while ((n = read(out, bytes, sizeof(bytes))) > 0)
		must(fwrite(bytes, 1, (size_t)n, stdout) == (size_t)n, "stdout");
	must(n == 0 && !fflush(stdout), "stdout");
	must(!ftruncate(out, 0) && lseek(out, 0, SEEK_SET) == 0, "memory");
}

int main(void)
{
	int out = memfd_create("stdout", 0), status = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	must(out >= 0, "memory");
	while ((n = getline(&line, &room, stdin)) > 0) {
		struct rusage usage;
		pid_t pid;

		line[n - 1] = 0;
		pid = fork();
		if (pid == 0)
			exit(many_run(line, out));
		must(pid > 0 && wait4(pid, &status, 0, &usage) == pid, "process");
		printf("%d %d %ld %lld\n", (int)pid,
			WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
			usage.ru_maxrss, (long long)lseek(out, 0, SEEK_END));
		many_print(out);
	}
	free(line);
	return 0;
}
