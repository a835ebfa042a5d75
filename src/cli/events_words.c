/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/events_words.h"

enum as_exit as_cli_events(
	struct as_cli *cli, const char *text, bool rate, struct as_perf_events *events)
{
	struct as_err err = AS_ERR_NONE;
	char here[384], hint[512];

	if (as_perf_events_parse(as_slice_of(text), events, &err) != AS_OK) {
		as_perf_kinds_here(here, sizeof(here));
		snprintf(hint, sizeof(hint), "this machine counts %s", here);
		return as_say_usage(&cli->ses, err.msg, hint);
	}
	if (rate && !as_perf_events_by_frequency(events))
		return as_say_usage(&cli->ses,
			"'--frequency' is of events without a period, and all of them have one",
			"for instance -F 99 -e cpu-clock,page-faults:100");
	return AS_EXIT_OK;
}
