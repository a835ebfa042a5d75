/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file does not say how its numbers are stored. The version, 1, tells the byte order; how wide
 * addresses are is what makes one record stand behind the other. docs/formats/gmon.md, "Layout".
 */
#include "formats/gmon/gmon.h"

void as_gm_histogram_parse(const char *p, struct as_gm_layout l, struct as_gm_histogram *hist)
{
	const char *end = p + 1 + 2 * (size_t)l.width;

	*hist = (struct as_gm_histogram){.low = gm_word(p + 1, l),
		.high = gm_word(p + 1 + l.width, l),
		.bins = gm_u32(end, l),
		.rate = gm_u32(end + 4, l),
		.dimension = {end + 8, 0}};
	while (hist->dimension.len < GM_DIMENSION && hist->dimension.p[hist->dimension.len])
		hist->dimension.len++;
}

uint64_t as_gm_bin_address(const struct as_gm_histogram *hist, uint32_t i)
{
	as_uval span = hist->high - hist->low;

	return hist->low + (uint64_t)((2 * (as_uval)i + 1) * span / (2 * (as_uval)hist->bins));
}

/* Bytes that P, a whole record, takes; 0: it is none. */
static uint64_t gmon_layout_size(const char *p, struct as_gm_layout l)
{
	unsigned tag = (unsigned char)*p;
	size_t size = gm_record_size(tag, l);
	struct as_gm_histogram hist;

	if (tag == AS_GM_BLOCKS)
		return size + (uint64_t)gm_u32(p + 1, l) * 2 * l.width;
	if (tag != AS_GM_HISTOGRAM)
		return size;
	as_gm_histogram_parse(p, l, &hist);
	if (hist.high <= hist.low || !hist.bins || !hist.dimension.len ||
		!as_slice_is_text(hist.dimension))
		return 0;
	return size + 2 * (uint64_t)hist.bins;
}

/* How far records follow one another in HEAD; beyond it if all that can be seen are some. */
static uint64_t walk_records(struct as_slice head, struct as_gm_layout l, bool whole)
{
	uint64_t at = GM_HEAD;

	while (at < head.len) {
		const char *p = head.p + at;
		size_t size = gm_record_size((unsigned char)*p, l);
		uint64_t all;

		if (!size)
			return at;
		if (head.len - at < size)
			return whole ? at : head.len + 1;
		all = gmon_layout_size(p, l);
		if (!all)
			return at;
		at += all;
	}
	return whole && at > head.len ? head.len : head.len + 1;
}

bool as_gm_detect(struct as_slice head, bool whole, struct as_gm_layout *layout)
{
	struct as_gm_layout narrow = {4, false};

	*layout = (struct as_gm_layout){8, false};
	if (head.len < 8)
		return false;
	narrow.big = layout->big = gm_u32(head.p + 4, *layout) != GM_VERSION;
	if (gm_u32(head.p + 4, *layout) != GM_VERSION)
		return false;
	if (walk_records(head, narrow, whole) > walk_records(head, *layout, whole))
		*layout = narrow;
	return true;
}
