/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the word under the cursor may become. Shells ask `assay __complete INDEX WORD...`, with the
 * words behind "assay" and which of them, from 0, the cursor is in, as far as it is typed. The
 * answer is a line that says how to take the others, and these:
 *
 *	words		WORD or WORD<TAB>ABOUT on each line
 *	paths		the same, and they are paths, a folder's ending in a slash
 *	command N	nothing; the words from N on are a command line of its own
 *
 * A word that ends in one of "=:,/" is not finished. Nothing is said on stderr, nothing is fetched,
 * and what takes longer than somebody waits is given up: then there is no answer at all.
 */
#ifndef AS_CLI_COMPLETE_H
#define AS_CLI_COMPLETE_H

#include "cli/cli.h"

#define AS_COMPLETE_WORD "__complete"

enum { AS_COMPLETE_MAX = 2000 };

struct as_complete {
	struct as_cli *cli;
	const struct as_cmd *cmd;
	const char *file;     /* the profile that the line names; NULL: none */
	struct as_slice head; /* of the word, what stands before the value: "--by=" */
	const char *value;    /* the rest, up to the cursor */
	bool paths;           /* nothing but paths is offered */
	struct as_arena arena;
	struct as_sink_mem mem;
	struct as_out out; /* into MEM */
	uint64_t said[AS_COMPLETE_MAX];
	size_t n; /* words that are in OUT */
};

/* End the process, without an answer, where one takes longer than somebody waits. */
void as_complete_hurry(void);
/* ARGV is INDEX WORD... */
enum as_exit as_complete(struct as_cli *cli, int argc, char *const *argv);

/* TEXT if it is what VALUE may become; true if it was offered. */
bool as_complete_offer(struct as_complete *c, struct as_slice text, struct as_slice about);
/* The same if TEXT has VALUE anywhere in it. */
bool as_complete_offer_part(struct as_complete *c, struct as_slice text, struct as_slice about);
/* What stands before the last SEP of the value belongs to the head from now on. */
void as_complete_behind(struct as_complete *c, char sep);

/* complete_values.c: of the option DEF, and of operand N, from 0. */
void as_complete_value(struct as_complete *c, const struct as_optdef *def);
void as_complete_operand(struct as_complete *c, size_t n);
void as_complete_commands(struct as_complete *c);

/* complete_paths.c: folders, and files of formats that can be read, any files, or none. */
enum as_complete_paths { AS_COMPLETE_PROFILES, AS_COMPLETE_FILES, AS_COMPLETE_FOLDERS };
void as_complete_paths(struct as_complete *c, enum as_complete_paths which);
/* "~/" is the home, as shells have it. */
const char *as_complete_path(struct as_complete *c, const char *path);
bool as_complete_is_profile(struct as_complete *c, const char *path);

/* complete_profile.c: what the profile of the line has. */
enum as_complete_of {
	AS_COMPLETE_EVENTS,
	AS_COMPLETE_FUNCTIONS,
	AS_COMPLETE_WORDS, /* the last words of names that are patterns as they stand */
	AS_COMPLETE_OBJECTS,
	AS_COMPLETE_THREADS,
	AS_COMPLETE_PROCESSES,
	AS_COMPLETE_PARTS,
	AS_COMPLETE_KEYS,   /* of labels */
	AS_COMPLETE_LABELS, /* KEY=, and behind that values */
};
void as_complete_of_profile(struct as_complete *c, enum as_complete_of what);

#endif
