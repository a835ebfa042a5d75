/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing what dcpicat would print: a block for every image, a column for every event that the
 * image has samples of. The lines stand in the order of the manual page, which the readers that
 * there are rely on, and there are no others.
 */
#include "base/date.h"
#include "base/sort.h"
#include "formats/dcpicat/dcpicat.h"
#include "model/labels.h"

enum { ROOM = 32 }; /* bytes of an address or a count, with the blanks before it */

/* A source's lines of one block: meta lines [from, to). */
struct lines {
	size_t from, to;
};

struct writer {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	uint32_t *order;      /* of the objects, by path and id */
	as_val *v;            /* a row's values */
	bool scaled;          /* a period has another unit than events */
	bool cut_epoch;       /* the start time could not be written, or not its seconds */
	bool any_block;       /* one has been written */
	uint64_t not_virtual; /* images whose addresses are offsets, or absolute */
	/* of one image */
	as_object object;
	uint64_t n, last; /* addresses met, and the last of them */
	bool ascending;   /* each behind the one before */
	uint64_t bad_addr;
	as_val bad; /* a cost that is no count, or 0 */
	/* when they are not ascending */
	AS_VEC(uint64_t) addr;
	AS_VEC(as_val) cost;  /* n_events values each */
	AS_VEC(uint32_t) row; /* in COST; sorted, as ADDR is */
	as_val *sum;
	bool *column;    /* whether there is one, for each event */
	as_val *written; /* of each event, in all images */
};

/* Called with the costs of one fact at a known address. */
typedef enum as_code take_fn(struct writer *w, uint64_t addr, const as_val *v);

static enum as_code take_fact(
	struct writer *w, const struct as_pos *pos, const as_val *v, take_fn *take)
{
	size_t e = w->prof->event.n;
	uint64_t addr;
	bool any = false;

	for (size_t k = 0; k < e; k++)
		any |= v[k] != 0;
	if (!any)
		return AS_OK;
	return as_row_addr(w->prof, pos->func, pos->addr, &addr) ? take(w, addr, v) : AS_OK;
}

/* All costs of the image, in the order of the profile. */
static enum as_code cat_write_walk(struct writer *w, take_fn *take)
{
	const struct as_profile *prof = w->prof;
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		const struct as_run *run = &prof->self.run.p[r];
		struct as_pos pos = {.func = run->func};

		if (prof->func.object.p[run->func.i].i != w->object.i)
			continue;
		as_rows_begin(&cur, &prof->self, run, w->v);
		while (as_rows_next(&cur)) {
			pos.addr = cur.addr;
			AS_TRY(take_fact(w, &pos, w->v, take));
		}
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct as_pos pos =
			as_place_pos(prof, prof->node.place.p[prof->sample.node.p[i].i]);

		if (prof->func.object.p[pos.func.i].i == w->object.i)
			AS_TRY(take_fact(w, &pos, prof->sample.cost.p + i * prof->event.n, take));
	}
	return AS_OK;
}

static bool cat_write_is_count(as_val v)
{
	return v >= 0 && v <= (as_val)UINT64_MAX;
}

static enum as_code cat_write_survey(struct writer *w, uint64_t addr, const as_val *v)
{
	w->ascending &= !w->n || addr > w->last;
	w->last = addr;
	w->n++;
	for (size_t k = 0; k < w->prof->event.n; k++) {
		w->sum[k] += v[k];
		if (AS_UNLIKELY(!cat_write_is_count(v[k]))) {
			w->bad_addr = addr;
			w->bad = v[k];
		}
	}
	return AS_OK;
}

static enum as_code cat_write_gather(struct writer *w, uint64_t addr, const as_val *v)
{
	const struct as_alloc *al = w->al;
	size_t e = w->prof->event.n;

	if (w->addr.n >= UINT32_MAX - 1)
		return as_err_set(w->wr->err, AS_E_LIMIT, "more than 2^32 addresses");
	if (!as_vec_push(al, &w->row, (uint32_t)w->addr.n) || !as_vec_push(al, &w->addr, addr) ||
		!as_vec_reserve(al, &w->cost, w->cost.n + e))
		return as_err_no_memory(w->wr->err);
	memcpy(w->cost.p + w->cost.n, v, e * sizeof(*v));
	w->cost.n += e;
	return AS_OK;
}

static enum as_code cat_write_refuse_count(struct writer *w, uint64_t addr, as_val v)
{
	char text[AS_VAL_TEXT];

	return as_err_set(w->wr->err, AS_E_LIMIT,
		"address 0x%" PRIx64 " has the cost %s: a count %s", addr, as_val_text(v, text),
		v < 0 ? "cannot be negative" : "has 64 bits");
}

/* Sort the rows, and add up what stands at one address into the first of them. Those that are
 * left stand in w->row. */
static enum as_code sum_rows(struct writer *w)
{
	size_t e = w->prof->event.n, n = 0;

	w->addr.n = w->cost.n = w->row.n = 0;
	AS_TRY(cat_write_walk(w, cat_write_gather));
	AS_TRY(as_err_memory(w->wr->err, as_sort_keys(w->al, w->addr.p, w->row.p, w->row.n)));
	for (size_t i = 0; i < w->row.n; n++) {
		uint64_t addr = w->addr.p[i];
		as_val *v = w->cost.p + w->row.p[i] * e;

		w->addr.p[n] = addr;
		w->row.p[n] = w->row.p[i];
		for (i++; i < w->row.n && w->addr.p[i] == addr; i++)
			as_vals_add(v, w->cost.p + w->row.p[i] * e, e);
		for (size_t k = 0; k < e; k++)
			if (!cat_write_is_count(v[k]))
				return cat_write_refuse_count(w, addr, v[k]);
	}
	w->row.n = n;
	return AS_OK;
}

static enum as_code cat_write_put_line(struct writer *w, const char *key, struct as_slice value)
{
	struct as_out *out = w->wr->out;

	if (!value.len || as_slice_ltrim(value).len != value.len ||
		memchr(value.p, '\n', value.len) || memchr(value.p, 0, value.len))
		return as_err_set(w->wr->err, AS_E_UNSUPPORTED, "a line cannot be '%s' '%.*s'", key,
			AS_SLICE_FMT(value));
	as_out_text(out, key);
	for (size_t n = strlen(key); n < DCPICAT_COLUMN; n++)
		as_out_char(out, ' ');
	as_out_slice(out, value);
	as_out_char(out, '\n');
	return AS_OK;
}

static enum as_code put_hex(struct writer *w, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%012" PRIx64, v);
	return cat_write_put_line(w, key, as_slice_of(text));
}

/* The number NTH line KEY among the lines LS of the source; p == NULL if there is none. */
static struct as_slice source_line(
	const struct writer *w, struct lines ls, const char *key, size_t nth)
{
	const struct as_profile *prof = w->prof;

	for (size_t i = ls.from; i < ls.to; i++)
		if (as_slice_is(as_str_get(prof, prof->meta.p[i].key), key) && nth-- == 0)
			return as_str_get(prof, prof->meta.p[i].text);
	return (struct as_slice){NULL, 0};
}

static bool are_of_image(const struct writer *w, struct lines ls)
{
	const struct as_object_row *o = &w->prof->object.p[w->object.i];
	struct as_slice id = as_str_get(w->prof, o->id), path = as_str_get(w->prof, o->path);
	struct as_slice image = as_slice_trim(source_line(w, ls, "image", 0));
	struct as_slice first = source_line(w, ls, "path", 0);

	if (!as_slice_eq(image, id) && !(as_slice_is_zero(image) && !id.len))
		return false;
	return as_slice_eq(first.len ? first : id, path);
}

/* The lines of the source about this image, if it was dcpicat's text. */
static struct lines find_lines(const struct writer *w)
{
	const struct as_profile *prof = w->prof;
	struct lines ls = {0, 0};

	if (!as_profile_is_from(prof, "dcpicat"))
		return ls;
	for (size_t i = 1; i <= prof->meta.n; i++) {
		if (i < prof->meta.n && !as_slice_is(as_str_get(prof, prof->meta.p[i].key), "name"))
			continue;
		ls.to = i;
		if (are_of_image(w, ls))
			return ls;
		ls.from = i;
	}
	return (struct lines){0, 0};
}

static enum as_code put_paths(struct writer *w, struct lines ls)
{
	const struct as_object_row *o = &w->prof->object.p[w->object.i];
	struct as_slice path = as_str_get(w->prof, o->path), more;

	if (!path.len || as_slice_eq(path, as_str_get(w->prof, o->id)))
		return AS_OK;
	AS_TRY(cat_write_put_line(w, "path", path));
	for (size_t n = 1; (more = source_line(w, ls, "path", n)).p; n++)
		AS_TRY(cat_write_put_line(w, "path", more));
	return AS_OK;
}

static enum as_code put_epoch(struct writer *w)
{
	struct as_slice iso = as_str_get(w->prof, w->prof->epoch);
	char digits[AS_DATE_DIGITS];
	struct as_date d;

	if (!as_date_from_iso(iso, &d)) {
		w->cut_epoch |= iso.len > 0;
		return cat_write_put_line(w, "epoch", as_slice_of("unknown"));
	}
	w->cut_epoch |= d.second != 0;
	return cat_write_put_line(w, "epoch", as_slice_of(as_date_digits(&d, digits)));
}

static uint64_t fraction_of(
	const struct writer *w, struct lines ls, struct as_slice name, const struct as_event *event)
{
	struct dcpicat_event ev;
	struct as_slice text;

	for (size_t n = 0; (text = source_line(w, ls, "event", n)).p; n++)
		if (as_dcpicat_event(text, &ev) && as_slice_eq(ev.name, name))
			return ev.fraction;
	return event->active ? event->active : DCPICAT_FRACTION;
}

/* Would LINE be read as event NAME? */
static enum as_code cat_write_check_event(
	struct writer *w, struct as_slice line, struct as_slice name, as_val sum)
{
	struct dcpicat_event ev;
	char text[AS_VAL_TEXT];

	if (as_dcpicat_event(line, &ev) && as_slice_eq(ev.name, name))
		return AS_OK;
	if (!cat_write_is_count(sum))
		return as_err_set(w->wr->err, AS_E_LIMIT,
			"the costs of event '%.*s' add up to %s: a total has 64 bits",
			AS_SLICE_FMT(name), as_val_text(sum, text));
	return as_err_set(
		w->wr->err, AS_E_UNSUPPORTED, "no event can be called '%.*s'", AS_SLICE_FMT(name));
}

static enum as_code cat_write_put_event(struct writer *w, struct lines ls, uint32_t k)
{
	const struct as_event *ev = &w->prof->event.p[k];
	struct as_slice name = as_str_get(w->prof, ev->name);
	struct as_slice unit = as_str_get(w->prof, ev->period_unit);
	char sum[AS_VAL_TEXT];
	struct as_slice line;
	struct as_arena arena;

	as_assert(k < w->prof->event.n);
	if (!name.len)
		name = as_slice_of("unknown");
	w->scaled |= ev->period && unit.len && !as_slice_is(unit, "events");
	as_arena_init(&arena, w->al);
	line = as_arena_printf(&arena, "%s %.*s:%" PRIu64 ":%" PRIu64, as_val_text(w->sum[k], sum),
		AS_SLICE_FMT(name), ev->period, fraction_of(w, ls, name, ev));
	AS_TRY(as_err_memory(w->wr->err, line.p));
	AS_TRY(cat_write_check_event(w, line, name, w->sum[k]));
	return cat_write_put_line(w, "event", line);
}

/* Whether the source had a column of event NAME of this image; of any event if NAME is empty. */
static bool had_column(const struct writer *w, struct lines ls, struct as_slice name)
{
	struct dcpicat_event ev;
	struct as_slice text;

	for (size_t n = 0; (text = source_line(w, ls, "event", n)).p; n++)
		if (as_dcpicat_event(text, &ev) && (!name.len || as_slice_eq(ev.name, name)))
			return true;
	return false;
}

/* Of an event of which the image has neither samples nor a line in the source, it has no column;
 * but the first block has all, so that it tells the order of the events. */
static bool has_column(const struct writer *w, struct lines ls, uint32_t k)
{
	as_assert(k < w->prof->event.n);
	return w->sum[k] || !w->any_block ||
	       had_column(w, ls, as_str_get(w->prof, w->prof->event.p[k].name));
}

/* What the source calls the image, as long as that is what its path says. */
static enum as_code cat_write_put_name(struct writer *w, struct lines ls)
{
	const struct as_object_row *o = &w->prof->object.p[w->object.i];
	struct as_slice path = as_str_get(w->prof, o->path), id = as_str_get(w->prof, o->id);
	struct as_slice name = source_line(w, ls, "name", 0);
	bool has_path = path.len && !as_slice_eq(path, id);

	if (!name.p || (has_path && !as_slice_eq(as_base_name(path), name)))
		name = path.len ? as_base_name(path) : as_slice_of("unknown");
	AS_TRY(cat_write_put_line(w, "name", name));
	return cat_write_put_line(w, "image", id.len ? id : as_slice_of("0"));
}

static enum as_code put_platform(struct writer *w, struct lines ls)
{
	struct as_slice platform = source_line(w, ls, "platform", 0);

	if (!platform.p)
		platform = as_slice_trim(as_meta_get(w->prof, 0, "platform"));
	return cat_write_put_line(w, "platform", platform.len ? platform : as_slice_of("unknown"));
}

static enum as_code cat_write_put_events(struct writer *w, struct lines ls)
{
	for (uint32_t k = 0; k < w->prof->event.n; k++)
		if (has_column(w, ls, k))
			AS_TRY(cat_write_put_event(w, ls, k));
	return AS_OK;
}

static enum as_code cat_write_put_header(struct writer *w, struct lines ls)
{
	const struct as_object_row *o = &w->prof->object.p[w->object.i];
	struct as_slice label = source_line(w, ls, "label", 0);

	AS_TRY(cat_write_put_name(w, ls));
	if (label.p)
		AS_TRY(cat_write_put_line(w, "label", label));
	AS_TRY(put_paths(w, ls));
	AS_TRY(put_epoch(w));
	AS_TRY(put_platform(w, ls));
	AS_TRY(put_hex(w, "text_start", o->text_start));
	AS_TRY(put_hex(w, "text_size", o->text_size));
	return cat_write_put_events(w, ls);
}

/* ---- rows ---- */

/* V in a column of its own: at least one blank before it. */
static char *cat_write_put_count(char *p, uint64_t v)
{
	char text[20];
	size_t n = (size_t)(as_put_u64(text, v) - text);
	size_t pad = n < DCPICAT_WIDTH ? DCPICAT_WIDTH - n : 1;

	memset(p, ' ', pad);
	memcpy(p + pad, text, n);
	return p + pad + n;
}

static char *cat_write_put_addr(char *p, uint64_t v)
{
	int digits = 12;

	while (digits < 16 && v >> (4 * digits))
		digits++;
	*p++ = '0';
	*p++ = 'x';
	while (digits-- > 0)
		*p++ = "0123456789abcdef"[v >> (4 * digits) & 15];
	return p;
}

static void mark_columns(struct writer *w, struct lines ls)
{
	for (uint32_t k = 0; k < w->prof->event.n; k++)
		w->column[k] = has_column(w, ls, k);
}

static enum as_code put_row(struct writer *w, uint64_t addr, const as_val *v)
{
	struct as_out *out = w->wr->out;
	char *p = as_out_room(out, ROOM);

	out->n += (size_t)(cat_write_put_addr(p, addr) - p);
	for (size_t k = 0; k < w->prof->event.n; k++) {
		if (!w->column[k])
			continue;
		p = as_out_room(out, ROOM);
		out->n += (size_t)(cat_write_put_count(p, (uint64_t)v[k]) - p);
	}
	as_out_char(out, '\n');
	return AS_OK;
}

static bool is_not_virtual(const struct as_profile *prof, as_object o)
{
	enum as_addr_kind kind = prof->object.p[o.i].addr_kind;

	return kind == AS_ADDR_FILE_OFFSET || kind == AS_ADDR_ABSOLUTE;
}

/* An image with samples, or one of which the source had a table without rows. */
static enum as_code put_block(struct writer *w)
{
	struct lines ls = find_lines(w);
	size_t e = w->prof->event.n;

	w->n = 0;
	w->ascending = true;
	w->bad = 0;
	memset(w->sum, 0, e * sizeof(*w->sum));
	AS_TRY(cat_write_walk(w, cat_write_survey));
	if (!w->n && !had_column(w, ls, (struct as_slice){NULL, 0}))
		return AS_OK;
	if (w->ascending && w->bad)
		return cat_write_refuse_count(w, w->bad_addr, w->bad);
	if (!w->ascending)
		AS_TRY(sum_rows(w));
	AS_TRY(cat_write_put_header(w, ls));
	mark_columns(w, ls);
	w->any_block = true;
	w->not_virtual += w->n && is_not_virtual(w->prof, w->object);
	as_vals_add(w->written, w->sum, e);
	if (w->ascending)
		return cat_write_walk(w, put_row);
	for (size_t i = 0; i < w->row.n; i++)
		AS_TRY(put_row(w, w->addr.p[i], w->cost.p + w->row.p[i] * e));
	return AS_OK;
}

/* What was not written: the costs at no address are all but those that were. */
static void cat_write_tell_losses(struct writer *w)
{
	struct as_losses *losses = w->wr->losses;

	for (size_t k = 0; k < w->prof->event.n; k++)
		as_losses_add_cost(losses, "unaddressed",
			as_str_get(w->prof, w->prof->event.p[k].name),
			w->prof->total[k] - w->written[k], "at no address");
	as_losses_add(losses, "period-unit", w->scaled, "unit{|s} of a period");
	as_losses_add(losses, "epoch", w->cut_epoch, "start time{ that is|s that are} no minute");
	as_losses_add(losses, "addresses", w->not_virtual,
		"image{|s} whose addresses are not virtual ones");
}

static enum as_code cat_write_put_all(struct writer *w)
{
	uint32_t n = (uint32_t)w->prof->object.n;

	for (uint32_t i = 0; i < n; i++) {
		w->object.i = w->order[i];
		AS_TRY(put_block(w));
	}
	if (!w->any_block) { /* there is always one block: that of the first image, without rows */
		w->object.i = w->order[n > 1];
		AS_TRY(cat_write_put_header(w, (struct lines){0, 0}));
	}
	cat_write_tell_losses(w);
	return w->wr->out->rc;
}

enum as_code as_dcpicat_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct writer w = {.wr = wr, .prof = prof, .al = wr->al};
	size_t e = prof->event.n;

	if (!e)
		return as_err_set(wr->err, AS_E_UNSUPPORTED,
			"a profile without events: dcpicat's text has at least one");
	w.order = as_sorted_rows(w.al, prof->object.n, as_object_cmp, prof);
	if (!as_alloc_array(w.al, &w.v, e) || !as_alloc_array(w.al, &w.sum, e) ||
		!as_alloc_array(w.al, &w.written, e) || !as_alloc_array(w.al, &w.column, e) ||
		!w.order)
		return as_err_no_memory(wr->err);
	return cat_write_put_all(&w);
}
