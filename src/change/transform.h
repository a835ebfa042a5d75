/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profile in, profile out. The input is not changed; the result shares nothing
 * with it but the allocator.
 */
#ifndef AS_CHANGE_TRANSFORM_H
#define AS_CHANGE_TRANSFORM_H

#include "base/err.h"
#include "change/show_names.h"
#include "formats/format.h"
#include "model/chains.h"
#include "model/profile.h"

/*
 * Merging, one profile after the other, so that each can be freed once added.
 * Events are matched by name, functions by name, object and file, objects by path,
 * id and kind of addresses, places also by line and address, so two runs under ASLR
 * become one. An object without id is the one of the same path with an id, if there
 * is only one. Equal rows and equal samples are summed.
 *
 * Refused with AS_E_ARG, both inputs named, nothing changed: an event whose unit or
 * sampling period differs (where both say it), an object whose text is of another size
 * or elsewhere, and DCPI profiles of different platforms: such counts cannot be added.
 *
 * Parts are kept apart when KEEP_PARTS, else all facts go to one part. It keeps what all
 * parts agree in: command, creator, process, lines of metadata, but for those that are numbers
 * of one run; of the declared sums nothing. Its mappings are those of the part that has most of
 * them, completed by what the others have; where these overlap they move. The start is the
 * earliest, the duration that in which one of them ran, or the sum of theirs where not all say
 * when they began, if all inputs have one. Parts that labels split off become one
 * where their labels are the same.
 *
 * Merging is commutative up to the order of parts; equal inputs give equal bytes when
 * written: what cannot be decided otherwise is decided by content. Events stand by the
 * foremost column in which an input has them.
 */
struct as_merge_opts {
	bool keep_parts;
	bool drop_labels; /* samples that only labels tell apart become one */
	/* Where parts become one: their process, thread and its name become labels of their
	 * samples, "pid", "tid" and "comm". */
	bool label_parts;
	bool label_programs; /* and what their commands execute becomes "process" */
	bool pieces;         /* of one recording: when each of them began is nothing lost */
};
struct as_merge;
enum as_code as_merge_new(const struct as_alloc *al, const struct as_merge_opts *opts,
	struct as_merge **out, struct as_err *err) AS_NODISCARD;
/* Losses (what differs between the inputs and cannot be kept) go to L, which may be NULL. */
enum as_code as_merge_add(struct as_merge *m, const struct as_profile *prof, struct as_losses *l)
	AS_NODISCARD;
/* Gives the result and frees M, also on failure. */
enum as_code as_merge_finish(struct as_merge *m, struct as_profile **out) AS_NODISCARD;
void as_merge_free(struct as_merge *m);

/* Exact, downwards. Paths become self rows and call rows: per sample a call edge counts once,
 * at the outermost entry into the callee, so that the sum of the calls into a function is its
 * inclusive cost and recursion is counted once; inner entries become call rows of cost 0, so
 * that cycles are still seen. How often was called is not known: count is 0. */
enum as_code as_to_calls(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err) AS_NODISCARD;
/* Only self rows. */
enum as_code as_to_places(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err) AS_NODISCARD;

/*
 * Only samples, each of one frame: the self rows as paths of length one. Exact; calls are lost.
 */
enum as_code as_to_leaves(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err) AS_NODISCARD;
/*
 * Upwards: call chains out of calls, an ESTIMATE (the result's `estimated` is set) that
 * contradicts no call: see routes.h. The self cost of every place stays exact, each event goes by
 * its own costs, and parts smaller than 1/50000 of the total are not told apart. A function stands
 * on a chain once.
 */
enum as_code as_estimate_paths(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err) AS_NODISCARD;
/*
 * Call paths out of contexts: where Callgrind was run with --separate-callers=N the names say by
 * whom, N deep ("f'main'start"). Exact, and cut above: `path_depth` is set. The self cost of
 * every place is kept, of contexts the function. A function that calls itself is one frame, so
 * the level in "f'2" is lost. AS_E_UNSUPPORTED: no name has callers in it.
 */
enum as_code as_context_paths(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err) AS_NODISCARD;

/* The same, with DURATION if that is not 0, and COMMAND as what all parts were started by: it is
 * theirs, or, APART, beside those that they have. */
enum as_code as_with_command(const struct as_profile *prof, struct as_slice command,
	int64_t duration, bool apart, struct as_profile **out, struct as_err *err) AS_NODISCARD;

/*
 * Names for nameless code, as CHAINS has it by object and address of PROF. A place of a path
 * becomes a frame for each function, the outermost first, those inside marked as inlined; a row
 * of self cost goes to the innermost function, at the file and line of the address. A function
 * whose name is its address ("0x0000000000001090") gets the name of the outermost. Calls and jumps
 * stay between the functions that the source tells apart. Every cost and every address is kept,
 * and so are the handles of objects and parts.
 */
enum as_code as_expand(const struct as_profile *prof, const struct as_chains *chains,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;
/* The chain of POS, a position of PROF; NULL if it has a name or CHAINS has none. */
const struct as_chain *as_chain_at(
	const struct as_profile *prof, const struct as_chains *chains, const struct as_pos *pos);

/*
 * Inlined code as part of the function that it was inlined into: each frame with what is inlined
 * there becomes one, of the outermost function, at the file and line of the innermost. So does
 * as_symbolize() without inlines. Every cost is kept. *OUT is NULL when nothing of PROF is inlined.
 */
enum as_code as_fold_inlined(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err) AS_NODISCARD;
/* Whether some frame of PROF is. */
bool as_has_inlined(const struct as_profile *prof);

/*
 * Callgrind's functions without their contexts: "f'2" and "f'main" are f, as tables show them.
 * Every cost and call is kept; a call from one to the other is f's of itself. *OUT is NULL when no
 * name of PROF has any; so many have.
 */
enum as_code as_fold_contexts(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err) AS_NODISCARD;
uint64_t as_count_contexts(const struct as_profile *prof);

struct as_self_opts {
	bool fold;  /* of functions without their contexts */
	bool again; /* a place may be there several times; else each is there once */
};
/* The rows of self cost alone. */
enum as_code as_to_self_rows(const struct as_profile *prof, const struct as_self_opts *opts,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* PROF with the names that show_names.h makes, where they are to be written; what was apart stays
 * apart. */
enum as_code as_rename(const struct as_profile *prof, const struct as_renamer *how,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* Functions that Callgrind calls by their address, 0x0000000000777d10, as what they are: code
 * without a name. *OUT is NULL where there are none. */
enum as_code as_unname(const struct as_profile *prof, struct as_profile **out, struct as_err *err)
	AS_NODISCARD;

/* PROF, which has neither calls nor sums, as one that was counted at BEGIN, nanoseconds since 1970:
 * each cost has a moment there, and self rows are paths of one frame. LENGTH: how long the
 * recording is; 0 = as PROF has it. */
enum as_code as_at_time(const struct as_profile *prof, int64_t begin, uint64_t length,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* PROF with the N events in the columns EVENT alone, in that order: all that has no cost of them
 * stays, but derived events and declared sums do not. What shows one event of many needs a fraction
 * of the memory. */
enum as_code as_pick_events(const struct as_profile *prof, const uint32_t *event, uint32_t n,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

/*
 * What FMT's writer needs of PROF: the shape is brought down (or, with ESTIMATE, up) to what
 * the format carries, and everything that gets lost is added to L. *OUT is NULL when PROF can
 * be written as it is, else a new profile.
 */
struct as_adapt_opts {
	bool estimate;      /* paths out of calls, where the format has paths only */
	bool keep_contexts; /* "f'2" is a function of that name also in formats that know of none */
};
enum as_code as_adapt(const struct as_profile *prof, const struct as_format *fmt,
	const struct as_adapt_opts *opts, struct as_profile **out, struct as_losses *l,
	struct as_err *err) AS_NODISCARD;

#endif
