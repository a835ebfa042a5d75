/* SPDX-License-Identifier: Apache-2.0 */
/* Databases as inputs: which of their files what was asked for chooses. Host only. */
#ifndef AS_SESSION_DATABASE_H
#define AS_SESSION_DATABASE_H

#include "session/load.h"

/* Whether PATH is "db:...", or a folder that is a database, a host's or an epoch of one, or a flat
 * segment. */
bool as_database_is(const struct as_session *ses, const char *path);
/* Its files that --epoch, --since, --until, --host and --image choose, added to IN. Says what is
 * wrong, or that there are none. */
enum as_exit as_database_find(const struct as_session *ses, const char *path, struct as_inputs *in);

/* ---- database_facts.c ---- */
/* What flat segments say of themselves becomes lines of metadata of IN's profile, as segments of
 * stacks have them. */
enum as_exit as_database_facts(const struct as_session *ses, struct as_inputs *in);

/* ---- database_time.c ---- */
/* "2h", "90m", "7d": so long before NOW; or a date and time, as 2026-11-23T10:45, in universal
 * time; "10:45" is today's. */
bool as_database_time(struct as_slice text, int64_t now_ns, int64_t *ns);

#endif
