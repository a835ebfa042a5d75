/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks of a part, one after the other or by several threads. A round of
 * batches, some functions each, becomes text without names, in any order; while
 * the next round does, the names are put and the text goes into the file.
 */
#include "formats/callgrind/callgrind_write.h"

enum {
	BATCHES = 8,      /* of a round, for each thread */
	BATCHES_MAX = 64, /* of a round */
	KEEP = 512,       /* items and values that a batch has room for while it waits */
	GIANT = 8,        /* batches' rows: a function that has more is not set aside */
};

struct batch {
	struct cgw_block block;
	size_t from, to; /* runs of the order */
	enum as_code rc;
};

struct rounds {
	struct cgw *w;
	size_t part, next, to;  /* runs: of the part, which no batch has yet, behind the last */
	struct batch *batch[2]; /* becoming text; becoming text in the file */
	unsigned n[2], room;    /* batches in use; that there are */
	unsigned now;           /* which of them become text */
	uint64_t rows;          /* that make a batch */
	enum as_code rc;
};

static enum as_code cg_batch_failed(const struct cgw *w, const struct cgw_block *b, enum as_code rc)
{
	char text[AS_VAL_TEXT];

	if (rc == AS_E_LIMIT)
		return as_err_set(w->wr->err, AS_E_LIMIT,
			"a cost of %s does not fit the 64 bits of the callgrind format",
			as_val_text(b->too_large, text));
	return as_err_memory(w->wr->err, rc == AS_OK);
}

/* The end of the runs of the function that has run FROM; *ROWS becomes their rows. */
static size_t func_end(const struct cgw *w, size_t from, size_t to, uint64_t *rows)
{
	as_func func = as_cgw_run_at(w, from)->func;
	size_t i = from;

	*rows = 0;
	do
		*rows += as_cgw_run_at(w, i++)->n;
	while (i < to && as_cgw_run_at(w, i)->func.i == func.i);
	return i;
}

/* The functions of runs [FROM, TO), of a part that begins at run PART. */
static enum as_code put_funcs(struct cgw_block *b, size_t part, size_t from, size_t to)
{
	enum as_code rc = AS_OK;

	b->have_file = from > part;
	b->object.i = 0;
	if (b->have_file) {
		const struct cgw_func *f = &b->w->func_row[as_cgw_run_at(b->w, from - 1)->func.i];

		b->object = f->object;
		b->file = f->file;
	}
	while (rc == AS_OK && from < to) {
		uint64_t rows;
		size_t next = func_end(b->w, from, to, &rows);

		rc = as_cgw_func(b, from, next);
		from = next;
	}
	return rc;
}

static enum as_code put_at_once(struct cgw *w, size_t part, size_t from, size_t to)
{
	struct cgw_block b = {.w = w};
	enum as_code rc = AS_E_NOMEM;

	if (as_cgw_text_open(&b.text, w, false)) {
		rc = put_funcs(&b, part, from, to);
		as_cgw_text_flush(&b.text);
	}
	rc = cg_batch_failed(w, &b, rc);
	as_cgw_block_release(&b);
	return rc;
}

/* ---- rounds ---- */

/* The next batches. There are none where a giant comes next. */
static void cg_batch_plan(struct rounds *r, unsigned side)
{
	const struct cgw *w = r->w;
	uint64_t most = r->room * r->rows, all = 0;
	unsigned n = 0;

	for (; n < r->room && r->next < r->to && all < most; n++) {
		struct batch *batch = &r->batch[side][n];
		uint64_t rows = 0, more;

		batch->from = r->next;
		while (r->next < r->to && rows < r->rows) {
			size_t end = func_end(w, r->next, r->to, &more);

			if (more > GIANT * r->rows)
				break;
			r->next = end;
			rows += more;
		}
		if (!rows)
			break;
		batch->to = r->next;
		all += rows;
	}
	r->n[side] = n;
}

static void cg_batch_make(struct rounds *r, struct batch *batch)
{
	struct cgw_block *b = &batch->block;

	b->w = r->w;
	batch->rc = AS_E_NOMEM;
	if (!b->text.out.buf && !as_cgw_text_open(&b->text, r->w, true))
		return;
	batch->rc = put_funcs(b, r->part, batch->from, batch->to);
	if (b->item.cap > KEEP || b->value.cap > KEEP)
		as_cgw_block_shrink(b);
}

static enum as_code cg_batch_finish(struct rounds *r, unsigned side)
{
	unsigned n = r->n[side];

	r->n[side] = 0;
	for (unsigned i = 0; i < n; i++) {
		struct batch *batch = &r->batch[side][i];

		as_cgw_text_flush(&batch->block.text);
		if (batch->rc != AS_OK)
			return cg_batch_failed(r->w, &batch->block, batch->rc);
	}
	return AS_OK;
}

static void cg_batch_task(void *arg, unsigned i)
{
	struct rounds *r = arg;

	if (i > 0) {
		cg_batch_make(r, &r->batch[r->now][i - 1]);
		return;
	}
	r->rc = cg_batch_finish(r, !r->now);
	if (r->rc == AS_OK)
		cg_batch_plan(r, !r->now);
}

/* What has been planned, and what follows it up to the end or a giant. */
static enum as_code put_rounds(struct rounds *r)
{
	struct as_exec *exec = r->w->wr->exec;

	while (r->n[0] + r->n[1]) {
		exec->run(exec, cg_batch_task, r, r->n[r->now] + 1);
		if (r->rc != AS_OK)
			return r->rc;
		r->now = !r->now;
	}
	return AS_OK;
}

static enum as_code put_in_rounds(struct rounds *r)
{
	enum as_code rc;

	cg_batch_plan(r, r->now);
	if (r->n[r->now] == 1 && r->next == r->to)
		return put_at_once(r->w, r->part, r->part, r->to);
	rc = put_rounds(r);
	while (rc == AS_OK && r->next < r->to) {
		uint64_t rows;
		size_t from = r->next;

		r->next = func_end(r->w, from, r->to, &rows);
		rc = put_at_once(r->w, r->part, from, r->next);
		cg_batch_plan(r, r->now);
		if (rc == AS_OK)
			rc = put_rounds(r);
	}
	return rc;
}

static void cg_batch_release(struct rounds *r)
{
	for (int side = 0; side < 2; side++) {
		for (unsigned i = 0; r->batch[side] && i < r->room; i++)
			if (r->batch[side][i].block.w)
				as_cgw_block_release(&r->batch[side][i].block);
		as_alloc_free(r->w->al, r->batch[side], r->room * sizeof(**r->batch));
	}
}

enum as_code as_cgw_blocks(struct cgw *w, size_t from, size_t to)
{
	const struct as_profile *prof = w->prof;
	struct rounds r = {.w = w, .part = from, .next = from, .to = to};
	enum as_code rc = AS_E_NOMEM;

	/* Rows of many events are as good as many rows. */
	r.rows = w->batch_rows / (1 + w->column.n / 16) + 1;
	if (!w->wr->exec || prof->self.n + prof->call.n + prof->jump.n < 2 * r.rows)
		return put_at_once(w, from, from, to);
	r.room = BATCHES * w->wr->exec->jobs;
	if (r.room > BATCHES_MAX)
		r.room = BATCHES_MAX;
	r.batch[0] = as_alloc_new(w->al, r.room * sizeof(**r.batch));
	r.batch[1] = as_alloc_new(w->al, r.room * sizeof(**r.batch));
	if (r.batch[0] && r.batch[1])
		rc = put_in_rounds(&r);
	else
		rc = cg_batch_failed(w, NULL, rc);
	cg_batch_release(&r);
	return rc;
}
