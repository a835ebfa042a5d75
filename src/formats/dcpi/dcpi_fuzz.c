/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, a pipe gives what a file gives, what is read
 * would have been recognised; what was read can be written, and is then canonical: written once
 * more it stays the same, and nothing strict is found in it.
 */
#include "formats/format.h"

extern const struct as_format as_format_dcpi;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

/* Gives a few bytes at a time. */
struct drip {
	struct as_src src;
	struct as_slice rest;
};

static ptrdiff_t drip_read(struct as_src *src, void *buf, size_t n)
{
	struct drip *drip = (struct drip *)(void *)src;

	n = n < 13 ? n : 13;
	n = n < drip->rest.len ? n : drip->rest.len;
	if (n)
		memcpy(buf, drip->rest.p, n);
	drip->rest = as_slice_skip(drip->rest, n);
	return (ptrdiff_t)n;
}

static struct as_profile *read_from(struct as_src *src, bool strict)
{
	struct as_findings findings;
	struct as_profile *prof = NULL;
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
	must(as_in_open(&in, &as_alloc_libc, src, &err) == AS_OK);
	must(as_build_init(&b, NULL, &err) == AS_OK);
	if (as_format_dcpi.read(&rd) == AS_OK)
		must(as_build_finish(&b, &prof) == AS_OK);
	else
		as_build_free(&b);
	as_in_close(&in);
	as_findings_release(&findings);
	return prof;
}

static struct as_profile *read_it(struct as_slice data, bool strict)
{
	struct as_src_mem sm;

	as_src_mem_init(&sm, data, "fuzz");
	return read_from(&sm.src, strict);
}

static void read_as_pipe(struct as_slice data, const struct as_profile *prof)
{
	struct drip drip = {
		.src = {.read = drip_read, .size = AS_SIZE_UNKNOWN, .name = "fuzz"}, .rest = data};
	struct as_profile *again = read_from(&drip.src, false);

	must(!prof == !again);
	if (prof)
		must(prof->total[0] == again->total[0] && prof->self.n == again->self.n &&
			prof->partial == again->partial);
	as_profile_free(again);
}

/* All the cost that is neither written nor told as lost must be none. */
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
	must(as_format_dcpi.pieces(prof) == 1);
	must(as_out_open(&out, &as_alloc_libc, &sm->sink, &err) == AS_OK);
	ok = as_format_dcpi.write(&wr, prof) == AS_OK;
	ok = as_out_finish(&out) == AS_OK && ok;
	*lost = 0;
	for (size_t i = 0; i < losses.row.n; i++)
		if (strcmp(losses.row.p[i].kind, "unaddressed") == 0)
			*lost = losses.row.p[i].amount;
	as_losses_release(&losses);
	return ok;
}

static void round_trip(const struct as_profile *prof)
{
	struct as_sink_mem one, two;
	struct as_profile *again;
	as_val lost, none;

	if (write_it(prof, &one, &lost)) {
		again = read_it((struct as_slice){one.data.p, one.data.n}, false);
		must(again && again->total[0] == prof->total[0] - lost);
		must(again->epoch.i == 0 || prof->epoch.i != 0);
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
