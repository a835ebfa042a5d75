/* SPDX-License-Identifier: Apache-2.0 */
/* A line's count, by the rules of LLVM's LineCoverageStats. docs/formats/llvmcov.md §2. */
#include "formats/llvmcov/llvmcov.h"

/* So many lines without a segment are believed, and so many more for each byte of the file. */
enum { BELIEVED = 100000, BELIEVED_PER_BYTE = 64 };

static bool llvmcov_add(struct as_lv *lv, uint64_t number, uint64_t count)
{
	struct lv_line line = {.number = number, .count = count};

	return as_json_in_room(&lv->in, as_vec_push(lv->al, &lv->line, line));
}

/* The line that was read: the largest of the regions that begin on it and of what held before. */
static bool llvmcov_line_end(struct as_lv *lv)
{
	struct lv_at *at = &lv->at;
	uint64_t count = at->wrap.count > at->most ? at->wrap.count : at->most;
	bool is_code = !at->skipped && (at->wrap.has_count || at->regions);

	at->wrap = at->last;
	return !is_code || llvmcov_add(lv, at->line, count);
}

static bool llvmcov_wrapped(struct as_lv *lv, uint64_t from, uint64_t to)
{
	uint64_t room = BELIEVED + BELIEVED_PER_BYTE * as_json_in_off(&lv->in);

	if (!lv->at.wrap.has_count)
		return true;
	if (to - from > room - lv->wrapped)
		return as_pull_wrong(&lv->in.js, "more lines than a source file has");
	lv->wrapped += to - from;
	for (; from < to; from++)
		if (!llvmcov_add(lv, from, lv->at.wrap.count))
			return false;
	return true;
}

bool as_lv_segment(struct as_lv *lv, const struct lv_segment *s)
{
	struct lv_at *at = &lv->at;

	if (at->begun && s->line < at->line)
		return as_pull_wrong(&lv->in.js, "segments that are not in the order of lines");
	if (!at->begun || s->line > at->line) {
		if (at->begun &&
			(!llvmcov_line_end(lv) || !llvmcov_wrapped(lv, at->line + 1, s->line)))
			return false;
		at->line = s->line;
		at->most = at->regions = 0;
		at->skipped = s->entry && !s->has_count;
		at->begun = true;
	}
	if (s->entry && s->has_count && !s->gap) {
		at->regions++;
		if (s->count > at->most)
			at->most = s->count;
	}
	at->last = *s;
	return true;
}

bool as_lv_segments_end(struct as_lv *lv)
{
	bool ok = !lv->at.begun || llvmcov_line_end(lv);

	lv->at = (struct lv_at){0};
	return ok;
}
