/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of Python's cProfile: the driver's table. docs/formats/pstats.md. */
#include "formats/pstats/pstats.h"

const struct as_format as_format_pstats = {
	.name = "pstats",
	.title = "profile of Python's cProfile",
	.exts = "pstats,cprof,prof",
	.spec = "docs/formats/pstats.md",
	.caps = AS_CAP(CALLS) | AS_CAP(COUNTS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) |
		AS_CAP(STARTS) | AS_CAP(SYSTEM) | AS_CAP(EVENTS) | AS_CAP(PERIOD),
	.probe = as_py_probe,
	.read = as_py_read,
};
