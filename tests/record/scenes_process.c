/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: how they end, and their children. */
#define _GNU_SOURCE
#include "scenes.h"

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Ends without any destructor. */
void scene_exit_now(const char *arg)
{
	(void)arg;
	burn(300);
	_exit(0);
}

void scene_abort_now(const char *arg)
{
	(void)arg;
	burn(300);
	abort();
}

void scene_kill_self(const char *arg)
{
	(void)arg;
	burn(300);
	kill(getpid(), SIGKILL);
}

/* Signals are held back for a while, as where a virtual machine stands still. */
void scene_held(const char *arg)
{
	uint64_t prof = UINT64_C(1) << (SIGPROF - 1);

	(void)arg;
	burn(100);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &prof, NULL, sizeof(prof));
	burn(200);
	syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &prof, NULL, sizeof(prof));
	kill(getpid(), SIGKILL);
}

/* The child burns twice as much as its parent. */
void scene_fork_scene(const char *arg)
{
	pid_t pid;

	(void)arg;
	burn(200);
	pid = fork();
	if (pid == 0) {
		burn(400);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	printf("child %d\n", (int)pid);
}

/* N processes, as a tree, each of which burns. */
void scene_fork_tree(const char *arg)
{
	int depth = arg ? atoi(arg) : 4;
	pid_t child[2] = {0, 0};

	for (; depth > 0; depth--) {
		for (int i = 0; i < 2; i++) {
			child[i] = fork();
			if (child[i] == 0)
				break;
		}
		if (child[0] && child[1])
			break;
	}
	burn(30);
	while (wait(NULL) > 0)
		;
}

void scene_exec_scene(const char *arg)
{
	pid_t pid;

	(void)arg;
	burn(100);
	pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", "scenes", "loop", "300", (char *)NULL);
		_exit(9);
	}
	waitpid(pid, NULL, 0);
	printf("child %d\n", (int)pid);
}

/* Becomes itself, ARG times, by way of exec alone: one process, several programs. */
void scene_exec_chain(const char *arg)
{
	char left[16];
	int n = arg ? atoi(arg) : 1;

	burn(200);
	snprintf(left, sizeof(left), "%d", n - 1);
	if (n > 0)
		execl("/proc/self/exe", "scenes", "execchain", left, (char *)NULL);
	printf("process %d\n", (int)getpid());
}

void scene_spawn_scene(const char *arg)
{
	char *argv[] = {(char *)(uintptr_t) "scenes", (char *)(uintptr_t) "loop",
		(char *)(uintptr_t) "300", NULL};
	extern char **environ;
	pid_t pid;

	(void)arg;
	burn(100);
	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ))
		die("posix_spawn");
	waitpid(pid, NULL, 0);
	printf("child %d\n", (int)pid);
	pid = vfork();
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	burn(100);
}

/* No clock: even to ask for the time is forbidden there. */
APART static void count(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

/* A child that may only compute and write: anything else kills it. */
void scene_sandbox(const char *arg)
{
	int status = 0;
	pid_t pid;

	(void)arg;
	burn(50);
	pid = fork();
	if (pid == 0) {
		if (prctl(PR_SET_SECCOMP, 1 /* strict */, 0, 0, 0))
			_exit(8);
		count(400000000);
		syscall(SYS_exit, 0);
	}
	waitpid(pid, &status, 0);
	printf("child %d status %d\n", (int)pid, status);
}

/* Closes everything that it did not open, as daemons do. */
void scene_close_all(const char *arg)
{
	(void)arg;
	burn(100);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	burn(200);
}

void scene_change_directory(const char *arg)
{
	(void)arg;
	burn(100);
	if (chdir("/"))
		die("chdir");
	burn(100);
}
