/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

/* A finding, or the failure that ended the reading, in one form. */
struct row {
	enum as_severity severity;
	const char *code;
	struct as_slice file, msg;
	uint64_t line, off;
};

static const char *failure_code(enum as_code rc)
{
	static const char *const code[] = {[AS_E_TRUNC] = "truncated",
		[AS_E_UNSUPPORTED] = "unsupported",
		[AS_E_LIMIT] = "limit",
		[AS_E_IO] = "unreadable",
		[AS_E_NOTPROFILE] = "not-a-profile",
		[AS_E_NOMEM] = "out-of-memory"};

	return (size_t)rc < AS_ARRAY_LEN(code) && code[rc] ? code[rc] : "damaged";
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

/* A name of any length, as it may be looked at in a terminal. */
static void check_put_name(const struct as_checked *c, struct as_out *out)
{
	char text[1024];

	as_escape(text, sizeof(text), c->name, strlen(c->name));
	as_out_text(out, text);
}

/* Findings have their file's name escaped already. */
static void text_row(const struct as_checked *c, const struct row *r, struct as_out *out,
	const struct as_style *style)
{
	enum as_paint paint = r->severity == AS_ERROR  ? AS_PAINT_BAD
			      : r->severity == AS_WARN ? AS_PAINT_HEAD
						       : AS_PAINT_NONE;

	if (r->file.p == c->name)
		check_put_name(c, out);
	else
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
static uint64_t check_left_out(const struct as_findings *f, unsigned id)
{
	return f->count[id] > AS_FINDINGS_KEPT ? f->count[id] - AS_FINDINGS_KEPT : 0;
}

static void text_left_out(const struct as_checked *c, struct as_out *out)
{
	for (unsigned id = 0; id < AS_F_COUNT; id++) {
		uint64_t n = check_left_out(c->findings, id);

		if (!n)
			continue;
		check_put_name(c, out);
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

	check_put_name(c, out);
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

			text_row(&c[i], &r, out, style);
		}
		text_left_out(&c[i], out);
		text_summary(&c[i], out, style);
	}
}

/* ---- JSON and CSV ---- */

/* Slots: of counts and of a file; of a finding. */
enum { CODE, COUNT, NAME, FORMAT, READABLE, ERRORS, WARNINGS, INFOS, FINDING };
enum { SEVERITY = FINDING, FILE_NAME, LINE, OFFSET, MESSAGE };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_DATA, SEVERITY, "severity"},
	{AS_COL_WORD, AS_IN_DATA, CODE, "code"},
	{AS_COL_COUNT, AS_IN_JSON, COUNT, "count"},
	{AS_COL_WORD, AS_IN_JSON, NAME, "name"},
	{AS_COL_WORD, AS_IN_JSON, FORMAT, "format"},
	{AS_COL_BOOL, AS_IN_JSON, READABLE, "readable"},
	{AS_COL_COUNT, AS_IN_JSON, ERRORS, "errors"},
	{AS_COL_COUNT, AS_IN_JSON, WARNINGS, "warnings"},
	{AS_COL_COUNT, AS_IN_JSON, INFOS, "infos"},
	{AS_COL_WORD, AS_IN_DATA, FILE_NAME, "file"},
	{AS_COL_ID, AS_IN_DATA, LINE, "line"},
	{AS_COL_ID, AS_IN_DATA, OFFSET, "offset"},
	{AS_COL_WORD, AS_IN_DATA, MESSAGE, "message"},
	{0},
};

static void check_put_file(struct as_sheet *s, const struct as_checked *c)
{
	as_sheet_text(s, NAME, as_slice_of(c->name));
	as_sheet_text_or_null(s, FORMAT, as_slice_of(c->format));
	as_sheet_count(s, READABLE, true, c->rc == AS_OK);
	as_sheet_count(s, ERRORS, true, (as_val)as_checked_errors(c));
	as_sheet_count(s, WARNINGS, true, (as_val)c->findings->n[AS_WARN]);
	as_sheet_count(s, INFOS, true, (as_val)c->findings->n[AS_INFO]);
	as_sheet_row_begin(s, NULL);
	as_sheet_list(s, "omitted");
	for (enum as_finding_id id = 0; id < AS_F_COUNT; id++) {
		uint64_t n = check_left_out(c->findings, id);

		if (!n)
			continue;
		as_sheet_text(s, CODE, as_slice_of(as_finding_name(id)));
		as_sheet_count(s, COUNT, true, (as_val)n);
		as_sheet_row(s, NULL);
	}
	as_sheet_list_end(s);
	as_sheet_row_end(s);
}

static void check_put_row(struct as_sheet *s, const struct row *r)
{
	as_sheet_text(s, SEVERITY, as_slice_of(as_severity_text(r->severity)));
	as_sheet_text(s, CODE, as_slice_of(r->code));
	as_sheet_text(s, FILE_NAME, r->file);
	as_sheet_count(s, LINE, r->line != 0, (as_val)r->line);
	as_sheet_count(s, OFFSET, r->off != AS_OFF_NONE, (as_val)r->off);
	as_sheet_text(s, MESSAGE, r->msg.p ? r->msg : as_slice_of(""));
	as_sheet_row(s, NULL);
}

enum as_code as_check_data(const struct as_checked *c, size_t n, const struct as_sheet_to *to)
{
	struct as_sheet s;

	as_assert(n);
	as_sheet_init_plain(&s, to, c->findings->arena.al, columns);
	as_sheet_begin(&s, "assay.check/1", NULL);
	as_sheet_rows(&s, "files");
	for (size_t i = 0; as_sheet_is(&s, AS_FORM_JSON) && i < n; i++)
		check_put_file(&s, &c[i]);
	as_sheet_list_end(&s);
	as_sheet_list(&s, "findings");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_rows(&c[i]); k++) {
			struct row r = get_row(&c[i], k);

			check_put_row(&s, &r);
		}
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}
