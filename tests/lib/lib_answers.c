/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lib_answers QUESTION FILE...: what the library answers, in fields between tabs, as many as the
 * program has columns in CSV. lib_answers.py compares both.
 */
#include <assay/assay.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(enum assay_code rc, const struct assay_error *err)
{
	if (rc == ASSAY_OK)
		return;
	fprintf(stderr, "lib_answers: %s\n", err->message);
	exit(EXIT_FAILURE);
}

static struct assay_profile *read_file(const char *path)
{
	struct assay_profile *prof;
	struct assay_error err;

	must(assay_open_file(path, NULL, &prof, &err), &err);
	return prof;
}

/* ---- fields ---- */

static void put_text(struct assay_slice s)
{
	printf("%.*s\t", (int)s.len, s.p);
}

static void put_address(struct assay_slice name, uint32_t function, uint64_t address)
{
	if (!name.len && function)
		printf("0x%" PRIx64, address);
	putchar('\t');
}

static void put_values(const struct assay_value *v, uint32_t n)
{
	char text[48];

	for (uint32_t i = 0; i < n; i++) {
		if (v)
			assay_value_text(v[i], text, sizeof(text));
		printf("%s\t", v ? text : "");
	}
}

static void put_file(const struct assay_profile *prof, uint32_t file)
{
	struct assay_slice path = {"", 0};

	if (file && assay_file_get(prof, file, &path) != ASSAY_OK)
		exit(EXIT_FAILURE);
	put_text(path);
}

static void put_object(const struct assay_profile *prof, uint32_t object)
{
	struct assay_object o = {.size = sizeof(o)};

	if (object && assay_object_get(prof, object, &o) != ASSAY_OK)
		exit(EXIT_FAILURE);
	put_text(object ? o.path : assay_slice_of(""));
}

static uint32_t n_events(const struct assay_profile *prof)
{
	struct assay_info info = {.size = sizeof(info)};

	must(assay_profile_info(prof, &info), NULL);
	return info.n_events;
}

/* ---- tree WAY FILE [FUNCTION]: assay tree --WAY -m 0 ---- */

static struct assay_row row_of(const struct assay_table *table, const char *name)
{
	struct assay_row row = {.size = sizeof(row)};

	for (size_t i = 0; i < assay_table_rows(table); i++) {
		must(assay_table_row(table, i, &row), NULL);
		if (row.name.len == strlen(name) && memcmp(row.name.p, name, row.name.len) == 0 &&
			!row.is_cycle)
			return row;
	}
	fprintf(stderr, "lib_answers: no function '%s'\n", name);
	exit(EXIT_FAILURE);
}

static void print_tree_row(const struct assay_profile *prof, const struct assay_tree_row *row)
{
	uint32_t n = n_events(prof);

	printf("%" PRIu32 "\t", row->depth);
	if (row->kind == ASSAY_TREE_REST)
		printf("[%" PRIu64 " more]\t", row->n_rest);
	else if (row->kind == ASSAY_TREE_NO_CALLER)
		printf("[no caller]\t");
	else
		put_text(row->name);
	put_file(prof, row->file);
	put_object(prof, row->object);
	put_address(row->name, row->function, row->address);
	put_values(row->self, n);
	put_values(row->cost, n);
	puts(row->estimated ? "estimated" : row->self_estimated ? "inclusive" : "exact");
}

static void answer_tree(char **arg)
{
	static const char *const ways[] = {"callees", "callers", "bottom-up"};
	struct assay_tree_options opts = {.size = sizeof(opts)};
	struct assay_tree_row row = {.size = sizeof(row)};
	struct assay_profile *prof = read_file(arg[1]);
	struct assay_table *table;
	struct assay_tree *tree;
	struct assay_error err;
	struct assay_row of;

	must(assay_project(prof, NULL, &table, &err), &err);
	while (strcmp(ways[opts.way], arg[0]) != 0)
		opts.way = (enum assay_tree_way)(opts.way + 1);
	if (arg[2]) {
		of = row_of(table, arg[2]);
		opts.of = &of;
	}
	must(assay_tree_new(prof, &opts, &tree, &err), &err);
	for (size_t i = 0; i < assay_tree_count(tree); i++) {
		must(assay_tree_get(tree, i, &row), NULL);
		print_tree_row(prof, &row);
	}
	assay_tree_free(tree);
	assay_table_free(table);
	assay_profile_free(prof);
}

/* ---- peek FILE FUNCTION: who calls it, as assay peek has them ---- */

static void answer_peek(char **arg)
{
	struct assay_project_options opts = {.size = sizeof(opts), .edges = true};
	struct assay_row to = {.size = sizeof(to)}, from = {.size = sizeof(from)};
	struct assay_profile *prof = read_file(arg[0]);
	struct assay_edge edge = {.size = sizeof(edge)};
	struct assay_table *table;
	struct assay_error err;

	must(assay_project(prof, &opts, &table, &err), &err);
	for (size_t i = 0; i < assay_table_edges(table); i++) {
		must(assay_table_edge(table, i, &edge), NULL);
		must(assay_table_row(table, edge.to, &to), NULL);
		must(assay_table_row(table, edge.from, &from), NULL);
		if (to.is_cycle || to.name.len != strlen(arg[1]) ||
			memcmp(to.name.p, arg[1], to.name.len) != 0)
			continue;
		put_text(from.name);
		put_file(prof, from.file);
		put_object(prof, from.object);
		put_address(from.name, from.function, from.address);
		put_values(edge.costs, n_events(prof));
		putchar('\n');
	}
	assay_table_free(table);
	assay_profile_free(prof);
}

/* ---- list FILE WHAT: assay list WHAT -n 1 ---- */

static void put_line(uint64_t line)
{
	if (line)
		printf("%" PRIu64, line);
	putchar('\t');
}

static void put_function(const struct assay_profile *prof, uint32_t function)
{
	struct assay_function f = {.size = sizeof(f)};

	must(assay_function_get(prof, function, &f), NULL);
	put_text(f.name);
}

static void print_line(const struct assay_profile *prof, const struct assay_line *line)
{
	printf("line\t");
	put_function(prof, line->function);
	put_file(prof, line->file);
	put_line(line->line);
	printf("%" PRIu32 "\t", line->depth);
	put_values(line->self, n_events(prof));
	put_values(line->inclusive, n_events(prof));
	puts("\t\t");
}

static void print_call(const struct assay_profile *prof, const struct assay_fact *call)
{
	printf("call\t");
	put_function(prof, call->at.function);
	put_file(prof, call->at.file);
	put_line(call->at.line);
	put_values(call->costs, n_events(prof));
	put_function(prof, call->to.function);
	put_values(&call->count, 1);
	putchar('\n');
}

static void answer_list(char **arg)
{
	struct assay_line line = {.size = sizeof(line)};
	struct assay_fact call = {.size = sizeof(call)};
	struct assay_profile *prof = read_file(arg[0]);
	struct assay_listing *list;
	struct assay_found *found;
	struct assay_error err;

	must(assay_find(prof, arg[1], NULL, &found, &err), &err);
	must(assay_list(found, 0, &list, &err), &err);
	for (size_t i = 0; i < assay_listing_lines(list); i++) {
		must(assay_listing_line(list, i, &line), NULL);
		print_line(prof, &line);
		for (uint32_t k = 0; k < line.n_calls; k++) {
			must(assay_listing_call(list, line.call + k, &call), NULL);
			print_call(prof, &call);
		}
	}
	assay_listing_free(list);
	assay_found_free(found);
	assay_profile_free(prof);
}

/* ---- find FILE WHAT: the functions that `assay peek WHAT` shows ---- */

static void answer_find(char **arg)
{
	struct assay_row row = {.size = sizeof(row)};
	struct assay_profile *prof = read_file(arg[0]);
	struct assay_found *found;
	struct assay_error err;

	must(assay_find(prof, arg[1], NULL, &found, &err), &err);
	for (size_t i = 0; i < assay_found_count(found); i++) {
		must(assay_table_row(assay_found_table(found), assay_found_row(found, i), &row),
			NULL);
		put_text(row.name);
		put_file(prof, row.file);
		put_object(prof, row.object);
		put_address(row.name, row.function, row.address);
		put_values(row.self, n_events(prof));
		put_values(row.inclusive, n_events(prof));
		putchar('\n');
	}
	assay_found_free(found);
	assay_profile_free(prof);
}

/* ---- words FILE OPTION=VALUE...: assay filter FILE --OPTION VALUE -t dump ---- */

static int write_out(void *ctx, const void *buf, size_t n)
{
	return fwrite(buf, 1, n, ctx) == n ? 0 : -1;
}

static void answer_words(char **arg)
{
	struct assay_words_options opts = {
		.size = sizeof(opts), .words = (const char *const *)(arg + 1)};
	struct assay_write_options to = {.size = sizeof(to), .format = "dump"};
	struct assay_profile *prof = read_file(arg[0]), *chosen;
	struct assay_error err;

	while (opts.words[opts.n_words])
		opts.n_words++;
	must(assay_filter_words(prof, &opts, &chosen, &err), &err);
	must(assay_write_callback(chosen, &to, write_out, stdout, &err), &err);
	assay_profile_free(chosen);
	assay_profile_free(prof);
}

/* ---- diff BASE CHANGED: the rows of assay diff -n 0 ---- */

static void put_figure(struct assay_value v, uint32_t decimals)
{
	char text[48], *sign = text;
	int n = assay_value_text(v, text, sizeof(text));

	if (*text == '-')
		sign++;
	for (; n - (int)(sign - text) <= (int)decimals; n++)
		memmove(sign + 1, sign, strlen(sign) + 1), *sign = '0';
	printf("%.*s", n - (int)decimals, text);
	while (decimals && text[n - 1] == '0')
		n--, decimals--;
	printf("%s%.*s\t", decimals ? "." : "", (int)decimals, text + n - decimals);
}

static void put_figures(const struct assay_comparison *cmp, size_t i, uint32_t event)
{
	static const char *const verdict[] = {"same", "noise", "chance", "sure"};
	struct assay_diff_event ev = {.size = sizeof(ev)};
	struct assay_figure self = {.size = sizeof(self)}, incl = {.size = sizeof(incl)};

	must(assay_comparison_event(cmp, event, &ev), NULL);
	must(assay_comparison_figure(cmp, i, event, false, &self), NULL);
	must(assay_comparison_figure(cmp, i, event, true, &incl), NULL);
	if (!ev.comparable)
		return;
	put_figure(self.base, ev.decimals);
	put_figure(self.changed, ev.decimals);
	if (self.noisy) {
		put_figure(self.low, ev.decimals);
		put_figure(self.high, ev.decimals);
	} else {
		printf("\t\t");
	}
	printf("%s\t", verdict[self.verdict]);
	if (incl.known) {
		put_figure(incl.base, ev.decimals);
		put_figure(incl.changed, ev.decimals);
	} else {
		printf("\t\t");
	}
}

static void print_comparison(const struct assay_comparison *cmp)
{
	struct assay_diff_row row = {.size = sizeof(row)};

	for (size_t i = 0; i < assay_comparison_rows(cmp); i++) {
		must(assay_comparison_row(cmp, i, &row), NULL);
		put_text(row.function);
		put_text(row.file);
		put_line(row.line);
		put_text(row.object);
		printf("%s\t", !row.in_base ? "new" : !row.in_changed ? "base" : "both");
		for (uint32_t e = 0; e < assay_comparison_events(cmp); e++)
			put_figures(cmp, i, e);
		putchar('\n');
	}
}

static void answer_diff(char **arg)
{
	struct assay_profile *base = read_file(arg[0]), *changed = read_file(arg[1]);
	struct assay_compare_options opts = {.size = sizeof(opts),
		.base = &base,
		.changed = &changed,
		.n_base = 1,
		.n_changed = 1};
	struct assay_comparison *cmp;
	struct assay_error err;

	must(assay_compare(&opts, &cmp, &err), &err);
	print_comparison(cmp);
	assay_comparison_free(cmp);
	assay_profile_free(changed);
	assay_profile_free(base);
}

/* ---- names FILE BINARY: assay symbolize FILE --binary BINARY -t dump ---- */

static void answer_names(char **arg)
{
	struct assay_symbolize_options opts = {
		.size = sizeof(opts), .binaries = (const char *const *)(arg + 1), .n_binaries = 1};
	struct assay_write_options to = {.size = sizeof(to), .format = "dump"};
	struct assay_symbol_object object = {.size = sizeof(object)};
	struct assay_profile *prof = read_file(arg[0]), *named;
	struct assay_symbols *syms;
	struct assay_error err;

	must(assay_symbolize(prof, &opts, &named, &syms, &err), &err);
	for (size_t i = 0; i < assay_symbols_count(syms); i++) {
		must(assay_symbols_get(syms, i, &object), NULL);
		fprintf(stderr, "%.*s\t%d\t%" PRIu64 "\t%" PRIu64 "\n", (int)object.file.len,
			object.file.p, (int)object.state, object.n_named, object.n_addresses);
	}
	must(assay_write_callback(named, &to, write_out, stdout, &err), &err);
	assay_symbols_free(syms);
	assay_profile_free(named);
	assay_profile_free(prof);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int min; /* arguments */
		void (*answer)(char **arg);
	} questions[] = {
		{"tree", 2, answer_tree},
		{"peek", 2, answer_peek},
		{"find", 2, answer_find},
		{"list", 2, answer_list},
		{"words", 1, answer_words},
		{"diff", 2, answer_diff},
		{"names", 2, answer_names},
	};

	for (size_t i = 0; argc > 1 && i < sizeof(questions) / sizeof(*questions); i++)
		if (strcmp(argv[1], questions[i].name) == 0 && argc - 2 >= questions[i].min) {
			questions[i].answer(argv + 2);
			return EXIT_SUCCESS;
		}
	fprintf(stderr, "usage: lib_answers QUESTION FILE...\n");
	return EXIT_FAILURE;
}
