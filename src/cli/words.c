/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the command line that several commands have. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "record/events/perf_kinds.h"
#include "report/kit/unit.h"
#include "session/urls.h"

static bool words_is_file(const struct as_cli *cli, const char *word)
{
	return strcmp(word, "-") == 0 || as_urls_has(&cli->ses, word) || access(word, F_OK) == 0;
}

enum as_exit as_cli_func(struct as_cli *cli, const char **func, struct as_files *files)
{
	const char *file = cli->operand[1];
	char hint[256];

	*func = cli->operand[0];
	if (cli->n_operands == 2 && words_is_file(cli, *func) && !words_is_file(cli, file)) {
		snprintf(hint, sizeof(hint), "the function comes first: assay %s %.80s %.100s",
			cli->cmd->name, file, *func);
		return as_say_usage(
			&cli->ses, "the second word is no file, but the first is one", hint);
	}
	*files = (struct as_files){cli->operand + 1, cli->n_operands - 1};
	return AS_EXIT_OK;
}

uint64_t as_cli_rows(const struct as_cli *cli, const struct as_num *rows, uint64_t usual)
{
	if (rows->given)
		return rows->value;
	return cli->ses.opt.view.format == AS_FORMAT_CSV ? 0 : usual;
}

const char *as_cli_order(const char *sort, bool *inclusive)
{
	struct as_slice text = as_slice_of(sort ? sort : "self");

	*inclusive = as_slice_is(text, "inclusive") || as_slice_starts(text, "inclusive:");
	if (as_slice_is(text, "self") || as_slice_is(text, "inclusive"))
		return NULL;
	return *inclusive ? sort + strlen("inclusive:") : sort;
}

void as_cli_tell_rest(struct as_cli *cli, uint64_t n, const char *what, const char *how)
{
	struct as_slice words;
	struct as_arena arena;

	if (!n)
		return;
	as_arena_init(&arena, cli->ses.al);
	words = as_arena_plural(&arena, what, n);
	if (words.p)
		as_say_note(&cli->ses, "%" PRIu64 " more %.*s left out: %s writes all", n,
			AS_SLICE_FMT(words), how);
	as_arena_release(&arena);
}

void as_cli_tell_below(struct as_cli *cli, uint64_t n)
{
	as_cli_tell_rest(cli, n, "row{|s}, with those below,", "--min 0% --depth 0");
}

enum as_exit as_cli_unit(struct as_cli *cli, const char *word, unsigned format)
{
	char shown[64];

	if (word && strcmp(word, "count") != 0 && as_unit_is_known(word) &&
		(format == AS_FORMAT_JSON || format == AS_FORMAT_CSV))
		return as_say_usage(&cli->ses,
			"option '--unit' is for text: JSON and CSV have counts",
			"what a count stands for is in JSON: events[].period");
	if (!word || as_unit_is_known(word))
		return AS_EXIT_OK;
	as_escape(shown, sizeof(shown), word, strlen(word));
	return as_say_endf(&cli->ses, AS_EXIT_USAGE,
		"count, auto, time, s, ms, us, ns, min, h, bytes, B, KiB, MiB, GiB; or one of "
		"systemd's, "
		"with its kind: nginx.service",
		"option '--unit': '%s' is no unit that is known", shown);
}

bool as_cli_wants_unit(const struct as_cli *cli, const char *word)
{
	return word && strcmp(word, "count") != 0 && strcmp(word, "auto") != 0 &&
	       as_format_is_page(cli->ses.opt.view.format);
}

enum as_exit as_cli_events(
	struct as_cli *cli, const char *text, bool rate, struct as_perf_events *events)
{
	struct as_err err = AS_ERR_NONE;
	char here[384], hint[512];

	if (as_perf_events_parse(as_slice_of(text), events, &err) != AS_OK) {
		as_perf_kinds_here(here, sizeof(here));
		snprintf(hint, sizeof(hint), "this machine counts %s", here);
		return as_say_usage(&cli->ses, err.msg, hint);
	}
	if (rate && !as_perf_events_by_frequency(events))
		return as_say_usage(&cli->ses,
			"'--frequency' is of events without a period, and all of them have one",
			"for instance -F 99 -e cpu-clock,page-faults:100");
	return AS_EXIT_OK;
}
