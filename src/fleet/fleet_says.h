/* SPDX-License-Identifier: Apache-2.0 */
/* What a server of ClickHouse says when it cannot: "Code: 60, e.displayText() = DB::Exception: ..."
 * of old ones, "Code: 60. DB::Exception: ..." of new ones. */
#ifndef AS_FLEET_FLEET_SAYS_H
#define AS_FLEET_FLEET_SAYS_H

#include "fleet/fleet_client.h"

struct as_fleet_says {
	uint64_t code;        /* ClickHouse's; 0: it says none */
	struct as_slice text; /* for people, of the answer's bytes */
};

/* Of an answer that is all error. */
void as_fleet_says(struct as_slice body, struct as_fleet_says *says);
/* Whether BODY, an answer of status 200, ends in an error: the server had begun to answer when it
 * failed. */
bool as_fleet_says_late(struct as_slice body, struct as_fleet_says *says);

/* ERR for an answer of STATUS that says so: its code, words, *WAY and *FAULT. */
enum as_code as_fleet_said(const struct as_fleet_says *says, long status, const char **way,
	enum as_fleet_fault *fault, struct as_err *err);

#endif
