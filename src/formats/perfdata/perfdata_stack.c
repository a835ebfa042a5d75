/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples: their paths, and what they weigh. The hot loop: a stack that was there before, in the
 * same memory, thread and event, costs a look at its words. docs/formats/perfdata.md §8, §9.
 */
#include "formats/perfdata/perfdata.h"

enum {
	WORDS_MAX = 4 << 20, /* of stacks that are remembered: then they are forgotten */
	KEY_HEAD = 4,
	DEPTH_USUAL = 127, /* where recorders cut */
};

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

static bool stack_push(struct as_pd *pd, uint64_t pc, uint8_t mode)
{
	struct pd_frame frame = {pc, mode};

	return as_vec_push(pd->al, &pd->frame, frame);
}

/*
 * The frames of the call chain in KEY, the innermost first. The first address behind a mark is
 * where the code was; those after it are return addresses, behind the call. IP is where the sample
 * was, whatever the chain begins with.
 */
static bool stack_chain(struct as_pd *pd, const struct as_perf_rec *rec, bool precise,
	const uint64_t *chain, size_t n)
{
	uint8_t mode = rec->misc & AS_PERF_MODE_MASK, now = mode;
	bool exact = true, first = true;

	for (size_t i = 0; i < n; i++) {
		uint64_t pc = chain[i];

		if (pc >= AS_PERF_CONTEXT_MAX) {
			now = stack_mode(pc);
			exact = true;
			if (pc == AS_PERF_CONTEXT_DEFERRED) {
				pd->tally.deferred++;
				break;
			}
			continue;
		}
		if (first && (now != mode || (pc != rec->ip && !precise)) && rec->ip &&
			!stack_push(pd, rec->ip, mode))
			return false;
		if (first && now == mode && precise && rec->ip)
			pc = rec->ip;
		first = false;
		if (!stack_push(pd, exact ? pc : pc - 1, now))
			return false;
		exact = false;
	}
	return !first || stack_push(pd, rec->ip, mode);
}

/* The user's part that was unwound goes on where the chain in the kernel ends. */
static bool stack_unwound(struct as_pd *pd, const struct as_perf_rec *rec)
{
	const struct as_frames *f = pd->frames;
	bool user = (rec->misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_USER;

	for (uint32_t i = 0; i < f->n; i++)
		if (!stack_push(
			    pd, i == 0 && user && rec->ip ? rec->ip : f->pc[i], AS_PERF_MODE_USER))
			return false;
	return !(f->cut || f->broken) || stack_push(pd, 0, PD_TRUNCATED);
}

/* The frames of what is in KEY, the innermost first. */
static bool stack_frames(
	struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec, bool unwound)
{
	const uint64_t *chain = pd->key.p + KEY_HEAD;
	size_t n = pd->key.n - KEY_HEAD - (unwound ? pd->frames->n : 0);
	bool precise = pd->event.p[event].flags >> PD_PRECISE & 3;
	bool user = (rec->misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_USER;

	pd->frame.n = 0;
	if (!unwound || !user)
		return stack_chain(pd, rec, precise, chain, n) &&
		       (!unwound || stack_unwound(pd, rec));
	return stack_unwound(pd, rec);
}

static bool stack_same_frame(const struct pd_frame *a, const struct pd_frame *b)
{
	return a->pc == b->pc && a->mode == b->mode;
}

/* How many frames from the root on are those of the stack before. */
static size_t stack_shared(const struct as_pd *pd, const struct pd_proc *proc)
{
	size_t n = pd->frame.n < pd->before.n ? pd->frame.n : pd->before.n, i = 0;

	if (pd->before_version != proc->version || pd->before_kernel != pd->kernel_version)
		return 0;
	while (i < n && stack_same_frame(&pd->frame.p[pd->frame.n - 1 - i],
				&pd->before.p[pd->before.n - 1 - i]))
		i++;
	return i;
}

/* Of several frames in a row that nobody knows one is kept. */
static enum as_code stack_walk(struct as_pd *pd, const struct pd_proc *proc, as_node *out)
{
	struct as_build *b = pd->rd->out;
	size_t n = pd->frame.n, i = stack_shared(pd, proc);
	as_node node = {0};

	if (!as_vec_reserve(pd->al, &pd->node, n))
		return as_err_no_memory(pd->rd->err);
	if (i)
		node = pd->node.p[i - 1];
	for (; i < n; i++) {
		as_place place;

		AS_TRY(as_pd_place(pd, proc, &pd->frame.p[n - 1 - i], &place));
		if (!pd->unknown.i || place.i != pd->unknown.i || !node.i ||
			b->prof->node.place.p[node.i].i != place.i)
			AS_TRY(as_build_push(b, node, place, &node));
		pd->node.p[i] = node;
	}
	pd->node.n = n;
	pd->before.n = 0;
	if (!as_vec_append(pd->al, &pd->before, pd->frame.p, n))
		return as_err_no_memory(pd->rd->err);
	pd->before_version = proc->version;
	pd->before_kernel = pd->kernel_version;
	*out = node;
	return AS_OK;
}

/* ---- sums ---- */

static enum as_code stack_need_sum(
	struct as_pd *pd, as_node node, uint32_t part, uint32_t event, uint32_t *row)
{
	uint64_t hash = as_hash_mix(node.i, (uint64_t)part << 32 | event), at = AS_INDEX_START;
	struct pd_sum one = {.node = node, .part = part, .event = event};

	while (as_index_find(&pd->sums, hash, &at, row)) {
		const struct pd_sum *s = &pd->sum.p[*row];

		if (s->node.i == node.i && s->part == part && s->event == event)
			return AS_OK;
	}
	*row = (uint32_t)pd->sum.n;
	if (!as_vec_push(pd->al, &pd->sum, one) || !as_index_add(&pd->sums, hash, *row))
		return as_err_no_memory(pd->rd->err);
	return AS_OK;
}

/* ---- stacks that were there before ---- */

static uint64_t stack_hash(const uint64_t *w, size_t n)
{
	uint64_t a = n, b = 0;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		a = (a ^ w[i]) * UINT64_C(0x9e3779b97f4a7c15);
		b = (b ^ w[i + 1]) * UINT64_C(0xc2b2ae3d27d4eb4f);
		a ^= a >> 29;
		b ^= b >> 31;
	}
	if (i < n)
		a = (a ^ w[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return as_hash_mix(a, b);
}

static bool stack_find(struct as_pd *pd, uint64_t hash, uint32_t *sum)
{
	const uint64_t *key = pd->key.p;
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&pd->stacks, hash, &at, &row)) {
		const struct pd_stack *s = &pd->stack.p[row];

		if (s->n == pd->key.n &&
			memcmp(pd->word.p + s->first, key, s->n * sizeof(*key)) == 0) {
			*sum = s->sum;
			return true;
		}
	}
	return false;
}

/* Memory is bounded: what is forgotten is looked up again. */
static enum as_code stack_keep(struct as_pd *pd, uint64_t hash, uint32_t sum)
{
	struct pd_stack one = {.first = (uint32_t)pd->word.n, .n = (uint32_t)pd->key.n, .sum = sum};

	if (pd->word.n + pd->key.n > WORDS_MAX) {
		pd->word.n = pd->stack.n = 0;
		as_index_release(&pd->stacks);
		as_index_init(&pd->stacks, pd->al);
		one.first = 0;
	}
	if (!as_vec_append(pd->al, &pd->word, pd->key.p, pd->key.n) ||
		!as_index_add(&pd->stacks, hash, (uint32_t)pd->stack.n) ||
		!as_vec_push(pd->al, &pd->stack, one))
		return as_err_no_memory(pd->rd->err);
	return AS_OK;
}

/* How many words of a chain are the kernel's part, which comes first. */
static size_t stack_kernel_part(const uint64_t *chain, size_t n)
{
	size_t i = 0;

	while (i < n && chain[i] != AS_PERF_CONTEXT_USER && chain[i] != AS_PERF_CONTEXT_DEFERRED)
		i++;
	return i;
}

/* What was unwound takes the place of the chain's own user's part. */
static bool stack_key_unwound(struct as_pd *pd)
{
	const struct as_frames *f = pd->frames;

	pd->key.n = KEY_HEAD + stack_kernel_part(pd->key.p + KEY_HEAD, pd->key.n - KEY_HEAD);
	pd->key.p[3] = (uint64_t)f->n << 3 | (uint64_t)f->broken << 2 | (uint64_t)f->cut << 1 | 1;
	return as_vec_append(pd->al, &pd->key, f->pc, f->n);
}

/* All that the path depends on, as words. */
static bool perfdata_stack_key(struct as_pd *pd, uint32_t event, const struct pd_thread *thread,
	const struct as_perf_rec *rec)
{
	const struct as_perf_layout *l = &pd->event.p[event].layout;
	const struct pd_proc *proc = &pd->proc.p[thread->proc];
	size_t n = rec->chain.len / 8;
	uint64_t *w;

	if (!as_vec_reserve(pd->al, &pd->key, n + KEY_HEAD))
		return false;
	w = pd->key.p;
	w[0] = (uint64_t)thread->part << 32 | event;
	w[1] = (uint64_t)proc->version << 32 | pd->kernel_version;
	w[2] = rec->ip ^ (uint64_t)(rec->misc & AS_PERF_MODE_MASK) << 60;
	w[3] = 0;
	if (n)
		memcpy(w + KEY_HEAD, rec->chain.p, n * 8);
	for (size_t i = KEY_HEAD; l->swap && i < n + KEY_HEAD; i++)
		w[i] = __builtin_bswap64(w[i]);
	pd->key.n = n + KEY_HEAD;
	return true;
}

static enum as_code stack_sum(struct as_pd *pd, uint32_t event, uint32_t thread,
	const struct as_perf_rec *rec, uint32_t *row)
{
	const struct pd_thread *th = &pd->thread.p[thread];
	struct pd_proc *proc = &pd->proc.p[th->proc];
	as_node node;
	uint64_t hash;
	bool unwound;

	AS_TRY(as_pd_unwind(pd, event, proc, rec, &unwound));
	if (!perfdata_stack_key(pd, event, th, rec) || (unwound && !stack_key_unwound(pd)))
		return as_err_no_memory(pd->rd->err);
	hash = stack_hash(pd->key.p, pd->key.n);
	if (stack_find(pd, hash, row))
		return AS_OK;
	if (!stack_frames(pd, event, rec, unwound))
		return as_err_no_memory(pd->rd->err);
	AS_TRY(stack_walk(pd, proc, &node));
	AS_TRY(as_pd_list(pd, proc));
	AS_TRY(stack_need_sum(pd, node, th->part, event, row));
	return stack_keep(pd, hash, *row);
}

/* ---- what it weighs ---- */

/* When it was. What cannot be said is counted with those that nobody asked for. */
static enum as_code stack_moment(
	struct as_pd *pd, const struct pd_sum *s, const struct as_perf_rec *rec, uint64_t weight)
{
	const struct pd_event *ev = &pd->event.p[s->event];
	struct as_build *b = pd->rd->out;
	struct as_moment m = {.time = (int64_t)rec->time, .part = s->part, .node = s->node};
	bool weighs = ev->weight != PD_NONE && weight;

	if (!rec->has_time || ev->samples == PD_NONE)
		return AS_OK;
	if (!b->keep_moments || rec->time > INT64_MAX || weight > INT64_MAX) {
		b->prof->moments.left += 1 + weighs;
		return AS_OK;
	}
	m.event = ev->samples;
	m.value = 1;
	AS_TRY(as_build_moment(b, &m));
	m.event = ev->weight;
	m.value = (int64_t)weight;
	return weighs ? as_build_moment(b, &m) : AS_OK;
}

static enum as_code stack_add(
	struct as_pd *pd, uint32_t row, uint64_t weight, const struct as_perf_rec *rec)
{
	pd->sum.p[row].n++;
	pd->sum.p[row].weight += weight;
	return stack_moment(pd, &pd->sum.p[row], rec, weight);
}

/*
 * Of a group whose leader alone has samples each says how far all counters are: what a member has
 * counted since is its weight, and a member that counted nothing has no sample.
 */
static enum as_code stack_add_group(
	struct as_pd *pd, uint32_t event, uint32_t row, const struct as_perf_rec *rec)
{
	const struct as_perf_layout *l = &pd->event.p[event].layout;
	const uint64_t f = l->read_format;
	size_t words = rec->counts.len / 8, each = 2 + ((f & AS_PERF_R_LOST) != 0);
	size_t at = (size_t)1 + !!(f & AS_PERF_R_ENABLED) + !!(f & AS_PERF_R_RUNNING);
	as_node node = pd->sum.p[row].node;
	uint32_t part = pd->sum.p[row].part;

	for (; at + each <= words; at += each) {
		uint64_t value = as_perf_word_of(l, rec->counts, at), more;
		uint32_t id = as_pd_find_id(pd, as_perf_word_of(l, rec->counts, at + 1)), to;

		if (id == PD_NONE)
			continue;
		more = value > pd->id.p[id].last ? value - pd->id.p[id].last : 0;
		pd->id.p[id].last = value;
		if (!more)
			continue;
		AS_TRY(stack_need_sum(pd, node, part, pd->id.p[id].event, &to));
		AS_TRY(stack_add(pd, to, more, rec));
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

enum as_code as_pd_take_sample(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec)
{
	const struct pd_event *ev = &pd->event.p[event];
	uint32_t pid = rec->pid, tid = rec->tid, thread, row;

	if (ev->samples == PD_NONE)
		return AS_OK; /* it counts nothing */
	stack_tally(pd, ev, rec);
	/* the recorder saw a process of which its own system has no number */
	if (pid == 0 && (rec->misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_USER) {
		pid = tid = UINT32_MAX;
		pd->tally.strangers++;
	}
	AS_TRY(as_pd_need_thread(pd, pid, tid, &thread));
	AS_TRY(as_pd_set_part(pd, thread, as_pd_find_cgroup(pd, rec->cgroup)));
	AS_TRY(stack_sum(pd, event, thread, rec, &row));
	if (ev->is_member)
		return stack_add_group(pd, event, row, rec);
	return stack_add(pd, row, stack_weight(ev, rec), rec);
}

enum as_code as_pd_emit(struct as_pd *pd)
{
	struct as_build *b = pd->rd->out;
	uint32_t n = as_n_events(b->prof);
	as_val *cost;

	if (!as_alloc_array(pd->al, &cost, n))
		return as_err_no_memory(pd->rd->err);
	for (size_t i = 0; i < pd->sum.n; i++) {
		const struct pd_sum *s = &pd->sum.p[i];
		const struct pd_event *ev = &pd->event.p[s->event];

		if (!s->n || ev->samples == PD_NONE)
			continue;
		memset(cost, 0, n * sizeof(*cost));
		cost[ev->samples] = (as_val)s->n;
		if (ev->weight != PD_NONE)
			cost[ev->weight] = (as_val)s->weight;
		AS_TRY(as_build_sample(b, s->part, s->node, cost));
	}
	return AS_OK;
}
