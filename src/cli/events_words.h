/* SPDX-License-Identifier: Apache-2.0 */
/* Which events are to be counted, as options name them. */
#ifndef AS_CLI_EVENTS_WORDS_H
#define AS_CLI_EVENTS_WORDS_H

#include "cli/cli.h"
#include "record/events/perf_kinds.h"

/* TEXT is "EVENT[:PERIOD],..."; RATE: a frequency was given, which is of those without a period. */
enum as_exit as_cli_events(
	struct as_cli *cli, const char *text, bool rate, struct as_perf_events *events);

#endif
