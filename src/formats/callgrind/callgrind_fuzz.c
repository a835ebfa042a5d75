/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them at each detail ends, leaks nothing and agrees on the
 * totals; what was read can be written, read again, and is then the same text.
 */
#include "formats/format.h"

extern const struct as_format as_format_callgrind;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct as_profile *read_it(struct as_slice text, enum as_detail detail, bool strict)
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
		.lim = {.depth = 1 << 16, .events = 1 << 10},
		.name = "fuzz"};

	as_err_clear(&err);
	as_findings_init(&findings, &as_alloc_libc);
	as_src_mem_init(&sm, text, "fuzz");
	if (as_in_open(&in, &as_alloc_libc, &sm.src, &err) != AS_OK)
		return NULL;
	if (as_build_init(&b, NULL, &err) == AS_OK) {
		if (as_format_callgrind.read(&rd) != AS_OK)
			as_build_free(&b);
		else if (as_build_finish(&b, &prof) == AS_OK)
			as_format_callgrind.check(&rd, prof);
	}
	as_in_close(&in);
	as_findings_release(&findings);
	return prof;
}

/* False if it cannot be written without loss: bytes in names that the format cannot hold. */
static bool write_it(const struct as_profile *prof, struct as_sink_mem *sm)
{
	struct as_losses losses;
	struct as_err err;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &err, .losses = &losses};
	bool ok;

	as_err_clear(&err);
	as_losses_init(&losses, &as_alloc_libc);
	as_sink_mem_init(sm, &as_alloc_libc);
	if (as_out_open(&out, &as_alloc_libc, &sm->sink, &err) != AS_OK)
		return false;
	ok = as_format_callgrind.write(&wr, prof) == AS_OK;
	ok = as_out_finish(&out) == AS_OK && ok && losses.row.n == 0;
	as_losses_release(&losses);
	return ok;
}

static void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

static void same_totals(const struct as_profile *a, const struct as_profile *b)
{
	must(a->event.n == b->event.n);
	for (size_t k = 0; k < a->event.n; k++)
		must(a->total[k] == b->total[k]);
}

static void round_trip(const struct as_profile *prof)
{
	struct as_sink_mem one, two;
	struct as_profile *again;

	if (write_it(prof, &one)) {
		struct as_slice text = {one.data.p, one.data.n};

		again = read_it(text, AS_DETAIL_FULL, false);
		if (prof->event.n)
			must(again != NULL);
		if (again && prof->part.n) {
			same_totals(prof, again);
			must(write_it(again, &two));
			must(two.data.n == one.data.n &&
				memcmp(two.data.p, one.data.p, one.data.n) == 0);
			as_sink_mem_release(&two);
		}
		as_profile_free(again);
	}
	as_sink_mem_release(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice text = {(const char *)data, size};
	struct as_peek pk = {.head = text, .whole = true};
	struct as_profile *full = read_it(text, AS_DETAIL_FULL, false);
	struct as_profile *func = read_it(text, AS_DETAIL_FUNC, false);
	struct as_profile *line = read_it(text, AS_DETAIL_LINE, false);

	(void)as_format_callgrind.probe(&pk);
	as_profile_free(read_it(text, AS_DETAIL_FULL, true));
	must(!full == !func && !full == !line);
	if (full) {
		same_totals(full, line);
		round_trip(full);
	}
	as_profile_free(full);
	as_profile_free(func);
	as_profile_free(line);
	return 0;
}
