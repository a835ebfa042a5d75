/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading what dcpicat prints. Events must be known before the first cost, and a later block may
 * bring new ones: so rows are gathered with the number of their block's column, and given to the
 * profile when all blocks have been seen.
 */
#include "base/date.h"
#include "formats/dcpicat/dcpicat.h"

/* A column of counts of one block. */
struct column {
	uint32_t event;     /* of the profile */
	uint64_t declared;  /* what the event line says they add up to */
	uint64_t off, line; /* where it says so */
	as_val sum;
};

struct block {
	size_t column, n_columns; /* its columns, in the reader's list */
	struct as_slice path, id; /* of the image; in the profile's strings */
	as_object object;
	uint64_t text_start, text_size;
	bool has_text, has_rows;
	uint64_t last_addr;
	struct as_rows rows; /* a value per column */
};

struct reader {
	struct as_rd *rd;
	const struct as_alloc *al;
	uint64_t off, line; /* of the line that is being read */
	AS_VEC(struct column) column;
	AS_VEC(struct block) block;
	AS_VEC(as_val) v;
	uint32_t seen; /* of the block's header: bits below */
};

enum { SEEN_IMAGE = 1, SEEN_EVENT = 2 };

static struct block *cat_read_current(struct reader *r)
{
	return &r->block.p[r->block.n - 1];
}

/* ---- header ---- */

/* The header of a block is complete. Without these lines the first one is something else; the
 * probe asks for them, too. */
static enum as_code end_header(struct reader *r)
{
	const char *missing = !(r->seen & SEEN_IMAGE) ? "image" : "event";

	if (r->seen == (SEEN_IMAGE | SEEN_EVENT))
		return AS_OK;
	if (r->block.n == 1)
		return as_rd_fail(r->rd, AS_E_NOTPROFILE, r->off, r->line,
			"not the output of dcpicat: there is no '%s' line", missing);
	return as_rd_find(
		r->rd, AS_F_DC_KEY_MISSING, r->off, r->line, "there is no '%s' line", missing);
}

static enum as_code begin_block(struct reader *r)
{
	struct block b = {.column = r->column.n};

	if (r->block.n && !cat_read_current(r)->has_rows)
		AS_TRY(end_header(r));
	r->seen = 0;
	as_rows_init(&b.rows, r->al, 0);
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->block, b));
}

static enum as_code cat_read_find_bad_value(
	struct reader *r, const char *key, const char *want, struct as_slice value)
{
	return as_rd_find(r->rd, AS_F_DC_VALUE_BAD, r->off, r->line,
		"'%s': expected %s, got '%.*s'", key, want, AS_SLICE_FMT(value));
}

/* The block has a column of this event already. */
static enum as_code find_event_again(struct reader *r, const struct dcpicat_event *ev)
{
	const struct as_profile *prof = r->rd->out->prof;

	for (size_t i = cat_read_current(r)->column; i < r->column.n; i++) {
		as_str name = prof->event.p[r->column.p[i].event].name;

		if (as_slice_eq(as_str_get(prof, name), ev->name))
			return as_rd_find(r->rd, AS_F_DC_KEY_DUPLICATE, r->off, r->line,
				"event '%.*s' stands twice; its columns are added up",
				AS_SLICE_FMT(ev->name));
	}
	return AS_OK;
}

static enum as_code cat_read_build_event(
	struct reader *r, const struct dcpicat_event *ev, uint32_t *event)
{
	struct as_build *b = r->rd->out;
	size_t before = b->prof->event.n;
	struct as_event *row;

	AS_TRY(as_build_event(b, ev->name, as_slice_of("samples"), event));
	row = &b->prof->event.p[*event];
	if (b->prof->event.n == before)
		return row->period == ev->period
			       ? AS_OK
			       : as_rd_find(r->rd, AS_F_DC_VALUE_BAD, r->off, r->line,
					 "event '%.*s' has the period %" PRIu64 " here, %" PRIu64
					 " before",
					 AS_SLICE_FMT(ev->name), ev->period, row->period);
	row->period = ev->period;
	if (ev->fraction < DCPICAT_FRACTION)
		row->active = (uint32_t)ev->fraction;
	if (ev->period)
		return as_build_str(b, as_slice_of("events"), &row->period_unit);
	return as_rd_find(r->rd, AS_F_DC_PERIOD_ZERO, r->off, r->line,
		"event '%.*s' has the period 0", AS_SLICE_FMT(ev->name));
}

static enum as_code read_event(struct reader *r, struct as_slice value)
{
	struct column c = {.off = r->off, .line = r->line};
	struct dcpicat_event ev;

	if (!as_dcpicat_event(as_slice_trim(value), &ev))
		return cat_read_find_bad_value(r, "event", "TOTAL NAME:PERIOD:FRACTION", value);
	if (cat_read_current(r)->n_columns == DCPICAT_EVENTS)
		return as_rd_fail(
			r->rd, AS_E_LIMIT, r->off, r->line, "more than %d events", DCPICAT_EVENTS);
	AS_TRY(find_event_again(r, &ev));
	AS_TRY(cat_read_build_event(r, &ev, &c.event));
	c.declared = ev.total;
	r->seen |= SEEN_EVENT;
	cat_read_current(r)->n_columns++;
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->column, c));
}

static enum as_code cat_read_epoch(struct reader *r, struct as_slice value)
{
	struct as_build *b = r->rd->out;
	char iso[AS_DATE_ISO];
	struct as_date d;

	if (as_slice_is(value, "unknown"))
		return AS_OK;
	if (!as_date_from_digits(as_slice_trim(value), &d))
		return as_rd_find(r->rd, AS_F_DC_EPOCH_BAD, r->off, r->line,
			"'epoch': expected YYYYMMDDHHMM, got '%.*s'", AS_SLICE_FMT(value));
	if (b->prof->epoch.i)
		return AS_OK;
	return as_build_str(b, as_slice_of(as_date_iso(&d, iso)), &b->prof->epoch);
}

static enum as_code cat_read_hex(
	struct reader *r, const char *key, struct as_slice value, uint64_t *num)
{
	struct as_slice digits = as_slice_trim(value);

	if (!as_slice_starts(digits, "0x") || !as_slice_hex(as_slice_skip(digits, 2), num))
		return cat_read_find_bad_value(r, key, "a hexadecimal number", value);
	cat_read_current(r)->has_text = true;
	return AS_OK;
}

static enum as_code cat_read_keep(struct reader *r, struct as_slice text, struct as_slice *out)
{
	as_str str;

	AS_TRY(as_build_str(r->rd->out, text, &str));
	*out = as_str_get(r->rd->out->prof, str);
	return AS_OK;
}

static enum as_code read_header_line(struct reader *r, struct as_slice key, struct as_slice value)
{
	if (!r->block.n || cat_read_current(r)->has_rows || as_slice_is(key, "name"))
		AS_TRY(begin_block(r));
	AS_TRY(as_build_meta(r->rd->out, 0, key, value));
	if (as_slice_is(key, "event"))
		return read_event(r, value);
	if (as_slice_is(key, "epoch"))
		return cat_read_epoch(r, value);
	if (as_slice_is(key, "text_start"))
		return cat_read_hex(r, "text_start", value, &cat_read_current(r)->text_start);
	if (as_slice_is(key, "text_size"))
		return cat_read_hex(r, "text_size", value, &cat_read_current(r)->text_size);
	if (as_slice_is(key, "path") && !cat_read_current(r)->path.len)
		return cat_read_keep(r, value, &cat_read_current(r)->path);
	if (as_slice_is(key, "image")) {
		r->seen |= SEEN_IMAGE;
		return cat_read_keep(r, as_slice_trim(value), &cat_read_current(r)->id);
	}
	return AS_OK;
}

/* ---- rows ---- */

static enum as_code find_bad_row(struct reader *r, struct as_slice line)
{
	return as_rd_find(r->rd, AS_F_DC_LINE_MALFORMED, r->off, r->line,
		"expected an address and %zu count%s, got '%.*s'; the line was left out",
		cat_read_current(r)->n_columns, cat_read_current(r)->n_columns == 1 ? "" : "s",
		AS_SLICE_FMT(line));
}

/* The first row of a block: its header is complete. */
static enum as_code cat_read_begin_rows(struct reader *r)
{
	struct block *b = cat_read_current(r);

	b->has_rows = true;
	b->rows.width = (uint32_t)b->n_columns;
	if (!as_vec_reserve(r->al, &r->v, b->n_columns + 1) ||
		!as_rows_run(&b->rows, 0, (as_func){0}, (as_file){0}, (as_func){0}))
		return as_err_no_memory(r->rd->err);
	AS_TRY(end_header(r));
	if (!b->has_text)
		AS_TRY(as_rd_find(r->rd, AS_F_DC_KEY_MISSING, r->off, r->line,
			"there is no 'text_start' line"));
	return AS_OK;
}

static enum as_code read_row(struct reader *r, struct as_slice line)
{
	struct as_slice rest = line, word;
	struct block *b = cat_read_current(r);
	uint64_t addr, count;
	size_t n = 0;

	if (!b->has_rows)
		AS_TRY(cat_read_begin_rows(r));
	b = cat_read_current(r);
	if (!as_slice_word(&rest, &word) || !as_slice_hex(as_slice_skip(word, 2), &addr))
		return find_bad_row(r, line);
	for (; n < b->n_columns && as_slice_word(&rest, &word); n++) {
		if (!as_slice_dec(word, &count))
			return find_bad_row(r, line);
		r->v.p[n] = count;
	}
	if (n < b->n_columns || as_slice_word(&rest, &word))
		return find_bad_row(r, line);
	if (b->rows.n && addr <= b->last_addr)
		AS_TRY(as_rd_find(r->rd, AS_F_DC_ROW_ORDER, r->off, r->line,
			"address 0x%" PRIx64 " does not lie behind 0x%" PRIx64, addr,
			b->last_addr));
	b->last_addr = addr;
	for (size_t i = 0; i < n; i++)
		r->column.p[b->column + i].sum += r->v.p[i];
	return as_err_memory(r->rd->err, as_rows_add(&b->rows, 0, addr, r->v.p, (uint32_t)n));
}

static enum as_code cat_read_line(struct reader *r, struct as_slice line)
{
	struct as_slice key, value;

	line = as_slice_chop(line);
	if (as_dcpicat_is_row(line) && r->block.n)
		return read_row(r, line);
	if (!as_dcpicat_is_row(line) && as_dcpicat_split(line, &key, &value))
		return read_header_line(r, key, value);
	if (!as_slice_trim(line).len)
		return AS_OK;
	if (!r->block.n)
		return as_rd_fail(r->rd, AS_E_NOTPROFILE, r->off, r->line,
			"not the output of dcpicat: the first line is not 'key value'");
	return as_rd_find(r->rd, AS_F_DC_LINE_MALFORMED, r->off, r->line,
		"expected 'key value' or a row, got '%.*s'", AS_SLICE_FMT(line));
}

static bool sums_are_right(const struct reader *r, const struct block *b)
{
	for (size_t i = b->column; i < b->column + b->n_columns; i++)
		if (r->column.p[i].sum != r->column.p[i].declared)
			return false;
	return true;
}

/* A last line without its end may be a part of one: it is believed if the sums are right with
 * it. */
static enum as_code read_last_line(struct reader *r, struct as_slice line)
{
	struct as_rows_mark mark = {0};
	struct block *b;

	if (!r->block.n || !cat_read_current(r)->has_rows || !as_dcpicat_is_row(line))
		return cat_read_line(r, line);
	b = cat_read_current(r);
	mark = as_rows_mark(&b->rows);
	AS_TRY(read_row(r, line));
	if (sums_are_right(r, b))
		return AS_OK;
	as_rows_rewind(&b->rows, &mark);
	as_rd_partial(r->rd);
	return as_rd_find(r->rd, AS_F_TRUNCATED, r->off, r->line,
		"the last line is not complete; it was left out");
}

static enum as_code cat_read_lines(struct reader *r)
{
	struct as_in *in = r->rd->in;
	struct as_slice line = {NULL, 0};
	enum as_code rc;

	for (;;) {
		r->off = in->off;
		r->line = in->line;
		rc = as_in_line(in, &line);
		if (rc != AS_OK)
			return rc == AS_END ? AS_OK : rc;
		if (in->p == line.p + line.len)
			return read_last_line(r, line);
		AS_TRY(cat_read_line(r, line));
	}
}

static enum as_code cat_read_build_object(struct reader *r, struct block *b)
{
	struct as_slice id = as_slice_is_zero(b->id) ? (struct as_slice){NULL, 0} : b->id;
	struct as_object_row *row;

	AS_TRY(as_build_object(r->rd->out, b->path.len ? b->path : id, id, &b->object));
	if (!b->object.i)
		return AS_OK;
	row = &r->rd->out->prof->object.p[b->object.i];
	row->text_start = b->text_start;
	row->text_size = b->text_size;
	row->addr_kind = AS_ADDR_VIRTUAL;
	return AS_OK;
}

static enum as_code cat_read_check_columns(struct reader *r, const struct block *b)
{
	for (size_t i = b->column; i < b->column + b->n_columns; i++) {
		const struct column *c = &r->column.p[i];
		char text[AS_VAL_TEXT];

		if (c->sum != c->declared)
			AS_TRY(as_rd_find(r->rd, AS_F_DC_EVENT_TOTAL, c->off, c->line,
				"the event line says %" PRIu64 ", its column adds up to %s",
				c->declared, as_val_text(c->sum, text)));
	}
	return AS_OK;
}

static enum as_code cat_read_add_rows(
	struct reader *r, const struct block *b, as_val *in, as_val *out)
{
	struct as_profile *prof = r->rd->out->prof;
	struct as_rows_cur cur;
	as_func func;

	AS_TRY(as_build_func(
		r->rd->out, (struct as_slice){NULL, 0}, b->object, (as_file){0}, 0, &func));
	if (!b->rows.n)
		return AS_OK;
	if (!as_rows_run(&prof->self, 0, func, (as_file){0}, (as_func){0}))
		return as_err_no_memory(r->rd->err);
	as_rows_begin(&cur, &b->rows, &b->rows.run.p[0], in);
	while (as_rows_next(&cur)) {
		bool any = false;

		memset(out, 0, prof->event.n * sizeof(*out));
		for (uint32_t i = 0; i < cur.n; i++) {
			out[r->column.p[b->column + i].event] += in[i];
			any |= in[i] != 0;
		}
		if (any && !as_rows_add(&prof->self, 0, cur.addr, out, as_n_events(prof)))
			return as_err_no_memory(r->rd->err);
	}
	return AS_OK;
}

static enum as_code build_all(struct reader *r)
{
	struct as_profile *prof = r->rd->out->prof;
	size_t e = prof->event.n, width = 0;
	enum as_code rc = AS_OK;
	as_val *v;

	for (size_t i = 0; i < r->block.n; i++)
		width = r->block.p[i].n_columns > width ? r->block.p[i].n_columns : width;
	v = as_alloc_new(r->al, (width + e) * sizeof(*v) + 1);
	AS_TRY(as_err_memory(r->rd->err, v));
	for (size_t i = 0; rc == AS_OK && i < r->block.n; i++) {
		rc = cat_read_build_object(r, &r->block.p[i]);
		AS_THEN(rc, cat_read_add_rows(r, &r->block.p[i], v, v + width));
		AS_THEN(rc, cat_read_check_columns(r, &r->block.p[i]));
	}
	return rc;
}

static enum as_code cat_read_all(struct reader *r)
{
	uint32_t part;

	AS_TRY(as_rd_part(r->rd, "dcpicat", &part));
	AS_TRY(cat_read_lines(r));
	if (!r->block.n)
		return as_rd_fail(r->rd, AS_E_TRUNC, AS_OFF_NONE, 0, "the file is empty");
	if (!cat_read_current(r)->has_rows)
		AS_TRY(end_header(r));
	AS_TRY(as_build_part_all_events(r->rd->out, 0));
	return build_all(r);
}

enum as_code as_dcpicat_read(struct as_rd *rd)
{
	struct reader r = {.rd = rd, .al = rd->al};

	return cat_read_all(&r);
}
