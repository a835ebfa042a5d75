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
	int64_t at_ns;                /* when a profile began that does not say it */
	struct as_fleet_known *known; /* NULL: nothing is pushed afterwards */
	struct as_fleet_pushed done;
	/* what as_push_find() found; all zero to begin with */
	struct as_arena *arena; /* of the paths; the caller's */
	AS_VEC(struct as_push_item {
		const char *path;
		struct as_slice host;
	})
	item;
	size_t next; /* that is not read yet */
};

/* Each profile of PATH, which may be a database, is found. */
enum as_exit as_push_find(struct as_pushing *p, const char *path);
/* All that was found is read and pushed, with its names if the session wants them: many together,
 * and some are sent while the next ones are read. What goes wrong is said, and ends it; what is
 * before that was pushed. */
enum as_exit as_push_found(struct as_pushing *p);

#endif
