/* SPDX-License-Identifier: Apache-2.0 */
/* The graph that `pprof -dot` writes, for --compat=pprof. PROF has paths. */
#ifndef AS_REPORT_PPROF_DOT_H
#define AS_REPORT_PPROF_DOT_H

#include "report/pprof_report.h"

/* OPTS are of the kind AS_PPROF_DOT. Unlike pprof's, texts are escaped wherever they stand. */
enum as_code as_pprof_dot(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err) AS_NODISCARD;

/* How a name stands in a box: "Bar::Foo" for "(anonymous namespace)::Bar::Foo", "pkg.Func" for
 * "host/path/pkg.Func", "Class.run" for "org.some.Class.run(int)", "Class::run" for
 * "some::Class::run". A part of NAME; without the version of a module the text is AR's; p == NULL:
 * out of memory. */
struct as_slice as_pprof_short_name(struct as_arena *ar, struct as_slice name);

#endif
