/* SPDX-License-Identifier: Apache-2.0 */
/* Maps as `bpftrace -f json` prints them: an object per line. docs/formats/bpftrace.md §3. */
#include "formats/bpftrace/bpftrace.h"
#include "formats/json_in.h"

/* {"type": "attached_probes", ...}, and {"type": "map", "data": {"@... */
bool as_bpftrace_is_json(struct as_slice head)
{
	struct as_slice key, text;
	struct as_pull j;
	bool type = false, map = false;

	head = as_json_head(head, '{');
	if (!head.len)
		return false;
	as_pull_init(&j, head, NULL);
	as_pull_object(&j);
	while (as_pull_key(&j, &key)) {
		if (as_slice_is(key, "type")) {
			if (!as_pull_text(&j, &text))
				return false;
			if (as_slice_is(text, "attached_probes"))
				return true;
			type = as_slice_is(text, "map") || as_slice_is(text, "hist") ||
			       as_slice_is(text, "stats");
		} else if (as_slice_is(key, "data") && as_pull_peek(&j) == AS_PULL_OBJECT) {
			as_pull_object(&j);
			map = as_pull_key(&j, &key) && as_slice_starts(key, "@");
			return type && map;
		} else {
			as_pull_skip(&j);
		}
	}
	return false;
}

/* Keys of a map are one text: what its stacks and names are in lines of text. */
static enum as_code json_key(struct bpftrace *bt, struct as_slice key)
{
	struct as_slice line;

	as_bpftrace_begin(bt);
	while (as_slice_line(&key, true, &line))
		AS_TRY(as_bpftrace_key_line(bt, line));
	return AS_OK;
}

static enum as_code json_map(struct bpftrace *bt, struct as_pull *j, struct as_slice name)
{
	struct as_slice key, text;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		bool negative;
		uint64_t n;

		AS_TRY(json_key(bt, key));
		if (as_pull_peek(j) != AS_PULL_NUMBER) {
			bt->n_other++;
			as_pull_skip(j);
		} else if (as_pull_number(j, &text) && as_pull_integer(text, &n, &negative)) {
			AS_TRY(as_bpftrace_count(
				bt, name, negative ? -(as_val)(0 - n) : (as_val)n));
		} else {
			bt->n_other++;
		}
	}
	return AS_OK;
}

static enum as_code json_data(struct bpftrace *bt, struct as_pull *j)
{
	struct as_slice key, name, text;
	bool negative;
	uint64_t n;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		enum as_pull_kind kind = as_pull_peek(j);

		if (as_slice_starts(key, "@") && kind == AS_PULL_OBJECT) {
			name = as_arena_dup(&bt->arena, as_slice_skip(key, 1));
			AS_TRY(as_err_memory(bt->rd->err, name.p));
			AS_TRY(json_map(bt, j, name));
			continue;
		}
		bt->n_other += as_slice_starts(key, "@");
		if (!as_slice_is(key, "events") || kind != AS_PULL_NUMBER)
			as_pull_skip(j);
		else if (as_pull_number(j, &text) && as_pull_integer(text, &n, &negative) &&
			 !negative && n <= UINT64_MAX - bt->n_lost)
			bt->n_lost += n;
	}
	return AS_OK;
}

static enum as_code json_line(struct bpftrace *bt, struct as_pull *j)
{
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "data") && as_pull_peek(j) == AS_PULL_OBJECT)
			AS_TRY(json_data(bt, j));
		else
			as_pull_skip(j);
	}
	return AS_OK;
}

enum as_code as_bpftrace_read_json(struct bpftrace *bt)
{
	struct as_json_in in;

	AS_TRY(as_json_in_open(&in, bt->rd, bt->al));
	while (!in.js.why && as_pull_peek(&in.js) != AS_PULL_END)
		AS_TRY(json_line(bt, &in.js));
	return as_json_in_end(&in);
}
