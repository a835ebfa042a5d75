/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `pprof -raw` prints of a file: the tables with the file's own numbers, samples in their
 * order. docs/compat.md, "The raw dump".
 */
#include <stdio.h>

#include "base/sort.h"
#include "formats/pprof/pprof.h"

/* String I; what does not exist is an error, as the file is read strictly. */
static enum as_code pb_raw_text_of(
	struct as_pb_read *r, uint64_t i, const struct as_pb_at *at, struct as_slice *out)
{
	as_str s;

	AS_TRY(as_pb_str(r, i, at, 0, &s));
	*out = as_str_get(r->rd->out->prof, s);
	return AS_OK;
}

static enum as_code put_text(struct as_pb_read *r, uint64_t i, const struct as_pb_at *at)
{
	struct as_slice text;

	AS_TRY(pb_raw_text_of(r, i, at, &text));
	as_out_plain(r->raw, text);
	return AS_OK;
}

/* ---- the head ---- */

/* "1h40m0s", "1.5ms": Go's text of a time. */
static void duration_text(int64_t nanos, char *text, size_t size)
{
	static const struct {
		uint64_t below, factor;
		int digits;
		const char *unit;
	} small[] = {{1000, 1, 0, "ns"}, {1000000, 1000, 3, "\xc2\xb5s"},
		{1000000000, 1000000, 6, "ms"}, {UINT64_MAX, 1000000000, 9, "s"}};
	uint64_t v = nanos < 0 ? -(uint64_t)nanos : (uint64_t)nanos;
	const uint64_t minute = 60 * UINT64_C(1000000000), hour = 60 * minute;
	size_t n = 0, k = 0;

	n += (size_t)snprintf(text + n, size - n, "%s", nanos < 0 ? "-" : "");
	if (v >= hour)
		n += (size_t)snprintf(text + n, size - n, "%" PRIu64 "h", v / hour);
	if (v >= minute) {
		n += (size_t)snprintf(text + n, size - n, "%" PRIu64 "m", v % hour / minute);
		v %= minute;
		k = AS_ARRAY_LEN(small) - 1;
	}
	while (v >= small[k].below)
		k++;
	n += (size_t)snprintf(text + n, size - n, "%" PRIu64, v / small[k].factor);
	if (v % small[k].factor) {
		n += (size_t)snprintf(
			text + n, size - n, ".%0*" PRIu64, small[k].digits, v % small[k].factor);
		while (text[n - 1] == '0')
			n--;
	}
	snprintf(text + n, size - n, "%s", small[k].unit);
}

/* Its first four characters: that is all that is printed of it. */
static void put_duration(struct as_pb_read *r)
{
	enum { SHOWN = 4 };
	char text[64];
	size_t n = 0;

	duration_text(r->duration, text, sizeof(text));
	for (int i = 0; i < SHOWN && text[n]; i++)
		for (n++; ((unsigned char)text[n] & 0xc0) == 0x80;)
			n++;
	as_out_printf(r->raw, "Duration: %.*s\n", (int)n, text);
}

static enum as_code put_types(struct as_pb_read *r)
{
	struct as_slice type, unit, usual;

	AS_TRY(pb_raw_text_of(r, r->default_type, NULL, &usual));
	for (size_t i = 0; i < r->type.n; i++) {
		struct as_pb_at at = {"sample_type", i + 1, NULL};

		AS_TRY(pb_raw_text_of(r, r->type.p[i].type, &at, &type));
		AS_TRY(pb_raw_text_of(r, r->type.p[i].unit, &at, &unit));
		as_out_text(r->raw, i ? " " : "");
		as_out_plain(r->raw, type);
		as_out_char(r->raw, '/');
		as_out_plain(r->raw, unit);
		as_out_text(r->raw, as_slice_eq(type, usual) ? "[dflt]" : "");
	}
	as_out_char(r->raw, '\n');
	return AS_OK;
}

static enum as_code pb_raw_put_head(struct as_pb_read *r)
{
	const struct as_pb_at at = {"period_type", 0, NULL};
	char time[AS_DATE_NANOS];

	for (size_t i = 0; i < r->comment.n; i++) {
		as_out_text(r->raw, "Comment: ");
		AS_TRY(put_text(r, r->comment.p[i], NULL));
		as_out_char(r->raw, '\n');
	}
	if (r->url) {
		as_out_text(r->raw, "Doc: ");
		AS_TRY(put_text(r, r->url, NULL));
		as_out_char(r->raw, '\n');
	}
	as_out_text(r->raw, "PeriodType: ");
	AS_TRY(put_text(r, r->period_type.type, &at));
	as_out_char(r->raw, ' ');
	AS_TRY(put_text(r, r->period_type.unit, &at));
	as_out_printf(r->raw, "\nPeriod: %" PRId64 "\n", r->period);
	if (r->time)
		as_out_printf(
			r->raw, "Time: %s\n", as_date_nanos_text(r->time, " ", " +0000 UTC", time));
	if (r->duration)
		put_duration(r);
	as_out_text(r->raw, "Samples:\n");
	return put_types(r);
}

/* ---- labels ---- */

/* As it is in the file. */
struct label {
	struct as_slice key, text, unit;
	bool is_text, has_unit;
	int64_t number;
};

struct span {
	size_t at, n;
};

/* The labels of a sample, and the lines that they become. */
struct labels {
	struct as_pb_read *r;
	AS_VEC(struct label) row;
	AS_VEC(uint32_t) order;
	AS_VEC(char) text;
	AS_VEC(struct span) line; /* in TEXT: a key and all of its values */
};

static enum as_code pb_raw_take_label(struct labels *ls, uint64_t sample, uint32_t i)
{
	struct as_pb_at up = {"sample", sample, NULL}, at = {"label", (uint64_t)i + 1, &up};
	struct as_pb_read *r = ls->r;
	uint64_t v[PB_LABEL_UNIT + 1];
	struct label l;

	r->extra.n = 0;
	AS_TRY(as_pb_numbers(r, r->label.p[i], &at, v, PB_LABEL_UNIT));
	r->extra.n = 0;
	AS_TRY(pb_raw_text_of(r, v[PB_LABEL_KEY], &at, &l.key));
	AS_TRY(pb_raw_text_of(r, v[PB_LABEL_STR], &at, &l.text));
	AS_TRY(pb_raw_text_of(r, v[PB_LABEL_UNIT], &at, &l.unit));
	l.is_text = v[PB_LABEL_STR] != 0;
	l.has_unit = v[PB_LABEL_UNIT] != 0;
	l.number = (int64_t)v[PB_LABEL_NUM];
	if (!l.is_text && !l.number && !l.has_unit)
		return AS_OK; /* one that says nothing is not kept */
	return as_err_memory(r->rd->err, as_vec_push(r->al, &ls->row, l));
}

static int cmp_label(const void *ctx, uint32_t a, uint32_t b)
{
	const struct label *x = &((const struct label *)ctx)[a];
	const struct label *y = &((const struct label *)ctx)[b];
	int c = as_slice_cmp(x->key, y->key);

	return c ? c : a < b ? -1 : a > b;
}

static int cmp_line(const void *ctx, uint32_t a, uint32_t b)
{
	const struct labels *ls = ctx;
	const struct span *x = &ls->line.p[a], *y = &ls->line.p[b];

	return as_slice_cmp((struct as_slice){ls->text.p + x->at, x->n},
		(struct as_slice){ls->text.p + y->at, y->n});
}

static bool add_text(struct labels *ls, struct as_slice s)
{
	if (!as_vec_reserve(ls->r->al, &ls->text, ls->text.n + s.len + 1))
		return false;
	if (s.len)
		memcpy(ls->text.p + ls->text.n, s.p, s.len);
	ls->text.n += s.len;
	return true;
}

static bool pb_raw_add_value(struct labels *ls, const struct label *l, bool units)
{
	char number[24];

	if (l->is_text)
		return add_text(ls, l->text);
	snprintf(number, sizeof(number), "%" PRId64 "%s", l->number, units ? " " : "");
	return add_text(ls, as_slice_of(number)) && (!units || add_text(ls, l->unit));
}

/* The labels FIRST to END of the order, which have one key, as a line. Numbers have units if one of
 * them has. */
static bool add_line(struct labels *ls, size_t first, size_t end)
{
	const struct label *key = &ls->row.p[ls->order.p[first]];
	struct span line = {.at = ls->text.n};
	bool units = false, fine = add_text(ls, key->key) && add_text(ls, as_slice_of(":["));

	for (size_t i = first; i < end; i++)
		units |= ls->row.p[ls->order.p[i]].has_unit;
	for (size_t i = first; fine && i < end; i++)
		fine = (i == first || add_text(ls, as_slice_of(" "))) &&
		       pb_raw_add_value(ls, &ls->row.p[ls->order.p[i]], units);
	fine = fine && add_text(ls, as_slice_of("]"));
	line.n = ls->text.n - line.at;
	return fine && as_vec_push(ls->r->al, &ls->line, line);
}

/* What there is by now. */
static bool put_lines(struct labels *ls)
{
	size_t n = ls->line.n;

	ls->order.n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!as_vec_push(ls->r->al, &ls->order, i))
			return false;
	if (!as_sort_rows(ls->r->al, ls->order.p, n, cmp_line, ls))
		return false;
	as_out_text(ls->r->raw, n ? "                " : "");
	for (size_t i = 0; i < n; i++) {
		const struct span *line = &ls->line.p[ls->order.p[i]];

		as_out_text(ls->r->raw, i ? " " : "");
		as_out_plain(ls->r->raw, (struct as_slice){ls->text.p + line->at, line->n});
	}
	as_out_text(ls->r->raw, n ? "\n" : "");
	ls->line.n = ls->text.n = 0;
	return true;
}

/* Those that are texts, or those that are numbers. */
static bool pb_raw_put_kind(struct labels *ls, bool texts)
{
	size_t n = ls->row.n;

	ls->order.n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (ls->row.p[i].is_text == texts && !as_vec_push(ls->r->al, &ls->order, i))
			return false;
	n = ls->order.n;
	if (!as_sort_rows(ls->r->al, ls->order.p, n, cmp_label, ls->row.p))
		return false;
	for (size_t first = 0, i = 1; i <= n; i++)
		if (i == n || !as_slice_eq(ls->row.p[ls->order.p[i]].key,
				      ls->row.p[ls->order.p[first]].key)) {
			if (!add_line(ls, first, i))
				return false;
			first = i;
		}
	return put_lines(ls);
}

static enum as_code pb_raw_put_labels(struct as_pb_read *r, uint64_t sample)
{
	struct labels ls = {.r = r};
	enum as_code rc = AS_OK;

	for (uint32_t i = 0; rc == AS_OK && i < r->label.n; i++)
		rc = pb_raw_take_label(&ls, sample, i);
	if (rc == AS_OK && (!pb_raw_put_kind(&ls, true) || !pb_raw_put_kind(&ls, false)))
		rc = as_err_no_memory(r->rd->err);
	as_vec_free(r->al, &ls.row);
	as_vec_free(r->al, &ls.order);
	as_vec_free(r->al, &ls.text);
	as_vec_free(r->al, &ls.line);
	return rc;
}

enum as_code as_pb_raw_sample(struct as_pb_read *r, uint64_t number)
{
	for (size_t i = 0; i < r->type.n; i++)
		as_out_printf(r->raw, " %10" PRId64, r->values.p[i]);
	as_out_text(r->raw, ": ");
	for (size_t i = 0; i < r->stack.n; i++) {
		as_out_u64(r->raw, r->locs.id.p[r->stack.p[i] - 2].id);
		as_out_char(r->raw, ' ');
	}
	as_out_char(r->raw, '\n');
	return r->label.n ? pb_raw_put_labels(r, number) : AS_OK;
}

/* ---- locations and mappings ---- */

static enum as_code pb_raw_put_line(
	struct as_pb_read *r, const struct as_pb_line *line, const struct as_pb_at *at)
{
	uint32_t row = as_pb_row(&r->funcs, line->func);
	struct as_slice name, system;
	const struct as_pb_func *fn;

	if (!row)
		return as_pb_fail(r, AS_E_FORMAT, r->base + r->locs.id.p[at->up->n - 1].off, at,
			"function id %" PRIu64 " does not exist", line->func);
	fn = &r->func.p[row - 1];
	AS_TRY(pb_raw_text_of(r, fn->name, at, &name));
	AS_TRY(pb_raw_text_of(r, fn->system, at, &system));
	as_out_plain(r->raw, name);
	as_out_char(r->raw, ' ');
	AS_TRY(put_text(r, fn->file, at));
	as_out_printf(r->raw, ":%" PRId64 ":%" PRId64 " s=%" PRId64, (int64_t)line->line,
		(int64_t)line->column, (int64_t)fn->start);
	if (!as_slice_eq(name, system)) {
		as_out_char(r->raw, '(');
		as_out_plain(r->raw, system);
		as_out_char(r->raw, ')');
	}
	as_out_char(r->raw, '\n');
	return AS_OK;
}

static enum as_code put_location(struct as_pb_read *r, size_t i)
{
	const struct as_pb_loc *loc = &r->loc.p[i];
	struct as_pb_at up = {"location", i + 1, NULL};

	as_out_printf(r->raw, "%6" PRIu64 ": 0x%" PRIx64 " ", r->locs.id.p[i].id, loc->addr);
	if (!r->map.n) /* pprof makes a mapping for all there is */
		as_out_text(r->raw, "M=1 ");
	else if (loc->map && as_pb_row(&r->maps, loc->map))
		as_out_printf(r->raw, "M=%" PRIu64 " ", loc->map);
	as_out_text(r->raw, loc->folded ? "[F] " : "");
	if (!loc->n)
		as_out_char(r->raw, '\n');
	for (uint32_t k = 0; k < loc->n; k++) {
		struct as_pb_at at = {"line", (uint64_t)k + 1, &up};

		as_out_text(r->raw, k ? "             " : "");
		AS_TRY(pb_raw_put_line(r, &r->line.p[loc->first + k], &at));
	}
	return AS_OK;
}

static void pb_raw_put_map(struct as_pb_read *r, size_t i)
{
	static const char *const has[] = {"[FN]", "[FL]", "[LN]", "[IN]"};
	const struct as_pb_map *m = &r->map.p[i];
	const struct as_profile *prof = r->rd->out->prof;

	as_out_printf(r->raw, "%" PRIu64 ": 0x%" PRIx64 "/0x%" PRIx64 "/0x%" PRIx64 " ",
		r->maps.id.p[i].id, m->start, m->limit, m->offset);
	as_out_plain(r->raw, as_str_get(prof, m->path));
	as_out_char(r->raw, ' ');
	as_out_plain(r->raw, as_str_get(prof, m->build_id));
	as_out_char(r->raw, ' ');
	for (unsigned k = 0; k < AS_ARRAY_LEN(has); k++)
		as_out_text(r->raw, m->has >> k & 1 ? has[k] : "");
	as_out_char(r->raw, '\n');
}

enum as_code as_pb_raw(struct as_pb_read *r)
{
	AS_TRY(as_pb_number_tables(r));
	AS_TRY(pb_raw_put_head(r));
	AS_TRY(as_pb_show_samples(r));
	as_out_text(r->raw, "Locations\n");
	for (size_t i = 0; i < r->loc.n; i++)
		AS_TRY(put_location(r, i));
	as_out_text(r->raw, "Mappings\n");
	for (size_t i = 0; i < r->map.n; i++)
		pb_raw_put_map(r, i);
	if (!r->map.n)
		as_out_text(r->raw, "1: 0x0/0x0/0x0   \n");
	return r->raw->rc;
}
