/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `assay diff` share; `assay flame --diff` draws a job. */
#ifndef AS_CLI_DIFF_DIFF_CMD_H
#define AS_CLI_DIFF_DIFF_CMD_H

#include "cli/cli.h"
#include "session/compare.h"
#include "session/load.h"
#include "session/store/asking.h"
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
	const char *sort, *events, *min, *function, *base;
	struct as_list fail_if, metrics, source_path;
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
	struct as_files side[AS_SIDES];       /* its runs */
	struct as_fleet_runs hosts[AS_SIDES]; /* those runs, where stores are asked host by host */
	struct as_arena hosts_text;
	char base_name[300]; /* of BASE where it is the same files as NEW, by --base; else "" */
	struct as_compare c;
	size_t n_less; /* rows that --drop-negative leaves out */
	struct as_gate *gate;
	struct as_metric *metric; /* that gates may name */
	struct as_gate_result *result;
	struct as_diff_sources sources;
};

/* ---- diff_job.c ---- */
/* "BASE NEW", or "BASE... -- NEW...". */
enum as_exit as_diff_take_sides(struct as_diff_job *j);
/* J has SIDE and ARGS: read, compare, make what the view shows. Always ends in
 * as_diff_job_release(). */
enum as_exit as_diff_job_make(struct as_diff_job *j);
void as_diff_job_release(struct as_diff_job *j);

/* ---- diff_source.c ---- */
struct as_diff_source as_diff_sources_open(struct as_diff_job *j);
void as_diff_sources_close(struct as_diff_job *j);

/* ---- diff_gate.c ---- */
enum as_exit as_diff_parse_gates(struct as_diff_job *j);
enum as_exit as_diff_eval_gates(struct as_diff_job *j);
/* What the gates say together, and a word on stderr for each that nobody should overlook. */
enum as_exit as_diff_verdict(struct as_diff_job *j);
void as_diff_release_gates(struct as_diff_job *j);

#endif
