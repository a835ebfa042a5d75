/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as JSON: what is skipped in one step is what is read value by value, and both end at
 * the same byte with the same answer. So does what comes in pieces, each in memory of its own; and
 * numbers that are read many at once.
 */
#include <stdlib.h>

#include "base/pull.h"
#include "lib/fuzz_must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The numbers that come next, by as_pull_numbers() and one by one. */
static void read_numbers(struct as_pull *j)
{
	unsigned exponent = (unsigned)(j->end - j->p) % 8;
	struct as_pull one = *j;
	int64_t v[8], same;
	uint64_t rounded = 0, n_rounded = 0;
	size_t n = as_pull_numbers(j, exponent, v, 1 + exponent, &rounded);
	struct as_slice s;
	bool exact;

	one.more = NULL; /* of plain numbers more stands behind them than they need */
	must(n <= 1 + exponent && rounded <= n);
	for (size_t i = 0; i < n; i++) {
		must(as_pull_item(&one));
		if (as_pull_peek(&one) == AS_PULL_NULL) {
			must(as_pull_skip(&one) && v[i] == AS_PULL_NULL_NUMBER);
			continue;
		}
		must(as_pull_number(&one, &s));
		must(as_pull_scaled(s, (int)exponent, &same, &exact) && same == v[i]);
		n_rounded += !exact;
	}
	must(rounded == n_rounded && one.p == j->p && one.first == j->first);
}

static void read_value(struct as_pull *j, unsigned depth)
{
	struct as_slice s;
	uint64_t v;
	int64_t scaled;
	bool yes, exact;

	switch (as_pull_peek(j)) {
	case AS_PULL_OBJECT:
		as_pull_object(j);
		while (as_pull_key(j, &s))
			depth < 100 ? read_value(j, depth + 1) : (void)as_pull_skip(j);
		break;
	case AS_PULL_ARRAY:
		as_pull_array(j);
		read_numbers(j);
		while (as_pull_item(j))
			depth < 100 ? read_value(j, depth + 1) : (void)as_pull_skip(j);
		break;
	case AS_PULL_TEXT:
		as_pull_text(j, &s);
		break;
	case AS_PULL_NUMBER:
		if (!as_pull_number(j, &s))
			break;
		if (as_pull_integer(s, &v, &yes))
			must(!yes || v == 0 || v >> 63);
		if (as_pull_scaled(s, 0, &scaled, &exact) && as_pull_integer(s, &v, &yes))
			must(exact && (uint64_t)scaled == v);
		break;
	case AS_PULL_TRUE:
	case AS_PULL_FALSE:
		as_pull_bool(j, &yes);
		break;
	default:
		as_pull_skip(j);
		break;
	}
}

struct pieces {
	struct as_pull j;
	struct as_slice all;
	size_t off; /* of BUF in ALL */
	char *buf;
};

/* What is kept and a little more, in new memory. */
static bool more(struct as_pull *j, const char *keep)
{
	struct pieces *pieces = (struct pieces *)j;
	size_t have = (size_t)(j->end - keep), at = (size_t)(j->p - keep), n = have + 1 + have / 2;
	size_t off = pieces->off + (size_t)(keep - pieces->buf);
	char *buf;

	if (off + have == pieces->all.len)
		return false;
	pieces->off = off;
	if (n > pieces->all.len - off)
		n = pieces->all.len - off;
	buf = malloc(n + 1);
	must(buf != NULL);
	memcpy(buf, pieces->all.p + pieces->off, n);
	free(pieces->buf);
	pieces->buf = buf;
	j->p = buf + at;
	j->end = buf + n;
	j->keep = j->keep ? buf : NULL;
	return true;
}

static void read_pieces(struct as_slice all, struct as_arena *arena, const struct as_pull *whole)
{
	struct pieces pieces = {.all = all, .buf = malloc(1)};
	const struct as_pull *j = &pieces.j;

	must(pieces.buf != NULL);
	as_pull_init(&pieces.j, (struct as_slice){pieces.buf, 0}, arena);
	pieces.j.p = pieces.j.end = pieces.buf;
	pieces.j.more = more;
	read_value(&pieces.j, 0);
	must(!whole->why == !j->why && (!j->why || strcmp(j->why, whole->why) == 0));
	must(j->cut == whole->cut);
	must(pieces.off + (size_t)(j->p - pieces.buf) == (size_t)(whole->p - all.p));
	free(pieces.buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice all = {(const char *)data, size}, raw;
	struct as_pull one, two;
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	as_pull_init(&one, all, &arena);
	as_pull_init(&two, all, &arena);
	read_value(&one, 0);
	as_pull_raw(&two, &raw);
	must(one.p <= one.end && two.p <= two.end);
	/* What is skipped need not have escapes that exist; and may be too deep. */
	must(one.why || !two.why || strstr(two.why, "deeper"));
	must(one.why || two.why || one.p == two.p);
	if (size)
		read_pieces(all, &arena, &one);
	as_arena_release(&arena);
	return 0;
}
