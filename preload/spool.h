/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile file while it grows. It is mapped, and at every moment it is a gperftools CPU
 * profile that readers accept: a process that is killed leaves all of its samples.
 *
 * Header, then chunks of 512 slots, then trailer and text. What is free in a chunk is a record
 * with the count 0. A sample's stack is written inside of such a record and becomes one by two
 * stores: of the free record's depth, and of the count. Samples of the same stack are added to
 * that count. Nothing here locks except growing, which a signal handler only tries.
 */
#ifndef AS_PRELOAD_SPOOL_H
#define AS_PRELOAD_SPOOL_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	AS_CHUNK = 512,
	AS_INDEX_BITS = 17,
	AS_PROBES = 8,
	AS_HEADER = 5,
	AS_TRAILER = 3,
	AS_EMPTY = 4096
};

/* Where one writer writes: slots of a chunk that is its own. */
struct as_pen {
	uint64_t at;
	uint32_t left;
};

/*
 * Of a profile that says when: the two outermost words of each stack are these, with the thread's
 * number and nanoseconds since the beginning. No code has such addresses; the header's last word
 * is AS_SPOOL_TIMED. So it is of a profile that only says of which thread a stack is: its time is
 * AS_NO_TIME then, and if all are of one thread the finished file has no such words.
 */
#define AS_SPOOL_TIMED UINT64_C(0x454d4954)
#define AS_MARK_THREAD (UINT64_C(0xa6) << 56)
#define AS_MARK_TIME (UINT64_C(0xa5) << 56)
#define AS_NO_TIME ((UINT64_C(1) << 56) - 1)
enum { AS_MARKS = 2 };

struct as_spool {
	/* Set before it is opened: */
	bool marked;            /* stacks have marks; */
	bool timed;             /* and no two are alike: none is looked for */
	char path[PATH_MAX];    /* absolute */
	char name[3][PATH_MAX]; /* while it is finished */
	char empty[AS_EMPTY];   /* lines */
	int fd;
	int pour; /* not a regular file: what is written to it at the end; or -1 */
	uint64_t dev, ino;
	_Atomic uint64_t *map; /* slots */
	uint64_t map_bytes;
	_Atomic uint32_t next, n_chunks; /* chunks that were given out, that there are */
	_Atomic uint64_t lost_stacks;    /* samples whose stack found no room: only counted */
	uint64_t n_text, eof;            /* bytes */
	_Atomic uint64_t index[1 << AS_INDEX_BITS]; /* hash's upper half | position */
};

/*
 * Makes the file at PATH, with a period in µs and no samples. At most LIMIT bytes are mapped.
 * False: it can't be made.
 */
bool as_spool_open(struct as_spool *s, const char *path, uint64_t period, uint64_t limit);

/* Whether a file may have so many bytes. */
bool as_spool_may_be(uint64_t bytes);

/* Address space beyond what the file needs soon is given back. */
void as_spool_shrink(struct as_spool *s);

/* More room for stacks, ADD chunks. One caller at a time. False: there is none. */
bool as_spool_grow(struct as_spool *s, uint32_t add);

/* Whether it is time to grow. */
bool as_spool_is_short(const struct as_spool *s);

/*
 * A stack of N frames, leaf first, that stands for WEIGHT samples. False: there was no room for
 * the stack; its samples are counted as lost stacks. Safe in the signal handler.
 */
bool as_spool_add(
	struct as_spool *s, struct as_pen *pen, const uint64_t *pc, size_t n, uint64_t weight);

/* Only the samples, without a stack. */
void as_spool_add_lost(struct as_spool *s, uint64_t weight);

/*
 * A line of the text, N bytes with the line feed. AT: where it stands, for as_spool_line_free()
 * and as_spool_line_again(). One caller at a time, as with growing.
 */
bool as_spool_line(struct as_spool *s, const char *line, size_t n, uint64_t *at);
void as_spool_line_free(struct as_spool *s, uint64_t at, size_t n);
void as_spool_line_again(struct as_spool *s, uint64_t at, const char *line, size_t n);

/* Moves all recorded addresses in [lo, hi) by BY; how many there were. */
uint64_t as_spool_move(struct as_spool *s, uint64_t lo, uint64_t hi, uint64_t by);
bool as_spool_has(const struct as_spool *s, uint64_t lo, uint64_t hi);

/*
 * The end: the file becomes as small as it can be, with TEXT behind the trailer. Nobody writes
 * any more. BYTES: of the file's records. False: it stays as it was, which is readable too.
 */
bool as_spool_finish(struct as_spool *s, const char *text, size_t n_text);

/* Whether marks say nothing: there is no time in them, and no second thread than TID (0: none). */
bool as_spool_is_of_one(const struct as_spool *s, uint32_t *tid);

/* Forgets the file; REMOVE: it is deleted. */
void as_spool_close(struct as_spool *s, bool remove);

static inline uint64_t as_spool_chunk(uint64_t i)
{
	return AS_HEADER + i * AS_CHUNK;
}

/* The file's first byte. */
static inline char *as_spool_bytes(const struct as_spool *s)
{
	return (char *)(uintptr_t)s->map;
}

/* Bytes before the text. */
static inline uint64_t as_spool_text(const struct as_spool *s)
{
	return (as_spool_chunk(atomic_load(&s->n_chunks)) + AS_TRAILER) * sizeof(uint64_t);
}

/* Opens the file again if the program has closed our descriptor; false: it is gone. */
bool as_spool_reach(struct as_spool *s);

#endif
