/* SPDX-License-Identifier: Apache-2.0 */
/* The program that is to be recorded: where it is, and how it can be. */
#ifndef AS_RECORD_PROGRAM_H
#define AS_RECORD_PROGRAM_H

#include <limits.h>

#include "base/base.h"

enum as_program_kind {
	AS_PROGRAM_DYNAMIC, /* a library can be preloaded */
	AS_PROGRAM_STATIC,  /* it is linked statically: no library can be */
	AS_PROGRAM_RIGHTS,  /* it gets rights of its own (setuid): none may be */
	AS_PROGRAM_OTHER,   /* of another machine or word size */
	AS_PROGRAM_NONE,    /* not found, or not to be executed */
};

/* The runtime, if its stacks can't be followed from within the process. */
enum as_program_runtime {
	AS_RUNTIME_NATIVE,
	AS_RUNTIME_GO,   /* no unwind tables that a process has of itself, and stacks that move */
	AS_RUNTIME_JAVA, /* compiled while it runs: by frame pointers, if it keeps them */
};

struct as_program {
	char path[PATH_MAX];
	enum as_program_kind kind;
	enum as_program_runtime runtime; /* of one that is AS_PROGRAM_DYNAMIC */
	bool python;                     /* an interpreter of Python, by its name */
};

/*
 * Finds NAME as execvp() would, with SEARCH for PATH, and looks at what it is; of a script, at its
 * interpreter, which is the shell where it names none. errno tells why it is AS_PROGRAM_NONE.
 */
void as_program_find(struct as_program *p, const char *name, const char *search);

#endif
