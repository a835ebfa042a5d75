/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sides, BASE and NEW, of one or more runs each, row by row. docs/diff.md states the rules.
 *
 * Profiles are added one after the other and can be freed once added: what is kept is a row per
 * key and two values per row, run and event.
 *
 * Figures are whole numbers of 10^-decimals of the event's unit (struct as_diff_event), so that
 * rows and what is left out add up to the totals exactly.
 */
#ifndef AS_DIFF_DIFF_H
#define AS_DIFF_DIFF_H

#include "change/show_names.h"
#include "diff/stat.h"
#include "model/strings.h"
#include "table/project.h"

enum as_side { AS_BASE, AS_NEW, AS_SIDES };

/* How counts become figures. */
enum as_norm {
	AS_NORM_AUTO,  /* time for samples of a known period that can be believed, total for others,
			* none for counts */
	AS_NORM_NONE,  /* as they are */
	AS_NORM_TOTAL, /* every run scaled to the mean total of BASE */
	AS_NORM_TIME,  /* counts * period */
};

/* What is said of a difference. */
enum as_verdict {
	AS_DIFF_SAME,   /* there is none */
	AS_DIFF_NOISE,  /* 0 is in the 95 % interval of this row */
	AS_DIFF_CHANCE, /* 0 is outside of it, but among so many rows that may well be chance */
	AS_DIFF_SURE,   /* it holds with all rows judged together; or exact counts differ */
};

/* What tells a difference from noise. */
enum as_noise {
	AS_NOISE_NONE,    /* exact counts, one run: every difference is one */
	AS_NOISE_POISSON, /* samples */
	AS_NOISE_WELCH,   /* several runs on each side */
};

struct as_diff_event {
	as_str name, unit; /* of the profiles; in as_diff.strings */
	uint64_t period;   /* the first known one */
	as_str period_unit;
	bool is_sampled;
	bool is_weighted;  /* values are what samples stand for, not how many there were */
	bool is_work;      /* time, cycles, instructions: more of it is slower */
	bool is_fine;      /* both sides have it, and it can be scaled */
	unsigned lack;     /* 1 << AS_BASE, 1 << AS_NEW: not in all runs of that side */
	bool other_caches; /* misses, of caches that were not the same in all runs */
	bool is_off_rate;  /* periods differ, and cannot be believed: diff_rates.c */
	enum as_norm norm;
	enum as_noise noise;
	unsigned decimals;
	const char *shown; /* unit of the figures: "s", "cycles"; NULL: the event's own name */
	as_str shown_str;  /* the unit of the period, where SHOWN is NULL and norm is time */
};

/* What a row stands for, in as_diff.strings. */
struct as_diff_key {
	as_str name;   /* function, file or object without directories; "" = code without names */
	as_str shown;  /* what a function's name is shown as: as_diff_show_names() */
	as_str object; /* base name */
	as_str latest; /* likewise, of the latest run with the row that knows it */
	as_str path;   /* of the file, or of the object, as the latest run with the row has it */
	as_str build;  /* NAME is where a function without a name begins in this build; else "" */
	uint64_t line; /* by line */
	bool path_is_object;
};

/* Functions that are in one object here and in another there: that of their name alone. */
struct as_diff_moved {
	as_str object[AS_SIDES]; /* base names; "" = not known */
	uint64_t n;              /* functions */
};

enum { AS_DIFF_HAS = 1, AS_DIFF_INCL = 2 };

struct as_diff_run {
	enum as_side side;
	as_str file;         /* its name, for messages */
	as_str platform;     /* the machine, where the profile says so */
	as_str caches;       /* that were simulated, where the profile says so */
	uint32_t n_rows;     /* rows beyond are not in this run */
	as_val *self, *incl; /* n_rows * n_events */
	uint8_t *has;        /* n_rows of AS_DIFF_* */
	as_val *total;       /* n_events */
	as_val *whole;       /* n_events: what the filters chose from; else the same */
	uint64_t *period;    /* n_events; 0 = not known */
	as_str *unit, *period_unit;
	uint8_t *lacks;   /* n_events */
	uint32_t *column; /* n_events: of the profile; UINT32_MAX where it lacks one */
	as_val *by_time;  /* n_events: the whole in nanoseconds, where is_off_rate */
	as_val *mul;      /* n_events: a count's figure, before the mean; or */
	double *ratio;    /* where norm is total */
	double *weight;   /* n_events: of one observation, where values are not counts of them */
	double clump;     /* see as_diff_clump() */
};

struct as_diff_opts {
	enum as_by by;      /* not AS_BY_ADDR */
	bool keep_contexts; /* of Callgrind's names */
	bool keep_clones;   /* "f.isra.0" is not "f" */
	bool no_cycles;
	bool any_platform; /* runs of several machines may be compared */
	bool want_rows;    /* rows below will be added: diff_sub.h */
	unsigned n_runs;   /* of both sides */
	double clump;      /* of the run to be added, from before its filters; 0: as it is there */
	struct as_exec *exec;
};

/* A row's figures of one event. */
struct as_diff_fig {
	as_val value[AS_SIDES]; /* means over the runs */
	bool known;             /* inclusive cost may not be */
	enum as_verdict verdict;
	as_val lo, hi; /* 95 % interval of the difference, where there is noise */
	double p;      /* the chance of it, see struct as_interval; 1 where there is no noise */
};

struct as_diff;

/* Comparing needs as_diff_begin(), a run of each side or more, as_diff_scale(); AL is kept. */
enum as_code as_diff_begin(struct as_diff **out, const struct as_alloc *al,
	const struct as_diff_opts *opts, struct as_err *err) AS_NODISCARD;
void as_diff_free(struct as_diff *d); /* NULL is fine */

/* How many samples an independent observation brought, as a mean that variance goes by: N samples
 * are worth N / that. 1 where PROF does not say with how many signals they came. */
double as_diff_clump(const struct as_profile *prof);
/* How many independent observations the first event is worth; 0: it is not known to be samples. */
double as_diff_observations(const struct as_profile *prof);

/* Add a run. FILE is its name. Errors: AS_E_ARG when it cannot be compared with those before. */
enum as_code as_diff_add(struct as_diff *d, enum as_side side, const struct as_profile *prof,
	struct as_slice file, struct as_err *err) AS_NODISCARD;

/* All runs are there: choose the scale of each event. AS_E_ARG when NORM cannot be done for EVENT
 * (UINT32_MAX: the first one that both sides have), or if no event is on both sides. */
enum as_code as_diff_scale(struct as_diff *d, enum as_norm norm, uint32_t event, struct as_err *err)
	AS_NODISCARD;

/* Order the rows by |difference| of EVENT, largest first, and judge them. If it cannot be compared
 * (is_fine), all differences are 0. */
enum as_code as_diff_sort(struct as_diff *d, uint32_t event, bool inclusive, struct as_err *err)
	AS_NODISCARD;

/* Scale, then sort. EVENT UINT32_MAX is the first event that can be compared. */
enum as_code as_diff_scale_and_sort(struct as_diff *d, enum as_norm norm, uint32_t event,
	bool inclusive, struct as_err *err) AS_NODISCARD;
/* Functions are shown by HOW; what is one row stays what it is. */
enum as_code as_diff_show_names(struct as_diff *d, const struct as_renamer *how, struct as_err *err)
	AS_NODISCARD;
/* ROW differs in what rows are sorted by. */
bool as_diff_differs(const struct as_diff *d, uint32_t row);

/* Put the rows that became less behind the others, in their order; N is how many they are. */
enum as_code as_diff_less_last(struct as_diff *d, size_t *n, struct as_err *err) AS_NODISCARD;

struct as_diff_fig as_diff_figure(
	const struct as_diff *d, uint32_t row, uint32_t event, bool inclusive);
/* Its values alone, which are much cheaper where there is noise; 0 where they are not known. */
void as_diff_values(const struct as_diff *d, uint32_t row, uint32_t event, bool inclusive,
	as_val value[AS_SIDES]);
/* Several rows at once, their costs added up; none: the total. */
struct as_diff_pick {
	const uint32_t *row;
	size_t n;
	uint32_t event;
	bool inclusive;
	bool whole; /* N is 0: the total before filters */
};
struct as_diff_fig as_diff_sum(const struct as_diff *d, const struct as_diff_pick *pick);
/* The 95 % interval of NEW - FACTOR * BASE in the event's unit, where there is noise. */
struct as_interval as_diff_contrast(
	const struct as_diff *d, const struct as_diff_pick *pick, double factor);
struct as_diff_fig as_diff_total(const struct as_diff *d, uint32_t event);

struct as_diff {
	const struct as_alloc *al;
	struct as_err *err; /* borrowed */
	struct as_diff_opts opts;
	struct as_arena arena;
	struct as_strings strings;
	uint32_t n_events;
	struct as_diff_event *event;
	AS_VEC(as_str) extra; /* events that later runs have and the first has not */
	AS_VEC(struct as_diff_key) key;
	AS_VEC(struct as_diff_run) run;
	unsigned n_side[AS_SIDES]; /* runs */
	uint64_t n_clones;         /* functions whose names were folded */
	AS_VEC(struct as_diff_moved) moved;
	bool is_auto; /* how to normalise was not asked for */
	bool is_partial;
	bool is_filtered;       /* the totals are parts of wholes */
	bool is_estimated;      /* call paths were made out of calls */
	bool is_void[AS_SIDES]; /* the caller's to set: filters left nothing of a run */

	/* matching: diff_match.c */
	struct as_index exact, group[2];
	AS_VEC(struct as_diff_link) link;   /* of each row */
	AS_VEC(uint8_t) in_side;            /* of each string: 1 << side where an object has it */
	AS_VEC(struct as_diff_group) list;  /* of both kinds */
	AS_VEC(struct as_diff_alias) alias; /* functions of the last run, where rows are wanted */
	struct as_index aliases;

	/* after as_diff_sort() */
	uint32_t sort_event;
	bool sort_inclusive;
	uint32_t *order;  /* rows, largest |difference| first */
	uint8_t *verdict; /* of each row, in the order's event */
	double *p;        /* likewise */
	size_t n_tested;  /* rows that could differ beyond noise at all */
	size_t n_beyond;  /* those whose own interval leaves 0 out */
	size_t n_sure;    /* those that hold with all judged together */
	size_t n_appeared, n_vanished;
};

/* Whether ROW is in a run of SIDE. */
bool as_diff_has(const struct as_diff *d, uint32_t row, enum as_side side);

static inline struct as_slice as_diff_str(const struct as_diff *d, as_str s)
{
	return as_strings_get(&d->strings, s);
}

/* Find the event called NAME; false if there is none, and *EVENT stays what it was. */
bool as_diff_find_event(const struct as_diff *d, struct as_slice name, uint32_t *event);

/* "slower", "faster", "more", "less", "same" */
const char *as_diff_word(const struct as_diff_event *ev, as_val base, as_val new_);

#endif
