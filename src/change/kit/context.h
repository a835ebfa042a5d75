/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with their recursion and caller contexts folded. */
#ifndef AS_CHANGE_KIT_CONTEXT_H
#define AS_CHANGE_KIT_CONTEXT_H

#include "model/profile.h"

/* What is folded in the names of functions. */
struct as_fold_how {
	bool contexts; /* "f'2" */
	bool callers;  /* caller contexts too */
	bool clones;   /* "f.isra.0" */
};

/* Which functions are one once contexts are folded. */
struct as_fold {
	const struct as_alloc *al;
	uint32_t n;      /* functions */
	uint32_t *group; /* of each function: the one that stands for it */
	uint8_t *cut;    /* of each function: its name has a context; NULL = none has */
	struct as_fold_how how;
};

/* KEEP: contexts are kept apart. CLONES: what a compiler made out of a function is that function.
 * False if out of memory. */
AS_NODISCARD bool as_fold_init(
	struct as_fold *fold, const struct as_profile *prof, bool keep, bool clones);
void as_fold_release(struct as_fold *fold);

/* A prefix of F's name, borrowed from PROF. */
struct as_slice as_fold_func_name(
	const struct as_fold *fold, const struct as_profile *prof, as_func f);

/* NAME without its recursion and caller contexts: "f'2" -> "f", "f'main'start" -> "f". PROF
 * decides whether contexts can be there at all. Returns a prefix of NAME. */
struct as_slice as_fold_context(const struct as_profile *prof, struct as_slice name);

/* PROF is Callgrind's, so that names may have recursion levels behind them: "f'2". */
bool as_has_contexts(const struct as_profile *prof);
/* Callgrind itself wrote a part, so that a name may have caller contexts. */
bool as_has_callers(const struct as_profile *prof);
/* as_fold_context() for a profile of Callgrind's. */
struct as_slice as_fold_name(struct as_slice name, bool callers);
/* NAME without what HOW folds; a prefix of it. */
struct as_slice as_fold_name_by(struct as_fold_how how, struct as_slice name);

/* A name that Callgrind itself wrote, taken apart: "f'2'main'start". */
struct as_context {
	struct as_slice name;    /* f */
	struct as_slice callers; /* main'start: what as_context_caller() has not given yet */
	bool level;              /* '2: f was active already */
};
/* False if there is nothing but a name. All slices are of NAME. */
bool as_context_split(struct as_slice name, struct as_context *ctx);
/* The next caller, from the inside out. */
bool as_context_caller(struct as_context *ctx, struct as_slice *caller);

#endif
