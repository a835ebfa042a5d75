/* SPDX-License-Identifier: Apache-2.0 */
#include "session/begin.h"

#include "base/date.h"
#include "base/duration.h"
#include "change/transform.h"

bool as_begin_of_segment(const char *path, struct as_store_span *span)
{
	struct as_slice text = as_slice_of(path), name = as_base_name(text);

	if (as_store_span_parse(name, span))
		return true;
	if (name.len == text.len)
		return false;
	text.len -= name.len + 1;
	return as_store_span_parse(as_base_name(text), span);
}

enum as_code as_begin_place(struct as_loaded *ld, bool database, bool alone)
{
	struct as_profile *prof = ld->prof, *placed;
	struct as_store_span span;
	int64_t begin = 0;
	bool known = as_date_to_nanos(as_str_get(prof, prof->epoch), &begin);

	if (as_is_void(prof) || (prof->moments.n && (known || alone)))
		return AS_OK;
	ld->placed = AS_AT_BEGIN;
	ld->length = prof->duration > 0 ? (uint64_t)prof->duration : 0;
	if (database && as_begin_of_segment(ld->path, &span)) {
		begin = span.begin;
		ld->length = (uint64_t)(span.end - span.begin);
	} else if (!known && alone) {
		ld->placed = AS_BY_ITSELF;
		return AS_OK;
	} else if (!known) {
		ld->placed = AS_AT_NO_TIME;
	}
	if (prof->call.n)
		return as_err_set(&ld->err, AS_E_UNSUPPORTED,
			"a profile of calls does not say when they were");
	AS_TRY(as_at_time(prof, begin, ld->length, &placed, &ld->err));
	as_profile_free(prof);
	ld->prof = placed;
	return AS_OK;
}

bool as_begin_is_clock(const struct as_inputs *in)
{
	for (size_t i = 0; i < in->loaded.n; i++)
		if (in->loaded.p[i].placed != AS_BY_ITSELF)
			return true;
	return false;
}

/* What is as long as several columns does not say in which of them it was; a little longer than one
 * is no matter. */
static uint64_t begin_widen(uint64_t width, uint64_t longest)
{
	uint64_t n = longest / width + (longest % width > width / 10);

	return n > 1 && n <= INT64_MAX / width ? width * n : width;
}

static void begin_tell_width(const struct as_session *ses, uint64_t width, uint64_t longest)
{
	struct as_arena ar;
	struct as_slice text, length;

	as_arena_init(&ar, ses->al);
	text = as_duration_text(&ar, (int64_t)width);
	length = as_duration_text(&ar, (int64_t)longest);
	if (text.p && length.p)
		as_say_note(ses,
			"columns are of %.*s: there is a file of %.*s, which does not say when in "
			"it its cost was",
			AS_SLICE_FMT(text), AS_SLICE_FMT(length));
	as_arena_release(&ar);
}

enum as_exit as_begin_tell(
	const struct as_session *ses, const struct as_inputs *in, uint64_t *width)
{
	size_t n = 0, timeless = 0, unknown = 0;
	uint64_t longest = 0, wide;
	const char *first = "";

	for (size_t i = 0; i < in->loaded.n; i++) {
		const struct as_loaded *ld = &in->loaded.p[i];

		n += ld->is_read;
		unknown += ld->placed == AS_AT_BEGIN && !ld->length;
		if (ld->placed == AS_AT_BEGIN && ld->length > longest)
			longest = ld->length;
		if (ld->placed == AS_AT_NO_TIME && !timeless++)
			first = ld->path;
	}
	if (n && timeless == n)
		return as_say_end(ses, AS_EXIT_UNSUPPORTED,
			"none of the files says when it was recorded",
			"which formats say when: assay formats -v");
	if (timeless)
		as_say_note(ses,
			"%zu of %zu files %s no date (%s%s): what %s cost stands in the column "
			"'no time'",
			timeless, n, timeless == 1 ? "has" : "have", first,
			timeless == 1 ? "" : " ...", timeless == 1 ? "it" : "they");
	if (unknown)
		as_say_note(ses,
			"%zu of %zu files %s when %s began, and no more: what %s cost stands there",
			unknown, n, unknown == 1 ? "says" : "say", unknown == 1 ? "it" : "they",
			unknown == 1 ? "it" : "they");
	wide = begin_widen(*width, longest);
	if (wide != *width)
		begin_tell_width(ses, wide, longest);
	*width = wide;
	return AS_EXIT_OK;
}
