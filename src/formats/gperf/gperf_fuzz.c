/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how they arrive. What was
 * read can be written in every layout that holds it; that file reads to the same totals and is
 * written to the same bytes again. Stacks, where they are asked for, cost what paths do.
 */
#include "lib/fuzz_format.h"
#include "lib/fuzz_raw.h"

extern const struct as_format as_format_gperf;

static struct mem_how how_to(const char *opt, bool strict)
{
	return (struct mem_how){.fmt = &as_format_gperf,
		.detail = AS_DETAIL_FULL,
		.moments = true,
		.strict = strict,
		.opt = opt};
}

static struct as_profile *read_it(struct as_slice data, const char *opt, bool strict)
{
	return fuzz_read(data, how_to(opt, strict));
}

static void must_be_same(struct as_slice a, struct as_slice b)
{
	must(as_slice_eq(a, b));
}

/* Of a profile of one part: what lines of ours say of its run. */
static void must_say_the_same(const struct as_profile *a, const struct as_profile *b)
{
	const struct as_part *p = a->part.p, *q = b->part.p;

	if (a->part.n != 1)
		return;
	must_be_same(as_str_get(a, p->command), as_str_get(b, q->command));
	must_be_same(as_str_get(a, p->thread), as_str_get(b, q->thread));
	must(p->has_pid == q->has_pid && p->pid == q->pid);
	must(p->has_tid == q->has_tid && p->tid == q->tid);
	must_be_same(as_str_get(a, a->epoch), as_str_get(b, b->epoch));
	must(a->duration == b->duration);
}

static void count_bytes(struct as_slice s, size_t n[256])
{
	for (size_t i = 0; i < s.len; i++)
		n[(unsigned char)s.p[i]]++;
}

/* A line that nobody knows may get another place in the list, and an empty one none, where mappings
 * are left out. */
static bool same_but_for_order(struct as_slice a, struct as_slice b)
{
	size_t in_a[256] = {0}, in_b[256] = {0};

	count_bytes(a, in_a);
	count_bytes(b, in_b);
	in_a['\n'] = in_b['\n'];
	return memcmp(in_a, in_b, sizeof(in_a)) == 0;
}

/* Writes twice, with a reading between. A sum may be too large for a word. */
static void round_trip(const struct as_profile *prof, struct as_opts opts)
{
	struct mem_written one, two;
	struct as_profile *again;

	mem_write_with(&one, &as_format_gperf, prof, 0, opts);
	must(one.rc == AS_OK || one.rc == AS_E_LIMIT);
	if (one.rc == AS_OK) {
		struct as_peek pk = {.head = mem_bytes(&one), .whole = true};

		must(as_format_gperf.probe(&pk) == AS_PROBE_SURE);
		again = read_it(mem_bytes(&one), NULL, true);
		must(again && again->total[0] == prof->total[0]);
		must_say_the_same(prof, again);
		mem_write_with(&two, &as_format_gperf, again, 0, opts);
		must(two.rc == AS_OK && same_but_for_order(mem_bytes(&one), mem_bytes(&two)));
		mem_written_free(&two);
		as_profile_free(again);
	}
	mem_written_free(&one);
}

static void arrives_alike(const struct as_profile *prof, struct as_slice bytes)
{
	struct as_profile *other = fuzz_read_pipe(bytes, how_to(NULL, false));

	must(!prof == !other);
	if (prof)
		must(prof->total[0] == other->total[0] &&
			prof->sample.node.n == other->sample.node.n &&
			prof->node.parent.n == other->node.parent.n &&
			prof->map.n == other->map.n && prof->moments.n == other->moments.n &&
			prof->partial == other->partial);
	as_profile_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const big32[] = {"width=32", "order=big"};
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_it(bytes, NULL, false);
	struct as_profile *strict = read_it(bytes, NULL, true);

	if (prof) {
		must(as_format_gperf.probe(&pk) != AS_PROBE_NO);
		round_trip(prof, (struct as_opts){NULL, 0});
		round_trip(prof, (struct as_opts){big32, 2});
	}
	must(!strict || prof);
	arrives_alike(prof, bytes);
	as_profile_free(strict);
	as_profile_free(prof);
	as_profile_free(read_it(bytes, "compat=pprof", false));
	must_agree_with_stacks((struct mem_how){.fmt = &as_format_gperf}, bytes);
	fuzz_raw(&as_format_gperf, bytes);
	return 0;
}
