/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "cli/pprof_options.h"

#include <stdio.h>
#include <time.h>

#include "base/date.h"

bool as_pprof_is_asked(const struct as_cli *cli)
{
	return cli->ses.opt.read.compat && cli->ses.opt.view.format <= AS_FORMAT_TEXT;
}

/* ---- what is printed of the filters ---- */

static void add_filters(struct as_pprof_opts *opts, const char *key, const struct as_list *list)
{
	for (size_t i = 0; i < list->n && opts->n_filters < AS_PPROF_FILTERS; i++)
		opts->filter[opts->n_filters++] = (struct as_pprof_filter){key, list->p[i]};
}

void as_pprof_options(const struct as_cli *cli, enum as_pprof_kind kind, struct as_pprof_opts *opts)
{
	static const struct {
		const char *key; /* pprof's */
		enum as_word kind;
	} known[] = {{"focus", AS_WORD_FOCUS}, {"ignore", AS_WORD_IGNORE}, {"hide", AS_WORD_HIDE},
		{"show", AS_WORD_SHOW}, {"show_from", AS_WORD_SHOW_FROM},
		{"tagfocus", AS_WORD_TAGFOCUS}, {"tagignore", AS_WORD_TAGIGNORE},
		{"tagshow", AS_WORD_TAGSHOW}, {"taghide", AS_WORD_TAGHIDE}};
	const struct as_asked *opt = &cli->ses.opt;

	*opts = (struct as_pprof_opts){
		.kind = kind, .no_inlines = opt->name.inlines == AS_INLINE_OFF};
	for (size_t k = 0; k < AS_ARRAY_LEN(known); k++)
		add_filters(opts, known[k].key, &opt->filter.word[known[k].kind]);
}

/* ---- the profile ---- */

enum as_detail as_pprof_detail(const struct as_pprof_opts *opts, enum as_detail detail)
{
	static const enum as_detail needs[] = {[AS_PG_FUNCS] = AS_DETAIL_FUNC,
		[AS_PG_FILEFUNCS] = AS_DETAIL_LINE,
		[AS_PG_FILES] = AS_DETAIL_LINE,
		[AS_PG_LINES] = AS_DETAIL_LINE,
		[AS_PG_ADDRS] = AS_DETAIL_FULL};
	enum as_detail need = opts->kind == AS_PPROF_TRACES ? AS_DETAIL_FULL : needs[opts->by];

	return need > detail ? need : detail;
}

bool as_pprof_fits(const struct as_profile *prof)
{
	return !(prof->shape & (AS_SHAPE_CALLS | AS_SHAPE_PLACES)) && prof->event.n;
}

static enum as_exit no_column(struct as_cli *cli, const struct as_profile *prof, const char *index)
{
	char hint[400] = "it has:";
	size_t n = strlen(hint);

	for (uint32_t i = 0; i < as_pprof_n_columns(prof) && n + 64 < sizeof(hint); i++) {
		struct as_slice type = as_pprof_column(prof, i).type;

		hint[n++] = ' ';
		as_escape(hint + n, sizeof(hint) - n, type.p, type.len < 40 ? type.len : 40);
		n += strlen(hint + n);
	}
	return as_say_endf(
		&cli->ses, AS_EXIT_USAGE, hint, "the profile has no sample type '%.200s'", index);
}

/* "Mar 1, 2017 at 12:00pm (UTC)", where the clock on the wall is ours; "" if EPOCH is none. */
static void local_time(struct as_slice epoch, char *out, size_t size)
{
	struct tm tm = {0}, here;
	char zone[32], day[16];
	struct as_date d;
	time_t t;

	out[0] = '\0';
	if (!as_date_from_iso(epoch, &d))
		return;
	tm.tm_year = (int)d.year - 1900;
	tm.tm_mon = (int)d.month - 1;
	tm.tm_mday = (int)d.day;
	tm.tm_hour = (int)d.hour;
	tm.tm_min = (int)d.minute;
	tm.tm_sec = (int)d.second;
	t = timegm(&tm);
	if (!localtime_r(&t, &here) || !strftime(zone, sizeof(zone), "%Z", &here) ||
		!strftime(day, sizeof(day), "%b", &here))
		return;
	snprintf(out, size, "%s %d, %d at %d:%02d%s (%s)", day, here.tm_mday, here.tm_year + 1900,
		here.tm_hour % 12 ? here.tm_hour % 12 : 12, here.tm_min,
		here.tm_hour < 12 ? "am" : "pm", zone);
}

/* Before filters, if there were any. False if it is too much. */
static bool find_total(
	const struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts)
{
	const struct as_pprof_column *column = &opts->column;

	if (!as_pprof_sum(prof, column, &opts->total))
		return false;
	if (cli->ses.filters->whole && column->event < cli->ses.filters->n_whole) {
		as_val whole = cli->ses.filters->whole[column->event];

		if (__builtin_mul_overflow(whole, (as_val)column->each, &opts->total) ||
			opts->total > AS_PPROF_MOST)
			return false;
	}
	return true;
}

enum as_exit as_pprof_choose(
	struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts)
{
	const char *index = opts->sample_index ? opts->sample_index : "";

	if (!as_pprof_find_column(prof, as_slice_of(index), &opts->column))
		return no_column(cli, prof, index);
	if (!find_total(cli, prof, opts))
		return as_say_end(&cli->ses, AS_EXIT_UNSUPPORTED,
			"what the samples cost together is too much for a number",
			"another sample type: --event");
	local_time(as_str_get(prof, prof->epoch), opts->time, sizeof(opts->time));
	return AS_EXIT_OK;
}

enum as_exit as_pprof_print(struct as_cli *cli, const struct as_profile *prof,
	const struct as_pprof_opts *opts, as_pprof_printer *print)
{
	struct as_out *out;
	struct as_err err = AS_ERR_NONE;

	AS_DO(as_cli_out(cli, &out));
	return as_say_code(&cli->ses, print(prof, opts, out, &err), &err);
}
