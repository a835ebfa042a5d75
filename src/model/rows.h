/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of facts in little memory: self cost, calls and jumps at full detail.
 *
 * Rows that share part, function and file form a run. Within a run a row holds
 * a line, an address and up to WIDTH values, encoded as
 *
 *	head   varint  2 * number of values + (1 if any value is negative)
 *	line   varint  zigzag difference to the row before (0 at the run's start)
 *	addr   varint  likewise
 *	value  varint  zigzag if the head says so
 *
 * Trailing zero values are left out. A typical Callgrind line of 12 bytes takes
 * five here. Chunks never move, so writing is append-only.
 *
 * A call at function detail knows neither where it stands nor where it leads. A run of sums holds
 * rows at line and address 0, whose second and third value are zero and none negative, as
 *
 *	first  4       the first value
 *	sizes  nibbles bytes of each value from the fourth on, lowest first, 0 to 8
 *	values         in so many bytes
 *
 * Samplers that count every instruction of an image give long stretches of rows
 * without line, at equal distances, with one small value each. These are stored as
 *
 *	head   1       as above
 *	n      byte    number of values, not 0
 *	rows   byte    how many of them are not zero
 *	shape  byte    bytes of a value, 1, 2 or 4; plus 128 if the gap has eight
 *	most   2       the largest value, or 2^16 - 1 if that is not enough
 *	gap    4 or 8  first address less that of the row before
 *	stride varint  between two addresses
 *	values         of one, two or four bytes each, zero where there is no row
 *
 * and are ordinary rows to whoever walks them.
 */
#ifndef AS_MODEL_ROWS_H
#define AS_MODEL_ROWS_H

#include "base/alloc.h"
#include "model/handles.h"

struct as_run {
	uint32_t part;
	as_func func;   /* the function that the rows belong to */
	as_file file;   /* source file of the lines; differs from the function's for inlined code */
	as_func inl;    /* the inlined function, where the source names it; else 0 */
	uint32_t chunk; /* where the first row starts */
	uint32_t off;
	uint32_t n;    /* rows; where there are more than that, another run follows */
	uint32_t sums; /* if not 0, a run of sums: values behind the third in each row */
};

struct as_rows_chunk {
	uint8_t *p;
	uint32_t n, cap; /* bytes used and there */
};

struct as_rows_sum {
	uint64_t sum, rows; /* rows are fewer than 2^32, so the sum of 32-bit counts fits */
};

struct as_rows {
	const struct as_alloc *al;
	uint32_t width;   /* values in a row at the most */
	uint32_t run_max; /* rows in a run at the most, or a few less */
	AS_VEC(struct as_run) run;
	AS_VEC(struct as_rows_chunk) chunk;
	uint64_t n; /* rows in all */
	uint64_t last_line, last_addr;
	struct as_rows_sum counted; /* of the rows that came as counts, or one by one where the
				       width is 1: as_rows_total() need not look */
};

void as_rows_init(struct as_rows *rows, const struct as_alloc *al, uint32_t width);
void as_rows_release(struct as_rows *rows);

/* Start a run; an empty run before it is dropped, an equal one is continued. */
AS_NODISCARD bool as_rows_run(
	struct as_rows *rows, uint32_t part, as_func func, as_file file, as_func inl);

/* The same, whatever kind of run LIKE is; its rows do not matter. */
AS_NODISCARD bool as_rows_run_like(struct as_rows *rows, const struct as_run *like);

/* Append a row to the current run. N <= width; more values than that are a caller's bug. */
AS_NODISCARD bool as_rows_add(
	struct as_rows *rows, uint64_t line, uint64_t addr, const as_val *v, uint32_t n);
/* The same for values that are known to be unsigned 64 bits: the readers' fast path. */
AS_NODISCARD bool as_rows_add_u64(
	struct as_rows *rows, uint64_t line, uint64_t addr, const uint64_t *v, uint32_t n);

/* TO, which is empty, has the rows of FROM, whose runs are RUN there, but for those that have none.
 */
AS_NODISCARD bool as_rows_copy(
	struct as_rows *to, const struct as_rows *from, const struct as_run *run);

enum { AS_SUMS_MAX = 250 };
/* Start a run of sums whose rows have N values behind the third, 1 to AS_SUMS_MAX, and append to
 * it: the first value, and the N. */
AS_NODISCARD bool as_rows_run_sums(
	struct as_rows *rows, uint32_t part, as_func func, as_file file, uint32_t n);
AS_NODISCARD bool as_rows_add_sum(struct as_rows *rows, uint32_t first, const uint64_t *v);
/* Move all rows of FROM behind those of TO, each first value F becoming MAP[F]; the runs keep
 * what they say. False, and nothing is done, if not all are sums or memory runs out. */
AS_NODISCARD bool as_rows_take_sums(struct as_rows *to, struct as_rows *from, const uint32_t *map);

/* N addresses, STRIDE apart from ADDR on, and a count for each: little-endian, four bytes. */
struct as_rows_span {
	uint64_t addr, stride;
	const uint8_t *le32; /* AS_SPAN_SLACK bytes behind the counts are read as well */
	size_t n;
};
enum { AS_SPAN_SLACK = 60 };
/* Append a row of one value for every count that is not zero. rows->counted tells of all such
 * rows how many there are and what they add up to. */
AS_NODISCARD bool as_rows_add_span(struct as_rows *rows, const struct as_rows_span *span);
/* The same for a single count. */
AS_NODISCARD bool as_rows_add_count(struct as_rows *rows, uint64_t addr, uint32_t count);

/* Where the rows ended at some time, to take back what was added since. */
struct as_rows_mark {
	size_t n_run, n_chunk;
	struct as_run run;
	uint32_t used;
	uint64_t n, last_line, last_addr;
	struct as_rows_sum counted;
};
struct as_rows_mark as_rows_mark(const struct as_rows *rows);
void as_rows_rewind(struct as_rows *rows, const struct as_rows_mark *mark);

/* Add the values of all rows to TOTAL, width values. Neither this nor as_rows_first() is for runs
 * of sums: their first value is a handle, and no cost. */
void as_rows_total(const struct as_rows *rows, as_val *total);
/* The first values of a run's rows, added up. */
as_val as_rows_first(const struct as_rows *rows, const struct as_run *run);

/* Rows at equal distances, some left out: value I is of the address ADDR + I * STRIDE, and where
 * it is zero there is no row. The last one is not zero. Behind values of one byte there are fifteen
 * more bytes that can be read. */
struct as_rows_view {
	uint64_t addr, stride;
	const uint8_t *p;
	uint32_t n, rows; /* values; how many of them are not zero */
	uint32_t size;    /* bytes of a value: 1, 2 or 4, in the order of this machine */
	uint32_t most;    /* no value is above it */
};

/* Varints of up to eight bytes are taken and put as one word, without a branch per byte. */
#define AS_VARINT_WORDS AS_LITTLE_ENDIAN
#define AS_VARINT_GO UINT64_C(0x8080808080808080) /* the bits that say that a byte follows */

/* The 7-bit groups of eight bytes, pushed together. */
static inline uint64_t as_varint_pack(uint64_t x)
{
	x &= ~AS_VARINT_GO;
	x = (x & UINT64_C(0x7f007f007f007f00)) >> 1 | (x & UINT64_C(0x007f007f007f007f));
	x = (x & UINT64_C(0x3fff00003fff0000)) >> 2 | (x & UINT64_C(0x00003fff00003fff));
	return (x & UINT64_C(0x0fffffff00000000)) >> 4 | (x & UINT64_C(0x000000000fffffff));
}

/* Take a varint of a row, of up to eight bytes. NULL: it is longer. */
static inline const uint8_t *as_varint_get(const uint8_t *p, uint64_t *v)
{
#if AS_VARINT_WORDS
	uint64_t w, stop;

	memcpy(&w, p, sizeof(w)); /* there are AS_ROWS_SLACK bytes behind it */
	stop = ~w & AS_VARINT_GO;
	if (AS_UNLIKELY(!stop))
		return NULL;
	*v = as_varint_pack(w & (stop ^ (stop - 1)));
	return p + (unsigned)__builtin_ctzll(stop) / 8 + 1;
#else
	(void)p;
	(void)v;
	return NULL;
#endif
}

/* All values of VIEW, added up. */
uint64_t as_view_sum(const struct as_rows_view *view);
/* Append the rows of VIEW, of other rows than these, as they are. */
AS_NODISCARD bool as_rows_add_view(struct as_rows *rows, const struct as_rows_view *view);

/* Walks the rows of one run. */
struct as_rows_cur {
	const struct as_rows *rows;
	const uint8_t *p, *end;
	uint32_t chunk;
	uint32_t sums; /* as in the run */
	uint64_t left;
	uint64_t line, addr;      /* of the current row */
	uint32_t n;               /* values stored in it; the rest is zero */
	as_val *v;                /* width values, filled by as_rows_next() */
	struct as_rows_view span; /* the stretch that the walk is inside of */
};

/* V has room for rows->width values and outlives CUR. */
void as_rows_begin(
	struct as_rows_cur *cur, const struct as_rows *rows, const struct as_run *run, as_val *v);
bool as_rows_next(struct as_rows_cur *cur);
/* As as_rows_next(), but V beyond the first N values is left as it is. */
bool as_rows_next_short(struct as_rows_cur *cur);
/* A row of one value, or with its values as they are stored: of all but those, N is 0. */
struct as_rows_packed {
	uint64_t line, addr;
	union {
		uint64_t value;
		const uint8_t *packed; /* for as_varint_get() */
	};
	uint32_t n; /* values that are packed, and AS_ROWS_PACKED */
	uint32_t tag;
};
#define AS_ROWS_PACKED (UINT32_C(1) << 31)
/* Put the values of ROW, which are packed, into V. */
void as_rows_unpack(const struct as_rows_packed *row, as_val *v);
/* Take the rows that come next as long as they are plain: no value is negative or, if there is one
 * only, long; MAX of them at the most, each of which gets TAG. Returns how many. After none
 * as_rows_next() may still find one. */
uint32_t as_rows_next_packed(
	struct as_rows_cur *cur, struct as_rows_packed *row, uint32_t max, uint32_t tag);
/* As as_rows_next(), but many rows at a time where that is how they are stored: then VIEW->n is
 * not 0, and they have no line and one value each. Else there is a row in CUR, and VIEW->n is 0. */
bool as_rows_next_view(struct as_rows_cur *cur, struct as_rows_view *view);

static inline uint32_t as_view_value(const struct as_rows_view *view, uint32_t i)
{
	uint16_t w;
	uint32_t v;

	if (view->size == 1)
		return view->p[i];
	if (view->size == sizeof(w)) {
		memcpy(&w, view->p + i * sizeof(w), sizeof(w));
		return w;
	}
	memcpy(&v, view->p + i * sizeof(v), sizeof(v));
	return v;
}

#endif
