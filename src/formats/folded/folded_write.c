/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing folded stacks: a line for each path by names, in the order of the names, frame by
 * frame. Paths that look the same are one.
 */
#include "base/index.h"
#include "base/sort.h"
#include "formats/folded/folded.h"
#include "formats/nameless.h"

/* What a frame is called in the file. */
struct frame {
	struct as_slice text;
	uint32_t as_root, as_leaf; /* frame + 1 to take there instead; 0 = not asked for yet */
};

/* A node that is still to be written. */
struct pending {
	uint32_t node, depth;
};

struct writer {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_arena arena;
	bool marks;
	uint32_t event[AS_FOLDED_COLUMNS], columns;
	uint64_t changed; /* names that are not written as they are */
	uint64_t lines;   /* that are not written */
	uint8_t *files;   /* 1: it is written */

	AS_VEC(struct frame) frame;
	struct as_index frames;
	uint32_t *of_place; /* frame + 1 of each place */
	uint32_t *to;       /* node of ours of each node of the profile */

	AS_VEC(uint32_t) parent; /* of each node of ours; node 0 is the root */
	AS_VEC(uint32_t) of;     /* its frame */
	AS_VEC(as_val) cost;     /* COLUMNS a node */
	AS_VEC(uint8_t) sampled;
	struct as_index nodes;

	uint32_t *start, *child; /* children of each node, by name */
	AS_VEC(struct pending) ahead;
	AS_VEC(char) text;  /* the line so far */
	AS_VEC(size_t) len; /* of TEXT at each depth */
};

/* ---- names ---- */

static bool is_kernel(struct as_slice path)
{
	return as_slice_starts(path, "[kernel") || as_slice_starts(path, "[guest.kernel") ||
	       as_slice_starts(as_base_name(path), "vmlinux");
}

static bool is_jit(struct as_slice path)
{
	struct as_slice base = as_base_name(path);

	return as_slice_is(path, AS_FOLDED_JIT) ||
	       (as_slice_starts(base, "perf-") && as_slice_ends(base, ".map")) ||
	       (as_slice_starts(base, "jitted-") && as_slice_ends(base, ".so"));
}

/* NAME without what a reader takes off it: blanks around it, and what marks the byte order before
 * the first one of a file. */
static struct as_slice folded_write_bare(struct as_slice name)
{
	size_t len;

	do {
		len = name.len;
		name = as_slice_trim(as_folded_past_marks(name));
	} while (name.len < len);
	return name;
}

/* What would end a frame or a line, or be taken for something else, becomes something alike. */
static char clean_byte(char c)
{
	if (c == ';')
		return ':';
	if (c == '\t')
		return ' ';
	if ((unsigned char)c < 0x20)
		return '?';
	return c;
}

static struct as_slice folded_write_clean(struct writer *w, struct as_slice name)
{
	struct as_slice s = folded_write_bare(name), out;
	char *p;

	out = as_arena_dup(&w->arena, s);
	if (!out.p)
		return out;
	p = (char *)(uintptr_t)out.p; /* ours */
	for (size_t i = 0; i < out.len; i++)
		p[i] = clean_byte(p[i]);
	out = as_slice_trim(out);
	if (name.len && !as_slice_eq(out, name))
		w->changed++;
	return out.len ? out : as_slice_of("[unknown]");
}

/* NAME, that of the function at POS, with the line if it is Python's; p == NULL if out of memory.
 * What is read again must be that. */
static struct as_slice with_line(struct writer *w, const struct as_pos *pos, struct as_slice name)
{
	struct as_slice path = as_file_path(w->prof, pos->file), text;
	struct as_folded_python py;

	if (!pos->line)
		return name;
	if (pos->file.i != w->prof->func.file.p[pos->func.i].i) {
		w->lines++;
		return name;
	}
	text = as_arena_printf(&w->arena, "%.*s (%.*s:%" PRIu64 ")", AS_SLICE_FMT(name),
		AS_SLICE_FMT(path), pos->line);
	if (text.p && (!as_folded_python(text, &py) || !as_slice_eq(py.name, name))) {
		w->lines++;
		return name;
	}
	w->files[pos->file.i] = 1;
	return text;
}

static struct as_slice pos_text(struct writer *w, const struct as_pos *pos)
{
	struct as_slice name = as_func_name(w->prof, pos->func);
	struct as_slice path = as_object_path(w->prof, w->prof->func.object.p[pos->func.i]);
	const char *mark;

	name = name.len ? with_line(w, pos, name)
			: as_nameless(w->prof, &w->arena, pos->func, pos->addr);
	name = name.p ? folded_write_clean(w, name) : name;
	mark = is_kernel(path) ? "_[k]" : is_jit(path) ? "_[j]" : "";
	if (!name.p || !w->marks || !(mark[0] || pos->inlined))
		return name;
	return as_arena_printf(
		&w->arena, "%.*s%s%s", AS_SLICE_FMT(name), mark, pos->inlined ? "_[i]" : "");
}

/* TEXT is the arena's. */
static enum as_code folded_write_intern(struct writer *w, struct as_slice text, uint32_t *frame)
{
	uint64_t hash, pos = AS_INDEX_START;
	struct frame f = {.text = text};

	AS_TRY(as_err_memory(w->wr->err, text.p));
	hash = as_hash_bytes(text.p, text.len);
	while (as_index_find(&w->frames, hash, &pos, frame))
		if (as_slice_eq(w->frame.p[*frame].text, text))
			return AS_OK;
	*frame = (uint32_t)w->frame.n;
	return as_err_memory(w->wr->err,
		as_vec_push(w->al, &w->frame, f) && as_index_add(&w->frames, hash, *frame));
}

/* The frame that stands for FRAME with the byte AT replaced by '_'. */
static enum as_code folded_write_underscored(
	struct writer *w, uint32_t frame, size_t at, uint32_t *out)
{
	struct as_slice copy = as_arena_dup(&w->arena, w->frame.p[frame].text);

	AS_TRY(as_err_memory(w->wr->err, copy.p));
	((char *)(uintptr_t)copy.p)[at] = '_';
	w->changed++;
	return folded_write_intern(w, copy, out);
}

/* At the beginning of a line '#' would make it a comment. */
static enum as_code as_root(struct writer *w, uint32_t frame, uint32_t *out)
{
	*out = w->frame.p[frame].as_root - 1;
	if (w->frame.p[frame].as_root)
		return AS_OK;
	*out = frame;
	if (w->frame.p[frame].text.p[0] == '#')
		AS_TRY(folded_write_underscored(w, frame, 0, out));
	w->frame.p[frame].as_root = *out + 1;
	return AS_OK;
}

/* Before the count, a number at the end of a name would be another count. */
static enum as_code as_leaf(struct writer *w, uint32_t frame, uint32_t *out)
{
	struct as_slice text = w->frame.p[frame].text;
	size_t at = as_folded_number_at(text);

	*out = w->frame.p[frame].as_leaf - 1;
	if (w->frame.p[frame].as_leaf)
		return AS_OK;
	*out = frame;
	if (at < text.len)
		AS_TRY(folded_write_underscored(w, frame, at, out));
	w->frame.p[frame].as_leaf = *out + 1;
	return AS_OK;
}

/* ---- the tree of names ---- */

static enum as_code push_node(struct writer *w, uint32_t parent, uint32_t frame)
{
	size_t at = w->cost.n;

	if (w->parent.n >= UINT32_MAX - 2)
		return as_err_set(w->wr->err, AS_E_LIMIT, "more than 2^32 call paths");
	if (!as_vec_push(w->al, &w->parent, parent) || !as_vec_push(w->al, &w->of, frame) ||
		!as_vec_push(w->al, &w->sampled, 0) ||
		!as_vec_reserve(w->al, &w->cost, at + w->columns))
		return as_err_no_memory(w->wr->err);
	for (uint32_t i = 0; i < w->columns; i++)
		w->cost.p[at + i] = 0;
	w->cost.n = at + w->columns;
	return AS_OK;
}

static enum as_code child_of(struct writer *w, uint32_t parent, uint32_t frame, uint32_t *node)
{
	uint64_t pos = AS_INDEX_START, hash;

	if (!parent)
		AS_TRY(as_root(w, frame, &frame));
	hash = as_hash_mix(parent, frame);
	while (as_index_find(&w->nodes, hash, &pos, node))
		if (w->parent.p[*node] == parent && w->of.p[*node] == frame)
			return AS_OK;
	*node = (uint32_t)w->parent.n;
	AS_TRY(push_node(w, parent, frame));
	return as_err_memory(w->wr->err, as_index_add(&w->nodes, hash, *node));
}

static enum as_code folded_write_frame_of(struct writer *w, as_place place, uint32_t *frame)
{
	if (!w->of_place[place.i]) {
		struct as_pos pos = as_place_pos(w->prof, place);

		AS_TRY(folded_write_intern(w, pos_text(w, &pos), frame));
		w->of_place[place.i] = *frame + 1;
	}
	*frame = w->of_place[place.i] - 1;
	return AS_OK;
}

static enum as_code add_nodes(struct writer *w)
{
	const struct as_profile *prof = w->prof;
	uint32_t frame;

	AS_TRY(push_node(w, 0, 0));
	for (size_t i = 1; i < prof->node.parent.n; i++) {
		AS_TRY(folded_write_frame_of(w, prof->node.place.p[i], &frame));
		AS_TRY(child_of(w, w->to[prof->node.parent.p[i].i], frame, &w->to[i]));
	}
	return AS_OK;
}

/* A path ends at NODE, or at one beside it. */
static enum as_code end_at(struct writer *w, uint32_t *node)
{
	uint32_t frame = w->of.p[*node], leaf;

	AS_TRY(as_leaf(w, frame, &leaf));
	return leaf == frame ? AS_OK : child_of(w, w->parent.p[*node], leaf, node);
}

/* The node at which the paths of the profile's node end. */
static enum as_code folded_write_end_of(struct writer *w, as_node node, uint32_t *out)
{
	uint32_t frame;

	*out = w->to[node.i];
	if (node.i)
		return end_at(w, out);
	AS_TRY(folded_write_intern(w, as_slice_of("[unknown]"), &frame));
	return child_of(w, 0, frame, out);
}

static void add_cost(struct writer *w, uint32_t node, const as_val *cost)
{
	w->sampled.p[node] = 1;
	for (uint32_t k = 0; k < w->columns; k++)
		w->cost.p[(size_t)node * w->columns + k] += cost[w->event[k]];
}

static enum as_code add_samples(struct writer *w)
{
	const struct as_profile *prof = w->prof;
	size_t e = prof->event.n;
	uint32_t node;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		AS_TRY(folded_write_end_of(w, prof->sample.node.p[i], &node));
		add_cost(w, node, prof->sample.cost.p + i * e);
	}
	return AS_OK;
}

/* ---- rows of self cost, each a path of one frame ---- */

/* A row of RUN, and the node that it ends at. */
struct row_text {
	uint32_t node;
	uint64_t changed; /* the name is counted as changed so often */
	bool of_all;      /* the file does not tell the line: the text is that of all rows */
};

static enum as_code text_of_row(struct writer *w, const struct as_run *run,
	const struct as_rows_cur *cur, struct row_text *out)
{
	struct as_pos pos = {
		.func = run->func, .file = run->file, .line = cur->line, .addr = cur->addr};
	uint64_t lines = w->lines, changed = w->changed;
	struct as_slice text = pos_text(w, &pos);
	uint32_t frame;

	/* Lines belong to names: what has none has its address in its text, another in each row. */
	out->of_all = w->lines > lines;
	as_assert(!out->of_all || w->prof->func.name.p[run->func.i].i);
	out->changed = w->changed - changed;
	AS_TRY(folded_write_intern(w, text, &frame));
	AS_TRY(child_of(w, 0, frame, &out->node));
	return end_at(w, &out->node);
}

static enum as_code folded_write_add_run(struct writer *w, const struct as_run *run, as_val *cost)
{
	struct row_text text = {0};
	struct as_rows_cur cur;

	as_rows_begin(&cur, &w->prof->self, run, cost);
	while (as_rows_next(&cur)) {
		if (text.of_all) {
			w->lines += cur.line != 0;
			w->changed += text.changed;
		} else {
			AS_TRY(text_of_row(w, run, &cur, &text));
		}
		add_cost(w, text.node, cost);
	}
	return AS_OK;
}

/* Whether the text of FUNC's rows is *ENDS around their addresses, and a reader leaves it as it is.
 * Tried with address 1. */
static bool folded_write_find_ends(struct writer *w, as_func func, struct as_folded_ends *ends)
{
	static const char one[] = "0x1";
	struct as_pos pos = {.func = func, .addr = 1};
	uint64_t changed = w->changed;
	struct as_slice text;
	size_t at;

	if (!func.i || w->prof->func.name.p[func.i].i || w->prof->func.addr.p[func.i])
		return false;
	text = pos_text(w, &pos);
	at = as_slice_find_text(text, "+0x1]") + 1;
	if (w->changed != changed || text.len > AS_FOLDED_BARE_MAX - AS_OUT_NUM || at >= text.len ||
		text.p[0] != '[' || as_folded_number_at(text) < text.len)
		return false;
	ends->head = (struct as_slice){text.p, at};
	ends->tail = as_slice_skip(text, at + strlen(one));
	return as_slice_is(ends->tail, "]") || as_slice_is(ends->tail, "]_[k]") ||
	       as_slice_is(ends->tail, "]_[j]");
}

/* Rows that are all of code without names need no tree. *DONE: they are such, and written. */
static enum as_code folded_write_bare_rows(struct writer *w, bool *done)
{
	const struct as_profile *prof = w->prof;
	struct as_folded_ends *ends;
	struct as_folded_bare bare = {
		.wr = w->wr, .prof = prof, .event = w->event, .columns = w->columns};
	uint64_t changed = w->changed;

	*done = prof->self.n && !prof->sample.node.n;
	if (!*done)
		return AS_OK;
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &ends, prof->func.name.n)));
	for (size_t i = 0; *done && i < prof->self.run.n; i++) {
		as_func func = prof->self.run.p[i].func;

		*done = ends[func.i].head.p || folded_write_find_ends(w, func, &ends[func.i]);
	}
	w->changed = changed;
	bare.ends = ends;
	return *done ? as_folded_bare_write(&bare) : AS_OK;
}

static enum as_code add_rows(struct writer *w)
{
	as_val *cost;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &cost, w->prof->self.width)));
	for (size_t i = 0; i < w->prof->self.run.n; i++)
		AS_TRY(folded_write_add_run(w, &w->prof->self.run.p[i], cost));
	return AS_OK;
}

/* ---- lines ---- */

static int folded_write_cmp_frame(const void *ctx, uint32_t a, uint32_t b)
{
	const struct writer *w = ctx;

	return as_slice_cmp(w->frame.p[a].text, w->frame.p[b].text);
}

/* ORDER gets all nodes but the root by the names of their frames. */
static bool folded_write_order_nodes(struct writer *w, uint32_t *order)
{
	struct as_order names;
	uint32_t *next; /* of each rank: where its next node goes */
	size_t n = w->frame.n;

	if (!as_order_init(&names, w->al, n, folded_write_cmp_frame, w) ||
		!as_alloc_array(w->al, &next, n + 1))
		return false;
	for (size_t i = 1; i < w->parent.n; i++)
		next[names.rank[w->of.p[i]] + 1]++;
	for (size_t i = 0; i < n; i++)
		next[i + 1] += next[i];
	for (size_t i = 1; i < w->parent.n; i++)
		order[next[names.rank[w->of.p[i]]]++] = (uint32_t)i;
	return true;
}

/* start[i] .. start[i + 1] - 1 of CHILD: the children of node i by name. */
static bool folded_write_link_children(struct writer *w)
{
	size_t n = w->parent.n;
	uint32_t *order;

	if (!as_alloc_array(w->al, &order, n) || !as_alloc_array(w->al, &w->start, n + 2) ||
		!as_alloc_array(w->al, &w->child, n) || !folded_write_order_nodes(w, order))
		return false;
	for (size_t i = 1; i < n; i++)
		w->start[w->parent.p[i] + 2]++; /* a child's number is higher: <= n */
	for (size_t i = 1; i <= n; i++)
		w->start[i + 1] += w->start[i];
	for (size_t i = 0; i + 1 < n; i++)
		w->child[w->start[w->parent.p[order[i]] + 1]++] = order[i];
	return true;
}

static bool folded_write_append(struct writer *w, uint32_t depth, struct as_slice text)
{
	size_t at = depth ? w->len.p[depth - 1] : 0;

	if (!as_vec_reserve(w->al, &w->text, at + text.len + 2) ||
		!as_vec_reserve(w->al, &w->len, (size_t)depth + 1))
		return false;
	if (depth)
		w->text.p[at++] = ';';
	memcpy(w->text.p + at, text.p, text.len);
	w->len.p[depth] = at + text.len;
	w->len.n = (size_t)depth + 1;
	return true;
}

enum as_code as_folded_put_counts(struct as_wr *wr, const as_val *cost, uint32_t columns)
{
	for (uint32_t i = 0; i < columns; i++) {
		if (cost[i] > (as_val)UINT64_MAX || cost[i] < -((as_val)1 << 63))
			return as_err_set(wr->err, AS_E_LIMIT, "a count is beyond 64 bits");
		as_out_char(wr->out, ' ');
		as_out_val(wr->out, cost[i]);
	}
	as_out_char(wr->out, '\n');
	return AS_OK;
}

static enum as_code print_line(struct writer *w, uint32_t node)
{
	as_out_slice(w->wr->out, (struct as_slice){w->text.p, w->len.p[w->len.n - 1]});
	return as_folded_put_counts(w->wr, w->cost.p + (size_t)node * w->columns, w->columns);
}

static bool push_children(struct writer *w, uint32_t node, uint32_t depth)
{
	for (uint32_t i = w->start[node + 1]; i-- > w->start[node];)
		if (!as_vec_push(w->al, &w->ahead, ((struct pending){w->child[i], depth})))
			return false;
	return true;
}

static enum as_code folded_write_print_all(struct writer *w)
{
	if (!w->prof->sample.node.n && !w->prof->self.n)
		as_out_text(w->wr->out, AS_FOLDED_NOTHING);
	AS_TRY(as_err_memory(w->wr->err, folded_write_link_children(w) && push_children(w, 0, 0)));
	while (w->ahead.n) {
		struct pending p = w->ahead.p[--w->ahead.n];

		if (!folded_write_append(w, p.depth, w->frame.p[w->of.p[p.node]].text) ||
			!push_children(w, p.node, p.depth + 1))
			return as_err_no_memory(w->wr->err);
		if (w->sampled.p[p.node])
			AS_TRY(print_line(w, p.node));
	}
	return AS_OK;
}

/* ---- options and losses ---- */

/* The pair that two columns are read as is written so. */
static bool is_pair(const struct writer *w)
{
	uint32_t base, new;

	return as_n_events(w->prof) == 2 && as_profile_event(w->prof, as_slice_of("base"), &base) &&
	       as_profile_event(w->prof, as_slice_of("new"), &new) && base < new;
}

static enum as_code folded_write_choose_events(struct writer *w)
{
	const char *names = as_opts_get(&w->wr->opts, "event");
	struct as_slice rest = as_slice_of(names), name;

	if (!names) {
		w->columns = is_pair(w) ? 2 : 1;
		w->event[1] = 1;
		return as_n_events(w->prof) ? AS_OK
					    : as_err_set(w->wr->err, AS_E_UNSUPPORTED,
						      "the profile has no events");
	}
	while (as_slice_cut(&rest, ',', &name)) {
		if (w->columns == AS_FOLDED_COLUMNS)
			return as_err_set(
				w->wr->err, AS_E_ARG, "event=%s: more than two events", names);
		if (!as_profile_event(w->prof, name, &w->event[w->columns++]))
			return as_err_set(w->wr->err, AS_E_ARG, "the profile has no event '%.*s'",
				AS_SLICE_FMT(name));
	}
	if (w->columns == 2 && w->event[0] == w->event[1])
		return as_err_set(w->wr->err, AS_E_ARG, "event=%s: one event twice", names);
	return AS_OK;
}

static void add_losses(struct writer *w)
{
	const struct as_profile *prof = w->prof;
	uint64_t objects = 0, files = 0;

	for (size_t i = 1; i < prof->file.n; i++)
		files += !w->files[i];
	for (size_t i = 1; i < prof->object.n; i++) {
		struct as_slice path = as_object_path(prof, (as_object){(uint32_t)i});

		objects += !w->marks || (!as_slice_is(path, AS_FOLDED_KERNEL) &&
						!as_slice_is(path, AS_FOLDED_JIT));
	}
	as_losses_add(w->wr->losses, "objects", objects, "object{|s}");
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_FILES, files);
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_LINES, w->lines);
	as_losses_add(w->wr->losses, "events", as_n_events(prof) - w->columns, "event{|s}");
	as_losses_add(w->wr->losses, "names", w->changed,
		"name{|s} that would not be read as {it is|they are}, written otherwise");
}

/* ---- all of it ---- */

static enum as_code folded_write_all(struct writer *w)
{
	const struct as_profile *prof = w->prof;
	bool done;

	w->marks = as_opts_flag(&w->wr->opts, "marks", true);
	AS_TRY(folded_write_choose_events(w));
	AS_TRY(as_err_memory(
		w->wr->err, as_alloc_array(w->al, &w->of_place, prof->place.func.n) &&
				    as_alloc_array(w->al, &w->to, prof->node.parent.n) &&
				    as_alloc_array(w->al, &w->files, prof->file.n)));
	AS_TRY(folded_write_bare_rows(w, &done));
	if (!done) {
		AS_TRY(add_nodes(w));
		AS_TRY(add_samples(w));
		AS_TRY(add_rows(w));
		AS_TRY(folded_write_print_all(w));
	}
	add_losses(w);
	return AS_OK;
}

enum as_code as_folded_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct writer w = {.wr = wr, .prof = prof, .al = wr->al};

	as_arena_init(&w.arena, w.al);
	as_index_init(&w.frames, w.al);
	as_index_init(&w.nodes, w.al);
	return folded_write_all(&w);
}
