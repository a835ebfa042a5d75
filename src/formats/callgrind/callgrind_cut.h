/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cost lines of the plain form, cut into their numbers many at a time: decimal numbers with one
 * blank between them, positions with a sign before them, hexadecimal, or "*" in their stead.
 */
#ifndef AS_FORMATS_CALLGRIND_CUT_H
#define AS_FORMATS_CALLGRIND_CUT_H

#include "base/base.h"

enum { CG_CUT = 64 }; /* bytes that are looked at; bit I stands for byte I */

/* The plain lines at the beginning of the bytes: the ends of their numbers, those of the lines
 * among them, and where the first of the lines that are left begins. */
struct cg_cut {
	uint64_t ends, feeds;
	uint32_t at;
};

/* The plain lines of N_POS positions each at P. How many counts they have is not looked at, nor
 * what stands behind the first digit of a position if it is '@' or a byte behind that: mostly the
 * "x" of "0x1f". */
typedef struct cg_cut as_cg_cut_fn(const char *p, uint32_t n_pos);

as_cg_cut_fn as_cg_cut; /* on any machine */
#ifdef __x86_64__
as_cg_cut_fn as_cg_cut_sse2; /* on any of these */
#endif
as_cg_cut_fn *as_cg_cut_fast(void); /* the one for this machine */

/* Take all lines out of CUT, which is of lines of one position at P, and add the count that each of
 * them has at the most to SUM. How many; 0 if there are others or none, and CUT stays. */
typedef uint32_t as_cg_sum_fn(const char *p, struct cg_cut *cut, uint64_t *sum);

as_cg_sum_fn *as_cg_sum_fast(void); /* the one for this machine, or NULL */

#endif
