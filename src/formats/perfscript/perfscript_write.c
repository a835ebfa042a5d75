/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of `perf script`: a block for each sample, in order of time, or else one for each stack.
 * What a block does not say of itself stands in a comment below its first line, where readers of
 * the format pass over it. docs/formats/perfscript.md, "What we write".
 */
#include "formats/perfscript/perfscript_write.h"

#define WRITE_SECOND UINT64_C(1000000000)

/* ---- blocks ---- */

static enum as_code perfscript_write_stack(struct as_ps_write *w, as_node node)
{
	for (; node.i; node = w->prof->node.parent.p[node.i]) {
		struct as_slice text = as_ps_write_frame(w, node);

		AS_TRY(as_err_memory(w->wr->err, text.p));
		as_out_slice(w->wr->out, text);
	}
	as_out_char(w->wr->out, '\n');
	return AS_OK;
}

static void write_time(struct as_out *out, int64_t time)
{
	uint64_t t = (uint64_t)time, part = t % WRITE_SECOND;
	char *p = as_out_room(out, AS_OUT_NUM + 16), *end;

	end = as_put_u64(p, t / WRITE_SECOND);
	*end++ = '.';
	for (int i = 8; i >= 0; i--, part /= 10)
		end[i] = (char)('0' + part % 10);
	end += 9;
	*end++ = ':';
	*end++ = ' ';
	out->n += (size_t)(end - p);
}

/* Events of samples alone have no period, unless there is more than one sample. */
static bool write_counts(const struct ps_pair *pair)
{
	return pair->weight == PS_NONE;
}

static void write_comment(
	struct as_ps_write *w, const struct ps_pair *pair, const struct ps_block *b, bool sum)
{
	struct as_out *out = w->wr->out;

	if (b->count == 1 && !sum)
		return;
	as_out_text(out, PS_SAMPLES);
	if (write_counts(pair))
		as_out_text(out, PS_SAMPLES_PERIOD);
	else
		as_out_val(out, b->count);
	as_out_text(out, sum ? PS_SAMPLES_SUM "\n" : "\n");
}

static enum as_code write_block(struct as_ps_write *w, const struct ps_block *b, bool sum)
{
	const struct ps_pair *pair = &w->pair.p[b->pair];
	as_val period = write_counts(pair) ? b->count : b->weight;
	struct as_out *out = w->wr->out;
	char buf[AS_VAL_TEXT];

	if (period < 0 || period > (as_val)UINT64_MAX || b->count < 0 ||
		b->count > (as_val)UINT64_MAX)
		return as_err_set(w->wr->err, AS_E_LIMIT,
			"a stack has the cost %s '%.*s': the format has neither negative numbers "
			"nor more "
			"than 64 bits",
			as_val_text(period, buf), AS_SLICE_FMT(pair->name));
	as_out_slice(out, w->thread[b->part]);
	write_time(out, b->time);
	if (!write_counts(pair) || b->count != 1 || sum) {
		as_out_val(out, period);
		as_out_char(out, ' ');
	}
	as_out_slice(out, pair->name);
	as_out_text(out, ":\n");
	write_comment(w, pair, b, sum);
	if (w->name[b->part].len) { /* once will do */
		as_out_text(out, PS_THREAD);
		as_out_slice(out, w->name[b->part]);
		as_out_char(out, '\n');
		w->name[b->part].len = 0;
	}
	return perfscript_write_stack(w, b->node);
}

/* ---- without times: a block for each stack ---- */

static int write_cmp_samples(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_ps_write *w = ctx;
	const struct as_profile *prof = w->prof;
	int c = as_cmp_u64(prof->sample.part.p[a], prof->sample.part.p[b]);

	return c ? c
		 : as_cmp_u64(w->rank[prof->sample.node.p[a].i], w->rank[prof->sample.node.p[b].i]);
}

/* Blocks stand as far apart as they are long: some readers take that for what they cost. */
static void write_next_time(int64_t *time, const struct ps_block *b)
{
	const int64_t most = INT64_MAX / 2;
	as_val period = b->weight ? b->weight : b->count;

	*time = period < most - *time ? *time + (int64_t)period : most;
}

static enum as_code write_sums(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;
	size_t e = prof->event.n;
	struct as_order order;
	int64_t time = 0;

	AS_TRY(as_err_memory(w->wr->err,
		as_order_init(&order, w->al, prof->sample.node.n, write_cmp_samples, w)));
	for (uint32_t k = 0; k < w->pair.n; k++) {
		const struct ps_pair *pair = &w->pair.p[k];

		for (uint32_t i = 0; i < order.n; i++) {
			uint32_t row = order.at[i];
			const as_val *cost = prof->sample.cost.p + row * e;
			struct ps_block b = {.time = time,
				.part = prof->sample.part.p[row],
				.pair = k,
				.node = prof->sample.node.p[row],
				.weight = pair->weight == PS_NONE ? 0 : cost[pair->weight],
				.count = pair->count == PS_NONE ? 0 : cost[pair->count]};

			if (!b.weight && !b.count)
				continue;
			AS_TRY(write_block(w, &b, true));
			write_next_time(&time, &b);
		}
	}
	return AS_OK;
}

/* ---- with times: a block for each sample ---- */

static int write_cmp_rows(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_ps_write *w = ctx;
	const struct ps_row *x = &w->row.p[a], *y = &w->row.p[b];
	int c = as_cmp_u64(x->part, y->part);

	c = c ? c : as_cmp_u64(w->rank[x->node.i], w->rank[y->node.i]);
	c = c ? c : as_cmp_u64(x->pair, y->pair);
	c = c ? c : x->is_count - y->is_count;
	return c ? c : (x->value > y->value) - (x->value < y->value);
}

static enum as_code write_sort_rows(struct as_ps_write *w)
{
	size_t n = w->row.n, i = 1;

	w->order.n = 0;
	AS_TRY(as_err_memory(w->wr->err, as_vec_reserve(w->al, &w->order, n)));
	for (uint32_t k = 0; k < n; k++)
		w->order.p[k] = k;
	while (i < n && write_cmp_rows(w, (uint32_t)i - 1, (uint32_t)i) <= 0)
		i++;
	return as_err_memory(
		w->wr->err, i >= n || as_sort_rows(w->prof->al, w->order.p, n, write_cmp_rows, w));
}

/* Rows of one stack and event: a sample is a number of the one column beside one of the other. */
static enum as_code write_block_of_each(
	struct as_ps_write *w, int64_t time, size_t from, size_t counts, size_t to)
{
	size_t weights = counts - from, n = to - counts;
	const struct ps_row *first = &w->row.p[w->order.p[from]];
	struct ps_block b = {
		.time = time, .part = first->part, .pair = first->pair, .node = first->node};

	as_assert(from <= counts && counts <= to && to <= w->row.n);
	for (size_t i = 0; i < weights || i < n; i++) {
		b.weight = i < weights ? w->row.p[w->order.p[from + i]].value : 0;
		b.count = i < n ? w->row.p[w->order.p[counts + i]].value : 0;
		AS_TRY(write_block(w, &b, false));
	}
	return AS_OK;
}

static bool write_is_same(const struct ps_row *a, const struct ps_row *b)
{
	return a->part == b->part && a->node.i == b->node.i && a->pair == b->pair;
}

static enum as_code write_rows(struct as_ps_write *w, int64_t time)
{
	AS_TRY(write_sort_rows(w));
	for (size_t i = 0, at, end; i < w->row.n; i = end) {
		const struct ps_row *first = &w->row.p[w->order.p[i]];

		for (at = i; at < w->row.n; at++)
			if (!write_is_same(first, &w->row.p[w->order.p[at]]) ||
				w->row.p[w->order.p[at]].is_count)
				break;
		for (end = at; end < w->row.n; end++)
			if (!write_is_same(first, &w->row.p[w->order.p[end]]))
				break;
		AS_TRY(write_block_of_each(w, time, i, at, end));
	}
	w->row.n = 0;
	return AS_OK;
}

static enum as_code write_moments(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_moments_cur cur;
	int64_t first = 0, time = 0;
	uint64_t durations = 0;

	as_moments_begin(&cur, &prof->moments);
	for (bool begun = false; as_moments_next(&cur); begun = true) {
		uint32_t pair = w->pair_of[cur.at.event];
		struct ps_row row = {.part = cur.at.part,
			.pair = pair,
			.node = cur.at.node,
			.is_count = w->pair.p[pair].count == cur.at.event,
			.value = cur.at.value};

		if (!begun) {
			first = cur.at.time < 0 ? cur.at.time : 0;
			time = cur.at.time;
		}
		if (cur.at.time != time)
			AS_TRY(write_rows(w, time - first));
		time = cur.at.time;
		durations += cur.at.duration != 0;
		AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->row, row)));
	}
	AS_TRY(write_rows(w, time - first));
	as_losses_add(w->wr->losses, "moment-durations", durations,
		"duration{ of a moment|s of moments}");
	return AS_OK;
}

/* ---- the header ---- */

static bool write_is_fact_text(struct as_slice s)
{
	return s.len && as_slice_is_text(s) && as_slice_trim(s).len == s.len &&
	       !as_slice_has(s, '\n') && !as_slice_has(s, '\r');
}

static bool write_has_cost(const struct as_profile *prof)
{
	bool any = false;

	for (size_t k = 0; k < prof->event.n; k++)
		any |= prof->total[k] > 0;
	return any;
}

/* A text without a sample would say nothing at all, not even what it is. */
static enum as_code write_header(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_slice fact[PS_FACTS] = {{0}};
	struct as_out *out = w->wr->out;
	const char *words[PS_FACTS];
	uint64_t n = 0;

	for (size_t i = 0; i < prof->meta.n; i++) {
		size_t at;
		const char *word = as_ps_fact(as_str_get(prof, prof->meta.p[i].key), &at);
		struct as_slice text = as_str_get(prof, prof->meta.p[i].text);

		if (!word || fact[at].len || !write_is_fact_text(text))
			continue;
		fact[at] = text;
		words[at] = word;
		n++;
	}
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_META, prof->meta.n - n);
	if (!n && w->pair.n == 1 && write_has_cost(prof))
		return AS_OK;
	as_out_text(out, PS_HEADER "    : unknown\n");
	for (size_t i = 0; i < PS_FACTS; i++)
		if (fact[i].len) {
			as_out_printf(out, "# %s : ", words[i]);
			as_out_slice(out, fact[i]);
			as_out_char(out, '\n');
		}
	for (size_t i = 0; i < w->pair.n && w->pair.n > 1; i++) {
		as_out_text(out, "# event : name = ");
		as_out_slice(out, w->pair.p[i].name);
		as_out_text(out, ",\n");
	}
	as_out_text(out, "# ========\n#\n");
	return AS_OK;
}

/* ---- all of it ---- */

/* What a reader takes for the duration: from the first sample to the last. */
static bool write_keeps_duration(const struct as_profile *prof)
{
	struct as_moments_cur cur;
	int64_t first = 0, last = 0;

	as_moments_begin(&cur, &prof->moments);
	for (bool begun = false; as_moments_next(&cur); begun = true) {
		first = begun ? first : cur.at.time;
		last = cur.at.time;
	}
	return !prof->duration || prof->duration == last - first;
}

static void write_tell(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_losses *l = w->wr->losses;
	uint64_t files = 0, empty = 0;

	for (size_t i = 1; i < prof->file.n; i++)
		files += !w->files[i];
	for (size_t i = 0; i < prof->event.n; i++)
		empty += !prof->total[i];
	as_losses_add_cap(l, AS_CAPBIT_FILES, files);
	as_losses_add_cap(l, AS_CAPBIT_LINES, w->n_lines);
	as_losses_add_cap(l, AS_CAPBIT_ADDRS, w->n_addrs);
	as_losses_add_cap(l, AS_CAPBIT_LABELS, w->n_labels);
	as_losses_add_cap(l, AS_CAPBIT_PARTS, w->n_merged);
	as_losses_add_cap(l, AS_CAPBIT_PROCESS, w->n_process);
	as_losses_add_cap(l, AS_CAPBIT_OBJECTS, w->n_objects);
	as_losses_add_cap(l, AS_CAPBIT_DURATION, !write_keeps_duration(prof));
	as_losses_add(l, "threads", w->n_numbers,
		"thread{|s} without a number, which {was|were} given one");
	as_losses_add(l, "names", w->n_names,
		"name{|s} that would not be read as {it is|they are}, written otherwise");
	as_losses_add(l, "events", empty, "event{|s} without a cost");
	as_losses_add(l, "units", w->n_units, "unit{ of an event|s of events}");
	as_losses_add(l, "inlined", w->n_marks,
		"mark{|s} of {an inlined frame|inlined frames} at another address than what {it "
		"is|they are} in");
}

static enum as_code perfscript_write_all(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->place, prof->place.func.n) &&
						 as_alloc_array(w->al, &w->files, prof->file.n)));
	AS_TRY(as_ps_write_pairs(w));
	AS_TRY(as_ps_write_threads(w));
	AS_TRY(as_ps_write_order(w));
	AS_TRY(write_header(w));
	AS_TRY(prof->moments.n ? write_moments(w) : write_sums(w));
	write_tell(w);
	return AS_OK;
}

enum as_code as_ps_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct as_ps_write w = {.wr = wr, .prof = prof, .al = wr->al};

	as_arena_init(&w.arena, w.al);
	return perfscript_write_all(&w);
}
