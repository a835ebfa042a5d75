/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that a profile calls uninteresting, which pprof leaves out: with --compat=pprof alone. */
#include "change/filter/drop_frames.h"

#include "cli/filters.h"
#include "regex/regex.h"

struct patterns {
	bool handlers;                /* frames of the profiler itself go */
	struct as_regex *drop, *keep; /* NULL: there is none */
};

/* A gperftools profile cannot say what shall go; pprof knows. */
static bool is_handler(struct as_slice name)
{
	static const char *const known[] = {"ProfileData::Add", "ProfileData::prof_handler",
		"CpuProfiler::prof_handler", "__pthread_sighandler", "__restore"};

	for (size_t i = 0; i < AS_ARRAY_LEN(known); i++)
		if (as_slice_is(name, known[i]))
			return true;
	return false;
}

static bool match(const void *ctx, struct as_slice name)
{
	const struct patterns *p = ctx;

	if (p->handlers && is_handler(name))
		return true;
	return p->drop && as_regex_match(p->drop, name) &&
	       !(p->keep && as_regex_match(p->keep, name));
}

/* What is said first counts, as in pprof, where several profiles are one. */
static struct as_slice meta_of(const struct as_profile *prof, const char *key)
{
	for (size_t i = 0; i < prof->meta.n; i++)
		if (as_slice_is(as_str_get(prof, prof->meta.p[i].key), key))
			return as_str_get(prof, prof->meta.p[i].text);
	return (struct as_slice){"", 0};
}

/* The pattern is of whole names. */
static enum as_exit compile(struct as_cli *cli, const char *key, struct as_slice text,
	struct as_regex **re, struct as_err *err)
{
	struct as_regex_opts opts = {.ignore_case = false};
	struct as_arena arena;
	struct as_slice whole;
	enum as_code rc = AS_OK;

	if (!text.len)
		return AS_EXIT_OK;
	as_arena_init(&arena, cli->al);
	whole = as_arena_printf(&arena, "^(%.*s)$", AS_SLICE_FMT(text));
	if (!whole.p)
		rc = as_err_no_memory(err);
	else
		rc = as_regex_new(whole, &opts, re, err);
	as_arena_release(&arena);
	if (rc == AS_E_NOMEM)
		return as_cli_no_memory(cli);
	if (rc != AS_OK)
		as_cli_warn(cli, "%s of the profile cannot be applied: %s", key, err->msg);
	return AS_EXIT_OK;
}

static enum as_exit open_patterns(
	struct as_cli *cli, const struct as_profile *prof, struct patterns *p)
{
	static const char drop_key[] = "drop_frames", keep_key[] = "keep_frames";
	struct as_slice drop = meta_of(prof, drop_key);
	enum as_exit rc;
	struct as_err err;

	as_err_clear(&err);
	p->handlers = !drop.len && as_slice_is(as_str_get(prof, prof->format), "gperf");
	rc = compile(cli, drop_key, drop, &p->drop, &err);
	if (rc == AS_EXIT_OK && p->drop)
		rc = compile(cli, keep_key, meta_of(prof, keep_key), &p->keep, &err);
	return rc;
}

enum as_exit as_cli_drop_frames(struct as_cli *cli, struct as_profile **prof)
{
	struct patterns p = {.drop = NULL};
	struct as_drop how = {match, &p};
	struct as_profile *out = NULL;
	enum as_exit rc;
	struct as_err err;

	if (!cli->opt.compat || !(*prof)->sample.node.n)
		return AS_EXIT_OK;
	as_err_clear(&err);
	rc = open_patterns(cli, *prof, &p);
	if (rc == AS_EXIT_OK && (p.drop || p.handlers)) {
		if (as_drop_frames(*prof, &how, &out, &err) != AS_OK)
			rc = as_cli_fail(cli, &err, NULL);
		if (out) {
			as_profile_free(*prof);
			*prof = out;
		}
	}
	as_regex_free(p.drop);
	as_regex_free(p.keep);
	return rc;
}
