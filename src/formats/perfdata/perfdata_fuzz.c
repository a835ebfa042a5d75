/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how they arrive. No sample is
 * counted twice: there are no more than records of eight bytes would make.
 */
#include "formats/format.h"
#include "io/file.h"
#include "lib/fuzz_must.h"
#include "lib/mem_io.h"
#include "perf/perf_stack.h"

extern const struct as_format as_format_perfdata;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A pipe: gives a few bytes at a time, and nobody knows how many there are. */
struct pipe {
	struct as_src src;
	struct as_slice data;
};

static ptrdiff_t pipe_read(struct as_src *src, void *buf, size_t n)
{
	struct pipe *pipe = (struct pipe *)(void *)src;
	size_t some = 1 + pipe->data.len % 61;

	if (n > some)
		n = some;
	if (n > pipe->data.len)
		n = pipe->data.len;
	if (n)
		memcpy(buf, pipe->data.p, n);
	pipe->data = as_slice_skip(pipe->data, n);
	return (ptrdiff_t)n;
}

/* ---- an unwinder to which the words of a stack are its frames ---- */

struct as_unwind {
	uint64_t mapped;
};

static struct as_unwind *words_begin(void *ctx)
{
	(void)ctx;
	return calloc(1, sizeof(struct as_unwind));
}

static void words_end(struct as_unwind *u)
{
	free(u);
}

static bool words_are_stale(const struct as_unwind *u)
{
	return u->mapped > 8;
}

static bool words_add(
	void *ctx, struct as_unwind *u, const struct as_perf_range *range, struct as_slice id)
{
	(void)ctx;
	must(range->start < range->limit && range->path.p && id.p);
	u->mapped++;
	return true;
}

static void words_added(struct as_unwind *u)
{
	u->mapped++;
}

static void words_unwind(
	struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames)
{
	(void)u;
	must(stack->known >> AS_STACK_PC & stack->known >> AS_STACK_SP & 1);
	frames->pc[0] = stack->reg[AS_STACK_PC];
	for (frames->n = 1; frames->n < AS_FRAMES_MAX && frames->n <= stack->bytes.len / 8;
		frames->n++)
		frames->pc[frames->n] = as_perf_word(stack->bytes, frames->n - 1);
	frames->cut = stack->more;
	frames->broken = !stack->more && frames->n == 1;
}

static const struct as_unwinder words = {.begin = words_begin,
	.end = words_end,
	.is_stale = words_are_stale,
	.add = words_add,
	.added = words_added,
	.unwind = words_unwind};

static struct mem_how how_to(bool strict)
{
	return (struct mem_how){.fmt = &as_format_perfdata,
		.detail = AS_DETAIL_FULL,
		.moments = true,
		.strict = strict,
		.name = "fuzz",
		.unpack = as_zstd_unpack(),
		.unwinder = &words};
}

static struct as_profile *read_it(struct as_slice data, bool strict)
{
	struct mem_how how = how_to(strict);
	struct mem_read r;

	mem_read(&r, &how, data);
	return mem_take(&r);
}

static struct as_profile *read_pipe(struct as_slice data)
{
	struct pipe pipe = {.src = {.read = pipe_read, .size = AS_SIZE_UNKNOWN}, .data = data};
	struct mem_how how = how_to(false);
	struct mem_read r;

	mem_read_src(&r, &how, &pipe.src);
	return mem_take(&r);
}

static void must_be_alike(const struct as_profile *a, const struct as_profile *b)
{
	must(!a == !b);
	if (!a)
		return;
	must(a->event.n == b->event.n && a->sample.node.n == b->sample.node.n &&
		a->node.parent.n == b->node.parent.n && a->map.n == b->map.n &&
		a->part.n == b->part.n && a->partial == b->partial &&
		a->moments.n == b->moments.n && a->moments.left == b->moments.left);
	for (uint32_t i = 0; i < as_n_events(a); i++)
		must(a->total[i] == b->total[i]);
}

/* Stacks cost what paths do, one by one and all of them; of places that there are. */
static void must_have_stacks(const struct as_profile *prof, struct as_slice data)
{
	struct mem_how how = how_to(false);
	struct as_stacks_cur cur;
	struct as_profile *got;
	struct mem_read r;
	as_place *place;
	uint64_t times = 0;
	uint32_t event;

	how.moments = false;
	how.sums = how.stacks = true;
	mem_read(&r, &how, data);
	got = mem_take(&r);
	must(!prof == !got);
	if (!prof)
		return;
	must(got->event.n == prof->event.n);
	for (uint32_t i = 0; i < as_n_events(prof); i++)
		must(got->total[i] == prof->total[i]);
	if (got->sample.node.n) { /* what ends later needs a path */
		must(as_profile_event(got, as_slice_of(AS_OFF_CPU), &event));
		as_profile_free(got);
		return;
	}
	must(as_alloc_array(&as_alloc_libc, &place, got->stacks.deepest));
	as_stacks_begin(&cur, &got->stacks, place);
	while (as_stacks_next(&cur)) {
		must(cur.kind < got->stacks.kind.n && cur.n <= got->stacks.deepest);
		for (uint32_t i = 0; i < cur.n; i++)
			must(place[i].i && place[i].i < got->place.func.n);
		times += cur.times;
	}
	for (size_t k = 0; k < got->stacks.kind.n; k++)
		times -= (uint64_t)got->stacks.kind.p[k].all_times;
	must(!times);
	as_alloc_free(&as_alloc_libc, place, got->stacks.deepest * sizeof(*place) + 1);
	as_profile_free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_it(bytes, false), *strict = read_it(bytes, true),
			  *piped = read_pipe(bytes);

	must(!prof || as_format_perfdata.probe(&pk) != AS_PROBE_NO);
	must(!strict || prof);
	must_be_alike(prof, piped);
	must_have_stacks(prof, bytes);
	as_profile_free(piped);
	as_profile_free(strict);
	as_profile_free(prof);
	return 0;
}
