/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "session/naming.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "change/transform.h"
#include "io/package.h"
#include "io/threads.h"
#include "report/kit/show.h"
#include "session/load.h"
#include "table/name_shares.h"

/* Nameless code is told from one in NOTICED of the cost on, less only with -v. Where it is one in
 * MUCH of it, and was made at run time, a word says how to get its names. */
enum { NOTICED = 100, MUCH = 10 };

/* ---- options ---- */

static void run_tasks(void *ctx, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	as_threads_run(*(const unsigned *)ctx, task, arg, n);
}

void as_session_symbol_opts(
	const struct as_session *ses, struct as_arena *arena, struct as_symbol_opts *opts)
{
	const struct as_asked_name *o = &ses->opt.name;

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
		.passed_on = ses->passed_on,
		.cache = {.al = ses->al},
	};
	if (ses->around && ses->around->symbols)
		ses->around->symbols(ses->around->ctx, arena, opts);
}

/* When the newest of FILES was written: its binaries are older than that. */
static uint64_t naming_recorded(const char *const *files, size_t n)
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

bool as_session_wants_names(const struct as_session *ses)
{
	return ses->opt.name.symbols ? ses->opt.name.symbols == AS_SYMBOLS_AUTO : !ses->nameless;
}

/* ---- what to say ---- */

/* Which package has the names of FILE, of which the distribution has taken them. */
static const char *package_advice(
	const struct as_session *ses, struct as_arena *arena, struct as_slice file)
{
	struct as_slice package = as_package_of(arena, AS_DPKG_INFO, file), debug, text;

	if (!package.len)
		return "";
	debug = as_package_debug(arena, package);
	text = as_arena_printf(arena, "; the package %.*s has them%s", AS_SLICE_FMT(debug),
		ses->opt.name.debuginfod ? "" : ", or --debuginfod");
	return text.p ? text.p : "";
}

static const char *naming_advice(
	const struct as_session *ses, struct as_arena *arena, const struct as_object_report *r)
{
	switch (r->state) {
	case AS_OBJECT_MISSING:
		return "; where is it? --binary, --path-map, --symfs";
	case AS_OBJECT_CHANGED:
		return "; --force uses it all the same";
	case AS_OBJECT_NO_NAMES:
		return package_advice(ses, arena, r->file);
	default:
		return "";
	}
}

static void tell_object(const struct as_session *ses, struct as_arena *arena,
	const struct as_profile *prof, const struct as_object_report *r,
	const struct as_name_share *share)
{
	struct as_slice path = r->file.len ? r->file : as_object_path(prof, r->object), percent;

	percent = as_show_percent(arena, share->nameless, share->whole);
	if (share->nameless > 0 && percent.p)
		as_say_once(ses, "%.*s: %.*s; %.*s %% of the cost stays without names%s",
			AS_SLICE_FMT(path), AS_SLICE_FMT(r->note), AS_SLICE_FMT(percent),
			naming_advice(ses, arena, r));
	else
		as_say_once(ses, "%.*s: %.*s%s", AS_SLICE_FMT(path), AS_SLICE_FMT(r->note),
			naming_advice(ses, arena, r));
}

/* Whether a process of PROF is a run of PROGRAM, as "/usr/bin/python3.12 x.py" is of python. */
static bool naming_runs(const struct as_profile *prof, const char *program)
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
	if (naming_runs(prof, "node"))
		return "; for names: node --perf-basic-prof, or --cpu-prof, whose "
		       ".cpuprofile is read";
	if (naming_runs(prof, "java"))
		return "; for names: java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit "
		       "(17 and later), or -XX:StartFlightRecording";
	if (naming_runs(prof, "python"))
		return "; for names: python -X perf (3.12 and later), or py-spy";
	return "";
}

/* Tell of code in no file that was mapped: it was made at run time, or its library is gone. */
static void tell_nowhere(const struct as_session *ses, struct as_arena *arena,
	const struct as_profile *prof, const struct as_name_share *share)
{
	struct as_slice percent = as_show_percent(arena, share->nameless, share->whole);

	if (percent.p)
		as_say_note(ses, "%.*s %% of the cost lies in no file and stays without names%s",
			AS_SLICE_FMT(percent), way_to_names(prof, share));
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

/* So many files are named without -v. */
enum { NAMED_FILES = 3 };

/* What is not worth a line. */
static bool is_small(const struct as_session *ses, const struct as_name_share *share)
{
	bool stripped = share->report && share->report->state == AS_OBJECT_NO_NAMES;

	return !ses->opt.tell.verbose && (share->nameless > 0 || stripped) && share->whole > 0 &&
	       share->nameless * NOTICED < share->whole;
}

/* Of files whose code only calls what costs, NTH: a machine's recording has dozens. */
static bool is_one_of_many(
	const struct as_session *ses, const struct as_name_share *share, size_t nth)
{
	return !ses->opt.tell.verbose && share->nameless <= 0 && nth > NAMED_FILES;
}

/* Files of which each costs too little for a line. */
static void tell_small(const struct as_session *ses, struct as_arena *arena,
	const struct as_name_share *sum, size_t n)
{
	struct as_slice percent;

	if (sum->nameless <= 0 || is_small(ses, sum))
		return;
	percent = as_show_percent(arena, sum->nameless, sum->whole);
	if (percent.p && n)
		as_say_note(ses, "%zu %s without names, %.*s %% of the cost; -v lists %s", n,
			n == 1 ? "more file is" : "more files are", AS_SLICE_FMT(percent),
			n == 1 ? "it" : "them");
}

static void naming_tell(const struct as_session *ses, const struct as_name_shares *shares)
{
	struct as_arena arena;
	struct as_name_share nowhere = {.whole = shares->whole}, small = nowhere;
	size_t n_small = 0, n_free = 0;

	as_arena_init(&arena, ses->al);
	for (size_t i = 0; i < shares->n; i++)
		if (is_nowhere(shares->prof, &shares->row[i]))
			nowhere.nameless += shares->row[i].nameless;
	if (nowhere.nameless > 0 && !is_small(ses, &nowhere))
		tell_nowhere(ses, &arena, shares->prof, &nowhere);
	for (size_t i = 0; i < shares->n; i++) {
		const struct as_name_share *share = &shares->row[i];
		bool told = share->report && share->report->note.len;

		n_free += told && share->nameless <= 0;
		if (told && (is_small(ses, share) || is_one_of_many(ses, share, n_free))) {
			small.nameless += share->nameless;
			n_small++;
		} else if (told) {
			tell_object(ses, &arena, shares->prof, share->report, share);
		} else if (share->report && share->report->lacks.len && ses->opt.tell.verbose) {
			as_say_note(ses, "%.*s: %.*s", AS_SLICE_FMT(share->report->file),
				AS_SLICE_FMT(share->report->lacks));
		}
	}
	tell_small(ses, &arena, &small, n_small);
	as_arena_release(&arena);
}

/* Files that were taken for what their paths say: one line for all of them. */
static void tell_unproven(const struct as_session *ses, const struct as_name_shares *shares)
{
	char list[400], more[32] = "";
	size_t n = 0, count = 0, named = 0;

	for (size_t i = 0; i < shares->n; i++) {
		const struct as_object_report *r = shares->row[i].report;
		struct as_slice name = r ? as_base_name(r->file) : as_slice_of("");

		if (!r || !r->unproven || !r->n_named)
			continue;
		count++;
		if ((named >= NAMED_FILES && !ses->opt.tell.verbose) ||
			n + name.len + 8 >= sizeof(list))
			continue;
		n += (size_t)snprintf(
			list + n, sizeof(list) - n, "%s%.*s", n ? ", " : "", AS_SLICE_FMT(name));
		named++;
	}
	if (count > named)
		snprintf(more, sizeof(more), " and %zu more", count - named);
	if (count)
		as_say_once(ses,
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
static void tell_unused(const struct as_session *ses, const struct as_symbol_report *report)
{
	for (size_t i = 0; i < ses->opt.name.binary.n && report->object.n; i++) {
		const char *path = ses->opt.name.binary.p[i];
		struct stat st;

		if (is_used(report, path))
			continue;
		if (stat(path, &st) != 0)
			as_say_note(ses, "--binary %s: %s", path, strerror(errno));
		else if (S_ISDIR(st.st_mode))
			as_say_note(ses,
				"--binary %s: is a directory; --symfs looks for binaries in it",
				path);
		else
			as_say_note(ses,
				"--binary %s is not used: nothing in the profile has its name or "
				"build id",
				path);
	}
}

/* Binaries that were given and do not exist are told also where no names are looked for. */
static void tell_not_there(const struct as_session *ses)
{
	struct stat st;

	for (size_t i = 0; i < ses->opt.name.binary.n; i++)
		if (stat(ses->opt.name.binary.p[i], &st) != 0)
			as_say_once(
				ses, "--binary %s: %s", ses->opt.name.binary.p[i], strerror(errno));
}

/* Warn if DIR is no directory; true if so. */
static bool tell_no_directory(const struct as_session *ses, const char *dir)
{
	struct stat st;

	if (stat(dir, &st) != 0)
		as_say_note(ses, "--debug-dir %s: %s", dir, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		as_say_note(ses, "--debug-dir %s: is no directory", dir);
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
static void tell_unused_dirs(const struct as_session *ses, const struct as_symbol_report *report)
{
	for (size_t i = 0; i < ses->opt.name.debug_dir.n && report->object.n; i++) {
		const char *dir = ses->opt.name.debug_dir.p[i];
		char real[PATH_MAX];

		if (!tell_no_directory(ses, dir) && realpath(dir, real) &&
			!is_debug_dir_used(report, as_slice_of(real)))
			as_say_note(ses,
				"--debug-dir %s is not used: it has no debug file of what the "
				"profile needs",
				dir);
	}
}

static enum as_exit tell_all(const struct as_session *ses, const struct as_profile *prof,
	struct as_symbol_report *report)
{
	struct as_name_shares shares;

	if (ses->opt.tell.quiet)
		return AS_EXIT_OK;
	if (as_name_shares_make(&shares, prof, report) != AS_OK) {
		as_name_shares_release(&shares);
		return as_say_no_memory(ses);
	}
	tell_unused(ses, report);
	tell_unused_dirs(ses, report);
	naming_tell(ses, &shares);
	tell_unproven(ses, &shares);
	report->told = true;
	as_name_shares_release(&shares);
	return AS_EXIT_OK;
}

/* Warn of what is odd about the files that names were taken from, also where they name little. */
static void tell_odd(const struct as_session *ses, const struct as_symbol_report *report)
{
	for (size_t i = 0; i < report->object.n; i++) {
		const struct as_object_report *r = &report->object.p[i];

		if (r->n_named && r->note.len)
			as_say_note(
				ses, "%.*s: %.*s", AS_SLICE_FMT(r->file), AS_SLICE_FMT(r->note));
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

enum as_code as_name_code(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_profile **named, struct as_symbol_report *report, struct as_err *err)
{
	struct as_chains chains;
	enum as_code rc = as_symbolize(prof, opts, &chains, report, err);

	*named = NULL;
	if (rc == AS_OK && (chains.chain.n || chains.segment.n || prof->stacks.n))
		rc = as_expand(prof, &chains, named, err);
	as_chains_release(&chains);
	return rc;
}

enum as_code as_name_by_map(struct as_profile **prof, int map, struct as_err *err)
{
	struct as_symbol_opts opts = {.no_files = true, .kallsyms = ""};
	struct as_symbol_report report;
	struct as_profile *named;
	char path[32];
	enum as_code rc;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", map);
	opts.perf_map = path;
	rc = as_name_code(*prof, &opts, &named, &report, err);
	as_symbol_report_release(&report);
	if (rc == AS_OK)
		as_profile_replace(prof, named);
	return rc == AS_E_UNSUPPORTED ? AS_OK : rc;
}

static enum as_exit give_names(const struct as_session *ses, const struct as_symbol_opts *opts,
	struct as_profile **prof, struct as_symbol_report *report)
{
	struct as_profile *named;
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;
	bool little;

	rc = as_name_code(*prof, opts, &named, report, &err);
	little = rc == AS_OK && !ses->opt.tell.verbose && costs_little(*prof, report);
	if (rc == AS_E_UNSUPPORTED) {
		as_say_note(ses, "%s", err.msg);
		return AS_EXIT_OK;
	}
	AS_DO(as_say_code(ses, rc, &err));
	as_profile_replace(prof, named);
	if (!little)
		return tell_all(ses, *prof, report);
	if (!ses->opt.tell.quiet)
		tell_odd(ses, report);
	return AS_EXIT_OK;
}

/* ---- --names ---- */

static struct as_slice at_level(const void *ctx, struct as_arena *arena, struct as_slice name)
{
	return as_name_at_level(arena, name, *(const enum as_name_level *)ctx);
}

bool as_session_names_how(const struct as_session *ses, bool for_people, struct as_renamer *how)
{
	static const enum as_name_level level[] = {
		AS_NAMES_FULL, AS_NAMES_NOARGS, AS_NAMES_NOTEMPLATES, AS_NAMES_SHORT};
	size_t i = ses->opt.name.level ? ses->opt.name.level - 1
		   : for_people        ? AS_NAMES_NOTEMPLATES
				       : AS_NAMES_FULL;

	as_assert(i < AS_ARRAY_LEN(level));
	*how = (struct as_renamer){.rename = at_level, .base = as_name_base, .ctx = &level[i]};
	return level[i] != AS_NAMES_FULL;
}

enum as_exit as_inputs_show_names(const struct as_session *ses, struct as_inputs *in)
{
	bool for_people =
		ses->shows && as_format_is_page(ses->opt.view.format) && !ses->opt.read.compat;
	struct as_renamer how;
	struct as_err err = AS_ERR_NONE;

	if (!as_session_names_how(ses, for_people, &how))
		return AS_EXIT_OK;
	as_shown_init(&in->shown, ses->al, &how);
	AS_DO(as_say_code(ses, as_show_names_of(&in->shown, in->prof, &err), &err));
	in->prof->shown = &in->shown;
	return AS_EXIT_OK;
}

enum as_exit as_session_rename(const struct as_session *ses, struct as_profile **prof)
{
	struct as_profile *named;
	struct as_renamer how;
	struct as_err err = AS_ERR_NONE;

	if (!as_session_names_how(ses, false, &how))
		return AS_EXIT_OK;
	AS_DO(as_say_code(ses, as_rename(*prof, &how, &named, &err), &err));
	as_profile_replace(prof, named);
	return AS_EXIT_OK;
}

static enum as_exit ask_binaries(const struct as_session *ses, const char *const *files,
	size_t n_files, struct as_profile **prof, struct as_symbol_report *report)
{
	struct as_symbol_opts opts;
	struct as_arena arena;
	unsigned jobs = as_session_jobs(ses);
	enum as_exit rc;

	as_arena_init(&arena, ses->al);
	as_session_symbol_opts(ses, &arena, &opts);
	opts.recorded = naming_recorded(files, n_files);
	if (jobs > 1) {
		opts.elf.run = run_tasks;
		opts.elf.run_ctx = &jobs;
	}
	rc = give_names(ses, &opts, prof, report);
	as_arena_release(&arena);
	return rc;
}

/* --inline off of what the profile itself says; pprof's own views do that as pprof does. */
static enum as_exit fold_inlined(const struct as_session *ses, struct as_profile **prof)
{
	struct as_profile *folded;
	struct as_err err = AS_ERR_NONE;

	if (ses->opt.name.inlines != AS_INLINE_OFF || ses->opt.read.compat)
		return AS_EXIT_OK;
	AS_DO(as_say_code(ses, as_fold_inlined(*prof, &folded, &err), &err));
	as_profile_replace(prof, folded);
	return AS_EXIT_OK;
}

/* Stacks to sums where there were no names to wait for. */
static enum as_exit naming_settle(const struct as_session *ses, struct as_profile **prof)
{
	struct as_profile *settled = NULL;
	struct as_chains none;
	struct as_err err = AS_ERR_NONE;
	enum as_code rc = AS_E_NOMEM;

	if (!(*prof)->stacks.n)
		return AS_EXIT_OK;
	if (as_chains_init(&none, ses->al))
		rc = as_expand(*prof, &none, &settled, &err);
	as_chains_release(&none);
	if (rc != AS_OK)
		return rc == AS_E_NOMEM ? as_say_no_memory(ses) : as_say_failed(ses, &err, NULL);
	as_profile_replace(prof, settled);
	return AS_EXIT_OK;
}

enum as_exit as_session_name(const struct as_session *ses, const char *const *files, size_t n_files,
	struct as_profile **prof, struct as_symbol_report *report)
{
	enum as_exit rc = AS_EXIT_OK;

	as_assert(*prof);
	*report = (struct as_symbol_report){0};
	as_arena_init(&report->arena, ses->al);
	if (as_session_wants_names(ses) && as_wants_symbols(*prof))
		rc = ask_binaries(ses, files, n_files, prof, report);
	else
		tell_not_there(ses);
	AS_THEN(rc, naming_settle(ses, prof));
	AS_THEN(rc, fold_inlined(ses, prof));
	return rc;
}

enum as_exit as_inputs_name(const struct as_session *ses, struct as_inputs *in)
{
	struct as_session left = *ses; /* without the binaries that reading has used */
	struct as_list *binary = &left.opt.name.binary;
	uint64_t given = 0;

	_Static_assert(AS_LIST_MAX <= 64, "a bit for each");
	for (size_t i = 0; i < in->loaded.n; i++)
		given |= in->loaded.p[i].given;
	binary->n = 0;
	for (size_t i = 0; i < ses->opt.name.binary.n; i++)
		if (!(given >> i & 1))
			binary->p[binary->n++] = ses->opt.name.binary.p[i];
	return as_session_name(&left, in->file.p, in->file.n, &in->prof, &in->symbols);
}
