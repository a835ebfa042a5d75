/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defaults of options: those of $ASSAY_OPTIONS, then those of the user's file, first of the section
 * of a command. What the command line says beats them. They may not change what an answer says
 * where nobody sees it: each option that can have a default has a way in which it is used.
 */
#ifndef AS_CLI_CONFIG_H
#define AS_CLI_CONFIG_H

#include "cli/cli.h"

enum as_config_use {
	AS_CONFIG_NEVER,  /* it changes what is told, and has no default but the program's */
	AS_CONFIG_ALWAYS, /* it changes how long it takes, or how it looks */
	AS_CONFIG_PAGE,   /* it chooses what people see: where the answer is text on a terminal */
	AS_CONFIG_TOLD,   /* it says where things are; told on stderr, but on a terminal */
};

struct as_config_line {
	const char *command;     /* the section; NULL: all commands */
	const char *name, *text; /* TEXT: NULL where there was no "=" */
	const char *from;        /* the file's path, or "ASSAY_OPTIONS" */
	uint64_t line;           /* of the file, from 1; 0: the environment's */
	enum as_config_use use;
	const char *wrong, *hint; /* WRONG: NULL where nothing is */
};

struct as_config {
	struct as_arena arena;
	const char *path; /* where the file would be; NULL: nowhere */
	bool there;       /* and it is */
	bool failed;      /* no memory */
	size_t n_env;     /* the first lines are the environment's */
	AS_VEC(struct as_config_line) line;
};

/* Read all there is; what is wrong is in the lines. */
void as_config_load(struct as_config *config, struct as_cli *cli);
void as_config_release(struct as_config *config);

/* What stands in LINE, as the file has it. */
struct as_slice as_config_text(struct as_arena *arena, const struct as_config_line *line);
/* Where: "FILE:LINE". */
struct as_slice as_config_place(struct as_arena *arena, const struct as_config_line *line);

/* CLI's defaults for what PS, which is parsed, does not say. Says what is wrong, and what is
 * AS_CONFIG_TOLD. */
enum as_exit as_config_apply(struct as_cli *cli, struct as_parse *ps);

#endif
