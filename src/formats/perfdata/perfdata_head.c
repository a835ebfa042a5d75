/* SPDX-License-Identifier: Apache-2.0 */
/* The header, the events and the features of a file. docs/formats/perfdata.md §1 to §4. */
#include "formats/perfdata/perfdata.h"

#include "perf/perf_parse.h"

enum { OLD_HEAD = 72, EVENT_TYPE_ROW = 72, ID_BYTES = 24, TEXT_MAX = 1 << 16 };

/* ---- bytes ---- */

/* Who cannot be read by position is read as a whole. */
static enum as_code head_open(struct as_pd *pd)
{
	struct as_in *in = pd->rd->in;
	struct as_slice win = {NULL, 0};

	pd->size = in->src->size;
	pd->whole = in->src->whole;
	if (pd->whole.p || in->src->pread) {
		pd->size = pd->whole.p ? pd->whole.len : in->src->size;
		return AS_OK;
	}
	do
		AS_TRY(as_in_peek(in, 2 * win.len + PD_BLOCK, &win));
	while (!in->eof);
	pd->whole = win;
	pd->size = win.len;
	return AS_OK;
}

enum as_code as_pd_bytes(struct as_pd *pd, uint64_t off, uint64_t n, struct as_slice *out)
{
	struct as_slice win;
	struct as_in in;
	enum as_code rc;

	*out = (struct as_slice){"", 0};
	if (off >= pd->size || !n || !pd->budget)
		return AS_OK;
	if (n > pd->size - off)
		n = pd->size - off;
	if (n > pd->budget)
		n = pd->budget;
	pd->budget -= n;
	if (pd->whole.p) {
		*out = (struct as_slice){pd->whole.p + off, (size_t)n};
		return AS_OK;
	}
	AS_TRY(as_in_open_range(&in, pd->al, pd->rd->in->src, off, off + n, pd->rd->err));
	rc = as_in_peek(&in, (size_t)n, &win);
	if (rc == AS_OK) {
		win.len = win.len < n ? win.len : (size_t)n;
		*out = as_arena_dup(&pd->arena, win);
		rc = as_err_memory(pd->rd->err, out->p);
	}
	as_in_close(&in);
	return rc;
}

/* ---- features ---- */

/* A text with its length in front, which is moved over. */
static struct as_slice head_text(const struct as_pd *pd, struct as_slice *s)
{
	struct as_slice text = {"", 0};
	uint32_t n;

	if (s->len < 4)
		return text;
	n = pd_u32(pd, s->p);
	*s = as_slice_skip(*s, 4);
	text = (struct as_slice){s->p, n < s->len ? n : s->len};
	*s = as_slice_skip(*s, text.len);
	text.len = as_slice_find(text, '\0');
	return text;
}

static enum as_code head_keep(struct as_pd *pd, struct as_slice text, struct as_slice *to)
{
	*to = as_arena_dup(&pd->arena, text);
	return as_err_memory(pd->rd->err, to->p);
}

/* Words with blanks between them; what a shell would take apart stands in quotes. */
static enum as_code head_command(struct as_pd *pd, struct as_slice s)
{
	AS_VEC(char) line = {0};
	uint32_t n = s.len >= 4 ? pd_u32(pd, s.p) : 0;

	s = as_slice_skip(s, s.len >= 4 ? 4 : s.len);
	for (uint32_t i = 0; i < n && s.len && line.n < TEXT_MAX; i++) {
		struct as_slice word = head_text(pd, &s);
		bool plain = word.len && !as_slice_has(word, ' ');

		if ((i && !as_vec_push(pd->al, &line, ' ')) ||
			(!plain && !as_vec_push(pd->al, &line, '\'')) ||
			!as_vec_append(pd->al, &line, word.p, word.len) ||
			(!plain && !as_vec_push(pd->al, &line, '\'')))
			return as_err_no_memory(pd->rd->err);
	}
	pd->command = (struct as_slice){line.p, line.n};
	return AS_OK;
}

/* The event of those that are known that DESCRIBED, the N-th here, is. */
static uint32_t head_event(struct as_pd *pd, struct as_slice ids, uint32_t n)
{
	uint32_t row = ids.len >= 8 ? as_pd_find_id(pd, pd_u64(pd, ids.p)) : PD_NONE;

	if (row != PD_NONE)
		return pd->id.p[row].event;
	return n < pd->event.n ? n : PD_NONE;
}

/* Names of events, and their ids. */
static enum as_code head_event_desc(struct as_pd *pd, struct as_slice s)
{
	uint32_t n, attr_size;

	if (s.len < 8)
		return AS_OK;
	n = pd_u32(pd, s.p);
	attr_size = pd_u32(pd, s.p + 4);
	s = as_slice_skip(s, 8);
	for (uint32_t i = 0; i < n && s.len >= (size_t)attr_size + 4; i++) {
		uint64_t n_ids = pd_u32(pd, s.p + attr_size);
		struct as_slice name, ids;
		uint32_t event;

		s = as_slice_skip(s, (size_t)attr_size + 4);
		name = head_text(pd, &s);
		ids = (struct as_slice){s.p, n_ids > s.len / 8 ? s.len / 8 * 8 : (size_t)n_ids * 8};
		s = as_slice_skip(s, ids.len);
		event = head_event(pd, ids, i);
		if (event == PD_NONE)
			continue;
		AS_TRY(as_pd_name_event(pd, event, name));
		AS_TRY(as_pd_add_ids(pd, event, ids));
	}
	return AS_OK;
}

/* A build id without its length ends before groups of four zeros. */
static uint32_t head_id_length(const char *id)
{
	uint32_t n = AS_PERF_BUILD_ID_MAX;

	while (n && memcmp(id + n - 4, "\0\0\0\0", 4) == 0)
		n -= 4;
	return n;
}

enum as_code as_pd_build_id(struct as_pd *pd, struct as_slice record)
{
	enum { SIZE_AT = AS_PERF_HEAD + 4 + 20, NAME_AT = AS_PERF_HEAD + 4 + ID_BYTES };
	char text[2 * AS_PERF_BUILD_ID_MAX + 1];
	struct pd_build_id one = {.kernel = false};
	struct as_slice path;
	uint16_t misc;
	uint32_t n;

	if (record.len <= NAME_AT)
		return AS_OK;
	misc = pd_u16(pd, record.p + 4);
	n = misc & 1u << 15 ? (unsigned char)record.p[SIZE_AT]
			    : head_id_length(record.p + AS_PERF_HEAD + 4);
	if (!n || n > AS_PERF_BUILD_ID_MAX)
		return AS_OK;
	path = as_slice_skip(record, NAME_AT);
	path.len = as_slice_find(path, '\0');
	one.kernel = (misc & AS_PERF_MODE_MASK) == AS_PERF_MODE_KERNEL;
	AS_TRY(head_keep(pd, path, &one.path));
	AS_TRY(head_keep(pd, as_perf_hex_id((const uint8_t *)record.p + AS_PERF_HEAD + 4, n, text),
		&one.id));
	return as_err_memory(pd->rd->err, as_vec_push(pd->al, &pd->build_id, one));
}

static enum as_code head_build_ids(struct as_pd *pd, struct as_slice s)
{
	while (s.len >= AS_PERF_HEAD) {
		uint16_t size = pd_u16(pd, s.p + 6);

		if (size < AS_PERF_HEAD || size > s.len)
			return AS_OK; /* padding */
		AS_TRY(as_pd_build_id(pd, (struct as_slice){s.p, size}));
		s = as_slice_skip(s, size);
	}
	return AS_OK;
}

enum as_code as_pd_feature(struct as_pd *pd, uint64_t feature, struct as_slice s)
{
	switch (feature) {
	case PD_F_BUILD_ID:
		return head_build_ids(pd, s);
	case PD_F_HOSTNAME:
		return head_keep(pd, head_text(pd, &s), &pd->host);
	case PD_F_RELEASE:
		return head_keep(pd, head_text(pd, &s), &pd->release);
	case PD_F_VERSION:
		return head_keep(pd, head_text(pd, &s), &pd->perf);
	case PD_F_ARCH:
		return head_keep(pd, head_text(pd, &s), &pd->arch);
	case PD_F_CPUDESC:
		return head_keep(pd, head_text(pd, &s), &pd->cpu);
	case PD_F_NRCPUS:
		pd->cpus = s.len >= 8 ? pd_u32(pd, s.p + 4) : 0;
		return AS_OK;
	case PD_F_CMDLINE:
		return head_command(pd, s);
	case PD_F_EVENT_DESC:
		return head_event_desc(pd, s);
	case PD_F_CLOCK_DATA:
		if (s.len < 24)
			return AS_OK;
		pd->has_clock = true;
		pd->wall_ns = pd_u64(pd, s.p + 8);
		pd->clock_ns = pd_u64(pd, s.p + 16);
		return AS_OK;
	default:
		return AS_OK;
	}
}

/* Bits of a recorder with words of 32 bits stand otherwise in the other byte order; that of the
 * host's name is set in every file. */
static void head_bits(const struct as_pd *pd, const char *p, uint64_t bits[PD_F_MAX / 64])
{
	for (size_t i = 0; i < PD_F_MAX / 64; i++)
		bits[i] = pd_u64(pd, p + 8 * i);
	if (!pd->swap || bits[0] >> PD_F_HOSTNAME & 1)
		return;
	for (size_t i = 0; i < PD_F_MAX / 64; i++)
		bits[i] = pd_u32(pd, p + 8 * i) | (uint64_t)pd_u32(pd, p + 8 * i + 4) << 32;
}

/* The table of features stands behind the records, one row for each bit. */
static enum as_code head_features(struct as_pd *pd, const char *bitmap)
{
	uint64_t bits[PD_F_MAX / 64], at = pd->data_end;
	struct as_slice row, text;

	head_bits(pd, bitmap, bits);
	for (uint64_t f = 0; f < PD_F_MAX; f++) {
		if (!(bits[f / 64] >> (f % 64) & 1))
			continue;
		AS_TRY(as_pd_bytes(pd, at, 16, &row));
		at += 16;
		if (row.len < 16 || pd_u64(pd, row.p) > pd->size ||
			pd_u64(pd, row.p + 8) > pd->size - pd_u64(pd, row.p)) {
			as_rd_partial(pd->rd);
			return as_rd_find(pd->rd, AS_F_PD_FEATURE, at - 16, 0,
				"what the header says of feature %" PRIu64
				" is not in the file: names of events and build ids may be missing",
				f);
		}
		if (f == PD_F_TRACING) { /* long, and seldom asked for */
			pd->formats_off = pd_u64(pd, row.p);
			pd->formats_size = pd_u64(pd, row.p + 8);
			continue;
		}
		AS_TRY(as_pd_bytes(pd, pd_u64(pd, row.p), pd_u64(pd, row.p + 8), &text));
		AS_TRY(as_pd_feature(pd, f, text));
	}
	return AS_OK;
}

/* ---- the header ---- */

static enum as_code head_cut(struct as_pd *pd, uint64_t have, const char *what)
{
	return as_rd_fail(pd->rd, AS_E_TRUNC, have, 0, "the input ends inside %s", what);
}

/* The first version has no mark of its byte order: the size of an event's row shows it. */
static void head_order(struct as_pd *pd, struct as_slice head)
{
	pd->version = as_slice_starts(head, "PERFFILE") ? 1 : 2;
	pd->swap = AS_LITTLE_ENDIAN ? as_slice_starts(head, "2ELIFREP")
				    : as_slice_starts(head, "PERFILE2");
	if (pd->version == 1 && head.len >= 24)
		pd->swap = pd_u64(pd, head.p + 16) > UINT16_MAX;
}

/* One row of the table of events. */
static enum as_code head_attr(struct as_pd *pd, struct as_slice row)
{
	struct as_slice attr = {row.p, row.len - 16}, ids;

	AS_TRY(as_pd_bytes(
		pd, pd_u64(pd, row.p + attr.len), pd_u64(pd, row.p + attr.len + 8), &ids));
	return as_pd_add_event(pd, attr, ids);
}

static enum as_code head_attrs(struct as_pd *pd, const char *head)
{
	uint64_t row_size = pd_u64(pd, head + 16), off = pd_u64(pd, head + 24);
	uint64_t size = pd_u64(pd, head + 32);
	struct as_slice rows;

	if (row_size < PD_ATTR_LEAST + 16 || row_size > UINT16_MAX)
		return as_rd_fail(pd->rd, AS_E_FORMAT, 16, 0,
			"an event takes %" PRIu64 " bytes in the header, expected 80 to 65535",
			row_size);
	AS_TRY(as_pd_bytes(pd, off, size, &rows));
	if (rows.len < row_size)
		return head_cut(pd, off + rows.len, "the table of events");
	for (size_t at = 0; at + row_size <= rows.len; at += row_size)
		AS_TRY(head_attr(pd, (struct as_slice){rows.p + at, (size_t)row_size}));
	return AS_OK;
}

static enum as_code head_event_types(struct as_pd *pd, const char *head)
{
	struct as_slice rows;

	AS_TRY(as_pd_bytes(pd, pd_u64(pd, head + 56), pd_u64(pd, head + 64), &rows));
	for (; rows.len >= EVENT_TYPE_ROW; rows = as_slice_skip(rows, EVENT_TYPE_ROW))
		AS_TRY(as_pd_name_config(pd, (struct as_slice){rows.p, EVENT_TYPE_ROW}));
	return AS_OK;
}

/* Where the records are. A recorder that was killed has not said how many there are, and its
 * features are not there, whatever their bits say. */
static enum as_code head_file(struct as_pd *pd, struct as_slice head)
{
	uint64_t size = pd_u64(pd, head.p + 48);

	pd->data_off = pd_u64(pd, head.p + 40);
	pd->killed = size == 0;
	pd->data_end = size > UINT64_MAX - pd->data_off ? UINT64_MAX : pd->data_off + size;
	AS_TRY(head_attrs(pd, head.p));
	if (pd->data_off > pd->size)
		return head_cut(pd, pd->size, "the header, before the records");
	if (pd->killed) {
		pd->data_end = pd->size;
		return as_rd_find(pd->rd, AS_F_PD_KILLED, 48, 0,
			"the recorder was killed before it wrote how many records there are: all "
			"up to the end of the file are read; build ids and names of events are "
			"missing");
	}
	if (pd->data_end > pd->size) {
		pd->cut = true;
		pd->data_end = pd->size;
		as_rd_partial(pd->rd);
		AS_TRY(as_rd_find(pd->rd, AS_F_TRUNCATED, pd->size, 0,
			"the header says that there are %" PRIu64
			" bytes of records, and the file has %" PRIu64,
			size, pd->size - pd->data_off));
	}
	if (head.len >= PD_HEAD)
		AS_TRY(head_event_types(pd, head.p));
	return pd->cut || head.len < PD_HEAD ? AS_OK : head_features(pd, head.p + 72);
}

enum as_code as_pd_read_head(struct as_pd *pd)
{
	struct as_slice head;
	uint64_t size;

	AS_TRY(head_open(pd));
	pd->budget = pd->size + PD_HEAD;
	AS_TRY(as_pd_bytes(pd, 0, PD_HEAD, &head));
	if (!as_slice_starts(head, "PERFILE2") && !as_slice_starts(head, "2ELIFREP") &&
		!as_slice_starts(head, "PERFFILE"))
		return as_rd_fail(pd->rd, AS_E_FORMAT, 0, 0,
			"expected the first bytes of a file of perf, PERFILE2");
	if (head.len < PD_PIPE_HEAD)
		return head_cut(pd, head.len, "the header");
	head_order(pd, head);
	size = pd_u64(pd, head.p + 8);
	if (size == PD_PIPE_HEAD) {
		pd->pipe = true;
		pd->data_off = PD_PIPE_HEAD;
		pd->data_end = pd->size;
		return AS_OK;
	}
	if (size < OLD_HEAD || size > UINT16_MAX)
		return as_rd_fail(pd->rd, AS_E_FORMAT, 8, 0,
			"the header has %" PRIu64 " bytes, expected 16 or 104", size);
	if (head.len > size)
		head.len = (size_t)size;
	if (head.len < size && head.len < PD_HEAD)
		return head_cut(pd, head.len, "the header");
	return head_file(pd, head);
}
