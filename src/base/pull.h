/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON, read one value after the other by who knows what is to come:
 *
 *	as_pull_object(j);
 *	while (as_pull_key(j, &key))
 *		if (as_slice_is(key, "weights")) {
 *			as_pull_array(j);
 *			while (as_pull_item(j))
 *				as_pull_number(j, &text);
 *		} else {
 *			as_pull_skip(j);
 *		}
 *	if (j->why) ... what is wrong, and where: j->p
 *
 * What is wrong is sticky: from then on all calls say no, so loops end and only their end need be
 * looked at. Each value is read, or skipped, exactly once. A struct may be copied: the copy goes
 * on from there by itself.
 *
 * The text may come in pieces: then MORE brings the next, texts are good until the next call, and
 * there are no copies. src/formats/json_in.h reads an input so.
 */
#ifndef AS_BASE_PULL_H
#define AS_BASE_PULL_H

#include "base/arena.h"
#include "base/slice.h"

enum { AS_PULL_DEPTH = 512 }; /* of what is skipped */

enum as_pull_kind {
	AS_PULL_WRONG, /* no value begins like this */
	AS_PULL_END,   /* of the text */
	AS_PULL_OBJECT,
	AS_PULL_ARRAY,
	AS_PULL_TEXT,
	AS_PULL_NUMBER,
	AS_PULL_TRUE,
	AS_PULL_FALSE,
	AS_PULL_NULL,
};

struct as_pull {
	const char *p, *end;
	/* More of the text behind END, of which what is from KEEP on stays: P, END and KEEP move.
	 * False: there is none, and nothing has moved. NULL: P to END is all. */
	bool (*more)(struct as_pull *j, const char *keep);
	const char *keep;       /* of as_pull_raw(); NULL */
	struct as_arena *arena; /* where texts go that have escapes */
	const char *why;        /* what is wrong at P, a constant text; NULL: nothing is */
	bool cut;               /* the text ends too early, that is */
	bool no_memory;         /* what is wrong is that the arena had no room */
	bool first;             /* of the object or array that was just begun */
	bool inside; /* something ends behind each number: one at the text's end is cut */
};

void as_pull_init(struct as_pull *j, struct as_slice text, struct as_arena *arena);

/* What comes next; nothing is moved over but blanks. */
enum as_pull_kind as_pull_peek(struct as_pull *j);

/* Into the object or array that comes next. */
bool as_pull_object(struct as_pull *j);
bool as_pull_array(struct as_pull *j);
/* The key of the next member, or behind the object; likewise of an array's values. */
bool as_pull_key(struct as_pull *j, struct as_slice *key);
bool as_pull_item(struct as_pull *j);

/* A text, without its escapes: a piece of the input, or in the arena. Half of a surrogate pair
 * becomes U+FFFD; bytes that are not UTF-8 stay as they are. */
bool as_pull_text(struct as_pull *j, struct as_slice *text);
/* A number, as it stands there. */
bool as_pull_number(struct as_pull *j, struct as_slice *text);
bool as_pull_bool(struct as_pull *j, bool *v);
/* Whatever comes next. */
bool as_pull_skip(struct as_pull *j);
/* The same; *TEXT is how it stands there. */
bool as_pull_raw(struct as_pull *j, struct as_slice *text);
/* The same of an array of numbers, which is what stands there up to the first ']': nothing of it is
 * looked at, so that those who have seen it before need not. */
bool as_pull_flat(struct as_pull *j, struct as_slice *text);

/* The integer that TEXT, a number, is: "12", "-3", "1.5e3". False if it is none, or has more than
 * 64 bits: *V is unsigned, and of a number below zero its two's complement. */
AS_NODISCARD bool as_pull_integer(struct as_slice text, uint64_t *v, bool *negative);

/* TEXT, a number, times ten to the power EXPONENT, as the nearest integer, of which halves go away
 * from zero; EXACT says that nothing was rounded. False if TEXT is no number, or *V is beyond 64
 * bits. "998.5" with 6, milliseconds to nanoseconds, is 998500000. */
AS_NODISCARD bool as_pull_scaled(struct as_slice text, int exponent, int64_t *v, bool *exact);

/* What as_pull_numbers() has where null stands. */
#define AS_PULL_NULL_NUMBER INT64_MIN
/* Of the array that J is in: numbers, times ten to the power EXPONENT as as_pull_scaled() has them,
 * and nulls, up to MAX of them, as many as come next without anything special; *V has them.
 * ROUNDED counts those that were rounded; NULL: these are special. 0: as_pull_item() says what
 * comes next. */
size_t as_pull_numbers(
	struct as_pull *j, unsigned exponent, int64_t *v, size_t max, uint64_t *rounded);

/* For src/base: more of the text, of which what is from the current token on stays. */
bool as_pull_fill(struct as_pull *j);
/* For src/base: the text behind J's quote; false if it is no text. */
bool as_pull_unescape(struct as_pull *j, struct as_slice *text);
bool as_pull_wrong(struct as_pull *j, const char *why);

#endif
