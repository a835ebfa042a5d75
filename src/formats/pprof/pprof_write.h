/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of pprof's writer share; private to src/formats/pprof. */
#ifndef AS_FORMATS_PPROF_PPROF_WRITE_H
#define AS_FORMATS_PPROF_PPROF_WRITE_H

#include "base/pb_put.h"
#include "formats/paths_plan.h"
#include "formats/pprof/pprof.h"

/* A row of self cost: where it is. */
struct as_pb_row {
	uint64_t line, addr; /* in memory */
	uint64_t cost : 63;  /* where its values are */
	uint64_t again : 1;  /* it is one with the row before it in w->row_order */
	uint32_t run, map;   /* the map's id, 0 = none */
};
struct as_pb_rows {
	AS_VEC(struct as_pb_row) row;
	AS_VEC(char) cost; /* varints: of each row its values, as events stand */
};

/* Of a run of them: where its first row is, its function, and the file that its lines are in. */
struct as_pb_run {
	uint64_t addr;
	uint32_t map, rank;
	as_file file; /* 0 = the function's */
	bool nothing; /* is known of the function */
};

/* Of the order of samples. */
struct as_pb_part {
	size_t first, end;
	uint64_t n; /* how many they are in the file, where equal ones are one */
};

/* Rows in the order of their sections: those of section I from FIRST[I + 1] up to FIRST[I + 2]. */
struct as_pb_by_section {
	uint32_t *at;
	size_t *first;
};

struct as_pb_write {
	struct as_wr *wr;
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_arena arena;
	struct as_strings str; /* in the order of first use */
	uint32_t *str_id;      /* the number of each of the profile's strings; 0 = not used yet */
	struct as_plan plan;
	uint32_t *has;         /* AS_MAP_HAS_* of each mapping, beside its own */
	AS_VEC(uint64_t) list; /* scratch */
	struct as_pb_buf msg, sub;
	struct as_pb_buf tail;         /* fields behind the strings */
	struct as_pb_buf front, *into; /* where messages go now; NULL: they go out */
	uint32_t *order; /* samples as they are written, by their places in plan.sample */
	AS_VEC(struct as_pb_part) section; /* of them */
	AS_VEC(uint32_t) map_section;   /* of each mapping, behind that of none: its section + 1 */
	AS_VEC(uint64_t) section_total; /* of each section, a value for each type */
	/* Locations, functions and strings of the profile; AT is NULL: there are no sections.
	 * Behind those of samples are tables, of what several need. */
	struct as_pb_by_section loc, func, text;
	uint32_t n_tables;
	uint32_t *table;        /* of each section: that of what it shares with smaller ones */
	bool *needs;            /* of each section: what each shares with smaller ones */
	AS_VEC(size_t) str_end; /* strings, to the end of the front and of each section */
	size_t n_str;           /* those that were written */
	uint32_t
		*record; /* of each sample: its number in the file; NULL: moments are not written */
	struct as_pb_rows rows;  /* of a profile that has no paths */
	struct as_pb_rows group; /* scratch: those of one function, as they come */
	struct as_pb_run *run;   /* of each run of self rows */
	bool wide;               /* some have more than 64 bits */
	as_val *sum;             /* scratch: a value per event */
	AS_VEC(uint64_t) key;    /* scratch: of rows that are put in order, */
	AS_VEC(uint32_t) at;     /* and that order */
	uint32_t *row_order;     /* NULL: it has paths */
	const uint32_t *bare;    /* runs of self rows that go out as they are, in order */
	as_val *row_v;           /* scratch: the values of a row of self cost */
	uint64_t scale; /* a value is made: nanoseconds, so many of each count; 0 = none is */
};

/* The number of TEXT in the table of strings. Out of memory is kept in w->msg. */
uint64_t as_pb_str_of(struct as_pb_write *w, struct as_slice text);

/* The message that stands in w->msg goes out as field NUMBER. */
enum as_code as_pb_emit(struct as_pb_write *w, uint32_t number) AS_NODISCARD;
/* F as a line of the location in w->msg. */
void as_pb_put_line(struct as_pb_write *w, const struct as_plan_frame *f);
/* V behind the others in w->list, or an error. */
enum as_code as_pb_add_value(struct as_pb_write *w, as_val v) AS_NODISCARD;
enum as_code as_pb_value_range(const struct as_pb_write *w, as_val v);

/* What to write of a profile that has rows of self cost and no paths: w->row, in order. */
enum as_code as_pb_plan_rows(struct as_pb_write *w) AS_NODISCARD;
/* Whether all rows, their runs in the order of AT, can go out as they are; then w->bare tells. */
bool as_pb_takes_bare(const struct as_pb_write *w, const uint32_t *at);
enum as_code as_pb_write_bare_samples(struct as_pb_write *w) AS_NODISCARD;
void as_pb_write_bare_locations(struct as_pb_write *w);
enum as_code as_pb_write_row_samples(struct as_pb_write *w) AS_NODISCARD;
enum as_code as_pb_write_row_locations(struct as_pb_write *w) AS_NODISCARD;

/* How far samples are one with number FIRST of the order, and what they cost of a type. */
size_t as_pb_end_of_one(const struct as_pb_write *w, size_t first);
as_val as_pb_value_of(const struct as_pb_write *w, size_t first, size_t end, size_t type);

/* Bring samples into sections, and what they need to them. *WILL_DO is false if a cost is beyond
 * the format, or they cannot be read alone. */
enum as_code as_pb_plan_sections(struct as_pb_write *w, bool *will_do) AS_NODISCARD;
enum as_code as_pb_plan_tables(struct as_pb_write *w) AS_NODISCARD;
/* Whether a section of samples needs a table; both from 0. */
bool as_pb_needs_table(const struct as_pb_write *w, uint32_t section, uint32_t table);
/* Number the strings of all sections, behind those of the front. */
enum as_code as_pb_number_strings(struct as_pb_write *w) AS_NODISCARD;
/* What is to be said of sections to w->front. */
void as_pb_put_sections(struct as_pb_write *w);

/* Whether samples get a second value. */
void as_pb_plan_period(struct as_pb_write *w);
/* Fill w->has, when it is known what is used. */
enum as_code as_pb_plan_has(struct as_pb_write *w) AS_NODISCARD;
/* When samples were counted, and the parts, as the message in w->msg: once samples have their
 * numbers. */
enum as_code as_pb_put_moments(struct as_pb_write *w) AS_NODISCARD;
/* Fill w->tail. */
enum as_code as_pb_put_tail(struct as_pb_write *w) AS_NODISCARD;

#endif
