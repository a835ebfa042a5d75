/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that go from stacks, and frames that come, as pprof has them. */
#ifndef AS_CHANGE_FILTER_FRAMES_H
#define AS_CHANGE_FILTER_FRAMES_H

#include "base/err.h"
#include "model/profile.h"

/*
 * pprof's drop_frames: a frame that a profile calls uninteresting goes with all that is below it,
 * so that its cost is its caller's; but only below the first frame that is none. What was inlined
 * into a frame that stays goes wherever it is. docs/compat.md.
 */
struct as_drop {
	/* NAME is as as_filter_simple_name() has it. */
	bool (*match)(const void *ctx, struct as_slice name);
	const void *ctx;
};

/* OUT is a new profile, with all samples of PROF; NULL if no function matches. */
enum as_code as_drop_frames(const struct as_profile *prof, const struct as_drop *how,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

/*
 * Labels as frames: the value of a sample's label becomes a function that stands above its stack,
 * or below it. The function's file is the label's key. pprof calls it tagroot and tagleaf.
 */
struct as_tag_frames {
	/* Keys: the first of ROOT stands above all, the last of LEAF below. */
	const struct as_slice *root, *leaf;
	size_t n_root, n_leaf;
	/* The name of the frame of a sample with these N labels of KEY, which may be none; p ==
	 * NULL: out of memory. */
	struct as_slice (*name)(struct as_arena *ar, const struct as_profile *prof,
		struct as_slice key, const struct as_label *label, uint32_t n, const void *ctx);
	const void *ctx;
};

/* A new profile, in which every sample has these frames. */
enum as_code as_tag_frames(const struct as_profile *prof, const struct as_tag_frames *how,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

#endif
