/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"

/* What a child that asserts COUNT == 3 says before it ends; *STATUS is how it does. */
static size_t say(int count, int *status, char *text, size_t size)
{
	int fd[2];
	ssize_t n;
	pid_t child;

	assert_int_equal(pipe(fd), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		signal(SIGABRT, SIG_DFL);
		dup2(fd[1], 2);
		as_assert(count == 3);
		_exit(0);
	}
	close(fd[1]);
	n = read(fd[0], text, size - 1);
	close(fd[0]);
	text[n > 0 ? n : 0] = 0;
	assert_int_equal(waitpid(child, status, 0), child);
	return (size_t)n;
}

static void test_what_does_not_hold_is_said_and_aborts(void **state)
{
	char text[400];
	int status;

	(void)state;
	say(4, &status, text, sizeof(text));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	assert_non_null(strstr(text, "assert_test.c:"));
	assert_non_null(strstr(text, "count == 3"));
}

static void test_what_holds_is_silent(void **state)
{
	char text[400];
	int status;

	(void)state;
	assert_int_equal(say(3, &status, text, sizeof(text)), 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int assert_tests(void);

int assert_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_does_not_hold_is_said_and_aborts),
		cmocka_unit_test(test_what_holds_is_silent),
	};

	return cmocka_run_group_tests_name("assert", tests, NULL, NULL);
}
