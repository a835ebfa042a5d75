/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what stands above the rows. docs/formats/legacy.md, "Layout". */
#include "formats/legacy/legacy.h"

enum { LG_JAVA_RATE = 524288 }; /* bytes: its profiler had no other */

/* ---- lines ---- */

enum as_code as_lg_next(struct as_lg_read *l, struct as_slice *line)
{
	struct as_in *in = l->rd->in;

	l->line_off = in->off;
	l->line = in->line;
	return as_in_line(in, line);
}

/* The next line that is no comment; the head stands in the first. */
enum as_code as_lg_next_said(struct as_lg_read *l, struct as_slice *line)
{
	enum as_code rc;

	do
		rc = as_lg_next(l, line);
	while (rc == AS_OK && as_lg_is_blank(*line));
	return rc;
}

/* ---- the head ---- */

static enum as_code lg_head_wrong(struct as_lg_read *l, struct as_slice line, const char *expected)
{
	return as_rd_fail(l->rd, AS_E_FORMAT, l->line_off, l->line, "expected %s, found '%.*s'",
		expected, LG_SHOWN(line));
}

/* Bytes for a sample. Go's text has twice as many behind "heap/". */
static enum as_code head_rate(struct as_lg_read *l)
{
	struct as_slice name = l->head.name;
	bool go = as_slice_is(name, "heap"), jemalloc = l->head.kind == AS_LG_JEMALLOC;

	l->rate = 1;
	if (!jemalloc && !go && !as_slice_starts(name, "heap_v2") &&
		!as_slice_starts(name, "heapz_v2"))
		return AS_OK;
	l->rate = go ? l->head.rate / 2 : l->head.rate;
	if (l->rate && l->rate <= INT64_MAX)
		return AS_OK;
	l->rate = 0;
	return as_rd_find(l->rd, AS_F_LG_NO_RATE, l->line_off, l->line,
		"there is no sampling rate: numbers stand as they are");
}

static void head_columns(struct as_lg_read *l)
{
	const uint64_t *t = l->head.total;

	l->has_alloc = (t[2] && t[2] != t[0]) || (t[3] && t[3] != t[1]);
}

static enum as_code head_heap(struct as_lg_read *l, struct as_slice line)
{
	as_lg_head_parse(line, &l->head);
	if (!l->head.whole)
		return lg_head_wrong(l, line, "'heap profile: N: N [N: N] @ KIND'");
	head_columns(l);
	return head_rate(l);
}

/* The line below the first: "  t*: N: N [N: N]". */
static enum as_code head_jemalloc(struct as_lg_read *l)
{
	struct as_slice line, rest;
	enum as_code rc = as_lg_next_said(l, &line);

	if (rc == AS_END)
		return as_rd_fail(l->rd, AS_E_TRUNC, l->rd->in->off, l->line,
			"the input ends before the totals, 't*: N: N [N: N]'");
	AS_TRY(rc);
	rest = as_slice_ltrim(line);
	if (!as_slice_starts(rest, "t*:"))
		return lg_head_wrong(l, line, "the totals, 't*: N: N [N: N]'");
	rest = as_slice_skip(rest, 3);
	if (!as_lg_take_four(&rest, l->head.total))
		return lg_head_wrong(l, line, "the totals, 't*: N: N [N: N]'");
	head_columns(l);
	return head_rate(l);
}

static enum as_code attribute_number(struct as_lg_read *l, struct as_slice text, uint64_t *v)
{
	if (as_slice_num(text, v) && *v <= INT64_MAX)
		return AS_OK;
	*v = 0;
	return as_rd_find(l->rd, AS_F_LG_LINE, l->line_off, l->line,
		"expected a number behind '=', found '%.*s'", LG_SHOWN(text));
}

static enum as_code head_duration(struct as_lg_read *l, struct as_slice value)
{
	uint64_t ms;

	AS_TRY(attribute_number(l, value, &ms));
	if (ms <= INT64_MAX / 1000000)
		l->rd->out->prof->duration = (int64_t)ms * 1000000;
	return AS_OK;
}

static enum as_code head_discarded(struct as_lg_read *l, struct as_slice value)
{
	char number[24];

	AS_TRY(attribute_number(l, value, &l->discarded));
	if (!l->discarded)
		return AS_OK;
	snprintf(number, sizeof(number), "%" PRIu64, l->discarded);
	AS_TRY(as_build_meta_of(l->rd->out, l->part, as_slice_of("assay: samples lost"),
		as_slice_of(number), AS_META_OF_SUM));
	return as_rd_find(l->rd, AS_F_LG_DISCARDED, l->line_off, l->line,
		"%" PRIu64 " samples were discarded: they are in no row", l->discarded);
}

/* "key = value" */
static enum as_code head_attribute(struct as_lg_read *l, struct as_slice key, struct as_slice value)
{
	if (as_slice_is(key, "cycles/second"))
		return attribute_number(l, value, &l->hz);
	if (as_slice_is(key, "sampling period"))
		return attribute_number(l, value, &l->period);
	if (as_slice_is(key, "ms since reset"))
		return head_duration(l, value);
	if (as_slice_is(key, "discarded samples"))
		return head_discarded(l, value);
	if (as_slice_is(key, "format")) {
		l->java |= as_slice_is(value, "java");
		return AS_OK;
	}
	if (as_slice_is(key, "resolution")) {
		l->resolution = as_arena_dup(&l->arena, value);
		return as_err_memory(l->rd->err, l->resolution.p);
	}
	return as_rd_find(l->rd, AS_F_LG_LINE, l->line_off, l->line,
		"the head says what is not known: '%.*s'", LG_SHOWN(key));
}

/* Up to the first line that is none of the head, if there is one. */
static enum as_code head_attributes(struct as_lg_read *l, struct as_slice *line, bool *has_line)
{
	struct as_slice key, value;
	enum as_code rc;

	while ((rc = as_lg_next_said(l, line)) == AS_OK) {
		value = as_slice_chop(*line);
		if (!as_slice_has(value, '=') || as_slice_has(value, '@') ||
			!as_slice_cut(&value, '=', &key))
			break;
		AS_TRY(head_attribute(l, as_slice_trim(key), as_slice_trim(value)));
	}
	*has_line = rc == AS_OK;
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code head_contention(struct as_lg_read *l, struct as_slice *line, bool *has_line)
{
	AS_TRY(head_attributes(l, line, has_line));
	if (l->java || l->hz)
		return AS_OK;
	return as_rd_find(l->rd, AS_F_LG_NO_CYCLES, l->line_off, l->line,
		"there is no 'cycles/second': how long delays took is not known");
}

/* The page of a C++ program's may begin as Java's do; whatever it says then, it is no Java's. */
static enum as_code head_java(struct as_lg_read *l, struct as_slice *line, bool *has_line)
{
	AS_TRY(head_attributes(l, line, has_line));
	if (*has_line && as_slice_starts(as_slice_ltrim(*line), "heap profile:")) {
		*has_line = false;
		l->java = false;
		return head_heap(l, as_slice_ltrim(*line));
	}
	l->java = true;
	l->rate = LG_JAVA_RATE;
	return AS_OK;
}

/* Up to the first thread. */
static enum as_code head_threads(struct as_lg_read *l, struct as_slice *line, bool *has_line)
{
	enum as_code rc = AS_OK;

	l->keep_leaf = true;
	if (!as_slice_starts(*line, "--- Thread "))
		do
			rc = as_lg_next(l, line);
		while (rc == AS_OK && !as_slice_starts(*line, "-"));
	*has_line = rc == AS_OK;
	return rc == AS_END ? AS_OK : rc;
}

enum as_code as_lg_read_head(struct as_lg_read *l, struct as_slice *line, bool *has_line)
{
	as_lg_head_parse(*line, &l->head);
	switch (l->head.kind) {
	case AS_LG_HEAP:
		return head_heap(l, *line);
	case AS_LG_JEMALLOC:
		return head_jemalloc(l);
	case AS_LG_JAVA_HEAP:
		return head_java(l, line, has_line);
	case AS_LG_CONTENTION:
		return head_contention(l, line, has_line);
	case AS_LG_THREAD:
		return head_threads(l, line, has_line);
	case AS_LG_COUNT:
		l->head.name = as_arena_dup(&l->arena, l->head.name);
		return as_err_memory(l->rd->err, l->head.name.p);
	case AS_LG_NONE:
		break;
	}
	return lg_head_wrong(l, *line, "the head of a heap, contention, thread or count profile");
}
