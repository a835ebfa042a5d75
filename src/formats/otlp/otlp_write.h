/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the writer share; private to src/formats/otlp. */
#ifndef AS_FORMATS_OTLP_OTLP_WRITE_H
#define AS_FORMATS_OTLP_OTLP_WRITE_H

#include "formats/otlp/otlp.h"
#include "formats/otlp/otlp_put.h"
#include "formats/paths_plan.h"

/* A row of the table of attributes. */
struct as_otlp_out_attr {
	uint64_t key, unit; /* strings */
	bool is_number, is_json;
	int64_t number;
	struct as_slice text; /* the value, or JSON of it */
};

struct as_otlp_out_link {
	struct as_slice trace, span;
};

/* Rows of attributes of a part's samples, and the row of their link. */
struct as_otlp_out_set {
	uint32_t first, n; /* in as_otlp_write.list_of_sets */
	uint32_t link;
	bool done;
};

struct as_otlp_write {
	struct as_wr *wr;
	const struct as_alloc *al;
	const struct as_profile *prof;
	bool own; /* it was read from this format: what it has is written as it was */
	struct as_arena arena;
	struct as_strings str; /* in the order of first use */
	struct as_plan plan;
	struct as_otlp_put put;
	AS_VEC(struct as_otlp_out_attr) attr;
	struct as_index attrs;
	AS_VEC(struct as_otlp_out_link) link;
	struct as_otlp_out_set *set; /* of each part */
	AS_VEC(uint64_t) set_list;
	uint32_t *stack_row; /* of each stack of the plan; 0 = none */
	uint32_t n_stacks;
	AS_VEC(uint64_t) list; /* scratch */
	AS_VEC(uint64_t) profile_attrs;
	int64_t time;
	bool no_memory;
	/* Moments, of each sample's events: those of sample S and event E from
	 * first[S * events + E] on; NULL: there are none. */
	uint32_t *first;
	uint64_t *moment_time;
	uint64_t *moment_value;
	AS_VEC(uint64_t) times; /* scratch */
};

/* The number of TEXT in the table of strings. */
uint64_t as_otlp_str_of(struct as_otlp_write *w, struct as_slice text);
/* The row of an attribute. */
uint64_t as_otlp_attr_text(struct as_otlp_write *w, struct as_slice key, struct as_slice text);
uint64_t as_otlp_attr_json(struct as_otlp_write *w, struct as_slice key, struct as_slice json);
uint64_t as_otlp_attr_number(
	struct as_otlp_write *w, struct as_slice key, int64_t number, struct as_slice unit);
/* The first line of metadata KEY, of whatever part; p == NULL if there is none. */
struct as_slice as_otlp_meta(const struct as_otlp_write *w, const char *key);

/* The AnyValue that is open has this; a text of JSON as what it says. */
void as_otlp_put_any(struct as_otlp_write *w, struct as_slice text, bool is_json);

/* Fill FIRST and what it is of. */
enum as_code as_otlp_plan_moments(struct as_otlp_write *w) AS_NODISCARD;
/* Values and times of the samples from AT up to END of the order, which are one, to the lists. */
void as_otlp_moments_of(struct as_otlp_write *w, size_t at, size_t end, uint32_t event);

/* All tables, when everything that names their rows was written. */
enum as_code as_otlp_put_dictionary(struct as_otlp_write *w) AS_NODISCARD;
/* A resource and its scope, of the part WHOLE. */
void as_otlp_put_resource(struct as_otlp_write *w, uint32_t whole);
void as_otlp_put_scope(struct as_otlp_write *w, uint32_t whole);
/* Attributes of all profiles, to w->profile_attrs; what is lost. */
enum as_code as_otlp_plan_profile(struct as_otlp_write *w) AS_NODISCARD;
/* The set of the part PART, whose resource is that of WHOLE. */
const struct as_otlp_out_set *as_otlp_set_of(
	struct as_otlp_write *w, uint32_t part, uint32_t whole);

#endif
