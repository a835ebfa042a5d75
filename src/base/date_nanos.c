/* SPDX-License-Identifier: Apache-2.0 */
/* Times: nanoseconds since 1970, and ISO 8601. */
#include "base/date.h"

#include <stdio.h>

enum { DAYS_IN_ERA = 146097, DAYS_TO_1970 = 719468, DIGITS = 9 };

#define SECOND INT64_C(1000000000)
#define DAY INT64_C(86400)

/* Years begin in March here, so that a leap day is the last of its year. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month > 2 ? year : year - 1;
	int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * DAYS_IN_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
	       DAYS_TO_1970;
}

static void date_of(int64_t days, struct as_date *d)
{
	int64_t z = days + DAYS_TO_1970;
	int64_t era = (z >= 0 ? z : z - (DAYS_IN_ERA - 1)) / DAYS_IN_ERA;
	int64_t of_era = z - era * DAYS_IN_ERA;
	int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
	int64_t m = (5 * of_year + 2) / 153;

	d->day = (unsigned)(of_year - (153 * m + 2) / 5 + 1);
	d->month = (unsigned)(m < 10 ? m + 3 : m - 9);
	d->year = (unsigned)(y + era * 400 + (d->month <= 2));
}

const char *as_date_nanos_text(
	int64_t nanos, const char *between, const char *zone, char text[AS_DATE_NANOS])
{
	int64_t seconds = nanos / SECOND - (nanos % SECOND < 0), days;
	int64_t rest = nanos % SECOND + (nanos % SECOND < 0 ? SECOND : 0);
	struct as_date d;
	char fraction[DIGITS + 2] = "";
	int64_t of_day;

	days = seconds / DAY - (seconds % DAY < 0);
	of_day = seconds - days * DAY;
	date_of(days, &d);
	if (rest) {
		size_t n = (size_t)snprintf(fraction, sizeof(fraction), ".%09" PRId64, rest);

		while (fraction[n - 1] == '0')
			fraction[--n] = 0;
	}
	snprintf(text, AS_DATE_NANOS, "%04u-%02u-%02u%s%02u:%02u:%02u%s%s", d.year, d.month, d.day,
		between, (unsigned)(of_day / 3600), (unsigned)(of_day / 60 % 60),
		(unsigned)(of_day % 60), fraction, zone);
	return text;
}

bool as_date_to_nanos(struct as_slice text, int64_t *nanos)
{
	size_t dot = as_slice_find(text, '.');
	int64_t seconds, fraction = 0, scale = SECOND;
	struct as_date d = {0};
	as_val all;

	if (!as_date_from_iso(text, &d))
		return false;
	for (size_t i = dot + 1; i < text.len && text.p[i] >= '0' && text.p[i] <= '9'; i++) {
		scale /= 10;
		fraction += (text.p[i] - '0') * scale;
	}
	seconds = days_of(d.year, d.month, d.day) * DAY + d.hour * INT64_C(3600) +
		  d.minute * INT64_C(60) + d.second;
	all = (as_val)seconds * SECOND + fraction;
	*nanos = (int64_t)all;
	return all >= INT64_MIN && all <= INT64_MAX;
}
