/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of samples and times. docs/formats/cpuprofile.md §2 and §3. */
#include "formats/v8.h"

void as_v8_init(
	struct as_v8 *v, struct as_rd *rd, const struct as_alloc *al, struct as_tally *tally)
{
	*v = (struct as_v8){.rd = rd, .al = al, .tally = tally, .time_event = "time"};
	as_index_init(&v->ids, al);
}

bool as_v8_time(struct as_v8 *v, struct as_pull *j, int64_t *out)
{
	struct as_slice text;
	bool exact;

	if (!as_pull_number(j, &text))
		return false;
	if (as_pull_scaled(text, 0, out, &exact))
		return true;
	v->odd.range++;
	return false;
}

enum as_code as_v8_samples(struct as_v8 *v, struct as_pull *j)
{
	uint64_t id;

	/* of a profile of a heap they are objects */
	if (as_pull_peek(j) != AS_PULL_ARRAY) {
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
	v->half_samples |= j->why != NULL;
	return AS_OK;
}

enum as_code as_v8_lines(struct as_v8 *v, struct as_pull *j)
{
	uint64_t line;

	as_pull_array(j);
	while (as_pull_item(j) && as_v8_number(v, j, &line))
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->line, line)));
	return AS_OK;
}

enum as_code as_v8_deltas(struct as_v8 *v, struct as_pull *j)
{
	int64_t t;

	as_pull_array(j);
	while (as_pull_item(j)) {
		t = 0;
		as_v8_time(v, j, &t);
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->delta, t)));
	}
	v->half_deltas |= j->why != NULL;
	return AS_OK;
}

/* Nodes come first; each has how many samples ended in it. */
const char *as_v8_keep(struct as_v8 *v)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < v->node.n; i++)
		hits += v->node.p[i].hits;
	if (v->half_deltas)
		v->has_deltas = v->has_times = false;
	if (v->half_deltas)
		v->delta.n = 0;
	if (v->half_samples && hits >= v->sample.n) {
		v->has_samples = false;
		v->sample.n = 0;
	}
	if (v->half_nodes)
		return "the nodes before, with what was counted in them";
	if (!v->has_samples)
		return "what was counted in each node, without times";
	return v->half_samples ? "the samples before, without times"
	       : v->delta.n    ? "all samples with their times"
			       : "all samples, without times";
}

enum as_code as_v8_tell(struct as_rd *rd, const struct as_v8_odd *odd)
{
	const struct as_rd_told told[] = {
		{AS_F_V8_NODE, odd->unknown, "node{|s} that are named are not there"},
		{AS_F_V8_TREE, odd->circle + odd->twice, "node{ stands|s stand} in the tree twice"},
		{AS_F_V8_COUNT, odd->uneven,
			"list{ has|s have} another length than that of samples"},
		{AS_F_COUNT_RANGE, odd->range, "number{|s} beyond 64 bits or below zero, left out"},
		{AS_F_V8_BACK, odd->back,
			"sample{ is|s are} earlier than the one before, put in order"},
		{AS_F_V8_LINES, odd->lines,
			"node{ has|s have} samples of which not all were at one line"},
	};

	if (odd->unknown || odd->circle || odd->twice || odd->uneven || odd->range)
		as_rd_partial(rd);
	return as_rd_tell_all(rd, told, AS_ARRAY_LEN(told));
}
