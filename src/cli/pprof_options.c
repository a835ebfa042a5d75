/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "cli/pprof_options.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/date.h"

bool as_pprof_is_asked(const struct as_cli *cli)
{
	return cli->opt.compat && cli->opt.format <= AS_FORMAT_TEXT;
}

/* ---- values: false if TEXT is none; NULL is a key without a value ---- */

static bool take_fraction(const char *text, double *out)
{
	char *end;

	if (!text)
		return false;
	*out = strtod(text, &end);
	return end != text && *end == '\0' && *out >= 0 && *out <= 1;
}

static bool take_divisor(const char *text, double *ratio)
{
	char *end;
	double by;

	if (!text)
		return false;
	by = strtod(text, &end);
	*ratio = 1 / by;
	return end != text && *end == '\0' && by > 0 && *ratio > 0 && *ratio <= DBL_MAX;
}

static bool take_flag(const char *text, bool *out)
{
	*out = !text || strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
	return *out || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static bool take_text(const char *text, const char **out)
{
	*out = text;
	return text && *text;
}

static bool take_granularity(const char *text, enum as_pg_by *out)
{
	static const char *const words[] = {
		"functions", "filefunctions", "files", "lines", "addresses"};

	for (size_t i = 0; text && i < AS_ARRAY_LEN(words); i++)
		if (strcmp(words[i], text) == 0) {
			*out = (enum as_pg_by)i;
			return true;
		}
	return false;
}

static bool take_count(const char *text, struct as_pprof_opts *opts)
{
	opts->has_node_count = text && strcmp(text, "-1") != 0;
	return text &&
	       (!opts->has_node_count || as_slice_dec(as_slice_of(text), &opts->node_count));
}

/* ---- keys ---- */

enum key {
	NODE_FRACTION,
	EDGE_FRACTION,
	NODE_COUNT,
	GRANULARITY,
	COMPACT_LABELS,
	CALL_TREE,
	RELATIVE_PERCENTAGES,
	UNIT,
	SAMPLE_INDEX,
	TRIM,
	NO_INLINES,
	SORT,
	ALL_FRAMES,
	MEAN,
	DIVIDE_BY,
	DROP_NEGATIVE,
	KEYS
};

static const struct {
	const char *name, *wants;
} keys[KEYS] = {
	[NODE_FRACTION] = {"nodefraction", "a fraction from 0 to 1"},
	[EDGE_FRACTION] = {"edgefraction", "a fraction from 0 to 1"},
	[NODE_COUNT] = {"nodecount", "a number"},
	[GRANULARITY] = {"granularity", "functions, filefunctions, files, lines or addresses"},
	[COMPACT_LABELS] = {"compact_labels", "true or false"},
	[CALL_TREE] = {"call_tree", "true or false"},
	[RELATIVE_PERCENTAGES] = {"relative_percentages", "true or false"},
	[UNIT] = {"unit", "a unit: minimum, auto, ms, MB ..."},
	[SAMPLE_INDEX] = {"sample_index", "the name or the number of a sample type"},
	[TRIM] = {"trim", "true or false"},
	[NO_INLINES] = {"noinlines", "true or false"},
	[SORT] = {"sort", "flat or cum"},
	[ALL_FRAMES] = {"all_frames", "true or false"},
	[MEAN] = {"mean", "true or false"},
	[DIVIDE_BY] = {"divide_by", "a number above 0"},
	[DROP_NEGATIVE] = {"drop_negative", "true or false"},
};

static bool take_sort(const char *text, bool *by_cum)
{
	*by_cum = text && strcmp(text, "cum") == 0;
	return *by_cum || (text && strcmp(text, "flat") == 0);
}

static bool take(struct as_cli *cli, struct as_pprof_opts *opts, enum key key, const char *value)
{
	bool flag = false, fine;

	switch (key) {
	case NODE_FRACTION:
		return take_fraction(value, &opts->node_fraction);
	case EDGE_FRACTION:
		return take_fraction(value, &opts->edge_fraction);
	case NODE_COUNT:
		return take_count(value, opts);
	case GRANULARITY:
		return take_granularity(value, &opts->by);
	case COMPACT_LABELS:
		return take_flag(value, &opts->compact);
	case CALL_TREE:
		return take_flag(value, &opts->call_tree);
	case RELATIVE_PERCENTAGES:
		return take_flag(value, &cli->opt.relative);
	case UNIT:
		cli->opt.tag_unit = value;
		return take_text(value, &opts->unit);
	case SAMPLE_INDEX:
		return take_text(value, &opts->sample_index);
	case TRIM:
		fine = take_flag(value, &flag);
		opts->no_trim = !flag;
		return fine;
	case NO_INLINES:
		return take_flag(value, &opts->no_inlines);
	case SORT:
		return take_sort(value, &opts->by_cum);
	case ALL_FRAMES:
		return take_flag(value, &cli->opt.all_frames);
	case MEAN:
		return take_flag(value, &opts->mean);
	case DIVIDE_BY:
		return take_divisor(value, &opts->ratio);
	case DROP_NEGATIVE:
		return take_flag(value, &opts->drop_negative);
	case KEYS:
		break;
	}
	return false;
}

static enum as_exit unknown_key(struct as_cli *cli, const char *text, struct as_slice key)
{
	const char *names[KEYS], *near;
	char what[320], word[64],
		hint[128] = "pprof's own names: nodefraction, granularity, "
			    "compact_labels ...; see docs/compat.md";

	for (size_t i = 0; i < KEYS; i++)
		names[i] = keys[i].name;
	snprintf(word, sizeof(word), "%.*s", AS_SLICE_FMT(key));
	near = as_nearest(word, names, KEYS);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean '%s'?", near);
	snprintf(what, sizeof(what), "--pprof-option '%.200s': there is no such option", text);
	as_cli_error(cli, what, hint);
	return AS_EXIT_USAGE;
}

static enum as_exit take_option(struct as_cli *cli, const char *text, struct as_pprof_opts *opts)
{
	const char *value = strchr(text, '=');
	struct as_slice key = {text, value ? (size_t)(value - text) : strlen(text)};
	char what[320];

	for (size_t i = 0; i < KEYS; i++) {
		if (!as_slice_is(key, keys[i].name))
			continue;
		if (take(cli, opts, (enum key)i, value ? value + 1 : NULL))
			return AS_EXIT_OK;
		snprintf(what, sizeof(what), "--pprof-option '%.200s': %s is %s", text,
			keys[i].name, keys[i].wants);
		as_cli_error(cli, what, NULL);
		return AS_EXIT_USAGE;
	}
	return unknown_key(cli, text, key);
}

/* ---- what is printed of the filters ---- */

static void add_filters(struct as_pprof_opts *opts, const char *key, const struct as_list *list)
{
	for (size_t i = 0; i < list->n && opts->n_filters < AS_PPROF_FILTERS; i++)
		opts->filter[opts->n_filters++] = (struct as_pprof_filter){key, list->p[i]};
}

enum as_exit as_pprof_options(
	struct as_cli *cli, enum as_pprof_kind kind, struct as_pprof_opts *opts)
{
	const struct as_common *opt = &cli->opt;
	enum as_exit rc = AS_EXIT_OK;

	as_pprof_defaults(opts, kind);
	opts->no_inlines = opt->inlines == AS_INLINE_OFF;
	for (size_t i = 0; i < opt->pprof.n && rc == AS_EXIT_OK; i++)
		rc = take_option(cli, opt->pprof.p[i], opts);
	add_filters(opts, "focus", &opt->focus);
	add_filters(opts, "ignore", &opt->ignore);
	add_filters(opts, "hide", &opt->hide);
	add_filters(opts, "show", &opt->show);
	add_filters(opts, "show_from", &opt->show_from);
	add_filters(opts, "tagfocus", &opt->tagfocus);
	add_filters(opts, "tagignore", &opt->tagignore);
	add_filters(opts, "tagshow", &opt->tagshow);
	add_filters(opts, "taghide", &opt->taghide);
	return rc;
}

/* ---- the profile ---- */

enum as_detail as_pprof_detail(const struct as_pprof_opts *opts, enum as_detail detail)
{
	static const enum as_detail needs[] = {[AS_PG_FUNCS] = AS_DETAIL_FUNC,
		[AS_PG_FILEFUNCS] = AS_DETAIL_LINE,
		[AS_PG_FILES] = AS_DETAIL_LINE,
		[AS_PG_LINES] = AS_DETAIL_LINE,
		[AS_PG_ADDRS] = AS_DETAIL_FULL};
	bool each = opts->kind == AS_PPROF_CALLGRIND || opts->kind == AS_PPROF_TRACES;
	enum as_detail need = each ? AS_DETAIL_FULL : needs[opts->by];

	return need > detail ? need : detail;
}

bool as_pprof_fits(const struct as_profile *prof)
{
	return !(prof->shape & (AS_SHAPE_CALLS | AS_SHAPE_PLACES)) && prof->event.n;
}

static enum as_exit no_column(struct as_cli *cli, const struct as_profile *prof, const char *index)
{
	char what[320], hint[400] = "it has:";
	size_t n = strlen(hint);

	for (uint32_t i = 0; i < as_pprof_n_columns(prof) && n + 64 < sizeof(hint); i++) {
		struct as_slice type = as_pprof_column(prof, i).type;

		hint[n++] = ' ';
		as_escape(hint + n, sizeof(hint) - n, type.p, type.len < 40 ? type.len : 40);
		n += strlen(hint + n);
	}
	snprintf(what, sizeof(what), "the profile has no sample type '%.200s'", index);
	as_cli_error(cli, what, hint);
	return AS_EXIT_USAGE;
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
	as_val count;

	if (!as_pprof_sum(prof, column, &opts->total, &count))
		return false;
	if (cli->whole && column->event < cli->n_whole) {
		as_val whole = cli->whole[column->event];

		if (__builtin_mul_overflow(whole, (as_val)column->each, &opts->total) ||
			opts->total > AS_PPROF_MOST)
			return false;
		count = cli->whole[cli->n_whole + column->event];
	}
	if (opts->mean)
		opts->total = as_pg_mean(opts->total, count);
	return true;
}

enum as_exit as_pprof_choose(
	struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts)
{
	const char *index = opts->sample_index ? opts->sample_index : "";

	if (!as_pprof_find_column(prof, as_slice_of(index), &opts->column))
		return no_column(cli, prof, index);
	if (!find_total(cli, prof, opts)) {
		as_cli_error(cli, "what the samples cost together is too much for a number",
			"another sample type: --event");
		return AS_EXIT_UNSUPPORTED;
	}
	local_time(as_str_get(prof, prof->epoch), opts->time, sizeof(opts->time));
	return AS_EXIT_OK;
}

enum as_exit as_pprof_print(struct as_cli *cli, const struct as_profile *prof,
	const struct as_pprof_opts *opts, as_pprof_printer *print)
{
	struct as_out *out;
	struct as_err err;

	as_err_clear(&err);
	if (as_cli_out(cli, &out) != AS_OK)
		return as_cli_no_memory(cli);
	return print(prof, opts, out, &err) == AS_OK ? AS_EXIT_OK : as_cli_fail(cli, &err, NULL);
}
