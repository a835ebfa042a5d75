/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every file of assay may rely on: the fixed-width types, the result
 * codes, the value type and a handful of attributes. Includes banned.h, so
 * that forbidden functions are compile errors everywhere.
 */
#ifndef AS_BASE_BASE_H
#define AS_BASE_BASE_H

#ifndef ASSAY_INTERNAL
#error "this header is private to assay; use <assay/assay.h>"
#endif

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/banned.h"

#if defined(__GNUC__)
#define AS_NODISCARD __attribute__((warn_unused_result))
#define AS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define AS_LIKELY(x) __builtin_expect(!!(x), 1)
#define AS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define AS_NOINLINE __attribute__((noinline))
#define AS_PREFETCH(p) __builtin_prefetch(p)
#define AS_NORETURN __attribute__((noreturn, cold))
#else
#define AS_NODISCARD
#define AS_PRINTF(fmt, args)
#define AS_LIKELY(x) (x)
#define AS_UNLIKELY(x) (x)
#define AS_NOINLINE
#define AS_PREFETCH(p) ((void)(p))
#define AS_NORETURN
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AS_LITTLE_ENDIAN 1
#else
#define AS_LITTLE_ENDIAN 0
#endif

/*
 * A cost or a count. Inputs are at most 64 bits wide (signed or unsigned) and
 * there are fewer than 2^63 of them, so a sum of values cannot overflow; a
 * format that is narrower checks when it writes.
 */
__extension__ typedef __int128 as_val;
__extension__ typedef unsigned __int128 as_uval;

/* SUM[k] += V[k] for N values. */
static inline void as_vals_add(as_val *sum, const as_val *v, size_t n)
{
	for (size_t k = 0; k < n; k++)
		sum[k] += v[k];
}

/* How a call ended. The text that goes with a failure is in struct as_err. */
enum as_code {
	AS_OK,
	AS_END,           /* nothing more to read; not an error */
	AS_E_FORMAT,      /* the input breaks its format's rules */
	AS_E_TRUNC,       /* the input ends too early */
	AS_E_UNSUPPORTED, /* valid, but beyond us; or a format that cannot do this */
	AS_E_LIMIT,       /* a limit of ours or of the target format is exceeded */
	AS_E_IO,          /* the operating system said no */
	AS_E_NOMEM,
	AS_E_ARG, /* the caller's mistake; nothing has changed */
	AS_E_CANCELLED,
	AS_E_NOTPROFILE, /* the input is something else (ELF, text, ...) */
};

/* Pass a failure on. Only where nothing needs to be released. */
#define AS_TRY(expr)                               \
	do {                                       \
		enum as_code try_rc_ = (expr);     \
		if (AS_UNLIKELY(try_rc_ != AS_OK)) \
			return try_rc_;            \
	} while (0)

/* AS_OK if OK, which says that an allocation succeeded. */
static inline enum as_code as_memory(bool ok)
{
	return AS_LIKELY(ok) ? AS_OK : AS_E_NOMEM;
}

/* The next step: RC becomes what EXPR ends with, unless a step before it has failed. */
#define AS_THEN(rc, expr)              \
	do {                           \
		if (!(rc))             \
			(rc) = (expr); \
	} while (0)

/*
 * What holds whatever the input is, because other code of ours sees to it; never what a file or
 * a caller may get wrong. It is checked in release builds as well: a wrong row number stops the
 * program before it becomes a wrong profile. The page has no room for the texts.
 */
#if defined(__wasm__)
#define as_assert(expr) (AS_LIKELY(expr) ? (void)0 : __builtin_trap())
#else
#define as_assert(expr) (AS_LIKELY(expr) ? (void)0 : as_assert_failed(__FILE__, __LINE__, #expr))
#endif
AS_NORETURN void as_assert_failed(const char *file, int line, const char *expr);

/* Element I of P; NULL if P is, which an array without elements may be: NULL + 0 is undefined. */
#define as_at(p, i) ((p) ? (p) + (i) : (p))
#define AS_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
