/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing; what is read would have been recognised, does
 * not depend on how strictly it is read, and is written as Callgrind without losing a cost.
 */
#include "lib/fuzz_must.h"
#include "lib/mem_io.h"

extern const struct as_format as_format_gmon, as_format_callgrind;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct as_profile *read_it(const struct as_format *fmt, struct as_slice data, bool strict)
{
	struct mem_how how = {
		.fmt = fmt, .detail = AS_DETAIL_FULL, .strict = strict, .name = "fuzz"};
	struct mem_read r;

	mem_read(&r, &how, data);
	return mem_take(&r);
}

/* A number may be too large for the file. */
static void must_convert(const struct as_profile *prof)
{
	struct mem_written w;

	mem_write(&w, &as_format_callgrind, prof);
	must(w.rc == AS_OK || w.rc == AS_E_LIMIT);
	if (w.rc == AS_OK) {
		struct as_profile *again = read_it(&as_format_callgrind, mem_bytes(&w), false);

		must(again && again->event.n == prof->event.n);
		for (size_t k = 0; k < prof->event.n; k++)
			must(again->total[k] == prof->total[k]);
		as_profile_free(again);
	}
	mem_written_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_it(&as_format_gmon, bytes, false);
	struct as_profile *strict = read_it(&as_format_gmon, bytes, true);

	must(prof || !strict);
	if (prof) {
		must(as_format_gmon.probe(&pk) != AS_PROBE_NO);
		must(!strict || strict->total[0] == prof->total[0]);
		must_convert(prof);
	}
	as_profile_free(prof);
	as_profile_free(strict);
	return 0;
}
