/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, also from a pipe; what is kept of when it was
 * does not change a sum, and what is written of it has the same calls, times and samples.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_traceevent;

static struct mem_how how(bool strict, bool moments)
{
	return (struct mem_how){.fmt = &as_format_traceevent,
		.detail = AS_DETAIL_FULL,
		.strict = strict,
		.moments = moments,
		.markers = moments};
}

/* Without markers. */
static struct mem_how timed(void)
{
	struct mem_how timed = how(false, true);

	timed.markers = false;
	return timed;
}

/* EVENT of A, if it has that, costs the same in B. */
static void must_keep(const struct as_profile *a, const struct as_profile *b, const char *event)
{
	uint32_t i, k;

	if (!as_profile_event(a, as_slice_of(event), &i) || !a->total[i])
		return;
	must(as_profile_event(b, as_slice_of(event), &k));
	must(a->total[i] == b->total[k]);
}

/* What nests is written as it is. */
static void must_come_back(const struct as_profile *prof)
{
	struct mem_written w;

	mem_write(&w, &as_format_traceevent, prof);
	must(w.rc == AS_OK);
	if (w.rc == AS_OK) {
		struct as_profile *again = fuzz_read(mem_bytes(&w), how(true, true));

		must(again);
		must_keep(prof, again, "calls");
		must_keep(prof, again, "time");
		must_keep(prof, again, "samples");
		must_keep(prof, again, AS_MARKERS);
		must(again->moments.n || !again->sample.node.n);
		as_profile_free(again);
	}
	mem_written_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_profile *marked = fuzz_read(bytes, how(false, true));
	struct as_profile *with = fuzz_read(bytes, timed());
	struct as_profile *strict = fuzz_read(bytes, how(true, true));
	struct as_profile *pipe = fuzz_read_pipe(bytes, how(false, false));

	must(with || !strict);
	must(!with == !marked);
	must_agree_without_moments(with, pipe);
	if (with && with->moments.n)
		must_come_back(with);
	if (marked && marked->moments.n)
		must_come_back(marked);
	as_profile_free(marked);
	as_profile_free(with);
	as_profile_free(strict);
	as_profile_free(pipe);
	return 0;
}
