/* SPDX-License-Identifier: Apache-2.0 */
/* Events by the names that the user gave. */
#include <stdio.h>

#include "session/load.h"
#include "session/near.h"

enum as_exit as_session_no_event(
	const struct as_session *ses, struct as_events of, struct as_slice name)
{
	char hint[1400];
	struct as_near near;
	size_t n;

	as_near_begin(&near, ses->al, name);
	for (uint32_t i = 0; i < as_events_n(of); i++)
		as_near_try(&near, as_events_name(of, i));
	as_near_text(&near, "did you mean ", hint, sizeof(hint));
	as_near_end(&near);
	n = strlen(hint);
	n += (size_t)snprintf(hint + n, sizeof(hint) - n, "%s%s:", n ? " " : "",
		of.prof ? "it has" : "they have");
	for (uint32_t i = 0; i < as_events_n(of) && n + 64 < sizeof(hint); i++) {
		struct as_slice s = as_events_name(of, i);

		hint[n++] = ' ';
		as_escape(hint + n, sizeof(hint) - n, s.p, s.len < 40 ? s.len : 40);
		n += strlen(hint + n);
	}
	return as_say_endf(ses, AS_EXIT_USAGE, hint, "the %s no event '%.*s'",
		of.prof ? "profile has" : "profiles have", (int)(name.len < 100 ? name.len : 100),
		name.p);
}

bool as_events_ask_markers(const char *list, const char *sort)
{
	struct as_slice left = as_slice_of(list ? list : ""), one;

	while (as_slice_cut(&left, ',', &one))
		if (as_slice_is(one, AS_MARKERS))
			return true;
	return sort && as_slice_is(as_slice_of(sort), AS_MARKERS);
}

enum as_exit as_session_event_twice(const struct as_session *ses)
{
	return as_say_usage(ses, "option '--event' names an event twice", "name each event once");
}

enum as_exit as_session_event(
	const struct as_session *ses, struct as_events of, const char *name, uint32_t *event)
{
	struct as_slice want = as_slice_of(name);

	return as_events_find(of, want, event) ? AS_EXIT_OK : as_session_no_event(ses, of, want);
}

enum as_exit as_session_events(const struct as_session *ses, struct as_events of, const char *list,
	uint32_t *event, uint32_t *n)
{
	struct as_slice which = {0}, all = list ? as_slice_of(list) : which;

	switch (as_events_choose(of, all, event, n, &which)) {
	case AS_EVENTS_UNKNOWN:
		return as_session_no_event(ses, of, which);
	case AS_EVENTS_TWICE:
		return as_session_event_twice(ses);
	default:
		return AS_EXIT_OK;
	}
}
