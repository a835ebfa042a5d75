/* SPDX-License-Identifier: Apache-2.0 */
/* Events by the names that the user gave. */
#include <stdio.h>

#include "cli/load.h"
#include "cli/near.h"
#include "report/kit/unit.h"

enum as_exit as_cli_no_event(struct as_cli *cli, struct as_events of, struct as_slice name)
{
	char what[160], hint[1400];
	struct as_near near;
	size_t n;

	as_near_begin(&near, cli->al, name);
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
	snprintf(what, sizeof(what), "the %s no event '%.*s'",
		of.prof ? "profile has" : "profiles have", (int)(name.len < 100 ? name.len : 100),
		name.p);
	as_cli_error(cli, what, hint);
	return AS_EXIT_USAGE;
}

enum as_exit as_cli_event_twice(struct as_cli *cli)
{
	as_cli_error(cli, "option '--event' names an event twice", "name each event once");
	return AS_EXIT_USAGE;
}

enum as_exit as_cli_event(
	struct as_cli *cli, struct as_events of, const char *name, uint32_t *event)
{
	struct as_slice want = as_slice_of(name);

	return as_events_find(of, want, event) ? AS_EXIT_OK : as_cli_no_event(cli, of, want);
}

enum as_exit as_cli_events(
	struct as_cli *cli, struct as_events of, const char *list, uint32_t *event, uint32_t *n)
{
	struct as_slice which = {0}, all = list ? as_slice_of(list) : which;

	switch (as_events_choose(of, all, event, n, &which)) {
	case AS_EVENTS_UNKNOWN:
		return as_cli_no_event(cli, of, which);
	case AS_EVENTS_TWICE:
		return as_cli_event_twice(cli);
	default:
		return AS_EXIT_OK;
	}
}

uint64_t as_cli_rows(const struct as_cli *cli, const struct as_num *rows, uint64_t usual)
{
	if (rows->given)
		return rows->value;
	return cli->opt.format == AS_FORMAT_CSV ? 0 : usual;
}

void as_cli_tell_rest(struct as_cli *cli, uint64_t n, const char *what)
{
	struct as_slice words;
	struct as_arena arena;

	if (!n)
		return;
	as_arena_init(&arena, cli->al);
	words = as_arena_plural(&arena, what, n);
	if (words.p)
		as_cli_note(cli, "%" PRIu64 " more %.*s left out: -n 0 writes all", n,
			AS_SLICE_FMT(words));
	as_arena_release(&arena);
}

enum as_exit as_cli_unit(struct as_cli *cli, const char *word)
{
	char what[160], shown[64];

	if (word && strcmp(word, "count") != 0 && as_unit_is_known(word) &&
		(cli->opt.format == AS_FORMAT_JSON || cli->opt.format == AS_FORMAT_CSV)) {
		as_cli_error(cli, "option '--unit' is for text: JSON and CSV have counts",
			"what a count stands for is in JSON: events[].period");
		return AS_EXIT_USAGE;
	}
	if (!word || as_unit_is_known(word))
		return AS_EXIT_OK;
	as_escape(shown, sizeof(shown), word, strlen(word));
	snprintf(what, sizeof(what), "option '--unit': '%s' is no unit that is known", shown);
	as_cli_error(
		cli, what, "count, auto, time, s, ms, us, ns, min, h, bytes, B, KiB, MiB, GiB");
	return AS_EXIT_USAGE;
}

bool as_cli_wants_unit(const struct as_cli *cli, const char *word)
{
	return word && strcmp(word, "count") != 0 && strcmp(word, "auto") != 0 &&
	       cli->opt.format <= AS_FORMAT_TEXT;
}
