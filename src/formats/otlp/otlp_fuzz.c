/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how much is asked for. What
 * was read can be written, in both forms; these read to the same totals and times, strictly, and
 * are written to the same bytes again. Sums of functions are those of the paths.
 */
#include "lib/fuzz_format.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_otlp, as_format_otlp_json;

static struct as_profile *read_it(struct as_slice data, enum as_detail detail, bool strict)
{
	return fuzz_read(data, (struct mem_how){.fmt = &as_format_otlp,
				       .detail = detail,
				       .strict = strict,
				       .moments = detail == AS_DETAIL_FULL});
}

/* Writes, reads, and writes again. A sum may be too large for a number of the file. */
static void round_trip(const struct as_profile *prof, const struct as_format *fmt)
{
	struct mem_written one, two;
	struct as_profile *again;

	mem_write(&one, fmt, prof);
	must(one.rc == AS_OK || one.rc == AS_E_LIMIT);
	if (one.rc == AS_OK) {
		struct as_peek pk = {.head = mem_bytes(&one), .whole = true};

		must(as_format_otlp.probe(&pk) != AS_PROBE_NO);
		again = read_it(mem_bytes(&one), AS_DETAIL_FULL, true);
		must(again != NULL);
		must_agree(prof, again);
		must(prof->moments.n <= again->moments.n);
		mem_write(&two, fmt, again);
		must(two.rc == AS_OK || two.rc == AS_E_LIMIT);
		mem_written_free(&two);
		as_profile_free(again);
	}
	mem_written_free(&one);
}

/* Where all code has a name, the sums of its functions are those of the paths. */
static void same_sums(struct as_slice bytes, const struct as_profile *prof)
{
	struct mem_how how = {.fmt = &as_format_otlp, .name = "fuzz", .sums = true};
	struct mem_read r;

	mem_read(&r, &how, bytes);
	must(!prof == !r.prof);
	if (prof && r.prof->sums.func.n)
		must(sums_are_right(prof, r.prof));
	mem_read_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_it(bytes, AS_DETAIL_FULL, false);
	struct as_profile *less = read_it(bytes, AS_DETAIL_FUNC, false);
	struct as_profile *strict = read_it(bytes, AS_DETAIL_FULL, true);

	must(!prof == !less && (!strict || prof));
	if (prof) {
		must(as_format_otlp.probe(&pk) != AS_PROBE_NO);
		must_agree(prof, less);
		round_trip(prof, &as_format_otlp);
		round_trip(prof, &as_format_otlp_json);
	}
	same_sums(bytes, less);
	as_profile_free(prof);
	as_profile_free(less);
	as_profile_free(strict);
	return 0;
}
