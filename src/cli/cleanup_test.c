/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupted run leaves the old file and nothing else. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "cli/cli.h"
#include "session/save.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/scratch.h"

static int leave_scratch(void **state)
{
	(void)unlink("one");
	return chdir("/") || rmdir(*state) ? -1 : 0;
}

/* In a child: open two outputs, write, and be hit by SIG; with HELD, while they change. */
static void be_hit(int sig, bool held)
{
	static struct as_out_file files[2];
	struct as_err err;

	as_cleanup(NULL, files, 2);
	as_cleanup_hold(NULL, true);
	if (as_out_file_open(&files[0], &as_alloc_libc, "one", true, &err) != AS_OK ||
		as_out_file_open(&files[1], &as_alloc_libc, "two", true, &err) != AS_OK)
		_exit(99);
	if (held)
		raise(sig);
	as_cleanup_hold(NULL, false);
	if (files[0].sink.write(&files[0].sink, "new", 3) || scratch_count() > 3)
		_exit(98);
	raise(sig);
	_exit(97);
}

static void test_temporaries_go_and_the_signal_is_passed_on(void **state)
{
	static const int sigs[] = {SIGINT, SIGTERM, SIGHUP};
	FILE *f = fopen("one", "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	for (size_t i = 0; i < 2 * AS_ARRAY_LEN(sigs); i++) {
		pid_t child = fork();
		int status;

		assert_true(child >= 0);
		if (child == 0) {
			signal(sigs[i / 2], SIG_DFL); /* nohup ignores one of them */
			be_hit(sigs[i / 2], i % 2);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), sigs[i / 2]);
		assert_int_equal(scratch_count(), 1);
	}
}

static void test_an_ignored_signal_stays_ignored(void **state)
{
	static struct as_out_file files[1];
	void (*old)(int) = signal(SIGHUP, SIG_IGN);

	(void)state;
	as_cleanup(NULL, files, 1);
	assert_int_equal(raise(SIGHUP), 0);
	as_cleanup(NULL, NULL, 0);
	assert_ptr_equal(signal(SIGHUP, old), SIG_IGN);
}

int cleanup_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_temporaries_go_and_the_signal_is_passed_on),
		cmocka_unit_test(test_an_ignored_signal_stays_ignored),
	};

	return cmocka_run_group_tests(tests, scratch_enter, leave_scratch);
}
