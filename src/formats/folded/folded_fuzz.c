/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, and what is read would have been recognised;
 * what was read can be written with every cost, and is then canonical: written once more it
 * stays the same. Sums of functions are those of the paths.
 */
#include "lib/fuzz_format.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_folded;

static struct as_profile *read_it(struct as_slice data, bool strict, const char *opt)
{
	return fuzz_read(data, (struct mem_how){.fmt = &as_format_folded,
				       .detail = AS_DETAIL_FULL,
				       .strict = strict,
				       .opt = opt});
}

/* What is odd is told as well. */
static void same_sums(struct as_slice data, const struct as_profile *prof)
{
	struct mem_how how = {.fmt = &as_format_folded, .name = "fuzz"};
	struct mem_read r, sums;

	mem_read(&r, &how, data);
	how.sums = true;
	mem_read(&sums, &how, data);
	must(!prof == !sums.prof && r.rc == sums.rc && r.findings.row.n == sums.findings.row.n);
	/* what dialects say is not added up */
	must(!prof || !sums.prof->sums.func.n || sums_are_right(prof, sums.prof));
	mem_read_free(&r);
	mem_read_free(&sums);
}

static void round_trip(const struct as_profile *prof)
{
	struct mem_written one, two;
	struct as_profile *again;

	mem_write(&one, &as_format_folded, prof);
	if (one.rc == AS_OK) {
		again = read_it(mem_bytes(&one), false, NULL);
		must(again);
		if (again->event.n == prof->event.n)
			must_agree(prof, again);
		else /* what a dialect has beside samples has no place in plain stacks */
			must(again->total[0] == prof->total[0]);
		mem_write(&two, &as_format_folded, again);
		must(two.rc == AS_OK && mem_same_bytes(&one, &two));
		mem_written_free(&two);
		as_profile_free(again);
	}
	mem_written_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice head = {(const char *)data, size};
	struct as_peek pk = {.head = head, .whole = size <= AS_PEEK_MAX};
	struct as_profile *prof, *strict, *scaled;

	prof = read_it(head, false, NULL);
	strict = read_it(head, true, NULL);
	scaled = read_it(head, false, "scale=1000");
	must(prof || !strict);
	must(!prof == !scaled);
	if (prof && size <= AS_PEEK_MAX)
		must(as_format_folded.probe(&pk) > AS_PROBE_NO);
	same_sums(head, prof);
	if (prof)
		round_trip(prof);
	as_profile_free(prof);
	as_profile_free(strict);
	as_profile_free(scaled);
	return 0;
}
