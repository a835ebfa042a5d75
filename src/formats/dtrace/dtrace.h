/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that DTrace counted: docs/formats/dtrace.md. */
#ifndef AS_FORMATS_DTRACE_H
#define AS_FORMATS_DTRACE_H

#include "formats/format.h"

/* What a line of the text is. */
enum dtrace_kind {
	DTRACE_EMPTY,
	DTRACE_HEADER, /* "CPU     ID    FUNCTION:NAME", and what stands below it */
	DTRACE_FRAME,
	DTRACE_COUNT,
	DTRACE_KEY, /* other than stacks: "  bash       1234" */
};

struct dtrace_line {
	enum dtrace_kind kind;
	struct as_slice text;         /* without blanks around it */
	struct as_slice module, name; /* of a frame; "" = unknown */
	uint64_t addr;                /* of one without a name */
	as_val count;
};

/* dtrace.c; OPEN: frames stand above LINE, of which there is no count yet. */
void as_dtrace_line(struct as_slice line, bool open, struct dtrace_line *out);

enum as_code as_dtrace_read(struct as_rd *rd) AS_NODISCARD;

#endif
