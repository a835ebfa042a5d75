/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of a fleet as inputs: "store:NAME?service=api". Host only. */
#ifndef AS_SESSION_STORE_ASKING_H
#define AS_SESSION_STORE_ASKING_H

#include "fleet/fleet_lists.h"
#include "session/load.h"

struct as_fleet_runs {
	AS_VEC(const char *) path;
};

/* Whether PATH is "store:...". */
bool as_fleet_input_is(const char *path);
/* LD becomes what the store PATH answers: what its query, --since, --until and --host choose. */
void as_fleet_input_load(const struct as_session *ses, const char *path,
	const struct as_load_opts *opts, struct as_loaded *ld);

/* FILES, each store among them that does not name a host as so many inputs as it has hosts: runs of
 * a comparison. Texts are ARENA's, OUT is the session's allocator's. */
enum as_exit as_fleet_input_runs(const struct as_session *ses, struct as_files files,
	struct as_arena *arena, struct as_fleet_runs *out);

/* What the store PATH has to choose from, whatever its query chooses. Says what went wrong. Ends in
 * as_fleet_lists_release() in each case. */
enum as_exit as_fleet_input_lists(
	const struct as_session *ses, const char *path, struct as_fleet_lists *lists);

#endif
