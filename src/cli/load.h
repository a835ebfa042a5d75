/* SPDX-License-Identifier: Apache-2.0 */
/* From the names on the command line to profiles. */
#ifndef AS_CLI_LOAD_H
#define AS_CLI_LOAD_H

#include "cli/cli.h"
#include "cli/naming.h"
#include "formats/format.h"
#include "session/choose.h"

/* Make EX run --jobs at a time; NULL where that is one. */
struct as_exec *as_cli_exec(const struct as_cli *cli, struct as_exec *ex);

/* What became of one input. */
struct as_loaded {
	const char *path;
	const struct as_format *fmt; /* NULL if it was not recognised */
	struct as_profile *prof;     /* NULL if it could not be read */
	struct as_findings findings;
	struct as_err err;
	const char *way; /* what to type instead; NULL: nothing better than usual */
	enum as_code rc;
};

struct as_load_opts {
	enum as_detail detail;
	bool sums;  /* a table of functions is all that is made of it, see struct as_rd */
	bool check; /* run the driver's own checks as well */
	bool strict;
	struct as_out
		*raw; /* the input is printed there as `pprof -raw` does; no profile is made */
};

/* Read one input; prints nothing. Always ends in as_loaded_release(). */
void as_load(struct as_cli *cli, const char *path, const struct as_load_opts *opts,
	struct as_loaded *ld);
void as_loaded_release(struct as_loaded *ld);

/* Say on stderr what went wrong or was odd with LD; the exit status for it. */
enum as_exit as_loaded_report(struct as_cli *cli, const struct as_loaded *ld);

/* All inputs of a command, as one profile. */
struct as_inputs {
	struct as_arena arena; /* names found by --all-parts */
	AS_VEC(const char *) file;
	AS_VEC(struct as_loaded) loaded; /* one per file; their profiles are gone if merged */
	struct as_profile *prof;
	struct as_losses losses;         /* of merging */
	struct as_findings findings;     /* about the set of files */
	struct as_symbol_report symbols; /* see as_inputs_name() */
	struct as_shown shown;           /* of the profile; see as_inputs_show_names() */
};

/* Names of inputs as the user gave them; "-" is standard input. Borrowed. */
struct as_files {
	const char *const *path;
	size_t n;
};
/* Those of a command whose operands are FILE... */
static inline struct as_files as_cli_files(const struct as_cli *cli)
{
	return (struct as_files){cli->operand, cli->n_operands};
}
/* Of a command whose operands are FUNC FILE...: both. Says so if they are the other way round. */
enum as_exit as_cli_func(struct as_cli *cli, const char **func, struct as_files *files);

/* The files that FILES stand for: themselves, or all parts of a run. */
enum as_exit as_inputs_find(struct as_cli *cli, struct as_files files, struct as_inputs *in);
/* as_inputs_find() and reading; several are merged. Prints what went wrong. Release IN also
 * on failure. */
enum as_exit as_inputs_load(struct as_cli *cli, struct as_files files,
	const struct as_load_opts *opts, bool keep_parts, struct as_inputs *in);
void as_inputs_release(struct as_inputs *in);

/* All that stands between reading and looking at a profile: names, how they are shown, call paths
 * out of contexts, and the filters of the command line (filtering.h). A command that prints
 * begins with this. */
enum as_exit as_inputs_view(struct as_cli *cli, struct as_inputs *in);

/* IN's profile becomes one of the call paths that Callgrind's names state, if PATHS; says so. */
enum as_exit as_inputs_context_paths(struct as_cli *cli, struct as_inputs *in, bool paths);

/* Look an event up by name; prints the usage error. */
enum as_exit as_cli_event(
	struct as_cli *cli, struct as_events of, const char *name, uint32_t *event);
/* Says that there is no such event, or that one is named twice: AS_EXIT_USAGE. */
enum as_exit as_cli_no_event(struct as_cli *cli, struct as_events of, struct as_slice name);
enum as_exit as_cli_event_twice(struct as_cli *cli);
/* The columns that "Ir,Dr" names, none for NULL; EVENT has room for all. */
enum as_exit as_cli_events(
	struct as_cli *cli, struct as_events of, const char *list, uint32_t *event, uint32_t *n);
/* What -n says, else USUAL; of CSV all, 0, because it is for programs. */
uint64_t as_cli_rows(const struct as_cli *cli, const struct as_num *rows, uint64_t usual);
/* That N rows, called WHAT (as_arena_plural()), are not in a CSV: it has rows of one kind only. */
void as_cli_tell_rest(struct as_cli *cli, uint64_t n, const char *what);
/* AS_EXIT_OK if WORD, which may be NULL, is one of --unit, and the answer is for people. */
enum as_exit as_cli_unit(struct as_cli *cli, const char *word);
/* Costs are to be shown in WORD, and not as counts where that cannot be. */
bool as_cli_wants_unit(const struct as_cli *cli, const char *word);

/* ---- progress on stderr, once reading takes longer than a moment ---- */
struct as_progress *as_progress_begin(struct as_cli *cli); /* NULL if nobody would see it */
void as_progress_end(struct as_cli *cli);

#endif
