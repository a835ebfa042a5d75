/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters: the part of a profile that patterns choose. docs/filters.md has the rules, which are
 * pprof's: focus and ignore choose samples by all of their frames; hide and show take frames out,
 * and what they cost goes to the frame above; show_from and prune_from cut stacks above and below.
 */
#ifndef AS_CHANGE_FILTER_FILTER_H
#define AS_CHANGE_FILTER_FILTER_H

#include "base/err.h"
#include "formats/format.h"
#include "model/profile.h"

enum as_filter_kind {
	AS_FILTER_FOCUS,      /* samples with a frame that matches */
	AS_FILTER_IGNORE,     /* samples without one */
	AS_FILTER_HIDE,       /* frames that match go */
	AS_FILTER_SHOW,       /* frames that do not match go */
	AS_FILTER_SHOW_FROM,  /* frames above the highest that matches go */
	AS_FILTER_PRUNE_FROM, /* frames below the lowest that matches go */
	AS_FILTER_OBJECT,     /* samples whose last frame matches: whose code it is */
};

/* What a pattern is compared with; a frame matches if one of them does. */
enum { AS_MATCH_FUNC = 1, AS_MATCH_FILE = 2, AS_MATCH_OBJECT = 4 };

/* One of several of a kind is enough. Each text of the profile is asked for once. */
struct as_matcher {
	enum as_filter_kind kind;
	unsigned fields; /* AS_MATCH_* */
	bool (*match)(const void *ctx, struct as_slice text);
	const void *ctx;
	bool inside; /* what matches a text matches each text that has that one in it */
};

struct as_filter {
	const struct as_matcher *matcher;
	size_t n;
	const uint8_t *keep_part; /* of each part: whether its facts stay; NULL = all do */
	/* Of each of prof->label: whether it stays; NULL = all do. The facts stay. */
	const uint8_t *keep_label;
	bool keep_contexts; /* names are those in the profile, "f'2" too; else of "f" */
	bool relative;      /* forget what the whole was: see as_whole() */
	bool show_named;    /* as pprof: SHOW matches no frame without a name and a file */
};

struct as_filtered {
	struct as_profile *prof;
	bool estimated; /* there were calls, not call paths, and the filter needs paths */
};

/*
 * OUT->prof is a new profile. MATCHED, of HOW->n entries, tells which matchers matched something.
 * Calls become call paths where a pattern is given: an estimate, unless no function is called by
 * two. What that loses goes to L, which may be NULL. The sums that parts declare are left out,
 * unless parts are all that is chosen.
 */
enum as_code as_filter(const struct as_profile *prof, const struct as_filter *how, bool *matched,
	struct as_filtered *out, struct as_losses *l, struct as_err *err) AS_NODISCARD;

/* What of PROF, which has moments, is of the time [FROM, TO): as_moment_clip() says what that is of
 * each. RELATIVE as above. */
struct as_time_range {
	int64_t from, to; /* nanoseconds, as those of moments */
};
enum as_code as_filter_time(const struct as_profile *prof, struct as_time_range range,
	bool relative, struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* The name that prune_from looks at: without a dot in front, and without the arguments. */
struct as_slice as_filter_simple_name(struct as_slice name);

#endif
