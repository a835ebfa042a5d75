/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public header as C and as C++, and the shared library behind it: use_header.sh compiles
 * this as both, so it is written in what they have in common.
 */
#include <assay/assay.h>

#include <stdio.h>
#include <string.h>

static const char text[] = "events: Ir\nfn=main\n1 20\ncfn=f\ncalls=1 5\n1 800\nfn=f\n5 800\n";

static int inclusive_of_main(const struct assay_profile *prof, int64_t *out)
{
	struct assay_project_options opts;
	struct assay_table *table;
	struct assay_row row;
	int found = 0;

	memset(&opts, 0, sizeof(opts));
	opts.size = sizeof(opts);
	opts.by = ASSAY_BY_FUNCTION;
	row.size = sizeof(row);
	if (assay_project(prof, &opts, &table, NULL) != ASSAY_OK)
		return 0;
	for (size_t i = 0; i < assay_table_rows(table); i++)
		if (assay_table_row(table, i, &row) == ASSAY_OK && row.name.len == 4 &&
			memcmp(row.name.p, "main", 4) == 0)
			found = assay_value_i64(row.inclusive[0], out) == ASSAY_OK;
	assay_table_free(table);
	return found;
}

int main(void)
{
	struct assay_profile *prof;
	struct assay_error err;
	int64_t inclusive = 0;
	int ok;

	if (assay_open_memory(text, strlen(text), NULL, &prof, &err) != ASSAY_OK) {
		printf("%s\n", err.message);
		return 1;
	}
	ok = inclusive_of_main(prof, &inclusive);
	assay_profile_free(prof);
	printf("%s: main %ld\n", assay_version(), (long)inclusive);
	return ok && inclusive == 820 ? 0 : 1;
}
