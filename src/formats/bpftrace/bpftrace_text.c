/* SPDX-License-Identifier: Apache-2.0 */
/* Maps as bpftrace prints them, line by line. docs/formats/bpftrace.md §1. */
#include "formats/bpftrace/bpftrace.h"

static bool text_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

bool as_bpftrace_begins(struct as_slice line, struct as_slice *name, struct as_slice *rest)
{
	size_t n = 1;

	if (!as_slice_starts(line, "@"))
		return false;
	while (n < line.len && text_is_word(line.p[n]))
		n++;
	*name = (struct as_slice){line.p + 1, n - 1};
	*rest = as_slice_skip(line, n);
	if (!as_slice_starts(*rest, "["))
		return false;
	*rest = as_slice_skip(*rest, 1);
	return true;
}

/* "]: 12" ends an entry; what else stands there is not one number. */
static bool text_ends(struct as_slice line, struct as_slice *key, struct as_slice *value)
{
	uint64_t n;
	size_t at;

	for (at = as_slice_up_to_last(line, ']'); at; at = as_slice_up_to_last(*key, ']')) {
		*key = (struct as_slice){line.p, at - 1};
		*value = as_slice_skip(line, at);
		if (!as_slice_starts(*value, ":"))
			continue;
		*value = as_slice_trim(as_slice_skip(*value, 1));
		if (!value->len || as_slice_starts(*value, "count ") ||
			as_slice_dec(as_slice_skip(*value, as_slice_starts(*value, "-")), &n))
			return true;
	}
	return false;
}

static enum as_code text_value(struct bpftrace *bt, struct as_slice name, struct as_slice value)
{
	bool negative = as_slice_starts(value, "-");
	uint64_t n;

	if (as_slice_dec(as_slice_skip(value, negative), &n))
		return as_bpftrace_count(bt, name, negative ? -(as_val)n : (as_val)n);
	bt->n_other++;
	return AS_OK;
}

/* Of an entry that is OPEN. */
static enum as_code text_entry(
	struct bpftrace *bt, struct as_slice name, struct as_slice line, bool *open)
{
	struct as_slice key, value;

	if (as_bpftrace_is_frame(line) || !text_ends(line, &key, &value))
		return as_bpftrace_key_line(bt, line);
	*open = false;
	AS_TRY(as_bpftrace_key_line(bt, key));
	return text_value(bt, name, value);
}

static void text_other(struct bpftrace *bt, struct as_slice line)
{
	struct as_slice rest = line, word;
	uint64_t n;

	bt->n_other += as_slice_starts(line, "@");
	if (as_slice_word(&rest, &word) && as_slice_is(word, "Lost") &&
		as_slice_word(&rest, &word) && as_slice_dec(word, &n) &&
		as_slice_is(as_slice_trim(rest), "events") && n <= UINT64_MAX - bt->n_lost)
		bt->n_lost += n;
}

/* An entry begins; the one before is *OPEN if it has no value. */
static enum as_code bpftrace_text_begin(
	struct bpftrace *bt, struct as_slice begins, struct as_slice *name, bool *open)
{
	if (*open) {
		as_rd_partial(bt->rd);
		AS_TRY(as_rd_find(bt->rd, AS_F_BT_CUT, AS_OFF_NONE, bt->line,
			"the entry above has no value, and was left out"));
	}
	*open = true;
	as_bpftrace_begin(bt);
	*name = as_arena_dup(&bt->arena, begins);
	return as_err_memory(bt->rd->err, name->p);
}

static enum as_code text_window(
	struct bpftrace *bt, struct as_slice lines, struct as_slice *name, bool *open)
{
	struct as_slice line, begins, rest;

	while (as_slice_line(&lines, true, &line)) {
		bt->line++;
		line = as_slice_chop(line);
		if (as_bpftrace_begins(line, &begins, &rest)) {
			AS_TRY(bpftrace_text_begin(bt, begins, name, open));
			line = rest;
		}
		if (*open)
			AS_TRY(text_entry(bt, *name, line, open));
		else
			text_other(bt, line);
	}
	return AS_OK;
}

enum as_code as_bpftrace_read_text(struct bpftrace *bt)
{
	struct as_slice lines, name = as_slice_of("");
	bool open = false;
	enum as_code rc;

	while ((rc = as_in_lines(bt->rd->in, &lines)) == AS_OK) {
		size_t n = lines.len;

		AS_TRY(text_window(bt, lines, &name, &open));
		as_in_take(bt->rd->in, n);
	}
	if (rc != AS_END || !open)
		return rc == AS_END ? AS_OK : rc;
	as_rd_partial(bt->rd);
	return as_rd_find(bt->rd, AS_F_BT_CUT, AS_OFF_NONE, bt->line,
		"the text ends inside of an entry, which was left out");
}
