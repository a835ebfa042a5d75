/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "cli/naming.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "change/transform.h"
#include "cli/load.h"
#include "cli/symbols_env.h"
#include "io/threads.h"
#include "report/kit/names.h"
#include "report/kit/show.h"

/* One in so many: less without a name is not told but with -v. And one in so many of a run-time's
 * own code is worth a word on how to get its names. */
enum { NOTICED = 100, MUCH = 10 };

/* ---- options ---- */

static void run_tasks(void *ctx, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	as_threads_run(*(const unsigned *)ctx, task, arg, n);
}

/* libdwfl asks the servers of $DEBUGINFOD_URLS wherever that is set; here only who says so does. */
static void allow_network(struct as_cli *cli)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!cli->opt.debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	else if (!urls || !urls[0])
		as_cli_warn(cli, "--debuginfod: DEBUGINFOD_URLS names no server");
}

void as_cli_symbol_opts(struct as_cli *cli, struct as_arena *arena, struct as_symbol_opts *opts)
{
	const struct as_common *o = &cli->opt;

	allow_network(cli);
	*opts = (struct as_symbol_opts){
		.elf = {.debug_dir = o->debug_dir.p,
			.n_debug_dir = o->debug_dir.n,
			.debuginfod = o->debuginfod},
		.path_map = o->path_map.p,
		.n_path_map = o->path_map.n,
		.symfs = o->symfs,
		.object = o->binary.p,
		.n_object = o->binary.n,
		.force = o->force,
		.no_inlines = o->inlines == AS_INLINE_OFF,
		.passed_on = cli->passed_on,
		.names = AS_NAMES_FULL,
		.cache = {.al = cli->al},
	};
	if (!o->no_symbol_cache)
		opts->cache = as_cli_cache(cli, arena);
}

/* When the newest of FILES was written: its binaries are older than that. */
static uint64_t recorded(const char *const *files, size_t n)
{
	uint64_t last = 0;
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		if (stat(files[i], &st) != 0 || !S_ISREG(st.st_mode))
			return 0;
		if ((uint64_t)st.st_mtime > last)
			last = (uint64_t)st.st_mtime;
	}
	return last;
}

bool as_cli_wants_names(const struct as_cli *cli)
{
	const char *env = getenv("ASSAY_SYMBOLS");

	if (cli->opt.symbols)
		return cli->opt.symbols == AS_SYMBOLS_AUTO;
	return !env || strcmp(env, "none") != 0;
}

/* ---- what to say ---- */

static const char *advice(enum as_object_state state)
{
	switch (state) {
	case AS_OBJECT_MISSING:
		return "; where is it? --binary, --path-map, --symfs";
	case AS_OBJECT_CHANGED:
		return "; --force uses it all the same";
	default:
		return "";
	}
}

static void tell_object(struct as_cli *cli, const struct as_profile *prof,
	const struct as_object_report *r, const struct as_name_share *share)
{
	struct as_slice path = r->file.len ? r->file : as_object_path(prof, r->object), percent;
	struct as_arena arena;

	as_arena_init(&arena, cli->al);
	percent = as_show_percent(&arena, share->nameless, share->whole);
	if (share->nameless > 0 && percent.p)
		as_cli_note_once(cli, "%.*s: %.*s; %.*s %% of the cost stays without names%s",
			AS_SLICE_FMT(path), AS_SLICE_FMT(r->note), AS_SLICE_FMT(percent),
			advice(r->state));
	else
		as_cli_note_once(cli, "%.*s: %.*s%s", AS_SLICE_FMT(path), AS_SLICE_FMT(r->note),
			advice(r->state));
	as_arena_release(&arena);
}

/* Whether a process of PROF is a run of PROGRAM, as "/usr/bin/python3.12 x.py" is of python. */
static bool runs(const struct as_profile *prof, const char *program)
{
	for (size_t i = 0; i < prof->part.n; i++) {
		struct as_slice rest = as_str_get(prof, prof->part.p[i].command), word;

		if (as_slice_word(&rest, &word) && as_slice_starts(as_base_name(word), program))
			return true;
	}
	return false;
}

/* How code that was made at run time gets names. */
static const char *way_to_names(const struct as_profile *prof, const struct as_name_share *share)
{
	if (share->nameless * MUCH < share->whole)
		return "";
	if (runs(prof, "node"))
		return "; for names: node --perf-basic-prof";
	if (runs(prof, "python"))
		return "; for names: python -X perf (3.12 and later), or py-spy";
	return "";
}

/* Code in no file that was mapped: just in time, or of a library that is gone. */
static void tell_nowhere(
	struct as_cli *cli, const struct as_profile *prof, const struct as_name_share *share)
{
	struct as_slice percent;
	struct as_arena arena;

	as_arena_init(&arena, cli->al);
	percent = as_show_percent(&arena, share->nameless, share->whole);
	if (percent.p)
		as_cli_note(cli, "%.*s %% of the cost lies in no file and stays without names%s",
			AS_SLICE_FMT(percent), way_to_names(prof, share));
	as_arena_release(&arena);
}

/* In no object, or in one that is no file and that nothing else is told of; what stands for samples
 * that are missing is no code. */
static bool is_nowhere(const struct as_profile *prof, const struct as_name_share *share)
{
	const struct as_object_report *r = share->report;

	if (as_path_is_gap(as_object_path(prof, share->object)))
		return false;
	return !share->object.i || (r && r->state == AS_OBJECT_NOT_A_FILE && !r->note.len);
}

/* What is not worth a line. */
static bool is_small(const struct as_cli *cli, const struct as_name_share *share)
{
	bool stripped = share->report && share->report->state == AS_OBJECT_NO_NAMES;

	return !cli->opt.verbose && (share->nameless > 0 || stripped) && share->whole > 0 &&
	       share->nameless * NOTICED < share->whole;
}

/* Files of which each costs too little for a line. */
static void tell_small(struct as_cli *cli, const struct as_name_share *sum, size_t n)
{
	struct as_slice percent;
	struct as_arena arena;

	if (sum->nameless <= 0 || is_small(cli, sum))
		return;
	as_arena_init(&arena, cli->al);
	percent = as_show_percent(&arena, sum->nameless, sum->whole);
	if (percent.p && n)
		as_cli_note(cli, "%zu %s without names, %.*s %% of the cost; -v lists %s", n,
			n == 1 ? "more file is" : "more files are", AS_SLICE_FMT(percent),
			n == 1 ? "it" : "them");
	as_arena_release(&arena);
}

static void tell(struct as_cli *cli, const struct as_name_shares *shares)
{
	struct as_name_share nowhere = {.whole = shares->whole}, small = nowhere;
	size_t n_small = 0;

	for (size_t i = 0; i < shares->n; i++)
		if (is_nowhere(shares->prof, &shares->row[i]))
			nowhere.nameless += shares->row[i].nameless;
	if (nowhere.nameless > 0 && !is_small(cli, &nowhere))
		tell_nowhere(cli, shares->prof, &nowhere);
	for (size_t i = 0; i < shares->n; i++) {
		const struct as_name_share *share = &shares->row[i];

		if (share->report && share->report->note.len && is_small(cli, share)) {
			small.nameless += share->nameless;
			n_small++;
		} else if (share->report && share->report->note.len) {
			tell_object(cli, shares->prof, share->report, share);
		} else if (share->report && share->report->lacks.len && cli->opt.verbose) {
			as_cli_note(cli, "%.*s: %.*s", AS_SLICE_FMT(share->report->file),
				AS_SLICE_FMT(share->report->lacks));
		}
	}
	tell_small(cli, &small, n_small);
}

/* So many files are named without -v. */
enum { NAMED_FILES = 3 };

/* Files that were taken for what their paths say: one line for all of them. */
static void tell_unproven(struct as_cli *cli, const struct as_name_shares *shares)
{
	char list[400], more[32] = "";
	size_t n = 0, count = 0, named = 0;

	for (size_t i = 0; i < shares->n; i++) {
		const struct as_object_report *r = shares->row[i].report;
		struct as_slice name = r ? as_base_name(r->file) : as_slice_of("");

		if (!r || !r->unproven || !r->n_named)
			continue;
		count++;
		if ((named >= NAMED_FILES && !cli->opt.verbose) || n + name.len + 8 >= sizeof(list))
			continue;
		n += (size_t)snprintf(
			list + n, sizeof(list) - n, "%s%.*s", n ? ", " : "", AS_SLICE_FMT(name));
		named++;
	}
	if (count > named)
		snprintf(more, sizeof(more), " and %zu more", count - named);
	if (count)
		as_cli_note_once(cli,
			"names are those of the %s here now, which nothing in the profile "
			"identifies: %s%s",
			count == 1 ? "file that is" : "files that are", list, more);
}

static bool is_used(const struct as_symbol_report *report, const char *path)
{
	for (size_t i = 0; i < report->object.n; i++)
		if (as_slice_is(report->object.p[i].file, path))
			return true;
	return false;
}

/* Binaries that were given and that no object of the profile is. */
static void tell_unused(struct as_cli *cli, const struct as_symbol_report *report)
{
	for (size_t i = 0; i < cli->opt.binary.n && report->object.n; i++) {
		const char *path = cli->opt.binary.p[i];
		struct stat st;

		if (is_used(report, path))
			continue;
		if (stat(path, &st) != 0)
			as_cli_note(cli, "--binary %s: %s", path, strerror(errno));
		else if (S_ISDIR(st.st_mode))
			as_cli_note(cli,
				"--binary %s: is a directory; --symfs looks for binaries in it",
				path);
		else
			as_cli_note(cli,
				"--binary %s is not used: nothing in the profile has its name or "
				"build id",
				path);
	}
}

/* Where no binary is asked for names: those that are not there are told all the same. */
static void tell_not_there(struct as_cli *cli)
{
	struct stat st;

	for (size_t i = 0; i < cli->opt.binary.n; i++)
		if (stat(cli->opt.binary.p[i], &st) != 0)
			as_cli_note_once(
				cli, "--binary %s: %s", cli->opt.binary.p[i], strerror(errno));
}

/* True if DIR is no directory, which is told. */
static bool tell_no_directory(struct as_cli *cli, const char *dir)
{
	struct stat st;

	if (stat(dir, &st) != 0)
		as_cli_note(cli, "--debug-dir %s: %s", dir, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		as_cli_note(cli, "--debug-dir %s: is no directory", dir);
	else
		return false;
	return true;
}

/* A file of DIR was taken, or was looked at and is told already. */
static bool is_debug_dir_used(const struct as_symbol_report *report, struct as_slice dir)
{
	for (size_t i = 0; i < report->object.n; i++) {
		const struct as_object_report *r = &report->object.p[i];

		if ((as_slice_starts(r->debug, dir.p) && r->debug.len > dir.len &&
			    r->debug.p[dir.len] == '/') ||
			as_slice_find_text(r->note, dir.p) < r->note.len)
			return true;
	}
	return false;
}

/* Directories that were given, and have nothing. */
static void tell_unused_dirs(struct as_cli *cli, const struct as_symbol_report *report)
{
	for (size_t i = 0; i < cli->opt.debug_dir.n && report->object.n; i++) {
		const char *dir = cli->opt.debug_dir.p[i];
		char real[PATH_MAX];

		if (!tell_no_directory(cli, dir) && realpath(dir, real) &&
			!is_debug_dir_used(report, as_slice_of(real)))
			as_cli_note(cli,
				"--debug-dir %s is not used: it has no debug file of what the "
				"profile needs",
				dir);
	}
}

static enum as_exit tell_all(
	struct as_cli *cli, const struct as_profile *prof, struct as_symbol_report *report)
{
	struct as_name_shares shares;

	if (cli->opt.quiet && !cli->hear)
		return AS_EXIT_OK;
	if (as_name_shares_make(&shares, prof, report) != AS_OK) {
		as_name_shares_release(&shares);
		return as_cli_no_memory(cli);
	}
	tell_unused(cli, report);
	tell_unused_dirs(cli, report);
	tell(cli, &shares);
	tell_unproven(cli, &shares);
	report->told = true;
	as_name_shares_release(&shares);
	return AS_EXIT_OK;
}

/* What is odd about files that names were taken from, however little they name. */
static void tell_odd(struct as_cli *cli, const struct as_symbol_report *report)
{
	for (size_t i = 0; i < report->object.n; i++) {
		const struct as_object_report *r = &report->object.p[i];

		if (r->n_named && r->note.len)
			as_cli_note(
				cli, "%.*s: %.*s", AS_SLICE_FMT(r->file), AS_SLICE_FMT(r->note));
	}
}

/* Code without a name costs so little that nobody misses it: Callgrind names nearly all functions
 * itself. */
static bool costs_little(const struct as_profile *prof, const struct as_symbol_report *report)
{
	struct as_name_shares shares;
	bool little = false;

	if (as_name_shares_make(&shares, prof, report) == AS_OK)
		little = shares.nameless >= 0 && shares.whole > 0 &&
			 shares.nameless * NOTICED < shares.whole;
	as_name_shares_release(&shares);
	return little;
}

/* ---- naming ---- */

static enum as_exit give_names(struct as_cli *cli, const struct as_symbol_opts *opts,
	struct as_profile **prof, struct as_symbol_report *report)
{
	struct as_profile *named = NULL;
	struct as_chains chains;
	struct as_err err;
	enum as_code rc;
	bool little;

	as_err_clear(&err);
	rc = as_symbolize(*prof, opts, &chains, report, &err);
	little = rc == AS_OK && !cli->opt.verbose && costs_little(*prof, report);
	if (rc == AS_OK && (chains.chain.n || chains.segment.n))
		rc = as_expand(*prof, &chains, &named, &err);
	as_chains_release(&chains);
	if (rc == AS_E_UNSUPPORTED) {
		as_cli_note(cli, "%s", err.msg);
		return AS_EXIT_OK;
	}
	if (rc != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	if (named) {
		as_profile_free(*prof);
		*prof = named;
	}
	if (!little)
		return tell_all(cli, *prof, report);
	if (!cli->opt.quiet || cli->hear)
		tell_odd(cli, report);
	return AS_EXIT_OK;
}

/* ---- --names ---- */

static struct as_slice at_level(const void *ctx, struct as_arena *arena, struct as_slice name)
{
	return as_name_at_level(arena, name, *(const enum as_name_level *)ctx);
}

bool as_cli_names_how(const struct as_cli *cli, bool for_people, struct as_renamer *how)
{
	static const enum as_name_level level[] = {
		AS_NAMES_FULL, AS_NAMES_NOARGS, AS_NAMES_NOTEMPLATES, AS_NAMES_SHORT};
	size_t i = cli->opt.names ? cli->opt.names - 1
		   : for_people   ? AS_NAMES_NOTEMPLATES
				  : AS_NAMES_FULL;

	*how = (struct as_renamer){.rename = at_level, .base = as_name_base, .ctx = &level[i]};
	return level[i] != AS_NAMES_FULL;
}

enum as_exit as_inputs_show_names(struct as_cli *cli, struct as_inputs *in)
{
	bool for_people = (cli->cmd->groups & AS_GROUP_FORMAT) &&
			  cli->opt.format <= AS_FORMAT_TEXT && !cli->opt.compat;
	struct as_renamer how;
	struct as_err err;

	if (!as_cli_names_how(cli, for_people, &how))
		return AS_EXIT_OK;
	as_err_clear(&err);
	as_shown_init(&in->shown, cli->al, &how);
	if (as_show_names_of(&in->shown, in->prof, &err) != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	in->prof->shown = &in->shown;
	return AS_EXIT_OK;
}

enum as_exit as_cli_rename(struct as_cli *cli, struct as_profile **prof)
{
	struct as_profile *named;
	struct as_renamer how;
	struct as_err err;

	if (!as_cli_names_how(cli, false, &how))
		return AS_EXIT_OK;
	as_err_clear(&err);
	if (as_rename(*prof, &how, &named, &err) != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	as_profile_free(*prof);
	*prof = named;
	return AS_EXIT_OK;
}

static enum as_exit ask_binaries(struct as_cli *cli, const char *const *files, size_t n_files,
	struct as_profile **prof, struct as_symbol_report *report)
{
	struct as_symbol_opts opts;
	struct as_arena arena;
	unsigned jobs = as_cli_jobs(cli);
	enum as_exit rc;

	as_arena_init(&arena, cli->al);
	as_cli_symbol_opts(cli, &arena, &opts);
	opts.recorded = recorded(files, n_files);
	if (jobs > 1) {
		opts.elf.run = run_tasks;
		opts.elf.run_ctx = &jobs;
	}
	rc = give_names(cli, &opts, prof, report);
	as_arena_release(&arena);
	return rc;
}

/* --inline off of what the profile itself says; pprof's own views do that as pprof does. */
static enum as_exit fold_inlined(struct as_cli *cli, struct as_profile **prof)
{
	struct as_profile *folded;
	struct as_err err;

	if (cli->opt.inlines != AS_INLINE_OFF || cli->opt.compat)
		return AS_EXIT_OK;
	as_err_clear(&err);
	if (as_fold_inlined(*prof, &folded, &err) != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	if (folded) {
		as_profile_free(*prof);
		*prof = folded;
	}
	return AS_EXIT_OK;
}

enum as_exit as_cli_name(struct as_cli *cli, const char *const *files, size_t n_files,
	struct as_profile **prof, struct as_symbol_report *report)
{
	enum as_exit rc = AS_EXIT_OK;

	*report = (struct as_symbol_report){0};
	as_arena_init(&report->arena, cli->al);
	if (as_cli_wants_names(cli) && as_wants_symbols(*prof))
		rc = ask_binaries(cli, files, n_files, prof, report);
	else
		tell_not_there(cli);
	if (rc == AS_EXIT_OK)
		rc = fold_inlined(cli, prof);
	return rc;
}

enum as_exit as_inputs_name(struct as_cli *cli, struct as_inputs *in)
{
	return as_cli_name(cli, in->file.p, in->file.n, &in->prof, &in->symbols);
}
