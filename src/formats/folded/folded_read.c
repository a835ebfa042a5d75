/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading folded stacks. Frames are known by their text. The frames of a line that are new get
 * nodes one behind the other, and are found again so: only where paths part is there an entry in
 * the index. Most lines of a large file part from the others once, so the index stays small.
 * What a line has in common with the one before it is not looked at again: files are often
 * sorted.
 */
#include "formats/folded/folded.h"

/* A frame by its text, marks included. */
struct frame {
	struct as_slice text; /* the profile's arena */
	as_place place;
};

/* A frame of the last line: where it ends in the line, and its node. */
struct level {
	size_t end;
	as_node node;
};

struct reader {
	struct as_rd *rd;
	const struct as_alloc *al;
	uint64_t line;    /* number of the one that is read */
	const char *base; /* of the window, which is at byte BASE_OFF */
	uint64_t base_off;
	unsigned columns;
	uint64_t scale;
	AS_VEC(struct frame) frame;
	struct as_index frames, nodes;
	AS_VEC(struct level) level;
	struct as_slice last;       /* stack of the last line, in the window */
	AS_VEC(uint32_t) sample_of; /* of each node: its sample + 1 */
	as_object kernel, jit;
};

static enum as_code no_memory(struct reader *r)
{
	return as_err_set(r->rd->err, AS_E_NOMEM, "out of memory");
}

static enum as_code find(
	struct reader *r, enum as_finding_id id, struct as_slice at, const char *what)
{
	return as_rd_find(r->rd, id, r->base_off + (uint64_t)(at.p - r->base), r->line,
		"%s: '%.*s'", what, AS_SLICE_FMT(at));
}

/* ---- frames ---- */

/* "f_[i]" to "f", for MARK 'i'. Blanks around a name are no part of it. */
static bool cut_mark(struct as_slice *name, char mark)
{
	size_t n = name->len;

	if (n <= 4 || name->p[n - 4] != '_' || name->p[n - 3] != '[' || name->p[n - 2] != mark ||
		name->p[n - 1] != ']')
		return false;
	name->len -= 4;
	*name = as_slice_trim(*name);
	return true;
}

static enum as_code object(struct reader *r, const char *path, as_object *object)
{
	if (object->i)
		return AS_OK;
	return as_build_object(r->rd->out, as_slice_of(path), (struct as_slice){NULL, 0}, object);
}

static enum as_code new_frame(
	struct reader *r, struct as_slice text, uint64_t hash, as_place *place)
{
	struct as_build *b = r->rd->out;
	struct as_slice name = as_slice_trim(text);
	struct as_pos pos = {.inlined = cut_mark(&name, 'i')};
	struct frame frame;
	as_object in = {0};

	if (cut_mark(&name, 'k')) {
		AS_TRY(object(r, AS_FOLDED_KERNEL, &r->kernel));
		in = r->kernel;
	} else if (cut_mark(&name, 'j')) {
		AS_TRY(object(r, AS_FOLDED_JIT, &r->jit));
		in = r->jit;
	}
	if (!name.len)
		AS_TRY(find(r, AS_F_FO_FRAME_EMPTY, text, "a frame has no name"));
	else
		AS_TRY(as_build_func(b, name, in, (as_file){0}, 0, &pos.func));
	AS_TRY(as_build_place(b, &pos, place));
	frame = (struct frame){as_arena_dup(&b->prof->arena, text), *place};
	if (!frame.text.p || r->frame.n >= UINT32_MAX - 1 ||
		!as_index_add(&r->frames, hash, (uint32_t)r->frame.n) ||
		!as_vec_push(r->al, &r->frame, frame))
		return no_memory(r);
	return AS_OK;
}

static inline enum as_code frame_of(struct reader *r, struct as_slice text, as_place *place)
{
	uint64_t hash = as_hash_bytes(text.p, text.len), pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&r->frames, hash, &pos, &i)) {
		if (AS_LIKELY(as_slice_eq(r->frame.p[i].text, text))) {
			*place = r->frame.p[i].place;
			return AS_OK;
		}
	}
	return new_frame(r, text, hash, place);
}

/* ---- stacks ---- */

/* How many bytes two stacks have in common. */
static size_t common(struct as_slice a, struct as_slice b)
{
	size_t n = a.len < b.len ? a.len : b.len, i = 0;

	for (; i + 8 <= n; i += 8)
		if (memcmp(a.p + i, b.p + i, 8) != 0)
			break;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

/* Keep the frames of the last stack that STACK begins with, too. */
static void keep_common(struct reader *r, struct as_slice stack)
{
	size_t same = common(r->last, stack);

	while (r->level.n) {
		size_t end = r->level.p[r->level.n - 1].end;

		if (end <= same && (end == stack.len || stack.p[end] == ';'))
			break;
		r->level.n--;
	}
}

static enum as_code too_deep(struct reader *r, struct as_slice stack)
{
	return as_rd_fail(r->rd, AS_E_LIMIT, r->base_off + (uint64_t)(stack.p - r->base), r->line,
		"the stack is deeper than %" PRIu64 " frames", r->rd->lim.depth);
}

/* As as_build_push(). The node behind PARENT may be its child; others are in the index. */
static inline enum as_code push(struct reader *r, as_node parent, as_place place, as_node *node)
{
	struct as_profile *prof = r->rd->out->prof;
	uint64_t pos = AS_INDEX_START, hash;
	uint32_t n = (uint32_t)prof->node.parent.n;

	node->i = parent.i + 1;
	if (node->i < n && prof->node.parent.p[node->i].i == parent.i &&
		prof->node.place.p[node->i].i == place.i)
		return AS_OK;
	hash = as_hash_mix(parent.i, place.i);
	while (node->i < n && as_index_find(&r->nodes, hash, &pos, &node->i))
		if (prof->node.parent.p[node->i].i == parent.i &&
			prof->node.place.p[node->i].i == place.i)
			return AS_OK;
	if (n >= UINT32_MAX - 2)
		return as_err_set(r->rd->err, AS_E_LIMIT, "more than 2^32 path nodes");
	node->i = n;
	if (!as_vec_push(r->al, &prof->node.parent, parent) ||
		!as_vec_push(r->al, &prof->node.place, place))
		return no_memory(r);
	if (n != parent.i + 1 && !as_index_add(&r->nodes, hash, n))
		return no_memory(r);
	return AS_OK;
}

static enum as_code node_of(struct reader *r, struct as_slice stack, as_node *node)
{
	size_t at = 0;

	node->i = 0;
	if (stack.len)
		keep_common(r, stack);
	else
		r->level.n = 0;
	if (r->level.n) {
		*node = r->level.p[r->level.n - 1].node;
		at = r->level.p[r->level.n - 1].end + 1;
	}
	r->last = stack;
	while (stack.len && at <= stack.len) {
		const char *semi =
			at < stack.len ? memchr(stack.p + at, ';', stack.len - at) : NULL;
		size_t end = semi ? (size_t)(semi - stack.p) : stack.len;
		as_place place;

		if (r->level.n >= r->rd->lim.depth)
			return too_deep(r, stack);
		AS_TRY(frame_of(r, (struct as_slice){stack.p + at, end - at}, &place));
		AS_TRY(push(r, *node, place, node));
		if (!as_vec_push(r->al, &r->level, ((struct level){end, *node})))
			return no_memory(r);
		at = end + 1;
	}
	return AS_OK;
}

static enum as_code add_sample(struct reader *r, as_node node, const as_val *count)
{
	struct as_profile *prof = r->rd->out->prof;
	uint32_t sample;

	while (r->sample_of.n <= node.i)
		if (!as_vec_push(r->al, &r->sample_of, 0))
			return no_memory(r);
	sample = r->sample_of.p[node.i];
	if (sample) {
		for (unsigned i = 0; i < r->columns; i++)
			prof->sample.cost.p[(size_t)(sample - 1) * r->columns + i] += count[i];
		return AS_OK;
	}
	AS_TRY(as_build_sample(r->rd->out, 0, node, count));
	r->sample_of.p[node.i] = (uint32_t)prof->sample.node.n;
	return AS_OK;
}

/* ---- lines ---- */

static enum as_code read_stack(
	struct reader *r, struct as_slice line, const struct as_folded_line *fl)
{
	as_node node;

	if (fl->rounded)
		AS_TRY(find(r, AS_F_FO_COUNT_FRACTION, line, "a fraction was rounded"));
	if (!fl->stack.len)
		AS_TRY(find(r, AS_F_FO_NO_STACK, line, "a count without a stack"));
	AS_TRY(node_of(r, fl->stack, &node));
	return add_sample(r, node, fl->count);
}

static enum as_code read_line(struct reader *r, struct as_slice line)
{
	struct as_folded_line fl;

	switch (as_folded_split(line, r->columns, r->scale, &fl)) {
	case AS_FOLDED_STACK:
		return read_stack(r, line, &fl);
	case AS_FOLDED_NOISE:
		break;
	case AS_FOLDED_NO_COUNT:
		return find(r, AS_F_FO_NO_COUNT, line,
			"expected 'frame;frame COUNT'; the line was left out");
	case AS_FOLDED_TOO_FEW:
		return find(
			r, AS_F_FO_ONE_COUNT, line, "expected two counts; the line was left out");
	case AS_FOLDED_RANGE:
		return find(r, AS_F_COUNT_RANGE, line,
			"a count is beyond 64 bits; the line was left out");
	}
	return AS_OK;
}

static enum as_code read_window(struct reader *r, struct as_slice lines)
{
	r->base = lines.p;
	r->base_off = r->rd->in->off;
	r->last.len = r->level.n = 0;
	while (lines.len) {
		const char *nl = memchr(lines.p, '\n', lines.len);
		struct as_slice line = {lines.p, nl ? (size_t)(nl - lines.p) : lines.len};

		r->line++;
		AS_TRY(read_line(r, line));
		if (!nl)
			AS_TRY(find(r, AS_F_FO_LINE_END, line,
				"the last line has no end: it may have been cut"));
		lines = as_slice_skip(lines, line.len + (nl != NULL));
	}
	return AS_OK;
}

static enum as_code read_lines(struct reader *r)
{
	struct as_slice lines;
	enum as_code rc;

	while ((rc = as_in_lines(r->rd->in, &lines)) == AS_OK) {
		AS_TRY(read_window(r, lines));
		as_in_take(r->rd->in, lines.len);
	}
	return rc == AS_END ? AS_OK : rc;
}

/* ---- all of it ---- */

static enum as_code options(struct reader *r)
{
	const char *columns = as_opts_get(&r->rd->opts, "columns");
	const char *scale = as_opts_get(&r->rd->opts, "scale");
	struct as_slice digits = as_slice_of(scale);

	if (columns && strcmp(columns, "1") != 0 && strcmp(columns, "2") != 0)
		return as_err_set(r->rd->err, AS_E_ARG, "columns=%s: expected 1 or 2", columns);
	if (columns)
		r->columns = (unsigned)(columns[0] - '0');
	r->scale = 1;
	if (!scale)
		return AS_OK;
	if (digits.len < 1 || digits.len > 10 || digits.p[0] != '1')
		digits.len = 0;
	for (size_t i = 1; i < digits.len; i++)
		r->scale = digits.p[i] == '0' ? r->scale * 10 : 0;
	if (!digits.len || !r->scale)
		return as_err_set(r->rd->err, AS_E_ARG,
			"scale=%s: expected a power of ten, up to 1000000000", scale);
	return AS_OK;
}

/* What it is was asked before; a caller may have named the format, though. */
static enum as_code look(struct reader *r)
{
	struct as_peek pk;

	AS_TRY(as_in_peek(r->rd->in, (size_t)AS_PEEK_MAX + 1, &pk.head));
	pk.whole = pk.head.len <= AS_PEEK_MAX;
	if (!pk.whole)
		pk.head.len = AS_PEEK_MAX;
	if (!pk.head.len)
		return as_rd_fail(r->rd, AS_E_TRUNC, AS_OFF_NONE, 0, "the file is empty");
	if (as_folded_look(&pk, &r->columns) == AS_PROBE_NO)
		return as_rd_fail(r->rd, AS_E_NOTPROFILE, 0, 1,
			"not folded stacks: most lines are not 'frame;frame COUNT'");
	return AS_OK;
}

static enum as_code build_head(struct reader *r)
{
	static const char *const pair[] = {"base", "new"};
	struct as_build *b = r->rd->out;
	uint32_t part, event[AS_FOLDED_COLUMNS] = {0};

	AS_TRY(as_build_part(b, &part));
	AS_TRY(as_build_str(b, as_slice_of("folded"), &b->prof->format));
	AS_TRY(as_build_str(b, as_base_name(as_slice_of(r->rd->name ? r->rd->name : "")),
		&b->prof->part.p[part].name));
	for (unsigned i = 0; i < r->columns; i++)
		AS_TRY(as_build_event(b, as_slice_of(r->columns == 1 ? "samples" : pair[i]),
			as_slice_of("count"), &event[i]));
	return as_build_part_events(b, part, event, r->columns);
}

static enum as_code read_all(struct reader *r)
{
	AS_TRY(look(r));
	AS_TRY(options(r));
	AS_TRY(build_head(r));
	AS_TRY(read_lines(r));
	if (!r->rd->out->prof->sample.node.n)
		AS_TRY(as_rd_find(r->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "there are no stacks"));
	return AS_OK;
}

enum as_code as_folded_read(struct as_rd *rd)
{
	struct reader r = {.rd = rd, .al = rd->out->prof->al};
	enum as_code rc;

	as_index_init(&r.frames, r.al);
	as_index_init(&r.nodes, r.al);
	rc = read_all(&r);
	as_index_release(&r.frames);
	as_index_release(&r.nodes);
	as_vec_free(r.al, &r.frame);
	as_vec_free(r.al, &r.level);
	as_vec_free(r.al, &r.sample_of);
	return rc;
}
