/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names FILE [BINARY...]: functions by the names that their binaries have, short, and what became
 * of each binary.
 *
 *	cc names.c -o names $(pkg-config --cflags --libs assay)
 */
#include <assay/assay.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void check(enum assay_code rc, const struct assay_error *err)
{
	if (rc == ASSAY_OK)
		return;
	fprintf(stderr, "names: %s\n", err->message);
	exit(EXIT_FAILURE);
}

static void print_binaries(const struct assay_profile *prof, const struct assay_symbols *syms)
{
	struct assay_symbol_object s = {.size = sizeof(s)};
	struct assay_object o = {.size = sizeof(o)};

	for (size_t i = 0; assay_symbols_get(syms, i, &s) == ASSAY_OK; i++) {
		check(assay_object_get(prof, s.object, &o), &(struct assay_error){0});
		printf("%.*s: %" PRIu64 " of %" PRIu64 " addresses have names\n", (int)o.path.len,
			o.path.p, s.n_named, s.n_addresses);
	}
}

static void print_functions(const struct assay_table *table)
{
	struct assay_row row = {.size = sizeof(row)};
	char name[200], cost[48];

	for (size_t i = 0; assay_table_row(table, i, &row) == ASSAY_OK; i++) {
		check(assay_demangle(row.name, ASSAY_NAMES_SHORT, name, sizeof(name), NULL),
			&(struct assay_error){.message = "out of memory"});
		assay_value_text(row.self[0], cost, sizeof(cost));
		printf("%6s %s\n", cost, row.name.len ? name : "?");
	}
}

int main(int argc, char **argv)
{
	struct assay_symbolize_options opts = {.size = sizeof(opts)};
	struct assay_profile *prof, *named;
	struct assay_symbols *syms;
	struct assay_table *table;
	struct assay_error err;

	opts.binaries = (const char *const *)argv + 2; /* where they are now */
	opts.n_binaries = argc > 2 ? (size_t)argc - 2 : 0;
	check(assay_open_file(argc > 1 ? argv[1] : "-", NULL, &prof, &err), &err);
	check(assay_symbolize(prof, &opts, &named, &syms, &err), &err);
	check(assay_project(named, NULL, &table, &err), &err);
	print_binaries(prof, syms);
	print_functions(table);
	assay_table_free(table);
	assay_symbols_free(syms);
	assay_profile_free(named);
	assay_profile_free(prof);
	return EXIT_SUCCESS;
}
