/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: their stacks, and what they weigh. docs/formats/perfdata.md §8, §9. */
#include "formats/perfdata/perfdata.h"

#include "base/sort.h"

enum { DEPTH_USUAL = 127 }; /* where recorders cut */

/* ---- the path ---- */

/* What part of the system the addresses behind a mark are of. */
static uint8_t stack_mode(uint64_t mark)
{
	switch (mark) {
	case AS_PERF_CONTEXT_KERNEL:
		return AS_PERF_MODE_KERNEL;
	case AS_PERF_CONTEXT_USER:
		return AS_PERF_MODE_USER;
	case AS_PERF_CONTEXT_HV:
		return AS_PERF_MODE_HYPERVISOR;
	case AS_PERF_CONTEXT_GUEST_KERNEL:
		return AS_PERF_MODE_GUEST_KERNEL;
	case AS_PERF_CONTEXT_GUEST:
	case AS_PERF_CONTEXT_GUEST_USER:
		return AS_PERF_MODE_GUEST_USER;
	default:
		return AS_PERF_MODE_UNKNOWN;
	}
}

/* Words I and following of the chain that are return addresses, which are behind the call. */
static size_t stack_returns(const struct as_perf_layout *layout, struct as_slice chain, size_t i,
	size_t n, uint8_t mode, struct pd_frame **to)
{
	struct pd_frame *out = *to;
	const bool swap = layout->swap;

	for (; i < n; i++, out++) {
		uint64_t pc = as_perf_word(chain, i);

		pc = swap ? __builtin_bswap64(pc) : pc;
		if (AS_UNLIKELY(pc >= AS_PERF_CONTEXT_MAX))
			break;
		out->pc = pc - 1;
		out->mode = mode;
	}
	*to = out;
	return i;
}

/*
 * The frames of the call chain, the innermost first; there is room for them. The first address
 * behind a mark is where the code was. IP is where the sample was, whatever the chain begins with.
 */
static void stack_chain(
	struct as_pd *pd, const struct pd_event *ev, const struct as_perf_rec *rec, size_t n)
{
	bool first = true, precise = ev->flags >> PD_PRECISE & 3;
	uint8_t mode = rec->misc & AS_PERF_MODE_MASK, now = mode;
	struct pd_frame *to = pd->frame.p + pd->frame.n;

	for (size_t i = 0; i < n;) {
		uint64_t pc = as_perf_word_of(&ev->layout, rec->chain, i++);

		if (pc == AS_PERF_CONTEXT_DEFERRED) {
			pd->tally.deferred++;
			break;
		}
		if (pc >= AS_PERF_CONTEXT_MAX) {
			now = stack_mode(pc);
			continue;
		}
		if (first && (now != mode || (pc != rec->ip && !precise)) && rec->ip)
			*to++ = (struct pd_frame){rec->ip, mode};
		if (first && now == mode && precise && rec->ip)
			pc = rec->ip;
		first = false;
		*to++ = (struct pd_frame){pc, now};
		i = stack_returns(&ev->layout, rec->chain, i, n, now, &to);
	}
	if (first)
		*to++ = (struct pd_frame){rec->ip, mode};
	pd->frame.n = (size_t)(to - pd->frame.p);
	as_assert(pd->frame.n <= pd->frame.cap);
}

/* The user's part that was unwound goes on where the chain in the kernel ends. */
static void stack_unwound(struct as_pd *pd, const struct as_perf_rec *rec)
{
	const struct as_frames *f = pd->frames;
	bool user = (rec->misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_USER;
	struct pd_frame *to = pd->frame.p + pd->frame.n;

	for (uint32_t i = 0; i < f->n; i++)
		*to++ = (struct pd_frame){
			i == 0 && user && rec->ip ? rec->ip : f->pc[i], AS_PERF_MODE_USER};
	if (f->cut || f->broken)
		*to++ = (struct pd_frame){0, PD_TRUNCATED};
	pd->frame.n = (size_t)(to - pd->frame.p);
	as_assert(pd->frame.n <= pd->frame.cap);
}

/* How many words of a chain are the kernel's part, which comes first. */
static size_t stack_kernel_part(const struct pd_event *ev, struct as_slice chain)
{
	size_t n = chain.len / 8, i = 0;

	for (; i < n; i++) {
		uint64_t word = as_perf_word_of(&ev->layout, chain, i);

		if (word == AS_PERF_CONTEXT_USER || word == AS_PERF_CONTEXT_DEFERRED)
			break;
	}
	return i;
}

/* The frames of REC, the innermost first. What was unwound takes the place of the chain's own
 * user's part. */
static bool stack_frames(
	struct as_pd *pd, const struct pd_event *ev, const struct as_perf_rec *rec, bool unwound)
{
	bool user = (rec->misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_USER;
	size_t most = rec->chain.len / 8 + (unwound ? pd->frames->n : 0) + 3;

	pd->frame.n = 0;
	if (!as_vec_reserve(pd->al, &pd->frame, most))
		return false;
	if (!unwound)
		stack_chain(pd, ev, rec, rec->chain.len / 8);
	else if (!user)
		stack_chain(pd, ev, rec, stack_kernel_part(ev, rec->chain));
	if (unwound)
		stack_unwound(pd, rec);
	return true;
}

/* ---- sums ---- */

static enum as_code stack_need_sum(
	struct as_pd *pd, uint32_t path, uint32_t part, uint32_t event, uint32_t *row)
{
	uint64_t hash = as_hash_mix(path, (uint64_t)part << 32 | event), at = AS_INDEX_START;
	struct pd_sum one = {.path = path, .part = part, .event = event};

	while (as_index_find(&pd->sums, hash, &at, row)) {
		const struct pd_sum *s = &pd->sum.p[*row];

		if (s->path == path && s->part == part && s->event == event)
			return AS_OK;
	}
	*row = (uint32_t)pd->sum.n;
	return as_err_memory(pd->rd->err,
		as_vec_push(pd->al, &pd->sum, one) && as_index_add(&pd->sums, hash, *row));
}

/* The path of REC, of a thread of PROC. */
static enum as_code stack_path(struct as_pd *pd, uint32_t event, struct pd_proc *proc,
	const struct as_perf_rec *rec, uint32_t *path)
{
	bool unwound;

	as_pd_made_turn(pd, proc, rec);
	AS_TRY(as_pd_unwind(pd, event, proc, rec, &unwound));
	AS_TRY(as_err_memory(pd->rd->err, stack_frames(pd, &pd->event.p[event], rec, unwound)));
	AS_TRY(as_pd_places(pd, proc));
	AS_TRY(as_pd_list(pd, proc));
	return as_pd_need_path(pd, path);
}

/* ---- what it weighs ---- */

/* When it was. What cannot be said is counted with those that nobody asked for. */
static enum as_code stack_moment(
	struct as_pd *pd, const struct pd_sum *s, const struct as_perf_rec *rec, uint64_t weight)
{
	const struct pd_event *ev = &pd->event.p[s->event];
	struct as_build *b = pd->rd->out;
	struct as_moment m = {.time = (int64_t)rec->time, .part = s->part};
	bool weighs = ev->weight != PD_NONE && weight;

	if (!rec->has_time)
		return AS_OK;
	if (!b->keep_moments || rec->time > INT64_MAX || weight > INT64_MAX) {
		b->prof->moments.left += 1 + weighs;
		return AS_OK;
	}
	AS_TRY(as_pd_need_node(pd, s->path));
	m.node = pd->path.p[s->path].node;
	m.event = ev->samples;
	m.value = 1;
	AS_TRY(as_build_moment(b, &m));
	m.event = ev->weight;
	m.value = (int64_t)weight;
	return weighs ? as_build_moment(b, &m) : AS_OK;
}

/* A sample of AT's path, part and event. */
static enum as_code stack_add(
	struct as_pd *pd, const struct pd_sum *at, uint64_t weight, const struct as_perf_rec *rec)
{
	uint32_t row;

	if (pd->event.p[at->event].samples == PD_NONE)
		return AS_OK; /* it counts nothing */
	AS_TRY(stack_moment(pd, at, rec, weight));
	if (pd->stacks)
		return as_err_memory(pd->rd->err, as_stacks_add(pd->stacks, at->event, pd->place.p,
							  (uint32_t)pd->place.n, weight, 1));
	AS_TRY(stack_need_sum(pd, at->path, at->part, at->event, &row));
	pd->sum.p[row].n++;
	pd->sum.p[row].weight += weight;
	return AS_OK;
}

/*
 * Of a group whose leader alone has samples each says how far all counters are: what a member has
 * counted since is its weight, and a member that counted nothing has no sample.
 */
static enum as_code stack_add_group(
	struct as_pd *pd, const struct pd_sum *leader, const struct as_perf_rec *rec)
{
	const struct as_perf_layout *l = &pd->event.p[leader->event].layout;
	const uint64_t f = l->read_format;
	size_t words = rec->counts.len / 8, each = 2 + ((f & AS_PERF_R_LOST) != 0);
	size_t at = (size_t)1 + !!(f & AS_PERF_R_ENABLED) + !!(f & AS_PERF_R_RUNNING);

	for (; at + each <= words; at += each) {
		uint64_t value = as_perf_word_of(l, rec->counts, at), more;
		uint32_t id = as_pd_find_id(pd, as_perf_word_of(l, rec->counts, at + 1));
		struct pd_sum member = *leader;

		if (id == PD_NONE)
			continue;
		more = value > pd->id.p[id].last ? value - pd->id.p[id].last : 0;
		pd->id.p[id].last = value;
		member.event = pd->id.p[id].event;
		if (more)
			AS_TRY(stack_add(pd, &member, more, rec));
	}
	return AS_OK;
}

static uint64_t stack_weight(const struct pd_event *ev, const struct as_perf_rec *rec)
{
	return ev->layout.sample_type & AS_PERF_S_PERIOD ? rec->count : ev->period;
}

static void stack_tally(struct as_pd *pd, const struct pd_event *ev, const struct as_perf_rec *rec)
{
	if (rec->has_time) {
		if (!pd->has_time || rec->time < pd->first_time)
			pd->first_time = rec->time;
		if (!pd->has_time || rec->time > pd->end_time)
			pd->end_time = rec->time;
		pd->has_time = true;
	}
	pd->tally.no_weight += ev->weight == PD_NONE;
	pd->tally.cut += rec->chain.len / 8 >= DEPTH_USUAL;
}

enum as_code as_pd_unknown_path(struct as_pd *pd, struct pd_proc *proc, uint32_t *path)
{
	const struct pd_frame nobody = {0, AS_PERF_MODE_UNKNOWN};

	pd->frame.n = 0;
	AS_TRY(as_err_memory(pd->rd->err, as_vec_push(pd->al, &pd->frame, nobody)));
	AS_TRY(as_pd_places(pd, proc));
	return as_pd_need_path(pd, path);
}

enum as_code as_pd_add_off(
	struct as_pd *pd, uint32_t path, uint32_t part, const uint64_t *since, uint64_t length)
{
	struct as_build *b = pd->rd->out;
	struct as_moment m = {.part = part, .duration = length};
	uint32_t row;

	AS_TRY(stack_need_sum(pd, path, part, pd->off_event, &row));
	pd->sum.p[row].weight += length;
	if (!since || !b->keep_moments || *since > INT64_MAX || length > INT64_MAX) {
		b->prof->moments.left += since != NULL;
		return AS_OK;
	}
	AS_TRY(as_pd_need_node(pd, path));
	m.node = pd->path.p[path].node;
	m.event = pd->event.p[pd->off_event].weight;
	m.time = (int64_t)*since;
	m.value = (int64_t)length;
	return as_build_moment(b, &m);
}

enum as_code as_pd_take_sample(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec)
{
	const struct pd_event *ev = &pd->event.p[event];
	uint32_t pid = rec->pid, tid = rec->tid, thread;
	struct pd_sum at = {.event = event};

	as_assert(event < pd->event.n);
	if (ev->samples == PD_NONE && ev->role != PD_OFF)
		return AS_OK;
	stack_tally(pd, ev, rec);
	/* the recorder saw a process of which its own system has no number */
	if (pid == 0 && (rec->misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_USER) {
		pid = tid = UINT32_MAX;
		pd->tally.strangers++;
	}
	AS_TRY(as_pd_need_thread(pd, pid, tid, &thread));
	AS_TRY(as_pd_set_part(pd, thread, as_pd_find_cgroup(pd, rec->cgroup)));
	at.part = pd->thread.p[thread].part;
	AS_TRY(stack_path(pd, event, &pd->proc.p[pd->thread.p[thread].proc], rec, &at.path));
	if (ev->role != PD_COUNTS)
		AS_TRY(as_pd_off_sample(pd, event, rec, thread, at.path));
	return ev->is_member ? stack_add_group(pd, &at, rec)
			     : stack_add(pd, &at, stack_weight(ev, rec), rec);
}

/* ---- all of them ---- */

struct stack_emit {
	struct as_pd *pd;
	uint64_t *key; /* part and node of each sum */
	uint32_t *row;
	as_val *cost;
};

/* The sums of the same part and node as the I-th in order, which are those of events. *NEXT: the
 * first behind them. */
static enum as_code stack_emit_sample(const struct stack_emit *e, size_t i, size_t *next)
{
	struct as_pd *pd = e->pd;
	uint32_t n = as_n_events(pd->rd->out->prof);
	uint64_t key = e->key[i];

	memset(e->cost, 0, n * sizeof(*e->cost));
	for (; i < pd->sum.n && e->key[i] == key; i++) {
		const struct pd_sum *s = &pd->sum.p[e->row[i]];
		const struct pd_event *ev = &pd->event.p[s->event];

		if (ev->samples != PD_NONE)
			e->cost[ev->samples] += (as_val)s->n;
		if (ev->weight != PD_NONE)
			e->cost[ev->weight] += (as_val)s->weight;
	}
	*next = i;
	return as_build_sample(
		pd->rd->out, (uint32_t)(key >> 32), (as_node){(uint32_t)key}, e->cost);
}

/* In the order of the profile, so that nothing needs to be sorted there. */
enum as_code as_pd_emit(struct as_pd *pd)
{
	struct stack_emit e = {.pd = pd};
	size_t n = pd->sum.n;

	as_index_release(&pd->sums);
	AS_TRY(as_pd_grow_tree(pd));
	if (!as_alloc_array(pd->al, &e.key, n) || !as_alloc_array(pd->al, &e.row, n) ||
		!as_alloc_array(pd->al, &e.cost, as_n_events(pd->rd->out->prof)))
		return as_err_no_memory(pd->rd->err);
	for (size_t i = 0; i < n; i++) {
		const struct pd_sum *s = &pd->sum.p[i];

		e.key[i] = (uint64_t)s->part << 32 | pd->path.p[s->path].node.i;
		e.row[i] = (uint32_t)i;
	}
	AS_TRY(as_err_memory(pd->rd->err, as_sort_keys(pd->al, e.key, e.row, n)));
	for (size_t i = 0; i < n;)
		AS_TRY(stack_emit_sample(&e, i, &i));
	return AS_OK;
}
