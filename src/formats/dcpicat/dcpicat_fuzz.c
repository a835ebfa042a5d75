/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, and what is read would have been recognised;
 * what was read can be written, and is then canonical: written once more it stays the same.
 */
#include "formats/format.h"

extern const struct as_format as_format_dcpicat;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

static struct as_profile *read_it(struct as_slice data, bool strict)
{
	struct as_findings findings;
	struct as_profile *prof = NULL;
	struct as_src_mem sm;
	struct as_build b;
	struct as_err err;
	struct as_in in;
	struct as_rd rd = {.in = &in,
		.out = &b,
		.err = &err,
		.findings = &findings,
		.detail = AS_DETAIL_FULL,
		.strict = strict,
		.name = "fuzz"};

	as_err_clear(&err);
	as_findings_init(&findings, &as_alloc_libc);
	as_src_mem_init(&sm, data, "fuzz");
	must(as_in_open(&in, &as_alloc_libc, &sm.src, &err) == AS_OK);
	must(as_build_init(&b, NULL, &err) == AS_OK);
	if (as_format_dcpicat.read(&rd) == AS_OK)
		must(as_build_finish(&b, &prof) == AS_OK);
	else
		as_build_free(&b);
	as_in_close(&in);
	as_findings_release(&findings);
	return prof;
}

static bool write_it(const struct as_profile *prof, struct as_sink_mem *sm, as_val *lost)
{
	struct as_losses losses;
	struct as_err err;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &err, .losses = &losses};
	bool ok;

	as_err_clear(&err);
	as_losses_init(&losses, &as_alloc_libc);
	as_sink_mem_init(sm, &as_alloc_libc);
	must(as_out_open(&out, &as_alloc_libc, &sm->sink, &err) == AS_OK);
	ok = as_format_dcpicat.write(&wr, prof) == AS_OK;
	ok = as_out_finish(&out) == AS_OK && ok;
	*lost = 0;
	for (size_t i = 0; i < losses.row.n; i++)
		if (strcmp(losses.row.p[i].kind, "unaddressed") == 0)
			*lost = losses.row.p[i].amount;
	as_losses_release(&losses);
	return ok;
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
	struct as_sink_mem one, two;
	struct as_profile *again;
	as_val lost, none;

	if (write_it(prof, &one, &lost)) {
		again = read_it((struct as_slice){one.data.p, one.data.n}, false);
		must(again && sum(again) == sum(prof) - lost);
		must(write_it(again, &two, &none) && none == 0);
		must(two.data.n == one.data.n && memcmp(two.data.p, one.data.p, one.data.n) == 0);
		as_sink_mem_release(&two);
		as_profile_free(again);
	}
	as_sink_mem_release(&one);
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
