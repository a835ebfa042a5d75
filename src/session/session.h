/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session: what all that one asks for has in common. Its requests read files, name, filter and
 * write profiles; what they find odd they say by the session's surroundings, which may be silent.
 * Whoever wants something else for one request copies the session and changes the copy.
 */
#ifndef AS_SESSION_SESSION_H
#define AS_SESSION_SESSION_H

#include "base/limit.h"
#include "formats/format.h"
#include "io/file.h"
#include "io/out_file.h"
#include "session/filters.h"
#include "symbols/symbolize.h"

/* How a request ends; as a status, assay(1) explains it. */
enum as_exit {
	AS_EXIT_OK = 0,
	AS_EXIT_NO = 1,          /* the answer is "no": check found errors, a gate tripped */
	AS_EXIT_USAGE = 2,       /* what was asked for makes no sense */
	AS_EXIT_INPUT = 3,       /* cannot be read, is damaged, or cannot be compared */
	AS_EXIT_UNSUPPORTED = 4, /* not a profile, beyond us, or refused by --strict */
	AS_EXIT_RIGHTS = 5,
	AS_EXIT_OUTPUT = 6, /* cannot be written */
	AS_EXIT_PART = 7,   /* fine, but a part of a store is missing, which may be: "partial=1" */
};

/* Return what EXPR ends with, unless it is AS_EXIT_OK. */
#define AS_DO(expr)                           \
	do {                                  \
		enum as_exit do_rc_ = (expr); \
		if (do_rc_ != AS_EXIT_OK)     \
			return do_rc_;        \
	} while (0)

/* ---- what is asked ---- */

struct as_num {
	uint64_t value;
	bool given, again; /* again: more than once, the last one counts */
};

enum { AS_LIST_MAX = 64 };

struct as_list {
	const char *p[AS_LIST_MAX];
	size_t n;
};

/* Values of the words below; 0 = not said. */
enum { AS_FORMAT_TEXT = 1, AS_FORMAT_JSON, AS_FORMAT_CSV, AS_FORMAT_MARKDOWN, AS_FORMAT_SVG };
/* An answer in this form is for people. */
static inline bool as_format_is_page(unsigned format)
{
	return format <= AS_FORMAT_TEXT || format == AS_FORMAT_MARKDOWN;
}
enum { AS_CONTEXTS_FOLD = 1, AS_CONTEXTS_KEEP, AS_CONTEXTS_PATHS };
enum { AS_WRITE_CONTEXTS_KEEP = 1, AS_WRITE_CONTEXTS_PATHS };
enum { AS_CYCLES_YES = 1, AS_CYCLES_NO };
enum { AS_SYMBOLS_AUTO = 1, AS_SYMBOLS_NONE };
enum { AS_INLINE_ON = 1, AS_INLINE_OFF };

/* The options that several requests have, by what they are about; assay(1) explains them.
 * A command of the program takes some of these groups, a request looks at those it needs. */
struct as_asked_tell {
	bool quiet, verbose;
};

struct as_asked_read {
	struct as_num jobs;
	const char *max_memory;
	const char *from;
	struct as_list opts;
	unsigned compat;
	bool all_parts;
};

/* Of files that are databases, database.h. */
struct as_asked_database {
	const char *db, *host, *epoch, *since, *until;
	bool base; /* they are words of --base */
};

/* Of files that are URLs, urls.h. */
struct as_asked_url {
	const char *timeout, *max_download, *headers;
	bool insecure;
};

struct as_asked_view {
	unsigned format, contexts, cycles;
};

struct as_asked_filter {
	struct as_list word[AS_WORDS];
	struct as_list image; /* as AS_WORD_OBJECT */
	bool relative;
	const char *from, *to; /* time, from the beginning */
};

struct as_asked_name {
	unsigned symbols, inlines, level; /* LEVEL is an enum as_name_level + 1 */
	struct as_list debug_dir, path_map, binary;
	const char *symfs;
	bool debuginfod, force, no_symbol_cache;
};

struct as_asked_write {
	const char *to, *output;
	struct as_list opts;
	unsigned contexts;
	bool strict, overwrite, estimate_paths;
};

struct as_asked {
	struct as_asked_tell tell;
	struct as_asked_read read;
	struct as_asked_database database;
	struct as_asked_url url;
	struct as_asked_view view;
	struct as_asked_filter filter;
	struct as_asked_name name;
	struct as_asked_write write;
};

/* ---- who asks ---- */

enum as_say {
	AS_SAY_ERROR, /* with a hint, which may be NULL or empty */
	AS_SAY_WARNING,
	AS_SAY_PART, /* a warning: what is missing was asked for, and is in no answer */
	AS_SAY_NOTE,
	AS_SAY_ONCE, /* a note that need not be said again: runs of a comparison have the same
			files */
};

struct as_fleet_opts; /* fleet/fleet_client.h */

/* What a session needs of its surroundings. CTX is the first argument of each. */
struct as_around {
	void *ctx;
	/* How far reading is; NULL if nobody would see it. */
	struct as_progress *(*progress_begin)(void *ctx);
	void (*progress_end)(void *ctx);
	/* What the environment says of names: members of OPTS, whose texts are ARENA's. */
	void (*symbols)(void *ctx, struct as_arena *arena, struct as_symbol_opts *opts);
	/* Standard output, and what to do when nobody reads it any more. */
	enum as_code (*out)(void *ctx, struct as_out **out);
	enum as_exit (*pipe_closed)(void *ctx);
	/* Files that must not be left behind half written: FILES[0..N) from now on, N == 0: no
	 * more; and between a call with HOLD and one without it they are opened or renamed. */
	void (*keep_clean)(void *ctx, struct as_out_file *files, size_t n);
	void (*hold)(void *ctx, bool hold);
	/* The folder of the usual database, which may be ARENA's; NULL: there is none. */
	const char *(*database)(void *ctx, struct as_arena *arena);
	/* OPTS for the store NAME, "" = the usual one, whose URL may be there already; texts may be
	 * ARENA's. What is wrong was said. */
	enum as_exit (*store)(void *ctx, struct as_arena *arena, struct as_slice name,
		struct as_fleet_opts *opts);
};

struct as_session {
	const struct as_alloc *al;
	struct as_limit *limit; /* what AL is; NULL: it has no limit */
	/* Called with all that is said; NULL: it is dropped. */
	void (*say)(void *ctx, enum as_say how, const char *text, const char *hint);
	void *say_ctx;
	const struct as_around *around; /* NULL: there is nothing */
	struct as_asked opt;
	const char *command, *args; /* for hints: "list", "FUNC FILE..." */
	bool shows;                 /* the answer is shown, in the form that opt.view.format says */
	bool out_tty;               /* standard output is a terminal */
	bool nameless;              /* where opt.name.symbols says nothing, code gets no names */
	bool passed_on;             /* what is made of the profile goes to others */
	struct as_urls *urls;       /* see urls.h; NULL: there are none */
	struct as_filters *filters; /* of opt.filter.word; see filtering.h */
	const char *tag_unit; /* that numbers in frames made of labels are told in; NULL: minimum */
};

/* Threads to use, and an executor for them; NULL where that is one. */
unsigned as_session_jobs(const struct as_session *ses);
struct as_exec *as_session_exec(const struct as_session *ses, struct as_exec *ex);

/* ---- say.c ---- */
void as_say_error(const struct as_session *ses, const char *what, const char *hint);
/* Nothing but AS_SAY_PART is said where quiet: that decides how the request ends. */
void as_say(const struct as_session *ses, enum as_say how, const char *fmt, ...) AS_PRINTF(3, 4);
#define as_say_warning(ses, ...) as_say(ses, AS_SAY_WARNING, __VA_ARGS__)
#define as_say_part(ses, ...) as_say(ses, AS_SAY_PART, __VA_ARGS__)
#define as_say_note(ses, ...) as_say(ses, AS_SAY_NOTE, __VA_ARGS__)
#define as_say_once(ses, ...) as_say(ses, AS_SAY_ONCE, __VA_ARGS__)
/* Say ERR with its place, and HINT, or where that is NULL the usual hint for its code. Returns the
 * exit status. */
enum as_exit as_say_failed(
	const struct as_session *ses, const struct as_err *err, const char *hint);
enum as_exit as_say_no_memory(const struct as_session *ses);
/* AS_EXIT_OK if OK, which says that an allocation succeeded. */
static inline enum as_exit as_say_memory(const struct as_session *ses, bool ok)
{
	return ok ? AS_EXIT_OK : as_say_no_memory(ses);
}
/* AS_EXIT_OK, if RC is AS_OK; else ERR is said, or where that is NULL or says nothing, that memory
 * has run out. */
enum as_exit as_say_code(const struct as_session *ses, enum as_code rc, const struct as_err *err);
/* Say the error WHAT with HINT, and return RC. */
enum as_exit as_say_end(
	const struct as_session *ses, enum as_exit rc, const char *what, const char *hint);
/* The same of a text that is printed by FMT. */
enum as_exit as_say_endf(const struct as_session *ses, enum as_exit rc, const char *hint,
	const char *fmt, ...) AS_PRINTF(4, 5);
/* The same of what was asked for and makes no sense: AS_EXIT_USAGE. */
enum as_exit as_say_usage(const struct as_session *ses, const char *what, const char *hint);
/* The exit status for the error ERR. */
enum as_exit as_exit_of(const struct as_err *err);

#endif
