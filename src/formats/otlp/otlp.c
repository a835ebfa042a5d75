/* SPDX-License-Identifier: Apache-2.0 */
/* OpenTelemetry's profiles: the driver's table and probe. docs/formats/otlp.md. */
#include "formats/otlp/otlp.h"

/* A byte order mark and blanks may stand before it. A message of protocol buffers may begin like
 * that, too: "\n{" is a field of 123 bytes. */
struct as_slice as_otlp_json_text(struct as_slice all)
{
	struct as_slice none = {NULL, 0}, head = all;
	size_t n = as_slice_starts(all, "\xef\xbb\xbf") ? 3 : 0;

	while (n < all.len &&
		(all.p[n] == ' ' || all.p[n] == '\n' || all.p[n] == '\r' || all.p[n] == '\t'))
		n++;
	head.len = head.len < AS_PEEK_MAX ? head.len : AS_PEEK_MAX;
	if (n == all.len || all.p[n] != '{' || as_otlp_looks(head) != AS_PROBE_NO)
		return none;
	return as_slice_skip(all, n);
}

/* Of JSON, one of the two members that the message has. */
static enum as_probe otlp_probe_json(struct as_slice text)
{
	if (as_slice_find_text(text, "\"resourceProfiles\"") < text.len)
		return AS_PROBE_SURE;
	if (as_slice_find_text(text, "\"dictionary\"") < text.len &&
		(as_slice_find_text(text, "\"mappingTable\"") < text.len ||
			as_slice_find_text(text, "\"stringTable\"") < text.len))
		return AS_PROBE_MAGIC;
	return AS_PROBE_NO;
}

enum as_probe as_otlp_probe(const struct as_peek *pk)
{
	const unsigned char *p = (const unsigned char *)pk->head.p;
	struct as_slice text = as_otlp_json_text(pk->head), rest = pk->head;
	size_t n;

	if (text.len)
		return otlp_probe_json(text);
	if (rest.len < 4 || p[0])
		return as_otlp_looks(rest);
	n = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
	rest = as_slice_skip(rest, 4);
	rest.len = n < rest.len ? n : rest.len;
	return as_otlp_looks(rest);
}

bool as_otlp_is_one(struct as_slice all)
{
	struct as_peek pk = {.head = {all.p, all.len < AS_PEEK_MAX ? all.len : AS_PEEK_MAX},
		.whole = all.len <= AS_PEEK_MAX};

	return as_otlp_probe(&pk) != AS_PROBE_NO;
}

#define CAPS                                                                                     \
	(AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |         \
		AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(MAPS) | AS_CAP(EVENTS) | AS_CAP(PERIOD) | \
		AS_CAP(NEGATIVE) | AS_CAP(META) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) |              \
		AS_CAP(LABELS) | AS_CAP(SYSTEM) | AS_CAP(STARTS) | AS_CAP(COLUMNS) |             \
		AS_CAP(DURATION) | AS_CAP(PROCESS) | AS_CAP(PARTS) | AS_CAP(UNNAMED) |           \
		AS_CAP(MOMENTS))

const struct as_format as_format_otlp = {
	.name = "otlp",
	.title = "OpenTelemetry profiles (OTLP), protocol buffers or JSON",
	.exts = "otlp",
	.spec = "docs/formats/otlp.md",
	.caps = CAPS,
	.by_detail = true,
	.probe = as_otlp_probe,
	.read = as_otlp_read_file,
	.write = AS_WRITER(as_otlp_write_file),
};

/* The same, written in the other way; which of both a file is shows when it is read. */
const struct as_format as_format_otlp_json = {
	.name = "otlp-json",
	.title = "OpenTelemetry profiles as JSON; read as otlp",
	.exts = "otlp-json",
	.spec = "docs/formats/otlp.md",
	.caps = CAPS,
	.write = AS_WRITER(as_otlp_write_json),
};
