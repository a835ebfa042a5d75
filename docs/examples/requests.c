/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requests FILE [FUNCTION]: what samples cost by their labels, and how much of that is below a
 * function, main unless another one is named.
 *
 *	cc requests.c -o requests $(pkg-config --cflags --libs assay)
 */
#include <assay/assay.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const struct assay_error *err)
{
	fprintf(stderr, "requests: %s: %s\n", err->name, err->message);
	return EXIT_FAILURE;
}

static bool is_name(const void *name, struct assay_slice text)
{
	return text.len == strlen(name) && memcmp(text.p, name, text.len) == 0;
}

/* The samples with FUNCTION on their stack, as a profile of their own. */
static enum assay_code focus(const struct assay_profile *prof, const char *function,
	struct assay_profile **out, struct assay_error *err)
{
	struct assay_matcher below = {
		.size = sizeof(below),
		.kind = ASSAY_FILTER_FOCUS,
		.fields = ASSAY_MATCH_FUNCTION,
		.match = is_name,
		.ctx = function,
	};
	const struct assay_matcher *const matchers[] = {&below};
	struct assay_filter_options opts = {
		.size = sizeof(opts), .matchers = matchers, .n_matchers = 1};

	return assay_filter(prof, &opts, out, err);
}

/* A row is a set of labels, so the rows add up; samples without labels have a row, too. */
static int print_labels(const struct assay_profile *prof, const char *title)
{
	struct assay_project_options opts = {.size = sizeof(opts), .by = ASSAY_BY_LABEL};
	struct assay_row row = {.size = sizeof(row)};
	struct assay_table *table;
	struct assay_error err;
	char cost[48];

	if (assay_project(prof, &opts, &table, &err) != ASSAY_OK)
		return complain(&err);
	printf("%s:\n", title);
	for (size_t i = 0; i < assay_table_rows(table); i++) {
		if (assay_table_row(table, i, &row) != ASSAY_OK)
			continue;
		assay_value_text(row.self[0], cost, sizeof(cost));
		printf("%14s  %.*s\n", cost, row.name.len ? (int)row.name.len : 11,
			row.name.len ? row.name.p : "(no labels)");
	}
	assay_table_free(table);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	const char *function = argc > 2 ? argv[2] : "main";
	struct assay_profile *prof, *below;
	struct assay_error err;
	int rc;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: requests FILE [FUNCTION]\n");
		return EXIT_FAILURE;
	}
	if (assay_open_file(argv[1], NULL, &prof, &err) != ASSAY_OK)
		return complain(&err);
	rc = print_labels(prof, "all");
	if (rc == EXIT_SUCCESS) {
		if (focus(prof, function, &below, &err) == ASSAY_OK) {
			rc = print_labels(below, function);
			assay_profile_free(below);
		} else {
			rc = complain(&err);
		}
	}
	assay_profile_free(prof);
	return rc;
}
