/* SPDX-License-Identifier: Apache-2.0 */
/* What a session says to those around it. */
#include <errno.h>
#include <stdio.h>

#include "io/threads.h"
#include "session/session.h"

static void say_exec_run(
	struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	as_threads_run(ex->jobs, task, arg, n);
}

unsigned as_session_jobs(const struct as_session *ses)
{
	if (!ses->opt.read.jobs.given)
		return as_cpu_count();
	return ses->opt.read.jobs.value < 256 ? (unsigned)ses->opt.read.jobs.value : 256;
}

struct as_exec *as_session_exec(const struct as_session *ses, struct as_exec *ex)
{
	*ex = (struct as_exec){.run = say_exec_run, .jobs = as_session_jobs(ses)};
	return ex->jobs > 1 ? ex : NULL;
}

void as_say_error(const struct as_session *ses, const char *what, const char *hint)
{
	if (ses->say)
		ses->say(ses->say_ctx, AS_SAY_ERROR, what, hint);
}

void as_say(const struct as_session *ses, enum as_say how, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!ses->say || (ses->opt.tell.quiet && how != AS_SAY_PART))
		return;
	va_start(ap, fmt);
	if (vsnprintf(text, sizeof(text), fmt, ap) >= 0)
		ses->say(ses->say_ctx, how, text, NULL);
	va_end(ap);
}

/* ---- how a request ends ---- */

enum as_exit as_say_end(
	const struct as_session *ses, enum as_exit rc, const char *what, const char *hint)
{
	as_say_error(ses, what, hint);
	return rc;
}

enum as_exit as_say_endf(
	const struct as_session *ses, enum as_exit rc, const char *hint, const char *fmt, ...)
{
	char text[2200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return as_say_end(ses, rc, text, hint);
}

enum as_exit as_say_usage(const struct as_session *ses, const char *what, const char *hint)
{
	return as_say_end(ses, AS_EXIT_USAGE, what, hint);
}

/* The limit that was met, as text; NULL: none was. */
static const char *met_limit(const struct as_session *ses, char *text, size_t size)
{
	uint64_t max = ses->limit ? ses->limit->max : 0;

	if (!ses->limit || !ses->limit->hit)
		return NULL;
	snprintf(text, size,
		"more than %" PRIu64 " MB of memory are wanted: --max-memory says how much may be "
		"taken, 0 any",
		max >> 20);
	return text;
}

enum as_exit as_say_no_memory(const struct as_session *ses)
{
	char text[128];

	if (met_limit(ses, text, sizeof(text)))
		return as_say_end(ses, AS_EXIT_INPUT, "the limit of memory is met", text);
	return as_say_end(ses, AS_EXIT_INPUT, "out of memory", "try --jobs 1, or a smaller input");
}

static const char *usual_hint(const struct as_err *err)
{
	switch (err->code) {
	case AS_E_NOTPROFILE:
		return "see what can be read: assay formats; to insist on one: --from FORMAT";
	case AS_E_UNSUPPORTED:
		return "see what can be read and written: assay formats";
	case AS_E_FORMAT:
	case AS_E_TRUNC:
		return "see every deviation: assay check FILE";
	case AS_E_LIMIT:
		return "see what each format can hold: assay formats -v";
	case AS_E_NOMEM:
		return "try --jobs 1, or a smaller input";
	case AS_E_IO:
		if (err->sys_errno == ENOENT)
			return "check the name; '-' is standard input";
		if (err->sys_errno == EACCES || err->sys_errno == EPERM)
			return "you may not read it: ask its owner, or copy it as root";
		if (err->sys_errno == EISDIR)
			return "name a file in it";
		return "the data before that place were not used";
	default:
		return "";
	}
}

enum as_exit as_exit_of(const struct as_err *err)
{
	switch (err->code) {
	case AS_OK:
	case AS_END:
		return AS_EXIT_OK;
	case AS_E_UNSUPPORTED:
	case AS_E_NOTPROFILE:
		return AS_EXIT_UNSUPPORTED;
	case AS_E_ARG:
		return AS_EXIT_USAGE;
	case AS_E_IO:
		return err->sys_errno == EACCES || err->sys_errno == EPERM ? AS_EXIT_RIGHTS
									   : AS_EXIT_INPUT;
	default:
		return AS_EXIT_INPUT;
	}
}

enum as_exit as_say_failed(const struct as_session *ses, const struct as_err *err, const char *hint)
{
	char text[sizeof(err->name) + sizeof(err->msg) + 64], limit[128];

	as_err_text(err, text, sizeof(text));
	if (err->code == AS_E_NOMEM && met_limit(ses, limit, sizeof(limit)))
		hint = limit;
	as_say_error(ses, text, hint ? hint : usual_hint(err));
	return as_exit_of(err);
}

enum as_exit as_say_code(const struct as_session *ses, enum as_code rc, const struct as_err *err)
{
	if (rc == AS_OK)
		return AS_EXIT_OK;
	return err && err->code != AS_OK ? as_say_failed(ses, err, NULL) : as_say_no_memory(ses);
}
