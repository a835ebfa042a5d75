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

#include "cli/cli.h"
#include "cli/options.h"
#include "report/kit/style.h"
#include "session/load.h"
#include "table/project.h"

/* Values of --color, as options.h numbers them. */
enum { AS_COLOR_AUTO = 1, AS_COLOR_ALWAYS, AS_COLOR_NEVER };

enum {
	AS_GROUP_READ = 1,
	AS_GROUP_FORMAT = 2,
	AS_GROUP_VIEW = 4,
	AS_GROUP_WRITE = 8,
	AS_GROUP_SYMBOLS = 16,
	AS_GROUP_FILTER = 32,
	AS_GROUP_TABLE = 64, /* instead of AS_GROUP_FORMAT: of tables, which can be Markdown */
	AS_GROUP_URL = 256,  /* of URLs alone, which AS_GROUP_READ has, too */
	AS_GROUP_DRAWN = 128 /* instead of both: of tables that can be pictures, too */
};

struct as_browse_ask;
struct as_config;
struct as_perf_events;
struct as_recording_around;
struct as_symcache;
struct as_urls;

enum { AS_SAID_MAX = 64 };

struct as_cli {
	struct as_session ses;    /* what commands ask of; has the options of the groups below */
	struct as_around around;  /* of SES: this program */
	const struct as_cmd *cmd; /* the one that runs */
	unsigned color;           /* --color */
	bool no_pager, no_config;
	const struct as_config *config; /* NULL: there are no defaults */
	const char *pager;              /* that of the defaults; NULL: they have none */
	const char **operand;           /* the words that are no options */
	size_t n_operands;
	size_t n_before_dashes; /* those before "--"; SIZE_MAX if there was none */
	struct as_style style;  /* of stdout */
	bool err_tty, err_color;
	uint64_t said[AS_SAID_MAX]; /* hashes of what as_say_once() said */
	size_t n_said;
	bool part; /* as_say_part() said something */
	/* SIGPIPE was ignored when we were started, so programs that we start ignore it, too */
	bool no_sigpipe;
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
	bool marks;                   /* "--" stands between any groups: an operand of its own */
	bool stops;                   /* the operands are a command line with its own options */
	bool plain;                   /* it has no defaults: it tells of them, or of all commands */
	size_t args_size;             /* of the struct they are bound to */
	/* ARGS is that struct, zeroed before parsing. */
	enum as_exit (*run)(struct as_cli *cli, const void *args);
};

/* What every command says: its word, its operands and how many, what runs it. */
#define AS_COMMAND(word, args_, min_, max_, run_) \
	.name = #word, .args = (args_), .min = (min_), .max = (max_), .run = (run_)
/* What a command with options says: their TABLE, which is bound to a struct TYPE. */
#define AS_OWN_OPTIONS(table, type) .opts = (table), .args_size = sizeof(struct type)

extern const struct as_cmd *const as_cmds[];           /* sorted by name, ended by NULL */
const struct as_cmd *as_cmd_by_name(const char *name); /* NULL if there is none */
const char *as_cmd_near(const char *word);             /* the command that WORD may mean, or NULL */
/* The command that ARGV[1..ARGC) names, and where: it stands first, or behind options of its own
 * and their values. NULL: none is named, and what show is asked begins there. */
const struct as_cmd *as_cmd_find(int argc, char *const *argv, int *at);
/* Whether the option WORD of CMD, as "--jobs" or "-qj", takes the next word. */
bool as_cmd_takes_next(const struct as_cmd *cmd, const char *word);

/* The groups of options that several commands have, in the order of help: a table and its
 * AS_GROUP_* (0 = all). */
struct as_group {
	const char *title;
	unsigned bit;
	const struct as_optdef *defs;
	size_t at;         /* where in struct as_cli is what DEFS is about */
	const char *brief; /* how -h names them all, instead of telling each; "" = by their
				names, NULL = it tells each */
};
extern const struct as_group as_groups[]; /* ended by title == NULL */

/* CLI's session speaks by this program. */
void as_cli_begin(struct as_cli *cli);
/* What PS parses is for CMD, whose own options are in ARGS, and for CLI. */
void as_cli_bind(struct as_cli *cli, const struct as_cmd *cmd, void *args, struct as_parse *ps);
/* Parse ARGV[0..argc) for CMD and run it. */
enum as_exit as_cli_run(struct as_cli *cli, const struct as_cmd *cmd, int argc, char *const *argv);

/* ---- messages, on stderr: those of session/session.h, and ---- */
void as_cli_usage(struct as_cli *cli, const struct as_usage *usage);
/* LABEL and LINE, of any length, as they are: also with -q. */
void as_cli_tell(const char *label, struct as_slice line);

/* ---- words of the command line ---- */
/* The files of a command whose operands are FILE... */
static inline struct as_files as_cli_files(const struct as_cli *cli)
{
	return (struct as_files){cli->operand, cli->n_operands};
}
/* Of a command whose operands are FUNC FILE...: both. Says so if they are the other way round. */
enum as_exit as_cli_func(struct as_cli *cli, const char **func, struct as_files *files);
/* What -n says, else USUAL; of CSV all, 0, because it is for programs. */
uint64_t as_cli_rows(const struct as_cli *cli, const struct as_num *rows, uint64_t usual);
/* What --sort says, "EVENT", "self", "inclusive" or "inclusive:EVENT": the event, or NULL. */
const char *as_cli_order(const char *sort, bool *inclusive);
/* That N rows, called WHAT (as_arena_plural()), are not in a CSV, which has rows of one kind only:
 * HOW they would be. */
void as_cli_tell_rest(struct as_cli *cli, uint64_t n, const char *what, const char *how);
/* The same of the rows of a tree that --min and --depth leave out. */
void as_cli_tell_below(struct as_cli *cli, uint64_t n);
/* AS_EXIT_OK if WORD, which may be NULL, is one of --unit, and FORMAT is for people. */
enum as_exit as_cli_unit(struct as_cli *cli, const char *word, unsigned format);
/* Costs are to be shown in WORD, and not as counts where that cannot be. */
bool as_cli_wants_unit(const struct as_cli *cli, const char *word);

/* TEXT is "EVENT[:PERIOD],..."; RATE: a frequency was given, which is of those without a period. */
enum as_exit as_cli_events(
	struct as_cli *cli, const char *text, bool rate, struct as_perf_events *events);

/* ---- stdout ---- */
/* Where a command's answer goes, paged if a terminal is shorter than it. Says what is wrong. */
enum as_exit as_cli_out(struct as_cli *cli, struct as_out **out) AS_NODISCARD;
/* Flush, run the pager. RC is what the command would exit with otherwise. */
enum as_exit as_cli_out_close(struct as_cli *cli, enum as_exit rc);
/* The reader of stdout has closed it: end as other programs do, by SIGPIPE and without a
 * message. */
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
void as_term_apply(struct as_cli *cli, unsigned color);

/* ---- around a session ---- */
/* progress.c: one line on stderr, once reading takes longer than a moment; CTX is a struct as_cli,
 * as in the others. */
struct as_progress *as_progress_begin(void *ctx);
void as_progress_end(void *ctx);
/* cleanup.c: an interrupted run leaves none of FILES[0..N) behind; N == 0: no more. Between a call
 * with HOLD and one without it signals wait. */
void as_cleanup(void *ctx, struct as_out_file *files, size_t n);
void as_cleanup_hold(void *ctx, bool hold);
/* database_env.c */
/* Where the user's own database is, for who writes it; NULL: nowhere. */
const char *as_cli_database_own(struct as_arena *arena);
const char *as_cli_database(void *ctx, struct as_arena *arena);
/* urls_env.c */
/* What the command line and the environment say of URLs. */
enum as_exit as_cli_url_limits(const struct as_cli *cli, struct as_urls *urls);
/* symbols_env.c */
/* $XDG_CACHE_HOME/assay, else ~/.cache/assay, in ARENA; NULL if neither is an absolute path, or
 * out of memory: then there is no cache. */
const char *as_cli_cache_dir(struct as_arena *arena);
/* The cache as $XDG_CACHE_HOME, $HOME and $ASSAY_CACHE_SIZE have it; a size that is none is
 * warned of. The directory's name is in ARENA. */
struct as_symcache as_cli_cache(const struct as_session *ses, struct as_arena *arena);
/* "300", "64K", "100M", "2G": bytes, powers of 1024. False if TEXT is nothing like that. */
AS_NODISCARD bool as_cli_size(const char *text, uint64_t *out);
void as_cli_symbols(void *ctx, struct as_arena *arena, struct as_symbol_opts *opts);

/* record_term.c: signals while a recording runs, and a line on the terminal. */
extern const struct as_recording_around as_record_term;
/* Nobody else writes to the terminal while process PID is recorded, and somebody may look. */
bool as_record_line_fits(const struct as_cli *cli, uint64_t pid);

/* ---- what shows an answer ---- */
/* cmd_browse.c: browse what ASK has of files and wishes; the rest is of CLI and the environment.
 * THEME is that of the option, 0: not said. */
enum as_exit as_browse_cmd(struct as_cli *cli, struct as_browse_ask *ask, unsigned theme);
/* browse_key.c: offers a key to whoever sits at the terminal, once the answer is there; true: it
 * was typed. False at once where nobody does. */
bool as_browse_key_asked(const struct as_cli *cli);
/* graphviz.c: DOT, laid out by Graphviz's library, which is loaded when it is asked for, as SVG.
 * What is missing, and what to do about it, is said: AS_EXIT_UNSUPPORTED. */
enum as_exit as_graphviz_svg(struct as_cli *cli, struct as_slice dot, struct as_out *out);
/* Show TEXT through the user's pager, where the environment has none of ours through USUAL, which
 * may be NULL; false if there is none: print it yourself. */
bool as_pager_show(struct as_slice text, const char *usual);

#endif
