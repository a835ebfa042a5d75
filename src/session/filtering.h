/* SPDX-License-Identifier: Apache-2.0 */
/* --focus, --ignore and the like: from words to the part of a profile that they choose.
 * docs/filters.md defines them. */
#ifndef AS_SESSION_FILTERING_H
#define AS_SESSION_FILTERING_H

#include "session/session.h"

struct as_inputs;

/* Compile the patterns of ses->opt, before anything is read; says what is wrong. CLI's
 * as_filters_close() may follow also on failure. */
enum as_exit as_filters_open(struct as_session *ses);
void as_filters_close(struct as_session *ses);

/* Whether the profile changes: there is something to choose by, or labels become frames. */
bool as_filters_any(const struct as_session *ses);
/* *PROF becomes what the filters choose of it; one of which nothing is left ends in
 * AS_EXIT_NO. What that loses goes to L, which may be NULL. */
enum as_exit as_session_filter(
	const struct as_session *ses, struct as_profile **prof, struct as_losses *l);
/* The same for the profile of IN. */
enum as_exit as_inputs_filter(const struct as_session *ses, struct as_inputs *in);
/* As as_inputs_filter(), but it is fine if nothing is left: that is noted, and *EMPTY. */
enum as_exit as_inputs_filter_side(const struct as_session *ses, struct as_inputs *in, bool *empty);

/* What the filters would leave of PROF is told in the same way: of a side of a comparison, named
 * SIDE, it is fine if that is nothing; *EMPTY says so. */
enum as_exit as_session_filter_try(
	const struct as_session *ses, const struct as_profile *prof, const char *side, bool *empty);

#endif
