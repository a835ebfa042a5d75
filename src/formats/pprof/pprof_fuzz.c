/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how much is asked for. What
 * was read can be written; that file reads to the same totals, strictly, and is written to the
 * same bytes again. Sums of functions are those of the paths.
 */
#include "formats/format.h"
#include "lib/fuzz_raw.h"
#include "lib/mem_io.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_pprof;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

static struct as_profile *read_mem(struct as_slice data, enum as_detail detail, bool strict)
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
		.detail = detail,
		.strict = strict,
		.lim = {.depth = 1 << 16, .events = 1 << 12},
		.name = "fuzz"};

	as_err_clear(&err);
	as_findings_init(&findings, &as_alloc_libc);
	as_src_mem_init(&sm, data, "fuzz");
	if (as_in_open(&in, &as_alloc_libc, &sm.src, &err) != AS_OK)
		return NULL;
	if (as_build_init(&b, NULL, &err) == AS_OK) {
		if (as_format_pprof.read(&rd) != AS_OK)
			as_build_free(&b);
		else
			must(as_build_finish(&b, &prof) == AS_OK);
	}
	as_in_close(&in);
	as_findings_release(&findings);
	return prof;
}

static enum as_code write_it(const struct as_profile *prof, struct as_sink_mem *sm)
{
	struct as_losses losses;
	struct as_err err;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &err, .losses = &losses};
	enum as_code rc;

	as_err_clear(&err);
	as_losses_init(&losses, &as_alloc_libc);
	as_sink_mem_init(sm, &as_alloc_libc);
	must(as_out_open(&out, &as_alloc_libc, &sm->sink, &err) == AS_OK);
	rc = as_format_pprof.write(&wr, prof);
	must(as_out_finish(&out) == AS_OK);
	must(losses.row.n == 0); /* pprof holds all that it gave */
	as_losses_release(&losses);
	return rc;
}

static void must_agree(const struct as_profile *a, const struct as_profile *b)
{
	must(a->event.n == b->event.n);
	for (size_t k = 0; k < a->event.n; k++)
		must(a->total[k] == b->total[k]);
}

/* Writes twice, with a reading between. A sum may be too large for a number of the file. */
static void round_trip(const struct as_profile *prof)
{
	struct as_sink_mem one, two;
	struct as_profile *again;
	enum as_code rc = write_it(prof, &one);

	must(rc == AS_OK || rc == AS_E_LIMIT);
	if (rc == AS_OK && one.data.n) {
		struct as_slice bytes = {one.data.p, one.data.n};
		struct as_peek pk = {.head = bytes, .whole = true};

		must(as_format_pprof.probe(&pk) != AS_PROBE_NO);
		again = read_mem(bytes, AS_DETAIL_FULL, true);
		must(again != NULL);
		must_agree(prof, again);
		must(write_it(again, &two) == AS_OK);
		must(as_slice_eq(bytes, (struct as_slice){two.data.p, two.data.n}));
		as_sink_mem_release(&two);
		as_profile_free(again);
	}
	as_sink_mem_release(&one);
}

/* Where all code has a name, the sums of its functions are those of the paths. */
static void same_sums(struct as_slice bytes, const struct as_profile *prof)
{
	struct mem_how how = {.fmt = &as_format_pprof, .name = "fuzz", .sums = true};
	struct mem_read r;

	mem_read(&r, &how, bytes);
	must(!prof == !r.prof);
	if (prof && r.prof->sums.func.n)
		must(sums_are_right(prof, r.prof));
	else if (prof)
		must(prof->sample.node.n == r.prof->sample.node.n);
	mem_read_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_mem(bytes, AS_DETAIL_FULL, false);
	struct as_profile *less = read_mem(bytes, AS_DETAIL_FUNC, false);
	struct as_profile *strict = read_mem(bytes, AS_DETAIL_FULL, true);

	must(!prof == !less && (!strict || prof));
	if (prof) {
		must(as_format_pprof.probe(&pk) != AS_PROBE_NO);
		must_agree(prof, less);
		round_trip(prof);
	}
	same_sums(bytes, less);
	as_profile_free(prof);
	as_profile_free(less);
	as_profile_free(strict);
	fuzz_raw(&as_format_pprof, bytes);
	return 0;
}
