/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program: what all commands share. A command is one file cmd/cmd_NAME.c that exports
 * `const struct as_cmd as_cmd_NAME`, and its name in the list of src/cli/meson.build.
 *
 * Only this floor prints, reads the environment and exits. Data goes to stdout, words go to
 * stderr.
 */
#ifndef AS_CLI_CLI_H
#define AS_CLI_CLI_H

#include "base/limit.h"
#include "cli/options.h"
#include "formats/format.h"
#include "io/file.h"
#include "io/out_file.h"
#include "report/kit/style.h"
#include "session/filters.h"
#include "table/project.h"

/* Exit statuses; docs/man/assay.1 explains them. */
enum as_exit {
	AS_EXIT_OK = 0,
	AS_EXIT_NO = 1,          /* the answer is "no": check found errors, a gate tripped */
	AS_EXIT_USAGE = 2,       /* the command line */
	AS_EXIT_INPUT = 3,       /* cannot be read, is damaged, or cannot be compared */
	AS_EXIT_UNSUPPORTED = 4, /* not a profile, beyond us, or refused by --strict */
	AS_EXIT_RIGHTS = 5,
	AS_EXIT_OUTPUT = 6, /* cannot be written */
};

/* Return what EXPR ends with, unless it is AS_EXIT_OK. */
#define AS_DO(expr)                           \
	do {                                  \
		enum as_exit do_rc_ = (expr); \
		if (do_rc_ != AS_EXIT_OK)     \
			return do_rc_;        \
	} while (0)

/* Values of the words below, as options.h numbers them. */
enum { AS_COLOR_AUTO = 1, AS_COLOR_ALWAYS, AS_COLOR_NEVER };
enum { AS_FORMAT_TEXT = 1, AS_FORMAT_JSON, AS_FORMAT_CSV };
enum { AS_CONTEXTS_FOLD = 1, AS_CONTEXTS_KEEP, AS_CONTEXTS_PATHS };
enum { AS_WRITE_CONTEXTS_KEEP = 1, AS_WRITE_CONTEXTS_PATHS };
enum { AS_CYCLES_YES = 1, AS_CYCLES_NO };
enum { AS_SYMBOLS_AUTO = 1, AS_SYMBOLS_NONE };
enum { AS_INLINE_ON = 1, AS_INLINE_OFF };

/* The options that several commands have; a command says which groups it takes. */
struct as_common {
	/* every command */
	unsigned color;
	bool no_pager, quiet, verbose;
	/* AS_GROUP_READ */
	struct as_num jobs;
	const char *max_memory;
	const char *from;
	struct as_list in_opts;
	unsigned compat;
	bool all_parts;
	/* AS_GROUP_FORMAT */
	unsigned format;
	/* AS_GROUP_VIEW */
	unsigned contexts, cycles;
	/* AS_GROUP_FILTER */
	struct as_list filter[AS_WORDS];
	bool relative;
	/* AS_GROUP_SYMBOLS */
	unsigned symbols, inlines, names; /* NAMES is an enum as_name_level + 1 */
	struct as_list debug_dir, path_map, binary;
	const char *symfs;
	bool debuginfod, force, no_symbol_cache;
	/* AS_GROUP_WRITE */
	const char *to, *output;
	struct as_list out_opts;
	unsigned write_contexts;
	bool strict, overwrite, estimate_paths;
};

enum {
	AS_GROUP_READ = 1,
	AS_GROUP_FORMAT = 2,
	AS_GROUP_VIEW = 4,
	AS_GROUP_WRITE = 8,
	AS_GROUP_SYMBOLS = 16,
	AS_GROUP_FILTER = 32
};

enum { AS_SAID_MAX = 64 };

struct as_cli {
	const struct as_alloc *al;
	struct as_limit *limit;   /* what AL is; NULL: it has no limit */
	const struct as_cmd *cmd; /* the one that runs */
	struct as_common opt;
	const char **operand; /* the words that are no options */
	size_t n_operands;
	size_t n_before_dashes;     /* those before "--"; SIZE_MAX if there was none */
	struct as_filters *filters; /* of the command line; see filtering.h */
	const char *tag_unit; /* that numbers in frames made of labels are told in; NULL: minimum */
	struct as_style style; /* of stdout */
	bool out_tty, err_tty, err_color;
	/* Gets what as_cli_note() and as_cli_warn() say, also with -q; NULL: nobody does. */
	void (*hear)(void *ctx, const char *text);
	void *hear_ctx;
	uint64_t said[AS_SAID_MAX]; /* hashes of what as_cli_note_once() said */
	size_t n_said;
	bool passed_on;  /* what is made of the profile goes to others */
	bool no_sigpipe; /* it was ignored when we were started: by programs that we start, too */
	unsigned height; /* lines of the screen; 0 = not a terminal */

	struct as_out out; /* stdout; see as_cli_out() */
	bool out_open, out_paged;
	struct as_sink_fd out_fd;
	struct as_sink_mem out_mem;
	struct as_err out_err;
};

#define AS_OPERANDS_ANY SIZE_MAX

struct as_cmd {
	const char *name;
	const char *args;             /* "FILE..." */
	const char *brief;            /* one line for `assay help` */
	const char *about;            /* a paragraph for --help; lines as they stand */
	const char *examples;         /* lines of "command\twhat it does" */
	unsigned groups;              /* AS_GROUP_* */
	size_t min, max;              /* operands */
	const struct as_optdef *opts; /* the command's own; NULL for none */
	bool splits;                  /* "--" stands between two groups of operands */
	bool stops;                   /* the operands are a command line with its own options */
	size_t args_size;             /* of the struct they are bound to */
	/* ARGS is that struct, zeroed before parsing. */
	enum as_exit (*run)(struct as_cli *cli, const void *args);
};

extern const struct as_cmd *const as_cmds[];           /* sorted by name, ended by NULL */
const struct as_cmd *as_cmd_by_name(const char *name); /* NULL if there is none */

/* The groups of common options, in the order of help: a table and its AS_GROUP_* (0 = all). */
struct as_group {
	const char *title;
	unsigned bit;
	const struct as_optdef *defs;
	const char *brief; /* how -h names them all, instead of telling each; "" = by their
				names, NULL = it tells each */
};
extern const struct as_group as_groups[]; /* ended by title == NULL */

/* Parse ARGV[0..argc) for CMD and run it. */
enum as_exit as_cli_run(struct as_cli *cli, const struct as_cmd *cmd, int argc, char *const *argv);

/* Threads to use: --jobs, or the processors there are. */
unsigned as_cli_jobs(const struct as_cli *cli);

/* ---- messages, on stderr ---- */
/* "assay: WHAT", and a second line HINT (may be NULL); control characters are escaped. */
void as_cli_error(struct as_cli *cli, const char *what, const char *hint);
void as_cli_usage(struct as_cli *cli, const struct as_usage *usage);
/* "assay: warning: ..."; not with -q. */
void as_cli_warn(struct as_cli *cli, const char *fmt, ...) AS_PRINTF(2, 3);
/* "assay: ..."; not with -q. */
void as_cli_note(struct as_cli *cli, const char *fmt, ...) AS_PRINTF(2, 3);
/* The same, but what was said so before is not said again: runs of a comparison have the same
 * files. */
void as_cli_note_once(struct as_cli *cli, const char *fmt, ...) AS_PRINTF(2, 3);
/* LABEL and LINE, of any length, as they are: also with -q. */
void as_cli_tell(const char *label, struct as_slice line);
/* Print ERR with its place, and HINT or the usual hint for its code. The exit status for it. */
enum as_exit as_cli_fail(struct as_cli *cli, const struct as_err *err, const char *hint);
/* The exit status alone. */
enum as_exit as_cli_status(const struct as_err *err);
enum as_exit as_cli_no_memory(struct as_cli *cli);

/* ---- stdout ---- */
/* Where a command's answer goes, paged if a terminal is shorter than it. */
enum as_code as_cli_out(struct as_cli *cli, struct as_out **out) AS_NODISCARD;
/* Flush, run the pager. RC is what the command would exit with otherwise. */
enum as_exit as_cli_out_close(struct as_cli *cli, enum as_exit rc);
/* The reader of stdout has seen enough: go as others go, by SIGPIPE and without a word. */
enum as_exit as_cli_pipe_closed(void);

/* ---- help ---- */
void as_help_short(struct as_cli *cli, const struct as_cmd *cmd, struct as_out *out);
void as_help_full(struct as_cli *cli, const struct as_cmd *cmd, struct as_out *out);
void as_help_overview(struct as_cli *cli, struct as_out *out);
void as_help_version(struct as_out *out, bool json);

/* ---- the terminal ---- */
/* Look at the environment and the terminals, before the options are known ... */
void as_term_init(struct as_cli *cli);
/* ... and once they are. */
void as_term_apply(struct as_cli *cli);

/* ---- pager ---- */
/* Show TEXT through the user's pager; false if there is none: print it yourself. */
bool as_pager_show(struct as_slice text);

#endif
