/* SPDX-License-Identifier: Apache-2.0 */
/* --tagfocus, --tagignore: samples by their labels; --tagshow, --taghide: labels by their keys. As
 * pprof does; docs/filters.md defines them. */
#ifndef AS_CLI_TAG_FILTERS_H
#define AS_CLI_TAG_FILTERS_H

#include "cli/cli.h"

/* Compile what the command line says, before anything is read; says what is wrong. CLI's
 * as_tag_filters_close() may follow also on failure. */
enum as_exit as_tag_filters_open(struct as_cli *cli);
void as_tag_filters_close(struct as_cli *cli);

static inline bool as_tag_filters_given(const struct as_cli *cli)
{
	return cli->tags != NULL;
}

/* KEEP, of each part, becomes 0 where its samples go, LABEL, of each of prof->label, where it goes
 * itself, else 1. One of which nothing is left ends in AS_EXIT_NO, and that is said. */
enum as_exit as_tag_filters_choose(
	struct as_cli *cli, const struct as_profile *prof, uint8_t *keep, uint8_t *label);

#endif
