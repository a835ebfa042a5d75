/* SPDX-License-Identifier: Apache-2.0 */
#include "report/check.h"

#include "report/kit/csv.h"
#include "report/kit/json.h"

/* A finding, or the failure that ended the reading, in one form. */
struct row {
	enum as_severity severity;
	const char *code;
	struct as_slice file, msg;
	uint64_t line, off;
};

static const char *failure_code(enum as_code rc)
{
	switch (rc) {
	case AS_E_TRUNC:
		return "truncated";
	case AS_E_UNSUPPORTED:
		return "unsupported";
	case AS_E_LIMIT:
		return "limit";
	case AS_E_IO:
		return "unreadable";
	case AS_E_NOTPROFILE:
		return "not-a-profile";
	case AS_E_NOMEM:
		return "out-of-memory";
	default:
		return "damaged";
	}
}

/* The failure is often the last finding as well: then it is not told twice. */
static bool failure_is_new(const struct as_checked *c)
{
	const struct as_findings *f = c->findings;

	if (c->rc == AS_OK)
		return false;
	for (size_t i = 0; i < f->row.n; i++)
		if (as_slice_is(f->row.p[i].msg, c->err->msg))
			return false;
	return true;
}

static size_t n_rows(const struct as_checked *c)
{
	return c->findings->row.n + failure_is_new(c);
}

static struct row get_row(const struct as_checked *c, size_t i)
{
	const struct as_finding *f;

	if (i == c->findings->row.n)
		return (struct row){AS_ERROR, failure_code(c->rc), as_slice_of(c->name),
			as_slice_of(c->err->msg), c->err->line, c->err->off};
	f = &c->findings->row.p[i];
	return (struct row){f->severity, as_finding_name(f->id),
		f->file.len ? f->file : as_slice_of(c->name), f->msg, f->line, f->off};
}

uint64_t as_checked_errors(const struct as_checked *c)
{
	return c->findings->n[AS_ERROR] + failure_is_new(c);
}

/* ---- text ---- */

static void text_row(const struct row *r, struct as_out *out, const struct as_style *style)
{
	enum as_paint paint = r->severity == AS_ERROR  ? AS_PAINT_BAD
			      : r->severity == AS_WARN ? AS_PAINT_HEAD
						       : AS_PAINT_NONE;

	as_out_slice(out, r->file);
	if (r->line)
		as_out_printf(out, ":%" PRIu64, r->line);
	else if (r->off != AS_OFF_NONE)
		as_out_printf(out, ": offset 0x%" PRIx64, r->off);
	as_out_printf(out, ": %s%s:%s %.*s [%s]\n", as_paint_begin(style, paint),
		as_severity_text(r->severity), as_paint_end(style, paint), AS_SLICE_FMT(r->msg),
		r->code);
}

/* What was counted but not kept. */
static uint64_t left_out(const struct as_findings *f, unsigned id)
{
	return f->count[id] > AS_FINDINGS_KEPT ? f->count[id] - AS_FINDINGS_KEPT : 0;
}

/* A name of any length, as it may be looked at in a terminal. */
static void put_name(const struct as_checked *c, struct as_out *out)
{
	char text[1024];

	as_escape(text, sizeof(text), c->name, strlen(c->name));
	as_out_text(out, text);
}

static void text_left_out(const struct as_checked *c, struct as_out *out)
{
	for (unsigned id = 0; id < AS_F_COUNT; id++) {
		uint64_t n = left_out(c->findings, id);

		if (!n)
			continue;
		put_name(c, out);
		as_out_printf(out, ": %s: %" PRIu64 " more of this kind [%s]\n",
			as_severity_text(as_finding_severity((enum as_finding_id)id)), n,
			as_finding_name((enum as_finding_id)id));
	}
}

static void text_summary(
	const struct as_checked *c, struct as_out *out, const struct as_style *style)
{
	uint64_t n[3] = {c->findings->n[AS_INFO], c->findings->n[AS_WARN], as_checked_errors(c)};
	static const char *const word[] = {"info", "warning", "error"};
	enum as_paint paint = n[AS_ERROR] ? AS_PAINT_BAD : AS_PAINT_GOOD;
	const char *sep = "";

	put_name(c, out);
	as_out_text(out, ": ");
	if (!n[AS_ERROR]) {
		as_out_printf(
			out, "%sok%s", as_paint_begin(style, paint), as_paint_end(style, paint));
		sep = ", ";
	}
	for (int s = AS_ERROR; s >= AS_INFO; s--) {
		if (!n[s])
			continue;
		as_out_printf(out, "%s%" PRIu64 " %s%s", sep, n[s], word[s],
			n[s] != 1 && s != AS_INFO ? "s" : "");
		sep = ", ";
	}
	if (c->format)
		as_out_printf(out, " (%s)", c->format);
	as_out_char(out, '\n');
}

void as_check_text(
	const struct as_checked *c, size_t n, struct as_out *out, const struct as_style *style)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n_rows(&c[i]); k++) {
			struct row r = get_row(&c[i], k);

			text_row(&r, out, style);
		}
		text_left_out(&c[i], out);
		text_summary(&c[i], out, style);
	}
}

/* ---- JSON ---- */

static void json_row(const struct row *r, struct as_json *j)
{
	as_json_object(j, NULL);
	as_json_text(j, "severity", as_slice_of(as_severity_text(r->severity)));
	as_json_text(j, "code", as_slice_of(r->code));
	as_json_text(j, "file", r->file);
	if (r->line)
		as_json_u64(j, "line", r->line);
	else
		as_json_null(j, "line");
	if (r->off != AS_OFF_NONE)
		as_json_u64(j, "offset", r->off);
	else
		as_json_null(j, "offset");
	as_json_text(j, "message", r->msg);
	as_json_object_end(j);
}

static void json_omitted(const struct as_findings *f, struct as_json *j)
{
	as_json_array(j, "omitted");
	for (unsigned id = 0; id < AS_F_COUNT; id++) {
		if (!left_out(f, id))
			continue;
		as_json_object(j, NULL);
		as_json_text(j, "code", as_slice_of(as_finding_name((enum as_finding_id)id)));
		as_json_u64(j, "count", left_out(f, id));
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void json_file(const struct as_checked *c, struct as_json *j)
{
	as_json_object(j, NULL);
	as_json_text(j, "name", as_slice_of(c->name));
	as_json_text_or_null(j, "format", as_slice_of(c->format));
	as_json_bool(j, "readable", c->rc == AS_OK);
	as_json_u64(j, "errors", as_checked_errors(c));
	as_json_u64(j, "warnings", c->findings->n[AS_WARN]);
	as_json_u64(j, "infos", c->findings->n[AS_INFO]);
	json_omitted(c->findings, j);
	as_json_object_end(j);
}

void as_check_json(const struct as_checked *c, size_t n, struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.check/1"));
	as_json_array(&j, "files");
	for (size_t i = 0; i < n; i++)
		json_file(&c[i], &j);
	as_json_array_end(&j);
	as_json_array(&j, "findings");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_rows(&c[i]); k++) {
			struct row r = get_row(&c[i], k);

			json_row(&r, &j);
		}
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

/* ---- CSV ---- */

static void csv_row(const struct row *r, struct as_csv *c)
{
	as_csv_text(c, as_slice_of(as_severity_text(r->severity)));
	as_csv_text(c, as_slice_of(r->code));
	as_csv_text(c, r->file);
	if (r->line)
		as_csv_val(c, (as_val)r->line);
	else
		as_csv_empty(c);
	if (r->off != AS_OFF_NONE)
		as_csv_val(c, (as_val)r->off);
	else
		as_csv_empty(c);
	as_csv_text(c, r->msg);
	as_csv_end(c);
}

void as_check_csv(const struct as_checked *c, size_t n, struct as_out *out)
{
	static const char *const key[] = {"severity", "code", "file", "line", "offset", "message"};
	struct as_csv csv;

	as_csv_init(&csv, out);
	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(&csv, as_slice_of(key[i]));
	as_csv_end(&csv);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_rows(&c[i]); k++) {
			struct row r = get_row(&c[i], k);

			csv_row(&r, &csv);
		}
}
