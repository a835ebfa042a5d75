/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a profile. Facts may come in any order and more than once: equal
 * samples are summed in as_build_finish(), equal self rows wherever the profile
 * is looked at. Every slice is copied; every handle is valid for this builder's
 * profile only.
 *
 * Calls return AS_E_NOMEM, or AS_E_LIMIT when a table would exceed 2^32 rows;
 * AS_E_ARG is a programmer's mistake. After a failure the builder can still be
 * finished or freed.
 */
#ifndef AS_MODEL_BUILD_H
#define AS_MODEL_BUILD_H

#include "base/err.h"
#include "model/profile.h"

struct as_build {
	struct as_profile *prof;
	struct as_index events, objects, files, funcs, places, nodes, labels;
	struct as_err *err; /* borrowed; may be NULL */
	/* the part that was added last, not counting those of as_build_labelled() */
	uint32_t whole;
	bool depth_first; /* the reader has made the nodes depth first already */
	bool keep_order;  /* samples remember where in the source they stand: */
	uint32_t order;   /* the place in the source of samples that are added from now on */
	/* Of as_build_moment(): they are kept, or only counted; what they are until the end; and
	 * the time on their clock that is prof->epoch, else the first of them is the beginning. */
	bool keep_moments, has_zero;
	bool keep_markers; /* likewise; see AS_MARKERS */
	int64_t zero;
	AS_VEC(struct as_moment) moment;
};

/* AL == NULL is libc. */
enum as_code as_build_init(struct as_build *b, const struct as_alloc *al, struct as_err *err)
	AS_NODISCARD;
/* Release the indexes, as nothing will be looked up any more. For src/model. */
void as_build_forget(struct as_build *b);
/* Drop everything that was built. Not after as_build_finish(). */
void as_build_free(struct as_build *b);

enum as_code as_build_str(struct as_build *b, struct as_slice s, as_str *out) AS_NODISCARD;

/* Find or add the event NAME. Adding is only possible before the first sample; rows of self
 * cost, calls and jumps may be there already, their values of the new event are zero. */
enum as_code as_build_event(
	struct as_build *b, struct as_slice name, struct as_slice unit, uint32_t *out) AS_NODISCARD;

/* Find or add. Objects are equal when path and id are. */
enum as_code as_build_object(
	struct as_build *b, struct as_slice path, struct as_slice id, as_object *out) AS_NODISCARD;
/* The same of texts that are handles already. */
enum as_code as_build_object_of(struct as_build *b, as_str path, as_str id, as_object *out)
	AS_NODISCARD;
enum as_code as_build_file(struct as_build *b, struct as_slice path, as_file *out) AS_NODISCARD;
/* Functions are equal when name, object, file and (for a nameless one) addr are. */
enum as_code as_build_func(struct as_build *b, struct as_slice name, as_object object, as_file file,
	uint64_t addr, as_func *out) AS_NODISCARD;
/* The same with all that a row holds; its texts are handles already. */
enum as_code as_build_func_row(struct as_build *b, const struct as_func_row *row, as_func *out)
	AS_NODISCARD;
/* The same of N <= AS_STRINGS_MANY rows at once. */
enum as_code as_build_func_rows(
	struct as_build *b, const struct as_func_row *row, uint32_t n, as_func *out) AS_NODISCARD;
/* Append ROW, found or not: for src/model. False if out of memory. */
AS_NODISCARD bool as_build_push_func(struct as_profile *prof, const struct as_func_row *row);
/* A function row of its own, not found by as_build_func(), whose object and file may be set
 * later in prof->func: for formats that name functions by id before they say where they are.
 * as_build_unify() must follow before the end. */
enum as_code as_build_func_new(struct as_build *b, struct as_slice name, as_func *out) AS_NODISCARD;
/* Make functions that are equal by now one, in all facts. Cheap when there are none. */
enum as_code as_build_unify(struct as_build *b) AS_NODISCARD;
enum as_code as_build_place(struct as_build *b, const struct as_pos *pos, as_place *out)
	AS_NODISCARD;

enum as_code as_build_place_more(struct as_build *b, const struct as_pos *pos,
	const struct as_place_more *more, as_place *out) AS_NODISCARD;

/* Room for N more functions, each with a place. */
enum as_code as_build_reserve(struct as_build *b, size_t n) AS_NODISCARD;
/* The same of functions alone. */
enum as_code as_build_reserve_funcs(struct as_build *b, size_t n) AS_NODISCARD;

/* Prefetch for nameless code at ADDR of OBJECT, which will be asked for: the first call fetches
 * its function, the second one its place. The first is called for each of a batch, then the
 * second for each, before any of them is asked for. N_NEW counts those of the batch that are
 * likely to be new. */
void as_build_expect_code(const struct as_build *b, as_object object, uint64_t addr);
void as_build_expect_place(
	const struct as_build *b, as_object object, uint64_t addr, uint32_t *n_new);
/* The same for a place that as_build_place_more() will be asked for: first its slot, then its
 * row. */
void as_build_expect_pos(const struct as_build *b, const struct as_pos *p,
	const struct as_place_more *more, bool row);

/* A new part with nothing known. Fill prof->part.p[*out] directly. Part 0 does not exist
 * until it is added; facts need a part. */
enum as_code as_build_part(struct as_build *b, uint32_t *out) AS_NODISCARD;
/* Find or add the part that is as the one of as_build_part() that was added last, but has these N
 * labels; equal sets give one part. LABEL is brought into order. N = 0 is that part itself. */
enum as_code as_build_labelled(
	struct as_build *b, struct as_label *label, uint32_t n, uint32_t *out) AS_NODISCARD;
/* Give part PART, which has none, these labels as they are; it is not found by its labels. */
enum as_code as_build_part_labels(
	struct as_build *b, uint32_t part, const struct as_label *label, uint32_t n) AS_NODISCARD;
/* The same of N KEYs, each with its VALUE; an empty one is no label. */
enum { AS_PART_TEXTS_MAX = 8 };
enum as_code as_build_part_texts(struct as_build *b, uint32_t part, const char *const *key,
	const struct as_slice *value, uint32_t n) AS_NODISCARD;
enum as_code as_build_meta(
	struct as_build *b, uint32_t part, struct as_slice key, struct as_slice text) AS_NODISCARD;
/* The same of one that is true of less than ALL. */
enum as_code as_build_meta_of(struct as_build *b, uint32_t part, struct as_slice key,
	struct as_slice text, enum as_meta_of of) AS_NODISCARD;
enum as_code as_build_map(struct as_build *b, const struct as_map *map) AS_NODISCARD;

/* Give part the events LIST of N columns (copied). */
enum as_code as_build_part_events(
	struct as_build *b, uint32_t part, const uint32_t *list, uint32_t n) AS_NODISCARD;
/* It has measured every event there is so far. */
enum as_code as_build_part_all_events(struct as_build *b, uint32_t part) AS_NODISCARD;
/* A copy of N values in the profile's arena; NULL if out of memory. */
as_val *as_build_values(struct as_build *b, const as_val *v, uint32_t n);

/* The path PARENT -> PLACE; node 0 is the empty path (root). */
enum as_code as_build_push(struct as_build *b, as_node parent, as_place place, as_node *out)
	AS_NODISCARD;
/* The same of one that is not there yet, where as_build_push() is not asked for any. */
enum as_code as_build_append(struct as_build *b, as_node parent, as_place place, as_node *out)
	AS_NODISCARD;
/* COST has as_n_events() values. */
enum as_code as_build_sample(struct as_build *b, uint32_t part, as_node node, const as_val *cost)
	AS_NODISCARD;

/* When some of a sample was counted, in any order. Where nobody asked for moments they are counted;
 * where they do not add up to the samples in the end, too. */
enum as_code as_build_moment(struct as_build *b, const struct as_moment *m) AS_NODISCARD;
/* M with any VALUE instead of its own: none, or several, of which all but the last are as large as
 * they can be. Of more than 64 times that it is only counted. */
enum as_code as_build_moment_of(struct as_build *b, const struct as_moment *m, as_val value)
	AS_NODISCARD;
/* For src/model: sort, check and pack them. False if out of memory. */
AS_NODISCARD bool as_build_finish_moments(struct as_build *b);

/* What all paths add up to for FUNC, as n_events() values of self cost and then as many of
 * inclusive cost; a profile that has such sums, each function at most once, has no samples. */
enum as_code as_build_sum(struct as_build *b, as_func func, const as_val *cost, bool recursive)
	AS_NODISCARD;

/* Self cost at POS. Runs are found by themselves: rows that follow one another with the
 * same part, function and file are stored together. N values; the rest are zero. */
enum as_code as_build_self(struct as_build *b, uint32_t part, const struct as_pos *pos,
	const as_val *cost, uint32_t n) AS_NODISCARD;

struct as_call {
	as_func callee;
	uint64_t line, addr; /* of the callee's position; 0 = unknown */
	as_val count;        /* times called; 0 = active or not known */
};
/* A call from SITE. COST is inclusive, N values. */
enum as_code as_build_call(struct as_build *b, uint32_t part, const struct as_pos *site,
	const struct as_call *call, const as_val *cost, uint32_t n) AS_NODISCARD;

struct as_jump {
	bool conditional;
	as_func func; /* target's; 0 = the same function */
	bool other_file;
	as_file file; /* target's, if other_file */
	uint64_t line, addr;
	as_val executed, followed; /* equal for unconditional jumps */
};
enum as_code as_build_jump(struct as_build *b, uint32_t part, const struct as_pos *from,
	const struct as_jump *jump) AS_NODISCARD;

/*
 * Sum equal samples, compute totals and shape, and give the profile away: the
 * caller frees it with as_profile_free(). The builder is empty afterwards, also
 * on failure.
 */
enum as_code as_build_finish(struct as_build *b, struct as_profile **out) AS_NODISCARD;

#endif
