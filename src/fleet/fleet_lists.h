/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to choose from in a store, for people who choose. Host only. */
#ifndef AS_FLEET_FLEET_LISTS_H
#define AS_FLEET_FLEET_LISTS_H

#include "base/arena.h"
#include "fleet/fleet_client.h"

enum as_fleet_list {
	AS_FLEET_SERVICES,
	AS_FLEET_HOSTS,
	AS_FLEET_EVENTS,
	AS_FLEET_LABELS, /* "KEY=VALUE" */
	AS_FLEET_LISTS
};

/* Each list has its first texts in order, and of the values of a label the first; MORE: not all. */
struct as_fleet_lists {
	struct as_arena arena;
	struct {
		AS_VEC(struct as_slice) text;
		bool more;
	} list[AS_FLEET_LISTS];
};

/* Ends in as_fleet_lists_release() in each case; LISTS may be all zero there. */
enum as_code as_fleet_lists_ask(
	struct as_fleet *f, struct as_fleet_lists *lists, struct as_err *err) AS_NODISCARD;
void as_fleet_lists_release(struct as_fleet_lists *lists);

#endif
