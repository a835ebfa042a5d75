/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text comes back from Callgrind's columns byte for byte, and any bytes that say they are such
 * columns end in a text or in an error.
 */
#include "io/file.h"
#include "io/pack.h"

#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIECE = 4093, GROWTH = 512 };

/* A macro, so that a debugger shows the line. */
#define DEMAND(ok) ((ok) ? (void)0 : abort())

/* What PACKED was, held against TEXT where that is known. A byte of a column becomes a line of
 * numbers at most: what is read has an end. False: the bytes are damaged. */
static bool unpack(struct as_slice packed, const struct as_slice *text)
{
	struct as_src_mem mem;
	struct as_src *src;
	struct as_err err;
	char buf[PIECE];
	ptrdiff_t got;
	size_t n = 0;

	as_src_mem_init(&mem, packed, "memory");
	DEMAND(as_unpack_open(&as_alloc_libc, &mem.src, &src, &err) == AS_OK);
	while ((got = src->read(src, buf, sizeof(buf))) > 0) {
		if (text)
			DEMAND((size_t)got <= text->len - n &&
				memcmp(text->p + n, buf, (size_t)got) == 0);
		n += (size_t)got;
		DEMAND(n <= packed.len * GROWTH);
	}
	DEMAND(got == 0 || (got == -EIO && src->fault));
	DEMAND(got < 0 || !text || n == text->len);
	as_file_close(src);
	return got == 0;
}

static void there_and_back(struct as_slice text)
{
	struct as_packed packed;
	struct as_err err;

	as_err_clear(&err);
	DEMAND(as_pack(&packed, &as_alloc_libc, text, &err) == AS_OK);
	DEMAND(unpack((struct as_slice){packed.data.p, packed.data.n}, &text));
	as_packed_release(&packed);
}

static void hostile(struct as_slice bytes)
{
	size_t n = strlen(AS_PACK_MAGIC) + bytes.len;
	char *p = malloc(n);

	DEMAND(p);
	memcpy(p, AS_PACK_MAGIC, strlen(AS_PACK_MAGIC));
	if (bytes.len)
		memcpy(p + strlen(AS_PACK_MAGIC), bytes.p, bytes.len);
	(void)unpack((struct as_slice){p, n}, NULL);
	free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice s = {(const char *)data, size};

	there_and_back(s);
	(void)unpack(s, NULL);
	hostile(s);
	return 0;
}
