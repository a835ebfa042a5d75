/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/json_in.h"

static bool json_in_more(struct as_pull *j, const char *keep)
{
	struct as_json_in *in = (struct as_json_in *)j; /* its first member */
	struct as_in *from = in->rd->in;
	size_t have = (size_t)(j->end - keep), at = (size_t)(j->p - keep);
	struct as_slice window;
	bool moved;

	as_in_take(from, (size_t)(keep - from->p));
	if (in->rc == AS_OK)
		in->rc = as_in_peek(from, have + 1, &window);
	if (in->rc)
		return as_pull_wrong(j, "the input cannot be read");
	moved = window.len > have || window.p != keep;
	j->p = window.p + at;
	j->end = window.p + window.len;
	if (j->keep)
		j->keep = window.p;
	else
		as_arena_release(&in->escaped);
	return moved;
}

enum as_code as_json_in_open(struct as_json_in *in, struct as_rd *rd, const struct as_alloc *al)
{
	struct as_slice window;

	*in = (struct as_json_in){.rd = rd};
	as_arena_init(&in->escaped, al);
	AS_TRY(as_in_peek(rd->in, 3, &window));
	if (as_slice_starts(window, "\xef\xbb\xbf")) {
		as_in_take(rd->in, 3);
		AS_TRY(as_in_peek(rd->in, 1, &window));
	}
	as_pull_init(&in->js, window, &in->escaped);
	in->js.p = rd->in->p; /* also where nothing stands there */
	in->js.end = as_at(in->js.p, window.len);
	in->js.more = json_in_more;
	in->js.inside = true;
	return AS_OK;
}

uint64_t as_json_in_off(const struct as_json_in *in)
{
	return in->rd->in->off + (uint64_t)(in->js.p - in->rd->in->p);
}

bool as_json_in_room(struct as_json_in *in, bool ok)
{
	in->js.no_memory |= !ok;
	return ok || as_pull_wrong(&in->js, "out of memory");
}

bool as_json_in_count(struct as_json_in *in, uint64_t *v)
{
	struct as_slice text;
	bool below;

	return as_pull_number(&in->js, &text) &&
	       ((as_pull_integer(text, v, &below) && !below) ||
		       as_pull_wrong(&in->js, "a number that is no count of 64 bits"));
}

bool as_json_in_text(struct as_json_in *in, struct as_arena *arena, struct as_slice *to)
{
	struct as_slice text;

	if (!as_pull_text(&in->js, &text))
		return false;
	*to = as_arena_dup(arena, text);
	return as_json_in_room(in, to->p);
}

enum as_code as_json_in_end(struct as_json_in *in)
{
	const struct as_pull *j = &in->js;

	AS_TRY(in->rc);
	if (!j->why || in->kept)
		return AS_OK;
	if (j->no_memory)
		return as_err_no_memory(in->rd->err);
	return as_rd_fail(in->rd, j->cut ? AS_E_TRUNC : AS_E_FORMAT, as_json_in_off(in), 0, "%s%s",
		j->cut ? "the file ends too early: " : "", j->why);
}

bool as_json_in_keep(struct as_json_in *in)
{
	const struct as_pull *j = &in->js;

	in->kept = in->rc == AS_OK && j->why && j->cut && !j->no_memory;
	if (!in->kept)
		return false;
	as_err_clear(in->rd->err);
	as_rd_partial(in->rd);
	return true;
}

enum as_code as_json_in_tell(struct as_json_in *in, const char *what)
{
	if (!in->kept)
		return AS_OK;
	return as_rd_find(in->rd, AS_F_TRUNCATED, as_json_in_off(in), 0,
		"the file ends too early; kept: %s", what);
}

struct as_slice as_json_head(struct as_slice head, char c)
{
	size_t n = as_slice_starts(head, "\xef\xbb\xbf") ? 3 : 0;

	while (n < head.len &&
		(head.p[n] == ' ' || head.p[n] == '\n' || head.p[n] == '\r' || head.p[n] == '\t'))
		n++;
	head = as_slice_skip(head, n);
	return head.len && head.p[0] == c ? head : as_slice_of("");
}

bool as_json_has_key(struct as_slice head, const char *key)
{
	struct as_slice name;
	struct as_pull j;

	as_pull_init(&j, head, NULL);
	as_pull_object(&j);
	while (as_pull_key(&j, &name)) {
		if (as_slice_is(name, key))
			return true;
		as_pull_skip(&j);
	}
	return false;
}
