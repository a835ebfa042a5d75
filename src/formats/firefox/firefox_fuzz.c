/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, in pieces as at once. What is kept of when it was
 * does not change a sum. What was read can be written; that reads to the same totals and times,
 * strictly.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_firefox;

static const struct mem_how full = {
	.fmt = &as_format_firefox, .detail = AS_DETAIL_FULL, .moments = true};

static struct as_profile *read_it(struct as_slice data, bool strict, bool moments)
{
	struct mem_how how = full;

	how.strict = strict;
	how.moments = moments;
	return fuzz_read(data, how);
}

static struct as_profile *read_markers(struct as_slice data, bool strict)
{
	struct mem_how how = full;

	how.strict = strict;
	how.markers = true;
	return fuzz_read(data, how);
}

/* A sum may be too large for a number of the file. */
static void round_trip(const struct as_profile *prof)
{
	struct mem_written one, two;
	struct as_profile *again;

	mem_write(&one, &as_format_firefox, prof);
	must(one.rc == AS_OK || one.rc == AS_E_LIMIT);
	if (one.rc == AS_OK) {
		struct as_peek pk = {.head = mem_bytes(&one), .whole = true};

		must(as_format_firefox.probe(&pk) == AS_PROBE_SURE);
		again = read_markers(mem_bytes(&one), true);
		must(again != NULL);
		must_agree(prof, again);
		must(prof->moments.n == again->moments.n);
		mem_write(&two, &as_format_firefox, again);
		must(two.rc == AS_OK);
		mem_written_free(&two);
		as_profile_free(again);
	}
	mem_written_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_profile *with = read_it(bytes, false, true);
	struct as_profile *without = read_it(bytes, false, false);
	struct as_profile *strict = read_it(bytes, true, true);
	struct as_profile *piped = fuzz_read_pipe(bytes, full);
	struct as_profile *marked = read_markers(bytes, false);

	must(!with == !piped && (with || !strict));
	must_agree_without_moments(with, without);
	if (with) {
		must_agree(with, piped);
		round_trip(with);
	}
	must(!with == !marked);
	if (marked) {
		must(marked->total[0] == with->total[0]);
		must(!with->moments.n || marked->moments.n >= with->moments.n);
		round_trip(marked);
	}
	as_profile_free(with);
	as_profile_free(without);
	as_profile_free(strict);
	as_profile_free(piped);
	as_profile_free(marked);
	return 0;
}
