/* SPDX-License-Identifier: Apache-2.0 */
/* --compat=pprof where a profile is written: the text of pprof -callgrind. */
#ifndef AS_CLI_SAVE_PPROF_H
#define AS_CLI_SAVE_PPROF_H

#include "cli/pprof_options.h"
#include "cli/save.h"

/* Whether that is what PROF is written as; save->fmt is known. */
bool as_save_is_pprof(
	const struct as_cli *cli, const struct as_save *save, const struct as_profile *prof);
/* OPTS are of the kind AS_PPROF_CALLGRIND; PROF has no frames that it calls uninteresting. */
enum as_exit as_save_pprof(struct as_cli *cli, const struct as_save *save,
	const struct as_profile *prof, struct as_pprof_opts *opts);

#endif
