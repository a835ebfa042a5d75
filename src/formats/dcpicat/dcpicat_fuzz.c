/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, and what is read would have been recognised;
 * what was read can be written, and is then canonical: written once more it stays the same.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_dcpicat;

static struct as_profile *read_it(struct as_slice data, bool strict)
{
	return fuzz_read(data,
		(struct mem_how){
			.fmt = &as_format_dcpicat, .detail = AS_DETAIL_FULL, .strict = strict});
}

static bool write_it(const struct as_profile *prof, struct mem_written *w, as_val *lost)
{
	mem_write(w, &as_format_dcpicat, prof);
	*lost = mem_lost_cost(w, "unaddressed");
	return w->rc == AS_OK;
}

static as_val sum(const struct as_profile *prof)
{
	as_val total = 0;

	for (size_t k = 0; k < prof->event.n; k++)
		total += prof->total[k];
	return total;
}

static void round_trip(const struct as_profile *prof)
{
	struct mem_written one, two;
	struct as_profile *again;
	as_val lost, none;

	if (write_it(prof, &one, &lost)) {
		again = read_it(mem_bytes(&one), false);
		must(again && sum(again) == sum(prof) - lost);
		must(write_it(again, &two, &none) && none == 0);
		must(mem_same_bytes(&one, &two));
		mem_written_free(&two);
		as_profile_free(again);
	}
	mem_written_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice head = {(const char *)data, size};
	struct as_peek pk = {.head = head, .whole = size <= AS_PEEK_MAX};
	struct as_profile *prof, *strict;

	prof = read_it(head, false);
	strict = read_it(head, true);
	must(prof || !strict);
	if (prof && size <= AS_PEEK_MAX)
		must(as_format_dcpicat.probe(&pk) > AS_PROBE_NO);
	if (prof)
		round_trip(prof);
	as_profile_free(prof);
	as_profile_free(strict);
	return 0;
}
