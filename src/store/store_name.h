/* SPDX-License-Identifier: Apache-2.0 */
/* Names in a database: epochs and segments. */
#ifndef AS_STORE_STORE_NAME_H
#define AS_STORE_STORE_NAME_H

#include "base/slice.h"

enum { AS_STORE_NAME = 96 };

/* What the name of a segment says. */
struct as_store_span {
	int64_t begin, end; /* nanoseconds since 1970 */
	bool flat;          /* a folder of DCPI profiles */
};

/* False if it is none. */
bool as_store_span_parse(struct as_slice name, struct as_store_span *span);
/* Returns NAME. */
const char *as_store_span_name(const struct as_store_span *span, char name[AS_STORE_NAME]);

struct as_store_epoch_id {
	uint64_t minute; /* YYYYMMDDHHMM */
	uint64_t nth;    /* 1 without a suffix */
};

bool as_store_epoch_parse(struct as_slice name, struct as_store_epoch_id *id);
const char *as_store_epoch_text(const struct as_store_epoch_id *id, char name[AS_STORE_NAME]);
int as_store_epoch_cmp(const struct as_store_epoch_id *a, const struct as_store_epoch_id *b);
/* The minute of an epoch that begins now. */
uint64_t as_store_minute(int64_t now_ns);

/* Of what is being written, or removed: ".NAME.assay-..." */
bool as_store_is_temporary(struct as_slice name);

#endif
