/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver of folded stacks: docs/formats/folded.md. */
#ifndef AS_FOLDED_H
#define AS_FOLDED_H

#include "formats/format.h"

/* Frames of the kernel and of generated code are in these objects; see §3. */
#define AS_FOLDED_KERNEL "[kernel]"
#define AS_FOLDED_JIT "[jit]"

/* The line that stands where there are no stacks, as an empty file would be taken for a damaged
 * one. */
#define AS_FOLDED_NOTHING "# folded stacks: no samples\n"

enum { AS_FOLDED_COLUMNS = 2 };

struct as_folded_line {
	struct as_slice stack; /* "main;work;read"; may be empty */
	as_val count[AS_FOLDED_COLUMNS];
	bool rounded; /* a count has a fraction that SCALE does not make whole */
};

enum as_folded_kind {
	AS_FOLDED_STACK,
	AS_FOLDED_NOISE,    /* empty, or a comment */
	AS_FOLDED_NO_COUNT, /* something else */
	AS_FOLDED_TOO_FEW,  /* one count where COLUMNS is 2 */
	AS_FOLDED_RANGE,    /* a count beyond 64 bits */
};

/* TEXT without the byte order marks at its beginning. Some editors put one before a file, and some
 * before one that has one. */
static inline struct as_slice as_folded_past_marks(struct as_slice text)
{
	while (as_slice_starts(text, "\xef\xbb\xbf"))
		text = as_slice_skip(text, 3);
	return text;
}

/* Take LINE, without its end, apart. Counts are multiplied by SCALE, a power of ten. */
enum as_folded_kind as_folded_split(
	struct as_slice line, unsigned columns, uint64_t scale, struct as_folded_line *out);

/* Where in NAME the blank before a number at its end is; its length if there is none. */
size_t as_folded_number_at(struct as_slice name);

/* "parse (x.py:5)": a frame of Python's, as py-spy writes it. */
struct as_folded_python {
	struct as_slice name, path;
	uint64_t line;
};

/* What TEXT, a frame without its marks, says. False: it is a name as others are. */
bool as_folded_python(struct as_slice text, struct as_folded_python *out);

/* What PK is, and how many columns of counts its lines have. */
enum as_probe as_folded_look(const struct as_peek *pk, unsigned *columns);

/* ---- folded_bare.c: rows of code without names ---- */

/* What stands before and behind an address in the text of a function's rows. */
struct as_folded_ends {
	struct as_slice head, tail;
};
enum { AS_FOLDED_BARE_MAX = 1024 }; /* bytes of such a text at the most */

struct as_folded_row {
	uint64_t addr;
	uint32_t func;
};

struct as_folded_bare {
	struct as_wr *wr;
	const struct as_profile *prof;
	const uint32_t *event; /* COLUMNS of them */
	uint32_t columns;
	const struct as_folded_ends *ends; /* of each function that has rows */

	struct as_folded_row last; /* that was looked at; its function is 0 before the first */
	bool unordered;
	AS_VEC(struct as_folded_row) row;
	AS_VEC(as_val) cost; /* COLUMNS of each row */
};
enum as_code as_folded_bare_write(struct as_folded_bare *b) AS_NODISCARD;

/* ---- folded_write.c ---- */

/* What stands behind the text of a line: " 3\n". */
enum as_code as_folded_put_counts(struct as_wr *wr, const as_val *cost, uint32_t columns)
	AS_NODISCARD;

enum as_code as_folded_read(struct as_rd *rd) AS_NODISCARD;
enum as_code as_folded_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
