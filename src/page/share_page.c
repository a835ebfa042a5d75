/* SPDX-License-Identifier: Apache-2.0 */
/* The page with profiles in it. */
#define _XOPEN_SOURCE 700
#include "page/share_page.h"

enum { CODE_DEFAULT = 30, CODE_MAX = 10000, LIMIT_MAX = 2048 };

static struct as_slice bytes_of(const struct as_sink_mem *sm)
{
	return (struct as_slice){sm->data.p, sm->data.n};
}

static enum as_exit check_numbers(const struct as_share *s)
{
	const struct as_share_args *args = s->args;

	if (args->code.given && (args->code.value > CODE_MAX || args->no_code))
		return as_say_usage(&s->ses, "option '--code' takes up to 10000 functions",
			"none at all: --no-code");
	if (args->limit.given && (!args->limit.value || args->limit.value > LIMIT_MAX))
		return as_say_usage(&s->ses, "option '--limit' takes 1 to 2048 MB",
			"a browser cannot hold more");
	return AS_EXIT_OK;
}

enum as_exit as_share_plan(
	struct as_share *s, const struct as_session *ses, const struct as_share_args *args)
{
	*s = (struct as_share){.ses = *ses, .args = args, .html = as_page_html()};
	as_sink_mem_init(&s->state, ses->al);
	as_sink_mem_init(&s->code, ses->al);
	as_arena_init(&s->left_out.arena, ses->al);
	s->ses.passed_on = true;
	if (!s->html.len)
		return as_say_end(ses, AS_EXIT_UNSUPPORTED, "this assay was built without the page",
			"it takes clang, wasi-libc and esbuild to build it: assay --version; "
			"pictures in files: assay flame, assay graph");
	AS_DO(as_share_check(ses, args));
	return check_numbers(s);
}

/* ---- source and instructions ---- */

static enum as_exit take_code(
	void *ctx, const struct as_list_print *print, const struct as_list_item *item, size_t n)
{
	struct as_share *s = ctx;
	struct as_list_print p = *print;
	struct as_page_code_opts opts = {.no_source = s->args->no_source};
	struct as_out out;
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	p.out = &out;
	AS_DO(as_say_code(&s->ses, as_out_open(&out, s->ses.al, &s->code.sink, &err), NULL));
	rc = as_page_code(&p, item, n, &opts, &s->count);
	if (as_out_finish(&out) != AS_OK || rc != AS_OK)
		return as_say_no_memory(&s->ses);
	return AS_EXIT_OK;
}

static enum as_exit share_page_read_code(struct as_share *s)
{
	struct as_listing_args args = {.functions = s->args->code,
		.source_path = s->args->source_path,
		.asm_too = as_session_wants_names(&s->ses),
		.page = &s->left_out};
	struct as_session ses = s->ses;

	if (!args.functions.given)
		args.functions = (struct as_num){.value = CODE_DEFAULT, .given = true};
	if (s->args->no_code || !args.functions.value)
		return AS_EXIT_OK;
	ses.opt.tell.quiet = true; /* binaries that are not there: the page says so */
	return as_listing_hot(&ses, &args, &s->file->in, take_code, s);
}

/* ---- all of it ---- */

enum as_exit as_share_read(struct as_share *s, struct as_files files, struct as_files base)
{
	enum as_exit rc = as_share_state(s, base.n != 0);

	as_assert(!s->file);
	if (rc != AS_EXIT_OK || !files.n)
		return rc;
	s->file = as_alloc_new(s->ses.al, 2 * sizeof(*s->file));
	AS_DO(as_say_memory(&s->ses, s->file));
	s->n_files = 1;
	rc = as_shared_read(&s->file[0], &s->ses, s->args, files, base.n != 0);
	if (rc == AS_EXIT_OK && base.n) {
		s->n_files = 2;
		rc = as_shared_read(&s->file[1], &s->ses, s->args, base, true);
	}
	if (rc == AS_EXIT_OK && base.n && s->file[0].empty && s->file[1].empty)
		rc = as_say_end(&s->ses, AS_EXIT_NO,
			"nothing is left: the filters choose no sample of either profile",
			"see what there is: assay top FILE, assay info FILE");
	AS_THEN(rc, share_page_read_code(s));
	if (rc == AS_EXIT_OK && base.n)
		rc = as_shared_origin(&s->file[1], NULL);
	return rc == AS_EXIT_OK ? as_shared_origin(&s->file[0], base.n ? &s->file[1] : NULL) : rc;
}

void as_share_release(struct as_share *s)
{
	for (size_t i = 0; i < s->n_files; i++)
		as_shared_release(&s->file[i]);
	as_alloc_free(s->ses.al, s->file, 2 * sizeof(*s->file));
	as_sink_mem_release(&s->state);
	as_sink_mem_release(&s->code);
	as_page_code_release(&s->count);
	as_left_outs_release(&s->left_out);
}

static enum as_code put_profile(struct as_shared_file *f, const char *id, struct as_page *page)
{
	struct as_page_file file = {.id = id,
		.name = as_shared_name(f),
		.saved_as = as_shared_saved_as(f),
		.bytes = bytes_of(&f->bytes),
		.is_gzip = f->is == AS_SHARED_GZIP,
		.as_gzip = f->is == AS_SHARED_NEW && as_shared_is_pprof(f)};

	return as_page_put_file(page, &file);
}

/* Any file may be dropped onto a page that has none. */
static bool share_page_has_moments(const struct as_share *s)
{
	bool has = !s->n_files;

	for (size_t i = 0; i < s->n_files; i++)
		has |= s->file[i].in.prof->moments.n != 0;
	return has;
}

static enum as_code share_page_put_all(struct as_share *s, struct as_page *page)
{
	static const char *const id[] = {"profile", "base"};

	for (size_t i = 0; i < s->n_files && i < AS_ARRAY_LEN(id); i++)
		AS_TRY(put_profile(&s->file[i], id[i], page));
	if (s->n_files)
		AS_TRY(as_page_put(page, "origin", bytes_of(&s->file[0].origin)));
	if (s->code.data.n)
		AS_TRY(as_page_put(page, "code", bytes_of(&s->code)));
	as_page_state(page, bytes_of(&s->state));
	as_page_end(page, share_page_has_moments(s));
	return AS_OK;
}

enum as_exit as_share_write(struct as_share *s, struct as_out *out)
{
	struct as_slice title = s->n_files ? as_shared_name(&s->file[0]) : (struct as_slice){0};
	struct as_err err = AS_ERR_NONE;
	struct as_page page = {.al = s->ses.al, .out = out, .err = &err};
	enum as_code rc;

	as_assert(s->html.len);
	rc = as_page_begin(&page, s->html, title, s->controls);
	AS_THEN(rc, share_page_put_all(s, &page));
	return as_say_code(&s->ses, rc, &err);
}
