/* SPDX-License-Identifier: Apache-2.0 */
/* From files to the bytes that the page's engine reads, and what is to be said about them. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>

#include "change/transform.h"
#include "formats/format_list.h"
#include "page/share_page.h"
#include "session/filtering.h"
#include "session/input.h"
#include "session/urls.h"

enum { LIMIT_MB = 256, READ_STEP = 1 << 20 };

/* ---- notes: what is said on stderr is said in the page, too ---- */

static void share_file_hear(void *ctx, enum as_say how, const char *text, const char *hint)
{
	struct as_shared_file *f = ctx;
	struct as_slice copy = {0};
	char shown[1024];

	if (f->to->say)
		f->to->say(f->to->say_ctx, how, text, hint);
	if (how == AS_SAY_ERROR)
		return;
	as_escape(shown, sizeof(shown), text, strlen(text));
	copy = as_arena_dup(&f->arena, as_slice_of(shown));
	if (copy.p && !as_vec_push(f->ses.al, &f->note, copy))
		f->note.n = 0; /* out of memory: others will find that */
}

static enum as_exit share_file_failed(struct as_shared_file *f, const struct as_err *err)
{
	return as_say_failed(&f->ses, err, NULL);
}

/* ---- the file's own bytes ---- */

static uint64_t limit_of(const struct as_share_args *args)
{
	return (args->limit.given ? args->limit.value : LIMIT_MB) << 20;
}

/* Its engine has fewer formats, and no dialects of them. */
static bool page_reads(const struct as_format *fmt, const struct as_profile *prof)
{
#define X(name) #name,
	static const char *const names[] = {AS_PAGE_FORMATS(X)};
#undef X

	if (!fmt || (fmt->dialects && prof->version.i))
		return false;
	return as_slice_is_one_of(as_slice_of(fmt->name), names);
}

/* The page's engine reads PATH as the program did: nothing was chosen, named or told to it. */
static bool is_as_read(const struct as_shared_file *f)
{
	const struct as_asked *opt = &f->ses.opt;
	struct stat st;

	return f->in.file.n == 1 && !as_urls_has(&f->ses, f->in.file.p[0]) &&
	       page_reads(f->in.loaded.p[0].fmt, f->in.prof) && stat(f->in.file.p[0], &st) == 0 &&
	       S_ISREG(st.st_mode) && !opt->read.from && !opt->read.opts.n && !opt->read.compat &&
	       opt->name.level <= 1;
}

/* All bytes of SRC to TO, if they are not more than MOST. */
static enum as_code take_bytes(const struct as_shared_file *f, struct as_src *src,
	struct as_sink_mem *to, uint64_t most, struct as_err *err)
{
	for (;;) {
		ptrdiff_t n;

		if (to->data.n > most)
			return AS_E_LIMIT;
		if (!as_vec_reserve(f->ses.al, &to->data, to->data.n + READ_STEP))
			return as_err_no_memory(err);
		n = src->read(src, to->data.p + to->data.n, READ_STEP);
		if (n < 0) {
			err->sys_errno = (int)-n;
			return as_err_set(err, AS_E_IO, "cannot read: %s",
				src->fault ? src->fault : strerror((int)-n));
		}
		if (n == 0)
			return AS_OK;
		to->data.n += (size_t)n;
	}
}

static bool is_compressed(struct as_src *raw)
{
	char magic[4] = {0};
	ptrdiff_t n = raw->pread ? raw->pread(raw, magic, sizeof(magic), 0) : 0;
	struct as_slice head = {magic, n > 0 ? (size_t)n : 0};

	return as_slice_starts(head, "\x1f\x8b") || as_slice_starts(head, "\x28\xb5\x2f\xfd");
}

static struct as_slice slice_of(const struct as_sink_mem *sm)
{
	return (struct as_slice){sm->data.p, sm->data.n};
}

/* F has what is in the file: the file RAW itself instead, where the page can undo it. */
static enum as_code take_packed(
	struct as_shared_file *f, struct as_src *raw, uint64_t most, struct as_err *err)
{
	struct as_sink_mem file;
	enum as_code rc;

	as_sink_mem_init(&file, f->ses.al);
	rc = take_bytes(f, raw, &file, most, err);
	f->is = AS_SHARED_UNPACKED;
	if (rc == AS_OK && as_gzip_holds(slice_of(&file), slice_of(&f->bytes))) {
		struct as_sink_mem text = f->bytes;

		f->bytes = file;
		file = text;
		f->is = AS_SHARED_GZIP;
	}
	as_sink_mem_release(&file);
	return rc == AS_E_LIMIT ? AS_OK : rc;
}

/* AS_E_LIMIT: the file is too large to be taken as it is. */
static enum as_code share_file_take_one(struct as_shared_file *f, uint64_t most, struct as_err *err)
{
	const char *path = f->in.file.p[0];
	struct as_src *src;
	enum as_code rc;

	AS_TRY(as_input_open(f->ses.al, path, NULL, &src, err));
	rc = take_bytes(f, src, &f->bytes, most, err);
	as_file_close(src);
	f->is = AS_SHARED_FILE;
	if (rc != AS_OK || as_input_is_directory(path))
		return rc;
	AS_TRY(as_file_open_raw(f->ses.al, path, NULL, &src, err));
	if (is_compressed(src))
		rc = take_packed(f, src, most, err);
	as_file_close(src);
	return rc;
}

/* ---- written anew ---- */

/* With moments, pprof has more than others read. */
static struct as_format format_for(const struct as_profile *prof)
{
	struct as_format fmt =
		*as_format_by_name(as_slice_of(prof->sample.node.n ? "pprof" : "callgrind"));

	if (prof->moments.n)
		fmt.caps |= AS_CAP(MOMENTS) | AS_CAP(PARTS);
	return fmt;
}

bool as_shared_is_pprof(const struct as_shared_file *f)
{
	return f->in.prof->sample.node.n != 0;
}

static enum as_code write_profile(struct as_shared_file *f, const struct as_format *fmt,
	const struct as_profile *prof, struct as_losses *l, struct as_err *err)
{
	const char *no_time = "time=no"; /* the page has the events that the file has */
	struct as_exec exec;
	struct as_out out;
	struct as_wr wr = {.out = &out,
		.err = err,
		.losses = l,
		.exec = as_session_exec(&f->ses, &exec),
		.opts = {&no_time, as_opts_have(fmt->write_opts, as_slice_of("time"))},
		.moments = true};
	enum as_code rc, end;

	AS_TRY(as_out_open(&out, f->ses.al, &f->bytes.sink, err));
	rc = as_format_write(fmt, &wr, prof);
	end = as_out_finish(&out);
	return rc == AS_OK ? end : rc;
}

/* The profile as it is now; what that loses goes to the notes. */
static enum as_exit take_profile(struct as_shared_file *f)
{
	const struct as_format fmt = format_for(f->in.prof);
	const struct as_losses *l = &f->in.losses;
	struct as_adapt_opts how = {.estimate = false};
	char number[AS_VAL_TEXT];
	struct as_profile *adapted = NULL;
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	f->bytes.data.n = 0;
	f->is = AS_SHARED_NEW;
	rc = as_adapt(f->in.prof, &fmt, &how, &adapted, &f->in.losses, &err);
	AS_THEN(rc, write_profile(f, &fmt, adapted ? adapted : f->in.prof, &f->in.losses, &err));
	as_profile_free(adapted);
	if (rc != AS_OK)
		return share_file_failed(f, &err);
	if (l->no_memory)
		return as_say_no_memory(&f->ses);
	for (size_t i = 0; i < l->row.n; i++)
		as_say_note(&f->ses, "not in the page: %s %.*s",
			as_loss_number(&l->row.p[i], number), AS_SLICE_FMT(l->row.p[i].text));
	return AS_EXIT_OK;
}

/* ---- both ---- */

static enum as_exit share_file_load(struct as_shared_file *f, const struct as_share_args *args,
	enum as_detail detail, bool *same)
{
	struct as_load_opts opts = {
		.detail = detail, .check = true, .moments = true, .markers = true};
	const struct as_profile *before;
	enum as_exit rc;

	AS_DO(as_inputs_load(&f->ses, f->files, &opts, true, &f->in));
	before = f->in.prof;
	rc = as_inputs_name(&f->ses, &f->in);
	if (rc == AS_EXIT_OK && args->only && as_filters_any(&f->ses))
		rc = as_inputs_filter(&f->ses, &f->in);
	AS_THEN(rc, as_session_rename(&f->ses, &f->in.prof));
	*same = f->in.prof == before && is_as_read(f);
	return rc;
}

/* Read again, and tell less apart. */
static enum as_exit load_less(
	struct as_shared_file *f, const struct as_share_args *args, enum as_detail detail)
{
	uint64_t mb = limit_of(args) >> 20;
	enum as_exit rc;
	bool same;

	as_inputs_release(&f->in);
	rc = share_file_load(f, args, detail, &same);
	if (rc == AS_EXIT_OK)
		as_say_note(&f->ses,
			"larger than %" PRIu64 " MB: the page has it summed by %s (--limit)", mb,
			detail == AS_DETAIL_LINE ? "line, without instructions"
						 : "function, without lines");
	return rc == AS_EXIT_OK ? take_profile(f) : rc;
}

static enum as_exit share_file_take(
	struct as_shared_file *f, const struct as_share_args *args, bool same)
{
	static const enum as_detail less[] = {AS_DETAIL_LINE, AS_DETAIL_FUNC};
	uint64_t most = limit_of(args);
	enum as_code code = AS_E_LIMIT;
	enum as_exit rc = AS_EXIT_OK;
	struct as_err err = AS_ERR_NONE;

	if (same)
		code = share_file_take_one(f, most, &err);
	else
		rc = take_profile(f);
	if (code != AS_OK && code != AS_E_LIMIT)
		return share_file_failed(f, &err);
	for (size_t i = 0; rc == AS_EXIT_OK && f->bytes.data.n > most; i++) {
		if (i == AS_ARRAY_LEN(less))
			return as_say_end(&f->ses, AS_EXIT_UNSUPPORTED,
				"too large for a page, even summed by function",
				"choose a part: --only with --focus, --thread or --part");
		rc = load_less(f, args, less[i]);
	}
	return rc;
}

/* What the page begins with is there. */
static enum as_exit try_state(struct as_shared_file *f, const struct as_share_args *args, bool side)
{
	enum as_exit rc = AS_EXIT_OK;
	uint32_t event;

	if (args->sort)
		rc = as_session_event(&f->ses, as_events_of(f->in.prof), args->sort, &event);
	if (rc != AS_EXIT_OK || args->only)
		return rc;
	return as_session_filter_try(&f->ses, f->in.prof, side ? f->in.file.p[0] : NULL, &f->empty);
}

enum as_exit as_shared_read(struct as_shared_file *f, const struct as_session *ses,
	const struct as_share_args *args, struct as_files files, bool side)
{
	enum as_exit rc;
	bool same = false;

	as_assert(files.n);
	*f = (struct as_shared_file){.ses = *ses, .to = ses, .files = files};
	as_arena_init(&f->arena, ses->al);
	as_sink_mem_init(&f->bytes, ses->al);
	as_sink_mem_init(&f->origin, ses->al);
	f->ses.opt.tell.quiet = false;
	f->ses.say = share_file_hear;
	f->ses.say_ctx = f;
	rc = share_file_load(f, args, AS_DETAIL_FULL, &same);
	AS_THEN(rc, try_state(f, args, side));
	AS_THEN(rc, share_file_take(f, args, same));
	f->ses = *ses;
	return rc;
}

void as_shared_release(struct as_shared_file *f)
{
	as_inputs_release(&f->in);
	as_sink_mem_release(&f->bytes);
	as_sink_mem_release(&f->origin);
	as_vec_free(f->ses.al, &f->note);
	as_arena_release(&f->arena);
}

/* ---- its origin ---- */

static enum as_code put_origin(struct as_shared_file *f, const struct as_page_origin *o)
{
	enum as_code rc, finished;
	struct as_out out;
	struct as_err err = AS_ERR_NONE;

	AS_TRY(as_out_open(&out, f->ses.al, &f->origin.sink, &err));
	rc = as_page_origin(o, &out);
	finished = as_out_finish(&out);
	return rc == AS_OK ? finished : rc;
}

static void list_checked(const struct as_inputs *in, struct as_checked *c)
{
	for (size_t i = 0; i < in->loaded.n; i++) {
		const struct as_loaded *ld = &in->loaded.p[i];

		c[i] = (struct as_checked){
			.name = as_base_name(
				as_slice_of(strcmp(ld->path, "-") == 0 ? "stdin" : ld->path))
					.p,
			.format = ld->fmt ? ld->fmt->name : NULL,
			.findings = &ld->findings,
			.rc = ld->rc,
			.err = &ld->err,
		};
	}
}

enum as_exit as_shared_origin(struct as_shared_file *f, struct as_shared_file *base)
{
	size_t size = (f->in.loaded.n + 1) * sizeof(struct as_checked);
	struct as_checked *checked = as_alloc_new(f->ses.al, size);
	struct as_name_shares names;
	enum as_code rc = as_name_shares_make(&names, f->in.prof, &f->in.symbols);
	struct as_slice name = as_arena_dup(&f->arena, as_shared_name(f));
	struct as_info info = {.prof = f->in.prof, .name = name.p, .names = &names};
	struct as_page_origin o = {.file = f->in.file.p,
		.n_files = f->in.file.n,
		.info = &info,
		.checked = checked,
		.n_checked = f->in.loaded.n,
		.note = f->note.p,
		.n_notes = f->note.n,
		.base = base ? (struct as_slice){base->origin.data.p, base->origin.data.n}
			     : (struct as_slice){0}};

	if (!checked || !name.p)
		rc = AS_E_NOMEM;
	if (rc == AS_OK) {
		list_checked(&f->in, checked);
		rc = put_origin(f, &o);
	}
	as_name_shares_release(&names);
	as_alloc_free(f->ses.al, checked, size);
	return as_say_code(&f->ses, rc, NULL);
}
