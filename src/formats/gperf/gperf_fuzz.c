/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how they arrive. What was
 * read can be written in every layout that holds it; that file reads to the same totals and is
 * written to the same bytes again.
 */
#include "formats/format.h"
#include "lib/fuzz_raw.h"

extern const struct as_format as_format_gperf;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

/* A pipe: gives a few bytes at a time, and nobody knows how many there are. */
struct pipe {
	struct as_src src;
	struct as_slice data;
};

static ptrdiff_t pipe_read(struct as_src *src, void *buf, size_t n)
{
	struct pipe *pipe = (struct pipe *)(void *)src;
	size_t some = 1 + pipe->data.len % 61;

	if (n > some)
		n = some;
	if (n > pipe->data.len)
		n = pipe->data.len;
	if (n)
		memcpy(buf, pipe->data.p, n);
	pipe->data = as_slice_skip(pipe->data, n);
	return (ptrdiff_t)n;
}

static struct as_profile *read_src(struct as_src *src, const char *opt, bool strict)
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
		.lim = {.depth = 1 << 16, .events = 1 << 10},
		.opts = {&opt, opt != NULL},
		.name = "fuzz"};

	as_err_clear(&err);
	as_findings_init(&findings, &as_alloc_libc);
	if (as_in_open(&in, &as_alloc_libc, src, &err) != AS_OK)
		return NULL;
	if (as_build_init(&b, NULL, &err) == AS_OK) {
		if (as_format_gperf.read(&rd) != AS_OK)
			as_build_free(&b);
		else
			must(as_build_finish(&b, &prof) == AS_OK);
	}
	as_in_close(&in);
	as_findings_release(&findings);
	return prof;
}

static struct as_profile *read_mem(struct as_slice data, const char *opt, bool strict)
{
	struct as_src_mem sm;

	as_src_mem_init(&sm, data, "fuzz");
	return read_src(&sm.src, opt, strict);
}

static struct as_profile *read_pipe(struct as_slice data)
{
	struct pipe pipe = {.src = {.read = pipe_read, .size = AS_SIZE_UNKNOWN}, .data = data};

	return read_src(&pipe.src, NULL, false);
}

static enum as_code write_it(const struct as_profile *prof, const char *const *opt, size_t n_opts,
	struct as_sink_mem *sm)
{
	struct as_losses losses;
	struct as_err err;
	struct as_out out;
	struct as_wr wr = {
		.out = &out, .err = &err, .losses = &losses, .opts = {.pair = opt, .n = n_opts}};
	enum as_code rc;

	as_err_clear(&err);
	as_losses_init(&losses, &as_alloc_libc);
	as_sink_mem_init(sm, &as_alloc_libc);
	must(as_out_open(&out, &as_alloc_libc, &sm->sink, &err) == AS_OK);
	rc = as_format_gperf.write(&wr, prof);
	must(as_out_finish(&out) == AS_OK);
	as_losses_release(&losses);
	return rc;
}

static void must_be_same(struct as_slice a, struct as_slice b)
{
	must(as_slice_eq(a, b));
}

/* Writes twice, with a reading between. A sum may be too large for a word. */
static void round_trip(const struct as_profile *prof, const char *const *opt, size_t n_opts)
{
	struct as_sink_mem one, two;
	struct as_profile *again;
	enum as_code rc = write_it(prof, opt, n_opts, &one);

	must(rc == AS_OK || rc == AS_E_LIMIT);
	if (rc == AS_OK) {
		struct as_slice bytes = {one.data.p, one.data.n};
		struct as_peek pk = {.head = bytes, .whole = true};

		must(as_format_gperf.probe(&pk) == AS_PROBE_SURE);
		again = read_mem(bytes, NULL, true);
		must(again && again->total[0] == prof->total[0]);
		must(write_it(again, opt, n_opts, &two) == AS_OK);
		must_be_same(bytes, (struct as_slice){two.data.p, two.data.n});
		as_sink_mem_release(&two);
		as_profile_free(again);
	}
	as_sink_mem_release(&one);
}

static void arrives_alike(const struct as_profile *prof, struct as_slice bytes)
{
	struct as_profile *other = read_pipe(bytes);

	must(!prof == !other);
	if (prof)
		must(prof->total[0] == other->total[0] &&
			prof->sample.node.n == other->sample.node.n &&
			prof->node.parent.n == other->node.parent.n &&
			prof->map.n == other->map.n && prof->partial == other->partial);
	as_profile_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const big32[] = {"width=32", "order=big"};
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_mem(bytes, NULL, false);
	struct as_profile *strict = read_mem(bytes, NULL, true);

	if (prof) {
		must(as_format_gperf.probe(&pk) != AS_PROBE_NO);
		round_trip(prof, NULL, 0);
		round_trip(prof, big32, 2);
	}
	must(!strict || prof);
	arrives_alike(prof, bytes);
	as_profile_free(strict);
	as_profile_free(prof);
	as_profile_free(read_mem(bytes, "compat=pprof", false));
	fuzz_raw(&as_format_gperf, bytes);
	return 0;
}
