/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as gzip, and as zstd: whether the file can seek, how much is asked for at once and how
 * much memory there is change neither what comes out nor whether it ends well.
 */
#include <stdlib.h>

#include "base/limit.h"
#include "io/file.h"
#include "io/gzip_sections.h"
#include "lib/fuzz_must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef enum as_code opener(
	const struct as_alloc *al, struct as_src *inner, struct as_src **out, struct as_err *err);

enum { OUT_MAX = 1 << 20, LITTLE = 512 << 10 };

/* How it is read. */
struct way {
	bool seeks;
	size_t at_once;  /* bytes */
	uint64_t memory; /* bytes */
};

/* What came of it. */
struct unpacked {
	size_t n;
	uint64_t hash; /* of the bytes, one by one */
	bool well;     /* it came to its end */
	bool cut;      /* by us */
};

static struct unpacked read_all(struct as_src *src, size_t at_once)
{
	static char buf[64 << 10];
	struct unpacked u = {.hash = 14695981039346656037u};
	ptrdiff_t got;

	must(at_once <= sizeof(buf));
	while ((got = src->read(src, buf, at_once)) > 0 && u.n < OUT_MAX) {
		must((size_t)got <= at_once);
		for (ptrdiff_t i = 0; i < got; i++)
			u.hash = (u.hash ^ (unsigned char)buf[i]) * 1099511628211u;
		u.n += (size_t)got;
	}
	must(got >= 0 || src->fault);
	u.well = got == 0;
	u.cut = got > 0;
	return u;
}

static bool unpack(opener *open, struct as_slice packed, struct way way, struct unpacked *out)
{
	struct as_limit limit;
	struct as_src_mem mem;
	struct as_src *src;
	struct as_err err;

	as_err_clear(&err);
	as_limit_init(&limit, &as_alloc_libc, way.memory);
	as_src_mem_init(&mem, packed, "fuzz");
	if (!way.seeks)
		mem.src.pread = NULL;
	if (open(&limit.al, &mem.src, &src, &err) != AS_OK)
		return false;
	*out = read_all(src, way.at_once);
	as_file_close(src);
	must(limit.held == 1);
	return true;
}

static void try_ways(opener *open, struct as_slice packed)
{
	static const struct way ways[] = {{false, 64 << 10, UINT64_MAX},
		{true, 64 << 10, UINT64_MAX}, {true, 4097, LITTLE}, {false, 509, UINT64_MAX}};
	struct unpacked first, other;

	if (!unpack(open, packed, ways[0], &first))
		return;
	for (size_t i = 1; i < AS_ARRAY_LEN(ways); i++) {
		must(unpack(open, packed, ways[i], &other));
		if (first.cut || other.cut)
			continue; /* not at the same byte */
		must(first.well == other.well);
		must(!first.well || (first.n == other.n && first.hash == other.hash));
	}
}

/* Whatever a header says of sections, reading them ends. */
static void try_sections(struct as_slice packed)
{
	struct as_gzip_sections gs;
	struct as_src_mem mem;
	char *text;
	size_t n = 0;
	bool ok;

	as_src_mem_init(&mem, packed, "fuzz");
	ok = as_gzip_sections_open(&gs, &as_alloc_libc, &mem.src);
	for (size_t i = 0; ok && i < gs.row.n; i++)
		n += gs.row.p[i].text;
	text = ok && n < OUT_MAX ? malloc(n + 1) : NULL;
	n = 0;
	for (size_t i = 0; text && ok && i < gs.row.n; n += gs.row.p[i++].text)
		ok = as_gzip_sections_read(&gs, i, text + n);
	free(text);
	as_gzip_sections_release(&gs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice packed = {(const char *)data, size};

	try_ways(as_gzip_open, packed);
	try_sections(packed);
	if (as_zstd_is_built())
		try_ways(as_zstd_open, packed);
	return 0;
}
