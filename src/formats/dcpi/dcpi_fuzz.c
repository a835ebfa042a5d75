/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, a pipe gives what a file gives, what is read
 * would have been recognised; what was read can be written, and is then canonical: written once
 * more it stays the same, and nothing strict is found in it.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_dcpi;

static struct mem_how how_to(bool strict)
{
	return (struct mem_how){.fmt = &as_format_dcpi, .detail = AS_DETAIL_FULL, .strict = strict};
}

static struct as_profile *read_it(struct as_slice data, bool strict)
{
	return fuzz_read(data, how_to(strict));
}

static void read_as_pipe(struct as_slice data, const struct as_profile *prof)
{
	struct as_profile *again = fuzz_read_pipe(data, how_to(false));

	must(!prof == !again);
	if (prof)
		must(prof->total[0] == again->total[0] && prof->self.n == again->self.n &&
			prof->partial == again->partial);
	as_profile_free(again);
}

/* All the cost that is neither written nor told as lost must be none. */
static bool write_it(const struct as_profile *prof, struct mem_written *w, as_val *lost)
{
	must(as_format_dcpi.pieces(prof) == 1);
	mem_write(w, &as_format_dcpi, prof);
	*lost = mem_lost_cost(w, "unaddressed");
	return w->rc == AS_OK;
}

static void round_trip(const struct as_profile *prof)
{
	struct mem_written one, two;
	struct as_profile *again;
	as_val lost, none;

	if (write_it(prof, &one, &lost)) {
		again = read_it(mem_bytes(&one), false);
		must(again && again->total[0] == prof->total[0] - lost);
		must(again->epoch.i == 0 || prof->epoch.i != 0);
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

	if (pk.head.len > AS_PEEK_MAX)
		pk.head.len = AS_PEEK_MAX;
	prof = read_it(head, false);
	strict = read_it(head, true);
	must(prof || !strict);
	if (prof)
		must(as_format_dcpi.probe(&pk) > AS_PROBE_NO);
	if (size < 4096)
		read_as_pipe(head, prof);
	if (prof)
		round_trip(prof);
	as_profile_free(prof);
	as_profile_free(strict);
	return 0;
}
