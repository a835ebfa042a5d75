/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as pprof prints them, to the byte: --compat=pprof. PROF has paths. */
#ifndef AS_COMPAT_PPROF_PPROF_TEXT_H
#define AS_COMPAT_PPROF_PPROF_TEXT_H

#include "compat/pprof/pprof_report.h"

/* `pprof -text`. */
enum as_code as_pprof_text(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err) AS_NODISCARD;

/* Which nodes `pprof -peek` shows. */
struct as_pprof_wanted {
	bool (*match)(const void *ctx, struct as_slice name);
	const void *ctx;
};

/* `pprof -tree`, or with WANTED `pprof -peek`. Errors: also AS_E_ARG, if WANTED is of no node. */
enum as_code as_pprof_tree(const struct as_profile *prof, const struct as_pprof_opts *opts,
	const struct as_pprof_wanted *wanted, struct as_out *out, struct as_err *err) AS_NODISCARD;

/* `pprof -traces`: samples where the file has them, if it was read so (as_build.keep_order); equal
 * ones are one. */
enum as_code as_pprof_traces(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err) AS_NODISCARD;

/* `pprof -tags`, `pprof -comments`. */
enum as_code as_pprof_tags(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err) AS_NODISCARD;
enum as_code as_pprof_comments(
	const struct as_profile *prof, struct as_out *out, struct as_err *err) AS_NODISCARD;

/* The lines that stand above, and a value in WIDTH columns. */
void as_pprof_put_labels(const struct as_pprof *pp, struct as_out *out);
void as_pprof_put_value(const struct as_pprof *pp, struct as_out *out, as_val v, unsigned width);
/* What N costs, flat and cumulated; SUM: with all nodes above. Two blanks follow. */
void as_pprof_put_costs(
	const struct as_pprof *pp, struct as_out *out, const struct as_pg_node *n, as_val sum);

#endif
