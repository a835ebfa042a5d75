/* SPDX-License-Identifier: Apache-2.0 */
/* From nodes, samples and times to what they add up to. docs/formats/cpuprofile.md §2 and §3. */
#include "base/sort.h"
#include "formats/v8.h"

/* ---- the tree ---- */

/* Parents, of the files that name children or parents by their ids. */
static void put_parents(struct as_v8 *v)
{
	uint32_t row;

	for (size_t i = 0; i < v->edge.n; i++) {
		const struct v8_edge *e = &v->edge.p[i];

		if (!as_v8_find(v, e->child, &row))
			v->odd.unknown += !v->half_nodes;
		else if (v->node.p[row].parent != AS_V8_NONE || row == e->parent)
			v->odd.circle++;
		else
			v->node.p[row].parent = e->parent;
	}
	for (size_t i = 0; i < v->node.n; i++) {
		struct v8_node *n = &v->node.p[i];

		if (!n->has_parent_id || n->parent != AS_V8_NONE)
			continue;
		if (as_v8_find(v, n->parent_id, &row) && row != i)
			n->parent = row;
		else
			v->odd.unknown++;
	}
}

static enum as_code put_func(struct as_v8 *v, const struct v8_node *n, as_func *func)
{
	struct as_build *b = v->rd->out;
	struct as_func_row row = {.name = n->name, .line = n->line};

	if (!n->name.i)
		AS_TRY(as_build_str(b, as_slice_of("(anonymous)"), &row.name));
	if (n->url.i)
		AS_TRY(as_build_file(b, as_str_get(b->prof, n->url), &row.file));
	return as_build_func_row(b, &row, func);
}

/* The node of N, whose parent is made, if its code was at LINE. */
static enum as_code put_node(struct as_v8 *v, const struct v8_node *n, uint64_t line, as_node *out)
{
	as_node parent = {n->parent == AS_V8_NONE ? 0 : v->node.p[n->parent].made.i};
	struct as_build *b = v->rd->out;
	struct as_pos pos = {.line = line};
	as_place place;

	*out = parent;
	if (n->parent == AS_V8_NONE && as_slice_is(as_str_get(b->prof, n->name), "(root)"))
		return AS_OK;
	AS_TRY(put_func(v, n, &pos.func));
	pos.file = b->prof->func.file.p[pos.func.i];
	AS_TRY(as_build_place(b, &pos, &place));
	return as_build_push(b, parent, place, out);
}

/* The line at which all samples of N were, if that is known. */
static uint64_t put_only_line(const struct as_v8 *v, const struct v8_node *n)
{
	bool only = !v->lines && n->n_ticks == 1 && n->ticks == n->n_samples;

	return only ? v->tick.p[n->first_tick].line : 0;
}

/* Nodes from ROW up to one that is made. STACK is scratch. */
static enum as_code put_up(struct as_v8 *v, uint32_t row, uint32_t *stack)
{
	uint32_t walk = row + 1;
	size_t n = 0;

	for (; row != AS_V8_NONE && !v->node.p[row].is_made; row = v->node.p[row].parent) {
		if (v->node.p[row].walk == walk) { /* it leads back to itself: there it begins */
			v->odd.circle++;
			v->node.p[stack[n - 1]].parent = AS_V8_NONE;
			break;
		}
		v->node.p[row].walk = walk;
		stack[n++] = row;
	}
	while (n-- > 0) {
		struct v8_node *one = &v->node.p[stack[n]];

		AS_TRY(put_node(v, one, 0, &one->made));
		one->is_made = true;
	}
	return AS_OK;
}

static enum as_code v8_put_tree(struct as_v8 *v)
{
	uint32_t *stack;

	put_parents(v);
	AS_TRY(as_err_memory(v->rd->err, as_alloc_array(v->al, &stack, v->node.n)));
	for (size_t i = 0; i < v->node.n; i++)
		AS_TRY(put_up(v, (uint32_t)i, stack));
	return AS_OK;
}

/* ---- samples ---- */

static int put_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct v8_sample *at = ctx;

	return (at[a].time > at[b].time) - (at[a].time < at[b].time);
}

/* Samples that name a node, with their times. */
static enum as_code put_times(struct as_v8 *v)
{
	int64_t time = v->has_start ? v->start : 0;
	struct v8_sample one;

	for (size_t i = 0; i < v->sample.n; i++) {
		int64_t delta = i < v->delta.n ? v->delta.p[i] : 0;

		v->odd.back += v->has_deltas && delta < 0;
		if (v->has_times)
			time = delta;
		else if (__builtin_add_overflow(time, delta, &time))
			return as_rd_fail(
				v->rd, AS_E_LIMIT, AS_OFF_NONE, 0, "the times are beyond 64 bits");
		if (as_v8_find(v, v->sample.p[i], &one.node)) {
			v->node.p[one.node].n_samples++;
			one.time = time;
			one.line = i < v->line.n ? v->line.p[i] : 0;
			AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->at, one)));
		} else {
			v->odd.unknown++;
		}
	}
	if ((v->has_deltas || v->has_times) && v->delta.n != v->sample.n)
		v->odd.uneven++;
	return AS_OK;
}

/* What passed until the next sample, or the end. */
static enum as_code v8_put_time(struct as_v8 *v, uint32_t event, const struct v8_sample *s,
	as_node node, int64_t next, const struct as_tally_when *when)
{
	struct as_tally_when passed = *when;
	as_val value = ((as_val)next - s->time) * 1000;

	if (value <= 0)
		return AS_OK;
	passed.duration = (uint64_t)value;
	return as_tally_add(v->tally, v->thread, event, node, value, &passed);
}

static enum as_code v8_put_samples(struct as_v8 *v, uint32_t time, uint32_t samples)
{
	uint32_t *order = as_sorted_rows(v->al, v->at.n, put_cmp, v->at.p);

	AS_TRY(as_err_memory(v->rd->err, order));
	for (size_t i = 0; i < v->at.n; i++) {
		const struct v8_sample *s = &v->at.p[order[i]];
		int64_t next = i + 1 < v->at.n               ? v->at.p[order[i + 1]].time
			       : v->has_end && !v->has_times ? v->end
							     : s->time;
		const struct v8_node *n = &v->node.p[s->node];
		struct as_tally_when when = {0, 0};
		as_node node = n->made;

		if (__builtin_mul_overflow(s->time, 1000, &when.time))
			return as_rd_fail(
				v->rd, AS_E_LIMIT, AS_OFF_NONE, 0, "the times are beyond 64 bits");
		if (s->line)
			AS_TRY(put_node(v, n, s->line, &node));
		AS_TRY(v8_put_time(v, time, s, node, next, &when));
		AS_TRY(as_tally_add(v->tally, v->thread, samples, node, 1, &when));
	}
	return AS_OK;
}

/* ---- without times ---- */

/* COUNT samples of N, which its ticks are some of. */
static enum as_code put_by_lines(
	struct as_v8 *v, const struct v8_node *n, uint64_t count, uint32_t samples)
{
	uint64_t left = count;
	as_node node;

	for (uint32_t i = 0; i < n->n_ticks && n->ticks <= count; i++) {
		const struct v8_tick *t = &v->tick.p[n->first_tick + i];

		AS_TRY(put_node(v, n, t->line, &node));
		if (t->ticks)
			AS_TRY(as_tally_add(v->tally, v->thread, samples, node, t->ticks, NULL));
		left -= t->ticks;
	}
	return left ? as_tally_add(v->tally, v->thread, samples, n->made, left, NULL) : AS_OK;
}

static enum as_code put_counts(struct as_v8 *v, uint32_t samples)
{
	for (size_t i = 0; i < v->node.n; i++) {
		const struct v8_node *n = &v->node.p[i];

		AS_TRY(put_by_lines(v, n, v->has_samples ? n->n_samples : n->hits, samples));
	}
	return AS_OK;
}

/* ---- all of it ---- */

/* Nodes whose samples were all at one line are that line's. */
static enum as_code v8_put_lines(struct as_v8 *v)
{
	for (size_t i = 0; i < v->node.n; i++) {
		struct v8_node *n = &v->node.p[i];
		uint64_t line = put_only_line(v, n);

		v->odd.lines += n->n_ticks && !line && n->n_samples && !v->line.n;
		if (line)
			AS_TRY(put_node(v, n, line, &n->made));
	}
	return AS_OK;
}

static enum as_code put_sizes(struct as_v8 *v)
{
	uint32_t event;

	AS_TRY(as_tally_event(v->tally, as_slice_of("bytes"), as_slice_of("bytes"), &event));
	for (size_t i = 0; i < v->node.n; i++)
		if (v->node.p[i].size)
			AS_TRY(as_tally_add(v->tally, v->thread, event, v->node.p[i].made,
				v->node.p[i].size, NULL));
	return AS_OK;
}

static enum as_code put_cpu(struct as_v8 *v)
{
	bool timed = v->has_samples && (v->has_deltas || v->has_times) && !v->lines;
	uint32_t time, samples;

	if (timed) {
		AS_TRY(v8_put_lines(v));
		AS_TRY(as_tally_event(
			v->tally, as_slice_of(v->time_event), as_slice_of("nanoseconds"), &time));
	}
	AS_TRY(as_tally_event(v->tally, as_slice_of("samples"), as_slice_of("count"), &samples));
	return timed ? v8_put_samples(v, time, samples) : put_counts(v, samples);
}

enum as_code as_v8_put(struct as_v8 *v)
{
	AS_TRY(put_times(v));
	AS_TRY(v8_put_tree(v));
	return v->has_sizes ? put_sizes(v) : put_cpu(v);
}
