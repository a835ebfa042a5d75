/* SPDX-License-Identifier: Apache-2.0 */
#include "session/choose.h"

enum as_events_fault as_events_choose(struct as_events of, struct as_slice list, uint32_t *event,
	uint32_t *n, struct as_slice *which)
{
	*n = 0;
	while (list.p && as_slice_cut(&list, ',', which)) {
		uint32_t found;

		if (!as_events_find(of, *which, &found))
			return AS_EVENTS_UNKNOWN;
		for (uint32_t i = 0; i < *n; i++)
			if (event[i] == found)
				return AS_EVENTS_TWICE;
		as_assert(*n < as_events_n(of));
		event[(*n)++] = found;
	}
	return AS_EVENTS_OK;
}

/* ---- the least cost that is shown ---- */

enum { MILLION = 1000000 };

/* "12.5" as 12 and, with 6 DIGITS, 500000. */
static bool choose_decimal(struct as_slice s, size_t digits, uint64_t *n, uint64_t *frac)
{
	struct as_slice whole = {s.p, as_slice_find(s, '.')};
	struct as_slice part = as_slice_skip(s, whole.len + (whole.len < s.len));

	*frac = 0;
	if (part.len > digits || (part.len && !as_slice_dec(part, frac)) || !as_slice_dec(whole, n))
		return false;
	for (size_t i = part.len; i < digits; i++)
		*frac *= 10;
	return true;
}

bool as_min_of(struct as_slice text, as_val total, as_val *min)
{
	bool percent = text.len && text.p[text.len - 1] == '%';
	uint64_t n, frac;
	as_val scaled;

	text.len -= percent;
	if (!choose_decimal(text, 6, &n, &frac) || n > UINT64_MAX / MILLION)
		return false;
	if (!percent) {
		*min = (as_val)n;
		return as_slice_find(text, '.') + 1 >= text.len;
	}
	scaled = (as_val)n * MILLION + (as_val)frac;
	total = total < 0 ? -total : total;
	if (scaled > (as_val)100 * MILLION)
		return false;
	/* Rounded up; in two steps, as the product may not fit. */
	*min = total / ((as_val)100 * MILLION) * scaled +
	       (total % ((as_val)100 * MILLION) * scaled + (as_val)100 * MILLION - 1) /
		       ((as_val)100 * MILLION);
	return true;
}

bool as_share_ppm(struct as_slice text, uint32_t *ppm)
{
	uint64_t n, frac;

	if (!text.len || text.p[text.len - 1] != '%')
		return false;
	text.len--;
	if (!choose_decimal(text, 4, &n, &frac) || n > 100)
		return false;
	*ppm = (uint32_t)(n * (MILLION / 100) + frac);
	return *ppm <= MILLION;
}
