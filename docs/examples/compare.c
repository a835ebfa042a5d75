/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare BASE CHANGED: functions whose cost differs, the largest difference first.
 *
 *	cc compare.c -o compare $(pkg-config --cflags --libs assay)
 */
#include <assay/assay.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void check(enum assay_code rc, const struct assay_error *err)
{
	if (rc == ASSAY_OK)
		return;
	fprintf(stderr, "compare: %s\n", err->message);
	exit(EXIT_FAILURE);
}

static int64_t small(struct assay_value v)
{
	int64_t n;

	check(assay_value_i64(v, &n), &(struct assay_error){.message = "beyond 64 bits"});
	return n;
}

/* Row I, or ASSAY_TOTAL, of the first event; SAME: where nothing differs, too. */
static void print_figure(
	const struct assay_comparison *cmp, size_t i, struct assay_slice name, bool same)
{
	static const char *const verdicts[] = {"same", "noise", "maybe chance", "sure"};
	struct assay_figure f = {.size = sizeof(f)};

	check(assay_comparison_figure(cmp, i, 0, false, &f), &(struct assay_error){0});
	if (same || f.verdict != ASSAY_DIFF_SAME)
		printf("%8" PRId64 " %8" PRId64 " %+7" PRId64 "  %-5s %.*s\n", small(f.base),
			small(f.changed), small(f.changed) - small(f.base), verdicts[f.verdict],
			(int)name.len, name.p);
}

int main(int argc, char **argv)
{
	struct assay_compare_options opts = {
		.size = sizeof(opts), .n_base = 1, .n_changed = 1, .by = ASSAY_BY_FUNCTION};
	struct assay_diff_row row = {.size = sizeof(row)};
	struct assay_profile *base, *changed;
	struct assay_comparison *cmp;
	struct assay_error err;

	if (argc != 3)
		check(ASSAY_E_ARG, &(struct assay_error){.message = "two files, please"});
	check(assay_open_file(argv[1], NULL, &base, &err), &err);
	check(assay_open_file(argv[2], NULL, &changed, &err), &err);
	opts.base = &base;
	opts.changed = &changed;
	check(assay_compare(&opts, &cmp, &err), &err);
	assay_profile_free(base);
	assay_profile_free(changed);
	for (size_t i = 0; assay_comparison_row(cmp, i, &row) == ASSAY_OK; i++)
		print_figure(cmp, i, row.function, false);
	print_figure(cmp, ASSAY_TOTAL, assay_slice_of("all"), true);
	assay_comparison_free(cmp);
	return EXIT_SUCCESS;
}
