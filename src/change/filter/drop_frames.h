/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof's drop_frames: a frame that a profile calls uninteresting goes with all that is below it,
 * so that its cost is its caller's; but only below the first frame that is none. What was inlined
 * into a frame that stays goes wherever it is. docs/compat.md.
 */
#ifndef AS_CHANGE_FILTER_DROP_FRAMES_H
#define AS_CHANGE_FILTER_DROP_FRAMES_H

#include "base/err.h"
#include "model/profile.h"

struct as_drop {
	/* NAME is as as_filter_simple_name() has it. */
	bool (*match)(const void *ctx, struct as_slice name);
	const void *ctx;
};

/* OUT is a new profile, with all samples of PROF; NULL if no function matches. */
enum as_code as_drop_frames(const struct as_profile *prof, const struct as_drop *how,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

#endif
