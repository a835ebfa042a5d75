/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: the input is odd, but reading goes on. Ids live in findings.def;
 * `assay check` prints them. The first AS_FINDINGS_KEPT of each id are kept
 * with place and text, the rest are counted.
 */
#ifndef AS_MODEL_FINDINGS_H
#define AS_MODEL_FINDINGS_H

#include <stdarg.h>

#include "base/arena.h"
#include "base/err.h"

enum as_severity { AS_INFO, AS_WARN, AS_ERROR };

enum as_finding_id {
#define X(id, name, severity, text) AS_F_##id,
#include "model/findings.def"
#undef X
	AS_F_COUNT
};

enum { AS_FINDINGS_KEPT = 20 };

struct as_finding {
	enum as_finding_id id;
	enum as_severity severity;
	uint64_t off;  /* byte, or AS_OFF_NONE */
	uint64_t line; /* 1-based, or 0 */
	struct as_slice file;
	struct as_slice msg; /* control bytes escaped */
};

struct as_findings {
	struct as_arena arena;
	AS_VEC(struct as_finding) row;
	uint64_t count[AS_F_COUNT]; /* of each id, kept or not */
	uint64_t n[3];              /* by severity */
	char file[512];             /* name of the input that is being read */
};

void as_findings_init(struct as_findings *f, const struct as_alloc *al);
void as_findings_release(struct as_findings *f);

/* F may be NULL: nobody wants to know. Running out of memory loses the text, not the count. */
void as_findings_add(struct as_findings *f, enum as_finding_id id, uint64_t off, uint64_t line,
	const char *fmt, ...) AS_PRINTF(5, 6);
void as_findings_addv(struct as_findings *f, enum as_finding_id id, uint64_t off, uint64_t line,
	const char *fmt, va_list ap) AS_PRINTF(5, 0);

/* "cg-totals-differ" */
const char *as_finding_name(enum as_finding_id id);
/* One sentence for the docs and --explain. */
const char *as_finding_text(enum as_finding_id id);
enum as_severity as_finding_severity(enum as_finding_id id);
const char *as_severity_text(enum as_severity s); /* "info", "warning", "error" */

#endif
