/* SPDX-License-Identifier: Apache-2.0 */
/* The members of the file. docs/formats/cpuprofile.md §1. */
#include "formats/cpuprofile/cpuprofile.h"

/* Microseconds; old files have seconds in startTime and endTime. */
static bool cpuprofile_read_time(struct as_v8 *v, struct as_pull *j, int exponent, int64_t *out)
{
	struct as_slice text;
	bool exact;

	if (!as_pull_number(j, &text))
		return false;
	if (as_pull_scaled(text, exponent, out, &exact))
		return true;
	v->n_range++;
	return false;
}

static enum as_code cpuprofile_read_samples(struct as_v8 *v, struct as_pull *j)
{
	uint64_t id;

	/* of a profile of a heap they are objects */
	if (v->has_samples || as_pull_peek(j) != AS_PULL_ARRAY) {
		as_pull_skip(j);
		return AS_OK;
	}
	v->has_samples = true;
	as_pull_array(j);
	while (as_pull_item(j)) {
		if (as_pull_peek(j) != AS_PULL_NUMBER) {
			v->has_samples = false;
			as_pull_skip(j);
		} else if (as_v8_number(v, j, &id)) {
			AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->sample, id)));
		}
	}
	return AS_OK;
}

static enum as_code cpuprofile_read_deltas(struct as_v8 *v, struct as_pull *j)
{
	int64_t t;

	as_pull_array(j);
	while (as_pull_item(j)) {
		t = 0;
		cpuprofile_read_time(v, j, 0, &t);
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->delta, t)));
	}
	return AS_OK;
}

static enum as_code cpuprofile_read_member(struct as_v8 *v, struct as_pull *j, struct as_slice key)
{
	bool some = v->has_nodes || v->has_head;

	if (as_slice_is(key, "nodes") && !some) {
		v->has_nodes = true;
		return as_v8_nodes(v);
	}
	if (as_slice_is(key, "head") && !some) {
		v->has_head = true;
		return as_v8_head(v);
	}
	if (as_slice_is(key, "samples"))
		return cpuprofile_read_samples(v, j);
	if (as_slice_is(key, "timeDeltas") && !v->delta.n) {
		v->has_deltas = true;
		return cpuprofile_read_deltas(v, j);
	}
	if (as_slice_is(key, "timestamps") && !v->delta.n) {
		v->has_times = true;
		return cpuprofile_read_deltas(v, j);
	}
	if (as_slice_is(key, "startTime"))
		v->has_start = cpuprofile_read_time(v, j, 0, &v->start);
	else if (as_slice_is(key, "endTime"))
		v->has_end = cpuprofile_read_time(v, j, 0, &v->end);
	else
		as_pull_skip(j);
	return AS_OK;
}

static enum as_code cpuprofile_read_top(struct as_v8 *v)
{
	struct as_pull *j = &v->in.js;
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key))
		AS_TRY(cpuprofile_read_member(v, j, key));
	if (as_pull_peek(j) != AS_PULL_END)
		as_pull_wrong(j, "there is more behind the end of the file's object");
	return AS_OK;
}

/* ---- what is told ---- */

static enum as_code cpuprofile_read_tell(struct as_v8 *v)
{
	const struct {
		enum as_finding_id id;
		uint64_t n;
		const char *words;
	} told[] = {
		{AS_F_V8_NODE, v->n_unknown, "node{|s} that are named are not there"},
		{AS_F_V8_TREE, v->n_circle + v->n_twice, "node{ stands|s stand} in the tree twice"},
		{AS_F_V8_COUNT, v->n_uneven,
			"list{ has|s have} another length than that of samples"},
		{AS_F_COUNT_RANGE, v->n_range, "number{|s} beyond 64 bits or below zero, left out"},
		{AS_F_V8_BACK, v->n_back,
			"sample{ is|s are} earlier than the one before, put in order"},
		{AS_F_V8_LINES, v->n_lines,
			"node{ has|s have} samples of which not all were at one line"},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(told); i++) {
		struct as_slice text = as_arena_plural(&v->tally.arena, told[i].words, told[i].n);

		AS_TRY(as_err_memory(v->rd->err, text.p));
		if (told[i].n)
			AS_TRY(as_rd_find(v->rd, told[i].id, AS_OFF_NONE, 0, "%" PRIu64 " %.*s",
				told[i].n, AS_SLICE_FMT(text)));
	}
	if (!v->tally.sum.n)
		return as_rd_find(v->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "there are no samples");
	return AS_OK;
}

static enum as_code cpuprofile_read_all(struct as_v8 *v)
{
	enum as_code rc;

	as_index_init(&v->ids, v->al);
	as_tally_init(&v->tally, v->rd, v->al, "cpuprofile");
	v->lines = as_opts_flag(&v->rd->opts, "lines", false);
	AS_TRY(as_json_in_open(&v->in, v->rd, v->al));
	rc = cpuprofile_read_top(v);
	AS_TRY(as_json_in_end(&v->in));
	AS_TRY(rc);
	if (!v->node.n)
		return as_rd_fail(v->rd, AS_E_NOTPROFILE, AS_OFF_NONE, 0,
			"not a profile of V8: it has no nodes");
	AS_TRY(as_v8_put(v));
	if (v->n_unknown || v->n_circle || v->n_twice || v->n_uneven || v->n_range)
		as_rd_partial(v->rd);
	return cpuprofile_read_tell(v);
}

enum as_code as_v8_read(struct as_rd *rd)
{
	struct as_v8 v = {.rd = rd};
	enum as_code rc;

	as_pool_init(&v.pool, rd->out->prof->al);
	v.al = &v.pool.al;
	rc = cpuprofile_read_all(&v);
	as_pool_release(&v.pool);
	return rc;
}
