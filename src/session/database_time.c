/* SPDX-License-Identifier: Apache-2.0 */
/* Times as people type them. */
#include "base/date.h"
#include "base/duration.h"
#include "session/database.h"

/* A number alone is no time but an epoch. */
static bool time_ago(struct as_slice text, int64_t *ns)
{
	uint64_t number;

	return text.len && !as_slice_dec(as_slice_skip(text, text.len - 1), &number) &&
	       as_duration_ns(text, ns);
}

/* "202611231045", as an epoch is called. */
static bool time_digits(struct as_slice text, int64_t *ns)
{
	char iso[AS_DATE_ISO];
	struct as_date d;

	return text.len >= 12 && as_date_from_digits(text, &d) &&
	       as_date_to_nanos(as_slice_of(as_date_iso(&d, iso)), ns);
}

bool as_database_time(struct as_slice text, int64_t now_ns, int64_t *ns)
{
	char iso[AS_DATE_NANOS], today[AS_DATE_NANOS];
	bool zone = as_slice_ends(text, "Z");
	int64_t ago;
	int n;

	if (time_ago(text, &ago)) {
		*ns = now_ns > INT64_MIN + ago ? now_ns - ago : INT64_MIN;
		return true;
	}
	if (time_digits(text, ns))
		return true;
	if (zone)
		text.len--;
	as_date_nanos_text(now_ns, "T", "Z", today);
	if (text.len == strlen("2026-11-23"))
		n = snprintf(iso, sizeof(iso), "%.*sT00:00Z", AS_SLICE_FMT(text));
	else if (text.len > 10 && (text.p[10] == ' ' || text.p[10] == 'T'))
		n = snprintf(
			iso, sizeof(iso), "%.10sT%.*sZ", text.p, (int)(text.len - 11), text.p + 11);
	else
		n = snprintf(iso, sizeof(iso), "%.10sT%.*sZ", today, AS_SLICE_FMT(text));
	return n > 0 && (size_t)n < sizeof(iso) && as_date_to_nanos(as_slice_of(iso), ns);
}
