/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/bundle.h"

const struct as_bundle_mark as_bundle_marks[] = {
	{"info", "Ftrace!"},
	{NULL, NULL},
};

/* "file 123 NAME" */
static bool bundle_head(struct as_slice line, uint64_t *size, struct as_slice *name)
{
	struct as_slice word;

	if (!as_slice_word(&line, &word) || !as_slice_is(word, "file") ||
		!as_slice_word(&line, &word) || !as_slice_dec(word, size))
		return false;
	*name = as_slice_trim(line);
	return name->len && name->len < AS_BUNDLE_NAME && !as_slice_has(*name, '\0') &&
	       !as_slice_has(*name, '/');
}

bool as_bundle_first(struct as_slice head, struct as_slice *name, struct as_slice *data)
{
	struct as_slice line;
	uint64_t size;

	if (!as_slice_starts(head, AS_BUNDLE_MAGIC))
		return false;
	head = as_slice_skip(head, strlen(AS_BUNDLE_MAGIC));
	if (!as_slice_has(head, '\n') || !as_slice_cut(&head, '\n', &line) ||
		!bundle_head(line, &size, name))
		return false;
	*data = head;
	data->len = data->len < size ? data->len : (size_t)size;
	return true;
}

enum as_code as_bundle_peek(struct as_bundle *b, size_t min, struct as_slice *out)
{
	AS_TRY(as_in_peek(b->in, min < b->left ? min : (size_t)b->left, out));
	out->len = out->len < b->left ? out->len : (size_t)b->left;
	b->cut |= !out->len && b->left;
	return AS_OK;
}

/* Over the rest of the file and the line end behind it. */
static enum as_code bundle_skip(struct as_bundle *b)
{
	struct as_slice s;

	while (b->left && !b->cut) {
		AS_TRY(as_bundle_peek(b, 1, &s));
		as_bundle_take(b, s.len);
	}
	if (!b->open || b->cut)
		return AS_OK;
	AS_TRY(as_in_peek(b->in, 1, &s));
	if (s.len && s.p[0] == '\n')
		as_in_take(b->in, 1);
	b->open = false;
	return AS_OK;
}

/* b->cut: the input ends in it. */
static enum as_code bundle_line(struct as_bundle *b, struct as_rd *rd, struct as_slice *line)
{
	uint64_t off = b->in->off;
	enum as_code rc = as_in_line(b->in, line);

	if (rc == AS_E_LIMIT)
		return as_rd_fail(rd, AS_E_FORMAT, off, 0, "a file's head is too long");
	b->cut |= rc == AS_OK && b->in->off - off == line->len;
	return rc;
}

enum as_code as_bundle_next(struct as_bundle *b, struct as_rd *rd)
{
	struct as_slice line, name, magic = as_slice_of(AS_BUNDLE_MAGIC);
	uint64_t off;

	magic.len--;
	if (!b->begun) {
		AS_TRY(bundle_line(b, rd, &line));
		if (!as_slice_eq(line, magic))
			return as_rd_fail(rd, AS_E_FORMAT, 0, 0,
				"this is no directory of files: '%.*s' was expected",
				AS_SLICE_FMT(magic));
		b->begun = true;
	}
	AS_TRY(bundle_skip(b));
	if (b->cut)
		return AS_END;
	off = b->in->off;
	AS_TRY(bundle_line(b, rd, &line));
	if (b->cut)
		return AS_END;
	if (!bundle_head(line, &b->left, &name))
		return as_rd_fail(rd, AS_E_FORMAT, off, 0,
			"the head of a file, 'file SIZE NAME', was expected");
	memcpy(b->name, name.p, name.len);
	b->name[name.len] = 0;
	b->off = b->in->off;
	b->open = true;
	return AS_OK;
}

enum as_code as_bundle_all(struct as_bundle *b, struct as_rd *rd, struct as_arena *arena,
	size_t max, struct as_slice *out)
{
	const struct as_alloc *al = rd->out->prof->al;
	enum as_code rc = AS_OK;
	struct as_slice s;
	AS_VEC(char) text = {0};

	if (b->left > max)
		return as_rd_fail(
			rd, AS_E_LIMIT, b->off, 0, "'%s' has more than %zu bytes", b->name, max);
	while (rc == AS_OK && b->left && !b->cut) {
		rc = as_bundle_peek(b, 1, &s);
		if (rc == AS_OK && !as_vec_append(al, &text, s.p, s.len))
			rc = as_err_no_memory(rd->err);
		if (rc == AS_OK)
			as_bundle_take(b, s.len);
	}
	*out = as_arena_dup(arena, (struct as_slice){text.p ? text.p : "", text.n});
	as_vec_free(al, &text);
	return rc == AS_OK && !out->p ? as_err_no_memory(rd->err) : rc;
}
