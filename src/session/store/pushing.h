/* SPDX-License-Identifier: Apache-2.0 */
/* From files to a store of a fleet. Host only. */
#ifndef AS_SESSION_STORE_PUSHING_H
#define AS_SESSION_STORE_PUSHING_H

#include "fleet/fleet_push.h"
#include "session/load.h"

struct as_pushing {
	const struct as_session *ses;
	struct as_fleet *f;
	struct as_fleet_shards shards; /* of as_fleet_ready() */
	struct as_slice service;
	struct as_slice host; /* of what is no file of a database, which has its own */
	const struct as_fleet_label *label;
	size_t n_label;
	struct as_slice run; /* sets a push apart from an equal one; may be empty */
	bool has_at;
	int64_t at_ns; /* when a profile began that does not say it */
	struct as_fleet_pushed done;
};

/* Each profile of PATH, which may be a database, is read and pushed, with its names if the session
 * wants them; what goes wrong is said, and ends it. */
enum as_exit as_push_path(struct as_pushing *p, const char *path);

#endif
