/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how much is asked for; what
 * is refused is refused with a reason. What is read strictly is read otherwise, and the same then.
 */
#include "lib/fuzz_format.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_jfr;

static struct as_profile *read_it(struct as_slice data, enum as_detail detail, bool strict)
{
	return fuzz_read(
		data, (struct mem_how){.fmt = &as_format_jfr, .detail = detail, .strict = strict});
}

/* Sums of functions are those of the paths. */
static void same_sums(struct as_slice data, const struct as_profile *prof)
{
	struct as_profile *sums =
		fuzz_read(data, (struct mem_how){.fmt = &as_format_jfr, .sums = true});

	must(!prof == !sums);
	must(!sums || (!sums->sample.node.n && sums_are_right(prof, sums)));
	as_profile_free(sums);
}

/* Who asks for markers gets these, and all that others get. */
static void must_have_markers_besides(struct as_slice data, const struct as_profile *prof)
{
	struct as_profile *marked = fuzz_read(data, (struct mem_how){.fmt = &as_format_jfr,
							    .detail = AS_DETAIL_FULL,
							    .moments = true,
							    .markers = true});

	must(!prof == !marked);
	for (size_t k = 0; prof && k < prof->event.n; k++)
		must(marked->total[k] == prof->total[k]);
	must(!prof || marked->event.n == prof->event.n ||
		(marked->event.n == prof->event.n + 1 && marked->total[prof->event.n] > 0));
	as_profile_free(marked);
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
		must(as_format_jfr.probe(&pk) != AS_PROBE_NO);
		must_agree(prof, less);
	}
	if (strict)
		must_agree(prof, strict);
	same_sums(bytes, less);
	must_have_markers_besides(bytes, prof);
	as_profile_free(prof);
	as_profile_free(less);
	as_profile_free(strict);
	return 0;
}
