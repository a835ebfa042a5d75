/* SPDX-License-Identifier: Apache-2.0 */
/* What the views of call graphs share: how a function is shown, and the head of each answer. */
#ifndef AS_REPORT_VIEWS_H
#define AS_REPORT_VIEWS_H

#include "io/out.h"
#include "report/kit/grid.h"
#include "report/kit/json.h"
#include "report/kit/style.h"
#include "report/kit/unit.h"
#include "table/project.h"

/* What all views are told. */
struct as_view_opts {
	const uint32_t *event; /* columns to show, in this order; borrowed */
	uint32_t n_events;
	uint32_t sort_event;      /* a column of the profile */
	struct as_unit unit;      /* of that one, in text */
	const char *const *files; /* names of the inputs; borrowed */
	size_t n_files;
};

/* A function: a row of a table by function, or what stands for one. */
struct as_view_func {
	const struct as_profile *prof;
	struct as_slice name; /* as it is shown; empty: not known */
	const struct as_key *key;
};

static inline struct as_view_func as_view_func(
	const struct as_profile *prof, struct as_slice name, const struct as_key *key)
{
	return (struct as_view_func){prof, as_shown_name(prof, name), key};
}

static inline struct as_view_func as_view_row(const struct as_table *table, uint32_t row)
{
	as_assert(row < table->n);
	return as_view_func(table->prof, as_table_func_name(table, row), &table->key[row]);
}

/* ---- text ---- */
struct as_slice as_view_name(struct as_arena *ar, struct as_view_func f);
/* Of trees as text: levels that are shown unless the user says how many, and the columns that a row
 * at DEPTH is indented by: a stack of a million frames would be text of a terabyte. */
enum { AS_VIEW_LEVELS = 1000 };
unsigned as_view_indent(uint32_t depth);
/* The file it is in, else the object. */
struct as_slice as_view_where(struct as_arena *ar, struct as_view_func f);
/* " ↻", or " (r)" */
const char *as_view_again(const struct as_style *style);
/* "function", "file", "object", "line", "address", "filefunction" */
const char *as_view_by(enum as_by by);
/* Of the events shown: the place of the one that is sorted by. */
uint32_t as_view_first(const struct as_view_opts *opts);

/* A function without a name has one, if its place is known. */
bool as_view_has_address(struct as_view_func f);
/* "function", "file", "object", "address" of the object that is open. */
void as_view_json_func(struct as_json *j, struct as_view_func f);

#endif
