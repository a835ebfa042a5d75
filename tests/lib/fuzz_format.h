/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzz targets of formats: any bytes are read, and what holds of what is read. */
#ifndef TESTS_LIB_FUZZ_FORMAT_H
#define TESTS_LIB_FUZZ_FORMAT_H

#include "lib/fuzz_must.h"
#include "lib/mem_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is refused is refused with a reason. */
static inline struct as_profile *fuzz_read_src(struct as_src *src, struct mem_how how)
{
	struct mem_read r;

	how.name = "fuzz";
	mem_read_src(&r, &how, src);
	must(r.prof || r.err.msg[0]);
	return mem_take(&r);
}

static inline struct as_profile *fuzz_read(struct as_slice data, struct mem_how how)
{
	struct as_src_mem mem;

	as_src_mem_init(&mem, data, "fuzz");
	return fuzz_read_src(&mem.src, how);
}

/* ---- a pipe: it gives a few bytes at a time, and nobody knows how many there are ---- */

struct fuzz_pipe {
	struct as_src src;
	struct as_slice data;
};

static inline ptrdiff_t fuzz_pipe_read(struct as_src *src, void *buf, size_t n)
{
	struct fuzz_pipe *pipe = (struct fuzz_pipe *)(void *)src;
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

static inline struct as_profile *fuzz_read_pipe(struct as_slice data, struct mem_how how)
{
	struct fuzz_pipe pipe = {
		.src = {.read = fuzz_pipe_read, .size = AS_SIZE_UNKNOWN, .name = "fuzz"},
		.data = data};

	return fuzz_read_src(&pipe.src, how);
}

/* ---- what holds ---- */

static inline void must_agree(const struct as_profile *a, const struct as_profile *b)
{
	must(a->event.n == b->event.n);
	for (size_t k = 0; k < a->event.n; k++)
		must(a->total[k] == b->total[k]);
}

/* BYTES, read as HOW says into paths and into stacks. */
static inline void must_agree_with_stacks(struct mem_how how, struct as_slice bytes)
{
	struct as_profile *paths = fuzz_read(bytes, how), *stacks;

	how.sums = how.stacks = true;
	stacks = fuzz_read(bytes, how);
	must(!paths == !stacks);
	if (paths) {
		must(!paths->sample.node.n == !(stacks->sample.node.n + stacks->stacks.n));
		must_agree(paths, stacks);
	}
	as_profile_free(paths);
	as_profile_free(stacks);
}

/* One input, read with what is kept of when it was, and without: no sum differs. */
static inline void must_agree_without_moments(
	const struct as_profile *with, const struct as_profile *without)
{
	must(!with == !without);
	if (!with)
		return;
	must(!without->moments.n);
	must(with->moments.n + with->moments.left == without->moments.left);
	must_agree(with, without);
}

/* PROF is written by HOW->fmt and read as HOW says without losing a cost; a number may be too large
 * for the file. */
static inline void must_convert(const struct as_profile *prof, struct mem_how how)
{
	struct mem_written w;

	mem_write(&w, how.fmt, prof);
	must(w.rc == AS_OK || w.rc == AS_E_LIMIT);
	if (w.rc == AS_OK) {
		struct as_profile *again = fuzz_read(mem_bytes(&w), how);

		must(again);
		must_agree(prof, again);
		for (size_t k = 0; k < prof->event.n; k++)
			must(again->event.p[k].estimated == prof->event.p[k].estimated);
		as_profile_free(again);
	}
	mem_written_free(&w);
}

/* A reader of text without options: DATA is read by FMT without end or leak, from a pipe as from
 * memory. What is recognised is read, unless it MAY_BE_DAMAGED. */
static inline void must_read_text(
	const struct as_format *fmt, struct as_slice data, bool may_be_damaged)
{
	struct mem_how how = {.fmt = fmt, .detail = AS_DETAIL_FULL}, strict = how;
	bool whole = data.len <= AS_PEEK_MAX;
	struct as_peek pk = {.head = {data.p, whole ? data.len : AS_PEEK_MAX}, .whole = whole};
	struct as_profile *prof = fuzz_read(data, how), *pipe = fuzz_read_pipe(data, how), *exact;

	strict.strict = true;
	exact = fuzz_read(data, strict);
	must(!prof == !pipe && (prof || !exact));
	must(prof || may_be_damaged || fmt->probe(&pk) == AS_PROBE_NO);
	if (prof)
		must_agree(prof, pipe);
	as_profile_free(prof);
	as_profile_free(pipe);
	as_profile_free(exact);
}

/* A reader of a format without options: DATA is read by FMT without end or leak; what is read would
 * have been recognised, does not depend on how strictly it is read, and is written as TO without
 * losing a cost, strictly. */
static inline void must_read(
	const struct as_format *fmt, const struct as_format *to, const uint8_t *data, size_t size)
{
	struct mem_how how = {.fmt = fmt, .detail = AS_DETAIL_FULL}, exact = how;
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = fuzz_read(bytes, how), *strict;

	exact.strict = true;
	strict = fuzz_read(bytes, exact);
	must(prof || !strict);
	if (prof) {
		must(fmt->probe(&pk) != AS_PROBE_NO);
		must(!strict || strict->total[0] == prof->total[0]);
		prof->event.p[0].period = 0; /* for which pprof has another event */
		must_convert(prof, (struct mem_how){.fmt = to, .strict = true});
	}
	as_profile_free(prof);
	as_profile_free(strict);
}

#endif
