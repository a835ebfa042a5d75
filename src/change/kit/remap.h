/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taking facts from one profile to another that is being built: handles are translated when
 * they are first needed, so what no fact mentions stays behind.
 */
#ifndef AS_CHANGE_KIT_REMAP_H
#define AS_CHANGE_KIT_REMAP_H

#include "model/build.h"
#include "model/chains.h"

#define AS_REMAP_NONE UINT32_MAX /* of a part that is left out */

struct as_remap {
	const struct as_alloc *al; /* for scratch, as all below is: it goes with who owns it */
	struct as_build *b;        /* borrowed, as is SRC */
	const struct as_profile *src;
	uint32_t e;       /* events of SRC */
	bool same_events; /* SRC's are the first of B's, in the same order */
	/* Handle + 1 in B of each row of SRC; 0 = not asked for yet. */
	uint32_t *str, *file, *func, *place;
	uint32_t *object; /* handle in B; filled by the owner or as_remap_all() */
	uint32_t *event;  /* likewise; filled by as_remap_events() */
	/* Of each event of SRC what it is called in B, and what its values are multiplied with to
	 * be in B's unit; NULL: as it is. */
	const struct as_slice *event_name;
	const as_val *times;
	uint32_t *part;       /* likewise; filled by the owner or as_remap_parts() */
	const uint32_t *only; /* events of SRC: what is of others stays behind; NULL: of none */
	uint32_t n_only;
	/* Of each part of SRC: 0 = it is left out, with its facts; NULL: all stay. */
	const uint8_t *keep_part;
	/* Of each label of SRC: 0 = it is left out; NULL: all stay. */
	const uint8_t *keep_label;
	/* Of each object of SRC, NULL or where its code moves to: readdress.h. NULL: none moves */
	const struct as_segment **moves;
	as_val *in, *out; /* scratch: the values of a row of any table, of SRC and of B */
	AS_VEC(struct as_label) label; /* scratch */
};

enum as_code as_remap_init(struct as_remap *r, const struct as_alloc *al, struct as_build *b,
	const struct as_profile *src) AS_NODISCARD;

/* ---- tables, as a whole ---- */
/* Find or add the events by name; the facts about a new one are copied. */
enum as_code as_remap_events(struct as_remap *r) AS_NODISCARD;
/* Copy all parts, with their declared sums if SUMS. UNLABELLED: those that labels split off go to
 * the one that stands before them. Events come first. */
enum as_code as_remap_parts(struct as_remap *r, bool sums, bool unlabelled) AS_NODISCARD;
/* Mappings and lines of metadata. Objects and parts come first. */
enum as_code as_remap_maps(struct as_remap *r) AS_NODISCARD;
enum as_code as_remap_metas(struct as_remap *r) AS_NODISCARD;
/* All of the above, objects, formulas, and what is known of the profile as a whole: everything but
 * facts. */
enum as_code as_remap_all(struct as_remap *r) AS_NODISCARD;

/* ---- handles ---- */
enum as_code as_remap_str(struct as_remap *r, as_str s, as_str *out) AS_NODISCARD;
/* Each of several that lie in copies of SRC's rows becomes B's. LIST ends in NULL. */
enum as_code as_remap_list(struct as_remap *r, as_str *const *list) AS_NODISCARD;
#define as_remap_each(r, ...) as_remap_list((r), (as_str *const[]){__VA_ARGS__, NULL})
enum as_code as_remap_file(struct as_remap *r, as_file f, as_file *out) AS_NODISCARD;
enum as_code as_remap_func(struct as_remap *r, as_func f, as_func *out) AS_NODISCARD;
/* The same of N <= AS_STRINGS_MANY functions at once. */
enum as_code as_remap_funcs(struct as_remap *r, const as_func *f, uint32_t n, as_func *out)
	AS_NODISCARD;
/* All that F's row holds, as B has it: for who changes some of it. */
enum as_code as_remap_func_row(struct as_remap *r, as_func f, struct as_func_row *row) AS_NODISCARD;
/* The labels of PART, as many as it has, into OUT. */
enum as_code as_remap_labels(struct as_remap *r, uint32_t part, struct as_label *out) AS_NODISCARD;
enum as_code as_remap_pos(struct as_remap *r, const struct as_pos *pos, struct as_pos *out)
	AS_NODISCARD;
/* All that tells place P, in B's handles. */
enum as_code as_remap_at(struct as_remap *r, as_place p, struct as_pos *pos,
	struct as_place_more *more) AS_NODISCARD;
enum as_code as_remap_place(struct as_remap *r, as_place p, as_place *out) AS_NODISCARD;

/* ---- facts ---- */
/* V of event K, in B's unit. */
static inline as_val as_remap_value(const struct as_remap *r, uint32_t k, as_val v)
{
	return r->times ? v * r->times[k] : v;
}
/* N values of SRC's events into OUT, B's events. */
void as_remap_cost(const struct as_remap *r, const as_val *cost, uint32_t n, as_val *out);
/* RUN, one of SRC's, becomes what it is in the result. */
enum as_code as_remap_run_key(struct as_remap *r, struct as_run *run) AS_NODISCARD;
/* Of FROM, one of SRC's tables of rows: begin RUN in the table of B that is its like; then its
 * rows, whose values are in IN, one by one. */
enum as_code as_remap_begin_run(
	struct as_remap *r, const struct as_rows *from, const struct as_run *run) AS_NODISCARD;
enum as_code as_remap_row(
	struct as_remap *r, const struct as_run *run, const struct as_rows_cur *cur) AS_NODISCARD;
/* Rows of self cost that have one value each are in the result what they are in SRC, so that
 * as_remap_view() does for several what as_remap_row() does for one. */
bool as_remap_keeps_views(const struct as_remap *r);
enum as_code as_remap_view(struct as_remap *r, const struct as_rows_view *view) AS_NODISCARD;
/* All rows of a run, of a table, of all tables. */
enum as_code as_remap_run(struct as_remap *r, const struct as_rows *from, const struct as_run *run)
	AS_NODISCARD;
enum as_code as_remap_rows(struct as_remap *r, const struct as_rows *from) AS_NODISCARD;
enum as_code as_remap_all_rows(struct as_remap *r) AS_NODISCARD;

/* B keeps moments from now on, whose times are SRC's. */
void as_remap_keep_moments(struct as_remap *r);
/* The moment M of SRC at NODE of B; nothing if its event or part stays behind. */
enum as_code as_remap_moment(struct as_remap *r, const struct as_moment *m, as_node node)
	AS_NODISCARD;

#endif
