/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options as data. A table binds each option to a member of a struct by its offset; parsing,
 * -h, --help and the options of the manual pages all come from the table.
 */
#ifndef AS_CLI_OPTIONS_H
#define AS_CLI_OPTIONS_H

#include "session/session.h"

enum as_opt_kind {
	AS_OPT_FLAG, /* bool: true when given */
	AS_OPT_STR,  /* const char * */
	AS_OPT_NUM,  /* struct as_num: a decimal number */
	AS_OPT_WORD, /* unsigned: 1-based place in the list "a|b|c" that ARG holds; 0 = not given */
	AS_OPT_KEYWORD, /* struct as_keyword: the same, and "x:KEY" in the list takes what is after
			 * the colon */
	AS_OPT_LIST,    /* struct as_list: may be given several times */
	AS_OPT_FILES,   /* the same, and they are profiles, as operands are */
};

struct as_keyword {
	unsigned word;   /* 1-based, 0 = not given */
	const char *key; /* NULL: the word takes none */
};

struct as_optdef {
	const char *name; /* long name without dashes; NULL ends the table */
	char letter;      /* short name, or 0 */
	enum as_opt_kind kind;
	const char *arg;  /* what it takes, for help; NULL for a flag */
	const char *help; /* one line */
	size_t offset;    /* of the member in the struct the table is bound to */
};

#define AS_OPTION_ROW(type, member, kind_, letter_, name_, arg_, help_)               \
	{                                                                             \
		.name = (name_), .letter = (letter_), .kind = (kind_), .arg = (arg_), \
		.help = (help_), .offset = offsetof(struct type, member)              \
	}
/* The kind is that of the member's type. */
#define AS_OPTION(type, member, letter, name, arg, help) \
	AS_OPTION_ROW(type, member,                                                                \
		_Generic(((struct type *)NULL)->member, bool                                       \
			 : AS_OPT_FLAG, const char *                                               \
			 : AS_OPT_STR, struct as_num                                               \
			 : AS_OPT_NUM, unsigned                                                    \
			 : AS_OPT_WORD, struct as_keyword                                          \
			 : AS_OPT_KEYWORD, struct as_list                                          \
			 : AS_OPT_LIST),                                                           \
		letter, name, arg, help)
#define AS_OPTION_FILES(type, member, name, arg, help) \
	AS_OPTION_ROW(type, member, AS_OPT_FILES, 0, name, arg, help)
#define AS_OPTION_END        \
	{                    \
		.name = NULL \
	}

/* A table and what it is bound to. */
struct as_binding {
	const struct as_optdef *defs;
	void *to;
};

/* What was wrong, in two lines without the program's name. */
struct as_usage {
	char what[256];
	char hint[256]; /* may be "" */
};

enum { AS_BINDINGS_MAX = 13 };

struct as_parse {
	struct as_binding binding[AS_BINDINGS_MAX];
	size_t n_bindings;
	const char **operand; /* room for argc pointers */
	size_t n_operands;
	size_t n_before_dashes; /* operands before the first "--" */
	bool dashes;
	bool splits;    /* in: a first "--" behind operands only splits them, options may follow */
	bool marks;     /* in: so does every one, and stands among the operands */
	bool stops;     /* in: options end at the first operand, which begins a command line */
	bool help;      /* -h was given */
	bool full_help; /* --help was given */
	struct as_usage usage;
};

/*
 * Parse ARGV[0..argc). "--name=value", "--name value", "-x value", "-xvalue", several letters
 * in one word, "--" ends the options, "-" is an operand. False with PS->usage filled in.
 */
AS_NODISCARD bool as_options_parse(struct as_parse *ps, int argc, char *const *argv);

/* Whether there is an option NAME, whether it was given, and whether it may be several times. */
bool as_options_has(const struct as_parse *ps, const char *name);
bool as_options_given(const struct as_parse *ps, const char *name);
bool as_options_is_list(const struct as_parse *ps, const char *name);
/* As if --NAME=VALUE were given, after all others; of a flag VALUE is yes or no, and NULL yes.
 * False with PS->usage filled in. */
AS_NODISCARD bool as_options_default(struct as_parse *ps, const char *name, const char *value);

#endif
