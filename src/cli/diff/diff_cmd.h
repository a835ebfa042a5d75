/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `assay diff` share. */
#ifndef AS_CLI_DIFF_DIFF_CMD_H
#define AS_CLI_DIFF_DIFF_CMD_H

#include "cli/load.h"
#include "report/diff/diff_report.h"
#include "symbols/source_file.h"

/* Values of the words, as options.h numbers them. */
enum {
	AS_DIFF_TEXT = 1,
	AS_DIFF_JSON,
	AS_DIFF_CSV,
	AS_DIFF_MARKDOWN,
	AS_DIFF_JUNIT,
	AS_DIFF_ANNOTATIONS
};

struct as_diff_args {
	unsigned normalize, by, clones, format, on_noise, view;
	struct as_num rows, depth, context;
	const char *sort, *events, *min, *function;
	struct as_list fail_if, source_path;
	bool drop_negative, bottom_up;
};

/* Source files, each opened once. */
struct as_diff_sources {
	const struct as_alloc *al;
	struct as_source_opts opts;
	uint64_t recorded; /* when the newest profile was written */
	AS_VEC(struct as_diff_source_file *) file;
};

struct as_diff_job {
	struct as_cli *cli;
	const struct as_diff_args *args;
	struct as_files side[AS_SIDES]; /* its runs */
	struct as_diff *d;
	uint32_t *event; /* those that are shown */
	uint32_t n_events;
	size_t event_size;
	size_t n_less;  /* rows that --drop-negative leaves out */
	size_t n_empty; /* runs of which filters leave nothing */
	struct as_gate *gate;
	struct as_gate_result *result;
	/* of a view that is not the table */
	enum as_diff_kind kind;
	struct as_diff_sub sub;
	struct as_diff_tree_view tree;
	struct as_diff_lists lists;
	struct as_diff_sources sources;
	AS_VEC(uint32_t) func; /* whose lines or calls are shown */
};

/* The profiles cannot be compared: AS_EXIT_INPUT, and it is said. */
enum as_exit as_diff_cannot(struct as_cli *cli, const struct as_err *err);

/* ---- diff_job.c ---- */
/* J has SIDE and ARGS: read, compare, make what the view shows. Always ends in
 * as_diff_job_release(). */
enum as_exit as_diff_job_make(struct as_diff_job *j);
void as_diff_job_release(struct as_diff_job *j);

/* ---- diff_load.c ---- */
/* "BASE NEW", or "BASE... -- NEW...". */
enum as_exit as_diff_take_sides(struct as_diff_job *j);
/* Read the runs of both sides. */
enum as_exit as_diff_load(struct as_diff_job *j);

/* ---- diff_views.c ---- */
/* Which view, and whether its options are right. */
enum as_exit as_diff_view_begin(struct as_diff_job *j);
/* The run that was added to j->d last. */
enum as_exit as_diff_view_add(struct as_diff_job *j, const struct as_profile *prof);
/* All runs are there and compared: what the view shows. */
enum as_exit as_diff_view_make(struct as_diff_job *j);
void as_diff_view_release(struct as_diff_job *j);

/* ---- diff_source.c ---- */
struct as_diff_source as_diff_sources_open(struct as_diff_job *j);
void as_diff_sources_close(struct as_diff_job *j);

/* ---- diff_events.c ---- */
/* Of the events that were asked for, the one that rows will be sorted by, as far as the runs so far
 * tell; else the first. */
uint32_t as_diff_event_asked(const struct as_diff_job *j);
/* Scale, sort, and choose what is shown. */
enum as_exit as_diff_compare(struct as_diff_job *j);

/* ---- diff_gate.c ---- */
enum as_exit as_diff_parse_gates(struct as_diff_job *j);
enum as_exit as_diff_eval_gates(struct as_diff_job *j);
/* What the gates say together, and a word on stderr for each that nobody should overlook. */
enum as_exit as_diff_verdict(struct as_diff_job *j);
void as_diff_release_gates(struct as_diff_job *j);

#endif
