/* SPDX-License-Identifier: Apache-2.0 */
/* The options that most generators have. _POSIX_C_SOURCE is defined before. */
#ifndef BENCH_GEN_OPTIONS_H
#define BENCH_GEN_OPTIONS_H

#include <unistd.h>

#include "gen.h"

/* -S SEED, -s SIZE; another one ends the program. */
static inline void parse_options(int argc, char **argv, uint64_t *seed, uint64_t *size)
{
	int opt;

	while ((opt = getopt(argc, argv, "S:s:")) != -1) {
		if (opt == 'S')
			*seed = parse_num(optarg);
		else if (opt == 's')
			*size = parse_size(optarg);
		else
			exit(2);
	}
}

#endif
