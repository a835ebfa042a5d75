/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines by one thread, the tree of paths by another. The first finds the frames of each line, and
 * tells what is odd; the second makes nodes and samples of what the first found before. Each has
 * tables of its own, and of the profile it has what the other leaves alone: so all is made in the
 * order in which one thread makes it.
 */
#include "base/pool.h"
#include "formats/folded/folded_read.h"

/* BATCH[FILL] gets lines while the other one goes to the tree. */
struct folded_pair {
	struct as_folded_reader *lines;
	struct as_folded_batch batch[2];
	unsigned fill;
	enum as_code read, added;

	struct as_folded_reader tree;
	struct as_rd rd; /* of it, and what it writes to */
	struct as_build build;
	struct as_err err;
	struct as_pool pool;
};

enum as_code as_folded_add_line(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count)
{
	struct as_folded_batch *to = r->batch;
	size_t at = as_folded_keep_common(r, stack), kept = r->level.n, end, head = to->word.n;
	uint32_t place;
	bool ok = as_vec_push(r->al, &to->word, (uint32_t)kept) && as_vec_push(r->al, &to->word, 0);

	for (; ok && stack.len && at <= stack.len; at = end + 1) {
		AS_TRY(as_folded_frame_at(r, stack, at, &end, &place));
		ok = as_folded_push_level(r, end, place, 0) && as_vec_push(r->al, &to->word, place);
	}
	AS_TRY(as_err_memory(
		r->rd->err, ok && as_vec_append(r->al, &to->count, count, r->columns)));
	to->word.p[head + 1] = (uint32_t)(to->word.n - head - 2);
	return AS_OK;
}

static void pair_do(void *arg, unsigned i)
{
	struct folded_pair *p = arg;

	if (i)
		p->added = as_folded_add_batch(&p->tree, &p->batch[!p->fill]);
	else
		p->read = as_folded_read_some(p->lines);
}

/* What went to the tree stands before what was read meanwhile, and so does what failed there. */
static enum as_code pair_swap(struct folded_pair *p)
{
	struct as_folded_batch *done = &p->batch[!p->fill];

	if (p->added != AS_OK) {
		if (p->lines->rd->err)
			*p->lines->rd->err = p->err;
		return p->added;
	}
	done->word.n = done->count.n = 0;
	p->fill = !p->fill;
	p->lines->batch = done;
	return p->read == AS_END ? AS_OK : p->read;
}

static enum as_code pair_run(struct folded_pair *p)
{
	struct as_exec *exec = p->lines->rd->exec;

	while (p->read == AS_OK) {
		exec->run(exec, pair_do, p, p->batch[!p->fill].word.n ? 2 : 1);
		AS_TRY(pair_swap(p));
	}
	pair_do(p, 1);
	return pair_swap(p);
}

static enum as_code pair_read(struct as_folded_reader *r)
{
	struct folded_pair p = {.lines = r, .rd = *r->rd, .build = *r->rd->out, .err = AS_ERR_NONE};
	enum as_code rc;

	if (r->rd->err)
		p.err = *r->rd->err;
	as_pool_init(&p.pool, r->rd->out->prof->al);
	p.rd.al = &p.pool.al;
	p.rd.out = &p.build;
	p.rd.err = p.build.err = &p.err;
	as_folded_init(&p.tree, &p.rd);
	p.tree.columns = r->columns;
	r->batch = &p.batch[0];
	rc = pair_run(&p);
	r->batch = NULL;
	as_pool_release(&p.pool);
	return rc;
}

enum as_code as_folded_read_lines(struct as_folded_reader *r)
{
	enum as_code rc;

	if (as_exec_is_team(r->rd->exec) && !r->rd->sums)
		return pair_read(r);
	rc = as_folded_read_some(r);
	return rc == AS_END ? AS_OK : rc;
}
