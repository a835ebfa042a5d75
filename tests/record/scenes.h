/* SPDX-License-Identifier: Apache-2.0 */
/* What the scenes have in common; see scenes.c. */
#ifndef TESTS_RECORD_SCENES_H
#define TESTS_RECORD_SCENES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "assay/profiler.h"

/* The library is preloaded, unless the program is linked with it. */
#pragma weak ProfilerStart
#pragma weak ProfilerStartWithOptions
#pragma weak ProfilerStop
#pragma weak ProfilerFlush
#pragma weak ProfilerGetCurrentState
#pragma weak ProfilerGetStackTrace

#define APART __attribute__((noinline, noclone))

extern _Thread_local volatile uint64_t sink; /* what is computed goes here, so that it is */

double seconds(clockid_t clock);
void die(const char *what);

/* They use CPU time of the calling thread, MS milliseconds. */
void burn(double ms);
void half(double ms);
void third(double ms);
void seventh(double ms);
void twentieth(double ms);

/* A thread of the calibrated scene; ARG: double, milliseconds. */
void *thread_shares(void *arg);

void scene_abort_now(const char *arg);
void scene_api(const char *arg);
void scene_beat(const char *arg);
void scene_blocked(const char *arg);
void scene_calibrated(const char *arg);
void scene_calls(const char *arg);
void scene_change_directory(const char *arg);
void scene_chroot(const char *arg);
void scene_close_all(const char *arg);
void scene_coroutines(const char *arg);
void scene_confined(const char *arg);
void scene_daemon(const char *arg);
void scene_deep(const char *arg);
void scene_edge_of_code(const char *arg);
void scene_exec_chain(const char *arg);
void scene_exec_other(const char *arg);
void scene_exec_scene(const char *arg);
void scene_exit_now(const char *arg);
void scene_filtered(const char *arg);
void scene_flushed(const char *arg);
void scene_fork_crowd(const char *arg);
void scene_fork_scene(const char *arg);
void scene_fork_tree(const char *arg);
void scene_handler(const char *arg);
void scene_idle(const char *arg);
void scene_in_step(const char *arg);
void scene_jit(const char *arg);
void scene_jit_crowd(const char *arg);
void scene_jit_named(const char *arg);
void scene_kill_self(const char *arg);
void scene_late_start(const char *arg);
void scene_limited(const char *arg);
void scene_loop(const char *arg);
void scene_many_mappings(const char *arg);
void scene_many_steps(const char *arg);
void scene_many_threads(const char *arg);
void scene_off_cpu(const char *arg);
void scene_own_handler_first(const char *arg);
void scene_own_timer(const char *arg);
void scene_plugin_crowd(const char *arg);
void scene_plugin_loop(const char *arg);
void scene_phases(const char *arg);
void scene_plugins(const char *arg);
void scene_held(const char *arg);
void scene_raw_fork(const char *arg);
void scene_raw_thread(const char *arg);
void scene_sandbox(const char *arg);
void scene_sandbox_filter(const char *arg);
void scene_shares(const char *arg);
void scene_single(const char *arg);
void scene_sleeper(const char *arg);
void scene_sorting(const char *arg);
void scene_spawn_scene(const char *arg);
void scene_stack(const char *arg);
void scene_stack_end(const char *arg);
void scene_stack_ends(const char *arg);
void scene_start_stop(const char *arg);
void scene_storm(const char *arg);
void scene_unyielding(const char *arg);
void scene_waits(const char *arg);
void scene_walk(const char *arg);
void scene_work(const char *arg);

#endif
