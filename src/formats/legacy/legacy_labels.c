/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of Go's goroutines, below their row: # labels: {"key":"value", "other":"text"} */
#include "formats/legacy/legacy.h"

enum { LABELS_MAX = 64 };

/* A text in quotes, moved over. Of what a backslash may say more, UTF-8 aside, it stays. */
static bool take_quoted(struct as_arena *ar, struct as_slice *rest, struct as_slice *out)
{
	static const char from[] = "\"\\ntr", to[] = "\"\\\n\t\r";
	struct as_slice s = *rest;
	const char *known;
	size_t i = 1;
	char *p;

	if (!s.len || s.p[0] != '"' || !(p = as_arena_get(ar, s.len)))
		return false;
	*out = (struct as_slice){p, 0};
	for (; i < s.len && s.p[i] != '"'; i++) {
		known = s.p[i] == '\\' && i + 1 < s.len ? memchr(from, s.p[i + 1], 5) : NULL;
		p[out->len++] = (char)(known ? to[known - from] : s.p[i]);
		i += known != NULL;
	}
	*rest = as_slice_skip(s, i < s.len ? i + 1 : i);
	return i < s.len;
}

static bool labels_take(struct as_slice *rest, char c)
{
	*rest = as_slice_ltrim(*rest);
	if (!rest->len || rest->p[0] != c)
		return false;
	*rest = as_slice_skip(*rest, 1);
	return true;
}

/* One pair; *OK says that it is one. */
static enum as_code labels_pair(
	struct as_lg_read *l, struct as_slice *rest, struct as_label *label, bool *ok)
{
	struct as_slice key, text;

	*ok = take_quoted(&l->arena, rest, &key) && labels_take(rest, ':') &&
	      take_quoted(&l->arena, rest, &text);
	AS_TRY(as_err_memory(l->rd->err, !l->arena.failed));
	if (!*ok)
		return AS_OK;
	*label = (struct as_label){0};
	AS_TRY(as_build_str(l->rd->out, key, &label->key));
	return as_build_str(l->rd->out, text, &label->text);
}

enum as_code as_lg_labels(struct as_lg_read *l, struct as_slice line, bool *is)
{
	static const char mark[] = "# labels:";
	struct as_slice rest = as_slice_trim(as_slice_chop(line));
	struct as_label label[LABELS_MAX];
	uint32_t n = 0;
	bool ok;

	*is = as_slice_starts(rest, mark);
	if (!*is)
		return AS_OK;
	rest = as_slice_skip(rest, sizeof(mark) - 1);
	ok = labels_take(&rest, '{');
	while (ok && n < LABELS_MAX && !labels_take(&rest, '}')) {
		AS_TRY(labels_pair(l, &rest, &label[n], &ok));
		n += ok;
		labels_take(&rest, ',');
	}
	if (!ok)
		return as_rd_find(l->rd, AS_F_LG_LABELS, l->line_off, l->line,
			"expected {\"key\":\"value\", ...}, found '%.*s'; the labels before it are "
			"kept",
			LG_SHOWN(rest));
	return n ? as_build_labelled(l->rd->out, label, n, &l->row_part) : AS_OK;
}
