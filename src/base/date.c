/* SPDX-License-Identifier: Apache-2.0 */
#include "base/date.h"

static bool is_leap(unsigned year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static bool is_date(const struct as_date *d)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	if (d->month < 1 || d->month > 12 || d->day < 1)
		return false;
	if (d->day > days[d->month - 1] + (d->month == 2 && is_leap(d->year) ? 1u : 0u))
		return false;
	return d->hour < 24 && d->minute < 60 && d->second < 60;
}

/* The next N digits of TEXT; false if they are not there. */
static bool date_take(struct as_slice *text, size_t n, unsigned *out)
{
	if (text->len < n)
		return false;
	for (*out = 0; n; n--, *text = as_slice_skip(*text, 1)) {
		if (text->p[0] < '0' || text->p[0] > '9')
			return false;
		*out = *out * 10 + (unsigned)(text->p[0] - '0');
	}
	return true;
}

static bool date_take_char(struct as_slice *text, char c)
{
	if (!text->len || text->p[0] != c)
		return false;
	*text = as_slice_skip(*text, 1);
	return true;
}

bool as_date_from_digits(struct as_slice text, struct as_date *d)
{
	bool short_year = text.len == 10;

	*d = (struct as_date){.has_seconds = text.len == 14};
	if (!short_year && text.len != 12 && !d->has_seconds)
		return false;
	if (!date_take(&text, short_year ? 2 : 4, &d->year) || !date_take(&text, 2, &d->month) ||
		!date_take(&text, 2, &d->day) || !date_take(&text, 2, &d->hour) ||
		!date_take(&text, 2, &d->minute) ||
		(d->has_seconds && !date_take(&text, 2, &d->second)))
		return false;
	if (short_year)
		d->year += d->year < 69 ? 2000 : 1900;
	return is_date(d);
}

bool as_date_from_iso(struct as_slice text, struct as_date *d)
{
	unsigned digit;

	*d = (struct as_date){0};
	if (!date_take(&text, 4, &d->year) || !date_take_char(&text, '-') ||
		!date_take(&text, 2, &d->month) || !date_take_char(&text, '-') ||
		!date_take(&text, 2, &d->day) || !date_take_char(&text, 'T') ||
		!date_take(&text, 2, &d->hour) || !date_take_char(&text, ':') ||
		!date_take(&text, 2, &d->minute))
		return false;
	d->has_seconds = date_take_char(&text, ':');
	if (d->has_seconds && !date_take(&text, 2, &d->second))
		return false;
	if (d->has_seconds && date_take_char(&text, '.')) {
		if (!date_take(&text, 1, &digit))
			return false;
		while (date_take(&text, 1, &digit))
			;
	}
	return date_take_char(&text, 'Z') && !text.len && is_date(d);
}

const char *as_date_iso(const struct as_date *d, char iso[AS_DATE_ISO])
{
	char seconds[4] = "";

	if (d->has_seconds)
		snprintf(seconds, sizeof(seconds), ":%02u", d->second % 100);
	snprintf(iso, AS_DATE_ISO, "%04u-%02u-%02uT%02u:%02u%sZ", d->year % 10000, d->month % 100,
		d->day % 100, d->hour % 100, d->minute % 100, seconds);
	return iso;
}

const char *as_date_digits(const struct as_date *d, char digits[AS_DATE_DIGITS])
{
	snprintf(digits, AS_DATE_DIGITS, "%04u%02u%02u%02u%02u", d->year % 10000, d->month % 100,
		d->day % 100, d->hour % 100, d->minute % 100);
	return digits;
}
