/* SPDX-License-Identifier: Apache-2.0 */
/* `llvm-cov export`: the driver's table, its probe and its text. docs/formats/llvmcov.md §1. */
#include "formats/llvmcov/llvmcov.h"

#include <inttypes.h>

#define LLVMCOV_TYPE "llvm.coverage.json.export"

enum { SEGMENT_CELLS = 5, SEGMENT_GAP = 5, REGION_CELLS = 6, CELLS = 6 };

static enum as_probe llvmcov_probe(const struct as_peek *pk)
{
	struct as_slice head = as_json_head(pk->head, '{');
	bool is = as_slice_find_text(head, LLVMCOV_TYPE) < head.len;

	if (as_json_has_key(head, "data"))
		is |= as_slice_find_text(head, "\"files\"") < head.len &&
		      (as_slice_find_text(head, "\"expansions\"") < head.len ||
			      as_slice_find_text(head, "\"segments\"") < head.len ||
			      as_slice_find_text(head, "\"branches\"") < head.len);
	return is ? AS_PROBE_SURE : AS_PROBE_NO;
}

static bool llvmcov_number(struct as_lv *lv, uint64_t *v)
{
	struct as_slice text;
	bool below;

	return as_pull_number(&lv->in.js, &text) &&
	       ((as_pull_integer(text, v, &below) && !below && *v <= INT64_MAX) ||
		       as_pull_wrong(&lv->in.js, "a number that is no count of 63 bits"));
}

/* An array's first numbers, at least N of them; true is 1. */
static bool llvmcov_cells(struct as_lv *lv, uint64_t v[CELLS], size_t n)
{
	struct as_pull *j = &lv->in.js;
	enum as_pull_kind kind;
	size_t have = 0;
	bool yes, ok = true;

	as_pull_array(j);
	while (ok && as_pull_item(j)) {
		kind = as_pull_peek(j);
		if (have == CELLS) {
			ok = as_pull_skip(j);
		} else if (kind == AS_PULL_TRUE || kind == AS_PULL_FALSE) {
			ok = as_pull_bool(j, &yes);
			v[have++] = ok && yes;
		} else {
			ok = llvmcov_number(lv, &v[have++]);
		}
	}
	return ok && !j->why &&
	       (have >= n || as_pull_wrong(j, "a segment or region of too few numbers"));
}

static bool llvmcov_array(struct as_lv *lv, bool (*each)(struct as_lv *lv))
{
	as_pull_array(&lv->in.js);
	while (as_pull_item(&lv->in.js))
		if (!each(lv))
			return false;
	return !lv->in.js.why;
}

static bool llvmcov_segment(struct as_lv *lv)
{
	uint64_t v[CELLS] = {0};
	struct lv_segment s;

	if (!llvmcov_cells(lv, v, SEGMENT_CELLS))
		return false;
	s = (struct lv_segment){.line = v[0],
		.count = v[2],
		.has_count = v[3],
		.entry = v[4],
		.gap = v[SEGMENT_GAP]};
	return as_lv_segment(lv, &s);
}

static bool llvmcov_branch(struct as_lv *lv)
{
	lv->branches++;
	return as_pull_skip(&lv->in.js);
}

static bool llvmcov_file_name(struct as_lv *lv, as_file *file)
{
	struct as_slice text;

	return as_pull_text(&lv->in.js, &text) &&
	       as_json_in_room(&lv->in, as_build_file(lv->rd->out, text, file) == AS_OK);
}

/* A source file; what was cut of it is left out. */
static bool llvmcov_file(struct as_lv *lv)
{
	size_t from = lv->line.n;
	as_file file = {0};
	struct as_slice key;
	bool ok = true;

	as_pull_object(&lv->in.js);
	while (ok && as_pull_key(&lv->in.js, &key)) {
		if (as_slice_is(key, "filename"))
			ok = llvmcov_file_name(lv, &file);
		else if (as_slice_is(key, "segments"))
			ok = llvmcov_array(lv, llvmcov_segment) && as_lv_segments_end(lv);
		else if (as_slice_is(key, "branches"))
			ok = llvmcov_array(lv, llvmcov_branch);
		else
			ok = as_pull_skip(&lv->in.js);
	}
	if (!ok || lv->in.js.why)
		lv->line.n = from;
	for (size_t i = from; i < lv->line.n; i++)
		lv->line.p[i].file = file;
	return !lv->in.js.why;
}

static bool llvmcov_func_file(struct as_lv *lv)
{
	as_file file;

	return llvmcov_file_name(lv, &file) &&
	       as_json_in_room(&lv->in, as_vec_push(lv->al, &lv->file, file));
}

static bool llvmcov_regions(struct as_lv *lv, struct lv_func *f, uint64_t v[CELLS])
{
	as_pull_array(&lv->in.js);
	while (as_pull_item(&lv->in.js)) {
		if (f->has_place ? !as_pull_skip(&lv->in.js) : !llvmcov_cells(lv, v, REGION_CELLS))
			return false;
		f->has_place = true;
	}
	return !lv->in.js.why;
}

/* "a.cc:_ZL5neveri" is the name of a static function, also where its name was made readable since,
 * "a.cc:never(ns::what)"; from LLVM 17 on with a semicolon. */
static struct as_slice llvmcov_own_name(struct as_slice name)
{
	bool dot = false;

	for (size_t i = 0; i + 1 < name.len; i++) {
		char c = name.p[i];

		if (c == '(' || c == '<' || c == '[')
			break;
		if (c == ';' || c == ':')
			return dot && name.p[i + 1] != ':' ? as_slice_skip(name, i + 1) : name;
		dot |= c == '.';
	}
	return name;
}

static bool llvmcov_func_end(struct as_lv *lv, struct lv_func *f, const uint64_t v[CELLS])
{
	struct as_build *b = lv->rd->out;
	struct as_func_row row = {.file = {0}};
	struct as_slice name = {lv->text.p, lv->text.n};

	f->line = v[0];
	f->column = v[1];
	f->end_line = v[2];
	f->end_column = v[3];
	if (v[5] < lv->file.n)
		f->file = lv->file.p[v[5]];
	row.file = f->file;
	row.line = f->line;
	return as_json_in_room(
		&lv->in, as_build_str(b, llvmcov_own_name(name), &row.name) == AS_OK &&
				 as_build_func_row(b, &row, &f->func) == AS_OK &&
				 as_vec_push(lv->al, &lv->func, *f));
}

static bool llvmcov_text(struct as_lv *lv)
{
	struct as_slice text;

	lv->text.n = 0;
	return as_pull_text(&lv->in.js, &text) &&
	       as_json_in_room(&lv->in, as_vec_append(lv->al, &lv->text, text.p, text.len));
}

static bool llvmcov_func(struct as_lv *lv)
{
	struct lv_func f = {.calls = 0};
	uint64_t v[CELLS] = {0};
	bool ok = true, counted = false;
	struct as_slice key;

	lv->file.n = lv->text.n = 0;
	as_pull_object(&lv->in.js);
	while (ok && as_pull_key(&lv->in.js, &key)) {
		if (as_slice_is(key, "name"))
			ok = llvmcov_text(lv);
		else if (as_slice_is(key, "count"))
			ok = counted = llvmcov_number(lv, &f.calls);
		else if (as_slice_is(key, "filenames"))
			ok = llvmcov_array(lv, llvmcov_func_file);
		else if (as_slice_is(key, "regions"))
			ok = llvmcov_regions(lv, &f, v);
		else
			ok = as_pull_skip(&lv->in.js);
	}
	if (!ok || lv->in.js.why)
		return false;
	if (!counted)
		f.calls = v[4];
	return llvmcov_func_end(lv, &f, v);
}

static bool llvmcov_data(struct as_lv *lv)
{
	struct as_slice key;
	bool ok = true;

	as_pull_object(&lv->in.js);
	while (ok && as_pull_key(&lv->in.js, &key)) {
		if (as_slice_is(key, "files"))
			ok = llvmcov_array(lv, llvmcov_file);
		else if (as_slice_is(key, "functions"))
			ok = llvmcov_array(lv, llvmcov_func);
		else
			ok = as_pull_skip(&lv->in.js);
	}
	return !lv->in.js.why;
}

static enum as_code llvmcov_all(struct as_lv *lv)
{
	struct as_slice key;
	bool has_data = false;

	AS_TRY(as_json_in_open(&lv->in, lv->rd, lv->al));
	as_pull_object(&lv->in.js);
	while (as_pull_key(&lv->in.js, &key)) {
		if (!as_slice_is(key, "data")) {
			as_pull_skip(&lv->in.js);
			continue;
		}
		has_data = true;
		llvmcov_array(lv, llvmcov_data);
	}
	if (lv->line.n)
		as_json_in_keep(&lv->in);
	AS_TRY(as_json_in_end(&lv->in));
	if (!has_data)
		return as_rd_fail(lv->rd, AS_E_FORMAT, 0, 0, "it has no data");
	AS_TRY(as_lv_put(lv));
	if (!lv->line.n)
		return as_rd_find(lv->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0,
			"the file has no lines: llvm-cov export without -summary-only has them");
	if (lv->branches)
		AS_TRY(as_rd_find(lv->rd, AS_F_LV_BRANCHES, AS_OFF_NONE, 0,
			"%" PRIu64 " condition%s: how often each was true and false is not read",
			lv->branches, lv->branches == 1 ? "" : "s"));
	return as_json_in_tell(&lv->in, "files and functions that are whole");
}

static enum as_code llvmcov_read(struct as_rd *rd)
{
	struct as_lv lv = {.rd = rd, .al = rd->al};

	return llvmcov_all(&lv);
}

const struct as_format as_format_llvmcov = {
	.name = "llvmcov",
	.title = "JSON of llvm-cov export: how often each line was executed",
	.exts = "json",
	.spec = "docs/formats/llvmcov.md",
	.caps = AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(EVENTS) | AS_CAP(STARTS),
	.probe = llvmcov_probe,
	.read = llvmcov_read,
};
