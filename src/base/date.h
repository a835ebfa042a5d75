/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dates in universal time, as text. Nothing here asks the system what time it is or in which
 * zone it lies, so the answer is the same everywhere.
 */
#ifndef AS_BASE_DATE_H
#define AS_BASE_DATE_H

#include "base/slice.h"

struct as_date {
	unsigned year, month, day; /* 1-based */
	unsigned hour, minute, second;
	bool has_seconds;
};

enum { AS_DATE_ISO = 24, AS_DATE_DIGITS = 15, AS_DATE_NANOS = 48 };

/* YYMMDDHHMM (years 1969 to 2068, as POSIX reads %y), YYYYMMDDHHMM or YYYYMMDDHHMMSS. False if
 * TEXT has another length or there is no such minute. */
AS_NODISCARD bool as_date_from_digits(struct as_slice text, struct as_date *d);
/* YYYY-MM-DDTHH:MM[:SS[.F]]Z; fractions of a second are dropped. */
AS_NODISCARD bool as_date_from_iso(struct as_slice text, struct as_date *d);

/* "1996-12-04T23:34Z", with seconds if they are known. Returns ISO. */
const char *as_date_iso(const struct as_date *d, char iso[AS_DATE_ISO]);
/* YYYYMMDDHHMM; its last ten digits are YYMMDDHHMM. Returns DIGITS. */
const char *as_date_digits(const struct as_date *d, char digits[AS_DATE_DIGITS]);

/* "2017-03-01T12:00:00.5Z" of nanoseconds since 1970; BETWEEN is the "T", ZONE the "Z". Returns
 * TEXT. */
const char *as_date_nanos_text(
	int64_t nanos, const char *between, const char *zone, char text[AS_DATE_NANOS]);
/* Read such a text, to the nanosecond. */
AS_NODISCARD bool as_date_to_nanos(struct as_slice text, int64_t *nanos);

#endif
