/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends, leaks nothing, and does not depend on how much is asked for. What
 * was read can be written; that file reads to the same totals, strictly, and is written to the
 * same bytes again. Sums of functions are those of the paths. Moments are all written again.
 */
#include "lib/fuzz_format.h"
#include "lib/fuzz_raw.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_pprof;

enum { SECTIONS_MAX = 6 };

static struct as_profile *read_it(struct as_slice data, enum as_detail detail, bool strict)
{
	return fuzz_read(data,
		(struct mem_how){.fmt = &as_format_pprof, .detail = detail, .strict = strict});
}

static void write_it(const struct as_profile *prof, struct mem_written *w)
{
	mem_write(w, &as_format_pprof, prof);
	must(w->losses.row.n == 0); /* pprof holds all that it gave */
}

/* Writes twice, with a reading between. A sum may be too large for a number of the file. */
static void round_trip(const struct as_profile *prof)
{
	struct mem_written one, two;
	struct as_profile *again;

	write_it(prof, &one);
	must(one.rc == AS_OK || one.rc == AS_E_LIMIT);
	if (one.rc == AS_OK && mem_bytes(&one).len) {
		struct as_peek pk = {.head = mem_bytes(&one), .whole = true};

		must(as_format_pprof.probe(&pk) != AS_PROBE_NO);
		again = read_it(mem_bytes(&one), AS_DETAIL_FULL, true);
		must(again != NULL);
		must_agree(prof, again);
		write_it(again, &two);
		must(two.rc == AS_OK && mem_same_bytes(&one, &two));
		mem_written_free(&two);
		as_profile_free(again);
	}
	mem_written_free(&one);
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

static bool wants_odd(const void *ctx, struct as_slice path)
{
	(void)ctx;
	return path.len & 1;
}

/* Of bytes that are a front nothing is known but that they end. Some stand for what is behind
 * it. */
static void read_sections(struct as_slice bytes, const struct as_rd_choice *choice)
{
	bool wanted[SECTIONS_MAX];
	size_t size[SECTIONS_MAX];
	struct mem_how how = {
		.fmt = &as_format_pprof, .name = "fuzz", .choice = choice, .sections = size};
	struct mem_read r;

	for (size_t n = 2; n <= SECTIONS_MAX; n++) {
		if (!as_format_pprof.sections(&as_alloc_libc, bytes, choice, wanted, n))
			continue;
		must(wanted[0]);
		size[0] = bytes.len;
		for (size_t i = 1; i < n; i++) {
			size[i] = wanted[i] ? bytes.len / n : 0;
			size[0] -= size[i];
		}
		how.n_sections = n;
		mem_read(&r, &how, bytes);
		mem_read_free(&r);
	}
}

/* What reads with all samples does with some. */
static void same_whole(struct as_slice bytes, const struct as_profile *prof)
{
	struct as_rd_choice choice = {.object = wants_odd};
	struct mem_how how = {.fmt = &as_format_pprof, .name = "fuzz", .choice = &choice};
	struct mem_read r;

	mem_read(&r, &how, bytes);
	must(!prof || r.prof);
	for (uint32_t k = 0; prof && prof->sample.node.n && k < as_n_events(prof); k++)
		must(as_whole(r.prof)[k] == prof->total[k]);
	mem_read_free(&r);
	read_sections(bytes, &choice);
}

/* Moments are read, or left, and change nothing else; and all that are there are written again. */
static void same_moments(struct as_slice bytes, const struct as_profile *prof)
{
	struct mem_how how = {
		.fmt = &as_format_pprof, .detail = AS_DETAIL_FULL, .moments = true, .name = "fuzz"};
	struct mem_written w;
	struct mem_read r, again;

	mem_read(&r, &how, bytes);
	must(!prof == !r.prof);
	if (r.prof)
		must_agree(prof, r.prof);
	if (r.prof && r.prof->moments.n) {
		mem_write_as(&w, &as_format_pprof, r.prof, (struct as_wr){.moments = true});
		must(w.rc == AS_OK || w.rc == AS_E_LIMIT);
		if (w.rc == AS_OK) {
			how.strict = true;
			mem_read(&again, &how, mem_bytes(&w));
			must(again.prof && again.prof->moments.n == r.prof->moments.n);
			must(again.prof->moments.last == r.prof->moments.last);
			mem_read_free(&again);
		}
		mem_written_free(&w);
	}
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
		must(as_format_pprof.probe(&pk) != AS_PROBE_NO);
		must_agree(prof, less);
		if (!prof->moments.left) /* parts are written with moments alone */
			round_trip(prof);
	}
	same_sums(bytes, less);
	same_whole(bytes, less);
	same_moments(bytes, prof);
	as_profile_free(prof);
	as_profile_free(less);
	as_profile_free(strict);
	fuzz_raw(&as_format_pprof, bytes);
	return 0;
}
