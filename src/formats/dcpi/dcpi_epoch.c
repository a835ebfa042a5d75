/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epochs: the minute in which a recording began, UTC. Nothing here asks the system what time it
 * is or in which zone.
 */
#include "formats/dcpi/dcpi.h"

struct date {
	unsigned year, month, day, hour, minute, second;
};

static bool is_leap(unsigned year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static bool is_date(const struct date *d)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	if (d->month < 1 || d->month > 12 || d->day < 1)
		return false;
	if (d->day > days[d->month - 1] + (d->month == 2 && is_leap(d->year) ? 1u : 0u))
		return false;
	return d->hour < 24 && d->minute < 60 && d->second < 60;
}

/* The next N digits of TEXT; false if they are not there. */
static bool take(struct as_slice *text, size_t n, unsigned *out)
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

static bool take_char(struct as_slice *text, char c)
{
	if (!text->len || text->p[0] != c)
		return false;
	*text = as_slice_skip(*text, 1);
	return true;
}

bool as_dcpi_epoch_iso(struct as_slice text, char iso[DCPI_ISO])
{
	bool seconds = text.len == 14;
	struct date d = {0};
	int n;

	if (text.len != 10 && text.len != 12 && !seconds)
		return false;
	if (!take(&text, text.len == 10 ? 2 : 4, &d.year) || !take(&text, 2, &d.month) ||
		!take(&text, 2, &d.day) || !take(&text, 2, &d.hour) || !take(&text, 2, &d.minute) ||
		(seconds && !take(&text, 2, &d.second)))
		return false;
	/* Two digits are of the years 1969 to 2068, as POSIX reads %y. */
	if (d.year < 69)
		d.year += 2000;
	else if (d.year < 100)
		d.year += 1900;
	if (!is_date(&d))
		return false;
	n = snprintf(iso, DCPI_ISO, "%04u-%02u-%02uT%02u:%02u", d.year % 10000, d.month % 100,
		d.day % 100, d.hour % 100, d.minute % 100);
	if (seconds)
		n += snprintf(iso + n, DCPI_ISO - (size_t)n, ":%02u", d.second % 100);
	snprintf(iso + n, DCPI_ISO - (size_t)n, "Z");
	return true;
}

bool as_dcpi_epoch_digits(struct as_slice iso, char digits[DCPI_DIGITS], bool *exact)
{
	struct date d = {0};

	if (!take(&iso, 4, &d.year) || !take_char(&iso, '-') || !take(&iso, 2, &d.month) ||
		!take_char(&iso, '-') || !take(&iso, 2, &d.day) || !take_char(&iso, 'T') ||
		!take(&iso, 2, &d.hour) || !take_char(&iso, ':') || !take(&iso, 2, &d.minute))
		return false;
	if (take_char(&iso, ':') && !take(&iso, 2, &d.second))
		return false;
	*exact = d.second == 0;
	if (take_char(&iso, '.'))
		for (unsigned digit; take(&iso, 1, &digit);)
			*exact &= digit == 0;
	if (!take_char(&iso, 'Z') || iso.len || !is_date(&d) || d.year < 1969 || d.year > 2068)
		return false;
	snprintf(digits, DCPI_DIGITS, "%02u%02u%02u%02u%02u", d.year % 100, d.month % 100,
		d.day % 100, d.hour % 100, d.minute % 100);
	return true;
}
