/* SPDX-License-Identifier: Apache-2.0 */
/* dcpicat: the text that dcpicat prints of DCPI profiles; docs/formats/dcpicat.md. */
#include "formats/dcpicat/dcpicat.h"

/* A key of the first block; all of them are the first word of a line. */
enum { SEEN_NAME = 1, SEEN_IMAGE = 2, SEEN_TEXT = 4, SEEN_EVENT = 8 };

static unsigned seen_in(struct as_slice key, struct as_slice value)
{
	struct dcpicat_event ev;

	if (as_slice_is(key, "name"))
		return SEEN_NAME;
	if (as_slice_is(key, "image"))
		return SEEN_IMAGE;
	if (as_slice_is(key, "text_start"))
		return SEEN_TEXT;
	return as_slice_is(key, "event") && as_dcpicat_event(value, &ev) ? SEEN_EVENT : 0;
}

/* No magic, but four keys that nobody else puts together. */
static enum as_probe dcpicat_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line, key, value;
	unsigned seen = 0;
	bool first = true;

	if (as_slice_find_text(rest, "image") == rest.len)
		return AS_PROBE_NO;
	while (rest.p && (pk->whole || memchr(rest.p, '\n', rest.len)) &&
		as_slice_cut(&rest, '\n', &line)) {
		line = as_slice_chop(line);
		if (as_dcpicat_is_row(line))
			break;
		if (as_dcpicat_split(line, &key, &value))
			seen |= seen_in(key, as_slice_trim(value));
		else if (first && as_slice_trim(line).len)
			return AS_PROBE_NO;
		first &= !as_slice_trim(line).len;
	}
	if (!(seen & SEEN_IMAGE) || !(seen & SEEN_EVENT))
		return AS_PROBE_NO;
	return seen & SEEN_NAME && seen & SEEN_TEXT ? AS_PROBE_MAGIC : AS_PROBE_LIKELY;
}

const struct as_format as_format_dcpicat = {
	.name = "dcpicat",
	.title = "the text that dcpicat prints of DCPI profiles",
	.exts = "dcpicat",
	.spec = "docs/formats/dcpicat.md",
	.caps = AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(EVENTS) | AS_CAP(PERIOD) |
		AS_CAP(EPOCH),
	.epochs = true,
	.probe = dcpicat_probe,
	.read = as_dcpicat_read,
	.write = AS_WRITER(as_dcpicat_write),
};
