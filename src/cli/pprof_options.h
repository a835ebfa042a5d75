/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --compat=pprof for commands that print pprof's own text: from the command line to the report.
 * In this order:
 *
 *	as_pprof_options()	before anything is read
 *	as_inputs_load()	with as_pprof_detail()
 *	as_pprof_fits()		is it a profile that pprof could have?
 *	as_pprof_choose()	the sample type
 */
#ifndef AS_CLI_PPROF_OPTIONS_H
#define AS_CLI_PPROF_OPTIONS_H

#include "cli/cli.h"
#include "compat/pprof/pprof_report.h"
#include "session/load.h"

/* Whether the answer should be pprof's own text: --compat=pprof, and neither JSON nor CSV. */
bool as_pprof_is_asked(const struct as_cli *cli);

/* OPTS becomes what the options that commands share say of a report of KIND: --inline, and the
 * filters. */
void as_pprof_options(
	const struct as_cli *cli, enum as_pprof_kind kind, struct as_pprof_opts *opts);

/* How much of a profile must be read. */
enum as_detail as_pprof_detail(const struct as_pprof_opts *opts, enum as_detail detail);

/* Whether PROF is one of call paths alone. */
bool as_pprof_fits(const struct as_profile *prof);

/* Print what PRINT makes of PROF; says what went wrong. */
typedef enum as_code as_pprof_printer(const struct as_profile *prof,
	const struct as_pprof_opts *opts, struct as_out *out, struct as_err *err);
enum as_exit as_pprof_print(struct as_cli *cli, const struct as_profile *prof,
	const struct as_pprof_opts *opts, as_pprof_printer *print);

/* The sample type: opts->sample_index, or what pprof shows unless it is told; and the total that
 * percentages are of. Says what is wrong. */
enum as_exit as_pprof_choose(
	struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts);

#endif
