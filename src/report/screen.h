/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one-screen answer of `assay FILE`: what it is, is it sound, what is hot, what next.
 * At most 24 lines, 80 columns where the style says so.
 */
#ifndef AS_REPORT_SCREEN_H
#define AS_REPORT_SCREEN_H

#include "base/err.h"
#include "io/out.h"
#include "model/findings.h"
#include "model/profile.h"
#include "report/kit/style.h"

struct as_screen {
	const struct as_profile *prof;
	const char *const *files; /* names of the inputs */
	size_t n_files;
	const struct as_findings *const *findings; /* what reading them found */
	size_t n_findings;
	size_t rows; /* 0 = as many as fit */
	bool keep_contexts, no_cycles;
};

/* Samples are counted by chance: the points of a percentage that a share may be off, as the square
 * root of N observations has it; 0: there are enough of them, or it is not known to be samples. */
unsigned as_screen_off(const struct as_profile *prof, uint64_t *n);

enum as_code as_screen_text(const struct as_screen *sc, struct as_out *out,
	const struct as_style *style, struct as_err *err) AS_NODISCARD;

#endif
