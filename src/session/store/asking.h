/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of a fleet as inputs: "store:NAME?service=api". Host only. */
#ifndef AS_SESSION_STORE_ASKING_H
#define AS_SESSION_STORE_ASKING_H

#include "session/load.h"

/* Whether PATH is "store:...". */
bool as_fleet_input_is(const char *path);
/* LD becomes what the store PATH answers: all that the query, --since, --until and --host
 * choose. */
void as_fleet_input_load(const struct as_session *ses, const char *path,
	const struct as_load_opts *opts, struct as_loaded *ld);

#endif
