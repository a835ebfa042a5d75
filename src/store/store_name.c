/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store_name.h"

#include <stdio.h>

#include "base/date.h"

#define SECOND INT64_C(1000000000)
#define FLAT ".dcpi"
#define STACKS ".pb.gz"
#define SECONDS_MAX UINT64_C(4000000000)

enum { START_DIGITS = 15 /* 20261123T104500 */, NTH_MAX = 1000000, NANO_DIGITS = 9 };

/* "20261123T104500Z" in the words of ISO 8601 that have marks between the numbers. */
static bool name_take_start(struct as_slice text, int64_t *nanos)
{
	char iso[AS_DATE_NANOS];
	const char *p = text.p;

	if (text.len < START_DIGITS + 1 || text.len > START_DIGITS + 12 || p[8] != 'T' ||
		text.p[text.len - 1] != 'Z')
		return false;
	snprintf(iso, sizeof(iso), "%.4s-%.2s-%.2sT%.2s:%.2s:%.*s", p, p + 4, p + 6, p + 9, p + 11,
		(int)(text.len - 13), p + 13);
	return as_date_to_nanos(as_slice_of(iso), nanos);
}

/* "60" or "0.25". */
static bool name_take_seconds(struct as_slice text, int64_t *nanos)
{
	size_t dot = as_slice_find(text, '.');
	struct as_slice rest = as_slice_skip(text, dot < text.len ? dot + 1 : text.len);
	uint64_t whole, part = 0;

	if (dot + 1 == text.len || rest.len > NANO_DIGITS ||
		!as_slice_dec((struct as_slice){text.p, dot}, &whole) || whole > SECONDS_MAX ||
		(rest.len && !as_slice_dec(rest, &part)))
		return false;
	for (size_t i = rest.len; i < NANO_DIGITS; i++)
		part *= 10;
	*nanos = (int64_t)whole * SECOND + (int64_t)part;
	return *nanos > 0;
}

bool as_store_span_parse(struct as_slice name, struct as_store_span *span)
{
	struct as_slice start;
	int64_t length;

	span->flat = as_slice_ends(name, FLAT);
	if (!span->flat && !as_slice_ends(name, STACKS))
		return false;
	name.len -= strlen(span->flat ? FLAT : STACKS);
	if (!as_slice_has(name, '-'))
		return false;
	return as_slice_cut(&name, '-', &start) && name_take_start(start, &span->begin) &&
	       name_take_seconds(name, &length) &&
	       !__builtin_add_overflow(span->begin, length, &span->end);
}

const char *as_store_span_name(const struct as_store_span *span, char name[AS_STORE_NAME])
{
	int64_t length = span->end - span->begin, rest = length % SECOND;
	char text[AS_DATE_NANOS], start[AS_DATE_NANOS], part[NANO_DIGITS + 2] = "";
	size_t n = 0;

	as_assert(length > 0);
	as_date_nanos_text(span->begin, "T", "Z", text);
	for (const char *p = text; *p; p++)
		if (*p != '-' && *p != ':')
			start[n++] = *p;
	start[n] = 0;
	n = rest ? (size_t)snprintf(part, sizeof(part), ".%09d", (int)rest) : 0;
	while (n && part[n - 1] == '0')
		part[--n] = 0;
	snprintf(name, AS_STORE_NAME, "%s-%" PRId64 "%s%s", start, length / SECOND, part,
		span->flat ? FLAT : STACKS);
	return name;
}

bool as_store_epoch_parse(struct as_slice name, struct as_store_epoch_id *id)
{
	struct as_slice minute;
	struct as_date d;
	bool suffix = as_slice_has(name, '-');

	id->nth = 1;
	if (!as_slice_cut(&name, '-', &minute) || minute.len != 12 ||
		!as_date_from_digits(minute, &d) || !as_slice_dec(minute, &id->minute))
		return false;
	return !suffix || (as_slice_dec(name, &id->nth) && id->nth > 1 && id->nth < NTH_MAX &&
				  name.p[0] != '0');
}

const char *as_store_epoch_text(const struct as_store_epoch_id *id, char name[AS_STORE_NAME])
{
	if (id->nth > 1)
		snprintf(name, AS_STORE_NAME, "%012" PRIu64 "-%" PRIu64, id->minute, id->nth);
	else
		snprintf(name, AS_STORE_NAME, "%012" PRIu64, id->minute);
	return name;
}

int as_store_epoch_cmp(const struct as_store_epoch_id *a, const struct as_store_epoch_id *b)
{
	if (a->minute != b->minute)
		return a->minute < b->minute ? -1 : 1;
	return (a->nth > b->nth) - (a->nth < b->nth);
}

uint64_t as_store_minute(int64_t now_ns)
{
	char text[AS_DATE_NANOS];
	uint64_t v = 0;

	as_date_nanos_text(now_ns > 0 ? now_ns : 0, "T", "Z", text);
	for (size_t i = 0; i < strlen("2026-11-23T10:45"); i++)
		if (text[i] >= '0' && text[i] <= '9')
			v = v * 10 + (uint64_t)(text[i] - '0');
	return v;
}

bool as_store_is_temporary(struct as_slice name)
{
	struct as_store_epoch_id id;
	struct as_store_span span;
	size_t mark;

	if (!as_slice_starts(name, "."))
		return false;
	name = as_slice_skip(name, 1);
	mark = as_slice_find_text(name, ".assay-");
	if (mark == name.len)
		return false;
	name.len = mark;
	return as_store_span_parse(name, &span) || as_store_epoch_parse(name, &id);
}
