/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text that dcpicat prints, docs/formats/dcpicat.md. Private to src/formats/dcpicat.
 *
 * A block for every image: lines "key value", then a line for every address, with a count for
 * each event of the block.
 */
#ifndef AS_FORMATS_DCPICAT_DCPICAT_H
#define AS_FORMATS_DCPICAT_DCPICAT_H

#include "formats/format.h"

enum {
	DCPICAT_COLUMN = 21, /* where values stand */
	DCPICAT_WIDTH = 8,   /* of a column of counts */
	DCPICAT_EVENTS = 4096,
	DCPICAT_FRACTION = 10000, /* an event that was monitored all the time */
};

/* Split "key value"; blanks before the value are dropped. False if it is no such line. */
bool as_dcpicat_split(struct as_slice line, struct as_slice *key, struct as_slice *value);
/* "0x..." */
bool as_dcpicat_is_row(struct as_slice line);

/* The value of an event line, "W X:Y:Z". */
struct dcpicat_event {
	uint64_t total;       /* W: sum of its column */
	struct as_slice name; /* X; with ProfileMe "sampleset:counter" */
	uint64_t period;      /* Y */
	uint64_t fraction;    /* Z: 10000 times the part of the time that it was monitored */
};
bool as_dcpicat_event(struct as_slice value, struct dcpicat_event *ev);

enum as_code as_dcpicat_read(struct as_rd *rd) AS_NODISCARD;
enum as_code as_dcpicat_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
