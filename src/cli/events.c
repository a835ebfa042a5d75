/* SPDX-License-Identifier: Apache-2.0 */
/* Events by the names that the user gave. */
#include <stdio.h>

#include "cli/load.h"
#include "cli/near.h"
#include "report/kit/unit.h"

enum as_exit as_cli_event(
	struct as_cli *cli, const struct as_profile *prof, const char *name, uint32_t *event)
{
	struct as_slice want = as_slice_of(name);
	char what[160], hint[1400];
	struct as_near near;
	size_t n;

	if (as_profile_event(prof, want, event))
		return AS_EXIT_OK;
	as_near_begin(&near, cli->al, want);
	for (uint32_t i = 0; i < as_n_events(prof); i++)
		as_near_try(&near, as_str_get(prof, prof->event.p[i].name));
	as_near_text(&near, "did you mean ", hint, sizeof(hint));
	as_near_end(&near);
	n = strlen(hint);
	n += (size_t)snprintf(hint + n, sizeof(hint) - n, "%sit has:", n ? " " : "");
	for (uint32_t i = 0; i < as_n_events(prof) && n + 64 < sizeof(hint); i++) {
		struct as_slice s = as_str_get(prof, prof->event.p[i].name);

		hint[n++] = ' ';
		as_escape(hint + n, sizeof(hint) - n, s.p, s.len < 40 ? s.len : 40);
		n += strlen(hint + n);
	}
	snprintf(what, sizeof(what), "the profile has no event '%.100s'", name);
	as_cli_error(cli, what, hint);
	return AS_EXIT_USAGE;
}

enum as_exit as_cli_events(struct as_cli *cli, const struct as_profile *prof, const char *list,
	uint32_t *event, uint32_t *n)
{
	struct as_slice rest = as_slice_of(list), one;
	char name[256];
	uint32_t found;

	*n = 0;
	while (list && as_slice_cut(&rest, ',', &one)) {
		enum as_exit rc;

		snprintf(name, sizeof(name), "%.*s", AS_SLICE_FMT(one));
		rc = as_cli_event(cli, prof, name, &found);
		if (rc != AS_EXIT_OK)
			return rc;
		for (uint32_t i = 0; i < *n; i++)
			if (event[i] == found) {
				as_cli_error(cli, "option '--event' names an event twice",
					"name each event once");
				return AS_EXIT_USAGE;
			}
		event[(*n)++] = found;
	}
	return AS_EXIT_OK;
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
