/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, and what is read would have been recognised. What
 * is kept of when it was does not change a sum, and stacks add up to what paths do. What is written
 * of it reads as the same, strictly.
 */
#include "change/transform.h"
#include "lib/fuzz_format.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_perfscript;

static struct as_profile *read_it(struct as_slice data, bool strict, bool moments)
{
	return fuzz_read(data, (struct mem_how){.fmt = &as_format_perfscript,
				       .detail = AS_DETAIL_FULL,
				       .strict = strict,
				       .moments = moments});
}

/* PROF is what DATA reads as; for a table of functions it is read as stacks. */
static void must_add_up_as_stacks(const struct as_profile *prof, struct as_slice data)
{
	struct as_profile *sums,
		*stacks = fuzz_read(data, (struct mem_how){.fmt = &as_format_perfscript,
						  .detail = AS_DETAIL_FULL,
						  .sums = true,
						  .stacks = true});
	struct as_chains none;

	must(!prof == !stacks);
	if (!prof)
		return;
	for (size_t k = 0; k < prof->event.n; k++)
		must(prof->total[k] == stacks->total[k]);
	if (stacks->stacks.n) {
		must(as_chains_init(&none, &as_alloc_libc));
		must(as_expand(stacks, &none, &sums, NULL) == AS_OK);
		must(sums_are_right(prof, sums));
		as_profile_free(sums);
		as_chains_release(&none);
	}
	as_profile_free(stacks);
}

/* Events without a cost are not written; names become words, and such that are none. */
static void round_trip(const struct as_profile *prof)
{
	struct mem_written w;
	struct as_profile *again;
	as_val all = 0, back = 0;

	mem_write(&w, &as_format_perfscript, prof);
	must(w.rc == AS_OK || w.rc == AS_E_LIMIT);
	if (w.rc == AS_OK) {
		struct as_peek pk = {.head = mem_bytes(&w), .whole = true};

		must(as_format_perfscript.probe(&pk) != AS_PROBE_NO);
		again = read_it(mem_bytes(&w), true, true);
		must(again != NULL);
		for (size_t k = 0; k < prof->event.n; k++)
			all += prof->total[k];
		for (size_t k = 0; k < again->event.n; k++)
			back += again->total[k];
		must(all == back && again->moments.n == prof->moments.n);
		as_profile_free(again);
	}
	mem_written_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice head = {(const char *)data, size};
	struct as_peek pk = {.head = head, .whole = size <= AS_PEEK_MAX};
	struct as_profile *with, *without, *strict;

	if (pk.head.len > AS_PEEK_MAX)
		pk.head.len = AS_PEEK_MAX;
	with = read_it(head, false, true);
	without = read_it(head, false, false);
	strict = read_it(head, true, true);
	must(with || !strict);
	must_agree_without_moments(with, without);
	must_add_up_as_stacks(without, head);
	if (with) {
		for (size_t k = 0; k < with->event.n; k++)
			must(with->total[k] >= 0);
		round_trip(with);
		round_trip(without);
	}
	/* other text is read line by line, too, where somebody insists: only samples are known */
	if (as_format_perfscript.probe(&pk) == AS_PROBE_MAGIC)
		must(with && with->sample.node.n);
	as_profile_free(with);
	as_profile_free(without);
	as_profile_free(strict);
	return 0;
}
