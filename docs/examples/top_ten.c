/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_ten FILE: what a profile of any format holds, and the ten hottest functions.
 *
 *	cc top_ten.c -o top_ten $(pkg-config --cflags --libs assay)
 */
#include <assay/assay.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 10 };

static int complain(const struct assay_error *err)
{
	if (err->line)
		fprintf(stderr, "top_ten: %s:%" PRIu64 ": %s\n", err->name, err->line,
			err->message);
	else
		fprintf(stderr, "top_ten: %s: %s\n", err->name, err->message);
	return EXIT_FAILURE;
}

static const char *decimal(struct assay_value v, char *buf, size_t size)
{
	assay_value_text(v, buf, size);
	return buf;
}

static void print_events(const struct assay_profile *prof, const struct assay_info *info)
{
	struct assay_event ev = {.size = sizeof(ev)};
	char total[48];

	printf("%.*s; events and their totals:\n", (int)info->format.len, info->format.p);
	for (uint32_t i = 0; i < info->n_events; i++)
		if (assay_event_get(prof, i, &ev) == ASSAY_OK)
			printf("  %-10.*s %20s\n", (int)ev.name.len, ev.name.p,
				decimal(ev.total, total, sizeof(total)));
}

/* Sorted by self cost of the first event. What the evidence does not tell is "-". */
static void print_rows(const struct assay_table *table, const uint32_t *order)
{
	struct assay_row row = {.size = sizeof(row)};
	char self[48], inclusive[48];

	printf("%14s %14s  function\n", "self", "inclusive");
	for (size_t i = 0, shown = 0; i < assay_table_rows(table) && shown < ROWS; i++) {
		if (assay_table_row(table, order[i], &row) != ASSAY_OK || row.is_cycle)
			continue;
		printf("%14s %14s  ", decimal(row.self[0], self, sizeof(self)),
			row.inclusive ? decimal(row.inclusive[0], inclusive, sizeof(inclusive))
				      : "-");
		if (row.name.len)
			printf("%.*s\n", (int)row.name.len, row.name.p);
		else
			printf("0x%" PRIx64 "\n", row.address);
		shown++;
	}
}

static int print_top(const struct assay_profile *prof)
{
	struct assay_table *table;
	struct assay_error err;
	uint32_t *order;

	if (assay_project(prof, NULL, &table, &err) != ASSAY_OK)
		return complain(&err);
	order = malloc((assay_table_rows(table) + 1) * sizeof(*order));
	if (order && assay_table_sort(table, 0, false, order) == ASSAY_OK)
		print_rows(table, order);
	free(order);
	assay_table_free(table);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	/* Lines and addresses are not needed here: without them reading is faster. */
	struct assay_open_options opts = {
		.size = sizeof(opts),
		.detail = ASSAY_DETAIL_FUNCTION,
		.threads = ASSAY_THREADS_ALL,
	};
	struct assay_info info = {.size = sizeof(info)};
	struct assay_profile *prof;
	struct assay_error err;
	int rc = EXIT_FAILURE;

	if (argc != 2) {
		fprintf(stderr, "usage: top_ten FILE\n");
		return EXIT_FAILURE;
	}
	if (assay_open_file(argv[1], &opts, &prof, &err) != ASSAY_OK)
		return complain(&err);
	if (assay_profile_info(prof, &info) == ASSAY_OK) {
		print_events(prof, &info);
		rc = print_top(prof);
	}
	assay_profile_free(prof);
	return rc;
}
