/* SPDX-License-Identifier: Apache-2.0 */
/* What metric.c and metric_parse.c share. */
#ifndef AS_TABLE_METRIC_IMPL_H
#define AS_TABLE_METRIC_IMPL_H

#include "table/metric.h"

enum { AS_METRIC_DEPTH = 64 }; /* of the stack */

enum as_metric_kind {
	AS_METRIC_NUMBER,
	AS_METRIC_EVENT,
	AS_METRIC_TOTAL, /* of the profile */
	AS_METRIC_CALLS,
	AS_METRIC_ADD,
	AS_METRIC_SUB,
	AS_METRIC_MUL,
	AS_METRIC_DIV,
};

/* Postfix: operators take the last two results. */
struct as_metric_op {
	enum as_metric_kind kind;
	uint32_t event;
	struct as_number number;
};

#endif
