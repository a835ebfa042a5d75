/* SPDX-License-Identifier: Apache-2.0 */
/* Inclusive costs above the total. The calls in a file may claim more than there is, which no rule
 * of ours can mend. A warning says so, or a share above 100 % would be taken for the cost of a
 * recursion. */
#ifndef AS_CLI_EXCESS_H
#define AS_CLI_EXCESS_H

#include "cli/cli.h"
#include "cli/view_cmd.h"
#include "table/project.h"

/* Where to look: rows of TABLE, by the events that are shown. */
struct as_excess {
	const struct as_table *table;
	const uint32_t *row; /* N of them; NULL: all */
	size_t n;
	const uint32_t *event;
	uint32_t n_events;
	bool no_cycles; /* raw sums were asked for, which may be above the total */
	const char *const *files;
	size_t n_files;
};

/* Warns of N of them, if there are any, in FILE; NULL: in several. */
void as_cli_say_excess(struct as_cli *cli, enum as_by by, size_t n, const char *file);
/* Counts them, and warns. */
void as_cli_warn_of_excess(struct as_cli *cli, const struct as_excess *x);
/* The same for all functions of a command's profile: TABLE is by function. */
void as_view_warn_of_excess(const struct as_view_run *r, const struct as_table *table);

#endif
