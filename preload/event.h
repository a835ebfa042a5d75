/* SPDX-License-Identifier: Apache-2.0 */
/* The clock event of a thread. */
#ifndef AS_PRELOAD_EVENT_H
#define AS_PRELOAD_EVENT_H

#include "preload/raw.h"

struct as_event {
	void *page; /* NULL: there is none */
	int fd;     /* as its signals name it; closed */
};

/* Signals thread TID with NUMBER every PERIOD ns of its CPU time, when it is in user code. False:
 * that is not allowed here. */
bool as_event_start(struct as_event *e, int tid, int number, uint64_t period);
void as_event_stop(struct as_event *e);

#endif
