/* SPDX-License-Identifier: Apache-2.0 */
/* How many signals brought a recorder's samples: what their noise goes by, docs/diff.md. */
#ifndef AS_MODEL_SIGNALS_H
#define AS_MODEL_SIGNALS_H

#include "model/profile.h"

/* Lines of metadata. SAMPLES is there where the events do not say how many there were. */
#define AS_META_SAMPLES "assay: samples"
#define AS_META_SIGNALS "assay: signals"
#define AS_META_SQUARES "assay: squares of their samples"
#define AS_META_UNSIGNALLED "assay: samples of threads that ended before them"

/* Sums of all parts. */
struct as_signals {
	bool known; /* all of them say SQUARES */
	as_uval samples;
	as_uval signals;
	as_uval squares;     /* of what each signal brought */
	as_uval unsignalled; /* samples that no signal brought */
};

struct as_signals as_signals_of(const struct as_profile *prof);

#endif
