/* SPDX-License-Identifier: Apache-2.0 */
/* The list of commands, made from src/cli/meson.build, and the options that several of them
 * have. */
#include "cli/cli.h"
#include "cli/command_list.h"

#define X(name) extern const struct as_cmd as_cmd_##name;
AS_COMMANDS(X)
#undef X

const struct as_cmd *as_cmd_by_name(const char *name)
{
	for (size_t i = 0; as_cmds[i]; i++)
		if (strcmp(as_cmds[i]->name, name) == 0)
			return as_cmds[i];
	return NULL;
}

#define COMMON(member, kind, letter, name, arg, help) \
	AS_OPTION(as_cli_opts, common.member, kind, letter, name, arg, help)

static const struct as_optdef general_opts[] = {
	AS_OPTION(as_cli_opts, color, AS_OPT_WORD, 0, "color", "auto|always|never",
		"colour; auto: on a terminal, without NO_COLOR"),
	AS_OPTION(as_cli_opts, no_pager, AS_OPT_FLAG, 0, "no-pager", NULL, "never start a pager"),
	COMMON(quiet, AS_OPT_FLAG, 'q', "quiet", NULL, "no warnings, notes or progress"),
	COMMON(verbose, AS_OPT_FLAG, 'v', "verbose", NULL, "say more"),
	AS_OPTION_END,
};

static const struct as_optdef read_opts[] = {
	COMMON(jobs, AS_OPT_NUM, 'j', "jobs", "N", "threads; default: the processors there are"),
	COMMON(from, AS_OPT_STR, 0, "from", "FORMAT", "read as FORMAT, whatever it looks like"),
	COMMON(in_opts, AS_OPT_LIST, 'I', "read-option", "KEY=VALUE",
		"an option of the reader: assay formats -v"),
	COMMON(compat, AS_OPT_WORD, 0, "compat", "pprof",
		"cut stacks as pprof does; case counts in patterns"),
	COMMON(max_memory, AS_OPT_STR, 0, "max-memory", "SIZE",
		"end where more memory is wanted: 4G, 500M; 0 = no limit; default 3/4 of it"),
	COMMON(all_parts, AS_OPT_FLAG, 0, "all-parts", NULL,
		"FILE.1, FILE-01 ... and FILE as one profile"),
	AS_OPTION_END,
};

static const struct as_optdef format_opts[] = {
	COMMON(format, AS_OPT_WORD, 'f', "format", "text|json|csv", "form of the answer"),
	AS_OPTION_END,
};

static const struct as_optdef view_opts[] = {
	COMMON(contexts, AS_OPT_WORD, 0, "contexts", "fold|keep|paths",
		"f'2 and f'caller: fold into f (the default), keep, or make call paths"),
	COMMON(cycles, AS_OPT_WORD, 0, "cycles", "yes|no",
		"collapse cycles for inclusive cost (the default), or not"),
	AS_OPTION_END,
};

#define FILTER(word, name, arg, help) \
	COMMON(filter[AS_WORD_##word], AS_OPT_LIST, 0, name, arg, help)

static const struct as_optdef filter_opts[] = {
	FILTER(FOCUS, "focus", "RE", "only samples with a frame that matches RE"),
	FILTER(IGNORE, "ignore", "RE", "no samples with a frame that matches RE"),
	FILTER(HIDE, "hide", "RE", "no frames that match RE: their cost is the callers'"),
	FILTER(SHOW, "show", "RE", "only frames that match RE, likewise"),
	FILTER(SHOW_FROM, "show-from", "RE", "no frames above the highest that matches RE"),
	FILTER(PRUNE_FROM, "prune-from", "RE",
		"no frames below the lowest function that matches RE"),
	FILTER(OBJECT, "object", "RE",
		"only samples whose last frame is code of an object that matches RE"),
	FILTER(THREAD, "thread", "THREAD", "only this thread: its number or name"),
	FILTER(PART, "part", "PART", "only this part: its number or file name"),
	FILTER(LABEL, "label", "KEY=VALUE",
		"only samples with this label, of pprof's; KEY alone: with any value"),
	FILTER(TAGFOCUS, "tagfocus", "[KEY=]RE|RANGE",
		"only samples with a label that matches: thread=work, bytes=1mb:2gb, 30kb:"),
	FILTER(TAGIGNORE, "tagignore", "[KEY=]RE|RANGE", "no samples with a label that matches"),
	FILTER(TAGSHOW, "tagshow", "RE", "no labels but those whose key matches"),
	FILTER(TAGHIDE, "taghide", "RE", "no labels whose key matches"),
	FILTER(TAGROOT, "tagroot", "KEY,...",
		"the values of these labels as frames above each stack"),
	FILTER(TAGLEAF, "tagleaf", "KEY,...",
		"the values of these labels as frames below each stack"),
	COMMON(relative, AS_OPT_FLAG, 0, "relative", NULL,
		"percentages of what filters leave, not of the whole"),
	AS_OPTION_END,
};

static const struct as_optdef symbol_opts[] = {
	COMMON(symbols, AS_OPT_WORD, 0, "symbols", "auto|none",
		"name code that has only addresses, from its binaries (the default), or not"),
	COMMON(inlines, AS_OPT_WORD, 0, "inline", "on|off",
		"inlined functions apart (the default), or as part of their callers"),
	COMMON(names, AS_OPT_WORD, 0, "names", "full|noargs|notemplates|short",
		"how much of C++ and Rust names; default notemplates in text, else full"),
	COMMON(binary, AS_OPT_LIST, 0, "binary", "PATH",
		"take names from this binary: that of the same build id, or name"),
	COMMON(path_map, AS_OPT_LIST, 0, "path-map", "OLD=NEW",
		"files whose paths begin with OLD are below NEW now"),
	COMMON(symfs, AS_OPT_STR, 0, "symfs", "DIR", "binaries are below DIR, or in it"),
	COMMON(debug_dir, AS_OPT_LIST, 0, "debug-dir", "DIR",
		"look for separate debug files in DIR, too"),
	COMMON(debuginfod, AS_OPT_FLAG, 0, "debuginfod", NULL,
		"ask the servers of $DEBUGINFOD_URLS for what is missing"),
	COMMON(force, AS_OPT_FLAG, 0, "force", NULL,
		"use binaries that are not the ones that were recorded"),
	COMMON(no_symbol_cache, AS_OPT_FLAG, 0, "no-symbol-cache", NULL,
		"neither use nor keep names that were found before"),
	AS_OPTION_END,
};

static const struct as_optdef write_opts[] = {
	COMMON(output, AS_OPT_STR, 'o', "output", "FILE",
		"write to FILE; '-' is stdout, DIR/ for formats of many files"),
	COMMON(to, AS_OPT_STR, 't', "to", "FORMAT", "write FORMAT; default: as FILE is named"),
	COMMON(overwrite, AS_OPT_FLAG, 'y', "overwrite", NULL, "replace FILE if it is there"),
	COMMON(strict, AS_OPT_FLAG, 0, "strict", NULL, "damaged input or any loss: write nothing"),
	COMMON(estimate_paths, AS_OPT_FLAG, 0, "estimate-paths", NULL,
		"make call paths out of calls, an estimate"),
	COMMON(write_contexts, AS_OPT_WORD, 0, "contexts", "keep|paths",
		"f'2, f'caller: keep as names, or make call paths; else they are f but in "
		"Callgrind's format"),
	COMMON(out_opts, AS_OPT_LIST, 'O', "write-option", "KEY=VALUE",
		"an option of the writer: assay formats -v"),
	AS_OPTION_END,
};

const struct as_group as_groups[] = {
	{"Output options", AS_GROUP_WRITE, write_opts, NULL},
	{"View options", AS_GROUP_VIEW, view_opts, NULL},
	{"Filters", AS_GROUP_FILTER, filter_opts, "filters (--focus RE ...)"},
	{"Name options", AS_GROUP_SYMBOLS, symbol_opts, ""},
	{"Answer options", AS_GROUP_FORMAT, format_opts, NULL},
	{"Input options", AS_GROUP_READ, read_opts, ""},
	{"General options", 0, general_opts, NULL},
	{NULL, 0, NULL, NULL},
};

const struct as_cmd *const as_cmds[] = {
#define X(name) &as_cmd_##name,
	AS_COMMANDS(X)
#undef X
		NULL,
};
