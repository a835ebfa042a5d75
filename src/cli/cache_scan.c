/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cache_scan.h"

#include "cli/symbols_env.h"
#include "cli/view_cmd.h"
#include "symbols/cache/image_scan.h"

/* What is printed of the map, and of what was scanned. */
static const struct {
	const char *key, *text;
} scan_words[] = {
	{"known", "known"},
	{"added", "new"},
	{"files", "files"},
	{"directories", "directories"},
	{"without_id", "without a build id"},
	{"links", "links, not followed"},
	{"others", "FIFOs, sockets, devices"},
	{"unreadable", "unreadable"},
};

enum { SCAN_WORDS = AS_ARRAY_LEN(scan_words) };

static void scan_numbers(const struct as_image_scan *scan, const struct as_image_counts *counts,
	uint64_t number[SCAN_WORDS])
{
	const uint64_t n[SCAN_WORDS] = {counts->known, counts->added, scan->files, scan->dirs,
		scan->no_id, scan->links, scan->others, scan->unreadable};

	memcpy(number, n, sizeof(n));
}

enum { ID, IMAGE_PATH };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_DATA, ID, "id"},
	{AS_COL_WORD, AS_IN_DATA, IMAGE_PATH, "path"},
	{0},
};

static enum as_code scan_put_data(const struct as_alloc *al, const struct as_sheet_to *to,
	const struct as_image_scan *scan, const uint64_t *number, const char *dir)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, al, columns);
	as_sheet_begin(&s, "assay.cache_scan/1", NULL);
	as_sheet_word(&s, "directory", as_slice_of(dir ? dir : ""));
	for (size_t i = 0; as_sheet_is(&s, AS_FORM_JSON) && i < SCAN_WORDS; i++)
		as_json_val(&s.json, scan_words[i].key, number[i]);
	as_sheet_rows(&s, "images");
	for (size_t i = 0; i < scan->image.n; i++) {
		as_sheet_text(&s, ID, scan->image.p[i].id);
		as_sheet_text(&s, IMAGE_PATH, scan->image.p[i].path);
		as_sheet_row(&s, NULL);
	}
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}

static void scan_put_text(
	struct as_out *out, const struct as_image_scan *scan, const uint64_t *number)
{
	as_out_printf(out, "%-23s  %zu\n", "images", scan->image.n);
	for (size_t i = 0; i < SCAN_WORDS; i++)
		as_out_printf(out, "%-23s  %" PRIu64 "\n", scan_words[i].text, number[i]);
}

static enum as_exit scan_print(struct as_cli *cli, const struct as_image_scan *scan,
	const struct as_image_counts *counts, const char *dir)
{
	uint64_t number[SCAN_WORDS];
	struct as_sheet_to to;
	enum as_code rc = AS_OK;

	if (scan->unreadable)
		as_say_note(&cli->ses, "%" PRIu64 " file%s could not be read, the first: %.*s",
			scan->unreadable, scan->unreadable == 1 ? "" : "s or directories",
			AS_SLICE_FMT(scan->first_error));
	AS_DO(as_cli_sheet(cli, &to));
	scan_numbers(scan, counts, number);
	if (to.form == AS_FORM_TEXT)
		scan_put_text(to.out, scan, number);
	else
		rc = scan_put_data(cli->ses.al, &to, scan, number, dir);
	return as_say_code(&cli->ses, rc, NULL);
}

/* A directory that does not exist is told, and the others are scanned. */
static enum as_exit scan_all(struct as_cli *cli, struct as_image_scan *scan)
{
	enum as_exit rc = AS_EXIT_OK;

	for (size_t i = 1; i < cli->n_operands; i++) {
		const char *dir = cli->operand[i];
		struct as_err err = AS_ERR_NONE;

		if (as_image_scan_dir(scan, dir, &err) == AS_OK)
			continue;
		as_escape(err.name, sizeof(err.name), dir, strlen(dir));
		rc = as_say_failed(&cli->ses, &err, "check the name; of a directory all below it");
		if (err.code == AS_E_NOMEM)
			break;
	}
	return rc;
}

enum as_exit as_cli_cache_scan(struct as_cli *cli, bool others)
{
	struct as_image_counts counts;
	struct as_image_scan scan;
	struct as_arena arena;
	struct as_symcache cache;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc, kept;

	if (strcmp(cli->operand[0], "scan") != 0)
		return as_say_usage(&cli->ses, "what is to be done with the cache?",
			"assay cache scan DIR..., or options alone: assay cache -h");
	if (cli->n_operands < 2)
		return as_say_usage(&cli->ses, "scan what?", "assay cache scan DIR...");
	if (others)
		return as_say_usage(&cli->ses, "options '--clear' and '--trim' are none of 'scan'",
			"assay cache scan DIR...");
	as_arena_init(&arena, cli->ses.al);
	cache = as_cli_cache(&cli->ses, &arena);
	as_image_scan_begin(&scan, cli->ses.al);
	rc = scan_all(cli, &scan);
	if (as_image_map_add(&cache, scan.image.p, scan.image.n, &counts, &err) == AS_OK)
		kept = scan_print(cli, &scan, &counts, cache.dir);
	else
		kept = as_say_failed(
			&cli->ses, &err, "XDG_CACHE_HOME=DIR says where it may be kept");
	as_image_scan_end(&scan);
	as_arena_release(&arena);
	return rc == AS_EXIT_OK ? kept : rc;
}
