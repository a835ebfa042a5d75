/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a DCPI profile: every line is kept as it stands, the ones that mean something are
 * understood, and what is odd is found once all lines are known, as their order is free.
 */
#include "base/date.h"
#include "formats/dcpi/dcpi.h"

enum kind { KIND_TEXT, KIND_DEC, KIND_HEX, KIND_EPOCH, KIND_VERSION };

static const unsigned char kinds[DCPI_KEYS] = {
	[DCPI_VERSION] = KIND_VERSION,
	[DCPI_IMAGE] = KIND_HEX,
	[DCPI_EPOCH] = KIND_EPOCH,
	[DCPI_PERIOD] = KIND_DEC,
	[DCPI_TSTART] = KIND_HEX,
	[DCPI_TSIZE] = KIND_DEC,
	[DCPI_CPUSPEED] = KIND_DEC,
	[DCPI_CPUAMASK] = KIND_HEX,
	[DCPI_CPUIMPLV] = KIND_DEC,
	[DCPI_CPUCOUNT] = KIND_DEC,
	[DCPI_STRIDE_KEY] = KIND_DEC,
	[DCPI_ACTIVE] = KIND_DEC,
};

/* One line, and where it is. */
struct line {
	uint64_t off, number;
	enum dcpi_key key;
	struct as_slice value;
};

static enum as_code fail_crlf(struct as_rd *rd, const struct line *ln)
{
	static const char text[] =
		"the header's lines end in CR LF: the file was damaged by a text-mode transfer";

	as_findings_add(rd->findings, AS_F_DC_CRLF, ln->off, ln->number, "%s", text);
	return as_rd_fail(rd, AS_E_FORMAT, ln->off, ln->number, "%s", text);
}

static enum as_code dcpi_read_find_bad_value(
	struct as_rd *rd, const struct line *ln, const char *want)
{
	if (ln->value.len && ln->value.p[ln->value.len - 1] == '\r')
		return fail_crlf(rd, ln);
	return as_rd_find(rd, AS_F_DC_VALUE_BAD, ln->off, ln->number,
		"'%s': expected %s, got '%.*s'", as_dcpi_key_name(ln->key), want,
		AS_SLICE_FMT(ln->value));
}

/* Each of these sets GOOD when the value can be used. */
static enum as_code read_dec(struct as_rd *rd, const struct line *ln, uint64_t *num, bool *good)
{
	*good = as_slice_dec(ln->value, num);
	return *good ? AS_OK : dcpi_read_find_bad_value(rd, ln, "a decimal number");
}

static enum as_code dcpi_read_hex(struct as_rd *rd, struct line *ln, uint64_t *num, bool *good)
{
	struct as_slice digits = as_dcpi_hex_digits(ln->value);

	if (digits.len != ln->value.len)
		AS_TRY(as_rd_find(rd, AS_F_DC_HEX_PREFIX, ln->off, ln->number,
			"'%s': '%.*s' has a prefix that the format does not have",
			as_dcpi_key_name(ln->key), AS_SLICE_FMT(ln->value)));
	ln->value = digits;
	if (ln->key == DCPI_IMAGE) /* a name in hexadecimal digits, of any length */
		*good = as_slice_is_hex(digits);
	else
		*good = as_slice_hex(digits, num);
	return *good ? AS_OK : dcpi_read_find_bad_value(rd, ln, "hexadecimal digits, to 64 bits");
}

static enum as_code dcpi_read_epoch(struct as_rd *rd, const struct line *ln, bool *good)
{
	char iso[AS_DATE_ISO];
	struct as_date date;

	*good = as_date_from_digits(ln->value, &date);
	if (!*good)
		return as_rd_find(rd, AS_F_DC_EPOCH_BAD, ln->off, ln->number,
			"'epoch': expected YYMMDDHHMM, got '%.*s'", AS_SLICE_FMT(ln->value));
	if (ln->value.len > DCPI_EPOCH_DIGITS)
		AS_TRY(as_rd_find(rd, AS_F_DC_EPOCH_LONG, ln->off, ln->number,
			"'epoch' has %zu digits, version 0.x defines 10", ln->value.len));
	return as_build_str(rd->out, as_slice_of(as_date_iso(&date, iso)), &rd->out->prof->epoch);
}

static enum as_code read_kind(struct as_rd *rd, struct dcpi_header *h, struct line *ln, bool *good)
{
	uint64_t *num = &h->num[ln->key];

	switch ((enum kind)kinds[ln->key]) {
	case KIND_TEXT:
		break;
	case KIND_DEC:
		return read_dec(rd, ln, num, good);
	case KIND_HEX:
		return dcpi_read_hex(rd, ln, num, good);
	case KIND_EPOCH:
		return dcpi_read_epoch(rd, ln, good);
	case KIND_VERSION:
		*good = h->has_version = as_dcpi_version(ln->value, num, &h->minor);
		return *good ? AS_OK : dcpi_read_find_bad_value(rd, ln, "pdb-MAJOR.MINOR");
	}
	return AS_OK;
}

/* The value of the first line of its key. */
static enum as_code read_value(struct as_rd *rd, struct dcpi_header *h, struct line *ln)
{
	struct as_slice trimmed = as_slice_trim(ln->value);
	bool good = true;

	/* Only text may end in blanks, and then they belong to it. */
	if (kinds[ln->key] != KIND_TEXT && trimmed.len != ln->value.len) {
		AS_TRY(dcpi_read_find_bad_value(rd, ln, "no blanks at the end"));
		ln->value = trimmed;
	}
	AS_TRY(read_kind(rd, h, ln, &good));
	if (!good) {
		h->num[ln->key] = 0;
		return AS_OK;
	}
	h->good |= 1u << ln->key;
	return as_build_str(rd->out, ln->value, &h->text[ln->key]);
}

static enum as_code dcpi_read_line(struct as_rd *rd, struct dcpi_header *h, struct line *ln)
{
	struct as_slice first;

	ln->value = as_slice_ltrim(ln->value);
	if (!(h->seen >> ln->key & 1)) {
		h->seen |= 1u << ln->key;
		return read_value(rd, h, ln);
	}
	/* The first one holds. Paths may be many, and the period may be said twice. */
	first = as_str_get(rd->out->prof, h->text[ln->key]);
	if (ln->key == DCPI_PATH || (ln->key == DCPI_PERIOD && as_slice_eq(first, ln->value)))
		return AS_OK;
	if (!h->again[ln->key])
		h->again[ln->key] = ln->number;
	return AS_OK;
}

/* Lines whose value fields of the profile have, which merging keeps, or tells as lost. */
static const bool dcpi_read_told[DCPI_KEYS] = {
	[DCPI_IMAGE] = true,
	[DCPI_EPOCH] = true,
	[DCPI_EVENT] = true,
	[DCPI_PERIOD] = true,
	[DCPI_TSTART] = true,
	[DCPI_TSIZE] = true,
	[DCPI_PATH] = true,
	[DCPI_EPOCH_UNKNOWN] = true,
	[DCPI_EVENT_UNIT] = true,
	[DCPI_ACTIVE] = true,
};

/* The line that was kept last, whose key is known. */
static enum as_code dcpi_read_known(struct as_rd *rd, struct dcpi_header *h, struct line *ln)
{
	struct as_meta *kept = &rd->out->prof->meta.p[rd->out->prof->meta.n - 1];
	bool first = !(h->seen >> ln->key & 1);

	AS_TRY(dcpi_read_line(rd, h, ln));
	if (first && as_dcpi_has(h, ln->key) && dcpi_read_told[ln->key])
		kept->of = AS_META_OF_FIELD;
	return AS_OK;
}

/* Keep a line. Values of a canonical header stand in one column; where they do not, the blanks
 * before the value are kept with it. */
static enum as_code dcpi_read_keep_line(struct as_rd *rd, struct as_slice key, struct as_slice rest)
{
	struct as_slice value = as_slice_ltrim(rest);
	size_t pad = rest.len - value.len;
	bool tab = memchr(rest.p, '\t', pad) != NULL;
	bool canonical = key.len < DCPI_COLUMN ? key.len + pad == DCPI_COLUMN : pad == 1;

	return as_build_meta(rd->out, 0, key, canonical && !tab ? value : rest);
}

static bool looks_like_crlf(struct as_slice line)
{
	return line.len && line.p[line.len - 1] == '\r' &&
	       as_dcpi_is_end((struct as_slice){line.p, line.len - 1});
}

static enum as_code take_line(
	struct as_rd *rd, struct dcpi_header *h, struct as_slice text, struct line *ln)
{
	struct as_slice key, rest;

	if (looks_like_crlf(text))
		return fail_crlf(rd, ln);
	if (as_dcpi_split(text, &key, &rest)) {
		AS_TRY(dcpi_read_keep_line(rd, key, rest));
		ln->key = as_dcpi_key(key);
		ln->value = rest;
		return ln->key == DCPI_KEYS ? AS_OK : dcpi_read_known(rd, h, ln);
	}
	if (ln->number == 1)
		return as_rd_fail(rd, AS_E_NOTPROFILE, ln->off, ln->number,
			"not a DCPI profile: the first line is not 'key value'");
	AS_TRY(as_rd_find(rd, AS_F_DC_LINE_MALFORMED, ln->off, ln->number,
		"expected 'key value', got '%.*s'", AS_SLICE_FMT(text)));
	return as_build_meta(rd->out, 0, (struct as_slice){NULL, 0}, text);
}

static enum as_code dcpi_read_lines(struct as_rd *rd, struct dcpi_header *h)
{
	struct as_in *in = rd->in;
	uint64_t start = in->off;

	in->line_max = DCPI_HEADER_MAX;
	for (;;) {
		struct line ln = {.off = in->off, .number = in->line};
		struct as_slice text;
		enum as_code rc = as_in_line(in, &text);

		if (rc == AS_END && in->off == 0)
			return as_rd_fail(rd, AS_E_TRUNC, 0, 0, "the file is empty");
		if (rc == AS_END || (rc == AS_OK && in->p == text.p + text.len))
			return as_rd_fail(rd, AS_E_TRUNC, in->off, in->line,
				"the header ends without its 'samples' line");
		AS_TRY(rc);
		if (as_dcpi_is_end(text) && ln.number > 1)
			return AS_OK;
		AS_TRY(take_line(rd, h, text, &ln));
		if (in->off - start > DCPI_HEADER_MAX)
			return as_rd_fail(rd, AS_E_LIMIT, in->off, in->line,
				"the header is longer than %d bytes", DCPI_HEADER_MAX);
	}
}

static enum as_code find_missing(struct as_rd *rd, int key)
{
	uint64_t off = rd->in->off;

	if (key == DCPI_VERSION)
		return as_rd_find(rd, AS_F_DC_VERSION_MISSING, off, 0,
			"there is no 'version' line; read as pdb-0.07");
	if (key == DCPI_TSTART)
		return as_rd_find(rd, AS_F_DC_TSTART_MISSING, off, 0,
			"there is no 'tstart' line; addresses count from the start of the text");
	if (key == DCPI_PERIOD)
		return as_rd_find(rd, AS_F_DC_PERIOD_ZERO, off, 0,
			"there is no 'period' line; samples cannot be turned into events");
	return as_rd_find(rd, AS_F_DC_KEY_MISSING, off, 0, "there is no '%s' line",
		as_dcpi_key_name((enum dcpi_key)key));
}

static enum as_code find_keys(struct as_rd *rd, const struct dcpi_header *h)
{
	for (int key = 0; key < DCPI_KEYS; key++) {
		bool once = key < DCPI_REQUIRED || key == DCPI_STRIDE_KEY;

		if (once && h->again[key])
			AS_TRY(as_rd_find(rd, AS_F_DC_KEY_DUPLICATE, AS_OFF_NONE, h->again[key],
				"'%s' stands more than once; the first holds",
				as_dcpi_key_name((enum dcpi_key)key)));
		if (key < DCPI_REQUIRED && !(h->seen >> key & 1))
			AS_TRY(find_missing(rd, key));
	}
	return AS_OK;
}

/* What of the header is odd for version 0.x. */
static enum as_code find_in_header(struct as_rd *rd, struct dcpi_header *h)
{
	uint64_t off = rd->in->off;

	AS_TRY(find_keys(rd, h));
	h->known_version = h->has_version && (h->minor == 6 || h->minor == 7);
	if (h->has_version && !h->known_version)
		AS_TRY(as_rd_find(rd, AS_F_DC_VERSION_OTHER, off, 0,
			"version %.*s is read as pdb-0.07",
			AS_SLICE_FMT(as_str_get(rd->out->prof, h->text[DCPI_VERSION]))));
	if (as_dcpi_has(h, DCPI_PERIOD) && h->num[DCPI_PERIOD] == 0)
		AS_TRY(as_rd_find(rd, AS_F_DC_PERIOD_ZERO, off, 0,
			"the period is 0; samples cannot be turned into events"));
	if (off % DCPI_WORD)
		AS_TRY(as_rd_find(rd, AS_F_DC_UNALIGNED, off, 0,
			"the header is %" PRIu64 " bytes long, no multiple of four", off));
	return AS_OK;
}

static enum as_code dcpi_read_build_event(struct as_rd *rd, const struct dcpi_header *h)
{
	struct as_build *b = rd->out;
	struct as_slice name = as_str_get(b->prof, h->text[DCPI_EVENT]);
	struct as_slice unit = as_str_get(b->prof, h->text[DCPI_EVENT_UNIT]);
	struct as_slice period_unit = as_str_get(b->prof, h->text[DCPI_PERIOD_UNIT]);
	struct as_event *ev;
	uint32_t event;

	AS_TRY(as_build_event(b, name.len ? name : as_slice_of("unknown"),
		unit.len ? unit : as_slice_of("samples"), &event));
	AS_TRY(as_build_part_events(b, 0, &event, 1));
	ev = &b->prof->event.p[event];
	ev->period = h->num[DCPI_PERIOD];
	if (h->num[DCPI_ACTIVE] < DCPI_ACTIVE_ALL)
		ev->active = (uint32_t)h->num[DCPI_ACTIVE];
	if (!ev->period)
		return AS_OK;
	return as_build_str(
		b, period_unit.len ? period_unit : as_slice_of("events"), &ev->period_unit);
}

/* Virtual, unless a line of our own says otherwise. */
static enum as_addr_kind addr_kind(struct as_rd *rd, const struct dcpi_header *h)
{
	struct as_slice text = as_str_get(rd->out->prof, h->text[DCPI_ADDRESSES]);

	if (as_slice_is(text, "file"))
		return AS_ADDR_FILE_OFFSET;
	if (as_slice_is(text, "absolute"))
		return AS_ADDR_ABSOLUTE;
	return as_dcpi_has(h, DCPI_TSTART) ? AS_ADDR_VIRTUAL : AS_ADDR_UNKNOWN;
}

static enum as_code dcpi_read_build_object(
	struct as_rd *rd, const struct dcpi_header *h, as_object *out)
{
	struct as_build *b = rd->out;
	struct as_slice id = as_str_get(b->prof, h->text[DCPI_IMAGE]);
	struct as_slice path = as_str_get(b->prof, h->text[DCPI_PATH]);
	struct as_object_row *row;

	if (as_slice_is_zero(id)) /* as we write it where it is not known */
		id.len = 0;
	AS_TRY(as_build_object(b, path.len ? path : id, id, out));
	if (!out->i)
		return AS_OK;
	row = &b->prof->object.p[out->i];
	row->text_start = h->num[DCPI_TSTART];
	row->text_size = h->num[DCPI_TSIZE];
	row->addr_kind = addr_kind(rd, h);
	return AS_OK;
}

/* "stride=N" overrules the file, which overrules what is usual. */
static enum as_code choose_stride(
	struct as_rd *rd, const struct dcpi_header *h, struct dcpi_body *b)
{
	const char *option = as_opts_get(&rd->opts, "stride");
	uint64_t stride = h->num[DCPI_STRIDE_KEY];

	b->stride = DCPI_STRIDE;
	b->stride_known = as_dcpi_has(h, DCPI_CPUAMASK) || as_dcpi_has(h, DCPI_CPUIMPLV);
	if (option && (!as_slice_dec(as_slice_of(option), &stride) || stride < 1 ||
			      stride > DCPI_STRIDE_MAX))
		return as_rd_fail(rd, AS_E_ARG, AS_OFF_NONE, 0,
			"stride: expected 1 to %d, got '%s'", DCPI_STRIDE_MAX, option);
	if (!option && !as_dcpi_has(h, DCPI_STRIDE_KEY))
		return AS_OK;
	if (stride < 1 || stride > DCPI_STRIDE_MAX)
		return as_rd_find(rd, AS_F_DC_VALUE_BAD, rd->in->off, 0,
			"'stride': expected 1 to %d, got %" PRIu64, DCPI_STRIDE_MAX, stride);
	b->stride = stride;
	b->stride_known = true;
	return AS_OK;
}

/* The lines of version 1 mean the same; its binary part was never described. */
static enum as_code refuse_version(struct as_rd *rd, const struct dcpi_header *h)
{
	return as_rd_fail(rd, AS_E_UNSUPPORTED, rd->in->off, 0,
		"%.*s: the binary layout of version %" PRIu64 " is undocumented",
		AS_SLICE_FMT(as_str_get(rd->out->prof, h->text[DCPI_VERSION])),
		h->num[DCPI_VERSION]);
}

/* What all versions have. */
static enum as_code dcpi_read_header(struct as_rd *rd, struct dcpi_header *h, as_object *object)
{
	uint32_t part;

	AS_TRY(as_rd_part(rd, "dcpi", &part));
	AS_TRY(dcpi_read_lines(rd, h));
	if (!h->has_version && !(as_dcpi_has(h, DCPI_IMAGE) && as_dcpi_has(h, DCPI_EVENT)))
		return as_rd_fail(rd, AS_E_NOTPROFILE, rd->in->off, 0,
			"not a DCPI profile: there is no 'version', or no 'image' and 'event'");
	rd->out->prof->version = h->text[DCPI_VERSION];
	if (as_dcpi_has(h, DCPI_EPOCH_UNKNOWN))
		rd->out->prof->epoch.i = 0;
	AS_TRY(dcpi_read_build_event(rd, h));
	return dcpi_read_build_object(rd, h, object);
}

/* One function for all of the image: rows of code without a name are known by their addresses,
 * and a function for each would be a table as large as the file. */
static enum as_code dcpi_read_begin_rows(struct as_rd *rd, as_object object)
{
	as_func func;

	AS_TRY(as_build_func(rd->out, (struct as_slice){NULL, 0}, object, (as_file){0}, 0, &func));
	if (as_rows_run(&rd->out->prof->self, 0, func, (as_file){0}, (as_func){0}))
		return AS_OK;
	return as_err_no_memory(rd->err);
}

enum as_code as_dcpi_read(struct as_rd *rd)
{
	struct dcpi_header h = {0};
	struct dcpi_body body = {.rd = rd, .header = &h, .rows = &rd->out->prof->self};
	as_object object = {0};

	AS_TRY(dcpi_read_header(rd, &h, &object));
	if (h.has_version && h.num[DCPI_VERSION] > 0)
		return refuse_version(rd, &h);
	AS_TRY(find_in_header(rd, &h));
	AS_TRY(choose_stride(rd, &h, &body));
	AS_TRY(dcpi_read_begin_rows(rd, object));
	body.text_start = h.num[DCPI_TSTART];
	body.text_size = as_dcpi_has(&h, DCPI_TSIZE) ? h.num[DCPI_TSIZE] : UINT64_MAX;
	return as_dcpi_read_body(&body);
}
