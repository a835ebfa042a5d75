/* SPDX-License-Identifier: Apache-2.0 */
#include "session/load.h"

#include <errno.h>
#include <stdio.h>

#include "change/transform.h"
#include "formats/foreign.h"
#include "io/siblings.h"
#include "session/begin.h"
#include "session/database.h"
#include "session/filtering.h"
#include "session/load_impl.h"
#include "session/read.h"
#include "session/store/asking.h"
#include "session/urls.h"

struct as_progress *as_load_progress(const struct as_session *ses)
{
	const struct as_around *around = ses->around;

	return around && around->progress_begin ? around->progress_begin(around->ctx) : NULL;
}

void as_load_progress_end(const struct as_session *ses)
{
	if (ses->around && ses->around->progress_end)
		ses->around->progress_end(ses->around->ctx);
}

/* ---- one input ---- */

struct reading {
	const struct as_session *ses;
	struct as_loaded *ld;
	const struct as_load_opts *opts;
	struct as_src *src;
	struct as_exec *exec; /* NULL: one thread */
	bool paths;           /* paths are needed: sums do not suffice */
	struct as_load_some some;
	struct as_folder folder;
};

/* Valgrind leaves the base file empty where dumps or threads have files of their own. */
static const char *way_of_empty(const struct as_session *ses, const char *path)
{
	const char *way = "record it again";
	struct as_siblings sb;
	struct as_err err = AS_ERR_NONE;

	if (as_siblings_find(&sb, ses->al, path, &err) == AS_OK)
		for (size_t i = 0; i < sb.row.n; i++)
			if (!sb.row.p[i].empty)
				way = "its parts lie beside it; all of them as one: --all-parts";
	as_siblings_release(&sb);
	return way;
}

/* What stays of a function, or of its calls of another, is rounded for all its rows together, so a
 * table of functions need not have their lines. */
static enum as_detail load_detail(const struct reading *r)
{
	enum as_detail detail = as_fields_detail(r->ses->filters->fields, r->opts->detail);

	return r->opts->table && r->opts->detail == AS_DETAIL_FUNC && detail == AS_DETAIL_LINE
		       ? AS_DETAIL_FILE
		       : detail;
}

static enum as_code load_open(struct reading *r)
{
	struct as_loaded *ld = r->ld;
	const struct as_asked_read *opt = &r->ses->opt.read;
	bool moments = r->opts->moments || r->opts->markers || r->ses->filters->ask.by_time;
	const char *pair[AS_LIST_MAX + 1];
	struct as_read_opts how = {
		.detail = load_detail(r),
		.sums = r->opts->sums && r->src->again && !r->paths && !moments &&
			r->ses->opt.name.inlines != AS_INLINE_OFF,
		.stacks = r->opts->stacks,
		.moments = moments,
		.markers = r->opts->markers,
		.choice = r->opts->choice,
		.refuse = r->opts->refuse,
		.calls = r->opts->calls && r->opts->alone,
		.strict = r->opts->strict,
		.check = r->opts->check,
		.keep_order = opt->compat, /* pprof's is that of the file */
		.exec = r->exec,
		.opts = {.pair = pair},
		.raw = r->opts->raw,
		.unpack = as_zstd_unpack(),
		.xml = as_expat_xml(),
		.more = r->folder.more.p,
		.n_more = r->folder.more.n,
		.fmt = r->some.fmt,
		.sections = r->some.bytes,
		.n_sections = r->some.n,
	};
	struct as_read_result got;
	struct as_unwinding unwinding;
	struct as_made_files made;
	enum as_code rc;

	how.unwinder = as_unwinding_init(&unwinding, r->ses);
	how.made = as_made_files_init(&made, r->ses);
	if (opt->from)
		how.fmt = as_format_by_name(as_slice_of(opt->from));
	if (opt->compat)
		pair[how.opts.n++] = "compat=pprof";
	for (size_t i = 0; i < opt->opts.n; i++)
		pair[how.opts.n++] = opt->opts.p[i];
	rc = as_read(r->ses->al, r->src, &how, &ld->findings, &got, &ld->err);
	as_unwinding_release(&unwinding);
	ld->given = made.given;
	as_made_files_release(&made);
	ld->fmt = got.fmt;
	ld->prof = got.prof;
	ld->head = got.head;
	ld->is_read = got.prof != NULL;
	ld->partial = ld->is_read && got.prof->partial;
	ld->lines = r->opts->detail >= AS_DETAIL_LINE;
	ld->way = got.empty ? way_of_empty(r->ses, ld->path) : got.way;
	return rc;
}

static void loaded_init(const struct as_session *ses, const char *path, struct as_loaded *ld)
{
	*ld = (struct as_loaded){.path = path};
	as_err_clear(&ld->err);
	as_findings_init(&ld->findings, ses->al);
}

/* No more of PATH than what is asked for, if it is an input of which that can be read. */
static bool load_some(struct reading *r, const char *path)
{
	const struct as_rd_choice *choice = r->opts->choice;
	struct as_loaded *ld = r->ld;

	if (!choice || !choice->object || r->ses->opt.read.from ||
		!as_load_some_open(&r->some, r->ses->al, path, choice))
		return false;
	loaded_init(r->ses, path, ld);
	r->src = &r->some.mem.src;
	ld->rc = load_open(r);
	as_load_some_close(&r->some);
	/* What is odd is told of the whole. */
	if (ld->rc == AS_OK && !ld->partial && !ld->findings.n[AS_ERROR])
		return true;
	as_loaded_release(ld);
	return false;
}

static void load_once(struct reading *r, const char *path, struct as_progress *progress)
{
	struct as_loaded *ld = r->ld;

	if (as_fleet_input_is(path)) {
		loaded_init(r->ses, path, ld);
		as_fleet_input_load(r->ses, path, r->opts, ld);
		return;
	}
	if (load_some(r, path))
		return;
	loaded_init(r->ses, path, ld);
	ld->rc = as_urls_open(r->ses, path, progress, &r->src, &ld->way, &ld->err);
	if (ld->rc == AS_E_IO && ld->err.sys_errno == EISDIR) {
		if (as_folder_open(&r->folder, r->ses->al, path, progress, &ld->err, &ld->rc))
			r->src = r->folder.first;
		else
			ld->way = as_foreign_directory(path);
	}
	if (ld->rc == AS_OK)
		ld->rc = load_open(r);
	if (ld->rc == AS_E_NOTPROFILE && !ld->way && as_urls_has(r->ses, path))
		ld->way = "a Go service has profiles at /debug/pprof/heap and "
			  "/debug/pprof/profile?seconds=30";
	if (r->src != r->folder.first)
		as_file_close(r->src);
	as_folder_close(&r->folder);
}

static bool has_sums(const struct as_profile *prof)
{
	return prof->sums.func.n || prof->stacks.n;
}

/* What functions add up to does not say what those of their new names do, nor what samples do that
 * the reader did not choose. */
static bool needs_paths(const struct reading *r)
{
	const struct as_profile *prof = r->ld->prof;

	if (!prof || !has_sums(prof))
		return false;
	return (r->opts->choice && !prof->whole) ||
	       (prof->sums.func.n && as_session_wants_names(r->ses) && as_wants_symbols(prof));
}

static void load_with(struct reading *r, const char *path, struct as_progress *progress)
{
	load_once(r, path, progress);
	if (needs_paths(r)) {
		as_loaded_release(r->ld);
		r->paths = true;
		load_once(r, path, progress);
	}
	if (r->opts->begins && r->ld->rc == AS_OK && r->ld->prof)
		r->ld->rc = as_begin_place(r->ld, r->opts->database, r->opts->alone);
	if (r->opts->begins && r->ld->rc != AS_OK) {
		as_profile_free(r->ld->prof);
		r->ld->prof = NULL;
	}
}

void as_load_quiet(const struct as_session *ses, const char *path, const struct as_load_opts *opts,
	struct as_progress *progress, struct as_loaded *ld)
{
	struct reading r = {.ses = ses, .ld = ld, .opts = opts};

	load_with(&r, path, progress);
}

void as_load(const struct as_session *ses, const char *path, const struct as_load_opts *opts,
	struct as_loaded *ld)
{
	struct as_exec exec;
	struct reading r = {
		.ses = ses, .ld = ld, .opts = opts, .exec = as_session_exec(ses, &exec)};

	load_with(&r, path, as_load_progress(ses));
	as_load_progress_end(ses);
}

void as_loaded_release(struct as_loaded *ld)
{
	as_profile_free(ld->prof);
	ld->prof = NULL;
	as_findings_release(&ld->findings);
}

static const struct as_finding *first_error(const struct as_findings *f)
{
	for (size_t i = 0; i < f->row.n; i++)
		if (f->row.p[i].severity == AS_ERROR)
			return &f->row.p[i];
	return NULL;
}

/* Text that may have been cut inside of a number can't be told from text that is whole: of it a
 * figure may be wrong. What else is odd, as a warning is, leaves the figures right. */
static const struct as_finding *report_cut(const struct as_findings *f)
{
	for (size_t i = 0; i < f->row.n; i++)
		switch (f->row.p[i].id) {
		case AS_F_PS_CUT:
		case AS_F_GT_CUT:
		case AS_F_FO_LINE_END:
		case AS_F_LG_LINE_END:
			return &f->row.p[i];
		default:
			break;
		}
	return NULL;
}

/* Where V8 says at which lines a function was, but not when at which. */
static void tell_lines(const struct as_session *ses, const struct as_loaded *ld)
{
	for (size_t i = 0; ld->lines && i < ld->findings.row.n; i++)
		if (ld->findings.row.p[i].id == AS_F_V8_LINES) {
			as_say_note(ses,
				"%s: functions that were at several lines have none here; "
				"-I lines=yes has them, and samples instead of times",
				ld->findings.file);
			return;
		}
}

enum as_exit as_loaded_report(const struct as_session *ses, const struct as_loaded *ld)
{
	const struct as_finding *first = first_error(&ld->findings);
	const struct as_finding *cut = report_cut(&ld->findings);
	uint64_t n = ld->findings.n[AS_ERROR];

	if (ld->told != AS_EXIT_OK)
		return ld->told;
	if (ld->rc != AS_OK || !ld->is_read)
		return as_say_failed(ses, &ld->err, ld->way);
	if (ld->lacks)
		as_say_part(ses, "%s: %s", ld->path, ld->warning);
	else if (ld->warning[0])
		as_say_warning(ses, "%s: %s", ld->path, ld->warning);
	else if (ld->partial && first)
		as_say_warning(ses, "%s: %.*s; the figures are those of what could be read",
			ld->findings.file, AS_SLICE_FMT(first->msg));
	else if (ld->partial)
		as_say_warning(ses, "%s: damaged; the figures are those of what could be read",
			ld->findings.file);
	else if (n)
		as_say_warning(ses, "%s: %" PRIu64 " %s; see them with: assay check %s",
			ld->findings.file, n, n == 1 ? "error" : "errors", ld->findings.file);
	else if (cut)
		as_say_warning(ses, "%s: %.*s", ld->findings.file, AS_SLICE_FMT(cut->msg));
	tell_lines(ses, ld);
	return AS_EXIT_OK;
}

/* ---- several inputs ---- */

static enum as_exit load_add_file(
	const struct as_session *ses, struct as_inputs *in, const char *path)
{
	return as_vec_push(ses->al, &in->file, path) ? AS_EXIT_OK : as_say_no_memory(ses);
}

static void note_gaps(struct as_inputs *in, const struct as_siblings *sb)
{
	uint64_t last = 0;

	for (size_t i = 0; i < sb->row.n; i++) {
		uint64_t dump = sb->row.p[i].dump;

		if (dump > last + 1)
			as_findings_add(&in->findings, AS_F_CG_PART_GAP, AS_OFF_NONE, 0,
				"dump %" PRIu64 " follows %" PRIu64 ": a file is missing", dump,
				last);
		if (dump)
			last = dump;
	}
}

/* The files of the run whose base file is PREFIX. An empty one is the base that valgrind
 * leaves beside the files of the threads. */
static enum as_exit add_parts(
	const struct as_session *ses, struct as_inputs *in, const char *prefix)
{
	struct as_siblings sb;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;
	size_t before = in->file.n;

	if (as_siblings_find(&sb, ses->al, prefix, &err) != AS_OK) {
		rc = as_say_failed(ses, &err, NULL);
		goto out;
	}
	for (size_t i = 0; i < sb.row.n && rc == AS_EXIT_OK; i++) {
		struct as_slice path = sb.row.p[i].path;

		if (sb.row.p[i].empty && sb.row.n > 1)
			continue;
		path = as_arena_dup(&in->arena, path);
		rc = path.p ? load_add_file(ses, in, path.p) : as_say_no_memory(ses);
	}
	if (rc == AS_EXIT_OK && in->file.n == before)
		rc = load_add_file(ses, in, prefix); /* opening it says why */
	note_gaps(in, &sb);
out:
	as_siblings_release(&sb);
	return rc;
}

static enum as_exit load_add_operand(
	const struct as_session *ses, struct as_inputs *in, const char *path)
{
	if (ses->opt.read.all_parts && as_urls_has(ses, path))
		return as_say_usage(ses, "--all-parts looks beside a file",
			"nothing is beside a URL; several URLs are several FILEs");
	if (strcmp(path, "-") == 0 || as_urls_has(ses, path))
		return load_add_file(ses, in, path);
	if (as_fleet_input_is(path))
		return load_add_file(ses, in, path);
	if (as_database_is(ses, path))
		return as_database_find(ses, path, in);
	return ses->opt.read.all_parts ? add_parts(ses, in, path) : load_add_file(ses, in, path);
}

enum as_exit as_inputs_find(
	const struct as_session *ses, struct as_files files, struct as_inputs *in)
{
	enum as_exit rc = AS_EXIT_OK;
	bool seen_stdin = false;

	*in = (struct as_inputs){0};
	as_arena_init(&in->arena, ses->al);
	as_losses_init(&in->losses, ses->al);
	as_findings_init(&in->findings, ses->al);
	for (size_t i = 0; i < files.n && rc == AS_EXIT_OK; i++) {
		const char *path = files.path[i];
		bool is_stdin = strcmp(path, "-") == 0;

		if (is_stdin && seen_stdin)
			return as_say_usage(ses, "'-' stands twice among the inputs",
				"standard input can be read once only");
		seen_stdin |= is_stdin;
		rc = load_add_operand(ses, in, path);
	}
	if (rc == AS_EXIT_OK)
		as_urls_get(ses); /* here is one thread still */
	return rc;
}

/* Forget all that was read. */
static void inputs_forget(const struct as_session *ses, struct as_inputs *in)
{
	for (size_t i = 0; i < in->loaded.n; i++)
		as_loaded_release(&in->loaded.p[i]);
	in->loaded.n = 0;
	as_losses_release(&in->losses);
	as_losses_init(&in->losses, ses->al);
	as_profile_free(in->prof);
	in->prof = NULL;
}

/* That no object is one that is asked for is known without the samples. */
bool as_load_chose_nothing(const struct as_load_opts *opts, const struct as_profile *prof)
{
	bool no_object = opts->known && as_known_wants_none(opts->known) && !as_was_void(prof);

	return opts->choice && as_is_void(prof) && !has_sums(prof) && !no_object;
}

/* *AGAIN: as in as_load_merged(). */
static enum as_exit load_alone(const struct as_session *ses, const struct as_load_opts *opts,
	struct as_inputs *in, bool *again)
{
	struct as_loaded *ld = &in->loaded.p[0];
	enum as_exit rc;

	as_load(ses, in->file.p[0], opts, ld);
	in->loaded.n = 1;
	*again = ld->prof && as_load_chose_nothing(opts, ld->prof);
	if (*again)
		return AS_EXIT_OK;
	rc = as_loaded_report(ses, ld);
	in->prof = ld->prof;
	ld->prof = NULL;
	return rc;
}

static enum as_exit load_all(const struct as_session *ses, const struct as_load_opts *opts,
	bool keep_parts, struct as_inputs *in, bool *again)
{
	*again = false;
	return in->file.n == 1 ? load_alone(ses, opts, in, again)
			       : as_load_merged(ses, opts, keep_parts, in, again);
}

/* Binaries that somebody names may say whose code it is that is in no object. */
static bool may_choose(const struct as_session *ses, const struct as_load_opts *opts)
{
	return opts->chosen && !ses->opt.name.binary.n &&
	       ses->opt.view.contexts != AS_CONTEXTS_PATHS;
}

/* Of files that may be damaged, where the first that is ends it, sums are those of one alone. Of
 * samples that are chosen they are right if the reader chooses all by itself; which of several
 * patterns matched it does not say, and its shares are those of all samples. */
static bool load_sums_will_do(
	const struct as_session *ses, const struct as_inputs *in, const struct as_rd_choice *choice)
{
	const struct as_filters *f = ses->filters;

	if (!in->database && in->file.n > 1)
		return false;
	return choice ? !choice->part && f->n_matchers == 1 && !f->ask.relative
		      : !as_filters_any(ses);
}

/* Filters have more to say, and paths may be in names. */
static bool load_may_refuse(const struct as_session *ses, const struct as_inputs *in)
{
	return in->file.n == 1 && !in->database && !as_filters_any(ses) &&
	       ses->opt.view.contexts != AS_CONTEXTS_PATHS &&
	       ses->opt.write.contexts != AS_WRITE_CONTEXTS_PATHS;
}

enum as_exit as_inputs_load(const struct as_session *ses, struct as_files files,
	const struct as_load_opts *opts, bool keep_parts, struct as_inputs *in)
{
	enum as_exit rc = as_inputs_find(ses, files, in);
	struct as_load_opts how = *opts;
	struct as_known *known = NULL;
	struct as_rd_choice choice;
	bool again;

	AS_DO(rc);
	AS_DO(as_say_memory(ses, as_vec_reserve(ses->al, &in->loaded, in->file.n)));
	keep_parts &= !in->database;
	how.database = in->database;
	how.alone = in->file.n == 1;
	if (!load_may_refuse(ses, in))
		how.refuse = NULL;
	if (in->database && may_choose(ses, opts) && as_filters_by_sample(ses->filters, &choice)) {
		how.known = known = as_known_new(ses->al, &choice);
		how.choice = &choice;
	}
	how.sums &= load_sums_will_do(ses, in, how.choice);
	how.stacks = how.sums;
	rc = load_all(ses, &how, keep_parts, in, &again);
	if (again) {
		inputs_forget(ses, in);
		how.sums = how.stacks = false;
		how.choice = NULL;
		rc = load_all(ses, &how, keep_parts, in, &again);
	}
	as_known_free(known);
	return rc == AS_EXIT_OK ? as_database_facts(ses, in) : rc;
}

enum as_exit as_inputs_context_paths(const struct as_session *ses, struct as_inputs *in, bool paths)
{
	struct as_profile *prof;
	struct as_err err = AS_ERR_NONE;

	if (!paths)
		return AS_EXIT_OK;
	if (as_context_paths(in->prof, &prof, &in->losses, &err) != AS_OK)
		return as_say_failed(ses, &err,
			err.code == AS_E_UNSUPPORTED
				? "call paths are in the names if callgrind ran with "
				  "--separate-callers=N"
				: NULL);
	as_profile_replace(&in->prof, prof);
	as_say_note(ses, "call paths end after %" PRIu32 " frame%s: older callers are cut",
		prof->path_depth, prof->path_depth == 1 ? "" : "s");
	return AS_EXIT_OK;
}

enum as_exit as_inputs_view(const struct as_session *ses, struct as_inputs *in)
{
	as_assert(in->prof && ses->filters);
	if (in->loaded.n == 1 && in->loaded.p[0].head)
		return AS_EXIT_OK;
	AS_DO(as_inputs_name(ses, in));
	AS_DO(as_inputs_show_names(ses, in));
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.view.contexts == AS_CONTEXTS_PATHS));
	return as_inputs_filter(ses, in);
}

bool as_lacks_moments(const struct as_profile *prof)
{
	return !prof->moments.n && !prof->moments.left;
}

enum as_exit as_inputs_want_moments(const struct as_session *ses, const struct as_inputs *in)
{
	const struct as_moments *m = &in->prof->moments;
	char what[600];

	if (m->n)
		return AS_EXIT_OK;
	if (as_is_void(in->prof))
		return as_say_end(ses, AS_EXIT_NO, "the profile has no samples", NULL);
	if (m->left)
		snprintf(what, sizeof(what),
			"%.300s: %" PRIu64 " time stamps do not say when all of it was counted",
			in->file.p[0], m->left);
	else
		snprintf(what, sizeof(what),
			"%.300s: the profile does not say when its samples were counted",
			in->file.p[0]);
	return as_say_end(
		ses, AS_EXIT_UNSUPPORTED, what, "which formats say when: assay formats -v");
}

void as_inputs_release(struct as_inputs *in)
{
	const struct as_alloc *al = in->arena.al;

	as_profile_free(in->prof);
	as_shown_release(&in->shown);
	for (size_t i = 0; i < in->loaded.n; i++)
		as_loaded_release(&in->loaded.p[i]);
	as_vec_free(al, &in->loaded);
	as_vec_free(al, &in->file);
	as_vec_free(al, &in->flat);
	as_losses_release(&in->losses);
	as_findings_release(&in->findings);
	if (in->symbols.arena.al)
		as_symbol_report_release(&in->symbols);
	as_arena_release(&in->arena);
}
