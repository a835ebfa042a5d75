/* SPDX-License-Identifier: Apache-2.0 */
/* The members of the file. docs/formats/cpuprofile.md §1. */
#include "formats/cpuprofile/cpuprofile.h"

struct cpuprofile_reader {
	struct as_rd *rd;
	struct as_json_in in;
	struct as_tally tally;
	struct as_v8 v8;
	bool has_nodes; /* or a tree of them */
};

static enum as_code cpuprofile_read_lists(struct as_v8 *v, struct as_pull *j, struct as_slice key)
{
	if (as_slice_is(key, "samples") && !v->has_samples)
		return as_v8_samples(v, j);
	if (as_slice_is(key, "timeDeltas") && !v->delta.n) {
		v->has_deltas = true;
		return as_v8_deltas(v, j);
	}
	if (as_slice_is(key, "timestamps") && !v->delta.n) {
		v->has_times = true;
		return as_v8_deltas(v, j);
	}
	if (as_slice_is(key, "lines") && !v->line.n && as_pull_peek(j) == AS_PULL_ARRAY)
		return as_v8_lines(v, j);
	if (as_slice_is(key, "startTime"))
		v->has_start = as_v8_time(v, j, &v->start);
	else if (as_slice_is(key, "endTime"))
		v->has_end = as_v8_time(v, j, &v->end);
	else
		as_pull_skip(j);
	return AS_OK;
}

static enum as_code cpuprofile_read_top(struct cpuprofile_reader *r)
{
	struct as_pull *j = &r->in.js;
	struct as_slice key;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		bool list = as_slice_is(key, "nodes"), tree = as_slice_is(key, "head");

		if (r->has_nodes || !(list || tree))
			AS_TRY(cpuprofile_read_lists(&r->v8, j, key));
		else
			AS_TRY(list ? as_v8_nodes(&r->v8, j) : as_v8_head(&r->v8, j));
		r->has_nodes |= list || tree;
	}
	if (as_pull_peek(j) != AS_PULL_END)
		as_pull_wrong(j, "there is more behind the end of the file's object");
	return AS_OK;
}

/* Whether something was counted in nodes that are there. */
static bool cpuprofile_read_counts(const struct as_v8 *v)
{
	bool some = v->node.n && v->sample.n;

	for (size_t i = 0; i < v->node.n && !some; i++)
		some = v->node.p[i].hits || v->node.p[i].size;
	return some;
}

static enum as_code cpuprofile_read_all(struct cpuprofile_reader *r)
{
	struct as_slice none = as_slice_of("");
	struct as_tally_thread one = {.name = none, .process = none};
	const char *kept = "";
	enum as_code rc;

	as_tally_init(&r->tally, r->rd, r->rd->al, "cpuprofile");
	as_v8_init(&r->v8, r->rd, r->rd->al, &r->tally);
	r->v8.lines = as_opts_flag(&r->rd->opts, "lines", false);
	AS_TRY(as_json_in_open(&r->in, r->rd, r->rd->al));
	rc = cpuprofile_read_top(r);
	if (rc == AS_OK && cpuprofile_read_counts(&r->v8) && as_json_in_keep(&r->in))
		kept = as_v8_keep(&r->v8);
	AS_TRY(as_json_in_end(&r->in));
	AS_TRY(rc);
	if (!r->v8.node.n)
		return as_rd_fail(r->rd, AS_E_NOTPROFILE, AS_OFF_NONE, 0,
			"not a profile of V8: it has no nodes");
	AS_TRY(as_tally_thread(&r->tally, &one, &r->v8.thread));
	AS_TRY(as_v8_put(&r->v8));
	AS_TRY(as_tally_put(&r->tally));
	AS_TRY(as_v8_tell(r->rd, &r->v8.odd));
	AS_TRY(as_json_in_tell(&r->in, kept));
	return as_rd_find_if(r->rd, !r->tally.sum.n, AS_F_NO_SAMPLES, "there are no samples");
}

enum as_code as_cpuprofile_read(struct as_rd *rd)
{
	struct cpuprofile_reader r = {.rd = rd};

	return cpuprofile_read_all(&r);
}
