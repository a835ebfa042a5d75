/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzz targets: the raw dump of any bytes, as FMT prints it. */
#ifndef TESTS_LIB_FUZZ_RAW_H
#define TESTS_LIB_FUZZ_RAW_H

#include "formats/format.h"
#include "lib/fuzz_must.h"

/* Printing ends as well, whatever it is that is printed. */
static inline void fuzz_raw(const struct as_format *fmt, struct as_slice data)
{
	struct as_sink_mem sink;
	struct as_src_mem sm;
	struct as_build b;
	struct as_err err;
	struct as_out out;
	struct as_in in;
	struct as_rd rd = {.in = &in,
		.out = &b,
		.err = &err,
		.detail = AS_DETAIL_FULL,
		.lim = {.depth = 1 << 16, .events = 1 << 10},
		.name = "fuzz"};

	as_err_clear(&err);
	as_src_mem_init(&sm, data, "fuzz");
	as_sink_mem_init(&sink, &as_alloc_libc);
	must(as_in_open(&in, &as_alloc_libc, &sm.src, &err) == AS_OK);
	must(as_build_init(&b, NULL, &err) == AS_OK);
	must(as_out_open(&out, &as_alloc_libc, &sink.sink, &err) == AS_OK);
	if (fmt->raw(&rd, &out) == AS_OK)
		must(out.off + out.n > 0);
	must(as_out_finish(&out) == AS_OK);
	as_build_free(&b);
	as_in_close(&in);
	as_sink_mem_release(&sink);
}

#endif
