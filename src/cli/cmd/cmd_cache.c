/* SPDX-License-Identifier: Apache-2.0 */
/* assay cache: where the names of addresses are kept, how much space they take, and how to remove
 * them. */
#include "cli/view_cmd.h"
#include "symbols/cache/image_scan.h"
#include "symbols/cache/symbol_cache.h"

struct cache_args {
	bool clear;
	const char *trim;
};

static const struct as_optdef cache_opts[] = {
	AS_OPTION(cache_args, clear, 0, "clear", NULL, "remove all files of the cache"),
	AS_OPTION(cache_args, trim, 0, "trim", "SIZE",
		"remove what was unused for longest, until SIZE is left: 300, 64K, 100M, 2G"),
	AS_OPTION_END,
};

struct answer {
	struct as_symcache cache;
	struct as_symcache_stat before, now;
};

static void put_size(struct as_out *out, uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
	uint64_t tenths = bytes * 10;
	size_t unit = 0;

	if (bytes < 1024 || bytes > UINT64_MAX / 10) {
		as_out_printf(out, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
		return;
	}
	for (; tenths >= 10240 && unit + 1 < AS_ARRAY_LEN(units); unit++)
		tenths = (tenths + 512) / 1024;
	as_out_printf(out, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, units[unit]);
}

static void cache_put_line(struct as_out *out, const char *what, uint64_t bytes)
{
	as_out_printf(out, "%-11s", what);
	put_size(out, bytes);
	as_out_char(out, '\n');
}

static void cache_print_text(const struct answer *an, struct as_out *out, bool changed)
{
	as_out_printf(out, "%-11s%s\n", "directory",
		an->cache.dir ? an->cache.dir : "none: neither XDG_CACHE_HOME nor HOME is set");
	if (changed) {
		uint64_t files = an->before.files - an->now.files;

		as_out_printf(
			out, "%-11s%" PRIu64 " file%s, ", "removed", files, files == 1 ? "" : "s");
		put_size(out, an->before.bytes - an->now.bytes);
		as_out_char(out, '\n');
	}
	as_out_printf(out, "%-11s%" PRIu64 "\n", "files", an->now.files);
	cache_put_line(out, "size", an->now.bytes);
	cache_put_line(out, "limit", an->cache.max_size);
}

enum { DIRECTORY, FILES, BYTES, LIMIT, REMOVED_FILES, REMOVED_BYTES };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_DATA, DIRECTORY, "directory"},
	{AS_COL_COUNT, AS_IN_DATA, FILES, "files"},
	{AS_COL_COUNT, AS_IN_DATA, BYTES, "bytes"},
	{AS_COL_COUNT, AS_IN_DATA, LIMIT, "limit"},
	{AS_COL_COUNT, AS_IN_DATA, REMOVED_FILES, "removed_files"},
	{AS_COL_COUNT, AS_IN_DATA, REMOVED_BYTES, "removed_bytes"},
	{0},
};

static enum as_code cache_data(
	const struct as_alloc *al, const struct answer *an, const struct as_sheet_to *to)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, al, columns);
	as_sheet_begin(&s, "assay.cache/1", NULL);
	as_sheet_text_or_null(&s, DIRECTORY, as_slice_of(an->cache.dir));
	as_sheet_count(&s, FILES, true, an->now.files);
	as_sheet_count(&s, BYTES, true, an->now.bytes);
	as_sheet_count(&s, LIMIT, true, an->cache.max_size);
	as_sheet_count(&s, REMOVED_FILES, true, an->before.files - an->now.files);
	as_sheet_count(&s, REMOVED_BYTES, true, an->before.bytes - an->now.bytes);
	as_sheet_only_row(&s);
	return as_sheet_finish(&s);
}

/* Another program may add files meanwhile: what was removed is never below 0. */
static void keep_order(struct answer *an)
{
	if (an->before.files < an->now.files)
		an->before.files = an->now.files;
	if (an->before.bytes < an->now.bytes)
		an->before.bytes = an->now.bytes;
}

static enum as_exit cache_print(struct as_cli *cli, const struct answer *an, bool changed)
{
	struct as_sheet_to to;

	AS_DO(as_cli_sheet(cli, &to));
	if (to.form != AS_FORM_TEXT)
		return as_say_code(&cli->ses, cache_data(cli->ses.al, an, &to), NULL);
	cache_print_text(an, to.out, changed);
	return AS_EXIT_OK;
}

static enum as_exit cache_work(struct as_cli *cli, struct answer *an, bool change, uint64_t max)
{
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	rc = as_symcache_stat(&an->cache, &an->before, &err);
	if (rc == AS_OK && change)
		rc = as_symcache_trim(&an->cache, max, &err);
	AS_THEN(rc, as_symcache_stat(&an->cache, &an->now, &err));
	AS_DO(as_say_code(&cli->ses, rc, &err));
	keep_order(an);
	return cache_print(cli, an, change);
}

/* ---- scan: where binaries are, by their build ids ---- */

/* What is printed of the map, and of what was scanned. */
static const struct {
	const char *key, *text;
} cache_scan_words[] = {
	{"known", "known"},
	{"added", "new"},
	{"files", "files"},
	{"directories", "directories"},
	{"without_id", "without a build id"},
	{"links", "links, not followed"},
	{"others", "FIFOs, sockets, devices"},
	{"unreadable", "unreadable"},
};

enum { SCAN_WORDS = AS_ARRAY_LEN(cache_scan_words) };

static void cache_scan_numbers(const struct as_image_scan *scan,
	const struct as_image_counts *counts, uint64_t number[SCAN_WORDS])
{
	const uint64_t n[SCAN_WORDS] = {counts->known, counts->added, scan->files, scan->dirs,
		scan->no_id, scan->links, scan->others, scan->unreadable};

	memcpy(number, n, sizeof(n));
}

enum { ID, IMAGE_PATH };

static const struct as_column cache_scan_columns[] = {
	{AS_COL_WORD, AS_IN_DATA, ID, "id"},
	{AS_COL_WORD, AS_IN_DATA, IMAGE_PATH, "path"},
	{0},
};

static enum as_code cache_scan_put_data(const struct as_alloc *al, const struct as_sheet_to *to,
	const struct as_image_scan *scan, const uint64_t *number, const char *dir)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, al, cache_scan_columns);
	as_sheet_begin(&s, "assay.cache_scan/1", NULL);
	as_sheet_word(&s, "directory", as_slice_of(dir ? dir : ""));
	for (size_t i = 0; as_sheet_is(&s, AS_FORM_JSON) && i < SCAN_WORDS; i++)
		as_json_val(&s.json, cache_scan_words[i].key, number[i]);
	as_sheet_rows(&s, "images");
	for (size_t i = 0; i < scan->image.n; i++) {
		as_sheet_text(&s, ID, scan->image.p[i].id);
		as_sheet_text(&s, IMAGE_PATH, scan->image.p[i].path);
		as_sheet_row(&s, NULL);
	}
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}

static void cache_scan_put_text(
	struct as_out *out, const struct as_image_scan *scan, const uint64_t *number)
{
	as_out_printf(out, "%-23s  %zu\n", "images", scan->image.n);
	for (size_t i = 0; i < SCAN_WORDS; i++)
		as_out_printf(out, "%-23s  %" PRIu64 "\n", cache_scan_words[i].text, number[i]);
}

static enum as_exit cache_scan_print(struct as_cli *cli, const struct as_image_scan *scan,
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
	cache_scan_numbers(scan, counts, number);
	if (to.form == AS_FORM_TEXT)
		cache_scan_put_text(to.out, scan, number);
	else
		rc = cache_scan_put_data(cli->ses.al, &to, scan, number, dir);
	return as_say_code(&cli->ses, rc, NULL);
}

/* A directory that does not exist is told, and the others are scanned. */
static enum as_exit cache_scan_all(struct as_cli *cli, struct as_image_scan *scan)
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

/* The operands are "scan" and the directories. OTHERS: there are options that are none of it. */
static enum as_exit cache_scan(struct as_cli *cli, bool others)
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
	rc = cache_scan_all(cli, &scan);
	if (as_image_map_add(&cache, scan.image.p, scan.image.n, &counts, &err) == AS_OK)
		kept = cache_scan_print(cli, &scan, &counts, cache.dir);
	else
		kept = as_say_failed(
			&cli->ses, &err, "XDG_CACHE_HOME=DIR says where it may be kept");
	as_image_scan_end(&scan);
	as_arena_release(&arena);
	return rc == AS_EXIT_OK ? kept : rc;
}

/* ---- the command ---- */

static enum as_exit cache_run(struct as_cli *cli, const void *argp)
{
	const struct cache_args *args = argp;
	struct as_arena arena;
	struct answer an;
	enum as_exit rc;
	uint64_t max = 0;

	if (cli->n_operands)
		return cache_scan(cli, args->clear || args->trim);
	if (args->clear && args->trim)
		return as_say_usage(&cli->ses,
			"--clear removes all: there is nothing left to --trim", "give one of them");
	if (args->trim && !as_cli_size(args->trim, &max))
		return as_say_usage(&cli->ses, "--trim takes a size", "write 300, 64K, 100M or 2G");
	as_arena_init(&arena, cli->ses.al);
	an = (struct answer){.cache = as_cli_cache(&cli->ses, &arena)};
	rc = cache_work(cli, &an, args->clear || args->trim, max);
	as_arena_release(&arena);
	return rc;
}

const struct as_cmd as_cmd_cache = {
	AS_COMMAND(cache, "[scan DIR...]", 0, AS_OPERANDS_ANY, cache_run),
	AS_OWN_OPTIONS(cache_opts, cache_args),
	.brief = "where names of addresses are kept, how much, and away with it",
	.about =
		"What assay finds out about the addresses of a binary is kept by its build id, so\n"
		"that it need not be decoded again. The cache is trimmed as it grows; it can be\n"
		"removed at any time. ASSAY_CACHE_SIZE=SIZE sets its limit (default 512M), 0\n"
		"turns it off. 'scan' looks for binaries below directories, and keeps where they "
		"are by\n"
		"their build ids: profiles whose binaries have moved find them there.\n",
	.examples = "assay cache\tdirectory, files, bytes, limit\n"
		    "assay cache --trim 100M\tmake room\n"
		    "assay cache --clear\tremove it all\n"
		    "assay cache scan /opt /srv/app\tremember which binaries are there",
	.groups = AS_GROUP_FORMAT,
};
