/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that DTrace counted, line by line. docs/formats/dtrace.md §1. */
#include "base/pool.h"
#include "formats/dtrace/dtrace.h"
#include "formats/tally.h"

/* A frame as it stands in the file. Each comes again and again. */
struct dtrace_text {
	struct as_slice text;
	as_place place;
};

struct dtrace {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_tally tally;
	uint64_t line;
	AS_VEC(struct dtrace_text) text;
	struct as_index texts;
	AS_VEC(as_place) stack; /* the innermost first */
	bool open;              /* a stack has begun, and has no count yet */
	AS_VEC(char) key;       /* of what follows, or "" */
	uint32_t samples;
	uint64_t n_counts;
};

/* ---- frames ---- */

static enum as_code dtrace_place(struct dtrace *d, const struct dtrace_line *f, as_place *place)
{
	struct as_build *b = d->rd->out;
	struct as_pos pos = {.addr = f->addr};
	as_object object = {0};

	if (f->module.len) {
		AS_TRY(as_build_object(b, f->module, as_slice_of(""), &object));
		b->prof->object.p[object.i].addr_kind = AS_ADDR_ABSOLUTE;
	}
	AS_TRY(as_build_func(b, f->name, object, pos.file, f->name.len ? 0 : f->addr, &pos.func));
	return as_build_place(b, &pos, place);
}

static enum as_code dtrace_push(struct dtrace *d, const struct dtrace_line *f)
{
	uint64_t hash = as_hash_bytes(f->text.p, f->text.len), at = AS_INDEX_START;
	struct dtrace_text one;
	uint32_t row;

	if (d->rd->lim.depth && d->stack.n >= d->rd->lim.depth)
		return as_rd_fail(d->rd, AS_E_LIMIT, AS_OFF_NONE, d->line,
			"the stack is deeper than %" PRIu64 " frames", d->rd->lim.depth);
	d->open = true;
	while (as_index_find(&d->texts, hash, &at, &row))
		if (as_slice_eq(d->text.p[row].text, f->text))
			return as_err_memory(
				d->rd->err, as_vec_push(d->al, &d->stack, d->text.p[row].place));
	AS_TRY(dtrace_place(d, f, &one.place));
	one.text = as_arena_dup(&d->arena, f->text);
	row = (uint32_t)d->text.n;
	return as_err_memory(d->rd->err, one.text.p && as_vec_push(d->al, &d->text, one) &&
						 as_index_add(&d->texts, hash, row) &&
						 as_vec_push(d->al, &d->stack, one.place));
}

/* ---- samples ---- */

/* Keys stand before the stack; nobody says which is what. */
static enum as_code dtrace_key(struct dtrace *d, struct as_slice text)
{
	struct as_slice word;

	while (as_slice_word(&text, &word))
		AS_TRY(as_err_memory(
			d->rd->err, (!d->key.n || as_vec_push(d->al, &d->key, ' ')) &&
					    as_vec_append(d->al, &d->key, word.p, word.len)));
	return AS_OK;
}

static enum as_code dtrace_end(struct dtrace *d, as_val count)
{
	struct as_tally_thread who = {
		.name = {d->key.n ? d->key.p : "", d->key.n}, .process = as_slice_of("")};
	as_node node = {0};
	uint32_t thread;

	for (size_t i = d->stack.n; i-- > 0;)
		AS_TRY(as_build_push(d->rd->out, node, d->stack.p[i], &node));
	AS_TRY(as_tally_thread(&d->tally, &who, &thread));
	AS_TRY(as_tally_add(&d->tally, thread, d->samples, node, count, NULL));
	d->n_counts++;
	d->stack.n = d->key.n = 0;
	d->open = false;
	return AS_OK;
}

static enum as_code dtrace_take(struct dtrace *d, struct as_slice text)
{
	struct dtrace_line line;

	as_dtrace_line(text, d->open, &line);
	switch (line.kind) {
	case DTRACE_FRAME:
		return dtrace_push(d, &line);
	case DTRACE_COUNT:
		return dtrace_end(d, line.count);
	case DTRACE_KEY:
		if (!d->open)
			return dtrace_key(d, line.text);
		as_rd_partial(d->rd);
		d->stack.n = 0;
		d->open = false;
		AS_TRY(as_rd_find(d->rd, AS_F_DT_LINE, AS_OFF_NONE, d->line,
			"neither a frame nor a count, below a stack, which was left out: '%.*s'",
			AS_SLICE_FMT(line.text)));
		return dtrace_key(d, line.text);
	default: /* between the stacks of one key stands an empty line, too */
		return AS_OK;
	}
}

static enum as_code dtrace_lines(struct dtrace *d)
{
	struct as_slice lines, line;
	enum as_code rc;

	while ((rc = as_in_lines(d->rd->in, &lines)) == AS_OK) {
		size_t n = lines.len;

		while (as_slice_line(&lines, true, &line)) {
			d->line++;
			AS_TRY(dtrace_take(d, as_slice_chop(line)));
		}
		as_in_take(d->rd->in, n);
	}
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code dtrace_all(struct dtrace *d)
{
	as_arena_init(&d->arena, d->al);
	as_index_init(&d->texts, d->al);
	as_tally_init(&d->tally, d->rd, d->al, "dtrace");
	AS_TRY(as_tally_event(
		&d->tally, as_slice_of("samples"), as_slice_of("count"), &d->samples));
	AS_TRY(dtrace_lines(d));
	AS_TRY(as_tally_put(&d->tally));
	if (d->open) {
		as_rd_partial(d->rd);
		AS_TRY(as_rd_find(d->rd, AS_F_DT_CUT, AS_OFF_NONE, d->line,
			"the text ends inside of a stack, which has no count and was left out"));
	}
	return as_rd_find_if(d->rd, !d->n_counts, AS_F_NO_SAMPLES, "there are no stacks");
}

enum as_code as_dtrace_read(struct as_rd *rd)
{
	struct dtrace d = {.rd = rd, .al = rd->al};

	return dtrace_all(&d);
}
