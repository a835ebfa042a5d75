/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing: one file whose bytes depend on the content alone. Stacks come in the order of their
 * addresses from the root on, each once. A profile that was read from such a file is in that
 * order already and is written straight from its tree; any other is sorted first.
 */
#include "formats/gperf/gperf_write.h"
#include "base/sort.h"

#define NO_PERIOD 1 /* readers refuse 0; Perl's pprof writes 1 as well */

/* ---- records ---- */

static enum as_code gp_write_put_head(struct as_gp_write *w, uint64_t count, uint32_t depth)
{
	char *p = as_out_room(w->wr->out, 2 * GP_SLOT_MAX);

	gp_put_slot(p, count, w->layout);
	gp_put_slot(p + w->layout.width, depth, w->layout);
	w->wr->out->n += 2 * w->layout.width;
	return AS_OK;
}

static void put_slot(struct as_gp_write *w, uint64_t v)
{
	gp_put_slot(as_out_room(w->wr->out, GP_SLOT_MAX), v, w->layout);
	w->wr->out->n += w->layout.width;
}

static enum as_code check_count(struct as_gp_write *w, as_val count)
{
	as_val most = w->layout.width == 8 ? (as_val)INT64_MAX : (as_val)UINT32_MAX;
	char text[AS_VAL_TEXT];

	if (count >= 0 && count <= most)
		return AS_OK;
	return as_err_set(w->wr->err, AS_E_LIMIT,
		count < 0 ? "a stack has the count %s; the format has no negative ones"
			  : "a stack has the count %s, more than a word of the file holds",
		as_val_text(count, text));
}

static enum as_code check_addresses(struct as_gp_write *w)
{
	uint64_t most = w->layout.width == 8 ? UINT64_MAX : UINT32_MAX;

	for (size_t i = 0; i < w->prof->place.func.n; i++)
		if (w->used[i] && w->pc[i] > most - !w->raw[i])
			return as_err_set(w->wr->err, AS_E_LIMIT,
				"the address 0x%" PRIx64 " does not fit into %" PRIu32 " bits%s",
				w->pc[i], w->layout.width * 8,
				w->layout.width == 4 ? ": write with width=64" : "");
	return AS_OK;
}

static inline as_val cost_of(const struct as_gp_write *w, size_t sample)
{
	return w->prof->sample.cost.p[sample * w->prof->event.n + w->event];
}

/* What a caller's slot holds: the address after its call. */
static inline uint64_t caller_slot(const struct as_gp_write *w, uint32_t place)
{
	return w->pc[place] + !w->raw[place];
}

enum as_code as_gp_put_one(struct as_gp_write *w, uint64_t addr, as_val cost)
{
	AS_TRY(check_count(w, cost));
	AS_TRY(gp_write_put_head(w, (uint64_t)cost, 1));
	put_slot(w, addr);
	return AS_OK;
}

/* ---- straight from the tree ---- */

static int gp_write_cmp_place(const struct as_gp_write *w, uint32_t a, uint32_t b)
{
	if (w->pc[a] != w->pc[b])
		return w->pc[a] < w->pc[b] ? -1 : 1;
	return w->raw[b] - w->raw[a];
}

/* The places that are used stand by address, no two at the same one. */
static bool are_places_ordered(const struct as_gp_write *w)
{
	uint32_t before = UINT32_MAX;

	for (uint32_t i = 0; i < w->prof->place.func.n; i++) {
		if (!w->used[i])
			continue;
		if (before != UINT32_MAX && gp_write_cmp_place(w, before, i) >= 0)
			return false;
		before = i;
	}
	return true;
}

/*
 * The nodes stand in the order of a walk whose siblings ascend: every node's parent is on the
 * path of the node before, and the sibling that stands there comes first. Also *DEPTH.
 */
static bool is_ordered(const struct as_gp_write *w, uint32_t *path, uint32_t *depth)
{
	const struct as_profile *prof = w->prof;
	const as_node *parent = prof->node.parent.p;
	const as_place *place = prof->node.place.p;
	uint32_t d = 0;

	*depth = 0;
	path[0] = 0;
	if (prof->part.n > 1 || prof->event.n != 1 || !are_places_ordered(w))
		return false;
	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		uint32_t left = d;

		while (d && path[d] != parent[i].i)
			d--;
		if (path[d] != parent[i].i || (d < left && place[path[d + 1]].i >= place[i].i))
			return false;
		path[++d] = i;
		if (d > *depth)
			*depth = d;
	}
	return true;
}

static enum as_code gp_write_put_sample(
	struct as_gp_write *w, const char *end, size_t sample, uint32_t depth)
{
	as_val count = cost_of(w, sample);
	as_node node = w->prof->sample.node.p[sample];
	size_t callers = depth ? (depth - 1) * w->layout.width : 0;

	AS_TRY(check_count(w, count));
	if (!count)
		return AS_OK;
	AS_TRY(gp_write_put_head(w, (uint64_t)count, depth));
	if (depth)
		put_slot(w, w->pc[w->prof->node.place.p[node.i].i]);
	as_out_bytes(w->wr->out, end - callers, callers);
	return AS_OK;
}

/* PATH[0 .. depth] are the nodes above the current one, as in is_ordered(). Their slots are stored
 * backwards from END, so that they stand leaf first. */
static enum as_code put_tree(struct as_gp_write *w, char *end, uint32_t *path)
{
	const struct as_profile *prof = w->prof;
	size_t sample = 0, n = prof->sample.node.n;
	uint32_t d = 0;

	for (uint32_t i = 0; i < prof->node.parent.n; i++) {
		if (i) {
			while (path[d] != prof->node.parent.p[i].i)
				d--;
			path[++d] = i;
			gp_put_slot(end - (size_t)d * w->layout.width,
				caller_slot(w, prof->node.place.p[i].i), w->layout);
		}
		if (sample < n && prof->sample.node.p[sample].i == i)
			AS_TRY(gp_write_put_sample(w, end, sample++, d));
	}
	return AS_OK;
}

/* ---- sorted ---- */

struct sorted {
	struct as_gp_write *w;
	struct as_gp_stacks st; /* id: ranks of places */
	uint32_t *rank;         /* of each place: those with equal addresses have the same */
	uint64_t *slot;         /* of each rank, as a caller */
	uint8_t *raw;           /* likewise */
	AS_VEC(as_val) count;   /* of each stack */
};

/* The places that are used and RAW, or not, are put behind *N keys. */
static void add_keys(const struct as_gp_write *w, bool raw, uint64_t *key, uint32_t *row, size_t *n)
{
	for (uint32_t i = 0; i < w->prof->place.func.n; i++)
		if (w->used[i] && w->raw[i] == raw) {
			key[*n] = w->pc[i];
			row[(*n)++] = i;
		}
}

static bool is_same_slot(const struct as_gp_write *w, uint32_t a, uint32_t b)
{
	return w->pc[a] == w->pc[b] && w->raw[a] == w->raw[b];
}

/* By address; of equal ones, those that are written as they are come first. */
static bool rank_places(struct sorted *s)
{
	const struct as_gp_write *w = s->w;
	size_t n = w->prof->place.func.n, n_used = 0;
	size_t size = n * (sizeof(uint64_t) + sizeof(uint32_t));
	uint64_t *key = as_alloc_new(w->al, size);
	uint32_t *row = (uint32_t *)as_at(key, n), rank = 0;
	bool ok;

	if (!key)
		return false;
	add_keys(w, true, key, row, &n_used);
	add_keys(w, false, key, row, &n_used);
	ok = as_sort_keys(w->al, key, row, n_used);
	for (size_t i = 0; ok && i < n_used; i++) {
		if (i && !is_same_slot(w, row[i - 1], row[i]))
			rank++;
		s->rank[row[i]] = rank;
		s->slot[rank] = caller_slot(w, row[i]);
		s->raw[rank] = w->raw[row[i]];
	}
	return ok;
}

/*
 * The frames of one sample, leaf first. Functions that were inlined into one another share
 * an address; the file has one slot for them.
 */
static bool add_stack(struct sorted *s, as_node node)
{
	const struct as_profile *prof = s->w->prof;
	const struct as_alloc *al = s->w->al;
	struct as_stack_flat stack = {0};
	uint32_t before = UINT32_MAX, place_before = 0;

	if (s->st.id.n >= UINT32_MAX - 1 || !as_vec_push(al, &s->st.id, AS_GP_END))
		return false;
	stack.first = (uint32_t)s->st.id.n;
	for (; node.i; node = prof->node.parent.p[node.i]) {
		uint32_t place = prof->node.place.p[node.i].i, rank = s->rank[place];

		if (prof->place.inlined.p[place])
			continue; /* the frame above has the address */

		if (rank != before || s->w->java ||
			prof->place.func.p[place].i == prof->place.func.p[place_before].i) {
			if (!as_vec_push(al, &s->st.id, rank))
				return false;
			stack.depth++;
		}
		before = rank;
		place_before = place;
	}
	return as_vec_push(al, &s->st.row, stack);
}

static enum as_code gp_write_collect(struct sorted *s)
{
	const struct as_profile *prof = s->w->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_val count = cost_of(s->w, i);

		if (!count)
			continue;
		if (!add_stack(s, prof->sample.node.p[i]) ||
			!as_vec_push(s->w->al, &s->count, count))
			return as_err_no_memory(s->w->wr->err);
	}
	return AS_OK;
}

static bool is_same_stack(const struct as_gp_stacks *st, uint32_t a, uint32_t b)
{
	const struct as_stack_flat *x = &st->row.p[a], *y = &st->row.p[b];

	return x->depth == y->depth &&
	       memcmp(st->id.p + x->first, st->id.p + y->first, x->depth * sizeof(uint32_t)) == 0;
}

static enum as_code gp_write_put_stack(struct sorted *s, uint32_t row, as_val count)
{
	const struct as_stack_flat *stack = &s->st.row.p[row];
	const uint32_t *id = s->st.id.p + stack->first;

	AS_TRY(check_count(s->w, count));
	if (!count)
		return AS_OK;
	AS_TRY(gp_write_put_head(s->w, (uint64_t)count, stack->depth));
	if (stack->depth)
		put_slot(s->w, s->slot[id[0]] - !s->raw[id[0]]);
	for (uint32_t i = 1; i < stack->depth; i++)
		put_slot(s->w, s->slot[id[i]]);
	return AS_OK;
}

/* Stacks are written in another order than they were collected in, and so are the slots of
 * their frames: the memory of those to come is asked for in steps, each needing the one before.
 * Inlined, because gcc drops calls of functions that only prefetch. */
static inline __attribute__((always_inline)) void gp_write_expect(
	const struct sorted *s, const struct as_stack_item *item, size_t i)
{
	size_t n = s->st.row.n;

	if (i + 3 * GP_AHEAD < n) {
		AS_PREFETCH(&s->st.row.p[item[i + 3 * GP_AHEAD].row]);
		AS_PREFETCH(&s->count.p[item[i + 3 * GP_AHEAD].row]);
	}
	if (i + 2 * GP_AHEAD < n) {
		const struct as_stack_flat *stack = &s->st.row.p[item[i + 2 * GP_AHEAD].row];

		for (uint32_t k = 0; k < stack->depth; k += GP_LINE_IDS)
			AS_PREFETCH(&s->st.id.p[stack->first + k]);
	}
	if (i + GP_AHEAD < n) {
		const struct as_stack_flat *stack = &s->st.row.p[item[i + GP_AHEAD].row];

		for (uint32_t k = 0; k < stack->depth; k++)
			AS_PREFETCH(&s->slot[s->st.id.p[stack->first + k]]);
	}
}

static enum as_code put_ordered(struct sorted *s, const struct as_stack_item *item)
{
	size_t n = s->st.row.n;

	for (size_t i = 0; i < n;) {
		uint32_t first = item[i].row;
		as_val count = s->count.p[first];

		gp_write_expect(s, item, i);
		for (i++; i < n && is_same_stack(&s->st, first, item[i].row); i++)
			count += s->count.p[item[i].row];
		AS_TRY(gp_write_put_stack(s, first, count));
	}
	return AS_OK;
}

static enum as_code put_sorted(struct as_gp_write *w)
{
	size_t n = w->prof->place.func.n;
	struct sorted s = {.w = w, .st = {.al = w->al}};
	struct as_stack_item *items;

	AS_TRY(as_err_memory(w->wr->err,
		as_alloc_array(w->al, &s.slot, n) && as_alloc_array(w->al, &s.rank, n) &&
			as_alloc_array(w->al, &s.raw, n) && rank_places(&s)));
	AS_TRY(gp_write_collect(&s));
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &items, s.st.row.n)));
	as_gp_stacks_order(&s.st, items);
	return put_ordered(&s, items);
}

/* ---- all of it ---- */

static enum as_code put_records(struct as_gp_write *w)
{
	uint32_t *path, depth;
	size_t size;
	char *slots;

	if (w->rows)
		return as_gp_rows_put(w->rows);
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &path, w->prof->node.parent.n)));
	if (!is_ordered(w, path, &depth))
		return put_sorted(w);
	size = ((size_t)depth + 1) * GP_SLOT_MAX;
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &slots, size)));
	path[0] = 0;
	return put_tree(w, slots + size, path);
}

/* Places of all nodes that a sample with a cost stands on or below. */
static bool gp_write_mark_used(struct as_gp_write *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->node.parent.n;
	uint8_t *needed = as_alloc_new(w->al, n);

	if (!needed)
		return false;
	for (size_t i = 0; i < prof->sample.node.n; i++)
		if (cost_of(w, i))
			needed[prof->sample.node.p[i].i] = 1;
	for (size_t i = n - 1; i > 0; i--) {
		if (!needed[i])
			continue;
		needed[prof->node.parent.p[i].i] = 1;
		w->used[prof->node.place.p[i].i] = 1;
	}
	return true;
}

static enum as_code option_fault(
	struct as_gp_write *w, const char *key, const char *takes, const char *value)
{
	return as_err_set(
		w->wr->err, AS_E_ARG, "option '%s' takes %s, not '%s'", key, takes, value);
}

/* The layout of the source, unless the caller asks for another. */
static enum as_code set_layout(struct as_gp_write *w)
{
	const char *width = as_opts_get(&w->wr->opts, "width");
	const char *order = as_opts_get(&w->wr->opts, "order");
	struct as_slice version = as_str_get(w->prof, w->prof->version);

	w->layout = (struct as_gp_layout){8, false};
	if (as_profile_is_from(w->prof, "gperf")) {
		w->layout.width = as_slice_find_text(version, "32-bit") < version.len ? 4 : 8;
		w->layout.big = as_slice_ends(version, "big-endian");
	}
	if (width && strcmp(width, "32") != 0 && strcmp(width, "64") != 0)
		return option_fault(w, "width", "32 or 64", width);
	if (order && strcmp(order, "little") != 0 && strcmp(order, "big") != 0)
		return option_fault(w, "order", "'little' or 'big'", order);
	if (width)
		w->layout.width = strcmp(width, "32") == 0 ? 4 : 8;
	if (order)
		w->layout.big = strcmp(order, "big") == 0;
	return AS_OK;
}

static enum as_code set_event(struct as_gp_write *w)
{
	const char *name = as_opts_get(&w->wr->opts, "event");
	const struct as_profile *prof = w->prof;

	if (prof->event.n == 0)
		return as_err_set(w->wr->err, AS_E_UNSUPPORTED, "the profile has no event");
	if (name && !as_profile_event(prof, as_slice_of(name), &w->event))
		return as_err_set(w->wr->err, AS_E_ARG, "there is no event '%s'", name);
	return AS_OK;
}

/* The sampling period in microseconds, rounded where it is no whole number of them. */
static uint64_t gp_write_period(struct as_gp_write *w)
{
	const struct as_event *ev = &w->prof->event.p[w->event];
	uint64_t unit = as_unit_nanos(as_str_get(w->prof, ev->period_unit));
	as_uval nanos = (as_uval)ev->period * unit, micros = (nanos + 500) / 1000;
	bool has_samples = w->prof->sample.node.n || w->rows;

	if (!nanos || micros > UINT64_MAX) {
		if (has_samples)
			as_losses_add(w->wr->losses, "period-in-time", 1,
				"sampling period{ that is|s that are} no time: written as 1 "
				"microsecond");
		return NO_PERIOD;
	}
	if (nanos % 1000 && has_samples)
		as_losses_add(w->wr->losses, "period-rounded", 1,
			"sampling period{|s} rounded to microseconds");
	return micros ? (uint64_t)micros : NO_PERIOD;
}

/* Build ids of code in the profile that no line gives. */
static uint64_t lost_ids(struct as_gp_write *w)
{
	const struct as_profile *prof = w->prof;
	uint64_t lost = 0;

	for (uint32_t i = 1; i < prof->place.func.n; i++) {
		uint32_t o = gp_object(prof, i).i;

		if (!w->used[i] || w->named[o] || !prof->object.p[o].id.i)
			continue;
		w->named[o] = 1;
		lost++;
	}
	return lost;
}

static void gp_write_report(struct as_gp_write *w)
{
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_IDS, lost_ids(w));
	if (!w->keep && w->prof->map.n)
		as_losses_add(w->wr->losses, "mappings", w->prof->map.n,
			"mapping{, replaced by another|s, replaced by others} with the same file "
			"offsets");
	as_losses_add(w->wr->losses, "invented-addresses", w->invented,
		"function{|s} without address, which {was|were} numbered");
}

static enum as_code gp_write_all(struct as_gp_write *w)
{
	uint64_t us;

	AS_TRY(as_err_memory(w->wr->err, gp_write_mark_used(w)));
	AS_TRY(as_gp_plan(w));
	us = gp_write_period(w);
	if (w->layout.width == 4 && us > UINT32_MAX)
		return as_err_set(w->wr->err, AS_E_LIMIT,
			"the period of %" PRIu64 " microseconds does not fit into 32 bits", us);
	AS_TRY(check_addresses(w));
	put_slot(w, 0);
	put_slot(w, GP_WORDS);
	put_slot(w, w->java);
	put_slot(w, us);
	put_slot(w, 0);
	AS_TRY(put_records(w));
	put_slot(w, 0);
	put_slot(w, 1);
	put_slot(w, 0);
	AS_TRY(as_gp_write_list(w));
	gp_write_report(w);
	return w->wr->out->rc;
}

enum as_code as_gp_write_file(struct as_wr *wr, const struct as_profile *prof)
{
	struct as_gp_write w = {.wr = wr, .prof = prof, .al = wr->al};
	size_t n;

	if (prof->call.n || (prof->self.n && prof->sample.node.n))
		return as_err_set(wr->err, AS_E_ARG, "only call paths can be written");
	AS_TRY(set_event(&w));
	AS_TRY(set_layout(&w));
	if (prof->self.n)
		AS_TRY(as_gp_rows_begin(&w, prof));
	n = w.prof->place.func.n;
	if (!as_alloc_array(w.al, &w.pc, n) || !as_alloc_array(w.al, &w.used, n) ||
		!as_alloc_array(w.al, &w.raw, n) || !as_alloc_array(w.al, &w.named, prof->object.n))
		return as_err_no_memory(w.wr->err);
	return gp_write_all(&w);
}
