/* SPDX-License-Identifier: Apache-2.0 */
#include "term/progress_text.h"

#include <inttypes.h>
#include <stdio.h>

enum { BAR_MAX = 20, BAR_MIN = 6, PIECE = 48 };

#define MB(bytes) ((bytes) >> 20)
#define STOPS " (Ctrl-C stops)"

/* ", 38 MB/s": the mean since reading began. */
static void progress_text_rate(char text[PIECE], const struct as_progress_at *at)
{
	uint64_t a_second = at->ms ? (uint64_t)((as_uval)at->done * 1000 / at->ms) : 0;

	text[0] = '\0';
	if (MB(a_second))
		snprintf(text, PIECE, ", %" PRIu64 " MB/s", MB(a_second));
	else if (a_second >> 10)
		snprintf(text, PIECE, ", %" PRIu64 " kB/s", a_second >> 10);
}

/* ", 2 s left": at that rate. */
static void progress_text_left(char text[PIECE], const struct as_progress_at *at)
{
	uint64_t s;

	text[0] = '\0';
	if (!at->done || at->done >= at->total)
		return;
	s = (uint64_t)(((as_uval)(at->total - at->done) * at->ms / at->done + 999) / 1000);
	if (s < 120)
		snprintf(text, PIECE, ", %" PRIu64 " s left", s);
	else
		snprintf(text, PIECE, ", %" PRIu64 " min left", (s + 59) / 60);
}

/* "[####......] " of COLUMNS columns in all. */
static void progress_text_bar(char text[PIECE], const struct as_progress_at *at, unsigned columns)
{
	unsigned n = columns > BAR_MAX + 3 ? BAR_MAX : columns - 3, full;

	full = at->done < at->total ? (unsigned)((as_uval)at->done * n / at->total) : n;
	text[0] = '[';
	for (unsigned i = 0; i < n; i++)
		text[1 + i] = i < full ? '#' : '.';
	text[1 + n] = ']';
	text[2 + n] = ' ';
	text[3 + n] = '\0';
}

void as_progress_text(
	char text[AS_PROGRESS_TEXT], const struct as_progress_at *at, unsigned columns)
{
	char head[PIECE], rate[PIECE], left[PIECE] = "", bar[PIECE] = "";
	const char *stops = STOPS;
	size_t n;

	if (at->total)
		snprintf(head, sizeof(head), "%3u %% of %" PRIu64 " MB",
			(unsigned)(at->done < at->total ? (as_uval)at->done * 100 / at->total
							: 100),
			MB(at->total));
	else
		snprintf(head, sizeof(head), "%" PRIu64 " MB", MB(at->done));
	progress_text_rate(rate, at);
	if (at->total)
		progress_text_left(left, at);
	n = strlen("reading ") + strlen(head) + strlen(rate) + strlen(left) + 1;
	if (n + strlen(stops) >= columns)
		stops = "";
	n += strlen(stops);
	if (at->total && n + BAR_MIN + 3 < columns)
		progress_text_bar(bar, at, columns - (unsigned)n);
	if (n >= columns)
		rate[0] = left[0] = '\0';
	snprintf(text, AS_PROGRESS_TEXT, "reading %s%s%s%s%s", bar, head, rate, left, stops);
}
