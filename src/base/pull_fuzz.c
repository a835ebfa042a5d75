/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as JSON: what is skipped in one step is what is read value by value, and both end at
 * the same byte with the same answer.
 */
#include "base/pull.h"
#include "lib/fuzz_must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_value(struct as_pull *j, unsigned depth)
{
	struct as_slice s;
	uint64_t v;
	bool yes;

	switch (as_pull_peek(j)) {
	case AS_PULL_OBJECT:
		as_pull_object(j);
		while (as_pull_key(j, &s))
			depth < 100 ? read_value(j, depth + 1) : (void)as_pull_skip(j);
		break;
	case AS_PULL_ARRAY:
		as_pull_array(j);
		while (as_pull_item(j))
			depth < 100 ? read_value(j, depth + 1) : (void)as_pull_skip(j);
		break;
	case AS_PULL_TEXT:
		as_pull_text(j, &s);
		break;
	case AS_PULL_NUMBER:
		if (as_pull_number(j, &s) && as_pull_integer(s, &v, &yes))
			must(!yes || v == 0 || v >> 63);
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
	as_arena_release(&arena);
	return 0;
}
