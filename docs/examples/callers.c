/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callers FILE [FUNCTION]: who called a function, mix unless another is named, and who called them.
 *
 *	cc callers.c -o callers $(pkg-config --cflags --libs assay)
 */
#include <assay/assay.h>

#include <stdio.h>
#include <stdlib.h>

static void check(enum assay_code rc, const struct assay_error *err)
{
	if (rc == ASSAY_OK)
		return;
	fprintf(stderr, "callers: %s\n", err->message);
	exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	struct assay_tree_options opts = {.size = sizeof(opts), .way = ASSAY_TREE_CALLERS};
	struct assay_error err;
	struct assay_row of = {.size = sizeof(of)};
	struct assay_tree_row row = {.size = sizeof(row)};
	struct assay_profile *prof;
	struct assay_found *found;
	struct assay_tree *tree;
	double cost, whole = 0;

	check(assay_open_file(argc > 1 ? argv[1] : "-", NULL, &prof, &err), &err);
	check(assay_find(prof, argc > 2 ? argv[2] : "mix", NULL, &found, &err), &err);
	if (assay_found_count(found) == 0)
		check(ASSAY_E_ARG, &(struct assay_error){.message = "no such function"});
	check(assay_table_row(assay_found_table(found), assay_found_row(found, 0), &of), &err);
	opts.of = &of;
	check(assay_tree_new(prof, &opts, &tree, &err), &err);
	for (size_t i = 0; assay_tree_get(tree, i, &row) == ASSAY_OK; i++) {
		cost = (double)row.cost[0].high * 0x1p64 + (double)row.cost[0].low;
		whole = i ? whole : cost; /* rows one deeper add up to the one above them */
		printf("%c%5.1f %% %*s%.*s\n", row.estimated ? '~' : ' ', 100 * cost / whole,
			2 * (int)row.depth, "", (int)row.name.len, row.name.p);
	}
	assay_tree_free(tree);
	assay_found_free(found);
	assay_profile_free(prof);
	return EXIT_SUCCESS;
}
