/* SPDX-License-Identifier: Apache-2.0 */
/* pprof's profile.proto: the driver's table and probe. docs/formats/pprof.md. */
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_sections.h"

/* The wire type of each field of a profile. */
static bool is_field(const struct as_pb_field *f)
{
	bool message = f->number <= PB_STRING_TABLE || f->number == PB_PERIOD_TYPE;

	if (f->number > PB_DOC_URL)
		return true;
	if (f->number == PB_COMMENT)
		return f->type == AS_PB_BYTES || f->type == AS_PB_VARINT;
	return f->type == (message ? AS_PB_BYTES : AS_PB_VARINT);
}

enum { WRONG, ODD, GOOD };

/* Whether F is a message inside of which all fields are known and of their own type: GOOD; that
 * can at least be read: ODD. */
static int pb_judge(const struct as_pb_field *f)
{
	static const uint32_t known[] = {[PB_SAMPLE_TYPE] = PB_VALUE_UNIT,
		[PB_SAMPLE] = PB_SAMPLE_LABEL,
		[PB_MAPPING] = PB_MAP_HAS_LAST,
		[PB_LOCATION] = PB_LOC_FOLDED,
		[PB_FUNCTION] = PB_FUNC_START};
	struct as_pb_cur msg = f->data;
	int good = msg.p < msg.end ? GOOD : ODD;
	struct as_pb_field in;
	const char *why;
	enum as_code rc;

	if (f->number > PB_FUNCTION)
		return ODD;
	while ((rc = as_pb_next(&msg, &in, &why)) == AS_OK) {
		bool list = f->number == PB_SAMPLE ||
			    (f->number == PB_LOCATION && in.number == PB_LOC_LINE);

		if (in.number > known[f->number])
			good = ODD;
		else if (in.type != AS_PB_VARINT && !(list && in.type == AS_PB_BYTES))
			return WRONG;
	}
	return rc == AS_END ? good : WRONG;
}

/*
 * There is no magic. What tells the format is that messages inside of messages are what they
 * should be: text never is, as numbers of fields are control characters there. And where there are
 * strings the first is empty, which takes a byte 0.
 */
enum as_probe as_pb_probe(const struct as_peek *pk)
{
	const uint8_t *p = (const uint8_t *)pk->head.p;
	struct as_pb_cur cur = {p, p + pk->head.len};
	uint32_t messages = 0, fields = 0;
	bool strings = false, seen[PB_SAMPLE + 1] = {false};
	struct as_pb_field f;
	const char *why;
	enum as_code rc;

	while ((rc = as_pb_next(&cur, &f, &why)) == AS_OK && is_field(&f)) {
		int is = pb_judge(&f);

		if (!fields && f.number == PB_OWN_FRONT && f.type == AS_PB_VARINT)
			return AS_PROBE_MAGIC; /* ours */
		if (is == WRONG)
			break;
		messages += is == GOOD;
		fields++;
		if (f.number <= PB_SAMPLE)
			seen[f.number] = true;
		strings |= f.number == PB_STRING_TABLE && f.data.p == f.data.end;
	}
	if (rc == AS_END && strings && messages)
		return AS_PROBE_SURE;
	if (messages > 3)
		return AS_PROBE_MAGIC;
	if (messages)
		return AS_PROBE_LIKELY;
	if (!(seen[PB_SAMPLE_TYPE] && seen[PB_SAMPLE]) && !(rc == AS_END && fields) && !strings)
		return AS_PROBE_NO;
	return pk->head.len && as_slice_is_text(pk->head) ? AS_PROBE_NO : AS_PROBE_WEAK;
}

static const struct as_opt write_opts[] = {
	{"time", "yes|no", "add the time that counts of a known period are (default yes)"},
	{"default", "yes|no", "say that the first event is to be shown first (default yes)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_pprof = {
	.name = "pprof",
	.title = "pprof profile.proto",
	.exts = "pb,pprof",
	.spec = "docs/formats/pprof.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(MAPS) | AS_CAP(EVENTS) | AS_CAP(PERIOD) |
		AS_CAP(NEGATIVE) | AS_CAP(META) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) | AS_CAP(LABELS) |
		AS_CAP(SYSTEM) | AS_CAP(STARTS) | AS_CAP(COLUMNS) | AS_CAP(DURATION) |
		AS_CAP(PROCESS) | AS_CAP(UNNAMED) | AS_CAP(ESTIMATES),
	.by_detail = true,
	.self_rows = true,
	.rows_again = true,
	.comments = true,
	.probe = as_pb_probe,
	.read = as_pb_read_file,
	.sections = AS_WRITER(as_pb_sections), /* where there are files */
	.write = AS_WRITER(as_pb_write_file),
	.raw = AS_WRITER(as_pb_raw_file),
	.write_opts = write_opts,
};
