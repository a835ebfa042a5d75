/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input: a window over a source of bytes. Peeking never moves; what was peeked
 * stays put until the next call. The source may be memory, a file or a pipe,
 * with or without compression: readers cannot tell.
 *
 * The bytes after the window's end are always readable and zero for AS_IN_SLACK
 * bytes, so a scanner may run to the next '\n' or non-digit without a bounds
 * check at every byte.
 */
#ifndef AS_IO_IN_H
#define AS_IO_IN_H

#include "base/alloc.h"
#include "base/err.h"
#include "base/slice.h"

enum { AS_IN_SLACK = 64 };

#define AS_SIZE_UNKNOWN UINT64_MAX

/* Where bytes come from. Owned by whoever made it. */
struct as_src {
	/* As read(2): bytes read, 0 at the end, negative errno on failure. */
	ptrdiff_t (*read)(struct as_src *src, void *buf, size_t n);
	/* As pread(2), safe in several threads; NULL if the source cannot seek. */
	ptrdiff_t (*pread)(struct as_src *src, void *buf, size_t n, uint64_t off);
	void (*close)(struct as_src *src); /* may be NULL */
	uint64_t size;                     /* bytes in all, or AS_SIZE_UNKNOWN */
	bool again;            /* it can be opened once more, and then gives the same bytes */
	const char *name;      /* for messages; borrowed */
	const char *fault;     /* why the last call failed, if errno cannot say; or NULL */
	bool salvaged;         /* with that FAULT: what was read before it is good */
	struct as_slice whole; /* all bytes, and AS_IN_SLACK zeros behind them; p is NULL if they
				  do not stand in memory */
};

struct as_in {
	const struct as_alloc *al;
	struct as_src *src;  /* borrowed */
	char *buf;           /* cap + AS_IN_SLACK bytes; NULL: the source has them all */
	size_t cap;          /* bytes the buffer holds */
	const char *p, *end; /* the unread part of the window */
	uint64_t off;        /* offset in the input of the byte at p */
	uint64_t line;       /* 1-based number of the line at p; kept by as_in_line() and lines() */
	uint64_t start, limit; /* only bytes in [start, limit) of a seekable source are read */
	bool eof;              /* the source has ended at END */
	bool salvage;          /* end where a source fails behind good bytes, and set FAULT */
	const char *fault;     /* why it ended there; borrowed from SRC */
	bool positioned;       /* read with pread() at a position of our own */
	uint64_t pos;          /* next byte to pread() */
	size_t line_max;       /* longest line accepted, bytes */
	struct as_err *err;    /* where failures are described; borrowed */
};

/* Start reading SRC from its beginning. ERR outlives IN. */
enum as_code as_in_open(struct as_in *in, const struct as_alloc *al, struct as_src *src,
	struct as_err *err) AS_NODISCARD;

/* A second window on the same source, over bytes [START, END): needs src->pread. */
enum as_code as_in_open_range(struct as_in *in, const struct as_alloc *al, struct as_src *src,
	uint64_t start, uint64_t end, struct as_err *err) AS_NODISCARD;

/* Such a window goes to bytes [START, END) of SRC, likewise; its memory stays. */
void as_in_move_range(struct as_in *in, struct as_src *src, uint64_t start, uint64_t end);

void as_in_close(struct as_in *in); /* does not close the source */

/* At least MIN bytes from p on, or all that is left when fewer are: look at the length. */
enum as_code as_in_peek(struct as_in *in, size_t min, struct as_slice *out) AS_NODISCARD;

/* Move over N bytes that were peeked. */
static inline void as_in_take(struct as_in *in, size_t n)
{
	in->p += n;
	in->off += n;
}

/* The next line without its '\n' (a '\r' before it stays), moved over. AS_END at the end. */
enum as_code as_in_line(struct as_in *in, struct as_slice *line) AS_NODISCARD;

/*
 * As many whole lines as the window holds, the last one with its '\n' except at
 * the end of the input. AS_END at the end. Nothing is moved over: the caller
 * takes them with as_in_take() and counts the lines itself.
 */
enum as_code as_in_lines(struct as_in *in, struct as_slice *lines) AS_NODISCARD;

/* Bytes from p to the end of the input if that is known, else AS_SIZE_UNKNOWN. */
uint64_t as_in_left(const struct as_in *in);

/* A source over memory that outlives it. */
struct as_src_mem {
	struct as_src src;
	struct as_slice data;
	size_t at;
};
void as_src_mem_init(struct as_src_mem *sm, struct as_slice data, const char *name);

#endif
